"""Arithmetic over columns, as metrics may use it: `lines.price * lines.quantity`; `loans.returned - loans.due`, of dates, is
the days between them.

Names may hold blanks (`Order Details.Unit Price`); those with other signs stand in quotes (`"unit-price"`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from metaagent.language.patterns import regex

_WORD = r"[^\W\d]\w*(?: +\w+)*"
_QUOTED = r'"(?:[^"]|"")+"'
_NAME = rf"(?:{_QUOTED}|{_WORD})"
_TOKEN = regex(rf"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>{_NAME}\.{_NAME})|(?P<sign>[-+*/()]))")
_PARTS = regex(rf"({_NAME})\.({_NAME})")
_DEPTH = 20


class BadArithmeticError(ValueError):
    """Not arithmetic over `table.column`."""


@dataclass(frozen=True)
class Ref:
    table: str
    column: str


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class Operation:
    sign: str
    left: Term
    right: Term


Term = Ref | Number | Operation


@lru_cache(maxsize=1024)
def parse(text: str) -> Term:
    tokens = _tokens(text)
    term, rest = _sum(tokens, 0)
    if rest:
        raise BadArithmeticError(f"'{rest[0]}' is not expected there")
    return term


def is_plain(text: str) -> bool:
    """Tell whether this is one column, named as a model names it, and no arithmetic."""
    return regex(r"[^-+*/()]+").fullmatch(text) is not None or not isinstance(_parsed(text), Operation)


def _parsed(text: str) -> Term | None:
    try:
        return parse(text)
    except BadArithmeticError:
        return None


def references(term: Term) -> list[Ref]:
    match term:
        case Ref():
            return [term]
        case Number():
            return []
        case Operation(_, left, right):
            return references(left) + references(right)


def differences(term: Term) -> list[tuple[Ref, Ref]]:
    """The pairs of columns of which one is taken from the other: of dates, the days between them."""
    match term:
        case Operation("-", Ref() as left, Ref() as right):
            return [(left, right)]
        case Operation(_, left, right):
            return differences(left) + differences(right)
        case _:
            return []


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise BadArithmeticError(
                f"'{text[at:].strip()}' is not table.column, a number or one of + - * / ( )"
            )
        found.append(match.group().strip())
        at = match.end()
    return found


def _plain(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _sum(tokens: list[str], depth: int) -> tuple[Term, list[str]]:
    left, tokens = _product(tokens, depth)
    while tokens and tokens[0] in "+-":
        right, rest = _product(tokens[1:], depth)
        left, tokens = Operation(tokens[0], left, right), rest
    return left, tokens


def _product(tokens: list[str], depth: int) -> tuple[Term, list[str]]:
    left, tokens = _atom(tokens, depth)
    while tokens and tokens[0] in "*/":
        right, rest = _atom(tokens[1:], depth)
        left, tokens = Operation(tokens[0], left, right), rest
    return left, tokens


def _atom(tokens: list[str], depth: int) -> tuple[Term, list[str]]:
    if not tokens or depth > _DEPTH:
        raise BadArithmeticError(
            "a column or number is missing" if depth <= _DEPTH else "it is nested too deeply"
        )
    head, rest = tokens[0], tokens[1:]
    if head == "(":
        term, rest = _sum(rest, depth + 1)
        if not rest or rest[0] != ")":
            raise BadArithmeticError("')' is missing")
        return term, rest[1:]
    if head[0].isdigit():
        return Number(float(head)), rest
    match = _PARTS.fullmatch(head)
    if match is not None:
        return Ref(_plain(match[1]), _plain(match[2])), rest
    raise BadArithmeticError(f"'{head}' is not expected there")
