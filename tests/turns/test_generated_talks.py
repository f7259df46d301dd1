"""A sample of generated dialogues, of every class of follow-up: the floor below which they may not fall.

`python -m evals.generated_talks --n 1000` asks more of them; docs/evaluation.md has the scores.
"""

from __future__ import annotations

from pathlib import Path

from evals.generated_talks import ask_all, dialogues
from evals.generator.generate import make_worlds
from evals.generator.talk_turns import CLASSES
from evals.generator.talks import grammar, wordings
from evals.scores import report

SAMPLE, SEED = 144, 7
LEAST_RIGHT, MOST_SILENT = 0.93, 0.02


async def test_a_sample_of_generated_talks_keeps_its_floor(tmp_path: Path) -> None:
    worlds = make_worlds(tmp_path, names=["pharma"], scale=0.05)
    scored = await ask_all(worlds, list(dialogues(worlds, n=SAMPLE, seed=SEED)))
    made = report(scored)["all"]
    assert made["crashes"] == 0, [one.why for one in scored if one.crashed]
    assert made["right"] >= LEAST_RIGHT, made
    assert made["silent"] <= MOST_SILENT, [one.question for one in scored if one.verdict == "silent"]


def test_every_class_is_said_in_both_languages() -> None:
    for name in CLASSES:
        own, grown_ones = wordings().get(name), grammar().get(name)
        assert own or grown_ones, name
        for language in ("ko", "en"):
            assert grown_ones is None or grown_ones[language], name
            if own:
                assert own["open"][language], name
                assert own["held"][language], name
                assert not set(own["open"][language]) & set(own["held"][language]), name
