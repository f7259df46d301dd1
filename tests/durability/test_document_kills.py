"""SIGKILL at any statement while a document is written, changed, approved and restored: only whole versions are left."""

from __future__ import annotations

import hashlib
import signal
from pathlib import Path

import orjson
import pytest

from metaagent.documents.model import Document
from metaagent.runtime import MetaAgent
from tests.support import document_kills
from tests.support.processes import exit_code

KILLS = [*range(50, 236, 8)]
"""From the first write of the first turn to the last version; `test_the_kills_cover_the_whole_story` would fail otherwise."""


def killed_at(statement: int, data: Path) -> bool:
    code = exit_code(document_kills.run, data, statement)
    assert code in {0, -signal.SIGKILL}, code
    return code != 0


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


@pytest.mark.parametrize("statement", KILLS)
async def test_a_kill_leaves_whole_versions_only(tmp_path: Path, statement: int):
    killed = killed_at(statement, tmp_path)
    async with document_kills.world(tmp_path) as app:
        before = await check_versions(app)
        await document_kills.finish(app)
        after = await check_versions(app)
        assert after[: len(before)] == before
    assert killed


async def test_the_kills_cover_the_whole_story(tmp_path: Path):
    assert killed_at(KILLS[0], tmp_path / "first")
    assert not killed_at(0, tmp_path / "whole")
    async with document_kills.world(tmp_path / "whole") as app:
        assert await check_versions(app) == [1, 2, 3]
    assert killed_at(KILLS[-1], tmp_path / "last")
    async with document_kills.world(tmp_path / "last") as app:
        assert len(await check_versions(app)) >= 2
