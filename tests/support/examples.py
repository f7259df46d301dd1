"""The part of a large test that is tried: all in `make soak`, half as a rule, a fifth of random examples in the inner loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

PARTS = {"random": 1, "fast": 5}
"""Divisors of the number, by the profile of `METAAGENT_EXAMPLES`."""


def examples(count: int) -> int:
    return max(10, count // PARTS.get(os.environ.get("METAAGENT_EXAMPLES", ""), 2))


def half(items: Sequence[T]) -> Sequence[T]:
    """Every other one, from the first; all of them in `make soak`."""
    return items if os.environ.get("METAAGENT_EXAMPLES") == "random" else items[::2]
