"""Tools of MCP servers, called in the agent's process: a command is started there, inside the same walls."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from metaagent.child.calling import KEPT_ENVIRONMENT
from metaagent.config import Tool
from metaagent.errors import Failed, Text
from metaagent.ports import Json
from metaagent.tools.openapi import NotSent
from metaagent.tools.results import too_large

SPARE_BYTES = 100_000
"""Bytes of a message around a result."""

_NOT_INSTALLED = Text(
    en="{tool} needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="{tool} 도구에 필요한 패키지가 없습니다({missing}): pip install 'metaagent[protocols]'",
)
_NOT_STARTED = Text(
    en="{tool} could not be reached: {problem}", ko="{tool} 도구에 연결하지 못했습니다: {problem}"
)
_FAILED = Text(en="{tool} failed: {text}", ko="{tool} 도구가 실패했습니다: {text}")


@dataclass
class _Wire:
    """The pipes of a server that was started. `overrun`: it sent a line that is longer than a result may be."""

    process: asyncio.subprocess.Process
    overrun: bool = False


async def call(name: str, tool: Tool, arguments: Json, language: str) -> Any:
    """Call the tool once. Nothing that the server asks of its client is offered: no files, no model, no person."""
    try:
        from mcp import Client
        from mcp.shared.exceptions import MCPError
    except ModuleNotFoundError as error:
        raise Failed(_NOT_INSTALLED.say(language, tool=name, missing=error.name)) from error
    given = tool.mcp
    assert given is not None
    got, wire, connected = None, None, False
    try:
        async with AsyncExitStack() as stack:
            wire = await _started(tool, stack) if given.command else None
            transport = _piped(wire) if wire else await _addressed(tool, stack)
            client = await stack.enter_async_context(Client(transport))
            connected = True
            got = await client.call_tool(given.tool, arguments)
    except MCPError as error:
        problem = str(error)[:300]
    except Exception as error:  # noqa: BLE001 - a foreign server may do anything; it is told by its first cause
        problem = _first(error)
    else:
        problem = ""
    if wire is not None and wire.overrun:
        raise too_large(name, tool, language)
    if not connected:
        raise NotSent(_NOT_STARTED.say(language, tool=name, problem=problem))
    if got is None:
        raise Failed(_FAILED.say(language, tool=name, text=problem))
    text = "\n".join(each.text for each in got.content if each.type == "text")
    if got.is_error:
        raise Failed(_FAILED.say(language, tool=name, text=text[:300]))
    return got.structured_content if got.structured_content is not None else text


async def _addressed(tool: Tool, stack: AsyncExitStack) -> Any:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    assert tool.mcp is not None
    token = os.environ.get(tool.mcp.token or "", "")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    web = await stack.enter_async_context(create_mcp_http_client(headers=headers))
    return streamable_http_client(str(tool.mcp.url), http_client=web)


async def _started(tool: Tool, stack: AsyncExitStack) -> _Wire:
    """Start the command with a bare environment. A line may hold a result twice: as text and as data."""
    assert tool.mcp is not None
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    names = (*KEPT_ENVIRONMENT, "PYTHONPATH", *tool.environment)
    process = await asyncio.create_subprocess_exec(
        *tool.mcp.command,
        stdin=pipe,
        stdout=pipe,
        stderr=nothing,
        limit=4 * tool.result_bytes + SPARE_BYTES,
        env={key: os.environ[key] for key in names if key in os.environ},
    )
    stack.callback(_end, process)
    return _Wire(process)


def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()


@asynccontextmanager
async def _piped(wire: _Wire) -> AsyncGenerator[Any]:
    """The messages of a server over its pipes, line by line, none longer than the bound."""
    import anyio
    from mcp.shared.message import SessionMessage

    to_client, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, from_client = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks, reading, writing:
        tasks.start_soon(_read, wire, to_client)
        tasks.start_soon(_write, wire, from_client)
        yield reading, writing
        tasks.cancel_scope.cancel()


async def _read(wire: _Wire, to_client: Any) -> None:
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    assert wire.process.stdout is not None
    async with to_client:
        try:
            while line := await wire.process.stdout.readline():
                try:
                    message: Any = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                except ValueError as error:
                    message = error
                await to_client.send(message)
        except ValueError:  # a line beyond the limit of the pipe
            wire.overrun = True


async def _write(wire: _Wire, from_client: Any) -> None:
    assert wire.process.stdin is not None
    async with from_client:
        async for sent in from_client:
            line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            with suppress(ConnectionError):  # a server that is gone is noticed where it is read
                wire.process.stdin.write(line.encode() + b"\n")
                await wire.process.stdin.drain()


def _first(error: BaseException) -> str:
    """The first cause in a group of errors, in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:200]
