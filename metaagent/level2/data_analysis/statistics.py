"""Statements about a table: each function returns plain data with `kind`, `method`, `n` and its values.

Where the data cannot carry a statement the answer is `too_few`, with how many would be needed.
"""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from metaagent.documents.table import Table, cells, column, number, plain, series
from metaagent.level2.data_analysis import probability
from metaagent.level2.data_analysis.computing import (
    FEWEST,
    SIGNIFICANT,
    ask,
    exact,
    figure,
    finite,
    not_applicable,
    segment_keys,
    too_few,
    total,
)

if TYPE_CHECKING:
    from metaagent.level2.data_analysis.results import (
        Achievement,
        Bin,
        Comparison,
        Concentration,
        Correlation,
        Distribution,
        NotApplicable,
        Outlier,
        Outliers,
        Share,
        Summary,
        TooFew,
    )

MAD_FROM = 12


@finite
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
    mean, deviation, least, q1, median, q3, most, distinct = ask(_NUMBER_SUMMARY, found.values)[0]
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


_MOMENTS = """
SELECT avg(x), median(x), skewness(x), min(x), max(x), quantile_cont(x, 0.75) - quantile_cont(x, 0.25),
       bool_and(x = floor(x))
FROM (SELECT unnest($1::DOUBLE[]) AS x)
"""


_BIN_COUNTS = """
SELECT least(greatest(floor((x - $2) / $3), 0), $4 - 1)::INTEGER AS bin, count(*)
FROM (SELECT unnest($1::DOUBLE[]) AS x) GROUP BY bin
"""


@finite
def distribution(table: Table, value: str) -> Distribution | TooFew:
    method = "histogram, Freedman–Diaconis width rounded to 1, 2 or 5 × 10^k; last bin closed"
    found = series(table, value)
    n = len(found.values)
    if n < FEWEST:
        return too_few("distribution", method, n, FEWEST, "values")
    mean, median, skewness, least, most, spread, whole = ask(_MOMENTS, found.values)[0]
    low, width, count = _bin_edges(least, most, spread, n, whole)
    counts = dict(ask(_BIN_COUNTS, found.values, low, width, count))
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


def _bin_edges(least: float, most: float, spread: float, n: int, whole: bool) -> tuple[float, float, int]:
    extent = most - least
    if extent <= abs(most) * 1e-12:
        return least, 1.0, 1
    freedman = 2 * spread / n ** (1 / 3)
    sturges = extent / math.ceil(math.log2(n) + 1)
    raw = min(max(freedman or sturges, extent / 30), extent / 5)
    power = 10.0 ** math.floor(math.log10(raw))
    width = next(step * power for step in (1, 2, 5, 10) if raw <= step * power * (1 + 1e-9))
    if whole:
        width = max(width, 1.0)
    low = math.floor(least / width) * width
    return low, width, max(1, math.ceil((most - low) / width + 1e-9))


_CENTER = """
WITH v AS (SELECT unnest($1::DOUBLE[]) AS x), m AS (SELECT median(x) AS m FROM v)
SELECT any_value(m), median(abs(x - m)), avg(abs(x - m)), quantile_cont(x, 0.25), quantile_cont(x, 0.75)
FROM v, m
"""


@finite
def outliers(table: Table, value: str, *, label: str | None = None) -> Outliers | TooFew:
    """Finds outliers: from 12 values on by the modified z-score |0.6745 (x - median) / MAD| > 3.5; with fewer Tukey's fences."""
    found = series(table, value)
    n = len(found.values)
    if n < FEWEST:
        return too_few("outliers", "Tukey's fences (1.5 × IQR)", n, FEWEST, "values")
    median, mad, mean_deviation, q1, q3 = ask(_CENTER, found.values)[0]
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


_CORRELATION = """
WITH p AS (SELECT unnest($1::DOUBLE[]) AS x, unnest($2::DOUBLE[]) AS y),
     k AS (SELECT x, y, rank() OVER (ORDER BY x) + (count(*) OVER (PARTITION BY x) - 1) / 2.0 AS rx,
                  rank() OVER (ORDER BY y) + (count(*) OVER (PARTITION BY y) - 1) / 2.0 AS ry FROM p)
SELECT min(x) = max(x) OR min(y) = max(y), corr(x, y), corr(rx, ry) FROM k
"""


@finite
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
    constant, r, rank_r = ask(_CORRELATION, [x for x, _ in pairs], [y for _, y in pairs])[0]
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


@finite
def concentration(
    table: Table, segment: str, value: str, *, top: int = 3
) -> Concentration | TooFew | NotApplicable:
    """Shares of the total, largest first. Negative parts have no share."""
    method = "share of the total; HHI = sum of squared percentage shares (0..10,000)"
    found = series(table, value)
    keys = segment_keys(table, [segment])
    parts: dict[str, Decimal] = {}
    for x, row in zip(found.values, found.rows, strict=True):
        parts[keys[row]] = parts.get(keys[row], Decimal(0)) + exact(x)
    whole = sum(parts.values(), Decimal(0))
    if len(parts) < 2:
        return too_few("concentration", method, len(parts), 2, "values")
    if whole <= 0 or min(parts.values()) < 0:
        return not_applicable(
            "concentration", method, len(parts), "negative_parts" if min(parts.values()) < 0 else "no_base"
        )
    ordered = sorted(parts.items(), key=lambda item: (-item[1], item[0]))
    shares: list[Share] = [
        {"segment": name, "value": figure(part), "share": float(part / whole * 100)} for name, part in ordered
    ]
    top = min(top, len(shares))
    return {
        "kind": "concentration", "method": method, "n": len(shares), "total": figure(whole),
        "shares": shares, "hhi": math.fsum(s["share"] ** 2 for s in shares), "top": top,
        "top_share": float(sum((part for _, part in ordered[:top]), Decimal(0)) / whole * 100),
    }  # fmt: skip


@finite
def compare(current: float | None, previous: float | None) -> Comparison | TooFew:
    method = "difference, and % of the earlier value"
    now, then = number(current), number(previous)
    if now is None or then is None:
        return too_few("comparison", method, (now is not None) + (then is not None), 2, "values")
    change = exact(now) - exact(then)
    # A percentage of zero or of a negative base means nothing.
    rate = float(change / exact(then) * 100) if then > 0 else None
    return {
        "kind": "comparison", "method": method, "n": 2, "current": now, "previous": then,
        "change": figure(change), "rate": rate,
    }  # fmt: skip


@finite
def achievement(actual: float | None, target: float | None) -> Achievement | TooFew | NotApplicable:
    method = "actual ÷ target"
    done, wanted = number(actual), number(target)
    if done is None or wanted is None:
        return too_few("achievement", method, (done is not None) + (wanted is not None), 2, "values")
    if wanted <= 0:
        return not_applicable("achievement", method, 2, "no_base")
    return {
        "kind": "achievement", "method": method, "n": 2, "actual": done, "target": wanted,
        "gap": figure(exact(done) - exact(wanted)), "rate": float(exact(done) / exact(wanted) * 100),
    }  # fmt: skip
