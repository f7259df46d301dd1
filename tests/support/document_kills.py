"""Run in a process of its own: a document is written, changed, discussed, approved and restored, until a statement kills it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import event

from metaagent.documents.model import Document
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.storage.sql_base import SqlBase
from tests.support.execution_world import opened
from tests.support.writing_world import Written, writing

BOSS = User("boss", "local", ("approver",))
LARGE = "큰 문서 " * 100_000
"""Models with this text are files beside the database."""


def run(data: Path, kill_at: int) -> None:
    """Works until the so-many-eth statement on the store's database; 0 lets it end."""
    left = [kill_at]

    def count(_statement: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    begin = SqlBase.__init__

    def traced(raw: Any, _: Any) -> None:
        raw.set_trace_callback(count)

    def watched(self: SqlBase, *given: Any) -> None:
        begin(self, *given)
        event.listen(self._engine, "connect", traced)  # pyright: ignore[reportPrivateUsage]

    SqlBase.__init__ = watched  # pyright: ignore[reportAttributeAccessIssue]
    asyncio.run(_work(data))


async def _work(data: Path) -> None:
    async with world(data) as app:
        answer = await app.ask("방문 보고서 작성해줘")
        await app.ask("2번 항목을 더 짧게", session_id=answer.session_id)
        name = (await app.documents.listed())[0]["document_id"]
        await app.documents.comment(name, "보았음", block="p1", user=BOSS)
        await app.documents.approve(name, user=BOSS)
        await app.documents.restore(name, 1)


def world(data: Path) -> Any:
    return opened(data, writing(Written(), texts=("하나", LARGE, LARGE, LARGE)))


async def finish(app: MetaAgent) -> None:
    """Go on with a turn that was under way, as the next opening does."""
    for info in await app.sessions():
        turns = await app.turns(info.session_id)
        if turns and turns[0].status == "running":
            await app.resume(info.session_id, None)


async def check_versions(app: MetaAgent) -> list[int]:
    """Every version is whole: its number, content, hash, files and notes."""
    found: list[int] = []
    for listed in await app.documents.listed():
        shown = await app.documents.shown(listed["document_id"])
        found = [each["version"] for each in shown["versions"]]
        assert found == list(range(1, len(found) + 1))
        for facts in shown["versions"]:
            version = await app.documents.shown(listed["document_id"], facts["version"])
            Document.from_json(version["document"])
            plain = orjson.dumps(version["document"], option=orjson.OPT_SORT_KEYS)
            assert hashlib.sha256(plain).hexdigest() == facts["hash"]
            for form, artifact in facts["forms"].items():
                ref = await app.artifact_ref(facts["session_id"], artifact)
                assert ref.group is not None
                assert (ref.group.version, ref.group.format) == (facts["version"], form)
                assert await app.artifact(facts["session_id"], artifact)
            changes = [
                note["to"]
                for note in shown["notes"]
                if note["kind"] == "status" and note["version"] == facts["version"]
            ]
            assert facts["status"] == (changes[-1] if changes else "draft")
    return found
