"""The question before: what a short question takes over from it, and what a pronoun means there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from metaagent.language import calendar
from metaagent.language.patterns import regex
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer import intents, request
from metaagent.level1.query_analyzer.follow_ups import inheriting
from metaagent.level1.query_analyzer.follow_ups.alternatives import more_of_those
from metaagent.level1.query_analyzer.follow_ups.bare_questions import asked_of_figure
from metaagent.level1.query_analyzer.follow_ups.operations import (
    OF_THOSE,
    compared_again,
    dearest_of_list,
    fell_or_rose,
    in_a_named_whole,
    number_of_those,
    one_of_the_counted,
    with_them,
)
from metaagent.level1.query_analyzer.follow_ups.pointing import (
    IT_WAS,
    OF_THEM,
    THOSE,
    Completed,
    bare_place,
    chosen_by,
    chosen_thing,
    is_list,
    limits_of_list,
    listed,
    pair_of,
    scope_of,
)
from metaagent.level1.query_analyzer.follow_ups.previous_selection import (
    DIFFERENT,
    THEY_SPENT,
    kept_to_those,
    of_how_many,
    of_the_chosen,
    of_the_part,
    property_of_those,
    share_of_both,
    share_of_chosen,
    share_of_those,
    shares_apart,
    some_of_those,
    spoken_of,
    sum_of_those,
    those_then,
    within_those,
)
from metaagent.level1.query_analyzer.follow_ups.request_changes import (
    WHOLE,
    another_column,
    beside,
    changed,
    only_changes,
)
from metaagent.level1.query_analyzer.follow_ups.row_lists import ROW_LIST, rows_listed
from metaagent.level1.query_analyzer.follow_ups.target_follow_ups import reached
from metaagent.level1.query_analyzer.grammar import combined_follow_ups, ellipsis
from metaagent.level1.query_analyzer.grammar.bare_follow_ups import compared_with, merged_filters
from metaagent.level1.query_analyzer.grammar.following import follow, nearer
from metaagent.level1.query_analyzer.grammar.meaning import Node, Span
from metaagent.level1.query_analyzer.grammar.periods import compared
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request, as_filter, requests
from metaagent.level1.query_analyzer.grammar.request import as_period as request_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES
from metaagent.level1.query_analyzer.grammar.traces import untraced
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.requests.moods import same_again

OWN_WORDS = frozenset({"compare", "rank", "lookup", "trend"})
"""Intents whose words the grammar reads itself."""


def plain(previous: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The turn before, conditions on its figures apart from its filters, beside which the form writes them."""
    request = (previous or {}).get("semantic_request") or {}
    figures = [item for item in request.get("filters") or () if "dimension" not in item]
    if previous is None or not figures:
        return previous
    limits = [{"column": str(f["metric"]), "op": f["op"], "values": f["values"]} for f in figures]
    filters = [item for item in request["filters"] if item not in figures]
    having = [*(request.get("having") or ()), *limits]
    return {**previous, "semantic_request": {**request, "filters": filters, "having": having}}


def goes_on(reading: Reading, merged: Completed) -> bool:
    """전국으로 보면?: nothing but the request before, read another way."""
    return bool((reading.context.previous or {}).get("semantic_request")) and bool(merged[2])


def following(reading: Reading) -> Reading:
    """The question goes on with what the one before asked for."""
    return replace(
        reading, follows=True, intents=tuple(intents.inherited(reading.context.domain, repeated(reading)))
    )


def repeated(reading: Reading) -> list[str]:
    """The intents of the turn before that a question which goes on asks for again. What changed something outside is done
    once: it is asked for by name, or with all the rest (똑같이 해줘), and not where it is declined; beside figures the
    documents were searched for another half of the question; and who asks how much or how it was wants to know that alone."""
    context = reading.context
    before = [str(item["intent"]) for item in (context.previous or {}).get("parsed_intents") or ()]
    known = [intent for name in before if (intent := context.domain.intent(name))]
    outside = {str(item["name"]) for item in context.capabilities if item.get("side_effects")}
    outside = set[str]() if same_again(reading.source.text) else outside
    figures = any(intent.name in DATA_INTENTS for intent in known)
    declined = intents.declined(context.domain, reading.source.raw)
    text = reading.source.text
    if not figures and _HOW_MUCH.search(text) and not _JUDGED.search(text) and _names_figure(reading):
        return ["lookup"]
    asks = figures and _ASKS.search(text) and not same_again(text)
    return [
        intent.name
        for intent in known
        if not outside & {*intent.capabilities}
        and intent.name not in declined
        and not (figures and intent.name == "search")
        and not (asks and intent.name not in DATA_INTENTS)
    ]


