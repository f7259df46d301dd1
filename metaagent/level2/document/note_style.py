"""Clauses of a talk as notes in a document: 말씀하셨어요 → 말씀하심. Pure."""

from __future__ import annotations

import re

from metaagent.level2.document.clauses import has_past

_ENDS = r"(?:습니다|다|어요?|음|고요?|는데요?|네요?|거든요?|지만|으며|더라고요?)"
_NOTES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:이었|였)" + _ENDS + r"$"), ""),
    (re.compile(r"(?<=[가-힣])(?:이라고|라고)\s(?:하셨|말씀하셨)" + _ENDS + r"$"), "이라고 하심"),
    (re.compile(r"셨" + _ENDS + r"$"), "심"),
    (re.compile(r"(?:했|하였)" + _ENDS + r"$"), "함"),
    (re.compile(r"됐" + _ENDS + r"$"), "됨"),
    (re.compile(r"드렸" + _ENDS + r"$"), "드림"),
    (re.compile(r"([가-힣])" + _ENDS + r"$"), ""),
    (re.compile(r"(?:하시네요|하시더라고요|하십니다|하세요|하시고)$"), "하심"),
    (re.compile(r"(?:합니다|해요|한다)$"), "함"),
    (re.compile(r"(?:됩니다|돼요|된다)$"), "됨"),
    (re.compile(r"드립니다$"), "드림"),
    (re.compile(r"(?:입니다|이에요|예요|이야|(?<=[가-힣])임)$"), ""),
)


def stated(text: str) -> str:
    """The clause as a note; English and anything else stays as it was said."""
    if not re.search(r"[가-힣]", text):
        return text
    for pattern, note in _NOTES:
        found = pattern.search(text)
        if found is None:
            continue
        if note or not found.groups():
            return (text[: found.start()] + note).strip()
        if has_past(found[1]):
            return f"{text[: found.start() + 1]}음"
    return text
