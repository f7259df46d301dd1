"""Programs that end themselves in the middle of an operation; each runs in a process of its own."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from metaagent.protection.keys.store import KeyFile
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.checkpoints.retention import StateCheckpointer
from metaagent.storage.sql_base import SqlBase
from tests.attacks.world import KIM, OFFICER, opened

KILLED = 137
WRITES: tuple[tuple[Any, str], ...] = (
    (KeyFile, "save"),
    (SqlAuditLog, "_commit"),
    (SqlBase, "_in_transaction"),
    (os, "replace"),
    (os, "unlink"),
    (shutil, "rmtree"),
)
"""Where a program writes: before each of them it may die."""


async def _erase(app: Any) -> None:
    await app.governance.erase("kim", user=OFFICER)


async def _hold(app: Any) -> None:
    await app.governance.hold_place("h1", reason="x", person="kim", user=OFFICER)


async def _rotate(app: Any) -> None:
    await app.governance.keys_rotate(user=OFFICER)


async def _release(app: Any) -> None:
    if not await app.governance.hold_list(user=OFFICER):
        await app.governance.hold_place("h2", reason="x", person="kim", user=OFFICER)
    await app.governance.hold_release("h2", reason="x", user=OFFICER)


async def _rewrap(app: Any) -> None:
    await app.governance.keys_rotate(user=OFFICER)
    await app.governance.keys_rewrap(user=OFFICER)


async def _forget(app: Any) -> None:
    for memory in await app.memories(user=KIM):
        await app.forget(memory["id"], user=KIM)


async def _delete(app: Any) -> None:
    for session in await app.sessions(user=KIM):
        await app.delete_session(session.session_id, user=KIM)


OPERATIONS: dict[str, Callable[[Any], Awaitable[None]]] = {
    "erase": _erase,
    "hold": _hold,
    "release": _release,
    "rotate": _rotate,
    "rewrap": _rewrap,
    "forget": _forget,
    "delete": _delete,
}


def die_at_write(folder: Path, operation: str, point: int) -> None:
    """Run the operation and end at its nth write; the exit code is 0 if there are fewer."""

    async def work() -> None:
        async with opened(folder) as app:
            writes = iter(range(1, 10_000))

            def counted(real: Any) -> Any:
                def instead(*args: Any, **kwargs: Any) -> Any:
                    if next(writes) == point:
                        os._exit(KILLED)
                    return real(*args, **kwargs)

                return instead

            for owner, name in WRITES:
                setattr(owner, name, counted(getattr(owner, name)))
            await OPERATIONS[operation](app)
            os._exit(0)

    asyncio.run(work())


def die_at_entry(folder: Path, event: str) -> None:
    """Erase a person and end where this entry would be written."""
    real = SqlAuditLog.append

    def append(self: SqlAuditLog, entry: Any) -> Any:
        if entry.event == event:
            os._exit(KILLED)
        return real(self, entry)

    async def work() -> None:
        SqlAuditLog.append = append  # pyright: ignore[reportAttributeAccessIssue]
        async with opened(folder) as app:
            await _erase(app)

    asyncio.run(work())


def die_while_deleting(folder: Path) -> None:
    """Delete a session and end before its checkpoints are deleted."""

    async def delete(self: Any, session_id: str) -> None:
        os._exit(KILLED)

    async def work() -> None:
        async with opened(folder) as app:
            session = (await app.ask("note x", user=KIM)).session_id
            StateCheckpointer.delete = delete
            await app.delete_session(session, user=KIM)

    asyncio.run(work())
