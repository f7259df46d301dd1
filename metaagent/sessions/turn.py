"""One turn, from its first or next node to where it ends or waits. Knows nothing of who asked for it to run."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, GraphOutput

from metaagent.errors import MetaAgentError, RowRefused, StorageError, Text
from metaagent.global_state import GlobalSessionState
from metaagent.graph import entering
from metaagent.journal import Journal
from metaagent.level1.execution_manager.answers import addressed
from metaagent.level1.planning.effects import MAY_HAVE_HAPPENED
from metaagent.level1.turn_context import TurnContext
from metaagent.level1.turn_warnings import runs_of
from metaagent.monitor import Run
from metaagent.ports import Json, Turn
from metaagent.protection.redaction import redact_exception
from metaagent.sessions.assembly import Parts
from metaagent.sessions.context_factory import ContextFactory
from metaagent.sessions.outcome import ended_outcome, outcome_of
from metaagent.sessions.turn_input import first_input
from metaagent.storage.turn_records import Write
from metaagent.storage.vault import acting_for
from metaagent.values import iso, seconds_between

logger = logging.getLogger(__name__)

SessionGraph = CompiledStateGraph[GlobalSessionState, TurnContext, GlobalSessionState, GlobalSessionState]

_CANCELLED = Text(
    en="The question was cancelled. What was finished is kept; the session can be used.",
    ko="질문을 취소했습니다. 끝난 결과는 보관되며 세션은 계속 쓸 수 있습니다.",
)
_BROKEN = Text(
    en="The turn ended with an internal error ({problem}). The session can be used; the log has the details.",
    ko="내부 오류로 이번 턴이 끝났습니다({problem}). 세션은 계속 쓸 수 있으며 자세한 내용은 로그에 있습니다.",
)

READ_AT_THE_END = (
    "current_phase",
    "final_response",
    "query_analyzer_state",
    "planning_state",
    "execution_steps",
    "execution_manager_state",
    "response_metadata",
    "warnings",
    "errors",
)
"""The fields of the state from which the outcome of a turn is made."""

IN_RESPONSE = ("answer", "confidence", "artifacts", "citations", "sources", "warnings", "errors")
"""The fields of the outcome that the `response` event has."""


@dataclass
class Cancellation:
    """A person's request to stop a running turn. A shutdown stops it without ending it."""

    requested: bool = False


