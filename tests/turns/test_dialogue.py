"""A conversation about data: questions that take the place of others, courtesies, doubts and what is taken over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.data_world import company, dataset

UNCLEAR = "지난달 부산 실적 알려줘"


@pytest.mark.parametrize("question", ["이번 달 서울 방문 수 알려줘", "이번 달 서울 방문 수"])
async def test_a_full_question_takes_the_place_of_a_clarification(made: Path, question: str):
    async with company(made) as app:
        alone = await app.ask(question)
        waiting = await app.ask(UNCLEAR)
        assert waiting.status == "waiting"
        resumed = await app.resume(waiting.session_id, question)
        again = await app.ask(UNCLEAR, session_id=waiting.session_id)
        assert again.status == "waiting"
        asked = await app.ask(question, session_id=waiting.session_id, on_waiting="discard")
        found = [await dataset(app, answer) for answer in (alone, resumed, asked)]
        turns = await app.turns(waiting.session_id)
    assert [(each["sql"], each["params"]) for each in found] == [(found[0]["sql"], found[0]["params"])] * 3
    assert [turn.status for turn in reversed(turns)] == ["cancelled", "completed", "cancelled", "completed"]
    assert resumed.text.splitlines()[0] == alone.text.splitlines()[0]


async def test_an_answer_with_the_questions_own_words_is_an_answer(made: Path):
    async with company(made) as app:
        waiting = await app.ask(UNCLEAR)
        done = await app.resume(waiting.session_id, "지난달 부산 매출")
        assert done.turn_id == waiting.turn_id
        assert done.status == "completed"


async def test_the_events_of_a_replacing_turn_are_all_streamed(made: Path):
    async with company(made) as app:
        waiting = await app.ask(UNCLEAR)
        events = [
            event async for event in app.stream_resume(waiting.session_id, "이번 달 서울 방문 수 알려줘")
        ]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert waiting.turn_id not in {event["turn_id"] for event in events}


@pytest.mark.parametrize(
    ("first", "unread", "then"),
    [
        ("지난달 매출 알려줘", "쀍쀍 해줘", "9월은?"),
        ("Sales last month", "zorblewise brakeup pls", "And the same for September"),
    ],
)
async def test_a_follow_up_says_which_question_it_leaves_out(made: Path, first: str, unread: str, then: str):
    async with company(made) as app:
        answered = await app.ask(first)
        waiting = await app.ask(unread, session_id=answered.session_id)
        assert waiting.status == "waiting"
        done = await app.resume(answered.session_id, then)
        again = await app.ask("8월은?", session_id=answered.session_id)
    assert unread in done.text.splitlines()[0]
    assert unread not in again.text


@pytest.mark.parametrize("said", ["고마워요", "안녕하세요!", "Thanks!"])
async def test_courtesies_leave_a_clarification_waiting(made: Path, said: str):
    async with company(made, limits={"clarifications": 1}) as app:
        waiting = await app.ask(UNCLEAR)
        assert waiting.question is not None
        for _ in range(2):
            still = await app.resume(waiting.session_id, said)
            assert (still.turn_id, still.status) == (waiting.turn_id, "waiting")
            assert still.question is not None
            assert still.question["question"].endswith(waiting.question["question"])
            assert still.question["question"] != waiting.question["question"]
        done = await app.resume(waiting.session_id, str(waiting.question["options"][0]))
        assert done.status == "completed"
        assert "부산" in done.text


async def test_a_new_figure_drops_ranking_and_filters_that_do_not_fit(made: Path):
    async with company(made) as app:
        first = await app.ask("지난달 서울 카르비온정 매출 상위 3개 병원 알려줘")
        then = await app.ask("목표는?", session_id=first.session_id)
        request = then.content["analysis"]["semantic_request"]
    assert request["metrics"] == ["target_amount"]
    assert not request.get("top")
    assert [item["dimension"] for item in request["filters"]] == ["region"]
    assert "이 수치에 쓸 수 없어 뺐습니다: 카르비온정" in then.text


async def test_an_unsure_answer_begins_with_the_doubt(made: Path):
    question = "지난달 서을 매출 알려줘"
    async with company(made, analysis={"doubt_below": 0.99}) as app:
        doubted = await app.ask(question)
    async with company(made, analysis={"doubt_below": 0}) as app:
        plain = await app.ask(question)
    assert doubted.text.splitlines()[0].startswith("질문을 제대로 이해했는지 확실하지 않으니")
    assert doubted.text.splitlines()[1:] == plain.text.splitlines()


async def test_words_that_were_not_read_stay_named_in_follow_ups(made: Path):
    async with company(made) as app:
        first = await app.ask("지난달 쩨롭틱 서울 매출")
        assert "쩨롭틱" in first.text.splitlines()[0]
        again = await app.ask("부산은?", session_id=first.session_id)
    assert "쩨롭틱" in again.text.splitlines()[0]
    assert float(again.content["confidence"]) < 0.8
