"""Sentences of a chunk, each with the place where it stands in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

CELL_GAP = " | "
LONGEST = 600
"""Characters of a sentence that are shown; a text without full stops is cut between words."""
_END = re.compile(r"(?<=[.!?。])[\"'”’)\]]?\s+(?=\S)")
_NO_END = re.compile(
    r"(?:(?:^|\s)(?:\d{1,3}|[가-하a-zA-Z])|\b(?:art|arts|no|sec|mr|ms|dr|e\.g|i\.e|vs|cf|etc|제\d+))\.$",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:[-*•·○▪]|\(?\d{1,2}[.)]|[①-⑳]|\(?[가-하][.)])\s+")


@dataclass(frozen=True)
class Sentence:
    """One sentence, list item or table row. `text` stands in the chunk from `start`; `shown` is how it is said."""

    text: str
    start: int
    shown: str
    row: bool = False
    opens_list: bool = False
    """It announces what follows: the list below belongs to it."""
    item: bool = False


def sentences(text: str, head_text: str = "") -> list[Sentence]:
    """Cut a chunk into sentences. Rows of a table are said with the names of their columns, which stand in the row above
    them or, for the later chunks of a long table, in `head_text`."""
    found: list[Sentence] = []
    given = [_cells(line) for line in head_text.split("\n") if CELL_GAP in line]
    head: list[str] | None = given[-1] if given else None
    at = 0
    for line in text.split("\n"):
        if CELL_GAP in line:
            cells = _cells(line)
            if head is None or len(head) != len(cells):
                head = cells
            else:
                named = [(name, cell) for name, cell in zip(head, cells, strict=True) if cell]
                row = " · ".join(f"{name}: {cell}" if name and name != cell else cell for name, cell in named)
                found.append(Sentence(line, at, row, row=True))
        else:
            head = None if line.strip() else head
            found += _in_line(line, at)
        at += len(line) + 1
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(CELL_GAP)]


def _in_line(line: str, at: int) -> Iterator[Sentence]:
    if line.lstrip().startswith("#"):
        return
    start = 0
    ends = [match.end() for match in _END.finditer(line) if not _NO_END.search(line[: match.start()])]
    for end in [*ends, len(line)]:
        piece = line[start:end]
        body = piece.strip()
        if body:
            begin = start + piece.index(body)
            item = bool(_MARK.match(body)) and start == 0
            yield from _cut(body, at + begin, item=item)
        start = end


def _cut(body: str, at: int, *, item: bool) -> Iterator[Sentence]:
    while len(body) > LONGEST:
        space = body.rfind(" ", LONGEST // 2, LONGEST)
        cut = space if space > 0 else LONGEST
        piece = body[:cut].rstrip()
        yield Sentence(piece, at, piece, item=item)
        rest = body[cut:].lstrip()
        at += len(body) - len(rest)
        body = rest
    if body:
        opens = body.endswith(":") or "다음 각" in body or "다음과 같" in body
        yield Sentence(body, at, _MARK.sub("", body), opens_list=opens, item=item)
