"""Rows that belong to no thing of the kind that was asked for: calls that nobody took, in calls by agent. They stand below the
table, in words, and not among the things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaagent.errors import Text
from metaagent.language.particles import Language
from metaagent.level2.data_analysis.namesakes import key_columns
from metaagent.plugin import DataResult

_LEFT_OUT = Text(
    en="Left out of account here, as they have no {dimension}: {figures}.",
    ko="{dimension} 정보가 없어 여기에 반영하지 않은 값: {figures}.",
)


def named_only(result: DataResult, language: Language) -> DataResult:
    """The result without rows that have no key; a note says what they come to, where more than one kind of row is left."""
    places = [*key_columns(result.columns)]
    if len(places) != 1:
        return result
    named = [row for row in result.rows if row[places[0]] is not None]
    nameless = [row for row in result.rows if row[places[0]] is None]
    if not named or not nameless:
        return result
    dimension = key_columns(result.columns)[places[0]]
    label = next(str(column["label"]) for column in result.columns if column["name"] == dimension)
    figures = _figures(result, nameless)
    if not figures:
        return result
    note = _LEFT_OUT.say(language, dimension=label, figures=", ".join(figures))
    return replace(result, rows=named, row_count=len(named), notes=[*result.notes, note])


def _figures(result: DataResult, rows: Sequence[Sequence[Any]]) -> list[str]:
    """The figure that these rows come to: of figures that add up, their sum; of others, the value of a single row."""
    made: list[str] = []
    for place, column in enumerate(result.columns):
        if column.get("kind") != "metric" or str(column["name"]).endswith("__key"):
            continue
        values = [row[place] for row in rows if isinstance(row[place], int | float)]
        if values and (column.get("additive") or len(rows) == 1):
            total = sum(values)
            shown = f"{total:,.2f}".rstrip("0").rstrip(".") if isinstance(total, float) else f"{total:,}"
            made.append(f"{column['label']} {shown}")
    return made
