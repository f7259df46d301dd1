# ruff: noqa: E501 - tables of names are read by their columns
"""Databases of small companies, drawn by seed: `python -m evals.worlds.companies FOLDER SEED…` writes FOLDER/SEED.db.

Each has customers, staff, kinds of work, places, jobs, payments and complaints, but their names (English, cut, CamelCase,
Korean, Korean in Latin letters), dates (text, numbers, seconds), states (words, codes with a list of them), undeclared keys
and second dates differ. `Company` knows what each thing is called in the database and by people.
"""

from __future__ import annotations

import random
import re
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from evals.worlds.drawing import Row, drawn_day, fill, korean, person

START, END = date(2024, 7, 1), date(2026, 11, 15)
STYLES = ("snake", "plural", "camel", "cut", "hangul", "roman", "roman_tb")
DATES = ("iso", "solid", "number", "datetime", "epoch", "slashes")
_INITIAL = (
    "g",
    "kk",
    "n",
    "d",
    "tt",
    "r",
    "m",
    "b",
    "pp",
    "s",
    "ss",
    "",
    "j",
    "jj",
    "ch",
    "k",
    "t",
    "p",
    "h",
)
_VOWEL = ("a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i")  # fmt: skip
_FINAL = ("", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng", "t", "t", "k", "t", "p", "t")  # fmt: skip
PARTS: dict[str, tuple[str, str]] = {
    "id": ("id", "번호"), "name": ("name", "이름"), "segment": ("segment", "구분"), "city": ("city", "도시"), "joined": ("joined_on", "가입일"),
    "active": ("active", "사용여부"), "hired": ("hired_on", "입사일"), "left": ("left_on", "퇴사일"), "manager": ("manager_id", "상사번호"),
    "price": ("list_price", "정가"), "status": ("status", "상태"), "paid": ("paid_on", "입금일"), "method": ("method", "결제수단"),
    "raised": ("raised_on", "접수일"), "resolved": ("resolved_on", "처리일"), "reason": ("reason", "사유"), "value": ("amount", "금액"),
    "payment": ("payment", "입금"), "complaint": ("complaint", "불만"), "codes": ("code_list", "공통코드"),
}  # fmt: skip


@cache
def lexicon() -> dict[str, Any]:
    return yaml.safe_load(Path(__file__).with_name("companies.yaml").read_text(encoding="utf-8"))


def latin(text: str) -> str:
    """Korean in Latin letters, a syllable at a time."""
    made = ""
    for sign in text:
        code = ord(sign) - 0xAC00
        made += (
            _INITIAL[code // 588] + _VOWEL[code % 588 // 28] + _FINAL[code % 28]
            if 0 <= code < 11172
            else sign
        )
    return made


def cut(word: str) -> str:
    known: dict[str, str] = lexicon()["short"]
    return known.get(word) or word[0] + re.sub("[aeiou]", "", word[1:])[:3]


@dataclass
class Company:
    """A drawn company: words of people, and names in the database."""

    seed: int
    style: str
    dates: str
    words: dict[str, tuple[str, str]]
    columns: dict[str, Any]
    states: dict[str, list[str]]
    coded: bool
    keys: bool
    separate_due: bool
    values: dict[str, list[str]]
    used: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    @property
    def is_korean(self) -> bool:
        return self.style in ("hangul", "roman", "roman_tb")

    def table(self, part: str) -> str:
        en, ko = self.words.get(part) or PARTS[part]
        if self.style == "plural":
            return re.sub("y$", "ie", en.replace(" ", "_")) + "s"
        return {"roman_tb": "TB_{}", "cut": "{}_mst" if part in ("customer", "staff") else "{}"}.get(
            self.style, "{}"
        ).format(self._named(en, ko))

    def column(self, table: str, part: str) -> str:
        """Name a column; keys are called after the table that they stand for."""
        if part in ("id", "name") or part in self.words:
            owner = part if part in self.words else table
            en, ko = self.words.get(owner) or PARTS[owner]
            tail = PARTS["name"] if part == "name" else PARTS["id"]
            return self._named(
                f"{en}_{tail[0]}", f"{ko}{'명' if part == 'name' else '번호'}", f"{ko}_{tail[1]}"
            )
        if part in self.columns:
            return self._named(self.columns[part]["en"], self.columns[part]["ko"])
        return self._named(*PARTS[part])

    def _named(self, en: str, ko: str, parted: str | None = None) -> str:
        en, ko, parted = en.replace(" ", "_"), ko.replace(" ", ""), (parted or ko).replace(" ", "")
        made = {
            "camel": lambda: "".join(word.capitalize() for word in en.split("_")),
            "cut": lambda: "_".join(cut(word) for word in en.split("_")),
            "hangul": lambda: ko,
            "roman": lambda: latin(parted),
            "roman_tb": lambda: latin(parted).upper(),
        }.get(self.style)
        return made() if made else en

    def written(self, day: date | None, draw: random.Random) -> object:
        if day is None:
            return None
        at = datetime(day.year, day.month, day.day, draw.randrange(1, 13), draw.randrange(60), tzinfo=UTC)
        ways: dict[str, Callable[[], object]] = {
            "solid": lambda: day.strftime("%Y%m%d"), "number": lambda: int(day.strftime("%Y%m%d")), "slashes": lambda: day.strftime("%Y/%m/%d"),
            "datetime": lambda: at.strftime("%Y-%m-%d %H:%M:%S"), "epoch": lambda: int(at.timestamp()),
        }  # fmt: skip
        return ways[self.dates]() if self.dates in ways else day.isoformat()

    def day(self, column: str) -> str:
        """SQL of the ISO date in a column."""
        return {
            "solid": f"substr({column},1,4)||'-'||substr({column},5,2)||'-'||substr({column},7,2)",
            "number": f"substr({column},1,4)||'-'||substr({column},5,2)||'-'||substr({column},7,2)",
            "slashes": f"replace({column},'/','-')", "datetime": f"substr({column},1,10)",
            "epoch": f"date({column},'unixepoch')",
        }.get(self.dates, column)  # fmt: skip

    def state(self, place: int) -> str:
        return self.states["codes"][place] if self.coded else self.called_state(place)

    def called_state(self, place: int) -> str:
        return self.states["ko" if self.is_korean else "en"][place]


def drawn(seed: int) -> Company:
    draw, known = random.Random(seed), lexicon()  # noqa: S311
    style = STYLES[seed % len(STYLES)]
    trade, tongue = draw.choice(known["trades"]), "ko" if style in STYLES[4:] else "en"
    columns = {
        part: draw.choice(known["columns"][part]) for part in ("first", "done", "due", "amount", "minutes")
    }
    values = {
        "kind": draw.choice(known["kinds"])[tongue],
        "segment": draw.choice(known["segments"])[tongue],
        **{part: known[f"{part}s"][tongue] for part in ("method", "reason", "place")},
        "city": known["cities"][tongue],
    }
    return Company(
        seed, style, draw.choice(DATES), {part: (two[0], two[1]) for part, two in trade.items()}, columns,
        draw.choice(known["columns"]["states"]), draw.random() < 0.5, draw.random() < 0.6, draw.random() < 0.6, values,
    )  # fmt: skip


TABLES: dict[str, tuple[str, ...]] = {
    "place": ("id", "name", "city"),
    "staff": ("id", "name", "place", "hired", "left", "manager"),
    "customer": ("id", "name", "segment", "joined", "active"),
    "kind": ("id", "name", "price"),
    "job": (
        "id",
        "customer",
        "kind",
        "staff",
        "place",
        "first",
        "due",
        "done",
        "minutes",
        "amount",
        "status",
    ),
    "payment": ("id", "job", "paid", "value", "method"),
    "complaint": ("id", "job", "raised", "resolved", "reason"),
}
_NUMBERS = frozenset({"id", "price", "minutes", "amount", "value", "manager", *TABLES})
_DAYS = frozenset({"hired", "left", "joined", "first", "due", "done", "paid", "raised", "resolved"})


def write(company: Company, db: sqlite3.Connection) -> None:
    for table, parts in TABLES.items():
        lines: list[str] = []
        for part in parts:
            number = part in _NUMBERS or (part in _DAYS and company.dates in ("number", "epoch"))
            key = " PRIMARY KEY" if part == "id" and company.keys else ""
            lines.append(f'"{company.column(table, part)}" {"INTEGER" if number else "TEXT"}{key}')
        db.execute(f'CREATE TABLE "{company.table(table)}" ({", ".join(lines)})')
    if company.coded:
        db.execute(f'CREATE TABLE "{company.table("codes")}" (grp TEXT, code TEXT, code_name TEXT)')
        names = company.states["ko" if company.is_korean else "en"]
        fill(
            db,
            company.table("codes"),
            [("JOB", code, name) for code, name in zip(company.states["codes"], names, strict=True)],
        )
        methods = [("PAY", f"M{n}", name) for n, name in enumerate(company.values["method"])]
        fill(db, company.table("codes"), [*methods])
    for table, rows in _rows(company, random.Random(company.seed + 1)).items():  # noqa: S311
        fill(db, company.table(table), rows)


def _rows(company: Company, draw: random.Random) -> dict[str, list[Row]]:
    values, name = company.values, korean if company.is_korean else person
    flags = draw.choice((("Y", "N"), ("1", "0"), ("T", "F")))
    tail = "점" if company.is_korean else ""
    at = partial(company.written, draw=draw)
    made: dict[str, list[Row]] = {
        "place": [(n, f"{one}{tail}", values["city"][n % 4]) for n, one in enumerate(values["place"], 1)],
        "staff": [], "customer": [], "kind": [], "job": [], "payment": [], "complaint": [],
    }  # fmt: skip
    for n in range(1, 15):
        hired = drawn_day(draw, date(2018, 1, 1), date(2026, 6, 1))
        left = (
            drawn_day(draw, max(hired, date(2025, 1, 1)), date(2026, 10, 30))
            if draw.random() < 0.25
            else None
        )
        made["staff"].append(
            (
                n,
                f"{name(draw)}{'' if company.is_korean else f' {n}'}",
                1 + n % 4,
                at(hired),
                at(left),
                1 if n > 1 else None,
            )
        )
    for n in range(1, 91):
        made["customer"].append(
            (
                n,
                _firm(company, n),
                draw.choice(values["segment"]),
                at(drawn_day(draw, date(2020, 1, 1), END)),
                flags[draw.random() < 0.15],
            )
        )
    for n, one in enumerate(values["kind"], 1):
        made["kind"].append((n, one, 10000 * n + 5000))
    for n in range(1, 901):
        _job(company, draw, made, n)
    return made


def _firm(company: Company, n: int) -> str:
    first = ("한빛", "새롬", "도담", "미르", "늘봄", "해솔", "다솜", "아람", "누리") if company.is_korean else ("Ash", "Birch", "Cedar", "Dale", "Elder", "Fern", "Gorse", "Holly", "Iris")  # fmt: skip
    last = ("상사", "기획", "물산", "건설", "유통", "테크", "전자", "식품", "무역", "개발") if company.is_korean else ("Works", "Group", "Trading", "Partners", "Foods", "Labs", "House", "Supply", "Motors", "Studio")  # fmt: skip
    return f"{first[n % 9]}{'' if company.is_korean else ' '}{last[(n - 1) // 9]}"


def _job(company: Company, draw: random.Random, made: dict[str, list[Row]], n: int) -> None:
    at = partial(company.written, draw=draw)
    first = drawn_day(draw, START, END)
    due, done = first + timedelta(days=draw.randrange(3, 15)), first + timedelta(days=draw.randrange(1, 22))
    state = 3 if draw.random() < 0.08 else 2 if done <= END else draw.choice((0, 1))
    amount = draw.randrange(20, 400) * 1000
    made["job"].append(
        (n, draw.randrange(1, 83), draw.randrange(1, 6), draw.randrange(1, 15), draw.randrange(1, 5), at(first), at(due),
         at(done) if state == 2 else None, draw.randrange(20, 240), amount, company.state(state))
    )  # fmt: skip
    if state == 2 and draw.random() < 0.85:
        way = draw.randrange(3)
        paid = min(done + timedelta(days=draw.randrange(0, 30)), END)
        made["payment"].append(
            (
                len(made["payment"]) + 1,
                n,
                at(paid),
                amount,
                f"M{way}" if company.coded else company.values["method"][way],
            )
        )
    if state == 2 and draw.random() < 0.12:
        raised = min(done + timedelta(days=draw.randrange(1, 20)), END)
        resolved = raised + timedelta(days=draw.randrange(1, 30))
        made["complaint"].append(
            (
                len(made["complaint"]) + 1,
                n,
                at(raised),
                at(resolved) if resolved <= END else None,
                draw.choice(company.values["reason"]),
            )
        )


def make(seed: int, folder: Path) -> Path:
    file = folder / f"{seed}.db"
    file.unlink(missing_ok=True)
    with sqlite3.connect(file) as db:
        write(drawn(seed), db)
    db.close()
    return file


if __name__ == "__main__":
    for one in sys.argv[2:]:
        make(int(one), Path(sys.argv[1]))
