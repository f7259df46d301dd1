"""The changes that a short question makes in the one before it: a name, a period, a figure, a split, a limit."""

from __future__ import annotations

from typing import Any

from metaagent.level1.query_analyzer.grammar import combined_follow_ups
from metaagent.level1.query_analyzer.grammar.bare_follow_ups import (
    ALONE,
    adjusted,
    compared_with,
    merged_filters,
    part_of,
    share_of_part,
)
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    Node,
    Restriction,
    replace,
)
from metaagent.level1.query_analyzer.grammar.request import (
    Scope,
    as_filter,
    as_period,
    ranked_in,
    requests,
)
from metaagent.level1.query_analyzer.grammar.rules_figures import mean, per_unit
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]
FIGURES = (
    "metrics", "derived", "count_groups", "existence", "having", "rows", "among", "among_others", "share", "target",
)  # fmt: skip
_GROWN = ("__change", "__difference")
RANKED = ("top", "order", "limit")


def follow(previous: Plain, node: Node, scope: Scope, *, adds: bool) -> tuple[Plain, list[str]] | None:
    """The earlier request with what the phrase says in its place, and the fields that were taken over."""
    previous = combined_follow_ups.of_one_period(previous)
    if listed := _mean_of_list(previous, node, scope):
        return listed
    said = _changed(_of_all(previous, _in_percent(previous, node)))
    node = _spread_anew(previous, said, scope)
    spread = node is not said
    node = _same_kind(previous, node, scope.terms)
    node = _by_another(previous, node)
    if node.cat == "M" and "instead" in node.flags:
        node = replace(node, cat="BYM")
    if node.cat == "R" and node.rank and node.rank.nth:  # 두 번째로 잘 팔린 건요?
        own = [str((previous.get("top") or {}).get("by")), *map(str, previous.get("metrics") or ())]
        node = Node("NTH", rank=node.rank, cost=node.cost) if node.rank.by in own else node
    if node.cat == "BYM" and adjusted(previous, node, scope) is None and not node.growth:
        node = replace(node, cat="M", flags=node.flags | {"instead"})  # 방문당 매출로 하면?: another figure
    if node.cat in ALONE or (node.cat == "SHARE" and not previous.get("dimensions")):
        return ALONE.get(node.cat, share_of_part)(previous, node, scope)
    if node.cat == "SHARE" and _limited_groups(previous, previous.get("filters") or []):
        return None  # of the total: the filter would be the whole
    against = node.base is not None and not node.metrics
    own = compared_with(previous, node, scope) if against else _own(previous, node, scope)
    if "percent" in node.flags and not previous.get("derived") and not previous.get("share"):
        return None
    made = _with(previous, own, node, scope, adds=adds) if own is not None else None
    if made and spread:  # 병원당 평균은?, after the sum of five: of those
        chosen = {key: previous[key] for key in _CHOOSING if previous.get(key) and not made[0].get(key)}
        return {**made[0], **chosen}, [*made[1], *chosen]
    return made


_CHOOSING = ("among", "among_others", "rows", "existence")


def _by_another(previous: Plain, node: Node) -> Node:
    """Rank by visits instead, after the best five: as many, by another figure."""
    top, rank = previous.get("top") or {}, node.rank
    if rank is None or rank.by is None or rank.n != EVERY or rank.growth or not top.get("n"):
        return node
    plain = replace(node, rank=None, dim=None, cost=0.0, flags=frozenset()) == Node(node.cat)
    same = node.dim is None or node.dim in (previous.get("dimensions") or ())
    other = plain and same and rank.descending and rank.by != top.get("by")
    return Node("BYM", metrics=(rank.by,), cost=node.cost) if other else node


