"""Pictures of charts, made when somebody exports or shows one and never while a question is answered.

A child process renders, so that the loop and the interpreter stay free; what it made is held in memory by the hash of the
spec and the form. Nothing is written to disk: a picture holds the same figures as the sealed chart.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

import orjson

from metaagent.child import ChildFailed, Limits, call
from metaagent.documents.chart_images import own_data_only, render
from metaagent.errors import InputRefused, Text

Form: TypeAlias = Literal["png", "svg", "pdf"]
FORMS: tuple[Form, ...] = get_args(Form)
AT_ONCE = 2
"""More children than this wait: a picture keeps one core busy."""
SECONDS = 60.0
HELD_BYTES = 16_000_000

NOT_RENDERED = Text(
    en="The picture could not be made: {why} The chart's data can be exported as json.",
    ko="그림을 만들지 못했습니다: {why_ko} 차트의 데이터는 json으로 내보낼 수 있습니다.",
)
_held: OrderedDict[str, bytes] = OrderedDict()
_turns: dict[int, asyncio.Semaphore] = {}


async def picture(spec: Mapping[str, Any], form: Form) -> bytes:
    """The chart as an image file. A spec that refers to anything outside itself is refused before anything runs."""
    written = orjson.dumps(own_data_only(spec))
    key = hashlib.sha256(form.encode() + b"\0" + written).hexdigest()
    found = _held.get(key)
    if found is None:
        async with _turn():
            found = _held.get(key) or await _rendered(written, form)
        _hold(key, found)
    _held.move_to_end(key)
    return found


def _turn() -> asyncio.Semaphore:
    """One for each running loop: a semaphore belongs to the loop that first waited for it."""
    loop = id(asyncio.get_running_loop())
    if loop not in _turns:
        _turns.clear()
        _turns[loop] = asyncio.Semaphore(AT_ONCE)
    return _turns[loop]


def _hold(key: str, content: bytes) -> None:
    _held[key] = content
    while len(_held) > 1 and sum(map(len, _held.values())) > HELD_BYTES:
        _held.popitem(last=False)


async def _rendered(written: bytes, form: Form) -> bytes:
    try:
        return await call(
            render, form.encode() + b"\0" + written, what="picture", limits=Limits(SECONDS, memory_mb=2048)
        )
    except ChildFailed as error:
        raise InputRefused(NOT_RENDERED, why=error.say("en"), why_ko=error.say("ko")) from error
