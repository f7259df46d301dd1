"""Dialogues and questions in a person's words, through the whole product: the floor below which they may not fall.

Rules were written for the classes of what went wrong here: this guards against falling back, and says nothing about the
next dialogue.
"""

from __future__ import annotations

from evals.judge import RIGHT, SILENT
from evals.strangers import Place, ask_file, dialogues_of
from tests.support.examples import half
from tests.support.paths import ROOT

LEAST_RIGHT, MOST_SILENT = 0.97, 0.0


async def test_talks_keep_their_floor():
    scored = await ask_file(half(dialogues_of(ROOT / "evals" / "talks.yaml")), Place())
    silent = [f"{one.id} {one.question}" for one in scored if one.verdict == SILENT]
    right = sum(one.verdict == RIGHT for one in scored)
    assert len(silent) <= MOST_SILENT * len(scored), silent
    assert right >= LEAST_RIGHT * len(scored), [one.id for one in scored if one.verdict != RIGHT]
