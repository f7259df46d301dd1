"""Charts: the right kind, valid Vega-Lite with its own data, and pictures that hold what they should."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from metaagent.documents import chart_images
from metaagent.errors import InputRefused
from metaagent.level2.data_analysis import chart_parts, charts

if TYPE_CHECKING:
    from metaagent.documents.table import Cell, Column, ColumnType, Table
    from metaagent.language.particles import Language
    from metaagent.level2.data_analysis.charts import Question


def column(name: str, kind: ColumnType, label: str = "", unit: str = "", *, additive: bool = False) -> Column:
    return {"name": name, "label": label or name, "type": kind, "unit": unit, "additive": additive}


def table(columns: list[Column], rows: list[list[Cell]]) -> Table:
    return {"columns": columns, "rows": rows}


WON = column("v", "number", "매출", "won", additive=True)
REGION = column("r", "text", "지역")
MONTH = column("m", "date", "월")
TREND = table([MONTH, WON], [[f"2024-{m:02d}", m * 10**7] for m in range(1, 13)])
RANK = table([REGION, WON], [[f"지역{i}", (20 - i) * 10**7] for i in range(20)])
COMPARE = table(
    [REGION, column("a", "number", "작년", "won"), column("b", "number", "올해", "won")], [["서울", 1e8, 2e8]]
)
TWO_WAYS = table([REGION, column("d", "text"), WON], [[r, d, 1e6] for r in "가나다" for d in "월화수목금"])
VALUES = table([WON], [[i * i] for i in range(60)])
NOTHING = table([REGION, WON], [])


@pytest.mark.parametrize(
    ("data", "question", "kind"),
    [
        (TREND, "trend", "line"), (RANK, "rank", "bars"), (RANK, "share", "share"),
        (COMPARE, "compare", "grouped"),
        (VALUES, "distribution", "histogram"), (TWO_WAYS, "heatmap", "heatmap"), (NOTHING, "rank", "empty"),
        (TREND, None, "line"), (RANK, None, "bars"), (COMPARE, None, "grouped"), (TWO_WAYS, None, "heatmap"),
        (VALUES, None, "histogram"), (RANK, "trend", "bars"), (VALUES, "share", "histogram"),
        (TREND, "compare", "line"),
        (TREND, "rank", "bars"), (table([REGION], [["서울"]]), None, "empty"),
    ],
)  # fmt: skip
def test_the_kind_follows_the_question_and_the_shape(data: Table, question: Question | None, kind: str):
    assert charts.choose(data, question) == kind
    assert charts.build(data, question=question)["type"] == kind


CASES: list[tuple[Table, Question | None]] = [
    (TREND, "trend"), (RANK, "rank"), (RANK, "share"), (COMPARE, "compare"), (VALUES, "distribution"),
    (TWO_WAYS, "heatmap"), (NOTHING, None),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(("data", "question"), CASES)
def test_every_kind_is_valid_and_becomes_png_and_svg(
    data: Table, question: Question | None, language: Language
):
    chart = charts.build(data, question=question, language=language, title="제목 Title")
    charts.validate(chart["spec"])
    assert chart_images.render_png(chart["spec"])[:8] == b"\x89PNG\r\n\x1a\n"
    svg = chart_images.render_svg(chart["spec"])
    assert 'aria-label="제목 Title"' in svg
    # Text is outlines: no font of the reader's machine is asked for.
    assert "<text" not in svg
    assert "font-family" not in svg
    assert len(re.findall(r"<path [^>]*d=", svg)) > 5


def rows_of(chart: Any) -> list[dict[str, Any]]:
    return chart["spec"]["data"]["values"]


def test_many_categories_are_grouped_and_the_sum_stays():
    steep = table([REGION, WON], [[f"지역{i}", (20 - i) * 10**7 if i < 11 else 10**6] for i in range(20)])
    rows = rows_of(charts.build(steep, question="rank"))
    assert len(rows) == chart_parts.TOP_BARS
    assert rows[-1]["category"] == "그 외 (9)"
    assert sum(row["value"] for row in rows) == sum((20 - i) * 10**7 for i in range(11)) + 9 * 10**6
    assert rows[0]["label"] == "2억 원"


def test_rates_are_never_added_up():
    data = table(
        [REGION, column("v", "number", "달성률", "percent")], [[f"지역{i}", 90.0 + i] for i in range(20)]
    )
    chart = charts.build(data, question="rank")
    assert len(rows_of(chart)) == chart_parts.TOP_BARS
    assert chart["notes"] == ["전체 20곳 중 12곳만 표시"]
    assert chart["spec"]["title"]["subtitle"] == chart["notes"]
    assert charts.build(data, question="share")["spec"]["layer"][0]["mark"]["type"] == "bar"


def test_negative_parts_are_bars_not_shares():
    data = table([REGION, WON], [["서울", 5e7], ["부산", -3e7]])
    chart = charts.build(data, question="share")
    assert chart["spec"]["layer"][0]["mark"]["type"] == "bar"
    assert [row["colour"] for row in rows_of(chart)] == [chart_parts.PALETTE[0], chart_parts.PALETTE[1]]
    low, high = chart["spec"]["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low < -3e7
    assert high > 5e7


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("data", "question"),
    [
        (table([MONTH, WON], [["2024-05", 1.2e8]]), "trend"),
        (table([REGION, WON], [["서울", 0]]), "rank"),
        (table([REGION, WON], [[None, None], ["", 3]]), "rank"),
        (table([MONTH, WON], [[None, None]]), "trend"),
        (table([WON], [[1], [2]]), "distribution"),
        (table([REGION, WON], [["가" * 300, 1], ["a'\"<&]]>", -1]]), "rank"),
        (table([REGION, column("d", "text"), WON], [["가", "나", None]]), "heatmap"),
        (table([MONTH, REGION, WON], [["2024-05", f"지역{i}", i] for i in range(30)]), "trend"),
        (
            table(
                [REGION, column("d", "text"), WON],
                [[f"{i}", f"{j}", i - j] for i in range(40) for j in range(40)],
            ),
            "heatmap",
        ),
    ],
)
def test_empty_single_and_odd_points_still_make_a_picture(data: Table, question: Question):
    chart = charts.build(data, question=question, title="<b>제목 & title")
    charts.validate(chart["spec"])
    assert len(chart_images.render_png(chart["spec"])) > 500
    assert chart_images.render_svg(chart["spec"]).startswith("<svg")


anything = some.one_of(some.none(), some.integers(-(10**12), 10**12), some.floats(), some.text(max_size=2))


@settings(deadline=None)
@given(some.lists(some.tuples(some.one_of(some.none(), some.text(max_size=3)), anything), max_size=30))
def test_no_data_however_odd_break_the_spec(rows: list[tuple[str | None, Any]]):
    data = table([REGION, WON], [list(row) for row in rows])
    questions: list[Question] = ["rank", "share", "compare", "distribution"]
    for question in questions:
        assert json.dumps(charts.build(data, question=question)["spec"], allow_nan=False)


def labels(svg: str) -> list[str]:
    return re.findall(r'aria-label="([^"]*)"', svg)


def test_axes_speak_the_language_of_the_reader():
    korean = labels(chart_images.render_svg(charts.build(TREND, title="추이")["spec"]))
    assert "1억" in korean
    assert "24년 12월" in korean
    assert "매출 (원)" in korean
    english = labels(chart_images.render_svg(charts.build(TREND, language="en", title="Trend")["spec"]))
    assert "100M" in english
    assert "Dec 2024" in english
    assert "매출 (KRW)" in english


@pytest.mark.parametrize(
    ("times", "shown"),
    [
        (["2023-Q4", "2024-Q1"], "24년 1분기"),
        (["2023", "2024"], "2024년"),
        (["2024-03-04", "2024-03-05"], "3월 5일"),
        (["2024-W09", "2024-W10"], "3월 4일"),
    ],
)
def test_periods_are_named_by_their_grain(times: list[str], shown: str):
    data = table([MONTH, WON], [[t, i] for i, t in enumerate(times)])
    assert shown in labels(chart_images.render_svg(charts.build(data)["spec"]))


def test_signs_that_the_font_lacks_stay_text():
    svg = chart_images.render_svg(charts.build(RANK, question="rank", title="매출 🚀")["spec"])
    assert "<text" in svg
    assert "🚀" in svg


def contrast(colour: str, other: str = "#FFFFFF") -> float:
    def luminance(text: str) -> float:
        parts = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(colour), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_marks_and_text_have_enough_contrast_on_white():
    assert all(contrast(colour) >= 3 for colour in (*chart_parts.PALETTE, chart_parts.OTHERS_COLOUR))
    assert all(contrast(colour) >= 4.5 for colour in (chart_parts.INK, chart_parts.QUIET))
    assert all(a != b for a, b in pairwise(chart_parts.PALETTE))


@pytest.mark.parametrize(
    "spec",
    [
        {"data": {"url": "https://example.org/data.csv"}, "mark": "bar"},
        {"data": {"values": []}, "layer": [{"data": {"url": "file:///etc/passwd"}, "mark": "bar"}]},
        {
            "data": {"values": []},
            "mark": "image",
            "encoding": {"url": {"value": "https://example.org/x.png"}},
        },
        {"data": {"values": []}, "mark": {"type": "bar", "href": "javascript:alert(1)"}},
    ],
)
def test_a_chart_never_reaches_outside(spec: dict[str, Any]):
    for render in (chart_images.render_png, chart_images.render_svg):
        with pytest.raises(InputRefused, match=r"data\.values"):
            render(spec)


def test_column_named_url_is_drawn_and_too_many_rows_are_refused():
    named = {"data": {"values": [{"url": "a", "n": 1}]}, "mark": "bar", "encoding": {"x": {"field": "n"}}}
    assert chart_images.render_png(named)
    many = {"data": {"values": [{}] * (chart_images.LARGEST_SPEC + 1)}, "mark": "bar"}
    with pytest.raises(InputRefused, match="20000"):
        chart_images.render_png(many)


def test_a_visualization_is_what_the_state_keeps():
    chart = charts.build(RANK, question="rank", title="순위")
    found = charts.visualization(chart["type"], chart["spec"], "artifact:1")
    assert set(found) == {"type", "data", "config", "image_url"}
    assert found["type"] == "bars"
    assert "data" not in found["config"]
    assert len(found["data"]) == chart_parts.TOP_BARS
