"""Results of tools as data: plain, bounded, with nothing in them that anybody would obey. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson

from metaagent.config import Tool
from metaagent.errors import Failed, Text
from metaagent.language.number_check import CITED
from metaagent.plugin import Artifact, Result
from metaagent.protection.escaping import for_terminal

LONGEST_SUMMARY = 1_500
MOST_COLUMNS = 200

_TOO_LARGE = Text(
    en="{tool} gave more than {most:,} bytes; nothing of it was taken (tools.{tool}.result_bytes).",
    ko="{tool} 도구의 결과가 {most:,}바이트를 넘어 받지 않았습니다(tools.{tool}.result_bytes).",
)
_NOT_PLAIN = Text(
    en="{tool} gave something that is not plain data.", ko="{tool} 도구의 결과가 일반 데이터가 아닙니다."
)
_NO_TABLE = Text(
    en="{tool} should give a list of records, and gave something else.",
    ko="{tool} 도구는 레코드 목록을 주어야 하는데 다른 것을 주었습니다.",
)
_SUMMARY = Text(en="{what}: {text}", ko="{what}: {text}")
_ROWS = Text(en="{count} rows", ko="{count}개 행")


def too_large(name: str, tool: Tool, language: str) -> Failed:
    return Failed(_TOO_LARGE.say(language, tool=name, most=tool.result_bytes))


def result_of(name: str, tool: Tool, given: Any, language: str) -> Result:
    """A result of the declared kind. Raises Failed for what is too large or no such thing."""
    data = plain(name, tool, given, language)
    kind = tool.produces or f"{name}_result"
    if kind == "dataset":
        data = dataset(name, data, language)
        text = _ROWS.say(language, count=len(data["rows"]))
    else:
        text = readable(data)
        data = data if isinstance(data, dict) else {"result": data}
    what = tool.description.ko if language == "ko" else tool.description.en
    summary = _SUMMARY.say(language, what=what, text=text)
    return Result(summary, tool.confidence, [Artifact(kind, data, what)], [{"title": what, "tool": name}])


def plain(name: str, tool: Tool, given: Any, language: str) -> Any:
    """The value as plain JSON data of a bounded size; text that is JSON is read as such."""
    try:
        content = orjson.dumps(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise Failed(_NOT_PLAIN.say(language, tool=name)) from error
    if len(content) > tool.result_bytes:
        raise too_large(name, tool, language)
    value = orjson.loads(content)
    if isinstance(value, str):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return value


def readable(data: Any) -> str:
    """A line for the person: control characters shown, marks that look like citations taken out, cut to a length."""
    text = data if isinstance(data, str) else _fields(data)
    shown = CITED.sub(r"(\1)", for_terminal(" ".join(text.split())))
    return shown if len(shown) <= LONGEST_SUMMARY else f"{shown[:LONGEST_SUMMARY]}…"


def _fields(data: Any) -> str:
    if isinstance(data, dict):
        found = cast("dict[str, Any]", data)
        if len(found) == 1 and isinstance(only := next(iter(found.values())), str):
            return only
        return ", ".join(f"{key}: {_value(value)}" for key, value in found.items())
    return _value(data)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def dataset(name: str, data: Any, language: str) -> dict[str, Any]:
    """A table made of a list of flat records, alone or as the one list of an object."""
    found = data
    if isinstance(data, Mapping):
        lists = [each for each in cast("Mapping[str, Any]", data).values() if isinstance(each, list)]
        found = lists[0] if len(lists) == 1 else None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in cast("list[Any]", found)):
        raise Failed(_NO_TABLE.say(language, tool=name))
    records = cast("list[dict[str, Any]]", found)
    names = list(dict.fromkeys(key for record in records for key in record))[:MOST_COLUMNS]
    return {
        "columns": [
            {"name": key, "label": key, "type": _type([r.get(key) for r in records])} for key in names
        ],
        "rows": [[_cell(record.get(key)) for key in names] for record in records],
        "row_count": len(records),
    }


def _type(values: Sequence[Any]) -> str:
    there = [value for value in values if value is not None]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in there)
    return "number" if there and numbers else "text"


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float) else orjson.dumps(value).decode()
