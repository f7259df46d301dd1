"""Prices of rows that have a quantity: those of one piece, or of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from metaagent.data.semantic.drafting.words import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection

    from metaagent.data.semantic.drafting.table import Table

_PRICE = frozenset({"price", "amount", "fare", "charge"})
_QUANTITY = frozenset({"quantity", "count", "units"})
_GROWN = 1.4
"""The prices of large quantities are higher by this factor where they are those of all pieces."""


def growing_prices(connection: Connection, table: Table) -> set[str]:
    """The prices that are higher the more pieces a row has: no price of one piece is."""
    numbers = [
        c for c, kind in table.types.items()
        if kind in ("integer", "number") and c not in {*table.key, *table.links, *table.casts}
    ]  # fmt: skip
    prices = [c for c in numbers if words_of(c)[-1] in _PRICE and "unit" not in words_of(c)]
    counts = [c for c in numbers if words_of(c)[-1] in _QUANTITY]
    if not prices or len(counts) != 1 or table.is_view:
        return set()
    return {price for price in prices if _grows(connection, table, price, counts[0])}


def _grows(connection: Connection, table: Table, price: str, count: str) -> bool:
    paid, pieces = (sa.column(table.physical_columns[c]) for c in (price, count))
    rows = sa.table(table.physical, paid, pieces)
    middle = sa.select(sa.func.avg(pieces)).select_from(rows).scalar_subquery()
    few, many = (
        connection.execute(sa.select(sa.func.avg(paid)).select_from(rows).where(limit)).scalar()
        for limit in (pieces <= middle, pieces > middle)
    )
    return bool(few and many and float(few) > 0 and float(many) / float(few) >= _GROWN)


def parts_of_heads(
    connection: Connection,
    table: Table,
    found: dict[str, Table],
    summed: Callable[[Connection, Table, str], float],
) -> dict[str, tuple[str, str]]:
    """The amounts of lines that add up to a column of their heads: those of the parts to what a repair charges for parts."""
    own = [c for c in _numbers(table) if _WORTHS & {*words_of(c)} and "unit" not in words_of(c)]
    made: dict[str, tuple[str, str]] = {}
    for here, (there, to) in table.links.items():
        head = found[there]
        if head.key != [to] or table.key == [here] or table.is_view or not own:
            continue
        sums = {c: summed(connection, head, c) for c in _numbers(head) if _WORTHS & {*words_of(c)}}
        for column in own:
            total = summed(connection, table, column)
            same = [c for c, whole in sums.items() if whole and abs(total / whole - 1) <= _APART]
            made |= {column: (there, same[0])} if len(same) == 1 else {}
    return made


def _numbers(table: Table) -> list[str]:
    used = {*table.key, *table.links}
    return [c for c, kind in table.types.items() if kind in ("integer", "number") and c not in used]


_WORTHS = frozenset(
    {"amount", "total", "charge", "fee", "price", "cost", "revenue", "fare", "금액", "합계", "총금액", "요금"}
)
_APART = 0.005
