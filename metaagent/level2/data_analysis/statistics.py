"""What a table says: each function takes a Table and returns plain data with `kind`, `method`, `n`, values.

Where the data cannot carry a statement the answer is `too_few`, with how many would be needed. Figures are
computed by DuckDB, in memory, with the file system and the network shut off.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import cache, wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, cast

from metaagent.errors import InputRefused, Text
from metaagent.level2.data_analysis import probability
from metaagent.level2.data_analysis.table import (
    Cell,
    Series,
    Table,
    cells,
    column,
    number,
    plain,
    series,
    times,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from metaagent.level2.data_analysis.results import (
        Achievement,
        Analysis,
        Bin,
        Comparison,
        Concentration,
        Contribution,
        Correlation,
        Distribution,
        Figure,
        NotApplicable,
        Outlier,
        Outliers,
        Season,
        Seasonality,
        Segment,
        Share,
        Summary,
        TooFew,
        Trend,
    )

SIGNIFICANT = 0.05
# Below five values no order of them is rare enough to be significant at 5 % (Mann–Kendall: 2/4! = 0.083).
FEWEST = 5
MAD_FROM = 12
EXACT_TREND_UP_TO = 40
SEN_UP_TO = 1000
CYCLES = {"day": 7, "week": 52, "month": 12, "quarter": 4}

NO_CYCLE = Text(
    en="Figures per {grain} have no natural cycle: pass cycle= with the number of periods that repeat.",
    ko="{grain} 단위에는 정해진 주기가 없습니다. cycle= 로 몇 기간마다 되풀이되는지 주세요.",
)
NO_SEGMENTS = Text(
    en="A contribution analysis needs at least one segment column: none was given.",
    ko="기여도 분석에는 구분 열이 하나 이상 필요합니다. 주어진 열이 없습니다.",
)


@cache
def _engine() -> DuckDBPyConnection:
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": 1, "enable_external_access": "false"})
    connection.execute("SET memory_limit = '512MB'")
    connection.execute("SET lock_configuration = true")
    return connection


def _ask(sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    # A cursor each: the shared connection itself must not be used by two threads at once.
    with _engine().cursor() as cursor:
        return cursor.execute(sql, list(parameters)).fetchall()


P = ParamSpec("P")
T = TypeVar("T")


def _finite(function: Callable[P, T]) -> Callable[P, T]:
    """A figure beyond what can be written is left out: results are JSON."""

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", _writable(function(*args, **kwargs)))

    return checked


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _writable(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_writable(item) for item in cast("list[Any]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def too_few(
    analysis: Analysis, method: str, n: int, needed: int, of: Literal["values", "periods", "pairs", "rows"]
) -> TooFew:
    return {"kind": "too_few", "analysis": analysis, "method": method, "n": n, "needed": needed, "of": of}


def not_applicable(
    analysis: Analysis, method: str, n: int, reason: Literal["constant", "negative_parts", "gaps", "no_base"]
) -> NotApplicable:
    return {"kind": "not_applicable", "analysis": analysis, "method": method, "n": n, "reason": reason}


@_finite
def summary(table: Table) -> Summary | TooFew:
    method = "count, sum, mean, sample standard deviation, interpolated quartiles"
    rows = len(table["rows"])
    if rows == 0:
        return too_few("summary", method, 0, 1, "rows")
    columns = [
        _number_summary(table, c["name"]) if c["type"] == "number" else _value_summary(table, c["name"])
        for c in table["columns"]
    ]
    return {"kind": "summary", "method": method, "n": rows, "rows": rows, "columns": columns}


_NUMBER_SUMMARY = """
SELECT avg(x), stddev_samp(x), min(x), quantile_cont(x, 0.25), median(x), quantile_cont(x, 0.75), max(x),
       count(DISTINCT x)
