"""Runs every benchmark, or those that are named: `python -m benchmarks [saver turn ...]`, each beside its reference.

All of them run from the repository alone. References that are optional are left out with one line that says so.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

OPTIONAL = {"presidio": ("presidio_analyzer", "pip install presidio-analyzer, for redaction")}
"""References that are measured where they are installed."""


def names() -> list[str]:
    folder = Path(__file__).parent
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def main() -> None:
    wanted = sys.argv[1:] or names()
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        raise SystemExit(f"no benchmark {', '.join(unknown)}: choose among {', '.join(names())}")
    for name in wanted:
        module = importlib.import_module(f"benchmarks.{name}")
        if hasattr(module, "main"):
            print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
            sys.argv = [f"benchmarks.{name}"]
            module.main()
    left_out = [f"{name} ({why})" for name, (package, why) in OPTIONAL.items() if not find_spec(package)]
    print(f"\nLeft out: {', '.join(left_out) or 'nothing'}", flush=True)


if __name__ == "__main__":
    main()
