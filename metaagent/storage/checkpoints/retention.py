"""The checkpoints of a session: name, list, restore, fork, copy, prune, delete.

What to keep is decided here, purely; a saver (`metaagent.storage.checkpoints.saver`) stores and deletes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import UUID

from metaagent.errors import InputRefused, RowRefused, SessionError, StorageError, Text, UnknownSession
from metaagent.language.patterns import regex
from metaagent.values import iso

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import CheckpointTuple

_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_UUID_EPOCH = 0x01B21DD213814000  # 100 ns steps from 1582-10-15 to 1970-01-01

_BAD_NAME = Text(
    en="{name!r} is not a checkpoint name: use up to 64 letters, digits, "
    "'-' and '_', a letter or digit first.",
    ko="{name!r}은(는) 체크포인트 이름이 될 수 없습니다. 영문자나 숫자로 시작해 영문자, 숫자, '-', '_' "
    "64자 이내로 쓰세요.",
)
_UNKNOWN = Text(
    en="Session '{session}' has no checkpoint. Check the id, or ask a first question.",
    ko="세션 '{session}'에 체크포인트가 없습니다. 아이디를 확인하거나 먼저 질문하세요.",
)
_ABSENT = Text(
    en="Session '{session}' keeps no checkpoint for {wanted}. `list` shows what it keeps, as retention says.",
    ko="세션 '{session}'에는 {wanted}의 체크포인트가 남아 있지 않습니다. `list`로 남은 것을 확인하세요.",
)
_NONE_SOUND = Text(
    en="No checkpoint of session '{session}' can be read; {refused} were refused, the newest because: "
    "{reason}. Restore the data directory from a backup.",
    ko="세션 '{session}'의 체크포인트를 하나도 읽을 수 없습니다({refused}개 거부, 최신 것의 이유: {reason}). "
    "데이터 디렉터리를 백업에서 복원하세요.",
)
_LEFT_OVER = Text(
    en="Deleting session '{session}' left rows behind: {left}. Delete it again.",
    ko="세션 '{session}'을(를) 삭제했지만 남은 행이 있습니다: {left}. 다시 삭제하세요.",
)
_OPENED_EARLIER = Text(
    en="Session '{session}' was opened at checkpoint {checkpoint}: {refused} newer could not be read.",
    ko="더 새로운 체크포인트 {refused}개를 읽을 수 없어 세션 '{session}'을(를) {checkpoint}에서 열었습니다.",
)


@dataclass(frozen=True)
class Retention:
    """The newest `newest` checkpoints, the ends of the newest `turn_ends` turns, and named ones forever."""

    newest: int = 8
    turn_ends: int = 50
    keep_named: bool = True

    def __post_init__(self) -> None:
        if self.newest < 1 or self.turn_ends < 0:
            raise ValueError(f"newest must be at least 1 and turn_ends at least 0, got {self}")


class Stored(NamedTuple):
    """Facts about a checkpoint for the decision. `depth`: how many ancestors it is rebuilt from."""

    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    depth: int


def choose_kept(
    stored: Sequence[Stored],
    retention: Retention,
    *,
    turn_ends: Mapping[int, str],
    named: Collection[str],
    head: str | None,
) -> set[tuple[str, str]]:
    """The (namespace, checkpoint) pairs to keep; everything else of the session may go."""
    spaces: dict[str, list[str]] = {}
    for row in stored:
        spaces.setdefault(row.checkpoint_ns, []).append(row.checkpoint_id)
    for ids in spaces.values():
        ids.sort(reverse=True)
    newest_turns = sorted(turn_ends, reverse=True)[: retention.turn_ends]
    roots = set(spaces.get("", [])[: retention.newest])
    since = min(roots, default="")
    roots |= {turn_ends[turn] for turn in newest_turns}
    roots |= set(named) if retention.keep_named else set()
    roots |= {head} if head else set()
    kept = {("", checkpoint) for checkpoint in roots}
    for space, ids in spaces.items():
        if space:
            kept |= {(space, checkpoint) for checkpoint in _kept_below(space, ids, roots, since, retention)}
    return with_ancestors(kept, stored)


def _kept_below(
    space: str, ids: list[str], roots: set[str], since: str, retention: Retention
) -> Iterable[str]:
    """A subgraph's checkpoints. A namespace with a task id (`node:uuid`) lives for one run of that node; one
    without is the subgraph's own memory, and goes back with the root checkpoint that it stood beside."""
    if ":" in space:
        return [checkpoint for checkpoint in ids if checkpoint >= since]
    beside = (next((checkpoint for checkpoint in ids if checkpoint <= root), None) for root in roots)
    return {*ids[: retention.newest], *(checkpoint for checkpoint in beside if checkpoint)}


