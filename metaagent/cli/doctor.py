"""`metaagent doctor`: versions, paths and optional parts, and what to do about each problem."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from metaagent.cli.agents import installed
from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.config import Settings

PACKAGES = (
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-core",
    "sqlalchemy",
    "chromadb",
    "cryptography",
)
OLDEST_SQLITE = (3, 35, 0)
LITTLE_SPACE = 500_000_000

_OLD_SQLITE = Text(
    en="SQLite {found} is too old: install a Python built with {needed} or newer.",
    ko="SQLite {found}은(는) 너무 오래되었습니다. {needed} 이상으로 빌드된 Python을 설치하세요.",
)
_MISSING = Text(
    en="not installed: run `pip install {name}`", ko="설치되지 않음: `pip install {name}`을 실행하세요"
)
_NOT_WRITABLE = Text(
    en="{path} is not writable: choose another with --data-dir or METAAGENT_DATA_DIR.",
    ko="{path}에 쓸 수 없습니다. --data-dir 또는 METAAGENT_DATA_DIR로 다른 곳을 지정하세요.",
)
_LITTLE_SPACE = Text(
    en="only {free:,} MB free: make room before the disk is full.",
    ko="남은 공간이 {free:,} MB뿐입니다. 공간을 확보하세요.",
)
_WILL_BE_MADE = Text(en="will be created at the first question", ko="첫 질문 때 만들어집니다")
_AGENTS = Text(en="{count} loaded", ko="{count}개 사용 가능")
_GOOD = Text(en="Everything needed is there.", ko="필요한 것이 모두 있습니다.")


@dataclass(frozen=True)
class Finding:
    what: str
    value: str
    good: bool = True


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "doctor", PLACE, panel=panel)(doctor)


async def doctor(door: Door) -> Reply:
    """Check the installation, and say what to do about each problem."""
    findings = [*_versions(), *_folder(door.settings), *_agents(door.settings)]
    content = {"findings": [vars(finding) for finding in findings]}
    good = all(finding.good for finding in findings)
    return Reply(content, [*_lines(findings)], ANSWERED if good else FAILED)


def _versions() -> Iterator[Finding]:
    import sqlite3
    from importlib import metadata

    language = ui_language()
    yield Finding("python", sys.version.split()[0])
    recent = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    needed, found = ".".join(map(str, OLDEST_SQLITE)), sqlite3.sqlite_version
    yield Finding(
        "sqlite", found if recent else _OLD_SQLITE.say(language, found=found, needed=needed), recent
    )
    for name in PACKAGES:
        try:
            yield Finding(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding(name, _MISSING.say(language, name=name), good=False)


def _folder(settings: Settings) -> Iterator[Finding]:
    import shutil

    language = ui_language()
    path = settings.data_dir
    there = path if path.exists() else next(parent for parent in path.absolute().parents if parent.exists())
    if not os.access(there, os.W_OK | os.X_OK) or not there.is_dir():
        yield Finding("data directory", _NOT_WRITABLE.say(language, path=path), good=False)
        return
    yield Finding("data directory", str(path) if path.exists() else f"{path} ({_WILL_BE_MADE.say(language)})")
    free = shutil.disk_usage(there).free
    much, megabytes = free >= LITTLE_SPACE, free // 1_000_000
    said = f"{megabytes:,} MB" if much else _LITTLE_SPACE.say(language, free=megabytes)
    yield Finding("free space", said, much)


def _agents(settings: Settings) -> Iterator[Finding]:
    registry = installed(settings)
    yield Finding("agents", _AGENTS.say(ui_language(), count=len(registry.agents)))
    for problem in registry.problems:
        yield Finding(f"agent {problem.name}", problem.say(ui_language()), problem.refused)


def _lines(findings: list[Finding]) -> Iterator[Any]:
    from rich.text import Text as RichText

    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = ("✓", "green") if finding.good else ("✗", "red")
        yield RichText.assemble(mark, f" {finding.what:<{width}}  {finding.value}")
    if all(finding.good for finding in findings):
        yield RichText(_GOOD.say(ui_language()), "green")
