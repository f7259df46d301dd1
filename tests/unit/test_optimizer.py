"""A state stays within its bounds, whatever it holds, and nothing that matters is lost on the way."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from metaagent.level1.summary import summarize
from metaagent.state.optimizer import Moved, Optimized, StateLimits, StateOptimizer, is_summary, size_of
from tests.support.examples import examples

SMALL = StateLimits(
    messages=8, messages_kept=5, results=4, value_bytes=2_000, warn_bytes=10_000, max_bytes=20_000
)

texts = st.text(min_size=0, max_size=40) | st.integers(1, 400).map(lambda n: "가나다 12 " * n)
scalars = st.none() | st.booleans() | st.integers(-(2**31), 2**31) | texts
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
records = st.dictionaries(st.sampled_from(["text", "data", "more"]), values, max_size=3)


@st.composite
def states(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(0, 20))
    messages: list[AnyMessage] = [
        (HumanMessage if n % 2 == 0 else AIMessage)(content=draw(texts), id=f"m{n}") for n in range(count)
    ]
    steps = [f"s{n}" for n in range(draw(st.integers(0, 12)))]
    agents = [f"a{n}" for n in range(draw(st.integers(0, 8)))]
    return {
        "session_id": "s1",
        "messages": messages,
        "conversation_history": draw(st.lists(records, max_size=4)),
        "execution_manager_state": {
            "execution_status": "completed",
            "completed_tasks": [{"task_id": step, "result": draw(records)} for step in steps],
            "final_results": {step: {"status": "completed", "summary": draw(texts)} for step in steps},
        },
        "agent_states": {
            name: {"end_time": f"t{n}", "raw_data": draw(values)} for n, name in enumerate(agents)
        },
        "warnings": draw(st.lists(records, max_size=3)),
        "final_response": draw(texts),
    }


def applied(state: dict[str, Any], result: Optimized) -> dict[str, Any]:
    """As LangGraph applies it: what merges is overwritten, the rest replaced."""
    bare = {
        name: value["__overwrite__"] if isinstance(value, dict) and "__overwrite__" in value else value
        for name, value in result.update.items()
    }
    return {**state, **bare}


def optimized(state: dict[str, Any], limits: StateLimits = SMALL) -> dict[str, Any]:
    return applied(state, StateOptimizer(limits).optimize(state, "told"))


def talk(turns: int, chars: int = 20) -> list[AnyMessage]:
    said: list[AnyMessage] = []
    for n in range(turns):
        said += [HumanMessage("q" * chars, id=f"{n}q"), AIMessage("a" * chars, id=f"{n}a")]
    return said


@settings(deadline=None, max_examples=examples(150))
@given(states())
def test_the_bounds_hold_for_any_state(state: dict[str, Any]) -> None:
    after = optimized(state)
    assert len(after["messages"]) < SMALL.messages
    manager = after["execution_manager_state"]
    kept = [manager["completed_tasks"], manager["final_results"], after["agent_states"]]
    assert all(len(results) <= SMALL.results for results in kept)
    size = size_of({k: v for k, v in after.items() if k != "messages"})
    size += sum(len(str(message.content).encode()) for message in after["messages"])
    assert size <= SMALL.max_bytes


@settings(deadline=None, max_examples=examples(100))
@given(states())
def test_the_first_and_the_newest_messages_stay(state: dict[str, Any]) -> None:
    before, after = state["messages"], optimized(state)["messages"]
    if before:
        assert after[0].id == before[0].id
        assert after[-1].id == before[-1].id
    newest = [message.id for message in before][-(SMALL.messages_kept - 2) :]
    assert [m.id for m in after][-len(newest) :] == newest if newest else not after


@settings(deadline=None, max_examples=examples(100))
@given(states())
def test_the_given_state_is_never_touched(state: dict[str, Any]) -> None:
    before = deepcopy(state)
    optimized(state)
    assert state == before


@settings(deadline=None, max_examples=examples(100))
@given(states())
def test_a_second_time_there_is_nothing_left_to_do(state: dict[str, Any]) -> None:
    again = StateOptimizer(SMALL).optimize(optimized(state), "told again")
    assert again.update == {}
    assert not again.moved


@settings(deadline=None, max_examples=examples(100))
@given(states())
def test_moved_values_are_returned_whole_and_referenced(state: dict[str, Any]) -> None:
    stored: dict[str, Any] = {}

    def refer(moved: Moved) -> str:
        stored[f"x{len(stored)}x"] = moved.value
        return f"x{len(stored) - 1}x"

    result = StateOptimizer(SMALL).optimize(state, "told", refer)
    after = repr(applied(state, result))
    assert [moved.value for moved in result.moved] == list(stored.values())
    inner = repr(list(stored.values()))
    assert all(key in after or key in inner for key in stored)


def test_a_small_state_needs_no_update() -> None:
    result = StateOptimizer().optimize({"session_id": "s", "messages": talk(10), "agent_states": {}})
    assert result.update == {}
    assert not result.large


def test_a_summary_is_written_now_and_then_not_every_turn() -> None:
    optimizer, messages, summaries = StateOptimizer(), talk(0), 0
    for turn in range(100):
        messages = [*messages, HumanMessage("q", id=f"{turn}q"), AIMessage("a", id=f"{turn}a")]
        assert len(messages) <= optimizer.limits.messages
        state = {"messages": messages}
        summaries += bool(optimizer.excess(state))
        messages = applied(state, optimizer.optimize(state, "so far"))["messages"]
    assert summaries <= 10
    assert messages[0].id == "0q"
    assert [m.content for m in messages if is_summary(m)] == ["so far"]


def test_a_large_value_becomes_a_reference_of_its_own_type() -> None:
    state = {
        "agent_states": {
            "a": {
                "raw_data": {"rows": ["x" * 100] * 1_000},
                "text": "y" * 70_000,
                "rows": [{"n": n} for n in range(20_000)],
            }
        }
    }
    result = StateOptimizer().optimize(state)
    kept = applied(state, result)["agent_states"]["a"]
    assert {moved.path for moved in result.moved} == {
        "agent_states.a.raw_data.rows",
        "agent_states.a.text",
        "agent_states.a.rows",
    }
    assert isinstance(kept["raw_data"]["rows"][0], str)
    assert isinstance(kept["text"], str)
    assert isinstance(kept["rows"][0], dict)
    assert result.size < 2_000


def test_a_large_state_is_warned_about() -> None:
    steps = {f"s{n}": {"summary": "x" * 50_000} for n in range(25)}
    result = StateOptimizer().optimize({"execution_manager_state": {"final_results": steps}})
    assert result.large
    assert not result.moved


def test_a_huge_question_does_not_stay_in_the_state() -> None:
    state = {"messages": [HumanMessage("가" * 300_000, id="q"), AIMessage("ok", id="a")]}
    after = optimized(state, StateLimits())["messages"]
    assert [m.id for m in after] == ["q", "a"]
    assert len(str(after[0].content)) < 1_000


# --- the summary ------------------------------------------------------------------------------------------


def test_figures_and_open_questions_survive_the_summary() -> None:
    said = [
        HumanMessage("지난달 서울 매출은?"),
        AIMessage("분석을 마쳤습니다.\n자세한 설명은 생략합니다.\n합계는 1,234만원입니다."),
        HumanMessage("부산의 재고는?"),
        AIMessage("알 수 없습니다.", additional_kwargs={"answered": False}),
        HumanMessage("아직 답하지 않은 질문"),
    ]
    text = summarize("", said, "ko", 4_000)
    assert "지난달 서울 매출은?" in text
    assert "1,234만원" in text
    assert "자세한 설명" not in text
    assert "?: 부산의 재고는?" in text
    assert "?: 아직 답하지 않은 질문" in text
    assert "?: 지난달" not in text


def test_a_running_summary_goes_on_from_the_last_one() -> None:
    first = summarize("", [HumanMessage("one"), AIMessage("it is 1")], "en", 4_000)
    second = summarize(first, [HumanMessage("two"), AIMessage("it is 2")], "en", 4_000)
    assert [second.index(part) for part in ("Q: one", "it is 1", "Q: two", "it is 2")] == sorted(
        second.index(part) for part in ("Q: one", "it is 1", "Q: two", "it is 2")
    )


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(texts, max_size=30), st.integers(500, 3_000), st.sampled_from(["ko", "en"]))
def test_a_summary_never_outgrows_its_bound(said: list[str], limit: int, language: str) -> None:
    messages: list[Any] = [(HumanMessage if n % 2 == 0 else AIMessage)(text) for n, text in enumerate(said)]
    summary = ""
    for _ in range(3):
        summary = summarize(summary, messages, language, limit)
        assert len(summary) <= limit


def test_the_oldest_leave_first_and_are_counted() -> None:
    summary = ""
    for n in range(200):
        exchange = [HumanMessage(f"question {n}"), AIMessage(f"answer {n}")]
        summary = summarize(summary, exchange, "en", 1_000)
    assert "question 199" in summary
    assert "question 10\n" not in summary
    gone = int(summary.split("(")[1].split(" ")[0])
    assert gone + summary.count("Q:") == 200


def test_a_summary_that_a_model_wrote_is_kept_as_what_it_says() -> None:
    text = summarize("The budget is 3 million.", [HumanMessage("next?"), AIMessage("done")], "en", 1_000)
    assert "The budget is 3 million." in text
