"""The wishes of a question for the data, read from the analysis of the question. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from metaagent.language.particles import Language

Json = dict[str, Any]
_DEEP = frozenset({"analysis", "explain"})
HISTORY_MONTHS = 13
"""So many months show both the course of a year and the same month of the year before."""


@dataclass(frozen=True)
class Asked:
    """`request` goes to the database; the rest decides what is said about the result."""

    request: Json
    resolved: Json
    intents: frozenset[str]
    language: Language
    today: date | None = None
    covered: float = 1.0
    units: str | None = None
    """The size in which this person wants to read money."""

    @classmethod
    def of(cls, analysis: Mapping[str, Any], language: Language) -> Asked:
        request = dict(analysis.get("semantic_request") or {})
        person = analysis.get("user_context") or {}
        today = person.get("today")
        return cls(
            request={**request, "language": language},
            resolved=dict(analysis.get("resolved") or {}),
            intents=frozenset(str(item["intent"]) for item in analysis.get("parsed_intents") or ()),
            language=language,
            today=date.fromisoformat(today) if today else None,
            covered=_covered(request, analysis.get("feasibility_check") or {}),
            units=(person.get("preferences") or {}).get("units"),
        )

    @property
    def deep(self) -> bool:
        """Tells whether what changed and why is wanted, beyond the figure."""
        return bool(self.intents & _DEEP)

    @property
    def for_document(self) -> bool:
        """Tells whether a document is made of the result."""
        return "document" in self.intents

    @property
    def span(self) -> tuple[date, date] | None:
        period = self.request.get("period") or {}
        if not period.get("start") or not period.get("end"):
            return None
        return date.fromisoformat(period["start"]), date.fromisoformat(period["end"])

    def with_comparison(self) -> Json:
        """The request against the stretch before it. A period that still runs is compared as far as it has come."""
        if self.request.get("comparison") or self.span is None:
            return self.request
        start, end = self.span
        period: Json = {"start": start.isoformat(), "end": end.isoformat()}
        if self.today and start < self.today <= end:
            grain = (self.resolved.get("period") or {}).get("grain")
            period["end"] = (self.today - timedelta(days=1)).isoformat()
            period |= {"grain": grain} if grain in ("year", "quarter", "month", "week") else {}
        return {**self.request, "period": period, "comparison": "previous"}

    def other_period(self) -> Json | None:
        """The request for the other of two periods that stand apart, such as March and August."""
        other = self.resolved.get("comparison") or {}
        apart = other.get("kind") == "period" and other.get("start") and other.get("end")
        if not apart or self.request.get("comparison") or self.request.get("top"):
            return None
        return {**self.request, "period": {"start": other["start"], "end": other["end"]}}

    def by(self, dimension: str) -> Json:
        """The compared request, split by one more dimension alone."""
        kept = {
            key: value
            for key, value in self.with_comparison().items()
            if key not in {"top", "having", "share"}
        }
        return {**kept, "dimensions": [dimension]}

    def history(self) -> Json | None:
        """The same figure month by month up to the end of the period asked for."""
        if self.span is None:
            return None
        end = min(self.span[1], self.today - timedelta(days=1)) if self.today else self.span[1]
        first = months_before(end.replace(day=1), HISTORY_MONTHS - 1)
        kept = {
            key: value
            for key, value in self.request.items()
            if key not in {"top", "having", "share", "comparison"}
        }
        period = {"start": first.isoformat(), "end": end.isoformat()}
        return {**kept, "dimensions": ["month"], "period": period}


def months_before(first: date, count: int) -> date:
    place = first.year * 12 + first.month - 1 - count
    return date(place // 12, place % 12 + 1, 1)


def _covered(request: Mapping[str, Any], feasible: Mapping[str, Any]) -> float:
    """The share of the days asked for that the data has."""
    period, near = request.get("period") or {}, (feasible.get("nearest") or {}).get("period")
    if not near or not period.get("start") or not period.get("end"):
        return 1.0
    whole = (date.fromisoformat(period["end"]) - date.fromisoformat(period["start"])).days + 1
    part = (date.fromisoformat(near["end"]) - date.fromisoformat(near["start"])).days + 1
    return max(0.0, min(1.0, part / max(whole, 1)))
