"""Knowledge: the documents that questions are answered from."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError, NotFound
from metaagent.ports import Json
from metaagent.web.page.elements import (
    Passage,
    box,
    button,
    chip,
    empty,
    facts,
    link,
    missing,
    notice,
    page_head,
    text,
    titled,
)
from metaagent.web.page.evidence import sheet
from metaagent.web.page.fields import Field
from metaagent.web.page.files import API
from metaagent.web.page.page_context import Visit, attempt
from metaagent.web.page.views import passage_of

MOST = 200
MOST_CHARACTERS = 200_000


async def page(visit: Visit) -> None:
    say = visit.words
    ui.page_title(f"{say('knowledge_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        page_head(say("knowledge_title"), say("knowledge_intro"))
        if visit.may("knowledge.change") or visit.may("knowledge.publish"):
            button(
                say("knowledge_add"),
                lambda: _add(visit),
                kind="main-action add",
                picture="plus",
                aria_haspopup="dialog",
            )
        try:
            found = await visit.me.knowledge_list()
        except MetaAgentError as error:
            notice(visit.told(error), "warn", role="alert")
            return
        if not found:
            empty(say("knowledge_empty"), "book")
            return
        with box("div", "stack"):

            def narrowed(said: str) -> None:
                fits = [each for each in found if said.casefold() in str(each["title"]).casefold()]
                _list(visit, place, fits, wanted=said)

            Field(
                say("knowledge_find"),
                hint=say("knowledge_find"),
                kind="search",
                on_change=narrowed,
                hidden_label=True,
            )
            place = box("div")
            _list(visit, place, found)


def _add(visit: Visit) -> None:
    """A form that the browser sends to the API as it is, with the file in it."""
    say = visit.words
    with (
        sheet(visit, say("knowledge_add")),
        box("form", "stack", data_upload=f"{API}/knowledge", data_busy=say("uploading_document")),
    ):
        text(say("knowledge_add_means"), "p", "small muted")
        _labelled(say("knowledge_file"), "input", type="file", name="file", required="")
        with _labelled(say("knowledge_for"), "select", name="mine"):
            text(say("knowledge_company"), "option", value="false")
            text(say("knowledge_mine"), "option", value="true")
        _labelled(say("knowledge_collection"), "input", name="collection", value="documents", required="")
        with _labelled(say("knowledge_label"), "select", name="label"):
            text(say("knowledge_label_same"), "option", value="")
            for label in ("public", "internal", "confidential"):
                text(_label(visit, label), "option", value=label)
        button(say("knowledge_add"), kind="main-action", type="submit")


def _labelled(said: str, tag: str, **attributes: object) -> Element:
    name = f"upload-{attributes['name']}"
    with box("div", "field"):
        text(said, "label", for_=name)
        return box(tag, "input", id=name, **attributes)


def _list(visit: Visit, place: Element, found: Sequence[Json], wanted: str = "") -> None:
    place.clear()
    with place:
        if not found:
            empty(visit.words("knowledge_none", text=wanted), "search")
            return
        with box("ul", "card flat lines"):
            several = len({each["collection"] for each in found}) > 1
            for each in found[:MOST]:
                with box("li", "line"):
                    passages = visit.words.counted("chunks", int(each["chunks"]))
                    within = [str(each["collection"]).replace("_", " ")] if several else []
                    about = (*within, passages, visit.time(each["added_at"]))
                    titled(str(each["title"]), f"/knowledge/{quote(str(each['id']))}", about)
                    chip(_label(visit, str(each.get("label") or "")))


def _without_title(found: Json) -> str:
    """The text without the line that says its title once more."""
    whole = str(found["text"])
    first, _, rest = whole.lstrip().partition("\n")
    return rest if first.strip() == str(found["title"]).strip() else whole


def _label(visit: Visit, label: str) -> str:
    return visit.words.either(f"label_{label}", label)


async def one(visit: Visit, document_id: str) -> None:
    """One document, as it is searched."""
    say = visit.words
    with box("div", "scroll", tabindex="0"), box("div", "page stack"):
        link(say("back_knowledge"), "/knowledge", "button quiet back", picture="back")
        try:
            found = await visit.me.knowledge_show(document_id, end=MOST_CHARACTERS)
        except NotFound:
            missing(say("no_document"), say("no_document_why"))
            return
        except MetaAgentError as error:
            notice(visit.told(error), "warn", role="alert")
            return
        ui.page_title(f"{found['title']} · metaagent")

        async def remove() -> None:
            if (
                await attempt(visit, visit.me.knowledge_remove(document_id), done=say("knowledge_removed"))
                is not None
            ):
                ui.navigate.to("/knowledge")

        def sure() -> None:
            with sheet(visit, say("knowledge_remove", title=found["title"])) as close:
                text(say("knowledge_remove_means"), "p")
                with box("div", "row-line"):
                    button(say("delete"), remove, kind="danger")
                    button(say("cancel"), close)

        with box("div", "row-line spread"):
            text(str(found["title"]), "h1", tabindex="-1")
            if visit.may("knowledge.publish" if found["owner"] == "company" else "knowledge.change"):
                button(
                    say("delete"),
                    sure,
                    kind="danger",
                    picture="trash",
                    label=say("knowledge_remove", title=found["title"]),
                )
        facts(
            [
                (say(f"fact_{name}"), _label(visit, str(found[name])))
                for name in ("collection", "label", "valid_from", "valid_to")
                if found.get(name)
            ]
        )
        for each in found.get("warnings") or ():
            notice(str(each), "warn")
        with box("article", "card"):
            Passage(passage_of(_without_title(found), label=say("passage_table")))
        if int(found.get("characters") or 0) > MOST_CHARACTERS:
            text(say("cut_text", count=MOST_CHARACTERS), "p", "small muted")
