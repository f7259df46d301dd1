"""Buttons by which people rename, pin and share a conversation, wherever it is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from metaagent.ports import Json, SessionInfo
from metaagent.web.page.elements import box, button, empty, text
from metaagent.web.page.evidence import sheet
from metaagent.web.page.fields import Field
from metaagent.web.page.page_context import Visit, attempt

Changed = Callable[[], Awaitable[None]]


def mark_buttons(visit: Visit, info: SessionInfo, title: str, changed: Changed) -> None:
    """Pin for whoever reads it; rename and share for whose it is. `changed` is called after each."""
    say, session = visit.words, info.session_id

    async def pin() -> None:
        work = visit.me.pin_session(session, pinned=not info.pinned)
        if await attempt(visit, work, done=say("unpinned" if info.pinned else "pinned")) is not None:
            await changed()

    async def rename() -> None:
        await _rename(visit, info, changed)

    async def share() -> None:
        found = await attempt(visit, visit.me.session_shares(session))
        if isinstance(found, list):
            Sharing(visit, info, changed).build(cast("list[Json]", found))

    button(
        "",
        pin,
        kind="quiet on" if info.pinned else "quiet",
        picture="pin",
        label=f"{say('unpin' if info.pinned else 'pin')}: {title}",
        aria_pressed="true" if info.pinned else "false",
    )
    if info.shared_by:
        return
    button("", rename, kind="quiet", picture="pencil", label=f"{say('rename')}: {title}")
    button(
        "",
        share,
        kind="quiet on" if info.shared else "quiet",
        picture="people",
        label=f"{say('share')}: {title}",
        aria_haspopup="dialog",
    )


async def _rename(visit: Visit, info: SessionInfo, changed: Changed) -> None:
    say = visit.words

    async def save() -> None:
        work = visit.me.rename_session(info.session_id, field.value)
        if await attempt(visit, work, done=say("renamed")) is not None:
            close()
            await changed()

    with sheet(visit, say("rename"), outlives=True) as close:
        field = Field(say("title"), value=info.title)
        field.on_enter(save)
        with box("div", "row-line"):
            button(say("save"), save, kind="main-action")
            button(say("cancel"), close)


class Sharing:
    """The sheet that says who may read a conversation, and changes it."""

    def __init__(self, visit: Visit, info: SessionInfo, changed: Changed) -> None:
        self._visit, self._say, self._session = visit, visit.words, info.session_id
        self._changed = changed

    def build(self, found: list[Json]) -> None:
        say = self._say
        with sheet(self._visit, say("share"), outlives=True):
            text(say("share_means"), "p", "small muted")
            self._person = Field(say("share_person"))
            self._person.on_enter(self._with_one)
            with box("div", "row-line"):
                button(say("share"), self._with_one, kind="main-action")
                button(say("share_all"), self._with_all)
            self._place = box("div", "stack", aria_live="polite")
            self._show(found)

    async def _with_one(self) -> None:
        name = self._person.value.strip()
        if name and await self._change(
            self._visit.me.share_session(self._session, name), self._say("shared")
        ):
            self._person.clear_text()

    async def _with_all(self) -> None:
        await self._change(self._visit.me.share_session(self._session), self._say("shared"))

    async def _change(self, work: Awaitable[list[Json]], done: str) -> bool:
        """Do it and show who may read it now; tell whether it was done."""
        now = await attempt(self._visit, work, done=done)
        if not isinstance(now, list):
            return False
        self._show(cast("list[Json]", now))
        await self._changed()
        return True

    def _show(self, readers: list[Json]) -> None:
        self._place.clear()
        with self._place:
            if not readers:
                empty(self._say("shared_nobody"), "people")
                return
            text(self._say("shared_with"), "h3")
            with box("ul", "card flat lines"):
                for each in readers:
                    self._line(each["person"])

    def _line(self, person: str | None) -> None:
        name = person or self._say("everybody")

        async def stop() -> None:
            work = self._visit.me.unshare_session(self._session, person)
            await self._change(work, self._say("unshared"))

        with box("li", "line"):
            text(name, "span", "grow clip")
            button(
                self._say("unshare"), stop, kind="quiet danger", aria_label=f"{self._say('unshare')}: {name}"
            )
