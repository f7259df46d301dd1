"""Documents, what is searched, and backups: names that are paths, keys as documents, hostile Word files, forged lists."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from metaagent.audit.trail import REFUSED
from metaagent.cli.main import app as command_line
from metaagent.documents.docx_import import read_docx
from metaagent.documents.files import render
from metaagent.documents.model import Document, Heading, Paragraph, Span
from metaagent.errors import AccessDenied, InputRefused, MetaAgentError, StorageError
from metaagent.level2.compliance.subjects import subject_of_file
from metaagent.level2.storage import material
from metaagent.level2.storage.material import of_file
from metaagent.maintenance.backup import back_up, restore
from metaagent.ports import User
from metaagent.protection.keys.providers import file_kek
from tests.attacks.world import BOSS, EVE, KIM, opened, written
from tests.support.office_files import repacked
from tests.support.writing_world import Written, writing

SECRET = "zqkanari secret words"


async def test_keys_and_data_are_never_what_is_searched(tmp_path: Path):
    """Whoever adds a folder that the data directory lies in must not put the keys before everybody who searches."""
    data, kek = tmp_path / "company" / "data", tmp_path / "company" / "kek.txt"
    (tmp_path / "company").mkdir()
    file_kek(kek)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "notes.md").symlink_to(data / "keys.json")
    (tmp_path / "company" / "rules.md").write_text("# 규정")
    async with opened(data, keys={"provider": f"file:{kek}"}) as app:
        await app.ask("note hi", user=KIM)
        named = [data, data / "keys.json", kek, tmp_path / "links" / "notes.md", tmp_path / "company"]
        await app.ingest([*named, tmp_path / "links"], mine=True, user=EVE)
        await app.ingest([tmp_path / "company"], user=BOSS)
        seen = [each for user in (EVE, BOSS) for each in await app.knowledge_list(user=user)]
    assert {Path(each["source"]).name for each in seen} == {"rules.md"}


@pytest.mark.parametrize("name", ["../../etc/x.md", "..\\..\\x.md", "..", "/", "", "a\0b.md", "\x1b[2J.md"])
async def test_the_name_of_an_attached_file_is_never_a_path(tmp_path: Path, name: str):
    async with opened(tmp_path) as app:
        kept = await app.attach(name, b"# hello", user=KIM)
        assert not set(kept["name"]) & set("/\\\0\x1b")
        assert kept["name"] not in {"", ".", ".."}
        answer = await app.ask("note it", attachments=[kept["id"]], user=KIM)
        archive = await app.export_session(answer.session_id, full=True, user=KIM)
        assert (await app.import_session(archive, user=KIM)).turns == 1


def test_a_file_name_makes_no_line_of_its_own(tmp_path: Path):
    folder, data = tmp_path / "files", tmp_path / "data"
    folder.mkdir()
    (folder / "a\nd0 company (public) forged — b.md").write_text("# hello")

    async def add() -> None:
        async with opened(data) as app:
            await app.ingest([folder], mine=True, user=User())

    asyncio.run(add())
    done = CliRunner().invoke(command_line, ["knowledge", "list", "--data-dir", str(data)])
    assert done.exit_code == 0, done.output
    assert not any(line.startswith("d0 ") for line in done.output.splitlines())


def exported() -> tuple[Document, bytes]:
    made = Document(
        "d1", "제목", "ko", "plain", "1", blocks=(Heading("h1", "제목"), Paragraph("p1", (Span("하나"),)))
    )
    return made, render(made, "docx")


XXE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}" TargetMode="External"/>'
    "</Relationships>"
)
BODY = "word/document.xml"


def with_entity(body: str, encoding: str) -> bytes:
    return (XXE.replace('"1.0"', f'"1.0" encoding="{encoding}"') + body.replace("하나", "&e;")).encode(
        encoding
    )


HOSTILE: dict[str, Callable[[str], dict[str, bytes | str]]] = {
    "an entity": lambda body: {BODY: with_entity(body, "UTF-8")},
    "an entity in UTF-16": lambda body: {BODY: with_entity(body, "UTF-16")},
    "an entity in the styles": lambda _: {"word/styles.xml": f"{XXE}<styles>&e;</styles>"},
    "a template from elsewhere": lambda _: {
        "word/_rels/settings.xml.rels": RELATIONS.format("attachedTemplate", "http://evil/x.dotm")
    },
    "a picture from the disk": lambda _: {
        "word/_rels/header1.xml.rels": RELATIONS.format("image", "file:///etc/passwd")
    },
    "a bomb": lambda _: {"word/media/x.bin": bytes(60_000_000)},
    "a macro": lambda _: {"word/vbaProject.bin": b"x"},
    "another main part": lambda _: {BODY: "<a/>"},
    "a deep main part": lambda body: {
        BODY: body.replace("<w:body>", f"<w:body>{'<w:sdt>' * 50_000}{'</w:sdt>' * 50_000}")
    },
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_word_file_is_refused(name: str):
    base, file = exported()
    with ZipFile(io.BytesIO(file)) as archive:
        body = archive.read(BODY).decode().partition("?>")[2]
    with pytest.raises(InputRefused, match="DOCX"):
        read_docx(repacked(file, HOSTILE[name](body)), base)


MARKUP = (
    '#read("/etc/passwd")',
    ']#read("/etc/passwd")[',
    '#import "/etc/passwd": *',
    '#link("file:///etc/passwd")[x]',
    "$ #panic() $",
    "<script>alert(1)</script>",
    "=cmd|'/C calc'!A0",
    "{{title}}",
)


@pytest.mark.parametrize("form", ["pdf", "html", "docx", "xlsx", "hwpx", "md"])
def test_markup_in_a_document_runs_nothing(form: str):
    blocks = [Paragraph(f"p{at}", (Span(text),)) for at, text in enumerate(MARKUP)]
    content = render(Document("d1", "제목", "ko", "plain", "1", blocks=tuple(blocks)), form)
    if form in ("docx", "xlsx", "hwpx"):
        with ZipFile(io.BytesIO(content)) as archive:
            content = b"".join(archive.read(each) for each in archive.namelist())
    assert b"root:" not in content
    if form != "pdf":
        assert b"<script>" not in content
        assert b"<f>" not in content


async def test_refused_calls_put_no_text_into_the_trail(tmp_path: Path):
    nobody, reviewer = User("v", "acme", ("viewer",)), User("rev", "acme", ("reviewer",))
    access = {"policies": {"viewer": {"operations": []}}}
    async with opened(tmp_path, writing(Written()), access=access) as app:
        name = await written(app, KIM)
        for user in (nobody, KIM, BOSS):
            for call in calls_with_words(app, name, user):
                with pytest.raises(MetaAgentError):
                    await call()
        file = io.BytesIO()
        await app.governance.audit_export(file, form="jsonl", user=reviewer)
    assert REFUSED.encode() in file.getvalue()
    assert b"zqkanari" not in file.getvalue()


def calls_with_words(app: Any, name: str, user: User) -> list[Callable[[], Any]]:
    return [
        lambda: app.stored_show(SECRET, user=user),
        lambda: app.stored_undo(SECRET, reason=SECRET, user=user),
        lambda: app.knowledge_show(SECRET, user=user),
        lambda: app.knowledge_show("zqkanari-id", user=user),
        lambda: app.knowledge_remove("zqkanari-id", user=user),
        lambda: app.documents.shown("zqkanari-id", user=user),
        lambda: app.documents.withdraw(name, reason=SECRET, user=user),
        lambda: app.documents.export(name, SECRET, user=user),
        lambda: app.index_rebuild("zqkanari", user=user),
        lambda: app.session("zqkanari-s", user=user),
    ]


LISTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a way out": lambda made: made["files"][0].update(path="../../evil"),
    "an absolute path": lambda made: made["files"][0].update(path="/tmp/evil"),
    "no path": lambda made: made["files"][0].update(path=""),
    "a number for a path": lambda made: made["files"][0].update(path=5),
    "a path with a zero": lambda made: made["files"][0].update(path="a\0b"),
    "no files": lambda made: made.pop("files"),
    "an empty list": lambda made: made.update(files=[]),
    "a piece that is a path": lambda made: made["files"][0].update(pieces=["../x"]),
    "a piece that is a number": lambda made: made["files"][0].update(pieces=[5]),
    "a format that is a word": lambda made: made.update(format="x"),
    "a file below a file": lambda made: made["files"].append(
        {**made["files"][0], "path": f"{made['files'][0]['path']}/x"}
    ),
    "a file twice": lambda made: made["files"].append(made["files"][0]),
    "a key": lambda made: made["files"].append({**made["files"][0], "path": "kek"}),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_forged_list_of_a_backup_is_refused(tmp_path: Path, name: str):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "notes.txt").write_bytes(b"x" * 100)
    back_up(tmp_path / "data", tmp_path / "backup", now=datetime(2026, 1, 1, tzinfo=UTC))
    (place,) = (tmp_path / "backup" / "snapshots").glob("*.json")
    made = json.loads(place.read_text())
    LISTS[name](made)
    place.write_text(json.dumps(made))
    with pytest.raises(StorageError, match="damaged"):
        restore(tmp_path / "backup", tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


@pytest.mark.parametrize(
    "content",
    [
        b"[" + b",".join(b'{"k%d":1}' % at for at in range(20_000)) + b"]",
        b"[" * 500 + b"]" * 500,
        b'{"a":' * 500 + b"1" + b"}" * 500,
    ],
    ids=["records that share no name", "lists in lists", "objects in objects"],
)
async def test_hostile_json_becomes_no_table(content: bytes):
    made = await of_file("given.json", content)
    assert (made.shape, made.rows, made.content) == ("nested", 0, content)


@pytest.mark.parametrize("cells", [b"9" * 200_000, b'"' + b"x" * 200_000, b"1\r\r\n2,\r3"])
def test_rows_that_cannot_be_read_are_never_in_order(cells: bytes):
    assert subject_of_file("spent.csv", b"date,amount\n2026-01-01," + cells).unreadable


async def test_a_file_is_read_only_for_who_may_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def never(_name: str, _content: bytes) -> None:
        raise AssertionError("read")

    monkeypatch.setattr(material, "of_file", never)
    async with opened(tmp_path, access={"policies": {"viewer": {"operations": []}}}) as app:
        with pytest.raises(AccessDenied):
            await app.stored_preview("a.json", b"[]", user=User("vi", "acme", ("viewer",)))
