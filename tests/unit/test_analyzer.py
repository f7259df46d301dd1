from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaagent.level1.query_analyzer import Lexicon
from metaagent.level1.query_analyzer.words.source import MAX_LENGTH
from tests.support.examples import examples
from tests.support.naughty_strings import naughty_strings
from tests.support.understanding import ask, found, intents, suite, talk, travel

FIELDS = """
raw_query query_timestamp user_context parsed_intents required_capabilities complexity_score suggested_agents
context_requirements extracted_entities ambiguities clarification_needed feasibility_check language explanations
assumptions slots resolved
"""


def _filters(reading: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(f["field"], f["op"], f.get("values", f.get("value"))) for f in reading["resolved"]["filters"]]


def test_the_example_of_the_specification() -> None:
    reading = ask("지난달 서울 매출을 분석해서 방문 보고서를 작성해줘")
    assert intents(reading) == {"analysis", "document"}
    assert found(reading, "period") == ["2024-12-01/2024-12-31"]
    assert found(reading, "location") == ["11"]
    assert found(reading, "metric") == ["sales.sales_amount"]
    assert set(reading["suggested_agents"]) == {"data_analysis", "document_generation"}
    assert not reading["clarification_needed"]


def test_every_field_is_there_and_is_plain_data() -> None:
    reading = ask("지난달 서울 매출 상위 5개 병원을 표로 보여줘")
    assert set(FIELDS.split()) <= reading.keys()
    assert json.loads(json.dumps(reading)) == reading
    assert 0 <= reading["complexity_score"] <= 1


def test_every_conclusion_is_explained() -> None:
    reading = ask("지난달 서울 매출 상위 5개 병원을 표로 보여줘")
    explained = {item["conclusion"].split("=")[0] for item in reading["explanations"]}
    assert {
        "intent",
        *(e["type"] for e in reading["extracted_entities"]),
        "complexity",
        "feasible",
    } <= explained
    assert all(item["reason"] for item in reading["explanations"])


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("지난달 매출", "ko"),
        ("last month's sales", "en"),
        ("Neurovex 매출 TOP 10 알려줘", "ko"),
        ("sales of 카디핀정", "ko"),
    ],
)
def test_the_person_is_answered_in_the_language_of_the_question(question: str, language: str) -> None:
    assert ask(question)["language"] == language


def test_texts_to_the_person_follow_the_language() -> None:
    assert ask("show performance")["ambiguities"][0]["question"].isascii()
    assert not ask("성과 보여줘")["ambiguities"][0]["question"].isascii()


@pytest.mark.parametrize(
    "word",
    ["김철수", "김철수가", "김철수한테", "김철수의", "김철수님께", "김철수랑", "김철수 과장이", "김철스"],
)
def test_a_name_is_found_with_particles_titles_and_one_typo(word: str) -> None:
    reading = ask(f"{word} 지난달 매출")
    assert found(reading, "person") == ["r1"]


@pytest.mark.parametrize("word", ["김철호", "대출", "박지성"])
def test_another_word_is_not_taken_for_a_typo(word: str) -> None:
    reading = ask(f"{word} 알려줘")
    assert found(reading, "person") == []
    assert found(reading, "metric") == []


