"""Chunks: the pieces of a document that are searched and cited, cut along its structure.

A chunk never crosses a heading, an article, a page or a sheet. `extracted.text[chunk.start:chunk.end] == chunk.text` always
holds; the head of a long table, which each of its chunks needs, is in `head` and is searched with the text (`searched`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from metaagent.knowledge import articles
from metaagent.knowledge.articles import Article
from metaagent.knowledge.bilingual_names import both_languages
from metaagent.knowledge.extracted import CELL_GAP, Block, Extracted, language_of, one_line
from metaagent.language.patterns import regex

LONGEST = 1_000
"""The most characters of a chunk. A single table row may be longer, up to `LONGEST_ROW`."""
LONGEST_ROW = 4_000
_SENTENCE_END = regex(r"(?<=[.!?。])\s+|(?<=다\.)(?=\S)|\n")
_MOST_ALIASES = 24
_LAW = regex(r"(?:법률|법|규정|규약|시행령|시행규칙|지침|Act|Code|Policy)$")


@dataclass(frozen=True)
class Chunk:
    """A piece of a document with its place."""

    number: int
    text: str
    start: int
    end: int
    heading: tuple[str, ...]
    page: int | None = None
    sheet: str | None = None
    article: str | None = None
    """The article in which the chunk begins, in the form of its language: 제47조의2제1항, Article 47-2(1)."""
    row: int | None = None
    """The number of its first row, if the chunk is (part of) a table."""
    row_starts: tuple[int, ...] = ()
    """Offsets into the whole text of the rows from `row` on."""
    head: str = ""
    """The head of the table, where it stands before the chunk and not in it."""
    aliases: tuple[str, ...] = ()
    language: str = "ko"
    sha256: str = ""

    @property
    def searched(self) -> str:
        """The text with the head that belongs to it: for the index and for reading, not for offsets."""
        return f"{self.head}\n{self.text}" if self.head else self.text

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Chunk:
        given: dict[str, Any] = dict(data)
        for name in ("heading", "row_starts", "aliases"):
            given[name] = tuple(data[name])
        return cls(**given)


def place(chunk: Chunk, at: int | None = None) -> dict[str, Any]:
    """The place that a citation shows: of the chunk, or of one offset in it (`at`, into the whole text)."""
    at = chunk.start if at is None else at
    found: dict[str, Any] = {"heading": " > ".join(chunk.heading)}
    if chunk.page is not None:
        found["page"] = chunk.page
    if chunk.sheet is not None:
        found["sheet"] = chunk.sheet
    if article := article_at(chunk, at):
        found["article"] = article.written(chunk.language)
    if (row := row_at(chunk, at)) is not None:
        found["row"] = row
    return found


def article_at(chunk: Chunk, at: int) -> Article | None:
    """The article, paragraph and item in which an offset of the chunk stands."""
    article = articles.parse(chunk.article) if chunk.article else None
    if article is None:
        return None
    passed = chunk.text[: max(at - chunk.start, 0)].count("\n") + 1
    begun = False
    for line in chunk.text.split("\n")[:passed]:
        moved = articles.advanced(article, line)
        # The place where the chunk begins is known: the mark that says so must not count a second time.
        if moved is not article and (begun or _differs(article, moved)):
            article = moved
        begun = begun or articles.is_marked(line)
    return article


def _differs(one: Article, other: Article) -> bool:
    return (one.paragraph, one.item, one.subitem) != (other.paragraph, other.item, other.subitem)


def row_at(chunk: Chunk, at: int) -> int | None:
    """The number of the table row in which an offset of the chunk stands."""
    if chunk.row is None:
        return None
    row: int | None = None
    for number, start in enumerate(chunk.row_starts, chunk.row):
        line_end = chunk.text.find("\n", start - chunk.start)
        if start <= at and (line_end < 0 or at <= chunk.start + line_end):
            row = number
    return row if row is not None or at >= chunk.row_starts[0] else chunk.row


def chunked(extracted: Extracted, *, title: str) -> list[Chunk]:
    """The chunks of a document in order. `title` is the name under which the document is kept."""
    title = one_line(title)
    names = tuple(dict.fromkeys((*extracted.aliases, *both_languages(title))))
    drafts = _packed(_units(extracted))
    return [_chunk(number, draft, extracted.text, title, names) for number, draft in enumerate(drafts, 1)]


@dataclass
class _Unit:
    """A piece that is not cut further: a heading, a paragraph, some lines of a list, some rows of a table."""

    kind: str
    start: int
    end: int
    heading: tuple[str, ...]
    block: Block
    article: Article | None
    rows: range | None = None


class _Outline:
    """Follows headings and articles from block to block."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []
        self._reader = articles.Reader()
        self._article_level = 0

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._stack)

    @property
    def article(self) -> Article | None:
        return self._reader.article

    def heading(self, block: Block) -> None:
        text = one_line(block.text)
        level = block.level or 6
        begins = self._reader.line(text, heading=True)
        if begins:
            self._article_level = level
        elif self._reader.article and level <= self._article_level:
            self._reader.leave()
        self._push(level, self._reader.corrected(text) if begins else text)

    def line(self, text: str) -> bool:
        """Take a line of running text. An article or 부칙 that begins there becomes the last heading."""
        begins = self._reader.line(text, heading=False)
        if begins:
            article = self._reader.article
            self._push(
                90 if article is None else 91, one_line(text)[:80] if article is None else _title_of(text)
            )
        return begins

    def _push(self, level: int, text: str) -> None:
        while self._stack and self._stack[-1][0] >= level:
            self._stack.pop()
        self._stack.append((level, text[:200]))


