"""Wordings of one meaning: lists with their amounts, exclusions, means per thing, shortfalls, growth, lengths of visits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko
from metaagent.level1.query_analyzer.grammar.first_letters import openings
from metaagent.level1.query_analyzer.grammar.meaning import Node, replace
from metaagent.level1.query_analyzer.grammar.verbs import operators
from metaagent.level1.query_analyzer.grammar.word_choice_pattern import Choice
from tests.support.composed import ask, request, talk


@pytest.mark.parametrize(
    "question", ["what did we sell in Busan in September", "how much did we sell in Busan in Q3"]
)
def test_selling_is_told_by_its_worth(question: str):
    assert request(question)["metrics"] == ["sales_amount"]


@pytest.mark.parametrize(
    "question",
    [
        "지난달 비용 가장 많이 쓴 담당자 세 명, 이름이랑 금액",
        "the three reps who spent the most last month, name and amount",
    ],
)
def test_amount_is_shown_beside_each_of_a_list(question: str):
    made = request(question)
    assert (made["dimensions"], made["metrics"]) == (["rep"], ["expense_amount"])
    assert made["top"]["n"] == 3
    assert not made.get("among")


@pytest.mark.parametrize(
    "question",
    [
        "hospitals with no meal expense in September: how many are there?",
        "hospitals without any visit in May, how many?",
    ],
)
def test_number_of_things_may_be_asked_behind_them(question: str):
    made = request(question)
    assert made["count_groups"] == "hospital"
    assert made["existence"][0]["exists"] is False


@pytest.mark.parametrize(
    "question",
    ["sales in August and September combined", "8월과 9월 합쳐서 매출"],
)
def test_periods_that_are_combined_are_one(question: str):
    made = request(question)
    assert made["period"] == {"start": "2026-08-01", "end": "2026-09-30"}
    assert not made.get("comparison")


@pytest.mark.parametrize(
    "question",
    [
        "Q3 sales everywhere but Busan",
        "Leaving Busan aside, what were Q3 sales?",
        "Q3 sales, Busan aside",
        "3분기 부산은 됐고 나머지 매출",
        "부산은 제쳐두고 3분기 매출",
    ],
)
def test_more_words_leave_a_value_out(question: str):
    assert request(question)["filters"] == [{"dimension": "region", "op": "not_in", "values": ["부산"]}]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("10월에 담당자 한 명이 평균 얼마씩 팔았어", "sales_amount__per__rep"),
        ("작년에 한 달 평균 몇 번 방문 다녔어", "visit_count__per__month"),
        ("지난달 선물비 한 건 평균 얼마", "expense_amount__per__expense_count"),
    ],
)
def test_mean_per_thing_and_month_has_more_words(question: str, name: str):
    made = request(question)
    assert [d["name"] for d in made.get("derived") or ()] == [name] or made["metrics"] == ["average_expense"]


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("3분기 목표 대비 부족한 금액이 가장 큰 팀 2개", "top"),
        ("2 teams with the largest shortfall against target in Q3", "top"),
    ],
)
def test_shortfall_is_target_less_figure(question: str, direction: str):
    made = request(question)
    one = made["derived"][0]
    assert (one["numerator"]["metric"], one["denominator"]["metric"]) == ("target_amount", "sales_amount")
    assert made["top"] == {"n": 2, "direction": direction, "by": one["name"]}


@pytest.mark.parametrize(
    ("question", "op", "value"),
    [
        ("reps who beat their target by more than 10% in Q3", ">", 1.1),
        ("teams that missed their target by at least 25% in Q3", "<=", 0.75),
    ],
)
def test_limit_may_count_from_the_target(question: str, op: str, value: float):
    assert request(question)["having"] == [{"column": "achievement", "op": op, "values": [value]}]


@pytest.mark.parametrize(
    ("question", "by"),
    [
        ("which three teams grew fastest from Q1 to Q2 in percent", "sales_amount__change"),
        ("3 regions that grew most from Q1 to Q2, in percent", "sales_amount__change"),
    ],
)
def test_growth_in_percent_ranks_by_the_rate(question: str, by: str):
    made = request(question)
    assert made["top"]["by"] == by
    assert made["period"]["start"] == "2026-04-01"


def test_down_on_a_month_compares_with_it():
    made = request("Regions whose September sales were down on September last year")
    assert made["comparison"] == "same_period_last_year"
    assert made["having"][0]["op"] == "<"


def test_same_days_of_last_year_are_the_base():
    made = request("Rank the regions by growth, this year to date against the same days of 2025")
    assert made["comparison"] == "same_period_last_year"
    assert made["order"] == [{"column": "sales_amount__change", "descending": True}]


@pytest.mark.parametrize(
    ("question", "op", "minutes"),
    [
        ("how many visits in May lasted half an hour or longer", ">=", 30),
        ("20분도 안 걸린 방문 지난달 몇 건", "<", 20),
        ("한 시간 이상 걸린 방문 10월에 몇 건", ">=", 60),
    ],
)
def test_length_of_visits_limits_rows(question: str, op: str, minutes: int):
    assert request(question)["rows"] == [{"column": "visit_minutes", "op": op, "values": [float(minutes)]}]


@pytest.mark.parametrize(
    "question", ["avg visit length by team in Q3", "average visit duration by team in Q3"]
)
def test_column_of_numbers_has_its_mean(question: str):
    made = request(question)
    assert (made["metrics"], made["dimensions"]) == (["average_visit_minutes"], ["team"])


@pytest.mark.parametrize(
    "question",
    ["올해 월별로 의원 매출 비중이 어떻게 변했어", "share of clinic sales by month this year"],
)
def test_share_is_taken_in_each_unit_of_time(question: str):
    made = request(question)
    assert made["dimensions"] == ["month"]
    assert made["derived"][0]["kind"] == "share"


def test_percent_of_spending_may_follow_it():
    made = request("Of everything we spent in Q2, what % went on meals?")
    assert made["derived"][0]["denominator"]["metric"] == "expense_amount"


def test_having_done_it_once_is_having_done_it():
    made = request("작년에 세미나를 한 번이라도 연 병원 수")
    assert made["count_groups"] == "hospital"
    assert made["existence"][0]["exists"] is True


def test_named_ratio_stands_over_its_own_figure():
    assert request("10월 매출 대비 비용률 높은 팀 2개")["top"]["by"] == "expense_ratio"


@pytest.mark.parametrize("word", ["거기서", "there"])
def test_there_is_the_place_of_the_turn_before(word: str):
    said: dict[str, Any] = {
        "거기서": ("3분기 서울 매출", "거기서 목표 못 채운 담당자 몇 명이야?"),
        "there": ("Seoul sales in Q3", "how many reps there missed their target?"),
    }
    made = talk(*said[word])["semantic_request"]
    assert made["filters"] == [{"dimension": "region", "op": "in", "values": ["서울"]}]
    assert made["count_groups"] == "rep"


def test_share_of_a_part_keeps_the_filters():
    made = talk("상반기 경기 비용", "그중 식대는?", "전체의 몇 퍼센트야?")["semantic_request"]
    assert made["filters"] == [{"dimension": "region", "op": "in", "values": ["경기"]}]
    above = made["derived"][0]["numerator"]["filters"]
    assert above == [{"dimension": "expense_category", "op": "in", "values": ["meal"]}]


@pytest.mark.parametrize("word", ["신규", "zorble"])
def test_new_wordings_still_name_unknown_words(word: str):
    reading = ask(
        f"Q3 {word} sales everywhere but Busan" if word.isascii() else f"부산은 제쳐두고 3분기 {word} 매출"
    )
    assert reading["unread"] == [word]


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        (r"(?:the )?(?:most|best)|at", "tmba"),
        (r"(?<=x)[비값]\s?것", "비값"),
        (r"(?:한|된)?\s?다", "한된다 \t\n"),
        (r"\d+위", "0123456789"),
    ],
)
def test_openings_are_the_first_letters_of_matches(pattern: str, letters: str):
    assert openings(pattern) == frozenset(letters)


@pytest.mark.parametrize("pattern", [r".*끝", r"[^a]b", r"(?:a)?", r"[a-z]x"])
def test_pattern_that_may_begin_anyhow_has_no_openings(pattern: str):
    assert openings(pattern) is None


def test_every_operator_is_found_by_a_first_letter():
    listed = {node.cat for entries in operators().values() for _, node in entries}
    assert listed == {cat for _, cat, _ in (*lexicon_ko.OPERATORS, *lexicon_en.OPERATORS)}


def test_copied_part_has_no_fields_of_its_own():
    node = Node("M", metrics=("a",))
    assert replace(node, cat="T") == Node("T", metrics=("a",))
    with pytest.raises(TypeError):
        replace(node, colour="red")


@pytest.mark.parametrize(
    "choices", ["a|ab|b", "알려|알려줘|(?:보|봐)여?|[?!]+|\\d+", "x?y|z|[\\u1100-\\u11ff]+|(?<=a)b"]
)
@pytest.mark.parametrize("behind", ["", "(?![가-힣a-c])"])
@given(text=st.text("abxyz알려줘보봐여?!12 ", max_size=8), place=st.integers(0, 8), length=st.integers(0, 8))
def test_choice_matches_as_its_whole_pattern(
    choices: str, behind: str, text: str, place: int, length: int
) -> None:
    choice, whole = Choice(choices).with_behind(behind), re.compile(f"(?:{choices}){behind}")
    for mine, other in (
        (choice.match(text, place), whole.match(text, place)),
        (choice.match(text, place, place + length), whole.match(text, place, place + length)),
        (choice.fullmatch(text, place), whole.fullmatch(text, place)),
        (choice.fullmatch(text, place, place + length), whole.fullmatch(text, place, place + length)),
    ):
        assert (mine and mine.span()) == (other and other.span())


def test_light_words_are_built_by_their_first_letter() -> None:
    assert lexicon_ko.LIGHT.match("알려주세요")
    assert lexicon_ko.LIGHT.match("매출") is None
    assert lexicon_en.LIGHT.fullmatch("please")