def with_ancestors(kept: set[tuple[str, str]], stored: Sequence[Stored]) -> set[tuple[str, str]]:
    """Delta channels are rebuilt from the writes of ancestors: these stay as long as someone needs them."""
    rows = {(row.checkpoint_ns, row.checkpoint_id): row for row in stored}
    needed = set(kept)
    for key in kept:
        row = rows.get(key)
        left = row.depth if row else 0
        while row and row.parent_id and left > 0:
            needed.add((row.checkpoint_ns, row.parent_id))
            row, left = rows.get((row.checkpoint_ns, row.parent_id)), left - 1
    return needed


@dataclass(frozen=True)
class CheckpointInfo:
    checkpoint_id: str
    created_at: str | None
    turn: int | None = None
    names: tuple[str, ...] = ()
    current: bool = False


@dataclass(frozen=True)
class Restored:
    """The place where the session stands now. `warnings` is empty unless newer checkpoints had to be passed over."""

    session_id: str
    checkpoint_id: str
    turn: int | None
    config: RunnableConfig
    saved: CheckpointTuple
    warnings: tuple[str, ...] = ()
    refused: tuple[RowRefused, ...] = field(default=(), repr=False)


class Marks(NamedTuple):
    """All that a session keeps, newest first, and what is known by turn and by name."""

    checkpoints: Sequence[str]
    turn_ends: Mapping[int, str]
    names: Mapping[str, str]
    current: str | None


class SessionSaver(Protocol):
    """The contract of a saver for StateCheckpointer, beside LangGraph's own contract."""

    async def marks(self, thread_id: str) -> Marks: ...
    async def find(
        self, thread_id: str, *, turn: int | None = None, name: str | None = None
    ) -> str | None: ...
    async def name_current(self, thread_id: str, name: str) -> str | None: ...
    async def end_turn(self, thread_id: str, turn: int, retention: Retention) -> str | None: ...
    async def point_at(self, thread_id: str, checkpoint_id: str) -> None: ...
    async def fork(self, thread_id: str, new_thread_id: str, checkpoint_id: str) -> None: ...
    async def apply_retention(self, thread_id: str, retention: Retention) -> int: ...
    async def count_rows(self, thread_id: str) -> dict[str, int]: ...
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None: ...
    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None: ...
    async def adelete_thread(self, thread_id: str) -> None: ...


