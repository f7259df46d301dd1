from __future__ import annotations

from collections import Counter

from metaagent.evaluation import understanding as evaluation
from metaagent.level1.query_analyzer import analyze
from metaagent.level1.query_analyzer.domain import load_domain
from tests.support.paths import ROOT
from tests.support.understanding import suite


def test_the_questions_are_as_many_and_as_mixed_as_promised() -> None:
    cases = suite().cases
    languages = Counter(case["lang"] for case in cases)
    splits = Counter(case["split"] for case in cases)
    assert languages["ko"] >= 100
    assert languages["en"] >= 50
    assert abs(splits["dev"] - splits["test"]) <= 2
    assert sum("c" in case for case in cases) >= 15
    assert sum("after" in case for case in cases) >= 15
    assert len({case["id"] for case in cases}) == len(cases)


def test_the_test_half_meets_every_threshold() -> None:
    tally = evaluation.run(suite(), analyze, "test")
    assert evaluation.failures(tally.scores(), suite().thresholds) == [], tally.misses


def test_each_request_for_a_check_among_others_is_heard() -> None:
    asked = {case["id"] for case in suite().cases if "compliance" in case["i"] and len(case["i"]) > 1}
    missed = [miss for half in ("dev", "test") for miss in evaluation.run(suite(), analyze, half).misses]
    assert len(asked) >= 30
    assert [miss for miss in missed if miss["id"] in asked] == []


def test_worse_analyzer_fails_with_the_cases_named() -> None:
    def blind(question: str, context: evaluation.AnalysisContext) -> evaluation.Plain:
        return {**analyze(question, context), "extracted_entities": [], "parsed_intents": []}

    tally = evaluation.run(suite(), blind, "dev")
    failed = " ".join(evaluation.failures(tally.scores(), suite().thresholds))
    assert "entities_f1" in failed
    assert "intents" in failed
    assert tally.misses


def test_stored_calibration_follows_from_the_development_half() -> None:
    measured = evaluation.calibrate(suite(), analyze)
    stored = load_domain(ROOT / "configs" / "domains" / "pharma").calibration
    assert {rule: (counts["right"], counts["seen"]) for rule, counts in measured.items()} == dict(stored)


def test_the_fresh_questions_stay_above_the_thresholds_too() -> None:
    fresh = evaluation.load_suite(ROOT / "evals" / "understanding_fresh.yaml", ROOT / "configs" / "domains")
    tally = evaluation.run(fresh, analyze, "test")
    assert evaluation.failures(tally.scores(), fresh.thresholds) == [], tally.misses
