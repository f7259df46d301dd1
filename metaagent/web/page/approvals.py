"""Approvals: plans and closed gates that this person may decide on, of others and their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import Json
from metaagent.web.page.elements import box, empty, notice, page_head, text
from metaagent.web.page.visit import Visit, attempt
from metaagent.web.page.waiting import Decide, show_gate, show_plan
from metaagent.web.page.would_be import Look

SECONDS = 3.0
"""Between two looks at what waits, while the page is open."""


async def page(visit: Visit) -> None:
    ui.page_title(f"{visit.words('approvals_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        with box("div", "row-line spread"):
            page_head(visit.words("approvals_title"), visit.words("approvals_intro"))
        shown = Approvals(visit, box("div", "stack wide"))
        await shown.load()
        ui.timer(SECONDS, shown.look)


class Approvals:
    """Shows the list, and shows it anew only when it has changed: what is being written is not lost."""

    def __init__(self, visit: Visit, place: Element) -> None:
        self._visit, self._place = visit, place
        self._seen: list[str] | None = None

    async def look(self) -> None:
        try:
            found = await self._visit.me.approvals()
        except MetaAgentError:
            return
        if [each["id"] for each in found] != self._seen:
            await self.load()

    async def load(self) -> None:
        say = self._visit.words
        try:
            found = await self._visit.me.approvals()
        except MetaAgentError as error:
            with self._place:
                notice(error.say(self._visit.language), "warn", role="alert")
            return
        self._seen = [each["id"] for each in found]
        self._place.clear()
        with self._place:
            if not found:
                empty(say("approvals_empty"), "check")
            for each in found:
                self._show(each)

    def _show(self, waiting: Json) -> None:
        visit, say = self._visit, self._visit.words
        own = waiting["asked_by"] == visit.me.user.user_id
        name = str(waiting.get("asked") or say("gate_title"))
        with box("article", "stack", id=f"waiting-{waiting['session_id']}", aria_label=name):
            with box("div", "stack tight"):
                if waiting.get("asked"):
                    text(str(waiting["asked"]), "h2")
                text(
                    say("asked_by", person=waiting["asked_by"], since=visit.time(waiting["since"])),
                    "p",
                    "small muted",
                )
            if waiting["kind"] == "override":
                show_gate(visit, waiting, self._decider(waiting, visit.me.begin_override))
            else:
                decide = self._decider(waiting, visit.me.begin_approve)
                look = Look(visit, waiting["session_id"])
                show_plan(visit, waiting, decide, may=True, own=own, look=look)

    def _decider(self, waiting: Json, begin: Callable[..., Awaitable[object]]) -> Decide:
        visit, say = self._visit, self._visit.words

        async def decide(said: str, reason: str) -> None:
            work = begin(waiting["session_id"], said, question_id=waiting["id"], reason=reason)
            done = "decision_reject" if said == "reject" else "decision_approve"
            if await attempt(visit, work, done=say(done, person=waiting["asked_by"])) is not None:
                await self._after()

        return decide

    async def _after(self) -> None:
        await self.load()
        await self._visit.tell()
