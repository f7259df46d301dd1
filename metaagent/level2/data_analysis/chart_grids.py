"""Charts of many values at once: a histogram and a grid of coloured squares."""

from __future__ import annotations

from metaagent.documents.table import Column, of_type
from metaagent.level2.data_analysis import statistics
from metaagent.level2.data_analysis.chart_parts import (
    INK,
    PALETTE,
    Row,
    Sketch,
    Spec,
    gathered,
    largest,
    names_of,
    number_axis,
    plain_axis,
)

HEAT, HEAT_BOTH_WAYS = ("#EAF2F8", "#0B4F7D"), ("#B04A00", "#F7F7F7", "#0B4F7D")
HEAT_ROWS, HEAT_COLUMNS = 20, 31


def histogram(sketch: Sketch) -> Spec:
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


def heatmap(sketch: Sketch) -> Spec:
    """One square for each pair. Further columns join the names down the side, so that no two rows share a square."""
    column = of_type(sketch.table, "number")[0]
    every = [*of_type(sketch.table, "text"), *of_type(sketch.table, "date")]
    across = every[-1] if len(every) > 2 else every[1]
    down = [one for one in every if one is not across]
    sums = gathered(
        sketch, list(zip(names_of(sketch, down), names_of(sketch, [across]), strict=True)), column
    )
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
    y = {"field": "down", "type": "nominal", "sort": down, "axis": plain_axis(240)}
    x = {
        "field": "across",
        "type": "nominal",
        "sort": across,
        "axis": plain_axis(90) | {"orient": "top", "labelAngle": 0 if labelled else -45},
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


def blend(value: float, domain: list[float], colours: list[str]) -> list[float]:
    """The colour (red, green, blue) that the scale gives to a value."""
    index = 1 if len(domain) == 3 and value > domain[1] else 0
    part = (value - domain[index]) / (domain[index + 1] - domain[index])
    ends = [[int(colours[i][at : at + 2], 16) for at in (1, 3, 5)] for i in (index, index + 1)]
    return [a + (b - a) * part for a, b in zip(*ends, strict=True)]


def _luminance(colour: list[float]) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [c / 255 / 12.92 if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def is_dark(colour: list[float]) -> bool:
    """Tells whether white text stands out more than dark text."""
    light = _luminance(colour)
    return 1.05 / (light + 0.05) > (light + 0.05) / (_luminance([0x1F, 0x23, 0x28]) + 0.05)
