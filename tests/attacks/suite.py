"""The attacks as one suite: each class tries what its generator makes, and says what held and what did not."""

from __future__ import annotations

import asyncio
import base64
import gc
import io
import random
import re
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any

from metaagent.access.rights import BUILT_IN, rights_of
from metaagent.audit import verifier
from metaagent.config import Policy
from metaagent.data.guard import guard
from metaagent.errors import InputRefused, MetaAgentError, SqlRefused
from metaagent.governance.governance import CALLS as GOVERNANCE
from metaagent.knowledge.chunks import chunked
from metaagent.knowledge.reading import extract
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.protection.redaction import Redactor
from metaagent.runtime import CALLS
from metaagent.sessions.archive import unpack
from metaagent.sessions.bundle import readdressed
from metaagent.sessions.documents import READ
from metaagent.testing import scripted_chat_model
from tests.attacks.archives import DOCUMENTS, SESSIONS, docx_archive, session_archive
from tests.attacks.costs import inputs, least, readers
from tests.attacks.door_canaries import PLACES as DOOR_PLACES
from tests.attacks.door_canaries import told
from tests.attacks.doors import attacked
from tests.attacks.dying import KILLED, OPERATIONS, die_at_write
from tests.attacks.forged import exported, forgeries
from tests.attacks.generators import costly_queries, disguised, personal_items
from tests.attacks.obedient import NOTHING, crm, heard
from tests.attacks.orders import given
from tests.attacks.people import accounts, lists
from tests.attacks.probe import (
    NOBODYS,
    Ids,
    arguments,
    calls_of_officers,
    calls_on_documents,
    calls_on_ids,
    outcome,
)
from tests.attacks.second_verifier import verified
from tests.attacks.texts import detected
from tests.attacks.world import BOSS, EVE, KIM, LEE, OFFICER, opened, own_document, storing, written
from tests.support.guard_world import POLICY
from tests.support.processes import exit_code
from tests.support.writing_world import Written, writing

MOST_DOUBLING = 3.0
_PACKED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
REVIEWER = User("rev", "acme", ("reviewer",))
LEAST_RECALL, LEAST_PRECISION = 0.97, 0.98


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
    made = detected(seed, 4 * size)
    score.held(f"recall {made.recall:.3f}: {made.missed}", made.recall >= LEAST_RECALL)
    score.held(f"precision {made.precision:.3f}: {made.wrong}", made.precision >= LEAST_PRECISION)


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


def may(user: User, operation: str, *, own: bool = True) -> bool:
    return rights_of({**BUILT_IN, "viewer": Policy(operations=[])}, user).may(operation, own=own)


async def calls(score: Score, folder: Path, seed: int, size: int) -> None:
    async with opened(folder / "calls", access={"policies": {"viewer": {"operations": []}}}) as app:
        answer = await app.ask("note TOPSECRET", user=KIM)
        theirs = Ids(
            answer.session_id,
            answer.turn_id,
            answer.content["artifacts"][0]["id"],
            await own_document(app, KIM),
        )
        strangers = [User("kim", "evilco", (role,)) for role in (*BUILT_IN, "viewer")]
        colleagues = [User(f"c-{role}", "acme", (role,)) for role in (*BUILT_IN, "viewer")]
        for name, call in calls_on_ids(app):
            for user in (*strangers, *(each for each in colleagues if not may(each, CALLS[name], own=False))):
                found = await outcome(call, arguments(name, call, theirs), user)
                missing = await outcome(call, arguments(name, call, NOBODYS), user)
                score.held(
                    f"{name} by {user.roles[0]}@{user.company_id}", found[0] != "OK" and found == missing
                )
        for name, call in calls_of_officers(app):
            for user in (*strangers, *colleagues):
                if not may(user, GOVERNANCE[name]):
                    found = await outcome(call, arguments(name, call, theirs), user)
                    refused = found[0] == "AccessDenied"
                    score.held(f"{name} by {user.roles[0]}@{user.company_id}: {found[0]}", refused)


