"""Classes of follow-ups: what each changes in the request before, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import after, ask, talk

Json = dict[str, Any]


def _request(*turns: str) -> Json:
    read = talk(*turns)
    assert not read["clarification_needed"], turns
    assert not read["unread"], (turns, read["unread"])
    return read["semantic_request"]


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 팀별 달성률", "100% 넘은 팀은 몇 개야?"),
        ("target achievement by team in October", "how many teams are above 100%?"),
    ],
)
def test_a_limit_on_a_list_can_be_counted(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["count_groups"] == "team"
    assert [(one["op"], one["values"]) for one in found["having"]] == [(">", [1.0])]


@pytest.mark.parametrize(
    "turns",
    [
        ("7월 서울 매출", "8월은?", "두 달 합치면 얼마지?"),
        ("sales in Seoul in July", "and August?", "both months together?"),
        ("sales in Seoul in July", "and August?", "together?"),
    ],
)
def test_two_months_that_touch_are_one_stretch(turns: tuple[str, ...]):
    assert _request(*turns)["period"] == {"start": "2026-07-01", "end": "2026-08-31"}


@pytest.mark.parametrize(
    "turns",
    [
        ("7월 서울 매출", "10월은?", "차이는?"),
        ("sales in Seoul in July", "and October?", "how much did it change?"),
    ],
)
def test_two_periods_apart_are_set_against_each_other(turns: tuple[str, ...]):
    (one,) = _request(*turns)["derived"]
    assert one["kind"] == "difference"
    assert [one[side]["period"]["start"] for side in ("numerator", "denominator")] == [
        "2026-10-01",
        "2026-07-01",
    ]


def test_a_new_period_after_two_is_one_period_again():
    found = _request("7월 서울 매출", "10월은?", "두 달 합치면?", "9월은?")
    assert (found["metrics"], found["period"]["start"]) == (["sales_amount"], "2026-09-01")
    assert not found.get("derived")


@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        (("10월 서울 매출", "부산은?", "몇 배야?"), "times"),
        (("10월 서울 매출", "부산은?", "얼마 차이인가요?"), "difference"),
        (("sales in Seoul in October", "and Busan?", "what's the ratio?"), "times"),
        (("sales in Seoul in October", "and Busan?", "how big is the gap?"), "difference"),
    ],
)
def test_two_values_are_set_against_each_other(turns: tuple[str, ...], kind: str):
    (one,) = _request(*turns)["derived"]
    assert one["kind"] == kind


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출에서 서울 비중은?", "부산은?", "차이는 몇 %p야?"),
        ("what share of sales came from Seoul in October?", "and Busan?", "what's the difference?"),
    ],
)
def test_two_shares_differ_in_points_of_one_whole(turns: tuple[str, ...]):
    (one,) = _request(*turns)["derived"]
    assert (one["kind"], one["whole"]["metric"]) == ("difference", "sales_amount")


@pytest.mark.parametrize(
    ("turns", "place"),
    [
        (("10월 매출 상위 5개 병원", "2등은 어디야?"), 2),
        (("top 5 hospitals by sales in October", "which one was third?"), 3),
        (("top 5 hospitals by sales in October", "and number 2?"), 2),
    ],
)
def test_a_place_alone_is_one_of_the_list(turns: tuple[str, ...], place: int):
    found = _request(*turns)
    assert (found["top"]["nth"], found["metrics"]) == (place, ["sales_amount"])


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 5개 병원", "두 번째 의료기관의 방문 건수는?"),
        ("top 5 hospitals by sales in October", "and the visits of the second client?"),
    ],
)
def test_a_figure_of_a_place_is_of_that_one_of_the_list(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], found["among"]["top"]["nth"]) == (["visit_count"], 2)


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 5개 병원", "첫 번째는 왜 변했어?"),
        ("top 5 hospitals by sales in October", "why did the first one change?"),
    ],
)
def test_a_change_of_the_first_one_is_of_that_one(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["top"]["n"], found["top"]["by"], found["comparison"]) == (1, "sales_amount", "previous")


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 3개 제품", "이들의 방문 건수는?"),
        ("top 3 products by sales in October", "and their visits?"),
        ("top 3 products by sales in October", "visits for those medicines?"),
    ],
)
def test_their_figure_is_of_those_listed(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], found["among"]["top"]["n"]) == (["visit_count"], 3)


def test_their_own_target_is_not_of_those_listed():
    found = _request("top 3 products by sales in October", "which teams missed their October target?")
    assert "among" not in found or not found["among"]


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 세미나 몇 건이야?", "그중 종합병원은 몇 건이야?"),
        ("how many seminars in October?", "how many of them were for general hospitals?"),
    ],
)
def test_some_of_those_counted_are_counted_as_before(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["metrics"] == ["seminar_count"]
    assert [item["values"] for item in found["filters"]] == [["종합병원"]]


@pytest.mark.parametrize(
    "turns",
    [
        ("7월 서울 매출", "전체는?"),
        ("sales in Seoul in July", "and overall?"),
        ("sales in Seoul in July", "company-wide?"),
    ],
)
def test_overall_leaves_the_limit_out(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], found["filters"]) == (["sales_amount"], [])


@pytest.mark.parametrize("text", ["month over month?", "한 달 전이랑 비교하면?"])
def test_over_the_month_before_compares(text: str):
    first = "sales in Seoul in August" if text.isascii() else "8월 서울 매출"
    found = _request(first, text)
    assert (found["comparison"], found["period"]["start"]) == ("previous", "2026-08-01")


@pytest.mark.parametrize("text", ["per rep?", "how much is that per rep?"])
def test_per_thing_after_one_figure_is_one_figure(text: str):
    (one,) = _request("visits in October", text)["derived"]
    assert (one["kind"], one["denominator"]["metric"]) == ("ratio", "count:rep")


def test_shown_per_thing_is_a_list():
    assert _request("visits in October", "show that per rep")["dimensions"] == ["rep"]


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 서울 방문 건수", "어느 담당자가 제일 많아?"),
        ("visits in Seoul in October", "which rep was highest?"),
    ],
)
def test_who_has_most_has_most_of_the_figure_before(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], found["dimensions"], found["top"]["n"]) == (["visit_count"], ["rep"], 1)


@pytest.mark.parametrize(
    "turns",
    [("10월 서울 매출", "서울이 아니라 부산"), ("sales in Seoul in October", "not Seoul, Busan")],
)
def test_a_correction_puts_one_in_the_place_of_the_other(turns: tuple[str, ...]):
    assert [item["values"] for item in _request(*turns)["filters"]] == [["부산"]]


def test_another_figure_instead_keeps_the_ranking():
    found = _request("lowest 3 regions by sales in October", "units sold instead")
    assert (found["metrics"], found["top"]["by"], found["top"]["n"]) == (["quantity"], "quantity", 3)


def test_counted_rows_add_up_to_their_worth():
    found = _request("10월 50만 원 넘는 지출 몇 건이야?", "합치면 얼마야?")
    assert found["metrics"] == ["expense_amount"]
    assert found["rows"]


@pytest.mark.parametrize(
    "question",
    ["9월과 10월 둘 다 구매한 병원은 몇 곳이야?", "how many hospitals bought in both September and October?"],
)
def test_both_months_are_two_conditions(question: str):
    found = ask(question)["semantic_request"]
    assert [one["period"]["start"] for one in found["existence"]] == ["2026-09-01", "2026-10-01"]
    assert found["count_groups"] == "hospital"


def test_nothing_to_add_up_is_not_answered_silently():
    read = talk("sales in October", "together?")
    assert read["clarification_needed"] or read["unread"]


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 3개 병원", "그 병원들 합계는?", "병원당 평균은?"),
        ("top 3 hospitals by sales in October", "how much do they sell together?", "and per hospital?"),
    ],
)
def test_per_thing_after_a_sum_of_some_is_of_those(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["among"]["top"]["n"] == 3
    assert found["derived"][0]["denominator"]["metric"] == "count:hospital"


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 매출", "담당자당으로는?", "병원당은?"),
        ("sales in September", "per rep?", "and per hospital?"),
    ],
)
def test_per_another_thing_divides_anew(turns: tuple[str, ...]):
    found = _request(*turns)
    assert [one["name"] for one in found["derived"]] == ["sales_amount__per__hospital"]
    assert not found.get("dimensions")


@pytest.mark.parametrize(
    "turns", [("올해 월별 매출", "11월 빼고"), ("sales by month this year", "leave out November")]
)
def test_the_last_month_can_be_left_out(turns: tuple[str, ...]):
    assert _request(*turns)["period"] == {"start": "2026-01-01", "end": "2026-10-31"}


@pytest.mark.parametrize(
    "turns",
    [("10월 매출 상위 5명", "방문 수 순으로 다시"), ("top 5 reps by sales in October", "now rank by visits")],
)
def test_another_figure_to_rank_by_keeps_their_number(turns: tuple[str, ...]):
    assert _request(*turns)["top"] == {"n": 5, "direction": "top", "by": "visit_count"}


def test_which_one_after_a_list_is_one_of_the_list():
    found = _request(
        "sales in Seoul in Q3 by product category", "sorry, I meant Busan", "which one is lowest?"
    )
    assert found["dimensions"] == ["category"]
    assert found["top"] == {"n": 1, "direction": "bottom", "by": "sales_amount"}


def test_the_ones_that_did_are_the_others():
    found = _request("which reps missed their target in October?", "and the ones that did?")
    assert [(one["op"], one["values"]) for one in found["having"]] == [(">=", [1.0])]


@pytest.mark.parametrize("text", ["on how many hospitals?", "at how many hospitals?"])
def test_how_many_of_which_are_those_of_the_figure(text: str):
    found = _request("visits in Seoul in October", text)
    assert found["metrics"] == ["visited_hospitals"]
    assert found["filters"] == [{"dimension": "region", "op": "in", "values": ["서울"]}]


def test_a_value_is_dropped_and_nothing_falls():
    found = _request("expenses by category in Q3", "drop travel")
    assert found["filters"] == [{"dimension": "expense_category", "op": "not_in", "values": ["travel"]}]
    assert not found.get("comparison")


@pytest.mark.parametrize(
    "turns", [("10월 주별 방문 수", "평균은?"), ("visits by week in October", "average?")]
)
def test_the_average_of_steps_is_of_one_step(turns: tuple[str, ...]):
    (one,) = _request(*turns)["derived"]
    assert (one["kind"], one["per"]) == ("per_period", "week")


def test_the_share_of_each_keeps_the_ranking():
    found = _request("top 3 regions by sales in Q3", "share of each in the total?")
    assert found["share"]
    assert found["top"]["n"] == 3


def test_their_targets_are_of_those_listed():
    found = _request("sales by team in October", "the bottom three", "what were their targets?")
    assert found["among"]["top"] == {"n": 3, "direction": "bottom", "by": "sales_amount"}


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 서울 매출", "부산도"),
        ("10월 서울 매출", "부산하고 비교해줘"),
        ("sales in Seoul in October", "Busan too"),
        ("sales in Seoul in October", "compare that with Busan"),
    ],
)
def test_another_place_stands_beside_the_first(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["dimensions"] == ["region"]
    assert found["filters"][0]["values"] == ["서울", "부산"]


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 3개 병원", "그 세 곳 9월에는 월별로 어땠어?"),
        ("top 3 hospitals by sales in October", "show those three by month in September"),
    ],
)
def test_those_found_stay_the_same_in_another_period(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["among"]["period"]["start"] == "2026-10-01"
    assert found["period"]["start"] == "2026-09-01"
    assert not found.get("top")


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 매출 상위 5개 병원", "방문 건수도 붙여줘"),
        ("top 5 hospitals by sales in October", "add their visit counts"),
    ],
)
def test_one_more_figure_comes_beside_the_others(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["metrics"] == ["sales_amount", "visit_count"]
    assert found["top"] == {"n": 5, "direction": "top", "by": "sales_amount"}


@pytest.mark.parametrize(
    "turns",
    [
        ("10월 서울 매출", "담당자별로", "제일 많은 사람은?", "처음 질문으로 돌아가서 부산은?"),
        (
            "sales in Seoul in October",
            "by rep",
            "who is best?",
            "back to the first question, what about Busan?",
        ),
    ],
)
def test_a_question_goes_back_to_the_first(turns: tuple[str, ...]):
    found = _request(*turns)
    assert not found.get("dimensions")
    assert found["filters"] == [{"dimension": "region", "op": "in", "values": ["부산"]}]


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (("best rep in October by sales", "total sales of that team?"), "that team"),
        (("10월 매출 1위 담당자", "그 팀 전체 매출은 얼마야"), "그 팀"),
        (("제주 거래처 목록", "각각 마지막 방문일은?"), "각각"),
    ],
)
def test_a_word_that_points_at_nothing_is_named(turns: tuple[str, ...], left: str):
    assert any(left in word for word in talk(*turns)["unread"])


@pytest.mark.parametrize(
    ("turns", "op"),
    [
        (("10월 매출 전월 대비", "어느 지역이 떨어졌어?"), "<"),
        (("sales in October versus September", "which regions went up?"), ">"),
    ],
)
def test_things_that_moved_are_those_of_the_comparison(turns: tuple[str, ...], op: str):
    found = _request(*turns)
    (one,) = found["having"]
    assert (one["column"], one["op"], found["comparison"]) == ("sales_amount__difference", op, "previous")


def test_the_share_of_one_is_not_taken_of_itself():
    found = _request(
        "카르비온정 10월 매출", "산 병원은 몇 군데야", "전체 매출에서 그 제품이 차지하는 비중은?"
    )
    assert not found.get("filters")
    assert found["derived"][0]["numerator"]["filters"][0]["dimension"] == "product"


@pytest.mark.parametrize(
    ("first", "then", "last"),
    [
        (
            "sales by month in 2025, which month was the lowest?",
            "which region sold most in that month?",
            "and the least?",
        ),
        ("2025년 매출이 가장 낮은 달은?", "그 달에 제일 많이 판 지역은?", "제일 적은 곳은?"),
    ],
)
def test_a_month_that_was_found_stays_when_ranks_turn(first: str, then: str, last: str):
    found = ask(last, previous=ask(then, previous=after(first, "month", [("2025-06", "2025-06")])))
    assert found["semantic_request"]["top"]["direction"] == "bottom"
    assert found["semantic_request"]["period"] == {"start": "2025-06-01", "end": "2025-06-30"}


def test_who_they_are_is_no_call_for_help():
    found = talk("10월 목표 미달한 영업사원 몇 명이야?", "누구누구야?")["semantic_request"]
    assert (found["dimensions"], found.get("count_groups")) == (["rep"], None)


def test_a_polite_ending_hides_no_week():
    found = talk("지난주 서울 방문 몇 건이었죠?", "아 아니 지지난주요")["semantic_request"]
    assert found["period"]["end"] == "2026-11-08"


SEMINARS = [("313", "심포지엄"), ("314", "설명회"), ("315", "처방 가이드라인")]


@pytest.mark.parametrize(
    ("first", "question", "figure"),
    [
        (
            "List the seminars held in October with their dates",
            "Which one had the most attendees?",
            "attendees",
        ),
        ("List the seminars held in October with their dates", "Which one had the biggest budget?", "budget"),
        ("10월에 열린 세미나를 날짜랑 같이 보여줘", "참석자가 제일 많은 건?", "attendees"),
        ("10월에 열린 세미나를 날짜랑 같이 보여줘", "예산이 가장 큰 게 뭐야?", "budget"),
    ],
)
def test_the_rows_of_a_list_are_what_is_ranked(first: str, question: str, figure: str):
    found = _request(first, question)
    assert (found["dimensions"], found["metrics"]) == (["seminar"], [f"seminar_{figure}"])
    assert found["top"]["n"] == 1
    assert not found.get("order")


@pytest.mark.parametrize(
    "turns",
    [
        ("List the seminars held in October with their dates", "At which hospital was the biggest xyzzy?"),
        ("10월에 열린 세미나를 날짜랑 같이 보여줘", "병원별로 제일 많은 뷁쉙은?"),
        ("10월에 열린 세미나를 날짜랑 같이 보여줘", "제일 많은 병원은?"),
    ],
)
def test_no_list_is_in_the_order_of_a_column_that_went(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert {one["column"] for one in found.get("order") or ()} <= {*found["dimensions"], *found["metrics"]}


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("Which seminar in October had the most attendees?", "Where was it held?"),
        ("10월에 참석자가 가장 많은 세미나는?", "그건 어디서 했어?"),
    ],
)
def test_where_it_was_is_asked_of_its_place(first: str, question: str):
    found = ask(question, previous=after(first, "seminar", SEMINARS[:1]))
    assert found["semantic_request"]["dimensions"] == ["hospital"]


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("show the seminars in October with their dates", "how many of them were in Seoul?"),
        ("10월에 열린 세미나를 날짜랑 같이 보여줘", "그중 서울에서 한 건 몇 건이야?"),
    ],
)
def test_the_number_of_listed_rows_is_one_number(first: str, question: str):
    found = ask(question, previous=after(first, "seminar", SEMINARS))["semantic_request"]
    assert (found["metrics"], found["dimensions"]) == (["seminar_count"], [])


@pytest.mark.parametrize(
    "turns",
    [
        ("Compare September and October sales for clinics", "Now in units sold instead of won"),
        ("Compare September and October sales for clinics", "in units instead"),
        ("9월과 10월 의원 매출 비교해줘", "금액 말고 판매수량으로 보여줘"),
    ],
)
def test_a_comparison_stays_when_its_measure_changes(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], found["comparison"]) == (["quantity"], "previous")


@pytest.mark.parametrize("question", ["Who visited it?", "거기 방문한 사람은 누구야?"])
def test_who_did_something_is_limited_by_the_deed(question: str):
    before = after("지난달 매출 1위 병원은?", "hospital", [("11", "가람병원")])
    found = ask(question, previous=before)["semantic_request"]
    (deed,) = found["existence"]
    assert [f["values"] for f in deed["filters"]] == [["11"]]
    assert (found["dimensions"], found["filters"]) == (["rep"], [])


def _limits(found: Json) -> dict[str, list[str]]:
    return {one["dimension"]: one["values"] for one in found.get("filters") or ()}


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 서울 항생제 매출", "지역 조건은 빼줘"),
        ("9월 서울 항생제 매출", "지역 상관없이 보면?"),
        ("9월 서울 항생제 매출", "전국으로 보면?"),
        ("9월 서울 항생제 매출", "모든 지역으로"),
        ("sales of antibiotics in Seoul in September", "drop the region filter"),
        ("9월 서울 항생제 매출", "서울 조건은 빼고"),
        ("sales of antibiotics in Seoul in September", "regardless of region"),
        ("sales of antibiotics in Seoul in September", "and across all regions?"),
        ("sales of antibiotics in Seoul in September", "nationwide?"),
    ],
)
def test_a_limit_taken_away_by_name_leaves_the_others(turns: tuple[str, ...]):
    found = _request(*turns)
    assert _limits(found).keys() == {"category"}
    assert found["period"] == {"start": "2026-09-01", "end": "2026-09-30"}


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 팀별 방문 건수", "팀 구분 없이 합계만"),
        ("visits by team in September", "regardless of team?"),
    ],
)
def test_a_split_taken_away_by_name_leaves_one_figure(turns: tuple[str, ...]):
    found = _request(*turns)
    assert not found["dimensions"]
    assert found["metrics"] == ["visit_count"]


def test_a_filter_that_is_not_there_is_not_dropped_silently():
    assert talk("9월 서울 매출", "제품 조건은 빼줘")["unread"]


@pytest.mark.parametrize(
    "turns",
    [
        ("3분기에 취소된 세미나 몇 건이야?", "연기된 것까지 치면요?"),
        ("3분기에 취소된 세미나 몇 건이야?", "연기된 것까지 다 포함하면 세미나가 몇 건이야?"),
        ("how many seminars were cancelled in Q3?", "what if we include the postponed ones?"),
        ("how many seminars were cancelled in Q3?", "including the postponed ones too?"),
    ],
)
def test_a_value_counted_in_widens_the_limit(turns: tuple[str, ...]):
    found = _request(*turns)
    assert {*_limits(found)["seminar_status"]} == {"cancelled", "postponed"}
    assert not found["dimensions"]


@pytest.mark.parametrize(
    "turns",
    [
        ("3분기 부산 제품 매출 상위 3개", "부산 전체는 얼마였어?"),
        ("top 5 hospitals in Busan by sales in Q3", "what was the total for Busan?"),
    ],
)
def test_the_total_of_a_place_is_no_list_of_its_best(turns: tuple[str, ...]):
    found = _request(*turns)
    assert _limits(found) == {"region": ["부산"]}
    assert not found["dimensions"]
    assert not found.get("top")


@pytest.mark.parametrize(
    "turns",
    [
        (
            "how many lecture fees over 1 million won in September?",
            "list them with date, hospital and amount",
        ),
        ("9월 100만 원 넘는 강연료 몇 건이야?", "날짜랑 병원도 같이 나열해줘"),
    ],
)
def test_counted_rows_are_listed_with_the_columns_asked(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["dimensions"] == ["day", "hospital"]
    assert found["metrics"] == ["expense_amount"]
    assert found["rows"]


@pytest.mark.parametrize(
    "turns",
    [
        ("7월 매출", "8월은?", "9월은?", "세 달 다 더하면?"),
        ("sales in July", "and August?", "and September?", "all three months together?"),
    ],
)
def test_three_months_that_touch_are_one_stretch(turns: tuple[str, ...]):
    assert _request(*turns)["period"] == {"start": "2026-07-01", "end": "2026-09-30"}


@pytest.mark.parametrize(
    "turns",
    [
        ("2분기 교통비 상위 3개 팀", "모든 팀 합계는?"),
        ("top three teams by travel expenses in Q2", "what's the total across all teams?"),
    ],
)
def test_the_total_of_all_keeps_the_other_limits(turns: tuple[str, ...]):
    found = _request(*turns)
    assert not found["dimensions"]
    assert _limits(found) == {"expense_category": ["travel"]}


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 지역별 매출", "서울 빼고", "다시 포함해서 보여줘"),
        ("sales by region in September", "leave out Seoul", "put it back in"),
    ],
)
def test_an_exception_can_be_taken_back(turns: tuple[str, ...]):
    found = _request(*turns)
    assert not found["filters"]
    assert found["dimensions"] == ["region"]


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 서울 매출", "부산은?", "서울로 돌아가서 8월은?"),
        ("sales in Seoul in September", "and Busan?", "back to Seoul: what were its sales in August?"),
    ],
)
def test_going_back_to_a_place_names_the_place(turns: tuple[str, ...]):
    found = _request(*turns)
    assert _limits(found) == {"region": ["서울"]}
    assert found["period"]["start"] == "2026-08-01"


@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        (("9월 방문 목적별 건수", "제품설명만", "누가 제일 많이 했어?"), "rep"),
        (("9월 서울 매출", "누가 제일 많이 팔았어?"), "rep"),
        (("9월 서울 매출", "어디서 제일 많이 팔렸어?"), "hospital"),
    ],
)
def test_who_and_where_name_the_kind_that_is_ranked(turns: tuple[str, ...], kind: str):
    found = _request(*turns)
    assert kind in found["dimensions"]
    assert found["top"]["n"] == 1


def test_a_year_earlier_is_set_against_nothing():
    found = _request("sales in Busan in Q3", "what were its sales in Q3 a year earlier?")
    assert found["period"] == {"start": "2025-07-01", "end": "2025-09-30"}
    assert not found.get("comparison")


def test_a_question_how_many_lists_nothing():
    found = _request("올해 3분기에 취소된 세미나 목록 보여줘", "작년 3분기에는 몇 건이나 취소됐었지?")
    assert not found["dimensions"]
