"""Parts of a question that are asked for only if possible: read, planned, tried, and left out with a word about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from metaagent.errors import Failed
from metaagent.level1.planning import PlanRequest, make_plan
from metaagent.level1.query_analyzer.requests.optional_parts import optional_names
from metaagent.plugin import AgentSpec
from metaagent.runtime import Answer, MetaAgent
from tests.support.execution_world import Calls, make_agent, opened, raising, statuses
from tests.support.understanding import ask

WORDS = ("매출", "표", "차트", "메일", "revenue", "chart", "table", "mail")


def optional_in(question: str) -> set[str]:
    places: dict[str, list[tuple[int, int]]] = {}
    for word in WORDS:
        at = question.lower().find(word)
        while at >= 0:
            places.setdefault(word, []).append((at, at + len(word)))
            at = question.lower().find(word, at + 1)
    return set(optional_names(question.lower(), places))


@pytest.mark.parametrize(
    ("question", "optional"),
    [
        ("매출 알려주고 가능하면 차트도 그려줘", {"차트"}),
        ("매출을 알려줘. 가능하다면 차트도 부탁해", {"차트"}),
        ("가능하면 차트도 그려주고 매출은 꼭 알려줘", {"차트"}),
        ("매출 알려주고 될 수 있으면 차트와 표도 만들어줘", {"차트", "표"}),
        ("매출 알려주고 시간이 되면 메일도 보내줘", {"메일"}),
        ("매출 알려주고 여유 되면 차트도", {"차트"}),
        ("매출 보여줘, 차트는 되면 좋고", {"차트"}),
        ("차트는 되면 좋고 매출은 꼭 필요해", {"차트"}),
        ("매출 알려주고 차트는 안 되면 말고", {"차트"}),
        ("매출 알려주고 차트도 그려줘", set()),
        ("가능하면 매출 알려줘", set()),
        ("차트 그려주고 가능하면 빨리 매출 알려줘", set()),
        ("메일 보내는 것이 가능하면 좋겠지만 매출 알려줘", set()),
        ("준비가 완료되면 차트와 매출을 알려줘", set()),
        ("show the revenue and, if possible, a chart", {"chart"}),
        ("Show the revenue and if possible a chart", {"chart"}),
        ("show the revenue, and a chart if you can", {"chart"}),
        ("draw a chart if possible, and show the revenue", {"chart"}),
        ("draw a chart if possible and show the revenue", {"chart"}),
        ("If possible, draw a chart. Show the revenue.", {"chart"}),
        ("If possible draw a chart, but show the revenue in any case", {"chart"}),
        ("the revenue, ideally with a chart and a table", {"chart", "table"}),
        ("the revenue, optionally a chart", {"chart"}),
        ("the revenue with a chart, if possible", {"chart"}),
        ("mail the revenue where possible with a chart", {"mail", "revenue"}),
        ("매출 알려줘. 차트는 안 돼도 괜찮아", {"차트"}),
        ("매출은 꼭, 차트는 가능하면", {"차트"}),
        ("메일 발송이 가능하면 매출 표를 보내줘", set()),
        ("가능한 모든 매출과 차트를 보여줘", set()),
        ("Show revenue (chart optional)", {"chart"}),
        ("mail the table if you can find the revenue", set()),
        ("show revenue where it is possible to see a chart", set()),
        ("show the revenue if you can", set()),
        ("show the revenue and a chart", set()),
        ("show the revenue as soon as possible and a chart", set()),
        ("is it possible to get the revenue and a chart?", set()),
    ],
)
def test_the_words_say_which_part_is_optional(question: str, optional: set[str]) -> None:
    assert optional_in(question) == optional


@pytest.mark.parametrize(
    ("question", "optional"),
    [
        ("이번 달 매출 알려주고 가능하면 방문 보고서도 작성해줘", ["document_generation"]),
        ("이번 달 매출 알려주고 시간이 되면 저장도 해줘", ["storage_decision"]),
        ("Show this month's sales and, if possible, write a visit report", ["document_generation"]),
        ("Show this month's sales and archive the result if you can", ["storage_decision"]),
        ("이번 달 매출 알려주고 가능하면 지난달과 비교해줘", []),
        ("가능하면 이번 달 매출 알려줘", []),
        ("이번 달 매출 알려주고 방문 보고서도 작성해줘", []),
    ],
)
def test_capability_is_optional_if_only_optional_parts_need_it(question: str, optional: list[str]) -> None:
    reading = ask(question)
    assert reading["optional_capabilities"] == optional
    marked = {item["intent"] for item in reading["parsed_intents"] if item.get("optional")}
    explained = {item["conclusion"] for item in reading["explanations"]}
    assert {name for name in marked if f"optional={name}" not in explained} == set()
    assert not reading["unread"], "the words that say so are read"
    assert set(optional) <= set(reading["required_capabilities"])


def test_blocked_optional_part_does_not_block_the_rest() -> None:
    offered = [
        {"name": "data_analysis", "agent": "data_analysis"},
        {"name": "document_generation", "agent": "writer", "requires": ["writing"]},
    ]
    question = "이번 달 매출 알려주고 {}방문 보고서도 작성해줘"

    def granted(how: str) -> bool:
        reading = ask(question.format(how), capabilities=offered, user={"roles": ["reader"]})
        return reading["feasibility_check"]["permission_granted"]

    assert (granted(""), granted("가능하면 ")) == (False, True)


def planned(*agents: AgentSpec, required: Sequence[str], optional: Sequence[str]) -> dict[str, bool]:
    """Whether the step of each agent is optional."""
    analysis = {"required_capabilities": [*required, *optional], "optional_capabilities": list(optional)}
    steps = make_plan(PlanRequest(analysis, agents)).get("execution_plan") or ()
    return {step.get("agents", [""])[0]: step.get("optional", False) for step in steps}


def test_a_step_is_optional_if_only_optional_parts_need_it() -> None:
    agents = (
        make_agent("source", makes=["data"]),
        make_agent("extra", makes=["more"]),
        make_agent("report", takes=["data"]),
        make_agent("chart", takes=["data", "more"]),
    )
    assert planned(*agents, required=["report"], optional=["chart"]) == {
        "source": False,
        "extra": True,
        "report": False,
        "chart": True,
    }
    assert not any(planned(*agents, required=["report", "chart"], optional=[]).values())
    assert not planned(*agents, required=["chart"], optional=["extra"])["extra"], "the chart needs it"


def test_unserved_optional_part_is_marked_optional() -> None:
    analysis = {"required_capabilities": ["report", "song"], "optional_capabilities": ["song"]}
    plan = make_plan(PlanRequest(analysis, [make_agent("report")]))
    assert plan.get("unmet") == [{"capability": "song", "reason": "no_agent", "optional": True}]


async def kind_of(app: MetaAgent, answer: Answer) -> str:
    state = await app.state(answer.session_id)
    return state.get("response_metadata", {}).get("type", "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("main 해주고 가능하면 extra 해줘", "가능하면 해 달라고 하신 일이라 생략했습니다: extra (no paper)."),
        ("main and, if possible, extra", "Left out, as you asked for it only if possible: extra (no paper)."),
    ],
)
async def test_failed_optional_part_leaves_the_answer_whole(tmp_path: Path, question: str, said: str) -> None:
    agents = (make_agent("extra", raising(Failed("no paper"))), make_agent("main"))
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask(question)
        alone = await app.ask("main")
        assert await kind_of(app, answer) == "answer"
    assert statuses(answer) == {"extra": "skipped", "main": "completed"}
    assert said in answer.text
    assert (answer.content["errors"], answer.content["plan"]["plan_version"]) == ([], 1)
    assert answer.content["confidence"] > 0.5, "it is not less sure of what it answers"
    assert alone.content["confidence"] > 0


async def test_an_optional_part_that_works_is_part_of_the_answer(tmp_path: Path) -> None:
    async with opened(tmp_path, make_agent("extra"), make_agent("main")) as app:
        answer = await app.ask("main and, if possible, extra")
    assert set(statuses(answer).values()) == {"completed"}
    assert "extra is done" in answer.text


async def test_failed_required_part_makes_the_answer_partial(tmp_path: Path) -> None:
    agents = (make_agent("extra"), make_agent("main", raising(Failed("no"))))
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("main and, if possible, extra")
        assert await kind_of(app, answer) == "partial"
    assert statuses(answer) == {"extra": "completed", "main": "failed"}


async def test_steps_after_a_failed_optional_step_are_left_out(tmp_path: Path) -> None:
    calls = Calls()
    agents = (
        make_agent("source", raising(Failed("no")), makes=["data"], calls=calls),
        make_agent("extra", takes=["data"], calls=calls),
        make_agent("main", calls=calls),
    )
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("main and, if possible, extra")
        assert await kind_of(app, answer) == "answer"
    assert sorted(calls.names) == ["main", "source"]
    assert answer.content["errors"] == []


async def test_step_runs_without_an_optional_input(tmp_path: Path) -> None:
    """The report takes a chart where there is one."""
    agents = (
        make_agent("chart", raising(Failed("no ink")), makes=["picture"]),
        make_agent("report", takes=["picture?"]),
    )
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("report and, if possible, chart")
        assert await kind_of(app, answer) == "answer"
    assert statuses(answer) == {"chart": "skipped", "report": "completed"}


async def test_new_plan_does_not_retry_a_failed_optional_part(tmp_path: Path) -> None:
    calls = Calls()
    agents = (
        make_agent("extra", raising(Failed("no paper")), calls=calls),
        make_agent("first", raising(Failed("no")), does="job", makes=["report"], calls=calls),
        make_agent("helper", makes=["half"], calls=calls),
        make_agent("other", does="job", makes=["report"], takes=["half"], cost=2.0, calls=calls),
    )
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("job and, if possible, extra")
    assert (calls.count("extra"), calls.count("other")) == (1, 1)
    assert answer.text.count("extra") == 1, answer.text


async def test_an_optional_part_alone_is_no_reason_for_a_new_plan(tmp_path: Path) -> None:
    calls = Calls()
    agents = (
        make_agent("main", raising(Failed("no")), calls=calls),
        make_agent("first", raising(Failed("no")), does="extra", makes=["a"], calls=calls),
        make_agent("second", does="extra", makes=["b"], cost=2.0, calls=calls),
    )
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("main and, if possible, extra")
    assert answer.content["plan"]["plan_version"] == 1
    assert sorted(calls.names) == ["first", "main"]


async def test_the_failure_of_an_optional_step_is_on_its_agents_record(tmp_path: Path) -> None:
    agents = (make_agent("extra", raising(Failed("no"))), make_agent("main"))
    async with opened(tmp_path, *agents) as app:
        await app.ask("main and, if possible, extra")
        records = await app._store.records()  # pyright: ignore[reportPrivateUsage]
    assert records["extra"].success_rate < records["main"].success_rate
