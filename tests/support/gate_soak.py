"""Random turns with checks that fail, block, come late or break, edits, fallbacks, new plans and overrides. Whether an
effect was allowed is told from what the agents themselves saw, without the code that decides it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metaagent.errors import Failed, MetaAgentError
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, TryAgain, agent
from metaagent.ports import Json, User
from metaagent.runtime import Answer, MetaAgent
from tests.support.execution_world import opened
from tests.support.gate_world import ASKER, FINDING, OFFICER, verdict

WRITERS = ("report", "letter")
CHECKERS = ("strict", "second", "third")
STORERS = ("archive", "mailer", "press")
CHECKS = (
    *("open", "open", "open", "blocks", "blocks", "fails", "late", "breaks", "exits", "again", "blocks_late"),
    *("unknown", "elsewhere", "garbage", "nothing", "poor"),
)
STORES = ("works", "works", "works", "fails", "late", "breaks", "again")
POLICIES: Mapping[str, Json] = {
    "asked": {"require": {"kinds": []}},
    "kinds": {"require": {"kinds": ["document"]}},
    "agents": {"require": {"agents": list(STORERS)}},
}
FIELDS = ("asked", "kinds", "agents")
LATE_SECONDS = 0.1
"""The bound of every agent. An agent that a busy machine makes late is one more that is late: a verdict of it counts where it
blocks, and where it clears it is noted here and opens nothing."""


@dataclass
class Script:
    """The behaviour of the agents in the present case, and what they did."""

    ways: dict[str, str] = field(default_factory=dict[str, str])
    turn: int = 0
    number: int = 0
    judged: list[tuple[int, frozenset[str], bool]] = field(default_factory=list[Any])
    effects: list[tuple[int, str, frozenset[str]]] = field(default_factory=list[Any])
    overridden: set[int] = field(default_factory=set[int])
    asked: dict[int, bool] = field(default_factory=dict[int, bool])


async def _trouble(way: str) -> None:
    match way:
        case "fails":
            raise Failed("it cannot be done")
        case "late":
            await asyncio.Event().wait()
        case "blocks_late":
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        case "breaks":
            raise ValueError("broken")
        case "exits":
            raise SystemExit(3)
        case "again":
            raise TryAgain("busy", after=0)
        case _:
            pass


def _writer(script: Script, name: str) -> AgentSpec:
    @agent(
        name=name,
        capabilities=[Capability("write", ko=("작성",), en=("write",))],
        produces={"document": dict[str, Any]},
        cost=1.0 + WRITERS.index(name),
        retries=0,
    )
    async def write(task: Task, ctx: Context) -> Result:
        if script.ways.get(name) == "fails":
            raise Failed("no paper")
        made = {"by": name, "number": script.number}
        return Result("written", 1.0, [Artifact("document", made)], [{"title": name}])

    return write


def _checker(script: Script, name: str) -> AgentSpec:
    takes = {"strict": "document|dataset|file", "second": "document", "third": "file|document"}[name]

    @agent(
        name=name,
        capabilities=[Capability("check", ko=("확인",), en=("check",))],
        produces={"verdict": None, "note": None, "table": None, "chart": None}
        if name == "second"
        else ["verdict"],
        consumes=[takes],
        cost=1.0 + CHECKERS.index(name),
        timeout=LATE_SECONDS,
        retries=1,
    )
    async def check(task: Task, ctx: Context) -> Result:
        # A late verdict is one of the session and the turn that asked for it.
        way, turn, judged = script.ways.get(name, "open"), script.turn, script.judged
        await _trouble(way)
        refs = list(task.inputs)
        if way in {"garbage", "nothing"}:
            return Result("judged", 1.0, [Artifact("verdict", "fine")] if way == "garbage" else [])
        said: Any = verdict(refs, blocks=way in {"blocks", "blocks_late", "poor"})
        if way == "unknown":
            said["findings"] = [{**FINDING, "status": "unknown"}]
        if way == "elsewhere":
            said["target"]["hashes"] = ["0" * 64]
        open_ = way == "open"
        judged.append((turn, frozenset(said["target"]["hashes"]), open_))
        return Result("judged", 0.0 if way == "poor" else 1.0, [Artifact("verdict", said)])

    return check


def _storer(script: Script, name: str) -> AgentSpec:
    @agent(
        name=name,
        capabilities=[Capability("store", ko=("저장",), en=("store",))],
        produces={"stored": dict[str, Any]},
        consumes=["document", "verdict?"] if name == "press" else ["document"],
        cost=1.0 + STORERS.index(name),
        side_effects=True,
        timeout=LATE_SECONDS,
        retries=1,
    )
    async def store(task: Task, ctx: Context) -> Result:
        way = script.ways.get(name, "works")
        if way in {"fails", "again"}:
            await _trouble(way)
        given = frozenset(ref.hash for ref in task.inputs if ref.kind != "verdict")
        script.effects.append((script.turn, name, given))
        await _trouble(way)
        return Result("stored", 1.0, [Artifact("stored", {"by": name, "number": script.number})])

    return store


def cast_of(script: Script) -> list[AgentSpec]:
    return [
        *(_writer(script, name) for name in WRITERS),
        *(_checker(script, name) for name in CHECKERS),
        *(_storer(script, name) for name in STORERS),
    ]


@dataclass
class Found:
    """The outcome of many cases."""

    turns: int = 0
    plans: int = 0
    effects: int = 0
    blocked: int = 0
    overridden: int = 0
    edits: int = 0
    fallbacks_or_replans: int = 0
    wrong: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])


async def soak(folder: Path, turns: int, seed: int, lanes: int = 3) -> Found:
    """Run at least so many turns, a third of them under each policy. Most of a turn is spent waiting, so each policy has its
    share of lanes, which run beside one another, each with a service and agents of its own."""
    found = Found()
    each = max(1, lanes // len(POLICIES))
    share = -(-turns // (each * len(POLICIES)))
    async with asyncio.TaskGroup() as group:
        for place, name in enumerate(POLICIES):
            for lane in range(each):
                rng = random.Random(f"{seed}-{place}-{lane}")
                group.create_task(_lane(folder / f"{name}{lane}", name, rng, share, found))
    return found


async def _lane(folder: Path, policy: str, rng: random.Random, turns: int, found: Found) -> None:
    script = Script()
    limits = {"breaker_failures": 1_000_000}
    options: Json = {"compliance": POLICIES[policy], "approval": {"mode": "always"}, "limits": limits}
    done = 0
    async with opened(folder, *cast_of(script), **options) as app:
        while done < turns:
            done += await _session(app, script, policy, rng, found)


async def _session(app: MetaAgent, script: Script, policy: str, rng: random.Random, found: Found) -> int:
    """One session of one to three turns, then a look at what happened outside; the number of turns."""
    script.judged = []
    script.effects.clear()
    script.overridden.clear()
    script.asked.clear()
    session: str | None = None
    turns = rng.choice((1, 1, 2, 3))
    for turn in range(turns):
        script.turn, script.number = turn, rng.randrange(10**9) if rng.random() < 0.7 else script.number
        script.ways = {name: rng.choice(CHECKS) for name in CHECKERS}
        script.ways |= {name: rng.choice(STORES) for name in STORERS}
        script.ways |= {name: "fails" if rng.random() < 0.1 else "works" for name in WRITERS}
        names = (*WRITERS, *CHECKERS, *STORERS)
        app.registry.disabled.clear()
        app.registry.disabled.update(name for name in names if rng.random() < 0.15)
        words = [word for word in ("write", "check", "store") if rng.random() < 0.8] or ["store"]
        script.asked[turn] = "check" in words
        rng.shuffle(words)
        answer = await app.ask(" ".join(words), session_id=session, user=ASKER, on_waiting="discard")
        session = answer.session_id
        answer = await _decided(app, script, answer, rng, found)
        found.turns += 1
        found.plans += (answer.content.get("plan") or {}).get("plan_version") or 0
        found.fallbacks_or_replans += any(
            "recovered" in str(step.get("error"))
            or ((answer.content.get("plan") or {}).get("plan_version") or 0) > 1
            for step in answer.content["steps"]
        )
        found.blocked += bool(answer.content["blocked"])
    _judge(script, policy, found)
    return turns


async def _decided(
    app: MetaAgent, script: Script, answer: Answer, rng: random.Random, found: Found
) -> Answer:
    """Answer what the turn asks, at random, until it has ended or is left waiting."""
    for _ in range(8):
        if answer.status != "waiting":
            break
        question = answer.content["waiting"][0]
        if question["kind"] == "approval":
            said = _edit(question["steps"], rng)
            found.edits += said.startswith(("drop", "order"))
            answer = await app.resume(answer.session_id, said, question_id=question["id"], user=ASKER)
            continue
        if rng.random() < 0.3:
            for user in (ASKER, User("boss", "acme", ("approver",))):
                try:
                    await app.override(answer.session_id, reason="let me", user=user)
                except MetaAgentError:
                    continue
                found.wrong.append(f"{user.user_id} opened a gate")
        approve = rng.random() < 0.4
        if approve:
            script.overridden.add(script.turn)
            found.overridden += 1
        await app.override(
            answer.session_id,
            "approve" if approve else "reject",
            reason="so",
            question_id=question["id"],
            user=OFFICER,
        )
        answer = await app.answer(answer.turn_id, user=ASKER)
    return answer


def _edit(steps: Sequence[Json], rng: random.Random) -> str:
    names = [step["step_id"] for step in steps]
    if not names or rng.random() < 0.6:
        return "approve"
    if rng.random() < 0.75:
        checks = [step["step_id"] for step in steps if step["agent"] in CHECKERS]
        return f"drop {rng.choice(checks or names)}"
    return "order " + " ".join(rng.sample(names, len(names)))


def _judge(script: Script, policy: str, found: Found) -> None:
    """Look at each effect: was everything that it was given judged, in its turn, and nothing against it?"""
    found.effects += len(script.effects)
    seen: set[tuple[int, frozenset[str]]] = set()
    for turn, name, given in script.effects:
        now = [(about, good) for when, about, good in script.judged if when == turn]
        needed = script.asked[turn] or policy != "asked"
        against = any(about & given and not good for about, good in now)
        for_all = all(any(each in about and good for about, good in now) for each in given)
        earlier = any(about & given and not good for when, about, good in script.judged if when < turn)
        cleared = any(about & given and good for about, good in now)
        closed = against or (needed and not for_all) or (earlier and not cleared)
        if closed and turn not in script.overridden:
            found.wrong.append(f"{policy} turn {turn}: {name} acted; judged {now}, given {sorted(given)}")
        if (turn, given) in seen:
            found.doubled.append(f"{policy} turn {turn}: {name} again")
        seen.add((turn, given))
