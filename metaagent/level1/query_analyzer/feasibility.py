"""Tells whether a question can be answered: data that covers it, a person who may see it, agents that are there, and how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from metaagent.errors import Text
from metaagent.language.calendar import Range
from metaagent.level1.query_analyzer.request import range_of

Plain = dict[str, Any]
Coverage = Callable[[str | None], Mapping[str, Any] | None] | Mapping[str, Any] | None

_OUTSIDE = Text(
    en="The data covers {start} to {end}; {asked_start} to {asked_end} is outside it.",
    ko="데이터는 {start}부터 {end}까지 있습니다. {asked_start}~{asked_end}은(는) 그 밖입니다.",
)
_PARTLY = Text(
    en="The data covers only {start} to {end} of the period asked for.",
    ko="물어보신 기간 중 {start}부터 {end}까지만 데이터가 있습니다.",
)
_NO_COLUMN = Text(en="The data has no column for '{name}'.", ko="'{name}'에 해당하는 데이터 열이 없습니다.")
_NO_AGENT = Text(
    en="No installed agent offers '{name}'.", ko="'{name}' 기능을 하는 에이전트가 설치되어 있지 않습니다."
)
_NO_RIGHT = Text(
    en="'{name}' needs the permission {needed}.", ko="'{name}'에는 권한 {needed}이(가) 필요합니다."
)


def lookup(coverage: Coverage, metric: str | None) -> Mapping[str, Any] | None:
    """The time that the data covers for a metric: asked of a callable, or read from `metrics`, or the whole."""
    if coverage is None:
        return None
    if callable(coverage):
        return coverage(metric)
    if (
        coverage
        and "metrics" not in coverage
        and all(v is None or isinstance(v, Mapping) for v in coverage.values())
    ):
        return coverage.get(metric) if metric else _whole([value for value in coverage.values() if value])
    own = (coverage.get("metrics") or {}).get(metric) if metric else None
    return {**coverage, **own} if own else coverage


def _whole(spans: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The span from the first day of any metric to the last: coverage given as metric → {start, end}."""
    if not spans:
        return None
    return {"start": min(str(s["start"]) for s in spans), "end": max(str(s["end"]) for s in spans)}


def covered(coverage: Coverage, metrics: Sequence[str]) -> Range | None:
    """The stretch that all the metrics have data for."""
    found = [span for metric in metrics or [None] if (span := _span(lookup(coverage, metric)))]
    if not found:
        return None
    first, last = max(span.first for span in found), min(span.last for span in found)
    return Range(first, last) if first <= last else found[0]


def _span(known: Mapping[str, Any] | None) -> Range | None:
    if not known or not known.get("start") or not known.get("end"):
        return None
    return Range(date.fromisoformat(str(known["start"])[:10]), date.fromisoformat(str(known["end"])[:10]))


def _period_check(
    request: Plain, coverage: Coverage, language: str
) -> tuple[bool | None, list[str], Plain | None]:
    asked, known = range_of(request["period"]), covered(coverage, request["metrics"])
    if known is None:
        return None, [], None
    if asked is None or request.get("dated_by"):  # how far another date goes is not known
        return True, [], None
    shown = {"start": known.first, "end": known.last, "asked_start": asked.first, "asked_end": asked.last}
    if asked.last < known.first or asked.first > known.last:
        return False, [_OUTSIDE.say(language, **shown)], _nearest(asked, known)
    overlap = Range(max(asked.first, known.first), min(asked.last, known.last))
    if overlap != asked and asked.first < known.first:
        return True, [_PARTLY.say(language, start=overlap.first, end=overlap.last)], _as_nearest(overlap)
    return True, [], None


def _as_nearest(span: Range) -> Plain:
    return {"period": {"start": span.first.isoformat(), "end": span.last.isoformat()}}


def _nearest(asked: Range, known: Range) -> Plain:
    """The stretch of the asked length at the end of the data that lies nearest."""
    length = min(asked.days, known.days) - 1
    if asked.first > known.last:
        return _as_nearest(Range(date.fromordinal(known.last.toordinal() - length), known.last))
    return _as_nearest(Range(known.first, date.fromordinal(known.first.toordinal() + length)))


def _column_check(
    request: Plain, coverage: Coverage, columns: Mapping[str, str | None], language: str
) -> list[str]:
    problems: list[str] = []
    for name in [*request["metrics"], *request["dimensions"]]:
        known = lookup(coverage, name)
        listed = known.get("columns") if known else None
        column = columns.get(name)
        if listed is not None and column is not None and column not in listed:
            problems.append(_NO_COLUMN.say(language, name=name))
    return problems


def allowed(user: Mapping[str, Any], needed: Sequence[str], unrestricted: Sequence[str]) -> bool:
    roles = set(user.get("roles") or ()) | set(user.get("permissions") or ())
    return bool(roles & {*unrestricted, "*"}) or set(needed) <= roles


def check(
    request: Plain,
    needed: Sequence[str],
    offered: Sequence[Mapping[str, Any]],
    user: Mapping[str, Any],
    coverage: Coverage,
    columns: Mapping[str, str | None],
    unrestricted: Sequence[str],
    language: str,
) -> Plain:
    """`data_checked` and `time_known` say whether there was anything to look it up in: nothing is assumed silently."""
    asks_data = bool(request["metrics"] or request["dimensions"])
    available, reasons, near = _period_check(request, coverage, language) if asks_data else (True, [], None)
    missing_columns = _column_check(request, coverage, columns, language) if asks_data else []
    by_name = {str(item["name"]): item for item in offered}
    missing = [name for name in needed if name not in by_name]
    refused = [
        name for name in needed if name in by_name and not allowed(user, _rights(by_name[name]), unrestricted)
    ]
    times = [by_name[name].get("typical_seconds") for name in needed if name in by_name]
    known = [float(seconds) for seconds in times if seconds is not None]
    return {
        "data_available": available is not False and not missing_columns,
        "data_checked": available is not None,
        "permission_granted": not refused,
        "estimated_time": round(sum(known), 3),
        "time_known": bool(times) and len(known) == len(times),
        "resource_status": "missing" if missing else "available",
        "missing": missing,
        "feasible": available is not False and not missing_columns and not refused and not missing,
        "reasons": [
            *reasons, *missing_columns, *(_NO_AGENT.say(language, name=name) for name in missing),
            *(_NO_RIGHT.say(language, name=name, needed=", ".join(_rights(by_name[name]))) for name in refused),
        ],
        "nearest": near,
    }  # fmt: skip


def _rights(capability: Mapping[str, Any]) -> list[str]:
    return [str(right) for right in capability.get("requires") or capability.get("permissions") or ()]
