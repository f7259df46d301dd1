from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from metaagent.audit_review import find, verify_trail
from tests.audit_world import World, make_ring

if TYPE_CHECKING:
    from metaagent.audit import Verification

ROOT = Path(__file__).parent.parent


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, make_ring(tmp_path))


def checked(world: World) -> Verification:
    with world.open() as log:
        return verify_trail(log, "acme")


def test_two_processes_write_one_chain(world: World):
    world.fill(1)
    children = [start_writer(world, name) for name in ("a", "b")]
    for child in children:
        child.wait()
    with world.open() as log:
        numbers = [entry["turn"] for entry in find(log, "acme", limit=10**6)]
        assert len(numbers) == len(set(numbers)) == 1 + 2 * 200
        assert verify_trail(log, "acme").ok


WRITER = """
import sys, pathlib
from tests.audit_world import World, an_event, make_ring
folder, name, count = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
out = open(folder / (name + ".acks"), "a", buffering=1)
with World(folder, make_ring(folder)).open(every_entries=40) as log:
    for first in range(0, count, 5):
        keys = [f"{name}{n}" for n in range(first, first + 5)]
        for key, future in [(key, log.append(an_event(0, turn=key, key=key))) for key in keys]:
            future.result()
            out.write(key + "\\n")
"""


def start_writer(world: World, name: str, count: int = 200) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(world.folder), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})


def kill_writers(world: World, kills: int, count: int) -> None:
    """Kill the writer at random moments; each new one repeats everything from the start, by its keys."""
    chance = random.Random(7)
    for _ in range(kills):
        child = start_writer(world, "w", count)
        acks = world.folder / "w.acks"
        before = acks.stat().st_size if acks.exists() else 0
        while child.poll() is None and not (acks.exists() and acks.stat().st_size > before):
            time.sleep(0.002)
        time.sleep(chance.random() * 0.15)
        child.send_signal(signal.SIGKILL)
        child.wait()
        acknowledged = set(acks.read_text().split("\n")[:-1])
        stored = stored_turns(world)
        assert acknowledged <= set(stored)
        assert len(stored) == len(set(stored))
        assert checked(world).ok
    assert start_writer(world, "w", count).wait() == 0
    assert sorted(stored_turns(world)) == sorted(f"w{number}" for number in range(count))
    assert checked(world).unsigned == 0


def stored_turns(world: World) -> list[str]:
    connection = sqlite3.connect(world.database)
    rows = connection.execute("SELECT turn FROM audit_entries WHERE tenant = 'acme'").fetchall()
    connection.close()
    return [turn for (turn,) in rows]


def test_a_killed_writer_loses_and_repeats_nothing_that_it_acknowledged(world: World):
    kill_writers(world, kills=3, count=300)


@pytest.mark.soak
def test_two_hundred_kills_lose_and_repeat_nothing(world: World):
    kill_writers(world, kills=200, count=2000)
