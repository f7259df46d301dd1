"""Databases drawn from a pool of words: tables, rows, a semantic model of them, and the words beside the model.

The seed decides which things, attributes, measures and facts there are, how columns are named and what the rows hold.
"""
# ruff: noqa: S311, S608 - invented rows and names of our own, no secret and nobody's input

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import yaml

from evals.generator.world import World, read_world

Plain = dict[str, Any]
LEXICON = Path(__file__).parents[1] / "worlds" / "lexicon.yaml"
MONTHS_OF_DATA = 26
_SURNAMES = "김이박최정강조윤장임한오서신권황안송"
_GIVEN = (
    "가람",
    "건우",
    "나윤",
    "도윤",
    "라희",
    "민서",
    "보람",
    "상윤",
    "세아",
    "소율",
    "수호",
    "시온",
    "아린",
    "연우",
)
NAMESAKE = "한지우"


@dataclass
class _Draft:
    """A schema while it grows."""

    theme: Plain
    rng: Random
    tables: Plain = field(default_factory=dict[str, Any])
    joins: list[Plain] = field(default_factory=list[Any])
    metrics: Plain = field(default_factory=dict[str, Any])
    dimensions: Plain = field(default_factory=dict[str, Any])
    words: Plain = field(default_factory=lambda: {"metrics": {}, "dims": {}})
    things: dict[str, list[Plain]] = field(default_factory=dict[str, list[Any]])
    sql: list[tuple[str, list[tuple[Any, ...]]]] = field(default_factory=list[Any])
    script: list[str] = field(default_factory=list[str])

    @property
    def now(self) -> date:
        return self.theme["now"]


