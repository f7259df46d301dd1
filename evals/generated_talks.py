"""Asks generated dialogues in process and scores each turn by its class.

`python -m evals.generated_talks --n 1000 --seed 1 [--class X] [--domain pharma] [--misses 20] [--list]`

Each dialogue ends with a turn of the class that it is made for. Half of these turns are said with wordings that are scored apart
(`held out`), and whose misses are not shown here. A turn after one that went wrong is not counted.
"""
# ruff: noqa: S311 - dialogues are drawn, not secrets

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from evals import scores
from evals.generated import Product
from evals.generator.draw import Draw
from evals.generator.generate import WORLDS, make_worlds
from evals.generator.talk_turns import CLASSES, talk
from evals.generator.talks import Turn, grammar, grown, wordings
from evals.generator.wording import filled
from evals.generator.world import World
from evals.judge import RIGHT, Gold, Outcome, verdict
from evals.scores import Scored

_TRIES = 60
GRAMMAR_SHARE = 0.6


@dataclass(frozen=True)
class Said:
    cls: str
    text: str
    gold: Gold


@dataclass(frozen=True)
class Dialogue:
    id: str
    world: str
    language: str
    held_out: bool
    """Whether its last turn is said with a wording that is kept apart."""
    turns: tuple[Said, ...]


def dialogues(worlds: dict[str, World], *, n: int, seed: int, only: Sequence[str] = ()) -> Iterator[Dialogue]:
    rng = Random(f"talks:{seed}")
    chosen = [name for name in CLASSES if not only or name in only]
    made = turn = 0
    while made < n and turn < 20 * n:
        aim, world = chosen[turn % len(chosen)], rng.choice(list(worlds.values()))
        turn += 1
        drawn = next((found for _ in range(_TRIES) if (found := talk(Draw(world, rng), aim))), None)
        if drawn is None:
            continue
        for language in ("ko", "en"):
            held = rng.random() < 0.25 and "held" in wordings().get(aim, {})
            made += 1
            yield Dialogue(
                f"{seed}-{turn}-{language}", world.name, language, held, _said(drawn, language, rng, held)
            )


def _said(turns: Sequence[Turn], language: str, rng: Random, held: bool) -> tuple[Said, ...]:
    made: list[Said] = []
    for at, turn in enumerate(turns, 1):
        template = _template(turn.cls, language, rng, held and at == len(turns))
        made.append(Said(turn.cls, filled(template, language, turn.slots, rng)[0], turn.gold))
    return tuple(made)


def _template(cls: str, language: str, rng: Random, held: bool) -> str:
    """A wording that is kept apart; otherwise one that was written down, or one of the grammar."""
    own, grown_ones = wordings().get(cls), grammar().get(cls)
    if own and held and "held" in own:
        return rng.choice(own["held"][language])
    if grown_ones and (not own or rng.random() < GRAMMAR_SHARE):
        return grown(rng.choice(grown_ones[language]), language, rng)
    assert own is not None, cls
    return rng.choice(own["open"][language])


async def ask_all(worlds: dict[str, World], asked: Sequence[Dialogue]) -> list[Scored]:
    with tempfile.TemporaryDirectory() as folder:
        products = {name: Product(world, Path(folder)) for name, world in worlds.items()}
        return [one for dialogue in asked for one in await _scored(products[dialogue.world], dialogue)]


async def _scored(product: Product, dialogue: Dialogue) -> list[Scored]:
    made: list[Scored] = []
    previous: dict[str, Any] | None = None
    for at, turn in enumerate(dialogue.turns, 1):
        last, crashed = at == len(dialogue.turns), False
        try:
            reading = await product.read(turn.text, previous)
            outcome, kept = await product.turn(reading)
            previous = kept if outcome.status == "answered" else previous
        except Exception as error:  # noqa: BLE001 - a crash is no answer; it is counted and shown
            outcome, crashed = Outcome("refused", text=f"crash: {type(error).__name__}: {error}"), True
        told = verdict(turn.gold, outcome, turn.text)
        asked = " | ".join(one.text for one in dialogue.turns[:at])
        made.append(
            Scored(
                f"{dialogue.id}.{at}", turn.cls, dialogue.language, dialogue.world, asked, told, outcome.confidence,
                outcome.status == "answered", outcome.doubted and turn.gold.expect == "rows", dialogue.held_out and last,
                (), "" if told == RIGHT else _why(turn.gold, outcome), crashed, turn.gold.expect == "rows",
            )
        )  # fmt: skip
        if told != RIGHT:
            break
    return made


def _why(gold: Gold, outcome: Outcome) -> str:
    wanted = [list(table[:3]) for table in gold.tables[:1]] or gold.expect
    got = [list(row) for row in outcome.rows[:3]] if outcome.status == "answered" else outcome.text[:120]
    return f"{outcome.status}: got {got} of {len(outcome.rows)}, wanted {wanted}"


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parsed(arguments)
    with tempfile.TemporaryDirectory() as folder:
        worlds = make_worlds(Path(folder), seed=given.seed, names=given.domain or WORLDS, scale=given.scale)
        asked = list(dialogues(worlds, n=given.n, seed=given.seed, only=given.only))
        if given.list:
            for one in asked:
                if not one.held_out:
                    print(" | ".join(turn.text for turn in one.turns))  # noqa: T201
            return 0
        scored = asyncio.run(ask_all(worlds, asked))
    print(f"{len(asked)} dialogues, seed {given.seed}\n\n{scores.markdown(scores.report(scored))}")  # noqa: T201
    for one in [one for one in scored if one.verdict != RIGHT and not one.held_out][: given.misses]:
        print(f"- {one.verdict} {one.cls} {one.world} «{one.question}» {one.confidence}: {one.why}")  # noqa: T201
    return 0


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.generated_talks", description=__doc__)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--class", dest="only", action="append", default=[], choices=CLASSES)
    parser.add_argument("--domain", action="append", choices=WORLDS)
    parser.add_argument("--misses", type=int, default=0, help="show so many misses of open wordings")
    parser.add_argument("--list", action="store_true", help="print dialogues of open wordings, asking none")
    parser.add_argument("--scale", type=float, default=0.1, help="size of the demonstration company")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
