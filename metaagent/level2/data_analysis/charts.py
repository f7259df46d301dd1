"""The right picture for a table: one Vega-Lite spec with its own data, for the page, for PNG and for SVG."""

from __future__ import annotations

import math
from datetime import date
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from metaagent.language.particles import Language
from metaagent.level2.data_analysis import statistics
from metaagent.level2.data_analysis.chart_parts import (
    ADDITIVE,
    DASHES,
    GRID,
    GROUPS,
    HEAT,
    HEAT_BOTH_WAYS,
    HEAT_COLUMNS,
    HEAT_ROWS,
    INK,
    OTHERS_COLOUR,
    PALETTE,
    QUIET,
    TOP_BARS,
    TOP_PARTS,
    TOP_SERIES,
    Row,
    Sketch,
    Spec,
    blend,
    category_of,
    is_dark,
    largest,
    names_in,
    number_axis,
    padded,
    top_parts,
    total_by,
)
from metaagent.level2.data_analysis.format import format_value, unit_label, unit_of
from metaagent.level2.data_analysis.rendering import FONT, render_png, render_svg
from metaagent.level2.data_analysis.table import Column, Table, cells, check, number, of_type, times

__all__ = ["Chart", "build", "choose", "render_png", "render_svg", "visualization"]

Question: TypeAlias = Literal["trend", "rank", "share", "compare", "distribution", "heatmap"]
Kind: TypeAlias = Literal["line", "bars", "share", "grouped", "histogram", "heatmap", "empty"]


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
        "rank": "bars" if names or dates else None,
        "share": "share" if names else None,
        "compare": _comparison_kind(names, dates, numbers),
        "distribution": "histogram",
        "heatmap": "heatmap" if names + dates >= 2 else None,
    }
    return (possible[question] if question else None) or _by_shape(table, dates, names, numbers)


def _comparison_kind(names: int, dates: int, numbers: int) -> Kind | None:
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
        return "grouped" if numbers >= 2 and _same_unit(of_type(table, "number")) else "bars"
    return "histogram"


def _same_unit(columns: list[Column]) -> bool:
    return len({unit_of(column.get("unit")) for column in columns}) == 1


def build(
    table: Table, *, question: Question | None = None, language: Language = "ko", title: str = ""
) -> Chart:
    check(table)
    kind = choose(table, question)
    sketch = Sketch(table, language, title)
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


def visualization(chart: Chart, image_url: str | None = None) -> dict[str, Any]:
    """The item of `visualizations` in the agent's state; `config` is the spec without its rows."""
    spec = chart["spec"]
    config = {key: value for key, value in spec.items() if key != "data"}
    return {"type": chart["type"], "data": spec["data"]["values"], "config": config, "image_url": image_url}


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


def _bars(sketch: Sketch) -> Spec:
    column, category = of_type(sketch.table, "number")[0], category_of(sketch)
    parts = total_by(sketch, names_in(sketch, category), column["name"])
    rows: list[Row] = [
        {
            "category": name, "value": value, "label": sketch.show(value, column),
            "colour": OTHERS_COLOUR if rest else PALETTE[0] if value >= 0 else PALETTE[1],
        }
        for name, value, rest in top_parts(sketch, parts, TOP_BARS, column)
    ]  # fmt: skip
    values = [row["value"] for row in rows]
    y = {
        "field": "category", "type": "nominal", "sort": None, "scale": {"paddingInner": 0.3},
        "axis": {"title": None, "labelLimit": 240, "labelColor": INK, "ticks": False, "domain": False},
    }  # fmt: skip
    x = {
        "field": "value", "type": "quantitative", "scale": {"domain": padded(values), "nice": False},
        "axis": number_axis(sketch, column, values),
    }  # fmt: skip
    return {
        "data": {"values": rows}, "width": 520, "height": {"step": 32},
        "layer": [
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2},
                "encoding": {"y": y, "x": x, "color": {"field": "colour", "type": "nominal", "scale": None}},
            },
            *_end_labels(y, x),
        ],
    }  # fmt: skip


def _end_labels(y: Spec, x: Spec, **more: Spec) -> list[Spec]:
    return [
        {
            "transform": [{"filter": f"datum.value {'>=' if positive else '<'} 0"}],
            "mark": {
                "type": "text", "align": "left" if positive else "right", "dx": 5 if positive else -5,
                "baseline": "middle", "fontSize": 12, "color": INK,
            },
            "encoding": {"y": y, "x": x, "text": {"field": "label"}, **more},
        }
        for positive in (True, False)
    ]  # fmt: skip


