"""Words that point at the turn before and are bound to nothing in the request: they are named, not passed over."""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.pointing import (
    EACH,
    IT,
    OF_THEM,
    THAT,
    THERE,
    THOSE,
    Completed,
    chosen_thing,
    is_one,
    kinds_said,
    place_in_list,
    that_named,
    those_named,
)
from metaagent.level1.query_analyzer.reading import Plain, Reading
from metaagent.level1.query_analyzer.those import choosing, points_back


def _pointing_elsewhere(query: Plain, previous: Plain, text: str, terms: Terms) -> list[tuple[int, int]]:
    """The words for what the turn before chose, where the request asks of others."""
    inner, top = query.get("among") or {}, previous.get("top")
    chosen = chosen_thing({**previous, "among": None})
    kept = all(query.get(key) == previous.get(key) for key in ("top", "having", "existence"))
    others = (
        kept
        or (previous.get("having") and query.get("having"))
        or (query.get("top") and query["top"].get("nth"))
    )
    if chosen and not others and not inner:
        return sorted({m.span() for pattern in (THOSE, OF_THEM) for m in pattern.finditer(text)})
    if not inner and not kept and previous.get("among"):
        return [m.span() for m in OF_THEM.finditer(text)]
    if chosen and is_one(top) and inner.get("top") != top and query.get("top") != top:
        return sorted({m.span() for pattern in (THAT, that_named(terms)) for m in pattern.finditer(text)})
    return []


def _dropped(query: Plain, previous: Plain, text: str, terms: Terms) -> list[tuple[int, int]]:
    """The words for those that the turn before was limited to, where the request is limited to none of them: those
    clinics, of which all sales are asked for; how many of them, where something else is counted."""
    held = {str(f["dimension"]) for f in previous.get("filters") or () if "dimension" in f}
    if not held or query.get("among") or not points_back(text, query, terms):
        return []
    if held & {dimension for dimension, _ in _limits(query)}:
        return []
    return sorted(
        {m.span() for pattern in (THOSE, OF_THEM, those_named(terms)) for m in pattern.finditer(text)}
    )


def without_bearing(reading: Reading, found: Composed, made: Completed) -> list[tuple[int, int]]:
    """The words for some that were spoken of, where nobody was or the request does not keep to them: that rep, after a
    list of all; the first one, where all of the list are asked for again."""
    previous, query = (reading.context.previous or {}).get("semantic_request") or {}, made[0]
    terms, text = terms_of(reading.context.domain, reading.context.vocabulary), reading.source.text
    kept = not previous.get("dimensions") and _limits(query) & _limits(
        previous
    )  # 그 병원들, after they were counted
    if previous and not kept and (strange := _of_another_kind(query, text, terms)):
        return strange
    place = place_in_list(text, previous, terms)
    if place and place[1]["top"] not in (query.get("top"), (query.get("among") or {}).get("top")):
        return [place[0]]
    if points := _pointing_elsewhere(query, previous, text, terms) or _dropped(query, previous, text, terms):
        return points
    if query.get("limit") == 1 and (each := [m.span() for m in EACH.finditer(text)]):
        return each  # 각각 마지막 방문일: of one alone
    if previous and not query.get("dimensions") and (names := [m.span() for m in _TITLES.finditer(text)]):
        return names  # titles and attendees, where one sum is given
    one = choosing(previous).get("top")
    if is_one(one) and not query.get("among") and query.get("top") != one:
        pointing = sorted({m.span() for pattern in (IT, THERE) for m in pattern.finditer(text)})
        if pointing and not _limits(query):
            return pointing  # who visits it?
    if previous and (loose := _unbound(found, made, previous, text)):
        return loose
    if query.get("among") or query.get("filters") or not previous.get("dimensions"):
        return []
    parts = [one["numerator"] for one in query.get("derived") or ()]
    limited = any(one.get("filters") for one in parts)
    return [] if limited else [m.span() for m in THAT.finditer(reading.source.text)]


def _of_another_kind(query: Plain, text: str, terms: Terms) -> list[tuple[int, int]]:
    """The words that point at a kind of thing which the request has nothing of: that team, where a rep was found."""
    inner = query.get("among") or {}
    kinds = {str(name) for part in (query, inner) for name in part.get("dimensions") or ()}
    kinds |= {str(part.get("count_groups")) for part in (query, inner)}
    kinds |= {str(one.get("dimension")) for part in (query, inner) for one in part.get("existence") or ()}
    kinds |= {dimension for part in (query, inner) for dimension, _ in _limits(part)}
    found = [m for pattern in (that_named(terms), those_named(terms)) for m in pattern.finditer(text)]
    return [m.span() for m in found if (said := kinds_said(m[0], terms)) and not said & kinds]


_TITLES = regex(
    r"(?<![가-힣])제목(?:들)?(?:이랑|하고|과|와|도|을|은)?(?![가-힣])|(?<![a-z])(?:the )?titles?(?= and|,| with)(?![a-z])"
)
_POINTS = regex(
    r"(?<![a-z])(?:it|its|they|them|their|he|she|him|his|her|those|these)(?![a-z'’])"
    r"|(?<![a-z])(?:is|was|are|were) (?:that|this)(?=\W*\Z)"
    r"|(?<![가-힣])(?:그거|그것|그걸|그게|걔|얘|그놈|그곳|거기)(?:네|들|는|은|가|를|을|의|도|만|한테|에서|서|에)?(?![가-힣])"
)
_NOTHING_MEANT = regex(
    r"(?<![a-z])(?:(?:is|was) it (?:possible|ok|okay|true|right|correct|fair|that)|it (?:is|was|seems|looks|comes|would be)"
    r"|(?:make|do|get|keep|see|show|call|take|put|let) it|(?:those|these|them) (?:who|that|which|with|of))(?![a-z])"
)
_NAMING = frozenset({"T", "F", "M", "WHO", "G"})


def _unbound(found: Composed, made: Completed, previous: Plain, text: str) -> list[tuple[int, int]]:
    """The pronouns of a question that has nothing of the one before: when was it launched?, where all are listed."""
    query = made[0]
    if made[2] or query.get("among") or _limits(query) & _limits(previous):
        return []
    named = min(
        (p.start for p in found.path if any(node.cat in _NAMING for node in p.nodes)), default=len(text)
    )
    idle = [m.span() for m in _NOTHING_MEANT.finditer(text)]
    spans = [m.span() for m in _POINTS.finditer(text) if m.start() < named]
    return [one for one in spans if not any(a <= one[0] and one[1] <= b for a, b in idle)]


def _limits(query: Plain) -> set[tuple[str, str]]:
    """The values that a request, one of its sides, or a deed in it is limited to."""
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    held = [f for one in (query, *sides, *(query.get("existence") or ())) for f in one.get("filters") or ()]
    return {(str(f.get("dimension")), str(value)) for f in held for value in f.get("values") or ()}
