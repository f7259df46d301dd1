"""Meanings: what a phrase contributes to a query, and how two contributions become one."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, TypeVar

EVERY = 1000
"""Ranked without a limit."""
BY_MEAN = "by_mean"
"""A rank that goes by a figure which is a mean itself."""
SAME_DAYS = frozenset({"same_days"})
"""A period that is set against as many days of another one."""
LEFT_OUT = "without:"
"""The start of a flag that names a part of the period which is left out."""


@dataclass(frozen=True)
class Restriction:
    """Values of one dimension that rows are limited to, or left out."""

    dimension: str
    values: tuple[str, ...]
    by_key: bool = False
    negated: bool = False
    listed: bool = False
    """Several values side by side: together or each is not said."""
    labels: tuple[str, ...] = field(default=(), compare=False)
    """The names of the values, where they are keys."""


@dataclass(frozen=True)
class Span:
    first: date
    last: date
    label: str = field(default="", compare=False)
    shift: str | None = None
    """Moved back by this unit: 전년 대비."""
    open: str = field(default="", compare=False)
    """The side that has no end: `since` or `until`."""


@dataclass(frozen=True)
class Rank:
    descending: bool = True
    n: int = 1
    """0: high or low, without a number."""
    nth: bool = False
    percent: bool = False
    by: str | None = None
    growth: str = ""
    """Ranked by the change: `change` (a rate) or `difference`."""


@dataclass(frozen=True)
class Condition:
    """A condition on a figure of a group, or on the change of that figure."""

    column: str
    op: str
    values: tuple[float, ...] = ()
    relative: tuple[Node, ...] = ()
    growth: str = ""


@dataclass(frozen=True)
class Existing:
    """Things that have rows of a fact, or none."""

    metric: str
    exists: bool
    restrictions: tuple[Restriction, ...] = ()
    period: Span | None = None


@dataclass(frozen=True)
class RowLimit:
    column: str
    op: str
    values: tuple[float | date, ...]
    per: str = ""
    """The figure of the same rows by which each is divided: the guests of a meal."""


@dataclass(frozen=True)
class Node:
    """A phrase: its type and its contribution. Filters and periods float up unless a rule keeps them apart."""

    cat: str
    metrics: tuple[str, ...] = ()
    dim: str | None = None
    filters: tuple[Restriction, ...] = ()
    period: Span | None = None
    base: Span | str | None = None
    """The period compared with; a unit (`year`, `month`, `previous`): the period moved back by it."""
    weekdays: tuple[int, ...] = ()
    rows: tuple[RowLimit, ...] = ()
    having: tuple[Condition, ...] = ()
    existing: tuple[Existing, ...] = ()
    rank: Rank | None = None
    groups: tuple[str, ...] = ()
    per: str | None = None
    """A unit of time, `dim:<dimension>` or `metric:<metric>`."""
    average: bool = False
    op: str | None = None
    numbers: tuple[float, ...] = ()
    unit: str | None = None
    split: bool | None = None
    """Values that stand side by side: each by itself (True) or together (False)."""
    kind: str = ""
    """count, list, share, ratio, times or difference."""
    part: tuple[Restriction, ...] = ()
    other: tuple[Node, ...] = ()
    """The second value of a ratio or difference."""
    among: tuple[Node, ...] = ()
    growth: str = ""
    flags: frozenset[str] = frozenset()
    """running_total, target, include_empty, moving_average:<n>, trend, without:<first>:<last>."""
    cost: float = field(default=0.0, compare=False)

    @property
    def filters_listed(self) -> bool:
        return any(f.listed for f in self.filters)


_DEFAULTS = tuple((f.name, f.default) for f in fields(Node) if f.name not in ("cat", "cost"))
_ADDED = ("having", "rows", "existing")


def combined(name: str, left: Any, right: Any) -> Any:
    """One contribution of two; None where they contradict each other."""
    if name == "filters":
        return _filters(left, right)
    if name == "groups":
        return tuple(dict.fromkeys((*left, *right)))
    if name in _ADDED:
        return (*left, *right)
    if name == "flags":
        return left | right
    return left if left == right else None


def _filters(left: tuple[Restriction, ...], right: tuple[Restriction, ...]) -> tuple[Restriction, ...] | None:
    if {f.dimension for f in left} & {f.dimension for f in right}:
        return None
    return tuple(sorted((*left, *right), key=lambda f: f.dimension))


Part = TypeVar("Part", "Node", Rank, Condition, Existing, Restriction, RowLimit, Span)


def replace(part: Part, /, **over: Any) -> Part:
    """A copy with other values; the parts have no slots and check nothing, so their fields are copied as they are."""
    values = vars(part)
    if not over.keys() <= values.keys():
        raise TypeError(f"no such field: {sorted(over.keys() - values.keys())}")
    made = object.__new__(type(part))
    vars(made).update(values, **over)
    return made


def unify(cat: str, a: Node, b: Node, cost: float = 0.0, **over: Any) -> Node | None:
    """Both contributions together; None where they contradict each other."""
    lefts, rights = vars(a), vars(b)
    made: dict[str, Any] = {}
    for name, empty in _DEFAULTS:
        if name in over:
            continue
        left, right = lefts[name], rights[name]
        if left == empty:
            made[name] = right
        elif right == empty:
            made[name] = left
        else:
            made[name] = combined(name, left, right)
            if made[name] is None:
                return None
    return replace(a, cat=cat, cost=a.cost + b.cost + cost, **made, **over)


def bare(node: Node) -> bool:
    """A kind of thing and nothing else said of it."""
    return node == Node(node.cat, dim=node.dim, flags=node.flags & {"several", "who", "dated"})
