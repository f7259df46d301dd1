"""Rules for numbers and limits: what a number bounds, on a figure of things or on single rows."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import (
    Condition,
    Node,
    RowLimit,
    bare,
    replace,
    unify,
)
from metaagent.level1.query_analyzer.grammar.rules_things import happened
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

_LARGE = 1_000_000
"""An amount that no single piece costs."""


@rule("N CMP", en="<")
@rule("N CMPR", ko="-")
@rule("N IS", en="-")
def limit(_: Terms, n: Node, c: Node) -> Node | None:
    return Node("C", having=(Condition("", str(c.op), n.numbers),), unit=n.unit, cost=n.cost + c.cost)


@rule("N CMPR", en="-")
def spread(_: Terms, n: Node, c: Node) -> Node | None:
    return limit(_, n, c)


@rule("N UPTO")
@rule("RANGE N", ko="-")
def from_number(_: Terms, n: Node, link: Node) -> Node | None:
    number = n if n.cat == "N" else link
    return replace(number, cat="NF")


@rule("NF N|&N")
def band(_: Terms, low: Node, high: Node) -> Node | None:
    unit = high.unit or low.unit
    first = low.numbers[0]
    if low.unit is None and high.unit in ("money", "big") and first < 10_000:
        first = _with_scale_of(first, high.numbers[0])
    apart = low.unit and high.unit and low.unit != high.unit and {low.unit, high.unit} != {"big", "money"}
    if apart or first >= high.numbers[0]:
        return None
    return Node("C", having=(Condition("", "between", (first, high.numbers[0])),), unit=unit)


def _with_scale_of(low: float, high: float) -> float:
    """1~2천만 원, from 10 to 20 million: the scale stands only once."""
    scale = 1
    while high % (scale * 10) == 0 and low * scale * 10 < high:
        scale *= 10
    return low * scale


@rule("PERROW C", en="-")
def of_each_row(_: Terms, __: Node, c: Node) -> Node | None:
    """건당 50만 원 이상: the limit is on single rows."""
    return replace(c, cat="CR")


@rule("CR IS", en="-")
def of_each_row_is(_: Terms, c: Node, __: Node) -> Node | None:
    return c


@rule("CR M", en="-")
def each_row(terms: Terms, c: Node, body: Node) -> Node | None:
    return rows(terms, replace(c, cat="C"), body)


@rule("C T", ko=">", en="<")
def those_within(_: Terms, c: Node, t: Node) -> Node | None:
    """80% 밑도는 사람만: of those that the turn before listed."""
    plain = replace(t, flags=t.flags - {"who", "several"}) == Node("T", dim=t.dim)
    return replace(c, dim=t.dim, cost=c.cost + t.cost + 0.8) if plain and c.dim is None else None


@rule("C T", ko="-", en=">")
def so_many_things(_: Terms, c: Node, t: Node) -> Node | None:
    """Fewer than 10 hospitals: so many different ones."""
    plain = bare(t) and c.dim is None and c.unit in (None, "count") and t.dim not in TIMES
    return replace(c, dim=t.dim, cost=c.cost + t.cost + 0.4) if plain else None


@rule("T C", ko="-")
@rule("C T", en="-")
def usual_limit(terms: Terms, a: Node, b: Node) -> Node | None:
    """Regions that made less than 30 million: in the usual figure."""
    t, c = (a, b) if a.cat == "T" else (b, a)
    money = terms.usual is not None and terms.is_money(terms.usual) and c.unit in ("money", "big")
    if not money or c.dim or t.rank or t.having or t.existing or t.groups or not t.dim:
        return None
    if "who" in t.flags or not terms.splits(str(terms.usual), t.dim):
        return None
    if terms.is_sold(t.dim) and any(value < _LARGE for one in c.having for value in one.values):
        return None
    having = tuple(_scaled(one, str(terms.usual), percent=False) for one in c.having)
    made = unify("T", t, Node("H", having=having, flags=frozenset({"usual"})))
    small = c.unit == "money" and all(value < _LARGE for one in c.having for value in one.values)
    return replace(made, cost=made.cost + c.cost + (2.2 if small else 1.3)) if made else None


@rule("T C", ko="-")
@rule("C T", en="-")
def price_limit(terms: Terms, a: Node, b: Node) -> Node | None:
    """Products above 2,000 won: by their price."""
    t, c = (a, b) if a.cat == "T" else (b, a)
    small = c.unit == "money" and all(value < _LARGE for one in c.having for value in one.values)
    if not small or c.dim or terms.price is None or terms.owner(terms.price) != t.dim or t.rank or t.having:
        return None
    made = _own_column(terms, Node("D", dim=terms.price), c)
    whole = unify("T", t, made) if made else None
    return replace(whole, cost=whole.cost + 0.8) if whole else None


@rule("C PERD", ko="<")
def of_each_piece(terms: Terms, c: Node, per: Node) -> Node | None:
    """개당 9천 원 넘는, over 9,000 won per unit: the limit is on a price."""
    pieces = str(per.per).removeprefix("metric:")
    small = c.unit == "money" and all(value < _LARGE for one in c.having for value in one.values)
    if not small or c.dim or pieces not in terms.metrics or not terms.is_pieces(pieces) or per.filters:
        return None
    return replace(c, flags=c.flags | {"price"}, cost=c.cost + per.cost - 0.5)


@rule("H|T ANYUNIT", ko="=", en="=")
def in_any_unit(terms: Terms, t: Node, unit: Node) -> Node | None:
    """Products over 100 million in a single month, 한 달에 1억 넘게 판 적 있는: those months of theirs."""
    fits = len(t.having) == 1 and not t.having[0].growth and not t.having[0].relative and not t.groups
    if not fits or t.existing or t.rank or t.dim in TIMES:
        return None
    return replace(t, groups=unit.groups, cost=t.cost + unit.cost)


@rule("C COUNT", ko="=", en="=")
def how_many_within(_: Terms, c: Node, count: Node) -> Node | None:
    """그중 50만 원 넘는 건 몇 건?, how many of those were over 500,000 won: of what the turn before added up."""
    return (
        replace(count, having=c.having, unit=c.unit, cost=c.cost + count.cost + 0.6)
        if not count.having
        else None
    )


@rule("COUNT COUNT", en="-")
def counted_twice(_: Terms, a: Node, b: Node) -> Node | None:
    """넘는 건 몇 건."""
    plain = a.op == b.op == "rows" and not b.having
    return replace(a, cost=a.cost + b.cost) if plain else None


@rule("COUNT NOT", ko="=", en=">")
def how_many_not(_: Terms, count: Node, no: Node) -> Node | None:
    """The others, after those that did: how many didn't?, 못 한 사람은 몇 명이야?"""
    plain = not count.having and not count.filters
    return Node("NOT", flags=frozenset({"count"}), cost=count.cost + no.cost + 0.6) if plain else None


