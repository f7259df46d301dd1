"""`ask` and `resume`: from arguments to a turn, from its events to the screen, from its outcome to an exit code."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from metaagent.access import roles_of
from metaagent.adapters.clock import ClockSetTo
from metaagent.cli.logs import log_to
from metaagent.cli.screen import Screen, say_error
from metaagent.config import Settings, load_settings
from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.keys.providers import BACKUP
from metaagent.level1.reasoner import detect_language
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent

ANSWERED, FAILED, USAGE, CLARIFY, APPROVE = range(5)
ROWS_IN_JSON = 100

_BAD_NOW = Text(
    en="--now {value!r} is not an ISO-8601 moment; write for example 2025-01-10 or 2025-01-10T09:30+09:00.",
    ko="--now {value!r}은(는) ISO-8601 시각이 아닙니다. 예: 2025-01-10 또는 2025-01-10T09:30+09:00.",
)
_NOT_UTF8 = Text(
    en="Line {line} of standard input is not valid UTF-8. Save it as UTF-8 and try again.",
    ko="표준 입력의 {line}번째 줄이 올바른 UTF-8이 아닙니다. UTF-8로 저장해 다시 시도하세요.",
)
_HOW_TO_ANSWER = Text(
    en='Answer with: metaagent resume {session_id} "..."', ko='답하려면: metaagent resume {session_id} "..."'
)
_HOW_TO_DECIDE = Text(
    en='Decide with: metaagent resume {session_id} approve (or reject) --reason "..."',
    ko='결정하려면: metaagent resume {session_id} approve (또는 reject) --reason "..."',
)
EMPTY_OUTCOME: dict[str, Any] = {
    "session_id": None,
    "turn_id": None,
    "phase": None,
    "answer": None,
    "analysis": None,
    "plan": None,
    "steps": [],
    "artifacts": [],
    "citations": [],
    "confidence": None,
    "warnings": [],
    "errors": [],
    "clarification": None,
    "approval": None,
    "timings": {},
    "usage": {},
}


@dataclass(frozen=True)
class Door:
    """What the command line says about who asks, when and where."""

    config: Path | None = None
    data_dir: Path | None = None
    user_id: str = "owner"
    company_id: str = "local"
    now: str | None = None
    as_json: bool = False
    roles: tuple[str, ...] = ()

    @cached_property
    def user(self) -> User:
        roles = roles_of(self.settings().access, self.user_id, self.company_id, self.roles)
        return User(self.user_id, self.company_id, roles)

    def settings(self) -> Settings:
        return load_settings(self.config, overrides={"data_dir": self.data_dir} if self.data_dir else {})

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[MetaAgent]:
        settings = self.settings()
        clock = ClockSetTo(self.moment(settings)) if self.now else None
        async with MetaAgent.open(settings, clock=clock) as app:
            with log_to(settings, app.governance.ring):
                self._say_backup(app)
                yield app

    def _say_backup(self, app: MetaAgent) -> None:
        made = app.governance.ring.made_at
        if made and not self.as_json:
            sys.stderr.write(BACKUP.say(ui_language(), path=made) + "\n")

    def moment(self, settings: Settings) -> datetime:
        try:
            moment = datetime.fromisoformat(self.now or "")
        except ValueError as error:
            raise InputRefused(_BAD_NOW, value=self.now) from error
        return moment if moment.tzinfo else moment.replace(tzinfo=settings.zone)


def ui_language() -> str:
    """For messages that belong to no question: the terminal's."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ko" if os.environ[name].startswith("ko") else "en"
    return "en"


def run(work: Callable[[], Awaitable[int]], *, as_json: bool = False, language: str = "") -> int:
    """Errors that were raised on purpose become a message and an exit code."""
    try:
        return asyncio.run(_awaited(work))
    except MetaAgentError as error:
        show_problem(error, as_json=as_json, language=language or ui_language())
        return USAGE if isinstance(error, InputRefused) else FAILED
    except KeyboardInterrupt:
        return FAILED


async def _awaited(work: Callable[[], Awaitable[int]]) -> int:
    return await work()


def show_problem(error: MetaAgentError, *, as_json: bool, language: str) -> None:
    if as_json:
        problem = {"code": error.code, "message": error.say(language)}
        print_json({**EMPTY_OUTCOME, "phase": "completed", "errors": [problem]})
    else:
        say_error(error.say(language))


