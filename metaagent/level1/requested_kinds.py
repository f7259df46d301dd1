"""Kinds of artifacts that a question asks for by their names: "as a chart", "차트로 그려줘"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from metaagent.errors import Text
from metaagent.language.patterns import compiled
from metaagent.level1.query_analyzer.requests.optional_parts import parts
from metaagent.level1.query_analyzer.words.source import MAX_LENGTH
from metaagent.level1.reasoner import certainty
from metaagent.values import mapping

_ASKED = Text(en="“{words}” asks for one to be made", ko="“{words}”: 만들어 달라는 말입니다")
_MAKING = r"(?:make|draw|create|generate|produce|prepare|build|add|attach|include|want|need|show(?:\s+me)?|give\s+me)"
_BEFORE = rf"(?:\bas|\binto|\b{_MAKING})\s+(?:(?:a|an|the|some|one|me|new)\s+)*(?:\w+\s+)?"
_AFTER = (
    r"(?:으로|로)?(?:을|를|도|만|하나)?\s*(?:하나|한\s*장|좀)?\s*"
    r"(?:만들|그려|그리|작성|생성|뽑아|보여|정리|첨부|추가|해\s*줘|해\s*주|주세요|줘)"
)


class Asked(NamedTuple):
    words: str
    optional: bool
    """It is asked for only if possible."""


def requested_kinds(question: str, kinds: Mapping[str, Iterable[str]]) -> dict[str, Asked]:
    """Find which of these kinds, known by their own and by other names, are asked for, with the words that say so."""
    folded = " ".join(question.casefold().split())[:MAX_LENGTH]
    hits = {kind: hit for kind, names in kinds.items() if (hit := _asked((kind, *names), folded))}
    optional = parts(folded) if hits else []
    return {
        kind: Asked(hit.group().strip(), any(p.start <= hit.start() and hit.end() <= p.end for p in optional))
        for kind, hit in hits.items()
    }


def with_requested_kinds(
    analysis: Mapping[str, Any], question: str, capabilities: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The analysis with the kinds that the question asks for and that somebody makes. A reading that understood nothing
    else in its domain stays as it is: to make something of nothing helps nobody."""
    if analysis.get("clarification_needed") or "requested_kinds" in analysis:
        return dict(analysis)
    if analysis.get("slots") is not None and not analysis.get("required_capabilities"):
        return dict(analysis)
    found = requested_kinds(question, names_of_kinds(capabilities))
    if not found:
        return dict(analysis)
    language = str(analysis.get("language") or "en")
    told = [
        {
            "conclusion": f"kind={kind}",
            "reason": _ASKED.say(language, words=asked.words),
            "evidence": asked.words,
        }
        for kind, asked in found.items()
    ]
    folded = " ".join(question.casefold().split())
    share = {kind: certainty(asked.words, folded) for kind, asked in found.items()}
    others = bool(
        analysis.get("required_capabilities")
    )  # where nothing else is asked for, 가능하면 is merely polite
    intents = analysis.get("parsed_intents") or [
        {"intent": kind, "confidence": share[kind]}
        for kind in sorted(found, key=share.__getitem__, reverse=True)
    ]
    return {
        **analysis,
        "requested_kinds": list(found),
        "optional_kinds": [kind for kind, asked in found.items() if asked.optional and others],
        "parsed_intents": intents,
        "explanations": [*(analysis.get("explanations") or ()), *told],
    }


def names_of_kinds(capabilities: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Gather the kinds that somebody makes, each with the other names that their makers declare."""
    found: dict[str, list[str]] = {}
    for each in capabilities:
        for kind in each.get("produces", ()):
            found.setdefault(kind, []).extend(mapping(each.get("also_called")).get(kind, ()))
    return found


def _asked(called: tuple[str, ...], folded: str) -> re.Match[str] | None:
    names = tuple(
        dict.fromkeys((*(name.casefold() for name in called), called[0].casefold().replace("_", " ")))
    )
    return _asked_for(names).search(folded) if any(name in folded for name in names) else None


@lru_cache(maxsize=1_000)
def _asked_for(names: tuple[str, ...]) -> re.Pattern[str]:
    english = "|".join(re.escape(name) for name in names if name.isascii())
    every = "|".join(re.escape(name) for name in names)
    return compiled(rf"{_BEFORE}(?:{english})s?\b|(?<!\w)(?:{every}){_AFTER}")