def _with(
    previous: Plain, own: Plain, node: Node, scope: Scope, *, adds: bool
) -> tuple[Plain, list[str]] | None:
    """The earlier request with the parts of another one in the place of its own."""
    if own.get("metrics") and not own.get("derived"):  # 금액으로 다시: of the part whose share was asked for
        previous = combined_follow_ups.parts_of(previous)
    made = _ranked_things(_regrouped(previous, own), own, node)
    named = [f for f in own.get("filters") or () if f["op"] == "in"]
    if made.get("share") and not own.get("metrics") and _limited_groups(made, named):
        return _one_part(made, own, scope)
    parts = _other_part(made, own) if not own.get("metrics") and not own.get("derived") else None
    if parts is not None:
        made, own = {**made, "derived": parts}, {**own, "filters": []}
    if deeds := _other_deed(made, own):
        made, own = {**made, "existence": deeds}, {**own, "filters": []}
    made = _with_figure(made, own, scope.terms)
    apart = sides_limited(own)  # the share of it in all sales: the whole is not limited to it
    held = [f for f in made.get("filters") or () if f["dimension"] not in apart]
    made["filters"] = merged_filters(held, own.get("filters") or [], adds=adds)
    said = {key for key, value in own.items() if value not in (None, [], {}, False)}
    for key in said - {"filters", "dimensions", "metrics", "language"}:
        made[key] = own[key]
    if changing := _ranked_by_change(previous, own):
        made = {**{k: v for k, v in made.items() if k not in ("having", "order")}, **changing}
    elif "comparison" not in said and "instead" not in node.flags and _leaves_comparison(made, own, previous):
        made.pop("comparison", None)
    if own.get("dimensions"):
        named = _set_apart(made)
        made["dimensions"] = _dimensions(made.get("dimensions") or [], own["dimensions"], named)
    made = _fitting(nearer(_one_value(_each_of(made, node), node), scope.terms), scope.terms)
    if not any(made.get(key) for key in ("metrics", "derived", "count_groups", "dimensions")):
        return None  # nothing is asked for any more
    taken = [key for key in made if key in previous and made[key] == previous[key] and key != "language"]
    return {**made, "language": scope.language}, taken


def _ranked_by_change(previous: Plain, own: Plain) -> Plain:
    """The three worst products, after the regions that fell: by the change that was spoken of."""
    columns = [(previous.get("top") or {}).get("by"), *(o["column"] for o in previous.get("having") or ())]
    spoken = next((str(c) for c in columns if str(c or "").endswith(_GROWN)), None)
    top, metrics = own.get("top") or {}, previous.get("metrics") or []
    if spoken is None or not top or len(metrics) != 1 or top.get("by") not in (None, metrics[0]):
        return {}
    if own.get("period") or own.get("derived") or own.get("metrics") not in (None, [], metrics):
        return {}
    return {"top": {**top, "by": spoken}, "comparison": previous["comparison"]}


def sides_limited(own: Plain) -> set[str]:
    """The dimensions that one side of a share or ratio is limited by itself."""
    sides = [one.get(side) or {} for one in own.get("derived") or () for side in ("numerator", "denominator")]
    return {str(f["dimension"]) for side in sides for f in side.get("filters") or ()}


def _ranked_things(previous: Plain, own: Plain, node: Node) -> Plain:
    """Keep what stays of the request before; 제일 낮은 팀은? after a number of things asks for no number any more."""
    made = {key: value for key, value in previous.items() if value not in (None, [], {}, False)}
    counted = own.get("top") and node.cat == "T" and made.get("count_groups")
    inner = (made.get("among") or {}).get("dimensions")
    one = ((made.get("among") or {}).get("top") or {}).get("n") == 1
    if one and (
        own.get("top") and inner and node.dim in (None, *inner)
    ):  # 제일 적은 사람은?, after the figure of one: of all
        made.pop("among")
    return {k: v for k, v in made.items() if not counted or k not in ("count_groups", "having")}


def _leaves_comparison(made: Plain, own: Plain, previous: Plain) -> bool:
    """A new figure, period or ranking is not compared any more, unless it ranks by the change."""
    here, there = (_by_change(one.get("top")) for one in (own, made))
    other = bool(own.get("metrics")) and own["metrics"] != previous.get("metrics")
    return bool(other or (own.get("period") and not there) or (own.get("top") and not here))


def _by_change(top: Plain | None) -> bool:
    return str((top or {}).get("by") or "").endswith(_GROWN)


