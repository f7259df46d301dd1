"""The contents of a database: its tables with their types, keys and links, declared or guessed from names.

Values are looked at only to tell what a column is (is this text a date? is this column a key?); none is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.reflect import column_type
from metaagent.data.semantic.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection, Inspector

_SYSTEM = re.compile(
    r"^(sqlite_|pg_|alembic_|django_|spatial_|tmp_|temp_|bak_|backup_)|_(migrations?|bak|backup|old|tmp)(_?\d+)?$",
    re.IGNORECASE,
)
_DATED = re.compile(r"date|_on$|_at$|time|month$|(^|_)dt$|ymd|일자|날짜|일시|일$|월$", re.IGNORECASE)
_KEYS = {"id", "number", "code", "key", "uuid", "번호", "코드", "아이디"}


@dataclass
class Table:
    name: str  # in the model; the database may call it otherwise
    physical: str
    types: dict[str, str]
    physical_columns: dict[str, str]
    key: list[str]
    links: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Column -> table and column that it refers to; at most one per table that is referred to."""
    unreadable_dates: list[str] = field(default_factory=list[str])
    """Called like dates, but not written as ISO text."""

    @property
    def words(self) -> list[str]:
        return words_of(self.name)

    @property
    def slug(self) -> str:
        return "_".join(self.words)


def tables_of(connection: Connection) -> dict[str, Table]:
    inspector = sa.inspect(connection)
    found: dict[str, Table] = {}
    for name in inspector.get_table_names():
        if not _SYSTEM.search(name):
            table = _table(connection, inspector, name)
            found[table.name] = table
    unique = _Unique(connection)
    for table in found.values():
        _link(inspector, table, found, unique)
    return {name: table for name, table in found.items() if table.types}


def identifier(name: str) -> str:
    """'Order Details' -> 'Order_Details'."""
    made = re.sub(r"\W+", "_", name).strip("_")
    return made if made and not made[0].isdigit() else f"t_{made}"


def _table(connection: Connection, inspector: Inspector, name: str) -> Table:
    types: dict[str, str] = {}
    physical: dict[str, str] = {}
    unreadable: list[str] = []
    for column in inspector.get_columns(name):
        kind, known = str(column_type(column["type"])), identifier(column["name"])
        if kind == "string":
            kind = _date_in_text(connection, name, column["name"]) or kind
            if (
                kind == "string"
                and _DATED.search(column["name"])
                and _digits(connection, name, column["name"])
            ):
                unreadable.append(known)
        types[known], physical[known] = kind, column["name"]
    key = [identifier(c) for c in inspector.get_pk_constraint(name)["constrained_columns"]]
    made = Table(identifier(name), name, types, physical, key, unreadable_dates=unreadable)
    if not key:
        made.key = _likely_key(made)
    return made


def _likely_key(table: Table) -> list[str]:
    """id, patient_id, order_no; or else the first column."""
    own = [["id"], *([*table.words[-n:], kind] for n in (1, len(table.words)) for kind in sorted(_KEYS))]
    likely = [column for wanted in own for column in table.types if words_of(column) == wanted]
    return likely[:1] or list(table.types)[:1]


def _sample(connection: Connection, table: str, column: str) -> list[str]:
    one = sa.column(column)
    query = sa.select(one).select_from(sa.table(table, one)).where(one.is_not(None)).limit(20)
    return [str(value) for (value,) in connection.execute(query)]


def _date_in_text(connection: Connection, table: str, column: str) -> str | None:
    values = _sample(connection, table, column)
    if values and all(re.match(r"\d{4}-\d\d-\d\d(?!\d)", value) for value in values):
        return "date" if all(len(value) == 10 for value in values) else "datetime"
    return None


def _digits(connection: Connection, table: str, column: str) -> bool:
    values = _sample(connection, table, column)
    return bool(values) and all(sum(char.isdigit() for char in value) >= 6 for value in values)


class _Unique:
    """Tell whether a column tells rows apart: asked of the data, once for each."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, str], bool] = {}

    def __call__(self, table: Table, column: str) -> bool:
        place = table.name, column
        if place not in self._known:
            one = sa.column(table.physical_columns[column])
            twice = sa.select(sa.literal_column("1")).select_from(sa.table(table.physical, one))
            twice = twice.where(one.is_not(None)).group_by(one).having(sa.func.count() > 1).limit(1)
            self._known[place] = self._connection.execute(twice).first() is None
        return self._known[place]


def _link(inspector: Inspector, table: Table, found: dict[str, Table], unique: _Unique) -> None:
    for foreign in inspector.get_foreign_keys(table.physical):
        there = identifier(foreign["referred_table"])
        here = [identifier(c) for c in foreign["constrained_columns"]]
        to = [identifier(c) for c in foreign["referred_columns"]]
        if len(here) == 1 and there == table.name:
            table.types.pop(here[0], None)  # who reports to whom is neither a measure nor a way elsewhere
        elif len(here) == 1 and there in found:
            _add(table, here[0], found[there], (to or found[there].key)[0])
    if table.links:
        return
    for column, other in _alike(table, found):
        if unique(other, other.key[0]):
            _add(table, column, other, other.key[0])


def _alike(table: Table, found: dict[str, Table]) -> Iterator[tuple[str, Table]]:
    """No keys declared: a column that is called like another table's only key column means that table."""
    for column in table.types:
        for other in found.values():
            if other is table or len(other.key) != 1 or [column] == table.key:
                continue
            own, said = words_of(other.key[0]), words_of(column)
            if len(own) == 1 and own[0] in _KEYS:
                named = said in ([*other.words, own[0]], [other.words[-1], own[0]])
            else:
                named = said == own
            if named and table.types[column] == other.types[other.key[0]]:
                yield column, other


def _add(table: Table, column: str, other: Table, to: str) -> None:
    """Choose, of two columns that refer to one table, the one called like its key: branch_id before home_branch_id."""
    held = next((name for name, (there, _) in table.links.items() if there == other.name), None)
    if held is None or plainness(column, other, to) < plainness(held, other, to):
        if held is not None:
            del table.links[held]
        table.links[column] = other.name, to


def plainness(column: str, other: Table, to: str) -> int:
    """0 for a column that is called as the table or its key is; the number of other words else."""
    return len(set(words_of(column)) - {*words_of(to), *other.words, "id"})


def ways(tables: dict[str, Table], fact: str, table: str) -> list[list[Any]]:
    """List all shortest chains of links from `fact` to `table`, each a list of (column, table, to)."""
    level: list[list[Any]] = [[]]
    seen = {fact}
    while level:
        longer: list[list[Any]] = []
        for way in level:
            here = way[-1][1] if way else fact
            longer += [
                [*way, (column, there, to)]
                for column, (there, to) in tables[here].links.items()
                if there not in seen
            ]
        reached = [way for way in longer if way[-1][1] == table]
        if reached:
            return reached
        seen |= {way[-1][1] for way in longer}
        level = longer
    return []
