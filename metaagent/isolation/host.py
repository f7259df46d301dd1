"""Agents in processes of their own: the service's side. Whatever such an agent does ends as the outcome of its step.

The child gets the task and proxies of its ports; its calls are carried out here, against the real ports, and only
those that the agent declared and was granted. See `child_main` for the other side.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from metaagent.child.calling import KEPT_ENVIRONMENT
from metaagent.config import Isolation, Settings
from metaagent.errors import AgentCrashed, Text
from metaagent.isolation.channel import Conversation
from metaagent.isolation.declare import read_declaration
from metaagent.isolation.frames import READY, REQUEST
from metaagent.plugin import AgentSpec, Context, Result, Task
from metaagent.registry import LoadProblem, Registry

logger = logging.getLogger(__name__)

START_SECONDS = 60.0
END_SECONDS = 10.0

DIES_WITHOUT_MEMORY = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS})
"""Signals by which code written in C often ends when it gets no memory."""

_CPU = Text(
    en="{agent} was stopped because it used more than {cpu_seconds} seconds of CPU time "
    "(agents.isolate.{agent}.cpu_seconds).",
    ko="{agent}이(가) CPU 시간 {cpu_seconds}초를 넘게 써서 중단되었습니다(agents.isolate.{agent}.cpu_seconds).",
)
_GROUP_MEMORY = Text(
    en="{agent} was stopped because its processes together used more than {memory_mb} MB of memory "
    "(agents.isolate.{agent}.memory_mb).",
    ko="{agent}의 프로세스들이 메모리를 모두 합쳐 {memory_mb}MB 넘게 써서 중단되었습니다(agents.isolate.{agent}.memory_mb).",
)
_EXITED = Text(
    en="The process of {agent} ended with exit code {code} and without a result.",
    ko="{agent} 프로세스가 결과 없이 종료 코드 {code}(으)로 끝났습니다.",
)
_KILLED = Text(
    en="The process of {agent} was ended by {signal} and gave no result.",
    ko="{agent} 프로세스가 {signal} 신호로 끝나 결과를 내지 못했습니다.",
)
_KILLED_PERHAPS_MEMORY = Text(
    en="The process of {agent} was ended by {signal}, probably because its {memory_mb} MB of memory ran out "
    "(agents.isolate.{agent}.memory_mb).",
    ko="{agent} 프로세스가 {signal} 신호로 끝났습니다. 메모리 {memory_mb}MB가 모자랐던 것 같습니다"
    "(agents.isolate.{agent}.memory_mb).",
)
_NO_HOST = Text(
    en="{agent} could not be run in a process of its own: {problem}. The next step tries again.",
    ko="{agent}을(를) 별도 프로세스에서 실행하지 못했습니다: {problem}. 다음 단계에서 다시 시도합니다.",
)
_NOT_FINDABLE = Text(
    en="agents.isolate names it, but a child process cannot import it: {place} is not a module's attribute. "
    "Move the agent to the top level of an importable module (not the main program), or take it out of agents.isolate.",
    ko="agents.isolate에 있지만 자식 프로세스가 가져올 수 없습니다: {place}은(는) 모듈의 속성이 아닙니다. "
    "에이전트를 (주 프로그램이 아닌) 모듈의 최상위로 옮기거나 agents.isolate에서 빼세요.",
)
_NO_SUCH_AGENT = Text(
    en="agents.isolate names it, but no such agent is loaded: correct the name or remove it.",
    ko="agents.isolate에 있지만 그런 에이전트가 없습니다. 이름을 고치거나 지우세요.",
)
_NOT_HERE = Text(
    en="agents.isolate names it, but isolation needs Linux and this is {platform}: take it out of agents.isolate.",
    ko="agents.isolate에 있지만 격리는 Linux에서만 됩니다(현재 {platform}). agents.isolate에서 빼세요.",
)


def declared_elsewhere(settings: Settings) -> Callable[[str], AgentSpec]:
    """Make the reader of declarations of isolated agents, which does not import them here."""
    hidden = hidden_from_agents(settings)
    return lambda target: read_declaration(target.split("[")[0].strip(), _environment(os.environ), hidden)


def hidden_from_agents(settings: Settings) -> tuple[str, ...]:
    """Paths that no isolated agent may read where the machine can hide them: the data directory and the file of the KEK."""
    provider, _, place = (settings.keys.provider or "").partition(":")
    files = [place] if provider == "file" else []
    return tuple(os.path.abspath(path) for path in (settings.data_dir, *files))  # noqa: PTH100 - resolves no links


# --- which agents, and where a child finds them ----------------------------------------------------------


def isolated(registry: Registry, rules: Mapping[str, Isolation], host: ChildHost) -> Registry:
    """The agents named by `rules` run by `host`. One that cannot be isolated is not run at all: it is a problem."""
    agents = dict(registry.agents)
    problems = list(registry.problems)
    for name, limits in rules.items():
        wrapped = _wrapped(agents.pop(name, None), registry.targets.get(name), limits, host)
        if isinstance(wrapped, AgentSpec):
            agents[name] = wrapped
        else:
            problems.append(LoadProblem(name, registry.packages.get(name, "agents.isolate"), *wrapped))
    return replace(registry, agents=agents, problems=tuple(problems))


def _wrapped(
    spec: AgentSpec | None, entry_point: str | None, limits: Isolation, host: ChildHost
) -> AgentSpec | tuple[Text, dict[str, Any]]:
    if spec is None:
        return _NO_SUCH_AGENT, {}
    if sys.platform != "linux":
        return _NOT_HERE, {"platform": sys.platform}
    target = target_of(spec, entry_point)
    if target is None:
        name = getattr(spec.run, "__qualname__", repr(spec.run))
        return _NOT_FINDABLE, {"place": f"{spec.run.__module__}.{name}"}

    async def run(task: Task, ctx: Context) -> Result:
        return await host.run(spec, target, limits, task, ctx)

    return replace(spec, run=run)


def target_of(spec: AgentSpec, entry_point: str | None = None) -> str | None:
    """`module:attribute` under which another process can import the agent, if there is one."""
    if entry_point is not None:
        return entry_point.split("[")[0].strip()
    module = spec.run.__module__
    if module == "__main__" or module not in sys.modules:
        return None
    names = vars(sys.modules[module]).items()
    return next((f"{module}:{name}" for name, value in names if value is spec), None)


# --- the process that forks ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ending:
    """The end of a child's process; a negative code is a signal."""

    code: int
    cpu_seconds: float
    memory_mb: float
    too_much: bool
    """Its processes together used more memory than they may."""


