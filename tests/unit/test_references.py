"""References: the things of earlier turns that words such as the second one, 거기, those, the rest mean."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import after as _after
from tests.support.composed import ask

Json = dict[str, Any]
HOSPITALS = [("11", "가람병원"), ("7", "나래병원"), ("5", "다온병원"), ("2", "라온병원")]
REGIONS = [("경기", "경기"), ("서울", "서울"), ("부산", "부산")]


def _limits(reading: Json, dimension: str) -> list[tuple[str, list[str]]]:
    assert not reading["clarification_needed"], reading["ambiguities"]
    assert not reading["unread"], reading["unread"]
    filters = reading["semantic_request"]["filters"]
    return [(one["op"], one["values"]) for one in filters if one["dimension"] == dimension]


LIST = "지난달 병원별 매출 상위 4곳"


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("1등은 전년 동월 대비 어때?", ["11"]),
        ("두 번째 병원 방문은 몇 번이야?", ["7"]),
        ("위에서 세 번째 거 월별로 보여줘", ["5"]),
        ("꼴찌 병원은 9월에 얼마였어?", ["2"]),
        ("맨 아래 곳 담당자는?", ["2"]),
        ("그 병원들 방문 건수는?", ["11", "7", "5", "2"]),
        ("걔네 9월에는 각각 얼마야?", ["11", "7", "5", "2"]),
        ("그중 방문이 제일 많은 곳은?", ["11", "7", "5", "2"]),
        ("how does the second one compare to a year ago?", ["7"]),
        ("the top one by month?", ["11"]),
        ("the last two in September?", ["5", "2"]),
        ("how many visits did they get that month?", ["11", "7", "5", "2"]),
        ("those hospitals' visits in September?", ["11", "7", "5", "2"]),
    ],
)
def test_a_reference_is_a_limit_to_what_was_shown(question: str, keys: list[str]):
    assert _limits(ask(question, previous=_after(LIST, "hospital", HOSPITALS)), "hospital") == [("in", keys)]


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("그중 1등 병원에서 제일 많이 팔린 제품은? 금액 기준으로", "11"),
        ("이 중에서 두 번째 병원에서 가장 많이 팔린 제품이 뭐야?", "7"),
        ("그 중 3위는 어떤 제품을 제일 많이 샀어?", "5"),
        ("그 병원들 중 꼴찌 병원에서 제일 많이 팔린 제품은?", "2"),
        ("of those, the second one: what product did it buy most?", "7"),
        ("which product sold best at the first of those?", "11"),
    ],
)
def test_a_place_in_those_limits_the_next_ranking(question: str, key: str):
    found = ask(question, previous=_after(LIST, "hospital", HOSPITALS))
    assert _limits(found, "hospital") == [("in", [key])]
    assert found["semantic_request"]["dimensions"] == ["product"]
    assert found["semantic_request"]["top"]["n"] == 1


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("그중 꼴찌 병원 9월 매출이 얼마길래?", "11"),
        ("제일 낮은 병원 9월 매출은?", "11"),
        ("그중 제일 높은 병원 9월 매출은?", "2"),
        ("맨 아래 병원 9월 매출은?", "2"),
        ("how much did the worst one buy in September?", "11"),
        ("how much did the last one buy in September?", "2"),
    ],
)
def test_the_worst_of_a_list_from_below_is_its_first(question: str, key: str):
    before = _after("지난달 매출 하위 4개 병원", "hospital", HOSPITALS)
    assert _limits(ask(question, previous=before), "hospital") == [("in", [key])]


@pytest.mark.parametrize("question", ["나머지 병원 매출 합계는?", "the other hospitals in total?"])
def test_the_rest_is_all_but_what_was_shown(question: str):
    found = ask(question, previous=_after(LIST, "hospital", HOSPITALS))
    assert _limits(found, "hospital") == [("not_in", ["11", "7", "5", "2"])]


@pytest.mark.parametrize(
    "question",
    ["그 병원 담당자는?", "거기 방문은 몇 번 갔어?", "who are the reps there?", "its visits in September?"],
)
def test_one_that_was_found_is_pointed_at(question: str):
    found = ask(question, previous=_after("지난달 매출 1위 병원은?", "hospital", HOSPITALS[:1]))
    assert _limits(found, "hospital") == [("in", ["11"])]
    assert not found["semantic_request"].get("among")


def test_a_thing_that_is_asked_for_beside_it_is_listed():
    found = ask("거기 담당자들은?", previous=_after("지난달 매출 1위 병원은?", "hospital", HOSPITALS[:1]))
    assert found["semantic_request"]["dimensions"] == ["rep"]


def test_the_answer_says_who_was_meant():
    found = ask("the second one in September?", previous=_after(LIST, "hospital", HOSPITALS))
    assert "'the second one': 나래병원." in found["assumptions"]


@pytest.mark.parametrize("question", ["두 번째는?", "and the second one?", "2등은 어디야?"])
def test_a_bare_place_is_that_one_with_its_figure(question: str):
    found = ask(question, previous=_after(LIST, "hospital", HOSPITALS))
    assert _limits(found, "hospital") == [("in", ["7"])]
    assert found["semantic_request"]["dimensions"] == ["hospital"]


def test_another_place_is_one_of_the_same_list():
    first = ask("1등은 전년 동월 대비 어때?", previous=_after("지난달 지역별 매출", "region", REGIONS))
    assert _limits(ask("2등은?", previous={**first, "shown": []}), "region") == [("in", ["서울"])]


@pytest.mark.parametrize("question", ["그 병원들 방문 건수는?", "visits of those hospitals?"])
def test_things_are_found_two_turns_back_by_their_kind(question: str):
    before = _after(LIST, "hospital", HOSPITALS)
    later = _after("지난달 제품별 매출", "product", [("1", "카르비온정"), ("2", "가스트렐정")], before)
    assert _limits(ask(question, previous=later), "hospital") == [("in", ["11", "7", "5", "2"])]


def test_a_whole_has_no_limit_of_its_part():
    rep = _after("지난달 매출 1위 담당자는?", "rep", [("3", "김서진")])
    team = {**ask("그 사람 팀은?", previous=rep)}
    shown = {
        "dimension": "team",
        "by_key": False,
        "keys": ["부산 병원팀"],
        "labels": ["부산 병원팀"],
        "whole": True,
    }
    found = ask("그 팀 전체 매출은?", previous={**team, "shown": [shown]})
    assert _limits(found, "team") == [("in", ["부산 병원팀"])]
    assert not _limits(found, "rep")


def test_the_rest_ends_with_a_ranking_of_its_own():
    rest = ask("나머지 지역도 보여줘", previous=_after("3분기 지역별 매출 상위 3곳", "region", REGIONS))
    shown = [{"dimension": "region", "by_key": False, "keys": ["대전"], "labels": ["대전"], "whole": True}]
    assert not _limits(ask("2분기 상위 3개 지역은?", previous={**rest, "shown": shown}), "region")


def test_a_list_that_is_too_long_cannot_be_pointed_at_as_a_whole():
    cut = _after(LIST, "hospital", HOSPITALS)
    cut["shown"][0]["whole"] = False
    found = ask("두 번째 병원 방문은 몇 번이야?", previous=cut)
    assert _limits(found, "hospital") == [("in", ["7"])]
    assert not _filters(ask("그 병원들 방문 건수는?", previous=cut), "hospital")


def _filters(reading: Json, dimension: str) -> list[Json]:
    return [f for f in reading["semantic_request"].get("filters") or () if f.get("dimension") == dimension]


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("그중에 지난달 제일 많이 판 사람은?", "그중"),
        ("거기 지난달 매출은?", "거기"),
        ("what did she spend in September?", "she"),
    ],
)
def test_a_first_question_names_what_points_at_nothing(question: str, word: str):
    assert any(word in one for one in ask(question)["unread"])


@pytest.mark.parametrize(
    "question", ["which reps missed their target in October?", "both Seoul and Busan, sales in October each"]
)
def test_what_is_named_in_the_question_is_pointed_at_there(question: str):
    assert not {"their"} & {*ask(question)["unread"]}


TURNS = {
    "list": ("hospital", LIST, HOSPITALS),
    "one": ("hospital", "지난달 매출 1위 병원은?", HOSPITALS[:1]),
    "regions": ("region", "지난달 지역별 매출", REGIONS),
    "figure": ("", "지난달 매출 얼마야?", []),
}
KOREAN = ("거기", "그 병원", "그 병원들", "걔네", "그 사람", "두 번째 병원", "그중", "나머지 병원", "그 지역")
ENGLISH = (
    "there",
    "that hospital",
    "of those",
    "the second one",
    "the rest",
    "that rep",
    "the other hospitals",
)


@pytest.mark.parametrize("before", TURNS)
@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{} 9월 방문 건수는?", KOREAN),
        ("{} 담당자별 매출 알려줘", KOREAN),
        ("visits in September {}?", ENGLISH),
        ("sales by rep {}?", ENGLISH),
    ],
)
def test_a_reference_put_in_changes_the_request_or_is_named(
    before: str, pattern: str, words: tuple[str, ...]
):
    dimension, question, things = TURNS[before]
    turn = _after(question, dimension, things) if things else ask(question)
    plain = ask(" ".join(pattern.format("").split()).replace(" ?", "?"), previous=turn)
    of_it = ("그중", "of those") if before == "figure" else ()  # of a figure: its rows, whatever splits them
    for word in (word for word in words if word not in of_it):
        found = ask(pattern.format(word), previous=turn)
        changed = found["semantic_request"] != plain["semantic_request"]
        changed = changed or bool(
            _limits(plain, dimension)
        )  # 9월 방문 건수는?, after the best one: of that one
        assert changed or found["unread"] or found["clarification_needed"], (question, pattern.format(word))


TEAMS = [("부산 병원팀", "부산 병원팀"), ("서울 병원팀", "서울 병원팀"), ("광주 의원팀", "광주 의원팀")]


@pytest.mark.parametrize(
    ("question", "team"),
    [
        ("제일 많이 쓴 팀만 담당자별로 풀어주세요", "부산 병원팀"),
        ("비용이 가장 큰 팀은 담당자별로 나눠줘", "부산 병원팀"),
        ("가장 적게 쓴 팀 담당자별로 보여줘", "광주 의원팀"),
        ("break the team that spent the most down by rep", "부산 병원팀"),
        ("just the biggest team, by rep", "부산 병원팀"),
        ("only the team with the highest cost, split by rep", "부산 병원팀"),
    ],
)
def test_the_parts_of_the_best_are_of_the_one_shown(question: str, team: str):
    found = ask(question, previous=_after("올해 팀별 교통비", "team", TEAMS))
    assert _limits(found, "team") == [("in", [team])]
    assert _limits(found, "expense_category") == [("in", ["travel"])]
    assert found["semantic_request"]["dimensions"] == ["rep"]
    assert not found["semantic_request"].get("top")


def test_the_best_by_another_figure_is_looked_for():
    found = ask("매출이 제일 큰 팀만 담당자별로", previous=_after("올해 팀별 교통비", "team", TEAMS))
    chosen = found["semantic_request"]["among"]
    assert (chosen["metrics"], chosen["top"]["n"]) == (["sales_amount"], 1)
