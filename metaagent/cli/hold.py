"""`metaagent hold`: legal holds, which block erasure and retention."""

from __future__ import annotations

from typing import Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import OFFICER, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_PLACED = Text(en="Hold {hold} is in force.", ko="보존 {hold}이(가) 걸렸습니다.")
_RELEASED = Text(en="Hold {hold} is released.", ko="보존 {hold}이(가) 해제되었습니다.")
_NONE = Text(en="No hold is in force.", ko="걸린 보존이 없습니다.")

Name = Annotated[str, typer.Argument(help="The name of the hold.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is on record, so name no person.")]
hold_app = typer.Typer(no_args_is_help=True, help="Place and release legal holds on erasure and retention.")


@command(hold_app, "place", OFFICER)
async def place(
    door: Door,
    hold: Name,
    reason: Reason,
    user: Annotated[
        str | None, typer.Option("--user", help="Only this person's data.", show_default=False)
    ] = None,
) -> Reply:
    """Erase and drop nothing of the company (or person) until the hold is released."""
    async with door.open() as app:
        await app.governance.hold_place(hold, reason=reason, person=user, user=door.user)
    return Reply({"hold": hold, "in_force": True}, [_PLACED.say(ui_language(), hold=hold)])


@command(hold_app, "release", OFFICER)
async def release(door: Door, hold: Name, reason: Reason) -> Reply:
    """End a hold."""
    async with door.open() as app:
        await app.governance.hold_release(hold, reason=reason, user=door.user)
    return Reply({"hold": hold, "in_force": False}, [_RELEASED.say(ui_language(), hold=hold)])


@command(hold_app, "list", OFFICER)
async def list_(door: Door) -> Reply:
    """List the holds that are in force."""
    async with door.open() as app:
        found = [hold._asdict() for hold in await app.governance.hold_list(user=door.user)]
    lines = [f"{hold['id']} {hold['subject'] or '*'} {hold['reason']}" for hold in found]
    return Reply({"holds": found}, lines or [_NONE.say(ui_language())])
