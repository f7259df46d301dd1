"""Rules for what limits and splits a figure: periods, filters, lists, groups."""

from __future__ import annotations

from datetime import date, timedelta

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction, Span, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

BODY = "M|T|H|R|V|NV|GM|SM|Q|PAIR"
LONGEST_LIST = 12
OVER_WEEKDAY, OVER_WEEKEND = "over:weekday", "over:weekend"
"""The days that the others are set against."""


@rule(f"P|B|DAYS {BODY}")
def limited(_: Terms, x: Node, body: Node) -> Node | None:
    summed = body.split is False and isinstance(x.base, Span)  # 8월과 9월 합쳐서: rather one period
    return unify(body.cat, x, body, cost=0.5 if summed else 0.0)


@rule(f"{BODY} P|B|DAYS")
def limited_after(_: Terms, body: Node, x: Node) -> Node | None:
    return unify(body.cat, body, x, cost=0.1)


def _takes_filter(body: Node) -> bool:
    if body.kind == "difference" and body.other and body.other[0].metrics != body.metrics:
        return True
    return body.kind not in ("share", "ratio", "times", "difference") and body.cat != "PAIR"


def _can_be(terms: Terms, body: Node, x: Node) -> bool:
    below = str(body.per).partition("@")[0].removeprefix("metric:") if "metric:" in str(body.per) else None
    figures = (*body.metrics, *((below,) if below else ()))
    fits = all(terms.splits(name, f.dimension) for name in figures for f in x.filters)
    return fits and _takes_filter(body) and body.cat != "SM"


@rule(f"F {BODY}")
def filtered(terms: Terms, x: Node, body: Node) -> Node | None:
    named = "kind" in body.flags  # the Incheon team's sales: a name that is not known as a whole
    return _with_filter(terms, x, body) if _can_be(terms, body, x) and not named else None


def _with_filter(terms: Terms, x: Node, body: Node, cost: float = 0.0) -> Node | None:
    """Hospitals that bought a product: what a thing does not have itself limits the event."""
    own = [f for f in x.filters if f.dimension == body.dim or terms.belongs(f.dimension, str(body.dim))]
    foreign = tuple(f for f in x.filters if f not in own)
    if body.cat not in ("T", "Q") or not body.existing or not foreign or body.metrics or body.rank:
        return unify(body.cat, x, body, cost=cost)
    last = body.existing[-1]
    if {f.dimension for f in foreign} & {f.dimension for f in last.restrictions}:
        return None
    held = tuple(sorted((*last.restrictions, *foreign), key=lambda f: f.dimension))
    existing = (*body.existing[:-1], replace(last, restrictions=held))
    return unify(body.cat, replace(x, filters=tuple(own)), replace(body, existing=existing), cost=cost)


@rule(f"{BODY} F")
def filtered_after(terms: Terms, body: Node, x: Node) -> Node | None:
    made = _with_filter(terms, x, body, 0.15) if _can_be(terms, body, x) else None
    return replace(made, flags=made.flags | {"after"}) if made else None


@rule("RANGE F", ko="-")
def between_values(_: Terms, __: Node, f: Node) -> Node | None:
    """The difference between Seoul and Busan."""
    return f if f.filters_listed else None


@rule("F P|DAYS|B", ko="=", en="=")
def filter_and_period(_: Terms, f: Node, p: Node) -> Node | None:
    """지난달 부산은?: what a follow-up puts in place of what was said before."""
    return unify("F", f, p, cost=0.3)


@rule("G P|DAYS", ko="=", en="=")
def group_and_period(_: Terms, g: Node, p: Node) -> Node | None:
    """올해 월별로: what a follow-up adds."""
    return unify("G", g, p, cost=0.3)


@rule("P|F TOP|ORDER|COUNT|TOTAL|SUP", ko="=", en="=")
def in_place_of(_: Terms, x: Node, link: Node) -> Node | None:
    """9월엔 부산에서 몇 명?: what a follow-up counts or ranks, and where."""
    return unify(link.cat, x, link, cost=0.6) if x.cat != "F" or not x.filters_listed else None


