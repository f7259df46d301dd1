"""The sentence of the whole chain, a company with its agents, and a package with one rule pack."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from metaagent.level2.compliance.agent import compliance_validation
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.document.agent import document_generation
from metaagent.level2.storage.agent import storage_decision
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON, make_company, settings

ANN = User("ann", "local", ("owner",))

ASKED = "지난달 서울 매출을 분석해서 방문 보고서를 작성하고 규정 위반이 없는지 확인한 뒤 저장해줘"


PACK = """pack: house
version: "7"
title: {ko: 사내, en: House}
effective: {from: 2020-01-01}
signed_off: {by: counsel, at: 2026-01-01}
notice: {ko: 확인 필요, en: Counsel must confirm}
rules:
  - id: no_figures
    title: {ko: 매출 기재, en: Figures in a report}
    law: {statute: 약사법, article: 제47조제2항, from: 2020-01-01}
    applies_to: {targets: [document]}
    severity: high
    text: {phrases: ["매출액"]}
    message: {ko: "보고서에 매출액이 있습니다: {quote}", en: "The report tells sales: {quote}"}
    recommendation: {ko: 빼세요., en: Leave it out.}
    examples:
      pass: [{text: "방문했다."}]
      fail: [{text: "매출액은 3억원이다."}]
"""


@asynccontextmanager
async def company(folder: Path, *allow: str) -> AsyncGenerator[MetaAgent]:
    folder.mkdir(exist_ok=True)
    make_company(folder)
    given = settings(folder, approval={"mode": "never"}, agents={"allow": list(allow)})
    agents = [data_analysis, document_generation, compliance_validation, storage_decision]
    async with MetaAgent.open(given, agents=agents, clock=FakeClock(NOON)) as app:
        yield app


@pytest.fixture
def house_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose entry point `metaagent.rules` names a folder with one pack."""
    site = tmp_path / "site"
    (site / "house_rules" / "house").mkdir(parents=True)
    (site / "house_rules" / "__init__.py").write_text(
        "from pathlib import Path\nfolder = Path(__file__).parent\n", encoding="utf-8"
    )
    (site / "house_rules" / "house" / "7.yaml").write_text(PACK, encoding="utf-8")
    info = site / "house_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[metaagent.rules]\nhouse = house_rules:folder\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(
        sys.modules, "house_rules", raising=False
    )  # that of another test, whose folder is gone
