"""Facts, aggregated each at its own grain and folded into one table by the asked dimensions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic import texts
from metaagent.data.semantic.arithmetic import parse, references
from metaagent.data.semantic.catalog import Catalog, fact_of, reachable
from metaagent.data.semantic.dialects import (
    BIGINT,
    DATE,
    DOUBLE,
    ONE,
    TEXT,
    ZERO,
    Selected,
    bucket,
    day_type,
    day_value,
    named,
    next_bucket,
    start_of,
    the_one,
    written,
)
from metaagent.data.semantic.facts import HIT, OTHERS, Compared, Ranked, Scope, Window, condition
from metaagent.data.semantic.model import GRAINS, TIME_DIMENSIONS, Metric, split
from metaagent.data.semantic.periods import compared_periods, finest, shift_of
from metaagent.errors import AccessDenied, SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metaagent.data.semantic.binding import Asker, Binder, Inputs, Recipe
    from metaagent.data.semantic.dialects import Expression
    from metaagent.data.semantic.query import SemanticQuery, Top


@dataclass(frozen=True)
class Read:
    """One fact in one window: from where, how grouped, and what is added up, by name."""

    source: Any
    conditions: list[Expression]
    grouping: dict[str, Expression]
    aggregates: dict[str, Expression]

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


_FIRST, _LAST = "first__", "last__"


def _as_text(column: Expression) -> Expression:
    """'Others' is a text: what stands beside it becomes one."""
    return column if isinstance(column.type, sa.String) else sa.cast(column, TEXT)


class Aggregator:
    def __init__(self, catalog: Catalog, query: SemanticQuery, asker: Asker, binder: Binder) -> None:
        self.binder = binder
        self.prefix = ""  # of names in WITH, for a query inside another
        self.catalog = catalog
        self.model = catalog.model
        self.query = query
        self.asker = asker
        self.notes: list[tuple[Text, dict[str, str]]] = []
        self.tables: set[str] = set()

    def base_metrics(self) -> list[str]:
        """The plain metrics behind what was asked, each once."""
        found: dict[str, None] = {}
        for name in self.query.metrics:
            metric = self.model.metrics[name]
            for part in (metric.numerator, metric.denominator) if metric.type == "ratio" else (name,):
                found[str(part)] = None
            if self.query.target and metric.target:
                found[metric.target] = None
        return list(found)

    def _facts(self) -> dict[_Fact, list[str]]:
        grouped: dict[_Fact, list[str]] = defaultdict(list)
        for name in self.base_metrics():
            grouped[self._fact(name)].append(name)
        return grouped

    def _fact(self, name: str) -> _Fact:
        metric = self.model.metrics[name]
        table = fact_of(self.model, metric)
        missing = self._unreached(table)
        if not missing or metric.type != "count" or metric.where or len(self.model.tables[table].key) != 1:
            return _Fact(table, metric.time)
        return self._bridge(name, metric, table, missing[0])

    def _unreached(self, table: str) -> list[str]:
        asked = [*self.query.dimensions, *(one.dimension for one in self.query.filters)]
        known = reachable(self.model, table)
        missing: list[str] = []
        for name in asked:
            if name in TIME_DIMENSIONS:
                continue
            dimension = self.model.dimensions[name]
            sources = [*dimension.column[:1], *(source.column for source in dimension.also)]
            if not any(split(one)[0] in known for one in sources):
                missing.append(name)
        return missing

    def _bridge(self, name: str, metric: Metric, table: str, dimension: str) -> _Fact:
        """Count things of `table` by what only another table connects them with: tracks per playlist."""
        found: list[_Fact] = []
        for join in self.model.joins:
            middle, there = split(join.many[0])[0], split(join.one[0])[0]
            if there == table and len(join.many) == 1 and not self._unreached(middle):
                time = metric.time or self._time_of(middle)
                found.append(_Fact(middle, time, (join.many[0],)))
        if len(found) > 1:
            tables = ", ".join(fact.table for fact in found)
            raise SemanticInvalid(texts.MANY_BRIDGES, metric=name, dimension=dimension, tables=tables)
        return found[0] if found else _Fact(table, metric.time)

    def _time_of(self, table: str) -> str | None:
        times = [m.time for m in self.model.metrics.values() if m.type != "ratio" and m.time]
        return next((time for time in times if split(time)[0] == table), None)

    def windows(self) -> list[Window]:
        shift = shift_of(self.query)
        periods = compared_periods(self.query)
        return [Window(period, shift if i else None, i) for i, period in enumerate(periods)]

    def _scope(self, fact: _Fact, window: Window, subject: str) -> Scope:
        return Scope(self.catalog, fact.table, self.asker, self.binder, fact.time, window.shift, subject)

    def _read(self, fact: _Fact, names: list[str], window: Window, ranked: Ranked | None) -> Read:
        scope = self._scope(fact, window, names[0])
        self._check(fact, names, window)
        grouping = self._grouping(scope)
        conditions = [*scope.guard(), *self._filters(scope)]
        if fact.time is not None and self._limited(window):
            conditions += scope.within(window, self.model.metrics[names[0]])
        same = self._same_where(names)
        if same is not None:
            conditions += [self._where(scope, one) for one in same]
        aggregates = {
            name + window.suffix: self._aggregate(scope, fact, name, filtered=same is None) for name in names
        }
        if self.query.top is not None and ranked is None:
            # What has no name cannot be among the best.
            conditions += [
                column.is_not(None)
                for name, column in grouping.items()
                if name in self._ranked(self.query.top)
            ]
        source = scope.source()
        if ranked is not None:
            source, grouping = self._rank_joined(source, grouping, ranked)
        self.tables |= scope.tables()
        return Read(source, conditions, grouping, aggregates)

    def _ranked(self, top: Top) -> set[str]:
        listed = [name for name in self.query.dimensions if name not in top.within]
        return {name for name in listed if name not in TIME_DIMENSIONS}

    def _limited(self, window: Window) -> bool:
        """All there is needs no limit, unless it is split by time: what has no date has no place there."""
        if window.period is None:
            return False
        return not window.period.whole or any(name in TIME_DIMENSIONS for name in self.query.dimensions)

    def _filters(self, scope: Scope) -> list[Expression]:
        return [scope.filter(i, one) for i, one in enumerate(self.query.filters)]

    def _check(self, fact: _Fact, names: list[str], window: Window) -> None:
        grain = finest(self.query)
        for name in names:
            metric = self.model.metrics[name]
            if fact.time is None:
                if window.suffix:
                    raise SemanticInvalid(texts.NO_TIME, metric=name, grain=grain or "day")
                if window.period is not None:
                    self.notes.append((texts.PERIOD_IGNORED, {"metric": name}))
            if grain is not None and GRAINS.index(grain) > GRAINS.index(metric.grain):
                raise SemanticInvalid(texts.TOO_FINE, metric=name, own=metric.grain, grain=grain)

    def _grouping(self, scope: Scope) -> dict[str, Expression]:
        made: dict[str, Expression] = {}
        for name in self.query.dimensions:
            made[name] = scope.label(name)
            key = scope.key(name)
            if key is not None:
                made[f"{name}__key"] = key
        return made

    def _same_where(self, names: list[str]) -> list[Any] | None:
        """The conditions that all metrics of a fact share: these go to WHERE, others into the aggregates."""
        wheres = [self.model.metrics[name].where for name in names]
        return wheres[0] if all(where == wheres[0] for where in wheres) else None

    def _where(self, scope: Scope, one: Any) -> Expression:
        scope.need(split(one.column)[0], {})
        kind = self.catalog.kind(one.column)
        subject = Compared(self.catalog.column(one.column), kind, one.column, self.catalog.dialect)

        def constant(j: int, convert: Any, type_: Any) -> Expression:
            return sa.bindparam(None, convert(one.values[j]), type_=type_, unique=True)

        return condition(subject, one.op, len(one.values), constant)

    def _aggregate(self, scope: Scope, fact: _Fact, name: str, *, filtered: bool) -> Expression:
        metric = self.model.metrics[name]
        subject = self._subject(scope, fact, metric, name)
        if not fact.bridge and not (filtered and metric.where):
            return self.catalog.text_once(("aggregate", name), lambda: self._aggregated(subject, metric))
        return self._conditional(scope, fact, metric, subject, filtered=filtered)

    def _conditional(
        self, scope: Scope, fact: _Fact, metric: Metric, subject: Expression | None, *, filtered: bool
    ) -> Expression:
        if filtered and metric.where:
            conditions = sa.and_(*(self._where(scope, one) for one in metric.where))
            counted = ONE if subject is None else subject
            subject = sa.case((conditions, counted))
        if fact.bridge:
            assert subject is not None
            return sa.func.count(subject.distinct())
        return self._aggregated(subject, metric)

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
        return self._typed(function(subject), metric)

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

    def _typed(self, aggregate: Expression, metric: Metric) -> Expression:
        """PostgreSQL and DuckDB answer sums with wide decimals: bring them back to plain numbers."""
        if self.catalog.dialect == "sqlite":
            return aggregate
        return sa.cast(aggregate, self._type(metric))

    def _type(self, metric: Metric) -> Any:
        if metric.type in {"count", "count_distinct"}:
            return BIGINT
        assert metric.column is not None
        kinds = {
            self.model.tables[ref.table].columns[ref.column].type for ref in references(parse(metric.column))
        }
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
        reads = [
            self._read(fact, names, window, ranked)
            for window in self.windows()
            for fact, names in self._facts().items()
        ]
        columns = [name for read in reads for name in read.aggregates]
        grouping = tuple(reads[0].grouping)
        if len(reads) == 1 and not self._needs_layer(ranked):
            return Folded.of(reads[0])
        made = (
            self._padded(reads[0], columns)
            if len(reads) == 1
            else self._laid_together(reads, columns, grouping)
        )
        facts = made.cte(f"{self.prefix}facts")
        if self._fills():
            return Folded.of(self._without_gaps(facts, columns, grouping))
        return Folded(facts, {name: named(name) for name in [*grouping, *columns]}, grouping)

    def _needs_layer(self, ranked: Ranked | None) -> bool:
        """Window functions stand on a layer of their own."""
        query = self.query
        along = query.running_total or query.moving_average
        return bool(along or query.share or query.having or ranked or (query.top and query.top.within))

    def _laid_together(self, reads: list[Read], columns: list[str], grouping: tuple[str, ...]) -> Selected:
        rows = sa.union_all(*(self._padded(read, columns) for read in reads)).subquery("parts")
        made = self._one_row_each(rows, columns, grouping)
        if self.query.comparison and (self.query.period is None or self.query.period.end is None):
            # An open end moved forward would add a part of time that has not come yet.
            current = [name for name in columns if not name.endswith("__previous")]
            made = made.having(sa.or_(*(sa.func.count(named(name)) > 0 for name in current)))
        return made

    def _padded(self, read: Read, columns: list[str]) -> Selected:
        """With an empty place for each figure of the other reads."""
        own = {**read.grouping, **read.aggregates}
        cells = [
            self.catalog.labelled(name, own[name]) if name in own else self._empty(name)
            for name in [*read.grouping, *columns]
        ]
        return read.select(cells)

    def _empty(self, name: str) -> Expression:
        metric = self.model.metrics[name.removesuffix("__previous")]
        empty = self.catalog.text_once(("empty", name), lambda: sa.cast(sa.null(), self._type(metric)))
        return self.catalog.labelled(name, empty)

    def _one_row_each(self, rows: Any, columns: list[str], grouping: tuple[str, ...]) -> Selected:
        kept = [named(name) for name in grouping]
        cells = [self.catalog.labelled(name, self._one(name, grouping)) for name in columns]
        made = sa.select(*kept, *cells)
        made = made.select_from(rows)
        return made.group_by(*kept) if kept else made

    def _one(self, name: str, grouping: tuple[str, ...]) -> Expression:
        """The one value among the parts. Nothing sold is 0 in a breakdown; an empty total stays empty."""
        metric = self.model.metrics[name.removesuffix("__previous")]
        counted = metric.type in {"sum", "count", "count_distinct"}
        return the_one(name, self.catalog.dialect, empty_is_zero=bool(grouping) and counted)

    def _fills(self) -> bool:
        """Whether months without a row are to count as 0, as running totals and moving averages need it."""
        query, period = self.query, self.query.period
        wanted = bool(query.running_total or query.moving_average) and finest(query) is not None
        return wanted and period is not None and period.start is not None and period.end is not None

    def _without_gaps(self, facts: Any, columns: list[str], grouping: tuple[str, ...]) -> Read:
        """Between the first and the last row, one for every part of time and kind."""
        grain = finest(self.query)
        assert grain is not None
        label = self._spined(grain)
        first, last = sa.func.min(named(grain)).label(_FIRST), sa.func.max(named(grain)).label(_LAST)
        ends = sa.select(first, last).select_from(facts).subquery("ends")
        source: Any = self._spine(grain).join(ends, sa.and_(label >= named(_FIRST), label <= named(_LAST)))
        rest = [name for name in grouping if name not in GRAINS]
        if rest:
            kinds = sa.select(*map(named, rest)).select_from(facts).distinct().subquery("kinds")
            source = source.join(kinds, sa.true())
        cells = [named(name) if name in rest else self._spined(name).label(name) for name in grouping]
        gaps = sa.select(*cells, *map(self._empty, columns)).select_from(source)
        found = sa.select(*map(named, [*grouping, *columns])).select_from(facts)
        groups = {name: named(name) for name in grouping}
        figures = {name: self._one(name, grouping) for name in columns}
        return Read(sa.union_all(found, gaps).subquery("rows"), [], groups, figures)

    def _spined(self, grain: str) -> Expression:
        dialect = self.catalog.dialect
        return self.catalog.text_once(("spined", grain), lambda: bucket(named("day"), grain, dialect))

    def _spine(self, grain: str) -> Any:
        """Each part of time of the asked period, by its first day."""
        dialect = self.catalog.dialect
        kind, name = day_type(dialect), f"{self.prefix}spine"

        def bound(end: str) -> Recipe:
            def recipe(inputs: Inputs) -> Any:
                day = getattr(inputs.periods[0], end)
                assert day is not None
                return day_value(start_of(day, grain), dialect)

            return recipe

        def make() -> Any:
            first: Expression = sa.bindparam("spine_start", type_=kind)
            start = first if dialect == "sqlite" else sa.cast(first, DATE)
            days = sa.select(start.label("day")).cte(name, recursive=True)
            following = written(next_bucket(named("day"), grain, dialect), dialect)
            before = named("day") < sa.bindparam("spine_end", type_=kind)
            return days.union_all(sa.select(following).select_from(days).where(before))

        self.binder.recipes |= {"spine_start": bound("start"), "spine_end": bound("end")}
        return self.catalog.once(("spine", name, grain), make)

    def listing(self) -> Selected:
        """The values of dimensions, each once: 'which products are there?'"""
        asked = self.query.dimensions
        timed = [name for name in asked if name in TIME_DIMENSIONS]
        if timed:
            raise SemanticInvalid(texts.NO_TIME, metric=", ".join(asked), grain=timed[0])
        tables = {split(self.model.dimensions[name].column[0])[0] for name in asked}
        roots = [table for table in sorted(tables) if not self._unreached(table)]
        if not roots:
            raise SemanticInvalid(texts.NO_COMMON_TABLE, dimensions=", ".join(asked))
        scope = Scope(self.catalog, roots[0], self.asker, self.binder, subject=asked[0])
        grouping = self._grouping(scope)
        conditions = [*scope.guard(), *self._filters(scope)]
        if self.query.period is not None:
            self.notes.append((texts.PERIOD_IGNORED, {"metric": asked[0]}))
        shown = [grouping[name].label(name) for name in asked]
        made = sa.select(*shown).select_from(scope.source()).where(*conditions)
        self.tables |= scope.tables()
        return made.group_by(*grouping.values()).order_by(*(grouping[name] for name in asked))
