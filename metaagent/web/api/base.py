"""Shared by the routes of the API: who calls, in which language, lists with cursors, and a route that answers once."""

from __future__ import annotations

import functools
import inspect
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

import orjson
from fastapi import APIRouter, Path, Query
from fastapi.params import Form
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from metaagent.acting import Acting
from metaagent.errors import InputRefused, Text, TooManyRequests, UnknownMedia
from metaagent.web.api.replies import answered_once
from metaagent.web.doors import Doors
from metaagent.web.problems import language_of
from metaagent.web.throttle import Throttle

PREFIX = "/api/v1"
MOST = 500
"""Items of one page of a list."""

_BAD_CURSOR = Text(
    en="This cursor is none that a list of ours gave. Begin without one.",
    ko="이 목록에서 받은 커서가 아닙니다. 커서 없이 다시 시작하세요.",
)
_WRONG_MEDIA = Text(
    en="Send {wanted}, not {found!r}.", ko="{found!r}이(가) 아니라 {wanted} 형식으로 보내세요."
)
_SLOW_DOWN = Text(
    en="These are too many requests in a minute (web.requests_per_minute). Come back in {retry_after:.0f} seconds.",
    ko="1분에 보낼 수 있는 요청(web.requests_per_minute)을 넘었습니다. {retry_after:.0f}초 뒤에 다시 시도하세요.",
)

REQUEST = "whole_request"
"""The parameter by which an endpoint gets the request."""
T = TypeVar("T")
Answer = Callable[[Request], Coroutine[Any, Any, Response]]


class Loose(BaseModel):
    """Named fields, and whatever else the core adds."""

    model_config = ConfigDict(extra="allow")


class Page(BaseModel, Generic[T]):
    """A part of a list. `next` goes into `cursor` for the part after it; null where there is none."""

    items: list[T]
    next: str | None = None


class Done(BaseModel):
    done: bool = Field(description="False if there was nothing to do.")


def doors_of(connection: HTTPConnection) -> Doors:
    return connection.app.state.doors


@dataclass(frozen=True)
class _Known:
    """Marks a parameter of an endpoint that the route gives by itself: the framework need not look for it."""

    of: Callable[[Request], Any]


Caller = Annotated[Acting, _Known(lambda request: request.state.acting)]
Language = Annotated[str, _Known(language_of)]
LONGEST_ID = 200
Id = Annotated[str, Path(min_length=1, max_length=LONGEST_ID)]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[str | None, Query(max_length=400, description="`next` of the part before.")]
OneLine = Annotated[str, Field(min_length=1, max_length=10_000)]


class Route(APIRoute):
    """A route that knows who calls before it reads anything, counts their requests, and answers the same POST once."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        super().__init__(path, _with_known(endpoint, settings.get("status_code") or 200), **settings)

    def reading(self) -> Answer:
        """The endpoint, called with what the framework reads of a request."""
        return super().get_route_handler()

    def get_route_handler(self) -> Answer:
        answer = self.reading()

        async def handle(request: Request) -> Response:
            doors = doors_of(request)
            acting = await doors.acting(request)
            request.state.acting = acting
            self._require_pace(request, f"{acting.user.tenant}/{acting.user.user_id}")
            self._require_media(request)
            if request.method == "POST":
                return await answered_once(request, doors.meta.replies, acting.user, answer)
            return await answer(request)

        return handle

    def _require_pace(self, request: Request, person: str) -> None:
        pace: Throttle = request.app.state.pace
        wait = pace.wait(person)
        if wait:
            raise TooManyRequests(_SLOW_DOWN, retry_after=wait)
        pace.count(person)

    def _require_media(self, request: Request) -> None:
        if self.body_field is None:
            return
        is_form = isinstance(self.body_field.field_info, Form)
        wanted = "multipart/form-data" if is_form else "application/json"
        found = request.headers.get("content-type", "").split(";")[0].strip().lower()
        empty = request.headers.get("content-length") in (None, "0") and not found
        if found != wanted and not empty:
            raise UnknownMedia(_WRONG_MEDIA, wanted=wanted, found=found[:80])


def is_plain(request: Request) -> bool:
    """Tell whether a request names nothing but ids in its path. Then the framework's way through the parameters of an
    endpoint, which costs more than most answers, can be left out."""
    ids: Iterable[str] = request.path_params.values()
    return not request.scope["query_string"] and all(len(each) <= LONGEST_ID for each in ids)


def _with_known(endpoint: Callable[..., Any], status: int) -> Callable[..., Any]:
    """The endpoint as the framework sees it: who calls, and in which language, is given to it from the request. What it
    declares to give back was checked when it was made, and is not checked again."""
    signature = inspect.signature(endpoint, eval_str=True)
    found = {name: _mark(parameter.annotation) for name, parameter in signature.parameters.items()}
    known = {name: mark for name, mark in found.items() if mark is not None}

    async def answer(**values: Any) -> Any:
        request = values.pop(REQUEST)
        made = await endpoint(**values, **{name: mark.of(request) for name, mark in known.items()})
        if isinstance(made, BaseModel) and type(made) is signature.return_annotation:
            return Response(made.model_dump_json(by_alias=True), status, media_type="application/json")
        return made

    asked = [each for name, each in signature.parameters.items() if name not in known]
    whole = inspect.Parameter(REQUEST, inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    functools.update_wrapper(answer, endpoint)
    answer.__signature__ = signature.replace(parameters=[*asked, whole])  # pyright: ignore[reportFunctionMemberAccess]
    return answer


def _mark(annotation: Any) -> _Known | None:
    if annotation is Request:
        return _Known(lambda request: request)
    marks = getattr(annotation, "__metadata__", ())
    return next((mark for mark in marks if isinstance(mark, _Known)), None)


def router(tag: str, kind: type[Route] = Route) -> APIRouter:
    return APIRouter(prefix=PREFIX, route_class=kind, tags=[tag])


# --- cursors ----------------------------------------------------------------------------------------------


def cursor(place: str | int) -> str:
    return urlsafe_b64encode(orjson.dumps(place)).rstrip(b"=").decode()


def place_of(given: str | None, kind: type[T]) -> T | None:
    """The place that a cursor stands for."""
    if given is None:
        return None
    try:
        found: object = orjson.loads(urlsafe_b64decode(given.encode() + b"=" * (-len(given) % 4)))
    except (ValueError, UnicodeEncodeError) as error:
        raise InputRefused(_BAD_CURSOR) from error
    if type(found) is not kind or (isinstance(found, int) and not 0 <= found < 2**53):
        raise InputRefused(_BAD_CURSOR)
    return found


def page(items: Iterable[T], limit: int, place: Callable[[T], str | int]) -> Page[T]:
    """A part of a list that was asked for one item more than are shown."""
    found = list(items)
    more = len(found) > limit
    return Page(items=found[:limit], next=cursor(place(found[limit - 1])) if more else None)


def page_of_all(items: Sequence[T], limit: int, given: str | None) -> Page[T]:
    """A part of a list that is known whole."""
    first = place_of(given, int) or 0
    more = first + limit < len(items)
    return Page(items=list(items[first : first + limit]), next=cursor(first + limit) if more else None)
