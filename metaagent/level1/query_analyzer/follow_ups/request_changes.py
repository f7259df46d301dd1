"""The request before with what a short question says in its place."""

from __future__ import annotations

from dataclasses import replace

from metaagent.language.calendar import grain_of
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import request
from metaagent.level1.query_analyzer.follow_ups import inheriting
from metaagent.level1.query_analyzer.follow_ups.pointing import (
    INCLUDED,
    Completed,
    chosen_by,
    chosen_thing,
    one_of_list,
    scope_of,
)
from metaagent.level1.query_analyzer.follow_ups.previous_selection import of_the_part
from metaagent.level1.query_analyzer.grammar import ellipsis
from metaagent.level1.query_analyzer.grammar.following import follow
from metaagent.level1.query_analyzer.grammar.meaning import Node, Span
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import as_filter, as_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading


def only_changes(node: Node, previous: Plain, text: str) -> bool:
    """Tell whether a phrase only changes the request before: by visits; units instead; 전체 매출 중 얼마나 차지해?, of the
    part spoken of."""
    if node == Node("M", metrics=node.metrics) and _INSTEAD.search(text):
        return True
    part = previous.get("filters") and not previous.get("dimensions") and not previous.get("derived")
    own = node.cat == "SM" and not node.filters and list(node.metrics) == previous.get("metrics")
    return node.cat == "BYM" or bool(part and own)


_INSTEAD = regex(r"(?<![a-z])instead\W*\Z|(?<![가-힣])대신\W*\Z|\A\W*(?:대신|instead,?)\s")
_RATHER = regex(r"(?<![a-z])(?:instead of|rather than)(?![a-z])|(?<![가-힣])(?:대신|말고)(?![가-힣])")
AMONG = regex(
    r"(?<![가-힣])(?:그|이|저|그것들|걔네|얘네)\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣])"
    r"|(?<![a-z])(?:among|out of|of|from) (?:them|those|these"
    r"|(?:that|it)(?= (?:was|were|is|are|for|in|at|from|came|went)(?![a-z])))(?![a-z])"
)
EVERYWHERE = regex(
    r"(?<![가-힣])(?:전국|전사|(?:우리\s?)?회사\s?전체|모든\s?(?:지역|병원|팀|제품|거래처))(?:으로는?|로는?|적으로|에서|의|는)?(?![가-힣])"
    r"|(?<![a-z])(?:company[- ]?wide|nation[- ]?wide|nationally|country[- ]?wide|across the (?:board|company|country)"
    r"|(?:(?:for|across|in) )?the (?:whole|entire) (?:company|business|firm|country|organi[sz]ation)"
    r"|(?:for|across|in) (?:all|every) (?:regions?|hospitals?|teams?|products?|accounts?))(?![a-z])"
)
"""Words for the whole company or country, whatever was spoken of before."""
WHOLE = regex(
    rf"{INCLUDED.pattern}|{EVERYWHERE.pattern}|"
    r"(?<![가-힣])(?:전체\s?(?:병원|지역|팀|제품|거래처)|전체)(?:으로는?|로는?|적으로|에서|의|는)?(?![가-힣])"
    r"|(?<![a-z])overall(?![a-z])"
    r"|\A\W*(?:(?:and|so|but|ok|okay|now|then)[,\s]+)*(?:(?:what|how) about )?(?:(?:for|across|over|with) )?"
    r"(?:everything|everyone|everybody|everywhere|all of (?:them|it)|them all|the lot)(?: together| combined)?\W*\Z"
)


def _by_measure(node: Node, text: str) -> Node:
    """Another figure of the same things: in units, 금액으로, in units sold instead of won."""
    measured = _MEASURED.search(text) or _INSTEAD.search(text) or inheriting.THE_SAME_BY.search(text)
    if node == Node("M", metrics=node.metrics) and measured:  # in units, 금액으로: of the same things
        node = replace(node, cat="BYM")
    elif node.cat == "M" and _RATHER.search(text):  # in units sold instead of won
        node = replace(node, flags=node.flags | {"instead"})
    return node


