"""Takes in what people say: a question becomes a turn that runs, an answer lets one go on."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, cast

from metaagent.errors import (
    AccessDenied,
    InputRefused,
    KeyUnavailable,
    MetaAgentError,
    NothingToResume,
    RowRefused,
    Text,
    TurnRunning,
    TurnWaiting,
)
from metaagent.input_checks import admit_answer, admit_question, admit_user
from metaagent.level1.new_question import gives_up, is_new_question, may_be_question
from metaagent.level1.planning.decisions import decision_of
from metaagent.level1.reasoner import detect_language
from metaagent.memory.recall import preferences_of
from metaagent.ports import ENDED, AnalysisInput, Json, SessionInfo, Turn, User
from metaagent.sessions.assembly import Parts
from metaagent.sessions.attachments import Attached
from metaagent.sessions.guard import SessionGuard
from metaagent.sessions.lifecycle import SessionLifecycle
from metaagent.sessions.runner import Place, TurnRunner
from metaagent.state.migrations import STATES
from metaagent.storage.disk_reserve import check_room
from metaagent.storage.turn_records import Row
from metaagent.values import iso

logger = logging.getLogger(__name__)

OnWaiting = Literal["refuse", "discard"]
ASK, RESUME, APPROVE = "session.ask", "session.resume", "session.approve"
OVERRIDE = "compliance.override"
DECISIONS = {"approval": APPROVE, "override": OVERRIDE}
"""The right that a decision on a question of each kind needs. Other questions are answered by the one who asked."""

COLLECT_EVERY = 16
"""Turns after which artifacts that are no longer kept are removed: looking for them costs more than one turn should."""

_WAITING = Text(
    en="Session {session_id} waits for your answer to: {question} Answer it with `metaagent resume {session_id} ANSWER` "
    "(a plan: `metaagent approve {session_id}`), or drop that question with `--discard`.",
    ko="세션 {session_id}에서 답을 기다리고 있습니다: {question} `metaagent resume {session_id} 답`(계획은 "
    "`metaagent approve {session_id}`)으로 답하거나 `--discard`로 그 질문을 버리세요.",
)
_NOTHING = Text(
    en="Session {session_id} has nothing to resume: no question of it waits or was cut off.",
    ko="세션 {session_id}에는 이어서 할 것이 없습니다. 답을 기다리거나 중간에 끊긴 질문이 없습니다.",
)
_NO_ANSWER = Text(
    en="Session {session_id} waits for an answer to: {question} Give one.",
    ko="세션 {session_id}에서 답을 기다리고 있습니다: {question} 답을 적어 주세요.",
)
_WHICH = Text(
    en="Session {session_id} waits for {count} answers; say which with --question: {ids}.",
    ko="세션 {session_id}에서 {count}개의 답을 기다립니다. --question으로 어느 질문인지 지정하세요: {ids}.",
)
_NO_PLAN = Text(
    en="Session {session_id} has no plan to approve; it waits for an answer to: {question}",
    ko="세션 {session_id}에는 승인할 계획이 없습니다. 다음 질문의 답을 기다립니다: {question}",
)
_NO_PLAN_FOR_OFFICER = Text(
    en="No plan of session {session_id} waits for you: as {roles} you decide on what a check holds back, and on nothing else. "
    "`metaagent approvals` lists what waits for you.",
    ko="세션 {session_id}에는 당신을 기다리는 계획이 없습니다. {roles} 역할은 규정 확인에서 막힌 것만 결정합니다. "
    "`metaagent approvals`로 기다리는 것을 확인하세요.",
)
_HELD_BACK = Text(
    en="Session {session_id} waits for no approval: a check holds it back, and only somebody else in the role "
    "compliance_officer can decide on that, with a reason: {question}",
    ko="세션 {session_id}은(는) 계획 승인이 아니라 규정 확인 결과에 대한 결정을 기다립니다. "
    "질문한 사람이 아닌 compliance_officer 역할의 담당자가 이유를 적어 결정해야 합니다: {question}",
)
_NO_GATE = Text(
    en="Session {session_id} has no closed gate to decide on; it waits for an answer to: {question}",
    ko="세션 {session_id}에는 결정할 규정 위반이 없습니다. 다음 질문의 답을 기다립니다: {question}",
)
_NOT_FOR_YOU = Text(
    en="Session {session_id} waits for nothing that you decide on: whoever asked there is asked something else. "
    "`metaagent approvals` lists what waits for you.",
    ko="세션 {session_id}은(는) 당신의 결정을 기다리지 않습니다. 질문한 사람의 다른 답을 기다리는 중입니다. "
    "`metaagent approvals`로 기다리는 것을 확인하세요.",
)
_SAY_WHY = Text(
    en="Say `approve` or `reject`, and why (--reason): a decision on what a check found is on record with its reason.",
    ko="`approve`(승인)나 `reject`(거절)와 이유(--reason)를 적어 주세요. 규정 확인 결과에 대한 결정은 이유와 함께 기록됩니다.",
)


@dataclass(frozen=True)
class Reply:
    """A person's answer to a question that a turn waits with."""

    answer: Any
    question_id: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class _Given:
    """A reply with the person who gave it."""

    reply: Reply
    user: User
    operation: str
    """The call that it came with: a decision is meant for what it decides on, and for nothing else."""
    own: bool

    def may_see(self, question: Json) -> bool:
        """Tell whether a question is theirs to know: of one's own turn all are, of another's those that the call decides on."""
        return self.own or self.operation == RESUME or DECISIONS.get(question["kind"]) == self.operation

    @property
    def decision(self) -> Json:
        """The decision on a plan. Whatever the answer says about it, it was made by this person."""
        answer, reason = self.reply.answer, self.reply.reason
        said = cast("Json", answer) if isinstance(answer, dict) else {"decision": answer}
        why = {"reason": reason} if reason else {}
        return {**said, **why, "by": self.user.user_id}


