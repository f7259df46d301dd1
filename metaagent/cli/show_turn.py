"""A turn from the inside, for `metaagent sessions show` with --turn, --field or --diff."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text as RichText

from metaagent.cli.door import Door, Reply
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, Text
from metaagent.inspection.inspector import ABSENT, Difference, TurnPicture
from metaagent.inspection.labels import label, phase_label
from metaagent.inspection.report import step_seconds
from metaagent.monitor import say_bytes
from metaagent.protection.escaping import for_terminal

_ONE_OF = Text(
    en="--diff compares two turns by itself; leave out --turn and --field.",
    ko="--diff는 두 턴을 비교합니다. --turn, --field와 함께 쓸 수 없습니다.",
)
_SAME = Text(en="The states are the same.", ko="두 상태가 같습니다.")
LONGEST_VALUE = 300


async def show_inside(
    door: Door, session: str, turn: int | None, field: str | None, diff: tuple[int, int] | None
) -> Reply:
    if diff is not None and (turn is not None or field is not None):
        raise InputRefused(_ONE_OF)
    async with door.open_to_read() as app:
        inspector = await app.inspect(session, user=door.user)
        if diff is not None:
            return _diff(session, diff, await inspector.diff(*diff))
        if field is None:
            return _picture(await inspector.picture(turn))
        values = [asdict(value) for value in await inspector.field_history(field, turn)]
    table = _table("node", "time", "")
    for value in values:
        table.add_row(_safe(value["node"]), _safe((value["created_at"] or "")[11:23]), _safe(value["value"]))
    return Reply({"session_id": session, "field": field, "history": values}, [table])


def _diff(session: str, turns: tuple[int, int], found: list[Difference]) -> Reply:
    table = _table("", str(turns[0]), str(turns[1]))
    changes: list[dict[str, Any]] = []
    for one in found:
        sides = {"before": one.before, "after": one.after}
        changes.append({"path": one.path, **{k: value for k, value in sides.items() if value is not ABSENT}})
        table.add_row(
            _safe(one.path), f"[red]{_safe(one.before)}[/red]", f"[green]{_safe(one.after)}[/green]"
        )
    content = {"session_id": session, "turns": list(turns), "changes": changes}
    return Reply(content, [table if found else _SAME.say(ui_language())])


def _picture(picture: TurnPicture) -> Reply:
    turn, whole = picture.turn, asdict(picture)
    content = {
        "session_id": turn.session_id,
        "turn_id": turn.turn_id,
        "number": turn.number,
        "status": turn.status,
        "question": turn.question,
        "answer": turn.outcome.get("answer"),
        **{name: value for name, value in whole.items() if name != "turn"},
    }
    return Reply(content, _picture_lines(picture))


def _picture_lines(picture: TurnPicture) -> list[Any]:
    turn, language = picture.turn, ui_language()
    status = f"{label(turn.status, language)} · {picture.seconds:.2f} s"
    spent = [f"{phase_label(span.phase, language)} {span.seconds:.3f} s" for span in picture.phases]
    nodes = _table("node", "size", "→")
    for mark in picture.nodes:
        moved = mark.change["phase_transition"]
        nodes.add_row(_safe(mark.node), say_bytes(mark.change["size"]), _safe(moved["to"]) if moved else "")
    steps = _table("step", "agent", "status", "duration", "result")
    for step in picture.steps:
        steps.add_row(
            _safe(step.get("step_id")),
            _safe(step.get("agent_name")),
            label(step.get("status"), language),
            f"{step_seconds(step):.2f} s",
            _safe(step.get("error") or step.get("result") or ""),
        )
    return [
        RichText.from_markup(f"[bold]{turn.number}. {_safe(turn.question)}[/bold] [dim]{status}[/dim]"),
        RichText(" · ".join(spent), "dim"),
        nodes,
        steps,
        *(RichText.from_markup(f"[red]✗[/red] {_safe(e.get('message'))}") for e in picture.errors),
        *(RichText.from_markup(f"[yellow]![/yellow] {_safe(w.get('text'))}") for w in picture.warnings),
    ]


def _table(*heads: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for head in heads:
        table.add_column(label(head, ui_language()), overflow="fold")
    return table


def _safe(value: object) -> str:
    shown = value if isinstance(value, str) else repr(value) if value is not None else "–"
    line = " ".join(shown.split())
    return escape(for_terminal(line if len(line) <= LONGEST_VALUE else line[:LONGEST_VALUE] + "…"))
