"""A team with accounts on a server of their own: the demonstration company, small, served by a process on loopback."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from metaagent.ports import User
from metaagent.runtime import MetaAgent
from tests.support.browser import PASSWORD
from tests.support.data_world import make_company
from tests.support.paths import ROOT

PEOPLE = {
    "kim": ("employee", "analyst"),
    "choi": ("employee", "analyst", "trainee"),
    "lee": ("employee", "analyst", "approver", "librarian"),
    "park": ("reviewer",),
}
"""Kim asks; Choi's plans are approved by Lee, who may approve what others ask and cares for the documents; Park reviews."""
EVERY = ["*"]
ANALYST = {
    "operations": [],
    "agents": EVERY,
    "capabilities": EVERY,
    "data": EVERY,
    "artifacts": EVERY,
    "ports": EVERY,
}
SETTINGS: dict[str, Any] = {
    "web": {"auth": ["accounts"]},
    "access": {"policies": {"analyst": ANALYST, "trainee": {"operations": []}}},
    "approval": {"mode": "rule", "roles": ["trainee"]},
}


async def prepare(given: Mapping[str, Any]) -> None:
    """Make the accounts, and the documents that can be searched."""
    async with MetaAgent.open(dict(given)) as app:
        await app.ingest_domain()
        for name, roles in PEOPLE.items():
            await app.accounts.add(name, User(name, "local", roles), PASSWORD, user=User())


@contextmanager
def team(folder: Path) -> Generator[str]:
    """Serve the team's installation; its address."""
    folder.mkdir(parents=True, exist_ok=True)
    make_company(folder)
    given = {"data_dir": str(folder), **SETTINGS}
    asyncio.run(prepare(given))
    config = folder.parent / "settings.yaml"
    config.write_text(yaml.safe_dump(given, allow_unicode=True))
    with served(config) as address:
        yield address


@contextmanager
def served(config: Path, port: int = 0) -> Generator[str]:
    """`metaagent serve` in a process of its own, stopped at the end as an operator stops it."""
    command = [sys.executable, "-m", "metaagent.cli", "serve", "--port", str(port), "--config", str(config)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ}
    ) as process:
        try:
            address = _address(process)
            _RUNNING[address] = process
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def kill_server(address: str) -> None:
    """Kill the process that serves there, at once."""
    process = _RUNNING[address]
    process.kill()
    process.wait(30)


_RUNNING: dict[str, subprocess.Popen[str]] = {}
"""Servers by their addresses."""


def _address(process: subprocess.Popen[str]) -> str:
    """The address that it says it listens on."""
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            return found[0]
    raise AssertionError(f"the server did not start: {''.join(said)}")