def _names_figure(reading: Reading) -> bool:
    named = any(entity.type in ("metric", "value") for entity in reading.entities)
    return named and reading.context.domain.intent("lookup") is not None


_HOW_MUCH = regex(r"(?<![a-z])how (?:much|many)(?![a-z])|얼마|(?<![가-힣])몇")
_JUDGED = regex(
    r"위반|어긋|어긴|걸리|걸린|문제|넘|초과|규정|한도|(?<![a-z])(?:violat|breach|broke|break|over|above|exceed|limit|rule|wrong)"
)
"""Words of what a check finds, after which more of it is asked."""
_ASKS = regex(
    r"(?<![a-z])(?:how (?:was|were|is|are|did|does|do|much|many|about its)|what (?:was|were|is|are|did)|who|which|when)(?![a-z])"
    r"|얼마|(?<![가-힣])몇|어땠|어떤가|어때|누구|어디"
)
"""Words of a question that wants to know something, and orders nothing."""


def asks_how_it_was(reading: Reading, found: Composed) -> Composed | None:
    """3분기는 어때?: after a question of data, the figure of that question rather than the usual one."""
    best, previous = found.best, (reading.context.previous or {}).get("semantic_request")
    said = [node for p in found.path for node in p.nodes]
    usual = any(node.cat == "M" and "usual" in node.flags for node in said)
    named = any(node.cat in ("M", "V") and "usual" not in node.flags for node in said)
    usual = usual or (best is not None and "usual" in best.node.flags and best.node.base is not None)
    if not previous or best is None or not usual or named or found.unread:
        return None
    node = best.node
    against = frozenset({"versus"}) if node.base and node.flags & {"compare", "versus"} else frozenset[str]()
    rest = Node(
        "P" if node.period else "B" if node.base else "F", flags=against, filters=node.filters, period=node.period, base=node.base,
        groups=node.groups, weekdays=node.weekdays,
    )  # fmt: skip
    return replace(found, requests=(), fragment=rest)


def after_list(reading: Reading) -> bool:
    """Tell whether the question before listed things, of which a place can be asked without naming them: 꼴찌는?"""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    return len(things) == 1 and not previous.get("among")


def stands_alone(reading: Reading, found: Composed) -> bool:
    """A question such as "what was last month's total expense?" names its own figure and period and points at nothing before."""
    best, text = found.best, reading.source.text
    if best is None or found.unread or found.guesses or not best.query.get("period"):
        return False
    points = any(e.type == "reference" for e in reading.entities) or inheriting.leans(text)
    return bool(best.query.get("metrics") or best.query.get("derived")) and not points


def continues(reading: Reading, found: Composed) -> bool:
    """누적으로, 그 전 달은?: a phrase that asks nothing by itself, after a question of data."""
    previous = (reading.context.previous or {}).get("semantic_request")
    plain = all(intent.name in OWN_WORDS for intent in reading.intents)
    by_figure = found.fragment is not None and only_changes(
        found.fragment, previous or {}, reading.source.text
    )
    if previous and plain and not reading.follows and is_list(reading, found):
        return True
    alone = plain and not reading.follows and (found.best is None or by_figure)
    return bool(previous) and alone and found.fragment is not None and not found.unread and not found.guesses