class StateCheckpointer:
    """`cascade` are the other stores' deletions (artifacts, memories, ...): each takes a session id and may
    be repeated. They run before the checkpoints go, so that a killed deletion can be asked for again."""

    def __init__(
        self,
        saver: SessionSaver,
        retention: Retention | None = None,
        *,
        cascade: Sequence[Callable[[str], Awaitable[Any]]] = (),
    ) -> None:
        self._saver = saver
        self._cascade = tuple(cascade)
        self.retention = retention or Retention()

    async def save(self, session_id: str, name: str) -> str:
        """Gives the current checkpoint a name, which keeps it until the session is deleted. A name moves."""
        if _NAME.fullmatch(name) is None:
            raise InputRefused(_BAD_NAME, name=name)
        return _known(await self._saver.name_current(session_id, name), session_id)

    async def mark_turn_end(self, session_id: str, turn_number: int) -> str:
        """Records the current checkpoint as the end of a turn and prunes, in one commit."""
        return _known(await self._saver.end_turn(session_id, turn_number, self.retention), session_id)

    async def list(self, session_id: str) -> list[CheckpointInfo]:
        marks = await self._saver.marks(session_id)
        turns = {checkpoint: turn for turn, checkpoint in marks.turn_ends.items()}
        names: dict[str, list[str]] = {}
        for name, checkpoint in marks.names.items():
            names.setdefault(checkpoint, []).append(name)
        return [
            CheckpointInfo(
                checkpoint,
                created_at(checkpoint),
                turns.get(checkpoint),
                tuple(sorted(names.get(checkpoint, ()))),
                checkpoint == marks.current,
            )
            for checkpoint in marks.checkpoints
        ]

    async def restore(self, session_id: str, *, turn: int | None = None, name: str | None = None) -> Restored:
        """Points the session at the end of a turn or at a name; with neither, opens it where it stands.

        Nothing is copied. What the session does next continues from there. A turn or name that was asked for
        and cannot be read is refused; only opening falls back to the newest sound one, and says so.
        """
        if turn is None and name is None:
            return await self._newest_sound(session_id)
        checkpoint = await self._wanted(session_id, turn, name)
        saved = await self.load(session_id, checkpoint)
        if saved is None:
            raise SessionError(_ABSENT, session=session_id, wanted=_wanted_text(turn, name))
        await self._saver.point_at(session_id, checkpoint)
        return Restored(session_id, checkpoint, turn, saved.config, saved)

    async def go_to(self, session_id: str, checkpoint_id: str) -> None:
        """Points the session at a checkpoint that is known to be kept and sound."""
        await self._saver.point_at(session_id, checkpoint_id)

    async def leave_turn(self, session_id: str, turn_id: str) -> None:
        """Points the session at the state before a turn, for the turn to begin anew. Where that is not kept any more, the turn
        begins over what it left."""
        where: RunnableConfig | None = {"configurable": {"thread_id": session_id, "checkpoint_ns": ""}}
        newest = saved = await self._saver.aget_tuple(where)
        while saved is not None and saved.checkpoint["channel_values"].get("turn_id") == turn_id:
            where = saved.parent_config
            saved = None if where is None else await self._saver.aget_tuple(where)
        if where is None:
            await self._saver.adelete_thread(session_id)
        elif saved is not None and saved is not newest:
            await self._saver.point_at(session_id, saved.checkpoint["id"])

    async def look(self, session_id: str) -> Restored:
        """The newest sound checkpoint, with warnings if it is not the newest; nothing is changed."""
        return await self._newest_sound(session_id, point=False)

    async def fork(self, session_id: str, new_session_id: str, *, at: int | str | None = None) -> Restored:
        """Continues as a new session from the end of turn `at`, the name `at` or, with None, from here."""
        if at is None:
            checkpoint = (await self._newest_sound(session_id, point=False)).checkpoint_id
        elif isinstance(at, int):
            checkpoint = await self._wanted(session_id, at, None)
        else:
            checkpoint = await self._wanted(session_id, None, at)
        await self._saver.fork(session_id, new_session_id, checkpoint)
        return await self._newest_sound(new_session_id, point=False)

    async def copy(self, session_id: str, new_session_id: str) -> None:
        """The whole session, with its turns and names, under a new id."""
        _known((await self._saver.marks(session_id)).current, session_id)
        await self._saver.acopy_thread(session_id, new_session_id)

    async def prune(self, session_id: str, retention: Retention | None = None) -> int:
        """Returns the number of deleted checkpoints."""
        return await self._saver.apply_retention(session_id, retention or self.retention)

    async def delete(self, session_id: str) -> None:
        """The session and everything that belongs to it. Deleting what is not there is no error."""
        for forget in self._cascade:
            await forget(session_id)
        await self._saver.adelete_thread(session_id)
        left = {table: rows for table, rows in (await self._saver.count_rows(session_id)).items() if rows}
        if left:
            raise StorageError(_LEFT_OVER, session=session_id, left=left)

    async def _wanted(self, session_id: str, turn: int | None, name: str | None) -> str:
        if turn is not None and name is not None:
            raise ValueError("give a turn or a name, not both")
        checkpoint = await self._saver.find(session_id, turn=turn, name=name)
        if checkpoint is None:
            raise SessionError(_ABSENT, session=session_id, wanted=_wanted_text(turn, name))
        return checkpoint

    async def load(self, session_id: str, checkpoint_id: str) -> CheckpointTuple | None:
        where = {"thread_id": session_id, "checkpoint_ns": "", "checkpoint_id": checkpoint_id}
        return await self._saver.aget_tuple({"configurable": where})

    async def _newest_sound(self, session_id: str, *, point: bool = True) -> Restored:
        marks = await self._saver.marks(session_id)
        current = _known(marks.current, session_id)
        turns = {checkpoint: turn for turn, checkpoint in marks.turn_ends.items()}
        refused: list[RowRefused] = []
        for checkpoint in (current, *(other for other in marks.checkpoints if other < current)):
            try:
                saved = await self.load(session_id, checkpoint)
            except RowRefused as error:
                refused.append(error)
                continue
            if saved is None:
                continue
            warnings: list[str] = []
            if refused:
                earlier = _OPENED_EARLIER.say(session=session_id, checkpoint=checkpoint, refused=len(refused))
                warnings = [earlier, *map(str, refused)]
                if point:
                    await self._saver.point_at(session_id, checkpoint)
            return Restored(
                session_id,
                checkpoint,
                turn=turns.get(checkpoint),
                config=saved.config,
                saved=saved,
                warnings=tuple(warnings),
                refused=tuple(refused),
            )
        raise StorageError(
            _NONE_SOUND, session=session_id, refused=len(refused), reason=str(refused[0] if refused else "")
        )


def created_at(checkpoint_id: str) -> str | None:
    """Checkpoint ids are UUIDs of version 6, which begin with their time."""
    try:
        number = UUID(checkpoint_id)
    except ValueError:
        return None
    if number.version != 6:
        return None
    bits = number.int >> 64
    ticks = (bits >> 16) << 12 | (bits & 0xFFF)
    return iso(datetime.fromtimestamp((ticks - _UUID_EPOCH) / 10_000_000, tz=UTC))


def _known(checkpoint: str | None, session_id: str) -> str:
    if checkpoint is None:
        raise UnknownSession(_UNKNOWN, session=session_id)
    return checkpoint


def _wanted_text(turn: int | None, name: str | None) -> str:
    return f"turn {turn}" if name is None else f"name '{name}'"
