"""Asks conversations that need several agents at once, and judges each turn by what ran, was written, stored and said:
`python -m evals.compound FILE --data-dir DIR [--tenant NAME] [--now DATE]`.

A turn of the file: `say`; `agents`, exactly those that must run (a check that policy adds before storing is no mistake; an empty
list: none; without it, whatever runs is right); `figures`, SQL whose values must be in the turn's text, its data or a document that
it wrote; `stored`, new receipts (else none); `document`: new, version or none; `quote`, words of a cited passage, of
which an amount may be written in another way (10만원, KRW 100,000); `says`, words of which one must be in the answer; `or_asks`: a
question back is right, too.
A turn that asks back where it need not is `said`; one that did something else than was meant, without a word, is wrong. What was
stored or written though nobody wanted it is counted apart as well. In SQL, `:tenant` is the company and `:now` the day.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import yaml

from metaagent.config import load_settings
from metaagent.documents.model import Document, lines
from metaagent.language.amounts import numbers
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock

Plain = Mapping[str, Any]
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d+\s?[년월일](?![가-힣])|\b(?:19|20)\d\d\b(?![,.]\d)"
)
"""Days, which are no figures of a document."""
_DOUBT = re.compile(
    r"이해하지 못해|하지 못한 일|찾지 못했|확실하지|did not understand|Not done|only \d+ ?% sure|found nothing"
    r"|Nobody here|에이전트가 없습니다"
)


async def judged(
    app: MetaAgent, turn: Plain, answer: Answer, before: Plain, rows: list[list[Any]]
) -> list[str]:
    """Every way in which the turn is not what was meant."""
    found = wrong_agents(turn, _ran(answer))
    stored = len(await app.stored_list()) - before["stored"]
    if stored != int(turn.get("stored") or 0):
        found.append(f"stored {stored}")
    found += await _documents(app, str(turn.get("document") or ""), before["documents"])
    cited = " ".join(str(each.get("quote")) for each in answer.content.get("citations") or ())
    found += [
        f"not cited: {each}" for each in _several(turn.get("quote")) if not has(each, cited + answer.text)
    ]
    says = _several(turn.get("says"))
    if says and not any(_squeezed(each) in _squeezed(answer.text) for each in says):
        found.append(f"says none of {says}")
    shown = await _numbers(app, answer, before["documents"])
    missing = [
        value
        for row in rows
        for value in row
        if isinstance(value, int | float) and not _is_shown(value, shown)
    ]
    return [*found, *([f"figures missing: {missing[:4]}"] if missing else [])]


def wrong_agents(turn: Plain, ran: set[str]) -> list[str]:
    """Those that ran in the place of others; nothing where the turn names none."""
    if turn.get("agents") is None:
        return []
    wanted = set(_several(turn["agents"]))
    extra = ran - wanted - ({"compliance_validation"} if "storage_decision" in wanted else set())
    return [f"agents {sorted(ran)} instead of {sorted(wanted)}"] if wanted - ran or extra else []


def _several(value: object) -> list[str]:
    """One text or several."""
    return [value] if isinstance(value, str) else [str(each) for each in cast("list[Any]", value or [])]


def _ran(answer: Answer) -> set[str]:
    steps = answer.content.get("steps") or ()
    return {str(each["agent_name"]) for each in steps if each["status"] == "completed"}


async def _documents(app: MetaAgent, wanted: str, before: Plain) -> list[str]:
    after = await _versions(app)
    new = [name for name in after if name not in before]
    changed = [name for name in before if after.get(name, 0) > before[name]]
    made = "new" if new else "version" if changed else "none"
    return [f"document {made} instead of {wanted}"] if wanted and made != wanted else []


async def _versions(app: MetaAgent) -> dict[str, int]:
    return {str(each["document_id"]): int(each["version"]) for each in await app.documents.listed()}


async def _numbers(app: MetaAgent, answer: Answer, before: Plain) -> list[float]:
    refs = [ref for ref in answer.content.get("artifacts") or () if ref.get("kind") == "dataset"]
    texts = [answer.text, *[str(await app.artifact(answer.session_id, ref["id"])) for ref in refs]]
    written = [name for name, version in (await _versions(app)).items() if version > before.get(name, 0)]
    for name in written:
        document = Document.from_json((await app.documents.shown(name))["document"])
        texts += [_DATE.sub(" ", line) for line in lines(document)]
    return [float(each.replace(",", "")) for text in texts for each in _NUMBER.findall(text)]


def _is_shown(value: float, shown: list[float]) -> bool:
    return any(
        abs(one - side) <= max(0.006, abs(side) * 0.0006) for one in shown for side in (value, value * 100)
    )


def has(words: str, text: str) -> bool:
    """Say whether a text has the words, or an amount that is all of them, as any language writes it."""
    whole = [each for each in numbers(words.lower()) if (each.start, each.end) == (0, len(words))]
    sums = [(each.value, each.unit) for each in whole if each.kind == "money"]
    same = any((each.value, each.unit) in sums for each in (numbers(text.lower()) if sums else ()))
    return same or _squeezed(words) in _squeezed(text)


def _squeezed(text: object) -> str:
    return re.sub(r"[\s,]+", "", str(text)).lower()


async def asked(
    talk: Plain, settings: Plain, clock: FakeClock, db: sqlite3.Connection, tenant: str
) -> list[tuple[str, str, str]]:
    """Each turn with its verdict and what was wrong; what follows a turn that waits is asked in a conversation of its own."""
    told: list[tuple[str, str, str]] = []
    session: str | None = None
    async with MetaAgent.open(load_settings(env={}, overrides=dict(settings)), clock=clock) as app:
        for turn in talk["turns"]:
            before = {"stored": len(await app.stored_list()), "documents": await _versions(app)}
            answer = await app.ask(str(turn["say"]), session_id=session, on_waiting="discard")
            session = answer.session_id
            given = {"tenant": tenant, "now": clock.now().date().isoformat()}
            rows = [list(row) for sql in _several(turn.get("figures")) for row in db.execute(sql, given)]
            if answer.status == "waiting":
                kind = str((answer.question or {}).get("kind"))
                fine = turn.get("or_asks") or kind == "override"
                told.append(
                    (
                        str(turn["say"]),
                        "right" if fine else "said",
                        f"{kind}: {(answer.question or {}).get('question', '')}",
                    )
                )
                continue
            wrong = await judged(app, turn, answer, before, rows)
            effect = _is_unwanted(turn, wrong)
            doubt = (
                bool(_DOUBT.search(answer.text)) and not effect
            )  # no word makes good what nobody wanted stored
            told.append(
                (
                    str(turn["say"]),
                    "right" if not wrong else "said" if doubt else "wrong",
                    "; ".join([*(["unwanted effect"] if effect else []), *wrong]),
                )
            )
    return told


def _is_unwanted(turn: Plain, wrong: list[str]) -> bool:
    """Say whether something was stored or written that nobody wanted."""
    stored = any(each.startswith("stored") and not turn.get("stored") for each in wrong)
    return stored or any(each.startswith("document ") and each.endswith("instead of none") for each in wrong)


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--data-dir", type=Path, required=True, help="a demonstration company that was made and ingested"
    )
    parser.add_argument("--tenant", default="hanbit")
    parser.add_argument("--now", default="2026-11-16T12:00:00+09:00")
    given = parser.parse_args()
    db = sqlite3.connect(given.data_dir / "pharma.db")
    clock = FakeClock(datetime.fromisoformat(given.now))
    counts: Counter[tuple[str, str]] = Counter()
    read = yaml.safe_load(given.file.read_text(encoding="utf-8"))
    for talk in read["conversations"] if isinstance(read, dict) else read:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(shutil.copytree(given.data_dir, f"{folder}/data"))
            settings = {"data_dir": place, "approval": {"mode": "never"}}
            for say, verdict, why in await asked(talk, settings, clock, db, given.tenant):
                counts[str(talk["lang"]), verdict] += 1
                counts[str(talk["lang"]), "unwanted effects"] += why.startswith("unwanted effect")
                if verdict != "right":
                    print(f"{talk['id']} {verdict:5} {say} | {why}", flush=True)  # noqa: T201
    for lang in ("ko", "en"):
        unwanted = counts.pop((lang, "unwanted effects"), 0)
        of = {verdict: n for (each, verdict), n in counts.items() if each == lang}
        shares = {
            name: f"{of.get(name, 0) / max(sum(of.values()), 1):.1%}" for name in ("right", "said", "wrong")
        }
        print(lang, sum(of.values()), shares, f"unwanted effects: {unwanted}")  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
