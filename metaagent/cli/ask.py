"""`metaagent ask` and `metaagent resume`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, APPROVE, BLOCKED, CLARIFY, FAILED, Door, language_of, show_error
from metaagent.cli.options import NOW, PERSON, Session, command
from metaagent.cli.startup import ui_language
from metaagent.errors import InputRefused, MetaAgentError, Text

if TYPE_CHECKING:
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
_CUT_OFF = Text(
    en="The question before it was cut off and is finished first: {question}",
    ko="앞서 중간에 끊긴 질문을 먼저 마칩니다: {question}",
)
_DECIDE = Text(
    en="Session {session} waits for a decision on its plan. Decide with: metaagent approve {session}{options}",
    ko="세션 {session}은(는) 계획에 대한 결정을 기다립니다. 결정하려면: metaagent approve {session}{options}",
)
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
    discard: Annotated[
        bool, typer.Option("--discard", help="Drop the session's question that still waits for an answer.")
    ] = False,
) -> int:
    """Ask one question and print the answer.

    Exit codes: 0 answered, at least in part; 1 failed, or nobody here could do it; 2 wrong usage; 3 a question
    back waits for `resume`; 4 a plan waits for `approve`; 5 a check holds something back, which somebody else can
    let through (`blocked` in the output says what, by which rule, and who).
    """
    async with door.open() as app:
        if text != "-":
            return await ask_one(app, door, text, session, discard=discard)
        codes = [await _ask_line(app, door, line, session, discard=discard) for line in lines_given()]
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
) -> int:
    """Answer a question back, or finish a turn that was cut off.

    Plans are decided on with `approve`.
    """
    from metaagent.cli.follow import exit_code, follow, waiting_in
    from metaagent.level1.new_question import chosen
    from metaagent.level1.reasoner import detect_language

    async with door.open() as app:
        waiting = await waiting_in(app, door, session) if answer else ()
        wanted = [q for q in waiting if question is None or question in (q["id"], q.get("step_id"))]
        asked = wanted[0] if len(wanted) == 1 else None
        try:
            if asked is not None and asked["kind"] == "approval":
                raise InputRefused(_DECIDE, session=session, options=door.options)
            picked = chosen(answer, asked) if answer else answer
            events = app.stream_resume(session, picked, question_id=question, user=door.user)
            return exit_code(await follow(app, door, events))
        except MetaAgentError as error:
            # Hangul in an answer tells its language; a number or a name does not.
            korean = detect_language(answer or "") == "ko"
            return show_error(error, door, "ko" if korean else ui_language())


async def ask_one(
    app: MetaAgent, door: Door, text: str, session: str | None, *, discard: bool = False
) -> int:
    from metaagent.cli.follow import exit_code, follow
    from metaagent.cli.screen import Screen

    if session and not door.as_json and (await app.session(session, user=door.user)).status == "interrupted":
        (last,) = await app.turns(session, user=door.user, limit=1)
        Screen().note(_CUT_OFF.say(language_of(text), question=last.question))
    on_waiting: Any = "discard" if discard else "refuse"
    events = app.stream(text, session_id=session, user=door.user, on_waiting=on_waiting)
    return exit_code(await follow(app, door, events))


async def _ask_line(
    app: MetaAgent, door: Door, line: str | InputRefused, session: str | None, *, discard: bool
) -> int:
    """Ask one of several questions: a bad line does not stop the others."""
    try:
        if isinstance(line, InputRefused):
            raise line
        return await ask_one(app, door, line, session, discard=discard)
    except MetaAgentError as error:
        return show_error(error, door, language_of(line if isinstance(line, str) else None))


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
