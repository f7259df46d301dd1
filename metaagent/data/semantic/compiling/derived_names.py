"""Names and looks of derived figures: sales per visit, the share of Seoul, sales per month."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from metaagent.data.semantic.model import TIME_DIMENSIONS, Format, Label

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import Derived, Part, RowCondition

_PER: dict[str, tuple[str, str]] = {
    "day": ("일평균", "per day"),
    "week": ("주평균", "per week"),
    "month": ("월평균", "per month"),
    "quarter": ("분기 평균", "per quarter"),
    "year": ("연평균", "per year"),
    "working_day": ("영업일 평균", "per working day"),
    "weekday_day": ("평일 하루 평균", "per weekday"),
    "weekend_day": ("주말 하루 평균", "per weekend day"),
}
_TIMES = Label(ko="배", en="times")


def formed_label(model: Model, one: Derived) -> Label:
    above = _label(model, one.numerator)
    ko, en = _PER[one.per] if one.per is not None else ("", "")
    if one.kind == "per_period":
        return Label(ko=f"{ko} {above.ko}", en=f"{above.en} {en}")
    assert one.denominator is not None
    below = _label(model, one.denominator)
    match one.kind:
        case "ratio" if _alike(model, one):
            return Label(ko=f"{below.ko} 대비 {above.ko} 비율", en=f"{above.en} to {below.en}")
        case "ratio":
            each = _each(model, one.denominator, below)
            return Label(
                ko=" ".join(filter(None, (f"{each.ko}당", ko, above.ko))),
                en=" ".join(filter(None, (f"{above.en} per {each.en}", en))),
            )
        case "sum":
            return Label(ko=f"{above.ko} + {below.ko}", en=f"{above.en} + {below.en}")
        case "share":
            return Label(ko=f"{above.ko} 비중", en=f"{above.en}: share")
        case "difference" if one.whole is not None:
            return Label(
                ko=f"{above.ko} 비중 − {below.ko} 비중", en=f"share of {above.en} − share of {below.en}"
            )
        case "difference":
            return Label(ko=f"{above.ko} − {below.ko}", en=f"{above.en} − {below.en}")
        case _:
            return Label(ko=f"{below.ko} 대비 {above.ko}", en=f"{above.en} to {below.en}")


def formed_look(model: Model, one: Derived) -> tuple[Label | None, Format, int]:
    """Unit, format and decimals."""
    if one.kind == "share" or one.whole is not None or _alike(model, one):
        return None, "percent", 1
    if one.kind == "times":
        return _TIMES, "decimal", 2
    metric = model.metrics.get(one.numerator.metric)
    unit = metric.unit if metric else None
    if one.kind in ("difference", "sum") and metric is not None:
        return unit, metric.format, metric.decimals
    if one.kind == "difference":
        return unit, "integer", 0
    return unit, "decimal", max(1, metric.decimals if metric else 1)


def _alike(model: Model, one: Derived) -> bool:
    """Tell whether a ratio is of one column twice, as meals to all expenses: a percentage, and no amount."""
    if one.kind != "ratio" or one.per is not None or one.denominator is None:
        return False
    above, below = (model.metrics.get(side.metric) for side in (one.numerator, one.denominator))
    if above is None or below is None:
        return False
    return above.type == below.type == "sum" and above.column == below.column


def _each(model: Model, part: Part, label: Label) -> Label:
    """The thing that is counted, not its number: per visit, per hospital."""
    if part.thing is None:
        en = label.en.removesuffix("s") if label.en != "Sales" else label.en
        return Label(ko=label.ko.removesuffix(" 수").removesuffix(" 건수"), en=en[:1].lower() + en[1:])
    name = part.thing
    return model.time_dimensions[name].label if name in TIME_DIMENSIONS else model.dimensions[name].label


def _span(start: date, end: date) -> str:
    """2026-07 for a whole month, else both days."""
    month = (
        start.day == 1
        and (end + timedelta(days=1)).day == 1
        and (start.year, start.month) == (end.year, end.month)
    )
    return f"{start:%Y-%m}" if month else f"{start}~{end}"


_LIMITS: dict[str, tuple[str, str]] = {
    ">": ("{0} 초과", "above {0}"),
    ">=": ("{0} 이상", "of at least {0}"),
    "<": ("{0} 미만", "below {0}"),
    "<=": ("{0} 이하", "of at most {0}"),
    "=": ("{0}", "of {0}"),
    "between": ("{0}~{1}", "between {0} and {1}"),
}


def _limit(model: Model, row: RowCondition) -> Label:
    """A condition on single rows: 방문 시간 15분 미만."""
    metric = model.metrics.get(row.column)
    name = metric.label if metric else Label(ko=row.column, en=row.column)
    unit = metric.unit if metric and metric.unit else Label(ko="", en="")
    ko, en = _LIMITS[row.op]
    values = [f"{value:,.10g}" if isinstance(value, float) else str(value) for value in row.values]
    return Label(
        ko=f"{name.ko} {ko.format(*(f'{value}{unit.ko}' for value in values))}",
        en=f"{name.en} {en.format(*(f'{value} {unit.en}'.strip() for value in values))}",
    )


def _label(model: Model, part: Part) -> Label:
    """The figure with the values that it is limited to."""
    if part.thing is not None:
        thing = _each(model, part, Label(ko="", en=""))
        base = Label(ko=f"{thing.ko} 수", en=f"number of {thing.en}")
    else:
        base = model.metrics[part.metric].label
    if sorted(part.weekdays) in ([6, 7], [1, 2, 3, 4, 5]):
        ko, en = ("주말", "weekends") if 7 in part.weekdays else ("평일", "weekdays")
        base = Label(ko=f"{ko} {base.ko}", en=f"{base.en} ({en})")
    if part.period is not None and part.period.start is not None and part.period.end is not None:
        span = _span(part.period.start, part.period.end)
        base = Label(ko=f"{span} {base.ko}", en=f"{base.en} ({span})")
    for row in part.rows:
        limit = _limit(model, row)
        base = Label(ko=f"{limit.ko} {base.ko}", en=f"{base.en} ({limit.en})")
    values = [
        _called(model, one.dimension, str(value))
        for one in part.filters
        if one.op == "in"
        for value in one.values
    ][:3]
    if not values:
        return base
    return Label(
        ko=f"{'·'.join(value.ko for value in values)} {base.ko}",
        en=f"{base.en} ({', '.join(value.en for value in values)})",
    )


def _called(model: Model, dimension: str, value: str) -> Label:
    """A stored value as people call it: travel is 교통비."""
    known = model.dimensions.get(dimension)
    words = known.values.get(value) if known else None
    return words.label if words and words.label else Label(ko=value, en=value)
