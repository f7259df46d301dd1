"""Retrieval finds what it found when it was measured: the knowledge base of the domain, and statutes where they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from evals.retrieval import (
    KNOWLEDGE,
    WAYS,
    Case,
    MemoryLibrary,
    Outcome,
    cases_of,
    is_answered,
    outcomes,
    read_folder,
    request_for,
    scores,
    told,
)
from tests.support.paths import ROOT

FILE = ROOT / "evals" / "retrieval.yaml"
FIGURES = ("hit@1", "hit@5", "mrr")


@cache
def library() -> MemoryLibrary:
    return MemoryLibrary(read_folder(KNOWLEDGE))


_measured: list[Outcome] = []


@pytest.fixture
async def measured() -> list[Outcome]:
    if not _measured:
        _measured.extend(await outcomes(cases_of(FILE), library()))
    return _measured


def of(found: list[Outcome], language: str, kind: str) -> list[Outcome]:
    return [each for each in found if (each.case.language, each.case.kind) == (language, kind)]


def test_there_are_enough_questions_of_each_kind():
    cases = cases_of(FILE)
    counts = {
        (language, kind): sum((c.language, c.kind) == (language, kind) for c in cases)
        for language in ("ko", "en")
        for kind in ("alike", "paraphrase", "unanswerable")
    }
    assert counts["ko", "alike"] + counts["ko", "paraphrase"] >= 60
    assert counts["en", "alike"] + counts["en", "paraphrase"] >= 40
    assert counts["ko", "unanswerable"] + counts["en", "unanswerable"] == 20
    assert len({case.id for case in cases}) == len(cases)


def test_every_gold_place_is_in_the_knowledge_base():
    known = list(library().known.values())
    missing = [
        case.id
        for case in cases_of(FILE)
        if case.kind != "unanswerable" and not any(case.right(chunk) for chunk in known)
    ]
    assert missing == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "kind", "least"),
    [("ko", "alike", 0.95), ("en", "alike", 0.95), ("ko", "paraphrase", 0.35), ("en", "paraphrase", 0.70)],
)
async def test_first_hits_are_right(measured: list[Outcome], language: str, kind: str, least: float):
    found = scores(each.places["fusion"] for each in of(measured, language, kind))
    assert found["hit@1"] >= least


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("kind", ["alike", "paraphrase"])
async def test_fusion_is_as_good_as_its_best_part(measured: list[Outcome], language: str, kind: str):
    by_way = {way: scores(each.places[way] for each in of(measured, language, kind)) for way in WAYS}
    for figure in FIGURES:
        assert by_way["fusion"][figure] == max(score[figure] for score in by_way.values())


async def test_questions_that_nothing_answers_are_told_so(measured: list[Outcome]):
    silent, count = told(measured, "unanswerable")
    assert silent >= 0.9 * count
    refused, alike = told(measured, "alike")
    assert refused <= 0.05 * alike


@pytest.mark.thorough
async def test_every_answer_quotes_what_stands_there():
    from metaagent.level2.retrieval.agent import information_retrieval
    from metaagent.testing import run_agent

    shelf = library()
    quotes = 0
    for case in cases_of(FILE)[:50]:
        result = await run_agent(information_retrieval, case.question, language=case.language, library=shelf)
        for cited in result.citations:
            assert shelf.texts[cited["document_id"]][cited["start"] : cited["end"]] == cited["quote"]
            quotes += 1
    assert quotes >= 40


@pytest.mark.thorough
@pytest.mark.public_data("laws_kr")
async def test_articles_of_statutes_are_found(public: Path):
    file = ROOT / "evals" / "retrieval_laws.yaml"
    assert len(yaml.safe_load(file.read_text("utf-8"))["cases"]) == 40
    found = await outcomes(cases_of(file), MemoryLibrary(read_folder(public)))
    assert scores(each.places["fusion"] for each in found)["hit@5"] >= 0.9


def test_judged_sentences_have_quotes_that_stand_there():
    answers = yaml.safe_load((ROOT / "evals" / "retrieval_judged.yaml").read_text("utf-8"))["answers"]
    sentences = [sentence for answer in answers for sentence in answer["sentences"]]
    texts = list(MemoryLibrary(read_folder(KNOWLEDGE)).texts.values())
    assert len(answers) == 50
    assert all(any(sentence["quote"] in text for text in texts) for sentence in sentences)
    assert sum(sentence["supported"] for sentence in sentences) / len(sentences) >= 0.95


async def answers(question: str) -> bool:
    language = "en" if question.isascii() else "ko"
    case = Case("", question, language, "alike", "test", bool)
    return await is_answered(case, library(), request_for(question))


@pytest.mark.parametrize(
    "question",
    [
        "법인카드를 잃어버리면 어디에 신고하나요?",
        "로텐시아정의 유효기간은 몇 년인가요?",
        "리베이트를 받은 의사는 면허가 몇 개월 정지되나요?",
        "강연료에서 세금은 몇 퍼센트 떼나요?",
        "세미나 참석자에게 주차비를 지원하나요?",
        "자율준수 교육 강사는 누구인가요?",
        "What is the fine for publishing the spending report late?",
    ],
)
async def test_what_only_comes_near_is_no_answer(question: str):
    assert not await answers(question)


@pytest.mark.parametrize(
    "question",
    [
        "견본품 대장 보관 기간은 몇 년인가요?",
        "자문료는 1회에 얼마까지야?",
        "강연료에서 세금을 떼나요?",
        "동료 잘못을 신고했다가 승진에서 밀리면 어떡하죠?",
        "How many days before the event must the seminar request be filed?",
        "Is it fine to hold our symposium in a country club?",
    ],
)
async def test_a_measure_that_is_stated_is_an_answer(question: str):
    assert await answers(question)
