"""The judge of answers: as strict on wrong rows as it is fair to right ones."""

from __future__ import annotations

from random import Random

import pytest

from evals import scores
from evals.judge import (
    RIGHT,
    SAID,
    SILENT,
    Gold,
    Outcome,
    close,
    outcome_of_table,
    same_rows,
    states_doubt,
    verdict,
    with_other_ways,
)
from evals.scores import Scored


def answered(
    *rows: tuple[object, ...], text: str = "", doubted: bool = False, named: tuple[str, ...] = ()
) -> Outcome:
    return Outcome("answered", [list(row) for row in rows], text, doubted, 0.9, named)


@pytest.mark.parametrize(
    ("got", "gold"),
    [
        ([(1, "a")], [("a", 1)]),  # columns in another order
        ([("a", 1, 9), ("b", 2, 8)], [("b", 2), ("a", 1)]),  # more columns, rows in another order
        ([("a", 0.1187)], [("a", 11.87)]),  # a share as a fraction, gold in percent
        ([("a", 12.5), ("b", 87.5)], [("a", 0.125), ("b", 0.875)]),  # and the reverse
        ([(123456.7,)], [(123457,)]),  # rounded to whole won
        ([(8.1978,)], [(8.2,)]),
        ([(3.7694,)], [(3.77,)]),
        ([("서울", 5), ("그 외", 9)], [("서울", 5)]),  # the rest is labelled
        ([("2026-10-01", 5)], [("2026-10", 5)]),
        ([(True, 5)], [(1, 5)]),
        ([(None,)], [(0,)]),
        ([], []),
        ([(None,)], []),
        ([], [(None,)]),  # a sum of nothing
        ([("김서진", 3), ("김서진", 4)], [("김서진", 4), ("김서진", 3)]),  # namesakes stay two rows
    ],
)
def test_the_same_rows_are_the_same(got: list[tuple[object, ...]], gold: list[tuple[object, ...]]) -> None:
    assert same_rows(got, gold)


@pytest.mark.parametrize(
    ("got", "gold"),
    [
        ([(2,)], [(1,)]),
        ([("a", 1), ("b", 2)], [("a", 1)]),  # one row too many
        ([("a", 1)], [("a", 1), ("b", 2)]),  # one too few
        ([("a", 2), ("b", 1)], [("a", 1), ("b", 2)]),  # the right values at the wrong names
        ([(3,)], [(300,)]),  # no percent
        ([(300,)], [(3,)]),
        ([(100,)], [(1,)]),
        ([(11.9,)], [(12,)]),
        ([(0.46,)], [(0.5,)]),
        ([(2,)], [(0.0217391,)]),  # a count is no rounded share
        ([(1,)], [(0.5,)]),
        ([(1000,)], [(1001,)]),
        ([(0.12, 5)], [(12.0, 500)]),
        ([("김서진", 7)], [("김서진", 4), ("김서진", 3)]),  # two people added up
        ([(5,)], []),
        ([], [(5,)]),
        ([("a",), ("a",)], [("a",), ("b",)]),
    ],
)
def test_different_rows_are_different(got: list[tuple[object, ...]], gold: list[tuple[object, ...]]) -> None:
    assert not same_rows(got, gold)


def test_order_counts_only_where_it_was_asked_for() -> None:
    got, gold = [("b", 2), ("a", 1)], [("a", 1), ("b", 2)]
    assert same_rows(got, gold)
    assert not same_rows(got, gold, ordered=True)
    assert same_rows(gold, gold, ordered=True)


def test_no_key_and_no_month_passes_for_a_figure() -> None:
    columns = [
        {"name": "hospital", "kind": "dimension"},
        {"name": "sales", "kind": "metric"},
        {"name": "month", "kind": "time"},
        {"name": "hospital__key", "kind": "key"},
    ]
    dataset = {"columns": columns, "rows": [["한결병원", 340, "2026-10", 12]]}
    outcome = outcome_of_table(dataset, "", [], 0.9)
    for figure, expected in ((340, RIGHT), (12, SILENT), (10, SILENT)):
        assert verdict(Gold(([(figure,)],)), outcome) == expected
    assert verdict(Gold(([("한결병원", 12)],)), outcome) == SILENT
    assert verdict(Gold(([("한결병원", 10)],)), outcome) == RIGHT  # a month beside a name is a month
    assert verdict(Gold(([(12,)],), by_key=True), outcome) == RIGHT


