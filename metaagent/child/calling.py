"""The service's side of a call in a child process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from metaagent import errors
from metaagent.errors import MetaAgentError, Text

KEPT_ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
)
"""An allow-list: keys and passwords have many names."""

OK, REFUSED, NO_MEMORY, DEFECT = b"\x00", b"\x01", b"\x02", b"\x03"
"""The first byte of what the child writes says how it ended."""

_PIECE = 1 << 16
_GONE_SECONDS = 10.0
_WITHOUT_MEMORY = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGTRAP, signal.SIGILL})
"""Signals by which code written in C or Rust often ends when it gets no memory."""

_SLOW = Text(
    en="{what} was not ready after {seconds:g} seconds and was stopped.",
    ko="{what}이(가) {seconds:g}초 안에 끝나지 않아 중단했습니다.",
)
_MEMORY = Text(
    en="{what} needed more than {memory_mb} MB of memory and was stopped.",
    ko="{what}에 메모리 {memory_mb}MB보다 많이 필요해서 중단했습니다.",
)
_LARGE = Text(
    en="{what} gave more than {result_mb} MB and was stopped.",
    ko="{what}의 결과가 {result_mb}MB를 넘어 중단했습니다.",
)
_DIED = Text(
    en="{what} failed: its process ended by {end}.",
    ko="{what}에 실패했습니다. 프로세스가 {end}(으)로 끝났습니다.",
)
_BROKE = Text(en="{what} failed: {problem}.", ko="{what}에 실패했습니다: {problem}.")


class ChildFailed(MetaAgentError):
    """The call had no result: it took too long, used too much, or its process died."""

    code = "child_failed"


@dataclass(frozen=True)
class Limits:
    seconds: float = 60.0
    memory_mb: int = 1024
    result_mb: int = 256
    """The most that comes back, and the largest file that the child may write."""


async def call(
    function: Callable[[bytes], bytes], payload: bytes, *, what: str, limits: Limits | None = None
) -> bytes:
    """Run the function on the payload in a new process. `what` names the work in messages, with its object ("a.pdf").

    An error of ours that it raises is raised here, too. Whatever else happens to the child ends as ChildFailed. A caller
    that is cancelled ends the child.
    """
    limits = limits or Limits()
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "metaagent.child.main", f"{function.__module__}:{function.__qualname__}",
        str(limits.memory_mb), str(int(limits.seconds) + 1), str(limits.result_mb), str(os.getpid()),
        stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
        env={name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ},
    )  # fmt: skip
    try:
        async with asyncio.timeout(limits.seconds):
            made = await _spoken(child, payload, limits.result_mb << 20)
            code = 0 if made is None else await child.wait()
    except TimeoutError as error:
        raise ChildFailed(_SLOW, what=what, seconds=limits.seconds) from error
    finally:
        await _ended(child)
    if made is None:
        raise ChildFailed(_LARGE, what=what, result_mb=limits.result_mb)
    return _result(made, code, what, limits)


async def _ended(child: asyncio.subprocess.Process) -> None:
    """Kill the child with its group and wait until it is gone. What it wrote must be read: the end of a process whose pipe
    is full is never noticed."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    assert child.stdout is not None
    with suppress(TimeoutError):
        async with asyncio.timeout(_GONE_SECONDS):
            while await child.stdout.read(_PIECE):
                pass
            await child.wait()


async def _spoken(child: asyncio.subprocess.Process, payload: bytes, most: int) -> bytes | None:
    """Give the child its payload and read what it writes; None where that is more than it may write."""
    assert child.stdin is not None
    assert child.stdout is not None
    fed = asyncio.create_task(_feed(child.stdin, payload))
    try:
        pieces: list[bytes] = []
        size = 0
        while piece := await child.stdout.read(_PIECE):
            size += len(piece)
            if size > most + 1:
                return None
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        fed.cancel()


async def _feed(stdin: asyncio.StreamWriter, payload: bytes) -> None:
    with suppress(ConnectionError):  # a child that died is reported by how it ended
        stdin.write(payload)
        await stdin.drain()
        stdin.close()


def _result(made: bytes, code: int, what: str, limits: Limits) -> bytes:
    kind, content = made[:1], made[1:]
    if code == 0 and kind == OK:
        return content
    if kind == REFUSED:
        raise _refusal(orjson.loads(content))
    if kind == NO_MEMORY or -code in _WITHOUT_MEMORY:
        raise ChildFailed(_MEMORY, what=what, memory_mb=limits.memory_mb)
    if kind == DEFECT:
        raise ChildFailed(_BROKE, what=what, problem=content.decode("utf-8", "replace")[:500])
    if -code == signal.SIGXCPU:
        raise ChildFailed(_SLOW, what=what, seconds=limits.seconds)
    end = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    raise ChildFailed(_DIED, what=what, end=end)


def _refusal(said: Mapping[str, Any]) -> MetaAgentError:
    """The error as it was raised; one whose class is not in `errors` comes as InputRefused."""
    kind = getattr(errors, said["class"], errors.InputRefused)
    return kind(Text(en=said["en"], ko=said["ko"]), **said["params"])
