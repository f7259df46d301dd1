"""`metaagent logs`: the sealed log of this installation."""

from __future__ import annotations

import typer

from metaagent.cli.door import ANSWERED, Door
from metaagent.cli.options import JSON, OFFICER, command
from metaagent.cli.output import out


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "logs", tuple(option for option in OFFICER if option is not JSON), panel=panel)(logs)


async def logs(door: Door) -> int:
    """Print the log of this installation.

    Redacted JSON lines, oldest first.
    """
    async with door.open() as app:
        for line in await app.governance.logs(user=door.user):
            out().write(line + "\n")
    return ANSWERED
