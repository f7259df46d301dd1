"""One team server for all tests of the page: it takes long to make, and nobody sees what others ask."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.browser import browser_or_skip
from tests.support.page_world import team


@dataclass(frozen=True)
class Team:
    """The address of the server, and the database that people ask about."""

    address: str
    database: Path


@pytest.fixture(scope="session")
def served_team(tmp_path_factory: pytest.TempPathFactory) -> Generator[Team]:
    browser_or_skip()
    folder = tmp_path_factory.mktemp("team") / "data"
    with team(folder) as address:
        yield Team(address, folder / "pharma.db")
