"""Makes notes of one deed among ordinary sentences: who gives what to whom, and whether it was done, refused or another's."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from evals.compliance import prose

Half = Literal["seen", "held_out"]
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Deed:
    """A note, the frame that its deed stands in, and whether it must be stopped."""

    language: str
    frame: str
    text: str
    violating: bool


def notes(half: Half, seed: int = 1) -> Iterator[Deed]:
    """Each frame with each thing of a half, in both languages, with a sentence before and after that gives nobody anything."""
    draw = random.Random(f"deeds {half} {seed}")  # noqa: S311 - it draws test cases
    plain = {language: _plain(language) for language in ("ko", "en")}
    for language, words in _material().items():
        recipients = _half(words["recipient"], half)
        for kind in ("given", "harmless"):
            for frame in _half(words[kind], half):
                for thing in _half(words["thing"], half):
                    said = _filled(frame, thing, draw.choice(recipients))
                    around = draw.sample(plain[language], 2)
                    yield Deed(language, frame, f"{around[0]} {said} {around[1]}", kind == "given")


@cache
def _material() -> dict[str, Any]:
    return yaml.safe_load((Path(__file__).parent / "deeds.yaml").read_text(encoding="utf-8"))


@cache
def _plain(language: str) -> list[str]:
    return [one.text for one in prose.sentences("harmless") if one.language == language]


def _half(some: list[str], half: Half) -> list[str]:
    return some[half == "held_out" :: 2]


def _filled(frame: str, thing: str, recipient: str) -> str:
    ends_open = (ord(thing[-1]) - 0xAC00) % 28 == 0
    known = {
        "thing": thing,
        "Thing": thing[0].upper() + thing[1:],
        "recipient": recipient,
        "Recipient": recipient[0].upper() + recipient[1:],
        "obj": "를" if ends_open else "을",
        "topic": "는" if ends_open else "은",
    }
    return _SLOT.sub(lambda slot: known[slot[1]], frame)
