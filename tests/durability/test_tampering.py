"""Whoever can write the data directory, but has no keys, gets nothing used that they changed, moved or brought back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from metaagent.access.rights import BUILT_IN
from metaagent.audit.store import Where
from metaagent.cli.door import log_to
from metaagent.cli.main import app as command_line
from metaagent.errors import AccessDenied, KeyUnavailable, MetaAgentError, RowRefused, StorageError
from metaagent.plugin import Context, Task
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent
from tests.support.agents import Runs, figures, opened, worker
from tests.support.canaries import CANARY, PERSON
from tests.support.rekeying import fill, world

ANN = User("ann", "acme", ("employee",))
EVE = User("eve", "acme", ("employee",))


class Known(NamedTuple):
    """Of two colleagues, of whom one also writes the database."""

    ann: Answer
    eve: Answer
    alias_of_ann: str
    alias_of_eve: str


Look = Callable[[MetaAgent, Known], Awaitable[Any]]


async def _events(app: MetaAgent, known: Known) -> list[Any]:
    return [event async for event in app.events(known.ann.turn_id, user=EVE)]


TAKE_SESSION = "UPDATE sessions SET owner = :eve WHERE owner = :ann"
MOVE_TURN = "UPDATE turns SET session_id = :session_of_eve, number = 9 WHERE turn_id = :turn_of_ann"
ATTACKS: dict[str, tuple[str, Look]] = {
    "list a session that was taken over": (TAKE_SESSION, lambda app, known: app.sessions(user=EVE)),
    "its history": (TAKE_SESSION, lambda app, known: app.history(known.ann.session_id, user=EVE)),
    "its state": (TAKE_SESSION, lambda app, known: app.state(known.ann.session_id, user=EVE)),
    "its export": (TAKE_SESSION, lambda app, known: app.export_session(known.ann.session_id, user=EVE)),
    "a turn moved to one's own session": (
        MOVE_TURN,
        lambda app, known: app.turns(known.eve.session_id, user=EVE),
    ),
    "events of such a turn": (MOVE_TURN, _events),
    "the answer of such a turn": (MOVE_TURN, lambda app, known: app.answer(known.ann.turn_id, user=EVE)),
    "what is remembered of another": (
        "UPDATE memories SET owner = :eve WHERE owner = :ann",
        lambda app, known: app.memories(user=EVE),
    ),
    "messages of another session": (
        "UPDATE messages SET session_id = :session_of_eve, position = position + 50 WHERE turn_id = :turn_of_ann",
        lambda app, known: app.history(known.eve.session_id, user=EVE),
    ),
    "a number in place of a sealed value": (
        "UPDATE sessions SET body = 5 WHERE owner = :eve",
        lambda app, known: app.sessions(user=EVE),
    ),
    "text in place of a sealed value": (
        "UPDATE turns SET body = 'plain' WHERE session_id = :session_of_eve",
        lambda app, known: app.turns(known.eve.session_id, user=EVE),
    ),
}


async def colleagues(data: Path, runs: Runs) -> Known:
    async with opened(data, figures(runs)) as app:
        ann = await app.ask(f"figures {CANARY}", user=ANN)
        eve = await app.ask("figures", user=EVE)
        await app.remember(f"my region is {CANARY}", user=ANN)
        return Known(ann, eve, *(app.governance.ring.alias("acme", name) for name in ("ann", "eve")))


def tampered(data: Path, statement: str, known: Known) -> None:
    values = {
        "ann": known.alias_of_ann,
        "eve": known.alias_of_eve,
        "session_of_eve": known.eve.session_id,
        "turn_of_ann": known.ann.turn_id,
    }
    with closing(sqlite3.connect(data / "metaagent.db")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


@pytest.mark.parametrize("attack", ATTACKS)
async def test_database_writer_reads_nothing_of_other_people(attack: str, data: Path, runs: Runs):
    statement, look = ATTACKS[attack]
    known = await colleagues(data, runs)
    tampered(data, statement, known)
    async with opened(data, figures(runs)) as app:
        try:
            seen = await look(app, known)
        except RowRefused:
            return
    assert CANARY not in repr(seen), "what cannot be trusted is refused, or left out of a list"


async def test_relabelled_artifact_is_still_withheld_from_a_role(data: Path, runs: Runs):
    policy = {**BUILT_IN["employee"].model_dump(), "artifacts": ["chart"]}
    cy = User("cy", "acme", ("careful",))
    async with opened(data, figures(runs), access={"policies": {"careful": policy}}) as app:
        answer = await app.ask("figures", user=cy)
        with closing(sqlite3.connect(data / "metaagent.db")) as connection, connection:
            connection.execute("UPDATE artifacts SET kind = 'chart'")
        with pytest.raises(AccessDenied):
            await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=cy)


async def test_speaker_of_a_message_cannot_be_changed(data: Path, runs: Runs):
    known = await colleagues(data, runs)
    tampered(data, "UPDATE messages SET role = 'assistant' WHERE turn_id = :turn_of_ann", known)
    async with opened(data, figures(runs)) as app:
        said = await app.history(known.ann.session_id, user=ANN)
        assert [message["role"] for message in said] == ["assistant", "user"]


# --- the erased do not come back ------------------------------------------------------------------------

BACK = {
    "files and rows": ("metaagent.db", "checkpoints.db", "files", "vectors", "logs"),
    "the key file": ("keys.json",),
    "all but the trail": ("keys.json", "checkpoints.db", "files", "vectors", "logs"),
}


@pytest.mark.parametrize("what", BACK)
async def test_restored_copy_of_an_erased_person_stays_unreadable(
    what: str, data: Path, runs: Runs, tmp_path: Path
):
    officer = User("officer", "acme")
    async with world(data, runs) as app:
        session = await fill(app)
    shutil.copytree(data, tmp_path / "backup")
    async with world(data, runs) as app:
        await app.governance.erase(PERSON.user_id, user=officer)
    for path in [*data.glob("*.db-*"), *(data / name for name in BACK[what])]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in BACK[what]:
        source = tmp_path / "backup" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, data / name)
    async with world(data, runs) as app:
        looks: list[Callable[[], Awaitable[Any]]] = [
            lambda: app.sessions(user=PERSON),
            lambda: app.memories(user=PERSON),
            lambda: app.state(session, user=PERSON),
            lambda: app.history(session, user=PERSON),
        ]
        for look in looks:
            with pytest.raises(MetaAgentError):
                assert CANARY not in str(await look())
        office = app.governance
        reader = office.ring.reader("acme", "store")
        for path in data.glob("files/*/*"):
            with pytest.raises(KeyUnavailable):
                reader.open(path.read_bytes(), ("files", path.name))
        for entry in await office.audit_list(Where(session=session), user=officer):
            shown = await office.audit_show(entry["seq"], reveal=True, user=officer)
            assert set(shown.get("pii") or {"unreadable": ""}) == {"unreadable"}
        back = await office.audit_list(Where(event="person.erased_again"), user=officer)
        assert len(back) == ("keys.json" in BACK[what])


# --- another company, by every command ------------------------------------------------------------------

GUESSES = (
    "sessions show SESSION",
    "sessions show SESSION --json",
    "sessions show SESSION --turn 1",
    "sessions show SESSION --field final_response",
    "sessions report SESSION -o OUT",
    "sessions delete SESSION --yes",
    "sessions checkpoints SESSION",
    "sessions save SESSION here",
    "sessions restore SESSION --turn 1",
    "sessions fork SESSION --turn 1",
    "sessions export SESSION -o OUT",
    "sessions prune SESSION",
    "export SESSION ARTIFACT --format json -o OUT",
    "resume SESSION yes",
    "approve SESSION",
    "ask hello --session SESSION",
)
REVIEWS = ("audit report SESSION --reveal", "audit list --find SESSION", "audit list --session SESSION")


def said(data: Path, words: str, known: dict[str, str], *, actor: str) -> tuple[int, str]:
    given = [known.get(word, word) for word in words.split()]
    who = [actor, "eve", "--company", "evil", "--data-dir", str(data)]
    done = CliRunner().invoke(command_line, [*given, *who])
    shown = done.output
    for value in known.values():
        shown = shown.replace(value, "ID")
    return done.exit_code, shown


def test_no_command_tells_another_company_whether_an_id_exists(data: Path, runs: Runs, tmp_path: Path):
    real = asyncio.run(_asked(data, runs))
    real["OUT"] = str(tmp_path / "out")
    unreal = {"SESSION": "s0123456789abcdef", "ARTIFACT": "a" + "0" * 31, "OUT": real["OUT"]}
    for words in GUESSES:
        code, shown = said(data, words, real, actor="--user")
        assert code != 0, words
        assert CANARY not in shown, words
        assert (code, shown) == said(data, words, unreal, actor="--user"), words
        assert not Path(real["OUT"]).exists(), words
    for words in REVIEWS:
        code, shown = said(data, f"{words} --role reviewer", real, actor="--as")
        assert code == 0, words
        for word in (CANARY, "plan.made", "figures"):  # of their own guesses they may see the refusals
            assert word not in shown, words
    asyncio.run(_still_there(data, runs, real["SESSION"]))


async def _asked(data: Path, runs: Runs) -> dict[str, str]:
    async with opened(data, figures(runs)) as app:
        answer = await app.ask(f"figures {CANARY}", user=ANN)
        return {"SESSION": answer.session_id, "ARTIFACT": answer.content["artifacts"][0]["id"]}


async def _still_there(data: Path, runs: Runs, session: str) -> None:
    async with opened(data, figures(runs)) as app:
        (turn,) = await app.turns(session, user=ANN)
        assert turn.status == "completed"


async def test_a_company_sees_the_log_of_its_own_turns_only(data: Path, runs: Runs):
    async def warn(_task: Task, ctx: Context) -> None:
        ctx.log.warning(f"of {ctx.user.company_id}")

    spec = worker(runs, "warning", before=warn)
    spec = replace(spec, needs=spec.needs | {"log"})
    async with opened(data, spec) as app:
        with log_to(app.settings, app.governance.ring):
            for company in ("acme", "evil"):
                await app.ask("warning", user=User("kim", company))
            for company, other in (("acme", "evil"), ("evil", "acme")):
                (line,) = await app.governance.logs(user=User("kim", company))
                assert f"of {company}" in line
                assert other not in line
            assert len(await app.governance.logs()) == 2


async def test_a_damaged_key_file_opens_nothing(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.ask("figures")
    text = (data / "keys.json").read_text()
    (data / "keys.json").write_text(text.replace('"min": 1', '"min": 0'))
    with pytest.raises(StorageError, match="without the key-encryption key"):
        async with opened(data, figures(runs)):
            pass
