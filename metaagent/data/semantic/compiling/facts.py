"""One fact table at its own grain: the sub-selects from which every answer is put together.

Joins go from many to one only, so no row is ever counted twice. Each fact is aggregated alone, by the asked
dimensions; `compile.py` then lays the results side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.catalog import Catalog, reachable, way
from metaagent.data.semantic.compiling.dialects import (
    TEXT,
    Shift,
    bucket,
    day_type,
    day_value,
    shifted,
    start_of,
)
from metaagent.data.semantic.compiling.values import converted
from metaagent.data.semantic.model import TIME_DIMENSIONS, Value, split
from metaagent.errors import AccessDenied, SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metaagent.data.semantic.compiling.binding import Asker, Binder, Inputs, Recipe
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.compiling.plan import BoundFilter, View
    from metaagent.data.semantic.model import Dimension, RowRule
    from metaagent.data.semantic.query import Period

OTHERS = "others__"
HIT = "hit__"
_SPACE, _YES, _NO = (sa.literal_column(f"'{text}'", TEXT) for text in (" ", "true", "false"))


@dataclass(frozen=True)
class Ranked:
    """The values that made it into the top: the rest is dropped or becomes 'others'."""

    rows: sa.CTE
    dimensions: tuple[str, ...]
    target: str
    others: str | None


def _tenant(inputs: Inputs) -> Any:
    return inputs.asker.tenant


@dataclass
class Scope:
    """The FROM clause of one fact, growing as dimensions are needed."""

    catalog: Catalog
    fact: str
    asker: Asker
    binder: Binder
    time: str | None = None
    shift: Shift | None = None
    subject: str = ""  # the metric, for messages
    _joined: dict[str, Expression] = field(default_factory=dict[str, Any])
    _lookups: dict[str, tuple[sa.Subquery, Expression]] = field(default_factory=dict[str, Any])

    def need(self, table: str, via: dict[str, str]) -> bool:
        """Join what leads to `table`; False if nothing does."""
        joins = way(self.catalog.model, self.fact, table, via)
        if joins is None:
            return False
        for join in joins:
            name = split(join.one[0])[0]
            if name not in self._joined:
                self.tenant(name)
                self._joined[name] = self.catalog.joined(join)
        return True

    def tenant(self, table: str) -> list[Expression]:
        found = self.catalog.of_tenant(table)
        if found and self.asker.tenant is None:
            raise AccessDenied(texts.NO_TENANT)
        if found:
            self.binder.recipes["tenant"] = _tenant
        return found

    def tables(self) -> set[str]:
        return {self.fact, *self._joined}

    def source(self) -> Any:
        made = self.catalog.source(self.fact, self._joined)
        for lookup, condition in self._lookups.values():
            made = made.outerjoin(lookup, condition)
        return made

    def guard(self) -> list[Expression]:
        """List the conditions on every read of this fact: its tenant, the rows that count, and those of the person's role."""
        found = [*self.tenant(self.fact), *self._counting()]
        for i, rule in enumerate(self.catalog.model.row_rules):
            if self.asker.roles & set(rule.roles) and not self.asker.roles & set(rule.unless):
                found.extend(self._rule(i, rule))
        return found

    def _counting(self) -> list[Expression]:
        model = self.catalog.model
        found: list[Expression] = []
        for one in model.tables[self.fact].left_out:
            named = (model.dimensions[name] for name in self.binder.named if name in model.dimensions)
            asked_for = any(one.column in dimension.column for dimension in named)
            if not asked_for and self._holds(split(one.column)[0]):
                column = self.catalog.column(one.column)
                others = (column != sa.literal(value, column.type) for value in one.values)
                found.append(sa.or_(column.is_(None), sa.and_(*others)))
        return found

    def _holds(self, table: str) -> bool:
        """Join the table, if the fact refers to it directly."""
        if table == self.fact or table in self._joined:
            return True
        ways = [
            j
            for j in self.catalog.model.joins
            if split(j.many[0])[0] == self.fact and split(j.one[0])[0] == table
        ]
        if len(ways) != 1:
            return False
        self.tenant(table)
        self._joined[table] = self.catalog.joined(ways[0])
        return True

    def _rule(self, i: int, rule: RowRule) -> list[Expression]:
        held = list(rule.values) if rule.attribute is None else self.asker.held(rule.attribute)
        if held is None:
            raise AccessDenied(texts.NO_ATTRIBUTE, dimension=rule.dimension, attribute=rule.attribute)
        dimension = self.catalog.model.dimensions[rule.dimension]
        if not self._reaches(dimension):
            if self.fact in rule.exempt:
                return []
            raise AccessDenied(texts.RESTRICTED, dimension=rule.dimension, fact=self.fact)
        column, kind = self._raw(rule.dimension, by_key=rule.by_key)
        dialect = self.catalog.dialect

        def value(j: int) -> Expression:
            def recipe(inputs: Inputs) -> Any:
                now = rule.values if rule.attribute is None else inputs.asker.held(rule.attribute)
                assert now is not None
                return converted(now[j], kind, rule.dimension, dialect)

            return self.binder.bind(f"rule_{i}_{j}", column.type, recipe)

        return [column.in_([value(j) for j in range(len(held))])]

    def _reaches(self, dimension: Dimension) -> bool:
        known = reachable(self.catalog.model, self.fact)
        return any(split(c)[0] in known for c in [*dimension.column, *(s.column for s in dimension.also)])

    def _main(self, name: str) -> bool:
        """Join the dimension's own table, if there is a way to it."""
        dimension = self.catalog.model.dimensions[name]
        tables = {split(column)[0] for column in dimension.column}
        return all(self.need(table, dimension.via) for table in sorted(tables))

    def _detour(self, name: str) -> Expression | None:
        """A code that the fact does reach, translated to the dimension's value."""
        dimension = self.catalog.model.dimensions[name]
        for source in dimension.also:
            if not self.need(split(source.column)[0], dimension.via):
                continue
            code = self.catalog.column(source.column)
            return code if source.lookup is None else self._looked_up(name, code, source.lookup)
        return None

    def _looked_up(self, name: str, code: Expression, lookup: str) -> Expression:
        if name not in self._lookups:
            table = split(lookup)[0]
            value = self.catalog.column(self.catalog.model.dimensions[name].column[0]).label("value")
            known = sa.select(self.catalog.column(lookup).label("code"), value).distinct()
            rows = known.where(*self.tenant(table)).subquery(f"{name}_codes")
            self._lookups[name] = rows, rows.c.code == code
        return self._lookups[name][0].c.value

    def _see(self, name: str, references: Sequence[str]) -> None:
        for reference in references:
            table, column = split(reference)
            roles = self.catalog.model.tables[table].columns[column].roles
            if roles and not self.asker.roles & set(roles):
                raise AccessDenied(texts.MAY_NOT_SEE, name=name, roles=", ".join(roles))

    def label(self, name: str) -> Expression:
        """The dimension as text or number to group by and show."""
        if name in TIME_DIMENSIONS:
            return self._part_of_time(name)
        dimension = self.catalog.model.dimensions[name]
        self._see(name, dimension.column)
        if not self._main(name):
            found = self._detour(name)
            if found is None:
                raise SemanticInvalid(texts.NOT_SPLIT, metric=self.subject, dimension=name, fact=self.fact)
            return found
        columns = [self.catalog.column(reference) for reference in dimension.column]
        if len(columns) == 1:
            return self._shown(columns[0], self.catalog.kind(dimension.column[0]))
        text: Expression = sa.func.coalesce(columns[0], "")
        for column in columns[1:]:
            text = text + _SPACE + sa.func.coalesce(column, "")
        return sa.func.trim(text)

    def _shown(self, column: Expression, kind: str) -> Expression:
        if kind == "boolean":
            return sa.case((column.is_(None), None), (column, _YES), else_=_NO)
        if kind in {"date", "datetime"}:
            return bucket(column, "day", self.catalog.dialect)
        return column

    def key(self, name: str) -> Expression | None:
        if name in TIME_DIMENSIONS or self.catalog.model.dimensions[name].key is None:
            return None
        dimension = self.catalog.model.dimensions[name]
        assert dimension.key is not None
        return self.catalog.column(dimension.key) if self._main(name) else None

    def _part_of_time(self, grain: str) -> Expression:
        column, shift, dialect = self.when(grain), self.shift, self.catalog.dialect

        def make() -> Expression:
            return bucket(column, grain, dialect) if shift is None else shifted(column, grain, shift, dialect)

        return self.catalog.text_once(("time", self.time, grain, shift), make)

    def when(self, grain: str) -> Expression:
        if self.time is None or not self.need(split(self.time)[0], {}):
            raise SemanticInvalid(texts.NO_TIME, metric=self.subject, grain=grain)
        return self.catalog.column(self.time)

    def _raw(self, name: str, *, by_key: bool) -> tuple[Expression, str]:
        """The dimension as it is stored, to compare with."""
        if name in TIME_DIMENSIONS:
            return self._part_of_time(name), "integer" if name in ("weekday", "weekend") else "string"
        dimension = self.catalog.model.dimensions[name]
        self._see(name, dimension.column)
        if by_key:
            key = self.key(name)
            if key is None or dimension.key is None:
                raise SemanticInvalid(texts.NO_KEY, dimension=name)
            return key, self.catalog.kind(dimension.key)
        if len(dimension.column) > 1 or not self._main(name):
            return self.label(name), "string"
        return self.catalog.column(dimension.column[0]), self.catalog.kind(dimension.column[0])

    def filter(self, bound: BoundFilter) -> Expression:
        """The condition of a filter. A filter of the asked query takes its values from each question anew."""
        one, index = bound.filter, bound.index
        column, kind = self._raw(one.dimension, by_key=one.by_key)

        def value(j: int, convert: Convert, type_: Any) -> Expression:
            def recipe(inputs: Inputs) -> Any:
                now = one if index is None else inputs.filters[index]
                return convert(now.values[j])

            return self.binder.bind(f"{bound.name}_{j}", type_, recipe)

        return condition(
            Compared(column, kind, one.dimension, self.catalog.dialect), one.op, len(one.values), value
        )

    def reaches(self, name: str) -> bool:
        """Tell whether rows of this fact belong to one value of the dimension."""
        return name not in TIME_DIMENSIONS and self._reaches(self.catalog.model.dimensions[name])

    def identity(self, name: str) -> Expression:
        """Tells the values of a dimension apart: its key, or its name if it has none."""
        key = self.key(name)
        return self.label(name) if key is None else key

    def within(self, view: View, grain: str, *, fixed: str | None) -> list[Expression]:
        """Half-open, so that a time of day on the last day still counts. `fixed` starts the names of parameters that
        belong to the SQL's shape, as those of a query inside another do."""
        assert view.period is not None
        dialect, period, index = self.catalog.dialect, view.period, view.index
        before = "previous_" if index == 1 else ""
        if not view.own_period:
            before, fixed = view.name, view.name
        elif fixed:
            before = fixed + before

        def asked(inputs: Inputs) -> Period:
            now = inputs.periods[index] if fixed is None else period
            assert now is not None
            return now

        def start(inputs: Inputs) -> Any:
            day = asked(inputs).start
            assert day is not None
            return day_value(start_of(day, grain), dialect)

        def end(inputs: Inputs) -> Any:
            day = asked(inputs).end
            assert day is not None
            return day_value(day + timedelta(days=1), dialect)

        found: list[Expression] = []
        if period.start is not None:
            name = f"{before}start" if grain == "day" else f"{before}start_of_{grain}"
            found.append(self._bounded("since", name, start))
        if period.end is not None:
            found.append(self._bounded("until", f"{before}end", end))
        return found

    def _bounded(self, side: str, name: str, recipe: Recipe) -> Expression:
        column, kind = self.when("day"), day_type(self.catalog.dialect)
        self.binder.recipes[name] = recipe

        def make() -> Expression:
            bound = sa.bindparam(name, type_=kind)
            return column >= bound if side == "since" else column < bound

        return self.catalog.once((side, self.time, name), make)


