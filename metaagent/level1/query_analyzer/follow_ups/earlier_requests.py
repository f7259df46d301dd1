"""Requests before the last one: a question may go back to the first, or mean things that an earlier turn found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.follow_ups.pointing import (
    chosen_thing,
    kinds_said,
    that_named,
    those_named,
)
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.reading import Plain

MOST = 3
"""Requests that are kept beside the last one: the first, and the newest."""
_KEPT = ("semantic_request", "resolved", "parsed_intents", "shown")
FIRST = regex(
    r"(?<![가-힣])(?:(?:다시|그럼|자|아|그러면|이제)\s)*(?:맨\s?)?(?:처음|첫|최초)\s?(?:번째\s?)?"
    r"(?:에\s?)?(?:(?:했던|물어본|물어봤던|여쭤본|말한|한|하신|드린)\s?)?(?:질문|거|것|걸|얘기|이야기|내용)?"
    r"(?:로|으로|에|을|를)?\s?(?:다시\s)?(?:돌아가(?:서|자면|보면|면|볼게요?|죠|서요)?|되돌아가(?:서|면|자면)?|가서|이어서)[,.]?"
    r"|(?<![a-z])(?:(?:ok|okay|so|now|and|let's|let me|can we|going|go|coming|come|getting|get|returning|return|if we go)[,\s]+)*"
    r"(?:back )?to (?:the|my|our|that) (?:very )?(?:first|original|initial|opening)"
    r" (?:question|one|thing|query|topic|figure|number)[,.:]?"
)
TOPIC = regex(
    r"(?<![가-힣])(?:(?:다시|그럼|자|아|이제|근데)\s)*(?:아까|앞서|앞의|전에|처음)?\s?(?P<ko>[가-힣]{2,8})\s(?:얘기|이야기|질문|건|쪽)(?:로|으로)\s?(?:다시\s)?"
    r"(?:돌아가(?:서|자면|보면|면|볼게요?|죠)?|되돌아가(?:서|면)?|넘어가(?:서|면)?)[,.]?"
    r"|(?<![a-z])(?:(?:ok|okay|so|now|and|let's|going|go|coming|come|getting|returning)[,\s]+)*"
    r"back to (?:the |those |our )?(?P<en>[a-z]+(?: [a-z]+)?)(?=[,:;-])[,:;-]?"
)
"""A turn that is named by what it was about: 아까 세미나 얘기로 돌아가서, back to the seminars, ..."""
BEFORE_LAST = regex(
    r"(?<![가-힣])(?:아까|앞에서|앞서|위에서)\s?(?:말한|물어본|나온|본|봤던|보여준|나왔던|알려준)?\s?(?=그|이|해당|\S*들)"
    r"|(?<![a-z])(?:from (?:before|earlier)|(?:that )?you (?:listed|showed|gave|mentioned)(?: me)?(?: earlier| before| at first)?"
    r"|we (?:had|saw|started with)(?: earlier| before| at first)?)(?![a-z])"
)


def kept(previous: Mapping[str, Any] | None) -> list[Plain]:
    """The requests that a later question may go back to, oldest first."""
    if not previous or not previous.get("semantic_request"):
        return [dict(one) for one in (previous or {}).get("earlier") or ()]
    last = {key: previous[key] for key in _KEPT if previous.get(key)}
    every = [*(dict(one) for one in previous.get("earlier") or ()), last]
    return every if len(every) <= MOST else [every[0], *every[1 - MOST :]]


def meant(text: str, previous: Mapping[str, Any] | None, terms: Terms) -> Mapping[str, Any] | None:
    """The turn that a question goes on with: the last one, unless it goes back to the first or speaks of things that
    only an earlier one found."""
    earlier = [one for one in (previous or {}).get("earlier") or () if one.get("semantic_request")]
    if previous is None or not earlier:
        return previous
    if FIRST.search(text):
        return {**earlier[0], "earlier": previous["earlier"]}
    if about := _about(text, [*earlier, previous], terms):
        return {**about, "earlier": previous["earlier"]}
    if not previous.get("semantic_request") and not previous.get("parsed_intents"):
        return {**earlier[-1], "earlier": previous["earlier"]}  # what nobody understood ends no topic
    kinds = _kinds(text, terms)
    last = previous.get("semantic_request") or {}
    if not kinds or _is_about(last, kinds):
        return previous
    found = next((one for one in reversed(earlier) if _chose(one["semantic_request"]) in kinds), None)
    return {**found, "earlier": previous["earlier"]} if found else previous


def spoken(text: str, previous: Mapping[str, Any] | None, terms: Terms) -> list[tuple[int, int]]:
    """The words that say which turn is meant; back to Busan names no turn, but a place."""
    turns = [*((previous or {}).get("earlier") or ()), *([previous] if previous else [])]
    named = _about(text, turns, terms) is not None
    found = [
        m.span()
        for pattern in (FIRST, BEFORE_LAST, *([TOPIC] if named else []))
        for m in pattern.finditer(text)
        if m.end() > m.start()
    ]
    return [*found, *(m.span() for m in _BACK.finditer(text) if not named)]


def goes_back(text: str) -> bool:
    """Tell whether a question goes back to something that it names."""
    return _BACK.search(text) is not None


_BACK = regex(
    r"(?<![a-z])(?:(?:ok|okay|so|now|and|let's|let us|going|go|coming|come|getting|returning)[,\s]+)*"
    r"(?:back|return) to(?: the)?(?= [a-z가-힣])"
    r"|(?<![a-z])still(?= (?:in|by|for|as) )"
    r"|(?<=[가-힣])(?:로|으로)\s?(?:다시\s)?돌아가(?:서|자면|보면|면)?[,]?(?=\s)"
)
"""Words that go back to something by its name, or keep what was said: back to Busan, still in units."""


def _about(text: str, turns: list[Mapping[str, Any]], terms: Terms) -> Mapping[str, Any] | None:
    """The newest turn whose figure or kind of thing has the name by which the question goes back to it."""
    said = TOPIC.search(text)
    word = (said["ko"] or said["en"]).removesuffix("s") if said else ""
    return next((one for one in reversed(turns) if word and _has_name(one, word, terms)), None)


def _has_name(turn: Mapping[str, Any], word: str, terms: Terms) -> bool:
    request: Plain = turn.get("semantic_request") or {}
    kinds = [*(request.get("dimensions") or ()), request.get("count_groups")]
    known = [terms.metrics.get(str(m)) for m in request.get("metrics") or ()]
    known += [terms.dimensions.get(str(name)) for name in kinds]
    return any(word in label.lower() for term in known if term for label in term.labels)


def _chose(request: Plain) -> str | None:
    return chosen_thing(request) or chosen_thing(request.get("among") or {})


def _is_about(request: Plain, kinds: set[str]) -> bool:
    """Tell whether a request lists, chose, counted or is limited to things of a kind."""
    named = {str(f.get("dimension")) for f in request.get("filters") or ()}
    named |= {
        *map(str, request.get("dimensions") or ()),
        str(request.get("count_groups")),
        str(_chose(request)),
    }
    return bool(kinds & named)


def _kinds(text: str, terms: Terms) -> set[str]:
    """The kinds of things that words such as those hospitals, 그 병원들 name."""
    found = those_named(terms).search(text) or that_named(terms).search(text)
    return kinds_said(found[0], terms) if found else set()
