"""Numbers as people write them: sums of money with 만 and 억, dollars, counts."""

from __future__ import annotations

import math
from random import Random

from evals.generator.world import Metric, Words

COUNTED = ("첫", "두", "세", "네", "다섯", "여섯", "일곱")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
OPERATORS: dict[str, Words] = {
    ">": Words(("넘는", "초과인", "넘은", "초과하는"), ("over", "above", "more than", "exceeding")),
    ">=": Words(("이상인", "이상", "이상 되는"), ("at least", "no less than", "of at least")),
    "<": Words(("미만인", "못 되는", "안 되는", "미만"), ("under", "below", "less than")),
    "<=": Words(("이하인", "이하"), ("at most", "no more than")),
}


def holds(value: float, op: str, limit: float) -> bool:
    return {">": value > limit, ">=": value >= limit, "<": value < limit, "<=": value <= limit}[op]


def nice(value: float, digits: int = 1) -> float:
    """A round number near the value."""
    if value <= 0:
        return 1
    size = 10 ** (math.floor(math.log10(value)) - digits + 1)
    rounded = round(value / size) * size
    return int(rounded) if rounded >= 1 else rounded


def money_words(amount: float, metric: Metric) -> Words:
    number = int(amount)
    if metric.unit == "KRW":
        return Words(tuple(_won(number)), tuple(_won_en(number)))
    if metric.unit == "USD":
        return Words((f"{number}달러", f"{number:,}달러"), (f"${number:,}", f"{number} dollars"))
    counter = metric.counter
    return Words((f"{number}{counter}", f"{number:,}{counter}"), (f"{number}", f"{number:,}"))


def _won(number: int) -> list[str]:
    hundred_million, rest = divmod(number, 100_000_000)
    man = rest // 10_000
    if number >= 100_000_000:
        if not man:
            return [f"{hundred_million}억 원", f"{hundred_million}억원", f"{hundred_million}억"]
        thousands = f"{man // 1000}천만" if man % 1000 == 0 else f"{man}만"
        return [f"{hundred_million}억 {thousands} 원", f"{hundred_million}억 {man}만원"]
    if man and rest % 10_000 == 0:
        short = [f"{man // 1000}천만 원", f"{man // 1000}천만원"] if man % 1000 == 0 else []
        return [f"{man}만 원", f"{man}만원", f"{number:,}원", *short]
    return [f"{number:,}원", f"{number}원"]


def _won_en(number: int) -> list[str]:
    if number >= 1_000_000 and number % 100_000 == 0:
        millions = f"{number / 1_000_000:g}"
        return [f"{millions} million won", f"{number:,} won", f"₩{number:,}"]
    return [f"{number:,} won", f"₩{number:,}", f"KRW {number:,}"]


def limit_between(values: list[float], rng: Random, metric: Metric) -> float | None:
    """A round limit that leaves some of the values on either side, and equals none of them."""
    order = sorted(values)
    if len(order) < 3 or order[0] == order[-1]:
        return None
    for _ in range(8):
        at = order[rng.randint(1, len(order) - 2)]
        limit = nice(at * rng.uniform(0.9, 1.1), rng.choice([1, 2]))
        if metric.unit == "" or metric.kind == "count":
            limit = max(2, int(limit))
        if limit >= 1 and order[0] < limit < order[-1] and limit not in order:
            return int(limit)
    return None
