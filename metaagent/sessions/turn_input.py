"""The input that a turn begins with: every field of the state that begins anew."""

from __future__ import annotations

from langchain_core.messages import HumanMessage

from metaagent.global_state import OVERWRITE, REDUCED
from metaagent.ports import Json, Turn
from metaagent.state.manager import StateManager

KEPT_BETWEEN_TURNS = frozenset(
    {
        "conversation_history",
        "total_tokens_used",
        "api_calls_made",
        "db_queries_executed",
        "loaded_memories",
        "user_preferences",
        "audit_trail",
    }
)


def first_input(turn: Turn, *, fresh: bool = False) -> Json:
    """A fresh session gets what is known: an empty field would cost two rows in the checkpoints to say nothing.
    Otherwise every field that begins anew with a turn."""
    user = turn.user
    state: Json = {
        **StateManager().create_session_state(turn.session_id, user.user_id, user.company_id, turn.turn_id)
    }
    state["messages"] = [HumanMessage(content=turn.question, id=f"{turn.turn_id}-q")]
    state["workflow_status"] = "running"
    if turn.number == 1 and fresh:
        return {key: value for key, value in state.items() if value}
    return {
        # Begins anew with each turn, but would merge; a message joins those before it.
        key: {OVERWRITE: value} if key in REDUCED and key != "messages" else value
        for key, value in state.items()
        if key not in KEPT_BETWEEN_TURNS
    }
