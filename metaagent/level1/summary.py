"""A running summary of a conversation, by rules: what was asked, the lines that carry figures, what is still open. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.language.patterns import regex

HEAD = Text(
    en="Earlier in this conversation ({count} more in the history):",
    ko="이 대화의 앞부분(이 밖에 {count}건은 기록에 있음):",
)
_ASKED, _FOUND, _OPEN = "Q:", "→", "?:"
_LINE = 160
_KEY_LINES = 3
_OPEN_KEPT = 10
_FIGURE = regex(r"\d")
_COUNT = regex(r"(\d+)")
_SENTENCE = regex(r"(?<=[.!?。])\s+|\n+")


def summarize(previous: str, messages: Sequence[Any], language: str, limit: int) -> str:
    """The summary so far, gone on with. The oldest exchanges leave it first; open questions stay longest."""
    count, lines = _parsed(previous)
    lines += _exchanges(messages)
    unanswered = [line for line in lines if line.startswith(_OPEN)][-_OPEN_KEPT:]
    blocks = _blocks([line for line in lines if not line.startswith(_OPEN)])
    room = limit - len(HEAD.say(language, count=10**6)) - sum(len(line) + 1 for line in unanswered)
    kept: list[str] = []
    for block in reversed(blocks):
        if room < len(block) + 1:
            break
        room -= len(block) + 1
        kept.append(block)
    head = HEAD.say(language, count=count + len(blocks) - len(kept))
    return "\n".join([head, *reversed(kept), *unanswered])[:limit]


def _parsed(previous: str) -> tuple[int, list[str]]:
    if not previous:
        return 0, []
    head, *lines = previous.split("\n")
    known = head.startswith(tuple(HEAD.say(language, count="").split("(")[0] for language in ("en", "ko")))
    if not known:  # written by a model: kept as one finding
        return 0, [f"{_FOUND} {line}" for line in previous.split("\n") if line.strip()]
    number = _COUNT.search(head)
    return int(number[1]) if number else 0, lines


def _blocks(lines: Sequence[str]) -> list[str]:
    """A question with its findings: they leave together."""
    blocks: list[str] = []
    for line in lines:
        if blocks and not line.startswith(_ASKED):
            blocks[-1] += f"\n{line}"
        else:
            blocks.append(line)
    return blocks


def _exchanges(messages: Sequence[Any]) -> list[str]:
    lines: list[str] = []
    for number, message in enumerate(messages):
        text = str(message.content)
        if message.type != "human":
            lines += [f"{_FOUND} {line}" for line in _key_lines(text)]
            continue
        following = messages[number + 1] if number + 1 < len(messages) else None
        asked = " ".join(_key_lines(text, most=2))
        lines.append(f"{_ASKED} {asked}")
        if _is_open(following):
            lines.append(f"{_OPEN} {asked}")
    return lines


def _is_open(answer: Any) -> bool:
    """Nobody answered, or the answer was that it could not be answered."""
    return answer is None or answer.type == "human" or answer.additional_kwargs.get("answered") is False


def _key_lines(text: str, most: int = _KEY_LINES) -> list[str]:
    """Choose the first and those with figures, in their order."""
    parts = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    if not parts:
        return []
    chosen = [0, *(n for n, part in enumerate(parts) if n and _FIGURE.search(part))][:most]
    return [_shortened(parts[n]) for n in chosen]


def _shortened(line: str) -> str:
    """Long lines keep their beginning and the piece round their last figure."""
    if len(line) <= _LINE:
        return line
    figures = [match.end() for match in _FIGURE.finditer(line)]
    end = figures[-1] if figures and figures[-1] > _LINE else 0
    if not end:
        return line[: _LINE - 1] + "…"
    half = _LINE // 2 - 1
    return f"{line[:half]}…{line[max(end - half + 10, half) : end + 10]}"
