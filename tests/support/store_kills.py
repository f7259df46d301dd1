"""Run in a process of its own: things are stored and undone by fixed keys, until the process is killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from metaagent.errors import StoreRefused
from metaagent.ports import Json, Match
from metaagent.storage.records.ledger import Ledger
from metaagent.storage.records.record_store import RecordStore
from metaagent.storage.records.rows import RowWriter
from tests.support.record_world import KIM, MODEL, RecordWorld, rows

MOMENTS: dict[str, tuple[type, str, bool] | tuple[type, str, bool, str]] = {
    "files written": (RecordStore, "_written", True),
    "rows written": (RowWriter, "write", False),
    "receipt written": (Ledger, "add", False),
    "committed": (RecordStore, "_commit", False),
    "finished": (RecordStore, "_finish", True),
    "marked": (RecordStore, "_mark", False),
    "marked as undone": (RecordStore, "_mark", False, "undone"),
    "rows undone": (RowWriter, "undo", False),
    "undo committed": (RecordStore, "_undo", False),
    "files removed": (RecordStore, "_remove_unused", True),
}
"""The moment at which the process is killed: after this method, the first time that it is called, or called with that value."""


class FileIndex:
    """Texts in one file, written whole."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def texts(self) -> dict[str, str]:
        return json.loads(self._path.read_text()) if self._path.exists() else {}

    async def add(self, texts: Mapping[str, str], metadata: Mapping[str, Json] | None = None) -> None:
        self._write({**self.texts(), **texts})

    async def search(self, text: str, *, limit: int = 10) -> list[Match]:
        return [Match(key, known, 1.0) for key, known in self.texts().items() if text in known]

    async def remove(self, ids: Sequence[str]) -> None:
        self._write({key: text for key, text in self.texts().items() if key not in ids})

    def _write(self, texts: Mapping[str, str]) -> None:
        beside = self._path.with_suffix(".part")
        beside.write_text(json.dumps(dict(texts)))
        beside.replace(self._path)


def opened(folder: Path) -> RecordWorld:
    return RecordWorld(folder, vectors=FileIndex(folder / "index.json"))


def batch(number: int) -> Json:
    return {
        **rows(
            [100 + number, "2026-02-01", 1, number, f"n{number}"], [1, "2026-01-05", 1, number + 1, "first"]
        ),
        "files": [{"name": "r.txt", "media_type": "text/plain", "content": f"report {number}".encode()}],
        "texts": [{"id": "1", "text": f"text {number}", "metadata": {}}],
    }


def is_undone(number: int) -> bool:
    """The last of three is undone: what the one before wrote is there again."""
    return number % 3 == 2


async def work(folder: Path, count: int, first: int = 0, tell: Callable[[int], None] | None = None) -> None:
    """Store and undo what is asked for by the keys from `first` on; `tell` hears of each number that is done."""
    world = opened(folder)
    for number in range(first, count):
        receipt = (await world.port().store(f"k{number}", batch(number)))["receipt"]
        if is_undone(number):
            try:
                await world.undo(receipt)
            except StoreRefused as refused:
                if "nothing left to undo" not in str(refused):
                    raise
        if tell is not None:
            tell(number)


def work_in_child(folder: str, count: int, first: int, done: Connection) -> None:
    """Do the work in a process that is killed; its parent reads from `done` how far it came."""
    asyncio.run(work(Path(folder), count, first, done.send))


async def problems(folder: Path, count: int) -> list[str]:
    """Lists what is lost, doubled or unproven once everything has been asked for again."""
    world = opened(folder)
    await world.store.settle()
    kept = [number for number in range(count) if not is_undone(number)]
    found: list[str] = []
    ids = [row[0] for row in world.visits() if row[0] >= 100]
    if ids != [100 + number for number in kept]:
        found.append(f"rows {ids}")
    receipts = await world.store.listed(KIM)
    status = {receipt["key"]: receipt["status"] for receipt in receipts}
    if status != {f"k{n}": "undone" if is_undone(n) else "stored" for n in range(count)}:
        found.append(f"receipts {status}")
    if sorted(FileIndex(folder / "index.json").texts().values()) != sorted(
        f"text {number}" for number in kept
    ):
        found.append("texts")
    if len(world.files()) != len(kept):
        found.append(f"files {len(world.files())}")
    for receipt in receipts:
        shown = await world.store.shown(KIM, MODEL, await world.store.found(KIM, receipt["receipt"]))
        if receipt["status"] == "stored" and not all(file["intact"] for file in shown["files"]):
            found.append(f"file of {receipt['key']}")
    return found


def kill_after(moment: str) -> None:
    owner, name, is_async, *wanted = MOMENTS[moment]
    method: Callable[..., Any] = getattr(owner, name)

    def plain(*args: Any, **kwargs: Any) -> Any:
        made = method(*args, **kwargs)
        if wanted and args[-1] not in wanted:
            return made
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    async def awaited(*args: Any, **kwargs: Any) -> Any:
        await method(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, awaited if is_async else plain)


def run(folder: Path, count: int, moment: str = "") -> None:
    """Do the work in a process of its own, which is killed at the moment."""
    if moment:
        kill_after(moment)
    asyncio.run(work(folder, count))