def make_world(theme: str, folder: Path, *, seed: int) -> World:
    """The database, its semantic model in the folder, and the world of both."""
    lexicon: Plain = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    draft = _Draft(lexicon[theme], Random(f"{theme}:{seed}"))
    facts = _chosen_facts(draft)
    used = list(dict.fromkeys(name for fact in facts.values() for name in fact["of"]))
    parents = [draft.theme["entities"][name].get("parent") for name in used]
    for name in dict.fromkeys([*(p for p in parents if p), *used]):
        _entity(draft, name)
    for name, fact in facts.items():
        _fact(draft, name, fact)
    file, model = folder / f"{theme}.db", folder / f"{theme}.yaml"
    _write(draft, file)
    default = next(iter(draft.metrics))
    given: Plain = {
        "version": 1, "name": theme, "default_metric": default, "tables": draft.tables, "joins": draft.joins,
        "metrics": draft.metrics, "dimensions": draft.dimensions,
    }  # fmt: skip
    model.write_text(yaml.safe_dump(given, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return read_world(theme, file, model, now=draft.now, given=given, words=draft.words)


def _chosen_facts(draft: _Draft) -> Plain:
    """The first fact with at least two of its things, and at least one of the others."""
    names = list(draft.theme["facts"])
    others = [name for name in names[1:] if draft.rng.random() < 0.7] or [draft.rng.choice(names[1:])]
    chosen: Plain = {}
    for name in [names[0], *others]:
        fact = dict(draft.theme["facts"][name])
        of = list(fact["of"])
        if len(of) > 2 and draft.rng.random() < 0.5:
            of.remove(draft.rng.choice(of))
        fact["of"] = of
        chosen[name] = fact
    return chosen


def _synonyms(given: Plain) -> Plain:
    return {"ko": given.get("syn_ko") or [], "en": given.get("syn_en") or []}


def _own(given: Plain, *names: str) -> Plain:
    kept = ("own_ko", "own_en", "counter", "unit", "rows_ko", "rows_en", *names)
    return {key: given[key] for key in kept if key in given}


def _names(draft: _Draft, given: Plain) -> list[str]:
    rng, count = draft.rng, int(given.get("count") or 0)
    if given.get("names"):
        return list(given["names"])
    if given.get("person"):
        made = [f"{s}{g}" for s in _SURNAMES for g in _GIVEN]
        rng.shuffle(made)
        return [NAMESAKE, *made[: count - 2], NAMESAKE]
    return [f"{rng.choice(given['stem'])} {number}호" for number in range(1, count + 1)]


def _entity(draft: _Draft, name: str) -> None:
    given = draft.theme["entities"][name]
    table, key = given["table"], f"{name}_id"
    attrs = [attr for attr in given.get("attrs") or () if attr in draft.theme["attributes"]]
    parent = given.get("parent")
    columns: Plain = {key: "integer", "name": "string", **dict.fromkeys(attrs, "string")}
    if parent:
        columns[f"{parent}_id"] = "integer"
        draft.joins.append({
            "from": f"{table}.{parent}_id", "to": f"{draft.theme['entities'][parent]['table']}.{parent}_id",
        })  # fmt: skip
    draft.tables[table] = {"label": {"ko": given["ko"], "en": given["en"]}, "key": [key], "columns": columns}
    dimension: Plain = {
        "label": {"ko": given["ko"], "en": given["en"]}, "column": f"{table}.name", "key": f"{table}.{key}",
        "searchable": True, "synonyms": _synonyms(given),
    }  # fmt: skip
    if given.get("person"):
        dimension["kind"] = "person"
    draft.dimensions[name] = dimension
    draft.words["dims"][name] = {"filters_ko": ["{v}"], "filters_en": ["for {v}"], **_own(given)}
    for attr in attrs:
        _attribute(draft, table, attr)
    draft.things[name] = []
    for number, label in enumerate(_names(draft, given), 1):
        thing: Plain = {key: number, "name": label}
        thing |= {attr: draft.rng.choice(list(draft.theme["attributes"][attr]["values"])) for attr in attrs}
        if parent:
            thing[f"{parent}_id"] = draft.rng.choice(draft.things[parent])[f"{parent}_id"]
        draft.things[name].append(thing)
    _table(draft, table, columns, draft.things[name])


def _attribute(draft: _Draft, table: str, attr: str) -> None:
    given = draft.theme["attributes"][attr]
    values = {
        str(value): {"label": {"ko": told["ko"], "en": told["en"]}, "ko": [told["ko"]], "en": [told["en"]]}
        for value, told in given["values"].items()
    }
    draft.dimensions[attr] = {
        "label": {"ko": given["ko"], "en": given["en"]}, "column": f"{table}.{attr}", "searchable": True,
        "synonyms": _synonyms(given), "values": values,
    }  # fmt: skip
    draft.words["dims"][attr] = _own(given, "filters_ko", "filters_en")


def _table(draft: _Draft, table: str, columns: Mapping[str, str], rows: list[Plain]) -> None:
    types = {"integer": "INTEGER", "number": "REAL", "string": "TEXT", "date": "TEXT"}
    made = ", ".join(f"{name} {types[kind]}" for name, kind in columns.items())
    draft.script.append(f"CREATE TABLE {table} ({made}, PRIMARY KEY ({next(iter(columns))}))")
    marks = ", ".join("?" for _ in columns)
    draft.sql.append(
        (f"INSERT INTO {table} VALUES ({marks})", [tuple(row[name] for name in columns) for row in rows])
    )


def _fact(draft: _Draft, name: str, fact: Plain) -> None:
    time, key = fact["time"], f"{name[:-1]}_id"
    columns: Plain = {key: "integer", time: "date", **{f"{thing}_id": "integer" for thing in fact["of"]}}
    money = "number" if draft.theme["currency"] == "USD" else "integer"
    for measure, given in fact["measures"].items():
        columns[measure] = money if given["unit"] else "integer"
    draft.tables[name] = {"label": {"ko": fact["ko"], "en": fact["en"]}, "key": [key], "columns": columns}
    for thing in fact["of"]:
        table = draft.theme["entities"][thing]["table"]
        draft.joins.append({"from": f"{name}.{thing}_id", "to": f"{table}.{thing}_id"})
    for measure, given in fact["measures"].items():
        draft.metrics[measure] = _sum(draft, name, time, measure, given)
        draft.words["metrics"][measure] = _own(given)
    count = fact["count"]
    draft.metrics[count["name"]] = {
        "type": "count", "table": name, "time": f"{name}.{time}",
        "label": {"ko": count["ko"], "en": count["en"]}, "synonyms": _synonyms(count),
        "unit": {"ko": count["counter"], "en": fact["en"]},
    }  # fmt: skip
    draft.words["metrics"][count["name"]] = _own(count)
    _table(draft, name, columns, _rows(draft, key, time, fact))


def _sum(draft: _Draft, fact: str, time: str, measure: str, given: Plain) -> Plain:
    units = {"KRW": {"ko": "원", "en": "KRW"}, "USD": {"ko": "달러", "en": "USD"}}
    made: Plain = {
        "type": "sum", "column": f"{fact}.{measure}", "time": f"{fact}.{time}",
        "label": {"ko": given["ko"], "en": given["en"]}, "synonyms": _synonyms(given),
    }  # fmt: skip
    if given["unit"]:
        made["unit"] = units[given["unit"]]
        made |= {"format": "decimal", "decimals": 2} if given["unit"] == "USD" else {}
    return made


def _rows(draft: _Draft, key: str, time: str, fact: Plain) -> list[Plain]:
    """Uneven in every respect: weekdays, things, a trend; about one thing in eight has no row at all."""
    rng, end = draft.rng, draft.now - timedelta(days=1)
    start = end - timedelta(days=int(MONTHS_OF_DATA * 30.5))
    days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
    weights = [(0.25 if day.weekday() > 4 else 1.0) * (1 + n / len(days) / 3) for n, day in enumerate(days)]
    small = fact["rows"] < 1000
    held = {
        thing: [
            (one, 0.0 if small and rng.random() < 0.12 else rng.lognormvariate(0, 0.8))
            for one in draft.things[thing]
        ]
        for thing in fact["of"]
    }
    made: list[Plain] = []
    for number, day in enumerate(sorted(rng.choices(days, weights, k=fact["rows"])), 1):
        row: Plain = {key: number, time: day.isoformat()}
        for thing, pool in held.items():
            row[f"{thing}_id"] = rng.choices(pool, [weight for _, weight in pool])[0][0][f"{thing}_id"]
        for measure, given in fact["measures"].items():
            row[measure] = _amount(rng, given)
        made.append(row)
    return made


def _amount(rng: Random, given: Plain) -> float | int:
    low, high = given["low"], given["high"]
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    if given["unit"] == "USD":
        return round(value, 2)
    return round(value, -2) // 1 if given["unit"] == "KRW" and value > 1000 else max(1, round(value))


def _write(draft: _Draft, file: Path) -> None:
    connection = sqlite3.connect(file)
    try:
        for statement in draft.script:
            connection.execute(statement)
        for statement, rows in draft.sql:
            connection.executemany(statement, rows)
        connection.commit()
    finally:
        connection.close()
