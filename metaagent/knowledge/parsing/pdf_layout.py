"""The layout of a PDF page: lines with their boxes in, text in reading order out. Pure geometry.

Coordinates are those of PDF: x grows to the right, y upwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from metaagent.knowledge.extracted import Kind, one_line

HYPHEN = "\x02"
"""The mark at the end of a line at which a word is divided."""
_BINS = 300
_ZONE = 0.12
"""The part of a page's height, at its top and its bottom, in which running headers and footers stand."""
_DIGITS = re.compile(r"\d+")
_LEADER = re.compile(r"(?:\s?[.·…]){5,}\s*\d{1,5}\s*$")
"""The dots of a line in a table of contents, up to its page number."""
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:(?:page\s)?\d{1,5}(?:\s?(?:/|of)\s?\d{1,5})?(?:\s?(?:쪽|페이지))?|[ivxlc]{1,7})[-–—\s]*",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?:[-*•◦▪‣○●■□▶※·]\s|\(?\d{1,3}[.)]\s|\(\d{1,3}\)|[가-하][.)]\s|[①-⑳]|제\s?\d{1,4}\s?(?:조|장|절|편)(?:의\s?\d{1,3})?[\s(]|\[\d{1,3}\]\s)"
)
_TITLE = re.compile(
    r"제\s?\d{1,4}\s?(?P<part>편|장|절|조)(?:의\s?\d{1,3})?(?:\s?\([^()]{1,80}\)|\s[^.]{1,40}|)\s?$"
)
_TITLE_LEVELS = {"편": 1, "장": 2, "절": 3, "조": 5}
_ENDS = re.compile(r"(?:[.!?:;。]['\")\]’”]?|[다음함임됨]\.?)(?:\[\d{1,3}\])?\s*$")


