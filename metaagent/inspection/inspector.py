"""Looks into the turns of one session: the state after each node, the history of one field, the whole turn.

Everything comes from what the session keeps anyway: its checkpoints (as retention has left them), turns and events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from langgraph.checkpoint.base import CheckpointTuple

from metaagent.errors import InputRefused, RowRefused, SessionError, Text
from metaagent.global_state import GlobalSessionState
from metaagent.monitor import StateChange, StateMonitor
from metaagent.ports import Json, Turn
from metaagent.state.updating import after
from metaagent.storage.checkpoints.retention import CheckpointInfo, created_at
from metaagent.storage.checkpoints.step_writes import JOINED, START
from metaagent.values import MAX_DEPTH, content, mapping, rows, seconds_between, sequence, text

_NO_TURN = Text(
    en="Session {session} has no turn {number}. `metaagent sessions show {session}` lists its turns.",
    ko="세션 {session}에 {number}번 턴이 없습니다. `metaagent sessions show {session}`로 턴을 확인하세요.",
)
_NOT_KEPT = Text(
    en="The state of turn {number} of session {session} is no longer kept: retention has removed its checkpoints. "
    "The newest turns still have theirs.",
    ko="세션 {session}의 {number}번 턴 상태는 보관 기간이 지나 남아 있지 않습니다. 최근 턴의 상태는 남아 있습니다.",
)
_NO_FIELD = Text(
    en="A state has no field {field!r}. Its fields are: {known}.",
    ko="상태에 {field!r} 필드가 없습니다. 있는 필드: {known}.",
)

START_CHANNEL = "__start__"


class _Absent:
    def __repr__(self) -> str:
        return "–"


ABSENT: Any = _Absent()
"""The value of a field that is not there."""


@dataclass(frozen=True)
class Snapshot:
    """The state as one node left it."""

    checkpoint_id: str
    node: str
    phase: str
    created_at: str | None
    size: int
    values: Mapping[str, Any]


@dataclass(frozen=True)
class FieldValue:
    """A field's value from this node on, until the next one that changed it."""

    node: str
    created_at: str | None
    value: Any


@dataclass(frozen=True)
class Difference:
    path: str
    before: Any
    after: Any


@dataclass(frozen=True)
class PhaseSpan:
    phase: str
    start: float
    seconds: float


@dataclass(frozen=True)
class NodeMark:
    """The change that a node made to the state."""

    node: str
    change: StateChange


@dataclass(frozen=True)
class TurnPicture:
    turn: Turn
    seconds: float
    phases: Sequence[PhaseSpan]
    nodes: Sequence[NodeMark]
    steps: Sequence[Json]
    dependencies: Mapping[str, Sequence[str]]
    events: Sequence[Json]
    artifacts: Sequence[Json]
    warnings: Sequence[Json]
    errors: Sequence[Json]
    unreadable: int = 0
    """Checkpoints that were refused when read."""


class Turns(Protocol):
    async def list_turns(
        self, session_id: str, *, limit: int = 100, before: int | None = None
    ) -> list[Turn]: ...
    async def events(self, turn_id: str, after: int = 0) -> list[Json]: ...


class Checkpoints(Protocol):
    async def list(self, session_id: str) -> list[CheckpointInfo]: ...
    async def load(self, session_id: str, checkpoint_id: str) -> CheckpointTuple | None: ...


