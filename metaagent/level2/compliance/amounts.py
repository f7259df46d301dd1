"""Reads sums of money and counts of people in Korean and English text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = r"(?<![\d,.])(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,15}(?:\.\d{1,4})?)(?![\d])"
_KOREAN = re.compile(
    rf"(?:(?P<eok>{_NUMBER})\s?억\s?)?(?:(?P<man>(?:{_NUMBER})(?:\s?천)?|[일이삼사오육칠팔구십백천]+)\s?만\s?)?"
    rf"(?:(?P<cheon>[1-9])\s?천\s?)?(?:(?P<baek>[1-9])\s?백\s?)?(?P<rest>{_NUMBER})?\s?원(?!장|칙|인|본|활|내|격|천|래|외)"
)
_SIGN = re.compile(rf"(?:₩|\\|KRW\s?)(?P<n>{_NUMBER})", re.IGNORECASE)
_ENGLISH = re.compile(rf"(?P<n>{_NUMBER})\s?(?P<k>thousand|million|k)?\s?(?:won|KRW)\b", re.IGNORECASE)
_SCALE = {"thousand": 1_000, "k": 1_000, "million": 1_000_000}
_DIGITS = {c: i for i, c in enumerate("일이삼사오육칠팔구", 1)}
_UNITS = {"십": 10, "백": 100, "천": 1_000}


@dataclass(frozen=True)
class Sum:
    won: int
    start: int
    end: int


def sums(text: str) -> list[Sum]:
    """Every sum of money, in order; each place is read once."""
    found = sorted([*_korean(text), *_other(text)], key=lambda one: (one.start, -one.end))
    kept: list[Sum] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _korean(text: str) -> Iterator[Sum]:
    for m in _KOREAN.finditer(text):
        parts = m.groupdict()
        if not any(parts.values()):
            continue
        won = (
            _value(parts["eok"]) * 100_000_000
            + _man(parts["man"]) * 10_000
            + _value(parts["cheon"]) * 1_000
            + _value(parts["baek"]) * 100
            + _value(parts["rest"])
        )
        start = m.start() + len(m.group()) - len(m.group().lstrip())
        yield Sum(round(won), start, m.end())


def _other(text: str) -> Iterator[Sum]:
    for m in _SIGN.finditer(text):
        yield Sum(round(_value(m["n"])), m.start(), m.end())
    for m in _ENGLISH.finditer(text):
        scale = _SCALE.get((m["k"] or "").lower(), 1)
        yield Sum(round(_value(m["n"]) * scale), m.start(), m.end())


def _value(number: str | None) -> float:
    return float(number.replace(",", "")) if number else 0.0


def _man(number: str | None) -> float:
    """천 before 만 multiplies (2천만), and the number may be in Korean words (십만)."""
    if not number:
        return 0.0
    if number[0].isdigit():
        plain = number.rstrip(" 천")
        return _value(plain) * (1_000 if number.endswith("천") else 1)
    total, digit = 0, 0
    for letter in number:
        if letter in _DIGITS:
            digit = _DIGITS[letter]
        else:
            total, digit = total + (digit or 1) * _UNITS[letter], 0
    return float(total + digit)


_NATIVE = {
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "다섯": 5,
    "여섯": 6,
    "일곱": 7,
    "여덟": 8,
    "아홉": 9,
    "열": 10,
}
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "twenty": 20,
}  # fmt: skip
_PEOPLE = re.compile(
    rf"(?P<n>\d{{1,4}})\s?(?:명|인(?!당|분기|의|천)|분(?!\s?[간동당]|기))(?!당)|(?P<native>{'|'.join(_NATIVE)})\s?(?:명|분(?=[이과의께,\s]))"
    rf"|(?P<e>\d{{1,4}}|{'|'.join(_WORDS)})\s+(?:\w+\s)?(?:people|persons|doctors|physicians|attendees|guests|participants|HCPs)\b",
    re.IGNORECASE,
)


def people(text: str) -> list[tuple[int, int]]:
    """Counts of people with their positions."""
    found: list[tuple[int, int]] = []
    for m in _PEOPLE.finditer(text):
        if m["n"]:
            count = int(m["n"])
        elif m["native"]:
            count = _NATIVE[m["native"]]
        else:
            word = m["e"].lower()
            count = int(word) if word.isdigit() else _WORDS[word]
        if count and not (m["n"] == "1" and text[m.end() :].lstrip().startswith("당")):
            found.append((count, m.start()))
    return found
