"""The page's own small set of elements: plain HTML tags with our classes, icons, and the components in `assets`.

Every text becomes a text node, never markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

E = TypeVar("E", bound=Element)
ASSETS = Path(__file__).parent / "assets"
DATE = re.compile(r"(\d{4}-\d\d(?:-\d\d)?(?: \d\d:\d\d)?)")
RUNNING = frozenset({"p", "span", "li", "dd", "td"})
"""Tags of text that goes over several lines."""

ICONS = {
    "ask": "M4 5h16v11H10l-6 4z",
    "plus": "M12 5v14M5 12h14",
    "list": "M5 7h14M5 12h14M5 17h9",
    "search": "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M15.5 15.5L20 20",
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "cross": "M6 6l12 12M18 6L6 18",
    "document": "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
    "book": "M4 5h5.5A2.5 2.5 0 0 1 12 7.5A2.5 2.5 0 0 1 14.5 5H20v13h-5.5a2.5 2.5 0 0 0-2.5 2a2.5 2.5 0 0 0-2.5-2H4zM12 7.5V20",
    "memory": "M7 4h10v16l-5-4l-5 4z",
    "agents": "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
    "shield": "M12 3l7 3v6c0 4.5-3 7.5-7 9c-4-1.5-7-4.5-7-9V6zM9 12l2 2l4-4",
    "menu": "M4 7h16M4 12h16M4 17h16",
    "download": "M12 4v11M7 10.5l5 5l5-5M5 20h14",
    "copy": "M9 9h11v11H9zM5 15H4V4h11v1",
    "pause": "M9 6v12M15 6v12",
    "play": "M8 5l11 7l-11 7z",
    "stop": "M7 7h10v10H7z",
    "chevron": "M9 6l6 6l-6 6",
    "back": "M19 12H5M11 6l-6 6l6 6",
    "up": "M12 19V5M6 11l6-6l6 6",
    "down": "M12 5v14M6 13l6 6l6-6",
    "arrow": "M5 12h14M13 6l6 6l-6 6",
    "moon": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
    "sun": "M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
    "globe": "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M3 12h18M12 3c3.5 3.5 3.5 14.5 0 18c-3.5-3.5-3.5-14.5 0-18",
    "fork": "M6 4v16M6 12c6 0 12 0 12-7M15 8l3-3l3 3",
    "trash": "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
    "pencil": "M4 20l1-4L16 5l3 3L8 19z",
    "people": "M9 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6M3.5 19c.5-3.5 3-5 5.5-5s5 1.5 5.5 5M16 5.5a3 3 0 0 1 0 5.5M17 14c2 .5 3 2 3.5 5",
    "pin": "M9 4h6l-1 7l3 3H7l3-3zM12 14v6",
    "warn": "M12 4l9 16H3zM12 10v4M12 17v.01",
    "info": "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 11v5M12 8v.01",
    "leave": "M14 4H6v16h8M11 12h10M17 8l4 4l-4 4",
    "more": "M5 12h.01M12 12h.01M19 12h.01",
}  # fmt: skip


def box(tag: str = "div", classes: str = "", **attributes: object) -> Element:
    """An element to put others into. `aria_label` becomes `aria-label`."""
    return _dressed(Element(tag), classes, attributes)


def text(said: str, tag: str = "span", classes: str = "", **attributes: object) -> TextElement:
    """A text; browsers break lines at hyphens, and a date in it stays on one line."""
    parts = DATE.split(said) if tag in RUNNING else [said]
    made = _dressed(TextElement(tag=tag, text=said if len(parts) == 1 else ""), classes, attributes)
    if len(parts) > 1:
        with made:
            for number, part in enumerate(parts):
                if part:
                    _dressed(TextElement(tag="span", text=part), "unbroken" if number % 2 else "", {})
    return made


def _dressed(element: E, classes: str, attributes: dict[str, object]) -> E:
    if classes:
        element.classes(classes)
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    element.props.update({key: value for key, value in given.items() if value is not None})
    return element


def icon(name: str, classes: str = "") -> None:
    with box("svg", f"icon {classes}".strip(), viewBox="0 0 24 24", aria_hidden="true"):
        box("path", d=ICONS[name])


def button(
    said: str,
    on_click: Callable[..., Any] | None = None,
    *,
    kind: str = "",
    picture: str = "",
    label: str = "",
    **attributes: object,
) -> Element:
    """A button with words, or with a picture alone that `label` names."""
    classes = f"button {kind}".strip() + ("" if said else " icon-only")
    made = box("button", classes, **{"type": "button", **attributes})
    if label:
        made.props.update({"aria-label": label, "title": label})
    with made:
        if picture:
            icon(picture)
        if said:
            text(said)
    if on_click is not None:
        made.on("click", on_click, args=[])
    return made


def link(said: str, href: str, classes: str = "", *, picture: str = "", **attributes: object) -> Element:
    with box("a", classes, href=href, **attributes) as made:
        if picture:
            icon(picture)
        if said:
            text(said, classes="clip")
    return made


def chip(said: str, kind: str = "", **attributes: object) -> None:
    with box("span", f"chip {kind}".strip(), **attributes):
        text(said, classes="clip")


def notice(said: str, kind: str = "", *, role: str = "status") -> Element:
    with box("div", f"notice {kind}".strip(), role=role) as made:
        icon({"bad": "warn", "warn": "warn", "ok": "check"}.get(kind, "info"))
        text(said, "span", "grow")
    return made


def empty(said: str, picture: str) -> None:
    with box("div", "empty"):
        icon(picture)
        text(said, "p")


def working(said: str) -> TextElement:
    """Three quiet dots and words that say what is waited for; the words, to be changed."""
    with box("div", "working", role="status"):
        with box("span", "dots", aria_hidden="true"):
            for _ in range(3):
                box("i")
        return text(said)


def ended(wait: TextElement, said: str) -> None:
    """Say in the place of what was waited for why it does not come; nothing moves any more."""
    wait.set_text(said)
    around = wait.parent_slot
    assert around is not None
    around.parent.classes("still")


def facts(pairs: Sequence[tuple[str, str]]) -> None:
    with box("dl", "facts"):
        for name, value in pairs:
            text(name, "dt")
            text(value, "dd")


def disclosure(said: str, classes: str = "") -> Element:
    """A part that opens below its title."""
    made = box("details", classes)
    with made, box("summary", "button quiet"):
        icon("chevron", "small")
        text(said)
    return made


def page_head(title: str, intro: str) -> None:
    with box("header", "page-head"):
        text(title, "h1", tabindex="-1")
        text(intro, "p")


def titled(title: str, path: str, about: Sequence[str]) -> None:
    """One thing of a list: its title, which leads to it, and what is to be said of it."""
    with box("div", "grow stack tight"):
        link(title, path, "strong clip row-link")
        text(" · ".join(about), "span", "tiny muted")


def missing(title: str, why: str) -> None:
    """Say that what an address names is not there."""
    with box("div", "stack tight"):
        text(title, "h1", tabindex="-1")
        text(why, "p", "muted")


def toast(said: str) -> None:
    """Say it for a moment, in the colours of our style: the library would have white letters in every theme. A newer
    one takes the place of an older."""
    ui.notify(said, position="bottom", classes="toast-note", timeout=2500, textColor="toast", group="toast")


class RichText(Element, component=ASSETS / "rich_text.js"):
    """Blocks of text with citations that can be opened."""

    def __init__(self, blocks: Sequence[Any], on_cite: Callable[[int], Any] | None = None) -> None:
        super().__init__()
        self.props.update({"blocks": list(blocks)})
        if on_cite is not None:
            self.on("cite", lambda event: on_cite(int(event.args)))


class Passage(Element, component=ASSETS / "passage.js"):
    """A passage of a document, as `passage_of` read it."""

    def __init__(self, blocks: Sequence[Any]) -> None:
        super().__init__()
        self.props.update({"blocks": list(blocks)})


class DataTable(Element, component=ASSETS / "data_table.js"):
    """A table that the browser sorts."""

    def __init__(self, view: dict[str, Any]) -> None:
        super().__init__()
        self.props.update(view)


class VegaChart(Element, component=ASSETS / "vega_chart.js"):
    """A chart that the browser draws from its spec."""

    def __init__(self, view: dict[str, Any]) -> None:
        super().__init__()
        self.props.update(view)


class PlanGraph(Element, component=ASSETS / "plan_graph.js"):
    """The steps of a plan, as they run."""

    def __init__(self, steps: Sequence[Any], texts: dict[str, str]) -> None:
        super().__init__()
        self.props.update({"steps": list(steps), "texts": texts})

    def show(self, steps: Sequence[Any]) -> None:
        self.props.update({"steps": list(steps)})


class Composer(Element, component=ASSETS / "composer.js"):
    """The box that questions are written in."""

    def __init__(
        self, view: dict[str, Any], on_send: Callable[[Any], Any], on_stop: Callable[[], Any]
    ) -> None:
        super().__init__()
        self.props.update(view)
        self.on("send", lambda event: on_send(event.args))
        self.on("stop", on_stop, args=[])

    def show(self, *, working: bool, answering: bool) -> None:
        """Offer to stop what is at work, and say whether what is written answers a question."""
        self.props.update({"working": working, "answering": answering})