async def documents(score: Score, folder: Path, seed: int, size: int) -> None:
    """Documents on record and receipts of what was stored: every call, by everybody who may not read those of others."""
    roles = (*BUILT_IN, "viewer")
    access = {"policies": {"viewer": {"operations": []}}}
    outside = [User("kim", "evilco", (role,)) for role in roles]
    async with opened(folder / "documents", writing(Written()), access=access) as app:
        theirs = replace(NOBODYS, document=await written(app, KIM))
        inside = [User(f"c-{role}", "acme", (role,)) for role in roles]
        for user in (*outside, *(each for each in inside if not may(each, READ, own=False))):
            for name, call in calls_on_documents(app):
                found = await outcome(call, arguments(name, call, theirs), user)
                missing = await outcome(call, arguments(name, call, NOBODYS), user)
                same = found[0] != "OK" and found == missing
                score.held(f"{name} by {user.roles[0]}@{user.company_id}: {found} / {missing}", same)
        left = await app.documents.shown(theirs.document, user=KIM)
        score.held("the document is as it was", (left["status"], left["notes"]) == ("draft", []))
    async with storing(folder / "stored") as app:
        await app.ask("store the visits", user=KIM)
        (mine,) = await app.stored_list(user=KIM)
        theirs = replace(NOBODYS, receipt=mine["receipt"])
        for name in ("stored_show", "stored_file", "stored_undo"):
            call = getattr(app, name)
            inside = [User(f"c-{role}", "acme", (role,)) for role in BUILT_IN]
            for user in (*outside, *(each for each in inside if not may(each, CALLS[name], own=False))):
                found = await outcome(call, arguments(name, call, theirs), user)
                missing = await outcome(call, arguments(name, call, NOBODYS), user)
                same = found[0] != "OK" and found == missing
                score.held(f"{name} by {user.roles[0]}@{user.company_id}: {found} / {missing}", same)
        score.held(
            "what was stored still stands", (await app.stored_show(mine["receipt"], user=KIM))["holds"]
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


def taken_over(packed: bytes) -> None:
    """Read an archive of a session as an import does, up to what is written."""
    read = unpack(packed, KIM)
    readdressed(read, "s" + "1" * 16, [f"t{at:016x}" for at in range(len(read.turns))])


def searched(packed: bytes) -> None:
    """Read an office file as it is added to what is searched, up to what is written."""
    chunked(extract("a.docx", packed), title="a")


def work_of(read: Callable[[bytes], object], packed: bytes) -> float:
    """CPU of reading this, in the best of three runs, without what the collector of garbage happens to do meanwhile."""
    spent: list[float] = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = thread_time()
            read(packed)
            spent.append(thread_time() - start)
    finally:
        gc.enable()
    return min(spent)


def _grown(read: Callable[[bytes], object], packed: bytes, half: bytes) -> float:
    return work_of(read, packed) / work_of(read, half)


async def archives(score: Score, folder: Path, seed: int, size: int) -> None:
    """Archives of bad shapes, twice: the double may cost the double and a little more."""
    for kinds, made, read in (
        (SESSIONS, session_archive, taken_over),
        (DOCUMENTS, docx_archive, searched),
    ):
        for name in kinds:
            once = 100 + 30 * size
            packed, half = made(name, 2 * once), made(name, once)
            growth = least(partial(_grown, read, packed, half), MOST_DOUBLING)
            score.held(f"{name}: {growth:.1f} × for the double", growth <= MOST_DOUBLING)


def shapes(word: str) -> Iterator[bytes]:
    """A text as it might lie in a file without being seen at once."""
    raw = word.encode()
    yield from (raw, word.encode("utf-16-le"), word.encode("utf-16-be"), raw.hex().encode(), raw[::-1])
    yield from (base64.b64encode(b"\0" * lead + raw)[4:-4] for lead in range(3))


def unpacked(content: bytes) -> bytes:
    """The content, and after it everything in it that was compressed."""
    found = [content]
    for start in (match.start() for match in _PACKED.finditer(content)):
        for bits in (15, 31):
            with suppress(zlib.error):
                found.append(zlib.decompressobj(bits).decompress(content[start:], 1 << 20))
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found += [archive.read(name) for name in archive.namelist()]
    return b"\0".join(found)


PLACES = (
    "question",
    "memory",
    "reason",
    "person",
    "summary",
    "artifact",
    "source",
    "file",
    "vector",
    "error",
)


def leaker(words: Mapping[str, str]) -> AgentSpec:
    """An agent that puts a word of its own into everything that it can write."""

    @agent(
        name="leaker",
        capabilities=[Capability("leaking", en=("note",))],
        produces={"memo": dict[str, Any]},
        needs=["user", "files", "vectors", "log"],
    )
    async def leak(task: Task, ctx: Context) -> Result:
        await ctx.files.write("file1", words["file"].encode())
        await ctx.vectors.add({"vector1": words["vector"]}, {"vector1": {"of": words["vector"]}})
        if "broken" in task.request:
            raise ValueError(words["error"])
        made = Artifact("memo", {words["artifact"]: words["artifact"]}, words["summary"])
        return Result(words["summary"], 1.0, [made], [{"title": words["source"]}])

    return leak


async def canaries(score: Score, folder: Path, seed: int, size: int) -> None:
    """A word in every input; then every file and every output for others is searched for it in every shape."""
    words = {place: f"zq{seed}kanari{place}" for place in PLACES}
    kim, outputs = User(f"kim-{words['person']}", "acme", ("owner",)), dict[str, bytes]()
    async with opened(folder / "canaries", leaker(words), memory={"index_above": 2}) as app:
        answer = await app.ask(f"note {words['question']}", user=kim)
        score.held("the agent put its words everywhere", bool(answer.content["artifacts"]))
        await app.ask(f"note broken {words['question']}", user=kim)
        for at in range(4):
            await app.remember(f"내 항목{at}은 {words['memory']}{at}", user=kim)
        await app.governance.hold_place("case-1", reason=words["reason"], person=kim.user_id, user=kim)
        for form, file in (("jsonl", io.BytesIO()), ("csv", io.StringIO())):
            await app.governance.audit_export(file, form=form, user=REVIEWER)
            outputs[f"export as {form}"] = str(file.getvalue()).encode()
        outputs["trail"] = str(await app.governance.audit_list(limit=10_000, user=REVIEWER)).encode()
        for session in await app.sessions(user=kim):
            said = await app.governance.audit_report(session.session_id, user=REVIEWER)
            outputs[f"report of {session.session_id}"] = str(said).encode()
        for user in (LEE, EVE, BOSS):
            seen = [await app.sessions(user=user), await app.memories(user=user)]
            outputs[f"view of {user.user_id}"] = str(seen).encode()
    for path in (folder / "canaries").rglob("*"):
        outputs[path.name] = path.name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"")
    for name, content in outputs.items():
        whole = unpacked(content)
        for place, word in words.items():
            score.held(f"{place} in {name}", not any(shape in whole for shape in shapes(word)))


