"""The statement of one query: conditions on figures, ranking, order and limit over what the facts give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.aggregate import Aggregator, Folded
from metaagent.data.semantic.compiling.catalog import catalog
from metaagent.data.semantic.compiling.conditions import Among
from metaagent.data.semantic.compiling.dialects import (
    BIGINT,
    DOUBLE,
    ONE,
    DialectName,
    Selected,
    directed,
    named,
    shown,
    sorted_by,
)
from metaagent.data.semantic.compiling.dimension_values import free_name
from metaagent.data.semantic.compiling.facts import HIT, OTHERS, Ranked
from metaagent.data.semantic.compiling.figures import Figures
from metaagent.data.semantic.compiling.outputs import figure_of
from metaagent.data.semantic.model import TIME_DIMENSIONS, split
from metaagent.data.semantic.query import Derived, Part, SemanticQuery, Top
from metaagent.errors import SemanticInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaagent.data.semantic.compiling.binding import Asker, Binder
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import Having

_RANK, _EQUALS, _COUNT, _RELATIVE = "rank__", "equals__", "count__", "relative"


class Builder:
    """Makes the statement of a query; for a query inside another, `prefix` starts all its names."""

    def __init__(
        self,
        model: Model,
        query: SemanticQuery,
        dialect: DialectName,
        asker: Asker,
        binder: Binder,
        covered: Mapping[str, Span] | None,
        prefix: str = "",
        *,
        fixed: bool = False,
    ) -> None:
        self.model = model
        self.query = query
        self.dialect: DialectName = dialect
        self.asker = asker
        self.binder = binder
        self.covered = covered
        self.aggregator = Aggregator(
            catalog(model, dialect),
            query,
            asker=asker,
            binder=binder,
            covered=covered,
            prefix=prefix,
            fixed=fixed,
        )
        self.notes: list[tuple[Text, dict[str, str]]] = self.aggregator.notes
        self.tables: set[str] = self.aggregator.tables
        self.keys: list[str] = []  # of dimensions, beside their names in every row
        self._prefix = prefix
        self._fixed = fixed

    def _inner(self, query: SemanticQuery, prefix: str, *, fixed: bool) -> Builder:
        return Builder(
            self.model,
            query,
            dialect=self.dialect,
            asker=self.asker,
            binder=self.binder,
            covered=self.covered,
            prefix=f"{self._prefix}{prefix}_",
            fixed=fixed or self._fixed,
        )

    def _read(self, inner: Builder) -> Selected:
        made = inner.statement()
        self.tables |= inner.tables
        return made

    def statement(self) -> Selected:
        if self.query.count_groups is not None:
            return self._counted(self.query.count_groups)
        self._find_things()
        made = self._listing() if not self._measures() else self._measured()
        self.aggregator.narrowing.check_applied(self.query.rows)
        return made

    def _measures(self) -> list[str]:
        return [*self.query.metrics, *(one.name for one in self.query.derived)]

    def _find_things(self) -> None:
        """The query among whose things this one looks, as a table of keys."""
        among = self.query.among
        if among is None:
            return
        inner = self._inner(among, "among", fixed=True)
        rows = self._read(inner).cte(free_name(self.model, f"{self._prefix}among"))
        dimension = among.dimensions[0]
        key = f"{dimension}__key"
        column = rows.c[key if key in rows.c else dimension]
        self.aggregator.narrowing.among = Among(dimension, column, self.query.among_others)

    def _measured(self) -> Selected:
        top = self._simple_top()
        ranked = self._ranked() if self.query.top is not None and top is None else None
        folded = self.aggregator.folded(ranked)
        figures = Figures(self.aggregator, folded, self.covered).all()
        return self._result(folded, figures, top)

    def _listing(self) -> Selected:
        if self.query.period is not None and not self.query.existence:
            self.notes.append((texts.PERIOD_IGNORED, {"metric": self.query.dimensions[0]}))
        made, grouping = self.aggregator.things.listed()
        self.tables |= self.aggregator.things.tables
        self.keys = self._shown_keys(grouping)
        wanted = [*self.query.dimensions, *self.keys]
        rows: Any = made.subquery("listed")
        known = {name: rows.c[name] for name in wanted}
        asked = [(one.column, one.descending) for one in self.query.order]
        taken: list[Expression] = []
        if top := self.query.top:
            rows = self._placed_values(rows, known, top)
            known, taken = {name: rows.c[name] for name in wanted}, _taken(top)
            asked = asked or [(str(top.by), top.direction == "top")]
        order = [directed(known[_known(name, known)], descending=down) for name, down in asked]
        order += [known[name] for name in wanted if name not in {name for name, _ in asked}]
        return sa.select(*known.values()).where(*taken).order_by(*order).limit(self.query.limit)

    def _placed_values(self, rows: Any, known: Mapping[str, Expression], top: Top) -> sa.Subquery:
        """The things, each with its place by one of their own columns: the newest product."""
        by = known[_known(str(top.by), known)]
        within = [known[name] for name in top.within]
        order = [directed(by, descending=top.direction == "top")]
        cells = [
            *known.values(),
            sa.func.rank().over(partition_by=within or None, order_by=order).label(_RANK),
        ]
        if top.percent is not None:
            cells.append(sa.func.count().over(partition_by=within or None).label(_COUNT))
        if top.nth is not None:
            cells.append(sa.func.count().over(partition_by=[*within, by]).label(_EQUALS))
        return sa.select(*cells).select_from(rows).where(by.is_not(None)).subquery("places")

    def _counted(self, dimension: str) -> Selected:
        """Count the values of a dimension that are left, for each of the other dimensions."""
        query = self.query
        update: dict[str, Any] = {
            "dimensions": [*query.dimensions, dimension],
            "count_groups": None,
            "order": [],
            "limit": None,
        }
        inner = self._inner(query.model_copy(update=update), "counted", fixed=False)
        rows = self._read(inner).subquery("counted")
        self.notes.extend(inner.notes)
        self.keys = [f"{name}__key" for name in query.dimensions if f"{name}__key" in inner.keys]
        kept = [rows.c[name] for name in [*query.dimensions, *self.keys]]
        identity = f"{dimension}__key"
        thing = rows.c[identity if identity in rows.c else dimension]
        counted = f"{dimension}__count"
        number = sa.func.count(thing.distinct()).label(counted)
        dimensions, keys = kept[: len(query.dimensions)], kept[len(query.dimensions) :]
        made = sa.select(*dimensions, number, *keys).select_from(rows).group_by(*kept)
        if query.dimensions:
            known: dict[str, Expression] = {name: named(name) for name in (*query.dimensions, counted)}
            asked = [(one.column, one.descending) for one in query.order]
            time = [(name, False) for name in query.dimensions if name in TIME_DIMENSIONS]
            wanted = asked or [*time, (counted, True)]
            ties = [
                (column.name, False) for column in kept if column.name not in {name for name, _ in wanted}
            ]
            made = made.order_by(
                *(sorted_by(_known(name, known), descending=down) for name, down in wanted),
                *(sorted_by(name, descending=down) for name, down in ties),
            )
        return made.limit(query.limit)

    def _rank_by(self, top: Top) -> str:
        return top.by or self._measures()[0]

    def _ranked_dimensions(self, top: Top) -> list[str]:
        if top.dimension is not None:
            return [top.dimension]
        rest = [name for name in self.query.dimensions if name not in top.within]
        return [name for name in rest if name not in TIME_DIMENSIONS] or rest

    def _simple_top(self) -> Top | None:
        """The ranking, if the rows of the result are what is ranked."""
        top = self.query.top
        if top is None or top.others:
            return None
        ranked = {*self._ranked_dimensions(top), *top.within}
        return top if ranked == set(self.query.dimensions) else None

    def _ranked(self) -> Ranked:
        """Find the winners by a query of their own; the facts are then read with that list at hand."""
        top = self.query.top
        assert top is not None
        ranked = self._ranked_dimensions(top)
        if len(ranked) != 1:
            raise SemanticInvalid(texts.TOP_NEEDS_ONE, dimensions=", ".join(ranked))
        dimensions = [*top.within, *ranked]
        by = self._rank_by(top)
        figure = figure_of(self.model, self.query, by)
        known = figure in self.query.metrics or figure not in self.model.metrics
        update: dict[str, Any] = {
            # All figures, since things that have rows of any of them take part.
            "metrics": self.query.metrics if known else [*self.query.metrics, figure],
            "dimensions": dimensions,
            "share": by.endswith("__share"),
            "share_within": [],
            "running_total": False,
            "moving_average": None,
            "having": [],
            "order": [],
            "limit": None,
            "top": top.model_copy(update={"by": by, "others": False, "dimension": None}),
        }
        inner = self._inner(self.query.model_copy(update=update), "ranked", fixed=False)
        rows = self._read(inner).add_columns(ONE.label(HIT))
        label = getattr(self.model.others, self.query.language) if top.others else None
        name = free_name(self.model, f"{self._prefix}ranked")
        return Ranked(rows.cte(name), tuple(dimensions), ranked[0], label)

    def _result(self, folded: Folded, figures: dict[str, Expression], top: Top | None) -> Selected:
        self.keys = self._shown_keys(folded.grouping)
        wanted = [*self.query.dimensions, *figures, *self.keys]
        known: dict[str, Expression] = {name: folded.columns[name] for name in folded.grouping}
        known.update(figures)
        having = [self._condition(i, one, known) for i, one in enumerate(self.query.having)]
        if not having and top is None:
            made = folded.select([shown(name, known[name]) for name in wanted])
            known |= {name: named(name) for name in wanted}  # to sort by, as the result calls them
        else:
            rows: Any = folded.select([shown(name, one) for name, one in known.items()]).subquery("figures")
            known = {name: named(name) for name in known}
            if top is not None:
                rows, having = self._places(rows, known, folded, having, top), _taken(top)
            made = sa.select(*(known[name] for name in wanted)).select_from(rows).where(*having)
        made = made.order_by(*self._order(known, folded, top))
        return made if self.query.limit is None else made.limit(self.query.limit)

    def _places(
        self,
        rows: Any,
        known: Mapping[str, Expression],
        folded: Folded,
        having: list[Expression],
        top: Top,
    ) -> sa.Subquery:
        """The rows that fulfil the conditions, each with its place. Rows without a figure have no place."""
        by = known[_known(self._rank_by(top), known)]
        within = [known[name] for name in top.within]
        order = [directed(by, descending=top.direction == "top")]
        if top.ties:
            place = sa.func.rank().over(partition_by=within or None, order_by=order)
        else:
            others = [known[name] for name in folded.grouping]
            place = sa.func.row_number().over(partition_by=within or None, order_by=[*order, *others])
        cells = [*known.values(), place.label(_RANK)]
        if top.percent is not None:
            cells.append(sa.func.count().over(partition_by=within or None).label(_COUNT))
        if top.nth is not None and top.ties:
            cells.append(sa.func.count().over(partition_by=[*within, by]).label(_EQUALS))
        return sa.select(*cells).select_from(rows).where(*having, by.is_not(None)).subquery("places")

    def _shown_keys(self, grouping: Any) -> list[str]:
        """Keys that this person may see."""
        found: list[str] = []
        for name in self.query.dimensions:
            if f"{name}__key" in grouping:
                table, column = split(str(self.model.dimensions[name].key))
                roles = self.model.tables[table].columns[column].roles
                if self._prefix or not roles or self.asker.roles & set(roles):
                    found.append(f"{name}__key")
        return found

    def _condition(self, i: int, one: Having, known: Mapping[str, Expression]) -> Expression:
        column = named(_known(one.column, known))
        if one.relative is not None:
            other: Expression = self._relative(i, one.relative)
            if one.factor != 1:
                other = other * self._bound(f"factor_{i}", one.factor)
            return _compared(column, one.op, other)
        values = [self._bound(f"having_{i}_{j}", value) for j, value in enumerate(one.values)]
        if one.op == "between":
            return column.between(values[0], values[1])
        return _compared(column, one.op, values[0])

    def _bound(self, name: str, value: float) -> Expression:
        return self.binder.bind(f"{self._prefix}{name}", DOUBLE, lambda _: value)

    def _relative(self, i: int, one: Part | Derived) -> Expression:
        """One figure over all rows of the query, to compare each of its groups with."""
        query = alone(self.query, one)
        return self._read(self._inner(query, f"{_RELATIVE}{i}", fixed=True)).scalar_subquery()

    def _order(self, known: Mapping[str, Expression], folded: Folded, top: Top | None) -> list[Any]:
        asked = [(one.column, one.descending) for one in self.query.order]
        wanted = asked or self._natural_order(top)
        given = [_sorted(known, _known(column, known), descending) for column, descending in wanted]
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
        return [*time, (self._measures()[0], True)]


def alone(query: SemanticQuery, one: Part | Derived) -> SemanticQuery:
    """The query for one figure by itself: the rows of `query`, without its groups."""
    nothing: dict[str, Any] = {
        "metrics": [], "dimensions": [], "derived": [], "comparison": None, "top": None, "share": False,
        "share_within": [], "running_total": False, "moving_average": None, "target": False, "having": [],
        "order": [], "limit": None, "include_empty": False,
    }  # fmt: skip
    if isinstance(one, Derived):
        return query.model_copy(update={**nothing, "derived": [one]})
    own = {single.dimension for single in one.filters}
    kept = [] if one.everything else [single for single in query.filters if single.dimension not in own]
    whole: dict[str, Any] = {"existence": [], "among": None} if one.everything else {}
    measured = (
        {"metrics": [one.metric]}
        if one.thing is None
        else {"metrics": [one.of or query.metrics[0]], "count_groups": one.thing}
    )
    return query.model_copy(
        update={
            **nothing,
            **whole,
            **measured,
            "filters": [*kept, *one.filters],
            "rows": [*([] if one.everything else query.rows), *one.rows],
            "weekdays": one.weekdays or ([] if one.everything else query.weekdays),
            "period": one.period or query.period,
        }
    )


def _taken(top: Top) -> list[Expression]:
    """The condition on a place in the ranking."""
    place = named(_RANK)
    if top.percent is not None:
        # Rounded up, in whole numbers: the place before is still below so many per cent of all.
        share = sa.literal_column(repr(top.percent), DOUBLE)
        return [(place - ONE) * sa.literal_column("100", BIGINT) < named(_COUNT) * share]
    if top.nth is None:
        return [place <= top.n]
    if not top.ties:
        return [place == top.nth]
    return [place <= top.nth, place + named(_EQUALS) > top.nth]


def _compared(column: Expression, op: str, value: Expression) -> Expression:
    return column == value if op == "=" else column.op(op, is_comparison=True)(value)


def _known(name: str, known: Mapping[str, Expression]) -> str:
    if name not in known:
        said = ", ".join(one for one in known if one != OTHERS)
        raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=name, known=said)
    return name


def _sorted(known: Mapping[str, Expression], name: str, descending: bool) -> Any:
    column = known[name]
    plain = column is named(name)
    return sorted_by(name, descending=descending) if plain else directed(column, descending=descending)
