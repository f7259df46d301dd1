"""Forms from the words of a request: facts become fields, what is missing is asked, names are kept as they are written."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import date
from typing import Any

import pypdf
import pytest

from metaagent.documents.fields import Value, read_time
from metaagent.documents.files import render_files
from metaagent.documents.filling import Filling, fill, review_notes
from metaagent.documents.model import Chart, Document, Heading, Paragraph, Span, lines
from metaagent.documents.templates import load_templates, read_files
from metaagent.level2.document.agent import document_generation
from metaagent.level2.document.assigning import asked_values, with_its_title
from metaagent.level2.document.editing import edit
from metaagent.level2.document.facts import facts_of
from metaagent.level2.document.said import Said
from metaagent.plugin import Artifact, NeedsInput, Result
from metaagent.testing import FakeTemplates, run_agent
from tests.support.paths import ROOT
from tests.support.written_documents import chart

FILES = read_files(ROOT / "configs" / "domains" / "pharma" / "templates")
TEMPLATES = load_templates(FILES)
VISIT = (
    "Write a visit report: I met Dr. Kim at Hangyeol Clinic on November 12, 2026 and presented Carvion Tablet. "
    "He asked about side effects; next meeting on November 26."
)
EXPENSE = "어제 한결내과의원 제품설명회 점심 8명 64만원 법인카드로 결제했어. 비용 보고서 만들어줘"


async def made(
    question: str, kind: str, entities: list[dict[str, Any]] | None = None, **options: Any
) -> Result:
    request = {
        "raw_query": question,
        "resolved": {"document_type": kind},
        "extracted_entities": entities or [],
        "user_context": {"today": "2026-11-17"},
    }
    given: dict[str, Any] = {"templates": FakeTemplates(FILES), "request": request, **options}
    return await run_agent(document_generation, question, **given)


def entity(question: str, words: str, kind: str, **more: Any) -> dict[str, Any]:
    start = question.index(words)
    return {"type": kind, "value": words, "normalized": None, "span": [start, start + len(words)], **more}


def day(question: str, words: str, iso: str) -> dict[str, Any]:
    return entity(question, words, "period", unit="day", start=iso, end=iso)


def values(result: Result) -> dict[str, Any]:
    document = Document.from_json(result.artifacts[0].data)
    return {name: each["value"] for name, each in document.fields.items()}


async def test_an_english_visit_report_has_the_facts_given() -> None:
    days = [day(VISIT, "November 26", "2026-11-26"), day(VISIT, "November 12, 2026", "2026-11-12")]
    result = await made(VISIT, "visit_report", days, language="en")
    found = values(result)
    assert {name: found.get(name) for name in ("hospital", "contact", "product", "questions")} == {
        "hospital": "Hangyeol Clinic",
        "contact": "Dr. Kim",
        "product": "Carvion Tablet",
        "questions": "side effects",
    }
    assert (found["visited_on"], found["next_visit"]) == ("2026-11-12", "2026-11-26")
    assert "not in the data: Hangyeol Clinic, Carvion Tablet" in result.summary


@pytest.mark.parametrize(
    ("question", "kind", "field"),
    [
        ("I need an expense report for a lunch", "expense_report", "amount"),
        ("방문 일지 써줘", "visit_report", "hospital"),
    ],
)
async def test_a_form_without_facts_asks_for_the_first(question: str, kind: str, field: str) -> None:
    with pytest.raises(NeedsInput) as asked:
        await made(question, kind)
    assert asked.value.field == field


async def test_required_fields_left_for_later_stand_open() -> None:
    result = await made("지출 보고서", "expense_report", answers=["나중에"] * 3, language="ko")
    document = Document.from_json(result.artifacts[0].data)
    assert {"amount", "spent_on", "purpose"} <= {each.name for each in document.open_fields}
    assert any("작성 필요" in line for line in lines(document))
    assert "amount" in result.state["generated_document"]["metadata"]["open_fields"]


async def test_figures_stand_in_for_the_fields_of_a_visit() -> None:
    data = {"title": "t", "columns": [], "rows": [], "row_count": 0, "sentences": ["매출은 1원입니다."]}
    result = await made("방문 보고서", "visit_report", inputs=[Artifact("dataset", data, "t")], language="ko")
    assert "hospital" not in values(result)


async def test_headcount_and_amount_give_the_amount_each() -> None:
    entities = [
        day(EXPENSE, "어제", "2026-11-16"),
        entity(EXPENSE, "한결내과의원", "organisation"),
        entity(EXPENSE, "8명", "quantity", unit="명") | {"normalized": 8},
        entity(EXPENSE, "64만원", "money") | {"normalized": 640_000},
    ]
    found = values(await made(EXPENSE, "expense_report", entities, language="ko"))
    assert (found["participants"], found["amount_each"], found["category"]) == (8, 80_000, "lunch")
    assert (found["hospital"], found["purpose"]) == ("한결내과의원", "제품설명회")
    assert "recipient" not in found


async def test_a_document_is_dated_by_the_local_day() -> None:
    entities = [
        entity(EXPENSE, "64만원", "money") | {"normalized": 640_000},
        day(EXPENSE, "어제", "2026-11-16"),
    ]
    found = values(await made(EXPENSE, "expense_report", entities, language="ko"))
    assert found["written_on"] == "2026-11-17"


@pytest.mark.parametrize(
    "question",
    [
        "12월 10일 오후 2시 서울 코엑스에서 세미나, 주제는 고혈압, 연자는 한국대병원 이정훈 교수. 세미나 신청서 써줘",
        "Draft a seminar request at 서울 코엑스, venue 서울 코엑스, topic 고혈압, speaker 한국대병원 이정훈 교수",
    ],
)
def test_a_seminar_request_reads_place_topic_and_speaker(question: str) -> None:
    found = {
        name: fact.text
        for name, fact in facts_of(TEMPLATES["seminar_request"].template, Said(question)).items()
    }
    found.pop("held_at", None)
    assert found == {"place": "서울 코엑스", "topic": "고혈압", "speaker": "한국대병원 이정훈 교수"}


@pytest.mark.parametrize(
    "question", ["주제를 적어줘", "세미나 신청서 만들어줘", "장소 채워줘", "topic, speaker"]
)
def test_no_fact_is_read_where_none_is_stated(question: str) -> None:
    assert facts_of(TEMPLATES["seminar_request"].template, Said(question)) == {}


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("그 방문 보고서에서 다음 방문 일정은 11월 26일로 적어줘", "next_visit", "2026-11-26"),
        ("면담자를 이정훈 교수로 바꿔줘", "contact", "이정훈 교수"),
    ],
)
async def test_an_edit_fills_a_field_of_that_document(change: str, field: str, value: str) -> None:
    first = await made("방문 보고서", "visit_report", answers=["새봄병원", "2026-11-13"], language="ko")
    earlier = Artifact("document", first.artifacts[0].data)
    second = await made(change, "visit_report", inputs=[earlier], language="ko")
    before, after = values(first), values(second)
    assert after == before | {field: value}


async def test_an_edit_changes_the_title_alone() -> None:
    first = await made("방문 보고서", "visit_report", answers=["새봄병원", "2026-11-13"], language="en")
    earlier = Artifact("document", first.artifacts[0].data)
    asked = "Change the title of that report to 'October product review'"
    second = await made(asked, "visit_report", inputs=[earlier], language="en")
    assert second.artifacts[0].data == first.artifacts[0].data | {"title": "October product review"}


async def test_a_chart_that_shows_a_part_says_so() -> None:
    spec = chart() | {"title": {"text": "t", "subtitle": ["12 of 27 shown"]}}
    inputs = [Artifact("chart", {"title": "Sales", "spec": spec}, "Sales")]
    result = await made("analysis report", "analysis_report", inputs=inputs, language="en")
    document = Document.from_json(result.artifacts[0].data)
    captions = [block.caption for block in document.blocks if isinstance(block, Chart)]
    assert captions == ["Figure 1. Sales (12 of 27 shown)"]


async def test_no_amount_breaks_inside_on_a_page() -> None:
    text = " ".join(f"{'가' * (at % 7 + 1)} ₩{at}.5M, {at}.36억 원" for at in range(10, 80))
    block = Paragraph("p", (Span(text),))
    first = Document.from_json(
        (await made("제안서", "proposal", answers=["한빛의원"], language="ko")).artifacts[0].data
    )
    page = await render_files(replace(first, blocks=(block,)), ["pdf"])
    lines_of = pypdf.PdfReader(io.BytesIO(page["pdf"])).pages[0].extract_text().splitlines()
    assert len(lines_of) > 10
    assert not [line for line in lines_of if line.rstrip().endswith(("₩", "억")) or line.startswith("원")]


@pytest.mark.parametrize(
    ("answer", "spent_on"),
    [("어제", "2026-11-16"), ("today", "2026-11-17"), ("11월 13일", "2026-11-13"), ("Dec 3", "2025-12-03")],
)
async def test_a_day_that_was_is_read_from_the_local_day(answer: str, spent_on: str) -> None:
    result = await made("지출 보고서", "expense_report", answers=["64만원", answer, "점심"], language="ko")
    assert values(result)["spent_on"] == spent_on


def said(question: str, name: str) -> Said:
    return Said(question, question.index(name), today=date(2026, 11, 16))


def test_verbs_topics_places_and_times_are_facts() -> None:
    visit = (
        "한결의원 정유나 과장님 만나서 설명하고 브로슈어 전달했어. 발목 부종이 얼마나 흔한지 물으셨고 "
        "다음엔 12월 3일에 뵙기로 했어. 방문 보고서"
    )
    found = facts_of(TEMPLATES["visit_report"].template, said(visit, "방문 보고서"))
    assert found["material"].text == "브로슈어"
    assert found["questions"].text == "발목 부종이 얼마나 흔한지"
    assert found["next_visit"].text == "2026-12-03"
    seminar = "12월 9일 오후 3시 은평구청 대회의실 위염 세미나 신청서"
    found = facts_of(TEMPLATES["seminar_request"].template, said(seminar, "세미나 신청서"))
    assert {name: fact.text.strip() for name, fact in found.items()} == {
        "held_at": "오후 3시", "place": "은평구청 대회의실", "topic": "위염",
    }  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "3월 5일에 30명이 참석하는 세미나 신청서",
        "이번 세미나 신청서",
        "새 세미나 신청서",
        "Draft a seminar request",
    ],
)
def test_no_topic_is_made_of_other_words(question: str) -> None:
    name = "seminar request" if question.isascii() else "세미나 신청서"
    assert "topic" not in facts_of(TEMPLATES["seminar_request"].template, said(question, name))


async def test_each_of_two_documents_is_filled_from_its_part() -> None:
    question = (
        "Create a visit report for Dr. Min at Mapo Haedam Clinic on November 13, 2026, and an expense report for the lunch "
        "there that day: 3 people, KRW 90,000."
    )
    entities = [
        day(question, "November 13, 2026", "2026-11-13"),
        {**entity(question, "3 people", "quantity", unit="명"), "normalized": 3},
        {**entity(question, "KRW 90,000", "money"), "normalized": 90_000},
    ]
    cut = question.index("an expense")

    async def part(kind: str, span: tuple[int, int]) -> dict[str, Any]:
        request = {
            "raw_query": question,
            "resolved": {"document_type": kind, "span": list(span)},
            "extracted_entities": entities,
            "user_context": {"today": "2026-11-17"},
        }
        return values(await made(question, kind, request=request))

    visit = await part("visit_report", (0, cut))
    expense = await part("expense_report", (cut, len(question)))
    assert (visit["contact"], visit["hospital"]) == ("Dr. Min", "Mapo Haedam Clinic")
    assert (expense["amount"], expense["participants"], expense["amount_each"]) == (90_000, 3, 30_000)
    assert (expense["hospital"], expense["spent_on"]) == ("Mapo Haedam Clinic", "2026-11-13")
    assert "amount" not in visit
    assert "contact" not in expense


SEMINAR = {
    "held_on": {"value": "2026-12-11"}, "attendees": {"value": 22}, "budget": {"value": 6_500_000},
}  # fmt: skip


async def seminar_then(change: str) -> tuple[Document, Result]:
    """A seminar request of ours, and what a change makes of it."""
    today = {"user_context": {"today": "2026-11-17"}}
    request = {"resolved": {"document_type": "seminar_request"}, "slots": SEMINAR, **today}
    first = await made("세미나 신청서", "seminar_request", request=request, language="ko")
    result = await made(
        change, "seminar_request", request={"revises": "d-1", **today}, inputs=first.artifacts, language="ko"
    )
    return Document.from_json(result.artifacts[0].data), result


async def test_several_values_change_in_one_request() -> None:
    document, result = await seminar_then("인원을 34명으로 늘리고 예산은 1,050만원으로 고쳐줘")
    shown = {name: each["value"] for name, each in document.fields.items()}
    assert (shown["attendees"], shown["budget"], shown["held_on"]) == (34, 10_500_000, "2026-12-11")
    assert shown["budget_words"] == "금 일천오십만원정"
    assert "본부장" in result.summary


async def test_a_day_without_a_name_is_the_day_of_the_event() -> None:
    document, _ = await seminar_then("Make it December 14 instead and translate it into English.")
    assert document.fields["held_on"]["value"] == "2026-12-14"
    assert (document.language, document.title) == ("en", "Seminar request")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("Add a sentence to 행사 개요 saying that the date is preliminary.", "The date is preliminary."),
        ("행사 개요에 '일정은 바뀔 수 있습니다' 문장을 추가해줘", "일정은 바뀔 수 있습니다."),
        ("행사 개요에 일정은 잠정안이라는 문장을 추가해줘", "일정은 잠정안입니다."),
    ],
)
async def test_a_sentence_is_added_in_the_words_given(change: str, sentence: str) -> None:
    document, _ = await seminar_then(change)
    assert list(lines(document)).count(sentence) == 1


async def test_one_more_format_keeps_the_earlier_ones() -> None:
    _, result = await seminar_then("예산을 700만 원으로 정정하고 엑셀로도 줘")
    forms = [each.group.format for each in result.artifacts if each.group]
    assert forms == ["json", "pdf", "docx", "xlsx"]


async def test_a_part_is_cut_to_the_sentences_asked_for() -> None:
    document = Document(
        "doc-1", "x", "ko", "analysis_report", "2",
        blocks=(Heading("summary", "1. 요약"), Paragraph("summary.0", (Span("하나다. 둘이다. 셋이다."),))),
    )  # fmt: skip
    edited = edit(document, "요약을 한 문장으로 줄여줘", TEMPLATES["analysis_report"], None, "ko")
    assert list(lines(edited.document))[-1] == "하나다."


def test_particles_and_titles_follow_the_new_value() -> None:
    loaded = TEMPLATES["proposal"]
    document = fill(Filling(loaded, "ko", "doc-1", {"customer": Value("한결의원", "question")}))
    edited = edit(document, "제안처를 새봄센터로 바꿔줘", loaded, None, "ko").document
    assert "새봄센터에 다음과 같이 제안드립니다." in list(lines(edited))
    contact = TEMPLATES["visit_report"].template.fields["contact"]
    assert with_its_title(contact, Value("Dr. Olivia Han", "question"), "Olivia Hahn") == "Dr. Olivia Hahn"
    assert with_its_title(contact, Value("정유나 과장", "question"), "김유나") == "김유나 과장"


@pytest.mark.parametrize(
    ("text", "time"),
    [("18시 30분", "18:30"), ("오후 3시 반", "15:30"), ("2 pm", "14:00"), ("14:30", "14:30"), ("noon", "12:00"),
     ("3시간", None), ("25:00", None), ("2026", None)],
)  # fmt: skip
def test_times_are_read(text: str, time: str | None) -> None:
    assert read_time(text) == time


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "장소 광주 새솔병원 회의실 / 주제 심부전 / 인원 18명",
            {"place": "광주 새솔병원 회의실", "topic": "심부전"},
        ),
        ("해운대다온종합병원 세미나실에서 엽니다", {"place": "해운대다온종합병원 세미나실"}),
        ("at the Daejeon convention centre; speaker Prof. Lee Nayun", {"place": "Daejeon convention centre"}),
        ("강사는 김민수 교수, 40명", {"speaker": "김민수 교수"}),
    ],
)
def test_a_seminar_has_its_place_topic_and_speaker(question: str, expected: dict[str, str]) -> None:
    found = facts_of(TEMPLATES["seminar_request"].template, Said(question))
    assert {name: found[name].text for name in expected} == expected


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("한결의원에서 원장님께 카르비온정 설명했어", "카르비온정 설명"),
        ("김도윤 교수님 만나서 카르비온정 설명했어", "카르비온정 설명"),
        ("I met Dr. Kim and explained Verdipin.", "explained Verdipin"),
    ],
)
def test_an_act_is_noted_with_its_object(question: str, said: str) -> None:
    assert facts_of(TEMPLATES["visit_report"].template, Said(question))["discussion"].text == said


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ("다음 약속 날짜 11월 26일로 바꿔줘", "next_visit", "2026-11-26"),
        ("change the visit date to November 12", "visited_on", "2026-11-12"),
        ("제품을 카르비온정으로 채워줘", "product", "카르비온정"),
    ],
)
def test_a_change_finds_the_field_that_it_names(question: str, field: str, value: str) -> None:
    before = {"visited_on": Value("2026-11-09", "question"), "next_visit": Value("2026-11-23", "question")}
    given, _ = asked_values(TEMPLATES["visit_report"].template, question, before, date(2026, 11, 17), "ko")
    assert given == {field: value}


async def test_a_question_is_no_answer_of_a_form() -> None:
    with pytest.raises(NeedsInput, match="needs the value"):
        await made("제안서 써줘", "proposal", answers=["그게 뭐야?"])


def test_a_review_names_the_fields_that_lack() -> None:
    template = TEMPLATES["seminar_request"].template
    given = {"place": Value("서울", "question"), "topic": Value("심부전", "question")}
    assert review_notes(template, given, "ko")[0]["message"] == "결재를 받으려면 연자를 적어야 합니다."
    assert review_notes(TEMPLATES["expense_report"].template, {}, "ko") == []


async def test_words_that_no_field_holds_are_told_or_listed() -> None:
    question = "어제 한결의원 방문 보고서 써줘. 반응이 아주 좋았음. 샘플은 드리지 않았음. 감사합니다"
    result = await made(question, "visit_report", language="ko")
    assert values(result)["discussion"] == "반응이 아주 좋았음"
    assert "문서에 쓰지 않은 말: 샘플은 드리지 않았음." in result.summary
    assert result.state["generated_document"]["metadata"]["unused"] == ["샘플은 드리지 않았음"]


async def test_slips_of_the_keyboard_fill_no_field() -> None:
    answers = ["ㅁㄴㅇㄹ", "새솔병원이요", "그저께"]
    found = values(await made("방문 보고서", "visit_report", answers=answers, language="ko"))
    assert (found["hospital"], found["visited_on"]) == ("새솔병원", "2026-11-15")


async def test_a_request_names_the_language_of_its_document() -> None:
    question = "Visited Haedam Clinic yesterday. Write it up as a visit report in Korean."
    result = await made(question, "visit_report", language="en")
    assert Document.from_json(result.artifacts[0].data).language == "ko"
    assert result.summary.startswith("방문 보고서, version 1")


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("택시비 23,500원이랑 주차비 8,000원 오늘 썼어", 31_500),
        ("오늘 점심 23,500원과 커피 8,000원, 총 31,000원", 31_000),
        ("오늘 23,500원 썼어, 인당 8,000원", 23_500),
    ],
)
async def test_amounts_are_added_up_unless_the_total_is_named(question: str, amount: int) -> None:
    sums = [(words, int(words[:-1].replace(",", ""))) for words in re.findall(r"[\d,]+원", question)]
    entities = [entity(question, words, "money") | {"normalized": value} for words, value in sums]
    found = values(await made(question, "expense_report", entities, answers=["식사"], language="ko"))
    assert found["amount"] == amount