def request_of(reading: Reading, found: Composed) -> Completed | None:
    """The request, completed from the turn before where the question leans on it."""
    made = _completed(reading, found)
    previous = (reading.context.previous or {}).get("semantic_request")
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    if made is None or not previous:
        return made
    made = of_the_chosen(made, previous, reading.source.text, terms)
    query, node, taken = kept_to_those(made, previous, reading.source.text, terms)
    query = (
        of_the_part(query, previous, found, terms) if taken or OF_THEM.search(reading.source.text) else query
    )
    ranked = query.get("comparison") and query.get("top")  # which category grew the most?, after expenses
    query = nearer(query, terms) if ranked else query
    return _among_several_units(query, taken, reading), node, taken


def _among_several_units(query: Plain, taken: Sequence[str], reading: Reading) -> Plain:
    """And the worst month?, after what happened in one month: of the months that were spoken of before that one."""
    groups, span = query.get("dimensions") or [], request.range_of(query.get("period"))
    alone = len(groups) == 1 and groups[0] in _UNITS and query.get("top") and span is not None
    if not alone or "period" not in taken or span is None or not _is_one(span, str(groups[0])):
        return query
    for turn in reversed((reading.context.previous or {}).get("earlier") or ()):
        before = (turn.get("semantic_request") or {}).get("period") or {}
        wide = request.range_of(before)
        if wide and wide.first <= span.first and span.last <= wide.last and not _is_one(wide, str(groups[0])):
            return {**query, "period": before}
    return query


_UNITS = ("day", "week", "month", "quarter", "year")


def _is_one(span: calendar.Range, unit: str) -> bool:
    first = calendar.relative_range(unit, 0, span.first)
    return first.first <= span.first and span.last <= first.last


def _completed(reading: Reading, found: Composed) -> Completed | None:
    best, previous = found.best, (reading.context.previous or {}).get("semantic_request")
    if previous and best and (shifted := _a_year_earlier(reading, found, best)):
        return shifted
    ways = (
        more_of_those,
        asked_of_figure,
        rows_listed,
        another_column,
        beside,
        fell_or_rose,
        in_a_named_whole,
        with_them,
        number_of_those,
        dearest_of_list,
    )
    tried = ways if previous else ()
    if previous and (more := next((made for way in tried if (made := way(reading, found, previous))), None)):
        return more
    pair = pair_of(reading)
    if pair and not found.unread:
        if both := _of_both(reading, found, pair):
            return both
        reading, previous = replace(reading, follows=True), pair
    if previous and (known := _about_those(reading, found, previous)):
        return known
    if previous and best and only_things(reading, found, previous):
        reading, best = replace(reading, follows=True), None
        found = replace(found, requests=(), fragment=_limits_of(found))
    if previous and best and not found.unread and (spoken := spoken_of(reading, found, previous, best)):
        return spoken
    if not previous or (best and not reading.follows):
        return (dict(best.query), best.node, []) if best else None
    merged = _conserved(reading, found, previous)
    if merged or best is None:
        return within_those(merged, previous, reading.source.text) if merged else None
    scope = scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
    query, taken = ellipsis.completed(previous, best, scope)
    return within_those((query, best.node, taken[1:]), previous, reading.source.text)


def _a_year_earlier(reading: Reading, found: Composed, best: Request) -> Completed | None:
    """The figure of that quarter, set against nothing: what were its sales in Q3 a year earlier?"""
    node, said = best.node, {n.cat for p in found.path for n in p.nodes}
    plain = not said & _AGAINST and not node.flags & {"versus", "compare"}
    if node.period is None or node.base != "year" or not plain or found.unread:
        return None
    if not _EARLIER.search(reading.source.text):
        return None
    back = moved(calendar.Range(node.period.first, node.period.last), "year")
    scope = scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
    made = requests(replace(node, period=Span(back.first, back.last), base=None), scope)
    return (dict(made[0].query), made[0].node, []) if made else None


_EARLIER = regex(r"(?<![a-z])(?:(?:a|one|the) year (?:earlier|before|ago))\W*\Z")


def only_things(reading: Reading, found: Composed, previous: Plain) -> bool:
    """거기서 종합병원만, only clinics: after a figure, a limit of it, and no list of such things."""
    best = found.requests[0]
    asked = any(
        best.query.get(key) for key in ("metrics", "derived", "count_groups", "existence", "having", "top")
    )
    figure = previous.get("metrics") or previous.get("derived")
    limits = best.query.get("filters") or _names_part(found)
    return bool(figure and not asked and limits and _ONLY.search(reading.source.text))


