"""MCP's own client works: over stdio with the real command, over HTTP with the person of the key, in both of its ages."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import yaml
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams, ElicitResult, TextContent, TextResourceContents

from tests.support.paths import ROOT
from tests.support.web_doors import PEOPLE, Served, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

ERAS = ("legacy", "auto")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("mcp")) as found:
        yield found


@asynccontextmanager
async def client(
    server: Served, key: str = "key-kim", mode: str = "auto", **more: Any
) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with create_mcp_http_client(headers=headers) as web:
        transport = streamable_http_client(f"{server.url}/mcp", http_client=web)
        async with Client(transport, mode=mode, **more) as connected:
            yield connected


class Person:
    """Whoever sits at the client: fills in forms, and remembers what was asked."""

    def __init__(self, action: Any = "accept", **content: Any) -> None:
        self.asked: list[str] = []
        self._result = ElicitResult(action=action, content=content or None)

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params.message)
        return self._result


def text_of(result: Any) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("question", "answer"), [("count words of this", "4 words."), ("이 문장의 단어 수는?", "단어 4개입니다.")]
)
async def test_a_question_is_answered_with_links(server: Served, mode: str, question: str, answer: str):
    told: list[str] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with client(server, mode=mode) as mcp:
        assert {tool.name for tool in (await mcp.list_tools()).tools} == {
            "ask",
            "answer",
            "approve",
            "search_history",
        }
        got = await mcp.call_tool("ask", {"question": question}, progress_callback=progress)
        assert (text_of(got), got.is_error, got.structured_content["status"]) == (answer, False, "completed")
        read = (await mcp.read_resource(got.content[1].uri)).contents[0]  # pyright: ignore[reportAttributeAccessIssue]
        assert isinstance(read, TextResourceContents)
        assert read.text == '{"words":4}'
    assert any("1" in line for line in told)


@pytest.mark.parametrize("mode", ERAS)
async def test_a_clarification_is_elicited_from_the_person(server: Served, mode: str):
    person = Person(answer="EUR")
    async with client(server, mode=mode, elicitation_callback=person) as mcp:
        got = await mcp.call_tool("ask", {"question": "convert currency please"})
    assert text_of(got) == "Converted into EUR."
    assert person.asked == ["Into which currency?\n\nChoices: USD, EUR"]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("person", [None, Person("decline"), Person("cancel"), Person(answer=" ")])
async def test_a_question_not_elicited_comes_as_a_result(server: Served, mode: str, person: Person | None):
    async with client(server, mode=mode, elicitation_callback=person) as mcp:
        got = await mcp.call_tool("ask", {"question": "convert currency please"})
        told = got.structured_content
        assert (told["status"], told["options"]) == ("waiting", ["USD", "EUR"])
    async with client(server, mode=mode) as mcp:
        given = {key: told[key] for key in ("session_id", "question_id")}
        answered = await mcp.call_tool("answer", {**given, "answer": "USD"})
    assert text_of(answered) == "Converted into USD."


async def waiting_plan(mcp: Client) -> dict[str, Any]:
    got = await mcp.call_tool("ask", {"question": "post the notice"})
    assert got.structured_content["waiting_for"] == "approval"
    return {key: got.structured_content[key] for key in ("session_id", "plan_hash")}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_plan_is_approved_by_the_person_at_the_client(server: Served, mode: str):
    person, before = Person(decision="approve", reason="agreed"), server.runs.of("post_notice")
    async with client(server, mode=mode, elicitation_callback=person) as mcp:
        got = await mcp.call_tool("approve", await waiting_plan(mcp))
    assert text_of(got) == "The notice is posted."
    assert server.runs.of("post_notice") == before + 1
    assert "post_notice" in person.asked[0]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "person",
    [None, Person("decline"), Person("cancel"), Person(decision="yes"), Person()],
)
async def test_without_a_persons_consent_nothing_is_approved(
    server: Served, mode: str, person: Person | None
):
    before = server.runs.of("post_notice")
    async with client(server, mode=mode, elicitation_callback=person) as mcp:
        plan = await waiting_plan(mcp)
        assert (await mcp.call_tool("approve", plan)).is_error
        for word in ("yes", "approve", "승인"):
            await mcp.call_tool("answer", {"session_id": plan["session_id"], "answer": word})
    assert server.runs.of("post_notice") == before


async def test_a_plan_is_rejected_without_being_run(server: Served):
    person, before = Person(decision="reject", reason="too early"), server.runs.of("post_notice")
    async with client(server, elicitation_callback=person) as mcp:
        got = await mcp.call_tool("approve", await waiting_plan(mcp))
        again = await mcp.call_tool("approve", {**await waiting_plan(mcp), "decision": "reject"})
    assert (got.is_error, again.is_error) == (False, False)
    assert (len(person.asked), server.runs.of("post_notice")) == (1, before)


@pytest.mark.parametrize("mode", ERAS)
async def test_another_plan_than_the_shown_one_is_not_approved(server: Served, mode: str):
    person, before = Person(decision="approve"), server.runs.of("post_notice")
    async with client(server, mode=mode, elicitation_callback=person) as mcp:
        plan = await waiting_plan(mcp)
        got = await mcp.call_tool("approve", {**plan, "plan_hash": "0" * 64})
    assert got.is_error
    assert (person.asked, server.runs.of("post_notice")) == ([], before)


async def test_an_approver_decides_on_the_plan_of_another(server: Served):
    async with client(server) as mcp:
        plan = await waiting_plan(mcp)
    person = Person(decision="approve")
    async with client(server, "key-lee", elicitation_callback=person) as mcp:
        assert (await mcp.call_tool("approve", plan)).is_error
    async with client(server, "key-park", elicitation_callback=person) as mcp:
        got = await mcp.call_tool("approve", plan)
    assert got.structured_content["status"] == "completed"
    assert "posted" not in text_of(got)


async def test_documents_are_resources_of_their_owner(server: Served):
    async with client(server) as mcp:
        await mcp.call_tool("ask", {"question": "draft a memo"})
        (listed,) = (await mcp.list_resources()).resources
        read = (await mcp.read_resource(listed.uri)).contents[0]
        assert {each.name for each in (await mcp.list_resource_templates()).resource_templates} == {
            "artifact",
            "document",
        }
    assert isinstance(read, TextResourceContents)
    assert json.loads(read.text)["document"]["title"] == "Memo"
    async with client(server, "key-lee") as mcp:
        assert (await mcp.list_resources()).resources == []
        with pytest.raises(MCPError):
            await mcp.read_resource(listed.uri)


async def test_history_is_searched_in_ones_own_sessions(server: Served):
    async with client(server) as mcp:
        await mcp.call_tool("ask", {"question": "count words of zanzibar"})
        found = await mcp.call_tool("search_history", {"text": "zanzibar"})
    assert [each["content"] for each in found.structured_content["found"]] == ["count words of zanzibar"]
    async with client(server, "key-lee") as mcp:
        found = await mcp.call_tool("search_history", {"text": "zanzibar"})
    assert found.structured_content["found"] == []


@pytest.mark.parametrize("key", ["key-lee", "key-other"])
async def test_what_belongs_to_another_is_unknown(server: Served, key: str):
    async with client(server) as mcp:
        own = await mcp.call_tool("ask", {"question": "count words of this"})
        waiting = await mcp.call_tool("ask", {"question": "convert currency please"})
    session = waiting.structured_content["session_id"]
    async with client(server, key) as mcp:
        for tool, given in (
            ("ask", {"question": "EUR", "session_id": session}),
            ("answer", {"answer": "EUR", "session_id": session}),
            ("search_history", {"text": "convert", "session_id": session}),
        ):
            got = await mcp.call_tool(tool, given)
            assert (got.is_error, session in text_of(got)) == (True, True)
        with pytest.raises(MCPError):
            await mcp.read_resource(own.content[1].uri)  # pyright: ignore[reportAttributeAccessIssue]


async def test_a_session_of_the_protocol_is_its_openers_alone(server: Served):
    headers = {
        "Authorization": "Bearer key-kim",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        },
    }
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=30) as web:
        opened = await web.post("/mcp", json=opening)
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}
        await web.post(
            "/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session
        )
        assert (await web.post("/mcp", json=listing, headers=session)).status_code == 200
        other = {**session, "Authorization": "Bearer key-lee"}
        assert (await web.post("/mcp", json=listing, headers=other)).status_code == 404
        nobody = {**session, "Authorization": "Bearer nothing"}
        assert (await web.post("/mcp", json=listing, headers=nobody)).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff",
        b"[]",
        b"5",
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}',
        b"[" * 50_000,
        b" " * 8_000_001,
    ],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28", "1999-01-01"])
async def test_malformed_messages_are_refused(server: Served, body: bytes, version: str):
    headers = {
        "Authorization": "Bearer key-kim",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": version,
    }
    async with httpx.AsyncClient(timeout=30) as web:
        got = await web.post(f"{server.url}/mcp", content=body, headers=headers)
    assert 400 <= got.status_code < 500


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("ask", {}),
        ("ask", {"question": 5}),
        ("ask", {"question": "count words", "more": 1}),
        ("ask", {"question": "a" * 1_000_001}),
        ("ask", {"question": "count words", "session_id": "../../etc/passwd"}),
        ("answer", {"session_id": "s0", "answer": "x"}),
        ("approve", {"session_id": "s0", "plan_hash": "x", "decision": "maybe"}),
        ("search_history", {"text": "a", "limit": 10**9}),
    ],
)
async def test_arguments_that_do_not_fit_are_told(server: Served, tool: str, given: dict[str, Any]):
    async with client(server) as mcp:
        got = await mcp.call_tool(tool, given)
    assert got.is_error


@pytest.mark.parametrize(
    "uri",
    [
        "metaagent://sessions/../artifacts/x",
        "metaagent://documents/../../etc",
        "file:///etc/passwd",
        "metaagent://sessions/s0/artifacts/a0",
        "metaagent://documents/none",
    ],
)
async def test_no_other_resource_is_read(server: Served, uri: str):
    async with client(server) as mcp:
        with pytest.raises(MCPError):
            await mcp.read_resource(uri)


async def test_a_cancelled_call_does_not_stop_its_turn(server: Served):
    async with client(server) as mcp:
        call = asyncio.create_task(mcp.call_tool("ask", {"question": "wait for the file"}))
        await server.runs.reached("wait_began")
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
    server.runs.add("go")
    await server.runs.reached("wait_ended")
    kim = server.meta.acting_for(PEOPLE["key-kim"])
    (session,) = await kim.search_sessions("wait for the file")
    (turn,) = await kim.turns(session.session_id)
    async with asyncio.timeout(30):
        told = [event["type"] async for event in kim.events(turn.turn_id)]
    assert (told[-1], (await kim.answer(turn.turn_id)).text) == ("response", "The file is there.")


# --- over stdio, with the command that people configure ---------------------------------------------------


def command(data: Path, *options: str) -> StdioServerParameters:
    environment = {name: os.environ[name] for name in ("LANG", "XDG_DATA_HOME") if name in os.environ}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "metaagent.cli", "mcp", "--data-dir", str(data), *options],
        env=environment,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_command_speaks_mcp_over_stdio(tmp_path: Path, mode: str):
    """From end to end: the person is asked through the client, and a tool of another MCP server answers."""
    tool = {
        "mcp": {"tool": "rate", "command": [sys.executable, str(ROOT / "tests/support/mcp_tools_server.py")]},
        "description": {"ko": "환율 조회", "en": "exchange rate"},
        "words": {"ko": ["환율 조회"], "en": ["exchange rate"]},
        "side_effects": False,
        "params": {
            "currency": {"pattern": "([A-Z]{3})", "ask": {"ko": "어느 통화?", "en": "Which currency?"}}
        },
    }
    config = tmp_path / "settings.yaml"
    config.write_text(yaml.safe_dump({"tools": {"exchange": tool}, "domain": None}))
    person = Person(answer="USD")
    started = command(tmp_path / "d", "--config", str(config))
    async with asyncio.timeout(120), Client(started, mode=mode, elicitation_callback=person) as mcp:
        got = await mcp.call_tool("ask", {"question": "환율 조회해줘"})
        assert text_of(got).startswith("환율 조회: currency: USD, rate: 1380.5"), text_of(got)
        assert person.asked == ["어느 통화?"]
        found = await mcp.call_tool("search_history", {"text": "환율"})
        assert found.structured_content["found"]


async def test_the_command_acts_for_the_person_it_names(tmp_path: Path):
    async with asyncio.timeout(120), Client(command(tmp_path / "d")) as mcp:
        own = await mcp.call_tool("ask", {"question": "hello"})
        session = own.structured_content["session_id"]
    kim = command(tmp_path / "d", "--user", "kim", "--company", "acme", "--role", "employee")
    async with asyncio.timeout(120), Client(kim) as mcp:
        assert (await mcp.call_tool("ask", {"question": "hello", "session_id": session})).is_error
        assert not (await mcp.call_tool("ask", {"question": "hello"})).is_error


async def test_stdio_survives_lines_that_are_no_messages(tmp_path: Path):
    started = command(tmp_path / "d")
    process = await asyncio.create_subprocess_exec(
        started.command,
        *started.args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=10_000_000,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(120):
        for line in (
            b"hello",
            b"{",
            b"\xff\xfe",
            b"[]",
            b"x" * 1_000_000,
            b'{"jsonrpc":"2.0","id":7,"method":"ping"}',
        ):
            process.stdin.write(line + b"\n")
        await process.stdin.drain()
        lines: list[bytes] = []
        while not lines or b'"id":7' not in lines[-1].replace(b" ", b""):
            lines.append(await process.stdout.readline())
            assert lines[-1], lines
        process.stdin.close()
        assert await process.wait() == 0