@rule("MUCH F|P", ko="=", en="=")
def how_much_there(_: Terms, much: Node, x: Node) -> Node | None:
    """A part of the figure before: how much was in Seoul?, 서울은 얼마야?"""
    return replace(x, cost=x.cost + much.cost + 0.6) if much.unit is None and not x.rows else None


@rule("DIFF MUCH", ko="=", en="=")
def how_far_apart(_: Terms, apart: Node, much: Node) -> Node | None:
    """얼마 차이인가요?"""
    return replace(apart, cost=apart.cost + much.cost)


@rule("TOTAL TOTAL|MUCH", ko="=", en="=")
def in_all(_: Terms, total: Node, again: Node) -> Node | None:
    """전부 더하면, combined, how much is it? An amount stays one: 금액 총합."""
    return replace(total, cost=total.cost + again.cost) if again.unit != "money" else None


@rule("TOTAL MUCH", ko="=", en="=")
def money_in_all(_: Terms, total: Node, much: Node) -> Node | None:
    """The worth of what was counted: in won, in total."""
    return replace(much, cost=total.cost + much.cost - 0.1) if much.unit == "money" else None


@rule("N TOTAL")
def so_many_in_all(_: Terms, n: Node, total: Node) -> Node | None:
    """3명 다 더하면: those that were listed."""
    whole = n.unit in (None, "count") and n.numbers[0] == int(n.numbers[0]) > 1
    return replace(total, cost=total.cost + n.cost + 0.3) if whole else None


@rule("COUNT DIFF", en="-")
def differing_number(_: Terms, count: Node, link: Node) -> Node | None:
    """몇 건 차이: the difference, in the unit of what was counted."""
    return link if not count.filters and not count.period and not count.metrics else None


@rule("TIMES DIFF", ko="=", en="-")
def times_apart(_: Terms, times: Node, __: Node) -> Node | None:
    """몇 배 차이 나?"""
    return times


@rule("TOTAL TOP", ko="=", en="-")
def top_of_all(_: Terms, total: Node, top: Node) -> Node | None:
    """전체 상위 3곳."""
    return replace(top, cost=top.cost + total.cost)


@rule("COUNT ACHIEVED|MISSED", ko="=", en="=")
def how_many_again(_: Terms, count: Node, __: Node) -> Node | None:
    """몇 명 넘겼죠?: the condition of the turn before, said again."""
    return replace(count, flags=count.flags | {"again"}, cost=count.cost + 0.5)


@rule("PERD ORDER", ko="=", en="=")
def each_in_order(_: Terms, per: Node, order: Node) -> Node | None:
    """Per rep, longest first: what a follow-up splits by."""
    kind, __, name = str(per.per).partition(":")
    fits = kind == "dim" and "@" not in name
    return Node("G", groups=(name,), rank=order.rank, cost=per.cost + order.cost) if fits else None


@rule("G ORDER", ko="=", en="=")
def groups_in_order(_: Terms, g: Node, order: Node) -> Node | None:
    """병원별로 큰 순서대로."""
    return replace(g, rank=order.rank, cost=g.cost + order.cost) if g.rank is None else None


@rule("P B|DAYS", ko="=", en="=")
def period_and_base(_: Terms, p: Node, b: Node) -> Node | None:
    return unify("P", p, b, cost=0.3)


@rule("F T")
@rule("T F", ko="-")
def apposition(terms: Terms, f: Node, t: Node) -> Node | None:
    """서울 지역; region Seoul: the noun only says what kind of thing the name is. 서울 병원 매출: the sales of Seoul."""
    f, t = (f, t) if f.cat == "F" else (t, f)
    if not bare(t) or not f.filters:
        return None
    if any(x.dimension == t.dim for x in f.filters):
        return replace(f, cost=max(0.0, f.cost - 0.5))
    alike = all(terms.same_table(x.dimension, str(t.dim)) for x in f.filters)
    fits = (terms.named_rows(str(t.dim)) or alike) and "apposed" not in f.flags and "named" not in t.flags
    if not fits or not all(terms.belongs(x.dimension, str(t.dim)) for x in f.filters):
        return None
    return replace(f, flags=f.flags | {"apposed"}, cost=f.cost + 0.1)


