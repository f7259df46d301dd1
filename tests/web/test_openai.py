"""OpenAI's own client works unchanged: answers, streams, conversations, questions back, and refusals in its shape."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
import pytest_asyncio

from tests.support.web_doors import PEOPLE, Served, served

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("openai")) as found:
        yield found


def client(server: Served, key: str = "key-kim") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key=key, max_retries=0)


def user(text: str) -> Any:
    return {"role": "user", "content": text}


async def chat(server: Served, *messages: Any, key: str = "key-kim", **more: Any) -> Any:
    async with client(server, key) as api:
        return await api.chat.completions.create(model="metaagent", messages=list(messages), **more)


def text_of(made: Any) -> str:
    return made.choices[0].message.content


def session_of(made: Any) -> str:
    return made.metaagent["session_id"]


@pytest.mark.parametrize(
    ("question", "answer"), [("count words of this", "4 words."), ("이 문장의 단어 수는?", "단어 4개입니다.")]
)
async def test_a_question_is_answered_in_its_language(server: Served, question: str, answer: str):
    made = await chat(server, user(question))
    assert (text_of(made), made.choices[0].finish_reason) == (answer, "stop")
    assert made.metaagent["status"] == "completed"
    assert [each["kind"] for each in made.metaagent["artifacts"]] == ["statistics"]


async def test_a_streamed_answer_is_the_same(server: Served):
    async with client(server) as api:
        pieces = [
            piece
            async for piece in await api.chat.completions.create(
                model="metaagent",
                messages=[user("count words of this")],
                stream=True,
                stream_options={"include_usage": True},
            )
        ]
    said = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    assert said == "4 words."
    assert pieces[-1].usage is not None
    assert [piece.choices[0].finish_reason for piece in pieces if piece.choices][-1] == "stop"


async def test_the_models_are_listed(server: Served):
    async with client(server) as api:
        assert [model.id async for model in await api.models.list()] == ["metaagent"]
        assert (await api.models.retrieve("metaagent")).owned_by == "metaagent"


async def test_a_conversation_is_one_session_by_history(server: Served):
    first = await chat(server, {"role": "system", "content": "Be brief."}, user("count words of one"))
    history = [user("count words of one"), {"role": "assistant", "content": text_of(first)}]
    second = await chat(
        server, {"role": "system", "content": "It is noon."}, *history, user("count words of it all")
    )
    assert session_of(second) == session_of(first)
    other = await chat(server, *history, user("count words of it all"), key="key-lee")
    assert session_of(other) != session_of(first)


async def test_a_changed_history_goes_on_in_a_copy(server: Served):
    asked = [user("count words of a")]
    one = await chat(server, *asked)
    asked += [{"role": "assistant", "content": text_of(one)}]
    two = await chat(server, *asked, user("count words of a b"))
    again = await chat(server, *asked, user("count words of a b c"))
    assert session_of(two) == session_of(one) != session_of(again)
    kim = server.meta.acting_for(PEOPLE["key-kim"])
    assert [turn.question for turn in await kim.turns(session_of(two))] == [
        "count words of a b",
        "count words of a",
    ]
    history = [each["content"] for each in await kim.history(session_of(again))]
    assert "count words of a b c" in history
    assert "count words of a b" not in history


async def test_metadata_names_the_session(server: Served):
    first = await chat(server, user("count words of this"))
    named = {"session_id": session_of(first)}
    assert session_of(await chat(server, user("count words of that"), metadata=named)) == session_of(first)


async def test_a_clarification_is_answered_by_the_next_message(server: Served):
    asked = [user("convert currency please")]
    first = await chat(server, *asked)
    assert text_of(first) == "Into which currency?\n\nChoices: USD, EUR"
    assert first.metaagent["waiting_for"] == "input"
    asked += [{"role": "assistant", "content": text_of(first)}, user("EUR")]
    assert text_of(await chat(server, *asked)) == "Converted into EUR."


@pytest.mark.parametrize("word", ["yes", "approve", "네", "승인", '{"decision": "approve"}', "ok, do it"])
async def test_no_message_ever_approves_a_plan(server: Served, word: str):
    before = server.runs.of("post_notice")
    asked = [user("post the notice")]
    first = await chat(server, *asked)
    assert first.metaagent["waiting_for"] == "approval"
    assert f"metaagent approve {session_of(first)}" in text_of(first)
    asked += [{"role": "assistant", "content": text_of(first)}, user(word)]
    second = await chat(server, *asked)
    assert (text_of(second), session_of(second)) == (text_of(first), session_of(first))
    assert server.runs.of("post_notice") == before


async def test_an_approved_plan_is_told_when_asked_to_go_on(server: Served):
    asked = [user("post the notice")]
    first = await chat(server, *asked)
    asked += [{"role": "assistant", "content": text_of(first)}, user("continue")]
    assert "cannot be approved" in text_of(await chat(server, *asked))
    kim = server.meta.acting_for(PEOPLE["key-kim"])
    assert await kim.approve(session_of(first)) == "completed"
    asked += [{"role": "assistant", "content": text_of(first)}, user("continue")]
    assert text_of(await chat(server, *asked)) == "The notice is posted."


async def test_a_waiting_plan_can_be_dropped(server: Served):
    before = server.runs.of("post_notice")
    asked = [user("공지 게시해줘")]
    first = await chat(server, *asked)
    asked += [{"role": "assistant", "content": text_of(first)}, user("취소")]
    dropped = await chat(server, *asked)
    assert text_of(dropped) == "기다리던 요청을 취소했습니다. 그 계획은 실행하지 않았습니다."
    assert dropped.metaagent["status"] == "cancelled"
    assert server.runs.of("post_notice") == before


async def test_responses_answer_and_go_on_from_each_other(server: Served):
    async with client(server) as api:
        first = await api.responses.create(model="metaagent", input="convert currency please")
        assert first.output_text.startswith("Into which currency?")
        second = await api.responses.create(
            model="metaagent", input="USD", previous_response_id=first.id, instructions="Be brief."
        )
        assert second.output_text == "Converted into USD."
        assert first.metadata == second.metadata


async def test_a_streamed_response_has_its_events_in_order(server: Served):
    async with client(server) as api:
        asked: Any = [{"role": "user", "content": [{"type": "input_text", "text": "count words of this"}]}]
        events = [
            event async for event in await api.responses.create(model="metaagent", input=asked, stream=True)
        ]
        async with api.responses.stream(model="metaagent", input=asked) as stream:
            final = await stream.get_final_response()
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
    assert (
        "".join(event.delta for event in events if event.type == "response.output_text.delta") == "4 words."
    )
    assert final.output_text == "4 words."


@pytest.mark.parametrize(
    ("error", "key", "given"),
    [
        (openai.AuthenticationError, "no-key", {}),
        (openai.NotFoundError, "key-kim", {"model": "gpt-9"}),
        (openai.BadRequestError, "key-kim", {"n": 3}),
        (openai.BadRequestError, "key-kim", {"messages": []}),
        (openai.BadRequestError, "key-kim", {"messages": [{"role": "assistant", "content": "hi"}]}),
        (openai.BadRequestError, "key-kim", {"messages": [user("   ")]}),
        (openai.BadRequestError, "key-kim", {"messages": [user("a" * 1_000_001)]}),
        (openai.BadRequestError, "key-kim", {"response_format": {"type": "json_object"}}),
        (openai.BadRequestError, "key-kim", {"tool_choice": "required"}),
        (openai.BadRequestError, "key-kim", {"messages": [user([{"type": "image_url", "image_url": {}}])]}),  # pyright: ignore[reportArgumentType]
    ],
)
async def test_refusals_come_in_the_shape_of_openai(
    server: Served, error: type[openai.APIStatusError], key: str, given: dict[str, Any]
):
    asked: dict[str, Any] = {"model": "metaagent", "messages": [user("count words")], **given}
    async with client(server, key) as api:
        with pytest.raises(error) as refused:
            await api.chat.completions.create(**asked)
    assert refused.value.body is not None
    assert {"message", "type", "param", "code"} <= set(refused.value.body)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("key", ["key-lee", "key-other"])
async def test_a_session_of_another_person_is_unknown(server: Served, key: str):
    own = await chat(server, user("convert currency please"))
    async with client(server) as api:
        response = await api.responses.create(model="metaagent", input="convert currency please")
    with pytest.raises(openai.NotFoundError):
        await chat(server, user("EUR"), metadata={"session_id": session_of(own)}, key=key)
    async with client(server, key) as api:
        with pytest.raises(openai.NotFoundError):
            await api.responses.create(model="metaagent", input="EUR", previous_response_id=response.id)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"model": "metaagent", "messages": [{"role": "user", "content": 5}]}', "application/json", 400),
        (
            b'{"model": "metaagent", "messages": [{"role": "user", "content": "\\ud800"}]}',
            "application/json",
            400,
        ),
        (b"{}", "text/plain", 415),
        (b" " * 8_000_001, "application/json", 413),
    ],
)
async def test_broken_bodies_are_refused(server: Served, body: bytes, kind: str, status: int):
    headers = {"Authorization": "Bearer key-kim", "Content-Type": kind}
    async with httpx.AsyncClient() as web:
        got = await web.post(f"{server.url}/v1/chat/completions", content=body, headers=headers, timeout=60)
    assert (got.status_code, set(got.json()["error"])) == (status, {"message", "type", "param", "code"})


async def test_a_turn_goes_on_when_its_client_leaves(server: Served):
    before = server.runs.of("wait_began")
    async with client(server) as api:
        stream = await api.chat.completions.create(
            model="metaagent", messages=[user("wait for the file")], stream=True
        )
        await server.runs.reached("wait_began", before + 1)
        await stream.close()
    server.runs.add("go")
    await server.runs.reached("wait_ended")


async def test_conversations_outlive_the_server(tmp_path: Path):
    asked = [user("count words of this")]
    async with served(tmp_path) as server:
        first = await chat(server, *asked)
    asked += [{"role": "assistant", "content": text_of(first)}, user("count words of that")]
    async with served(tmp_path) as server:
        assert session_of(await chat(server, *asked)) == session_of(first)
    stored = (tmp_path / "data" / "conversations.db").read_bytes()
    assert b"words" not in stored
