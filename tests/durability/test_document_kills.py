"""SIGKILL at any statement while a document is written, changed, approved and restored: only whole versions are left."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support import document_kills
from tests.support.processes import exit_code

KILLS = [*range(50, 236, 8)]
"""From the first write of the first turn to the last version; `test_the_kills_cover_the_whole_story` would fail otherwise."""


def killed_at(statement: int, data: Path) -> bool:
    code = exit_code(document_kills.run, data, statement)
    assert code in {0, -signal.SIGKILL}, code
    return code != 0


@pytest.mark.parametrize("statement", KILLS)
async def test_a_kill_leaves_whole_versions_only(tmp_path: Path, statement: int):
    killed = killed_at(statement, tmp_path)
    async with document_kills.world(tmp_path) as app:
        before = await document_kills.check_versions(app)
        await document_kills.finish(app)
        after = await document_kills.check_versions(app)
        assert after[: len(before)] == before
    assert killed


async def test_the_kills_cover_the_whole_story(tmp_path: Path):
    assert killed_at(KILLS[0], tmp_path / "first")
    assert not killed_at(0, tmp_path / "whole")
    async with document_kills.world(tmp_path / "whole") as app:
        assert await document_kills.check_versions(app) == [1, 2, 3]
    assert killed_at(KILLS[-1], tmp_path / "last")
    async with document_kills.world(tmp_path / "last") as app:
        assert len(await document_kills.check_versions(app)) >= 2
