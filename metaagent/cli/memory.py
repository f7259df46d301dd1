"""`metaagent memory`: what is remembered of a person, and the person's own hand on it."""

from __future__ import annotations

import sys
from typing import Any
from zoneinfo import ZoneInfo

from metaagent.cli.asking import ANSWERED, FAILED, Door, print_json, run
from metaagent.cli.starting import ui_language
from metaagent.errors import Text
from metaagent.memory.recall import Memory, said
from metaagent.protection.escaping import for_terminal
from metaagent.values import local_minute

_NOTHING = Text(en="Nothing is remembered.", ko="기억하고 있는 것이 없습니다.")
_REMEMBERED = Text(en="Remembered: {what}", ko="기억했습니다: {what}")
_FORGOTTEN = Text(en="Forgotten: {what}", ko="잊었습니다: {what}")
_UNKNOWN = Text(
    en="Nothing is remembered about {about!r}. `metaagent memory list` shows what is.",
    ko="{about!r}에 대해 기억하는 것이 없습니다. `metaagent memory list`로 확인하세요.",
)
_KINDS = {
    "fact": Text(en="fact", ko="사실"),
    "preference": Text(en="preference", ko="선호"),
    "conclusion": Text(en="conclusion", ko="결론"),
}
_ASKED = Text(en="asked for on {at}", ko="{at} 요청")
_BY_RULE = Text(en="by rule on {at}", ko="{at} 규칙")
_SESSION = Text(en="session {id}", ko="세션 {id}")
_SURE = Text(en="confidence {value:.0%}", ko="신뢰도 {value:.0%}")
_UNTIL = Text(en="until {day}", ko="{day}까지")
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
            lines = [line for each in known for line in _lines(each, app.settings.zone)]
            _print(lines or [_NOTHING.say(ui_language())])
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
            lines = [_FORGOTTEN.say(ui_language(), what=_said(each)) for each in gone]
            _print(lines or [_UNKNOWN.say(ui_language(), about=about or "")])
        return ANSWERED if gone or everything else FAILED

    return run(work, as_json=door.as_json)


def _lines(known: dict[str, Any], zone: ZoneInfo) -> list[str]:
    """What it is; below it where it comes from, how sure it is and how long it holds."""
    language = ui_language()
    day = local_minute(known["updated_at"], zone)
    facts = [
        _KINDS[known["kind"]].say(language),
        (_BY_RULE if "rule" in known["source"] else _ASKED).say(language, at=day),
        *(
            [_SESSION.say(language, id=known["source"]["session_id"])]
            if "session_id" in known["source"]
            else []
        ),
        _SURE.say(language, value=known["confidence"]),
        *([_UNTIL.say(language, day=local_minute(known["expires_at"], zone))] if known["expires_at"] else []),
        known["id"],
    ]
    return [_said(known), f"  {' · '.join(facts)}"]


def _said(known: dict[str, Any]) -> str:
    return for_terminal(said(Memory(**known), ui_language()))


def _print(lines: list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