def _share(sketch: Sketch) -> Spec:
    column, category = of_type(sketch.table, "number")[0], category_of(sketch)
    parts = total_by(sketch, names_in(sketch, category), column["name"])
    whole = math.fsum(parts.values())
    if not parts or min(parts.values()) < 0 or whole <= 0 or unit_of(column.get("unit")) not in ADDITIVE:
        # A negative part, or a rate, has no share of a whole.
        return _bars(sketch)
    rows: list[Row] = [
        {
            "part": f"{name}  {format_value(value / whole * 100, 'percent', sketch.language)}",
            "value": value, "colour": OTHERS_COLOUR if rest else PALETTE[index], "order": index,
        }
        for index, (name, value, rest) in enumerate(top_parts(sketch, parts, TOP_PARTS, column))
    ]  # fmt: skip
    order = [row["part"] for row in rows]
    colours = {"domain": order, "range": [row["colour"] for row in rows]}
    legend = {"title": None, "orient": "right", "labelFontSize": 13, "rowPadding": 8, "symbolType": "square"}
    ring = {"type": "arc", "innerRadius": 70, "outerRadius": 125, "stroke": "white", "strokeWidth": 2}
    theta = {"field": "value", "type": "quantitative", "stack": True}
    return {
        "data": {"values": rows}, "width": 260, "height": 260,
        "layer": [
            {
                "mark": ring,
                "encoding": {
                    "theta": theta, "order": {"field": "order", "type": "quantitative"},
                    "color": {
                        "field": "part", "type": "nominal", "scale": colours, "sort": order, "legend": legend,
                    },
                },
            },
            _middle(column["label"], -12, 12, QUIET),
            _middle(sketch.show(whole, column), 10, 18, INK),
        ],
    }  # fmt: skip


def _middle(text: str, dy: int, size: int, colour: str) -> Spec:
    mark = {"type": "text", "text": text, "dy": dy, "fontSize": size, "color": colour, "limit": 130}
    return {"data": {"values": [{}]}, "mark": mark}


def _grouped(sketch: Sketch) -> Spec:
    column, rows, series = _comparison_rows(sketch)
    values = [row["value"] for row in rows]
    # Several columns share the axis: it carries their unit, not the name of the first.
    unit = unit_label(column.get("unit"), sketch.language)
    title = {} if len(of_type(sketch.table, "text")) >= 2 else {"title": unit or None}
    colours = {"domain": series, "range": _series_colours(series)}
    y = {
        "field": "category", "type": "nominal", "sort": None, "scale": {"paddingInner": 0.25},
        "axis": {"title": None, "labelLimit": 240, "labelColor": INK, "ticks": False, "domain": False},
    }  # fmt: skip
    x = {
        "field": "value", "type": "quantitative", "scale": {"domain": padded(values), "nice": False},
        "axis": number_axis(sketch, column, values, **title),
    }  # fmt: skip
    offset = {"yOffset": {"field": "series", "sort": series}}
    legend = {"title": None, "orient": "top", "direction": "horizontal", "columns": 4}
    colour = {"field": "series", "type": "nominal", "scale": colours, "sort": series, "legend": legend}
    return {
        "data": {"values": rows}, "width": 520, "height": {"step": 22, "for": "offset"},
        "layer": [
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2},
                "encoding": {"y": y, "x": x, **offset, "color": colour},
            },
            *_end_labels(y, x, **offset),
        ],
    }  # fmt: skip


def _comparison_rows(sketch: Sketch) -> tuple[Column, list[Row], list[str]]:
    """Series are the second text column's values, or several number columns of one unit."""
    texts, numbers = of_type(sketch.table, "text"), of_type(sketch.table, "number")
    category, column = names_in(sketch, texts[0]), numbers[0]
    if len(texts) >= 2:
        second = names_in(sketch, texts[1])
        keys = list(zip(category, second, strict=True))
        found = [
            (c, s, x)
            for (c, s), x in zip(keys, map(number, cells(sketch.table, column["name"])), strict=True)
        ]
    else:
        alike = [c for c in numbers if _same_unit([c, column])]
        found = [
            (name, c["label"], x)
            for c in alike
            for name, x in zip(category, map(number, cells(sketch.table, c["name"])), strict=True)
        ]
    sums: dict[tuple[str, str], float] = {}
    for name, series, x in found:
        if x is not None:
            sums[name, series] = sums.get((name, series), 0) + x
    names, all_series = list(dict.fromkeys(c for c, _ in sums)), list(dict.fromkeys(s for _, s in sums))
    kept, shown = largest(names, sums, 0, GROUPS), largest(all_series, sums, 1, len(PALETTE))
    if len(kept) < len(names):
        sketch.left_out(len(kept), len(names))
    if len(shown) < len(all_series):
        sketch.left_out(len(shown), len(all_series))
    rows: list[Row] = [
        {"category": c, "series": s, "value": sums[c, s], "label": sketch.show(sums[c, s], column)}
        for c in kept
        for s in shown
        if (c, s) in sums
    ]
    return column, rows, shown


