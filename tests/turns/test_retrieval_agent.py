"""The retrieval agent over documents in memory."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import pytest

from metaagent.errors import Failed
from metaagent.knowledge.terms import terms
from metaagent.level2.retrieval import sources
from metaagent.level2.retrieval.agent import information_retrieval
from metaagent.plugin import Result
from metaagent.ports import Json, Match
from metaagent.testing import FakeDatabase, FakeLibrary, FakeModel, FakeWeb, check_agent, run_agent
from tests.support.naughty_strings import naughty_strings

POLICY = """# 제3장 비용

## 제7조 식음료

제품설명회의 식음료는 1인당 10만 원 이하로 제공한다. 다만, 부가가치세는 제외한다.

## 제8조 기념품

기념품은 1인당 5만 원 이하로 제공한다.

## 제9조 지출 증빙

영수증은 5년 동안 보관한다.
"""
LAW = """# 제47조의2 지출보고서

의약품공급자는 경제적 이익의 제공 내역을 지출보고서로 작성한다.

# 제47조 판매 질서

의약품의 유통 질서를 지켜야 한다.
"""


def library(**documents: str) -> FakeLibrary:
    return FakeLibrary({"영업활동비 지침": POLICY, "약사법": LAW, **documents}, tokens=terms)


async def ask(question: str, language: str = "ko", **ports: Any) -> Result:
    ports.setdefault("library", library())
    return await run_agent(information_retrieval, question, language=language, **ports)


async def test_the_agent_passes_the_conformance_suite():
    result = await check_agent(
        information_retrieval, "제품설명회 식음료 한도가 얼마야?", language="ko", library=library()
    )
    assert result.state["search_sources"] == ["vector_db", "web"]
    assert result.state["search_queries"][0] == "제품설명회 식음료 한도가 얼마야?"
    assert result.state["relevance_scores"]
    assert result.state["filtered_results"][0]["heading"] == ["제3장 비용", "제7조 식음료"]


async def test_the_sentence_that_answers_comes_with_its_exception():
    result = await ask("제품설명회 식음료 한도가 얼마야?")
    lines = result.summary.splitlines()
    assert lines == [
        "- 제품설명회의 식음료는 1인당 10만 원 이하로 제공한다. [1]",
        "- 다만, 부가가치세는 제외한다. [2]",
    ]


async def test_the_limit_of_another_thing_is_no_answer():
    result = await ask("유류비 한도가 얼마야?")
    assert "찾지 못했습니다" in result.summary.splitlines()[0]


async def test_a_thing_that_no_document_names_has_no_answer():
    work = "# Claims\n\n## Article 6 (Claims)\n\nClaims are filed within three working days of a week.\n"
    result = await ask("How many days a week may I work from home?", "en", library=library(Claims=work))
    assert "found nothing" in result.summary.splitlines()[0]


async def test_quotes_stand_where_citations_say():
    shelf = library()
    result = await ask("제품설명회 식음료 한도가 얼마야?", library=shelf)
    for cited in result.citations:
        assert await shelf.text(cited["document_id"], cited["start"], cited["end"]) == cited["quote"]
        assert hashlib.sha256(cited["quote"].encode()).hexdigest() == cited["sha256"]


async def test_branch_articles_are_told_from_their_stem():
    assert "지출보고서" in (await ask("약사법 제47조의2 내용이 뭐야?")).summary
    assert "유통 질서" in (await ask("약사법 제47조 내용이 뭐야?")).summary
    assert "지출보고서" in (await ask("What does article 47-2 say?", "en")).summary


async def test_several_passages_are_joined_for_a_comparison():
    result = await ask("식음료와 기념품의 한도를 비교해줘")
    assert "10만 원" in result.summary
    assert "5만 원" in result.summary
    assert "제8조 기념품" in result.summary


async def test_what_only_does_the_same_is_no_further_passage():
    """To lose equipment and to lose data: the second has the verb of the question and nothing that is asked about."""
    work = (
        "# 근무 안내\n\n## 제3조 (장비)\n\n회사는 장비를 지급한다. 장비가 없어지면 그날 보안팀에 신고한다.\n"
    )
    data = "# 개인정보 요약\n\n## 제34조 (유출)\n\n개인정보를 잃은 곳은 당사자에게 통지한다.\n"
    result = await ask(
        "장비를 잃으면 어떻게 해?", library=library(**{"근무 안내": work, "개인정보 요약": data})
    )
    assert {citation["title"] for citation in result.citations} == {"근무 안내"}


async def test_nothing_relevant_is_said_with_the_nearest_heading():
    result = await ask("영수증 없는 우주선 연료비 환급 조건은?")
    assert result.summary.startswith("문서에서 이 질문에 답하는 내용을 찾지 못했습니다")
    assert result.artifacts[0].data["found"] is False
    assert result.artifacts[0].data["citations"] == []
    assert result.confidence == pytest.approx(0.1)
    near = await ask("지출 증빙용 우주선 사진의 해상도는?")
    assert "제9조 지출 증빙" in near.summary


async def test_the_nearest_passages_are_quoted_as_such():
    shelf = library()
    result = await ask("우주선 영수증 보관 상자는?", library=shelf)
    told, note, *quoted = result.summary.splitlines()
    assert told.startswith("문서에서 이 질문에 답하는 내용을 찾지 못했습니다")
    assert "찾으시는 것이 아닐 수 있습니다" in note
    assert "영수증은 5년 동안 보관한다. [1]" in "\n".join(quoted)
    for cited in result.citations:
        assert shelf.texts[cited["document_id"]][cited["start"] : cited["end"]] == cited["quote"]
    far = await ask("화성의 중력은 지구의 몇 배야?", library=shelf)
    assert far.citations == []


async def test_no_documents_at_all_are_said():
    assert "metaagent ingest" in (await ask("한도가 얼마야?", library=FakeLibrary())).summary


async def test_contradictions_stand_side_by_side_with_dates():
    shelf = library()
    shelf.put("새 지침", "# 기념품\n\n기념품은 1인당 3만 원 이하로 제공한다.", valid_from="2026-01-01")
    summary = (await ask("기념품은 1인당 얼마까지 제공하나?", library=shelf)).summary
    assert summary.splitlines()[0] == "문서마다 다르게 적혀 있습니다:"
    assert "새 지침 (2026-01-01부터 시행): 기념품은 1인당 3만 원 이하로 제공한다. [" in summary
    assert "영업활동비 지침 (날짜 없음): 기념품은 1인당 5만 원 이하로 제공한다. [" in summary


async def test_copies_of_a_text_are_folded():
    shelf = library()
    shelf.put("지침 사본", POLICY)
    result = await ask("기념품은 얼마까지 제공하나?", library=shelf)
    assert len(result.citations) == 1
    passage = result.artifacts[0].data["passages"][0]
    assert {passage["title"], *passage["also_in"]} == {"영업활동비 지침", "지침 사본"}


async def test_rows_of_a_table_are_said_with_their_head():
    shelf = library()
    shelf.put("한도표", "# 한도\n\n구분 | 1인당 한도\n숙박 | 20만 원\n교통 | 7만 원")
    result = await ask("교통 한도 얼마?", library=shelf)
    assert "구분: 교통 · 1인당 한도: 7만 원 [1]" in result.summary
    assert result.citations[0]["quote"] == "교통 | 7만 원"


class _Moved(FakeLibrary):
    """The kept text is not what the index found any more."""

    async def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return "그 사이에 바뀐 글"


async def test_sentences_that_stand_nowhere_are_dropped():
    shelf = _Moved({"지침": POLICY}, tokens=terms)
    result = await ask("기념품은 얼마까지 제공하나?", library=shelf)
    assert result.citations == []
    assert "5만 원" not in result.summary


class _Broken(FakeLibrary):
    async def nearest(self, text: str, *, limit: int = 50) -> list[Match]:
        raise Failed("the index is being built")


async def test_a_failing_source_is_a_warning():
    page = {"title": "A page", "url": "https://example.org/a", "text": "about gifts"}
    result = await ask("What is the limit for gifts?", "en", library=_Broken(), web=FakeWeb([page]))
    assert "the source documents failed: the index is being built" in result.summary
    assert "A page <https://example.org/a>" in result.summary


class _Slow(FakeLibrary):
    async def lexical(self, terms: Sequence[str], *, limit: int = 50) -> list[Match]:
        await asyncio.Event().wait()
        return []


async def test_a_late_source_is_a_warning(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "TIMEOUTS", {**sources.TIMEOUTS, "vector_db": 0.01})
    result = await ask("What is the limit for gifts?", "en", library=_Slow())
    assert "the source documents did not answer within 0.01 seconds" in result.summary


async def test_questions_that_name_things_look_them_up():
    request = {
        "semantic_request": {
            "filters": [{"dimension": "product", "op": "in", "values": ["7"], "by_key": True}]
        }
    }
    result = await ask("카디핀정 식음료 한도", request=request, db=_Products())
    assert "데이터베이스: 제품: 카디핀정 · 분류: 순환기" in result.summary
    assert {"type": "database", "tables": ["products"], "rows": 1, "sql": "SELECT 1"} in result.sources


class _Products(FakeDatabase):
    async def attributes(self, dimension: str) -> list[str]:
        return ["category"]

    async def ask(self, request: Any) -> Any:
        from metaagent.plugin import DataResult

        assert request["dimensions"] == ["product", "category"]
        columns: list[Json] = [
            {"name": "product", "label": "제품"},
            {"name": "category", "label": "분류"},
            {"name": "product__key", "label": "key", "hidden": True},
        ]
        return DataResult(
            columns, [["카디핀정", "순환기", 7]], 1, False, "SELECT 1", {}, [], [], ["products"], {}, 0.0
        )


async def test_a_model_words_what_its_quotes_bear_out():
    model = FakeModel(
        ["식음료는 1인당 10만 원 이하로 제공합니다. [1]\n세금은 20만 원까지 더 낼 수 있습니다. [2]"]
    )
    result = await ask("제품설명회 식음료 한도가 얼마야?", llm=model)
    assert result.summary.splitlines()[0] == "식음료는 1인당 10만 원 이하로 제공합니다. [1]"
    assert "20만 원" not in result.summary
    assert "문장 1개는 뺐습니다" in result.summary


@pytest.mark.parametrize(
    "reply",
    ["", "한도는 10만 원입니다.", "식음료는 1인당 10만 원 이하로 제공합니다. [7]", "모두 무제한입니다. [1]"],
)
async def test_a_model_that_invents_is_not_heard(reply: str):
    plain = await ask("제품설명회 식음료 한도가 얼마야?", llm=FakeModel([]))
    assert (await ask("제품설명회 식음료 한도가 얼마야?", llm=FakeModel([reply]))).summary == plain.summary


@pytest.mark.parametrize("question", ["", "???", "…", "!" * 5_000, "가 " * 400_000])
async def test_no_question_breaks_the_agent(question: str):
    assert (await ask(question)).summary


async def test_no_naughty_string_breaks_the_agent():
    shelf = library()
    for question in naughty_strings():
        assert (await ask(question, library=shelf)).summary


async def test_marks_of_a_document_are_none_of_ours():
    shelf = library()
    shelf.put("주석", "# 사례비\n\n강연 사례비는 50만 원이다 [3].")
    result = await ask("강연 사례비는 얼마?", library=shelf)
    assert "50만 원이다 (3). [1]" in result.summary
    assert result.citations[0]["quote"] == "강연 사례비는 50만 원이다 [3]."


FEES = """# 강연과 자문료 지침

## 제2조 강연료

강연료는 1시간에 40만 원이 한도이다.

## 제3조 자문

자문료는 1회 60만 원까지로 한다.
"""


async def test_the_passage_that_says_the_rare_word_comes_first():
    result = await ask("자문료 한도가 얼마야?", library=library(**{"강연과 자문료 지침": FEES}))
    assert "자문료는 1회 60만 원까지로 한다." in result.summary


async def test_how_often_is_no_word_to_look_for():
    result = await ask("기념품은 얼마나 제공할 수 있어?")
    assert "5만 원 이하" in result.summary