@rule("C RANGE|IS", en="-")
def band_closed(_: Terms, c: Node, __: Node) -> Node | None:
    return c


@rule("C C|&C")
def two_limits(_: Terms, a: Node, b: Node) -> Node | None:
    ops = {a.having[0].op[0], b.having[0].op[0]}
    return unify("C", a, b) if a.unit == b.unit and ops == {"<", ">"} else None


def _scaled(condition: Condition, column: str, *, percent: bool) -> Condition:
    values = tuple(value / 100 for value in condition.values) if percent else condition.values
    return replace(condition, column=column, values=values)


def _on(terms: Terms, body: Node, c: Node) -> str | None:
    """The figure that a limit is about."""
    name = body.metrics[0]
    if c.dim is not None:  # visited fewer than 10 hospitals
        return terms.distinct(c.dim, name) if body.cat == "V" else None
    if body.cat == "V" and (
        c.unit == "money" or (c.unit == "big" and terms.is_trade(name) and terms.money_of(name))
    ):
        return terms.money_of(name)  # bought more than 10 million: no number of orders
    return name if terms.fits(name, c.unit) else None


@rule("M|V C")
@rule("C V", en="-")
@rule("C M", ko="-")
def threshold(terms: Terms, body: Node, c: Node) -> Node | None:
    """매출이 5천만 원 넘는; more than 60 visits: a condition on a thing's figure."""
    body, c = (body, c) if c.cat == "C" else (c, body)
    if len(body.metrics) != 1 or body.average or body.groups or body.rows or body.kind:
        return None
    column = _on(terms, body, c)
    if column is None and c.unit == "%" and body.cat == "M":  # below 80 % of target
        column = terms.achievement(body.metrics[0])
    if column is None or (
        terms.counts(column) and c.unit == "big" and body.cat == "M" and terms.on_rows(column, "big")
    ):
        return None
    if terms.counts(column) and [(one.op, one.values) for one in c.having] == [("=", (0.0,))]:
        return happened(terms, replace(body, cost=body.cost + c.cost), exists=False)  # 0건인: without any
    if terms.adds(column) and [(one.op, one.values) for one in c.having] == [("<", (1.0,))]:
        return happened(terms, replace(body, cost=body.cost + c.cost), exists=False)  # 한 개도 안 팔린
    percent = terms.metrics[column].unit == "%"
    having = tuple(_scaled(one, column, percent=percent) for one in c.having)
    if body.per:
        return None
    return replace(body, cat="H", metrics=(), having=(*body.having, *having), cost=body.cost + c.cost)


