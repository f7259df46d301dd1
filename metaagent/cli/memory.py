"""`metaagent memory`: facts, preferences and conclusions that are remembered of a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

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

memory_app = typer.Typer(no_args_is_help=True, help="See, add and forget what is remembered of you.")


@command(memory_app, "list")
async def list_(door: Door) -> Reply:
    """Facts, preferences and conclusions that are remembered, the newest first."""
    async with door.open() as app:
        known = await app.memories(user=door.user)
    lines = [line for each in known for line in _lines(each, app.settings.zone)]
    return Reply(known, lines or [_NOTHING.say(ui_language())])


@command(memory_app, "add")
async def add(
    door: Door, text: Annotated[str, typer.Argument(help="A fact or preference, as you would say it.")]
) -> Reply:
    """Remember something; what is known under the same name is replaced."""
    async with door.open() as app:
        known = await app.remember(text, user=door.user)
    return Reply(known, [_REMEMBERED.say(ui_language(), what=known["shown"])])


@command(memory_app, "forget")
async def forget(
    door: Door,
    about: Annotated[
        str | None, typer.Argument(help="Its id, its name or words of it.", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that is remembered of you.")] = False,
) -> Reply:
    """Forget something, or everything."""
    if not about and not everything:
        raise InputRefused(_WHICH)
    async with door.open() as app:
        if everything:
            gone = await app.memories(user=door.user)
            await app.erase_memories(door.user)
        else:
            gone = await app.forget(about or "", user=door.user)
    lines = [_FORGOTTEN.say(ui_language(), what=_said(each)) for each in gone]
    nothing = _NOTHING.say(ui_language()) if everything else _UNKNOWN.say(ui_language(), about=about)
    return Reply(gone, lines or [nothing], ANSWERED if gone or everything else FAILED)


def _lines(known: dict[str, Any], zone: ZoneInfo) -> Iterator[str]:
    """A memory; below it where it comes from, how sure it is and how long it holds."""
    from metaagent.values import local_minute

    language, source = ui_language(), known["source"]
    facts = [
        _KINDS[known["kind"]].say(language),
        (_BY_RULE if "rule" in source else _ASKED).say(language, at=local_minute(known["updated_at"], zone)),
        _SESSION.say(language, id=source["session_id"]) if "session_id" in source else "",
        _SURE.say(language, value=known["confidence"]),
        _UNTIL.say(language, day=local_minute(known["expires_at"], zone)) if known["expires_at"] else "",
        known["id"],
    ]
    yield _said(known)
    yield "  " + " · ".join(fact for fact in facts if fact)


def _said(known: dict[str, Any]) -> str:
    from metaagent.memory.recall import Memory, said

    return said(Memory(**known), ui_language())
