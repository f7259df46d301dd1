"""What a person asks to be remembered is used, corrected and forgotten; nobody else ever sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from metaagent.cli.main import app as cli
from metaagent.errors import InputRefused
from metaagent.level1.reasoner import RuleReasoner
from metaagent.level2.memory.agent import memory
from metaagent.level2.memory.requests import read_requests
from metaagent.memory.recall import Memory, choose, filled_in
from metaagent.plugin import Artifact, Capability, Context, NeedsInput, Result, Taken, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.storage import history
from metaagent.storage.history import holding
from metaagent.testing import FakeClock, FakeMemory, check_agent, run_agent
from tests.support.examples import examples

NOW = datetime(2025, 1, 10, 12, tzinfo=ZoneInfo("Asia/Seoul"))
KNOWN = [
    {"key": "담당 지역", "kind": "fact", "value": "서울"},
    {"key": "region", "kind": "fact", "value": "Seoul"},
    {"key": "language", "kind": "preference", "value": "ko"},
]


@agent(
    name="sales",
    description="Sales",
    capabilities=[Capability("sales", ko=("매출",), en=("sales",))],
    produces={"figures": None},
)
async def sales(task: Task, ctx: Context) -> Result:
    asked = task.request["resolved"].get("question", task.request["raw_query"])
    summary = (
        f"asked: {asked}\ntotal: 10" if ctx.shared.get("language") == "en" else f"질문: {asked}\n합계: 10"
    )
    return Result(summary, 1.0, [Artifact("figures", {"total": 10})])


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def app(data: Path, clock: FakeClock) -> AsyncIterator[MetaAgent]:
    async with MetaAgent.open(
        {"data_dir": data}, agents=[memory, sales], clock=clock, reasoner=RuleReasoner()
    ) as opened:
        yield opened


def read(question: str) -> Taken:
    return read_requests(question, KNOWN, NOW)


# --- what is a request ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "key", "value"),
    [
        ("기억해줘: 내 담당 지역은 부산", "담당 지역", "부산"),
        ("내 담당 지역은 부산이라는 걸 기억해줘", "담당 지역", "부산"),
        ("담당 지역은 부산이야. 꼭 기억해줘!", "담당 지역", "부산"),
        ("기억해줘. 내 담당 지역은 부산이야.", "담당 지역", "부산"),
        ("내 마감은 금요일이야 잊지 마", "마감", "금요일"),
        ("remember that my region is Busan", "region", "Busan"),
        ("Please remember: my manager is Kim Minsu", "manager", "Kim Minsu"),
        ("Don't forget that my budget is 3 million won", "budget", "3 million won"),
        ("My region is Busan. Please remember that.", "region", "Busan"),
        ("앞으로 표로 보여줘", "form", "table"),
        ("앞으로는 영어로 답해줘", "language", "en"),
        ("always answer in English", "language", "en"),
        ("Answer briefly by default", "form", "brief"),
        ("in the future, use bullet points", "form", "bullets"),
        ("from now on, show amounts in millions", "units", "millions"),
        ("기억해줘: 보고서는 항상 존댓말로 써줘", "document_style", "formal"),
        ("기억해줘: 내 관심 지역은 서울, 부산", "regions", "서울, 부산"),
        ("아니, 담당 지역은 부산이야", "담당 지역", "부산"),
        ("아니야. 담당 지역은 부산이야.", "담당 지역", "부산"),
        ("담당 지역을 부산으로 바꿔줘", "담당 지역", "부산"),
        ("Actually, my region is now Busan.", "region", "Busan"),
        ("change my region to Busan", "region", "Busan"),
        ("아니, 언어는 영어야", "language", "en"),
    ],
)
def test_a_request_to_remember_is_understood(question: str, key: str, value: str) -> None:
    reading = read(question)
    assert not any(char.isalnum() for char in reading.rest)
    assert [(r["op"], r["key"], r["value"]) for r in reading.requests] == [("remember", key, value)]


@pytest.mark.parametrize(
    "question",
    [
        "앞으로 3개월 매출을 표로 보여줘",
        "항상 매출이 높은 지역을 표로 보여줘",
        "아니, 서울 매출을 보여줘",
        "담당 지역은 어디야?",
        "담당 지역은 어디야",
        "my region is great?",
        "forget it",
        "do you remember last month's sales?",
        "작년 매출 기억나?",
        "고객이 우리 제품을 잊어버렸어",
        "지난달 서울 매출을 분석해줘",
        "remember when we met?",
    ],
)
def test_a_question_is_no_request(question: str) -> None:
    assert read(question).requests == ()
    assert read(question).rest == question


@pytest.mark.parametrize(
    ("question", "about", "everything"),
    [
        ("담당 지역 잊어줘", "담당 지역", False),
        ("언어 설정 잊어줘", "언어", False),
        ("forget my region", "my region", False),
        ("forget that my region is Busan", "region", False),
        ("다 잊어줘", "", True),
        ("나에 대해 기억한 것 모두 잊어줘", "", True),
        ("forget everything you know about me", "", True),
        ("잊어줘", "", False),
    ],
)
def test_a_request_to_forget_is_understood(question: str, about: str, everything: bool) -> None:
    assert read(question).requests == ({"op": "forget", "about": about, "all": everything},)


@pytest.mark.parametrize(
    "question", ["뭘 기억하고 있어?", "나에 대해 기억하는 것을 보여줘", "what do you remember about me?"]
)
def test_a_request_to_show_is_understood(question: str) -> None:
    assert read(question).requests == ({"op": "show"},)


@pytest.mark.parametrize(
    ("question", "expires"),
    [
        ("remember for 3 days that my hotel is Lotte", "2025-01-13T03:00:00.000Z"),
        ("이번 주까지 내 담당은 인천이라고 기억해줘", "2025-01-12T15:00:00.000Z"),
        ("기억해줘: 2025-02-01까지 내 담당은 인천", "2025-02-01T15:00:00.000Z"),
        ("기억해줘: 내 담당은 인천", None),
    ],
)
def test_how_long_it_holds_is_understood(question: str, expires: str | None) -> None:
    assert read(question).requests[0]["expires_at"] == expires


def test_a_question_beside_a_request_keeps_its_place() -> None:
    question = "서울 매출 보여줘. 앞으로는 항상 표로 보여줘."
    reading = read(question)
    assert reading.rest.startswith("서울 매출 보여줘.")
    assert len(reading.rest) == len(question)


WORDS = ["기억해줘", "잊어", "forget", "remember", "앞으로", "항상", "no", "아니", ".", "!", ":", "표로"]


@settings(deadline=None, max_examples=examples(200))
@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_read_without_losing_a_place(text: str) -> None:
    reading = read(text)
    assert len(reading.rest) <= len(text)
    assert bool(reading.requests) or reading.rest == text


# --- what is loaded ---------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["fact", "preference"]), st.text(max_size=60), st.floats(0, 1)), max_size=30
    ),
    st.integers(0, 3_000),
)
def test_loaded_memory_fits_the_budget(items: list[tuple[str, str, float]], budget: int) -> None:
    scored = [
        (Memory(f"m{n}", kind, "", "", text, "t", f"t{n}"), score)
        for n, (kind, text, score) in enumerate(items)
    ]
    chosen = choose(scored, budget)
    assert sum(len(orjson.dumps(memory.as_json())) for memory in chosen) <= budget


def test_a_question_is_filled_in_with_what_is_known() -> None:
    known: dict[str, Any] = {"kind": "fact", "key": "담당 지역", "value": "부산"}
    assert filled_in("내 담당지역 매출", [known])[0] == "부산 매출"
    assert filled_in("my sales", [{**known, "key": "region"}]) == ("my sales", [])
    assert filled_in("담당 지역 부산 매출", [known])[1] == []


# --- through whole turns ----------------------------------------------------------------------------------


async def test_the_end_of_a_memory_is_said_in_local_time(app: MetaAgent) -> None:
    told = await app.ask("기억해줘: 2025-02-01까지 내 담당은 인천")
    assert "(2025-02-02 00:00까지)" in told.text, "15:00 UTC of the day before is midnight in Seoul"


async def test_memory_changes_the_next_answer_visibly(app: MetaAgent) -> None:
    told = await app.ask("기억해줘: 내 담당 지역은 부산")
    assert told.text == "기억했습니다: 담당 지역: 부산."
    assert told.content["analysis"]["required_capabilities"] == ["memory"]
    answer = await app.ask("담당 지역 매출 알려줘")
    assert "질문: 부산 매출 알려줘" in answer.text
    assert "담당 지역: 부산 (기억한 내용)" in answer.text
    assert answer.content["analysis"]["raw_query"] == "담당 지역 매출 알려줘"
    state = await app.state(answer.session_id)
    assert [m["value"] for m in state.get("loaded_memories") or ()] == ["부산"]
    (used,) = (state.get("response_metadata") or {}).get("memories") or []
    assert used["source"]["turn_id"] == told.turn_id


async def test_a_correction_replaces_and_forgetting_removes(app: MetaAgent) -> None:
    await app.ask("remember that my region is Seoul")
    corrected = await app.ask("No, my region is Busan")
    assert corrected.text == "Corrected: region: Busan (before: Seoul)."
    assert [m["value"] for m in await app.memories()] == ["Busan"]
    assert "asked: Busan sales" in (await app.ask("my region sales")).text
    assert (await app.ask("forget my region")).text == "Forgotten: region: Busan."
    assert await app.memories() == []
    assert "asked: my region sales" in (await app.ask("my region sales")).text
    assert "nothing to forget" in (await app.ask("forget my region")).text


async def test_the_preferred_language_and_form_shape_the_answer(app: MetaAgent) -> None:
    plain = await app.ask("매출 알려줘")
    assert plain.text.startswith("질문:")
    await app.ask("always answer in English")
    await app.ask("앞으로 표로 보여줘")
    answer = await app.ask("매출 알려줘")
    assert "| total | 10 |" in answer.text
    assert "answered in English, as you prefer" in answer.text
    assert "the answer is a table" in answer.text
    assert (await app.state(answer.session_id)).get("user_preferences") == {"language": "en", "form": "table"}
    await app.ask("forget everything")
    assert (await app.ask("매출 알려줘")).text == plain.text


async def test_preference_beside_a_question_is_kept(app: MetaAgent) -> None:
    answer = await app.ask("매출 보여줘. 앞으로는 표로 보여줘.")
    assert "합계: 10" in answer.text
    assert "답변 형식: 표" in answer.text
    assert [m["key"] for m in await app.memories()] == ["form"]


async def test_the_last_answer_can_be_remembered_as_a_conclusion(app: MetaAgent) -> None:
    first = await app.ask("매출 알려줘")
    await app.ask("방금 결과 기억해줘", session_id=first.session_id)
    (kept,) = await app.memories()
    assert (kept["kind"], kept["key"]) == ("conclusion", "매출 알려줘")
    assert "합계: 10" in kept["value"]
    assert "아직 기억할 답변이 없습니다" in (await app.ask("방금 결과 기억해줘")).text


async def test_nothing_crosses_between_people_and_companies(app: MetaAgent) -> None:
    anna, ben, other = User("anna", "acme"), User("ben", "acme"), User("anna", "globex")
    await app.ask("기억해줘: 내 담당 지역은 부산", user=anna)
    for stranger in (ben, other):
        assert await app.memories(user=stranger) == []
        assert "부산" not in (await app.ask("담당 지역 매출", user=stranger)).text
        assert await app.forget("담당 지역", user=stranger) == []
        assert await app.erase_memories(stranger) == 0
    assert len(await app.memories(user=anna)) == 1
    assert await app.erase_memories(anna) == 1
    assert await app.memories(user=anna) == []


async def test_expired_memory_is_neither_shown_nor_used(app: MetaAgent, clock: FakeClock) -> None:
    await app.ask("remember for 3 days that my region is Busan")
    assert "asked: Busan sales" in (await app.ask("my region sales")).text
    clock.advance(timedelta(days=3, seconds=1).total_seconds())
    assert await app.memories() == []
    assert "asked: my region sales" in (await app.ask("my region sales")).text


async def test_no_text_of_a_memory_is_readable_on_the_disk(data: Path, clock: FakeClock) -> None:
    async with MetaAgent.open({"data_dir": data}, agents=[memory], clock=clock) as app:
        await app.remember("my codename is Blackbird")
        answer = await app.ask("what do you remember about me?")
        assert "Blackbird" in answer.text
    for file in data.rglob("*"):
        assert not file.is_file() or b"lackbird" not in file.read_bytes()


async def test_with_many_memories_the_index_finds_the_right_ones(data: Path, clock: FakeClock) -> None:
    config = {"data_dir": data, "memory": {"index_above": 5}}
    async with MetaAgent.open(config, agents=[memory, sales], clock=clock, reasoner=RuleReasoner()) as app:
        for number in range(12):
            await app.remember(f"my project{number} is codename{number}x")
        await app.remember("my region is Busan")
        assert "asked: Busan sales" in (await app.ask("my region sales")).text
        assert len(await app.forget("project3")) == 1
        assert "project3" not in str(await app.memories())
        assert await app.erase_memories(User()) == 12
    stored = b"".join(file.read_bytes() for file in (data / "memory").rglob("*") if file.is_file())
    assert b"codename" not in stored


async def test_a_person_cannot_store_without_end(data: Path) -> None:
    async with MetaAgent.open({"data_dir": data, "memory": {"items": 2}}, agents=[memory]) as app:
        await app.remember("my a1 is one")
        await app.remember("my b2 is two")
        with pytest.raises(InputRefused, match=r"memory\.items"):
            await app.remember("my c3 is three")
        await app.remember("my b2 is another")
        assert len(await app.memories()) == 2


async def test_memory_can_be_switched_off(data: Path) -> None:
    config = {"data_dir": data, "memory": {"enabled": False}}
    async with MetaAgent.open(config, agents=[memory, sales], reasoner=RuleReasoner()) as app:
        await app.ask("always answer in English")
        assert await app.memories() == []


async def test_the_memory_agent_conforms() -> None:
    note = {"op": "remember", "kind": "fact", "key": "region", "value": "Busan", "text": "my region is Busan"}
    result = await check_agent(
        memory, "remember that my region is Busan", request={"taken": {"memory": [note]}}
    )
    assert result.summary == "Remembered: region: Busan."
    await check_agent(memory, "what do you remember?")


async def test_forgetting_without_saying_what_asks_back() -> None:
    known = FakeMemory([{"kind": "fact", "key": "region", "value": "Busan", "text": ""}])
    request = {"taken": {"memory": [{"op": "forget", "about": "", "all": False}]}}
    with pytest.raises(NeedsInput) as asked:
        await run_agent(memory, "forget", request=request, memory=known)
    assert asked.value.options == ["region: Busan", "everything"]
    await run_agent(memory, "forget", request=request, answers=["region: Busan"], memory=known)
    assert known.known == []


def test_the_commands_list_add_and_forget(data: Path) -> None:
    def say(*words: str) -> tuple[int, Any]:
        result = CliRunner().invoke(cli, ["memory", *words, "--data-dir", str(data), "--json"])
        return result.exit_code, orjson.loads(result.stdout)

    assert say("list") == (0, [])
    assert say("add", "내 담당 지역은 부산")[1]["value"] == "부산"
    assert [m["key"] for m in say("list")[1]] == ["담당 지역"]
    assert say("forget", "없는 것") == (1, [])
    assert [m["value"] for m in say("forget", "담당 지역")[1]] == ["부산"]
    say("add", "answer in English")
    assert len(say("forget", "--all")[1]) == 1
    assert say("list") == (0, [])


# --- history ----------------------------------------------------------------------------------------------


async def test_the_whole_conversation_can_be_paged_and_searched(data: Path) -> None:
    config = {"data_dir": data, "state": {"messages": 6, "messages_kept": 4}}
    async with MetaAgent.open(config, agents=[sales], reasoner=RuleReasoner()) as app:
        session_id = None
        for number in range(8):
            session_id = (await app.ask(f"매출 질문 {number}번", session_id=session_id)).session_id
        assert session_id is not None
        state = await app.state(session_id)
        assert len(state.get("messages") or ()) < 6
        assert (state.get("messages") or [])[0].content == "매출 질문 0번"
        pages: list[Any] = []
        before = None
        while page := await app.history(session_id, before=before, limit=5):
            pages += page
            before = page[-1]["position"]
        assert [m["position"] for m in pages] == list(range(16, 0, -1))
        assert [m["content"] for m in reversed(pages)][::2] == [f"매출 질문 {n}번" for n in range(8)]
        assert {m["role"] for m in pages[::2]} == {"assistant"}
        found = await app.search_history(session_id, "질문3번")
        assert [m["turn"] for m in found] == [4, 4]
        assert await app.search_history(session_id, "없는 말") == []
        assert [s.session_id for s in await app.search_sessions("질문 0번")] == [session_id]
        assert (await app.delete_session(session_id))["messages"] == 16


async def test_clarifications_and_their_answers_are_in_the_history(data: Path) -> None:
    async with MetaAgent.open({"data_dir": data}, agents=[memory]) as app:
        await app.remember("my region is Busan")
        waiting = await app.ask("잊어줘")
        assert waiting.status == "waiting"
        await app.resume(waiting.session_id, "region: Busan")
        said = [(m["role"], m["content"]) for m in reversed(await app.history(waiting.session_id))]
        assert [role for role, _ in said] == ["user", "assistant", "user", "assistant"]
        assert said[2][1] == "region: Busan"
        assert "Busan" in said[3][1]


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("서울매출", "지난달 서울\u3000매출을\n분석", True),
        ("서울 매출", "서울매출", True),
        ("SEOUL sales", "sales of Seoul", False),
        ("SEOUL sales", "the ｓｅｏｕｌ\tSales", True),
        ("a.c", "abc", False),
        ("1+1", "what is 1 + 1?", True),
    ],
)
def test_a_search_finds_however_it_is_spaced_or_capitalised(text: str, said: str, found: bool):
    assert holding(text)(said) is found


async def test_a_search_goes_on_over_pages_and_stops_at_its_limit(
    app: MetaAgent, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(history, "PAGE", 3)
    session_id = None
    for number in range(5):
        session_id = (await app.ask(f"{number % 2}월 매출", session_id=session_id)).session_id
        await app.ask(f"새 세션 {number % 2}월 매출")
    assert session_id is not None
    questions = [m["turn"] for m in await app.search_history(session_id, "1월매출") if m["role"] == "user"]
    assert questions == [4, 2]
    every = await app.search_history(session_id, "매출")
    assert [m["position"] for m in every] == sorted((m["position"] for m in every), reverse=True)
    assert await app.search_history(session_id, "매출", limit=4) == every[:4]
    later = await app.search_history(session_id, "매출", before=every[3]["position"])
    assert later == every[4:]
    found = await app.search_sessions("새세션 1월")
    assert len(found) == 2
    assert found[0].updated_at >= found[1].updated_at
    assert len(await app.search_sessions("새 세션", limit=3)) == 3
