"""The demonstration company, small, and an agent that answers from it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from metaagent.config import load_settings
from metaagent.demo import create_demo
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.ports import AnalysisInput, Json, User
from metaagent.runtime import MetaAgent
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import FakeClock

TODAY = date(2026, 11, 16)
NOON = datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
OTHER = User(company_id="saebyeok")
OFFER: Json = {
    "name": "data_analysis",
    "agent": "data_analysis",
    "words": {"ko": [], "en": []},
    "permissions": [],
    "produces": ["dataset"],
    "seconds": 0.3,
}


@cache
def _company() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pharma.db"
        create_demo(f"sqlite:///{file}", now=TODAY, scale=0.1)
        return file.read_bytes()


def make_company(folder: Path) -> Path:
    """A copy of the company, which is made once in a process."""
    file = folder / "pharma.db"
    file.write_bytes(_company())
    return file


def settings(folder: Path, **more: Any) -> Any:
    return load_settings(env={}, overrides={"data_dir": folder, "agents": {"allow": []}, **more})


@asynccontextmanager
async def company(folder: Path, **more: Any) -> AsyncGenerator[MetaAgent]:
    async with MetaAgent.open(settings(folder, **more), agents=[data_analysis], clock=FakeClock(NOON)) as app:
        yield app


async def reading(opened: OpenDomain, question: str, language: str, user: User | None = None) -> Json:
    given = AnalysisInput(NOON, "Asia/Seoul", language, user or User(), (OFFER,))
    return await opened.reasoner().analyze(question, given)


def rows(file: Path, sql: str, **params: Any) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return connection.execute(sql, {"tenant": "hanbit", **params}).fetchall()
    finally:
        connection.close()


async def dataset(app: MetaAgent, answer: Any, user: User | None = None) -> Json:
    ref = next(ref for ref in answer.content["artifacts"] if ref["kind"] == "dataset")
    return await app.artifact(answer.session_id, ref["id"], user=user)
