"""The questions that a semantic model answers, as closed types: rules and chat models fill the same ones."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, model_validator

from metaagent.data.semantic.model import Closed, Grain, Operator, Value

Comparison = Literal["previous", "same_period_last_year"]
Direction = Literal["top", "bottom"]
Comparator = Literal[">", ">=", "<", "<=", "=", "between"]
DerivedKind = Literal["ratio", "share", "per_period", "difference", "times", "sum"]
Unit = Literal["day", "week", "month", "quarter", "year", "working_day", "weekday_day", "weekend_day"]
Weekday = Annotated[int, Field(ge=1, le=7)]
COUNT_OF = "count:"


def _check_count(op: str, count: int) -> None:
    wanted = 2 if op == "between" else 1
    if count != wanted:
        raise ValueError(f"'{op}' needs {wanted} value(s), but got {count}")


class Filter(Closed):
    dimension: str
    op: Operator = "in"
    values: list[Value] = Field(default=[], max_length=500)
    by_key: bool = Field(default=False, description="Values are keys (ids), not names.")


class Period(Closed):
    """Both days are included. An open side means as far as the data goes."""

    start: date | None = None
    end: date | None = None
    grain: Grain | None = Field(
        default=None,
        description="What the period is a part of: 'this month so far' compares with last month.",
    )
    whole: bool = Field(
        default=False, description="As far as the data goes, nothing left out: rows without a date count too."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Period:
        if self.start and self.end and self.start > self.end:
            raise ValueError(f"the period starts on {self.start} but ends on {self.end}")
        return self


class RowCondition(Closed):
    """A condition on single rows: spendings of more than 500,000. Limits its own fact table and those below it."""

    column: str = Field(
        description="A metric whose rows hold the number (sum, average, min, max), a dimension of numbers or dates, or "
        "table.column of one."
    )
    op: Comparator
    values: list[float | date] = Field(min_length=1, max_length=2)
    per: str | None = Field(
        default=None,
        description="A metric of the same rows by which the number is divided: the cost of a meal per guest.",
    )

    @model_validator(mode="after")
    def _counted(self) -> RowCondition:
        _check_count(self.op, len(self.values))
        return self


class Part(Closed):
    """One figure inside another: a side of a ratio, the whole of a share, the value that a condition refers to.

    It keeps the filters, conditions and period of its query, unless it says otherwise.
    """

    metric: str = Field(
        description="A metric, or count:<dimension>: how many different things have rows of `of`."
    )
    of: str | None = Field(
        default=None,
        description="With count:<dimension>: the metric whose rows are looked at. Default: the metric of the other "
        "part, else the first metric of the query.",
    )
    filters: list[Filter] = Field(
        default=[],
        max_length=40,
        description="Added to the query's; one on the same dimension replaces it.",
    )
    rows: list[RowCondition] = Field(default=[], max_length=10, description="Added to the query's.")
    weekdays: list[Weekday] = Field(default=[], description="Instead of the query's.")
    period: Period | None = Field(default=None, description="Instead of the query's.")
    everything: bool = Field(
        default=False, description="Without any filter or condition of the query, which leaves its period."
    )

    @property
    def thing(self) -> str | None:
        """The dimension whose values are counted."""
        return self.metric.removeprefix(COUNT_OF) if self.metric.startswith(COUNT_OF) else None

    @property
    def restricted(self) -> bool:
        """Tell whether it is added up from other rows than the query's own."""
        return bool(self.filters or self.rows or self.weekdays or self.period or self.everything)


class Derived(Closed):
    """A figure made of others, each aggregated alone and then divided: a ratio of sums, never a mean of ratios."""

    name: str = Field(pattern=r"^[^\W\d]\w*$", max_length=120, description="Its column in the result.")
    kind: DerivedKind
    numerator: Part
    denominator: Part | None = Field(
        default=None, description="Also the other side of a difference, a multiple or a sum."
    )
    whole: Part | None = Field(
        default=None, description="With a difference: both sides are shares of this, 22 % less 10 %."
    )
    per: Unit | None = Field(
        default=None,
        description="per_period, and a ratio that is spread over time too (visits per rep per month): days of the period "
        "that have data, counted in this unit. weekday_day and weekend_day "
        "add up the rows of such days only; working_day adds up all rows.",
    )

    @model_validator(mode="after")
    def _complete(self) -> Derived:
        if self.kind == "per_period" and (self.per is None or self.denominator is not None):
            raise ValueError("a figure per period needs 'per' and has no denominator")
        if self.kind != "per_period" and self.denominator is None:
            raise ValueError(f"a {self.kind} needs a denominator")
        if self.kind != "difference" and self.whole is not None:
            raise ValueError(f"a {self.kind} has no 'whole'")
        if self.kind not in ("per_period", "ratio") and self.per is not None:
            raise ValueError(f"a {self.kind} has no 'per'")
        return self


