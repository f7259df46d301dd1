"""A small world to look at: three agents of which one may fail, on a clock that goes on as they work."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from metaagent.errors import Failed
from metaagent.global_state import BaseAgentState
from metaagent.plugin import Artifact, Capability, Result, Task, Text, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock, FakeReasoner

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from metaagent.plugin import AgentSpec, Context


class ExtraState(BaseAgentState):
    """The state of the agent `extra`."""

    remark: str


class World:
    """Behaviour of the agents from now on; a test changes it between turns."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.seconds = 1.0
        self.failing = False
        self.summary = "sales rose"
        self.data: Any = {"total": 42}

    def agents(self) -> list[AgentSpec]:
        return [self._figures(), self._drawing(), self._extra()]

    def _figures(self) -> AgentSpec:
        @agent(
            name="figures",
            description=Text(en="Figures", ko="수치"),
            capabilities=[Capability("figures", ko=("수치",), en=("figures",))],
            produces={"dataset": None},
        )
        async def figures(task: Task, ctx: Context) -> Result:
            self.clock.advance(self.seconds)
            if self.failing:
                raise Failed("no figures today")
            return Result(self.summary, 1.0, [Artifact("dataset", self.data, self.summary)])

        return figures

    def _drawing(self) -> AgentSpec:
        @agent(
            name="drawing",
            description=Text(en="A drawing", ko="그림"),
            capabilities=[Capability("drawing", ko=("그림",), en=("drawing",))],
            consumes=["dataset"],
            produces={"chart": None},
        )
        async def drawing(task: Task, ctx: Context) -> Result:
            self.clock.advance(0.5)
            return Result("drawn", 0.9, [Artifact("chart", {"bars": 3})])

        return drawing

    def _extra(self) -> AgentSpec:
        @agent(
            name="extra",
            description=Text(en="Something beside", ko="그 밖의 것"),
            capabilities=[Capability("extra", ko=("추가",), en=("extra",))],
            produces={"note": None},
            state=ExtraState,
        )
        async def extra(task: Task, ctx: Context) -> Result:
            return Result("noted", 0.8, [Artifact("note", "n")], state={"remark": "beside"})

        return extra

    @asynccontextmanager
    async def open(self, data: Path, settings: Mapping[str, Any] | None = None) -> AsyncGenerator[MetaAgent]:
        config = {"data_dir": data, "agents": {"allow": []}, **(settings or {})}
        reasoner = FakeReasoner({"required_capabilities": ["drawing", "extra"]})
        async with MetaAgent.open(config, agents=self.agents(), reasoner=reasoner, clock=self.clock) as app:
            yield app
