"""Parts of a document: which one a request means, and what is left when one changes. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from metaagent.documents.fields import Value
from metaagent.documents.model import Block, Document, Heading, spans
from metaagent.language.particles import Language
from metaagent.plugin import Failed, Text

NUMBERED = re.compile(
    r"(\d{1,2})\s*(?:번|째|절|장|항)|제\s?(\d{1,2})\s?(?:항|절|장)|(?:item|section|part|point|no\.?)\s*(\d{1,2})",
    re.IGNORECASE,
)
_ORDINALS = {
    "첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
}  # fmt: skip
_ORDINAL = re.compile(r"(첫|두|세|네|다섯|여섯)\s?번?째|\b(first|second|third|fourth|fifth)\b", re.IGNORECASE)
_NO_PART = Text(
    en="The document has no part {number}: it has {known}.",
    ko="문서에 {number}번 항목이 없습니다. 있는 항목: {known}.",
)


def part_asked(document: Document, question: str, language: Language) -> Heading | None:
    """The heading of the part that the request names by number or by title."""
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    asked = question.lower()
    named = [
        h
        for h in headings
        if (title := h.text.partition(". ")[2].lower()) and len(title) > 1 and title in asked
    ]
    found = NUMBERED.search(question)
    ordinal = _ORDINAL.search(question)
    if found is None and ordinal is None:
        return named[0] if named else None
    if found is not None:
        number = int(next(each for each in found.groups() if each))
    else:
        assert ordinal is not None
        number = _ORDINALS[(ordinal[1] or ordinal[2]).lower()]
    if not 1 <= number <= len(headings):
        known = ", ".join(heading.text for heading in headings) or "-"
        raise Failed(_NO_PART.say(language, number=number, known=known))
    return headings[number - 1]


def part_of(document: Document, heading: Heading | None) -> list[Block]:
    """The blocks below a heading, up to the next of its level; the whole body without one."""
    if heading is None:
        return list(document.blocks)
    blocks = list(document.blocks)
    start = blocks.index(heading) + 1
    end = start
    while end < len(blocks):
        block = blocks[end]
        if isinstance(block, Heading) and block.level <= heading.level:
            break
        end += 1
    return blocks[start:end]


def tidied(document: Document) -> Document:
    """Leave out notes that nothing refers to and fields that are no longer open."""
    used = {span.note for span in spans(document)}
    is_open = {span.field for span in spans(document) if span.open}
    return replace(
        document,
        notes=tuple(note for note in document.notes if note.number in used),
        open_fields=tuple(each for each in document.open_fields if each.name in is_open),
    )


def values_of(document: Document) -> dict[str, Value]:
    return {
        name: Value(each.get("value"), str(each.get("source", ""))) for name, each in document.fields.items()
    }


def counted(blocks: list[Block]) -> list[Block]:
    """Headings numbered from one again."""
    number = 0
    made: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading) and re.match(r"\d+\. ", block.text):
            number += 1
            made.append(replace(block, text=f"{number}. {block.text.partition('. ')[2]}"))
        else:
            made.append(block)
    return made
