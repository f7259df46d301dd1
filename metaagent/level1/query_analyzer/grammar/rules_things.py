"""Rules for things: the conditions they fulfil, their place in a ranking, and how many there are."""

from __future__ import annotations

from dataclasses import replace

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    Condition,
    Existing,
    Node,
    Rank,
    RowLimit,
    bare,
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
    if column is None or (
        terms.counts(column) and c.unit == "big" and body.cat == "M" and terms.on_rows(column, "big")
    ):
        return None
    if terms.counts(column) and [(one.op, one.values) for one in c.having] == [("=", (0.0,))]:
        return happened(terms, replace(body, cost=body.cost + c.cost), exists=False)  # 0건인: without any
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


@rule("M C")
def row_condition(terms: Terms, body: Node, c: Node) -> Node | None:
    """금액이 50만 원 넘는 ...: a condition that a row's own figure states."""
    if len(body.metrics) != 1 or c.unit in ("count", "%") or body.per or body.groups or body.kind:
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
        return None
    return Node("RC", metrics=(own[0],), rows=tuple(RowLimit(own[0], one.op, one.values) for one in c.having))


@rule("RC M", ko="=", en="=")
def rows_that(terms: Terms, rc: Node, body: Node) -> Node | None:
    if len(body.metrics) != 1 or not terms.same_fact(rc.metrics[0], body.metrics[0]):
        return None
    return unify("M", rc, body, metrics=body.metrics)


@rule("RC COUNT", en="-")
def rows_that_are(terms: Terms, rc: Node, _: Node) -> Node | None:
    """비용 중 10만 원대는 몇 건."""
    own = terms.count_of(rc.metrics[0])
    return replace(rc, cat="M", metrics=(own,)) if own else None


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


@rule("M V|NV")
@rule("V|NV M", ko="-")
def event_of(terms: Terms, a: Node, b: Node) -> Node | None:
    """비용을 쓴, 세미나를 연: the verb says again that the figure arose."""
    body, verb = (a, b) if a.cat == "M" else (b, a)
    if len(body.metrics) != 1 or not terms.same_fact(body.metrics[0], verb.metrics[0]):
        return None
    return unify(verb.cat, body, verb, metrics=body.metrics)


@rule("V M")
def figure_that_arose(terms: Terms, verb: Node, body: Node) -> Node | None:
    """쓴 식대, 팔린 수량; sold units."""
    if len(body.metrics) != 1 or not terms.same_fact(body.metrics[0], verb.metrics[0]):
        return None
    return unify("M", verb, body, metrics=body.metrics)


def _thing_with(terms: Terms, made: Node | None, t: Node) -> Node | None:
    """Filters that a thing has itself are its own; all others are those of the event."""
    if made is None or t.rank or t.dim is None or t.dim in TIMES:
        return None
    own = tuple(f for f in made.filters if terms.belongs(f.dimension, t.dim) or f.dimension == t.dim)
    foreign = tuple(f for f in made.filters if f not in own)
    last = made.existing[-1] if made.existing else None
    if foreign and last is not None:
        existing = (*made.existing[:-1], replace(last, restrictions=foreign))
        made = replace(made, existing=existing, filters=own)
    return unify("T", made, t)


@rule("V T", en="<")
def did(terms: Terms, v: Node, t: Node) -> Node | None:
    return _thing_with(terms, happened(terms, v, exists=True), t)


@rule("NV T", en="<")
def did_not(terms: Terms, v: Node, t: Node) -> Node | None:
    return _thing_with(terms, happened(terms, v, exists=False), t)


@rule("H T", ko="=", en="=")
def fulfils(terms: Terms, h: Node, t: Node) -> Node | None:
    return _thing_with(terms, h, t)


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
    return unify("H", x, y)


@rule("H ALSO|EXISTS", en="-")
def and_also(_: Terms, h: Node, __: Node) -> Node | None:
    return h


@rule("H V", en="-")
def condition_said_again(terms: Terms, h: Node, v: Node) -> Node | None:
    """세 번 이상 개최한."""
    own = h.having[-1].column if h.having else None
    return unify("H", h, replace(v, metrics=())) if own and terms.same_fact(own, v.metrics[0]) else None


@rule("M ACHIEVED", en="<")
def reached(terms: Terms, body: Node, _: Node) -> Node | None:
    return _target(terms, body, ">=")


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


