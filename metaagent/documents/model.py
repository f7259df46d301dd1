"""The one model of a document: blocks with stable ids, plain JSON both ways. Every format is rendered from it.

Text in the model is literal and one line: control characters, marks that change the direction of reading and halves of
characters are taken out when a value is made, so that no renderer meets them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast, get_args

from metaagent.errors import InputRefused, Text
from metaagent.language.particles import Language

Json = dict[str, Any]
Cell: TypeAlias = str | int | float | bool | None
Align: TypeAlias = Literal["left", "right", "center"]
MOST_BLOCKS = 5_000
MOST_CELLS = 500_000
LONGEST_TEXT = 250_000
"""Characters of one paragraph or cell."""

_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BROKEN = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]|[\U0001fffe\U0001ffff]")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")

NOT_A_DOCUMENT = Text(
    en="This is no document: {where} is {value!r}. Expected: {wanted}.",
    ko="문서가 아닙니다: {where} 값이 {value!r}입니다. 필요한 값: {wanted}.",
)
TOO_LARGE = Text(
    en="The document has {count} {what}, more than {limit}: shorten it or divide it.",
    ko="문서의 {what} 수가 {count}개로 {limit}개를 넘습니다. 줄이거나 나누세요.",
)


def clean(text: str) -> str:
    """One line of literal text that every format can hold."""
    text = _BROKEN.sub("\ufffd", _UNSEEN.sub("", _BREAKS.sub(" ", text)))
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


@dataclass(frozen=True)
class Span:
    """Running text. `field` names the field that it came from, `note` the footnote behind it; `open` is a field that
    nobody has filled yet."""

    text: str
    bold: bool = False
    note: int | None = None
    field: str = ""
    open: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))


@dataclass(frozen=True)
class Heading:
    id: str
    text: str
    level: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))


@dataclass(frozen=True)
class Paragraph:
    id: str
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        return text_of(self.spans)


@dataclass(frozen=True)
class Item:
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        return text_of(self.spans)


@dataclass(frozen=True)
class List:
    id: str
    items: tuple[Item, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Entry:
    """One line of a form: a label and its value."""

    label: str
    spans: tuple[Span, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", clean(self.label))

    @property
    def text(self) -> str:
        return text_of(self.spans)


@dataclass(frozen=True)
class Form:
    """Labels with their values, shown as a grid without a head."""

    id: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Column:
    """`format` is a number format as spreadsheets write it (`#,##0`, `0.0%`), empty for text."""

    label: str
    align: Align = "left"
    format: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", clean(self.label))


@dataclass(frozen=True)
class Table:
    """Cells are the values themselves; `shown` writes one as the column says."""

    id: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))
        object.__setattr__(self, "note", clean(self.note))
        cleaned = tuple(tuple(clean(c) if isinstance(c, str) else c for c in row) for row in self.rows)
        object.__setattr__(self, "rows", cleaned)


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite spec that holds its own data."""

    id: str
    spec: Json
    caption: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "caption", clean(self.caption))
        object.__setattr__(self, "note", clean(self.note))


@dataclass(frozen=True)
class PageBreak:
    id: str


Block: TypeAlias = Heading | Paragraph | List | Form | Table | Chart | PageBreak
_TYPES: dict[type[Any], str] = {
    Heading: "heading",
    Paragraph: "paragraph",
    List: "list",
    Form: "form",
    Table: "table",
    Chart: "chart",
    PageBreak: "page_break",
}


@dataclass(frozen=True)
class Note:
    """A footnote: the source of a figure, or the place of a cited passage."""

    number: int
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))


@dataclass(frozen=True)
class OpenField:
    """A field that has no source: visibly open in the text, and listed here."""

    name: str
    label: str


