"""`chat`: one session, question after question, with the questions back answered inline."""

from __future__ import annotations

from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.history import InMemoryHistory

from metaagent.cli.asking import ANSWERED, Door, follow, run, ui_language
from metaagent.cli.screen import Screen, say_error
from metaagent.errors import MetaAgentError, Text
from metaagent.runtime import MetaAgent

_HELLO = Text(
    en="Ask anything; an empty line or Ctrl-D ends. Ctrl-C cancels a running question.",
    ko="무엇이든 물어보세요. 빈 줄이나 Ctrl-D로 끝내고, Ctrl-C로 진행 중인 질문을 취소합니다.",
)
_BYE = Text(
    en="Go on later with: metaagent chat --session {session}",
    ko="나중에 이어서 하려면: metaagent chat --session {session}",
)


def run_chat(door: Door, session: str | None) -> int:
    return run(lambda: _chat(door, session))


async def _chat(door: Door, session: str | None) -> int:
    language = ui_language()
    screen = Screen()
    async with door.open() as app:
        # Questions are personal: the history of the prompt is read from the session, never kept in a file of its own.
        history = InMemoryHistory(await _asked_before(app, door, session))
        prompt: PromptSession[str] = PromptSession(history=history)
        screen.note(_HELLO.say(language))
        while text := await _read(prompt, "❯ "):
            session = await _turn(app, door, prompt, text, session)
        if session:
            screen.note(_BYE.say(language, session=session))
    return ANSWERED


async def _asked_before(app: MetaAgent, door: Door, session: str | None) -> list[str]:
    if session is None:
        return []
    return [turn.question for turn in reversed(await app.turns(session, user=door.user))]


async def _turn(
    app: MetaAgent, door: Door, prompt: PromptSession[str], text: str, session: str | None
) -> str | None:
    try:
        await follow(app, door, app.stream(text, session_id=session, user=door.user))
        session = session or (await app.sessions(user=door.user, limit=1))[0].session_id
        while question := await _waiting(app, door, session):
            answer = await _read(prompt, "… ")
            if not answer:
                await app.cancel(session, user=door.user)
                break
            chosen = _option(answer, question)
            await follow(
                app, door, app.stream_resume(session, chosen, question_id=question["id"], user=door.user)
            )
    except MetaAgentError as error:
        say_error(error.say(ui_language()))
    return session


async def _waiting(app: MetaAgent, door: Door, session: str) -> dict[str, Any] | None:
    turns = await app.turns(session, user=door.user, limit=1)
    return next(iter(turns[0].waiting), None) if turns else None


def _option(answer: str, question: dict[str, Any]) -> str:
    """A number picks the option that it stands before."""
    options = question.get("options") or []
    if answer.isdigit() and 1 <= int(answer) <= len(options):
        return str(options[int(answer) - 1])
    return answer


async def _read(prompt: PromptSession[str], mark: str) -> str:
    try:
        return (await prompt.prompt_async(mark)).strip()
    except (EOFError, KeyboardInterrupt):
        return ""