@rule("T F", en="-")
def named_value(_: Terms, t: Node, f: Node) -> Node | None:
    """등급이 A인, 청구지역이 서울인."""
    same = bare(t) and len(f.filters) == 1 and f.filters[0].dimension == t.dim
    return replace(f, cost=max(0.0, f.cost - 0.5) + 0.1) if same else None


@rule("BY F", ko="-")
def done_by(_: Terms, __: Node, f: Node) -> Node | None:
    """Visits by the Seoul team: the name is whose they are."""
    if any(x.negated for x in f.filters):
        return None
    return replace(f, flags=f.flags | {"agent"}, cost=f.cost + 0.1)


@rule("F EXCEPT|NOT", en="<")
def excluded(_: Terms, f: Node, link: Node) -> Node | None:
    if not f.filters or any(x.negated for x in f.filters) or len(f.filters) > 1:
        return None
    without = tuple(replace(x, negated=True, listed=False) for x in f.filters)
    flags = f.flags | {"rather"} if link.cat == "NOT" else f.flags
    return replace(f, filters=without, split=None, flags=flags)


@rule("M EXCEPT", en="<")
def part_excluded(terms: Terms, body: Node, __: Node) -> Node | None:
    """식대 말고, excluding meal costs: the rows of which a figure is made."""
    limits = terms.limits_of(body.metrics[0]) if body == Node("M", metrics=body.metrics[:1]) else None
    return Node("F", filters=tuple(replace(f, negated=True) for f in limits), cost=0.2) if limits else None


@rule("M EXCEPT", en="-")
@rule("RATHER M|BYM", ko="-")
def other_figure(_: Terms, a: Node, b: Node) -> Node | None:
    """수량 말고, rather than units: a figure that another one takes the place of."""
    body = b if a.cat == "RATHER" else a
    plain = len(body.metrics) == 1 and replace(body, cat="M", cost=0.0) == Node("M", metrics=body.metrics)
    return Node("NOTM", metrics=body.metrics, cost=a.cost + b.cost) if plain else None


@rule("NOTM M|BYM", en="-")
@rule("M|BYM NOTM", ko="-")
def instead(_: Terms, a: Node, b: Node) -> Node | None:
    """수량 말고 매출로, sales rather than units: the one in the place of the other."""
    other, body = (a, b) if a.cat == "NOTM" else (b, a)
    if len(body.metrics) != 1 or body.metrics == other.metrics:
        return None
    return replace(body, flags=body.flags | {"instead"}, cost=body.cost + other.cost)


@rule("RATHER F", ko="-")
def not_that_one(terms: Terms, link: Node, f: Node) -> Node | None:
    """Rather than Seoul."""
    made = excluded(terms, f, link)
    return replace(made, flags=made.flags | {"rather"}) if made else None


@rule("F ASIDE", ko="-")
def set_aside(terms: Terms, f: Node, aside: Node) -> Node | None:
    """Leaving Seoul aside, Seoul aside."""
    return f if any(x.negated for x in f.filters) else excluded(terms, f, aside)


@rule("F REST", en="<")
@rule("REST F", ko="-")
def the_rest(_: Terms, f: Node, rest: Node) -> Node | None:
    f = f if f.cat == "F" else rest
    return f if f.filters and f.filters[0].negated else None


@rule("REST T")
def the_other_things(_: Terms, rest: Node, t: Node) -> Node | None:
    return rest if bare(t) else None


