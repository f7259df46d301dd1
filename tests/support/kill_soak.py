"""Turns under fire: one life after the other runs them in a data directory, each ended by SIGKILL at a random moment.

    python -m tests.support.kill_soak FOLDER KILLS TURNS SEED

This process imports everything and forks; it opens no database and starts no thread, so a life costs a fork and an
opening. A life says over a pipe what was acknowledged to it, and only then. Prints what the lives and the final check
found, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import select
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from metaagent.audit import AuditEvent, Receipt
from metaagent.audit.store import Where
from metaagent.config import load_settings
from metaagent.runtime import MetaAgent
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.session_store import SqlStore
from tests.support import killing
from tests.support.agents import Runs

TURNS_PER_SESSION = 5
CHECK_EVERY = 50
SHARE_WHILE_OPENING = 0.1


@dataclass
class World:
    folder: Path
    turns: int

    def open(self) -> Any:
        overrides = {
            "data_dir": self.folder / "data",
            "agents": {"allow": []},
            "approval": {"mode": "always"},
        }
        return MetaAgent.open(
            load_settings(env={}, overrides=overrides),
            agents=killing.agents(Runs(self.folder / "runs")),
            reasoner=killing.reasoner(),
        )


# --- one life --------------------------------------------------------------------------------------------


def acknowledging(pipe: int) -> Callable[..., None]:
    """Says each line in one write: it is there whole or not at all."""

    def say(*words: object) -> None:
        os.write(pipe, (" ".join(map(str, words)) + "\n").encode())

    store, log = SqlStore, SqlAuditLog
    commit, save, record = store.commit, store.save_turn, log.record

    async def committed(self: SqlStore, rows: Sequence[Any], also: Any = None) -> None:
        await commit(self, rows, also)
        tell(rows)

    async def saved(
        self: SqlStore, turn: Any, rows: Sequence[Any] = (), runs: Sequence[Any] = (), also: Any = None
    ) -> None:
        await save(self, turn, rows, runs, also)
        tell(rows)

    async def recorded(self: SqlAuditLog, event: AuditEvent) -> Receipt:
        receipt = await record(self, event)
        say("receipt", receipt.tenant, receipt.seq, receipt.hash)
        return receipt

    def tell(rows: Sequence[Any]) -> None:
        for row in rows:
            if isinstance(row, AuditEvent):
                say("entry", row.key)

    store.commit, store.save_turn, log.record = committed, saved, recorded
    return say


async def live(world: World, say: Callable[..., None]) -> None:
    """Finish what an earlier life left, then ask on until there are enough turns."""
    async with world.open() as app:
        say("opened")
        while True:
            sessions = await app.sessions(limit=1000)
            unfinished = [info.session_id for info in sessions if info.status in {"interrupted", "waiting"}]
            if unfinished:
                await finish(app, unfinished[0], say)
                continue
            total = sum(info.turns for info in sessions)
            if total >= world.turns:
                return
            room = [info.session_id for info in sessions if info.turns < TURNS_PER_SESSION]
            say("asking")
            answer = await app.ask("what happened", session_id=room[0] if room else None)
            say("turn", answer.turn_id)
            await finish(app, answer.session_id, say)


async def finish(app: MetaAgent, session_id: str, say: Callable[..., None]) -> None:
    """Does as a person would: goes on, answers what is asked; and meanwhile somebody else does something, too."""
    while (turn := (await app.turns(session_id, limit=1))[0]).status in {"queued", "running", "waiting"}:
        say("turn", turn.turn_id)
        kind = turn.waiting[0]["kind"] if turn.status == "waiting" else ""
        answer = {"": None, "approval": "approve"}.get(kind, killing.ANSWER)
        await asyncio.gather(app.resume(session_id, answer), app.enable("nothing"))
    assert turn.status == "completed", turn.outcome
    say("done", turn.turn_id)


# --- the one who kills -----------------------------------------------------------------------------------


@dataclass
class Heard:
    """Everything that all lives together acknowledged."""

    entries: set[str] = field(default_factory=set[str])
    receipts: set[tuple[str, int, str]] = field(default_factory=set[tuple[str, int, str]])
    turns: set[str] = field(default_factory=set[str])
    done: set[str] = field(default_factory=set[str])
    in_a_turn: int = 0
    while_opening: int = 0

    def listen(self, lines: Sequence[str]) -> None:
        for line in lines:
            match line.split():
                case ["entry", key]:
                    self.entries.add(key)
                case ["receipt", tenant, seq, digest]:
                    self.receipts.add((tenant, int(seq), digest))
                case ["turn", turn]:
                    self.turns.add(turn)
                case ["done", turn]:
                    self.done.add(turn)
                case _:
                    pass

    def killed(self, lines: Sequence[str]) -> None:
        """The stage at which the life stood when it ended."""
        self.while_opening += "opened" not in lines
        last = [line for line in lines if line.split()[0] in {"turn", "asking", "done"}]
        self.in_a_turn += bool(last) and not last[-1].startswith("done")


def fork(work: Callable[[int], Coroutine[Any, Any, None]]) -> tuple[int, int]:
    """A child that does this, given the pipe to us; its id and our end of the pipe."""
    assert threading.active_count() == 1, "a fork would copy what a thread holds"
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        os.close(reading)
        asyncio.run(work(writing))
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it was, the parent must hear of it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def hear(pipe: int, seconds: float | None = None, until: str | None = None) -> list[str]:
    """The lines that come within the time, or until one of them has come, or until the other end is closed."""
    end = None if seconds is None else time.monotonic() + seconds
    heard = bytearray()
    while until is None or until not in heard.decode().splitlines():
        left = None if end is None else max(0.0, end - time.monotonic())
        if not select.select([pipe], [], [], left)[0]:
            break
        part = os.read(pipe, 1 << 16)
        if not part:
            break
        heard += part
    return heard.decode().splitlines()


def one_life(world: World, heard: Heard, seconds: float | None, *, opened: bool = True) -> bool:
    """Tells whether it was killed. The time counts from its opening (`opened`) or from its birth; without one it lives until
    its work is done."""

    async def work(pipe: int) -> None:
        await live(world, acknowledging(pipe))

    child, pipe = fork(work)
    lines = hear(pipe, until="opened") if opened else []
    lines += hear(pipe, seconds)
    if seconds is not None:
        os.kill(child, signal.SIGKILL)
        lines += hear(pipe)
    os.close(pipe)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, -signal.SIGKILL}, f"a life ended with {code}: {lines[-3:]}"
    heard.listen(lines)
    in_child(lambda: stored(world, heard))
    if code:
        heard.killed(lines)
    return bool(code)


def kill_lives(world: World, heard: Heard, kills: int, seed: int) -> None:
    """So long that the turns last for all kills, whatever the machine: who is ahead lives shorter."""
    chance = random.Random(seed)
    mean, done = 0.1, 0
    while done < kills:
        if chance.random() < SHARE_WHILE_OPENING:
            done += one_life(world, heard, chance.uniform(0, 0.3), opened=False)
        else:
            done += one_life(world, heard, chance.uniform(0, 2 * mean))
        ahead = len(heard.done) > world.turns * 0.9 * done / kills
        mean = max(0.01, mean * 0.9) if ahead else min(3.0, mean * 1.1)
        if done % CHECK_EVERY == 0:
            in_child(lambda: check(world, heard, whole=False))


# --- what is left ----------------------------------------------------------------------------------------


def in_child(check: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> dict[str, Any]:
    """Runs in a process of its own: this one must not open a database."""

    async def work(pipe: int) -> None:
        os.write(pipe, json.dumps(await check()).encode())

    child, pipe = fork(work)
    lines = hear(pipe)
    os.close(pipe)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, "the check failed"
    return json.loads("".join(lines))


async def stored(world: World, heard: Heard) -> dict[str, Any]:
    """Right after a life has ended, before another could write again what this one lost."""
    keys, receipts = in_database(world)
    lost = [*sorted(heard.entries - keys.keys()), *sorted(heard.receipts - receipts)]
    assert not lost, lost
    return {}


def in_database(world: World) -> tuple[Counter[str], set[tuple[str, int, str]]]:
    path = world.folder / "data" / "metaagent.db"
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'audit_entries'").fetchall():
            return Counter(), set()
        rows = connection.execute("SELECT key, tenant, seq, hash FROM audit_entries").fetchall()
    keys = Counter(key for key, *_ in rows if key is not None)
    return keys, {(tenant, seq, digest.hex()) for _, tenant, seq, digest in rows}


async def check(world: World, heard: Heard, *, whole: bool) -> dict[str, Any]:
    async with world.open() as app:
        office = app.governance
        verified = await office.audit_verify()
        assert verified.ok, [finding.say() for finding in verified.findings]
        keys, receipts = in_database(world)
        lost = [*sorted(heard.entries - keys.keys()), *sorted(map(str, heard.receipts - receipts))]
        twice = [key for key, count in keys.items() if count > 1]
        sessions = await app.sessions(limit=1000)
        turns = [turn for info in sessions for turn in await app.turns(info.session_id, limit=1000)]
        lost += sorted(heard.turns - {turn.turn_id for turn in turns})
        lost += sorted(heard.done - {turn.turn_id for turn in turns if turn.status == "completed"})
        assert not lost, lost
        assert not twice, twice
        if whole:
            await check_turns(app, turns, world.turns)
            await office.audit_export(BytesIO())
        return {"entries": len(receipts), "turns": len(turns), "lost": len(lost), "twice": len(twice)}


async def check_turns(app: MetaAgent, turns: Sequence[Any], expected: int) -> None:
    """Each turn ended, and told each thing that happened in it exactly once."""
    assert len(turns) == expected
    once = ("question.asked", "plan.made", "plan.approved", "turn.ended")
    wanted: dict[tuple[str, str | None], int] = {(event, None): 1 for event in once}
    wanted["analysis.done", None] = 2  # before and after the question back to the person
    for turn in turns:
        assert turn.status == "completed"
        where = Where(session=turn.session_id, turn=turn.turn_id)
        told = await app.governance.audit_list(where, limit=1000)
        found = Counter((entry["event"], entry["data"].get("step")) for entry in told)
        planned = next(entry["data"]["steps"] for entry in told if entry["event"] == "plan.made")
        assert found == wanted | {("agent.ran", step): 1 for step in planned}, (turn.turn_id, found)
        events = [event async for event in app.events(turn.turn_id)]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert [event["type"] for event in events].count("response") == 1
        said = [
            m["role"] for m in await app.history(turn.session_id, limit=1000) if m["turn_id"] == turn.turn_id
        ]
        assert Counter(said) == {"user": 4, "assistant": 4}, said


def main(folder: Path, kills: int, turns: int, seed: int) -> None:
    world, heard = World(folder, turns), Heard()
    began = time.monotonic()
    kill_lives(world, heard, kills, seed)
    before_the_end = len(heard.done)
    one_life(world, heard, None)
    found = in_child(lambda: check(world, heard, whole=True))
    found |= {
        "kills": kills,
        "kills_in_a_turn": heard.in_a_turn,
        "kills_while_opening": heard.while_opening,
        "turns_done_before_the_last_kill": before_the_end,
        "acknowledged_entries": len(heard.entries) + len(heard.receipts),
        "acknowledged_turns": len(heard.turns),
        "seconds": round(time.monotonic() - began),
    }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
