"""Databases as they are found: connected as a person would, then asked questions whose SQL was decided beforehand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evals.judge import RIGHT, SILENT
from evals.strangers import Place, ask_file, dialogues_of
from evals.worlds import fresh
from evals.worlds.messy import WORLDS, make
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.loader import loads
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", WORLDS)
async def test_questions_over_a_messy_database_give_expected_rows(name: str, tmp_path: Path):
    place = Place(make(name, tmp_path), None, date(2026, 11, 16), "infer", None)
    scored = await ask_file(dialogues_of(ROOT / "evals" / "messy" / f"{name}.yaml"), place)
    assert [(one.id, one.verdict, one.why) for one in scored if one.verdict != RIGHT] == []


@pytest.mark.parametrize("name", fresh.WORLDS)
async def test_databases_without_rules_are_never_silently_wrong(name: str, tmp_path: Path):
    place = Place(fresh.make(name, tmp_path), None, date(2026, 11, 16), "infer", None)
    scored = await ask_file(dialogues_of(ROOT / "evals" / "fresh" / f"{name}.yaml"), place)
    assert [one.id for one in scored if one.verdict == SILENT] == []
    assert sum(one.verdict == RIGHT for one in scored) >= 0.8 * len(scored)


def test_epochs_and_codes_are_read_from_their_values(tmp_path: Path):
    model = loads(infer(f"sqlite:///{fresh.make('gym', tmp_path)}"))
    assert model.tables["booking_log"].columns["book_ts"].cast == "epoch_ms"
    assert "cmn_code" not in model.tables
    named = [d.values["P"].label for d in model.dimensions.values() if "P" in d.values]
    assert [label.en for label in named if label] == ["Premium"]


def test_two_ways_to_one_table_become_two_dimensions(tmp_path: Path):
    model = loads(infer(f"sqlite:///{make('wholesale', tmp_path)}"))
    assert model.dimensions["billing_region"].column == ["billing_rgn_mst.rgn_nm"]
    assert model.dimensions["shipping_region"].column == ["shipping_rgn_mst.rgn_nm"]
    assert "region" not in model.dimensions
    assert model.tables["shipping_rgn_mst"].table == "rgn_mst"


def test_personal_columns_are_hidden_by_content_too(tmp_path: Path):
    customers = loads(infer(f"sqlite:///{make('wholesale', tmp_path)}")).tables["cust_mst"].columns
    assert customers["tel_no"].hidden
    assert customers["cntc"].hidden
    assert not customers["cust_nm"].hidden
