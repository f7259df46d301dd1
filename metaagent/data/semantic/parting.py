"""A drafted model in two parts: the short one that a person reads and edits, and what was generated beside it.

The second part holds synonyms, and figures that follow from others: averages, extremes, counts of different values, counts by
another date, and figures per thing. Whatever the first part says wins, and what it no longer has takes its generated words along.
"""

from __future__ import annotations

from typing import Any, cast

Part = dict[str, Any]
_SAID = ("synonyms", "verbs")
_FOLLOWS = {"average", "max", "min", "ratio", "count_distinct"}


def parted(model: Part) -> tuple[Part, Part]:
    """The model to read, and the generated part."""
    own: Part = {**model, "metrics": {}, "dimensions": {}}
    generated: Part = {"metrics": {}, "dimensions": {}}
    for name, metric in model["metrics"].items():
        if (metric["type"] in _FOLLOWS or "where" in metric) and name != model.get("default_metric"):
            generated["metrics"][name] = metric
        else:
            _divide("metrics", name, metric, own, generated)
    for name, dimension in model["dimensions"].items():
        _divide("dimensions", name, dimension, own, generated)
    return own, generated


def _divide(section: str, name: str, entry: Part, own: Part, generated: Part) -> None:
    own[section][name] = {key: value for key, value in entry.items() if key not in _SAID}
    generated[section][name] = {key: entry[key] for key in _SAID if key in entry}


def merged(model: Any, generated: Any) -> Any:
    """Both parts as one document. A part that is no mapping is left to the checks of the model."""
    if not isinstance(model, dict) or not isinstance(generated, dict):
        return model
    made, more = cast("Part", model), cast("Part", generated)
    dimensions = _together(made.get("dimensions"), more.get("dimensions"))
    metrics = _together(made.get("metrics"), more.get("metrics"))
    tables = made.get("tables") if isinstance(made.get("tables"), dict) else {}
    kept = {
        name: one for name, one in metrics.items() if _stands(name, one, made, metrics, cast("Part", tables))
    }
    return {**made, "metrics": kept, "dimensions": dimensions}


def _together(own: Any, more: Any) -> Part:
    made: Part = dict(cast("Part", own)) if isinstance(own, dict) else {}
    for name, entry in cast("Part", more if isinstance(more, dict) else {}).items():
        if name in made and isinstance(made[name], dict):
            said = {key: _words(made[name].get(key), entry[key]) for key in _SAID if key in entry}
            made[name] = {**made[name], **said}
        elif name not in made and ("type" in entry or "column" in entry):
            made[name] = entry
    return made


def _words(own: Any, more: Any) -> Any:
    if own is not None and not isinstance(own, dict):
        return own
    held, added = cast("Part", own or {}), cast("Part", more or {})
    return {
        language: list(dict.fromkeys([*(held.get(language) or ()), *(added.get(language) or ())]))
        for language in dict.fromkeys([*held, *added])
    }


def _stands(name: str, metric: Any, model: Part, metrics: Part, tables: Part) -> bool:
    """Tell whether a generated figure still has what it follows from; the person's own are never left out."""
    if name in (model.get("metrics") or {}) or not isinstance(metric, dict):
        return True
    entry = cast("Part", metric)
    if entry.get("type") == "ratio":
        return entry.get("numerator") in metrics and entry.get("denominator") in metrics
    used = [str(entry["column"])] if entry.get("column") else []
    used += [str(one.get("column")) for one in entry.get("where") or () if isinstance(one, dict)]
    return bool(used) and all(_has(tables, *one.partition(".")[::2]) for one in used)


def _has(tables: Part, table: str, column: str) -> bool:
    held = tables.get(table)
    return isinstance(held, dict) and column in (cast("Part", held).get("columns") or {})
