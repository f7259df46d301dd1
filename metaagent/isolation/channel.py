"""One talk with an isolated agent's process: the task goes out, port calls come in, one outcome ends it.

Nothing that the child says is believed: each message is parsed into a closed shape, and what does not fit ends the
talk. Calls are carried out against the real ports, and only those that the agent declared and was granted.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Mapping, Sequence
from typing import Annotated, Any, cast

import pydantic

from metaagent.config import Isolation
from metaagent.errors import AgentBroke, AgentCrashed, BadOutput, Text
from metaagent.isolation.frames import (
    CALLS,
    CALLS_AT_ONCE,
    HEADER,
    MAX_FRAME,
    SIGNALS,
    BadFrame,
    decode,
    decode_length,
    describe,
    encode,
    rebuild,
)
from metaagent.plugin import AgentSpec, Artifact, Context, Group, Result, Task
from metaagent.ports import PORTS

logger = logging.getLogger(__name__)

_MEMORY = Text(
    en="{agent} was stopped because it needed more than {memory_mb} MB of memory (agents.isolate.{agent}.memory_mb).",
    ko="{agent}이(가) 메모리 {memory_mb}MB를 넘게 써서 중단되었습니다(agents.isolate.{agent}.memory_mb).",
)
_NOT_SENT = Text(
    en="The task cannot be handed to the process of {agent}: {problem}.",
    ko="{agent} 프로세스에 작업을 넘길 수 없습니다: {problem}.",
)
_GARBAGE = Text(
    en="{agent} sent something that is not part of the protocol and was stopped: {problem}.",
    ko="{agent}이(가) 규약에 맞지 않는 것을 보내 중단되었습니다: {problem}.",
)
_DEFECT = Text(
    en="{agent} broke: {problem}. This is a defect of the agent; its log has the traceback.",
    ko="{agent}에서 오류가 났습니다: {problem}. 에이전트의 결함이며 자세한 내용은 로그에 있습니다.",
)
_BAD_OUTPUT = Text(
    en="{agent} returned something that does not fit its declaration: {problem}.",
    ko="{agent}의 결과가 선언과 맞지 않습니다: {problem}.",
)


def _start(
    spec: AgentSpec, target: str, limits: Isolation, hidden: Sequence[str], task: Task, ctx: Context
) -> dict[str, Any]:
    params = task.params
    if spec.params is not None:
        params = pydantic.TypeAdapter[Any](spec.params).dump_json(params, by_alias=True).decode()
    return {
        "target": target,
        "memory_mb": limits.memory_mb,
        "cpu_seconds": limits.cpu_seconds,
        "disk_mb": limits.disk_mb,
        "network": limits.network,
        "environment": {name: os.environ[name] for name in limits.environment if name in os.environ},
        "hidden": list(hidden),
        "task": {
            "description": task.description,
            "request": task.request,
            "params": params,
            "inputs": task.inputs,
            "answers": task.answers,
            "named": task.named,
        },
        "context": {
            "agent": ctx.agent,
            "shared": ctx.shared,
            "step_id": ctx.step_id,
            "turn_id": ctx.turn_id,
            "capability": ctx.capability,
            "needs": sorted(ctx.needs),
            "ports": sorted(ctx.needs & set(ctx.ports)),
            "withheld": ctx.withheld,
            "user": ctx.ports.get("user") if "user" in ctx.needs else None,
        },
    }


class _Closed(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class _ArtifactSent(_Closed):
    kind: str
    data: Any
    summary: str
    name: str
    media_type: str
    group: Group | None


class _ResultSent(_Closed):
    summary: str
    confidence: pydantic.FiniteFloat
    artifacts: list[_ArtifactSent]
    sources: list[dict[str, Any]]
    state: dict[str, Any]
    citations: list[dict[str, Any]]


class _ErrorSent(_Closed):
    """One of the framework's own errors (`code`), or any other (`raised`)."""

    raised: str = ""
    message: str = ""
    after: pydantic.FiniteFloat | None = None
    options: list[str] = []
    field: str = ""
    code: str | None = None
    en: str = ""
    ko: str = ""
    params: dict[str, Any] = {}


class _CallSent(_Closed):
    call: int | None = None
    port: str
    method: str
    args: list[Any]
    kwargs: dict[str, Any]


class _Message(_Closed):
    """Messages of a child: exactly one of these."""

    result: Any = None
    unfit: str | None = None
    out_of_memory: bool = False
    error: _ErrorSent | None = None
    defect: _ErrorSent | None = None
    traceback: Annotated[str, pydantic.Field(max_length=100_000)] = ""


