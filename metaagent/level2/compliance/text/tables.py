"""Reads tables that stand in a text: lines with the same columns under a line that names them become expenses.

The rest of the text is read as prose; the places of what was read as a row are blank in it, so that nothing is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.rows import BadRow, are_expenses, expense_of, fact_of
from metaagent.level2.compliance.text.parties import among_ourselves
from metaagent.level2.compliance.text.vocabulary import WORDS, benefits_in

_DIVIDERS = ("|", "\t")
_RULE = re.compile(r"[\s|:+-]*")
_DAY = re.compile(r"(?P<month>\d{1,2})\s?[./월-]\s?(?P<day>\d{1,2})\s?일?(?:\s?\([월화수목금토일]\))?")
_TAX = re.compile(r"(?:부가세|VAT)\s?(?:(?P<with>포함|included|incl)|별도|제외|excluded|excl)", re.IGNORECASE)
_SEMINAR = re.compile(r"심포지엄|학술대회|복수\s?기관|세미나|seminar|symposi", re.IGNORECASE)


@dataclass(frozen=True)
class _Line:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def cells(self, divider: str) -> list[str]:
        return [
            cell.strip() for cell in self.text.strip().strip(divider if divider == "|" else "").split(divider)
        ]


_NOTHING = _Line("", 0)


def expenses_in(text: str) -> tuple[list[Expense], str]:
    """The expenses that the tables of a text list, and the text without their rows."""
    if not any(divider in text for divider in _DIVIDERS):
        return [], text
    found: list[Expense] = []
    rest = text
    for header, rows, divider, caption in _tables(_lines(text)):
        own = are_expenses(header)
        told = _tax_above(caption) if own else _told_above(caption)
        if _TITLE.search(caption.text) if own else told:
            rest = f"{rest[: caption.start]}{' ' * len(caption.text)}{rest[caption.end :]}"
        for row in rows:
            cells = {**told, **dict(zip(header, row.cells(divider), strict=False))}
            expense = _expense(cells, row, len(found) + 1)
            if expense is not None or among_ourselves(" ".join(cells.values())):
                rest = f"{rest[: row.start]}{' ' * len(row.text)}{rest[row.end :]}"
            found += [expense] if expense is not None else []
    return found, rest


def _lines(text: str) -> list[_Line]:
    made: list[_Line] = []
    at = 0
    for line in text.split("\n"):
        made.append(_Line(line, at))
        at += len(line) + 1
    return made


_ENDED = re.compile(r"[.!?]\s+")


def _last_sentence(line: _Line) -> _Line:
    """The part of a line that stands right above a table: a sentence before it on the same line tells something else."""
    start = max((m.end() for m in _ENDED.finditer(line.text)), default=0)
    return _Line(line.text[start:], line.start + start)


_TITLE = re.compile(
    r"(?:내역|목록|현황|정산|집계|명세서?|지출|기록|리스트|비용|표|list|details|expenses|summary|breakdown|records?|costs|log)\s*"
    r"(?:\([^)]*\)|\[[^\]]*\])?\s*[:：]?\s*$",
    re.IGNORECASE,
)
"""A line that only names what is listed under it."""


def _told_above(caption: _Line) -> dict[str, str]:
    """The kind of all rows of a table, and whether tax is in their amounts, as the line above it tells."""
    kinds = {m.lastgroup for m in benefits_in(caption.text, korean=True)}
    tax = _tax_above(caption)
    told = {"category": str(kinds.pop())} if len(kinds) == 1 else {}
    return {**told, **tax} if told else told


def _tax_above(caption: _Line) -> dict[str, str]:
    tax = _TAX.search(caption.text)
    return {"vat_included": "포함" if tax["with"] else "별도"} if tax else {}


def _tables(lines: Sequence[_Line]) -> Iterator[tuple[list[str], list[_Line], str, _Line]]:
    """The tables of expenses: the names of the columns, the rows under them, the sign that divides them, and the line above."""
    for at, line in enumerate(lines):
        for divider in _DIVIDERS:
            header = line.cells(divider) if line.text.count(divider) > 1 else []
            if not header:
                continue
            above = _last_sentence(lines[at - 1]) if at else _NOTHING
            if are_expenses(header) or (are_expenses([*header, "category"]) and _told_above(above)):
                rows = list(_rows(lines[at + 1 :], divider, len(header)))
                yield header, rows, divider, above


def _rows(lines: Sequence[_Line], divider: str, columns: int) -> Iterator[_Line]:
    for line in lines:
        if divider not in line.text:
            return
        cells = line.cells(divider)
        if not _RULE.fullmatch(line.text) and len(cells) == columns and any(cells):
            yield line


def _expense(cells: dict[str, str], row: _Line, number: int) -> Expense | None:
    """The expense of a row; None where it names no kind of benefit, or a cell cannot be read: then it is read as prose."""
    said = next((_DAY.fullmatch(value) for name, value in cells.items() if fact_of(name) == "date"), None)
    if said is not None:
        cells = {name: value for name, value in cells.items() if fact_of(name) != "date"}
    if among_ourselves(" ".join(cells.values())):
        return None
    try:
        made = expense_of(cells, number)
    except BadRow:
        return None
    if made.category not in WORDS or made.category == "unclear":
        return None
    name = f"row {number}"
    return replace(
        made,
        ids=(name,),
        event=made.event or name,
        occasion="seminar" if _SEMINAR.search(row.text) else made.occasion,
        said_day=f"{int(said['month']):02}-{int(said['day']):02}" if said is not None else "",
        span=(row.start, row.end),
    )
