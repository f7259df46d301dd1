"""A sample of the suite, with each test run; `python -m tests.attacks` tries all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.suite import CLASSES, run, table

SAMPLED = [name for name in CLASSES if name != "calls"]  # which has a test of its own


@pytest.mark.parametrize("name", SAMPLED)
async def test_a_sample_of_the_attacks_finds_no_hole(tmp_path: Path, name: str):
    scores = await run(tmp_path, seed=11, size=1, only=(name,))
    assert scores[0].tried > 0
    assert scores[0].holes == [], table(scores)
