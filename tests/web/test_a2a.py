"""A2A's own client works: the card, tasks, questions back as a state, artifacts; each person's tasks are their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio
from a2a.client import Client, ClientConfig, create_client
from a2a.helpers.proto_helpers import get_message_text, new_text_message
from a2a.types import CancelTaskRequest, GetTaskRequest, Role, SendMessageRequest, TaskState
from a2a.utils.errors import A2AError

from tests.support.web_doors import PEOPLE, Served, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("a2a")) as found:
        yield found


@asynccontextmanager
async def client(server: Served, key: str = "key-kim", *, streaming: bool = True) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as web:
        config = ClientConfig(httpx_client=web, streaming=streaming)
        async with await create_client(server.url, config) as connected:
            yield connected


async def send(a2a: Client, text: str, task: Any = None, context: str | None = None) -> tuple[Any, list[str]]:
    """The task after a message, and what was told meanwhile."""
    message = new_text_message(
        text,
        role=Role.ROLE_USER,
        task_id=task.id if task else None,
        context_id=task.context_id if task else context,
    )
    told, task_id = list[str](), task.id if task else ""
    async for event in a2a.send_message(SendMessageRequest(message=message)):
        if event.HasField("task"):
            task_id = event.task.id
        if event.HasField("status_update"):
            told.append(get_message_text(event.status_update.status.message))
    return await a2a.get_task(GetTaskRequest(id=task_id)), told


def said(task: Any) -> str:
    return get_message_text(task.status.message)


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    ("question", "answer"), [("count words of this", "4 words."), ("이 문장의 단어 수는?", "단어 4개입니다.")]
)
async def test_a_message_becomes_a_task_with_artifacts(
    server: Served, question: str, answer: str, *, streaming: bool
):
    async with client(server, streaming=streaming) as a2a:
        task, told = await send(a2a, question)
    assert (task.status.state, said(task)) == (TaskState.TASK_STATE_COMPLETED, answer)
    assert [artifact.name for artifact in task.artifacts] == ["answer", "statistics"]
    assert task.artifacts[1].parts[0].text == '{"words":4}'
    assert bool(told) is streaming


async def test_the_card_says_what_can_be_asked(server: Served):
    async with httpx.AsyncClient() as web:
        got = await web.get(f"{server.url}/.well-known/agent-card.json")
    card = got.json()
    assert card["supportedInterfaces"][0]["url"] == f"{server.url}/a2a"
    assert {skill["id"] for skill in card["skills"]} >= {"word_count", "convert"}
    assert "bearer" in card["securitySchemes"]


async def test_a_question_back_is_a_state_of_the_task(server: Served):
    async with client(server) as a2a:
        asked, _ = await send(a2a, "convert currency please")
        assert asked.status.state == TaskState.TASK_STATE_INPUT_REQUIRED
        assert "Choices: USD, EUR" in said(asked)
        done, _ = await send(a2a, "EUR", asked)
    assert (done.id, said(done)) == (asked.id, "Converted into EUR.")


async def test_a_context_is_one_session(server: Served):
    async with client(server) as a2a:
        first, _ = await send(a2a, "count words of this")
        second, _ = await send(a2a, "count words of that", context=first.context_id)
    sessions = {task.artifacts[0].metadata["session_id"] for task in (first, second)}
    assert (len(sessions), first.id != second.id) == (1, True)


async def test_no_message_approves_a_plan(server: Served):
    before = server.runs.of("post_notice")
    async with client(server) as a2a:
        task, _ = await send(a2a, "post the notice")
        for word in ("yes", "approve", "승인"):
            assert task.status.state == TaskState.TASK_STATE_AUTH_REQUIRED
            task, _ = await send(a2a, word, task)
        assert server.runs.of("post_notice") == before
        kim = server.meta.acting_for(PEOPLE["key-kim"])
        (waiting,) = [each for each in await kim.approvals() if each["asked"] == "post the notice"]
        await kim.approve(waiting["session_id"])
        done, _ = await send(a2a, "continue", task)
    assert (said(done), server.runs.of("post_notice")) == ("The notice is posted.", before + 1)


@pytest.mark.parametrize("key", ["key-lee", "key-other"])
async def test_tasks_of_another_person_are_unknown(server: Served, key: str):
    async with client(server) as a2a:
        task, _ = await send(a2a, "convert currency please")
    async with client(server, key) as a2a:
        with pytest.raises(A2AError):
            await a2a.get_task(GetTaskRequest(id=task.id))
        with pytest.raises(A2AError):
            await a2a.cancel_task(CancelTaskRequest(id=task.id))
        with pytest.raises(A2AError):
            await send(a2a, "EUR", task)
        own, _ = await send(a2a, "count words of this", context=task.context_id)
    assert own.artifacts[0].metadata["session_id"]
    async with client(server) as a2a:
        assert said((await send(a2a, "EUR", task))[0]) == "Converted into EUR."


async def test_a_cancelled_task_cancels_its_turn(server: Served):
    before = server.runs.of("wait_began")
    async with client(server) as a2a:
        message = new_text_message("wait for the file", role=Role.ROLE_USER)
        stream = a2a.send_message(SendMessageRequest(message=message))
        first = await anext(stream)
        await server.runs.reached("wait_began", before + 1)
        async with asyncio.timeout(30):
            await a2a.cancel_task(CancelTaskRequest(id=first.task.id))
            rest = [event async for event in stream]
        task = await a2a.get_task(GetTaskRequest(id=first.task.id))
    assert rest
    assert task.status.state == TaskState.TASK_STATE_CANCELED
    kim = server.meta.acting_for(PEOPLE["key-kim"])
    (session,) = await kim.search_sessions("wait for the file")
    (turn,) = await kim.turns(session.session_id)
    assert turn.status == "cancelled"


@pytest.mark.parametrize(
    ("body", "key", "status"),
    [
        (b"{", "key-kim", 200),
        (b"\xff", "key-kim", 200),
        (b"[]", "key-kim", 200),
        (b"[" * 50_000, "key-kim", 200),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "Nothing", "params": {}}', "key-kim", 200),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": 5}}', "key-kim", 200),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "GetTask", "params": {"id": "x"}}', "key-kim", 200),
        (b" " * 8_000_001, "key-kim", 413),
        (b"{}", "nobody", 401),
    ],
)
async def test_malformed_calls_are_refused(server: Served, body: bytes, key: str, status: int):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "A2A-Version": "1.0"}
    async with httpx.AsyncClient(timeout=60) as web:
        got = await web.post(f"{server.url}/a2a", content=body, headers=headers)
    assert got.status_code == status
    if status == 200:
        assert got.json()["error"]["code"] < 0


async def test_clients_of_the_earlier_version_are_answered(server: Served):
    part = {"kind": "text", "text": "count words of this"}
    message = {"kind": "message", "messageId": "m1", "role": "user", "parts": [part]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
    async with httpx.AsyncClient(timeout=60, headers={"Authorization": "Bearer key-kim"}) as web:
        got = (await web.post(f"{server.url}/a2a", json=call)).json()["result"]
    assert (got["kind"], got["status"]["state"]) == ("task", "completed")
    assert got["status"]["message"]["parts"][0]["text"] == "4 words."


async def test_a_question_that_is_too_long_is_rejected(server: Served):
    async with client(server) as a2a:
        task, _ = await send(a2a, "a" * 1_000_001)
    assert task.status.state == TaskState.TASK_STATE_REJECTED
