"""Documents on record: versions that nothing overwrites, who may do what to them, and what erasure and new keys do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from docx import Document as Docx
from typer.testing import CliRunner

from metaagent.cli.main import app as command_line
from metaagent.errors import AccessDenied, DocumentRefused, InputRefused, KeyUnavailable, UnknownSession
from metaagent.level2.compliance.agent import compliance_validation
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions.documents import CALLS
from tests.support.execution_world import opened
from tests.support.writing_world import Written, writing

ANN = User("ann", "acme", ("employee",))
BOB = User("bob", "acme", ("employee",))
BOSS = User("boss", "acme", ("approver",))
CHO = User("cho", "acme", ("compliance_officer",))
EVE = User("eve", "evil", ("owner",))
CANARY = "카나리아-9731"
GOLF = "지난주 골프 접대를 제공했다."


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[MetaAgent]:
    async with opened(tmp_path, writing(Written(), texts=("하나", CANARY))) as app:
        yield app


async def written(app: MetaAgent, *changes: str, user: User = ANN) -> str:
    """The document that a conversation leaves."""
    answer = await app.ask("방문 보고서 작성해줘", user=user)
    for change in changes:
        answer = await app.ask(change, session_id=answer.session_id, user=user)
    assert answer.status == "completed", answer.content
    return answer.content["artifacts"][0]["group"]["document_id"]


# --- versions --------------------------------------------------------------------------------------------


async def test_each_version_says_who_made_it_when_and_of_what(app: MetaAgent):
    name = await written(app, "2번 항목을 더 짧게")
    shown = await app.documents.shown(name, user=ANN)
    first, second = shown["versions"]
    assert (first["version"], first["based_on"], first["author"]) == (1, 0, "ann")
    assert (second["version"], second["based_on"], second["status"]) == (2, 1, "draft")
    assert second["note"] == "2번 항목을 더 짧게"
    assert second["created_at"] >= first["created_at"]
    assert second["plan_version"] == 1
    assert (second["template_id"], second["template_version"]) == ("plain", "1")
    assert len(second["hash"]) == 64
    assert set(second["forms"]) == {"json", "pdf", "docx"}
    assert set(second["artifacts_used"]) == set(first["forms"].values())


async def test_the_difference_is_the_one_paragraph(app: MetaAgent):
    name = await written(app, "2번 항목을 더 짧게")
    (change,) = await app.documents.diff(name, 1, 2, user=ANN)
    assert (change.block, change.before, change.after) == ("p2", CANARY, "changed: 2번 항목을 더 짧게")


async def test_restoring_adds_a_version_and_keeps_the_others(app: MetaAgent):
    name = await written(app, "2번 항목을 더 짧게")
    made = await app.documents.restore(name, 1, user=ANN)
    assert (made["version"], made["based_on"]) == (3, 1)
    assert await app.documents.diff(name, 1, 3, user=ANN) == []
    assert [each["version"] for each in (await app.documents.shown(name, user=ANN))["versions"]] == [1, 2, 3]


async def test_a_restored_version_is_the_one_that_is_changed_next(app: MetaAgent):
    name = await written(app, "2번 항목을 더 짧게")
    session = (await app.documents.shown(name, user=ANN))["session_id"]
    await app.documents.restore(name, 1, user=ANN)
    answer = await app.ask("제목을 바꿔줘", session_id=session, user=ANN)
    assert answer.status == "completed", answer.content
    newest = (await app.documents.shown(name, user=ANN))["versions"][-1]
    assert (newest["version"], newest["based_on"]) == (4, 3)


async def edited(app: MetaAgent, name: str, tmp_path: Path, old: str, new: str) -> bytes:
    """The exported DOCX with one paragraph changed, as a person does it."""
    path = tmp_path / "edited.docx"
    path.write_bytes(await app.documents.export(name, "docx", user=ANN))
    file = Docx(str(path))
    for paragraph in file.paragraphs:
        if paragraph.text == old:
            for run in paragraph.runs[1:]:
                run.text = ""
            paragraph.runs[0].text = new
    file.save(str(path))
    return path.read_bytes()


async def test_an_edited_file_comes_back_as_a_version(app: MetaAgent, tmp_path: Path):
    name = await written(app)
    content = await edited(app, name, tmp_path, "하나", "하나 더")
    made = await app.documents.import_edited(name, content, user=ANN)
    assert (made["version"], made["based_on"]) == (2, 1)
    assert [(each["block"], each["after"]) for each in made["changes"]] == [("p1", "하나 더")]
    again = await app.documents.import_edited(name, content, base=2, user=ANN)
    assert (again["version"], again["changes"]) == (2, [])


async def test_a_second_edit_of_one_version_is_its_own_and_says_so(app: MetaAgent, tmp_path: Path):
    name = await written(app)
    one = await edited(app, name, tmp_path, "하나", "첫째")
    other = await edited(app, name, tmp_path, "하나", "둘째")
    done = await asyncio.gather(
        *(app.documents.import_edited(name, each, base=1, user=ANN) for each in (one, other))
    )
    assert sorted(each["version"] for each in done) == [2, 3]
    late = max(done, key=lambda each: each["version"])
    assert [each["version"] for each in late["meanwhile"]] == [2]
    assert late["based_on"] == 1


async def test_an_unreadable_file_is_refused_and_changes_nothing(app: MetaAgent):
    name = await written(app)
    for content in (b"", b"PK\x03\x04 broken", b"x" * 1000):
        with pytest.raises(InputRefused):
            await app.documents.import_edited(name, content, user=ANN)
    assert len((await app.documents.shown(name, user=ANN))["versions"]) == 1


@pytest.mark.parametrize("form", ["docx", "md", "html", "json"])
async def test_a_version_is_exported_from_its_model(app: MetaAgent, form: str):
    name = await written(app)
    content = await app.documents.export(name, form, user=ANN)
    file = await app.documents.file(name, form, user=ANN)
    assert file.name == f"{name}.{form}"
    assert [piece async for piece in file.read(0, 9)] == [content[:9]]
    events = [e["event"] for e in await app.governance.audit_list(user=User("rev", "acme", ("reviewer",)))]
    assert "document.exported" in events


# --- who may do what -------------------------------------------------------------------------------------


def calls(app: MetaAgent, name: str, user: User) -> dict[str, Any]:
    documents = app.documents
    return {
        "listed": lambda: documents.listed(user=user),
        "shown": lambda: documents.shown(name, user=user),
        "diff": lambda: documents.diff(name, 1, 1, user=user),
        "export": lambda: documents.export(name, "json", user=user),
        "file": lambda: documents.file(name, "json", user=user),
        "comment": lambda: documents.comment(name, "?", user=user),
        "restore": lambda: documents.restore(name, 1, user=user),
        "import_edited": lambda: documents.import_edited(name, b"", user=user),
        "approve": lambda: documents.approve(name, user=user),
        "release": lambda: documents.release(name, user=user),
        "withdraw": lambda: documents.withdraw(name, reason="r", user=user),
    }


async def test_every_call_on_documents_needs_a_right(app: MetaAgent):
    name = await written(app)
    nobody = User("ann", "acme", ("visitor",))
    assert calls(app, name, nobody).keys() == CALLS.keys()
    for call in calls(app, name, nobody).values():
        with pytest.raises(AccessDenied):
            await call()


@pytest.mark.parametrize("stranger", [BOB, EVE])
async def test_others_documents_look_unknown(app: MetaAgent, stranger: User):
    name = await written(app)
    assert await app.documents.listed(user=stranger) == []
    for call, run in calls(app, name, stranger).items():
        if call != "listed":
            with pytest.raises((DocumentRefused, AccessDenied)) as refused:
                await run()
            assert "하나" not in str(refused.value)
    with pytest.raises(DocumentRefused, match="no document"):
        await app.documents.shown(name, user=stranger)


async def test_a_colleague_with_the_role_reads_and_approves(app: MetaAgent):
    name = await written(app)
    assert [each["document_id"] for each in await app.documents.listed(user=BOSS)] == [name]
    assert (await app.documents.approve(name, user=BOSS))["status"] == "approved"
    with pytest.raises(AccessDenied):
        await app.documents.restore(name, 1, user=BOSS)
    with pytest.raises(AccessDenied):
        await app.documents.approve(name, user=ANN)


async def test_who_wrote_does_not_approve_where_policy_says_so(tmp_path: Path):
    owner = User("boss", "acme", ("owner",))
    for own, folder in ((True, "a"), (False, "b")):
        rules = {"approve_own": own}
        async with opened(tmp_path / folder, writing(Written()), documents=rules) as app:
            name = await written(app, user=owner)
            if own:
                assert (await app.documents.approve(name, user=owner))["status"] == "approved"
                continue
            with pytest.raises(DocumentRefused, match="somebody else"):
                await app.documents.approve(name, user=owner)
            assert (await app.documents.approve(name, user=BOSS2))["status"] == "approved"


BOSS2 = User("boss2", "acme", ("approver",))


async def test_a_version_is_approved_once(app: MetaAgent):
    name = await written(app)
    await app.documents.approve(name, user=BOSS)
    with pytest.raises(DocumentRefused, match="approved"):
        await app.documents.approve(name, user=BOSS2)


# --- review and release ----------------------------------------------------------------------------------


async def test_a_comment_is_tied_to_its_paragraph(app: MetaAgent):
    name = await written(app)
    await app.documents.comment(name, "더 자세히", block="p1", user=BOSS)
    shown = await app.documents.shown(name, user=ANN)
    assert shown["status"] == "in_review"
    (note,) = [each for each in shown["notes"] if each["kind"] == "comment"]
    assert (note["author"], note["text"], note["block"], note["version"]) == ("boss", "더 자세히", "p1", 1)
    with pytest.raises(DocumentRefused, match="no part"):
        await app.documents.comment(name, "?", block="p99", user=BOSS)
    for bad in ("", "   ", "x" * 20_000):
        with pytest.raises(InputRefused):
            await app.documents.comment(name, bad, user=BOSS)


async def test_without_a_check_release_needs_another_persons_approval(app: MetaAgent):
    name = await written(app)
    with pytest.raises(DocumentRefused, match="somebody else"):
        await app.documents.release(name, user=BOSS)
    await app.documents.approve(name, user=BOSS)
    assert (await app.documents.release(name, user=BOSS))["status"] == "released"
    with pytest.raises(DocumentRefused, match="released"):
        await app.documents.release(name, user=BOSS)
    assert (await app.documents.withdraw(name, reason="wrong", user=BOSS))["status"] == "withdrawn"


async def test_own_approval_does_not_release_what_nobody_judged(tmp_path: Path):
    owner = User("boss", "acme", ("owner",))
    async with opened(tmp_path, writing(Written())) as app:
        name = await written(app, user=owner)
        await app.documents.approve(name, user=owner)
        with pytest.raises(DocumentRefused, match="somebody else"):
            await app.documents.release(name, user=owner)


async def test_release_is_held_back_by_the_rules_and_says_where(tmp_path: Path):
    agents = (writing(Written(), texts=("하나", GOLF)), compliance_validation)
    async with opened(tmp_path, *agents) as app:
        name = await written(app)
        await app.documents.release(name, user=BOSS)
        held = await app.documents.release(name, user=BOSS)
        assert held["status"] == "draft"
        assert {each["block"] for each in held["blocked"]} == {"p2"}
        shown = await app.documents.shown(name, user=ANN)
        findings = [each for each in shown["notes"] if each["kind"] == "finding"]
        assert len(findings) == len(held["blocked"])
        assert findings[0]["author"] == "compliance_validation"
        with_reason = await app.documents.release(name, reason="agreed", user=BOSS)
        assert with_reason["blocked"], "an approver is no officer"
        assert (await app.documents.release(name, reason="agreed", user=CHO))["status"] == "released"


async def test_release_of_a_clean_version_needs_no_officer(tmp_path: Path):
    async with opened(tmp_path, writing(Written()), compliance_validation) as app:
        name = await written(app)
        assert (await app.documents.release(name, user=BOSS))["status"] == "released"
    rules = {"approve_first": True}
    async with opened(tmp_path, writing(Written()), compliance_validation, documents=rules) as app:
        name = await written(app)
        with pytest.raises(DocumentRefused, match="approved"):
            await app.documents.release(name, user=BOSS)


# --- at rest ---------------------------------------------------------------------------------------------


async def test_an_erased_persons_documents_are_gone(app: MetaAgent):
    name = await written(app)
    await app.documents.comment(name, "보았음", user=BOSS)
    receipt = await app.governance.erase("ann", user=User("sec", "acme", ("security_officer",)))
    assert receipt["receipt"]["stores"]["written_documents"] == 3
    assert await app.documents.listed(user=BOSS) == []
    with pytest.raises(DocumentRefused):
        await app.documents.shown(name, user=BOSS)


async def test_a_change_of_an_erased_document_makes_nothing(app: MetaAgent):
    name = await written(app)
    session_id = (await app.documents.shown(name, user=ANN))["session_id"]
    await app.delete_session(session_id, user=ANN)
    with pytest.raises(UnknownSession):
        await app.ask("2번 항목을 더 짧게", session_id=session_id, user=ANN)
    asked = await app.ask("그 보고서 2번 항목을 더 짧게", user=ANN)
    assert asked.question is not None
    assert (asked.status, asked.question["field"]) == ("waiting", "reference"), "it asks which is meant"
    with pytest.raises(DocumentRefused):
        await app.documents.restore(name, 1, user=ANN)
    assert await app.documents.listed(user=ANN) == []
    await app.governance.erase("ann", user=User("sec", "acme", ("security_officer",)))
    with pytest.raises(KeyUnavailable, match="destroyed"):
        await app.ask("그 보고서를 영어로", session_id=asked.session_id, user=ANN)


async def test_new_keys_take_documents_along_and_nothing_is_in_clear(app: MetaAgent, tmp_path: Path):
    name = await written(app)
    await app.documents.comment(name, CANARY, user=BOSS)
    officer = User("sec", "acme", ("security_officer",))
    await app.governance.keys_rotate(user=officer)
    done = await app.governance.keys_rewrap(keep_old=True, user=officer)
    assert (done["rows"]["written documents"], done["rows"]["document notes"]) == (1, 2)
    notes = (await app.documents.shown(name, user=ANN))["notes"]
    assert [each["text"] for each in notes if each["kind"] == "comment"] == [CANARY]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path


async def test_a_deleted_session_takes_drafts_along_not_approved_ones(app: MetaAgent):
    draft, kept = await written(app), await written(app)
    await app.documents.approve(kept, user=BOSS)
    for name in (draft, kept):
        session = (await app.documents.shown(name, user=ANN))["session_id"]
        await app.delete_session(session, user=ANN)
    assert [each["document_id"] for each in await app.documents.listed(user=ANN)] == [kept]
    assert await app.documents.export(kept, "md", user=ANN)


# --- the command line ------------------------------------------------------------------------------------


def test_the_command_line_shows_compares_and_approves(tmp_path: Path):
    async def make() -> str:
        async with opened(tmp_path, writing(Written())) as app:
            return await written(app, "2번 항목을 더 짧게", user=User())

    name = asyncio.run(make())

    def said(*words: str) -> tuple[int, str]:
        given = ["documents", *words, "--data-dir", str(tmp_path)]
        result = CliRunner().invoke(command_line, given)
        return result.exit_code, result.output

    assert name in said("list")[1]
    code, out = said("show", name)
    assert (code, "[p2]" in out) == (0, True)
    code, out = said("diff", name, "1", "2")
    assert (code, len(out.strip().splitlines())) == (0, 1)
    assert said("comment", name, "좋음", "--block", "p1")[0] == 0
    path = tmp_path / "out.docx"
    assert said("export", name, "-o", str(path))[0] == 0
    assert path.read_bytes()[:2] == b"PK"
    assert said("restore", name, "1")[0] == 0
    assert said("approve", name)[0] == 0
    assert said("show", "doc-none")[0] == 1