@rule("REST TOTAL|MUCH", ko="=", en="=")
def the_rest_in_all(_: Terms, rest: Node, total: Node) -> Node | None:
    """나머지는 다 합쳐서 얼마야?, how much did the rest add up to?: after a ranking."""
    return replace(rest, cost=rest.cost + total.cost)


@rule("REST M", ko="=", en="=")
def figure_of_the_rest(_: Terms, rest: Node, body: Node) -> Node | None:
    """나머지 병원의 매출."""
    plain = len(body.metrics) == 1 and not body.groups and not body.rank and not body.kind and not body.per
    fits = plain and not body.filters and not rest.metrics and not body.base and not body.rows
    return unify("REST", rest, replace(body, split=None), cost=0.3) if fits else None


@rule("P|B VS", en="<")
def compared_with(_: Terms, p: Node, __: Node) -> Node | None:
    versus = frozenset({"versus"}) | (p.flags if p.cat == "B" else frozenset[str]())
    return (
        Node("B", base=p.base or p.period, flags=versus, cost=p.cost)
        if p.period is None or p.base is None
        else None
    )


@rule("AND|OR F|M|T|D|G|H|N|P|DAYS|V|NV|MUCH|COUNT|TOTAL|LONGT|DV|DIFF|PRICEOF")
def another(_: Terms, link: Node, x: Node) -> Node | None:
    if link.cat == "OR":
        if x.cat == "P":  # September or October
            return replace(x, cat="&P")
        return replace(x, cat="&F", split=False) if x.cat == "F" and x.split is None else None
    return replace(x, cat="&" + x.cat)


@rule("AGAINST F")
def against(_: Terms, __: Node, f: Node) -> Node | None:
    """Seoul vs Busan: each of both."""
    return replace(f, cat="&F", split=True) if f.split is None else None


@rule("UPTO F", ko="-")
def to_name(_: Terms, __: Node, f: Node) -> Node | None:
    """Seoul to Busan sales ratio."""
    return replace(f, cat="&F", split=True, cost=f.cost + 0.5) if f.split is None else None


@rule("F &F|F")
def either(_: Terms, x: Node, y: Node) -> Node | None:
    """서울과 부산: one of them; whether together or each is said elsewhere."""
    if len(x.filters) != 1 or len(y.filters) != 1 or x.period or y.period or "replaced" in y.flags:
        return None
    f, g = x.filters[0], y.filters[0]
    if f.dimension != g.dimension or f.negated != g.negated or set(f.values) & set(g.values):
        return None
    labels = (*(f.labels or f.values), *(g.labels or g.values))
    both = Restriction(f.dimension, (*f.values, *g.values), f.by_key, f.negated, not f.negated, labels)
    if len(both.values) > LONGEST_LIST:
        return None
    return unify("F", x, y, cost=0.3 if y.cat == "F" else 0.0, filters=(both,))


@rule("F &F|F")
def both_hold(_: Terms, x: Node, y: Node) -> Node | None:
    """서울의 A등급: two restrictions of different kinds."""
    own = {f.dimension for f in x.filters}
    if own & {f.dimension for f in y.filters} or not x.filters or not y.filters:
        return None
    if y.cat == "&F" and y.split is False:  # 서울 또는 A등급: either, which no query says
        return None
    return unify("F", x, y, cost=0.3)


@rule("F F", ko="-")
def rather_than(terms: Terms, x: Node, y: Node) -> Node | None:
    """Busan rather than Seoul, not Seoul, Busan. "Excluding Seoul, Busan" is a list of what is left out."""
    return rather(terms, x, y) if "rather" in x.flags | y.flags else None


@rule("F F", en="-")
def rather(_: Terms, x: Node, y: Node) -> Node | None:
    """서울 말고 부산: the one in place of the other."""
    if "rather" in y.flags:
        x, y = y, x
    if len(x.filters) != 1 or len(y.filters) != 1 or not x.filters[0].negated or y.filters[0].negated:
        return None
    same = x.filters[0].dimension == y.filters[0].dimension
    return replace(y, cost=x.cost + y.cost, flags=y.flags | {"replaced"}) if same else None


