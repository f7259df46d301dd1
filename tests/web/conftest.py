"""One team server and one browser for all tests of the page: they take long to start, and nobody sees what others ask."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.browser import Chromium, browser_or_skip, chromium
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


@pytest.fixture(scope="session")
def browser() -> Generator[Chromium]:
    """A browser in which everybody has a window that shares nothing with others'."""
    with chromium() as started:
        yield started
