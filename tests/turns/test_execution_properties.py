"""Random plans with random failures, delays, questions and kills: what holds for every turn."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaagent.errors import Failed, NeedsInput, TryAgain
from metaagent.plugin import AgentSpec, Artifact, Context, Result, Task
from metaagent.ports import Json
from metaagent.runtime import Answer, MetaAgent
from tests.support.execution_world import make_agent, opened, running_session

TERMINAL = {"completed", "failed", "skipped"}


@dataclass(frozen=True)
class Kind:
    """One random agent. `script` is what it does at each call; afterwards it succeeds."""

    takes: tuple[int, ...]
    twin: tuple[str, ...] | None
    """The script of a second agent that can do the same, if there is one."""
    script: tuple[str, ...]
    delay: int
    optional: bool = False


@dataclass
class World:
    kinds: list[Kind]
    kills: list[int]
    starts: list[str] = field(default_factory=list[str])
    calls: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])
    ended: set[str] = field(default_factory=set[str])
    """Steps that were told to have ended before the last kill."""
    killed: asyncio.Event = field(default_factory=asyncio.Event)

    def agents(self) -> list[AgentSpec]:
        made: list[AgentSpec] = []
        for number, kind in enumerate(self.kinds):
            made.append(self._agent(f"agent{number}", number, kind, cost=1.0))
            if kind.twin is not None:
                made.append(
                    self._agent(f"twin{number}", number, Kind(kind.takes, None, kind.twin, 0), cost=2.0)
                )
        return made

    def _agent(self, name: str, number: int, kind: Kind, cost: float) -> AgentSpec:
        needed = [f"kind{other}" for other in kind.takes]

        async def work(task: Task, ctx: Context) -> Result:
            self._started(name, ctx.step_id)
            if any(answer != f"to {name}" for answer in task.answers):
                self.problems.append(f"{name} heard {task.answers}")
            for wanted in needed:
                ref = task.input(wanted)
                if ref is None or (await ctx.artifacts.read(ref)) != {"kind": wanted}:
                    self.problems.append(f"{name} ran before its input {wanted}")
            for _ in range(kind.delay):
                await asyncio.sleep(0)
            call = self.calls[name]
            self.calls[name] += 1
            _play(kind.script[call] if call < len(kind.script) else "ok", task)
            return Result(f"{name} done", 1.0, [Artifact(f"kind{number}", {"kind": f"kind{number}"})])

        return make_agent(
            name,
            work,
            does=f"job{number}",
            makes=[f"kind{number}"],
            takes=needed,
            needs=["artifacts"],
            retries=1,
            cost=cost,
        )

    def _started(self, name: str, step_id: str) -> None:
        if step_id in self.ended:
            self.problems.append(f"{step_id} had ended and was started again")
        self.starts.append(name)
        if self.kills and len(self.starts) >= self.kills[0]:
            self.kills.pop(0)
            self.killed.set()


def _play(act: str, task: Task) -> None:
    if act == "fail":
        raise Failed("for good")
    if act == "bug":
        raise ValueError("a defect")
    if act == "again":
        raise TryAgain("busy", after=0)
    if act == "ask" and not task.answers:
        raise NeedsInput("which one?")


_SCRIPTS = st.lists(st.sampled_from(["ok", "fail", "bug", "again", "ask"]), max_size=3).map(tuple)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    kinds = [
        Kind(
            takes=tuple(sorted(draw(st.sets(st.integers(0, place - 1), max_size=2)))) if place else (),
            twin=draw(st.none() | _SCRIPTS),
            script=draw(_SCRIPTS),
            delay=draw(st.integers(0, 4)),
            optional=draw(st.booleans()),
        )
        for place in range(draw(st.integers(1, 5)))
    ]
    return World(kinds, sorted(draw(st.lists(st.integers(1, 8), max_size=2))))


async def _until_killed_or_done(world: World, asked: asyncio.Task[Answer]) -> Answer | None:
    killed = asyncio.ensure_future(world.killed.wait())
    await asyncio.wait([asked, killed], return_when=asyncio.FIRST_COMPLETED)
    killed.cancel()
    return asked.result() if asked.done() else None


async def _live(world: World, folder: Path) -> tuple[Answer, list[Json], Json]:
    """The turn from its question to its end, through as many processes as it is killed in."""
    jobs = {f"job{number}": kind.optional for number, kind in enumerate(world.kinds)}
    wanted, wished = ([name for name in jobs if jobs[name] is optional] for optional in (False, True))
    question = f"{' '.join(wanted)}, if possible {' '.join(wished)}" if wished else " ".join(wanted)
    session, answer = "", None
    for _ in range(60):
        async with opened(folder, *world.agents()) as app:
            world.killed.clear()
            if session:
                world.ended = await _told_ended(app, session)
            answer = await _until_killed_or_done(
                world, asyncio.ensure_future(_go(app, session, answer, question))
            )
            session = session or (await running_session(app))[0]
            if answer is not None and answer.status != "waiting":
                events = [event async for event in app.events(answer.turn_id)]
                return answer, events, dict(await app.state(session))
    raise AssertionError("the turn never ended")


async def _go(app: MetaAgent, session: str, last: Answer | None, question: str) -> Answer:
    if not session:
        return await app.ask(question)
    (turn,) = await app.turns(session)
    if turn.status not in {"queued", "running", "waiting"}:
        return await app.answer(turn.turn_id)  # the turn ended before the kill, and nobody heard of it
    if turn.status != "waiting":
        return await app.resume(session)
    asked = turn.waiting[0]
    return await app.resume(session, f"to {asked['agent']}", question_id=asked["id"])


async def _told_ended(app: MetaAgent, session: str) -> set[str]:
    events = [event for turn in await app.turns(session) for event in await _stored(app, turn.turn_id)]
    steps = [step for event in events if event["type"] == "todo_updated" for step in event["steps"]]
    return {step["step_id"] for step in steps if step["status"] in TERMINAL}


async def _stored(app: MetaAgent, turn_id: str) -> list[Json]:
    """Of an unfinished turn, whose stream would wait for more."""
    store = app._store  # pyright: ignore[reportPrivateUsage]
    return await store.events(turn_id)


def _check_story(events: list[Json]) -> None:
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    kinds = Counter(event["type"] for event in events)
    assert kinds["response"] == 1
    assert events[-1]["type"] == "response"
    versions = [event["plan_version"] for event in events if event["type"] == "plan_ready"]
    assert versions == list(range(1, len(versions) + 1))
    lists = [event for event in events if event["type"] == "todo_updated"]
    progress = [event["progress_percentage"] for event in lists]
    assert progress == sorted(progress)
    last: dict[str, str] = {}
    for event in lists:
        for step in event["steps"]:
            before = last.get(step["step_id"], "pending")
            assert before not in TERMINAL or step["status"] == before, "an ended step stays as it ended"
            last[step["step_id"]] = step["status"]


def _check_end(answer: Answer, state: Json) -> None:
    steps = answer.content["steps"]
    assert answer.status == "completed"
    assert all(step["status"] in TERMINAL for step in steps)
    assert len({step["step_id"] for step in steps}) == len(steps)
    assert all(step["status"] != "failed" for step in steps if step["step_id"] in _optional(answer))
    unfinished = [step for step in steps if step["status"] != "completed"]
    assert state["progress_percentage"] == 100 or unfinished
    for step in unfinished:
        assert step["error"], "the list says why"
        assert step["error"].rstrip(".") in answer.text, "and so does the response"


def _optional(answer: Answer) -> set[str]:
    return {step["step_id"] for step in answer.content["plan"]["execution_plan"] if step["optional"]}


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    database=None,
)
@given(world=worlds())
def test_every_turn_ends_in_order_whatever_happens(world: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        answer, events, state = asyncio.run(_live(world, Path(folder)))
    assert world.problems == []
    _check_story(events)
    _check_end(answer, state)
