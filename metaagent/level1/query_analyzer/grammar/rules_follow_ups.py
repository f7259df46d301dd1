"""Rules for phrases that only a follow-up says: the other days, the rest by kind, how far apart in money, beside another."""

from __future__ import annotations

from metaagent.level1.query_analyzer.grammar.chart import rule
from metaagent.level1.query_analyzer.grammar.meaning import Node, bare, replace
from metaagent.level1.query_analyzer.grammar.terms import Terms


@rule("DAYS EXCEPT", en="<")
def other_days(_: Terms, days: Node, __: Node) -> Node | None:
    """주말 빼고, without weekends: the other days."""
    rest = tuple(day for day in range(1, 8) if day not in days.weekdays)
    return Node("DAYS", weekdays=rest, flags=frozenset({"other_days"})) if days.weekdays and rest else None


@rule("REST G", ko="=", en="=")
def the_rest_split(_: Terms, rest: Node, g: Node) -> Node | None:
    """나머지는 항목별로, break the rest down by team."""
    plain = bare(replace(g, cat="T", groups=(), cost=0.0)) and not rest.groups
    return replace(rest, groups=g.groups, cost=rest.cost + g.cost) if plain else None


@rule("DIFF PCT", ko="=", en="=")
def apart_in_percent(_: Terms, apart: Node, percent: Node) -> Node | None:
    """몇 퍼센트 차이."""
    return replace(apart, cost=apart.cost + percent.cost)


@rule("AVG COUNT|MUCH", ko="=", en="=")
def how_many_on_average(_: Terms, mean: Node, much: Node) -> Node | None:
    """평균은 몇 번이야?: of what was listed."""
    plain = mean == Node("AVG", average=True) and much == Node(much.cat, op=much.op, unit=much.unit)
    return replace(mean, cost=mean.cost + much.cost + 0.6) if plain else None


@rule("MUCH BASIS", en="-")
def in_money(_: Terms, much: Node, basis: Node) -> Node | None:
    """금액으로는."""
    return replace(much, cost=much.cost + basis.cost + 0.2) if much.unit == "money" else None


@rule("F VS", en="<")
@rule("EACH F", ko="=", en="=")
def set_beside(_: Terms, a: Node, b: Node) -> Node | None:
    """대전하고 비교해줘, compare it with Daejeon: beside what was spoken of."""
    f, link = (a, b) if a.cat == "F" else (b, a)
    single = len(f.filters) == 1 and not f.filters_listed and not f.filters[0].negated and not f.rank
    fits = single and (link.cat == "VS" or "compare" in link.flags)
    return replace(f, flags=f.flags | {"beside"}, cost=f.cost + link.cost + 0.8) if fits else None
