"""Asks generated questions in process and scores the answers.

`python -m evals.generated --n 20000 --seed 1 [--class X] [--domain pharma] [--report md|json] [--held-out]`
`python -m evals.generated --list --n 500` shows questions with their answers and asks none.

Each question goes the product's way: the reasoner reads it, the data agent asks the database and words the answer.
Misses of held-out classes are counted, never shown.
`python -m evals.strangers` asks files of questions through the whole product instead.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import orjson

from evals import scores
from evals.generator.generate import MAKERS, WORLDS, Pair, make_worlds, pairs
from evals.generator.world import World
from evals.judge import RIGHT, Outcome, outcome_of_table, verdict
from evals.scores import Scored
from metaagent.config import load_settings
from metaagent.errors import AgentSignal, MetaAgentError
from metaagent.level1.nodes.respond import confidence_of
from metaagent.level1.reasoner import RuleReasoner
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Context, Result, Task
from metaagent.ports import AnalysisInput, User
from metaagent.sessions.domain import OpenDomain

Json = dict[str, Any]
ZONE = "Asia/Seoul"
OFFER: Json = {
    "name": "data_analysis", "agent": "data_analysis", "words": {"ko": [], "en": []}, "permissions": [],
    "produces": ["dataset", "chart"], "needs": ["db"], "seconds": 0.3,
}  # fmt: skip


async def _no_progress(percent: int, text: str) -> None:
    """Nobody watches."""


class Product:
    """The reader and the data agent over one world, without sessions and journal."""

    def __init__(self, world: World, folder: Path) -> None:
        data = {"url": f"sqlite:///{world.file}", "model": world.model}
        overrides: Json = {"data_dir": folder, "agents": {"allow": []}, "domain": world.domain, "data": data}
        self._opened = OpenDomain(load_settings(env={}, overrides=overrides))
        self._reasoner: RuleReasoner = self._opened.reasoner()
        self._user = User(company_id=world.company)
        self._now = datetime(world.now.year, world.now.month, world.now.day, 12, tzinfo=ZoneInfo(ZONE))

    async def read(self, question: str, previous: Json | None = None) -> Json:
        return await self._reasoner.analyze(
            question, AnalysisInput(self._now, ZONE, None, self._user, (OFFER,), previous=previous)
        )

    async def ask(self, question: str) -> Outcome:
        return await self.outcome(await self.read(question))

    async def outcome(self, reading: Json) -> Outcome:
        return (await self.turn(reading))[0]

    async def turn(self, reading: Json) -> tuple[Outcome, Json]:
        """What comes out, and the reading as the next question finds it: with the things that were shown."""
        status = status_of(reading)
        if status != "answered":
            return Outcome(status), reading
        try:
            result = await self._answer(reading)
        except (MetaAgentError, AgentSignal) as error:
            return Outcome("refused", text=str(error)), reading
        return outcome_of(reading, result), {**reading, "shown": result.state["processed_data"]["things"]}

    async def _answer(self, reading: Json) -> Result:
        source = self._opened.data()
        assert source is not None, "each world has a database"
        ports = {"db": source.open(self._user, reading["language"]), "progress": _no_progress}
        shared = cast("Any", {"language": reading["language"]})
        context = Context("data_analysis", shared, "s1", data_analysis.needs, ports)
        return await data_analysis(Task("", reading, None), context)


def status_of(reading: Json) -> str:
    """What the rest of the product would do with the reading."""
    if reading["clarification_needed"]:
        return "asked"
    if reading.get("infeasible_capabilities") or not reading["feasibility_check"]["feasible"]:
        return "refused"
    return "answered" if "data_analysis" in reading["required_capabilities"] else "chatted"


def outcome_of(reading: Json, result: Result) -> Outcome:
    dataset = next(cast("Json", one.data) for one in result.artifacts if one.kind == "dataset")
    text = "\n".join([result.summary, *(reading.get("assumptions") or ())])
    named = [str(word) for word in reading.get("unread") or ()]
    state = cast("Any", {"query_analyzer_state": reading})
    sure = confidence_of(state, [{"confidence": result.confidence}], 1)
    return outcome_of_table(dataset, text, named, sure)


async def ask_all(worlds: dict[str, World], asked: Iterable[Pair]) -> list[Scored]:
    with tempfile.TemporaryDirectory() as folder:
        products = {name: Product(world, Path(folder)) for name, world in worlds.items()}
        return [await _scored(products[pair.world], pair) for pair in asked]


async def _scored(product: Product, pair: Pair) -> Scored:
    crashed = False
    try:
        outcome = await product.ask(pair.question)
    except Exception as error:  # noqa: BLE001 - a crash is no answer; it is counted and shown
        crashed = True
        outcome = Outcome("refused", text=f"crash: {type(error).__name__}: {error}")
    told = verdict(pair.gold, outcome, pair.question)
    why = "" if told == RIGHT else _why(pair, outcome)
    return Scored(
        pair.id, pair.cls, pair.language, pair.world, pair.question, told, outcome.confidence,
        outcome.status == "answered", outcome.doubted and pair.gold.expect == "rows", pair.held_out, pair.noise, why, crashed,
        pair.gold.expect == "rows",
    )  # fmt: skip


def _why(pair: Pair, outcome: Outcome) -> str:
    wanted = [list(table[:3]) for table in pair.gold.tables[:1]] or pair.gold.expect
    got = [list(row) for row in outcome.rows[:3]] if outcome.status == "answered" else outcome.text[:120]
    return f"{outcome.status}: got {got} of {len(outcome.rows)}, wanted {wanted}"


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parsed(arguments)
    unknown = [name for name in given.only if name not in MAKERS]
    if unknown:
        print(f"There is no class {', '.join(unknown)}. There are: {', '.join(MAKERS)}.", file=sys.stderr)  # noqa: T201
        return 2
    with tempfile.TemporaryDirectory() as folder:
        worlds = make_worlds(Path(folder), seed=given.seed, names=given.domain or WORLDS, scale=given.scale)
        asked = pairs(
            worlds, n=given.n, seed=given.seed, only=given.only, hidden=True if given.held_out else None
        )
        if given.list:
            return _listed(asked)
        started = time.perf_counter()
        scored = asyncio.run(ask_all(worlds, asked))
        seconds = time.perf_counter() - started
    made = scores.report(scored)
    if given.report == "json":
        shown = [_miss(one) for one in scored if one.verdict != RIGHT and not one.held_out][: given.misses]
        print(orjson.dumps({**made, "misses": shown}, option=orjson.OPT_INDENT_2).decode())  # noqa: T201
        return 0
    print(f"{len(scored)} questions, seed {given.seed}, {seconds:.0f} s\n\n{scores.markdown(made)}")  # noqa: T201
    for one in [one for one in scored if one.verdict != RIGHT and not one.held_out][: given.misses]:
        print(f"- {one.verdict} {one.cls} {one.world} «{one.question}» {one.confidence}: {one.why}")  # noqa: T201
    return 0


def _listed(asked: Iterable[Pair]) -> int:
    """The questions of the open classes with their answers, one in a line, without asking them."""
    for pair in asked:
        if not pair.held_out:
            shown = {
                "id": pair.id, "class": pair.cls, "language": pair.language, "world": pair.world, "question": pair.question,
                "expect": pair.gold.expect, "answers": pair.gold.tables, "request": pair.request,
            }  # fmt: skip
            print(orjson.dumps(shown).decode())  # noqa: T201
    return 0


def _miss(one: Scored) -> Json:
    return {
        "id": one.id, "class": one.cls, "language": one.language, "world": one.world, "question": one.question,
        "verdict": one.verdict, "confidence": one.confidence, "why": one.why,
    }  # fmt: skip


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.generated", description="Generated questions, asked and scored."
    )
    parser.add_argument("--n", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--class", dest="only", action="append", default=[])
    parser.add_argument("--domain", action="append", choices=WORLDS)
    parser.add_argument("--report", choices=["md", "json"], default="md")
    parser.add_argument("--held-out", action="store_true", help="the held-out classes alone")
    parser.add_argument(
        "--list", action="store_true", help="print the questions of the open classes, asking none"
    )
    parser.add_argument("--misses", type=int, default=0, help="show so many misses of the open classes")
    parser.add_argument("--scale", type=float, default=0.1, help="size of the demonstration company")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