def _names_part(found: Composed) -> bool:
    """Tell whether the words can be read as a part and nothing else: public hospitals."""
    node = found.fragment
    return node is not None and bool(node.filters) and node == Node("F", filters=node.filters)


def _limits_of(found: Composed) -> Node | None:
    node = found.requests[0].node
    if not node.filters and _names_part(found):
        return found.fragment
    return Node("F", filters=node.filters, period=node.period) if not node.groups and not node.rank else None


_ONLY = regex(
    r"만(?=\s|[?.!]|\Z)|(?<![a-z])(?:only|just)(?![a-z])|(?<![가-힣])(?:거기|그|이)\s?(?:서|중|가운데)"
)


def _of_both(reading: Reading, found: Composed, pair: Plain) -> Completed | None:
    """The two months as one, the share of both values, or the larger of them."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    if pair.get("period") != previous.get("period"):  # two months that touch
        said = {node.cat for p in found.path for node in p.nodes}
        return (pair, Node("P"), ["metrics", "filters"]) if said <= {"TOTAL", "MUCH", "EACH", "P"} else None
    return (
        share_of_both(reading, found)
        or shares_apart(reading, found)
        or _grew_more(reading, found, pair)
        or _larger_of(replace(reading, follows=True), found, pair)
    )


def _about_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """A question about the things that the turn before chose: where they are, their share, another period of them."""
    tried = (
        property_of_those,
        share_of_chosen,
        share_of_those,
        those_then,
        of_how_many,
        _of_the_same,
        _some_of_them,
    )
    return next((made for way in tried if (made := way(reading, found, previous))), None)


def _some_of_them(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    return None if found.unread else some_of_those(reading, found, previous)


def unnamed(reading: Reading, found: Composed) -> bool:
    """반대로 제일 적은 사람은?: the figure is the usual one, or that of the things named, though the turn before named its own."""
    best, previous = found.best, (reading.context.previous or {}).get("semantic_request") or {}
    if best is None or found.unread or not previous.get("metrics"):
        return False
    if ellipsis.names_figure(found.path) and not IT_WAS.search(reading.source.text):
        return False
    asked = best.query.get("metrics") or best.query.get("derived")
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    kinds = {
        terms.counted_by(str(node.dim))
        for p in found.path
        for node in p.nodes
        if node.cat == "T" and node.dim
    }
    counted = (
        bool(best.query.get("metrics")) and set(best.query["metrics"]) <= kinds
    )  # 제품 카테고리별로: no number of products
    return bool(asked) and (counted or bool({"usual", "implied"} & {*best.assumed, *best.node.flags}))


def _conserved(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The request before with what the question says in its place, if every word of it left a trace; otherwise the
    question with what it leaves out put in, if that can be read."""
    if counted := one_of_the_counted(reading, found, previous):
        return counted
    own = unnamed(reading, found)
    merged = (
        changed(reading, replace(found, requests=()) if own else found, previous) if reading.follows else None
    )
    if found.unread or (merged and not traceless(reading, found, merged)):
        return merged
    scope = scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
    full = ellipsis.left_out(previous, found.path, scope)
    if full is None:
        return merged
    if THOSE.search(reading.source.text) and (previous.get("top") or previous.get("having")):
        return sum_of_those(previous, full, found, scope.terms) or merged
    query, taken = ellipsis.completed(previous, full, scope)
    return query, full.node, taken


def traceless(reading: Reading, found: Composed, made: Completed) -> list[tuple[int, int]]:
    """The words of a follow-up that stand for nothing in the request it makes."""
    previous = (reading.context.previous or {}).get("semantic_request")
    if not previous or not made[2]:
        return []
    if made[1] in (DIFFERENT, OF_THOSE, ROW_LIST):
        return []
    if made[1] in (Node("COUNT"), Node("COUNT", op="rows")) and _HOW_MANY_ROWS.search(reading.source.text):
        return []
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    text, path = reading.source.text, found.path
    if ranks := _ranked_as_before(reading, found, made[0], previous):
        return ranks
    if _AGAIN.search(text) or WHOLE.search(text):  # all regions again: the kind of thing is only named
        path = tuple(p for p in path if not all(node.cat in ("T", "TOTAL") for node in p.nodes))
    if THEY_SPENT.search(text):  # what customers spent is our sales
        path = tuple(p for p in path if not text.startswith(("spen", "pa"), p.start))
    return untraced(path, made[0], made[1], previous, terms)


