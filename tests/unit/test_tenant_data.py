"""Answers of the data port: keys beside names, the days that were compared, and ties that are said."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from metaagent.config import Data
from metaagent.data.tenant_data import DataSource
from metaagent.ports import User
from tests.support.naive import MODEL
from tests.support.random_queries import fill

if TYPE_CHECKING:
    from pathlib import Path

    from metaagent.data.tenant_data import TenantData

SHOPS = [(1, "Kim", "서울"), (2, "Kim", "서울"), (3, "Lee", "부산"), (4, "Park", "대구")]
SALES = [
    (1, "2026-10-01", 10), (1, "2026-10-20", 7), (2, "2026-10-02", 5), (3, "2026-10-03", 5), (1, "2026-11-02", 30),
    (2, "2026-11-03", 4), (3, "2026-11-15", 4),
]  # fmt: skip


@pytest.fixture
def port(tmp_path: Path) -> TenantData:
    tables: dict[str, list[dict[str, Any]]] = {"items": [], "visits": []}
    tables["items"] = [{"item_id": 1, "firm": "a", "name": "pen", "kind": "x"}]
    tables["shops"] = [{"shop_id": n, "firm": "a", "name": name, "city": city} for n, name, city in SHOPS]
    tables["sales"] = [
        {
            "sale_id": n,
            "firm": "a",
            "shop_id": shop,
            "item_id": 1,
            "day": date.fromisoformat(day),
            "amount": amount,
        }
        for n, (shop, day, amount) in enumerate(SALES)
    ]
    file = tmp_path / "shops.db"
    connection = sqlite3.connect(file)
    fill(connection.execute, tables, text_dates=True)
    connection.commit()
    connection.close()
    opened = DataSource(Data(), f"sqlite:///{file}", MODEL).open(User(company_id="a"), "ko")
    assert opened is not None
    return opened


async def test_people_of_one_name_are_rows_with_keys_of_their_own(port: TenantData):
    found = await port.ask(
        {"metrics": ["revenue"], "dimensions": ["shop"], "order": [{"column": "shop__key"}]}
    )
    assert found.rows == [["Kim", 47, 1], ["Kim", 9, 2], ["Lee", 9, 3]]
    assert [(c["name"], c["kind"], c["hidden"]) for c in found.columns] == [
        ("shop", "dimension", False),
        ("revenue", "metric", False),
        ("shop__key", "key", True),
    ]


async def test_an_unfinished_month_ends_where_its_data_ends(port: TenantData):
    period = {"start": "2026-11-01", "end": "2026-11-30"}
    found = await port.ask({"metrics": ["revenue"], "period": period, "comparison": "previous"})
    assert found.rows[0][:2] == [38, 20]
    assert found.periods == [
        {"start": "2026-11-01", "end": "2026-11-15"},
        {"start": "2026-10-01", "end": "2026-10-15"},
    ]
    assert any("2026-10-01~2026-10-15" in note for note in found.notes)


async def test_an_average_per_day_counts_days_with_data(port: TenantData):
    per_day = {"name": "daily", "kind": "per_period", "numerator": {"metric": "revenue"}, "per": "day"}
    found = await port.ask({"derived": [per_day], "period": {"start": "2026-11-01", "end": "2026-11-30"}})
    assert found.rows == [[38 / 15]]
    assert found.columns[0]["label"] == "일평균 revenue"


async def test_equal_last_places_are_kept_and_said(port: TenantData):
    asked = {"metrics": ["revenue"], "dimensions": ["shop"], "top": {"n": 2}}
    found = await port.ask(asked)
    assert [row[2] for row in found.rows] == [1, 2, 3]
    assert any("3개" in note for note in found.notes)
    cut = await port.ask({**asked, "top": {"n": 2, "ties": False}})
    assert [row[2] for row in cut.rows] == [1, 2]
    assert cut.notes == []


async def test_things_without_a_row_are_counted(port: TenantData):
    missing = {"dimension": "shop", "fact_metric": "revenue", "exists": False}
    found = await port.ask({"count_groups": "shop", "existence": [missing]})
    assert found.rows == [[1]]
    assert found.columns[0]["label"] == "shop 수"
