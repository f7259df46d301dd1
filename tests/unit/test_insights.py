"""Sentences: every number in them is a figure of the result, and the Korean reads as Korean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from metaagent.documents.format import format_change, format_value, unit_label
from metaagent.language.particles import Language, particle, with_particle
from metaagent.level2.data_analysis import contribution, insights, over_time, statistics
from metaagent.level2.data_analysis.insights_over_time import season_name
from metaagent.level2.data_analysis.sentence import resolve

if TYPE_CHECKING:
    from metaagent.documents.table import Cell, Table
    from metaagent.level2.data_analysis.sentence import Subject

KO: Subject = {
    "metric": "매출",
    "unit": "won",
    "period": "지난달",
    "previous": "전월",
    "other": "방문 횟수",
    "source": "a1",
}
EN: Subject = {
    "metric": "sales", "unit": "won", "period": "last month", "previous": "the month before",
    "other": "visits", "source": "a1",
}  # fmt: skip


def months(values: list[Any]) -> Table:
    rows: list[list[Cell]] = [
        [f"{2022 + i // 12}-{i % 12 + 1:02d}", v, i * 1.5 % 7] for i, v in enumerate(values)
    ]
    return {
        "columns": [
            {"name": "t", "label": "월", "type": "date"},
            {"name": "v", "label": "매출", "type": "number", "unit": "won"},
            {"name": "w", "label": "방문", "type": "number", "unit": "times"},
        ],
        "rows": rows,
    }


def regions(rows: list[list[Cell]]) -> Table:
    return {
        "columns": [
            {"name": "r", "label": "지역", "type": "text"},
            {"name": "a", "label": "전", "type": "number"},
            {"name": "b", "label": "후", "type": "number"},
        ],
        "rows": rows,
    }


SALES = months([10**8 + 10**6 * i + (2 * 10**7 if i % 12 == 3 else i % 5 * 10**5) for i in range(36)])
REGIONS = regions([["서울", 10**8, 1.6 * 10**8], ["부산", 8 * 10**7, 6 * 10**7], ["대구", None, 3 * 10**6]])
GROWTH = regions([["서울", 100, 160], ["부산", 100, 140]])
SHIFT = regions([["서울", 100, 160], ["부산", 100, 40]])
RESULTS: list[Any] = [
    statistics.summary(SALES),
    statistics.distribution(SALES, "v"),
    statistics.outliers(SALES, "v", label="t"),
    statistics.outliers(months([*range(20), 10**6]), "v", label="t"),
    statistics.outliers(months([1000 + i for i in range(20)] + [-(10**6)]), "v"),
    over_time.trend(SALES, "t", "v"),
    over_time.trend(months([3, 1, 2, 3, 1, 2]), "t", "v"),
    over_time.trend(months(list(range(20, 0, -1))), "t", "v"),
    over_time.seasonality(SALES, "t", "v"),
    over_time.seasonality(months([i * i % 7 for i in range(30)]), "t", "v"),
    contribution.contribution_of_columns(REGIONS, ["r"], "a", "b"),
    contribution.contribution_of_columns(REGIONS, ["r"], "a", "b", top=1),
    contribution.contribution_of_columns(GROWTH, ["r"], "a", "b"),
    contribution.contribution_of_columns(SHIFT, ["r"], "a", "b"),
    contribution.contribution_of_columns(SHIFT, ["r"], "b", "a"),
    contribution.contribution_of_columns(regions([["서울", 0, 5]]), ["r"], "a", "b"),
    statistics.concentration(REGIONS, "r", "b"),
    statistics.concentration(regions([["서울", 1, -1], ["부산", 1, 2]]), "r", "b"),
    statistics.compare(1.6e8, 1.456e8),
    statistics.compare(1e8, 2e8),
    statistics.compare(5, 5),
    statistics.compare(5, 0),
    statistics.achievement(9.5e7, 1e8),
    statistics.achievement(1e8, 1e8),
    statistics.achievement(1.2e8, 1e8),
    statistics.correlation(SALES, "v", "w"),
    over_time.trend(months([1, 2, 3]), "t", "v"),
    over_time.seasonality(months([1, 2, 3]), "t", "v"),
    statistics.correlation(months([7] * 8), "v", "w"),
]


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result["kind"])
def test_every_number_in_a_sentence_is_in_the_result(result: Any, language: Language):
    found = insights.describe(result, KO if language == "ko" else EN, language)
    assert found
    for insight in found:
        assert insight["figures"]
        assert 0 <= insight["importance"] <= 1
        rest = insight["text"]
        for figure in sorted(insight["figures"], key=lambda figure: -len(figure["text"])):
            assert figure["value"] == resolve(result, figure["ref"])
            assert figure["ref"].startswith("a1#/")
            assert figure["text"] in rest or figure["text"] in insight["text"]
            rest = rest.replace(figure["text"], "")
        # What is left of digits are names: periods (2022-04) and seasons (4월).
        rest = re.sub(r"\d{4}-\d{2}|\d{4}년|\d+월|[A-Z][a-z]+ \d{4}", "", rest)
        assert not re.search(r"\d", rest), insight["text"]
        assert language == "en" or re.search("[가-힣]", insight["text"])


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result["kind"])
def test_the_most_important_comes_first(result: Any):
    found = [insight["importance"] for insight in insights.describe(result, KO)]
    assert found == sorted(found, reverse=True)


def say(result: Any, subject: Subject, language: Language) -> list[str]:
    return [insight["text"] for insight in insights.describe(result, subject, language)]


def test_a_comparison_reads_like_this():
    result = statistics.compare(1.6e8, 1.456e8)
    assert say(result, KO, "ko") == [
        "지난달 매출은 1.6억 원으로 전월(1.46억 원)보다 1,440만 원(9.9%) 늘었습니다."
    ]
    assert say(result, EN, "en") == [
        "Sales for last month came to ₩160M, up ₩14.4M (9.9%) from the month before (₩146M)."
    ]


def test_percentages_differ_by_percentage_points():
    result = statistics.compare(12.5, 10.1)
    assert say(result, {**KO, "metric": "달성률", "unit": "percent"}, "ko") == [
        "지난달 달성률은 12.5%로 전월(10.1%)보다 2.4%p 늘었습니다."
    ]
    assert "up 2.4 pp from" in say(result, {**EN, "unit": "percent"}, "en")[0]
    ratio = statistics.compare(0.125, 0.101)
    assert "2.4%p 늘었습니다" in say(ratio, {**KO, "unit": "ratio"}, "ko")[0]


def test_contributors_are_named_with_their_part():
    texts = say(contribution.contribution_of_columns(GROWTH, ["r"], "a", "b"), KO, "ko")
    assert texts[0] == "지난달 매출은 300원으로 전월(200원)보다 100원(50.0%) 늘었습니다."
    assert texts[1] == "서울이 60원 늘어 전체 증가분의 60.0%를 차지합니다."
    both_ways = say(contribution.contribution_of_columns(REGIONS, ["r"], "a", "b"), KO, "ko")
    assert "서울이 6,000만 원 늘어 늘어난 몫의 95.2%를 차지합니다." in both_ways
    assert "부산이 2,000만 원 줄어 줄어든 몫의 100.0%를 차지합니다." in both_ways
    assert (
        "늘어난 쪽 합계 6,300만 원에서 줄어든 쪽 합계 2,000만 원을 빼면 4,300만 원 순증가입니다." in both_ways
    )


def test_too_few_data_say_how_many_are_needed():
    result = over_time.trend(months([1, 2, 3]), "t", "v")
    assert say(result, KO, "ko") == [
        "매출의 추세를 말하기에는 데이터가 모자랍니다: 기간 5개가 필요한데 3개뿐입니다."
    ]
    assert say(result, EN, "en") == ["Too few data for a trend of sales: 5 periods needed, 3 found."]


def test_correlation_says_that_it_is_no_cause():
    result = statistics.correlation(SALES, "v", "w")
    assert "원인을 뜻하지 않습니다" in say(result, KO, "ko")[0]
    assert "not causation" in say(result, EN, "en")[0]


@pytest.mark.parametrize(
    ("value", "unit", "ko", "en"),
    [
        (12_340_000, "won", "1,234만 원", "₩12.3M"),
        (1_230_000_000, "won", "12.3억 원", "₩1.23B"),
        (99_999_999, "won", "1억 원", "₩100M"),
        (99_990_000, "won", "9,999만 원", "₩100M"),
        (999_960_000_000, "won", "1조 원", "₩1T"),
        (999_999, "won", "100만 원", "₩999,999"),
        (35_000, "won", "3.5만 원", "₩35,000"),
        (8_500, "원", "8,500원", "₩8,500"),
        (-1_234_567, "KRW", "-123만 원", "-₩1.23M"),
        (0, "won", "0원", "₩0"),
        (12.345, "percent", "12.3%", "12.3%"),
        (0.5, "ratio", "50.0%", "50.0%"),
        (-2.4, "pp", "-2.4%p", "-2.4 pp"),
        (0.04, "percent", "0.04%", "0.04%"),
        (0.001, "percent", "0.01% 미만", "<0.01%"),
        (12_345, "count", "12,345건", "12,345"),
        (1, "people", "1명", "1 person"),
        (3, "명", "3명", "3 people"),
        (2.5, "mg", "2.5 mg", "2.5 mg"),
        (0.0004, "", "0.0004", "0.0004"),
        (None, "won", "–", "–"),
        (float("nan"), "won", "–", "–"),
    ],
)
def test_numbers_are_written_as_people_write_them(value: float | None, unit: str, ko: str, en: str):
    assert format_value(value, unit, "ko") == ko
    assert format_value(value, unit, "en") == en


def test_changes_carry_their_sign():
    assert format_change(1_230_000_000, "won") == "+12.3억 원"
    assert format_change(-3, "count") == "-3건"
    assert format_change(0, "pp") == "0%p"
    assert (unit_label("won", "ko"), unit_label("won", "en"), unit_label("pp", "en")) == ("원", "KRW", "pp")


@settings(deadline=None)
@given(some.floats(-1e15, 1e15))
def test_short_won_amounts_are_exact_to_their_last_digit(value: float):
    text = format_value(value, "won", "ko").replace(",", "").replace(" ", "").removesuffix("원")
    scale = {"조": 1e12, "억": 1e8, "만": 1e4}.get(text[-1], 1)
    shown = float(text.rstrip("조억만")) * scale
    assert abs(shown - value) <= max(0.0051 * abs(value), 0.01)
    assert text.rstrip("조억만") not in ("10000", "-10000") or scale == 1e12


@pytest.mark.parametrize(
    ("word", "topic", "way"),
    [
        ("서울", "은", "로"), ("부산", "은", "으로"), ("대구", "는", "로"),
        ("10", "은", "으로"), ("2", "는", "로"), ("1", "은", "로"),
        ("7", "은", "로"), ("1,000", "은", "으로"),
        ("1000000000000", "는", "로"),
        ("0", "은", "으로"), ("3.14", "는", "로"), ("2024", "는", "로"),
        ("12.3억 원", "은", "으로"), ("12.3%", "는", "로"), ("2.4%p", "는", "로"),
        ("5kg", "은", "으로"),
        ("LG", "는", "로"), ("SQL", "은", "로"), ("KPI", "는", "로"),
        ("ARM", "은", "으로"), ("HR", "은", "로"),
        ("Apple", "은", "로"), ("Chrome", "은", "으로"), ("tablet", "은", "으로"), ("server", "는", "로"),
        ("Point", "는", "로"), ("서울(강남)", "은", "로"), ("'매출'", "은", "로"),
    ],
)  # fmt: skip
def test_particles_follow_the_sound(word: str, topic: str, way: str):
    assert particle(word, "은/는") == topic
    assert particle(word, "으로/로") == way


def test_unreadable_sign_gets_both_particles():
    assert with_particle("★", "이/가") == "★이(가)"
    assert with_particle("", "을/를") == "을(를)"


@pytest.mark.parametrize(
    ("grain", "cycle", "season", "ko", "en"),
    [
        ("month", 12, 4, "4월", "April"),
        ("quarter", 4, 2, "2분기", "Q2"),
        ("day", 7, 1, "월요일", "Monday"),
        ("week", 52, 9, "주기의 9번째 기간", "period 9 of the cycle"),
    ],
)
def test_seasons_have_names(grain: str, cycle: int, season: int, ko: str, en: str):
    assert season_name(grain, cycle, season, "ko") == ko
    assert season_name(grain, cycle, season, "en") == en
