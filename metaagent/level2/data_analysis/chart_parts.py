"""What all kinds of charts are made of: colours, words, axes, and the largest parts with the rest in one."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from metaagent.language.particles import Language
from metaagent.level2.data_analysis import statistics
from metaagent.level2.data_analysis.format import format_value, unit_label, unit_of
from metaagent.level2.data_analysis.table import Column, Table, cells, number, of_type

Spec: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]

# Okabe–Ito; the two lightest are darkened until they stand 3:1 against white, yellow is left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C38700", "#499AC8", "#000000")
OTHERS_COLOUR = "#767676"
INK, QUIET, GRID = "#1F2328", "#57606A", "#E5E7EB"
HEAT, HEAT_BOTH_WAYS = ("#EAF2F8", "#0B4F7D"), ("#B04A00", "#F7F7F7", "#0B4F7D")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3])

TOP_BARS = 12
TOP_PARTS = 6
TOP_SERIES = 6
GROUPS = 12
HEAT_ROWS, HEAT_COLUMNS = 20, 31
# Units whose parts may be added to one "others" part; rates and averages may not.
ADDITIVE = {"won", "count", "people", "items", "times", "places", "minutes", "days", ""}

_WORDS = {
    "others": ("그 외", "Others"),
    "empty": ("표시할 데이터가 없습니다", "No data to show"),
    "count": ("값의 수", "Number of values"),
    "left_out": ("전체 {all}개 중 {shown}개만 표시", "{shown} of {all} shown"),
    "no_name": ("(이름 없음)", "(no name)"),
}


class Sketch:
    """What every kind of chart needs to know while its spec is put together."""

    def __init__(self, table: Table, language: Language, title: str) -> None:
        self.table = table
        self.language: Language = language
        self.title = title
        self.notes: list[str] = []

    def word(self, key: str, **params: object) -> str:
        return _WORDS[key][self.language == "en"].format_map(params)

    def name(self, cell: Any) -> str:
        return self.word("no_name") if cell is None or cell == "" else str(cell)

    def show(self, value: float, column: Column) -> str:
        return format_value(value, column.get("unit"), self.language)

    def heading(self, column: Column) -> str:
        unit = unit_label(column.get("unit"), self.language)
        return f"{column['label']} ({unit})" if unit else column["label"]

    def left_out(self, shown: int, whole: int) -> None:
        self.notes.append(self.word("left_out", shown=shown, all=whole))


_KO_STEPS, _EN_STEPS = ((1e12, "조"), (1e8, "억"), (1e4, "만")), ((1e9, "B"), (1e6, "M"), (1e3, "K"))


def number_axis(sketch: Sketch, column: Column, values: list[float], **more: Any) -> Spec:
    """One scale word for the whole axis, chosen by its largest value: 0, 0.5억, 1억."""
    largest = max((abs(value) for value in values), default=0)
    kind = unit_of(column.get("unit"))
    size, suffix = (0.01, "%") if kind == "ratio" else (1, "%") if kind == "percent" else (1, "")
    if kind not in ("ratio", "percent"):
        steps = _KO_STEPS if sketch.language == "ko" else _EN_STEPS
        size, suffix = next(((s, w) for s, w in steps if largest >= s), (1, ""))
    # d3 writes U+2212 for minus, our labels a hyphen: one sign per chart.
    figure = f"replace(format(datum.value / {size:g}, ',.4~f'), '−', '-')"
    label = f"datum.value == 0 ? '0' : {figure} + '{suffix}'"
    return {"title": sketch.heading(column), "labelExpr": label, "tickCount": 5, "domain": False, **more}


def padded(values: list[float]) -> list[float]:
    """From zero to the largest value, with room for the labels at the bars' ends."""
    low, high = min([0.0, *values]), max([0.0, *values])
    room = ((high - low) or 1.0) * (0.24 if low < 0 else 0.14)
    return [low - room if low < 0 else 0.0, high + room if high > 0 else 0.0]


def total_by(sketch: Sketch, keys: list[str], value: str) -> dict[str, float]:
    """The value per key in order of appearance; keys that come several times are added up."""
    found: dict[str, list[float]] = {}
    for key, cell in zip(keys, cells(sketch.table, value), strict=True):
        x = number(cell)
        if x is not None:
            found.setdefault(key, []).append(x)
    return {key: statistics.total(values) for key, values in found.items()}


def top_parts(
    sketch: Sketch, parts: dict[str, float], limit: int, column: Column
) -> list[tuple[str, float, bool]]:
    """Largest first, as (name, value, is the rest). What cannot be added has no rest, and a note says so."""
    ordered = sorted(parts.items(), key=lambda item: -item[1])
    if len(ordered) <= limit:
        return [(name, value, False) for name, value in ordered]
    if unit_of(column.get("unit")) not in ADDITIVE:
        sketch.left_out(limit, len(ordered))
        return [(name, value, False) for name, value in ordered[:limit]]
    kept, rest = ordered[: limit - 1], ordered[limit - 1 :]
    others = (f"{sketch.word('others')} ({len(rest)})", statistics.total([v for _, v in rest]), True)
    return [*((name, value, False) for name, value in kept), others]


def category_of(sketch: Sketch) -> Column:
    return (of_type(sketch.table, "text") or of_type(sketch.table, "date"))[0]


def names_in(sketch: Sketch, column: Column) -> list[str]:
    return [sketch.name(cell) for cell in cells(sketch.table, column["name"])]


def largest(names: list[str], sums: dict[tuple[str, str], float], side: int, limit: int) -> list[str]:
    size = {name: math.fsum(abs(v) for key, v in sums.items() if key[side] == name) for name in names}
    top = set(sorted(names, key=lambda name: -size[name])[:limit])
    return [name for name in names if name in top]


def blend(value: float, domain: list[float], colours: list[str]) -> list[float]:
    """The colour (red, green, blue) that the scale gives to a value."""
    index = 1 if len(domain) == 3 and value > domain[1] else 0
    part = (value - domain[index]) / (domain[index + 1] - domain[index])
    ends = [[int(colours[i][at : at + 2], 16) for at in (1, 3, 5)] for i in (index, index + 1)]
    return [a + (b - a) * part for a, b in zip(*ends, strict=True)]


def _luminance(colour: list[float]) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [c / 255 / 12.92 if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def is_dark(colour: list[float]) -> bool:
    """Whether white text stands out more than dark text."""
    light = _luminance(colour)
    return 1.05 / (light + 0.05) > (light + 0.05) / (_luminance([0x1F, 0x23, 0x28]) + 0.05)
