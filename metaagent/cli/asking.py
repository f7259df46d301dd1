"""`ask` and `resume`: from arguments to a turn, from its events to the screen, from its outcome to an exit code."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from metaagent.access.rights import roles_of
from metaagent.cli.logs import log_to
from metaagent.cli.questions import chosen
from metaagent.cli.screen import Screen, say_error
from metaagent.cli.starting import started, ui_language
from metaagent.config import Settings, load_settings
from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.level1.reasoner import detect_language
from metaagent.ports import User
from metaagent.protection.keys.providers import BACKUP
from metaagent.runtime import Answer, MetaAgent
from metaagent.sessions.clock import ClockSetTo

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
_CUT_OFF = Text(
    en="The question before it was cut off and is finished first: {question}",
    ko="앞서 중간에 끊긴 질문을 먼저 마칩니다: {question}",
)
_LEFT = Text(
    en="Left at once; what was finished is kept.", ko="바로 나왔습니다. 끝난 결과는 보관되어 있습니다."
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

    @property
    def options(self) -> str:
        """As they were given, for a command that somebody copies."""
        given = [
            *(("--config", str(self.config)) if self.config else ()),
            *(("--data-dir", str(self.data_dir)) if self.data_dir else ()),
            *(("--user", self.user_id) if self.user_id != "owner" else ()),
            *(("--company", self.company_id) if self.company_id != "local" else ()),
            *(word for role in self.roles for word in ("--role", role)),
        ]
        return "".join(f" {shlex.quote(word)}" for word in given)

    def settings(self) -> Settings:
        return load_settings(self.config, overrides={"data_dir": self.data_dir} if self.data_dir else {})

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[MetaAgent]:
        settings = self.settings()
        clock = ClockSetTo(self.moment(settings)) if self.now else None
        async with MetaAgent.open(settings, clock=clock) as app:
            started()
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


def run(work: Callable[[], Awaitable[int]], *, as_json: bool = False, language: str = "") -> int:
    """Errors that were raised on purpose become a message and an exit code."""
    try:
        return asyncio.run(_awaited(work))
    except MetaAgentError as error:
        show_problem(error, as_json=as_json, language=language or ui_language())
        return USAGE if isinstance(error, InputRefused) else FAILED
    except KeyboardInterrupt:
        return FAILED


class Interrupted(Exception):
    """The person pressed Ctrl-C; the turn is cancelled, shown and stored."""


async def _awaited(work: Callable[[], Awaitable[int]]) -> int:
    try:
        return await work()
    except Interrupted:
        leave(FAILED)


def leave(code: int) -> NoReturn:
    """End the process at once: nobody waits for a thread in which a cancelled agent still works."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


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
            picked = chosen(answer, await _question(app, door, session, question)) if answer else answer
            events = app.stream_resume(session, picked, question_id=question, reason=reason, user=door.user)
            return exit_code(await follow(app, door, events))

    # Hangul in an answer tells its language; a number or `approve` does not.
    korean = detect_language(answer or "") == "ko"
    return run(work, as_json=door.as_json, language="ko" if korean else ui_language())


async def waiting_in(app: MetaAgent, door: Door, session: str) -> tuple[dict[str, Any], ...]:
    """What the session asks, if its last turn waits."""
    turns = await app.turns(session, user=door.user, limit=1)
    return turns[0].waiting if turns else ()


async def _question(app: MetaAgent, door: Door, session: str, named: str | None) -> dict[str, Any] | None:
    waiting = await waiting_in(app, door, session)
    wanted = [q for q in waiting if named is None or named in (q["id"], q.get("step_id"))]
    return wanted[0] if len(wanted) == 1 else None


async def ask_one(
    app: MetaAgent, door: Door, text: str, session: str | None, *, discard: bool = False
) -> int:
    if session and not door.as_json:
        await _say_cut_off(app, door, session, detect_language(text, ui_language()))
    on_waiting = "discard" if discard else "refuse"
    events = app.stream(text, session_id=session, user=door.user, on_waiting=on_waiting)
    return exit_code(await follow(app, door, events))


async def _say_cut_off(app: MetaAgent, door: Door, session: str, language: str) -> None:
    if (await app.session(session, user=door.user)).status == "interrupted":
        (last,) = await app.turns(session, user=door.user, limit=1)
        Screen().note(_CUT_OFF.say(language, question=last.question))


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


async def follow(
    app: MetaAgent, door: Door, events: AsyncIterator[dict[str, Any]], *, inline: bool = False
) -> Answer:
    """Show a turn while it runs, then how it stands. Ctrl-C cancels the turn and leaves the session usable; a second
    one leaves at once. `inline`: more is typed here afterwards, so that a cancelled turn ends nothing else."""
    turn_id = ""
    with (
        Screen(ui_language(), quiet=door.as_json, options=door.options) as screen,
        _Interrupts(screen) as ctrl_c,
    ):
        async for event in events:
            if not turn_id:
                turn_id = event["turn_id"]
                ctrl_c.cancels(app, event["session_id"], door.user)
            screen.show(event)
    answer = await app.answer(turn_id, user=door.user)
    if door.as_json:
        shown = {key: answer.content.get(key, EMPTY_OUTCOME[key]) for key in EMPTY_OUTCOME}
        print_json({**shown, "artifacts": await _with_content(app, answer, door.user)})
    else:
        screen.conclude(answer, await _tables(app, answer, door.user), inline=inline)
    if ctrl_c.pressed and not inline:
        raise Interrupted
    return answer


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


class _Interrupts:
    """Ctrl-C while a turn runs: the first cancels it, the next leaves. A signal handler of its own, because one of the
    loop's is not called while an agent blocks the loop."""

    def __init__(self, screen: Screen) -> None:
        self.pressed = False
        self._screen = screen
        self._cancel: Callable[[], object] | None = None
        self._before: Any = None
        self._task: asyncio.Task[bool] | None = None

    def __enter__(self) -> _Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
        return self

    def __exit__(self, *_: object) -> None:
        if self._cancel is not None:
            signal.signal(signal.SIGINT, self._before)

    def cancels(self, app: MetaAgent, session_id: str, user: User) -> None:
        """From now on. Before there is a turn, Ctrl-C ends the command as it ends any other."""
        if self._before is None:
            return
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            self._task = loop.create_task(app.cancel(session_id, user=user))

        self._cancel = cancel
        signal.signal(signal.SIGINT, lambda _number, _frame: self._press(loop))

    def _press(self, loop: asyncio.AbstractEventLoop) -> None:
        if self.pressed or self._cancel is None:
            self._screen.close()
            say_error(_LEFT.say(ui_language()))
            leave(FAILED)
        self.pressed = True
        loop.call_soon_threadsafe(self._cancel)


def exit_code(answer: Answer) -> int:
    if answer.status == "waiting":
        return APPROVE if answer.content.get("approval") else CLARIFY
    return ANSWERED if answer.status == "completed" and not _all_failed(answer) else FAILED


def _all_failed(answer: Answer) -> bool:
    """Something was tried, and nothing of it succeeded. A partial answer is an answer."""
    statuses = {step["status"] for step in answer.content.get("steps") or ()}
    return "failed" in statuses and "completed" not in statuses
