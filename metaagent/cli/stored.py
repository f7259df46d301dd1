"""`metaagent stored`: receipts of what was stored for good, what they name, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from metaagent.cli.door import CLARIFY, FAILED, Door, Reply, confirmed, write_file
from metaagent.cli.options import Output, Yes, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text
from metaagent.values import local_minute

_NOTHING = Text(en="Nothing is stored.", ko="저장된 것이 없습니다.")
_HOLDS = Text(en="It is as it was stored.", ko="저장한 그대로입니다.")
_CHANGED = Text(en="It is no longer as it was stored.", ko="저장한 뒤 달라졌습니다.")
_UNDONE = Text(en="{receipt} is undone: what was there before is back.", ko="{receipt}을(를) 되돌렸습니다.")
_SURE = Text(en="Undo {receipt} ({what})? [y/N] ", ko="{receipt}({what})을(를) 되돌릴까요? [y/N] ")
_KEPT = Text(
    en="Nothing was undone (--yes undoes without asking).",
    ko="되돌리지 않았습니다(--yes를 쓰면 묻지 않습니다).",
)
_WRITTEN = Text(en="{path} written.", ko="{path}에 썼습니다.")
LARGEST = 10_000_000
_NO_FILE = Text(
    en="{path} is no file of at most {most} bytes.", ko="{path}은(는) {most}바이트 이하의 파일이 아닙니다."
)
_NAMES = {
    "what": Text(en="what", ko="내용"),
    "where": Text(en="where", ko="위치"),
    "why": Text(en="why", ko="이유"),
    "label": Text(en="label", ko="등급"),
    "retention": Text(en="kept until", ko="보존 기한"),
    "content": Text(en="hash", ko="해시"),
    "key": Text(en="key", ko="키"),
}

Receipt = Annotated[str, typer.Argument(help="The receipt: its id or link.", metavar="RECEIPT")]
stored_app = typer.Typer(no_args_is_help=True, help="See and undo what was stored for good.")


@command(stored_app, "list")
async def list_(door: Door) -> Reply:
    """List the receipts, the oldest first."""
    async with door.open() as app:
        found = await app.stored_list(user=door.user)
    return Reply(
        found,
        [f"{_head(each, door)} {each['what']} ({_where(each)})" for each in found]
        or [_NOTHING.say(ui_language())],
    )


@command(stored_app, "show")
async def show(
    door: Door,
    receipt: Receipt,
    output: Output = None,
    file: Annotated[
        str | None,
        typer.Option("--file", help="Which of its files -o writes; the first if empty.", show_default=False),
    ] = None,
) -> Reply:
    """Show what was stored, where and why, and whether it is still so; -o writes its file."""
    language = ui_language()
    async with door.open() as app:
        found = await app.stored_show(receipt, user=door.user)
        if output is not None:
            _, content = await app.stored_file(receipt, file, user=door.user)
            write_file(output, content)
    written = [_WRITTEN.say(language, path=output)] if output else []
    return Reply(
        found, [*_lines(found, door), (_HOLDS if found["holds"] else _CHANGED).say(language), *written]
    )


@command(stored_app, "preview")
async def preview(
    door: Door,
    file: Annotated[Path, typer.Argument(help="CSV, JSON or any other file.")],
    table: Annotated[
        str | None, typer.Option("--table", help="The table, if it is known.", show_default=False)
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", help="An answer to what it would ask (repeatable).", show_default=False),
    ] = None,
) -> Reply:
    """Show what storing a file would do, without storing it: where it goes, new rows (+), replaced ones (~ and before: -)."""
    if not file.is_file() or file.stat().st_size > LARGEST:
        raise InputRefused(_NO_FILE, path=file, most=LARGEST)
    async with door.open() as app:
        seen = await app.stored_preview(
            file.name,
            file.read_bytes(),
            table=table,
            answers=answer or (),
            language=ui_language(),
            user=door.user,
        )
    if "asks" in seen:
        return Reply(seen, [seen["asks"], *(f"  - {option}" for option in seen["options"])], CLARIFY)
    fields = (seen["mapping"] or {}).get("field_mappings", {})
    mapped = [f"  {column} <- {given}" for column, given in fields.items()]
    return Reply(seen, [seen["why"], *mapped, *seen["files"], *seen["lines"]])


@command(stored_app, "undo")
async def undo(
    door: Door,
    receipt: Receipt,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is on record.")],
    yes: Yes = False,
) -> Reply:
    """Restore what was there before; refused where somebody has changed it since."""
    language = ui_language()
    async with door.open() as app:
        found = await app.stored_undo(receipt, reason=reason, dry=True, user=door.user)
        if not yes and not confirmed(_SURE.say(language, receipt=found["receipt"], what=found["what"])):
            return Reply({"undone": None}, [_KEPT.say(language)], FAILED)
        done = await app.stored_undo(receipt, reason=reason, user=door.user)
    return Reply(done, [_UNDONE.say(language, receipt=done["receipt"])])


def _head(receipt: dict[str, Any], door: Door) -> str:
    return (
        f"{receipt['receipt']} {local_minute(receipt['stored_at'], door.settings.zone)} {receipt['status']}"
    )


def _where(receipt: dict[str, Any]) -> str:
    where = receipt["where"]
    parts = [
        f"{where['table']}: +{where['new']} ~{where['replaced']}" if where["table"] else "",
        ", ".join(each["name"] for each in where["files"]),
        f"{where['texts']} text{'s' if where['texts'] > 1 else ''}" if where["texts"] else "",
    ]
    return "; ".join(part for part in parts if part)


def _lines(receipt: dict[str, Any], door: Door) -> list[str]:
    told = {
        "what": receipt["what"],
        "where": _where(receipt),
        "why": receipt["why"],
        "label": receipt["label"],
        "retention": (receipt["retention"]["until"] or "")[:10],
        "content": receipt["hashes"]["content"],
        "key": receipt["key"],
    }
    named = [f"  {_NAMES[name].say(ui_language())}: {value}" for name, value in told.items() if value]
    return [_head(receipt, door), *named]
