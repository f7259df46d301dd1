"""The semantic model as the grammar asks about it: what adds up, what counts what, what belongs to what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary, Term
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction

MONEY = frozenset({"KRW", "USD", "EUR", "JPY"})
MEASURES = frozenset(
    {
        "kg",
        "g",
        "ton",
        "km",
        "liter",
        "gallon",
        "lb",
        "ounce",
        "mile",
        "barrel",
        "acre",
        "ha",
        "bushel",
        "foot",
        "sack",
        "bale",
        "sqm",
        "kwh",
        "ml",
        "cl",
        "mg",
    }
)
"""Units that a column is measured in and that a number in a question may have."""
TIMES = frozenset({"year", "quarter", "month", "week", "day", "weekday", "weekend"})
_ID = regex(r"_?(?:id|no|cd|code|key)$")
_PIECES = regex(r"quantity|units|copies|pieces|수량|개수|부수|매수")
_AMOUNTS = regex(r"(?:amount|total|total price|revenue|sales|금액|총액|매출액?|합계 가격|[가-힣]{2}액)$")
_NO_WORTH = regex(
    r"discount|tax|vat|fee|cost|refund|deposit|할인|세액|세금|부가세|환불|보증금|수수료|비용|운임|freight|shipping|비$"
)
"""Words of amounts that are no worth of the rows themselves."""
_PRICE = regex(r"price|가격|단가|정가")
_COUNTS = frozenset({"count", "count_distinct"})
_TRADING = frozenset(
    {"사", "팔", "팔리", "구매하", "판매하", "주문하", "쓰", "지출하", "결제하", "지불하", "납부하", "기부하", "지급하",
     "buy", "bought", "sell", "sold", "order", "ordered", "purchase", "purchased", "spend", "spent", "pay", "paid",
     "donate", "donated", "bill", "billed", "invoice", "invoiced", "charge", "charged", "청구하",
     "rent", "rented", "hire", "hired", "lease", "leased", "대여하", "빌리", "임대하", "임차하"}
)  # fmt: skip


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

    @cached_property
    def labels(self) -> frozenset[str]:
        """Everything that metrics and dimensions are called."""
        named = (*self.metrics.values(), *self.dimensions.values())
        return frozenset(label.lower() for term in named for label in term.labels if label)

    @cached_property
    def first_syllables(self) -> frozenset[str]:
        """The first words of names that are one syllable each: 콜 수."""
        firsts = [label.split()[0] for label in self.labels if " " in label]
        return frozenset(word for word in firsts if len(word) == 1 and "가" <= word <= "힣")

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

    def is_worth(self, metric: str) -> bool:
        """Tell whether a figure is money; in a model that names no units, whether it is a sum that is called an amount."""
        own, said = self.metrics[metric], [label.lower() for label in self.metrics[metric].labels[:2]]
        named = any(t.unit in MONEY for t in self.metrics.values())
        called = any(map(_AMOUNTS.search, said)) and not any(map(_NO_WORTH.search, said))
        return self.is_money(metric) or (not named and own.aggregate == "sum" and own.unit is None and called)

    def fits(self, metric: str, unit: str | None) -> bool:
        """Tells whether a number of this unit can be a value of the metric."""
        term = self.metrics[metric]
        if unit == "money":
            return term.unit in MONEY or (
                term.unit is None and term.aggregate in ("sum", "average", "max", "min")
            )
        if unit == "%":
            return term.unit == "%"
        if unit in MEASURES:
            return term.unit == unit
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
            and unit in ("money", "big", "minutes", "hours", *MEASURES)
            and self.fits(t.name, unit)
        ]
        if unit in ("money", "big") and self._money_of_lines(
            metric
        ):  # what an order's freight costs is not its worth
            fitting = [
                n
                for n in fitting
                if not any(_NO_WORTH.search(label.lower()) for label in self.metrics[n].labels[:2])
            ]
        money = [name for name in fitting if self.is_money(name)]
        worth = self.amount_of(metric) or self.usual
        found = fitting if len(fitting) == 1 else money or [n for n in fitting if n == worth]
        return found[0] if len(found) == 1 else None

    def nearer(self, dimension: str, metric: str) -> str:
        """Expenses by category: the expense category, which the rows themselves have, before that of products."""
        own, said = self.table(metric), self.dimensions.get(dimension)
        if own is None or said is None or said.table == own or said.is_thing:
            return dimension
        thing = self.dimensions.get(self.owner(dimension) or "")
        if thing and any(
            label.startswith(f"{own_name} ") and label.removeprefix(f"{own_name} ") not in said.labels
            for label in said.labels[:2]
            for own_name in thing.labels[:2]
        ):
            return dimension  # the site type, of sites; a category said alone may be that of the rows
        words = [label.lower() for label in said.labels if len(label) > 1]
        longer = [
            term.name
            for term in self.dimensions.values()
            if term.table == own
            and any(label.lower() != w and label.lower().endswith(w) for label in term.labels for w in words)
        ]
        return longer[0] if len(longer) == 1 else dimension

    def echoes(self, longer: str, name: str) -> bool:
        """Tell whether a figure's name ends with that of another: meal attendees, attendees."""
        words = [label.lower() for label in self.metrics[name].labels if len(label) > 1]
        labels = [label.lower() for label in self.metrics[longer].labels]
        return any(label != w and label.endswith(w) for label in labels for w in words)

    def repeats(self, dimension: str, thing: str) -> bool:
        """Tell whether rows repeat a property of their thing: the billing country of an invoice, of its customer's country."""
        copied, kind = self.dimensions.get(dimension), self.dimensions.get(thing)
        if copied is None or kind is None:
            return False
        own = [
            label.lower()
            for term in self.dimensions.values()
            if term.table == kind.table
            for label in term.labels
        ]
        return any(label.lower().endswith(f" {name}") for label in copied.labels for name in own)

    def near(self, name: str, body: Node) -> str | None:
        """A figure of another table, as the rows of a body have it themselves: attendees of meals, not of seminars."""
        metric = body.metrics[0]
        if name not in self.metrics or self.same_fact(name, metric) or self.counts(name):
            return None
        own = self.metrics[metric]
        limits = [own.only, *((f.dimension, f.values) for f in body.filters if not f.negated)]
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.table == own.table
                and t.aggregate == "sum"
                and t.only in limits
                and self.echoes(t.name, name)
            ),
            None,
        )

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
        if own.aggregate in _COUNTS or own.aggregate is None or own.unit in ("개", "명", *MEASURES):
            return metric
        if (
            own.aggregate == "sum"
            and own.unit is None
            and any(_PIECES.search(label.lower()) for label in own.labels)
        ):
            return metric  # the number of copies is their sum
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
        rows = term is not None and term.table is not None and term.table == self.table(metric)
        return rows and term is not None and term.is_thing

    def counted_by(self, dimension: str) -> str | None:
        term = self.dimensions.get(dimension)
        return str(term.counted_by["name"]) if term and term.counted_by else None

    def counted_with(self, dimension: str) -> str | None:
        """The figure that counts the one kind of thing which has the dimension itself, or nearest: pets for their species."""
        own = self.dimensions.get(dimension)
        if own is None or own.table is None or own.subtype in ("person", "organisation", "product"):
            return None
        having = [
            t
            for t in self.dimensions.values()
            if t.is_thing and own.table in (t.table, *t.above) and t.name != own.name
        ]
        nearest = [t for t in having if not any(o.table in t.above for o in having)]
        return self.counted_by(nearest[0].name) if len({t.table for t in nearest}) == 1 else None

    def rows_with(self, dimension: str) -> str | None:
        """The figure that counts the rows which have a dimension themselves and are no things."""
        own = self.dimensions.get(dimension)
        if own is None or own.table is None or self.owner(dimension) is not None:
            return None
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.aggregate == "count" and not t.filtered and t.table == own.table
            ),
            None,
        )

    def row_of(self, metric: str) -> str | None:
        """The dimension of the key of the rows that a metric counts."""
        own = self.metrics[metric]
        if own.aggregate != "count" or own.filtered:
            return None
        found = [t for t in self.dimensions.values() if t.table == own.table and t.is_thing]
        return found[0].name if len(found) == 1 else None

    def counted_things(self, metric: str) -> bool:
        """Tell whether a metric counts rows that have a name."""
        own = self.metrics[metric]
        named = [t for t in self.dimensions.values() if t.table == own.table and t.is_thing]
        return own.aggregate == "count" and bool(named)

    def linking(self, metric: str, dimension: str) -> str | None:
        """The count of the rows of a table that stands between what a metric counts and other things: one row for each pair."""
        term, own = self.dimensions.get(dimension), self.table(metric)
        between = [
            t for t in self.metrics.values()
            if t.aggregate == "count" and not t.filtered and term and own in t.tables and term.table in t.tables and t.table != own
        ]  # fmt: skip
        nearest = [t for t in between if not any(o.table != t.table and o.table in t.tables for o in between)]
        return nearest[0].name if len(nearest) == 1 else None

    def is_of_rows(self, dimension: str, metric: str) -> bool:
        """Tell whether a dimension is a column of the very rows that a metric counts or adds up."""
        term = self.dimensions.get(dimension)
        return term is not None and metric in self.metrics and term.table == self.table(metric)

    def money_of(self, metric: str) -> str | None:
        """The worth of the rows behind a verb: sold more than a million won; of orders, that of their lines."""
        if self.is_worth(metric):
            return metric
        return self._own_money(metric) or self.amount_of(metric) or self._money_of_lines(metric)

    def is_trade(self, metric: str) -> bool:
        """Tell whether much of it is much money: what is bought, sold or paid, unlike what is booked or visited."""
        said = {verb for listed in self.metrics[metric].verbs.values() for verb in listed}
        return self.is_money(metric) or not said or bool(said & _TRADING)

    def is_pieces(self, metric: str) -> bool:
        """Tell whether a sum says how many pieces there were."""
        own = self.metrics[metric]
        return own.aggregate == "sum" and any(_PIECES.search(label.lower()) for label in own.labels)

    def amount_of(self, metric: str) -> str | None:
        """The one sum of the same rows that is called an amount, in a model that names no units of money."""
        found = [
            t.name
            for t in self.metrics.values()
            if t.table == self.table(metric) and t.aggregate == "sum" and t.unit is None and not t.filtered
            and any(_AMOUNTS.search(label.lower()) for label in t.labels[:2])
            and not any(_NO_WORTH.search(label.lower()) for label in t.labels[:2])
        ]  # fmt: skip
        return found[0] if len(found) == 1 and self.counts(metric) else None

    def unnamed_money(self, metric: str) -> str | None:
        """The worth of counted rows, in a model that names no units of money."""
        named = any(t.unit in MONEY for t in self.metrics.values())
        return (
            None
            if named or not self.counts(metric)
            else self.amount_of(metric) or self._money_of_lines(metric)
        )

    def worth_in_lines(self, metric: str) -> str | None:
        """The usual figure, where it is made of the lines of the rows that a metric counts."""
        return None if self.amount_of(metric) else self._money_of_lines(metric)

    def _money_of_lines(self, metric: str) -> str | None:
        usual = self.metrics.get(self.usual or "")
        if usual is None or usual.aggregate != "sum" or usual.filtered or self.table(metric) == usual.table:
            return None
        money = usual.unit in MONEY or usual.unit is None
        return usual.name if money and self.counts(metric) and self.table(metric) in usual.tables else None

    def _own_money(self, metric: str) -> str | None:
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
        own = metric if self.is_worth(metric) else self._own_money(metric) or self.amount_of(metric)
        return own or metric

    def details(self, metric: str) -> tuple[str, ...]:
        """The dimensions that tell one row of a figure from another: what it has itself, and the things it belongs to."""
        table = self.table(metric)
        own = [
            t.name for t in self.dimensions.values() if t.table == table and not t.measured and not t.is_thing
        ]
        sold = self.usual is not None and self.same_fact(metric, self.usual)
        kinds = ("person", "organisation", *(("product",) if sold else ()))
        things = [
            t.name
            for t in self.dimensions.values()
            if t.is_thing and t.subtype in kinds and self.splits(metric, t.name)
        ]
        return tuple(dict.fromkeys((*own, *things)))

    def tells_rows(self, metric: str, dimension: str) -> bool:
        """Tell whether each row of a figure has one value of it: its day, its hospital, the kind of expense."""
        term = self.dimensions.get(dimension)
        if dimension == "day" or term is None:
            return dimension == "day"
        return not term.measured and self.splits(metric, dimension)

    def listing(self, metric: str) -> tuple[str, ...]:
        """Columns that rows are listed by: their name where they have one, their day, their kinds and whose they are."""
        count = self.count_of(metric)
        row = self.row_of(count) if count else None
        people = [
            t.name
            for t in self.dimensions.values()
            if t.table == self.table(metric) and t.subtype == "person"
        ]
        others = [name for name in self.details(metric) if name not in people]
        return (*((row,) if row else ()), "day", *others)

    def events_of(self, thing: str) -> str | None:
        """The figure that counts the rows that a name is of, where each of them has a day: seminars by their titles."""
        found = [
            t.name
            for t in self.metrics.values()
            if t.aggregate == "count" and t.time and not t.filtered and self.row_of(t.name) == thing
        ]
        return found[0] if len(found) == 1 else None

    def extreme_of(self, metric: str, *, largest: bool) -> str | None:
        """The largest or smallest of the rows that a figure adds up, where the model has it."""
        summed = self.money_of(metric) if self.counts(metric) else metric
        own, wanted = self.metrics[summed or metric], "max" if largest else "min"
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.aggregate == wanted
                and own.column
                and t.column == own.column
                and t.filtered == own.filtered
            ),
            None,
        )

    def is_named_extreme(self, twin: str, metric: str) -> bool:
        """Tell whether the model calls it so: the largest expense is one of the expenses, the highest sales no sale."""
        names = [label.lower().removesuffix("s") for label in self.metrics[metric].labels if len(label) > 1]
        return any(label.lower().endswith(name) for label in self.metrics[twin].labels for name in names)

    def names_rows(self, metric: str) -> bool:
        """Tell whether a figure is called like its rows, in each language of the model: an expense is one of the expenses, the
        highest sales are no sale."""
        count = self.count_of(metric)
        counted = [label.lower() for label in self.metrics[count].labels] if count else []
        names = [label.lower() for label in self.metrics[metric].labels]
        same = [
            [
                f"{name} 건수" in counted or f"number of {name}" in counted
                for name in names
                if name.isascii() == ascii_
            ]
            for ascii_ in (True, False)
        ]
        return all(map(any, filter(None, same))) and any(same)

    def as_part(self, body: Node) -> Node | None:
        """A kind of money as the whole with a filter: meals as expenses of that kind."""
        plain = replace(body, metrics=(), filters=(), period=None, cost=0.0) == Node("M")
        if not plain or len(body.metrics) != 1:
            return None
        own = self.metrics[body.metrics[0]]
        if own.only and not body.filters and (twin := self._plain_twin(own)):
            return replace(body, metrics=(twin,), filters=(Restriction(*own.only),))
        kinds = [f for f in body.filters if self.kind_of_money(f.dimension) == own.name and not f.negated]
        return body if len(kinds) == len(body.filters) == 1 else None

    def plain_of(self, metric: str) -> tuple[str, ...]:
        """The figure of all rows of which a filtered one is a part."""
        twin = self._plain_twin(self.metrics[metric])
        return (twin,) if twin else ()

    def limits_of(self, metric: str) -> tuple[Restriction, ...] | None:
        """The values that a filtered figure is limited to, as filters; None where they cannot be said so."""
        own = self.metrics[metric]
        if not own.filtered:
            return ()
        return (Restriction(*own.only),) if own.only else None

    def limits_beside(self, part: str, body: Node) -> tuple[Restriction, ...]:
        """The rows that a figure is limited to, where another one of the same rows is divided by it."""
        one = self.metrics.get(part)
        limits = self.limits_of(part) if one is not None and one.filtered else None
        named = {f.dimension for f in body.filters}
        fits = len(body.metrics) == 1 and not self.metrics[body.metrics[0]].filtered
        if not limits or not fits or not self.same_fact(part, body.metrics[0]):
            return ()
        return tuple(f for f in limits if f.dimension not in named)

    def people_of(self, metric: str) -> str | None:
        """The figure that counts people among the very rows: attendees of seminars, of meals."""
        own = self.metrics[metric]
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.unit == "명"
                and t.aggregate == "sum"
                and t.table == self.table(metric)
                and t.only == own.only
            ),
            None,
        )

    def guests_of(self, metric: str, filters: Sequence[Restriction]) -> str | None:
        """The people among rows of a kind that is named beside the figure: spent per head on meals."""
        limits = [(f.dimension, f.values) for f in filters if not f.negated]
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.unit == "명"
                and t.aggregate == "sum"
                and t.table == self.table(metric)
                and t.only in limits
            ),
            None,
        )

    def pieces_of(self, metric: str) -> str | None:
        """The number of pieces over the rows of a metric: 몇 개 팔렸어."""
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.table == self.table(metric)
                and t.aggregate == "sum"
                and t.unit in (None, "개")
                and not t.filtered
                and any(_PIECES.search(label.lower()) for label in t.labels)
            ),
            None,
        )

    def unit_of_rows(self, metric: str, unit: str) -> str | None:
        """The sum of that unit over the rows of a metric: minutes of visits."""
        found = [
            t.name
            for t in self.metrics.values()
            if t.table == self.table(metric) and t.aggregate == "sum" and t.unit == unit and not t.filtered
        ]
        return found[0] if len(found) == 1 else None

    def is_kind_of(self, dimension: str, names: Sequence[str]) -> bool:
        """Tell whether the names of a value end in the name of the thing: 종합병원, general hospital."""
        own = (
            [label.lower() for label in self.dimensions[dimension].labels]
            if dimension in self.dimensions
            else []
        )
        return any(
            len(label) > 1 and name.lower().endswith(label) and name.lower() != label
            for name in names
            for label in own
        )

    def days_of(self, metric: str) -> str | None:
        """The one figure of how many days the counted rows take."""
        found = [
            t.name
            for t in self.metrics.values()
            if self.counts(metric)
            and t.table == self.table(metric)
            and t.aggregate == "average"
            and t.unit == "일"
        ]
        return found[0] if len(found) == 1 else None

    def done_count(self, metric: str, verb: str) -> tuple[str, ...]:
        """The rows that a verb is about, where it speaks of a date of their own: shipments that were delivered."""
        plain = self.metrics[metric].aggregate == "count" and not self.metrics[metric].filtered
        special = self.metrics[verb].aggregate == "count" and self.metrics[verb].filtered
        return (verb,) if plain and special and self.table(metric) == self.table(verb) else (metric,)

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
        thing = self.dimensions.get(dimension)
        return self._of_adjective(thing.table, words) if thing is not None else None

    def mean_by_adjective(self, metric: str, words: str) -> str | None:
        """The longest visits, 방문이 가장 긴: the column of the counted rows that the adjective speaks of, on average."""
        counted = self.metrics[metric].aggregate == "count"
        found = self._of_adjective(self.table(metric), words) if counted else None
        return found if found and self.metrics[found].aggregate == "average" else None

    def _of_adjective(self, table: str | None, words: str) -> str | None:
        meant = set(words.split())
        for term in self.metrics.values():
            own = table is not None and term.table == table and term.aggregate in ("max", "average")
            if own and any(label.lower().split()[-1] in meant for label in term.labels if label):
                return term.name
        return None

    def of_kind(self, dimension: str, words: str) -> tuple[str, str] | None:
        """The one kind of thing that belongs to a value of the dimension and has the column that an adjective speaks of."""
        own = self.dimensions.get(dimension)
        found = [
            (t.name, by)
            for t in self.dimensions.values()
            if own and t.is_thing and t.name != dimension and own.table in (t.table, *t.above)
            and (by := self.by_adjective(t.name, words))
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def dated(self, dimension: str) -> str | None:
        """The thing that a date is a property of: the launch date of a product."""
        own = self.dimensions.get(dimension)
        return self.owner(dimension) if own is not None and own.subtype == "date" else None

    def date_of(self, thing: str) -> str | None:
        """The one date that each such thing has."""
        found = [name for name in self.dimensions if self.dated(name) == thing]
        return found[0] if len(found) == 1 else None

    def is_own(self, dimension: str, table: str) -> bool:
        """Tell whether the rows of a table have the dimension themselves, and are no things: the kind of an expense."""
        term = self.dimensions.get(dimension)
        return term is not None and term.table == table and not term.is_thing

    def same_table(self, one: str, other: str) -> bool:
        """Tell whether both are columns of one table: the language and the name of a course."""
        terms = [self.dimensions.get(name) for name in (one, other)]
        return None not in terms and len({t.table for t in terms if t}) == 1

    def same_list(self, one: str, other: str) -> bool:
        """Tell whether both take their values from one table that is joined in two ways."""
        columns = [str(self.dimensions[n].column).split(".") for n in (one, other) if n in self.dimensions]
        if len(columns) != 2 or columns[0][-1] != columns[1][-1]:
            return False
        return columns[0][0] != columns[1][0] and len({c[0].partition("_")[2] for c in columns}) == 1

    def kind_of_money(self, dimension: str) -> str | None:
        """The money that values of the dimension are kinds of: meals and gifts are expenses."""
        term = self.dimensions.get(dimension)
        parts = [t for t in self.metrics.values() if t.only and t.only[0] == dimension]
        if term is None or not parts:
            return None
        return next((name for t in parts if (name := self._plain_twin(t)) and self.is_money(name)), None)

    def distinct(self, dimension: str, metric: str) -> str | None:
        """The figure that counts each such thing among the rows of a metric once: visited hospitals."""
        return next(
            (
                t.name
                for t in self.metrics.values()
                if t.aggregate == "count_distinct"
                and not t.filtered
                and t.table == self.table(metric)
                and _ID.sub("", str(t.column).rpartition(".")[2].lower()) == dimension
            ),
            None,
        )

    def is_sold(self, dimension: str) -> bool:
        """Tell whether the things are what is sold: their best are counted in units, those of others in money."""
        term = self.dimensions.get(dimension)
        own = [t for t in self.dimensions.values() if t.subtype == "product"]
        return term is not None and any(
            term.name == t.name or (term.table is not None and term.table == t.table) for t in own
        )

    def compound(self, noun: str, metric: str) -> str | None:
        """세미나 + 지출: the part of a figure that the model names with both words."""
        own = self.metrics[metric]
        names = {label.lower() for label in own.labels}
        return next(
            (
                term.name
                for term in self.metrics.values()
                if term.filtered
                and term.column == own.column
                and term.aggregate == own.aggregate
                and self.named_after(noun, term, names)
            ),
            None,
        )

    def named_after(self, noun: str, part: Term, names: set[str] | None = None) -> bool:
        """Tell whether the first word of a figure's name is that of a kind of thing or event."""
        term = self.metrics.get(noun) or self.dimensions.get(noun)
        words = {label.lower().rstrip("s") for label in term.labels} if term else set[str]()
        pairs = [label.lower().split() for label in part.labels]
        return any(
            len(pair) == 2 and pair[0].rstrip("s") in words and (names is None or pair[1] in names)
            for pair in pairs
        )

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
    def price(self) -> str | None:
        """The column of the things sold that says what one of them costs."""
        found = [
            t.name
            for t in self.dimensions.values()
            if t.measured and t.subtype != "date" and (owner := self.owner(t.name)) and self.is_sold(owner)
            and any(_PRICE.search(label.lower()) for label in t.labels)
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

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