def print_json(content: object) -> None:
    sys.stdout.write(json.dumps(content, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def run_ask(door: Door, text: str, session: str | None, *, discard: bool) -> int:
    language = detect_language(text, ui_language())

    async def work() -> int:
        async with door.open() as app:
            if text != "-":
                return await ask_one(app, door, text, session, discard=discard)
            codes = [await _ask_line(app, door, line, session, discard=discard) for line in lines_given(door)]
            return max(codes, default=ANSWERED, key=lambda code: (code == FAILED, code))

    return run(work, as_json=door.as_json, language=language)


def run_resume(door: Door, session: str, answer: str | None, question: str | None, reason: str) -> int:
    async def work() -> int:
        async with door.open() as app:
            events = app.stream_resume(session, answer, question_id=question, reason=reason, user=door.user)
            return await follow(app, door, events)

    return run(work, as_json=door.as_json, language=detect_language(answer or "", ui_language()))


async def ask_one(
    app: MetaAgent, door: Door, text: str, session: str | None, *, discard: bool = False
) -> int:
    on_waiting = "discard" if discard else "refuse"
    return await follow(
        app, door, app.stream(text, session_id=session, user=door.user, on_waiting=on_waiting)
    )


async def _ask_line(
    app: MetaAgent, door: Door, line: str | InputRefused, session: str | None, *, discard: bool
) -> int:
    """One bad line does not stop the others."""
    try:
        if isinstance(line, InputRefused):
            raise line
        return await ask_one(app, door, line, session, discard=discard)
    except MetaAgentError as error:
        language = ui_language() if isinstance(line, InputRefused) else detect_language(line, ui_language())
        show_problem(error, as_json=door.as_json, language=language)
        return USAGE if isinstance(error, InputRefused) else FAILED


def lines_given(door: Door) -> Iterator[str | InputRefused]:
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            line = raw.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            yield InputRefused(_NOT_UTF8, line=number)
            continue
        if line.strip():
            yield line


async def follow(app: MetaAgent, door: Door, events: AsyncIterator[dict[str, Any]]) -> int:
    """Show a turn while it runs, then how it stands. Ctrl-C cancels the turn and leaves the session usable."""
    turn_id = session_id = ""
    with Screen(quiet=door.as_json) as screen:
        task = asyncio.current_task()
        async for event in events:
            if not turn_id and task is not None:
                turn_id, session_id = event["turn_id"], event["session_id"]
                _cancel_on_interrupt(app, session_id, door.user)
            screen.show(event)
    answer = await app.answer(turn_id, user=door.user)
    if door.as_json:
        shown = {key: answer.content.get(key, EMPTY_OUTCOME[key]) for key in EMPTY_OUTCOME}
        print_json({**shown, "artifacts": await _with_content(app, answer, door.user)})
    else:
        screen.conclude(answer, await _tables(app, answer, door.user))
        if answer.status == "waiting":
            language = "ko" if (answer.content.get("analysis") or {}).get("language") == "ko" else "en"
            how = _HOW_TO_DECIDE if answer.content.get("approval") else _HOW_TO_ANSWER
            screen.note(how.say(language, session_id=answer.session_id))
    return exit_code(answer)


async def _with_content(app: MetaAgent, answer: Answer, user: User) -> list[dict[str, Any]]:
    """A dataset shows its columns and first rows; of a chart, its kind is enough."""
    shown: list[dict[str, Any]] = []
    for ref in answer.content.get("artifacts") or ():
        more: dict[str, Any] = {}
        if ref["kind"] in {"dataset", "chart"}:
            data = await app.artifact(answer.session_id, ref["id"], user=user)
            more = (
                page_of(data)
                if ref["kind"] == "dataset"
                else {"chart_type": data.get("type"), "title": data.get("title")}
            )
        shown.append({**ref, **more})
    return shown


def page_of(dataset: dict[str, Any]) -> dict[str, Any]:
    return {
        "columns": dataset.get("columns", []),
        "rows": dataset.get("rows", [])[:ROWS_IN_JSON],
        **{key: dataset.get(key) for key in ("row_count", "truncated", "sql", "params")},
    }


async def _tables(app: MetaAgent, answer: Answer, user: User) -> list[dict[str, Any]]:
    """The datasets of an answer that have more to show than its first sentence said."""
    found: list[dict[str, Any]] = []
    for ref in answer.content.get("artifacts") or ():
        if ref["kind"] == "dataset" and answer.status == "completed":
            data = await app.artifact(answer.session_id, ref["id"], user=user)
            if isinstance(data, dict) and len(data.get("rows") or ()) > 1:
                found.append(data)
    return found


def _cancel_on_interrupt(app: MetaAgent, session_id: str, user: User) -> None:
    loop = asyncio.get_running_loop()
    pending: set[asyncio.Task[bool]] = set()

    def cancel() -> None:
        task = loop.create_task(app.cancel(session_id, user=user))
        pending.add(task)
        task.add_done_callback(pending.discard)

    with suppress(NotImplementedError, ValueError):
        loop.add_signal_handler(signal.SIGINT, cancel)


def exit_code(answer: Answer) -> int:
    if answer.status == "waiting":
        return APPROVE if answer.content.get("approval") else CLARIFY
    return ANSWERED if answer.status == "completed" and not _all_failed(answer) else FAILED


def _all_failed(answer: Answer) -> bool:
    """Something was tried, and nothing of it succeeded. A partial answer is an answer."""
    statuses = {step["status"] for step in answer.content.get("steps") or ()}
    return "failed" in statuses and "completed" not in statuses
