"""Keeps a session's state small, whatever the session lives through. Pure: it says what is to change.

Messages beyond the bound become one running summary; agent results beyond the bound go; large values are replaced
by a reference, and `moved` says what has to be stored under it. What went is in the session's history and artifacts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from typing import Any, cast

import orjson
from langchain_core.messages import AIMessage, AnyMessage

from metaagent.global_state import OVERWRITE, REDUCED

SUMMARY = "summary"
"""The name and id of the message that stands for those that have left the state."""

LEFT_ALONE = frozenset({"messages", "final_response", "planning_state"})
"""Messages are cut by their own rule; the answer and the plan are what they are."""

SMALLEST_MOVED = 256
FEW = 4
"""Parts of one value that are moved one by one."""

CUT_TO = 200
EXCERPT = 20
"""Characters that stay of a message, and of any other text, whose whole is elsewhere."""

_RESULTS = ("completed_tasks", "failed_tasks")
_RESULTS_BY_STEP = ("final_results", "quality_scores", "validation_results")
_KEYED = frozenset({"agent_states", "execution_manager_state"})
"""Maps by agent or step: others look things up in them, so only what lies below an entry is moved."""

Json = dict[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class StateLimits:
    messages: int = 50
    messages_kept: int = 30
    """Messages left when the bound is reached: fewer, so that a summary is written now and then, not every turn."""
    message_bytes: int = 16_000
    """The bound of all messages together: every checkpoint that is kept has a copy of them."""
    results: int = 100
    value_bytes: int = 64_000
    warn_bytes: int = 1_000_000
    max_bytes: int = 2_000_000
    summary_chars: int = 4_000


@dataclass(frozen=True)
class Moved:
    """A value that leaves the state for the artifact store."""

    path: str
    value: Any
    size: int


@dataclass(frozen=True)
class Optimized:
    update: Json
    """The partial update; empty if there is nothing to do."""
    size: int
    """Bytes of the state after the update."""
    removed: Sequence[AnyMessage] = ()
    moved: Sequence[Moved] = ()
    large: bool = False


def content_id(moved: Moved) -> str:
    """A name made from the content."""
    return f"v{sha256(_dumped(moved.value)).hexdigest()[:31]}"


class StateOptimizer:
    def __init__(self, limits: StateLimits | None = None) -> None:
        self.limits = limits or StateLimits()

    def excess(self, state: Mapping[str, Any]) -> list[AnyMessage]:
        """The messages to be summarised: neither the first, nor the newest, nor the summary so far."""
        messages = _messages(state)
        newest = self._newest(messages)
        return [message for message in messages[1:-newest] if not is_summary(message)] if newest else []

    def _newest(self, messages: Sequence[AnyMessage]) -> int:
        """Count how many of the newest stay if the others are to go; 0 if all may stay."""
        limits = self.limits
        sizes = [min(_size(message), limits.value_bytes) for message in messages]
        # One place stays free for the question of the next turn.
        if len(messages) < limits.messages and sum(sizes) <= limits.message_bytes:
            return 0
        most = max(min(limits.messages_kept, limits.messages - 1) - 2, 1)
        held = list(accumulate(reversed(sizes)))
        fitting = sum(size <= limits.message_bytes // 2 for size in held)
        # An exchange stays whole; with nothing between it and the first message there is nothing to sum up.
        kept = max(min(most, fitting), min(2, most))
        return kept if len(messages) > kept + 2 else 0

    def optimize(
        self,
        state: Mapping[str, Any],
        summary: str = "",
        refer: Callable[[Moved], str] = content_id,
    ) -> Optimized:
        """Say what is to change. `summary` stands for what `excess` names; `refer` gives the id under which a moved
        value is stored."""
        shaped = _Shaped(state)
        removed = self._shorten(shaped, summary)
        self._drop_results(shaped)
        moved = self._move(shaped, refer)
        size = shaped.size()
        return Optimized(shaped.update(), size, removed, moved, size > self.limits.warn_bytes)

    def _shorten(self, shaped: _Shaped, summary: str) -> list[AnyMessage]:
        removed = self.excess(shaped.state)
        if not removed:
            return []
        gone = {id(message) for message in removed}
        first, *rest = (m for m in _messages(shaped.state) if id(m) not in gone and not is_summary(m))
        told = AIMessage(content=summary[: self.limits.summary_chars], id=SUMMARY, name=SUMMARY)
        shaped.put("messages", [first, told, *rest])
        return removed

    def _drop_results(self, shaped: _Shaped) -> None:
        most = self.limits.results
        manager: Json = shaped.state.get("execution_manager_state") or {}
        kept: Json = {name: manager[name][-most:] for name in _RESULTS if _many(manager.get(name), most)}
        for name in _RESULTS_BY_STEP:
            if _many(manager.get(name), most):
                newest = sorted(manager[name], key=lambda step: (len(step), step))[-most:]
                kept[name] = {step: manager[name][step] for step in newest}
        if kept:
            shaped.put("execution_manager_state", {**manager, **kept})
        agents: Mapping[str, Any] = shaped.state.get("agent_states") or {}
        if len(agents) > most:
            newest = sorted(agents, key=lambda name: (str((agents[name] or {}).get("end_time")), name))[
                -most:
            ]
            shaped.put("agent_states", {name: agents[name] for name in agents if name in set(newest)})

    def _move(self, shaped: _Shaped, refer: Callable[[Moved], str]) -> list[Moved]:
        """Move values that are too large; then, while the state is over its bound, smaller and smaller ones."""
        moved: list[Moved] = []
        threshold = self.limits.value_bytes
        while True:
            if shaped.largest() >= threshold or threshold < self.limits.value_bytes:
                moved += _moved_from(shaped, threshold, refer)
                # The whole of a message is in the session's history.
                messages: list[AnyMessage] = list(shaped.get("messages") or ())
                shorter = [_cut(message, threshold) for message in messages]
                if any(a is not b for a, b in zip(messages, shorter, strict=True)):
                    shaped.put("messages", shorter)
            if shaped.size() <= self.limits.max_bytes or threshold <= SMALLEST_MOVED:
                return moved
            threshold = max(threshold // 4, SMALLEST_MOVED)


class _Shaped:
    """A state and what is to change in it. The state itself is never touched."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.state = state
        self.changed: Json = {}
        self._sizes: dict[str, int] = {}
        self._unmeasured = set(state)

    def get(self, name: str) -> Any:
        return self.changed.get(name, self.state.get(name))

    def put(self, name: str, value: Any) -> None:
        self.changed[name] = value
        self._unmeasured.add(name)

    def size(self) -> int:
        return sum(self._measured())

    def largest(self) -> int:
        """The size of the largest field: no value inside can be larger."""
        return max(self._measured(), default=0)

    def _measured(self) -> Collection[int]:
        now = {**self.state, **self.changed}
        for name in self._unmeasured:
            value = now[name]
            self._sizes[name] = sum(map(_size, value or ())) if name == "messages" else len(_dumped(value))
        self._unmeasured.clear()
        return self._sizes.values()

    def update(self) -> Json:
        return {
            name: {OVERWRITE: value} if name in REDUCED else value for name, value in self.changed.items()
        }