def test_one_column_is_not_used_twice() -> None:
    assert not same_rows([(5, 7)], [(5, 5)])


def test_a_label_may_be_shown_by_its_other_names() -> None:
    names = {"meal": frozenset({"meal", "식사"})}
    assert same_rows([("식사", 3)], [("meal", 3)], names=names)
    assert not same_rows([("선물", 3)], [("meal", 3)], names=names)


def test_whole_numbers_are_equal_or_not() -> None:
    assert not close(100.0, 101.0)
    assert not close(1e9 + 2000, 1e9)
    assert close(1e9 + 0.4, 1e9)


ROWS = Gold(([("서울", 5)],))


@pytest.mark.parametrize(
    ("gold", "outcome", "expected"),
    [
        (ROWS, answered(("서울", 5)), RIGHT),
        (ROWS, answered(("서울", 5), doubted=True), RIGHT),
        (ROWS, answered(("서울", 6)), SILENT),
        (ROWS, answered(("서울", 6), doubted=True), SAID),
        (ROWS, answered(), SILENT),  # "there is nothing" is a claim too
        (ROWS, Outcome("asked"), SAID),
        (ROWS, Outcome("refused"), SAID),
        (Gold(([(1,)], [(2,)])), answered((2,)), RIGHT),  # one of several readings
        (Gold(expect="said"), answered((5,)), SILENT),
        (Gold(expect="said"), answered((5,), doubted=True), RIGHT),
        (Gold(expect="refuse"), Outcome("refused"), RIGHT),
        (Gold(expect="refuse"), Outcome("asked"), RIGHT),
        (Gold(expect="said", unknown="할인"), answered((5,), doubted=True, named=("할인",)), RIGHT),
        (Gold(expect="said", unknown="할인"), answered((5,), doubted=True, named=("혹시",)), SILENT),
        (Gold(expect="ask"), Outcome("asked"), RIGHT),
        (Gold(expect="ask"), Outcome("refused"), SAID),
        (Gold(expect="ask"), answered((5,)), SILENT),
        (Gold(([("김", 1), ("김", 2)],), expect="ask"), answered(("김", 2), ("김", 1)), RIGHT),
        (Gold(expect="chat"), Outcome("chatted"), RIGHT),
        (Gold(expect="chat"), Outcome("asked"), SAID),
        (Gold(expect="chat"), answered((5,)), SILENT),
    ],
)
def test_each_answer_gets_its_verdict(gold: Gold, outcome: Outcome, expected: str) -> None:
    assert verdict(gold, outcome) == expected


@pytest.mark.parametrize(
    ("gold", "rows", "text", "right"),
    [
        ((0.1187,), [(5, 4)], "매출은 11.9 % 늘었습니다.", True),
        ((0.1187,), [(5, 4)], "매출은 12.9 % 늘었습니다.", False),
        ((57,), [("a",)] * 57, "모두 57곳입니다.", True),
        ((57,), [("a",)] * 56, "모두 57곳입니다.", False),  # the text and the table disagree
        ((3,), [("a", 1), ("b", 2), ("c", 3)], "상위 3곳: a, b, c", False),  # the number of the question
        ((10,), [(5,)], "2026년 10월 매출은 5원입니다.", False),  # a date
        ((12.34,), [], "평균 12.3건입니다.", True),
        ((0.5,), [(1,)], "1건입니다.", False),
        ((1,), [(3,)], "Returns in H1 2026: 3 returns.", False),
        ((2,), [("a", 4), ("b", 2)], "a 4건, b 2건.", False),  # a figure of the list
        ((0.1187,), [(5, 4)], "12 % 늘었습니다.", True),
    ],
)
def test_a_figure_in_the_headline_counts(
    gold: tuple[float, ...], rows: list[tuple[object, ...]], text: str, right: bool
) -> None:
    told = verdict(Gold(([gold],)), answered(*rows, text=text), question="상위 3곳만")
    assert (told == RIGHT) == right


