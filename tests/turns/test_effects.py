"""An effect happens once, whoever tries it and however often."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import Failed, NeedsInput
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, TryAgain, agent
from metaagent.ports import Json
from tests.support.execution_world import never, opened, raising, statuses
from tests.support.gate_world import ASKER, World, storing, writing

DONE = "write and store"


def keyed(world: dict[str, Json], name: str, *, stop: Any = None, **options: Any) -> AgentSpec:
    """Stores by key in a place that can be asked; `stop` raises or hangs right after the effect."""
    options.setdefault("retries", 0)

    @agent(
        name=name,
        capabilities=[Capability("store", ko=("저장",), en=("store",))],
        produces={"stored": dict[str, Any]},
        consumes=("document",),
        needs=("artifacts", "effects"),
        side_effects=True,
        **options,
    )
    async def store(task: Task, ctx: Context) -> Result:
        document = await ctx.artifacts.read(task.inputs[0])
        key = ctx.effect_key("store document", document)
        known = await ctx.effects.begin(key)
        if known.status == "done" or key in world:
            receipt = known.receipt or world[key]
        else:
            receipt = world[key] = {"by": name, "times": 1}
            if stop is not None:
                await stop(task, ctx)
        await ctx.effects.done(key, receipt)
        return Result("stored", 1.0, [Artifact("stored", receipt)])

    return store


async def test_a_fallback_does_not_repeat_what_may_have_happened(tmp_path: Path):
    world = World()
    late = storing(world, after=never, timeout=0.05)
    async with opened(tmp_path, writing(), late, storing(world, "other", cost=2.0)) as app:
        answer = await app.ask(DONE, user=ASKER)
    assert [effect["by"] for effect in world.effects] == ["storing"]
    assert statuses(answer)["storing"] == "failed"
    assert "may have happened" in answer.text


@pytest.mark.parametrize("error", [ValueError("broken"), TimeoutError()])
async def test_neither_a_retry_nor_a_new_plan_repeats_it(tmp_path: Path, error: BaseException):
    world = World()
    broken = storing(world, after=raising(error), retries=2)
    # The other one takes something else, so that it is no fallback but another way.
    other = storing(world, "other", takes=(), cost=2.0)
    async with opened(tmp_path, writing(), broken, other) as app:
        await app.ask(DONE, user=ASKER)
    assert [effect["by"] for effect in world.effects] == ["storing"]


async def test_an_agent_that_says_it_failed_is_replaced(tmp_path: Path):
    world = World()
    failed = storing(world, before=raising(Failed("disk full")))
    async with opened(tmp_path, writing(), failed, storing(world, "other", cost=2.0)) as app:
        answer = await app.ask(DONE, user=ASKER)
    assert [effect["by"] for effect in world.effects] == ["other"]
    assert answer.status == "completed"


async def test_a_fallback_takes_over_the_effect_it_finds_by_key(tmp_path: Path):
    world: dict[str, Json] = {}
    agents = (keyed(world, "first", stop=never, timeout=0.5), keyed(world, "second", cost=2.0))
    async with opened(tmp_path, writing(), *agents) as app:
        answer = await app.ask(DONE, user=ASKER)
    assert [receipt["by"] for receipt in world.values()] == ["first"]
    assert statuses(answer)["second"] == "completed"


async def test_a_new_plan_with_other_step_numbers_has_the_same_key(tmp_path: Path):
    world: dict[str, Json] = {}
    first = keyed(world, "first", stop=raising(ValueError("broken")))

    @agent(
        name="second",
        capabilities=[Capability("store", ko=("저장",), en=("store",))],
        produces={"stored": dict[str, Any], "note": dict[str, Any]},
        consumes=("document", "table"),
        needs=("artifacts", "effects"),
        side_effects=True,
        cost=2.0,
    )
    async def second(task: Task, ctx: Context) -> Result:
        found = task.input("document")
        assert found is not None
        key = ctx.effect_key("store document", await ctx.artifacts.read(found))
        known = await ctx.effects.begin(key)
        assert known.status == "begun"
        receipt = world.setdefault(key, {"by": "second"})
        await ctx.effects.done(key, receipt)
        return Result("stored", 1.0, [Artifact("stored", receipt), Artifact("note", {})])

    @agent(name="table", capabilities=["tabulate"], produces=("table",))
    async def table(task: Task, ctx: Context) -> Result:
        return Result("made", 1.0, [Artifact("table", {})])

    async with opened(tmp_path, writing(), first, second, table) as app:
        answer = await app.ask(DONE, user=ASKER)
    assert answer.content["plan"]["plan_version"] == 2
    assert statuses(answer)["second"] == "completed"
    assert [receipt["by"] for receipt in world.values()] == ["first"]


async def test_the_key_tells_apart_what_must_be_told_apart():
    def key(what: str, content: Any, **changes: Any) -> str:
        place: dict[str, Any] = {"step_id": "s1", "turn_id": "t1", "capability": "store", **changes}
        session = place.pop("session", "c1")
        shared: Any = {"session_id": session}
        return Context("a", shared, needs=frozenset(), ports={}, **place).effect_key(what, content)

    same = key("mail", {"to": "kim", "text": "hi"})
    assert same == key("mail", {"text": "hi", "to": "kim"}, step_id="s7")
    others = [
        key("mail", {"to": "lee", "text": "hi"}),
        key("fax", {"to": "kim", "text": "hi"}),
        key("mail", {"to": "kim", "text": "hi"}, turn_id="t2"),
        key("mail", {"to": "kim", "text": "hi"}, session="c2"),
        key("mail", {"to": "kim", "text": "hi"}, capability="other"),
        key("mail", b"hi"),
        key("mail", "hi"),
        key("mail", b'"hi"'),
    ]
    assert len({same, *others}) == len(others) + 1


async def test_effects_are_on_record_until_withdrawn(tmp_path: Path):
    seen: list[tuple[str, Json]] = []

    @agent(
        name="steps",
        capabilities=[Capability("steps", en=("steps",))],
        produces=("done",),
        needs=("effects",),
        retries=1,
    )
    async def steps(task: Task, ctx: Context) -> Result:
        key, other = ctx.effect_key("one"), ctx.effect_key("two")
        first, second = await ctx.effects.begin(key), await ctx.effects.begin(other)
        seen.extend([(first.status, first.receipt), (second.status, second.receipt)])
        if first.status == "new":
            await ctx.effects.done(key, {"number": 1})
            await ctx.effects.done(key, {"number": 2})
            await ctx.effects.withdraw(other)
            await ctx.effects.withdraw(key)
            raise TryAgain("once more", after=0)
        return Result("done", 1.0, [Artifact("done", {})])

    async with opened(tmp_path, steps) as app:
        answer = await app.ask("steps")
        assert (await app.delete_session(answer.session_id))["effects"] == 2
    assert seen == [("new", {}), ("new", {}), ("done", {"number": 1}), ("new", {})]


async def test_two_at_once_begin_an_effect_once(tmp_path: Path):
    seen: list[str] = []

    @agent(
        name="both", capabilities=[Capability("both", en=("both",))], produces=("done",), needs=("effects",)
    )
    async def both(task: Task, ctx: Context) -> Result:
        key = ctx.effect_key("one")
        seen.extend(each.status for each in await asyncio.gather(*(ctx.effects.begin(key) for _ in range(8))))
        return Result("done", 1.0, [Artifact("done", {})])

    async with opened(tmp_path, both) as app:
        await app.ask("both")
    assert sorted(seen) == ["begun"] * 7 + ["new"]


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_a_run_that_a_crash_cut_off_is_not_begun_again(tmp_path: Path, language: str):
    world, reached = World(), asyncio.Event()

    async def stays(task: Task, ctx: Context) -> None:
        reached.set()
        await never(task, ctx)

    asked = DONE if language == "en" else "작성하고 저장해줘"
    async with opened(tmp_path, writing(), storing(world, after=stays)) as app:
        events = app.stream(asked, user=ASKER)
        session_id = (await anext(events))["session_id"]
        await reached.wait()
    async with opened(tmp_path, writing(), storing(world)) as app:
        answer = await app.resume(session_id, user=ASKER)
        assert world.stored == 1
        assert statuses(answer)["storing"] == "failed"
        assert ("may have happened" if language == "en" else "이미 반영되었을 수 있") in answer.text
        again = await app.ask(asked, session_id=session_id, user=ASKER)
    assert statuses(again)["storing"] == "completed"
    assert world.stored == 2


async def test_an_agent_that_asks_first_runs_once_it_is_answered(tmp_path: Path):
    world, asked = World(), [False]

    async def asks(task: Task, ctx: Context) -> None:
        if not asked[0]:
            asked[0] = True
            raise NeedsInput("where to?")

    async with opened(tmp_path, writing(), storing(world, before=asks)) as app:
        waiting = await app.ask(DONE, user=ASKER)
        answer = await app.resume(waiting.session_id, "there", user=ASKER)
    assert statuses(answer)["storing"] == "completed"
    assert world.stored == 1