FROM (SELECT unnest($1::DOUBLE[]) AS x)
"""


def _number_summary(table: Table, name: str) -> dict[str, Any]:
    found = series(table, name)
    head = _head(table, name) | {"n": len(found.values), "missing": found.missing, "invalid": found.invalid}
    if not found.values:
        return head
    mean, deviation, least, q1, median, q3, most, distinct = _ask(_NUMBER_SUMMARY, found.values)[0]
    return head | {
        "sum": total(found.values),
        "mean": mean,
        "deviation": deviation,
        "min": plain(least),
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": plain(most),
        "distinct": distinct,
    }


def _value_summary(table: Table, name: str) -> dict[str, Any]:
    kept = [str(cell) for cell in cells(table, name) if cell is not None]
    counts = Counter(kept)
    missing = len(table["rows"]) - len(kept)
    head = _head(table, name) | {"n": len(kept), "missing": missing, "invalid": 0, "distinct": len(counts)}
    if not kept:
        return head
    if head["type"] == "date":
        return head | {"min": min(kept), "max": max(kept)}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return head | {"top": [{"value": value, "count": count} for value, count in ordered[:5]]}


def _head(table: Table, name: str) -> dict[str, Any]:
    about = column(table, name)
    return {"name": name, "label": about["label"], "unit": about.get("unit", ""), "type": about["type"]}


def total(values: list[float]) -> Figure:
    """Exact: decimal figures add up as they are written (0.1 + 0.2 is 0.3)."""
    return _figure(sum((_exact(value) for value in values), Decimal(0)))


def _exact(value: float) -> Decimal:
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def _figure(value: Decimal) -> Figure:
    return int(value) if value == value.to_integral_value() and abs(value) < 2**63 else float(value)


_MOMENTS = """
SELECT avg(x), median(x), skewness(x), min(x), max(x), quantile_cont(x, 0.75) - quantile_cont(x, 0.25),
       bool_and(x = floor(x))
FROM (SELECT unnest($1::DOUBLE[]) AS x)
"""
_BIN_COUNTS = """
SELECT least(greatest(floor((x - $2) / $3), 0), $4 - 1)::INTEGER AS bin, count(*)
FROM (SELECT unnest($1::DOUBLE[]) AS x) GROUP BY bin
"""


@_finite
def distribution(table: Table, value: str, *, bins: int | None = None) -> Distribution | TooFew:
    method = "histogram, Freedman–Diaconis width rounded to 1, 2 or 5 × 10^k; last bin closed"
    found = series(table, value)
    n = len(found.values)
    if n < FEWEST:
        return too_few("distribution", method, n, FEWEST, "values")
    mean, median, skewness, least, most, spread, whole = _ask(_MOMENTS, found.values)[0]
    low, width, count = _bin_edges(least, most, spread, n, bins, whole)
    counts = dict(_ask(_BIN_COUNTS, found.values, low, width, count))
    edges = [plain(round(low + width * i, 12)) for i in range(count + 1)]
    found_bins: list[Bin] = [
        {"low": edges[i], "high": edges[i + 1], "count": counts.get(i, 0), "share": counts.get(i, 0) / n}
        for i in range(count)
    ]
    return {
        "kind": "distribution", "method": method, "n": n, "missing": found.missing, "invalid": found.invalid,
        "bins": found_bins, "mean": mean, "median": median,
        "skewness": None if skewness is None or math.isnan(skewness) else skewness,
    }  # fmt: skip


def _bin_edges(
    least: float, most: float, spread: float, n: int, wanted: int | None, whole: bool
) -> tuple[float, float, int]:
    extent = most - least
    if extent <= abs(most) * 1e-12:
        return least, 1.0, 1
    freedman = 2 * spread / n ** (1 / 3)
    sturges = extent / math.ceil(math.log2(n) + 1)
    natural = min(max(freedman or sturges, extent / 30), extent / 5)
    width = _round_width(extent / wanted if wanted else natural)
    if whole:
        width = max(width, 1.0)
    low = math.floor(least / width) * width
    return low, width, max(1, math.ceil((most - low) / width + 1e-9))


def _round_width(raw: float) -> float:
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if raw <= step * power * (1 + 1e-9))


_CENTER = """
WITH v AS (SELECT unnest($1::DOUBLE[]) AS x), m AS (SELECT median(x) AS m FROM v)
SELECT any_value(m), median(abs(x - m)), avg(abs(x - m)), quantile_cont(x, 0.25), quantile_cont(x, 0.75)
FROM v, m
"""


@_finite
def outliers(table: Table, value: str, *, label: str | None = None) -> Outliers | TooFew:
    """From 12 values on the modified z-score |0.6745 (x - median) / MAD| > 3.5; with fewer Tukey's fences."""
    found = series(table, value)
    n = len(found.values)
    if n < FEWEST:
        return too_few("outliers", "Tukey's fences (1.5 × IQR)", n, FEWEST, "values")
    median, mad, mean_deviation, q1, q3 = _ask(_CENTER, found.values)[0]
    if n < MAD_FROM:
        method = "Tukey's fences (1.5 × IQR)"
        center, unit, low, high = median, (q3 - q1), q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    else:
        # Half of the values equal: MAD is 0 and the mean deviation takes its place (Iglewicz and Hoaglin).
        method = f"modified z-score > 3.5 (median, {'MAD' if mad else 'mean deviation'})"
        unit = mad / 0.6745 if mad else mean_deviation * 1.253314
        center, low, high = median, median - 3.5 * unit, median + 3.5 * unit
    names = cells(table, label) if label else [None] * len(table["rows"])
    hits: list[Outlier] = [
        {
            "row": row, "label": "" if names[row] is None else str(names[row]), "value": x,
            "score": (x - center) / unit if unit else math.copysign(LARGE_SCORE, x - center),
            "direction": "high" if x > high else "low",
        }
        for x, row in zip(found.values, found.rows, strict=True)
        if x < low or x > high
    ]  # fmt: skip
    hits.sort(key=lambda hit: (-abs(hit["score"]), hit["row"]))
    return {
        "kind": "outliers", "method": method, "n": n, "missing": found.missing, "invalid": found.invalid,
        "low": low, "high": high, "center": center, "found": hits,
    }  # fmt: skip


