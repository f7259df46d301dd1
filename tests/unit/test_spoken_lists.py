"""Follow-ups about a list, a found month, both shares and the rest; figures of classes that once fell away."""

from __future__ import annotations

import pytest

from tests.support.composed import OCTOBER, after, ask, request, talk

BEST = ("Top 5 hospitals by sales in October", "10월 매출 상위 5개 병원")


@pytest.mark.parametrize(
    "turns",
    [
        (BEST[0], "How much did the rest add up to?"),
        (BEST[0], "and the others together?"),
        (BEST[1], "나머지는 다 합쳐서 얼마야?"),
        (BEST[1], "나머지 병원 매출 합계는?"),
    ],
)
def test_the_rest_of_a_ranking_is_added_up(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (found["among"]["top"]["n"], found["among_others"], found["dimensions"]) == (5, True, [])


@pytest.mark.parametrize(
    "turns",
    [
        (BEST[0], "Which regions are those in?"),
        (BEST[0], "What regions do they belong to?"),
        (BEST[1], "그 병원들 지역은?"),
    ],
)
def test_a_property_of_those_is_shown_beside_each(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (found["dimensions"], found["among"]["top"]["n"]) == (["hospital", "region"], 5)


@pytest.mark.parametrize(
    "turns",
    [
        (BEST[0], "How many visits did each of them get?"),
        (BEST[0], "How many visits did each get?"),
        (BEST[1], "이 병원들 방문 횟수는?"),
        (BEST[1], "각각 방문은 몇 번?"),
    ],
)
def test_a_figure_of_each_is_one_of_the_listed(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (found["metrics"], found["dimensions"]) == (["visit_count"], ["hospital"])
    assert found["among"]["top"]["n"] == 5


@pytest.mark.parametrize(
    "turns",
    [
        (BEST[0], "What share of all sales do these five make up together?"),
        (BEST[1], "이 다섯 곳이 전체 매출에서 차지하는 비중은?"),
    ],
)
def test_the_share_of_those_is_one_of_everything(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    (share,) = found["derived"]
    assert (share["kind"], share["denominator"]["everything"]) == ("share", True)
    assert found["among"]["top"]["n"] == 5


def test_those_in_another_period_are_still_those():
    found = talk(BEST[1], "얘네 9월엔 각각 얼마였어?")["semantic_request"]
    assert (found["period"]["start"], found["among"]["period"]) == ("2026-09-01", OCTOBER)


@pytest.mark.parametrize(
    "turns",
    [
        ("Monthly sales this year", "Which month was the best?", "Split that month by product category"),
        ("올해 월별 매출", "제일 높은 달은?", "그 달 제품군별로"),
    ],
)
def test_a_found_month_can_be_pointed_at(turns: tuple[str, ...]):
    first, best, then = turns
    shown = after(best, "month", [("2026-10", "2026-10")], ask(first))
    found = ask(then, previous=shown)["semantic_request"]
    assert (found["dimensions"], found["period"]) == (["category"], OCTOBER)


@pytest.mark.parametrize(
    "turns",
    [
        ("What share of October sales came from clinics?", "and general hospitals?", "the two combined?"),
        ("10월 매출에서 의원 비중은?", "종합병원은?", "둘 합치면?"),
    ],
)
def test_two_shares_combined_are_a_share(turns: tuple[str, ...]):
    (share,) = talk(*turns)["semantic_request"]["derived"]
    assert (share["kind"], share["numerator"]["filters"][0]["values"]) == ("share", ["의원", "종합병원"])


def test_another_figure_takes_the_place_of_one():
    turns = ("올해 매출 상위 5개 제품", "수량 기준으로는?", "아니 수량 말고 매출로")
    found = talk(*turns)["semantic_request"]
    assert (found["metrics"], found["top"]["by"]) == (["sales_amount"], "sales_amount")
    found = talk("Top 5 products by revenue this year", "by units instead of revenue")["semantic_request"]
    assert (found["metrics"], found["top"]["by"]) == (["quantity"], "quantity")


@pytest.mark.parametrize(
    "turns",
    [
        ("Expenses in October", "How many of those were over 500,000 won?"),
        ("10월 지출 총액", "그중 50만원 넘는 건 몇 건이야?"),
    ],
)
def test_a_limit_after_a_sum_counts_its_rows(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (found["metrics"], found["rows"][0]["values"]) == (["expense_count"], [500_000.0])


@pytest.mark.parametrize(
    "turns",
    [
        ("How many reps hit their target in October?", "How many didn't?"),
        ("지난달 목표 달성한 영업사원 몇 명이야?", "못 한 사람은 몇 명이야?"),
    ],
)
def test_those_that_did_not_are_the_opposite(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (found["count_groups"], found["having"][0]["op"]) == ("rep", "<")


def test_the_same_days_of_a_running_month_are_compared():
    found = talk("이번달 매출 지금까지 얼마야?", "지난달 같은 기간은?")["semantic_request"]
    assert (found["comparison"], found["period"]["end"]) == ("previous", "2026-11-15")


def test_a_figure_of_the_same_period_is_of_the_same_place():
    found = talk("지난달 서울 매출", "10월 방문 수는 몇 번이었어?")["semantic_request"]
    assert (found["metrics"], found["filters"][0]["values"]) == (["visit_count"], ["서울"])


def test_a_side_of_a_ratio_keeps_its_own_filter():
    found = request("Travel spending per visit this year")
    assert "filters" not in found
    assert found["derived"][0]["numerator"]["filters"][0]["values"] == ["travel"]
    (part,) = talk("Travel spending per visit this year", "and gifts?")["semantic_request"]["derived"]
    assert part["numerator"]["filters"][0]["values"] == ["gift"]


@pytest.mark.parametrize(
    "question", ["Sales in October for Seoul, Busan and Daegu", "10월 서울, 부산, 대구 매출"]
)
def test_values_side_by_side_are_shown_each(question: str):
    assert request(question)["dimensions"] == ["region"]


@pytest.mark.parametrize(
    "question",
    ["What were sales and visits in Daegu last month, respectively?", "10월 매출이랑 방문 수 각각"],
)
def test_two_figures_respectively_are_both(question: str):
    assert request(question)["metrics"] == ["sales_amount", "visit_count"]


@pytest.mark.parametrize(
    "question",
    [
        "Which region grew the most compared with the same month last year?",
        "작년 같은 달보다 매출이 가장 많이 늘어난 지역은?",
    ],
)
def test_the_same_month_last_year_is_a_month(question: str):
    found = request(question)
    assert (found["period"]["start"], found["comparison"]) == ("2026-11-01", "same_period_last_year")


@pytest.mark.parametrize(
    ("question", "above"),
    [
        ("By how much did Busan miss its target in October?", "target_amount"),
        ("Which rep beat their target by the widest margin last month?", "sales_amount"),
    ],
)
def test_the_distance_from_a_target_is_a_figure(question: str, above: str):
    (distance,) = ask(question)["semantic_request"]["derived"]
    assert (distance["kind"], distance["numerator"]["metric"]) == ("difference", above)


@pytest.mark.parametrize(
    "question",
    [
        "How many hospitals saw their sales fall in October compared with September?",
        "10월에 전월 대비 매출이 떨어진 병원 수",
    ],
)
def test_things_are_counted_by_their_change(question: str):
    found = request(question)
    assert (found["count_groups"], found["having"][0]["column"]) == ("hospital", "sales_amount__difference")


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("Which product brought in the most money in the third quarter?", "sales_amount"),
        ("제일 돈 많이 쓴 영업사원 세 명", "expense_amount"),
        ("Do we sell more on weekdays or at weekends?", "sales_amount"),
        ("How long does an average visit take?", "average_visit_minutes"),
    ],
)
def test_verbs_of_money_and_time_find_their_figure(question: str, metric: str):
    assert request(question)["metrics"] == [metric]


def test_weekends_against_weekdays_are_a_ratio():
    (ratio,) = request("평일 대비 주말 매출 비율")["derived"]
    assert (ratio["numerator"]["weekdays"], ratio["denominator"]["weekdays"]) == ([6, 7], [1, 2, 3, 4, 5])


def test_things_named_before_are_counted_by_what_they_did():
    found = request("Of the hospitals that bought in September, how many bought again in October?")
    assert (found["count_groups"], len(found["existence"])) == ("hospital", 2)
