"""A drafted model in two parts: the short one that a person reads and edits, and what was generated beside it.

The second part holds synonyms, and figures that follow from others: averages, extremes, counts of different values, counts by
another date, and figures per thing. Whatever the first part says wins, and what it no longer has takes its generated words along.
"""

from __future__ import annotations

from typing import Any, cast

from metaagent.data.semantic.compiling.arithmetic import is_plain, parse, references

Part = dict[str, Any]
_SAID = ("synonyms", "verbs")
_FOLLOWS = {"average", "max", "min", "ratio", "count_distinct"}


def parted(model: Part) -> tuple[Part, Part]:
    """The model to read, and the generated part."""
    made = {
        f"{name}.{column}": one
        for name, table in model["tables"].items()
        for column, one in table["columns"].items()
        if _compares(one)
    }
    own: Part = {**model, "tables": _without(model["tables"], made), "metrics": {}, "dimensions": {}}
    generated: Part = {"columns": made, "metrics": {}, "dimensions": {}}
    for name, metric in model["metrics"].items():
        if (metric["type"] in _FOLLOWS or "where" in metric) and name != model.get("default_metric"):
            generated["metrics"][name] = metric
        else:
            _divide("metrics", name, metric, own, generated)
    for name, dimension in model["dimensions"].items():
        if dimension["column"] in [*made]:
            generated["dimensions"][name] = dimension
        else:
            _divide("dimensions", name, dimension, own, generated)
    return own, generated


def _compares(column: Any) -> bool:
    """Tell whether a column is made of two others of its row."""
    return isinstance(column, dict) and bool({"after", "below", "given"} & {*cast("Part", column)})


def _without(tables: Part, made: Part) -> Part:
    return {
        name: {
            **table,
            "columns": {
                column: one for column, one in table["columns"].items() if f"{name}.{column}" not in made
            },
        }
        for name, table in tables.items()
    }


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
    whole = _with_made(cast("Part", tables), cast("Part", more.get("columns") or {}))
    plain = {name: one for name, one in metrics.items() if _stands(name, one, made, whole)}
    kept = {name: one for name, one in plain.items() if _has_sides(name, one, made, plain)}
    gone = {*cast("Part", more.get("columns") or {})}
    gone -= {f"{name}.{column}" for name, table in whole.items() for column in _columns(table)}
    asked = {
        name: one
        for name, one in dimensions.items()
        if not isinstance(one, dict) or one.get("column") not in [*gone]
    }
    return {**made, **({"tables": whole} if whole else {}), "metrics": kept, "dimensions": asked}


def _columns(table: Any) -> Part:
    held = cast("Part", table).get("columns") if isinstance(table, dict) else None
    return cast("Part", held) if isinstance(held, dict) else {}


def _with_made(tables: Part, made: Part) -> Part:
    """The tables with the columns that compare two others, where both are still there."""
    found = dict(tables)
    for place, one in made.items():
        name, _, column = place.partition(".")
        own = _columns(found.get(name))
        if (
            own
            and column not in own
            and all(other in own for other in one.get("after") or one.get("below") or [one["given"]])
        ):
            found[name] = {**found[name], "columns": {**own, column: one}}
    return found


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


def _has_sides(name: str, metric: Any, model: Part, metrics: Part) -> bool:
    """Tell whether a generated ratio still has both of its figures."""
    if name in (model.get("metrics") or {}) or not isinstance(metric, dict) or "numerator" not in metric:
        return True
    return metric["numerator"] in metrics and cast("Part", metric).get("denominator") in metrics


def _stands(name: str, metric: Any, model: Part, tables: Part) -> bool:
    """Tell whether a generated figure still has the columns that it follows from; the person's own are never left out."""
    if name in (model.get("metrics") or {}) or not isinstance(metric, dict):
        return True
    entry = cast("Part", metric)
    if entry.get("type") == "ratio":
        return True
    used = [str(entry["column"])] if entry.get("column") else []
    used += [str(one.get("column")) for one in entry.get("where") or () if isinstance(one, dict)]
    return bool(used) and all(_has(tables, *place) for one in used for place in _places(one))


def _places(column: str) -> list[tuple[str, str]]:
    if is_plain(column):
        name, _, own = column.partition(".")
        return [(name, own)]
    return [(ref.table, ref.column) for ref in references(parse(column))]


def _has(tables: Part, table: str, column: str) -> bool:
    held = tables.get(table)
    return isinstance(held, dict) and column in (cast("Part", held).get("columns") or {})
