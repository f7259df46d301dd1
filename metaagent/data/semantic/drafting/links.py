"""Keys and links between tables: declared, or guessed from names and proved by the rows; and the ways along them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.drafting.dictionary import PEOPLE, ROLES_OF_PEOPLE
from metaagent.data.semantic.drafting.table import Table, identifier
from metaagent.data.semantic.drafting.words import hangul, role_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection, Inspector

_KEYS = {"id", "number", "code", "key", "uuid", "번호", "코드", "아이디"}
_MOST_ORPHANS = 0.1


def likely_key(table: Table) -> list[str]:
    """id, patient_id, order_no; or else the first column."""
    own = [["id"], *([*table.words[-n:], kind] for n in (1, len(table.words)) for kind in sorted(_KEYS))]
    likely = [column for wanted in own for column in table.types if words_of(column) == wanted]
    return likely[:1] or list(table.types)[:1]


def whole_key(table: Table, look: KeyLook) -> list[str]:
    """The key, and of one that does not tell rows apart as many more columns as do: order number and line."""
    if look.unique(table, *table.key):
        return table.key
    more = [column for column in table.types if column not in table.key and column not in table.casts]
    for count in range(1, min(3, len(more)) + 1):
        longer = [*table.key, *more[:count]]
        if look.unique(table, *longer):
            return longer
    return table.key


class KeyLook:
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


def link(inspector: Inspector, table: Table, found: dict[str, Table], look: KeyLook) -> None:
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
