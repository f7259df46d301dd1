"""The cost of a session's checkpoints does not grow with its turns."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from metaagent.storage.checkpoints.retention import (
    Retention,
    StateCheckpointer,
)
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from tests.support.checkpoints import (
    at,
    put,
    size_of,
    take_turns,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


@pytest.fixture
async def saver(tmp_path: Path) -> AsyncGenerator[SqliteCheckpointSaver]:
    async with SqliteCheckpointSaver.open(tmp_path / "checkpoints.db") as opened:
        yield opened


async def test_restoring_costs_the_same_after_many_turns(saver: SqliteCheckpointSaver):
    checkpointer = StateCheckpointer(saver, Retention(newest=2, turn_ends=10_000))
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    async def cost(turn: int) -> int:
        nonlocal steps
        steps = 0
        await checkpointer.restore("s", turn=turn)
        return steps

    few = 0
    config = at("s")
    for turn in range(1, 301):
        config = await put(saver, config, {"a": turn}, {"a": turn})
        await saver.end_turn("s", turn, checkpointer.retention)
        if turn == 10:
            saver.writer.call(lambda c: c.set_progress_handler(count, 1), writes=False)
            few = await cost(5)
            await checkpointer.restore("s", turn=10)
            saver.writer.call(lambda c: c.set_progress_handler(None, 1), writes=False)
    saver.writer.call(lambda c: c.set_progress_handler(count, 1), writes=False)
    assert await cost(150) <= few * 1.2


@pytest.mark.soak
async def test_turns_stay_small_and_quick_for_400_turns(tmp_path: Path):
    async with SqliteCheckpointSaver.open(tmp_path / "checkpoints.db") as saver:
        checkpointer = StateCheckpointer(saver)
        cpu: list[float] = []
        for turn in range(1, 401):
            start = time.process_time()
            await take_turns(saver, checkpointer, turn, turn)
            cpu.append(time.process_time() - start)
    assert size_of(tmp_path) < 2_000_000
    assert sum(cpu[390:]) < 2 * sum(cpu[10:20])
