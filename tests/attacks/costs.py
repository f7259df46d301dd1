"""What a byte of a bad shape costs, beside a byte of plain text and beside a shorter text of the same shape.

All is measured in processes that are ended when a text takes much more than it may: a cost that explodes is a hole with a name,
and not a suite that does not end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from metaagent.protection.redaction import find
from metaagent.protection.redaction.conditions import DETECTORS
from tests.attacks.bounded import bounded, spent, within
from tests.attacks.generators import PLAIN_PIECE, long_inputs
from tests.attacks.readers import Read, warmed
from tests.attacks.readers import readers as all_readers
from tests.attacks.world import KIM, opened

MOST_RATIO, MOST_GROWTH = 50, 2.5
FACTOR, FLOOR = 2, 0.3
"""A text is given up when it took this many times what it may, and this many seconds: a busy machine is no hole."""
Shape = tuple[str, str]
Cost = dict[str, float]
"""What a byte of the text costs, by what it is measured beside."""
MOST = {"plain text": MOST_RATIO, "a part of it": MOST_GROWTH}


def plain_text(length: int) -> str:
    return PLAIN_PIECE * (length // len(PLAIN_PIECE.encode()))


def per_byte(read: Read, text: str, most: float = 600.0, runs: int = 3) -> float:
    """CPU that reading takes for a byte of the text, in the best of some runs; the process ends at more than `most` seconds."""
    best = most
    for _ in range(runs):
        start = spent()
        with within(most):
            read(text)
        best = min(best, spent() - start)
    return best / len(text.encode())


def every_detector(text: str) -> None:
    """Search the text with all detectors, also those whose condition it does not meet: what a byte may cost is measured by it."""
    for detector in DETECTORS:
        list(detector.hits(text))


def least(measure: Callable[[], float], most: float) -> float:
    """What is measured, again where it is too much: other work on the machine passes, a cost that grows stays."""
    found = measure()
    for _ in range(3):
        if found <= most:
            break
        found = min(found, measure())
    return found


def patience(plain: float, length: int) -> float:
    """Seconds after which a text of this length is given up."""
    return FLOOR + FACTOR * MOST_RATIO * plain * length


def costs_of(read: Read, text: str, plain: float, part: int) -> Cost:
    """What a byte of the text costs beside `plain`, and beside a byte of one part in so many of it."""
    most = patience(plain, len(text.encode()))
    ratio = least(lambda: per_byte(read, text, most) / plain, MOST_RATIO)
    growth = least(
        lambda: per_byte(read, text, most) / per_byte(read, text[: len(text) // part], most), MOST_GROWTH
    )
    return {"plain text": ratio, "a part of it": growth}


def detected(shapes: Sequence[Shape], length: int) -> Iterator[Cost]:
    """Search texts for personal data."""
    plain = per_byte(every_detector, plain_text(length))
    for _, text in shapes:
        yield costs_of(find, text, plain, 4)


def been_read(shapes: Sequence[Shape], length: int, name: str) -> Iterator[Cost]:
    """Read texts by the reader of this name."""
    read = warmed(dict(all_readers())[name])
    plain = per_byte(read, plain_text(length))
    for _, text in shapes:
        yield costs_of(read, text, plain, 3)


def asked(shapes: Sequence[Shape], length: int, folder: Path) -> Iterator[Cost]:
    """Ask texts as questions."""
    opening = opened(folder, memory={"index_above": 2})
    with asyncio.Runner() as runner:
        app = runner.run(opening.__aenter__())

        def ask(text: str) -> None:
            runner.run(app.ask(f"note {text}", user=KIM))

        ask("first")
        plain = per_byte(ask, plain_text(length), runs=1)
        for _, text in shapes:
            yield {"plain text": per_byte(ask, text, patience(plain, length), runs=1) / plain}
        runner.run(opening.__aexit__(None, None, None))


def _held(
    score: Any, what: str, shapes: Sequence[Shape], work: Callable[..., Iterator[Cost]], *args: Any
) -> None:
    for (name, _), cost in bounded(work, shapes, *args):
        if cost is None:
            score.held(f"{what} of {name}: given up, it takes far too long", False)
            continue
        for beside, times in cost.items():
            score.held(f"{what} of {name}: {times:.1f} × {beside}", times <= MOST[beside])


async def inputs(score: Any, folder: Path, seed: int, size: int) -> None:
    """Long texts of bad shapes before what looks for personal data, and as questions."""
    length = 20_000 + 4_000 * size
    _held(score, "detection", list(long_inputs(seed, length)), detected, length)
    if size > 1:
        _held(score, "turn", list(long_inputs(seed, 100_000)), asked, 100_000, folder / "inputs")


async def readers(score: Any, folder: Path, seed: int, size: int) -> None:
    """Texts and files of bad shapes before everything that reads them: checks by rules, questions, each kind of file."""
    rng, length = random.Random(seed), 2_000 + 2_000 * size
    for name, _ in all_readers():
        tried = list(long_inputs(seed, length))
        _held(score, name, tried if size > 1 else rng.sample(tried, 3), been_read, length, name)
