"""Admission of turns to the work: so many run at once, and a bounded number waits. The next to run is of the company, and in
it of the person, that has the fewest at work and was served longest ago: many questions of one person delay the single
question of another by one at most."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

from metaagent.config import Limits
from metaagent.errors import Text, TooBusy
from metaagent.ports import User

FIRST_GUESS = 1.0
"""Seconds that a turn is thought to take before one has ended."""
NEWEST_COUNTS = 0.2
"""Weight of the turn that ended last in the seconds that turns are thought to take."""
LONGEST_PAUSE = 300
"""Seconds after which anyone may come back."""

_TOO_BUSY = Text(
    en="Every place is taken, and no more questions may wait than do ({count}, `{setting}`). Ask again in {retry_after} s.",
    ko="지금은 자리가 모두 차 있고 기다릴 수 있는 질문도 가득 찼습니다({count}개, `{setting}`). "
    "{retry_after}초 뒤에 다시 물어보세요.",
)

Group = tuple[str, ...]
"""A company, or a person of a company."""


class Share(NamedTuple):
    """The claim of a group to the next place: the smallest comes first."""

    running: int
    served: int
    """The number of the start that was theirs last; 0 if none was."""


@dataclass(eq=False)
class Ticket:
    """The place of one turn: it waits until `begun`, and holds its place until it leaves."""

    person: Group
    leaves: Callable[[Ticket], None]
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    begun_at: float = 0.0
    left: bool = False

    @property
    def company(self) -> Group:
        return self.person[:1]

    def leave(self) -> None:
        if not self.left:
            self.left = True
            self.leaves(self)


class Admission:
    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._slots = self._free = limits.running_turns
        self._bounds = (
            (0, "limits.queued_turns", limits.queued_turns),
            (1, "limits.queued_turns_of_company", limits.queued_turns_of_company),
            (2, "limits.queued_turns_of_person", limits.queued_turns_of_person),
        )
        self._queues: dict[Group, dict[Group, deque[Ticket]]] = {}
        self._waiting: Counter[Group] = Counter()
        self._running: Counter[Group] = Counter()
        self._served: dict[Group, int] = {}
        self._starts = 0
        self._seconds = FIRST_GUESS

    def enter(self, user: User) -> Ticket:
        """A place for one turn of this person; raises TooBusy where as many wait as may."""
        ticket = Ticket((user.company_id, user.user_id), self._leave)
        if self._free:
            self._begin(ticket)
            return ticket
        self._refuse_beyond_bounds(ticket)
        people = self._queues.setdefault(ticket.company, {})
        people.setdefault(ticket.person, deque()).append(ticket)
        self._count(self._waiting, ticket, 1)
        return ticket

    def in_order(self) -> list[Ticket]:
        """Turns that wait, as they would begin if nobody came and nobody ended before."""
        order: list[Ticket] = []
        starts = self._starts
        left = {person: deque(queue) for people in self._queues.values() for person, queue in people.items()}
        companies = [(self._share(company), company) for company in self._queues]
        people = {
            name: [(self._share(person), person) for person in self._queues[name]] for _, name in companies
        }
        for heap in (companies, *people.values()):
            heapq.heapify(heap)
        while companies:
            of_company, company = companies[0]
            of_person, person = people[company][0]
            starts += 1
            order.append(left[person].popleft())
            if left[person]:
                heapq.heapreplace(people[company], (Share(of_person.running + 1, starts), person))
            else:
                heapq.heappop(people[company])
            if people[company]:
                heapq.heapreplace(companies, (Share(of_company.running + 1, starts), company))
            else:
                heapq.heappop(companies)
        return order

    def _refuse_beyond_bounds(self, ticket: Ticket) -> None:
        for depth, setting, most in self._bounds:
            waiting = self._waiting[ticket.person[:depth]]
            if waiting >= most:
                # Room comes with the next start of theirs: starts are shared among those who wait beside them.
                sharing = max(1, sum(len(group) == depth for group in self._waiting))
                pause = ceil(self._seconds * sharing / self._slots)
                retry_after = min(max(pause, 1), LONGEST_PAUSE)
                raise TooBusy(_TOO_BUSY, count=waiting, setting=setting, retry_after=retry_after)

    def _share(self, group: Group) -> Share:
        return Share(self._running[group], self._served.get(group, 0))

    def _begin(self, ticket: Ticket) -> None:
        self._free -= 1
        self._starts += 1
        self._count(self._running, ticket, 1)
        self._served[ticket.company] = self._served[ticket.person] = self._starts
        ticket.begun_at = self._now()
        ticket.begun.set()

    def _leave(self, ticket: Ticket) -> None:
        if not ticket.begun.is_set():
            self._queues[ticket.company][ticket.person].remove(ticket)
            self._stop_waiting(ticket)
        else:
            self._free += 1
            self._seconds += NEWEST_COUNTS * (self._now() - ticket.begun_at - self._seconds)
            self._count(self._running, ticket, -1)
            if self._queues:
                self._begin(self._next())
        # Keep nothing of those who neither work nor wait.
        for group in (ticket.company, ticket.person):
            if group not in self._running and group not in self._waiting:
                self._served.pop(group, None)

    def _next(self) -> Ticket:
        company = min(self._queues, key=self._share)
        people = self._queues[company]
        ticket = people[min(people, key=self._share)].popleft()
        self._stop_waiting(ticket)
        return ticket

    def _stop_waiting(self, ticket: Ticket) -> None:
        self._count(self._waiting, ticket, -1)
        people = self._queues[ticket.company]
        if not people[ticket.person]:
            del people[ticket.person]
        if not people:
            del self._queues[ticket.company]

    def _count(self, counts: Counter[Group], ticket: Ticket, more: int) -> None:
        for depth in range(3):
            group = ticket.person[:depth]
            counts[group] += more
            if not counts[group]:
                del counts[group]
