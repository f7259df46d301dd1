"""Drawing the parts of a meaning: metrics, dimensions, values and periods that fit each other in a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from evals.generator import gold, periods
from evals.generator.gold import Where
from evals.generator.periods import Span
from evals.generator.wording import Slot
from evals.generator.world import Dim, Metric, Own, Row, Value, World
from evals.judge import Gold

Json = dict[str, Any]


@dataclass(frozen=True)
class Meaning:
    """One question as meant: the parts to be worded, the answer, and the request it stands for."""

    cls: str
    slots: Mapping[str, Slot]
    gold: Gold
    request: Json = field(default_factory=dict[str, Any])


class Draw:
    """The dice of one meaning."""

    def __init__(self, world: World, rng: Random) -> None:
        self.world = world
        self.rng = rng
        self.first = min(row["date"] for rows in world.facts.values() for row in rows)

    # --- choosing ---------------------------------------------------------------------------------------

    def metric(self, fits: Callable[[Metric], bool] | None = None) -> Metric | None:
        held = [one for one in self.world.metrics.values() if one.additive and (fits is None or fits(one))]
        return self.rng.choice(held) if held else None

    def money(self) -> Metric | None:
        return self.metric(lambda one: one.kind == "sum" and one.unit != "")

    def counted(self, fact: str) -> str:
        """The metric that counts the rows of the fact."""
        return next(
            one.name for one in self.world.metrics.values() if one.fact == fact and one.kind == "count"
        )

    def dim(self, metric: Metric, *, entity: bool | None = None, never: Sequence[str] = ()) -> Dim | None:
        held = [
            self.world.dims[name]
            for name in sorted(self.world.reach[metric.fact])
            if name not in never and (entity is None or self.world.dims[name].entity == entity)
        ]
        return self.rng.choice(held) if held else None

    def other_metric(self, metric: Metric, dim: Dim | None = None) -> Metric | None:
        """Another figure, of which no word is part of a word of the first."""
        return self.metric(
            lambda one: (
                one.name != metric.name
                and (dim is None or dim.name in self.world.reach[one.fact])
                and not (set(one.words.ko) & set(metric.words.ko))
            )
        )

    def value(self, dim: Dim, rows: Sequence[Row], never: Sequence[Any] = ()) -> Value | None:
        """A value that some of the rows have and that no namesake shares, be it a teacher and a pupil of one name."""
        labels = [one.label for each in self.world.dims.values() for one in each.values.values()]
        present = {row[f"@{dim.name}"] for row in rows}
        held = [
            one
            for key, one in dim.values.items()
            if key in present and key not in never and labels.count(one.label) == 1
        ]
        return self.rng.choice(held) if held else None

    def span(self) -> Span:
        while True:
            span = periods.finished(self.world.now, self.rng)
            if span.start >= self.first:
                return span

    def month_or_quarter(self) -> Span:
        now, rng = self.world.now, self.rng
        made = [periods.last_month(now), periods.named_month(now, rng.randint(2, 6)), periods.quarter(now, 1)]
        span = rng.choice([*made, periods.quarter(now, 2)])
        words = [word for word in span.words.ko if word != "전월"]
        return Span(
            span.start, span.end, span.unit, type(span.words)(tuple(words), span.words.en), span.names
        )

    def rows(self, metric: Metric, span: Span | tuple[date, date], where: Sequence[Where] = ()) -> list[Row]:
        ends = (span.start, span.end) if isinstance(span, Span) else span
        return gold.rows_of(self.world, metric, ends, where)

    # --- wording ----------------------------------------------------------------------------------------

    def metric_slot(self, metric: Metric) -> Slot:
        counter = metric.counter if metric.unit == "" else None
        return Slot(self._weighted(metric.words.ko), self._weighted(metric.words.en, lower=True), counter)

    def _weighted(self, words: Sequence[str], *, lower: bool = False) -> list[str]:
        """The model's words three times as often as those it does not know."""
        made: list[str] = []
        for word in words:
            plain = word.lower() if lower and not word.isupper() else word
            made += [Own(plain)] if isinstance(word, Own) else [plain] * 3
        return made

    def span_slot(self, span: Span) -> Slot:
        return Slot(span.words.ko, span.words.en)

    def dim_slots(self, dim: Dim, name: str = "D") -> dict[str, Slot]:
        singular = [w for w in self._weighted(dim.words.en) if not (w.endswith("s") and not w.endswith("ss"))]
        singular = singular or [dim.words.en[0]]
        asks = "누구" if dim.person else "어디" if dim.counter == "곳" else "무엇"
        ko = self._weighted(dim.words.ko)
        plurals = [Own(plural(w)) if isinstance(w, Own) else plural(w) for w in singular]
        return {
            name: Slot(ko, singular, asks=asks),
            f"{name}s": Slot(ko, plurals),
            "C": Slot([dim.counter], [""]),
        }

    def value_words(self, value: Value) -> Slot:
        """A bare letter says too little on its own."""
        ko = [word for word in value.words.ko if len(word) > 1] or value.words.ko
        return Slot(ko, value.words.en)

    def phrase(self, dim: Dim, value: Value) -> Slot:
        """A restriction to one value, in several wordings."""
        made: dict[str, list[str]] = {"ko": [], "en": []}
        for language, said in made.items():
            words = value.words.of(language)
            for _ in range(3):
                pattern = self.rng.choice(dim.filters.of(language))
                text = pattern.replace("{v}", self.rng.choice(words)).replace("{l}", words[0])
                said.append(
                    text.replace("ss", "s") if pattern.endswith("s") and words[0].endswith("s") else text
                )
        return Slot(made["ko"], made["en"])

    def phrases(self, parts: Sequence[tuple[Dim, Value]]) -> Slot:
        ko: list[str] = []
        en: list[str] = []
        for _ in range(4):
            said = [self.phrase(dim, value) for dim, value in parts]
            self.rng.shuffle(said)
            ko.append(" ".join(self.rng.choice(list(one.ko)) for one in said))
            en.append(" ".join(self.rng.choice(list(one.en)) for one in said))
        return Slot(ko, en)

    def filters(self, *where: Where) -> list[Json]:
        made: list[Json] = []
        for one in where:
            dim = self.world.dims[one.dim]
            boolean = set(dim.values) <= {0, 1}
            values = [bool(key) if boolean else key for key in one.keys]
            made.append({"dimension": one.dim, "op": "not_in" if one.exclude else "in", "values": values})
            if dim.entity:
                made[-1]["by_key"] = True
        return made

    # --- answers ----------------------------------------------------------------------------------------

    def answer(self, *tables: gold.Table, dims: Sequence[Dim] = (), ordered: bool = False) -> Gold:
        names = {value.label: value.shown for dim in dims for value in dim.values.values()}
        return Gold(tuple(tables), ordered, names=names)


def plural(word: str) -> str:
    if word.endswith(("s", "people", "staff")):
        return word
    if word.endswith("man"):
        return f"{word[:-3]}men"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("ch", "sh", "x")) else f"{word}s"


def derived(
    kind: str, numerator: Json, span: Span, *, denominator: Json | None = None, per: str | None = None
) -> Json:
    """The request for a figure made of others."""
    made: Json = {"name": "figure", "kind": kind, "numerator": numerator}
    made |= {"denominator": denominator} if denominator else {}
    made |= {"per": per} if per else {}
    return {"derived": [made], "period": period(span)}


def period(span: Span) -> Json:
    return {"start": span.start.isoformat(), "end": span.end.isoformat()}
