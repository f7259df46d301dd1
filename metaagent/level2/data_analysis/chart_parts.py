"""Building blocks of every kind of chart: colours, words, axes, and values gathered without adding what cannot be added."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias, TypeVar

from metaagent.documents.format import format_value, unit_label, unit_of
from metaagent.documents.table import Column, Table, cells, number, of_type
from metaagent.language.counters import counter
from metaagent.language.particles import Language
from metaagent.level2.data_analysis import computing

Spec: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]
K = TypeVar("K", bound=Hashable)

# Okabe–Ito; the two lightest are darkened until they stand 3:1 against white, yellow is left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#C38700", "#499AC8", "#000000")
OTHERS_COLOUR = "#767676"
INK, QUIET, GRID = "#1F2328", "#57606A", "#E5E7EB"

TOP_BARS = 12
TOP_RANKED = 25
"""A ranking shows more bars: they were asked for."""
TOP_PARTS = 6
LONGEST = 3.0
"""A bar that is longer than this many times the next is cut, or all others would be lines."""

_WORDS = {
    "others": ("그 외", "Others"),
    "empty": ("표시할 데이터가 없습니다", "No data to show"),
    "count": ("값의 수", "Number of values"),
    "left_out": ("전체 {all} 중 {shown}만 표시", "{shown} of {all} shown"),
    "rest": ("나머지 {count} 합계 {total}", "the other {count} together: {total}"),
    "no_name": ("(이름 없음)", "(no name)"),
    "cut": ("» 막대는 줄여 그렸습니다. 값은 표시된 대로입니다.", "» bars are cut short; their labels hold the values."),
    "partial": ("속이 빈 점은 아직 끝나지 않았거나 일부만 있는 기간입니다.", "Hollow points are periods that are not complete."),
    "not_added": ("합할 수 없는 값은 그리지 않았습니다.", "Values that cannot be added up are left out."),
}  # fmt: skip


class Sketch:
    """A chart in the making: its table, its language, and the remarks that it collects."""

    def __init__(
        self,
        table: Table,
        language: Language,
        title: str,
        *,
        ordered: bool = False,
        partial: Sequence[str] = (),
    ) -> None:
        self.table = table
        self.language: Language = language
        self.title = title
        self.ordered = ordered
        """The rows stand in the order that was asked for."""
        self.partial = frozenset(partial)
        """Names of periods that are not complete."""
        self.notes: list[str] = []

    def word(self, key: str, **params: object) -> str:
        return _WORDS[key][self.language == "en"].format_map(params)

    def note(self, key: str, **params: object) -> None:
        text = self.word(key, **params)
        if text not in self.notes:
            self.notes.append(text)

    def name(self, cell: Any) -> str:
        return self.word("no_name") if cell is None or cell == "" else str(cell)

    def show(self, value: float, column: Column) -> str:
        return format_value(value, column.get("unit"), self.language)

    def heading(self, column: Column) -> str:
        unit = unit_label(column.get("unit"), self.language)
        return f"{column['label']} ({unit})" if unit else column["label"]

    def counted(self, count: int) -> str:
        things = of_type(self.table, "text")
        unit = counter(things[0]["label"], things[0].get("thing")) if len(things) == 1 else "개"
        return f"{count:,}{unit}" if self.language == "ko" else f"{count:,}"

    def left_out(self, shown: int, whole: int) -> None:
        self.note("left_out", shown=self.counted(shown), all=self.counted(whole))


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


def plain_axis(limit: int) -> Spec:
    return {"title": None, "labelLimit": limit, "labelColor": INK, "ticks": False, "domain": False}


def padded(values: list[float]) -> list[float]:
    """A scale from zero to the largest value, with room for the labels at the bars' ends."""
    low, high = min([0.0, *values]), max([0.0, *values])
    room = ((high - low) or 1.0) * (0.24 if low < 0 else 0.2)
    return [low - room if low < 0 else 0.0, high + room if high > 0 else 0.0]


def additive(column: Column) -> bool:
    """Tells whether parts of the figure may be added: not those of a rate, a mean or a count of things."""
    return column.get("additive", False)


def gathered(sketch: Sketch, keys: Sequence[K], column: Column) -> dict[K, float]:
    """The value per key in order of appearance. Several values of one key are added, or left out with a note."""
    found: dict[K, list[float]] = {}
    for key, cell in zip(keys, cells(sketch.table, column["name"]), strict=True):
        x = number(cell)
        if x is not None:
            found.setdefault(key, []).append(x)
    made: dict[K, float] = {}
    for key, values in found.items():
        if len(values) == 1 or additive(column):
            made[key] = computing.total(values)
        else:
            sketch.note("not_added")
    return made


def names_of(sketch: Sketch, columns: Sequence[Column]) -> list[str]:
    """One name for each row, of all these columns together."""
    parts = [[sketch.name(cell) for cell in cells(sketch.table, column["name"])] for column in columns]
    return [" · ".join(names) for names in zip(*parts, strict=True)]


def categories(sketch: Sketch) -> list[Column]:
    return of_type(sketch.table, "text") or of_type(sketch.table, "date")


def top_parts(
    sketch: Sketch, parts: dict[str, float], limit: int, column: Column, *, rest: bool
) -> list[tuple[str, float, bool]]:
    """The shown parts as (name, value, is the rest), as asked for or the largest first.

    The rest is a part of its own only if it can be added and is no longer than what it stands beside; otherwise a note
    says how many there are.
    """
    ordered = list(parts.items()) if sketch.ordered else sorted(parts.items(), key=lambda item: -item[1])
    if len(ordered) <= limit:
        return [(name, value, False) for name, value in ordered]
    kept, left = ordered[: limit - 1], ordered[limit - 1 :]
    total = computing.total([value for _, value in left]) if additive(column) else None
    if rest and total is not None and abs(total) <= max(abs(value) for _, value in kept):
        others = (f"{sketch.word('others')} ({len(left)})", total, True)
        return [*((name, value, False) for name, value in kept), others]
    kept, left = ordered[:limit], ordered[limit:]
    sketch.left_out(limit, len(ordered))
    if total is not None and rest:
        said = sketch.show(computing.total([value for _, value in left]), column)
        sketch.note("rest", count=sketch.counted(len(left)), total=said)
    return [(name, value, False) for name, value in kept]


def longest_bar(values: Sequence[float]) -> float | None:
    """The length at which bars are cut, where one or two would make lines of all others; otherwise None."""
    sizes = sorted((abs(value) for value in values), reverse=True)
    for place in (0, 1):
        if len(sizes) > place + 2 and sizes[place + 1] > 0 and sizes[place] > LONGEST * sizes[place + 1]:
            return sizes[place + 1] * 1.6
    return None


def largest(names: list[str], sums: dict[tuple[str, str], float], side: int, limit: int) -> list[str]:
    size = {
        name: max((abs(v) for key, v in sums.items() if key[side] == name), default=0.0) for name in names
    }
    top = set(sorted(names, key=lambda name: -size[name])[:limit])
    return [name for name in names if name in top]


def series_colours(series: Sequence[str]) -> list[str]:
    return [PALETTE[i % len(PALETTE)] for i in range(len(series))]