def _ranked_as_before(
    reading: Reading, found: Composed, query: Plain, previous: Plain
) -> list[tuple[int, int]]:
    """The words of a ranking that gives the list before once more: whoever asks where most was sold has seen that list."""
    own, held = (
        {k: v for k, v in one.items() if v not in (None, [], {}, False) and k != "language"}
        for one in (query, previous)
    )
    asks = _WHERE.search(reading.source.text)
    if own != held or not asks:
        return []
    return [
        asks.span(),
        *((p.start, p.end) for p in found.path if any(node.cat in _RANKS for node in p.nodes)),
    ]


_WHERE = regex(
    r"(?<![가-힣])(?:어디|어느|누구|누가|언제|무슨|뭘|무엇을)[가-힣]*|(?<![a-z])(?:where|when|who|whom)(?![a-z])"
)
_RANKS = frozenset({"SUP", "SUPQ", "TOP", "NTH"})


def _of_the_same(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The request before, listed, against its base, without its limits, or in another form."""
    if is_list(reading, found):
        return listed(reading, previous, found)
    if limits := limits_of_list(reading, found):  # list the tier A ones, after a number of them
        filters = merged_filters(previous.get("filters") or [], [as_filter(f) for f in limits], adds=False)
        return listed(reading, {**previous, "filters": filters})
    if rows := _rows_of_it(reading, previous):
        return rows
    if found.unread:
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    held = chosen_by(previous) if chosen_thing(previous) else None
    if share := reached(reading.source.text, previous, held, terms):
        return share
    if found.best and (same := _against_its_base(reading, found, previous, found.best)):
        return same
    if other := bare_place(reading.source.text, previous) or _periods_compared(reading, found, previous):
        return other
    if _mean_of_all(reading, found, previous):
        whole = {
            key: value for key, value in previous.items() if key not in ("top", "order", "limit", "having")
        }
        return {**whole, "filters": [], "dimensions": [], "among": None}, Node("P"), ["metrics", "period"]
    if _only_whole(reading, found, previous):
        return {**previous, "filters": [], "among": None}, Node("P"), ["metrics", "period"]
    return _as_it_was(reading, found, previous)


def _as_it_was(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The request before, with all of its things where that is said, or as it stands: 표로 줘, 얼마?"""
    if _asks_for_all(reading, found, previous):  # show all regions, after the best one
        kept = {key: value for key, value in previous.items() if key not in ("top", "having", "limit")}
        return kept, Node("P"), list(kept)
    said = {node.cat for p in found.path for node in p.nodes}
    single = bool(previous.get("metrics")) and not any(previous.get(key) for key in _SEVERAL)
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    counted = single and all(m in terms.metrics and terms.counts(m) for m in previous["metrics"])
    plain = (
        reading.loosened
        and single
        and said <= {"TOTAL", "MUCH", "AND", "ALSO", *(["COUNT"] if counted else [])}
    )
    again = (reading.follows and (not said or plain)) or (said == {"MUCH"} and previous.get("top"))
    return (dict(previous), Node("P"), list(previous)) if again else None


_SEVERAL = ("dimensions", "top", "derived", "comparison", "among", "rows", "count_groups")
"""Parts of a request that gives more than one sum."""


def _asks_for_all(reading: Reading, found: Composed, previous: Plain) -> bool:
    """Tell whether nothing is said but the kind of thing that was ranked or limited, and that all of them are wanted."""
    said = [node for p in found.path for node in p.nodes[:1]]
    things = [*(previous.get("dimensions") or ())]
    lone = bool(said) and all(node.cat == "T" and [node.dim] == things for node in said)
    return (
        lone
        and bool(previous.get("top") or previous.get("having"))
        and bool(_EVERY.search(reading.source.text))
    )


_EVERY = regex(
    r"(?<![가-힣])(?:모든|전체|전부|모두|다(?=\s|\Z))|(?<![a-z])(?:all|every|each|the full list of)(?: of)?(?: the)? [a-z]"
)


def _rows_of_it(reading: Reading, previous: Plain) -> Completed | None:
    """The number of rows of a sum: how many items was that?"""
    if not _HOW_MANY_ROWS.search(reading.source.text):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    listed_things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    counted = Node("COUNT") if listed_things else Node("COUNT", op="rows")
    made = follow(previous, counted, scope_of(reading, terms), adds=False)
    return (made[0], counted, made[1]) if made else None


_HOW_MANY_ROWS = regex(
    r"(?<![a-z])how many"
    r"(?: (?:items?|entries|transactions?|orders?|rows?|records?|cases?|receipts?|deals?|payments?|bills?|times))?"
    r" (?:is|was|are|were|does|did) (?:that|those|it|this|these)(?: (?:in all|in total|come to|make|made))?\W*\Z"
)


def _periods_compared(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """얼마나 늘어난 거예요?, after this year and then last year: the one against the other."""
    earlier = (reading.context.previous or {}).get("replaced") or []
    said = {node.cat for p in found.path for node in p.nodes}
    said -= {"COUNT"} if "DIFF" in said else set()  # 몇 건 차이
    held = request.range_of(previous.get("period"))
    if (
        not earlier
        or earlier[-1]["dimension"] != combined_follow_ups.PERIOD
        or held is None
        or previous.get("comparison")
    ):
        return None
    if not said or not said <= {"GROW", "RATE", "DIFF", "MUCH", "PCT"} or not said & {"GROW", "RATE", "DIFF"}:
        return None
    other = request.range_of(dict(zip(("start", "end"), earlier[-1]["values"], strict=True)))
    assert other is not None
    first, last = sorted((held, other), key=lambda span: span.first)
    scope = scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
    made = compared(Span(last.first, last.last), Span(first.first, first.last), scope.today, scope.last)
    if made.comparison is None or (made.grain and not said <= {"RATE", "PCT"}):
        apart = combined_follow_ups.of_two_periods(previous, earlier[-1], "difference")
        return (apart, Node("DIFF"), ["metrics", "filters"]) if apart else None
    period = request_period(made.period) | ({"grain": made.grain} if made.grain else {})
    query = {**previous, "period": period, "comparison": made.comparison}
    return query, Node("BG", base=made.comparison, flags=frozenset({"versus"})), ["metrics", "filters"]


def _mean_of_all(reading: Reading, found: Composed, previous: Plain) -> bool:
    """전국 평균은? after a mean of one part: that of all."""
    said = {node.cat for p in found.path for node in p.nodes}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    metrics = [m for m in previous.get("metrics") or () if m in terms.metrics]
    means = bool(metrics) and all(terms.metrics[m].aggregate in ("ratio", "average") for m in metrics)
    whole = WHOLE.search(reading.source.text) or _COMPANY.search(reading.source.text)
    limited = previous.get("filters") or previous.get("dimensions")
    return bool(means and limited and said - {"TOTAL"} == {"AVG"} and whole)


_COMPANY = regex(
    r"(?<![가-힣])회사\s?평균|(?<![a-z])(?:the )?(?:company|overall|general)(?:'s|’s)? (?:average|mean)"
)


def _only_whole(reading: Reading, found: Composed, previous: Plain) -> bool:
    """전국으로 보면?, 전체로는?: nothing is said but that the limits of the question before are gone."""
    said = {node.cat for p in found.path for node in p.nodes}
    if reading.loosened:
        return False  # the total across all teams: the other limits stay
    limited = previous.get("filters") and not previous.get("dimensions")
    whole = WHOLE.search(reading.source.text) is not None
    things = {"TOTAL", "BASIS", "MUCH", "T", "AND"}
    if previous.get("filters") and said <= things and _AGAIN.search(reading.source.text):
        return True
    alone = _IN_ALL.match(reading.source.text) and not (reading.context.previous or {}).get("replaced")
    return bool(whole and not said) or bool((whole or alone) and limited and said <= things)


_IN_ALL = regex(
    r"\A\W*(?:(?:and|so|ok|okay|then)[,\s]+)*(?:what about |how about )?(?:in|the|what(?:'s|’s| is) the)? ?total\W*\Z"
)
_AGAIN = regex(
    r"(?:다시|도로)\s?(?:전체|전부|모두|전국|다(?=\s|\Z))|(?:전체|전국|전부|모두)(?:로|으로|를|을)?\s?(?:다시|도로)|원래대로"
    r"|(?<![a-z])(?:back to (?:all|every|the whole|everything)|all (?:the )?(?:[a-z]+ )?again|everything again)(?![a-z])"
)


def _grew_more(reading: Reading, found: Composed, pair: Plain) -> Completed | None:
    """Each of both against another period, the one that grew most first: which one grew more versus September?"""
    said = [n for p in found.path for n in p.nodes]
    grown = next((n for n in said if n.cat in ("GROW", "RATE", "GS")), None)
    held = [f for f in pair.get("filters") or () if f["op"] == "in" and len(f["values"]) > 1]
    metrics = pair.get("metrics") or []
    which = combined_follow_ups.WHICH.search(reading.source.text)
    if grown is None or not which or len(held) != 1 or len(metrics) != 1 or found.unread:
        return None
    base = next(
        (n.period or n.base for n in said if n.cat in ("P", "B") and (n.period or n.base)), "previous"
    )
    scope = scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary))
    own = compared_with(pair, Node("BG", base=base, flags=frozenset({"versus"})), scope)
    if own is None:
        return None
    down = grown.rank is None or grown.rank.descending
    order = [{"column": f"{metrics[0]}__change", "descending": down}]
    made = {**pair, "period": own["period"], "comparison": own["comparison"], "order": order}
    return {**made, "dimensions": [str(held[0]["dimension"])]}, Node("GM", base=base), ["filters", "metrics"]


