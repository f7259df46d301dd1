"""Memories of a person: which of them a question calls for, and what they change. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from metaagent.errors import Text
from metaagent.language.patterns import regex
from metaagent.memory.embedding import nearness, pieces
from metaagent.ports import Json

RELEVANT = 0.2
"""Nearness from which on a fact or conclusion is loaded; below it, n-grams meet by chance."""

CONCLUSIONS = 3
"""Conclusions that are loaded at most: many are near each other, and each costs room in the state."""

_OWNER = regex(r"^(?:내|제|나의|저의|우리|저희|my|our|the)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Memory:
    id: str
    kind: str
    key: str
    value: str
    text: str
    created_at: str
    updated_at: str
    confidence: float = 1.0
    source: Mapping[str, str] = field(default_factory=dict[str, str])
    expires_at: str | None = None

    @property
    def by_rule(self) -> bool:
        """True if nobody asked for it: see `metaagent.memory.conclusions`."""
        return "rule" in self.source

    def as_json(self) -> Json:
        return {**vars(self), "source": dict(self.source)}


def plain_key(key: str) -> str:
    """Normalize a key: '내 담당 지역' and '담당지역' name the same thing."""
    bare = _OWNER.sub("", key.strip().casefold())
    return "".join(bare.split())


NAMES: Mapping[str, Text] = {
    "language": Text(en="language", ko="언어"),
    "form": Text(en="form of answers", ko="답변 형식"),
    "units": Text(en="units", ko="단위"),
    "regions": Text(en="favourite regions", ko="관심 지역"),
    "document_style": Text(en="document style", ko="문체"),
}
"""The preferences, as people call them."""

_OTHER_NAMES = {
    "language": ("답변 언어", "사용 언어", "answer language"),
    "form": ("형식", "출력 형식", "답변 형태", "format", "output format", "form"),
    "units": ("금액 단위", "unit"),
    "regions": ("선호 지역", "주요 지역", "favorite regions", "preferred regions", "favourite region"),
    "document_style": ("말투", "문서 스타일", "보고서 문체", "style", "tone"),
}


def is_named(key: str, name: str) -> bool:
    """Say whether a person means this memory's key by that name."""
    return plain_key(name) in {plain_key(each) for each in _names(key)}


def _names(key: str) -> tuple[str, ...]:
    known = NAMES.get(key)
    return (key, *((known.en, known.ko) if known else ()), *_OTHER_NAMES.get(key, ()))


