"""Tools of others become agents by configuration: planned, approved, contained; what they give back is data."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from metaagent.audit.store import Where
from metaagent.config import Tool, load_settings
from metaagent.errors import ConfigInvalid, Failed
from metaagent.plugin import AgentSpec, Effect
from metaagent.ports import User
from metaagent.registry import LoadProblem
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock, FakeEffects, run_agent
from metaagent.tools.agents import declared
from metaagent.tools.openapi import call, operation
from tests.support.gate_world import World, checking, writing
from tests.support.openapi_server import Office, office_app, write_document
from tests.support.paths import ROOT
from tests.support.web_doors import listening

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")

SERVER = [sys.executable, str(ROOT / "tests" / "support" / "mcp_tools_server.py")]


def said(ko: str, en: str) -> dict[str, str]:
    return {"ko": ko, "en": en}


def tool(ko: str, en: str, **more: Any) -> dict[str, Any]:
    return {
        "description": said(ko, en),
        "words": {"ko": [ko], "en": [en]},
        "side_effects": False,
        "timeout": 60,
        **more,
    }


def mcp(name: str, ko: str, en: str, **more: Any) -> dict[str, Any]:
    return tool(ko, en, mcp={"tool": name, "command": SERVER}, **more)


CURRENCY = {"pattern": "([A-Z]{3})", "ask": said("어느 통화인가요?", "Which currency?")}


@asynccontextmanager
async def opened(
    folder: Path,
    tools: Mapping[str, Any],
    agents: list[AgentSpec] | None = None,
    **more: Any,
) -> AsyncGenerator[MetaAgent]:
    given = {"data_dir": folder / "data", "domain": None, "agents": {"allow": []}, "tools": tools, **more}
    settings = load_settings(env={}, overrides=given)
    async with MetaAgent.open(settings, agents=agents or [], clock=FakeClock()) as app:
        assert problems_of(app) == []
        yield app


def problems_of(app: MetaAgent) -> list[LoadProblem]:
    return [problem for problem in app.registry.problems if not problem.refused]


async def made(app: MetaAgent, answer: Answer, kind: str) -> Any:
    (ref,) = [each for each in answer.content["artifacts"] if each["kind"] == kind]
    return await app.artifact(answer.session_id, ref["id"])


# --- MCP --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("USD 환율 조회해줘", "환율 조회: currency: USD, rate: 1380.5"),
        ("exchange rate of EUR please", "exchange rate: currency: EUR, rate: 1502.0"),
    ],
)
async def test_a_tool_of_an_mcp_server_answers(tmp_path: Path, question: str, answer: str):
    tools = {"exchange": mcp("rate", "환율 조회", "exchange rate", params={"currency": CURRENCY})}
    async with opened(tmp_path, tools) as app:
        got = await app.ask(question)
        assert (got.status, got.text) == ("completed", answer)
        assert (await made(app, got, "exchange_result"))["rate"] > 1000
        step = got.content["plan"]["execution_plan"][0]
        assert (step["agents"], step["params"]) == (["exchange"], {"currency": answer.split()[3].strip(",")})
        assert got.content["sources"] == [{"title": answer.partition(":")[0], "tool": "exchange"}]


async def test_a_missing_argument_is_asked_for(tmp_path: Path):
    tools = {"exchange": mcp("rate", "환율 조회", "exchange rate", params={"currency": CURRENCY})}
    async with opened(tmp_path, tools) as app:
        asked = await app.ask("환율 조회해줘")
        assert asked.question is not None
        assert asked.question["question"] == "어느 통화인가요?"
        assert "USD" in (await app.resume(asked.session_id, "USD")).text


async def test_a_list_of_records_becomes_a_dataset(tmp_path: Path):
    tools = {"branches": mcp("listing", "지점 목록", "list branches", produces="dataset")}
    async with opened(tmp_path, tools) as app:
        got = await app.ask("지점 목록 보여줘")
        table = await made(app, got, "dataset")
    assert [column["type"] for column in table["columns"]] == ["text", "number"]
    assert table["rows"] == [["서울", 12], ["부산", 7]]


@pytest.mark.parametrize(
    ("name", "more", "problem"),
    [
        ("hang", {"timeout": 3}, "3"),
        ("huge", {}, "1,000,000 bytes"),
        ("large", {}, "1,000,000 bytes"),
        ("breaks", {}, "failed"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)
async def test_a_tool_that_misbehaves_fails_its_step_alone(
    tmp_path: Path, name: str, more: dict[str, Any], problem: str
):
    tools = {
        "foreign": mcp(name, "남의 도구", "foreign tool", **more),
        "exchange": mcp("rate", "환율 조회", "exchange rate", params={"currency": CURRENCY}),
    }
    async with opened(tmp_path, tools) as app:
        got = await app.ask("foreign tool and exchange rate of USD")
        failed = {each["step_id"]: each for each in got.content["steps"] if each["status"] == "failed"}
        assert len(failed) == 1
        assert problem in str(failed)
        assert "1380.5" in got.text


async def test_what_a_tool_says_is_never_obeyed(tmp_path: Path):
    world = World()
    tools = {"foreign": mcp("inject", "남의 도구", "foreign tool")}
    async with opened(tmp_path, tools, [checking(world), writing()]) as app:
        got = await app.ask("foreign tool")
        again = await app.ask("foreign tool", session_id=got.session_id)
    for answer in (got, again):
        assert [step["agents"] for step in answer.content["plan"]["execution_plan"]] == [["foreign"]]
        assert answer.status == "completed"
        assert "\x1b" not in answer.text
        assert "[1]" not in answer.text
        assert answer.content["citations"] == []


async def test_a_tool_sees_only_the_variables_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOOL_SECRET", "s3cret")
    monkeypatch.setenv("OTHER_SECRET", "other")
    monkeypatch.setenv("TOOL_DATA", str(tmp_path / "data" / "kek"))
    tools = {
        "foreign": mcp("surroundings", "남의 도구", "foreign tool", environment=["TOOL_SECRET", "TOOL_DATA"])
    }
    async with opened(tmp_path, tools) as app:
        got = await made(app, await app.ask("foreign tool"), "foreign_result")
    assert (got["secret"], got["other"]) == ("s3cret", "")
    assert (tmp_path / "data" / "kek").exists()
    assert got["data"] is False


async def test_personal_data_does_not_leave_unless_allowed(tmp_path: Path):
    shouting = tool("외치기", "shout", langchain="tests.support.langchain_tools:shout")
    text = {"question": True}
    tools = {
        "shouting": {**shouting, "params": {"text": text}},
    }
    async with opened(tmp_path, tools) as app:
        got = await made(app, await app.ask("shout 900101-1234568 please"), "shouting_result")
    assert "900101" not in got["said"]
    async with opened(tmp_path / "b", {"shouting": {**tools["shouting"], "redact": False}}) as app:
        got = await made(app, await app.ask("shout 900101-1234568 please"), "shouting_result")
    assert "900101-1234568" in got["said"]


# --- LangChain --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["외치기 hello", "shout hello"])
async def test_a_langchain_tool_runs_in_its_own_process(tmp_path: Path, question: str):
    shouting = tool(
        "외치기",
        "shout",
        langchain="tests.support.langchain_tools:shout",
        params={"text": {"question": True}},
    )
    async with opened(tmp_path, {"shouting": shouting}) as app:
        got = await made(app, await app.ask(question), "shouting_result")
    assert got["said"] == question.upper()
    assert got["pid"] != os.getpid()


@pytest.mark.parametrize("place", ["tests.support.langchain_tools:NOT_A_TOOL", "no_such_module:thing"])
async def test_what_is_no_langchain_tool_fails_its_step(tmp_path: Path, place: str):
    async with opened(tmp_path, {"shouting": tool("외치기", "shout", langchain=place)}) as app:
        got = await app.ask("shout")
    assert place in str(got.content["steps"])


# --- OpenAPI ----------------------------------------------------------------------------------------------


@asynccontextmanager
async def serving(folder: Path) -> AsyncGenerator[tuple[Office, Path, str]]:
    office = Office()
    async with listening(office_app(office)) as url:
        yield office, write_document(folder / "office.yaml", url), url


def weather(document: Path) -> dict[str, Any]:
    return tool(
        "날씨 조회",
        "weather report",
        openapi={"document": str(document), "operation": "weather"},
        params={
            "city": {"pattern": r"(서울|부산|Seoul|Busan|\.\./orders)"},
            "days": {"pattern": r"(\d+)(?:일|\s*days)", "type": "integer", "value": 1},
        },
    )


@pytest.mark.parametrize(
    ("question", "path"), [("서울 3일 날씨 조회", "서울 3"), ("weather report of Busan", "Busan 1")]
)
async def test_an_operation_is_called_with_its_arguments(tmp_path: Path, question: str, path: str):
    async with serving(tmp_path) as (office, document, _):
        async with opened(tmp_path, {"weather": weather(document)}) as app:
            got = await app.ask(question)
        assert (got.status, office.paths) == ("completed", [path])
        assert "degrees: 21" in got.text


async def test_an_argument_cannot_change_the_address(tmp_path: Path):
    async with serving(tmp_path) as (office, document, _):
        async with opened(tmp_path, {"weather": weather(document)}) as app:
            await app.ask("weather report of ../orders")
        assert office.orders == []


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("path", "."),
        ("path", ".."),
        ("path", ""),
        ("header", "a\r\nX: 1"),
        ("header", "김"),
        ("header", "\x00"),
    ],
)
async def test_a_value_that_leads_elsewhere_is_not_sent(tmp_path: Path, place: str, value: str):
    async with serving(tmp_path) as (office, document, url):
        given = Tool.model_validate(weather(document))
        found = {"method": "get", "url": f"{url}/weather/{{city}}", "places": {"city": place}, "body": False}
        with pytest.raises(Failed, match="was not called"):
            await call("weather", given, found, {"city": value}, "en")
        assert office.paths == []


def ordering(document: Path, **more: Any) -> dict[str, Any]:
    given = tool(
        "주문 넣기",
        "place an order",
        openapi={"document": str(document), "operation": "order", "token": "OFFICE_TOKEN"},
        params={"count": {"pattern": r"(\d+)", "type": "integer"}, "kind": {"value": "pens"}},
        **more,
    )
    return {key: value for key, value in given.items() if key != "side_effects"}


async def test_a_tool_with_effects_waits_for_approval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OFFICE_TOKEN", "t0ken")
    async with serving(tmp_path) as (office, document, _):
        async with opened(tmp_path, {"ordering": ordering(document)}) as app:
            asked = await app.ask("펜 12개 주문 넣기")
            assert asked.content["approval"] is not None
            (step,) = asked.content["approval"]["steps"]
            assert (step["params"], step["side_effects"]) == ({"count": 12, "kind": "pens"}, True)
            assert office.orders == []
            done = await app.resume(
                asked.session_id, {"decision": "approve", "params": {"s1": {"count": 10}}}
            )
            assert done.status == "completed"
        assert office.orders == [{"count": 10, "kind": "pens"}]
        assert office.tokens == ["Bearer t0ken"]


async def test_a_tool_is_on_record_like_any_agent(tmp_path: Path):
    async with (
        serving(tmp_path) as (_, document, _),
        opened(tmp_path, {"ordering": ordering(document)}) as app,
    ):
        asked = await app.ask("place an order of 3")
        await app.resume(asked.session_id, "approve")
        entries = await app.governance.audit_list(Where(session=asked.session_id))
    told = {entry["event"]: entry for entry in entries}
    assert {"plan.approved", "agent.ran"} <= told.keys()
    assert told["agent.ran"]["agent"] == "ordering"


async def test_an_effect_is_not_repeated_within_its_turn(tmp_path: Path):
    effects = FakeEffects()
    async with serving(tmp_path) as (office, document, _):
        given = Tool.model_validate(ordering(document))
        spec = declared("ordering", given, operation("ordering", given))
        for _ in range(2):
            done = await run_agent(spec, "place an order", params={"count": 2}, effects=effects)
            assert done.summary == "place an order: order: 1"
        assert len(office.orders) == 1
        (key,) = effects.known
        effects.known[key] = Effect("begun", {})
        with pytest.raises(Failed, match="may have done it"):
            await run_agent(spec, "place an order", params={"count": 2}, effects=effects)
        assert len(office.orders) == 1


async def test_a_rejected_tool_is_not_called(tmp_path: Path):
    async with serving(tmp_path) as (office, document, _):
        async with opened(tmp_path, {"ordering": ordering(document)}) as app:
            asked = await app.ask("place an order of 3")
            await app.resume(asked.session_id, "reject")
        assert office.orders == []


@pytest.mark.parametrize("blocks", [True, False])
async def test_a_tool_with_effects_stands_behind_the_gate(tmp_path: Path, *, blocks: bool):
    world, ann = World(), User("ann", "acme", ("employee",))
    async with serving(tmp_path) as (office, document, _):
        tools = {"ordering": ordering(document, consumes=["document"])}
        agents = [writing(), checking(world, blocks=blocks)]
        more = {"compliance": {"require": {"agents": ["ordering"]}}, "approval": {"mode": "never"}}
        async with opened(tmp_path, tools, agents, **more) as app:
            got = await app.ask("place an order of 3", user=ann)
        assert len(world.judged) == 1
        assert (got.status, len(office.orders)) == (("waiting", 0) if blocks else ("completed", 1))


@pytest.mark.parametrize(
    ("operation", "problem"),
    [("huge", "bytes"), ("elsewhere", "307"), ("refuses", "404"), ("hang", "2")],
)
async def test_an_operation_that_misbehaves_fails_its_step(tmp_path: Path, operation: str, problem: str):
    async with serving(tmp_path) as (office, document, _):
        given = tool(
            "남의 도구",
            "foreign tool",
            openapi={"document": str(document), "operation": operation},
        )
        async with opened(tmp_path, {"foreign": {**given, "timeout": 2}}) as app:
            got = await app.ask("foreign tool")
        assert office.paths == []
    (step,) = got.content["steps"]
    assert (step["status"], problem in str(step["error"])) == ("failed", True)


async def test_a_server_that_is_away_is_told(tmp_path: Path):
    async with serving(tmp_path) as (_, document, url):
        pass
    async with opened(tmp_path, {"weather": weather(document)}) as app:
        got = await app.ask("weather report of Busan")
    assert "did not answer" in str(got.content["steps"])
    assert url


# --- over HTTP, and between tools -------------------------------------------------------------------------


async def test_a_tool_of_an_mcp_address_is_called(tmp_path: Path):
    from tests.support.mcp_tools_server import server

    async with listening(server.streamable_http_app()) as url:
        given = tool(
            "환율 조회",
            "exchange rate",
            mcp={"tool": "rate", "url": f"{url}/mcp"},
            params={"currency": CURRENCY},
        )
        async with opened(tmp_path, {"exchange": given}) as app:
            got = await app.ask("USD 환율 조회")
    assert "1380.5" in got.text


async def test_a_tool_is_given_what_another_made(tmp_path: Path):
    async with serving(tmp_path) as (office, document, _):
        given = ordering(document, consumes=["dataset"])
        given["params"] = {"lines": {"input": "dataset"}}
        tools = {
            "branches": mcp("listing", "지점 목록", "list branches", produces="dataset"),
            "ordering": given,
        }
        async with opened(tmp_path, tools, approval={"mode": "never"}) as app:
            got = await app.ask("지점 목록으로 주문 넣기")
        assert got.status == "completed"
        assert office.orders[0]["lines"]["rows"] == [["서울", 12], ["부산", 7]]


# --- what cannot become an agent --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"produces": "verdict"}, "verdict"),
        ({"produces": "Bad Kind"}, "Bad Kind"),
        ({"params": {"x": {"input": "dataset"}}}, "consumes"),
        ({"params": {"x": {"pattern": "("}}}, "RE2"),
        ({"openapi": {"operation": "no_such"}, "mcp": None}, "weather"),
        ({"openapi": {"operation": "order"}, "mcp": None}, "POST"),
        ({"openapi": {"operation": "weather"}, "mcp": None, "params": {"x": {"value": 1}}}, "city"),
        ({"openapi": {"operation": "weather", "document": "/no/such"}, "mcp": None}, "/no/such"),
    ],
)
async def test_a_bad_declaration_is_a_problem_by_name(tmp_path: Path, more: dict[str, Any], problem: str):
    document = write_document(tmp_path / "office.yaml", "http://127.0.0.1:9")
    if "openapi" in more:
        more = {**more, "openapi": {"document": str(document), **more["openapi"]}}
    given = {"bad": {**mcp("rate", "환율", "rate"), **more}, "good": mcp("rate", "좋은 환율", "good rate")}
    overrides = {"data_dir": tmp_path / "d", "domain": None, "agents": {"allow": []}, "tools": given}
    async with MetaAgent.open(load_settings(env={}, overrides=overrides)) as app:
        (found,) = problems_of(app)
        assert (found.name, list(app.registry.agents)) == ("bad", ["good"])
    assert problem in found.say("en")
    assert found.say("ko") != found.say("en")


@pytest.mark.parametrize(
    "more",
    [
        {"mcp": None},
        {"langchain": "a:b"},
        {"mcp": {"tool": "x"}},
        {"mcp": {"tool": "x", "command": ["a"], "url": "http://a"}},
        {"mcp": {"tool": "x", "url": "http://me:secret@a"}},
        {"mcp": {"tool": "x", "url": "http://a", "token": "Bearer abc"}},
        {"langchain": "os.system", "mcp": None},
        {"words": {"ko": [], "en": ["a"]}},
        {"unknown": 1},
    ],
)
def test_a_setting_that_does_not_fit_is_refused(more: dict[str, Any]):
    given = {"tools": {"bad": {**mcp("rate", "환율", "rate"), **more}}}
    with pytest.raises(ConfigInvalid, match=r"tools\.bad"):
        load_settings(env={}, overrides=yaml.safe_load(yaml.safe_dump(given)))
