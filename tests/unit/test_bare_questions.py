"""Who, where and when behind a figure, who belongs to a team, and what was bought."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.words.language import spoken
from tests.support.composed import OCTOBER, after, ask, request, talk


@pytest.mark.parametrize(
    ("turns", "group"),
    [
        (("10월 서울 방문 몇 건?", "누가 갔어?"), "rep"),
        (("October gift expenses", "who?"), "rep"),
        (("10월 세미나 몇 번 했어?", "어디서 했어?"), "hospital"),
        (("how many seminars did we hold in October?", "where?"), "hospital"),
        (("how many seminars did we hold in October?", "and when were they held?"), "day"),
    ],
)
def test_a_bare_question_splits_the_figure_before(turns: tuple[str, ...], group: str):
    read = talk(*turns)
    assert not read["clarification_needed"]
    assert not read["unread"]
    made = read["semantic_request"]
    assert (made["dimensions"], made["period"]) == ([group], OCTOBER)


@pytest.mark.parametrize("question", ["그 팀은 누구누구 있어?", "who is in that team?"])
def test_the_people_of_a_team_are_listed(question: str):
    before = after("10월 매출이 가장 많은 팀은?", "team", [("서울 병원팀", "서울 병원팀")])
    made = ask(question, previous=before)["semantic_request"]
    assert (made["metrics"], made["dimensions"]) == ([], ["rep"])
    assert made["filters"] == [{"dimension": "team", "op": "in", "values": ["서울 병원팀"]}]


@pytest.mark.parametrize(
    "question",
    [
        "What did 안동예담병원 buy in October?",
        "안동예담병원이 10월에 뭘 샀어?",
        "10월에 안동예담병원에 뭐 팔렸어?",
    ],
)
def test_what_was_bought_is_each_thing(question: str):
    made = request(question)
    assert (made["metrics"], made["dimensions"]) == (["sales_amount"], ["product"])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did 강남다온종합병원 buy last month?", "en"),
        ("How many visits did 김서진 make?", "en"),
        ("매출 for the last month in 서울 알려줘", "ko"),
        ("다음 문구 검토해줘: We are the best in the world", "ko"),
    ],
)
def test_english_round_korean_names_is_english(text: str, language: str):
    assert spoken(text) == language


def test_things_that_were_counted_are_shown_by_name():
    made = talk("10월에 방문이 없는 병원은 몇 곳이야?", "그중에 서울만 보여줘")["semantic_request"]
    assert (made["dimensions"], made.get("count_groups")) == (["hospital"], None)


@pytest.mark.parametrize("second", ["only tier A, by hospital type", "A등급만, 종별로"])
def test_a_split_stands_behind_a_limit(second: str):
    made = talk("sales by tier in 2025", second)["semantic_request"]
    assert (made["dimensions"], made["filters"][0]["values"]) == (["hospital_type"], ["A"])


def test_a_kind_of_rows_stays_a_limit_in_another_month():
    category = after(
        "which expense category was the biggest in October?", "expense_category", [("meal", "meal")]
    )
    spent = ask("who spent the most on that?", previous=category)
    made = ask("and in September?", previous=spent)["semantic_request"]
    assert [f["values"] for f in made["filters"]] == [["meal"]]


def test_the_rest_is_of_what_the_talk_went_through():
    made = talk("서울 병원 몇 개 있어?", "그중에 A등급은?", "B는?", "나머지는?")["semantic_request"]
    limits = {f["dimension"]: (f["op"], f["values"]) for f in made["filters"]}
    assert limits == {"region": ("in", ["서울"]), "tier": ("not_in", ["A", "B"])}


def test_the_sum_of_those_keeps_the_other_limits():
    first = ask("sales of 카르비온정 by region in October")
    best = after("only the top 2", "region", [("서울", "서울"), ("대구", "대구")], first)
    made = ask("sum of those two regions?", previous=best)["semantic_request"]
    assert (made["metrics"], {f["dimension"] for f in made["filters"]}) == (
        ["sales_amount"],
        {"product", "region"},
    )


def test_the_worst_month_is_looked_for_in_the_months_before():
    best = after(
        "which month was best this year?", "month", [("2026-10", "2026-10")], ask("monthly sales this year")
    )
    within = ask("sales in that month in Seoul?", previous=best)
    assert within["semantic_request"]["period"] == OCTOBER
    made = ask("and the worst month?", previous={**within, "earlier": [best]})["semantic_request"]
    assert (made["period"]["start"], made["top"]["direction"]) == ("2026-01-01", "bottom")


def test_the_team_of_the_best_one_is_meant_as_a_whole():
    best = ask("3분기 방문 1등은 어느 팀이에요?", previous=ask("3분기 영업사원별 방문"))
    shown = [
        {"dimension": kind, "by_key": False, "keys": [name], "labels": [name], "whole": True}
        for kind, name in (("rep", "서효린"), ("team", "경기 병원팀"))
    ]
    made = ask("그 팀 3분기 목표 달성률은?", previous={**best, "shown": shown})["semantic_request"]
    assert (made["metrics"], made["dimensions"]) == (["achievement"], [])


def test_which_one_there_is_the_best_after_the_best():
    best = after("Which region had the most sales in October?", "region", [("서울", "서울")])
    made = ask("And which hospital there?", previous=best)["semantic_request"]
    assert (made["dimensions"], made["top"]["n"]) == (["hospital"], 1)


def test_how_often_counts_what_each_of_them_did():
    best = after("which hospital had the highest sales in October?", "hospital", [("6", "안동예담병원")])
    made = ask("Who visited it, and how often?", previous=best)["semantic_request"]
    assert (made["metrics"], made["dimensions"], made.get("existence")) == (["visit_count"], ["rep"], None)


def test_titles_ask_for_each_event_and_their_number_for_none():
    made = ask("9월에 완료된 세미나 제목하고 참석자 수 쭉 보여줘")
    assert made["semantic_request"]["dimensions"] == ["seminar"]
    listed = after("9월에 완료된 세미나 제목하고 참석자 수 쭉 보여줘", "seminar", [("1", "가"), ("2", "나")])
    assert ask("전부 몇 건이지?", previous=listed)["semantic_request"]["dimensions"] == []


def test_that_quarter_keeps_the_rows_that_were_spoken_of():
    made = talk("How many seminars were completed in Q2?", "Average attendance in that quarter?")
    assert [f["values"] for f in made["semantic_request"]["filters"]] == [["completed"]]


def test_what_was_bought_in_won_is_one_amount():
    made = request("What did 안동예담병원 buy from us in October, in won?")
    assert (made["metrics"], made.get("dimensions")) == (["sales_amount"], None)
