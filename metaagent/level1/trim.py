"""The end of each turn: what the answer adds to the state goes in together with what no longer fits into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.errors import MetaAgentError, Text
from metaagent.global_state import OVERWRITE, GlobalSessionState, merge_records
from metaagent.level1 import summary as rules
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import Artifact
from metaagent.ports import Summarizer
from metaagent.state.optimizer import Moved, StateLimits, StateOptimizer, is_summary
from metaagent.values import mapping, sequence

SIZE = "state_bytes"
"""The field of a turn's gist that says how large the state was after it."""

_LARGE = Text(
    en="The session's state has {size:,} bytes (state.warn_bytes: {limit:,}). Agents should return large data as artifacts.",
    ko="세션 상태가 {size:,}바이트입니다(state.warn_bytes: {limit:,}). 큰 데이터는 아티팩트로 돌려주어야 합니다.",
)
_MOVED = Text(en="Moved out of the state: {path}", ko="상태에서 옮긴 값: {path}")


async def trimmed(
    state: GlobalSessionState, update: Mapping[str, Any], context: TurnContext
) -> dict[str, Any]:
    """The update, so that the state after it is within its bounds. Nothing to do costs one measuring of the state."""
    limits = StateLimits(**vars(context.settings.state))
    optimizer = StateOptimizer(limits)
    # The state as it will be. The responder writes to two fields that merge: messages and errors.
    messages = [*(state.get("messages") or ()), *update.get("messages", ())]
    errors = merge_records(state.get("errors"), update.get("errors"))
    after = {**state, **update, "messages": messages, "errors": errors}
    text = await _summary(optimizer, after, context)

    def store(moved: Moved) -> str:
        said = _MOVED.say(context.turn.language, path=moved.path)
        made_by = f"{context.turn.turn_id}/state"
        return context.journal.put(Artifact("state_value", moved.value, said), made_by=made_by).id

    result = optimizer.optimize(after, text, store)
    if result.moved:
        # Stored before the checkpoint that refers to it.
        await context.journal.flush()
    trimmed_update = {**update, **result.update}
    *earlier, this = sequence(trimmed_update.get("conversation_history")) or [{}]
    trimmed_update["conversation_history"] = [*earlier, {**mapping(this), SIZE: result.size}]
    if result.large:
        said = _LARGE.say(context.turn.language, size=result.size, limit=limits.warn_bytes)
        trimmed_update["warnings"] = with_warnings(
            trimmed_update.get("warnings"), [context.warning("state_large", said)]
        )
    return trimmed_update


async def _summary(optimizer: StateOptimizer, state: Mapping[str, Any], context: TurnContext) -> str:
    removed = optimizer.excess(state)
    if not removed:
        return ""
    previous = next((str(m.content) for m in state["messages"] if is_summary(m)), "")
    language, limit = context.turn.language, optimizer.limits.summary_chars
    if isinstance(context.reasoner, Summarizer):
        try:
            return await context.reasoner.summarize(previous, removed, language, limit)
        except MetaAgentError:
            # A model that fails here must not cost the person the answer: the rules sum up instead.
            return rules.summarize(previous, removed, language, limit)
    return rules.summarize(previous, removed, language, limit)


def with_warnings(value: Any, more: Sequence[Any]) -> Any:
    if isinstance(value, Mapping):
        return {OVERWRITE: [*sequence(mapping(value).get(OVERWRITE)), *more]}
    return [*sequence(value), *more]
