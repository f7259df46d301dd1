"""Looks at a turn when it is answered: its warnings and its size go into the state beside the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from metaagent.global_state import GlobalSessionState
from metaagent.level1.dropped_question import LEFT
from metaagent.level1.trim import SIZE, with_warnings
from metaagent.level1.turn_context import TurnContext
from metaagent.monitor import Run, Thresholds, run_warnings, size_warning
from metaagent.values import iso, mapping, number, rows

Work = Callable[[GlobalSessionState, TurnContext], Awaitable[dict[str, Any]]]


def with_turn_warnings(work: Work) -> Work:
    """The work's update with what the monitor has to say about the turn, and about the state that it leads to: how large
    that is, the work has written beside the turn's gist."""

    async def node(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
        update = await work(state, context)
        sizes = [int(number(turn.get(SIZE))) for turn in rows(update.get("conversation_history"))] or [0]
        found = _warnings(state, sizes[-1], sizes[:-1], context)
        return {**update, "warnings": with_warnings(update.get("warnings"), found)} if found else update

    return node


def _warnings(
    state: GlobalSessionState, size: int, past: list[int], context: TurnContext
) -> list[dict[str, Any]]:
    limits = Thresholds(**vars(context.settings.monitor))
    language, at = context.turn.language, iso(context.clock.now())
    found = run_warnings(runs_of(state), context.records, limits, language)
    grown = size_warning(size, [bytes_ for bytes_ in past if bytes_ > 0], limits, language)
    return [
        {
            "id": f"{context.turn.turn_id}-{warning['key']}",
            **{key: value for key, value in warning.items() if key != "key"},
            "timestamp": at,
        }
        for warning in (*found, *([grown] if grown else ()))
    ]


def runs_of(state: Mapping[str, Any]) -> list[tuple[str, Run]]:
    """List what the turn adds to the agents' track records, with the step. Being switched off or stopped at a bound is
    no run."""
    results = mapping(mapping(state.get("execution_manager_state")).get("final_results"))
    ended = [
        (step_id, Run(r["agent"], r["status"] == "completed", r["quality"], r["seconds"]))
        for step_id, r in results.items()
        if r["agent"] and not _never_ran(r)  # a step that was skipped for want of input has none
    ]
    replaced = [(step_id, r["recovered_from"]) for step_id, r in results.items() if "recovered_from" in r]
    return ended + [
        (step_id, Run(r["agent"], False, 0.0, 0.0)) for step_id, r in replaced if not _never_ran(r)
    ]


def _never_ran(result: Mapping[str, Any]) -> bool:
    kind = result["error_type"] or ""
    return kind.startswith("bound:") or kind in {"switched_off", "circuit_open", "access_denied", LEFT}
