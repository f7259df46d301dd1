"""The right picture for a table: one Vega-Lite spec with its own data, for the page, for PNG, SVG and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from metaagent.documents.chart_images import FONT
from metaagent.documents.table import Table, cells, check, of_type
from metaagent.language.particles import Language
from metaagent.level2.data_analysis import chart_bars, chart_grids, chart_lines
from metaagent.level2.data_analysis.chart_bars import same_unit
from metaagent.level2.data_analysis.chart_parts import GRID, INK, QUIET, Sketch, Spec

Question: TypeAlias = Literal["trend", "rank", "share", "compare", "distribution", "heatmap"]
Kind: TypeAlias = Literal["line", "bars", "share", "grouped", "panels", "histogram", "heatmap", "empty"]


class Chart(TypedDict):
    type: Kind
    spec: Spec
    notes: list[str]


def choose(table: Table, question: Question | None = None) -> Kind:
    """The kind that answers the question, if the table has its columns; otherwise what its shape asks for."""
    dates, names, numbers = (len(of_type(table, kind)) for kind in ("date", "text", "number"))
    if not numbers or not table["rows"]:
        return "empty"
    possible: dict[Question, Kind | None] = {
        "trend": "line" if dates else None,
        "rank": _ranking_kind(table) if names or dates else None,
        "share": "share" if names else None,
        "compare": _comparison_kind(table, names, dates, numbers),
        "distribution": "histogram",
        "heatmap": "heatmap" if names + dates >= 2 else None,
    }
    return (possible[question] if question else None) or _by_shape(table, dates, names, numbers)


def _ranking_kind(table: Table) -> Kind:
    """Figures of different units have no common axis."""
    return "bars" if same_unit(of_type(table, "number")) else "panels"


def _comparison_kind(table: Table, names: int, dates: int, numbers: int) -> Kind | None:
    if names and numbers >= 2 and not dates and not same_unit(of_type(table, "number")):
        return "panels"
    if names and (numbers >= 2 or names >= 2):
        return "grouped"
    return "line" if dates else "bars" if names else None


def _by_shape(table: Table, dates: int, names: int, numbers: int) -> Kind:
    if dates:
        return "line"
    if names >= 2:
        second = {str(cell) for cell in cells(table, of_type(table, "text")[1]["name"])}
        return "grouped" if len(second) <= 4 else "heatmap"
    if names:
        return "bars" if numbers < 2 else "grouped" if same_unit(of_type(table, "number")) else "panels"
    return "histogram"


def build(
    table: Table,
    *,
    question: Question | None = None,
    language: Language = "ko",
    title: str = "",
    ordered: bool = False,
    partial: Sequence[str] = (),
) -> Chart:
    """The chart for a question. `ordered` keeps the order of the rows, `partial` names periods that are not complete."""
    check(table)
    kind = choose(table, question)
    sketch = Sketch(table, language, title, ordered=ordered, partial=partial)
    body = _BUILDERS[kind](sketch)
    if not body["data"]["values"] and kind != "empty":
        kind, body = "empty", _empty(sketch)
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": title or kind,
        "title": _title(sketch),
        "background": "white",
        "padding": 16,
        **body,
        "config": _CONFIG,
    }
    return {"type": kind, "spec": spec, "notes": sketch.notes}


def visualization(kind: str, spec: Spec, image_url: str | None = None) -> dict[str, Any]:
    """The item of `visualizations` in the agent's state; `config` is the spec without its rows."""
    config = {key: value for key, value in spec.items() if key != "data"}
    return {"type": kind, "data": spec["data"]["values"], "config": config, "image_url": image_url}


def validate(spec: Spec) -> None:
    """Raises where the spec is not Vega-Lite; slow (altair's whole schema), for tests and plugins' charts."""
    import altair

    altair.Chart.from_dict(spec)


_CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": QUIET, "titleColor": QUIET, "labelFontSize": 12, "titleFontSize": 12,
        "titleFontWeight": "normal", "labelFontWeight": "normal", "gridColor": GRID, "domainColor": "#9AA0A6",
        "tickColor": "#9AA0A6", "titlePadding": 10, "labelPadding": 6,
    },
    "legend": {
        "labelColor": INK, "titleColor": QUIET, "labelFontSize": 12, "titleFontWeight": "normal",
        "labelLimit": 260, "symbolSize": 120,
    },
    "title": {
        "anchor": "start", "color": INK, "fontSize": 17, "fontWeight": "normal", "offset": 14,
        "subtitleColor": QUIET, "subtitleFontSize": 12, "subtitlePadding": 6,
    },
}  # fmt: skip


def _title(sketch: Sketch) -> Spec:
    title: Spec = {"text": _wrapped(sketch.title, 42 if sketch.language == "ko" else 64)}
    return title | {"subtitle": sketch.notes} if sketch.notes else title


def _wrapped(text: str, width: int) -> list[str] | str:
    lines: list[str] = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if len(lines) > 1 else lines[0]


def _empty(sketch: Sketch) -> Spec:
    text = sketch.word("empty")
    return {
        "data": {"values": [{"text": text}]}, "width": 520, "height": 120,
        "mark": {"type": "text", "fontSize": 14, "color": QUIET, "limit": 500},
        "encoding": {"text": {"field": "text"}},
    }  # fmt: skip


_BUILDERS = {
    "line": chart_lines.line,
    "bars": chart_bars.bars,
    "share": chart_bars.share,
    "grouped": chart_bars.grouped,
    "panels": chart_bars.panels,
    "histogram": chart_grids.histogram,
    "heatmap": chart_grids.heatmap,
    "empty": _empty,
}
