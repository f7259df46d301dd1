"""Everything that may come in wrong: each has its own clear error in both languages, and nothing stored is lost."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from metaagent.errors import InputRefused, KeyUnavailable, MetaAgentError, NewerSchema, StorageError
from metaagent.ports import User
from metaagent.runtime import MetaAgent, SyncMetaAgent
from tests.support.agents import Runs, asking, figures, opened
from tests.support.naughty_strings import UNENCODABLE, naughty_strings
from tests.support.paths import ROOT
from tests.support.states import nested


def said(error: MetaAgentError) -> tuple[str, str]:
    """In both languages, and really in two."""
    english, korean = error.say("en"), error.say("ko")
    assert english.isascii() or "—" in english or any(ord(c) > 127 for c in str(error.params))
    assert any("가" <= char <= "힣" for char in korean)
    return english, korean


@pytest.fixture
async def app(data: Path, runs: Runs) -> AsyncGenerator[MetaAgent]:
    async with opened(data, figures(runs), asking(runs)) as opened_app:
        yield opened_app


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        (" \t\n　", "empty"),
        ("x" * 10_000_000, "10,000,000 bytes"),
        ("가" * 333_334, "1,000,002 bytes"),
        ("fi\ud800gures", "character 3"),
        ("\udcff", "valid Unicode"),
        (None, "NoneType"),
        (b"figures", "bytes"),
        (7, "int"),
    ],
)
async def test_refused_question_leaves_no_trace(app: MetaAgent, text: Any, word: str):
    with pytest.raises(InputRefused) as refused:
        await app.ask(text)
    assert word in said(refused.value)[0]
    assert await app.sessions() == []


async def test_the_longest_question_is_a_setting(data: Path, runs: Runs):
    async with opened(data, figures(runs), limits={"question_bytes": 7}) as app:
        assert (await app.ask("figures")).text == "figures done"
        with pytest.raises(InputRefused, match=r"8 bytes; at most 7 .*limits\.question_bytes"):
            await app.ask("figures!")


async def test_a_question_of_just_one_megabyte_is_taken(app: MetaAgent):
    text = "figures " + "x" * 999_992
    answer = await app.ask(text)
    assert answer.text == "figures done"
    assert (await app.turns(answer.session_id))[0].question == text


LOOP: list[Any] = []
LOOP.append(LOOP)


def bomb(doublings: int) -> Any:
    """Small in memory, huge when walked through."""
    value: Any = "x" * 100
    for _ in range(doublings):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (nested(65), "64 levels"),
        (LOOP, "64 levels"),
        (nested(100_000), "64 levels"),
        (bomb(30), "1,000,000 bytes"),
        ("x" * 1_000_001, "1,000,000 bytes"),
        ({"when": datetime(2025, 1, 10, tzinfo=UTC)}, "datetime at answer.when"),
        ([b"x"], "bytes at answer[0]"),
        ({1: "x"}, "int at answer (a key)"),
        ({"a": {"b": [1, {2}]}}, "set at answer.a.b[1]"),
        (("a", "b"), "tuple at answer"),
        (MappingProxyType({"a": 1}), "mappingproxy"),
        (2**63, "64 bits"),
        ([float("nan")], "answer[0]"),
        (float("inf"), "finite"),
        ("\ud800", "valid Unicode"),
        ({"\udc00": 1}, "valid Unicode"),
    ],
)
async def test_unstorable_answer_is_refused_and_the_question_waits(app: MetaAgent, answer: Any, word: str):
    waiting = await app.ask("asking")
    with pytest.raises(InputRefused) as refused:
        await app.resume(waiting.session_id, answer)
    assert word in said(refused.value)[0]
    assert (await app.answer(waiting.turn_id)).status == "waiting"
    assert (await app.resume(waiting.session_id, "left")).text == "asking done"


@pytest.mark.parametrize(
    "answer", [nested(64), {"a": [1, 2.5, None, True, "서울"]}, False, 0, -(2**63), "x" * 999_999]
)
async def test_valid_answers_reach_the_agent_unchanged(app: MetaAgent, answer: Any):
    waiting = await app.ask("asking")
    done = await app.resume(waiting.session_id, answer)
    made = await app.artifact(done.session_id, done.content["artifacts"][0]["id"])
    assert made["answers"] == [answer]
    assert type(made["answers"][0]) is type(answer)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a b", "x" * 65, "s\n", 7, None, "\ud800", "가"])
async def test_an_id_that_is_none_is_refused_by_its_own_error(app: MetaAgent, name: Any):
    for attempt in (app.resume(name, "x"), app.state(name), app.cancel(name), app.answer(name)):
        with pytest.raises(InputRefused) as refused:
            await attempt
        assert repr(name) in said(refused.value)[0]
    if name is not None:
        with pytest.raises(InputRefused):
            await app.ask("figures", session_id=name)


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "a\nb", "\ud800", "nul\0", 7])
async def test_a_person_or_tenant_without_a_proper_name_is_refused(app: MetaAgent, name: Any):
    for user in (User(name), User("ann", name)):
        with pytest.raises(InputRefused) as refused:
            await app.ask("figures", user=user)
        assert repr(name) in said(refused.value)[0]
        with pytest.raises(InputRefused):
            await app.sessions(user=user)


async def test_names_of_people_may_be_in_any_script(app: MetaAgent):
    user = User("김영희@제약 & Söhne", "hanmi")
    assert (await app.ask("figures", user=user)).text == "figures done"


async def test_a_company_that_is_no_id_is_refused(app: MetaAgent):
    with pytest.raises(InputRefused, match=r"\.\./other"):
        await app.ask("figures", user=User("ann", "../other"))


async def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    for place in (tmp_path / "file" / "data", tmp_path / "file"):
        with pytest.raises(StorageError) as refused:
            async with opened(place):
                pass
        assert str(place) in said(refused.value)[0]
        assert "--data-dir" in said(refused.value)[0]


def test_failed_synchronous_open_leaves_nothing_open(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError), SyncMetaAgent({"data_dir": tmp_path / "file"}):
        pass


@pytest.mark.parametrize("name", ["metaagent.db", "checkpoints.db"])
async def test_a_database_that_is_none_is_named_and_left_as_it_is(data: Path, name: str):
    data.mkdir()
    (data / name).write_bytes(b"this is not a database, whatever its name says " * 100)
    with pytest.raises(
        (StorageError, KeyUnavailable)
    ) as refused:  # a database without its keys may be someone's
        async with opened(data):
            pass
    assert name in said(refused.value)[0] or "keys.json" in said(refused.value)[0]
    assert (data / name).read_bytes().startswith(b"this is not a database")


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("found", ["9", "99999999999999999999", "two"])
async def test_directory_of_a_newer_version_is_refused_unchanged(data: Path, runs: Runs, found: str):
    async with opened(data, figures(runs)) as app:
        session_id = (await app.ask("figures")).session_id
    change(data / "metaagent.db", f"UPDATE meta SET value = '{found}' WHERE key = 'format'")
    with pytest.raises(NewerSchema) as refused:
        async with opened(data, figures(runs)):
            pass
    assert f"format {found}" in said(refused.value)[0]
    change(data / "metaagent.db", "UPDATE meta SET value = '2' WHERE key = 'format'")
    async with opened(data, figures(runs)) as app:
        assert (await app.state(session_id)).get("final_response") == "figures done"


async def test_session_of_a_newer_version_is_refused_alone(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        newer, other = await app.ask("figures"), await app.ask("figures")
        change(
            data / "metaagent.db",
            f"UPDATE sessions SET schema_version = 99 WHERE session_id = '{newer.session_id}'",
        )
        for attempt in (app.ask("figures", session_id=newer.session_id), app.state(newer.session_id)):
            with pytest.raises(NewerSchema) as refused:
                await attempt
            assert newer.session_id in said(refused.value)[0]
        assert (await app.ask("figures", session_id=other.session_id)).status == "completed"
        assert len(await app.sessions()) == 2


async def assert_all_answered(app: MetaAgent, strings: Sequence[str]) -> None:
    async def ask(text: str) -> str:
        try:
            answer = await app.ask(text)
        except InputRefused as error:
            return said(error)[0]
        assert (await app.turns(answer.session_id))[0].question == text
        return answer.status

    outcomes = await asyncio.gather(*(ask(text) for text in strings))
    empty = {text for text, outcome in zip(strings, outcomes, strict=True) if outcome != "completed"}
    assert empty == {text for text in strings if not text.strip()}


async def test_naughty_strings_are_answered(app: MetaAgent):
    await assert_all_answered(app, naughty_strings())


@pytest.mark.parametrize("text", UNENCODABLE)
async def test_strings_that_are_not_unicode_are_refused(app: MetaAgent, text: str):
    with pytest.raises(InputRefused):
        await app.ask(text)


@pytest.mark.public_data("blns.json")
async def test_public_naughty_strings_are_answered(app: MetaAgent, public: Path):
    await assert_all_answered(app, json.loads(public.read_text(encoding="utf-8")))


CLI = [sys.executable, "-m", "metaagent.cli"]


@pytest.mark.parametrize(("language", "word"), [("C.UTF-8", "valid Unicode"), ("ko_KR.UTF-8", "유니코드")])
def test_bytes_that_are_no_utf8_in_an_argument_are_refused(data: Path, language: str, word: str):
    done = subprocess.run(
        [os.fsencode(part) for part in (*CLI, "ask", "--data-dir", str(data))] + [b"\xff\xfe"],
        capture_output=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "LANG": language},
    )
    assert done.returncode == 2
    assert word in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_line_that_is_not_utf8_is_refused_alone(data: Path):
    done = subprocess.run(
        [*CLI, "ask", "-", "--json", "--data-dir", str(data)],
        input=b"first\n\xff\xfe\n" + "세 번째\n".encode(),
        capture_output=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "METAAGENT_AGENTS__ALLOW": "[]"},
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1, "nobody is there to answer the other two"
    assert len(lines) == 3
    assert "Line 2" in lines[1]["errors"][0]["message"]
    assert (lines[0]["errors"], lines[2]["errors"]) == ([], [])
