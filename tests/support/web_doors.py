"""A server on loopback for the tests of protocols: the real parts, people known by bearer tokens, a real socket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.requests import HTTPConnection

from metaagent.config import load_settings
from metaagent.errors import NotLoggedIn, Text
from metaagent.plugin import (
    AgentSpec,
    Artifact,
    Capability,
    Context,
    Group,
    NeedsInput,
    Result,
    Task,
    agent,
)
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from metaagent.web.doors import Doors
from metaagent.web.protocols import mount
from tests.support.agents import Runs

PEOPLE = {
    "key-kim": User("kim", "hanbit", ("employee",)),
    "key-lee": User("lee", "hanbit", ("employee",)),
    "key-other": User("kim", "saebyeok", ("employee",)),
    "key-park": User("park", "hanbit", ("approver",)),
}
_NOBODY = Text(en="Nobody is known by this key.", ko="이 키의 사용자를 알 수 없습니다.")


@dataclass(frozen=True)
class Served:
    url: str
    meta: MetaAgent
    runs: Runs


async def person(connection: HTTPConnection) -> User:
    key = connection.headers.get("authorization", "").removeprefix("Bearer ")
    if key not in PEOPLE:
        raise NotLoggedIn(_NOBODY)
    return PEOPLE[key]


@asynccontextmanager
async def served(
    folder: Path,
    *,
    agents: Sequence[AgentSpec] = (),
    settings: Mapping[str, Any] | None = None,
    who: Callable[[HTTPConnection], Awaitable[User]] = person,
) -> AsyncGenerator[Served]:
    """A server with these agents beside those of `small_agents`."""
    given = {"data_dir": folder / "data", "agents": {"allow": []}, "domain": None, **(settings or {})}
    loaded = load_settings(env={}, overrides=given)
    runs = Runs(folder / "runs")
    every = [*small_agents(runs), *agents]
    async with MetaAgent.open(loaded, agents=every, clock=FakeClock()) as meta:
        web = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        mount(web, Doors(meta, loaded, who))
        async with listening(web) as url:
            yield Served(url, meta, runs)


@asynccontextmanager
async def listening(web: Any) -> AsyncGenerator[str]:
    """Serve an ASGI application on a free port of this machine."""
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    config = uvicorn.Config(web, log_config=None, ws="none", timeout_graceful_shutdown=5, lifespan="on")
    server = uvicorn.Server(config)
    work = asyncio.create_task(server.serve([place]))
    try:
        async with asyncio.timeout(30):
            while not server.started and not work.done():  # noqa: ASYNC110 - the server tells nobody that it is ready
                await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        server.should_exit = True
        await work
        place.close()


def small_agents(runs: Runs) -> list[AgentSpec]:
    """One that counts words, one that asks back, one that changes something outside, and one that waits for a file."""

    @agent(
        name="word_count",
        capabilities=[Capability("word_count", ko=("단어 수",), en=("count words",))],
        produces={"statistics": dict[str, int]},
        needs=["progress"],
    )
    async def word_count(task: Task, ctx: Context) -> Result:
        count = len(ctx.shared.get("user_query", "").split())
        await ctx.progress(50, "counted")
        said = f"단어 {count}개입니다." if ctx.shared.get("language") == "ko" else f"{count} words."
        return Result(said, 1.0, [Artifact("statistics", {"words": count}, "counted words")])

    @agent(
        name="convert",
        capabilities=[Capability("convert", ko=("통화 환산",), en=("convert currency",))],
        produces={"amount": dict[str, str]},
    )
    async def convert(task: Task, ctx: Context) -> Result:
        if not task.answers:
            raise NeedsInput("Into which currency?", options=["USD", "EUR"])
        return Result(
            f"Converted into {task.answers[-1]}.", 1.0, [Artifact("amount", {"to": str(task.answers[-1])})]
        )

    @agent(
        name="post_notice",
        capabilities=[Capability("post_notice", ko=("공지 게시",), en=("post the notice",))],
        produces={"posted": dict[str, bool]},
        side_effects=True,
    )
    async def post_notice(task: Task, ctx: Context) -> Result:
        runs.add("post_notice")
        return Result("The notice is posted.", 1.0, [Artifact("posted", {"done": True})])

    @agent(
        name="wait_for_file",
        capabilities=[Capability("wait_for_file", ko=("파일 대기",), en=("wait for the file",))],
        produces={"waited": dict[str, bool]},
        timeout=60,
    )
    async def wait_for_file(task: Task, ctx: Context) -> Result:
        runs.add("wait_began")
        await runs.reached("go")
        runs.add("wait_ended")
        return Result("The file is there.", 1.0, [Artifact("waited", {"done": True})])

    @agent(
        name="draft_memo",
        capabilities=[Capability("draft_memo", ko=("메모 초안",), en=("draft a memo",))],
        produces={"document": dict[str, Any]},
    )
    async def draft_memo(task: Task, ctx: Context) -> Result:
        memo = {"title": "Memo", "language": "en", "blocks": []}
        made = Artifact("document", memo, "Memo", "memo.json", "application/json", Group("dmemo1", 1, "json"))
        return Result("The memo is drafted.", 1.0, [made])

    return [word_count, convert, post_notice, wait_for_file, draft_memo]
