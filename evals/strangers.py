"""Asks a file of other people's questions, or dialogues, through the whole product and judges the answers.

`python -m evals.strangers FILE [--db FILE] [--tenant NAME] [--now DATE] [--model FILE|infer] [--report md|json]`

The file is YAML: a list of questions (or `questions:` with one), each with `id`, `lang`, `class`, `question` and one of
`sql`, `sql_alternatives` (any of them is right) or `expect: refuse|ask|chat`, and `ordered: true` where the order
counts. A dialogue has `id` and `turns`, each of them such a question, asked in one session; a turn after a question
back is the answer to it. SQL may use `:tenant` and `:now`. Without `--db` the demonstration company is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import orjson
import yaml

from evals import scores
from evals.generated import ZONE
from evals.judge import RIGHT, Gold, Outcome, outcome_of_table, verdict
from evals.scores import Scored
from metaagent.config import Settings, load_settings
from metaagent.data.semantic.drafting.infer import infer
from metaagent.demo import create_demo
from metaagent.errors import MetaAgentError
from metaagent.level1.new_question import chosen
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock

Json = dict[str, Any]
EXPECTED = frozenset({"refuse", "ask", "chat", "said"})
# What a completed turn without a table says when it could not help.
_UNABLE = re.compile(
    r"연결하지 못했|이해하지 못|답할 수 없|하지 못한 일|할 수 있는 일이 없|could not match|not understand|cannot be answered"
    r"|not done|nothing can be done",
    re.IGNORECASE,
)


_ID = re.compile(r"(?:^|_)id$", re.IGNORECASE)


class Mistaken(Exception):
    """The file of questions cannot be used as it is."""


@dataclass(frozen=True)
class Place:
    """Where and when the questions are asked."""

    db: Path | None = None
    tenant: str | None = "hanbit"
    now: date = date(2026, 11, 16)
    model: str | None = None
    domain: str | None = "pharma"


def dialogues_of(file: Path) -> list[Json]:
    """Each as {id, turns}; a single question is a dialogue of one turn."""
    try:
        raw: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise Mistaken(f"{file} cannot be read: {' '.join(str(error).split())}") from error
    if isinstance(raw, Mapping):
        raw = raw.get("questions") or raw.get("dialogues")
    if not isinstance(raw, list) or not raw:
        raise Mistaken(f"{file} holds no list of questions or dialogues.")
    made: list[Json] = []
    for number, one in enumerate(raw, 1):
        turns = one.get("turns") or [one]
        for turn in turns:
            _check(file, number, turn)
        made.append(
            {
                "id": str(one.get("id", number)),
                "turns": turns,
                **{k: one[k] for k in ("lang", "class") if k in one},
            }
        )
    return made


def _check(file: Path, number: int, turn: Mapping[str, Any]) -> None:
    ways = [key for key in ("sql", "sql_alternatives", "expect") if turn.get(key)]
    if not turn.get("question") or not ways:
        raise Mistaken(f"{file}, entry {number}: needs `question` and one of sql, sql_alternatives, expect.")
    if turn.get("expect") and turn["expect"] not in EXPECTED:
        raise Mistaken(f"{file}, entry {number}: expect is one of {', '.join(sorted(EXPECTED))}.")


def gold_of(turn: Mapping[str, Any], connection: sqlite3.Connection, place: Place) -> Gold:
    texts = [*([turn["sql"]] if turn.get("sql") else []), *(turn.get("sql_alternatives") or ())]
    params = {"tenant": place.tenant, "now": place.now.isoformat()}
    try:
        found = [_table(connection.execute(text, params)) for text in texts]
    except sqlite3.Error as error:
        raise Mistaken(f"The SQL of «{turn['question']}» fails: {error}") from error
    tables, only_ids = tuple(table for table, _ in found), any(ids for _, ids in found)
    expect = str(turn.get("expect") or "rows")
    return Gold(tables, bool(turn.get("ordered")), expect, by_key=only_ids, unknown=turn.get("unknown"))


def _table(cursor: sqlite3.Cursor) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows without ids, which people do not ask for; with them, if there is nothing else."""
    names = [str(column[0]) for column in cursor.description]
    kept = [place for place, name in enumerate(names) if not _ID.search(name)]
    rows = cursor.fetchall()
    return ([tuple(row[place] for place in kept) for row in rows] if kept else rows), not kept


def prepared(place: Place, folder: Path) -> Settings:
    """A data directory with a copy of the database, and the settings for it."""
    file = folder / "pharma.db"
    if place.db is None:
        create_demo(f"sqlite:///{file}", now=place.now)
    else:
        shutil.copyfile(place.db, file)
    overrides: Json = {"data_dir": folder, "agents": {"allow": []}, "domain": place.domain}
    if place.model is not None:
        given = Path(place.model)
        text = infer(f"sqlite:///{file}") if place.model == "infer" else given.read_text(encoding="utf-8")
        model = folder / "model.yaml"
        model.write_text(text, encoding="utf-8")
        overrides["data"] = {"url": f"sqlite:///{file}", "model": model}
    return load_settings(env={}, overrides=overrides)


def golds_of(dialogues: Sequence[Json], file: Path, place: Place) -> list[list[Gold]]:
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return [[gold_of(turn, connection, place) for turn in one["turns"]] for one in dialogues]
    finally:
        connection.close()


