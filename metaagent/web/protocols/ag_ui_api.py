"""AG-UI at `/ag-ui`: a run is a message of the person, its events are those of the turn, and its end may be an interrupt.

A question back is an interrupt that is resolved with `{"answer": ...}`, a plan that waits one that is resolved with
`{"decision": "approve", "plan_hash": ...}`: the front end that shows the plan sends what the person chose. No message approves.
Whoever leaves in the middle does not stop the turn.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from metaagent.acting import Acting
from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.ports import Json
from metaagent.web.doors import Doors
from metaagent.web.problems import language_of, problem_of
from metaagent.web.protocols.exchange import Exchange, Reply, answer, begin, decide, drop
from metaagent.web.protocols.requests import body_of
from metaagent.web.protocols.threads import Threads

if TYPE_CHECKING:
    from ag_ui.core import BaseEvent, RunAgentInput

PATH = "/ag-ui"
ENDED_STEPS = frozenset({"completed", "failed", "skipped"})

_NOT_INSTALLED = Text(
    en="AG-UI needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="AG-UI에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[protocols]'",
)
_WRONG = Text(en="This is no run input: {problem}.", ko="실행 입력이 올바르지 않습니다: {problem}.")
_NO_MESSAGE = Text(
    en="The last message must be text of the user, or `resume` must answer an interrupt.",
    ko="마지막 메시지가 사용자의 텍스트이거나 `resume`으로 중단 지점에 답해야 합니다.",
)


def mount(web: FastAPI, doors: Doors, threads: Threads) -> None:
    web.add_api_route(PATH, AgUi(doors, threads).run, methods=["POST"], include_in_schema=False)


class AgUi:
    def __init__(self, doors: Doors, threads: Threads) -> None:
        self._doors = doors
        self._threads = threads

    async def run(self, request: Request) -> Response:
        language = language_of(request)
        try:
            app = await self._doors.acting(request)
            given = _read(await body_of(request))
            under_way = await self._begun(app, given)
            await self._threads.keep_named(app, f"ag-ui {given.thread_id}", under_way.session_id)
        except MetaAgentError as error:
            return problem_of(error, language)
        except ModuleNotFoundError as error:
            return JSONResponse({"error": _NOT_INSTALLED.say(language, missing=error.name)}, 501)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        told = self._told(under_way, given, language)
        return StreamingResponse(told, media_type="text/event-stream", headers=headers)

    async def _begun(self, app: Acting, given: RunAgentInput) -> Exchange:
        session_id = await self._threads.named(app, f"ag-ui {given.thread_id}")
        if given.resume and session_id is not None:
            return await _resumed(app, session_id, given.resume[0])
        return await begin(app, _text_of(given), session_id)

    async def _told(self, under_way: Exchange, given: RunAgentInput, language: str) -> AsyncIterator[str]:
        from ag_ui.core import RunErrorEvent, RunStartedEvent
        from ag_ui.encoder import EventEncoder

        encode = EventEncoder().encode
        yield encode(RunStartedEvent(thread_id=given.thread_id, run_id=given.run_id))
        steps = Steps()
        try:
            async for event in under_way.events():
                for told in steps.told(event):
                    yield encode(told)
            reply = await under_way.reply()
        except MetaAgentError as error:
            yield encode(RunErrorEvent(message=error.say(language), code=error.code))
            return
        for told in (*steps.left_open(), *ending(reply, given)):
            yield encode(told)


async def _resumed(app: Acting, session_id: str, entry: Any) -> Exchange:
    """An interrupt that the person resolved or dismissed."""
    if entry.status == "cancelled":
        return await drop(app, session_id)
    payload: Any = entry.payload
    if isinstance(payload, dict) and "decision" in payload:
        return await decide(
            app, session_id, entry.interrupt_id, payload["decision"], payload.get("plan_hash")
        )
    said = payload.get("answer") if isinstance(payload, dict) else payload
    if not isinstance(said, str):
        raise InputRefused(_NO_MESSAGE)
    return await answer(app, said, session_id, entry.interrupt_id)


def _read(body: Json) -> RunAgentInput:
    from ag_ui.core import RunAgentInput

    try:
        return RunAgentInput.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        problem = f"{'.'.join(map(str, first['loc'][:4]))}: {first['msg']}"
        raise InputRefused(_WRONG, problem=problem) from error


def _text_of(given: RunAgentInput) -> str:
    last: Any = given.messages[-1] if given.messages else None
    if last is None or last.role != "user":
        raise InputRefused(_NO_MESSAGE)
    if isinstance(last.content, str):
        return last.content
    parts: list[Any] = list(last.content)
    if any(part.type != "text" for part in parts):
        raise InputRefused(_NO_MESSAGE)
    return "\n".join(part.text for part in parts)


class Steps:
    """The steps as the front end knows them: each begins once and ends once."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}
        self._done: set[str] = set()

    def told(self, event: Json) -> Iterator[BaseEvent]:
        """The event itself, and what it says about steps. Drafts of an answer are not told: they may be taken back."""
        from ag_ui.core import CustomEvent, StateSnapshotEvent

        if event["type"] == "token":
            return
        yield CustomEvent(name=f"metaagent.{event['type']}", value=event)
        if event["type"] == "todo_updated":
            yield from self._moved(event["steps"])
            told = {
                "session_id": event["session_id"],
                "steps": event["steps"],
                "progress_percentage": event["progress_percentage"],
            }
            yield StateSnapshotEvent(snapshot=told)

    def _moved(self, steps: list[Json]) -> Iterator[BaseEvent]:
        from ag_ui.core import StepFinishedEvent, StepStartedEvent

        for step in steps:
            key, name = step["step_id"], f"{step['step_id']} {step['description']}"
            ended = step["status"] in ENDED_STEPS
            if (ended or step["status"] == "in_progress") and key not in self._open and key not in self._done:
                self._open[key] = name
                yield StepStartedEvent(step_name=name)
            if ended and key in self._open:
                self._done.add(key)
                yield StepFinishedEvent(step_name=self._open.pop(key))

    def left_open(self) -> Iterator[BaseEvent]:
        """Steps that wait: a run ends with no step open."""
        from ag_ui.core import StepFinishedEvent

        for name in self._open.values():
            yield StepFinishedEvent(step_name=name)
        self._open = {}