@rule("N M|V", ko="-")
def numbered(_: Terms, n: Node, body: Node) -> Node | None:
    """The number before its figure, as in 10 visits or more."""
    plain = body == Node(body.cat, metrics=body.metrics) and len(n.numbers) == 1
    return replace(n, cat="NM", metrics=body.metrics, cost=n.cost + body.cost + 0.3) if plain else None


@rule("NM CMPR", ko="-")
def at_least_so_many(terms: Terms, figure: Node, c: Node) -> Node | None:
    """10 visits or more."""
    number = Node("N", numbers=figure.numbers, unit=figure.unit)
    made = limit(terms, number, c)
    body = Node("M", metrics=figure.metrics, cost=figure.cost + c.cost)
    return threshold(terms, body, made) if made else None


def _row_limits(terms: Terms, metric: str, c: Node) -> tuple[RowLimit, ...] | None:
    column = terms.on_rows(metric, c.unit)
    return tuple(RowLimit(column, one.op, one.values) for one in c.having) if column else None


@rule("C M", en="<")
def rows(terms: Terms, c: Node, body: Node) -> Node | None:
    """50만 원 넘는 지출; orders over 1 million won: a condition on each row."""
    if (
        len(body.metrics) != 1
        or terms.metrics[body.metrics[0]].sides
        or c.unit in (None, "count", "%")
        or body.per
    ):
        return None
    limits = _row_limits(terms, body.metrics[0], c)
    if limits is None:
        return None
    if body.split is False and terms.counts(
        body.metrics[0]
    ):  # the total of seminars over 6 million: their sum
        body = replace(body, metrics=(limits[0].column,))
    return replace(body, rows=(*body.rows, *limits), cost=body.cost + c.cost + 0.5)


@rule("INMONEY C", ko="-")
@rule("MUCH C")
def limit_in_money(_: Terms, link: Node, c: Node) -> Node | None:
    """Repairs that came to more than 500, 금액이 5,000 넘는: the number is an amount, though it names no currency."""
    if link.cat == "MUCH" and (link.unit != "money" or "basis" in link.flags):
        return None
    return replace(c, unit="money", cost=c.cost + link.cost) if c.unit in (None, "big", "money") else None


@rule("C M", en="<")
def worth_in_lines(terms: Terms, c: Node, body: Node) -> Node | None:
    """10만 원 넘는 주문, orders worth more than 100,000: where only their lines say what an order is worth."""
    plain = len(body.metrics) == 1 and not (body.per or body.groups or body.kind or body.rank)
    if not plain or c.unit not in ("money", "big") or _row_limits(terms, body.metrics[0], c) is not None:
        return None
    row, worth = terms.row_of(body.metrics[0]), terms.worth_in_lines(body.metrics[0])
    if row is None or worth is None or terms.is_sold(row):  # products below 500 won: rather their price
        return None
    having = tuple(replace(one, column=worth) for one in c.having)
    made = replace(body, cat="T", metrics=(), dim=row, having=(*body.having, *having))
    return replace(made, cat="Q", kind="count", cost=body.cost + c.cost + 0.5)


@rule("M C")
def row_condition(terms: Terms, body: Node, c: Node) -> Node | None:
    """금액이 50만 원 넘는 ...: a condition that a row's own figure states."""
    if len(body.metrics) != 1 or c.unit == "%" or body.per or body.groups or body.kind:
        return None
    if (
        c.unit == "count" and terms.metrics[body.metrics[0]].aggregate != "average"
    ):  # 평점 3점 이하, but no 방문 3회 이상
        return None
    limits = _row_limits(terms, body.metrics[0], c)
    return replace(body, cat="RC", rows=limits, cost=body.cost + c.cost + 0.6) if limits else None


@rule("PERHEAD C", ko=">", en="<")
def of_each_head(_: Terms, head: Node, c: Node) -> Node | None:
    """1인당 10만 원 넘는, over 100,000 won per head: the limit is on what a row costs each guest."""
    plain = c.dim is None and c.unit in ("money", "big")
    return replace(c, cat="CH", cost=c.cost + head.cost) if plain else None


@rule("M|V CH")
@rule("CH M", en="-")
def rows_per_head(terms: Terms, a: Node, b: Node) -> Node | None:
    """Meals that cost more than 100,000 won per head: a condition on each row, by the people that it counts."""
    body, c = (b, a) if a.cat == "CH" else (a, b)
    if len(body.metrics) != 1 or body.per or body.kind or body.groups or body.rank:
        return None
    worth = terms.money_of(body.metrics[0])
    people = worth and (terms.people_of(worth) or terms.guests_of(worth, body.filters))
    return _divided(terms, body, c, people) if people else None


