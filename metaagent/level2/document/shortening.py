"""A shorter document, or a shorter part of one: what comes first stays, figures stay as they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from math import ceil

from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, fill, with_computed
from metaagent.documents.model import Block, Document, Form, Heading, List, Paragraph, Span, text_of
from metaagent.documents.templates import Loaded
from metaagent.language.particles import Language
from metaagent.level2.document.document_sections import part_of, tidied, values_of
from metaagent.plugin import Failed, Text

_SENTENCE = re.compile(r"(?<=[.!?。])\s+")
_ALREADY_SHORT = Text(en="{what} has one sentence already.", ko="{what}은(는) 이미 한 문장입니다.")
_NO_SENTENCES = Text(
    en="{what} has no sentences that could be made shorter. It can be taken out.",
    ko="{what}에는 줄일 문장이 없습니다. 항목을 빼는 것은 할 수 있습니다.",
)
SHORTENED = Text(en="made shorter: {what}", ko="{what}: 더 짧게 줄였습니다")


def shorter(
    document: Document,
    heading: Heading | None,
    loaded: Loaded,
    today: date | None,
    language: Language,
    count: int | None,
) -> Document:
    """Keep what comes first: so many sentences, else about half of them; where a part has none, the texts of its form."""
    blocks = part_of(document, heading)
    texts = [block for block in blocks if isinstance(block, Paragraph | List)]
    what = heading.text if heading else document.title
    sentences = sum(_length(block) for block in texts)
    if not texts or (heading is None and sentences < LEAST_SENTENCES):
        made = _with_shorter_values(document, blocks, loaded, today, count)
        if made is None:
            raise Failed((_ALREADY_SHORT if texts else _NO_SENTENCES).say(language, what=what))
        return made
    if sentences < 2 or (count is not None and sentences <= count):
        raise Failed(_ALREADY_SHORT.say(language, what=what))
    made = _first_of(texts, count) if count else _halved(texts)
    kept = tuple(made.get(block.id, block) for block in document.blocks)
    left = replace(document, blocks=tuple(block for block in kept if block is not None))
    return tidied(left)


def _first_of(texts: Sequence[Paragraph | List], count: int) -> dict[str, Block | None]:
    made: dict[str, Block | None] = {}
    for block in texts:
        made[block.id] = _first(block, count)
        count -= _length(block)
    return made


def _halved(texts: Sequence[Paragraph | List]) -> dict[str, Block | None]:
    """The blocks that lose something, so that about half is left: sentences from the end, items only where there are none. A
    second paragraph is touched only where the last one gives less than half of what is to go."""
    paragraphs = [block for block in texts if isinstance(block, Paragraph)]
    cut = paragraphs if sum(map(_length, paragraphs)) > 1 else texts
    wanted, gone = sum(map(_length, cut)) // 2, 0
    made: dict[str, Block | None] = {}
    for block in reversed(cut):
        taken = min(_length(block), wanted - gone)
        made[block.id] = _first(block, _length(block) - taken)
        gone += taken
        if 2 * gone >= wanted:
            break
    return made


def _length(block: Paragraph | List) -> int:
    return len(_SENTENCE.split(block.text)) if isinstance(block, Paragraph) else len(block.items)


def _first(block: Paragraph | List, count: int) -> Block | None:
    if count <= 0:
        return None
    if isinstance(block, List):
        return List(block.id, block.items[:count], block.ordered)
    kept = len(" ".join(_SENTENCE.split(block.text)[:count]))
    spans: list[Span] = []
    for span in block.spans:
        room = kept - len(text_of(spans))
        if room > 0:
            spans.append(replace(span, text=span.text[:room]))
    return Paragraph(block.id, tuple(spans))


LEAST_SENTENCES = 2
_PIECES = re.compile(
    r"(;\s*|,(?!\d)\s*(?:and\s)?|\s(?:and|및|그리고)\s|(?<=[가-힣])(?:이랑|하고)\s)", re.IGNORECASE
)
_MINOR = re.compile(
    r"\s?\([^()]*\)|(?:약\s)?\d+\s?(?:분|시간)(?:가량|정도|간|동안)?\s|(?<![가-힣])(?:자세히|상세히|상세하게|자세하게|간단히|간략히|잠깐|충분히"
    r"|매우|아주|특히|추가로|함께|직접|다시|주로|새로운)\s|^\S*(?:님께서는|님께서|님은|님이)\s"
    r"|\s(?:in detail|at length|briefly|at some length|for (?:about |some )?\d+ (?:minutes|hours))"
    r"|\b(?:very|really|quite|also|detailed|various)\s",
    re.IGNORECASE,
)
"""Words that a shorter text does without: how long, how much, how thoroughly."""


def _with_shorter_values(
    document: Document, blocks: Sequence[Block], loaded: Loaded, today: date | None, count: int | None
) -> Document | None:
    """The document with shorter texts in the forms of a part; None where none of them can be shorter."""
    shown = [
        entry.spans[0].field
        for block in blocks
        if isinstance(block, Form)
        for entry in block.entries
        if entry.spans
    ]
    before = values_of(document)
    given = {
        name: replace(before[name], value=made)
        for name in dict.fromkeys(shown)
        if name in before and (made := _shorter_text(name, before, loaded, count)) is not None
    }
    if not given:
        return None
    after = with_computed(loaded.template, before | given, today, document.language)
    made = fill(
        Filling(
            loaded,
            document.language,
            document_id=document.document_id,
            values=after,
            materials=(),
            kept=document,
        )
    )
    return replace(made, title=document.title)


def _shorter_text(name: str, before: Mapping[str, Value], loaded: Loaded, count: int | None) -> str | None:
    """The first items of a text that somebody told, else the text without its minor words."""
    spec, value = loaded.template.fields[name], before[name]
    free = spec.type == "text" and not spec.titles and not spec.endings
    if not free or value.source not in ("question", "answer") or not isinstance(value.value, str):
        return None
    pieces = _PIECES.split(value.value)
    number = (len(pieces) + 1) // 2
    if number > 1:
        kept = min(count, number) if count else ceil(number / 2)
        made = "".join(pieces[: 2 * min(kept, number - 1) - 1])
    else:
        made = re.sub(r"\s+", " ", _MINOR.sub(" ", value.value)).strip()
    return made if made and made != value.value else None
