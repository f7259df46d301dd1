from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.language import periods
from metaagent.language.calendar import Range
from tests.support.understanding import ask, found

TODAY = date(2025, 1, 10)

SINGLE = """
오늘 = 2025-01-10/2025-01-10
어제 = 2025-01-09/2025-01-09
그저께 = 2025-01-08/2025-01-08
이번 주 = 2025-01-06/2025-01-12
지난주 = 2024-12-30/2025-01-05
금주 = 2025-01-06/2025-01-12
지지난주 = 2024-12-23/2024-12-29
the week before last = 2024-12-23/2024-12-29
the month before last = 2024-11-01/2024-11-30
the quarter before last = 2024-07-01/2024-09-30
last month but one = 2024-11-01/2024-11-30
지난달 = 2024-12-01/2024-12-31
저번 달 = 2024-12-01/2024-12-31
전월 = 2024-12-01/2024-12-31
이번 달 = 2025-01-01/2025-01-31
당월 = 2025-01-01/2025-01-31
금월 = 2025-01-01/2025-01-31
이달 = 2025-01-01/2025-01-31
익월 = 2025-02-01/2025-02-28
최근 3개월 = 2024-10-11/2025-01-10
최근 두 달 = 2024-11-11/2025-01-10
3개월간 = 2024-10-11/2025-01-10
지난 2주 = 2024-12-28/2025-01-10
지난 한 달 = 2024-12-11/2025-01-10
최근 일주일 = 2025-01-04/2025-01-10
반년간 = 2024-07-11/2025-01-10
지난 분기 = 2024-10-01/2024-12-31
전분기 = 2024-10-01/2024-12-31
3분기 = 2024-07-01/2024-09-30
1/4분기 = 2025-01-01/2025-03-31
삼사분기 = 2024-07-01/2024-09-30
상반기 = 2025-01-01/2025-06-30
하반기 = 2024-07-01/2024-12-31
올 상반기 = 2025-01-01/2025-06-30
작년 = 2024-01-01/2024-12-31
전년 = 2024-01-01/2024-12-31
재작년 = 2023-01-01/2023-12-31
올해 = 2025-01-01/2025-12-31
2024년 3월 = 2024-03-01/2024-03-31
24.3월 = 2024-03-01/2024-03-31
2024-03 = 2024-03-01/2024-03-31
2024.03.05 = 2024-03-05/2024-03-05
'24.3.5 = 2024-03-05/2024-03-05
20240305 = 2024-03-05/2024-03-05
3월 5일 = 2024-03-05/2024-03-05
'23년 4분기 = 2023-10-01/2023-12-31
작년 3월 = 2024-03-01/2024-03-31
지난 3월 = 2024-03-01/2024-03-31
12월 첫째 주 = 2024-12-02/2024-12-08
12월 2주차 = 2024-12-09/2024-12-15
지난달 말 = 2024-12-21/2024-12-31
다음 달 15일 = 2025-02-15/2025-02-15
지난주 금요일 = 2025-01-03/2025-01-03
3개월 전 = 2024-10-01/2024-10-31
2주 전 = 2024-12-23/2024-12-29
올해 들어 = 2025-01-01/2025-01-10
연초부터 지금까지 = 2025-01-01/2025-01-10
1월부터 3월까지 = 2024-01-01/2024-03-31
5월~7월 = 2024-05-01/2024-07-31
3~5월 = 2024-03-01/2024-05-31
11월~1월 = 2024-11-01/2025-01-31
3월 5일~10일 = 2024-03-05/2024-03-10
2023~2024년 = 2023-01-01/2024-12-31
작년 12월부터 올해 1월까지 = 2024-12-01/2025-01-31
3월부터 = 2024-03-01/2025-01-10
2024.1.1~2024.3.31 = 2024-01-01/2024-03-31
last month = 2024-12-01/2024-12-31
this quarter = 2025-01-01/2025-03-31
previous quarter = 2024-10-01/2024-12-31
q3 = 2024-07-01/2024-09-30
q3 2024 = 2024-07-01/2024-09-30
q3 last year = 2024-07-01/2024-09-30
1q24 = 2024-01-01/2024-03-31
h1 2024 = 2024-01-01/2024-06-30
first half of 2024 = 2024-01-01/2024-06-30
third quarter of 2024 = 2024-07-01/2024-09-30
past 90 days = 2024-10-13/2025-01-10
last 6 weeks = 2024-11-30/2025-01-10
the last two months = 2024-11-11/2025-01-10
past year = 2024-01-11/2025-01-10
year to date = 2025-01-01/2025-01-10
ytd = 2025-01-01/2025-01-10
mtd = 2025-01-01/2025-01-10
march 2024 = 2024-03-01/2024-03-31
in may = 2024-05-01/2024-05-31
march 5th, 2024 = 2024-03-05/2024-03-05
5 march 2024 = 2024-03-05/2024-03-05
3/5/2024 = 2024-03-05/2024-03-05
between jan and mar = 2024-01-01/2024-03-31
from january to march 2024 = 2024-01-01/2024-03-31
from 2024-01-01 to 2024-03-31 = 2024-01-01/2024-03-31
since october = 2024-10-01/2025-01-10
two weeks ago = 2024-12-23/2024-12-29
last friday = 2025-01-03/2025-01-03
fy2024 = 2024-01-01/2024-12-31
지난 여름 = 2024-06-01/2024-08-31
last summer = 2024-06-01/2024-08-31
작년 겨울 = 2024-12-01/2025-02-28
12월 한달간 = 2024-12-01/2024-12-31
from 2 to 6 november = 2024-11-02/2024-11-06
2-6 november 2023 = 2023-11-02/2023-11-06
between 2 and 6 november = 2024-11-02/2024-11-06
nov 2nd to 6th = 2024-11-02/2024-11-06
"""


