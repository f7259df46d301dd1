"""The compliance agent in turns: documents, datasets, the expense book, and plans to give something."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from metaagent.documents.files import render_files
from metaagent.errors import AccessDenied, DataUnavailable, Failed, InputRefused
from metaagent.level2.compliance.agent import compliance_validation
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Artifact, QueryResult
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions.agent_ports import RulesOfTurn
from metaagent.testing import (
    FakeClock,
    FakeDatabase,
    FakeModel,
    FakeReasoner,
    FakeRules,
    check_agent,
    run_agent,
)
from tests.support.compliance import PACK, RULES, files
from tests.support.data_world import NOON, make_company, rows, settings
from tests.support.gate_world import ASKER, OFFICER, World, storing, writing
from tests.support.office_files import xlsx_file
from tests.support.writing_world import document

GOOD = "2025년 1월 3일 한결의원 의사 3명에게 1인당 3만원의 식사를 제공했다. 규정을 준수하였다."
GOLF = "지난주 한울병원 김 원장에게 골프 접대를 제공했다."
BAD = "2025년 1월 3일 한결의원 의사 3명에게 1인당 15만원의 식사를 제공했다."


def packs() -> FakeRules:
    from metaagent.level2.compliance.packs import read_files

    return FakeRules(read_files(RULES))


class NoExpenses(FakeDatabase):
    """A book that is open, and empty."""

    async def run(self, sql: str, *, max_rows: int = 10_000) -> QueryResult:
        self.ran.append(sql)
        return QueryResult([], [], 0)


async def judged(content: Any, kind: str = "document", **ports: Any) -> Any:
    given: dict[str, Any] = {"rules": packs(), "db": NoExpenses(), "llm": FakeModel(["no"] * 9), **ports}
    return await run_agent(
        compliance_validation, "check it", inputs=[Artifact(kind, content)], language="en", **given
    )


async def test_the_agent_conforms():
    for content in (GOOD, BAD):
        result = await check_agent(
            compliance_validation,
            "규정 확인해줘",
            inputs=[Artifact("document", content)],
            rules=packs(),
            db=NoExpenses(),
            llm=FakeModel(["no"] * 9),
            language="ko",
        )
        assert result.artifacts[0].data["blocks"] is (content == BAD)


async def test_state_and_summary_name_rule_and_article():
    result = await judged(BAD)
    assert result.summary.startswith("It does not pass")
    assert "[Food and drink per person at a product presentation · 약사법 제47조제2항]" in result.summary
    assert result.state["risk_level"] == "high"
    assert result.state["validation_type"] == "document"
    assert [v["rule"] for v in result.state["violations"]] == ["presentation_meal_amount"]
    assert result.state["applied_rules"] == result.artifacts[0].data["checked"]


async def test_a_model_can_warn_and_never_clear():
    warned = (await judged(GOOD, llm=FakeModel(["Yes."]))).artifacts[0].data
    (finding,) = [f for f in warned["findings"] if f["status"] == "violated"]
    assert (finding["rule"], finding["severity"], warned["blocks"]) == ("hidden_inducement", "low", False)
    cleared = (await judged(BAD, llm=FakeModel(["no, everything is fine"]))).artifacts[0].data
    assert cleared["blocks"]


@pytest.mark.parametrize("wrong", [{}, files(PACK.replace("amount <=", "amout <="))])
async def test_a_check_without_sound_rules_fails(wrong: dict[str, str]):
    with pytest.raises(Failed):
        await judged(GOOD, rules=FakeRules(wrong))


async def test_a_picture_is_not_cleared():
    verdict = (await judged(b"\x89PNG\x00\xff", "file")).artifacts[0].data
    assert verdict["blocks"]
    assert [f["rule"] for f in verdict["findings"] if f["status"] == "unknown"] == ["target_readable"]


async def test_nothing_to_judge_is_said():
    with pytest.raises(Failed, match="nothing to judge"):
        await run_agent(compliance_validation, "check", rules=packs(), db=NoExpenses())


async def test_a_plan_to_give_something_is_judged():
    result = await run_agent(
        compliance_validation,
        "한결의원 김서진 원장에게 5만원짜리 선물을 줘도 되나요?",
        rules=packs(),
        db=NoExpenses(),
        llm=FakeModel(["no"]),
        language="ko",
    )
    assert result.state["validation_type"] == "action"
    assert [v["rule"] for v in result.state["violations"]] == ["promotional_item_amount"]


async def asked(question: str, **ports: Any) -> Any:
    given: dict[str, Any] = {"rules": packs(), "db": NoExpenses(), "llm": FakeModel(["no"] * 9), **ports}
    return await run_agent(compliance_validation, question, language="en", **given)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        (
            '이 문구 써도 되는지 규정 확인해줘: "저희 카르비온정을 한 달에 100건 이상 처방해 주시면 상품권 20만원을 드리겠습니다"',
            "benefit_for_prescriptions",
        ),
        (
            'Is this allowed? "We will invite Professor Kim and his wife to a golf weekend, all costs covered." Check it please.',
            "entertainment_benefit",
        ),
        ("다음 문구를 검토해줘: ‘부작용이 전혀 없는 완벽한 약입니다’", "exaggerated_claim"),
        (
            'Dr. Kim said "that would be a really nice thing". May we give him gift cards of 300,000 won?',
            "cash_benefit",
        ),
    ],
)
async def test_a_quoted_text_is_judged_as_a_document(question: str, rule: str):
    assert rule in [one["rule"] for one in (await asked(question)).state["violations"]]


@pytest.mark.parametrize(
    "question",
    [
        '이 문자 보내도 되는지 봐줘: "원장님, 다음 주 화요일에 새 임상 자료를 가지고 찾아뵙겠습니다. 감사합니다."',
        'Please check "Dear Dr. Park, thank you for your time. The study is attached." before I send it.',
    ],
)
async def test_a_harmless_quoted_text_is_cleared(question: str):
    result = await asked(question)
    assert result.state["validation_type"] == "document"
    assert not result.artifacts[0].data["blocks"]


async def test_a_deed_beside_a_quotation_is_not_cleared():
    result = await asked('Professor Kim says "I really love golf in Jeju". May we take him there?')
    assert result.artifacts[0].data["blocks"]


@pytest.mark.parametrize("inputs", [[], [Artifact("document", GOOD)]])
async def test_question_without_a_deed_is_never_cleared(inputs: list[Artifact]):
    with pytest.raises(Failed, match="nothing is cleared"):
        await run_agent(
            compliance_validation,
            "Is 50,000 won okay to use?",
            inputs=inputs,
            rules=packs(),
            db=NoExpenses(),
            llm=FakeModel(["no"] * 9),
            language="en",
        )


async def test_a_turn_keeps_the_rules_it_began_with():
    texts = {"small/1.yaml": "first"}
    port = RulesOfTurn(lambda: dict(texts))
    before = await port.files()
    texts["small/1.yaml"] = "second"
    assert await port.files() == before == {"small/1.yaml": "first"}
    assert await RulesOfTurn(lambda: dict(texts)).files() == texts


# --- the demonstration company ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_company(tmp_path_factory.mktemp("company")).parent


@asynccontextmanager
async def company(folder: Path) -> AsyncGenerator[MetaAgent]:
    agents = [data_analysis, compliance_validation]
    async with MetaAgent.open(settings(folder), agents=agents, clock=FakeClock(NOON)) as app:
        yield app


async def test_a_question_has_the_book_judged(made: Path):
    async with company(made) as app:
        answer = await app.ask("지난달 비용이 규정에 맞는지 확인해줘")
        ref = next(ref for ref in answer.content["artifacts"] if ref["kind"] == "verdict")
        verdict = await app.artifact(answer.session_id, ref["id"])
    ids = {row for f in verdict["findings"] for e in f["evidence"] for row in e.get("rows", [])}
    asked = "SELECT expense_id FROM expenses WHERE expense_date BETWEEN '2026-10-01' AND '2026-10-31'"
    month = {str(row[0]) for row in rows(made / "pharma.db", asked)}
    assert month
    assert ids <= {str(row[0]) for row in rows(made / "pharma.db", "SELECT expense_id FROM expenses")}
    assert "presentation_meal_amount" in verdict["checked"]
    assert verdict["blocks"] == any(f["status"] in ("violated", "unknown") for f in verdict["findings"])


async def test_the_whole_book_shows_what_was_planted(made: Path):
    from metaagent.demo.rows import PROFILES
    from metaagent.demo.rows import company as rows_of

    planted = rows_of(PROFILES[0].scaled(0.1), seed=7, now=date(2026, 11, 16)).planted
    async with company(made) as app:
        verdict = await app.judge_expenses(date(2024, 1, 1), date(2026, 12, 31))
        entries = await app.governance.audit_list()
    got = {
        (f["rule"], tuple(sorted(int(row) for row in f["evidence"][0].get("rows", []))))
        for f in verdict["findings"]
        if f["status"] in ("violated", "unknown")
    }
    assert got == {(rule, one.expense_ids) for one in planted for rule in one.rules}
    loaded = {entry["data"]["pack"] for entry in entries if entry["event"] == "rules.loaded"}
    assert "rebate_law 2024.9" in loaded
    (entry,) = [entry for entry in entries if entry["event"] == "comply.judged"]
    assert entry["data"]["verdict"] == verdict["hash"]
    assert entry["data"]["blocks"] is True


async def test_a_document_is_counted_with_the_book(made: Path):
    """The planted doctor had five meals in a month: a sixth, that a text tells of, is one too many."""
    sql = """SELECT doctor_name, h.name, min(expense_date) FROM expenses e JOIN hospitals h USING (hospital_id)
             WHERE category = 'meal' AND seminar_id IS NULL AND e.company_id = 'hanbit'
             GROUP BY 1, 2, substr(expense_date, 1, 7) HAVING count(DISTINCT visit_id) = 5"""
    doctor, hospital, day = rows(made / "pharma.db", sql)[0]
    text = f"{day} {hospital} {doctor} 원장과 1인당 1만원의 점심 식사를 했다."
    async with company(made) as app:
        verdict = await app.judge_file("visit.txt", text.encode())
    (finding,) = [f for f in verdict["findings"] if f["rule"] == "presentation_meals_month"]
    assert finding["status"] == "violated"
    assert len(finding["evidence"][0].get("rows", [])) == 6


async def test_only_named_packs_judge(made: Path):
    async with company(made) as app:
        verdict = await app.judge_file("a.txt", "규정을 준수하지 않음".encode(), packs=["fair_trade"])
        assert not verdict["blocks"]
        with pytest.raises(InputRefused, match="no rule pack"):
            await app.judge_file("a.txt", b"x", packs=["nothing"])


async def test_without_a_book_a_file_is_counted_alone(tmp_path: Path):
    async with company(tmp_path) as app:
        with pytest.raises(DataUnavailable):
            await app.judge_expenses(date(2026, 1, 1), date(2026, 12, 31))
        text = "2025년 1월 3일 한결의원 김서진 원장과 1인당 1만원의 점심 식사를 했다."
        verdict = await app.judge_file("a.txt", text.encode())
    assert not verdict["blocks"]
    assert any("비용 장부" in line or "expense book" in line for line in verdict["recommendations"])


async def test_a_person_without_the_book_is_not_cleared(made: Path):
    text = "2025년 1월 3일 한결의원 김서진 원장과 1인당 1만원의 점심 식사를 했다."
    async with company(made) as app:
        verdict = await app.judge_file("a.txt", text.encode(), user=User("bob", "local", ("employee",)))
    unknown = {f["rule"] for f in verdict["findings"] if f["status"] == "unknown"}
    assert unknown == {"presentation_meal_day", "presentation_meals_month"}


async def test_judging_needs_the_right_to_ask(made: Path):
    async with company(made) as app:
        with pytest.raises(AccessDenied):
            await app.judge_file("a.txt", b"x", user=User("bob", "local", ("reviewer",)))


async def test_a_granted_waiver_opens_what_its_rule_closed(made: Path):
    officer = User("olga", "local", ("compliance_officer",))
    text = "규정을 준수하지 않음".encode()
    async with company(made) as app:
        assert (await app.judge_file("a.txt", text))["blocks"]
        office = app.governance
        waiver = await office.waive("not_complied", scope="*", until="2026-11-30", reason="old", user=officer)
        waived = await app.judge_file("a.txt", text)
        assert [f["rule"] for f in waived["findings"] if f["status"] == "waived"] == ["not_complied"]
        assert not waived["blocks"]
        await office.waiver_end(waiver.id, reason="over", user=officer)
        assert (await app.judge_file("a.txt", text))["blocks"]


@pytest.mark.parametrize(
    ("content", "rules"),
    [
        ("방문하여 자료를 설명했다.", []),
        ("백화점 상품권을 전달했다.", ["rebate_law/cash_benefit", "rebate_law/cash_wording"]),
        (
            "원장님 아드님 과외를 맡기로 했다.",
            ["rebate_law/labour_provided", "internal_compliance/benefits_understood"],
        ),
    ],
)
async def test_the_verdict_of_the_agent_works_the_gate(tmp_path: Path, content: str, rules: list[str]):
    world = World()
    agents = [writing(text=content), compliance_validation, storing(world)]
    asked = FakeReasoner({"required_capabilities": ["write", "compliance_validation", "store"]})
    given = settings(tmp_path, approval={"mode": "never"})
    async with MetaAgent.open(given, agents=agents, reasoner=asked, clock=FakeClock(NOON)) as app:
        answer = await app.ask("write a report, check it against the rules and store it", user=ASKER)
        assert world.stored == int(not rules)
        assert [held["rules"] for held in answer.content["blocked"]] == ([rules] if rules else [])
        if rules:
            await app.override(answer.session_id, reason="a sample", user=OFFICER)
            assert world.stored == 1


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("보고서를 쓰고 확인한 뒤 저장해줘. 원장님께 백화점 상품권을 드렸습니다.", 1),
        ("보고서 써서 규정 확인하고 저장해줘: 한빛병원 방문, 처방 대가로 원장에게 현금 100만 원 지급", 1),
        ("김민수 원장님께 상품권 30만원을 드린 방문 보고서를 쓰고 확인해서 저장해줘", 1),
        ("현금이나 상품권 지급이 없는지 확인하고 방문 보고서를 저장해줘", 0),
    ],
)
async def test_a_deed_told_in_the_question_is_judged_too(tmp_path: Path, question: str, held: int):
    """The report says nothing of it."""
    world = World()
    agents = [writing(text="방문하여 자료를 설명했다."), compliance_validation, storing(world)]
    asked = FakeReasoner({"required_capabilities": ["write", "compliance_validation", "store"]})
    given = settings(tmp_path, approval={"mode": "never"})
    async with MetaAgent.open(given, agents=agents, reasoner=asked, clock=FakeClock(NOON)) as app:
        answer = await app.ask(question, user=ASKER)
        assert (world.stored, len(answer.content["blocked"])) == (1 - held, held)


async def test_office_files_are_judged_by_their_text(made: Path):
    model = document("d1", "방문 보고서", GOLF)
    files = await render_files(model, ["pdf", "docx"])
    async with company(made) as app:
        for form, content in files.items():
            verdict = await app.judge_file(f"report.{form}", content)
            assert "entertainment" in {f["rule"] for f in verdict["findings"] if f["status"] == "violated"}
        broken = await app.judge_file("report.docx", files["docx"][:200])
    assert broken["blocks"], "what cannot be read is never in order"


async def test_a_sheet_of_expenses_is_judged_by_its_rows(made: Path):
    rows = [["날짜", "항목", "금액", "인원"], ["2025-01-03", "식사", 900_000, 3]]
    async with company(made) as app:
        verdict = await app.judge_file("book.xlsx", xlsx_file({"비용": rows}))
    assert verdict["target"]["kind"] == "data"
    assert verdict["blocks"]


async def test_an_attached_contract_is_judged(made: Path):
    content = (await render_files(document("d1", "계약서", GOLF), ["docx"]))["docx"]
    async with company(made) as app:
        file = await app.attach("contract.docx", content)
        answer = await app.ask("이 계약서 점검해줘", attachments=[file])
    assert answer.status == "completed", answer.content
    assert "골프" in answer.text


class OneOfEach(FakeDatabase):
    """A book with a meal in Seoul and one in Busan, each above the limit."""

    async def run(self, sql: str, *, max_rows: int = 10_000) -> QueryResult:
        meal = ["2026-10-12", "meal", 300_000, 0, 1, 1, 0, "visit"]
        columns = [
            "id",
            "region",
            "institution",
            "date",
            "category",
            "amount",
            "vat",
            "heads",
            "rep",
            "public",
        ]
        places = [(1, "서울", "한결의원"), (2, "부산", "다온의원")]
        rows = [[*place, *meal] for place in places]
        return QueryResult([*columns, "occasion"], rows, len(rows))


@pytest.mark.parametrize(
    ("narrowing", "judged", "said"),
    [
        ({"dimension": "region", "op": "in", "values": ["부산"]}, "2", "1 expenses of"),
        ({"dimension": "region", "op": "not_in", "values": ["부산"]}, "1", "without 부산"),
        ({"dimension": "team", "op": "in", "values": ["A"]}, "1", "cannot be narrowed by team"),
    ],
)
async def test_the_book_is_narrowed_as_the_question_asks(narrowing: Any, judged: str, said: str):
    request = {"period": {"start": "2026-10-01", "end": "2026-10-31"}, "filters": [narrowing]}
    result = await run_agent(
        compliance_validation,
        "check the expenses",
        request={"semantic_request": request},
        rules=packs(),
        db=OneOfEach(),
        llm=FakeModel(["no"] * 9),
        language="en",
    )
    found = [e for f in result.artifacts[0].data["findings"] for e in f["evidence"]]
    assert {row for each in found for row in each.get("rows", [])} >= {judged}
    assert said in result.summary
    if "team" not in said:
        assert {row for each in found for row in each.get("rows", [])} == {judged}