class TurnWorker:
    """Runs a turn on the graph and writes its end."""

    def __init__(self, graph: SessionGraph, parts: Parts, contexts: ContextFactory) -> None:
        self._graph: Any = graph
        self._store = parts.store
        self._checkpointer = parts.checkpointer
        self._saver = parts.saver
        self._clock = parts.clock
        self._memory = parts.ports.memory
        self._registry = parts.registry
        self._contexts = contexts
        self._recursion_limit = 4 * parts.settings.limits.iterations + 10

    async def run(
        self,
        turn: Turn,
        journal: Journal,
        cancellation: Cancellation,
        recalled: list[Json] | None = None,
    ) -> Turn:
        """Run the turn until it has ended or waits, and that is committed. Only storage trouble and shutdown raise."""
        if journal.resumed:
            turn = await self._with_model_use(turn)
        context = self._contexts.for_turn(turn, journal, recalled)

        def spent() -> Turn:
            return replace(turn, outcome={**turn.outcome, "usage": context.budget.usage()})

        config = {"configurable": {"thread_id": turn.session_id}, "recursion_limit": self._recursion_limit}
        retention, refused = self._checkpointer.retention, False
        output: GraphOutput[Any] | None = None
        while output is None:
            try:
                with acting_for(turn.user):
                    if refused:
                        # The newest checkpoint cannot be read: go on from the newest sound one, and say so.
                        said = "\n".join((await self._checkpointer.restore(turn.session_id)).warnings)
                        journal.emit("error", "checkpoint_refused", code="checkpoint_refused", message=said)
                    beginning = await self._input(turn, journal, config)
                    fresh = turn.number == 1 and not journal.resumed
                    with self._saver.running(
                        turn.session_id, turn.number, retention, journal, fresh=fresh
                    ) as run:
                        # The second version of its output leaves out the updates of each node, which nobody here reads.
                        given = await self._graph.ainvoke(
                            beginning,
                            config,
                            context=context,
                            output_keys=READ_AT_THE_END,
                            durability="sync",
                            version="v2",
                        )
                    if not run.ended and not given.interrupts:
                        await self._checkpointer.mark_turn_end(turn.session_id, turn.number)
                output = given
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - what it was decides how the turn ends
                if refused or not isinstance(error, RowRefused):
                    return await self._broken_off(spent(), journal, error, cancellation)
                refused = True
        return await _whole(self._settle(spent(), journal, output))

    async def _broken_off(
        self, turn: Turn, journal: Journal, error: Exception | asyncio.CancelledError, asked: Cancellation
    ) -> Turn:
        """End a turn that something ended early. Storage trouble and a shutdown leave it to be gone on with, and raise."""
        match error:
            case asyncio.CancelledError() if asked.requested:
                return await self.cancel(turn, journal)
            case asyncio.CancelledError() | StorageError():
                await self._leave(turn)
                raise error
            case MetaAgentError():
                return await self._fail(turn, journal, error.code, error.say(turn.language))
            case _:
                # Logged with its traceback, without personal data.
                logger.error("turn %s broke\n%s", turn.turn_id, redact_exception(error))
                said = _BROKEN.say(turn.language, problem=type(error).__name__)
                return await self._fail(turn, journal, "internal", said)

    async def _with_model_use(self, turn: Turn) -> Turn:
        """Add what the chat model used in runs of this turn that crashed: its budget goes on from there."""
        tokens, calls = await self._store.model_use(turn.turn_id)
        usage = turn.outcome.get("usage") or {}
        spent = {"tokens": usage.get("tokens", 0) + tokens, "calls": usage.get("calls", 0) + calls}
        return replace(turn, outcome={**turn.outcome, "usage": {**usage, **spent}})

    async def _leave(self, turn: Turn) -> None:
        """Stop without an end, in good order: none of the steps under way took the process down."""
        try:
            await self._store.end_starts(turn.turn_id)
        except StorageError as error:
            logger.error("the steps of turn %s count as crashed: %s", turn.turn_id, error)

    async def cancel(self, turn: Turn, journal: Journal) -> Turn:
        """End a turn that is under way or waits. What it had found out by then is kept; effects that its steps may have had
        outside are named."""
        agents = self._registry.for_company(turn.user.company_id).agents
        started = await self._store.starts(turn.turn_id)
        # Of an agent that is not here any more nobody knows what it does.
        acted = [
            f"{step} {name}" for step, name in started if name not in agents or agents[name].side_effects
        ]
        said = _CANCELLED.say(turn.language)
        if acted:
            said = f"{said} {MAY_HAVE_HAPPENED.say(turn.language, what=', '.join(acted))}"
        error = {"code": "cancelled", "message": said}
        cancelled = replace(turn, status="cancelled", outcome=ended_outcome(turn, error, turn.outcome))
        return await _whole(self._end(cancelled, journal, ("error", error)))

    async def _fail(self, turn: Turn, journal: Journal, code: str, message: str) -> Turn:
        error = {"code": code, "message": message}
        failed = replace(turn, status="failed", outcome=ended_outcome(turn, error))
        return await self._end(failed, journal, ("error", error))

    async def _input(self, turn: Turn, journal: Journal, config: Json) -> Any:
        """Say where to begin: at the start, at the answers that were waited for, or where a crash left off."""
        if not journal.published and not turn.answers:
            # Nobody saw anything of it: begin anew, from the state before it.
            if journal.resumed:
                await self._checkpointer.leave_turn(turn.session_id, turn.turn_id)
            return entering(first_input(turn, fresh=not journal.resumed))
        snapshot = await self._graph.aget_state(config)
        if (snapshot.values or {}).get("turn_id") != turn.turn_id:
            return entering(first_input(turn))
        pending = {i.id: i.value for i in snapshot.interrupts}
        answers = {key: addressed(pending[key], said) for key, said in turn.answers.items() if key in pending}
        return Command(resume=answers) if answers else None

    async def _settle(self, turn: Turn, journal: Journal, output: GraphOutput[Any]) -> Turn:
        values: Json = output.value or {}
        waiting = tuple({"id": i.id, **i.value} for i in output.interrupts)
        outcome = outcome_of(turn, values, waiting)
        if waiting:
            paused = replace(turn, status="waiting", waiting=waiting, answers={}, outcome=outcome)
            return await self._save(paused, journal)
        conclusion = (values.get("response_metadata") or {}).get("conclusion")
        return await self._end(
            replace(turn, status="completed", outcome=outcome),
            journal,
            ("response", {key: outcome[key] for key in IN_RESPONSE}),
            [run for _, run in runs_of(values)],
            self._memory.learning(turn, conclusion) if conclusion else None,
        )

    async def _end(
        self,
        turn: Turn,
        journal: Journal,
        event: tuple[str, Json],
        runs: Sequence[Run] = (),
        learn: Write | None = None,
    ) -> Turn:
        """Write the end of a turn that has its last status and its outcome."""
        ended = iso(self._clock.now())
        total = {"total": seconds_between(turn.started_at, ended)}
        outcome: Json = {**turn.outcome, "timings": {**total, **turn.outcome.get("timings", {})}}
        journal.emit(event[0], **event[1])
        answer = hashlib.sha256((outcome.get("answer") or "").encode()).hexdigest()
        journal.audit("turn.ended", outcome=turn.status, data={"answer_hash": journal.keyed(answer)})
        done = replace(turn, ended_at=ended, waiting=(), answers={}, outcome=outcome)
        return await self._save(done, journal, runs, learn)

    async def _save(
        self, turn: Turn, journal: Journal, runs: Sequence[Run] = (), learn: Write | None = None
    ) -> Turn:
        """Commit the turn's status, the events that are still queued, the agents' records and what was learned, in one
        transaction."""
        taken = await journal.take()
        await self._store.save_turn(turn, [row for row, _ in taken], runs, learn)
        self._contexts.learn(runs)
        journal.written(taken)
        return turn


async def _whole(ending: Coroutine[Any, Any, Turn]) -> Turn:
    """Write the end of a turn as a whole: a cancellation that comes meanwhile is too late for it."""
    task = asyncio.ensure_future(ending)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        return await task
