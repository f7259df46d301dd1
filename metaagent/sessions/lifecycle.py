"""Operations on a whole session between its turns: restore, fork, export, import, prune, delete, migrate.

A session lives in two databases. Each change here is committed in one of them, the store; what the checkpoints must
do to follow is noted there before or with it, and settled by whoever comes next if this process dies in between. So
a session is as it was or as it should be, never half.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import orjson
from langgraph.checkpoint.base import CheckpointTuple

from metaagent.audit import AuditEvent
from metaagent.errors import (
    InputRefused,
    KeyUnavailable,
    RowRefused,
    SessionError,
    StorageError,
    Text,
    TurnRunning,
)
from metaagent.graph import NODES
from metaagent.ports import ENDED, Json, SessionInfo, Turn, User
from metaagent.protection.redaction import Redactor
from metaagent.security import StateSecurityManager
from metaagent.sessions.assembly import Parts
from metaagent.sessions.bundle import (
    Bundle,
    Piece,
    live_state,
    plain_state,
    readdressed,
    redacted,
    referenced,
)
from metaagent.sessions.turn import SessionGraph
from metaagent.state.migrations import STATES
from metaagent.storage.checkpoints.retention import CheckpointInfo
from metaagent.storage.session_store import AT, DELETE, line_of
from metaagent.storage.vault import acting_for
from metaagent.values import iso

ALL = 1_000_000
LAST = NODES["completed"]

_NO_TURN = Text(
    en="Session {session_id} cannot go to turn {turn}: no checkpoint of it is kept. "
    "`metaagent sessions checkpoints {session_id}` shows what is.",
    ko="세션 {session_id}은(는) {turn}번 턴으로 갈 수 없습니다. 남아 있는 체크포인트는 "
    "`metaagent sessions checkpoints {session_id}`로 확인하세요.",
)
_NO_NAME = Text(
    en="Session {session_id} cannot go to {name!r}: no checkpoint has that name. "
    "`metaagent sessions checkpoints {session_id}` shows what is kept.",
    ko="세션 {session_id}에는 {name!r}(이)라는 체크포인트가 없습니다. 남아 있는 체크포인트는 "
    "`metaagent sessions checkpoints {session_id}`로 확인하세요.",
)
_WHICH = Text(
    en="Name a turn or a checkpoint's name, one of them.",
    ko="턴 번호와 체크포인트 이름 중 하나만 지정하세요.",
)
_ONLY_FULL = Text(
    en="A passphrase is for a full export: add --full, or leave the passphrase out.",
    ko="암호는 전체 내보내기에만 씁니다. --full을 더하거나 암호를 빼세요.",
)
_NOTHING = Text(
    en="Session {session_id} has no finished turn yet: there is nothing to take along.",
    ko="세션 {session_id}에는 아직 끝난 턴이 없어 가져갈 것이 없습니다.",
)
_LEFT_OVER = Text(
    en="Deleting session {session_id} left rows behind: {left}. Delete it again.",
    ko="세션 {session_id}을(를) 삭제했지만 남은 행이 있습니다: {left}. 다시 삭제하세요.",
)


class RestorePoint(NamedTuple):
    """A checkpoint to go to, the turn at whose end it stands, and the state there."""

    number: int
    checkpoint_id: str
    values: Json


@dataclass(frozen=True)
class Pruned:
    checkpoints: int
    artifacts: int


@dataclass(frozen=True)
class Migrated:
    sessions: int
    refused: tuple[str, ...]
    """Sessions whose state cannot be read, each with the reason."""


class SessionLifecycle:
    def __init__(self, parts: Parts, graph: SessionGraph) -> None:
        self.store = parts.store
        self.checkpointer = parts.checkpointer
        self.holds = parts.holds
        self._parts = parts
        self._graph: Any = graph

    # --- going back, going elsewhere ----------------------------------------------------------------------

    async def checkpoints(self, session_id: str) -> list[CheckpointInfo]:
        """List where the session can go back to: the ends of turns and what was given a name, the newest first."""
        kept = await self.checkpointer.list(session_id)
        return [info for info in kept if info.turn is not None or info.names]

    async def restore_point(
        self, session_id: str, user: User, turn: int | None, name: str | None
    ) -> RestorePoint:
        """The end of that turn or what has that name; refused if it is not kept or cannot be read."""
        if (turn is None) == (name is None):
            raise InputRefused(_WHICH)
        kept = await self.checkpointer.list(session_id)
        meant = [info for info in kept if (info.turn == turn if name is None else name in info.names)]
        with acting_for(user):
            found = await self.checkpointer.load(session_id, meant[0].checkpoint_id) if meant else None
        if found is None:
            missing = _NO_TURN if name is None else _NO_NAME
            raise SessionError(missing, session_id=session_id, turn=turn, name=name)
        state, number = self._state_of(found), meant[0].turn
        if not number:
            made = await self.store.turn(state["turn_id"])
            number = made.number if made is not None else 0
        return RestorePoint(number, meant[0].checkpoint_id, state)

    async def restore(self, session_id: str, user: User, place: RestorePoint) -> int:
        """Point the session there; how many turns more are now marked as undone. The caller has the claim."""
        told = self._audit_event("session.restored", session_id, user, {"turn": place.number})
        undone = await self.store.go_to_turn(session_id, place.number, place.checkpoint_id, told)
        await self.settle(session_id)
        return undone

    async def fork(self, info: SessionInfo, user: User, place: RestorePoint) -> SessionInfo:
        """A new session that continues from there."""
        bundle = await self.bundle(info, place.number, place.values)
        told = {"from": info.session_id, "turn": place.number}
        return await self._add_session(bundle, user, "session.forked", told)

    # --- leaving and coming -------------------------------------------------------------------------------

    async def export(self, bundle: Bundle, user: User, *, full: bool, passphrase: str | None) -> bytes:
        from metaagent.sessions.archive import pack, seal

        if passphrase is not None and not full:
            raise InputRefused(_ONLY_FULL)
        if not full:
            names = self._parts.domain.people(user)
            redactor = Redactor(names=names, max_items=50_000_000, max_text=500_000_000)
            every = StateSecurityManager(redactor=redactor)
            bundle = redacted(bundle, every.sanitize_state_for_logging)
        packed = pack(bundle, full=full)
        sealed = packed if passphrase is None else seal(packed, passphrase)
        data = {"full": full, "sealed": passphrase is not None}
        await self.store.commit([self._audit_event("session.exported", bundle.session_id, user, data)])
        return sealed

    async def import_archive(self, content: bytes, user: User, passphrase: str | None) -> SessionInfo:
        from metaagent.sessions.archive import unpack, unseal

        bundle = await asyncio.to_thread(lambda: unpack(unseal(content, passphrase), user))
        return await self._add_session(bundle, user, "session.imported", {"turns": len(bundle.turns)})

    async def current_bundle(self, info: SessionInfo, user: User) -> Bundle:
        """The session as it stands. A turn that is not finished is left out."""
        past = await self.store.list_turns(info.session_id, limit=ALL)
        live = [turn.number for turn in past if turn.status != "undone"]
        led = line_of(past, max(live, default=0))
        unfinished = [turn for turn in led if turn.status not in ENDED]
        ended = [turn.number for turn in led if turn.status in ENDED]
        if not ended:
            raise SessionError(_NOTHING, session_id=info.session_id)
        if unfinished:
            values = (await self.restore_point(info.session_id, user, ended[-1], None)).values
        else:
            with acting_for(user):
                values = self._state_of((await self.checkpointer.look(info.session_id)).saved)
        return await self.bundle(info, ended[-1], values)

    async def bundle(self, info: SessionInfo, number: int, values: Json) -> Bundle:
        """The turns that led to this one, with everything that belongs to them."""
        past = await self.store.list_turns(info.session_id, limit=ALL)
        led = line_of(past, number)
        turns = [replace(t, status="completed") if t.status == "undone" else t for t in led]
        left_out = [f"turn {turn.number}: it is {turn.status}" for turn in past if turn not in led]
        events = {turn.turn_id: await self.store.events(turn.turn_id) for turn in turns}
        return Bundle(
            session_id=info.session_id,
            title=info.title,
            created_at=info.created_at,
            turns=tuple(turns),
            events=events,
            artifacts=await self._pieces(info.session_id, turns, [*_texts(turns, events), _text(values)]),
            state=plain_state(values),
            left_out=tuple(left_out),
        )

    async def _pieces(
        self, session_id: str, turns: Sequence[Turn], texts: Sequence[bytes]
    ) -> tuple[Piece, ...]:
        rows = await self.store.artifact_rows(session_id)
        made = {turn.turn_id for turn in turns}
        wanted = referenced([ref for ref, _, _ in rows], texts)
        wanted |= {ref.id for ref, turn_id, _ in rows if turn_id in made}
        pieces = list[Piece]()
        for ref, turn_id, at in rows:
            content = await self.store.artifact(session_id, ref.id) if ref.id in wanted else None
            if content is not None:
                pieces.append(Piece(ref, content, turn_id, at))
        return tuple(pieces)

    async def _add_session(self, bundle: Bundle, user: User, event: str, data: Json) -> SessionInfo:
        """Write a bundle as a new session. Until the last commit its checkpoints are noted for deletion."""
        session_id = f"s{secrets.token_hex(8)}"
        ids = [f"t{secrets.token_hex(8)}" for _ in bundle.turns]
        moved = await asyncio.to_thread(readdressed, bundle, session_id, ids)
        now, last = iso(self._parts.clock.now()), moved.turns[-1]
        info = SessionInfo(
            session_id=session_id,
            company_id=user.company_id,
            owner=self._parts.vault.alias(user),
            title=moved.title,
            created_at=now,
            updated_at=now,
            turns=last.number,
            status=last.status,
            schema_version=STATES.newest,
        )
        with self._parts.claimed(session_id):
            await self.store.note_pending(session_id, DELETE)
            if moved.state is not None:
                await self._write_state(session_id, user, live_state(moved.state), last.number)
            past = [replace(turn, user=user) for turn in moved.turns]
            told = self._audit_event(event, session_id, user, data)
            await self.store.add_session(info, user, past, [*self._rows(moved, past, user), told])
        return info

    def _rows(self, bundle: Bundle, past: Sequence[Turn], user: User) -> list[Any]:
        turns = {turn.turn_id: turn for turn in past}
        rows = [
            self.store.event_row({**event, "session_id": bundle.session_id, "turn_id": turn_id}, key, user)
            for turn_id, events in bundle.events.items()
            for event in events
            for key in [f"{event['type']}:copied:{event['seq']}"]
        ]
        rows += [
            self.store.artifact_row(piece.ref, piece.content, turns[piece.turn_id], piece.created_at)
            for piece in bundle.artifacts
        ]
        return rows

    async def _write_state(self, session_id: str, user: User, values: Json, number: int) -> None:
        config = {"configurable": {"thread_id": session_id}}
        with acting_for(user):
            await self._graph.aupdate_state(config, values, as_node=LAST)
            await self.checkpointer.mark_turn_end(session_id, number)

    # --- pruning and deleting ---------------------------------------------------------------------------------

    async def prune(self, session_id: str, user: User) -> Pruned:
        """Checkpoints beyond the retention, and artifacts that nothing kept refers to. The caller has the claim."""
        checkpoints = await self.checkpointer.prune(session_id)
        artifacts = await self.collect(session_id, user)
        await self.store.shrink()
        return Pruned(checkpoints, artifacts)

    async def collect(self, session_id: str, user: User) -> int:
        """Remove the artifacts that no kept turn, no named checkpoint and not the state refers to."""
        past = await self.store.list_turns(session_id, limit=ALL)
        kept = past[: self._parts.settings.retention.artifact_turns]
        rows = await self.store.artifact_rows(session_id)
        events = {turn.turn_id: await self.store.events(turn.turn_id) for turn in kept}
        texts = [*_texts(kept, events), *await self._kept_states(session_id, user)]
        used = referenced([ref for ref, _, _ in rows], texts)
        unfinished = {turn.turn_id for turn in past if turn.status not in ENDED}
        doomed = [ref.id for ref, turn_id, _ in rows if ref.id not in used and turn_id not in unfinished]
        if not doomed or await self.holds.is_held(user):
            return 0
        told = self._audit_event("artifacts.collected", session_id, user, {"count": len(doomed)})
        return await self.store.remove_artifacts(session_id, doomed, told)

    async def _kept_states(self, session_id: str, user: User) -> list[bytes]:
        kept = [info for info in await self.checkpointer.list(session_id) if info.current or info.names]
        with acting_for(user):
            saved = [await self.checkpointer.load(session_id, info.checkpoint_id) for info in kept]
        return [
            _text([each.checkpoint["channel_values"], [value for _, _, value in each.pending_writes or ()]])
            for each in saved
            if each is not None
        ]

    async def delete(self, info: SessionInfo, user: User) -> dict[str, int]:
        """Everything of the session in every store, and proof of it: the entry in the trail is committed with the deletion.
        The caller has the claim. Refused under a legal hold."""
        session_id = info.session_id
        await self.holds.refuse_owner(info.company_id, info.owner)
        removed = await self.store.count_session(session_id)
        told = replace(self._audit_event("session.deleted", session_id, user, removed), outcome="done")
        await self.store.delete_session(session_id, told)
        await self.checkpointer.delete(session_id)
        left = {
            table: count for table, count in (await self.store.count_session(session_id)).items() if count
        }
        if left:
            raise StorageError(_LEFT_OVER, session_id=session_id, left=left)
        await self.store.settle(session_id)
        await self.store.shrink()
        return removed

    # --- what a killed process left to do -----------------------------------------------------------------

    async def settle(self, session_id: str) -> None:
        """The checkpoints follow what the store says. The caller has the claim."""
        pending = await self.store.pending(session_id)
        if pending is None:
            return
        if pending == DELETE:
            await self.checkpointer.delete(session_id)
        else:
            await self.checkpointer.go_to(session_id, pending.removeprefix(AT))
        await self.store.settle(session_id)

    async def settle_all(self) -> None:
        """Finish what killed processes left to do. Sessions that someone works on are left to them."""
        for session_id in await self.store.all_pending():
            with suppress(TurnRunning), self._parts.claimed(session_id):
                await self.settle(session_id)

    async def migrate(self) -> Migrated:
        """Write the states of sessions that an earlier version wrote last as this one does. What is at work, waits or was
        restored is migrated when it goes on; what cannot be read stays as it is."""
        done, refused = 0, list[str]()
        for session_id in await self.store.outdated(STATES.newest):
            try:
                with self._parts.claimed(session_id):
                    done += await self._migrate(session_id)
            except TurnRunning:
                continue
            except (RowRefused, KeyUnavailable) as error:
                refused.append(f"{session_id}: {error}")
        return Migrated(done, tuple(refused))

    async def _migrate(self, session_id: str) -> bool:
        last = await self.store.last_turn(session_id)
        if last is None or last.status not in ENDED or last.status == "undone":
            return False  # a new state after a restored one would close the way forward again
        await self.settle(session_id)
        await self._write_state(session_id, last.user, {"schema_version": STATES.newest}, last.number)
        await self.store.set_schema_version(session_id, STATES.newest)
        return True

    # --- inside -------------------------------------------------------------------------------------------

    def _state_of(self, saved: CheckpointTuple) -> Json:
        """Take the fields of the state alone: LangGraph's own channels have names that no field has."""
        values, known = saved.checkpoint["channel_values"], self._graph.channels
        own = [name for name in values if name in known and ":" not in name and not name.startswith("__")]
        return {name: values[name] for name in own}

    def _audit_event(self, event: str, session_id: str, user: User, data: Json) -> AuditEvent:
        return AuditEvent(tenant=user.tenant, event=event, session=session_id, person=user.user_id, data=data)


def _texts(turns: Sequence[Turn], events: dict[str, list[Json]]) -> list[bytes]:
    return [
        _text([turn.question, turn.outcome, turn.waiting, turn.answers, events.get(turn.turn_id)])
        for turn in turns
    ]


def _text(value: Any) -> bytes:
    """Dump anything so that every id in it can be found."""
    return orjson.dumps(value, default=repr, option=orjson.OPT_NON_STR_KEYS)


def refused_warning(error: RowRefused, warnings: Sequence[str], at: str) -> Json:
    return {
        "id": f"checkpoint-{error.params.get('checkpoint', '')}",
        "code": "checkpoint_refused",
        "text": "\n".join(warnings),
        "timestamp": at,
    }
