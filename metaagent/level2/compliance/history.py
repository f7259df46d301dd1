"""Reads the expenses of a company through the database port, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from metaagent.errors import MetaAgentError
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.judging import Subject
from metaagent.level2.compliance.model import Book
from metaagent.level2.compliance.rows import BadRow, expense_of
from metaagent.level2.compliance.text.reading import read
from metaagent.level2.compliance.text.wording import Sentences, cleaned
from metaagent.ports import Database

PAGE = 5_000


def narrows(book: Book, narrowing: Mapping[str, Any]) -> bool:
    """Say whether a filter of a question can be applied to the rows of the book."""
    return narrowing.get("op") in ("in", "not_in") and str(narrowing.get("dimension")) in book.narrowed_by


def _meant(row: Mapping[str, Any], book: Book, narrowing: Mapping[str, Any]) -> bool:
    values = {str(value) for value in narrowing.get("values") or ()}
    named = {str(row.get(column)) for column in book.narrowed_by[str(narrowing["dimension"])]}
    return bool(named & values) is (narrowing["op"] == "in")


async def expenses_between(
    db: Database, book: Book, first: date, last: date, narrowings: Sequence[Mapping[str, Any]] = ()
) -> list[Expense]:
    """All expenses of a stretch of days that the narrowings mean. Raises BadRow, and whatever the port raises."""
    found: list[Expense] = []
    after = -1
    while True:
        sql = book.sql.format(first=first.isoformat(), last=last.isoformat(), after=int(after))
        page = await db.run(sql, max_rows=PAGE)
        rows = [dict(zip(page.columns, row, strict=True)) for row in page.rows]
        meant = [row for row in rows if all(_meant(row, book, each) for each in narrowings)]
        found += [expense_of(row, number) for number, row in enumerate(meant, len(found) + 1)]
        if not page.truncated or not rows:
            return found
        after = rows[-1]["id"]


def span_of(expenses: Sequence[Expense]) -> tuple[date, date] | None:
    """The whole years around the expenses: what limits by day, month and year look back over."""
    days = [one.date for one in expenses if one.date is not None]
    return (date(min(days).year, 1, 1), date(max(days).year, 12, 31)) if days else None


async def with_history(subject: Subject, book: Book | None, db: Database | None) -> Subject:
    """With the earlier expenses that its own are counted with; `history` is None where they cannot be read."""
    stated = [*subject.expenses]
    if subject.text is not None:
        stated += read(Sentences(cleaned(subject.text), proposed=subject.proposed)).expenses
    span = span_of(stated)
    if span is None:
        return subject
    if book is None or db is None:
        return replace(subject, history=None)
    try:
        return replace(subject, history=await expenses_between(db, book, *span))
    except (MetaAgentError, BadRow):
        return replace(subject, history=None)