async def door_canaries(score: Score, folder: Path, seed: int, size: int) -> None:
    """The same through the doors: people, programs, broken requests; logs, figures and the terminal are searched too."""
    words = {place: f"zq{seed}kanari{place}" for place in DOOR_PLACES}
    for name, content in (await told(folder / "doors", words)).items():
        whole = unpacked(content)
        for place, word in words.items():
            score.held(f"{place} in {name}", not any(shape in whole for shape in shapes(word)))


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
    for table, column in rng.sample(matrix, min(len(matrix), 4 * size)):
        values = {
            "moved": f"(SELECT {column} FROM {table} ORDER BY random() LIMIT 1)",
            "nonsense": "x'00ff'",
            "text": f"CAST({column} AS TEXT)",
            "number": "9223372036854775807",
            "nothing": "NULL",
        }
        for kind, value in values.items():
            copy = folder / "tampered"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
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


async def kills(score: Score, folder: Path, seed: int, size: int) -> None:
    """A program that dies at any write of an operation: what is left opens, verifies, and the operation can be repeated."""
    base = folder / "kills"
    async with opened(base) as app:
        await app.ask("note secret", user=KIM)
        await app.remember("내 별명은 secret-of-kim", user=KIM)
    for name, work in OPERATIONS.items():
        for point in range(1, 3 * size + 1):
            copy = folder / "killed"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            code = await asyncio.to_thread(exit_code, die_at_write, copy, name, point)
            if code == 0:
                break
            what = f"{name} killed at write {point}"
            if code != KILLED:
                score.held(f"{what}: ended with {code}", False)
                continue
            try:
                async with opened(copy) as app:
                    with suppress(
                        InputRefused
                    ):  # a hold that was placed before the end came is not placed twice
                        await work(app)
                    checked = await app.governance.audit_verify(user=OFFICER)
                    left = [*(copy / "keys.json").parent.glob(".keys.json.*")]
                score.held(what, checked.ok and not left)
            except MetaAgentError as error:
                score.held(f"{what}: {error}", False)


CLASSES: dict[str, Attack] = {
    "models": models,
    "orders": given,
    "personal data": personal_data,
    "exports": exports,
    "calls": calls,
    "lists": lists,
    "accounts": accounts,
    "documents": documents,
    "doors": attacked,
    "queries": queries,
    "inputs": inputs,
    "readers": readers,
    "archives": archives,
    "canaries": canaries,
    "door canaries": door_canaries,
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
