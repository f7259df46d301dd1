"""Conditions besides filters: on single rows, on weekdays, on things that have rows of a fact or that another query found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.arithmetic import is_plain, parse, references
from metaagent.data.semantic.compiling.catalog import Catalog, fact_of, reachable
from metaagent.data.semantic.compiling.facts import Compared, Scope, condition
from metaagent.data.semantic.compiling.plan import BoundFilter, View, plain_metric
from metaagent.data.semantic.model import split
from metaagent.errors import AccessDenied, SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metaagent.data.semantic.compiling.binding import Asker, Binder
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.model import Condition, Metric
    from metaagent.data.semantic.query import Existence, RowCondition, SemanticQuery

_OF_A_ROW = {"sum", "average", "min", "max"}
_MEASURED = {"integer", "number", "date", "datetime"}


@dataclass(frozen=True)
class Among:
    """The things that another query found."""

    dimension: str
    identity: sa.ColumnElement[Any]
    others: bool = False
    """All but those."""


class Narrowing:
    """Makes the conditions of one query, for each of its reads."""

    def __init__(
        self, catalog: Catalog, query: SemanticQuery, asker: Asker, binder: Binder, prefix: str
    ) -> None:
        self.among: Among | None = None
        self.tables: set[str] = set()
        self._catalog = catalog
        self._model = catalog.model
        self._query = query
        self._asker = asker
        self._binder = binder
        self._prefix = prefix
        self._applied: set[str] = set()

    def of(self, scope: Scope, view: View, metric: Metric) -> list[Expression]:
        """List the conditions on the rows of a view besides its filters and its period."""
        found = self.rows(scope, view.rows, f"{self._prefix}{view.name}row")
        if view.weekdays:
            found.append(self._on_days(scope, view.weekdays, metric))
        return found if view.everything else [*found, *self.things(scope)]

    def _on_days(self, scope: Scope, weekdays: Sequence[int], metric: Metric) -> Expression:
        if metric.grain != "day":
            raise SemanticInvalid(texts.TOO_FINE, metric=scope.subject, own=metric.grain, grain="weekday")
        return scope.label("weekday").in_([sa.literal_column(str(int(day))) for day in weekdays])

    def things(self, scope: Scope) -> list[Expression]:
        """Conditions on the things that rows belong to."""
        found = [self._exists(scope, i, one) for i, one in enumerate(self._query.existence)]
        if self.among is not None:
            own, chosen = scope.identity(self.among.dimension), sa.select(self.among.identity)
            found.append(sa.or_(own.is_(None), own.not_in(chosen)) if self.among.others else own.in_(chosen))
        return found

    def rows(self, scope: Scope, rows: Sequence[RowCondition], name: str) -> list[Expression]:
        """Make the conditions that concern rows of this fact."""
        found: list[Expression] = []
        for i, one in enumerate(rows):
            subject = self._row_value(scope, one.column)
            below = self._row_value(scope, one.per) if one.per else None
            if subject is None or (one.per and below is None):
                continue
            if below is not None:
                share = sa.cast(subject.column, sa.Float) / sa.func.nullif(below.column, 0)
                subject = replace(subject, column=share)
            self._applied.add(one.column)

            def bind(j: int, convert: Any, type_: Any, i: int = i, one: RowCondition = one) -> Expression:
                value = one.values[j]
                given = value.isoformat() if isinstance(value, date) else value
                return self._binder.bind(f"{name}_{i}_{j}", type_, lambda _: convert(given))

            found.append(condition(subject, one.op, len(one.values), bind))
        return found

    def check_applied(self, rows: Sequence[RowCondition]) -> None:
        """Refuse a condition that limited nothing."""
        for one in rows:
            if one.column not in self._applied:
                raise SemanticInvalid(texts.ROWS_NOWHERE, column=one.column)

    def _row_value(self, scope: Scope, name: str) -> Compared | None:
        """A number or date of each row; None if rows of this fact have no such value."""
        metric = self._model.metrics.get(name)
        if metric is not None and metric.type in _OF_A_ROW and metric.column is not None:
            text, kind = metric.column, "number"
            used = [(ref.table, ref.column) for ref in references(parse(text))]
        else:
            own = self._model.dimensions.get(name)
            text = own.column[0] if own is not None else name
            used, kind = [split(text)], self._measured(text)
        known = reachable(self._model, scope.fact)
        if any(table not in known for table, _ in used):
            return None
        for table, column in used:
            roles = self._model.tables[table].columns[column].roles
            if roles and not self._asker.roles & set(roles):
                raise AccessDenied(texts.MAY_NOT_SEE, name=name, roles=", ".join(roles))
            scope.need(table, {})
        value = self._catalog.arithmetic(text) if metric is not None else self._catalog.column(text)
        return Compared(value, kind, name, self._catalog.dialect)

    def _measured(self, reference: str) -> str:
        table, column = split(reference)
        columns = self._model.tables[table].columns if table in self._model.tables else {}
        info = columns.get(column)
        if info is None or info.hidden or info.type not in _MEASURED:
            known = [name for name, metric in self._model.metrics.items() if metric.type in _OF_A_ROW]
            raise SemanticInvalid(texts.NO_ROW_VALUE, column=reference, known=", ".join(known))
        return info.type

    def _exists(self, scope: Scope, i: int, one: Existence) -> Expression:
        metric = plain_metric(self._model, one.fact_metric)
        name = f"{self._prefix}exists{i}_"
        there = Scope(
            self._catalog,
            fact_of(self._model, metric),
            self._asker,
            self._binder,
            metric.time,
            subject=one.fact_metric,
        )
        inner = there.identity(one.dimension)
        conditions = [*there.guard(), inner.is_not(None)]
        conditions += [
            there.filter(BoundFilter(f"{name}filter_{j}", two)) for j, two in enumerate(one.filters)
        ]
        period = one.period or self._query.period
        if period is not None and not period.whole and (metric.time is not None or one.period):
            conditions += there.within(View(name, period, -1), metric.grain, fixed=name)
        if self._query.weekdays and not (self._query.metrics or self._query.derived):
            conditions.append(self._on_days(there, self._query.weekdays, metric))
        conditions += self.rows(there, one.rows, f"{name}row")
        self.check_applied(one.rows)
        conditions += [where(there, two) for two in metric.where]
        # Not correlated: the same table may stand outside too, and means other rows there.
        found = sa.select(inner).select_from(there.source()).where(*conditions).correlate(None)
        self.tables |= there.tables()
        outer = scope.identity(one.dimension)
        return outer.in_(found) if one.exists else sa.and_(outer.is_not(None), outer.not_in(found))


def where(scope: Scope, one: Condition) -> Expression:
    """A condition of the model itself: its values are constants."""
    catalog = scope.catalog
    if is_plain(one.column):
        scope.need(split(one.column)[0], {})
        subject = Compared(catalog.column(one.column), catalog.kind(one.column), one.column, catalog.dialect)
    else:
        for ref in references(parse(one.column)):
            scope.need(ref.table, {})
        subject = Compared(catalog.arithmetic(one.column), "number", one.column, catalog.dialect)

    def constant(j: int, convert: Any, type_: Any) -> Expression:
        return sa.bindparam(None, convert(one.values[j]), type_=type_, unique=True)

    return condition(subject, one.op, len(one.values), constant)
