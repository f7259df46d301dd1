"""One version of the plan while it runs: which inputs a step gets, when it may start, and what is put on record."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState, PlanningState, PlanStep, StepOutcome, StorageChoice
from metaagent.level1.execution_manager.dataflow import PrioritySlots
from metaagent.level1.execution_manager.outcomes import new_outcome
from metaagent.level1.execution_manager.step import StepRunner
from metaagent.level1.execution_manager.step_gate import StepGate
from metaagent.level1.execution_manager.todo import TodoList
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.level1.planning.effects import named_agents
from metaagent.level1.planning.gate import BLOCKED, VERDICT
from metaagent.level1.planning.plan_graph import topological
from metaagent.level1.planning.turn_plan import next_request
from metaagent.level1.turn_context import TurnContext
from metaagent.ports import ArtifactRef
from metaagent.values import iso, mapping, sequence, text

_NO_INPUT = Text(
    en="not run: it needs the result of '{steps}', which did not succeed",
    ko="실행하지 않음: 성공하지 못한 '{steps}'의 결과가 필요합니다",
)


class PlanRun:
    """The steps of a plan as a `Dataflow`: each runs when its inputs exist, a slot is free and the turn is not paused."""

    def __init__(
        self, plan: PlanningState, runner: StepRunner, gate: StepGate, context: TurnContext, todo: TodoList
    ) -> None:
        self._steps = {step.get("step_id", ""): step for step in plan.get("execution_plan") or ()}
        self._rank = {name: place for place, name in enumerate(plan.get("priority_order") or self._steps)}
        # In the order of priority: the first to ask for a slot gets it.
        ordered = sorted(self._steps, key=lambda name: self._rank.get(name, len(self._rank)))
        needs = {name: self._steps[name].get("dependencies", []) for name in ordered}
        self.dependencies = {name: needs[name] for name in topological(needs) or ()}
        self._runner = runner
        self._gate = gate
        self._context = context
        self._todo = todo
        self._slots = PrioritySlots(context.settings.limits.parallel_steps)
        self._earlier: Mapping[str, ArtifactRef] = {}
        self._suspects = frozenset[str]()
        self._ran_here: set[str] = set()
        # Steps that were shown as ended. Nothing starts before a resumed turn has them back on its to-do list, or the
        # list that a person sees would go back.
        self._to_catch_up = todo.ended_in_journal() & self._steps.keys()
        self._caught_up = asyncio.Event()
        self._catch_up("")

    @classmethod
    async def begin(
        cls, state: GlobalSessionState, plan: PlanningState, context: TurnContext, todo: TodoList
    ) -> PlanRun:
        request = cast("Mapping[str, Any]", state.get("query_analyzer_state") or {})
        # Read the verdicts of earlier turns, where something could happen outside.
        held_back = context.settings.compliance.require.agents
        named = named_agents(plan, context.registry.agents)
        acting = any(spec.side_effects or spec.name in held_back for spec in named)
        verdicts = await context.verdicts() if acting else ()
        gate = StepGate(state, context, plan.get("plan_version", 1), verdicts)
        earlier = [*((state.get("execution_manager_state") or {}).get("final_results") or {}).values()]
        crashes = await context.starts.crashes() if context.journal.resumed else {}
        runner = StepRunner(
            plan, request, context=context, todo=todo, gate=gate, earlier=earlier, crashes=crashes
        )
        run = cls(plan, runner, gate, context, todo)
        run._suspects = frozenset(step_id for step_id, _ in crashes)
        if any("artifact_id" in source for step in run._steps.values() for source in step.get("inputs", ())):
            # Made by earlier turns, and by this one under an earlier version of its plan.
            asked = next_request(state, context)
            refs = (*await context.artifacts(), *asked.made, *asked.revised)
            run._earlier = {ref.id: ref for ref in refs}
        return run

    def begun(self, step_id: str) -> None:
        self._catch_up(step_id)

    def _catch_up(self, step_id: str) -> None:
        self._to_catch_up.discard(step_id)
        if not self._to_catch_up:
            self._caught_up.set()

    async def work(self, step_id: str, before: Mapping[str, StepOutcome]) -> StepOutcome:
        step, context = self._steps[step_id], self._context
        spared = self._spared(step)
        missing = [n for n, outcome in before.items() if outcome["status"] != "completed" and n not in spared]
        if missing:
            return self._skipped(step, self._why_missing(step, missing))
        inputs = self._inputs(step, before)
        if inputs:
            await context.journal.flush()  # the agent reads them from the store
        # Steps that were under way when a process died run one by one: so only the one that kills it is counted.
        alone = not step.get("parallel", True) or step_id in self._suspects
        async with self._slots.slot(self._rank.get(step_id, 0), alone=alone):
            if not context.gate.is_set():
                with context.budget.held():
                    await context.gate.wait()
            await self._caught_up.wait()
            self._ran_here.add(step_id)
            with self._todo.working(step_id, iso(context.clock.now())):
                outcome = await self._runner.run(step, inputs)
        outcome["inputs"] = {ref.id: ref.hash for ref in inputs}
        if outcome["status"] == "failed" and step.get("optional"):
            outcome["status"], outcome["optional"] = "skipped", True
        await context.journal.secure()
        return outcome

    def finished(self, outcome: StepOutcome) -> None:
        step_id, context = outcome["step_id"], self._context
        context.budget.settle(step_id, outcome, ran_here=step_id in self._ran_here)
        self._gate.learn(outcome)
        for ref in outcome["artifacts"]:
            context.journal.emit("artifact_ready", ref["id"], artifact=ref, step_id=step_id)
        self._todo.finish(outcome)
        self._catch_up(step_id)
        _audit(outcome, context)

    def _spared(self, step: PlanStep) -> frozenset[str]:
        """Find the optional steps that this one can do without: it takes what they make, but does not need it."""
        spec = self._context.registry.agents.get(next(iter(step.get("agents", ())), ""))
        sources = step.get("inputs", ())
        optional = {
            name
            for source in sources
            if self._steps.get(name := source.get("from_step", ""), {}).get("optional")
        }
        sure = [source.get("kind", "") for source in sources if source.get("from_step") not in optional]
        lacking = {kind for kinds in (spec.lacking(sure) if spec else ()) for kind in kinds.split("|")}
        required = {source.get("from_step") for source in sources if source.get("kind") in lacking}
        return frozenset(optional - required)

    def _inputs(self, step: PlanStep, before: Mapping[str, StepOutcome]) -> list[ArtifactRef]:
        found: list[ArtifactRef] = []
        for source in step.get("inputs", ()):
            if "from_step" in source:
                made = before[source["from_step"]]["artifacts"]
                found += [ArtifactRef.from_json(ref) for ref in made if ref["kind"] == source.get("kind")]
            elif (known := self._earlier.get(source.get("artifact_id", ""))) is not None:
                found.append(known)
        return found

    def _why_missing(self, step: PlanStep, missing: Sequence[str]) -> Trouble:
        """Say why a step does not run. Where it lacks nothing but the verdict that it needs, it is held back by the gate."""
        spec = self._context.registry.agents.get(next(iter(step.get("agents", ())), ""))
        checks = [name for name in missing if VERDICT in self._steps[name].get("produces", ())]
        if spec is not None and checks == missing and self._gate.needs_verdict(step, spec):
            return Trouble(BLOCKED, self._gate.say_not_judged(step, spec))
        lost = [self._steps[name].get("task") or name for name in missing if name not in checks] or checks
        return Trouble("no_input", _NO_INPUT.say(self._context.turn.language, steps=", ".join(lost)))

    def _skipped(self, step: PlanStep, why: Trouble) -> StepOutcome:
        now = iso(self._context.clock.now())
        failed = new_outcome(step, "", why, started=now, ended=now)
        outcome: StepOutcome = {**failed, "status": "skipped"}
        return {**outcome, "optional": True} if step.get("optional") else outcome


def _audit(outcome: StepOutcome, context: TurnContext) -> None:
    """Put on record what ran, on what, and what came of it: by keyed hash, never by content. What an agent says of itself
    is anybody's text."""
    state, keyed = outcome["state"], context.journal.keyed
    stored = state.get("storage_decision")
    context.journal.audit(
        "agent.ran",
        outcome["step_id"],
        agent=outcome["agent"] or None,
        outcome=outcome["status"],
        data={
            "step": outcome["step_id"],
            "attempts": outcome["attempts"],
            "error": outcome["error_type"],
            "inputs": {name: keyed(digest) for name, digest in outcome["inputs"].items()},
            "made": {ref["id"]: keyed(ref["hash"]) for ref in outcome["artifacts"]},
            "sql": [
                keyed(hashlib.sha256(str(sql).encode("utf-8", "replace")).hexdigest())
                for sql in sequence(state.get("generated_queries"))
            ],
            "stored": stored if stored in get_args(StorageChoice) else None,
        },
        private={"rules": [_rule(rule) for rule in sequence(state.get("applied_rules"))]},
    )


def _rule(rule: Any) -> str:
    """The name of a rule that judged: itself, or what its record calls it."""
    named = mapping(rule)
    return text(named.get("id") or named.get("rule") or named.get("name")) if named else text(rule)
