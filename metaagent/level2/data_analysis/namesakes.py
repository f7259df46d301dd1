"""Things of one name told apart, so that no table, chart or sentence takes two of them for one.

A result groups by keys and shows names. Here every shared name gets what sets its bearers apart, such as their team: the
first attribute that differs, otherwise the key itself. From then on a name in the result stands for one thing only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from metaagent.errors import AccessDenied, SemanticInvalid
from metaagent.plugin import DataResult
from metaagent.ports import Database

KEY = "__key"
_MOST_ATTRIBUTES = 4
_MOST_NAMES = 50

Keys = dict[str, list[Any]]
Shared = dict[str, dict[str, list[Any]]]
Marks = dict[tuple[str, Any], str]


class Named(NamedTuple):
    """A result whose names are unambiguous, the keys of its rows by dimension, and the queries this took."""

    result: DataResult
    keys: Keys
    lookups: list[DataResult]


def key_columns(columns: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The places of the hidden key columns, with the dimension that each belongs to."""
    names = {column["name"] for column in columns}
    return {
        place: str(column["name"]).removesuffix(KEY)
        for place, column in enumerate(columns)
        if str(column["name"]).endswith(KEY) and str(column["name"]).removesuffix(KEY) in names
    }


def without_keys(result: DataResult) -> tuple[DataResult, Keys]:
    hidden = key_columns(result.columns)
    keys = {dimension: [row[place] for row in result.rows] for place, dimension in hidden.items()}
    if not hidden:
        return result, keys
    kept = [place for place in range(len(result.columns)) if place not in hidden]
    rows = [[row[place] for place in kept] for row in result.rows]
    return replace(result, columns=[result.columns[place] for place in kept], rows=rows), keys


def shared_names(result: DataResult, keys: Keys) -> Shared:
    """Finds, for each dimension, the names that several keys bear."""
    found: Shared = {}
    for place, column in enumerate(result.columns):
        if column["name"] not in keys:
            continue
        bearers: dict[str, list[Any]] = {}
        for row, key in zip(result.rows, keys[column["name"]], strict=True):
            known = bearers.setdefault(str(row[place]), [])
            if key not in known:
                known.append(key)
        several = {name: known for name, known in bearers.items() if len(known) > 1}
        if several:
            found[column["name"]] = several
    return found


async def told_apart(result: DataResult, db: Database, language: str) -> Named:
    shown, keys = without_keys(result)
    marks: dict[str, Marks] = _numbered(shown, keys)
    lookups: list[DataResult] = []
    shared = shared_names(shown, keys)
    for dimension in keys if _is_selection(result) else ():
        found = await _everyone(shown, dimension, db, language)
        if found is not None:
            lookups.append(found)
            shared |= shared_names(*without_keys(found))
    for dimension, names in shared.items():
        marks[dimension], asked = await _marks(dimension, names, db, language)
        lookups += asked
    places = {name: list(range(len(shown.rows))) for name in _keyless(shown, keys)}
    return Named(_marked(shown, keys | places, marks), keys, lookups)


def _is_selection(result: DataResult) -> bool:
    """Tells whether bearers of a name that is shown may have been left out."""
    return any(result.query.get(part) for part in ("top", "having", "existence", "among", "limit", "filters"))


async def _everyone(shown: DataResult, dimension: str, db: Database, language: str) -> DataResult | None:
    """All things that bear a name of the result, also those that the question left out."""
    place = next(i for i, column in enumerate(shown.columns) if column["name"] == dimension)
    names = list(dict.fromkeys(str(row[place]) for row in shown.rows if row[place] is not None))
    if not 0 < len(names) <= _MOST_NAMES:
        return None
    wanted = [{"dimension": dimension, "op": "in", "values": names}]
    try:
        return await db.ask({"dimensions": [dimension], "filters": wanted, "language": language})
    except (SemanticInvalid, AccessDenied):
        return None


def _keyless(result: DataResult, keys: Keys) -> list[str]:
    """The only dimension of a result that has no key although its rows share names."""
    grouping = [c["name"] for c in result.columns if c["kind"] in ("dimension", "time")]
    if len(grouping) != 1 or grouping[0] in keys:
        return []
    place = next(i for i, c in enumerate(result.columns) if c["name"] == grouping[0])
    return grouping if len({str(row[place]) for row in result.rows}) < len(result.rows) else []


def _numbered(result: DataResult, keys: Keys) -> dict[str, Marks]:
    """Marks by number where nothing else is known: rows of one name are still different things."""
    made: dict[str, Marks] = {}
    for name in _keyless(result, keys):
        place = next(i for i, c in enumerate(result.columns) if c["name"] == name)
        bearers: dict[str, list[int]] = {}
        for at, row in enumerate(result.rows):
            bearers.setdefault(str(row[place]), []).append(at)
        made[name] = {
            (label, at): str(number)
            for label, rows in bearers.items()
            if len(rows) > 1
            for number, at in enumerate(rows, 1)
        }
    return made


def _marked(result: DataResult, keys: Keys, marks: Mapping[str, Marks]) -> DataResult:
    if not marks:
        return result
    rows = [list(row) for row in result.rows]
    for place, column in enumerate(result.columns):
        for row, key in zip(rows, keys.get(column["name"], ()), strict=False):
            mark = marks.get(column["name"], {}).get((str(row[place]), key))
            if mark is not None:
                row[place] = f"{row[place]} ({mark})"
    return replace(result, rows=rows)


async def _marks(
    dimension: str, names: Mapping[str, list[Any]], db: Database, language: str
) -> tuple[Marks, list[DataResult]]:
    marks: Marks = {}
    lookups: list[DataResult] = []
    open_names = dict(names)
    for attribute in (await db.attributes(dimension))[:_MOST_ATTRIBUTES]:
        if not open_names:
            break
        wanted = [{"dimension": dimension, "op": "in", "values": list(open_names)}]
        try:
            found = await db.ask(
                {"dimensions": [dimension, attribute], "filters": wanted, "language": language}
            )
        except (SemanticInvalid, AccessDenied):
            continue
        lookups.append(found)
        told = _by_attribute(found, dimension, attribute, open_names)
        marks |= told
        open_names = {name: bearers for name, bearers in open_names.items() if (name, bearers[0]) not in told}
    marks |= {(name, key): str(key) for name, bearers in open_names.items() for key in bearers}
    return marks, lookups


def _by_attribute(
    found: DataResult, dimension: str, attribute: str, names: Mapping[str, Iterable[Any]]
) -> Marks:
    """Marks for the names whose bearers each have one value of the attribute, all different."""
    shown, keys = without_keys(found)
    places = {column["name"]: place for place, column in enumerate(shown.columns)}
    labels = shown.columns[places[attribute]].get("values") or {}
    values: dict[Any, set[str]] = {}
    for row, key in zip(shown.rows, keys.get(dimension, ()), strict=False):
        cell = row[places[attribute]]
        if cell is not None:
            values.setdefault(key, set()).add(str(labels.get(cell, cell)))
    marks: Marks = {}
    for name, bearers in names.items():
        each = [values.get(key, set[str]()) for key in bearers]
        if all(len(one) == 1 for one in each) and len(set[str]().union(*each)) == len(each):
            marks |= {(name, key): next(iter(one)) for key, one in zip(bearers, each, strict=True)}
    return marks