@dataclass
class Line:
    """A stretch of text on one baseline, or a table that stands there."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    page: int = 0
    rows: list[list[str]] = field(default_factory=list[list[str]])
    """The cells, if this is a table and not a line of text."""

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass
class Paragraph:
    """Lines that belong together: a heading, a paragraph, an item, a footnote, or a table."""

    kind: Kind
    text: str
    level: int = 0
    rows: list[list[str]] = field(default_factory=list[list[str]])
    across: tuple[float, float] = (0.0, 0.0)
    """The left and the right border of a table."""


@dataclass(frozen=True)
class Style:
    """Measures of a document that tell headings and footnotes from text."""

    body: float
    headings: tuple[float, ...]
    """Sizes of headings, largest first."""
    spaced: bool
    """True if lines end in a space where a word ends, so that a line without one ends within a word."""

    def level(self, size: float) -> int:
        """The level of a heading of that size; 0 for text."""
        return next((rank for rank, known in enumerate(self.headings, 1) if size >= known - 0.3), 0)


_NOTE_MARK = re.compile(r"(?:\[?\d{1,3}[\])]|\*)$")
_LEAST_TEXT = 0.15
"""The part of all letters from which a size may be that of the text."""


def style_of(lines: Iterable[Line]) -> Style:
    """The size of most letters in lines that end a sentence is the text's, or that of most letters where hardly any do: a short
    document has more letters in captions and notes. Larger ones, of short lines, are headings."""
    letters: Counter[float] = Counter()
    sentences: Counter[float] = Counter()
    short: Counter[float] = Counter()
    ends = spaces = 0
    for line in lines:
        if line.rows:
            continue
        size = round(line.size * 2) / 2
        letters[size] += len(line.text)
        sentences[size] += len(line.text) if _ENDS.search(_NOTE_MARK.sub("", line.text.rstrip())) else 0
        short[size] += len(line.text) < 100
        if line.text[-1:].isspace():
            spaces += 1
        ends += 1
    said = Counter(
        {size: sentences[size] for size in letters if letters[size] >= _LEAST_TEXT * letters.total()}
    )
    body = (said if said.total() else letters).most_common(1)[0][0] if letters else 10.0
    larger = sorted((size for size in letters if size >= body * 1.12 and short[size]), reverse=True)
    return Style(body, tuple(larger[:6]), spaces > 0 and spaces * 20 >= ends)


def without_running_lines(
    pages: Sequence[Sequence[Line]], heights: Sequence[float], style: Style
) -> list[list[Line]]:
    """The pages without headers and footers (lines near an edge that stand there on many pages), without page numbers and
    without tables of contents, which only repeat the headings."""
    seen: Counter[tuple[str, int]] = Counter()
    places: Counter[int] = Counter()
    for lines, height in zip(pages, heights, strict=True):
        for key in {_running_key(line) for line in lines if _in_zone(line, height)}:
            seen[key] += 1
        for place in {_place(line) for line in lines if _in_zone(line, height)}:
            places[place] += 1
    many = max(2, round(0.4 * len(pages)))

    def runs(line: Line, height: float) -> bool:
        if _PAGE_NUMBER.fullmatch(line.text.strip()):
            return True
        if style.level(line.size):
            return False  # a title at the top of each page is a title
        count = seen[_running_key(line)]
        return count >= many or (count >= 2 and places[_place(line)] >= 0.6 * len(pages))

    kept: list[list[Line]] = []
    for lines, height in zip(pages, heights, strict=True):
        zone = sorted((line for line in lines if _in_zone(line, height)), key=lambda line: line.bottom)
        lower = [line for line in zone if line.top < height / 2]
        upper = [line for line in reversed(zone) if line.top >= height / 2]
        dropped = [*_outermost(lower, height, runs), *_outermost(upper, height, runs)]
        kept.append(
            [line for line in lines if not (_LEADER.search(line.text) or any(line is one for one in dropped))]
        )
    return kept


def _outermost(lines: Sequence[Line], height: float, runs: Callable[[Line, float], bool]) -> Iterator[Line]:
    """Running lines from the edge of the page inwards: at most two baselines, up to the first that has other text."""
    inner = next((line.bottom for line in lines if not runs(line, height)), None)
    baselines: list[float] = []
    for line in lines:
        if inner is not None and abs(line.bottom - inner) < line.size / 2:
            return
        if not baselines or abs(line.bottom - baselines[-1]) >= line.size / 2:
            baselines.append(line.bottom)
        if len(baselines) > 2:
            return
        yield line


def _in_zone(line: Line, height: float) -> bool:
    return not line.rows and (line.bottom > height * (1 - _ZONE) or line.top < height * _ZONE)


def _place(line: Line) -> int:
    return round(line.bottom / 4)


def _running_key(line: Line) -> tuple[str, int]:
    return _DIGITS.sub("#", one_line(line.text)), _place(line)


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Columns one after the other; lines that span the columns divide the page into bands."""
    gutter = _gutter(lines)
    if gutter is None:
        return _top_down(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=lambda one: -one.top):
        if line.right <= gutter:
            left.append(line)
        elif line.left >= gutter:
            right.append(line)
        else:
            ordered += [*in_reading_order(left), *in_reading_order(right), line]
            left, right = [], []
    return [*ordered, *in_reading_order(left), *in_reading_order(right)]


def _gutter(lines: Sequence[Line]) -> float | None:
    """The x of an empty stripe between two columns of running text. Columns of a table have short, ragged lines."""
    if len(lines) < 8:
        return None
    low, high = min(line.left for line in lines), max(line.right for line in lines)
    span = high - low
    narrow = [line for line in lines if line.width < 0.6 * span]
    if span <= 0 or len(narrow) < 8:
        return None
    covered = bytearray(_BINS)
    for line in narrow:
        first, last = int((line.left - low) / span * _BINS), int((line.right - low) / span * _BINS)
        for index in range(max(first, 0), min(last + 1, _BINS)):
            covered[index] = 1
    stripe = _widest_gap(covered)
    if stripe is None:
        return None
    middle = low + (stripe[0] + stripe[1]) / 2 / _BINS * span
    sides = (
        [line for line in narrow if line.right <= middle],
        [line for line in narrow if line.left >= middle],
    )
    return middle if all(_is_running_text(side) for side in sides) else None


