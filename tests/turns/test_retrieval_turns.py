"""Questions about documents, from the words to an answer with its citations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.retrieval.agent import information_retrieval
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock, scripted_chat_model
from tests.support.agents import opened
from tests.support.data_world import NOON, settings
from tests.support.paths import SUPPORT

POLICY = """# 제품설명회 운영 지침

시행일: 2026-01-01

## 제7조 식음료

제품설명회의 식음료는 1인당 10만 원 이하로 제공한다.

## 제8조 기념품

기념품은 1인당 5만 원 이하로 제공한다.
"""
QUESTION = "제품설명회 식음료 한도가 얼마야?"
INJECTIONS: list[dict[str, str]] = yaml.safe_load((SUPPORT / "injections.yaml").read_text("utf-8"))


def documents(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in {"policy": POLICY, **texts}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


async def ingested(app: MetaAgent, folder: Path, **options: Any) -> None:
    report = await app.ingest([folder], **options)
    assert not report.get("failed"), report


async def test_an_answer_has_its_sentence_mark_and_place(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k"))
        answer = await app.ask(QUESTION)
        cited = answer.content["citations"]
        state: Any = await app.state(answer.session_id)
        shown = await app.knowledge_show(cited[0]["document_id"])
    assert answer.text.splitlines() == [
        "제품설명회의 식음료는 1인당 10만 원 이하로 제공한다. [1]",
        "[1] 제품설명회 운영 지침 › 제7조 식음료",
    ]
    assert cited[0]["quote"] == "제품설명회의 식음료는 1인당 10만 원 이하로 제공한다."
    assert cited[0]["quote"] in str(shown)
    assert answer.content["sources"][0]["type"] == "document"
    own = state["agent_states"]["information_retrieval"]
    assert own["citations"] == cited
    assert own["search_sources"] == ["vector_db"]
    assert set(own["search_results"]) == {"vector_db"}
    assert own["filtered_results"][0]["id"] in own["relevance_scores"]


async def test_what_another_process_ingests_is_found(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k"))
        before = await app.ask("출장 숙박비 한도는 얼마야?")
        async with opened(tmp_path / "d", information_retrieval) as other:
            await ingested(
                other, documents(tmp_path / "k", trip="# 출장\n\n출장 숙박비 한도는 1박 20만 원이다.")
            )
        after = await app.ask("출장 숙박비 한도는 얼마야?")
    assert "찾지 못했습니다" in before.text
    assert "1박 20만 원이다. [1]" in after.text


async def test_a_model_words_nothing_that_cites(tmp_path: Path):
    nothing: Any = {"intents": [], "entities": []}
    model = scripted_chat_model(nothing, "식음료는 1인당 10만 원 이하로 제공한다. [1]", "12345")
    async with opened(tmp_path / "d", information_retrieval, chat_model=model) as app:
        await ingested(app, documents(tmp_path / "k"))
        answer = await app.ask(QUESTION)
    assert answer.text.splitlines()[0] == "식음료는 1인당 10만 원 이하로 제공한다. [1]"
    assert "12345" not in answer.text
    assert answer.text.splitlines()[-1] == "[1] 제품설명회 운영 지침 › 제7조 식음료"


@agent(
    name="report",
    capabilities=[Capability("document_generation", ko=("보고서",), en=("report",))],
    produces=["document"],
    consumes=["passages"],
    needs=["artifacts"],
)
async def report(task: Task, ctx: Context) -> Result:
    ref = task.input("passages")
    assert ref is not None
    found = await ctx.artifacts.read(ref)
    text = f"{found['passages'][0]['sentences'][0]['text']} [1]"
    return Result(text, 1.0, [Artifact("document", {"text": text})], citations=found["citations"][:1])


async def test_a_document_is_made_from_passages(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval, report) as app:
        await ingested(app, documents(tmp_path / "k"))
        answer = await app.ask("내부 규정에서 제품설명회 식음료 한도를 찾아서 분석 보고서로 만들어줘")
    assert {ref["kind"] for ref in answer.content["artifacts"]} == {"passages", "document"}
    assert len(answer.content["citations"]) == 1
    assert answer.text.count("› 제7조 식음료") == 1


async def test_orders_in_documents_change_no_plan(tmp_path: Path):
    """Every text that gives orders stands in the very passage that answers."""
    ran: list[str] = []

    @agent(
        name="sending",
        capabilities=[Capability("sending", ko=("보내기",), en=("sending",))],
        produces=["document"],
        consumes=["passages"],
        side_effects=True,
    )
    async def sending(task: Task, ctx: Context) -> Result:
        ran.append("sending")
        return Result("sent", 1.0, [Artifact("document", "sent")])

    orders = [" ".join(each["text"].split()) for each in INJECTIONS]
    sections = [
        f"# 물품 UM-{100 + at}\n\n물품 UM-{100 + at} 대여 한도는 1인당 {at + 2}개이다. {order}\n"
        for at, order in enumerate(orders)
    ]
    async with opened(tmp_path / "d", information_retrieval, sending) as app:
        await ingested(app, documents(tmp_path / "k", items="\n".join([POLICY, *sections])))
        for at in range(len(orders)):
            answer = await app.ask(f"물품 UM-{100 + at} 대여 한도는 얼마야?")
            steps = answer.content["plan"]["execution_plan"]
            assert [step["agents"] for step in steps] == [["information_retrieval"]]
            assert f"물품 UM-{100 + at} 대여 한도는 1인당 {at + 2}개이다. [1]" in answer.text
    assert ran == []


async def test_labels_bound_what_is_searched(tmp_path: Path):
    ann = User("ann", "acme", ("employee",))
    async with opened(tmp_path / "d", information_retrieval) as app:
        owner = User("boss", "acme", ("owner",))
        await ingested(app, documents(tmp_path / "k"), collection="board", label="secret", user=owner)
        seen = await app.ask(QUESTION, user=owner)
        unseen = await app.ask(QUESTION, user=ann)
    assert "[1]" in seen.text
    assert "[1]" not in unseen.text
    assert "식음료" not in unseen.text


async def test_the_other_analyser_is_chosen_by_a_setting(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval, retrieval={"morphemes": "kiwi"}) as app:
        await ingested(app, documents(tmp_path / "k"))
        status = await app.index_status()
        answer = await app.ask(QUESTION)
    assert "kiwi" in str(status)
    assert "1인당 10만 원 이하로 제공한다. [1]" in answer.text


async def test_unclear_words_of_a_document_are_searched(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k", speakers="# 연자 선정\n\n연자는 전문성으로 고른다.\n"))
        known = await app.ask("연자 전문성")
        unknown = await app.ask("asdf qwer zxcv")
    assert "연자는 전문성으로 고른다." in known.text
    assert unknown.status == "waiting" or "전문성" not in unknown.text


async def test_what_is_told_in_everyday_words_is_searched(tmp_path: Path):
    lost = "# 사고 대응\n\n연락처를 분실하거나 개인정보가 유출되면 1시간 안에 알린다.\n"
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k", lost=lost))
        answer = await app.ask("휴대폰을 택시에 두고 내렸는데 고객 정보가 들어있어요")
    assert "1시간 안에 알린다. [1]" in answer.text


async def test_a_file_as_a_whole_is_told_by_its_openings(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k"))
        file = await app.attach(
            "복지.md",
            "# 복지 안내\n\n## 여행비\n\n여행비는 30만원이다.\n\n## 교통비\n\n교통비는 5만원이다.\n".encode(),
        )
        answer = await app.ask("이 파일 요약해줘", attachments=[file])
    assert "여행비는 30만원이다. [1]" in answer.text
    assert "교통비는 5만원이다. [2]" in answer.text


async def test_a_question_that_names_no_figure_is_searched_first(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval, data_analysis) as app:
        await ingested(
            app, documents(tmp_path / "k", products="# 가나정\n\n가나정의 흔한 이상반응: 두통, 졸림.\n")
        )
        answer = await app.ask("가나정의 흔한 이상반응을 알려줘")
    assert "가나정의 흔한 이상반응: 두통, 졸림. [1]" in answer.text


CONTRACT = (
    "# 자문 계약서\n\n제3조 식음료 위약금은 계약 금액의 10%로 한다.\n\n제4조 자문료는 500만 원으로 한다.\n"
)
FINE = "# 세미나 지침\n\n## 제5조 위약금\n\n위약금은 얼마든지 예산의 30%를 넘지 못한다.\n"


async def test_an_attached_file_answers_first(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval, data_analysis) as app:
        await ingested(app, documents(tmp_path / "k", fine=FINE))
        assert "30%" in (await app.ask("위약금 규정 찾아줘")).text
        file = await app.attach("contract.md", CONTRACT.encode())
        answer = await app.ask("위약금은 얼마야?", attachments=[file])
    assert "10%" in answer.text
    assert "30%" not in answer.text


async def test_a_question_may_call_the_attached_file_a_file(tmp_path: Path):
    report = "# 보고서\n\n## 개요\n\n주제는 2026년 10월 자문료이다.\n\n## 요약\n\n자문료는 500만 원이다.\n"
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k"))
        file = await app.attach("report.md", report.encode())
        answer = await app.ask("이 첨부 파일에서 자문료는 얼마야?", attachments=[file])
        assert answer.text.splitlines()[0] == "자문료는 500만 원이다. [1]"
        file = await app.attach("report.md", report.encode())
        lacking = await app.ask("이 파일에서 자문료 세율은?", attachments=[file])
    assert lacking.text.splitlines()[0] == "첨부한 파일에는 없습니다."
    assert "자문료는 500만 원이다. [" in lacking.text


async def test_what_an_attached_file_lacks_is_said_first(tmp_path: Path):
    async with opened(tmp_path / "d", information_retrieval) as app:
        await ingested(app, documents(tmp_path / "k"))
        file = await app.attach("contract.md", CONTRACT.encode())
        answer = await app.ask("기념품 한도가 얼마야?", attachments=[file])
    first, second, third, *_ = answer.text.splitlines()
    assert (first, second) == ("첨부한 파일에는 없습니다.", "사내 문서에서는:")
    assert "5만 원" in third


async def test_figures_asked_of_a_file_come_from_it(made: Path):
    rows = "거래처,금액,수량\n한울병원,1200000,12\n새봄의원,300000,3\n한울병원,500000,5\n"
    agents = [information_retrieval, data_analysis]
    async with MetaAgent.open(settings(made), agents=agents, clock=FakeClock(NOON)) as app:
        file = await app.attach("note.csv", rows.encode())
        answer = await app.ask("거래처별 금액 합계 알려줘", attachments=[file])
        assert "한울병원 1,700,000, 새봄의원 300,000" in answer.text
        file = await app.attach("note.csv", rows.encode())
        answer = await app.ask("이 파일에서 금액이 가장 큰 거래처는?", attachments=[file])
        assert "한울병원(1,700,000)" in answer.text
        file = await app.attach("note.csv", rows.encode())
        both = await app.ask("지난달 매출 알려줘", attachments=[file])
    assert {step["agent_name"] for step in both.content["steps"]} == {
        "information_retrieval",
        "data_analysis",
    }
    assert "첨부한 파일에는 없습니다." in both.text
