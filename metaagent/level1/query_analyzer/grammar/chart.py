"""A chart over typed pieces: rules that say what two types mean together, and in which order each language puts them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date

from metaagent.level1.query_analyzer.grammar.meaning import BY_MEAN, LEFT_OUT, Node
from metaagent.level1.query_analyzer.grammar.terms import Terms

Combine = Callable[[Terms, Node, Node], Node | None]
KO, EN = "ko", "en"
RULES: dict[str, dict[tuple[str, str], list[tuple[Combine, bool]]]] = {
    KO: defaultdict(list),
    EN: defaultdict(list),
}
"""Maps a language and two types as they stand to the rule, and whether its arguments are turned round."""
_HINTS = frozenset(
    {
        "moved",
        "several",
        "ranked",
        "versus",
        "apposed",
        "agent",
        "after",
        "kind",
        "who",
        "percent",
        "implied",
        "usual",
        "divided",
        "joined",
        "course",
        "whole",
        "attributive",
        "again",
        "one",
        "base_days",
        "over:weekday",
        "over:weekend",
        "same_days",
        "head",
        "rather",
        "other_days",
        "beside",
        "compare",
        "basis",
        "dated",
        "stepwise",
        "gap",
        "each",
        "in_each",
        "price",
    }
)
"""Flags that say how something was said, and ask for nothing."""
CELL = 16
"""Meanings that are kept for one stretch of the question."""


def rule(pattern: str, ko: str = ">", en: str = ">") -> Callable[[Combine], Combine]:
    """`pattern`: two types. Per language the order in which they stand: > as written, < reversed, = both, - never."""
    lefts, rights = (side.split("|") for side in pattern.split())

    def keep(function: Combine) -> Combine:
        for language, order in ((KO, ko), (EN, en)):
            for left in lefts:
                for right in rights:
                    if order in ">=":
                        RULES[language][left, right].append((function, False))
                    if order in "<=":
                        RULES[language][right, left].append((function, True))
        return function

    return keep


def _inside(node: Node) -> list[Node]:
    if not (node.other or node.among or node.having):
        return [node]
    nested = [*node.other, *node.among, *(r for h in node.having for r in h.relative)]
    return [node, *(inner for part in nested for inner in _inside(part))]


def _restrictions(nodes: Sequence[Node]) -> set[str]:
    own = [f for n in nodes for f in (*n.filters, *n.part)]
    own += [f for n in nodes for e in n.existing for f in e.restrictions]
    return {f.dimension for f in own}


def keeps(a: Node, b: Node, made: Node) -> bool:
    """A rule may move what its parts said, never drop it."""
    nodes = _inside(made)
    for part in (a, b):
        if (part.period or part.base) and not _kept_spans(a, b, part, nodes):
            return False
        if (part.filters or part.part or part.existing) and not _restrictions([part]) <= _restrictions(nodes):
            return False
        said = part.groups or part.weekdays or part.average or part.per or part.rank or part.flags
        if said and not _kept_flags(part, nodes):
            return False
    rows = max(len(a.rows), len(b.rows))
    return not rows or sum(len(n.rows) for n in nodes) >= rows


def _kept_spans(a: Node, b: Node, part: Node, nodes: Sequence[Node]) -> bool:
    if {"joined", "stepwise"} & (nodes[0].flags - a.flags - b.flags):
        return True
    if any(flag.startswith(("until:", LEFT_OUT)) for flag in nodes[0].flags - part.flags):
        return True
    if part.base is None and _limits_rows(part, nodes):
        return True
    spans = {span for n in nodes for span in (n.period, n.base)} | {
        e.period for n in nodes for e in n.existing
    }
    return all(span is None or span in spans for span in (part.period, part.base))


def _limits_rows(part: Node, nodes: Sequence[Node]) -> bool:
    """Tell whether a period became a limit on a date of the things: launched in 2022."""
    ends = {part.period.first, part.period.last} if part.period else set[date]()
    return any(ends & set(limit.values) for n in nodes for limit in n.rows)


def _kept_flags(part: Node, nodes: Sequence[Node]) -> bool:
    if part.cat == "DAYS" and "other_days" in nodes[0].flags - part.flags:
        return True
    groups = {g for n in nodes for g in n.groups} | {n.dim for n in nodes}
    if part.cat in _STEADY and any(_steady(n) for n in nodes):
        return True
    days = any(set(part.weekdays) <= set(n.weekdays) for n in nodes) if part.weekdays else True
    days = days or "weekend" in groups
    average = (
        any(n.average or n.kind == "average" or {"price", BY_MEAN} & n.flags for n in nodes)
        if part.average
        else True
    )
    per = (
        not part.per
        or part.per.removeprefix("dim:") in groups
        or any(part.per in (n.per, *str(n.per).split("@")) for n in nodes)
    )
    per = per or (part.cat == "PERD" and str(part.per).startswith("dim:") and bool(groups - {None}))
    per = per or (str(part.per).startswith("metric:") and any("metric:" in str(n.per) for n in nodes))
    per = per or any("price" in n.flags for n in nodes)
    per = per or any(part.per == f"metric:{limit.per}" for n in nodes for limit in n.rows)
    rank = any(n.rank for n in nodes) or any(h.growth or h.relative for n in nodes for h in n.having)
    rank = rank or any(n.kind == "difference" for n in nodes)
    ranked = rank or part.rank is None or part.cat in ("GROW", "RATE")
    return (
        (set(part.groups) <= groups or (part.cat == "G" and len(part.groups) <= len(groups - {None})))
        and days
        and average
        and per
        and ranked
        and part.flags - _HINTS <= {f for n in nodes for f in n.flags}
    )


_STEADY = ("G", "PERT", "STEADY")


def _steady(node: Node) -> bool:
    """Tell whether a growth holds in every unit of time, which is then no split."""
    return node.growth.startswith("steady") or any(one.growth.startswith("steady") for one in node.having)


def parse(terms: Terms, pieces: Sequence[tuple[Node, ...]], language: str) -> list[Node]:
    """The meanings of the whole, cheapest first."""
    size, rules = len(pieces), RULES[language]
    if not size:
        return []
    chart: dict[tuple[int, int], list[Node]] = {(i, i + 1): list(nodes) for i, nodes in enumerate(pieces)}
    for width in range(2, size + 1):
        for start in range(size - width + 1):
            cell: dict[Node, Node] = {}
            for middle in range(start + 1, start + width):
                rights = chart[middle, start + width]
                if not rights:
                    continue
                for left in chart[start, middle]:
                    for right in rights:
                        _combine(terms, rules.get((left.cat, right.cat)), left, right, cell)
            chart[start, start + width] = sorted(cell.values(), key=lambda node: node.cost)[:CELL]
    return chart[0, size]


def _combine(
    terms: Terms, rules: list[tuple[Combine, bool]] | None, left: Node, right: Node, cell: dict[Node, Node]
) -> None:
    for combine, turned in rules or ():
        made = combine(terms, right, left) if turned else combine(terms, left, right)
        if made is None or not keeps(left, right, made):
            continue
        known = cell.get(made)
        if known is None or made.cost < known.cost:
            cell[made] = made
