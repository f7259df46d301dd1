"""The process beside the service, which has imported the plugin API and forks for each isolated step.

    python -m metaagent.isolation.main FD [MODULE...]

Importing the plugin API takes longer than most steps; forking a process that has it takes milliseconds. The modules are
imported beforehand, too: packages of the installation that many steps need, never an agent's own. The process
is single-threaded and runs no agent code itself. For each request it gets two sockets over FD: one that the child
speaks to the service through, and one on which the service is told how the child ended. When the service closes the
latter, the child is killed with everything that it started; when the service is gone, all are.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import resource
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pydantic

from metaagent.child.containment import Walls, contain, tried
from metaagent.child.limits import OPEN_FILES, PR_SET_PDEATHSIG, lower, prctl
from metaagent.errors import AgentSignal, MetaAgentError
from metaagent.isolation.frames import READY, REQUEST, BadFrame, describe, encode, plain_or_text
from metaagent.isolation.ports import PROXIES, Channel
from metaagent.plugin import AgentSpec, Context, Result, Task

PROTOCOL_FD = 3
MOST_FILES = 65_536
MORE_PROCESSES = 64
"""Processes and threads that an agent may have beyond those its user has already (not enforced for root)."""

PR_SET_CHILD_SUBREAPER = 36
WATCH_SECONDS = 0.1
"""The time between two looks at the memory of a child and all that it started."""

OUT_OF_MEMORY = encode({"out_of_memory": True})
"""Made beforehand: there may be no memory to make it when it is needed."""


# --- the process that forks ------------------------------------------------------------------------------


@dataclass
class Running:
    pid: int
    exited: int
    status: socket.socket
    folder: str
    memory_mb: int
    too_much: bool = False


class Nursery:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, Running] = {}
        self._out_of_reach: set[int] = set()
        self._walls = Walls()

    def serve(self) -> None:
        """Until the service is gone."""
        walls = self._walls = tried()
        self._selector.register(self._control, selectors.EVENT_READ, None)
        self._control.sendall(READY.pack(walls.network, walls.files, walls.processes))
        while True:
            for key, _ in self._selector.select(WATCH_SECONDS if self._running else None):
                if key.data is None:
                    if not self._request():
                        self._kill_all()
                        return
                elif key.data in self._running:
                    running = self._running[key.data]
                    if key.fd == running.exited:
                        self._ended(running)
                    else:
                        self._selector.unregister(running.status)
                        _kill(running.pid)
            self._watch_memory()

    def _request(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, REQUEST.size, 2)
        except ConnectionError:
            return False
        try:
            if len(fds) == 2:
                self._fork(fds[0], os.dup(fds[1]), *REQUEST.unpack(message))
        except OSError:
            pass  # no process or descriptor left: the service sees the sockets closed, and the step fails
        finally:
            for fd in fds:
                os.close(fd)
        return bool(message)

    def _fork(self, protocol: int, status: int, memory_mb: int) -> None:
        with contextlib.ExitStack() as undo:
            told = undo.enter_context(socket.socket(fileno=status))
            folder = tempfile.mkdtemp(prefix="metaagent-")
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
            pid = os.fork()
            if pid == 0:
                run_child(protocol, folder, processes=self._walls.processes)
            undo.callback(os.waitpid, pid, 0)
            undo.callback(_kill, pid)
            running = Running(pid, os.pidfd_open(pid), told, folder, memory_mb)
            undo.pop_all()
        self._running[pid] = running
        self._selector.register(running.status, selectors.EVENT_READ, pid)
        self._selector.register(running.exited, selectors.EVENT_READ, pid)

    def _ended(self, running: Running) -> None:
        _kill(running.pid)
        _, status, usage = os.wait4(running.pid, 0)
        del self._running[running.pid]
        self._kill_orphans()
        self._selector.unregister(running.exited)
        os.close(running.exited)
        with contextlib.suppress(KeyError):
            self._selector.unregister(running.status)
        with contextlib.suppress(OSError):
            code, cpu = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
            told = f"{code} {cpu:.3f} {usage.ru_maxrss / 1024:.1f} {running.too_much:d}"
            running.status.sendall(told.encode())
        running.status.close()
        shutil.rmtree(running.folder, ignore_errors=True)

    def _watch_memory(self) -> None:
        """A limit of the kernel is for one process: what a child and all that it started use together is added up here."""
        for running in self._running.values():
            waiting = {running.pid} | _children(running.pid) if self._walls.processes else set[int]()
            group = (_family(running.pid) - waiting) | self._orphans()
            if len(group) > 1 and sum(map(_memory_of, group)) > running.memory_mb << 20:
                running.too_much = True
                for pid in group:
                    _kill(pid)

    def _kill_orphans(self) -> None:
        """Adopt and end what left its group: it comes to us when its parent has died, and nobody else will end it."""
        while orphans := self._orphans():
            for pid in orphans:
                if _kill(pid):
                    os.waitpid(pid, 0)
                else:
                    self._out_of_reach.add(pid)

    def _orphans(self) -> set[int]:
        return _children(os.getpid()) - set(self._running) - self._out_of_reach

    def _kill_all(self) -> None:
        for pid in self._running:
            _kill(pid)
        for pid in list(self._running):
            os.waitpid(pid, 0)
            del self._running[pid]
        self._kill_orphans()


def _kill(pid: int) -> bool:
    """The process, which may not lead its group yet, and its group. It is not reaped yet: the number is still its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    return True


def _children(pid: int) -> set[int]:
    threads = Path(f"/proc/{pid}/task")
    try:
        return {int(child) for thread in threads.iterdir() for child in _text(thread / "children").split()}
    except OSError:
        return set()


