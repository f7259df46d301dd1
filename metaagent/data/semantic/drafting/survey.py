"""The contents of a database: its tables with their types, keys and links, declared or guessed from names and values.

A table that cannot be read is left out with the reason; the others stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.policy import usable_name
from metaagent.data.semantic.drafting.codes import Codes, code_tables, named_values
from metaagent.data.semantic.drafting.contents import Sampler, cast_of, is_iso, is_personal, looks_dated
from metaagent.data.semantic.drafting.dictionary import KOREAN
from metaagent.data.semantic.drafting.links import KeyLook, likely_key, link, whole_key
from metaagent.data.semantic.drafting.prefixes import (
    by_neighbours,
    in_hangul,
    without_modules,
    without_prefixes,
)
from metaagent.data.semantic.drafting.prices import growing_prices, parts_of_heads
from metaagent.data.semantic.drafting.row_facts import (
    empty_dates,
    spans,
    summed,
    undone_shares,
    unequal_lines,
    whole_prices,
)
from metaagent.data.semantic.drafting.table import Table, identifier
from metaagent.data.semantic.drafting.words import PARTICIPLES, hangul, singular, words_of
from metaagent.data.semantic.reflect import column_type
from metaagent.errors import Text

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Inspector

_SYSTEM = re.compile(
    r"^(sqlite_|pg_|alembic_|django_|spatial_|tmp_|temp_|bak_|backup_|old_|legacy_|archived?_|unused_|zz+_|임시|백업)"
    r"|[_ -](migrations?|bak|backup|old|tmp|백업|임시|복사본|구버전)([_ -]?\d+)*$|(?<=[가-힣])(백업|복사본)\d*$",
    re.IGNORECASE,
)

UNREADABLE = Text(en="it cannot be read: {why}", ko="읽을 수 없습니다: {why}")
NO_ROWS = Text(en="it has no rows yet", ko="아직 행이 없습니다")
NO_COLUMNS = Text(en="it has no column that can be named", ko="이름을 쓸 수 있는 열이 없습니다")
SAME_NAME = Text(
    en="its name differs from another table's by case or signs only",
    ko="다른 테이블과 이름이 대소문자나 기호만 다릅니다",
)
VIEW_OF_ALL = Text(
    en="it is a view without the column that tells whose rows are whose",
    ko="누구의 행인지 알려 주는 열이 없는 뷰입니다",
)
CODES = Text(
    en="it lists codes; their names are the values of other tables",
    ko="코드 목록입니다. 코드의 이름은 다른 테이블의 값으로 씁니다",
)
_MOST_KINDS = 60
WORKING = Text(en="it looks like a copy or a system table", ko="복사본이나 시스템 테이블로 보입니다")


@dataclass(frozen=True)
class LeftOut:
    table: str
    reason: Text


@dataclass
class Survey:
    tables: dict[str, Table]
    left_out: list[LeftOut]


def survey(connection: Connection, without: frozenset[str] = frozenset()) -> Survey:
    inspector = sa.inspect(connection)
    found: dict[str, Table] = {}
    left: list[LeftOut] = []
    for name in sorted({*inspector.get_table_names()} - without):
        table = _usable(connection, inspector, name, {one.lower() for one in found})
        if isinstance(table, Table):
            found[table.name] = table
        else:
            left.append(LeftOut(name, table))
    for name in sorted({*inspector.get_view_names()} - without):
        view = _usable(connection, inspector, name, {one.lower() for one in found}, is_view=True)
        if isinstance(view, Table):
            view.base = _shown_by(view, found)
            found[view.name] = view
        elif view is not WORKING:
            left.append(LeftOut(name, view))
    without_modules(found)
    without_prefixes(found)
    in_hangul(found)
    by_neighbours(found)
    codes = _look_at_rows(connection, inspector, found)
    used = {name for name in codes if any(table.values for table in found.values())}
    left += [LeftOut(found[name].physical, CODES) for name in sorted(used)]
    return Survey({name: table for name, table in found.items() if name not in used}, left)


def _look_at_rows(connection: Connection, inspector: Inspector, found: dict[str, Table]) -> dict[str, Codes]:
    """Add whatever only the rows tell: keys, links, names of codes, shares; the tables of codes are returned."""
    look = KeyLook(connection)
    for table in found.values():
        table.key = whole_key(table, look)
        table.empty = empty_dates(connection, table)
        texts = [c for c, kind in table.types.items() if kind == "string" and c not in table.key]
        table.telling = [c for c in texts if not table.is_view and look.unique(table, c)]
    for table in list(found.values()):
        link(inspector, table, found, look)
    codes = code_tables(connection, found)
    for name, column, names in named_values(connection, found, codes):
        found[name].values[column] = names
    for table in found.values():
        table.shares = undone_shares(connection, table)
    for table in found.values():
        table.unequal = unequal_lines(connection, table, found)
        table.in_heads = parts_of_heads(connection, table, found, summed)
        table.spans = spans(connection, table)
        table.whole = whole_prices(connection, table, found) | growing_prices(connection, table)
    return codes


def _shown_by(view: Table, tables: dict[str, Table]) -> list[str]:
    """The words of the table that most columns of a view are those of: v_delivered shows shipments."""
    own = words_of(view.physical)
    if hangul(view.physical) or any(singular(word) in KOREAN and word not in PARTICIPLES for word in own):
        return []
    alike = {
        name: len(view.types.keys() & table.types.keys())
        for name, table in tables.items()
        if not table.is_view
    }
    best = max(alike, key=lambda name: alike[name], default=None)
    return tables[best].words if best and alike[best] >= 2 else []


def _usable(
    connection: Connection, inspector: Inspector, name: str, taken: set[str], *, is_view: bool = False
) -> Table | Text:
    """The table, or why it is left out."""
    if _SYSTEM.search(name):
        return WORKING
    try:
        with connection.begin_nested():
            table = _table(connection, inspector, name)
            table.is_view = is_view
            empty = (
                connection.execute(
                    sa.select(sa.literal_column("1")).select_from(sa.table(name)).limit(1)
                ).first()
                is None
            )
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).splitlines()[0]
        return Text(en=UNREADABLE.say("en", why=why), ko=UNREADABLE.say("ko", why=why))
    if not table.types or not usable_name(name):
        return NO_COLUMNS
    if table.name.lower() in taken:
        return SAME_NAME
    return NO_ROWS if empty else table


def _table(connection: Connection, inspector: Inspector, name: str) -> Table:
    made = Table(identifier(name), name, {}, {}, [])
    sampler = Sampler(connection, name)
    for column in inspector.get_columns(name):
        known = identifier(column["name"])
        if known in made.types or not usable_name(column["name"]):
            continue  # two names that differ by signs only: the first is known
        made.physical_columns[known] = column["name"]
        made.types[known] = str(column_type(column["type"]))
    made.key = [identifier(c) for c in inspector.get_pk_constraint(name)["constrained_columns"]]
    for known in made.types:
        _look_into(made, known, sampler)
    made.key = made.key or likely_key(made)
    return made


def _look_into(table: Table, column: str, sampler: Sampler) -> None:
    kind, physical = table.types[column], table.physical_columns[column]
    if kind not in {"string", "integer", "number"} or (kind == "integer" and column in table.key):
        return
    values = sampler.values(physical)
    if kind == "number":  # a BIT, which some databases hold as a number
        if values and {*values} <= {"0", "1"}:
            table.types[column], table.few[column] = "integer", values
        return
    if values and len(values) <= _MOST_KINDS:
        table.few[column] = values
    if kind == "string" and is_personal(values):
        table.personal.add(column)
    elif kind == "string" and (iso := is_iso(values)):
        table.types[column] = iso
    elif read := cast_of(sampler, physical, values, number=kind == "integer"):
        if column not in table.key or (len(table.key) > 1 and read[0] == "date"):
            table.types[column], table.casts[column] = read
    elif kind == "string" and looks_dated(physical, values):
        table.unreadable_dates.append(column)
