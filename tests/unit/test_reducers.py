from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metaagent.global_state import (
    merge_agent_states,
    merge_audit,
    merge_records,
    merge_steps,
)
from metaagent.reducers import AUDIT_ENTRIES_IN_STATE
from metaagent.values import content, number
from tests.support.states import agent_runs, names, nested, oddities, plain, records, steps, tried

Reducer = Callable[[Any, Any], Any]

CASES: list[tuple[Reducer, st.SearchStrategy[Any]]] = [
    (merge_agent_states, st.dictionaries(names, agent_runs | oddities, max_size=3)),
    (merge_steps, st.lists(steps | oddities, max_size=4)),
    (merge_records, st.lists(records | oddities, max_size=4)),
    (merge_audit, st.lists(records | oddities, max_size=4)),
]


def entry(n: int) -> dict[str, str]:
    return {"id": f"e{n}", "timestamp": f"{n:04}"}


each_reducer = pytest.mark.parametrize(
    ("merge", "values"), CASES, ids=["agent_states", "steps", "records", "audit"]
)


@each_reducer
@tried
@given(data=st.data())
def test_the_order_and_the_grouping_of_writers_do_not_matter(
    merge: Reducer, values: st.SearchStrategy[Any], data: st.DataObject
):
    values = values | st.none() | oddities
    a, b, c = data.draw(values), data.draw(values), data.draw(values)
    assert content(merge(a, b)) == content(merge(b, a))
    assert content(merge(merge(a, b), c)) == content(merge(a, merge(b, c)))


@each_reducer
@tried
@given(data=st.data())
def test_writing_again_changes_nothing_and_nobody_is_mutated(
    merge: Reducer, values: st.SearchStrategy[Any], data: st.DataObject
):
    a, b = data.draw(values), data.draw(values)
    before = content([a, b])
    once = merge(a, b)
    for again in (a, b, once, None):
        assert content(merge(once, again)) == content(once)
    assert content(merge(a, b)) == content(once)
    assert content([a, b]) == before


@tried
@given(st.lists(st.builds(entry, st.integers(0, 120)), max_size=70))
def test_the_audit_keeps_the_newest_however_it_was_split(entries: list[dict[str, Any]]):
    whole = merge_audit(entries, None)
    middle = len(entries) // 2
    assert whole == merge_audit(merge_audit(None, entries[middle:]), merge_audit(entries[:middle], []))
    assert len(whole) <= AUDIT_ENTRIES_IN_STATE
    assert whole == sorted(whole, key=lambda entry: entry["timestamp"])


def test_the_audit_in_the_state_is_bounded():
    everything = [entry(n) for n in range(AUDIT_ENTRIES_IN_STATE + 20)]
    assert merge_audit(everything[:40], everything[40:]) == everything[20:]


def test_a_step_never_goes_back():
    done, started = {"step_id": "s1", "status": "completed"}, {"step_id": "s1", "status": "in_progress"}
    assert merge_steps([done], [started]) == [done]
    further = {**started, "progress_percentage": 40}
    assert merge_steps([further], [started]) == [further]


def test_steps_are_in_the_order_of_their_ids():
    assert [s["step_id"] for s in merge_steps([{"step_id": "s10"}], [{"step_id": "s9"}])] == ["s9", "s10"]


def test_the_later_run_of_an_agent_wins():
    old = {"start_time": "2025-01-10T09:00:00.000Z"}
    new = {"start_time": "2025-01-10T09:00:01.000Z"}
    assert merge_agent_states({"a": new, "b": old}, {"a": old}) == {"a": new, "b": old}


def test_records_without_an_id_are_kept_and_not_doubled():
    lost = {"message": "no id"}
    assert merge_records([lost], [{"id": "e1"}, lost]) == [{"id": "e1"}, lost]
    assert merge_steps([{"task": "no id"}], [{"task": "no id"}]) == [{"task": "no id"}]


def test_value_that_is_no_record_is_left_out():
    wrong: Any = ["boom", None, 3]
    assert merge_records(wrong, [{"id": "e1"}]) == [{"id": "e1"}]
    assert merge_records(wrong[0], None) == []


def test_very_deep_values_do_not_break_a_merge():
    deep = {"id": "e1", "detail": nested(5000)}
    assert len(merge_records([deep], [{"id": "e1", "detail": nested(4000)}])) == 1


def test_a_very_long_number_does_not_break_a_merge():
    assert len(merge_records([{"id": "e1", "n": 10**5000}], [{"id": "e1", "n": 10**5001}])) == 1


def test_keys_that_print_alike_stay_distinct():
    assert content({1: "a"}) != content({"1": "a"})
    assert content({"a": 1, "b": 2}) == content({"b": 2, "a": 1})


@pytest.mark.parametrize("value", [True, "3", None, float("nan"), float("inf"), 10**400])
def test_only_finite_numbers_are_numbers(value: object):
    assert number(value) == 0
    assert number(2.5) == 2.5


@tried
@given(st.lists(st.dictionaries(st.text(max_size=3), plain, max_size=3), max_size=3))
def test_merged_records_survive_the_checkpoint(entries: list[dict[str, Any]]):
    serde = JsonPlusSerializer()
    merged = merge_records(entries, None)
    assert serde.loads_typed(serde.dumps_typed(merged)) == merged
