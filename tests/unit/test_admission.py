"""Who runs next: equal shares for companies and their people, a bounded queue, and nothing kept of those who left."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.config import Limits
from metaagent.errors import TooBusy
from metaagent.ports import User
from metaagent.sessions.admission import Admission, Ticket

ANN, BOB, EVE = User("ann", "acme"), User("bob", "acme"), User("eve", "evil")


def _admission(slots: int = 1, **bounds: int) -> Admission:
    return Admission(Limits.model_validate({"running_turns": slots, **bounds}))


def _served(admission: Admission, running: list[Ticket]) -> list[str]:
    """End one turn after the other, and say whose begins each time."""
    begun: list[str] = []
    while running:
        waiting = admission.in_order()
        running.pop(0).leave()
        running += [ticket for ticket in waiting if ticket.begun.is_set()]
        begun += [ticket.person[1] for ticket in waiting if ticket.begun.is_set()]
    return begun


@pytest.mark.parametrize("slots", [1, 4, 64])
@pytest.mark.parametrize("other", [BOB, EVE])
def test_500_questions_delay_anothers_by_one(slots: int, other: User):
    admission = _admission(slots)
    asked = [admission.enter(ANN) for _ in range(500)]
    single = admission.enter(other)
    assert admission.in_order()[0] is single
    next(ticket for ticket in asked if ticket.begun.is_set()).leave()
    assert single.begun.is_set()


def test_companies_share_equally_whatever_their_size():
    admission = _admission()
    running = [admission.enter(User("first", "other"))]
    for number in range(9):
        admission.enter(User(f"p{number}", "acme"))
    for _ in range(9):
        admission.enter(EVE)
    begun = _served(admission, running)
    assert begun[:10].count("eve") == 5
    assert Counter(begun) == {"eve": 9, **dict.fromkeys((f"p{n}" for n in range(9)), 1)}


def test_who_has_fewer_at_work_comes_first():
    admission = _admission(slots=3)
    anns = [admission.enter(ANN) for _ in range(6)]
    bobs = [admission.enter(BOB) for _ in range(3)]
    anns[0].leave()
    anns[1].leave()
    # Bob has none at work, so he comes first; then both have one, and he was served last.
    assert [ticket.begun.is_set() for ticket in bobs] == [True, False, False]
    assert anns[3].begun.is_set()


@pytest.mark.parametrize(
    ("setting", "fillers", "late"),
    [
        ("queued_turns", [ANN, EVE], User("new", "third")),
        ("queued_turns_of_company", [ANN, BOB], User("new", "acme")),
        ("queued_turns_of_person", [ANN, ANN], ANN),
    ],
)
def test_full_queue_refuses_and_says_when_to_come_back(setting: str, fillers: list[User], late: User):
    admission = _admission(**{setting: 2})
    running = admission.enter(User("first", "first"))
    for user in fillers:
        admission.enter(user)
    with pytest.raises(TooBusy) as refusal:
        admission.enter(late)
    assert refusal.value.retry_after >= 1
    assert f"limits.{setting}" in refusal.value.say("en")
    assert f"{refusal.value.retry_after}초" in refusal.value.say("ko")
    running.leave()
    admission.enter(late)


def test_time_to_come_back_follows_how_long_turns_take():
    now = [0.0]
    admission = Admission(Limits.model_validate({"running_turns": 1, "queued_turns": 0}), lambda: now[0])
    for _ in range(30):
        ticket = admission.enter(ANN)
        now[0] += 40.0
        ticket.leave()
    admission.enter(ANN)
    with pytest.raises(TooBusy) as refusal:
        admission.enter(BOB)
    assert 35 <= refusal.value.retry_after <= 40


STEPS = st.lists(st.tuples(st.sampled_from((ANN, BOB, EVE)), st.booleans(), st.integers(0, 20)), max_size=60)


@given(STEPS, st.integers(1, 3))
def test_no_place_stands_empty_and_nobody_is_forgotten(steps: list[tuple[User, bool, int]], slots: int):
    admission = _admission(slots)
    inside: list[Ticket] = []
    for user, enters, which in steps:
        if enters or not inside:
            inside.append(admission.enter(user))
        else:
            inside.pop(which % len(inside)).leave()
        running = [ticket for ticket in inside if ticket.begun.is_set()]
        waiting = [ticket for ticket in inside if not ticket.begun.is_set()]
        assert len(running) == min(slots, len(inside))
        order = admission.in_order()
        assert {*order} == {*waiting}
        assert len(order) == len(waiting)
        if waiting:
            leaver = running[which % len(running)]
            inside.remove(leaver)
            leaver.leave()
            leaver.leave()  # a second time changes nothing
            assert len([ticket for ticket in waiting if ticket.begun.is_set()]) == 1
    for ticket in inside:
        ticket.leave()
    kept = vars(admission)
    assert not [name for name in ("_queues", "_waiting", "_running", "_served") if kept[name]]