def _larger_of(reading: Reading, found: Composed, pair: Plain) -> Completed | None:
    """둘 중 어디가 더 많아?, which of the two had more visits?"""
    said = [n for p in found.path for n in p.nodes]
    alone = said[0] if len(said) == 1 and said[0].cat == "COMPARATIVE" else None  # which one is bigger?
    node = found.fragment or (found.best.node if found.best else alone)
    if node is None or node.rank is None or not combined_follow_ups.WHICH.search(reading.source.text):
        return None
    by = [node.rank.by] if node.rank.by else list(node.metrics)
    made = combined_follow_ups.larger(pair, by or pair.get("metrics") or [], descending=node.rank.descending)
    return (made, node, ["filters", "period"]) if made else None


def _against_its_base(reading: Reading, found: Composed, previous: Plain, best: Request) -> Completed | None:
    """전월 대비, after a question of October: October against September, not the month that runs; and its sales in the month
    before: those of September."""
    held, base = request.range_of(previous.get("period")), best.node.base
    if again := compared_again(reading, previous, best):
        return again
    base = base.shift if isinstance(base, Span) else base
    grown = base is None and "previous" in best.assumed
    if "current" not in best.assumed or held is None or (base is None and not grown):
        return None
    if not grown and base not in ("year", "previous", calendar.grain_of(held)):
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    set_against = any(node.cat in _AGAINST for p in found.path for node in p.nodes)
    if base is not None and not set_against and not best.node.flags & {"versus", "compare"}:
        moved_back = moved(held, base if base != "previous" else "period")
        node = replace(best.node, period=Span(moved_back.first, moved_back.last), base=None)
    else:
        node = replace(best.node, period=Span(held.first, held.last), base=base)
    made = requests(node, scope_of(reading, terms))
    return (dict(made[0].query), made[0].node, ["period"]) if made else None


_AGAINST = frozenset({"VS", "GROW", "RATE", "DIFF", "TIMES", "GS", "AGAINST", "RATIO", "PCT"})
"""Words that set one period against another."""