@rule("F ALSO")
def also(_: Terms, f: Node, __: Node) -> Node | None:
    return f


@rule("M &M")
@rule("M WITHM", en="-")
def two_figures(_: Terms, x: Node, y: Node) -> Node | None:
    apart = (
        bool(x.filters or y.filters) or x.rows or y.rows or x.per or y.per or set(x.metrics) & set(y.metrics)
    )
    return None if apart else unify("M", x, y, metrics=(*x.metrics, *y.metrics))


@rule("M &M")
def same_limits(terms: Terms, x: Node, y: Node) -> Node | None:
    """Seminars in Seoul and attendees: what limits the first holds for the second, too."""
    plain = replace(y, metrics=(), period=None, cost=0.0, flags=frozenset(), split=None) == Node("&M")
    if not plain or not x.filters or x.filters_listed or x.rows or x.per or x.kind or x.groups:
        return None
    if set(x.metrics) & set(y.metrics) or not all(
        terms.splits(m, f.dimension) for m in y.metrics for f in x.filters
    ):
        return None
    return unify("M", x, y, cost=0.3, metrics=(*x.metrics, *y.metrics))


@rule("M &M")
def one_figure_twice(terms: Terms, x: Node, y: Node) -> Node | None:
    """7월 매출이랑 8월 매출: the same figure of two periods."""
    plain = replace(x, period=None, cost=0.0) == replace(y, cat="M", period=None, cost=0.0)
    both = two_periods(terms, x, y) if plain and x.period != y.period else None
    return replace(x, period=both.period, base=both.base, cost=both.cost) if both else None


@rule("M &COUNT")
def and_people(terms: Terms, x: Node, count: Node) -> Node | None:
    """Read "how many seminars were held and how many people came"."""
    people = terms.people_of(x.metrics[0]) if count.unit == "명" and len(x.metrics) == 1 else None
    if people is None or people in x.metrics or x.rows or x.per or x.kind or x.rank:
        return None
    return unify("M", x, replace(count, cat="M", unit=None), metrics=(*x.metrics, people), cost=0.2)


@rule("M &M")
def parts_side_by_side(terms: Terms, x: Node, y: Node) -> Node | None:
    """교통비와 식대: two kinds of the same money, each."""
    one, other = terms.as_part(x), terms.as_part(replace(y, cat="M"))
    if (
        one is None
        or other is None
        or one.metrics != other.metrics
        or (x.period and y.period and x.period != y.period)
    ):
        return None
    f, g = one.filters[0], other.filters[0]
    if f.dimension != g.dimension or set(f.values) & set(g.values):
        return None
    both = Restriction(f.dimension, (*f.values, *g.values), listed=True)
    period = x.period or y.period
    return replace(one, filters=(both,), period=period, split=True, cost=x.cost + y.cost + 0.2)


@rule("OR|AGAINST DAYS")
def or_days(_: Terms, __: Node, days: Node) -> Node | None:
    return replace(days, cat="&DAYS", split=True)


@rule("DAYS VS", en="<")
def than_days(_: Terms, days: Node, __: Node) -> Node | None:
    return replace(days, cat="&DAYS", split=True, flags=days.flags | {"base_days"})


@rule("DAYS &DAYS")
@rule("&DAYS DAYS", en="-")
def both_days(_: Terms, x: Node, y: Node) -> Node | None:
    """토요일과 일요일: together; Mondays or Fridays, 평일과 주말: each."""
    both, cost = tuple(sorted({*x.weekdays, *y.weekdays})), x.cost + y.cost
    if len(both) == len("월화수목금토일"):
        base = next((d for d in (x, y) if "base_days" in d.flags), None)
        over = frozenset({OVER_WEEKEND if 7 in base.weekdays else OVER_WEEKDAY}) if base else frozenset[str]()
        return Node("DAYS", groups=("weekend",), flags=over, cost=cost)
    apart = ("weekday",) if x.split or y.split else ()
    return Node("DAYS", weekdays=both, groups=apart, cost=cost)


