"""Charts that compare things: bars, parts of a whole, several bars for each, and panels side by side."""

from __future__ import annotations

import math

from metaagent.documents.format import format_value, unit_label, unit_of
from metaagent.documents.table import Column, of_type
from metaagent.level2.data_analysis.chart_parts import (
    INK,
    OTHERS_COLOUR,
    PALETTE,
    QUIET,
    TOP_BARS,
    TOP_PARTS,
    TOP_RANKED,
    Row,
    Sketch,
    Spec,
    additive,
    categories,
    gathered,
    largest,
    longest_bar,
    names_of,
    number_axis,
    padded,
    plain_axis,
    series_colours,
    top_parts,
)

GROUPS = 12
PANELS = 3


def bars(sketch: Sketch, whole: float | None = None) -> Spec:
    """With `whole` each label begins with the share of it."""
    column = of_type(sketch.table, "number")[0]
    parts = gathered(sketch, _category_names(sketch, column), column)
    # Beside a ranking the sum of all others would be the longest bar and the least asked for.
    limit = TOP_RANKED if sketch.ordered else TOP_BARS
    shown = top_parts(sketch, parts, limit, column, rest=not sketch.ordered)
    cut = longest_bar([value for _, value, _ in shown])
    rows: list[Row] = []
    for name, value, rest in shown:
        colour = OTHERS_COLOUR if rest else PALETTE[0] if value >= 0 else PALETTE[1]
        row = {"category": name, "colour": colour, **_length(sketch, value, column, cut)}
        if whole:
            row["label"] = f"{format_value(value / whole * 100, 'percent', sketch.language)} · {row['label']}"
        rows.append(row)
    lengths = [row["length"] for row in rows]
    y = {
        "field": "category", "type": "nominal", "sort": None, "scale": {"paddingInner": 0.3},
        "axis": plain_axis(240),
    }  # fmt: skip
    x = {
        "field": "length", "type": "quantitative", "scale": {"domain": padded(lengths), "nice": False},
        "axis": number_axis(sketch, column, lengths),
    }  # fmt: skip
    colour = {"field": "colour", "type": "nominal", "scale": None}
    return {
        "data": {"values": rows}, "width": 520, "height": {"step": 32},
        "layer": [
            {"mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": {"y": y, "x": x, "color": colour}},
            *_end_labels(y, x),
        ],
    }  # fmt: skip


def _category_names(sketch: Sketch, column: Column) -> list[str]:
    """Names bars by the first column; by all of them where its names come several times and their values cannot be added."""
    columns = categories(sketch)
    first = names_of(sketch, columns[:1])
    if len(set(first)) == len(first) or additive(column):
        return first
    every = [*of_type(sketch.table, "text"), *of_type(sketch.table, "date")]
    return names_of(sketch, every)


def _length(sketch: Sketch, value: float, column: Column, cut: float | None) -> Row:
    """The value, its label, and the length of its bar, which is shorter where it would dwarf all others."""
    label = sketch.show(value, column)
    if cut is None or abs(value) <= cut:
        return {"value": value, "length": value, "label": label}
    sketch.note("cut")
    return {"value": value, "length": math.copysign(cut, value), "label": f"» {label}"}


def _end_labels(y: Spec, x: Spec, **more: Spec) -> list[Spec]:
    return [
        {
            "transform": [{"filter": f"datum.{x['field']} {'>=' if positive else '<'} 0"}],
            "mark": {
                "type": "text", "align": "left" if positive else "right", "dx": 5 if positive else -5,
                "baseline": "middle", "fontSize": 12, "color": INK,
            },
            "encoding": {"y": y, "x": x, "text": {"field": x["field"].replace("length", "label")}, **more},
        }
        for positive in (True, False)
    ]  # fmt: skip


