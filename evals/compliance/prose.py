"""Makes business prose that gives nobody anything, and the same prose with one violation in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Prose:
    """A document of harmless sentences; `violation` is the sentence in it that is none, if there is one."""

    language: str
    text: str
    violation: str = ""


def documents(count: int, seed: int = 1) -> Iterator[Prose]:
    """Harmless documents of three to six sentences of one genre, two Korean ones for each English one."""
    draw = random.Random(f"prose {seed}")  # noqa: S311 - it draws test cases
    for number in range(count):
        language = "ko" if number % 3 else "en"
        genre = draw.choice(list(_prose()["harmless"][language].values()))
        sentences = draw.sample(genre, min(len(genre), draw.randint(3, 6)))
        yield Prose(language, _joined(draw, [_filled(draw, language, one) for one in sentences]))


def violations(count: int, seed: int = 1) -> Iterator[Prose]:
    """The same documents with one sentence more, somewhere in them."""
    draw = random.Random(f"violations {seed}")  # noqa: S311 - it draws test cases
    for made in documents(count, seed):
        said = _filled(draw, made.language, draw.choice(_prose()["violations"][made.language]))
        parts = re.split(r"(?<=[.;])(?=\s)", made.text)
        parts.insert(draw.randint(0, len(parts)), f" {said}")
        yield Prose(made.language, "".join(parts).strip(), said)


def sentences(kind: str, seed: int = 1) -> Iterator[Prose]:
    """Each sentence once, by itself."""
    draw = random.Random(f"sentences {seed}")  # noqa: S311 - it draws test cases
    for language in ("ko", "en"):
        known: Any = _prose()[kind][language]
        for one in known if isinstance(known, list) else [s for genre in known.values() for s in genre]:
            said = _filled(draw, language, one)
            yield Prose(language, said, said if kind == "violations" else "")


@cache
def _prose() -> dict[str, Any]:
    return yaml.safe_load((Path(__file__).parent / "prose.yaml").read_text(encoding="utf-8"))


def _filled(draw: random.Random, language: str, sentence: str) -> str:
    words = _prose()["words"][language]
    made = _SLOT.sub(lambda slot: draw.choice(words[slot[1]]), sentence)
    return made[0].upper() + made[1:]


def _joined(draw: random.Random, sentences: list[str]) -> str:
    return draw.choice([" ", "\n", " ", "\n- "]).join(sentences)
