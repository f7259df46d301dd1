"""The storage agent: maps, transforms, asks what is doubtful, shows what is replaced, and stores once."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from metaagent.documents.model import Document, Paragraph, Span
from metaagent.errors import Failed, NeedsInput, StoreRefused
from metaagent.level2.storage import transform
from metaagent.level2.storage.agent import storage_decision
from metaagent.level2.storage.mapping import Given, map_table, rank_tables
from metaagent.level2.storage.material import of_artifact, of_file
from metaagent.plugin import Artifact, Result
from metaagent.ports import ArtifactRef, Group
from metaagent.testing import FakeEffects, FakeRecords, check_agent, run_agent
from tests.support.record_world import RecordWorld


@pytest.fixture
def world(tmp_path: Path) -> RecordWorld:
    return RecordWorld(tmp_path)


def table(columns: list[str], *rows: list[Any], title: str = "방문 visits") -> Artifact:
    return Artifact("dataset", {"title": title, "columns": columns, "rows": list(rows)}, title)


async def stored(world: RecordWorld, given: Artifact, *answers: str, **options: Any) -> Result:
    options = {"language": "en", **options}
    return await run_agent(
        storage_decision, "store it", inputs=[given], records=world.port(), answers=answers, **options
    )


async def test_agent_conforms(world: RecordWorld):
    document = Artifact("document", {"title": "Report", "content": "Text. " * 100, "format": "md"}, "Report")
    result = await check_agent(storage_decision, "store it", inputs=[document], records=world.port())
    assert result.state["storage_decision"] == "hybrid"
    await check_agent(storage_decision, "store it", inputs=[document], records=FakeRecords())


async def test_rows_are_mapped_transformed_and_stored(world: RecordWorld):
    given = table(
        ["Day", "매장", "지출(천원)", "note"],
        ["2026년 3월 5일", "North", "3", "a"],
        ["2026.3.6", "South", 4.5, None],
    )
    result = await stored(world, given)
    assert world.visits()[2:] == [
        (3, "a", "2026-03-05", 1, 3000, "a"),
        (4, "a", "2026-03-06", 2, 4500, None),
    ]
    mapping = result.state["schema_mapping"]
    assert mapping["target_table"] == "visits"
    assert mapping["field_mappings"] == {
        "day": "Day",
        "shop_id": "매장",
        "cost": "지출(천원)",
        "note": "note",
    }
    assert result.state["storage_status"] == "completed"
    assert "visits" in result.summary


async def test_several_things_are_one_receipt_and_it_is_said(world: RecordWorld):
    reports = [Artifact("document", {"title": t, "content": t, "format": "md"}, t) for t in ("One", "Two")]
    both = await run_agent(
        storage_decision, "store them", inputs=reports, records=world.port(), language="en"
    )
    assert "undoing it takes everything back together" in both.summary
    assert (len(world.receipts()), len(world.files())) == (1, 2)
    await world.undo(both.state["storage_metadata"]["receipt"])
    assert world.files() == set()
    one = await stored(world, reports[0])
    assert "together" not in one.summary


async def test_same_again_stores_nothing_and_says_so(world: RecordWorld):
    given = table(["day", "shop_id", "cost"], ["2026-03-05", 1, 3])
    await stored(world, given)
    again = await stored(world, given, language="ko")
    assert "새로 저장하지 않았습니다" in again.summary
    assert len(world.visits()) == 3


async def test_unmatched_column_is_asked_about_never_dropped(world: RecordWorld):
    given = table(["day", "shop_id", "cost", "mood"], ["2026-03-05", 1, 3, "happy"])
    with pytest.raises(NeedsInput, match="mood") as asked:
        await stored(world, given)
    assert asked.value.options == ["note", "do not store this column"]
    assert len(world.visits()) == 2
    result = await stored(world, given, "do not store this column")
    assert "Not stored, as you said: mood" in result.summary
    assert world.visits()[2][5] is None


async def test_answer_says_where_an_unmatched_column_goes(world: RecordWorld):
    await stored(world, table(["day", "shop_id", "cost", "mood"], ["2026-03-05", 1, 3, "happy"]), "note")
    assert world.visits()[2][5] == "happy"


async def test_required_column_that_is_missing_is_asked_for(world: RecordWorld):
    given = table(["shop_id", "cost", "note"], [1, 3, "x"])
    with pytest.raises(NeedsInput, match="needs a value for day"):
        await stored(world, given)
    with pytest.raises(NeedsInput, match="needs a value for day"):
        await stored(world, given, "sometime")
    await stored(world, given, "2026.4.1")
    assert world.visits()[2][2] == "2026-04-01"


async def test_ambiguous_dates_are_asked_about(world: RecordWorld):
    given = table(["day", "shop_id", "cost"], ["03/04/2026", 1, 3])
    with pytest.raises(NeedsInput) as asked:
        await stored(world, given)
    assert asked.value.options == ["day/month/year", "month/day/year"]
    await stored(world, given, "month/day/year")
    assert world.visits()[2][2] == "2026-03-04"


async def test_one_telling_date_settles_the_others(world: RecordWorld):
    await stored(world, table(["day", "shop_id", "cost"], ["03/04/2026", 1, 3], ["25/12/2026", 1, 4]))
    assert [row[2] for row in world.visits()[2:]] == ["2026-04-03", "2026-12-25"]


async def test_unknown_name_is_asked_about(world: RecordWorld):
    given = table(["day", "shop", "cost"], ["2026-03-05", "North", 3], ["2026-03-06", "Nowhere", 4])
    with pytest.raises(NeedsInput, match=r"Nowhere \(0\)"):
        await stored(world, given)
    await stored(world, given, "leave these rows out")
    assert len(world.visits()) == 3
    with pytest.raises(Failed, match="as you said"):
        await stored(world, given, "store nothing")


async def test_replaced_rows_are_shown_before_they_are_stored(world: RecordWorld):
    given = table(["visit_id", "day", "shop_id", "cost", "note"], [1, "2026-01-05", 1, 777, "first"])
    with pytest.raises(NeedsInput) as asked:
        await stored(world, given)
    assert "cost=777" in asked.value.question
    assert "- visit_id=1, day=2026-01-05, shop_id=1, cost=100" in asked.value.question
    await stored(world, given, asked.value.options[0])
    assert world.visits()[0][4] == 777


async def test_rows_that_changed_after_they_were_shown_are_shown_again(world: RecordWorld):
    given = table(["visit_id", "day", "shop_id", "cost", "note"], [1, "2026-01-05", 1, 777, "first"])
    with pytest.raises(NeedsInput) as asked:
        await stored(world, given)
    await world.port().store(
        "other", {"rows": {"table": "visits", "columns": ["visit_id", "cost"], "rows": [[1, 5]]}}
    )
    with pytest.raises(NeedsInput) as again:
        await stored(world, given, asked.value.options[0])
    assert "cost=5" in again.value.question
    with pytest.raises(NeedsInput):
        await stored(world, given, "1")
    assert world.visits()[0][4] == 5


async def test_computed_figures_never_become_rows_by_themselves(world: RecordWorld):
    columns = [
        {"name": "shop", "label": "shop", "kind": "dimension", "source": "shop"},
        {"name": "cost", "label": "cost", "kind": "metric", "source": "cost"},
    ]
    dataset = Artifact("dataset", {"title": "visits", "columns": columns, "rows": [["North", 100]]}, "visits")
    result = await stored(world, dataset)
    assert result.state["storage_decision"] == "unstructured_db"
    assert len(world.visits()) == 2


async def test_personal_data_is_not_indexed(world: RecordWorld):
    text = "연락처는 010-1234-5678 입니다. " * 30
    result = await stored(world, Artifact("document", {"title": "메모", "content": text}, "메모"))
    assert result.state["storage_decision"] == "unstructured_db"
    assert result.artifacts[0].data["label"] == "personal"
    assert await world.vectors.search("연락처") == []


async def test_refused_store_withdraws_the_effect(world: RecordWorld):
    effects = FakeEffects()
    with pytest.raises(StoreRefused, match="its own rule"):
        await stored(world, table(["day", "shop_id", "cost"], ["2026-03-05", 1, -3]), effects=effects)
    assert (len(world.visits()), effects.known) == (2, {})
    await stored(world, table(["day", "shop_id", "cost"], ["2026-03-05", 1, 3]), effects=effects)
    assert [each.status for each in effects.known.values()] == ["done"]


async def test_nothing_to_store_fails(world: RecordWorld):
    with pytest.raises(Failed, match="nothing to store"):
        await run_agent(storage_decision, "store", records=world.port())


async def test_bad_domain_rules_are_named():
    records = FakeRecords(rules={"most_rowz": 3})
    with pytest.raises(Failed, match="most_rowz"):
        await run_agent(storage_decision, "store", inputs=[Artifact("file", b"x")], records=records)


NUMBERS = {
    "1,234": 1234, "₩12,000": 12000, "9만9천원": 99000, "1.2억": 120_000_000, "3천5백만": 35_000_000, "(1,000)": -1000,
    "12%": 0.12, "35만 원": 350_000, "-7": -7, "2.50": 2.5,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_number_is_read(text: str):
    assert transform.to_number(text, currency="원") == NUMBERS[text]


@pytest.mark.parametrize("text", ["$5", "1,23", "about 5", "", "1.2.3만", "5개월", "NaN", "inf"])
def test_doubtful_number_is_refused(text: str):
    with pytest.raises(transform.Doubtful):
        transform.to_number(text, currency="원")


DATES = {
    "2026-03-05": "2026-03-05", "2026.3.5.": "2026-03-05", "2026년 3월 5일": "2026-03-05", "20260305": "2026-03-05",
    "5 Mar 2026": "2026-03-05", "March 5, 2026": "2026-03-05", "2026-03-05T00:00:00": "2026-03-05", "3/3/2026": "2026-03-03",
}  # fmt: skip


@pytest.mark.parametrize("text", DATES)
def test_date_is_read(text: str):
    assert transform.to_date(text, None) == DATES[text]


@pytest.mark.parametrize("text", ["2026-02-30", "3/4/2026", "26.3.5", "2026-03-05T10:00:00", "soon"])
def test_doubtful_date_is_refused(text: str):
    with pytest.raises(transform.Doubtful):
        transform.to_date(text, None)


def test_header_names_its_unit():
    assert transform.header("금액(천원)") == transform.Header("금액", "천원", Decimal(1000))
    assert transform.header("매출 (단위: 백만원)").times == 10**6
    assert transform.header("note (old)") == transform.Header("note (old)")


COLUMNS = [
    {"name": "name", "type": "string", "words": ["name", "성명"], "key": False},
    {"name": "starts_at", "type": "datetime", "words": ["starts at"], "key": False},
    {"name": "hospital", "type": "string", "words": ["병원"], "key": False},
    {"name": "product", "type": "string", "words": ["제품"], "key": False},
    {
        "name": "status",
        "type": "string",
        "words": ["상태"],
        "key": False,
        "codes": {"A": ["진행"], "C": ["취소"]},
    },
]


def test_first_and_last_name_are_joined_and_slashes_split():
    given = [
        Given("first name", ("Ada",)),
        Given("last name", ("Byron",)),
        Given("병원/제품", ("서울병원/가나정",)),
        Given("상태", ("취소",)),
    ]
    made = map_table(given, {"name": "t", "words": ["t"], "key": [], "columns": COLUMNS})
    rules = {match.column: (match.rule, match.given) for match in made.matches}
    assert rules["name"] == ("join", ("first name", "last name"))
    assert rules["hospital"] == ("split", ("병원/제품",))
    assert rules["product"][0] == "split"
    assert rules["status"][0] == "code"


@pytest.mark.parametrize(
    ("names", "sure", "doubtful"),
    [
        (["병원", "hospital"], ["hospital"], {"병원"}),
        (["Hospital", "hospital"], [], {"Hospital", "hospital"}),
    ],
)
def test_two_columns_that_claim_one_are_asked_about(names: list[str], sure: list[str], doubtful: set[str]):
    given = [Given(name, (name,)) for name in names]
    made = map_table(given, {"name": "t", "words": ["t"], "key": [], "columns": COLUMNS})
    assert [match.given[0] for match in made.matches] == sure
    assert set(made.doubtful) == doubtful


async def test_column_whose_name_comes_again_is_not_dropped(world: RecordWorld):
    given = await of_file("visits.csv", b"day,shop_id,cost,cost\n2026-03-05,1,3,900\n")
    assert [(each.name, each.values) for each in given.given[2:]] == [
        ("cost", ("3",)),
        ("cost (2)", ("900",)),
    ]
    with pytest.raises(NeedsInput, match=r"cost \(2\)"):
        await stored(world, table(["day", "shop_id", "cost", "cost"], ["2026-03-05", 1, 3, 900]))
    assert len(world.visits()) == 2


def test_table_with_more_of_the_columns_comes_first():
    few = {"name": "few", "words": [], "key": [], "columns": COLUMNS[:1]}
    many = {"name": "many", "words": [], "key": [], "columns": COLUMNS}
    given = [Given("name", ("a",)), Given("병원", ("b",))]
    assert [one.table for one in rank_tables(given, [few, many])] == ["many", "few"]


async def test_stored_files_keep_their_names_and_a_model_its_text():
    model = Document("d1", "방문 보고서", "ko", "t", "1", blocks=(Paragraph("p", (Span("한빛병원 방문"),)),))
    pdf = ArtifactRef("a1", "document", "made", 3, "h", name="d1-1.pdf", group=Group("d1", 1, "pdf"))
    stored = await of_artifact(pdf, b"%PDF")
    assert (stored.file["name"], stored.file["media_type"]) == ("d1-1.pdf", "application/pdf")
    plain = await of_artifact(replace(pdf, name="d1-1.json", group=Group("d1", 1, "json")), model.as_json())
    assert (plain.title, "한빛병원 방문" in plain.text, plain.suffix) == ("방문 보고서", True, "json")
    strange = await of_artifact(replace(pdf, name="../x.exe"), b"MZ")
    assert strange.file["name"].endswith(".bin")
