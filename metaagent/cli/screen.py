"""Shows a turn to a person: a live to-do list on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from shlex import quote
from time import monotonic
from types import TracebackType
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text as RichText

from metaagent.cli.door import say_error
from metaagent.cli.output import out
from metaagent.cli.questions import asked, how_to_answer, how_to_answer_here
from metaagent.cli.startup import quick_language
from metaagent.errors import Text
from metaagent.protection.escaping import for_terminal
from metaagent.runtime import Answer
from metaagent.values import clip

_MARKS = {"pending": "○", "in_progress": "◔", "completed": "●", "failed": "✗", "skipped": "–", "asks": "?"}
_STYLES = {
    "pending": "dim",
    "in_progress": "cyan",
    "completed": "green",
    "failed": "red",
    "skipped": "yellow",
    "asks": "yellow",
}
_TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_THINKING = Text(en="Understanding the question…", ko="질문을 이해하는 중…")
_SECONDS = Text(en="{count}s", ko="{count}초")
_DONE = Text(en="{count} more", ko="외 {count}개")
_CONFIDENCE = Text(en="confidence {value:.0%}", ko="신뢰도 {value:.0%}")
_SESSION = Text(en="session {id}", ko="세션 {id}")
_MADE = Text(en="made: {kind} {id}", ko="산출물: {kind} {id}")
_MORE = Text(en="… {count} more rows", ko="… 외 {count}행")
_CHART = Text(en="The chart as a file:", ko="차트를 파일로:")
_PAPER = Text(en="The document as a file:", ko="문서를 파일로:")
ROWS_SHOWN = 12
MOST_WARNINGS = 5
METER = 7
"""Cells of `80% 12s`: what follows it stays where it is while it grows."""


class Screen:
    """Holds the terminal while a turn runs. Progress goes to standard error, answers to standard output.

    What agents and models say is shown, never obeyed: their control sequences are made visible.
    """

    def __init__(
        self, language: str = "en", *, quiet: bool = False, options: str = "", others: str = ""
    ) -> None:
        self._quiet = quiet
        self._options, self._others = options, others
        self._progress = Console(stderr=True, highlight=False)
        self._out = Console(highlight=False, file=out())
        self._live: Live | None = None
        self.language = language
        self._todo = TodoView(language)
        self._seen: dict[str, str] = {}

    def __enter__(self) -> Screen:
        if not self._quiet and self._progress.is_terminal:
            self._live = Live(
                console=self._progress, transient=True, refresh_per_second=8, redirect_stdout=False
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The terminal as it was: nothing of the list is left, and the cursor is back."""
        if self._live is not None:
            self._live.stop()

    def show(self, event: dict[str, Any]) -> None:
        if event["type"] == "planning_start":
            self._speak(quick_language(event["question"]))
        if self._quiet:
            return
        match event["type"]:
            case "planning_start":
                if self._live is not None:
                    self._live.update(Spinner("dots", _THINKING.say(self.language)))
            case "execution_start" | "todo_updated":
                self._steps(event["steps"])
            case "clarification_needed" if event.get("step_id"):
                self._todo.asked[event["step_id"]] = event["question"]
                self._steps(self._todo.steps)
            case "replan" if event["reason"]:
                self.note(f"↻ {event['reason']}")
            case "token" if self._live is not None:
                self._todo.words = event["text"] if event["restart"] else self._todo.words + event["text"]
                self._live.update(self._todo)
            case _:
                pass

    def conclude(
        self, answer: Answer, tables: Sequence[dict[str, Any]] = (), *, inline: bool = False
    ) -> None:
        """`inline`: the next line that is typed answers what is asked."""
        self._speak((answer.content.get("analysis") or {}).get("language") or self.language)
        if answer.status == "waiting":
            self.ask(answer.content.get("waiting") or (), answer.session_id, inline=inline)
            return
        if answer.status != "completed":
            say_error(answer.text)
            return
        self._say(answer.text)
        for table in tables:
            self._out.print(self._table(table))
        for line in self._footer(answer):
            self.note(line)

    def ask(self, waiting: Sequence[dict[str, Any]], session_id: str, *, inline: bool = False) -> None:
        for line in asked(waiting, self.language):
            self._say(line)
        how = (
            how_to_answer_here(waiting, self.language)
            if inline
            else how_to_answer(waiting, session_id, self._options, self._others, self.language)
        )
        for line in how:
            self.note(line)

    def note(self, text: str) -> None:
        if not self._quiet:
            self._progress.print(f"[dim]{escape(for_terminal(text))}[/dim]", soft_wrap=True)

    def _speak(self, language: str) -> None:
        self.language = self._todo.language = "ko" if language == "ko" else "en"

    def _say(self, text: str) -> None:
        """Print text as it is: markup and names of emoji in an answer stay text."""
        self._out.print(for_terminal(text), soft_wrap=True, markup=False, emoji=False)

    def _footer(self, answer: Answer) -> list[str]:
        """A line for each thing: an id that is broken over two lines cannot be copied."""
        language, made = self.language, answer.content.get("artifacts") or ()
        parts = [_SESSION.say(language, id=answer.session_id)]
        if answer.content.get("confidence"):
            parts.insert(0, _CONFIDENCE.say(language, value=answer.content["confidence"]))
        told = [str(each.get("text") or "") for each in answer.content.get("warnings") or ()]
        lines = [
            *(f"! {text}" for text in told[:MOST_WARNINGS] if text not in answer.text),
            " · ".join(parts),
        ]
        for ref in made:
            form = f" ({ref['group']['format']})" if ref.get("group") else ""
            lines.append(_MADE.say(language, kind=f"{ref['kind']}{form}", id=ref["id"]))
        chart = next((ref["id"] for ref in made if ref["kind"] == "chart"), None)
        paper = next((ref for ref in made if (ref.get("group") or {}).get("format") == "pdf"), None)
        export = f"  metaagent export {answer.session_id}"
        if chart:
            lines += [_CHART.say(language), f"{export} {chart} --format png -o chart.png{self._options}"]
        if paper:
            lines += [
                _PAPER.say(language),
                f"{export} {paper['id']} -o {quote(paper['name'])}{self._options}",
            ]
        return lines

    def _table(self, dataset: dict[str, Any]) -> Table:
        """The first rows; numbers right, as people write them."""
        from metaagent.documents.format import format_value, full_number, unit_label
        from metaagent.level2.data_analysis.view import readable

        made = readable(dataset["columns"], dataset["rows"][:ROWS_SHOWN])
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in made["columns"]:
            said = unit_label(column.get("unit"), "ko" if self.language == "ko" else "en")
            unit = f" ({said})" if said and column.get("unit") != "ratio" else ""
            table.add_column(
                escape(for_terminal(f"{column['label']}{unit}")),
                justify="right" if column["type"] == "number" else "left",
            )
        for row in made["rows"]:
            cells: list[str] = []
            for column, cell in zip(made["columns"], row, strict=True):
                if cell is None:
                    cells.append("–")
                elif column.get("unit") == "ratio" and isinstance(cell, int | float):
                    cells.append(format_value(cell, "ratio", "ko" if self.language == "ko" else "en"))
                elif isinstance(cell, int | float):
                    cells.append(full_number(cell))
                else:
                    cells.append(escape(for_terminal(str(cell))))
            table.add_row(*cells)
        left = (dataset.get("row_count") or 0) - len(made["rows"])
        if left > 0:
            table.caption = _MORE.say(self.language, count=left)
        return table

    def _steps(self, steps: list[dict[str, Any]]) -> None:
        self._todo.update(steps)
        if self._live is not None:
            self._live.update(self._todo)
            return
        for number, step in enumerate(steps, 1):
            status, note = self._todo.status(step), self._todo.trouble(step)
            now = f"{status} {note}"
            if self._seen.get(step["step_id"]) != now and status != "pending":
                self._seen[step["step_id"]] = now
                line = f"{_MARKS[status]} {number}/{len(steps)} {step['description']}"
                sys.stderr.write(for_terminal(f"{line}: {note}" if note else line) + "\n")


