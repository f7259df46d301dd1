"""MCP over stdin and stdout, for the person who started the process."""

from __future__ import annotations

import io
from typing import Any, TextIO

import anyio
from mcp.server.stdio import stdio_server

from metaagent.acting import Acting
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.web.protocols.mcp_server import make_server


async def serve(meta: MetaAgent, person: User, answers: TextIO) -> None:
    """Serve until the client closes stdin. `answers` is the stream that nobody else prints to."""
    app = meta.acting_as_owner() if person == User() else meta.acting_for(person)

    async def who(_ctx: Any) -> Acting:
        return app

    server = make_server(who)
    wire = io.TextIOWrapper(answers.buffer, encoding="utf-8", newline="\n", write_through=True)
    try:
        async with stdio_server(stdout=anyio.wrap_file(wire)) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        wire.detach()  # the stream is the process's, not ours to close
