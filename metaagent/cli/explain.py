"""`metaagent explain`: how a question is understood, and why, without doing anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from metaagent.cli.ask import QuestionText, lines_given
from metaagent.cli.door import ANSWERED, FAILED, Door, print_json, print_lines, show_error
from metaagent.cli.options import NOW, PERSON, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, MetaAgentError, Text

Json = dict[str, Any]
_BECAUSE = Text(en="because", ko="이유")
_ASKS = Text(en="would ask: {question}", ko="되물을 것: {question}")
_OPTION = Text(en="options: {options}", ko="보기: {options}")


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "explain", (*PERSON, NOW), panel=panel, speaks="text")(explain)


async def explain(door: Door, text: QuestionText) -> int:
    """Explain how a question is understood, without doing anything."""
    reader = Reader(door)
    worst = ANSWERED
    for line in lines_given() if text == "-" else [text]:
        try:
            if isinstance(line, InputRefused):
                raise line
            reading = await reader.read(line)
            print_json(reading) if door.as_json else print_lines([*_lines(reading)])
        except MetaAgentError as error:
            show_error(error, door, ui_language())
            worst = FAILED
    return worst


class Reader:
    """Reads questions by the rules of the configured domain, even where none of its agents is installed."""

    def __init__(self, door: Door) -> None:
        from metaagent.sessions.agents import load_agents
        from metaagent.sessions.domain import OpenDomain

        self._door = door
        self._opened = OpenDomain(door.settings)
        self._capabilities = load_agents(door.settings).capabilities()

    async def read(self, question: str) -> Json:
        from metaagent.level1.reasoner import by_words, detect_language
        from metaagent.level1.requested_kinds import with_requested_kinds
        from metaagent.ports import AnalysisInput

        door, language = self._door, detect_language(question)
        given = AnalysisInput(door.moment, door.settings.timezone, language, door.user, self._capabilities)
        reasoner = self._opened.reasoner()
        if self._opened.domain is None:
            reading = by_words(question, given)
        else:
            reading = reasoner.read(question, await reasoner.context(self._opened.domain, given))
        return with_requested_kinds(reading, question, given.capabilities)


def _lines(reading: Json) -> Iterator[Any]:
    from rich.text import Text as RichText

    from metaagent.protection.escaping import for_terminal

    language = reading["language"]

    def drawn(text: str, style: str) -> RichText:
        return RichText(for_terminal(text), style)

    yield drawn(reading["raw_query"], "bold")
    for one in reading["explanations"]:
        yield drawn(f"  {one['conclusion']}", "cyan")
        yield drawn(f"    {_BECAUSE.say(language)}: {one['reason']}", "dim")
    for assumption in reading["assumptions"]:
        yield f"  ~ {assumption}"
    for asked in reading["ambiguities"][:1]:
        yield drawn(f"  ? {_ASKS.say(language, question=asked['question'])}", "yellow")
        labels = [str(o.get("label", o) if isinstance(o, dict) else o) for o in asked["options"]]
        if labels:
            yield "    " + _OPTION.say(language, options=", ".join(labels))