def _of_all(previous: Plain, node: Node) -> Node:
    """The share in all sales, asked after a part of them."""
    plain = replace(node, split=None, cost=0.0) == Node("SM", metrics=node.metrics)
    same = list(node.metrics) == previous.get("metrics") and plain
    return Node("SHARE", flags=frozenset({"whole"})) if same else node


def _same_kind(previous: Plain, node: Node, terms: Terms) -> Node:
    """And gifts?, after travel costs per visit, or after the number of travel costs: another part, no figure of its own."""
    parts = [one["numerator"] for one in previous.get("derived") or () if one["kind"] in ("share", "ratio")]
    held = {(str(one["metric"]), str(f["dimension"])) for one in parts for f in one.get("filters") or ()}
    own = {(m, x.dimension) for m in node.metrics for x in node.filters}
    before = [*(previous.get("metrics") or ()), *(one["metric"] for one in parts)]
    counted = [str(m) for m in before if m in terms.metrics]
    limited = [*(previous.get("filters") or ()), *(f for one in parts for f in one.get("filters") or ())]
    held |= {
        (m, str(f["dimension"]))
        for f in limited
        for m in node.metrics
        if len(counted) == 1 and "usual" not in node.flags and terms.kind_of_money(str(f["dimension"])) == m
        and terms.same_fact(m, counted[0])
    }  # fmt: skip
    plain = replace(node, metrics=(), filters=(), period=None, cost=0.0) == Node("M")
    return Node("F", filters=node.filters, period=node.period) if plain and own and own <= held else node


def _in_percent(previous: Plain, node: Node) -> Node:
    """몇 프로야 그게?, 비율로: the share of what was spoken of."""
    several = any(len(f["values"]) > 1 for f in previous.get("filters") or ())
    if node == Node("RATIO", cost=node.cost) and not several and not previous.get("derived"):
        return replace(node, cat="SHARE")
    if node.cat != "PCT" or previous.get("comparison") or previous.get("derived"):
        return node
    return replace(node, cat="SHARE")


def _changed(node: Node) -> Node:
    """얼마나 늘었어?: the figure of the turn before, set against the period before."""
    if node.cat not in ("GROW", "RATE") or node.metrics:
        return node
    return Node("BG", base=node.base or "previous", flags=frozenset({"versus"}), cost=node.cost)


def _spread_anew(previous: Plain, node: Node, scope: Scope) -> Node:
    """건당 평균은?, average per visit?: of the figure of the turn before."""
    whole = _undivided(previous)
    unit = node.per if node.cat == "PERT" else node.dim if node == Node("T", dim=node.dim) else None
    if whole is not previous and unit in TIMES:  # and per day?, after so much per rep
        node = Node("PERD", per=unit, cost=node.cost)
    previous = whole
    metrics = previous.get("metrics") or []
    one = not previous.get("dimensions")  # per rep?, after one sum: of each rep on average
    named = node.cat == "PERD" and (one or scope.language == "ko" or not str(node.per).startswith("dim:"))
    fits = len(metrics) == 1 and metrics[0] in scope.terms.metrics and not previous.get("derived")
    if not fits or not (node.cat == "AVG" or named):
        return node
    metric = str(metrics[0])
    if node.cat == "AVG" and scope.terms.counts(metric):  # the average? after how many: of the amount of one
        metric = scope.terms.money_of(metric) or metric
    body = Node("M", metrics=(metric,), filters=tuple(_restriction(f) for f in previous.get("filters") or ()))
    made = mean(scope.terms, node, body) if node.cat == "AVG" else per_unit(scope.terms, node, body)
    return made or node


def _undivided(previous: Plain) -> Plain:
    """And per hospital?, after so much per rep: of what was divided."""
    derived = previous.get("derived") or []
    if len(derived) != 1 or derived[0]["kind"] not in ("ratio", "per_period") or previous.get("metrics"):
        return previous
    below = derived[0].get("denominator") or {}
    plain = not any(part.get("filters") or part.get("period") for part in (derived[0]["numerator"], below))
    thing = derived[0]["kind"] == "per_period" or str(below.get("metric")).startswith("count:")
    if not plain or not thing:
        return previous
    kept = {key: value for key, value in previous.items() if key != "derived"}
    return {**kept, "metrics": [derived[0]["numerator"]["metric"]]}


