"""Files to download: name, media type, whole or a range, in pieces; a large one is never in memory as a whole."""

from __future__ import annotations

import asyncio
import random
import tracemalloc
from contextlib import aclosing
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.errors import AccessDenied, InputRefused, RowRefused, UnknownSession
from metaagent.plugin import Artifact, Group
from metaagent.ports import User
from metaagent.protection.sealing import PIECE
from metaagent.runtime import MetaAgent
from metaagent.sessions.downloads import Download, download_of
from tests.support.artifact_files import files, made, on_disk
from tests.support.execution_world import opened

EMPLOYEE = User("kim", "acme", ("employee",))
RANDOM = random.Random(3).randbytes(3_000_000)
REPEATED = b"0123456789abcdef" * 1_000_000
CONTENTS = {"small": b"%PDF-1.7", "random": RANDOM, "repeated": REPEATED}


async def _read(file: Download, start: int = 0, end: int | None = None) -> bytes:
    pieces = [piece async for piece in file.read(start, end)]
    assert all(0 < len(piece) <= PIECE for piece in pieces)
    return b"".join(pieces)


async def _file(app: MetaAgent) -> Download:
    session_id, refs = await made(app)
    return await app.artifact_file(session_id, refs[0]["id"])


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
async def test_file_is_read_whole_and_in_ranges(content: bytes, tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", content, name="보고.pdf"))) as app:
        file = await _file(app)
        assert (file.name, file.size) == ("보고.pdf", len(content))
        assert await _read(file) == content
        assert await _read(file) == content, "it can be read again"
        size = len(content)
        for start, end in (
            (0, 1),
            (1, 7),
            (size - 3, size),
            (size // 2, size // 2 + 3),
            (size, size),
            (0, 0),
        ):
            assert await _read(file, start, end) == content[start:end]
        for start, end in ((-1, 2), (3, 2), (0, size + 1), (size + 1, None)):
            with pytest.raises(InputRefused):
                await _read(file, start, end)


@given(st.binary(max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_every_range_of_a_content_is_that_of_its_bytes(content: bytes, one: int, other: int):
    start, end = sorted((min(one, len(content)), min(other, len(content))))
    file = download_of("a.bin", "application/octet-stream", content)
    assert asyncio.run(_read(file, start, end)) == content[start:end]


async def test_artifact_that_is_no_file_is_its_json(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", {"title": "방문"}))) as app:
        file = await _file(app)
        assert file.media_type == "application/json"
        assert file.name.endswith(".json")
        assert orjson.loads(await _read(file)) == {"title": "방문"}


async def test_form_of_a_document_has_its_own_name_and_type(tmp_path: Path):
    model = Artifact("document", {"title": "x"}, group=Group("d1", 1, "json"))
    pdf = Artifact(
        "document", b"%PDF", name="d1.pdf", media_type="application/pdf", group=Group("d1", 1, "pdf")
    )
    async with opened(tmp_path, files(model, pdf)) as app:
        session_id, refs = await made(app)
        file = await app.artifact_file(session_id, refs[0]["id"], form="pdf")
        assert (file.name, file.media_type, await _read(file)) == ("d1.pdf", "application/pdf", b"%PDF")


@pytest.mark.parametrize("content", [RANDOM * 8, REPEATED], ids=["random", "repeated"])
async def test_large_file_never_lies_in_memory_as_a_whole(content: bytes, tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", content))) as app:
        session_id, refs = await made(app)
        tracemalloc.start()
        try:
            file = await app.artifact_file(session_id, refs[0]["id"])
            size = 0
            async for piece in file.read():
                size += len(piece)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert size == len(content)
    assert peak < 12 * PIECE < size


@pytest.mark.parametrize("place", [40, 1_000_000, -1])
async def test_damaged_file_gives_nothing_away(place: int, tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", RANDOM))) as app:
        file = await _file(app)
        (path,) = on_disk(tmp_path)
        sealed = bytearray(path.read_bytes())
        sealed[place] ^= 1
        path.write_bytes(sealed)
        with pytest.raises(RowRefused):
            await anext(file.read())
        path.write_bytes(sealed[:50])
        with pytest.raises(RowRefused):
            await anext(file.read())
        path.unlink()
        with pytest.raises(RowRefused):
            await anext(file.read())


async def test_reader_that_leaves_lets_go_of_the_file(tmp_path: Path):
    async with opened(tmp_path, files(Artifact("document", RANDOM))) as app:
        file = await _file(app)
        (path,) = on_disk(tmp_path)

        def held() -> list[Path]:
            names = Path("/proc/self/fd").iterdir()
            return [each for each in names if each.exists() and each.resolve() == path]

        async with aclosing(file.read()) as pieces:
            await anext(pieces)
            assert len(held()) == 1
        assert held() == []
        reading = asyncio.create_task(_read(file))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert held() == []


async def test_file_of_another_is_not_there(tmp_path: Path):
    blind = {"policies": {"blind": {"operations": ["session.ask", "artifact.read"], "artifacts": ["chart"]}}}
    async with opened(tmp_path, files(Artifact("document", b"x")), access=blind) as app:
        session_id, refs = await made(app)
        with pytest.raises(UnknownSession):
            await app.acting_for(EMPLOYEE).artifact_file(session_id, refs[0]["id"])
        with pytest.raises(AccessDenied):
            await app.artifact_file(session_id, refs[0]["id"], user=User(roles=("blind",)))
