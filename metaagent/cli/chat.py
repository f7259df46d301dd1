"""`chat`: one session, question after question, with the questions back answered inline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.history import InMemoryHistory

from metaagent.cli.asking import ANSWERED, Door, follow, run, waiting_in
from metaagent.cli.questions import chosen
from metaagent.cli.screen import Screen, say_error
from metaagent.cli.starting import ui_language
from metaagent.errors import MetaAgentError, Text
from metaagent.runtime import MetaAgent

_HELLO = Text(
    en="Ask anything; an empty line or Ctrl-D ends. Ctrl-C cancels a running question.",
    ko="무엇이든 물어보세요. 빈 줄이나 Ctrl-D로 끝내고, Ctrl-C로 진행 중인 질문을 취소합니다.",
)
_DROPPED = Text(en="That question is dropped.", ko="그 질문은 취소했습니다.")
_BYE = Text(
    en="Go on later with: metaagent chat --session {session}{options}",
    ko="나중에 이어서 하려면: metaagent chat --session {session}{options}",
)


def run_chat(door: Door, session: str | None) -> int:
    return run(lambda: _chat(door, session))


async def _chat(door: Door, session: str | None) -> int:
    language = ui_language()
    screen = Screen(language)
    async with door.open() as app:
        # Questions are personal: the history of the prompt is read from the session, never kept in a file of its own.
        history = InMemoryHistory(await _asked_before(app, door, session))
        prompt: PromptSession[str] = PromptSession(history=history)
        screen.note(_HELLO.say(language))
        if session and (waiting := await waiting_in(app, door, session)):
            screen.ask(waiting, session, inline=True)
            await _turn(app, door, prompt, None, session)
        while text := await _read(prompt, "❯ "):
            events = app.stream(text, session_id=session, user=door.user)
            session = await _turn(app, door, prompt, events, session)
        if session:
            screen.note(_BYE.say(language, session=session, options=door.options))
    return ANSWERED


async def _asked_before(app: MetaAgent, door: Door, session: str | None) -> list[str]:
    if session is None:
        return []
    return [turn.question for turn in reversed(await app.turns(session, user=door.user))]


async def _turn(
    app: MetaAgent,
    door: Door,
    prompt: PromptSession[str],
    events: AsyncIterator[dict[str, Any]] | None,
    session: str | None,
) -> str | None:
    """Show a turn to its end, with every question that it asks on the way; None for one that waits already."""
    while True:
        try:
            if events is not None:
                session = (await follow(app, door, events, inline=True)).session_id
            assert session is not None, "a turn that waits has a session"
            events = await _answered(app, door, prompt, session)
        except MetaAgentError as error:
            say_error(error.say(ui_language()))
            if events is None or session is None:
                return session
            events = None  # an answer that was refused leaves its question waiting
            continue
        if events is None:
            return session


async def _answered(
    app: MetaAgent, door: Door, prompt: PromptSession[str], session: str
) -> AsyncIterator[dict[str, Any]] | None:
    """The turn going on with what is typed to the first question that waits; None if nothing does any more."""
    waiting = await waiting_in(app, door, session)
    if not waiting:
        return None
    question = waiting[0]
    mark = f"[{question['step_id']}] … " if len(waiting) > 1 else "… "
    answer = await _read(prompt, mark)
    if not answer:
        await app.cancel(session, user=door.user)
        Screen().note(_DROPPED.say(ui_language()))
        return None
    return app.stream_resume(session, chosen(answer, question), question_id=question["id"], user=door.user)


async def _read(prompt: PromptSession[str], mark: str) -> str:
    try:
        return (await prompt.prompt_async(mark)).strip()
    except (EOFError, KeyboardInterrupt):
        return ""
