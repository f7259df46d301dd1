"""Facts of an expense: what rows say, how bills are joined, and the values that conditions see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product
from typing import Any

MANY = 1_000
"""So many people may have shared a bill that names no number."""


@dataclass(frozen=True, slots=True)
class Expense:
    """One expense, as a row or a sentence says it. None is unknown, never zero."""

    ids: tuple[str, ...]
    date: date | None = None
    category: str | None = None
    amount: int | None = None
    vat: int | None = None
    """The tax that the amount contains: 0 if it contains none."""
    heads: int | None = None
    doctors: tuple[str, ...] = ()
    institution: str | None = None
    public: bool | None = None
    rep: str | None = None
    event: str | None = None
    occasion: str = "visit"
    hours: int | None = None
    note: str = ""
    span: tuple[int, int] | None = None
    tax_free: int | None = None
    """The tax that comes on top of the amount, where the amount is said to be without it."""
    times: int = 1
    """The number of times that it is said to have been given."""
    in_a_month: bool = True
    """All those times were in one month; if False, they may have been."""
    said_day: str = ""
    """The day that a text names without a year."""
    so_far: int | None = None
    """The sum of the same year that a text tells along with it, this one included."""
    before: int = 0
    """The sum that a text says was paid in the same year before it."""
    in_return: bool = False
    """It is tied to prescriptions or orders."""

    @property
    def kind(self) -> str | None:
        """The category, where a rule can go by it."""
        return None if self.category == "unclear" else self.category

    def value(self, name: str) -> Any:
        return getattr(self, name, None)


def joined(expenses: Iterable[Expense]) -> list[Expense]:
    """Bills: what one rep spent on one thing at one occasion is one bill, however many slips it was split into.

    The number of people is the largest that a slip names: whoever splits a bill does not feed more people.
    """
    bills: dict[tuple[Any, ...], Expense] = {}
    for number, one in enumerate(expenses):
        known = one.date and one.category and (one.event or one.doctors) and one.amount is not None
        who = one.event or one.doctors
        key = (one.category, one.rep, one.institution, one.date, one.occasion, who) if known else (number,)
        bills[key] = _added(bills[key], one) if key in bills else one
    return list(bills.values())


def _added(bill: Expense, one: Expense) -> Expense:
    vat = bill.vat + one.vat if bill.vat is not None and one.vat is not None else None
    return replace(
        bill,
        ids=(*bill.ids, *one.ids),
        amount=(bill.amount or 0) + (one.amount or 0),
        vat=vat,
        heads=max(filter(None, (bill.heads, one.heads)), default=None),
        doctors=tuple(dict.fromkeys((*bill.doctors, *one.doctors))),
        so_far=max(bill.so_far or 0, one.so_far or 0) or None,
        before=max(bill.before, one.before),
        note=f"{bill.note}\n{one.note}" if one.note and one.note != bill.note else bill.note,
    )


def readings(bill: Expense, limits: Mapping[str, int], day: date) -> list[dict[str, Any]]:
    """The values that a condition sees: one set where everything is known, else one for each way to read it.

    Tax, public sector, people and hours may be unknown: the bill is then read both ways, and only an outcome that is
    the same in all of them counts. An unknown amount is left out, and whatever needs it cannot be decided.
    """
    made = _plain(bill, limits, day)
    if bill.amount is None:
        return [made]
    taxes = _taxes(bill)
    heads = (bill.heads,) if bill.heads else (max(1, len(bill.doctors)), MANY)
    publics = (bill.public,) if bill.public is not None else (True, False)
    hours = (bill.hours,) if bill.hours is not None or bill.category != "lecture_fee" else (1, 24)
    made_all: list[dict[str, Any]] = []
    for (net, gross), people, public, length in product(taxes, heads, publics, hours):
        one = {
            **made,
            "net": net,
            "gross": gross,
            "heads": people,
            # Rounded up: a limit that is passed by one won is passed.
            "net_per_head": -(-net // people),
            "gross_per_head": -(-gross // people),
            "public": public,
        }
        if length is not None:
            one["hours"] = length
        made_all.append(one)
    return made_all


def _plain(bill: Expense, limits: Mapping[str, int], day: date) -> dict[str, Any]:
    made: dict[str, Any] = {
        "category": bill.category or "",
        "occasion": bill.occasion,
        "note": bill.note,
        "year": day.year,
        "doctors": len(bill.doctors),
        "in_return": bill.in_return,
        "limit": limits,
    }
    if bill.amount is not None:
        made["amount"] = bill.amount
    return made


def _taxes(bill: Expense) -> Sequence[tuple[int, int]]:
    """Without and with tax."""
    amount = bill.amount or 0
    if bill.tax_free is not None:
        return [(amount, amount + bill.tax_free)]
    if bill.vat is not None:
        return [(amount - bill.vat, amount)]
    # The amount is what was paid. Food may be free of tax; else a tenth of the price is in it.
    return [(amount, amount), (amount - amount // 11, amount)]


def bounds(bill: Expense, measure: str) -> tuple[int, int] | None:
    """The least and the most that a bill adds to a sum, over all ways to read it; None if its amount is unknown."""
    if measure == "bills":
        same = bill.in_a_month and (bool(bill.doctors) or (bill.heads or 1) == 1)
        return (bill.times if same else 1), bill.times
    if bill.amount is None:
        return None
    values = [reading[measure] for reading in readings(bill, {}, bill.date or date.min)]
    return min(values), max(values)
