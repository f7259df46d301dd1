"""Cost: short queries that become huge, and long inputs of bad shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.data.guard import guard
from metaagent.data.job import Job, take
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.errors import SqlRefused
from tests.attacks.generators import costly_queries
from tests.support.guard_world import FIRST, POLICY, build_sqlite

QUERIES = dict(costly_queries(seed=3, count=1))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb"])
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_that_becomes_huge_is_refused_before_it_runs(dialect: str, name: str):
    with pytest.raises(SqlRefused) as refused:
        guard(QUERIES[name], POLICY, dialect=dialect)
    assert refused.value.params["rule"] in {"expansion", "depth"}


def test_an_ordinary_query_with_layers_is_allowed():
    layers = ", ".join(
        f"c{i} AS (SELECT name FROM {'regions' if i == 0 else f'c{i - 1}'})" for i in range(12)
    )
    for dialect in ("sqlite", "postgres", "duckdb"):
        assert guard(f"WITH {layers} SELECT count(name) FROM c11", POLICY, dialect=dialect).sql


async def test_a_result_of_too_many_characters_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    build_sqlite(tmp_path / "x.db", FIRST)
    monkeypatch.setattr("metaagent.data.job.LARGEST_RESULT", 10)
    database = ReadOnlyDatabase(f"sqlite:///{tmp_path / 'x.db'}", POLICY)
    with pytest.raises(SqlRefused) as refused:
        await database.run(guard("SELECT name FROM regions", POLICY, dialect="sqlite").sql)
    assert refused.value.params["rule"] == "size"


class Wide:
    """A cursor that would give very much: it counts how many rows were taken from it."""

    def __init__(self) -> None:
        self.given = 0

    def fetchmany(self, count: int) -> list[Any]:
        self.given += count
        return [("x" * 5_000_000,)] * count


def test_few_rows_are_fetched_before_their_size_is_known():
    cursor = Wide()
    with pytest.raises(SqlRefused):
        take(cursor, Job("", None, 10_000, 30))
    assert cursor.given <= 16
