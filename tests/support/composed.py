"""Questions about the demonstration company, read without a database: alone, or as a talk."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from metaagent.data.semantic import load
from metaagent.data.semantic.vocabulary import vocabulary
from metaagent.level1.query_analyzer import AnalysisContext, Lexicon, SemanticVocabulary, analyze, load_domain
from tests.support.paths import ROOT

PHARMA = ROOT / "configs" / "domains" / "pharma"
NAMES = [
    {"dimension": "rep", "value": "김서진", "key": "3", "kind": "person", "detail": "부산 병원팀"},
    {"dimension": "rep", "value": "김서진", "key": "8", "kind": "person", "detail": "광주 의원팀"},
    {"dimension": "rep", "value": "류나윤", "key": "9", "kind": "person"},
    {"dimension": "product", "value": "카르비온정", "key": "1", "kind": "product"},
    {"dimension": "hospital", "value": "안동예담병원", "key": "6", "kind": "organisation"},
]
COVERED = {"start": "2024-11-01", "end": "2026-11-15"}


@cache
def context() -> AnalysisContext:
    words = SemanticVocabulary.of(vocabulary(load(PHARMA / "semantic.yaml")))
    coverage = {term.name: COVERED for term in words.terms if term.kind == "metric" and term.time}
    return AnalysisContext(
        now=datetime.fromisoformat("2026-11-16T09:00:00+09:00"),
        domain=load_domain(PHARMA),
        vocabulary=words,
        lexicon=Lexicon.of(NAMES),
        coverage=coverage,
        user={"roles": ["owner"]},
    )


def ask(question: str, **changes: Any) -> dict[str, Any]:
    return analyze(question, replace(context(), **changes))


def talk(*questions: str) -> dict[str, Any]:
    reading: dict[str, Any] = {}
    for question in questions:
        reading = ask(question, previous=reading or None)
    return reading


def request(question: str) -> dict[str, Any]:
    reading = ask(question)
    assert reading["reading"]["by"] == "grammar", reading["doubts"]
    assert not reading["ambiguities"], reading["ambiguities"]
    assert not reading["unread"]
    return {key: value for key, value in reading["semantic_request"].items() if value and key != "language"}


OCTOBER = {"start": "2026-10-01", "end": "2026-10-31"}
SEOUL = {"dimension": "region", "op": "in", "values": ["서울"]}


def after(
    question: str, dimension: str, things: list[tuple[str, str]], before: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The turn of a question that showed these things, each a key and a name."""
    keys, labels = [key for key, _ in things], [label for _, label in things]
    by_key = keys != labels
    shown = {"dimension": dimension, "by_key": by_key, "keys": keys, "labels": labels, "whole": True}
    return {**ask(question, previous=before), "shown": [shown]}
