"""Notes of one deed among ordinary sentences: how they are made, and that deeds are stopped whatever is given to whom."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from evals.compliance import deeds
from evals.compliance.deeds import Half
from tests.support.compliance import text, verdict

HALVES: tuple[Half, ...] = get_args(Half)
MOST_STOPPED = 0.1
"""The share of harmless deeds that may be stopped: a person looks at them."""


@pytest.mark.parametrize("half", HALVES)
def test_a_deed_that_was_done_is_always_stopped(half: Half):
    done = [one for one in deeds.notes(half) if one.violating]
    assert [one.text for one in done if not verdict(text(one.text))["blocks"]] == []


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("half", HALVES)
def test_deeds_that_give_nobody_anything_mostly_pass(half: Half, language: str):
    harmless = [one for one in deeds.notes(half) if not one.violating and one.language == language]
    stopped = [one.text for one in harmless if verdict(text(one.text))["blocks"]]
    assert len(stopped) <= MOST_STOPPED * len(harmless), stopped


def test_the_halves_share_no_frame_and_no_note():
    seen, held_out = (list(deeds.notes(half)) for half in HALVES)
    assert not {one.frame for one in seen} & {one.frame for one in held_out}
    assert not {one.text for one in seen} & {one.text for one in held_out}


@pytest.mark.parametrize("half", HALVES)
def test_each_language_has_as_many_deeds_done_as_harmless(half: Half):
    for language in ("ko", "en"):
        kinds = [one.violating for one in deeds.notes(half) if one.language == language]
        assert len(kinds) > 50
        assert kinds.count(True) == kinds.count(False)


def test_a_seed_draws_the_same_notes_again():
    assert list(deeds.notes("seen", 3)) == list(deeds.notes("seen", 3))
    assert list(deeds.notes("seen", 3)) != list(deeds.notes("seen", 4))


@pytest.mark.parametrize("half", HALVES)
def test_no_slot_of_a_frame_is_left_open(half: Half):
    assert not [one.text for one in deeds.notes(half) if re.search(r"[{}]", one.text)]


@pytest.mark.parametrize("half", HALVES)
def test_particles_fit_the_thing_that_is_given(half: Half):
    for one in deeds.notes(half):
        if one.language == "ko" and "{thing}{obj}" in one.frame:
            before, after = re.escape(one.frame).split(re.escape("{thing}{obj}"))
            around = [re.sub(r"\\\{\w+\\\}", ".+", part) for part in (before, after)]
            found = re.search(f"{around[0]}(?P<thing>.*[가-힣])(?P<obj>[을를]){around[1]}", one.text)
            assert found is not None, one.text
            assert (found["obj"] == "를") is ((ord(found["thing"][-1]) - 0xAC00) % 28 == 0), one.text
