"""Makes documents from facts. The facts decide what must come out; the words are drawn from `wordings.yaml`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

Expected = Literal["pass", "violated", "unknown"]
Half = Literal["seen", "held_out"]
HERE = Path(__file__).parent
NEW_PUBLIC_LIMIT = date(2024, 8, 27)
MEAL, ITEM, HOURLY = 100_000, 10_000, 500_000
_NEVER = {"cash", "reward", "treat"}
_NOTHING = {"meal_denied", "cash_denied", "plain"}
_OPEN = {"meal_no_amount", "item_no_amount", "fee_no_amount"}


@dataclass(frozen=True)
class Fact:
    """One thing that a document says. `each` is the sum for one person, `tax` whether it contains tax."""

    kind: str
    each: int = 0
    heads: int = 1
    tax: Literal["with", "without", "open"] = "without"
    public: bool = False
    day: date = date(2025, 3, 4)
    hours: int = 1
    heads_said: bool = True

    def outcome(self) -> Expected:
        """What the limits make of it, by arithmetic alone."""
        if self.kind in _NEVER:
            return "violated"
        if self.kind in _NOTHING:
            return "pass"
        if self.kind in _OPEN or not (self.heads_said or self.kind in ("meal_each", "item_each", "fee")):
            return "unknown"
        if self.kind == "fee":
            return "violated" if self.each > min(HOURLY * self.hours, 1_000_000) else "pass"
        net = self.each / 1.1 if self.tax == "with" else self.each
        if self.kind == "item_each":
            return "violated" if net > ITEM else "pass"
        gross = self.each * 1.1 if self.tax == "without" else self.each
        most = (50_000 if self.day >= NEW_PUBLIC_LIMIT else 30_000) if self.public else None
        return "violated" if net > MEAL or (most is not None and gross > most) else "pass"


@dataclass(frozen=True)
class Case:
    language: str
    text: str
    expected: Expected
    facts: tuple[Fact, ...]


def cases(half: Half, count: int, seed: int = 1) -> Iterator[Case]:
    """Documents of one to three facts each, with sentences that say nothing about them in between."""
    draw = random.Random(f"{half} {seed}")  # noqa: S311 - it draws test cases
    for number in range(count):
        yield _Maker(draw, "ko" if number % 3 else "en", half).case()


@cache
def _wordings() -> dict[str, Any]:
    return yaml.safe_load((HERE / "wordings.yaml").read_text(encoding="utf-8"))


@dataclass
class _Maker:
    draw: random.Random
    language: str
    half: Half

    def case(self) -> Case:
        day = date(2023, 1, 2) + timedelta(days=self.draw.randrange(1_200))
        public = self.draw.random() < 0.25
        heads = self.draw.choice([1, 2, 3, 4, 5, 8, 10])
        kinds = self._kinds()
        said = not (kinds == ["meal_total"] and self.draw.random() < 0.3)
        facts = tuple(self._fact(kind, day, public, heads, said) for kind in kinds)
        sentences = [self._opening(facts[0], said)]
        for fact in facts:
            if self.draw.random() < 0.5:
                sentences.append(self._pick("plain"))
            sentences.append(self._filled(self._pick(fact.kind), fact))
        if self.draw.random() < 0.4:
            sentences.append(self._pick("plain"))
        text = (
            "".join(f"{one}\n" if "■" in one else f"{one} " for one in sentences).replace(" ■", "\n■").strip()
        )
        return Case(self.language, text, _worst([fact.outcome() for fact in facts]), facts)

    def _kinds(self) -> list[str]:
        first = self.draw.choice([
            "meal_each", "meal_each", "meal_each", "meal_total", "meal_total", "meal_no_amount", "meal_denied", "item_each",
            "item_each", "item_no_amount", "fee", "fee_no_amount", "cash", "cash_denied", "reward", "treat", "plain",
        ])  # fmt: skip
        more = {
            "meal_each": ["item_each", "cash_denied", None, None, None],
            "meal_denied": ["item_each", "fee", "cash_denied", None],
            "cash_denied": ["meal_denied", None],
            "item_each": ["meal_denied", None, None],
            "fee": ["meal_denied", None],
        }.get(first, [None])
        second = self.draw.choice(more)
        return [first] if second is None else [first, second]

    def _fact(self, kind: str, day: date, public: bool, heads: int, said: bool) -> Fact:
        tax: Literal["with", "without"] = self.draw.choice(["with", "without"])
        if kind == "fee":
            hours = self.draw.choice([1, 2])
            each = self.draw.choice([300_000, 500_000, 500_000 * hours, 900_000 * hours, 1_500_000])
            return Fact(kind, each, 1, "open", public, day, hours)
        sums = [3_000, 8_000, 10_000, 11_000, 18_000, 35_000] if kind == "item_each" else None
        sums = sums or [
            18_000,
            25_000,
            29_000,
            44_000,
            49_500,
            62_000,
            99_000,
            110_000,
            118_000,
            135_000,
            240_000,
        ]
        if public and kind.startswith("meal"):
            # Between the two limits the laws disagree for public staff; no case stands there.
            sums = [18_000, 25_000, 120_000, 240_000]
        each = self.draw.choice(sums)
        if not said:
            each = max(each, 118_000)
        return Fact(kind, each, heads, tax, public, day, heads_said=said)

    def _opening(self, fact: Fact, said: bool) -> str:
        words = _wordings()["words"][self.language]
        place = self.draw.choice(words["public" if fact.public else "private"][self.half])
        people = _people(self.language, fact.heads if said else None, self.draw)
        return self._pick("opening").format(date=_day(self.language, fact.day), place=place, people=people)

    def _pick(self, kind: str) -> str:
        return self.draw.choice(_wordings()[self.language][kind][self.half])

    def _filled(self, template: str, fact: Fact) -> str:
        words = _wordings()["words"][self.language]
        total = fact.each * (fact.heads if fact.kind == "meal_total" else 1)
        if fact.kind == "cash":
            total = self.draw.choice([50_000, 200_000, 1_000_000])
        said = template.format(
            each=_won(self.language, fact.each, self.draw),
            total=_won(self.language, total, self.draw),
            vat=_tax(self.language, fact.tax),
            meal=self.draw.choice(words["meal"][self.half]),
            item=self.draw.choice(words["item"][self.half]),
            hours=fact.hours,
        )
        return said[0].upper() + said[1:]


def _worst(outcomes: list[Expected]) -> Expected:
    order: tuple[Expected, ...] = ("violated", "unknown", "pass")
    return next(one for one in order if one in outcomes)


def _people(language: str, heads: int | None, draw: random.Random) -> str:
    if language == "ko":
        return (
            "의료진 여러 분"
            if heads is None
            else draw.choice([f"의사 {heads}명", f"원장 포함 의사 {heads}명"])
        )
    return "several doctors" if heads is None else f"{heads} doctor{'s' if heads > 1 else ''}"


def _day(language: str, day: date) -> str:
    return f"{day.year}년 {day.month}월 {day.day}일" if language == "ko" else f"{day.day} {day:%B} {day.year}"


def _won(language: str, won: int, draw: random.Random) -> str:
    if language == "en":
        return draw.choice([f"{won:,} won", f"KRW {won:,}"])
    man, rest = divmod(won, 10_000)
    spoken = (
        f"{man}만원"
        if man and not rest
        else f"{man}만{rest // 1_000}천원"
        if man and not rest % 1_000
        else ""
    )
    return draw.choice([f"{won:,}원", spoken or f"{won:,}원"])


def _tax(language: str, tax: str) -> str:
    if language == "ko":
        return {"with": "(부가세 포함)", "without": "(부가세 별도)"}.get(tax, "")
    return {"with": ", VAT included", "without": ", VAT excluded"}.get(tax, "")
