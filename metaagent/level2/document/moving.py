"""Parts of a document in another order: "put the table first", "2번 항목을 맨 뒤로". Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from metaagent.documents.model import Block, Chart, Document, Heading, Table
from metaagent.language.particles import Language
from metaagent.level2.document.document_sections import counted, part_asked, part_of

_FIRST = re.compile(
    r"(?:맨|가장|제일)\s?(?:앞|위)|(?:처음|앞)(?:으로|에)\s?(?:옮|두|놓|배치|보내|빼|넣)"
    r"|\b(?:put|move|place|show|bring)\b.{1,60}\b(?:first|(?:to|at) the (?:top|start|beginning|front))\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?:맨|가장|제일)\s?(?:뒤|끝|아래)(?:으로|에)?\s?(?:옮|두|놓|배치|보내|빼)|(?:마지막|뒤)(?:으로|에)\s?(?:옮|두|놓|배치|보내|빼)"
    r"|\b(?:put|move|place|show|bring)\b.{1,60}\b(?:last|(?:to|at) the (?:end|bottom|back))\b",
    re.IGNORECASE,
)
KINDS: tuple[tuple[re.Pattern[str], type[Block]], ...] = (
    (
        re.compile(r"(?<![가-힣])(?:표|테이블)(?=[들은는을를도만와과\s,]|이랑)|\btables?\b", re.IGNORECASE),
        Table,
    ),
    (re.compile(r"그래프|차트|도표|그림|\b(?:charts?|graphs?|figures?|plots?)\b", re.IGNORECASE), Chart),
)
"""Parts that are named by what they are."""


def moved(document: Document, question: str, language: Language) -> tuple[Document, str] | None:
    """The document with the part that is named first or last, and its name; None where the request moves nothing."""
    first, last = _FIRST.search(question), _LAST.search(question)
    if first is None and last is None:
        return None
    kind = next((kind for words, kind in KINDS if words.search(question)), None)
    part = _holding(document, kind) if kind is not None else None
    part = part or part_asked(document, _without_place(question), language)
    if part is None:
        return None
    own: list[Block] = [part, *_sorted(part_of(document, part), kind, first is not None)]
    ids = {block.id for block in own}
    others = [block for block in document.blocks if block.id not in ids]
    blocks = [*own, *others] if first is not None else [*others, *own]
    made = replace(document, blocks=tuple(counted(blocks)))
    return None if made.blocks == document.blocks else (made, part.text.partition(". ")[2] or part.text)


def _holding(document: Document, kind: type[Block]) -> Heading | None:
    """The heading of the first part with such a block."""
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    return next((h for h in headings if any(isinstance(each, kind) for each in part_of(document, h))), None)


def _sorted(blocks: list[Block], kind: type[Block] | None, first: bool) -> list[Block]:
    if kind is None:
        return blocks
    return sorted(blocks, key=lambda block: isinstance(block, kind) != first)


def _without_place(question: str) -> str:
    """The request without the words that say where to: 'first' is no number of a part there."""
    return re.sub(r"\b(?:first|last)\s*[.!]*$", "", question, flags=re.IGNORECASE)
