"""Differences between two versions of a document, by paragraph and cell, each with the id of its block. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

from metaagent.documents.model import (
    Block,
    Chart,
    Document,
    Form,
    Heading,
    List,
    Paragraph,
    Table,
    block_lines,
    block_spans,
    shown,
)
from metaagent.errors import Text
from metaagent.language.patterns import regex

Kind: TypeAlias = Literal["added", "removed", "changed"]
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_PLACES = {
    "title": Text(en="title", ko="제목"),
    "text": Text(en="text", ko="본문"),
    "caption": Text(en="caption", ko="캡션"),
    "note": Text(en="note", ko="주석"),
    "language": Text(en="language", ko="언어"),
}


_ITEM = Text(en="item {number}", ko="{number}번 항목")
_ROW = Text(en="row {number}{column}", ko="{number}행{column}")
_NOTE = Text(en="note {number}", ko="주석 {number}")
_HEAD = Text(en="heading of column {number}", ko="{number}열 제목")
_CHART = Text(en="chart", ko="차트")
_UNITS = {
    "heading": Text(en="heading", ko="제목"),
    "paragraph": Text(en="paragraph{number}", ko="문단{number}"),
    "list": Text(en="list{number}", ko="목록{number}"),
    "table": Text(en="table{number}", ko="표{number}"),
    "chart": Text(en="chart{number}", ko="그래프{number}"),
}
_KINDS: dict[type[Block], str] = {
    Heading: "heading",
    Paragraph: "paragraph",
    List: "list",
    Table: "table",
    Chart: "chart",
}
_ROW_PLACE = regex(r"row ([0-9]+)(.*)")


@dataclass(frozen=True)
class Change:
    """One difference. `place` says where in the block: an item, a labelled entry, or a cell by row and column; `part` is the
    heading above it, `unit` what it is there, with its number where there are several."""

    kind: Kind
    block: str
    place: str
    before: str = ""
    after: str = ""
    part: str = field(default="", compare=False)
    unit: str = field(default="", compare=False)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def where(self, language: str) -> str:
        """The place in words for a reader, who knows nothing of blocks: the part, what it is there, and where in it."""
        kind, _, number = self.unit.partition(" ")
        unit = _UNITS[kind].say(language, number=f" {number}" if number else "") if kind else ""
        return ", ".join(filter(None, (self.part, unit, self._within(language))))

    def _within(self, language: str) -> str:
        """The place in the block; nothing where it is the text itself."""
        if self.place == "text" or self.place == self.unit.partition(" ")[0]:
            return ""
        if row := _ROW_PLACE.fullmatch(self.place):
            return _ROW.say(language, number=row[1], column=row[2])
        if self.place.isdecimal():
            counted = _NOTE if self.block == "notes" else _HEAD if self.block.endswith(":head") else _ITEM
            return counted.say(language, number=self.place)
        known = _CHART if self.place == "chart" else _PLACES.get(self.place)
        return known.say(language) if known else self.place

    def say(self, language: str) -> str:
        where = self.where(language) or _PLACES["text"].say(language)
        text = f"{self.before} → {self.after}" if self.before and self.after else self.before or self.after
        return f"{_SIGNS[self.kind]} {where}{': ' if text else ''}{text}"


def differences(before: Document, after: Document) -> list[Change]:
    """Everything that a reader would see as changed, in the order of the later version."""
    found: list[Change] = []
    for name in ("title", "language"):
        found += _changed("document", name, str(getattr(before, name)), str(getattr(after, name)))
    found += _mapping("document", before.meta, after.meta)
    places = _places(before.blocks) | _places(after.blocks)
    for change in _blocks(before.blocks, after.blocks):
        part, unit = places[change.block.removesuffix(":head")]
        found.append(replace(change, part=part, unit=unit))
    notes = [{str(note.number): note.text for note in each.notes} for each in (before, after)]
    return found + [each for each in _mapping("notes", *notes) if not _gone_along(each, before, after)]


def _places(blocks: Sequence[Block]) -> dict[str, tuple[str, str]]:
    """The heading above each block, and its kind with its number among those of its kind there."""
    part, found, made = "", list[tuple[str, str, str]](), dict[str, tuple[str, str]]()
    for block in blocks:
        kind = _KINDS.get(type(block), "")
        if isinstance(block, Heading):
            part = block.text
        found.append((block.id, part if kind != "heading" else "", kind))
    for at, (name, own, kind) in enumerate(found):
        same = [each for each in found if each[1:] == (own, kind)]
        number = sum(each[1:] == (own, kind) for each in found[: at + 1])
        several = kind not in ("", "heading") and len(same) > 1
        made[name] = (own, f"{kind} {number}" if several else kind)
    return made


def _gone_along(change: Change, before: Document, after: Document) -> bool:
    """Say whether a note is gone only with the words that it stood at, which are listed themselves."""
    if change.kind != "removed":
        return False
    left = {block.id: _whole(block) for block in after.blocks}
    held = [
        block for block in before.blocks if int(change.place) in {span.note for span in block_spans(block)}
    ]
    return bool(held) and all(left.get(block.id) != _whole(block) for block in held)


def _changed(block: str, place: str, before: str, after: str) -> list[Change]:
    return [] if before == after else [Change("changed", block, place, before, after)]


def _mapping(block: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    gone = [Change("removed", block, key, before=value) for key, value in before.items() if key not in after]
    new = [Change("added", block, key, after=value) for key, value in after.items() if key not in before]
    same = [each for key in before if key in after for each in _changed(block, key, before[key], after[key])]
    return [*same, *gone, *new]


def _blocks(before: Sequence[Block], after: Sequence[Block]) -> Iterator[Change]:
    known = {block.id: block for block in before}
    kept = {block.id for block in after}
    for block in before:
        if block.id not in kept:
            yield Change("removed", block.id, "text", before=_whole(block))
    for block in after:
        old = known.get(block.id)
        if old is None:
            yield Change("added", block.id, "text", after=_whole(block))
        elif type(old) is not type(block):
            yield Change("changed", block.id, "text", _whole(old), _whole(block))
        else:
            yield from _block(old, block)


def _whole(block: Block) -> str:
    return " ".join(block_lines(block))


def _block(before: Any, after: Any) -> Iterator[Change]:
    match after:
        case Heading() | Paragraph():
            yield from _changed(after.id, "text", before.text, after.text)
        case List():
            yield from _sequence(
                after.id, [item.text for item in before.items], [item.text for item in after.items]
            )
        case Form():
            pairs = [{entry.label: entry.text for entry in each.entries} for each in (before, after)]
            yield from _mapping(after.id, *pairs)
        case Table():
            yield from _table(before, after)
        case Chart():
            yield from _changed(after.id, "caption", before.caption, after.caption)
            yield from _changed(after.id, "note", before.note, after.note)
            if before.spec != after.spec:
                yield Change("changed", after.id, "chart")
        case _:
            return


def _sequence(block: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for at in range(max(b - a, d - c)):
            old = before[a + at] if a + at < b else None
            new = after[c + at] if c + at < d else None
            if old is None:
                yield Change("added", block, str(c + at + 1), after=new or "")
            elif new is None:
                yield Change("removed", block, str(a + at + 1), before=old)
            else:
                yield from _changed(block, str(c + at + 1), old, new)


def _table(before: Table, after: Table) -> Iterator[Change]:
    yield from _changed(after.id, "caption", before.caption, after.caption)
    yield from _sequence(
        f"{after.id}:head", [c.label for c in before.columns], [c.label for c in after.columns]
    )
    old, new = _cells(before), _cells(after)
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for at in range(max(b - a, d - c)):
            if a + at >= b:
                yield Change("added", after.id, f"row {c + at + 1}", after=" | ".join(new[c + at]))
            elif c + at >= d:
                yield Change("removed", after.id, f"row {a + at + 1}", before=" | ".join(old[a + at]))
            else:
                yield from _row(after, old[a + at], new[c + at], c + at + 1)
    yield from _changed(after.id, "note", before.note, after.note)


def _cells(table: Table) -> list[tuple[str, ...]]:
    return [tuple(shown(cell, c) for cell, c in zip(row, table.columns, strict=True)) for row in table.rows]


def _row(table: Table, before: Sequence[str], after: Sequence[str], number: int) -> Iterator[Change]:
    for at in range(max(len(before), len(after))):
        old = before[at] if at < len(before) else ""
        new = after[at] if at < len(after) else ""
        label = table.columns[at].label if at < len(table.columns) else str(at + 1)
        yield from _changed(table.id, f"row {number}, {label}", old, new)
