"""Data directories as each earlier version wrote them, kept as text. `python -m tests.support.stored v1` made the first
with the program as it was; it is run once for each version, and what it made is never changed."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

from metaagent.state.migrations import FILE, STATES, TABLES
from metaagent.testing import FakeClock
from tests.support.agents import Runs, asking, drawing, figures, opened
from tests.support.paths import SUPPORT

FIXTURES = SUPPORT / "fixtures"
DATABASES = ("metaagent", "checkpoints")
VERSIONS = (
    sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir()) if FIXTURES.exists() else []
)


async def _conversation(data: Path, runs: Runs) -> None:
    """One session of three turns, and one that waits for an answer."""
    agents = (figures(runs), drawing(runs), asking(runs))
    async with opened(data, *agents, clock=FakeClock()) as app:
        first = await app.ask("drawing")
        await app.ask("figures", session_id=first.session_id)
        await app.ask("노래를 불러 줘", session_id=first.session_id)
        waiting = await app.ask("asking")
        assert waiting.status == "waiting"


def _dump(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        pragmas = [
            f"PRAGMA {name}={connection.execute(f'PRAGMA {name}').fetchone()[0]};"
            for name in ("application_id", "user_version")
        ]
        text = "\n".join([*pragmas, *connection.iterdump(), ""])
    connection.close()
    return text


def make(version: str) -> None:
    target = FIXTURES / version
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        asyncio.run(_conversation(data, Runs(Path(folder) / "runs")))
        for name in DATABASES:
            (target / f"{name}.sql").write_text(_dump(data / f"{name}.db"), encoding="utf-8")
        for name in ("keys.json", "kek"):
            shutil.copy(data / name, target / name)
        shutil.copytree(data / "audit", target / "audit")
    versions = f"state {STATES.newest}\ntables {TABLES.newest}\ncheckpoint file {FILE.newest}\n"
    (target / "VERSIONS").write_text(versions)


def restored(version: str, data: Path) -> Path:
    """The data directory as it was."""
    source = FIXTURES / version
    data.mkdir(mode=0o700)
    for name in DATABASES:
        connection = sqlite3.connect(data / f"{name}.db")
        connection.executescript((source / f"{name}.sql").read_text(encoding="utf-8"))
        connection.close()
    for name in ("keys.json", "kek"):
        shutil.copy(source / name, data / name)
        (data / name).chmod(0o600)
    shutil.copytree(source / "audit", data / "audit")
    (data / "audit").chmod(0o700)  # an unpacked archive may leave it open to the group
    for path in (data / "audit").iterdir():
        path.chmod(0o600)
    return data


if __name__ == "__main__":
    make(sys.argv[1])
