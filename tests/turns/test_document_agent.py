"""The document agent: new documents, questions for missing fields, changes by request, and wording by a model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from metaagent.child import ChildFailed
from metaagent.documents.diff import differences
from metaagent.documents.model import Document, Heading, lines, spans
from metaagent.errors import Text
from metaagent.level2.document import work as document_work
from metaagent.level2.document.agent import document_generation
from metaagent.plugin import Artifact, Failed, NeedsInput, Result, TryAgain
from metaagent.testing import FakeMemory, FakeModel, FakeTemplates, check_agent, run_agent
from tests.support.written_documents import READERS, TEMPLATES, chart

SENTENCES = [
    "2024년 12월 서울 매출액은 260,843,469원입니다.",
    "전월보다 1,099만 원(4.4%) 늘었습니다.",
    "- 신경계: 1,166만 원 증가",
    "- 소화기: 927만 원 증가",
]
DATASET = {
    "title": "2024년 12월 서울 매출액",
    "columns": [
        {"name": "group", "label": "제품군", "type": "text"},
        {"name": "sales", "label": "매출액", "type": "number", "unit": "원"},
    ],
    "rows": [["신경계", 123_456_789], ["소화기", 137_386_680]],
    "row_count": 2,
    "sentences": SENTENCES,
    "query": {"period": {"start": "2024-12-01", "end": "2024-12-31"}},
}
INPUTS = [
    Artifact("dataset", DATASET, "2024년 12월 서울 매출액"),
    Artifact("chart", {"title": "제품군별 매출", "spec": chart()}, "제품군별 매출"),
]


async def made(question: str, kind: str = "visit_report", **options: Any) -> Result:
    request = {"resolved": {"document_type": kind}, **options.pop("request", {})}
    given: dict[str, Any] = {"language": "ko", "templates": TEMPLATES, **options}
    return await run_agent(document_generation, question, request=request, **given)


def model_of(result: Result) -> Document:
    return Document.from_json(result.artifacts[0].data)


async def changed(document: Document, question: str, **options: Any) -> Result:
    return await made(question, inputs=[Artifact("document", document.as_json())], **options)


async def test_agent_passes_the_conformance_suite() -> None:
    result = await check_agent(
        document_generation,
        "지난달 서울 매출을 분석해서 방문 보고서를 작성해줘",
        inputs=INPUTS,
        request={"resolved": {"document_type": "visit_report"}},
        language="ko",
        templates=TEMPLATES,
    )
    groups = [each.group for each in result.artifacts]
    assert [group.format for group in groups if group] == ["json", "pdf", "docx"]
    assert len({(group.document_id, group.version) for group in groups if group}) == 1
    assert [each.media_type.partition("/")[0] for each in result.artifacts] == ["application"] * 3


async def test_figures_are_those_of_the_dataset() -> None:
    result = await made("방문 보고서", inputs=INPUTS)
    said = list(lines(model_of(result)))
    assert {"123,456,789", "137,386,680"} <= set(said)
    assert " ".join(SENTENCES[:2]) in said
    for form in ("pdf", "docx"):
        content = next(each.data for each in result.artifacts if each.group and each.group.format == form)
        assert "123,456,789" in READERS[form](content)


async def test_state_says_what_was_made() -> None:
    state = (await made("방문 보고서", inputs=INPUTS)).state
    assert state["document_type"] == state["template_id"] == "visit_report"
    assert state["current_version"] == 1
    assert state["form_data"]["period"]["value"] == "2024년 12월"
    assert state["document_id"].startswith("doc-")
    assert state["generated_document"]["metadata"]["open_fields"] == []


async def test_missing_fields_are_asked_one_by_one() -> None:
    answers: list[str] = []
    asked: list[str] = []
    for answer in ("2025-03-05", "30명", "300만원"):
        with pytest.raises(NeedsInput) as question:
            await made("세미나 신청서", "seminar_request", answers=answers)
        asked.append(question.value.field)
        answers.append(answer)
    assert asked == ["held_on", "attendees", "budget"]
    document = model_of(await made("세미나 신청서", "seminar_request", answers=answers))
    assert document.fields["budget_words"]["value"] == "금 삼백만원정"
    assert document.fields["budget_each"]["value"] == 100_000
    assert [each.name for each in document.open_fields] == ["place", "topic", "speaker"]


async def test_known_fields_are_not_asked_again() -> None:
    slots = {"held_on": {"value": "2025-03-05"}, "attendees": {"value": 30}, "budget": {"value": 3_000_000}}
    entities = [{"type": "organisation", "value": "서울병원", "normalized": "H1", "name": "서울병원"}]
    request = {"slots": slots, "extracted_entities": entities}
    document = model_of(await made("세미나 신청서", "seminar_request", request=request))
    assert document.fields["hospital"] == {"value": "서울병원", "source": "question", "shown": "서울병원"}
    assert document.fields["held_on"]["shown"] == "2025년 3월 5일"


async def test_a_field_answered_wrongly_three_times_stays_open() -> None:
    with pytest.raises(NeedsInput, match="읽을 수 없습니다"):
        await made("세미나 신청서", "seminar_request", answers=["글쎄"])
    answers = ["글쎄", "몰라도 돼", "음", "5000명", "30명", "300만원"]
    document = model_of(await made("세미나 신청서", "seminar_request", answers=answers))
    assert "held_on" in [each.name for each in document.open_fields]
    assert document.fields["attendees"]["value"] == 30


async def test_a_field_can_be_left_for_later() -> None:
    document = model_of(
        await made("세미나 신청서", "seminar_request", answers=["나중에", "30명", "나중에 정할게요"])
    )
    assert {"held_on", "budget"} <= {each.name for each in document.open_fields}


async def test_memory_fills_the_author() -> None:
    memory = FakeMemory([{"kind": "fact", "key": "name", "value": "김하늘"}])
    document = model_of(await made("방문 보고서", inputs=INPUTS, memory=memory))
    assert document.meta["작성자"] == "김하늘"


@pytest.mark.parametrize(
    ("question", "formats"),
    [
        ("보고서를 한글 파일로 만들어줘", ["hwpx"]),
        ("엑셀이랑 pdf로 줘", ["pdf", "xlsx"]),
        ("make a markdown report", ["md"]),
        ("보고서 써줘", ["pdf", "docx"]),
    ],
)
async def test_formats_are_read_from_the_request(question: str, formats: list[str]) -> None:
    result = await made(question, "analysis_report", inputs=INPUTS[:1])
    assert [each.group.format for each in result.artifacts[1:] if each.group] == formats


async def test_a_part_is_made_shorter_and_nothing_else() -> None:
    first = model_of(await made("방문 보고서", inputs=INPUTS))
    result = await changed(first, "2번 항목을 더 짧게")
    later = model_of(result)
    assert later.document_id == first.document_id
    assert result.artifacts[0].group is not None
    assert result.artifacts[0].group.version == 2
    changes = differences(first, later)
    assert changes
    assert all(each.block.startswith("results.") for each in changes)
    assert "2. 실적 분석" in result.summary


async def test_a_part_is_taken_out_and_the_rest_counted_again() -> None:
    first = model_of(await made("방문 보고서", inputs=INPUTS))
    later = model_of(await changed(first, "1번 항목을 빼줘"))
    headings = [block.text for block in later.blocks if isinstance(block, Heading)]
    assert headings == ["1. 실적 분석", "2. 세부 자료"]


async def test_labels_change_their_language() -> None:
    first = model_of(await made("방문 보고서", inputs=INPUTS))
    later = model_of(await changed(first, "그 보고서를 영어로 바꿔줘"))
    said = list(lines(later))
    assert (later.language, later.title) == ("en", "Visit report")
    assert {"1. Overview", "2. Results", "3. Figures"} <= set(said)
    assert "123,456,789" in said
    assert [note.text for note in later.notes]


async def test_another_value_changes_what_is_computed_from_it() -> None:
    first = model_of(
        await made("세미나 신청서", "seminar_request", answers=["2025-03-05", "30명", "300만원"])
    )
    result = await changed(first, "예산을 600만 원으로 바꿔줘")
    assert "3,000,000원 → 6,000,000원" in result.summary
    later = model_of(result)
    assert later.fields["budget_words"]["value"] == "금 육백만원정"
    assert {each.place for each in differences(first, later)} == {"예산", "예산 (한글)", "1인당 예산"}
    filled = model_of(await changed(later, "장소를 롯데호텔로 변경해줘"))
    assert "place" not in [each.name for each in filled.open_fields]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("9번 항목을 더 짧게", "9번 항목이 없습니다"),
        ("예산을 많이로 바꿔줘", "읽을 수 없습니다"),
        ("보고서를 근사하게 해주는 것으로 바꿔줘", "무엇을 바꿀지"),
    ],
)
async def test_a_change_that_cannot_be_made_says_why(question: str, said: str) -> None:
    first = model_of(
        await made("세미나 신청서", "seminar_request", answers=["2025-03-05", "30명", "300만원"])
    )
    with pytest.raises(Failed, match=said):
        await changed(first, question)


async def test_a_model_words_it_with_the_same_figures() -> None:
    worded = "12월 서울 매출액은 260,843,469원이며, 전월보다 1,099만 원(4.4%) 많습니다."
    document = model_of(await made("방문 보고서", inputs=INPUTS, llm=FakeModel([worded] * 9)))
    assert worded in list(lines(document))
    assert next(span for span in spans(document) if span.text == worded).note == 1
    invented = FakeModel(
        ["매출액은 9억 원 늘었습니다.", "두 배가 되었습니다.", "http://x.example 를 보세요."] * 3
    )
    document = model_of(await made("방문 보고서", inputs=INPUTS, llm=invented))
    assert " ".join(SENTENCES[:2]) in list(lines(document))


async def test_an_unknown_type_names_the_templates() -> None:
    with pytest.raises(Failed, match="방문 보고서"):
        await made("편지 써줘", "love_letter")
    with pytest.raises(Failed, match="templates"):
        await made("보고서", "visit_report", templates=FakeTemplates())
    broken = FakeTemplates({"x/template.yaml": b"id: [1"})
    with pytest.raises(Failed, match=r"template\.yaml"):
        await made("보고서", "visit_report", templates=broken)


async def test_a_document_that_is_no_model_is_not_changed() -> None:
    for data in ({"no": "model"}, "text"):
        with pytest.raises(Failed):
            await made("2번 항목을 더 짧게", inputs=[Artifact("document", data)])


async def test_a_renderer_that_dies_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def dies(*_: Any, **__: Any) -> dict[str, bytes]:
        raise ChildFailed(Text(en="it died", ko="죽었습니다"))

    monkeypatch.setattr(document_work, "render_files", dies)
    with pytest.raises(TryAgain, match="죽었습니다"):
        await made("방문 보고서", inputs=INPUTS)


async def test_many_documents_at_once_are_all_whole() -> None:
    results = await asyncio.gather(*(made("방문 보고서", inputs=INPUTS) for _ in range(4)))
    assert len({result.artifacts[1].data for result in results}) == 1
