"""From a question to the right figures of one tenant, with the SQL that proves them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from metaagent.data.tenant_data import DataSource, TenantData, data_version
from metaagent.errors import AccessDenied, MetaAgentError, SqlRefused, TryAgain
from metaagent.evaluation import gold_sql as gold
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.data_analysis.data_request import Asked
from metaagent.ports import User
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import check_agent
from tests.support.data_world import NOON, OTHER, TODAY, company, dataset, reading, rows, settings
from tests.support.paths import ROOT, SUPPORT

SEOUL = """
SELECT sum(s.sales_amount) FROM sales s JOIN hospitals h ON h.hospital_id = s.hospital_id
WHERE s.company_id = :tenant AND h.region_name = '서울' AND s.sale_date BETWEEN :start AND :end
"""
OCTOBER = {"start": "2026-10-01", "end": "2026-10-31"}
SEPTEMBER = {"start": "2026-09-01", "end": "2026-09-30"}


def source(folder: Path, **more: Any) -> DataSource:
    found = OpenDomain(settings(folder, **more)).data()
    assert found is not None
    return found


def port(folder: Path, user: User | None = None, **more: Any) -> TenantData:
    opened = source(folder, **more).open(user or User(), "en")
    assert opened is not None
    return opened


async def test_figure_matches_hand_written_sql_with_change_and_chart(world: Path):
    async with company(world) as app:
        answer = await app.ask("지난달 서울 매출을 분석해줘")
        state: Any = await app.state(answer.session_id)
        found = await dataset(app, answer)
        charts = [ref for ref in answer.content["artifacts"] if ref["kind"] == "chart"]
        picture = await app.artifact(answer.session_id, charts[0]["id"])
    [[now]] = rows(world / "pharma.db", SEOUL, **OCTOBER)
    [[before]] = rows(world / "pharma.db", SEOUL, **SEPTEMBER)
    assert found["rows"][0][:3] == [now, before, now - before]
    assert answer.text.splitlines()[0].startswith(f"2026년 10월 서울 매출액은 {now:,}원")
    assert "2026년 9월" in answer.text
    assert set(picture) == {"title", "type", "spec", "notes"}
    assert picture["spec"]["data"]["values"]
    own: Any = state["agent_states"]["data_analysis"]
    assert found["sql"] == own["generated_queries"][0]
    # The figure, one split for each dimension that can split it, and the course over a year.
    assert (
        state["db_queries_executed"] == len(own["generated_queries"]) >= 2 + own["statistics"]["drivers"]["n"]
    )
    assert len(own["query_execution_plans"]) == len(own["generated_queries"])
    assert all(own["query_execution_plans"])
    assert own["visualizations"][0]["image_url"] == f"artifact:{charts[0]['id']}"
    assert own["statistics"]["comparison"]["change"] == now - before
    assert sum(s["change"] for s in own["statistics"]["contribution"]["segments"]) == now - before
    assert answer.content["sources"][0]["tables"] == ["hospitals", "sales"]
    assert 0.5 < answer.content["confidence"] <= 1


@pytest.mark.parametrize(
    ("question", "caution"),
    [
        ("이번 달 목표 달성률", "2026년 11월은 아직 끝나지 않았습니다(30일 중 15일 경과)"),
        ("이번 달 팀별 목표 달성률", "2026년 11월 15일까지의 실적"),
        ("이번 달 매출을 목표와 비교해줘", "30일 중 15일 경과"),
        ("target achievement this month", "November 2026 is not over (15 of 30 days have passed)"),
        ("지난달 목표 달성률", ""),
    ],
)
async def test_achievement_of_an_unfinished_period_says_so(world: Path, question: str, caution: str):
    async with company(world) as app:
        said = (await app.ask(question)).text
    assert "%" in said
    if caution:
        assert caution in said
    else:
        assert "끝나지 않았" not in said


async def test_each_tenant_sees_only_its_own_figures(world: Path):
    async with company(world) as app:
        found = {
            user.company_id: (await dataset(app, await app.ask("지난달 서울 매출 얼마야?", user=user), user))[
                "rows"
            ]
            for user in (User(), OTHER)
        }
    for name, tenant in (("local", "hanbit"), ("saebyeok", "saebyeok")):
        assert found[name] == [
            list(row) for row in rows(world / "pharma.db", SEOUL, **OCTOBER, tenant=tenant)
        ]
    assert found["local"] != found["saebyeok"]


async def test_a_company_without_rows_gets_nothing(world: Path):
    async with company(world) as app:
        answer = await app.ask("How much did we sell last month?", user=User(company_id="nobody"))
    assert "₩" not in answer.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("지난달 병원 수는?", "기간을 적용하지 않았습니다"),
        ("number of hospitals last month", "was not applied"),
    ],
)
async def test_figure_without_a_date_claims_no_period(world: Path, question: str, said: str):
    async with company(world) as app:
        answer = await app.ask(question)
    warned, figure = answer.text.split("220")[0], answer.text
    assert said in warned
    assert "10월" not in figure
    assert "October" not in figure
    assert answer.content["confidence"] < 0.5


async def test_english_questions_get_english_answers(world: Path):
    async with company(world) as app:
        answer = await app.ask("Compare last month's sales in Seoul with the month before")
    [[now]] = rows(world / "pharma.db", SEOUL, **OCTOBER)
    [[before]] = rows(world / "pharma.db", SEOUL, **SEPTEMBER)
    assert f"₩{now:,}" in answer.text
    assert ("Up ₩" if now > before else "Down ₩") in answer.text
    assert "September 2026" in answer.text


async def test_a_ranking_lists_the_right_names_in_order(world: Path):
    async with company(world) as app:
        answer = await app.ask("지난 분기 매출 상위 5개 병원")
        found = await dataset(app, answer)
    expected = rows(
        world / "pharma.db",
        """SELECT h.name, sum(s.sales_amount) FROM sales s JOIN hospitals h ON h.hospital_id = s.hospital_id
        WHERE s.company_id = :tenant AND s.sale_date BETWEEN '2026-07-01' AND '2026-09-30'
        GROUP BY h.hospital_id ORDER BY 2 DESC LIMIT 5""",
    )
    assert [tuple(row[:2]) for row in found["rows"]] == expected
    assert list(found["keys"]) == ["hospital"]
    assert len(found["keys"]["hospital"]) == len(found["rows"])
    assert expected[0][0] in answer.text
    assert any(ref["kind"] == "chart" for ref in answer.content["artifacts"])


async def test_uncovered_period_is_stated_with_the_nearest_covered(world: Path):
    async with company(world) as app:
        answer = await app.ask("2019년 매출 알려줘")
        state: Any = await app.state(answer.session_id)
    assert "2024-11-01" in answer.text
    assert "가장 가까운" in answer.text
    assert state["db_queries_executed"] == 0


async def test_unserved_part_is_stated_beside_the_results(world: Path):
    async with company(world) as app:
        answer = await app.ask("지난달 서울 매출을 분석해서 방문 보고서를 작성해줘")
    [[now]] = rows(world / "pharma.db", SEOUL, **OCTOBER)
    assert f"{now:,}" in answer.text
    assert "문서 작성" in answer.text


async def test_ambiguous_figure_is_asked_back_and_the_answer_used(world: Path):
    async with company(world) as app:
        waiting = await app.ask("지난달 실적 보여줘")
        assert waiting.status == "waiting"
        answer = await app.resume(waiting.session_id, "1")
        found = await dataset(app, answer)
    assert answer.status == "completed"
    assert found["columns"][0]["name"] == "sales_amount"


async def test_a_follow_up_takes_over_what_it_does_not_say(world: Path):
    async with company(world) as app:
        first = await app.ask("지난달 서울 매출 얼마야?")
        answer = await app.ask("부산은?", session_id=first.session_id)
        found = await dataset(app, answer)
    [[busan]] = rows(world / "pharma.db", SEOUL.replace("서울", "부산"), **OCTOBER)
    assert found["rows"] == [[busan]]


async def test_repeated_question_is_cached_until_the_data_changes(world: Path):
    db = port(world)
    request = {"metrics": ["sales_amount"], "period": OCTOBER}
    first, again = await db.ask(request), await db.ask(request)
    assert (first.cache_hit, again.cache_hit, db.queries) == (False, True, 1)
    assert again.rows == first.rows
    assert again.cache_key == first.cache_key
    version = data_version(f"sqlite:///{world / 'pharma.db'}")
    connection = sqlite3.connect(world / "pharma.db")
    connection.execute("UPDATE sales SET sales_amount = sales_amount + 1000 WHERE sale_date = '2026-10-15'")
    connection.commit()
    connection.close()
    os.utime(world / "pharma.db")
    assert data_version(f"sqlite:///{world / 'pharma.db'}") != version
    changed = await db.ask(request)
    assert changed.cache_hit is False
    assert changed.rows != first.rows


async def test_roles_and_tenants_never_share_a_cached_result(world: Path):
    shared = source(world)
    request = {"metrics": ["sales_amount"], "period": OCTOBER}
    users = [User(), OTHER, User(roles=("manager",))]
    opened = [shared.open(user, "en") for user in users]
    results = [await db.ask(request) for db in opened if db]
    assert [result.cache_hit for result in results] == [False, False, False]
    assert len({result.cache_key for result in results}) == 3


async def test_the_cache_is_bounded(world: Path):
    db = port(world, data={"cached": 2})
    for month in ("01", "02", "03"):
        await db.ask(
            {"metrics": ["quantity"], "period": {"start": f"2026-{month}-01", "end": f"2026-{month}-20"}}
        )
    again = await db.ask({"metrics": ["quantity"], "period": {"start": "2026-01-01", "end": "2026-01-20"}})
    assert again.cache_hit is False


async def test_missing_database_fails_the_step_after_a_retry(world: Path):
    async with company(world, data={"url": f"sqlite:///{world / 'gone.db'}"}) as app:
        answer = await app.ask("지난달 매출 얼마야?")
        state: Any = await app.state(answer.session_id)
    [task] = state["execution_manager_state"]["failed_tasks"]
    assert task["attempts"] == 3
    assert "gone.db" in answer.text
    assert "데이터베이스" in answer.text


async def test_without_any_database_the_answer_says_how_to_get_one(tmp_path: Path):
    async with company(tmp_path) as app:
        answer = await app.ask("지난달 매출 얼마야?")
    assert "metaagent demo" in answer.text


async def test_a_result_that_was_cut_says_so(world: Path):
    async with company(world, data={"rows": 3}) as app:
        answer = await app.ask("지난달 지역별 매출 보여줘")
        found = await dataset(app, answer)
    assert len(found["rows"]) == 3
    assert found["truncated"] is True
    assert "3행" in answer.text


async def test_a_slow_query_is_stopped_and_explained(world: Path):
    with pytest.raises((SqlRefused, TryAgain)) as stopped:
        await port(world, data={"seconds": 0.0001}).ask(
            {"metrics": ["sales_amount"], "dimensions": ["day", "hospital", "product"]}
        )
    assert str(stopped.value)


def attacks() -> list[str]:
    """Some of the writes; the guard's own tests try them all."""
    return yaml.safe_load((SUPPORT / "guard_attacks.yaml").read_text(encoding="utf-8"))["writes"][::4]


