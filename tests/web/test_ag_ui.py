"""AG-UI: runs as its own package reads them, with interrupts for questions and plans."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from ag_ui.core import Event, ResumeEntry, RunAgentInput, UserMessage
from pydantic import TypeAdapter

from tests.support.web_doors import Served, served

pytestmark = pytest.mark.asyncio(loop_scope="module")
EVENT = TypeAdapter[Any](Event)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("ag_ui")) as found:
        yield found


async def run(
    server: Served,
    text: str = "",
    thread: str = "t1",
    resume: ResumeEntry | None = None,
    key: str = "key-kim",
) -> list[Any]:
    """The events of one run, read by the package's own types."""
    messages: Any = [UserMessage(id="m1", content=text)] if text else []
    given = RunAgentInput(
        thread_id=thread,
        run_id="r1",
        messages=messages,
        state={},
        tools=[],
        context=[],
        forwarded_props={},
        resume=[resume] if resume else None,
    )
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
    }
    async with httpx.AsyncClient(timeout=60) as web:
        got = await web.post(
            f"{server.url}/ag-ui", content=given.model_dump_json(by_alias=True), headers=headers
        )
    assert got.status_code == 200, got.text
    lines = [line.removeprefix("data: ") for line in got.text.split("\n\n") if line]
    return [EVENT.validate_json(line) for line in lines]


def text_of(events: list[Any]) -> str:
    return "".join(event.delta for event in events if event.type == "TEXT_MESSAGE_CONTENT")


@pytest.mark.parametrize(
    ("question", "answer"), [("count words of this", "4 words."), ("이 문장의 단어 수는?", "단어 4개입니다.")]
)
async def test_a_run_tells_the_turn_from_start_to_end(server: Served, question: str, answer: str):
    events = await run(server, question, thread=question)
    kinds = [event.type for event in events]
    assert (kinds[0], kinds[-1], text_of(events)) == ("RUN_STARTED", "RUN_FINISHED", answer)
    assert kinds.count("STEP_STARTED") == kinds.count("STEP_FINISHED") == 1
    own = [event.value for event in events if event.type == "CUSTOM"]
    assert [event["seq"] for event in own] == list(range(1, len(own) + 1))
    assert own[-1]["type"] == "response"
    assert events[-1].outcome.type == "success"
    assert [each["kind"] for each in events[-1].result["artifacts"]] == ["statistics"]


async def test_a_thread_is_one_session_of_one_person(server: Served):
    first, second = [await run(server, "count words of this", thread="same") for _ in range(2)]
    other = await run(server, "count words of this", thread="same", key="key-lee")
    sessions = [events[-1].result["session_id"] for events in (first, second, other)]
    assert sessions[0] == sessions[1] != sessions[2]


async def test_a_clarification_is_an_interrupt_that_is_resolved(server: Served):
    asked = await run(server, "convert currency please", thread="clarify")
    (interrupt,) = asked[-1].outcome.interrupts
    assert (interrupt.reason, interrupt.metadata["options"]) == ("input", ["USD", "EUR"])
    entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload={"answer": "EUR"})
    done = await run(server, thread="clarify", resume=entry)
    assert text_of(done) == "Converted into EUR."


async def test_a_plan_is_approved_by_its_hash_alone(server: Served):
    before = server.runs.of("post_notice")
    asked = await run(server, "post the notice", thread="plan")
    (interrupt,) = asked[-1].outcome.interrupts
    assert interrupt.reason == "approval"
    for said in ("yes", "approve", "승인"):
        told = await run(server, said, thread="plan")
        assert told[-1].outcome.type == "interrupt"
    payloads: list[Any] = [
        {"decision": "approve"},
        {"decision": "approve", "plan_hash": "0" * 64},
        {"answer": "approve"},
    ]
    for payload in payloads:
        entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=payload)
        if "decision" in payload:
            with pytest.raises(AssertionError, match="422"):
                await run(server, thread="plan", resume=entry)
        else:
            assert (await run(server, thread="plan", resume=entry))[-1].outcome.type == "interrupt"
    assert server.runs.of("post_notice") == before
    shown = {"decision": "approve", "plan_hash": interrupt.metadata["plan_hash"]}
    entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=shown)
    with pytest.raises(AssertionError):
        await run(server, thread="plan", resume=entry, key="key-lee")
    done = await run(server, thread="plan", resume=entry)
    assert (text_of(done), server.runs.of("post_notice")) == ("The notice is posted.", before + 1)


async def test_a_dismissed_interrupt_drops_the_turn(server: Served):
    asked = await run(server, "post the notice", thread="dismissed")
    (interrupt,) = asked[-1].outcome.interrupts
    entry = ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
    assert (await run(server, thread="dismissed", resume=entry))[-1].outcome.type == "cancelled"


@pytest.mark.parametrize(
    ("body", "key", "status"),
    [
        (b"{", "key-kim", 422),
        (b"{}", "key-kim", 422),
        (b'{"threadId": 5, "runId": "r", "messages": []}', "key-kim", 422),
        (b'{"threadId": "t", "runId": "r", "messages": []}', "key-kim", 422),
        (
            json.dumps(
                {
                    "threadId": "t",
                    "runId": "r",
                    "messages": [{"id": "1", "role": "user", "content": "a" * 1_000_001}],
                }
            ).encode(),
            "key-kim",
            422,
        ),
        (b" " * 8_000_001, "key-kim", 413),
        (b"{}", "nobody", 401),
    ],
)
async def test_bad_runs_are_refused(server: Served, body: bytes, key: str, status: int):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    async with httpx.AsyncClient(timeout=60) as web:
        got = await web.post(f"{server.url}/ag-ui", content=body, headers=headers)
    assert got.status_code == status
