"""Makes documents whose facts are spread over header and paragraphs, each with a twin that must be stopped."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

Half = Literal["seen", "held_out"]
_SLOT = re.compile(r"\{(\w+)\}")
LOW = (12_000, 18_000, 25_000, 42_000)
HIGH = (125_000, 160_000, 210_000)


@dataclass(frozen=True)
class Spread:
    """A document, its topic, and whether it must be stopped."""

    topic: str
    language: str
    text: str
    violating: bool


def documents(half: Half, count: int, seed: int = 1) -> Iterator[Spread]:
    """Twins in turn: a harmless one and one that is not, two Korean pairs for each English one."""
    draw = random.Random(f"spread {half} {seed}")  # noqa: S311 - it draws test cases
    topics = list(_material()["topics"])
    for number in range(count):
        language, violating = ("ko" if number // 2 % 3 else "en"), bool(number % 2)
        topic = draw.choice(topics)
        lists = _material()["topics"][topic][language]["violating" if violating else "harmless"]
        sentences = [draw.choice(_half(one, half)) for one in lists]
        for _ in range(draw.randint(0, 2)):
            noise = draw.choice(_half(_material()["plain"][language], half))
            sentences.insert(draw.choice([1, len(sentences)]), noise)
        yield Spread(topic, language, _filled(draw, language, _joined(draw, sentences)), violating)


@cache
def _material() -> dict[str, Any]:
    return yaml.safe_load((Path(__file__).parent / "spread.yaml").read_text(encoding="utf-8"))


def _half(sentences: list[str], half: Half) -> list[str]:
    return sentences[half == "held_out" :: 2]


def _joined(draw: random.Random, sentences: list[str]) -> str:
    header, *rest = sentences
    gap, between = draw.choice(["\n", "\n\n"]), draw.choice([" ", "\n", "\n\n"])
    return f"{header}{gap}{between.join(rest)}"


def _filled(draw: random.Random, language: str, text: str) -> str:
    doctors = draw.choice([2, 3, 4, 6])
    low, high = draw.choice(LOW), draw.choice(HIGH)
    known = {name: draw.choice(some) for name, some in _material()["words"][language].items()}
    won = "원" if language == "ko" else " won"
    known |= {"doctors": str(doctors), "low": f"{low:,}{won}", "high": f"{high:,}{won}"}
    known |= {"low_total": f"{low * doctors:,}{won}", "high_total": f"{high * doctors:,}{won}"}
    said = _SLOT.sub(lambda slot: known[slot[1]], text)
    return re.sub(r"(^|[.\n] ?)([a-z])", lambda m: m[1] + m[2].upper(), said)
