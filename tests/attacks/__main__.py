"""All attacks, in full: python -m tests.attacks [--seed N] [--size N] [CLASS ...]. Exit code 1 if one found a hole."""

# ruff: noqa: T201 - the table is what it is for

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.attacks.suite import CLASSES, run, table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes", nargs="*", metavar="CLASS", help=", ".join(CLASSES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=10, help="how much of each class; 1 is a sample")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scores = asyncio.run(run(Path(folder), seed=given.seed, size=given.size, only=tuple(given.classes)))
    print(table(scores))
    return 1 if any(score.holes for score in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
