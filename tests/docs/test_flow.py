from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.global_state import Phase
from metaagent.graph import APPROVAL, NODES, build_graph
from metaagent.state.transitions import POSSIBLE, determine_next_phase
from tests.support.documents import DOCS, GENERATED, generated_part
from tests.support.states import sessions, tried

HINT = "run `python -m tests.support.documents`"


@pytest.mark.parametrize("name", GENERATED)
def test_documents_that_follow_from_the_code_are_up_to_date(name: str):
    assert generated_part(name) == GENERATED[name](), HINT


def test_the_graph_has_a_node_for_every_phase_and_nothing_else():
    nodes = set(build_graph().get_graph().nodes) - {"__start__", "__end__"}
    assert nodes == {APPROVAL, *NODES.values()}


@tried
@given(sessions, st.sampled_from(sorted(POSSIBLE)))
def test_next_phase_of_any_state_is_in_the_diagram(state: dict[str, Any], phase: Phase):
    assert determine_next_phase({**state, "current_phase": phase}) in POSSIBLE[phase]


def test_turn_begins_with_analysis_and_ends_with_response():
    edges = {(edge.source, edge.target) for edge in build_graph().get_graph().edges}
    assert {target for source, target in edges if source == "__start__"} == {"query_analyzer"}
    assert {source for source, target in edges if target == "__end__"} == {"responder"}
    assert not {source for source, _ in edges} - {"__start__", APPROVAL, *NODES.values()}


def test_flow_document_describes_every_node():
    text = (DOCS / "flow.md").read_text(encoding="utf-8")
    assert all(f"**{node}**" in text for node in NODES.values())
