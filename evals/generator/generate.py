"""A stream of questions over several worlds: seeded, so that the same call makes the same questions again."""
# ruff: noqa: S311 - questions are drawn, not secrets

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import yaml

from evals.generator import conditions, derived, simple, unanswerable
from evals.generator.draw import Draw, Meaning
from evals.generator.schemas import make_world
from evals.generator.wording import classes, held_out, say
from evals.generator.world import World, read_world
from evals.judge import Gold
from metaagent.demo import create_demo

ROOT = Path(__file__).parents[2]
PHARMA_NOW = date(2026, 11, 16)
WORLDS = ("pharma", "music", "logistics", "academy")
WORDINGS = 4
_TRIES = 12
Make = Callable[[Draw], Meaning | None]
MAKERS: dict[str, Make] = {
    name: make
    for module in (simple, conditions, derived, unanswerable)
    for name in classes()
    if (make := getattr(module, name, None)) is not None
}


@dataclass(frozen=True)
class Pair:
    """A question with its answer."""

    id: str
    world: str
    cls: str
    language: str
    question: str
    gold: Gold
    held_out: bool
    noise: tuple[str, ...] = ()
    request: dict[str, Any] = field(default_factory=dict[str, Any])


def make_worlds(
    folder: Path, *, seed: int = 1, names: Sequence[str] = WORLDS, scale: float = 0.1
) -> dict[str, World]:
    return {
        name: pharma_world(folder, scale=scale) if name == "pharma" else make_world(name, folder, seed=seed)
        for name in names
    }


def pharma_world(folder: Path, *, scale: float = 0.1) -> World:
    """The demonstration company with the targets of its people."""
    file, model = folder / "pharma.db", ROOT / "configs/domains/pharma/semantic.yaml"
    create_demo(f"sqlite:///{file}", now=PHARMA_NOW, scale=scale)
    given = yaml.safe_load(model.read_text(encoding="utf-8"))
    words = yaml.safe_load((ROOT / "evals/worlds/pharma_words.yaml").read_text(encoding="utf-8"))
    words["targets"] = _targets(file)
    return read_world("pharma", file, model, now=PHARMA_NOW, given=given, words=words, tenant="hanbit")


def _targets(file: Path) -> list[dict[str, Any]]:
    import sqlite3

    connection = sqlite3.connect(file)
    try:
        found = connection.execute(
            "SELECT rep_id, month, target_amount FROM targets WHERE company_id = 'hanbit'"
        ).fetchall()
    finally:
        connection.close()
    return [{"rep_id": a, "month": date.fromisoformat(b), "target_amount": c} for a, b, c in found]


def pairs(
    worlds: dict[str, World], *, n: int, seed: int = 1, only: Sequence[str] = (), hidden: bool | None = None
) -> Iterator[Pair]:
    """`hidden` True makes the held-out classes alone, False the others alone."""
    rng = Random(f"questions:{seed}")
    chosen = [name for name in MAKERS if (not only or name in only) and _wanted(name, hidden)]
    made = 0
    turn = 0
    dry = 0
    while made < n and dry < 50 * len(chosen):
        cls, world = chosen[turn % len(chosen)], rng.choice(list(worlds.values()))
        turn += 1
        meaning = _meaning(MAKERS[cls], world, rng)
        if meaning is None:
            dry += 1
            continue
        dry = 0
        for pair in _worded(meaning, world, rng, f"{seed}-{turn}"):
            if made < n:
                made += 1
                yield pair


def _wanted(name: str, hidden: bool | None) -> bool:
    return hidden is None or (name in held_out()) == hidden


def _meaning(make: Make, world: World, rng: Random) -> Meaning | None:
    for _ in range(_TRIES):
        meaning = make(Draw(world, rng))
        if meaning is not None:
            return meaning
    return None


def _worded(meaning: Meaning, world: World, rng: Random, mark: str) -> Iterator[Pair]:
    seen: set[str] = set()
    for number in range(WORDINGS):
        language = "ko" if number % 2 == 0 else "en"
        said = say(meaning.cls, language, meaning.slots, rng, typos=meaning.gold.expect == "rows")
        if said.text in seen:
            continue
        seen.add(said.text)
        yield Pair(
            f"{mark}-{number}", world.name, meaning.cls, language, said.text, _own(meaning.gold, language),
            meaning.cls in held_out(), said.noise, meaning.request,
        )  # fmt: skip


def _own(gold: Gold, language: str) -> Gold:
    """The unknown word in the language of the question."""
    if gold.unknown is None:
        return gold
    ko, en = gold.unknown.split("\n")
    return replace(gold, unknown=ko if language == "ko" else en)
