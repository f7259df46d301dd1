"""Two results of one shape for two periods, as one result with differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaagent.language.particles import Language
from metaagent.level2.data_analysis.namesakes import key_columns
from metaagent.level2.data_analysis.view import GROUPING
from metaagent.plugin import DataResult, Text

Json = dict[str, Any]
_BESIDE = {
    "previous": Text(en="{label} (compared period)", ko="{label} (비교 기간)"),
    "difference": Text(en="{label} difference", ko="{label} 증감"),
    "change": Text(en="{label} change", ko="{label} 증감률"),
}


def beside(base: DataResult, other: DataResult, language: Language) -> DataResult:
    """A comparison as the semantic layer gives it for neighbouring periods. Rows belong together by their keys, not by names."""
    hidden = key_columns(base.columns)
    held = [i for i, column in enumerate(base.columns) if column["kind"] in GROUPING or i in hidden]
    timed = any(column["kind"] == "time" for column in base.columns)
    if timed or [c["name"] for c in base.columns] != [c["name"] for c in other.columns]:
        return base
    before = {tuple(row[i] for i in held): row for row in other.rows}
    own = {tuple(row[i] for i in held): row for row in base.rows}
    rows = [
        _paired(base.columns, held, own.get(key), before.get(key), key)
        for key in dict.fromkeys([*own, *before])
    ]
    periods = [(one.periods or [one.query.get("period") or {}])[0] for one in (base, other)]
    columns = _columns(base.columns, held, language)
    return replace(base, columns=columns, rows=rows, row_count=len(rows), periods=periods)


def _columns(columns: Sequence[Json], held: Sequence[int], language: Language) -> list[Json]:
    made: list[Json] = []
    for place, column in enumerate(columns):
        made.append(column)
        for kind, text in _BESIDE.items() if place not in held else ():
            one = {**column, "name": f"{column['name']}__{kind}", "kind": kind}
            one["label"] = text.say(language, label=column["label"])
            made.append(
                {**one, "unit": "ratio", "format": "percent", "decimals": 1, "additive": False}
                if kind == "change"
                else one
            )
    return made


def _paired(
    columns: Sequence[Json],
    held: Sequence[int],
    now: Sequence[Any] | None,
    then: Sequence[Any] | None,
    key: Sequence[Any],
) -> list[Any]:
    row: list[Any] = []
    names = iter(key)
    for place in range(len(columns)):
        if place in held:
            row.append(next(names))
            continue
        current, previous = (None if cells is None else cells[place] for cells in (now, then))
        difference = None if current is None or previous is None else current - previous
        change = difference / abs(previous) if difference is not None and previous else None
        row += [current, previous, difference, change]
    return row
