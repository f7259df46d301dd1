"""The contents of a database: its tables with their types, keys and links, declared or guessed from names and values.

A table that cannot be read is left out with the reason; the others stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.policy import usable_name
from metaagent.data.semantic.compiling.casts import read_as
from metaagent.data.semantic.compiling.dialects import ZERO, days_between
from metaagent.data.semantic.drafting.caveats import LINES, Caveat, said_choice_of, shown_words, undone
from metaagent.data.semantic.drafting.codes import Codes, code_tables, named_values
from metaagent.data.semantic.drafting.contents import Sampler, cast_of, is_iso, is_personal, looks_dated
from metaagent.data.semantic.drafting.dictionary import HAPPENINGS, KOREAN, PEOPLE, ROLES_OF_PEOPLE, VERBS
from metaagent.data.semantic.drafting.prefixes import (
    by_neighbours,
    in_hangul,
    without_modules,
    without_prefixes,
)
from metaagent.data.semantic.drafting.prices import growing_prices, parts_of_heads
from metaagent.data.semantic.drafting.words import PARTICIPLES, hangul, role_of, singular, words_of
from metaagent.data.semantic.reflect import column_type
from metaagent.errors import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection, Inspector

_SYSTEM = re.compile(
    r"^(sqlite_|pg_|alembic_|django_|spatial_|tmp_|temp_|bak_|backup_|old_|legacy_|archived?_|unused_|zz+_|임시|백업)"
    r"|[_ -](migrations?|bak|backup|old|tmp|백업|임시|복사본|구버전)([_ -]?\d+)*$|(?<=[가-힣])(백업|복사본)\d*$",
    re.IGNORECASE,
)
_KEYS = {"id", "number", "code", "key", "uuid", "번호", "코드", "아이디"}
_MOST_ORPHANS = 0.1

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
_SAYING_LITTLE = (
    "code",
    "코드",
    "log",
    "history",
    "record",
    "entry",
    "list",
    "data",
    "ledger",
    "eom",
    "eod",
    "snap",
    "profile",
    "이력",
    "내역",
    "기록",
)
"""Words behind the name of a thing that change nothing: a rental log holds rentals."""
_EVENTS = ("order", "transaction")
_MOST_KINDS = 60
WORKING = Text(en="it looks like a copy or a system table", ko="복사본이나 시스템 테이블로 보입니다")


@dataclass
class Table:
    name: str  # in the model; the database may call it otherwise
    physical: str
    types: dict[str, str]
    physical_columns: dict[str, str]
    key: list[str]
    links: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Column -> table and column that it refers to; at most one per table that is referred to."""
    casts: dict[str, str] = field(default_factory=dict[str, str])
    """Columns of text that hold dates or numbers."""
    personal: set[str] = field(default_factory=set[str])
    """Columns whose values are phone numbers, mail addresses and the like."""
    unreadable_dates: list[str] = field(default_factory=list[str])
    """Called like dates, but written in no way that can be read."""
    few: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Columns of text or whole numbers that hold few different values, and these."""
    empty: dict[str, float] = field(default_factory=dict[str, float])
    """Columns of dates -> the share of rows without one."""
    shares: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    """Columns of which some values say that a row may not count -> these values, each with its share of the rows."""
    unequal: list[Caveat] = field(default_factory=list[Caveat])
    """Amounts of lines that do not add up to those of their heads."""
    telling: list[str] = field(default_factory=list[str])
    """Columns of text without two like values."""
    spans: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    """Pairs of dates -> the share of rows, among those with both, in which the first is not before the second."""
    after: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Columns that the draft adds: whether the first date is after the second, which was planned."""
    below: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Columns that the draft adds: whether the first number is below the second, which is the least that is wanted."""
    given: dict[str, str] = field(default_factory=dict[str, str])
    """Columns that the draft adds: whether a row has the date on which it was paid."""
    whole: set[str] = field(default_factory=set[str])
    """Prices of lines that add up to the amounts of their heads: what the line costs, whatever its quantity is."""
    in_heads: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Amounts of lines -> the table and column of their heads that these add up to."""
    is_view: bool = False
    base: list[str] = field(default_factory=list[str])
    """The words of the table that a view shows rows of, where its own name does not say it."""
    values: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Columns of codes -> the name of each code, from a table of codes."""
    role: list[str] = field(default_factory=list[str])
    """The role of a second view of the same table: shipping, for the region that an order is shipped to."""
    referring: tuple[str, str] | None = None
    """The table and column that refer to such a view."""

    called: str = ""
    """Its name without the module that all names begin with."""

    def said(self, column: str) -> str:
        """The name of a column as people read it: in Hangul where it is Korean in Latin letters."""
        read = [column] if hangul(column) else words_of(column)
        if hangul(read[0]):
            return "".join("일" if word == "date" else word for word in read)
        return column if column.endswith("_ilja") else self.physical_columns[column]

    @property
    def said_name(self) -> str:
        return self.called or self.physical

    @property
    def words(self) -> list[str]:
        named = self.said_name.lower()  # rent_hdr holds rentals; 선박 in Latin letters no shipments
        own = [HAPPENINGS[w] if w in HAPPENINGS and w in named else w for w in words_of(self.said_name)]
        own = [*own[:-1], "booking"] if len(own) > 1 and own[-1] == "book" else own
        told = len(own) > 1 and (own[-1] in _SAYING_LITTLE or self._is_order(own))
        return [*self.role, *(own[:-1] if told else own), *self.base]

    @staticmethod
    def _is_order(own: list[str]) -> bool:
        return len(own) > 1 and own[-1] in _EVENTS and own[-2] in VERBS and own[-2] != "sale"

    @property
    def in_full(self) -> list[str]:
        """The words of a repair order, which is called a repair as well; none for others."""
        own = words_of(self.said_name)
        return own if self._is_order(own) and not self.role else []

    @property
    def slug(self) -> str:
        return "_".join(self.words)


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
    look = _Look(connection)
    for table in found.values():
        table.key = _whole_key(table, look)
        table.empty = _empty_dates(connection, table)
        texts = [c for c, kind in table.types.items() if kind == "string" and c not in table.key]
        table.telling = [c for c in texts if not table.is_view and look.unique(table, c)]
    for table in list(found.values()):
        _link(inspector, table, found, look)
    codes = code_tables(connection, found)
    for name, column, names in named_values(connection, found, codes):
        found[name].values[column] = names
    for table in found.values():
        table.shares = _undone_shares(connection, table)
    for table in found.values():
        table.unequal = _unequal_lines(connection, table, found)
        table.in_heads = parts_of_heads(connection, table, found, _summed)
        table.spans = _spans(connection, table)
        table.whole = _whole_prices(connection, table, found) | growing_prices(connection, table)
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


def identifier(name: str) -> str:
    """'Order Details' -> 'Order_Details'."""
    made = re.sub(r"\W+", "_", name).strip("_").replace("__", "_")
    return made if made and not made[0].isdigit() else f"t_{made}"


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
    made.key = made.key or _likely_key(made)
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


def _empty_dates(connection: Connection, table: Table) -> dict[str, float]:
    dates = [column for column, kind in table.types.items() if kind in ("date", "datetime")]
    used = [sa.column(table.physical_columns[column]) for column in dates]
    if not used:
        return {}
    given = [sa.func.count(sa.func.nullif(sa.func.trim(sa.cast(one, sa.String())), "")) for one in used]
    row = connection.execute(
        sa.select(sa.func.count(), *given).select_from(sa.table(table.physical, *used))
    ).one()
    return {column: 1 - count / row[0] for column, count in zip(dates, row[1:], strict=True) if row[0]}


def _spans(connection: Connection, table: Table) -> dict[tuple[str, str], float]:
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


def _unequal_lines(connection: Connection, table: Table, found: dict[str, Table]) -> list[Caveat]:
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
            _summed(connection, one, column) for one, column in ((table, own[0]), (head, theirs[0]))
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


def _summed(connection: Connection, table: Table, column: str) -> float:
    one = sa.column(table.physical_columns[column])
    cast = table.casts.get(column)
    read = read_as(one, cast, table.types[column], connection.dialect.name) if cast else one
    found = connection.execute(
        sa.select(sa.func.sum(read)).select_from(sa.table(table.physical, one))
    ).scalar()
    return float(found or 0)


_PRICED = {"price", "cost", "rate", "fee", "단가", "가격", "금액"}


def _whole_prices(connection: Connection, table: Table, found: dict[str, Table]) -> set[str]:
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
        _summed(connection, head, c)
        for head in heads
        for c, kind in head.types.items()
        if kind in ("integer", "number")
        and (_WORTH | _PRICED | {"revenue"}) & {*words_of(c)}
        and c not in head.links
    ]
    sums = {c: _summed(connection, table, c) for c in prices}
    return {
        c
        for c, own in sums.items()
        if own and any(abs(own / one - 1) <= _MOST_APART for one in totals if one)
    }


def _undone_shares(connection: Connection, table: Table) -> dict[str, dict[str, float]]:
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


def _likely_key(table: Table) -> list[str]:
    """id, patient_id, order_no; or else the first column."""
    own = [["id"], *([*table.words[-n:], kind] for n in (1, len(table.words)) for kind in sorted(_KEYS))]
    likely = [column for wanted in own for column in table.types if words_of(column) == wanted]
    return likely[:1] or list(table.types)[:1]


def _whole_key(table: Table, look: _Look) -> list[str]:
    """The key, and of one that does not tell rows apart as many more columns as do: order number and line."""
    if look.unique(table, *table.key):
        return table.key
    more = [column for column in table.types if column not in table.key and column not in table.casts]
    for count in range(1, min(3, len(more)) + 1):
        longer = [*table.key, *more[:count]]
        if look.unique(table, *longer):
            return longer
    return table.key


class _Look:
    """Questions about keys that only the data answers, asked once for each."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, ...], bool] = {}

    def unique(self, table: Table, *columns: str) -> bool:
        """Tell whether columns, together, tell rows apart."""
        place = table.name, *columns
        if place not in self._known:
            used = [sa.column(table.physical_columns[column]) for column in columns]
            twice = sa.select(sa.literal_column("1")).select_from(sa.table(table.physical, *used))
            present = [one.is_not(None) for one in used]
            twice = twice.where(*present).group_by(*used).having(sa.func.count() > 1).limit(1)
            self._known[place] = self._connection.execute(twice).first() is None
        return self._known[place]

    def within(self, table: Table, column: str, other: Table, key: str) -> bool:
        """Tell whether the values of a column are, nearly all, keys of the other table."""
        one, to = sa.column(table.physical_columns[column]), sa.column(other.physical_columns[key])
        values = (
            sa.select(one.label("v"))
            .select_from(sa.table(table.physical, one))
            .where(one.is_not(None))
            .distinct()
            .limit(500)
        ).subquery()
        there = (
            sa.select(sa.literal_column("1"))
            .select_from(sa.table(other.physical, to))
            .where(to == values.c.v)
            .exists()
        )
        found = sa.select(sa.func.count(), sa.func.sum(sa.case((there, 0), else_=1))).select_from(values)
        count, orphans = self._connection.execute(found).one()
        return bool(count) and (orphans or 0) <= count * _MOST_ORPHANS


