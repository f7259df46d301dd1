"""Documents: what was written here, with versions, comments, approval and release."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.documents.diff import Change
from metaagent.documents.previews import preview
from metaagent.errors import MetaAgentError, NotFound
from metaagent.ports import Json
from metaagent.web.page.answer import show_pages
from metaagent.web.page.elements import (
    box,
    button,
    chip,
    empty,
    ended,
    icon,
    link,
    missing,
    notice,
    page_head,
    text,
    titled,
    toast,
    working,
)
from metaagent.web.page.fields import Field
from metaagent.web.page.files import API, artifact_pages, document_address, document_pages
from metaagent.web.page.page_context import Visit, attempt
from metaagent.web.page.views import titled_rule

STATES = {"draft": "", "in_review": "accent", "approved": "ok", "released": "ok", "withdrawn": "warn"}
FORMS = ("pdf", "docx", "hwpx", "md")
CHANGES = {"added": "ok", "removed": "bad", "changed": "warn"}
SHOWN = 50
"""Changes of a version that are listed."""


async def page(visit: Visit) -> None:
    say = visit.words
    ui.page_title(f"{say('documents_title')} · metaagent")
    with box("div", "scroll", tabindex="0"), box("div", "page"):
        page_head(say("documents_title"), say("documents_intro"))
        try:
            found = await visit.me.documents.listed()
        except MetaAgentError as error:
            notice(visit.told(error), "warn", role="alert")
            return
        if not found:
            empty(say("documents_empty"), "document")
            return
        with box("ul", "card flat lines"):
            for each in reversed(found):
                with box("li", "line"):
                    about = (
                        visit.time(each["created_at"]),
                        say("version", version=each["version"]),
                        say("by", author=each["author"]),
                    )
                    titled(str(each["title"]), f"/documents/{quote(each['document_id'])}", about)
                    chip(say(f"status_{each['status']}"), STATES.get(each["status"], ""))


async def one(visit: Visit, document_id: str) -> None:
    """One document at its newest version."""
    with box("div", "scroll", tabindex="0"), box("div", "page stack"):
        link(visit.words("back_documents"), "/documents", "button quiet back", picture="back")
        place = box("div", "stack wide")
        await _show(visit, document_id, place)


async def _show(visit: Visit, document_id: str, place: Element) -> None:
    say = visit.words
    place.clear()
    with place:
        try:
            found = await visit.me.documents.shown(document_id)
        except NotFound:
            missing(say("no_document"), say("no_document_why"))
            return
        except MetaAgentError as error:
            notice(visit.told(error), "warn", role="alert")
            return
        ui.page_title(f"{found['title']} · metaagent")
        with box("div", "stack tight"):
            with box("div", "row-line spread"):
                text(str(found["title"]), "h1", tabindex="-1")
                chip(say(f"status_{found['status']}"), STATES.get(found["status"], ""))
            about = (
                say("version", version=found["version"]),
                say("by", author=found["author"]),
                visit.time(found["created_at"]),
            )
            text(" · ".join(about), "p", "small muted")
        _actions(visit, found, place)
        preview = box("section", "card flat", aria_label=str(found["title"]))
        await _changes(visit, found)
        await _notes(visit, found, place)
        _versions(visit, found, place)
    await _preview(visit, found, preview)


def _actions(visit: Visit, found: Json, place: Element) -> None:
    say, documents, name = visit.words, visit.me.documents, found["document_id"]

    async def after(work: Awaitable[Any], done: str) -> None:
        made = await attempt(visit, work)
        if made is None:
            return
        toast(say("blocked_release") if isinstance(made, dict) and made.get("blocked") else done)
        await _show(visit, name, place)

    with box("div", "row-line"):
        for form in FORMS:
            address = document_address(name, found["version"], form)
            link(
                form.upper(),
                address,
                "button quiet",
                picture="download",
                download="",
                aria_label=say("download", form=form.upper()),
            )
        edited = f"{API}/documents/{quote(name)}/versions"
        with box("label", "button quiet"):
            icon("up")
            text(say("edited_file"))
            box(
                "input",
                "hidden-text",
                type="file",
                accept=".docx",
                data_upload=edited,
                data_base=str(found["version"]),
                data_busy=say("uploading_document"),
            )
        box("span", "grow")
        if found["status"] in {"draft", "in_review"} and _may(visit, "document.approve"):
            button(
                say("approve"),
                lambda: after(documents.approve(name), say("document_approved")),
                picture="check",
            )
        if found["status"] in {"draft", "in_review", "approved"} and _may(visit, "document.release"):
            button(
                say("release"),
                lambda: after(documents.release(name, language=visit.language), say("released")),
                kind="main-action",
            )


def _may(visit: Visit, operation: str) -> bool:
    return visit.may(operation) or visit.may(operation, own=False)


async def _preview(visit: Visit, found: Json, place: Element) -> None:
    with place:
        wait = working(visit.words("preview_loading"))
    pdf = (found.get("forms") or {}).get("pdf")
    try:
        content = (
            await visit.me.artifact(found["session_id"], pdf)
            if pdf and found.get("session_id")
            else await visit.me.documents.export(found["document_id"], "pdf", found["version"])
        )
        count = (await preview(content)).count
    except MetaAgentError as error:
        ended(wait, visit.words("preview_failed", problem=visit.told(error)))
        return
    address = (
        artifact_pages(found["session_id"], pdf)
        if pdf and found.get("session_id")
        else document_pages(found["document_id"], found["version"])
    )
    place.clear()
    with place:
        show_pages(visit, address, str(found["title"]), count)


async def _changes(visit: Visit, found: Json) -> None:
    if not found.get("based_on"):
        return
    changes = await visit.me.documents.diff(found["document_id"], found["based_on"], found["version"])
    with box("section", "stack"):
        text(visit.words("changes_from", version=found["based_on"]), "h2")
        if not changes:
            text(visit.words("no_changes"), "p", "muted")
            return
        with box("ul", "card flat lines changes"):
            for change in changes[:SHOWN]:
                _change(visit, change)
        if len(changes) > SHOWN:
            text(visit.words("changes_more", count=len(changes) - SHOWN), "p", "small muted")


def _change(visit: Visit, change: Change) -> None:
    with box("li", "line top"):
        chip(visit.words(f"change_{change.kind}"), CHANGES[change.kind])
        with box("div", "grow stack tight"):
            if where := change.where(visit.language):
                text(where, "span", "tiny muted")
            if change.before:
                text(change.before, "del", "small preserved")
            if change.after:
                text(change.after, "ins", "small preserved")


async def _notes(visit: Visit, found: Json, place: Element) -> None:
    say, titles = visit.words, await visit.rule_titles()
    with box("section", "stack"):
        text(say("notes"), "h2")
        notes = [each for each in found["notes"] if each.get("text")]
        if not notes:
            text(say("notes_empty"), "p", "small muted")
        with box("ul", "stack"):
            for each in notes:
                with box("li", "stack tight"):
                    with box("div", "row-line"):
                        text(_author(visit, str(each.get("author") or "")), "span", "small strong")
                        text(visit.time(each.get("created_at") or each.get("at")), "span", "tiny muted")
                        if each.get("rule"):
                            chip(_rule(str(each["rule"]), titles), "bad")
                    text(str(each["text"]), "p", "preserved")
        with box("div", "row-line bottom"):
            with box("div", "grow"):
                field = Field(say("comment_hint"))

            async def comment() -> None:
                if (
                    field.value.strip()
                    and await attempt(visit, visit.me.documents.comment(found["document_id"], field.value))
                    is not None
                ):
                    await _show(visit, found["document_id"], place)

            field.on_enter(comment)
            button(say("comment"), comment)


def _author(visit: Visit, name: str) -> str:
    """A person by name, an agent by what it does."""
    return visit.agent(name) if name in visit.registry.agents else name


def _rule(name: str, titles: Mapping[str, str]) -> str:
    """A rule as findings name it: `medical_law/entertainment`."""
    pack, _, rule = name.rpartition("/")
    return titled_rule({"pack": pack, "rule": rule}, titles) if pack else rule.replace("_", " ")


def _versions(visit: Visit, found: Json, place: Element) -> None:
    say = visit.words
    with box("section", "stack"):
        text(say("versions"), "h2")
        with box("ul", "card flat lines"):
            for each in reversed(found["versions"]):
                with box("li", "line"):
                    with box("div", "grow stack tight"):
                        text(say("version", version=each["version"]), "span", "strong")
                        text(str(each.get("note") or ""), "span", "small muted clip")
                    text(visit.time(each["created_at"]), "span", "tiny muted")
                    chip(say(f"status_{each['status']}"), STATES.get(each["status"], ""))
                    if each["version"] != found["version"]:

                        async def restore(version: int = each["version"]) -> None:
                            if (
                                await attempt(
                                    visit, visit.me.documents.restore(found["document_id"], version)
                                )
                                is not None
                            ):
                                await _show(visit, found["document_id"], place)

                        button(
                            "",
                            restore,
                            kind="quiet",
                            picture="back",
                            label=say("restore_version", version=each["version"]),
                        )
