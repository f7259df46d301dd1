"""Words that point at the turn before: they, that team, there, both, the second one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer import feasibility
from metaagent.level1.query_analyzer.grammar import ellipsis, together
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request, Scope
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading

Completed = tuple[Plain, Node, list[str]]
"""A request, the meaning it was made of, and the fields that were taken over."""


def scope_of(reading: Reading, terms: Terms) -> Scope:
    known = feasibility.covered(reading.context.coverage, [])
    return Scope(terms, reading.context.today, reading.language, known.last if known else None)


def pair_of(reading: Reading) -> Plain | None:
    """The request before with both values, where the question speaks of both."""
    before = reading.context.previous or {}
    previous = before.get("semantic_request")
    return together.joined(previous, before.get("replaced") or (), reading.source.text) if previous else None


def of_the_part(query: Plain, previous: Plain, found: Composed, terms: Terms) -> Plain:
    """어느 팀이 제일 많이 썼어? after meals: the verb says no other figure than the part that was spoken of."""
    before, own = previous.get("metrics") or [], query.get("metrics") or []
    if len(before) != 1 or len(own) != 1 or before[0] not in terms.metrics or before == own:
        return query
    named = {m for p in found.path for n in p.nodes if n.cat == "M" for m in n.metrics}
    done = {m for p in found.path for n in p.nodes if n.cat == "V" for m in n.metrics}
    if own[0] in named or (own[0] not in terms.plain_of(before[0]) and before[0] not in done):
        return query
    return {key: _renamed(value, own[0], before[0]) for key, value in query.items()}


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new + value.removeprefix(old) if value == old or value.startswith(f"{old}__") else value
    if isinstance(value, dict):
        return {k: _renamed(v, old, new) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_renamed(v, old, new) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value


IT_WAS = regex(
    r"(?<![a-z])how (?:many|much) (?:was|is|were|are) (?:it|that|this)"
    r"(?= (?:in total|in all|altogether|overall|for|in|on|at|last|this|without|excluding|except|back|then)(?![a-z]))"
)
"""The figure of the turn before, asked of another place or time."""
_OWN = r"(?! (?:own )?(?:[a-z]+ ){0,2}(?:targets?|quotas?|goals?|plans?)(?![a-z]))"
"""Their target is that of those who are named beside it."""
_MANY = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
THOSE = regex(
    rf"(?<![a-z])(?:each (?:one )?of |all of )?(?:they|them|their(?=[ ]){_OWN}|(?:those|these)(?: {_MANY})?)(?![a-z])"
    r"|(?<![가-힣])(?:그|이|저|해당|위)\s?(?:병원|제품|팀|사람|곳|지역|거래처|담당자|영업사원|직원|품목|분|약|품목)들"
    r"|(?<![가-힣])(?:그|이)\s?(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d{1,2})\s?(?:곳|군데|팀|개|명|사람|제품|병원|지역|품목)|걔네|얘네"
    r"|(?<![가-힣])(?:이|그|걔|얘|그것|이것)들(?:의|은|이|을|도|만|에서)?(?![가-힣])"
)
_EACH = regex(
    r"(?<=did )each(?: one)?(?= [a-z])|(?<![a-z])each(?: one)?(?=\W*\Z)|(?<![가-힣])각각(?:은|의)?(?![가-힣])"
)
"""Each of those that the turn before chose."""
_THAT = regex(
    r"(?<![가-힣])그\s?(?:사람|분|친구|직원|담당자|병원|거래처|제품|품목|팀|지역)(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
    rf"|(?<![a-z])(?:he|she|his|her|its{_OWN}|that one|this one)(?:'s|’s)?(?![a-z])"
    r"|(?<![a-z])(?:that|this) (?:rep|person|hospital|team|product|region|account|customer)(?:'s|’s)?(?![a-z])"
)


def _nouns(terms: Terms) -> tuple[str, str]:
    """The names of kinds of things, in Korean and in English, as alternatives of a pattern."""
    said = {
        label.lower()
        for name, term in terms.dimensions.items()
        if name not in TIMES
        for label in term.labels
        if label
    }
    korean = sorted(
        (re.escape(word) for word in said if "가" <= word[0] <= "힣" and not word.endswith("별")),
        reverse=True,
    )
    english = sorted(
        (re.escape(word.removesuffix("s")) for word in said if "a" <= word[0] <= "z"), reverse=True
    )
    return "|".join((*korean, *english)), "|".join(english)


@lru_cache(maxsize=32)
def _those_named(terms: Terms) -> re.Pattern[str]:
    """그 권역들, those clients: the things of the list before, by any of their names."""
    korean, english = _nouns(terms)
    return compiled(
        rf"(?<![가-힣])(?:그|이|저|해당|위)\s?(?:{korean})들(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
        rf"|(?<![a-z])(?:those|these) (?:{_MANY} )?(?:{english})(?:s|es|ies)?(?:'s|’s|’|')?(?![a-z])"
    )


@lru_cache(maxsize=32)
def _that_named(terms: Terms) -> re.Pattern[str]:
    """그 시도, that client: the one that was found."""
    korean, english = _nouns(terms)
    return compiled(
        rf"(?<![가-힣])(?:그|해당)\s?(?:{korean})(?:의|은|는|이|가|도|에서|만)?(?![가-힣])"
        rf"|(?<![a-z])(?:that|this) (?:{english})(?:'s|’s)?(?![a-z])"
    )


_IT = regex(
    r"(?<![a-z])(?:on|for|of|from|in) (?:that|it|this)(?: one)?(?! [a-z])"
    r"|(?<=did )it(?= (?:have|make|sell|get|spend|bring|receive|do|take)(?![a-z]))"
    r"|(?<![가-힣])(?:그거|그걸|그것|그게)(?:로|에|에서|를|만|는|은)?(?![가-힣])"
)
_LISTS = regex(
    r"이름|누구누군|누군데|어디어딘|뭐뭐|명단|목록|리스트|어디\s?어디|누구\s?누구|어떤\s?(?:곳|병원|사람|팀|제품)|어딘지|누군지|나열"
    r"|(?<![a-z])(?:list|names?|which ones|who are they|name them|show (?:me )?(?:them|those))(?![a-z])"
)


def is_list(reading: Reading, found: Composed) -> bool:
    """그 병원들 이름은?, list them: after a number of things, which ones they are."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    if not previous.get("count_groups") or found.unread:
        return False
    if not _LISTS.search(reading.source.text) and not _names_the_kind(
        reading, found, str(previous["count_groups"])
    ):
        return False
    shown = {*previous.get("metrics", ()), *(str(one["column"]) for one in previous.get("having") or ())}
    return all(
        any(
            node == Node("T", dim=previous["count_groups"])
            or "who" in node.flags
            or (node.cat == "M" and set(node.metrics) <= shown and not node.filters)
            for node in p.nodes
        )
        for p in found.path
        if p.nodes
    )


