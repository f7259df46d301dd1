"""The policy that the database itself must enforce for one tenant, derived from the semantic model.

Compiled questions read every column of the model: the compiler has checked who may see what. SQL that somebody wrote
reads only what the roles may see. A row rule becomes a condition on the tables that hold its dimension; a table that
neither holds it nor is exempt is left out. So is a table or column that no policy can name: the others stay usable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.policy import DEFAULT_FUNCTIONS, Condition, Policy, TablePolicy, usable_name
from metaagent.data.semantic.model import Model, RowRule, split
from metaagent.data.semantic.vocabulary import allowed_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from metaagent.data.semantic.model import Value

COMPILER_FUNCTIONS = frozenset({"substr", "to_char", "date_part", "strptime", "isodow", "dayofweek"})


def compiled_policy(model: Model, tenant: str | None) -> Policy:
    """Allow all that the compiler may read, without fences: nobody but the compiler writes this SQL, and indexes stay usable."""
    columns: dict[str, list[str]] = {}
    for name, table in model.tables.items():
        columns.setdefault(table.table or name, []).extend(
            info.column or column for column, info in table.columns.items()
        )
    return Policy(
        {
            name: _table(model, name, found, tenant, (), fenced=False)
            for name, found in _usable(columns).items()
        },
        functions=DEFAULT_FUNCTIONS | COMPILER_FUNCTIONS,
        recursive=True,  # days without a row, in running totals
    )


def _usable(columns: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The tables and columns that can be named; of tables that differ in case only, the first."""
    made: dict[str, list[str]] = {}
    taken: set[str] = set()
    for name, found in columns.items():
        kept = [column for column in found if usable_name(column)]
        if kept and usable_name(name) and name.lower() not in taken:
            taken.add(name.lower())
            made[name] = kept
    return made


def written_policy(
    model: Model, tenant: str | None, roles: Iterable[str], attributes: Mapping[str, Value] | None = None
) -> Policy:
    held = frozenset(roles)
    rules = [rule for rule in model.row_rules if _applies(rule, held)]
    tables: dict[str, TablePolicy] = {}
    for name, columns in _usable(allowed_columns(model, held)).items():
        conditions = [_condition(model, rule, name, attributes or {}) for rule in rules]
        if columns and None not in conditions:
            where = tuple(one for found in conditions if found for one in found)
            tables[name] = _table(model, name, columns, tenant, where)
    return Policy(tables)


def reads_no_less(
    model: Model,
    roles: Iterable[str],
    held: Mapping[str, Value],
    others: Iterable[str],
    theirs: Mapping[str, Value],
) -> bool:
    """Tell whether every column and row that the others' roles and attributes open is open to these roles and attributes."""
    mine, given = frozenset(roles), frozenset(others)
    columns = [{*about.roles} for table in model.tables.values() for about in table.columns.values()]
    if any(named and given & named and not mine & named for named in columns):
        return False
    return all(
        _applies(rule, given)
        and (rule.attribute is None or held.get(rule.attribute) == theirs.get(rule.attribute))
        for rule in model.row_rules
        if _applies(rule, mine)
    )


def _applies(rule: RowRule, roles: frozenset[str]) -> bool:
    return bool(roles & {*rule.roles}) and not roles & {*rule.unless}


def _table(
    model: Model,
    name: str,
    columns: Iterable[str],
    tenant: str | None,
    where: tuple[Condition, ...],
    *,
    fenced: bool = True,
) -> TablePolicy:
    own = _model_name(model, name)
    key = model.tenant_of(own)
    real = (model.tables[own].columns[key].column or key) if key and key in model.tables[own].columns else key
    return TablePolicy(
        tuple(dict.fromkeys(columns)), real, tenant if real else None, where=where, fenced=fenced
    )


def _model_name(model: Model, table: str) -> str:
    return next(name for name, info in model.tables.items() if (info.table or name) == table)


def _condition(
    model: Model, rule: RowRule, table: str, attributes: Mapping[str, Value]
) -> tuple[Condition, ...] | None:
    """The rule on this table; empty if the table is exempt, None if it cannot be said."""
    own = _model_name(model, table)
    column = _column(model, rule, own)
    if column is None:
        return () if own in rule.exempt else None
    values = rule.values if rule.attribute is None else _held(attributes, rule.attribute)
    if not values:
        return None
    return (Condition(model.tables[own].columns[column].column or column, "in", tuple(values)),)


def _held(attributes: Mapping[str, Value], name: str) -> list[Value]:
    return [attributes[name]] if name in attributes else []


def _column(model: Model, rule: RowRule, table: str) -> str | None:
    """The table's own column that holds what the rule restricts: the dimension itself, or a key that leads to it."""
    dimension = model.dimensions[rule.dimension]
    places = [dimension.key] if rule.by_key and dimension.key else []
    places = places or [
        *dimension.column[:1],
        *(source.column for source in dimension.also if not source.lookup),
    ]
    for place in places:
        if split(place)[0] == table:
            return split(place)[1]
        for join in model.joins:
            if join.one == [place] and split(join.many[0])[0] == table:
                return split(join.many[0])[1]
    return None
