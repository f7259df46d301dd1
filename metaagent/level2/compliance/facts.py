"""Facts of an expense: what rows say, how bills are joined, and the values that conditions see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import product
from typing import Any

from metaagent.level2.compliance.wording import cleaned

NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "expense_id", "번호", "전표번호"),
    "date": ("date", "expense_date", "일자", "날짜", "사용일", "사용일자"),
    "category": ("category", "expense_category", "항목", "구분", "비목", "비용 항목"),
    "amount": ("amount", "금액", "사용금액", "비용", "expense_amount"),
    "vat": ("vat", "부가세", "vat_amount"),
    "heads": ("heads", "attendees", "인원", "참석자수", "참석 인원"),
    "doctors": ("doctors", "doctor", "doctor_name", "의사", "수령자", "의료인"),
    "institution": ("institution", "hospital", "hospital_id", "병원", "기관", "요양기관", "거래처"),
    "public": ("public", "is_public", "공공기관"),
    "rep": ("rep", "rep_id", "담당자", "사원"),
    "event": ("event", "visit_id", "방문번호"),
    "occasion": ("occasion", "행사"),
    "hours": ("hours", "시간"),
    "note": ("note", "비고", "적요", "내용", "memo"),
}
"""Under which names a column of rows holds a fact."""

CATEGORY_WORDS: Mapping[str, tuple[str, ...]] = {
    "cash": (
        "현금", "상품권", "기프티콘", "기프트카드", "기프트 카드", "현금성", "사례금", "cash", "voucher", "gift card",
        "gift certificate",
    ),
    "meal": (
        "식사", "식대", "식음료", "만찬", "오찬", "점심", "저녁", "회식", "다과", "도시락", "커피", "meal", "dinner",
        "lunch", "food", "beverage", "catering",
    ),
    "gift": ("선물", "기념품", "판촉물", "판촉품", "경품", "gift", "souvenir", "promotional item", "giveaway"),
    "lecture_fee": (
        "강연료", "강의료", "강연 사례", "연자료", "강사료", "자문료", "lecture_fee", "honorari", "lecture fee", "speaker fee",
        "speaking fee",
    ),
    "sample": ("견본품", "샘플", "sample"),
    "lodging": ("숙박", "lodging", "accommodation", "hotel"),
    "travel": ("교통비", "항공권", "택시", "출장비", "travel", "flight", "airfare"),
    "donation": ("기부금", "후원금", "donation", "sponsorship"),
    "venue": ("대관료", "장소 임차", "venue"),
}  # fmt: skip
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

    def value(self, name: str) -> Any:
        return getattr(self, name, None)


class BadRow(Exception):
    """A row whose value cannot be read as what its column says; names column and value."""


def expense_of(row: Mapping[str, Any], number: int) -> Expense:
    """Read one row. Empty cells are unknown; raises BadRow for what cannot be read."""
    given: dict[str, Any] = {}
    lowered = {str(key).strip().lower(): value for key, value in row.items()}
    for fact, names in NAMES.items():
        value = next((lowered[name] for name in names if lowered.get(name) not in (None, "")), None)
        if value is not None:
            given[fact] = value
    doctors = given.get("doctors")
    if isinstance(doctors, str):
        doctors = [name.strip() for name in doctors.replace("·", ",").replace(";", ",").split(",")]
    return Expense(
        ids=(str(given.get("id", f"row {number}")),),
        date=_date(given.get("date")),
        category=_category(given.get("category")),
        amount=_whole(given, "amount"),
        vat=_whole(given, "vat"),
        heads=_whole(given, "heads") or None,
        doctors=tuple(str(name) for name in doctors or () if str(name)),
        institution=_text(given.get("institution")),
        public=_truth(given.get("public")),
        rep=_text(given.get("rep")),
        event=_text(given.get("event")),
        occasion=str(given.get("occasion", "visit")),
        hours=_whole(given, "hours"),
        note=cleaned(str(given.get("note", ""))),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value).strip()


def _date(value: Any) -> date | None:
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, datetime):
        return value.date()
    try:
        return date.fromisoformat(str(value).strip().replace(".", "-").replace("/", "-")[:10])
    except ValueError as error:
        raise BadRow(f"date {value!r}") from error


def _whole(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    try:
        number = float(str(value).replace(",", "").replace("원", "").replace("명", "").strip())
        whole = int(number)
    except (ValueError, OverflowError) as error:
        raise BadRow(f"{name} {value!r}") from error
    if number != whole:
        raise BadRow(f"{name} {value!r}")
    return whole


def _truth(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if str(value).strip().lower() in {"1", "true", "yes", "y", "예", "o"}:
        return True
    if str(value).strip().lower() in {"0", "false", "no", "n", "아니오", "x"}:
        return False
    raise BadRow(f"public {value!r}")


def _category(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value).strip().lower()
    if text in CATEGORY_WORDS:
        return text
    return next((name for name, words in CATEGORY_WORDS.items() if any(word in text for word in words)), text)


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
    hours = (bill.hours,) if bill.hours or bill.category != "lecture_fee" else (1, 24)
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
    # Food may be free of tax; at most a tenth comes on top, or is in it.
    return [(amount, amount + amount // 10), (amount - amount // 11, amount)]


def bounds(bill: Expense, measure: str) -> tuple[int, int] | None:
    """The least and the most that a bill adds to a sum, over all ways to read it; None if its amount is unknown."""
    if measure == "bills":
        return 1, 1
    if bill.amount is None:
        return None
    values = [reading[measure] for reading in readings(bill, {}, bill.date or date.min)]
    return min(values), max(values)
