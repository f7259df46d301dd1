"""The sources of a search, run side by side, each with its own time: documents, rows of the database, pages of the web.

A source that fails or is late is a warning; the others answer. One that is not installed or not allowed is not searched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from metaagent.errors import AgentSignal, MetaAgentError, PortNotGranted, Text
from metaagent.knowledge.ranking import fused
from metaagent.level2.retrieval.passages import RANKED
from metaagent.level2.retrieval.queries import Asking
from metaagent.plugin import Context
from metaagent.ports import Database, Library

Json = dict[str, Any]
SourceName = Literal["internal_db", "vector_db", "web"]
TIMEOUTS: Mapping[SourceName, float] = {"vector_db": 20.0, "internal_db": 10.0, "web": 10.0}
"""Seconds that each source is waited for."""
FOUND = 50
"""Hits that each way of searching may bring."""
WHOLE = 1_000
"""Hits among which the parts of an attached file are looked for."""
ATTACHED = "attachments"
"""The name of the collection of what a person attached to a conversation."""
MOST_ROWS = 5
MOST_ATTRIBUTES = 6

_LATE = Text(
    en="the source {source} did not answer within {seconds:g} seconds",
    ko="{source} 자료원이 {seconds:g}초 안에 답하지 않았습니다",
)
_FAILED = Text(en="the source {source} failed: {why}", ko="{source} 자료원을 쓰지 못했습니다: {why}")
NAMES: Mapping[SourceName, Text] = {
    "vector_db": Text(en="documents", ko="문서"),
    "internal_db": Text(en="database", ko="데이터베이스"),
    "web": Text(en="web", ko="웹"),
}


@dataclass
class Found:
    """Everything that one source brought. Chunks come with their fused score; rows and pages are as they are."""

    source: SourceName
    chunks: list[Json] = field(default_factory=list[Json])
    scores: dict[str, float] = field(default_factory=dict[str, float])
    total: int = 0
    """The number of chunks that were searched."""
    rows: list[Json] = field(default_factory=list[Json])
    pages: list[Json] = field(default_factory=list[Json])
    origins: list[Json] = field(default_factory=list[Json])
    """Sources of the answer: the SQL that ran, the pages that were opened."""
    warning: str = ""


async def searched(asking: Asking, request: Mapping[str, Any], ctx: Context) -> list[Found]:
    """Search every source that is there, at the same time."""
    ways: list[tuple[SourceName, Callable[[], Awaitable[Found]]]] = []
    library, database, web = _port(ctx, "library"), _port(ctx, "db"), _port(ctx, "web")
    if library is not None:
        ways.append(("vector_db", lambda: documents_for(asking, library)))
    filters = _named_things(request)
    if database is not None and filters:
        ways.append(("internal_db", lambda: _rows(filters, asking.language, database)))
    if web is not None:
        ways.append(("web", lambda: _pages(asking, web)))
    return list(await asyncio.gather(*(_in_time(name, way, asking.language) for name, way in ways)))


def _port(ctx: Context, name: str) -> Any:
    try:
        return getattr(ctx, name)
    except PortNotGranted:
        return None


async def _in_time(name: SourceName, search: Callable[[], Awaitable[Found]], language: str) -> Found:
    source = NAMES[name].say(language)
    try:
        async with asyncio.timeout(TIMEOUTS[name]):
            return await search()
    except TimeoutError:
        return Found(name, warning=_LATE.say(language, source=source, seconds=TIMEOUTS[name]))
    except MetaAgentError as error:
        return Found(name, warning=_FAILED.say(language, source=source, why=error.say(language)))
    except AgentSignal as error:
        return Found(name, warning=_FAILED.say(language, source=source, why=str(error)))


async def documents_for(asking: Asking, library: Library) -> Found:
    """Search by terms, by terms with synonyms, and by vectors; the best of all three are read."""
    if not asking.words:
        return Found("vector_db")
    expanded = asking.expanded
    widened = library.lexical(expanded, limit=FOUND) if expanded != asking.terms else _nothing()
    lexical, more, nearest = await asyncio.gather(
        library.lexical(asking.terms, limit=FOUND), widened, library.nearest(asking.text, limit=FOUND)
    )
    order = fused({"lexical": lexical, "expanded": more or lexical, "nearest": nearest}, asking.language)
    best = dict(order[:RANKED])
    total = sum(int(each["chunks"]) for each in await library.collections())
    return Found("vector_db", chunks=await library.chunks(list(best)), scores=best, total=total)


async def attached_for(asking: Asking, library: Library) -> list[Json]:
    """Read the chunks of the files that were attached to this conversation, in their order."""
    attached = {str(each["id"]) for each in await library.collections() if each["name"] == ATTACHED}
    if not attached:
        return []
    near = await library.nearest(asking.text, limit=WHOLE)
    ids = [match.id for match in near if str(match.metadata["collection"]) in attached]
    return sorted(await library.chunks(ids), key=lambda chunk: (chunk["document_id"], chunk["number"]))


async def _nothing() -> list[Any]:
    return []


def _named_things(request: Mapping[str, Any]) -> list[Json]:
    """The conditions of the analysis that name things: a product, a hospital, a person."""
    asked = cast("Mapping[str, Any]", request.get("semantic_request") or {})
    filters = cast("Sequence[Json]", asked.get("filters") or ())
    return [dict(each) for each in filters if each.get("dimension") and each.get("op") == "in"]


async def _rows(filters: Sequence[Json], language: str, database: Database) -> Found:
    """Look up the things that the question names, with what describes them."""
    found = Found("internal_db")
    for condition in filters[:MOST_ROWS]:
        dimension = str(condition["dimension"])
        described = (await database.attributes(dimension))[:MOST_ATTRIBUTES]
        if not described:
            continue  # a mere word of the data: its row would say no more
        asked = {
            "metrics": [],
            "dimensions": [dimension, *described],
            "filters": [condition],
            "language": language,
        }
        result = await database.ask(asked)
        shown = [at for at, column in enumerate(result.columns) if not column.get("hidden")]
        labels = [_label(result.columns[at], language) for at in shown]
        for row in result.rows[:MOST_ROWS]:
            cells = [(label, row[at]) for label, at in zip(labels, shown, strict=True) if row[at] is not None]
            found.rows.append({"text": " · ".join(f"{label}: {cell}" for label, cell in cells)})
        if result.rows:
            found.origins.append(
                {"type": "database", "tables": result.tables, "rows": result.row_count, "sql": result.sql}
            )
    return found


def _label(column: Mapping[str, Any], language: str) -> str:
    label = column.get("label") or column["name"]
    return str(label.get(language) or label.get("en")) if isinstance(label, Mapping) else str(label)


async def _pages(asking: Asking, web: Any) -> Found:
    pages = await web.search(asking.text, limit=5)
    origins = [{"type": "web", "title": page["title"], "url": page["url"]} for page in pages]
    return Found("web", pages=pages, origins=origins)
