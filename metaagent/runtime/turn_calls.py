"""Calls on turns: ask, follow, decide, stop; and judge by the rules without a turn."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from metaagent.global_state import Verdict
from metaagent.input_checks import admit_id
from metaagent.journal import decode_artifact
from metaagent.ports import AnalysisInput, Json, Turn, User
from metaagent.runtime.calls import CALLS, Answer, Begun
from metaagent.runtime.wiring import Wired
from metaagent.sessions.approvals import WaitingDecisions
from metaagent.sessions.topics import Topics
from metaagent.sessions.turn_service import OnWaiting, Reply

if TYPE_CHECKING:
    from datetime import date


class TurnCalls(Wired):
    """Each call names the operation that it needs, and hands over to who does it."""

    async def ask(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Answer:
        """Answer a question. An unfinished turn of the session is finished first, one that waits is never overrun;
        `on_waiting="discard"` drops either. `attachments` are files that `attach` was given."""
        turn = await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        return _answer(await self._runner.wait(turn.turn_id))

    async def begin(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Begun:
        """Ask without waiting for the answer: `events` follows the turn, `answer` says how it stands."""
        return _begun(
            await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        )

    async def stream(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> AsyncIterator[Json]:
        """The turn's events as they happen, until it has ended or waits."""
        turn = await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        async for event in self._runner.events(turn.turn_id):
            yield event

    async def attach(self, name: str, content: bytes, *, user: User | None = None) -> Json:
        """Keep a file to be asked about: its `id` goes into `attachments` of a question. It is sealed for this person and
        searched in that conversation alone. Raises FileRefused where it cannot be read."""
        who = await self._guard.admitted(CALLS["attach"], user)
        return await self._parts.ports.attachments.keep(name, content, who)

    async def resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Answer:
        """Go on with a turn that waits for an answer, or that a crash left unfinished (no answer then). `reason` is why
        a plan is approved or rejected."""
        reply = Reply(answer, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["resume"])
        return _answer(await self._runner.wait(turn.turn_id))

    async def stream_resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> AsyncIterator[Json]:
        reply = Reply(answer, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["resume"])
        seen = len(await self._store.event_keys(turn.turn_id)) if answer is not None and turn.answers else 0
        async for event in self._runner.events(turn.turn_id, seen):
            yield event

    async def begin_resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Begun:
        """Like `resume`, without waiting for what comes of it."""
        reply = Reply(answer, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_resume"])
        )

    async def begin_approve(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Begun:
        """Like `approve`, without waiting for what comes of it."""
        reply = Reply(decision, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_approve"])
        )

    async def begin_override(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        reason: str,
        question_id: str | None = None,
        user: User | None = None,
    ) -> Begun:
        """Like `override`, without waiting for what comes of it."""
        reply = Reply(decision, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_override"])
        )

    async def approve(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> str:
        """Decide on a plan that waits, one's own or (`session.approve:any`) another's; how the turn stands then. What it
        answers is for the one who asked."""
        reply = Reply(decision, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["approve"])
        return _answer(await self._runner.wait(turn.turn_id)).status

    async def override(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        reason: str,
        question_id: str | None = None,
        user: User | None = None,
    ) -> str:
        """Decide on a gate that a verdict closed in another person's turn, for that verdict and those inputs alone; how
        the turn stands then."""
        reply = Reply(decision, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["override"])
        return _answer(await self._runner.wait(turn.turn_id)).status

    async def approvals(self, *, user: User | None = None) -> list[Json]:
        """List what waits and what this person may decide on: plans, with who asked what and when, and closed gates, with
        what the check found."""
        return await WaitingDecisions(self._parts).listed(user or User())

    async def approval_input(self, session_id: str, artifact_id: str, *, user: User | None = None) -> Any:
        """The content of an artifact that a waiting plan would use, for whoever may decide on that plan."""
        who = await self._guard.admitted(CALLS["approval_input"], user)
        named = (admit_id(session_id, "session"), admit_id(artifact_id, "artifact"))
        return (await WaitingDecisions(self._parts).input(*named, who))[1]

    async def approval_effect(
        self, session_id: str, step_id: str, *, language: str = "en", user: User | None = None
    ) -> Json | None:
        """Say what a step of a waiting plan would store, as it would be, for whoever may decide on that plan; None where the
        step stores nothing, or what it would store is not made yet."""
        who = await self._guard.admitted(CALLS["approval_effect"], user)
        decisions = WaitingDecisions(self._parts)
        return await decisions.effect(admit_id(session_id, "session"), step_id, who, language)

    async def topics(self, *, language: str = "en", most: int = 5, user: User | None = None) -> Topics | None:
        """Figures, what they split by, how far the data goes, and questions that work; None where no data is connected."""
        who = await self._guard.admitted(CALLS["topics"], user)
        parts = self._parts
        given = AnalysisInput(
            parts.clock.now(), self.settings.timezone, language, who, self.registry.capabilities()
        )
        return await parts.domain.topics(given, most=most)

    async def follow_ups(self, turn_id: str, *, most: int = 3, user: User | None = None) -> list[str]:
        """Questions that lead on from the answer of a turn and that this installation can answer, in the turn's language."""
        from metaagent.sessions.follow_ups import follow_ups_of

        who = await self._guard.admitted(CALLS["follow_ups"], user)
        turn, parts, rights = await self._guard.turn(turn_id, who), self._parts, self._gatekeeper.rights(who)
        given = AnalysisInput(
            parts.clock.now(), self.settings.timezone, turn.language, who, self.registry.capabilities()
        )
        verdicts = [each["id"] for each in turn.outcome.get("artifacts") or () if each["kind"] == "verdict"]
        judged = [await self._store.artifact(turn.session_id, each) for each in verdicts]
        findings = [one for each in judged if each for one in decode_artifact(each).get("findings") or ()]
        library = self._knowledge.port(who, rights) if rights.may("knowledge.read") else None
        return await follow_ups_of(turn.outcome, findings, parts.domain, library, given, most)

    async def events(self, turn_id: str, *, after: int = 0, user: User | None = None) -> AsyncIterator[Json]:
        """Stream the events after the last seq that a late or reconnecting reader saw."""
        who, running, shared = user or User(), self._runner.running(turn_id), False
        if running is None or not await self._guard.own_turn(running, who):
            shared = (await self._guard.turn(turn_id, who)).user.user_id != who.user_id
        async for event in self._runner.events(turn_id, after):
            if shared:  # the share may have ended meanwhile
                await self._guard.turn(turn_id, who)
            yield event

    async def watch(
        self, session_id: str, *, after: str | None = None, user: User | None = None
    ) -> AsyncGenerator[Json]:
        """The events of all turns of a session, in order, as they happen: those that were, those of turns that wait and go
        on, and those of turns to come, whichever process runs them, until the reader leaves. Each has a `cursor`;
        `after` goes on behind the one that a reader saw last (`<turn's number>.0` begins with that turn)."""
        who = user or User()
        info = await self._guard.session(session_id, who, CALLS["watch"])
        async with aclosing(self._feeds.watch(session_id, after)) as events:
            async for event in events:
                if info.shared_by:  # the share may have ended meanwhile
                    await self._guard.session(session_id, who, CALLS["watch"])
                yield event

    async def answer(self, turn_id: str, *, user: User | None = None) -> Answer:
        """Say how a turn stands, whoever ran it. One that waits here for its start has its `place`; one that is paused
        says so (`paused`)."""
        turn = await self._guard.turn(turn_id, user or User())
        content = {"session_id": turn.session_id, "turn_id": turn.turn_id, **turn.outcome}
        place = self._runner.place_of(turn_id)
        if place is not None:
            return Answer("queued", {**content, "place": place})
        return Answer(
            turn.status, {**content, "paused": True} if await self._control.is_held(turn) else content
        )

    async def cancel(self, session_id: str, *, user: User | None = None) -> bool:
        """Stop the session's running or waiting turn, whichever process it runs in. What it finished is kept."""
        await self._guard.session(session_id, user or User(), CALLS["cancel"])
        turn = await self._store.last_turn(session_id)
        if turn is None:
            return False
        drop = self._turn_service.cancel_idle
        if await self._runner.cancel(turn.turn_id) or await drop(turn):
            return True
        return await self._control.cancel_elsewhere(turn, drop)

    async def pause(self, session_id: str, *, user: User | None = None) -> bool:
        """Steps under way finish; no other starts until `unpause`. False if no turn is running."""
        await self._guard.session(session_id, user or User(), CALLS["pause"])
        return await self._control.hold(await self._store.last_turn(session_id), "pause")

    async def unpause(self, session_id: str, *, user: User | None = None) -> bool:
        await self._guard.session(session_id, user or User(), CALLS["unpause"])
        return await self._control.hold(await self._store.last_turn(session_id), "unpause")

    async def judge_file(
        self,
        name: str,
        content: bytes,
        *,
        packs: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Verdict:
        """Judge a document, or rows of expenses in CSV or JSON, by the rule packs."""
        who = await self._guard.admitted(CALLS["judge_file"], user)
        return await self._compliance().file(name, content, user=who, language=language, packs=packs)

    async def judge_expenses(
        self,
        first: date,
        last: date,
        *,
        packs: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Verdict:
        """Judge the expense book of these days by the rule packs."""
        who = await self._guard.admitted(CALLS["judge_expenses"], user)
        return await self._compliance().expenses((first, last), user=who, language=language, packs=packs)


def _answer(turn: Turn | None) -> Answer:
    assert turn is not None, "a turn that ran is stored"
    return Answer(turn.status, turn.outcome)


def _begun(turn: Turn) -> Begun:
    return Begun(turn.session_id, turn.turn_id, turn.number)
