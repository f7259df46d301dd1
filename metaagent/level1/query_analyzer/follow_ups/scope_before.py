"""The period and the limits of the question before, as far as they hold for a figure that names none of its own."""

from __future__ import annotations

from dataclasses import replace

from metaagent.language import calendar
from metaagent.level1.query_analyzer import request
from metaagent.level1.query_analyzer.follow_ups.request_changes import WHOLE
from metaagent.level1.query_analyzer.grammar.reading import terms_of
from metaagent.level1.query_analyzer.grammar.request import as_period as request_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading
from metaagent.level1.query_analyzer.wording import ASSUMED


def with_period_before(reading: Reading, query: Plain) -> tuple[Reading, Plain]:
    """A question of a conversation that names no period has that of the question before, and says so."""
    previous = (reading.context.previous or {}).get("semantic_request") or {}
    held = previous.get("period") or {}
    span = request.range_of(held)
    figures = [*query.get("metrics", []), *(d["numerator"]["metric"] for d in query.get("derived") or ())]
    figures += [one["fact_metric"] for one in query.get("existence") or ()]  # who bought nothing?: then
    known = [t for m in figures if (t := reading.context.vocabulary.find("metric", m))]
    timed = any(t.time or t.sides for t in known)
    last = query.get("limit") == 1 and query.get("dimensions") == ["day"]  # when was the last visit?: ever
    if query.get("comparison") or span is None or held.get("whole") or not timed or last:
        return reading, query
    if query.get("period"):
        return _of_the_same_then(reading, query, previous)
    steps = [str(name) for name in query.get("dimensions") or () if name in TIMES]
    if any(not _several(span, name) for name in steps):
        return reading, query
    reading = reading.assume(ASSUMED["same_period"], start=span.first, end=span.last)
    reading, query = _with_filters_before(reading, query, previous)
    taken = ("period", *(["filters"] if query.get("filters") and not reading.follows else []))
    return replace(reading, inherited=taken), {**query, "period": request_period(span)}


def _of_the_same_then(reading: Reading, query: Plain, previous: Plain) -> tuple[Reading, Plain]:
    """9월 달성률은? after what somebody sold in September: a figure alone, of the very period spoken of, is of them too."""
    held, own = request.range_of(previous.get("period")), request.range_of(query.get("period"))
    if held != own or reading.follows or any(query.get(key) for key in (*_BARE, "derived")):
        return reading, query
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    figures = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    inner = previous.get("among") or {}
    single = (inner.get("top") or {}).get("n") == 1 and not previous.get("among_others")
    if (
        single
        and figures != previous.get("metrics")
        and all(terms.splits(m, inner["dimensions"][0]) for m in figures)
    ):
        query = {**query, "among": inner, "dimensions": list(inner["dimensions"])}
        return replace(reading, follows=True, inherited=("among",)), query
    if not previous.get("filters") or previous.get("dimensions") or figures == previous.get("metrics"):
        return reading, query
    return _with_filters_before(reading, query, previous)


_BARE = ("dimensions", "filters", "top", "order", "having", "count_groups", "existence", "among", "rows")


def _with_filters_before(reading: Reading, query: Plain, previous: Plain) -> tuple[Reading, Plain]:
    """그래서 달성률은 몇 퍼센트야?: a figure in the period of the question before is one of what that was about too."""
    held = [f for f in previous.get("filters") or () if "dimension" in f]
    if reading.follows or not held:
        return reading, query
    kept = [f for f in held if not query.get("filters") and _still_holds(f, query, reading)]
    names = [str(label) for f in kept for label in _names_before(reading, str(f["dimension"]))]
    lost = [
        str(label) for f in held if f not in kept for label in _names_before(reading, str(f["dimension"]))
    ]
    if names:
        reading = reading.assume(ASSUMED["same_filters"], labels=", ".join(names))
    if lost:
        reading = reading.assume(ASSUMED["left_behind"], labels=", ".join(lost))
    return reading, {**query, "filters": [*(query.get("filters") or ()), *kept]} if kept else query


def _still_holds(item: Plain, query: Plain, reading: Reading) -> bool:
    """Tell whether a limit of the question before is one of this figure too: it can have it, names no other of the kind,
    is not split by what each of those has one of, and is asked of no whole."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    kind = str(item["dimension"])
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    figures = [*(query.get("metrics") or ()), *(side.get("metric") for side in sides)]
    known = [str(m) for m in figures if m in terms.metrics]
    limits = {str(f.get("dimension")) for part in (query, *sides) for f in part.get("filters") or ()}
    things = [str(query["count_groups"])] if query.get("count_groups") else []
    groups = [*map(str, query.get("dimensions") or ()), *things]
    doers = _doers(query, terms) if not known else None  # 구매 안 한 병원은 몇 곳?: of the place spoken of
    fits = all(terms.splits(m, kind) for m in known) if known else doers and terms.belongs(kind, doers)
    thing = kind in terms.dimensions and terms.dimensions[kind].is_thing
    apart = kind in limits or any(name == kind or (thing and terms.belongs(name, kind)) for name in groups)
    fixed = query.get("rows") or query.get("among")
    return bool(fits) and not apart and not fixed and not WHOLE.search(reading.source.text)


def _doers(query: Plain, terms: Terms) -> str | None:
    """The kind of thing that a request tells by a deed alone: hospitals without a visit."""
    fixed = any(query.get(key) for key in ("derived", "having", "top", "among", "rows"))
    things = [str(query["count_groups"])] if query.get("count_groups") else query.get("dimensions") or []
    one = len(things) == 1 and things[0] in terms.dimensions
    return str(things[0]) if query.get("existence") and one and not fixed else None


def _names_before(reading: Reading, kind: str) -> list[str]:
    before = ((reading.context.previous or {}).get("resolved") or {}).get("filters") or ()
    labels = [label for f in before if f.get("field") == kind for label in f.get("labels") or ()]
    return [reading.context.vocabulary.value_label(kind, label, reading.language) for label in labels]


def _several(span: calendar.Range, unit: str) -> bool:
    """Tell whether a period holds several of a unit: the months of a quarter that was spoken of."""
    if unit not in ("week", "month", "quarter"):
        return False
    return calendar.relative_range(unit, 0, span.first).last < span.last
