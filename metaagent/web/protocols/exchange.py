"""One message of a person through a protocol, and the reply: the same rules for every protocol.

A message asks, answers what a turn asked back, or stops a plan that waits. It never approves one: whoever types `yes` to a
program may not have seen the plan, so decisions are made where it is shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaagent.acting import Acting
from metaagent.errors import InputRefused, Text
from metaagent.level1.reasoner import detect_language
from metaagent.ports import ENDED, Json, Turn
from metaagent.runtime import Answer

DECISIONS = frozenset({"approval", "override"})
"""Kinds of questions that are decided on, with a right of their own, and never answered by a message."""
STOP = frozenset({"cancel", "stop", "discard", "취소", "취소해", "취소해줘", "취소해 주세요", "그만"})
GO_ON = frozenset({"continue", "go on", "result", "status", "계속", "계속해", "계속해줘", "결과", "상태"})

_CHOICES = Text(en="Choices: {options}", ko="선택지: {options}")
_PLAN = Text(
    en="{question}\n\nIt cannot be approved in this conversation. Decide on the page under Approvals, with `metaagent approve "
    "{session_id}`, or with the `approve` tool over MCP. Then write `continue` here for the result, or `cancel` to drop it now.",
    ko="{question}\n\n이 대화에서는 승인할 수 없습니다. 웹 페이지의 승인 화면, `metaagent approve {session_id}` 명령, 또는 MCP의 "
    "`approve` 도구에서 결정해 주세요. 결정된 뒤 여기에 `계속`이라고 쓰면 결과를 보여 드리고, `취소`라고 쓰면 지금 그만둡니다.",
)
_GATE = Text(
    en="{question}\n\nOnly a compliance officer may let it through, not this conversation. Write `continue` here for the result "
    "once that is decided, or `cancel` to drop it now.",
    ko="{question}\n\n준법 담당자만 통과시킬 수 있으며 이 대화에서는 할 수 없습니다. 결정된 뒤 여기에 `계속`이라고 쓰면 결과를 "
    "보여 드리고, `취소`라고 쓰면 지금 그만둡니다.",
)
_STOPPED = Text(
    en="The waiting request was dropped; nothing of its plan was run.",
    ko="기다리던 요청을 취소했습니다. 그 계획은 실행하지 않았습니다.",
)

_NOT_DECIDED = Text(
    en="Nothing was decided: session {session_id} waits with no such plan. Send `approve` or `reject` with the hash of the plan "
    "that was shown.",
    ko="아무것도 결정하지 않았습니다. 세션 {session_id}에 그 계획이 기다리고 있지 않습니다. 보여 드린 계획의 해시와 함께 "
    "`approve`나 `reject`를 보내세요.",
)


@dataclass(frozen=True)
class Reply:
    """The state of a turn as a protocol tells it: `text` is what a person reads."""

    status: str
    text: str
    session_id: str
    turn_id: str
    content: Json = field(repr=False)
    question: Json | None = None
    """The question that it waits with."""

    @property
    def asks(self) -> bool:
        """Tell whether a message may answer it."""
        return self.question is not None and self.question["kind"] not in DECISIONS


def reply_of(answer: Answer, language: str) -> Reply:
    """Word how a turn stands: its answer, or the question that it waits with."""
    content = answer.content
    question = _asked(content.get("waiting") or ()) if answer.status == "waiting" else None
    text = answer.text if question is None else _question_text(question, answer.session_id, language)
    return Reply(answer.status, text, answer.session_id, answer.turn_id, content, question)


def _asked(waiting: Sequence[Json], question_id: str | None = None) -> Json | None:
    """The question of this id; without one, the first that a message may answer, else the first that waits."""
    if question_id is not None:
        return next((each for each in waiting if each["id"] == question_id), None)
    return next((each for each in waiting if each["kind"] not in DECISIONS), next(iter(waiting), None))


def _question_text(question: Json, session_id: str, language: str) -> str:
    if question["kind"] in DECISIONS:
        text = _PLAN if question["kind"] == "approval" else _GATE
        return text.say(language, question=question["question"], session_id=session_id)
    options = [str(option) for option in question.get("options") or ()]
    if not options:
        return question["question"]
    return f"{question['question']}\n\n{_CHOICES.say(language, options=', '.join(options))}"


def _means(text: str, words: frozenset[str]) -> bool:
    return " ".join(text.split()).strip(".!?。 ").casefold() in words


@dataclass
class Exchange:
    """A message under way. Made by `begin`, which raises what refuses it before anything is told."""

    app: Acting
    language: str
    session_id: str
    turn_id: str
    _first: Json | None = None
    _rest: AsyncIterator[Json] | None = None
    _notice: str = ""

    async def events(self) -> AsyncIterator[Json]:
        """The turn's events of SPEC §5, until it ends or waits; none where the message changed nothing."""
        if self._first is not None:
            yield self._first
        if self._rest is not None:
            async for event in self._rest:
                self.turn_id = event["turn_id"]
                yield event

    async def reply(self) -> Reply:
        """Say how the turn stands now. For after the events have ended."""
        told = reply_of(await self.app.answer(self.turn_id), self.language)
        if not self._notice:
            return told
        return Reply(told.status, self._notice, told.session_id, told.turn_id, told.content)