@rule("M C", en="-")
def rows_over_per_head(terms: Terms, body: Node, c: Node) -> Node | None:
    """1인당 식대가 10만 원 넘는: of each meal, and not of all of them together."""
    people = str(body.per).removeprefix("metric:")
    counted = people in terms.metrics and terms.metrics[people].unit == "명"
    if not counted or len(body.metrics) != 1 or body.kind or body.groups or body.rank:
        return None
    return _divided(terms, replace(body, per=None), c, people)


def _divided(terms: Terms, body: Node, c: Node, people: str) -> Node | None:
    limits = _row_limits(terms, body.metrics[0], c)
    if limits is None or not terms.same_fact(people, body.metrics[0]):
        return None
    rows = tuple(replace(one, per=people) for one in limits)
    return replace(body, cat="M", rows=(*body.rows, *rows), cost=body.cost + c.cost - 0.2)


@rule("C M", ko="-")
def so_many_in_row(terms: Terms, c: Node, body: Node) -> Node | None:
    """Bookings with 6 or more players: a condition that a row's own figure states, its unit behind it."""
    plain = c.unit is None and len(body.metrics) == 1 and terms.metrics[body.metrics[0]].aggregate == "sum"
    return row_condition(terms, replace(body, cost=body.cost - 0.3), c) if plain else None


@rule("D C")
def column_condition(terms: Terms, d: Node, c: Node) -> Node | None:
    """방문 길이 60분 이상: the dimension of numbers names the column."""
    term = terms.dimensions.get(str(d.dim))
    own = [
        t.name
        for t in terms.metrics.values()
        if term and t.column == term.column and t.aggregate == "sum" and not t.filtered
    ]
    if not own:
        return _own_column(terms, d, c)
    return Node("RC", metrics=(own[0],), rows=tuple(RowLimit(own[0], one.op, one.values) for one in c.having))


def _own_column(terms: Terms, d: Node, c: Node) -> Node | None:
    """단가가 500원 이상인 제품: a column of the things themselves, of which each has one value."""
    term = terms.dimensions.get(str(d.dim))
    means = [
        t.name
        for t in terms.metrics.values()
        if term
        and t.column == term.column
        and t.aggregate in ("average", "max")
        and not t.filtered
        and not t.time
    ]
    if not means or not terms.fits(means[0], c.unit):
        return None
    return Node(
        "H",
        flags=c.flags & {"price"},
        having=tuple(replace(one, column=means[0]) for one in c.having),
        cost=d.cost + c.cost,
    )


@rule("RC M", ko="=", en="=")
def rows_that(terms: Terms, rc: Node, body: Node) -> Node | None:
    if len(body.metrics) != 1 or not terms.same_fact(rc.metrics[0], body.metrics[0]):
        return None
    part = terms.limits_of(rc.metrics[0])
    if part is None or terms.metrics[body.metrics[0]].only == terms.metrics[rc.metrics[0]].only:
        part = ()
    own = tuple(f for f in part if f not in body.filters)  # 식대 중 50만 원 넘는 결제: payments for meals
    return unify("M", replace(rc, filters=(*rc.filters, *own)), body, metrics=body.metrics)


@rule("RC COUNT", en="-")
def rows_that_are(terms: Terms, rc: Node, _: Node) -> Node | None:
    """비용 중 10만 원대는 몇 건."""
    return counted_rows(terms, rc)


def counted_rows(terms: Terms, body: Node) -> Node | None:
    """The number of rows of a figure; of a part of them, such as meals, with the filter that the part is."""
    own, limits = terms.count_of(body.metrics[0]), terms.limits_of(body.metrics[0])
    if own is None or limits is None or {f.dimension for f in limits} & {f.dimension for f in body.filters}:
        return None
    return replace(body, cat="M", metrics=(own,), filters=(*body.filters, *limits))


@rule("C EACH", ko="-")
def each_of_them(_: Terms, c: Node, __: Node) -> Node | None:
    """Expenses over 300,000 won each: the limit is on single rows."""
    return c


@rule("M M", ko="<", en=">")
def figure_of_rows(terms: Terms, body: Node, events: Node) -> Node | None:
    """Revenue from orders of at least 5 million won; 5백만 원 이상 주문의 매출."""
    bare_events = replace(events, metrics=(), rows=(), period=None, filters=(), cost=0.0)
    plain = replace(bare_events, flags=events.flags - {"after", "apposed"}) == Node("M")
    if (
        not plain
        or not events.rows
        or body.rows
        or len(body.metrics) != 1
        or not terms.counts(events.metrics[0])
    ):
        return None
    same = terms.same_fact(body.metrics[0], events.metrics[0])
    return unify("M", body, events, metrics=body.metrics) if same else None
