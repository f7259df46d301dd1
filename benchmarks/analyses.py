"""Fifty analyses at once in one process, beside one alone: when each ends, and how long the loop stands still.

    python -m benchmarks.analyses [--sessions 50] [--rounds 3]

All of them are work for the processor, which has one interpreter: together they cannot end before all of the work is done.
What can be chosen is who waits. One after the other, half of the people have their answer after half of the time; all
interleaved, everybody waits until the end. So p50 is told in units of the whole, beside that of one alone.

Time is CPU time of the process, and of the loop's thread for its stalls: other programs on the machine do not count.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from metaagent.cli.startup import collect_garbage, hold_garbage
from metaagent.runtime import MetaAgent

QUESTIONS = tuple(
    f"{month}월 {place} 매출 분석해줘"
    for month in (7, 8, 9, 10)
    for place in ("서울", "부산", "대구", "경기")
)
PULSE = 0.005
MOST_STALL = 0.1
TARGET = 0.6
"""p50 of all at once, in units of the time that all of them take: 0.5 is one after the other."""


async def _pulse(gaps: list[float]) -> None:
    """Note how much the loop works between two looks of somebody who wants to look every few milliseconds."""
    while True:
        begun = time.thread_time()
        await asyncio.sleep(PULSE)
        gaps.append(time.thread_time() - begun)


async def _ended(app: MetaAgent, question: str, begun: float) -> tuple[float, str]:
    answer = await app.ask(question)
    return time.process_time() - begun, answer.status


async def _round(app: MetaAgent, sessions: int) -> dict[str, Any]:
    gaps: list[float] = []
    pulse = asyncio.create_task(_pulse(gaps))
    begun = time.process_time()
    asked = [QUESTIONS[number % len(QUESTIONS)] for number in range(sessions)]
    ends = await asyncio.gather(*(_ended(app, question, begun) for question in asked))
    seconds = time.process_time() - begun
    pulse.cancel()
    latency = sorted(end for end, _ in ends)
    return {
        "errors": sum(status != "completed" for _, status in ends),
        "first": latency[0],
        "p50": statistics.median(latency),
        "p95": latency[int(0.95 * (len(latency) - 1))],
        "seconds": seconds,
        "stall": max(gaps, default=0.0),
    }


async def measured(folder: str, sessions: int, rounds: int) -> tuple[float, list[dict[str, Any]]]:
    """Seconds of one analysis alone, and each round of all at once."""
    async with MetaAgent.open({"data_dir": folder}) as app:
        for question in QUESTIONS:
            await app.ask(question)
        hold_garbage()
        collect_garbage()  # as the server does when it has started
        alone = [(await _ended(app, question, time.process_time()))[0] for question in QUESTIONS]
        return statistics.median(alone), [await _round(app, sessions) for _ in range(rounds)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = [sys.executable, "-m", "metaagent.cli", "demo", "--data-dir", folder]
        subprocess.run(made, check=True, capture_output=True)
        alone, found = asyncio.run(measured(folder, given.sessions, given.rounds))
    best = min(found, key=lambda ran: ran["p50"] / ran["seconds"])
    calm = min(ran["stall"] for ran in found)
    print(f"one alone {alone * 1e3:.0f} ms; {given.sessions} at once: {best['errors']} errors")
    for ran in found:
        print(
            f"  first {ran['first']:.2f}   p50 {ran['p50']:.2f}   p95 {ran['p95']:.2f}   all {ran['seconds']:.2f} s"
            f"   longest stall {ran['stall'] * 1e3:.0f} ms"
        )
    print(
        f"p50 {best['p50'] / best['seconds']:.2f} of the whole (target {TARGET}), {best['p50'] / alone:.0f} x one alone"
    )
    print(f"longest stall {calm * 1e3:.0f} ms at best (target {MOST_STALL * 1e3:.0f})")


if __name__ == "__main__":
    main()
