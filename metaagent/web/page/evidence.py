"""The grounds of an answer: the passage that a citation stands for, and the reasons of a whole turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.errors import MetaAgentError
from metaagent.ports import Json, Turn
from metaagent.web.page.elements import box, button, disclosure, facts, link, notice, text
from metaagent.web.page.views import worded_reasons
from metaagent.web.page.visit import Visit

_ID = re.compile(r"[a-z][0-9a-f]{16,40}")
AROUND = 900
"""Characters shown on each side of a cited passage."""


@contextmanager
def sheet(visit: Visit, title: str, *, outlives: bool = False) -> Generator[Callable[[], object]]:
    """A part that slides in from the side, closed by Escape, a click beside it, its button or what this gives. It is removed
    when closed, or with the part of the page that opened it unless it `outlives` that."""
    around = _page_shown() if outlives else nullcontext()
    with around, ui.dialog().props("position=right full-height") as dialog:
        dialog.on("hide", dialog.delete, args=[])
        with box("div", "sheet", role="document", aria_label=title):
            with box("div", "sheet-head"):
                text(title, "h2", "grow clip", title=title)
                button("", dialog.close, kind="quiet", picture="cross", label=visit.words("close"))
            with box("div", "sheet-body", tabindex="0"):
                yield dialog.close
    dialog.open()


def _page_shown() -> Element:
    """The page as a whole: a sheet outlives the button that opened it, and goes when another page is shown."""
    around = ui.context.slot.parent.ancestors(include_self=True)
    return next((each for each in around if isinstance(each, ui.sub_pages)), ui.context.client.content)


async def open_citation(visit: Visit, citation: Json) -> None:
    """Show the cited passage where it stands, marked, with what is around it."""
    say = visit.words
    start, end = int(citation.get("start") or 0), int(citation.get("end") or 0)
    begin = max(0, start - AROUND)
    try:
        found = await visit.me.knowledge_show(str(citation["document_id"]), start=begin, end=end + AROUND)
    except MetaAgentError as error:
        with sheet(visit, str(citation.get("title") or say("passage"))):
            notice(error.say(visit.language), "warn")
            text(str(citation.get("quote") or ""), "p", "passage")
        return
    whole = str(found["text"])
    with sheet(visit, str(citation.get("title") or "")):
        place = citation.get("place") or {}
        shown = [str(place[key]) for key in ("heading", "page", "row") if place.get(key)]
        if shown:
            text(" · ".join(shown), "p", "small muted")
        with box("p", "passage"):
            text(whole[: start - begin])
            text(whole[start - begin : end - begin], "mark")
            text(whole[end - begin :])
        link(say("passage_open"), f"/knowledge/{quote(str(citation['document_id']))}", "button")


async def show_why(visit: Visit, turn: Turn) -> None:
    """Show what was understood, assumed and read for this answer."""
    outcome, say = turn.outcome, visit.words
    analysis: Mapping[str, Any] = outcome.get("analysis") or {}
    datasets = [each for each in outcome.get("artifacts") or () if each["kind"] == "dataset"]
    params = [await _params(visit, turn, each) for each in datasets]
    with sheet(visit, say("why")):
        text(turn.question, "p", "strong")
        _section(say("why_understood"))
        facts(list(_understood(visit, analysis)))
        _reasons(visit, analysis)
        _section(say("why_assumed"))
        _assumed(visit, analysis)
        _sources(visit, outcome.get("sources") or (), params)
        _warnings(visit, outcome)
        _account(visit, outcome)


async def _params(visit: Visit, turn: Turn, ref: Json) -> Mapping[str, Any]:
    try:
        data = await visit.me.artifact(turn.session_id, ref["id"])
    except MetaAgentError:
        return {}
    return data.get("params") or {} if isinstance(data, dict) else {}


def _section(title: str) -> None:
    text(title, "h3")


def _understood(visit: Visit, analysis: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    say = visit.words
    resolved: Mapping[str, Any] = analysis.get("resolved") or {}
    intents = [
        f"{say.either('intent_' + each['intent'], each['intent'])} ({each['confidence']:.0%})"
        for each in analysis.get("parsed_intents") or ()
    ]
    if intents:
        yield say("why_intent"), ", ".join(intents)
    if analysis.get("data_title"):
        yield say("why_metrics"), str(analysis["data_title"])
    if resolved.get("dimensions") and not analysis.get("data_title"):  # the title names them, in words
        yield say("why_dimensions"), ", ".join(map(str, resolved["dimensions"]))
    filters = [
        ", ".join(map(str, each.get("labels") or each.get("values") or ()))
        for each in resolved.get("filters") or ()
    ]
    if any(filters):
        yield say("why_filters"), " · ".join(each for each in filters if each)
    period = resolved.get("period")
    if period:
        yield say("why_period"), f"{period.get('start')} – {period.get('end')}"
    memories = (analysis.get("user_context") or {}).get("memories") or ()
    if memories:
        yield (
            say("why_memory"),
            " · ".join(
                str(each.get("text") or each) if isinstance(each, dict) else str(each) for each in memories
            ),
        )


def _reasons(visit: Visit, analysis: Mapping[str, Any]) -> None:
    """Each word of the question that decided something, and why."""
    found = [
        each
        for each in worded_reasons(analysis)
        if "complexity" not in each["conclusion"] and not visit.words.knows(f"intent_{each['evidence']}")
    ]
    if not found:
        return
    with box("ul", "stack tight"):
        for each in found:
            text(_reason(visit, each), "li", "small")
    unread = analysis.get("unread") or ()
    if unread:
        text(visit.words("why_unread", words=", ".join(map(str, unread))), "p", "small muted")


def _reason(visit: Visit, explanation: Mapping[str, Any]) -> str:
    """The words that show it, and why; what is evidence by its id alone is left to the reason."""
    evidence = explanation["evidence"]
    shown = [evidence] if isinstance(evidence, str) else [str(each) for each in evidence]
    named = [each for each in shown if not _ID.fullmatch(each)]
    if not named:
        return str(explanation["reason"])
    return visit.words("why_evidence", words=", ".join(named), reason=explanation["reason"])


def _assumed(visit: Visit, analysis: Mapping[str, Any]) -> None:
    assumed: Sequence[Any] = analysis.get("assumptions") or ()
    if not assumed:
        text(visit.words("why_nothing_assumed"), "p", "small muted")
        return
    with box("ul", "stack tight"):
        for each in assumed:
            said = (
                each.get("text") or each.get("reason") or each.get("assumption")
                if isinstance(each, dict)
                else each
            )
            text(str(said or each), "li", "small")


def _sources(visit: Visit, sources: Sequence[Json], params: Sequence[Mapping[str, Any]]) -> None:
    if not sources:
        return
    say = visit.words
    _section(say("why_sources"))
    queries = 0
    for source in sources:
        if source.get("type") != "database":
            text(
                say("why_document", title=source.get("title") or source.get("document_id") or "?"),
                "p",
                "small",
            )
            continue
        text(
            say.counted(
                "why_tables", int(source.get("rows") or 0), tables=", ".join(source.get("tables") or ())
            ),
            "p",
            "small",
        )
        with disclosure(say("why_sql")):
            text(str(source.get("sql") or ""), "pre", "code", tabindex="0")
            given = params[queries] if queries < len(params) else {}
            if given:
                values = ", ".join(f"{name} = {value}" for name, value in given.items())
                text(say("why_values", values=values), "p", "small muted")
        queries += 1


def _warnings(visit: Visit, outcome: Json) -> None:
    said = [
        str(each.get("message") or each.get("text") or "")
        for each in (*(outcome.get("warnings") or ()), *(outcome.get("errors") or ()))
    ]
    if any(said):
        _section(visit.words("why_warnings"))
        for each in said:
            if each:
                notice(each, "warn")


def _account(visit: Visit, outcome: Json) -> None:
    say, plan, usage = visit.words, outcome.get("plan") or {}, outcome.get("usage") or {}
    rows = [
        (say("plan_why"), reason_said(visit, each))
        for each in (plan.get("approval") or {}).get("reasons") or ()
    ]
    approval = plan.get("approval") or {}
    if approval.get("by"):
        rows.append(
            (
                say("why_approved"),
                " · ".join(str(approval[key]) for key in ("status", "by", "reason") if approval.get(key)),
            )
        )
    if outcome.get("confidence"):
        rows.append((say("why_confidence"), f"{outcome['confidence']:.0%} · {say('confidence_why')}"))
    if plan.get("plan_hash"):
        version = {"version": plan.get("plan_version"), "hash": str(plan["plan_hash"])[:12]}
        rows.append((say("plan"), say("why_plan", **version)))
    if usage:
        rows.append(
            (
                say("why_cost"),
                say(
                    "why_budget",
                    calls=usage.get("calls", 0),
                    tokens=usage.get("tokens", 0),
                    seconds=usage.get("seconds", 0),
                ),
            )
        )
    facts(rows)


def reason_said(visit: Visit, reason: str) -> str:
    """The reason why a plan is asked about, in words."""
    kind, _, name = reason.partition(":")
    key = f"reason_{kind}"
    return visit.words(key, name=name) if visit.words.knows(key) else reason
