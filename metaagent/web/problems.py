"""Errors as problem details (RFC 9457), said in the language of the one who asked."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from metaagent import errors
from metaagent.errors import MetaAgentError, Text, misfit

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 20

STATUS: tuple[tuple[type[MetaAgentError], int], ...] = (
    (errors.NotLoggedIn, 401),
    (errors.AccessDenied, 403),
    (errors.KeyUnavailable, 403),
    (errors.UnknownSession, 404),
    (errors.NotFound, 404),
    (errors.TooManyRequests, 429),
    (errors.TooBusy, 429),
    (errors.TooSlow, 408),
    (errors.TooLarge, 413),
    (errors.UnknownMedia, 415),
    (errors.SessionError, 409),
    (errors.StoreRefused, 409),
    (errors.DocumentRefused, 409),
    (errors.InputRefused, 422),
    (errors.FileRefused, 422),
    (errors.SqlRefused, 422),
    (errors.SemanticInvalid, 422),
    (errors.DataUnavailable, 503),
    (errors.ModelError, 503),
    (errors.StorageError, 503),
)
"""The status of each kind of error; the first that fits. Any other is a defect."""

_TITLES: Mapping[int, Text] = {
    400: Text(en="This request cannot be read.", ko="요청을 읽을 수 없습니다."),
    401: Text(en="Nobody is logged in.", ko="로그인이 필요합니다."),
    403: Text(en="This is not allowed.", ko="허용되지 않습니다."),
    404: Text(en="There is nothing here.", ko="찾을 수 없습니다."),
    405: Text(en="This cannot be done here.", ko="여기서는 할 수 없는 요청입니다."),
    408: Text(en="This took too long.", ko="너무 오래 걸렸습니다."),
    409: Text(en="This cannot be done now.", ko="지금은 할 수 없습니다."),
    413: Text(en="This is too large.", ko="너무 큽니다."),
    415: Text(en="This kind of content is not taken.", ko="받지 않는 형식입니다."),
    422: Text(en="This cannot be taken as it is.", ko="이대로는 받을 수 없습니다."),
    429: Text(en="Too many requests.", ko="요청이 너무 많습니다."),
    431: Text(en="The headers are too large.", ko="헤더가 너무 큽니다."),
    500: Text(en="Something went wrong here.", ko="서버에 문제가 생겼습니다."),
    503: Text(en="Something that is needed does not answer.", ko="필요한 것이 응답하지 않습니다."),
}
_DEFECT = Text(
    en="Nothing was done by halves; the log names the cause. Try again, or tell whoever runs this server.",
    ko="일부만 처리된 것은 없으며 원인은 로그에 있습니다. 다시 시도하거나 서버 운영자에게 알려 주세요.",
)
_INVALID = Text(
    en="{count} values do not fit: {places}. /api/v1/openapi.json describes what is expected.",
    ko="맞지 않는 값이 {count}개 있습니다: {places}. 형식은 /api/v1/openapi.json에 있습니다.",
)
_UNREADABLE = Text(
    en="The body is not valid JSON in UTF-8. Check how it is encoded.",
    ko="본문이 UTF-8로 된 올바른 JSON이 아닙니다. 인코딩을 확인하세요.",
)
_NO_ROUTE = Text(
    en="{path} does not exist. /api/v1/openapi.json lists everything.",
    ko="{path}이(가) 없습니다. 전체 목록은 /api/v1/openapi.json에 있습니다.",
)

LANGUAGE_COOKIE = "metaagent-language"


def language_of(connection: HTTPConnection) -> str:
    """The language that was chosen on the page, else the first of ours that the request accepts, else the configured one,
    else English."""
    chosen = connection.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in ("ko", "en"):
        return chosen
    for part in connection.headers.get("accept-language", "")[:200].lower().split(","):
        name = part.split(";")[0].strip()[:2]
        if name in ("ko", "en"):
            return name
    doors = getattr(getattr(connection.scope.get("app"), "state", None), "doors", None)
    return "ko" if doors is not None and doors.settings.language == "ko" else "en"


def problem(
    status: int,
    detail: str,
    language: str,
    *,
    code: str,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Response:
    title = _TITLES.get(status, _TITLES[500 if status >= 500 else 400])
    body = {
        "type": f"urn:metaagent:problem:{code}",
        "title": title.say(language),
        "status": status,
        "detail": _clean(detail),
        "code": code,
        **(more or {}),
    }
    return Response(orjson.dumps(body), status, dict(headers or {}), MEDIA_TYPE)


def status_of(error: MetaAgentError) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def problem_of(error: MetaAgentError, language: str) -> Response:
    """Say an error that was raised on purpose."""
    status = status_of(error)
    headers = {"WWW-Authenticate": 'Bearer realm="metaagent"'} if status == 401 else {}
    after = getattr(error, "retry_after", None) or error.params.get("retry_after")
    if after is not None:
        headers["Retry-After"] = str(max(1, round(after)))
    if status == 500:
        logger.error("a request failed: %s", error)
    return problem(status, error.say(language), language, code=error.code, headers=headers)


async def on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MetaAgentError)
    return problem_of(error, language_of(request))


async def on_http_error(request: Request, error: Exception) -> Response:
    """Say what the framework refused: an unknown path, a wrong method, a body that is no JSON."""
    assert isinstance(error, HTTPException)
    language, status = language_of(request), error.status_code
    if isinstance(error.__cause__, MetaAgentError):  # who read the body met it, and said no more than that
        return problem_of(error.__cause__, language)
    said = _UNREADABLE if status == 400 else _NO_ROUTE if status == 404 else None
    detail = said.say(language, path=request.url.path[:200]) if said else str(error.detail)
    code = {400: "unreadable", 404: "not_found", 405: "method_not_allowed"}.get(status, "http_error")
    return problem(status, detail, language, code=code, headers=error.headers)


async def on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    language = language_of(request)
    if any(each.get("type") == "json_invalid" for each in found):
        return problem(400, _UNREADABLE.say(language), language, code="unreadable")
    told = [
        {"place": _place(each["loc"]), "message": _clean(misfit(each).say(language))}
        for each in found[:MOST_ERRORS]
    ]
    places = ", ".join(each["place"] for each in told)
    detail = _INVALID.say(language, count=len(found), places=places)
    return problem(422, detail, language, code="invalid", more={"errors": told})


async def on_defect(request: Request, error: Exception) -> Response:
    logger.error("a request failed", exc_info=error)
    language = language_of(request)
    return problem(500, _DEFECT.say(language), language, code="defect")


def _place(where: Sequence[Any]) -> str:
    return _clean("/".join(str(part) for part in where))[:200]


def _clean(text: str) -> str:
    """Text that can be sent: what somebody sent may hold half a character."""
    return text.encode("utf-8", "replace").decode()
