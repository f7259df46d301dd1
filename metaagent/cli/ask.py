"""`metaagent ask` and `metaagent resume`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import (
    ANSWERED,
    APPROVE,
    BLOCKED,
    CLARIFY,
    FAILED,
    Door,
    Reply,
    language_of,
    show_error,
)
from metaagent.cli.options import NOW, PERSON, Session, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, MetaAgentError, NothingToResume, Text, os_problem

if TYPE_CHECKING:
    from metaagent.ports import Turn
    from metaagent.runtime import MetaAgent

TURN = (*PERSON, NOW)
QuestionText = Annotated[
    str, typer.Argument(help="The question; `-` reads one question a line from standard input.")
]
Which = Annotated[
    str | None, typer.Option("--question", help="Which of several waiting questions.", show_default=False)
]

_NOT_UTF8 = Text(
    en="Line {line} of standard input is not valid UTF-8. Save it as UTF-8 and try again.",
    ko="표준 입력의 {line}번째 줄이 올바른 UTF-8이 아닙니다. UTF-8로 저장해 다시 시도하세요.",
)
_DECIDE = Text(
    en="Session {session} waits for a decision on its plan. Decide with: metaagent approve {session}{options}",
    ko="세션 {session}은(는) 계획에 대한 결정을 기다립니다. 결정하려면: metaagent approve {session}{options}",
)
_NO_FILE = Text(en="{path} cannot be read: {problem}.", ko="{path}을(를) 읽을 수 없습니다: {problem}.")
_TOO_LARGE = Text(
    en="{path} is larger than the {most:,} bytes that can be attached.",
    ko="{path}이(가) 첨부할 수 있는 {most:,}바이트보다 큽니다.",
)
_EITHER = Text(en="Give either an answer or --discard.", ko="답과 --discard 중 하나만 지정하세요.")
_DROPPED = Text(en="Dropped question {turn}: {question}", ko="{turn}번 질문을 버렸습니다: {question}")
_NOT_DROPPED = Text(
    en="Session {session} has nothing to drop: no question of it waits or was cut off, or another process works on it.",
    ko="세션 {session}에는 버릴 것이 없습니다. 답을 기다리거나 중간에 끊긴 질문이 없거나, 다른 프로세스가 처리하고 있습니다.",
)
LARGEST = 50_000_000
_WORST_FIRST = (FAILED, BLOCKED, APPROVE, CLARIFY, 2, ANSWERED)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "ask", TURN, panel=panel, speaks="text")(ask)
    command(app, "resume", TURN, panel=panel)(resume)


async def ask(
    door: Door,
    text: QuestionText,
    session: Annotated[
        str | None, typer.Option("--session", help="Go on in this session.", show_default=False)
    ] = None,
    attach: Annotated[
        list[Path] | None,
        typer.Option("--attach", help="A file to ask about (repeatable).", show_default=False),
    ] = None,
    discard: Annotated[
        bool, typer.Option("--discard", help="Drop the session's question that waits or was cut off.")
    ] = False,
) -> int:
    """Ask one question and print the answer.

    Exit codes: 0 answered, at least in part; 1 failed, or nobody here could do it; 2 wrong usage; 3 a question
    back waits for `resume`; 4 a plan waits for `approve`; 5 a check holds something back, which somebody else can
    let through (`blocked` in the output says what, by which rule, and who).
    """
    from metaagent.cli.follow import cut_off, exit_code, follow

    async with door.open() as app:
        asked: dict[str, Any] = {"session_id": session, "user": door.user}
        codes: list[int] = []
        for line in lines_given() if text == "-" else (text,):
            try:
                if isinstance(line, InputRefused):
                    raise line
                files = [await app.attach(each.name, _content(each), user=door.user) for each in attach or ()]
                before = await cut_off(app, door, session, or_waits=discard)
                waiting = "discard" if discard else "refuse"
                events = app.stream(line, **asked, on_waiting=waiting, attachments=files)
                answer = await follow(app, door, events, left=None if discard else before)
                if discard and before is not None:
                    await _show_dropped(app, door, before, language_of(line))
                codes.append(exit_code(answer))
            except MetaAgentError as error:
                if text != "-":
                    raise
                # A bad line does not stop the others.
                codes.append(show_error(error, door, language_of(line if isinstance(line, str) else None)))
        return min(codes, default=ANSWERED, key=_WORST_FIRST.index)


async def resume(
    door: Door,
    session: Session,
    answer: Annotated[
        str | None,
        typer.Argument(
            help="The answer, or the number of an option; none if the turn was cut off.", show_default=False
        ),
    ] = None,
    question: Which = None,
    discard: Annotated[
        bool, typer.Option("--discard", help="Drop the question that waits or was cut off, instead.")
    ] = False,
) -> int | Reply:
    """Answer a question back, or finish or drop a turn that was cut off.

    Plans are decided on with `approve`.
    """
    from metaagent.cli.follow import cut_off, exit_code, follow, show_finished, waiting_in
    from metaagent.level1.new_question import chosen
    from metaagent.level1.reasoner import detect_language

    if discard and answer:
        raise InputRefused(_EITHER)
    async with door.open() as app:
        if discard:
            return await _discard(app, door, session)
        waiting = await waiting_in(app, door, session) if answer else ()
        left = await cut_off(app, door, session) if answer else None
        wanted = [q for q in waiting if question is None or question in (q["id"], q.get("step_id"))]
        asked = wanted[0] if len(wanted) == 1 else None
        try:
            if asked is not None and asked["kind"] == "approval":
                raise InputRefused(_DECIDE, session=session, options=door.options)
            picked = chosen(answer, asked) if answer else answer
            events = app.stream_resume(session, picked, question_id=question, user=door.user)
            return exit_code(await follow(app, door, events))
        except MetaAgentError as error:
            if left is not None and isinstance(error, NothingToResume):
                await show_finished(app, door, left)
            # Hangul in an answer tells its language; a number or a name does not.
            korean = detect_language(answer or "") == "ko"
            return show_error(error, door, "ko" if korean else ui_language())


async def _discard(app: MetaAgent, door: Door, session: str) -> Reply:
    """Drop the last turn, and say what its steps may have done outside."""
    if not await app.cancel(session, user=door.user):
        raise NothingToResume(_NOT_DROPPED, session=session)
    (last,) = await app.turns(session, user=door.user, limit=1)
    answer = await app.answer(last.turn_id, user=door.user)
    content = {"session_id": session, "turn_id": last.turn_id, "dropped": last.question, "said": answer.text}
    said = _DROPPED.say(ui_language(), turn=last.number, question=last.question)
    return Reply(content, [said, answer.text])


async def _show_dropped(app: MetaAgent, door: Door, dropped: Turn, language: str) -> None:
    from metaagent.cli.screen import Screen

    screen = Screen(quiet=door.as_json)
    screen.note(_DROPPED.say(language, turn=dropped.number, question=dropped.question))
    screen.note((await app.answer(dropped.turn_id, user=door.user)).text)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise InputRefused(_TOO_LARGE, path=path, most=LARGEST)
        return path.read_bytes()
    except OSError as error:
        raise InputRefused(_NO_FILE, path=path, problem=os_problem(error)) from error


def lines_given() -> Iterator[str | InputRefused]:
    """The lines of standard input that hold something; a line that is not UTF-8 is given as its refusal."""
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            line = raw.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            yield InputRefused(_NOT_UTF8, line=number)
            continue
        if line.strip():
            yield line
