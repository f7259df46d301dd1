"""Text that was read out of a file, and the blocks that it consists of.

Every block says where it stands in the text: `extracted.text[block.start:block.end] == block.text`. A table stands there as one
line a row, with its cells separated by ` | `. Chunks and citations keep offsets into this text, so it is stored beside them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from metaagent.errors import FileRefused, Text
from metaagent.language.patterns import regex
from metaagent.values import distinct

Kind = Literal["heading", "paragraph", "list", "table", "footnote", "code", "picture"]

CELL_GAP = " | "
BLOCK_GAP = "\n\n"
MAX_CHARACTERS = 10_000_000
"""The longest text that is taken from one file. A longer one is cut, and a warning says so."""

_UNSEEN = regex(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
_NEWLINE = regex("\r\n?|\x85|\u2028|\u2029|\x0b|\x0c")
_HANGUL = regex("[가-힣ㄱ-ㆎ]")
_LATIN = regex("[A-Za-z]")


@dataclass(frozen=True)
class Block:
    """One piece of a document: a heading, a paragraph, a table. A list is one block a list, one line an item."""

    kind: Kind
    text: str
    start: int
    end: int
    level: int = 0
    page: int | None = None
    sheet: str | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    head: int = 0
    """The number of rows at the top of a table that name its columns."""
    row_starts: tuple[int, ...] = ()
    """Offsets into the whole text at which the rows of a table begin."""
    first_row: int = 1
    """The number of the first row as a person counts it: the row of a sheet, or 1 in a table of a document."""


@dataclass(frozen=True)
class Extracted:
    """The text of one file with its blocks, in reading order."""

    title: str
    media_type: str
    language: str
    text: str
    blocks: tuple[Block, ...]
    warnings: tuple[Text, ...] = ()
    """Remarks on what was not read: a page that is only a picture, macros, rows beyond the limit."""
    valid_from: str | None = None
    valid_to: str | None = None
    aliases: tuple[str, ...] = ()
    """Other names of the document, as it gives them itself."""

    def only_table(self) -> list[dict[str, str]]:
        """The rows of the table that a file consists of; none where it says anything else, was not read to its end, or its
        columns have no names."""
        blocks = [block for block in self.blocks if block.kind != "heading"]
        if self.warnings or len(blocks) != 1 or blocks[0].kind != "table" or not blocks[0].head:
            return []
        columns, *rows = blocks[0].rows[blocks[0].head - 1 :]
        names = distinct(columns)
        return [dict(zip(names, row, strict=False)) for row in rows]

    def as_json(self) -> dict[str, Any]:
        """The whole value as plain data. Texts of blocks are left out, as offsets give them back."""
        data = {name: getattr(self, name) for name in ("title", "media_type", "language", "text")}
        return data | {
            "blocks": [_plain(block) for block in self.blocks],
            "warnings": [{"en": warning.en, "ko": warning.ko} for warning in self.warnings],
            "valid_from": self.valid_from,
            "valid_to": self.valid_to,
            "aliases": list(self.aliases),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Extracted:
        text: str = data["text"]
        return cls(
            title=data["title"],
            media_type=data["media_type"],
            language=data["language"],
            text=text,
            blocks=tuple(_block(text, block) for block in data["blocks"]),
            warnings=tuple(Text(**warning) for warning in data["warnings"]),
            valid_from=data["valid_from"],
            valid_to=data["valid_to"],
            aliases=tuple(data["aliases"]),
        )


def _plain(block: Block) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": block.kind, "start": block.start, "end": block.end, "level": block.level}
    if block.page is not None:
        data["page"] = block.page
    if block.sheet is not None:
        data["sheet"] = block.sheet
    if block.kind == "table":
        data |= {"rows": [list(row) for row in block.rows], "head": block.head}
        data |= {"row_starts": list(block.row_starts), "first_row": block.first_row}
    return data


def _block(text: str, data: Mapping[str, Any]) -> Block:
    given = dict(data)
    given["rows"] = tuple(tuple(row) for row in cast("list[list[str]]", data.get("rows", ())))
    given["row_starts"] = tuple(data.get("row_starts", ()))
    return Block(text=text[data["start"] : data["end"]], **given)


@dataclass(frozen=True)
class Parsed:
    """The title and the fields that a parser found beside the blocks."""

    title: str = ""
    front: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The fields that the document gives at its top, by name."""


