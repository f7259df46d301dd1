"""Requests for a form alone: dates, amounts and names are facts of the form, not conditions on data."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.requests.writing import with_subject
from tests.support.understanding import DATA, DOCUMENTS, ask, changed, found


def test_a_form_for_a_day_to_come_asks_nothing_of_the_data() -> None:
    reading = ask("Draft a seminar request for 20 December 2026, 25 participants, expenses KRW 5 million")
    assert reading["required_capabilities"] == ["document_generation"]
    assert reading["resolved"]["metrics"] == []
    assert reading["feasibility_check"]["data_available"]


def test_a_figure_to_look_up_is_no_fact_of_the_form() -> None:
    reading = ask("지난달 매출로 방문 보고서 만들어줘")
    assert "data_analysis" in reading["required_capabilities"]


def test_names_of_a_form_are_not_asked_about() -> None:
    assert not ask("박민수 방문 보고서 작성해줘")["clarification_needed"]
    assert ask("박민수 매출로 방문 보고서 작성해줘")["ambiguities"][0]["field"] == "person"


@pytest.mark.parametrize("answer", ["그대로 적어줘", "keep it", "박민수"])
def test_an_answer_takes_a_name_as_it_is_written(answer: str) -> None:
    given = [{"field": "person", "answer": answer}]
    assert not ask("박민수 매출로 방문 보고서 작성해줘", answers=given)["clarification_needed"]
    assert ask("박민수 매출 알려줘", answers=given)["clarification_needed"]


@pytest.mark.parametrize(
    "question",
    [
        "그 방문 보고서에서 다음 방문 일정은 11월 26일로 적어줘",
        "장소는 서울 코엑스로 채워줘",
        "방문 수 항목은 11월 3일로 기입해줘",
    ],
)
def test_a_value_for_a_field_changes_that_document(question: str) -> None:
    reading = changed(question)
    assert (reading["revises"], reading["required_capabilities"]) == ("d-1", ["document_generation"])
    assert found(reading, "period") == []


def test_a_report_to_be_written_is_a_new_one() -> None:
    assert not changed("방문 보고서 적어줘")["revises"]
    assert not changed("지난달 매출을 분석 보고서로 적어줘")["revises"]


BOTH = "11월 11일 한결의원 방문 보고서(제품은 가스트렐정)하고, 12월 9일 위염 세미나 신청서(20명, 400만원)를 같이 만들어줘"
BOTH_EN = "Create a visit report for Dr. Min on November 13, 2026, and an expense report for the lunch: 3 people, KRW 90,000."


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [(BOTH, "가스트렐정", "위염"), (BOTH_EN, "Dr. Min", "KRW 90,000")],
)
def test_each_of_two_documents_has_its_part_of_the_words(question: str, first: str, second: str) -> None:
    one, other = ask(question)["parts"]["document_generation"]
    texts = [question[slice(*part["span"])] for part in (one, other)]
    assert first in texts[0]
    assert second in texts[1]
    assert second not in texts[0]


def test_slots_are_filled_from_their_own_part() -> None:
    slots = ask(BOTH)["slots"]
    assert {name: each["value"] for name, each in slots.items()} == {
        "held_on": slots["held_on"]["value"], "attendees": 20, "budget": 4_000_000,
    }  # fmt: skip
    assert slots["held_on"]["value"].endswith("12-09")


def test_a_source_of_a_report_is_no_second_document() -> None:
    assert ask("방문 보고서와 지난달 매출을 비교해서 분석 보고서를 만들어줘")["parts"] == {}


@pytest.mark.parametrize(
    "question",
    [
        "11월 13일 제품설명회 점심값 의사 5명 총 38만5천원 썼어. 비용 보고서로 정리하고 DOCX로 줘",
        "Draft a seminar request: December 11, 2026, 45 participants, budget KRW 12.5 million. Give me a Word file.",
    ],
)
def test_facts_of_a_form_are_not_looked_up(question: str) -> None:
    reading = ask(question)
    assert reading["required_capabilities"] == ["document_generation"]
    assert reading["assumptions"] == []


@pytest.mark.parametrize(
    "question",
    [
        "Analyze sales by product and put it into an analysis report",
        "지난달 매출을 분석해서 그걸 분석 보고서로 만들어줘",
    ],
)
def test_a_pronoun_may_mean_what_goes_into_the_report(question: str) -> None:
    reading = ask(question)
    assert not reading["clarification_needed"]
    assert set(reading["required_capabilities"]) == {"data_analysis", "document_generation"}


@pytest.mark.parametrize(
    "question",
    [
        "다음 약속을 12월 8일로 바꿔줘",
        "인원을 34명으로 늘리고 예산은 1,050만원으로 고쳐줘",
        "금액을 36만 3천원으로 정정하고 PDF로도 줘",
        "Change the doctor's name to Olivia Hahn.",
        "Make it December 14 instead and translate it into Korean.",
        "Add a sentence to the summary saying that the figures are preliminary.",
        "요약을 한 문장으로 줄여줘",
    ],
)
def test_a_change_is_one_of_the_newest_document(question: str) -> None:
    reading = changed(question)
    assert reading["revises"] == "d-1"
    assert reading["required_capabilities"] == ["document_generation"]
    assert reading["resolved"]["metrics"] == []
    assert not reading["clarification_needed"]


@pytest.mark.parametrize(
    "question",
    [
        "어제 한빛의원 김지훈 원장님 방문했고 샘플 2개 드렸어. 방문 보고서 써줘",
        "Write a visit report: on November 10 I visited Saesol Hospital, met Dr Kim and explained Verdipin.",
    ],
)
def test_a_narrated_visit_is_no_question_of_data(question: str) -> None:
    reading = ask(question, capabilities=[DOCUMENTS, DATA])
    assert reading["required_capabilities"] == ["document_generation"]
    assert not reading["clarification_needed"]


def test_a_report_on_what_was_done_is_of_its_kind() -> None:
    assert ask("오늘 방문한 거 보고서 좀")["resolved"]["document_type"] == "visit_report"
    assert ask("지난달 매출 보고서 만들어줘")["resolved"]["document_type"] == "analysis_report"


def test_a_name_that_a_document_is_made_for_is_kept() -> None:
    assert not ask("한결의원에 제안서 작성해줘. 올해 매출 분석 넣어서")["clarification_needed"]
    assert ask("박민수 매출로 제안서 작성해줘")["clarification_needed"]


def test_an_expense_report_of_a_period_asks_for_its_figures() -> None:
    assert "data_analysis" in ask("지난달 지출 보고서 작성해줘")["required_capabilities"]
    stated = ask("어제 점심 38만원 썼어. 지출 보고서 작성해줘")
    assert stated["required_capabilities"] == ["document_generation"]


def test_a_compliance_report_of_a_period_is_fed_by_a_check() -> None:
    reading = ask("지난달 지출로 컴플라이언스 보고서 작성해줘")
    assert "compliance_validation" in reading["required_capabilities"]
    assert reading["fed_by"] == {"document_generation": ["data_analysis", "compliance_validation"]}
    assert ask("지난달 매출로 방문 보고서 만들어줘")["fed_by"] == {}


@pytest.mark.parametrize("question", ["영어로 부탁해", "in English please", "이거 영문으로도 줘"])
def test_a_mere_language_changes_the_newest_document(question: str) -> None:
    assert changed(question)["revises"] == "d-1"


def test_values_of_a_change_are_no_figures_of_data() -> None:
    reading = changed("예산을 900만원으로 줄이고 인원은 28명으로")
    assert (reading["revises"], reading["required_capabilities"]) == ("d-1", ["document_generation"])


def test_clauses_belong_to_the_document_they_name() -> None:
    question = "방문 보고서랑 세미나 신청서 만들어줘. 방문은 어제였고 세미나는 12월 20일이야"
    visit, seminar = ask(question)["parts"]["document_generation"]
    assert [question[slice(*span)] for span in visit["more"]] == ["방문은 어제였고 "]
    assert [question[slice(*span)] for span in seminar["more"]] == ["세미나는 12월 20일이야"]


@pytest.mark.parametrize(
    "question",
    [
        "세미나 신청서 작성해줘. 다음 주 금요일, 지역별 거래처, 참석 30명, 예산 300만원, 연자 김은결 교수",
        "Write a seminar request: next Friday, 30 attendees, budget 3 million won, speaker Dr. Kim at a hospital",
    ],
)
def test_a_day_to_come_and_kinds_of_things_are_facts_of_a_form(question: str) -> None:
    reading = ask(question)
    assert reading["required_capabilities"] == ["document_generation"]
    assert reading["resolved"]["dimensions"], "the words name a kind of thing that the data has"
    assert reading["feasibility_check"]["feasible"], reading["feasibility_check"]["reasons"]


def test_people_of_a_form_stay_as_they_are_written() -> None:
    written = "정수민"
    assert ask(f"{written} 매출 알려줘")["assumptions"], "the data has a person of nearly this name"
    reading = ask(f"방문 보고서 작성해줘. 어제 한결의원 {written} 교수 방문, 제품 설명")
    assert [e["value"] for e in reading["extracted_entities"] if e["type"] == "person"] == [written]
    assert found(reading, "person") == [None]
    assert not reading["assumptions"]


@pytest.mark.parametrize("question", ["보고서 작성해줘", "Write a report", "규정 준수 보고서 작성해줘"])
def test_a_report_on_nothing_asks_what_it_is_about(question: str) -> None:
    (asked,) = ask(question, artifacts=[])["ambiguities"]
    assert asked["field"] == "subject"
    made = [{"id": "d-1", "kind": "dataset", "summary": "서울 매출"}]
    assert not ask(question, artifacts=made)["clarification_needed"]


def test_an_answer_without_figures_is_said_when_asking_again() -> None:
    given = [{"field": "subject", "answer": "글쎄"}]
    (asked,) = ask("글쎄 보고서 작성해줘", artifacts=[], answers=given)["ambiguities"]
    assert "글쎄" in asked["question"]


@pytest.mark.parametrize(
    ("question", "subject", "whole"),
    [
        ("보고서 작성해줘", "지난달 서울 매출", "지난달 서울 매출 보고서 작성해줘"),
        ("Write a report.", "sales last month", "Write a report on sales last month"),
    ],
)
def test_the_subject_completes_the_request(question: str, subject: str, whole: str) -> None:
    assert with_subject(question, []) == question
    assert with_subject(question, [{"field": "subject", "answer": subject}]) == whole
    assert "data_analysis" in ask(whole)["required_capabilities"]


def part_of(question: str, document_type: str) -> str:
    (found,) = [
        each
        for each in ask(question)["parts"]["document_generation"]
        if each["document_type"] == document_type
    ]
    return question[slice(*found["span"])]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        (
            "오늘 점심 나래의원 원장님 뵙고 5만 2천원 썼어요. 방문 보고서랑 지출 보고서 둘 다 만들어줘",
            "나래의원",
        ),
        (
            "A visit report and an expense report please. I met Dr. Jin at Willow Clinic, 58,000 won for lunch.",
            "Willow Clinic",
        ),
    ],
)
def test_names_side_by_side_share_what_is_told(question: str, fact: str) -> None:
    assert fact in part_of(question, "visit_report")
    assert fact in part_of(question, "expense_report")


def test_a_day_behind_is_none_of_a_thing_to_be_held() -> None:
    asked = ask("어제 한결의원 다녀왔어. 방문 보고서랑 세미나 신청서 둘 다 만들어줘")
    assert "held_on" not in asked["slots"]


def test_a_number_behind_its_label_fills_the_slot() -> None:
    reading = ask("Seminar request\n- Date: 17 December 2026\n- Attendees: 32\n- Budget: KRW 6,400,000")
    assert {name: each["value"] for name, each in reading["slots"].items()} == {
        "held_on": "2026-12-17",
        "attendees": 32,
        "budget": 6_400_000,
    }


def test_keeping_as_a_matter_stores_nothing() -> None:
    reading = ask("솔바람의원 방문했고 티로시안정 보관 방법 안내했습니다. 방문 보고서로 정리해 주세요.")
    assert reading["required_capabilities"] == ["document_generation"]