def _override(given: _Given, question: Json) -> Json:
    """The decision on a closed gate: plain, with its reason, for the verdicts and inputs that were shown."""
    decision = decision_of(given.decision)
    if decision.verdict == "unclear" or decision.edits or not decision.reason.strip():
        raise InputRefused(_SAY_WHY)
    shown = {"verdicts": question["verdicts"], "inputs": question["inputs"]}
    return {"decision": decision.verdict, "reason": decision.reason, "by": given.user.user_id, "for": shown}


class TurnService:
    def __init__(
        self, parts: Parts, guard: SessionGuard, runner: TurnRunner, lifecycle: SessionLifecycle
    ) -> None:
        self._parts = parts
        self._settings = parts.settings
        self._store = parts.store
        self._vault = parts.vault
        self._memory = parts.ports.memory
        self._attachments = parts.ports.attachments
        self._clock = parts.clock
        self._gatekeeper = parts.gatekeeper
        self._guard = guard
        self._runner = runner
        self._lifecycle = lifecycle

    async def begin(
        self,
        text: str,
        session_id: str | None,
        user: User,
        on_waiting: OnWaiting,
        attachments: Sequence[str | Json] = (),
    ) -> Turn:
        question = admit_question(text, self._settings.limits.question_bytes)
        await self._gatekeeper.require(admit_user(user), ASK)
        files = await self._attachments.taken(attachments, user) if attachments else []
        check_room(self._settings.data_dir)
        known = await self._memory.recall(user, question)
        language = self.language(question, preferences_of(known).get("language"))
        now = iso(self._clock.now())
        new: SessionInfo | None = None
        if session_id is None:
            session_id = f"s{secrets.token_hex(8)}"
            title = " ".join(question.split())[:80]
            new = SessionInfo(
                session_id=session_id,
                company_id=user.company_id,
                owner=self._vault.alias(user),
                title=title,
                created_at=now,
                updated_at=now,
                turns=0,
                status="new",
                schema_version=STATES.newest,
            )
        else:
            await self._guard.session(session_id, user, ASK)
        place = await self._runner.take_place(session_id, user)
        try:
            number, follows = (1, 0) if new else await self._next_number(place, user, on_waiting)
            turn = Turn(
                turn_id=f"t{secrets.token_hex(8)}",
                session_id=session_id,
                number=number,
                status="running",
                question=question,
                language=language,
                user=user,
                started_at=now,
                follows=follows,
            )
            if files:
                turn = replace(turn, attached=await self._attachments.store(files, turn))
            journal = await self._runner.announce(turn, place, partial(self._add, turn, new, files))
            self._runner.start(turn, journal, place, known)
        except BaseException:
            place.release()
            raise
        return turn

    async def _add(
        self, turn: Turn, new: SessionInfo | None, files: Sequence[Attached], rows: Sequence[Row]
    ) -> None:
        """Store a turn with its first rows; the files that it took are its own from then on."""
        await self._store.add_turn(turn, new, rows)
        if files:
            await self._attachments.drop(files, turn.user)

    async def drop_last(self, session_id: str, on_waiting: OnWaiting) -> None:
        """A turn that is going to be undone is not finished first; one that waits only goes if that is meant."""
        last = await self._store.last_turn(session_id)
        if last is None or last.status in ENDED:
            return
        if last.status == "waiting" and on_waiting == "refuse":
            raise TurnWaiting(_WAITING, session_id=session_id, question=last.waiting[0]["question"])
        await self._runner.drop(last)

    async def _next_number(self, place: Place, user: User, on_waiting: OnWaiting) -> tuple[int, int]:
        """The number of the turn that begins, and of the one that it follows."""
        session_id = place.session_id
        await self._lifecycle.settle(session_id)
        last = await self._settle_last(place, on_waiting)
        if self._settings.retention.artifact_turns and last % COLLECT_EVERY == 0:
            try:
                await self._lifecycle.collect(session_id, user)
            except (RowRefused, KeyUnavailable) as error:
                # What a damaged row refers to is not known: nothing goes, and the question is answered.
                logger.error("artifacts of session %s were not collected: %s", session_id, error)
        return last + 1, await self._store.live_turn(session_id)

    async def _settle_last(self, place: Place, on_waiting: OnWaiting) -> int:
        """Finish or discard what an earlier question left behind; its number."""
        session_id = place.session_id
        last = await self._store.last_turn(session_id)
        if last is None:
            return 0
        if on_waiting == "discard" and last.status not in ENDED:
            await self._runner.drop(last)
            return last.number
        if last.status in {"queued", "running"}:
            await self._runner.finish(last, place)
            last = await self._store.turn(last.turn_id) or last
        if last.status == "waiting":
            raise TurnWaiting(_WAITING, session_id=session_id, question=last.waiting[0]["question"])
        return last.number

    async def go_on(self, session_id: str, reply: Reply, user: User, operation: str) -> Turn:
        """Let a turn go on with a reply. `operation` says what it is meant for: for whatever is asked, or for the plan
        alone. A reply that is a question of its own takes the place of the one that waits, as a new turn."""
        try:
            info = await self._guard.session(session_id, user, operation)
        except AccessDenied:
            if operation == APPROVE and self._gatekeeper.rights(user).may(OVERRIDE, own=False):
                told = {"session_id": session_id, "roles": ", ".join(user.roles)}
                raise AccessDenied(_NO_PLAN_FOR_OFFICER, **told) from None
            raise
        own = self._guard.is_owner(info, user)
        given = _Given(reply, user, operation, own=own)
        check_room(self._settings.data_dir)
        place = await self._runner.take_place(session_id, user)
        try:
            if operation == RESUME and await self._asks_anew(session_id, reply, user):
                place.release()
                return await self.begin(reply.answer, session_id, user, "discard")
            await self._lifecycle.settle(session_id)
            turn = await self._store.last_turn(session_id)
            if turn is None or turn.status not in {"queued", "running", "waiting"}:
                raise NothingToResume(_NOTHING, session_id=session_id)
            if given.own:  # as they are now; who decides on another's plan lends them nothing
                scopes = turn.user.scopes if reply.answer is None else user.scopes
                turn = replace(turn, user=replace(turn.user, roles=user.roles, scopes=scopes))
            if turn.status == "waiting":
                turn = replace(turn, status="running", answers=await self._answers(turn, given))
                await self._store.save_turn(turn)
            elif reply.answer is not None:
                turn = await self._answered_after_crash(turn, given, place)
            await self._runner.go_on(turn, place)
        except BaseException:
            place.release()
            raise
        return turn

    async def _asks_anew(self, session_id: str, reply: Reply, user: User) -> bool:
        text, rules = reply.answer, self._parts.rules
        turn = await self._store.last_turn(session_id)
        if turn is None or turn.status != "waiting" or len(turn.waiting) != 1 or rules is None:
            return False
        question = turn.waiting[0]
        if not isinstance(text, str) or reply.reason or not may_be_question(text, question):
            return False
        admit_question(text, self._settings.limits.question_bytes)
        if turn.number > 1 and gives_up(text, question):
            return True
        given = AnalysisInput(
            self._clock.now(), self._settings.timezone, None, user, self._parts.registry.capabilities()
        )
        readings = [await rules.analyze(each, given) for each in (text, turn.question)]
        return is_new_question(text, question, *readings)

    async def _answered_after_crash(self, turn: Turn, given: _Given, place: Place) -> Turn:
        """An answer to a turn that was left unfinished: it is finished first; then the answer counts if it waits."""
        await self._runner.finish(turn, place)
        turn = await self._store.turn(turn.turn_id) or turn
        if turn.status != "waiting":
            raise NothingToResume(_NOTHING, session_id=turn.session_id)
        turn = replace(turn, status="running", answers=await self._answers(turn, given))
        await self._store.save_turn(turn)
        return turn

    async def _answers(self, turn: Turn, given: _Given) -> dict[str, Any]:
        answer = given.reply.answer
        asked = {question["id"]: question for question in turn.waiting if given.may_see(question)}
        if not asked:
            raise InputRefused(_NOT_FOR_YOU, session_id=turn.session_id)
        first = next(iter(asked.values()))["question"]
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            raise InputRefused(_NO_ANSWER, session_id=turn.session_id, question=first)
        limits = self._settings.limits
        for said in (answer, given.reply.reason):
            admit_answer(said, limit=limits.question_bytes, depth=limits.nesting_depth)
        by_step = {q["step_id"]: key for key, q in asked.items() if q.get("step_id")}
        named = by_step.get(given.reply.question_id or "", given.reply.question_id)
        chosen = named or (next(iter(asked)) if len(asked) == 1 else None)
        if chosen is None or chosen not in asked:
            known = ", ".join(f"{q.get('step_id') or key} ({q['question']})" for key, q in asked.items())
            raise InputRefused(_WHICH, session_id=turn.session_id, count=len(asked), ids=known)
        question = asked[chosen]
        needed = DECISIONS.get(question["kind"])
        if given.operation in DECISIONS.values() and given.operation != needed:
            held = _HELD_BACK if needed == OVERRIDE else _NO_PLAN
            refusal = _NO_GATE if given.operation == OVERRIDE else held
            raise InputRefused(refusal, session_id=turn.session_id, question=question["question"])
        if needed is None:
            if given.reply.reason:
                raise InputRefused(_NO_PLAN, session_id=turn.session_id, question=question["question"])
            return {chosen: answer}
        if given.operation != needed or needed == OVERRIDE:
            own = given.own or given.user.user_id == turn.user.user_id
            await self._gatekeeper.require(given.user, needed, own=own, what=turn.session_id)
        return {chosen: given.decision if needed == APPROVE else _override(given, question)}

    async def take_up(self) -> int:
        """Go on with turns that nobody works on since their process ended; how many. One that cannot is named in the log,
        and waits for its person."""
        taken = 0
        for turn in await self._store.unfinished():
            try:
                await self.go_on(turn.session_id, Reply(None), replace(turn.user, scopes=None), RESUME)
                taken += 1
            except TurnRunning:
                continue  # somebody does
            except MetaAgentError as error:
                logger.error("turn %s was not taken up: %s", turn.turn_id, error)
        return taken

    async def cancel_idle(self, turn: Turn) -> bool:
        """A turn that waits, or that a crash left behind. False if it has ended or if someone else works on it."""
        with suppress(TurnRunning), self._parts.claimed(turn.session_id):
            now = await self._store.turn(turn.turn_id)
            if now is not None and now.status not in ENDED:
                await self._runner.drop(now)
                return True
        return False

    def language(self, text: str, preferred: str | None = None) -> str:
        """The configuration's, else the one that the person asked for, else the question's own."""
        chosen = self._settings.language
        return (preferred or detect_language(text)) if chosen == "auto" else chosen
