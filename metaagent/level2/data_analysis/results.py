"""The shapes of what `statistics` answers: plain data, told apart by `kind`."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

Figure: TypeAlias = int | float
Analysis: TypeAlias = Literal[
    "summary", "distribution", "outliers", "trend", "seasonality", "contribution", "drivers", "correlation",
    "concentration", "comparison", "achievement",
]  # fmt: skip


class TooFew(TypedDict):
    kind: Literal["too_few"]
    analysis: Analysis
    method: str
    n: int
    needed: int
    of: Literal["values", "periods", "pairs", "rows"]


class NotApplicable(TypedDict):
    """No number of further rows would help: the data are not of the kind that the method speaks about."""

    kind: Literal["not_applicable"]
    analysis: Analysis
    method: str
    n: int
    reason: Literal["constant", "negative_parts", "gaps", "no_base"]


class Summary(TypedDict):
    kind: Literal["summary"]
    method: str
    n: int
    rows: int
    columns: list[dict[str, Any]]


class Bin(TypedDict):
    low: Figure
    high: Figure
    count: int
    share: float


class Distribution(TypedDict):
    kind: Literal["distribution"]
    method: str
    n: int
    missing: int
    invalid: int
    bins: list[Bin]
    mean: float
    median: float
    skewness: float | None


class Outlier(TypedDict):
    row: int
    label: str
    value: Figure
    score: float
    direction: Literal["high", "low"]


class Outliers(TypedDict):
    kind: Literal["outliers"]
    method: str
    n: int
    missing: int
    invalid: int
    low: float
    high: float
    center: float
    found: list[Outlier]


class Trend(TypedDict):
    kind: Literal["trend"]
    method: str
    n: int
    grain: str
    slope: float
    slope_method: str
    within: Literal["weekday"] | None
    """Days are compared with the same weekday only."""
    slope_rate: float | None
    tau: float
    p: float
    significant: bool
    direction: Literal["up", "down", "none"]
    first: Figure
    last: Figure
    first_label: str
    last_label: str
    warnings: list[str]


class Season(TypedDict):
    season: int
    effect: float
    mean: float
    n: int


class Seasonality(TypedDict):
    kind: Literal["seasonality"]
    method: str
    n: int
    grain: str
    cycle: int
    strength: float
    f: float | None
    p: float
    significant: bool
    seasons: list[Season]
    peak: Season
    trough: Season


class Segment(TypedDict):
    segment: str
    before: Figure
    after: Figure
    change: Figure
    share_of_change: float | None
    share_of_moves: float
    """The share of all increases, or of all decreases: never above 100."""
    points: float | None
    status: Literal["both", "new", "gone"]


class Contribution(TypedDict):
    kind: Literal["contribution"]
    method: str
    n: int
    missing: int
    invalid: int
    before: Figure
    after: Figure
    change: Figure
    rate: float | None
    increases: Figure
    decreases: Figure
    segments: list[Segment]


class Driver(TypedDict):
    """One way to split a change: the few parts that made most of it, beside how large they were before."""

    dimension: str
    label: str
    thing: str | None
    values: int
    top: list[Segment]
    explained: float
    size: float | None
    excess: float


class Drivers(TypedDict):
    kind: Literal["drivers"]
    method: str
    n: int
    change: Figure
    increases: Figure
    decreases: Figure
    clear: bool
    against: Segment | None
    """The largest part of the best split that moved the other way."""
    best: Driver
    others: list[Driver]


class Correlation(TypedDict):
    kind: Literal["correlation"]
    method: str
    n: int
    r: float
    p: float
    low: float
    high: float
    level: int
    rank_r: float
    significant: bool
    warnings: list[str]


class Share(TypedDict):
    segment: str
    value: Figure
    share: float


class Concentration(TypedDict):
    kind: Literal["concentration"]
    method: str
    n: int
    total: Figure
    shares: list[Share]
    hhi: float
    top: int
    top_share: float


class Comparison(TypedDict):
    kind: Literal["comparison"]
    method: str
    n: int
    current: Figure
    previous: Figure
    change: Figure
    rate: float | None


class Achievement(TypedDict):
    kind: Literal["achievement"]
    method: str
    n: int
    actual: Figure
    target: Figure
    gap: Figure
    rate: float
