"""Looks at a turn when it is answered: its warnings and its size go into the state beside the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from metaagent.adapters.compressed_serde import default_serde
from metaagent.global_state import GlobalSessionState
from metaagent.level1.desk import Desk
from metaagent.level1.tidying import with_warnings
from metaagent.monitor import StateMonitor, Thresholds, run_warnings, size_warning
from metaagent.plain import mapping, number, rows
from metaagent.ports import Run
from metaagent.times import iso

Work = Callable[[GlobalSessionState, Desk], Awaitable[dict[str, Any]]]


def watched(work: Work) -> Work:
    """The work's update with what the monitor has to say about the state that it leads to."""
    monitor = StateMonitor(default_serde())

    async def node(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
        update = await work(state, desk)
        after = _after(state, update)
        size = monitor.size(after)
        *earlier, this = rows(after.get("conversation_history")) or [{}]
        found = _warnings(state, size, [int(number(turn.get("state_bytes"))) for turn in earlier], desk)
        history = [*earlier, {**this, "state_bytes": size}] if this else []
        return {
            **update,
            "conversation_history": history,
            "warnings": with_warnings(update.get("warnings"), found),
        }

    return node


OVERWRITE = "__overwrite__"
"""How an update says that a field which merges is to be replaced."""


def _after(state: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """The state as it will be, near enough to measure it: messages and errors are appended."""
    merged = {name: with_warnings(state.get(name), update.get(name) or ()) for name in ("messages", "errors")}
    replaced = {
        name: value[OVERWRITE]
        for name, value in update.items()
        if isinstance(value, Mapping) and OVERWRITE in value
    }
    return {**state, **update, **merged, **replaced}


def _warnings(state: GlobalSessionState, size: int, past: list[int], desk: Desk) -> list[dict[str, Any]]:
    limits = Thresholds(**desk.settings.monitor.model_dump())
    language, at = desk.turn.language, iso(desk.clock.now())
    found = run_warnings(runs_of(state), desk.records, limits, language)
    grown = size_warning(size, [bytes_ for bytes_ in past if bytes_ > 0], limits, language)
    return [
        {
            "id": f"{desk.turn.turn_id}-{warning['key']}",
            **{key: value for key, value in warning.items() if key != "key"},
            "timestamp": at,
        }
        for warning in (*found, *([grown] if grown else ()))
    ]


def runs_of(state: Mapping[str, Any]) -> list[tuple[str, Run]]:
    """What the turn adds to the agents' track records, with the step. Being switched off or stopped at a bound is
    no run."""
    results = mapping(mapping(state.get("execution_manager_state")).get("final_results"))
    ended = [
        (step_id, Run(r["agent"], r["status"] == "completed", r["quality"], r["seconds"]))
        for step_id, r in results.items()
        if r["agent"] and r["status"] in {"completed", "failed"} and not _never_ran(r)
    ]
    replaced = [(step_id, r["recovered_from"]) for step_id, r in results.items() if "recovered_from" in r]
    return ended + [
        (step_id, Run(r["agent"], False, 0.0, 0.0)) for step_id, r in replaced if not _never_ran(r)
    ]


def _never_ran(result: Mapping[str, Any]) -> bool:
    kind = result["error_type"] or ""
    return kind.startswith("bound:") or kind in {"switched_off", "circuit_open", "access_denied"}
