"""Semantic query -> one SQL statement, by SQLAlchemy Core with bound parameters.

Layers, each only where it is needed:
  facts    each fact table aggregated alone, for the period, the compared one and the parts of derived figures; laid
           on top of each other (UNION ALL) and folded by the dimensions, so nothing is joined or counted twice
  figures  ratios, differences, shares, running totals, moving averages (`figures.py`)
  result   conditions on figures, ranking, order, limit (`result.py`)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metaagent.data.semantic.compiling.admission import admitted
from metaagent.data.semantic.compiling.binding import Asker, Binder, Inputs
from metaagent.data.semantic.compiling.dating import dated
from metaagent.data.semantic.compiling.dialects import DialectName, sql_dialect
from metaagent.data.semantic.compiling.outputs import OutputColumn, output_columns
from metaagent.data.semantic.compiling.periods import compared_periods, shift_of
from metaagent.data.semantic.compiling.result import Builder
from metaagent.data.semantic.compiling.texts import EQUAL_DAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.model import Model, Value
    from metaagent.data.semantic.query import Period, SemanticQuery
    from metaagent.errors import Text


@dataclass(frozen=True)
class Compiled:
    """Runs as it stands: `connection.exec_driver_sql(compiled.sql, compiled.params)`."""

    sql: str
    params: dict[str, Any]
    columns: tuple[OutputColumn, ...]
    notes: tuple[tuple[Text, dict[str, str]], ...]
    tables: tuple[str, ...]  # that it reads, by their names in the model
    periods: tuple[Period | None, ...]  # the one it is about and, in a comparison, the other one

    def visible(self, rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """The rows without their keys, which stand last."""
        width = sum(not column.hidden for column in self.columns)
        return [tuple(row[:width]) for row in rows]


def compile_query(
    model: Model,
    query: SemanticQuery,
    *,
    dialect: DialectName,
    tenant: str | None,
    roles: Iterable[str] = (),
    attributes: Mapping[str, Value | Sequence[Value]] | None = None,
    covered: Mapping[str, Span] | None = None,
) -> Compiled:
    """Make SQL. That of a known shape comes from the model's cache, so that only its values are computed anew.

    `covered`: the first and last day of each metric's data. Comparisons are made over such days alone, and averages
    per period count no others.
    """
    asker = Asker(tenant, frozenset(roles), attributes or {})
    query = admitted(model, query)
    if query.dated_by is not None:  # how far the data of that date goes is not known
        model, covered = dated(model, query.dated_by), None
    periods = compared_periods(query, covered)
    key = _shape(model, query, dialect, asker, covered)
    made = model.cache.get("shapes", {}).get(key)
    if made is None:
        made = _Shape.of(model, query, dialect, asker, covered)
        shapes = model.cache.setdefault("shapes", {})
        if len(shapes) >= _MOST_SHAPES:
            shapes.clear()
        shapes[key] = made
    params = made.binder.values(made.names, Inputs(query.filters, asker, periods))
    return Compiled(
        made.sql,
        params,
        columns=made.columns,
        notes=(*made.notes, *_clipped(query, periods)),
        tables=made.tables,
        periods=periods,
    )


def _clipped(query: SemanticQuery, periods: tuple[Period | None, ...]) -> list[tuple[Text, dict[str, str]]]:
    if len(periods) < 2 or periods[0] == query.period or periods[0] is None or periods[1] is None:
        return []
    days = {
        "start": periods[0].start,
        "end": periods[0].end,
        "before_start": periods[1].start,
        "before_end": periods[1].end,
    }
    return [(EQUAL_DAYS, {name: str(day) for name, day in days.items()})]


@dataclass(frozen=True)
class _Shape:
    """The part that queries of one shape share. Nothing of a person is in it, and no value of a plain query."""

    sql: str
    names: dict[str, Any]
    binder: Binder
    columns: tuple[OutputColumn, ...]
    notes: tuple[tuple[Text, dict[str, str]], ...]
    tables: tuple[str, ...]

    @classmethod
    def of(
        cls,
        model: Model,
        query: SemanticQuery,
        dialect: DialectName,
        asker: Asker,
        covered: Mapping[str, Span] | None,
    ) -> _Shape:
        builder = Builder(
            model, query, dialect=dialect, asker=asker, binder=Binder(_named(query)), covered=covered
        )
        statement = builder.statement()
        made = statement.compile(dialect=sql_dialect(dialect), compile_kwargs={"render_postcompile": True})
        return cls(
            str(made),
            dict(made.params),
            builder.binder,
            tuple(output_columns(model, query, builder.keys)),
            tuple(builder.notes),
            tuple(sorted(builder.tables)),
        )


def _named(query: SemanticQuery) -> frozenset[str]:
    return frozenset({*query.dimensions, *(one.dimension for one in query.filters)})


def _shape(
    model: Model,
    query: SemanticQuery,
    dialect: str,
    asker: Asker,
    covered: Mapping[str, Span] | None,
) -> tuple[Any, ...]:
    """Collect everything that SQL depends on: the query without dates and filter values, and who may see what.

    Figures inside figures and queries inside queries keep their dates and values in the shape.
    """
    held = [asker.held(rule.attribute) for rule in model.row_rules if rule.attribute]
    who = (
        dialect,
        asker.tenant is None,
        asker.roles,
        tuple(None if values is None else len(values) for values in held),
    )
    if query.derived or query.existence or query.among or any(one.relative for one in query.having):
        return *who, tuple(sorted((covered or {}).items())), query.model_dump_json()
    period = query.period
    return (
        *who,
        tuple((one.dimension, one.op, one.by_key, len(one.values)) for one in query.filters),
        None if period is None else (period.start is None, period.end is None, period.whole),
        shift_of(query),
        query.model_dump_json(exclude={"filters", "period"}),
    )


_MOST_SHAPES = 1000
