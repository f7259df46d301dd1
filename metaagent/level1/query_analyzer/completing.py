"""Fills in the parts that a question leaves unsaid: the usual figure, the period it is compared with, all the data there is.

Nothing is filled in silently: each assumption is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from metaagent.language import calendar
from metaagent.language.calendar import Range
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import ambiguity, feasibility, request
from metaagent.level1.query_analyzer import metrics as figures
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.reading import DATA_INTENTS, Plain, Reading
from metaagent.level1.query_analyzer.wording import ASSUMED


def completed(reading: Reading) -> Reading:
    """Defaults and assumptions, each of them said."""
    wanted = {intent.name for intent in reading.intents}
    data = bool(wanted & DATA_INTENTS)
    reading = _with_figure(reading, data=data)
    if "compare" in wanted:
        reading = _with_comparison(reading)
    reading = _with_conditions(reading, ranked="rank" in wanted, data=data)
    if data:
        reading = _with_period(reading)
    if "trend" in wanted:
        reading = _with_grain(reading)
    return said_periods(reading)


def _with_figure(reading: Reading, *, data: bool) -> Reading:
    context, text = reading.context, reading.source.text
    resolved = dict(reading.resolved)
    open_metric = any(entity.type == "ambiguous_metric" for entity in reading.entities)
    if data and not resolved["metrics"] and not open_metric:
        reading, resolved["metrics"] = _default_figure(reading, resolved["dimensions"])
    resolved = figures.who(resolved, context.domain, context.vocabulary, text)
    resolved = figures.averaged(resolved, reading.entities, context.vocabulary, text)
    if data:
        resolved = figures.calculated(resolved, context.domain, context.vocabulary, text)
    return replace(reading, request=resolved)


def _default_figure(reading: Reading, dimensions: list[str]) -> tuple[Reading, list[str]]:
    """The figure that a word of the question is about, or that an adjective or a bare count speaks of; or else the usual one."""
    context, implied = reading.context, implied_metric(reading)
    meant = (reading.source.text, dimensions, context.vocabulary)
    said = [] if implied else figures.of_adjective(*meant) or figures.bare_count(*meant)
    if said:
        return reading, said
    usual = context.domain.defaults.get("metric")
    default = implied or figures.default_metric(context.vocabulary, dimensions, usual)
    if not default or not context.vocabulary.find("metric", default):
        return reading, []
    label = ambiguity.metric_label(context.vocabulary, default, reading.language)
    return reading.assume(ASSUMED["metric"], metric=label), [default]


def _with_comparison(reading: Reading) -> Reading:
    resolved, note = request.compare(reading.resolved, reading.context.today)
    if note:
        shown = {"period": resolved["period"] or {}, "other": resolved["comparison"] or {}}
        reading = reading.assume(ASSUMED[note], **_bounds(shown))
    resolved = request.changes(resolved, reading.entities, reading.source.text)
    resolved = request.by_change(resolved, reading.source.text)
    return replace(reading, request=request.only_changed(resolved, reading.entities, reading.source.text))


def _with_conditions(reading: Reading, *, ranked: bool, data: bool) -> Reading:
    vocabulary, resolved = reading.context.vocabulary, dict(reading.resolved)
    if ranked and not resolved["rank"]:
        direction = "bottom" if _RISING.search(reading.source.text) else "top"
        resolved["rank"] = {"direction": direction, "n": None}
    resolved["filters"] = [*resolved["filters"], *_absences(reading), *_missed(reading)]
    resolved["filters"] = _with_columns(reading, resolved)
    if data:
        resolved = figures.of_own_table(figures.extreme(resolved, vocabulary), vocabulary)
    if resolved["rank"] and not resolved["rank"].get("by"):
        resolved["rank"] = {**resolved["rank"], "by": (resolved["metrics"] or [None])[0]}
    return replace(reading, request=resolved)


def _with_period(reading: Reading) -> Reading:
    resolved = dict(reading.resolved)
    known = feasibility.covered(reading.context.coverage, resolved["metrics"])
    if resolved["period"] is None and not _vague(reading) and known:
        resolved["period"] = {**request.as_period(known, ""), "assumed": True}
        reading = reading.assume(ASSUMED["whole_period"], start=known.first, end=known.last)
    reading, resolved = whole_units(reading, resolved)
    return _left_out(replace(reading, request=resolved), resolved)


def implied_metric(reading: Reading, *, in_names: bool = True) -> str | None:
    """방문한 병원: the figure that a word of the question is about, where none is named. Without `in_names`, the words of a
    document's name (방문 보고서) are about none."""
    text, vocabulary = reading.source.text, reading.context.vocabulary
    for entity in () if in_names else reading.entities:
        if entity.type == "document_type":
            text = text[: entity.start] + " " * (entity.end - entity.start) + text[entity.end :]
    for name, words in reading.context.domain.implied_metrics.items():
        known = name if vocabulary.find("metric", name) else figures.added_up(vocabulary, name)
        if known and any(word.lower() in text for word in words):
            return known
    return _metric_of_value(reading)


