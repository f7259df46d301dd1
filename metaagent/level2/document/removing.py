"""Parts of a document that a request wants to be without, known by what they hold: "견본품 부분은 빼줘". Pure.

A field is meant by its name, else by a piece of its value; a sentence or an item by a word in it. Nothing else goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, fill, with_computed
from metaagent.documents.model import Block, Document, Item, List, Paragraph, Span
from metaagent.documents.templates import FieldSpec, Loaded
from metaagent.level2.document.assigning import named_places
from metaagent.level2.document.clauses import UNDECIDED
from metaagent.level2.document.items import with_their_sum

_OUT = r"(?:다\s|모두\s|전부\s|그냥\s|좀\s)?(?:빼|삭제|지워|지우|없애|제거)"
_WHAT_KO = re.compile(
    r"(?P<what>[^,.!?]{1,60}?)\s?(?:에\s?(?:대한|관한)\s|\s관련\s|의\s)?(?:(?:부분|내용|얘기|이야기|언급|문장|문구|항목|줄|칸|말)(?:들)?)?"
    rf"(?:은|는|을|를|도|만)?\s?{_OUT}"
)
_PART_EN = (
    r"(?:(?:the|any|that|all)\s)?(?:part|sentence|bit|line|paragraph|mention|passage|section|item|entry|point|bullet|words|thing|stuff)s?"
    r"\s(?:about|on|with|of|regarding|concerning|where|that (?:says|mentions|talks about))\s"
)
_WHAT_EN = re.compile(
    rf"\b(?:remove|delete|drop|take out|leave out|get rid of|cut|strike|omit)\s(?:{_PART_EN})?(?P<what>[^,.!?;]{{2,60}}?)"
    r"(?:\s(?:from|in|out of)\s(?:it|this|that|the|my)\b.*)?(?:\s(?:please|again|entirely|altogether|too))*[.!]*$"
    rf"|\b(?:take|leave|cut)\s(?:{_PART_EN})?(?P<between>[^,.!?;]{{2,60}}?)\sout\b",
    re.IGNORECASE,
)
_FIRST_WORDS = re.compile(
    r"^(?:(?:그|이|저|거기|여기|아|참|그리고|보고서에서|문서에서|신청서에서|제안서에서|the|a|an|any|all|my|our|that|his|her|their)\s)+",
    re.IGNORECASE,
)
_PIECES = re.compile(
    r"((?:,(?!\d)|;)\s*|\s(?:and|및|그리고)\s|(?<=[가-힣\d)])(?:이랑|랑|하고|와|과)\s)", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?。])\s+")
_WORD = re.compile(r"[A-Za-z0-9]+|[가-힣]+")
_MINOR = frozenset({"the", "a", "an", "of", "on", "and", "to", "for", "with", "about"})


@dataclass(frozen=True)
class Without:
    """A document without what was named, and the names or the texts of what is gone."""

    document: Document
    gone: tuple[str, ...]


def without_named(
    document: Document,
    question: str,
    loaded: Loaded,
    values: Mapping[str, Value],
    today: date | None,
) -> Without | None:
    """The document without the fields, items and sentences that the words name; None where they name none."""
    what = _what(question)
    if what is None:
        return None
    own = {name: value for name, value in values.items() if value.source in ("question", "answer")}
    named = [
        name for start, _, name in named_places(loaded.template, what, values) if name in own and not start
    ]
    left = dict.fromkeys(named[:1]) or _left_of(own, loaded.template.fields, what)
    if left:
        return _refilled(document, loaded, values, left, today)
    return _without_texts(document, what)


def without_undecided(
    document: Document, question: str, loaded: Loaded, values: Mapping[str, Value], today: date | None
) -> Without | None:
    """The document without the value of a field that is said to be open still: 다음 약속은 아직 없어요. Nothing is gone where it
    has none; None where the words say nothing of the kind."""
    for _, end, name in named_places(loaded.template, question, values):
        behind = re.sub(r"^(?:은|는|이|가|\sis|\sare)?\s*", "", question[end:])
        if UNDECIDED.match(behind):
            if name in values:
                return _refilled(document, loaded, values, {name: None}, today)
            return Without(document, (loaded.template.fields[name].label.say(document.language),))
    return None


def _what(question: str) -> str | None:
    """The thing that is to go, in its own words."""
    found = _WHAT_KO.search(question) or _WHAT_EN.search(question)
    if found is None:
        return None
    said = found["what"] if "between" not in found.groupdict() else found["what"] or found["between"]
    what = _FIRST_WORDS.sub("", said.strip(" '\"“”‘’"))
    return what if len(what) > 1 else None


def _left_of(own: Mapping[str, Value], specs: Mapping[str, FieldSpec], what: str) -> dict[str, Any]:
    """Values with a piece that holds the words, and what is left of each; None where nothing is."""
    made: dict[str, Any] = {}
    for name, value in own.items():
        if specs[name].type not in ("text", "list"):
            continue
        if isinstance(value.value, list):
            kept: Any = [each for each in value.value if not _holds(str(each), what)]
            changed = len(kept) < len(value.value)
        else:
            kept = _without_piece(str(value.value), what)
            changed = kept != str(value.value)
        if changed:
            made[name] = kept or None
    return made


def _without_piece(text: str, what: str) -> str:
    """리플렛과 견본품 2통 without 견본품: 리플렛."""
    parts = _PIECES.split(text)
    kept = [at for at in range(0, len(parts), 2) if not _holds(parts[at], what)]
    if len(kept) == len(range(0, len(parts), 2)):
        return text
    return "".join(f"{parts[at - 1] if n else ''}{parts[at]}" for n, at in enumerate(kept)).strip()


def _holds(text: str, what: str) -> bool:
    """Say whether every word of a name stands in a text; the end of an English word may differ."""
    if re.search(r"[가-힣]", what):
        return "".join(what.split()) in "".join(text.split())
    words = [each.lower() for each in _WORD.findall(what) if each.lower() not in _MINOR]
    there = [each.lower() for each in _WORD.findall(text)]
    return bool(words) and all(any(_stem(each) == _stem(word) for each in there) for word in words)


def _stem(word: str) -> str:
    return re.sub(r"(?:es|s|e)$", "", word) if len(word) > 3 else word


def _refilled(
    document: Document,
    loaded: Loaded,
    values: Mapping[str, Value],
    left: Mapping[str, Any],
    today: date | None,
) -> Without:
    after = {name: value for name, value in values.items() if left.get(name, value) is not None}
    after |= {name: replace(values[name], value=kept) for name, kept in left.items() if kept is not None}
    after = with_their_sum(loaded.template, values, after)
    after = with_computed(loaded.template, after, today, document.language)
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
    gone = [
        _gone_of(values[name].value, kept) or loaded.template.fields[name].label.say(document.language)
        for name, kept in left.items()
    ]
    return Without(replace(made, title=document.title), tuple(gone))


def _gone_of(value: Any, kept: Any) -> str:
    """The items that are no longer in a list."""
    return ", ".join(str(each) for each in value if each not in kept) if isinstance(kept, list) else ""


def _without_texts(document: Document, what: str) -> Without | None:
    """Sentences and items that hold the words taken out, with the blocks that then are empty."""
    gone: list[str] = []
    blocks: list[Block] = []
    for block in document.blocks:
        made: Block | None = block
        if isinstance(block, Paragraph):
            made = _shorter(block, what, gone)
        elif isinstance(block, List):
            made = _fewer(block, what, gone)
        if made is not None:
            blocks.append(made)
    return Without(replace(document, blocks=tuple(blocks)), tuple(gone)) if gone else None


def _shorter(block: Paragraph, what: str, gone: list[str]) -> Paragraph | None:
    kept: list[Span] = []
    for span in block.spans:
        sentences = _SENTENCES.split(span.text.strip())
        left = [each for each in sentences if not _holds(each, what)]
        gone += [each for each in sentences if each not in left]
        if len(left) == len(sentences):
            kept.append(span)
        elif left:
            space = " " if span.text.endswith(" ") else ""
            kept.append(replace(span, text=" ".join(left) + space))
    return Paragraph(block.id, tuple(kept)) if kept else None


def _fewer(block: List, what: str, gone: list[str]) -> List | None:
    texts = ["".join(span.text for span in item.spans) for item in block.items]
    gone += [text for text in texts if _holds(text, what)]
    left: Sequence[Item] = [
        item for item, text in zip(block.items, texts, strict=True) if not _holds(text, what)
    ]
    return List(block.id, tuple(left), block.ordered) if left else None
