"""Documents with other figures each, a form for each house, values that are stated after the document is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metaagent.level1.planning import PlanRequest, make_plan
from metaagent.plugin import Context, Result, Task, agent
from tests.support.understanding import DATA, DOCUMENTS, ask, suite

PARTS = frozenset(
    {"방문일", "면담자", "교수님 이름", "장소", "참석 인원", "인원", "quantity", "contact", "price"}
)


def changed(question: str) -> dict[str, Any]:
    made = [{"id": "d-1", "kind": "document", "summary": "방문 보고서 1판을 만들었습니다"}]
    context = replace(suite().context, parts=PARTS)
    return ask(question, context=context, artifacts=made, capabilities=[DOCUMENTS, DATA])


@pytest.mark.parametrize(
    "question",
    [
        "서울 매출 보고서랑 부산 매출 보고서 만들어줘, 10월 기준",
        "10월 서울이랑 부산 매출 보고서 각각 하나씩 써줘",
        "Write a report on October sales in Seoul and another one on October sales in Busan",
    ],
)
def test_each_report_has_its_own_figures(question: str) -> None:
    parts = ask(question)["parts"]
    figures, documents = parts["data_analysis"], parts["document_generation"]
    assert [each["number"] for each in documents] == [each["number"] for each in figures] == [1, 2]
    asked = [each["request"]["semantic_request"] for each in figures]
    assert asked[0]["filters"] != asked[1]["filters"]
    for key in ("metrics", "period"):
        assert asked[0][key] == asked[1][key]


@pytest.mark.parametrize(
    "question",
    [
        "방문 보고서와 지난달 매출을 비교해서 분석 보고서를 만들어줘",
        "지난달 서울 매출 분석 보고서 만들어줘",
        "10월 서울과 부산 매출 보고서 만들어줘",
    ],
)
def test_one_report_is_one(question: str) -> None:
    assert "data_analysis" not in ask(question)["parts"]


def test_a_form_for_each_house() -> None:
    question = (
        "11/9 정다운의원 문가영 원장, 11/10 바른내과의원 최재원 원장 방문했어. 각각 방문 보고서 만들어줘"
    )
    first, second = ask(question)["parts"]["document_generation"]
    assert (first["number"], second["number"]) == (1, 2)
    assert "바른내과의원" not in question[slice(*first["span"])]
    assert "정다운의원" not in question[slice(*second["span"])]


@pytest.mark.parametrize(
    "question",
    [
        "아니 교수님 이름은 김민서야",
        "방문일이 11월 6일이야",
        "장소는 본사 대회의실",
        "인원 90명으로",
        "6명이었어",
        "the contact was Dr. Bae Suji",
        "make the price 360 won",
        "change the quantity to 15,000",
        "누리의원 말고 누림의원이야",
        "방문일을 하루 앞당겨줘",
    ],
)
def test_a_value_that_is_stated_changes_the_document(question: str) -> None:
    reading = changed(question)
    assert (reading["revises"], reading["required_capabilities"]) == ("d-1", ["document_generation"])


@pytest.mark.parametrize("question", ["방문일이 언제야?", "10월 서울 매출은 얼마야?", "제품별 매출 보여줘"])
def test_a_question_changes_nothing(question: str) -> None:
    assert not changed(question)["revises"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("12월 11일 고혈압 세미나 열려고 해. 45명, 예산 900만원. 신청서 써줘", "seminar_request"),
        ("오늘 다솜병원 방문 보고서. 양세찬 교수 면담.", "visit_report"),
        ("11/4 제일병원 한효주 과장 만나 내성 데이터 논의함. 보고서 써줘", "visit_report"),
        ("방문보고서\n병원명: 한솔의원\n방문일: 2026.11.10\n내용: 경쟁품과의 차이", "visit_report"),
    ],
)
def test_a_document_is_known_by_what_is_told(question: str, kind: str) -> None:
    reading = ask(question)
    assert reading["resolved"]["document_type"] == kind
    assert reading["required_capabilities"] == ["document_generation"]


def test_words_above_a_request_are_its_own() -> None:
    reading = ask("11월 13일 미소의원 오세훈 원장 면담. 위 내용으로 방문 보고서 작성해줘")
    assert reading["ambiguities"] == []


def test_an_amount_for_each_person_is_no_budget() -> None:
    reading = ask("12월 3일 25명 인당 8만원으로 세미나 신청서 써줘")
    assert "budget" not in reading["slots"]
    assert [each["field"] for each in reading["ambiguities"]] == ["budget"]


async def idle(_task: Task, _ctx: Context) -> Result:
    return Result("", 1.0)


def test_a_document_takes_the_figures_of_its_own_part() -> None:
    figures = agent(name="figures", capabilities=["data_analysis"], produces=["dataset"])(idle)
    writer = agent(
        name="writer", capabilities=["document_generation"], produces=["document"], consumes=["dataset?"]
    )(idle)
    analysis = {
        "required_capabilities": ["data_analysis", "document_generation"],
        "parts": {
            "data_analysis": [{"number": 1}, {"number": 2}],
            "document_generation": [{"number": 1}, {"number": 2}, {"number": 3}],
        },
    }
    plan = make_plan(PlanRequest(analysis, [figures, writer]))
    steps = {step.get("step_id", ""): step for step in plan.get("execution_plan", [])}
    made = {name: step.get("part", {}).get("number") for name, step in steps.items()}
    taken = {
        step.get("part", {}).get("number"): [
            made[each.get("from_step") or ""] for each in step.get("inputs", ())
        ]
        for step in steps.values()
        if step.get("agents") == ["writer"]
    }
    assert taken == {1: [1], 2: [2], 3: []}


@pytest.mark.parametrize(
    "question", ["sorry, it was 54,000", "raise the quantity to 1,800", "no, that should be 12 people"]
)
def test_a_correction_in_english_changes_the_document(question: str) -> None:
    assert changed(question)["revises"] == "d-1"


def test_a_question_in_english_changes_nothing() -> None:
    assert not changed("how many people were there in 2025?")["revises"]