@dataclass(frozen=True)
class Child:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status_reader: asyncio.StreamReader
    status_writer: asyncio.StreamWriter
    give_up: Callable[[], None]
    """Ends the process that forks, if it does not do its work: all children die with it."""

    async def end(self) -> Ending | None:
        """Kill what is left of it, and return when it is reaped. None if nobody can tell how it ended."""
        self.writer.close()
        with contextlib.suppress(OSError):
            self.status_writer.write_eof()
        try:
            async with asyncio.timeout(END_SECONDS):
                told = (await self.status_reader.read()).split()
        except TimeoutError:
            told = []
            self.give_up()
        except ConnectionError:
            told = []
        finally:
            self.status_writer.close()
        if len(told) != 4:
            return None
        return Ending(int(told[0]), float(told[1]), float(told[2]), told[3] == b"1")


class ChildHost:
    """Keeps the process that forks the children; starts it again if it is gone."""

    def __init__(self, hidden: Sequence[str] = (), preloaded: Sequence[str] = ()) -> None:
        """`preloaded` are packages of the installation that its children need: forked, not imported again."""
        self._hidden = hidden
        self._preloaded = preloaded
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None

    async def start(self) -> None:
        """Ready before the first step needs it: the start is not to count as the agent's time."""
        async with self._lock:
            try:
                await self._started()
            except (OSError, TimeoutError) as problem:
                logger.warning("isolated agents cannot run yet: %s", problem)

    async def close(self) -> None:
        async with self._lock:
            await self._stop()

    async def run(self, spec: AgentSpec, target: str, limits: Isolation, task: Task, ctx: Context) -> Result:
        try:
            child = await self._fork(limits.memory_mb)
        except (OSError, TimeoutError) as problem:
            raise AgentCrashed(_NO_HOST, agent=spec.name, problem=str(problem)) from problem
        try:
            talk = Conversation(
                child.reader, child.writer, spec=spec, ctx=ctx, limits=limits, hidden=self._hidden
            )
            return await talk.hold(target, task)
        except (ConnectionError, asyncio.IncompleteReadError):
            logger.debug("agent %s ended without an outcome", spec.name)
        finally:
            ending = await child.end()
        raise _crash(spec, limits, ending)

    async def _fork(self, memory_mb: int) -> Child:
        async with self._lock:
            try:
                return await self._request(await self._started(), memory_mb)
            except ConnectionError:
                await self._stop()
                return await self._request(await self._started(), memory_mb)

    async def _started(self) -> socket.socket:
        if self._control is not None and self._process is not None and self._process.returncode is None:
            return self._control
        await self._stop()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._control = ours
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "metaagent.isolation.main", str(theirs.fileno())),
                *self._preloaded,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env=_environment(os.environ),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        async with asyncio.timeout(START_SECONDS):
            said = await asyncio.get_running_loop().sock_recv(ours, READY.size)
        if len(said) != READY.size:
            raise ConnectionError("its process did not start")
        if not all(READY.unpack(said)):
            logger.warning(
                "isolated agents run with fewer walls than they could: `metaagent doctor` says which"
            )
        return ours

    async def _request(self, control: socket.socket, memory_mb: int) -> Child:
        ours, theirs = socket.socketpair()
        status_ours, status_theirs = socket.socketpair()
        try:
            with theirs, status_theirs:
                socket.send_fds(control, [REQUEST.pack(memory_mb)], [theirs.fileno(), status_theirs.fileno()])
            reader, writer = await asyncio.open_unix_connection(sock=ours)
            status_reader, status_writer = await asyncio.open_unix_connection(sock=status_ours)
        except BaseException:
            ours.close()
            status_ours.close()
            raise
        return Child(reader, writer, status_reader, status_writer, partial(_kill, self._process))

    async def _stop(self) -> None:
        control, process = self._control, self._process
        self._control = self._process = None
        if control is not None:
            control.close()
        if process is None:
            return
        try:
            async with asyncio.timeout(END_SECONDS):
                await process.wait()
        except TimeoutError:
            _kill(process)
            await process.wait()


