"""Approvals: plans and closed gates that this person may decide on, of others and their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import Json
from metaagent.web.page.effect_preview import Look
from metaagent.web.page.elements import box, empty, notice, page_head, text
from metaagent.web.page.page_context import Visit, attempt
from metaagent.web.page.waiting import Decide, show_gate, show_plan

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
    """Shows the list, and each thing of it for as long as it waits: what somebody writes on one is not lost when another
    comes or goes."""

    def __init__(self, visit: Visit, place: Element) -> None:
        self._visit = visit
        with place:
            self._note, self._place = box("div", "unless-empty"), box("div", "stack wide")
        self._cards: dict[str, Element] = {}
        self._noted: str | None = None

    async def look(self) -> None:
        try:
            self._update(await self._visit.me.approvals())
        except MetaAgentError:
            return

    async def load(self) -> None:
        try:
            found = await self._visit.me.approvals()
        except MetaAgentError as error:
            self._say(self._visit.told(error), lambda said: notice(said, "warn", role="alert"))
            return
        self._update(found)

    def _update(self, found: Sequence[Json]) -> None:
        """Remove what waits no more, and add what is new."""
        waiting = {str(each["id"]): each for each in found}
        for gone in self._cards.keys() - waiting.keys():
            self._cards.pop(gone).delete()
        for at, (name, each) in enumerate(waiting.items()):
            if name not in self._cards:
                with self._place:
                    self._cards[name] = self._show(each)
                self._cards[name].move(target_index=at)
        self._say("" if waiting else self._visit.words("approvals_empty"), lambda said: empty(said, "check"))

    def _say(self, said: str, show: Callable[[str], object]) -> None:
        """Say this instead of the list, once: what is there already stays as it is."""
        if said == self._noted:
            return
        self._noted = said
        self._note.clear()
        if said:
            with self._note:
                show(said)

    def _show(self, waiting: Json) -> Element:
        visit, say = self._visit, self._visit.words
        own = waiting["asked_by"] == visit.me.user.user_id
        name = str(waiting.get("asked") or say("gate_title"))
        with box("article", "stack", id=f"waiting-{waiting['session_id']}", aria_label=name) as card:
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
        return card

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