def test_regions_take_the_codes_of_the_data() -> None:
    lexicon = Lexicon.of([{"type": "location", "id": "SEL", "code": "SEL", "name": "서울"}])
    assert found(ask("서울 매출", lexicon=lexicon), "location") == ["SEL"]
    assert found(ask("서울 매출", lexicon=Lexicon()), "location") == ["11"]
    assert found(ask("수도권 매출", lexicon=lexicon), "location") == [["SEL", "28", "41"]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("서울과 부산 제외하고 매출", [("region", "not_in", ["11", "26"])]),
        ("sales except Seoul and Busan", [("region", "not_in", ["11", "26"])]),
        ("서울 말고 부산 매출", [("region", "in", ["26"])]),
        ("매출 10만원 이상 병원", [("sales_amount", ">=", 100000)]),
        ("매출 500만원 미만 병원은 빼고 보여줘", [("sales_amount", ">=", 5000000)]),
        ("방문 횟수가 10회 이상 20회 이하인 병원", [("visit_count", ">=", 10), ("visit_count", "<=", 20)]),
        ("지난달 매출 10% 이상 감소한 병원", [("sales_amount", "<=", -10)]),
        ("이번 주에 방문 안 한 병원", [("visit_count", "=", 0)]),
        ("강연료 비용", [("expense_category", "in", ["lecture_fee"])]),
    ],
)
def test_conditions_become_filters(question: str, expected: list[tuple[Any, ...]]) -> None:
    assert _filters(ask(question)) == expected


def test_members_that_are_compared_become_a_dimension() -> None:
    resolved = ask("서울과 부산 작년 매출 비교")["resolved"]
    assert resolved["comparison"] == {"kind": "members", "field": "region"}
    assert resolved["dimensions"] == ["region"]
    assert resolved["period"]["start"] == "2024-01-01"


def test_unfinished_period_is_compared_up_to_its_last_data() -> None:
    reading = ask("이번 달 매출 전년 동기 대비")
    comparison = reading["resolved"]["comparison"]
    assert (comparison["start"], comparison["end"]) == ("2024-01-01", "2024-01-09")
    assert any("2025-01-09" in text for text in reading["assumptions"])


def test_two_people_of_one_name_are_one_question_with_options() -> None:
    reading = ask("박민수 매출 알려줘")
    assert reading["clarification_needed"]
    assert reading["ambiguities"][0]["options"] == ["박민수 (서울1팀)", "박민수 (대구팀)"]


@pytest.mark.parametrize("answer", ["대구팀", "2", "2번", "두 번째", "박민수 (대구팀)", "r4"])
def test_an_answer_by_number_word_or_name_settles_it(answer: str) -> None:
    reading = ask("박민수 매출 알려줘", answers=[{"field": "person", "answer": answer}])
    assert found(reading, "person") == ["r4"]
    assert not reading["clarification_needed"]


def test_an_answer_that_is_none_is_asked_again() -> None:
    reading = ask("박민수 매출 알려줘", answers=[{"field": "person", "answer": "글쎄"}])
    assert reading["ambiguities"][0]["field"] == "person"


def test_a_metric_with_two_meanings_is_asked_and_settled() -> None:
    assert ask("지난달 실적")["ambiguities"][0]["field"] == "metric"
    settled = ask("지난달 실적", answers=[{"field": "metric", "answer": "판매량"}])
    assert settled["resolved"]["metrics"] == ["quantity"]
    assert not settled["clarification_needed"]
    assert not ask("지난달 매출 실적")["clarification_needed"]


def test_recently_is_asked_back_only_without_a_domain_default() -> None:
    context = suite().context
    assert found(ask("최근 매출"), "period") == ["2024-12-12/2025-01-10"]
    domain = replace(context.domain, defaults={"metric": "sales_amount"})
    assert ask("최근 매출", domain=domain)["ambiguities"][0]["field"] == "period"
    settled = ask("최근 매출", domain=domain, answers=[{"field": "period", "answer": "최근 3개월"}])
    assert settled["resolved"]["period"]["start"] == "2024-10-11"


def test_assumptions_are_stated() -> None:
    assert any("매출" in text for text in ask("지난달 TOP 10 거래처")["assumptions"])
    assert any("2024-03-01" in text for text in ask("3월 매출")["assumptions"])
    assert any("김철수" in text for text in ask("김철스 매출")["assumptions"])
    assert any("강남" in text for text in ask("강남 매출 알려줘")["doubts"]), (
        "a real place, not 경남 misspelt"
    )


