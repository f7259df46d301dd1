"""Questions about drawn companies, in several styles of names: how many are right, and that none is silently wrong."""

from __future__ import annotations

import pytest

from evals.companies import asked, filled, questions, sql_of
from evals.judge import RIGHT, SILENT
from evals.worlds.companies import drawn

LEAST = 0.8
"""The share of questions that must be right: a floor under what was measured, 0.83 to 0.93 in these styles."""


@pytest.mark.parametrize("seed", [2, 4])
async def test_questions_about_a_drawn_company_are_right_or_said(seed: int):
    scored = await asked(seed, None, None)
    assert [one.question for one in scored if one.verdict == SILENT] == []
    assert sum(one.verdict == RIGHT for one in scored) / len(scored) >= LEAST


def test_a_drawn_company_has_two_wordings_of_each_meaning():
    made = list(questions(drawn(3)))
    assert {one["lang"] for one in made} == {"ko", "en"}
    assert len({(one["class"], one["lang"]) for one in made}) == len(made)
    assert not [one for one in made if "{" in one["question"] or "[" in "".join(one["sql_alternatives"])]


def test_names_in_sql_and_wordings_are_those_of_the_company():
    company = drawn(4)
    assert (
        sql_of("SELECT count(*) FROM [job]", company) == f'SELECT count(*) FROM "{company.table("job")}" job'
    )
    assert filled("{customer}은(는)", company, "ko")[-1] in "은는"