def _names_the_kind(reading: Reading, found: Composed, kind: str) -> bool:
    """어떤 시도야?, which provinces are they?: nothing but the kind of thing that was counted, and the word that asks for it."""
    said = [node for p in found.path for node in p.nodes]
    return (
        bool(said)
        and all(node.cat == "T" and node.dim == kind for node in said)
        and bool(_WHICH.search(reading.source.text))
    )


_WHICH = regex(r"어떤|어느|무슨|(?<![a-z])(?:which|what)(?![a-z])")


def listed(previous: Plain) -> Completed:
    kept = {key: value for key, value in previous.items() if key != "count_groups"}
    dims = [*(previous.get("dimensions") or ()), previous["count_groups"]]
    return {**kept, "dimensions": dims}, Node("T", dim=str(previous["count_groups"])), list(kept)


_PLACE = regex(
    r"\A\s*(?:그럼|그러면|그|거기서|(?:그|이)\s?(?:중|가운데)(?:에서?|에)?|and|so"
    r"|what about|how about|(?:out )?of (?:them|those),?)?\s*"
    r"(?:(?P<n>\d{1,2})\s?(?:위|등|번)|(?P<ko>첫|두|세|네|다섯)\s?번\s?째"
    r"|(?:the )?(?P<en>first|second|third|fourth|fifth|top|number one|#1)"
    r"(?= (?:one|hospital|team|product|rep|region|account|customer)))"
    r"\s?(?:one|hospital|team|product|rep|region|account|customer|병원|팀|제품|품목|사람|곳|지역|담당자|영업사원|직원|거래처)?"
    r"(?:'s|’s|의|은|는|이|가|에서|에)?(?![가-힣a-z])"
)
_PLACES = {
    "첫": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "top": 1,
    "number one": 1, "#1": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
}  # fmt: skip


