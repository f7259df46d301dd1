"""The lower half of the questions with gold SQL: from the stated request to the rows.

`python -m evals.analysis` tries the lower half alone: stated request -> semantic query -> SQL, against the
gold SQL. The whole way from a question's text is what `metaagent eval` tries.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from metaagent.data.semantic import Model, compile_query, load, loads
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.from_analysis import to_query
from metaagent.demo import create_demo
from metaagent.evaluation.gold_sql import Question, Rows, gold, questions, same, score, spans

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CHINOOK", "HERE", "Question", "Rows", "by_request", "gold", "questions", "same", "score", "spans"]
HERE = Path(__file__).parent
# Beside the project's root, or beside the folder of its worktrees.
_SHARED = [HERE.parents[n] / "shared/data/chinook.sqlite" for n in (1, 2)]
CHINOOK = next((file for file in _SHARED if file.exists()), _SHARED[0])


def by_request(
    model: Model, connection: sqlite3.Connection, tenant: str | None
) -> Callable[[Question], Rows]:
    """Answers from the stated request: what the semantic layer can do when the question was understood."""

    def answer(one: Question) -> Rows:
        query = to_query(model, one.resolved)
        made = compile_query(model, query, dialect="sqlite", tenant=tenant, roles=["owner"])
        return made.visible(connection.execute(made.sql, made.params))

    return answer


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--now", type=date.fromisoformat, default=date(2026, 11, 16))
    parser.add_argument("--scale", type=float, default=1.0)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pharma.db"
        create_demo(f"sqlite:///{file}", now=given.now, scale=given.scale)
        model = load(HERE.parent / "configs/domains/pharma/semantic.yaml")
        connection = sqlite3.connect(file)
        for tenant in ("hanbit", "saebyeok"):
            asked = questions(HERE / "analysis.yaml", given.now)
            failed += _report(f"pharma/{tenant}", asked, connection, model, tenant)
        connection.close()
    if CHINOOK.exists():
        connection = sqlite3.connect(f"{CHINOOK.as_uri()}?mode=ro", uri=True)
        asked = questions(HERE / "analysis_chinook.yaml", given.now)
        failed += _report("chinook", asked, connection, loads(infer(f"sqlite:///{CHINOOK}")), None)
        connection.close()
    else:
        print(f"left out: chinook, which is no part of the project ({CHINOOK} is not there)")  # noqa: T201
    sys.exit(1 if failed else 0)


def _report(
    name: str, asked: list[Question], connection: sqlite3.Connection, model: Model, tenant: str | None
) -> int:
    wrong = score(asked, lambda one: gold(connection, one, tenant), by_request(model, connection, tenant))
    print(f"{name}: {len(asked) - len(wrong)} of {len(asked)} right")  # noqa: T201
    for one, why in wrong:
        print(f"  {one.id} {one.question}: {why}")  # noqa: T201
    return len(wrong)


if __name__ == "__main__":
    main()
