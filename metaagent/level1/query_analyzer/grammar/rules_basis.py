"""Rules for what a ranking goes by where the verb would mean another figure: by value, 금액 기준."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, replace, unify
from metaagent.level1.query_analyzer.grammar.terms import Terms


@rule("MUCH BASIS", en="-")
def money_basis(_: Terms, much: Node, basis: Node) -> Node | None:
    """금액 기준: a ranking goes by the worth."""
    fits = much.unit == "money" and not much.filters
    return replace(much, flags=much.flags | {"basis"}, cost=much.cost + basis.cost) if fits else None


@rule("T|R MUCH", ko="=", en="=")
def ranked_in_money(terms: Terms, t: Node, much: Node) -> Node | None:
    """The best-selling product by value, 많이 팔린 제품 금액 기준: by what was sold, not by how much of it."""
    by = t.rank.by or terms.usual if t.rank and not t.rank.growth else None
    money = terms.money_of(by) if by in terms.metrics and "basis" in much.flags else None
    if money is None or t.rank is None or t.per or not terms.adds(money):
        return None
    return replace(t, rank=replace(t.rank, by=money), cost=t.cost + much.cost + 0.1)


@rule("T|R BYM", ko="=", en="-")
@rule("BYM T|R", ko="-", en=">")
def ranked_by_another(terms: Terms, t: Node, by: Node) -> Node | None:
    """많이 팔린 제품, 매출 기준으로: another figure of the same rows than the verb would mean."""
    t, by = (by, t) if t.cat == "BYM" else (t, by)
    fits = t.rank and t.rank.by in terms.metrics and not t.rank.growth and not t.per and not by.growth
    if not fits or t.rank is None or not terms.same_fact(str(t.rank.by), by.metrics[0]):
        return None
    return unify(
        t.cat, replace(t, flags=t.flags - {"moved"}), by, metrics=(), rank=replace(t.rank, by=by.metrics[0])
    )
