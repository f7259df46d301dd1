"""Rules for how many there are: of things, of their deeds, of rows."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, bare, replace, unify
from metaagent.level1.query_analyzer.grammar.rules_limits import counted_rows
from metaagent.level1.query_analyzer.grammar.rules_ranking import most_done
from metaagent.level1.query_analyzer.grammar.rules_things import and_did
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms


@rule("T COUNT", en="<")
def how_many(terms: Terms, t: Node, _: Node) -> Node | None:
    people = _.unit == "명" and "implied" in t.flags and t.dim != terms.person
    timed = t.dim in TIMES and not t.having  # how many days had sales above a limit
    if t.rank or t.numbers or timed or "again" in _.flags or people:
        return None
    own = terms.counted_by(str(t.dim))
    if _.op == "rows" and (t.having or t.existing) and not (own and terms.metrics[own].time):
        return None  # 몇 건: rows, and no vehicles
    if own and not all(terms.splits(own, f.dimension) for f in t.filters):
        link = terms.linking(own, t.filters[0].dimension) if len(t.filters) == 1 else None
        pairs = link and (not terms.metrics[link].time or terms.named_rows(t.filters[0].dimension))
        pairs = pairs and not t.having and not t.existing and not t.period
        return replace(t, cat="M", dim=None, metrics=(own,), cost=t.cost + 0.3) if pairs else None
    if own and not t.having and not t.existing and not t.period:
        return replace(t, cat="M", dim=None, metrics=(own,))
    return replace(t, cat="Q", kind="count")


@rule("T G", ko="=", en="=")
def things_by_kind(terms: Terms, t: Node, g: Node) -> Node | None:
    """Owners by town, 지역별 고객: how many there are of each."""
    own = terms.counted_by(str(t.dim)) if bare(t) and terms.named_rows(str(t.dim)) else None
    kinds = all(terms.belongs(group, str(t.dim)) and group != t.dim for group in g.groups)
    if own is None or not g.groups or not kinds:
        return None
    return unify("M", g, Node("M", metrics=(own,), cost=t.cost + 0.8))


@rule("F COUNT", en="<")
def how_many_such(terms: Terms, f: Node, count: Node) -> Node | None:
    """A count of the things that the value is a kind of: how many dogs; or of the rows that are so: 늦게 배송된 건수."""
    if "apposed" in f.flags:  # 고양이 장례 몇 건: of the noun behind it
        return None
    own = terms.counted_with(f.filters[0].dimension) if len(f.filters) == 1 else None
    if own is None and count.op == "rows" and len(f.filters) == 1:
        own = terms.rows_with(f.filters[0].dimension)
    return replace(f, cat="M", metrics=(own,), cost=f.cost + 1.0) if own else None


@rule("G COUNT", ko=">", en="=")
def how_many_of_each(terms: Terms, g: Node, count: Node) -> Node | None:
    """Rows by a kind of theirs: 상태별 건수."""
    if count.op == "rows":
        owns = {terms.rows_with(group) for group in g.groups}
    else:  # 병원 종류별로 몇 개씩: the things that are of those kinds
        owns = {terms.counted_with(group) if group not in TIMES else None for group in g.groups}
    own = owns.pop() if len(owns) == 1 and not count.having and count.unit is None else None
    return replace(g, cat="M", metrics=(own,), cost=g.cost + 1.0) if own else None


@rule("T COUNT", ko="-")
def how_many_there_are(terms: Terms, t: Node, count: Node) -> Node | None:
    """Reps without a visit: how many are there."""
    return how_many(terms, t, count) if t.having or t.existing else None


@rule("COUNT T")
def how_many_of(_: Terms, __: Node, t: Node) -> Node | None:
    return replace(t, cat="CT") if bare(t) else None


@rule("COUNT V", ko="-", en=">")
def how_many_did(_: Terms, count: Node, v: Node) -> Node | None:
    """A number of things that are named before: how many bought something."""
    return replace(v, cat="CV", cost=v.cost + count.cost) if count == Node("COUNT") else None


@rule("T CV", ko="-", en=">")
def of_those_how_many(terms: Terms, t: Node, v: Node) -> Node | None:
    """A number out of chosen things: of the hospitals that we visited, how many bought something?"""
    if not t.existing or t.having or t.rank or t.groups:
        return None
    if v.period and t.period and v.period != t.period:  # bought in September, and again in October
        first = tuple(replace(e, period=e.period or t.period) for e in t.existing)
        t = replace(t, existing=first, period=None)
        made = and_did(terms, t, replace(v, cat="&V"))
        made = made and replace(made, period=None)
    else:
        made = and_did(terms, t, replace(v, cat="&V"))
    return how_many(terms, made, Node("COUNT")) if made else None


@rule("CT V", ko="-")
def each_did(terms: Terms, t: Node, v: Node) -> Node | None:
    """Hospitals that each rep visited: how many."""
    return _distinct(terms, t, v) if v.groups else None


@rule("CT V", en="-")
def did_with_so_many(terms: Terms, t: Node, v: Node) -> Node | None:
    """몇 개 병원에 방문했는지: each of them once."""
    made = _distinct(terms, t, v)
    return replace(made, cost=made.cost + 0.2) if made else None


def _distinct(terms: Terms, t: Node, v: Node) -> Node | None:
    own = terms.distinct(str(t.dim), v.metrics[0]) if t.dim and len(v.metrics) == 1 else None
    return replace(v, cat="M", metrics=(own,), cost=v.cost + t.cost) if own else None


@rule("V SUPQ", ko="-")
def did_most(_: Terms, v: Node, sup: Node) -> Node | None:
    return replace(v, cat="VS", rank=sup.rank) if v.rank is None and not v.groups else None


@rule("VS T", ko="-")
def most_things_done(terms: Terms, v: Node, t: Node) -> Node | None:
    """Visited the fewest hospitals."""
    made = _distinct(terms, t, replace(v, rank=None)) if bare(t) else None
    if made is None or v.rank is None:
        return None
    return replace(made, cat="R", metrics=(), rank=replace(v.rank, by=made.metrics[0]))


@rule("M COUNT", en="=")
def rows_counted(terms: Terms, body: Node, count: Node) -> Node | None:
    if count.unit is not None:
        own = terms.metrics[body.metrics[0]] if len(body.metrics) == 1 else None
        # 탈퇴한 회원은 몇 명: things that a model without units counts
        things = own is not None and own.unit is None and own.filtered and terms.counted_things(own.name)
        return body if own is not None and (own.unit == count.unit or things) else None
    own = terms.rows_of(body.metrics[0]) if len(body.metrics) == 1 else None
    if own is None and len(body.metrics) == 1 and terms.metrics[body.metrics[0]].filtered:
        made = counted_rows(terms, body)
        return replace(made, cost=made.cost + 0.3) if made else None
    if own and count.op == "rows" and terms.metrics[own].aggregate == "sum":
        own = terms.count_of(own)
    return (
        replace(body, metrics=(own,), cost=body.cost + (0.0 if own in body.metrics else 0.3)) if own else None
    )


@rule("COUNT M", ko="=", en="=")
def people_there(terms: Terms, count: Node, body: Node) -> Node | None:
    """The number of those who came, and not that of the events: how many people came to our seminars?"""
    counted = (
        count.unit == "명" and len(body.metrics) == 1 and terms.metrics[body.metrics[0]].aggregate == "count"
    )
    people = terms.people_of(body.metrics[0]) if counted and not body.rows and not body.kind else None
    return replace(body, metrics=(people,), cost=body.cost + count.cost - 0.3) if people else None


@rule("M &CF", ko="-")
def both_counted(terms: Terms, body: Node, more: Node) -> Node | None:
    """The number of each: how many were postponed and how many cancelled."""
    if len(body.metrics) != 1 or not terms.counts(body.metrics[0]) or len(body.filters) != 1 or body.kind:
        return None
    one, other = body.filters[0], more.filters[0]
    apart = one.dimension == other.dimension and not one.negated and not set(one.values) & set(other.values)
    if not apart or body.groups or body.rank or (body.period and more.period and body.period != more.period):
        return None
    labels = (*(one.labels or one.values), *(other.labels or other.values))
    both = replace(one, values=(*one.values, *other.values), listed=True, labels=labels)
    period = body.period or more.period
    return replace(body, filters=(both,), split=True, period=period, cost=body.cost + more.cost + 0.2)


@rule("&COUNT F", ko="-")
def and_how_many(_: Terms, count: Node, f: Node) -> Node | None:
    plain = count == Node("&COUNT", cost=count.cost) and len(f.filters) == 1 and not f.filters[0].negated
    return replace(f, cat="&CF", cost=f.cost + count.cost) if plain else None


@rule("COUNT M", en="-")
def times_it_was(terms: Terms, count: Node, body: Node) -> Node | None:
    """몇 번 방문해."""
    fits = (
        count.op == "rows" and len(body.metrics) == 1 and terms.counts(body.metrics[0]) and not count.having
    )
    return replace(body, cost=body.cost + count.cost + 0.1) if fits else None


@rule("V COMPARATIVE", ko="-", en="=")
def done_more(terms: Terms, v: Node, more: Node) -> Node | None:
    """Sold more: which region of both."""
    return most_done(terms, Node("SUP", rank=more.rank), v)


@rule("COUNT V", ko="=", en=">")
def times_done(terms: Terms, _: Node, v: Node) -> Node | None:
    v, count = (v, _) if v.cat == "V" else (_, v)
    if count.unit is not None and terms.metrics[v.metrics[0]].unit != count.unit:
        return None  # how many people visited: no number of visits
    pieces = terms.pieces_of(v.metrics[0]) if count.op is None and count.unit is None else None
    own = (terms.count_of(v.metrics[0]) if count.op == "rows" else pieces) or terms.rows_of(v.metrics[0])
    return replace(v, cat="M", metrics=(own,)) if own else None


@rule("G Q", ko="=", en="=")
def counted_by_group(_: Terms, g: Node, q: Node) -> Node | None:
    return unify("Q", g, q) if q.kind == "count" and q.dim not in g.groups else None
