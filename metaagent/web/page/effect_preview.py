"""Shows what a step of a waiting plan would act on and store, as it is and as it would be."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.documents.previews import preview
from metaagent.errors import MetaAgentError
from metaagent.ports import Json
from metaagent.web.page.elements import DataTable, box, notice, text
from metaagent.web.page.evidence import sheet
from metaagent.web.page.page_context import Visit
from metaagent.web.page.views import rows_at_first, table_of
from metaagent.web.page.words import Words


class Look:
    """Opens what steps of one conversation's plan would use, for somebody who may decide on it."""

    def __init__(self, visit: Visit, session_id: str) -> None:
        self._visit = visit
        self._session_id = session_id

    async def at_inputs(self, title: str, ids: Sequence[str]) -> None:
        """Show one thing, which artifacts hold in one form or several: the table, the pages, or else the data."""
        visit = self._visit
        with sheet(visit, title):
            try:
                found = [await visit.me.approval_input(self._session_id, each) for each in ids]
                await _content(visit, title, found)
            except MetaAgentError as error:
                notice(visit.told(error), "warn")

    async def at_effect(self, step_id: str) -> None:
        """Show where and how it would be stored: files, passages, rows as they would be and those that they replace."""
        visit, say = self._visit, self._visit.words
        with sheet(visit, say("would_store")), box("div", "stack"):
            try:
                seen = await visit.me.approval_effect(self._session_id, step_id, language=visit.language)
            except MetaAgentError as error:
                notice(visit.told(error), "warn")
                return
            if seen is None:
                text(say("would_store_unknown"), "p")
            elif "asks" in seen:
                text(say("would_ask"), "p", "small muted")
                text(str(seen["asks"]), "p", "strong preserved")
                text(", ".join(map(str, seen["options"])), "p", "small")
            else:
                _stored(visit, seen)


def _stored(visit: Visit, seen: Json) -> None:
    say = visit.words
    text(str(seen["why"]), "p", "preserved")
    for name in seen["files"]:
        text(say("would_store_file", name=name), "p")
    if seen["texts"]:
        text(say.counted("would_store_texts", int(seen["texts"])), "p")
    rows = seen["preview"]
    if rows.get("table"):
        text(say("would_store_rows", **{key: rows[key] for key in ("table", "new", "replaced", "unchanged")}))
        DataTable(rows_of(rows, say))


def rows_of(seen: Mapping[str, Any], say: Words) -> Json:
    """The rows as they would be, each that replaces another above what it replaces. Pure."""
    new, after, before = say("row_new"), say("row_after"), say("row_before")
    marked = [[new, *row] for row in seen["rows"]]
    for each in seen["replaces"]:
        marked += [[after, *each["after"]], [before, *each["before"]]]
    title = say("would_store")
    return {
        "columns": [{"label": name, "number": False} for name in ("", *map(str, seen["columns"]))],
        "rows": marked,
        "shown": [["–" if cell is None else str(cell) for cell in row] for row in marked],
        "first": rows_at_first(len(marked)),
        "texts": {
            "label": say("table_label", title=title),
            "copied": say("copied"),
            "sort": say("sort"),
            "more": say("rows_all", count=len(marked)),
            "fewer": say("rows_fewer"),
        },
    }


async def _content(visit: Visit, title: str, forms: Sequence[Any]) -> None:
    table = next((each for each in forms if isinstance(each, dict) and "rows" in each), None)
    pdf = next((each for each in forms if isinstance(each, bytes) and each.startswith(b"%PDF")), None)
    if table is not None:
        DataTable(table_of(table, title, visit.words))
    elif pdf is not None:
        pages = (await preview(pdf)).pages
        with box("div", "pages tall", tabindex="0", role="region", aria_label=title):
            for number, page in enumerate(pages, 1):
                source = f"data:image/png;base64,{base64.b64encode(page).decode()}"
                box("img", src=source, alt=visit.words("page_of", title=title, page=number))
    else:
        said = [
            json.dumps(each, ensure_ascii=False, indent=1) for each in forms if not isinstance(each, bytes)
        ]
        text("\n".join(said)[:20_000] or "…", "pre", "code", tabindex="0")