def _title_of(line: str) -> str:
    """`제1조 (시행일)` of `제1조 (시행일) 이 법은 …`."""
    closed = re.match(r"[^()]{1,30}\([^()]{1,100}\)", line)
    return one_line(closed[0] if closed else line.split("  ")[0])[:80]


def _units(extracted: Extracted) -> Iterator[_Unit]:
    outline = _Outline()
    for block in extracted.blocks:
        if block.kind == "heading":
            outline.heading(block)
            yield _Unit(
                "heading",
                block.start,
                end=block.end,
                heading=outline.path,
                block=block,
                article=outline.article,
            )
        elif block.kind == "table":
            yield from _table_units(block, outline)
        else:
            yield from _text_units(block, outline)


def _table_units(block: Block, outline: _Outline) -> Iterator[_Unit]:
    """The rows of a table in groups that fit, each with room for the head that it needs."""
    head_length = sum(len(CELL_GAP.join(row)) + 1 for row in block.rows[: block.head])
    ends = [start - 1 for start in block.row_starts[1:]] + [block.end]
    first = 0
    while first < len(block.rows):
        room = LONGEST if first == 0 else max(LONGEST - head_length, LONGEST // 2)
        last = first
        while last + 1 < len(block.rows) and ends[last + 1] - block.row_starts[first] <= room:
            last += 1
        last = max(last, min(block.head, len(block.rows) - 1)) if first == 0 else last
        start, end = block.row_starts[first], ends[last]
        for cut, cut_end in _cut(block.text, start - block.start, end - block.start, LONGEST_ROW):
            yield _Unit(
                "table",
                block.start + cut,
                end=block.start + cut_end,
                heading=outline.path,
                block=block,
                article=outline.article,
                rows=range(first, last + 1),
            )
        first = last + 1


def _text_units(block: Block, outline: _Outline) -> Iterator[_Unit]:
    """The lines of a block. Lines stay together as long as they belong to one article and fit."""
    at = block.start
    held: _Unit | None = None
    for line in block.text.split("\n"):
        before = outline.path
        begins = outline.line(line) if block.kind != "code" else False
        end = at + len(line)
        if held and not begins and end - held.start <= LONGEST and outline.path == before:
            held.end = end
        else:
            if held:
                yield from _fitting(held, block)
            alone = begins and outline.article is None  # 부칙 is a heading, however it is set
            held = _Unit(
                "heading" if alone else block.kind,
                at,
                end=end,
                heading=outline.path,
                block=block,
                article=outline.article,
            )
        at = end + 1
    if held:
        yield from _fitting(held, block)


def _fitting(unit: _Unit, block: Block) -> Iterator[_Unit]:
    for start, end in _cut(block.text, unit.start - block.start, unit.end - block.start, LONGEST):
        yield _Unit(
            unit.kind,
            block.start + start,
            end=block.start + end,
            heading=unit.heading,
            block=block,
            article=unit.article,
        )


def _cut(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Cut a stretch of text at ends of sentences, else at spaces, else anywhere, so that no piece is too long."""
    while end - start > longest:
        window = text[start : start + longest]
        ends = [match.end() for match in _SENTENCE_END.finditer(window) if match.end() > longest // 3]
        length = ends[-1] if ends else window.rfind(" ") + 1
        length = length if length > longest // 3 else longest
        stop = start + len(text[start : start + length].rstrip())
        if stop > start:
            yield start, stop
        start += length
    if text[start:end].strip():
        yield start, end


def _packed(units: Iterator[_Unit]) -> Iterator[list[_Unit]]:
    """Neighbours that belong together, as long as they fit. Headings go with what follows them."""
    held: list[_Unit] = []
    for unit in units:
        if held and not _joins(held, unit):
            kept = _dangling(held) if unit.kind != "heading" or _above(held[-1], unit) else []
            if len(held) > len(kept):
                yield held[: len(held) - len(kept)]
            held = kept
            if held and not _fits(held, unit):
                yield held
                held = []
        held.append(unit)
    if held:
        yield held


def _dangling(held: Sequence[_Unit]) -> list[_Unit]:
    """Headings at the end of a chunk, without any text under them yet."""
    count = 0
    while count < len(held) and held[-1 - count].kind == "heading":
        count += 1
    return list(held[len(held) - count :])


def _above(heading: _Unit, unit: _Unit) -> bool:
    return heading.kind == "heading" and unit.heading[: len(heading.heading)] == heading.heading


def _joins(held: Sequence[_Unit], unit: _Unit) -> bool:
    last = held[-1]
    if not _fits(held, unit):
        return False
    if unit.kind == "heading":
        return all(one.kind == "heading" for one in held) and _above(last, unit)
    if last.kind == "heading":
        return unit.heading[: len(last.heading)] == last.heading
    if unit.heading != last.heading or _base(unit) != _base(last):
        return False
    tables = any(one.kind == "table" for one in held)
    return not tables or unit.kind == "footnote"


def _fits(held: Sequence[_Unit], unit: _Unit) -> bool:
    first = held[0]
    if (first.block.page, first.block.sheet) != (unit.block.page, unit.block.sheet):
        return False
    return unit.end - first.start <= LONGEST


def _base(unit: _Unit) -> Article | None:
    return unit.article.base() if unit.article else None


def _chunk(number: int, draft: Sequence[_Unit], whole: str, title: str, names: Sequence[str]) -> Chunk:
    first, last = draft[0], draft[-1]
    text = whole[first.start : last.end]
    language = language_of(text)
    table = next((unit for unit in draft if unit.rows is not None), None)
    row, starts, head = _rows_of(table) if table else (None, (), "")
    body = next((unit for unit in draft if unit.kind != "heading"), last)
    path = last.heading[1:] if last.heading[:1] == (title,) else last.heading
    return Chunk(
        number=number,
        text=text,
        start=first.start,
        end=last.end,
        heading=path or (title,),
        page=first.block.page,
        sheet=first.block.sheet,
        article=body.article.written(language) if body.article else None,
        row=row,
        row_starts=starts,
        head=head,
        aliases=_aliases(body.article, title, path, names),
        language=language,
        sha256=sha256(text.encode()).hexdigest(),
    )


def _rows_of(unit: _Unit) -> tuple[int, tuple[int, ...], str]:
    """The first data row of a unit, the offsets of its rows from there on, and the head if it stands elsewhere."""
    block, rows = unit.block, unit.rows or range(0)
    first = max(rows.start, min(block.head, rows.stop - 1))
    starts = tuple(start for start in block.row_starts[first : rows.stop] if start < unit.end)
    head = "\n".join(CELL_GAP.join(row) for row in block.rows[: block.head])
    in_chunk = rows.start == 0 and unit.start == block.start
    return block.first_row + first, starts or (unit.start,), "" if in_chunk else head[:LONGEST]


def _aliases(
    article: Article | None, title: str, heading: Sequence[str], names: Sequence[str]
) -> tuple[str, ...]:
    found: list[str] = []
    if article:
        law = article.law or (title if _LAW.search(title) else "")
        found += replace(article, law=law).aliases()
    for text in heading:
        found += both_languages(text)
    return tuple(dict.fromkeys([*found, *names]))[:_MOST_ALIASES]


def searched_text(chunk: Mapping[str, Any]) -> str:
    """The words that find a stored chunk: its title, headings and aliases as well as its text."""
    named = [chunk["title"], *chunk["heading"], *chunk["aliases"], chunk.get("head")]
    return "\n".join([*map(str, filter(None, named)), str(chunk["text"])])