class Conversation:
    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        spec: AgentSpec,
        ctx: Context,
        limits: Isolation,
        hidden: Sequence[str] = (),
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._spec = spec
        self._ctx = ctx
        self._limits = limits
        self._hidden = hidden
        self._under_way: set[asyncio.Task[None]] = set()
        self._sending = asyncio.Lock()
        self._held = 0
        self._room = asyncio.Event()

    async def hold(self, target: str, task: Task) -> Result:
        """Answer the child's calls until it gives its outcome."""
        try:
            start = encode(_start(self._spec, target, self._limits, self._hidden, task, self._ctx))
        except BadFrame as problem:
            raise AgentCrashed(_NOT_SENT, agent=self._spec.name, problem=str(problem)) from problem
        try:
            await self._send(start)
            while True:
                message, size = await self._receive()
                if "port" not in message:
                    return self._outcome(message)
                await self._take(_CallSent.model_validate(message), size)
        except (BadFrame, pydantic.ValidationError) as problem:
            raise AgentCrashed(_GARBAGE, agent=self._spec.name, problem=_first_line(problem)) from problem
        finally:
            for call in self._under_way:
                call.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _receive(self) -> tuple[dict[str, Any], int]:
        size = decode_length(await self._reader.readexactly(HEADER.size))
        while self._held and self._held + size > MAX_FRAME:
            self._room.clear()
            await self._room.wait()
        return decode(await self._reader.readexactly(size)), size

    async def _send(self, frame: bytes) -> None:
        async with self._sending:
            self._writer.write(frame)
            await self._writer.drain()

    async def _take(self, call: _CallSent, size: int) -> None:
        """Calls run side by side. Reading waits for them only while they hold much, never for the child to read."""
        if len(self._under_way) >= 2 * CALLS_AT_ONCE:
            raise BadFrame(f"more than {CALLS_AT_ONCE} calls at once")
        self._held += size
        task = asyncio.create_task(self._answer(call, size))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        if call.call is None:
            await task

    async def _answer(self, call: _CallSent, size: int) -> None:
        try:
            frame = encode({"reply": call.call, "value": await self._call(call)})
        except Exception as error:  # noqa: BLE001 - a port may raise anything: it is the agent's to handle
            frame = encode({"reply": call.call, "error": describe(error)})
        call.args.clear()
        self._held -= size
        self._room.set()
        if call.call is not None:
            with contextlib.suppress(ConnectionError):
                await self._send(frame)

    async def _call(self, call: _CallSent) -> Any:
        if call.port not in PORTS:
            raise AttributeError(f"ctx has no {call.port}")
        port: Any = getattr(self._ctx, call.port)  # refuses, and records, what is not given
        if call.method not in CALLS.get(call.port, ()):
            raise AttributeError(f"ctx.{call.port} has no {call.method}")
        answer: object = getattr(port, call.method)(*call.args, **call.kwargs)
        return await cast("Awaitable[Any]", answer) if isinstance(answer, Awaitable) else answer

    def _outcome(self, message: Mapping[str, Any]) -> Result:
        said = _Message.model_validate(message)
        agent = self._spec.name
        if said.out_of_memory:
            raise AgentCrashed(_MEMORY, agent=agent, memory_mb=self._limits.memory_mb)
        if said.error is not None:
            if said.error.code is None and said.error.raised not in SIGNALS:
                raise BadFrame(f"{said.error.raised!r} is not a word for failure")
            raise rebuild(said.error.model_dump(exclude_none=True))
        if said.defect is not None:
            raise self._defect(said.defect, said.traceback)
        if said.unfit is not None:
            raise BadOutput(_BAD_OUTPUT, agent=agent, problem=said.unfit)
        return self._result(said.result)

    def _defect(self, sent: _ErrorSent, trace: str) -> Exception:
        if sent.raised == "TimeoutError":
            return TimeoutError(sent.message)  # a passing fault, as when the agent runs in the service
        logger.error("agent %s broke in step %s\n%s", self._spec.name, self._ctx.step_id, trace)
        return AgentBroke(_DEFECT, agent=self._spec.name, problem=f"{sent.raised}: {sent.message}")

    def _result(self, sent: object) -> Result:
        try:
            result = _ResultSent.model_validate(sent)
        except pydantic.ValidationError as error:
            raise BadOutput(_BAD_OUTPUT, agent=self._spec.name, problem=_first_line(error)) from error
        artifacts = tuple(Artifact(**vars(sent)) for sent in result.artifacts)
        return Result(
            result.summary,
            result.confidence,
            artifacts=artifacts,
            sources=result.sources,
            state=result.state,
            citations=result.citations,
        )


def _first_line(problem: Exception) -> str:
    if isinstance(problem, pydantic.ValidationError):
        first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return str(problem)
