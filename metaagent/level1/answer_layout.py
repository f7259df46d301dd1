"""The layout of an answer when the person prefers a form: table, bullets, brief or detailed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex

_HEAD = Text(en="| item | content |", ko="| 항목 | 내용 |")
_SENTENCE_END = regex(r"(?<=[.!?。\]])\s+(?!\[\d)")


def in_form(results: Sequence[Mapping[str, Any]], form: str | None, language: str) -> list[str]:
    """The summaries of what was done, in the order of the steps. `detailed` is what the agents wrote."""
    lines = [(result["agent"], line) for result in results for line in result["summary"].splitlines()]
    lines = [(agent, line.strip()) for agent, line in lines if line.strip()]
    if form == "table" and lines and not any(line.startswith("|") for _, line in lines):
        return ["\n".join([_HEAD.say(language), "|---|---|", *(_row(agent, line) for agent, line in lines)])]
    if form == "bullets":
        return [line if line.startswith(("-", "|", "#")) else f"- {line}" for _, line in lines]
    if form == "brief":
        return [_SENTENCE_END.split(result["summary"].strip(), 1)[0] for result in results]
    return [result["summary"] for result in results]


def _row(agent: str, line: str) -> str:
    label, colon, value = line.lstrip("-• ").partition(": ")
    cells = (label, value) if colon else (agent, label)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
