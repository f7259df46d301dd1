"""Questions that fill a form: known by the name of their field, and only nonsense counts against the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import NeedsInput
from metaagent.isolation.frames import describe, rebuild
from metaagent.plugin import Context, Result, Task
from metaagent.state.transitions import bound_reached
from tests.support.execution_world import make_agent, opened, statuses
from tests.support.writing_world import Written, writing

FIELDS = ("place", "day", "attendees", "budget", "purpose")


async def test_more_fields_than_clarifications_are_filled(tmp_path: Path):
    given: dict[str, object] = {}

    async def fill(task: Task, ctx: Context) -> Result | None:
        for name in FIELDS:
            if name not in task.named:
                raise NeedsInput(f"{name}?", field=name)
        given.update(task.named)

    async with opened(tmp_path, make_agent("form", fill), limits={"clarifications": 1}) as app:
        answer = await app.ask("form")
        for name in FIELDS:
            assert answer.question is not None
            assert answer.question["field"] == name
            answer = await app.resume(answer.session_id, f"the {name}")
    assert answer.status == "completed"
    assert given == {name: f"the {name}" for name in FIELDS}


async def test_a_field_answered_with_nonsense_ends_at_the_bound(tmp_path: Path):
    async def fill(task: Task, ctx: Context) -> Result | None:
        if not str(task.named.get("budget", "")).isdigit():
            raise NeedsInput("budget?", field="budget")

    async with opened(tmp_path, make_agent("form", fill), limits={"clarifications": 2}) as app:
        answer = await app.ask("form")
        asked = 0
        while answer.status == "waiting":
            asked += 1
            answer = await app.resume(answer.session_id, "nonsense")
    assert asked == 3
    assert statuses(answer)["form"] == "failed"
    assert "limits.clarifications" in answer.text


async def test_four_slots_of_a_domain_do_not_end_the_turn(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen), limits={"clarifications": 1}) as app:
        answer = await app.ask("세미나 신청서 작성해줘")
        for said in ("12월 3일", "30명", "300만원"):
            assert answer.status == "waiting", answer.content
            answer = await app.resume(answer.session_id, said)
    assert answer.status == "completed", answer.content
    assert {name: slot["value"] for name, slot in seen.tasks[0].request["slots"].items()} == {
        "held_on": seen.tasks[0].request["slots"]["held_on"]["value"],
        "attendees": 30,
        "budget": 3_000_000,
    }


async def test_nonsense_for_a_slot_counts_against_the_bound(tmp_path: Path):
    async with opened(tmp_path, writing(Written()), limits={"clarifications": 1}) as app:
        answer = await app.ask("세미나 신청서 작성해줘")
        answer = await app.resume(answer.session_id, "글쎄")
    assert answer.status == "completed"
    assert [warning["bound"] for warning in answer.content["warnings"]] == ["clarifications"]


@pytest.mark.parametrize(
    ("given", "wrong", "said"),
    [
        ((), "지난달", "날짜"),
        (("12월 3일",), "300만원", "30명"),
        (("12월 3일",), "두 곳", "30명"),
        (("12월 3일", "30명"), "30명", "금액"),
    ],
)
async def test_an_answer_of_another_type_is_said(tmp_path: Path, given: Sequence[str], wrong: str, said: str):
    async with opened(tmp_path, writing(Written())) as app:
        answer = await app.ask("세미나 신청서 작성해줘")
        for each in given:
            answer = await app.resume(answer.session_id, each)
        assert answer.question is not None
        field = answer.question["field"]
        answer = await app.resume(answer.session_id, wrong)
        assert answer.question is not None
        assert answer.question["field"] == field
        assert wrong in answer.question["question"]
        assert said in answer.question["question"]


async def test_a_new_request_replaces_a_form_question(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        first = await app.ask("세미나 신청서 작성해줘")
        answer = await app.resume(first.session_id, "방문 보고서 작성해줘")
    assert answer.status == "completed", answer.content
    assert answer.turn_id != first.turn_id
    assert [task.request["resolved"]["document_type"] for task in seen.tasks] == ["visit_report"]


async def test_a_form_that_was_left_is_taken_up_again(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        answer = await app.ask("세미나 신청서 작성해줘")
        session = answer.session_id
        await app.resume(session, "12월 3일")
        left = await app.resume(session, "취소")
        assert left.status == "completed"
        assert "그만두었습니다" in left.text
        assert seen.tasks == []
        answer = await app.ask("세미나 신청서 작성해줘", session_id=session)
        assert answer.question is not None
        assert answer.question["field"] == "attendees"


async def test_a_question_of_an_agent_can_be_left(tmp_path: Path):
    seen = Written()
    figures = make_agent("figures", makes=["dataset"])
    backup = replace(writing(Written(), cost=9.0), name="backup")
    async with opened(tmp_path, figures, writing(seen, asks=("place",), cost=1.0), backup) as app:
        answer = await app.ask("figures로 방문 보고서 작성해줘")
        assert answer.status == "waiting", answer.content
        answer = await app.resume(answer.session_id, "그만")
    assert answer.status == "completed"
    assert statuses(answer) == {"figures": "completed", "document_generation": "failed"}
    assert "그만두었습니다" in answer.text
    assert seen.tasks == []


def test_a_filled_field_is_not_counted():
    def asking(*answers: Mapping[str, Any]) -> dict[str, Any]:
        analysis = {"clarification_needed": True, "clarification_answers": list(answers)}
        return {"current_phase": "analyzing", "query_analyzer_state": analysis}

    filled = [{"field": "a", "filled": True}] * 9
    assert bound_reached(asking(*filled)) is None
    assert bound_reached(asking(*filled, *[{"field": "b"}] * 3)) == "max_clarifications"


def test_a_field_crosses_from_a_child():
    error = rebuild(describe(NeedsInput("which?", field="day")))
    assert isinstance(error, NeedsInput)
    assert error.field == "day"
