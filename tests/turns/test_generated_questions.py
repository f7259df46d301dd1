"""A sample of generated questions in each run of the tests: the floor below which reading may not fall.

`python -m evals.generated --n 20000` asks all; docs/evaluation.md has the scores.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.generated import ask_all
from evals.generator.generate import make_worlds, pairs
from evals.scores import Scored, report

SAMPLE, SEED = 416, 11
LEAST_RIGHT, MOST_SILENT = 0.75, 0.03


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("generated")


async def _asked(folder: Path) -> list[Scored]:
    worlds = make_worlds(folder, scale=0.05)
    return await ask_all(worlds, pairs(worlds, n=SAMPLE, seed=SEED))


async def test_a_sample_of_generated_questions_keeps_its_floor(folder: Path) -> None:
    scored = await _asked(folder)
    made = report(scored)
    assert len(scored) == SAMPLE
    assert made["all"]["crashes"] == 0, [one.why for one in scored if one.crashed]
    assert made["all"]["right"] >= LEAST_RIGHT, made["all"]
    assert made["all"]["silent"] <= MOST_SILENT, made["all"]
    assert made["class"]["unknown_word"]["silent"] <= 0.1, made["class"]["unknown_word"]
