"""Rules for things: the conditions they fulfil, their place in a ranking, and how many there are."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    Condition,
    Existing,
    Node,
    Rank,
    RowLimit,
    Span,
    bare,
    replace,
    unify,
)
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

# numbers and limits


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
    if body.cat == "V" and c.unit == "money":
        return terms.money_of(name)
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


@rule("C M", en="<")
def worth_in_lines(terms: Terms, c: Node, body: Node) -> Node | None:
    """10만 원 넘는 주문, orders worth more than 100,000: where only their lines say what an order is worth."""
    plain = len(body.metrics) == 1 and not (body.per or body.groups or body.kind or body.rank)
    if not plain or c.unit not in ("money", "big") or _row_limits(terms, body.metrics[0], c) is not None:
        return None
    row, worth = terms.row_of(body.metrics[0]), terms.worth_in_lines(body.metrics[0])
    if row is None or worth is None:
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
    return Node("H", having=tuple(replace(one, column=means[0]) for one in c.having), cost=d.cost + c.cost)


@rule("RC M", ko="=", en="=")
def rows_that(terms: Terms, rc: Node, body: Node) -> Node | None:
    if len(body.metrics) != 1 or not terms.same_fact(rc.metrics[0], body.metrics[0]):
        return None
    return unify("M", rc, body, metrics=body.metrics)


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


# events that happened or not


def happened(terms: Terms, body: Node, *, exists: bool) -> Node | None:
    if len(body.metrics) != 1 or body.groups or body.per or body.rank or body.kind or body.average:
        return None
    one = Existing(body.metrics[0], exists, (), body.period)
    return replace(body, cat="H", metrics=(), existing=(*body.existing, one))


@rule("M NONE", en="<")
def without(terms: Terms, body: Node, _: Node) -> Node | None:
    return happened(terms, body, exists=False)


@rule("T NONE", en="<")
def without_things(terms: Terms, t: Node, _: Node) -> Node | None:
    """계량기가 없는 고객, customers without a meter: things that belong to others, counted as events are."""
    own = terms.counted_by(str(t.dim)) if bare(t) else None
    return happened(terms, Node("M", metrics=(own,), cost=t.cost + 0.4), exists=False) if own else None


@rule("M EXISTS", en="<")
def having_some(terms: Terms, body: Node, _: Node) -> Node | None:
    return happened(terms, body, exists=True)


@rule("V NOT|NONE", ko="=", en="<")
def not_done(_: Terms, v: Node, __: Node) -> Node | None:
    return replace(v, cat="NV")


@rule("M NOT", en="-")
def not_done_noun(terms: Terms, body: Node, _: Node) -> Node | None:
    """방문 안 한: the noun of an event stands for its verb."""
    fits = len(body.metrics) == 1 and not terms.metrics[body.metrics[0]].sides
    return replace(body, cat="NV", cost=body.cost + 0.2) if fits else None


@rule("NOT M", en="-")
def un_done(terms: Terms, _: Node, body: Node) -> Node | None:
    """미방문 병원."""
    return not_done_noun(terms, body, _)


@rule("NEVER NV|H", ko="=", en="-")
def never(_: Terms, __: Node, body: Node) -> Node | None:
    """한 번도 방문하지 않은."""
    denied = body.cat == "NV" or (body.existing and not body.existing[-1].exists)
    return body if denied else None


@rule("NEVER NONE|NOT", ko="=", en="-")
def never_any(_: Terms, __: Node, none: Node) -> Node | None:
    """한 건도 없는."""
    return none


@rule("EVER V|EXISTS|H", en="-")
def even_once(_: Terms, __: Node, body: Node) -> Node | None:
    """한 번이라도 방문한: that it happened at all."""
    return body if body.cat != "H" or (body.existing and body.existing[-1].exists) else None


@rule("M EVER", en="-")
def figure_even_once(_: Terms, body: Node, __: Node) -> Node | None:
    """세미나를 한 번이라도 연."""
    return replace(body, cat="ME") if len(body.metrics) == 1 else None


@rule("ME V|EXISTS", en="-")
def arisen_even_once(terms: Terms, body: Node, link: Node) -> Node | None:
    plain = replace(body, cat="M")
    return event_of(terms, plain, link) if link.cat == "V" else happened(terms, plain, exists=True)


@rule("M V|NV")
@rule("V|NV M", ko="-")
def event_of(terms: Terms, a: Node, b: Node) -> Node | None:
    """비용을 쓴, 세미나를 연: the verb says again that the figure arose."""
    body, verb = (a, b) if a.cat == "M" else (b, a)
    if len(body.metrics) != 1 or not terms.same_fact(body.metrics[0], verb.metrics[0]):
        return None
    return unify(verb.cat, body, verb, metrics=terms.done_count(body.metrics[0], verb.metrics[0]))


@rule("M V", ko="-")
def figure_done(terms: Terms, body: Node, verb: Node) -> Node | None:
    """Quantity sold, visits made."""
    return figure_that_arose(terms, verb, body)


@rule("V NOTHING", ko="-")
def did_nothing(_: Terms, v: Node, __: Node) -> Node | None:
    """Bought nothing."""
    return replace(v, cat="NV")


@rule("V M", ko="-")
def done_with_events(terms: Terms, verb: Node, body: Node) -> Node | None:
    """The events are what the verb is about: how many people attended seminars."""
    own = terms.metrics[body.metrics[0]] if len(body.metrics) == 1 else None
    if own is None or own.aggregate != "count" or own.filtered or body.kind or body.per or body.rank:
        return None
    if verb.metrics == body.metrics or not terms.same_fact(own.name, verb.metrics[0]):
        return None
    return unify("V", verb, body, cost=0.2, metrics=verb.metrics)


@rule("V M")
def figure_that_arose(terms: Terms, verb: Node, body: Node) -> Node | None:
    """쓴 식대, 팔린 수량; sold units."""
    if len(body.metrics) != 1 or not terms.same_fact(body.metrics[0], verb.metrics[0]):
        return None
    return unify("M", verb, body, metrics=terms.done_count(body.metrics[0], verb.metrics[0]))


def _contradicts(terms: Terms, a: Node, b: Node) -> bool:
    """비용을 안 쓴: one event that is denied, not one that is and another that is not."""
    return any(
        x.exists != y.exists and x.period == y.period and terms.same_fact(x.metric, y.metric)
        for x in a.existing
        for y in b.existing
    )


def _across(terms: Terms, made: Node, dim: str) -> Node:
    """Artworks in no exhibition: the table between both says which is in which."""
    last = made.existing[-1] if made.existing else None
    if last is None or terms.splits(last.metric, dim):
        return made
    link = terms.linking(last.metric, dim)
    return replace(made, existing=(*made.existing[:-1], replace(last, metric=link))) if link else made


def _thing_with(terms: Terms, made: Node | None, t: Node) -> Node | None:
    """Filters that a thing has itself are its own; all others are those of the event."""
    if made is None or t.rank or t.dim is None or _contradicts(terms, made, t):
        return None
    if t.dim in TIMES and (made.existing or any(h.growth or h.relative for h in made.having)):
        return None  # months by their own figure alone
    made = _across(terms, made, t.dim)
    own = tuple(f for f in made.filters if terms.belongs(f.dimension, t.dim) or f.dimension == t.dim)
    foreign = tuple(f for f in made.filters if f not in own)
    last = made.existing[-1] if made.existing else None
    if foreign and last is not None:
        existing = (*made.existing[:-1], replace(last, restrictions=foreign))
        made = replace(made, existing=existing, filters=own)
    # What did Seoul bring in: its sales rather than the hospitals there that have any.
    return unify("T", made, t, cost=1.0 if "implied" in t.flags else 0.0)


@rule("P BOTHP", en="<")
def in_both(_: Terms, p: Node, both: Node) -> Node | None:
    """9월과 10월 둘 다, both September and October: in each of the two."""
    two = p.period is not None and isinstance(p.base, Span)
    return replace(p, cat="P2", cost=p.cost + both.cost) if two else None


@rule("P ALSOP", en="-")
def also_then(_: Terms, p: Node, also: Node) -> Node | None:
    """8월에도."""
    return replace(p, cat="PA", cost=p.cost + also.cost) if p.base is None and not p.groups else None


@rule("PA PA", en="-")
@rule("P &2P", ko="-")
def then_and_then(_: Terms, one: Node, other: Node) -> Node | None:
    """8월에도 9월에도, in August as well as in September: in each of the two."""
    if one.period is None or other.period is None or one.period == other.period:
        return None
    early, late = sorted((one.period, other.period), key=lambda span: span.first)
    return Node("P2", period=late, base=early, cost=one.cost + other.cost)


@rule("ANDALSO P", ko="-")
def as_well_then(_: Terms, link: Node, p: Node) -> Node | None:
    return replace(p, cat="&2P", cost=p.cost + link.cost) if p.base is None and not p.groups else None


@rule("P2 T|Q", ko="=", en="=")
def done_in_both(_: Terms, p: Node, t: Node) -> Node | None:
    """Hospitals that bought in both months: that did it in the one and in the other."""
    if len(t.existing) != 1 or t.period or t.base or t.existing[0].period or t.having or t.rank:
        return None
    assert p.period is not None
    assert isinstance(p.base, Span)
    each = tuple(replace(t.existing[0], period=span) for span in (p.base, p.period))
    return replace(t, existing=each, cost=t.cost + p.cost)


@rule("V T", en="<")
def did(terms: Terms, v: Node, t: Node) -> Node | None:
    return _thing_with(terms, happened(terms, v, exists=True), t)


@rule("NV T", en="<")
def did_not(terms: Terms, v: Node, t: Node) -> Node | None:
    return _thing_with(terms, happened(terms, v, exists=False), t)


@rule("T NV", en="-")
def among_them_did_not(terms: Terms, t: Node, v: Node) -> Node | None:
    """서울 병원 중에 한 번도 방문 안 한 곳: the thing is named first, and a word for any thing stands in its place."""
    made = did_not(terms, v, t) if not t.having and not t.existing else None
    return None if made is None else replace(made, cost=made.cost + 0.3)


@rule("H T", ko="=", en="=")
def fulfils(terms: Terms, h: Node, t: Node) -> Node | None:
    return _thing_with(terms, h, t)


@rule("H M", ko=">", en="<")
def rows_that_lack(terms: Terms, h: Node, body: Node) -> Node | None:
    """Visits without an invoice, 결제가 없는 주문: rows of one table to which no row of another belongs."""
    plain = (
        body == replace(Node("M", metrics=body.metrics, cost=body.cost), flags=body.flags)
        and len(body.metrics) == 1
    )
    row = terms.row_of(body.metrics[0]) if plain and h.existing and not h.having else None
    if row is None or not all(terms.splits(one.metric, row) for one in h.existing):
        return None
    made = _thing_with(terms, h, Node("T", dim=row))
    return replace(made, cat="Q", kind="count", cost=made.cost + body.cost + 0.3) if made else None


_OPPOSITE_SIDE = {">": "<", ">=": "<="}
_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


@rule("T|H EXCEPT", en="<")
def without_those(_: Terms, body: Node, __: Node) -> Node | None:
    """매출 500만 원 미만 병원은 빼고: those that do not fulfil the condition."""
    plain = len(body.having) == 1 and not body.existing and body.rank is None and not body.having[0].relative
    if not plain or body.having[0].op not in _OPPOSITE:
        return None
    turned = replace(body.having[0], op=_OPPOSITE[body.having[0].op])
    return replace(body, having=(turned,), flags=body.flags | {"replaced"})


@rule("H &H|H")
def both_conditions(_: Terms, x: Node, y: Node) -> Node | None:
    apart = x.period and y.period and x.period != y.period
    if not apart:
        return unify("H", x, y)
    if x.having or y.having:  # a condition on a figure has the period of the question
        return None
    return unify("H", replace(x, period=None), replace(y, period=None))


@rule("V|NV V|NV", en="-")
def one_but_not_other(terms: Terms, x: Node, y: Node) -> Node | None:
    """9월에 구매했지만 10월에는 구매하지 않은."""
    first, second = (happened(terms, v, exists=v.cat == "V") for v in (x, y))
    if x.period == y.period and terms.same_fact(x.metrics[0], y.metrics[0]):
        return None  # 비용을 안 쓴: one event, said with its noun
    return both_conditions(terms, first, second) if first and second else None


@rule("T &V|&NV|NV", ko="-")
def and_did(terms: Terms, t: Node, v: Node) -> Node | None:
    """Hospitals that we visited but that bought nothing."""
    if not t.existing or t.having or t.rank:
        return None
    made = happened(terms, replace(v, cat="V"), exists="NV" not in v.cat)
    if made is None:
        return None
    apart = made.period and t.period and made.period != t.period
    if apart:
        made, t = replace(made, period=None), replace(t, period=None)
    return _thing_with(terms, made, t)


@rule("EXCEPT P", ko="<")
def not_then(_: Terms, __: Node, p: Node) -> Node | None:
    """But not in October, 11월 빼고."""
    return replace(p, cat="NP") if p.base is None else None


@rule("T NP", ko="-")
def then_but_not(_: Terms, t: Node, p: Node) -> Node | None:
    """Hospitals that bought in September but not in October."""
    if len(t.existing) != 1 or t.period is None or t.having or t.rank or not t.existing[0].exists:
        return None
    first = replace(t.existing[0], period=t.period)
    other = replace(t.existing[0], exists=False, period=p.period)
    return replace(t, existing=(first, other), period=None)


@rule("H ALSO|EXISTS", en="-")
def and_also(_: Terms, h: Node, __: Node) -> Node | None:
    return h


@rule("H V", en="-")
def condition_said_again(terms: Terms, h: Node, v: Node) -> Node | None:
    """세 번 이상 개최한."""
    own = h.having[-1].column if h.having else None
    return unify("H", h, replace(v, metrics=())) if own and terms.same_fact(own, v.metrics[0]) else None


@rule("MV SUP", en="-")
def than_planned(terms: Terms, plan: Node, sup: Node) -> Node | None:
    """목표보다 높은."""
    share = terms.achievement(plan.metrics[0]) if plan == Node("MV", metrics=plan.metrics) else None
    if share is None or sup.rank is None or sup.rank.n != 0 or share in plan.metrics:
        return None
    return Node("PLAN", having=(Condition(share, ">" if sup.rank.descending else "<", (1.0,)),))


@rule("M PLAN", en="-")
def beyond_plan(terms: Terms, body: Node, plan: Node) -> Node | None:
    """매출이 목표보다 높은."""
    sides = terms.metrics[plan.having[0].column].sides
    if body.metrics != sides[:1] or body.groups or body.kind or body.per:
        return None
    return replace(body, cat="H", metrics=(), having=(*body.having, *plan.having))


@rule("M H", ko=">", en=">")
def figure_and_plan(terms: Terms, body: Node, h: Node) -> Node | None:
    """매출이 목표를 넘은: the figure that has the target."""
    own = (
        terms.metrics[h.having[0].column]
        if len(h.having) == 1 and h.having[0].column in terms.metrics
        else None
    )
    if (
        own is None
        or own.unit != "%"
        or own.sides[:1] != body.metrics
        or body.groups
        or body.kind
        or body.per
    ):
        return None
    return unify("H", replace(body, metrics=()), h)


@rule("COUNT MORE", en="-")
@rule("MUCH MORE", en="-")
def much_more(_: Terms, much: Node, more: Node) -> Node | None:
    return much if much.cat == "COUNT" else more


@rule("DIFF V", ko="-", en="=")
def done_more_than(terms: Terms, _: Node, v: Node) -> Node | None:
    """Sold more in Q3 than in Q2: by how much."""
    return replace(v, cat="M", metrics=(terms.worth_of(v.metrics[0]),), flags=v.flags | {"difference"})


@rule("M ACHIEVED", en="<")
def reached(terms: Terms, body: Node, _: Node) -> Node | None:
    return _target(terms, body, ">=")


@rule("DIFF H", ko="=", en="=")
def how_far_off(terms: Terms, diff: Node, h: Node) -> Node | None:
    """The distance from a target: by how much did the team miss it."""
    body = _distance(terms, h)
    return replace(body, cat="M", cost=h.cost + diff.cost) if body else None


@rule("H FARTHEST", ko="-")
def farthest_off(terms: Terms, h: Node, far: Node) -> Node | None:
    """Missed its target by the most."""
    body = _distance(terms, h)
    if body is None or far.rank is None:
        return None
    return replace(
        body, cat="R", metrics=(), rank=replace(far.rank, by=body.metrics[0]), cost=h.cost + far.cost
    )


def _distance(terms: Terms, h: Node) -> Node | None:
    """The amount that is missing of a target, or that was reached beyond it."""
    pair, own = terms.with_target(), h.having[0] if len(h.having) == 1 else None
    if (
        not pair
        or own is None
        or own.values != (1.0,)
        or own.relative
        or own.column != terms.achievement(pair[1])
    ):
        return None
    above, below = pair[::-1] if own.op.startswith("<") else pair
    return replace(h, metrics=(above,), per=f"less:{below}", having=())


@rule("H C", ko="-")
def by_so_much(terms: Terms, h: Node, c: Node) -> Node | None:
    """Beat the target by more than 20 %."""
    own = h.having[-1] if h.having else None
    if own is None or c.unit != "%" or own.values != (1.0,) or own.relative or len(c.having) != 1:
        return None
    said = c.having[0]
    if terms.metrics[own.column].unit != "%" or said.op not in (">", ">="):
        return None
    above = own.op.startswith(">")
    far = said.values[0] / 100 if above else -said.values[0] / 100
    made = replace(own, op=said.op if above else _OPPOSITE_SIDE[said.op], values=(1.0 + far,))
    return replace(h, having=(*h.having[:-1], made), cost=h.cost + c.cost)


@rule("M MISSED", en="<")
def missed(terms: Terms, body: Node, _: Node) -> Node | None:
    return _target(terms, body, "<")


@rule("M NOT", en="-")
def target_not_reached(terms: Terms, body: Node, _: Node) -> Node | None:
    """목표를 달성하지 못한."""
    return _target(terms, body, "<") if terms.metrics[body.metrics[0]].unit == "%" else None


def _target(terms: Terms, body: Node, op: str) -> Node | None:
    share = terms.achievement(body.metrics[0]) if len(body.metrics) == 1 else None
    if share is None or body.groups or body.kind:
        return None
    return replace(body, cat="H", metrics=(), having=(*body.having, Condition(share, op, (1.0,))))


# more than another value


@rule("F FV")
def one_against_other(terms: Terms, f: Node, fv: Node) -> Node | None:
    """Seoul vs Busan, 대구가 인천보다: each of both."""
    if len(f.filters) != 1 or len(fv.part) != 1 or f.filters[0].dimension != fv.part[0].dimension:
        return None
    one, other = f.filters[0], fv.part[0]
    if one.negated or other.negated or set(one.values) & set(other.values):
        return None
    labels = (*(one.labels or one.values), *(other.labels or other.values))
    both = replace(one, values=(*one.values, *other.values), listed=True, labels=labels)
    return replace(f, filters=(both,), split=True, cost=f.cost + fv.cost)


@rule("F VS", en="<")
def than_value(_: Terms, f: Node, __: Node) -> Node | None:
    return Node("FV", part=f.filters, cost=f.cost) if len(f.filters) == 1 and not f.period else None


@rule("AVG VS", en="<")
def than_mean(_: Terms, __: Node, ___: Node) -> Node | None:
    return Node("FV", per="dim:?", average=True)


@rule("FV MORE", en="-")
def more_than(_: Terms, fv: Node, __: Node) -> Node | None:
    return fv


@rule("MORE SUP", en="-")
def even_more(_: Terms, __: Node, sup: Node) -> Node | None:
    return sup if sup.rank and sup.rank.n == 0 else None


@rule("FV MUCH|MORE", en="-")
def how_far_from(_: Terms, fv: Node, much: Node) -> Node | None:
    return replace(fv, cat="FVD") if much.cat == "MUCH" and fv.part else None


@rule("FVD MORE", en="-")
def how_far_more(_: Terms, fv: Node, __: Node) -> Node | None:
    return fv


@rule("FVD SUP", en="-")
def how_far_above(_: Terms, fv: Node, sup: Node) -> Node | None:
    return replace(fv, cat="FVDS", rank=sup.rank) if sup.rank and sup.rank.n == 0 else None


@rule("M FVDS", en="-")
def how_much_more(_: Terms, body: Node, fv: Node) -> Node | None:
    """서울 매출이 부산보다 얼마나 많아."""
    if len(body.metrics) != 1 or not body.filters or body.groups or body.per or body.kind:
        return None
    other = Node("M", metrics=body.metrics, filters=fv.part)
    same = {f.dimension for f in body.filters} == {f.dimension for f in fv.part}
    made = replace(body, cat="Q", kind="difference", other=(other,), rank=None, cost=body.cost + fv.cost)
    return replace(made, flags=made.flags | {"ranked"}) if same else None


@rule("FV SUP", en="-")
def above_value(_: Terms, fv: Node, sup: Node) -> Node | None:
    return replace(fv, cat="FVS", rank=sup.rank) if sup.rank and sup.rank.n == 0 else None


@rule("M FVS", en="-")
def relative(_: Terms, body: Node, fvs: Node) -> Node | None:
    return _relative(body, fvs, fvs.rank)


@rule("FV R", en="-")
def relative_first(_: Terms, fv: Node, r: Node) -> Node | None:
    by = r.rank.by if r.rank and r.rank.n == 0 and not r.rank.growth else None
    return _relative(replace(r, cat="M", metrics=(by,), rank=None), fv, r.rank) if by else None


@rule("BEAT F", ko="-")
def that_beat(_: Terms, __: Node, f: Node) -> Node | None:
    return Node("FVB", part=f.filters, cost=f.cost) if len(f.filters) == 1 and not f.period else None


@rule("FVB M", ko="-")
def beat_on(_: Terms, fv: Node, body: Node) -> Node | None:
    """Regions that beat Seoul on sales."""
    return _relative(body, fv, Rank(n=0)) if not body.rank else None


@rule("F FVB", ko="-")
def which_did_better(terms: Terms, f: Node, fv: Node) -> Node | None:
    """Did A outsell B?: each of both in the usual figure, the larger first."""
    same = len(f.filters) == 1 and f.filters[0].dimension == fv.part[0].dimension
    if not same or f.period or terms.usual is None or not terms.splits(terms.usual, fv.part[0].dimension):
        return None
    one, other = f.filters[0], fv.part[0]
    labels = (*(one.labels or one.values), *(other.labels or other.values))
    both = replace(one, values=(*one.values, *other.values), listed=True, labels=labels)
    rank = Rank(n=EVERY, by=terms.usual)
    flags = frozenset({"usual"})
    return Node("M", metrics=(terms.usual,), filters=(both,), split=True, rank=rank, flags=flags, cost=0.5)


@rule("COMPARATIVE M", ko="-")
def more_of(_: Terms, more: Node, body: Node) -> Node | None:
    return replace(body, cat="MM", rank=more.rank) if len(body.metrics) == 1 and not body.rank else None


@rule("MM F|DAYS", ko="-", en="=")
def more_of_which(_: Terms, body: Node, x: Node) -> Node | None:
    """More visits on Mondays or on Fridays, more sales in Seoul or in Busan: each, the larger first."""
    several = x.groups if x.cat == "DAYS" else x.filters_listed
    if not several or body.rank is None or body.groups:
        return None
    made = unify("M", replace(body, rank=None), replace(x, split=True if x.cat == "F" else None))
    return replace(made, rank=replace(body.rank, n=EVERY, by=body.metrics[0])) if made else None


@rule("MM FV", ko="-")
def more_than_value(_: Terms, body: Node, fv: Node) -> Node | None:
    return _relative(replace(body, rank=None), fv, body.rank)


def _relative(body: Node, fv: Node, rank: Rank | None) -> Node | None:
    if len(body.metrics) != 1 or rank is None or body.groups or body.per:
        return None
    other = Node("M", metrics=body.metrics, filters=fv.part, per=fv.per, average=fv.average)
    condition = Condition(body.metrics[0], ">" if rank.descending else "<", (), (other,))
    return replace(
        body, cat="H", metrics=(), rank=None, having=(*body.having, condition), cost=body.cost + fv.cost
    )
