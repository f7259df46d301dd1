"""A data directory with something sealed in every store, read back whole; and a rewrap that is killed on the way."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import metaagent.governance.rekeying as resealing
from metaagent.cli.door import log_to
from metaagent.ports import User
from metaagent.protection.keys import KeyRing
from metaagent.protection.keys.renewal import Renewal
from metaagent.protection.keys.store import KeyFile
from metaagent.runtime import MetaAgent
from metaagent.storage.rekey_checkpoints import SEALED as CHECKPOINT_PARTS
from metaagent.storage.rekey_rows import SEALED as ROW_PARTS
from metaagent.storage.rekey_rows import SealedRows
from tests.support.agents import Runs, opened
from tests.support.canaries import CANARY, PERSON, WRITTEN, breaking, full_of_canaries

PARTS = {*ROW_PARTS, *CHECKPOINT_PARTS, "files", "vectors", "logs"}
OF_PERSON = PARTS - {"logs"}


def world(data: Path, runs: Runs, **settings: Any) -> AbstractAsyncContextManager[MetaAgent]:
    return opened(data, full_of_canaries(runs), breaking(runs), **settings)


async def fill(app: MetaAgent) -> str:
    """One turn with the canary in everything that it can leave behind; its session."""
    with log_to(app.settings, app.governance.ring):
        await app.remember(f"my region is {CANARY}", user=PERSON)
        waiting = await app.ask(f"singing and breaking {CANARY}", user=PERSON)
        answer = await app.resume(waiting.session_id, f"{CANARY} answer", user=PERSON)
    assert answer.status == "completed"
    await app.share_session(answer.session_id, user=PERSON)
    await app.documents.comment(WRITTEN, f"{CANARY} note", user=PERSON)
    await app.accounts.add(f"{CANARY} account", PERSON, "a long password", user=User())
    await app.accounts.create_key(f"{CANARY} key", PERSON, user=User())
    await app.accounts.log_in(PERSON, "oidc", 24, client=CANARY)
    await app.replies.begin(PERSON, "once", "digest")
    await app.replies.keep(PERSON, "once", "digest", {"body": CANARY})
    return answer.session_id


async def read_all(app: MetaAgent, session: str) -> None:
    """Checks that everything stored is readable, and is what it was."""
    (turn,) = await app.turns(session, user=PERSON)
    inside: Any = app
    files = await inside._contexts._ports._files(PERSON).read("song")
    (vector,) = await inside._contexts._ports._index(PERSON).search(CANARY, limit=1)
    inspector = await app.inspect(session, user=PERSON)
    artifact = turn.outcome["artifacts"][0]["id"]
    read: dict[str, object] = {
        "state": await app.state(session, user=PERSON),
        "turn": turn.outcome,
        "events": [event async for event in app.events(turn.turn_id, user=PERSON)],
        "history": await app.history(session, user=PERSON),
        "memories": await app.memories(user=PERSON),
        "sessions": await app.sessions(user=PERSON),
        "document": await app.documents.shown(WRITTEN, user=PERSON),
        "artifact": await app.artifact(session, artifact, user=PERSON),
        "snapshots": [snapshot.values for snapshot in await inspector.snapshots(turn.number)],
        "file": files.decode(),
        "vector": vector.text,
        "logs": await app.governance.logs(user=PERSON),
        "accounts": await app.accounts.listed(user=User()),
        "keys": await app.accounts.keys(user=User()),
        "logins": await app.accounts.logins(user=PERSON),
        "reply": await app.replies.begin(PERSON, "once", "digest"),
        "audit": await app.governance.audit_report(session, reveal=True, user=PERSON),
    }
    for name, value in read.items():
        assert CANARY in json.dumps(value, default=str, ensure_ascii=False), name
    assert (await app.governance.audit_verify(user=PERSON)).ok


def sealed_values(data: Path) -> Iterator[tuple[str, bytes]]:
    """Every sealed value of both databases, by table."""
    for file, tables in (("metaagent.db", ROW_PARTS), ("checkpoints.db", CHECKPOINT_PARTS)):
        with closing(sqlite3.connect(data / file)) as connection:
            for part, (place, columns) in tables.items():
                table = place.name if isinstance(place, sa.Table) else part
                names = [each if isinstance(each, str) else each.value for each in columns]
                for row in connection.execute(f"SELECT {', '.join(names)} FROM {table}"):
                    yield from ((table, value) for value in row)


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _at_call(place: Any, name: str, number: int, *, after: bool = False) -> None:
    """The process dies before (or right after) the n-th call of this function."""
    original: Callable[..., Any] = getattr(place, name)
    left = [number]

    def deadly(*args: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] == 0 and not after:
            die()
        made = original(*args, **options)
        if left[0] == 0:
            die()
        return made

    setattr(place, name, deadly)


MOMENTS: dict[str, Callable[[int], None]] = {
    "value": lambda number: _at_call(Renewal, "again", number),
    "line": lambda number: _at_call(Renewal, "again_text", number),
    "part": lambda number: _at_call(SealedRows, "renew", number),
    "told": lambda number: _at_call(_Progress, "tell", number),
    "refuse": lambda number: _at_call(SealedRows, "refuse", number),
    "scrub": lambda number: _at_call(SealedRows, "scrub", number),
    "retire": lambda number: _at_call(KeyRing, "retire", number),
    "retired": lambda number: _at_call(KeyRing, "retire", number, after=True),
    "save": lambda number: _at_call(KeyFile, "save", number),
    "never": lambda _number: None,
}


class _Progress:
    """Called when a transaction is committed."""

    def tell(self, _part: str, _done: int, _left: int) -> None: ...


def run(data: Path, runs: Runs, moment: str, number: int) -> None:
    """Rewraps, unless it is killed."""
    resealing.SETTLE_SECONDS = 0.0
    MOMENTS[moment](number)
    asyncio.run(_rewrap(data, runs))


async def _rewrap(data: Path, runs: Runs) -> None:
    async with world(data, runs) as app:
        await app.governance.keys_rewrap(tell=_Progress().tell, everyone=True, user=User())


def serve(data: Path, runs: Runs, turns: int) -> None:
    """Another process, with turns of its own."""
    asyncio.run(_serve(data, runs, turns))


async def _serve(data: Path, runs: Runs, turns: int) -> None:
    async with world(data, runs) as app:
        for number in range(turns):
            asked = await app.ask(f"singing {number}", user=PERSON)
            answer = await app.resume(asked.session_id, f"{CANARY} answer", user=PERSON)
            assert answer.status == "completed"
            assert CANARY in answer.text
