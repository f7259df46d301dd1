"""Statements about the course of a figure: trends and seasons."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise
from statistics import median
from typing import TYPE_CHECKING

from metaagent.documents.table import Table, cells, column, number, times
from metaagent.errors import InputRefused, Text
from metaagent.level2.data_analysis import probability
from metaagent.level2.data_analysis.computing import (
    FEWEST,
    SIGNIFICANT,
    ask,
    finite,
    not_applicable,
    too_few,
    total,
)

if TYPE_CHECKING:
    from metaagent.level2.data_analysis.results import (
        Figure,
        NotApplicable,
        Season,
        Seasonality,
        TooFew,
        Trend,
    )

EXACT_TREND_UP_TO = 40


SEN_UP_TO = 1000


CYCLES = {"day": 7, "week": 52, "month": 12, "quarter": 4}


NO_CYCLE = Text(
    en="Figures per {grain} have no natural cycle: pass cycle= with the number of periods that repeat.",
    ko="{grain} 단위에는 정해진 주기가 없습니다. cycle= 로 몇 기간마다 되풀이되는지 주세요.",
)


def _over_time(table: Table, time: str, value: str) -> tuple[str, dict[int, Figure], dict[int, str]]:
    """Sums per period, in order: the grain, the values by place on the calendar, and the periods' names."""
    if column(table, time)["type"] == "number":
        grain, places = "step", [number(cell) for cell in cells(table, time)]
    else:
        grain, places = times(table, time)
    grouped: dict[int, list[float]] = {}
    labels: dict[int, str] = {}
    for place, name, cell in zip(places, cells(table, time), cells(table, value), strict=True):
        x = number(cell)
        if place is not None and x is not None:
            grouped.setdefault(int(place), []).append(x)
            labels.setdefault(int(place), str(name))
    return grain, {place: total(grouped[place]) for place in sorted(grouped)}, labels


_LEAST_SQUARES = """
SELECT regr_slope(y, x) FROM (SELECT unnest($1::DOUBLE[]) AS x, unnest($2::DOUBLE[]) AS y)
"""


