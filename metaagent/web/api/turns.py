"""Questions and what becomes of them: ask, answer, approve, override, and how a turn stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from fastapi import File, UploadFile
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from metaagent.runtime import Begun as BegunTurn
from metaagent.web.api.base import (
    REQUEST,
    Answer,
    Caller,
    Cursor,
    Id,
    Language,
    Limit,
    Loose,
    Page,
    Route,
    is_plain,
    page_of_all,
    router,
)
from metaagent.web.api.events import STREAM, STREAM_CONTENT, events_of, following


class _TurnRoute(Route):
    """A route that may begin a turn. Somebody who accepts a stream of events gets those of the turn in the same answer,
    instead of the address where they are: one request less on the way to an answer."""

    def reading(self) -> Answer:
        """Read the body of what begins a turn at once; the framework reads what does not fit, and says what is wrong."""
        read = super().reading()
        if self.status_code != BEGUN or self.body_field is None:
            return read
        name, model = self.body_field.name, self.body_field.field_info.annotation
        assert isinstance(model, type)
        assert issubclass(model, BaseModel)

        async def answer(request: Request) -> Response:
            try:
                given = model.model_validate_json(await request.body()) if is_plain(request) else None
            except ValidationError:
                given = None
            if given is None:
                return await read(request)
            return await self.endpoint(**request.path_params, **{name: given, REQUEST: request})

        return answer

    def get_route_handler(self) -> Answer:
        begin = super().get_route_handler()

        async def handle(request: Request) -> Response:
            made = await begin(request)
            if made.status_code != BEGUN or STREAM not in request.headers.get("accept", ""):
                return made
            turn = Begun.model_validate_json(bytes(made.body))
            return await following(request, request.state.acting, turn.turn_id, made)

        return handle


BEGUN = 202
_BEGINS: Any = {"status_code": BEGUN, "responses": {BEGUN: {"content": STREAM_CONTENT}}}
routes = router("turns", _TurnRoute)


class Question(BaseModel):
    text: str = Field(
        min_length=1, examples=["지난달 서울 매출을 분석해줘", "Top 5 hospitals by sales last quarter"]
    )
    session_id: str | None = Field(
        None, max_length=200, description="Go on with this session; a new one if empty."
    )
    attachments: list[Annotated[str, Field(max_length=200)]] = Field(
        default_factory=list[str], max_length=20, description="Ids that `POST /attachments` gave."
    )
    discard: bool = Field(False, description="Drop a turn of the session that waits for an answer.")


class Begun(BaseModel):
    """A turn that runs now: follow it at `events`."""

    session_id: str
    turn_id: str
    number: int
    events: str = Field(examples=["/api/v1/turns/t0123456789abcdef/events"])


class Answered(BaseModel):
    """The standing of a turn: the outcome that `metaagent ask --json` prints."""

    status: str
    outcome: dict[str, Any]


class Reply(BaseModel):
    answer: Any = Field(examples=["서울"], description="A text, or what the question asks for.")
    question_id: str | None = Field(None, max_length=200, description="Which question, where several wait.")


class Decision(BaseModel):
    decision: Literal["approve", "reject"] = "approve"
    reason: str = Field("", max_length=10_000)
    question_id: str | None = Field(None, max_length=200)
    drop: list[str] = Field(default_factory=list[str], max_length=100, description="Steps to leave out.")
    params: dict[str, dict[str, Any]] = Field(
        default_factory=dict[str, dict[str, Any]], description="Parameters to change, by step."
    )
    order: list[str] = Field(default_factory=list[str], max_length=100, description="Steps in another order.")
    show: list[str] = Field(
        default_factory=list[str],
        max_length=100,
        description="Steps that wait once more right before they act, with what they would act on.",
    )


class Override(BaseModel):
    decision: Literal["approve", "reject"]
    reason: str = Field(min_length=1, max_length=10_000)
    question_id: str | None = Field(None, max_length=200)


class Approval(Loose):
    """Something that waits for a decision of yours."""

    session_id: str
    turn_id: str
    kind: str


class Effect(BaseModel):
    would_store: dict[str, Any] | None = Field(
        description="The decision where and why, files, rows and those that they replace, or what it would ask first; null "
        "where the step stores nothing, or what it would store is not made yet."
    )


class Attached(Loose):
    id: str = Field(description="Goes into `attachments` of a question.")
    name: str
    media_type: str
    size: int


def _begun(turn: BegunTurn) -> Begun:
    return Begun(
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        number=turn.number,
        events=events_of(turn.turn_id),
    )


@routes.post("/questions", **_BEGINS)
async def ask(question: Question, who: Caller) -> Begun:
    """Ask. The answer comes as events."""
    waiting = "discard" if question.discard else "refuse"
    return _begun(
        await who.begin(
            question.text,
            session_id=question.session_id,
            on_waiting=waiting,
            attachments=question.attachments,
        )
    )


@routes.post("/attachments", status_code=201)
async def attach(who: Caller, file: Annotated[UploadFile, File()]) -> Attached:
    """Keep a file to be asked about. It is read in a process of its own, and sealed for you."""
    return Attached.model_validate(await who.attach(file.filename or "-", await file.read()))


@routes.get("/turns/{turn_id}")
async def show_turn(turn_id: Id, who: Caller) -> Answered:
    found = await who.answer(turn_id)
    return Answered(status=found.status, outcome=found.content)


@routes.post("/sessions/{session_id}/answers", **_BEGINS)
async def answer(session_id: Id, reply: Reply, who: Caller) -> Begun:
    """Answer the question that a turn waits with."""
    return _begun(await who.begin_resume(session_id, reply.answer, question_id=reply.question_id))


@routes.post("/sessions/{session_id}/resume", **_BEGINS)
async def resume(session_id: Id, who: Caller) -> Begun:
    """Go on with a turn that was cut off."""
    return _begun(await who.begin_resume(session_id))


@routes.get("/approvals")
async def list_approvals(who: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[Approval]:
    """Plans and closed gates that wait for your decision."""
    found = [Approval.model_validate(each) for each in await who.approvals()]
    return page_of_all(found, limit, cursor)


@routes.get("/sessions/{session_id}/approval/{step_id}")
async def show_effect(session_id: Id, step_id: Id, who: Caller, language: Language) -> Effect:
    """Tell what a step of a plan that waits for your decision would store, as it would be. Nothing is stored."""
    return Effect(would_store=await who.approval_effect(session_id, step_id, language=language))


@routes.get("/sessions/{session_id}/approval/inputs/{artifact_id}", response_class=Response)
async def show_input(session_id: Id, artifact_id: Id, who: Caller) -> Response:
    """Show what a step of a plan that waits for your decision would use: data as JSON, files as they are."""
    found = await who.approval_input(session_id, artifact_id)
    if isinstance(found, bytes):
        return Response(found, media_type="application/octet-stream")
    return Response(orjson.dumps(found), media_type="application/json")


@routes.post("/sessions/{session_id}/approval", **_BEGINS)
async def approve(session_id: Id, decision: Decision, who: Caller) -> Begun:
    """Decide on a plan: approve it as it is or with edits, or reject it. What runs is exactly what was approved."""
    edits = decision.model_dump(include={"drop", "params", "order", "show"})
    said = {"decision": decision.decision, **{key: value for key, value in edits.items() if value}}
    return _begun(
        await who.begin_approve(session_id, said, question_id=decision.question_id, reason=decision.reason)
    )


@routes.post("/sessions/{session_id}/override", **_BEGINS)
async def override(session_id: Id, decision: Override, who: Caller) -> Begun:
    """Decide on a gate that a check closed in another person's turn."""
    return _begun(
        await who.begin_override(
            session_id, decision.decision, reason=decision.reason, question_id=decision.question_id
        )
    )
