"""Sentences from results, in Korean and English; every number in a sentence is one of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from metaagent.language.particles import Language
from metaagent.level2.data_analysis import insights_of_change as change
from metaagent.level2.data_analysis import insights_of_values as values
from metaagent.level2.data_analysis import insights_over_time as course
from metaagent.level2.data_analysis.sentence import Insight, Subject, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def describe(result: Mapping[str, Any], subject: Subject, language: Language = "ko") -> list[Insight]:
    """Makes the sentences about one result, most important first."""
    writer = Writer(result, subject, language)
    return rank(_WRITERS[result["kind"]](writer))


def rank(insights: list[Insight], limit: int | None = None) -> list[Insight]:
    return sorted(insights, key=lambda insight: -insight["importance"])[:limit]


_Describer: TypeAlias = "Callable[[Writer], list[Insight]]"


_WRITERS: dict[str, _Describer] = {
    "achievement": change.achievement,
    "comparison": change.comparison,
    "concentration": change.concentration,
    "contribution": change.contribution,
    "correlation": values.correlation,
    "drivers": change.drivers,
    "distribution": values.distribution,
    "not_applicable": values.not_applicable,
    "outliers": values.outliers,
    "seasonality": course.seasonality,
    "summary": values.summary,
    "too_few": values.too_few,
    "trend": course.trend,
}
