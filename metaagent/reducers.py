"""Reducers: how parallel writes to one field of the state become one value.

Each is a join: commutative, associative and idempotent, so that neither the order of parallel writers nor a replay changes
the outcome. None raises, whatever it is given: a record without its key is kept under a key made from its content, and what
is no record at all is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from metaagent.values import content, mapping, number, rows, text

AUDIT_ENTRIES_IN_STATE = 50

Json = dict[str, Any]
_STEP_RANK = {"pending": 0, "in_progress": 1, "skipped": 2, "failed": 3, "completed": 4}

_Rank = Callable[[Mapping[str, Any]], Any]


def _later(left: Any, right: Any, rank: _Rank) -> Any:
    """The one that got further; equals are told apart by their content, never by who came first."""
    ranks = rank(left), rank(right)
    if ranks[0] != ranks[1]:
        return left if ranks[0] > ranks[1] else right
    return left if content(left) >= content(right) else right


def _join(items: Iterable[tuple[Any, Any]], rank: _Rank) -> dict[Any, Any]:
    merged: dict[Any, Any] = {}
    for key, item in items:
        merged[key] = _later(merged[key], item, rank) if key in merged else item
    return merged


def _join_rows(left: object, right: object, key: str, rank: _Rank) -> list[tuple[str, Json]]:
    records = rows(left) + rows(right)
    return list(_join(((text(r.get(key)) or content(r), r) for r in records), rank).items())


def merge_messages(left: Any, right: Any) -> Any:
    """Merge as LangGraph does: by id, and a RemoveMessage takes one out."""
    from langgraph.graph.message import add_messages

    return add_messages(left, right)


def merge_agent_states(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any]:
    """Merge by agent; the state of the later run wins."""
    return _join((*mapping(left).items(), *mapping(right).items()), _run_rank)


def _run_rank(state: object) -> tuple[bool, str, str]:
    run = mapping(state)
    return isinstance(state, Mapping), text(run.get("start_time")), text(run.get("end_time"))


def merge_steps(left: Sequence[Json] | None, right: Sequence[Json] | None) -> list[Json]:
    """Merge by step id; a step never goes back to an earlier status. In the order of step ids as planned."""
    merged = _join_rows(left, right, "step_id", _step_rank)
    return [step for _, step in sorted(merged, key=lambda item: (len(item[0]), item[0]))]


def _step_rank(step: Mapping[str, Any]) -> tuple[int, float]:
    return _STEP_RANK.get(text(step.get("status")), -1), number(step.get("progress_percentage"))


def merge_records(left: Sequence[Json] | None, right: Sequence[Json] | None) -> list[Json]:
    """Errors and warnings, by id, in the order in which they happened."""
    merged = _join_rows(left, right, "id", _moment)
    return [record for _, record in sorted(merged, key=lambda item: (_moment(item[1]), item[0]))]


def _moment(record: Mapping[str, Any]) -> str:
    return text(record.get("timestamp"))


def merge_audit(left: Sequence[Json] | None, right: Sequence[Json] | None) -> list[Json]:
    """The newest entries; the whole trail is in the audit log."""
    return merge_records(left, right)[-AUDIT_ENTRIES_IN_STATE:]
