"""Facts, aggregated each at its own grain and folded into one table by the asked dimensions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.errors import AccessDenied, SemanticInvalid, Text
from metaagent.semantic import texts
from metaagent.semantic.arithmetic import parse, references
from metaagent.semantic.catalog import Catalog, fact_of, reachable
from metaagent.semantic.dialects import Selected, bucket, day_type, day_value, next_bucket, start_of
from metaagent.semantic.facts import HIT, OTHERS, Compared, Ranked, Scope, Window, condition
from metaagent.semantic.model import GRAINS, TIME_DIMENSIONS, Metric, split
from metaagent.semantic.periods import compared_periods, finest, shift_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metaagent.semantic.binding import Asker, Binder, Inputs
    from metaagent.semantic.dialects import Expression
    from metaagent.semantic.query import SemanticQuery


@dataclass(frozen=True)
class Folded:
    """One row per combination of dimensions; `columns` by name, `grouping` those that identify a row."""

    base: Selected | None
    source: Any
    columns: dict[str, Expression]
    grouping: tuple[str, ...]

    def select(self, wanted: Sequence[Any]) -> Selected:
        if self.base is None:
            return sa.select(*wanted).select_from(self.source)
        return self.base.with_only_columns(*wanted)


@dataclass(frozen=True)
class _Fact:
    """A table to read, the date that places its rows and, if it is a bridge, the column that is counted."""

    table: str
    time: str | None
    bridge: tuple[str, ...] = ()


def _as_text(column: Expression) -> Expression:
    """'Others' is a text: what stands beside it becomes one."""
    return column if isinstance(column.type, sa.String) else sa.cast(column, sa.String)


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

    def _read(
        self, fact: _Fact, names: list[str], window: Window, ranked: Ranked | None
    ) -> tuple[Selected, dict[str, Expression], dict[str, Expression]]:
        """The select of one fact in one window, its grouping and its aggregates, by name."""
        scope = self._scope(fact, window, names[0])
        self._check(fact, names, window)
        grouping = self._grouping(scope)
        conditions = [*scope.guard(), *self._filters(scope)]
        if window.period is not None and fact.time is not None:
            conditions += scope.within(window, self.model.metrics[names[0]])
        same = self._same_where(names)
        if same is not None:
            conditions += [self._where(scope, one) for one in same]
        aggregates = {
            name + window.suffix: self._aggregate(scope, fact, name, filtered=same is None) for name in names
        }
        source = scope.source()
        if ranked is not None:
            source, grouping = self._rank_joined(source, grouping, ranked)
        self.tables |= scope.tables()
        columns = {**grouping, **aggregates}
        made = sa.select(*(column.label(name) for name, column in columns.items()))
        made = made.select_from(source).where(*conditions)
        return made.group_by(*grouping.values()) if grouping else made, grouping, aggregates

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
        if filtered and metric.where:
            conditions = sa.and_(*(self._where(scope, one) for one in metric.where))
            counted = sa.literal_column("1", sa.Integer()) if subject is None else subject
            subject = sa.case((conditions, counted))
        if fact.bridge or metric.type == "count_distinct":
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
            return sa.BigInteger()
        assert metric.column is not None
        kinds = {
            self.model.tables[ref.table].columns[ref.column].type for ref in references(parse(metric.column))
        }
        if metric.type != "average" and kinds == {"integer"} and "/" not in metric.column:
            return sa.BigInteger()
        return sa.Double() if kinds <= {"integer", "number"} else sa.String()

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
        label = sa.bindparam("others", ranked.others, type_=sa.String())
        changed = dict(grouping)
        changed[ranked.target] = sa.case((out, label), else_=_as_text(grouping[ranked.target]))
        key = f"{ranked.target}__key"
        if key in grouping:
            changed[key] = sa.case((out, None), else_=grouping[key])
        one, zero = sa.literal_column("1", sa.Integer()), sa.literal_column("0", sa.Integer())
        changed[OTHERS] = sa.case((out, one), else_=zero)
        return joined, changed

    def folded(self, ranked: Ranked | None) -> Folded:
        reads = [
            self._read(fact, names, window, ranked)
            for window in self.windows()
            for fact, names in self._facts().items()
        ]
        columns = [name for _, _, aggregates in reads for name in aggregates]
        grouping = tuple(reads[0][1])
        fill = bool(self.query.running_total or self.query.moving_average)
        if len(reads) == 1 and not fill and not self._needs_layer(ranked):
            made, groups, aggregates = reads[0]
            return Folded(made, None, {**groups, **aggregates}, grouping)
        if len(reads) == 1:
            facts: Any = reads[0][0].cte(f"{self.prefix}facts")
        else:
            facts = self._laid_together(reads, columns, grouping).cte(f"{self.prefix}facts")
        if fill:
            facts = self._without_gaps(facts, columns, grouping)
        return Folded(None, facts, {name: facts.c[name] for name in [*grouping, *columns]}, grouping)

    def _needs_layer(self, ranked: Ranked | None) -> bool:
        """Window functions stand on a layer of their own."""
        query = self.query
        return bool(query.share or query.having or ranked or (query.top and query.top.within))

    def _laid_together(self, reads: list[Any], columns: list[str], grouping: tuple[str, ...]) -> Selected:
        parts = [self._padded(made, aggregates, grouping, columns) for made, _, aggregates in reads]
        rows = sa.union_all(*parts).subquery("parts")
        kept = [rows.c[name] for name in grouping]
        made = sa.select(*kept, *(self._one(rows, name, grouping).label(name) for name in columns))
        if not grouping:
            return made
        made = made.group_by(*kept)
        if self.query.comparison and (self.query.period is None or self.query.period.end is None):
            # An open end moved forward would add a part of time that has not come yet.
            current = [name for name in columns if not name.endswith("__previous")]
            made = made.having(sa.or_(*(sa.func.count(rows.c[name]) > 0 for name in current)))
        return made

    def _padded(
        self, made: Selected, own: dict[str, Any], grouping: tuple[str, ...], columns: list[str]
    ) -> Selected:
        by_name = {column.name: column for column in made.selected_columns}
        cells: list[Any] = [by_name[name] for name in grouping]
        for name in columns:
            metric = self.model.metrics[name.removesuffix("__previous")]
            cells.append(by_name[name] if name in own else sa.cast(sa.null(), self._type(metric)).label(name))
        return made.with_only_columns(*cells)

    def _one(self, rows: Any, name: str, grouping: tuple[str, ...]) -> Expression:
        """The one value among the parts. Nothing sold is 0 in a breakdown; an empty total stays empty."""
        metric = self.model.metrics[name.removesuffix("__previous")]
        value = sa.func.max(rows.c[name])
        if grouping and metric.type in {"sum", "count", "count_distinct"}:
            return sa.func.coalesce(value, sa.literal_column("0"))
        return value

    def _without_gaps(self, facts: Any, columns: list[str], grouping: tuple[str, ...]) -> Any:
        """Months without a row count as 0 in running totals and moving averages, instead of being skipped."""
        grain, period = finest(self.query), self.query.period
        if grain is None or period is None or period.start is None or period.end is None:
            return facts
        spine = self._spine(grain)
        dialect = self.catalog.dialect
        labels = {name: bucket(spine.c.day, name, dialect) for name in grouping if name in GRAINS}
        rest = [name for name in grouping if name not in GRAINS]
        source: Any = spine
        others: dict[str, Expression] = {}
        if rest:
            kinds = sa.select(*(facts.c[name] for name in rest)).distinct().subquery("kinds")
            source = spine.join(kinds, sa.true())
            others = {name: kinds.c[name] for name in rest}
        first = sa.select(sa.func.min(facts.c[grain])).scalar_subquery()
        last = sa.select(sa.func.max(facts.c[grain])).scalar_subquery()
        cells = [{**labels, **others}[name].label(name) for name in grouping]
        empty = [
            sa.cast(sa.null(), self._type(self.model.metrics[name.removesuffix("__previous")])).label(name)
            for name in columns
        ]
        gaps = sa.select(*cells, *empty).select_from(source)
        gaps = gaps.where(labels[grain] >= first, labels[grain] <= last)
        found = sa.select(*(facts.c[name] for name in [*grouping, *columns]))
        rows = sa.union_all(found, gaps).subquery("rows")
        kept = [rows.c[name] for name in grouping]
        made = sa.select(*kept, *(self._one(rows, name, grouping).label(name) for name in columns))
        return made.group_by(*kept).cte(f"{self.prefix}filled")

    def _spine(self, grain: str) -> sa.CTE:
        dialect = self.catalog.dialect
        kind = day_type(dialect)

        def start(inputs: Inputs) -> Any:
            period = inputs.periods[0]
            assert period is not None
            assert period.start is not None
            return day_value(start_of(period.start, grain), dialect)

        def end(inputs: Inputs) -> Any:
            period = inputs.periods[0]
            assert period is not None
            assert period.end is not None
            return day_value(period.end, dialect)

        first: Expression = self.binder.bind("spine_start", kind, start)
        if dialect != "sqlite":
            first = sa.cast(first, sa.Date)
        days = sa.select(first.label("day")).cte(f"{self.prefix}spine", recursive=True)
        following = next_bucket(days.c.day, grain, dialect)
        return days.union_all(
            sa.select(following).where(following <= self.binder.bind("spine_end", kind, end))
        )

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