class BlockWriter:
    """Collects blocks while a parser walks through a file, and knows the offset of each."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.warnings: list[Text] = []
        self._parts: list[str] = []
        self._length = 0
        self.full = False
        """True once the limit of characters is reached: nothing more is taken, and a parser may stop."""

    def add(
        self, kind: Kind, text: str, *, level: int = 0, page: int | None = None, sheet: str | None = None
    ) -> None:
        """Add a block. Empty text adds nothing."""
        text = self._room_for(text.strip("\n "))
        if text:
            start = self._append(text)
            self.blocks.append(
                Block(kind, text, start=start, end=start + len(text), level=level, page=page, sheet=sheet)
            )

    def add_table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        head: int = 1,
        page: int | None = None,
        sheet: str | None = None,
        first_row: int = 1,
    ) -> None:
        """Add a table: one line a row. Rows without any text at its end and columns without any text are left out."""
        cells = trimmed_table([[one_line(cell) for cell in row] for row in rows])
        lines = [CELL_GAP.join(row) for row in cells]
        whole = "\n".join(lines)
        text = self._room_for(whole)
        if len(text) < len(whole):  # the last row that fits as a whole is the last
            lines = lines[: text.count("\n")]
            cells, text = cells[: len(lines)], "\n".join(lines)
        if not cells:
            return
        start = self._append(text)
        starts: list[int] = []
        at = start
        for line in lines:
            starts.append(at)
            at += len(line) + 1
        kept = tuple(tuple(row) for row in cells)
        head = min(head, len(kept) - 1)
        end = start + len(text)
        self.blocks.append(
            Block(
                "table",
                text,
                start=start,
                end=end,
                level=0,
                page=page,
                sheet=sheet,
                rows=kept,
                head=head,
                row_starts=tuple(starts),
                first_row=first_row,
            )
        )

    def warn(self, text: Text, **params: object) -> None:
        filled = text.fixed(**params)
        if filled not in self.warnings:
            self.warnings.append(filled)

    def within_limit(self, text: str) -> str:
        """Cut a whole document that is longer than what is taken, before it is parsed."""
        if len(text) > MAX_CHARACTERS:
            self.warn(_CUT, limit=f"{MAX_CHARACTERS:,}")
        return text[:MAX_CHARACTERS]

    def _room_for(self, text: str) -> str:
        """The part of a text that still fits."""
        room = MAX_CHARACTERS - self._length
        if self.full or len(text) > room:
            self.full = True
            self.warn(_CUT, limit=f"{MAX_CHARACTERS:,}")
            return text[: max(room, 0)].rstrip()
        return text

    def _append(self, text: str) -> int:
        if self._parts:
            self._parts.append(BLOCK_GAP)
            self._length += len(BLOCK_GAP)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start

    def extracted(
        self,
        *,
        title: str,
        media_type: str,
        valid: tuple[str | None, str | None] = (None, None),
        aliases: Iterable[str] = (),
    ) -> Extracted:
        """The finished value."""
        text = "".join(self._parts)
        return Extracted(
            title=one_line(title),
            media_type=media_type,
            language=language_of(text),
            text=text,
            blocks=tuple(self.blocks),
            warnings=tuple(self.warnings),
            valid_from=valid[0],
            valid_to=valid[1],
            aliases=tuple(dict.fromkeys(aliases)),
        )


def trimmed_table(rows: list[list[str]]) -> list[list[str]]:
    """The rows as wide as each other, without empty columns and without empty rows at the end."""
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((len(row) for row in rows), default=0)
    full = [row + [""] * (width - len(row)) for row in rows]
    used = [column for column in range(width) if any(row[column] for row in full)]
    return [[row[column] for column in used] for row in full]


def clean(text: str) -> str:
    """Text as it is kept: composed Hangul (NFC), `\\n` as the one line end, no characters that a reader cannot see."""
    text = _NEWLINE.sub("\n", text)
    text = _UNSEEN.sub("", text).replace("\xa0", " ").replace("\t", " ")
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    return " ".join(text.split())


def language_of(text: str) -> str:
    """`ko` or `en`: Korean texts are full of Latin names and units, so a quarter of Hangul letters is enough."""
    sample = text[:200_000]
    hangul = len(_HANGUL.findall(sample))
    return "ko" if hangul and hangul * 3 >= len(_LATIN.findall(sample)) else "en"


def refused(name: str, text: Text, **params: object) -> FileRefused:
    """An error about one file. Its name is shown on one line, as file names may hold anything."""
    return FileRefused(text, name=shown_name(name), **params)


def shown_name(name: str) -> str:
    """A file name that is safe to show: composed, on one line, not endless."""
    shown = one_line(clean(name)) or "?"
    return shown if len(shown) <= 120 else f"{shown[:80]}…{shown[-36:]}"


_CUT = Text(
    en="The text is longer than {limit} characters; the rest was not read.",
    ko="글이 {limit}자보다 길어 나머지는 읽지 않았습니다.",
)
