"""Values of dimensions without any fact: listed, counted, or shown with figures of nothing; and parts of time alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.catalog import Catalog, reachable
from metaagent.data.semantic.compiling.dialects import (
    DATE,
    Selected,
    bucket,
    day_type,
    day_value,
    named,
    next_bucket,
    start_of,
    written,
)
from metaagent.data.semantic.compiling.facts import Scope
from metaagent.data.semantic.compiling.periods import finest
from metaagent.data.semantic.compiling.plan import BoundFilter
from metaagent.data.semantic.model import TIME_DIMENSIONS, split
from metaagent.errors import SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metaagent.data.semantic.compiling.binding import Asker, Binder, Inputs, Recipe
    from metaagent.data.semantic.compiling.conditions import Narrowing
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import Period, SemanticQuery


def unreached(model: Model, table: str, dimensions: Iterable[str]) -> list[str]:
    """The dimensions to which rows of a table do not belong."""
    known = reachable(model, table)
    missing: list[str] = []
    for name in dimensions:
        if name in TIME_DIMENSIONS:
            continue
        dimension = model.dimensions[name]
        sources = [*dimension.column[:1], *(source.column for source in dimension.also)]
        if not any(split(one)[0] in known for one in sources):
            missing.append(name)
    return missing


class Things:
    """Reads dimensions from their own tables."""

    def __init__(
        self,
        catalog: Catalog,
        query: SemanticQuery,
        asker: Asker,
        binder: Binder,
        narrowing: Narrowing,
        prefix: str,
        *,
        fixed: bool,
    ) -> None:
        self.tables: set[str] = set()
        self._catalog = catalog
        self._query = query
        self._asker = asker
        self._binder = binder
        self._narrowing = narrowing
        self._prefix = prefix
        self._fixed = fixed
        self._filters = [
            BoundFilter(f"{prefix}filter_{i}" if fixed else f"filter_{i}", one, None if fixed else i)
            for i, one in enumerate(query.filters)
        ]

    def listed(self) -> tuple[Selected, dict[str, Expression]]:
        """Each combination of the dimensions once: 'which products are there?'"""
        asked = self._query.dimensions
        timed = [name for name in asked if name in TIME_DIMENSIONS]
        if timed:
            raise SemanticInvalid(texts.NO_TIME, metric=", ".join(asked), grain=timed[0])
        scope, grouping = self._scope([*asked, *(one.dimension for one in self._query.filters)])
        conditions = [*scope.guard(), *(scope.filter(one) for one in self._filters)]
        conditions += self._narrowing.rows(scope, self._query.rows, f"{self._prefix}row")
        return self._grouped(scope, grouping, conditions), grouping

    def all(self, ranked: Iterable[str]) -> tuple[Any, dict[str, Expression]]:
        """Every thing there is, at every part of time of the period: the rows to which figures of nothing belong.

        Filters on what does not belong to the things limit the facts alone: hospitals without sales of one product.
        What is ranked has a name.
        """
        plain = [name for name in self._query.dimensions if name not in TIME_DIMENSIONS]
        timed = [name for name in self._query.dimensions if name in TIME_DIMENSIONS]
        source: Any = None
        grouping: dict[str, Expression] = {}
        if plain:
            scope, found = self._scope(plain)
            conditions = [
                *scope.guard(),
                *(scope.filter(one) for one in self._filters if scope.reaches(one.filter.dimension)),
                *(found[name].is_not(None) for name in ranked if name in found),
            ]
            kinds = self._grouped(scope, found, conditions).subquery(f"{self._prefix}things")
            source, grouping = kinds, {name: kinds.c[name] for name in found}
        if timed:
            days, times = self._times(timed)
            source = days if source is None else source.join(days, sa.true())
            grouping |= times
        wanted = [one for name in self._query.dimensions for one in (name, f"{name}__key")]
        return source, {name: grouping[name] for name in wanted if name in grouping}

    def _times(self, timed: Sequence[str]) -> tuple[Any, dict[str, Expression]]:
        period = self._query.period
        if period is None or period.start is None or period.end is None:
            raise SemanticInvalid(texts.NEEDS_PERIOD)
        held = [one.dimension for one in self._query.filters if one.dimension in TIME_DIMENSIONS]
        if held:
            raise SemanticInvalid(texts.EMPTY_BY_TIME, dimension=held[0])
        by_day = "weekday" in timed or "weekend" in timed or self._query.weekdays
        spine = self.spine("day" if by_day else str(finest(self._query)))
        parts = sa.select(*(self.part_of_spine(name).label(name) for name in timed)).select_from(spine)
        if self._query.weekdays:
            days = [sa.literal_column(str(int(day))) for day in self._query.weekdays]
            parts = parts.where(self.part_of_spine("weekday").in_(days))
        rows = parts.distinct().subquery(f"{self._prefix}times")
        return rows, {name: rows.c[name] for name in timed}

    def _scope(self, dimensions: Sequence[str]) -> tuple[Scope, dict[str, Expression]]:
        model = self._catalog.model
        things = [one.dimension for one in self._query.existence]
        if self._narrowing.among is not None:
            things.append(self._narrowing.among.dimension)
        needed = [name for name in dict.fromkeys([*dimensions, *things]) if name not in TIME_DIMENSIONS]
        tables = dict.fromkeys(split(model.dimensions[name].column[0])[0] for name in needed)
        roots = [table for table in tables if not unreached(model, table, needed)]
        if not roots:
            raise SemanticInvalid(texts.NO_COMMON_TABLE, dimensions=", ".join(needed))
        scope = Scope(self._catalog, roots[0], self._asker, self._binder, subject=dimensions[0])
        grouping: dict[str, Expression] = {}
        for name in self._query.dimensions:
            if name not in TIME_DIMENSIONS:
                grouping[name] = scope.label(name)
                key = scope.key(name)
                if key is not None:
                    grouping[f"{name}__key"] = key
        return scope, grouping

    def _grouped(
        self, scope: Scope, grouping: dict[str, Expression], conditions: Sequence[Expression]
    ) -> Selected:
        every = [*conditions, *self._narrowing.things(scope)]
        made = sa.select(*(column.label(name) for name, column in grouping.items()))
        made = made.select_from(scope.source()).where(*every)
        self.tables |= scope.tables() | self._narrowing.tables
        return made.group_by(*grouping.values())

    def part_of_spine(self, grain: str) -> Expression:
        dialect = self._catalog.dialect
        return self._catalog.text_once(("spined", grain), lambda: bucket(named("day"), grain, dialect))

    def spine(self, grain: str) -> Any:
        """Each part of time of the asked period, by its first day."""
        dialect, fixed, own = self._catalog.dialect, self._fixed, self._query.period
        kind = day_type(dialect)
        name = free_name(self._catalog.model, f"{self._prefix}spine")
        first_name, last_name = f"{self._prefix}spine_start", f"{self._prefix}spine_end"

        def bound(end: str) -> Recipe:
            def recipe(inputs: Inputs) -> Any:
                period: Period | None = own if fixed else inputs.periods[0]
                day = getattr(period, end)
                assert day is not None
                return day_value(start_of(day, grain), dialect)

            return recipe

        def make() -> Any:
            first: Expression = sa.bindparam(first_name, type_=kind)
            start = first if dialect == "sqlite" else sa.cast(first, DATE)
            days = sa.select(start.label("day")).cte(name, recursive=True)
            following = written(next_bucket(named("day"), grain, dialect), dialect)
            before = named("day") < sa.bindparam(last_name, type_=kind)
            return days.union_all(sa.select(following).select_from(days).where(before))

        self._binder.recipes |= {first_name: bound("start"), last_name: bound("end")}
        return self._catalog.once(("spine", name, grain), make)


def free_name(model: Model, name: str) -> str:
    """A name in WITH that hides no table of the database."""
    taken = model.cache.get("taken")
    if taken is None:
        taken = model.cache["taken"] = {
            one.lower() for key, table in model.tables.items() for one in (key, table.table or key)
        }
    while name.lower() in taken:
        name += "_"
    return name
