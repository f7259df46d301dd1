"""Rules for what limits and splits a figure: periods, filters, lists, groups."""

from __future__ import annotations

from dataclasses import replace

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction, bare, unify
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

BODY = "M|T|H|R|V|NV|GM|SM|Q|PAIR"
LONGEST_LIST = 12


@rule(f"P|B|DAYS {BODY}")
def limited(_: Terms, x: Node, body: Node) -> Node | None:
    return unify(body.cat, x, body)


@rule(f"{BODY} P|B|DAYS")
def limited_after(_: Terms, body: Node, x: Node) -> Node | None:
    return unify(body.cat, body, x, cost=0.1)


def _takes_filter(body: Node) -> bool:
    if body.kind == "difference" and body.other and body.other[0].metrics != body.metrics:
        return True
    return body.kind not in ("share", "ratio", "times", "difference") and body.cat != "PAIR"


def _can_be(terms: Terms, body: Node, x: Node) -> bool:
    fits = all(terms.splits(name, f.dimension) for name in body.metrics for f in x.filters)
    return fits and _takes_filter(body) and body.cat != "SM"


@rule(f"F {BODY}")
def filtered(terms: Terms, x: Node, body: Node) -> Node | None:
    named = "kind" in body.flags  # the Incheon team's sales: a name that is not known as a whole
    return unify(body.cat, x, body) if _can_be(terms, body, x) and not named else None


@rule(f"{BODY} F")
def filtered_after(terms: Terms, body: Node, x: Node) -> Node | None:
    made = unify(body.cat, body, x, cost=0.15) if _can_be(terms, body, x) else None
    return replace(made, flags=made.flags | {"after"}) if made else None


@rule("RANGE F", ko="-")
def between_values(_: Terms, __: Node, f: Node) -> Node | None:
    """The difference between Seoul and Busan."""
    return f if f.filters_listed else None


@rule("F P|DAYS|B", ko="=", en="=")
def filter_and_period(_: Terms, f: Node, p: Node) -> Node | None:
    """지난달 부산은?: what a follow-up puts in place of what was said before."""
    return unify("F", f, p, cost=0.3)


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
        return f
    fits = terms.named_rows(str(t.dim)) and "apposed" not in f.flags
    if not fits or not all(terms.belongs(x.dimension, str(t.dim)) for x in f.filters):
        return None
    return replace(f, flags=f.flags | {"apposed"}, cost=f.cost + 0.1)


@rule("BY F", ko="-")
def done_by(_: Terms, __: Node, f: Node) -> Node | None:
    """Visits by the Seoul team: the name is whose they are."""
    return replace(f, flags=f.flags | {"agent"}, cost=f.cost + 0.1)


@rule("F EXCEPT|NOT", en="<")
def excluded(_: Terms, f: Node, __: Node) -> Node | None:
    if not f.filters or any(x.negated for x in f.filters) or len(f.filters) > 1:
        return None
    return replace(f, filters=tuple(replace(x, negated=True, listed=False) for x in f.filters), split=None)


@rule("F REST", en="<")
@rule("REST F", ko="-")
def the_rest(_: Terms, f: Node, rest: Node) -> Node | None:
    f = f if f.cat == "F" else rest
    return f if f.filters and f.filters[0].negated else None


@rule("REST T")
def the_other_things(_: Terms, rest: Node, t: Node) -> Node | None:
    return rest if bare(t) else None


@rule("P|B VS", en="<")
def compared_with(_: Terms, p: Node, __: Node) -> Node | None:
    versus = frozenset({"versus"})
    return (
        Node("B", base=p.base or p.period, flags=versus, cost=p.cost)
        if p.period is None or p.base is None
        else None
    )


@rule("AND|OR F|M|T|G|H|N|P|DAYS")
def another(_: Terms, link: Node, x: Node) -> Node | None:
    if link.cat == "OR":
        return replace(x, cat="&F", split=False) if x.cat == "F" and x.split is None else None
    return replace(x, cat="&" + x.cat)


