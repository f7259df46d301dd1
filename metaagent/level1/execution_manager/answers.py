"""Answers of a person to the agents of one step. An answer goes to the agent whose question it answers, and to no other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt

_TO = "answer_to"
GATE = "compliance.override"
"""Asks in place of an agent that may not start: no agent has such a name."""
SHOWN = "session.approve"
"""Asks in place of an agent whose work is shown first."""


_waits: ContextVar[bool] = ContextVar("waits", default=False)


class Asked(GraphBubbleUp):
    """A step asks a person where no LangGraph task waits for the answer: nothing of it is stored."""

    def __init__(self, question: dict[str, Any]) -> None:
        super().__init__()
        self.question = question


@contextmanager
def may_wait() -> Generator[None]:
    """Within a LangGraph task of its own a step may wait for an answer."""
    before = _waits.set(True)
    try:
        yield
    finally:
        _waits.reset(before)


def addressed(question: Mapping[str, Any], answer: Any) -> Any:
    """The answer as a waiting step is resumed with it: with the name of the agent that asked."""
    asks = {"input": question.get("agent"), "override": GATE}
    if question.get("step_id"):  # of one step; a whole plan is decided on before there are steps at work
        asks["approval"] = SHOWN
    asked_by = asks.get(question.get("kind", ""))
    return answer if asked_by is None else {_TO: asked_by, "answer": answer}


class Answers:
    """A step that waited runs again from its top and hears the answers again in the order in which they were given. An
    agent that asked may have been switched off since; then the one in its place must not hear what was meant for it."""

    def __init__(self) -> None:
        self._heard: dict[str, list[Any]] = defaultdict(list)
        self._given: dict[str, int] = defaultdict(int)
        self._fields: dict[str, list[str]] = defaultdict(list)

    def to(self, agent: str) -> tuple[Any, ...]:
        return tuple(self._heard[agent][: self._given[agent]])

    def named(self, agent: str) -> dict[str, Any]:
        """The newest answer for each field that the agent asked for by name."""
        return {
            name: answer for name, answer in zip(self._fields[agent], self.to(agent), strict=True) if name
        }

    def times(self, agent: str, field: str) -> int:
        """Count the answers to questions for this field."""
        return self._fields[agent].count(field) if field else 0

    def wait_for(self, agent: str, question: Mapping[str, Any]) -> None:
        """Give the agent one answer more. Raises GraphInterrupt until the person has answered, or Asked where nobody
        can wait yet."""
        while len(self._heard[agent]) <= self._given[agent]:
            if not _waits.get():
                raise Asked(dict(question))
            whom, answer = _read(interrupt(dict(question)), agent)
            self._heard[whom].append(answer)
        self._given[agent] += 1
        self._fields[agent].append(str(question.get("field") or ""))


def _read(given: Any, agent: str) -> tuple[str, Any]:
    """Turns that were resumed by older versions have answers without a name."""
    if isinstance(given, dict) and _TO in given:
        named = cast("dict[str, Any]", given)
        return str(named[_TO]), named["answer"]
    return agent, given
