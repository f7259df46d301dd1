"""Limits of the question before that a follow-up takes away by name: 지역 상관없이, drop the team filter, across all regions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer.domain import SemanticVocabulary
from metaagent.level1.query_analyzer.follow_ups.pointing import kinds_said
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]


@dataclass(frozen=True)
class Loosened:
    """The turn before without some of its limits, and the words that took them away."""

    previous: Mapping[str, Any]
    said: tuple[tuple[int, int], ...]


_LIMIT_KO = r"(?:조건|필터|제한|한정|구분)"
_AWAY_KO = (
    r"(?:빼(?:고|면|줘|주세요|봐|자|서|\s?(?:주세요|줘|보면|볼래))?|없애(?:고|면|줘|주세요|\s?(?:줘|주세요))?|없이|풀(?:고|면|어\s?(?:줘|주세요|봐))"
    r"|해제(?:하고|하면|해\s?(?:줘|주세요))?|제거(?:하고|하면|해\s?(?:줘|주세요))?|지우고|지워\s?(?:줘|주세요)|무시(?:하고|하면|해\s?(?:줘|주세요))"
    r"|제외(?:하고|하면|해\s?(?:줘|주세요)))"
)
_CARELESS_KO = (
    r"(?:상관\s?(?:없이|없어요?|없고|말고|하지\s?말고|\s?안\s?하고)|관계\s?(?:없이|없어요?|없고)|무관하게|불문하고|불문"
    r"|안?\s?가리(?:지\s?(?:말고|않고)|고)|따지지\s?(?:말고|않고)|안\s?따지고|구분\s?(?:없이|하지\s?말고|말고|안\s?하고|없애고))"
)
_ENDS_KO = (
    r"(?:\s(?:전부|모두|다|전체|싹))*"
    r"(?:\s?(?:다시\s?)?(?:보면|보여\s?(?:줘|주세요)|봐|하면|치면|세면|볼래|포함하면|합치면))?(?:요)?(?![가-힣])"
)
_TAKE_EN = (
    r"(?:(?:please |now |then |and |so |ok |okay,? |can you |could you |let's )*"
    r"(?:drop|remove|ignore|forget(?: about)?|lift|clear|lose|take (?:off|out|away)|get rid of|without|skip|disregard|undo))"
)
_LIMIT_EN = r"(?:filter|restriction|condition|limit|constraint|criterion|limitation)s?"
_CARELESS_EN = r"(?:regardless of|irrespective of|no matter|whatever|never mind|not limited to)(?: (?:the|their|its|which|what))?"
_WIDE_EN = r"(?:(?:for|across|in|over|with|from|to|of) )?(?:all|every|any)(?: of)?(?: the| our)?"
_ALL_LIMITS = regex(
    rf"\A\W*(?:(?:그럼|그러면|이제|자|그|이|아|모든|다른)\s)*{_LIMIT_KO}(?:들)?(?:은|는|을|를)?\s?(?:다\s?|모두\s?|전부\s?|싹\s?)?{_AWAY_KO}{_ENDS_KO}"
    rf"|(?<![a-z]){_TAKE_EN} (?:all |any )?(?:(?:of )?(?:the|those|these) )?{_LIMIT_EN}(?![a-z])"
    r"|(?<![a-z])(?:with )?no filters(?![a-z])"
)
_NATIONAL = regex(
    r"(?<![가-힣])전국(?:\s?(?:기준|단위))?(?:으로는?|에서는?|적으로|은|의)?(?:\s?(?:보면|하면|치면|넓히면|확대하면|보여\s?줘))?(?:요)?(?![가-힣])"
    r"|(?<![a-z])(?:nation[- ]?wide|nationally|country[- ]?wide|across the country|(?:in|for) the whole country)(?![a-z])"
)
_SHOWS = regex(r"(?:show|list|compare|rank|give|see|which|among|split|by)(?: me)? \Z|(?:별|중에?서?)\s?\Z")
"""Words before all regions by which they are to be listed, and no limit is taken away."""


@lru_cache(maxsize=32)
def _named(terms: Terms) -> re.Pattern[str]:
    """Words for a kind of thing by which nothing is to be limited."""
    said = {
        label.lower()
        for name, term in terms.dimensions.items()
        if name not in TIMES and not term.measured
        for label in (*term.labels, *(label.split()[-1] for label in term.labels if " " in label))
        if label
    }
    korean = "|".join(_sorted(word for word in said if "가" <= word[0] <= "힣" and not word.endswith("별")))
    english = "|".join(_sorted(word.removesuffix("s") for word in said if "a" <= word[0] <= "z"))
    plural = r"(?:s|es)?"
    return compiled(
        rf"(?<![가-힣])(?P<ko>{korean})(?:별)?(?:은|는|을|를|이|가|도|의|에|과|와)?\s?{_LIMIT_KO}(?:은|는|을|를|도|이|만)?\s?"
        rf"(?:다\s?|모두\s?|좀\s?)?{_AWAY_KO}{_ENDS_KO}"
        rf"|(?<![가-힣])(?P<ko2>{korean})(?:별)?(?:은|는|을|를|이|가|도|에|과|와|에는|으로)?\s?{_CARELESS_KO}{_ENDS_KO}"
        rf"|(?<![가-힣])(?:모든|전체|전)\s?(?P<ko3>{korean})(?:들)?(?:으로는?|로는?|에서는?|의)?(?:\s?(?:보면|하면|확대하면|넓히면))?(?![가-힣])"
        rf"|(?<![가-힣])(?P<ko4>{korean})\s?전체(?:로는?|에서는?|는)?(?:\s?(?:보면|하면|확대하면|넓히면))?(?![가-힣])"
        rf"|(?<![a-z]){_TAKE_EN} (?:the |that |any )?(?P<en>{english}){plural}(?: {_LIMIT_EN})(?![a-z])"
        rf"|(?<![a-z]){_CARELESS_EN} (?P<en2>{english}){plural}(?: (?:it is|they are|it was|they were|is involved))?(?![a-z])"
        rf"|(?<![a-z]){_WIDE_EN} (?P<en3>{english}){plural}(?: again| together| combined)*(?![a-z])"
    )


def _sorted(words: Iterator[str]) -> list[str]:
    return [re.escape(word) for word in sorted({*words}, key=lambda word: (-len(word), word))]


def loosened(
    text: str, previous: Mapping[str, Any] | None, terms: Terms, vocabulary: SemanticVocabulary
) -> Loosened | None:
    """The turn before without the limits, or the split, that the words of a follow-up take away; None: they take none."""
    request: Plain = (previous or {}).get("semantic_request") or {}
    if previous is None or not request:
        return None
    gone: set[str] = set()
    said: list[tuple[int, int]] = []
    for span, kinds in (*_spoken(text, terms), *_valued(text, previous, vocabulary)):
        held = kinds & _limited(request) or (
            {*kinds} & _split(request) if not _WIDENED.search(text[slice(*span)]) else set()
        )
        if not held and _TOTAL.search(text):  # the total across all teams, after the best three of them
            held = kinds & _listed(request)
        gone |= held
        if held or (kinds and _CARELESS.search(text[slice(*span)])):
            said.append(span)
    if (back := _BACK.search(text)) and any(f.get("op") == "not_in" for f in request.get("filters") or ()):
        previous = _with_all(previous)
        said.append(back.span())
    if not gone and (every := _ALL_LIMITS.search(text)):
        gone, said = _limited(request), [every.span()]
    return Loosened(_without(previous, gone), tuple(said)) if said else None


_CARELESS = regex(rf"{_CARELESS_KO}|{_CARELESS_EN}")
"""Words that are true as well where nothing was limited."""
_TOTAL = regex(
    r"합계|총합|총액|총계|합치|합쳐|합하|통틀어|(?<![a-z])(?:total|sum|altogether|combined|in all)(?![a-z])"
)
_BACK = regex(
    r"(?<![a-z])(?:put|add|bring|take|include) (?:them|it|those|these|that(?: one)?|that back)"
    r"(?: all)? (?:back(?: in)?|in again|again)(?![a-z])"
    r"|(?<![가-힣])(?:(?:뺀|제외한|빼놓은|빠진)\s?(?:거|것|데|곳|지역|팀|제품|병원)?(?:들)?(?:을|를|도|은)?\s?)?"
    r"다시\s?(?:다\s?)?(?:넣(?:고|어서?|으면)|포함(?:하고|해서|하면|시키고|시켜서))"
    r"(?:\s?(?:줘|주세요|보면|봐))?(?:요)?(?![가-힣])"
)
"""Words that take back an exception."""
_WIDENED = regex(r"모든|전체|전\s|(?<![a-z])(?:all|every|any)(?![a-z])|전국|nation|country")


def _spoken(text: str, terms: Terms) -> Iterator[tuple[tuple[int, int], set[str]]]:
    for match in _named(terms).finditer(text):
        if _WIDENED.search(match[0]) and _SHOWS.search(text, 0, match.start()):
            continue
        word = next(word for word in match.groupdict().values() if word)
        yield match.span(), _kinds(word, terms)
    for match in _NATIONAL.finditer(text):
        yield match.span(), _whereabouts(terms)


def _kinds(word: str, terms: Terms) -> set[str]:
    own = {
        name
        for name, term in terms.dimensions.items()
        if any(word in (label.lower(), label.lower().removesuffix("s")) for label in term.labels)
    }
    last = {
        name
        for name, term in terms.dimensions.items()
        for label in term.labels
        if label.lower().endswith(f" {word}")
    }
    return own | last or kinds_said(word, terms)


def _whereabouts(terms: Terms) -> set[str]:
    """The kinds of things that are somewhere: places, customers, people and their teams."""
    known = terms.domain.entity_dimensions
    named = {known.get("location"), known.get("organisation"), terms.person}
    teams = {
        name
        for name, term in terms.dimensions.items()
        if terms.person and term.is_thing is False and term.tables and terms.belongs(name, terms.person)
    }
    return {str(name) for name in named if name in terms.dimensions} | teams


def _valued(
    text: str, previous: Mapping[str, Any], vocabulary: SemanticVocabulary
) -> Iterator[tuple[tuple[int, int], set[str]]]:
    """Words that take away a limit by its value: 서울 조건은 빼고, drop the Seoul filter."""
    for item in (previous.get("resolved") or {}).get("filters") or ():
        field = str(item.get("field"))
        values = [*(item.get("labels") or ()), *(item.get("values") or ())]
        names = {str(value) for value in values} | {
            vocabulary.value_label(field, value, "en") for value in values
        }
        words = "|".join(_sorted(name.lower() for name in names if name))
        if not words:
            continue
        pattern = compiled(
            rf"(?<![가-힣])(?:{words})(?:이?라는|의)?\s?{_LIMIT_KO}(?:은|는|을|를|도|이)?\s?{_AWAY_KO}{_ENDS_KO}"
            rf"|(?<![가-힣])(?:{words})(?:만|뿐(?:만)?)?\s?(?:아니라|말고)\s?(?:전체|전부|모두|다)(?:로|으로)?(?![가-힣])"
            rf"|(?<![a-z]){_TAKE_EN} (?:the |that )?(?:{words})(?: {_LIMIT_EN})(?![a-z])"
        )
        for match in pattern.finditer(text):
            yield match.span(), {field}


def _listed(request: Plain) -> set[str]:
    """The kinds that a list is split by, though it may rank them."""
    plain = not request.get("derived") and not request.get("comparison")
    return {str(name) for name in request.get("dimensions") or ()} - TIMES if plain else set()


def _limited(request: Plain) -> set[str]:
    sides = [one["numerator"] for one in request.get("derived") or () if one["kind"] != "share"]
    held = [f for part in (request, *sides) for f in part.get("filters") or ()]
    return {str(f["dimension"]) for f in held if "dimension" in f}


def _split(request: Plain) -> set[str]:
    """The kinds that a list is split by, unless it ranks them."""
    ranked = any(request.get(key) for key in ("top", "having", "share", "among"))
    return set() if ranked else {str(name) for name in request.get("dimensions") or ()} - TIMES


def _without(previous: Mapping[str, Any], gone: set[str]) -> Plain:
    request: Plain = previous["semantic_request"]
    limited = gone & _limited(request)
    groups = [name for name in request.get("dimensions") or () if name in limited or name not in gone]
    made = {**_freed(request, limited), "dimensions": groups}
    if groups != list(request.get("dimensions") or ()):
        made = {key: value for key, value in made.items() if key not in _RANKING}
    derived = [
        {**one, "numerator": _freed(one["numerator"], limited)} for one in request.get("derived") or ()
    ]
    resolved: Plain = previous.get("resolved") or {}
    kept = [item for item in resolved.get("filters") or () if item.get("field") not in limited]
    made |= {"derived": derived} if derived else {}
    return {**previous, "semantic_request": made, "resolved": {**resolved, "filters": kept}}


_RANKING = ("top", "order", "limit", "having", "share")


def _with_all(previous: Mapping[str, Any]) -> Plain:
    """The turn before without its exceptions."""
    request, resolved = previous["semantic_request"], previous.get("resolved") or {}
    kept = [f for f in request.get("filters") or () if f.get("op") != "not_in"]
    shown = [item for item in resolved.get("filters") or () if item.get("op") != "not_in"]
    return {
        **previous,
        "semantic_request": {**request, "filters": kept},
        "resolved": {**resolved, "filters": shown},
    }


def _freed(part: Plain, gone: set[str]) -> Plain:
    filters: Sequence[Plain] = part.get("filters") or []
    return {**part, "filters": [f for f in filters if f.get("dimension") not in gone]} if filters else part
