"""Figures of what the turn before chose: of those listed, of the one that was found, of the place spoken of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.follow_ups.pointing import (
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
from metaagent.level1.query_analyzer.grammar import combined_follow_ups, ellipsis
from metaagent.level1.query_analyzer.grammar.following import sides_limited
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading


def of_the_part(query: Plain, previous: Plain, found: Composed, terms: Terms) -> Plain:
    """어느 팀이 제일 많이 썼어? after meals: the verb says no other figure than the part that was spoken of."""
    parts = [
        str(one["numerator"]["metric"]) for one in previous.get("derived") or ()
    ]  # 월평균, then: the most in a month
    before, own = previous.get("metrics") or parts, query.get("metrics") or []
    if len(before) != 1 or len(own) != 1 or before[0] not in terms.metrics or before == own:
        return query
    named = {m for p in found.path for n in p.nodes if n.cat == "M" for m in n.metrics}
    done = {m for p in found.path for n in p.nodes if n.cat == "V" for m in n.metrics}
    counted = any(n.cat == "COUNT" for p in found.path for n in p.nodes)
    traded = (
        own[0] in done and not counted and terms.same_fact(own[0], before[0]) and terms.is_money(before[0])
    )
    if own[0] in named or (own[0] not in terms.plain_of(before[0]) and before[0] not in done and not traded):
        return query
    limits = {(f.dimension, str(v)) for f in terms.limits_of(before[0]) or () for v in f.values}
    out = [f for f in query.get("filters") or () if f["op"] == "not_in"]
    if limits & {(str(f["dimension"]), str(v)) for f in out for v in f["values"]}:
        return query  # 나머지는?, after meals
    return {
        key: value if key == "among" else _renamed(value, own[0], before[0]) for key, value in query.items()
    }


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
    place = terms.domain.entity_dimensions.get("location")
    those = those or (there and chosen_thing(previous) == place)  # our turnover there, after some regions
    chosen = those or (that and top) or ((there or it) and one)
    best = _their_spending(best, previous, text, terms)
    made = sum_of_those(previous, best, found, terms) if chosen else None
    if made is None and (that or there or it) and not (that and top):
        made = _in_that_place(reading, previous, best)
    limited = previous.get("filters") and not chosen_thing(previous) and not OF_THEM.search(text)
    if made is None and those and limited and points_back(text, best.query, terms):
        made = _in_that_place(reading, previous, best)
    return (of_the_part(made[0], previous, found, terms), *made[1:]) if made else None


THEY_SPENT = regex(
    r"(?<![a-z])(?:they|it|those [a-z]+|these [a-z]+)(?: all)?(?: have| has| had)? (?:spen[dt]s?|pays?|paid)(?![a-z])"
    r"|(?<![가-힣])(?:걔네|얘네|그\s?병원들|이\s?병원들|거기)(?:은|는|이|가|서)?\s(?:[가-힣]+\s)?(?:얼마나?|얼마를)\s?썼"
)


def _their_spending(best: Request, previous: Plain, text: str, terms: Terms) -> Request:
    """The spending of customers who were spoken of: our sales, not the money that was spent on them."""
    kind, usual = terms.domain.entity_dimensions.get("organisation"), terms.usual
    theirs = chosen_thing(choosing(previous)) == kind and THEY_SPENT.search(text)
    metrics = [str(m) for m in best.query.get("metrics") or ()]
    if not theirs or usual is None or len(metrics) != 1 or not terms.is_money(metrics[0]):
        return best
    return replace(best, query={key: _renamed(value, metrics[0], usual) for key, value in best.query.items()})


_WITHIN = ("dimensions", "count_groups", "existence", "having", "top")


def points_back(text: str, query: Plain, terms: Terms) -> bool:
    """Tell whether a word for several means those of the turn before: they, beside things of the question, are these."""
    return bool(those_named(terms).search(text)) or not any(query.get(key) for key in _WITHIN)


def _in_that_place(reading: Reading, previous: Plain, best: Request) -> Completed:
    """The figure in the place of the turn before, and in its period: how many reps there missed their target."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    own = {str(f["dimension"]) for f in best.query["filters"]} | sides_limited(best.query)
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
    said = [node for p in found.path for node in p.nodes if node.cat != "MUCH"]
    points = points or (bool(said) and all(node.cat in ("D", "DV") for node in said))  # 가격은?
    lone = [node for node in said if node == Node("T", dim=node.dim)]
    if is_one(previous.get("top")) and len(said) == len(lone) == 1 and not _BY_IT.search(text):  # 소속 팀은?
        points = points or (kind is not None and terms.belongs(str(lone[0].dim), kind))
    named = {str(node.dim) for node in said if node.cat in ("T", "D", "DV") and node.dim} - {kind}
    if not named and _MEMBERS.search(text) and terms.person:
        named = {terms.person}
    place = terms.domain.entity_dimensions.get("location")
    if not named and place in terms.dimensions and _WHERE_ARE.search(text):
        points, named = True, {str(place)}
    own_words = ("T", "F", "COUNT", "D", "DV")
    plain = all(node.cat in own_words and not node.rank and not node.having for node in said)
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


