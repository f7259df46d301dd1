"""Artifacts that are files: name, media type and group; large ones lie outside the database, both or neither."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.config import load_settings
from metaagent.errors import PluginInvalid, RowRefused
from metaagent.isolation.frames import decode, encode
from metaagent.level1.requested_kinds import names_of_kinds, requested_kinds
from metaagent.maintenance.health import check_data
from metaagent.plugin import Artifact, Group
from metaagent.ports import ArtifactRef
from metaagent.sessions.key_ring import open_ring
from metaagent.storage.artifact_files import LARGEST_IN_ROW
from metaagent.storage.session_store import SqlStore
from metaagent.testing import FakeClock
from tests.support.artifact_files import LARGE, files, made, on_disk
from tests.support.execution_world import make_agent, opened, statuses
from tests.support.paths import ROOT

PDF, DOCX = b"%PDF-1.7 whole", b"PK docx"


def forms(version: int = 1) -> tuple[Artifact, ...]:
    def group(form: str) -> Group:
        return Group("d1", version, form)

    return (
        Artifact("document", {"title": "방문"}, group=group("json")),
        Artifact("document", PDF, name="d1-1.pdf", media_type="application/pdf", group=group("pdf")),
        Artifact("document", DOCX, name="d1-1.docx", group=group("docx")),
    )


async def test_a_file_keeps_its_name_media_type_and_group(tmp_path: Path):
    async with opened(tmp_path, files(*forms())) as app:
        session, refs = await made(app)
        assert refs[1]["name"] == "d1-1.pdf"
        assert refs[1]["media_type"] == "application/pdf"
        assert refs[1]["group"] == {"document_id": "d1", "version": 1, "format": "pdf"}
        assert await app.artifact(session, refs[1]["id"]) == PDF
        ref = await app.artifact_ref(session, refs[0]["id"], form="docx")
        assert (ref.id, ref.group) == (refs[2]["id"], Group("d1", 1, "docx"))


async def test_the_same_bytes_of_two_versions_are_two_files(tmp_path: Path):
    async with opened(tmp_path, files(*forms(1), *forms(2))) as app:
        _, refs = await made(app)
        assert len({ref["id"] for ref in refs}) == 6


@pytest.mark.parametrize(
    "bad",
    [
        Artifact("document", b"", name="../../etc/passwd"),
        Artifact("document", b"", name="a\nb"),
        Artifact("document", b"", name="x" * 201),
        Artifact("document", b"", media_type="text"),
        Artifact("document", b"", group=Group("../d", 1, "pdf")),
        Artifact("document", b"", group=Group("d", 0, "pdf")),
    ],
)
async def test_a_file_with_an_unsafe_description_is_refused(tmp_path: Path, bad: Artifact):
    async with opened(tmp_path, files(bad)) as app:
        answer = await app.ask("files")
        assert statuses(answer)["files"] == "failed"


def test_a_reference_of_an_earlier_version_is_read():
    old = {"id": "a1", "kind": "chart", "summary": "", "size": 1, "hash": "h", "made_by": "", "made_from": []}
    assert ArtifactRef.from_json(old).group is None
    assert ArtifactRef.from_json(old).as_json() == old


def test_a_reference_with_a_group_crosses_to_a_child():
    ref = ArtifactRef("a1", "document", "", 1, "h", name="n.pdf", group=Group("d1", 2, "pdf"))
    assert decode(encode({"ref": ref})[4:])["ref"] == ref
    assert ArtifactRef.from_json(ref.as_json()) == ref


async def test_a_session_archive_keeps_names_and_groups(tmp_path: Path):
    async with opened(tmp_path / "a", files(*forms(), Artifact("document", LARGE))) as app:
        session, refs = await made(app)
        packed = await app.export_session(session, full=True)
    async with opened(tmp_path / "b", files()) as app:
        info = await app.import_session(packed)
        ref = await app.artifact_ref(info.session_id, refs[1]["id"])
        assert (ref.name, ref.group) == ("d1-1.pdf", Group("d1", 1, "pdf"))
        assert await app.artifact(info.session_id, refs[3]["id"]) == LARGE


async def test_large_bytes_leave_the_row_for_a_sealed_file(tmp_path: Path):
    small = b"s" * (LARGEST_IN_ROW // 2)
    async with opened(tmp_path, files(Artifact("document", LARGE), Artifact("document", small))) as app:
        session, refs = await made(app)
        assert await app.artifact(session, refs[0]["id"]) == LARGE
        assert await app.artifact(session, refs[1]["id"]) == small
    (path,) = on_disk(tmp_path)
    assert b"canary" not in path.read_bytes()
    async with opened(tmp_path, files()) as app:
        assert await app.artifact(session, refs[0]["id"]) == LARGE
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        with pytest.raises(RowRefused):
            await app.artifact(session, refs[0]["id"])
        path.unlink()
        with pytest.raises(RowRefused):
            await app.artifact(session, refs[0]["id"])


async def test_a_deleted_session_leaves_no_file(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", LARGE))) as app:
        session, _ = await made(app)
        await app.delete_session(session)
        assert on_disk(tmp_path) == []


async def test_an_erased_person_leaves_no_file(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", LARGE))) as app:
        await made(app)
        await app.governance.erase("owner")
        assert on_disk(tmp_path) == []


async def test_resealing_takes_large_files_along(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", LARGE))) as app:
        session, refs = await made(app)
        before = on_disk(tmp_path)[0].read_bytes()
        await app.governance.keys_rotate()
        done = await app.governance.keys_rewrap(keep_old=True)
        assert done["rows"]["artifact files"] == 1
        assert on_disk(tmp_path)[0].read_bytes() != before
        assert await app.artifact(session, refs[0]["id"]) == LARGE


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from metaagent.plugin import Artifact
from metaagent.storage.session_store import SqlStore
from tests.support.execution_world import opened
from tests.support.artifact_files import LARGE, files

inserting = SqlStore._insert
def killed(self, connection, rows):
    inserting(self, connection, rows)
    if any(getattr(row, "file", None) is not None for row in rows):
        os.kill(os.getpid(), signal.SIGKILL)
SqlStore._insert = killed

async def run():
    async with opened(Path(sys.argv[1]), files(Artifact("document", LARGE))) as app:
        await app.ask("files")
asyncio.run(run())
"""


