"""Sessions: list, look, search, fork, restore, export, import, delete, and control of the turn at work."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import File, Form, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from metaagent.ports import SessionInfo, Turn
from metaagent.web.api.base import (
    Caller,
    Cursor,
    Done,
    Id,
    Language,
    Limit,
    Loose,
    Page,
    page,
    page_of_all,
    place_of,
    router,
)
from metaagent.web.api.files import attachment

routes = router("sessions")

Text = Annotated[str, Query(min_length=1, max_length=1_000)]


class Session(BaseModel):
    session_id: str = Field(examples=["s0123456789abcdef"])
    title: str = Field(examples=["지난달 서울 매출을 분석해줘"])
    status: str = Field(description="Of its newest turn; `interrupted` if nobody works on it any more.")
    turns: int
    created_at: str
    updated_at: str
    refused: str = Field("", description="Why the title cannot be read, if it cannot.")
    pinned: bool = False
    shared: bool = Field(False, description="Colleagues may read it.")
    shared_by: str = Field("", description="Whose it is, where it is shared with you.")


class Turned(BaseModel):
    """A turn as it is listed; `GET /turns/{turn_id}` has its outcome."""

    turn_id: str = Field(examples=["t0123456789abcdef"])
    session_id: str
    number: int
    status: str
    question: str
    language: str
    started_at: str
    ended_at: str | None
    waiting: list[dict[str, Any]] = Field(description="Questions that it waits with.")
    errors: list[dict[str, Any]] = Field(description="What went wrong, if something did.")


class Message(Loose):
    """Something that was said, by a person or as an answer."""

    position: int


class ForkFrom(BaseModel):
    turn: int | None = Field(None, ge=1, le=2**31, description="After this turn; after the newest if empty.")
    name: str | None = Field(None, max_length=200, description="Or at the checkpoint of this name.")


class RestoreTo(ForkFrom):
    discard: bool = Field(False, description="Drop a turn that waits for an answer.")


class Restored(BaseModel):
    undone: int = Field(description="Turns that count no more; they stay in the history.")


class Checkpoint(BaseModel):
    checkpoint_id: str
    created_at: str | None
    turn: int | None
    names: list[str]
    current: bool


class Rename(BaseModel):
    title: str = Field(min_length=1, max_length=200, examples=["Seoul, last month"])


class Pin(BaseModel):
    pinned: bool = True


class Reader(BaseModel):
    person: str | None = Field(
        None, min_length=1, max_length=200, description="A colleague; null for everybody of the company."
    )


class Shared(Reader):
    created_at: str


def shown(info: SessionInfo) -> Session:
    return Session.model_validate({**asdict(info)})


def _turned(turn: Turn) -> Turned:
    return Turned.model_validate(
        {**asdict(turn), "waiting": list(turn.waiting), "errors": turn.outcome.get("errors") or []}
    )


@routes.get("/sessions")
async def list_sessions(
    who: Caller,
    q: Text | None = None,
    of: Literal["mine", "pinned", "shared"] = "mine",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[Session]:
    """Your sessions, the most recently used first; with `q`, those whose title holds the text. `of=pinned`: those that you
    pinned; `of=shared`: those of colleagues that you may read."""
    if of != "mine":
        found = await (who.pinned_sessions() if of == "pinned" else who.shared_sessions(limit=limit))
        return page_of_all([shown(each) for each in found], limit, cursor)
    if q is not None:
        return Page(items=[shown(each) for each in await who.search_sessions(q, limit=limit)])
    found = await who.sessions(limit=limit + 1, before=place_of(cursor, str))
    return page(map(shown, found), limit, lambda each: each.updated_at)


@routes.get("/sessions/{session_id}")
async def show_session(session_id: Id, who: Caller) -> Session:
    return shown(await who.session(session_id))


@routes.patch("/sessions/{session_id}")
async def rename_session(session_id: Id, new: Rename, who: Caller) -> Session:
    """Give a session another title."""
    return shown(await who.rename_session(session_id, new.title))


@routes.post("/sessions/{session_id}/pin")
async def pin_session(session_id: Id, pin: Pin, who: Caller) -> Done:
    """Keep a session on top of your list, or no longer."""
    await who.pin_session(session_id, pinned=pin.pinned)
    return Done(done=True)


@routes.get("/sessions/{session_id}/shares")
async def list_shares(session_id: Id, who: Caller) -> list[Shared]:
    """People who may read the session."""
    return [Shared.model_validate(each) for each in await who.session_shares(session_id)]


@routes.post("/sessions/{session_id}/shares")
async def share_session(session_id: Id, reader: Reader, who: Caller) -> list[Shared]:
    """Let a colleague, or everybody of the company, read the session. They need no smaller rights to data than you have."""
    return [Shared.model_validate(each) for each in await who.share_session(session_id, reader.person)]


@routes.delete("/sessions/{session_id}/shares")
async def unshare_session(
    session_id: Id, who: Caller, person: Annotated[str | None, Query(min_length=1, max_length=200)] = None
) -> list[Shared]:
    """End sharing with this colleague; without a name, with everybody."""
    return [Shared.model_validate(each) for each in await who.unshare_session(session_id, person)]


@routes.delete("/sessions/{session_id}")
async def delete_session(session_id: Id, who: Caller) -> dict[str, int]:
    """Delete a session with everything that belongs to it; what was removed, by kind."""
    return await who.delete_session(session_id)


@routes.get("/sessions/{session_id}/turns")
async def list_turns(session_id: Id, who: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[Turned]:
    """Turns of a session, the newest first."""
    found = await who.turns(session_id, limit=limit + 1, before=place_of(cursor, int))
    return page(map(_turned, found), limit, lambda each: each.number)


@routes.get("/sessions/{session_id}/messages")
async def list_messages(
    session_id: Id, who: Caller, q: Text | None = None, limit: Limit = 50, cursor: Cursor = None
) -> Page[Message]:
    """Everything that was said, the newest first; with `q`, what holds the text."""
    before = place_of(cursor, int)
    if q is not None:
        found = await who.search_history(session_id, q, before=before, limit=limit + 1)
    else:
        found = await who.history(session_id, before=before, limit=limit + 1)
    return page(map(Message.model_validate, found), limit, lambda each: each.position)


@routes.get("/sessions/{session_id}/state")
async def show_state(session_id: Id, who: Caller) -> dict[str, Any]:
    """The state of a session at its newest sound checkpoint, without its messages."""
    state: dict[str, Any] = {**await who.state(session_id)}
    return {key: value for key, value in state.items() if key != "messages"}


@routes.get("/sessions/{session_id}/checkpoints")
async def list_checkpoints(session_id: Id, who: Caller) -> list[Checkpoint]:
    """Places that `fork` and `restore` can go to, the newest first."""
    return [Checkpoint.model_validate(asdict(each)) for each in await who.checkpoints(session_id)]


@routes.post("/sessions/{session_id}/fork", status_code=201)
async def fork_session(session_id: Id, where: ForkFrom, who: Caller) -> Session:
    """Begin a new session that continues from the end of a turn."""
    return shown(await who.fork(session_id, turn=where.turn, name=where.name))


@routes.post("/sessions/{session_id}/restore")
async def restore_session(session_id: Id, where: RestoreTo, who: Caller) -> Restored:
    """Go back to the end of a turn."""
    waiting = "discard" if where.discard else "refuse"
    undone = await who.restore(session_id, turn=where.turn, name=where.name, on_waiting=waiting)
    return Restored(undone=undone)


@routes.post("/sessions/{session_id}/cancel")
async def cancel_turn(session_id: Id, who: Caller) -> Done:
    """Stop the turn that runs or waits. What it finished is kept."""
    return Done(done=await who.cancel(session_id))


@routes.post("/sessions/{session_id}/pause")
async def pause_turn(session_id: Id, who: Caller) -> Done:
    """Let steps under way finish, and start no other until `unpause`."""
    return Done(done=await who.pause(session_id))


@routes.post("/sessions/{session_id}/unpause")
async def unpause_turn(session_id: Id, who: Caller) -> Done:
    return Done(done=await who.unpause(session_id))


@routes.get("/sessions/{session_id}/export", response_class=Response)
async def export_session(session_id: Id, who: Caller) -> Response:
    """The session as an archive, without personal data."""
    content = await who.export_session(session_id)
    return attachment(content, f"{session_id}.zip", "application/zip")


class Sealed(BaseModel):
    passphrase: str = Field(min_length=8, max_length=1_000)


@routes.post("/sessions/{session_id}/export", response_class=Response)
async def export_whole_session(session_id: Id, sealed: Sealed, who: Caller) -> Response:
    """The session with everything in it, as an archive that the passphrase seals."""
    content = await who.export_session(session_id, full=True, passphrase=sealed.passphrase)
    return attachment(content, f"{session_id}.zip", "application/octet-stream")


@routes.post("/sessions/import", status_code=201)
async def import_session(
    who: Caller,
    file: Annotated[UploadFile, File(description="An archive that `export` made.")],
    passphrase: Annotated[str | None, Form(max_length=1_000)] = None,
) -> Session:
    """Take up an exported session as a new one of yours."""
    return shown(await who.import_session(await file.read(), passphrase=passphrase or None))


@routes.get("/topics")
async def list_topics(
    who: Caller, language: Language, most: Annotated[int, Query(ge=1, le=50)] = 5
) -> dict[str, Any]:
    """Figures, what they split by, how far the data goes, and questions that work; empty where no data is connected."""
    found = await who.topics(language=language, most=most)
    return found.as_json() if found is not None else {}
