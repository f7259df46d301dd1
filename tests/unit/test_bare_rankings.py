"""Requests as people say them in fragments: the figure before the thing, a deed without its verb, month-wise."""

from __future__ import annotations

import pytest

from tests.support.composed import ask, request


@pytest.mark.parametrize("thing", ["병원", "제품", "지역"])
@pytest.mark.parametrize("ranked", ["탑3", "상위 3개", "상위 3"])
@pytest.mark.parametrize("figure", ["매출", "매출액 기준", "판매 수량", "수량 기준으로"])
def test_a_figure_may_stand_before_what_is_ranked(thing: str, ranked: str, figure: str):
    query = request(f"10월 {figure} {thing} {ranked}")
    by = "quantity" if "수량" in figure else "sales_amount"
    assert (query["top"]["n"], query["metrics"]) == (3, [by])
    assert len(query["dimensions"]) == 1


@pytest.mark.parametrize(
    "text", ["지난달 목표 미달 누구야", "지난달 목표 미달인 사람 누구야", "지난달 목표 못 채운 사람 누구예요"]
)
def test_a_missed_target_is_a_limit(text: str):
    query = request(text)
    assert query["dimensions"] == ["rep"]
    assert query["having"]


@pytest.mark.parametrize("text", ["지난달 달성률 누구야", "10월 매출 누구"])
def test_a_figure_alone_does_not_answer_who(text: str):
    assert ask(text)["doubts"]


@pytest.mark.parametrize("remark", ["너무 많던데.", "꽤 높더라고요.", "많네.", "많더라,"])
def test_a_remark_before_a_question_asks_nothing(remark: str):
    assert request(f"식대 {remark} 지난달 얼마 썼어") == request("식대 지난달 얼마 썼어")


@pytest.mark.parametrize(
    ("said", "dimension"), [("month", "month"), ("region", "region"), ("product", "product"), ("rep", "rep")]
)
@pytest.mark.parametrize(
    "frame",
    ["{}-wise sales in Q3", "Kindly share the {} wise sales for Q3", "{}-wise breakup of sales in Q3"],
)
def test_wise_is_a_split(frame: str, said: str, dimension: str):
    query = request(frame.format(said))
    assert (query["metrics"], query["dimensions"]) == (["sales_amount"], [dimension])
