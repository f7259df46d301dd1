"""A chat model's suggestions are held to the same account as the rules: right, sloppy and hostile models."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import ask


def meant(quote: str, kind: str = "metric", name: str | None = None, **dates: str) -> dict[str, Any]:
    return {"type": kind, "quote": quote, "name": name, "start": None, "end": None, **dates}


def suggested(question: str, *entities: dict[str, Any]) -> dict[str, Any]:
    return ask(question, proposed={"intents": [], "entities": list(entities)})


def test_a_right_model_fills_the_gap_and_lowers_confidence():
    question = "지난달 서울 거둬들인 돈 알려줘"
    reading = suggested(question, meant("거둬들인 돈", name="sales_amount"))
    plain = ask("지난달 서울 매출 알려줘")
    assert reading["semantic_request"] == plain["semantic_request"]
    assert reading["reading"]["confidence"] < plain["reading"]["confidence"]
    assert any("거둬들인 돈" in said for said in reading["assumptions"])


def test_what_a_sloppy_model_leaves_out_is_still_named():
    reading = suggested("지난달 할인 거둬들인 돈 알려줘", meant("거둬들인 돈", name="sales_amount"))
    assert reading["unread"] == ["할인"]
    assert "할인" in reading["doubts"][0]


HOSTILE = [
    ("지난달 평균 매출 알려줘", meant("평균", "output_form", "table")),
    ("지난달 서울 제외 매출 알려줘", meant("제외", name="visit_count")),
    ("지난달 매출 상위 3개 병원 알려줘", meant("상위 3개", "output_form", "table")),
    ("지난달 매출이 2억 넘는 병원 수 알려줘", meant("2억 넘는", "output_form", "table")),
    ("지난달 서울 매출 알려줘", meant("매출", name="visit_count")),
    ("지난달 서울 매출 알려줘", meant("서울", "location", "부산")),
    ("지난달 서울 매출 알려줘", meant("지난달", "period", start="2020-01-01", end="2020-12-31")),
]


@pytest.mark.parametrize(("question", "lie"), HOSTILE)
def test_a_hostile_model_changes_no_figure_and_is_noticed(question: str, lie: dict[str, Any]):
    alone, reading = ask(question), suggested(question, lie)
    assert reading["semantic_request"] == alone["semantic_request"]
    assert reading["reading"]["confidence"] < alone["reading"]["confidence"]
    assert any(lie["quote"] in said for said in reading["assumptions"])


def test_a_model_cannot_make_a_word_vanish():
    reading = suggested("지난달 할인 매출 알려줘", meant("할인", "output_form", "table"))
    assert "할인" in reading["doubts"][0]
