"""Rules for more and less than another: another value, the mean, one of two."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    Condition,
    Node,
    Rank,
    replace,
    unify,
)
from metaagent.level1.query_analyzer.grammar.terms import Terms


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


@rule("F COMPARATIVE|SUP|SUPQ", ko="-")
def which_is_larger(terms: Terms, f: Node, more: Node) -> Node | None:
    """Daegu vs Busan, which one is bigger: each of both in the usual figure, the larger first."""
    fits = f.filters_listed and len(f.filters) == 1 and more.rank is not None and not more.rank.nth
    if (
        not fits
        or more.rank is None
        or terms.usual is None
        or not terms.splits(terms.usual, f.filters[0].dimension)
    ):
        return None
    rank = replace(more.rank, n=EVERY, by=terms.usual)
    made = replace(f, cat="M", metrics=(terms.usual,), split=True, rank=rank, flags=f.flags | {"usual"})
    return replace(made, cost=f.cost + more.cost + 1.2)


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