def test_a_follow_up_inherits_what_it_does_not_say() -> None:
    reading = talk("지난달 서울 매출 알려줘", "부산은?", "그럼 전년 대비로", "표로 줘")
    resolved = reading["resolved"]
    assert _filters(reading) == [("region", "in", ["26"])]
    assert resolved["metrics"] == ["sales_amount"]
    assert resolved["output"] == "table"
    assert (resolved["comparison"]["start"], resolved["comparison"]["end"]) == ("2023-12-01", "2023-12-31")


def test_a_whole_new_question_inherits_nothing() -> None:
    reading = talk("지난달 서울 매출 알려줘", "작년 방문 건수 알려줘")
    assert reading["resolved"]["filters"] == []
    assert not reading["follow_up"]


def test_a_pronoun_is_the_last_artifact_or_a_question() -> None:
    artifacts = [
        {"id": "a-1", "kind": "dataset", "summary": ""},
        {"id": "a-2", "kind": "chart", "summary": ""},
    ]
    assert ask("이걸 보고서로 만들어줘", artifacts=artifacts)["resolved"]["artifacts"] == ["a-2"]
    assert ask("이 표 저장해줘", artifacts=artifacts)["resolved"]["artifacts"] == ["a-1"]
    assert ask("이걸 보고서로 만들어줘", artifacts=[])["ambiguities"][0]["field"] == "reference"


def test_slots_are_asked_one_at_a_time_and_never_twice() -> None:
    reading = ask("여행 가고 싶어", context=travel())
    asked: list[str] = []
    answers: list[dict[str, str]] = []
    replies = {"destination": "제주도요", "duration": "3박", "budget": "100만원", "people": "둘이요 2명"}
    while reading["clarification_needed"]:
        field = reading["ambiguities"][0]["field"]
        asked.append(field)
        answers.append({"field": field, "answer": replies[field]})
        reading = ask("여행 가고 싶어", context=travel(), answers=answers)
    assert asked == ["destination", "duration", "budget", "people"]
    values = {name: slot["value"] for name, slot in reading["slots"].items()}
    assert values == {"destination": "제주", "duration": 3, "budget": 1_000_000, "people": 2}


def test_slots_already_said_are_not_asked() -> None:
    reading = ask("제주도 3박 여행 2명 예산 100만원 맛집 위주로", context=travel())
    assert not reading["clarification_needed"]
    assert reading["slots"]["style"]["value"] == "food"


@pytest.mark.parametrize(
    ("question", "bound"), [("제주도 20박 여행 2명 100만원", "14"), ("jeju trip for 20 nights", "14")]
)
def test_a_value_out_of_range_is_refused_with_the_range(question: str, bound: str) -> None:
    asked = ask(question, context=travel())["ambiguities"][0]
    assert asked["field"] == "duration"
    assert bound in asked["reason"]
    assert "20" in asked["reason"]


@pytest.mark.parametrize(
    "correction", ["아니 3박 말고 4박", "아니 4박", "4박으로 바꿔줘", "4 nights instead of 3 nights"]
)
def test_a_correction_replaces(correction: str) -> None:
    reading = talk("제주도 3박 여행 2명 예산 100만원", correction, context=travel())
    values = {name: slot["value"] for name, slot in reading["slots"].items()}
    assert values == {"destination": "제주", "duration": 4, "budget": 1_000_000, "people": 2}


def test_uncovered_period_is_infeasible_and_the_nearest_offered() -> None:
    check = ask("2019년 매출 알려줘")["feasibility_check"]
    assert not check["data_available"]
    assert not check["feasible"]
    assert "2023-01-10" in check["reasons"][0]
    assert check["nearest"]["period"]["start"] == "2023-01-10"