async def begin(app: Acting, text: str, session_id: str | None = None) -> Exchange:
    """Take a message in: a question, or the answer to what the session waits with."""
    last = await _last_turn(app, session_id) if session_id else None
    if last is not None and last.status == "waiting":
        return await _answered(app, last, text)
    if last is not None and last.status in ENDED and _means(text, GO_ON) and _was_decided(last):
        return Exchange(app, last.language, last.session_id, last.turn_id)
    return await _started(app, app.stream(text, session_id=session_id), detect_language(text))


async def answer(app: Acting, text: str, session_id: str, question_id: str | None = None) -> Exchange:
    """Take a message in as the answer to a question, and as nothing else."""
    last = await _last_turn(app, session_id)
    if last is None or last.status != "waiting":
        language = detect_language(text)
        return await _started(
            app, app.stream_resume(session_id, text, question_id=question_id), language, session_id
        )
    return await _answered(app, last, text, question_id)


async def decide(
    app: Acting, session_id: str, question_id: str, decision: object, plan_hash: object
) -> Exchange:
    """Decide on the plan that was shown: by the one word, for that plan. Anything else decides nothing."""
    last = await _last_turn(app, session_id)
    question = _asked(last.waiting, question_id) if last is not None and last.status == "waiting" else None
    shown = question is not None and question["kind"] == "approval" and question["plan_hash"] == plan_hash
    if last is None or question is None or not shown or decision not in ("approve", "reject"):
        raise InputRefused(_NOT_DECIDED, session_id=session_id)
    events = app.stream_resume(session_id, decision, question_id=question_id)
    return await _started(app, events, last.language, session_id, last.turn_id)


async def drop(app: Acting, session_id: str) -> Exchange:
    """Stop the turn that waits in a session."""
    last = await _last_turn(app, session_id)
    if last is None or last.status != "waiting":
        raise InputRefused(_NOT_DECIDED, session_id=session_id)
    return await _dropped(app, last)


async def _dropped(app: Acting, turn: Turn) -> Exchange:
    await app.cancel(turn.session_id)
    return Exchange(app, turn.language, turn.session_id, turn.turn_id, _notice=_STOPPED.say(turn.language))


async def _answered(app: Acting, turn: Turn, text: str, question_id: str | None = None) -> Exchange:
    question = _asked(turn.waiting, question_id)
    if question is None or question["kind"] not in DECISIONS:
        # By its id: should it have been answered elsewhere meanwhile, this is no answer to what the turn waits with now.
        named = question["id"] if question else question_id
        events = app.stream_resume(turn.session_id, text, question_id=named)
        return await _started(app, events, turn.language, turn.session_id, turn.turn_id)
    if _means(text, STOP):
        return await _dropped(app, turn)
    return Exchange(app, turn.language, turn.session_id, turn.turn_id)


async def _last_turn(app: Acting, session_id: str) -> Turn | None:
    return next(iter(await app.turns(session_id, limit=1)), None)


def _was_decided(turn: Turn) -> bool:
    """Tell whether a person decided on the turn's plan: then somebody may still want to read how it ended."""
    planning: Any = turn.outcome.get("plan") or {}
    return bool((planning.get("approval") or {}).get("by")) or bool(turn.answers)


async def _started(
    app: Acting, events: AsyncIterator[Json], language: str, session_id: str = "", turn_id: str = ""
) -> Exchange:
    """Wait for the first event: what refuses the message is raised before it."""
    first = await anext(events, None)
    place = first or {"session_id": session_id, "turn_id": turn_id}
    return Exchange(app, language, place["session_id"], place["turn_id"], first, events)
