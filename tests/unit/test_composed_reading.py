"""Questions read by composition: each class of meaning in both languages, and nothing dropped on the way."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.data.semantic import load
from metaagent.data.semantic.from_analysis import to_query
from tests.support.composed import OCTOBER, PHARMA, SEOUL, ask, request, talk

BUSAN = {"dimension": "region", "op": "in", "values": ["부산"]}
CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("지난달 서울 매출 알려줘", "Sales in Seoul last month", {"metrics": ["sales_amount"], "filters": [SEOUL], "period": OCTOBER}),
    ("지난달 서울과 부산 빼고 매출", "Sales excluding Seoul and Busan last month",
     {"filters": [{"dimension": "region", "op": "not_in", "values": ["서울", "부산"]}]}),
    ("지난달 제품별 매출", "sales by product last month", {"dimensions": ["product"]}),
    ("지난달 매출 상위 5개 병원", "top 5 hospitals by sales last month",
     {"dimensions": ["hospital"], "top": {"n": 5, "direction": "top", "by": "sales_amount"}}),
    ("지난달 매출이 두 번째로 높은 지역", "the region with the second highest sales last month",
     {"dimensions": ["region"], "top": {"nth": 2, "direction": "top", "by": "sales_amount"}}),
    ("지난달 매출 상위 10% 병원", "top 10% of hospitals by sales last month",
     {"top": {"percent": 10.0, "direction": "top", "by": "sales_amount"}}),
    ("지난달 매출이 2억 넘는 병원 수", "how many hospitals had sales over 200 million won last month",
     {"count_groups": "hospital", "having": [{"column": "sales_amount", "op": ">", "values": [200_000_000.0]}]}),
    ("지난달 50만 원 넘는 지출은 몇 건이야?", "how many expenses over 500,000 won last month",
     {"metrics": ["expense_count"], "rows": [{"column": "expense_amount", "op": ">", "values": [500_000.0]}]}),
    ("지난달 방문이 없는 병원", "hospitals without visits last month",
     {"dimensions": ["hospital"], "existence": [{"dimension": "hospital", "fact_metric": "visit_count", "exists": False}]}),
    ("지난달 방문이 없는 병원은 몇 곳이야?", "number of hospitals without visits last month",
     {"count_groups": "hospital", "existence": [{"dimension": "hospital", "fact_metric": "visit_count", "exists": False}]}),
    ("지난달 하루 평균 방문 수", "average daily visits last month",
     {"derived": [{"name": "visit_count__per__day", "kind": "per_period", "numerator": {"metric": "visit_count"}, "per": "day"}]}),
    ("지난달 방문당 비용", "expenses per visit last month",
     {"derived": [{"name": "expense_amount__per__visit_count", "kind": "ratio", "numerator": {"metric": "expense_amount"},
                   "denominator": {"metric": "visit_count"}}]}),
    ("지난달 매출에서 서울이 차지하는 비중", "what percentage of sales came from Seoul last month",
     {"derived": [{"name": "sales_amount__share", "kind": "share", "numerator": {"metric": "sales_amount", "filters": [SEOUL]},
                   "denominator": {"metric": "sales_amount"}}]}),
    ("지난달 지역별 매출 비중", "share of sales by region last month", {"dimensions": ["region"], "share": True}),
    ("지난달 서울과 부산 매출 차이", "difference in sales between Seoul and Busan last month",
     {"derived": [{"name": "sales_amount__difference__sales_amount", "kind": "difference",
                   "numerator": {"metric": "sales_amount", "filters": [SEOUL]},
                   "denominator": {"metric": "sales_amount", "filters": [BUSAN]}}]}),
    ("지난달 서울보다 매출이 많은 지역", "regions with more sales than Seoul last month",
     {"having": [{"column": "sales_amount", "op": ">", "relative": {"metric": "sales_amount", "filters": [SEOUL]}}]}),
    ("지난달 주말 매출", "weekend sales last month", {"weekdays": [6, 7]}),
    ("지난달 요일별 방문 수", "visits by weekday last month", {"dimensions": ["weekday"]}),
    ("지난달 목표를 달성하지 못한 영업사원", "reps who missed their target last month",
     {"dimensions": ["rep"], "having": [{"column": "achievement", "op": "<", "values": [1.0]}]}),
    ("지난달 매출 상위 3개 병원의 방문 수", "visits of the top 3 hospitals by sales last month", {"metrics": ["visit_count"]}),
    ("지난달 매출이 1천만원에서 2천만원 사이인 병원", "hospitals with sales between 10 million and 20 million won last month",
     {"having": [{"column": "sales_amount", "op": "between", "values": [10_000_000.0, 20_000_000.0]}]}),
    ("지난달 매출과 방문 수", "sales and visits last month", {"metrics": ["sales_amount", "visit_count"]}),
    ("지난달 세미나를 연 병원의 매출", "sales of hospitals that hosted seminars last month", {"metrics": ["sales_amount"]}),
]  # fmt: skip


@pytest.mark.parametrize(("korean", "english", "expected"), CASES)
def test_both_languages_mean_the_same_request(korean: str, english: str, expected: dict[str, Any]):
    for question in (korean, english):
        found = request(question)
        assert found["period"] == OCTOBER
        assert {key: found.get(key) for key in expected} == expected, question


@pytest.mark.thorough
@pytest.mark.parametrize("question", [q for korean, english, _ in CASES for q in (korean, english)])
def test_every_request_is_a_query_of_the_model(question: str):
    to_query(load(PHARMA / "semantic.yaml"), request(question))


UNKNOWN = {"ko": ("신규", "할인", "연속"), "en": ("new", "repeat", "net")}


@pytest.mark.thorough
@pytest.mark.parametrize("question", [q for korean, english, _ in CASES for q in (korean, english)])
def test_an_unknown_word_is_never_dropped_in_silence(question: str):
    language = "ko" if any("가" <= char <= "힣" for char in question) else "en"
    words = question.split()
    for word in UNKNOWN[language]:
        for at in range(len(words) + 1):
            reading = ask(" ".join([*words[:at], word, *words[at:]]))
            told = " ".join(
                [*reading["unread"], *reading["doubts"], *reading["feasibility_check"]["reasons"]]
            )
            assert word in told or reading["clarification_needed"], (word, at, reading["semantic_request"])


KNOWN = {
    "ko": ("부산", "방문", "평균", "상위", "제외하고"),
    "en": ("busan", "average", "excluding", "visits"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("question", [q for korean, english, _ in CASES for q in (korean, english)])
def test_a_known_word_changes_the_request_or_is_named(question: str):
    language = "ko" if any("가" <= char <= "힣" for char in question) else "en"
    words, before = question.split(), ask(question)["semantic_request"]
    for word in KNOWN[language]:
        averaged = (
            word in ("평균", "average") and "derived" in before
        )  # an average per visit is the figure per visit
        if word.removesuffix("s") in question.lower() or averaged:
            continue
        for at in range(1, len(words) + 1):
            reading = ask(" ".join([*words[:at], word, *words[at:]]))
            said = reading["doubts"] or reading["ambiguities"] or reading["feasibility_check"]["reasons"]
            assert said or reading["semantic_request"] != before, (word, at)


def test_an_unknown_figure_is_named_with_the_known_ones():
    reading = ask("지난달 영업이익 알려줘")
    assert not reading["feasibility_check"]["feasible"]
    assert "영업이익" in reading["feasibility_check"]["reasons"][0]
    assert "매출액" in reading["feasibility_check"]["reasons"][0]
    assert not reading["ambiguities"]


@pytest.mark.parametrize(
    "question",
    [
        "팀장님, 지난달 서울 매출 좀 알려주시겠어요?",
        "음 혹시 지난달 서울 매출이 얼마나 되나요",
        "Hi, could you please show me sales in Seoul last month? Thanks",
    ],
)
def test_courtesy_is_no_alarm(question: str):
    assert request(question)["filters"] == [SEOUL]


def test_three_wordings_of_one_comparison_are_one_request():
    wordings = [
        "이번 달 부산 매출 비교해줘",
        "이번 달 부산 매출 지난달과 비교해줘",
        "이번 달 부산 매출이 전월 대비 얼마나 늘었어?",
    ]
    found = [request(wording) for wording in wordings]
    assert found[0] == found[1] == found[2]
    assert found[0]["period"] == {"start": "2026-11-01", "end": "2026-11-15", "grain": "month"}
    assert all("2026-10-01~2026-10-15" in " ".join(ask(wording)["assumptions"]) for wording in wordings)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("지난달 서울 매출", "부산은?"), {"filters": [BUSAN], "period": OCTOBER}),
        (("지난달 서울 매출", "서울 말고 부산"), {"filters": [BUSAN], "period": OCTOBER}),
        (
            ("지난달 서울 매출", "그 전 달은?"),
            {"filters": [SEOUL], "period": {"start": "2026-09-01", "end": "2026-09-30"}},
        ),
        (("올해 월별 매출", "누적으로"), {"dimensions": ["month"], "running_total": True}),
        (("지난달 서울 매출", "차트로"), {"filters": [SEOUL], "period": OCTOBER}),
        (
            ("지난달 매출 상위 5개 병원", "방문 수는?"),
            {"metrics": ["visit_count"], "top": None, "period": OCTOBER},
        ),
        (("sales by region last month", "only Seoul"), {"filters": [SEOUL], "period": OCTOBER}),
    ],
)
def test_a_follow_up_changes_what_it_says(turns: tuple[str, ...], expected: dict[str, Any]):
    found = talk(*turns)["semantic_request"]
    assert {key: found.get(key) for key in expected} == expected


def test_namesakes_are_asked_about_in_either_language():
    for question in ("김서진 지난달 매출", "What were 김서진's sales last month?"):
        asked = ask(question)["ambiguities"][0]
        assert asked["field"] == "person"
        assert asked["options"] == ["김서진 (부산 병원팀)", "김서진 (광주 의원팀)"]


@pytest.mark.parametrize(
    "text", ["안녕하세요", "고마워", "도움말", "hello", "thanks!", "what can you do?", "뭘 할 수 있어?"]
)
def test_small_talk_is_answered_without_a_question_back(text: str):
    reading = ask(text)
    assert reading["small_talk"]
    assert not reading["clarification_needed"]
    assert reading["required_capabilities"] == []


def test_a_particle_and_the_next_word_are_no_name():
    assert "hospital_type" not in str(ask("부산의 원 단위 매출")["semantic_request"])


def test_what_was_read_whole_is_surer_than_what_was_not():
    sure = ask("지난달 서울 매출")["reading"]["confidence"]
    unread = ask("지난달 신규 서울 매출")["reading"]["confidence"]
    assert sure > 0.85
    assert sure - unread > 0.05


@pytest.mark.parametrize(
    "question",
    [
        "Store last month's sales by region",
        "이번 달 지역별 매출을 표로 보여주고 저장해줘",
        "지난달 서울 매출 저장해줘",
    ],
)
def test_figures_that_are_to_be_stored_are_looked_up(question: str):
    reading = ask(question)
    assert {*reading["required_capabilities"]} == {"data_analysis", "storage_decision"}


@pytest.mark.parametrize("question", ["이 결과 저장해줘", "방금 매출 결과 저장해줘", "Save this result"])
def test_what_is_pointed_at_is_stored_as_it_is(question: str):
    assert ask(question)["required_capabilities"] == ["storage_decision"]


@pytest.mark.parametrize(
    ("question", "thing", "group"),
    [
        ("지난달 팀별로 가장 많이 판 담당자는?", "rep", "team"),
        ("지난달 지역별 매출 1위 병원은?", "hospital", "region"),
        ("등급별 매출 1위 병원은? 지난달", "hospital", "tier"),
        ("who sold the most in each team last month?", "rep", "team"),
        ("the best hospital by sales in each region last month", "hospital", "region"),
    ],
)
def test_things_are_ranked_anew_in_each_group_of_them(question: str, thing: str, group: str):
    top = request(question)["top"]
    assert (top["n"], top["dimension"], top["within"]) == (1, thing, [group])


@pytest.mark.parametrize(
    "question", ["올해 교통비 제일 많이 쓴 팀만 담당자별로 보여줘", "올해 교통비 제일 많이 쓴 팀 담당자별로"]
)
def test_the_parts_of_the_best_are_no_ranking_in_each_part(question: str):
    found = request(question)
    assert (found["dimensions"], found["among"]["dimensions"]) == (["rep"], ["team"])
    assert found["among"]["top"]["n"] == 1
    assert found["among"]["filters"] == found["filters"]