def _kill(process: asyncio.subprocess.Process | None) -> None:
    if process is not None and process.returncode is None:
        process.kill()


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    kept = {name: environment[name] for name in KEPT_ENVIRONMENT if name in environment}
    path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100 - resolves no links
    return {**kept, "PYTHONPATH": path, "MALLOC_ARENA_MAX": "2"}


def _crash(spec: AgentSpec, limits: Isolation, ending: Ending | None) -> AgentCrashed:
    if ending is None:
        return AgentCrashed(_NO_HOST, agent=spec.name, problem="the process that starts it is gone")
    if ending.too_much:
        return AgentCrashed(_GROUP_MEMORY, agent=spec.name, memory_mb=limits.memory_mb)
    used_up = -ending.code == signal.SIGKILL and ending.cpu_seconds >= limits.cpu_seconds
    if -ending.code == signal.SIGXCPU or used_up:
        return AgentCrashed(_CPU, agent=spec.name, cpu_seconds=limits.cpu_seconds)
    if ending.code >= 0:
        return AgentCrashed(_EXITED, agent=spec.name, code=ending.code)
    text = _KILLED
    if -ending.code in DIES_WITHOUT_MEMORY and ending.memory_mb > limits.memory_mb / 2:
        text = _KILLED_PERHAPS_MEMORY
    name = _signal_name(-ending.code)
    return AgentCrashed(text, agent=spec.name, signal=name, memory_mb=limits.memory_mb)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