def _restriction(item: Plain) -> Restriction:
    return Restriction(
        str(item["dimension"]), tuple(item["values"]), bool(item.get("by_key")), item["op"] == "not_in"
    )


def _mean_of_list(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """평균은? after the sums of several things: of one of them."""
    metrics, things = previous.get("metrics") or [], previous.get("dimensions") or []
    fixed = any(previous.get(key) for key in ("derived", "top", "having", "comparison", "share", "among"))
    step = (
        node.cat == "PERD"
        and things == [node.per]
        and node == Node("PERD", per=node.per, average=node.average)
    )
    if not (node == Node("AVG", average=True) or step) or len(metrics) != 1 or len(things) != 1 or fixed:
        return None
    if not scope.terms.adds(str(metrics[0])):
        return None
    if things[0] in _STEPS:  # average?, after the visits of each week: of one week
        return _mean_of_steps(previous, str(metrics[0]), things[0], scope)
    if things[0] in TIMES:
        return None
    below = {"metric": f"count:{things[0]}", "of": metrics[0]}
    name = f"{metrics[0]}__per__{things[0]}"
    derived = [{"name": name, "kind": "ratio", "numerator": {"metric": metrics[0]}, "denominator": below}]
    kept = {key: value for key, value in previous.items() if key not in ("dimensions", "order", "limit")}
    return {**kept, "metrics": [], "dimensions": [], "derived": derived, "language": scope.language}, [
        "period",
        "filters",
    ]


_STEPS = frozenset({"day", "week", "month", "quarter", "year"})


def _mean_of_steps(previous: Plain, metric: str, unit: str, scope: Scope) -> tuple[Plain, list[str]]:
    derived = [
        {"name": f"{metric}__per__{unit}", "kind": "per_period", "numerator": {"metric": metric}, "per": unit}
    ]
    kept = {key: value for key, value in previous.items() if key not in ("dimensions", "order", "limit")}
    made = {**kept, "metrics": [], "dimensions": [], "derived": derived, "language": scope.language}
    return made, ["period", "filters"]


def _limited_groups(previous: Plain, filters: list[Plain]) -> list[Plain]:
    return [f for f in filters if f["dimension"] in (previous.get("dimensions") or ())]


def _one_part(made: Plain, own: Plain, scope: Scope) -> tuple[Plain, list[str]] | None:
    """항생제는? after the shares of all categories: the share of that one."""
    parts = _limited_groups(made, own["filters"])
    if len(parts) != 1 or len(made.get("metrics") or ()) != 1 or len(made["dimensions"]) != 1:
        return None
    others = [f for f in own["filters"] if f is not parts[0]]
    kept = {key: value for key, value in made.items() if key not in ("share", "dimensions", "top", "order")}
    filters = merged_filters(kept.get("filters") or [], others, adds=False)
    derived = part_of(str(made["metrics"][0]), parts)
    kept |= {key: own[key] for key in ("period", "comparison") if own.get(key)}  # 순환기는 전월엔 몇 %였어?
    return {**kept, "metrics": [], "filters": filters, "derived": derived, "language": scope.language}, [
        "metrics"
    ]


def _other_part(previous: Plain, own: Plain) -> list[Plain] | None:
    """의원은? after a share: another part of the same whole."""
    derived, new = previous.get("derived") or [], own.get("filters") or []
    if len(derived) != 1 or derived[0]["kind"] not in ("share", "ratio") or len(new) != 1:
        return None
    above = derived[0]["numerator"]
    held = [f for f in above.get("filters") or () if f["dimension"] == new[0]["dimension"]]
    if len(held) != 1:
        return None
    changed = [new[0] if f is held[0] else f for f in above["filters"]]
    return [{**derived[0], "numerator": {**above, "filters": changed}}]


def _other_deed(previous: Plain, own: Plain) -> list[Plain] | None:
    """And the other product?, after who bought one: those who bought the other."""
    deeds, new = previous.get("existence") or [], own.get("filters") or []
    if len(new) != 1 or any(own.get(key) for key in FIGURES):
        return None
    name = new[0]["dimension"]
    held = [one for one in deeds if any(f["dimension"] == name for f in one.get("filters") or ())]
    if len(held) != 1:
        return None
    changed = {**held[0], "filters": [new[0] if f["dimension"] == name else f for f in held[0]["filters"]]}
    return [changed if one is held[0] else one for one in deeds]


def _own(previous: Plain, node: Node, scope: Scope) -> Plain | None:
    """The phrase as the part of a request that it is."""
    whole = node.metrics or (node.rank and node.rank.by) or node.having or node.existing
    found = requests(node, scope) if whole and node.cat in ("M", "GM", "Q", "T") else []
    if found:
        return found[0].query
    made: Plain = {"filters": [as_filter(f) for f in node.filters]}
    if node.period:
        made["period"] = as_period(node.period)
    if node.base is not None:
        return None
    if node.weekdays:
        made["weekdays"] = list(node.weekdays)
    listed = node.cat == "T" and node.dim and (node.rank or not node.filters or "who" in node.flags)
    groups = [*node.groups, *([str(node.dim)] if listed else [])]
    if node.cat == "PERD" and str(node.per).startswith("dim:") and "@" not in str(node.per):
        groups, node = [*groups, str(node.per).removeprefix("dim:")], replace(node, per=None)
    made["dimensions"] = groups
    if node.rank is not None:
        made |= _rank(node, previous, scope.terms)
    made |= _flags(node, groups)
    if node.per or node.having:
        return None
    return made if any(made.values()) or node.split else None


def _flags(node: Node, groups: list[str]) -> Plain:
    made: Plain = {"share": True} if node.cat == "SHARE" else {}
    for flag in node.flags:
        name, _, size = flag.partition(":")
        if name in ("running_total", "target"):
            made[name] = True
        elif name == "moving_average":
            made[name] = int(size)
        elif name == "trend" and not set(groups) & TIMES:
            made["dimensions"] = [*groups, "month"]
    return made


def _rank(node: Node, previous: Plain, terms: Terms) -> Plain:
    rank = node.rank
    assert rank is not None
    held = previous.get("top") or {}
    if rank.n == 0 and not node.numbers and held.get("n"):  # 반대로 적은 데는?: as many, from the other end
        return {"top": {"n": held["n"], "direction": "top" if rank.descending else "bottom"}}
    n = int(node.numbers[0]) if node.numbers else rank.n
    direction = "top" if rank.descending else "bottom"
    if rank.percent:
        return {"top": {"percent": float(rank.n), "direction": direction}}
    if n in (0, EVERY):
        column = rank.by if rank.by and not rank.growth else ""
        return {"order": [{"column": column, "descending": rank.descending}]} if n == EVERY else {}
    inside = ranked_in(node, node.dim, terms) if node.dim else {}
    return {"top": {("nth" if rank.nth and n > 1 else "n"): n, "direction": direction, **inside}}


def _with_figure(made: Plain, own: Plain, terms: Terms) -> Plain:
    """A new figure takes the place of the old one, with everything that was said of it alone."""
    if not any(own.get(key) for key in FIGURES):
        return made
    without = any(
        not one["exists"] for one in own.get("existence") or ()
    )  # 하나도 안 산 병원은?: has no figure
    dropped = (
        {*FIGURES, *RANKED}
        if own.get("metrics") or own.get("derived") or own.get("count_groups") or without
        else set[str]()
    )
    kept = {key: value for key, value in made.items() if key not in dropped}
    return {**kept, "metrics": own.get("metrics") or ([] if dropped else made.get("metrics") or [])}


def _regrouped(previous: Plain, own: Plain) -> Plain:
    """항목별로, after one item: of all of them; one value alone is no split."""
    groups = {*(own.get("dimensions") or ())} - {*(previous.get("dimensions") or ())}
    single = [
        f
        for f in previous.get("filters") or ()
        if f["dimension"] in groups and f["op"] == "in" and len(f["values"]) == 1
    ]
    if not single or any(f["dimension"] in groups for f in own.get("filters") or ()):
        return previous
    return {**previous, "filters": [f for f in previous["filters"] if f not in single]}


def _dimensions(old: list[str], new: list[str], named: set[str]) -> list[str]:
    """Joins the splits of two questions: by month after by region is both, by product after by region is the new one. What
    sets apart values that were named side by side stays."""
    kept = [name for name in old if name in TIMES or name in named]
    if set(new) <= TIMES:
        return [*(name for name in old if name not in TIMES), *new]
    first = [name for name in kept if name not in TIMES and name not in new]
    return [*first, *new, *(name for name in kept if name in TIMES and name not in new)]


def _set_apart(made: Plain) -> set[str]:
    """The dimensions of which several values are asked for side by side: Seoul and Busan compared."""
    several = {
        str(f["dimension"]) for f in made.get("filters") or () if f["op"] == "in" and len(f["values"]) > 1
    }
    return several & {*(made.get("dimensions") or ())}


def _each_of(made: Plain, node: Node) -> Plain:
    """9월은 각각 어땠어?: of each of the values that are spoken of."""
    groups = made.get("dimensions") or []
    if (
        node.split is False
        and groups
        and made.get("metrics")
        and not any(made.get(key) for key in ("top", "having", "derived", "share"))
    ):
        return {**made, "dimensions": [], "order": []}  # in total
    several = [
        str(f["dimension"]) for f in made.get("filters") or () if f["op"] == "in" and len(f["values"]) > 1
    ]
    if not node.split or len(several) != 1 or several[0] in groups or made.get("derived"):
        return made
    return {**made, "dimensions": [*groups, several[0]]}


def _one_value(made: Plain, node: Node) -> Plain:
    """X만 작년과 비교: of one value there is one figure, and no column of a single name beside it."""
    if node.base is None or node.groups:
        return made
    single = {f.dimension for f in node.filters if len(f.values) == 1 and not f.negated}
    groups = made.get("dimensions") or []
    if not single & set(groups):
        return made
    return {**made, "dimensions": [name for name in groups if name not in single | TIMES]}


def nearer(made: Plain, terms: Terms) -> Plain:
    """Split by category, after expenses: the category that the rows have themselves."""
    metrics = [m for m in made.get("metrics") or () if m in terms.metrics]
    if not metrics or not made.get("dimensions"):
        return made
    return {**made, "dimensions": [terms.nearer(str(name), metrics[0]) for name in made["dimensions"]]}


def _fitting(made: Plain, terms: Terms) -> Plain:
    """Filters and splits that the new figure cannot have fall away."""
    metrics = [m for m in made.get("metrics") or () if m in terms.metrics]

    def fits(dimension: str) -> bool:
        return all(terms.splits(metric, dimension) for metric in metrics)

    filters = [item for item in made.get("filters") or () if fits(item["dimension"])]
    dimensions = [name for name in made.get("dimensions") or () if fits(name)]
    top = made.get("top")
    if top and not dimensions:
        made = {key: value for key, value in made.items() if key != "top"}
    elif top and not top.get("by") and metrics:
        made = {**made, "top": {**top, "by": metrics[0]}}
    if any(not one["column"] for one in made.get("order") or ()):
        columns = [*metrics, *(str(one["name"]) for one in made.get("derived") or ())]
        order = [{**one, "column": one["column"] or columns[0]} for one in made["order"]] if columns else []
        made = {**{k: v for k, v in made.items() if k != "top"}, "order": order}
    shown = {*metrics, *(str(one["name"]) for one in made.get("derived") or ())}
    more = [str(one["column"]) for one in made.get("order") or () if str(one["column"]) in terms.metrics]
    if metrics and (missing := [name for name in more if name not in shown]):
        made = {**made, "metrics": [*made["metrics"], *missing]}
    return {**made, "filters": filters, "dimensions": dimensions}