@finite
def trend(table: Table, time: str, value: str) -> Trend | TooFew:
    """Tells whether the figure rises or falls. Days are compared with the same weekday only, from two weeks on."""
    grain, by_place, labels = _over_time(table, time, value)
    n = len(by_place)
    if n < FEWEST:
        return too_few("trend", "Mann–Kendall test", n, FEWEST, "periods")
    places, values = list(by_place), list(by_place.values())
    groups = _weekdays(grain, by_place)
    s, p, method = _seasonal_kendall(groups) if groups else _mann_kendall(values)
    slope, slope_method = _slope(groups or [by_place])
    middle = sorted(values)[n // 2]
    significant = p < SIGNIFICANT
    pairs = sum(len(group) * (len(group) - 1) / 2 for group in groups or [by_place])
    return {
        "kind": "trend", "method": method, "n": n, "grain": grain, "slope": slope,
        "slope_method": slope_method, "within": "weekday" if groups else None,
        "slope_rate": slope / abs(middle) * 100 if middle else None,
        "tau": s / pairs, "p": p, "significant": significant,
        "direction": "none" if not significant else "up" if s > 0 else "down",
        "first": values[0], "last": values[-1], "first_label": labels[places[0]],
        "last_label": labels[places[-1]],
        "warnings": _trend_warnings(places, values, slope, weekly=bool(groups)),
    }  # fmt: skip


def _weekdays(grain: str, by_place: dict[int, Figure]) -> list[dict[int, Figure]]:
    """The days by weekday, where there are at least two of each; otherwise nothing."""
    if grain != "day":
        return []
    groups: list[dict[int, Figure]] = [{} for _ in range(7)]
    for place, value in by_place.items():
        groups[place % 7][place] = value
    return groups if min(map(len, groups)) >= 2 else []


def _slope(groups: list[dict[int, Figure]]) -> tuple[float, str]:
    """The change per period, by pairs inside each group."""
    n = max(map(len, groups))
    if n > SEN_UP_TO:
        [group] = groups if len(groups) == 1 else [{k: v for one in groups for k, v in one.items()}]
        return float(ask(_LEAST_SQUARES, list(group), list(group.values()))[0][0]), "least squares"
    slopes = [
        (later - earlier) / (there - here)
        for group in groups
        for (here, earlier), (there, later) in combinations(group.items(), 2)
    ]
    return median(slopes), "Sen's slope (median of all pairwise slopes)"


def _seasonal_kendall(groups: list[dict[int, Figure]]) -> tuple[int, float, str]:
    """Hirsch and Slack: each weekday is compared with itself, so that weekends make no trend and hide none."""
    found = [_kendall(list(group.values())) for group in groups]
    s, variance = sum(one for one, _ in found), sum(one for _, one in found)
    z = (abs(s) - 1) / math.sqrt(variance) if s and variance else 0.0
    return s, probability.normal_two_sided(z), "seasonal Kendall test by weekday, normal approximation"


def _kendall(values: list[Figure]) -> tuple[int, float]:
    """(S, its variance with tie correction)."""
    n = len(values)
    ties = [count for count in Counter(values).values() if count > 1]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
    return _kendall_s(values), variance


def _mann_kendall(values: list[Figure]) -> tuple[int, float, str]:
    n = len(values)
    s, variance = _kendall(values)
    if n <= EXACT_TREND_UP_TO and len(set(values)) == n:
        return s, probability.kendall_exact_two_sided(s, n), "Mann–Kendall test, exact p"
    z = (abs(s) - 1) / math.sqrt(variance) if s and variance else 0.0
    return s, probability.normal_two_sided(z), "Mann–Kendall test, normal approximation with tie correction"


def _kendall_s(values: list[Figure]) -> int:
    """Pairs that rise minus pairs that fall, with a Fenwick tree: n log n."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(values)), 1)}
    tree = [0] * (len(ranks) + 1)

    def seen_up_to(rank: int) -> int:
        count = 0
        while rank:
            count += tree[rank]
            rank &= rank - 1
        return count

    s = 0
    for seen, value in enumerate(values):
        rank = ranks[value]
        s += seen_up_to(rank - 1) - (seen - seen_up_to(rank))
        while rank < len(tree):
            tree[rank] += 1
            rank += rank & -rank
    return s


def _trend_warnings(
    places: list[int], values: list[Figure], slope: float, *, weekly: bool = False
) -> list[str]:
    rest = [y - slope * x for x, y in zip(places, values, strict=True)]
    if weekly:
        usual = [median([r for r, p in zip(rest, places, strict=True) if p % 7 == day]) for day in range(7)]
        rest = [r - usual[p % 7] for r, p in zip(rest, places, strict=True)]
    mean = math.fsum(rest) / len(rest)
    spread = math.fsum((x - mean) ** 2 for x in rest)
    neighbours = math.fsum((a - mean) * (b - mean) for a, b in pairwise(rest))
    found = ["gaps"] if places[-1] - places[0] + 1 > len(places) else []
    # Neighbouring periods that resemble each other make p smaller than it should be.
    if spread and neighbours / spread > 1.96 / math.sqrt(len(rest)):
        found.append("autocorrelated")
    return found


_SEASONS = """
WITH p AS (SELECT unnest($1::INTEGER[]) AS s, unnest($2::DOUBLE[]) AS t, unnest($3::DOUBLE[]) AS y)
SELECT s, count(*), avg(t), avg(y), regr_sxx(y, t), regr_sxy(y, t), regr_syy(y, t)
FROM p GROUP BY s ORDER BY s
"""


_LINE = """
SELECT regr_sxx(y, t), regr_sxy(y, t), regr_syy(y, t)
FROM (SELECT unnest($1::DOUBLE[]) AS t, unnest($2::DOUBLE[]) AS y)
"""


@finite
def seasonality(
    table: Table, time: str, value: str, *, cycle: int | None = None
) -> Seasonality | TooFew | NotApplicable:
    """Compares the line `a + b t` with the line plus one level per season; needs two full cycles."""
    method = "F-test of season means added to a linear trend"
    grain, by_place, _ = _over_time(table, time, value)
    length = cycle or CYCLES.get(grain)
    if not length or length < 2:
        raise InputRefused(NO_CYCLE, grain=grain)
    # Ordinal 1 was a Monday, so days count from 1: season 1 of a week is Monday.
    offset = 1 if grain == "day" else 0
    seasons = [(place - offset) % length for place in by_place]
    seen = Counter(seasons)
    n = len(by_place)
    if n < 2 * length:
        return too_few("seasonality", method, n, 2 * length, "periods")
    if len(seen) < length or min(seen.values()) < 2:
        return not_applicable("seasonality", method, n, "gaps")
    start = next(iter(by_place))
    t, y = [place - start for place in by_place], list(by_place.values())
    groups = ask(_SEASONS, seasons, t, y)
    line_xx, line_xy, line_yy = ask(_LINE, t, y)[0]
    xx, xy, yy = (sum(group[i] for group in groups) for i in (4, 5, 6))
    slope = xy / xx
    line_rest = max(0.0, line_yy - line_xy**2 / line_xx)
    season_rest = min(line_rest, max(0.0, yy - xy * slope))
    noise = 1e-20 * math.fsum(v * v for v in y)
    strength = 1 - season_rest / line_rest if line_rest > noise else 0.0
    f, p = _season_test(line_rest, season_rest, n, length, noise)
    levels = [(int(g[0]) + 1, g[3] - slope * g[2], g[3], g[1]) for g in groups]
    middle = math.fsum(level for _, level, _, _ in levels) / length
    found: list[Season] = [
        {"season": season, "effect": level - middle, "mean": mean, "n": count}
        for season, level, mean, count in levels
    ]
    return {
        "kind": "seasonality", "method": method, "n": n, "grain": grain, "cycle": length,
        "strength": strength, "f": f, "p": p, "significant": p < SIGNIFICANT, "seasons": found,
        "peak": max(found, key=lambda s: s["effect"]), "trough": min(found, key=lambda s: s["effect"]),
    }  # fmt: skip


def _season_test(line: float, season: float, n: int, length: int, noise: float) -> tuple[float | None, float]:
    if line <= noise:
        return None, 1.0
    if season <= noise:
        return None, 0.0
    top, bottom = length - 1, n - length - 1
    f = (line - season) / top / (season / bottom)
    return f, probability.f_upper(f, top, bottom)