class Top(Closed):
    """The best or worst. Whatever equals the last one that is taken is taken too, unless `ties` is off."""

    n: int = Field(default=1, ge=1, le=1000)
    percent: float | None = Field(
        default=None, gt=0, le=100, description="Instead of n: so many per cent of the things, rounded up."
    )
    nth: int | None = Field(
        default=None, ge=1, le=1000, description="Instead of n: only what stands in this place."
    )
    ties: bool = True
    direction: Direction = "top"
    by: str | None = Field(
        default=None,
        description="A metric or derived column; default: the first metric. Without any metric a dimension of the "
        "query: the newest by launch date.",
    )
    dimension: str | None = Field(
        default=None, description="Whose values are ranked, when there are several."
    )
    within: list[str] = Field(default=[], description="Rank anew inside each of these: top 3 per region.")
    others: bool = Field(default=False, description="Add one row that sums up the rest.")

    @model_validator(mode="after")
    def _one_way(self) -> Top:
        if self.percent is not None and self.nth is not None:
            raise ValueError("give either percent or nth")
        if self.nth is not None and self.others:
            raise ValueError("one place of a ranking has no others")
        return self


class Having(Closed):
    """A condition on a result: a metric, or a derived column such as `sales_amount__change`."""

    column: str
    op: Comparator
    values: list[float] = Field(default=[], max_length=2)
    relative: Part | Derived | None = Field(
        default=None,
        description="Compare with this figure of all rows together: more than Seoul, more than the mean per hospital.",
    )
    factor: float = Field(default=1, description="Times `relative`: more than twice the mean.")

    @model_validator(mode="after")
    def _counted(self) -> Having:
        if self.relative is None:
            _check_count(self.op, len(self.values))
        elif self.values or self.op == "between":
            raise ValueError("a condition relative to a figure has no values and no band")
        return self


class Existence(Closed):
    """Things that have, or do not have, rows of a fact: hospitals without a visit."""

    dimension: str
    fact_metric: str
    exists: bool = True
    period: Period | None = Field(default=None, description="Default: the query's.")
    filters: list[Filter] = Field(default=[], max_length=40)
    rows: list[RowCondition] = Field(default=[], max_length=10)


class Order(Closed):
    column: str
    descending: bool = False


class SemanticQuery(Closed):
    """One question: its figures, how they are split, and which rows and things count."""

    metrics: list[str] = Field(default=[], max_length=20)
    dimensions: list[str] = Field(default=[], max_length=8)
    filters: list[Filter] = Field(default=[], max_length=40)
    period: Period | None = None
    dated_by: str | None = Field(
        default=None,
        description="A dimension of dates that the rows have: periods and units of time refer to it instead of the metric's "
        "own date, and rows without it do not count. Repairs finished in October, by month.",
    )
    comparison: Comparison | None = None
    top: Top | None = None
    share: bool = False
    share_within: list[str] = Field(default=[])
    running_total: bool = False
    moving_average: int | None = Field(default=None, ge=2, le=365)
    target: bool = Field(
        default=False, description="Add the target and its achievement, where a metric has one."
    )
    derived: list[Derived] = Field(default=[], max_length=10)
    rows: list[RowCondition] = Field(default=[], max_length=10)
    existence: list[Existence] = Field(default=[], max_length=10)
    among: SemanticQuery | None = Field(
        default=None,
        description="Only the things that this query finds, by its first dimension: visits of the best 5 hospitals.",
    )
    among_others: bool = Field(
        default=False, description="All but the things that `among` finds: sales of the rest."
    )
    weekdays: list[Weekday] = Field(default=[], description="Only these days: 1 is Monday, 7 Sunday.")
    include_empty: bool = Field(default=False, description="Show things without any row too.")
    count_groups: str | None = Field(
        default=None,
        description="Answer how many values of this dimension are left, by the other dimensions, if any.",
    )
    having: list[Having] = Field(default=[], max_length=20)
    order: list[Order] = Field(default=[], max_length=8)
    limit: int | None = Field(default=None, ge=1, le=100_000)
    language: Literal["ko", "en"] = "ko"

    @model_validator(mode="after")
    def _asks_something(self) -> SemanticQuery:
        if not self.metrics and not self.derived and not self.dimensions and not self.count_groups:
            raise ValueError("a query needs at least one metric or dimension")
        if self.among is not None and (self.among.among is not None or self.among.count_groups):
            raise ValueError("the things that a figure is limited to are found by one plain query")
        if self.among is not None and not self.among.dimensions:
            raise ValueError("the things that a figure is limited to need a dimension")
        return self
