"""CPU from a question to its answer by the data agent, warm, beside the bare SQL it runs.

    python -m benchmarks.data_agent [--rounds 20]

On the whole demonstration company (140,000 sales). The result cache is off; no chart is drawn for a single figure.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from datetime import UTC, date, datetime
from pathlib import Path

from metaagent.config import load_settings
from metaagent.demo import create_demo
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Result
from metaagent.ports import AnalysisInput, Json, User
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import run_agent

NOW = datetime(2026, 11, 16, 3, tzinfo=UTC)
LIMIT_MS = 150.0
READING_MS = 5.0
QUESTION = "지난달 서울 매출 얼마야?"
OFFER: Json = {
    "name": "data_analysis",
    "agent": "data_analysis",
    "words": {"ko": [], "en": []},
    "permissions": [],
}


async def measure(folder: Path, rounds: int) -> tuple[list[float], list[float], list[float]]:
    opened = OpenDomain(load_settings(env={}, overrides={"data_dir": folder, "data": {"cached": 0}}))
    source = opened.data()
    assert source is not None
    reasoner = opened.reasoner()
    reading_ms, whole_ms, bare_ms = list[float](), list[float](), list[float]()
    connection = sqlite3.connect(folder / "pharma.db")
    for number in range(rounds + 2):
        begun = time.process_time()
        given = AnalysisInput(NOW, "Asia/Seoul", "ko", User(), (OFFER,))
        reading = await reasoner.analyze(QUESTION, given)
        read = time.process_time()
        result: Result = await run_agent(
            data_analysis, QUESTION, request=reading, language="ko", db=source.open(User(), "ko")
        )
        done = time.process_time()
        [sql] = result.state["generated_queries"]
        connection.execute(sql, result.state["raw_data"]["params"]).fetchall()
        if number > 1:
            reading_ms.append((read - begun) * 1000)
            whole_ms.append((done - begun) * 1000)
            bare_ms.append((time.process_time() - done) * 1000)
    connection.close()
    return reading_ms, whole_ms, bare_ms


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        create_demo(f"sqlite:///{folder}/pharma.db", now=date(2026, 11, 16))
        reading, whole, bare = asyncio.run(measure(Path(folder), given.rounds))
    medians = [statistics.median(times) for times in (reading, whole, bare)]
    print(
        f"reading {medians[0]:.1f} ms, question to answer {medians[1]:.1f} ms, bare SQL {medians[2]:.1f} ms (CPU, median)"
    )
    sys.exit(medians[1] > LIMIT_MS or medians[0] > READING_MS)


if __name__ == "__main__":
    main()
