"""A question that the data cannot answer ends no topic: the next goes on with the turn before it."""

from __future__ import annotations

import pytest

from metaagent.level1.nodes.respond import gist_of

READ = {
    "semantic_request": {"metrics": ["sales_amount"]},
    "parsed_intents": [{"intent": "lookup"}],
    "unread": ["xyzzy"],
    "earlier": [{"semantic_request": {"metrics": ["visit_count"]}}],
}


def _results(error: str | None) -> list[dict[str, object]]:
    return [{"agent": "data_analysis", "status": "failed" if error else "completed", "error_type": error}]


def test_a_request_that_the_data_has_not_is_forgotten():
    kept = gist_of(READ, _results("semantic_invalid"), {})
    assert not {"semantic_request", "parsed_intents", "unread"} & {*kept}
    assert kept["earlier"] == READ["earlier"]


@pytest.mark.parametrize("error", [None, "timeout"])
def test_a_request_that_can_be_tried_again_is_kept(error: str | None):
    assert gist_of(READ, _results(error), {})["semantic_request"] == READ["semantic_request"]