@pytest.mark.parametrize("sql", [
    "DELETE FROM sales",
    "SELECT * FROM sales; DROP TABLE sales",
    "SELECT note FROM expenses",
    "SELECT company_id FROM sales",
    "SELECT sum(sales_amount) FROM main.sales",
    "SELECT name FROM sqlite_master",
    "WITH sales AS (SELECT 1) SELECT * FROM sales",
    *attacks(),
])  # fmt: skip
async def test_hostile_sql_is_refused_and_changes_nothing(made: Path, sql: str):
    before = (made / "pharma.db").read_bytes()
    with pytest.raises(MetaAgentError):
        await port(made).run(sql)
    assert (made / "pharma.db").read_bytes() == before


async def test_written_sql_sees_the_tenants_rows_and_no_others(made: Path):
    sql = "SELECT count(*) FROM sales"
    own, other = await port(made).run(sql), await port(made, OTHER).run(sql)
    count = "SELECT count(*) FROM sales WHERE company_id = :tenant"
    assert own.rows == [list(row) for row in rows(made / "pharma.db", count)]
    assert other.rows == [list(row) for row in rows(made / "pharma.db", count, tenant="saebyeok")]
    assert own.sql != sql


async def test_a_rep_sees_only_their_own_rows_by_either_way(made: Path):
    rep = User("kim", roles=("rep",))
    known = {"data": {"people": {"kim": {"rep_id": 3}}}}
    total = rows(
        made / "pharma.db", "SELECT sum(sales_amount) FROM sales WHERE company_id = :tenant AND rep_id = 3"
    )
    asked = await port(made, rep, **known).ask({"metrics": ["sales_amount"]})
    written = await port(made, rep, **known).run("SELECT sum(sales_amount) FROM sales")
    assert [tuple(row) for row in asked.rows] == [tuple(row) for row in written.rows] == total
    with pytest.raises(AccessDenied):
        await port(made, rep).ask({"metrics": ["sales_amount"]})
    with pytest.raises(SqlRefused):
        await port(made, rep).run("SELECT sum(sales_amount) FROM sales")