@lru_cache(maxsize=32)
def _place_named(terms: Terms) -> re.Pattern[str]:
    """The visits of the second client: a place of the list before, wherever it is said."""
    korean, english = _nouns(terms)
    return compiled(
        r"(?<![a-z])(?:(?:of|for|by|at|from|in|to) )?(?:the )?(?:(?P<en>first|second|third|fourth|fifth)"
        rf" (?:one|{english})|(?:number|no\.?|#) ?(?P<number>\d{{1,2}}|one|two|three|four|five))(?:s|es)?"
        r"(?:'s|’s)?(?! by )(?![a-z])"
        rf"|(?<![가-힣\d])(?:(?P<n>\d{{1,2}})\s?(?:위|등|번째)|(?P<ko>첫|두|세|네|다섯)\s?번\s?째)(?:\s?(?:인|인\s))?\s?(?:{korean}|곳|사람)?"
        r"(?:의|은|는|이|가|에서|에)?(?![가-힣])"
    )


def _place_in_list(text: str, previous: Plain | None, terms: Terms) -> tuple[tuple[int, int], Plain] | None:
    """두 번째 팀의 방문 건수는?: the words, and the request before with that one of the list alone."""
    found = _place_named(terms).search(text) or _PLACE.match(text)
    top = (previous or {}).get("top") or _ordered(previous or {})
    if (
        found is None
        or previous is None
        or previous.get("among")
        or _ASKS_WHICH.fullmatch(text[: found.start()] + " " + text[found.end() :])
    ):
        return None
    said = found.groupdict()
    n = int(found["n"]) if found["n"] else _place_of(said["ko"] or said["en"] or str(said.get("number")))
    if not top.get("n") or not top.get("by") or not 1 <= n <= top["n"]:
        return None
    place = {"nth": n} if n > 1 else {"n": 1}
    kept = {key: value for key, value in top.items() if key != "n"}
    return found.span(), {**previous, "top": {**kept, **place}}


def one_of_list(reading: Reading, previous: Plain) -> Plain:
    """The request before with the one of its list that the question speaks of: why did the first one change?"""
    place = _place_in_list(
        reading.source.text, previous, terms_of(reading.context.domain, reading.context.vocabulary)
    )
    return place[1] if place else previous


_ASKS_WHICH = regex(
    r"(?:\s|[?.!,~]|어디|누구|무엇|뭐|누군|어딘|야|예요|에요|였지|였어|인가요|지|죠|은|는|이|가|만|도|요|다시|보여\s?줘|알려\s?줘|그럼|그러면"
    r"|who(?:'s|’s)?|which one|which|what about|how about|what(?:'s|’s)?"
    r"|is|was|were|the|and|so|ok|okay|then|in|place|came|just|only|show me)*"
)
"""Words that ask which one it is, and nothing of it."""


def _place_of(word: str) -> int:
    return int(word) if word.isdigit() else _PLACES[word]


def _ordered(previous: Plain) -> Plain:
    """A list in order as a ranking of its first ones."""
    order = previous.get("order") or []
    if len(order) != 1 or not order[0].get("column"):
        return {}
    direction = "top" if order[0]["descending"] else "bottom"
    return {"n": max(_PLACES.values()), "by": str(order[0]["column"]), "direction": direction}


_CHANGED = regex(
    r"차이|격차|늘|줄|증감|변했|(?<![a-z])(?:difference|change|gap|grow|grew|increase|decrease|drop)"
)
INCLUDED = regex(r"(?<![가-힣])(?:다시\s)?(?:다|전부|모두|전체)\s?포함(?:해서|하면|한|시켜서?)?(?![가-힣])")
_INCLUDING = regex(r"(?<![a-z])including(?![a-z])")


