"""Follows a turn: its events to the screen, Ctrl-C to a cancellation, its outcome to text or JSON and an exit code."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

from metaagent.cli.door import (
    ANSWERED,
    APPROVE,
    BLOCKED,
    CLARIFY,
    FAILED,
    Door,
    Interrupted,
    language_of,
    leave,
    print_json,
    say_error,
)
from metaagent.cli.screen import Screen
from metaagent.cli.startup import ui_language
from metaagent.errors import Text, UnknownSession
from metaagent.level1.execution_manager.quality import form_misfit
from metaagent.ports import ENDED, Turn, User
from metaagent.runtime import Answer, MetaAgent
from metaagent.sessions.outcome import EMPTY_OUTCOME

ROWS_IN_JSON = 100

_CUT_OFF = Text(
    en="The question before it was cut off and is finished first: {question}",
    ko="앞서 중간에 끊긴 질문을 먼저 마칩니다: {question}",
)
_FINISHED = Text(
    en='The answer to the question that was cut off ("{question}"):',
    ko='중간에 끊겼던 질문("{question}")의 답입니다:',
)
_NOT_LOADED = Text(
    en="Agents that could not be loaded, so that nobody asked them: {names}. `metaagent agents` says why.",
    ko="불러오지 못해 쓰이지 않은 에이전트: {names}. 이유는 `metaagent agents`가 알려 줍니다.",
)
_LEFT = Text(
    en="Left at once; what was finished is kept.", ko="바로 나왔습니다. 끝난 결과는 보관되어 있습니다."
)


async def follow(
    app: MetaAgent,
    door: Door,
    events: AsyncIterator[dict[str, Any]],
    *,
    inline: bool = False,
    left: Turn | None = None,
) -> Answer:
    """Show a turn while it runs, then how it stands. Ctrl-C cancels the turn and leaves the session usable; a second
    one leaves at once. `inline`: more is typed here afterwards, so that a cancelled turn ends nothing else. `left` is
    the turn before it that was cut off: it is finished first, and its answer is shown too."""
    turn_id, earlier = "", dict[str, Any]()
    with (
        Screen(
            ui_language(), quiet=door.as_json, options=door.options, others=door.options_of_others
        ) as screen,
        _Interrupts(screen) as ctrl_c,
    ):
        if left is not None:
            screen.note(_CUT_OFF.say(language_of(left.question), question=left.question))
        async for event in events:
            if not turn_id:
                turn_id = event["turn_id"]
                earlier = await show_finished(app, door, left) if left is not None else {}
                ctrl_c.cancels(app, event["session_id"], door.user)
            screen.show(event)
    answer = await app.answer(turn_id, user=door.user)
    if door.as_json:
        shown = {key: answer.content.get(key, EMPTY_OUTCOME[key]) for key in EMPTY_OUTCOME}
        artifacts = await _with_content(app, answer, door.user)
        status = "blocked" if is_blocked(answer) else answer.status
        print_json({**shown, "status": status, "artifacts": artifacts, **earlier})
    else:
        screen.conclude(answer, await _tables(app, answer, door.user), inline=inline)
        broken = [f"{each.name} ({each.package})" for each in app.registry.problems if not each.refused]
        if broken and exit_code(answer) == FAILED:
            screen.note(_NOT_LOADED.say(ui_language(), names=", ".join(broken)))
    if ctrl_c.pressed and not inline:
        raise Interrupted
    return answer


async def cut_off(app: MetaAgent, door: Door, session: str | None, *, or_waits: bool = False) -> Turn | None:
    """The session's last turn, if it was cut off (or waits): the next thing that happens in the session finishes it first, or
    drops it. A session that is not there has none, and what is to happen in it says so."""
    try:
        turns = await app.turns(session, user=door.user, limit=1) if session else []
    except UnknownSession:
        return None
    done = ENDED if or_waits else {"waiting", *ENDED}
    return turns[0] if turns and turns[0].status not in done else None


async def show_finished(app: MetaAgent, door: Door, left: Turn) -> dict[str, Any]:
    """Show the answer of a turn that was cut off and is finished now; and give it, as JSON has it."""
    answer = await app.answer(left.turn_id, user=door.user)
    screen = Screen(quiet=door.as_json)
    screen.note(_FINISHED.say(language_of(left.question), question=left.question))
    screen.note(answer.text)
    about = {"turn_id": left.turn_id, "question": left.question, "status": answer.status}
    return {"finished_first": {**about, "text": answer.text}}


async def waiting_in(app: MetaAgent, door: Door, session: str) -> tuple[dict[str, Any], ...]:
    """The questions of the session's last turn, if it waits."""
    turns = await app.turns(session, user=door.user, limit=1)
    return turns[0].waiting if turns else ()


def is_blocked(answer: Answer) -> bool:
    """Say whether a check holds something of this turn back, for now or for good."""
    return answer.status in {"waiting", "completed"} and bool(answer.content.get("blocked"))


def exit_code(answer: Answer) -> int:
    """0 only where a step of the turn gave something, a greeting was answered or the person left a question, and no check
    held anything back."""
    if is_blocked(answer):
        return BLOCKED
    if answer.status == "waiting":
        return APPROVE if answer.content.get("approval") else CLARIFY
    analysis = answer.content.get("analysis") or {}
    done = bool(analysis.get("small_talk") or analysis.get("left")) or any(
        step["status"] == "completed" for step in answer.content.get("steps") or ()
    )
    return ANSWERED if answer.status == "completed" and done else FAILED


async def _with_content(app: MetaAgent, answer: Answer, user: User) -> list[dict[str, Any]]:
    """The artifacts: a dataset with its columns and first rows, a chart with its kind and title."""
    shown: list[dict[str, Any]] = []
    for ref in answer.content.get("artifacts") or ():
        more: dict[str, Any] = {}
        if ref["kind"] in {"dataset", "chart"}:
            data = await app.artifact(answer.session_id, ref["id"], user=user)
            if isinstance(data, dict):  # a plugin may have made anything
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
            if not form_misfit("dataset", data) and len(data["rows"]) > 1:
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
        """Cancel on Ctrl-C from now on. Before there is a turn, it ends the command as it ends any other."""
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
            say_error(_LEFT.say(self._screen.language))
            leave(FAILED)
        self.pressed = True
        loop.call_soon_threadsafe(self._cancel)
