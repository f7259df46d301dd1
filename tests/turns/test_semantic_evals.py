from __future__ import annotations

import sqlite3
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pytest

from evals.analysis import HERE, Question, by_request, gold, questions, same, score
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.loader import loads
from metaagent.demo import create_demo
from tests.support.semantic_support import pharma

if TYPE_CHECKING:
    from pathlib import Path

NOW = date(2026, 11, 16)


def test_there_are_enough_questions_in_both_languages_and_halves():
    asked = questions(HERE / "analysis.yaml", NOW)
    assert len(asked) >= 80
    assert len({one.id for one in asked}) == len(asked)
    assert sum(one.language == "en" for one in asked) >= 25
    assert abs(sum(one.split == "test" for one in asked) - len(asked) / 2) <= 1
    assert len(questions(HERE / "analysis_chinook.yaml", NOW)) >= 25


@pytest.mark.parametrize("now", [NOW, date(2026, 1, 1), date(2027, 3, 31)])
def test_understood_questions_have_the_expected_result(tmp_path: Path, now: date):
    create_demo(f"sqlite:///{tmp_path / 'pharma.db'}", now=now, scale=0.15)
    connection = sqlite3.connect(tmp_path / "pharma.db")
    asked = questions(HERE / "analysis.yaml", now)
    for tenant in ("hanbit", "saebyeok"):
        gold_rows = partial(gold, connection, tenant=tenant)
        wrong = score(asked, gold_rows, by_request(pharma(), connection, tenant))
        assert [(one.id, why) for one, why in wrong] == []
    connection.close()


def test_expected_results_are_not_empty(tmp_path: Path):
    create_demo(f"sqlite:///{tmp_path / 'pharma.db'}", now=NOW)
    connection = sqlite3.connect(tmp_path / "pharma.db")
    for one in questions(HERE / "analysis.yaml", NOW):
        rows = gold(connection, one, "hanbit")
        assert rows, one.id
        # A new product has nothing to be compared with.
        assert one.against or all(row[-1] is not None for row in rows), one.id
    connection.close()


@pytest.mark.public_data("chinook.sqlite")
def test_inferred_model_answers_questions_on_chinook(public: Path):
    model = loads(infer(f"sqlite:///{public}"))
    connection = sqlite3.connect(f"{public.as_uri()}?mode=ro", uri=True)
    asked = questions(HERE / "analysis_chinook.yaml", NOW)
    wrong = score(asked, lambda one: gold(connection, one, None), by_request(model, connection, None))
    assert [(one.id, why) for one, why in wrong] == []
    connection.close()


def test_a_wrong_result_is_seen():
    assert not same([(1, "a")], [(1, "b")])
    assert not same([(1.0,)], [(1.01,)])
    assert not same([(1,), (2,)], [(2,), (1,)], ordered=True)
    assert same([(1,), (2,)], [(2,), (1,)])
    assert not same([(1,)], [(1,), (1,)])
    one = Question("x", "dev", "en", "?", "SELECT 1", {})

    def broken(_: Question) -> list[tuple[int]]:
        raise RuntimeError("no")

    assert score([one], lambda _: [(1,)], broken)[0][1] == "RuntimeError: no"
    assert score([one], lambda _: [(1,)], lambda _: [(2,)])
