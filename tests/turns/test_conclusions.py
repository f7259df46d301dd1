"""Answers with figures leave a short conclusion behind by rule: bounded, replaced, expiring, never personal data."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from metaagent.level1.reasoner import RuleReasoner
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.memory.agent import memory
from metaagent.memory.conclusions import LEAST, LONGEST, OFTEN, conclusion_of, earlier_of, learned
from metaagent.memory.recall import Memory
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.protection.redaction import Redactor
from metaagent.runtime import MetaAgent
from metaagent.storage.session_store import SqlStore
from metaagent.testing import FakeClock
from tests.support.data_world import NOON, make_company
from tests.support.data_world import settings as world

PERIOD = {"start": "2026-10-01", "end": "2026-10-31"}
masked = Redactor().redact_text


def result(summary: str = "2026년 10월 서울 매출액은 382,154,217원입니다.", **changes: Any) -> dict[str, Any]:
    source = {"type": "database", "rows": 1, "period": PERIOD}
    found = {"status": "completed", "summary": summary, "sources": [source], "artifacts": []}
    return {**found, **changes}


def concluded(*results: dict[str, Any], question: str = "지난달 서울 매출", confidence: float = 0.9) -> Any:
    seoul = {"extracted_entities": [{"type": "location", "value": "서울"}], "language": "ko"}
    return conclusion_of(question, seoul, results or (result(),), confidence, masked)


def test_conclusion_holds_question_period_and_confidence():
    note = concluded(result("2026년 10월 서울 매출액은 382,154,217원입니다.\n- 더 있습니다"))
    assert (note["kind"], note["key"]) == ("conclusion", "지난달 서울 매출")
    assert note["value"] == "2026년 10월 서울 매출액은 382,154,217원입니다."
    assert note["confidence"] == 0.9
    assert note["about"] == {"period": "2026-10-01/2026-10-31", "places": "서울", "wording": "ko"}


@pytest.mark.parametrize(
    "results",
    [
        [result(sources=[])],
        [result(sources=[{"type": "web", "rows": 3}])],
        [result(sources=[{"type": "database", "rows": 0}])],
        [result("데이터가 없습니다.")],
        [result(status="failed")],
        [result("1" * (LONGEST + 1))],
    ],
)
def test_answer_without_figures_leaves_no_conclusion(results: list[dict[str, Any]]):
    assert concluded(*results) is None


def test_an_unsure_answer_leaves_nothing():
    assert concluded(confidence=LEAST) is not None
    assert concluded(confidence=LEAST - 0.01) is None


@pytest.mark.parametrize("personal", ["kim99@naver.com", "010-1234-5678", "900101-1234568"])
def test_text_that_redaction_masks_is_not_remembered(personal: str):
    assert concluded(question=f"{personal} 고객의 지난달 매출") is None
    assert concluded(result(f"{personal} 고객의 매출액은 12원입니다.")) is None


def test_a_follow_up_is_named_after_what_was_found():
    found = result(artifacts=[{"id": "a1", "summary": "2026년 10월 부산 매출액"}])
    note = conclusion_of("부산은?", {"follow_up": True}, [found], 1.0, masked)
    assert note is not None
    assert note["key"] == "2026년 10월 부산 매출액"


def test_question_completed_from_memory_is_named_as_read():
    filled = {"resolved": {"question": "부산 매출"}}
    note = conclusion_of("담당 지역 매출", filled, [result()], 1.0, masked)
    assert note is not None
    assert note["key"] == "부산 매출"


def put(known: list[Memory], note: dict[str, Any], day: int, most: int = 30) -> list[Memory]:
    """What is known after one more turn."""
    ids = iter(f"m{day}-{n}" for n in range(9))
    done = learned(
        known,
        note,
        new_id=lambda: next(ids),
        at=f"2026-11-{day:02}",
        expires_at=f"2027-02-{day:02}",
        source={"turn_id": f"t{day}"},
        most=most,
    )
    gone = {*done.drop, *(made.id for made in done.put)}
    return [*done.put, *(m for m in known if m.id not in gone)]


def test_same_question_or_figures_replace_a_conclusion():
    known = put([], concluded(), 1)
    known = put(known, concluded(result("매출액은 400원입니다.")), 2)
    assert [(m.id, m.value, m.created_at) for m in known] == [("m1-0", "매출액은 400원입니다.", "2026-11-01")]
    known = put(known, concluded(result("매출액은 400원입니다."), question="10월 서울 매출"), 3)
    assert [(m.key, m.source["turn_id"]) for m in known] == [("10월 서울 매출", "t3")]


def test_requested_memories_are_never_replaced():
    own = Memory("m0", "conclusion", "지난달 서울 매출", "my own", "my own", "2026-01-01", "2026-01-01")
    assert put([own], concluded(), 1) == [own]
    regions = Memory("m9", "preference", "regions", "제주", "", "2026-01-01", "2026-01-01")
    known: list[Memory] = [regions]
    for day in range(1, OFTEN + 1):
        known = put(known, concluded(result(f"매출액은 {day}원"), question=f"질문 {day}"), day)
    assert regions in known


def test_often_asked_place_is_a_favourite_until_forgotten():
    known: list[Memory] = []
    favourites: list[list[str]] = []
    for day in range(1, 2 * OFTEN + 1):
        known = put(known, concluded(result(f"매출액은 {day}원"), question=f"질문 {day}"), day)
        favourites.append([m.value for m in known if m.key == "regions"])
        known = [m for m in known if m.key != "regions"]
    assert favourites == [[], [], ["서울"], [], [], ["서울"]]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=25), st.integers(1, 4))
def test_conclusions_stay_within_the_bound_and_keep_the_newest(asked: list[tuple[int, int]], most: int):
    known: list[Memory] = []
    for day, (question, figure) in enumerate(asked, 1):
        note = concluded(result(f"매출액은 {figure}원"), question=f"질문 {question}")
        known = put(known, note, day, most)
        kept = [m for m in known if m.kind == "conclusion"]
        assert len(kept) <= most
        assert len({m.key for m in kept}) == len({m.value for m in kept}) == len(kept)
        assert kept[0].value == note["value"]


def test_earlier_answer_is_mentioned_only_if_figures_differ():
    (old,) = put([], concluded(), 1)
    assert earlier_of(concluded(), [old.as_json()]) is None
    newer = concluded(result("매출액은 400원입니다."))
    assert earlier_of(newer, [old.as_json()]) == old.as_json()
    other_words = replace(old, source={**old.source, "wording": "ko 백만원"})
    assert earlier_of(newer, [other_words.as_json()]) is None


# --- through whole turns ----------------------------------------------------------------------------------


def selling(figures: dict[str, int]) -> AgentSpec:
    @agent(
        name="sales",
        capabilities=[Capability("sales", ko=("매출",), en=("sales",))],
        produces={"figures": None},
    )
    async def sales(task: Task, ctx: Context) -> Result:
        source = {"type": "database", "rows": 1, "period": PERIOD}
        said = f"매출액은 {figures['now']:,}원입니다.\n- 늘었습니다."
        return Result(said, 0.9, [Artifact("figures", {"total": figures["now"]})], [source])

    return sales


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def figures() -> dict[str, int]:
    return {"now": 1000}


def opened(data: Path, clock: FakeClock, figures: dict[str, int], **settings: Any) -> Any:
    return MetaAgent.open(
        {"data_dir": data, "memory": settings},
        agents=[memory, selling(figures)],
        clock=clock,
        reasoner=RuleReasoner(),
    )


@pytest.fixture
async def app(data: Path, clock: FakeClock, figures: dict[str, int]) -> AsyncIterator[MetaAgent]:
    async with opened(data, clock, figures) as it:
        yield it


@pytest.mark.parametrize(("doubt_below", "doubts", "kept"), [(0.91, [], 0), (0.6, ["?"], 0), (0.6, [], 1)])
async def test_a_doubtful_answer_is_no_conclusion(
    data: Path,
    figures: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    doubt_below: float,
    doubts: list[str],
    kept: int,
):
    """Below the confidence from which an answer begins with a doubt, and where words were left unread, nothing is kept."""
    analyze = RuleReasoner.analyze

    async def read(self: RuleReasoner, *given: Any, **more: Any) -> Any:
        return {**await analyze(self, *given, **more), "doubts": doubts}

    monkeypatch.setattr(RuleReasoner, "analyze", read)
    settings = {"data_dir": data, "analysis": {"doubt_below": doubt_below}}
    async with MetaAgent.open(settings, agents=[selling(figures)], reasoner=RuleReasoner()) as app:
        assert 0.6 < (await app.ask("서울 매출 알려줘")).content["confidence"] < 0.91
        assert len(await app.memories()) == kept


async def test_turn_with_figures_leaves_one_conclusion_naming_its_turn(app: MetaAgent):
    answer = await app.ask("서울 매출 알려줘")
    (kept,) = await app.memories()
    assert (kept["kind"], kept["key"], kept["value"]) == (
        "conclusion",
        "서울 매출 알려줘",
        "매출액은 1,000원입니다.",
    )
    assert kept["source"]["turn_id"] == answer.turn_id
    assert kept["source"]["session_id"] == answer.session_id
    assert kept["source"]["rule"] == "figures"
    assert kept["confidence"] == answer.content["confidence"]
    assert kept["expires_at"] > kept["created_at"]
    await app.ask("what do you remember about me?")
    assert len(await app.memories()) == 1, "what is no figure leaves nothing"


async def test_repeated_question_replaces_its_conclusion(
    app: MetaAgent, clock: FakeClock, figures: dict[str, int]
):
    first = await app.ask("서울 매출 알려줘")
    same = await app.ask("서울 매출 알려줘")
    assert same.text == first.text, "nothing changed, nothing is said"
    clock.advance(86_400)
    figures["now"] = 2000
    later = await app.ask("서울 매출 알려줘")
    assert "답: 매출액은 1,000원입니다." in later.text
    metadata = (await app.state(later.session_id)).get("response_metadata") or {}
    (used,) = metadata.get("memories") or []
    assert used["source"]["turn_id"] == same.turn_id, "the explanation names where it comes from"
    (kept,) = await app.memories()
    assert kept["value"] == "매출액은 2,000원입니다."
    assert kept["source"]["turn_id"] == later.turn_id


async def test_conclusion_can_be_listed_and_forgotten(app: MetaAgent):
    await app.ask("서울 매출 알려줘")
    asked = await app.ask("지난번에 물어본 서울 매출 결과 뭐였지?")
    assert "매출액은 1,000원입니다." in asked.text
    assert "매출액은 1,000원입니다." in (await app.ask("what do you remember about 서울 매출?")).text
    assert "매출액은 1,000원입니다." in (await app.ask("서울 매출 잊어줘")).text
    assert await app.memories() == []


async def test_the_last_answer_is_the_last_that_found_something(app: MetaAgent):
    session_id = (await app.ask("서울 매출 알려줘")).session_id
    await app.ask("뭘 기억하고 있어?", session_id=session_id)
    told = await app.ask("방금 결과 기억해줘", session_id=session_id)
    assert told.text.startswith("기억했습니다: 서울 매출 알려줘: 매출액은 1,000원입니다."), (
        "nothing was corrected"
    )
    (kept,) = await app.memories()
    assert (kept["key"], kept["expires_at"]) == ("서울 매출 알려줘", None), "asked for, it stays for good"


async def test_many_conclusions_are_shown_in_part_and_forgotten_whole(
    app: MetaAgent, figures: dict[str, int], clock: FakeClock
):
    await app.remember("my region is Busan")
    for number in range(7):
        figures["now"] = number
        await app.ask(f"{number}번 매출")
        clock.advance(1)
    shown = (await app.ask("뭘 기억하고 있어?")).text.splitlines()
    assert shown[1] == "- region: Busan"
    assert "6번 매출" in shown[2]
    assert len(shown) == 8
    assert "2개" in shown[-1]
    assert (await app.ask("전부 잊어줘")).text.startswith("8개를 잊었습니다:")
    assert await app.memories() == []


async def test_conclusion_expires_and_the_oldest_makes_room(
    data: Path, clock: FakeClock, figures: dict[str, int]
):
    async with opened(data, clock, figures, conclusions=2, conclusion_days=10) as app:
        for number in (1, 2, 3):
            figures["now"] = number
            await app.ask(f"{number}번 매출")
            clock.advance(60)
        assert [m["key"] for m in await app.memories()] == ["3번 매출", "2번 매출"]
        clock.advance(timedelta(days=10).total_seconds())
        assert await app.memories() == []


async def test_conclusions_take_no_room_from_requested_memories(
    data: Path, clock: FakeClock, figures: dict[str, int]
):
    async with opened(data, clock, figures, items=1) as app:
        await app.ask("매출 알려줘")
        await app.remember("my region is Busan")
        assert len(await app.memories()) == 2


@pytest.mark.parametrize("settings", [{"conclusions": 0}, {"enabled": False}])
async def test_conclusions_can_be_switched_off(
    data: Path, clock: FakeClock, figures: dict[str, int], settings: dict[str, Any]
):
    async with opened(data, clock, figures, **settings) as app:
        await app.ask("매출 알려줘")
        assert await app.memories() == []


async def test_a_question_with_personal_data_leaves_nothing(app: MetaAgent):
    await app.ask("010-1234-5678 고객 매출 알려줘")
    assert await app.memories() == []


async def test_conclusions_are_invisible_to_others(app: MetaAgent):
    await app.ask("매출 알려줘", user=User("anna", "acme"))
    for stranger in (User("ben", "acme"), User("anna", "globex")):
        assert await app.memories(user=stranger) == []


async def test_conclusions_go_with_their_session_and_memories_stay(app: MetaAgent, figures: dict[str, int]):
    first = await app.ask("매출 알려줘")
    await app.ask("방금 결과 기억해줘", session_id=first.session_id)
    figures["now"] = 7
    second = await app.ask("부산 매출 알려줘", session_id=first.session_id)
    figures["now"] = 8
    await app.ask("대구 매출 알려줘")
    await app.delete_session(second.session_id)
    assert {m["key"] for m in await app.memories()} == {"매출 알려줘", "대구 매출 알려줘"}


async def test_conclusion_costs_no_extra_transaction(app: MetaAgent, monkeypatch: pytest.MonkeyPatch):
    """A turn that leaves a conclusion has as many transactions as one that leaves none."""
    await app.ask("안녕하세요")  # what looks at the store beside turns is at work from here on
    counts = Counter[str]()
    asked: ContextVar[str] = ContextVar("asked", default="")
    store: Any = SqlStore
    run = store._run

    async def counted(self: Any, work: Any) -> Any:
        counts[asked.get()] += 1
        return await run(self, work)

    monkeypatch.setattr(store, "_run", counted)
    for question in ("010-1234-5678 고객 매출 알려줘", "서울 매출 알려줘"):
        asked.set(question)
        await app.ask(question)
    asked.set("")
    of_turns = {question: count for question, count in counts.items() if question}
    assert len(of_turns) == 2
    assert len({*of_turns.values()}) == 1
    assert len(await app.memories()) == 1


async def test_damaged_memory_blocks_no_answer(
    app: MetaAgent, figures: dict[str, int], caplog: pytest.LogCaptureFixture
):
    await app.ask("서울 매출 알려줘")
    store: Any = app._store  # pyright: ignore[reportPrivateUsage]

    def damage(connection: sa.Connection) -> None:
        connection.exec_driver_sql("UPDATE memories SET body = zeroblob(40)")

    await store.transaction(damage)
    figures["now"] = 5
    answer = await app.ask("부산 매출 알려줘")
    assert answer.status == "completed"
    assert [m["key"] for m in await app.memories()] == ["부산 매출 알려줘"]
    assert "was left out" in caplog.text
    await app.delete_session(answer.session_id)
    assert await app.erase_memories(User()) == 1, "erasing opens nothing"


# --- preferences, on the demonstration company ------------------------------------------------------------


def selling_company(folder: Path) -> Any:
    return MetaAgent.open(world(folder), agents=[data_analysis, memory], clock=FakeClock(NOON))


async def test_stated_preferences_hold_across_sessions_and_are_named(tmp_path: Path):
    make_company(tmp_path)
    async with selling_company(tmp_path) as app:
        assert (await app.ask("앞으로 금액은 백만원 단위로 보여줘")).status == "completed"
        await app.ask("내 관심 지역은 부산이야.")
    async with selling_company(tmp_path) as app:
        for _ in range(2):
            answer = await app.ask("관심 지역 지난달 매출 알려줘")
            assert "부산 매출액" in answer.text
            assert "백만 원)" in answer.text
            assert "관심 지역: 부산 (기억한 내용)" in answer.text
            assert "백만 원 단위로" in answer.text
        english = await app.ask("sales in Seoul last month")
        assert "M)." in english.text
        assert "millions of won" in english.text
        keys = {m["key"] for m in (await app.state(english.session_id)).get("loaded_memories") or ()}
        assert {"units", "regions"} <= keys
        await app.ask("단위 잊어줘")
        assert "백만 원" not in (await app.ask("지난달 서울 매출 알려줘")).text