_COUNTS = {"between": (2, 2), "is_null": (0, 0), "not_null": (0, 0), "in": (1, 500), "not_in": (1, 500)}
_DATES = {"date", "datetime"}

if TYPE_CHECKING:
    Convert = Callable[[Value], Any]
    Bind = Callable[[int, Convert, Any], Expression]


@dataclass(frozen=True)
class Compared:
    """A column that a condition is about."""

    column: Expression
    kind: str
    name: str
    dialect: str

    def convert(self, value: Value) -> Any:
        return converted(value, self.kind, self.name, self.dialect)

    def day_after(self, value: Value) -> Any:
        day = date.fromisoformat(str(self.convert(value)))
        return day_value(day + timedelta(days=1), self.dialect)


def condition(subject: Compared, op: str, count: int, bind: Bind) -> Expression:
    """`bind` gives the j-th value as a parameter."""
    least, most = _COUNTS.get(op, (1, 1))
    if not least <= count <= most:
        raise SemanticInvalid(texts.NEEDS_VALUES, op=op, dimension=subject.name, count=least, got=count)
    column = subject.column
    if op in {"is_null", "not_null"}:
        return column.is_(None) if op == "is_null" else column.is_not(None)
    if op in {"contains", "not_contains", "starts_with"}:
        return _textual(subject, op, bind)
    if op == "=":
        return column == bind(0, subject.convert, column.type)
    if op in {"in", "not_in"}:
        values = [bind(j, subject.convert, column.type) for j in range(count)]
        if op == "in":
            return column == values[0] if count == 1 else column.in_(values)
        return sa.or_(column.not_in(values), column.is_(None))  # what has no value is not among the excluded
    return _ranged(subject, op, bind)


