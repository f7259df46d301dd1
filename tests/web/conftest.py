"""One team server and one browser for the tests of the page, which take long to start; windows are each test's own."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import argon2
import pytest

from tests.support.browser import Chromium, Page, browser_or_skip, chromium, cookies_of
from tests.support.page_world import team


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with the least that Argon2 can do: its real price is paid in tests of the command line."""
    cheap = partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(argon2, "PasswordHasher", cheap)


@dataclass(frozen=True)
class Team:
    """The address of the server, and the database that people ask about."""

    address: str
    database: Path
    _cookies: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def cookies(self, name: str) -> dict[str, str]:
        """What a browser keeps of this person's log-in."""
        if name not in self._cookies:
            self._cookies[name] = cookies_of(self.address, name)
        return self._cookies[name]


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


Window = Callable[[str], Page]
"""Makes a window in which this person is logged in."""


@pytest.fixture
def window(served_team: Team, browser: Chromium) -> Generator[Window]:
    """Windows of this test alone: no test finds what another left open, chosen, written or logged in."""
    opened = list[Page]()

    def of(name: str) -> Page:
        opened.append(browser.page(served_team.address, served_team.cookies(name)))
        return opened[-1]

    yield of
    for page in opened:
        page.leave()


@pytest.fixture
def kim(window: Window) -> Page:
    return window("kim")


@pytest.fixture
def lee(window: Window) -> Page:
    return window("lee")


@pytest.fixture
def choi(window: Window) -> Page:
    return window("choi")


@pytest.fixture
def park(window: Window) -> Page:
    return window("park")
