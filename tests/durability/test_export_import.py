"""A session leaves as one file and comes back as another; what did not come from here is not believed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from metaagent.cli.main import app as commands
from metaagent.errors import InputRefused, MetaAgentError, NewerSchema
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import Turn, User
from metaagent.sessions.archive import SEALED, Bounds, pack, seal, unpack, unseal
from metaagent.sessions.bundle import Bundle, readdressed
from tests.support.agents import Runs, asking, drawing, figures, opened

PHRASE = "correct horse battery"
PRIVATE = "kim99@naver.com"


def picturing() -> AgentSpec:
    """Makes something that is not text."""

    @agent(
        name="picture",
        capabilities=[Capability("picture", ko=("picture",), en=("picture",))],
        produces={"image": bytes},
    )
    async def work(task: Task, ctx: Context) -> Result:
        return Result("picture done", 1.0, [Artifact("image", b"\x89PNG" + bytes(range(256)))])

    return work


async def exported(data: Path, runs: Runs, **options: Any) -> bytes:
    async with opened(data, drawing(runs), figures(runs), picturing()) as app:
        first = await app.ask(f"drawing for {PRIVATE}")
        await app.ask("picture", session_id=first.session_id)
        return await app.export_session(first.session_id, **options)


async def test_a_full_export_comes_back_whole_elsewhere_and_goes_on(data: Path, tmp_path: Path, runs: Runs):
    archive = await exported(data, runs, full=True)
    user = User("someone", "elsewhere")
    async with opened(tmp_path / "other", drawing(runs), figures(runs)) as app:
        info = await app.import_session(archive, user=user)
        turns = await app.turns(info.session_id, user=user)
        assert [turn.number for turn in turns] == [2, 1]
        assert turns[1].question == f"drawing for {PRIVATE}"
        refs = [ref for turn in turns for ref in turn.outcome["artifacts"]]
        assert {ref["kind"] for ref in refs} == {"dataset", "chart", "image"}
        contents = [await app.artifact(info.session_id, ref["id"], user=user) for ref in refs]
        assert b"\x89PNG" + bytes(range(256)) in contents
        state = await app.state(info.session_id, user=user)
        assert (state.get("user_id"), state.get("company_id")) == ("someone", "elsewhere")
        assert state.get("session_id") == info.session_id
        answer = await app.ask("drawing", session_id=info.session_id, user=user)
        assert (answer.status, answer.text) == ("completed", "drawing done")
        assert len((await app.state(info.session_id, user=user)).get("messages", [])) == 6
        again = await app.import_session(archive, user=user)
        assert again.session_id != info.session_id


async def test_shared_export_names_no_person(data: Path, tmp_path: Path, runs: Runs):
    archive = await exported(data, runs)
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        everything = b"\n".join(file.read(name) for name in file.namelist())
        manifest = json.loads(file.read("manifest.json"))
    assert PRIVATE.encode() not in everything
    assert b"kim99" not in everything
    assert b"PNG" not in everything, "what cannot be looked into is left out"
    assert manifest["content"] == "redacted"
    assert any("image" in reason for reason in manifest["left_out"])
    async with opened(tmp_path / "other", drawing(runs), figures(runs)) as app:
        info = await app.import_session(archive)
        assert (await app.ask("drawing", session_id=info.session_id)).status == "completed"


async def test_the_same_session_gives_the_same_file(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = (await app.ask("figures")).session_id
        assert await app.export_session(session_id) == await app.export_session(session_id)


async def test_a_sealed_export_opens_with_its_passphrase_only(data: Path, runs: Runs):
    archive = await exported(data, runs, full=True, passphrase=PHRASE)
    assert archive.startswith(SEALED)
    assert b"manifest" not in archive
    async with opened(data, figures(runs)) as app:
        before = len(await app.sessions())
        with pytest.raises(InputRefused, match="--passphrase-env"):
            await app.import_session(archive)
        with pytest.raises(InputRefused, match="does not open"):
            await app.import_session(archive, passphrase="something else")
        changed = bytearray(archive)
        changed[-20] ^= 1
        with pytest.raises(InputRefused, match="does not open"):
            await app.import_session(bytes(changed), passphrase=PHRASE)
        assert len(await app.sessions()) == before
        assert (await app.import_session(archive, passphrase=PHRASE)).turns == 2
        session_id = (await app.sessions())[0].session_id
        with pytest.raises(InputRefused, match="at least 8"):
            await app.export_session(session_id, full=True, passphrase="short")
        with pytest.raises(InputRefused, match="--full"):
            await app.export_session(session_id, passphrase=PHRASE)


async def test_a_turn_that_is_not_finished_stays_here(data: Path, runs: Runs):
    async with opened(data, figures(runs), asking(runs)) as app:
        session_id = (await app.ask("figures")).session_id
        await app.ask("asking", session_id=session_id)
        info = await app.import_session(await app.export_session(session_id, full=True))
        assert [turn.number for turn in await app.turns(info.session_id)] == [1]
        assert len((await app.state(info.session_id)).get("messages", [])) == 2
        assert (await app.resume(session_id, "left")).status == "completed"
        waiting = (await app.ask("asking")).session_id
        with pytest.raises(MetaAgentError, match="no finished turn"):
            await app.export_session(waiting)


# --- archives that did not come from here ---------------------------------------------------------------------

MOMENT = "2025-01-10T00:00:00.000Z"


def small() -> Bundle:
    turn = Turn(
        "t" + "0" * 16,
        "s" + "0" * 16,
        1,
        "completed",
        "q",
        "en",
        User(),
        MOMENT,
        MOMENT,
        outcome={"answer": "a"},
    )
    event = {
        "type": "response",
        "seq": 1,
        "timestamp": MOMENT,
        "session_id": turn.session_id,
        "turn_id": turn.turn_id,
    }
    state = {"schema_version": 1, "messages": [{"type": "human", "id": "m", "content": "q", "name": None}]}
    return Bundle(turn.session_id, "q", MOMENT, (turn,), {turn.turn_id: [event]}, (), state)


def files_of(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def changed(change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> bytes:
    """An archive whose manifest fits its files, whatever was done to them: only what they say is wrong."""
    files = files_of(pack(small(), full=True))
    manifest = json.loads(files.pop("manifest.json"))
    change(files, manifest)
    hashes = {name: {"size": len(each), "sha256": sha256(each).hexdigest()} for name, each in files.items()}
    return zipped({"manifest.json": json.dumps({**manifest, "files": hashes}).encode(), **files})


def edited(name: str, edit: Callable[[Any], Any]) -> bytes:
    def change(files: dict[str, bytes], _manifest: dict[str, Any]) -> None:
        files[name] = json.dumps(edit(json.loads(files[name]))).encode()

    return changed(change)


def deep(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


TURN = "turns/000001.json"
HOSTILE = {
    "no zip": b"hello",
    "nothing": b"",
    "cut short": pack(small(), full=True)[:-40],
    "a way out": zipped({**files_of(pack(small(), full=True)), "../../etc/passwd": b"x"}),
    "an absolute path": zipped({**files_of(pack(small(), full=True)), "/etc/passwd": b"x"}),
    "a backslash": zipped({**files_of(pack(small(), full=True)), "turns\\..\\x.json": b"x"}),
    "a file too many": changed(lambda files, _: files.update({"extra.json": b"{}"})),
    "a file too few": zipped({k: v for k, v in files_of(pack(small(), full=True)).items() if k != TURN}),
    "no manifest": zipped({TURN: b"{}"}),
    "a changed file": zipped({**files_of(pack(small(), full=True)), "state.json": b"{}"}),
    "another kind": changed(lambda _, manifest: manifest.update(kind="something")),
    "version zero": changed(lambda _, manifest: manifest.update(version=0)),
    "an unknown field": changed(lambda _, manifest: manifest.update(more=1)),
    "a strange session": changed(lambda _, manifest: manifest.update(session_id="a")),
    "a running turn": edited(TURN, lambda turn: {**turn, "status": "running"}),
    "a strange turn id": edited(TURN, lambda turn: {**turn, "turn_id": "t1' OR 1=1"}),
    "another number": edited(TURN, lambda turn: {**turn, "number": 7}),
    "a text for a number": edited(TURN, lambda turn: {**turn, "number": "1"}),
    "no object": edited(TURN, lambda _turn: []),
    "events out of order": edited(TURN, lambda turn: {**turn, "events": turn["events"] * 2}),
    "an unknown event": edited(TURN, lambda turn: {**turn, "events": [{**turn["events"][0], "type": "x"}]}),
    "too deep": edited(TURN, lambda turn: {**turn, "outcome": {"a": deep(300)}}),
    "a strange message": edited("state.json", lambda state: {**state, "messages": [{"type": "remove"}]}),
    "no state": edited("state.json", lambda _state: [1]),
    "a listed artifact that is not there": edited(
        "artifacts.json",
        lambda _: [
            {
                "id": "a" + "0" * 31,
                "kind": "k",
                "summary": "",
                "size": 1,
                "hash": "0" * 64,
                "made_by": "",
                "made_from": [],
                "turn_id": "t" + "0" * 16,
                "created_at": MOMENT,
            }
        ],
    ),
    "an artifact that is not listed": changed(
        lambda files, _: files.update({"artifacts/a" + "0" * 31: b"x"})
    ),
    "a bomb": changed(lambda files, _: files.update({"artifacts/a" + "0" * 31: bytes(30_000_000)})),
    "two of one name": pack(small(), full=True),  # made below
}


def doubled() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("Manifest.json", b"{}")
    return packed.getvalue().replace(b"Manifest.json", b"manifest.json")


HOSTILE["two of one name"] = doubled()


def lying() -> bytes:
    """Says that a file is shorter than it is."""
    packed = bytearray(pack(small(), full=True))
    at = packed.rfind(b"PK\x01\x02")
    packed[at + 24 : at + 28] = (1).to_bytes(4, "little")
    return bytes(packed)


HOSTILE["a wrong size"] = lying()


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(what: str):
    with pytest.raises(InputRefused, match="refused"):
        unpack(HOSTILE[what], User())


def test_bounds_hold_for_sizes_and_counts():
    packed = pack(small(), full=True)
    for bounds in (
        Bounds(packed=100),
        Bounds(unpacked=100),
        Bounds(entries=2),
        Bounds(ratio=0),
        Bounds(depth=1),
    ):
        with pytest.raises(InputRefused):
            unpack(packed, User(), bounds)


def test_a_newer_archive_is_refused_as_such():
    with pytest.raises(NewerSchema, match="Update metaagent"):
        unpack(changed(lambda _, manifest: manifest.update(version=2)), User())
    with pytest.raises(NewerSchema, match="Update metaagent"):
        unpack(changed(lambda _, manifest: manifest.update(schema_version=99)), User())
    with pytest.raises(NewerSchema):
        unpack(edited("state.json", lambda state: {**state, "schema_version": 99}), User())


async def test_a_refused_archive_leaves_nothing_behind(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        for archive in HOSTILE.values():
            with pytest.raises(InputRefused):
                await app.import_session(archive)
        assert await app.sessions() == []


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 255))
def test_one_changed_byte_is_refused_or_changes_nothing(position: int, value: int):
    packed = bytearray(pack(small(), full=True))
    packed[position % len(packed)] = value
    try:
        found = unpack(bytes(packed), User())
    except (InputRefused, NewerSchema):
        return
    assert (found.turns, found.state) == (unpack(pack(small(), full=True), User()).turns, found.state)


@given(st.binary(max_size=300))
def test_a_sealed_file_is_as_it_was_or_nothing(content: bytes):
    assert unseal(content if not content.startswith(SEALED) else b"", None) == (
        content if not content.startswith(SEALED) else b""
    )


def test_sealing_is_undone_by_the_same_passphrase_only():
    sealed = seal(b"content", PHRASE)
    assert unseal(sealed, PHRASE) == b"content"
    assert seal(b"content", PHRASE) != sealed
    for broken in (sealed[:30], sealed[:-1], SEALED):
        with pytest.raises(InputRefused):
            unseal(broken, PHRASE)


def test_new_ids_take_the_place_of_the_old_ones_everywhere():
    old = small()
    new = readdressed(old, "s" + "1" * 16, ["t" + "1" * 16])
    text = str(new)
    assert old.session_id not in text
    assert old.turns[0].turn_id not in text
    assert new.events["t" + "1" * 16][0]["turn_id"] == "t" + "1" * 16


# --- the commands -----------------------------------------------------------------------------------------------


def command(data: Path, *arguments: str, expect: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(commands, [*arguments, "--json", "--data-dir", str(data)])
    assert result.exit_code == expect, result.output
    return json.loads(result.stdout.splitlines()[-1])


def test_the_commands_do_the_same(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_AGENTS__ALLOW", "[]")
    session_id = command(data, "ask", f"sing for {PRIVATE}", expect=1)["session_id"]
    command(data, "ask", "sing again", "--session", session_id, expect=1)
    command(data, "sessions", "save", session_id, "here")
    kept = command(data, "sessions", "checkpoints", session_id)["checkpoints"]
    assert [(each["turn"], each["names"]) for each in kept] == [(2, ["here"]), (1, [])]
    fork = command(data, "sessions", "fork", session_id, "--turn", "1")
    assert (fork["turns"], fork["session_id"] != session_id) == (1, True)
    assert command(data, "sessions", "restore", session_id, "--turn", "1")["undone"] == 1
    assert command(data, "sessions", "restore", session_id, "--name", "here")["undone"] == 0
    shared, own = tmp_path / "shared.zip", tmp_path / "own.sealed"
    assert command(data, "sessions", "export", session_id, "-o", str(shared))["content"] == "redacted"
    assert PRIVATE.encode() not in b"".join(files_of(shared.read_bytes()).values())
    monkeypatch.setenv("PHRASE", PHRASE)
    sealing = ("--full", "--passphrase-env", "PHRASE")
    assert command(data, "sessions", "export", session_id, "-o", str(own), *sealing)["content"] == "sealed"
    assert own.stat().st_mode & 0o777 == 0o600
    assert command(data, "sessions", "import", str(own), "--passphrase-env", "PHRASE")["turns"] == 2
    assert command(data, "sessions", "import", str(shared))["turns"] == 2
    problem = command(data, "sessions", "import", str(own), expect=2)
    assert "--passphrase-env" in problem["errors"][0]["message"]
    command(data, "sessions", "import", str(tmp_path / "nowhere"), expect=2)
    command(data, "sessions", "import", str(own), "--passphrase-env", "UNSET", expect=2)
    command(data, "sessions", "export", session_id, "-o", str(tmp_path / "no" / "x"), expect=1)
    assert command(data, "sessions", "prune")["sessions"] == 4
    assert command(data, "migrate", "--dry-run")["sessions"] == 0
    assert not list(tmp_path.glob(".*.partial"))
