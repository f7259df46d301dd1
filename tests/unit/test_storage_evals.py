"""Tables and records of three databases find their table, and no column is written to a wrong one without asking."""

from __future__ import annotations

import pytest

from evals.storage import run


@pytest.mark.thorough
def test_tables_and_columns_are_right():
    score = run()
    assert score.cases == 60
    assert score.target >= 0.9, score.missed
    assert score.wrong == []
