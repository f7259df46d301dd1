"""Whole talks about documents on the demonstration company: `python -m evals.document_talks [FILE.yaml] [ID ...]`.

A talk is right if its documents are those that were expected, with these values, texts, files and versions, and if it ends with
the question that was expected or with none.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from metaagent.config import load_settings
from metaagent.demo import create_demo
from metaagent.documents.model import Document, lines
from metaagent.plugin import User
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock
from metaagent.yaml_lines import parse

Json = dict[str, Any]
FILE = Path(__file__).parent / "document_talks.yaml"
ZONE = "Asia/Seoul"


def missing(wanted: Mapping[str, Any], version: Mapping[str, Any]) -> Iterator[str]:
    """Everything that a version of a document lacks."""
    document = Document.from_json(version["document"])
    text = " | ".join(lines(document))
    found: Json = {
        "template": document.template_id,
        "version": version["version"],
        "language": document.language,
        "title": document.title,
        "formats": sorted(each for each in version["forms"] if each != "json"),
    }
    plain: Json = {"language": "ko", **wanted}
    plain["formats"] = sorted(plain.get("formats", found["formats"]))
    yield from (f"{name}: {found[name]}" for name in found if name in plain and plain[name] != found[name])
    values = {name: each.get("value") for name, each in document.fields.items()}
    yield from (
        f"{n}: {values.get(n)!r}"
        for n, value in wanted.get("fields", {}).items()
        if values.get(n) not in (value, [value])
    )
    yield from _pieces(wanted, values)
    if "holds" in wanted or "free" in wanted:
        known = {*wanted.get("fields", {}), *wanted.get("holds", {}), *wanted.get("free", ())}
        given = [n for n, each in document.fields.items() if each.get("source") in ("question", "answer")]
        yield from (f"invented {name}: {values[name]!r}" for name in given if name not in known)
    yield from (f"not said: {each}" for each in wanted.get("says", ()) if each not in text)
    yield from (f"said: {each}" for each in wanted.get("lacks", ()) if each in text)
    is_open = {each.name for each in document.open_fields}
    yield from (f"not open: {each}" for each in wanted.get("open", ()) if each not in is_open)
    if len(document.notes) < wanted.get("notes", 0):
        yield "too few notes"


def _pieces(wanted: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    """Fields whose value lacks a piece that it must hold, or holds one that it must not."""
    for name, pieces in wanted.get("holds", {}).items():
        value = values.get(name)
        text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
        no = wanted.get("without", {}).get(name, ())
        if not all(each in text for each in pieces) or any(each in text for each in no):
            yield f"{name}: {text}"


def judged(talk: Mapping[str, Any], last: Answer, made: Sequence[Json]) -> list[str]:
    """Everything that is wrong with the end of a talk."""
    asked = str((last.question or {}).get("field") or "?") if last.status == "waiting" else ""
    wanted = str(talk.get("asks", ""))
    problems = [] if asked == wanted or (asked and wanted == "any") else [f"asks: {asked or 'nothing'}"]
    if len(made) != len(talk["documents"]):
        return [*problems, f"{len(made)} documents"]
    left = list(made)
    for each in talk["documents"]:  # the one that fits best, since two may be of one type
        best = min(left, key=lambda version: len(list(missing(each, version))))
        left.remove(best)
        problems += missing(each, best)
    return problems


async def _said(app: MetaAgent, turns: Sequence[str], user: User) -> Answer:
    last: Answer | None = None
    for text in turns:
        waits = last.question if last is not None and last.status == "waiting" else None
        if last is not None and waits is not None:
            last = await app.resume(last.session_id, text, question_id=waits["id"], user=user)
        else:
            last = await app.ask(text, session_id=last.session_id if last else None, user=user)
    assert last is not None
    return last


@dataclass
class Score:
    """Counts over all talks: documents with the right template, fields with the right value, values that nobody gave."""

    talks: int = 0
    right: int = 0
    documents: int = 0
    templates: int = 0
    fields: int = 0
    fields_right: int = 0
    invented: int = 0

    def count(self, talk: Mapping[str, Any], made: Sequence[Json], problems: Sequence[str]) -> None:
        """Count a talk; the fields of a document that was not made are wrong."""
        self.talks += 1
        self.right += not problems
        left = list(made)
        for wanted in talk["documents"]:
            expected = {**wanted.get("fields", {}), **wanted.get("holds", {})}
            self.documents += 1
            self.fields += len(expected)
            fitting = [each for each in left if each["document"]["template_id"] == wanted["template"]]
            if not fitting:
                continue
            best = min(fitting, key=lambda version: len(list(missing(wanted, version))))
            left.remove(best)
            wrong = list(missing(wanted, best))
            self.templates += 1
            self.fields_right += sum(
                not any(each.startswith(f"{name}: ") for each in wrong) for name in expected
            )
            self.invented += sum(each.startswith("invented ") for each in wrong)

    def __str__(self) -> str:
        return (
            f"{self.right} of {self.talks} talks are right; templates {self.templates} of {self.documents}, "
            f"fields {self.fields_right} of {self.fields}, invented {self.invented}"
        )


async def run(only: Sequence[str]) -> int:
    files = [each for each in only if each.endswith(".yaml")]
    only = [each for each in only if each not in files]
    data = parse((Path(files[0]) if files else FILE).read_text(encoding="utf-8")).data
    talks = [each for each in data["talks"] if not only or each["id"] in only]
    return await judge_all(talks, date.fromisoformat(str(data["today"])))


async def judge_all(talks: Sequence[Json], today: date) -> int:
    """Hold every talk with a person of its own on the demonstration company, and write what was wrong."""
    noon = datetime.combine(today, time(12), tzinfo=ZoneInfo(ZONE))
    score = Score()
    with tempfile.TemporaryDirectory() as name:
        create_demo(f"sqlite:///{name}/pharma.db", now=today)
        settings = load_settings(env={}, overrides={"data_dir": Path(name), "domain": "pharma"})
        async with MetaAgent.open(settings, clock=FakeClock(noon)) as app:
            await app.ingest_domain()
            for talk in talks:
                for wanted in talk["documents"] if len(talk["turns"]) == 1 else ():
                    wanted.setdefault("version", 1)
                user = User(user_id=f"talk-{talk['id']}", company_id="local")
                last = await _said(app, talk["turns"], user)
                listed = await app.documents.listed(user=user)
                made = [await app.documents.shown(each["document_id"], user=user) for each in listed]
                problems = judged(talk, last, made)
                score.count(talk, made, problems)
                sys.stdout.write(f"{talk['id']} {'; '.join(problems) or 'right'}\n")
    sys.stdout.write(f"{score}\n")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[1:])))
