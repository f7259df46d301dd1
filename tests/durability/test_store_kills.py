"""Storing and undoing survive kills: nothing lost, nothing doubled, receipts hold."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import exit_code, processes
from tests.support.store_kills import MOMENTS, opened, problems, run, work_in_child


def finish(folder: Path, count: int) -> list[str]:
    assert exit_code(run, folder, count) == 0
    return asyncio.run(problems(folder, count))


@pytest.mark.parametrize("moment", MOMENTS)
def test_kill_at_each_moment_loses_and_doubles_nothing(tmp_path: Path, moment: str):
    opened(tmp_path)
    assert exit_code(run, tmp_path, 3, moment) == -signal.SIGKILL
    world = opened(tmp_path)
    receipts = {receipt for receipt, status in world.receipts() if status != "undone"}
    assert len([row for row in world.visits() if row[0] >= 100]) == len(
        [r for r, s in world.receipts() if s in ("committed", "stored")]
    )
    assert len(receipts) <= 3
    assert finish(tmp_path, 3) == []


def told(hears: Any) -> Iterator[int]:
    """The numbers that a child that ended had still said."""
    try:
        while hears.poll():
            yield hears.recv()
    except EOFError:
        hears.close()


@pytest.mark.soak
def test_two_hundred_kills_around_storing_and_undoing(tmp_path: Path):
    """Each child goes on two keys before the last that was done, and is killed within its next six."""
    opened(tmp_path)
    chance, count, killed, done = random.Random(7), 2_000, 0, -1
    while killed < 200:
        hears, tells = processes.Pipe(duplex=False)
        arguments = (str(tmp_path), count, max(0, done - 1), tells)
        child = processes.Process(target=work_in_child, args=arguments)
        child.start()
        tells.close()
        for _ in range(chance.randrange(0, 6)):
            assert hears.poll(60), "the child stopped by itself"
            done = max(done, hears.recv())
        # Somewhere within the next storing or undoing: the wait ends at once when a key is done.
        hears.poll(chance.random() * 0.05)
        child.kill()
        child.join(60)
        killed += child.exitcode == -signal.SIGKILL
        done = max([done, *told(hears)])
    assert finish(tmp_path, done + 3) == []