@dataclass(frozen=True)
class Document:
    document_id: str
    title: str
    language: Language
    template_id: str
    template_version: str
    meta: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels and values below the title: the author, the day, the period."""
    blocks: tuple[Block, ...] = ()
    notes: tuple[Note, ...] = ()
    open_fields: tuple[OpenField, ...] = ()
    sources: tuple[Json, ...] = ()
    """Artifacts that it was made from: {artifact_id, kind, title, hash}."""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The values that it was filled with, by field: {value, source}."""
    template_hash: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", clean(self.title))
        object.__setattr__(self, "meta", {clean(label): clean(value) for label, value in self.meta.items()})

    def block(self, block_id: str) -> Block | None:
        return next((each for each in self.blocks if each.id == block_id), None)

    def with_block(self, block: Block) -> Document:
        """Replace the block of the same id."""
        return replace(self, blocks=tuple(block if each.id == block.id else each for each in self.blocks))

    def as_json(self) -> Json:
        return {
            "document_id": self.document_id,
            "title": self.title,
            "language": self.language,
            "template_id": self.template_id,
            "template_version": self.template_version,
            "template_hash": self.template_hash,
            "meta": [[label, value] for label, value in self.meta.items()],
            "blocks": [_block_json(block) for block in self.blocks],
            "notes": [{"number": note.number, "text": note.text} for note in self.notes],
            "open_fields": [{"name": each.name, "label": each.label} for each in self.open_fields],
            "sources": [dict(each) for each in self.sources],
            "fields": dict(self.fields),
        }

    @classmethod
    def from_json(cls, data: object) -> Document:
        """Raises InputRefused, naming the place, for anything that `as_json` would not have written."""
        return _Reader().document(data)


