"""No test reaches the network, reads the machine's settings or writes outside its own folder."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import sys
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import typer.main
import typer.testing
from hypothesis import settings as hypothesis_settings

from tests.support.agents import Runs
from tests.support.shared_data import missing, public_file

# The same examples each time: a run says something about the code, not about luck. `make soak` draws new ones and twice
# as many, `make fast` tries fewer.
hypothesis_settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=50)
hypothesis_settings.register_profile("random", deadline=None)
hypothesis_settings.register_profile("fast", derandomize=True, deadline=None, max_examples=20)
hypothesis_settings.load_profile(os.environ.get("METAAGENT_EXAMPLES", "fixed"))

# Hundreds of tests start a command in a process of its own: each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Typer makes a hundred commands anew for each one that a test runs: two fifths of the time of such a test.
pytest.MonkeyPatch().setattr(typer.testing, "_get_command", cache(typer.main.get_command))

# A million objects that last are made while tests are collected: looking through them took a third of the collection.
gc.disable()

MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30
"""Where a machine keeps files in its memory, and the bytes that must be free there."""


def _has_room_in_memory() -> bool:
    """Tell whether files that are made for one test can be kept in memory: what they promise of a disk costs its time."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    found = os.statvfs(MEMORY)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


if _has_room_in_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _is_here(family: int, address: Any) -> bool:
    if family == socket.AF_UNIX:
        return True
    try:
        return ip_address(address[0]).is_loopback
    except ValueError:
        return address[0] == "localhost"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if not _is_here(self.family, address):
            pytest.fail(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("METAAGENT_") and name != "METAAGENT_SHARED_DATA":
            monkeypatch.delenv(name)
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """Counts in files how often each agent ran, so that a killed process is counted too."""
    return Runs(tmp_path / "runs")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out tests on public data that is not here; the summary names the data once."""
    absent = [item for item in items if (name := _public_name(item)) and public_file(name) is None]
    if absent:
        config.hook.pytest_deselected(items=absent)
        items[:] = [item for item in items if item not in absent]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Collect the garbage of the tests from here on, and leave out what the collection has made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def _public_name(item: pytest.Item) -> str:
    mark = item.get_closest_marker("public_data")
    return mark.args[0] if mark else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if names := missing():
        terminalreporter.write_line(
            f"left out: extra tests on public data ({', '.join(names)} not in METAAGENT_SHARED_DATA)"
        )


@pytest.fixture
def public(request: pytest.FixtureRequest) -> Path:
    """The file that the test's mark `public_data` names."""
    found = public_file(_public_name(request.node))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demonstration company, to be read."""
    from tests.support.data_world import make_company

    folder = tmp_path_factory.mktemp("company")
    make_company(folder)
    return folder


@pytest.fixture
def world(made: Path, tmp_path: Path) -> Path:
    """A copy of the company, for tests that change it or keep sessions beside it."""
    shutil.copy(made / "pharma.db", tmp_path / "pharma.db")
    return tmp_path