def _link(inspector: Inspector, table: Table, found: dict[str, Table], look: _Look) -> None:
    links: list[tuple[str, Table, str]] = []
    named = {one.physical: one for one in found.values() if one.referring is None}
    for foreign in inspector.get_foreign_keys(table.physical):
        other = named.get(foreign["referred_table"])
        here = [_column_of(table, c) for c in foreign["constrained_columns"]]
        to = [_column_of(other, c) for c in foreign["referred_columns"]] if other else []
        if len(here) != 1 or here[0] not in table.types or other is None:
            continue
        if other is table:
            table.types.pop(here[0], None)  # who reports to whom is neither a measure nor a way elsewhere
        else:
            links.append((here[0], other, (to or other.key)[0]))
    declared = {column for column, _, _ in links}
    for column, other in _alike(table, [one for one in named.values() if not one.is_view]):
        if (
            column not in declared
            and look.unique(other, other.key[0])
            and look.within(table, column, other, other.key[0])
            and not ([column] == table.key and look.within(other, other.key[0], table, column))
        ):
            links.append((column, other, other.key[0]))
            declared.add(column)
    for column, other, to in links:
        table.types[column] = other.types[to]
        table.casts.pop(column, None)
    _assign(table, links, found)


def _column_of(table: Table, physical: str) -> str:
    """The column as the model calls it; names in Latin letters may have become Korean ones."""
    return next(
        (ours for ours, theirs in table.physical_columns.items() if theirs == physical), identifier(physical)
    )