def changed(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The request before with what the question says in its place."""
    best, text = found.best, reading.source.text
    previous = _ranking_again(one_of_list(reading, previous), text)
    by_figure = found.fragment is not None and only_changes(found.fragment, previous, text)
    again = found.fragment is not None and found.fragment.cat == "COUNT" and "again" in found.fragment.flags
    node = best.node if best and not by_figure and not again else found.fragment
    if node is None:
        return None
    node = _by_measure(node, text)
    if _of_whole_scope(found, node, previous):
        previous = {key: value for key, value in previous.items() if key not in (*_LISTING, "dimensions")}
        best_of = Node("F", filters=node.filters, period=node.period)
        made = follow(
            previous,
            best_of,
            scope_of(reading, terms_of(reading.context.domain, reading.context.vocabulary)),
            adds=False,
        )
        return (made[0], best_of, made[1]) if made else None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    adds = bool(inheriting.added_fields(text, reading.entities)) and not _SAME_WAY.search(text)
    inner = None
    if AMONG.search(text) and previous.get("top") and not previous.get("among") and not node.metrics:
        inner = {key: value for key, value in previous.items() if value not in (None, [], {}, False)}
        previous = {key: value for key, value in previous.items() if key not in ("top", "order", "limit")}
    elif WHOLE.search(text) and node == Node("TOTAL", split=False) and _is_limited_list(previous):
        made = {
            **previous,
            "filters": [],
            "language": reading.language,
        }  # and overall?, after the best in Seoul
        return (
            made,
            Node("F"),
            [key for key in ("metrics", "dimensions", "period", "top") if previous.get(key)],
        )
    elif WHOLE.search(text) and node.cat not in ("SHARE", "SM", "Q"):
        kept = previous.get("filters") if node.filters else []
        previous = {**previous, "filters": kept, "among": None}  # 서울 전체에서: not only of those listed
        if node == Node("TOTAL", split=False):  # and for everyone?, after the best three: no sum of these
            previous = {key: value for key, value in previous.items() if key not in ("top", "order", "limit")}
    if previous.get("weekdays") and (days := _other_days(found)):  # and weekdays?, after weekends
        node = days
    node = _buying_place(_shown_per(node, text), previous, terms, text)
    node = _ranked_by_it(node, found, previous, terms)
    node = _of_the_list(_counts_again(_one_before(node, previous), previous, terms, text), previous)
    node = _limit_of_list(node, found, previous, text)
    made = follow(_of_all_times(previous, node), node, scope_of(reading, terms), adds=adds)
    if made is None:
        return None
    if AMONG.search(text) and not inner and not made[0].get("among"):
        inner = previous.get("among")  # 그중 매출 1등은?, after a figure of some: of those
    query = {**made[0], "among": inner} if inner else made[0]
    query = _side_by_side(query, previous) if adds and not _ADDED_UP.search(text) else query
    return of_the_part(query, previous, found, terms), node, made[1]


_LISTING = ("top", "order", "limit", "having", "share", "among", "count_groups", "existence")


def _of_whole_scope(found: Composed, node: Node, previous: Plain) -> bool:
    """Tell whether the sum of a place that was spoken of is asked for, after a list of some things there: 부산 전체는 얼마였어?,
    what was the total for Seoul?"""
    said = {n.cat for p in found.path for n in p.nodes[:1]}
    held = [f for f in previous.get("filters") or () if f.get("op") == "in"]
    named = [as_filter(f) for f in node.filters]
    same = bool(named) and all(
        any(f["dimension"] == one["dimension"] and not f.get("negated") for one in held) for f in named
    )
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    own = not {f["dimension"] for f in named} & {*things}
    plain = "TOTAL" in said and said <= {"TOTAL", "F", "MUCH", "P", "AND"}
    return (
        plain
        and same
        and own
        and bool(things)
        and bool(previous.get("metrics"))
        and not previous.get("derived")
    )


_SAME_WAY = regex(
    r"(?:같은|똑같은)\s?(?:식|방식|기준|조건|방법|걸로|거로|형식|포맷)|(?<![가-힣])(?:똑같이|동일하게|마찬가지로)(?:\s?처리)?"
    r"|(?<![a-z])(?:the )?same (?:for|thing|way)(?![a-z])"
)
_ADDED_UP = regex(
    r"합치|합쳐|합해|합산|합계|더하|더해|포함|통틀어|총|까지\s?(?:다\s?)?(?:치|쳐|하면|해서|넣)"
    r"|(?<![a-z])(?:includ(?:e|ed|ing)|counting|adding|add in|throwing in|along with|together with"
    r"|combined|together|in total|total|altogether|sum|added up)(?![a-z])"
)
_ONE_FIGURE = (
    "top",
    "order",
    "having",
    "derived",
    "share",
    "comparison",
    "count_groups",
    "existence",
    "among",
)


def _side_by_side(query: Plain, previous: Plain) -> Plain:
    """부산도, Busan too: the figure of each, not of both together, unless that is said."""
    before = {str(f["dimension"]): f["values"] for f in previous.get("filters") or ()}
    grown = [
        str(f["dimension"])
        for f in query.get("filters") or ()
        if f["op"] == "in" and len(f["values"]) > len(before.get(str(f["dimension"])) or f["values"])
    ]
    groups = query.get("dimensions") or []
    if len(grown) != 1 or grown[0] in groups or any(query.get(key) for key in _ONE_FIGURE):
        return query
    return {**query, "dimensions": [grown[0], *groups]}


_BESIDE = regex(
    r"비교|비하|비해|견주|나란히|옆에|(?<![a-z])(?:compar|against|next to|beside|side by side|alongside|versus|vs\.?(?![a-z]))"
)
_AROUND = frozenset({"VS", "EACH", "AND", "ALSO", "AGAINST", "BASIS", "MUCH"})


def _named_beside(text: str, found: Composed) -> Node | None:
    """The one name that something is set beside, where nothing else is said."""
    said = [p.nodes for p in found.path if p.nodes]
    names = [
        next((n for n in nodes if n.cat == "F" and n == Node("F", filters=n.filters)), None) for nodes in said
    ]
    rest = [nodes for nodes, name in zip(said, names, strict=True) if name is None]
    around = all(any(n.cat in _AROUND or "usual" in n.flags for n in nodes) for nodes in rest)
    named = [name for name in names if name is not None]
    return named[0] if len(named) == 1 and around and _BESIDE.search(text) else None


def beside(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """대전하고 비교해줘, compare that with Busan: each of both, the one spoken of and the other."""
    node, terms = (
        _named_beside(reading.source.text, found),
        terms_of(reading.context.domain, reading.context.vocabulary),
    )
    if node is None or found.unread:
        return None
    held = {str(f["dimension"]): f for f in previous.get("filters") or () if f.get("op") == "in"}
    own = node.filters[0].dimension if len(node.filters) == 1 and not node.filters_listed else ""
    fixed = any(previous.get(key) for key in _ONE_FIGURE if key != "comparison")
    if own not in held or node.period or node.base or fixed or node.filters[0].negated:
        return None
    kept = {key: value for key, value in previous.items() if key != "comparison"}
    other = Node("F", filters=node.filters)
    made = follow(kept, other, scope_of(reading, terms), adds=True)
    return (_side_by_side(made[0], kept), other, made[1]) if made else None


def another_column(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The request before with one more figure of the same things beside the others."""
    text, terms = reading.source.text, terms_of(reading.context.domain, reading.context.vocabulary)
    node = found.best.node if found.best else found.fragment
    fixed = any(
        previous.get(key) for key in ("derived", "share", "count_groups", "comparison", "running_total")
    )
    held = [str(m) for m in previous.get("metrics") or ()]
    ends = [p.end for p in found.path if any(n.cat == "M" for n in p.nodes)]
    if node is None or fixed or found.unread or not inheriting.adds_figure(text, ends):
        return None
    plain = replace(node, metrics=(), period=None, cost=0.0, flags=frozenset(), split=None) == Node("M")
    own = [m for m in node.metrics if m not in held]
    if not plain or not own:
        return None
    if node.period and held and node.period != _span_of(previous):
        previous, held = _things_of(previous), []  # 올해 매출도 붙여줘: of the same things, in its own period
    limits = [str(f["dimension"]) for f in previous.get("filters") or ()]
    if not all(terms.splits(m, name) for m in own for name in (*limits, *(previous.get("dimensions") or ()))):
        return None
    made = {**previous, "metrics": [*held, *own], "language": reading.language}
    if node.period:
        made["period"] = as_period(node.period)
    return made, node, [key for key in previous if key not in ("metrics", "language")]


def _span_of(previous: Plain) -> Span | None:
    held = request.range_of(previous.get("period"))
    return Span(held.first, held.last) if held else None


def _things_of(previous: Plain) -> Plain:
    """The things that the turn before listed, without its figures."""
    groups = [name for name in previous.get("dimensions") or () if name not in TIMES]
    kept: Plain = {"dimensions": groups, "filters": previous.get("filters") or []}
    if chosen_thing(previous):
        return {**kept, "filters": [], "among": chosen_by(previous)}
    return {**kept, "among": previous.get("among")}


def _is_limited_list(previous: Plain) -> bool:
    ranked = bool(previous.get("top") or previous.get("having"))
    return (
        ranked and bool(previous.get("filters") and previous.get("dimensions")) and not previous.get("among")
    )


_RANKING = regex(
    r"(?<![a-z])(?:same|that|the) (?:ranking|ranked list|list|top \w+)(?![a-z])"
    r"|(?<![가-힣])(?:같은|그|아까)\s?(?:순위|랭킹|목록|명단)"
)


def _ranking_again(previous: Plain, text: str) -> Plain:
    """Same ranking for September, after the sum of the best five: the list, and no sum of those that were in it."""
    inner = previous.get("among") or {}
    return (
        inner if inner.get("top") and not previous.get("dimensions") and _RANKING.search(text) else previous
    )


_MEASURED = regex(
    r"\A\W*(?:(?:and|ok|okay|now|then|so|but)[,\s]+)*in [a-z]+(?: [a-z]+)?\W*\Z"
    r"|(?:으로|로)(?:는|도)?\s?(?:다시|바꿔\s?줘|보여\s?줘|보면|하면)?\W*\Z"
)


def _other_days(found: Composed) -> Node | None:
    """The days that the question names and nothing else."""
    said = [p.nodes for p in found.path if p.nodes and not all(n.cat in ("AND", "ALSO") for n in p.nodes)]
    days = [next((n for n in nodes if n.cat == "DAYS"), None) for nodes in said]
    return days[0] if len(days) == 1 else None


_WHERE = regex(r"(?:데|곳)(?:가|이|는|은)?(?=\s|[?.!]|\Z)|어디|(?<![a-z])where(?![a-z])")


def _buying_place(node: Node, previous: Plain, terms: Terms, text: str) -> Node:
    """제일 많이 산 데가 어디야?, after one figure: the customer who did, by that figure."""
    kind = terms.domain.entity_dimensions.get("organisation")
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    if node.cat != "R" or node.rank is None or previous.get("dimensions") or not _WHERE.search(text):
        return node
    if kind not in terms.dimensions or len(metrics) != 1 or not terms.splits(metrics[0], str(kind)):
        return node
    same = node.rank.by in terms.metrics and terms.same_fact(str(node.rank.by), metrics[0])
    plain = node.flags - {"moved"}
    return replace(node, cat="T", dim=kind, rank=replace(node.rank, by=None), flags=plain) if same else node


def _shown_per(node: Node, text: str) -> Node:
    """Show that per team: a list of teams; per team?: of one on average."""
    thing = (
        str(node.per).removeprefix("dim:") if node.cat == "PERD" and str(node.per).startswith("dim:") else ""
    )
    shown = thing and "@" not in thing and not node.average and _SHOWN.search(text)
    return Node("G", groups=(thing,), period=node.period) if shown else node


_SHOWN = regex(r"(?<![a-z])(?:show|list|break|split|display|see|table|breakdown)(?![a-z])")


def _ranked_by_it(node: Node, found: Composed, previous: Plain, terms: Terms) -> Node:
    """어느 담당자가 제일 많아? after a figure: whoever has most of that, not most of them."""
    said = [n for p in found.path for n in p.nodes if n.cat == "T"]
    things = [n for n in said if n == Node("T", dim=n.dim, flags=n.flags & {"who"}, cost=n.cost)]
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    if (
        node.cat != "R"
        or node.rank is None
        or len(things) != 1
        or len(metrics) != 1
        or previous.get("derived")
    ):
        return node
    dim = str(things[0].dim)
    counted = node.rank.by == terms.counted_by(dim) and terms.splits(metrics[0], dim)
    plain = node.flags - {"who"}
    return replace(node, cat="T", dim=dim, rank=replace(node.rank, by=None), flags=plain) if counted else node


def _counts_again(node: Node, previous: Plain, terms: Terms, text: str) -> Node:
    """Read "how many of those were in Busan?" after a number of visits: visits there, no hospitals that a place stands for."""
    if node.cat != "M" or node.groups or node.rank:
        return node
    kinds = [f.dimension for f in node.filters]
    named = AMONG.search(text) and any(terms.counted_with(name) in node.metrics for name in kinds)
    before = [m for m in previous.get("metrics") or () if m in terms.metrics]
    spent = (
        AMONG.search(text)
        and any(terms.kind_of_money(name) in node.metrics for name in kinds)
        and len(before) == 1
    )
    named = named or (spent and terms.same_fact(node.metrics[0], before[0]))
    if "implied" not in node.flags and not (named and kinds):
        return node
    if previous.get("count_groups") or previous.get("having") or previous.get("existence"):
        return Node("COUNT", filters=node.filters, period=node.period)
    counted = len(before) == 1 and terms.counts(before[0])
    return Node("F", filters=node.filters, period=node.period) if counted else node


def _of_the_list(node: Node, previous: Plain) -> Node:
    """상위 3곳만 after a list of regions: three of them, whatever the counter counts elsewhere."""
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    counted = node.cat == "T" and "who" in node.flags and node.rank is not None and node.rank.by is None
    if not counted or not things or node.filters or node.having:
        return node
    return Node("TOP", rank=node.rank, numbers=node.numbers, period=node.period)


def _of_all_times(previous: Plain, node: Node) -> Plain:
    """Spread a figure over all the months shown before: how much is that a month on average?"""
    each = node.cat == "PERD" and previous.get("dimensions") == [node.per]
    return {**previous, "dimensions": []} if each else previous


def _limit_of_list(node: Node, found: Composed, previous: Plain, text: str) -> Node:
    """Limit the things shown before by their figure: who got past 500,000 won?, 그중 50만 원 넘는 권역은?"""
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    chosen = any(previous.get(key) for key in ("top", "having", "existence", "among", "count_groups"))
    if not node.having or len(things) != 1 or chosen or ellipsis.names_figure(found.path):
        return node
    same = node.cat in ("C", "T") and (node.dim in (None, things[0]) or _WHO.search(text))
    if not same or any(one.dimension != things[0] for one in node.filters) or node.rank or node.groups:
        return node
    unit = node.unit or next((n.unit for p in found.path for n in p.nodes if n.cat == "N"), None)
    return Node(
        "C", having=tuple(replace(one, column="") for one in node.having), unit=unit, period=node.period
    )


_WHO = regex(r"(?<![a-z])who(?![a-z])|(?<![가-힣])(?:누가|누구)")


def _one_before(node: Node, previous: Plain) -> Node:
    """Read "what about the previous quarter?" after a question of that very quarter: the one before it."""
    held, span = request.range_of(previous.get("period")), node.period
    if held is None or span is None or node.metrics:
        return node
    unit, same = _BEFORE.search(span.label.lower()), (span.first, span.last) == (held.first, held.last)
    if unit and not same and not (unit["then"] and grain_of(held) == unit["unit"]):
        return node  # and last month?: before today; and the previous month?: before the one spoken of
    return replace(node, cat="B", period=None, base=_BEFORE_UNITS[unit["unit"]]) if unit else node


_BEFORE = regex(
    r"(?:(?P<then>previous|prior|preceding)|전|지난|저번|직전)\s?(?P<unit>year|quarter|month|week|해|년|분기|달|월|주)"
)
_BEFORE_UNITS = {
    "year": "year", "해": "year", "년": "year", "quarter": "quarter", "분기": "quarter", "month": "month", "달": "month",
    "월": "month", "week": "week", "주": "week",
}  # fmt: skip
