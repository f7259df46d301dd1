"""The chat model at the edge: what leaves, what is counted, what is tried again, and what is given up."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from metaagent.config import Model, load_settings
from metaagent.errors import ConfigInvalid, ModelBudgetSpent, ModelError
from metaagent.level1.budget import Budget
from metaagent.level1.model_reasoner import Suggestion
from metaagent.models import ChatModelSource, Exchange, estimated, open_model
from metaagent.testing.scripted_model import ScriptedChatModel
from tests.support.chat_server import Answer, ChatServer, Say, chat_server, in_turn
from tests.support.personal_data import personal

NOTHING = {"intents": [], "entities": []}
SCHEMA = Suggestion.model_json_schema()
HELLO = [("human", "hello")]


class Pauses(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def turn_model(
    *replies: Any, budget: Budget | None = None, retries: int = 2, **options: Any
) -> tuple[Exchange, ScriptedChatModel, Pauses]:
    model, pauses = ScriptedChatModel(replies=list(replies), **options), Pauses()
    source = ChatModelSource(Model.model_validate({"retries": retries}), model)
    return source.for_turn(budget or Budget(60, 100, 10_000), pause=pauses).exchange(), model, pauses


def on_the_wire(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch, **settings: Any
) -> tuple[Exchange, Budget, Pauses]:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
    given = Model.model_validate({"name": "openai:m", "base_url": server.url, **settings})
    budget, pauses = Budget(60, 100, 10_000), Pauses()
    return ChatModelSource(given).for_turn(budget, pause=pauses).exchange(), budget, pauses


async def text_of(model: Exchange) -> str:
    return "".join([piece async for piece in model.stream(HELLO)])


# --- what leaves ----------------------------------------------------------------------------------------


async def test_personal_data_is_replaced_on_the_wire_and_restored():
    model, scripted, _ = turn_model("Call [PHONE_1] and [PHONE_2].")
    reply = await model.complete([("human", "call 010-1234-5678, please")])
    assert "010-1234-5678" not in str(scripted.heard)
    assert reply.text == "Call 010-1234-5678 and [PHONE_2]."


async def test_one_value_has_one_stand_in_throughout_the_turn():
    model, scripted, _ = turn_model("ok")
    for _ in range(2):
        await model.complete([("human", "call 010-1234-5678")])
    assert scripted.heard[0] == scripted.heard[1]


async def test_no_personal_data_reaches_the_wire(monkeypatch: pytest.MonkeyPatch):
    with chat_server(in_turn(Say("ok"))) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        for case in personal():
            server.heard.clear()
            await model.complete([("human", case.text)])
            assert case.value not in server.wire, case
            assert case.value not in str(model.clean({"question": f"a\n{case.text}"})), case


# --- counting and budgets -------------------------------------------------------------------------------


async def test_tokens_are_reported_by_the_server_or_estimated():
    budget = Budget(60, 100, 10_000)
    model, _, _ = turn_model("한국어 답", budget=budget)
    assert (await model.complete(HELLO)).tokens == budget.tokens_used == 10
    quiet, _, _ = turn_model("한국어 답", tokens=None)
    assert (await quiet.complete(HELLO)).tokens == estimated("hello") + estimated("한국어 답")


@pytest.mark.parametrize(
    ("budget", "bound"),
    [((60, 100, 0), "tokens"), ((60, 0, 1000), "calls"), ((-1, 100, 1000), "turn_seconds")],
)
async def test_nothing_is_sent_beyond_the_budget(budget: tuple[float, int, int], bound: str):
    model, scripted, _ = turn_model("x", budget=Budget(*budget))
    with pytest.raises(ModelBudgetSpent, match=bound):
        await model.complete(HELLO)
    assert scripted.heard == []


async def test_a_prompt_that_is_longer_than_what_is_left_is_not_sent():
    model, scripted, _ = turn_model("x", budget=Budget(60, 100, 50))
    with pytest.raises(ModelBudgetSpent):
        await model.complete([("human", "long " * 100)])
    assert scripted.heard == []


async def test_calls_and_tokens_are_counted_for_every_attempt():
    budget = Budget(60, 100, 10_000)
    model, _, pauses = turn_model(ConnectionError(), TimeoutError(), "at last", budget=budget)
    assert (await model.complete(HELLO)).text == "at last"
    assert budget.used == {"model": 3}
    assert pauses == [0.5, 1.0]
    assert budget.model_use() == (10, 3)
    assert budget.model_use() == (0, 0)


async def test_a_fault_that_stays_is_tried_so_often_and_given_up():
    model, scripted, _ = turn_model(ConnectionError(), retries=1)
    with pytest.raises(ModelError, match="ConnectionError"):
        await model.complete(HELLO)
    assert len(scripted.heard) == 2


async def test_permanent_model_error_is_not_retried_or_quoted():
    model, scripted, _ = turn_model(ValueError("secret sk-abc"))
    with pytest.raises(ModelError) as failed:
        await model.complete(HELLO)
    assert len(scripted.heard) == 1
    assert "secret" not in failed.value.say("ko") + failed.value.say("en")


async def test_a_server_that_never_stops_is_stopped():
    model, _, _ = turn_model("x" * 300_000, chunk=50_000)
    with pytest.raises(ModelError, match="characters"):
        await text_of(model)


# --- the wire -------------------------------------------------------------------------------------------


async def test_text_json_and_streams_come_over_the_wire(monkeypatch: pytest.MonkeyPatch):
    with chat_server(in_turn(Say("hi"), Say(NOTHING), Say("a streamed text"))) as server:
        model, budget, _ = on_the_wire(server, monkeypatch, temperature=0.3)
        assert (await model.complete(HELLO)).text == "hi"
        assert (await model.structured(HELLO, SCHEMA)).data == NOTHING
        assert await text_of(model) == "a streamed text"
        assert [heard["temperature"] for heard in server.heard] == [0.3] * 3
        assert server.heard[1]["response_format"]["type"] == "json_schema"
        assert budget.tokens_used == 3 * 42


async def test_a_busy_server_is_asked_again_when_it_says(monkeypatch: pytest.MonkeyPatch):
    with chat_server(
        in_turn(Say(status=429, headers={"retry-after": "3"}), Say(status=500), Say("hi"))
    ) as server:
        model, _, pauses = on_the_wire(server, monkeypatch)
        assert (await model.complete(HELLO)).text == "hi"
        assert pauses == [3.0, 1.0]


async def test_a_stream_that_cannot_begin_is_asked_for_again(monkeypatch: pytest.MonkeyPatch):
    with chat_server(in_turn(Say(status=503), Say("at last"))) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        assert await text_of(model) == "at last"


def only_tools(heard: dict[str, Any]) -> Say:
    return Say("unknown field response_format", status=400) if "response_format" in heard else Say(NOTHING)


def breaks_without_tools(heard: dict[str, Any]) -> Say:
    return Say(status=500) if "response_format" in heard else Say(NOTHING)


def text_only_without_tools(heard: dict[str, Any]) -> Say:
    return Say(NOTHING) if "tools" in heard else Say("Sure! Here you are.")


@pytest.mark.parametrize("answer", [only_tools, breaks_without_tools])
async def test_server_without_response_format_gets_function_calls(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
):
    with chat_server(answer) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        for _ in range(2):
            assert (await model.structured(HELLO, SCHEMA)).data == NOTHING
        assert "tools" in server.heard[-1]
        assert "tools" in server.heard[-2], "what a server does not know is not tried again"


async def test_server_that_ignores_response_format_is_asked_otherwise(monkeypatch: pytest.MonkeyPatch):
    with chat_server(text_only_without_tools) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        assert (await model.structured(HELLO, SCHEMA)).problem
        assert (await model.structured(HELLO, SCHEMA)).data == NOTHING


@pytest.mark.parametrize(
    "say",
    [
        Say(status=401),
        Say(status=404),
        Say(raw=b"<html>not json"),
        Say(raw=b"{}"),
        Say(raw=b'{"choices": []}'),
        Say(raw=b"[1, 2"),
    ],
)
async def test_any_server_reply_is_an_answer_or_a_model_error(say: Say, monkeypatch: pytest.MonkeyPatch):
    with chat_server(in_turn(say)) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        with pytest.raises(ModelError):
            await model.complete(HELLO)
        with pytest.raises(ModelError):
            await text_of(model)
        try:
            assert (await model.structured(HELLO, SCHEMA)).problem
        except ModelError:
            assert server.heard


async def test_json_that_is_none_is_a_problem_not_an_error(monkeypatch: pytest.MonkeyPatch):
    with chat_server(in_turn(Say("intents: none"), Say("null"))) as server:
        model, _, _ = on_the_wire(server, monkeypatch)
        assert (await model.structured(HELLO, SCHEMA)).problem
        assert (await model.structured(HELLO, SCHEMA)).problem


async def test_a_silent_server_is_waited_for_no_longer_than_configured(monkeypatch: pytest.MonkeyPatch):
    release = threading.Event()
    with chat_server(in_turn(Say("late", wait=release))) as server:
        model, _, _ = on_the_wire(server, monkeypatch, timeout=0.05, retries=1)
        try:
            with pytest.raises(ModelError, match="Timeout"):
                await model.complete(HELLO)
        finally:
            release.set()


# --- configuration --------------------------------------------------------------------------------------


def test_a_missing_package_is_named_with_what_to_install():
    source = ChatModelSource(Model.model_validate({"name": "no-such:model"}))
    with pytest.raises(ConfigInvalid, match="pip install langchain-no-such"):
        source.check_installed()
    with pytest.raises(ConfigInvalid, match="pip install langchain-no-such"):
        source.model()


def test_a_package_without_a_chat_model_is_refused():
    with pytest.raises(ConfigInvalid, match="no chat model class"):
        open_model(Model.model_validate({"name": "text_splitters:x"}))


def test_a_missing_key_is_a_matter_of_configuration(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigInvalid, match="environment variable"):
        open_model(Model.model_validate({"name": "openai:m"}))


@pytest.mark.parametrize(
    "name", ["gpt-4", "openai:", ":x", "../x:y", "openai: x", "os.path:join", "OpenAI:x"]
)
def test_a_name_without_provider_and_model_is_refused(name: str):
    with pytest.raises(ConfigInvalid, match="provider:model"):
        load_settings(env={}, overrides={"model": {"name": name}})


@pytest.mark.parametrize("url", ["ftp://x", "localhost:1", "http://", "https://user:key@host/v1"])
def test_an_address_that_is_none_or_holds_a_key_is_refused(url: str):
    with pytest.raises(ConfigInvalid, match=r"model\.base_url"):
        load_settings(env={}, overrides={"model": {"base_url": url}})
