"""The attacks as one suite: each class tries what its generator makes, and says what held and what did not."""

from __future__ import annotations

import asyncio
import base64
import os
import random
import shutil
import sqlite3
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from metaagent.audit import verifier
from metaagent.data.guard import guard
from metaagent.errors import MetaAgentError, SqlRefused
from metaagent.ports import User
from metaagent.protection.keys.store import KeyFile
from metaagent.protection.redaction import Redactor, find
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.sql_base import SqlBase
from metaagent.testing import scripted_chat_model
from tests.attacks.generators import costly_queries, disguised, long_inputs, personal_items
from tests.attacks.probe import NOBODYS, Ids, arguments, calls_on_ids, outcome
from tests.attacks.second_verifier import verified
from tests.attacks.test_models import NOTHING, crm, heard
from tests.attacks.test_trail import exported, forgeries
from tests.attacks.world import BOSS, EVE, KIM, LEE, OFFICER, opened
from tests.support.guard_world import POLICY

MICROSECONDS_PER_BYTE = 20


@dataclass
class Score:
    """What one class of attacks came to."""

    name: str
    tried: int = 0
    holes: list[str] = field(default_factory=list[str])

    def held(self, what: str, fine: bool) -> None:
        self.tried += 1
        if not fine:
            self.holes.append(what)


Attack = Callable[[Score, Path, int, int], Awaitable[None]]