def _series_colours(series: list[str]) -> list[str]:
    return [PALETTE[i % len(PALETTE)] for i in range(len(series))]


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


def _line(sketch: Sketch) -> Spec:
    column = of_type(sketch.table, "number")[0]
    grain, places = times(sketch.table, of_type(sketch.table, "date")[0]["name"])
    rows, series = _line_rows(sketch, column, grain, places)
    if not rows:
        return {"data": {"values": []}}
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
    y = {
        "field": "value", "type": "quantitative", "scale": {"zero": from_zero, "nice": True},
        "axis": number_axis(sketch, column, values),
    }  # fmt: skip
    several = len(series) > 1
    encoding: Spec = {"x": x, "y": y, "color": _by_series(series, _series_colours(series))}
    if several:
        encoding["strokeDash"] = _by_series(series, list(DASHES[: len(series)]))
    layers: list[Spec] = [{"mark": {"type": "line", "strokeWidth": 2.5}, "encoding": encoding}]
    if len(moments) <= 40:
        dots = {"type": "point", "filled": True, "size": 45, "opacity": 1}
        layers.append({"mark": dots, "encoding": encoding | {"strokeDash": {"value": [1, 0]}}})
    if not several:
        layers += [_marked_points(x, y, side) for side in ("above", "right")]
    return {"data": {"values": rows}, "width": 600, "height": 300, "layer": layers}


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


def _line_rows(
    sketch: Sketch, column: Column, grain: str, places: list[int | None]
) -> tuple[list[Row], list[str]]:
    names = of_type(sketch.table, "text")
    keys = names_in(sketch, names[0]) if names else [column["label"]] * len(places)
    sums: dict[tuple[str, int], list[float]] = {}
    for key, place, cell in zip(keys, places, cells(sketch.table, column["name"]), strict=True):
        x = number(cell)
        if place is not None and x is not None:
            sums.setdefault((key, place), []).append(x)
    points = {at: statistics.total(values) for at, values in sums.items()}
    series = _line_series(sketch, points)
    rows: list[Row] = [
        {"series": s, "time": _day(grain, p), "value": v, "label": "", "side": "above"}
        for (s, p), v in sorted(points.items(), key=lambda item: item[0][1])
        if s in series
    ]
    if len(series) == 1 and rows:
        _mark_ends(sketch, column, rows)
    return rows, series


def _line_series(sketch: Sketch, points: dict[tuple[str, int], float]) -> list[str]:
    size: dict[str, float] = {}
    for (name, _), value in points.items():
        size[name] = size.get(name, 0) + abs(value)
    ordered = sorted(size, key=lambda name: -size[name])
    if len(ordered) > TOP_SERIES:
        sketch.left_out(TOP_SERIES, len(ordered))
    return ordered[:TOP_SERIES]


def _mark_ends(sketch: Sketch, column: Column, rows: list[Row]) -> None:
    """Labels beside the last point and above the highest."""
    last = len(rows) - 1
    highest = max(range(len(rows)), key=lambda i: rows[i]["value"])
    rows[last]["label"] = sketch.show(rows[last]["value"], column)
    rows[last]["side"] = "right"
    if highest != last:
        rows[highest]["label"] = sketch.show(rows[highest]["value"], column)


