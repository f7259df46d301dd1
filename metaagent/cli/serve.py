"""`metaagent serve`: the page, the HTTP API and the protocols in a browser and for other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from metaagent.cli.door import ANSWERED, Door
from metaagent.cli.options import CONFIG, DATA_DIR, command
from metaagent.cli.startup import collect_garbage, ui_language
from metaagent.errors import ConfigInvalid, Text

_NOT_INSTALLED = Text(
    en="The server's packages are not installed ({missing}): pip install 'metaagent[web]'",
    ko="서버에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[web]'",
)
_OPEN = Text(
    en="Open this address once, in one browser:\n  {address}",
    ko="이 주소를 브라우저에서 한 번 여세요:\n  {address}",
)
_SERVED = Text(en="Served at {address}", ko="서버 주소: {address}")

Host = Annotated[str, typer.Option("--host", help="The address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 for any.")]
Open = Annotated[bool, typer.Option("--open", help="Open the page in this machine's browser.")]


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "serve", (CONFIG, DATA_DIR), panel=panel)(serve)


async def serve(door: Door, host: Host = "127.0.0.1", port: Port = 8080, open_page: Open = False) -> int:
    """Serve the page and the API on this machine. Ctrl-C ends it; unfinished turns go on at the next start."""
    try:
        from metaagent.web import server
    except ModuleNotFoundError as error:
        raise ConfigInvalid(_NOT_INSTALLED, missing=error.name) from error

    server.check_place(door.settings, host)
    language, addresses = ui_language(), list[str]()

    def say(text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def announce(path: str) -> None:
        if addresses:
            say(_OPEN.say(language, address=f"{addresses[0]}{path}"))

    def started(listening: int) -> None:
        name = f"[{host}]" if ":" in host else host
        addresses.append(door.settings.web.public_url or f"http://{name}:{listening}")
        one_time = "one_time" in door.settings.web.auth
        path = web.state.log_in.new_address() if one_time else "/"
        if not one_time:
            say(_SERVED.say(language, address=addresses[0]))
        if open_page:
            import webbrowser

            webbrowser.open(f"{addresses[0]}{path}")

    collect_garbage()
    async with door.open() as meta:
        web = server.create_app(meta, door.settings, host=host, announce=announce)
        await server.serve(web, host, port, started)
    return ANSWERED