def _family(pid: int) -> set[int]:
    """The process and everything that it started, as far as their parents live."""
    found: set[int] = set()
    new = {pid}
    while new:
        found |= new
        new = {child for each in new for child in _children(each)} - found
    return found


def _memory_of(pid: int) -> int:
    """Bytes; pages that processes share count once among them."""
    for line in _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) << 10
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


# --- one child -------------------------------------------------------------------------------------------


def run_child(protocol: int, folder: str, *, processes: bool = False) -> NoReturn:
    """Never returns: what the forking process holds on its stack is not the child's to clean up."""
    code = 1
    try:
        channel = Channel(_settled(protocol))
        start = channel.receive()
        contain(
            network=start["network"],
            folder=folder,
            disk_mb=start["disk_mb"],
            hidden=start["hidden"],
            processes=processes,
        )
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # becoming another user of the machine may have unset it
        os.environ.update(start["environment"])
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        limit_resources(start["memory_mb"], start["cpu_seconds"], start["disk_mb"])
        channel.send(_outcome(channel, start))
        code = 0
    except MemoryError:
        os.write(PROTOCOL_FD, OUT_OF_MEMORY)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        os._exit(code)


def _settled(protocol: int) -> socket.socket:
    """A session of its own, nothing open but the protocol, nothing to read from or print to."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    kept = os.dup(protocol) if protocol == PROTOCOL_FD else protocol
    os.dup2(kept, PROTOCOL_FD, inheritable=False)
    os.closerange(PROTOCOL_FD + 1, MOST_FILES)
    return socket.socket(fileno=PROTOCOL_FD)


def limit_resources(memory_mb: int, cpu_seconds: int, disk_mb: int) -> None:
    for what, soft, hard in (
        (resource.RLIMIT_AS, memory_mb * 2**20, memory_mb * 2**20),
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_FSIZE, disk_mb * 2**20, disk_mb * 2**20),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
    ):
        lower(what, soft, hard)
    if os.getuid() != 0:
        processes = _processes_of(os.getuid()) + MORE_PROCESSES
        lower(resource.RLIMIT_NPROC, processes, processes)


def _processes_of(uid: int) -> int:
    """Processes and threads, as the limit counts them. A process's task folder has a link for each thread."""
    count = 0
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if process.name.isdecimal() and process.stat().st_uid == uid:
                count += (process / "task").stat().st_nlink - 2
    return count


def _outcome(channel: Channel, start: Mapping[str, Any]) -> bytes:
    try:
        spec = find_agent(start["target"])
        task, context = _given(start, spec, channel)
        loop = asyncio.new_event_loop()
        loop.add_reader(PROTOCOL_FD, channel.receive_ready)
        # The loop is never closed: the process ends with the outcome, whatever the agent left running.
        return _sendable(loop.run_until_complete(_run(spec, task, context)), spec)
    except (AgentSignal, MetaAgentError) as error:
        return encode({"error": describe(error)})
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - an agent may raise anything: it is reported
        return encode(
            {"defect": describe(error), "traceback": plain_or_text(traceback.format_exc()[-20_000:])}
        )


async def _run(spec: AgentSpec, task: Task, context: Context) -> object:
    return await spec.run(task, context)


def find_agent(target: str) -> AgentSpec:
    module, _, attributes = target.partition(":")
    found: Any = importlib.import_module(module)
    for name in attributes.split("."):
        found = getattr(found, name)
    if not isinstance(found, AgentSpec):
        raise TypeError(f"{target} is {type(found).__name__}, not an agent")
    return found


def _given(start: Mapping[str, Any], spec: AgentSpec, channel: Channel) -> tuple[Task, Context]:
    task, context = start["task"], start["context"]
    params = task["params"]
    if spec.params is not None:
        params = pydantic.TypeAdapter[Any](spec.params).validate_json(params)
    ports = {name: proxy(channel) for name, proxy in PROXIES.items() if name in context["ports"]}
    if "user" in context["ports"]:
        ports["user"] = context["user"]
    return (
        Task(
            task["description"],
            task["request"],
            params=params,
            inputs=tuple(task["inputs"]),
            answers=tuple(task["answers"]),
            named=task["named"],
        ),
        Context(
            context["agent"],
            context["shared"],
            step_id=context["step_id"],
            needs=frozenset(context["needs"]),
            ports=ports,
            withheld=context["withheld"],
            # The service finds, and records, that it is not given.
            on_refused=lambda port: channel.tell(port, "", "", {}),
            turn_id=context["turn_id"],
            capability=context["capability"],
        ),
    )


def _sendable(result: object, spec: AgentSpec) -> bytes:
    if not isinstance(result, Result):
        return encode({"unfit": f"{type(result).__name__} instead of Result"})
    for made in result.artifacts:
        expected = spec.produces.get(made.kind)
        if expected is not None:
            try:
                pydantic.TypeAdapter[Any](expected).validate_python(made.data)
            except pydantic.ValidationError as problem:
                return encode({"unfit": f"{made.kind}: {problem.errors(include_input=False)[0]['msg']}"})
    message = {
        "result": {
            "summary": result.summary,
            "confidence": result.confidence,
            "artifacts": [vars(artifact) for artifact in result.artifacts],
            "sources": list(result.sources),
            "state": result.state,
            "citations": list(result.citations),
        }
    }
    try:
        return encode(message)
    except BadFrame as problem:
        return encode({"unfit": str(problem)})


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    for module in sys.argv[2:]:
        with contextlib.suppress(ImportError):  # the step that needs it says so
            importlib.import_module(module)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    gc.collect()
    gc.freeze()
    Nursery(control).serve()


if __name__ == "__main__":
    main()
