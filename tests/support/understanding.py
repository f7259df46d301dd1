"""The small worlds that questions are asked in by the tests of understanding."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from metaagent.evaluation.understanding import Suite, load_suite
from metaagent.level1.query_analyzer import AnalysisContext, analyze, load_domain
from tests.support.paths import ROOT


@cache
def suite() -> Suite:
    return load_suite(ROOT / "evals" / "understanding.yaml", ROOT / "configs" / "domains")


@cache
def travel() -> AnalysisContext:
    domain = load_domain(ROOT / "tests" / "support" / "domains" / "travel")
    return AnalysisContext(now=datetime.fromisoformat("2025-01-10T09:00:00+09:00"), domain=domain)


def ask(question: str, *, context: AnalysisContext | None = None, **changes: Any) -> dict[str, Any]:
    return analyze(question, replace(context or suite().context, **changes))


def talk(*questions: str, context: AnalysisContext | None = None) -> dict[str, Any]:
    """The reading of the last question, each asked after the one before it."""
    reading: dict[str, Any] | None = None
    for question in questions:
        reading = ask(question, context=context, previous=reading)
    assert reading is not None
    return reading


def found(reading: dict[str, Any], kind: str) -> list[Any]:
    return [entity["normalized"] for entity in reading["extracted_entities"] if entity["type"] == kind]


def intents(reading: dict[str, Any]) -> set[str]:
    return {item["intent"] for item in reading["parsed_intents"]}


DOCUMENTS = {"name": "document_generation", "revises": ["document"]}
DATA = {"name": "data_analysis"}


def changed(question: str) -> dict[str, Any]:
    """Ask something after a report was made."""
    made = [{"id": "d-1", "kind": "document", "summary": "방문 보고서 1판을 만들었습니다"}]
    return ask(question, artifacts=made, capabilities=[DOCUMENTS, DATA])
