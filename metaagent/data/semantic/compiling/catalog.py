"""A model as SQLAlchemy sees it: tables, columns, and the one way from a fact to a dimension."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling.arithmetic import Number, Operation, Ref, Term, parse, references
from metaagent.data.semantic.compiling.casts import read_as
from metaagent.data.semantic.compiling.dialects import BIGINT, DATE, DOUBLE, TEXT, ZERO, days_between, written
from metaagent.data.semantic.model import ENOUGH, GIVEN, LATE, LOW, ON_TIME, OPEN, Model, split
from metaagent.errors import SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.model import ColumnType, Join, Metric

AMBIGUOUS = Text(
    en="'{fact}' and '{table}' belong together in two ways ({ways}), and it is open which one is meant. Ask for a figure "
    "of one of them; whoever keeps the model can settle it with `via`.",
    ko="'{fact}'에서 '{table}'(으)로 이어지는 길이 둘이라({ways}) 어느 쪽인지 정할 수 없습니다. "
    "그중 하나의 지표로 물어보세요. 모델 관리자는 `via`로 하나를 정해 둘 수 있습니다.",
)


def fact_of(model: Model, metric: Metric) -> str:
    """The table whose rows a plain metric adds up: of several in its arithmetic, the one of many rows."""
    if metric.table is not None:
        return metric.table
    assert metric.column is not None
    tables = [ref.table for ref in references(parse(metric.column))]
    for table in tables:
        if all(other == table or other in reachable(model, table) for other in tables):
            return table
    return tables[0]


def reachable(model: Model, fact: str) -> dict[str, list[Join]]:
    """Every table to which many rows of `fact` belong, with the shortest chain of joins to it."""
    return _ways(model, fact)[0]


def unclear(model: Model, fact: str) -> set[str]:
    """Tables that several ways of joins lead to, of which no dimension says one."""
    said = {
        split(reference)[0]
        for dimension in model.dimensions.values()
        if fact in dimension.via
        for reference in dimension.column
    }
    return set(_ways(model, fact)[1]) - said


def _ways(model: Model, fact: str) -> tuple[dict[str, list[Join]], dict[str, list[str]]]:
    cached = model.cache.get(("ways", fact))
    if cached is None:
        cached = model.cache[("ways", fact)] = _search(model, fact)
    return cached


def _search(model: Model, fact: str) -> tuple[dict[str, list[Join]], dict[str, list[str]]]:
    found: dict[str, list[Join]] = {fact: []}
    ambiguous: dict[str, list[str]] = {}
    queue: deque[str] = deque([fact])
    while queue:
        here = queue.popleft()
        for join in model.joins:
            if split(join.many[0])[0] != here:
                continue
            there = split(join.one[0])[0]
            way = [*found[here], join]
            if there not in found:
                found[there] = way
                queue.append(there)
                if here in ambiguous:
                    ambiguous[there] = ambiguous[here]
            elif len(found[there]) == len(way) and found[there] != way:
                ambiguous.setdefault(there, [_through(found[there])]).append(_through(way))
    return found, ambiguous


def _through(way: list[Join]) -> str:
    return split(way[0].one[0])[0]


def way(model: Model, fact: str, table: str, via: dict[str, str]) -> list[Join] | None:
    """The joins from `fact` to `table`; None if there is no way; an error if there is no single one."""
    found, ambiguous = _ways(model, fact)
    if fact in via:
        middle = via[fact]
        first, rest = found.get(middle), reachable(model, middle).get(table)
        return None if first is None or rest is None else [*first, *rest]
    if table in ambiguous:
        ways = ambiguous[table]
        raise SemanticInvalid(AMBIGUOUS, fact=fact, table=table, ways=", ".join(ways))
    return found.get(table)


_TYPES: dict[ColumnType, Any] = {
    "string": TEXT,
    "integer": BIGINT,
    "number": DOUBLE,
    "boolean": sa.Boolean(),
    "date": DATE,
    "datetime": sa.DateTime(),
}


TENANT = sa.bindparam("tenant", type_=TEXT)
_MOST_MADE = 20_000


class Catalog:
    """SQLAlchemy's tables for one model and dialect, and the expressions over them that every question shares."""

    def __init__(self, model: Model, dialect: str) -> None:
        self.model = model
        self.dialect = dialect
        self.tables: dict[str, Any] = {}
        self._made: dict[Any, Any] = {}
        for name, table in model.tables.items():
            columns = [
                sa.column(info.column or c, TEXT if info.cast else self._type(info.type))
                for c, info in table.columns.items()
                if info.compared is None
            ]
            physical = table.table or name
            made: Any = sa.table(physical, *columns, schema=table.db_schema)
            self.tables[name] = made if physical == name and not table.db_schema else made.alias(name)

    def _type(self, kind: ColumnType) -> Any:
        if self.dialect == "sqlite" and kind in {"date", "datetime"}:
            return _TYPES["string"]
        return _TYPES[kind]

    def column(self, reference: str) -> Expression:
        return self.cell(*split(reference))

    def cell(self, table: str, column: str) -> Expression:
        info = self.model.tables[table].columns[column]
        if info.compared is not None:
            of = info.compared
            make = self._punctual if info.after else self._short if info.below else self._given
            return self.once(("compared", table, column), lambda: make(table, *of))
        stored = self.tables[table].c[info.column or column]
        if info.cast is None:
            return stored
        cast, kind = info.cast, info.type
        return self.once(("cast", table, column), lambda: read_as(stored, cast, kind, self.dialect))

    def _punctual(self, table: str, done: str, planned: str) -> Expression:
        days = days_between(self.cell(table, done), self.cell(table, planned), self.dialect)
        late, on_time = (sa.literal_column(f"'{said}'", TEXT) for said in (LATE, ON_TIME))
        return sa.case((days > ZERO, late), (days <= ZERO, on_time), else_=sa.null())

    def _short(self, table: str, held: str, wanted: str) -> Expression:
        have, least = self.cell(table, held), self.cell(table, wanted)
        low, enough = (sa.literal_column(f"'{said}'", TEXT) for said in (LOW, ENOUGH))
        return sa.case((have < least, low), (have >= least, enough), else_=sa.null())

    def _given(self, table: str, date: str) -> Expression:
        given, missing = (sa.literal_column(f"'{said}'", TEXT) for said in (GIVEN, OPEN))
        written = sa.func.nullif(sa.func.trim(sa.cast(self.cell(table, date), TEXT)), "")
        return sa.case((written.is_(None), missing), else_=given)

    def kind(self, reference: str) -> ColumnType:
        table, column = split(reference)
        return self.model.tables[table].columns[column].type

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Expressions never change, so one serves every question that needs it. An object that a key names by its id is
        part of what is kept, so no other object can have that id.
        """
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            found = self._made[key] = make()
        return found

    def text_once(self, key: Any, make: Callable[[], Expression]) -> Expression:
        return self.once(key, lambda: written(make(), self.dialect))

    def labelled(self, name: str, expression: Expression) -> Expression:
        return self.once(("label", name, id(expression)), lambda: expression.label(name))

    def arithmetic(self, text: str) -> Expression:
        return self.once(("arithmetic", text), lambda: self._build(parse(text)))

    def _build(self, term: Term) -> Expression:
        match term:
            case Ref(table, column):
                return self.cell(table, column)
            case Number(value):
                return sa.literal_column(repr(value), DOUBLE)
            case Operation("-", Ref() as left, Ref() as right) if self._is_day(left) and self._is_day(right):
                return days_between(self._build(left), self._build(right), self.dialect)
            case Operation(sign, left, right):
                a, b = self._build(left), self._build(right)
                match sign:
                    case "+":
                        return a + b
                    case "-":
                        return a - b
                    case "*":
                        return a * b
                    case _:
                        return sa.cast(a, DOUBLE) / sa.func.nullif(b, ZERO)

    def _is_day(self, ref: Ref) -> bool:
        return self.model.tables[ref.table].columns[ref.column].type in {"date", "datetime"}

    def joined(self, join: Join) -> Expression:
        """Rows of the other table belong to the same tenant."""

        def make() -> Expression:
            pairs = zip(join.many, join.one, strict=True)
            same = [self.column(many) == self.column(one) for many, one in pairs]
            return sa.and_(*same, *self.of_tenant(split(join.one[0])[0]))

        return self.once(("joined", *join.many, *join.one), make)

    def of_tenant(self, table: str) -> list[Expression]:
        column = self.model.tenant_of(table)
        if column is None:
            return []
        return [self.once(("tenant", table), lambda: self.cell(table, column) == TENANT)]

    def source(self, fact: str, joined: Mapping[str, Expression]) -> Any:
        """`joined`: tables with conditions that `joined()` made."""

        def make() -> Any:
            made: Any = self.tables[fact]
            for table, condition in joined.items():
                made = made.outerjoin(self.tables[table], condition)
            return made

        return self.once(("source", fact, *map(id, joined.values())), make)


def catalog(model: Model, dialect: str) -> Catalog:
    made = model.cache.get(("catalog", dialect))
    if made is None:
        made = model.cache[("catalog", dialect)] = Catalog(model, dialect)
    return made