async def models(score: Score, folder: Path, seed: int, size: int) -> None:
    """Personal data towards an obedient model, in the question and in what agents find."""
    items = list(personal_items(seed, max(1, size // 4)))[: 17 * size]
    for at, (name, text, tell) in enumerate(random.Random(seed).sample(items, min(len(items), 6 * size))):
        where = ("question", "finding")[at % 2]
        question = f"고객카드 보여줘, {text}" if where == "question" else "고객카드 보여줘"
        model = scripted_chat_model(NOTHING, "완료했습니다.")
        card = crm("완료" if where == "question" else f"고객 정보: {text}")
        async with opened(folder / "models", card, model=model) as app:
            await app.ask(question, user=BOSS)
        score.held(f"{name} by the {where}", tell not in heard(model))


async def personal_data(score: Score, folder: Path, seed: int, size: int) -> None:
    redactor = Redactor()
    for at in range(10 * size):
        for name, text, tell in [*disguised(seed + at), *personal_items(seed + at, 1)]:
            score.held(f"{name}: {text!r}", tell not in redactor.redact_text(text))


async def exports(score: Score, folder: Path, seed: int, size: int) -> None:
    async with opened(folder / "exports") as app:
        await app.ask("note one", user=KIM)
    anchor = (folder / "exports" / "audit" / "acme.notes").read_bytes()
    async with opened(folder / "exports") as app:
        await app.ask("note two", user=KIM)
        export, pem = await exported(app)
    keys = verifier.load_keys(pem)
    score.held("the true export", verified(export, pem, anchor))
    for at in range(5 * size):
        for name, forged in forgeries(export, anchor, seed + at).items():
            score.held(f"{name}, by the second verifier", not verified(forged, pem, anchor))
            found = verifier.verify(forged.strip().split(b"\n"), [], keys)[0]
            score.held(f"{name}, by the standalone verifier", bool(found))


async def calls(score: Score, folder: Path, seed: int, size: int) -> None:
    async with opened(folder / "calls", access={"policies": {"viewer": {"operations": []}}}) as app:
        answer = await app.ask("note TOPSECRET", user=KIM)
        theirs = Ids(answer.session_id, answer.turn_id, answer.content["artifacts"][0]["id"])
        for name, call in calls_on_ids(app):
            for user in (LEE, EVE, BOSS, User("kim", "evilco", ("owner",)), User("v", "acme", ("viewer",))):
                found = await outcome(call, arguments(name, call, theirs), user)
                missing = await outcome(call, arguments(name, call, NOBODYS), user)
                score.held(
                    f"{name} by {user.user_id}@{user.company_id}", found[0] != "OK" and found == missing
                )


async def queries(score: Score, folder: Path, seed: int, size: int) -> None:
    for name, sql in costly_queries(seed, size):
        for dialect in ("sqlite", "postgres", "duckdb"):
            try:
                guard(sql, POLICY, dialect=dialect)
            except SqlRefused:
                score.held(name, True)
            else:
                score.held(f"{name} in {dialect}", False)


async def inputs(score: Score, folder: Path, seed: int, size: int) -> None:
    for name, text in long_inputs(seed, 20_000 * size):
        start = process_time()
        find(text)
        spent = (process_time() - start) * 1_000_000 / len(text.encode())
        score.held(f"{name}: {spent:.1f} µs a byte", spent < MICROSECONDS_PER_BYTE)


def shapes(word: str) -> Iterator[bytes]:
    """A text as it might lie in a file without being seen at once."""
    raw = word.encode()
    yield from (raw, word.encode("utf-16-le"), word.encode("utf-16-be"), raw.hex().encode(), raw[::-1])
    yield from (base64.b64encode(b"\0" * lead + raw)[4:-4] for lead in range(3))
    yield zlib.compress(raw)[2:-4]


async def canaries(score: Score, folder: Path, seed: int, size: int) -> None:
    """A word in every input; then every file is searched for it in every shape."""
    words = {place: f"zq{seed}kanari{place}" for place in ("question", "memory", "reason", "person", "hold")}
    kim = User(f"kim-{words['person']}", "acme", ("owner",))
    async with opened(folder / "canaries", memory={"index_above": 2}) as app:
        await app.ask(f"note {words['question']}", user=kim)
        for at in range(4):
            await app.remember(f"내 항목{at}은 {words['memory']}{at}", user=kim)
        await app.governance.hold_place("case-1", reason=words["reason"], person=kim.user_id, user=kim)
    for path in (folder / "canaries").rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        for place, word in words.items():
            seen = any(shape in content for shape in shapes(word)) or word in path.name
            score.held(f"{place} in {path.name}", not seen)


async def viewed(folder: Path, user: User) -> str:
    """Everything that a person gets to see. A refusal of the framework's own is no hole; anything else raised is."""
    seen: list[str] = []

    async def look(call: Callable[[], Awaitable[Any]]) -> None:
        try:
            seen.append(str(await call()))
        except MetaAgentError as error:
            seen.append(type(error).__name__)

    try:
        async with opened(folder) as app:
            for session in await app.sessions(user=user):
                seen.append(str(session))
                for call in (app.turns, app.history, app.state):
                    await look(lambda call=call, at=session.session_id: call(at, user=user))
            await look(lambda: app.memories(user=user))
    except MetaAgentError as error:
        seen.append(type(error).__name__)
    return " ".join(seen)


def columns(database: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(database) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        found = [
            (t, c[1]) for (t,) in tables.fetchall() for c in connection.execute(f"PRAGMA table_info({t})")
        ]
    connection.close()
    return found


async def tampering(score: Score, folder: Path, seed: int, size: int) -> None:
    """Every column of every table: values of other rows, or nonsense, in the place of what was there."""
    rng, base = random.Random(seed), folder / "tampering"
    async with opened(base) as app:
        for user in (KIM, LEE, EVE):
            await app.ask(f"note secret-of-{user.user_id}", user=user)
            await app.remember(f"내 별명은 secret-of-{user.user_id}", user=user)
    matrix = columns(base / "metaagent.db")
    for table, column in rng.sample(matrix, min(len(matrix), 8 * size)):
        for kind in ("moved", "nonsense"):
            copy = folder / "tampered"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            value = (
                f"(SELECT {column} FROM {table} ORDER BY random() LIMIT 1)" if kind == "moved" else "x'00ff'"
            )
            with sqlite3.connect(copy / "metaagent.db") as connection:
                triggers = connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'trigger'"
                ).fetchall()
                for (name,) in triggers:
                    connection.execute(f"DROP TRIGGER {name}")
                connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {value}")
            connection.close()
            what = f"{table}.{column} {kind}"
            try:
                seen = {user.user_id: await viewed(copy, user) for user in (KIM, LEE)}
            except Exception as error:  # noqa: BLE001 - whatever it is, it is no refusal: a hole
                score.held(f"{what}: {type(error).__name__}", False)
                continue
            crossed = any(
                f"secret-of-{other}" in text
                for name, text in seen.items()
                for other in ("kim", "lee", "eve")
                if other != name
            )
            score.held(what, not crossed)


async def _erase(app: Any) -> None:
    await app.governance.erase("kim", user=OFFICER)


async def _hold(app: Any) -> None:
    await app.governance.hold_place("h1", reason="x", person="kim", user=OFFICER)


async def _rotate(app: Any) -> None:
    await app.governance.keys_rotate(user=OFFICER)


async def _delete(app: Any) -> None:
    for session in await app.sessions(user=KIM):
        await app.delete_session(session.session_id, user=KIM)


OPERATIONS: dict[str, Callable[[Any], Awaitable[None]]] = {
    "erase": _erase,
    "hold": _hold,
    "rotate": _rotate,
    "delete": _delete,
}


def killed_at(folder: Path, work: Callable[[Any], Awaitable[None]], point: int) -> bool:
    """Run the operation in a process that ends itself at its nth write; whether it came that far."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 137
    try:
        asyncio.run(_run_and_die(folder, work, point))
    finally:
        os._exit(0)


async def _run_and_die(folder: Path, work: Callable[[Any], Awaitable[None]], point: int) -> None:
    async with opened(folder) as app:
        writes = iter(range(1, 10_000))

        def counted(real: Any) -> Any:
            def instead(*args: Any, **kwargs: Any) -> Any:
                if next(writes) == point:
                    os._exit(137)
                return real(*args, **kwargs)

            return instead

        for owner, name in ((KeyFile, "save"), (SqlAuditLog, "_commit"), (SqlBase, "_in_transaction")):
            setattr(owner, name, counted(getattr(owner, name)))
        await work(app)
        os._exit(0)


async def kills(score: Score, folder: Path, seed: int, size: int) -> None:
    """A program that dies at any write of an operation: what is left opens, verifies, and the operation can be repeated."""
    base = folder / "kills"
    async with opened(base) as app:
        await app.ask("note secret", user=KIM)
    for name, work in OPERATIONS.items():
        for point in range(1, 3 * size + 1):
            copy = folder / "killed"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            if not await asyncio.to_thread(killed_at, copy, work, point):
                break
            what = f"{name} killed at write {point}"
            try:
                async with opened(copy) as app:
                    if name != "hold" or not await app.governance.hold_list(user=OFFICER):
                        await work(app)
                    checked = await app.governance.audit_verify(user=OFFICER)
                score.held(what, checked.ok)
            except MetaAgentError as error:
                score.held(f"{what}: {error}", False)


CLASSES: dict[str, Attack] = {
    "models": models,
    "personal data": personal_data,
    "exports": exports,
    "calls": calls,
    "queries": queries,
    "inputs": inputs,
    "canaries": canaries,
    "tampering": tampering,
    "kills": kills,
}


async def run(folder: Path, *, seed: int, size: int, only: tuple[str, ...] = ()) -> list[Score]:
    scores: list[Score] = []
    for name in only or tuple(CLASSES):
        score = Score(name)
        (folder / name.replace(" ", "_")).mkdir(parents=True, exist_ok=True)
        await CLASSES[name](score, folder / name.replace(" ", "_"), seed, size)
        scores.append(score)
    return scores


def table(scores: list[Score]) -> str:
    lines = [f"{'class':16}{'tried':>8}{'held':>8}{'holes':>8}"]
    for score in scores:
        lines.append(f"{score.name:16}{score.tried:8}{score.tried - len(score.holes):8}{len(score.holes):8}")
        lines += [f"    {hole}" for hole in score.holes[:20]]
    return "\n".join(lines)