def test_coverage_is_looked_up_per_metric() -> None:
    asked: list[str | None] = []

    def coverage(metric: str | None) -> dict[str, str]:
        asked.append(metric)
        return {"start": "2024-12-01", "end": "2025-01-09"}

    assert ask("지난달 방문 건수", coverage=coverage)["feasibility_check"]["data_available"]
    assert "visit_count" in asked
    unknown = ask("지난달 방문 건수", coverage=None)["feasibility_check"]
    assert unknown["data_available"]
    assert not unknown["data_checked"]


def test_a_missing_column_agent_or_right_is_named() -> None:
    whole = suite().context
    columns = {"start": "2023-01-10", "end": "2025-01-09", "columns": ["sales.sales_amount"]}
    assert "visit_count" in ask("지난달 방문 건수", coverage=columns)["feasibility_check"]["reasons"][0]
    none = ask("의료법 조항 찾아줘", capabilities=[whole.capabilities[0]])["feasibility_check"]
    assert none["resource_status"] == "missing"
    assert none["missing"] == ["information_retrieval"]
    guarded = [{**whole.capabilities[0], "requires": ["sales.read"]}]
    user = {"user_id": "u", "company_id": "c", "roles": ["guest"]}
    refused = ask("지난달 매출", capabilities=guarded, user=user)["feasibility_check"]
    assert not refused["permission_granted"]
    assert "sales.read" in refused["reasons"][0]
    allowed = ask("지난달 매출", capabilities=guarded, user={**user, "roles": ["sales.read"]})[
        "feasibility_check"
    ]
    assert allowed["permission_granted"]


def test_a_plugin_adds_an_intent_by_its_words() -> None:
    capability = {
        "name": "translate",
        "agent": "translator",
        "words": {"ko": ["번역"], "en": ["translate"]},
        "intents": [],
    }
    reading = ask("이 문서를 영어로 번역해줘", capabilities=[*suite().context.capabilities, capability])
    assert "translate" in intents(reading)
    assert "translate" in reading["required_capabilities"]
    assert "translator" in reading["suggested_agents"]


def test_capability_words_of_the_domain_make_no_second_intent() -> None:
    capability = {
        "name": "data_analysis",
        "agent": "d",
        "words": {"ko": ["매출"], "en": ["sales"]},
        "intents": [],
    }
    reading = ask("이번 달 매출", capabilities=[capability])
    assert intents(reading) == {"lookup"}
    assert reading["suggested_agents"] == ["d"]


def test_a_capability_that_names_an_intent_serves_it() -> None:
    capability = {"name": "figures", "agent": "f", "words": {"ko": [], "en": []}, "intents": ["lookup"]}
    assert ask("이번 달 매출", capabilities=[capability])["required_capabilities"] == ["figures"]


def test_complexity_grows_with_what_is_asked() -> None:
    simple = ask("이번 달 매출")["complexity_score"]
    hard = ask("지난달과 작년 서울 매출 상위 5개 병원을 비교 분석해서 방문 보고서를 작성하고 저장해줘")[
        "complexity_score"
    ]
    assert simple < hard


def test_the_same_question_has_the_same_reading() -> None:
    question = "지난달 서울 매출 상위 5개 병원"
    assert ask(question) == ask(question)


def test_decomposed_hangul_and_wide_digits_read_like_plain_text() -> None:
    import unicodedata

    reading = ask(unicodedata.normalize("NFD", "２０２４년 3월 서울 매출"))
    assert found(reading, "period") == ["2024-03-01/2024-03-31"]
    assert found(reading, "location") == ["11"]
    _spans_are_true(reading)


def _spans_are_true(reading: dict[str, Any]) -> None:
    for entity in reading["extracted_entities"]:
        start, end = entity["span"]
        assert reading["raw_query"][start:end] == entity["value"] != ""


_WORDS = [word for case in suite().cases for word in case["q"].split()]


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join)))
def test_no_text_raises_and_every_span_is_true(text: str) -> None:
    reading = ask(text)
    _spans_are_true(reading)
    for entity in reading["extracted_entities"]:
        if entity["type"] == "period" and entity["normalized"]:
            assert entity["start"] <= entity["end"]
    assert reading["clarification_needed"] == bool(reading["ambiguities"])
    talk("지난달 서울 매출", text, text)


