"""Whether an answer is right, said to be doubtful, or silently wrong: rows compared by value, strictly and fairly.

A result is right if its rows are the gold rows: every gold column is found among the result's columns with the same
values in the same rows, each gold row exactly once and nothing else. Extra columns are allowed, a row that sums up the
rest ("그 외", "others") is set aside. Numbers may be rounded as people read them, and a share may be 0.12 or 12.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Cells = Sequence[Sequence[Any]]
RIGHT, SAID, SILENT = "right", "said", "silent"
_OTHERS = {"그 외", "그외", "기타", "나머지", "합계", "총계", "others", "other", "the rest", "rest", "total"}
_MOST_WAYS = 5000
_MONTH = re.compile(r"^(\d{4})-(\d{2})(?:-01)?(?:[T ].*)?$")
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("월 월요일 monday mon", "화 화요일 tuesday tue", "수 수요일 wednesday wed", "목 목요일 thursday thu",
         "금 금요일 friday fri", "토 토요일 saturday sat", "일 일요일 sunday sun")
    )
    for name in names.split()
}  # fmt: skip
_QUARTER = re.compile(r"^(\d{4})[- ]?Q([1-4])$", re.IGNORECASE)


@dataclass(frozen=True)
class Gold:
    """What must come out: one of several tables of rows, or no figure at all (`said`, `ask`, `chat`)."""

    tables: tuple[Cells, ...] = ()
    ordered: bool = False
    expect: str = "rows"
    names: Mapping[str, frozenset[str]] | None = None
    """Other ways to show a label: a code, a translation."""
    by_key: bool = False
    """Whether gold holds nothing but ids."""
    unknown: str | None = None
    """The word that the answer must name where it gives a figure all the same."""


@dataclass(frozen=True)
class Outcome:
    """What an answer was, as far as judging needs it."""

    status: str
    """answered, asked, refused or chatted."""
    rows: Cells = ()
    text: str = ""
    doubted: bool = False
    """Whether a word was named as not understood, or doubt was stated."""
    confidence: float | None = None
    named: tuple[str, ...] = ()
    """The words that were named as not understood."""
    keys: frozenset[int] = frozenset()
    """Columns of ids, which never pass for figures."""
    figures: frozenset[int] | None = None
    """Columns that are no time, no id and no other way to show one: all that a total may stand in."""


def verdict(gold: Gold, outcome: Outcome, question: str = "") -> str:
    if gold.expect == "chat":
        return RIGHT if outcome.status == "chatted" else SAID if outcome.status != "answered" else SILENT
    if gold.expect in {"said", "ask", "refuse"}:
        if outcome.status == "asked" or (outcome.status in {"refused", "chatted"} and gold.expect != "ask"):
            return RIGHT
        if outcome.status != "answered":
            return SAID
        if gold.tables and _any(gold, outcome, question):
            return RIGHT
        if not outcome.doubted or not _names(outcome, gold.unknown):
            return SILENT
        return SAID if gold.expect == "ask" else RIGHT
    if outcome.status != "answered":
        return SAID
    if _any(gold, outcome, question):
        return RIGHT
    return SAID if outcome.doubted else SILENT


def _names(outcome: Outcome, unknown: str | None) -> bool:
    """Whether the doubt is about the unknown word, or of a kind that names no words."""
    if unknown is None or not outcome.named:
        return True
    wanted = unknown.lower()
    if states_doubt(outcome.text) and wanted in outcome.text.lower():
        return True
    return any(wanted in word.lower() or word.lower() in wanted for word in outcome.named if word)


def _any(gold: Gold, outcome: Outcome, question: str) -> bool:
    def places(table: Cells) -> frozenset[int] | None:
        total = len(table) == 1 and not any(isinstance(cell, str) for cell in table[0])
        every = frozenset(range(len(outcome.rows[0]))) if outcome.rows else frozenset[int]()
        return every if gold.by_key else outcome.figures if total else every - outcome.keys

    return any(
        same_rows(outcome.rows, table, ordered=gold.ordered, names=gold.names, places=places(table))
        or (bool(outcome.text) and said_in_text(table, outcome, question))
        for table in gold.tables
    )


def same_rows(
    got: Cells,
    gold: Cells,
    *,
    ordered: bool = False,
    names: Mapping[str, frozenset[str]] | None = None,
    places: frozenset[int] | None = None,
) -> bool:
    """Whether the gold rows are the result's rows, by some choice of the result's columns, or of those at `places`."""
    held = [row for row in got if not _sums_up_the_rest(row)] if not _asks_for_others(gold) else list(got)
    if not gold or _empty(gold):
        return _empty(held)
    if len(held) != len(gold):
        return False
    width = len(gold[0])
    wide = range(len(held[0])) if places is None else sorted(places)
    choices = [
        [c for c in wide if _column_fits([r[c] for r in held], [g[n] for g in gold], names, ordered)]
        for n in range(width)
    ]
    ways = (way for way in itertools.product(*choices) if len(set(way)) == width)
    return any(_rows_fit(held, gold, way, names, ordered) for way in itertools.islice(ways, _MOST_WAYS))


def _empty(rows: Cells) -> bool:
    """Nothing found: no row, or a single one of nothing."""
    return all(cell is None or cell == 0 for row in rows for cell in row) and len(rows) <= 1


def _sums_up_the_rest(row: Sequence[Any]) -> bool:
    return any(isinstance(cell, str) and cell.strip().lower() in _OTHERS for cell in row)


def _asks_for_others(gold: Cells) -> bool:
    return any(_sums_up_the_rest(row) for row in gold)


def _column_fits(
    got: list[Any], gold: list[Any], names: Mapping[str, frozenset[str]] | None, ordered: bool
) -> bool:
    scales = _scales(got, gold)
    if ordered:
        return any(
            all(_equal(a, b, names, scale) for a, b in zip(got, gold, strict=True)) for scale in scales
        )
    return any(_paired(got, gold, lambda a, b, s=scale: _equal(a, b, names, s)) for scale in scales)


def _scales(got: list[Any], gold: list[Any]) -> list[float]:
    """1, and 100 or 0.01 where one side holds fractions and the other percent: one scale for a whole column."""
    if any(_number(value) is None for value in (*got, *gold)):
        return [1.0]
    scales = [1.0]
    if _fractions(gold):
        scales.append(100.0)
    if _fractions(got):
        scales.append(0.01)
    return scales


def _fractions(values: list[Any]) -> bool:
    """Shares and changes: small, and not all whole, so that a count of 3 never passes for one of 300."""
    numbers = [float(_number(value) or 0.0) for value in values]
    return all(abs(one) <= 50 for one in numbers) and any(not one.is_integer() for one in numbers)


def _rows_fit(
    got: Cells, gold: Cells, way: Sequence[int], names: Mapping[str, frozenset[str]] | None, ordered: bool
) -> bool:
    scales = [_scales([row[c] for row in got], [g[n] for g in gold]) for n, c in enumerate(way)]

    def equal(row: Sequence[Any], wanted: Sequence[Any], chosen: Sequence[float]) -> bool:
        return all(_equal(row[c], wanted[n], names, chosen[n]) for n, c in enumerate(way))

    for chosen in itertools.product(*scales):
        if ordered:
            if all(equal(row, wanted, chosen) for row, wanted in zip(got, gold, strict=True)):
                return True
        elif _paired(list(got), list(gold), lambda a, b, s=chosen: equal(a, b, s)):
            return True
    return False


def _paired(got: list[Any], gold: list[Any], equal: Callable[[Any, Any], bool]) -> bool:
    """Whether each of the one goes with exactly one of the other."""
    left = list(got)
    for wanted in gold:
        at = next((n for n, one in enumerate(left) if equal(one, wanted)), None)
        if at is None:
            return False
        left.pop(at)
    return not left


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(str(value).replace(",", ""))
    except ValueError:
        return None


def _equal(got: Any, gold: Any, names: Mapping[str, frozenset[str]] | None, scale: float = 1.0) -> bool:
    if gold is None or got is None:
        return got in (None, 0) and gold in (None, 0)
    a, b = _number(got), _number(gold)
    if a is not None and b is not None:
        return close(a, b, scale)
    left, right = _text(got), _text(gold)
    if left == right or _WEEKDAYS.get(left, left) == _WEEKDAYS.get(right, right):
        return True
    if left.startswith(f"{right} (") and left.endswith(")"):  # a namesake, told apart
        return True
    return left in {_text(name) for name in (names or {}).get(str(gold), ())}


def close(got: float, gold: float, scale: float = 1.0) -> bool:
    """Equal within what either side was rounded to. Two whole numbers are equal or not."""
    if math.isclose(got / scale, gold, rel_tol=1e-6, abs_tol=1e-9):
        return True
    if got.is_integer() and gold.is_integer():
        return False
    percent = 0.005 if scale == 0.01 else 0.0  # gold in percent is rounded to two places, 19.0 for 19.0004
    return abs(got / scale - gold) <= max(_rounding(got) / scale, _rounding(gold), percent)


def _rounding(value: float) -> float:
    """Half a unit of the last digit, as far as so coarse a figure still says what it says."""
    digits = len(f"{value:.9f}".rstrip("0").partition(".")[2])
    if digits == 0:
        return 0.501 if abs(value) >= 100 else 0.0
    if digits > 4:
        return 0.0
    coarse = 0.0501 if abs(value) >= 1 else 0.0051
    return min(coarse, 0.501 * 10.0**-digits)


def _text(value: Any) -> str:
    text = str(value).strip().lower()
    if month := _MONTH.match(text):
        return f"{month[1]}-{month[2]}"
    if quarter := _QUARTER.match(text):
        return f"{quarter[1]}-q{quarter[2]}"
    return {"true": "1", "false": "0"}.get(text, text)


# --- numbers in the words of an answer ---------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?<![\d.A-Za-z])([-−+]?\d[\d,]*(?:\.\d+)?)\s*(%|퍼센트|배|억|만|천만|조|[KMB](?![a-z]))?"
)
_DATES = re.compile(
    r"\d{4}[-.]\d{1,2}(?:[-.]\d{1,2})?|\d{4}년|\d{1,2}월|\d{1,2}일|\d분기|Q[1-4]|\b(?:19|20)\d\d\b"
)
_SIZES = {"억": 1e8, "만": 1e4, "천만": 1e7, "조": 1e12, "K": 1e3, "M": 1e6, "B": 1e9}


def said_in_text(gold: Cells, outcome: Outcome, question: str) -> bool:
    """Whether the headline states a gold of plain figures: where the table shows one row, or the counted things."""
    if len(gold) != 1 or any(_number(value) is None for value in gold[0]):
        return False
    if len(outcome.rows) > 1 and not _counts_the_rows(gold, outcome.rows):
        return False
    head = "\n".join(outcome.text.splitlines()[:3])
    stated = _stated(head)
    asked = {value for value, _ in _stated(question)}
    return all(any(_states(token, float(value), asked) for token in stated) for value in gold[0])


def _counts_the_rows(gold: Cells, rows: Cells) -> bool:
    """Whether gold is the number of listed things, and no figure of the list itself."""
    wanted = _number(gold[0][0])
    listed = {_number(cell) for row in rows for cell in row}
    return len(gold[0]) == 1 and wanted == len(rows) and wanted not in listed


def _stated(text: str) -> list[tuple[float, str]]:
    """The figures of a text with the precision that they are written in, dates left out."""
    clean = _DATES.sub(" ", text)
    found: list[tuple[float, str]] = []
    for number, size in _TOKEN.findall(clean):
        value = float(number.replace(",", "").replace("−", "-").replace("+", ""))
        found.append((value * _SIZES.get(size, 1.0), f"{number}{size}"))
    return found


def _states(token: tuple[float, str], gold: float, asked: set[float]) -> bool:
    value, written = token
    if value in asked:
        return False
    if "%" in written or "퍼센트" in written:
        coarse = 0.501 if value.is_integer() and abs(gold) >= 0.05 else 0.0
        return abs(value - gold * 100) <= max(coarse, 0.0 if value.is_integer() else _rounding(value))
    return close(value, gold)


# --- doubt ---------------------------------------------------------------------------------------------------

_DOUBT = re.compile(
    r"사용하지 않은|사용하지 않았|쓰지 않은 말|쓰이지 않은|반영하지 (?:않|못)|이해하지 못|알아듣지 못|해석하지 못|읽지 못한"
    r"|모르는 말|확실하지 않|확실치 않|불확실|자신이 없|짐작|추측|(?:으로|로) 보고 |무시했"
    r"|not used|not understood|(?:did|do) not understand|could not (?:read|interpret|understand|place)|not sure|unsure"
    r"|uncertain|in doubt|doubtful|unknown word|was ignored|were ignored|\bguess|left out of account|not (?:sure|certain)",
    re.IGNORECASE,
)


def states_doubt(text: str) -> bool:
    """Whether the words of an answer say that something was not understood, or that the reading is unsure."""
    return bool(_DOUBT.search(text))


# --- other ways to show a cell ---------------------------------------------------------------------------------

_DAY_NAMES = (
    ("월", "Monday"), ("화", "Tuesday"), ("수", "Wednesday"), ("목", "Thursday"), ("금", "Friday"), ("토", "Saturday"),
    ("일", "Sunday"),
)  # fmt: skip
_PART = re.compile(r"^\d{4}-(?:(\d{2})|Q([1-4]))$")


def outcome_of_table(
    dataset: Mapping[str, Any], text: str, named: Sequence[str], confidence: float | None
) -> Outcome:
    """The outcome of an answer with a table."""
    columns = dataset["columns"]
    rows = with_other_ways(columns, dataset["rows"])
    doubted = bool(named) or states_doubt(text)
    keys = frozenset(n for n, column in enumerate(columns) if column.get("kind") == "key")
    times = frozenset(n for n, column in enumerate(columns) if column.get("kind") == "time")
    figures = frozenset(range(len(columns))) - keys - times
    return Outcome("answered", rows, text, doubted, confidence, tuple(named), keys, figures)


def with_other_ways(columns: Sequence[Mapping[str, Any]], rows: Cells) -> list[list[Any]]:
    """The rows with more columns: the names of codes, the numbers of months, the names of weekdays.

    Gold may then hold any of them; extra columns never make a result wrong.
    """
    made = [list(row) for row in rows]
    for place, column in enumerate(columns):
        if column.get("values"):
            _add(
                made, place, lambda cell, names=column["values"]: names.get(cell, names.get(str(cell), cell))
            )
        if column.get("name") == "weekday":
            for way in (_from_sunday, _korean_day, _english_day):
                _add(made, place, way)
        elif made and all(_PART.match(str(row[place])) for row in made):
            _add(made, place, _part_of_year)
    return made


def _add(rows: list[list[Any]], place: int, way: Callable[[Any], Any]) -> None:
    for row in rows:
        row.append(way(row[place]))


def _weekday(cell: Any) -> int | None:
    return int(cell) if str(cell).isdigit() and 1 <= int(cell) <= 7 else None


def _from_sunday(cell: Any) -> Any:
    return cell if _weekday(cell) is None else int(cell) % 7


def _korean_day(cell: Any) -> Any:
    day = _weekday(cell)
    return cell if day is None else f"{_DAY_NAMES[day - 1][0]}요일"


def _english_day(cell: Any) -> Any:
    day = _weekday(cell)
    return cell if day is None else _DAY_NAMES[day - 1][1]


def _part_of_year(cell: Any) -> int:
    found = _PART.match(str(cell))
    assert found is not None
    return int(found[1] or found[2])
