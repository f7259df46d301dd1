"""A session that lasts: what 400 turns cost on disk and in time, beside plain LangGraph; and many turns, many sessions.

    python -m benchmarks.lasting [--turns 400] [--plain 100] [--past 10000] [--sessions 10000] [--json]

Each turn has two messages of 500 characters and one result of 20 KB that hardly compresses. Sizes are of the whole
data directory while it is open. CPU is that of the whole process; ratios compare medians within the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from benchmarks.saver import reference
from metaagent.adapters.sql_store import SqlStore
from metaagent.global_state import SCHEMA_VERSION
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import SessionInfo, Turn, User
from metaagent.runtime import MetaAgent

MESSAGE, PAYLOAD = 500, 20_000
Figures = dict[str, Any]


def make_agent() -> AgentSpec:
    noise = random.Random(1)  # noqa: S311 - a repeatable payload, no secret

    @agent(
        name="report",
        description="Report",
        capabilities=[Capability("report", ko=("보고",), en=("report",))],
        produces={"report": None},
    )
    async def report(task: Task, ctx: Context) -> Result:
        data = base64.b64encode(noise.randbytes(PAYLOAD * 3 // 4)).decode()
        summary = ("답변 answer " * MESSAGE)[:MESSAGE]
        return Result(summary, 1.0, [Artifact("report", {"data": data}, "a report")])

    return report


def question(number: int) -> str:
    return (f"report {number} " + "질문 question " * MESSAGE)[:MESSAGE]


async def measured(work: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
    """Milliseconds on the wall and of CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    await work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3


def megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return round(sum(file.stat().st_size for file in files) / 1e6, 3)


def trend(times: list[tuple[float, float]]) -> Figures:
    """Medians of turns 11–20 and of the last ten."""
    early, late = times[10:20], times[-10:]

    def middle(part: list[tuple[float, float]], which: int) -> float:
        return statistics.median(each[which] for each in part)

    return {
        "early_ms": round(middle(early, 0), 2),
        "late_ms": round(middle(late, 0), 2),
        "late_to_early": round(middle(late, 0) / middle(early, 0), 3),
        "early_cpu_ms": round(middle(early, 1), 2),
        "late_cpu_ms": round(middle(late, 1), 2),
        "cpu_late_to_early": round(middle(late, 1) / middle(early, 1), 3),
    }


async def one_session(turns: int) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with MetaAgent.open({"data_dir": folder}, agents=[make_agent()]) as app:
            first = await app.ask(question(0))
            session_id = first.session_id
            times = [
                await measured(lambda n=n: app.ask(question(n), session_id=session_id))
                for n in range(1, turns)
            ]
            checkpoints = sum(megabytes(file) for file in folder.glob("checkpoints.db*"))
            parts = {file.name: megabytes(file) for file in folder.iterdir()}
            state = await app.state(session_id)
            restored = await measured(lambda: app.history(session_id, before=10, limit=10))
            searched = await measured(lambda: app.search_history(session_id, "report 7 "))
        return {
            "turns": turns,
            "megabytes": megabytes(folder),
            "checkpoint_megabytes": round(checkpoints, 3),
            "parts": parts,
            "messages_in_state": len(state.get("messages") or ()),
            "history_page_ms": round(restored[0], 2),
            "history_search_ms": round(searched[0], 2),
            **trend(times),
        }


async def plain_langgraph(turns: int) -> Figures:
    plain = reference()
    config: Any = {"configurable": {"thread_id": "session"}}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "plain.db"
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            graph = plain.build(checkpointer=saver, msg_chars=MESSAGE, payload=PAYLOAD, keep_results=True)
            times = [
                await measured(lambda n=n: graph.ainvoke(plain.q(MESSAGE, n), config, durability="sync"))
                for n in range(turns)
            ]
            return {"turns": turns, "megabytes": megabytes(Path(name)), **trend(times)}


