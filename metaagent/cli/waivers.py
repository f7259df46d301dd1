"""`metaagent rules waive`, `waivers` and `end-waiver`: rules that may be broken for a time, by one content or by all."""

from __future__ import annotations

from typing import Annotated

import typer

from metaagent.cli.door import Door, Reply
from metaagent.cli.options import NOW, OFFICER, command
from metaagent.cli.rules import known_rule
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

_SHARED = (*OFFICER, NOW)

_MADE = Text(en="{id}: {rule} is waived until {until}.", ko="{id}: {until}까지 {rule} 규칙에 예외를 둡니다.")
_LINE = Text(
    en="{id}  {rule}  for {scope}  until {until}: {reason}",
    ko="{id}  {rule}  대상 {scope}  {until}까지: {reason}",
)
_NONE = Text(en="No rule is waived.", ko="예외를 둔 규칙이 없습니다.")
_ENDED = Text(en="The waiver {id} has ended.", ko="예외 {id}이(가) 끝났습니다.")

Reason = Annotated[str, typer.Option("--reason", help="Why; it is on record.")]


def add_to(rules: typer.Typer) -> None:
    command(rules, "waive", _SHARED)(waive)
    command(rules, "waivers", _SHARED)(waivers)
    command(rules, "end-waiver", _SHARED)(end_waiver)


async def waive(
    door: Door,
    rule: Annotated[str, typer.Argument(help="The rule, as `rules list` names it.")],
    reason: Reason,
    until: Annotated[str, typer.Option("--until", help="The last day on which it counts, e.g. 2025-03-31.")],
    scope: Annotated[
        str, typer.Option("--scope", help="The hash of the one content that it is for; `*` for all.")
    ],
) -> Reply:
    """Let a rule be broken for a time. Needs the role compliance_officer."""
    name = known_rule(door, rule)
    async with door.open() as app:
        made = await app.governance.waive(name, scope=scope, until=until, reason=reason, user=door.user)
    return Reply(made._asdict(), [_MADE.say(ui_language(), **made._asdict())])


async def waivers(door: Door) -> Reply:
    """List the waivers that are in force."""
    async with door.open() as app:
        found = [each._asdict() for each in await app.governance.waivers(user=door.user)]
    language = ui_language()
    return Reply({"waivers": found}, [_LINE.say(language, **each) for each in found] or [_NONE.say(language)])


async def end_waiver(
    door: Door, waiver: Annotated[str, typer.Argument(help="Its id.")], reason: Reason
) -> Reply:
    """End a waiver before its time."""
    async with door.open() as app:
        await app.governance.waiver_end(waiver, reason=reason, user=door.user)
    return Reply({"waiver": waiver, "in_force": False}, [_ENDED.say(ui_language(), id=waiver)])
