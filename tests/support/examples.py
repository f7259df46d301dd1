"""The number of examples of a property test: all of them in `make soak`, half as a rule, a fifth in the inner loop."""

from __future__ import annotations

import os

PARTS = {"random": 1, "fast": 5}
"""Divisors of the number, by the profile of `METAAGENT_EXAMPLES`."""


def examples(count: int) -> int:
    return max(10, count // PARTS.get(os.environ.get("METAAGENT_EXAMPLES", ""), 2))
