"""Facts, aggregated each at its own grain and folded into one table by the asked dimensions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.arithmetic import differences, parse, references
from metaagent.data.semantic.compiling.catalog import Catalog, fact_of
from metaagent.data.semantic.compiling.conditions import Narrowing, where
from metaagent.data.semantic.compiling.dialects import (
    BIGINT,
    DOUBLE,
    ONE,
    TEXT,
    ZERO,
    Selected,
    named,
    the_one,
)
from metaagent.data.semantic.compiling.dimension_values import Things, free_name, unreached
from metaagent.data.semantic.compiling.facts import HIT, OTHERS, Ranked, Scope
from metaagent.data.semantic.compiling.periods import finest
from metaagent.data.semantic.compiling.plan import PREVIOUS, Cell, View, plan
from metaagent.data.semantic.model import GRAINS, TIME_DIMENSIONS, Metric, split
from metaagent.errors import AccessDenied, SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metaagent.data.semantic.compiling.binding import Asker, Binder
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.model import Condition
    from metaagent.data.semantic.query import SemanticQuery, Top


@dataclass(frozen=True)
class Read:
    """One fact in one window: from where, how grouped, and what is added up, by name."""

    source: Any
    conditions: list[Expression]
    grouping: dict[str, Expression]
    aggregates: dict[str, Expression]
    own: bool = True  # limited by the query's filters

    def select(self, wanted: Sequence[Any]) -> Selected:
        made = sa.select(*wanted).select_from(self.source).where(*self.conditions)
        return made.group_by(*self.grouping.values()) if self.grouping else made


@dataclass(frozen=True)
class Folded:
    """One row per combination of dimensions; `columns` by name, `grouping` those that identify a row."""

    source: Any  # a Read, or a layer whose columns are known by their names
    columns: dict[str, Expression]
    grouping: tuple[str, ...]

    @classmethod
    def of(cls, read: Read) -> Folded:
        return cls(read, {**read.grouping, **read.aggregates}, tuple(read.grouping))

    @property
    def layered(self) -> bool:
        """Its columns are nothing but names."""
        return not isinstance(self.source, Read)

    def select(self, wanted: Sequence[Any]) -> Selected:
        if isinstance(self.source, Read):
            return self.source.select(wanted)
        return sa.select(*wanted).select_from(self.source)


@dataclass(frozen=True)
class _Fact:
    """A table to read, the date that places its rows and, if it is a bridge, the column that is counted."""

    table: str
    time: str | None
    bridge: tuple[str, ...] = ()
    snapshot: bool = False


_FIRST, _LAST, _OWN = "first__", "last__", "own__"


def _as_text(column: Expression) -> Expression:
    """'Others' is a text: what stands beside it becomes one."""
    return column if isinstance(column.type, sa.String) else sa.cast(column, TEXT)


class Aggregator:
    """Reads every fact that a query needs. Of a query inside another (`prefix`), names and values are its own."""

    def __init__(
        self,
        catalog: Catalog,
        query: SemanticQuery,
        asker: Asker,
        binder: Binder,
        covered: Mapping[str, Span] | None = None,
        prefix: str = "",
        *,
        fixed: bool = False,
    ) -> None:
        self.binder = binder
        self.prefix = prefix
        self.catalog = catalog
        self.model = catalog.model
        self.query = query
        self.asker = asker
        self.notes: list[tuple[Text, dict[str, str]]] = []
        self.tables: set[str] = set()
        self.plan = plan(self.model, query, covered, prefix=prefix, fixed=fixed)
        self.narrowing = Narrowing(catalog, query, asker, binder, prefix)
        self.things = Things(
            catalog, query, asker=asker, binder=binder, narrowing=self.narrowing, prefix=prefix, fixed=fixed
        )
        self._fixed = prefix if fixed else None

    def _facts(self) -> dict[tuple[_Fact, View], list[Cell]]:
        grouped: dict[tuple[_Fact, View], list[Cell]] = defaultdict(list)
        for cell in self.plan.cells.values():
            grouped[self._fact(cell), cell.view].append(cell)
        return grouped

    def _fact(self, cell: Cell) -> _Fact:
        metric = cell.metric
        table = fact_of(self.model, metric)
        asked = [*self.query.dimensions, *(one.filter.dimension for one in cell.view.filters)]
        missing = unreached(self.model, table, asked)
        counted = metric.type == "count" and cell.thing is None
        if not missing or not counted or metric.where or len(self.model.tables[table].key) != 1:
            return _Fact(table, metric.time, snapshot=metric.snapshot)
        return self._bridge(cell, table, missing[0], asked)

    def _bridge(self, cell: Cell, table: str, dimension: str, asked: list[str]) -> _Fact:
        """Count things of `table` by what only another table connects them with: tracks per playlist."""
        found: list[_Fact] = []
        for join in self.model.joins:
            middle, there = split(join.many[0])[0], split(join.one[0])[0]
            if there == table and len(join.many) == 1 and not unreached(self.model, middle, asked):
                time = cell.metric.time or self._time_of(middle)
                found.append(_Fact(middle, time, (join.many[0],)))
        if len(found) > 1:
            tables = ", ".join(fact.table for fact in found)
            raise SemanticInvalid(texts.MANY_BRIDGES, metric=cell.subject, dimension=dimension, tables=tables)
        return found[0] if found else _Fact(table, cell.metric.time)

    def _time_of(self, table: str) -> str | None:
        times = [m.time for m in self.model.metrics.values() if m.type != "ratio" and m.time]
        return next((time for time in times if split(time)[0] == table), None)

    def _read(self, fact: _Fact, cells: list[Cell], ranked: Ranked | None) -> Read:
        view, subject = cells[0].view, cells[0].subject
        scope = Scope(
            self.catalog,
            fact.table,
            asker=self.asker,
            binder=self.binder,
            time=fact.time,
            shift=view.shift,
            subject=subject,
        )
        self._check(fact, cells)
        grouping = self._grouping(scope)
        conditions = [*scope.guard(), *(scope.filter(one) for one in view.filters)]
        if fact.time is not None and self._limited(view):
            conditions += scope.within(view, cells[0].metric.grain, fixed=self._fixed)
        if fact.snapshot and fact.time is not None:
            conditions.append(self._last(fact, cells[0]))
        conditions += self.narrowing.of(scope, view, cells[0].metric)
        same = _same_where(cells)
        if same is not None:
            conditions += [where(scope, one) for one in same]
        aggregates = {cell.name: self._aggregate(scope, fact, cell, filtered=same is None) for cell in cells}
        if self.query.top is not None and ranked is None:
            # Rows without a name cannot be among the best.
            conditions += [grouping[name].is_not(None) for name in self._ranked(self.query.top)]
        source = scope.source()
        if ranked is not None:
            source, grouping = self._rank_joined(source, grouping, ranked)
        self.tables |= scope.tables() | self.narrowing.tables
        return Read(source, conditions, grouping, aggregates, own=not view.everything)

    def _last(self, fact: _Fact, cell: Cell) -> Expression:
        """The last date of each part of time that is asked for: what there was then is no sum over dates."""
        view = cell.view
        scope = Scope(
            self.catalog,
            fact.table,
            asker=self.asker,
            binder=self.binder,
            time=fact.time,
            shift=view.shift,
            subject=cell.subject,
        )
        when = scope.when("day")
        parts = [scope.label(name) for name in self.query.dimensions if name in TIME_DIMENSIONS]
        conditions = scope.guard()
        if self._limited(view):
            conditions = [*conditions, *scope.within(view, cell.metric.grain, fixed=self._fixed)]
        last = sa.select(sa.func.max(when)).select_from(scope.source()).where(*conditions)
        return when.in_((last.group_by(*parts) if parts else last).correlate(None))

    def _ranked(self, top: Top) -> list[str]:
        listed = [name for name in self.query.dimensions if name not in top.within]
        return [name for name in listed if name not in TIME_DIMENSIONS]

    def _limited(self, view: View) -> bool:
        """Tell whether a period limits the rows. All there is does not, unless it is split by time, where each row needs a date."""
        if view.period is None:
            return False
        return not view.period.whole or any(name in TIME_DIMENSIONS for name in self.query.dimensions)

    def _check(self, fact: _Fact, cells: list[Cell]) -> None:
        grain, view = finest(self.query), cells[0].view
        for cell in cells:
            own = cell.metric.grain
            if fact.time is None:
                if view.suffix:
                    raise SemanticInvalid(texts.NO_TIME, metric=cell.subject, grain=grain or "day")
                if view.period is not None:
                    self.notes.append((texts.PERIOD_IGNORED, {"metric": cell.subject}))
            if grain is not None and GRAINS.index(grain) > GRAINS.index(own):
                raise SemanticInvalid(texts.TOO_FINE, metric=cell.subject, own=own, grain=grain)

    def _grouping(self, scope: Scope) -> dict[str, Expression]:
        made: dict[str, Expression] = {}
        for name in self.query.dimensions:
            made[name] = scope.label(name)
            key = scope.key(name)
            if key is not None:
                made[f"{name}__key"] = key
        return made

    def _aggregate(self, scope: Scope, fact: _Fact, cell: Cell, *, filtered: bool) -> Expression:
        metric, name = cell.metric, cell.subject
        subject = scope.identity(cell.thing) if cell.thing else self._subject(scope, fact, metric, name)
        if fact.bridge or cell.thing or (filtered and metric.where):
            return self._conditional(scope, fact, cell, subject, filtered=filtered)
        return self.catalog.text_once(("aggregate", name), lambda: self._aggregated(subject, metric))

    def _conditional(
        self, scope: Scope, fact: _Fact, cell: Cell, subject: Expression | None, *, filtered: bool
    ) -> Expression:
        if filtered and cell.metric.where:
            conditions = sa.and_(*(where(scope, one) for one in cell.metric.where))
            counted = ONE if subject is None else subject
            subject = sa.case((conditions, counted))
        if fact.bridge or cell.thing:
            assert subject is not None
            return sa.func.count(subject.distinct())
        return self._aggregated(subject, cell.metric)

    def _aggregated(self, subject: Expression | None, metric: Metric) -> Expression:
        if metric.type == "count_distinct":
            assert subject is not None
            return sa.func.count(subject.distinct())
        if metric.type == "count":
            return sa.func.count() if subject is None else sa.func.count(subject)
        assert subject is not None
        function = {"sum": sa.func.sum, "average": sa.func.avg, "min": sa.func.min, "max": sa.func.max}[
            metric.type
        ]
        # PostgreSQL and DuckDB answer sums with wide decimals: bring them back to plain numbers.
        aggregate = function(subject)
        if self.catalog.dialect == "sqlite":
            return aggregate
        return sa.cast(aggregate, self._type(metric))

    def _subject(self, scope: Scope, fact: _Fact, metric: Metric, name: str) -> Expression | None:
        if fact.bridge:
            return self.catalog.column(fact.bridge[0])
        if metric.column is None:
            return None
        for ref in references(parse(metric.column)):
            roles = self.model.tables[ref.table].columns[ref.column].roles
            if roles and not self.asker.roles & set(roles):
                raise AccessDenied(texts.MAY_NOT_SEE, name=name, roles=", ".join(roles))
            scope.need(ref.table, {})
        return self.catalog.arithmetic(metric.column)

    def _type(self, metric: Metric) -> Any:
        if metric.type in {"count", "count_distinct"}:
            return BIGINT
        assert metric.column is not None
        kinds = {
            self.model.tables[ref.table].columns[ref.column].type for ref in references(parse(metric.column))
        }
        if differences(parse(metric.column)) and kinds <= {"date", "datetime"}:
            return DOUBLE if metric.type == "average" else BIGINT
        if metric.type != "average" and kinds == {"integer"} and "/" not in metric.column:
            return BIGINT
        return DOUBLE if kinds <= {"integer", "number"} else TEXT

    def _rank_joined(
        self, source: Any, grouping: dict[str, Expression], ranked: Ranked
    ) -> tuple[Any, dict[str, Expression]]:
        pairs: list[Expression] = []
        for name in ranked.dimensions:
            by = f"{name}__key" if f"{name}__key" in grouping else name
            pairs.append(ranked.rows.c[by].is_not_distinct_from(grouping[by]))
        joined = source.join(ranked.rows, sa.and_(*pairs), isouter=ranked.others is not None)
        if ranked.others is None:
            return joined, grouping
        out = ranked.rows.c[HIT].is_(None)
        label = sa.bindparam("others", ranked.others, type_=TEXT)
        changed = dict(grouping)
        changed[ranked.target] = sa.case((out, label), else_=_as_text(grouping[ranked.target]))
        key = f"{ranked.target}__key"
        if key in grouping:
            changed[key] = sa.case((out, None), else_=grouping[key])
        changed[OTHERS] = sa.case((out, ONE), else_=ZERO)
        return joined, changed

    def folded(self, ranked: Ranked | None) -> Folded:
        reads = [self._read(fact, cells, ranked) for (fact, _), cells in self._facts().items()]
        if self.query.include_empty and self.query.dimensions:
            reads.append(self._empties(ranked))
        columns = [name for read in reads for name in read.aggregates]
        grouping = tuple(reads[0].grouping)
        if len(reads) == 1 and not self._needs_layer(ranked):
            return Folded.of(reads[0])
        made = (
            self._padded(reads[0], columns)
            if len(reads) == 1
            else self._laid_together(reads, columns, grouping)
        )
        facts = made.cte(free_name(self.model, f"{self.prefix}facts"))
        # Months without a row count as 0 where running totals and moving averages need it.
        query, period = self.query, self.query.period
        wanted = bool(query.running_total or query.moving_average) and finest(query) is not None
        if wanted and period is not None and period.start is not None and period.end is not None:
            return Folded.of(self._without_gaps(facts, columns, grouping))
        return Folded(facts, {name: named(name) for name in [*grouping, *columns]}, grouping)

    def _empties(self, ranked: Ranked | None) -> Read:
        """Every thing that may have figures, with none yet."""
        named_ones = self._ranked(self.query.top) if self.query.top and ranked is None else []
        source, grouping = self.things.all(named_ones)
        if ranked is not None:
            source, grouping = self._rank_joined(source, grouping, ranked)
        self.tables |= self.things.tables
        return Read(source, [], grouping, {})

    def _needs_layer(self, ranked: Ranked | None) -> bool:
        """Window functions stand on a layer of their own."""
        query = self.query
        along = query.running_total or query.moving_average
        return bool(along or query.share or query.having or ranked or (query.top and query.top.within))

    def _laid_together(self, reads: list[Read], columns: list[str], grouping: tuple[str, ...]) -> Selected:
        # A whole that ignores the query's filters adds no groups of its own.
        marked = bool(grouping) and not all(read.own for read in reads)
        rows = sa.union_all(*(self._padded(read, columns, marked=marked) for read in reads)).subquery("parts")
        made = self._one_row_each(rows, columns, grouping)
        if marked:
            made = made.having(sa.func.max(named(_OWN)) == ONE)
        if self.query.comparison and (self.query.period is None or self.query.period.end is None):
            # An open end moved forward would add a part of time that has not come yet.
            current = [name for name in columns if not name.endswith(PREVIOUS)]
            made = made.having(sa.or_(*(sa.func.count(named(name)) > 0 for name in current)))
        return made

    def _padded(self, read: Read, columns: list[str], *, marked: bool = False) -> Selected:
        """Add an empty place for each figure of the other reads."""
        own = {**read.grouping, **read.aggregates}
        cells = [
            self.catalog.labelled(name, own[name]) if name in own else self._empty(name)
            for name in [*read.grouping, *columns]
        ]
        if marked:
            cells.append((ONE if read.own else ZERO).label(_OWN))
        return read.select(cells)

    def _empty(self, name: str) -> Expression:
        cell = self.plan.cells[name]
        type_ = BIGINT if cell.thing else self._type(cell.metric)
        key = "empty", type(type_).__name__
        empty = self.catalog.text_once(key, lambda: sa.cast(sa.null(), type_))
        return self.catalog.labelled(name, empty)

    def _one_row_each(self, rows: Any, columns: list[str], grouping: tuple[str, ...]) -> Selected:
        kept = [named(name) for name in grouping]
        cells = [self.catalog.labelled(name, self._one(name, grouping)) for name in columns]
        made = sa.select(*kept, *cells)
        made = made.select_from(rows)
        return made.group_by(*kept) if kept else made

    def _one(self, name: str, grouping: tuple[str, ...]) -> Expression:
        """The one value among the parts. Nothing sold is 0 in a breakdown; an empty total stays empty."""
        zero = bool(grouping) and self.plan.cells[name].counted
        return the_one(name, self.catalog.dialect, empty_is_zero=zero)

    def _without_gaps(self, facts: Any, columns: list[str], grouping: tuple[str, ...]) -> Read:
        """Add a row for every part of time and kind between the first and the last one."""
        grain = finest(self.query)
        assert grain is not None
        label = self.things.part_of_spine(grain)
        first, last = sa.func.min(named(grain)).label(_FIRST), sa.func.max(named(grain)).label(_LAST)
        ends = sa.select(first, last).select_from(facts).subquery("ends")
        source: Any = self.things.spine(grain).join(
            ends, sa.and_(label >= named(_FIRST), label <= named(_LAST))
        )
        rest = [name for name in grouping if name not in GRAINS]
        if rest:
            kinds = sa.select(*map(named, rest)).select_from(facts).distinct().subquery("kinds")
            source = source.join(kinds, sa.true())
        cells = [
            named(name) if name in rest else self.things.part_of_spine(name).label(name) for name in grouping
        ]
        gaps = sa.select(*cells, *map(self._empty, columns)).select_from(source)
        found = sa.select(*map(named, [*grouping, *columns])).select_from(facts)
        groups = {name: named(name) for name in grouping}
        figures = {name: self._one(name, grouping) for name in columns}
        return Read(sa.union_all(found, gaps).subquery("rows"), [], groups, figures)


def _same_where(cells: list[Cell]) -> list[Condition] | None:
    """The conditions that all metrics of a fact share: these go to WHERE, others into the aggregates."""
    wheres = [cell.metric.where for cell in cells]
    return wheres[0] if all(one == wheres[0] for one in wheres) else None
