"""Fits how sure a reading is: `python -m evals.calibration REPORT.json ... [--later REPORT.json ...] [--n 1200 --seed 101]`.

A report is what `evals.strangers FILE --report json` printed of one file, best when its questions were first asked. Answers of
`--later` reports, of files that rules were written for meanwhile, count less, and generated questions (open classes) little. A
file that is in both is left out of both. It prints ECE and AUROC, each file judged by weights fitted without it, and the weights
of all, for `metaagent/level1/query_analyzer/confidence.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from evals.generated import Product
from evals.generator.generate import WORLDS, make_worlds, pairs
from evals.judge import RIGHT, verdict
from evals.scores import auroc, calibration_error
from metaagent.level1.query_analyzer.confidence import FEATURES, WEIGHTS, confidence

LATER, GENERATED = 0.6, 0.1
"""The weight of an answer that is no first one, and of one to a generated question."""
NEAR = 2.0
"""How much evidence, in answers, a weight needs to move from where it is."""
ROUNDS = 60


@dataclass(frozen=True)
class Sample:
    """One answer: its features, the confidence of the answering step, and whether it was right."""

    file: str
    features: Mapping[str, float]
    step: float
    right: bool
    weight: float = 1.0


def answers_of(report: Path, weight: float = 1.0) -> list[Sample]:
    """The figures that were given, as a report of `evals.strangers` has them."""
    found: list[Sample] = []
    for one in orjson.loads(report.read_bytes())["questions"]:
        reading: Mapping[str, Any] = one.get("reading") or {}
        if one["answered"] and reading.get("features") and reading.get("confidence"):
            step = min(1.0, (one["confidence"] or 0.0) / reading["confidence"])
            found.append(Sample(report.stem, reading["features"], step, one["right_figure"], weight))
    return found


async def generated(n: int, seed: int, folder: Path) -> list[Sample]:
    worlds = make_worlds(folder, seed=seed, names=WORLDS)
    products = {name: Product(world, folder) for name, world in worlds.items()}
    found: list[Sample] = []
    for pair in pairs(worlds, n=n, seed=seed, hidden=False):
        reading = await products[pair.world].read(pair.question)
        outcome = await products[pair.world].outcome(reading)
        known = reading.get("reading") or {}
        if outcome.status == "answered" and known.get("features"):
            right = verdict(pair.gold, outcome, pair.question) == RIGHT and pair.gold.expect == "rows"
            step = min(1.0, (outcome.confidence or 0.0) / (known["confidence"] or 1.0))
            found.append(Sample("generated", known["features"], step, right, GENERATED))
    return found


def fit(found: Sequence[Sample]) -> dict[str, float]:
    """Logistic regression that stays near the present weights where the answers say little; no doubt makes an answer surer."""
    names = ("bias", *FEATURES)
    values = np.array([[1.0, *(one.features.get(name, 0.0) for name in FEATURES)] for one in found])
    right = np.array([float(one.right) for one in found])
    weight = np.array([one.weight for one in found])
    start = np.array([WEIGHTS[name] for name in names])
    near = np.array([0.01 if name == "bias" else NEAR for name in names])
    made = start.copy()
    for _ in range(ROUNDS):
        sure = 1 / (1 + np.exp(-np.clip(values @ made, -30, 30)))
        slope = values.T @ (weight * (sure - right)) + near * (made - start)
        bend = (values * (weight * np.maximum(sure * (1 - sure), 1e-4))[:, None]).T @ values + np.diag(near)
        made = made - np.clip(
            np.linalg.solve(bend, slope), -1, 1
        )  # far from the answers a whole step overshoots
        made[1:] = np.minimum(made[1:], 0.0)
    return {name: round(float(value), 2) for name, value in zip(names, made, strict=True)}


def held_out(found: Sequence[Sample]) -> list[tuple[str, float, bool]]:
    """Each first answer as file, confidence by weights fitted without its file, and whether it was right."""
    made: list[tuple[str, float, bool]] = []
    for file in sorted({one.file for one in found if one.weight == 1.0}):
        weights = fit([one for one in found if one.file != file])
        made += [
            (file, confidence(one.features, weights) * one.step, one.right)
            for one in found
            if one.file == file and one.weight == 1.0
        ]
    return made


def table(found: Sequence[Sample]) -> str:
    """ECE and AUROC of first answers by the present weights and by those fitted without the file, all together and by file."""
    now = [(one.file, confidence(one.features) * one.step, one.right) for one in found if one.weight == 1.0]
    apart = held_out(found)
    lines = [
        "| file | answers | right | ECE, AUROC now | ECE, AUROC fitted without it |",
        "|---|---|---|---|---|",
    ]
    for file in ("", *sorted({one[0] for one in now})):
        rows = [
            [(sure, right) for name, sure, right in group if file in ("", name)] for group in (now, apart)
        ]
        share = sum(right for _, right in rows[0]) / len(rows[0])
        cells = [f"{calibration_error(one)}, {auroc(one)}" for one in rows]
        lines.append(f"| {file or 'all'} | {len(rows[0])} | {100 * share:.1f} % | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.calibration", description=__doc__)
    parser.add_argument("report", type=Path, nargs="+")
    parser.add_argument("--later", type=Path, nargs="*", default=[])
    parser.add_argument("--n", type=int, default=0, help="generated questions")
    parser.add_argument("--seed", type=int, default=101)
    given = parser.parse_args(arguments)
    found = [sample for report in given.report for sample in answers_of(report)]
    found += [sample for report in given.later for sample in answers_of(report, LATER)]
    if given.n:
        with tempfile.TemporaryDirectory() as folder:
            found += asyncio.run(generated(given.n, given.seed, Path(folder)))
    print(table(found))  # noqa: T201
    for name, value in fit(found).items():
        print(f'    "{name}": {value},')  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
