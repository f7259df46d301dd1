"""Rules for rows that are listed with what they have: the visits of last week with date, rep and hospital."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import EVERY, Node, bare, replace
from metaagent.level1.query_analyzer.grammar.terms import Terms

LISTED = frozenset({"listed"})


@rule("T THEIR", en="-")
def by_name(terms: Terms, t: Node, _: Node) -> Node | None:
    """병원 이름하고 ...: the thing is the first of what each row is to show."""
    own = bare(t) and t.dim is not None and terms.named_rows(t.dim)
    return Node("ATTRS", groups=(str(t.dim),), cost=t.cost + 0.1) if own else None


@rule("ATTRS T", en="-")
def more_attributes(terms: Terms, one: Node, other: Node) -> Node | None:
    return attributes(terms, one, other) if len(one.groups) == 1 else None


@rule("T|ATTRS &T")
def attributes(_: Terms, one: Node, other: Node) -> Node | None:
    """날짜, 담당자, 병원: what each row is to show."""
    if not bare(replace(other, cat="T")) or (one.cat == "T" and not bare(one)):
        return None
    names = one.groups if one.cat == "ATTRS" else (str(one.dim),)
    return Node("ATTRS", groups=(*names, str(other.dim)), cost=one.cost + other.cost + 0.1)


def _names(x: Node) -> tuple[str, ...]:
    return x.groups if x.cat.endswith("ATTRS") else (str(x.dim),)


@rule("M T|&T|ATTRS")
@rule("T|ATTRS M", ko="-")
def rows_with(terms: Terms, a: Node, b: Node) -> Node | None:
    """Visits with date, rep and hospital; the dates of all seminars: each of the rows."""
    body, x = (a, b) if a.cat == "M" else (b, a)
    if not is_rows(terms, body) or not (x.cat.endswith("ATTRS") or bare(replace(x, cat="T"))):
        return None
    metric, names = body.metrics[0], _names(x)
    near = tuple(terms.nearer(name, metric) for name in names)
    begun = "listed" in body.flags or "dated" in x.flags or len(near) > 1
    if not begun or not all(terms.tells_rows(metric, name) for name in near):
        return None
    groups = tuple(dict.fromkeys((*body.groups, *near)))
    return replace(body, groups=groups, flags=body.flags | LISTED, cost=body.cost + x.cost + 0.6)


@rule("M ORDER")
def ordered_rows(terms: Terms, body: Node, order: Node) -> Node | None:
    """날짜, 담당자, 금액 큰 순으로: listed rows by their figure, and not by their day."""
    if "listed" not in body.flags or body.rank or order.rank is None or order.rank.by:
        return None
    by = terms.money_of(body.metrics[0]) or body.metrics[-1]
    metrics = tuple(dict.fromkeys((*body.metrics, by)))
    return replace(body, metrics=metrics, rank=replace(order.rank, by=by), cost=body.cost + order.cost + 0.2)


@rule("R ATTRS", en="-")
def ranked_rows_with(terms: Terms, r: Node, x: Node) -> Node | None:
    """지출 큰 순으로 날짜, 담당자: the rows, the largest first."""
    rank = r.rank
    if rank is None or rank.by is None or rank.n != EVERY or rank.growth or r.groups or "row" in r.flags:
        return None
    flags = r.flags - {"attributive", "moved"}
    made = rows_with(terms, replace(r, cat="M", metrics=(rank.by,), rank=None, flags=flags), x)
    return replace(made, rank=rank) if made else None


@rule("M MUCH|&MUCH")
def rows_with_amount(terms: Terms, body: Node, much: Node) -> Node | None:
    """날짜, 담당자, 금액: the amount of each row."""
    if "listed" not in body.flags or len(body.metrics) != 1 or much.unit != "money":
        return None
    money = terms.money_of(body.metrics[0])
    more = () if money is None or money in body.metrics else (money,)
    return replace(body, metrics=(*body.metrics, *more), cost=body.cost + much.cost) if money else None


@rule("M &M|M")
def rows_with_figure(terms: Terms, body: Node, more: Node) -> Node | None:
    """제목, 날짜, 참석자 수: another figure that each of the rows has."""
    plain = replace(more, cat="M", cost=0.0, flags=frozenset()) == Node("M", metrics=more.metrics)
    if "listed" not in body.flags or not plain or len(more.metrics) != 1 or body.rank:
        return None
    own = terms.metrics[more.metrics[0]]
    fits = own.aggregate == "sum" and not own.filtered and terms.same_fact(own.name, body.metrics[0])
    if not fits or own.name in body.metrics:
        return None
    return replace(body, metrics=(*body.metrics, own.name), cost=body.cost + more.cost + 0.2)


@rule("EVERYD M", ko=">", en=">")
def every_row(terms: Terms, _: Node, body: Node) -> Node | None:
    """Show each expense of last week."""
    fits = is_rows(terms, body) and not body.groups
    return replace(body, flags=body.flags | LISTED, cost=body.cost + 1.0) if fits else None


def is_rows(terms: Terms, body: Node) -> bool:
    """Tell whether a figure is one of rows that have a day, and nothing but limits was said of it."""
    if (
        len(body.metrics) != 1
        or body.kind
        or body.per
        or body.rank
        or body.average
        or body.base
        or body.among
    ):
        return False
    own = terms.metrics[body.metrics[0]]
    plain = not (body.growth or body.having or body.existing or body.split or body.weekdays)
    free = not body.groups or "listed" in body.flags
    return (
        plain
        and free
        and own.aggregate in ("sum", "count")
        and bool(own.time)
        and terms.count_of(own.name) is not None
    )