def _ranged(subject: Compared, op: str, bind: Bind) -> Expression:
    column = subject.column
    match op:
        case "between":
            return sa.and_(column >= bind(0, subject.convert, column.type), _most(subject, 1, bind))
        case ">=":
            return column >= bind(0, subject.convert, column.type)
        case "<=":
            return _most(subject, 0, bind)
        case ">":
            return sa.not_(_most(subject, 0, bind))
        case _:
            return column < bind(0, subject.convert, column.type)


def _most(subject: Compared, j: int, bind: Bind) -> Expression:
    """The last day counts to its end."""
    if subject.kind not in _DATES:
        return subject.column <= bind(j, subject.convert, subject.column.type)
    return subject.column < bind(j, subject.day_after, day_type(subject.dialect))


def _textual(subject: Compared, op: str, bind: Bind) -> Expression:
    """Signs that mean something to LIKE are letters here."""
    before = "" if op == "starts_with" else "%"

    def pattern(value: Value) -> str:
        text = str(value).lower()
        for sign in ("/", "%", "_"):
            text = text.replace(sign, f"/{sign}")
        return f"{before}{text}%"

    text = subject.column if subject.kind == "string" else sa.cast(subject.column, TEXT)
    found = sa.func.lower(text).like(bind(0, pattern, TEXT), escape="/")
    return found if op != "not_contains" else sa.or_(sa.not_(found), subject.column.is_(None))
