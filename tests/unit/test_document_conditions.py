"""Conditions of a report: judged by its figures, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.documents.conditions import condition_of, is_met

COLUMNS = [{"kind": "metric"}, {"kind": "previous"}, {"kind": "difference"}, {"kind": "change"}]
GREW: dict[str, Any] = {"columns": COLUMNS, "rows": [[120, 100, 20, 0.2]]}


@pytest.mark.parametrize(
    ("question", "met"),
    [
        ("지난달 서울 매출이 9월보다 줄었으면 보고서 써줘", False),
        ("지난달 서울 매출이 9월보다 늘었으면 보고서 써줘", True),
        ("If sales in October were lower than in September, write a report", False),
        ("write a report only if sales rose from September", True),
        ("매출이 100원을 넘으면 보고서로 정리해줘", True),
        ("매출이 110원 미만이면 보고서로 정리해줘", False),
        ("If sales are above 200 won, write a report", False),
        ("매출이 100원 이상이면 숫자만 알려주고, 아니면 보고서 써줘", False),
        ("Just give me the figure if sales were above 200 won, otherwise write a report", True),
        ("Unless sales were above 200 won there is no need for a report", False),
    ],
)
def test_a_condition_is_judged_by_the_figures(question: str, met: bool) -> None:
    condition = condition_of(question)
    assert condition is not None
    assert is_met(condition, GREW) is met


@pytest.mark.parametrize(
    "data", [{}, {"columns": COLUMNS, "rows": []}, {"columns": COLUMNS[:1], "rows": [[1], [2]]}]
)
def test_figures_that_do_not_tell_say_neither(data: dict[str, Any]) -> None:
    condition = condition_of("매출이 줄었으면 보고서 써줘")
    assert condition is not None
    assert is_met(condition, data) is None


@pytest.mark.parametrize(
    "question",
    [
        "지난달 매출 보고서 써줘",
        "Write a report on sales below target",
        "필요하면 보고서로 정리해줘",
        "늘었는지 보고서로 알려줘",
    ],
)
def test_a_plain_request_has_no_condition(question: str) -> None:
    assert condition_of(question) is None