def _histogram(sketch: Sketch) -> Spec:
    column = of_type(sketch.table, "number")[0]
    found = statistics.distribution(sketch.table, column["name"])
    if found["kind"] == "too_few":
        return {"data": {"values": []}}
    rows: list[Row] = [{"low": b["low"], "high": b["high"], "count": b["count"]} for b in found["bins"]]
    edges = [row["low"] for row in rows] + [rows[-1]["high"]]
    x_axis = number_axis(sketch, column, edges, grid=False) | {
        "domain": True,
        "tickCount": 8,
        "labelFlush": False,
    }
    return {
        "data": {"values": rows}, "width": 600, "height": 300,
        "mark": {"type": "bar", "color": PALETTE[0], "stroke": "white", "strokeWidth": 1},
        "encoding": {
            "x": {
                "field": "low", "type": "quantitative", "axis": x_axis,
                "scale": {"domain": [edges[0], edges[-1]], "nice": False, "zero": False},
            },
            "x2": {"field": "high"},
            "y2": {"datum": 0},
            "y": {
                "field": "count", "type": "quantitative",
                "axis": {"title": sketch.word("count"), "tickMinStep": 1, "domain": False, "format": ",d"},
            },
        },
    }  # fmt: skip


def _heatmap(sketch: Sketch) -> Spec:
    column = of_type(sketch.table, "number")[0]
    down, across = (of_type(sketch.table, "text") + of_type(sketch.table, "date"))[:2]
    sums: dict[tuple[str, str], float] = {}
    for a, b, cell in zip(
        names_in(sketch, down), names_in(sketch, across), cells(sketch.table, column["name"]), strict=True
    ):
        x = number(cell)
        if x is not None:
            sums[a, b] = sums.get((a, b), 0) + x
    rows_all, columns_all = (list(dict.fromkeys(key[i] for key in sums)) for i in (0, 1))
    if across["type"] == "date":
        columns_all.sort()
    kept, shown = largest(rows_all, sums, 0, HEAT_ROWS), columns_all[-HEAT_COLUMNS:]
    for part, whole in ((kept, rows_all), (shown, columns_all)):
        if len(part) < len(whole):
            sketch.left_out(len(part), len(whole))
    cells_shown = {key: v for key, v in sums.items() if key[0] in kept and key[1] in shown}
    return _heat_spec(sketch, column, cells_shown, kept, shown)


def _heat_spec(
    sketch: Sketch, column: Column, sums: dict[tuple[str, str], float], down: list[str], across: list[str]
) -> Spec:
    low, high = min(sums.values(), default=0), max(sums.values(), default=0)
    extent = max(abs(low), abs(high)) or 1
    domain, colours = [low, high if high > low else low + 1], list(HEAT)
    if low < 0:
        domain, colours = [-extent, 0, extent], list(HEAT_BOTH_WAYS)
    scale: Spec = {"range": colours, "domain": domain, "interpolate": "rgb"}

    rows: list[Row] = [
        {
            "down": a,
            "across": b,
            "value": v,
            "label": sketch.show(v, column),
            "dark": is_dark(blend(v, domain, colours)),
        }
        for (a, b), v in sums.items()
    ]
    labelled = len(across) <= 8
    y = {"field": "down", "type": "nominal", "sort": down, "axis": _plain_axis(240)}
    x = {
        "field": "across",
        "type": "nominal",
        "sort": across,
        "axis": _plain_axis(90) | {"orient": "top", "labelAngle": 0 if labelled else -45},
    }
    legend = {
        "title": sketch.heading(column),
        "labelExpr": number_axis(sketch, column, [low, high])["labelExpr"],
        "gradientLength": 160,
        "tickCount": 4,
    }
    layers: list[Spec] = [
        {
            "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1.5},
            "encoding": {
                "x": x,
                "y": y,
                "color": {"field": "value", "type": "quantitative", "scale": scale, "legend": legend},
            },
        }
    ]
    if labelled:
        ink = {"condition": {"test": "datum.dark", "value": "#FFFFFF"}, "value": INK}
        layers.append(
            {
                "mark": {"type": "text", "fontSize": 12},
                "encoding": {"x": x, "y": y, "text": {"field": "label"}, "color": ink},
            }
        )
    return {
        "data": {"values": rows},
        "width": {"step": 84 if labelled else 28},
        "height": {"step": 34},
        "layer": layers,
    }


def _plain_axis(limit: int) -> Spec:
    return {"title": None, "labelLimit": limit, "labelColor": INK, "ticks": False, "domain": False}


def _empty(sketch: Sketch) -> Spec:
    text = sketch.word("empty")
    return {
        "data": {"values": [{"text": text}]}, "width": 520, "height": 120,
        "mark": {"type": "text", "fontSize": 14, "color": QUIET, "limit": 500},
        "encoding": {"text": {"field": "text"}},
    }  # fmt: skip


_BUILDERS = {
    "line": _line,
    "bars": _bars,
    "share": _share,
    "grouped": _grouped,
    "histogram": _histogram,
    "heatmap": _heatmap,
    "empty": _empty,
}
