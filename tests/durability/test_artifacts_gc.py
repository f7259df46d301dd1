"""Artifacts that nothing refers to go; what a kept turn refers to stays, with everything that it was made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.errors import UnknownSession
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import ArtifactRef
from metaagent.runtime import MetaAgent
from metaagent.sessions.bundle import referenced
from metaagent.sessions.turn_service import COLLECT_EVERY
from tests.support.agents import Runs, asking, drawing, figures, opened
from tests.support.artifacts import stray


def counting(runs: Runs) -> AgentSpec:
    """Makes something new each time."""

    @agent(
        name="counting",
        capabilities=[Capability("counting", ko=("counting",), en=("counting",))],
        produces={"number": dict[str, Any]},
    )
    async def work(task: Task, ctx: Context) -> Result:
        return Result("counting done", 1.0, [Artifact("number", {"value": runs.add("counting")})])

    return work


async def conversation(app: MetaAgent, *questions: str) -> str:
    session_id = (await app.ask(questions[0])).session_id
    for question in questions[1:]:
        await app.ask(question, session_id=session_id)
    return session_id


async def made(app: MetaAgent, session_id: str) -> dict[int, list[str]]:
    turns = await app.turns(session_id)
    return {turn.number: [ref["id"] for ref in turn.outcome.get("artifacts") or ()] for turn in turns}


async def test_only_unreferenced_artifacts_are_collected(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        session_id = await conversation(app, "drawing", "figures")
        lost = await stray(app, session_id)
        assert await app.artifact(session_id, lost)
        assert (await app.prune_session(session_id)).artifacts == 1
        with pytest.raises(UnknownSession):
            await app.artifact(session_id, lost)
        for ids in (await made(app, session_id)).values():
            for name in ids:
                assert await app.artifact(session_id, name)
        assert (await app.prune_session(session_id)).artifacts == 0


async def test_nothing_of_an_unfinished_turn_goes(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs), asking(runs)) as app:
        session_id = (await app.ask("drawing asking")).session_id
        under_way = await stray(app, session_id)
        assert (await app.prune_session(session_id)).artifacts == 0
        assert await app.artifact(session_id, under_way)
        answer = await app.resume(session_id, "left")
        assert (answer.status, answer.content["errors"]) == ("completed", [])


async def test_artifacts_can_be_limited_to_the_newest_turns(data: Path, runs: Runs):
    async with opened(
        data, counting(runs), drawing(runs), figures(runs), retention={"artifact_turns": 2}
    ) as app:
        session_id = await conversation(app, *["counting"] * 2)
        await app.save_checkpoint(session_id, "here")
        for _ in range(13):
            await app.ask("counting", session_id=session_id)
        by_turn = await made(app, session_id)
        gone = (await app.prune_session(session_id)).artifacts
        kept = {
            number for number, ids in by_turn.items() if all([await there(app, session_id, i) for i in ids])
        }
        assert {14, 15} <= kept, "the newest turns'"
        assert {1, 2} <= kept, "a named checkpoint refers to them"
        assert gone == 15 - len(kept) > 0
        assert [turn.number for turn in await app.turns(session_id)] == list(range(15, 0, -1)), "turns stay"
        await app.restore(session_id, name="here")
        assert (await app.ask("counting", session_id=session_id)).status == "completed"


async def there(app: MetaAgent, session_id: str, artifact_id: str) -> bool:
    try:
        return bool(await app.artifact(session_id, artifact_id))
    except UnknownSession:
        return False


async def test_collection_runs_by_itself_now_and_then(data: Path, runs: Runs):
    async with opened(data, counting(runs), retention={"artifact_turns": 1}) as app:
        session_id = await conversation(app, *["counting"] * (COLLECT_EVERY + 1))
        by_turn = await made(app, session_id)
        assert not await there(app, session_id, by_turn[1][0])
        assert await there(app, session_id, by_turn[COLLECT_EVERY + 1][0])


async def test_other_sessions_are_left_alone(data: Path, runs: Runs):
    async with opened(data, figures(runs), retention={"artifact_turns": 1}) as app:
        session_id, other = await conversation(app, "figures"), await conversation(app, "figures")
        lost = await stray(app, other)
        await stray(app, session_id)
        assert (await app.prune_session(session_id)).artifacts == 1
        assert await app.artifact(other, lost)


async def test_artifacts_of_undone_turns_stay_with_them(data: Path, runs: Runs):
    async with opened(data, counting(runs)) as app:
        session_id = await conversation(app, "counting", "counting")
        await app.restore(session_id, turn=1)
        assert (await app.prune_session(session_id)).artifacts == 0
        await app.restore(session_id, turn=2)
        for ids in (await made(app, session_id)).values():
            assert await app.artifact(session_id, ids[0])


IDS = [f"a{number:031x}" for number in range(12)]


def ref(name: str, made_from: list[str]) -> ArtifactRef:
    return ArtifactRef(name, "k", "", 0, "", "", tuple(made_from))


@given(
    st.dictionaries(st.sampled_from(IDS), st.lists(st.sampled_from(IDS), max_size=3), max_size=12),
    st.lists(st.sampled_from(IDS), max_size=4),
)
def test_referenced_artifacts_are_kept_with_their_sources(
    sources: dict[str, list[str]], mentioned: list[str]
):
    refs = [ref(name, made_from) for name, made_from in sources.items()]
    kept = referenced(refs, [orjson.dumps({"deep": [{"text": f"see {name}."}]}) for name in mentioned])
    assert set(mentioned) & sources.keys() <= kept <= sources.keys()
    for name in kept:
        assert set(sources[name]) & sources.keys() <= kept
    reasons = set(mentioned) | {source for name in kept for source in sources[name]}
    assert kept <= reasons, "nothing is kept without a reason"
