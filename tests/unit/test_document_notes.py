"""Facts of hasty notes, plans, occasions and undecided values, as a form reads them."""

from __future__ import annotations

from datetime import date

import pytest

from metaagent.documents.fields import Value
from metaagent.documents.templates import load_templates
from metaagent.language.days import days_in
from metaagent.language.slides import asks_for_slides
from metaagent.level2.document.assigning import asked_values
from metaagent.level2.document.facts import facts_of
from metaagent.level2.document.said import Said
from tests.support.paths import ROOT
from tests.support.understanding import DATA, DOCUMENTS, ask

TODAY = date(2026, 11, 16)
FOLDER = ROOT / "configs" / "domains" / "pharma" / "templates"
TEMPLATES = load_templates(
    {str(path.relative_to(FOLDER)): path.read_bytes() for path in FOLDER.rglob("template.yaml")}
)


def facts(template: str, text: str) -> dict[str, str]:
    found = facts_of(TEMPLATES[template].template, Said(text, today=TODAY))
    return {name: fact.text for name, fact in found.items()}


def test_items_between_strokes_are_read_one_by_one() -> None:
    found = facts(
        "visit_report",
        "11/12 봄빛병원 강도윤 과장 / 기침 자료 안내 / 용량 문의받음 / 논문 송부 예정 / 12월 1일 재방문",
    )
    assert found["discussion"] == "기침 자료 안내"
    assert found["questions"] == "용량"
    assert found["next_steps"] == "논문 송부"
    assert found["next_visit"] == "2026-12-01"


def test_a_plan_keeps_the_clause_that_leads_to_it() -> None:
    found = facts("visit_report", "목요일까지 학술팀 답변 받아서 전달하기로 했습니다.")
    assert found["next_steps"] == "목요일까지 학술팀 답변 받아서 전달"
    assert "material" not in found


def test_a_question_in_indirect_speech_is_a_question() -> None:
    assert facts("visit_report", "서방형 나오냐고 물으셨어요")["questions"] == "서방형 나오냐"


@pytest.mark.parametrize("value", ["아직 미정", "미정입니다", "TBD"])
def test_an_undecided_value_is_none(value: str) -> None:
    assert "speaker" not in facts("seminar_request", f"연자는 {value}")


def test_a_rejected_name_gives_way_to_the_right_one() -> None:
    assert facts("seminar_request", "연자는 변우석 교수 말고 변우성 교수님입니다")["speaker"] == "변우성 교수"


def test_an_occasion_keeps_the_words_that_say_which() -> None:
    assert (
        facts("expense_report", "식사는 조인트렉스정 설명회 하면서 했습니다")["purpose"]
        == "조인트렉스정 설명회"
    )
    assert (
        facts("expense_report", "lunch during the Alenavin presentation")["purpose"]
        == "Alenavin presentation"
    )


def test_a_weekday_beside_a_date_names_no_other_day() -> None:
    for text in ("Thursday 10 December", "12월 10일 목요일", "Thu, Dec 10"):
        assert [each.day for each in days_in(text, TODAY, ahead=True)] == [date(2026, 12, 10)]


def test_a_change_gives_several_values_at_once() -> None:
    before = {
        "attendees": Value(50, "question"),
        "budget": Value(14_000_000, "question"),
        "held_on": Value("2027-01-15", "question"),
    }
    template = TEMPLATES["seminar_request"].template
    text = "Move it to 22 January 2027 and make it 45 attendees"
    given, refused = asked_values(template, text, before, TODAY, "en")
    assert (given, refused) == ({"attendees": 45, "held_on": "2027-01-22"}, [])
    given, _ = asked_values(
        template, "인원이 50명이 아니라 32명으로 줄었고 예산도 1천만원으로 바꿔줘", before, TODAY, "ko"
    )
    assert given == {"attendees": 32, "budget": 10_000_000}


def test_slides_that_were_given_are_not_asked_for() -> None:
    assert asks_for_slides("지난달 매출 PPT로 만들어줘")
    assert asks_for_slides("turn it into slides")
    assert not asks_for_slides("발표 자료를 전달했어")


@pytest.mark.parametrize(
    "said",
    [
        "Two things. First a visit report: 12 November, Oak Clinic, met Dr. Han. Second, a seminar request, 3 December, 20 people.",
        "Write a visit report for Oak Clinic on 12 November. Then write a seminar request for 3 December with 20 people.",
        "두 가지 부탁해요. 하나는 방문 보고서: 11월 12일 새봄의원 한 원장님 면담. 다른 하나는 세미나 신청서: 12월 3일 20명.",
        "첫째, 방문 보고서. 11월 12일 새봄의원 방문함. 둘째, 세미나 신청서. 12월 3일 20명, 예산 100만원.",
    ],
)
def test_documents_that_are_counted_are_as_many(said: str) -> None:
    parts = ask(said, capabilities=[DOCUMENTS, DATA])["parts"]["document_generation"]
    assert [each["document_type"] for each in parts] == ["visit_report", "seminar_request"]
    second = said[slice(*parts[1]["span"])]
    assert "20" in second
    assert "12 November" not in second
    assert "11월 12일" not in second


def test_a_report_on_an_expense_of_one_day_is_a_form() -> None:
    one = ask("11월 9일 대구 출장 택시비 지출 보고서 작성해줘", capabilities=[DOCUMENTS, DATA])
    assert one["required_capabilities"] == ["document_generation"]
    month = ask("지난달 택시비 지출 보고서 작성해줘", capabilities=[DOCUMENTS, DATA])
    assert "data_analysis" in month["required_capabilities"]


def test_a_line_for_the_next_visit_quotes_no_text() -> None:
    said = "방문처: 새봄의원\n다음 방문: 11/27 오전 10시 30분\n위 내용으로 방문 보고서 작성 부탁드립니다"
    assert ask(said)["required_capabilities"] == ["document_generation"]
