"""A finished turn: the answer with its table, chart, documents, verdict, sources and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from metaagent.documents.previews import PAGES, preview
from metaagent.errors import MetaAgentError
from metaagent.ports import Json, Turn
from metaagent.web.page.elements import (
    DataTable,
    PlanGraph,
    RichText,
    VegaChart,
    box,
    button,
    chip,
    disclosure,
    ended,
    icon,
    link,
    notice,
    text,
    working,
)
from metaagent.web.page.evidence import open_citation, show_why
from metaagent.web.page.files import artifact_address, artifact_pages
from metaagent.web.page.page_context import ROOT, Visit, attempt
from metaagent.web.page.plain import plain
from metaagent.web.page.views import (
    MOST_ROWS,
    blocks_of,
    rule_said,
    seconds_said,
    step_texts,
    steps_of,
    table_of,
)

STATES = {"failed": "bad", "cancelled": "warn", "undone": "warn"}


async def show_answer(visit: Visit, turn: Turn) -> None:
    """Show how the turn ended."""
    outcome = turn.outcome
    _ending(visit, turn)
    said = str(outcome.get("answer") or "")
    citations: Sequence[Json] = outcome.get("citations") or ()

    async def cite(number: int) -> None:
        found = next((each for each in citations if each.get("n") == number), None)
        if found is not None:
            await open_citation(visit, found)

    if said:
        own = not citations and not outcome.get("artifacts")  # the core's own message: it rests on nothing
        RichText(blocks_of(plain(said) if own else said, citations, visit.words), cite)
    elif turn.status == "completed":
        text(visit.words("nothing_said"), "p", "muted")
    artifacts: Sequence[Json] = outcome.get("artifacts") or ()
    for ref in [each for each in artifacts if each["kind"] == "chart"]:
        await _shown(visit, turn, ref, _chart)
    for ref in [each for each in artifacts if each["kind"] == "dataset"]:
        await _shown(visit, turn, ref, _table)
    for ref in [each for each in artifacts if _format(each) == "pdf"]:
        await _document(visit, turn, ref, artifacts)
    for ref in [each for each in artifacts if each["kind"] == "verdict"]:
        await _shown(visit, turn, ref, _verdict)
    if citations:
        _sources(visit, citations)
    _blocked(visit, outcome)


def is_damaged(turn: Turn) -> bool:
    """Tell whether what is stored of a turn cannot be read."""
    return not turn.question and bool(turn.outcome.get("errors"))


def _ending(visit: Visit, turn: Turn) -> None:
    if turn.status in STATES:
        with box("div", "row-line"):
            chip(visit.words(turn.status), STATES[turn.status])


async def _shown(visit: Visit, turn: Turn, ref: Json, show: Any) -> None:
    try:
        data = await visit.me.artifact(turn.session_id, ref["id"])
    except MetaAgentError as error:
        notice(visit.told(error), "warn")
        return
    if isinstance(data, dict):
        show(visit, turn, ref, data)


def _downloads(visit: Visit, turn: Turn, ref: Json, forms: Sequence[str]) -> None:
    for form in forms:
        link(
            form.upper(),
            artifact_address(turn.session_id, ref["id"], form),
            "button quiet",
            picture="download",
            download="",
            aria_label=visit.words("download", form=form.upper()),
        )


def _head(title: str, *, level: str = "h3") -> None:
    text(title, level, "grow clip", title=title)


def _chart(visit: Visit, turn: Turn, ref: Json, data: Mapping[str, Any]) -> None:
    title, say = str(ref.get("summary") or ""), visit.words
    with box("figure", "card flat"):
        with box("figcaption", "card-head"):
            _head(title)
            _downloads(visit, turn, ref, ("png", "svg"))
        spec: Mapping[str, Any] = data.get("spec") or {}
        if not spec or (spec.get("data") or {}).get("values") == []:
            text(say("chart_empty"), "p", "muted small chart-place", role="status")
            return
        VegaChart(
            {
                "spec": spec,
                "label": say("chart_label", title=title),
                "library": f"{ROOT}/vega.js",
                "texts": {"loading": say("chart_loading"), "failed": say("chart_failed")},
            }
        )


def _table(visit: Visit, turn: Turn, ref: Json, data: Mapping[str, Any]) -> None:
    if not data.get("rows") or len(data.get("columns") or ()) == 0:
        return
    title, say = str(ref.get("summary") or ""), visit.words
    view, count = table_of(data, title, say), int(data.get("row_count") or len(data["rows"]))
    with box("section", "card flat", aria_label=say("table_label", title=title)):
        with box("div", "card-head"):
            _head(title)
            text(say.counted("rows", count), "span", "tiny muted")
            made = button("", kind="quiet", picture="copy", label=say("copy"))
            _downloads(visit, turn, ref, ("csv", "xlsx"))
        table = DataTable(view)
        made.on("click", lambda: table.run_method("copy"), args=[])
        if count > MOST_ROWS:
            with box("div", "line"):
                text(say("rows_cut", shown=MOST_ROWS, count=count), "p", "small muted")


def _format(ref: Json) -> str:
    return str((ref.get("group") or {}).get("format") or "")


async def _document(visit: Visit, turn: Turn, ref: Json, artifacts: Sequence[Json]) -> None:
    """A document with a preview of its first pages, and every form of it that was made."""
    group = ref["group"]
    forms = [
        each for each in artifacts if (each.get("group") or {}).get("document_id") == group["document_id"]
    ]
    title = await _document_title(visit, turn, forms) or str(ref.get("summary") or ref.get("name") or "")
    with box("section", "card flat", aria_label=title):
        with box("div", "card-head"):
            icon("document")
            _head(title)
            link(visit.words("open_document"), f"/documents/{quote(group['document_id'])}", "button quiet")
            for each in forms:
                if _format(each) != "json":
                    _downloads(visit, turn, each, (_format(each),))
        place = box("div")
    with place:
        wait = working(visit.words("preview_loading"))
    try:
        content = await visit.me.artifact(turn.session_id, ref["id"])
        count = (await preview(content)).count if isinstance(content, bytes) else 0
    except MetaAgentError as error:
        ended(wait, visit.words("preview_failed", problem=visit.told(error)))
        return
    place.clear()
    with place:
        show_pages(visit, artifact_pages(turn.session_id, ref["id"]), title, count)


async def _document_title(visit: Visit, turn: Turn, forms: Sequence[Json]) -> str:
    """The document's own title and its version."""
    model = next((each for each in forms if _format(each) == "json"), None)
    try:
        data = await visit.me.artifact(turn.session_id, model["id"]) if model else None
    except MetaAgentError:
        return ""
    if model is None or not isinstance(data, dict) or not data.get("title"):
        return ""
    return f"{data['title']} · {visit.words('version', version=model['group']['version'])}"