async def many_turns(count: int) -> Figures:
    """A session with a long past: its rows are written through the store, its last turn is a real one."""
    with tempfile.TemporaryDirectory() as name:
        config = {"data_dir": name}
        async with MetaAgent.open(config, agents=[make_agent()]) as app:
            first = await app.ask(question(0))
            await _add_turns(app, first.session_id, count)
        async with MetaAgent.open(config, agents=[make_agent()]) as app:
            opened = await measured(lambda: _opened(app, first.session_id))
            page = await measured(lambda: app.history(first.session_id, before=count, limit=50))
            asked = await measured(lambda: app.ask(question(1), session_id=first.session_id))
            search = await measured(lambda: app.search_history(first.session_id, "no such words"))
    return {
        "past_turns": count,
        "open_cpu_ms": round(opened[1], 2),
        "open_ms": round(opened[0], 2),
        "page_cpu_ms": round(page[1], 2),
        "next_turn_cpu_ms": round(asked[1], 2),
        "search_all_ms": round(search[0], 1),
    }


async def _opened(app: MetaAgent, session_id: str) -> None:
    """What a person sees who comes back: the state, the newest turns, the newest messages."""
    await app.state(session_id)
    await app.turns(session_id, limit=20)
    await app.history(session_id, limit=50)


def _store(app: MetaAgent) -> SqlStore:
    return app._store  # pyright: ignore[reportPrivateUsage] - the past is written, not lived through


async def _add_turns(app: MetaAgent, session_id: str, count: int) -> None:
    store = _store(app)
    outcome = {"answer": ("답변 answer " * MESSAGE)[:MESSAGE]}
    for number in range(2, count + 1):
        turn = Turn(f"t{number}", session_id, number, "running", question(number), "en", User(), _at(number))
        await store.add_turn(turn)
        await store.save_turn(replace(turn, status="completed", ended_at=_at(number), outcome=outcome))


def _at(number: int) -> str:
    day, rest = divmod(number, 86_400)
    return f"2025-01-{day + 1:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.000Z"


async def many_sessions(count: int) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        async with MetaAgent.open({"data_dir": name}, agents=[make_agent()]) as app:
            first = await app.ask(question(0))
            (known,) = await app.sessions()
            await _add_sessions(app, known, count)
            listed = await measured(lambda: app.sessions(limit=100))
            found = await measured(lambda: app.search_sessions("session 17 "))
            searched = await measured(lambda: app.search_sessions("no such words"))
            opened = await measured(lambda: _opened(app, first.session_id))
    return {
        "sessions": count,
        "list_100_ms": round(listed[0], 2),
        "find_title_ms": round(found[0], 1),
        "search_all_titles_ms": round(searched[0], 1),
        "open_ms": round(opened[0], 2),
        "open_cpu_ms": round(opened[1], 2),
    }


async def _add_sessions(app: MetaAgent, known: SessionInfo, count: int) -> None:
    store = _store(app)
    for number in range(1, count):
        at = _at(number)
        info = replace(
            known,
            session_id=f"s{number}",
            title=f"session {number} of many",
            created_at=at,
            updated_at=at,
            schema_version=SCHEMA_VERSION,
        )
        turn = Turn(
            f"u{number}", info.session_id, 1, "completed", "q", "en", User(), at, at, outcome={"answer": "a"}
        )
        await store.add_turn(turn, info)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--plain", type=int, default=100)
    parser.add_argument("--past", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    work: dict[str, Callable[[], Awaitable[Figures]]] = {
        "metaagent": lambda: one_session(given.turns),
        "plain_langgraph": lambda: plain_langgraph(given.plain),
        "long_past": lambda: many_turns(given.past),
        "many_sessions": lambda: many_sessions(given.sessions),
    }
    wanted = {"metaagent": given.turns, "plain_langgraph": given.plain, "long_past": given.past}
    results = {
        name: asyncio.run(_run(run)) for name, run in work.items() if wanted.get(name, given.sessions) > 0
    }
    for name, figures in results.items():
        if not given.json:
            print(name, figures)
    if given.json:
        print(json.dumps(results, ensure_ascii=False))


async def _run(work: Callable[[], Awaitable[Figures]]) -> Figures:
    return await work()


if __name__ == "__main__":
    main()