@rule("DAYS DAYS")
def weekdays_weekends(_: Terms, x: Node, y: Node) -> Node | None:
    """평일 주말 매출."""
    whole = len({*x.weekdays, *y.weekdays}) == len("월화수목금토일")
    return both_days(_, x, y) if whole else None


@rule("M &M|M|TOM")
def days_side_by_side(_: Terms, x: Node, y: Node) -> Node | None:
    """주말 매출과 평일 매출: both kinds of days."""
    whole = len({*x.weekdays, *y.weekdays}) == len("월화수목금토일") and x.weekdays and y.weekdays
    made = (
        unify("M", replace(x, weekdays=()), replace(y, weekdays=(), flags=y.flags - {"versus"}))
        if whole
        else None
    )
    return replace(made, groups=(*made.groups, "weekend")) if made and x.metrics == y.metrics else None


@rule("EACH DAYS", ko="=", en="=")
def days_compared(_: Terms, each: Node, days: Node) -> Node | None:
    """Compare weekdays and weekends."""
    return replace(days, flags=days.flags | each.flags, cost=days.cost + each.cost) if days.groups else None


@rule("DAYS T", ko=">", en=">")
def which_of_the_days(_: Terms, days: Node, t: Node) -> Node | None:
    """월요일하고 금요일 중 방문이 더 많은 날: the word only says what both are."""
    both = 1 < len(days.weekdays) < len("월화수목금토일") and bare(t) and t.dim in ("day", "weekday")
    return (
        replace(days, groups=("weekday",), cost=days.cost + t.cost - 0.4)
        if both and not days.groups
        else None
    )


@rule("P &P")
def two_periods(_: Terms, x: Node, y: Node) -> Node | None:
    """3월과 4월: set against each other, the earlier one as the base."""
    if x.period is None or y.period is None or x.base or y.base:
        return None
    early, late = sorted((x.period, y.period), key=lambda span: span.first)
    return Node("P", period=late, base=early, cost=x.cost + y.cost + 0.2)


@rule("P T", ko="=", en="=")
def which_of_both(_: Terms, p: Node, t: Node) -> Node | None:
    """9월과 10월 중 어느 달: the word only says what both are."""
    both = isinstance(p.base, Span) and p.period is not None and bare(t) and t.dim in TIMES
    return replace(p, cost=p.cost + t.cost - 0.4) if both else None


@rule("P ASOF", ko="=", en="=")
def up_to_day(_: Terms, p: Node, limit: Node) -> Node | None:
    """어제 기준 이번 달."""
    day = date.fromisoformat(next(iter(limit.flags)).removeprefix("until:"))
    if p.period is None or p.base or not p.period.first <= day:
        return None
    span = replace(p.period, last=min(p.period.last, day))
    return replace(p, period=span, flags=p.flags | limit.flags, cost=p.cost + limit.cost)


@rule("P TOTAL", ko="=", en="=")
def one_period(_: Terms, p: Node, __: Node) -> Node | None:
    """2025년과 2026년을 합쳐서; 2025 and 2026 combined: one stretch of time."""
    if p.period is None or not isinstance(p.base, Span) or p.base.last + timedelta(days=1) != p.period.first:
        return None
    whole = Span(p.base.first, p.period.last, f"{p.base.label} + {p.period.label}")
    return replace(p, period=whole, base=None, flags=p.flags | {"joined"})


@rule("T WISE", ko="-")
@rule("T BY|FOREACH", en="<")
@rule("EVERYD T", ko=">", en=">")
def by(_: Terms, t: Node, link: Node) -> Node | None:
    thing = t if t.cat == "T" else link
    if bare(thing):
        return Node("G", groups=(str(thing.dim),), cost=0.1 if t.cat == "EVERYD" else 0.0)
    return _each_such(thing) if t.cat == "EVERYD" else None