# The score of a value that differs while all others are equal: there is no spread to divide by.
LARGE_SCORE = 1e6


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


_SEN = """
WITH p AS (SELECT unnest($1::DOUBLE[]) AS x, unnest($2::DOUBLE[]) AS y)
SELECT median((b.y - a.y) / (b.x - a.x)) FROM p AS a JOIN p AS b ON b.x > a.x
"""
_LEAST_SQUARES = """
SELECT regr_slope(y, x) FROM (SELECT unnest($1::DOUBLE[]) AS x, unnest($2::DOUBLE[]) AS y)
"""


@_finite
def trend(table: Table, time: str, value: str) -> Trend | TooFew:
    grain, by_place, labels = _over_time(table, time, value)
    n = len(by_place)
    if n < FEWEST:
        return too_few("trend", "Mann–Kendall test", n, FEWEST, "periods")
    places, values = list(by_place), list(by_place.values())
    s, p, method = _mann_kendall(values)
    sen = n <= SEN_UP_TO
    slope = float(_ask(_SEN if sen else _LEAST_SQUARES, places, values)[0][0])
    middle = sorted(values)[n // 2]
    significant = p < SIGNIFICANT
    return {
        "kind": "trend", "method": method, "n": n, "grain": grain, "slope": slope,
        "slope_method": "Sen's slope (median of all pairwise slopes)" if sen else "least squares",
        "slope_rate": slope / abs(middle) * 100 if middle else None,
        "tau": s / (n * (n - 1) / 2), "p": p, "significant": significant,
        "direction": "none" if not significant else "up" if s > 0 else "down",
        "first": values[0], "last": values[-1], "first_label": labels[places[0]],
        "last_label": labels[places[-1]],
        "warnings": _trend_warnings(places, values, slope),
    }  # fmt: skip


def _mann_kendall(values: list[Figure]) -> tuple[int, float, str]:
    n = len(values)
    s = _kendall_s(values)
    ties = [count for count in Counter(values).values() if count > 1]
    if n <= EXACT_TREND_UP_TO and not ties:
        return s, probability.kendall_exact_two_sided(s, n), "Mann–Kendall test, exact p"
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
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


def _trend_warnings(places: list[int], values: list[Figure], slope: float) -> list[str]:
    rest = [y - slope * x for x, y in zip(places, values, strict=True)]
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


@_finite
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
    groups = _ask(_SEASONS, seasons, t, y)
    line_xx, line_xy, line_yy = _ask(_LINE, t, y)[0]
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


CONTRIBUTION_METHOD = "difference per segment in exact decimals: the parts add up to the whole change"


@_finite
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
    """Which segments explain the change of the sum of `value` from period `before` to period `after`."""
    keys = _segment_keys(table, segments)
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


@_finite
def contribution_of_columns(
    table: Table, segments: list[str], before: str, after: str, *, top: int | None = None
) -> Contribution | TooFew:
    """The same where the two periods are two columns, as period comparisons give them."""
    keys = _segment_keys(table, segments)
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


def _segment_keys(table: Table, segments: list[str]) -> list[str]:
    if not segments:
        raise InputRefused(NO_SEGMENTS)
    columns = [["" if cell is None else str(cell) for cell in cells(table, name)] for name in segments]
    return [" · ".join(key) for key in zip(*columns, strict=True)]


def _add(sides: list[Decimal | None], side: int, x: float) -> None:
    sides[side] = (sides[side] or Decimal(0)) + _exact(x)


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
    return {
        "kind": "contribution", "method": CONTRIBUTION_METHOD, "n": n,
        "missing": left_out.missing, "invalid": left_out.invalid,
        "before": _figure(before), "after": _figure(after), "change": _figure(change),
        "rate": _percent_of(change, before) if before > 0 else None,
        "increases": _figure(sum((m for m in moved if m > 0), Decimal(0))),
        "decreases": _figure(sum((m for m in moved if m < 0), Decimal(0))),
        "segments": [_segment(name, sides, before, change) for name, sides in ordered],
    }  # fmt: skip


def _percent_of(part: Decimal, whole: Decimal) -> float:
    return float(part / whole * 100)


def _moved(sides: list[Decimal | None]) -> Decimal:
    return (sides[1] or Decimal(0)) - (sides[0] or Decimal(0))


def _segment(name: str, sides: list[Decimal | None], before: Decimal, change: Decimal) -> Segment:
    moved = _moved(sides)
    return {
        "segment": name,
        "before": _figure(sides[0] or Decimal(0)),
        "after": _figure(sides[1] or Decimal(0)),
        "change": _figure(moved),
        "share_of_change": _percent_of(moved, change) if change else None,
        "points": _percent_of(moved, before) if before > 0 else None,
        "status": "new" if sides[0] is None else "gone" if sides[1] is None else "both",
    }


_CORRELATION = """
WITH p AS (SELECT unnest($1::DOUBLE[]) AS x, unnest($2::DOUBLE[]) AS y),
     k AS (SELECT x, y, rank() OVER (ORDER BY x) + (count(*) OVER (PARTITION BY x) - 1) / 2.0 AS rx,
                  rank() OVER (ORDER BY y) + (count(*) OVER (PARTITION BY y) - 1) / 2.0 AS ry FROM p)
SELECT min(x) = max(x) OR min(y) = max(y), corr(x, y), corr(rx, ry) FROM k
"""


@_finite
def correlation(table: Table, first: str, second: str) -> Correlation | TooFew | NotApplicable:
    """Pearson's r with exact t-test and Fisher's 95 % interval, Spearman's rank r beside it. No cause."""
    method = "Pearson correlation, t-test; Spearman rank correlation as a check"
    pairs = [
        (x, y)
        for x, y in zip(map(number, cells(table, first)), map(number, cells(table, second)), strict=True)
        if x is not None and y is not None
    ]
    n = len(pairs)
    if n < FEWEST:
        return too_few("correlation", method, n, FEWEST, "pairs")
    constant, r, rank_r = _ask(_CORRELATION, [x for x, _ in pairs], [y for _, y in pairs])[0]
    if constant or not math.isfinite(r):
        return not_applicable("correlation", method, n, "constant")
    r = max(-1.0, min(1.0, r))
    t = math.inf if 1 - r * r < 1e-15 else r * math.sqrt((n - 2) / (1 - r * r))
    p = probability.t_two_sided(t, n - 2)
    z, half = math.atanh(max(-1 + 1e-15, min(1 - 1e-15, r))), 1.959963984540054 / math.sqrt(n - 3)
    warnings = ["not_causation"]
    if n < 30:
        warnings.append("small_sample")
    if abs(r - rank_r) > 0.3:
        warnings.append("few_points_decide")
    return {
        "kind": "correlation", "method": method, "n": n, "r": r, "p": p, "low": math.tanh(z - half),
        "high": math.tanh(z + half), "level": 95, "rank_r": rank_r, "significant": p < SIGNIFICANT,
        "warnings": warnings,
    }  # fmt: skip


@_finite
def concentration(
    table: Table, segment: str, value: str, *, top: int = 3
) -> Concentration | TooFew | NotApplicable:
    """Shares of the total, largest first. Negative parts have no share."""
    method = "share of the total; HHI = sum of squared percentage shares (0..10,000)"
    found = series(table, value)
    keys = _segment_keys(table, [segment])
    parts: dict[str, Decimal] = {}
    for x, row in zip(found.values, found.rows, strict=True):
        parts[keys[row]] = parts.get(keys[row], Decimal(0)) + _exact(x)
    whole = sum(parts.values(), Decimal(0))
    if len(parts) < 2:
        return too_few("concentration", method, len(parts), 2, "values")
    if whole <= 0 or min(parts.values()) < 0:
        return not_applicable(
            "concentration", method, len(parts), "negative_parts" if min(parts.values()) < 0 else "no_base"
        )
    ordered = sorted(parts.items(), key=lambda item: (-item[1], item[0]))
    shares: list[Share] = [
        {"segment": name, "value": _figure(part), "share": float(part / whole * 100)}
        for name, part in ordered
    ]
    top = min(top, len(shares))
    return {
        "kind": "concentration", "method": method, "n": len(shares), "total": _figure(whole),
        "shares": shares, "hhi": math.fsum(s["share"] ** 2 for s in shares), "top": top,
        "top_share": float(sum((part for _, part in ordered[:top]), Decimal(0)) / whole * 100),
    }  # fmt: skip


@_finite
def compare(current: float | None, previous: float | None) -> Comparison | TooFew:
    method = "difference, and % of the earlier value"
    now, then = number(current), number(previous)
    if now is None or then is None:
        return too_few("comparison", method, (now is not None) + (then is not None), 2, "values")
    change = _exact(now) - _exact(then)
    # A percentage of zero or of a negative base means nothing.
    rate = float(change / _exact(then) * 100) if then > 0 else None
    return {
        "kind": "comparison", "method": method, "n": 2, "current": now, "previous": then,
        "change": _figure(change), "rate": rate,
    }  # fmt: skip


@_finite
def achievement(actual: float | None, target: float | None) -> Achievement | TooFew | NotApplicable:
    method = "actual ÷ target"
    done, wanted = number(actual), number(target)
    if done is None or wanted is None:
        return too_few("achievement", method, (done is not None) + (wanted is not None), 2, "values")
    if wanted <= 0:
        return not_applicable("achievement", method, 2, "no_base")
    return {
        "kind": "achievement", "method": method, "n": 2, "actual": done, "target": wanted,
        "gap": _figure(_exact(done) - _exact(wanted)), "rate": float(_exact(done) / _exact(wanted) * 100),
    }  # fmt: skip