@rule("F FV", ko="-")
def one_against_other(terms: Terms, f: Node, fv: Node) -> Node | None:
    """Seoul vs Busan: each of both."""
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


@rule("COMPARATIVE M", ko="-")
def more_of(_: Terms, more: Node, body: Node) -> Node | None:
    return replace(body, cat="MM", rank=more.rank) if len(body.metrics) == 1 and not body.rank else None


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


# ranking


@rule("M GS", ko="-")
@rule("M|GM SUP|SUPQ|TOP|NTH|GS", en="<")
def ranked_by(_: Terms, body: Node, sup: Node) -> Node | None:
    if len(body.metrics) != 1 or sup.rank is None or body.kind or (body.rank and not body.growth):
        return None
    rank = replace(sup.rank, by=body.metrics[0], growth=sup.rank.growth or body.growth)
    falling = body.rank is not None and not body.rank.descending
    if falling and rank.growth:
        rank = replace(rank, descending=not rank.descending)
    return replace(body, cat="R", metrics=(), growth="", rank=rank, cost=body.cost + sup.cost)


@rule("M SUP", en="-")
def which_is_more(_: Terms, body: Node, sup: Node) -> Node | None:
    """서울과 부산 중 어디 매출이 더 많아: each of them, the larger first."""
    if not body.filters_listed or sup.rank is None or sup.rank.n > 1 or body.groups or body.kind or body.per:
        return None
    return replace(
        body, split=True, rank=replace(sup.rank, n=EVERY, by=body.metrics[0]), cost=body.cost + 0.1
    )


@rule("ORDER NTH", ko="=")
def place_in_order(_: Terms, __: Node, nth: Node) -> Node | None:
    """Ranked 7th, 순위 4위."""
    return nth


@rule("NTH SUP|SUPQ")
def place(_: Terms, nth: Node, sup: Node) -> Node | None:
    n = nth.rank.n if nth.rank else 1
    return replace(sup, rank=replace(sup.rank or Rank(), n=n, nth=True))


@rule("NTH R|TOP", ko="=", en="-")
def place_of(_: Terms, nth: Node, r: Node) -> Node | None:
    if r.rank is None or r.rank.nth or r.rank.n > 1 or nth.rank is None:
        return None
    return replace(r, rank=replace(r.rank, n=nth.rank.n, nth=True))


@rule("MOST R", en="-")
def most(_: Terms, __: Node, r: Node) -> Node | None:
    return replace(r, rank=replace(r.rank, n=1)) if r.rank and r.rank.n == 0 else None


@rule("N SUP|SUPQ", ko="-")
def several(_: Terms, n: Node, sup: Node) -> Node | None:
    fits = n.unit in (None, "count") and sup.rank is not None and sup.rank.n == 1
    return replace(sup, rank=replace(sup.rank or Rank(), n=int(n.numbers[0]))) if fits else None


@rule("SUP|SUPQ V", en="=")
def most_done(_: Terms, sup: Node, v: Node) -> Node | None:
    rank = replace(sup.rank or Rank(), by=v.metrics[0])
    return replace(v, cat="R", metrics=(), rank=rank, flags=v.flags | {"moved"})


@rule("R V", en="=")
def rank_said_again(terms: Terms, r: Node, v: Node) -> Node | None:
    """비용을 가장 많이 쓴; reps who made the most visits."""
    same = r.rank and r.rank.by and terms.same_fact(r.rank.by, v.metrics[0])
    return unify("R", r, replace(v, metrics=())) if same else None


@rule("R ORDER", en="-")
@rule("ORDER R", ko="-")
def in_order(_: Terms, a: Node, b: Node) -> Node | None:
    r = a if a.cat == "R" else b
    return replace(r, rank=replace(r.rank, n=EVERY)) if r.rank and r.rank.n < 2 and not r.rank.nth else None


@rule("M|GM ORDER", en="<")
def order_of(terms: Terms, body: Node, order: Node) -> Node | None:
    return ranked_by(terms, body, order)


@rule("ADJ T", ko="=", en="=")
def ranked_by_adjective(terms: Terms, adjective: Node, t: Node) -> Node | None:
    by = terms.by_adjective(str(t.dim), str(adjective.unit))
    if by is None or adjective.rank is None or t.rank:
        return None
    return unify("T", replace(adjective, unit=None, rank=replace(adjective.rank, by=by)), t)


