"""Fits how sure a reading is on generated questions: `python -m evals.calibration --n 4000 --seed 101`.

Only open classes are used; the weights are written to the domain's calibration.yaml.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evals.generated import Product, status_of
from evals.generator.generate import ROOT, make_worlds, pairs
from evals.judge import RIGHT, verdict
from metaagent.level1.query_analyzer.confidence import FEATURES, START

Sample = tuple[dict[str, float], float, bool]
"""Features of the reading, confidence of the answering step, whether the answer was right."""
FILE = ROOT / "configs/domains/pharma/calibration.yaml"


async def samples(n: int, seed: int, folder: Path, names: Sequence[str]) -> list[Sample]:
    worlds = make_worlds(folder, seed=seed, names=names)
    products = {name: Product(world, folder) for name, world in worlds.items()}
    found: list[Sample] = []
    for pair in pairs(worlds, n=n, seed=seed, hidden=False):
        product = products[pair.world]
        outcome = await product.ask(pair.question)
        reading = await product.read(pair.question)
        features = (reading.get("reading") or {}).get("features")
        if outcome.status != "answered" or status_of(reading) != "answered" or not features:
            continue
        understood = (reading["reading"]["confidence"] or 1.0) or 1.0
        step = min(1.0, (outcome.confidence or 0.0) / understood)
        found.append((features, step, verdict(pair.gold, outcome, pair.question) == RIGHT))
    return found


def fit(found: Sequence[Sample], rounds: int = 1500, rate: float = 0.15) -> dict[str, float]:
    """Logistic regression whose result is multiplied by the confidence of the answering step. What the questions do not
    show, such as parts taken over, stays near the weights that it starts with."""
    weights = dict(START)
    for _ in range(rounds):
        slope = dict.fromkeys(weights, 0.0)
        for features, step, right in found:
            total = weights["bias"] + sum(weights[name] * features.get(name, 0.0) for name in FEATURES)
            sure = 1 / (1 + math.exp(-total))
            p = min(max(sure * step, 1e-6), 1 - 1e-6)
            error = (p - right) / (p * (1 - p)) * step * sure * (1 - sure)
            slope["bias"] += error
            for name in FEATURES:
                slope[name] += error * features.get(name, 0.0)
        for name in weights:
            weights[name] -= rate * (slope[name] / len(found) + 0.002 * (weights[name] - START[name]))
    return {name: round(value, 3) for name, value in weights.items()}


def write(weights: dict[str, float], count: int, seed: int) -> None:
    text = re.sub(
        r"\n# Fitted by evals/calibration.*", "", FILE.read_text(encoding="utf-8"), flags=re.DOTALL
    ).rstrip("\n")
    lines = "\n".join(f"  {name}: {value}" for name, value in weights.items())
    note = f"# Fitted by evals/calibration.py on {count} answered questions of the generator's open classes, seed {seed}."
    FILE.write_text(f"{text}\n{note}\nweights:\n{lines}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--domain", action="append")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(samples(given.n, given.seed, Path(folder), given.domain or ["pharma"]))
    write(fit(found), len(found), given.seed)


if __name__ == "__main__":
    main()
