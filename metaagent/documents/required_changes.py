"""Changes that a verdict requires, applied to a document as far as a program may: a passage is taken out where it stands. Sums
and facts are never written anew: they, and whatever has no certain place, are left to a person. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metaagent.documents.model import (
    Block,
    Document,
    Form,
    List,
    Paragraph,
    Span,
    Table,
    block_lines,
    checked,
    lines,
)
from metaagent.values import number, rows, sequence, text

Json = dict[str, Any]
MECHANICAL = frozenset({"remove_text"})
_SENTENCE = re.compile(r"[^.!?。]*(?:[.!?。](?:[\"'”’)\]]*)(?=\s|$)|[.!?。](?=\S)|$)")
_HIDDEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\uff01-\uff5e]")


@dataclass(frozen=True)
class Place:
    """One line of a document's text: its offset in the whole, and the block that it belongs to."""

    start: int
    text: str
    block: str = ""
    at: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Modified:
    document: Document
    applied: tuple[Json, ...]
    rest: tuple[Json, ...]
    """The changes that need a person, each with the `block` that it is about, where it is known."""


def is_mechanical(modification: Mapping[str, Any]) -> bool:
    return modification.get("action") in MECHANICAL and len(sequence(modification.get("span"))) == 2


def places(document: Document) -> list[Place]:
    """Every line of the text with its place; offsets count in the lines joined by line breaks."""
    found: list[Place] = []
    start = 0
    owners = _owners(document)
    for line in lines(document):
        block, at = next(owners)
        found.append(Place(start, line, block, at))
        start += len(line) + 1
    return found


def place_of(document: Document, span: Sequence[Any]) -> Place | None:
    """The line that a span of the text lies in; None where it lies in none, or where offsets cannot be trusted."""
    whole = "\n".join(lines(document))
    if unicodedata.normalize("NFC", whole) != whole or _HIDDEN.search(whole) or len(span) != 2:
        return None
    start, end = int(number(span[0])), int(number(span[1]))
    return next((each for each in places(document) if each.start <= start < end <= each.end), None)


def modified(document: Document, modifications: object) -> Modified:
    applied: list[Json] = []
    rest: list[Json] = []
    cuts: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for each in rows(modifications):
        place = place_of(document, sequence(each.get("span")))
        block = document.block(place.block) if place is not None else None
        if place is None or not is_mechanical(each) or not _can_be_cut(block, place):
            rest.append({**each, "block": place.block if place is not None else ""})
            continue
        first, last = (int(number(at)) - place.start for at in sequence(each.get("span")))
        cuts.setdefault((place.block, place.at), []).append(_sentence(place.text, first, last))
        applied.append({**each, "block": place.block})
    made = document
    for (name, at), spans in cuts.items():
        block = made.block(name)
        if block is not None:
            made = made.with_block(_without(block, at, spans))
    kept = tuple(block for block in made.blocks if not isinstance(block, Paragraph) or block.text.strip())
    return Modified(checked(replace(made, blocks=kept)), tuple(applied), tuple(rest))


def _owners(document: Document) -> Iterator[tuple[str, int]]:
    yield "", 0
    for _ in document.meta:
        yield "", 0
        yield "", 0
    for block in document.blocks:
        for at, _ in enumerate(block_lines(block)):
            yield block.id, at
    for _ in document.notes:
        yield "", 0


def _can_be_cut(block: Block | None, place: Place) -> bool:
    match block:
        case Paragraph() | List():
            return True
        case Form():
            return place.at % 2 == 1
        case Table():
            row, column = _cell(block, place.at)
            return row >= 0 and isinstance(block.rows[row][column], str)
        case _:
            return False


def _cell(table: Table, at: int) -> tuple[int, int]:
    inside = at - bool(table.caption) - len(table.columns)
    row, column = divmod(inside, len(table.columns) or 1)
    return (row, column) if 0 <= row < len(table.rows) else (-1, -1)


def _sentence(line: str, first: int, last: int) -> tuple[int, int]:
    """The sentences that a passage lies in."""
    touched = [m.span() for m in _SENTENCE.finditer(line) if m.start() < last and m.end() > first]
    return (min(start for start, _ in touched), max(end for _, end in touched)) if touched else (first, last)


def _without(block: Block, at: int, cuts: Sequence[tuple[int, int]]) -> Block:
    match block:
        case Paragraph():
            return replace(block, spans=_cut(block.spans, cuts))
        case List():
            items = [
                replace(item, spans=_cut(item.spans, cuts)) if place == at else item
                for place, item in enumerate(block.items)
            ]
            return replace(block, items=tuple(item for item in items if text(item.text).strip()))
        case Form():
            entries = [
                replace(entry, spans=_cut(entry.spans, cuts)) if place == at // 2 else entry
                for place, entry in enumerate(block.entries)
            ]
            return replace(block, entries=tuple(entries))
        case Table():
            row, column = _cell(block, at)
            cells = list(block.rows[row])
            cells[column] = "".join(span.text for span in _cut((Span(str(cells[column])),), cuts))
            made = [*block.rows]
            made[row] = tuple(cells)
            return replace(block, rows=tuple(made))
        case _:
            return block


def _cut(spans: Sequence[Span], cuts: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """The spans without these stretches of their text."""
    kept: list[Span] = []
    start = 0
    for span in spans:
        left = "".join(
            char
            for at, char in enumerate(span.text, start)
            if not any(first <= at < last for first, last in cuts)
        )
        start += len(span.text)
        if left:
            kept.append(replace(span, text=left))
    if kept:
        kept[0] = replace(kept[0], text=kept[0].text.lstrip())
    return tuple(kept)
