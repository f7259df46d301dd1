"""The moment at which a step's outcome is really in the checkpoint.

LangGraph hands a task's result on while it is still being written. Whoever says that a step is done must wait for
the write, or a crash in between would make a step that was called finished run again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from metaagent.values import iso

JOINED = "joined"
"""The part of a checkpoint's metadata that names the nodes whose work it holds beside that of the last one."""


START = "start"
"""Named as the node that a turn's first state comes from: the question has come in."""
STEP = "57e90000-0000-5000-8000-"
"""Begins the task id under which the outcome of a step is stored: a UUID, as some savers need it."""


def task_of(step_id: str) -> str:
    return STEP + hashlib.blake2b(step_id.encode(), digest_size=6).hexdigest()


class Found(NamedTuple):
    """Leftovers of a crash or a wait beside a checkpoint: the outcomes of steps, and whether tasks of LangGraph wrote, too."""

    outcomes: dict[str, Any]
    of_tasks: bool


class StepWrites:
    """A record of each write: the saver fills it, turns ask it. `store` writes an outcome to the file."""

    def __init__(self, store: Callable[[str, str, Any], Awaitable[None]]) -> None:
        self.store = store
        self._found: dict[str, Found] = {}
        self._expected: dict[tuple[str, str], asyncio.Future[Exception | None]] = {}
        self._joined: dict[str, list[dict[str, Any]]] = {}

    def of(self, session_id: str) -> SessionWrites:
        return SessionWrites(self, session_id)

    def expect(self, session_id: str, step_id: str) -> None:
        self._expected[session_id, step_id] = asyncio.get_running_loop().create_future()

    async def stored(self, session_id: str, step_id: str) -> None:
        """Returns at once if nothing is expected: the outcome came from the checkpoint."""
        expected = self._expected.get((session_id, step_id))
        if expected is not None and (error := await expected) is not None:
            raise error

    def forget(self, session_id: str, step_id: str) -> None:
        self._expected.pop((session_id, step_id), None)

    def found(self, session_id: str) -> Found | None:
        return self._found.get(session_id)

    def find(self, session_id: str, pending: Sequence[tuple[str, str, Any]]) -> None:
        """Take in what is stored beside the checkpoint at which a turn goes on."""
        of_steps = [write for write in pending if write[0].startswith(STEP)]
        others = any(not task.startswith(STEP) for task, _, _ in pending)
        self._found[session_id] = Found({value["step_id"]: value for _, _, value in of_steps}, others)

    def keep(self, session_id: str, step_id: str, outcome: Any) -> None:
        """An outcome is in the file."""
        found = self._found.setdefault(session_id, Found({}, of_tasks=False))
        found.outcomes[step_id] = outcome

    def leave(self, session_id: str) -> None:
        """The turn stands at another checkpoint now."""
        self._found.pop(session_id, None)

    def join(self, session_id: str, node: dict[str, Any]) -> None:
        self._joined.setdefault(session_id, []).append(node)

    def take_joined(self, session_id: str) -> list[dict[str, Any]]:
        """The nodes that did their work within the superstep whose checkpoint comes now."""
        return self._joined.pop(session_id, [])

    def note(self, session_id: str, values: Iterable[object], error: Exception | None = None) -> None:
        for value in values:
            step_id = cast("Mapping[str, Any]", value).get("step_id") if isinstance(value, Mapping) else None
            expected = self._expected.get((session_id, str(step_id)))
            if expected is not None and not expected.done():
                expected.set_result(error)


@dataclass(frozen=True)
class SessionWrites:
    writes: StepWrites
    session_id: str

    def kept(self, step_id: str) -> Any:
        found = self.writes.found(self.session_id)
        return found.outcomes.get(step_id) if found else None

    async def store(self, step_id: str, outcome: Any) -> None:
        await self.writes.store(self.session_id, step_id, outcome)

    def waits(self) -> bool:
        found = self.writes.found(self.session_id)
        return found is not None and found.of_tasks

    def expect(self, step_id: str) -> None:
        self.writes.expect(self.session_id, step_id)

    async def stored(self, step_id: str) -> None:
        await self.writes.stored(self.session_id, step_id)

    def forget(self, step_id: str) -> None:
        self.writes.forget(self.session_id, step_id)

    def joined(self, node: str, followed_by: str, phase: str, fields: Sequence[str]) -> None:
        at = iso(datetime.now(UTC))  # as LangGraph dates checkpoints
        made = {"node": node, "followed_by": followed_by, "phase": phase, "at": at, "fields": list(fields)}
        self.writes.join(self.session_id, made)
