"""CPU time per call of the analysis functions at 10,000 rows (`python -m benchmarks.analysis_stats`)."""

from __future__ import annotations

import math
import random
import time
from datetime import date, timedelta
from typing import TYPE_CHECKING

from metaagent.documents import chart_images, export
from metaagent.level2.data_analysis import charts, contribution, over_time, statistics

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaagent.documents.table import Table

ROWS = 10_000


def sample(rows: int = ROWS) -> Table:
    rng = random.Random(7)
    regions = ["서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종"]
    start = date(2023, 1, 1)

    def row(i: int) -> list[str | int | float | bool | None]:
        day = start + timedelta(days=i % 730)
        amount = int(1e6 * (1 + (i % 730) / 730 + 0.3 * math.sin(i / 7)) * rng.lognormvariate(0, 0.4))
        return [day.isoformat(), "after" if i % 2 else "before", regions[i % 8], amount, rng.randint(1, 90)]

    return {
        "columns": [
            {"name": "day", "label": "날짜", "type": "date"},
            {"name": "period", "label": "기간", "type": "text"},
            {"name": "region", "label": "지역", "type": "text"},
            {"name": "amount", "label": "매출", "type": "number", "unit": "won"},
            {"name": "minutes", "label": "시간", "type": "number", "unit": "minutes"},
        ],
        "rows": [row(i) for i in range(rows)],
    }


def cpu_ms(call: Callable[[], object], times: int = 5) -> float:
    """The best of several calls, after one that warms up imports and connections."""
    call()
    spent: list[float] = []
    for _ in range(times):
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    return min(spent) * 1000


def calls(table: Table) -> dict[str, Callable[[], object]]:
    by_region: Table = {"columns": table["columns"][2:4], "rows": [row[2:4] for row in table["rows"]]}
    chart = charts.build(by_region, question="rank", title="지역별 매출")
    return {
        "summary": lambda: statistics.summary(table),
        "distribution": lambda: statistics.distribution(table, "amount"),
        "outliers": lambda: statistics.outliers(table, "amount"),
        "trend (730 days)": lambda: over_time.trend(table, "day", "amount"),
        "seasonality (730 days)": lambda: over_time.seasonality(table, "day", "amount"),
        "contribution": lambda: contribution.contribution(
            table, ["region"], "amount", "period", "before", "after"
        ),
        "correlation": lambda: statistics.correlation(table, "amount", "minutes"),
        "concentration": lambda: statistics.concentration(table, "region", "amount"),
        "chart spec": lambda: charts.build(by_region, question="rank"),
        "chart PNG": lambda: chart_images.render_png(chart["spec"]),
        "chart SVG": lambda: chart_images.render_svg(chart["spec"]),
        "CSV": lambda: export.to_csv(table),
        "XLSX": lambda: export.to_xlsx(table),
    }


def main() -> None:
    print(f"analysis at {ROWS:,} rows, CPU ms per call (best of 5, warm)")
    for name, call in calls(sample()).items():
        print(f"  {name:24} {cpu_ms(call):8.1f}")


if __name__ == "__main__":
    main()
