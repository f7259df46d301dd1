"""Things that a turn chose stay spoken of, and parts taken over make sense beside what a question says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import after, ask

Json = dict[str, Any]
HOSPITALS = [("11", "가람병원"), ("7", "나래병원")]
CHOICES = [
    "지난달 매출 상위 2개 병원",
    "지난달 매출 1천만원 넘는 병원",
    "지난달 방문한 적 없는 병원 목록",
    "top 2 hospitals by revenue last month",
    "which hospitals bought nothing last month?",
]
FIGURES = [
    "비용은?",
    "비용은 얼마나 썼어?",
    "and expenses?",
    "how much did we spend?",
    "what were the expenses?",
]


def _request(question: str, previous: Json) -> Json:
    found = ask(question, previous=previous)
    assert not found["clarification_needed"], found["ambiguities"]
    assert not found["unread"], found["unread"]
    return found["semantic_request"]


def _limits(request: Json, dimension: str) -> list[list[str]]:
    return [f["values"] for f in request.get("filters") or () if f["dimension"] == dimension]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_alone_is_of_each_that_was_chosen(choice: str, figure: str):
    request = _request(figure, after(choice, "hospital", HOSPITALS))
    assert request["metrics"] == ["expense_amount"]
    assert request["dimensions"] == ["hospital"]
    assert _limits(request, "hospital") == [["11", "7"]]


@pytest.mark.parametrize("figure", ["총 비용은?", "total expenses?"])
def test_a_total_after_a_choice_is_one_sum(figure: str):
    request = _request(figure, after(CHOICES[0], "hospital", HOSPITALS))
    assert (request["dimensions"], _limits(request, "hospital")) == ([], [["11", "7"]])


@pytest.mark.parametrize("question", ["전체 비용은?", "전국 비용은 얼마야?", "company-wide expenses?"])
def test_a_figure_of_the_whole_leaves_the_choice(question: str):
    request = _request(question, after(CHOICES[0], "hospital", HOSPITALS))
    assert not _limits(request, "hospital")
    assert not request.get("among")


@pytest.mark.parametrize("question", ["9월 비용 알려줘", "show the expenses of September"])
def test_a_question_with_its_own_period_stands_alone(question: str):
    assert not _limits(_request(question, after(CHOICES[0], "hospital", HOSPITALS)), "hospital")


@pytest.mark.parametrize("question", ["매출은 있어?", "what was the revenue?"])
def test_things_that_were_only_counted_stay_too(question: str):
    counted = ask("지난달 방문한 적 없는 병원 몇 곳이야?")
    request = _request(question, counted)
    assert request["dimensions"] == ["hospital"]
    assert request["among"]["existence"][0]["exists"] is False


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("지난달 서울 매출", "매출 3천만원 넘는 병원 몇 곳이야?"),
        ("지난달 서울 매출", "매출 1위 제품 알려줘"),
        ("last month's revenue in Seoul", "how many hospitals bought over 30 million won?"),
    ],
)
def test_a_place_holds_for_a_question_without_a_period(before: str, question: str):
    assert _limits(_request(question, ask(before)), "region") == [["서울"]]


def test_what_is_left_behind_is_said():
    found = ask("담당자별 방문 수 알려줘", previous=ask("지난달 류나윤 매출"))
    assert any("넣지 않았습니다" in said for said in found["assumptions"])


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("그 달에 1등 병원은?", ("2026-10-01", "2026-10-31")),
        ("그 달 방문은 몇 번이야?", ("2026-10-01", "2026-10-31")),
        ("who sold most in that month?", ("2026-10-01", "2026-10-31")),
    ],
)
def test_that_month_is_the_one_that_was_found(question: str, period: tuple[str, str]):
    best = after("올해 매출이 제일 높았던 달은?", "month", [("2026-10", "2026-10")])
    request = _request(question, best)
    assert (request["period"]["start"], request["period"]["end"]) == period
    assert not request.get("among")


@pytest.mark.parametrize(
    ("unit", "key", "question", "start"),
    [
        ("quarter", "2025-Q3", "그 분기 매출은?", "2025-07-01"),
        ("week", "2026-10-05", "how much did we sell in that week?", "2026-10-05"),
        ("year", "2025", "visits in that year?", "2025-01-01"),
    ],
)
def test_any_unit_of_time_can_be_pointed_at(unit: str, key: str, question: str, start: str):
    first = {"quarter": "분기", "week": "주", "year": "해"}[unit]
    before = after(f"2025년부터 방문이 제일 많았던 {first}는?", unit, [(key, key)])
    assert _request(question, before)["period"]["start"] == start


@pytest.mark.parametrize("question", ["꼴찌는?", "and the worst?"])
def test_the_last_after_the_best_one_is_another(question: str):
    request = _request(question, after("지난달 매출 1위 병원은?", "hospital", HOSPITALS[:1]))
    assert request["top"]["direction"] == "bottom"
    assert not _limits(request, "hospital")


@pytest.mark.parametrize("question", ["거기 방문은 몇 번 갔지?", "how many visits did we make there?"])
def test_there_is_no_product(question: str):
    hospital = after("지난달 매출 1위 병원은?", "hospital", HOSPITALS[:1])
    product = after("거기서 제일 많이 팔린 제품은?", "product", [("13", "에소메론캡슐")], hospital)
    request = _request(question, product)
    assert _limits(request, "hospital") == [["11"]]
    assert not _limits(request, "product")


@pytest.mark.parametrize("question", ["how much did they spend?", "걔네 비용은?"])
def test_they_are_the_things_and_not_what_these_have(question: str):
    reps = after("bottom 2 reps by achievement in October", "rep", [("17", "정호준"), ("52", "이하람")])
    asked = ask("what teams are they in?", previous=reps)
    team = {"dimension": "team", "by_key": False, "keys": ["가", "나"], "labels": ["가", "나"], "whole": True}
    assert _limits(_request(question, {**asked, "shown": [team, *reps["shown"]]}), "rep") == [["17", "52"]]


@pytest.mark.parametrize(
    "question", ["그 병원 전국 매출은?", "그 제품 전국 매출은?", "its sales nationwide?"]
)
def test_the_whole_country_has_no_place(question: str):
    product = after("9월 부산 매출 1위 제품은?", "product", [("13", "에소메론캡슐")])
    found = ask(question, previous=product)
    assert not _limits(found["semantic_request"], "region") or found["unread"]


@pytest.mark.parametrize(
    "question",
    ["What was its sales amount in the quarter before?", "what were its sales in the quarter before"],
)
def test_the_quarter_before_is_asked_for_and_not_compared(question: str):
    request = _request(question, ask("카르비온정 3분기 매출"))
    assert request["period"]["start"] == "2026-04-01"
    assert not request.get("comparison")
    assert _limits(request, "product")


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("9월 비용 항목별로 보여줘", "식사는 몇 퍼센트야?"),
        ("expenses by category in September", "what share was meals"),
    ],
)
def test_a_share_is_not_split_by_its_own_part(before: str, question: str):
    request = _request(question, ask(before))
    assert request["derived"][0]["kind"] == "share"
    assert not request["dimensions"]


def test_the_share_of_one_group_is_in_all_of_them():
    one = ask("의원만 보여줘", previous=ask("지난달 병원 종별 매출"))
    request = _request("전체에서 몇 프로야?", one)
    assert request["derived"][0]["numerator"]["filters"][0]["values"] == ["의원"]
    assert not _limits(request, "hospital_type")


def test_a_part_is_set_against_the_whole_that_is_named():
    reps = after("지난달 부산 매출 3천만원 넘는 담당자", "rep", [("40", "이정민"), ("41", "류보람")])
    request = _request("부산 전체의 몇 퍼센트야?", ask("그 사람들 다 합치면?", previous=reps))
    assert _limits(request, "region") == [["부산"]]
    assert request["derived"][0]["numerator"]["filters"][0]["values"] == ["40", "41"]


@pytest.mark.parametrize(
    ("before", "question", "groups"),
    [
        ("올해 분기별 매출", "제일 많이 팔린 제품은?", ["product"]),
        ("sales by quarter this year", "which product sold best?", ["product"]),
        ("monthly revenue this year", "by region instead", ["region"]),
    ],
)
def test_a_split_by_time_ends_with_another_question(before: str, question: str, groups: list[str]):
    assert _request(question, ask(before))["dimensions"] == groups


@pytest.mark.parametrize("question", ["average of those", "their average?"])
def test_the_average_of_those_is_that_of_one(question: str):
    reps = after("sales of the top 2 reps in October", "rep", [("17", "정호준"), ("52", "이하람")])
    request = _request(question, reps)
    assert request["derived"][0]["denominator"]["metric"] == "count:rep"
    assert _limits(request, "rep") == [["17", "52"]]


def test_all_of_a_kind_end_a_ranking():
    best = ask("which region had the highest growth last month?")
    request = _request("show all regions", best)
    assert not request.get("top")
    assert request["comparison"] == "previous"


@pytest.mark.parametrize("question", ["얼마?", "how much?"])
def test_how_much_is_the_figure_of_the_one_just_found(question: str):
    best = ask("지난달 비용을 제일 많이 쓴 팀은?")
    assert _request(question, best)["top"] == best["semantic_request"]["top"]


def test_growth_of_another_figure_keeps_the_period():
    regions = after("9월 대비 10월 매출이 줄어든 지역", "region", [("부산", "부산"), ("대구", "대구")])
    request = _request("그 지역들 방문은 늘었어?", regions)
    assert (request["period"]["start"], request["comparison"]) == ("2026-10-01", "previous")


@pytest.mark.parametrize(
    ("first", "between", "question"),
    [
        (
            "올해 취소된 세미나가 몇 건이지?",
            "지난주 서울 방문 건수는?",
            "아까 세미나 얘기로 돌아가서, 작년에는?",
        ),
        (
            "How many seminars were cancelled this year?",
            "visits in Seoul last week?",
            "Back to the seminars, last year?",
        ),
    ],
)
def test_a_turn_is_gone_back_to_by_its_subject(first: str, between: str, question: str):
    request = _request(question, ask(between, previous=ask(first)))
    assert request["metrics"] == ["seminar_count"]
    assert request["period"]["start"] == "2025-01-01"


def test_then_is_the_time_spoken_of():
    assert _request("그때 방문은?", ask("3분기 매출"))["period"]["start"] == "2026-07-01"


def test_any_that_asks_for_no_sum():
    assert ask("Any that were postponed?", previous=ask("seminar budget in Busan this year"))["unread"]


@pytest.mark.parametrize("question", ["그게 서울 매출의 몇 프로야?", "what share of Seoul's sales is that?"])
def test_the_chosen_are_a_part_of_the_whole_that_is_named(question: str):
    best = after("지난달 서울 매출 상위 2개 제품", "product", [("1", "카르비온정"), ("2", "가스트렐정")])
    request = _request(question, best)
    assert _limits(request, "region") == [["서울"]]
    assert _limits(request, "product") == [["1", "2"]]
    assert request["derived"][0]["denominator"]["everything"]


@pytest.mark.parametrize("question", ["회사 평균은?", "what's the company average?", "전체 평균은?"])
def test_the_mean_of_the_company_is_one_figure(question: str):
    request = _request(question, ask("올해 지역별 객단가 하위 3곳"))
    assert (request["metrics"], request["dimensions"], request.get("top")) == (["average_order"], [], None)
