"""The parts that made a change, and along which dimension they show most clearly."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple

from metaagent.documents.table import Cell, Series, Table, cells, series
from metaagent.level2.data_analysis.computing import exact, figure, finite, percent_of, segment_keys, too_few

if TYPE_CHECKING:
    from metaagent.level2.data_analysis.results import Contribution, Driver, Drivers, Segment, TooFew

CONTRIBUTION_METHOD = "difference per segment in exact decimals: the parts add up to the whole change"


@finite
def contribution(
    table: Table,
    segments: list[str],
    value: str,
    period: str,
    before: Cell,
    after: Cell,
    *,
    top: int | None = None,
) -> Contribution | TooFew:
    """Finds the segments that explain the change of the sum of `value` from period `before` to period `after`."""
    keys = segment_keys(table, segments)
    found = series(table, value)
    periods = cells(table, period)
    parts: dict[str, list[Decimal | None]] = {}
    used = [0, 0]
    for x, row in zip(found.values, found.rows, strict=True):
        if periods[row] not in (before, after):
            continue
        side = 0 if periods[row] == before else 1
        used[side] += 1
        _add(parts.setdefault(keys[row], [None, None]), side, x)
    if not all(used):
        return too_few("contribution", CONTRIBUTION_METHOD, sum(used), sum(used) + used.count(0), "rows")
    return _contribution(parts, sum(used), found, top)


@finite
def contribution_of_columns(
    table: Table, segments: list[str], before: str, after: str, *, top: int | None = None
) -> Contribution | TooFew:
    """The same where the two periods are two columns, as period comparisons give them."""
    keys = segment_keys(table, segments)
    sides = series(table, before), series(table, after)
    parts: dict[str, list[Decimal | None]] = {}
    for side, found in enumerate(sides):
        for x, row in zip(found.values, found.rows, strict=True):
            _add(parts.setdefault(keys[row], [None, None]), side, x)
    counts = [len(found.values) for found in sides]
    if not all(counts):
        return too_few(
            "contribution", CONTRIBUTION_METHOD, sum(counts), sum(counts) + counts.count(0), "values"
        )
    left_out = Series([], [], sides[0].missing + sides[1].missing, sides[0].invalid + sides[1].invalid)
    return _contribution(parts, sum(counts), left_out, top)


OTHERS = "__others__"


def _add(sides: list[Decimal | None], side: int, x: float) -> None:
    sides[side] = (sides[side] or Decimal(0)) + exact(x)


def _contribution(
    parts: dict[str, list[Decimal | None]], n: int, left_out: Series, top: int | None
) -> Contribution:
    before = sum((b or Decimal(0) for b, _ in parts.values()), Decimal(0))
    after = sum((a or Decimal(0) for _, a in parts.values()), Decimal(0))
    change = after - before
    ordered = sorted(parts.items(), key=lambda item: (-abs(_moved(item[1])), item[0]))
    if top is not None and len(ordered) > top + 1:
        rest = [sides for _, sides in ordered[top:]]
        others: list[Decimal | None] = [
            sum((sides[i] or Decimal(0) for sides in rest), Decimal(0)) for i in (0, 1)
        ]
        ordered = [*ordered[:top], (OTHERS, others)]
    moved = [_moved(sides) for _, sides in parts.items()]
    gross = sum((m for m in moved if m > 0), Decimal(0)), sum((m for m in moved if m < 0), Decimal(0))
    return {
        "kind": "contribution", "method": CONTRIBUTION_METHOD, "n": n,
        "missing": left_out.missing, "invalid": left_out.invalid,
        "before": figure(before), "after": figure(after), "change": figure(change),
        "rate": percent_of(change, before) if before > 0 else None,
        "increases": figure(gross[0]), "decreases": figure(gross[1]),
        "segments": [_segment(name, sides, before, change, gross) for name, sides in ordered],
    }  # fmt: skip


def _moved(sides: list[Decimal | None]) -> Decimal:
    return (sides[1] or Decimal(0)) - (sides[0] or Decimal(0))


def _segment(
    name: str, sides: list[Decimal | None], before: Decimal, change: Decimal, gross: tuple[Decimal, Decimal]
) -> Segment:
    moved = _moved(sides)
    return {
        "segment": name,
        "before": figure(sides[0] or Decimal(0)),
        "after": figure(sides[1] or Decimal(0)),
        "change": figure(moved),
        "share_of_change": percent_of(moved, change) if change else None,
        "share_of_moves": percent_of(moved, gross[moved < 0]) if moved else 0.0,
        "points": percent_of(moved, before) if before > 0 else None,
        "status": "new" if sides[0] is None else "gone" if sides[1] is None else "both",
    }


DRIVER_METHOD = (
    "per dimension the up to 3 largest parts that moved with the total: their share of all such movement, less their "
    "share of the earlier value"
)
MOST_PARTS = 3
ENOUGH = 80.0
CLEAR = 10.0
"""A split whose parts explain less than this many points more than their size says nothing about the cause."""


class Split(NamedTuple):
    """One dimension with the contributions of its values."""

    dimension: str
    label: str
    thing: str | None
    parts: Contribution


@finite
def drivers(splits: Sequence[Split]) -> Drivers | None:
    """The dimension whose few values explain the change best, and the next ones; None without any split."""
    found = [(one, made) for one in splits if (made := _driver(one)) is not None]
    if not found:
        return None
    # Much of the change, and more of it than the size of the parts lets expect.
    found.sort(
        key=lambda pair: (-pair[1]["excess"] * pair[1]["explained"], pair[1]["values"], pair[1]["dimension"])
    )
    split, best = found[0]
    up = split.parts["change"] >= 0
    against = [s for s in split.parts["segments"] if (s["change"] < 0 if up else s["change"] > 0)]
    return {
        "kind": "drivers", "method": DRIVER_METHOD, "n": len(found), "change": split.parts["change"],
        "increases": split.parts["increases"], "decreases": split.parts["decreases"],
        "clear": best["excess"] >= CLEAR, "against": against[0] if against else None,
        "best": best, "others": [made for _, made in found[1:]],
    }  # fmt: skip


def _driver(split: Split) -> Driver | None:
    parts = split.parts
    up = parts["change"] >= 0
    gross = abs(parts["increases"] if up else parts["decreases"])
    moved = [s for s in parts["segments"] if (s["change"] > 0 if up else s["change"] < 0)]
    if len(parts["segments"]) < 2 or not gross:
        return None
    top: list[Segment] = []
    for segment in moved[:MOST_PARTS]:
        top.append(segment)
        if _percent(top, "change", gross) >= ENOUGH:
            break
    explained = _percent(top, "change", gross)
    size = _percent(top, "before", parts["before"]) if parts["before"] > 0 else None
    return {
        "dimension": split.dimension, "label": split.label, "thing": split.thing, "values": len(parts["segments"]),
        "top": top, "explained": explained, "size": size, "excess": explained - (size or 0.0),
    }  # fmt: skip


def _percent(segments: Sequence[Segment], side: Literal["change", "before"], whole: float) -> float:
    return abs(sum(float(segment[side]) for segment in segments)) / whole * 100
