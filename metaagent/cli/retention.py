"""`metaagent retention`: drops what is kept no longer."""

from __future__ import annotations

from typing import Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import OFFICER, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_DROPPED = Text(en="{count} entries dropped.", ko="항목 {count}개를 삭제했습니다.")

retention_app = typer.Typer(no_args_is_help=True, help="Drop what is kept no longer.")


@command(retention_app, "apply", OFFICER)
async def apply(
    door: Door,
    before: Annotated[
        str | None,
        typer.Option("--before", help="Drop what is older than this time (ISO).", show_default=False),
    ] = None,
) -> Reply:
    """Drop whole signed segments of the audit trail that are older than retention.audit_days."""
    async with door.open() as app:
        count = await app.governance.retain(before=before, user=door.user)
    return Reply({"dropped": count}, [_DROPPED.say(ui_language(), count=count)])
