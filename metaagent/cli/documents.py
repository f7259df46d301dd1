"""`metaagent documents`: versions of documents, what was said on them, and the way to their release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from metaagent.cli.door import BLOCKED, Door, Reply, write_file
from metaagent.cli.options import Output, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text, os_problem

_NOTHING = Text(en="There are no documents yet.", ko="아직 문서가 없습니다.")
_SAME = Text(en="No differences.", ko="다른 점이 없습니다.")
_LINE = Text(en="{id} v{version} {status} {title}", ko="{id} {version}판 {status} {title}")
_FACTS = Text(
    en="  version {version}: {status}, {author}, {at}, from version {based_on}: {note}",
    ko="  {version}판: {status}, {author}, {at}, {based_on}판에서: {note}",
)
_ADDED = Text(en="{id}: version {version} ({title}).", ko="{id}: {version}판을 만들었습니다({title}).")
_MEANWHILE = Text(
    en="Version {version} was made by {author} meanwhile: this one does not hold its changes. Compare them: "
    "metaagent documents diff {id} {version} {new}",
    ko="그사이 {author} 님이 {version}판을 만들었습니다. 이 판에는 그 변경이 없습니다. 비교: "
    "metaagent documents diff {id} {version} {new}",
)
_COMMENTED = Text(en="Noted on version {version}.", ko="{version}판에 적었습니다.")
_CHANGED = Text(en="{id}: version {version} is {status}.", ko="{id}: {version}판은 이제 {status} 상태입니다.")
_HELD_BACK = Text(
    en="Version {version} is not released: the rules speak against it. A compliance officer who did not write it can release "
    "it with --reason.",
    ko="{version}판을 배포하지 않았습니다. 규정에 걸립니다. 작성자가 아닌 준법 담당자가 --reason을 적어 배포할 수 있습니다.",
)
_NO_FILE = Text(en="{path} cannot be read: {problem}.", ko="{path}을(를) 읽을 수 없습니다: {problem}.")
_WRITTEN = Text(en="{path} written.", ko="{path}에 썼습니다.")
_STATUS = {
    "draft": Text(en="draft", ko="초안"),
    "in_review": Text(en="in review", ko="검토 중"),
    "approved": Text(en="approved", ko="승인됨"),
    "released": Text(en="released", ko="배포됨"),
    "withdrawn": Text(en="withdrawn", ko="회수됨"),
}
ENDINGS = {"pdf", "docx", "hwpx", "xlsx", "md", "html", "json"}

Id = Annotated[str, typer.Argument(help="The document.", metavar="DOCUMENT")]
Version = Annotated[
    int | None, typer.Option("--version", help="Which version; the newest if empty.", show_default=False)
]
documents_app = typer.Typer(
    no_args_is_help=True, help="See, compare, discuss, approve and release documents."
)


@command(documents_app, "list")
async def list_(door: Door) -> Reply:
    """List the documents, the oldest first, each with its newest version."""
    async with door.open() as app:
        found = await app.documents.listed(user=door.user)
    return Reply(found, [_line(each) for each in found] or [_NOTHING.say(ui_language())])


@command(documents_app, "show")
async def show(door: Door, document: Id, version: Version = None) -> Reply:
    """Show a version with its parts, all versions, and what was said on them."""
    from metaagent.documents.model import Document, block_lines
    from metaagent.values import local_minute

    language = ui_language()
    async with door.open() as app:
        found = await app.documents.shown(document, version, user=door.user)
    model = Document.from_json(found["document"])
    parts = [f"  [{block.id}] {' | '.join(block_lines(block))}"[:400] for block in model.blocks]
    history = [
        _FACTS.say(
            language,
            at=local_minute(each["created_at"], door.settings.zone),
            **{**each, "status": _status(each)},
        )
        for each in found["versions"]
    ]
    notes = [_note(each) for each in found["notes"] if each["kind"] != "status"]
    return Reply(found, [_line(found), *parts, *history, *notes])


@command(documents_app, "diff")
async def diff(
    door: Door,
    document: Id,
    before: Annotated[int, typer.Argument(help="The earlier version.", metavar="A")],
    after: Annotated[int, typer.Argument(help="The later version.", metavar="B")],
) -> Reply:
    """Show the differences between two versions, by paragraph and cell."""
    language = ui_language()
    async with door.open() as app:
        found = await app.documents.diff(document, before, after, user=door.user)
    lines = [change.say(language) for change in found] or [_SAME.say(language)]
    return Reply([change.as_json() for change in found], lines)


@command(documents_app, "restore")
async def restore(
    door: Door,
    document: Id,
    version: Annotated[int, typer.Argument(help="The version to go back to.", metavar="VERSION")],
) -> Reply:
    """Make an old version the newest; those in between stay."""
    async with door.open() as app:
        made = await app.documents.restore(document, version, user=door.user)
    return Reply(made, _added(made))


@command(documents_app, "import")
async def import_(
    door: Door,
    document: Id,
    file: Annotated[Path, typer.Argument(help="The edited DOCX.")],
    base: Annotated[
        int | None,
        typer.Option(
            "--base", help="The version that was exported; the newest if empty.", show_default=False
        ),
    ] = None,
) -> Reply:
    """Bring an edited DOCX back as a new version, and show what was changed."""
    from metaagent.documents.diff import Change

    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputRefused(_NO_FILE, path=file, problem=os_problem(error)) from error
    async with door.open() as app:
        made = await app.documents.import_edited(document, content, base, user=door.user)
    if not made["changes"]:
        return Reply(made, [_SAME.say(ui_language())])
    changes = [f"  {Change(**each).say(ui_language())}" for each in made["changes"]]
    return Reply(made, [*_added(made), *changes])


@command(documents_app, "export")
async def export(
    door: Door,
    document: Id,
    output: Output = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="pdf, docx, hwpx, xlsx, md, html or json; else by the file's ending."),
    ] = None,
    version: Version = None,
) -> Reply:
    """Write a version as a file."""
    ending = output.suffix.lstrip(".").lower() if output is not None else ""
    wanted = form or (ending if ending in ENDINGS else "pdf")
    path = output or Path(f"{document}.{wanted}")
    async with door.open() as app:
        content = await app.documents.export(document, wanted, version, user=door.user)
    write_file(path, content)
    told = {"document_id": document, "path": str(path), "size": len(content)}
    return Reply(told, [_WRITTEN.say(ui_language(), path=path)])


@command(documents_app, "comment")
async def comment(
    door: Door,
    document: Id,
    text: Annotated[str, typer.Argument(help="What to say.")],
    block: Annotated[
        str, typer.Option("--block", help="The part that it is about, as `show` names it.")
    ] = "",
    version: Version = None,
) -> Reply:
    """Say something on a version, or on one part of it."""
    async with door.open() as app:
        made = await app.documents.comment(document, text, version, block, user=door.user)
    return Reply(made, [_COMMENTED.say(ui_language(), version=made["version"])])


@command(documents_app, "approve")
async def approve(door: Door, document: Id, version: Version = None) -> Reply:
    """Approve a version."""
    async with door.open() as app:
        done = await app.documents.approve(document, version, user=door.user)
    return Reply(done, [_now(done)])


@command(documents_app, "release")
async def release(
    door: Door,
    document: Id,
    version: Version = None,
    reason: Annotated[
        str, typer.Option("--reason", help="Why it may pass all the same; it is on record.")
    ] = "",
) -> Reply:
    """Release a version that the rules let through; exits with 5 where they do not."""
    language = ui_language()
    async with door.open() as app:
        done = await app.documents.release(
            document, version, reason=reason, language=language, user=door.user
        )
    if done["blocked"]:
        said = _HELD_BACK.say(language, version=done["version"])
        return Reply(done, [said, *(_note({**each, "kind": "finding"}) for each in done["blocked"])], BLOCKED)
    return Reply(done, [_now(done)])


@command(documents_app, "withdraw")
async def withdraw(
    door: Door,
    document: Id,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record.")],
    version: Version = None,
) -> Reply:
    """Take a released version back."""
    async with door.open() as app:
        done = await app.documents.withdraw(document, version, reason=reason, user=door.user)
    return Reply(done, [_now(done)])


def _status(facts: dict[str, Any]) -> str:
    return _STATUS[facts["status"]].say(ui_language())


def _line(facts: dict[str, Any]) -> str:
    told = {"id": facts["document_id"], "version": facts["version"], "title": facts["title"]}
    return _LINE.say(ui_language(), status=_status(facts), **told)


def _now(facts: dict[str, Any]) -> str:
    told = {"id": facts["document_id"], "version": facts["version"]}
    return _CHANGED.say(ui_language(), status=_status(facts), **told)


def _note(note: dict[str, Any]) -> str:
    place = f" [{note['block']}]" if note.get("block") else ""
    rule = f" ({note['rule']})" if note.get("rule") else ""
    return f"  -{place} {note['author']}: {note['text']}{rule}"


def _added(made: dict[str, Any]) -> list[str]:
    language, name = ui_language(), made["document_id"]
    first = _ADDED.say(language, id=name, version=made["version"], title=made["title"])
    others = [
        _MEANWHILE.say(language, id=name, version=each["version"], author=each["author"], new=made["version"])
        for each in made["meanwhile"]
    ]
    return [first, *others]