async def test_the_agent_conforms(made: Path):
    opened = OpenDomain(settings(made))
    request = await reading(opened, "최근 6개월 월별 매출 추이", "ko")
    result = await check_agent(
        data_analysis, "최근 6개월 월별 매출 추이", request=request, language="ko", db=port(made)
    )
    assert result.state["generated_queries"]


def test_running_period_is_compared_up_to_today():
    asked = Asked.of(
        {
            "semantic_request": {"metrics": ["x"], "period": {"start": "2026-11-01", "end": "2026-11-30"}},
            "resolved": {"period": {"grain": "month"}},
            "user_context": {"today": TODAY.isoformat()},
        },
        "en",
    )
    assert asked.with_comparison()["period"] == {"start": "2026-11-01", "end": "2026-11-15", "grain": "month"}


@pytest.mark.parametrize("tenant", ["hanbit", "saebyeok"])
async def test_split_questions_lead_to_the_expected_rows(made: Path, tenant: str):
    opened = OpenDomain(settings(made))
    user = User(company_id=tenant)
    asked = [q for q in gold.questions(ROOT / "evals" / "analysis.yaml", NOON.date()) if q.split == "test"]
    connection = sqlite3.connect(made / "pharma.db")
    wrong = await gold.score_questions(
        asked,
        lambda one: gold.gold(connection, one, tenant),
        lambda one: reading(opened, one.question, one.language, user),
        lambda read: _rows(made, user, read),
    )
    connection.close()
    assert len(wrong) <= 0.05 * len(asked), [(one.id, why) for one, why in wrong]


async def _rows(folder: Path, user: User, read: dict[str, Any]) -> gold.Rows:
    found = await port(folder, user).ask(read["semantic_request"])
    width = sum(not column["hidden"] for column in found.columns)
    return [tuple(row[:width]) for row in found.rows]
