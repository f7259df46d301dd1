"""The front of every command: who asks, where and when; replies and errors become text or JSON and an exit code."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from metaagent.cli.dataclass_cache import KEPT
from metaagent.cli.late_packages import LatePackages
from metaagent.cli.output import kept_for_answers, out
from metaagent.cli.startup import (
    STOPPED,
    collect_garbage,
    quick_language,
    started,
    starting,
    ui_language,
)
from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.language.cache_file import keep_all

if TYPE_CHECKING:
    from datetime import datetime

    from metaagent.config import Settings
    from metaagent.ports import User
    from metaagent.protection.keys import KeyRing
    from metaagent.runtime import MetaAgent
    from metaagent.sessions.session_reader import SessionReader

ANSWERED, FAILED, USAGE, CLARIFY, APPROVE, BLOCKED = range(6)
SHORT_COMMAND = 3.0
"""Seconds after which a command that still runs collects garbage."""
LEFT_SECONDS = 1.0
"""Seconds that what still goes on gets to end when the command is done."""

_BAD_NOW = Text(
    en="--now {value!r} is not an ISO-8601 moment; write for example 2025-01-10 or 2025-01-10T09:30+09:00.",
    ko="--now {value!r}은(는) ISO-8601 시각이 아닙니다. 예: 2025-01-10 또는 2025-01-10T09:30+09:00.",
)
_READ_ONLY = Text(
    en="{path} is read-only: it is shown from a copy, and nothing is put on record.",
    ko="{path}은(는) 읽기 전용입니다. 사본에서 보여 드리며 아무것도 기록되지 않습니다.",
)
_NOT_WRITTEN = Text(
    en="{path} cannot be written: {problem}. Choose another file with -o.",
    ko="{path}에 쓸 수 없습니다: {problem}. -o로 다른 파일을 지정하세요.",
)


@dataclass(frozen=True)
class Reply:
    """The result of a command: `content` for --json, `lines` (text, or something that rich draws) for people."""

    content: object
    lines: Sequence[Any] = field(default_factory=tuple[Any, ...])
    code: int = ANSWERED


class Interrupted(Exception):
    """The person pressed Ctrl-C; the turn is cancelled, shown and stored."""


@dataclass(frozen=True)
class Door:
    """The shared options of a command, and the application that they open."""

    config: Path | None = None
    data_dir: Path | None = None
    user_id: str = "owner"
    company_id: str = "local"
    roles: Sequence[str] | None = None
    now: str | None = None
    as_json: bool = False

    @cached_property
    def settings(self) -> Settings:
        from metaagent.config import load_settings

        return load_settings(self.config, overrides={"data_dir": self.data_dir} if self.data_dir else {})

    @cached_property
    def user(self) -> User:
        from metaagent.access.rights import roles_of
        from metaagent.ports import User

        roles = roles_of(self.settings.access, self.user_id, self.company_id, self.roles or ())
        return User(self.user_id, self.company_id, roles)

    @property
    def options(self) -> str:
        """The options as they were given, for a command that somebody copies."""
        person = [
            *(("--user", self.user_id) if self.user_id != "owner" else ()),
            *(("--company", self.company_id) if self.company_id != "local" else ()),
            *(word for role in self.roles or () for word in ("--role", role)),
        ]
        return _quoted([*self._place, *person])

    @property
    def options_of_others(self) -> str:
        """The options for a command that somebody else of the company copies: the same place, and not the person."""
        company = ("--company", self.company_id) if self.company_id != "local" else ()
        return _quoted([*self._place, *company])

    @property
    def _place(self) -> list[str]:
        return [
            *(("--config", str(self.config)) if self.config else ()),
            *(("--data-dir", str(self.data_dir)) if self.data_dir else ()),
        ]

    @property
    def moment(self) -> datetime:
        """The time that was given with --now, else the present, in the configured zone."""
        from datetime import datetime

        if not self.now:
            return datetime.now(self.settings.zone)
        try:
            moment = datetime.fromisoformat(self.now)
        except ValueError as error:
            raise InputRefused(_BAD_NOW, value=self.now) from error
        return moment if moment.tzinfo else moment.replace(tzinfo=self.settings.zone)

    @contextmanager
    def _to_read(self) -> Generator[Door]:
        """This door, or that of a copy where the data directory cannot be written."""
        from metaagent.maintenance.read_only_copy import is_read_only, readable

        data = self.settings.data_dir
        if not is_read_only(data):
            yield self
            return
        started()
        sys.stderr.write(_READ_ONLY.say(ui_language(), path=data) + "\n")
        with readable(data) as copy:
            yield replace(self, data_dir=copy)

    @asynccontextmanager
    async def open_to_read(self) -> AsyncGenerator[MetaAgent]:
        """Open the application for a command that only reads."""
        with self._to_read() as door:
            async with door.open() as app:
                yield app

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[MetaAgent]:
        from metaagent.runtime import MetaAgent
        from metaagent.sessions.clock import ClockSetTo

        clock = ClockSetTo(self.moment) if self.now else None
        async with MetaAgent.open(self.settings, clock=clock) as app:
            with self._opened(app.governance.ring):
                yield app

    @asynccontextmanager
    async def look(self) -> AsyncGenerator[SessionReader]:
        """Open no more than looking at past sessions needs."""
        from metaagent.sessions.session_reader import SessionReader

        with self._to_read() as door:
            async with SessionReader.open(door.settings) as reader:
                with door._opened(reader.ring):
                    yield reader

    @contextmanager
    def _opened(self, ring: KeyRing) -> Generator[None]:
        """Write the log into the data directory, and say once where new keys are."""
        from metaagent.protection.keys.providers import BACKUP

        started()
        with log_to(self.settings, ring):
            if ring.made_at and not self.as_json:
                sys.stderr.write(BACKUP.say(ui_language(), path=ring.made_at) + "\n")
            yield


def _quoted(words: Sequence[str]) -> str:
    from shlex import quote

    return "".join(f" {quote(word)}" for word in words)


@contextmanager
def log_to(settings: Settings, ring: KeyRing) -> Generator[None]:
    """The `metaagent` loggers write sealed lines into the data directory, and nowhere else."""
    import logging

    from metaagent.storage.logs import sealed_log

    logger = logging.getLogger("metaagent")
    handler = sealed_log(settings.data_dir, ring)
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(settings.logs.level.upper())
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before
        handler.close()


def run(
    door: Door,
    work: Callable[..., Coroutine[Any, Any, Reply | int]],
    given: Mapping[str, Any],
    spoken: str | None = None,
) -> int:
    """Run a command to its exit code. Errors that were raised on purpose are said in the language of `spoken`."""
    import asyncio

    starting()
    KEPT.stand_in()
    LatePackages().stand_in()
    try:
        with kept_for_answers(), asyncio.Runner() as runner:
            runner.get_loop().call_later(SHORT_COMMAND, collect_garbage)
            try:
                reply = runner.run(work(door, **given))
            except Interrupted:
                leave(FAILED)
            except MetaAgentError as error:
                if not runner.run(all_ended()):
                    leave(show_error(error, door, language_of(spoken)))
                raise
            if not runner.run(all_ended()):
                leave(_said(reply, door))
        return _said(reply, door)
    except MetaAgentError as error:
        return show_error(error, door, language_of(spoken))
    except KeyboardInterrupt:
        say_error(STOPPED[quick_language(spoken) if spoken else ui_language()])
        return FAILED
    finally:
        started()
        keep_all()


def _said(reply: Reply | int, door: Door) -> int:
    if isinstance(reply, int):
        return reply
    print_json(reply.content) if door.as_json else print_lines(reply.lines)
    return reply.code


async def all_ended() -> bool:
    """Tell whether nothing goes on but the command itself. An agent that swallows its cancellation, or works in a thread, was
    left to itself when its step failed: Python would wait for it for ever before it ends the process."""
    import asyncio

    loop = asyncio.get_running_loop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others and (await asyncio.wait(others, timeout=LEFT_SECONDS))[1]:
        return False
    threads = loop.create_task(loop.shutdown_default_executor())
    return not (await asyncio.wait([threads], timeout=LEFT_SECONDS))[1]


def language_of(spoken: str | None) -> str:
    """The language of what a person typed, else the terminal's."""
    from metaagent.level1.reasoner import detect_language

    return detect_language(spoken, ui_language()) if spoken else ui_language()