def size_of(value: object) -> int:
    return len(_dumped(value))


def is_summary(message: AnyMessage) -> bool:
    return message.id == SUMMARY


def _many(value: Any, most: int) -> bool:
    return isinstance(value, list | dict) and len(cast("list[Any]", value)) > most


def _dumped(value: object) -> bytes:
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)


def _messages(state: Mapping[str, Any]) -> list[AnyMessage]:
    return list(state.get("messages") or ())


def _size(message: AnyMessage) -> int:
    return 64 + len(str(message.content).encode())


def _cut(message: AnyMessage, threshold: int) -> AnyMessage:
    content = message.content if isinstance(message.content, str) else str(message.content)
    size = len(content.encode())
    if size < threshold or is_summary(message):
        return message
    return message.model_copy(
        update={"content": f"{content[: min(CUT_TO, threshold // 8)]} […{size:,} bytes]"}
    )


def _moved_from(shaped: _Shaped, threshold: int, refer: Callable[[Moved], str]) -> list[Moved]:
    moved: list[Moved] = []
    for name in shaped.state:
        # What held a large value may be too large even without it: until nothing is found.
        while name not in LEFT_ALONE and (found := list(_large(shaped.get(name), (name,), threshold))):
            for path, value, size in found:
                item = Moved(".".join(map(str, path)), value, size)
                place = reference(value, refer(item), size)
                shaped.put(name, _replaced(shaped.get(name), path[1:], place))
                moved.append(item)
    return moved


def _large(value: Any, path: Path, threshold: int) -> Iterator[tuple[Path, Any, int]]:
    """The smallest values that are still too large: a few parts instead of the whole, the whole instead of many."""
    size = size_of(value) if isinstance(value, str | list | dict) else 0
    if size < threshold:
        return
    parts = [inner for key, item in _items(value) for inner in _large(item, (*path, key), threshold)]
    if (not parts or len(parts) > FEW) and _movable(value, path):
        yield path, value, size
    else:
        yield from parts


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        yield from enumerate(cast("list[Any]", value))


def _movable(value: Any, path: Path) -> bool:
    """Say whether a value may move. A map that others look things up in keeps its shape; a value that is not movable
    may go with the list that holds it."""
    if isinstance(value, dict):
        above = 4 if path[0] == "execution_manager_state" else 3 if path[0] in _KEYED else 2
        return len(path) >= above and not isinstance(path[-1], int)
    if isinstance(value, list):
        return path[0] != "execution_steps" and path[1:] not in {(name,) for name in _RESULTS}
    return len(path) > 1


def reference(value: Any, artifact_id: str, size: int) -> Any:
    """Stands where the value stood, and is of the same type."""
    if isinstance(value, str):
        return f"{value[:EXCERPT]}… [artifact {artifact_id}]"
    about = {"artifact_id": artifact_id, "size": size}
    if not isinstance(value, list):
        return about
    texts = all(isinstance(item, str) for item in cast("list[Any]", value))
    return [f"[artifact {artifact_id}]"] if texts else [about]


def _replaced(value: Any, path: Path, new: Any) -> Any:
    """A copy of what lies on the way; the rest is shared."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {**value, key: _replaced(value[key], rest, new)}
    assert isinstance(key, int)
    items = list(cast("list[Any]", value))
    items[key] = _replaced(items[key], rest, new)
    return items
