"""Tail probabilities of the tests we run, exact or to double precision, without scipy (60 MB) at run time."""

from __future__ import annotations

import math
from functools import cache
from itertools import accumulate


def normal_two_sided(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2))


def t_two_sided(t: float, freedom: int) -> float:
    return 0.0 if math.isinf(t) else incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def f_upper(f: float, top: int, bottom: int) -> float:
    return 0.0 if math.isinf(f) else incomplete_beta(bottom / 2, top / 2, bottom / (bottom + top * f))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # The continued fraction converges fast only on this side of the mean.
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    result = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / _away(1 + term * d, tiny)
            c = _away(1 + term / c, tiny)
            step = c * d
            result *= step
        if abs(step - 1) < 1e-15:
            break
    return result


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def kendall_exact_two_sided(s: int, n: int) -> float:
    """P(|S| >= |s|) over all n! orders of n different values."""
    pairs = n * (n - 1) // 2
    discordant = (pairs - abs(s)) // 2
    return min(1.0, 2 * sum(_inversions(n)[: discordant + 1]) / math.factorial(n))


@cache
def _inversions(n: int) -> tuple[int, ...]:
    """Counts the orders of n values that have 0, 1, 2, ... pairs the wrong way round (Mahonian numbers)."""
    if n < 2:
        return (1,)
    before = _inversions(n - 1)
    sums = list(accumulate(before))
    total = sums[-1]
    size = n * (n - 1) // 2 + 1
    return tuple((sums[k] if k < len(sums) else total) - (sums[k - n] if k >= n else 0) for k in range(size))
