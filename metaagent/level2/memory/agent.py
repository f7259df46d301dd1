"""The memory agent: remembers, corrects, forgets and shows what is known of the person, at the person's request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from metaagent.level2.memory.requests import take
from metaagent.plugin import Artifact, Capability, Context, NeedsInput, Result, Task, Text, agent
from metaagent.values import local_minute

_REMEMBERED = Text(en="Remembered: {what}.", ko="기억했습니다: {what}.")
_CORRECTED = Text(en="Corrected: {what} (before: {before}).", ko="고쳤습니다: {what} (이전: {before}).")
_FORGOTTEN = Text(en="Forgotten: {what}.", ko="잊었습니다: {what}.")
_UNKNOWN = Text(
    en="I remember nothing about {about!r}, so there is nothing to forget.",
    ko="{about!r}에 대해 기억하는 것이 없어 잊을 것이 없습니다.",
)
_NOTHING = Text(en="I remember nothing about you yet.", ko="아직 기억하고 있는 것이 없습니다.")
_NOTHING_ABOUT = Text(en="I remember nothing about {about!r}.", ko="{about!r}에 대해 기억하는 것이 없습니다.")
_ALL_FORGOTTEN = Text(en="Forgotten, {count} things:", ko="{count}개를 잊었습니다:")
_MORE = Text(
    en="… and {count} more conclusions; `metaagent memory list` shows all.",
    ko="… 외 결론 {count}개. 모두 보려면 `metaagent memory list`.",
)
BY_RULE = 5
"""Conclusions by rule that are shown at once."""

_KNOWN = Text(en="This is what I remember:", ko="기억하고 있는 것:")
_WHICH = Text(en="What should I forget?", ko="무엇을 잊을까요?")
_EVERYTHING = Text(en="everything", ko="전부")
_NO_ANSWER = Text(en="There is no answer yet that could be remembered.", ko="아직 기억할 답변이 없습니다.")
_UNTIL = Text(en="until {date}", ko="{date}까지")


@agent(
    name="memory",
    description=Text(en="Remember what you ask me to", ko="요청한 내용 기억하기"),
    capabilities=[
        Capability(
            "memory",
            ko=("기억해줘", "기억해 주세요", "뭘 기억"),
            en=("what do you remember about me", "remember this about me"),
        )
    ],
    produces={"memories": None},
    needs=["memory"],
    timeout=15,
    cost=0.1,
    seconds=0.1,
    takes=take,
)
async def memory(task: Task, ctx: Context) -> Result:
    language = ctx.shared.get("language", "en")
    requests: list[Mapping[str, Any]] = list(
        (task.request.get("taken") or {}).get("memory") or [{"op": "show"}]
    )
    lines: list[str] = []
    for request in requests:
        lines += await _DONE[request["op"]](request, task, ctx, language)
    done = [
        {key: r.get(key) for key in ("op", "kind", "key", "value", "about", "expires_at")} for r in requests
    ]
    return Result(summary="\n".join(lines), confidence=1.0, artifacts=[Artifact("memories", done)])


async def _remember(request: Mapping[str, Any], task: Task, ctx: Context, language: str) -> list[str]:
    if request.get("kind") == "conclusion" and not request.get("value"):
        return [_NO_ANSWER.say(language)]
    note = {key: value for key, value in request.items() if key != "op"}
    (known,) = await ctx.memory.remember([note])
    what = known["shown"]
    if known.get("expires_at"):
        zone = ZoneInfo((task.request.get("user_context") or {}).get("timezone") or "UTC")
        what += f" ({_UNTIL.say(language, date=local_minute(known['expires_at'], zone))})"
    before = known.get("before")
    said = _CORRECTED if before else _REMEMBERED
    return [said.say(language, what=what, before=before)]


async def _forget(request: Mapping[str, Any], task: Task, ctx: Context, language: str) -> list[str]:
    about, everything = request.get("about") or "", bool(request.get("all"))
    if not about and not everything:
        about = await _asked(task, ctx, language)
        everything = about == _EVERYTHING.say(language)
    found = await ctx.memory.all() if everything else await ctx.memory.find(about)
    if not found:
        return [_NOTHING.say(language) if everything else _UNKNOWN.say(language, about=about)]
    await ctx.memory.forget([each["id"] for each in found])
    if len(found) == 1:
        return [_FORGOTTEN.say(language, what=found[0]["shown"])]
    return [_ALL_FORGOTTEN.say(language, count=len(found)), *_shown(found, language)]


async def _asked(task: Task, ctx: Context, language: str) -> str:
    if task.answers:
        return str(task.answers[-1])
    options = [each["shown"] for each in (await ctx.memory.all())[:9]]
    raise NeedsInput(_WHICH.say(language), options=[*options, _EVERYTHING.say(language)])


async def _show(request: Mapping[str, Any], task: Task, ctx: Context, language: str) -> list[str]:
    about = request.get("about")
    known = await (ctx.memory.find(about) if about else ctx.memory.all())
    if not known:
        return [_NOTHING_ABOUT.say(language, about=about) if about else _NOTHING.say(language)]
    return [_KNOWN.say(language), *_shown(known, language)]


def _shown(known: Sequence[Mapping[str, Any]], language: str) -> list[str]:
    """List what was asked for, then the newest of what turns left by themselves."""
    told = [each for each in known if "rule" not in each["source"]]
    left = [each for each in known if "rule" in each["source"]]
    lines = [f"- {each['shown']}" for each in (*told, *left[:BY_RULE])]
    more = len(left) - BY_RULE
    return [*lines, *([_MORE.say(language, count=more)] if more > 0 else [])]


_DONE = {"remember": _remember, "forget": _forget, "show": _show}