_BY_IT = regex(r"별|마다|(?<![a-z])(?:by|per|each|every|which|what|other|all)(?![a-z])|어느|어떤|무슨|다른")
_MEMBERS = regex(
    r"(?<![a-z])who are (?:they|those|these)(?![a-z])|"
    r"(?<![a-z])who(?:'s|’s| is| are| works?| belongs?)? (?:all )?(?:in|on|to|at|there)(?![a-z])"
    r"|(?<![a-z])(?:members?|staff)(?![a-z])"
    r"|팀원|멤버|구성원|소속\s?(?:직원|사원|담당자|영업사원)"
)
_WHERE_ARE = regex(
    r"(?<![a-z])where(?:abouts)? (?:are|is) (?:they|those|these|it|he|she)(?: (?:located|based))?(?![a-z])"
    r"|어디(?:에|에들)?\s?있(?:는\s?(?:거|곳|병원)|어요?|나요?|는지|지|죠)|(?:지역|위치)(?:는|은)?\s?어디"
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
    meant = THOSE.search(text) or _TOGETHER.search(text)
    if not fits or found.unread or not meant or not chosen_thing(previous) or not several:
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


_TOGETHER = regex(
    r"합쳐|합하|합치|(?<![가-힣])다\s?(?:해서|더하)|(?<![a-z])(?:together|combined|altogether|between them|in all)(?![a-z])"
)


def share_of_chosen(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The share in everything of some that were added up: what share is that?, after the rest of a list."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    cats = {node.cat for p in found.path for node in p.nodes}
    named = {m for p in found.path for node in p.nodes if node.cat == "M" for m in node.metrics}
    metrics, inner = [str(m) for m in previous.get("metrics") or ()], previous.get("among")
    fixed = any(previous.get(key) for key in (*_WITHIN, "derived", "comparison"))
    plain = cats & {"SHARE", "PCT"} and cats <= {"SHARE", "PCT", "TOTAL", "OFWHOLE", "MUCH", "M"}
    if not inner or fixed or not plain or found.unread or len(metrics) != 1 or not named <= {*metrics}:
        return None
    if metrics[0] not in terms.metrics or not terms.adds(metrics[0]):
        return None
    whole = {"metric": metrics[0], "everything": True, "filters": previous.get("filters") or []}
    part = {
        "name": f"{metrics[0]}__share",
        "kind": "share",
        "numerator": {"metric": metrics[0]},
        "denominator": whole,
    }
    query = {**previous, "metrics": [], "derived": [part], "language": reading.language}
    return query, Node("Q", metrics=(metrics[0],), kind="share"), ["among", "period", "filters"]


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
    pair = combined_follow_ups.joined(previous, before.get("replaced") or (), reading.source.text)
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
        for f in (*(previous.get("filters") or ()), *_bought(previous, figures, terms))
        if str(f["dimension"]) not in named
        and not _is_of(str(f["dimension"]), thing, terms)
        and figures
        and all(terms.splits(name, str(f["dimension"])) for name in figures)
    ]


def _bought(previous: Plain, figures: Sequence[str], terms: Terms) -> list[Plain]:
    """The limits by which rows chose the things, for a figure of such rows: the sales of those who bought a product, of that."""
    return [
        f
        for one in previous.get("existence") or ()
        if one.get("exists") and all(terms.same_fact(name, str(one["fact_metric"])) for name in figures)
        for f in one.get("filters") or ()
    ]


def _of_those(previous: Plain, best: Request, terms: Terms) -> Completed | None:
    """The figure, after "how many visits did they get?", of the things that the turn before listed."""
    outer, more, previous = previous.get("period"), previous.get("filters") or [], choosing(previous)
    more = [
        f for f in more if f not in (previous.get("filters") or [])
    ]  # which are in Gyeonggi?, then: of those
    chosen = previous.get("top") or previous.get("having") or previous.get("existence")
    figures = best.query.get("metrics") or best.query.get("derived")
    previous = chosen_by(previous)  # of those that were counted, too
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    told = figures or (things and things[0] in best.query["dimensions"])  # when was it launched?
    plain = not best.query.get("among") and not best.query.get("count_groups") and told
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
    return listed_one or _of_spoken(reading, found, previous)


DIFFERENT = Node("COUNT", flags=frozenset({"different"}))
"""The number of different things in a figure."""
_OF_HOW_MANY = regex(
    r"(?:\A|[,;]|\band|\bso|\bbut)\W*(?:on|at|to|from|across|in|by|with|for|over|among) how many (?!of)[a-z]+(?: [a-z]+)?\W*\Z"
    r"|how many (?:different |distinct |unique |separate )?[a-z]+ (?:is|was|are|were) (?:that|it|this|those)\W*\Z"
    r"|몇\s?(?:개|군데|곳|명)?\s?(?:의\s?)?[가-힣]+(?:에서|한테서?|에게서?|을|를|에)(?:\s?(?:한|나온|낸|산)\s?(?:거|것|셈)?)?(?:야|이야|예요|인가요|죠|지)?\W*\Z"
)


def of_how_many(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The number of different ones in a figure: on how many hospitals?, 산 병원은 몇 군데야?"""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    kind = _counted_things(reading, found, metrics, terms) if len(metrics) == 1 else None
    own = terms.distinct(kind, metrics[0]) if kind and terms.splits(metrics[0], kind) else None
    fixed = any(previous.get(key) for key in ("derived", "having", "count_groups", "comparison"))
    if own is None or fixed or found.unread or kind == chosen_thing(previous):
        return None
    kept = {k: v for k, v in previous.items() if k not in ("dimensions", "top", "order", "limit", "share")}
    query = {**kept, "metrics": [own], "dimensions": [], "language": reading.language}
    query |= {"among": chosen_by(previous)} if chosen_thing(previous) else {}
    return query, DIFFERENT, [key for key in ("filters", "period", "among") if query.get(key)]


def _counted_things(reading: Reading, found: Composed, metrics: list[str], terms: Terms) -> str | None:
    """The kind of thing whose number is asked for, alone or as those that did what the figure before tells of."""
    query = found.best.query if found.best else {}
    if any(query.get(key) for key in ("filters", "having", "period")):
        return None
    deeds = query.get("existence") or []
    if query.get("count_groups") and len(deeds) == 1 and deeds[0]["exists"] and not deeds[0].get("filters"):
        same = terms.same_fact(str(deeds[0]["fact_metric"]), metrics[0]) and not query.get("metrics")
        return str(query["count_groups"]) if same else None
    counted = {str(m) for m in query.get("metrics") or ()}
    kinds = [name for name in terms.dimensions if terms.counted_by(name) in counted]
    asked = len(kinds) == 1 and not deeds and _OF_HOW_MANY.search(reading.source.text)
    return kinds[0] if asked else None


def kept_to_those(made: Completed, previous: Plain, text: str, terms: Terms) -> Completed:
    """그 세 곳 8월부터 월별로: the three that were found, not the best three of another period."""
    query, kind = made[0], chosen_thing(previous)
    keys = [key for key in ("top", "having", "existence") if previous.get(key)]
    same = all(query.get(key) == previous[key] for key in keys) and kind in (query.get("dimensions") or ())
    moved = any(query.get(key) != previous.get(key) for key in ("period", "filters"))
    points = THOSE.search(text) or those_named(terms).search(text)
    if kind is None or not points or not same or not moved or query.get("among") or query.get("comparison"):
        return made
    kept = {key: value for key, value in query.items() if key not in (*keys, "order", "limit")}
    held = previous.get("filters") or []
    kept |= {
        "among": chosen_by(previous),
        "filters": [f for f in query.get("filters") or () if f not in held],
    }
    return kept, made[1], [*made[2], "among"]


def of_the_chosen(made: Completed, previous: Plain, text: str, terms: Terms) -> Completed:
    """거기 제품별로 보여줘, show that by product: of the one, or of those, that the turn before chose."""
    query, held = made[0], choosing(previous)
    kind, one = chosen_thing(held), is_one(held.get("top"))
    single = any(p.search(text) for p in (THERE, IT, THAT, that_named(terms))) if one else None
    several = THOSE.search(text) or those_named(terms).search(text)
    about = {*map(str, query.get("dimensions") or ()), str(query.get("count_groups"))}
    about |= {str(f.get("dimension")) for f in query.get("filters") or ()}
    figures = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    if kind is None or not (single or several) or query.get("among") or kind in about or not figures:
        return made
    if not made[2] or query.get("existence") or not all(terms.splits(m, kind) for m in figures):
        return made
    kept = {key: value for key, value in query.items() if key != "top" or value != held.get("top")}
    return {**kept, "among": chosen_by(held)}, made[1], [*made[2], "among"]


def within_those(made: Completed, previous: Plain, text: str) -> Completed:
    """그중 방문이 제일 많은 곳은?, after the best five: one of these, by another figure."""
    query, held = made[0], previous.get("top") or {}
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    same = len(things) == 1 and query.get("dimensions") == things and query.get("top") not in (None, held)
    if not OF_THEM.search(text) or not held or not same or query.get("among") or previous.get("among"):
        return made
    return {**query, "among": chosen_by(previous)}, made[1], [*made[2], "among"]
