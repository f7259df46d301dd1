"""Figures of what the turn before chose: of those listed, of the one that was found, of the place spoken of."""

from __future__ import annotations

from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar import ellipsis, together
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.pointing import (
    EACH,
    IT,
    OF_THEM,
    THAT,
    THEIR_PLAN,
    THERE,
    THOSE,
    Completed,
    chosen_by,
    chosen_thing,
    is_one,
    place_in_list,
    scope_of,
    that_named,
    those_named,
)
from metaagent.level1.query_analyzer.reading import Plain, Reading


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


def _of_spoken(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """A figure of the things, or of the place, that the turn before was about: they, that team, there."""
    text, best = reading.source.text, found.best
    assert best is not None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    those, that, there, it = (pattern.search(text) for pattern in (THOSE, THAT, THERE, IT))
    those, that = those or those_named(terms).search(text), that or that_named(terms).search(text)
    if not any(n.cat in ("T", "F") for p in found.path for n in p.nodes):  # what were their targets?
        those = those or THEIR_PLAN.search(text)
    those = those or (chosen_thing(previous) and EACH.search(text))
    top = choosing(previous).get("top")
    one = is_one(top)
    if not (those or that or there or (it and (one or previous.get("filters")))):
        return None
    chosen = those or (that and top) or ((there or it) and one)
    made = sum_of_those(previous, best, found, terms) if chosen else None
    if made is None and (that or there or it) and not (that and top):
        made = _in_that_place(reading, previous, best)
    limited = previous.get("filters") and not chosen_thing(previous) and not OF_THEM.search(text)
    if made is None and those and limited and points_back(text, best.query, terms):
        made = _in_that_place(reading, previous, best)
    return (of_the_part(made[0], previous, found, terms), *made[1:]) if made else None


_WITHIN = ("dimensions", "count_groups", "existence", "having", "top")


def points_back(text: str, query: Plain, terms: Terms) -> bool:
    """Tell whether a word for several means those of the turn before: they, beside things of the question, are these."""
    return bool(those_named(terms).search(text)) or not any(query.get(key) for key in _WITHIN)


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


def property_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The property that each listed thing has (which regions are those in?, 어느 지역 병원들이야?), or who is in that team."""
    text, terms = reading.source.text, terms_of(reading.context.domain, reading.context.vocabulary)
    kind = chosen_thing(previous)
    points = any(pattern.search(text) for pattern in (THOSE, THAT, THERE, IT, _OF_KIND))
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
        "among": chosen_by(previous),
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
    if not fits or found.unread or not THOSE.search(text) or not chosen_thing(previous) or not several:
        return None
    named = {m for node in said if node.cat == "M" for m in node.metrics}
    metrics = sorted(named) or [str(m) for m in previous.get("metrics") or ()]
    if len(metrics) != 1 or metrics[0] not in terms.metrics or not terms.adds(metrics[0]):
        return None
    spans = [node.period for node in said if node.cat == "P" and node.period]
    period = {"start": spans[0].first.isoformat(), "end": spans[0].last.isoformat()} if spans else None
    kind = str(chosen_thing(previous))
    held = [f for f in previous.get("filters") or () if not _is_of(str(f["dimension"]), kind, terms)]
    whole = {"metric": metrics[0], "everything": True, "filters": held}
    part = {
        "name": f"{metrics[0]}__share",
        "kind": "share",
        "numerator": {"metric": metrics[0]},
        "denominator": whole,
    }
    query = {
        "metrics": [],
        "dimensions": [],
        "filters": held,
        "derived": [part],
        "among": chosen_by(previous),
    }
    query |= {"period": period or previous.get("period"), "language": reading.language}
    return query, Node("Q", metrics=(metrics[0],), kind="share"), ["among", "period"]


def those_then(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """얘네 9월엔 각각 얼마였어?: the figure of the listed things in another period, whoever is best then."""
    kind = chosen_thing(previous)
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
    query |= {"among": chosen_by(previous), "language": reading.language}
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
    more = [
        f for f in more if f not in (previous.get("filters") or [])
    ]  # which are in Gyeonggi?, then: of those
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    figures = best.query.get("metrics") or best.query.get("derived")
    plain = not best.query.get("among") and not best.query.get("count_groups") and figures
    previous = chosen_by(previous)  # of those that were counted, too
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    by_change = "__" in str((previous.get("top") or {}).get("by")) or previous.get("having")
    if not chosen or not plain or len(things) != 1 or previous.get("among"):
        return None
    if previous.get("comparison") and by_change:
        return None
    inner = {k: v for k, v in previous.items() if v not in (None, [], {}, False) and k != "comparison"}
    timeless = "edge" in best.node.flags  # when did we last visit it?: ever
    query = {
        **best.query,
        "among": inner,
        "period": best.query.get("period") or (None if timeless else outer),
    }
    query["filters"] = [*best.query["filters"], *_still_there(previous, best, things[0], terms), *more]
    own = best.query["dimensions"]
    single = is_one(previous.get("top")) and own  # 그 팀에서 누가: the team is one
    dims = own if single else [*own, *(name for name in things if name not in own)]
    return {**query, "dimensions": dims}, best.node, ["among", "period"]


def sum_of_those(previous: Plain, best: Request, found: Composed, terms: Terms) -> Completed | None:
    """The sum of those just listed: how much do they account for in total?"""
    made = _of_those(previous, best, terms)
    summed = any(node.cat == "TOTAL" for p in found.path for node in p.nodes)
    return ({**made[0], "dimensions": []}, *made[1:]) if made and summed else made


def some_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Things that did it, after a number of things: how many of them bought something? Clinics, no number of orders."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    metrics = previous.get("metrics") or []
    kinds = [d for d in terms.dimensions if len(metrics) == 1 and terms.counted_by(d) == metrics[0]]
    if previous.get("count_groups") and previous.get("existence") and not previous.get("having"):
        kinds = [str(previous["count_groups"])]
    done = any(node.cat in ("V", "EXISTS", "NONE", "NOT") for p in found.path for node in p.nodes)
    if len(kinds) != 1 or not done or not OF_THEM.search(reading.source.text):
        return None
    scope = scope_of(reading, terms)
    own = ellipsis.left_out({"dimensions": kinds}, found.path, scope, by=("existence", "having"))
    if own is None:
        return None
    query, taken = ellipsis.completed(previous, own, scope)
    if previous.get("existence"):  # visited, and of those: that bought something
        query["existence"] = [*previous["existence"], *(query.get("existence") or ())]
    return query, own.node, taken


def spoken_of(reading: Reading, found: Composed, previous: Plain, best: Request) -> Completed | None:
    """A figure of one that the turn before listed, or of what a pronoun means."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    place = place_in_list(reading.source.text, previous, terms)
    listed_one = _of_those(place[1], best, terms) if place else None
    return listed_one or _of_spoken(reading, found, previous) or _of_the_one(reading, found, previous)


DIFFERENT = Node("COUNT", flags=frozenset({"different"}))
"""The number of different things in a figure."""
_OF_HOW_MANY = regex(
    r"(?:\A|[,;]|\band|\bso|\bbut)\W*(?:on|at|to|from|across|in|by|with|for|over|among) how many (?!of)[a-z]+(?: [a-z]+)?\W*\Z"
    r"|how many [a-z]+ (?:is|was|are|were) (?:that|it|this|those)\W*\Z"
    r"|몇\s?(?:개|군데|곳|명)?\s?(?:의\s?)?[가-힣]+(?:에서|한테서?|에게서?|을|를|에)(?:\s?(?:한|나온|낸|산)\s?(?:거|것|셈)?)?(?:야|이야|예요|인가요|죠|지)?\W*\Z"
)


def of_how_many(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The number of different ones in a figure: on how many hospitals?, after a number of visits."""
    best, terms = found.best, terms_of(reading.context.domain, reading.context.vocabulary)
    counted = {str(m) for m in (best.query.get("metrics") or ())} if best else set[str]()
    kinds = {name for name in terms.dimensions if terms.counted_by(name) in counted}
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    if len(kinds) != 1 or len(metrics) != 1 or not _OF_HOW_MANY.search(reading.source.text):
        return None
    kind = str(kinds.pop())
    own = terms.distinct(kind, metrics[0]) if terms.splits(metrics[0], kind) else None
    fixed = any(previous.get(key) for key in ("derived", "having", "count_groups", "comparison"))
    limited = best is not None and any(
        best.query.get(key) for key in ("filters", "existence", "having", "period")
    )
    if own is None or fixed or limited or found.unread:
        return None
    kept = {k: v for k, v in previous.items() if k not in ("dimensions", "top", "order", "limit", "share")}
    query = {**kept, "metrics": [own], "dimensions": [], "language": reading.language}
    return query, DIFFERENT, [key for key in ("filters", "period", "among") if kept.get(key)]


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
    single = is_one(held.get("top")) and chosen_thing(held)
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
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    limits = [f for one in (query, *sides, *(query.get("existence") or ())) for f in one.get("filters") or ()]
    if held & {str(f.get("dimension")) for f in limits}:
        return []
    return sorted(
        {m.span() for pattern in (THOSE, OF_THEM, those_named(terms)) for m in pattern.finditer(text)}
    )


def within_those(made: Completed, previous: Plain, text: str) -> Completed:
    """그중 방문이 제일 많은 곳은?, after the best five: one of these, by another figure."""
    query, held = made[0], previous.get("top") or {}
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    same = len(things) == 1 and query.get("dimensions") == things and query.get("top") not in (None, held)
    if not OF_THEM.search(text) or not held or not same or query.get("among") or previous.get("among"):
        return made
    return {**query, "among": chosen_by(previous)}, made[1], [*made[2], "among"]


def without_bearing(reading: Reading, query: Plain) -> list[tuple[int, int]]:
    """The words for some that were spoken of, where nobody was or the request does not keep to them: that rep, after a
    list of all; the first one, where all of the list are asked for again."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    terms, text = terms_of(reading.context.domain, reading.context.vocabulary), reading.source.text
    place = place_in_list(text, previous, terms)
    if place and place[1]["top"] not in (query.get("top"), (query.get("among") or {}).get("top")):
        return [place[0]]
    if points := _pointing_elsewhere(query, previous, text, terms) or _dropped(query, previous, text, terms):
        return points
    if (
        query.get("existence")
        and not query.get("among")
        and is_one(choosing(previous).get("top"))
        and IT.search(text)
    ):
        return [m.span() for m in IT.finditer(text)]  # who visits it?
    if query.get("among") or query.get("filters") or not previous.get("dimensions"):
        return []
    parts = [one["numerator"] for one in query.get("derived") or ()]
    limited = any(one.get("filters") for one in parts)
    return [] if limited else [m.span() for m in THAT.finditer(reading.source.text)]
