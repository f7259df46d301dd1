"""Random plans: no effect behind a closed gate, and none twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gate_soak import soak


async def test_random_turns_have_no_effect_behind_a_closed_gate(tmp_path: Path):
    found = await soak(tmp_path, 90, seed=1)
    assert (found.wrong, found.doubled) == ([], [])
    assert min(found.effects, found.blocked, found.overridden, found.edits) > 0


@pytest.mark.soak
async def test_ten_thousand_turns_have_no_effect_behind_a_closed_gate(tmp_path: Path):
    found = await soak(tmp_path, 10_000, seed=2, lanes=9)
    assert (found.wrong, found.doubled) == ([], [])
    assert min(found.effects, found.blocked, found.overridden, found.edits) > 100
