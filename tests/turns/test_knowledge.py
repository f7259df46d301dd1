"""Documents and attachments through the whole system: rights, labels, erasure, keys, conversations, the trail."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.audit.store import Where
from metaagent.config import load_settings
from metaagent.errors import AccessDenied, ConfigInvalid, FileRefused, InputRefused
from metaagent.knowledge.terms import terms
from metaagent.plugin import AgentSpec, Context, Task
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from tests.support.agents import Runs, opened, worker
from tests.support.canaries import CANARY, traces
from tests.support.library_world import text_of

KIM, LEE = User("kim", "acme", ("employee",)), User("lee", "acme", ("employee",))
LIBRARIAN = User("lib", "acme", ("librarian",))
OFFICER = User("sec", "acme", ("security_officer",))
QUESTION = "식음료 한도 교통비 비밀"


class Searching:
    """An agent that keeps what it found."""

    def __init__(self, runs: Runs) -> None:
        self.found: set[str] = set()
        self.inputs: list[Any] = []
        self._runs = runs

    @property
    def spec(self) -> AgentSpec:
        async def search(task: Task, ctx: Context) -> None:
            hits = [*await ctx.library.lexical(terms(QUESTION)), *await ctx.library.nearest(QUESTION)]
            chunks = await ctx.library.chunks([hit.id for hit in hits])
            self.found = {chunk["title"] for chunk in chunks}
            self.inputs = list(task.inputs)

        spec = worker(self._runs, "searching", before=search)
        return replace(spec, needs=spec.needs | {"library"})

    async def finds(self, app: MetaAgent, user: User, **options: Any) -> set[str]:
        answer = await app.ask("searching", user=user, **options)
        assert answer.text == "searching done", answer.content["errors"]
        return self.found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "meals.md").write_text(text_of("식음료 규정", "식음료 한도는 10만 원입니다."))
    (made / "travel.md").write_text(text_of("여비 규정", "교통비는 실비입니다."))
    return made


async def test_only_who_may_publish_adds_documents_for_the_company(data: Path, runs: Runs, folder: Path):
    searching = Searching(runs)
    async with opened(data, searching.spec) as app:
        with pytest.raises(AccessDenied):
            await app.ingest([folder], user=KIM)
        done = await app.ingest([folder], user=LIBRARIAN)
        assert len(done["report"].added) == 2
        assert await searching.finds(app, KIM) == {"식음료 규정", "여비 규정"}
        assert await searching.finds(app, User("kim", "other", ("employee",))) == set()
        (document, *_) = await app.knowledge_list(user=KIM)
        with pytest.raises(AccessDenied):
            await app.knowledge_remove(document["id"], user=KIM)
        await app.knowledge_remove(document["id"], user=LIBRARIAN)
        assert await searching.finds(app, KIM) == {"여비 규정"}
        reviewer = User("rev", "acme", ("reviewer",))
        events = [
            each["event"] for each in await app.governance.audit_list(Where(), limit=100, user=reviewer)
        ]
        assert {"knowledge.ingested", "knowledge.removed"} <= set(events)


async def test_documents_of_a_label_are_seen_by_roles_that_have_it(
    data: Path, runs: Runs, folder: Path, tmp_path: Path
):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "board.md").write_text(text_of("이사회 의사록", "비밀 한도는 5억 원입니다."))
    director = User("dir", "acme", ("employee", "director"))
    policies = {"director": {"collections": ["confidential"]}, "clerk": {"collections": ["name:board"]}}
    searching = Searching(runs)
    async with opened(data, searching.spec, access={"policies": policies}) as app:
        await app.ingest([folder], collection="policies", label="public", user=LIBRARIAN)
        await app.ingest([secret], collection="board", label="confidential", user=LIBRARIAN)
        assert await searching.finds(app, KIM) == {"식음료 규정", "여비 규정"}
        assert await searching.finds(app, director) == {"식음료 규정", "여비 규정", "이사회 의사록"}
        clerk = User("clerk", "acme", ("employee", "clerk"))
        assert "이사회 의사록" in await searching.finds(app, clerk)
        (hidden,) = await app.knowledge_list("board", user=director)
        for look in (app.knowledge_show, app.knowledge_places):
            with pytest.raises(InputRefused):
                await look(hidden["id"], user=KIM)
        assert [each["name"] for each in await app.index_status(user=KIM)] == ["policies"]


async def test_who_cannot_see_a_label_cannot_add_to_it(data: Path, folder: Path):
    policies = {"editor": {"operations": ["knowledge.publish"], "collections": ["public"]}}
    editor = User("ed", "acme", ("editor",))
    async with opened(data, access={"policies": policies}) as app:
        await app.ingest([folder], collection="board", label="confidential", user=LIBRARIAN)
        with pytest.raises(InputRefused, match="confidential"):
            await app.ingest([folder], collection="board", user=editor)
        with pytest.raises(InputRefused, match="internal"):
            await app.ingest([folder], collection="fresh", user=editor)
        assert [each["name"] for each in await app.index_status(user=LIBRARIAN)] == ["board"]


async def test_an_attached_file_is_searched_in_its_conversation_alone(data: Path, runs: Runs):
    searching = Searching(runs)
    async with opened(data, searching.spec) as app:
        file = await app.attach(
            "../limits\n.md", text_of("식음료 규정", "식음료 한도는 10만 원입니다.").encode(), user=KIM
        )
        assert (file["name"], file["media_type"], file["title"]) == (
            "limits .md",
            "text/markdown",
            "식음료 규정",
        )
        with pytest.raises(InputRefused):
            await app.ask("searching", attachments=[file], user=LEE)
        answer = await app.ask("searching", attachments=[file], user=KIM)
        session = answer.session_id
        assert searching.found == {"식음료 규정"}
        assert await searching.finds(app, KIM, session_id=session) == {"식음료 규정"}
        assert await searching.finds(app, KIM) == set()
        assert await searching.finds(app, LEE) == set()
        (turn,) = [each for each in await app.turns(session, user=KIM) if each.number == 1]
        (attached,) = turn.attached
        content = await app.artifact(session, attached, user=KIM)
        assert content.decode().startswith("# 식음료 규정")
        with pytest.raises(InputRefused):
            await app.ask("searching", attachments=[file], user=KIM)  # it is the conversation's now
        await app.delete_session(session, user=KIM)
        assert await app.knowledge_list(user=KIM) == []


async def test_files_that_nobody_asked_about_are_removed(data: Path, runs: Runs):
    async with opened(data, Searching(runs).spec) as app:
        old = await app.attach("old.md", b"# Old\n\ntext", user=KIM)
        (kept,) = data.rglob(old["id"])
        days = app.settings.retention.attachment_days + 1
        then = kept.stat().st_mtime - days * 86_400
        os.utime(kept, times=(then, then))
        new = await app.attach("new.md", b"# New\n\ntext", user=KIM)
        assert [each.name for each in data.rglob("at*") if each.name in (old["id"], new["id"])] == [new["id"]]
        with pytest.raises(InputRefused):
            await app.ask("searching", attachments=[old], user=KIM)


async def test_a_langchain_loader_reads_a_kind_of_file(data: Path, runs: Runs):
    searching = Searching(runs)
    loaders = {".note": "langchain_community.document_loaders:TextLoader", ".gone": "no_such_module:Loader"}
    async with opened(data, searching.spec, retrieval={"loaders": loaders}) as app:
        file = await app.attach(
            "한도.note", text_of("식음료", "식음료 한도는 3만 원입니다.").encode(), user=KIM
        )
        assert "한도" in await searching.finds(app, KIM, attachments=[file])
        with pytest.raises(FileRefused, match="no_such_module"):
            await app.attach("a.gone", b"text", user=KIM)


@pytest.mark.parametrize("loaders", [{"note": "a:B"}, {".note": "a.B"}, {".note": "a:B;c"}])
def test_a_loader_is_named_by_module_and_class(loaders: dict[str, str]):
    with pytest.raises(ConfigInvalid):
        load_settings(env={}, overrides={"retrieval": {"loaders": loaders}})


async def test_an_agent_is_given_the_attached_file(data: Path, runs: Runs):
    async def look(task: Task, _ctx: Context) -> None:
        (ref,) = task.inputs
        assert (ref.kind, ref.name, ref.media_type) == ("file", "a.md", "text/markdown")

    async def read(task: Task, ctx: Context) -> Any:
        await look(task, ctx)
        content = await ctx.artifacts.read(task.inputs[0])
        assert content == b"# A\n\ntext"
        return await plain.run(replace(task, inputs=()), ctx)

    plain = worker(runs, "reading", takes=("file",))
    async with opened(data, replace(plain, run=read)) as app:
        file = await app.attach("a.md", b"# A\n\ntext", user=KIM)
        answer = await app.ask("reading", attachments=[file["id"]], user=KIM)
        assert answer.text == "reading done", answer.content["errors"]


async def test_erasure_leaves_the_companys_documents_and_counts_both(data: Path, runs: Runs, folder: Path):
    searching = Searching(runs)
    author = User("kim", "acme", ("employee", "librarian"))
    async with opened(data, searching.spec) as app:
        await app.ingest([folder / "meals.md"], user=author)
        await app.ingest([folder / "travel.md"], mine=True, collection="notes", user=author)
        file = await app.attach("secret.md", text_of("비밀 글", f"비밀 {CANARY}").encode(), user=author)
        await app.ask("searching", attachments=[file], user=author)
        assert searching.found == {"식음료 규정", "여비 규정", "비밀 글"}
        waiting = await app.attach("later.md", f"# later {CANARY}".encode(), user=author)
        receipt = (await app.governance.erase("kim", user=OFFICER))["receipt"]["stores"]
        assert (receipt["documents"], receipt["authored"], receipt["files"]) == (2, 1, 1)
        assert await searching.finds(app, LEE) == {"식음료 규정"}
        (kept,) = await app.knowledge_list(user=LIBRARIAN)
        assert kept["title"] == "식음료 규정"
        assert (await app.index_verify(user=LIBRARIAN))["holds"]
        assert waiting["id"] not in {path.name for path in (data / "files").rglob("*")}
    assert traces(data) == []


async def test_nothing_of_a_document_is_readable_on_disk(data: Path, runs: Runs, tmp_path: Path):
    folder = tmp_path / f"{CANARY}-folder"
    folder.mkdir()
    (folder / f"{CANARY}.md").write_text(
        f"---\ntitle: {CANARY} title\naliases: [{CANARY}alias]\n---\n# {CANARY} heading\n\n{CANARY} text {CANARY}\n\n"
        f"| {CANARY} | b |\n|---|---|\n| {CANARY} | 2 |\n"
    )
    searching = Searching(runs)
    async with opened(data, searching.spec) as app:
        name = f"{CANARY}-collection"
        await app.ingest([folder], collection=name, label=f"{CANARY}-label", user=LIBRARIAN)
        await app.ingest([folder], collection=name, mine=True, user=KIM)
        file = await app.attach(f"{CANARY}.md", f"# {CANARY} attached".encode(), user=KIM)
        await app.attach(f"{CANARY}.md", f"# {CANARY} waiting".encode(), user=KIM)
        await searching.finds(app, KIM, attachments=[file])
        await app.index_rebuild(user=LIBRARIAN)
        (document, *_) = await app.knowledge_list(user=LIBRARIAN)
        assert traces(data) == []
        await app.knowledge_remove(document["id"], user=LIBRARIAN)
    assert traces(data) == []


async def test_documents_go_under_the_newest_key(data: Path, runs: Runs, folder: Path):
    searching = Searching(runs)
    officer = User("sec", "acme", ("security_officer",))
    async with opened(data, searching.spec) as app:
        await app.ingest([folder / "meals.md"], user=LIBRARIAN)
        await app.ingest([folder / "travel.md"], mine=True, collection="notes", user=KIM)
        await app.governance.keys_rotate(user=officer)
        done = await app.governance.keys_rewrap(user=officer)
        parts = {part for part in done["rows"] if part.startswith("library")}
        assert parts == {
            f"library {table}" for table in ("collections", "documents", "texts", "chunks", "vectors")
        }
        assert done["refused"] == []
        assert len(done["retired"]) >= 2
        assert await searching.finds(app, KIM) == {"식음료 규정", "여비 규정"}
        await app.ingest([folder], user=LIBRARIAN)
    async with opened(data, searching.spec) as app:
        assert await searching.finds(app, KIM) == {"식음료 규정", "여비 규정"}
        assert (await app.index_verify(user=LIBRARIAN))["holds"]


async def test_a_turn_without_a_search_opens_no_library(data: Path, runs: Runs):
    async with opened(data, worker(runs, "plain")) as app:
        assert (await app.ask("plain", user=KIM)).text == "plain done"
        assert "library" not in vars(app._parts.ports)  # pyright: ignore[reportPrivateUsage]
    assert not (data / "library.db").exists()


async def test_a_colleagues_agent_neither_reads_nor_removes_files(data: Path, runs: Runs):
    seen: dict[str, Any] = {}

    async def keep(_task: Task, ctx: Context) -> None:
        mine = ctx.user.user_id
        if mine == "lee":
            with pytest.raises(Exception, match="there is no file"):
                await ctx.files.read("notes")
            await ctx.files.remove("notes")
            await ctx.files.write("notes", b"lee's")
            assert await ctx.vectors.ids() == []
            await ctx.vectors.remove(["n1"])
        elif "kim" not in seen:
            await ctx.files.write("notes", b"kim's")
            await ctx.vectors.add({"n1": "note of kim"})
        else:
            assert await ctx.files.read("notes") == b"kim's"
            assert [each.text for each in await ctx.vectors.get(["n1"])] == ["note of kim"]
        seen[mine] = True

    spec = worker(runs, "keeping", before=keep)
    spec = replace(spec, needs=spec.needs | {"files", "vectors"})
    async with opened(data, spec) as app:
        for user in (KIM, LEE, KIM):
            answer = await app.ask("keeping", user=user)
            assert answer.text == "keeping done", answer.content["errors"]


async def test_documents_under_a_legal_hold_are_not_removed(data: Path, folder: Path):
    async with opened(data) as app:
        await app.ingest([folder], user=LIBRARIAN)
        await app.ingest([folder], mine=True, collection="notes", user=KIM)
        (own, *_) = await app.knowledge_list("notes", user=KIM)
        (shared, *_) = await app.knowledge_list("documents", user=LIBRARIAN)
        await app.governance.hold_place("h1", reason="r", person="kim", user=OFFICER)
        with pytest.raises(AccessDenied):
            await app.knowledge_remove(own["id"], user=KIM)
        (folder / "meals.md").unlink()
        with pytest.raises(AccessDenied):
            await app.ingest([folder], mine=True, collection="notes", user=KIM)
        await app.knowledge_remove(shared["id"], user=LIBRARIAN)
        await app.governance.hold_place("h2", reason="r", user=OFFICER)
        (shared,) = await app.knowledge_list("documents", user=LIBRARIAN)
        with pytest.raises(AccessDenied):
            await app.knowledge_remove(shared["id"], user=LIBRARIAN)