_DOER = re.compile(r"(?:er|or|ist)$|[가-힣][자장사원인]$")


def _called_by_role(column: str, other: Table, *, linked: bool = False) -> list[str]:
    """The role of a person behind a key, without the word for a key: sales rep for salesRepId; none for other keys. `linked`: the
    key is known to lead there, so that any word for somebody who does something is a role."""
    said = words_of(column)
    role = said[-2] if len(said) > 1 and said[-1] in _KEYS else ""
    named = role in ROLES_OF_PEOPLE or (linked and role not in other.words and _DOER.search(role) is not None)
    return said[:-1] if named and other.words[-1] in PEOPLE else []


def _has_several_roles(other: Table, found: dict[str, Table]) -> bool:
    """Tell whether keys of more than one name lead to these people, so that a role says which of them is meant."""
    tables = [one for one in found.values() if one.referring is None]
    keys = {tuple(words_of(c)) for one in tables if one.physical != other.physical for c in one.types}
    things = {one.words[-1] for one in tables} - {other.words[-1]}  # a customer has a table of its own
    called = {
        key
        for key in keys
        if len(key) > 1
        and key[-1] in _KEYS
        and key[-2] not in things
        and (key[-2] == other.words[-1] or set(key[:-1]) & ROLES_OF_PEOPLE or _DOER.search(key[-2]))
    }
    return len(called) > 1


