"""A thousand sessions at once in one process, beside the same number fed 64 at a time.

    python -m benchmarks.crowd [--sessions 1000] [--at-a-time 64]

Each way runs in a process of its own: memory is the peak of its resident set. Latency runs in both ways from the
arrival of the crowd to a session's answer, so that waiting counts wherever it happens: before the door (a feeder
lets 64 in at a time) or behind it (all are let in, and `limits.running_turns` decides).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.turn import AGENTS, QUESTION
from metaagent.level1.reasoner import RuleReasoner
from metaagent.runtime import MetaAgent

MOST_MEGABYTES = 500
TARGET = 2.0


async def crowd(sessions: int, at_a_time: int) -> dict[str, Any]:
    door = asyncio.Semaphore(at_a_time)
    latency: list[float] = []

    async def one(app: MetaAgent, begun: float) -> str:
        async with door:
            answer = await app.ask(QUESTION)
        latency.append(time.perf_counter() - begun)
        return answer.status if len(answer.content["artifacts"]) == len(AGENTS) else "incomplete"

    with tempfile.TemporaryDirectory() as folder:
        async with MetaAgent.open(
            {"data_dir": folder, "agents": {"allow": []}}, agents=AGENTS, reasoner=RuleReasoner()
        ) as app:
            begun = time.perf_counter()
            ends = await asyncio.gather(*(one(app, begun) for _ in range(sessions)), return_exceptions=True)
            seconds = time.perf_counter() - begun
    return {
        "errors": sum(end != "completed" for end in ends),
        "first_error": next((repr(end) for end in ends if end != "completed"), None),
        "seconds": seconds,
        "p50": statistics.median(latency),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _apart(sessions: int, at_a_time: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.crowd", "--json", "--sessions", str(sessions)]
    done = subprocess.run(
        [*command, "--at-a-time", str(at_a_time)], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--at-a-time", type=int, default=64)
    parser.add_argument("--json", action="store_true", help="one way only, as JSON")
    given = parser.parse_args()
    if given.json:
        print(json.dumps(asyncio.run(crowd(given.sessions, given.at_a_time))))
        return
    found = {
        f"{at_a_time} at a time": _apart(given.sessions, at_a_time)
        for at_a_time in (given.at_a_time, given.sessions)
    }
    for name, ran in found.items():
        print(
            f"{name:16} {given.sessions} sessions: {ran['errors']} errors   {ran['seconds']:.1f} s   "
            f"p50 {ran['p50']:.2f} s   peak {ran['megabytes']:.0f} MB (most {MOST_MEGABYTES})"
        )
        if ran["first_error"]:
            print(f"  {ran['first_error']}")
    fed, at_once = (ran["p50"] for ran in found.values())
    print(f"p50 of all at once to that of {given.at_a_time} at a time: {at_once / fed:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
