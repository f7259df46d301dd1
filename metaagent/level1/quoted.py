"""Texts that a question quotes as documents of the turn: what is to be stored need not have been made or attached before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.level1.planning.turn_plan import usable_agents
from metaagent.level1.query_analyzer.requests.quoting import quotations
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import Artifact

DOCUMENT = "document"
LONGEST_TITLE = 40


def with_quoted(analysis: Mapping[str, Any], question: str, context: TurnContext) -> dict[str, Any]:
    """The analysis with the texts that the question quotes, where somebody is asked to do something with a document and nobody to
    make one. Their ids follow from their content, so making them again is a no-op."""
    required = set(analysis.get("required_capabilities") or ())
    asked = [
        agent for agent in usable_agents(context) if required & {each.name for each in agent.capabilities}
    ]
    takes = any(agent.side_effects and DOCUMENT in agent.taken_kinds for agent in asked)
    makes = any({DOCUMENT, "dataset"} & agent.produces.keys() for agent in asked)
    if not takes or makes:
        return dict(analysis)
    texts = [question[start:end].strip() for start, end in quotations(question)]
    given = [context.journal.put(Artifact(DOCUMENT, text, _title(text)), made_by="") for text in texts]
    return {**analysis, "given": [ref.as_json() for ref in given]} if given else dict(analysis)


def _title(text: str) -> str:
    first = " ".join(text.split("\n", 1)[0].split())
    return first if len(first) <= LONGEST_TITLE else f"{first[: LONGEST_TITLE - 1].rstrip()}…"