def _each_such(t: Node) -> Node | None:
    """Each Busan rep: a group of those that are limited."""
    plain = bare(replace(t, filters=())) and t.dim not in TIMES and not t.filters_listed
    return Node("G", groups=(str(t.dim),), filters=t.filters, cost=t.cost + 0.1) if plain else None


@rule("T THEIR")
def with_theirs(terms: Terms, t: Node, __: Node) -> Node | None:
    """Reps with their sales, 담당자 이름하고 매출: of each. Of chosen ones it is shown anyway."""
    if t.rank or t.having or t.existing:
        return replace(t, flags=t.flags | {"beside"}, cost=t.cost + __.cost)
    if t.dim in TIMES or not bare(replace(t, filters=(), period=None, flags=frozenset())):
        return None
    return Node("G", groups=(str(t.dim),), filters=t.filters, period=t.period, cost=t.cost + __.cost)


@rule("R|TOP THEIR", en="-")
def ranked_with_names(_: Terms, r: Node, __: Node) -> Node | None:
    """상위 5명 이름과 금액: they are shown by their names."""
    return r


@rule("F G", en="=")
def filter_and_group(_: Terms, f: Node, g: Node) -> Node | None:
    """경기 의원팀 사람들 이름하고; only tier A, by hospital type."""
    return unify("G", f, g, cost=0.3) if f.filters and not f.filters_listed else None


@rule("EACH P|B", ko="=", en="=")
def compare_periods(terms: Terms, each: Node, p: Node) -> Node | None:
    """Compare Q3 2026 with Q3 2025: the usual figure."""
    if "compare" not in each.flags or p.base is None or terms.usual is None:
        return None
    usual = Node("M", metrics=(terms.usual,), flags=each.flags | {"usual"}, split=each.split)
    return unify("M", replace(p, cat="M"), usual, cost=1.0)


@rule("EACH P|F", ko="=", en="=")
def each_then(_: Terms, each: Node, p: Node) -> Node | None:
    """9월은 각각: what a follow-up asks of each."""
    if "compare" in each.flags or p.filters_listed or p.base is not None:
        return None
    return replace(p, split=True, cost=p.cost + each.cost + 0.5)


@rule("EACH T")
def each_thing(_: Terms, __: Node, t: Node) -> Node | None:
    return Node("G", groups=(str(t.dim),), cost=0.1) if bare(t) else _each_such(t)


@rule("T G", en="-")
def property_of(terms: Terms, t: Node, g: Node) -> Node | None:
    """직원 직무별: of each role that they have."""
    own = bare(t) and t.dim not in TIMES and all(terms.belongs(name, str(t.dim)) for name in g.groups)
    return replace(g, cost=g.cost + 0.2) if own and t.dim not in g.groups else None


@rule("T T", ko=">", en=">")
def said_twice(_: Terms, a: Node, b: Node) -> Node | None:
    """직무(Role)."""
    return replace(a, cost=a.cost + b.cost + 0.1) if bare(a) and bare(b) and a.dim == b.dim else None


@rule("BY BYT", ko="-")
def by_again(_: Terms, __: Node, g: Node) -> Node | None:
    return g


@rule("G &T|T", ko="-")
@rule("G &T")
def by_more(_: Terms, g: Node, t: Node) -> Node | None:
    return replace(g, groups=(*g.groups, str(t.dim))) if bare(replace(t, cat="T")) and t.cat == "&T" else None


@rule("T &G")
def by_both(_: Terms, t: Node, g: Node) -> Node | None:
    return replace(g, cat="G", groups=(str(t.dim), *g.groups)) if bare(t) else None


@rule("G &G|G")
def by_two(_: Terms, g: Node, h: Node) -> Node | None:
    return unify("G", g, h)


