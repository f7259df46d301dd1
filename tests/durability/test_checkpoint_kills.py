"""Kills during the operations on a session's checkpoints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from metaagent.storage.checkpoints.retention import (
    Retention,
    StateCheckpointer,
)
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from tests.support.checkpoints import (
    run_python,
    take_turns,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("operation", ["prune", "end_turn", "fork", "copy", "delete", "restore"])
async def test_a_kill_leaves_the_old_or_the_new_and_never_half(tmp_path: Path, operation: str):
    source = tmp_path / "source.db"
    async with SqliteCheckpointSaver.open(source) as saver:
        checkpointer = StateCheckpointer(saver, Retention(newest=4, turn_ends=5))
        await take_turns(saver, checkpointer, 1, 3)
        await checkpointer.save("s", "named")
    found = json.loads(
        await run_python("-m", "tests.support.kill_driver", operation, str(source), str(tmp_path))
    )
    assert found["old"] != found["new"]
    assert set(found["left"].values()) <= {found["old"], found["new"]}
    assert len(found["left"]) >= 5
