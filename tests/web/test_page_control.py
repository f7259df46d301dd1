"""A turn at work in the page: paused, cancelled, held back by a check and let through, and a conversation of 10,000 turns."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from metaagent.acting import Acting
from metaagent.audit.store import Where
from metaagent.errors import InputRefused, Text
from metaagent.plugin import AgentSpec
from metaagent.ports import User
from metaagent.registry import LoadProblem
from metaagent.storage.tables import turns
from metaagent.web.page import mounting, sessions
from tests.support.agents import Runs, drawing, failing, figures, flaky, gate, opened, worker
from tests.support.browser import PASSWORD, Chromium, Page
from tests.support.gate_world import World, checking, storing, writing
from tests.support.naughty_strings import naughty_strings
from tests.support.processes import exit_code
from tests.support.web import KIM, LEE, POLICIES, Site, listening, site

T = TypeVar("T")
HAN = User("han", "acme", ("compliance_officer", "approver"))
TURNS = 10_000


@asynccontextmanager
async def visited(
    data: Path, browser: Chromium, *agents: AgentSpec, people: tuple[User, ...] = (KIM,), **settings: Any
) -> AsyncGenerator[tuple[Site, list[Page]]]:
    """A server with these agents, and a window for each person, who is logged in."""
    async with (
        site(data, *agents, web={"auth": ["accounts"]}, approval={"mode": "never"}, **settings) as here,
        listening(here.web) as address,
    ):
        pages = list[Page]()
        for person in people:
            await here.app.accounts.add(person.user_id, person, PASSWORD, user=User())
            page = browser.page(address)
            pages.append(await asyncio.to_thread(page.log_in, person.user_id))
        yield here, pages
        for page in pages:
            await asyncio.to_thread(page.leave)


async def done(work: Callable[[], T]) -> T:
    """Let somebody do this in the browser while the server works."""
    return await asyncio.to_thread(work)


async def within(work: Awaitable[T]) -> T:
    async with asyncio.timeout(60):
        return await work


async def test_damaged_turn_is_told_without_internal_names(data: Path, runs: Runs, browser: Chromium):
    def spoil(connection: sa.Connection) -> None:
        connection.execute(turns.update().values(body=sa.text("zeroblob(80)")))

    async with visited(data, browser, figures(runs)) as (here, (page,)):
        await done(lambda: page.ask("figures").find(".actions"))
        inside: Any = here.app
        await inside._store.transaction(spoil)
        await done(lambda: page.open(page.run("return location.pathname")).reads("cannot be read"))
        assert "store/" not in page.text
        assert not page.all(".turn .question, .turn .actions")


async def test_paused_turn_starts_nothing_until_it_goes_on(data: Path, runs: Runs, browser: Chromium):
    held = gate()
    agents = (figures(runs, before=held), drawing(runs))
    async with visited(data, browser, *agents) as (_, (page,)):
        await done(lambda: page.ask("drawing").find(".plan"))
        await within(held.arrived.wait())
        await done(lambda: page.press("Pause").reads("Paused: the steps that are running"))
        held.opened.set()
        await within(runs.reached("figures"))
        await done(lambda: page.find(".plan .step.completed"))
        await done(lambda: page.open(page.run("return location.pathname")).find(".plan .step.completed"))
        await done(lambda: page.reads("Paused: the steps that are running"))
        assert runs.of("drawing") == 0
        await done(lambda: page.press("Go on").find(".actions"))
        assert runs.of("drawing") == 1
        await done(lambda: page.reads("drawing done"))


def _die_in_the_middle(data: Path, runs: Runs) -> None:
    async def die(_task: Any, _ctx: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def work() -> None:
        async with opened(data, figures(runs), drawing(runs, before=die), access=POLICIES) as app:
            await app.ask("drawing", user=KIM)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("pressed", "said", "ran"), [("Finish it", "drawing done", 2), ("Drop it", "Cancelled", 1)]
)
async def test_turn_that_was_cut_off_is_finished_or_dropped(
    data: Path, runs: Runs, browser: Chromium, pressed: str, said: str, ran: int
):
    assert exit_code(_die_in_the_middle, data, runs) == -signal.SIGKILL
    async with visited(data, browser, figures(runs), drawing(runs)) as (_, (page,)):
        await done(lambda: page.open("/sessions").reads("cut off").press("drawing", ".lines"))
        await done(lambda: page.reads("cut off before its answer").find(".composer button[type=submit]"))
        await done(lambda: page.press(pressed).reads(said).find(".actions"))
        await done(lambda: page.reads_not("cut off before its answer"))
        assert (runs.of("figures"), runs.of("drawing")) == (1, ran)


async def test_new_plan_says_why_it_was_made(data: Path, runs: Runs, browser: Chromium):
    held = gate()
    first = failing(runs, "first", can="report", makes="report", cost=1)
    other = worker(runs, "other", can="report", makes="report", takes=("dataset",), cost=2, before=held)
    async with visited(data, browser, first, other, figures(runs)) as (_, (page,)):
        await done(lambda: page.ask("report").find(".plan"))
        await within(held.arrived.wait())
        await done(lambda: page.reads("New plan: “first” failed: the source is gone"))
        held.opened.set()
        await done(lambda: page.reads("other done").reads_not("New plan:"))


async def test_queued_question_says_its_place_and_gets_its_turn(data: Path, runs: Runs, browser: Chromium):
    held, one = gate(), {"running_turns": 1}
    agents, people = (figures(runs, before=held),), (KIM, LEE)
    async with visited(data, browser, *agents, people=people, limits=one) as (_, (kim, lee)):
        await done(lambda: kim.ask("figures").find(".working"))
        await within(held.arrived.wait())
        await done(lambda: lee.ask("figures").reads("Waiting for its turn: number 1 in the queue"))
        assert runs.of("figures") == 1, "only the first was begun"
        held.opened.set()
        await done(lambda: kim.reads("figures done"))
        await done(lambda: lee.reads("figures done").reads_not("Waiting for its turn"))


async def test_cancelled_turn_says_so_and_leaves_the_box_free(data: Path, runs: Runs, browser: Chromium):
    held = gate()
    async with visited(data, browser, worker(runs, "figures", before=held)) as (_, (page,)):
        await done(lambda: page.ask("figures").find(".working"))
        await within(held.arrived.wait())
        await done(lambda: page.press("Cancel").reads("Cancelled"))
        held.opened.set()
        await done(lambda: page.ask("figures").reads("figures done"))


async def test_closed_gate_is_shown_and_let_through_by_the_officer(data: Path, browser: Chromium):
    world = World()
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with visited(data, browser, *agents, people=(KIM, HAN)) as (_, (kim, han)):
        await done(lambda: kim.ask("write a report, check it and store it").reads("Held back"))
        await done(lambda: kim.reads("gift limit · fair trade (1)"))
        assert not await done(
            lambda: [each.text for each in kim.all("button") if "Let it through" in each.text]
        )
        assert world.stored == 0
        await done(lambda: han.open("/approvals").reads("gift limit · fair trade (1)"))
        await done(lambda: han.press("Let it through").reads("Give a reason"))
        assert world.stored == 0, "without a reason nothing happens"
        await done(
            lambda: han.write("Reason (on record)", "agreed with the hospital").press("Let it through")
        )
        await done(lambda: kim.find(".actions"))
        assert world.stored == 1
        await done(lambda: kim.reads("Let through by a person").reads("han let it through: agreed with"))
        await done(lambda: kim.reads_not("Blocked by a rule"))
        await done(lambda: han.reads("Nothing waits"))


async def test_agent_is_switched_off_and_on(data: Path, runs: Runs, browser: Chromium):
    safe, yu = User("oh", "acme", ("security_officer",)), User("yu", "acme", ("employee",))
    async with visited(data, browser, figures(runs), people=(KIM, safe, yu)) as (here, (kim, oh, other)):
        await done(lambda: oh.open("/agents").press("Switch off: figures").reads("switched off"))
        await done(lambda: kim.ask("figures").find(".actions"))
        assert runs.of("figures") == 0
        await done(lambda: oh.press("Switch on: figures").reads("figures works again"))
        await done(lambda: kim.ask("figures").reads("figures done"))
        broken = LoadProblem("mailing", "mail-kit", Text(en="Install it again.", ko="다시 설치하세요."))
        object.__setattr__(here.app.registry, "problems", (broken,))
        await done(
            lambda: other.open("/agents").reads("figures").reads("mailing (mail-kit): Install it again.")
        )
        assert not await done(lambda: [each for each in other.all("button") if "Switch" in each.text])


async def test_deleted_conversation_is_gone_when_its_time_is_over(
    data: Path, runs: Runs, browser: Chromium, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sessions, "UNDO_SECONDS", 0)
    async with visited(data, browser, figures(runs)) as (here, (page,)):
        await done(lambda: page.ask("figures").reads("figures done"))
        await done(lambda: page.open("/sessions").press("Delete: figures").reads("No conversation yet."))
        await done(lambda: page.reads("Deleted."))
        assert await here.app.sessions(user=KIM) == []


async def test_conversation_is_copied_from_the_list(data: Path, runs: Runs, browser: Chromium):
    async with visited(data, browser, figures(runs)) as (here, (page,)):
        await done(lambda: page.ask("figures").reads("figures done"))
        await done(
            lambda: page.open("/sessions").press("Copy as a new conversation: figures").find(".actions")
        )
        assert len(await here.app.sessions(user=KIM)) == 2
        await done(lambda: page.ask("figures").find(".turn:nth-of-type(2) .actions"))


async def test_list_shows_what_was_searched_for_last(
    data: Path, runs: Runs, browser: Chromium, monkeypatch: pytest.MonkeyPatch
):
    search, show = Acting.search_sessions, sessions.Sessions._show  # pyright: ignore[reportPrivateUsage]
    held, late, shown = asyncio.Event(), asyncio.Event(), list[str]()

    async def searched(self: Acting, text: str, **options: Any) -> Any:
        if text == "f":
            await held.wait()
        found = await search(self, text, **options)
        (late if text == "f" else held).set()
        return found

    def showing(self: Any, wanted: str, **options: Any) -> None:
        shown.append(wanted)
        show(self, wanted, **options)

    monkeypatch.setattr(Acting, "search_sessions", searched)
    monkeypatch.setattr(sessions.Sessions, "_show", showing)
    async with visited(data, browser, figures(runs)) as (_, (page,)):
        await done(lambda: page.ask("figures").reads("figures done"))
        await done(lambda: page.open("/sessions").find(".row-link"))
        await done(lambda: page.write("Search conversations", "f"))
        await done(lambda: page.write("Search conversations", "x").reads("No conversation contains “fx”."))
        await within(late.wait())
        await done(lambda: page.reads("No conversation contains “fx”."))
    assert shown == ["", "fx"]


async def test_deletion_that_was_taken_back_waits_for_nothing(data: Path, runs: Runs, browser: Chromium):
    def waiting() -> list[str]:
        return [each.get_name() for each in asyncio.all_tasks() if each.get_name() == "delete a session"]

    async with visited(data, browser, figures(runs)) as (_, (page,)):
        await done(lambda: page.ask("figures").reads("figures done"))
        await done(lambda: page.open("/sessions").press("Delete: figures").find(".notice"))
        assert waiting()
        await done(lambda: page.press("Undo").reads_not("will be deleted").find(".row-link"))
        assert not waiting()


async def test_open_page_leaves_when_its_log_in_is_ended(
    data: Path, runs: Runs, browser: Chromium, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mounting, "STILL_SECONDS", 0.2)
    async with visited(data, browser, figures(runs)) as (here, (page,)):
        await done(lambda: page.open("/memory").find("h1"))
        assert await here.app.accounts.end_logins("kim", user=User()) == 1
        await done(lambda: page.reads("Password"))


async def test_step_that_was_tried_again_says_so(data: Path, runs: Runs, browser: Chromium):
    async with visited(data, browser, flaky(runs, 1)) as (_, (page,)):
        await done(lambda: page.ask("flaky").reads("flaky done").find(".actions"))
        await done(lambda: page.find("details summary").click())
        await done(lambda: page.reads("done · attempt 2"))
        await done(page.driver.refresh)
        await done(lambda: page.find("details summary").click())
        await done(lambda: page.reads("done · attempt 2"))


async def test_page_of_a_reviewer_is_no_attempt_at_what_is_refused(data: Path, browser: Chromium):
    reviewer = User("park", "acme", ("reviewer",))
    async with visited(data, browser, people=(reviewer,)) as (here, (page,)):
        await done(lambda: page.open("/review").reads("Logged in"))
        refused = await here.app.governance.audit_list(Where(event="access.refused"), user=reviewer)
        assert refused == []


async def test_conversation_of_ten_thousand_turns_opens_at_its_end(data: Path, runs: Runs, browser: Chromium):
    async with visited(data, browser, figures(runs)) as (here, (page,)):
        session = (await here.app.ask("figures", user=KIM)).session_id
        await _lengthened(here, session)
        await done(lambda: page.open(f"/s/{session}").reads(f"question {TURNS}"))
        assert await done(lambda: len(page.all(".turn"))) == 20
        await done(lambda: page.until(lambda: page.run(_AT_END), "not at its end"))
        await done(lambda: page.press("Show earlier questions").reads(f"question {TURNS - 30}"))
        await done(lambda: page.find(".turn:nth-of-type(40)"))
        asked = [each.text for each in await done(lambda: page.all(".turn > .question"))]
        assert asked == [f"question {number}" for number in range(TURNS - 39, TURNS + 1)]
        place = await done(lambda: float(page.run(_PLACE, f"question {TURNS - 19}")))
        assert 0 <= place < 900, "what was read is out of view"


async def test_strings_that_break_software_are_shown_as_asked(data: Path, runs: Runs, browser: Chromium):
    async with visited(data, browser, figures(runs)) as (here, (page,)):
        me, taken = here.app.acting_for(KIM), list[str]()
        session: str | None = None
        for said in naughty_strings():
            try:
                answer = await me.ask(said, session_id=session, on_waiting="discard")
            except InputRefused:
                continue  # told so: nothing is stored that could be shown
            session = answer.session_id
            taken.append(said)
        assert len(taken) > 200
        await done(lambda: page.open(f"/s/{session}").find(".turn"))
        await done(lambda: page.until(lambda: page.run(_NO_EARLIER), "there are always earlier ones"))
        await done(lambda: page.until(lambda: page.run(_AS_MANY, len(taken)), "not all are shown"))
        shown = await done(lambda: page.run(_QUESTIONS))
        assert shown == taken
        assert not await done(page.problems)


_NO_EARLIER = "const more = document.querySelector('[data-earlier]'); more?.click(); return !more"
_AS_MANY = "return document.querySelectorAll('.turn > .question').length === arguments[0]"
_QUESTIONS = "return [...document.querySelectorAll('.turn > .question')].map((each) => each.textContent)"


_PLACE = (
    "const said = arguments[0];"
    "return [...document.querySelectorAll('.turn')].find((t) => t.querySelector('.question').textContent === said)"
    ".getBoundingClientRect().top"
)
_AT_END = "const s = document.querySelector('.scroll.follow'); return s.scrollHeight - s.scrollTop - s.clientHeight < 200"


async def _lengthened(here: Site, session: str) -> None:
    """Let the conversation have had many turns, as they would be stored."""
    inside: Any = here.app
    store = inside._store
    (first,) = await here.app.turns(session, user=KIM)
    made = [
        store._turn_values(
            replace(first, turn_id=f"t{number:016x}", number=number, question=f"question {number}")
        )
        for number in range(2, TURNS + 1)
    ]
    from metaagent.storage.tables import sessions, turns

    def write(connection: Any) -> None:
        connection.execute(turns.insert(), made)
        connection.execute(sessions.update().values(turns=TURNS))

    await store.transaction(write)
