"""The frame around every page: navigation, recent conversations, language and theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import SessionInfo
from metaagent.web.page.elements import box, button, icon, link, text
from metaagent.web.page.page_context import ROOT, Visit

RECENT = 12
NAV = (
    ("/sessions", "nav_sessions", "list"),
    ("/approvals", "nav_approvals", "check"),
    ("/documents", "nav_documents", "document"),
    ("/knowledge", "nav_knowledge", "book"),
    ("/memory", "nav_memory", "memory"),
    ("/agents", "nav_agents", "agents"),
    ("/review", "nav_review", "shield"),
)
NEEDED = {
    "/sessions": "session.read",
    "/documents": "document.read",
    "/knowledge": "knowledge.read",
    "/memory": "memory.read",
    "/review": "audit.read",
}
"""The right without which a page has nothing to show."""


class Shell:
    """The side of the page. It follows the path and what changes."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._say = visit.words
        self._links: dict[str, Element] = {}
        self._count: Element | None = None
        self._path = ui.context.client.sub_pages_router.current_path

    async def build(self, pages: Callable[[], object]) -> None:
        say = self._say
        text(say("skip"), "a", "skip", href="#content")
        with box("div", "frame"):
            with box("div", "side", id="side"):
                self._top()
                self._recent = box("div", "recent")
                self._foot()
            with box("main", "main", id="content"):
                with box("div", "topbar"):
                    button(
                        "",
                        kind="quiet",
                        picture="menu",
                        label=say("menu"),
                        data_menu="",
                        aria_expanded="false",
                    )
                    self._brand()
                    box("span", "grow")
                    if self._visit.may("session.ask"):
                        link("", "/", "button quiet icon-only", picture="plus", aria_label=say("new"))
                pages()
        box("button", "scrim", type="button", aria_label=say("close_menu"), tabindex="-1")
        ui.context.client.sub_pages_router.on_path_changed(self._went)
        self._visit.changed.append(self.refresh)
        await self.refresh()

    def _brand(self) -> None:
        with box("a", "brand", href="/"):
            box("span", "brand-mark", aria_hidden="true")
            text("metaagent")

    def _top(self) -> None:
        say = self._say
        self._brand()
        if self._visit.may("session.ask"):
            link(say("new"), "/", "button full", picture="plus")
        with box("nav", "nav", aria_label=say("nav")):
            for path, name, picture in NAV:
                if not self._is_for_them(path):
                    continue
                with box("a", href=path) as made:
                    icon(picture)
                    text(say(name))
                    if path == "/approvals":
                        self._count = box("span")
                self._links[path] = made
        self._mark()

    def _is_for_them(self, path: str) -> bool:
        """Tell whether a page has anything for this person: no menu leads to a refusal."""
        may = self._visit.may
        if path == "/approvals":
            return may("session.approve") or may("compliance.override", own=False)
        needed = NEEDED.get(path)
        return needed is None or may(needed) or may(needed, own=False)

    def _foot(self) -> None:
        visit, say = self._visit, self._say
        user = visit.me.user
        with box("div", "side-foot"):
            with box("div", "grow stack tight"):
                roles = say.roles(user.roles)
                text(user.user_id, "span", "small strong clip", title=user.user_id)
                text(roles, "span", "tiny muted clip", title=roles)
            other = "en" if visit.language == "ko" else "ko"
            self._setting("language", other, "globe", say("language_switch"), lang=other)
            self._setting("theme", "light", "sun", say("theme_light"), classes="when-dark")
            self._setting("theme", "dark", "moon", say("theme_dark"), classes="when-light")
            with box("form", "", method="post", action="/logout"):
                button("", kind="quiet", picture="leave", label=say("log_out"), type="submit")

    def _setting(
        self, name: str, value: str, picture: str, label: str, *, classes: str = "", **attributes: Any
    ) -> None:
        """A choice that the browser keeps: the page is loaded anew with it."""
        with box("form", classes, method="get", action=f"{ROOT}/settings"):
            box("input", type="hidden", name=name, value=value)
            button("", kind="quiet", picture=picture, label=label, type="submit", **attributes)

    def _went(self, path: str) -> None:
        self._path = path
        self._mark()

    def _mark(self) -> None:
        for path, element in self._links.items():
            if self._path.split("?")[0] == path or self._path.startswith(f"{path}/"):
                element.props.update({"aria-current": "page"})
            else:
                element.props.pop("aria-current", None)

    async def refresh(self) -> None:
        """Show the recent conversations and the number of decisions that wait."""
        me, may = self._visit.me, self._visit.may
        pinned = recent = list[SessionInfo]()
        waiting = 0
        try:
            if may("session.read"):
                pinned, recent = await me.pinned_sessions(), await me.sessions(limit=RECENT)
            if may("session.approve") or may("compliance.override", own=False):
                waiting = len(await me.approvals())
        except MetaAgentError:
            return
        kept = {info.session_id for info in pinned}
        self._show_recent(
            {"pinned_ones": pinned, "recent": [each for each in recent if each.session_id not in kept]}
        )
        self._show_count(waiting)

    def _show_recent(self, groups: Mapping[str, Sequence[SessionInfo]]) -> None:
        say = self._say
        self._links = {path: made for path, made in self._links.items() if not path.startswith("/s/")}
        self._recent.clear()
        with self._recent:
            for name, found in groups.items():
                if not found:
                    continue
                text(say(name), "h2")
                with box("ul"):
                    for info in found:
                        path = f"/s/{info.session_id}"
                        with box("li"):
                            self._links[path] = link(info.title or say("untitled"), path, "session-link")
        self._mark()

    def _show_count(self, waiting: int) -> None:
        if self._count is None:
            return
        self._count.clear()
        self._count.classes(replace="count" if waiting else "")
        with self._count:
            if waiting:
                text(str(waiting), aria_hidden="true")
                text(self._say("waiting_count", count=waiting), "span", "hidden-text")
