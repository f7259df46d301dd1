"""Words written together or in other words: what they mean is what the spaced, plain question means."""

from __future__ import annotations

from datetime import date

import pytest

from metaagent.data.semantic.compiling.periods import compared_periods
from metaagent.data.semantic.query import SemanticQuery
from tests.support.composed import ask, request, talk


@pytest.mark.parametrize(
    ("squeezed", "spaced"),
    [
        ("지난달서울매출", "지난달 서울 매출"),
        ("이번분기팀별매출보여줘", "이번 분기 팀별 매출 보여줘"),
        ("부산빼고지난달매출얼마야", "부산 빼고 지난달 매출 얼마야"),
        ("올해 2분기매출이전분기보다얼마나늘었어?", "올해 2분기 매출이 전분기보다 얼마나 늘었어?"),
        ("2분기요일별방문건수", "2분기 요일별 방문 건수"),
        ("지난달매출목표에못미친담당자는누구야?", "지난달 매출 목표에 못 미친 담당자는 누구야?"),
    ],
)
def test_words_written_together_mean_the_same(squeezed: str, spaced: str):
    assert request(squeezed) == request(spaced)


def test_an_unknown_name_is_not_cut_into_words():
    reading = ask("지난달 미주로주 매출 알려줘")
    assert "미주로주" in " ".join(reading["doubts"])


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("지난달 방문에 쓴 시간", "지난달 총 방문 시간"),
        ("money earned in Seoul last month", "revenue in Seoul last month"),
        ("visits during May", "visits in May 2026"),
        ("2025년 치 매출", "2025년 매출"),
        ("작년 한 해 매출", "작년 매출"),
    ],
)
def test_a_figure_or_period_in_other_words(said: str, plain: str):
    assert request(said) == request(plain)


def test_either_of_two_kinds_is_never_both():
    reading = ask("서울 또는 A등급 병원 지난달 매출")
    assert "또는" in " ".join(reading["doubts"])


def test_how_many_times_has_the_named_one_above():
    (figure,) = request("how many times Busan's revenue was Seoul's last month?")["derived"]
    assert [figure[side]["filters"][0]["values"] for side in ("numerator", "denominator")] == [
        ["서울"],
        ["부산"],
    ]


def test_month_over_month_steps_through_a_year():
    found = request("month over month revenue growth for 2026")
    assert (found["dimensions"], found["comparison"]) == (["month"], "previous")


def test_average_per_thing_divides_the_sum_by_things():
    (figure,) = request("average sales per rep last month")["derived"]
    assert (figure["numerator"]["metric"], figure["denominator"]["metric"]) == ("sales_amount", "count:rep")


def test_a_kind_of_hospital_is_counted_as_hospitals():
    assert request("지난 분기 방문한 종합병원 수")["count_groups"] == "hospital"


@pytest.mark.parametrize(
    ("turns", "nth"),
    [
        (("상반기 매출 상위 3개 팀은?", "두 번째 팀의 방문 건수는?"), {"nth": 2}),
        (("top 5 products by revenue this year", "the first one's units?"), {"n": 1}),
    ],
)
def test_a_place_means_that_one_of_the_list(turns: tuple[str, ...], nth: dict[str, int]):
    top = talk(*turns)["semantic_request"]["among"]["top"]
    assert nth.items() <= top.items()


def test_a_new_ranking_is_not_of_the_one_spoken_of():
    found = talk(
        "지난달 매출 제일 많은 영업사원 누구야?", "그 사람 방문은 몇 번 했는데?", "반대로 제일 적은 사람은?"
    )
    assert not found["semantic_request"].get("among")


def test_what_was_left_out_stays_out():
    found = talk("지난달 서울 빼고 매출 얼마야", "경기도 빼고")["semantic_request"]
    assert found["filters"] == [{"dimension": "region", "op": "not_in", "values": ["서울", "경기"]}]


def test_until_a_day_ends_the_period_spoken_of():
    found = talk("매출 알려줘", "이번 달만", "어제까지")["semantic_request"]
    assert found["period"] == {"start": "2026-11-01", "end": "2026-11-15"}


def test_a_share_in_the_whole_keeps_the_period_before():
    found = talk("지난 분기 항생제 매출", "전체 매출에서 몇 퍼센트야?")["semantic_request"]
    assert (found["derived"][0]["kind"], found["period"]["start"]) == ("share", "2026-07-01")


def test_two_periods_are_added_up():
    found = talk("7월 매출이랑 8월 매출 각각 얼마야", "둘 합치면?")["semantic_request"]
    assert (found["period"], found.get("comparison")) == ({"start": "2026-07-01", "end": "2026-08-31"}, None)


def test_a_counter_counts_the_listed_things():
    found = talk("올해 지역별 참석자 수", "상위 3곳만요")["semantic_request"]
    assert (found["dimensions"], found["top"]["n"]) == (["region"], 3)


def test_a_condition_of_the_form_does_not_break_the_next_turn():
    before = {
        "parsed_intents": [{"intent": "lookup"}],
        "semantic_request": {
            "metrics": ["sales_amount"],
            "filters": [{"metric": "sales_amount", "op": ">", "values": [3e8]}],
            "dimensions": ["hospital"],
            "period": {"start": "2026-01-01", "end": "2026-12-31"},
        },
    }
    found = ask("서울만", previous=before)["semantic_request"]
    assert [item["column"] for item in found["having"]] == ["sales_amount"]


def test_a_quiet_sunday_does_not_shorten_a_running_month():
    query = SemanticQuery.model_validate(
        {
            "metrics": ["visit_count"],
            "period": {"start": "2026-11-01", "end": "2026-11-15", "grain": "month"},
            "comparison": "previous",
        }
    )
    known = {"visit_count": (date(2024, 11, 1), date(2026, 11, 14))}
    assert [str(p.end) for p in compared_periods(query, known) if p] == ["2026-11-15", "2026-10-15"]
    stale = {"visit_count": (date(2024, 11, 1), date(2026, 11, 3))}
    assert [str(p.end) for p in compared_periods(query, stale) if p] == ["2026-11-03", "2026-10-03"]
