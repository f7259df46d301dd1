"""Days of forms: whether a day lies behind or ahead is known by the field, not by the words."""

from __future__ import annotations

from datetime import date

import pytest

from metaagent.documents.fields import Unfit, read_moment, read_time, read_value, show
from metaagent.documents.templates import FieldSpec
from metaagent.language.days import days_in

MONDAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("text", "ahead", "behind"),
    [
        ("금요일 오후 3시", "2026-11-20", "2026-11-13"),
        ("12월 첫째 주 금요일", "2026-12-04", "2025-12-05"),
        ("다음달 첫 번째 월요일", "2026-12-07", "2026-12-07"),
        ("the first monday of December", "2026-12-07", "2025-12-01"),
        ("Wednesday next week", "2026-11-25", "2026-11-25"),
        ("일주일 뒤", "2026-11-23", "2026-11-23"),
        ("in two weeks", "2026-11-30", "2026-11-30"),
        ("this morning", "2026-11-16", "2026-11-16"),
        ("20일 오후", "2026-11-20", "2026-10-20"),
        ("11.20", "2026-11-20", "2025-11-20"),
        ("내일모레", "2026-11-18", "2026-11-18"),
    ],
)
def test_a_day_lies_ahead_or_behind(text: str, ahead: str, behind: str) -> None:
    assert [each.day.isoformat() for each in days_in(text, MONDAY, ahead=True)] == [ahead]
    assert [each.day.isoformat() for each in days_in(text, MONDAY, ahead=False)] == [behind]


def test_days_of_one_text_do_not_move_each_other() -> None:
    found = days_in("11월 4일 방문, 다음 방문 11월 18일", MONDAY, ahead=False)
    assert [each.day.isoformat() for each in found] == ["2026-11-04", "2025-11-18"]


@pytest.mark.parametrize("text", ["2026-13-45", "예산 3.5만원", "12월 3일까지 제출", "지난달"])
def test_other_numbers_are_no_days(text: str) -> None:
    assert days_in(text, MONDAY, ahead=True) == []


def test_a_deadline_is_marked() -> None:
    (found,) = days_in("by Thursday", MONDAY, ahead=True)
    assert found.deadline


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("금요일 오후 3시", "2026-11-20T15:00"),
        ("12월 1일", "2026-12-01"),
        ("Dec 8, 10:30", "2026-12-08T10:30"),
        ("다음 주 수요일 2시", "2026-11-25T14:00"),
    ],
)
def test_a_moment_keeps_its_time(text: str, moment: str) -> None:
    assert read_moment(text, MONDAY) == moment


def test_a_moment_is_shown_in_both_languages() -> None:
    spec = FieldSpec.model_validate({"label": {"ko": "다음", "en": "Next"}, "type": "moment"})
    value = read_value(spec, "금요일 오후 3시", MONDAY, "ko")
    assert (show(value, spec, "ko"), show(value, spec, "en")) == (
        "2026년 11월 20일 15:00",
        "20 November 2026, 15:00",
    )
    assert isinstance(read_value(spec, "언젠가", MONDAY, "ko"), Unfit)


@pytest.mark.parametrize(
    ("text", "time"), [("3시", "15:00"), ("오전 3시", "03:00"), ("10시", "10:00"), ("03:00", "03:00")]
)
def test_an_hour_without_its_half_is_one_of_work(text: str, time: str) -> None:
    assert read_time(text) == time
