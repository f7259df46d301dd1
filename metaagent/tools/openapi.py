"""Operations of OpenAPI documents: read from the operator's file when the agent is declared, called in the agent's process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlsplit

import orjson

from metaagent.config import OpenApiTool, Tool
from metaagent.errors import Failed, PluginInvalid, Text, TryAgain
from metaagent.ports import Json
from metaagent.tools.results import too_large

LARGEST_DOCUMENT = 5_000_000
METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
READING = frozenset({"get", "head", "options"})
PLACES = frozenset({"path", "query", "header"})

_UNREADABLE = Text(
    en="its OpenAPI document {path} cannot be read: {problem}.",
    ko="OpenAPI 문서 {path}을(를) 읽을 수 없습니다: {problem}.",
)
_NO_OPERATION = Text(
    en="its OpenAPI document has no operation {operation!r}; it has {known}.",
    ko="OpenAPI 문서에 {operation!r} 작업이 없습니다. 있는 작업: {known}.",
)
_NO_ADDRESS = Text(
    en="its OpenAPI document names no server with an http address: set tools.{tool}.openapi.url.",
    ko="OpenAPI 문서에 http 서버 주소가 없습니다. tools.{tool}.openapi.url을 지정하세요.",
)
_NO_PARAM = Text(
    en="its operation takes no parameter {name!r}; it takes {known}.",
    ko="이 작업에는 매개변수 {name!r}이(가) 없습니다. 받는 매개변수: {known}.",
)
_WRITES = Text(
    en="its operation is a {method}, which changes something: `side_effects: false` is not believed of it.",
    ko="{method} 작업은 무언가를 바꿉니다. `side_effects: false`를 받아들이지 않습니다.",
)
_REFUSED = Text(en="{tool} answered {status}: {text}", ko="{tool} 도구가 {status}(으)로 답했습니다: {text}")
_UNFIT = Text(
    en="{tool} was not called: {name!r} cannot be {value!r}, which would call something else.",
    ko="{tool} 도구를 호출하지 않았습니다. {name!r}에 {value!r}을(를) 넣으면 다른 것을 호출하게 됩니다.",
)
_SILENT = Text(en="{tool} did not answer: {problem}", ko="{tool} 도구가 답하지 않았습니다: {problem}")


def operation(name: str, tool: Tool) -> Json:
    """The operation as the agent's process needs it: method, address, and where each argument goes."""
    given = tool.openapi
    assert given is not None
    document = _read(given.document)
    found = {
        str(each.get("operationId")): (method, path, _whole(document, item, each))
        for path, item in _map(document.get("paths")).items()
        for method, each in _map(item).items()
        if method in METHODS and isinstance(each, Mapping)
    }
    if given.operation not in found:
        known = ", ".join(sorted(found)[:20])
        raise PluginInvalid(_NO_OPERATION, operation=given.operation, known=known)
    method, path, (places, body) = found[given.operation]
    if method not in READING and not tool.side_effects:
        raise PluginInvalid(_WRITES, method=method.upper())
    for param in tool.params:
        if param not in places and not body:
            raise PluginInvalid(_NO_PARAM, name=param, known=", ".join(places) or "-")
    return {"method": method, "url": _address(name, given, document) + path, "places": places, "body": body}


def _read(path: Path) -> Json:
    import yaml

    try:
        if path.stat().st_size > LARGEST_DOCUMENT:
            raise PluginInvalid(_UNREADABLE, path=path, problem=f"more than {LARGEST_DOCUMENT} bytes")
        found: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise PluginInvalid(_UNREADABLE, path=path, problem=str(error).replace("\n", " ")[:200]) from error
    return _map(found)


def _whole(document: Json, item: Any, found: Any) -> tuple[dict[str, str], bool]:
    """The place of each parameter, those of the path included, and whether there is a JSON body."""
    listed = [*(_map(item).get("parameters") or ()), *(_map(found).get("parameters") or ())]
    params = [_resolved(document, each) for each in listed]
    places = {str(each.get("name")): str(each.get("in")) for each in params if each.get("in") in PLACES}
    content = _map(_resolved(document, _map(found).get("requestBody") or {}).get("content"))
    return places, any("json" in kind for kind in content)


def _resolved(document: Json, value: Any) -> Json:
    found = _map(value)
    reference = found.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return found
    place: Any = document
    for part in reference[2:].split("/"):
        place = _map(place).get(part.replace("~1", "/").replace("~0", "~"))
    return _map(place)


def _address(name: str, given: OpenApiTool, document: Json) -> str:
    servers = document.get("servers")
    first = _map(cast("list[Any]", servers)[0]).get("url") if isinstance(servers, list) and servers else None
    address = given.url or str(first or "")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise PluginInvalid(_NO_ADDRESS, tool=name)
    return address.rstrip("/")


def _map(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


async def call(name: str, tool: Tool, found: Json, arguments: Json, language: str) -> Any:
    """Call the operation once, at its own address. Redirects are not followed."""
    import httpx

    assert tool.openapi is not None
    for each, value in arguments.items():
        if _leads_elsewhere(found["places"].get(each), str(value)):
            raise Failed(_UNFIT.say(language, tool=name, name=each, value=str(value)[:100]))
    url, sent = _request(found, arguments)
    token = os.environ.get(tool.openapi.token or "", "")
    if token:
        sent["headers"] = {**sent["headers"], "Authorization": f"Bearer {token}"}
    try:
        async with (
            httpx.AsyncClient(timeout=tool.timeout, follow_redirects=False, trust_env=False) as web,
            web.stream(found["method"].upper(), url, **sent) as reply,
        ):
            body = bytearray()
            async for piece in reply.aiter_bytes():
                body += piece
                if len(body) > tool.result_bytes:
                    raise too_large(name, tool, language)
    except httpx.ConnectError as error:
        raise NotSent(_SILENT.say(language, tool=name, problem=str(error)[:200])) from error
    except httpx.HTTPError as error:
        raise Failed(
            _SILENT.say(language, tool=name, problem=f"{type(error).__name__} {error}"[:200])
        ) from error
    text = body.decode("utf-8", "replace")
    if reply.status_code in (429, 503):
        raise NotSent(_REFUSED.say(language, tool=name, status=reply.status_code, text=text[:300]))
    if reply.status_code >= 300:
        raise Failed(_REFUSED.say(language, tool=name, status=reply.status_code, text=text[:300]))
    return _json(text) if "json" in reply.headers.get("content-type", "") else text


class NotSent(TryAgain):
    """The other side has done nothing: the call may be tried again."""


def _leads_elsewhere(place: str | None, value: str) -> bool:
    """Tell whether a value would change the path that it is put into, or end the header that it is."""
    if place == "path":
        return value.strip() in ("", ".", "..")
    return place == "header" and not (value.isascii() and value.isprintable())


def _request(found: Json, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    url, query, headers, body = str(found["url"]), {}, {}, {}
    for name, value in arguments.items():
        match found["places"].get(name):
            case "path":
                url = url.replace("{" + name + "}", quote(str(value), safe=""))
            case "query":
                query[name] = value
            case "header":
                headers[name] = str(value)
            case _:
                body[name] = value
    return url, {"params": query, "headers": headers, **({"json": body} if found["body"] else {})}


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