@settings(max_examples=examples(100), deadline=None)
@given(
    st.text(max_size=40),
    st.sampled_from(["metric", "person", "period", "document_type", "intent", "held_on", "budget"]),
)
def test_no_answer_raises(answer: str, field: str) -> None:
    for question in ("박민수 실적", "문서 만들어줘", "세미나 신청서 작성해줘", "안녕"):
        ask(question, answers=[{"field": field, "answer": answer}])


def test_strings_that_break_software_break_nothing() -> None:
    for text in naughty_strings():
        _spans_are_true(ask(text))


@pytest.mark.public_data("blns.json")
def test_public_naughty_strings_break_nothing(public: Path) -> None:
    for text in json.loads(public.read_text(encoding="utf-8")):
        _spans_are_true(ask(text))


@pytest.mark.parametrize(
    ("answer", "value"),
    [("하와이", "하와이"), ("오사카로 갈래요", "오사카"), ("다낭이요", "다낭"), ("Paris", "Paris")],
)
def test_a_place_that_is_not_listed_is_taken_as_it_was_said(answer: str, value: str) -> None:
    reading = ask("여행 가고 싶어", context=travel(), answers=[{"field": "destination", "answer": answer}])
    assert reading["slots"]["destination"]["value"] == value


@pytest.mark.parametrize("piece", ["1", "1,", "가", "3월부터 ", "1억 2천만 ", "서울과 ", "jan to "])
def test_only_the_first_characters_of_a_long_page_are_read(piece: str) -> None:
    page = (piece * MAX_LENGTH)[: MAX_LENGTH + 500] + " 부산 매출"
    reading = ask(page)
    assert reading["raw_query"] == page
    assert all(entity["span"][1] <= MAX_LENGTH for entity in reading["extracted_entities"])
    assert found(reading, "metric") == []


def test_the_semantic_layer_gets_names_keys_and_closed_words() -> None:
    asked = ask(
        "이번 달 수도권 매출 1억 이상 상위 5개 병원, 박민수 제외, 전월 대비",
        answers=[{"field": "person", "answer": "1"}],
    )
    made = asked["semantic_request"]
    assert made["comparison"] == "previous"
    assert made["period"] == {"start": "2025-01-01", "end": "2025-01-10", "grain": "month"}
    assert made["top"] == {"n": 5, "direction": "top", "by": "sales_amount"}
    assert {"dimension": "region", "op": "in", "values": ["서울", "인천", "경기"]} in made["filters"]
    assert {"dimension": "rep", "op": "not_in", "values": ["r3"], "by_key": True} in made["filters"]
    assert {"metric": "sales_amount", "op": ">=", "values": [100000000]} in made["filters"]


def test_names_and_coverage_come_from_the_semantic_layer() -> None:
    rows = [
        {
            "dimension": "rep",
            "value": "홍길동",
            "key": 7,
            "code": None,
            "column": "sales_reps.name",
            "kind": "person",
        },
        {
            "dimension": "region",
            "value": "서울",
            "key": None,
            "code": "SEOUL",
            "column": "c",
            "kind": "location",
        },
        {"dimension": "product", "value": "카디핀정", "key": 3, "code": None, "column": "c", "kind": None},
    ]
    coverage = {"sales_amount": {"start": "2024-01-01", "end": "2025-01-09"}, "visit_count": None}
    reading = ask("홍길동 서울 카디핀정 2023년 매출", lexicon=Lexicon.of(rows), coverage=coverage)
    assert found(reading, "person") == ["7"]
    assert found(reading, "location") == ["SEOUL"]
    assert found(reading, "product") == ["3"]
    assert not reading["feasibility_check"]["data_available"]
