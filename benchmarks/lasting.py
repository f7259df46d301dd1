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

import sqlalchemy as sa
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from benchmarks import plain_langgraph as plain
from metaagent.level1.reasoner import RuleReasoner
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import SessionInfo, Turn, User
from metaagent.runtime import MetaAgent
from metaagent.storage.history import messages_of
from metaagent.storage.tables import messages, sessions, turns

MESSAGE, PAYLOAD = 500, 20_000
SYLLABLES = [chr(0xAC00 + 28 * n) for n in range(300)]
Figures = dict[str, Any]


def make_agent() -> AgentSpec:
    noise = random.Random(1)

    @agent(
        name="report",
        description="Report",
        capabilities=[Capability("report", ko=("보고",), en=("report",))],
        produces={"report": None},
    )
    async def report(task: Task, ctx: Context) -> Result:
        data = base64.b64encode(noise.randbytes(PAYLOAD * 3 // 4)).decode()
        summary = prose(f"answer {ctx.shared.get('user_query', '')[:12]}")
        return Result(summary, 1.0, [Artifact("report", {"data": data}, "a report")])

    return report


def prose(beginning: str) -> str:
    """Korean-like words that never repeat: as hard to compress as a person's text, or harder."""
    noise = random.Random(beginning)
    words = ("".join(noise.choices(SYLLABLES, k=noise.randint(2, 4))) for _ in range(MESSAGE))
    return f"{beginning} {' '.join(words)}"[:MESSAGE]


def question(number: int) -> str:
    return prose(f"report {number} ")


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


async def one_session(count: int) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with MetaAgent.open(
            {"data_dir": folder}, agents=[make_agent()], reasoner=RuleReasoner()
        ) as app:
            first = await app.ask(question(0))
            session_id = first.session_id
            times = [
                await measured(lambda n=n: app.ask(question(n), session_id=session_id))
                for n in range(1, count)
            ]
            open_size = megabytes(folder)
            state = await app.state(session_id)
            restored = await measured(lambda: app.history(session_id, before=10, limit=10))
            searched = await measured(lambda: app.search_history(session_id, "report 7 "))
        return {
            "turns": count,
            "megabytes": megabytes(folder),
            "megabytes_while_open": open_size,
            "checkpoint_megabytes": megabytes(folder / "checkpoints.db"),
            "messages_in_state": len(state.get("messages") or ()),
            "history_page_ms": round(restored[0], 2),
            "history_search_ms": round(searched[0], 2),
            **trend(times),
        }


async def plain_langgraph(count: int) -> Figures:
    config: Any = {"configurable": {"thread_id": "session"}}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "plain.db"
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            graph = plain.turn_graph(saver, answer_characters=MESSAGE, result_bytes=PAYLOAD)
            times = [
                await measured(
                    lambda n=n: graph.ainvoke(plain.question(n, MESSAGE), config, durability="sync")
                )
                for n in range(count)
            ]
            return {"turns": count, "megabytes": megabytes(Path(name)), **trend(times)}


async def many_turns(count: int) -> Figures:
    """A session with a long past: its rows are written through the store, its last turn is a real one."""
    with tempfile.TemporaryDirectory() as name:
        config = {"data_dir": name}
        async with MetaAgent.open(config, agents=[make_agent()], reasoner=RuleReasoner()) as app:
            first = await app.ask(question(0))
            await _add_turns(app, first.session_id, count)
        async with MetaAgent.open(config, agents=[make_agent()], reasoner=RuleReasoner()) as app:
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
        "search_all_cpu_ms": round(search[1], 1),
    }


async def _opened(app: MetaAgent, session_id: str) -> None:
    """Read what a person sees who comes back: the state, the newest turns, the newest messages."""
    await app.state(session_id)
    await app.turns(session_id, limit=20)
    await app.history(session_id, limit=50)


async def _add_turns(app: MetaAgent, session_id: str, count: int) -> None:
    """Sealed by the store's own hand, written in one go."""
    store: Any = app._store  # pyright: ignore[reportPrivateUsage] - the past is written, not lived through
    done = [
        Turn(
            f"t{number}",
            session_id,
            number,
            "completed",
            question(number),
            "en",
            User(),
            _at(number),
            _at(number),
            outcome={"answer": prose(f"answer {number}")},
        )
        for number in range(2, count + 1)
    ]
    rows = [store._turn_values(turn) for turn in done]
    both = [message for turn in done for message in _both(turn, store)]

    def write(connection: sa.Connection) -> None:
        connection.execute(turns.insert(), rows)
        connection.execute(messages.insert(), both)
        grown = sessions.update().where(sessions.c.session_id == session_id)
        connection.execute(grown.values(turns=count, updated_at=_at(count)))

    await store.transaction(write)


def _both(turn: Turn, store: Any) -> list[Figures]:
    """The question and the answer, at their places."""
    asked = messages_of(replace(turn, status="running"), store.seal)
    rows = [*asked, *messages_of(turn, store.seal)]
    return [
        {
            **{key.removeprefix("the_"): value for key, value in row.items()},
            "position": 2 * turn.number + n - 1,
        }
        for n, row in enumerate(rows)
    ]


def _at(number: int) -> str:
    day, rest = divmod(number, 86_400)
    return f"2025-01-{day + 1:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.000Z"


async def many_sessions(count: int) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        async with MetaAgent.open({"data_dir": name}, agents=[make_agent()], reasoner=RuleReasoner()) as app:
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
        "search_all_titles_cpu_ms": round(searched[1], 1),
        "open_ms": round(opened[0], 2),
        "open_cpu_ms": round(opened[1], 2),
    }


async def _add_sessions(app: MetaAgent, known: SessionInfo, count: int) -> None:
    store: Any = app._store  # pyright: ignore[reportPrivateUsage] - see above
    infos = [
        replace(known, session_id=f"s{n}", title=f"session {n} of many", updated_at=_at(n), turns=1)
        for n in range(1, count)
    ]
    done = [
        Turn(f"u{n}", info.session_id, 1, "completed", "q", "en", User(), _at(n), _at(n))
        for n, info in enumerate(infos)
    ]
    session_rows = [store._session_values(info, User()) for info in infos]
    turn_rows = [store._turn_values(turn) for turn in done]

    def write(connection: sa.Connection) -> None:
        connection.execute(sessions.insert(), session_rows)
        connection.execute(turns.insert(), turn_rows)

    await store.transaction(write)


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
