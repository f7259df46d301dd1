"""Further ways to go on with the question before: what fell, the part in a named whole, with those left out, the dearest one."""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed, chosen_thing, scope_of
from metaagent.level1.query_analyzer.follow_ups.request_changes import AMONG
from metaagent.level1.query_analyzer.grammar import combined_follow_ups, ellipsis
from metaagent.level1.query_analyzer.grammar.bare_follow_ups import compared_with
from metaagent.level1.query_analyzer.grammar.following import follow
from metaagent.level1.query_analyzer.grammar.meaning import Node, Span
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.reading import Plain, Reading


def with_them(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """And with them?, 포함하면?: after some were left out, with nothing left out."""
    out = [f for f in previous.get("filters") or () if f.get("op") == "not_in"]
    if (
        not out
        or not _WITH.match(reading.source.text)
        or any(n.cat != "AND" for p in found.path for n in p.nodes)
    ):
        return None
    filters = [f for f in previous["filters"] if f not in out]
    return {**previous, "filters": filters, "language": reading.language}, Node("F"), ["metrics", "period"]


_WITH = regex(
    r"\A\W*(?:(?:and|so|ok|okay|but|what about|how about)[,\s]+)*with (?:them|those|it|these)(?: included| in)?\W*\Z"
    r"|\A\W*(?:(?:그럼|그러면|그|걔네|그것도|그것까지|거기도)\s?)*(?:다시\s?)?(?:포함(?:하면|해서|시키면|하고)|넣으면|넣고\s?보면)(?:은|는)?(?:요)?\W*\Z"
)


def number_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Count the things of the list before: how many reps is that?, of those, how many are clinics?"""
    terms, kind = terms_of(reading.context.domain, reading.context.vocabulary), chosen_thing(previous)
    said = [p.nodes[0] for p in found.path if p.nodes]
    if kind is None or found.unread or previous.get("comparison"):
        return None
    number, cats = Node("M", metrics=(str(terms.counted_by(kind)),)), [node.cat for node in said]
    counted = said == [number] or (cats == ["COUNT", "T"] and said[1].dim == kind)
    some = cats == ["COUNT", "F"] and all(terms.belongs(f.dimension, kind) for f in said[1].filters)
    some = some and AMONG.search(reading.source.text)
    if not some and not (counted and _IS_THAT.search(reading.source.text)):
        return None
    asked = Node("COUNT", filters=said[1].filters) if some else Node("COUNT")
    made = follow(previous, asked, scope_of(reading, terms), adds=False)
    return (made[0], OF_THOSE, made[1]) if made else None


OF_THOSE = Node("COUNT", flags=frozenset({"those"}))
"""The number of the things that were chosen."""


_IS_THAT = regex(
    r"(?<![a-z])(?:(?:is|are|was|were|do|does|would) (?:that|those|these|this|it|they)|in (?:total|all)|altogether)(?![a-z])"
)


def dearest_of_list(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Read the dearest of a list as the one of the most money, where such things have no price: which month was the dearest?"""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    said = [p.nodes[0] for p in found.path if p.nodes]
    dear = [node for node in said if node.cat == "ADJ" and "price" in str(node.unit).split() and node.rank]
    groups, metrics = previous.get("dimensions") or [], [str(m) for m in previous.get("metrics") or ()]
    rest = [node for node in said if node not in dear and node.cat not in ("AND", "ALSO")]
    fixed = any(previous.get(key) for key in ("derived", "share", "comparison", "count_groups", "top"))
    if len(dear) != 1 or len(groups) != 1 or len(metrics) != 1 or fixed or not terms.is_money(metrics[0]):
        return None
    named = all(node == Node("T", dim=groups[0]) for node in rest)
    if not named or found.unread or terms.by_adjective(str(groups[0]), str(dear[0].unit)):
        return None
    rank = dear[0].rank
    assert rank is not None
    top = {"n": rank.n or 1, "direction": "top" if rank.descending else "bottom", "by": metrics[0]}
    made = {**previous, "top": top, "language": reading.language}
    return made, Node("TOP", rank=rank), [key for key in previous if key != "language"]


def in_a_named_whole(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """전체 경남 매출의 몇 퍼센트지?, after a part of that: the part in the whole that is named, not the whole in all."""
    best, text = found.best, reading.source.text
    derived = (best.query.get("derived") or []) if best else []
    if best is None or len(derived) != 1 or derived[0]["kind"] != "share" or not _OF_ALL.search(text):
        return None
    named = derived[0]["numerator"].get("filters") or []
    own = combined_follow_ups.parts_of(previous)
    part = [f for f in own.get("filters") or () if f not in named]
    metric = derived[0]["numerator"]["metric"]
    if not named or not part or len(part) == len(own["filters"]) or own.get("metrics") != [metric]:
        return None
    share = {**derived[0], "numerator": {"metric": metric, "filters": part}}
    query = {**best.query, "filters": named, "derived": [share], "period": previous.get("period")}
    return query, best.node, ["period", "filters"]


_OF_ALL = regex(
    r"(?:전체|총)\s[^,?]{1,16}(?:의|에서|중)\s?(?:몇|얼마)|(?<![a-z])of (?:all|the total|total|the whole|overall) [a-z' ]+"
    r" (?:is|are|was|were) (?:that|it|this|those|they)"
)


def fell_or_rose(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The things whose figure fell or rose: 어느 지역이 떨어졌어?, which products went down?"""
    node, metrics = found.fragment, [str(m) for m in previous.get("metrics") or ()]
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    if node is None or node.cat != "TG" or found.best or found.unread or len(metrics) != 1:
        return None
    kind = str(node.dim)
    scope = scope_of(reading, terms)
    own = compared_with(previous, Node("BG", base="previous", flags=frozenset({"versus"})), scope)
    own = {key: previous[key] for key in ("period", "comparison")} if previous.get("comparison") else own
    fixed = any(previous.get(key) for key in ("derived", "count_groups", "share", "existence"))
    if own is None or fixed or not terms.splits(metrics[0], kind):
        return None
    down = node.rank is not None and not node.rank.descending
    column = f"{metrics[0]}__difference"
    kept = {key: value for key, value in previous.items() if key not in ("top", "order", "limit", "having")}
    more = {
        "dimensions": [kind],
        "having": [{"column": column, "op": "<" if down else ">", "values": [0.0]}],
        "order": [{"column": column, "descending": not down}],
    }
    filters = [f for f in previous.get("filters") or () if f["dimension"] != kind]
    made = {**kept, "period": own["period"], "comparison": own["comparison"], "filters": filters, **more}
    return {**made, "language": reading.language}, node, ["metrics", "period", "filters"]


def one_of_the_counted(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Most expensive one?, after a number of products: of the things that were counted, however they were split."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    metrics = [str(m) for m in previous.get("metrics") or ()]
    kinds = [name for name in terms.dimensions if terms.counted_by(name) in metrics]
    said = [node for p in found.path for node in p.nodes]
    if len(metrics) != 1 or len(kinds) != 1 or found.unread or not any(node.cat == "ADJ" for node in said):
        return None
    scope = scope_of(reading, terms)
    own = ellipsis.left_out({"dimensions": kinds}, found.path, scope, by=("top",))
    if own is None or any(node.cat == "T" for node in said):
        return None
    query, taken = ellipsis.completed(previous, own, scope)
    return query, own.node, taken


def compared_again(reading: Reading, previous: Plain, best: Request) -> Completed | None:
    """9월이랑 비교하면 매출이 늘었나?: the figure that was spoken of, of the same, set against that month."""
    node, metrics = best.node, previous.get("metrics") or []
    own = [name for name in node.metrics if name not in metrics]
    fixed = any(best.query.get(key) for key in ("filters", "dimensions", "top", "having", "derived", "among"))
    if not isinstance(node.base, Span) or node.period or own or fixed or len(metrics) != 1:
        return None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    against = Node("BG", base=node.base, flags=frozenset({"versus"}))
    made = follow(previous, against, scope_of(reading, terms), adds=False)
    return (made[0], against, made[1]) if made else None
