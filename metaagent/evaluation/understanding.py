"""Scoring an analyzer against a file of questions: pure, so that the command line and the tests say the same.

Accuracy per field: intents (the exact set), entities (F1 over type and text), normalised values (of the entities found),
clarification (whether to ask, and about which field), the structured request and feasibility where a case names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from metaagent.level1.query_analyzer import AnalysisContext, Domain, Lexicon, SemanticVocabulary, load_domain
from metaagent.level1.query_analyzer.yaml_source import check, load

Plain = dict[str, Any]
Analyze = Callable[[str, AnalysisContext], Plain]

_SHAPE: Plain = {
    "version!": "int",
    "world!": "str",
    "domain!": "str",
    "thresholds!": ("map", "number"),
    "cases!": ("list", {
        "id!": "str", "split!": "str", "lang!": "str", "q!": "str", "after": ("list", "str"), "i!": ("list", "str"),
        "e!": ("list", "any"), "c": "str", "r": ("map", "any"), "f": "bool",
    }),
}  # fmt: skip


@dataclass(frozen=True)
class Suite:
    cases: Sequence[Mapping[str, Any]]
    thresholds: Mapping[str, float]
    context: AnalysisContext


@dataclass
class Tally:
    """Counts of one run; every score is a ratio of them."""

    cases: int = 0
    intents: int = 0
    clarification: int = 0
    found: int = 0
    expected: int = 0
    matched: int = 0
    normalized: int = 0
    requests: tuple[int, int] = (0, 0)
    feasible: int = 0
    misses: list[Plain] = field(default_factory=list[Plain])

    def scores(self) -> dict[str, float]:
        return {
            "intents": _ratio(self.intents, self.cases),
            "entities_f1": _ratio(2 * self.matched, self.found + self.expected),
            "normalized": _ratio(self.normalized, self.matched),
            "clarification": _ratio(self.clarification, self.cases),
            "request": _ratio(*self.requests),
            "feasibility": _ratio(self.feasible, self.cases),
        }


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def load_suite(file: Path, domains: Path) -> Suite:
    """The questions of a file and the world they are asked in; `domains` holds a folder per domain."""
    document = load(file)
    check(document, _SHAPE)
    world = load(file.parent / document.data["world"]).data
    context = world_context(world, load_domain(domains / document.data["domain"]))
    return Suite(document.data["cases"], document.data["thresholds"], context)


def world_context(world: Mapping[str, Any], domain: Domain) -> AnalysisContext:
    return AnalysisContext(
        now=datetime.fromisoformat(world["now"]),
        domain=domain,
        timezone=world["timezone"],
        user=world["user"],
        lexicon=Lexicon.of(world["lexicon"]),
        vocabulary=SemanticVocabulary.of(world["vocabulary"]),
        capabilities=world["capabilities"],
        artifacts=world["artifacts"],
        coverage=world["coverage"],
    )


def answer(case: Mapping[str, Any], context: AnalysisContext, analyze: Analyze) -> Plain:
    """The reading of the case's question, after those of the turns before it."""
    previous: Plain | None = None
    for question in case.get("after") or ():
        previous = analyze(question, replace(context, previous=previous))
    return analyze(case["q"], replace(context, previous=previous))


def _pairs(expected: Sequence[Any], found: Sequence[Plain]) -> list[tuple[Any, Plain]]:
    left = list(found)
    pairs: list[tuple[Any, Plain]] = []
    for item in expected:
        match = next((e for e in left if (e["type"], e["value"]) == (item[0], item[1])), None)
        if match is not None:
            left.remove(match)
            pairs.append((item, match))
    return pairs


def _request_parts(case: Mapping[str, Any], resolved: Plain) -> list[tuple[str, Any, Any]]:
    """(name, expected, found) for each part of the request that the case names."""
    wanted = case.get("r") or {}
    places = [
        v
        for item in resolved["filters"]
        if item["field"] == "region" and item["op"] == "in"
        for v in item["values"]
    ]
    period = resolved["period"]
    found = {
        "locations": places,
        "metrics": resolved["metrics"],
        "dimensions": resolved["dimensions"],
        "period": f"{period['start']}/{period['end']}" if period else None,
    }
    return [(name, value, found[name]) for name, value in wanted.items()]


def score_case(case: Mapping[str, Any], reading: Plain, tally: Tally) -> None:
    found = [e for e in reading["extracted_entities"] if e["type"] != "ambiguous_metric"]
    pairs = _pairs(case["e"], found)
    right = [pair for pair in pairs if pair[0][2] == pair[1]["normalized"]]
    intents = {item["intent"] for item in reading["parsed_intents"]}
    asked = reading["ambiguities"][0]["field"] if reading["clarification_needed"] else None
    parts = _request_parts(case, reading["resolved"])
    met = [part for part in parts if part[1] == part[2]]
    feasible = reading["feasibility_check"]["data_available"] is not False
    good = {
        "intents": intents == set(case["i"]),
        "clarification": asked == case.get("c"),
        "feasible": feasible == case.get("f", True),
    }
    tally.cases += 1
    tally.intents += good["intents"]
    tally.clarification += good["clarification"]
    tally.feasible += good["feasible"]
    tally.found += len(found)
    tally.expected += len(case["e"])
    tally.matched += len(pairs)
    tally.normalized += len(right)
    tally.requests = (tally.requests[0] + len(met), tally.requests[1] + len(parts))
    if (
        not all(good.values())
        or len(pairs) != len(found)
        or len(right) != len(case["e"])
        or len(met) != len(parts)
    ):
        tally.misses.append({
            "id": case["id"], "question": case["q"], "intents": [sorted(case["i"]), sorted(intents)],
            "entities": [case["e"], [[e["type"], e["value"], e["normalized"]] for e in found]],
            "asked": [case.get("c"), asked], "request": [p for p in parts if p not in met],
            "feasible": [case.get("f", True), feasible],
        })  # fmt: skip


def run(suite: Suite, analyze: Analyze, split: str = "test") -> Tally:
    tally = Tally()
    for case in suite.cases:
        if case["split"] == split:
            score_case(case, answer(case, suite.context, analyze), tally)
    return tally


def failures(scores: Mapping[str, float], thresholds: Mapping[str, float]) -> list[str]:
    """Lists the scores below their thresholds, worded so that a person can act."""
    return [
        f"{name} {scores[name]:.4f} is below {low:.2f}"
        for name, low in thresholds.items()
        if scores[name] < low
    ]


def calibrate(suite: Suite, analyze: Analyze) -> dict[str, dict[str, int]]:
    """Count how often each rule was right on the development half; confidence is computed from it."""
    counts: dict[str, dict[str, int]] = {}

    def count(rule: str, right: bool) -> None:
        entry = counts.setdefault(rule, {"right": 0, "seen": 0})
        entry["seen"] += 1
        entry["right"] += right

    for case in suite.cases:
        if case["split"] != "dev":
            continue
        reading = answer(case, suite.context, analyze)
        for item in reading["parsed_intents"]:
            count(f"intent_{item['rule']}", item["intent"] in case["i"])
        for entity in reading["extracted_entities"]:
            if entity["type"] != "ambiguous_metric":
                expected = [e[2] for e in case["e"] if (e[0], e[1]) == (entity["type"], entity["value"])]
                count(f"entity_{entity['method']}", entity["normalized"] in expected)
    return dict(sorted(counts.items()))
