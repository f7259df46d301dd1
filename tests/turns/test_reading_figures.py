"""What the words of a question ask of the figures: changes, missed targets, who, the longest, windows and units."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from metaagent.ports import Json
from metaagent.sessions.domain import OpenDomain
from tests.support.data_world import company, dataset, reading, rows, settings


async def request(folder: Path, question: str, language: str = "ko") -> Json:
    return (await reading(OpenDomain(settings(folder)), question, language))["semantic_request"]


@pytest.mark.parametrize(
    ("question", "top"),
    [
        ("지난달 매출이 가장 많이 늘어난 병원 5곳", {"n": 5, "direction": "top", "by": "sales_amount__difference"}),
        ("지난달 매출이 가장 많이 감소한 지역", {"n": 1, "direction": "bottom", "by": "sales_amount__difference"}),
        ("지난달 매출 성장률이 가장 높은 제품", {"n": 1, "direction": "top", "by": "sales_amount__change"}),
        ("Which products grew the most vs last month?", {"n": 5, "direction": "top", "by": "sales_amount__difference"}),
        ("지난달 식대 제일 많이 쓴 사람 top3", {"n": 3, "direction": "top", "by": "meal_amount"}),
    ],
)  # fmt: skip
async def test_ranking_follows_the_words(made: Path, question: str, top: Json):
    language = "ko" if question > "가" or "지난" in question else "en"
    assert (await request(made, question, language))["top"] == top


async def test_the_most_grown_are_those_of_hand_written_sql(made: Path):
    async with company(made) as app:
        answer = await app.ask("지난달 매출이 가장 많이 늘어난 지역 3곳")
        found = await dataset(app, answer)
    expected = rows(
        made / "pharma.db",
        """SELECT h.region_name, sum(CASE WHEN s.sale_date >= '2026-10-01' THEN s.sales_amount ELSE -s.sales_amount END)
        FROM sales s JOIN hospitals h ON h.hospital_id = s.hospital_id
        WHERE s.company_id = :tenant AND s.sale_date BETWEEN '2026-09-01' AND '2026-10-31'
        GROUP BY 1 ORDER BY 2 DESC LIMIT 3""",
    )
    names = [column["name"] for column in found["columns"]]
    at = names.index("sales_amount__difference")
    assert [(row[0], row[at]) for row in found["rows"]] == expected
    assert answer.text.splitlines()[0].startswith(f"2026년 10월 지역별 매출액 증감: {expected[0][0]}")


async def test_declines_are_listed_worst_first_without_a_total(made: Path):
    async with company(made) as app:
        answer = await app.ask("지난달 매출 감소한 병원 알려줘")
        found = await dataset(app, answer)
    at = [column["name"] for column in found["columns"]].index("sales_amount__difference")
    changes = [row[at] for row in found["rows"]]
    assert changes == sorted(changes)
    assert changes[-1] < 0
    assert "전체 감소분" not in answer.text


async def test_a_percentage_in_a_condition_is_a_fraction_of_the_figure(made: Path):
    asked = await request(made, "지난달 달성률 90% 이상인 팀")
    assert asked["having"] == [{"column": "achievement", "op": ">=", "values": [0.9]}]
    missed = await request(made, "지난달 목표 달성 못한 팀 있어?")
    assert missed["having"] == [{"column": "achievement", "op": "<", "values": [1.0]}]
    assert (await request(made, "Did we hit the target in Q3?", "en"))["metrics"] == ["achievement"]


async def test_the_last_months_by_month_begin_with_a_whole_month(made: Path):
    asked = await request(made, "최근 6개월 월별 매출")
    assert asked["period"] == {"start": "2026-06-01", "end": "2026-11-16"}
    # Today is a Monday: this week has no day behind it yet.
    weeks = await request(made, "Weekly visits for the last 8 weeks", "en")
    assert weeks["period"]["start"] == "2026-09-21"
    assert (await request(made, "최근 6개월 매출"))["period"]["start"] == "2026-05-17"


async def test_the_length_of_an_average_is_no_period(made: Path):
    asked = await request(made, "3개월 이동평균으로 올해 월별 매출 보여줘")
    assert asked["moving_average"] == 3
    assert asked["period"]["start"] == "2026-01-01"


async def test_trend_without_a_time_unit_gets_a_readable_one(made: Path):
    for question, grain in (
        ("올해 항생제 매출 추이", "month"),
        ("지난달 매출 추이", "day"),
        ("지난 분기 매출 추이", "week"),
    ):
        assert (await request(made, question))["dimensions"] == [grain]


async def test_the_best_month_is_a_month(made: Path):
    asked = await request(made, "What was our best month this year?", "en")
    assert (asked["dimensions"], asked["top"]["n"]) == (["month"], 1)


async def test_a_small_a_is_no_tier(made: Path):
    asked = await request(made, "Total expenses by category this year as a bar chart", "en")
    assert asked["filters"] == []
    assert (await request(made, "Sales of tier A hospitals last month", "en"))["filters"]


async def test_a_condition_that_fits_no_figure_is_said(made: Path):
    read = await reading(OpenDomain(settings(made)), "지난달 30박 이상 매출", "ko")
    assert any("30박" in said for said in read["assumptions"])


async def test_words_that_were_understood_are_not_called_unused(made: Path):
    for question in (
        "저번달 매출 얼마 나왔어?",
        "avg sales per hospital last month by region",
        "Monthly running total of sales this year",
    ):
        read = await reading(OpenDomain(settings(made)), question, "ko" if "매출" in question else "en")
        assert not any("반영하지" in said or "not used" in said for said in read["assumptions"]), question


async def test_two_compared_places_are_not_called_the_top_two(made: Path):
    async with company(made) as app:
        answer = await app.ask("부산이랑 대구 중에 지난달 매출 어디가 더 높아?")
        share = await app.ask("지난달 지역별 매출 비중")
        public = await app.ask("Sales to public hospitals last quarter")
    assert "100.0%" not in answer.text
    assert "%)" in share.text.splitlines()[0]
    assert public.text.startswith("Sales for public in Q3 2026")


def one_name(folder: Path, sql: str) -> str:
    with closing(sqlite3.connect(folder / "pharma.db")) as connection:
        return str(connection.execute(sql).fetchone()[0])


async def test_a_doctor_is_never_read_as_a_rep(made: Path):
    reps = "SELECT name FROM sales_reps"
    doctor = one_name(made, f"SELECT min(doctor_name) FROM visits WHERE doctor_name NOT IN ({reps})")
    for question in (f"{doctor} 교수 방문 몇 번?", f"visits to doctor {doctor}", f"{doctor} 방문 횟수"):
        assert (await request(made, question))["filters"] == [
            {"dimension": "doctor", "op": "in", "values": [doctor]}
        ], question


async def test_a_title_tells_namesakes_apart(made: Path):
    both = (
        "SELECT name FROM sales_reps WHERE company_id = 'hanbit' AND name IN (SELECT doctor_name FROM visits)"
    )
    name = one_name(made, both)
    for question, dimension in ((f"{name} 교수 방문 수", "doctor"), (f"{name} 영업사원 방문 수", "rep")):
        assert [one["dimension"] for one in (await request(made, question))["filters"]] == [dimension], (
            question
        )


async def test_names_to_choose_from_say_what_they_are(made: Path):
    asked = (await reading(OpenDomain(settings(made)), "김민준 교수 방문 수", "ko"))["ambiguities"][0]
    options: list[str] = asked["options"]
    assert len({*options}) == len(options)
    assert {"영업사원", "의사"} <= {
        word for option in options for word in option.strip(")").split(" (")[1].split(", ")
    }


async def test_question_about_nothing_here_says_which_words(made: Path):
    asked = (await reading(OpenDomain(settings(made)), "tell me a joke", "en"))["ambiguities"][0]
    assert asked["question"].startswith("I have nothing here about: joke.")
