"""`metaagent chat`: one session, question after question; questions back are answered inline."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from metaagent.cli.door import ANSWERED, Door, say_error
from metaagent.cli.options import JSON, NOW, PERSON, command
from metaagent.cli.output import out
from metaagent.cli.startup import ui_language
from metaagent.errors import MetaAgentError, Text

if TYPE_CHECKING:
    from metaagent.cli.screen import Screen
    from metaagent.ports import Turn
    from metaagent.runtime import MetaAgent

Events = AsyncIterator[dict[str, Any]]

_HELLO = Text(
    en="Ask anything. Ctrl-C cancels a running question, Ctrl-D leaves.",
    ko="무엇이든 물어보세요. Ctrl-C로 진행 중인 질문을 취소하고, Ctrl-D로 나갑니다.",
)
_KEPT = Text(en="(Ctrl-D leaves)", ko="(나가려면 Ctrl-D)")
_DROPPED = Text(en="That question is dropped.", ko="그 질문은 취소했습니다.")
_REPLACED = Text(
    en="Taken as a new question; the one before it is dropped.",
    ko="새 질문으로 받아들이고, 앞의 질문은 취소했습니다.",
)
_BYE = Text(
    en="Go on later with: metaagent chat --session {session}{options}",
    ko="나중에 이어서 하려면: metaagent chat --session {session}{options}",
)


def add_to(app: typer.Typer, panel: str) -> None:
    shared = tuple(option for option in (*PERSON, NOW) if option is not JSON)
    command(app, "chat", shared, panel=panel)(chat)


async def chat(
    door: Door,
    session: Annotated[
        str | None, typer.Option("--session", help="Go on in this session.", show_default=False)
    ] = None,
) -> int:
    """Talk in one session, with questions back answered inline.

    Ctrl-C cancels a running question, Ctrl-D leaves. At a question back, a whole new question takes its place.
    """
    from metaagent.cli.screen import Screen

    async with door.open() as app:
        asked = [] if session is None else await app.turns(session, user=door.user)
        # Questions are personal: the history of the prompt is read from the session, never kept in a file of its own.
        talk = _Chat(app, door, Screen(ui_language()), [turn.question for turn in reversed(asked)], session)
        await talk.run()
    return ANSWERED


class _Chat:
    """Holds the prompt and the session while a person talks."""

    def __init__(
        self, app: MetaAgent, door: Door, screen: Screen, asked: list[str], session: str | None
    ) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import DummyOutput, create_output

        self._app, self._door, self._screen = app, door, screen
        drawn = create_output(out()) if out().isatty() else DummyOutput()
        self._prompt: PromptSession[str] = PromptSession(history=InMemoryHistory(asked), output=drawn)
        self._session = session

    async def run(self) -> None:
        from metaagent.cli.follow import cut_off, waiting_in

        self._note(_HELLO)
        if self._session and (waiting := await waiting_in(self._app, self._door, self._session)):
            self._screen.ask(waiting, self._session, inline=True)
            await self._follow(None)
        while (text := await self._read("❯ ")) is not None:
            left = await cut_off(self._app, self._door, self._session)
            await self._follow(self._app.stream(text, session_id=self._session, user=self._door.user), left)
        if self._session:
            self._note(_BYE, session=self._session, options=self._door.options)

    async def _follow(self, events: Events | None, left: Turn | None = None) -> None:
        """Show a turn to its end, with every question that it asks on the way; None for one that waits already."""
        from metaagent.cli.follow import follow

        turn_id = ""
        while True:
            try:
                if events is not None:
                    answer = await follow(self._app, self._door, events, inline=True, left=left)
                    left = None
                    if turn_id not in ("", answer.turn_id):
                        self._note(_REPLACED)
                    self._session, turn_id = answer.session_id, answer.turn_id
                events = await self._answered()
            except MetaAgentError as error:
                say_error(error.say(ui_language()))
                if events is None or self._session is None:
                    return
                events = None  # an answer that was refused leaves its question waiting
                continue
            if events is None:
                return

    async def _answered(self) -> Events | None:
        """The events of the turn that goes on with what is typed; None if nothing waits, or the person leaves it."""
        from metaagent.cli.follow import waiting_in
        from metaagent.level1.new_question import chosen

        app, user = self._app, self._door.user
        assert self._session is not None, "a turn that waits has a session"
        waiting = await waiting_in(app, self._door, self._session)
        if not waiting:
            return None
        question = waiting[0]
        mark = f"[{question['step_id']}] … " if len(waiting) > 1 else "… "
        answer = await self._read(mark, question=True)
        if answer is None:
            return None
        if not answer:
            await app.cancel(self._session, user=user)
            self._note(_DROPPED)
            return None
        return app.stream_resume(
            self._session, chosen(answer, question), question_id=question["id"], user=user
        )

    async def _line(self, mark: str, typed: str) -> str:
        """A line as it is typed, or the next one of a file: the prompt reads terminals and pipes alone."""
        if not is_file(sys.stdin):
            return await self._prompt.prompt_async(mark, default=typed)
        import asyncio

        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            raise EOFError
        return line

    async def _read(self, mark: str, *, question: bool = False) -> str | None:
        """A line that holds something; None to leave. Ctrl-C keeps what is typed; without anything typed it drops the
        question that is asked (an empty text)."""
        typed = ""
        while True:
            try:
                text = (await self._line(mark, typed)).strip()
            except EOFError:
                return None
            except KeyboardInterrupt:
                typed = self._prompt.default_buffer.text
                if question and not typed:
                    return ""
                self._note(_KEPT)
                continue
            if text:
                return text
            typed = ""

    def _note(self, text: Text, **params: object) -> None:
        self._screen.note(text.say(ui_language(), **params))


def is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # no file of the machine stands behind it
        return False