def show_pages(visit: Visit, address: str, title: str, count: int) -> None:
    """The first pages side by side."""
    shown = min(count, PAGES)
    with box("div", "pages", tabindex="0", role="region", aria_label=title):
        for page in range(1, shown + 1):
            alt = visit.words("page_of", title=title, page=page)
            box(
                "img",
                src=f"{address}/pages/{page}.png",
                alt=alt,
                loading="lazy",
                width="240",
                height="340",
                data_missing=visit.words("page_missing", page=page),
            )
    if count > shown:
        with box("div", "line"):
            text(visit.words("pages_more", shown=shown, count=count), "p", "small muted")


def _verdict(visit: Visit, turn: Turn, ref: Json, data: Mapping[str, Any]) -> None:
    say = visit.words
    found = [each for each in data.get("findings") or () if each.get("status") in {"violated", "unknown"}]
    warned: Sequence[Json] = turn.outcome.get("warnings") or ()
    passed = [str(each["text"]) for each in warned if each.get("code") == "let_through"]
    kind, title = (
        ("warn", "verdict_opened")
        if passed and data.get("blocks")
        else ("warn", "verdict_asks")
        if data.get("outcome") == "needs_information"
        else ("bad", "verdict_blocks")
        if data.get("blocks")
        else ("warn", "verdict_warns")
        if found
        else ("ok", "verdict_pass")
    )
    with box("section", "card", aria_label=str(ref.get("summary") or "")), box("div", "stack"):
        with box("div", "row-line"):
            chip(say(title), kind)
            summary = str(ref.get("summary") or "").partition("\n")[0]
            if summary not in str(turn.outcome.get("answer") or ""):
                text(summary, "span", "small")
        for said in passed:
            text(said, "p", "small")
        show_findings(visit, found)


def show_findings(visit: Visit, findings: Sequence[Mapping[str, Any]]) -> None:
    """Each thing that a check found: the rule with its version, the law, and what was meant."""
    if not findings:
        return
    with box("ul", "stack"):
        for each in findings:
            with box("li", "stack tight"):
                with box("div", "row-line"):
                    severity = str(each.get("severity") or "low")
                    chip(
                        visit.words.either(f"risk_{severity}", severity),
                        "bad" if severity in {"high", "critical"} else "warn",
                    )
                    text(rule_said(each), "span", "tiny muted")
                text(str(each.get("message") or ""), "p")
                if each.get("law"):
                    text(str(each["law"]), "p", "small muted")


def _sources(visit: Visit, citations: Sequence[Json]) -> None:
    with box("div", "row-line"):
        text(visit.words("sources"), "span", "small muted")
        for each in citations[:12]:

            async def go(found: Json = each) -> None:
                await open_citation(visit, found)

            said = f"{each.get('n')} · {each.get('title') or ''}"
            button(said, go, kind="quiet", title=str(each.get("quote") or ""))


def _blocked(visit: Visit, outcome: Json) -> None:
    for each in outcome.get("blocked") or ():
        if each.get("text") and str(each["text"]) not in str(outcome.get("answer") or ""):
            notice(str(each["text"]), "bad")


def show_actions(visit: Visit, turn: Turn, place: Any, on_fork: Any) -> None:
    """The line below an answer: why, copy, branch off, and how sure it is."""
    say, outcome = visit.words, turn.outcome
    with place, box("div", "actions"):
        _why(visit, turn)
        if outcome.get("answer"):
            button(
                say("copy"),
                kind="quiet",
                picture="copy",
                data_copy=str(outcome["answer"]),
                data_copied=say("copied"),
                aria_label=say("copy_answer"),
            )
        if on_fork is not None:
            button(say("fork_here"), on_fork, kind="quiet", picture="fork")
        if outcome.get("confidence"):
            chip(say("confidence", value=f"{outcome['confidence']:.0%}"), title=say("confidence_why"))


def _why(visit: Visit, turn: Turn) -> None:
    async def open_it() -> None:
        await attempt(visit, show_why(visit, turn))

    button(visit.words("why"), open_it, kind="quiet", picture="info", aria_haspopup="dialog")


def show_done_plan(visit: Visit, turn: Turn) -> None:
    """The plan as it ran, folded away."""
    steps: Sequence[Json] = turn.outcome.get("steps") or ()
    if not steps:
        return
    plan = (turn.outcome.get("plan") or {}).get("execution_plan") or ()
    seconds = (turn.outcome.get("timings") or {}).get("total")
    said = visit.words.counted("plan_done", len(steps), seconds=seconds_said(seconds))
    with disclosure(said):
        PlanGraph(steps_of(steps, plan, {}), step_texts(visit.words, len(steps)))