def show_error(error: MetaAgentError, door: Door, language: str) -> int:
    if door.as_json:
        from metaagent.sessions.outcome import EMPTY_OUTCOME

        problem = {"code": error.code, "message": error.say(language)}
        print_json({**EMPTY_OUTCOME, "status": "failed", "phase": "completed", "errors": [problem]})
    else:
        say_error(error.say(language))
    return USAGE if isinstance(error, InputRefused) else FAILED


def print_json(content: object) -> None:
    import json

    started()
    out().write(json.dumps(content, ensure_ascii=False, default=str) + "\n")
    out().flush()


def print_lines(lines: Sequence[Any]) -> None:
    """Text is printed as it is, with its control characters made visible; anything else is drawn by rich."""
    from rich.console import Console

    from metaagent.protection.escaping import for_terminal

    started()
    console = Console(highlight=False, file=out())
    for line in lines:
        if isinstance(line, str):
            console.out(for_terminal(line), highlight=False)
        else:
            console.print(line, soft_wrap=not hasattr(line, "columns"))


def say_error(message: str) -> None:
    from rich.console import Console
    from rich.text import Text as RichText

    from metaagent.protection.escaping import for_terminal

    started()
    Console(stderr=True, highlight=False).print(RichText(for_terminal(message), "red"), soft_wrap=True)


def confirmed(question: str) -> bool:
    started()
    if not sys.stdin.isatty():
        return False
    out().write(question)
    out().flush()
    return input().strip().casefold() in {"y", "yes", "네", "예"}


def write_file(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    from metaagent.errors import StorageError, os_problem
    from metaagent.protection.keys.store import replace_private

    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a device; a folder is refused
        else:
            replace_private(path, content)
    except OSError as error:
        raise StorageError(_NOT_WRITTEN, path=path, problem=os_problem(error)) from error


def leave(code: int) -> NoReturn:
    """End the process at once: nobody waits for a thread in which a cancelled agent still works."""
    import os

    out().flush()
    sys.stderr.flush()
    os._exit(code)
