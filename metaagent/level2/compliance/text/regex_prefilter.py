"""Finds the letters that a text must have side by side for a regular expression to match somewhere in it.

A gram is one letter, two of Hangul or three of any other script. Every match of an expression has one of its grams; a text
without any of them has no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import add
from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage, reportUnknownVariableType]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage, reportUnknownVariableType]
from typing import Any

LONGEST = 3
MOST_RUNS = 40
"""Runs of letters into which a sequence with classes is spread out; with more the runs begin anew."""
Runs = set[str]
_SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]|[^\\\[()|]+", re.DOTALL)
"""A piece of an expression: an escaped letter, a class, a bracket, the sign between alternatives, or letters."""
_WORDS = re.compile(r"(?P<begin>\\b\(\?:)(?P<words>.*)\)(?P<end>(?:\\b)?)", re.DOTALL)
"""Whole words, or beginnings of words, in a group."""
_NAMED = re.compile(r"(?P<begin>\(\?P<\w+>)(?P<words>.*)\)(?P<end>)", re.DOTALL)
"""A group with a name, by which a match says which of them it is."""


def grams_among(known: frozenset[str], text: str) -> frozenset[str]:
    """The known grams that a text has."""
    plain = text.casefold()
    pairs = list(map(add, plain, plain[1:]))
    return known.intersection(chain(plain, pairs, map(add, pairs, plain[2:])))


def grams_of(pattern: str, flags: int = 0) -> frozenset[str] | None:
    """The grams of which each match has one; None where an expression can match without any."""
    needed = _needed(parser.parse(pattern, int(flags)))
    return None if needed is None else frozenset(_gram(run) for run in needed)


def alternatives(pattern: str, flags: int = 0) -> list[str]:
    """The alternatives of an expression in their order, those of a group of words or of a name each by itself. An expression that
    picks out parts of its matches, or that can match nothing, has one: itself."""
    parsed = parser.parse(pattern, int(flags))
    parts = divided(pattern)
    named = sum(_NAMED.fullmatch(part) is not None for part in parts)
    if parsed.state.groups - 1 > named or not parsed.getwidth()[0]:
        return [pattern]
    return [one for part in parts for one in _spread(part)]


def _spread(part: str) -> Iterator[str]:
    """The words of a group, each in a group of its own."""
    group = _NAMED.fullmatch(part) or _WORDS.fullmatch(part)
    words = divided(group["words"]) if group else []
    if not group or not words:
        return iter([part])
    return (f"{group['begin']}{one}){group['end']}" for word in words for one in _spread(word))


def divided(pattern: str) -> list[str]:
    """The alternatives as they are written; none if a bracket is closed that was not opened."""
    parts, depth = [""], 0
    for sign in _SIGN.findall(pattern):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return []
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _gram(run: str) -> str:
    """The first letters of a run that are long enough to be rare."""
    plain = run.casefold()
    hangul = any("가" <= letter <= "힣" for letter in plain[:2])
    return plain[: 2 if hangul else LONGEST]


def _needed(sequence: Iterable[Any]) -> Runs | None:
    """The best runs of a sequence: of its parts that every match has, the one whose runs are longest."""
    best: Runs | None = None
    runs: Runs = {""}

    def keep() -> None:
        nonlocal best
        if runs != {""} and "" not in runs and (best is None or _worth(runs) > _worth(best)):
            best = set(runs)

    for operation, value in sequence:
        letters = _letters(operation, value)
        if letters is not None and len(runs) * len(letters) <= MOST_RUNS:
            runs = {run + letter for run in runs for letter in letters}
            continue
        keep()
        runs = set(letters) if letters is not None and len(letters) <= MOST_RUNS else {""}
        inner = _inner(operation, value)
        if inner is not None and (best is None or _worth(inner) > _worth(best)):
            best = inner
    keep()
    return best


def _worth(runs: Runs) -> tuple[int, int]:
    return min(len(_gram(run)) for run in runs), -len(runs)


def _letters(operation: Any, value: Any) -> Sequence[str] | None:
    """The letters that a part of one letter can be, or the words that an alternative of letters can be."""
    if operation is codes.LITERAL:
        return [chr(value)]
    if operation is codes.IN:
        return _class(value)
    return None


def _class(parts: Sequence[tuple[Any, Any]]) -> list[str] | None:
    found: list[str] = []
    for operation, value in parts:
        if operation is codes.LITERAL:
            found.append(chr(value))
        elif operation is codes.RANGE and value[1] - value[0] < LONGEST * 4:
            found += [chr(code) for code in range(value[0], value[1] + 1)]
        else:
            return None
    return found


def _inner(operation: Any, value: Any) -> Runs | None:
    """The runs of a part that has parts itself; None where it need not have any."""
    if operation is codes.SUBPATTERN:
        return _needed(value[-1])
    if operation in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return _needed(value[2]) if value[0] > 0 else None
    if operation is codes.BRANCH:
        return _any_of(_needed(branch) for branch in value[1])
    if operation is codes.ATOMIC_GROUP:
        return _needed(value)
    return None


def _any_of(branches: Iterator[Runs | None]) -> Runs | None:
    found: Runs = set()
    for needed in branches:
        if needed is None:
            return None
        found |= needed
    return found
