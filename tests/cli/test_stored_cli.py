"""`metaagent stored preview`: what storing a file would do, or what it would ask."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.support.command_line import Cli
from tests.support.record_world import MODEL, WRITABLE, make_database


def test_a_preview_asks_then_shows_what_is_replaced(cli: Cli, tmp_path: Path):
    model, url = tmp_path / "semantic.yaml", make_database(tmp_path / "shop.db")
    model.write_text(yaml.safe_dump(MODEL.model_dump(mode="json", by_alias=True, exclude_defaults=True)))
    data = {
        "model": str(model), "url": url, "write_url": url, "writable": WRITABLE, "tenants": {"local": "a"},
    }  # fmt: skip
    cli.config.write_text(yaml.safe_dump({"domain": None, "data": data}))
    file = tmp_path / "visits.csv"
    file.write_text("visit_id,day,shop,cost,mood\n1,2026-01-05,North,777,good\n")
    asked = cli("stored", "preview", str(file))
    assert asked.exit_code == 3
    assert "mood" in asked.stdout
    shown = cli("stored", "preview", str(file), "--answer", "note")
    assert shown.exit_code == 0, shown.output
    assert "~ visit_id=1" in shown.stdout
    assert "cost=777" in shown.stdout
    assert "- visit_id=1" in shown.stdout
    assert cli.json("stored", "list") == []