class StateInspector:
    def __init__(
        self,
        session_id: str,
        turns: Turns,
        checkpoints: Checkpoints,
        monitor: StateMonitor,
        begin: Callable[[Turn, bool], Json],
    ) -> None:
        """`begin` makes the input of a turn; the flag says whether its session had no state before."""
        self.session_id = session_id
        self._turns = turns
        self._checkpoints = checkpoints
        self._monitor = monitor
        self._begin = begin

    async def turn(self, number: int | None = None) -> Turn:
        """The turn with this number, or the last."""
        before = None if number is None else number + 1
        found = await self._turns.list_turns(self.session_id, limit=1, before=before)
        if not found or (number is not None and found[0].number != number):
            raise SessionError(_NO_TURN, session=self.session_id, number=1 if number is None else number)
        return found[0]

    async def snapshots(self, number: int | None = None) -> list[Snapshot]:
        """The state after each node of the turn whose checkpoint is still kept, the first node first."""
        return (await self._read(await self.turn(number)))[0]

    async def field_history(self, field: str, number: int | None = None) -> list[FieldValue]:
        """`field` may go deeper with dots: `planning_state.execution_plan.0.agents`."""
        return history_of(await self._kept(number), field)

    async def diff(self, before: int, after: int) -> list[Difference]:
        """The differences between the states at the ends of two turns."""
        old, new = [(await self._kept(number))[-1] for number in (before, after)]
        return list(differences(plain_state(old.values), plain_state(new.values)))

    async def picture(self, number: int | None = None) -> TurnPicture:
        turn = await self.turn(number)
        snapshots, unreadable = await self._read(turn)
        return picture_of(turn, await self._turns.events(turn.turn_id), snapshots, self._monitor, unreadable)

    async def _kept(self, number: int | None) -> list[Snapshot]:
        turn = await self.turn(number)
        found, _ = await self._read(turn)
        if not found:
            raise SessionError(_NOT_KEPT, session=self.session_id, number=turn.number)
        return found

    async def _read(self, turn: Turn) -> tuple[list[Snapshot], int]:
        """A session's checkpoints lie turn by turn: reading ends where the turn begins."""
        found: list[CheckpointTuple] = []
        before: Snapshot | None = None
        unreadable = 0
        for info in await self._checkpoints.list(self.session_id):
            try:
                saved = await self._checkpoints.load(self.session_id, info.checkpoint_id)
            except RowRefused:
                unreadable += 1
                continue
            if saved is None or START_CHANNEL in saved.checkpoint["channel_values"]:
                continue  # the input of an earlier version, before it was part of the state
            if saved.checkpoint["channel_values"].get("turn_id") == turn.turn_id:
                found.append(saved)
            elif found:
                before = self._snapshot(info.checkpoint_id, "", None, _values(saved))
                break
        last = before or self._snapshot("", "", None, {})
        snapshots: list[Snapshot] = []
        for saved in reversed(found):
            snapshots += self._snapshots(saved, snapshots[-1] if snapshots else last, turn)
        return snapshots, unreadable

    def _snapshots(self, saved: CheckpointTuple, last: Snapshot, turn: Turn) -> Iterator[Snapshot]:
        """The states that a checkpoint holds: its own, and those of the nodes whose work joined its superstep, where the
        state that they began with is known."""
        checkpoint_id, values = saved.checkpoint["id"], _values(saved)
        parent = (saved.parent_config or {}).get("configurable", {}).get("checkpoint_id") or ""
        node = (
            START if saved.metadata.get("source") == "input" else last_node(saved.checkpoint["versions_seen"])
        )
        for joined in rows(mapping(saved.metadata).get(JOINED)):
            node = text(joined.get("followed_by")) or node
            if last.checkpoint_id not in (parent, checkpoint_id):
                continue
            if joined.get("node") == START:
                made = after(last.values, self._begin(turn, parent == ""))
            else:
                wrote = {name: values[name] for name in sequence(joined.get("fields")) if name in values}
                made = {**last.values, **wrote, "current_phase": text(joined.get("phase"))}
            last = self._snapshot(checkpoint_id, text(joined.get("node")), text(joined.get("at")), made)
            yield last
        yield self._snapshot(checkpoint_id, node, created_at(checkpoint_id), values)

    def _snapshot(self, checkpoint_id: str, node: str, at: str | None, values: Mapping[str, Any]) -> Snapshot:
        phase = text(values.get("current_phase"))
        return Snapshot(
            checkpoint_id, node, phase=phase, created_at=at, size=self._monitor.size(values), values=values
        )


def _values(saved: CheckpointTuple) -> dict[str, Any]:
    return {name: value for name, value in saved.checkpoint["channel_values"].items() if ":" not in name}


def last_node(versions_seen: Mapping[str, Mapping[str, Any]]) -> str:
    """Versions only grow, so the node that saw the newest one ran last."""
    seen = {
        node: max(versions.values())
        for node, versions in versions_seen.items()
        if versions and node != "__interrupt__"
    }
    newest = max(seen.values(), default=None)
    return ", ".join(sorted(node.strip("_") for node, version in seen.items() if version == newest))


def plain_state(values: Mapping[str, Any]) -> Json:
    """Messages as data, so that they can be compared and shown."""
    return {**values, "messages": [_message(m) for m in sequence(values.get("messages"))]}


def _message(message: Any) -> Any:
    if isinstance(message, Mapping):
        return message
    return {name: getattr(message, name, None) for name in ("type", "id", "content")}


def history_of(snapshots: Sequence[Snapshot], field: str) -> list[FieldValue]:
    """Empty for a field of the state that was never set."""
    found: list[FieldValue] = []
    last: Any = ABSENT
    for snapshot in snapshots:
        value = value_at(plain_state(snapshot.values), field)
        if value is not ABSENT and (last is ABSENT or content(value) != content(last)):
            found.append(FieldValue(snapshot.node, snapshot.created_at, value))
            last = value
    known = sorted({*GlobalSessionState.__annotations__, *(n for s in snapshots for n in s.values)})
    if field.partition(".")[0] not in known:
        raise InputRefused(_NO_FIELD, field=field, known=", ".join(known))
    return found


