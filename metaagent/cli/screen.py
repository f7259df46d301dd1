"""What a person sees of a turn: a live to-do list on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text as RichText

from metaagent.errors import Text
from metaagent.runtime import Answer

_MARKS = {"pending": "○", "in_progress": "◔", "completed": "●", "failed": "✗", "skipped": "–"}
_STYLES = {
    "pending": "dim",
    "in_progress": "cyan",
    "completed": "green",
    "failed": "red",
    "skipped": "yellow",
}
_THINKING = Text(en="Understanding the question…", ko="질문을 이해하는 중…")
_CONFIDENCE = Text(en="confidence {value:.0%}", ko="신뢰도 {value:.0%}")
_SESSION = Text(en="session {id}", ko="세션 {id}")
_MADE = Text(en="made: {kind} {id}", ko="산출물: {kind} {id}")
_MORE = Text(en="… {count} more rows", ko="… 외 {count}행")
_CHART = Text(
    en="chart: metaagent export {session} {id} --format png -o chart.png",
    ko="차트: metaagent export {session} {id} --format png -o chart.png",
)
ROWS_SHOWN = 12


def say_error(message: str) -> None:
    Console(stderr=True, highlight=False).print(f"[red]{escape(message)}[/red]", soft_wrap=True)


class Screen:
    """Holds the terminal while a turn runs. Progress goes to standard error, answers to standard output."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._progress = Console(stderr=True, highlight=False)
        self._out = Console(highlight=False)
        self._live: Live | None = None
        self._language = "en"
        self._seen: dict[str, str] = {}

    def __enter__(self) -> Screen:
        if not self._quiet and self._progress.is_terminal:
            self._live = Live(console=self._progress, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, event: dict[str, Any]) -> None:
        if self._quiet:
            return
        if event["type"] == "planning_start":
            self._language = "ko" if any("가" <= char <= "힣" for char in event["question"]) else "en"
            if self._live is not None:
                self._live.update(Spinner("dots", _THINKING.say(self._language)))
        elif event["type"] in {"execution_start", "todo_updated"}:
            self._steps(event["steps"])
        elif event["type"] == "replan":
            self.note(f"↻ {event['reason']}")

    def conclude(self, answer: Answer, tables: Sequence[dict[str, Any]] = ()) -> None:
        if answer.status == "waiting":
            self._question(answer)
            return
        if answer.status != "completed":
            say_error(answer.text)
            return
        self._say(answer.text)
        for table in tables:
            self._out.print(self._table(table))
        self.note(self._footer(answer))
        self._how_to_export(answer)

    def note(self, text: str) -> None:
        if not self._quiet:
            self._progress.print(f"[dim]{escape(text)}[/dim]", soft_wrap=True)

    def _question(self, answer: Answer) -> None:
        for question in answer.content.get("waiting") or ():
            self._say(question["question"])
            for number, option in enumerate(question.get("options") or (), 1):
                self._say(f"  {number}. {option}")

    def _say(self, text: str) -> None:
        """As it is: what looks like markup or a name of an emoji in an answer is text."""
        self._out.print(text, soft_wrap=True, markup=False, emoji=False)

    def _footer(self, answer: Answer) -> str:
        parts = [_SESSION.say(self._language, id=answer.session_id)]
        if answer.content.get("confidence") is not None:
            parts.insert(0, _CONFIDENCE.say(self._language, value=answer.content["confidence"]))
        parts += [
            _MADE.say(self._language, kind=ref["kind"], id=ref["id"])
            for ref in answer.content.get("artifacts") or ()
        ]
        return " · ".join(parts)

    def _table(self, dataset: dict[str, Any]) -> Table:
        """The first rows; numbers right, as people write them."""
        from metaagent.level2.data_analysis.findings import readable
        from metaagent.level2.data_analysis.format import format_value, full_number, unit_label

        made = readable(dataset["columns"], dataset["rows"][:ROWS_SHOWN])
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in made["columns"]:
            said = unit_label(column.get("unit"), "ko" if self._language == "ko" else "en")
            unit = f" ({said})" if said and column.get("unit") != "ratio" else ""
            table.add_column(
                escape(f"{column['label']}{unit}"), justify="right" if column["type"] == "number" else "left"
            )
        for row in made["rows"]:
            cells: list[str] = []
            for column, cell in zip(made["columns"], row, strict=True):
                if cell is None:
                    cells.append("–")
                elif column.get("unit") == "ratio" and isinstance(cell, int | float):
                    cells.append(format_value(cell, "ratio", "ko" if self._language == "ko" else "en"))
                else:
                    cells.append(full_number(cell) if isinstance(cell, int | float) else escape(str(cell)))
            table.add_row(*cells)
        left = (dataset.get("row_count") or 0) - len(made["rows"])
        if left > 0:
            table.caption = _MORE.say(self._language, count=left)
        return table

    def _how_to_export(self, answer: Answer) -> None:
        charts = [ref for ref in answer.content.get("artifacts") or () if ref["kind"] == "chart"]
        if charts:
            self.note(_CHART.say(self._language, session=answer.session_id, id=charts[0]["id"]))

    def _steps(self, steps: list[dict[str, Any]]) -> None:
        if self._live is not None:
            self._live.update(_todo_table(steps))
            return
        for number, step in enumerate(steps, 1):
            now = f"{step['status']} {step['error']}"
            if self._seen.get(step["step_id"]) != now and step["status"] != "pending":
                self._seen[step["step_id"]] = now
                line = f"{_MARKS[step['status']]} {number}/{len(steps)} {step['description']}"
                sys.stderr.write(f"{line}: {step['error']}\n" if step["error"] else f"{line}\n")


def _todo_table(steps: list[dict[str, Any]]) -> Table:
    table = Table.grid(padding=(0, 1))
    for step in steps:
        style = _STYLES[step["status"]]
        note = step["error"] or step["result"] or ""
        percent = f"{step['progress_percentage']}%" if step["status"] == "in_progress" else ""
        table.add_row(
            RichText(_MARKS[step["status"]], style=style),
            RichText(step["description"], style=style),
            RichText(percent, style="cyan"),
            RichText(note.splitlines()[0][:80] if note else "", style="dim"),
        )
    return table