def ending(reply: Reply, given: RunAgentInput) -> Iterator[BaseEvent]:
    """The answer as a message, and how the run ended."""
    from ag_ui.core import (
        RunErrorEvent,
        RunFinishedCancelledOutcome,
        RunFinishedEvent,
        RunFinishedInterruptOutcome,
        RunFinishedSuccessOutcome,
        TextMessageContentEvent,
        TextMessageEndEvent,
        TextMessageStartEvent,
    )

    message = f"msg-{given.run_id}"
    if reply.text:
        yield TextMessageStartEvent(message_id=message, role="assistant")
        yield TextMessageContentEvent(message_id=message, delta=reply.text)
        yield TextMessageEndEvent(message_id=message)
    if reply.status == "failed":
        errors = reply.content.get("errors") or [{}]
        yield RunErrorEvent(message=reply.text or "failed", code=str(errors[-1].get("code", "failed")))
        return
    result = {
        "session_id": reply.session_id,
        "turn_id": reply.turn_id,
        "status": reply.status,
        "artifacts": reply.content.get("artifacts") or [],
        "citations": reply.content.get("citations") or [],
        "confidence": reply.content.get("confidence"),
    }
    outcome: Any = RunFinishedSuccessOutcome()
    if reply.question is not None:
        outcome = RunFinishedInterruptOutcome(interrupts=[_interrupt(reply, reply.question)])
    elif reply.status == "cancelled":
        outcome = RunFinishedCancelledOutcome()
    yield RunFinishedEvent(thread_id=given.thread_id, run_id=given.run_id, result=result, outcome=outcome)


def _interrupt(reply: Reply, question: Json) -> Any:
    from ag_ui.core import Interrupt

    fields: Json = {"answer": {"type": "string"}}
    if question["kind"] == "approval":
        fields = {"decision": {"enum": ["approve", "reject"]}, "plan_hash": {"const": question["plan_hash"]}}
    elif question["kind"] == "override":
        fields = {}  # decided by a compliance officer, not here
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    shown = {
        key: question.get(key) for key in ("options", "steps", "plan_hash", "reasons") if key in question
    }
    return Interrupt(
        id=question["id"], reason=question["kind"], message=reply.text, response_schema=schema, metadata=shown
    )
