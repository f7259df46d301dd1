"""Calls on sessions: look into one, mark it, take its artifacts, go back, copy, export and delete."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from metaagent.access.rights import denied
from metaagent.errors import RowRefused, TurnRunning
from metaagent.global_state import GlobalSessionState
from metaagent.input_checks import admit_id
from metaagent.inspection.inspector import StateInspector
from metaagent.journal import decode_artifact
from metaagent.monitor import StateMonitor
from metaagent.ports import ArtifactRef, Json, SessionInfo, User
from metaagent.runtime.calls import CALLS
from metaagent.runtime.wiring import Wired
from metaagent.sessions.bundle import without_artifacts
from metaagent.sessions.downloads import Download, download_artifact
from metaagent.sessions.guard import unknown, without_memories
from metaagent.sessions.lifecycle import Pruned, refused_warning
from metaagent.sessions.session_reader import SessionReader
from metaagent.sessions.turn_input import first_input
from metaagent.sessions.turn_service import OnWaiting
from metaagent.state.manager import StateManager
from metaagent.storage.checkpoints.copying import Copied, copy_thread
from metaagent.storage.checkpoints.retention import CheckpointInfo
from metaagent.storage.checkpoints.serde import default_serde
from metaagent.storage.checkpoints.turn_saver import OwnedCheckpoints
from metaagent.storage.vault import acting_for
from metaagent.values import iso

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from metaagent.sessions.marking import SessionMarking


MOST_FORMS = 1_000
"""Newest artifacts of a session among which another form of a document is looked for."""


P = ParamSpec("P")
R = TypeVar("R")


def by_reader(
    call: Callable[Concatenate[SessionReader, P], Awaitable[R]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """The same call, made on the reader of an open installation."""

    @wraps(call)
    async def made(self: SessionCalls, *args: P.args, **options: P.kwargs) -> R:
        return await call(self.reader, *args, **options)

    return made


class SessionCalls(Wired):
    """Each call names the operation that it needs, and hands over to who does it."""

    async def state(self, session_id: str, *, user: User | None = None) -> GlobalSessionState:
        """The session's state at its newest sound checkpoint; a warning in it says if that is not the newest."""
        who = user or User()
        info = await self._guard.session(session_id, who, CALLS["state"])
        found = await self._newest_state(info, who)
        remembers = self._gatekeeper.rights(who).may("memory.read")
        return found if remembers and self._guard.is_owner(info, who) else without_memories(found)

    async def _newest_state(self, info: SessionInfo, user: User) -> GlobalSessionState:
        session_id = info.session_id
        await self._settle_pending(session_id)
        turn = await self._store.last_turn(session_id)
        owner = turn.user if turn else user
        with acting_for(owner):
            try:
                snapshot = await self._graph.aget_state({"configurable": {"thread_id": session_id}})
            except RowRefused as error:
                return await self._sound_state(session_id, error)
        begun = StateManager().create_session_state(session_id, owner.user_id, info.company_id)
        return cast("GlobalSessionState", {**begun, **snapshot.values})

    sessions = by_reader(SessionReader.sessions)
    session = by_reader(SessionReader.session)
    turns = by_reader(SessionReader.turns)
    history = by_reader(SessionReader.history)
    search_history = by_reader(SessionReader.search_history)
    search_sessions = by_reader(SessionReader.search_sessions)

    async def inspect(self, session_id: str, *, user: User | None = None) -> StateInspector:
        """Snapshots, field histories, differences and pictures of the session's turns; of one's own, for they hold memories."""
        await self._guard.session(session_id, user or User(), CALLS["inspect"], shares=False)
        turn = await self._store.last_turn(session_id)
        checkpoints = OwnedCheckpoints(self._checkpointer, turn.user if turn else user or User())
        return StateInspector(
            session_id,
            self._store,
            checkpoints,
            StateMonitor(default_serde()),
            lambda turn, fresh: first_input(turn, fresh=fresh),
        )

    async def rename_session(self, session_id: str, title: str, *, user: User | None = None) -> SessionInfo:
        """Give a session another title."""
        return await self._marking.rename(session_id, title, user or User())

    async def pin_session(self, session_id: str, *, pinned: bool = True, user: User | None = None) -> None:
        """Keep a session on top of the person's list, or no longer."""
        await self._marking.pin(session_id, user or User(), pinned=pinned)

    async def pinned_sessions(self, *, user: User | None = None) -> list[SessionInfo]:
        """Sessions that the person pinned, the last pinned first."""
        return await self._marking.pinned(user or User())

    async def share_session(
        self, session_id: str, person: str | None = None, *, user: User | None = None
    ) -> list[Json]:
        """Let a colleague, or everybody of the company, read a session; who may then. They need the right to read their own,
        and no smaller rights to data than whoever shares it."""
        return await self._marking.share(session_id, person, user or User())

    async def unshare_session(
        self, session_id: str, person: str | None = None, *, user: User | None = None
    ) -> list[Json]:
        """End what `share_session` began for this colleague, or for everybody; who may still read it."""
        return await self._marking.unshare(session_id, person, user or User())

    async def session_shares(self, session_id: str, *, user: User | None = None) -> list[Json]:
        """People who may read a session: `person`, null for everybody of the company."""
        return await self._marking.shares(session_id, user or User())

    async def shared_sessions(self, *, limit: int = 100, user: User | None = None) -> list[SessionInfo]:
        """Sessions of colleagues that the person may read, the last shared first."""
        return await self._marking.shared_with(user or User(), limit)

    @property
    def _marking(self) -> SessionMarking:
        from metaagent.sessions.marking import SessionMarking

        knows = self._parts.vault.ring.knows_person
        return SessionMarking(self._store, self._guard, self.reader, self._clock, knows)

    async def artifact(self, session_id: str, artifact_id: str, *, user: User | None = None) -> Any:
        """The content of an artifact: plain data, or the bytes of a file."""
        ref = await self.artifact_ref(session_id, artifact_id, user=user)
        content = await self._store.artifact(session_id, ref.id)
        if content is None:
            raise unknown(f"{session_id}/{artifact_id}")
        return decode_artifact(content)

    async def artifact_file(
        self, session_id: str, artifact_id: str, *, form: str | None = None, user: User | None = None
    ) -> Download:
        """An artifact as a file: name, media type, size, and its bytes in pieces or in a range, of any size. What is no file
        is its JSON; with `form`, it is the same document in that format."""
        ref = await self.artifact_ref(session_id, artifact_id, form=form, user=user)
        return await download_artifact(self._store, session_id, ref)

    async def artifact_ref(
        self, session_id: str, artifact_id: str, *, user: User | None = None, form: str | None = None
    ) -> ArtifactRef:
        """An artifact's kind, name, media type and group; with `form`, those of the same document in that format."""
        who = user or User()
        await self._guard.session(session_id, who, CALLS["artifact_ref"])
        ref = await self._store.artifact_ref(session_id, admit_id(artifact_id, "artifact"))
        if ref is not None and not self._gatekeeper.rights(who).sees(ref.kind):
            told = {"reason": "kind", "what": f"artifact:{ref.kind}"}
            await self._gatekeeper.refused(who, CALLS["artifact_ref"], **told)
            raise denied(f"artifact:{ref.kind}", who.roles)
        if ref is None:
            raise unknown(f"{session_id}/{artifact_id}")
        if form is None or ref.group is None or ref.group.format == form:
            return ref
        wanted = replace(ref.group, format=admit_id(form, "format"))
        forms = await self._store.artifact_refs(session_id, limit=MOST_FORMS)
        found = next((each for each in forms if each.group == wanted), None)
        return ref if found is None else await self.artifact_ref(session_id, found.id, user=user)

    async def record_export(
        self, session_id: str, artifact_id: str, form: str, content: bytes | str, *, user: User | None = None
    ) -> None:
        """An artifact leaves as a file: the trail can tell by the file's hash where it came from. `content` is the file, or
        its SHA-256 in hexadecimal digits."""
        who = user or User()
        await self._guard.session(session_id, who, CALLS["record_export"])
        digest = content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
        told = {
            "artifact": admit_id(artifact_id, "artifact"),
            "format": admit_id(form, "format"),
            "file_hash": self._store.keyed_hash(who.company_id, digest.encode()),
        }
        await self._gatekeeper.note(who, "artifact.exported", told, session=session_id)

    async def checkpoints(self, session_id: str, *, user: User | None = None) -> list[CheckpointInfo]:
        """List where `restore` and `fork` can go to, the newest first."""
        await self._guard.session(session_id, user or User(), CALLS["checkpoints"])
        return await self._lifecycle.checkpoints(session_id)

    async def save_checkpoint(self, session_id: str, name: str, *, user: User | None = None) -> str:
        """Give the session's present checkpoint a name, which keeps it until the session is deleted."""
        async with self._held(session_id, user or User(), CALLS["save_checkpoint"]):
            return await self._checkpointer.save(session_id, name)

    async def restore(
        self,
        session_id: str,
        *,
        turn: int | None = None,
        name: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
    ) -> int:
        """Go back to the end of a turn. Later turns stay in the history, marked as undone; how many were."""
        who = user or User()
        async with self._held(session_id, who, CALLS["restore"]) as (_, owner):
            place = await self._lifecycle.restore_point(session_id, owner, turn, name)
            await self._turn_service.drop_last(session_id, on_waiting)
            return await self._lifecycle.restore(session_id, who, place)

    async def fork(
        self, session_id: str, *, turn: int | None = None, name: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """A new session that continues from the end of a turn of this one."""
        who = user or User()
        async with self._held(session_id, who, CALLS["fork"]) as (info, owner):
            place = await self._lifecycle.restore_point(session_id, owner, turn, name)
            return await self._lifecycle.fork(info, who, place)

    async def export_session(
        self,
        session_id: str,
        *,
        full: bool = False,
        passphrase: str | None = None,
        user: User | None = None,
    ) -> bytes:
        """The session with its turns, events, artifacts and newest state as an archive: without personal data, or
        `full`, which a passphrase seals."""
        who = user or User()
        sees = self._gatekeeper.rights(who).sees
        async with self._held(session_id, who, CALLS["export_session"]) as (info, owner):
            bundle = without_artifacts(await self._lifecycle.current_bundle(info, owner), sees)
            return await self._lifecycle.export(bundle, who, full=full, passphrase=passphrase)

    async def copy_thread(
        self,
        session_id: str,
        target: BaseCheckpointSaver[Any],
        *,
        as_thread: str | None = None,
        user: User | None = None,
    ) -> Copied:
        """Copy the checkpoints of a session into any LangGraph saver. What is sealed here is there as that saver writes it."""
        who = user or User()
        async with self._held(session_id, who, CALLS["copy_thread"]) as (_, owner):
            with acting_for(owner):
                return await copy_thread(self._parts.saver, target, session_id, as_thread=as_thread)

    async def import_session(
        self, archive: bytes, *, passphrase: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """An exported session as a new one of this person. A damaged or hostile archive changes nothing."""
        return await self._lifecycle.import_archive(
            archive, await self._guard.admitted(CALLS["import_session"], user), passphrase
        )

    async def prune_session(self, session_id: str, *, user: User | None = None) -> Pruned:
        """Checkpoints beyond the retention, and artifacts that nothing kept refers to."""
        who = user or User()
        async with self._held(session_id, who, CALLS["prune_session"]) as (info, owner):
            await self._lifecycle.holds.refuse_owner(info.company_id, info.owner)
            return await self._lifecycle.prune(session_id, owner)

    async def delete_session(self, session_id: str, *, user: User | None = None) -> dict[str, int]:
        """Everything that belongs to the session, in every store; what was removed, by kind."""
        who = user or User()
        async with self._held(session_id, who, CALLS["delete_session"], unread=True) as (info, _):
            removed = await self._lifecycle.delete(info, who)
        await self._feeds.look(session_id)
        return removed

    @asynccontextmanager
    async def _held(
        self, session_id: str, user: User, operation: str, *, unread: bool = False
    ) -> AsyncGenerator[tuple[SessionInfo, User]]:
        """The session and whose it is, with nobody else at work on it; never one that is shared with the person, who would
        keep its owner from it and copy what a share leaves out. `unread` looks at nothing that may be damaged."""
        await self._guard.session(session_id, user, operation, unread=unread, shares=False)
        with self._parts.claimed(session_id):
            await self._lifecycle.settle(session_id)
            last = None if unread else await self._store.last_turn(session_id)
            yield (
                await self._guard.session(session_id, user, operation, unread=unread),
                last.user if last else user,
            )

    async def _settle_pending(self, session_id: str) -> None:
        """Finish what a killed process left to do. Whoever works on the session has done it already."""
        if await self._store.pending(session_id) is None:
            return
        with suppress(TurnRunning), self._parts.claimed(session_id):
            await self._lifecycle.settle(session_id)

    async def _sound_state(self, session_id: str, error: RowRefused) -> GlobalSessionState:
        found = await self._checkpointer.look(session_id)
        warning = refused_warning(error, found.warnings, iso(self._clock.now()))
        values = found.saved.checkpoint["channel_values"]
        return cast("GlobalSessionState", {**values, "warnings": [*values.get("warnings", ()), warning]})