def value_at(value: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = mapping(value).get(part, ABSENT)
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(sequence(value)):
            value = sequence(value)[int(part)]
        else:
            return ABSENT
    return value


def differences(before: Any, after: Any, path: str = "", depth: int = MAX_DEPTH) -> Iterator[Difference]:
    """Compare as deep as both sides have the same shape."""
    if depth and isinstance(before, Mapping) and isinstance(after, Mapping):
        old, new = mapping(before), mapping(after)
        for key in sorted({*old, *new}, key=str):
            yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), _join(path, key), depth - 1)
    elif depth and isinstance(before, list | tuple) and isinstance(after, list | tuple):
        left, right = sequence(before), sequence(after)
        for place in range(max(len(left), len(right))):
            old, new = (side[place] if place < len(side) else ABSENT for side in (left, right))
            yield from differences(old, new, _join(path, place), depth - 1)
    elif isinstance(before, bool) != isinstance(after, bool) or content(before) != content(after):
        yield Difference(path, before, after)


def _join(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def picture_of(
    turn: Turn,
    events: Sequence[Json],
    snapshots: Sequence[Snapshot],
    monitor: StateMonitor,
    unreadable: int = 0,
) -> TurnPicture:
    end = turn.ended_at or (text(events[-1].get("timestamp")) if events else turn.started_at)
    outcome = turn.outcome
    return TurnPicture(
        turn=turn,
        seconds=max(0.0, seconds_between(turn.started_at, end)),
        phases=phases_by_node(snapshots) or phases_by_event(turn, events, end),
        nodes=_marks(snapshots, monitor),
        steps=_steps(turn, events),
        dependencies=_dependencies(outcome, events),
        events=list(events),
        artifacts=rows(outcome.get("artifacts"))
        or rows([event.get("artifact") for event in events if event["type"] == "artifact_ready"]),
        warnings=rows(outcome.get("warnings")),
        errors=rows(outcome.get("errors")),
        unreadable=unreadable,
    )


def phases_by_node(snapshots: Sequence[Snapshot]) -> list[PhaseSpan]:
    """Exact, as long as all the turn's checkpoints are kept: a node works in the phase that it found."""
    times = [snapshot.created_at for snapshot in snapshots]
    if len(snapshots) < 2 or snapshots[0].node != START or None in times:
        return []
    begin = text(times[0])
    spans = [
        (snapshot.phase, seconds_between(begin, text(start)), seconds_between(text(start), text(end)))
        for snapshot, start, end in zip(snapshots, times, times[1:], strict=False)
    ]
    return [PhaseSpan(phase, start, max(0.0, seconds)) for phase, start, seconds in spans]


PHASE_OF_EVENT = {
    "planning_start": "planning",
    "clarification_needed": "clarifying",
    "plan_ready": "planning",
    "execution_start": "executing",
    "replan": "planning",
    "response": "completed",
    "error": "completed",
}


def phases_by_event(turn: Turn, events: Sequence[Json], end: str) -> list[PhaseSpan]:
    """Coarser, but events are kept for as long as the turn is. A phase lasts until an event shows another."""
    starts: list[tuple[str, float]] = []
    for event in events:
        phase = _phase_of(event)
        if phase and (not starts or starts[-1][0] != phase):
            starts.append((phase, max(0.0, seconds_between(turn.started_at, event["timestamp"]))))
    last = max(0.0, seconds_between(turn.started_at, end))
    ends = [start for _, start in starts[1:]] + [last]
    return [
        PhaseSpan(phase, start, round(max(0.0, until - start), 3))
        for (phase, start), until in zip(starts, ends, strict=False)
    ]


def _phase_of(event: Mapping[str, Any]) -> str | None:
    if event["type"] == "clarification_needed" and event.get("kind") == "input":
        return "executing"
    return PHASE_OF_EVENT.get(event["type"])


def _marks(snapshots: Sequence[Snapshot], monitor: StateMonitor) -> list[NodeMark]:
    """A turn's first snapshot is compared with nothing: what came before it is another turn's."""
    before: Mapping[str, Any] = snapshots[0].values if snapshots else {}
    marks: list[NodeMark] = []
    for snapshot in snapshots:
        change = monitor.track_state_changes(before, snapshot.values, snapshot.created_at or "")
        marks.append(NodeMark(snapshot.node, change))
        before = snapshot.values
    return marks


def _steps(turn: Turn, events: Sequence[Json]) -> list[Json]:
    """The steps as the turn ended, or as they stood when it was cut off."""
    if turn.outcome.get("steps"):
        return rows(turn.outcome["steps"])
    seen = [event for event in events if event["type"] in {"todo_updated", "execution_start"}]
    return rows(seen[-1].get("steps")) if seen else []


def _dependencies(outcome: Mapping[str, Any], events: Sequence[Json]) -> dict[str, list[str]]:
    """The dependencies of all plan versions: a replan numbers its steps on."""
    found: dict[str, list[str]] = {}
    plans = [event for event in events if event["type"] == "plan_ready"]
    for source in (
        *(plan.get("steps") for plan in plans),
        mapping(outcome.get("plan")).get("execution_plan"),
    ):
        for step in rows(source):
            found[text(step.get("step_id"))] = [text(name) for name in sequence(step.get("dependencies"))]
    return found
