"""Conversations: all of them, pinned ones first, searched, marked, copied, exported and deleted; and those of colleagues."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import quote

from nicegui import background_tasks, ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import ENDED, SessionInfo
from metaagent.web.page.elements import box, button, chip, empty, link, notice, page_head, text, toast
from metaagent.web.page.fields import Field
from metaagent.web.page.files import session_address
from metaagent.web.page.marks import mark_buttons
from metaagent.web.page.page_context import Visit, attempt

AT_ONCE = 50
UNDO_SECONDS = 8
STATES = {
    "waiting": "accent",
    "running": "accent",
    "queued": "accent",
    "interrupted": "warn",
    "failed": "bad",
}


async def page(visit: Visit) -> None:
    ui.page_title(f"{visit.words('sessions_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        page_head(visit.words("sessions_title"), visit.words("sessions_intro"))
        await Sessions(visit).build()


class Sessions:
    """Holds the list as it was searched, and what is about to be deleted."""

    def __init__(self, visit: Visit) -> None:
        self._visit, self._say = visit, visit.words
        self._shown: list[SessionInfo] = []
        self._pinned: list[SessionInfo] = []
        self._leaving: set[str] = set()
        self._asked = 0
        """Counts the loads: one that was overtaken by another shows nothing."""

    async def build(self) -> None:
        with box("div", "stack"):
            self._search = Field(
                self._say("search_sessions"),
                hint=self._say("search_sessions"),
                kind="search",
                on_change=self._searched,
                hidden_label=True,
            )
            self._notes = box("div", "stack tight")
            self._list = box("div")
            self._more = box("div")
            self._others = box("div", "stack")
        await self._load()

    async def _searched(self, _said: str) -> None:
        await self._load()

    async def _load(self, *, more: bool = False) -> None:
        me, wanted = self._visit.me, self._search.value.strip()
        self._asked += 1
        number = self._asked
        before = self._shown[-1].updated_at if more and self._shown else None
        try:
            found = await (
                me.search_sessions(wanted, limit=AT_ONCE)
                if wanted
                else me.sessions(limit=AT_ONCE, before=before)
            )
            pinned = [] if wanted else [each for each in await me.pinned_sessions() if not each.shared_by]
            others = [] if wanted else await me.shared_sessions(limit=AT_ONCE)
        except MetaAgentError as error:
            self._list.clear()
            with self._list:
                notice(self._visit.told(error), "warn", role="alert")
            return
        if number != self._asked:
            return
        self._shown = [*self._shown, *found] if more else list(found)
        self._pinned = pinned
        self._show(wanted, alone=not others)
        self._show_others(others)
        self._more.clear()
        if len(found) == AT_ONCE and not wanted:
            with self._more:
                button(self._say("more"), lambda: self._load(more=True))

    def _show(self, wanted: str, *, alone: bool = True) -> None:
        self._list.clear()
        kept = {info.session_id for info in self._pinned}
        listed = [*self._pinned, *(info for info in self._shown if info.session_id not in kept)]
        rows = [info for info in listed if info.session_id not in self._leaving]
        with self._list:
            if not rows and alone:
                empty(
                    self._say("sessions_none", text=wanted) if wanted else self._say("sessions_empty"), "list"
                )
            if not rows:
                return
            with box("ul", "card flat lines"):
                for info in rows:
                    self._row(info)

    def _show_others(self, others: Sequence[SessionInfo]) -> None:
        """Conversations of colleagues, to be read."""
        self._others.clear()
        if not others:
            return
        with self._others:
            text(self._say("shared_to_me"), "h2")
            with box("ul", "card flat lines"):
                for info in others:
                    self._row(info)

    def _row(self, info: SessionInfo) -> None:
        say, title = self._say, info.title or self._say("untitled")
        with box("li", "line"):
            with box("div", "grow stack tight"):
                link(title, f"/s/{quote(info.session_id)}", "strong clip row-link")
                with box("div", "row-line"):
                    of = [say("of_person", name=info.shared_by)] if info.shared_by else []
                    about = [self._visit.time(info.updated_at), say.counted("turn_count", info.turns), *of]
                    text(" · ".join(about), "span", "tiny muted")
                    if info.shared:
                        chip(say("shared_mark"))
                    if info.status in STATES:
                        chip(say(f"status_{info.status}"), STATES[info.status])
            with box("div", "row-line"):
                self._buttons(info, title)

    def _buttons(self, info: SessionInfo, title: str) -> None:
        say, session = self._say, info.session_id
        mark_buttons(self._visit, info, title, self._marked)
        if info.shared_by:
            return

        async def fork() -> None:
            made = await attempt(self._visit, self._copied(session), done=say("forked"))
            if made is not None:
                ui.navigate.to(f"/s/{quote(made.session_id)}")

        def delete() -> None:
            self._delete(info, title)

        button("", fork, kind="quiet", picture="fork", label=f"{say('fork')}: {title}")
        link(
            "",
            session_address(session),
            "button quiet icon-only",
            picture="download",
            download="",
            aria_label=f"{say('export')}: {title}",
            title=say("export"),
        )
        button("", delete, kind="quiet danger", picture="trash", label=f"{say('delete')}: {title}")

    async def _copied(self, session: str) -> SessionInfo:
        """A conversation that goes on from the last turn of this one that has ended."""
        turns = await self._visit.me.turns(session, limit=2)
        last = next((each for each in turns if each.status in ENDED), turns[0])
        return await self._visit.me.fork(session, turn=last.number)

    async def _marked(self) -> None:
        await self._load()
        await self._visit.tell()

    def _delete(self, info: SessionInfo, title: str) -> None:
        """Out of the list at once, out of the store when nobody has taken it back."""
        self._leaving.add(info.session_id)
        self._show(self._search.value.strip())
        with self._notes:
            note = notice(self._say("deleting", title=title, seconds=UNDO_SECONDS))
        task = background_tasks.create(
            self._carry_out(info, note), name="delete a session", context=self._list
        )

        def undo() -> None:
            task.cancel()
            note.delete()
            self._leaving.discard(info.session_id)
            self._show(self._search.value.strip())

        with note:
            button(self._say("undo"), undo, kind="quiet")

    async def _carry_out(self, info: SessionInfo, note: Element) -> None:
        await asyncio.sleep(UNDO_SECONDS)
        try:
            await self._visit.me.delete_session(info.session_id)
            said = self._say("deleted")
        except MetaAgentError as error:
            self._leaving.discard(info.session_id)
            said = self._visit.told(error)
        if not note.is_deleted:
            note.delete()
            toast(said)
            await self._load()
            await self._visit.tell()