def _ranges(text: str, base: Range | None = None) -> list[str]:
    return [period.range.iso for period in periods.find(text, TODAY, base=base) if period.range]


@pytest.mark.parametrize(("text", "expected"), [line.split(" = ") for line in SINGLE.strip().splitlines()])
def test_a_period_is_an_inclusive_range_from_the_askers_day(text: str, expected: str) -> None:
    assert _ranges(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("지난달 매출 전년 동기 대비", ["2024-12-01/2024-12-31", "2023-12-01/2023-12-31"]),
        ("작년 동기 대비", ["2024-01-01/2024-01-10"]),
        ("전월 대비 당월", ["2024-12-01/2024-12-31", "2025-01-01/2025-01-31"]),
        ("작년 대비 올해 1분기", ["2024-01-01/2024-03-31", "2025-01-01/2025-03-31"]),
        ("q1 vs q2", ["2024-01-01/2024-03-31", "2024-04-01/2024-06-30"]),
        ("2024년 3월과 4월", ["2024-03-01/2024-03-31", "2024-04-01/2024-04-30"]),
        ("q1 vs q2 2023", ["2023-01-01/2023-03-31", "2023-04-01/2023-06-30"]),
        ("last month vs the same period last year", ["2024-12-01/2024-12-31", "2023-12-01/2023-12-31"]),
    ],
)
def test_periods_that_are_compared_lean_on_each_other(text: str, expected: list[str]) -> None:
    assert _ranges(text) == expected


@pytest.mark.parametrize(
    "text", ["i may ask", "2박 3일", "매출 2024원", "주요 제품", "전주시 병원", "월급", "₩2024"]
)
def test_look_alikes_of_a_period_are_not_periods(text: str) -> None:
    assert _ranges(text) == []


def test_lone_comparison_moves_the_previous_turns_period() -> None:
    base = Range(date(2024, 12, 1), date(2024, 12, 31))
    assert _ranges("그럼 전년 대비로", base) == ["2023-12-01/2023-12-31"]


def test_a_date_that_the_calendar_lacks_is_asked_about() -> None:
    reading = ask("2024년 2월 30일 매출")
    assert reading["ambiguities"][0]["field"] == "period"
    assert "2월 30일" in reading["ambiguities"][0]["reason"]


def test_the_askers_time_zone_decides_what_today_is() -> None:
    late = datetime(2025, 1, 9, 20, 0, tzinfo=UTC)
    assert found(ask("오늘 매출", now=late, timezone="Asia/Seoul"), "period") == ["2025-01-10/2025-01-10"]
    assert found(ask("오늘 매출", now=late, timezone="America/New_York"), "period") == [
        "2025-01-09/2025-01-09"
    ]


def test_a_plan_for_the_future_takes_the_next_date() -> None:
    assert found(ask("2월 20일 세미나 신청서 써줘"), "period") == ["2025-02-20/2025-02-20"]


_PIECES = st.sampled_from([line.split(" = ")[0] for line in SINGLE.strip().splitlines()])
_DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2200, 12, 31))


@given(st.lists(_PIECES, max_size=4), st.sampled_from([" ", " 대비 ", "부터 ", "~", " vs ", " and "]), _DAYS)
def test_every_range_is_in_order_on_any_day(pieces: list[str], joint: str, today: date) -> None:
    text = joint.join(pieces)
    for period in periods.find(text, today, recent_days=30, earliest=today - timedelta(days=400)):
        assert 0 <= period.start < period.end <= len(text)
        assert period.range is None or period.range.first <= period.range.last
