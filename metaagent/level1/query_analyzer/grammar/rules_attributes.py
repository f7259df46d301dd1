"""Rules for what a thing has one of: its dates, its price; and for the first and last day of an event."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, Rank, RowLimit, Span, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import Terms

# dates as limits


def _dated(dim: str, p: Node) -> Node | None:
    span = p.period
    if span is None or p != Node("P", period=span, cost=p.cost):
        return None
    return Node("F", rows=(_limit(dim, span),), cost=p.cost)


def _limit(dim: str, span: Span) -> RowLimit:
    if span.open == "until":
        return RowLimit(dim, "<=", (span.last,))
    if span.open == "since":
        return RowLimit(dim, ">=", (span.first,))
    return RowLimit(dim, "between", (span.first, span.last))


@rule("P DV", ko=">", en="-")
@rule("DV P", ko=">", en=">")
def happened_then(_: Terms, a: Node, b: Node) -> Node | None:
    """2019년에 나온, launched in 2022: a limit on the date of the things; 출시한 지 10년 넘은."""
    v, p = (a, b) if a.cat == "DV" else (b, a)
    return None if v.rank else _dated(str(v.dim), p)


@rule("T P", ko=">", en=">")
def date_within(terms: Terms, t: Node, p: Node) -> Node | None:
    """출시일이 2020년 이후인, with a launch date after 2020."""
    return _dated(str(t.dim), p) if bare(t) and terms.dated(str(t.dim)) else None


@rule("F T", ko="=", en="=")
def such_things(terms: Terms, f: Node, t: Node) -> Node | None:
    """Products launched in 2022, as what limits a figure: revenue from them."""
    own = bool(f.rows) and not f.filters and bare(t) and "apposed" not in f.flags
    if not own or not all(terms.dated(limit.column) == t.dim for limit in f.rows):
        return None
    return replace(f, flags=f.flags | {"apposed"}, cost=f.cost + t.cost + 0.1)


@rule("F F", ko=">", en=">")
def dated_and_named(terms: Terms, x: Node, y: Node) -> Node | None:
    """Antibiotics launched in 2022: what a thing is, and since when."""
    dated, other = (x, y) if x.rows else (y, x)
    if not dated.rows or dated.filters or other.rows or not other.filters:
        return None
    owners = {terms.dated(limit.column) for limit in dated.rows}
    fits = all(
        o and all(f.dimension == o or terms.belongs(f.dimension, o) for f in other.filters) for o in owners
    )
    return unify("F", x, y, cost=0.2) if fits else None


# the attribute itself


def _attribute(terms: Terms, owner: str | None, name: str, f: Node) -> Node | None:
    """The things that are named, each with what it has."""
    if owner is None or not f.filters or f.period or f.rows or any(x.negated for x in f.filters):
        return None
    if not all(x.dimension == owner or terms.belongs(x.dimension, owner) for x in f.filters):
        return None
    return Node("T", dim=owner, groups=(name,), filters=f.filters, cost=f.cost + 0.3)


@rule("F DV", ko="=", en="=")
def when_it_was(terms: Terms, f: Node, v: Node) -> Node | None:
    """The date of each that is named: when was it launched."""
    return None if v.rank else _attribute(terms, terms.dated(str(v.dim)), str(v.dim), f)


@rule("D F", ko="=", en="=")
def value_of_one(terms: Terms, d: Node, f: Node) -> Node | None:
    """The list price of a product, 제품의 정가."""
    made = _attribute(terms, terms.owner(str(d.dim)), str(d.dim), f)
    return replace(made, cost=made.cost + d.cost) if made else None


@rule("D|&D T", ko="=", en="=")
def value_of_each(terms: Terms, d: Node, t: Node) -> Node | None:
    """Products and their prices."""
    own = terms.owner(str(d.dim)) == t.dim
    if d.cat == "D" and t.rank and t.rank.by is None:  # the highest price: it is what they are ranked by
        return None
    return _beside(terms, t, str(d.dim), d.cost + (0.2 if t.having or t.rank else 0.4)) if own else None


def _beside(terms: Terms, t: Node, name: str, cost: float) -> Node | None:
    """Things with one more of what each of them has: those over 2,000 won with their prices, and when they came out."""
    own = all(terms.owner(group) == t.dim for group in t.groups) and name not in t.groups
    chosen = bool(t.having or t.rank) and not t.existing
    plain = chosen or bare(replace(t, filters=(), rows=(), groups=(), flags=frozenset()))
    return replace(t, groups=(*t.groups, name), cost=t.cost + cost) if own and plain else None


@rule("T &T|T", ko="-", en=">")
def things_and_their_date(terms: Terms, t: Node, x: Node) -> Node | None:
    """Read the date of each thing that is listed: which products came out after 2020, and when?"""
    date = terms.date_of(str(t.dim)) if "dated" in x.flags and x.dim == "day" else None
    if date is None or not bare(replace(x, cat="T")):
        return None
    if t.rank is not None and t.rank.by == date:
        return replace(t, cost=t.cost + x.cost)
    return _beside(terms, t, date, x.cost + 0.2)


@rule("T THEIR", en="-")
def named_things(terms: Terms, t: Node, _: Node) -> Node | None:
    """항생제 제품들 이름이랑 출시일: things are shown by their names anyway."""
    plain = bare(replace(t, filters=(), rows=(), flags=frozenset())) and t.dim is not None
    own = plain and terms.named_rows(str(t.dim))
    return replace(t, flags=t.flags | {"named"}, cost=t.cost + 0.3) if own else None


@rule("T T|&T", ko=">", en=">")
def things_and_their_own(terms: Terms, t: Node, x: Node) -> Node | None:
    """Hospitals with their tier, which team each rep is on: what each of the things has."""
    name = str(x.dim)
    own = terms.owner(name) == t.dim and name != t.dim and t.dim is not None and not t.rank
    named = bool(t.filters or t.rows or t.groups) or x.cat == "&T"
    return _beside(terms, t, name, x.cost + 0.1) if own and named and bare(replace(x, cat="T")) else None


@rule("T &PRICEOF|PRICEOF", ko="=", en=">")
def things_and_their_price(terms: Terms, t: Node, x: Node) -> Node | None:
    """The most expensive product, and how much one costs."""
    own = terms.price is not None and terms.owner(terms.price) == t.dim
    by = terms.metrics.get(str(t.rank.by)) if own and t.rank else None
    if by is not None and by.column == terms.dimensions[str(terms.price)].column:
        return replace(t, cost=t.cost + x.cost)  # it is what they are ranked by
    return _beside(terms, t, str(terms.price), x.cost + 0.2) if own else None


@rule("SUP|TOP|NTH|ORDER D", ko="<")
def most_of_property(terms: Terms, sup: Node, d: Node) -> Node | None:
    """The highest list price, 정가가 가장 높은: what the things that have it are ranked by."""
    if sup.rank is None or terms.owner(str(d.dim)) is None or terms.dated(str(d.dim)):
        return None
    return Node("DR", rank=replace(sup.rank, by=d.dim), cost=sup.cost + d.cost)


@rule("DR T", ko="=", en="=")
def ranked_by_property(terms: Terms, by: Node, t: Node) -> Node | None:
    """The product that has the highest list price."""
    own = by.rank is not None and terms.owner(str(by.rank.by)) == t.dim and t.rank is None
    plain = bare(replace(t, filters=(), numbers=(), flags=frozenset()))
    return unify("T", by, t) if own and plain else None


@rule("D BY", ko="-", en="<")
def by_property(terms: Terms, d: Node, by: Node) -> Node | None:
    own = terms.owner(str(d.dim)) and not terms.dated(str(d.dim))
    return Node("BYD", dim=d.dim, cost=d.cost + by.cost) if own else None


@rule("T BYD", ko="-", en="=")
def things_by_property(terms: Terms, t: Node, by: Node) -> Node | None:
    """The five products first by list price."""
    if t.rank is None or t.rank.by or terms.owner(str(by.dim)) != t.dim:
        return None
    return replace(t, rank=replace(t.rank, by=by.dim), cost=t.cost + by.cost)


@rule("D MUCH", ko="=", en="=")
def how_much_it_costs(_: Terms, d: Node, much: Node) -> Node | None:
    """정가가 얼마죠."""
    return replace(d, cost=d.cost + much.cost)


@rule("T DV|&DV", ko="=", en="=")
def things_and_dates(terms: Terms, t: Node, v: Node) -> Node | None:
    """제품이 언제 출시됐어: the date of each; the product launched last: by its date."""
    if t.rank is not None and t.rank.by == v.dim and v.rank is None:  # when was the newest one launched
        return replace(t, cost=t.cost + v.cost)
    if terms.dated(str(v.dim)) == t.dim and v.rank is None and (t.rank or t.rows or t.having or t.groups):
        return _beside(terms, t, str(v.dim), v.cost + 0.6)
    if terms.dated(str(v.dim)) != t.dim or t.rank or not bare(replace(t, filters=())):
        return None
    if v.rank is not None:
        return replace(t, rank=v.rank, cost=t.cost + v.cost)
    return replace(t, groups=(str(v.dim),), cost=t.cost + v.cost + 0.6)


@rule("T DV", ko="=", en="=")
def time_of_launch(terms: Terms, t: Node, v: Node) -> Node | None:
    """언제 출시: the question word for the day stands beside the verb."""
    return replace(v, cost=v.cost + t.cost) if bare(t) and t.dim == "day" and v.rank is None else None


@rule("DV ANY", ko="-", en=">")
def launched_any(_: Terms, v: Node, some: Node) -> Node | None:
    """Did we launch anything: the things themselves."""
    return None if v.rank else replace(v, cat="DVT", cost=v.cost + some.cost)


@rule("DVT P", ko="-", en=">")
def any_then(terms: Terms, v: Node, p: Node) -> Node | None:
    made = _dated(str(v.dim), p)
    return replace(made, cat="T", dim=terms.dated(str(v.dim))) if made else None


# the newest and the oldest


@rule("AGED T", ko="=", en="=")
def by_age(terms: Terms, aged: Node, t: Node) -> Node | None:
    """The newest product, 제일 오래된 제품."""
    by = terms.date_of(str(t.dim))
    if by is None or aged.rank is None or t.rank or not bare(replace(t, filters=(), numbers=())):
        return None
    return replace(t, rank=replace(aged.rank, by=by), cost=t.cost + aged.cost)


@rule("T T|&T", ko="=", en="=")
def by_age_and_date(_: Terms, t: Node, x: Node) -> Node | None:
    """The oldest product and its launch date: it is shown anyway."""
    t, x = (t, x) if t.rank else (x, t)
    fits = t.cat == "T" and t.rank is not None and t.rank.by is not None and bare(replace(x, cat="T"))
    return (
        replace(t, cost=t.cost + x.cost)
        if fits and t.rank and x.dim in (t.rank.by, "day") and t.rank.by == x.dim
        else None
    )


@rule("AGED DV", ko="=", en="=")
def launched_last(_: Terms, aged: Node, v: Node) -> Node | None:
    """가장 최근에 출시된, most recently launched."""
    if aged.rank is None or v.rank:
        return None
    return replace(v, rank=replace(aged.rank, by=v.dim), cost=v.cost + aged.cost)


# how many, and how much in all


@rule("M &MUCH|&TOTAL")
def number_and_worth(terms: Terms, body: Node, much: Node) -> Node | None:
    """The number of gifts and their total value: the rows, and what they add up to."""
    money = terms.money_of(body.metrics[0]) if _counted(terms, body) else None
    named = much.cat == "&TOTAL" or much.unit == "money"
    if money is None or money in body.metrics or (much.cat == "&TOTAL" and much.filters):
        return None
    cost = body.cost + much.cost + (0.2 if named else 0.3)
    return replace(body, metrics=(*body.metrics, money), period=body.period or much.period, cost=cost)


@rule("COUNT MUCH|TOTAL", en="-")
def so_many_so_much(_: Terms, count: Node, much: Node) -> Node | None:
    """몇 건에 얼마, 몇 건 총 얼마."""
    plain = count.op == "rows" and not (count.having or count.filters or count.period or much.filters)
    return Node("CM", cost=count.cost + much.cost) if plain else None


@rule("M|V CM", en="-")
def worth_and_number(terms: Terms, body: Node, both: Node) -> Node | None:
    """식대 몇 건에 얼마: the rows of an amount, and the amount."""
    if len(body.metrics) != 1 or body.kind or body.per or body.rank or body.average:
        return None
    money = terms.money_of(body.metrics[0])
    count = terms.count_of(money) if money else None
    if money is None or count is None or (body.cat == "M" and terms.metrics[body.metrics[0]].filtered):
        return None
    return replace(body, cat="M", metrics=(count, money), cost=body.cost + both.cost)


@rule("CM V", en="-")
def so_much_done(terms: Terms, both: Node, v: Node) -> Node | None:
    """몇 건에 얼마 썼어."""
    plain = v == Node("V", metrics=v.metrics, cost=v.cost) and terms.is_money(terms.worth_of(v.metrics[0]))
    return replace(both, cost=both.cost + v.cost) if plain else None


@rule("LONG TOTAL", ko="=", en="=")
def how_long_in_all(_: Terms, long: Node, total: Node) -> Node | None:
    return Node("LONGT", cost=long.cost + total.cost)


@rule("M &LONGT")
def number_and_length(terms: Terms, body: Node, long: Node) -> Node | None:
    """The number of visits, and how long they took in all."""
    time = terms.unit_of_rows(body.metrics[0], "분") if _counted(terms, body) else None
    return replace(body, metrics=(*body.metrics, time), cost=body.cost + long.cost) if time else None


def _counted(terms: Terms, body: Node) -> bool:
    plain = len(body.metrics) == 1 and not (body.kind or body.per or body.rank or body.average or body.rows)
    return plain and terms.metrics[body.metrics[0]].aggregate == "count"


# less a part of it


@rule("EXCEPT M", ko="<", en=">")
def left_out(_: Terms, link: Node, body: Node) -> Node | None:
    """Net of VAT, 부가세 빼고."""
    plain = replace(body, cost=0.0) == Node("M", metrics=body.metrics) and len(body.metrics) == 1
    return Node("LESSM", metrics=body.metrics, cost=body.cost + link.cost + 0.3) if plain else None


@rule("M LESSM", ko="=", en="=")
def net_of(terms: Terms, body: Node, less: Node) -> Node | None:
    """Expenses net of VAT: one amount of the same rows less another."""
    if (
        len(body.metrics) != 1
        or body.metrics == less.metrics
        or body.kind
        or body.per
        or body.rank
        or body.average
    ):
        return None
    own, other = body.metrics[0], less.metrics[0]
    columns = {terms.metrics[own].column, terms.metrics[other].column}
    fits = terms.same_fact(own, other) and terms.is_money(own) and terms.is_money(other) and len(columns) == 2
    if not fits or not (terms.adds(own) and terms.adds(other)) or body.groups or body.filters:
        return None
    return replace(body, per=f"less:{other}", cost=body.cost + less.cost)


# the first and the last day


@rule("EDGE M|V", ko="=", en="=")
def day_of_last(terms: Terms, edge: Node, body: Node) -> Node | None:
    """The last day that has such a row: when did we last visit, 마지막으로 방문한 날."""
    plain = len(body.metrics) == 1 and not (body.groups or body.rank or body.kind or body.per or body.average)
    own = terms.count_of(body.metrics[0]) if plain else None
    if own is None or edge.rank is None or not terms.metrics[own].time or body.base or body.having:
        return None
    rank = Rank(descending=edge.rank.descending, by="day")
    flags = body.flags | {"edge"}
    return replace(
        body, cat="M", metrics=(own,), groups=("day",), rank=rank, flags=flags, cost=body.cost + edge.cost
    )


@rule("M T|DAYOF", ko="=", en="=")
def day_named(_: Terms, body: Node, t: Node) -> Node | None:
    """마지막 방문이 언제, the date of the last visit: the day that is shown anyway."""
    day = t.cat == "DAYOF" or (bare(t) and t.dim == "day")
    return replace(body, cost=body.cost + t.cost) if day and "edge" in body.flags else None


@rule("M|V DAYOF", en="-")
def day_of_event(terms: Terms, body: Node, day: Node) -> Node | None:
    """개최일, 방문일: the day that each row has."""
    plain = replace(body, cost=0.0) == Node(body.cat, metrics=body.metrics) and len(body.metrics) == 1
    fits = plain and terms.metrics[body.metrics[0]].time
    flags = frozenset({"dated"})
    return Node("T", dim="day", flags=flags, cost=body.cost + day.cost + 0.5) if fits else None


@rule("M|V DAYOF", en="-")
def event_day(terms: Terms, body: Node, day: Node) -> Node | None:
    """방문일: the day of the event."""
    plain = replace(body, cost=0.0) == Node(body.cat, metrics=body.metrics) and len(body.metrics) == 1
    return replace(body, cost=body.cost + day.cost) if plain and terms.metrics[body.metrics[0]].time else None
