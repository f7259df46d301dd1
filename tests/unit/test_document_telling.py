"""Facts that are told beside others: in a sentence, in an answer, in a later turn."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from metaagent.documents.fields import Value
from metaagent.documents.templates import load_templates, read_files
from metaagent.level2.document.assigning import asked_values
from metaagent.level2.document.side_values import told_values
from metaagent.level2.document.values import Known, collect
from tests.support.paths import ROOT

TEMPLATES = load_templates(read_files(ROOT / "configs" / "domains" / "pharma" / "templates"))
TODAY = date(2026, 11, 16)


def told(template: str, text: str) -> dict[str, Any]:
    found = told_values(TEMPLATES[template].template, text, TODAY, "ko", "question")
    return {name: each.value for name, each in found.items()}


def changed(template: str, text: str, **before: Any) -> dict[str, Any]:
    held = {name: Value(value, "question") for name, value in before.items()}
    given, refused = asked_values(TEMPLATES[template].template, text, held, TODAY, "ko")
    assert not refused
    return given


@pytest.mark.parametrize("mark", [" - ", ": ", " – ", " = "])
def test_a_label_of_a_line_ends_with_any_mark(mark: str) -> None:
    found = told(
        "seminar_request",
        f"1) 주제{mark}고령 환자의 이상지질혈증\n2) 연자{mark}나은채 원장\n3) 장소{mark}새빛센터 201호",
    )
    assert (found["topic"], found["speaker"], found["place"]) == (
        "고령 환자의 이상지질혈증",
        "나은채 원장",
        "새빛센터 201호",
    )


def test_quoted_words_before_the_thing_are_its_topic() -> None:
    assert (
        told("seminar_request", "'만성기침의 진단과 치료' 세미나 하려고요")["topic"]
        == "만성기침의 진단과 치료"
    )


def test_a_person_behind_a_label_ends_with_the_title() -> None:
    assert told("seminar_request", "연자는 석민호 교수님이고 28명")["speaker"] == "석민호 교수"


def test_somebody_in_a_question_belongs_to_the_question() -> None:
    found = told("visit_report", "원장님이 임산부에게 써도 되는지 물어보셨고")
    assert found["questions"] == "임산부에게 써도 되는지"


def test_somebody_who_asked_is_no_part_of_the_question() -> None:
    found = told("visit_report", "박은빈 교수님께서 투여 간격을 질문하셨습니다")
    assert found["questions"] == "투여 간격"


def test_one_label_is_a_day_or_a_thing_to_do() -> None:
    assert told("visit_report", "follow-up: mail her the price list")["next_steps"] == [
        "mail her the price list"
    ]
    assert told("visit_report", "follow-up: 3 December, 3pm")["next_visit"] == "2026-12-03T15:00"


def test_a_sentence_with_a_pronoun_has_its_label() -> None:
    found = told("proposal", "We offer delivery on the next working day.")
    assert found["offer"] == "delivery on the next working day"


def test_a_day_that_is_not_the_one_is_passed_over() -> None:
    assert told("visit_report", "그저께 말고 지난 목요일에 다녀온 건데요")["visited_on"] == "2026-11-12"


@pytest.mark.parametrize(
    ("text", "count"), [("스물다섯 명", 25), ("마흔두 분", 42), ("thirty-one people", 31), ("셋이서", 3)]
)
def test_people_are_counted_in_words(text: str, count: int) -> None:
    assert told("expense_report", text)["participants"] == count


def test_one_turn_tells_several_open_fields() -> None:
    found = changed("proposal", "제품은 알레나빈정이고 단가 290원, 월 6,000정이야", customer="햇살약국")
    assert found == {"product": "알레나빈정", "unit_price": 290, "quantity": 6000}


def test_facts_told_later_leave_what_stands() -> None:
    found = changed("visit_report", "I met Dr. Um there, she asked about the price", contact="Dr. Bae")
    assert "contact" not in found
    assert found["questions"] == "price"


def test_a_wrong_amount_without_its_unit_is_replaced() -> None:
    found = changed(
        "seminar_request", "예산은 300이 아니라 350만원이야. 장소도 5층 회의실로 바뀌었어", budget=3_000_000
    )
    assert found == {"budget": 3_500_000, "place": "5층 회의실"}


def test_a_bare_number_replaces_the_nearest() -> None:
    assert changed("expense_report", "sorry, it was 54,000", amount=45_000, participants=3) == {
        "amount": 54_000
    }
    assert changed("expense_report", "sorry, it was 4", amount=45_000, participants=3) == {"participants": 4}


def test_a_weekday_is_corrected_by_another() -> None:
    found = changed("visit_report", "방문일이 목요일이 아니라 수요일이었네요", visited_on="2026-11-12")
    assert found == {"visited_on": "2026-11-11"}


def collected(template: str, question: str, *answers: str, entities: Any = ()) -> dict[str, Any]:
    request = {"raw_query": question, "extracted_entities": list(entities)}
    found = collect(TEMPLATES[template].template, Known(request, answers, (), None, TODAY, "ko"), ())
    return {name: each.value for name, each in found.items()}


def test_an_answer_tells_other_fields_along() -> None:
    found = collected(
        "expense_report",
        "지출 보고서 써줘",
        "8만 4천원",
        "11월 10일에 썼어",
        "하나봄의원 원장님이랑 점심이었고 참석 인원은 총 3명",
    )
    assert (found["participants"], found["category"], found["amount_each"]) == (3, "lunch", 28_000)
    assert (found["hospital"], found["amount"]) == ("하나봄의원", 84_000)


def test_a_field_that_was_told_along_is_not_asked_for() -> None:
    found = collected("visit_report", "방문 보고서 써줘", "어제 한빛의원 다녀왔어요")
    assert (found["hospital"], found["visited_on"]) == ("한빛의원", "2026-11-15")


def test_an_amount_for_each_makes_the_total() -> None:
    question = "1인당 2만4천원 점심 5명, 어제"
    entities = [
        {"type": "money", "normalized": 24_000, "span": [4, 9]},
        {"type": "quantity", "normalized": 5, "unit": "명", "span": [13, 15]},
    ]
    found = collected("expense_report", question, entities=entities)
    assert (found["amount"], found["amount_each"]) == (120_000, 24_000)


def test_a_name_that_is_told_ends_with_its_title() -> None:
    found = changed("visit_report", "면담자는 유세진 과장이고 당뇨 신약 소개했어", hospital="해오름병원")
    assert found == {"contact": "유세진 과장", "discussion": "당뇨 신약 소개"}


def test_the_whole_counts_before_its_parts() -> None:
    question = "어제 5만원 점심, pharmacists four, five people in all"
    entities = [
        {"type": "money", "normalized": 50_000, "span": [3, 6]},
        {"type": "quantity", "normalized": 4, "unit": "명", "span": [23, 27]},
        {"type": "quantity", "normalized": 5, "unit": "명", "span": [29, 40]},
    ]
    assert collected("expense_report", question, entities=entities)["participants"] == 5


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("어제 하윤재 원장님이랑 복용 편의성, 신장애 환자 용량을 얘기했고", "discussion", "복용 편의성, 신장애 환자 용량 얘기"),
        ("Dr. Moon and I went over the protocol, the interval, and what to tell patients. Bye", "discussion",
         "went over protocol, the interval, and what to tell patients"),
        ("I left two dosing cards and a patient diary with her", "material", "two dosing cards and a patient diary"),
        ("만난 분은 약제과 구본희 약사님", "contact", "구본희 약사"),
        ("11월 30일에 재방문 예정입니다", "next_visit", "2026-11-30"),
        ("She'd like to see us again on 1 December at 11", "next_visit", "2026-12-01T11:00"),
    ],
)  # fmt: skip
def test_items_and_ways_of_telling_are_read(text: str, field: str, value: str) -> None:
    assert told("visit_report", text)[field] == value


def test_an_answer_to_another_question_is_kept() -> None:
    request = {"raw_query": "지출 보고서", "resolved": {"document_type": "expense_report"}}
    known = Known(request, ["어제", "18,400원", "택시비"], [], None, TODAY, "ko")
    found = collect(TEMPLATES["expense_report"].template, known, [])
    assert (found["spent_on"].value, found["amount"].value) == ("2026-11-15", 18_400)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("날짜를 전부 하루씩 미뤄줘", {"visited_on": "2026-11-12", "next_visit": "2026-12-12"}),
        ("Change the date everywhere from 11 to 12 November", {"visited_on": "2026-11-12"}),
        ("the 10th, not the 11th", {"visited_on": "2026-11-10"}),
    ],
)
def test_days_are_changed_where_they_stand(text: str, found: dict[str, str]) -> None:
    assert changed("visit_report", text, visited_on="2026-11-11", next_visit="2026-12-11") == found