def _metric_of_value(reading: Reading) -> str | None:
    """강연료 내역: the figure of the table that the value stands in."""
    tables = [str(e.extra.get("column")).split(".")[0] for e in reading.entities if e.type == "value"]
    for term in reading.context.vocabulary.terms:
        if term.kind == "metric" and term.column and term.column.split(".")[0] in tables:
            return term.name
    return None


_UNITS = {
    "week": regex(r"주|week"),
    "month": regex(r"월|달|month"),
    "quarter": regex(r"분기|quarter"),
    "year": regex(r"년|해|year"),
}


def whole_units(reading: Reading, resolved: Plain) -> tuple[Reading, Plain]:
    """최근 6개월 월별: from the first day of a month, or the first bar would be half a month's."""
    named = [e for e in reading.entities if e.type == "period" and e.extra.get("rule") == "rolling"]
    span = request.range_of(resolved["period"])
    if len(named) != 1 or span is None or resolved["comparison"]:
        return reading, resolved
    said = reading.surface(named[0])
    grain = next(
        (g for g, words in _UNITS.items() if g in resolved["dimensions"] and words.search(said)), None
    )
    if grain is None:
        return reading, resolved
    own = calendar.relative_range(grain, 0, span.first)
    # On the first day of a month its own has no day behind it yet, and counts as none.
    fresh = calendar.relative_range(grain, 0, span.last).first == span.last
    start = own.first if fresh or own.first == span.first else own.last + timedelta(days=1)
    period = {**resolved["period"], **request.as_period(Range(start, span.last), said)}
    if start != span.first:
        reading = reading.assume(ASSUMED["period"], text=said, start=start, end=span.last)
    return reading, {**resolved, "period": period}


def _with_columns(reading: Reading, resolved: Plain) -> list[Plain]:
    """Students older than 40: a limit on single rows, where no figure was named for the number."""
    vocabulary = reading.context.vocabulary
    counted = [
        t for name in resolved["metrics"] if (t := vocabulary.find("metric", name)) and t.aggregate == "count"
    ]
    numbers = {str(e.normalized): e for e in reading.entities if "operator" in e.extra}
    found: list[Plain] = []
    for item in resolved["filters"]:
        number = numbers.get(str(item.get("value")))
        loose = number is not None and item.get("field") in (None, *(t.name for t in counted))
        column = (
            figures.measured_by(reading.source.text, number, counted[0].table, vocabulary)
            if loose and number is not None and counted
            else None
        )
        found.append({**item, "field": column} if column else item)
    return found


_GRAINS = ((45, "day"), (200, "week"), (1200, "month"), (4000, "quarter"))


def _with_grain(reading: Reading) -> Reading:
    """A trend without a part of time: as many points as one can read."""
    resolved, span = reading.resolved, request.range_of(reading.resolved["period"])
    timed = figures.TIMES & set(resolved["dimensions"])
    if span is None or timed or resolved["comparison"] or resolved["rank"] or not resolved["metrics"]:
        return reading
    grain = next((grain for days, grain in _GRAINS if span.days <= days), "year")
    return replace(reading, request={**resolved, "dimensions": [*resolved["dimensions"], grain]})


def _left_out(reading: Reading, resolved: Plain) -> Reading:
    """A condition for which no figure was found is said, not dropped in silence."""
    lost = [item["value"] for item in resolved["filters"] if "value" in item and not item.get("field")]
    for entity in reading.entities:
        if "operator" in entity.extra and entity.normalized in lost:
            reading = reading.assume(ASSUMED["left_out"], text=reading.surface(entity))
    return reading


