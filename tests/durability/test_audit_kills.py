from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from metaagent.audit.review import find, verify_trail
from tests.support.audit_world import World, make_ring
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from metaagent.audit.trail import Verification


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
        child.communicate(timeout=240)
    with world.open() as log:
        numbers = [entry["turn"] for entry in find(log, "acme", limit=10**6)]
        assert len(numbers) == len(set(numbers)) == 1 + 2 * 200
        assert verify_trail(log, "acme").ok


WRITER = """
import sys, pathlib
from tests.support.paths import ROOT
from tests.support.audit_world import World, an_event, make_ring
folder, name, count = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with World(folder, make_ring(folder)).open(every_entries=40) as log:
    print("ready", flush=True)
    for first in range(0, count, 5):
        keys = [f"{name}{n}" for n in range(first, first + 5)]
        for key, future in [(key, log.append(an_event(0, turn=key, key=key))) for key in keys]:
            future.result()
            print(key, flush=True)
"""


def start_writer(world: World, name: str, count: int = 200) -> subprocess.Popen[str]:
    """Says each key after its entry was acknowledged."""
    command = [sys.executable, "-c", WRITER, str(world.folder), name, str(count)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def kill_at_random(child: subprocess.Popen[str], said: int) -> set[str]:
    """Kills the writer, which goes on meanwhile, once it has said so much.

    Returns all that it acknowledged.
    """
    assert child.stdout is not None
    heard = [child.stdout.readline() for _ in range(said + 1)]
    child.send_signal(signal.SIGKILL)
    heard += child.communicate(timeout=240)[0].splitlines(keepends=True)
    return {line.strip() for line in heard if line.endswith("\n")} - {"ready"}


def kill_writers(world: World, kills: int, count: int) -> None:
    """Each new writer repeats everything from the start, by its keys."""
    chance = random.Random(7)
    acknowledged: set[str] = set()
    for _ in range(kills):
        acknowledged |= kill_at_random(start_writer(world, "w", count), chance.randrange(count))
        stored = stored_turns(world)
        assert acknowledged <= set(stored)
        assert len(stored) == len(set(stored))
        assert checked(world).ok
    last = start_writer(world, "w", count)
    last.communicate(timeout=240)
    assert last.returncode == 0
    assert sorted(stored_turns(world)) == sorted(f"w{number}" for number in range(count))
    assert checked(world).unsigned == 0


def stored_turns(world: World) -> list[str]:
    connection = sqlite3.connect(world.database)
    rows = connection.execute("SELECT turn FROM audit_entries WHERE tenant = 'acme'").fetchall()
    connection.close()
    return [turn for (turn,) in rows]


def test_killed_writer_loses_and_repeats_no_acknowledged_entry(world: World):
    kill_writers(world, kills=3, count=200)


@pytest.mark.soak
def test_two_hundred_kills_lose_and_repeat_nothing(world: World):
    kill_writers(world, kills=200, count=500)


def turns_under_fire(folder: Path, kills: int, turns: int, seed: int) -> dict[str, Any]:
    """See tests/support/kill_soak.py: what was acknowledged is looked for after each kill, and everything at the end."""
    command = [sys.executable, "-m", "tests.support.kill_soak", str(folder), *map(str, (kills, turns, seed))]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_randomly_killed_turns_record_everything_once(tmp_path: Path):
    found = turns_under_fire(tmp_path, kills=6, turns=3, seed=1)
    assert (found["kills"], found["turns"], found["lost"], found["twice"]) == (6, 3, 0, 0)


@pytest.mark.soak
def test_two_hundred_kills_in_fifty_turns_lose_nothing(tmp_path: Path):
    found = turns_under_fire(tmp_path, kills=200, turns=50, seed=7)
    sys.stdout.write(json.dumps(found))
    assert (found["kills"], found["turns"], found["lost"], found["twice"]) == (200, 50, 0, 0)
    assert found["kills_in_a_turn"] >= 100
