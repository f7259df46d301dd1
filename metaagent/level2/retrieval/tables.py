"""Sums, counts, rankings and single values from the tables of an attached file. Pure: nothing but the file's own cells counts.

A table stands in the extracted text as one line a row, its cells separated by ` | `; its first row names the columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from metaagent.errors import Text
from metaagent.knowledge.extracted import BLOCK_GAP, CELL_GAP
from metaagent.language.patterns import regex

MOST_ROWS = 20_000
MOST_SHOWN = 20
SHORTEST = 2
"""Characters of a cell that a question can name."""
_SUM = regex(r"합계|총액|총합|총|합산|더하|\b(?:sum|total|add up)\b", re.IGNORECASE)
_MEAN = regex(r"평균|\b(?:average|mean)\b", re.IGNORECASE)
_COUNT = regex(
    r"몇\s?(?:건|개|곳|명|행|줄|번)|건수|개수|행\s?수|\b(?:how many|count|number of)\b", re.IGNORECASE
)
_MOST = regex(
    r"(?:가장|제일)\s?\S*\s?(?:많|크|큰|높)|최고|최대|최다|1위|\b(?:most|highest|largest|biggest|top)\b",
    re.IGNORECASE,
)
_LEAST = regex(
    r"(?:가장|제일)\s?\S*\s?(?:적|작|낮)|최저|최소|\b(?:least|lowest|smallest|fewest)\b", re.IGNORECASE
)
_UNIT = regex(r"\s*\([^()]{1,10}\)$")
"""The unit behind the name of a column: 방문 수 (회)."""
_NUMBER = regex(r"[-+]?[₩$]?\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s?(?:원|건|개|명|회|%|억|만)?")

_GROUPED = Text(en="{measure} by {group}: {values}.", ko="{group}별 {measure}: {values}.")
_EXTREME = Text(
    en="By {group}, the {which} {measure} is that of {names}: {value}.",
    ko="{measure}이(가) {which} {group}: {names}({value}).",
)
_WHOLE = Text(en="{what}{measure}: {value} ({rows} rows).", ko="{what}{measure}: {value}({rows}행).")
_SINGLE = Text(
    en="{what}{measure}: {values} ({rows} rows, sum {value}).",
    ko="{what}{measure}: {values}({rows}행, 합계 {value}).",
)
_MORE = Text(en="and {count} more", ko="외 {count}개")
_WHICH = Text(
    en="The table of the file has several columns of numbers; which one do you mean: {columns}?",
    ko="첨부한 표에 숫자 열이 여러 개입니다. 어느 것을 말씀하시나요: {columns}?",
)
_HIGHEST = Text(en="highest", ko="가장 큰")
_LOWEST = Text(en="lowest", ko="가장 작은")
_WORDS = {
    "sum": Text(en="{measure}, sum", ko="{measure} 합계"),
    "mean": Text(en="{measure}, mean", ko="{measure} 평균"),
    "count": Text(en="rows", ko="건수"),
}


@dataclass(frozen=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def numbers(self, at: int) -> list[Decimal | None]:
        return [_number(row[at]) for row in self.rows]

    def is_numeric(self, at: int) -> bool:
        cells = [row[at] for row in self.rows if row[at].strip()]
        return bool(cells) and all(_number(cell) is not None for cell in cells)


def tables_of(text: str) -> list[Table]:
    """The tables in an extracted text. One whose rows differ in their cells is none: a number might stand in the wrong place."""
    found: list[Table] = []
    for block in text.split(BLOCK_GAP):
        lines = [
            tuple(cell.strip() for cell in line.split(CELL_GAP)) for line in block.split("\n") if line.strip()
        ]
        width = len(lines[0]) if lines else 0
        if width > 1 and 1 < len(lines) <= MOST_ROWS and all(len(line) == width for line in lines):
            found.append(Table(tuple(_UNIT.sub("", name) for name in lines[0]), tuple(lines[1:])))
    return found


def answer(text: str, question: str, language: str) -> str:
    """The answer of the first table that has one; empty where the tables say nothing of what is asked."""
    return next((said for table in tables_of(text) if (said := _answer(table, question, language))), "")


def _number(cell: str) -> Decimal | None:
    found = _NUMBER.fullmatch(cell.strip())
    if found is None or cell.strip()[-1] in "억만":
        return None
    try:
        sign = -1 if cell.strip().startswith("-") else 1
        return sign * Decimal(found[1].replace(",", "") + (found[2] or ""))
    except InvalidOperation:
        return None


def _key(text: str) -> str:
    return "".join(text.lower().split())


def _answer(table: Table, question: str, language: str) -> str:
    asked = _key(question)
    named = [at for at, name in enumerate(table.columns) if name and _key(name) in asked]
    numeric = [at for at in range(len(table.columns)) if table.is_numeric(at)]
    groups = [at for at in named if at not in numeric]
    kept, values = _with_values(table, asked, numeric)
    task = _task(question)
    if not (named or values) or not (task or values):
        return ""
    measures = [at for at in named if at in numeric] or (numeric if len(numeric) == 1 else [])
    if not measures and task != "count":
        columns = ", ".join(table.columns[at] for at in numeric)
        return _WHICH.say(language, columns=columns) if task and len(numeric) > 1 else ""
    measure = measures[0] if measures else -1
    grouped = next((at for at in groups if _splits(table.columns[at], question)), None)
    if task in ("most", "least") and groups:
        grouped = groups[0]
    if grouped is not None:
        return _by_group(kept, grouped, measure, task, language)
    return _of_rows(kept, measure, task, values, language)


def _with_values(table: Table, asked: str, numeric: Sequence[int]) -> tuple[Table, list[str]]:
    """The rows that have every value that the question names, and these values."""
    rows, named = table.rows, list[str]()
    for at in range(len(table.columns)):
        cells = {row[at] for row in rows if len(row[at]) >= SHORTEST}
        found = [] if at in numeric else sorted((c for c in cells if _key(c) in asked), key=len, reverse=True)
        if found:
            rows = tuple(row for row in rows if row[at] == found[0])
            named.append(found[0])
    return Table(table.columns, rows), named


def _task(question: str) -> str:
    for task, words in (
        ("most", _MOST),
        ("least", _LEAST),
        ("mean", _MEAN),
        ("count", _COUNT),
        ("sum", _SUM),
    ):
        if words.search(question):
            return task
    return ""


def _splits(column: str, question: str) -> bool:
    name = re.escape(column)
    return (
        re.search(rf"{name}\s?(?:별|마다)|\b(?:by|per|for each)\s{name}", question, re.IGNORECASE) is not None
    )


def _mean(values: Sequence[Decimal]) -> Decimal:
    return sum(values, Decimal()) / len(values)


_REDUCED: Mapping[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "mean": _mean,
    "count": lambda values: Decimal(len(values)),
}


def _reduced(values: Sequence[Decimal], task: str) -> Decimal:
    return _REDUCED[task](values) if task in _REDUCED else sum(values, Decimal())


def _by_group(table: Table, group: int, measure: int, task: str, language: str) -> str:
    parts: dict[str, list[Decimal]] = {}
    for row in table.rows:
        value = Decimal(1) if task == "count" else _number(row[measure])
        if value is not None:
            parts.setdefault(row[group], []).append(value)
    totals = {name: _reduced(values, task) for name, values in parts.items()}
    if not totals:
        return ""
    label, name = _label(table, measure, task, language), table.columns[group]
    if task in ("most", "least"):
        best = max(totals.values()) if task == "most" else min(totals.values())
        names = ", ".join(each for each, value in totals.items() if value == best)
        which = (_HIGHEST if task == "most" else _LOWEST).say(language)
        return _EXTREME.say(language, measure=label, which=which, group=name, names=names, value=_shown(best))
    order = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{each} {_shown(value)}" for each, value in order[:MOST_SHOWN]]
    rest = len(order) - len(shown)
    listed = ", ".join([*shown, *([_MORE.say(language, count=rest)] if rest else [])])
    return _GROUPED.say(language, group=name, measure=label, values=listed)


def _of_rows(table: Table, measure: int, task: str, named: Sequence[str], language: str) -> str:
    """One figure of the rows that were named, or of all."""
    values = [Decimal(1) for _ in table.rows] if task == "count" else [
        each for each in table.numbers(measure) if each is not None
    ]  # fmt: skip
    if not values:
        return ""
    what = f"{', '.join(named)} " if named else ""
    rows = len(values)
    if task in ("most", "least"):
        value, task = (max if task == "most" else min)(values), ""
    else:
        value = _reduced(values, task)
    if not task and named and rows > 1:
        shown = ", ".join(_shown(each) for each in values[:MOST_SHOWN])
        label = _label(table, measure, "none", language)
        return _SINGLE.say(language, what=what, measure=label, values=shown, rows=rows, value=_shown(value))
    label = _label(table, measure, task or "none", language)
    return _WHOLE.say(language, what=what, measure=label, value=_shown(value), rows=rows)


def _label(table: Table, measure: int, task: str, language: str) -> str:
    name = table.columns[measure] if measure >= 0 else ""
    words = _WORDS.get("sum" if task in ("most", "least", "") else task)
    return words.say(language, measure=name) if words else name


def _shown(value: Decimal) -> str:
    whole = value == value.to_integral_value()
    return f"{int(value):,}" if whole else f"{value:,.2f}"
