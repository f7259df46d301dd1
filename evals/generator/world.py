"""A database as plain rows with the words that people use for it: read from SQLite and the text of a semantic model."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Plain = Mapping[str, Any]


class Own(str):
    """A word that the semantic model does not know, though a native speaker would use it."""

    __slots__ = ()


@dataclass(frozen=True)
class Words:
    ko: tuple[str, ...]
    en: tuple[str, ...]

    def of(self, language: str) -> tuple[str, ...]:
        return self.ko if language == "ko" else self.en


@dataclass(frozen=True)
class Value:
    """One value of a dimension, or one thing; `key` tells namesakes apart."""

    key: Any
    label: str
    words: Words
    shown: frozenset[str] = frozenset()
    """Every way in which a result may show it."""


@dataclass(frozen=True)
class Dim:
    name: str
    words: Words
    values: Mapping[Any, Value]
    counter: str
    filters: Words
    """Patterns of a restriction, such as "{v} 지역" and "in {v}"."""
    entity: bool = False
    person: bool = False


@dataclass(frozen=True)
class Metric:
    name: str
    fact: str
    kind: str
    """sum, count, average or distinct."""
    column: str | None
    words: Words
    unit: str = ""
    counter: str = "건"
    rows: Words = Words((), ())
    """A row of its table, as in "50만 원 넘는 지출"."""
    where: tuple[str, tuple[Any, ...]] | None = None

    @property
    def additive(self) -> bool:
        return self.kind in {"sum", "count"}


@dataclass(frozen=True)
class World:
    name: str
    file: Path
    model: Path
    now: date
    facts: Mapping[str, list[Row]]
    metrics: Mapping[str, Metric]
    dims: Mapping[str, Dim]
    reach: Mapping[str, frozenset[str]]
    """The dimensions of each fact."""
    company: str = "local"
    domain: str = "pharma"
    vocabulary: frozenset[str] = frozenset()
    """Every word of the model and of the data in small letters: what an unknown word must not be."""
    extra: Plain = field(default_factory=dict[str, Any])


def read_world(
    name: str,
    file: Path,
    model: Path,
    *,
    now: date,
    given: Plain,
    words: Plain,
    tenant: str | None = None,
    company: str = "local",
) -> World:
    """`given` is the semantic model as plain data, `words` what a native speaker adds to it."""
    tables = _tables(file, given, tenant)
    dims = {
        dim: _dim(dim, given["dimensions"][dim], own, tables, given) for dim, own in words["dims"].items()
    }
    metrics = {
        metric: _metric(metric, given["metrics"][metric], own) for metric, own in words["metrics"].items()
    }
    facts: dict[str, list[Row]] = {}
    reach: dict[str, frozenset[str]] = {}
    for fact in dict.fromkeys(one.fact for one in metrics.values()):
        facts[fact], reach[fact] = _flat(fact, given, tables, dims, metrics)
    every = {
        word for part in (*dims.values(), *metrics.values()) for word in (*part.words.ko, *part.words.en)
    }
    every |= {word for dim in dims.values() for value in dim.values.values() for word in value.shown}
    known = frozenset(part for word in every for part in word.lower().split())
    return World(name, file, model, now, facts, metrics, dims, reach, company, vocabulary=known, extra=words)


def _tables(file: Path, given: Plain, tenant: str | None) -> dict[str, list[Row]]:
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    column = given.get("tenant_column")
    found: dict[str, list[Row]] = {}
    try:
        for name, table in given["tables"].items():
            real = table.get("table", name)
            rows = [dict(row) for row in connection.execute(f'SELECT * FROM "{real}"')]  # noqa: S608
            found[name] = [row for row in rows if tenant is None or row.get(column, tenant) == tenant]
    finally:
        connection.close()
    return found


def _label(given: Plain, language: str, name: str) -> str:
    label = given.get("label") or {}
    return str(label.get(language) or name) if isinstance(label, Mapping) else str(label)


def _words(given: Plain, own: Plain, name: str) -> Words:
    """The words of the model that a person would say, then those added."""
    made: dict[str, tuple[str, ...]] = {}
    for language in ("ko", "en"):
        known = [_label(given, language, name), *((given.get("synonyms") or {}).get(language) or ())]
        never = set(own.get("never") or ())
        said = [word for word in known if not word.endswith("별") and word not in never]
        made[language] = (*said, *(Own(word) for word in own.get(f"own_{language}") or ()))
    return Words(made["ko"], made["en"])


def _metric(name: str, given: Plain, own: Plain) -> Metric:
    column = given.get("column")
    fact = str(given["table"] if given.get("table") else column).split(".")[0]
    kinds = {"sum": "sum", "count": "count", "average": "average", "count_distinct": "distinct"}
    where = (given.get("where") or [None])[0]
    return Metric(
        name,
        fact,
        kinds[given["type"]],
        str(column).split(".")[1] if column else None,
        _words(given, own, name),
        str(own.get("unit", "")),
        str(own.get("counter", "건")),
        Words(tuple(own.get("rows_ko") or ()), tuple(own.get("rows_en") or ())),
        (str(where["column"]).split(".")[1], tuple(where["values"])) if where else None,
    )


def _dim(name: str, given: Plain, own: Plain, tables: Mapping[str, list[Row]], model: Plain) -> Dim:
    table, column = str(given["column"]).split(".")
    key = str(given.get("key") or given["column"]).split(".")[1]
    stated: Plain = given.get("values") or {}
    boolean = given.get("kind") == "boolean"
    values: dict[Any, Value] = {}
    for row in tables[table]:
        if row[key] is not None and row[key] not in values:
            told = stated.get(str(bool(row[column])).lower() if boolean else row[column]) or {}
            values[row[key]] = _value(row[key], row[column], told)
    filters = Words(tuple(own.get("filters_ko") or ("{v}",)), tuple(own.get("filters_en") or ("for {v}",)))
    entity = bool(given.get("key"))
    return Dim(
        name, _words(given, own, name), values, str(own.get("counter", "개")), filters, entity,
        given.get("kind") == "person",
    )  # fmt: skip


def _value(key: Any, label: Any, told: Plain) -> Value:
    korean = str((told.get("label") or {}).get("ko") or label)
    english = [word for word in told.get("en") or () if not word.isupper() or len(word) < 3]
    named = (told.get("label") or {}).get("en")
    shown = {
        str(key),
        str(label),
        korean,
        str(named or label),
        str(bool(key)).lower() if key in (0, 1) else "",
    }
    ko = tuple(dict.fromkeys([korean, *(told.get("ko") or ())]))
    return Value(key, str(label), Words(ko, tuple(english) or (str(label),)), frozenset(shown - {""}))


def _flat(
    fact: str, given: Plain, tables: Mapping[str, list[Row]], dims: Mapping[str, Dim],
    metrics: Mapping[str, Metric],
) -> tuple[list[Row], frozenset[str]]:  # fmt: skip
    """Each row of the fact with the key of every dimension that one way of joins leads to."""
    ways = _ways(fact, given)
    index = {
        (way[-1][2], way[-1][3]): {row[way[-1][3]]: row for row in tables[way[-1][2]]}
        for way in ways.values()
        if way
    }
    time = next(
        str(given["metrics"][name]["time"]).split(".")[1]
        for name, metric in metrics.items()
        if metric.fact == fact
    )
    columns = {
        name: str(given["dimensions"][name].get("key") or given["dimensions"][name]["column"]).split(".")
        for name in dims
    }
    reached = frozenset(name for name, (table, _) in columns.items() if table in ways)
    made: list[Row] = []
    for row in tables[fact]:
        held = {fact: row}
        for table, way in ways.items():
            at: Row | None = row
            for _, column, target, key in way:
                at = index[(target, key)].get(at[column]) if at is not None else None
            held[table] = at or {}
        flat: Row = {**row, "date": date.fromisoformat(str(row[time])[:10])}
        flat |= {f"@{name}": held[columns[name][0]].get(columns[name][1]) for name in reached}
        made.append(flat)
    # A dimension that some rows lack says different things to different people.
    return made, frozenset(name for name in reached if all(row[f"@{name}"] is not None for row in made))


Step = tuple[str, str, str, str]


def _ways(fact: str, given: Plain) -> dict[str, tuple[Step, ...]]:
    """The shortest way of joins from the fact to each table."""
    ways: dict[str, tuple[Step, ...]] = {fact: ()}
    frontier = [fact]
    while frontier:
        following: list[str] = []
        for table in frontier:
            for join in given.get("joins") or ():
                source, column = str(join["from"]).split(".")
                target, key = str(join["to"]).split(".")
                if source == table and target not in ways:
                    ways[target] = (*ways[table], (source, column, target, key))
                    following.append(target)
        frontier = following
    return ways
