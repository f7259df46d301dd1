"""The semantic model as the grammar asks about it: what adds up, what counts what, what belongs to what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary, Term

MONEY = frozenset({"KRW", "USD", "EUR", "JPY"})
TIMES = frozenset({"year", "quarter", "month", "week", "day", "weekday"})
_COUNTS = frozenset({"count", "count_distinct"})


@dataclass(frozen=True, eq=False)
class Terms:
    vocabulary: SemanticVocabulary
    domain: Domain

    @cached_property
    def metrics(self) -> dict[str, Term]:
        return {term.name: term for term in self.vocabulary.terms if term.kind == "metric"}

    @cached_property
    def dimensions(self) -> dict[str, Term]:
        return {term.name: term for term in self.vocabulary.terms if term.kind == "dimension"}

    def counts(self, metric: str) -> bool:
        return self.metrics[metric].aggregate in _COUNTS

    def adds(self, metric: str) -> bool:
        """Tells whether the figure can be spread over things or days: sums and counts can, a mean of means says nothing."""
        return self.metrics[metric].aggregate in ("sum", "count")

    def table(self, metric: str) -> str | None:
        term = self.metrics[metric]
        return self.table(term.sides[0]) if term.table is None and term.sides else term.table

    def same_fact(self, one: str, other: str) -> bool:
        return self.table(one) is not None and self.table(one) == self.table(other)

    def is_money(self, metric: str) -> bool:
        return self.metrics[metric].unit in MONEY

    def fits(self, metric: str, unit: str | None) -> bool:
        """Tells whether a number of this unit can be a value of the metric."""
        term = self.metrics[metric]
        if unit == "money":
            return term.unit in MONEY or (
                term.unit is None and term.aggregate in ("sum", "average", "max", "min")
            )
        if unit == "%":
            return term.unit == "%"
        if unit in ("minutes", "hours"):
            return term.unit == "분"
        if unit in (None, "big"):
            return term.unit != "%"
        return term.unit not in MONEY and term.unit not in ("%", "분")

    def on_rows(self, metric: str, unit: str | None) -> str | None:
        """The metric whose column an amount of this unit limits, on the rows that `metric` is made of."""
        own = self.metrics[metric]
        if own.column and own.aggregate in ("sum", "average", "max", "min") and self.fits(metric, unit):
            return metric if not own.filtered else self._plain_twin(own)
        fitting = [
            t.name
            for t in self.metrics.values()
            if t.table == own.table
            and t.column
            and t.aggregate == "sum"
            and not t.filtered
            and own.aggregate == "count"
            and unit in ("money", "big", "minutes", "hours")
            and self.fits(t.name, unit)
        ]
        money = [name for name in fitting if self.is_money(name)]
        found = fitting if len(fitting) == 1 else money
        return found[0] if len(found) == 1 else None

    def nearer(self, dimension: str, metric: str) -> str:
        """Expenses by category: the expense category, which the rows themselves have, before that of products."""
        own, said = self.table(metric), self.dimensions.get(dimension)
        if own is None or said is None or said.table == own or said.is_thing:
            return dimension
        words = [label.lower() for label in said.labels if len(label) > 1]
        longer = [
            term.name
            for term in self.dimensions.values()
            if term.table == own
            and any(label.lower() != w and label.lower().endswith(w) for label in term.labels for w in words)
        ]
        return longer[0] if len(longer) == 1 else dimension

    def _plain_twin(self, own: Term) -> str | None:
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.column == own.column and t.aggregate == "sum" and not t.filtered
            ),
            None,
        )

    def rows_of(self, metric: str) -> str | None:
        """The metric that counts the rows which `metric` adds up; itself where it counts."""
        own = self.metrics[metric]
        if own.aggregate in _COUNTS or own.aggregate is None or own.unit in ("개", "명"):
            return metric
        if own.filtered or own.aggregate != "sum":
            return None
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.table == own.table and t.aggregate == "count" and not t.filtered
            ),
            None,
        )

    def per_thing(self, metric: str) -> bool:
        """A figure per thing already, such as sales per rep."""
        sides = self.metrics[metric].sides
        return bool(sides) and self.metrics[sides[1]].aggregate == "count_distinct"

    def is_event(self, dimension: str, metric: str) -> bool:
        """Tells whether the things are the very rows that the metric adds up: seminars and their budget."""
        term = self.dimensions.get(dimension)
        return term is not None and term.table is not None and term.table == self.table(metric)

    def counted_by(self, dimension: str) -> str | None:
        term = self.dimensions.get(dimension)
        return str(term.counted_by["name"]) if term and term.counted_by else None

    def money_of(self, metric: str) -> str | None:
        """The worth of the rows behind a verb: sold more than a million won."""
        if self.is_money(metric):
            return metric
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.table == self.table(metric)
                and t.aggregate == "sum"
                and t.unit in MONEY
                and not t.filtered
            ),
            None,
        )

    def worth_of(self, metric: str) -> str:
        """The figure that "how much" asks for: the usual one of the same rows, else their money, else itself."""
        usual = self.usual
        if usual and self.is_money(usual) and self.same_fact(usual, metric):
            return metric if self.is_money(metric) else usual
        return self.money_of(metric) or metric

    def count_of(self, metric: str) -> str | None:
        """Count the rows, whatever of them the metric adds up."""
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.table == self.table(metric) and t.aggregate == "count" and not t.filtered
            ),
            None,
        )

    def average_of(self, metric: str) -> str | None:
        """The mean of the very rows, where the model has it."""
        own = self.metrics[metric]
        return next(
            (
                t.name
                for t in self.metrics.values()
                if own.column
                and t.aggregate == "average"
                and t.column == own.column
                and t.filtered == own.filtered
            ),
            None,
        )

    def by_adjective(self, dimension: str, words: str) -> str | None:
        """The longest track, 가장 비싼 제품: the column of the thing that the adjective speaks of."""
        thing, meant = self.dimensions.get(dimension), set(words.split())
        for term in self.metrics.values():
            own = thing is not None and term.table == thing.table and term.aggregate == "max"
            if own and any(label.lower().split()[-1] in meant for label in term.labels if label):
                return term.name
        return None

    def achievement(self, metric: str) -> str | None:
        """The share of a target that was reached: a ratio over that target, or the metric itself if it is one."""
        own = self.metrics[metric]
        if own.unit == "%" and own.sides:
            return metric
        return next(
            (t.name for t in self.metrics.values() if t.unit == "%" and t.sides[1:] == (metric,)), None
        )

    def with_target(self) -> tuple[str, ...]:
        """The figure that has a target, and that target: the usual one first."""
        pairs = [
            t.sides
            for t in self.metrics.values()
            if t.unit == "%" and len(t.sides) == 2 and self.adds(t.sides[1])
        ]
        planned = [p for p in pairs if self.is_money(p[0]) and self.is_money(p[1]) and not self.same_fact(*p)]
        return next((p for p in planned if p[0] == self.usual), ())

    def named_rows(self, dimension: str) -> bool:
        """Tell whether its values are rows with a name, such as teachers, and no mere column such as a team."""
        term = self.dimensions.get(dimension)
        return term is not None and (term.is_thing or term.subtype in ("person", "organisation", "product"))

    def owner(self, dimension: str) -> str | None:
        """The thing that a dimension is a property of: a tier of a hospital."""
        term = self.dimensions.get(dimension)
        if term is None or term.table is None:
            return None
        return next((t.name for t in self.dimensions.values() if t.table == term.table and t.is_thing), None)

    def belongs(self, dimension: str, thing: str) -> bool:
        """Tells whether each such thing has one value of the dimension: a hospital has one region."""
        one, other = self.dimensions.get(dimension), self.dimensions.get(thing)
        if one is None or other is None or other.table is None:
            return False
        return other.table in one.tables or one.table in other.above

    def splits(self, metric: str, dimension: str) -> bool:
        """Unknown is taken for yes: the semantic layer says no with a reason."""
        if dimension in TIMES:
            return True
        own, term = self.metrics.get(metric), self.dimensions.get(dimension)
        if own is None or term is None or not own.tables or not term.tables:
            return True
        return bool(set(own.tables) & set(term.tables))

    @cached_property
    def person(self) -> str | None:
        usual = self.domain.entity_dimensions.get("person")
        if usual and usual in self.dimensions:
            return usual
        return next((t.name for t in self.dimensions.values() if t.subtype == "person"), None)

    @cached_property
    def usual(self) -> str | None:
        name = self.domain.defaults.get("metric")
        return name if name in self.metrics else None
