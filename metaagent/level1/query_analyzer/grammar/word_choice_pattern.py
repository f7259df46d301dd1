"""A choice among very many words, of which only those are built that can begin with the letter at hand."""

from __future__ import annotations

import re
import sys
from functools import cache

from metaagent.language.patterns import compiled
from metaagent.level1.query_analyzer.grammar.first_letters import alternatives, kept_openings

_Parts = tuple[tuple[int, str], ...]


class Choice:
    """Acts like the pattern `(?:choices)behind` where it is matched at a place. Compiling the whole takes a
    hundredth of a second, and a question has few letters that a word of it begins with."""

    def __init__(self, choices: str, behind: str = "") -> None:
        self._choices = choices
        self._behind = behind
        self._built: dict[str, re.Pattern[str] | None] = {}

    def with_behind(self, behind: str) -> Choice:
        return Choice(self._choices, behind)

    def match(self, text: str, place: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        built = self._at(text, place, end)
        return None if built is None else built.match(text, place, end)

    def fullmatch(self, text: str, place: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        built = self._at(text, place, end)
        return None if built is None else built.fullmatch(text, place, end)

    def _at(self, text: str, place: int, end: int) -> re.Pattern[str] | None:
        letter = text[place:end][:1] if end < sys.maxsize else text[place : place + 1]
        if letter not in self._built:
            beginning, anyhow = _parts(self._choices)
            parts = sorted((*beginning.get(letter, ()), *anyhow))
            choices = "|".join(part for _, part in parts)
            self._built[letter] = compiled(f"(?:{choices}){self._behind}", in_source=True) if parts else None
        return self._built[letter]


@cache
def _parts(choices: str) -> tuple[dict[str, _Parts], _Parts]:
    """The choices by the letters that they begin with, and those that may begin with any; numbered, since the first wins."""
    beginning: dict[str, list[tuple[int, str]]] = {}
    anyhow: list[tuple[int, str]] = []
    for numbered in enumerate(alternatives(choices)):
        letters = kept_openings(numbered[1])
        if letters is None:
            anyhow.append(numbered)
        for letter in letters or ():
            beginning.setdefault(letter, []).append(numbered)
    return {letter: tuple(parts) for letter, parts in beginning.items()}, tuple(anyhow)