async def ask_file(dialogues: Sequence[Json], place: Place) -> list[Scored]:
    noon = datetime(place.now.year, place.now.month, place.now.day, 12, tzinfo=ZoneInfo(ZONE))
    made: list[Scored] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = prepared(place, folder)
        golds = golds_of(dialogues, folder / "pharma.db", place)
        async with MetaAgent.open(settings, agents=[data_analysis], clock=FakeClock(noon)) as app:
            for number, (one, gold) in enumerate(zip(dialogues, golds, strict=True)):
                # A person of their own for each, so that nothing learnt from one question helps another.
                user = User(user_id=f"stranger-{number}", company_id=place.tenant or "local")
                made += await _dialogue(app, one, gold, user)
    return made


async def _dialogue(app: MetaAgent, one: Json, golds: Sequence[Gold], user: User) -> list[Scored]:
    made: list[Scored] = []
    last: Answer | None = None
    for number, (turn, gold) in enumerate(zip(one["turns"], golds, strict=True), 1):
        text, crashed = str(turn["question"]), False
        try:
            last = await _turn(app, text, last, user)
            outcome = await outcome_of(app, last, user)
        except MetaAgentError as error:
            outcome = Outcome("refused", text=str(error))
        except Exception as error:  # noqa: BLE001 - a crash is no answer; it is counted and shown
            outcome, crashed = Outcome("refused", text=f"crash: {type(error).__name__}: {error}"), True
        told = verdict(gold, outcome, text)
        mark = one["id"] if len(one["turns"]) == 1 else f"{one['id']}.{number}"
        why = "" if told == RIGHT else _why(gold, outcome)
        made.append(
            Scored(
                mark, str(turn.get("class") or one.get("class") or "-"), str(turn.get("lang") or one.get("lang") or "-"),
                "file", text, told, outcome.confidence, outcome.status == "answered",
                outcome.doubted and gold.expect == "rows", False, (), why, crashed, gold.expect == "rows",
                None if last is None or crashed else (last.content.get("analysis") or {}).get("reading"),
            )
        )  # fmt: skip
    return made


async def _turn(app: MetaAgent, text: str, last: Answer | None, user: User) -> Answer:
    """A new question, or the answer to the one that waits, as in a chat."""
    waiting = last.question if last is not None and last.status == "waiting" else None
    session = last.session_id if last is not None else None
    if waiting is None or session is None:
        return await app.ask(text, session_id=session, user=user)
    return await app.resume(session, chosen(text, waiting), question_id=waiting["id"], user=user)


async def outcome_of(app: MetaAgent, answer: Answer, user: User) -> Outcome:
    content = answer.content
    if answer.status == "waiting":
        return Outcome("asked", text=str((answer.question or {}).get("question", "")))
    text = answer.text
    refs = [ref for ref in content.get("artifacts") or () if ref["kind"] == "dataset"]
    if answer.status != "completed" or not refs:
        chatted = answer.status == "completed" and bool(text) and not _UNABLE.search(text)
        return Outcome("chatted" if chatted else "refused", text=text)
    dataset = cast("Json", await app.artifact(answer.session_id, refs[0]["id"], user=user))
    unread = [str(word) for word in (content.get("analysis") or {}).get("unread") or ()]
    named = [word for word in unread if word.lower() in text.lower()]
    return outcome_of_table(dataset, text, named, content.get("confidence"))


def _why(gold: Gold, outcome: Outcome) -> str:
    wanted = [list(row) for row in gold.tables[0][:4]] if gold.tables else gold.expect
    got = [list(row) for row in outcome.rows[:4]] if outcome.status == "answered" else outcome.text[:160]
    return f"{outcome.status}: got {got} ({len(outcome.rows)}), wanted {wanted} ({len(gold.tables[0]) if gold.tables else 0})"


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parsed(arguments)
    place = Place(given.db, given.tenant or None, given.now, given.model, given.domain or None)
    try:
        scored = asyncio.run(ask_file(dialogues_of(given.file), place))
    except Mistaken as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    made = scores.report(scored)
    if given.report == "json":
        every = [
            {
                "id": o.id,
                "verdict": o.verdict,
                "confidence": o.confidence,
                "question": o.question,
                "why": o.why,
                "answered": o.answered,
                "right_figure": o.right_figure,
                "reading": o.reading,
            }
            for o in scored
        ]
        print(orjson.dumps({**made, "questions": every}, option=orjson.OPT_INDENT_2, default=str).decode())  # noqa: T201
        return 0
    print(scores.markdown(made))  # noqa: T201
    for one in scored:
        if one.verdict != RIGHT:
            print(f"- {one.verdict} {one.id} «{one.question}» {one.confidence}: {one.why}")  # noqa: T201
    return 0


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.strangers", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--db", type=Path, help="SQLite file; the demonstration company if empty")
    parser.add_argument("--tenant", default="hanbit", help="whose rows; empty for a database of one company")
    parser.add_argument("--now", type=date.fromisoformat, default=date(2026, 11, 16))
    parser.add_argument("--model", help="semantic model, or `infer`; that of the domain if empty")
    parser.add_argument("--domain", default="pharma")
    parser.add_argument("--report", choices=["md", "json"], default="md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
