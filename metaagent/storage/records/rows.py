"""Rows of one table inside one transaction: what is there, what would change, the change, and its way back."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

import orjson
import sqlalchemy as sa

from metaagent.errors import StoreRefused, Text
from metaagent.ports import Json
from metaagent.storage.records.database import MISSING, OVERFLOW
from metaagent.storage.records.writable import Target

CHUNK = 5_000
_INT64 = 2**63
_PLAIN = frozenset({str, int, float, bool, type(None)})
_MISFITS = (ValueError, TypeError, InvalidOperation, OverflowError)
_NOT_OF_TYPE = Text(
    en="Nothing was stored: row {row}, column {column!r} takes {type} and cannot hold the value given.",
    ko="아무것도 저장하지 않았습니다. {row}행의 열 {column!r}은(는) {type} 형식이며 주어진 값을 담을 수 없습니다.",
)
_TWICE = Text(
    en="Nothing was stored: rows {first} and {row} have the same key ({key}).",
    ko="아무것도 저장하지 않았습니다. {first}행과 {row}행의 키가 같습니다({key}).",
)
_HALF_KEY = Text(
    en="Nothing was stored: the key of {table!r} is {key}, and only part of it is given.",
    ko="아무것도 저장하지 않았습니다. {table!r}의 키는 {key}인데 일부만 주어졌습니다.",
)
CHANGED = Text(
    en="Nothing was stored: {table!r} has changed since the rows were shown. Look at them again.",
    ko="아무것도 저장하지 않았습니다. 보여 드린 뒤에 {table!r} 표가 바뀌었습니다. 다시 확인하십시오.",
)
CHANGED_SINCE = Text(
    en="It is not undone: somebody changed {table!r} since ({where}). What they wrote would be lost.",
    ko="되돌리지 않았습니다. 저장한 뒤 누군가 {table!r} 표를 바꾸었습니다({where}). 되돌리면 그 내용이 사라집니다.",
)


@dataclass(frozen=True)
class Change:
    """The rows that are new and those that replace others. Values are plain; rows are in the order of `columns`."""

    table: str
    columns: list[str]
    key: list[str]
    new: list[list[Any]] = field(default_factory=list[list[Any]])
    replaced: list[Json] = field(default_factory=list[Json])
    """Each with `key`, `before` and `after`."""
    unchanged: int = 0

    def as_json(self) -> Json:
        return {
            "table": self.table,
            "columns": self.columns,
            "key": self.key,
            "new": self.new,
            "replaced": self.replaced,
            "unchanged": self.unchanged,
        }


class RowWriter:
    """Works on one table in one open transaction."""

    def __init__(self, connection: sa.Connection, target: Target) -> None:
        self._connection = connection
        self._target = target
        self._table = sa.Table(
            target.table, sa.MetaData(), schema=target.schema, autoload_with=connection, resolve_fks=False
        )
        needed = (*target.columns.values(), *([target.tenant_column] if target.tenant_column else []))
        absent = [name for name in needed if name not in self._table.c]
        if absent:
            raise StoreRefused(MISSING, reason=f"{target.table}.{absent[0]}")

    def change(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Change:
        """Compare the given rows with what is there. Nothing is written."""
        target = self._target
        given = [column for column in target.key if column in columns]
        if given and len(given) < len(target.key):
            raise StoreRefused(_HALF_KEY, table=target.name, key=", ".join(target.key))
        plain = self._plain_rows(columns, rows)
        if not given:
            return Change(target.name, list(columns), [], new=plain)
        places = [list(columns).index(column) for column in given]
        keys = self._keys(plain, places)
        there = self._there(columns, given, list(keys))
        change = Change(target.name, list(columns), given)
        same = 0
        for key, row in zip(keys, plain, strict=True):
            before = there.get(key)
            if before is None:
                change.new.append(row)
            elif before == row:
                same += 1
            else:
                change.replaced.append({"key": list(key), "before": before, "after": row})
        return Change(
            target.name, list(columns), key=given, new=change.new, replaced=change.replaced, unchanged=same
        )

    def fingerprint(self, change: Change) -> str:
        """Changes when the rows that would be replaced do, when a new one appears, or when a column changes its type."""
        types = [f"{name}:{self._column(name).type!r}" for name in change.columns]
        parts = [self._target.table, types, change.new, change.replaced, change.unchanged]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()

    def write(self, change: Change) -> Change:
        """Write it; new rows without a key get the one that the database gave them."""
        target = self._target
        names = [target.columns[column] for column in change.columns]
        values = [
            each if make is _itself else list(map(make, each))
            for make, each in zip(self._ready(change.columns), _columns(change.new), strict=False)
        ]
        if target.tenant_column:
            names.append(target.tenant_column)
            values.append([target.tenant] * len(change.new))
        bound = [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
        made = change if change.key or not bound else self._with_keys(change, bound)
        if change.key and bound:
            self._connection.execute(sa.insert(self._table), bound)
        for each in change.replaced:
            self._update(change, each["key"], each["after"])
        return made

    def undo(self, change: Change) -> None:
        """Put back what was there. Raises StoreRefused where a row is no longer as it was written."""
        written = [*change.new, *(each["after"] for each in change.replaced)]
        places = [change.columns.index(column) for column in change.key]
        keys = [tuple(row[at] for at in places) for row in written]
        there = self._there(change.columns, change.key, keys)
        for key, row in zip(keys, written, strict=True):
            if (now := there.get(key)) != row:
                raise StoreRefused(CHANGED_SINCE, table=change.table, where=_where(change, key, row, now))
        new = keys[: len(change.new)]
        for part in _chunks(new):
            self._connection.execute(
                sa.delete(self._table).where(*self._mine(), self._among(change.key, part))
            )
        for each in change.replaced:
            self._update(change, each["key"], each["before"])

    def standing(self, change: Change) -> bool:
        """Tells whether every row is still as it was written."""
        written = [*change.new, *(each["after"] for each in change.replaced)]
        places = [change.columns.index(column) for column in change.key]
        keys = [tuple(row[at] for at in places) for row in written]
        there = self._there(change.columns, change.key, keys)
        return all(there.get(key) == row for key, row in zip(keys, written, strict=True))

    def keys_of(self, names: Sequence[str], key: str, name: str) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        columns = self._column(key), self._column(name)
        for part in _chunks(list(names)):
            query = sa.select(*columns).where(*self._mine(), columns[1].in_(part)).order_by(columns[0])
            for row in self._connection.execute(query):
                found.setdefault(str(row[1]), []).append(_plain(row[0]))
        return found

    def _with_keys(self, change: Change, bound: list[Json]) -> Change:
        key = list(self._target.key)
        wanted = [self._table.c[name] for name in key]
        query = sa.insert(self._table).returning(*wanted)
        given = [self._connection.execute(query, row).one() for row in bound]
        rows = [[*map(_plain, made), *row] for made, row in zip(given, change.new, strict=True)]
        return Change(
            change.table,
            [*key, *change.columns],
            key=key,
            new=rows,
            replaced=change.replaced,
            unchanged=change.unchanged,
        )

    def _update(self, change: Change, key: Sequence[Any], values: Sequence[Any]) -> None:
        ready = self._ready(change.columns)
        new = {
            self._target.columns[column]: make(value)
            for column, make, value in zip(change.columns, ready, values, strict=True)
            if column not in change.key
        }
        where = self._among(change.key, [tuple(key)])
        self._connection.execute(sa.update(self._table).where(*self._mine(), where).values(new))

    def _there(
        self, columns: Sequence[str], key: Sequence[str], keys: Sequence[tuple[Any, ...]]
    ) -> dict[tuple[Any, ...], list[Any]]:
        """The tenant's rows of these keys, held until the transaction ends."""
        wanted = [self._column(column) for column in columns]
        places = [list(columns).index(column) for column in key]
        found: dict[tuple[Any, ...], list[Any]] = {}
        for part in _chunks(keys):
            query = sa.select(*wanted).where(*self._mine(), self._among(key, part)).with_for_update()
            for row in self._connection.execute(query):
                plain = list(map(_plain, row))
                found[tuple(plain[at] for at in places)] = plain
        return found

    def _among(self, key: Sequence[str], keys: Sequence[tuple[Any, ...]]) -> sa.ColumnElement[bool]:
        columns = [self._column(name) for name in key]
        if len(columns) == 1 and isinstance(columns[0].type, sa.Integer | sa.String):
            return self._in_list(columns[0], [each[0] for each in keys])
        ready = self._ready(key)
        bound = [tuple(make(value) for make, value in zip(ready, each, strict=True)) for each in keys]
        if len(columns) == 1:
            return columns[0].in_([each[0] for each in bound])
        return sa.tuple_(*columns).in_(bound)

    def _in_list(self, column: sa.Column[Any], keys: list[Any]) -> sa.ColumnElement[bool]:
        """One bound value for all keys: a parameter for each would cost more than the rows."""
        if self._connection.dialect.name == "postgresql":
            return column == sa.any_(sa.bindparam(None, keys, type_=sa.ARRAY(column.type)))
        values = sa.func.json_each(orjson.dumps(keys).decode()).table_valued("value")
        return column.in_(sa.select(values.c.value))

    def _mine(self) -> list[sa.ColumnElement[bool]]:
        target = self._target
        if target.tenant_column is None:
            return []
        return [self._table.c[target.tenant_column] == target.tenant]

    def _column(self, name: str) -> sa.Column[Any]:
        return self._table.c[self._target.columns.get(name, name)]

    def _ready(self, columns: Sequence[str]) -> list[Callable[[Any], Any]]:
        return [_maker(self._column(column).type) for column in columns]

    def _plain_rows(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """The rows as the database will give them back. Raises StoreRefused, naming the first value that does not fit."""
        if any(len(row) != len(columns) for row in rows):
            raise self._misfit(columns, rows)
        kinds = [self._column(column).type for column in columns]
        try:
            made = [_plain_column(kind, each) for kind, each in zip(kinds, _columns(rows), strict=False)]
        except _MISFITS:
            raise self._misfit(columns, rows) from None
        return [list(row) for row in zip(*made, strict=True)]

    def _misfit(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> StoreRefused:
        for number, row in enumerate(rows, 1):
            if len(row) != len(columns):
                return StoreRefused(_NOT_OF_TYPE, row=number, column=f"1-{len(columns)}", type=len(row))
            for column, value in zip(columns, row, strict=True):
                kind = self._column(column).type
                try:
                    _fits(kind)(value)
                except OverflowError:
                    return StoreRefused(
                        OVERFLOW, reason=f"{self._target.name}.{column}, row {number}, {kind}"
                    )
                except _MISFITS:
                    return StoreRefused(_NOT_OF_TYPE, row=number, column=column, type=str(kind))
        raise AssertionError("every value fits")

    def _keys(self, rows: Sequence[Sequence[Any]], places: Sequence[int]) -> dict[tuple[Any, ...], int]:
        seen: dict[tuple[Any, ...], int] = {}
        for number, key in enumerate(zip(*([row[at] for row in rows] for at in places), strict=True), 1):
            if None in key:
                raise StoreRefused(_HALF_KEY, table=self._target.name, key=", ".join(self._target.key))
            if seen.setdefault(key, number) != number:
                raise StoreRefused(_TWICE, first=seen[key], row=number, key=", ".join(self._target.key))
        return seen


def required(connection: sa.Connection, target: Target) -> set[str] | None:
    """The columns that every new row must give a value; None if the database has no such table."""
    if not sa.inspect(connection).has_table(target.table, target.schema):
        return None
    table = sa.Table(
        target.table, sa.MetaData(), schema=target.schema, autoload_with=connection, resolve_fks=False
    )
    by_itself = table.autoincrement_column
    return {
        name
        for name, physical in target.columns.items()
        if (column := table.c.get(physical)) is not None
        and not column.nullable
        and column.server_default is None
        and column is not by_itself
    }


def _where(change: Change, key: tuple[Any, ...], written: list[Any], now: list[Any] | None) -> str:
    name = ", ".join(f"{column}={value}" for column, value in zip(change.key, key, strict=True))
    if now is None:
        return f"{name}: -"
    changed = [column for column, a, b in zip(change.columns, written, now, strict=True) if a != b]
    return f"{name}: {', '.join(changed)}"


def _chunks(keys: Sequence[Any]) -> Iterable[list[Any]]:
    return (list(keys[at : at + CHUNK]) for at in range(0, len(keys), CHUNK))


def _columns(rows: Sequence[Sequence[Any]]) -> Iterable[tuple[Any, ...]]:
    return zip(*rows, strict=True)


def _plain(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _maker(kind: sa.types.TypeEngine[Any]) -> Callable[[Any], Any]:
    """Turns a plain value into what the driver takes."""
    match kind:
        case sa.DateTime():
            return lambda value: None if value is None else datetime.fromisoformat(value)
        case sa.Date():
            return lambda value: None if value is None else date.fromisoformat(value)
        case sa.Float():
            return _itself
        case sa.Numeric():
            return lambda value: None if value is None else Decimal(value)
        case _:
            return _itself


def _itself(value: Any) -> Any:
    return value


def _plain_column(kind: sa.types.TypeEngine[Any], values: Sequence[Any]) -> list[Any]:
    """The plain values of a column. Numbers and texts that fit as they are, as most do, are seen all at once."""
    types = set(map(type, values))
    match kind:
        case sa.Integer() if types == {int}:
            beyond = 2**15 if isinstance(kind, sa.SmallInteger) else _INT64
            fit = -beyond <= min(values) and max(values) < beyond
        case sa.String() if types == {str}:
            fit = "\0" not in "".join(values) and max(map(len, values)) <= (kind.length or sys.maxsize)
        case _:
            fit = False
    return list(values) if fit else list(map(_fits(kind), values))


def _fits(kind: sa.types.TypeEngine[Any]) -> Callable[[Any], Any]:
    """Turns a given value into the plain one that is stored. Raises ValueError, TypeError or OverflowError."""
    match kind:
        case sa.DateTime():
            return _datetime
        case sa.Date():
            return _date
        case sa.Boolean():
            return _boolean
        case sa.SmallInteger():
            return lambda value: _integer(value, 2**15)
        case sa.BigInteger():
            return lambda value: _integer(value, _INT64)
        case sa.Integer():
            return lambda value: _integer(value, _INT64)
        case sa.Float():
            return lambda value: None if value is None else _finite(float(value))
        case sa.Numeric():
            return lambda value: _decimal(value, kind.precision, kind.scale)
        case sa.String():
            return lambda value: _string(value, kind.length)
        case _:
            return _plain


def _datetime(value: Any) -> str | None:
    return None if value is None else datetime.fromisoformat(str(value)).isoformat(" ")


def _date(value: Any) -> str | None:
    return None if value is None else _day(str(value))


@lru_cache(10_000)
def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def _boolean(value: Any) -> bool | None:
    if value is None or value in (0, 1):
        return None if value is None else bool(value)
    raise ValueError("not a boolean")


def _integer(value: Any, beyond: int) -> int | None:
    if value is None or (type(value) is int and -beyond <= value < beyond):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise TypeError("not a number")
    number = Decimal(str(value))
    if number != number.to_integral_value():
        raise ValueError("not a whole number")
    if not -beyond <= number < beyond:
        raise OverflowError("too large")
    return int(number)


def _finite(value: float) -> float:
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("not finite")
    return value


def _decimal(value: Any, precision: int | None, scale: int | None) -> str | None:
    if value is None:
        return None
    number = Decimal(str(value))
    if not number.is_finite():
        raise ValueError("not finite")
    if precision is not None:
        if abs(number) >= Decimal(10) ** (precision - (scale or 0)):
            raise OverflowError("too large")
        if number != round(number, scale or 0):
            raise ValueError("too many digits")
    return format(number.normalize(), "f")


def _string(value: Any, length: int | None) -> str | None:
    if value is None:
        return None
    text: str = value if type(value) is str else str(_plain(value))
    if "\0" in text:
        raise ValueError("a null character")
    if length is not None and len(text) > length:
        raise OverflowError("too long")
    return text
