"""What may be asked of a semantic model: a closed type, whoever fills it, rules or a chat model."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field, model_validator

from metaagent.data.semantic.model import Closed, Grain, Operator, Value

Comparison = Literal["previous", "same_period_last_year"]
Direction = Literal["top", "bottom"]


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


class Top(Closed):
    n: int = Field(ge=1, le=1000)
    direction: Direction = "top"
    by: str | None = Field(default=None, description="A metric or derived column; default: the first metric.")
    dimension: str | None = Field(
        default=None, description="Whose values are ranked, when there are several."
    )
    within: list[str] = Field(default=[], description="Rank anew inside each of these: top 3 per region.")
    others: bool = Field(default=False, description="Add one row that sums up the rest.")


class Having(Closed):
    """A condition on a result: a metric, or a derived column such as `sales_amount__change`."""

    column: str
    op: Literal[">", ">=", "<", "<=", "=", "between"]
    values: list[float] = Field(min_length=1, max_length=2)


class Order(Closed):
    column: str
    descending: bool = False


class SemanticQuery(Closed):
    metrics: list[str] = Field(default=[], max_length=20)
    dimensions: list[str] = Field(default=[], max_length=8)
    filters: list[Filter] = Field(default=[], max_length=40)
    period: Period | None = None
    comparison: Comparison | None = None
    top: Top | None = None
    share: bool = False
    share_within: list[str] = Field(default=[])
    running_total: bool = False
    moving_average: int | None = Field(default=None, ge=2, le=365)
    target: bool = Field(
        default=False, description="Add the target and its achievement, where a metric has one."
    )
    having: list[Having] = Field(default=[], max_length=20)
    order: list[Order] = Field(default=[], max_length=8)
    limit: int | None = Field(default=None, ge=1, le=100_000)
    language: Literal["ko", "en"] = "ko"

    @model_validator(mode="after")
    def _asks_something(self) -> SemanticQuery:
        if not self.metrics and not self.dimensions:
            raise ValueError("a query needs at least one metric or dimension")
        return self