def names_known(sentence: str, known: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether the sentence may be about one of these memories."""
    said = plain_key(sentence)
    return any(plain_key(name) in said for memory in known if memory["key"] for name in _names(memory["key"]))


def name_of(key: str, language: str) -> str:
    return NAMES[key].say(language) if key in NAMES else key


_VALUES: Mapping[str, Text] = {
    "en": Text(en="English", ko="영어"),
    "ko": Text(en="Korean", ko="한국어"),
    "table": Text(en="table", ko="표"),
    "bullets": Text(en="list", ko="목록"),
    "brief": Text(en="brief", ko="짧게"),
    "detailed": Text(en="detailed", ko="자세히"),
    "formal": Text(en="formal", ko="격식체"),
    "informal": Text(en="informal", ko="비격식체"),
    "thousands": Text(en="thousands", ko="천 원"),
    "millions": Text(en="millions", ko="백만 원"),
    "billions": Text(en="billions", ko="십억 원"),
    **dict.fromkeys(("천", "천원", "천 원"), Text(en="thousands of won", ko="천 원")),
    **dict.fromkeys(("만", "만원", "만 원"), Text(en="tens of thousands of won", ko="만 원")),
    **dict.fromkeys(("백만", "백만원", "백만 원"), Text(en="millions of won", ko="백만 원")),
    **dict.fromkeys(("억", "억원", "억 원"), Text(en="hundreds of millions of won", ko="억 원")),
}


def value_of(value: str, language: str) -> str:
    return _VALUES[value].say(language) if value in _VALUES else value


def said(memory: Memory, language: str) -> str:
    """Word a memory as a person reads it."""
    if memory.kind == "preference":
        return f"{name_of(memory.key, language)}: {value_of(memory.value, language)}"
    return f"{memory.key}: {memory.value}" if memory.key else memory.text


def shown(memory: Memory, language: str) -> str:
    """Word a memory; a conclusion, which grows old, with its day."""
    text = said(memory, language)
    return f"{text} ({memory.updated_at[:10]})" if memory.kind == "conclusion" else text


def as_changed(made: Memory, old: Memory | None, language: str) -> Json:
    """Make the record that a person is shown: the memory now, and `before` if they had said something else."""
    said_else = old is not None and not old.by_rule and old.value != made.value
    before = (old.value or old.text) if old is not None and said_else else None
    return {**made.as_json(), "shown": shown(made, language), "before": before}


def same_thing(memory: Memory, note: Mapping[str, Any]) -> bool:
    """Say whether the note would replace this memory."""
    if memory.kind != note.get("kind", "fact") and not (memory.key and note.get("key")):
        return False
    if memory.key or note.get("key"):
        return plain_key(memory.key) == plain_key(note.get("key") or "")
    return plain_key(memory.text) == plain_key(note.get("text") or "")


def noted(
    known: Sequence[Memory],
    note: Mapping[str, Any],
    *,
    new_id: Callable[[], str],
    at: str,
    source: Mapping[str, str],
) -> tuple[Memory, Memory | None]:
    """The memory that the note makes, and the one that it replaces. What was said before stays as it was made."""
    old = next((memory for memory in known if same_thing(memory, note)), None)
    made = Memory(
        id=old.id if old else new_id(),
        kind=str(note.get("kind") or "fact"),
        key=str(note.get("key") or ""),
        value=str(note.get("value") or ""),
        text=str(note.get("text") or ""),
        created_at=old.created_at if old else at,
        updated_at=at,
        confidence=float(note.get("confidence", 1.0)),
        source=source,
        expires_at=note.get("expires_at"),
    )
    if old and replace(old, updated_at=at, source=source) == made:
        return old, old
    return made, old


def matching(known: Sequence[Memory], about: str) -> list[Memory]:
    """Find what a person means by 'forget ...': by id, key, value, or the words of the memory."""
    wanted = plain_key(about)
    if not wanted:
        return []
    exact = [m for m in known if m.id == about or (m.key and is_named(m.key, about))]
    if exact:
        return exact
    return [m for m in known if _mentions(m, wanted)]


def _mentions(memory: Memory, wanted: str) -> bool:
    whole = plain_key(f"{memory.key}{memory.value}{memory.text}")
    key = plain_key(memory.key)
    return wanted in whole or (len(key) > 1 and key in wanted)


def relevance(memory: Memory, question: str, near: float) -> float:
    """Rate a memory: 1 if the question names it; else how near the texts are, weighed by how sure the memory is."""
    asked = plain_key(question)
    key, value = plain_key(memory.key), plain_key(memory.value)
    if (len(key) > 1 and key in asked) or (len(value) > 1 and value in asked):
        return 1.0
    return near * memory.confidence


def choose(scored: Sequence[tuple[Memory, float]], budget: int) -> list[Memory]:
    """Preferences first, then by relevance and age, as long as they fit into the budget of bytes."""
    ranked = sorted(scored, key=lambda item: (item[1], item[0].updated_at), reverse=True)
    ordered = [m for m, _ in ranked if m.kind == "preference"]
    near = [m for m, score in ranked if m.kind != "preference" and score >= RELEVANT]
    concluded = [m for m in near if m.kind == "conclusion"][:CONCLUSIONS]
    ordered += [m for m in near if m.kind != "conclusion" or m in concluded]
    chosen: list[Memory] = []
    for memory in ordered:
        size = len(orjson.dumps(memory.as_json()))
        if size <= budget:
            budget -= size
            chosen.append(memory)
    return chosen


def by_nearness(memories: Sequence[Memory], question: str) -> list[tuple[Memory, float]]:
    asked = pieces(question)
    return [(m, relevance(m, question, nearness(asked, pieces(words(m))))) for m in memories]


def words(memory: Memory) -> str:
    """The words that are compared with a question."""
    return f"{memory.key} {memory.value} {memory.text}"


def preferences_of(memories: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Collect the preferences by name; the newest wins."""
    stated = [m for m in memories if m["kind"] == "preference"]
    return {m["key"]: m["value"] for m in sorted(stated, key=lambda m: m["updated_at"])}


def filled_in(question: str, memories: Sequence[Mapping[str, Any]]) -> tuple[str, list[Json]]:
    """The question with '내 담당 지역' or '관심 지역' replaced by what it is known to be, and the memories that this took."""
    used: list[Json] = []
    for memory in memories:
        names = _fillable(memory)
        if not names or memory["value"] in question:
            continue
        loose = "|".join(r"\s*".join(re.escape(part) for part in name.split()) for name in names)
        named = re.compile(
            rf"(?:\b(?:내|제|나의|저의|우리|저희|my|our)\s+)?(?:{loose})(?=[^a-z]|$)", re.IGNORECASE
        )
        question, count = named.subn(lambda _, value=memory["value"]: value, question)
        if count:
            used.append(dict(memory))
    return question, used


def _fillable(memory: Mapping[str, Any]) -> list[str]:
    """The words that a question may have in place of the memory's value."""
    if memory["kind"] == "preference" and memory["key"] == "regions":
        return sorted(_names("regions")[1:], key=len, reverse=True)
    named = memory["kind"] == "fact" and len(plain_key(memory["key"])) > 1
    return [_OWNER.sub("", memory["key"])] if named else []
