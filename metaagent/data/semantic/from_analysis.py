"""The analyzer's structured request -> a semantic query.

`resolved` has: metrics, dimensions, filters `[{dimension, op, values, by_key?}]`, period
`{start, end, grain?, whole?}` (grain: what the period is a part of, as in "this month so far"; whole: all
that there is), comparison, top
`{n, direction, by, dimension?, within?, others?}`, share, running_total, moving_average, target, having
`[{column, op, values, relative?, factor?}]`, order, limit, language; and, in the shapes of `query.py`: derived,
rows, existence, weekdays, include_empty, count_groups, among (a request of its own). A filter on a metric
("매출 1억 이상인 병원") is a condition on the result. Other keys, such as `output`, are left to others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from metaagent.data.semantic.model import TIME_DIMENSIONS, Model
from metaagent.data.semantic.query import SemanticQuery
from metaagent.errors import SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_FIT = Text(
    en="The request does not fit: {reason}. Ask for a known metric or dimension.",
    ko="요청을 질의로 바꿀 수 없습니다: {reason}. 있는 지표나 차원으로 물어보세요.",
)

_PLAIN = (
    "share", "share_within", "running_total", "moving_average", "target", "comparison", "limit", "language",
    "order", "derived", "rows", "existence", "weekdays", "include_empty", "count_groups", "among_others",
    "dated_by",
)  # fmt: skip
_DIRECTIONS = {
    "desc": "top",
    "highest": "top",
    "most": "top",
    "asc": "bottom",
    "lowest": "bottom",
    "least": "bottom",
}
_OPERATORS = {"=": "in", "==": "in", "equals": "in", "eq": "in", "!=": "not_in", "<>": "not_in"}


def to_query(model: Model, resolved: Mapping[str, Any]) -> SemanticQuery:
    """Raises SemanticInvalid when the request names nothing to compute, or asks for the impossible."""
    made: dict[str, Any] = {name: resolved[name] for name in _PLAIN if resolved.get(name) is not None}
    made["metrics"] = _metrics(model, resolved)
    made["dimensions"] = list(dict.fromkeys(resolved.get("dimensions") or []))
    made["filters"], having = _filters(model, resolved.get("filters") or [])
    made["having"] = [*having, *(resolved.get("having") or [])]
    # A condition on a metric needs that metric in the result.
    for one in made["having"]:
        metric = _metric_of(one["column"], resolved)
        if metric in model.metrics and metric not in made["metrics"]:
            made["metrics"].append(metric)
    if resolved.get("period"):
        made["period"] = {
            k: v for k, v in resolved["period"].items() if k in {"start", "end", "grain", "whole"}
        }
    if resolved.get("among"):
        made["among"] = to_query(model, resolved["among"])
    if resolved.get("top"):
        made["top"] = _top(made, resolved["top"])
    try:
        return SemanticQuery.model_validate(made)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SemanticInvalid(NO_FIT, reason=f"{where}: {first['msg']}".strip(": ")) from error


def _metric_of(column: Any, resolved: Mapping[str, Any]) -> str:
    """The metric that a column of the result shows; nothing if it shows a derived figure."""
    derived = [str(one["name"]) for one in resolved.get("derived") or []]
    name = str(column)
    if any(name == one or name.startswith(f"{one}__") for one in derived):
        return ""
    return name.partition("__")[0]


def _metrics(model: Model, resolved: Mapping[str, Any]) -> list[str]:
    asked = list(dict.fromkeys(resolved.get("metrics") or []))
    top = resolved.get("top") or {}
    by = _metric_of(top.get("by") or "", resolved)
    if by in model.metrics and by not in asked:
        asked.append(by)
    if resolved.get("derived") or resolved.get("count_groups"):
        return asked
    by_value = top.get("by") in (resolved.get("dimensions") or [])  # the newest, by its date
    needs_one = (
        (top and not by_value)
        or resolved.get("comparison")
        or resolved.get("share")
        or resolved.get("target")
    )
    timed = any(name in TIME_DIMENSIONS for name in resolved.get("dimensions") or [])
    if not asked and model.default_metric and (needs_one or timed or not resolved.get("dimensions")):
        asked.append(model.default_metric)
    return asked


def _filters(model: Model, given: list[Mapping[str, Any]]) -> tuple[list[Any], list[Any]]:
    filters: list[Any] = []
    having: list[Any] = []
    for one in given:
        name = str(one.get("dimension") or one.get("column") or one.get("metric"))
        op = str(one.get("op") or "in")
        values = one.get("values")
        values = [] if values is None else list(values) if isinstance(values, (list, tuple)) else [values]
        if name.partition("__")[0] in model.metrics and name not in model.dimensions:
            having.append({"column": name, "op": "=" if op == "in" else op, "values": values})
        else:
            made = {"dimension": name, "op": _OPERATORS.get(op, op), "values": values}
            filters.append({**made, "by_key": True} if one.get("by_key") else made)
    return filters, having


def _top(made: dict[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    known = {
        k: v
        for k, v in top.items()
        if k in {"n", "percent", "nth", "ties", "by", "dimension", "within", "others"} and v is not None
    }
    direction = str(top.get("direction") or "top")
    known["direction"] = _DIRECTIONS.get(direction, direction)
    # "지역별 상위 3개 제품": two things besides time, one of them ranked, so it is ranked inside the other.
    plain = [name for name in made["dimensions"] if name not in TIME_DIMENSIONS]
    if "dimension" in known and "within" not in known and len(plain) > 1:
        known["within"] = [name for name in plain if name != known["dimension"]]
    return known
