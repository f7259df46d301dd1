"""The generator of questions: the same again from the same seed, answers that SQL confirms, wordings without gaps."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.generator.generate import MAKERS, Pair, make_worlds, pairs
from evals.generator.wording import classes, held_out, josa
from evals.generator.world import World
from evals.judge import same_rows
from metaagent.data.semantic import SemanticQuery, compile_query, load


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    return make_worlds(tmp_path_factory.mktemp("worlds"), scale=0.05)


@pytest.fixture(scope="module")
def made(worlds: dict[str, World]) -> list[Pair]:
    return list(pairs(worlds, n=1200, seed=3))


def test_every_class_has_a_maker_and_some_are_held_out() -> None:
    assert set(MAKERS) == set(classes())
    assert len(MAKERS) >= 45
    assert len(held_out()) == 8


def test_the_same_seed_makes_the_same_questions(worlds: dict[str, World], made: list[Pair]) -> None:
    assert list(pairs(worlds, n=1200, seed=3)) == made
    assert [one.question for one in pairs(worlds, n=50, seed=4)] != [one.question for one in made[:50]]


def test_the_same_seed_makes_the_same_database(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        file = make_worlds(tmp_path / name, names=["academy"], seed=7)["academy"].file
        connection = sqlite3.connect(file)
        texts.append("\n".join(connection.iterdump()))
        connection.close()
    assert texts[0] == texts[1]


def test_another_seed_makes_another_schema(tmp_path: Path) -> None:
    schemas: set[tuple[str, ...]] = set()
    for seed in range(6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        schemas.add(tuple(make_worlds(folder, names=["logistics"], seed=seed)["logistics"].dims))
    assert len(schemas) > 1


def test_questions_are_spread_over_classes_languages_and_worlds(made: list[Pair]) -> None:
    assert len({one.cls for one in made}) >= 50
    languages = Counter(one.language for one in made)
    assert abs(languages["ko"] - languages["en"]) < 0.1 * len(made)
    assert min(Counter(one.world for one in made).values()) > 0.15 * len(made)
    assert len({one.question for one in made}) > 0.93 * len(made)


def test_no_wording_has_a_gap(made: list[Pair]) -> None:
    odd = [one.question for one in made if re.search(r"[{}\[\]<>#|]|\s\s|^\s|\s$", one.question)]
    assert odd == []


def test_held_out_classes_can_be_asked_alone(worlds: dict[str, World]) -> None:
    assert {one.cls for one in pairs(worlds, n=200, hidden=True)} == held_out()
    assert not {one.cls for one in pairs(worlds, n=200, hidden=False)} & held_out()


def _connections(worlds: dict[str, World]) -> Iterator[tuple[str, sqlite3.Connection]]:
    for name, world in worlds.items():
        yield name, sqlite3.connect(f"{world.file.as_uri()}?mode=ro", uri=True)


def test_compiled_requests_give_the_gold_of_plain_python(worlds: dict[str, World]) -> None:
    """Two computations that share nothing: the semantic layer and the loops of the generator."""
    models = {name: load(world.model) for name, world in worlds.items()}
    databases = dict(_connections(worlds))
    wrong: list[Any] = []
    seen: set[str] = set()
    for one in pairs(worlds, n=1600, seed=5):
        if one.gold.expect != "rows" or not one.id.endswith("-0"):
            continue
        seen.add(one.cls)
        query = SemanticQuery.model_validate(one.request)
        tenant = "hanbit" if one.world == "pharma" else None
        compiled = compile_query(models[one.world], query, dialect="sqlite", tenant=tenant, roles=["owner"])
        rows = databases[one.world].execute(compiled.sql, compiled.params).fetchall()
        if not any(same_rows(rows, table, names=one.gold.names) for table in one.gold.tables):
            wrong.append((one.cls, one.question, rows[:3], [table[:3] for table in one.gold.tables]))
    for connection in databases.values():
        connection.close()
    assert wrong == []
    assert len(seen) >= 45


SQL = {
    "without": "SELECT count(*) FROM clients WHERE client_id NOT IN"
    " (SELECT client_id FROM shipments WHERE shipped_on BETWEEN ? AND ?)",
    "rows": "SELECT count(*) FROM shipments WHERE shipped_on BETWEEN ? AND ? AND freight > 100000",
    "weekend": "SELECT sum(freight) FROM shipments WHERE shipped_on BETWEEN ? AND ? AND strftime('%w', shipped_on) IN ('0', '6')",
}


def test_conditions_agree_with_sql(worlds: dict[str, World]) -> None:
    from datetime import date

    from evals.generator import gold

    world = worlds["logistics"]
    freight, span = world.metrics["freight"], (date(2026, 7, 1), date(2026, 7, 31))
    rows = gold.rows_of(world, freight, span)
    connection = sqlite3.connect(world.file)
    found = {
        name: connection.execute(sql, [day.isoformat() for day in span]).fetchone()[0]
        for name, sql in SQL.items()
    }
    connection.close()
    assert len(gold.without(world, "client", rows)) == found["without"]
    assert len([row for row in rows if row["freight"] > 100000]) == found["rows"]
    assert gold.figure(freight, [row for row in rows if row["date"].weekday() > 4]) == found["weekend"]


@pytest.mark.parametrize(
    ("word", "particle", "fitting"),
    [
        ("매출", "은", "은"),
        ("수량", "이", "이"),
        ("배송료", "을", "를"),
        ("서울", "으로", "로"),
        ("3", "이", "이"),
        ("2", "은", "는"),
    ],
)
def test_particles_fit_the_last_sound(word: str, particle: str, fitting: str) -> None:
    assert josa(word, particle) == fitting
