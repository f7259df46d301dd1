"""LangChain tools, imported and called in the agent's process alone."""

from __future__ import annotations

import importlib
from typing import Any, cast

from metaagent.config import Tool
from metaagent.errors import Failed, Text
from metaagent.ports import Json

_NOT_FOUND = Text(
    en="{tool} cannot be imported from {place}: {problem}",
    ko="{tool} 도구를 {place}에서 가져올 수 없습니다: {problem}",
)
_FAILED = Text(en="{tool} failed: {text}", ko="{tool} 도구가 실패했습니다: {text}")


async def call(name: str, tool: Tool, arguments: Json, language: str) -> Any:
    from langchain_core.tools import BaseTool, ToolException

    assert tool.langchain is not None
    module, _, attribute = tool.langchain.partition(":")
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
        made: object = cast("Any", found)() if isinstance(found, type) else found
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        raise Failed(_NOT_FOUND.say(language, tool=name, place=tool.langchain, problem=problem)) from error
    if not isinstance(made, BaseTool):
        problem = f"{type(made).__name__} is no LangChain tool"
        raise Failed(_NOT_FOUND.say(language, tool=name, place=tool.langchain, problem=problem))
    try:
        return await made.ainvoke(arguments)
    except ToolException as error:
        raise Failed(_FAILED.say(language, tool=name, text=str(error)[:300])) from error
