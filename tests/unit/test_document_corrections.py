"""Requests in other words: a document as what the rest becomes, corrections by what there was, parts by what they are."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.documents.fields import read_date
from metaagent.documents.filling import Material
from metaagent.documents.model import Chart, Heading, Table, lines
from metaagent.documents.samples import sample_materials
from metaagent.language.open_answers import leaves_open
from metaagent.level2.document.facts import facts_of
from metaagent.level2.document.said import Said
from metaagent.plugin import Failed
from tests.support.changed_documents import SEMINAR, TEMPLATES, TODAY, VISIT, after, document
from tests.support.understanding import DATA, DOCUMENTS, ask, changed


@pytest.mark.parametrize(
    ("template", "values", "question", "field", "value"),
    [
        ("visit_report", VISIT, "면담자 이름이 박시온이 아니라 박시언이야, 고쳐줘", "contact", "박시언 원장"),
        ("visit_report", VISIT, "It's 해돋이의원, not 해오름의원", "hospital", "해돋이의원"),
        ("visit_report", VISIT, "방문일을 하루 앞당겨줘", "visited_on", "2026-11-10"),
        ("visit_report", VISIT, "다음 방문을 일주일 미뤄줘", "next_visit", "2026-12-07"),
        ("visit_report", VISIT, "the visit was actually on November 5", "visited_on", "2026-11-05"),
        ("seminar_request", SEMINAR, "참석자가 5명 늘었어", "attendees", 25),
        ("seminar_request", SEMINAR, "인원 3명 줄여줘", "attendees", 17),
        ("seminar_request", SEMINAR, "예산을 50만 원 올려줘", "budget", 2_500_000),
        ("seminar_request", SEMINAR, "예산을 50만 원으로 줄여줘", "budget", 500_000),
        ("seminar_request", SEMINAR, "make that 24 people", "attendees", 24),
        ("seminar_request", SEMINAR, "postpone it by two weeks, two weeks later", "held_on", "2026-12-23"),
    ],
)
def test_a_correction_changes_the_value_that_it_means(
    template: str, values: dict[str, Any], question: str, field: str, value: Any
) -> None:
    before = document(template, values)
    made = after(before, question).document
    assert made.fields[field]["value"] == value
    others = {name for name in values if name != field}
    assert {name: made.fields[name]["value"] for name in others} == {name: values[name] for name in others}


def test_a_change_out_of_range_is_refused() -> None:
    with pytest.raises(Failed, match="허용 범위"):
        after(document("seminar_request", SEMINAR), "참석자가 500명 늘었어")


@pytest.mark.parametrize(
    ("question", "gone", "left"),
    [
        ("표는 빼고 다시 줘", Table, Chart),
        ("그래프는 없이 줘", Chart, Table),
        ("take the charts out", Chart, Table),
    ],
)
def test_all_tables_or_charts_are_taken_out(question: str, gone: type, left: type) -> None:
    before = document("analysis_report", {}, sample_materials("ko")[:2])
    made = after(before, question).document
    assert not any(isinstance(block, gone) for block in made.blocks)
    assert any(isinstance(block, left) for block in made.blocks)
    headings = [block.text for block in made.blocks if isinstance(block, Heading)]
    assert headings == [f"{at}. {each.partition('. ')[2]}" for at, each in enumerate(headings, 1)]
    assert len(headings) == 2, "a heading with nothing below it goes, too"


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("제목을 '인천 10월 실적 보고'로 해줘", "인천 10월 실적 보고"),
        ("and call it Daejeon in October", "Daejeon in October"),
    ],
)
def test_a_document_gets_another_title(question: str, title: str) -> None:
    assert after(document("visit_report", VISIT), question).document.title == title


def test_a_quoted_line_is_added_as_it_is() -> None:
    before = document("analysis_report", {}, sample_materials("ko")[:1])
    made = after(before, "맨 끝에 '12월에는 재고를 점검한다'라고 한 줄 적어줘").document
    assert "12월에는 재고를 점검한다." in list(lines(made))


@pytest.mark.parametrize(
    "question",
    [
        "면담자 이름이 박시온이 아니라 박시언이야",
        "참석자가 5명 늘었어",
        "한글 파일로도 하나 줘",
        "also send it as Word please",
        "맨 끝에 '12월에는 재고를 점검한다'라고 한 줄 적어줘",
        "제목을 '인천 10월 실적 보고'로 해줘",
        "the visit was actually on November 5",
        "make that 4 people",
        "take the charts out",
        "give me the same in Korean",
    ],
)
def test_a_correction_goes_to_the_document_and_nothing_else(question: str) -> None:
    reading = changed(question)
    assert (reading["revises"], reading["required_capabilities"]) == ("d-1", ["document_generation"])
    assert not reading["clarification_needed"]


def test_quoted_words_ask_for_nothing() -> None:
    made = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]
    capabilities = [DOCUMENTS, DATA, {"name": "compliance_validation"}]
    question = "맨 끝에 '10월 매출을 규정에 맞는지 점검한다'라고 한 줄 적어줘"
    reading = ask(question, artifacts=made, capabilities=capabilities)
    assert (reading["revises"], reading["required_capabilities"]) == ("d-1", ["document_generation"])


@pytest.mark.parametrize(
    "question",
    [
        "지난 분기 팀별 매출 순위를 보고서로",
        "지난달 식사 비용이 규정에 맞는지 확인해서 규정 검토 보고서로",
        "Check October's expenses against the rules and give me a compliance report",
        "Which regions fell in October? Put it in a report, Excel only",
    ],
)
def test_a_document_can_be_what_the_rest_becomes(question: str) -> None:
    capabilities = [DOCUMENTS, DATA, {"name": "compliance_validation"}]
    assert "document_generation" in ask(question, capabilities=capabilities)["required_capabilities"]


@pytest.mark.parametrize(
    "question",
    [
        "12월 4일 저녁 7시, 40명, 총 1,200만 원. 이걸로 세미나 기안 올려줘",
        "I spoke with 3 people yesterday for 24,000 won, back again on 1 December. Make it a visit report.",
    ],
)
def test_it_can_stand_for_what_was_just_told(question: str) -> None:
    asked = [each["field"] for each in ask(question)["ambiguities"]]
    assert "reference" not in asked


@pytest.mark.parametrize(
    "question",
    [
        "예산 마이너스 50만원으로 세미나 신청서, 12월 1일, 10명",
        "세미나 신청서 12월 1일 10명 예산 마이너스 50만원",
    ],
)
def test_an_amount_below_nothing_is_asked_again(question: str) -> None:
    reading = ask(question)
    assert [each["field"] for each in reading["ambiguities"]] == ["budget"]
    assert reading["required_capabilities"] == ["document_generation"]


@pytest.mark.parametrize("answer", ["나중에", "예산은 아직 미정이에요", "not decided yet", "TBD"])
def test_a_field_of_a_form_can_be_left_open(answer: str) -> None:
    reading = ask("12월 10일 25명 세미나 신청서 만들어줘", answers=[{"field": "budget", "answer": answer}])
    assert reading["slots"]["budget"] == {"value": None, "source": "left"}
    assert not reading["clarification_needed"]
    assert leaves_open(answer)
    assert not leaves_open("아직 확정은 아니지만 300만원")


@pytest.mark.parametrize(
    ("text", "day"),
    [("4 November", "2026-11-04"), ("on 10 November for 3 people", "2026-11-10"), ("the 3rd of May 2027", "2027-05-03"),
     ("Nov. 5th, 2026", "2026-11-05"), ("in may we go", None)],
)  # fmt: skip
def test_english_days_are_read_either_way_round(text: str, day: str | None) -> None:
    assert read_date(text, TODAY, past=True) == day


def test_amounts_are_known_by_the_words_behind_them() -> None:
    said = Said("Proposal for Seorin Medical Center: Esomeron capsules at 410 won each, 2,000 a month")
    facts = facts_of(TEMPLATES["proposal"].template, said)
    assert (facts["unit_price"].text, facts["quantity"].text) == ("410 won each", "2,000 a month")


def test_nobody_who_was_not_met_is_written_down() -> None:
    said = Said("11월 8일 온누리병원 방문. 의사는 못 만났고 브로슈어만 두고 왔어요")
    facts = facts_of(TEMPLATES["visit_report"].template, said)
    assert "contact" not in facts
    assert facts["material"].text == "브로슈어"


def verdict(*, both: bool) -> Material:
    finding = {
        "rule": "r",
        "status": "violated",
        "severity": "high",
        "message": "한도를 넘습니다.",
        "law": "약사법",
    }
    other = {"other": {"language": "en", "messages": ["It exceeds the limit."]}} if both else {}
    data = {"risk_level": "high", "findings": [finding], "language": "ko", **other}
    return Material("v1", "verdict", "verdict", data)


def test_findings_are_turned_into_the_other_language() -> None:
    materials = [verdict(both=True)]
    made = after(document("compliance_report", {}, materials), "영어로 바꿔줘", materials)
    assert "It exceeds the limit." in list(lines(made.document))
    assert "그대로입니다" in made.changes[0]
    assert "인용문" not in made.changes[0]


def test_findings_without_another_language_are_said_to_stay() -> None:
    materials = [verdict(both=False)]
    made = after(document("compliance_report", {}, materials), "영어로 바꿔줘", materials)
    assert "한도를 넘습니다." in list(lines(made.document))
    assert "다른 자료의 문장은 그대로" in made.changes[0]


def test_quotations_in_another_language_say_so() -> None:
    passage = {"text": "경제적 이익등을 제공해서는 아니 된다.", "title": "약사법", "page": 3}
    materials = [Material("p1", "passages", "passages", {"passages": [passage]})]
    english = document("analysis_report", {}, materials, "en")
    assert english.notes[0].text == "약사법, p. 3 (quoted in the original Korean)"
    assert document("analysis_report", {}, materials).notes[0].text == "약사법, p. 3"