@rule("NTH|N ADJ")
def place_by_adjective(_: Terms, n: Node, adjective: Node) -> Node | None:
    if adjective.rank is None:
        return None
    place = n.rank.n if n.rank else int(n.numbers[0]) if n.unit in (None, "count") else 0
    return replace(adjective, rank=replace(adjective.rank, n=place, nth=n.cat == "NTH")) if place else None


@rule("R T", ko="=", en="=")
def ranked_thing(terms: Terms, r: Node, t: Node) -> Node | None:
    if t.rank is not None or r.rank is None:
        return None
    fits = r.rank.by is None or terms.splits(r.rank.by, str(t.dim))
    if "moved" in r.flags:  # who sold the most: in money; which product: in units
        money = terms.money_of(str(r.rank.by)) if t.dim == terms.person else None
        r = replace(r, rank=replace(r.rank, by=money or r.rank.by), flags=r.flags - {"moved"})
    return unify("T", r, t) if fits else None


@rule("SUP|TOP|NTH|ORDER|GS T")
@rule("T TOP|ORDER|NTH")
@rule("T GS", ko="-")
def top_things(_: Terms, sup: Node, t: Node) -> Node | None:
    sup, t = (sup, t) if t.cat == "T" else (t, sup)
    return unify("T", sup, t) if t.rank is None else None


@rule("T TOP")
def top_of_ranked(_: Terms, t: Node, top: Node) -> Node | None:
    if t.rank is None or top.rank is None or t.rank.n > 1 or t.rank.descending != top.rank.descending:
        return None
    return replace(t, rank=replace(t.rank, n=top.rank.n, percent=top.rank.percent))


@rule("TOP N")
def top_so_many(_: Terms, top: Node, n: Node) -> Node | None:
    """꼴찌부터 3곳."""
    fits = top.rank is not None and top.rank.n == 0 and n.unit in (None, "count") and n.numbers[0] >= 1
    return replace(top, rank=replace(top.rank or Rank(), n=int(n.numbers[0]))) if fits else None


@rule("T N", en="<")
def so_many(_: Terms, t: Node, n: Node) -> Node | None:
    whole = n.numbers[0] == int(n.numbers[0]) and 1 <= n.numbers[0] <= EVERY
    return (
        replace(t, numbers=n.numbers, cost=t.cost)
        if n.unit in (None, "count") and whole and not t.numbers
        else None
    )


@rule("G R", ko="=", en="=")
def ranked_group(terms: Terms, g: Node, r: Node) -> Node | None:
    """병원별 매출 순위: the group is what is ranked."""
    if r.rank is None or r.rank.by is None or not terms.splits(r.rank.by, g.groups[-1]):
        return None
    return replace(r, cat="T", dim=g.groups[-1], groups=(*r.groups, *g.groups[:-1]), cost=r.cost + g.cost)


@rule("G T", ko="=", en="=")
def ranked_within(_: Terms, g: Node, t: Node) -> Node | None:
    """지역별 매출 상위 3개 제품: ranked anew in each region."""
    return unify("T", g, t) if t.rank and t.rank.by and t.dim not in g.groups and not t.groups else None


@rule("M BY", ko="-", en="<")
def by_figure(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="BYM") if len(body.metrics) == 1 and not body.groups else None


@rule("M BASIS", en="-")
def on_basis(terms: Terms, body: Node, basis: Node) -> Node | None:
    """수량 기준으로: the figure that a ranking goes by."""
    made = by_figure(terms, body, basis)
    return replace(made, cost=made.cost + basis.cost) if made else None


@rule("GM BY", ko="-", en="<")
def by_growth(_: Terms, body: Node, __: Node) -> Node | None:
    return replace(body, cat="BYM")


@rule("T BYM", ko="-")
def things_by(terms: Terms, t: Node, by: Node) -> Node | None:
    if t.rank is None or t.rank.by or not terms.splits(by.metrics[0], str(t.dim)):
        return None
    rank = replace(t.rank, by=by.metrics[0], growth=t.rank.growth or by.growth)
    return unify("T", t, by, metrics=(), growth="", rank=rank)


@rule("T SUP|SUPQ", en="<")
def most_things(terms: Terms, t: Node, sup: Node) -> Node | None:
    """병원이 가장 많은 지역: ranked by how many there are."""
    by = terms.counted_by(str(t.dim))
    if by is None or t.rank or t.having or t.existing or t.numbers or sup.rank is None:
        return None
    return replace(t, cat="R", dim=None, rank=replace(sup.rank, by=by), cost=t.cost + 0.2)


