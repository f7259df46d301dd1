"""`sessions show` with --turn, --field or --diff, and `sessions report`: a turn from the inside."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from metaagent import __version__
from metaagent.cli.asking import ANSWERED, Door, print_json, run
from metaagent.cli.starting import ui_language
from metaagent.errors import InputRefused, StorageError, Text
from metaagent.inspection.inspector import ABSENT, Difference, TurnPicture
from metaagent.inspection.report import render_report
from metaagent.inspection.report_svg import LABELS, PHASES, step_seconds
from metaagent.monitor import say_bytes
from metaagent.protection.escaping import for_terminal

_WROTE = Text(en="Wrote {path} ({size}).", ko="{path}에 저장했습니다({size}).")
_ONE_OF = Text(
    en="--diff compares two turns by itself; leave out --turn and --field.",
    ko="--diff는 두 턴을 비교합니다. --turn, --field와 함께 쓸 수 없습니다.",
)
_NOT_WRITTEN = Text(
    en="The report cannot be written to {path}: {problem}. Choose another place with -o.",
    ko="보고서를 {path}에 쓸 수 없습니다: {problem}. -o로 다른 곳을 지정하세요.",
)
_SAME = Text(en="The states are the same.", ko="두 상태가 같습니다.")
LONGEST_VALUE = 300


def show_inside(
    door: Door, session: str, turn: int | None, field: str | None, diff: tuple[int, int] | None
) -> int:
    async def work() -> int:
        if diff is not None and (turn is not None or field is not None):
            raise InputRefused(_ONE_OF)
        async with door.open() as app:
            inspector = await app.inspect(session, user=door.user)
            if diff is not None:
                _show_diff(door, session, diff, await inspector.diff(*diff))
            elif field is not None:
                found = await inspector.field_history(field, turn)
                values = [asdict(value) for value in found]
                _show(
                    door, {"session_id": session, "field": field, "history": values}, _history_table(values)
                )
            else:
                picture = await inspector.picture(turn)
                _show(door, _picture_json(picture), *_picture_tables(picture))
        return ANSWERED

    return run(work, as_json=door.as_json)


def write_report(door: Door, session: str, turn: int | None, output: Path | None) -> int:
    async def work() -> int:
        async with door.open() as app:
            picture = await (await app.inspect(session, user=door.user)).picture(turn)
        page = render_report(picture, version=__version__)
        path = output or Path(f"metaagent-{session}-{picture.turn.number}.html")
        try:
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            raise StorageError(_NOT_WRITTEN, path=path, problem=error.strerror) from error
        size = len(page.encode())
        if door.as_json:
            print_json(
                {
                    "session_id": session,
                    "turn": picture.turn.number,
                    "path": str(path.absolute()),
                    "bytes": size,
                }
            )
        else:
            said = _WROTE.say(ui_language(), path=path, size=say_bytes(size))
            Console(highlight=False).print(escape(said), soft_wrap=True)
        return ANSWERED

    return run(work, as_json=door.as_json)


def _show(door: Door, content: dict[str, Any], *tables: Table | str) -> None:
    if door.as_json:
        print_json(content)
        return
    console = Console(highlight=False)
    for table in tables:
        console.print(table)


def _show_diff(door: Door, session: str, turns: tuple[int, int], found: list[Difference]) -> None:
    changes = [_difference(one) for one in found]
    table = _table("", str(turns[0]), str(turns[1]))
    for one in found:
        table.add_row(
            _safe(one.path), f"[red]{_safe(one.before)}[/red]", f"[green]{_safe(one.after)}[/green]"
        )
    shown = table if found else _SAME.say(ui_language())
    _show(door, {"session_id": session, "turns": list(turns), "changes": changes}, shown)


def _difference(one: Difference) -> dict[str, Any]:
    sides = {"before": one.before, "after": one.after}
    return {"path": one.path, **{name: value for name, value in sides.items() if value is not ABSENT}}


def _history_table(values: list[dict[str, Any]]) -> Table:
    table = _table(_label("node"), _label("time"), "")
    for value in values:
        table.add_row(_safe(value["node"]), _safe((value["created_at"] or "")[11:23]), _safe(value["value"]))
    return table


def _picture_json(picture: TurnPicture) -> dict[str, Any]:
    turn = picture.turn
    whole = asdict(picture)
    return {
        "session_id": turn.session_id,
        "turn_id": turn.turn_id,
        "number": turn.number,
        "status": turn.status,
        "question": turn.question,
        "answer": turn.outcome.get("answer"),
        **{name: value for name, value in whole.items() if name != "turn"},
    }


def _picture_tables(picture: TurnPicture) -> list[Table | str]:
    turn = picture.turn
    head = f"[bold]{turn.number}. {_safe(turn.question)}[/bold] [dim]{_status(turn.status)} · {picture.seconds:.2f} s[/dim]"
    language = ui_language()
    phases = " · ".join(
        f"{PHASES[span.phase].say(language) if span.phase in PHASES else span.phase} {span.seconds:.3f} s"
        for span in picture.phases
    )
    nodes = _table(_label("node"), _label("size"), "→")
    for mark in picture.nodes:
        moved = mark.change["phase_transition"]
        nodes.add_row(_safe(mark.node), say_bytes(mark.change["size"]), _safe(moved["to"]) if moved else "")
    steps = _table(_label("step"), _label("agent"), _label("status"), _label("duration"), _label("result"))
    for step in picture.steps:
        said = step.get("error") or step.get("result") or ""
        steps.add_row(
            _safe(step.get("step_id")),
            _safe(step.get("agent_name")),
            _status(step.get("status")),
            f"{step_seconds(step):.2f} s",
            _safe(said),
        )
    problems = [f"[red]✗[/red] {_safe(e.get('message'))}" for e in picture.errors]
    problems += [f"[yellow]![/yellow] {_safe(w.get('text'))}" for w in picture.warnings]
    return [head, f"[dim]{phases}[/dim]", nodes, steps, *problems]


def _table(*heads: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _label(name: str) -> str:
    return LABELS[name].say(ui_language())


def _status(name: object) -> str:
    return _label(name) if isinstance(name, str) and name in LABELS else _safe(name)


def _safe(value: object) -> str:
    shown = value if isinstance(value, str) else repr(value) if value is not None else "–"
    line = " ".join(shown.split())
    return escape(for_terminal(line if len(line) <= LONGEST_VALUE else line[:LONGEST_VALUE] + "…"))