@rule("G M|GM|V", ko="=", en="=")
def grouped(terms: Terms, g: Node, body: Node) -> Node | None:
    groups = g.groups
    if len(body.metrics) == 1:
        groups = tuple(terms.nearer(group, body.metrics[0]) for group in groups)
    fits = all(terms.splits(name, group) for name in body.metrics for group in groups)
    return unify(body.cat, replace(g, groups=groups), body) if fits else None


@rule("EACH|TOTAL M|F|GM|T|V", ko="=", en="=")
def each_or_all(terms: Terms, x: Node, body: Node) -> Node | None:
    if x.cat == "EACH" and body.cat == "T" and not body.filters:
        return None
    if (
        x.cat == "TOTAL" and body.rows and terms.counts(body.metrics[0])
    ):  # seminars over 6 million in total: their sum
        body = replace(body, metrics=(body.rows[0].column,))
    if "compare" in x.flags and body.split is False:  # 서울과 부산 총매출 비교: the total of each
        body = replace(body, split=None)
    apart = x.cat == "TOTAL" and isinstance(body.base, Span)  # two periods combined are one
    return unify(body.cat, x, body, cost=0.5 if apart else 0.0)


@rule("TOTAL M|V", ko="=", en="=")
def all_at_once(terms: Terms, total: Node, body: Node) -> Node | None:
    """8월과 9월 매출 합쳐서."""
    whole = one_period(terms, Node("P", period=body.period, base=body.base), total)
    if whole is None or body.flags & {"compare", "versus"}:
        return None
    return replace(body, period=whole.period, base=None, flags=body.flags | whole.flags, split=False)


@rule("TOTAL T", ko="=", en="=")
def all_things(_: Terms, __: Node, t: Node) -> Node | None:
    return replace(t, cost=t.cost + 0.5) if isinstance(t.base, Span) else t


@rule("TOTAL COUNT", ko="=", en="=")
def how_many_in_all(_: Terms, __: Node, count: Node) -> Node | None:
    return count


@rule("FLAG|TREND M|GM|G|F", ko="=", en="=")
def flagged(_: Terms, x: Node, body: Node) -> Node | None:
    return unify(body.cat, x, body)


@rule("MUCH M|GM|GROW|V|SM", ko="=", en="=")
def how_much(terms: Terms, much: Node, body: Node) -> Node | None:
    if "basis" in much.flags and body.rank is not None:
        return None
    if body.cat == "V":
        own = terms.worth_of(body.metrics[0])
        own = (terms.unnamed_money(own) or own) if much.unit is None else own
        return (
            None
            if much.unit == "money" and not terms.is_worth(own)
            else replace(body, cat="M", metrics=(own,))
        )
    if body.cat != "M" or len(body.metrics) != 1 or not terms.counts(body.metrics[0]):
        return body
    if much.unit != "money" and (body.base is not None or body.growth):
        return body  # by how much their number fell
    if much.unit != "money":  # how much did we invoice: no number of invoices
        own = terms.unnamed_money(body.metrics[0])
        return replace(body, metrics=(own,)) if own else body
    if body.split is False:  # 판매 건수 합친 금액: their sum
        own = terms.amount_of(body.metrics[0])
        return replace(body, metrics=(own,)) if own else body
    money = terms.money_of(body.metrics[0])  # 주문 금액: what the orders are worth
    return replace(body, metrics=(money,)) if money else None


@rule("MUCH F", ko="=", en="=")
def how_much_of_such(terms: Terms, much: Node, f: Node) -> Node | None:
    """The worth of the rows of one kind: 계약금 얼마."""
    own = terms.rows_with(f.filters[0].dimension) if len(f.filters) == 1 and much.unit is None else None
    worth = terms.unnamed_money(own) if own else None
    return replace(f, cat="M", metrics=(worth,), cost=f.cost + 1.0) if worth else None


@rule("EXISTS M", en="-")
def arisen(_: Terms, __: Node, body: Node) -> Node | None:
    return body
