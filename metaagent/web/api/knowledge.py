"""Memories of oneself, documents that are searched, things that were stored, agents."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import File, Form, Header, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from metaagent.plugin import AgentSpec
from metaagent.registry import Registry, flags
from metaagent.web.api.base import (
    Caller,
    Cursor,
    Done,
    Id,
    Language,
    Limit,
    Loose,
    OneLine,
    Page,
    doors_of,
    page_of_all,
    router,
)
from metaagent.web.api.files import FILE, attachment

routes = router("knowledge")

Offset = Annotated[int, Query(ge=0, le=2**40)]
Name = Annotated[str | None, Query(max_length=200)]


class Memory(Loose):
    id: str
    kind: str


class Remember(BaseModel):
    text: OneLine = Field(examples=["내 담당 지역은 부산", "answer in English"])


class Known(Loose):
    """A document that is searched."""

    id: str


class Why(BaseModel):
    reason: OneLine


class Agent(BaseModel):
    name: str
    package: str
    description: str
    capabilities: list[str]
    consumes: list[str]
    produces: list[str]
    needs: list[str]
    permissions: list[str]
    side_effects: bool
    enabled: bool


class Trouble(BaseModel):
    """An agent that was not loaded, or something that looks wrong about one."""

    name: str
    package: str
    message: str


class Agents(BaseModel):
    agents: list[Agent]
    problems: list[Trouble] = Field(description="Agents that could not be loaded, with the remedy.")
    flags: list[Trouble]


# --- memories ---------------------------------------------------------------------------------------------


@routes.get("/memories")
async def list_memories(who: Caller, limit: Limit = 100, cursor: Cursor = None) -> Page[Memory]:
    """Memories that are kept of you."""
    return page_of_all([Memory.model_validate(each) for each in await who.memories()], limit, cursor)


@routes.post("/memories", status_code=201)
async def remember(said: Remember, who: Caller) -> dict[str, Any]:
    """Keep a fact or a preference, said as to the agent."""
    return await who.remember(said.text)


@routes.delete("/memories/{memory_id}")
async def forget(memory_id: Id, who: Caller) -> list[Memory]:
    """Forget a memory by its id; returns it, nothing if there was none."""
    return [Memory.model_validate(each) for each in await who.forget(memory_id)]


@routes.delete("/memories")
async def forget_everything(who: Caller) -> dict[str, int]:
    """Forget everything that is remembered of you; how many things that were."""
    return {"forgotten": await who.erase_memories()}


# --- documents that are searched --------------------------------------------------------------------------


@routes.get("/knowledge")
async def list_knowledge(
    who: Caller, collection: Name = None, limit: Limit = 50, cursor: Cursor = None
) -> Page[Known]:
    """Documents that you may search."""
    found = [Known.model_validate(each) for each in await who.knowledge_list(collection)]
    return page_of_all(found, limit, cursor)


@routes.post("/knowledge", status_code=201)
async def add_knowledge(
    who: Caller,
    file: Annotated[UploadFile, File(description="The document: PDF, DOCX, HWPX, Markdown, text, …")],
    collection: Annotated[str, Form(min_length=1, max_length=64)] = "documents",
    label: Annotated[str | None, Form(max_length=64)] = None,
    mine: Annotated[bool, Form(description="For yourself alone.")] = False,
) -> Known:
    """Add one document to what is searched, in the place of the one of the same name that was added so."""
    made = await who.knowledge_add(
        file.filename or "-", await file.read(), collection=collection, label=label or None, mine=mine
    )
    return Known.model_validate(made)


@routes.get("/knowledge/indexes")
async def show_indexes(who: Caller) -> list[dict[str, Any]]:
    """Collections that you may see, with the indexes that serve them."""
    return await who.index_status()


@routes.post("/knowledge/indexes/verify")
async def verify_indexes(who: Caller, collection: Name = None) -> dict[str, Any]:
    """Check that texts, chunks, terms and vectors belong together."""
    return await who.index_verify(collection)


@routes.post("/knowledge/indexes/rebuild")
async def rebuild_indexes(who: Caller, collection: Name = None) -> list[str]:
    """Make terms and vectors anew beside those that serve, then swap; names of the collections."""
    return await who.index_rebuild(collection)


@routes.get("/knowledge/{document_id}")
async def show_knowledge(document_id: Id, who: Caller, start: Offset = 0, end: Offset | None = None) -> Known:
    """A document and its text between these offsets, as a citation gives them."""
    return Known.model_validate(await who.knowledge_show(document_id, start=start, end=end))


@routes.get("/knowledge/{document_id}/places")
async def list_places(
    document_id: Id, who: Caller, limit: Limit = 100, cursor: Cursor = None
) -> Page[dict[str, Any]]:
    """Chunks of a document with their places, in order."""
    return page_of_all(await who.knowledge_places(document_id), limit, cursor)


@routes.delete("/knowledge/{document_id}")
async def remove_knowledge(document_id: Id, who: Caller) -> Known:
    """Remove a document with its text, terms and vectors."""
    return Known.model_validate(await who.knowledge_remove(document_id))


# --- things that were stored ------------------------------------------------------------------------------


@routes.get("/stored")
async def list_stored(who: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[dict[str, Any]]:
    """Receipts of what was stored, the oldest first."""
    return page_of_all(await who.stored_list(), limit, cursor)


@routes.get("/stored/{receipt}")
async def show_stored(receipt: Id, who: Caller) -> dict[str, Any]:
    """A receipt, and whether what it names is still as it was stored."""
    return await who.stored_show(receipt)


@routes.get("/stored/{receipt}/file", **FILE)
async def download_stored(
    receipt: Id,
    who: Caller,
    name: Name = None,
    byte_range: Annotated[str | None, Header(alias="Range", max_length=200)] = None,
) -> Response:
    found, content = await who.stored_file(receipt, name)
    return attachment(content, found, "application/octet-stream", byte_range)


@routes.post("/stored/{receipt}/undo")
async def undo_stored(receipt: Id, why: Why, who: Caller) -> dict[str, Any]:
    """Restore what was there before it was stored."""
    return await who.stored_undo(receipt, reason=why.reason)


# --- agents -----------------------------------------------------------------------------------------------


@routes.get("/agents")
async def list_agents(who: Caller, language: Language, request: Request) -> Agents:
    """Agents that are installed, those that failed to load, and what looks wrong about the others."""
    meta = doors_of(request).meta
    registry, only_for = meta.registry, meta.settings.agents.only_for
    company = who.user.company_id
    off = registry.switched_off.get(company, set())
    hidden = {name for name, companies in only_for.items() if company not in companies}
    return Agents(
        agents=[
            _agent(spec, registry, language, off=off)
            for spec in registry.agents.values()
            if spec.name not in hidden
        ],
        problems=[
            Trouble(name=each.name, package=each.package, message=each.say(language))
            for each in registry.problems
        ],
        flags=[
            Trouble(name=each.name, package=each.package, message=each.say(language))
            for each in flags(registry, meta.settings.agents)
        ],
    )


def _agent(spec: AgentSpec, registry: Registry, language: str, *, off: set[str]) -> Agent:
    return Agent(
        name=spec.name,
        package=registry.packages.get(spec.name, ""),
        description=spec.description.say(language),
        capabilities=[each.name for each in spec.capabilities],
        consumes=list(spec.consumes),
        produces=list(spec.produces),
        needs=sorted(spec.needs),
        permissions=list(spec.permissions),
        side_effects=spec.side_effects,
        enabled=not registry.is_disabled(spec.name) and spec.name not in off,
    )


@routes.post("/agents/{name}/disable")
async def disable_agent(name: Id, who: Caller) -> Done:
    """The kill switch: this agent or capability is not started again, in running turns neither."""
    await who.disable(name)
    return Done(done=True)


@routes.post("/agents/{name}/enable")
async def enable_agent(name: Id, who: Caller) -> Done:
    await who.enable(name)
    return Done(done=True)
