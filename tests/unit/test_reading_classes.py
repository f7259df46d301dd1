# ruff: noqa: E501 - a class of wordings is read in one piece
"""Wordings of one class of meaning: whoever says it, in either language, asks the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from metaagent.data.semantic import load
from metaagent.data.semantic.from_analysis import to_query
from metaagent.level1.query_analyzer import Lexicon, analyze
from tests.support.composed import NAMES, OCTOBER, PHARMA, SEOUL, context

TEAMS = [
    {"dimension": "team", "value": f"{place} {kind}팀", "kind": "value"}
    for place in ("서울", "부산", "광주")
    for kind in ("병원", "의원")
]
PLACES = replace(context(), lexicon=Lexicon.of([*NAMES, *TEAMS]))
CLINIC = {"dimension": "hospital_type", "op": "in", "values": ["의원"]}
Q3 = {"start": "2026-07-01", "end": "2026-09-30"}


def read(*questions: str) -> dict[str, Any]:
    reading: dict[str, Any] = {}
    for question in questions:
        reading = analyze(question, replace(PLACES, previous=reading or None))
    return reading


def asked(*questions: str) -> dict[str, Any]:
    reading = read(*questions)
    assert reading["reading"]["by"] == "grammar", reading["doubts"]
    assert not reading["ambiguities"], reading["ambiguities"]
    assert not reading["unread"]
    to_query(load(PHARMA / "semantic.yaml"), reading["semantic_request"])
    return reading["semantic_request"]


def team(name: str) -> dict[str, Any]:
    return {"filters": [{"dimension": "team", "op": "in", "values": [name]}]}


def share(part: dict[str, Any], *whole: dict[str, Any], metric: str = "sales_amount") -> dict[str, Any]:
    above = {"metric": metric, "filters": [part]}
    made = {
        "name": f"{metric}__share",
        "kind": "share",
        "numerator": above,
        "denominator": {"metric": metric},
    }
    return {"derived": [made], "filters": list(whole)}


def best(place: dict[str, Any], dimension: str = "hospital", by: str = "sales_amount") -> dict[str, Any]:
    return {"dimensions": [dimension], "top": {**place, "direction": "top", "by": by}}


def rows(count: str, column: str, op: str, *values: float) -> dict[str, Any]:
    return {"metrics": [count], "rows": [{"column": column, "op": op, "values": list(values)}]}


def absent(dimension: str, fact: str) -> dict[str, Any]:
    return {"existence": [{"dimension": dimension, "fact_metric": fact, "exists": False}]}


def sides(kind: str, dimension: str, one: str, other: str) -> dict[str, Any]:
    def part(value: str) -> dict[str, Any]:
        return {
            "metric": "sales_amount",
            "filters": [{"dimension": dimension, "op": "in", "values": [value]}],
        }

    name = f"sales_amount__{kind}__sales_amount"
    return {"derived": [{"name": name, "kind": kind, "numerator": part(one), "denominator": part(other)}]}


GAP = {
    "derived": [
        {
            "name": "sales_amount__difference__target_amount",
            "kind": "difference",
            "numerator": {"metric": "sales_amount", "filters": []},
            "denominator": {"metric": "target_amount", "filters": []},
        }
    ]
}
GROWN = {"dimensions": ["region"], "comparison": "previous", "period": Q3}
FASTEST = {**GROWN, "top": {"n": 1, "direction": "top", "by": "sales_amount__change"}}
SLOWEST = {**GROWN, "top": {"n": 1, "direction": "bottom", "by": "sales_amount__change"}}

CLASSES: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"metrics": ["sales_amount"]}, (
        "지난달에 얼마나 팔았어?", "지난달 얼마 팔았지?", "지난달에 판 금액", "지난달 판매한 총 금액", "지난달 주문 금액",
        "How much did we sell last month?", "How much was sold last month?", "amount sold last month")),
    ({"metrics": ["quantity"]}, (
        "지난달 몇 개 팔았어?", "지난달 몇 개나 팔렸어?", "How many units did we sell last month?", "How many did we sell last month?")),
    ({"metrics": ["expense_amount"]}, (
        "지난달 지출한 금액은 얼마야?", "지난달 쓴 금액", "the amount we spent last month", "how much money did we spend last month")),
    (share(CLINIC, SEOUL), (
        "지난달 서울 매출에서 의원이 차지하는 비율", "의원이 서울 매출의 몇 %를 차지했어 지난달에", "지난달 서울 매출 중 의원 비중은?",
        "clinics' portion of Seoul sales last month", "What portion of Seoul sales last month came from clinics?")),
    (share(SEOUL, CLINIC), (
        "지난달 의원 매출에서 서울이 차지하는 비율은 몇 퍼센트야?", "서울이 의원 매출에서 차지하는 비율 지난달",
        "Seoul's portion of clinic sales last month", "what share of clinic sales last month came from Seoul?")),
    (team("서울 의원팀"), ("지난달 서울 의원팀 매출", "Sales of the Seoul clinic team last month", "the Seoul clinic team's sales last month")),
    (team("부산 병원팀"), ("지난달 부산병원팀 매출", "Busan hospital team's sales last month", "visits by the Busan hospital team last month")),
    (best({"nth": 7}), ("지난달 매출 7위 병원은?", "지난달 매출 순위 7위 병원", "Which hospital ranked 7th by sales last month?",
                        "which hospital was number 7 by sales last month", "who is the hospital in 7th place by sales last month")),
    (rows("order_count", "sales_amount", ">=", 1_000_000.0), (
        "지난달 한 건에 100만원 이상 판매된 건수", "지난달 건당 100만원 이상 판매된 건수는?", "지난달 한 번에 100만 원 이상 판 건은 몇 건이야?",
        "how many orders of at least 1 million won last month")),
    (rows("expense_count", "expense_amount", "between", 100_000.0, 199_999.0), (
        "지난달 10만원대 지출은 몇 건이야?", "지난달 비용 중 10만원대는 몇 건?", "how many expenses in the 100k range last month",
        "how many expenses were in the 100,000 won range last month?")),
    (rows("expense_count", "expense_amount", ">", 300_000.0), (
        "지난달 한 건에 30만원 넘게 지출한 건수", "count of expenses over 300,000 won each last month")),
    (absent("hospital", "visit_count"), (
        "지난달 방문을 한 번도 받지 못한 병원은?", "hospitals without a single visit last month", "Which hospitals did not get any visits last month?",
        "hospitals that haven't had any visits last month")),
    ({"metrics": ["average_order"]}, ("지난달 한 건당 평균 매출", "지난달 주문 평균 금액", "the average value of an order last month")),
    (sides("ratio", "is_public", "true", "false"), (
        "지난달 공공병원 매출은 민간병원의 몇 퍼센트 수준이야?", "지난달 공공병원 매출이 민간병원 매출의 몇 % 수준인가요",
        "public hospital sales as a percentage of private hospital sales last month")),
    (sides("times", "region", "서울", "부산"), (
        "지난달 서울 매출은 부산의 몇 배야?", "Seoul sales were how many times Busan sales last month?",
        "Sales in Seoul were how many times sales in Busan last month?")),
    (GAP, ("지난달 목표 대비 얼마나 모자라?", "지난달 매출이 목표에 얼마나 못 미쳤어?", "지난달 목표와 매출 차이",
           "by how much did we miss or beat the target last month?", "gap between sales and target last month")),
    ({"dimensions": ["month", "purpose"], "period": Q3}, (
        "3분기 방문 수를 월별, 목적별로 나눠서 보여줘", "3분기 방문 수를 월별·목적별로 정리해줘", "visits by month and purpose in Q3")),
    ({"metrics": ["sales_amount", "target_amount"], "dimensions": ["month"], "period": Q3}, (
        "3분기 월별 매출과 목표", "sales and target for each month of Q3")),
    ({"dimensions": ["quarter", "expense_category"], "period": Q3}, ("3분기 비용을 분기별·항목별로 정리해줘", "expenses by quarter and category in Q3")),
    (FASTEST, ("3분기에 2분기 대비 매출이 가장 빠르게 성장한 지역은?", "Which region grew fastest in Q3 versus Q2?")),
    (SLOWEST, ("3분기에 2분기 대비 매출이 가장 느리게 성장한 지역은?", "Which region grew slowest in Q3 versus Q2?")),
    ({"comparison": "same_period_last_year", "period": {"start": "2026-09-01", "end": "2026-09-30"}}, (
        "9월 매출 작년 9월과 비교해서 몇 퍼센트 변했어?", "Compare September sales with September last year, in percent")),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("expected", "question"), [(e, q) for e, wordings in CLASSES for q in wordings])
def test_a_wording_asks_what_its_class_means(expected: dict[str, Any], question: str):
    found = asked(question)
    assert {key: found.get(key) for key in expected} == expected
    if "period" not in expected:
        assert found["period"] == OCTOBER


@pytest.mark.parametrize(
    "question",
    [
        "지난달 매출 상위 10% 병원이 전체 매출에서 차지하는 비중",
        "지난달 매출 상위 10%인 병원의 매출 비중",
        "what percentage of sales last month did the top 10% of hospitals account for?",
    ],
)
def test_the_share_of_the_best_is_of_everything(question: str):
    found = asked(question)
    assert found["among"]["top"] == {"percent": 10.0, "direction": "top", "by": "sales_amount"}
    assert found["derived"][0]["denominator"]["everything"]


@pytest.mark.parametrize("question", ["11월 들어 현재까지 매출은 작년 11월 같은 기간보다 얼마나 늘었어?",
                                      "month-to-date sales versus the same period last year"])  # fmt: skip
def test_a_running_month_meets_the_same_days_of_the_other(question: str):
    found = asked(question)
    assert found["comparison"] == "same_period_last_year"
    assert (found["period"]["start"], found["period"]["end"]) == ("2026-11-01", "2026-11-15")


@pytest.mark.parametrize("question", ["지난달 인천 병원팀 매출", "Incheon hospital team sales last month"])
def test_a_team_that_is_not_known_is_named(question: str):
    reading = read(question)
    assert reading["unread"] or reading["ambiguities"]


@pytest.mark.parametrize(
    "question", ["어디가 제일 잘했어?", "누가 제일 잘했어?", "Show me the top 5", "Who is the best?"]
)
def test_a_vague_ranking_is_asked_once_with_options(question: str):
    reading = read(question)
    assert len(reading["ambiguities"]) == 1
    assert len(reading["ambiguities"][0]["options"]) > 1


@pytest.mark.parametrize(
    "text",
    [
        "안녕하세요~ 처음 써보는데요", "고마워 덕분에 빨리 끝났네!", "오늘은 여기까지 할게요 고마워요", "Thanks, that's all for today",
        "What can you help me with?", "Hi, I'm new here",
        "수고 많으십니다~ 오늘도 잘 부탁드려요", "안녕하세요, 잘 부탁드립니다",
    ],
)  # fmt: skip
def test_small_talk_with_more_words_is_still_small_talk(text: str):
    reading = read(text)
    assert reading["small_talk"]
    assert not reading["clarification_needed"]


@pytest.mark.parametrize("text", ["고마워, 지난달 매출도 알려줘", "Thanks, now show me sales last month"])
def test_thanks_before_a_question_do_not_hide_it(text: str):
    assert asked(text)["metrics"] == ["sales_amount"]


TOP = "top 5 hospitals by sales last month"
PART = "지난달 서울 매출에서 의원이 차지하는 비중"
GENERAL = {"dimension": "hospital_type", "op": "in", "values": ["종합병원"]}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((TOP, "make it 10"), best({"n": 10})),
        (("지난달 매출 상위 5개 병원", "10개로 늘려줘"), best({"n": 10})),
        ((TOP, "by quantity"), {**best({"n": 5}, by="quantity"), "metrics": ["quantity"]}),
        (("지난달 매출 상위 5개 병원", "수량 기준으로"), {**best({"n": 5}, by="quantity"), "metrics": ["quantity"]}),
        ((PART, "종합병원은?"), share(GENERAL, SEOUL)),
        ((PART, "작년 10월에는 몇 %였어?"), {**share(CLINIC, SEOUL), "period": {"start": "2025-10-01", "end": "2025-10-31"}}),
        ((TOP, "as a chart please"), {**best({"n": 5}), "filters": []}),
        (("sales in October", "why did it change from September?"), {"comparison": "previous", "period": OCTOBER}),
        (("sales by region last quarter", "ok, expenses by hospital type for the same quarter then"),
         {"metrics": ["expense_amount"], "dimensions": ["hospital_type"], "period": Q3}),
        (("류나윤 지난달 매출", "방문은 몇 번 했어?"), {"metrics": ["visit_count"], "period": OCTOBER}),
    ],
)  # fmt: skip
def test_a_follow_up_keeps_what_it_does_not_change(turns: tuple[str, ...], expected: dict[str, Any]):
    found = read(*turns)["semantic_request"]
    assert {key: found.get(key) or ([] if key == "filters" else None) for key in expected} == expected


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("3분기 매출이 가장 낮은 팀 5개를 매출과 함께 알려주십시오", ["sales_amount"]),
        ("3분기 매출 하위 5개 팀을 방문 수와 함께 보여줘", ["sales_amount", "visit_count"]),
    ],
)
def test_a_figure_beside_ranked_things_is_of_each(question: str, figures: list[str]):
    found = asked(question)
    top = {"n": 5, "direction": "bottom", "by": "sales_amount"}
    assert (found["metrics"], found["dimensions"], found["top"]) == (figures, ["team"], top)
    assert found["period"] == Q3
    assert not found.get("among")


@pytest.mark.parametrize(
    "question", ["지난달 매출을 방문 수와 함께 보여줘", "지난달 매출과 함께 방문 수 보여줘"]
)
def test_a_figure_beside_another_is_shown_too(question: str):
    found = asked(question)
    assert (found["metrics"], found["dimensions"]) == (["sales_amount", "visit_count"], [])


def test_a_guess_beside_a_known_verb_asks_nothing():
    found = asked("10월 매출 5천만원 이상 올린 담당자 이름하고 금액 보여주세요")
    assert (found["dimensions"], found["filters"]) == (["rep"], [])
    assert found["having"] == [{"column": "sales_amount", "op": ">=", "values": [50_000_000.0]}]


@pytest.mark.parametrize(
    "question",
    ["3분기 지역별로 매출 대비 비용이 몇 퍼센트인지 뽑아주세요", "3분기 지역별 매출 대비 비용 비율"],
)
def test_a_rate_is_no_part_of_a_whole(question: str):
    found = asked(question)
    assert (found["metrics"], found["dimensions"]) == (["expense_ratio"], ["region"])
    assert not found.get("share")


def test_a_denied_event_is_not_asked_for_as_well():
    found = asked("지난달에 방문을 한 번도 못 간 병원이 몇 곳이나 되나요")
    none = {"dimension": "hospital", "fact_metric": "visit_count", "exists": False}
    assert (found["count_groups"], found["existence"]) == ("hospital", [none])


@pytest.mark.parametrize(
    "question",
    [
        "올해 취소되거나 연기된 세미나 몇 건 있었어요?",
        "올해 취소됐거나 연기된 세미나 건수",
        "올해 취소 또는 연기된 세미나 몇 건",
    ],
)
def test_either_of_two_values_is_one_number(question: str):
    found = asked(question)
    assert (found["metrics"], found["dimensions"]) == (["seminar_count"], [])
    assert set(found["filters"][0]["values"]) == {"cancelled", "postponed"}


@pytest.mark.parametrize(
    "question", ["What share of Q3 expenses went to each category?", "the share of Q3 expenses by category"]
)
def test_a_share_goes_by_the_category_of_its_own_rows(question: str):
    found = asked(question)
    assert (found["metrics"], found["dimensions"]) == (["expense_amount"], ["expense_category"])
    assert found["share"]


@pytest.mark.parametrize("day", ["지난주 금요일", "지난주 금욜", "저번주 금욜"])
def test_a_weekday_may_be_said_in_short(day: str):
    found = asked(f"{day} 매출 얼마야")
    assert found["period"]["start"] == found["period"]["end"]
    assert found["period"] == asked("지난주 금요일 매출")["period"]


def test_weekdays_in_short_limit_the_days():
    assert asked("10월 월욜만 매출")["weekdays"] == asked("10월 월요일만 매출")["weekdays"] == [1]


def test_each_region_is_the_subject_of_what_it_sold():
    found = asked("how many different products did each region sell last month?")
    assert (found["metrics"], found["dimensions"]) == (["sold_products"], ["region"])
    assert found["period"] == OCTOBER


def test_a_report_that_is_asked_for_politely_is_no_greeting():
    assert not read("방문 보고서 잘 부탁드립니다")["small_talk"]


ASKED_FOR_EACH: dict[str, dict[str, Any]] = {
    "Which products were launched after 2020, and when?": {"dimensions": ["product", "launched_on"]},
    "2022년에 나온 제품이 뭐가 있고 언제 출시됐어?": {"dimensions": ["product", "launched_on"]},
    "항생제 제품들 이름이랑 출시일, 가격 알려주세요": {"dimensions": ["product", "launched_on", "unit_price"]},
    "How many distinct hospitals did each rep visit in October?": {"metrics": ["visited_hospitals"], "dimensions": ["rep"]},
    "10월 영업사원별로 몇 개 병원에 방문했는지 알려줘": {"metrics": ["visited_hospitals"], "dimensions": ["rep"]},
    "10월 방문은 한 번 갈 때 평균 몇 분이나 걸렸어?": {"metrics": ["average_visit_minutes"]},
    "9월 팀별 목표, 실적, 달성률 표로 줘": {"metrics": ["target_amount", "sales_amount", "achievement"]},
    "10월에 방문 나간 병원이 전부 몇 곳인가요": {"count_groups": "hospital"},
    "지난달 매출 하루하루 얼마씩이었는지 뽑아줘요": {"dimensions": ["day"]},
}  # fmt: skip


@pytest.mark.parametrize(("question", "wanted"), ASKED_FOR_EACH.items(), ids=str)
def test_whatever_is_asked_of_each_comes_out(question: str, wanted: dict[str, Any]):
    got = asked(question)
    assert {name: got[name] for name in wanted} == wanted


def test_a_list_of_events_shows_their_days():
    assert {"seminar", "day"} <= {*asked("세미나 목록 보여주세요")["dimensions"]}
