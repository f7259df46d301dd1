"""Agents and applications for the tests of planning and execution."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import Json, User
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock

Work = Callable[[Task, Context], Awaitable[Result | None]]


@dataclass(frozen=True)
class Size:
    """Parameters of an agent that draws."""

    width: int = 3
    mode: Literal["wide", "narrow"] = "wide"


@dataclass
class Calls:
    """Agents that ran, in the order in which they started."""

    names: list[str] = field(default_factory=list[str])

    def count(self, name: str) -> int:
        return self.names.count(name)


@dataclass
class Gate:
    """A place in an agent at which the test holds it."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def hold(self, task: Task, ctx: Context) -> Result | None:
        self.reached.set()
        await self.opened.wait()


async def never(task: Task, ctx: Context) -> Result | None:
    await asyncio.Event().wait()


def good(name: str, *kinds: str) -> Result:
    return Result(f"{name} is done", 1.0, [Artifact(kind, {"by": name}) for kind in kinds])


def make_agent(
    name: str,
    work: Work | None = None,
    *,
    does: str = "",
    makes: Sequence[str] = (),
    takes: Sequence[str] = (),
    calls: Calls | None = None,
    **options: Any,
) -> AgentSpec:
    """Does what `work` does; if that returns nothing, it succeeds. Asked for by the word `does`, its name if empty."""
    kinds = tuple(makes) or (f"{name}_made",)
    capability = Capability(does or name, ko=(does or name,), en=(does or name,))

    async def run(task: Task, ctx: Context) -> Result:
        if calls is not None:
            calls.names.append(name)
        found = await work(task, ctx) if work is not None else None
        return found or good(name, *kinds)

    options.setdefault("retries", 0)
    return agent(name=name, capabilities=[capability], produces=kinds, consumes=takes, **options)(run)


def raising(error: BaseException) -> Work:
    async def work(task: Task, ctx: Context) -> Result | None:
        raise error

    return work


@asynccontextmanager
async def opened(
    folder: Path, *agents: AgentSpec, clock: FakeClock | None = None, **settings: Any
) -> AsyncGenerator[MetaAgent]:
    """Nobody is asked to approve unless the test says so."""
    rules = {"allow": [], **settings.pop("agents", {})}
    given: dict[str, Any] = {"data_dir": folder, "approval": {"mode": "never"}, "agents": rules, **settings}
    async with MetaAgent.open(given, agents=agents, clock=clock) as app:
        yield app


async def events_of(app: MetaAgent, answer: Answer, user: User | None = None) -> list[Json]:
    return [event async for event in app.events(answer.turn_id, user=user)]


def results_of(answer: Answer) -> dict[str, Mapping[str, Any]]:
    """The steps by agent; those that nobody ran by their id."""
    return {step["agent_name"] or step["step_id"]: step for step in answer.content["steps"]}


def statuses(answer: Answer) -> dict[str, str]:
    return {name: step["status"] for name, step in results_of(answer).items()}


async def running_session(app: MetaAgent) -> tuple[str, str]:
    """(session, turn) of the one that was asked last."""
    session = (await app.sessions())[0].session_id
    return session, (await app.turns(session))[0].turn_id


async def until_step(app: MetaAgent, turn_id: str, step_id: str, status: str) -> None:
    async for event in app.events(turn_id):
        steps = event.get("steps") if event["type"] == "todo_updated" else ()
        if any(s["step_id"] == step_id and s["status"] == status for s in steps or ()):
            return
    raise AssertionError(f"{step_id} never became {status}")
