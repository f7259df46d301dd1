"""Semantic query -> one SQL statement, by SQLAlchemy Core with bound parameters.

Layers, each only where it is needed:
  facts    each fact table aggregated alone, for the period and the compared one; laid on top of each other
           (UNION ALL) and folded by the dimensions, so that nothing is joined and nothing counted twice
  figures  ratios, differences, shares, running totals, moving averages
  result   conditions on figures, ranking, order, limit
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic import texts
from metaagent.data.semantic.admission import admitted
from metaagent.data.semantic.aggregate import Aggregator, Folded
from metaagent.data.semantic.binding import Asker, Binder, Inputs
from metaagent.data.semantic.catalog import catalog
from metaagent.data.semantic.dialects import (
    DOUBLE,
    ONE,
    DialectName,
    Quotient,
    Selected,
    directed,
    named,
    shown,
    sorted_by,
    sql_dialect,
)
from metaagent.data.semantic.facts import HIT, OTHERS, Ranked
from metaagent.data.semantic.model import TIME_DIMENSIONS
from metaagent.data.semantic.outputs import OutputColumn, derived_kinds, output_columns
from metaagent.data.semantic.periods import compared_periods, shift_of
from metaagent.data.semantic.query import Top
from metaagent.errors import SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metaagent.data.semantic.dialects import Expression
    from metaagent.data.semantic.model import Model, Value
    from metaagent.data.semantic.query import Period, SemanticQuery

_RANK = "rank__"
_OF_ONE_ROW = {"value", "previous", "difference", "change", "target", "achievement"}


@dataclass(frozen=True)
class Compiled:
    """Runs as it stands: `connection.exec_driver_sql(compiled.sql, compiled.params)`."""

    sql: str
    params: dict[str, Any]
    columns: tuple[OutputColumn, ...]
    notes: tuple[tuple[Text, dict[str, str]], ...]
    tables: tuple[str, ...]  # that it reads, by their names in the model


def compile_query(
    model: Model,
    query: SemanticQuery,
    *,
    dialect: DialectName,
    tenant: str | None,
    roles: Iterable[str] = (),
    attributes: Mapping[str, Value | Sequence[Value]] | None = None,
) -> Compiled:
    """SQL of a known shape comes from the model's cache, so that only its values are computed anew."""
    asker = Asker(tenant, frozenset(roles), attributes or {})
    query = admitted(model, query)
    periods = compared_periods(query)
    key = _shape(model, query, dialect, asker, periods)
    made = model.cache.get("shapes", {}).get(key)
    if made is None:
        made = _Shape.of(model, query, dialect, asker)
        _remember(model, key, made)
    params = made.binder.values(made.names, Inputs(query, asker, periods))
    return Compiled(made.sql, params, made.columns, made.notes, made.tables)


@dataclass(frozen=True)
class _Shape:
    """What all queries of one shape share. Nothing of a person or a value is in it."""

    sql: str
    names: dict[str, Any]
    binder: Binder
    columns: tuple[OutputColumn, ...]
    notes: tuple[tuple[Text, dict[str, str]], ...]
    tables: tuple[str, ...]

    @classmethod
    def of(cls, model: Model, query: SemanticQuery, dialect: DialectName, asker: Asker) -> _Shape:
        builder = _Builder(model, query, dialect, asker, Binder())
        statement = builder.statement()
        made = statement.compile(dialect=sql_dialect(dialect), compile_kwargs={"render_postcompile": True})
        return cls(
            str(made),
            dict(made.params),
            builder.binder,
            tuple(output_columns(model, query)),
            tuple(builder.aggregator.notes),
            tuple(sorted(builder.aggregator.tables)),
        )


def _shape(
    model: Model, query: SemanticQuery, dialect: str, asker: Asker, periods: tuple[Period | None, ...]
) -> tuple[Any, ...]:
    """Everything that SQL depends on: the query without dates and filter values, and who may see what."""
    held = [asker.held(rule.attribute) for rule in model.row_rules if rule.attribute]
    return (
        dialect,
        asker.tenant is None,
        asker.roles,
        tuple(None if values is None else len(values) for values in held),
        tuple((one.dimension, one.op, one.by_key, len(one.values)) for one in query.filters),
        tuple(None if p is None else (p.start is None, p.end is None, p.whole) for p in periods),
        shift_of(query),
        query.model_dump_json(exclude={"filters", "period"}),
    )


_MOST_SHAPES = 1000


def _remember(model: Model, key: Any, made: _Shape) -> None:
    shapes = model.cache.setdefault("shapes", {})
    if len(shapes) >= _MOST_SHAPES:
        shapes.clear()
    shapes[key] = made


