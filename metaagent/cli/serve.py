"""`metaagent serve`: the page, the HTTP API and the protocols in a browser and for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from metaagent.cli.door import ANSWERED, Door
from metaagent.cli.options import CONFIG, DATA_DIR, command
from metaagent.cli.startup import ui_language
from metaagent.errors import ConfigInvalid, Text

_NOT_INSTALLED = Text(
    en="The server's packages are not installed ({missing}): pip install 'metaagent[web]'",
    ko="서버에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[web]'",
)
_OPEN = Text(
    en="Open this address once, in one browser:\n  {address}",
    ko="이 주소를 브라우저에서 한 번 여세요:\n  {address}",
)

Host = Annotated[str, typer.Option("--host", help="The address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for any.")]
Open = Annotated[bool, typer.Option("--open", help="Open the page in this machine's browser.")]


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "serve", (CONFIG, DATA_DIR), panel=panel)(serve)


async def serve(door: Door, host: Host = "127.0.0.1", port: Port = 8080, open_page: Open = False) -> int:
    """Serve the page and the API on this machine. Ctrl-C ends it; unfinished turns go on at the next start."""
    try:
        from metaagent.web import server
        from metaagent.web.identity import Identity
    except ModuleNotFoundError as error:
        raise ConfigInvalid(_NOT_INSTALLED, missing=error.name) from error

    def announce(path: str) -> None:
        sys.stderr.write(_OPEN.say(ui_language(), address=f"http://{host}:{port}{path}") + "\n")

    async with door.open() as meta:
        identity = Identity(announce)
        web = server.create_app(meta, door.settings, identity)
        path = identity.new_address()
        if open_page:
            import webbrowser

            webbrowser.open(f"http://{host}:{port}{path}")
        await server.serve(web, host, port)
    return ANSWERED