def _assign(table: Table, links: list[tuple[str, Table, str]], found: dict[str, Table]) -> None:
    """Chooses the way to a table: of several columns that refer to it, the one called like its key. Each other one
    leads to a view of that table under its role, as the region that an order is shipped to."""
    by_table: dict[str, list[tuple[str, Table, str]]] = {}
    for column, other, to in links:
        if (role := _called_by_role(column, other, linked=True)) and _has_several_roles(other, found):
            name = identifier("_".join(role))
            name = name if name not in found else identifier("_".join([*role, "of", table.name]))
            called = " ".join(role)
            found[name] = replace(other, name=name, called=called, referring=(table.name, column), links={})
            table.links[column] = name, to
        else:
            by_table.setdefault(other.name, []).append((column, other, to))
    for group in by_table.values():
        group.sort(key=lambda link: plainness(link[0], link[1], link[2]))
        column, other, to = group[0]
        roles = [(c, role_of(c, o.words, t)) for c, o, t in group]
        plain = len(group) == 1 or not roles[0][1] or len({tuple(role) for _, role in roles}) < len(roles)
        if plain:
            table.links[column] = other.name, to
        for each, role in roles[1:] if plain else roles:
            if role:
                view = _view(table, each, role, other, found)
                found[view.name] = view
                table.links[each] = view.name, to


def _view(table: Table, column: str, role: list[str], other: Table, found: dict[str, Table]) -> Table:
    short = identifier("_".join([*role, other.name]))
    name = short if short not in found else identifier("_".join([*role, other.name, "of", table.name]))
    return replace(other, name=name, role=role, referring=(table.name, column), links={})


def _alike(table: Table, others: list[Table]) -> Iterator[tuple[str, Table]]:
    """A column that is called like another table's only key column means that table; words before it are its role."""
    for column, kind in table.types.items():
        for other in others:
            if other is table or len(other.key) != 1:
                continue
            own, said = words_of(other.key[0]), words_of(column)
            names = (
                [own]
                if len(own) > 1 or own[0] not in _KEYS
                else [[*other.words, own[0]], [other.words[-1], own[0]]]
            )
            if hangul(other.key[0]) and (len(other.key[0]) > 2 or other.key[0] not in _KEYS):
                named = column.endswith(other.key[0])
            else:
                named = any(said[-len(name) :] == name for name in names) or bool(
                    _called_by_role(column, other)
                )
            if named and _same_type(kind, other.types[other.key[0]]):
                yield column, other


def _same_type(one: str, other: str) -> bool:
    return one == other or {one, other} <= {"integer", "number"}


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