def text_of(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


def lines(document: Document) -> Iterator[str]:
    """The document's text, one paragraph, item, entry or cell at a time, in its order. Every format says this and no more."""
    yield document.title
    for label, value in document.meta.items():
        yield label
        yield value
    for block in document.blocks:
        yield from block_lines(block)
    for note in document.notes:
        yield note.text


def block_lines(block: Block) -> Iterator[str]:
    match block:
        case Heading() | Paragraph():
            yield block.text
        case List():
            yield from (item.text for item in block.items)
        case Form():
            yield from (text for entry in block.entries for text in (entry.label, entry.text))
        case Table():
            yield from (block.caption,) if block.caption else ()
            yield from (column.label for column in block.columns)
            for row in block.rows:
                yield from (shown(cell, column) for cell, column in zip(row, block.columns, strict=True))
            yield from (block.note,) if block.note else ()
        case Chart():
            yield from (each for each in (block.caption, block.note) if each)
        case PageBreak():
            return


NOTHING = "–"
_DECIMALS = re.compile(r"0\.(0+)")


def shown(cell: Cell, column: Column) -> str:
    """A cell as it is written in a document."""
    if cell is None or (isinstance(cell, float) and not abs(cell) < float("inf")):
        return NOTHING
    if isinstance(cell, str | bool) or not column.format:
        return str(cell)
    decimals = _DECIMALS.search(column.format)
    digits = len(decimals[1]) if decimals else 0
    value, sign = (cell * 100, "%") if column.format.endswith("%") else (cell, "")
    grouped = f"{value:,.{digits}f}" if "," in column.format or sign else f"{value:.{digits}f}"
    return ("0" if grouped in ("-0", "0") else grouped) + sign


def _span_json(span: Span) -> Json:
    made: Json = {"text": span.text}
    for name, empty in (("bold", False), ("note", None), ("field", ""), ("open", False)):
        value = getattr(span, name)
        if value != empty:
            made[name] = value
    return made


def _block_json(block: Block) -> Json:
    head: Json = {"type": _TYPES[type(block)], "id": block.id}
    match block:
        case Heading():
            return head | {"level": block.level, "text": block.text}
        case Paragraph():
            return head | {"spans": [_span_json(span) for span in block.spans]}
        case List():
            items = [{"spans": [_span_json(span) for span in item.spans]} for item in block.items]
            return head | {"ordered": block.ordered, "items": items}
        case Form():
            return head | {
                "entries": [
                    {"label": each.label, "spans": [_span_json(span) for span in each.spans]}
                    for each in block.entries
                ]
            }
        case Table():
            return head | {
                "caption": block.caption,
                "columns": [
                    {"label": each.label, "align": each.align, "format": each.format}
                    for each in block.columns
                ],
                "rows": [list(row) for row in block.rows],
                "note": block.note,
            }
        case Chart():
            return head | {"caption": block.caption, "spec": block.spec, "note": block.note}
        case PageBreak():
            return head


class _Reader:
    """Reads the JSON of a document; holds the place for messages."""

    def __init__(self) -> None:
        self._blocks: dict[str, Callable[[Json, str], Block]] = {
            "heading": self._heading,
            "paragraph": lambda data, at: Paragraph(self._id(data, at), self._spans(data, at)),
            "list": self._list,
            "form": self._form,
            "table": self._table,
            "chart": self._chart,
            "page_break": lambda data, at: PageBreak(self._id(data, at)),
        }

    def document(self, value: object) -> Document:
        data = self._map(value, "document")
        language = data.get("language")
        if language not in get_args(Language):
            raise InputRefused(NOT_A_DOCUMENT, where="language", value=language, wanted="ko, en")
        blocks = tuple(
            self._block(each, f"blocks[{at}]") for at, each in enumerate(self._all(data, "blocks", "blocks"))
        )
        made = Document(
            document_id=self._text(data, "document_id", ""),
            title=self._text(data, "title", ""),
            language=cast("Language", language),
            template_id=self._text(data, "template_id", ""),
            template_version=self._text(data, "template_version", ""),
            template_hash=self._text(data, "template_hash", "", ""),
            meta=self._meta(data.get("meta", [])),
            blocks=blocks,
            notes=tuple(self._note(each, f"notes[{at}]") for at, each in enumerate(data.get("notes") or ())),
            open_fields=tuple(
                OpenField(
                    self._text(each, "name", f"open_fields[{at}]"),
                    self._text(each, "label", f"open_fields[{at}]"),
                )
                for at, each in enumerate(data.get("open_fields") or ())
            ),
            sources=tuple(self._map(each, "sources") for each in data.get("sources") or ()),
            fields=self._map(data.get("fields", {}), "fields"),
        )
        return checked(made)

    def _block(self, value: object, at: str) -> Block:
        data = self._map(value, at)
        kind = data.get("type")
        if not isinstance(kind, str) or kind not in self._blocks:
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.type", value=kind, wanted=", ".join(self._blocks))
        return self._blocks[kind](data, at)

    def _heading(self, data: Json, at: str) -> Heading:
        level = data.get("level", 1)
        if level not in (1, 2, 3):
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.level", value=level, wanted="1, 2, 3")
        return Heading(self._id(data, at), self._text(data, "text", at), level)

    def _list(self, data: Json, at: str) -> List:
        items = tuple(Item(self._spans(self._map(each, at), at)) for each in self._all(data, "items", at))
        return List(self._id(data, at), items, data.get("ordered") is True)

    def _form(self, data: Json, at: str) -> Form:
        entries = tuple(
            Entry(self._text(each, "label", at), self._spans(each, at))
            for each in self._all(data, "entries", at)
        )
        return Form(self._id(data, at), entries)

    def _table(self, data: Json, at: str) -> Table:
        columns = tuple(self._column(each, f"{at}.columns") for each in self._all(data, "columns", at))
        rows = tuple(self._row(each, len(columns), f"{at}.rows") for each in self._all(data, "rows", at))
        caption, note = self._text(data, "caption", at, ""), self._text(data, "note", at, "")
        return Table(self._id(data, at), columns, rows, caption, note)

    def _row(self, value: object, width: int, at: str) -> tuple[Cell, ...]:
        if not isinstance(value, list) or len(cast("list[Any]", value)) != width:
            raise InputRefused(NOT_A_DOCUMENT, where=at, value=value, wanted=f"{width} cells")
        for cell in cast("list[Any]", value):
            if cell is not None and not isinstance(cell, str | int | float):
                raise InputRefused(NOT_A_DOCUMENT, where=at, value=cell, wanted="text or number")
        return tuple(cast("list[Cell]", value))

    def _column(self, value: object, at: str) -> Column:
        data = self._map(value, at)
        align = data.get("align", "left")
        if align not in get_args(Align):
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.align", value=align, wanted="left, right, center")
        return Column(self._text(data, "label", at), cast("Align", align), self._text(data, "format", at, ""))

    def _chart(self, data: Json, at: str) -> Chart:
        spec = self._map(data.get("spec"), f"{at}.spec")
        caption, note = self._text(data, "caption", at, ""), self._text(data, "note", at, "")
        return Chart(self._id(data, at), spec, caption, note)

    def _note(self, value: object, at: str) -> Note:
        data = self._map(value, at)
        if not isinstance(data.get("number"), int):
            raise InputRefused(
                NOT_A_DOCUMENT, where=f"{at}.number", value=data.get("number"), wanted="1, 2, …"
            )
        return Note(data["number"], self._text(data, "text", at))

    def _spans(self, data: Json, at: str) -> tuple[Span, ...]:
        return tuple(self._span(self._map(each, at), at) for each in self._all(data, "spans", at))

    def _span(self, data: Json, at: str) -> Span:
        note = data.get("note")
        if note is not None and not isinstance(note, int):
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.note", value=note, wanted="a number")
        bold, is_open = data.get("bold") is True, data.get("open") is True
        return Span(self._text(data, "text", at), bold, note, self._text(data, "field", at, ""), is_open)

    def _id(self, data: Json, at: str) -> str:
        found = self._text(data, "id", at)
        if not _ID.fullmatch(found):
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.id", value=found, wanted="letters, digits, . _ -")
        return found

    def _meta(self, value: object) -> dict[str, str]:
        """Labels with their values, as pairs in their order; as an object where an earlier version wrote it."""
        if not isinstance(value, list):
            return {str(k): str(v) for k, v in self._map(value, "meta").items()}
        pairs = cast("list[Any]", value)
        for at, pair in enumerate(pairs):
            if not isinstance(pair, list | tuple) or len(cast("Sequence[Any]", pair)) != 2:
                raise InputRefused(
                    NOT_A_DOCUMENT, where=f"meta[{at}]", value=pair, wanted="a label and a value"
                )
        return {str(label): str(shown) for label, shown in pairs}

    def _map(self, value: object, at: str) -> Json:
        if not isinstance(value, Mapping):
            raise InputRefused(NOT_A_DOCUMENT, where=at, value=value, wanted="an object")
        return dict(cast("Mapping[str, Any]", value))

    def _all(self, data: Json, name: str, at: str) -> list[Any]:
        found = data.get(name)
        if not isinstance(found, list):
            raise InputRefused(NOT_A_DOCUMENT, where=f"{at}.{name}", value=found, wanted="a list")
        return cast("list[Any]", found)

    def _text(self, value: object, name: str, at: str, default: str | None = None) -> str:
        found = self._map(value, at).get(name, default)
        if not isinstance(found, str):
            where = f"{at}.{name}" if at else name
            raise InputRefused(NOT_A_DOCUMENT, where=where, value=found, wanted="text")
        return found


def checked(document: Document) -> Document:
    """The document, if its ids are unique, its notes exist and it is not too large."""
    ids = [block.id for block in document.blocks]
    twice = (
        next((each for at, each in enumerate(ids) if each in ids[:at]), None)
        if len(set(ids)) < len(ids)
        else None
    )
    if twice is not None:
        raise InputRefused(NOT_A_DOCUMENT, where="blocks", value=twice, wanted="every id once")
    cells = sum(len(b.rows) * len(b.columns) for b in document.blocks if isinstance(b, Table))
    for what, count, limit in (("blocks", len(ids), MOST_BLOCKS), ("cells", cells, MOST_CELLS)):
        if count > limit:
            raise InputRefused(TOO_LARGE, what=what, count=count, limit=limit)
    known = {note.number for note in document.notes}
    for span in spans(document):
        if span.note is not None and span.note not in known:
            raise InputRefused(
                NOT_A_DOCUMENT, where="note", value=span.note, wanted=f"one of {sorted(known)}"
            )
    return document


def spans(document: Document) -> Iterator[Span]:
    for block in document.blocks:
        yield from block_spans(block)


def block_spans(block: Block) -> Iterator[Span]:
    match block:
        case Paragraph():
            yield from block.spans
        case List():
            yield from (span for item in block.items for span in item.spans)
        case Form():
            yield from (span for entry in block.entries for span in entry.spans)
        case _:
            pass


def note_places(document: Document) -> dict[int, int]:
    """The number that each note is shown with: by its first mention in the text, those that nothing mentions last."""
    named = [span.note for span in spans(document) if span.note is not None]
    rest = [note.number for note in document.notes if note.number not in named]
    return {number: place for place, number in enumerate(dict.fromkeys([*named, *rest]), 1)}


def in_order(document: Document) -> Document:
    """The document with its notes counted from one in the order of the text, as an office program counts footnotes."""
    places = note_places(document)
    if all(number == place for number, place in places.items()):
        return document
    notes = sorted(
        (Note(places[note.number], note.text) for note in document.notes), key=lambda note: note.number
    )
    return replace(document, blocks=tuple(with_notes(b, places) for b in document.blocks), notes=tuple(notes))


def with_notes(block: Block, numbers: Mapping[int, int]) -> Block:
    """The block with other numbers for its notes; a note without one goes."""

    def renumbered(given: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(
            span if span.note is None else replace(span, note=numbers.get(span.note)) for span in given
        )

    match block:
        case Paragraph():
            return replace(block, spans=renumbered(block.spans))
        case List():
            return replace(block, items=tuple(Item(renumbered(item.spans)) for item in block.items))
        case Form():
            return replace(block, entries=tuple(replace(e, spans=renumbered(e.spans)) for e in block.entries))
        case _:
            return block
