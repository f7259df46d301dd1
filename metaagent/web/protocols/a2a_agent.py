"""A2A: this installation as an agent of others. A message is a turn, a context is a session, a question is a state of the task.

`input-required` waits for an answer in words; `auth-required` waits for somebody to approve a plan elsewhere, which no message
does. Numbers in artifacts stay what they are: data goes as JSON text, since the protocol's own values are all doubles.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from a2a.auth.user import User as A2aUser
from a2a.helpers.proto_helpers import new_raw_part, new_task, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import EventQueue
from a2a.server.routes.common import ServerCallContextBuilder
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
    Task,
    TaskState,
)
from starlette.requests import Request

from metaagent import __version__
from metaagent.acting import Acting
from metaagent.errors import MetaAgentError, Text
from metaagent.level1.reasoner import detect_language
from metaagent.ports import Json, User
from metaagent.web.doors import Doors
from metaagent.web.protocols.exchange import DECISIONS, Exchange, Reply, begin
from metaagent.web.protocols.narration import narrate
from metaagent.web.protocols.threads import Threads

PERSON = "metaagent.person"
MOST_TASKS = 2_000
"""Tasks that are kept in memory, of everybody together; the oldest go first. Their sessions stay."""
LARGEST_PART = 200_000
"""Bytes of an artifact that goes along; a larger one is named, and is in the session."""

_NOT_TEXT = Text(
    en="Messages are text here; other parts are not taken.",
    ko="텍스트 메시지만 받습니다. 다른 형식은 받지 않습니다.",
)


class Person(A2aUser):
    """The person of a request as the protocol's package sees one: tasks are kept apart by this name."""

    def __init__(self, person: User) -> None:
        self._name = orjson.dumps([person.company_id, person.user_id]).decode()

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def user_name(self) -> str:
        return self._name


class Callers(ServerCallContextBuilder):
    """Says who calls: the person that the server found for the request."""

    def build(self, request: Request) -> ServerCallContext:
        person = request.scope[PERSON]
        assert isinstance(person, User)
        # Not the key that the person came with: nothing behind this needs it.
        headers = {name: value for name, value in request.headers.items() if name.startswith("a2a-")}
        return ServerCallContext(user=Person(person), state={PERSON: person, "headers": headers})


class Tasks(InMemoryTaskStore):
    """Tasks in memory, bounded."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[tuple[str, str], ServerCallContext] = {}

    async def save(self, task: Task, context: ServerCallContext) -> None:
        await super().save(task, context)
        self._kept.setdefault((context.user.user_name, task.id), context)
        while len(self._kept) > MOST_TASKS:
            owner, task_id = next(iter(self._kept))
            await self.delete(task_id, self._kept.pop((owner, task_id)))


class TurnExecutor(AgentExecutor):
    """Runs each message as a turn of the session that its context stands for."""

    def __init__(self, doors: Doors, threads: Threads) -> None:
        self._doors = doors
        self._threads = threads
        self._begun: dict[str, asyncio.Event] = {}
        """Set when the turn of a running task has begun, or will not begin."""

    def _acting(self, context: RequestContext) -> Acting:
        return self._doors.acting_as(context.call_context.state[PERSON])

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        app, name = self._acting(context), f"a2a {context.context_id}"
        task_id, context_id = context.task_id or "", context.context_id or ""
        if context.current_task is None:
            history = [context.message] if context.message else []
            made = new_task(task_id, context_id, TaskState.TASK_STATE_SUBMITTED, history=history)
            await event_queue.enqueue_event(made)
        updater = TaskUpdater(event_queue, task_id, context_id)
        text = context.get_user_input()
        begun = self._begun[task_id] = asyncio.Event()
        try:
            under_way = await begin(app, _checked(context, text), await self._threads.named(app, name))
            await self._threads.keep_named(app, name, under_way.session_id)
            begun.set()
            reply = await _followed(under_way, updater)
        except MetaAgentError as error:
            await updater.reject(new_text_message(error.say(detect_language(text))))
            return
        finally:
            begun.set()
            self._begun.pop(task_id, None)
        await _ended(app, reply, updater)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        app = self._acting(context)
        begun = self._begun.get(context.task_id or "")
        if begun is not None:
            await begun.wait()
        session_id = await self._threads.named(app, f"a2a {context.context_id}")
        if session_id is not None:
            await app.cancel(session_id)
        await TaskUpdater(event_queue, context.task_id or "", context.context_id or "").cancel()


class _Refused(MetaAgentError):
    code = "input_refused"


def _checked(context: RequestContext, text: str) -> str:
    parts = context.message.parts if context.message else []
    if any(not part.HasField("text") for part in parts):
        raise _Refused(_NOT_TEXT)
    return text


async def _followed(under_way: Exchange, updater: TaskUpdater) -> Reply:
    async for event in under_way.events():
        line = narrate(event, under_way.language)
        if line:
            told = new_text_message(line)
            await updater.update_status(TaskState.TASK_STATE_WORKING, told, metadata={"seq": event["seq"]})
    return await under_way.reply()


async def _ended(app: Acting, reply: Reply, updater: TaskUpdater) -> None:
    message = new_text_message(reply.text or reply.status, media_type="text/plain")
    if reply.question is not None:
        decided = reply.question["kind"] in DECISIONS
        state = TaskState.TASK_STATE_AUTH_REQUIRED if decided else TaskState.TASK_STATE_INPUT_REQUIRED
        waits = {"session_id": reply.session_id, "waiting_for": reply.question["kind"]}
        await updater.update_status(state, message, metadata=waits)
        return
    if reply.status != "completed":
        stopped = reply.status == "cancelled"
        await (updater.cancel(message) if stopped else updater.failed(message))
        return
    await updater.add_artifact([new_text_part(reply.text)], name="answer", metadata=_place(reply))
    for artifact in reply.content.get("artifacts") or ():
        part = await _part(app, reply.session_id, artifact)
        if part is not None:
            await updater.add_artifact([part], artifact["id"], artifact.get("name") or artifact["kind"])
    await updater.complete(message)


def _place(reply: Reply) -> Json:
    citations = reply.content.get("citations") or []
    return {"session_id": reply.session_id, "turn_id": reply.turn_id, "citations": citations}


async def _part(app: Acting, session_id: str, artifact: Json) -> Any:
    """An artifact as a part; one that is large is named only."""
    if artifact["size"] > LARGEST_PART:
        named = {key: artifact.get(key) for key in ("id", "kind", "summary", "size")}
        return new_text_part(orjson.dumps(named).decode(), media_type="application/json")
    content = await app.artifact(session_id, artifact["id"])
    media = artifact.get("media_type") or ""
    if isinstance(content, bytes):
        return new_raw_part(content, media_type=media or "application/octet-stream")
    return new_text_part(orjson.dumps(content).decode(), media_type=media or "application/json")


def agent_card(url: str, agents: list[tuple[str, str, list[str]]]) -> AgentCard:
    """The card that others find this agent by. It says what can be asked, and nothing of what is known."""
    bearer = SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="bearer"))
    return AgentCard(
        name="metaagent",
        description="Answers questions about a company's data, rules and documents, in Korean and English.",
        version=__version__,
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain", "application/json"],
        security_schemes={"bearer": bearer},
        security_requirements=[SecurityRequirement(schemes={"bearer": StringList()})],
        skills=[
            AgentSkill(id=name, name=name, description=description, tags=words)
            for name, description, words in agents
        ],
    )
