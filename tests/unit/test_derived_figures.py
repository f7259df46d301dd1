"""Figures formed by grammar: the ones that make no sense are refused, and the others say what they are."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from metaagent.data.semantic import SemanticQuery, compile_query, load
from metaagent.data.semantic.compiling.periods import days_of, weight
from metaagent.data.semantic.from_analysis import to_query
from metaagent.data.semantic.query import Period
from metaagent.errors import SemanticInvalid
from tests.support.naive import MODEL
from tests.support.paths import ROOT

JANUARY = {"start": "2026-01-01", "end": "2026-01-31"}
NOVEMBER = {"start": "2026-11-01", "end": "2026-11-30"}
COVERED = {
    "revenue": (date(2025, 1, 1), date(2026, 11, 15)),
    "visits_made": (date(2025, 1, 1), date(2026, 11, 16)),
}


def compiled(covered: Any = None, **query: Any) -> Any:
    asked = SemanticQuery.model_validate(query)
    return compile_query(MODEL, asked, dialect="sqlite", tenant="a", covered=covered)


def figure(kind: str, above: str, below: str | None = None, **more: Any) -> dict[str, Any]:
    one: dict[str, Any] = {"name": "formed", "kind": kind, "numerator": {"metric": above}, **more}
    return one if below is None else one | {"denominator": {"metric": below}}


@pytest.mark.parametrize(
    "query",
    [
        {"derived": [figure("ratio", "length", "orders")]},
        {"derived": [figure("ratio", "revenue", "per_visit")]},
        {"derived": [figure("share", "length", "length")]},
        {"derived": [figure("per_period", "length", per="month")], "period": JANUARY},
        {"derived": [figure("per_period", "revenue", per="month")]},
        {"derived": [figure("per_period", "revenue", per="month")], "period": JANUARY, "dimensions": ["day"]},
        {"derived": [figure("ratio", "revenue", "orders")], "dimensions": ["city"], "share": True},
        {
            "derived": [figure("ratio", "revenue", "orders")],
            "dimensions": ["month"],
            "period": JANUARY,
            "running_total": True,
        },
        {"derived": [figure("ratio", "revenue", "sales")]},
        {"derived": [{**figure("ratio", "revenue", "orders"), "name": "orders"}]},
        {"derived": [figure("ratio", "revenue", "count:town")]},
        {"metrics": ["visits_made"], "rows": [{"column": "revenue", "op": ">", "values": [1]}]},
        {"metrics": ["revenue"], "rows": [{"column": "orders", "op": ">", "values": [1]}]},
        {"dimensions": ["shop"], "rows": [{"column": "revenue", "op": ">", "values": [1]}]},
        {"dimensions": ["shop"], "existence": [{"dimension": "shop", "fact_metric": "nothing"}]},
        {"dimensions": ["item"], "existence": [{"dimension": "item", "fact_metric": "visits_made"}]},
        {"metrics": ["revenue"], "count_groups": "shop", "period": JANUARY, "comparison": "previous"},
        {"metrics": ["revenue"], "include_empty": True, "dimensions": ["month"]},
        {
            "metrics": ["revenue"],
            "dimensions": ["shop"],
            "having": [{"column": "orders", "op": ">", "values": [1]}],
        },
    ],
)
def test_figures_without_a_meaning_are_refused(query: dict[str, Any]):
    with pytest.raises(SemanticInvalid):
        compiled(**query)


@pytest.mark.parametrize(
    "query",
    [
        {"derived": [figure("ratio", "revenue")]},
        {"derived": [figure("per_period", "revenue", "orders", per="day")]},
        {"metrics": ["revenue"], "having": [{"column": "revenue", "op": ">"}]},
        {"metrics": ["revenue"], "having": [{"column": "revenue", "op": "between", "values": [1]}]},
        {"metrics": ["revenue"], "weekdays": [0]},
        {"metrics": ["revenue"], "top": {"percent": 0}},
        {"metrics": ["revenue"], "top": {"percent": 10, "nth": 2}},
        {"metrics": ["revenue"], "among": {"metrics": ["revenue"]}},
        {"derived": [{**figure("ratio", "revenue", "orders"), "name": "a b"}]},
    ],
)
def test_half_a_condition_is_no_query(query: dict[str, Any]):
    with pytest.raises(ValidationError):
        SemanticQuery.model_validate(query)


def test_an_unfinished_month_is_compared_by_days_with_data():
    made = compiled(COVERED, metrics=["revenue"], period=NOVEMBER, comparison="previous")
    days = [(str(one.start), str(one.end)) for one in made.periods]
    assert days == [("2026-11-01", "2026-11-15"), ("2026-10-01", "2026-10-15")]
    assert made.params["previous_end"] == "2026-10-16"
    ((text, said),) = made.notes
    assert "2026-11-01~2026-11-15" in text.say("ko", **said)


def test_several_months_keep_their_distance_when_cut():
    period = {"start": "2026-10-01", "end": "2026-11-30"}
    made = compiled(COVERED, metrics=["revenue"], period=period, comparison="previous")
    assert [str(one.end) for one in made.periods] == ["2026-11-15", "2026-09-15"]


def test_days_before_the_first_data_are_left_out_on_both_sides():
    covered = {"revenue": (date(2025, 10, 10), date(2026, 11, 15))}
    period = {"start": "2025-11-01", "end": "2025-11-30"}
    made = compiled(covered, metrics=["revenue"], period=period, comparison="previous")
    assert [str(one.start) for one in made.periods] == ["2025-11-10", "2025-10-10"]


def test_a_finished_month_is_compared_whole():
    made = compiled(COVERED, metrics=["revenue"], period=JANUARY, comparison="previous")
    assert [str(one.end) for one in made.periods] == ["2026-01-31", "2025-12-31"]
    assert made.notes == ()


@pytest.mark.parametrize(
    ("unit", "count"),
    [
        ("day", 46),
        ("week", 46 / 7),
        ("month", 1.5),
        ("working_day", 32),
        ("weekday_day", 32),
        ("weekend_day", 14),
    ],
)
def test_units_of_a_period_are_counted_by_the_calendar(unit: Any, count: float):
    data = date(2025, 1, 1), date(2026, 11, 15)
    days = days_of(Period(start=date(2026, 10, 1), end=date(2026, 12, 31)), data)
    assert sum(weight(day, unit) for day in days) == pytest.approx(count)


def test_a_holiday_of_the_model_is_no_working_day():
    assert weight(date(2026, 3, 2), "working_day", MODEL.holidays) == 0
    assert weight(date(2026, 3, 2), "weekday_day", MODEL.holidays) == 1


def test_columns_say_what_a_derived_figure_is():
    seoul = {"metric": "revenue", "filters": [{"dimension": "city", "values": ["서울"]}]}
    made = compiled(
        derived=[
            figure("ratio", "revenue", "count:shop"),
            {"name": "part", "kind": "share", "numerator": seoul, "denominator": {"metric": "revenue"}},
        ],
        dimensions=["shop"],
    )
    names = {column.name: column for column in made.columns}
    assert (names["formed"].label.ko, names["formed"].label.en) == ("shop당 revenue", "revenue per shop")
    assert (names["part"].label.ko, names["part"].format) == ("서울 revenue 비중", "percent")
    assert not any(column.additive for column in made.columns)
    assert [column.name for column in made.columns if column.hidden] == ["shop__key"]


def test_a_request_of_plain_data_becomes_the_same_query():
    asked = {
        "dimensions": ["shop"],
        "derived": [figure("ratio", "revenue", "visits_made")],
        "top": {"percent": 10, "by": "formed"},
        "having": [{"column": "formed__change", "op": ">", "values": [0]}],
        "comparison": "previous",
        "period": JANUARY,
        "among": {"metrics": ["revenue"], "dimensions": ["shop"], "top": {"n": 3, "direction": "highest"}},
    }
    query = to_query(MODEL, asked)
    assert query.metrics == []
    assert query.among is not None
    assert query.among.top is not None
    assert (query.among.top.n, query.among.top.direction) == (3, "top")
    assert compile_query(MODEL, query, dialect="sqlite", tenant="a").columns[1].name == "formed"


def test_values_inside_figures_are_bound_as_parameters():
    evil = "x'; DROP TABLE sales; --"
    hidden = {"metric": "revenue", "filters": [{"dimension": "city", "values": [evil]}]}
    made = compiled(
        derived=[
            {"name": "part", "kind": "share", "numerator": hidden, "denominator": {"metric": "revenue"}}
        ],
        existence=[
            {
                "dimension": "shop",
                "fact_metric": "orders",
                "filters": [{"dimension": "city", "values": [evil]}],
            }
        ],
        among={
            "metrics": ["revenue"],
            "dimensions": ["shop"],
            "filters": [{"dimension": "city", "values": [evil]}],
        },
    )
    assert "DROP" not in made.sql
    assert list(made.params.values()).count(evil) == 3


def test_a_ratio_of_one_table_divides_by_its_own_rows():
    model, condition = load(ROOT / "configs/domains/pharma/semantic.yaml"), "seminar_id is not null"

    def limits(below: str) -> int:
        asked = SemanticQuery.model_validate({"derived": [figure("ratio", "seminar_cost", below)]})
        return str(compile_query(model, asked, dialect="sqlite", tenant="a").sql).lower().count(condition)

    assert (limits("meal_attendees"), limits("expense_amount")) == (2, 1)
