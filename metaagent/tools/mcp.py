"""Tools of MCP servers, called in the agent's process: a command is started there, inside the same walls."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from typing import Any

from metaagent.config import Tool
from metaagent.errors import Failed, Text
from metaagent.ports import Json
from metaagent.tools.openapi import NotSent

_NOT_INSTALLED = Text(
    en="{tool} needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="{tool} 도구에 필요한 패키지가 없습니다({missing}): pip install 'metaagent[protocols]'",
)
_NOT_STARTED = Text(
    en="{tool} could not be reached: {problem}", ko="{tool} 도구에 연결하지 못했습니다: {problem}"
)
_FAILED = Text(en="{tool} failed: {text}", ko="{tool} 도구가 실패했습니다: {text}")


async def call(name: str, tool: Tool, arguments: Json, language: str) -> Any:
    """Call the tool once. Nothing that the server asks of its client is offered: no files, no model, no person."""
    try:
        from mcp import Client
        from mcp.shared.exceptions import MCPError
    except ModuleNotFoundError as error:
        raise Failed(_NOT_INSTALLED.say(language, tool=name, missing=error.name)) from error
    given = tool.mcp
    assert given is not None
    async with AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(Client(await _server(tool, stack)))
        except Exception as error:
            problem = _first(error)
            raise NotSent(_NOT_STARTED.say(language, tool=name, problem=problem)) from error
        try:
            got = await client.call_tool(given.tool, arguments)
        except MCPError as error:
            raise Failed(_FAILED.say(language, tool=name, text=str(error)[:300])) from error
    text = "\n".join(each.text for each in got.content if each.type == "text")
    if got.is_error:
        raise Failed(_FAILED.say(language, tool=name, text=text[:300]))
    return got.structured_content if got.structured_content is not None else text


async def _server(tool: Tool, stack: AsyncExitStack) -> Any:
    from mcp import StdioServerParameters

    given = tool.mcp
    assert given is not None
    if given.command:
        passed = {key: os.environ[key] for key in tool.environment if key in os.environ}
        kept = {key: os.environ[key] for key in ("PYTHONPATH", "TMPDIR", "LANG") if key in os.environ}
        program, *words = given.command
        return StdioServerParameters(command=program, args=words, env={**kept, **passed})
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    token = os.environ.get(given.token or "", "")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    web = await stack.enter_async_context(create_mcp_http_client(headers=headers))
    return streamable_http_client(str(given.url), http_client=web)


def _first(error: BaseException) -> str:
    """The first cause in a group of errors, in a line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:200]
