"""Charts of a course over time, with periods that are not complete set apart."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

from metaagent.documents.table import Column, cells, of_type, times
from metaagent.level2.data_analysis.chart_bars import same_unit
from metaagent.level2.data_analysis.chart_parts import (
    INK,
    Row,
    Sketch,
    Spec,
    gathered,
    names_of,
    number_axis,
    series_colours,
)

DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3])
TOP_SERIES = 6
MOST_FIGURES = 2


def line(sketch: Sketch) -> Spec:
    """One line, several lines of one unit, or one panel for each unit."""
    numbers = of_type(sketch.table, "number")
    grain, places = times(sketch.table, of_type(sketch.table, "date")[0]["name"])
    groups = _by_unit(numbers)[:MOST_FIGURES]
    made = [_panel(sketch, columns, grain, places, index) for index, columns in enumerate(groups)]
    rows = [row for found, _ in made for row in found]
    if len(made) == 1 or not rows:
        return {"data": {"values": rows}, **made[0][1]}
    for found, panel in made:
        panel["transform"] = [{"filter": f"datum.panel == {found[0]['panel'] if found else -1}"}]
        panel["height"] = 190
    return {"data": {"values": rows}, "vconcat": [panel for found, panel in made if found], "spacing": 18}


def _by_unit(numbers: list[Column]) -> list[list[Column]]:
    groups: list[list[Column]] = []
    for column in numbers:
        fitting = next((group for group in groups if same_unit([group[0], column])), None)
        if fitting is None:
            groups.append([column])
        else:
            fitting.append(column)
    return groups


def _panel(
    sketch: Sketch, columns: list[Column], grain: str, places: list[int | None], panel: int
) -> tuple[list[Row], Spec]:
    rows, series = _line_rows(sketch, columns, grain, places, panel)
    if not rows:
        return [], {}
    column = columns[0]
    values = [row["value"] for row in rows]
    moments = sorted({row["time"] for row in rows})
    step = math.ceil(len(moments) / (8 if sketch.language == "ko" else 7))
    ticks = [_moment(time) for time in moments[::-1][::step]]
    x = {
        "field": "time", "type": "temporal", "scale": {"padding": 24},
        "axis": {
            "title": None, "values": ticks, "grid": False, "labelFlush": False, "labelOverlap": True,
            "labelExpr": _TIME_LABELS[grain][sketch.language == "en"],
        },
    }  # fmt: skip
    from_zero = len(values) == 1 or min(values) <= 0.6 * max(values)
    title = {"title": None} if len(columns) > 1 else {}
    y = {
        "field": "value", "type": "quantitative", "scale": {"zero": from_zero, "nice": True},
        "axis": number_axis(sketch, column, values, **title),
    }  # fmt: skip
    colour = _by_series(series, series_colours(series))
    encoding: Spec = {"x": x, "y": y, "color": colour}
    return rows, {"width": 600, "height": 300, "layer": _layers(encoding, series, len(moments))}


def _layers(encoding: Spec, series: list[str], moments: int) -> list[Spec]:
    """Solid lines through complete periods, dots to those that are not, and points that show which is which."""
    solid = (
        encoding
        if len(series) == 1
        else encoding | {"strokeDash": _by_series(series, list(DASHES[: len(series)]))}
    )
    stroke = {"type": "line", "strokeWidth": 2.5}
    layers: list[Spec] = [
        {"transform": [{"filter": "!datum.partial"}], "mark": stroke, "encoding": solid},
        *(
            {
                "transform": [{"filter": f"datum.{end}"}],
                "mark": stroke | {"strokeDash": [2, 4], "opacity": 0.8},
                "encoding": encoding,
            }
            for end in ("head", "tail")
        ),
    ]
    dots = {"type": "point", "size": 45, "opacity": 1}
    if moments <= 40:
        layers.append(
            {
                "transform": [{"filter": "!datum.partial"}],
                "mark": dots | {"filled": True},
                "encoding": encoding,
            }
        )
    hollow = dots | {"filled": True, "fill": "white", "size": 60, "strokeWidth": 2}
    edge = encoding | {"stroke": encoding["color"] | {"legend": None}}
    edge.pop("color")
    layers.append({"transform": [{"filter": "datum.partial"}], "mark": hollow, "encoding": edge})
    if len(series) == 1:
        layers += [_marked_points(encoding["x"], encoding["y"], side) for side in ("above", "right")]
    return layers


def _line_rows(
    sketch: Sketch, columns: list[Column], grain: str, places: list[int | None], panel: int
) -> tuple[list[Row], list[str]]:
    texts = of_type(sketch.table, "text")
    named = names_of(sketch, texts) if texts else [""] * len(places)
    points: dict[tuple[str, int], float] = {}
    for column in columns:
        for (name, place), value in gathered(sketch, list(zip(named, places, strict=True)), column).items():
            series = " · ".join(filter(None, (name, column["label"] if len(columns) > 1 or not name else "")))
            if place is not None:
                points[series, place] = value
    series = _line_series(sketch, points)
    names = cells(sketch.table, of_type(sketch.table, "date")[0]["name"])
    unfinished = {
        p for p, name in zip(places, names, strict=True) if p is not None and str(name) in sketch.partial
    }
    rows: list[Row] = [
        {"series": s, "time": _day(grain, p), "value": v, "label": "", "side": "above", "panel": panel,
         "partial": p in unfinished, "head": False, "tail": False}
        for (s, p), v in sorted(points.items(), key=lambda item: item[0][1])
        if s in series
    ]  # fmt: skip
    for name in series:
        _set_apart([row for row in rows if row["series"] == name])
    if any(row["partial"] for row in rows):
        sketch.note("partial")
    if len(series) == 1 and rows:
        _mark_ends(sketch, columns[0], rows)
    return rows, series


def _set_apart(rows: list[Row]) -> None:
    """Marks the incomplete ends of one line, each with the complete point that it hangs on."""
    whole = [index for index, row in enumerate(rows) if not row["partial"]]
    if not whole or len(whole) == len(rows):
        return
    for row in rows[: whole[0] + 1] if whole[0] else []:
        row["head"] = True
    for row in rows[whole[-1] :] if whole[-1] < len(rows) - 1 else []:
        row["tail"] = True


def _line_series(sketch: Sketch, points: dict[tuple[str, int], float]) -> list[str]:
    """The lines that reach highest; they are compared by their largest point, not by a sum."""
    size: dict[str, float] = {}
    for (name, _), value in points.items():
        size[name] = max(size.get(name, 0), abs(value))
    ordered = sorted(size, key=lambda name: -size[name])
    if len(ordered) > TOP_SERIES:
        sketch.left_out(TOP_SERIES, len(ordered))
    return ordered[:TOP_SERIES]


def _mark_ends(sketch: Sketch, column: Column, rows: list[Row]) -> None:
    """Labels beside the last point and above the highest of the complete ones."""
    last = len(rows) - 1
    whole = [index for index, row in enumerate(rows) if not row["partial"]] or [last]
    highest = max(whole, key=lambda i: rows[i]["value"])
    rows[last]["label"] = sketch.show(rows[last]["value"], column)
    rows[last]["side"] = "right"
    if highest != last:
        rows[highest]["label"] = sketch.show(rows[highest]["value"], column)


_TIME_LABELS: dict[str, tuple[str, str]] = {
    "year": ("timeFormat(datum.value, '%Y년')", "timeFormat(datum.value, '%Y')"),
    "quarter": (
        "timeFormat(datum.value, '%y년 ') + quarter(datum.value) + '분기'",
        "'Q' + quarter(datum.value) + timeFormat(datum.value, ' %Y')",
    ),
    "month": ("timeFormat(datum.value, '%y년 %-m월')", "timeFormat(datum.value, '%b %Y')"),
    "week": ("timeFormat(datum.value, '%-m월 %-d일')", "timeFormat(datum.value, '%b %-d')"),
    "day": ("timeFormat(datum.value, '%-m월 %-d일')", "timeFormat(datum.value, '%b %-d')"),
}


def _day(grain: str, place: int) -> str:
    """The first day of a period, in the chart's own (local, zoneless) time."""
    if grain == "year":
        first = date(place, 1, 1)
    elif grain in ("quarter", "month"):
        per_year = 4 if grain == "quarter" else 12
        first = date(place // per_year, place % per_year * (12 // per_year) + 1, 1)
    else:
        first = date.fromordinal(place * 7 + 1 if grain == "week" else place)
    return f"{first.isoformat()}T00:00:00"


def _moment(time: str) -> Spec:
    year, month, day = (int(part) for part in time[:10].split("-"))
    return {"year": year, "month": month, "date": day}


def _by_series(series: list[str], looks: list[Any]) -> Spec:
    legend = {
        "title": None, "orient": "top", "direction": "horizontal", "columns": 4, "symbolType": "stroke",
        "symbolSize": 500, "symbolStrokeWidth": 2.5,
    }  # fmt: skip
    return {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": series, "range": looks},
        "sort": series,
        "legend": legend if len(series) > 1 else None,
    }


_PLACES: dict[str, Spec] = {"above": {"dy": -14}, "right": {"align": "left", "dx": 9, "baseline": "middle"}}


def _marked_points(x: Spec, y: Spec, side: str) -> Spec:
    return {
        "transform": [{"filter": f"datum.label != '' && datum.side == '{side}'"}],
        "mark": {"type": "text", "fontSize": 12, "color": INK, **_PLACES[side]},
        "encoding": {"x": x, "y": y, "text": {"field": "label"}},
    }
