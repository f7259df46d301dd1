"""A decided request as headlines, follow-ups and checks read it, and what is said about how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from metaagent.language import calendar
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer import ambiguity, completing, feasibility, request
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.grammar.terms import TIMES
from metaagent.level1.query_analyzer.reading import Plain, Reading
from metaagent.level1.query_analyzer.wording import ASSUMED


def resolved(reading: Reading, query: Plain, best: Request | None) -> Reading:
    """The request in the shape that headlines, follow-ups and checks read."""
    named = _labels(reading, best)
    filters = [_old_filter(item, named) for item in query.get("filters") or ()]
    titles = {
        **_known_titles([str(label) for f in filters for label in f["labels"]], reading),
        **_titles(reading),
    }
    filters = [
        {**f, "titles": {name: titles[name] for name in f["labels"] if name in titles}}
        if any(name in titles for name in f["labels"])
        else f
        for f in filters
    ]
    filters += _conditions(reading, query)
    top = query.get("top") or {}
    rank = {"direction": top.get("direction", "top"), "n": top.get("n"), "by": top.get("by")} if top else None
    figures = [*query.get("metrics", []), *(d["numerator"]["metric"] for d in query.get("derived") or ())]
    made = {
        **reading.resolved,
        "metrics": [name for name in dict.fromkeys(figures) if not str(name).startswith("count:")],
        "dimensions": list(query.get("dimensions") or ()),
        "filters": filters,
        "rank": rank,
        "period": None,
        "periods": [],
        "comparison": None,
        "calculations": {
            k: query[k] for k in ("share", "running_total", "moving_average", "target") if query.get(k)
        },
    }
    if names := {**_event_names(query, named), **_names_before(reading, named)}:
        made["names"] = names
        made["titles"] = {label: titles[label] for label in names.values() if label in titles}
    if best is not None and best.compared is not None:
        kind = f"previous_{best.compared.shift}" if best.compared.comparison else "period"
        made["comparison"] = {"kind": kind, **request.as_period(best.compared.other, "")}
    elif query.get("comparison") and query.get("period"):
        unit = "year" if query["comparison"] == "same_period_last_year" else "period"
        made["comparison"] = {"kind": f"previous_{unit}", **request.as_period(_other(query), "")}
    elif best is not None and best.node.split and best.node.filters_listed and query.get("dimensions"):
        made["comparison"] = {"kind": "members", "field": query["dimensions"][-1]}
    return replace(reading, request=made)


def _other(query: Plain) -> calendar.Range:
    """The period that a request taken over is compared with."""
    span = request.range_of(query["period"])
    assert span is not None
    if query["comparison"] == "same_period_last_year":
        return calendar.shift(span, "year")
    grain = str(query["period"].get("grain") or calendar.grain_of(span))
    return moved(span, grain if grain in ("year", "half", "quarter", "month", "week", "day") else "period")


def _labels(reading: Reading, best: Request | None) -> dict[str, tuple[Any, str]]:
    """The stored form and the name of a value of the request; a place that has a code is stored by it."""
    context = reading.context
    before = ((context.previous or {}).get("resolved") or {}).get("filters") or ()
    own = request.member_filters(reading.entities, context.domain, context.vocabulary)
    told = ((context.previous or {}).get("resolved") or {}).get("names") or {}
    known: dict[str, tuple[Any, str]] = {str(value): (value, str(label)) for value, label in told.items()}
    for item in (*before, *own):
        for value, label in zip(item.get("values", ()), item.get("labels", ()), strict=False):
            known[str(label)] = known[str(value)] = (value, str(label))
    for f in (*(best.node.filters if best else ()), *reading.pointed):
        for value, label in zip(f.values, f.labels, strict=False):
            known.setdefault(value, (value, label))
    return known


def _event_names(query: Plain, named: dict[str, tuple[Any, str]]) -> dict[str, str]:
    """The names of what things did something with: who never bought that product."""
    limits = [f for one in query.get("existence") or () for f in one.get("filters") or ()]
    values = [str(value) for f in limits for value in f.get("values") or ()]
    return {value: named[value][1] for value in values if value in named}


def _names_before(reading: Reading, named: dict[str, tuple[Any, str]]) -> dict[str, str]:
    """The names of values that others have taken the place of: a later question may speak of both."""
    values = [str(value) for item in reading.replaced for value in item["values"]]
    return {value: named[value][1] for value in values if value in named}


def _old_filter(item: Plain, named: dict[str, tuple[Any, str]]) -> Plain:
    found = [named.get(str(value), (value, str(value))) for value in item["values"]]
    values, labels = [value for value, _ in found], [label for _, label in found]
    return {"field": item["dimension"], "op": item["op"], "values": values, "labels": labels}


def titled(labels: Sequence[str], reading: Reading) -> list[str]:
    """The values by their names in the language of the question."""
    titles = _known_titles(labels, reading)
    return [str((titles.get(label) or {}).get(reading.language) or label) for label in labels]


def _known_titles(labels: Sequence[str], reading: Reading) -> Plain:
    """The names in the model for stored values of a request that nobody said by name: meals, and not meal."""
    found = {
        label: [m.extra["title"] for m in reading.book.exact.get(label.lower(), ()) if m.extra.get("title")]
        for label in labels
    }
    other = {
        label: [title for title in titles if title.get(reading.language) != label]
        for label, titles in found.items()
    }
    return {label: titles[0] for label, titles in other.items() if titles}


def _titles(reading: Reading) -> Plain:
    """The label of a stored value such as `true`."""
    context = reading.context
    before = ((context.previous or {}).get("resolved") or {}).get("filters") or ()
    own = request.member_filters(reading.entities, context.domain, context.vocabulary)
    told = ((context.previous or {}).get("resolved") or {}).get("titles") or {}
    said = {label: shown for item in (*before, *own) for label, shown in (item.get("titles") or {}).items()}
    return {**told, **said}


def _conditions(reading: Reading, query: Plain) -> list[Plain]:
    """Conditions on figures, as headlines name them: percentages as they are said."""
    found: list[Plain] = []
    for item in (*(query.get("having") or ()), *(query.get("rows") or ())):
        name, _, change = str(item["column"]).partition("__")
        term = reading.context.vocabulary.find("metric", name)
        percent = change == "change" or (term is not None and term.unit == "%")
        values = [value * 100 if percent else value for value in item.get("values") or ()]
        if not values:
            continue
        plain = [round(v) if isinstance(v, (int, float)) and abs(v - round(v)) < 1e-9 else v for v in values]
        made: Plain = {"field": name, "op": item["op"], "value": plain[0] if len(plain) == 1 else plain}
        made["unit"] = "%" if percent else term.unit if term else None
        found.append({**made, "measure": "change_percent"} if change else made)
    absent = [item["fact_metric"] for item in query.get("existence") or () if not item["exists"]]
    return [*found, *({"field": name, "op": "=", "value": 0, "unit": None} for name in absent)]


def with_period(reading: Reading, query: Plain, node: Node) -> Reading:
    period: Plain | None = query.get("period")
    label = node.period.label if node.period else ""
    resolved = dict(reading.resolved)
    if period and period.get("start"):
        span = request.range_of(period)
        assert span is not None
        resolved["period"] = {
            **request.as_period(span, label),
            **({"assumed": True} if period.get("whole") else {}),
        }
        return _whole_units(replace(reading, request=resolved), query)
    timed = [m for m in resolved["metrics"] if (t := reading.context.vocabulary.find("metric", m)) and t.time]
    known = feasibility.covered(reading.context.coverage, timed) if timed else None
    if known is None or query.get("comparison"):
        return replace(reading, request=resolved)
    resolved["period"] = {**request.as_period(known, ""), "assumed": True}
    whole = {"start": known.first.isoformat(), "end": known.last.isoformat(), "whole": True}
    reading = reading.assume(ASSUMED["whole_period"], start=known.first, end=known.last)
    return replace(reading, request=resolved, semantic={**query, "period": whole})


def _whole_units(reading: Reading, query: Plain) -> Reading:
    """최근 6개월 월별: from the first day of a month."""
    if query.get("comparison") or not set(query.get("dimensions") or ()) & TIMES:
        return reading
    before = reading.resolved["period"]
    changed, resolved = completing.whole_units(reading, dict(reading.resolved))
    if resolved["period"] == before:
        return reading
    period = {"start": resolved["period"]["start"], "end": resolved["period"]["end"]}
    return replace(changed, request=resolved, semantic={**query, "period": period})


def with_assumptions(reading: Reading, found: Composed, best: Request | None) -> Reading:
    for start, end, label in found.synonyms:
        reading = reading.assume(ASSUMED["typo"], text=reading.source.surface(start, end), name=label)
    if best is None:
        return completing.said_periods(reading)
    if "usual" in best.assumed or "usual" in best.node.flags:
        metric = str(next(iter(reading.resolved["metrics"]), reading.context.domain.defaults.get("metric")))
        label = ambiguity.metric_label(reading.context.vocabulary, metric, reading.language)
        reading = reading.assume(ASSUMED["metric"], metric=label)
    if date := reading.context.vocabulary.find("dimension", str(best.query.get("dated_by"))):
        reading = reading.assume(ASSUMED["dated"], date=date.labels[0 if reading.language == "ko" else 1])
    if best.compared is not None:
        reading = _compared(reading, best)
    if "apart" in best.assumed:
        one, other = (best.query["derived"][0][side]["period"] for side in ("numerator", "denominator"))
        ends = {"period_start": one["start"], "period_end": one["end"]}
        reading = reading.assume(
            ASSUMED["compared"], **ends, other_start=other["start"], other_end=other["end"]
        )
    unit = next((one.partition(":")[2] for one in best.assumed if one.startswith("finished:")), None)
    if unit is not None and best.query.get("period"):
        ends = {"start": best.query["period"]["start"], "end": best.query["period"]["end"]}
        after = _COUNTED_UNITS[unit][0]
        reading = reading.assume(ASSUMED["finished"], unit_en=unit, unit_ko=after, **ends)
    if "steady" in best.assumed:
        steps = best.query["derived"]
        bounds = {
            "start": steps[0]["denominator"]["period"]["start"],
            "end": steps[-1]["numerator"]["period"]["end"],
        }
        reading = reading.assume(ASSUMED["steady"], **bounds)
    return completing.said_periods(reading)


_COUNTED_UNITS = {
    "week": ("주는", "주"),
    "month": ("달은", "개월"),
    "quarter": ("분기는", "개 분기"),
    "year": ("해는", "년"),
}


def pro_rata(reading: Reading) -> Reading:
    """Say how an unfinished month counts in an average per month."""
    query = reading.semantic or {}
    spread = next((one for one in query.get("derived") or () if one.get("per") in _COUNTED_UNITS), None)
    span = request.range_of(query.get("period"))
    if spread is None or span is None or set(query.get("dimensions") or ()) & TIMES:
        return reading
    known = feasibility.covered(reading.context.coverage, [str(spread["numerator"]["metric"])])
    used = calendar.Range(max(span.first, known.first), min(span.last, known.last)) if known else span
    if used.first > used.last:
        return reading
    unit = str(spread["per"])
    count = round(calendar.units_in(used, unit), 2)
    if count == int(count):
        return reading
    after, counter = _COUNTED_UNITS[unit]
    return reading.assume(
        ASSUMED["pro_rata"], unit_en=unit, unit_ko=after, counter_ko=counter, count=f"{count:g}",
        start=used.first, end=used.last,
    )  # fmt: skip


def with_dropped(reading: Reading, query: Plain) -> Reading:
    """Say which filters of the turn before the new figure cannot have."""
    previous = reading.context.previous or {}
    before = (previous.get("resolved") or {}).get("filters") or () if reading.follows else ()
    parts = [one["numerator"] for one in query.get("derived") or ()]
    chosen = query.get("among") or {}
    kept = {item["dimension"] for one in (query, chosen, *parts) for item in one.get("filters") or ()}
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    figures = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    lost = [
        reading.context.vocabulary.value_label(str(f["field"]), label, reading.language)
        for f in before
        if "values" in f
        and f["field"] not in kept
        and not all(terms.splits(m, str(f["field"])) for m in figures)
        for label in f["labels"]
    ]
    return reading.assume(ASSUMED["no_longer"], labels=", ".join(lost)) if lost else reading


def _compared(reading: Reading, best: Request) -> Reading:
    made = best.compared
    assert made is not None
    bounds = {
        "period_start": made.period.first, "period_end": made.period.last,
        "other_start": made.other.first, "other_end": made.other.last,
    }  # fmt: skip
    note = "current_unit" if made.assumed else "aligned" if made.unfinished else "compared"
    if "previous" in best.assumed and note == "compared":
        note = "previous_period"
    return reading.assume(ASSUMED[note], **bounds)
