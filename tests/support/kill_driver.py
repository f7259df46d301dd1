"""Runs one operation on copies of a checkpoint database, each time in a child that SIGKILLs itself before
another statement. Prints the digests of the untouched and the finished file and, per kill, of what is left.

    python -m tests.support.kill_driver OPERATION DATABASE FOLDER
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from metaagent.storage.checkpoints.retention import Retention, StateCheckpointer
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

MOST_KILLS = 24


async def _operate(operation: str, path: Path, kill_at: int) -> int:
    async with SqliteCheckpointSaver.open(path) as saver:
        checkpointer = StateCheckpointer(saver, Retention(newest=2, turn_ends=1))
        seen = 0

        def count(_statement: str) -> None:
            nonlocal seen
            seen += 1
            if seen == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

        saver.writer.call(lambda connection: connection.set_trace_callback(count), writes=False)
        work: dict[str, Any] = {
            "prune": lambda: checkpointer.prune("s"),
            "end_turn": lambda: checkpointer.mark_turn_end("s", 4),
            "fork": lambda: checkpointer.fork("s", "forked", at=2),
            "copy": lambda: checkpointer.copy("s", "copied"),
            "delete": lambda: checkpointer.delete("s"),
            "restore": lambda: checkpointer.restore("s", turn=1),
        }
        await work[operation]()
        return seen


def digest(path: Path) -> str:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    tables = ("checkpoints", "blobs", "writes", "turn_ends", "names", "heads")
    rows = [sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall())) for table in tables]
    connection.close()
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _attempt(operation: str, source: Path, folder: Path, kill_at: int) -> Path:
    path = folder / f"{operation}-{kill_at}.db"
    shutil.copy(source, path)
    child = os.fork()
    if child == 0:
        seen = asyncio.run(_operate(operation, path, kill_at))
        (folder / "tally").write_text(str(seen))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    expected = 0 if kill_at == 0 else signal.SIGKILL
    assert (os.waitstatus_to_exitcode(status) == 0) == (expected == 0), (kill_at, status)
    return path


def main(operation: str, source: Path, folder: Path) -> None:
    finished = digest(_attempt(operation, source, folder, 0))
    statements = int((folder / "tally").read_text())
    stride = max(1, statements // MOST_KILLS)
    points = sorted({*range(1, statements + 1, stride), *range(max(1, statements - 8), statements + 1)})
    left = {point: digest(_attempt(operation, source, folder, point)) for point in points}
    sys.stdout.write(json.dumps({"old": digest(source), "new": finished, "left": left}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
