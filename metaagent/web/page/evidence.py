"""The grounds of an answer: the passage that a citation stands for, and the reasons of a whole turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, cast
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from metaagent.documents.format import full_number
from metaagent.errors import MetaAgentError
from metaagent.ports import Json, Turn
from metaagent.web.page.elements import Passage, box, button, disclosure, facts, link, notice, text
from metaagent.web.page.page_context import Visit
from metaagent.web.page.views import passage_of, rule_said, seconds_said, warnings_of, worded_reasons

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
            notice(visit.told(error), "warn")
            text(str(citation.get("quote") or ""), "p", "passage")
        return
    whole = str(found["text"])
    with sheet(visit, str(citation.get("title") or "")):
        place = citation.get("place") or {}
        shown = [str(place[key]) for key in ("heading", "page", "row") if place.get(key)]
        if shown:
            text(" · ".join(shown), "p", "small muted")
        Passage(passage_of(whole, start - begin, end - begin, label=say("passage_table")))
        link(say("passage_open"), f"/knowledge/{quote(str(citation['document_id']))}", "button")


async def show_why(visit: Visit, turn: Turn) -> None:
    """Show what was understood, assumed and read for this answer."""
    outcome, say = turn.outcome, visit.words
    analysis: Mapping[str, Any] = outcome.get("analysis") or {}
    datasets = [each for each in outcome.get("artifacts") or () if each["kind"] == "dataset"]
    params = [await _params(visit, turn, each) for each in datasets]
    verdicts = [each for each in outcome.get("artifacts") or () if each["kind"] == "verdict"]
    judged = [await _artifact(visit, turn, each) for each in verdicts]
    with sheet(visit, say("why")):
        text(turn.question, "p", "strong")
        _section(say("why_understood"))
        facts(list(_understood(visit, analysis)))
        _reasons(visit, analysis)
        _section(say("why_assumed"))
        _assumed(visit, analysis)
        _sources(visit, outcome.get("sources") or (), params)
        _rules(visit, outcome.get("sources") or (), judged)
        _warnings(visit, outcome)
        _account(visit, outcome)


async def _params(visit: Visit, turn: Turn, ref: Json) -> Mapping[str, Any]:
    return (await _artifact(visit, turn, ref)).get("params") or {}


async def _artifact(visit: Visit, turn: Turn, ref: Json) -> Mapping[str, Any]:
    try:
        data = await visit.me.artifact(turn.session_id, ref["id"])
    except MetaAgentError:
        return {}
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else {}


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
    if unread and "compliance_validation" not in (analysis.get("required_capabilities") or ()):
        text(visit.words("why_unread", words=", ".join(map(str, unread))), "p", "small muted")


def _reason(visit: Visit, explanation: Mapping[str, Any]) -> str:
    """The words that show it, and why; what is evidence by its id alone, or that the reason says itself, is left to the reason."""
    evidence, reason = explanation["evidence"], str(explanation["reason"])
    shown = [evidence] if isinstance(evidence, str) else [str(each) for each in evidence]
    named = [each for each in shown if not _ID.fullmatch(each)]
    if all(each in reason for each in named):
        return reason
    return visit.words("why_evidence", words=", ".join(named), reason=reason)


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
    say = visit.words
    named = [each for each in sources if each.get("type") == "database" or _read_in(each)]
    if not named:
        return
    _section(say("why_sources"))
    queries = 0
    for source in named:
        if source.get("type") != "database":
            text(say("why_document", title=_read_in(source)), "p", "small")
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


def _read_in(source: Json) -> str:
    """The title of a document or a page of the web. Results of earlier steps and rules are shown elsewhere."""
    elsewhere = source.get("type") in {"artifact", "rules"}
    return (
        "" if elsewhere else str(source.get("title") or source.get("url") or source.get("document_id") or "")
    )


def _rules(visit: Visit, sources: Sequence[Json], judged: Sequence[Mapping[str, Any]]) -> None:
    """The rules that were applied, with their versions; each that found something with its words, its law and the place
    that shows it; how many found nothing."""
    applied = [each for each in sources if each.get("type") == "rules"]
    packs = [
        _pack_said(str(pack)) for each in applied for pack in each.get("titles") or each.get("packs") or ()
    ]
    findings: list[Mapping[str, Any]] = [one for each in judged for one in each.get("findings") or ()]
    if not packs and not findings:
        return
    _section(visit.words("why_rules"))
    if packs:
        text(visit.words("why_packs", packs=", ".join(packs)), "p", "small")
    found = [one for one in findings if one.get("status") in {"violated", "unknown", "waived"}]
    with box("ul", "stack unless-empty"):
        for one in found:
            with box("li", "stack tight"):
                text(rule_said(one), "p", "small strong")
                said = " · ".join(str(one[key]) for key in ("message", "law") if one.get(key))
                text(said, "p", "small")
                for shown in _evidence(visit, one):
                    text(shown, "p", "small muted")
    if len(findings) > len(found):
        text(visit.words("why_rules_passed", count=len(findings) - len(found)), "p", "small muted")


def _pack_said(pack: str) -> str:
    return pack.replace("_", " ")


def _evidence(visit: Visit, finding: Mapping[str, Any]) -> list[str]:
    """The words or the rows that a finding rests on."""
    said = [_shown_by(visit, each) for each in finding.get("evidence") or () if isinstance(each, dict)]
    return [each for each in dict.fromkeys(said) if each][:5]


def _shown_by(visit: Visit, evidence: Mapping[str, Any]) -> str:
    quote_, rows = evidence.get("quote"), evidence.get("rows") or ()
    if quote_ or not rows:
        return visit.words("why_shown_by", words=quote_) if quote_ else ""
    key = "why_rows" if evidence.get("threshold") is not None else "why_rows_only"
    value, limit = (_number(evidence.get(name)) for name in ("value", "threshold"))
    return visit.words(key, value=value, rows=", ".join(map(str, rows[:5])), limit=limit)


def _number(value: object) -> str:
    return (
        full_number(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
    )


def _warnings(visit: Visit, outcome: Json) -> None:
    said = warnings_of(outcome, operates=visit.may("agents.switch"))
    if said:
        _section(visit.words("why_warnings"))
        for each in said:
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
                say.counted(
                    "why_budget",
                    int(usage.get("calls", 0)),
                    tokens=usage.get("tokens", 0),
                    seconds=seconds_said(usage.get("seconds", 0)),
                ),
            )
        )
    facts(rows)


def reason_said(visit: Visit, reason: str) -> str:
    """The reason why a plan is asked about, in words."""
    kind, _, name = reason.partition(":")
    key = f"reason_{kind}"
    named = visit.words.roles([name]) if kind == "role" else visit.agent(name)
    return visit.words(key, name=named) if visit.words.knows(key) else reason
