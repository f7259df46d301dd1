"""The disk is full at any moment of a turn: what was acknowledged stays readable, and the message says what to do."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaagent.errors import StorageError
from metaagent.runtime import MetaAgent
from metaagent.storage import disk_reserve as reserve
from tests.support import document_kills
from tests.support.agents import Runs, drawing, figures, opened
from tests.support.library_world import LibraryWorld, text_of
from tests.support.paths import ROOT

KB = 1024


@contextmanager
def no_file_larger_than(size: int) -> Generator[None]:
    """Writing beyond it fails as on a full disk; the bound is the process's own, so nothing else is disturbed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def largest(data: Path) -> int:
    files = [path for path in data.rglob("*") if path.is_file() and path.name != reserve.NAME]
    return max(path.stat().st_size for path in files)


async def ask_until_full(app: MetaAgent, session_id: str, acknowledged: list[tuple[str, str]]) -> None:
    for _ in range(60):
        answer = await app.ask("drawing", session_id=session_id)
        acknowledged.append((answer.turn_id, answer.text))


@pytest.mark.parametrize("room", [0, 1, 3, 6, 10, 15, 22, 30, 45])
async def test_full_disk_loses_no_acknowledged_write(data: Path, runs: Runs, room: int):
    acknowledged: list[tuple[str, str]] = []
    async with opened(data, figures(runs), drawing(runs)) as app:
        first = await app.ask("drawing")
        session_id = first.session_id
        acknowledged.append((first.turn_id, first.text))
        with no_file_larger_than(largest(data) + room * 4 * KB):
            with pytest.raises(StorageError) as problem:
                await ask_until_full(app, session_id, acknowledged)
            for turn_id, text in acknowledged:
                assert (await app.answer(turn_id)).text == text, "readable while the disk is full"
        assert "space" in problem.value.say("en")
        assert "공간" in problem.value.say("ko")
    async with opened(data, figures(runs), drawing(runs)) as app:
        for turn_id, text in acknowledged:
            assert (await app.answer(turn_id)).text == text
            events = [event async for event in app.events(turn_id)]
            assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
            assert events[-1]["type"] == "response"
        after = await app.ask("drawing", session_id=session_id)
        assert (after.status, after.text) == ("completed", "drawing done"), "with room again it goes on"
        for ref in after.content["artifacts"]:
            assert await app.artifact(session_id, ref["id"])


@pytest.mark.parametrize("operation", ["fork", "import", "restore", "delete"])
async def test_full_disk_during_a_session_operation_leaves_it_usable(data: Path, runs: Runs, operation: str):
    async with opened(data, figures(runs), drawing(runs)) as app:
        session_id = (await app.ask("drawing")).session_id
        await app.ask("figures", session_id=session_id)
        archive = await app.export_session(session_id, full=True)
        calls = {
            "fork": lambda: app.fork(session_id, turn=1),
            "import": lambda: app.import_session(archive),
            "restore": lambda: app.restore(session_id, turn=1),
            "delete": lambda: app.delete_session(session_id),
        }
        with no_file_larger_than(4 * KB), pytest.raises(StorageError, match="space"):
            await calls[operation]()
    async with opened(data, figures(runs), drawing(runs)) as app:
        assert [info.session_id for info in await app.sessions()] == [session_id]
        assert {turn.status for turn in await app.turns(session_id)} == {"completed"}
        assert (await app.ask("figures", session_id=session_id)).status == "completed"


def test_everything_is_readable_on_a_completely_full_disk(tmp_path: Path):
    """A file system of its own, in a namespace of its own: nothing else is disturbed."""
    folder = tmp_path / "small"
    folder.mkdir()
    inside = f"mount -t tmpfs -o size=6m none {folder}"
    if subprocess.run(["unshare", "-rm", "sh", "-c", inside], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a file system of their own")
    work = f"{inside} && exec {sys.executable} -m tests.support.full_disk_driver {folder}"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", work],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_disk_reserve_is_made_with_room_and_freed_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = tmp_path / reserve.NAME
    for free, there in ((reserve.NEEDED, False), (reserve.MAKE_FROM, True), (reserve.NEEDED, True)):
        monkeypatch.setattr(reserve, "free_bytes", {tmp_path: free}.__getitem__)
        reserve.keep_reserve(tmp_path)
        reserve.check_room(tmp_path)
        assert made.exists() is there
    assert (made.stat().st_size, made.stat().st_mode & 0o777) == (reserve.SIZE, 0o600)
    monkeypatch.setattr(reserve, "free_bytes", {tmp_path: reserve.NEEDED - 1}.__getitem__)
    reserve.keep_reserve(tmp_path)
    with pytest.raises(StorageError, match="space"):
        reserve.check_room(tmp_path)
    assert made.exists(), "given up only where even reading has no room"
    monkeypatch.setattr(reserve, "free_bytes", {tmp_path: reserve.SIZE - 1}.__getitem__)
    reserve.keep_reserve(tmp_path)
    assert not made.exists()


@pytest.mark.parametrize("room", [0, 8, 24, 48])
async def test_a_full_disk_leaves_the_documents_that_were_added(data: Path, room: int):
    world = LibraryWorld(data)
    target = await world.collection()
    await world.put(target, "first.md", text_of("처음", "처음 글입니다."))
    added = ["처음"]

    async def add_until_full() -> None:
        for number in range(200):
            text = text_of(f"글 {number}", *(f"{word} 글 {number} " * 40 for word in range(5)))
            await world.put(target, f"{number}.md", text)
            added.append(f"글 {number}")

    with no_file_larger_than(largest(data) + room * 4 * KB), pytest.raises(StorageError) as problem:
        await add_until_full()
    assert "space" in problem.value.say("en")
    assert "공간" in problem.value.say("ko")
    again = LibraryWorld(data)
    assert {each["title"] for each in await again.port().documents()} == set(added)
    await again.put(target, "last.md", text_of("끝", "다시 쓸 수 있습니다."))
    assert "끝" in await again.found("다시 쓸 수 있습니다")
    assert await again.engine.verify(target) == []


@pytest.mark.parametrize("room", [-600, 0, 100])
async def test_a_full_disk_leaves_whole_versions_of_documents(data: Path, room: int):
    """With less room than the first version took, the file beside the database fails; with more, the database."""
    made = [1]

    async def change_until_full(app: MetaAgent, session_id: str) -> None:
        for number in range(2, 40):
            await app.ask("2번 항목을 더 짧게", session_id=session_id)
            made.append(number)

    async with document_kills.world(data) as app:
        session_id = (await app.ask("방문 보고서 작성해줘")).session_id
        with no_file_larger_than(largest(data) + room * KB), pytest.raises(StorageError) as problem:
            await change_until_full(app, session_id)
        assert "공간" in problem.value.say("ko")
    async with document_kills.world(data) as app:
        await document_kills.finish(app)
        left = await document_kills.check_versions(app)
        assert left[: len(made)] == made, "what was answered stays"
        await app.ask("2번 항목을 더 짧게", session_id=session_id)
        assert await document_kills.check_versions(app) == [*left, len(left) + 1]
