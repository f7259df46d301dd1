"""`metaagent doctor`: versions, paths and optional parts, and what to do about each problem."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.agents import installed
from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import PLACE, command
from metaagent.cli.startup import ui_language
from metaagent.errors import MetaAgentError, Text

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
_READ_ONLY = Text(
    en="{path} is read-only: `metaagent sessions list` and `show`, `audit verify` and `doctor` work; to ask, make it writable.",
    ko="{path}은(는) 읽기 전용입니다. `metaagent sessions list`와 `show`, `audit verify`, `doctor`는 됩니다. 질문하려면 쓸 수 "
    "있게 하세요.",
)
_LITTLE_SPACE = Text(
    en="only {free:,} MB free: make room before the disk is full.",
    ko="남은 공간이 {free:,} MB뿐입니다. 공간을 확보하세요.",
)
_WILL_BE_MADE = Text(en="will be created at the first question", ko="첫 질문 때 만들어집니다")
_AGENTS = Text(en="{count} loaded", ko="{count}개 사용 가능")
_NO_LINUX = Text(en="needs Linux", ko="Linux에서만 됩니다")
_LIMITS = Text(
    en="limits of time, CPU, memory of all processes, size of each file",
    ko="시간, CPU, 전체 프로세스 메모리, 파일 크기 제한",
)
_NETWORK = Text(en="no network", ko="네트워크 차단")
_OWN_FILES = Text(
    en="writes only in a folder of its own, data directory hidden", ko="자기 폴더에만 쓰기, 데이터 폴더 숨김"
)
_OWN_PROCESSES = Text(
    en="sees and signals only its own processes, which all end with it",
    ko="자기 프로세스만 보고 신호를 보내며, 모두 함께 끝남",
)
_NOT_OFFERED = Text(en="not offered by this machine: {what}", ko="이 컴퓨터에서 제공하지 않음: {what}")
_INDEX_HOLDS = Text(
    en="texts, terms and vectors of {count} collections belong together",
    ko="컬렉션 {count}개의 본문, 색인어, 벡터가 서로 맞음",
)
_INDEX_BROKEN = Text(
    en="{count} problems in {which}: `metaagent index verify` lists them, `metaagent index rebuild` makes the index anew.",
    ko="{which}에 문제가 {count}개 있습니다. `metaagent index verify`로 확인하고 `metaagent index rebuild`로 색인을 다시 만드세요.",
)
_GOOD = Text(en="Everything needed is there.", ko="필요한 것이 모두 있습니다.")


@dataclass(frozen=True)
class Finding:
    what: str
    value: str
    good: bool = True


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "doctor", PLACE, panel=panel)(doctor)


async def doctor(
    door: Door,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Also read every sealed row and file, and verify the trail and the index of documents.",
        ),
    ] = False,
) -> Reply:
    """Check the installation and what it has stored, and say what to do about each problem."""
    import asyncio

    stored = await asyncio.to_thread(lambda: [*_stored(door.settings, deep)])
    if deep and all(finding.good for finding in stored):
        stored += [finding async for finding in _index(door)]
    findings = [*_versions(), *_folder(door.settings), *stored, *_agents(door.settings), _isolation()]
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
        said = _READ_ONLY if path.is_dir() else _NOT_WRITABLE
        yield Finding("data directory", said.say(language, path=path), good=False)
        return
    yield Finding("data directory", str(path) if path.exists() else f"{path} ({_WILL_BE_MADE.say(language)})")
    free = shutil.disk_usage(there).free
    much, megabytes = free >= LITTLE_SPACE, free // 1_000_000
    said = f"{megabytes:,} MB" if much else _LITTLE_SPACE.say(language, free=megabytes)
    yield Finding("free space", said, much)


def _stored(settings: Settings, deep: bool) -> Iterator[Finding]:
    from datetime import UTC, datetime

    from metaagent.maintenance.health import KEYS_GONE, check_data

    language, ring = ui_language(), None
    if (settings.data_dir / "keys.json").exists():
        try:
            from metaagent.sessions.key_ring import open_ring

            ring = open_ring(settings)
        except MetaAgentError as error:
            yield Finding("keys", error.say(language), good=False)
    elif (settings.data_dir / "metaagent.db").exists():
        yield Finding("keys", KEYS_GONE.say(language), good=False)
    for found in check_data(settings, ring, deep=deep, now=datetime.now(UTC)):
        yield Finding(found.what, found.say(language), found.good)


async def _index(door: Door) -> AsyncIterator[Finding]:
    """Compare the documents with their terms and vectors; only a sound directory that can be written is opened for it."""
    folder = door.settings.data_dir
    if not (folder / "library.db").exists() or not os.access(folder, os.W_OK):
        return
    language = ui_language()
    try:
        async with door.open() as app:
            found = (await app.index_verify(user=door.user))["collections"]
    except MetaAgentError as error:
        yield Finding("index", error.say(language), good=False)
        return
    broken = {name: problems for name, problems in found.items() if problems}
    count = sum(map(len, broken.values()))
    said = _INDEX_BROKEN.say(language, count=count, which=", ".join(sorted(broken)))
    yield Finding("index", said if broken else _INDEX_HOLDS.say(language, count=len(found)), not broken)


def _agents(settings: Settings) -> Iterator[Finding]:
    registry = installed(settings)
    yield Finding("agents", _AGENTS.say(ui_language(), count=len(registry.agents)))
    for problem in registry.problems:
        yield Finding(f"agent {problem.name}", problem.say(ui_language()), problem.refused)


def _isolation() -> Finding:
    """The walls around isolated agents that this machine offers."""
    from metaagent.child.containment import offered

    language = ui_language()
    if sys.platform != "linux":
        return Finding("isolation", _NO_LINUX.say(language))
    walls = offered()
    told = ((walls.network, _NETWORK), (walls.files, _OWN_FILES), (walls.processes, _OWN_PROCESSES))
    said = [_LIMITS.say(language), *(text.say(language) for stands, text in told if stands)]
    missing = [text.say(language) for stands, text in told if not stands]
    if missing:
        said.append(_NOT_OFFERED.say(language, what=", ".join(missing)))
    return Finding("isolation", "; ".join(said))


def _lines(findings: list[Finding]) -> Iterator[Any]:
    from rich.text import Text as RichText

    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = ("✓", "green") if finding.good else ("✗", "red")
        yield RichText.assemble(mark, f" {finding.what:<{width}}  {finding.value}")
    if all(finding.good for finding in findings):
        yield RichText(_GOOD.say(ui_language()), "green")
