"""Semantic compile, cold and warm, and its SQL beside one by hand: `python -m benchmarks.semantic`."""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.analysis import HERE, gold, questions
from metaagent.data.semantic import compile_query, load
from metaagent.data.semantic.compiling.dialects import DialectName
from metaagent.data.semantic.from_analysis import to_query
from metaagent.demo import create_demo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOW = date(2026, 11, 16)
LIMIT_MS = 2.0
DIALECTS: tuple[DialectName, ...] = ("sqlite", "postgresql", "duckdb")


def cpu_ms(work: Callable[[], Any], times: int) -> float:
    """The best of `times`: what it costs when nothing else disturbs."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time_ns()
        work()
        best = min(best, (time.process_time_ns() - start) / 1e6)
    return best


def line(name: str, values: Sequence[float]) -> str:
    ordered = sorted(values)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    return f"{name:<44} p50 {statistics.median(ordered):8.3f}  p95 {p95:8.3f}  max {ordered[-1]:8.3f}"


def main() -> None:
    model = load(HERE.parent / "configs/domains/pharma/semantic.yaml")
    asked = questions(HERE / "analysis.yaml", NOW)
    queries = [to_query(model, one.resolved) for one in asked]

    def compiled(i: int, dialect: DialectName = "sqlite") -> Any:
        return compile_query(model, queries[i], dialect=dialect, tenant="hanbit", roles=["owner"])

    def cold(i: int, dialect: DialectName) -> None:
        model.cache.pop("shapes", None)
        compiled(i, dialect)

    print("CPU milliseconds over the questions of evals/analysis.yaml")
    for dialect in DIALECTS:
        first = [cpu_ms(lambda i=i, dialect=dialect: cold(i, dialect), 5) for i in range(len(queries))]
        within = sum(value <= LIMIT_MS for value in first)
        print(line(f"compile, shape never seen, {dialect}", first))
        print(f"{'':<44} {within} of {len(first)} within {LIMIT_MS} ms")
    again = [cpu_ms(lambda i=i: compiled(i), 20) for i in range(len(queries))]
    print(line("compile, shape known, new values", again))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pharma.db"
        start = time.perf_counter()
        summary = create_demo(f"sqlite:///{file}", now=NOW)
        made = time.perf_counter() - start
        rows = sum(sum(tables.values()) for tables in summary.rows.values())
        print(f"demonstration company: {rows} rows in {made:.1f} s")
        connection = sqlite3.connect(file)
        made_of = [compiled(i) for i in range(len(queries))]
        ours = [cpu_ms(lambda one=one: _run(connection, one), 3) for one in made_of]
        hand = [cpu_ms(lambda one=one: gold(connection, one, "hanbit"), 3) for one in asked]
        print(line("its SQL on 110,000 sales (SQLite)", ours))
        print(line("hand-written SQL, same questions", hand))
        ratio = sum(ours) / sum(hand)
        print(f"all questions: {sum(ours):.0f} ms, by hand {sum(hand):.0f} ms, ratio {ratio:.2f}")
        connection.close()


def _run(connection: sqlite3.Connection, one: Any) -> Any:
    return connection.execute(one.sql, one.params).fetchall()


if __name__ == "__main__":
    main()
