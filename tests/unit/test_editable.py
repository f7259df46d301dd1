"""An editable installation leaves its metadata twice: in site-packages and beside its own source."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from metaagent.registry import GROUP, installed

POINT = f"[{GROUP}]\ndesk_agent = desk_agents:desk\n"


def test_an_agent_is_found_from_its_own_source_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, site = tmp_path / "source", tmp_path / "site"
    folders = {source / "desk_agents.egg-info": "PKG-INFO", site / "desk_agents-1.0.dist-info": "METADATA"}
    for folder, name in folders.items():
        folder.mkdir(parents=True)
        (folder / name).write_text("Metadata-Version: 2.1\nName: desk-agents\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(POINT)
    origin = {"url": source.as_uri(), "dir_info": {"editable": True}}
    (site / "desk_agents-1.0.dist-info" / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.chdir(source)
    monkeypatch.setattr(sys, "path", ["", str(site), *sys.path])
    assert [each.claimed for each in installed() if each.name == "desk_agent"] == [False]