@rule("AGAINST F")
def against(_: Terms, __: Node, f: Node) -> Node | None:
    """Seoul vs Busan: each of both."""
    return replace(f, cat="&F", split=True) if f.split is None else None


@rule("F &F|F")
def either(_: Terms, x: Node, y: Node) -> Node | None:
    """서울과 부산: one of them; whether together or each is said elsewhere."""
    if len(x.filters) != 1 or len(y.filters) != 1 or x.period or y.period:
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
    return unify("F", x, y, cost=0.3)


@rule("F F")
def rather(_: Terms, x: Node, y: Node) -> Node | None:
    """서울 말고 부산: the second in place of the first."""
    if len(x.filters) != 1 or len(y.filters) != 1 or not x.filters[0].negated or y.filters[0].negated:
        return None
    same = x.filters[0].dimension == y.filters[0].dimension
    return replace(y, cost=x.cost + y.cost, flags=y.flags | {"replaced"}) if same else None


@rule("F ALSO")
def also(_: Terms, f: Node, __: Node) -> Node | None:
    return f


@rule("M &M")
def two_figures(_: Terms, x: Node, y: Node) -> Node | None:
    apart = (x.filters and y.filters) or x.rows or y.rows or x.per or y.per or set(x.metrics) & set(y.metrics)
    return None if apart else unify("M", x, y, metrics=(*x.metrics, *y.metrics))


@rule("DAYS &DAYS")
def both_days(_: Terms, x: Node, y: Node) -> Node | None:
    both = tuple(sorted({*x.weekdays, *y.weekdays}))
    return Node("DAYS", weekdays=both, cost=x.cost + y.cost) if len(both) < len("월화수목금토일") else None


@rule("P &P")
def two_periods(_: Terms, x: Node, y: Node) -> Node | None:
    """3월과 4월: set against each other, the earlier one as the base."""
    if x.period is None or y.period is None or x.base or y.base:
        return None
    early, late = sorted((x.period, y.period), key=lambda span: span.first)
    return Node("P", period=late, base=early, cost=x.cost + y.cost + 0.2)


@rule("T BY|FOREACH", en="<")
@rule("EVERYD T", ko=">", en=">")
def by(_: Terms, t: Node, link: Node) -> Node | None:
    thing = t if t.cat == "T" else link
    if not bare(thing):
        return None
    return Node("G", groups=(str(thing.dim),), cost=0.1 if t.cat == "EVERYD" else 0.0)


@rule("EACH T")
def each_thing(_: Terms, __: Node, t: Node) -> Node | None:
    return Node("G", groups=(str(t.dim),), cost=0.1) if bare(t) else None


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
    return unify(body.cat, x, body)


@rule("TOTAL T", ko="=", en="=")
def all_things(_: Terms, __: Node, t: Node) -> Node | None:
    return t


@rule("FLAG|TREND M|GM|G|F", ko="=", en="=")
def flagged(_: Terms, x: Node, body: Node) -> Node | None:
    return unify(body.cat, x, body)


@rule("MUCH M|GM|GROW|V|SM", ko="=", en="=")
def how_much(terms: Terms, much: Node, body: Node) -> Node | None:
    if body.cat == "V":
        own = terms.worth_of(body.metrics[0])
        return (
            None
            if much.unit == "money" and not terms.is_money(own)
            else replace(body, cat="M", metrics=(own,))
        )
    if much.unit != "money" or body.cat != "M" or len(body.metrics) != 1 or not terms.counts(body.metrics[0]):
        return body
    if body.split is False:  # 판매 건수 합친 금액: their sum
        return body
    money = terms.money_of(body.metrics[0])  # 주문 금액: what the orders are worth
    return replace(body, metrics=(money,)) if money else None


@rule("EXISTS M", en="-")
def arisen(_: Terms, __: Node, body: Node) -> Node | None:
    return body


def is_time(node: Node) -> bool:
    return node.dim in TIMES