def share(sketch: Sketch) -> Spec:
    """A ring of parts; bars where the parts make no whole, or where the rest would be most of it."""
    column = of_type(sketch.table, "number")[0]
    parts = gathered(sketch, names_of(sketch, categories(sketch)[:1]), column)
    whole = math.fsum(parts.values())
    small = sorted(parts.values(), reverse=True)[TOP_PARTS - 1 :] if len(parts) > TOP_PARTS else []
    dwarfed = bool(small) and math.fsum(small) > max(parts.values())
    if not parts or min(parts.values()) < 0 or whole <= 0 or not additive(column):
        return bars(sketch)
    if dwarfed:
        return bars(sketch, whole)
    rows: list[Row] = [
        {
            "part": f"{name}  {format_value(value / whole * 100, 'percent', sketch.language)}",
            "value": value, "colour": OTHERS_COLOUR if rest else PALETTE[index], "order": index,
        }
        for index, (name, value, rest) in enumerate(top_parts(sketch, parts, TOP_PARTS, column, rest=True))
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


def same_unit(columns: list[Column]) -> bool:
    return len({unit_of(column.get("unit")) for column in columns}) == 1


def grouped(sketch: Sketch) -> Spec:
    column, rows, series = _comparison_rows(sketch)
    if not rows:
        return {"data": {"values": []}}
    lengths = [row["length"] for row in rows]
    # Several columns share the axis: it carries their unit, not the name of the first.
    unit = unit_label(column.get("unit"), sketch.language)
    title = {} if len(of_type(sketch.table, "text")) >= 2 else {"title": unit or None}
    colours = {"domain": series, "range": series_colours(series)}
    y = {
        "field": "category", "type": "nominal", "sort": None, "scale": {"paddingInner": 0.25},
        "axis": plain_axis(240),
    }  # fmt: skip
    x = {
        "field": "length", "type": "quantitative", "scale": {"domain": padded(lengths), "nice": False},
        "axis": number_axis(sketch, column, lengths, **title),
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
    """Series are the values of the further text columns, or several number columns of one unit."""
    texts, numbers = of_type(sketch.table, "text"), of_type(sketch.table, "number")
    category, column = names_of(sketch, texts[:1]), numbers[0]
    if len(texts) >= 2:
        sums = gathered(sketch, list(zip(category, names_of(sketch, texts[1:]), strict=True)), column)
    else:
        alike = [c for c in numbers if same_unit([c, column])]
        sums = {
            (name, c["label"]): value for c in alike for name, value in gathered(sketch, category, c).items()
        }
    names, all_series = list(dict.fromkeys(c for c, _ in sums)), list(dict.fromkeys(s for _, s in sums))
    kept, shown = largest(names, sums, 0, GROUPS), largest(all_series, sums, 1, len(PALETTE))
    if len(kept) < len(names):
        sketch.left_out(len(kept), len(names))
    if len(shown) < len(all_series):
        sketch.left_out(len(shown), len(all_series))
    chosen = {key: value for key, value in sums.items() if key[0] in kept and key[1] in shown}
    cut = longest_bar([max(abs(v) for (c, _), v in chosen.items() if c == name) for name in kept])
    rows: list[Row] = [
        {"category": c, "series": s, **_length(sketch, chosen[c, s], column, cut)}
        for c in kept
        for s in shown
        if (c, s) in chosen
    ]
    return column, rows, shown


def panels(sketch: Sketch) -> Spec:
    """Figures of different units side by side: the same things in the same order, each with its own axis."""
    columns = of_type(sketch.table, "number")[:PANELS]
    names = _category_names(sketch, columns[0])
    values = [gathered(sketch, names, column) for column in columns]
    order = [name for name, _, _ in top_parts(sketch, values[0], TOP_BARS, columns[0], rest=False)]
    rows: list[Row] = []
    cuts = [longest_bar([found[name] for name in order if name in found]) for found in values]
    for name in order:
        row: Row = {"category": name}
        for index, (column, found) in enumerate(zip(columns, values, strict=True)):
            if name in found:
                made = _length(sketch, found[name], column, cuts[index])
                row |= {f"{key}{index}": value for key, value in made.items()}
        rows.append(row)
    return {
        "data": {"values": rows},
        "hconcat": [_panel(sketch, column, rows, index) for index, column in enumerate(columns)],
        "spacing": 24,
    }


def _panel(sketch: Sketch, column: Column, rows: list[Row], index: int) -> Spec:
    field = f"length{index}"
    lengths = [row[field] for row in rows if field in row]
    axis = (
        plain_axis(200) if index == 0 else {"labels": False, "ticks": False, "domain": False, "title": None}
    )
    y = {"field": "category", "type": "nominal", "sort": None, "scale": {"paddingInner": 0.3}, "axis": axis}
    x = {
        "field": field, "type": "quantitative", "scale": {"domain": padded(lengths), "nice": False},
        "axis": number_axis(sketch, column, lengths, tickCount=3),
    }  # fmt: skip
    bar = {"type": "bar", "cornerRadiusEnd": 2, "color": PALETTE[index]}
    return {
        "width": 280,
        "height": {"step": 30},
        "layer": [{"mark": bar, "encoding": {"y": y, "x": x}}, *_end_labels(y, x)],
    }
