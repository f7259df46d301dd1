"""Commands that only look: agents and sessions. `sessions delete` looks, asks, then removes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from metaagent.cli.asking import ANSWERED, FAILED, Door, print_json, run
from metaagent.cli.screen import Screen
from metaagent.cli.starting import ui_language
from metaagent.config import load_settings
from metaagent.errors import Text
from metaagent.inspection.report_svg import LABELS, clip
from metaagent.isolation.host import ChildHost, isolated
from metaagent.plugin import AgentSpec
from metaagent.ports import SessionInfo
from metaagent.protection.escaping import for_terminal
from metaagent.registry import Registry, load_registry
from metaagent.values import local_minute

_NO_AGENTS = Text(
    en="No agent is installed. docs/writing-an-agent.md shows how to write one in 25 lines.",
    ko="설치된 에이전트가 없습니다. docs/writing-an-agent.md에 25줄로 만드는 방법이 있습니다.",
)
_NO_SESSIONS = Text(
    en='No session yet. Begin with: metaagent ask "..."',
    ko='아직 세션이 없습니다. metaagent ask "..."로 시작하세요.',
)
_NOT_FOUND = Text(en="Nothing holds {text!r}.", ko="{text!r}이(가) 들어 있는 것을 찾지 못했습니다.")
_ROLES = {"user": Text(en="you", ko="질문"), "assistant": Text(en="metaagent", ko="답")}
_NO_TITLE = Text(en="(damaged, cannot be read)", ko="(손상되어 읽을 수 없음)")
_INTERRUPTED = Text(
    en="The last question was cut off. Finish it with: metaagent resume {session}{options}",
    ko="마지막 질문이 중간에 끊겼습니다. 마치려면: metaagent resume {session}{options}",
)
_SURE = Text(
    en="Delete session {session} with its {turns} turns and everything made in it? [y/N] ",
    ko="세션 {session}의 턴 {turns}개와 산출물을 모두 삭제할까요? [y/N] ",
)
_KEPT = Text(
    en="Nothing was deleted (--yes deletes without asking).",
    ko="삭제하지 않았습니다(--yes를 쓰면 묻지 않고 삭제합니다).",
)
_REMOVED = {
    "events": Text(en="{count} events", ko="이벤트 {count}개"),
    "artifacts": Text(en="{count} artifacts", ko="산출물 {count}개"),
    "messages": Text(en="{count} messages", ko="메시지 {count}개"),
    "turns": Text(en="{count} turns", ko="턴 {count}개"),
    "sessions": Text(en="{count} session", ko="세션 {count}개"),
}
NARROW = 66
_DELETED = Text(en="Deleted: {what}.", ko="삭제함: {what}.")


def show_agents(config: Path | None, *, as_json: bool) -> int:
    async def work() -> int:
        rules = load_settings(config).agents
        registry = isolated(load_registry(rules), rules.isolate, ChildHost())
        if as_json:
            print_json(
                {
                    "agents": [_agent(s, registry) for s in registry.agents.values()],
                    "problems": _problems(registry),
                }
            )
        else:
            _print_agents(registry)
        return FAILED if any(not p.refused for p in registry.problems) else ANSWERED

    return run(work, as_json=as_json)


def _agent(spec: AgentSpec, registry: Registry) -> dict[str, Any]:
    return {
        "name": spec.name,
        "package": registry.packages.get(spec.name, ""),
        "description": spec.description.say(ui_language()),
        "capabilities": [c.name for c in spec.capabilities],
        "consumes": list(spec.consumes),
        "produces": list(spec.produces),
        "needs": sorted(spec.needs),
        "permissions": list(spec.permissions),
        "side_effects": spec.side_effects,
        "enabled": not registry.is_disabled(spec.name),
    }


def _problems(registry: Registry) -> list[dict[str, Any]]:
    language = ui_language()
    return [
        {"name": p.name, "package": p.package, "refused": p.refused, "message": p.say(language)}
        for p in registry.problems
    ]


def _print_agents(registry: Registry) -> None:
    console = Console(highlight=False)
    if not registry.agents and not registry.problems:
        console.print(_NO_AGENTS.say(ui_language()))
    for spec in registry.agents.values():
        agent = _agent(spec, registry)
        mark = "●" if agent["enabled"] else "○"
        flow = f"{', '.join(agent['consumes']) or '·'} → {', '.join(agent['produces'])}"
        console.print(
            f"[bold]{mark} {spec.name}[/bold] [dim]({escape(agent['package'])})[/dim] {escape(agent['description'])}"
        )
        console.print(
            f"   [cyan]{escape(', '.join(agent['capabilities']))}[/cyan]  [dim]{escape(flow)}[/dim]"
        )
    for problem in _problems(registry):
        style = "yellow" if problem["refused"] else "red"
        console.print(
            f"[{style}]✗ {escape(problem['name'])}[/{style}] [dim]({escape(problem['package'])})[/dim] {escape(problem['message'])}"
        )


def list_sessions(door: Door, limit: int, find: str | None) -> int:
    async def work() -> int:
        async with door.open() as app:
            if find is None:
                found = await app.sessions(user=door.user, limit=limit)
            else:
                found = await app.search_sessions(find, user=door.user, limit=limit)
        if door.as_json:
            print_json({"sessions": [vars(info) for info in found]})
        elif not found:
            nothing = _NO_SESSIONS if find is None else _NOT_FOUND
            Console().print(escape(nothing.say(ui_language(), text=find)))
        else:
            _print_sessions(found, app.settings.zone)
        return ANSWERED

    return run(work, as_json=door.as_json)


def _print_sessions(found: Sequence[SessionInfo], zone: ZoneInfo) -> None:
    rows = [
        (info.session_id, local_minute(info.updated_at, zone), str(info.turns), _word(info.status))
        for info in found
    ]
    heads = [_word(name) for name in ("session", "updated", "turns", "status", "title")]
    console = Console(highlight=False)
    if console.width < NARROW:  # the session, its state and its title are what one needs
        heads = [heads[0], *heads[3:]]
        rows = [(row[0], row[3]) for row in rows]
    taken = sum(max(map(cell_len, column)) + 2 for column in zip(heads, *rows, strict=False))
    table = Table(
        *(Column(head, no_wrap=True) for head in heads), box=None, header_style="dim", pad_edge=False
    )
    for row, info in zip(rows, found, strict=True):
        # Cut here: left to the table, Korean titles lose characters where they wrap.
        title = for_terminal(info.title) or _NO_TITLE.say(ui_language())
        table.add_row(*row, escape(clip(title, max(8, console.width - taken))))
    console.print(table)


def _word(name: str) -> str:
    return LABELS[name].say(ui_language()) if name in LABELS else name


def find_in_session(door: Door, session: str, text: str) -> int:
    """What was said that holds the text, the newest first."""

    async def work() -> int:
        async with door.open() as app:
            found = await app.search_history(session, text, user=door.user)
        if door.as_json:
            print_json({"session_id": session, "found": found})
            return ANSWERED
        console = Console(highlight=False)
        for one in found:
            at, who = (
                local_minute(one["created_at"], app.settings.zone),
                _ROLES[one["role"]].say(ui_language()),
            )
            console.print(f"[bold]{one['turn']}[/bold] [dim]{at} {who}[/dim]")
            console.print(escape(for_terminal(one["content"])), soft_wrap=True)
        if not found:
            console.print(escape(_NOT_FOUND.say(ui_language(), text=text)))
        return ANSWERED

    return run(work, as_json=door.as_json)


def show_session(door: Door, session: str) -> int:
    async def work() -> int:
        async with door.open() as app:
            info = await app.session(session, user=door.user)
            turns = list(reversed(await app.turns(session, user=door.user)))
        if door.as_json:
            print_json({"session_id": session, "turns": [_turn(turn) for turn in turns]})
            return ANSWERED
        console = Console(highlight=False)
        for turn in turns:
            at = local_minute(turn.started_at, app.settings.zone)
            status = info.status if turn.number == info.turns else turn.status
            console.print(
                f"[bold]{turn.number}. {escape(for_terminal(turn.question))}[/bold] [dim]{at} {_word(status)}[/dim]"
            )
            for step in turn.outcome.get("steps") or ():
                console.print(
                    f"   [dim]{step['step_id']} {escape(step['agent_name'])}: {_word(step['status'])}[/dim]"
                )
            for problem in turn.outcome.get("errors") or () if not turn.question else ():
                said = problem.get("message_ko" if ui_language() == "ko" else "message") or problem["message"]
                console.print(f"[red]✗ {escape(said)}[/red]", soft_wrap=True)
            if turn.outcome.get("answer"):
                console.print(escape(for_terminal(turn.outcome["answer"])), soft_wrap=True)
            if turn.waiting:
                Screen(ui_language(), options=door.options).ask(turn.waiting, session)
        if info.status == "interrupted":
            how = _INTERRUPTED.say(ui_language(), session=session, options=door.options)
            console.print(escape(how), soft_wrap=True)
        return ANSWERED

    return run(work, as_json=door.as_json)


def _turn(turn: Any) -> dict[str, Any]:
    return {
        "turn_id": turn.turn_id,
        "number": turn.number,
        "status": turn.status,
        "question": turn.question,
        "started_at": turn.started_at,
        "ended_at": turn.ended_at,
        **{
            key: turn.outcome.get(key)
            for key in ("answer", "steps", "artifacts", "confidence", "errors", "warnings")
        },
    }


def delete_session(door: Door, session: str, *, sure: bool) -> int:
    language = ui_language()

    async def work() -> int:
        async with door.open() as app:
            info = await app.session(session, user=door.user)
            if not sure and not confirmed(_SURE.say(language, session=session, turns=info.turns)):
                Console().print(_KEPT.say(language))
                return FAILED
            removed = await app.delete_session(session, user=door.user)
        what = ", ".join(
            _REMOVED[name].say(language, count=count) for name, count in removed.items() if count
        )
        Console(highlight=False).print(_DELETED.say(language, what=what))
        return ANSWERED

    return run(work)


def confirmed(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(question).strip().casefold() in {"y", "yes", "네", "예"}
