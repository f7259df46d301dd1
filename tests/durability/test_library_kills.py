"""Ingestion, removal and rebuild survive kills and other processes: the index verifies and goes on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from metaagent.knowledge.terms import terms
from metaagent.ports import User
from tests.support.library_world import MOMENTS, LibraryWorld, run_until, text_of
from tests.support.paths import ROOT
from tests.support.processes import exit_code

ANN = User("ann", "acme")


def start(folder: Path, work: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.library_world", str(folder), work]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


async def filled(folder: Path) -> None:
    world = LibraryWorld(folder)
    target = await world.collection()
    for number in range(4):
        await world.put(
            target, f"start{number}.md", text_of(f"시작 {number}", f"처음 한도는 {number}만 원입니다.")
        )


async def problems(folder: Path) -> list[object]:
    """Problems after a kill, and after the work went on."""
    world = LibraryWorld(folder)
    target = await world.collection()
    found: list[object] = list(await world.engine.verify(target))
    await world.put(target, "after.md", text_of("그 뒤", "한도는 99만 원입니다."))
    port = world.port(ANN)
    (best, *_) = await port.lexical(terms("99만 원"))
    if (await port.chunks([best.id]))[0]["title"] != "그 뒤":
        found.append("what was added afterwards is not found")
    await world.engine.rebuild(target)
    found += await world.engine.verify(target)
    with world.database.reading() as connection:
        found += connection.execute("SELECT * FROM leftovers").fetchall()
        found += connection.execute("SELECT * FROM indexes WHERE state != 'serving'").fetchall()
    return found


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_at_each_moment_leaves_an_index_that_verifies(tmp_path: Path, moment: str):
    asyncio.run(filled(tmp_path))
    assert exit_code(run_until, tmp_path, moment) == -signal.SIGKILL
    assert asyncio.run(problems(tmp_path)) == []


@pytest.mark.soak
def test_two_hundred_kills_leave_an_index_that_verifies(tmp_path: Path):
    asyncio.run(filled(tmp_path))
    chance = random.Random(15)
    for number in range(200):
        child = start(tmp_path, ("put", "remove", "rebuild")[number % 3])
        assert child.stdout is not None
        dying = threading.Timer(240, child.kill)  # a child that hangs ends the line that is waited for
        dying.start()
        for _ in range(chance.randrange(1, 12)):
            child.stdout.readline()
        dying.cancel()
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=240)
        if number % 10 == 9:
            assert asyncio.run(problems(tmp_path)) == []
    assert asyncio.run(problems(tmp_path)) == []


async def test_a_running_process_finds_what_another_adds(tmp_path: Path):
    await filled(tmp_path)
    world = LibraryWorld(tmp_path)
    target = await world.collection()
    await world.port(ANN).nearest("한도")
    child = start(tmp_path, "put")
    assert child.stdout is not None
    try:
        for _ in range(3):
            line = asyncio.to_thread(child.stdout.readline)
            assert await asyncio.wait_for(line, 240) == "done\n"
    finally:
        child.kill()
        child.communicate(timeout=240)
    titles = await world.found("문서 한도는 만 원입니다", ANN)
    assert {"문서 2", "문서 3"} <= titles
    near = await world.port(ANN).nearest("문서 2 한도는 2만 원입니다", limit=20)
    with world.database.reading() as connection:
        (chunks,) = connection.execute("SELECT sum(chunks) FROM documents").fetchone()
    assert len(near) == chunks
    await world.put(target, "mine.md", text_of("여기서", "여기서 더한 글."))
    assert len(await world.port(ANN).nearest("글", limit=50)) == chunks + 1
    assert await world.engine.verify(target) == []
