"""Parts taken over that make no sense beside what the question says: a share split by its own part, a ranking in each month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer.follow_ups.pointing import chosen_by, chosen_thing, is_one
from metaagent.level1.query_analyzer.grammar.bare_follow_ups import part_of
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import Piece
from metaagent.level1.query_analyzer.reading import Plain


def sensible(query: Plain, previous: Plain, path: Sequence[Piece], text: str) -> Plain:
    """The request of a follow-up without splits that the turn before left there and that say nothing in it."""
    query = _chosen_in_named_whole(_share_of_one(_shown_by_name(query, previous, text)), previous, text)
    query = _not_by_its_part(_part_of_named_whole(query, previous))
    return _ranked_at_all_times(_split_instead(query, path, text), path)


def _shown_by_name(query: Plain, previous: Plain, text: str) -> Plain:
    """그중에 서울만 보여줘, after a number of things: those things, and no number of them."""
    kind = previous.get("count_groups")
    if not kind or query.get("count_groups") != kind or not _SHOWN.search(text) or _NUMBER.search(text):
        return query
    kept = {key: value for key, value in query.items() if key != "count_groups"}
    groups = [str(name) for name in query.get("dimensions") or ()]
    return {**kept, "dimensions": groups if kind in groups else [*groups, str(kind)]}


_SHOWN = regex(
    r"보여|보자|보고\s?싶|뽑아|나열|리스트|목록|명단|(?<![a-z])(?:show|list|name|see)(?![a-z])"
    r"|(?<![a-z])(?:the|those|these) ones (?:in|at|from|with|of)(?![a-z])"
)
_NUMBER = regex(r"몇|개수|숫자|수(?:만|는|를|도)?(?![가-힣])|(?<![a-z])(?:how many|number|count)(?![a-z])")


def orderly(query: Plain) -> Plain:
    """The request in no order of a column that it has no longer: the day, after a list of days became one of hospitals."""
    groups, chosen = query.get("dimensions") or (), query.get("among")
    order = [one for one in query.get("order") or () if one["column"] not in TIMES or one["column"] in groups]
    made = {**query, "order": order} if len(order) < len(query.get("order") or ()) else query
    return {**made, "among": orderly(chosen)} if chosen else made


def of_the_deed(query: Plain, terms: Terms) -> Plain:
    """The request with limits that the things do not have themselves put on what they did: who visited it?"""
    deeds = query.get("existence") or []
    if len(deeds) != 1 or query.get("metrics") or query.get("derived"):
        return query
    thing, fact = str(deeds[0]["dimension"]), str(deeds[0]["fact_metric"])
    moved = [
        f
        for f in query.get("filters") or ()
        if f["dimension"] != thing
        and not terms.belongs(str(f["dimension"]), thing)
        and terms.splits(fact, str(f["dimension"]))
    ]
    if not moved:
        return query
    deed = {**deeds[0], "filters": [*(deeds[0].get("filters") or ()), *moved]}
    return {**query, "filters": [f for f in query["filters"] if f not in moved], "existence": [deed]}


def counted_deed(query: Plain, text: str) -> Plain:
    """Count what each of them did, where that is asked for, and give no figure of theirs: who visited it, and how often?"""
    deeds, groups = query.get("existence") or [], query.get("dimensions") or []
    if (
        len(deeds) != 1
        or not deeds[0].get("exists")
        or [deeds[0]["dimension"]] != groups
        or not _HOW_OFTEN.search(text)
    ):
        return query
    fact, kept = str(deeds[0]["fact_metric"]), {k: v for k, v in query.items() if k != "existence"}
    filters = [*(query.get("filters") or ()), *(deeds[0].get("filters") or ())]
    return {**kept, "metrics": [fact], "filters": filters}


_HOW_OFTEN = regex(r"(?<![a-z])(?:how often|how many times)(?![a-z])|몇\s?번|얼마나\s?자주")


def by_title(query: Plain, text: str, terms: Terms) -> Plain:
    """제목하고 참석자 수: the figure of each event, where its title is asked for; 전부 몇 건이지?, after a list of events: their
    number, which is no figure of each."""
    metrics = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    groups = [str(name) for name in query.get("dimensions") or ()]
    single = len(groups) == len(metrics) == 1
    if single and terms.counts(metrics[0]) and terms.is_event(groups[0], metrics[0]) and _NUMBER.search(text):
        return query if query.get("top") else {**query, "dimensions": []}
    if groups or query.get("derived") or query.get("count_groups") or not _TITLES.search(text):
        return query
    kinds = {kind for m in metrics for kind in terms.dimensions if terms.is_event(kind, m)}
    return {**query, "dimensions": [*kinds]} if len(kinds) == 1 else query


def within_that_time(query: Plain, previous: Plain, text: str, terms: Terms) -> Plain:
    """Average attendance in that quarter?, after the seminars that were completed then: of these."""
    if (
        not _THAT_TIME.search(text)
        or query.get("filters")
        or query.get("dimensions")
        or not previous.get("filters")
    ):
        return query
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    named = [*(query.get("metrics") or ()), *(side.get("metric") for side in sides)]
    before = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    alike = len(before) == 1 and all(m in terms.metrics and terms.same_fact(str(m), before[0]) for m in named)
    if not named or not alike or any(side.get("filters") for side in sides):
        return query
    kept = [
        f
        for f in previous["filters"]
        if "dimension" in f and all(terms.splits(str(m), f["dimension"]) for m in named)
    ]
    return {**query, "filters": kept}


_THAT_TIME = regex(
    r"(?<![a-z])(?:that|the same) (?:day|week|month|quarter|year|period)(?![a-z])"
    r"|(?<![가-힣])(?:그|같은)\s?(?:달|분기|해|주|기간|때)"
)
_TITLES = regex(
    r"(?<![가-힣])제목(?:들)?(?:이랑|하고|과|와|도|을|은)?(?![가-힣])"
    r"|(?<![a-z])titles?(?= and|,| with|\W*\Z)(?![a-z])"
)


def best_alone(query: Plain, text: str, terms: Terms) -> Plain:
    """제일 많이 쓴 팀만 담당자별로: the parts of the best team, and no ranking of teams anew in each part, where one is said to
    be shown alone, or where each part has one team only."""
    top, groups = query.get("top") or {}, query.get("dimensions") or []
    kind, within = str(top.get("dimension")), [str(name) for name in top.get("within") or ()]
    if not within or top.get("percent") or query.get("among") or {*groups} != {kind, *within}:
        return query
    parts = all(
        name not in TIMES and terms.dimensions[name].is_thing and terms.belongs(kind, name) for name in within
    )
    if not parts and not _alone(kind, terms).search(text):
        return query
    place = {key: value for key, value in top.items() if key not in ("dimension", "within")}
    chosen = chosen_by({**query, "dimensions": [kind], "top": place})
    rest = {key: value for key, value in query.items() if key not in ("top", "having")}
    return {**rest, "dimensions": within if is_one(place) else [kind, *within], "among": chosen}


@lru_cache(maxsize=64)
def _alone(kind: str, terms: Terms) -> re.Pattern[str]:
    """The words that show a kind of thing alone: 팀만, only the best team."""
    labels = [re.escape(label.lower()) for label in terms.dimensions[kind].labels if label]
    nouns = "|".join(sorted(labels, key=len, reverse=True))
    return compiled(
        rf"(?<![가-힣])(?:{nouns})(?:들)?(?:의)?(?:\s?(?:것|거|꺼|건|걸|경우|실적|내역))?만(?![가-힣])"
        rf"|(?<![a-z])(?:only|just)(?: (?:for|of|from|in))?(?: the| that)?(?: [a-z-]+){{0,3}} (?:{nouns})(?![a-z])"
    )


def _share_of_one(query: Plain) -> Plain:
    """전체에서 몇 프로야?, of one of the groups alone: its share in all of them, not in itself."""
    groups, metrics = query.get("dimensions") or [], query.get("metrics") or []
    parts = [f for f in query.get("filters") or () if f["op"] == "in" and f["dimension"] in groups]
    if not query.get("share") or len(metrics) != 1 or len(parts) != 1 or query.get("derived"):
        return query
    kept = {key: value for key, value in query.items() if key not in ("share", "top", "order")}
    own = str(parts[0]["dimension"])
    if len(parts[0]["values"]) > 1:
        return query
    return {
        **kept,
        "metrics": [],
        "derived": part_of(str(metrics[0]), parts),
        "filters": [f for f in query["filters"] if f is not parts[0]],
        "dimensions": [name for name in groups if name != own],
    }


def _part_of_named_whole(query: Plain, previous: Plain) -> Plain:
    """부산 전체의 몇 퍼센트야?, after the sum of some reps in Busan: they in Busan, since Busan in them is all."""
    derived, held = query.get("derived") or [], previous.get("filters") or []
    if len(derived) != 1 or derived[0]["kind"] != "share" or not query.get("filters"):
        return query
    above = derived[0]["numerator"]
    named = above.get("filters") or []
    if not named or not all(f in held for f in named) or not all(f in held for f in query["filters"]):
        return query
    part = {**derived[0], "numerator": {**above, "filters": query["filters"]}}
    return {**query, "filters": named, "derived": [part]}


def _chosen_in_named_whole(query: Plain, previous: Plain, text: str) -> Plain:
    """그게 대구 매출의 몇 프로야?, after the best five products there: these five in Daegu, not Daegu in everything."""
    derived, held = query.get("derived") or [], previous.get("filters") or []
    if len(derived) != 1 or derived[0]["kind"] != "share" or query.get("filters") or not _IT.search(text):
        return query
    above = derived[0]["numerator"]
    named = above.get("filters") or []
    if not named or not all(f in held for f in named) or not chosen_thing(previous) or query.get("among"):
        return query
    whole = {"metric": above["metric"], "everything": True, "filters": named}
    part = {**derived[0], "numerator": {"metric": above["metric"]}, "denominator": whole}
    return {**query, "filters": named, "derived": [part], "dimensions": [], "among": chosen_by(previous)}


_IT = regex(
    r"(?<![가-힣])(?:그게|그거|그것|이게|이거|얘네|걔네|다\s?합(?:쳐|하))|(?<![a-z])(?:that|those|these|they|it)(?![a-z])"
)


def _split_instead(query: Plain, path: Sequence[Piece], text: str) -> Plain:
    """Leave the old split where another takes its place: by region instead, after sales by month."""
    said = [name for p in path for node in p.nodes for name in (node.dim, *node.groups) if name]
    groups = [name for name in query.get("dimensions") or () if name in said]
    return {**query, "dimensions": groups} if groups and _INSTEAD.search(text) else query


_INSTEAD = regex(r"(?<![a-z])(?:instead|rather than)(?![a-z])|(?<![가-힣])(?:대신|말고)(?![가-힣])")


def _not_by_its_part(query: Plain) -> Plain:
    """The share of meals is not split by the kind of expense, nor so much per seminar by the seminar."""
    sides = [one.get("numerator") or {} for one in query.get("derived") or () if one["kind"] == "share"]
    below = [one.get("denominator") or {} for one in query.get("derived") or () if one["kind"] == "ratio"]
    own = {str(f["dimension"]) for side in sides for f in side.get("filters") or ()}
    own |= {str(side.get("metric")).removeprefix("count:").removesuffix("_count") for side in below}
    groups = query.get("dimensions") or []
    if not own & {*groups} or query.get("metrics") or query.get("top"):
        return query
    return {**query, "dimensions": [name for name in groups if name not in own]}


def _ranked_at_all_times(query: Plain, path: Sequence[Piece]) -> Plain:
    """Rank within the whole time, unless its parts are spoken of: which product sold best?, after sales by quarter."""
    groups = [str(name) for name in query.get("dimensions") or ()]
    said = {name for p in path for node in p.nodes for name in (node.dim, node.per, *node.groups)}
    ranked = any(node.rank for p in path for node in p.nodes)
    left = [name for name in groups if name in TIMES and name not in said]
    trend = any("trend" in node.flags for p in path for node in p.nodes)
    if not query.get("top") or not ranked or trend or not left or len(left) == len(groups):
        return query
    return {**query, "dimensions": [name for name in groups if name not in left]}
