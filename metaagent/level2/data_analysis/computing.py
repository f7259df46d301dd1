"""Shared by all statistics: an engine in memory, exact sums, and answers for data that cannot carry a statement."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from metaagent.documents.table import Table, cells
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from metaagent.level2.data_analysis.results import Analysis, Figure, NotApplicable, TooFew

SIGNIFICANT = 0.05


# Below five values no order of them is rare enough to be significant at 5 % (Mann–Kendall: 2/4! = 0.083).
FEWEST = 5


NO_SEGMENTS = Text(
    en="A contribution analysis needs at least one segment column: none was given.",
    ko="기여도 분석에는 구분 열이 하나 이상 필요합니다. 주어진 열이 없습니다.",
)


@cache
def _engine() -> DuckDBPyConnection:
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": 1, "enable_external_access": "false"})
    connection.execute("SET memory_limit = '512MB'")
    connection.execute("SET lock_configuration = true")
    return connection


def ask(sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    # A cursor each: the shared connection itself must not be used by two threads at once.
    with _engine().cursor() as cursor:
        return cursor.execute(sql, list(parameters)).fetchall()


P = ParamSpec("P")


T = TypeVar("T")


def finite(function: Callable[P, T]) -> Callable[P, T]:
    """A figure beyond what can be written is left out: results are JSON."""

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", _writable(function(*args, **kwargs)))

    return checked


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _writable(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_writable(item) for item in cast("list[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def too_few(
    analysis: Analysis, method: str, n: int, needed: int, of: Literal["values", "periods", "pairs", "rows"]
) -> TooFew:
    return {"kind": "too_few", "analysis": analysis, "method": method, "n": n, "needed": needed, "of": of}


def not_applicable(
    analysis: Analysis, method: str, n: int, reason: Literal["constant", "negative_parts", "gaps", "no_base"]
) -> NotApplicable:
    return {"kind": "not_applicable", "analysis": analysis, "method": method, "n": n, "reason": reason}


def total(values: list[float]) -> Figure:
    """Exact: decimal figures add up as they are written (0.1 + 0.2 is 0.3)."""
    return figure(sum((exact(value) for value in values), Decimal(0)))


def exact(value: float) -> Decimal:
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def figure(value: Decimal) -> Figure:
    return int(value) if value == value.to_integral_value() and abs(value) < 2**63 else float(value)


def segment_keys(table: Table, segments: list[str]) -> list[str]:
    if not segments:
        raise InputRefused(NO_SEGMENTS)
    columns = [["" if cell is None else str(cell) for cell in cells(table, name)] for name in segments]
    return [" · ".join(key) for key in zip(*columns, strict=True)]


def percent_of(part: Decimal, whole: Decimal) -> float:
    return float(part / whole * 100)