def test_a_kill_before_the_commit_leaves_neither(tmp_path: Path):
    async def reopen() -> None:
        async with opened(tmp_path, files()):
            pass

    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT, env={**os.environ}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(on_disk(tmp_path)) == 1, "the file is written before its row"
    asyncio.run(reopen())
    assert on_disk(tmp_path) == []


def test_export_writes_a_file_as_it_is(tmp_path: Path):
    async def make() -> tuple[str, list[dict[str, Any]]]:
        async with opened(tmp_path, files(*forms())) as app:
            return await made(app)

    session, refs = asyncio.run(make())
    out = tmp_path / "out"

    def export(artifact: str, *options: str) -> int:
        words = ["export", session, artifact, "--data-dir", str(tmp_path), "-o", str(out), *options]
        return CliRunner().invoke(app, words).exit_code

    assert export(refs[0]["id"], "--format", "docx") == 0
    assert out.read_bytes() == DOCX
    assert export(refs[1]["id"]) == 0
    assert out.read_bytes() == PDF
    assert export(refs[1]["id"], "--format", "hwpx") != 0


def test_an_agent_declares_other_names_of_its_kinds():
    spec = make_agent("slides", makes=["slides"], also_called={"slides": ("발표 자료",)})
    known = names_of_kinds([{"produces": ["slides"], "also_called": dict(spec.also_called)}])
    assert list(requested_kinds("발표 자료를 만들어 줘", known)) == ["slides"]
    assert list(requested_kinds("발표 자료를 만들어 줘", {"slides": ()})) == []
    with pytest.raises(PluginInvalid):
        make_agent("slides", makes=["slides"], also_called={"chart": ("그림",)})


async def test_the_doctor_finds_a_damaged_large_file(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", LARGE))) as app:
        await made(app)

    def found() -> list[bool]:
        settings = load_settings(env={}, overrides={"data_dir": tmp_path})
        seen = check_data(settings, open_ring(settings), deep=False, now=datetime.now(UTC))
        return [each.good for each in seen if each.what == "artifact files"]

    assert found() == [True]
    (path,) = on_disk(tmp_path)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert found() == [False]


async def test_artifacts_of_one_moment_stand_as_they_were_made(tmp_path: Path):
    """A clock that stands still leaves turns and `made_from` to tell the order, never the ids."""

    async def made_of(names: list[str]) -> list[str]:
        async with opened(tmp_path / names[0], files(*forms()), clock=FakeClock()) as app:
            first = await app.ask("files")
            await app.ask("files", session_id=first.session_id)
            store: SqlStore = app._store  # pyright: ignore[reportPrivateUsage]
            *_, second_turn, first_turn = [None, *(await app.turns(first.session_id))]
            assert second_turn is not None
            assert first_turn is not None
            before: tuple[str, ...] = ()
            rows: list[Any] = []
            for name, turn in zip(names, (first_turn, second_turn, second_turn), strict=True):
                ref = ArtifactRef(name * 32, "chart", name, 2, "0" * 64, made_from=before)
                rows.append(store.artifact_row(ref, b"{}", turn, turn.started_at))
                before = (ref.id,)
            await store.commit(rows)
            kept = await store.artifact_refs(first.session_id, kind="chart")
            return [ref.summary for ref in kept]

    for names in (["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]):
        assert await made_of(names) == names
