"""Facts about a table that only its rows tell: empty dates, dates in order, lines that add up to their heads, undone rows."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import sqlalchemy as sa

from metaagent.data.semantic.compiling.casts import read_as
from metaagent.data.semantic.compiling.dialects import ZERO, days_between
from metaagent.data.semantic.drafting.caveats import LINES, Caveat, said_choice_of, shown_words, undone
from metaagent.data.semantic.drafting.table import Table
from metaagent.data.semantic.drafting.words import words_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


def empty_dates(connection: Connection, table: Table) -> dict[str, float]:
    dates = [column for column, kind in table.types.items() if kind in ("date", "datetime")]
    used = [sa.column(table.physical_columns[column]) for column in dates]
    if not used:
        return {}
    given = [sa.func.count(sa.func.nullif(sa.func.trim(sa.cast(one, sa.String())), "")) for one in used]
    row = connection.execute(
        sa.select(sa.func.count(), *given).select_from(sa.table(table.physical, *used))
    ).one()
    return {column: 1 - count / row[0] for column, count in zip(dates, row[1:], strict=True) if row[0]}


def spans(connection: Connection, table: Table) -> dict[tuple[str, str], float]:
    """Compare the dates of a row with one another: what comes after what."""
    dates = [c for c, kind in table.types.items() if kind in ("date", "datetime")][:_MOST_DATES]
    if len(dates) < 2 or table.is_view or table.referring is not None:
        return {}
    dialect = connection.dialect.name
    used = {c: sa.column(table.physical_columns[c]) for c in dates}
    read = {
        c: read_as(one, table.casts[c], table.types[c], dialect) if c in table.casts else one
        for c, one in used.items()
    }
    pairs = list(permutations(dates, 2))
    days = [days_between(read[later], read[earlier], dialect) for later, earlier in pairs]
    counted = [
        one
        for each in days
        for one in (sa.func.count(each), sa.func.sum(sa.case((each >= ZERO, 1), else_=0)))
    ]
    row = connection.execute(sa.select(*counted).select_from(sa.table(table.physical, *used.values()))).one()
    return {pair: row[2 * at + 1] / row[2 * at] for at, pair in enumerate(pairs) if row[2 * at]}


_MOST_DATES = 5


def unequal_lines(connection: Connection, table: Table, found: dict[str, Table]) -> list[Caveat]:
    """Compare the amounts of lines with the totals of their heads; nothing is said where they agree."""
    made: list[Caveat] = []
    for here, (there, to) in table.links.items():
        head = found[there]
        if head.key != [to] or here not in table.key or len(table.key) < 2 or table.is_view:
            continue
        own, theirs = _amounts(table), _amounts(head)
        if len(own) != 1 or len(theirs) != 1:
            continue
        ours, all_of = (
            summed(connection, one, column) for one, column in ((table, own[0]), (head, theirs[0]))
        )
        if ours and all_of and abs(ours / all_of - 1) > _MOST_APART:
            shown = f"{ours / all_of * 100:.0f}"
            share: dict[str, str] = {"ko": shown, "en": shown}
            total = shown_words([*head.words, *words_of(theirs[0])])
            text = said_choice_of(LINES, column=shown_words(words_of(own[0])), total=total, share=share)
            made.append({"about": "amount", "text": text})
    return made


_MOST_APART = 0.005
_WORTH = {"amount", "total", "금액", "총금액", "합계"}


def _amounts(table: Table) -> list[str]:
    return [
        c for c, kind in table.types.items() if kind in ("integer", "number") and words_of(c)[-1] in _WORTH
    ]


def summed(connection: Connection, table: Table, column: str) -> float:
    one = sa.column(table.physical_columns[column])
    cast = table.casts.get(column)
    read = read_as(one, cast, table.types[column], connection.dialect.name) if cast else one
    found = connection.execute(
        sa.select(sa.func.sum(read)).select_from(sa.table(table.physical, one))
    ).scalar()
    return float(found or 0)


_PRICED = {"price", "cost", "rate", "fee", "단가", "가격", "금액"}


def whole_prices(connection: Connection, table: Table, found: dict[str, Table]) -> set[str]:
    """Compare the prices of lines with the totals of the rows that they belong to."""
    numbers = [c for c, kind in table.types.items() if kind in ("integer", "number")]
    prices = [c for c in numbers if _PRICED & {*words_of(c)} and c not in table.links]
    heads = [
        found[there]
        for here, (there, to) in table.links.items()
        if found[there].key == [to] and here in table.key
    ]
    if not prices or len(table.key) < 2 or table.is_view:
        return set()
    totals = [
        summed(connection, head, c)
        for head in heads
        for c, kind in head.types.items()
        if kind in ("integer", "number")
        and (_WORTH | _PRICED | {"revenue"}) & {*words_of(c)}
        and c not in head.links
    ]
    sums = {c: summed(connection, table, c) for c in prices}
    return {
        c
        for c, own in sums.items()
        if own and any(abs(own / one - 1) <= _MOST_APART for one in totals if one)
    }


def undone_shares(connection: Connection, table: Table) -> dict[str, dict[str, float]]:
    made: dict[str, dict[str, float]] = {}
    for column, values in table.few.items():
        names = table.values.get(column, {})
        marked = {
            value for value in values if undone(table.physical_columns[column], value, names.get(value))
        }
        if not marked or marked == {*values} or column in table.links:
            continue
        one = sa.column(table.physical_columns[column])
        rows = sa.select(one, sa.func.count()).select_from(sa.table(table.physical, one)).group_by(one)
        counts = {str(value).strip(): count for value, count in connection.execute(rows)}
        total = sum(counts.values())
        made[column] = {value: counts[value] / total for value in sorted(marked) if counts.get(value)}
    return made
