"""`metaagent mcp`: this installation as an MCP server over stdin and stdout, for one person."""

from __future__ import annotations

import typer

from metaagent.cli.door import ANSWERED, Door
from metaagent.cli.options import COMPANY, CONFIG, DATA_DIR, NOW, ROLES, USER, command
from metaagent.cli.output import out
from metaagent.errors import ConfigInvalid, Text

_NOT_INSTALLED = Text(
    en="MCP needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="MCP에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[protocols]'",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "mcp", (CONFIG, DATA_DIR, USER, COMPANY, ROLES, NOW), panel=panel)(mcp)


async def mcp(door: Door) -> int:
    """Speak MCP over stdin and stdout, for a client that starts this command.

    It acts for the owner of this installation, or for whom --user, --company and --role name. It ends with its client; a
    turn that is not finished then goes on when its session is used next.
    """
    try:
        from metaagent.web.protocols.mcp_stdio import serve
    except ModuleNotFoundError as error:
        raise ConfigInvalid(_NOT_INSTALLED, missing=error.name) from error
    async with door.open() as meta:
        await serve(meta, door.user, out())
    return ANSWERED
