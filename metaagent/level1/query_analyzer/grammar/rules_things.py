"""Rules for what happened to things, and what did not: events, targets, both of two conditions."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import (
    LEFT_OUT,
    Condition,
    Existing,
    Node,
    Span,
    bare,
    replace,
    unify,
)
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms


def happened(terms: Terms, body: Node, *, exists: bool) -> Node | None:
    if len(body.metrics) != 1 or body.groups or body.per or body.rank or body.kind or body.average:
        return None
    one = Existing(body.metrics[0], exists, (), body.period)
    return replace(body, cat="H", metrics=(), existing=(*body.existing, one))


@rule("T V", ko=">", en="<")
def of_what_is_sold(terms: Terms, t: Node, v: Node) -> Node | None:
    """우리 제품을 산, bought our products: whatever is sold is meant by the verb already."""
    traded = len(v.metrics) == 1 and terms.is_trade(v.metrics[0]) and not v.groups and not v.rank
    if not traded or not t.dim or not terms.is_sold(t.dim) or not bare(t) or "who" in t.flags:
        return None
    return replace(v, cost=v.cost + t.cost + 0.8)


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


@rule("NP ASIDE", ko="-")
def time_set_aside(_: Terms, p: Node, __: Node) -> Node | None:
    """Leave November out."""
    return p


@rule("M|T|R|V|P NP", ko="=", en="=")
def then_without(_: Terms, body: Node, p: Node) -> Node | None:
    """Sales of this year, leaving November out: of the other days."""
    held = body.period
    if held is None or p.period is None or body.base or any(f.startswith(LEFT_OUT) for f in body.flags):
        return None
    out = frozenset({f"{LEFT_OUT}{p.period.first}:{p.period.last}"})
    inside = held.first <= p.period.first and p.period.last <= held.last
    return replace(body, flags=body.flags | out, cost=body.cost + p.cost + 0.2) if inside else None


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


@rule("TOGO M", ko="-")
def still_missing(terms: Terms, far: Node, body: Node) -> Node | None:
    """Read "how far are we from the target": what is missing of it."""
    pair = terms.with_target()
    fits = pair and body.metrics == pair[1:] and not (body.kind or body.per or body.rank or body.average)
    return replace(body, per=f"less:{pair[0]}", cost=body.cost + far.cost) if fits else None


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
