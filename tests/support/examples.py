"""The number of examples of a property test: all of them, or a fifth in the inner loop (`make fast`)."""

from __future__ import annotations

import os

FAST = os.environ.get("METAAGENT_EXAMPLES") == "fast"


def examples(count: int) -> int:
    return max(10, count // 5) if FAST else count
