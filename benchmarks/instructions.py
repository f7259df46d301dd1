"""Instructions of a whole turn, which a loaded machine does not change: the turn of `benchmarks.turn` under valgrind.

    python -m benchmarks.instructions [--few 10] [--many 50]

Each side runs twice, with few turns and with many; the difference belongs to the turns alone, without imports,
opening and warming up. Valgrind is fifty times as slow as the machine, and timers would go off within a turn that never
do otherwise: so the time of the loop goes on with its rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import selectors
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.turn import ON_OURS, OURS, TARGET, running

SIDES = {"ours": OURS, "plain": ON_OURS}
ROUND = 0.0002
"""Seconds that a look at the clock takes: a turn takes about 20 ms, as it does on a quiet machine."""
PATIENCE = 400
"""A wait for a thread may take so many times as long before the loop looks up."""


class SteadyLoop(asyncio.SelectorEventLoop):
    """A loop whose time is counted in rounds."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_Patient())

    def time(self) -> float:
        self._passed += ROUND
        return self._passed


class _Patient(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(None if timeout is None else timeout * PATIENCE)


async def _run(side: str, turns: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as sides:
            for number in range(turns):
                await sides[SIDES[side]](number)


def counted(side: str, turns: int) -> int:
    """Instructions of a process that takes so many turns."""
    command = [sys.executable, "-m", "benchmarks.instructions", "--side", side, "--turns", str(turns)]
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(
        [*valgrind, *command],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"The counted run failed:\n{done.stderr[-2000:]}")
    return int(found[1].replace(",", ""))


def per_turn(side: str, few: int, many: int) -> float:
    """Millions of instructions per turn."""
    return (counted(side, many) - counted(side, few)) / (many - few) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--few", type=int, default=10)
    parser.add_argument("--many", type=int, default=50)
    parser.add_argument("--side", choices=[*SIDES], help="take the turns of one side here, without counting")
    parser.add_argument("--turns", type=int, default=10, help="how many of them")
    given = parser.parse_args()
    if given.side:
        with asyncio.Runner(loop_factory=SteadyLoop) as runner:
            runner.run(_run(given.side, given.turns))
        return
    if shutil.which("valgrind") is None:
        print("skipped: instructions are counted by valgrind, which is not installed")
        return
    cost = {side: per_turn(side, given.few, given.many) for side in SIDES}
    for side, millions in cost.items():
        print(f"{SIDES[side]:44} {millions:6.2f} M instructions per turn")
    print(f"ratio {cost['ours'] / cost['plain']:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
