"""Reads expenses from the rows of a table, whatever its columns are called.

Defaults that are taken: the amount is what was paid; an institution that its name shows to be public or private is; a purpose
that names no seminar is a visit. Never taken: an amount, a number of people, a date, hours, or that tax is included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, cast

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import sector
from metaagent.level2.compliance.text.amounts import people, sums
from metaagent.level2.compliance.text.vocabulary import BENEFIT, NAMES, WORDS
from metaagent.level2.compliance.text.wording import cleaned

_FACTS = {re.sub(r"[\s_-]+", "", name): fact for fact, names in NAMES.items() for name in names}
_UNIT = re.compile(r"[(\[]\s?(원|천원|만원|백만원|krw|won|명|인|시간|hours?)\s?[)\]]")
_AGAIN = re.compile(r" \(\d+\)$")
"""The number of a column whose name comes again, as `values.distinct` gives it."""
_TIMES = {"천원": 1_000, "만원": 10_000, "백만원": 1_000_000}
_SEMINAR = re.compile(r"세미나|심포지엄|학술|컨퍼런스|seminar|symposi|conference", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})\s?[년.\-/]?\s?(\d{1,2})\s?[월.\-/]?\s?(\d{1,2})\s?일?")
_AND_OTHERS = re.compile(r"^(?P<name>.*?)\s?외\s?(?P<n>\d{1,3})\s?(?:명|인)$")
_EMPTY = {"", "-", "–", "n/a", "na", "null", "none", "없음", "미상", "?", "nan"}
_YES = {
    "1",
    "true",
    "yes",
    "y",
    "t",
    "o",
    "included",
    "incl",
    "inclusive",
    "public",
    "예",
    "포함",
    "공공",
    "해당",
}
_NO = {"0", "false", "no", "n", "f", "x", "excluded", "excl", "exclusive", "private"} | {
    "아니오", "아니요", "별도", "제외", "미포함", "민간", "사립",
}  # fmt: skip


class BadRow(Exception):
    """A row whose value cannot be read as what its column says; names column and value."""


def fact_of(column: str) -> str | None:
    """The fact that a column holds, by its name; None if it is none of them."""
    return _FACTS.get(re.sub(r"[\s_-]+", "", _UNIT.sub("", column.strip().lower())))


def are_expenses(columns: Sequence[str]) -> bool:
    """Say whether rows with these columns are expenses: they have an amount, and say what for."""
    facts = {fact_of(column) for column in columns}
    return bool(facts & {"amount", "each"}) and bool(facts & {"category", "note"})


def expense_of(row: Mapping[str, Any], number: int) -> Expense:
    """Read one row. Empty cells are unknown; raises BadRow for what cannot be read."""
    given = _given(row)
    names, others = _names(given.get("doctors"))
    heads = _whole(given, "heads") or (len(names) + others if others else None)
    amount, each = _won(given, "amount"), _won(given, "each")
    if amount is None and each is not None and heads:
        amount = each * heads
    vat, tax_free = _tax(given, amount)
    institution, note = _text(given.get("institution")), cleaned(str(given.get("note", "")))
    public = _truth(given.get("public"), "public")
    return Expense(
        ids=(str(given.get("id", f"row {number}")),),
        date=_date(given.get("date")),
        category=_category(given.get("category"), note),
        amount=amount,
        vat=vat,
        tax_free=tax_free,
        heads=heads,
        doctors=names,
        institution=institution,
        public=public if public is not None or institution is None else sector(institution),
        rep=_text(given.get("rep")),
        event=_text(given.get("event")),
        occasion="seminar" if _SEMINAR.search(str(given.get("occasion", ""))) else "visit",
        hours=_whole(given, "hours"),
        note=note,
    )


def _given(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells by the fact that they hold; of two columns with one meaning the first that is filled counts. Two of one name must
    say the same."""
    found: dict[str, Any] = {}
    for column, value in row.items():
        name = _AGAIN.sub("", str(column))
        fact = fact_of(name)
        empty = value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY)
        if name != column and fact is not None and not empty and row.get(name) != value:
            raise BadRow(f"two values under {name!r}")
        if fact is None or empty or fact in found:
            continue
        unit = _UNIT.search(str(column).lower())
        if unit and unit[1] in _TIMES and fact in ("amount", "each", "vat"):
            value = (_whole({fact: value}, fact) or 0) * _TIMES[unit[1]]
        found[fact] = value
    return found


def _names(value: Any) -> tuple[tuple[str, ...], int]:
    """Names of people, and how many more the cell counts without naming them."""
    if value is None:
        return (), 0
    parts = (
        cast("list[Any]", value)
        if isinstance(value, list | tuple)
        else re.split(r"[,;·、/]|\s및\s|\sand\s", str(value))
    )
    names: list[str] = []
    others = 0
    for part in (str(one).strip() for one in parts):
        more = _AND_OTHERS.match(part)
        counted = people(part)
        if more:
            names.append(more["name"].strip())
            others += int(more["n"])
        elif counted and re.fullmatch(
            r"(?:의사|의료진|원장|doctors?)?\s?\d{1,4}\s?(?:명|인|doctors?|people)", part, re.IGNORECASE
        ):
            others += counted[0][0]
        elif part:
            names.append(part)
    return tuple(names), others


def _text(value: Any) -> str | None:
    return None if value is None else str(value).strip()


def _date(value: Any) -> date | None:
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, datetime):
        return value.date()
    found = _DAY.match(str(value).strip())
    try:
        if found is None:
            raise ValueError
        return date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError as error:
        raise BadRow(f"date {value!r}") from error


def _won(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if isinstance(value, str) and len(found := sums(value)) == 1:
        return found[0].won
    return _whole(given, name)


def _whole(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    try:
        number = float(re.sub(r"[,\s₩]|원|명|인|시간|krw|won|hours?", "", str(value).lower()))
        whole = int(number)
    except (ValueError, OverflowError) as error:
        raise BadRow(f"{name} {value!r}") from error
    if number != whole:
        raise BadRow(f"{name} {value!r}")
    return whole


def _tax(given: Mapping[str, Any], amount: int | None) -> tuple[int | None, int | None]:
    """The tax in the amount, and the tax on top of it, as far as the row says."""
    said = given.get("vat_included")
    tax = given.get("vat")
    if said is None and (isinstance(tax, bool) or str(tax).strip().lower() in (_YES | _NO) - {"0", "1"}):
        said, tax = tax, None
    if tax is not None:
        return _whole({"vat": tax}, "vat"), None
    included = _truth(said, "vat")
    if included is None or amount is None:
        return None, None
    return (amount - round(amount / 1.1), None) if included else (None, amount // 10)


def _truth(value: Any, name: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    said = str(value).strip().lower()
    if said in _YES:
        return True
    if said in _NO:
        return False
    raise BadRow(f"{name} {value!r}")


def _category(value: Any, note: str) -> str | None:
    """The kind that the cell names; where it names none of ours, the kind that the note names, else its own word."""
    text = "" if value is None else str(value).strip().lower()
    if text in WORDS:
        return text
    for said in (text, note):
        found = BENEFIT.search(said)
        if found is not None:
            return found.lastgroup
    return text or None
