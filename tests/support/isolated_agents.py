"""Agents for the tests of isolation: some behave, most do not. In a module of their own: a child imports them."""

from __future__ import annotations

import asyncio
import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from metaagent.isolation.frames import HEADER, decode, decode_length, encode
from metaagent.plugin import (
    AgentSpec,
    Artifact,
    Context,
    Failed,
    NeedsInput,
    Result,
    Task,
    TryAgain,
    agent,
)

PROTOCOL_FD = 3
PAUSE = [sys.executable, "-c", "import signal; signal.pause()"]
DETACH = """
import subprocess
print(subprocess.Popen({!r}, start_new_session=True, stdout=-3, stderr=-3).pid)
"""


def declare(name: str, needs: Sequence[str] = (), retries: int = 0, **options: Any) -> Any:
    return agent(
        name=name, capabilities=[name], produces=[f"{name}_made"], needs=needs, retries=retries, **options
    )


def done(name: str, data: Any = "made", summary: str = "done") -> Result:
    return Result(summary, 1.0, [Artifact(f"{name}_made", data)], [{"title": "itself"}])


@declare("bystander")
async def bystander(task: Task, ctx: Context) -> Result:
    return done("bystander", os.getpid())


@declare("behaves")
async def behaves(task: Task, ctx: Context) -> Result:
    found = {
        "place": place(),
        "folder": str(Path.cwd()),
        "session": os.getsid(0),
        "environment": dict(os.environ),
    }
    return done("behaves", found)


@declare("busy_loop")
async def busy_loop(task: Task, ctx: Context) -> Result:
    while True:
        pass


@declare("busy_until_timeout", timeout=1)
async def busy_until_timeout(task: Task, ctx: Context) -> Result:
    while True:
        pass


@declare("allocates")
async def allocates(task: Task, ctx: Context) -> Result:
    return done("allocates", len(bytearray(2**30)))


@declare("allocates_slowly")
async def allocates_slowly(task: Task, ctx: Context) -> Result:
    held: list[bytes] = []
    while True:
        held.append(b"x" * 2**23)


@declare("exits", retries=3)
async def exits(task: Task, ctx: Context) -> Result:
    os._exit(0)


@declare("leaves")
async def leaves(task: Task, ctx: Context) -> Result:
    sys.exit(7)


@agent(name="rescuer", capabilities=["leaves"], produces=["leaves_made"], cost=9.0)
async def rescuer(task: Task, ctx: Context) -> Result:
    return done("leaves", "rescued")


@declare("segfaults")
async def segfaults(task: Task, ctx: Context) -> Result:
    return done("segfaults", ctypes.string_at(0))


@declare("kills_its_parent", timeout=1)
async def kills_its_parent(task: Task, ctx: Context) -> Result:
    os.kill(os.getppid(), 9)
    return await never(task, ctx)


@declare("stops_its_parent", timeout=1)
async def stops_its_parent(task: Task, ctx: Context) -> Result:
    os.kill(os.getppid(), signal.SIGSTOP)
    return await never(task, ctx)


@declare("speaks_garbage")
async def speaks_garbage(task: Task, ctx: Context) -> Result:
    os.write(PROTOCOL_FD, HEADER.pack(7) + b"\xffgarbag")
    return done("speaks_garbage")


@declare("announces_too_much")
async def announces_too_much(task: Task, ctx: Context) -> Result:
    os.write(PROTOCOL_FD, b"\xff" * 100)
    return done("announces_too_much")


@declare("speaks_out_of_turn")
async def speaks_out_of_turn(task: Task, ctx: Context) -> Result:
    _raw({"error": {"raised": "KeyboardInterrupt", "message": "{x.__class__:>99999999999}"}})
    return done("speaks_out_of_turn")


@declare("calls_without_end")
async def calls_without_end(task: Task, ctx: Context) -> Result:
    while True:
        _raw({"call": 1, "port": "clock", "method": "now", "args": [], "kwargs": {}})


@declare("closes_everything", timeout=1)
async def closes_everything(task: Task, ctx: Context) -> Result:
    os.closerange(0, 256)
    signal.pause()
    return done("closes_everything")


@declare("prints_without_end", timeout=1)
async def prints_without_end(task: Task, ctx: Context) -> Result:
    while True:
        os.write(1, b"garbage" * 10_000)
        os.write(2, b"garbage" * 10_000)


@declare("prints")
async def prints(task: Task, ctx: Context) -> Result:
    sys.stdout.write("{" * 100_000)
    sys.stdout.flush()
    sys.stderr.write("garbage")
    return done("prints", sys.stdin.read())


@declare("never_answers", timeout=1)
async def never(task: Task, ctx: Context) -> Result:
    await asyncio.Event().wait()
    return done("never_answers")


@declare("waits", needs=["progress"], timeout=60)
async def waits(task: Task, ctx: Context) -> Result:
    await ctx.progress(10, place())
    signal.pause()
    return done("waits")


@declare("leaves_others_behind")
async def leaves_others_behind(task: Task, ctx: Context) -> Result:
    """A child in its group, one in a session of its own, and one whose parent is gone already."""
    return done("leaves_others_behind", start_others())


@declare("forks_without_end")
async def forks_without_end(task: Task, ctx: Context) -> Result:
    while True:
        if os.fork() == 0:
            signal.pause()


@declare("breaks")
async def breaks(task: Task, ctx: Context) -> Result:
    raise ZeroDivisionError("no {such} luck")


