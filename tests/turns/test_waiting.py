"""Questions back to the person: while the question is understood, and in the middle of a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import InputRefused
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeReasoner
from tests.support.agents import Runs, asking, figures, opened, worker

CLEAR = {"required_capabilities": ["figures"]}


def unclear(field: str, *options: str) -> dict[str, Any]:
    asked = {"field": field, "question": f"Which {field}?", "options": list(options), "reason": "not said"}
    other = {"field": "other", "question": "Which other?", "options": [], "reason": "not said either"}
    return {**CLEAR, "clarification_needed": True, "ambiguities": [asked, other]}


async def types_of(app: MetaAgent, answer: Answer) -> list[str]:
    events = [event async for event in app.events(answer.turn_id)]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    return [event["type"] for event in events]


async def test_clarifications_come_one_at_a_time_with_options(data: Path, runs: Runs):
    reasoner = FakeReasoner(unclear("period", "this month", "last month"), unclear("city"), CLEAR)
    async with opened(data, figures(runs), reasoner=reasoner) as app:
        first = await app.ask("figures")
        assert first.status == "waiting"
        assert first.content["waiting"] == [first.question]
        assert first.content["clarification"] == first.question
        assert first.question is not None
        assert first.question["question"] == "Which period?"
        assert first.question["options"] == ["this month", "last month"]
        second = await app.resume(first.session_id, "last month")
        assert second.question is not None
        assert second.question["question"] == "Which city?"
        done = await app.resume(first.session_id, {"code": "11", "name": "서울"})
        assert (done.status, done.text) == ("completed", "figures done")
        assert (done.question, done.content["clarification"]) == (None, None)
        answers = [{"field": "period", "answer": "last month"}]
        assert [list(context.answers) for _, context in reasoner.asked] == [
            [],
            answers,
            [*answers, {"field": "city", "answer": {"code": "11", "name": "서울"}}],
        ]
        assert (await types_of(app, done)).count("clarification_needed") == 2
        assert (await types_of(app, done)).count("planning_start") == 3


async def test_a_step_among_others_is_answered_once(data: Path, runs: Runs):
    steps = {"required_capabilities": ["figures", "other", "asking"]}
    agents = figures(runs), worker(runs, "other"), asking(runs)
    async with opened(data, *agents, reasoner=FakeReasoner(steps)) as app:
        waiting = await app.ask("three steps")
        assert waiting.status == "waiting"
    async with opened(data, *agents, reasoner=FakeReasoner(steps)) as app:
        done = await app.resume(waiting.session_id, "left")
        assert done.status == "completed"
        assert (await types_of(app, done)).count("clarification_needed") == 1
    assert {name: runs.of(name) for name in ("figures", "other")} == {"figures": 1, "other": 1}


async def test_the_rounds_of_clarification_are_bounded(data: Path, runs: Runs):
    reasoner = FakeReasoner(unclear("period"))
    async with opened(data, figures(runs), reasoner=reasoner, limits={"clarifications": 2}) as app:
        answer = await app.ask("figures")
        for _ in range(2):
            assert answer.status == "waiting"
            answer = await app.resume(answer.session_id, "no idea")
        assert answer.status == "completed"
        assert [warning["bound"] for warning in answer.content["warnings"]] == ["clarifications"]
        assert "limits.clarifications" in answer.content["warnings"][0]["text"]


async def test_a_clarification_waits_for_as_long_as_it_takes(data: Path, runs: Runs):
    async with opened(data, figures(runs), reasoner=FakeReasoner(unclear("period"))) as app:
        waiting = await app.ask("figures")
    async with opened(data, figures(runs), reasoner=FakeReasoner(CLEAR)) as app:
        assert [info.status for info in await app.sessions()] == ["waiting"]
        assert (await app.resume(waiting.session_id, "today")).text == "figures done"


async def test_a_wrong_or_missing_answer_leaves_the_question_waiting(data: Path, runs: Runs):
    async with opened(data, asking(runs)) as app:
        waiting = await app.ask("asking")
        for answer, question_id in ((None, None), ("", None), (" \n", None), ("left", "no-such-question")):
            with pytest.raises(InputRefused, match=waiting.session_id):
                await app.resume(waiting.session_id, answer, question_id=question_id)
        assert (await app.answer(waiting.turn_id)).status == "waiting"
        assert (await app.resume(waiting.session_id, "left")).text == "asking done"


async def test_only_the_asking_step_waits_and_no_finished_step_reruns(data: Path, runs: Runs):
    after = worker(runs, "after", takes=("asking_result",))
    async with opened(data, asking(runs), figures(runs), after) as app:
        waiting = await app.ask("after and figures")
        assert (runs.of("figures"), runs.of("asking"), runs.of("after")) == (1, 1, 0)
        assert waiting.question is not None
        assert waiting.question["agent"] == "asking"
        done = await app.resume(waiting.session_id, "right")
        assert done.status == "completed"
        assert (runs.of("figures"), runs.of("after")) == (1, 1)
        made = next(ref for ref in done.content["artifacts"] if ref["kind"] == "asking_result")
        assert (await app.artifact(done.session_id, made["id"]))["answers"] == ["right"]


async def test_a_step_may_ask_several_questions_in_a_row(data: Path, runs: Runs):
    async with opened(data, asking(runs, questions=3)) as app:
        answer = await app.ask("asking")
        for number in range(1, 4):
            assert answer.question is not None
            assert answer.question["question"] == f"asking: question {number}?"
            answer = await app.resume(answer.session_id, f"answer {number}")
        made = await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"])
        assert made["answers"] == ["answer 1", "answer 2", "answer 3"]
        assert (await types_of(app, answer)).count("clarification_needed") == 3


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
async def test_two_waiting_steps_are_answered_by_id_in_any_order(
    data: Path, runs: Runs, order: tuple[str, str]
):
    agents = (asking(runs, "one", questions=2), asking(runs, "two"))
    async with opened(data, *agents) as app:
        waiting = await app.ask("one and two")
        ids = {question["agent"]: question["id"] for question in waiting.content["waiting"]}
        assert set(ids) == {"one", "two"}
        with pytest.raises(InputRefused, match=r"s1 \(one: question 1\?\)"):
            await app.resume(waiting.session_id, "to whom?")
        answer = await app.resume(waiting.session_id, f"for {order[0]}", question_id=ids[order[0]])
    async with opened(data, *agents) as app:
        left = {question["agent"]: question["id"] for question in answer.content["waiting"]}
        assert order[1] in left
        answer = await app.resume(waiting.session_id, f"for {order[1]}", question_id=left[order[1]])
        assert answer.status == "waiting"
        assert [question["question"] for question in answer.content["waiting"]] == ["one: question 2?"]
        done = await app.resume(waiting.session_id, "last")
        assert done.status == "completed"
        made = {
            ref["kind"]: (await app.artifact(done.session_id, ref["id"]))["answers"]
            for ref in done.content["artifacts"]
        }
        assert made == {"one_result": ["for one", "last"], "two_result": ["for two"]}
        assert (await types_of(app, done)).count("clarification_needed") == 3


async def test_a_resumed_stream_begins_after_what_was_shown_already(data: Path, runs: Runs):
    async with opened(data, asking(runs)) as app:
        seen = [event async for event in app.stream("asking")]
        rest = [event async for event in app.stream_resume(seen[0]["session_id"], "left")]
        assert [event["seq"] for event in [*seen, *rest]] == list(range(1, len(seen) + len(rest) + 1))
        assert rest[-1]["type"] == "response"
