"""Fits how sure a reading is on generated questions: `python -m evals.calibration --n 4000 --seed 101`.

Only open classes are used; `--file FILE --db FILE` adds other people's questions and dialogues (see `evals.strangers`).
The weights are written to the domain's calibration.yaml.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from evals.generated import Product, status_of
from evals.generator.generate import ROOT, WORLDS, make_worlds, pairs
from evals.generator.world import World
from evals.judge import RIGHT, Gold, verdict
from evals.strangers import Place, dialogues_of, golds_of
from metaagent.demo import create_demo
from metaagent.level1.query_analyzer.confidence import FEATURES, START

Json = dict[str, Any]
Sample = tuple[dict[str, float], float, bool]
"""Features of the reading, confidence of the answering step, whether the answer was right."""
REPEATED = 6
"""A person's question counts as so many drawn ones: there are few of them, and they are what is to come."""
FILE = ROOT / "configs/domains/pharma/calibration.yaml"


async def samples(n: int, seed: int, folder: Path, names: Sequence[str]) -> list[Sample]:
    worlds = make_worlds(folder, seed=seed, names=names)
    products = {name: Product(world, folder) for name, world in worlds.items()}
    found: list[Sample] = []
    for pair in pairs(worlds, n=n, seed=seed, hidden=False):
        product = products[pair.world]
        found += await _sampled(product, await product.read(pair.question), pair.question, pair.gold)
    return found


async def file_samples(file: Path, place: Place, folder: Path) -> list[Sample]:
    """Samples of a file of questions and dialogues; a question back ends what is taken of a dialogue."""
    data = place.db or folder / "pharma.db"
    if place.db is None:
        create_demo(f"sqlite:///{data}", now=place.now)
    model = ROOT / "configs/domains/pharma/semantic.yaml"
    world = SimpleNamespace(file=data, model=model, domain="pharma", company=place.tenant, now=place.now)
    product = Product(cast("World", world), folder)
    dialogues = dialogues_of(file)
    found: list[Sample] = []
    for one, golds in zip(dialogues, golds_of(dialogues, data, place), strict=True):
        previous: Json | None = None
        for turn, gold in zip(one["turns"], golds, strict=True):
            reading = await product.read(str(turn["question"]), previous)
            if status_of(reading) in ("asked", "refused"):
                break
            found += await _sampled(product, reading, str(turn["question"]), gold)
            previous = reading if reading.get("semantic_request") else previous
    return found


async def _sampled(product: Product, reading: Json, question: str, gold: Gold) -> list[Sample]:
    """None where no figure is given."""
    outcome = await product.outcome(reading)
    features = (reading.get("reading") or {}).get("features")
    if outcome.status != "answered" or not features:
        return []
    understood = (reading["reading"]["confidence"] or 1.0) or 1.0
    step = min(1.0, (outcome.confidence or 0.0) / understood)
    return [(features, step, verdict(gold, outcome, question) == RIGHT and gold.expect == "rows")]


def fit(found: Sequence[Sample], rounds: int = 1500, rate: float = 0.15) -> dict[str, float]:
    """Logistic regression whose result is multiplied by the confidence of the answering step. What the questions do not
    show, such as parts taken over, stays near the weights that it starts with."""
    weights = dict(START)
    alike = Counter(
        (tuple(round(features.get(name, 0.0), 2) for name in FEATURES), round(step, 3), right)
        for features, step, right in found
    )
    for _ in range(rounds):
        slope = dict.fromkeys(weights, 0.0)
        for (values, step, right), count in alike.items():
            total = weights["bias"] + sum(weights[name] * v for name, v in zip(FEATURES, values, strict=True))
            sure = 1 / (1 + math.exp(-total))
            p = min(max(sure * step, 1e-6), 1 - 1e-6)
            error = count * (p - right) / (p * (1 - p)) * step * sure * (1 - sure)
            slope["bias"] += error
            for name, value in zip(FEATURES, values, strict=True):
                slope[name] += error * value
        for name in weights:
            weights[name] -= rate * (slope[name] / len(found) + 0.002 * (weights[name] - START[name]))
            if name not in ("bias", "pieces"):  # no doubt makes an answer surer
                weights[name] = min(0.0, weights[name])
    return {name: round(value, 3) for name, value in weights.items()}


def write(weights: dict[str, float], count: int, seed: int, files: int) -> None:
    text = re.sub(
        r"\n# Fitted by evals/calibration.*", "", FILE.read_text(encoding="utf-8"), flags=re.DOTALL
    ).rstrip("\n")
    lines = "\n".join(f"  {name}: {value}" for name, value in weights.items())
    and_files = f", and of {files} files" if files else ""
    asked = f"{count} answered questions of the generator's open classes, seed {seed}{and_files}"
    note = f"# Fitted by evals/calibration.py on {asked}."
    FILE.write_text(f"{text}\n{note}\nweights:\n{lines}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--domain", action="append")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--db", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(samples(given.n, given.seed, Path(folder), given.domain or WORLDS))
        for file in given.file:
            found += asyncio.run(file_samples(file, Place(given.db), Path(folder))) * REPEATED
    write(fit(found), len(found), given.seed, len(given.file))


if __name__ == "__main__":
    main()
