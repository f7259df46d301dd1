"""Memory: what is known of this person, added to and forgotten."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element

from metaagent.ports import Json
from metaagent.web.page.elements import box, button, chip, empty, page_head, text
from metaagent.web.page.evidence import sheet
from metaagent.web.page.fields import Field
from metaagent.web.page.page_context import Visit, attempt, shown


async def page(visit: Visit) -> None:
    say = visit.words
    ui.page_title(f"{say('memory_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        page_head(say("memory_title"), say("memory_intro"))
        with box("div", "stack wide"):
            with box("div", "card") as adding, box("div", "row-line bottom"):
                with box("div", "grow"):
                    field = Field(say("memory_add"), hint=say("memory_hint"))

                async def add() -> None:
                    if not field.value.strip():
                        return
                    if (
                        await attempt(visit, visit.me.remember(field.value.strip()), done=say("remembered"))
                        is not None
                    ):
                        field.clear_text()
                        await shown(visit, _list(visit, place))

                field.on_enter(add)
                button(say("remember"), add, kind="main-action")
            adding.set_visibility(visit.may("memory.change"))
            place = box("div")
            await shown(visit, _list(visit, place))


async def _list(visit: Visit, place: Element) -> None:
    found = await visit.me.memories()
    place.clear()
    with place:
        if not found:
            empty(visit.words("memory_empty"), "memory")
            return
        with box("ul", "card flat lines"):
            for each in found:
                _row(visit, each, place)


def _row(visit: Visit, memory: Json, place: Element) -> None:
    say, said = visit.words, str(memory["text"])

    async def forget() -> None:
        if await attempt(visit, visit.me.forget(str(memory["id"])), done=say("forgotten")) is not None:
            await shown(visit, _list(visit, place))

    def correct() -> None:
        _correct(visit, memory, place)

    with box("li", "line"):
        with box("div", "grow stack tight"):
            text(said, "p")
            with box("div", "row-line"):
                chip(say.either(f"memory_kind_{memory['kind']}", str(memory["kind"])))
                until = memory.get("expires_at")
                kept = [say("memory_until", day=visit.time(until)[:10])] if until else []
                text(" · ".join([visit.time(memory["updated_at"]), *kept]), "span", "tiny muted")
        if memory["kind"] != "conclusion":  # told by an answer, and dated: it can only be forgotten
            button(
                say("correct"),
                correct,
                kind="quiet",
                picture="pencil",
                label=say("correct_one", text=said[:60]),
            )
        button(
            say("forget"),
            forget,
            kind="quiet danger",
            picture="trash",
            label=say("forget_one", text=said[:60]),
        )


def _correct(visit: Visit, memory: Json, place: Element) -> None:
    """A sheet to say it as it is: what is said takes the place of what was kept."""
    say = visit.words

    async def save() -> None:
        told = field.value.strip()
        if not told or told == str(memory["text"]):
            close()
            return
        made = await attempt(visit, visit.me.remember(told), done=say("corrected"))
        if made is None:
            return
        if made["id"] != memory["id"]:
            await attempt(visit, visit.me.forget(str(memory["id"])))
        close()
        await shown(visit, _list(visit, place))

    with sheet(visit, say("correct"), outlives=True) as close:
        field = Field(say("memory_text"), value=str(memory["text"]))
        field.on_enter(save)
        with box("div", "row-line"):
            button(say("save"), save, kind="main-action")
            button(say("cancel"), close)
