"""Storing and undoing survive kills: nothing lost, nothing doubled, receipts hold."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.store_kills import MOMENTS, opened, problems


def start(folder: Path, count: int, *moment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.store_kills", str(folder), str(count), *moment]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def finish(folder: Path, count: int) -> list[str]:
    child = start(folder, count)
    child.communicate(timeout=240)
    assert child.returncode == 0
    return asyncio.run(problems(folder, count))


@pytest.mark.parametrize("moment", MOMENTS)
def test_kill_at_each_moment_loses_and_doubles_nothing(tmp_path: Path, moment: str):
    opened(tmp_path)
    child = start(tmp_path, 3, moment)
    child.communicate(timeout=240)
    assert child.returncode == -signal.SIGKILL
    world = opened(tmp_path)
    receipts = {receipt for receipt, status in world.receipts() if status != "undone"}
    assert len([row for row in world.visits() if row[0] >= 100]) == len(
        [r for r, s in world.receipts() if s in ("committed", "stored")]
    )
    assert len(receipts) <= 3
    assert finish(tmp_path, 3) == []


@pytest.mark.soak
def test_two_hundred_kills_around_storing_and_undoing(tmp_path: Path):
    opened(tmp_path)
    chance, count, killed = random.Random(7), 400, 0
    while killed < 200:
        child = start(tmp_path, count)
        assert child.stdout is not None
        for _ in range(chance.randrange(1, 40)):
            child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=240)
        killed += child.returncode == -signal.SIGKILL
    assert finish(tmp_path, count) == []
