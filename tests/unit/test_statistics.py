"""Statistics against values worked out by hand, and properties that hold for any table."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from metaagent.errors import InputRefused
from metaagent.level2.data_analysis import computing, contribution, over_time, probability, statistics

if TYPE_CHECKING:
    from metaagent.documents.table import Cell, ColumnType, Table


def table(columns: dict[str, ColumnType], rows: list[list[Cell]]) -> Table:
    return {"columns": [{"name": n, "label": n, "type": t} for n, t in columns.items()], "rows": rows}


def one(values: list[Any]) -> Table:
    return table({"v": "number"}, [[value] for value in values])


def dated(values: list[Any], times: list[str] | None = None) -> Table:
    times = times or [f"{2020 + i // 12}-{i % 12 + 1:02d}" for i in range(len(values))]
    return table({"t": "date", "v": "number"}, [[t, v] for t, v in zip(times, values, strict=True)])


def answer(result: Any, kind: str) -> Any:
    assert result["kind"] == kind, result
    assert result["method"]
    assert isinstance(result["n"], int)
    json.dumps(result, allow_nan=False)
    return result


def test_tail_probabilities_agree_with_printed_tables():
    assert probability.t_two_sided(2.776445, 4) == pytest.approx(0.05, abs=1e-7)
    assert probability.t_two_sided(2.228139, 10) == pytest.approx(0.05, abs=1e-7)
    assert probability.f_upper(4.256495, 2, 9) == pytest.approx(0.05, abs=1e-7)
    assert probability.normal_two_sided(1.959963984540054) == pytest.approx(0.05, abs=1e-12)
    assert probability.incomplete_beta(2, 3, 0) == 0
    assert probability.incomplete_beta(2, 3, 1) == 1


def test_kendall_probabilities_match_counting_all_orders():
    assert probability.kendall_exact_two_sided(10, 5) == pytest.approx(2 / 120)
    assert probability.kendall_exact_two_sided(8, 5) == pytest.approx(2 * (1 + 4) / 120)
    assert probability.kendall_exact_two_sided(0, 5) == 1


def test_a_summary_is_what_one_calculates_by_hand():
    found = answer(statistics.summary(one([1, 2, 3, 4, None, math.nan, math.inf, "x"])), "summary")[
        "columns"
    ][0]
    assert (found["n"], found["missing"], found["invalid"]) == (4, 2, 2)
    assert (found["sum"], found["mean"], found["median"]) == (10, 2.5, 2.5)
    assert (found["min"], found["q1"], found["q3"], found["max"]) == (1, 1.75, 3.25, 4)
    assert found["deviation"] == pytest.approx(math.sqrt(5 / 3))


def test_summary_covers_dates_text_and_empty_columns():
    rows: list[list[Cell]] = [["2024-02-01", "a", None], ["2024-01-01", "a", None], [None, "b", None]]
    found = answer(statistics.summary(table({"d": "date", "s": "text", "v": "number"}, rows)), "summary")
    day, text, value = found["columns"]
    assert (day["min"], day["max"], day["missing"]) == ("2024-01-01", "2024-02-01", 1)
    assert text["top"] == [{"value": "a", "count": 2}, {"value": "b", "count": 1}]
    assert value["n"] == 0
    assert "mean" not in value
    assert answer(statistics.summary(one([])), "too_few")["needed"] == 1


def test_decimal_figures_add_up_as_they_are_written():
    assert computing.total([0.1, 0.2]) == 0.3
    assert computing.total([2**53, 1]) == 2**53 + 1


def test_bins_hold_every_value_once_and_the_last_one_is_closed():
    found = answer(statistics.distribution(one([0, 1, 2, 3, 4, 5, 6, 7, 8, 10]), "v"), "distribution")
    assert sum(b["count"] for b in found["bins"]) == 10
    assert found["bins"][0]["low"] == 0
    assert found["bins"][-1]["high"] >= 10


def test_a_constant_column_is_one_bin():
    found = answer(statistics.distribution(one([7] * 6), "v"), "distribution")
    assert [b["count"] for b in found["bins"]] == [6]
    assert found["skewness"] is None


def test_few_values_are_fenced_by_quartiles():
    found = answer(statistics.outliers(one([1, 2, 3, 4, 100]), "v"), "outliers")
    assert (found["low"], found["high"]) == (-1, 7)
    assert [(hit["row"], hit["value"], hit["direction"]) for hit in found["found"]] == [(4, 100, "high")]


def test_outliers_are_scored_by_distance_from_the_median():
    found = answer(statistics.outliers(one([*range(1, 12), 100]), "v"), "outliers")
    assert found["center"] == 6.5
    assert found["found"][0]["score"] == pytest.approx(0.6745 * 93.5 / 3)
    assert "MAD" in found["method"]


def test_outliers_are_found_where_half_of_the_values_are_equal():
    found = answer(statistics.outliers(one([5] * 20 + [6, 500]), "v"), "outliers")
    assert "mean deviation" in found["method"]
    assert [hit["value"] for hit in found["found"]] == [500]
    assert answer(statistics.outliers(one([5] * 20), "v"), "outliers")["found"] == []
    assert answer(statistics.outliers(one([5, 5, 5, 5, 5, 9]), "v"), "outliers")["found"][0]["score"] > 0


def test_a_rising_series_has_the_exact_probability_and_slope():
    found = answer(over_time.trend(dated([1, 2, 3, 4, 5]), "t", "v"), "trend")
    assert found["p"] == pytest.approx(2 / 120)
    assert (found["slope"], found["tau"], found["direction"], found["grain"]) == (1, 1, "up", "month")


def test_ties_use_the_corrected_normal_approximation():
    found = answer(over_time.trend(dated([1, 2, 2, 3, 4, 5]), "t", "v"), "trend")
    assert found["p"] == pytest.approx(math.erfc(13 / math.sqrt(492 / 18) / math.sqrt(2)))
    assert "tie" in found["method"]


def test_a_missing_month_counts_as_time_passed():
    months = ["2024-01", "2024-02", "2024-03", "2024-07", "2024-08", "2024-09"]
    found = answer(over_time.trend(dated([1, 2, 3, 7, 8, 9], months), "t", "v"), "trend")
    assert found["slope"] == 1
    assert "gaps" in found["warnings"]


def test_a_constant_series_has_no_trend():
    found = answer(over_time.trend(dated([3] * 8), "t", "v"), "trend")
    assert (found["p"], found["direction"], found["slope"]) == (1, "none", 0)


def test_long_series_say_that_their_slope_is_least_squares():
    rows: list[list[Cell]] = [[i, 2 * i] for i in range(1500)]
    found = answer(over_time.trend(table({"t": "number", "v": "number"}, rows), "t", "v"), "trend")
    assert found["slope"] == pytest.approx(2)
    assert found["slope_method"] == "least squares"


@pytest.mark.parametrize(
    ("times", "grain"),
    [
        (["2020", "2021", "2022", "2023", "2024"], "year"),
        (["2023-Q1", "2023-Q2", "2023-Q3", "2023-Q4", "2024-Q1"], "quarter"),
        (["2024-01-01", "2024-04-01", "2024-07-01", "2024-10-01", "2025-01-01"], "quarter"),
        (["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01"], "month"),
        (["2024-W01", "2024-W02", "2024-W03", "2024-W04", "2024-W05"], "week"),
        (["2024-01-01", "2024-01-08", "2024-01-15", "2024-01-22", "2024-01-29"], "week"),
        (["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"], "day"),
    ],
)
def test_the_grain_is_read_from_the_dates_and_steps_are_one(times: list[str], grain: str):
    found = answer(over_time.trend(dated([1, 2, 3, 4, 5], times), "t", "v"), "trend")
    assert (found["grain"], found["slope"], found["warnings"]) == (grain, 1, [])


def test_a_clean_quarterly_pattern_is_found_with_its_effects():
    times = [f"{2021 + i // 4}-Q{i % 4 + 1}" for i in range(12)]
    values = [100 + 2 * i + [10, -10, 0, 0][i % 4] for i in range(12)]
    found = answer(over_time.seasonality(dated(values, times), "t", "v"), "seasonality")
    assert [round(s["effect"], 6) for s in found["seasons"]] == [10, -10, 0, 0]
    assert found["strength"] == pytest.approx(1)
    assert found["significant"]
    assert (found["peak"]["season"], found["trough"]["season"]) == (1, 2)


def test_monday_is_the_first_season_of_a_week():
    times = [f"2024-01-{day:02d}" for day in range(1, 22)]
    values = [50 if i % 7 == 0 else 10 + i % 3 for i in range(21)]
    found = answer(over_time.seasonality(dated(values, times), "t", "v"), "seasonality")
    assert found["peak"]["season"] == 1


def test_seasonality_needs_two_cycles():
    few = answer(over_time.seasonality(dated(list(range(23))), "t", "v"), "too_few")
    assert (few["n"], few["needed"], few["of"]) == (23, 24, "periods")
    straight = answer(over_time.seasonality(dated(list(range(24))), "t", "v"), "seasonality")
    assert not straight["significant"]


def test_years_have_no_cycle_unless_one_is_given():
    yearly = dated([1, 2, 1, 2, 1, 2], [str(2015 + i) for i in range(6)])
    with pytest.raises(InputRefused, match="cycle"):
        over_time.seasonality(yearly, "t", "v")
    assert answer(over_time.seasonality(yearly, "t", "v", cycle=2), "seasonality")["significant"]


def test_holes_in_the_cycle_are_said():
    times = [f"{y}-{m:02d}" for y in range(2018, 2024) for m in (1, 2, 3, 5)]
    gaps = answer(over_time.seasonality(dated(list(range(24)), times), "t", "v"), "not_applicable")
    assert gaps["reason"] == "gaps"


REGIONS: list[list[Cell]] = [
    ["서울", "전", 100], ["서울", "후", 160], ["부산", "전", 80], ["부산", "후", 60], ["광주", "후", 5],
    ["대구", "전", 20], ["제주", "다른 달", 999],
]  # fmt: skip


def test_contributions_say_who_moved_the_total():
    data = table({"r": "text", "p": "text", "v": "number"}, REGIONS)
    found = answer(contribution.contribution(data, ["r"], "v", "p", "전", "후"), "contribution")
    assert (found["before"], found["after"], found["change"], found["rate"]) == (200, 225, 25, 12.5)
    assert [(s["segment"], s["change"], s["status"]) for s in found["segments"]] == [
        ("서울", 60, "both"), ("대구", -20, "gone"), ("부산", -20, "both"), ("광주", 5, "new"),
    ]  # fmt: skip
    assert (found["increases"], found["decreases"]) == (65, -40)
    assert found["segments"][0]["points"] == 30
    assert found["segments"][0]["share_of_change"] == 240


def test_the_rest_is_one_segment_and_nothing_is_lost():
    data = table({"r": "text", "p": "text", "v": "number"}, REGIONS)
    found = answer(contribution.contribution(data, ["r"], "v", "p", "전", "후", top=2), "contribution")
    assert [s["segment"] for s in found["segments"]] == ["서울", "대구", contribution.OTHERS]
    assert sum(s["change"] for s in found["segments"]) == 25


def test_a_period_without_rows_is_too_few():
    data = table({"r": "text", "p": "text", "v": "number"}, REGIONS[:1])
    assert answer(contribution.contribution(data, ["r"], "v", "p", "전", "후"), "too_few")["needed"] == 2
    with pytest.raises(InputRefused, match="segment"):
        contribution.contribution(data, [], "v", "p", "전", "후")


cents = some.integers(-(10**11), 10**11).map(lambda n: n / 100)
won = some.integers(-(2**53), 2**53)


@settings(deadline=None)
@given(
    some.lists(
        some.tuples(some.sampled_from("abcde"), some.one_of(cents, won), some.one_of(cents, won)), min_size=1
    )
)
def test_contributions_always_add_up_exactly(rows: list[tuple[str, float, float]]):
    data = table({"r": "text", "a": "number", "b": "number"}, [list(row) for row in rows])
    for top in (None, 2):
        found = answer(contribution.contribution_of_columns(data, ["r"], "a", "b", top=top), "contribution")
        figures = [x for row in rows for x in row[1:]]
        # Figures leave as floats where they have cents: exact as long as 15 digits hold them.
        if all(isinstance(x, int) for x in figures) or all(abs(x) < 1e9 for x in figures):
            parts = [Decimal(str(s["change"])) for s in found["segments"]]
            change = Decimal(str(found["change"]))
            assert sum(parts) == change
            assert Decimal(str(found["increases"])) + Decimal(str(found["decreases"])) == change
        # A float holds 53 bits of the largest figure; what is lost below them cannot add up.
        unit = 1e-2 + max(abs(x) for x in figures) * 2**-50
        assert math.isclose(math.fsum(s["change"] for s in found["segments"]), found["change"], abs_tol=unit)


def test_correlation_is_exact_and_always_comes_with_a_warning():
    rows: list[list[Cell]] = [[1, 2], [2, 4], [3, 5], [4, 4], [5, 5], [None, 9], [9, math.nan]]
    found = answer(
        statistics.correlation(table({"x": "number", "y": "number"}, rows), "x", "y"), "correlation"
    )
    assert found["n"] == 5
    assert found["r"] == pytest.approx(0.7745966692)
    assert found["p"] == pytest.approx(0.12402706, abs=1e-7)
    assert found["rank_r"] == pytest.approx(0.7378647874)
    assert found["warnings"] == ["not_causation", "small_sample"]
    assert found["low"] < found["r"] < found["high"]


def test_one_far_point_is_warned_about():
    rows: list[list[Cell]] = [[i, [3, 1, 4, 1, 5, 9, 2, 6][i % 8]] for i in range(16)]
    rows.append([10_000, 10_000])
    found = answer(
        statistics.correlation(table({"x": "number", "y": "number"}, rows), "x", "y"), "correlation"
    )
    assert "few_points_decide" in found["warnings"]


def test_a_constant_column_correlates_with_nothing():
    rows: list[list[Cell]] = [[i, 1] for i in range(8)]
    data = table({"x": "number", "y": "number"}, rows)
    assert answer(statistics.correlation(data, "x", "y"), "not_applicable")["reason"] == "constant"


def test_shares_and_their_concentration():
    data = table({"r": "text", "v": "number"}, [["a", 50], ["b", 30], ["c", 20], ["a", 0]])
    found = answer(statistics.concentration(data, "r", "v", top=2), "concentration")
    assert [s["share"] for s in found["shares"]] == [50, 30, 20]
    assert (found["hhi"], found["top_share"], found["total"]) == (3800, 80, 100)
    negative = table({"r": "text", "v": "number"}, [["a", 50], ["b", -30]])
    assert (
        answer(statistics.concentration(negative, "r", "v"), "not_applicable")["reason"] == "negative_parts"
    )
    nothing = table({"r": "text", "v": "number"}, [["a", 0], ["b", 0]])
    assert answer(statistics.concentration(nothing, "r", "v"), "not_applicable")["reason"] == "no_base"


def test_comparison_and_achievement():
    found = answer(statistics.compare(110.1, 100), "comparison")
    assert (found["change"], round(found["rate"], 6)) == (10.1, 10.1)
    assert answer(statistics.compare(5, 0), "comparison")["rate"] is None
    assert answer(statistics.compare(5, -2), "comparison")["rate"] is None
    assert answer(statistics.compare(None, 5), "too_few")["n"] == 1
    assert answer(statistics.achievement(95, 100), "achievement")["rate"] == 95
    assert answer(statistics.achievement(95, 0), "not_applicable")["reason"] == "no_base"
    assert answer(statistics.achievement(math.nan, 100), "too_few")["needed"] == 2


@pytest.mark.parametrize("n", [0, 1, 4])
def test_too_few_values_are_answered_with_how_many_are_needed(n: int):
    pairs = table({"x": "number", "y": "number"}, [[i, i * i] for i in range(n)])
    for result in (
        statistics.distribution(one(list(range(n))), "v"),
        statistics.outliers(one(list(range(n))), "v"),
        over_time.trend(dated(list(range(n))), "t", "v"),
        statistics.correlation(pairs, "x", "y"),
    ):
        assert (answer(result, "too_few")["n"], answer(result, "too_few")["needed"]) == (n, 5)


anything = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(),
    some.floats(allow_nan=True, allow_infinity=True),
    some.text(max_size=3),
)


@settings(deadline=None)
@given(some.lists(anything, max_size=40))
def test_dirty_columns_never_break_a_statistic_or_its_json(values: list[Any]):
    data = table(
        {"v": "number", "w": "number", "s": "text"},
        [[v, w, str(v)] for v, w in zip(values, values[::-1], strict=True)],
    )
    results = [
        statistics.summary(data),
        statistics.distribution(data, "v"),
        statistics.outliers(data, "v", label="s"),
        statistics.correlation(data, "v", "w"),
        statistics.concentration(data, "s", "v"),
        contribution.contribution_of_columns(data, ["s"], "v", "w"),
        over_time.trend(dated(values), "t", "v"),
        over_time.seasonality(dated(values), "t", "v"),
    ]
    for result in results:
        answer(result, result["kind"])


@settings(deadline=None)
@given(some.lists(some.floats(-1e12, 1e12), min_size=5, max_size=200))
def test_bins_always_count_every_value(values: list[float]):
    found = answer(statistics.distribution(one(values), "v"), "distribution")
    assert sum(b["count"] for b in found["bins"]) == len(values)
    assert len(found["bins"]) <= 62


@settings(deadline=None)
@given(some.lists(some.integers(-1000, 1000), min_size=5, max_size=60))
def test_turning_a_series_round_turns_the_trend_round(values: list[int]):
    there = answer(over_time.trend(dated(values), "t", "v"), "trend")
    back = answer(over_time.trend(dated(values[::-1]), "t", "v"), "trend")
    assert there["p"] == pytest.approx(back["p"])
    assert there["slope"] == pytest.approx(-back["slope"])


def test_wrong_columns_dates_and_rows_are_refused_with_a_remedy():
    with pytest.raises(InputRefused, match="no column 'x': it has v"):
        statistics.outliers(one([1]), "x")
    with pytest.raises(InputRefused, match="no date"):
        over_time.trend(dated([1], ["gestern"]), "t", "v")
    with pytest.raises(InputRefused, match="no date"):
        over_time.trend(dated([1, 2], ["2024", "2024-01"]), "t", "v")
    with pytest.raises(InputRefused, match="Row 2"):
        statistics.outliers({"columns": one([])["columns"], "rows": [[1], [1, 2]]}, "v")


@pytest.mark.thorough
def test_engine_reaches_no_file_and_is_loaded_only_when_used():
    import duckdb

    with pytest.raises(duckdb.Error, match="disabled"):
        computing.ask("SELECT * FROM read_text('pyproject.toml')")
    with pytest.raises(duckdb.Error):
        computing.ask("SET enable_external_access = true")
    code = (
        "import sys, metaagent.level2.data_analysis.charts, metaagent.documents.export, "
        "metaagent.level2.data_analysis.insights\n"
        "heavy = {'duckdb', 'altair', 'vl_convert', 'xlsxwriter', 'fontTools'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_threads_share_the_engine_without_mixing_their_answers():
    def median(base: int) -> float:
        found = answer(statistics.distribution(one([base + i for i in range(101)]), "v"), "distribution")
        return found["median"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(median, range(0, 4000, 100))) == [base + 50 for base in range(0, 4000, 100)]