class _Builder:
    def __init__(
        self, model: Model, query: SemanticQuery, dialect: DialectName, asker: Asker, binder: Binder
    ) -> None:
        self.model = model
        self.query = query
        self.dialect: DialectName = dialect
        self.asker = asker
        self.binder = binder
        self.aggregator = Aggregator(catalog(model, dialect), query, asker, binder)

    def statement(self, *, with_keys: bool = False) -> Selected:
        if not self.query.metrics:
            return self.aggregator.listing().limit(self.query.limit)
        top = self._simple_top()
        ranked = self._ranked() if self.query.top is not None and top is None else None
        folded = self.aggregator.folded(ranked)
        figures = self._figures(folded)
        if top is not None and top.within:
            figures[_RANK] = self._rank(folded, figures, top)
        return self._result(folded, figures, top, with_keys=with_keys)

    def _figures(self, folded: Folded) -> dict[str, Expression]:
        made: dict[str, Expression] = {}
        for name in self.query.metrics:
            made[name] = self._figure(folded, name, "value")
            for kind in derived_kinds(self.model, self.query, name):
                made[f"{name}__{kind}"] = self._figure(folded, name, kind)
        return made

    def _figure(self, folded: Folded, name: str, kind: str) -> Expression:
        def make() -> Expression:
            return getattr(self, f"_{kind}")(folded, name)

        if not folded.layered or kind not in _OF_ONE_ROW:
            return make()
        return self.aggregator.catalog.text_once(("figure", name, kind), make)

    def _value(self, folded: Folded, name: str, suffix: str = "") -> Expression:
        metric = self.model.metrics[name]
        if metric.type != "ratio":
            return folded.columns[name + suffix]
        assert metric.numerator is not None
        assert metric.denominator is not None
        return Quotient(
            folded.columns[metric.numerator + suffix], folded.columns[metric.denominator + suffix]
        )

    def _previous(self, folded: Folded, name: str) -> Expression:
        return self._value(folded, name, "__previous")

    def _difference(self, folded: Folded, name: str) -> Expression:
        return self._value(folded, name) - self._previous(folded, name)

    def _change(self, folded: Folded, name: str) -> Expression:
        return Quotient(self._difference(folded, name), sa.func.abs(self._previous(folded, name)))

    def _share(self, folded: Folded, name: str) -> Expression:
        value = self._value(folded, name)
        within = [folded.columns[one] for one in self.query.share_within]
        return Quotient(value, sa.func.sum(value).over(partition_by=within or None))

    def _along_time(self, folded: Folded) -> dict[str, Any]:
        time = [folded.columns[name] for name in self.query.dimensions if name in TIME_DIMENSIONS]
        rest = [folded.columns[name] for name in folded.grouping if name not in TIME_DIMENSIONS]
        return {"partition_by": rest or None, "order_by": time}

    def _running_total(self, folded: Folded, name: str) -> Expression:
        return sa.func.sum(self._value(folded, name)).over(**self._along_time(folded), rows=(None, 0))

    def _moving_average(self, folded: Folded, name: str) -> Expression:
        assert self.query.moving_average is not None
        rows = (1 - self.query.moving_average, 0)
        average = sa.func.avg(self._value(folded, name)).over(**self._along_time(folded), rows=rows)
        return sa.cast(average, DOUBLE)

    def _target(self, folded: Folded, name: str) -> Expression:
        target = self.model.metrics[name].target
        assert target is not None
        return self._value(folded, target)

    def _achievement(self, folded: Folded, name: str) -> Expression:
        return Quotient(self._value(folded, name), self._target(folded, name))

    def _rank_by(self, top: Top) -> str:
        return top.by or self.query.metrics[0]

    def _ranked_dimensions(self, top: Top) -> list[str]:
        if top.dimension is not None:
            return [top.dimension]
        rest = [name for name in self.query.dimensions if name not in top.within]
        return [name for name in rest if name not in TIME_DIMENSIONS] or rest

    def _simple_top(self) -> Top | None:
        """The ranking, if the rows of the result are what is ranked: then order and limit are enough."""
        top = self.query.top
        if top is None or top.others:
            return None
        ranked = {*self._ranked_dimensions(top), *top.within}
        return top if ranked == set(self.query.dimensions) else None

    def _ranked(self) -> Ranked:
        """First find the winners by a query of their own; the facts are then read with that list at hand."""
        top = self.query.top
        assert top is not None
        ranked = self._ranked_dimensions(top)
        if len(ranked) != 1:
            raise SemanticInvalid(texts.TOP_NEEDS_ONE, dimensions=", ".join(ranked))
        dimensions = [*top.within, *ranked]
        by = self._rank_by(top)
        plain = {"share": False, "running_total": False, "moving_average": None, "having": [], "order": []}
        update: dict[str, Any] = {
            **plain,
            "metrics": [by.partition("__")[0]],
            "dimensions": dimensions,
            "share": by.endswith("__share"),
            "share_within": [],
            "limit": None,
            "top": Top(n=top.n, direction=top.direction, by=by, within=top.within),
        }
        inner = _Builder(
            self.model, self.query.model_copy(update=update), self.dialect, self.asker, self.binder
        )
        inner.aggregator.prefix = "ranked_"
        rows = inner.statement(with_keys=True).add_columns(ONE.label(HIT))
        self.aggregator.tables |= inner.aggregator.tables
        label = getattr(self.model.others, self.query.language) if top.others else None
        return Ranked(rows.cte("ranked"), tuple(dimensions), ranked[0], label)

    def _rank(self, folded: Folded, figures: dict[str, Expression], top: Top) -> Expression:
        by = figures[self._known(self._rank_by(top), figures)]
        ordered = [
            directed(by, descending=top.direction == "top"),
            *(folded.columns[n] for n in folded.grouping),
        ]
        within = [folded.columns[name] for name in top.within]
        return sa.func.row_number().over(partition_by=within, order_by=ordered)

    def _result(
        self, folded: Folded, figures: dict[str, Expression], top: Top | None, *, with_keys: bool
    ) -> Selected:
        wanted = [*self.query.dimensions, *(self._keys(folded) if with_keys else []), *self._outputs(figures)]
        known: dict[str, Expression] = {name: folded.columns[name] for name in folded.grouping}
        known.update(figures)
        if not self.query.having and _RANK not in figures:
            made = folded.select([shown(name, known[name]) for name in wanted])
            known |= {name: named(name) for name in wanted}  # to sort by, as the result calls them
        else:
            inner = folded.select([shown(name, expression) for name, expression in known.items()])
            known = {name: named(name) for name in known}
            made = sa.select(*(known[name] for name in wanted)).select_from(inner.subquery("figures"))
            made = made.where(*self._having(known))
            if top is not None and top.within:
                made = made.where(named(_RANK) <= top.n)
        made = made.order_by(*self._order(known, folded, top))
        limit = self.query.limit
        if top is not None and not top.within:
            limit = min(top.n, limit or top.n)
        return made if limit is None else made.limit(limit)

    def _keys(self, folded: Folded) -> list[str]:
        return [name for name in folded.grouping if name.endswith("__key")]

    def _outputs(self, figures: dict[str, Expression]) -> list[str]:
        return [name for name in figures if name != _RANK]

    def _known(self, name: str, known: Mapping[str, Expression]) -> str:
        if name not in known:
            said = ", ".join(n for n in known if n not in {_RANK, OTHERS})
            raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=name, known=said)
        return name

    def _having(self, known: dict[str, Expression]) -> list[Expression]:
        found: list[Expression] = []
        for one in self.query.having:
            column, values = known[self._known(one.column, known)], one.values
            match one.op:
                case "between":
                    found.append(column.between(values[0], values[-1]))
                case "=":
                    found.append(column == values[0])
                case _:
                    found.append(column.op(one.op, is_comparison=True)(values[0]))
        return found

    def _order(self, known: dict[str, Expression], folded: Folded, top: Top | None) -> list[Any]:
        asked = [(one.column, one.descending) for one in self.query.order]
        wanted = asked or self._natural_order(top)
        given = [_sorted(known, self._known(column, known), descending) for column, descending in wanted]
        said = {column for column, _ in wanted}
        # The same question gives the same rows in the same order: ties are broken by every dimension.
        ties = [_sorted(known, name, False) for name in folded.grouping if name not in {*said, OTHERS}]
        last = [known[OTHERS]] if OTHERS in known else []
        return [*last, *given, *ties]

    def _natural_order(self, top: Top | None) -> list[tuple[str, bool]]:
        """(column, descending)."""
        if top is not None:
            return [*((name, False) for name in top.within), (self._rank_by(top), top.direction == "top")]
        if not self.query.dimensions:
            return []
        time = [(name, False) for name in self.query.dimensions if name in TIME_DIMENSIONS]
        return [*time, (self.query.metrics[0], True)]


def _sorted(known: Mapping[str, Expression], name: str, descending: bool) -> Any:
    column = known[name]
    plain = column is named(name)
    return sorted_by(name, descending=descending) if plain else directed(column, descending=descending)