class TodoView:
    """The to-do list as a terminal shows it: one line for each step, whatever the width; what moves is seen to move."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.steps: list[dict[str, Any]] = []
        self.asked: dict[str, str] = {}
        self.words = ""
        """The answer as far as a chat model has written it."""
        self._since: dict[str, float] = {}
        self._first: dict[str, str] = {}

    def update(self, steps: list[dict[str, Any]]) -> None:
        self.steps = steps
        for step in steps:
            self._first.setdefault(step["step_id"], step["agent_name"])
            if step["status"] == "in_progress":
                self._since.setdefault(step["step_id"], monotonic())

    def status(self, step: dict[str, Any]) -> str:
        waits = step["status"] == "in_progress" and step["step_id"] in self.asked
        return "asks" if waits else str(step["status"])

    def trouble(self, step: dict[str, Any]) -> str:
        """The error or the question of a step, and the agent that took over."""
        if self.status(step) == "asks":
            return self.asked[step["step_id"]]
        error, agent = step["error"] or "", step["agent_name"]
        taken_over = step["status"] == "in_progress" and agent != self._first.get(step["step_id"])
        return f"{error} → {agent}" if error and taken_over else error

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(3, console.height - 2)
        shown = self._shown(room)
        width = options.max_width
        named = min(max((cell_len(step["description"]) for step in shown), default=0), max(10, width // 2))
        meters = [self._meter(step) for step in shown]
        metered = max(METER, *map(cell_len, meters)) if any(meters) else 0
        for step, meter in zip(shown, meters, strict=True):
            yield self._line(step, meter, named, metered, width)
        if len(shown) < len(self.steps):
            yield RichText(f"  … {_DONE.say(self.language, count=len(self.steps) - len(shown))}", style="dim")
        if self.words:
            lines = RichText(for_terminal(self.words)).wrap(console, width)
            yield from lines[-max(1, room - len(shown) - 1) :]

    def _shown(self, room: int) -> list[dict[str, Any]]:
        """All of them, or, where the terminal is too low, those that are not done yet first."""
        if len(self.steps) <= room:
            return self.steps
        order = ("in_progress", "failed", "pending", "skipped", "completed")
        first = sorted(self.steps, key=lambda step: order.index(step["status"]))[: room - 1]
        chosen = {step["step_id"] for step in first}
        return [step for step in self.steps if step["step_id"] in chosen]

    def _meter(self, step: dict[str, Any]) -> str:
        if self.status(step) != "in_progress":
            return ""
        seconds = int(monotonic() - self._since.get(step["step_id"], monotonic()))
        percent = f"{step['progress_percentage']}%" if step["progress_percentage"] else ""
        elapsed = _SECONDS.say(self.language, count=seconds) if seconds else ""
        return " ".join(part for part in (percent, elapsed) if part)

    def _line(self, step: dict[str, Any], meter: str, named: int, metered: int, width: int) -> RichText:
        status = self.status(step)
        style = _STYLES[status]
        mark = _TURNING[int(monotonic() * 8) % len(_TURNING)] if status == "in_progress" else _MARKS[status]
        name = clip(for_terminal(step["description"]), named)
        note = (self.trouble(step) or step["result"] or "").strip().partition("\n")[0]
        line = RichText(f"{mark} {name}", style=style, no_wrap=True)
        line.append(" " * (named - cell_len(name) + 1))
        if metered:
            line.append(meter + " " * (metered - cell_len(meter) + 1), style="cyan")
        room = width - line.cell_len - 1
        line.append(clip(for_terminal(note), room) if room > 3 else "", style="dim")
        return line
