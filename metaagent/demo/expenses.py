"""The expenses of one company: honest ones that keep the rules of the trade, and planted ones that break them.

Amounts are as paid; `vat` is the tax in them. A meal or a gift of a visit is for the doctor who was visited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

Row = dict[str, Any]

MEAL_LIMIT, LECTURE_YEAR = 100_000, 3_000_000
MEALS_A_MONTH = 4
NEW_PUBLIC_LIMIT = date(2024, 8, 27)
_BREAKS = 0.02
_FREQUENT = 3
"""Doctors who are planted with one meal too many in a month."""


def public_meal_limit(day: date) -> int:
    return 50_000 if day >= NEW_PUBLIC_LIMIT else 30_000


@dataclass(frozen=True)
class Planted:
    """Expenses that break rules together: one row, the parts of a split bill, or the meals of one month."""

    expense_ids: tuple[int, ...]
    rules: tuple[str, ...]


Group = tuple[int, str, str]
"""A doctor of a hospital, in a month."""


@dataclass
class _Book:
    rng: Random
    public: Mapping[int, bool]
    rows: list[Row] = field(default_factory=list[Row])
    planted: list[tuple[list[Row], tuple[str, ...]]] = field(
        default_factory=list[tuple[list[Row], tuple[str, ...]]]
    )
    meals: dict[Group, set[date]] = field(default_factory=lambda: defaultdict(set))
    fees: dict[tuple[str, int, int], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, category: str, day: date, rep: int, place: int, amount: int, note: str, **more: Any) -> Row:
        taxed = category in {"meal", "gift", "venue"}
        row = {
            "expense_id": 0,
            "expense_date": day,
            "rep_id": rep,
            "hospital_id": place,
            "visit_id": None,
            "seminar_id": None,
            "category": category,
            "attendees": None,
            "amount": amount,
            "vat": amount - round(amount / 1.1) if taxed else 0,
            "doctor_name": None,
            "hours": None,
            "item": note,
            "note": note,
            **more,
        }
        self.rows.append(row)
        return row

    def plant(self, rows: list[Row], *rules: str) -> None:
        self.planted.append((rows, rules))


def expenses(
    rng: Random,
    first_id: int,
    visits: Sequence[Row],
    seminars: Sequence[Row],
    hospitals: Sequence[Row],
    local_rep: Mapping[int, int],
) -> tuple[list[Row], tuple[Planted, ...]]:
    """All rows in the order of their days, and those among them that were planted."""
    book = _Book(rng, {row["hospital_id"]: row["is_public"] for row in hospitals})
    frequent = _frequent(visits)
    forced = {visit["visit_id"] for chosen in frequent.values() for visit in chosen}
    for visit in visits:
        spent = rng.random() < 0.38
        if visit["visit_id"] in forced:
            _meal(book, visit, breaks=False)
        elif spent:
            _visit_expense(book, visit, meals_allowed=_group(visit) not in frequent)
    for group in frequent:
        book.plant([row for row in book.rows if _is_of(row, group)], "presentation_meals_month")
    for seminar in seminars:
        if seminar["status"] == "completed":
            _seminar_expenses(book, seminar, local_rep[seminar["hospital_id"]])
    book.rows.sort(key=lambda row: row["expense_date"])
    for at, row in enumerate(book.rows):
        row["expense_id"] = first_id + at
    planted = tuple(
        Planted(tuple(sorted(row["expense_id"] for row in rows)), rules) for rows, rules in book.planted
    )
    return book.rows, planted


def _group(visit: Row) -> Group:
    return visit["hospital_id"], visit["doctor_name"], visit["visit_date"].isoformat()[:7]


def _is_of(row: Row, group: Group) -> bool:
    found = row["hospital_id"], row["doctor_name"], row["expense_date"].isoformat()[:7]
    return row["category"] == "meal" and found == group


def _frequent(visits: Sequence[Row]) -> dict[Group, list[Row]]:
    """The first doctors who were visited on five days of one month: they are given a meal each time."""
    days: dict[Group, dict[date, Row]] = defaultdict(dict)
    for visit in visits:
        days[_group(visit)].setdefault(visit["visit_date"], visit)
    often = [group for group, found in days.items() if len(found) > MEALS_A_MONTH]
    return {group: list(days[group].values())[: MEALS_A_MONTH + 1] for group in often[:_FREQUENT]}


def _visit_expense(book: _Book, visit: Row, *, meals_allowed: bool) -> None:
    rng = book.rng
    breaks = rng.random() < _BREAKS
    kind = rng.choices(("meal", "travel", "sample", "gift"), (50, 30, 13, 7))[0]
    known = book.meals[_group(visit)]
    full = len(known) >= MEALS_A_MONTH or visit["visit_date"] in known
    if kind == "meal" and (full or not meals_allowed):
        kind = "travel"
    where = (visit["visit_date"], visit["rep_id"], visit["hospital_id"])
    visit_id = visit["visit_id"]
    if kind == "meal":
        _meal(book, visit, breaks=breaks)
    elif kind == "gift":
        amount = rng.randint(60, 300) * 1_000 if breaks else rng.randint(3, 9) * 1_000
        note = "상품권" if breaks else "기념품"
        doctor = visit["doctor_name"]
        row = book.add("gift", *where, amount, visit_id=visit_id, attendees=1, doctor_name=doctor, note=note)
        if breaks:
            book.plant([row], "promotional_item_amount", "cash_wording")
    elif kind == "sample":
        book.add("sample", *where, rng.randint(5, 60) * 1_000, visit_id=visit_id, note="견본품")
    else:
        book.add("travel", *where, rng.randint(4, 70) * 1_000, visit_id=visit_id, note="교통비")


def _meal(book: _Book, visit: Row, *, breaks: bool) -> None:
    rng, day = book.rng, visit["visit_date"]
    public = book.public[visit["hospital_id"]]
    book.meals[_group(visit)].add(day)
    heads = rng.randint(2, 6)
    limit = min(MEAL_LIMIT, public_meal_limit(day)) if public else MEAL_LIMIT
    each = (
        rng.randint(int(limit * 1.2), int(limit * 1.9)) if breaks else rng.randint(12_000, int(limit * 0.8))
    )
    total = heads * (each // 100 * 100)
    split = breaks and rng.random() < 0.25  # one bill in two parts so that each looks small
    unnamed = breaks and not split and rng.random() < 0.2
    parts = (total // 2, total - total // 2) if split else (total,)
    rows = [
        book.add(
            "meal",
            day,
            visit["rep_id"],
            visit["hospital_id"],
            part,
            visit_id=visit["visit_id"],
            attendees=None if unnamed else heads,
            doctor_name=visit["doctor_name"],
            note="식사 (분할 결제)" if split else "식사",
        )
        for part in parts
    ]
    if breaks:
        book.plant(rows, *_broken(public=public, split=split, unnamed=unnamed))


def _broken(*, public: bool, split: bool, unnamed: bool) -> list[str]:
    """The rules that a planted meal breaks. A public one stays below the limit of all others, unless nobody was counted."""
    over = ["public_meal_amount"] if public else []
    if not public or unnamed:
        over += ["presentation_meal_amount", "presentation_meal_day"]
    return [*over, *(["split_bill"] if split else []), *(["meal_record_complete"] if unnamed else [])]


def _seminar_expenses(book: _Book, seminar: Row, rep: int) -> None:
    rng, day = book.rng, seminar["held_on"]
    where = (day, rep, seminar["hospital_id"])
    seminar_id, heads = seminar["seminar_id"], seminar["attendees"]
    _lecture_fee(book, seminar, rep)
    hall = rng.randint(5, 40) * 100_000
    book.add("venue", *where, hall, seminar_id=seminar_id, attendees=heads, note="대관료")
    breaks = rng.random() < _BREAKS
    public = book.public[seminar["hospital_id"]]
    most = public_meal_limit(day) // 1_000 - 2
    each = rng.randint(125, 160) if breaks else rng.randint(15, min(48, most))
    row = book.add(
        "meal", *where, heads * each * 1_000, seminar_id=seminar_id, attendees=heads, note="세미나 식음료"
    )
    if breaks:
        book.plant([row], "presentation_meal_amount", *(["public_meal_amount"] if public else []))


def _lecture_fee(book: _Book, seminar: Row, rep: int) -> None:
    rng, day = book.rng, seminar["held_on"]
    breaks = rng.random() < 3 * _BREAKS
    hours = rng.randint(1, 2)
    fee = rng.randint(12, 30) * 100_000 if breaks else rng.randint(3, 5 * hours) * 100_000
    key = (seminar["speaker"], seminar["hospital_id"], day.year)
    if book.fees[key] + fee > LECTURE_YEAR:
        return  # the speaker had the year's fees already, and spoke without one
    book.fees[key] += fee
    row = book.add(
        "lecture_fee",
        day,
        rep,
        seminar["hospital_id"],
        fee,
        seminar_id=seminar["seminar_id"],
        attendees=1,
        doctor_name=seminar["speaker"],
        hours=hours,
        item="강연료",
        note=f"강연료 {seminar['speaker']}",
    )
    if breaks:
        book.plant([row], "lecture_fee_hour", "lecture_fee_day")