# a figure of things


@rule("T M")
@rule("M T", ko="-")
def figure_of_things(terms: Terms, a: Node, b: Node) -> Node | None:
    t, body = (a, b) if a.cat == "T" else (b, a)
    if len(body.metrics) < 1 or body.rank or not all(terms.splits(m, str(t.dim)) for m in body.metrics):
        return None
    if t.rank is not None and t.rank.by is None:
        rank = replace(t.rank, by=body.metrics[0])
        return unify("T", t, replace(body, metrics=body.metrics[1:]), rank=rank) if not body.groups else None
    if t.rank is not None or t.having:
        return _among(terms, t, body)
    if t.existing and not t.numbers:
        return unify("M", replace(t, dim=None), body, cost=0.1, among=(replace(t, filters=(), period=None),))
    if t.filters and not t.numbers and terms.named_rows(str(t.dim)) and "kind" not in body.flags:
        return unify("M", replace(t, dim=None), body, cost=0.1)
    return None


def _among(terms: Terms, t: Node, body: Node) -> Node | None:
    """매출 상위 3개 지역의 방문 수: a figure of things that another figure chose."""
    if t.base or body.base or body.among or body.groups or t.groups:
        return None
    if body.period and t.period and body.period != t.period:
        return None
    period = body.period or t.period
    return replace(body, among=(replace(t, period=period),), period=period, cost=body.cost + t.cost + 0.3)


@rule("T M", en="-")
def figure_by_kind(terms: Terms, t: Node, body: Node) -> Node | None:
    """제품 매출: of each."""
    if not bare(t) or body.groups or body.rank or body.among or t.dim in TIMES:
        return None
    if not all(terms.splits(m, str(t.dim)) for m in body.metrics):
        return None
    if all(terms.per_thing(m) for m in body.metrics):
        return body
    if all(terms.is_event(str(t.dim), m) for m in body.metrics):  # 세미나에 잡힌 예산: its own rows
        return replace(body, cost=body.cost + 0.4)
    return replace(body, groups=(str(t.dim),), cost=body.cost + 0.6)


@rule("T M", ko="-")
def figure_of_kind(terms: Terms, t: Node, body: Node) -> Node | None:
    """Hospital sales: of all of them."""
    if not bare(t) or body.groups or t.dim in TIMES:
        return None
    kind = frozenset[str]() if terms.named_rows(str(t.dim)) else frozenset({"kind"})
    return replace(body, flags=body.flags | kind, cost=body.cost + 0.5)


# counting


@rule("T COUNT", en="<")
def how_many(terms: Terms, t: Node, _: Node) -> Node | None:
    if t.rank or t.numbers or t.dim in TIMES:
        return None
    own = terms.counted_by(str(t.dim))
    if own and not all(terms.splits(own, f.dimension) for f in t.filters):
        return None
    if own and not t.having and not t.existing and not t.period:
        return replace(t, cat="M", dim=None, metrics=(own,))
    return replace(t, cat="Q", kind="count")


@rule("M COUNT", en="=")
def rows_counted(terms: Terms, body: Node, count: Node) -> Node | None:
    if count.unit is not None:
        return body if len(body.metrics) == 1 and terms.metrics[body.metrics[0]].unit == count.unit else None
    own = terms.rows_of(body.metrics[0]) if len(body.metrics) == 1 else None
    if own and count.op == "rows" and terms.metrics[own].aggregate == "sum":
        own = terms.count_of(own)
    return (
        replace(body, metrics=(own,), cost=body.cost + (0.0 if own in body.metrics else 0.3)) if own else None
    )


@rule("COUNT V", ko="=", en=">")
def times_done(terms: Terms, _: Node, v: Node) -> Node | None:
    v, count = (v, _) if v.cat == "V" else (_, v)
    own = (terms.count_of(v.metrics[0]) if count.op == "rows" else None) or terms.rows_of(v.metrics[0])
    return replace(v, cat="M", metrics=(own,)) if own else None


@rule("G Q", ko="=", en="=")
def counted_by_group(_: Terms, g: Node, q: Node) -> Node | None:
    return unify("Q", g, q) if q.kind == "count" and q.dim not in g.groups else None
