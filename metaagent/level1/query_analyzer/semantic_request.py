"""The request in the shape that the semantic layer's `to_query` takes: names, keys and closed words only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.language import calendar as cal
from metaagent.level1.query_analyzer.request import range_of

Plain = dict[str, Any]
_BY_KEY = frozenset({"person", "organisation", "product"})


def _filter(item: Plain, keyed: frozenset[str]) -> Plain:
    if "measure" in item:
        return {"metric": f"{item['field']}__change", "op": item["op"], "values": [item["value"] / 100]}
    if "value" in item:
        values = item["value"] if isinstance(item["value"], list) else [item["value"]]
        if item.get("unit") == "%":  # the model's percentages are fractions
            values = [value / 100 for value in values]
        return {"metric": item["field"], "op": item["op"], "values": values}
    if item["field"] in keyed:
        return {"dimension": item["field"], "op": item["op"], "values": item["values"], "by_key": True}
    return {"dimension": item["field"], "op": item["op"], "values": item["labels"]}


def _comparison(resolved: Plain) -> str | None:
    """`previous`, `same_period_last_year`, or None where two free periods are compared."""
    comparison = resolved["comparison"] or {}
    base, other = range_of(resolved["period"]), range_of(comparison)
    if base is None or other is None:
        return None
    if other == cal.shift(base, "year") and comparison["kind"] != "previous_period":
        return "same_period_last_year"
    steps = [cal.shift(base, unit) for unit in ("month", "quarter", "half", "week", "day")]
    moved = comparison["kind"] != "period" and other in steps
    return "previous" if moved or other == cal.preceding(base) else None


def _period(resolved: Plain) -> Plain | None:
    """With the unit that an unfinished period is a part of, so that `previous` is the same part of the unit before."""
    period, comparison = resolved["period"], resolved["comparison"] or {}
    if not period or not period.get("start"):
        return None
    made: Plain = {"start": period["start"], "end": period["end"]}
    if period.get("assumed") and not comparison:
        return {**made, "whole": True}
    unit = str(comparison.get("kind", "")).removeprefix("previous_")
    partial = period.get("grain") == "range" and unit in ("month", "quarter", "week")
    return {**made, "grain": unit} if partial else made


def semantic_request(resolved: Plain, entity_dimensions: Mapping[str, str], language: str) -> Plain:
    """Figures that no metric was found for stay in `resolved` alone, as do conditions on a change between free periods."""
    keyed = frozenset(entity_dimensions[kind] for kind in _BY_KEY if kind in entity_dimensions)
    filters = [
        _filter(item, keyed)
        for item in resolved["filters"]
        if item["field"] and ("measure" not in item or _comparison(resolved))
    ]
    made: Plain = {
        "metrics": resolved["metrics"],
        "dimensions": resolved["dimensions"],
        "filters": filters,
        "period": _period(resolved),
        "comparison": _comparison(resolved),
        "language": language,
    }
    made |= {name: value for name, value in (resolved.get("calculations") or {}).items() if value}
    changed = next((item for item in resolved["filters"] if "measure" in item and item["value"] == 0), None)
    if changed and _comparison(resolved):  # those that fell, worst first
        column = f"{changed['field']}__difference"
        made["order"] = [{"column": column, "descending": changed["op"] == ">"}]
    rank = resolved["rank"]
    if rank and rank["n"] and not rank.get("share"):
        made["top"] = {"n": min(int(rank["n"]), 1000), "direction": rank["direction"], "by": rank.get("by")}
    return made
