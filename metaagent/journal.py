"""The journal of a running turn: the events, artifacts and audit entries that it writes outside its state. One journal,
one writer, per turn.

Each entry has a key; what a crashed run wrote already is not written again when the turn is resumed. Writes are
grouped: whatever gathers while one commit is under way goes into the next. Readers see only what is committed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import Context
from typing import Any, NamedTuple, Protocol

import orjson

from metaagent.audit import AuditEvent
from metaagent.errors import Text
from metaagent.plugin import Artifact
from metaagent.ports import ArtifactRef, Clock, Json, NewVersion, Turn, User
from metaagent.values import iso

QUEUED = "queued"
"""The event of a turn that waits for its start: it tells of a place, not of the work."""
PLANNING = "planning_start"
"""The event that a turn begins with. The first of a turn (key `FIRST`) is told with the question itself: it says that the
question was taken in, and nothing of the work."""
FIRST = "0"
EVENT_TYPES = (
    QUEUED,
    PLANNING,
    "clarification_needed",
    "plan_ready",
    "approval_needed",
    "gate_closed",
    "execution_start",
    "todo_updated",
    "artifact_ready",
    "replan",
    "token",
    "response",
    "error",
)
LINGER_SECONDS = 0.05
"""The time that an entry may wait for company before it is written: too short for a person to notice."""

BYTES = b"bytes\0"
"""Marks artifact content that is not JSON."""

_PLAIN = orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_EMPTY = Text(en="(empty)", ko="(비어 있음)")


class _QueuedEvent(NamedTuple):
    """An event that waits to be written: it gets its seq with the commit, so that none is left out."""

    event_type: str
    key: str
    timestamp: str
    payload: Json


class JournalStore(Protocol):
    def event_row(self, event: Json, key: str, user: User) -> Any: ...
    def artifact_row(self, ref: ArtifactRef, content: bytes, turn: Turn, at: str) -> Any: ...
    def version_row(self, made: NewVersion, user: User, session_id: str, turn_id: str, at: str) -> Any: ...
    async def commit(self, rows: Sequence[Any]) -> None: ...
    async def events(self, turn_id: str, after: int = 0) -> Sequence[Json]: ...
    def keyed_hash(self, company_id: str, value: bytes) -> str: ...


class Journal:
    """The one writer of a turn. `written` are the keys of the events that a resumed turn has in the store; None for a
    turn that is fresh. `before_publishing` is awaited before the first event of the work is written: from then on a crash
    does not undo the turn. `tell` is given the events that were committed."""

    def __init__(
        self,
        store: JournalStore,
        turn: Turn,
        clock: Clock,
        written: Sequence[str] | None,
        before_publishing: Callable[[], Awaitable[None]] | None = None,
        tell: Callable[[Turn, Sequence[Json]], None] | None = None,
    ) -> None:
        self.resumed = written is not None
        written = written or ()
        self.turn = turn
        self.committed: list[Json] = []
        self.audited: list[Json] = []
        self.first_seq = len(written) + 1
        self._store = store
        self._clock = clock
        self._keys = set(written)
        self._seq = len(written)
        self._places = sum(map(_tells_no_work, written))
        self._waiting: list[Any] = []
        self._writer: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()
        self._closed = False
        self._broken: Exception | None = None
        self._before_publishing = before_publishing
        self._publishing = False
        self._tell = tell
        self._held = False

    @property
    def published(self) -> bool:
        """True if anyone may have seen an event of this turn's work, or is about to."""
        return self._seq > self._places or self._publishing

    @property
    def unheard(self) -> bool:
        """True while nobody has heard of this turn's work and nothing queued is due: a crash makes the turn begin anew, and
        what that repeats took less than `LINGER_SECONDS`."""
        timer = self._timer
        return not self.published and (timer is None or asyncio.get_running_loop().time() < timer.when())

    def emit(self, event_type: str, key: str = "", /, **payload: Any) -> None:
        """Queue one event. `key` tells apart events of one type within the turn; a repeat is a no-op."""
        full_key = f"{event_type}:{key}"
        if full_key in self._keys or self._closed:
            return
        self._keys.add(full_key)
        self._queue(_QueuedEvent(event_type, full_key, iso(self._clock.now()), payload))

    def event_keys(self, event_type: str) -> list[str]:
        """The keys of all events of this type, those of an earlier run included."""
        begin = f"{event_type}:"
        return [key.removeprefix(begin) for key in self._keys if key.startswith(begin)]

    def withdraw(self, event_type: str) -> bool:
        """Takes back the newest event of this type if it is not written yet: what comes next tells it, too."""
        for place in reversed(range(len(self._waiting))):
            told = self._waiting[place]
            if isinstance(told, _QueuedEvent) and told.event_type == event_type:
                del self._waiting[place]
                self._keys.discard(told.key)
                return True
        return False

    async def take(self) -> list[tuple[Any, Json | None]]:
        """Take everything that is queued, for a caller that commits it in a transaction of its own and then calls `written`."""
        if self._writer is not None:
            await asyncio.shield(self._writer)
        return self._batch()

    def written(self, taken: Sequence[tuple[Any, Json | None]]) -> None:
        self._publish([event for _, event in taken if event is not None])

    def _queue(self, entry: Any) -> None:
        self._waiting.append(entry)
        self._write_soon()

    def _batch(self) -> list[tuple[Any, Json | None]]:
        """Everything that waits, as rows, with the event where it is one."""
        waiting, self._waiting = self._waiting, []
        return [self._row(one) if isinstance(one, _QueuedEvent) else (one, None) for one in waiting]

    def _row(self, told: _QueuedEvent) -> tuple[Any, Json]:
        self._seq += 1
        self._places += _tells_no_work(told.key)
        event = {
            "type": told.event_type,
            "session_id": self.turn.session_id,
            "turn_id": self.turn.turn_id,
            "seq": self._seq,
            "timestamp": told.timestamp,
            **told.payload,
        }
        return self._store.event_row(event, told.key, self.turn.user), event

    def put(self, artifact: Artifact, *, made_by: str, made_from: Sequence[str] = ()) -> ArtifactRef:
        """Queue an artifact. Its id comes from its content, so making it again is a no-op: the same content of the same
        kind is one artifact of its session, the same file of another version another one."""
        content = encode_artifact(artifact.data)
        digest = hashlib.sha256(content).hexdigest()
        group = artifact.group
        form = (group.document_id, str(group.version), group.format) if group else ()
        file = (artifact.name, artifact.media_type, *form) if artifact.name or artifact.media_type else form
        place = self.keyed("\0".join((self.turn.session_id, artifact.kind, digest, *file)))
        ref = ArtifactRef(
            id=f"a{place[:31]}",
            kind=artifact.kind,
            summary=artifact.summary or _EMPTY.say(self.turn.language),
            size=len(content),
            hash=digest,
            made_by=made_by,
            made_from=tuple(made_from),
            name=artifact.name,
            media_type=artifact.media_type,
            group=group,
        )
        row = self._store.artifact_row(ref, content, self.turn, iso(self._clock.now()))
        self._queue(row)
        return ref

    def put_version(self, made: NewVersion) -> None:
        """Queue a version of a document: it is committed together with the artifacts that were put before it."""
        turn, at = self.turn, iso(self._clock.now())
        self._queue(self._store.version_row(made, turn.user, turn.session_id, turn.turn_id, at))

    def keyed(self, digest: str) -> str:
        """The hash that the audit trail holds for content with this one: nobody without the keys can try contents out."""
        return self._store.keyed_hash(self.turn.user.company_id, digest.encode())

    def audit(self, event: str, key: str = "", /, *, person: str | None = None, **details: Any) -> None:
        """Queue an entry of the audit trail, committed with whatever it tells of. A repeat is a no-op there. `person` is
        who did it, if that was not the one who asks."""
        turn = self.turn
        entry = AuditEvent(
            tenant=turn.user.tenant,
            event=event,
            session=turn.session_id,
            turn=turn.turn_id,
            person=person or turn.user.user_id,
            key=f"{turn.turn_id}:{event}:{key}",
            **details,
        )
        self.audited.append(
            {"id": entry.key, "event": event, "timestamp": iso(self._clock.now()), "outcome": entry.outcome}
        )
        self._queue(entry)

    async def secure(self) -> None:
        """Flush, unless the turn would begin anew after a crash."""
        if not self.unheard:
            await self.flush()

    async def flush(self) -> None:
        """Return when everything queued so far is committed; raises what the commit raised."""
        while self._broken is None and (self._waiting or self._writer):
            self._kick()
            if self._writer is not None:
                await asyncio.shield(self._writer)
        if self._broken is not None:
            raise self._broken

    def hold(self) -> None:
        """Let what gathers wait until `release`: it tells of something that is in no checkpoint yet. `flush` writes
        it all the same."""
        self._held = True

    def release(self) -> None:
        if self._held:
            self._held = False
            if self._waiting:
                self._write_soon()

    def break_off(self, error: Exception) -> None:
        """Write nothing any more: what was taken could not be committed, and its seq would be missing."""
        self._broken = error

    def close(self) -> None:
        """No more will come: who follows can stop."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._publish([])

    async def follow(self, after: int, run: asyncio.Future[Any]) -> AsyncIterator[Json]:
        """Committed events beyond `after`, those before this run of the turn from the store, until the journal is closed;
        then raises what ended the run, if that could not be stored."""
        if after + 1 < self.first_seq:
            for event in await self._store.events(self.turn.turn_id, after):
                after = event["seq"]
                yield event
        position = max(0, after + 1 - self.first_seq)
        while True:
            changed = self._changed
            for event in self.committed[position:]:
                position += 1
                yield event
            if self._closed and position >= len(self.committed):
                await asyncio.shield(run)
                return
            if changed is self._changed:
                await changed.wait()

    def _write_soon(self) -> None:
        if self._timer is None and self._writer is None and not self._held:
            # In an empty context: a loop keeps that of a timer until its time comes, and with it the state of the whole turn.
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(LINGER_SECONDS, self._waited, context=Context())

    def _waited(self) -> None:
        self._timer = None
        if not self._held:
            self._kick()

    def _kick(self) -> None:
        """Write now. A timer that runs is left alone: to make another one costs more than one that finds nothing to do."""
        if self._writer is None and self._waiting and self._broken is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        try:
            if self._before_publishing is not None and not self.published:
                self._publishing = True
                await self._before_publishing()
            batch = self._batch()
            await self._store.commit([row for row, _ in batch])
        except Exception as error:  # noqa: BLE001 - kept for `flush`; nothing is written after it, or the seq had a gap
            self._broken = error
            return
        finally:
            self._writer = None
        self._publish([event for _, event in batch if event is not None])
        if self._waiting:
            self._write_soon()

    def _publish(self, events: Sequence[Json]) -> None:
        self.committed.extend(events)
        if self._tell is not None and events:
            self._tell(self.turn, events)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _tells_no_work(key: str) -> bool:
    return key.startswith(f"{QUEUED}:") or key == f"{PLANNING}:{FIRST}"


def encode_artifact(data: Any) -> bytes:
    if isinstance(data, bytes | bytearray):
        return BYTES + bytes(data)
    return orjson.dumps(data, option=_PLAIN)


def not_plain(data: Any) -> str:
    """Say why this is not plain data; nothing if it is."""
    try:
        encode_artifact(data)
    except (TypeError, ValueError, RecursionError) as problem:
        return str(problem)
    return ""


def decode_artifact(content: bytes) -> Any:
    if content.startswith(BYTES):
        return content[len(BYTES) :]
    return orjson.loads(content)