def pointers(reading: Reading) -> list[tuple[int, int]]:
    """The words that mean something of the turn before: they, that team, both, the second one."""
    text, previous = reading.source.text, (reading.context.previous or {}).get("semantic_request")
    if not previous:
        return []
    earlier = (reading.context.previous or {}).get("replaced") or []
    periods = earlier and earlier[-1]["dimension"] == together.PERIOD and _CHANGED.search(text)
    two = pair_of(reading) or previous.get("comparison") or periods
    left_out = any(f["op"] == "not_in" for f in previous.get("filters") or ())
    patterns = [
        *([_EACH] if _chosen_thing(previous) else []),
        *([THEN] if found_time(reading, previous) else []),
        *([_INCLUDING] if left_out else []),
        IT_WAS,
        THOSE,
        _THAT,
        _THERE,
        _IT,
        INCLUDED,
        *((together.BOTH, together.THREE) if two else ()),
    ]
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    place = _place_in_list(text, previous, terms)
    patterns += [_those_named(terms), _that_named(terms)]
    found = [m.span() for pattern in patterns for m in pattern.finditer(text) if m.end() > m.start()]
    return [*found, *([place[0]] if place else [])]


def _is_one(top: Plain | None) -> bool:
    """Tell whether a ranking chose one thing: the best, or that in one place."""
    return top is not None and (top.get("n") == 1 or bool(top.get("nth")))


