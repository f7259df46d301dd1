"""Prices of rows that have a quantity: those of one piece, or of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from metaagent.data.semantic.drafting.words import words_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from metaagent.data.semantic.drafting.survey import Table

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
