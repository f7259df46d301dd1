"""One call in a process of its own: what it gives back, and how each way to fail is said."""

from __future__ import annotations

import asyncio
import os
import signal
import zlib
from pathlib import Path

import pytest

from metaagent.child import ChildFailed, Limits, call
from metaagent.documents.chart_images import render
from metaagent.errors import InputRefused

pytestmark = pytest.mark.asyncio


async def evaluated(source: str, limits: Limits | None = None) -> bytes:
    """Any expression makes a call that misbehaves."""
    return await call(eval, source.encode(), what="test", limits=limits)


async def test_the_result_comes_back() -> None:
    payload = os.urandom(3_000_000)
    assert zlib.decompress(await call(zlib.compress, payload, what="test")) == payload


async def test_an_error_of_ours_arrives_as_itself() -> None:
    outside = b'png\0{"data": {"url": "http://example.org/x"}, "mark": "bar"}'
    with pytest.raises(InputRefused) as refused:
        await call(render, outside, what="test")
    assert "http://example.org/x" in refused.value.say("en")
    assert "가리킵니다" in refused.value.say("ko")


async def test_a_defect_is_named() -> None:
    with pytest.raises(ChildFailed, match="ZeroDivisionError"):
        await evaluated("1/0")


async def test_a_crash_names_its_signal() -> None:
    with pytest.raises(ChildFailed, match="SIGKILL"):
        await evaluated("__import__('os').kill(__import__('os').getpid(), 9)")


async def test_memory_is_limited() -> None:
    with pytest.raises(ChildFailed, match="200 MB"):
        await evaluated("b'x' * 10**9", Limits(memory_mb=200))


async def test_time_is_limited() -> None:
    with pytest.raises(ChildFailed, match=r"0\.5 seconds"):
        await evaluated("__import__('time').sleep(60)", Limits(seconds=0.5))


async def test_the_result_is_limited() -> None:
    with pytest.raises(ChildFailed, match="1 MB"):
        await evaluated("b'x' * 3_000_000", Limits(result_mb=1))


async def test_a_large_file_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed):
        await evaluated(f"open({str(tmp_path / 'x')!r}, 'wb').write(bytes(3_000_000))", Limits(result_mb=1))


async def test_prints_do_not_mix_with_the_result() -> None:
    assert await evaluated("print('noise') or b'result'") == b"result"


async def test_the_environment_is_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAAGENT_KEY", "secret")
    assert await evaluated("repr('METAAGENT_KEY' in __import__('os').environ).encode()") == b"False"


async def test_no_network_where_namespaces_are_allowed() -> None:
    allowed = await evaluated(
        "repr(__import__('metaagent.child.limits').child.limits.leave_network()).encode()"
    )
    links = await evaluated("repr(__import__('os').listdir('/sys/class/net')).encode()")
    reached = await evaluated(
        "repr(__import__('socket').socket().connect_ex(('127.0.0.1', 9)) == __import__('errno').ENETUNREACH).encode()"
    )
    assert reached == b"True" or allowed == b"False", links


async def test_a_cancelled_call_ends_its_process(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    source = f"open({str(pid)!r}, 'w').write(str(__import__('os').getpid())) and __import__('time').sleep(60)"
    task = asyncio.create_task(evaluated(source))
    while not (pid.exists() and pid.read_text()):  # noqa: ASYNC110 - another process makes the file
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIG_DFL)