def _of_spoken(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """A figure of the things, or of the place, that the turn before was about: they, that team, there."""
    text, best = reading.source.text, found.best
    assert best is not None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    those, that, there, it = (pattern.search(text) for pattern in (THOSE, _THAT, _THERE, _IT))
    those, that = those or _those_named(terms).search(text), that or _that_named(terms).search(text)
    those = those or (_chosen_thing(previous) and _EACH.search(text))
    top = choosing(previous).get("top")
    one = _is_one(top)
    if not (those or that or there or (it and (one or previous.get("filters")))):
        return None
    chosen = those or (that and top) or ((there or it) and one)
    made = sum_of_those(previous, best, found, terms) if chosen else None
    if made is None and (that or there or it) and not (that and top):
        made = _in_that_place(reading, previous, best)
    return (of_the_part(made[0], previous, found, terms), *made[1:]) if made else None


_THERE = regex(
    r"(?<![a-z])(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|have|has|been))(?![a-z])"
    r"|(?<![가-힣])(?:거기|그곳)(?:서|에서|에|는|의|은)?"
)


def _in_that_place(reading: Reading, previous: Plain, best: Request) -> Completed:
    """The figure in the place of the turn before, and in its period: how many reps there missed their target."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    own = {str(f["dimension"]) for f in best.query["filters"]}
    figures = [name for name in best.query["metrics"] if name in terms.metrics]
    kept = [
        f
        for f in previous.get("filters") or ()
        if f["dimension"] not in own and all(terms.splits(name, str(f["dimension"])) for name in figures)
    ]
    period = best.query.get("period") or previous.get("period")
    query = {**best.query, "filters": [*best.query["filters"], *kept], "period": period}
    return query, best.node, [*(["filters"] if kept else []), *(["period"] if period else [])]


THEN = regex(
    r"(?<![a-z])(?:(?:in|during|for|of|on) )?(?:that|the same) (?:month|quarter|week|day|year)(?:'s|’s)?(?![a-z])"
    r"|(?<![a-z])(?:back )?then\W*\Z"
    r"|(?<![가-힣])(?:그|이|해당)\s?(?:달|월|분기|주|날|해|년도|때)(?:에는|에도|에|의|은|는|엔|도)?(?![가-힣])"
)
"""The unit of time that the turn before found."""


def found_time(reading: Reading, previous: Plain) -> Plain | None:
    """The request before limited to the unit of time that it chose, where the question points at that: split that month."""
    held = (previous.get("among") or {}).get("dimensions") or []
    if held and held[0] in TIMES and THEN.search(reading.source.text):
        return {**previous, "dimensions": []}
    top, units = previous.get("top") or {}, previous.get("dimensions") or []
    chosen = top.get("n") == 1 or top.get("nth")
    if not chosen or len(units) != 1 or units[0] not in TIMES or not THEN.search(reading.source.text):
        return None
    kept = {k: v for k, v in previous.items() if k not in ("top", "order", "limit", "share", "dimensions")}
    return {**kept, "dimensions": [], "among": _inner(previous)}


def _chosen_thing(previous: Plain) -> str | None:
    """The kind of thing of which the turn before chose some."""
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    counted = [str(previous["count_groups"])] if previous.get("count_groups") else []
    things = counted or [str(name) for name in previous.get("dimensions") or () if name not in TIMES]
    return things[0] if chosen and len(things) == 1 and not previous.get("among") else None


def _inner(previous: Plain) -> Plain:
    """The request before as one that things are chosen by."""
    kept = {k: v for k, v in previous.items() if v not in (None, [], {}, False)}
    counted = kept.pop("count_groups", None)
    return {**kept, "dimensions": [counted]} if counted else kept


def property_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The property that each listed thing has (which regions are those in?, 어느 지역 병원들이야?), or who is in that team."""
    text, terms = reading.source.text, terms_of(reading.context.domain, reading.context.vocabulary)
    kind = _chosen_thing(previous)
    points = any(pattern.search(text) for pattern in (THOSE, _THAT, _THERE, _IT, _OF_KIND))
    said = [node for p in found.path for node in p.nodes]
    named = {str(node.dim) for node in said if node.cat == "T" and node.dim} - {kind}
    if not named and _MEMBERS.search(text) and terms.person:
        named = {terms.person}
    plain = all(node.cat in ("T", "F", "COUNT") and not node.rank and not node.having for node in said)
    if kind is None or not points or len(named) != 1 or not plain or found.unread:
        return None
    if any(all(node.cat == "COUNT" for node in p.nodes) for p in found.path if p.nodes):
        return None
    own = named.pop()
    has_one, has_many = terms.belongs(own, kind), terms.belongs(kind, own)
    if own in TIMES or not (has_one or has_many) or (previous.get("comparison") and previous.get("having")):
        return None
    metrics = [m for m in previous.get("metrics") or () if terms.splits(str(m), own)]
    dims = [kind, own] if has_one else [own]
    query = {
        "metrics": metrics if has_one else [],
        "dimensions": dims,
        "filters": [],
        "among": _inner(previous),
    }
    query |= {"period": previous.get("period") if query["metrics"] else None, "language": reading.language}
    return query, Node("T", dim=own), ["among", "period"]


_MEMBERS = regex(
    r"(?<![a-z])who(?:'s|’s| is| are| works?| belongs?)? (?:all )?(?:in|on|to|at|there)(?![a-z])"
    r"|(?<![a-z])(?:members?|staff)(?![a-z])"
    r"|팀원|멤버|구성원|소속\s?(?:직원|사원|담당자|영업사원)"
)
_OF_KIND = regex(r"(?<![가-힣])(?:어느|어떤|무슨)\s?(?:지역|팀|종별|등급|제품군|병원)")


def share_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The share of the listed things together in everything: what share of all sales do these five make up?"""
    text, terms = reading.source.text, terms_of(reading.context.domain, reading.context.vocabulary)
    said = [node for p in found.path for node in p.nodes]
    cats = {node.cat for node in said}
    fits = cats <= {"SHARE", "PCT", "M", "TOTAL", "P", "MUCH", "OFWHOLE", "AND", "UPTO"} and cats & {
        "SHARE",
        "PCT",
    }
    several = (previous.get("top") or {}).get("n") != 1
    if not fits or found.unread or not THOSE.search(text) or not _chosen_thing(previous) or not several:
        return None
    named = {m for node in said if node.cat == "M" for m in node.metrics}
    metrics = sorted(named) or [str(m) for m in previous.get("metrics") or ()]
    if len(metrics) != 1 or metrics[0] not in terms.metrics or not terms.adds(metrics[0]):
        return None
    spans = [node.period for node in said if node.cat == "P" and node.period]
    period = {"start": spans[0].first.isoformat(), "end": spans[0].last.isoformat()} if spans else None
    kind = str(_chosen_thing(previous))
    held = [f for f in previous.get("filters") or () if not _is_of(str(f["dimension"]), kind, terms)]
    whole = {"metric": metrics[0], "everything": True, "filters": held}
    part = {
        "name": f"{metrics[0]}__share",
        "kind": "share",
        "numerator": {"metric": metrics[0]},
        "denominator": whole,
    }
    query = {"metrics": [], "dimensions": [], "filters": held, "derived": [part], "among": _inner(previous)}
    query |= {"period": period or previous.get("period"), "language": reading.language}
    return query, Node("Q", metrics=(metrics[0],), kind="share"), ["among", "period"]


def those_then(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """얘네 9월엔 각각 얼마였어?: the figure of the listed things in another period, whoever is best then."""
    kind = _chosen_thing(previous)
    said = [node for q in found.path for node in q.nodes]
    usual = all("usual" in node.flags for node in said if node.cat == "M")
    spans = {node.period for node in said if node.cat == "P" and node.period}
    plain = {node.cat for node in said} <= {"P", "MUCH", "EACH", "TOTAL", "M"} and usual
    fixed = any(previous.get(key) for key in ("comparison", "derived", "count_groups"))
    if kind is None or fixed or not plain or len(spans) != 1 or not THOSE.search(reading.source.text):
        return None
    if found.unread or not previous.get("metrics"):
        return None
    span, summed = spans.pop(), any(node.cat == "TOTAL" for node in said)
    query = {"metrics": previous["metrics"], "dimensions": [] if summed else [kind], "filters": []}
    query |= {"period": {"start": span.first.isoformat(), "end": span.last.isoformat()}}
    query |= {"among": _inner(previous), "language": reading.language}
    return query, Node("P", period=span), ["metrics", "among"]


def share_of_both(reading: Reading, found: Composed) -> Completed | None:
    """The two combined?, after the share of one and that of another: the share of both."""
    before = reading.context.previous or {}
    previous = before.get("semantic_request") or {}
    derived = previous.get("derived") or []
    cats = {node.cat for q in found.path for node in q.nodes}
    if len(derived) != 1 or derived[0]["kind"] != "share" or not derived[0]["numerator"].get("filters"):
        return None
    pair = together.joined(previous, before.get("replaced") or (), reading.source.text)
    if pair is None or not cats <= {"TOTAL", "MUCH", "SHARE", "PCT"}:
        return None
    own = {str(f["dimension"]) for f in derived[0]["numerator"]["filters"]}
    parts = [f for f in pair["filters"] if f["dimension"] in own]
    part = {**derived[0], "numerator": {**derived[0]["numerator"], "filters": parts}}
    return {**previous, "derived": [part]}, Node("Q", kind="share"), ["period", "filters"]


def shares_apart(reading: Reading, found: Composed) -> Completed | None:
    """The difference, after the share of one and that of another: in points of the same whole."""
    before = reading.context.previous or {}
    previous, earlier = before.get("semantic_request") or {}, before.get("replaced") or []
    derived = previous.get("derived") or []
    cats = {node.cat for q in found.path for node in q.nodes}
    if len(derived) != 1 or derived[0]["kind"] != "share" or not cats & {"DIFF"} or not cats <= _APART:
        return None
    own = derived[0]["numerator"].get("filters") or []
    others = [one for one in earlier if len(own) == 1 and one["dimension"] == own[0]["dimension"]]
    if not others:
        return None
    metric = str(derived[0]["numerator"]["metric"])
    sides = [{**derived[0]["numerator"], "filters": [one]} for one in (others[-1], own[0])]
    apart = {
        "name": f"{metric}__share__difference", "kind": "difference", "numerator": sides[0], "denominator": sides[1],
        "whole": derived[0]["denominator"],
    }  # fmt: skip
    return {**previous, "derived": [apart]}, Node("DIFF"), ["period", "filters"]


_APART = frozenset({"DIFF", "PCT", "MUCH", "AND", "SHARE"})


def choosing(previous: Plain) -> Plain:
    """The request by which the things spoken of were chosen: the one before, or that within it."""
    inner = previous.get("among")
    fixed = previous.get("among_others") or previous.get("top") or previous.get("having")
    return inner if inner and not fixed else previous


def _is_of(dimension: str, thing: str, terms: Terms) -> bool:
    """Tell whether a limit chose the things themselves: the region of a hospital, but not that of a purpose of visits."""
    return terms.dimensions[thing].is_thing and terms.belongs(dimension, thing)


def _still_there(previous: Plain, best: Request, thing: str, terms: Terms) -> list[Plain]:
    """The limits of the list that hold for the new figure as well: the visits of those products, in Seoul as before."""
    parts = [str(one["numerator"]["metric"]) for one in best.query.get("derived") or ()]
    figures = [name for name in (*best.query["metrics"], *parts) if name in terms.metrics]
    named = {thing, *(str(f["dimension"]) for f in best.query["filters"])}
    return [
        f
        for f in previous.get("filters") or ()
        if str(f["dimension"]) not in named
        and not _is_of(str(f["dimension"]), thing, terms)
        and figures
        and all(terms.splits(name, str(f["dimension"])) for name in figures)
    ]


def _of_those(previous: Plain, best: Request, terms: Terms) -> Completed | None:
    """The figure, after "how many visits did they get?", of the things that the turn before listed."""
    outer, more, previous = previous.get("period"), previous.get("filters") or [], choosing(previous)
    more = [f for f in more if f not in (previous.get("filters") or [])]  # which are in Gyeonggi?, then: of those
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    figures = best.query.get("metrics") or best.query.get("derived")
    plain = not best.query.get("among") and not best.query.get("count_groups") and figures
    previous = _inner(previous)  # of those that were counted, too
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    by_change = "__" in str((previous.get("top") or {}).get("by")) or previous.get("having")
    if not chosen or not plain or len(things) != 1 or previous.get("among"):
        return None
    if previous.get("comparison") and by_change:
        return None
    inner = {k: v for k, v in previous.items() if v not in (None, [], {}, False) and k != "comparison"}
    query = {**best.query, "among": inner, "period": best.query.get("period") or outer}
    query["filters"] = [*best.query["filters"], *_still_there(previous, best, things[0], terms), *more]
    own = best.query["dimensions"]
    single = _is_one(previous.get("top")) and own  # 그 팀에서 누가: the team is one
    dims = own if single else [*own, *(name for name in things if name not in own)]
    return {**query, "dimensions": dims}, best.node, ["among", "period"]


def sum_of_those(previous: Plain, best: Request, found: Composed, terms: Terms) -> Completed | None:
    """The sum of those just listed: how much do they account for in total?"""
    made = _of_those(previous, best, terms)
    summed = any(node.cat == "TOTAL" for p in found.path for node in p.nodes)
    return ({**made[0], "dimensions": []}, *made[1:]) if made and summed else made


def bare_place(text: str, previous: Plain) -> Completed | None:
    """두 번째는? after the best one: the one in that place."""
    found, top = _PLACE.match(text), previous.get("top") or _listed_by(previous)
    if found is None or not top.get("by") or previous.get("among") or text[found.end() :].strip(" ?.!은는요"):
        return None
    n = int(found["n"]) if found["n"] else _PLACES[found["ko"] or found["en"]]
    place = {"nth": n} if n > 1 else {"n": 1}
    kept = {key: value for key, value in top.items() if key not in ("n", "nth")}
    return {**previous, "top": {**kept, **place}}, Node("P"), [k for k in previous if k != "top"]


def _listed_by(previous: Plain) -> Plain:
    """A list of the sums of things as a ranking: 그중에 1등은?"""
    metrics, things = previous.get("metrics") or [], previous.get("dimensions") or []
    fixed = any(
        previous.get(key) for key in ("derived", "comparison", "count_groups", "share", "running_total")
    )
    if len(metrics) != 1 or len(things) != 1 or things[0] in TIMES or fixed:
        return {}
    return {"by": str(metrics[0]), "direction": "top"}


_OF_THEM = regex(
    r"(?<![a-z])(?:how many|which|who)(?: ones)? (?:out )?of (?:them|those|these)(?![a-z])"
    r"|(?<![가-힣])(?:그|이)\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣])"
)


def some_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Things that did it, after a number of things: how many of them bought something? Clinics, no number of orders."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    metrics = previous.get("metrics") or []
    kinds = [d for d in terms.dimensions if len(metrics) == 1 and terms.counted_by(d) == metrics[0]]
    if previous.get("count_groups") and previous.get("existence") and not previous.get("having"):
        kinds = [str(previous["count_groups"])]
    done = any(node.cat in ("V", "EXISTS", "NONE", "NOT") for p in found.path for node in p.nodes)
    if len(kinds) != 1 or not done or not _OF_THEM.search(reading.source.text):
        return None
    scope = scope_of(reading, terms)
    own = ellipsis.left_out({"dimensions": kinds}, found.path, scope)
    if own is None or not (own.query.get("existence") or own.query.get("having")):
        return None
    query, taken = ellipsis.completed(previous, own, scope)
    if previous.get("existence"):  # visited, and of those: that bought something
        query["existence"] = [*previous["existence"], *(query.get("existence") or ())]
    return query, own.node, taken


def spoken_of(reading: Reading, found: Composed, previous: Plain, best: Request) -> Completed | None:
    """A figure of one that the turn before listed, or of what a pronoun means."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    place = _place_in_list(reading.source.text, previous, terms)
    listed_one = _of_those(place[1], best, terms) if place else None
    return listed_one or _of_spoken(reading, found, previous) or _of_the_one(reading, found, previous)


_ALONE = (
    "dimensions",
    "filters",
    "top",
    "order",
    "having",
    "count_groups",
    "existence",
    "among",
    "derived",
    "comparison",
)
_ALL = regex(
    r"전체|전국|전사|모두|모든|다른|(?<![a-z])(?:overall|total|in all|everyone|company|all|others?)(?![a-z])"
)


def _of_the_one(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """얼마 썼어? after who spent most: a figure alone, right after the best one was asked for, is of that one."""
    best = found.best
    assert best is not None
    held = choosing(previous)
    single = _is_one(held.get("top")) and _chosen_thing(held)
    if not single or not reading.follows or best.query.get("period") or _ALL.search(reading.source.text):
        return None
    if any(one["kind"] not in ("ratio", "per_period") for one in best.query.get("derived") or ()):
        return None
    if any(best.query.get(key) for key in _ALONE) or {"usual", "implied"} & {*best.assumed, *best.node.flags}:
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    if not all(terms.splits(str(m), str(single)) for m in best.query["metrics"]):
        return None
    made = _of_those(previous, best, terms)
    return (of_the_part(made[0], previous, found, terms), *made[1:]) if made else None


def _pointing_elsewhere(query: Plain, previous: Plain, text: str, terms: Terms) -> list[tuple[int, int]]:
    """The words for what the turn before chose, where the request asks of others."""
    inner, top = query.get("among") or {}, previous.get("top")
    chosen = _chosen_thing({**previous, "among": None})
    kept = all(query.get(key) == previous.get(key) for key in ("top", "having", "existence"))
    others = (
        kept
        or (previous.get("having") and query.get("having"))
        or (query.get("top") and query["top"].get("nth"))
    )
    if chosen and not others and not inner:
        return sorted({m.span() for pattern in (THOSE, _OF_THEM) for m in pattern.finditer(text)})
    if not inner and not kept and previous.get("among"):
        return [m.span() for m in _OF_THEM.finditer(text)]
    if chosen and _is_one(top) and inner.get("top") != top and query.get("top") != top:
        return sorted({m.span() for pattern in (_THAT, _that_named(terms)) for m in pattern.finditer(text)})
    return []


def within_those(made: Completed, previous: Plain, text: str) -> Completed:
    """그중 방문이 제일 많은 곳은?, after the best five: one of these, by another figure."""
    query, held = made[0], previous.get("top") or {}
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    same = len(things) == 1 and query.get("dimensions") == things and query.get("top") not in (None, held)
    if not _OF_THEM.search(text) or not held or not same or query.get("among") or previous.get("among"):
        return made
    return {**query, "among": _inner(previous)}, made[1], [*made[2], "among"]


def without_bearing(reading: Reading, query: Plain) -> list[tuple[int, int]]:
    """The words for some that were spoken of, where nobody was or the request does not keep to them: that rep, after a
    list of all; the first one, where all of the list are asked for again."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    terms, text = terms_of(reading.context.domain, reading.context.vocabulary), reading.source.text
    place = _place_in_list(text, previous, terms)
    if place and place[1]["top"] not in (query.get("top"), (query.get("among") or {}).get("top")):
        return [place[0]]
    if points := _pointing_elsewhere(query, previous, text, terms):
        return points
    if query.get("among") or query.get("filters") or not previous.get("dimensions"):
        return []
    parts = [one["numerator"] for one in query.get("derived") or ()]
    limited = any(one.get("filters") for one in parts)
    return [] if limited else [m.span() for m in _THAT.finditer(reading.source.text)]
