"""The arguments of a tool: from what was understood of the question, from inputs, from the person. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.config import Tool, ToolParam
from metaagent.ports import Json
from metaagent.values import mapping, rows

LONGEST = 10_000
"""Characters of an argument that comes from a question."""


def filled(tool: Tool, analysis: Mapping[str, Any]) -> Json:
    """The arguments that a question gives, for the plan."""
    found = {
        name: _from_question(param, analysis) for name, param in tool.params.items() if param.input is None
    }
    return {name: value for name, value in found.items() if value is not None}


def _from_question(param: ToolParam, analysis: Mapping[str, Any]) -> Any:
    question = str(analysis.get("raw_query") or "")
    found: Any = _matched(param.pattern, question) if param.pattern else None
    if found is None and param.entity:
        found = _entity(param.entity, analysis)
    if found is None and param.question:
        found = question
    if found is None:
        return param.value
    return typed(param, found)


def _matched(pattern: str, text: str) -> str | None:
    import re2

    match = re2.search(pattern, text)
    return None if match is None else match[1 if match.re.groups else 0]


def _entity(name: str, analysis: Mapping[str, Any]) -> Any:
    kind, _, part = name.partition(".")
    for entity in rows(analysis.get("extracted_entities")):
        if entity.get("type") == kind:
            return entity.get(part) if part else entity.get("name") or entity.get("value")
    return None


def typed(param: ToolParam, value: Any) -> Any:
    """The value as the tool wants it; None where it is no such thing."""
    text = str(value).strip()[:LONGEST]
    if param.type == "string":
        return text
    if param.type == "boolean":
        return {
            "true": True,
            "yes": True,
            "예": True,
            "네": True,
            "false": False,
            "no": False,
            "아니요": False,
        }.get(text.casefold())
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return None
    if param.type == "integer":
        return int(number) if number.is_integer() else None
    return number


def params_type(name: str, tool: Tool) -> Any:
    """A type for the plan's parameters: each may be left out, none may be added."""
    import pydantic

    types: dict[str, Any] = {"string": str, "number": float, "integer": int, "boolean": bool}
    fields: dict[str, Any] = {
        key: ((types[param.type] if param.value is None else Any) | None, None)
        for key, param in tool.params.items()
        if param.input is None
    }
    return pydantic.create_model(f"{name}_params", __config__=pydantic.ConfigDict(extra="forbid"), **fields)


def chosen(
    tool: Tool, params: Mapping[str, Any], named: Mapping[str, Any], request: Mapping[str, Any]
) -> Json:
    """The arguments by name: of the plan, else of the person's answers, else of the question."""
    said = {
        name: typed(param, named[name]) for name, param in tool.params.items() if named.get(name) is not None
    }
    given = {name: value for name, value in mapping(params).items() if value is not None}
    return {
        **filled(tool, request),
        **{key: value for key, value in said.items() if value is not None},
        **given,
    }


def missing(tool: Tool, arguments: Mapping[str, Any]) -> tuple[str, ToolParam] | None:
    """The first argument that nothing gave and that the person is to be asked for."""
    return next(
        ((name, param) for name, param in tool.params.items() if param.ask and arguments.get(name) is None),
        None,
    )