def _widest_gap(covered: bytearray) -> tuple[int, int] | None:
    best: tuple[int, int] | None = None
    start: int | None = None
    for index in range(_BINS // 5, _BINS * 4 // 5):
        if covered[index]:
            start = None
            continue
        start = index if start is None else start
        if index + 1 - start >= 4 and (best is None or index + 1 - start > best[1] - best[0]):
            best = (start, index + 1)
    return best


def _is_running_text(side: Sequence[Line]) -> bool:
    if len(side) < 4:
        return False
    width = max(line.right for line in side) - min(line.left for line in side)
    return median(line.width for line in side) >= 0.6 * width


def _top_down(lines: Sequence[Line]) -> list[Line]:
    """Lines from top to bottom. Pieces on one baseline become one line, or rows of a table without borders."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: (-one.top, one.left)):
        if rows and not line.rows and _on_baseline(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    ordered: list[Line] = []
    for group in _grouped(rows):
        ordered += [_borderless(group)] if len(group) > 2 and len(group[0]) > 1 else map(_joined, group)
    return ordered


def _on_baseline(one: Line, other: Line) -> bool:
    if one.rows or one.page != other.page:
        return False
    middle = (other.top + other.bottom) / 2
    return one.bottom <= middle <= one.top and abs(one.bottom - other.bottom) < 0.5 * max(one.size, 1)


def _grouped(rows: Sequence[list[Line]]) -> Iterator[list[list[Line]]]:
    """Neighbouring rows whose pieces stand below each other, together."""
    group: list[list[Line]] = []
    for pieces in rows:
        pieces.sort(key=lambda one: one.left)
        if group and not (len(pieces) > 1 and _aligned(group[-1], pieces)):
            yield group
            group = []
        group.append(pieces)
    if group:
        yield group


def _aligned(above: Sequence[Line], below: Sequence[Line]) -> bool:
    if len(above) != len(below) or above[0].bottom - below[0].bottom > 3.5 * max(below[0].size, 1):
        return False
    near = 0.8 * below[0].size
    return all(
        min(abs(a.left - b.left), abs(a.right - b.right), abs(a.left + a.right - b.left - b.right) / 2) < near
        for a, b in zip(above, below, strict=True)
    )


def _joined(pieces: Sequence[Line]) -> Line:
    if len(pieces) == 1:
        return pieces[0]
    return _spanning(pieces, " ".join(piece.text.strip() for piece in pieces))


def _borderless(group: Sequence[Sequence[Line]]) -> Line:
    flat = [piece for pieces in group for piece in pieces]
    table = _spanning(flat, "")
    table.rows = [[one_line(piece.text) for piece in pieces] for pieces in group]
    return table


def _spanning(pieces: Sequence[Line], text: str) -> Line:
    return Line(
        text,
        min(piece.left for piece in pieces),
        bottom=min(piece.bottom for piece in pieces),
        right=max(piece.right for piece in pieces),
        top=max(piece.top for piece in pieces),
        size=pieces[0].size,
        page=pieces[0].page,
    )


def paragraphs(lines: Sequence[Line], style: Style, height: float) -> list[Paragraph]:
    """The ordered lines of a page as paragraphs; footnotes go behind the paragraph that has their mark."""
    found: list[Paragraph] = []
    notes: list[Paragraph] = []
    held: list[Line] = []
    leading = _leading(lines)
    for line in lines:
        if held and not _continues(held, line, style, leading, _edge(lines, held[-1])):
            _finish(held, style, height, found, notes)
            held = []
        held.append(line)
    _finish(held, style, height, found, notes)
    for note in notes:
        mark = note.text.split(" ", 1)[0]
        at = next(
            (n for n, one in enumerate(found) if one.kind != "footnote" and mark in one.text), len(found) - 1
        )
        found.insert(at + 1, note)
    return found


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance of two baselines."""
    steps = [
        above.bottom - below.bottom
        for above, below in pairwise(lines)
        if abs(above.size - below.size) < 0.6 and 0 < above.bottom - below.bottom < 4 * above.size
    ]
    return median(steps) if steps else 0.0


def _continues(held: Sequence[Line], line: Line, style: Style, leading: float, edge: float) -> bool:
    last = held[-1]
    if last.rows or line.rows or abs(last.size - line.size) > 0.12 * max(last.size, 1):
        return False
    # A line may begin with the `다.` that ends a sentence: it counts as a mark after an end only.
    mark = _MARK.match(line.text)
    begins = bool(mark) and (line.text[0] < "가" or line.text[0] == "제" or bool(_ENDS.search(last.text)))
    if begins or _TITLE.match(last.text):
        return False
    step = last.bottom - line.bottom
    if style.level(line.size):
        return 0 < step < 2.2 * line.size and len(held) < 4
    if step <= 0:  # a new column: the sentence goes on unless it ended
        return not _ENDS.search(last.text)
    if step > max(1.35 * min(leading, 1.9 * line.size), 1.2 * line.size):
        return False
    indented = line.left - min(one.left for one in held[-3:]) > 0.8 * line.size
    short = edge - last.right > 0.15 * (edge - last.left)
    return not (_ENDS.search(last.text) and (indented or short))


def _edge(lines: Sequence[Line], line: Line) -> float:
    """The right border of the column in which a line stands."""
    return max(one.right for one in lines if abs(one.left - line.left) < 3 * line.size)


def _finish(
    held: Sequence[Line], style: Style, height: float, found: list[Paragraph], notes: list[Paragraph]
) -> None:
    if not held:
        return
    first = held[0]
    if first.rows:
        found.append(Paragraph("table", "", rows=first.rows, across=(first.left, first.right)))
        return
    text = one_line(joined_text([line.text for line in held], style.spaced).replace(HYPHEN, ""))
    if not text:
        return
    level = style.level(first.size) if len(text) < 200 else 0
    title = _TITLE.fullmatch(text) if len(held) == 1 else None
    if (
        first.size <= 0.88 * style.body
        and first.top < 0.4 * height
        and (mark := re.match(r"\[?(\d{1,3}|\*)[\]).]?\s?(?=\S)", text))
    ):
        notes.append(Paragraph("footnote", f"[{mark[1]}] {text[mark.end() :]}"))
    elif level or title:
        found.append(Paragraph("heading", text, level or (_TITLE_LEVELS[title["part"]] if title else 0)))
    elif _is_item(text) and found and found[-1].kind == "list":
        found[-1].text += "\n" + text
    else:
        found.append(Paragraph("list" if _is_item(text) else "paragraph", text))


def _is_item(text: str) -> bool:
    """Say whether a text is an item of a list. Paragraphs of an article (①) and articles are text of their own."""
    return bool(_MARK.match(text)) and text[0] not in "제①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def joined_text(lines: Sequence[str], spaced: bool) -> str:
    """Lines as running text. Between two Hangul letters stands no space if lines of this document end in one otherwise."""
    text = lines[0] if lines else ""
    for line in lines[1:]:
        stripped = text.rstrip()
        if stripped.endswith(HYPHEN) or (re.search(r"[A-Za-z]-$", stripped) and re.match(r"[a-z]", line)):
            text = stripped[:-1] + line.lstrip()
        elif (
            spaced
            and text[-1:]
            and not text[-1:].isspace()
            and _is_wide(text[-1])
            and line
            and _is_wide(line[0])
        ):
            text += line
        else:
            text = f"{stripped} {line.lstrip()}"
    return text


def _is_wide(letter: str) -> bool:
    return "가" <= letter <= "힣" or "一" <= letter <= "龥" or "ぁ" <= letter <= "ヿ"
