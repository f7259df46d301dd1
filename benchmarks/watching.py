"""Readers of sessions beside turns at work: what each reads, how late, and what the turns and the memory pay for it.

    python -m benchmarks.watching [--readers 500] [--turns 50]

The turns run twice, each time in a process of its own: alone, and with the readers. The readers are spread over the
sessions of the turns and read until the last response of theirs. Lost, doubled and out of order must be 0. An idle
reader is one that waits on a session in which nothing happens.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import aclosing
from typing import Any

from benchmarks.turn import AGENTS, QUESTION
from metaagent.level1.reasoner import RuleReasoner
from metaagent.runtime import MetaAgent

IDLE = 1_000
"""Readers whose memory is measured."""


Read = dict[tuple[str, int], float]
"""Events by turn and seq, with the moment at which they were read."""


async def _read(app: MetaAgent, session_id: str) -> tuple[list[tuple[str, int]], Read]:
    read: list[tuple[str, int]] = []
    moments: Read = {}
    async with aclosing(app.watch(session_id)) as events:
        async for event in events:
            read.append((event["turn_id"], event["seq"]))
            moments[read[-1]] = time.perf_counter()
            if event["type"] == "response" and event["cursor"].startswith("2."):
                break
    return read, moments


async def _ask(app: MetaAgent, session_id: str) -> Read:
    """The same events as the one who asks reads them."""
    stream = app.stream(QUESTION, session_id=session_id)
    return {(event["turn_id"], event["seq"]): time.perf_counter() async for event in stream}


def _faults(read: list[tuple[str, int]], stored: list[tuple[str, int]]) -> dict[str, int]:
    return {
        "lost": len({*stored} - {*read}),
        "doubled": len(read) - len({*read}),
        "out of order": sum(a != b for a, b in zip(read, stored, strict=False)),
    }


async def _stored(app: MetaAgent, session_id: str) -> list[tuple[str, int]]:
    turns = reversed(await app.turns(session_id))
    return [(turn.turn_id, event["seq"]) for turn in turns async for event in app.events(turn.turn_id)]


async def _idle_bytes(app: MetaAgent, session_id: str) -> float:
    """Resident memory of one reader who waits."""
    gc.collect()
    before = _resident()
    readers = [asyncio.create_task(_read(app, session_id)) for _ in range(IDLE)]
    for _ in range(20):
        await asyncio.sleep(0.01)
    after = _resident()
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    return (after - before) / IDLE


def _resident() -> int:
    with open("/proc/self/statm") as file:  # noqa: PTH123 - a line of the kernel's
        return int(file.read().split()[1]) * resource.getpagesize()


async def side(readers: int, turns: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with MetaAgent.open(
            {"data_dir": folder, "agents": {"allow": []}}, agents=AGENTS, reasoner=RuleReasoner()
        ) as app:
            sessions = [(await app.ask(QUESTION)).session_id for _ in range(turns)]
            reading = [asyncio.create_task(_read(app, sessions[place % turns])) for place in range(readers)]
            await asyncio.sleep(0.5)
            cpu, begun = time.process_time(), time.perf_counter()
            asked = await asyncio.gather(*(_ask(app, each) for each in sessions))
            seconds = time.perf_counter() - begun
            done = await asyncio.gather(*reading)
            cpu = time.process_time() - cpu
            read = [each for each, _ in done]
            by_asker = {place: moment for each in asked for place, moment in each.items()}
            late = [
                max(0.0, moment - by_asker[place])
                for _, moments in done
                for place, moment in moments.items()
                if place in by_asker
            ]
            stored = {each: await _stored(app, each) for each in sessions}
            faults = [_faults(one, stored[sessions[place % turns]]) for place, one in enumerate(read)]
            quiet = (await app.ask(QUESTION)).session_id
            return {
                "seconds": seconds,
                "cpu": cpu,
                "events": sum(map(len, read)),
                "faults": {name: sum(each[name] for each in faults) for name in _faults([], [])},
                "late": [statistics.median(late), statistics.quantiles(late, n=20)[-1]] if late else None,
                "idle_kilobytes": await _idle_bytes(app, quiet) / 1024 if readers else None,
            }


def _apart(readers: int, turns: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.watching", "--json"]
    given = ["--readers", str(readers), "--turns", str(turns)]
    done = subprocess.run([*command, *given], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="one side only, as JSON")
    given = parser.parse_args()
    if given.json:
        print(json.dumps(asyncio.run(side(given.readers, given.turns))))
        return
    alone, watched = _apart(0, given.turns), _apart(given.readers, given.turns)
    faults = ", ".join(f"{count} {name}" for name, count in watched["faults"].items())
    print(
        f"{given.readers} readers beside {given.turns} turns: {watched['events']} events read, {faults} (target 0)"
    )
    for name, ran in (("alone", alone), ("with readers", watched)):
        print(f"  turns {name:13} {ran['seconds']:6.2f} s, CPU {ran['cpu']:6.2f} s")
    per_event = 1e6 * (watched["cpu"] - alone["cpu"]) / watched["events"]
    p50, p95 = watched["late"]
    print(
        f"  an event read: {per_event:.0f} µs of CPU; after the one who asked p50 {1e3 * p50:.0f} ms, p95 {1e3 * p95:.0f} ms"
    )
    print(f"  an idle reader: {watched['idle_kilobytes']:.1f} kB")


if __name__ == "__main__":
    main()