@declare("returns_nonsense")
async def returns_nonsense(task: Task, ctx: Context) -> Result:
    nonsense: Any = {"not": "a result"}
    return nonsense


@declare("makes_a_set")
async def makes_a_set(task: Task, ctx: Context) -> Result:
    return done("makes_a_set", {1, 2})


@declare("too_large")
async def too_large(task: Task, ctx: Context) -> Result:
    return done("too_large", bytes(64 * 2**20))


@declare("unsure")
async def unsure(task: Task, ctx: Context) -> Result:
    much: Any = "very"
    return Result("done", much, [Artifact("unsure_made", 1)])


@declare("gives_up")
async def gives_up(task: Task, ctx: Context) -> Result:
    raise Failed("there is {nothing} to do: 할 일이 없습니다")


@declare("stumbles", retries=1)
async def stumbles(task: Task, ctx: Context) -> Result:
    raise TryAgain("not yet", after=0.0)


@declare("asks")
async def asks(task: Task, ctx: Context) -> Result:
    if not task.answers:
        raise NeedsInput("Which one?", options=["this", "that"])
    return done("asks", {"answer": task.answers[0]})


@dataclass(frozen=True)
class Period:
    since: date = date(2024, 12, 1)


@declare(
    "uses_ports",
    needs=["clock", "files", "log", "progress", "user", "vectors"],
    params=Period,
)
async def uses_ports(task: Task, ctx: Context) -> Result:
    ctx.log.info("used", period=task.params, odd=object)
    await ctx.progress(40, "under way")
    await asyncio.gather(*(ctx.files.write(f"file{n}", bytes([n, 255])) for n in range(40)))
    files = await asyncio.gather(*(ctx.files.read(f"file{n}") for n in range(40)))
    absent = ""
    try:
        await ctx.files.read("absent")
    except Failed as error:
        absent = str(error)
    in_thread = await asyncio.to_thread(lambda: ctx.clock.now())
    found = {
        "files": [file.hex() for file in files],
        "absent": absent,
        "now": ctx.clock.now().isoformat(),
        "in_thread": in_thread.isoformat(),
        "user": ctx.user.user_id,
        "roles": list(ctx.user.roles),
        "since": task.params.since.isoformat(),
        "question": ctx.shared.get("user_query"),
    }
    return done("uses_ports", found)


@declare("has_an_effect", needs=["effects"])
async def has_an_effect(task: Task, ctx: Context) -> Result:
    key = ctx.effect_key("mail to the board", "hello")
    first = await ctx.effects.begin(key)
    await ctx.effects.done(key, {"sent": 1})
    again = await ctx.effects.begin(key)
    found = {"key": key, "first": first.status, "again": [again.status, again.receipt]}
    return done("has_an_effect", found)


@declare("writes_much", needs=["files"])
async def writes_much(task: Task, ctx: Context) -> Result:
    content = bytes(20 * 2**20)
    await asyncio.gather(*(ctx.files.write(f"much{n}", content) for n in range(4)))
    return done("writes_much", [len(await ctx.files.read(f"much{n}")) for n in range(4)])


@declare("reads_input", needs=["artifacts"], consumes=["behaves_made"])
async def reads_input(task: Task, ctx: Context) -> Result:
    ref = task.input("behaves_made")
    assert ref is not None
    return done("reads_input", {"read": sorted(await ctx.artifacts.read(ref))})


@declare("reaches_too_far", needs=["clock"])
async def reaches_too_far(task: Task, ctx: Context) -> Result:
    """Past its own context, straight to the service."""
    replies: list[Any] = []
    for number, (port, method) in enumerate(
        [
            ("files", "read"),
            ("vectors", "search"),
            ("clock", "__class__"),
            ("user", "__init__"),
            ("_port", "x"),
        ]
    ):
        _raw({"call": 1000 + number, "port": port, "method": method, "args": ["x"], "kwargs": {}})
        select.select([PROTOCOL_FD], [], [])
        replies.append(decode(os.read(PROTOCOL_FD, decode_length(os.read(PROTOCOL_FD, HEADER.size)))))
    refused = [reply["error"].get("code") or reply["error"]["raised"] for reply in replies]
    return done("reaches_too_far", refused)


@declare("uses_undeclared")
async def uses_undeclared(task: Task, ctx: Context) -> Result:
    await ctx.files.read("x")
    return done("uses_undeclared")


def _raw(message: dict[str, Any]) -> None:
    os.write(PROTOCOL_FD, encode(message))


def place(pid: int | None = None) -> str:
    """A process as it can be found from outside: its namespace, and its number there."""
    return f"{Path('/proc/self/ns/pid').readlink()}/{pid or os.getpid()}"


def outside(place: str) -> int | None:
    """The number of that process here; None where it is gone."""
    namespace, _, number = place.partition("/")
    for found in Path("/proc").glob("[0-9]*"):
        try:
            if str((found / "ns" / "pid").readlink()) != namespace:
                continue
            numbers = (found / "status").read_text().partition("NSpid:")[2].partition("\n")[0].split()
        except OSError:
            continue
        if numbers[-1] == number:
            return int(found.name)
    return None


def start_others() -> list[str]:
    near = subprocess.Popen(PAUSE)
    far = subprocess.Popen(PAUSE, start_new_session=True)
    orphan = subprocess.run([sys.executable, "-c", DETACH.format(PAUSE)], capture_output=True, check=True)
    return [place(near.pid), place(far.pid), place(int(orphan.stdout))]


def everyone() -> list[AgentSpec]:
    return [value for value in globals().values() if isinstance(value, AgentSpec)]