def test_a_listed_figure_does_not_count_as_stated() -> None:
    rows = [("서울", 0.3), ("부산", 0.7)]
    text = "서울 30 %, 부산 70 %"
    assert verdict(Gold(([(0.3,)],)), answered(*rows, text=text)) == SILENT


@pytest.mark.parametrize(
    "text",
    [
        "These words were not used: zorble.",
        "'뽀로링'은 이해하지 못했습니다.",
        "I am not sure what 'net' means.",
    ],
)
def test_stated_doubt_is_seen(text: str) -> None:
    assert states_doubt(text)


@pytest.mark.parametrize(
    "text",
    ["2026년 10월 매출액은 5원입니다.", "Sales in October 2026: ₩5.", "가정: 기간은 2026년 10월입니다."],
)
def test_plain_answers_state_no_doubt(text: str) -> None:
    assert not states_doubt(text)


def test_codes_weekdays_and_months_have_other_ways() -> None:
    columns = [{"name": "weekday"}, {"name": "month"}, {"name": "status", "values": {"x": "완료"}}]
    (row,) = with_other_ways(columns, [(7, "2026-10", "x")])
    assert row == [7, "2026-10", "x", 0, "일요일", "Sunday", 10, "완료"]


def scored(verdict: str, confidence: float | None, *, answered: bool = True, doubted: bool = False) -> Scored:
    return Scored("1", "total", "ko", "w", "?", verdict, confidence, answered, doubted)


def test_shares_and_confidence_are_counted_by_verdict() -> None:
    made = scores.summary(
        [
            scored(RIGHT, 0.9),
            scored(RIGHT, 0.7, doubted=True),
            scored(SILENT, 0.8),
            scored(SAID, None, answered=False),
        ]
    )
    assert (made["right"], made["said"], made["silent"]) == (0.5, 0.25, 0.25)
    assert (made["right_confidence"], made["silent_confidence"], made["false_alarms"]) == (0.8, 0.8, 1)


def test_calibration_error_is_zero_for_honest_confidence() -> None:
    honest = [(0.75, True)] * 3 + [(0.75, False)]
    assert scores.calibration_error(honest) == 0.0
    assert scores.calibration_error([(0.95, False)] * 4) == 0.95
    assert scores.calibration_error([]) is None


def test_auroc_separates_or_does_not() -> None:
    assert scores.auroc([(0.9, True), (0.8, True), (0.2, False)]) == 1.0
    assert scores.auroc([(0.1, True), (0.9, False)]) == 0.0
    assert scores.auroc([(0.5, True), (0.5, False)]) == 0.5
    assert scores.auroc([(0.5, True)]) is None


def drawn(rng: Random) -> list[tuple[object, ...]]:
    count = rng.randint(1, 8)
    numbers = rng.sample(range(1000, 9_000_000), 2 * count)
    return [(f"thing {n}", numbers[2 * n], numbers[2 * n + 1] / 7) for n in range(count)]


@pytest.mark.parametrize("seed", range(40))
def test_shuffling_stays_right_and_any_change_is_wrong(seed: int) -> None:
    rng = Random(seed)
    gold = drawn(rng)
    way = rng.sample(range(3), 3)
    got: list[list[object]] = [[*(row[n] for n in way), rng.random()] for row in gold]
    rng.shuffle(got)
    assert same_rows(got, gold)
    broken = [list(row) for row in got]
    row, place = rng.randrange(len(broken)), rng.randrange(3)
    cell = broken[row][place]
    if isinstance(cell, int | float):
        broken[row][place] = cell * 1.01 + 1
    else:
        broken[row][place] = "someone else"
    assert not same_rows(broken, gold)
    assert not same_rows([*got, got[0]], gold)
    assert not same_rows(got[1:], gold)
