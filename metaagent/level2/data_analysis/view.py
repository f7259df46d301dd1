"""A result as people read it: which columns split it, which figure was asked for, and its period and scope in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from metaagent.documents.format import preferred_unit
from metaagent.documents.table import Cell, Column, Table
from metaagent.language.counters import counter, plural
from metaagent.language.particles import Language
from metaagent.level2.data_analysis import conditions
from metaagent.level2.data_analysis.data_request import Asked
from metaagent.level2.data_analysis.periods import bucket_span, period_words, weekday_name
from metaagent.plugin import DataResult

Json = dict[str, Any]
GROUPING = frozenset({"dimension", "time"})
BESIDE = frozenset(
    {"previous", "difference", "change", "share", "running_total", "moving_average", "target", "achievement"}
)
"""Kinds of columns that stand beside a figure and are named after it."""
_BUCKETS = frozenset({"week", "month", "quarter", "year"})


def readable(columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]]) -> Table:
    """Coded values by their names, columns with labels and units."""
    made: list[Column] = []
    for column in columns:
        one: Column = {"name": column["name"], "label": column["label"], "type": column["type"]}
        if column.get("unit"):
            one["unit"] = column["unit"]
        if column.get("thing"):
            one["thing"] = column["thing"]
        if column.get("additive"):
            one["additive"] = True
        made.append(one)
    named: list[Mapping[Any, Any]] = [column.get("values") or {} for column in columns]
    cells = [
        [names.get(cell, names.get(str(cell), cell)) for names, cell in zip(named, row, strict=True)]
        for row in rows
    ]
    return {"columns": made, "rows": cells}


_WEEKEND: dict[Language, dict[str, str]] = {
    "ko": {"0": "평일", "1": "주말"},
    "en": {"0": "weekday", "1": "weekend"},
}


def presentable(columns: Sequence[Json], language: Language) -> list[Json]:
    """Columns whose weekdays, 1 to 7, have names and whose counts of things have their counter."""
    names = {str(number): weekday_name(number, language) for number in range(1, 8)}
    made: list[Json] = []
    for column in columns:
        if (column["kind"], column["name"]) == ("time", "weekday"):
            made.append({**column, "values": names, "type": "text"})
        elif (column["kind"], column["name"]) == ("time", "weekend"):
            made.append({**column, "values": _WEEKEND[language], "type": "text"})
        elif column["kind"] == "count":
            made.append({**column, **_count_look(column, language)})
        else:
            made.append(column)
    return made


def _count_look(column: Mapping[str, Any], language: Language) -> Json:
    if language == "ko":
        return {"unit": counter(str(column["label"]).removesuffix(" 수"), column.get("thing"))}
    noun = str(column["label"]).removeprefix("Number of ")
    return {"unit": plural(noun), "label": f"Number of {plural(noun)}", "noun": noun}


@dataclass(frozen=True)
class View:
    result: DataResult
    asked: Asked

    @property
    def language(self) -> Language:
        return self.asked.language

    @property
    def query(self) -> Json:
        return self.result.query

    @cached_property
    def table(self) -> Table:
        return readable(self.result.columns, self.result.rows)

    @property
    def rows(self) -> list[list[Cell]]:
        return self.table["rows"]

    @cached_property
    def columns(self) -> list[Json]:
        """With money in the size that this person reads."""
        return [
            {**column, "unit": preferred_unit(column["unit"], self.asked.units)}
            for column in self.result.columns
        ]

    @cached_property
    def names(self) -> list[int]:
        """Columns of things; weekdays are such, as they come in no order of time."""
        return [
            i
            for i, column in enumerate(self.columns)
            if column["kind"] == "dimension" or (column["kind"] in GROUPING and column["type"] != "date")
        ]

    @cached_property
    def times(self) -> list[int]:
        return [
            i
            for i, column in enumerate(self.columns)
            if column["kind"] == "time" and column["type"] == "date"
        ]

    @property
    def grouping(self) -> list[int]:
        return [i for i in range(len(self.columns)) if i in {*self.names, *self.times}]

    @cached_property
    def figures(self) -> list[int]:
        """The figures themselves, without the columns beside them."""
        return [
            i for i, c in enumerate(self.columns) if c["kind"] not in GROUPING and c["kind"] not in BESIDE
        ]

    def place(self, name: str | None) -> int | None:
        return next((i for i, column in enumerate(self.columns) if column["name"] == name), None)

    def beside(self, figure: int, kind: str) -> int | None:
        """The column of this kind that belongs to the figure."""
        return self.place(f"{self.columns[figure]['name']}__{kind}")

    @property
    def ranked_by(self) -> str | None:
        order: Json = next(iter(self.query.get("order") or ()), {})
        return (self.query.get("top") or {}).get("by") or order.get("column")

    @cached_property
    def main(self) -> int | None:
        """The figure that was asked for: what is ranked, a running total, otherwise the first."""
        ranked = self.place(self.ranked_by)
        if ranked is not None and ranked not in self.grouping:
            return ranked
        first = self.figures[0] if self.figures else None
        if first is None:
            return next((i for i, c in enumerate(self.columns) if c["kind"] in BESIDE), None)
        for wanted in ("running_total", "moving_average"):
            found = self.beside(first, wanted)
            if found is not None:
                return found
        return first

    @cached_property
    def period(self) -> str:
        span = self.span
        alone = len(self.query.get("metrics") or ()) <= 1
        if span is None or (self.result.undated and alone):  # the figure is of no period
            return ""
        return period_words(*span, self.language)

    @property
    def span(self) -> tuple[date, date] | None:
        """The days that the figures are of, as the query ran."""
        ran = self.result.periods[0] if self.result.periods else {}
        return _days(ran) or _days(self.query.get("period") or {})

    @cached_property
    def previous(self) -> str:
        """The compared period in words, by the days that the query ran with."""
        days = _days(self.result.periods[1]) if len(self.result.periods) > 1 else None
        return "" if days is None else period_words(*days, self.language)

    @cached_property
    def scope(self) -> str:
        """Filters and conditions on rows."""
        named = scope_words(self.asked.resolved.get("filters") or (), self.language)
        limits = conditions.rows(self.query, self.result.terms, self.language)
        return (" " if self.language == "ko" else ", ").join(filter(None, (named, *limits)))

    @cached_property
    def condition(self) -> str:
        """The conditions on the things that are counted or listed."""
        names = self.asked.resolved.get("names") or {}
        return conditions.things(self.query, self.result.terms, self.language, names)

    @cached_property
    def last_day(self) -> date | None:
        """The last day that can have data."""
        if self.span is None:
            return None
        today = self.asked.today
        return min(self.span[1], today - timedelta(days=1)) if today else self.span[1]

    @cached_property
    def partial(self) -> list[str]:
        """The periods of which only a part is asked for or has passed, by their names in the result."""
        if len(self.times) != 1 or self.columns[self.times[0]]["name"] not in _BUCKETS:
            return []
        if self.span is None or self.last_day is None:
            return []
        start, end, at = self.span[0], self.last_day, self.times[0]
        names = dict.fromkeys(str(row[at]) for row in self.rows)
        return [name for name in names if (span := bucket_span(name)) and (span[0] < start or span[1] > end)]

    def only(self, places: Sequence[int], rows: Sequence[Sequence[Cell]] | None = None) -> Table:
        """The table with these columns alone."""
        chosen = self.rows if rows is None else rows
        return {
            "columns": [Column(**self.table["columns"][i]) for i in places],
            "rows": [[row[i] for i in places] for row in chosen],
        }


def _days(period: Mapping[str, Any]) -> tuple[date, date] | None:
    if not period.get("start") or not period.get("end"):
        return None
    return date.fromisoformat(str(period["start"])), date.fromisoformat(str(period["end"]))


MOST_NAMED = 5
"""Names that stand in a sentence; of more, the first ones and their number."""


def _few(names: Sequence[str], language: Language) -> str:
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    first, more = ", ".join(names[:3]), len(names) - 3
    return f"{first} 외 {more:,}개" if language == "ko" else f"{first} and {more:,} more"


def scope_words(filters: Sequence[Mapping[str, Any]], language: Language) -> str:
    """The things that the figures are limited to: 서울, without 부산."""
    parts: list[str] = []
    for one in filters:
        titles = one.get("titles") or {}
        labels = one.get("labels") or ()
        names = _few(
            [str((titles.get(str(label)) or {}).get(language) or label) for label in labels], language
        )
        if not names:
            continue
        if one.get("op") == "not_in":
            parts.append(f"{names} 제외" if language == "ko" else f"without {names}")
        else:
            parts.append(names)
    return " ".join(parts) if language == "ko" else ", ".join(parts)
