"""`metaagent memory`: what is remembered of a person, and the person's own hand on it."""

from __future__ import annotations

import sys
from typing import Any

from metaagent.cli.asking import ANSWERED, FAILED, Door, print_json, run, ui_language
from metaagent.errors import Text

_NOTHING = Text(en="Nothing is remembered.", ko="기억하고 있는 것이 없습니다.")
_REMEMBERED = Text(en="Remembered: {what}", ko="기억했습니다: {what}")
_FORGOTTEN = Text(en="Forgotten: {what}", ko="잊었습니다: {what}")
_UNKNOWN = Text(
    en="Nothing is remembered about {about!r}. `metaagent memory list` shows what is.",
    ko="{about!r}에 대해 기억하는 것이 없습니다. `metaagent memory list`로 확인하세요.",
)
_WHICH = Text(
    en="Say what to forget, or --all for everything.", ko="무엇을 잊을지 적거나, 전부면 --all을 쓰세요."
)


def list_memories(door: Door) -> int:
    async def work() -> int:
        async with door.open() as app:
            known = await app.memories(user=door.user)
        if door.as_json:
            print_json(known)
        else:
            _print([_line(each) for each in known] or [_NOTHING.say(ui_language())])
        return ANSWERED

    return run(work, as_json=door.as_json)


def add_memory(door: Door, text: str) -> int:
    async def work() -> int:
        async with door.open() as app:
            known = await app.remember(text, user=door.user)
        if door.as_json:
            print_json(known)
        else:
            _print([_REMEMBERED.say(ui_language(), what=known["shown"])])
        return ANSWERED

    return run(work, as_json=door.as_json)


def forget_memories(door: Door, about: str | None, *, everything: bool) -> int:
    async def work() -> int:
        if not about and not everything:
            _print([_WHICH.say(ui_language())])
            return FAILED
        async with door.open() as app:
            known = await app.memories(user=door.user) if everything else []
            gone = known if everything else await app.forget(about or "", user=door.user)
            if everything:
                await app.erase_memories(door.user)
        if door.as_json:
            print_json(gone)
        else:
            lines = [_FORGOTTEN.say(ui_language(), what=_line(each)) for each in gone]
            _print(lines or [_UNKNOWN.say(ui_language(), about=about or "")])
        return ANSWERED if gone or everything else FAILED

    return run(work, as_json=door.as_json)


def _line(known: dict[str, Any]) -> str:
    what = f"{known['key']}: {known['value']}" if known["key"] else known["text"]
    until = f" (~{known['expires_at'][:10]})" if known["expires_at"] else ""
    return f"{known['id']}  {known['kind']:<10}  {what}{until}"


def _print(lines: list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