_RISING = regex(r"낮은|적은|작은|오름차순|저조|ascending|lowest|worst|bottom")
_NOT_DONE = regex(
    r"(?:을|이|은|를)?\s?(?:안\s?(?:한|했|된)|하지\s?(?:않|못)|되지\s?않|없는|없던|없었|못\s?한)"
)
_NOT_BEFORE = regex(r"(?:미|not\s|never\s|no\s|without\s(?:any\s)?|haven't\s|hasn't\s)\Z")


def _absences(reading: Reading) -> list[Plain]:
    """방문하지 않은 병원, hospitals not visited: the figure is zero."""
    text = reading.source.text
    for name, words in reading.context.domain.implied_metrics.items():
        for word in words:
            at = text.find(word.lower())
            if at >= 0 and (_NOT_DONE.match(text, at + len(word)) or _NOT_BEFORE.search(text, 0, at)):
                return [{"field": name, "op": "=", "value": 0, "unit": None}]
    return [
        {"field": entity.extra["name"], "op": "=", "value": 0, "unit": None}
        for entity in reading.entities
        if entity.type == "metric" and _none_of(text, entity)
    ]


_MISSED = regex(r"(?:을|를|하지|을\s하지)?\s?(?:달성\s?)?(?:하지\s)?(?:못\s?[한했하]|미달|안\s?된|실패)")
_MISSED_BEFORE = regex(r"(?:not|n't|never|failed\sto|without|missed)\s(?:\w+\s)?\Z")


def _missed(reading: Reading) -> list[Plain]:
    """목표 달성 못한 팀: a share of the target below 100 %."""
    text = reading.source.text
    return [
        {"field": entity.extra["name"], "op": "<", "value": 100, "unit": "%"}
        for entity in reading.entities
        if entity.type == "metric"
        and entity.extra.get("unit") == "%"
        and (
            _MISSED.match(text, entity.end)
            or _MISSED_BEFORE.search(text, 0, entity.start)
            or re.search(r"미달|miss", text[entity.start : entity.end])
        )
    ]


def _none_of(text: str, entity: Entity) -> bool:
    after = re.match(r"(?:이|가|은|도)?\s?(?:전혀\s)?없(?:는|던|었던)", text[entity.end :])
    return (
        after is not None
        or re.search(r"(?:with no|without any|without|zero)\s\Z", text[: entity.start]) is not None
    )


def _bounds(shown: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    return {
        f"{name}_{end}": period.get(end, "") for name, period in shown.items() for end in ("start", "end")
    }


def _vague(reading: Reading) -> bool:
    return any(entity.type == "period" and entity.normalized is None for entity in reading.entities)


def said_periods(reading: Reading) -> Reading:
    asks_data = not reading.intents or any(intent.name in DATA_INTENTS for intent in reading.intents)
    named = any(entity.type == "metric" for entity in reading.entities)
    for entity in (
        reading.entities if asks_data or named else ()
    ):  # a day of a form is what the form makes of it
        if entity.type != "period" or entity.normalized is None:
            continue
        params = {"text": reading.surface(entity), "start": entity.extra["start"], "end": entity.extra["end"]}
        if entity.extra["rule"] == "vague" or entity.extra.get("assumed_year"):
            reading = reading.assume(ASSUMED["period"], **params)
    for entity in reading.entities:
        if entity.extra.get("among"):
            kind = figures.dimension_label(reading.context.vocabulary, entity, reading.language)
            reading = reading.assume(ASSUMED["among"], text=reading.surface(entity), kind=kind)
        if reading.only_writes and entity.type in ("organisation", "person"):
            continue  # a form has names as they are written
        if entity.method in ("name_typo", "name_partial", "name_sound") and entity.normalized is not None:
            name = entity.candidates[0].label if entity.candidates else entity.normalized
            reading = reading.assume(ASSUMED["typo"], text=reading.surface(entity), name=name)
        elif entity.method == "model":
            name = entity.candidates[0].label if entity.candidates else entity.normalized
            reading = reading.assume(ASSUMED["model"], text=reading.surface(entity), name=name)
    return reading
