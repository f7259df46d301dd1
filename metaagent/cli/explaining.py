"""`metaagent explain`: how a question is read, and why, without doing anything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape

from metaagent.cli.asking import ANSWERED, FAILED, Door, lines_given, print_json, run, show_problem
from metaagent.cli.starting import ui_language
from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.level1.reasoner import by_words, detect_language
from metaagent.level1.requested import with_requested_kinds
from metaagent.ports import AnalysisInput
from metaagent.registry import load_registry
from metaagent.sessions.domain import OpenDomain

Json = dict[str, Any]
_BECAUSE = Text(en="because", ko="이유")
_ASKS = Text(en="would ask: {question}", ko="되물을 것: {question}")
_OPTION = Text(en="options: {options}", ko="보기: {options}")


def run_explain(door: Door, text: str) -> int:
    async def work() -> int:
        settings = door.settings()
        reader = OpenDomain(settings)
        capabilities = load_registry(settings.agents).capabilities()
        now = door.moment(settings) if door.now else datetime.now(UTC)
        worst = ANSWERED
        for line in lines_given(door) if text == "-" else [text]:
            try:
                if isinstance(line, InputRefused):
                    raise line
                given = AnalysisInput(now, settings.timezone, detect_language(line), door.user, capabilities)
                _show(await _reading(reader, line, given), door)
            except MetaAgentError as error:
                show_problem(error, as_json=door.as_json, language=ui_language())
                worst = FAILED
        return worst

    return run(work, as_json=door.as_json, language=detect_language(text, ui_language()))


async def _reading(reader: OpenDomain, question: str, given: AnalysisInput) -> Json:
    """By the domain's rules even where none of its agents is installed: nothing is done here anyway."""
    reasoner = reader.reasoner()
    if reader.domain is None:
        reading = by_words(question, given)
    else:
        reading = reasoner.read(question, await reasoner.context(reader.domain, given))
    return with_requested_kinds(reading, question, given.capabilities)


def _show(reading: Json, door: Door) -> None:
    if door.as_json:
        print_json(reading)
        return
    console = Console(highlight=False)
    language = "ko" if reading["language"] == "ko" else "en"
    console.print(f"[bold]{escape(reading['raw_query'])}[/bold]", soft_wrap=True)
    for one in reading["explanations"]:
        console.print(f"  [cyan]{escape(str(one['conclusion']))}[/cyan]", soft_wrap=True)
        console.print(
            f"    [dim]{_BECAUSE.say(language)}: {escape(str(one['reason']))}[/dim]", soft_wrap=True
        )
    for assumption in reading["assumptions"]:
        console.print(f"  ~ {escape(assumption)}", soft_wrap=True)
    for asked in reading["ambiguities"][:1]:
        console.print(f"  [yellow]? {escape(_ASKS.say(language, question=asked['question']))}[/yellow]")
        if asked["options"]:
            options = ", ".join(map(_label, asked["options"]))
            console.print(f"    {escape(_OPTION.say(language, options=options))}", soft_wrap=True)


def _label(option: Any) -> str:
    return str(option.get("label", option)) if isinstance(option, dict) else str(option)
