"""Changes by request: sentences behind a colon, parts known by what they hold, other figures, amounts for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metaagent.documents.model import Heading, Table, lines
from metaagent.documents.samples import sample_materials
from metaagent.level2.document.editing import with_data
from metaagent.level2.document.values import Known, collect
from metaagent.plugin import Failed
from tests.support.changed_documents import SEMINAR, TEMPLATES, TODAY, VISIT, after, document
from tests.support.understanding import DATA, DOCUMENTS, ask

LEFT = {
    **VISIT,
    "material": "견본품 2통이랑 리플렛",
    "discussion": "카르비온정 용법 설명",
    "next_steps": ["논문 송부", "견적서 전달"],
}


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "Add a sentence at the end: The Busan figures are provisional.",
            "The Busan figures are provisional.",
        ),
        ("마지막에 한 문장 추가해줘: 부산 수치는 잠정치입니다.", "부산 수치는 잠정치입니다."),
        ("추가해줘: 세종은 참고만 한다", "세종은 참고만 한다."),
    ],
)
def test_a_sentence_behind_a_colon_is_added(question: str, sentence: str) -> None:
    before = document("analysis_report", {}, sample_materials("ko")[:1])
    made = after(before, question).document
    assert sentence in list(lines(made))
    assert set(lines(before)) <= set(lines(made))


def test_a_field_named_before_the_colon_gets_the_value() -> None:
    before = document("analysis_report", {}, sample_materials("ko")[:2])
    made = after(before, "그래프는 빼고 결론도 넣어줘: 서울이 성장을 이끌었다")
    assert made.document.fields["conclusion"]["value"] == "서울이 성장을 이끌었다"
    assert len(made.changes) == 2, "both are done"


@pytest.mark.parametrize(
    ("question", "field", "left"),
    [
        ("견본품 부분은 빼줘", "material", "리플렛"),
        ("전달 자료는 삭제해줘", "material", None),
        ("Take out the next visit", "next_visit", None),
        ("견적서 얘기는 지워줘", "next_steps", ["논문 송부"]),
    ],
)
def test_a_part_is_taken_out_by_what_it_holds(question: str, field: str, left: Any) -> None:
    made = after(document("visit_report", LEFT), question).document
    assert made.fields.get(field, {}).get("value") == left
    others = {name: value for name, value in LEFT.items() if name != field}
    assert {name: made.fields[name]["value"] for name in others} == others


def test_words_that_stand_nowhere_take_nothing_out() -> None:
    with pytest.raises(Failed):
        after(document("visit_report", LEFT), "골프 부분은 빼줘")


def test_a_sentence_is_taken_out_by_a_word_in_it() -> None:
    before = document("analysis_report", {}, sample_materials("ko")[:1])
    more = after(before, "추가해줘: 세종은 참고만 한다").document
    made = after(more, "세종 문장은 빼줘").document
    assert list(lines(made)) == list(lines(before))


def test_nothing_is_made_up_to_be_longer() -> None:
    before = document("analysis_report", {"conclusion": "성장했다"}, sample_materials("ko")[:1])
    with pytest.raises(Failed, match="지어내지"):
        after(before, "결론 부분을 좀 더 길게")


@pytest.mark.parametrize(
    ("question", "value"), [("인원은 다섯 명 늘려줘", 25), ("five more people will come, add them", 25)]
)
def test_a_count_in_words_is_added(question: str, value: int) -> None:
    assert (
        after(document("seminar_request", SEMINAR), question).document.fields["attendees"]["value"] == value
    )


def test_an_amount_for_each_makes_the_total() -> None:
    spent = {"amount": 180_000, "participants": 6, "spent_on": "2026-11-09", "category": "dinner"}
    made = after(document("expense_report", spent), "금액이 잘못됐어요. 1인당 32,000원이었어요").document
    assert made.fields["amount"]["value"] == 192_000
    assert made.fields["amount_each"]["value"] == 32_000


@pytest.mark.parametrize("question", ["부산으로 바꿔줘", "9월 걸로 바꿔줘", "use September instead"])
def test_other_figures_make_the_next_version(question: str) -> None:
    before = ask("지난달 서울 매출 분석 보고서 만들어줘", capabilities=[DOCUMENTS, DATA])
    made = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]
    reading = ask(question, previous=before, artifacts=made, capabilities=[DOCUMENTS, DATA])
    assert reading["revises"] == "d-1"
    assert set(reading["required_capabilities"]) == {"data_analysis", "document_generation"}


def test_other_figures_bring_their_own_subject() -> None:
    first, other = sample_materials("ko")[:2], sample_materials("ko")[0]
    before = after(document("analysis_report", {}, first), "제목을 '보고'로 해줘").document
    data = {**other.data, "title": "2026년 9월 매출액"}
    made = with_data(
        before, TEMPLATES["analysis_report"], [replace(other, artifact_id="x", data=data)], TODAY, "ko"
    )
    assert made.document.meta["주제"] == "2026년 9월 매출액"
    assert made.document.title == "보고"


def test_a_field_that_is_undecided_stays_open() -> None:
    made = after(document("visit_report", VISIT), "다음 방문은 아직 미정이야").document
    assert "next_visit" not in made.fields
    left = {name: value for name, value in VISIT.items() if name != "next_visit"}
    with pytest.raises(Failed, match="비워"):
        after(document("visit_report", left), "다음 방문은 아직 없어요")


def test_a_value_that_is_there_already_is_said() -> None:
    with pytest.raises(Failed, match="이미"):
        after(document("seminar_request", SEMINAR), "인원은 20명이야")


def test_a_section_takes_its_fields_along() -> None:
    offer = {"customer": "한빛의원", "benefits": ["재고 감소"]}
    made = after(document("proposal", offer), "기대 효과는 빼줘").document
    assert "benefits" not in made.fields


def test_a_day_with_its_hour_is_for_who_keeps_one() -> None:
    left = {name: value for name, value in VISIT.items() if name != "next_visit"}
    made = after(document("visit_report", left), "the 24th at 9:30").document
    assert made.fields["next_visit"]["value"] == "2026-11-24T09:30"
    assert made.fields["visited_on"]["value"] == VISIT["visited_on"]


@pytest.mark.parametrize("question", ["빈지후 부원장님 만났어요", "Dr. Olivia Tan", "the 24th at 9:30"])
def test_a_short_turn_goes_on_with_the_form(question: str) -> None:
    before = ask("방문 보고서 작성해줘", capabilities=[DOCUMENTS, DATA])
    made = [{"id": "d-1", "kind": "document", "summary": "방문 보고서 1판을 만들었습니다"}]
    reading = ask(question, previous=before, artifacts=made, capabilities=[DOCUMENTS, DATA])
    assert reading["revises"] == "d-1"


@pytest.mark.parametrize(
    "question",
    [
        "급여 기준 요약본을 보내기로 했습니다. 어제 한빛의원 김지훈 원장님 뵀어요. 방문 보고서 작성 부탁드립니다.",
        "Met Dr. Bae at Saesol Hospital yesterday. Could you write up the visit report?",
        "need a visit report asap - Saesol Hospital, yesterday, Dr Kim",
    ],
)
def test_the_form_that_is_asked_for_is_made(question: str) -> None:
    reading = ask(question, capabilities=[DOCUMENTS, DATA])
    assert reading["resolved"]["document_type"] == "visit_report"
    assert "document_generation" in reading["required_capabilities"]


def test_an_answer_for_one_document_fills_no_other() -> None:
    request = {
        "raw_query": "방문 보고서랑 세미나 신청서 둘 다 만들어줘",
        "slots": {"held_on": {"value": "2026-12-10"}},
        "clarification_answers": [{"field": "held_on", "answer": "12월 10일"}],
    }
    known = Known(request, ["한빛의원", "어제"], [], None, TODAY, "ko")
    found = collect(TEMPLATES["visit_report"].template, known, [])
    assert (found["hospital"].value, found["visited_on"].value) == ("한빛의원", "2026-11-15")


@pytest.mark.parametrize("question", ["표를 맨 앞으로 옮겨줘", "Put the table first"])
def test_a_table_is_put_first(question: str) -> None:
    before = document("analysis_report", {}, sample_materials("ko"))
    made = after(before, question).document
    kinds = [type(block) for block in made.blocks if not isinstance(block, Heading)]
    assert kinds[0] is Table
    assert sorted(block.id for block in made.blocks) == sorted(block.id for block in before.blocks)
    numbers = [int(block.text.split(".")[0]) for block in made.blocks if isinstance(block, Heading)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("question", "discussion"),
    [
        ("면담 내용 더 짧게 줄여줘", "카르비온정 용법"),
        ("면담 내용에 가격도 문의하셨다고 추가해줘", "카르비온정 용법, 보관 방법; 가격도 문의하심"),
    ],
)
def test_the_text_of_a_form_is_shortened_and_added_to(question: str, discussion: str) -> None:
    before = document("visit_report", {**VISIT, "discussion": "카르비온정 용법, 보관 방법"})
    assert after(before, question).document.fields["discussion"]["value"] == discussion
