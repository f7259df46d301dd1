"""One turn, from its first or next node to where it ends or waits. Knows nothing of who asked for it to run."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from langchain_core.messages import HumanMessage
from langgraph.types import Command, Interrupt

from metaagent.errors import MetaAgentError, RowRefused, StorageError, Text
from metaagent.global_state import REDUCED
from metaagent.journal import Journal
from metaagent.level1.execution_manager.answers import addressed
from metaagent.level1.turn_context import TurnContext
from metaagent.level1.turn_warnings import runs_of
from metaagent.ports import Clock, Json, Run, Turn, TurnStatus
from metaagent.protection.redaction import redact_exception
from metaagent.state.manager import StateManager
from metaagent.storage.checkpoints.retention import Retention, StateCheckpointer
from metaagent.storage.checkpoints.turn_saver import RunningTurn
from metaagent.storage.session_store import SqlStore, Write
from metaagent.storage.vault import acting_for
from metaagent.values import iso, seconds_between

logger = logging.getLogger(__name__)

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
"""What of the state the end of a turn is told from."""


class GraphResult(NamedTuple):
    """How the graph was left: by its end, or by the questions that it waits for."""

    values: Json
    interrupts: Sequence[Interrupt]


@dataclass(frozen=True)
class TurnWorker:
    graph: Any
    store: SqlStore
    checkpointer: StateCheckpointer
    running: Callable[[str, int, Retention, Callable[[], bool]], AbstractContextManager[RunningTurn]]
    clock: Clock
    context_for: Callable[[Turn, Journal], TurnContext]
    was_cancelled: Callable[[str], bool]
    on_runs: Callable[[Sequence[Run]], None]
    learning: Callable[[Turn, Json], Write]
    recursion_limit: int

    async def run(self, turn: Turn, journal: Journal) -> Turn:
        """The turn as it stands when it has ended or waits, and that is committed. Only storage trouble and shutdown raise."""
        context = self.context_for(turn, journal)

        def spent() -> Turn:
            return replace(turn, outcome={**turn.outcome, "usage": context.budget.usage()})

        try:
            left = await self._invoke(turn, context)
        except asyncio.CancelledError:
            if not self.was_cancelled(turn.turn_id):
                raise
            return await self.cancel(spent(), journal)
        except StorageError:
            raise
        except MetaAgentError as error:
            return await self._end(spent(), journal, "failed", _error(error.code, error.say(turn.language)))
        except Exception as error:  # noqa: BLE001 - logged with its traceback, without personal data
            logger.error("turn %s broke\n%s", turn.turn_id, redact_exception(error))
            problem = type(error).__name__
            return await self._end(
                spent(), journal, "failed", _error("internal", _BROKEN.say(turn.language, problem=problem))
            )
        else:
            return await _whole(self._settle(spent(), journal, left))

    async def cancel(self, turn: Turn, journal: Journal) -> Turn:
        """End a turn that is under way or waits. What it had found out by then is kept."""
        event = _error("cancelled", _CANCELLED.say(turn.language))
        asked = {"waiting": [], "clarification": None, "approval": None}
        known = {**outcome_of(turn, {}), **turn.outcome}
        outcome = {**known, **asked, "phase": "completed", "answer": event[1]["message"]}
        return await _whole(self._end(turn, journal, "cancelled", event, {**outcome, "errors": [event[1]]}))

    async def _invoke(self, turn: Turn, context: TurnContext) -> GraphResult:
        with acting_for(turn.user):
            return await self._invoke_for_owner(turn, context)

    async def _invoke_for_owner(self, turn: Turn, context: TurnContext) -> GraphResult:
        try:
            return await self._go_on(turn, context)
        except RowRefused:
            # The newest checkpoint cannot be read: go on from the newest sound one, and say so.
            restored = await self.checkpointer.restore(turn.session_id)
            context.journal.emit(
                "error", "checkpoint_refused", code="checkpoint_refused", message="\n".join(restored.warnings)
            )
            return await self._go_on(turn, context)

    async def _go_on(self, turn: Turn, context: TurnContext) -> GraphResult:
        config = {"configurable": {"thread_id": turn.session_id}, "recursion_limit": self.recursion_limit}
        beginning = await self._input(turn, context.journal, config)
        journal = context.journal
        with self.running(
            turn.session_id, turn.number, self.checkpointer.retention, lambda: journal.published
        ) as run:
            # The second version of its output leaves out the updates of each node, which nobody here reads.
            output = await self.graph.ainvoke(
                beginning,
                config,
                context=context,
                output_keys=READ_AT_THE_END,
                durability="sync",
                version="v2",
            )
        if not run.ended and not output.interrupts:
            await self.checkpointer.mark_turn_end(turn.session_id, turn.number)
        return GraphResult(output.value or {}, output.interrupts)

    async def _input(self, turn: Turn, journal: Journal, config: Json) -> Any:
        """Where to begin: at the start, at the answers that were waited for, or where a crash left off."""
        if not journal.published and not turn.answers:
            # Nothing was told to anyone: begin anew, over whatever a crashed run left in the state.
            return first_input(turn, fresh=not journal.resumed)
        snapshot = await self.graph.aget_state(config)
        if (snapshot.values or {}).get("turn_id") != turn.turn_id:
            return first_input(turn)
        pending = {i.id: i.value for i in snapshot.interrupts}
        answers = {key: addressed(pending[key], said) for key, said in turn.answers.items() if key in pending}
        return Command(resume=answers) if answers else None

    async def _settle(self, turn: Turn, journal: Journal, left: GraphResult) -> Turn:
        values = left.values
        waiting = tuple({"id": i.id, **i.value} for i in left.interrupts)
        if waiting:
            outcome = outcome_of(turn, values, waiting)
            paused = replace(turn, status="waiting", waiting=waiting, answers={}, outcome=outcome)
            return await self._save(paused, journal)
        outcome = outcome_of(turn, values)
        event = {
            key: outcome[key]
            for key in ("answer", "confidence", "artifacts", "citations", "warnings", "errors")
        }
        conclusion = (values.get("response_metadata") or {}).get("conclusion")
        return await self._end(
            turn,
            journal,
            "completed",
            ("response", event),
            outcome,
            [run for _, run in runs_of(values)],
            self.learning(turn, conclusion) if conclusion else None,
        )

    async def _end(
        self,
        turn: Turn,
        journal: Journal,
        status: TurnStatus,
        event: tuple[str, Json],
        outcome: Json | None = None,
        runs: Sequence[Run] = (),
        learn: Write | None = None,
    ) -> Turn:
        ended = iso(self.clock.now())
        if outcome is None:
            outcome = {
                **outcome_of(turn, {}),
                "phase": "completed",
                "answer": event[1]["message"],
                "errors": [event[1]],
            }
        outcome["timings"] = {"total": seconds_between(turn.started_at, ended), **outcome.get("timings", {})}
        journal.emit(event[0], **event[1])
        answer = hashlib.sha256((outcome.get("answer") or "").encode()).hexdigest()
        journal.audit("turn.ended", outcome=status, data={"answer_sha256": answer})
        return await self._save(
            replace(turn, status=status, ended_at=ended, waiting=(), answers={}, outcome=outcome),
            journal,
            runs,
            learn,
        )

    async def _save(
        self, turn: Turn, journal: Journal, runs: Sequence[Run] = (), learn: Write | None = None
    ) -> Turn:
        """The turn's status, the events that are still queued, the agents' records and what was learned, in one
        transaction."""
        taken = await journal.take()
        await self.store.save_turn(turn, [row for row, _ in taken], runs, learn)
        self.on_runs(runs)
        journal.written(taken)
        return turn


async def _whole(ending: Coroutine[Any, Any, Turn]) -> Turn:
    """The end of a turn is written as a whole: a cancellation that comes meanwhile is too late for it."""
    task = asyncio.ensure_future(ending)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        return await task


def _error(code: str, message: str) -> tuple[str, Json]:
    return ("error", {"code": code, "message": message})


KEPT_BETWEEN_TURNS = frozenset(
    {
        "conversation_history",
        "total_tokens_used",
        "api_calls_made",
        "db_queries_executed",
        "loaded_memories",
        "user_preferences",
        "audit_trail",
    }
)


def first_input(turn: Turn, *, fresh: bool = False) -> Json:
    """A fresh session gets what is known: an empty field would cost two rows in the checkpoints to say nothing.
    Otherwise every field that begins anew with a turn."""
    user = turn.user
    state: Json = {
        **StateManager().create_session_state(turn.session_id, user.user_id, user.company_id, turn.turn_id)
    }
    state["messages"] = [HumanMessage(content=turn.question, id=f"{turn.turn_id}-q")]
    state["workflow_status"] = "running"
    if turn.number == 1 and fresh:
        return {key: value for key, value in state.items() if value}
    return {
        # Begins anew with each turn, but would merge; a message joins those before it.
        key: _anew(value) if key in REDUCED and key != "messages" else value
        for key, value in state.items()
        if key not in KEPT_BETWEEN_TURNS
    }


def _anew(value: Any) -> Json:
    return {"__overwrite__": value}


def outcome_of(turn: Turn, values: Mapping[str, Any], waiting: tuple[Json, ...] = ()) -> Json:
    """What `ask` returns and `--json` prints."""
    metadata = values.get("response_metadata") or {}
    steps = values.get("execution_steps") or []
    questions = [q for q in waiting if q["kind"] != "approval"]
    approvals = [q for q in waiting if q["kind"] == "approval"]
    return {
        "session_id": turn.session_id,
        "turn_id": turn.turn_id,
        "phase": values.get("current_phase", "analyzing"),
        "answer": values.get("final_response"),
        "analysis": values.get("query_analyzer_state"),
        "plan": values.get("planning_state"),
        "steps": steps,
        "artifacts": metadata.get("artifacts", []),
        "citations": metadata.get("sources", []),
        "confidence": metadata.get("confidence"),
        "warnings": values.get("warnings") or [],
        "errors": values.get("errors") or [],
        "clarification": questions[0] if questions else None,
        "approval": approvals[0] if approvals else None,
        "waiting": list(waiting),
        "timings": {
            "steps": {step["step_id"]: _step_seconds(step) for step in steps if step.get("completed_at")}
        },
        "usage": turn.outcome.get("usage") or {},
    }


def _step_seconds(step: Mapping[str, Any]) -> float:
    return seconds_between(step.get("started_at") or step["completed_at"], step["completed_at"])
