"""The one picture of the system: nodes and edges, no logic. `docs/flow.md` is drawn from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from metaagent.global_state import REDUCERS, GlobalSessionState, Phase
from metaagent.level1.execution_manager.manage import execute
from metaagent.level1.nodes.analyze import analyze, clarify
from metaagent.level1.nodes.approve import approve
from metaagent.level1.nodes.plan import plan
from metaagent.level1.nodes.respond import respond
from metaagent.level1.planning.turn_plan import awaits_approval
from metaagent.level1.turn_context import TurnContext
from metaagent.level1.turn_warnings import with_turn_warnings
from metaagent.state.transitions import POSSIBLE, bound_reached, determine_next_phase
from metaagent.state.updating import after, together

Work = Callable[[GlobalSessionState, TurnContext], Awaitable[dict[str, Any]]]


class Node(Protocol):
    def __call__(
        self, state: GlobalSessionState, *, runtime: Runtime[TurnContext]
    ) -> Awaitable[Command[str]]: ...


NODES: dict[Phase, str] = {
    "analyzing": "query_analyzer",
    "clarifying": "clarification",
    "planning": "planning",
    "executing": "execution_manager",
    "completed": "responder",
}
APPROVAL = "approval"
"""The node between planning and executing: a person approves where the configuration says so."""

LEADS_TO: dict[str, tuple[str, ...]] = {
    **{NODES[phase]: tuple(NODES[after] for after in POSSIBLE[phase]) for phase in POSSIBLE},
    NODES["planning"]: (*(NODES[after] for after in POSSIBLE["planning"]), APPROVAL),
    APPROVAL: (APPROVAL, NODES["executing"]),
}
WORK: dict[Phase, Work] = {
    "analyzing": analyze,
    "clarifying": clarify,
    "planning": plan,
    "executing": execute,
    "completed": with_turn_warnings(respond),
}
JOINING: frozenset[Phase] = frozenset({"planning", "completed"})
"""Phases that neither ask a person nor start steps. Their work follows within the superstep of the phase before, where
the checkpoint in between would wait for the next one anyway (`RunningTurn`): nobody would miss it after a crash."""
ENTRY = f"branch:to:{NODES['analyzing']}"
"""The channel by which LangGraph starts the first node."""


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[GlobalSessionState, TurnContext, GlobalSessionState, GlobalSessionState]:
    graph = StateGraph(GlobalSessionState, context_schema=TurnContext)
    for phase in POSSIBLE:
        graph.add_node(NODES[phase], in_phase(phase), destinations=LEADS_TO[NODES[phase]])
    graph.add_node(APPROVAL, waiting(approve), destinations=LEADS_TO[APPROVAL])
    graph.add_node(NODES["completed"], in_phase("completed"))
    graph.add_edge(START, NODES["analyzing"])
    graph.add_edge(NODES["completed"], END)
    return graph.compile(checkpointer=checkpointer)


def entered_directly(graph: Any) -> Any:
    """Let the graph take its input as the first node's state: LangGraph's own way in is a superstep that copies it."""
    graph.input_channels = (*GlobalSessionState.__annotations__, ENTRY)
    return graph


def entering(values: dict[str, Any]) -> dict[str, Any]:
    """The input of a graph that is entered directly."""
    return {**values, ENTRY: None}


def in_phase(begun: Phase) -> Node:
    """Do the phase's work, let `determine_next_phase` say where to go, and do that phase's work too where it joins."""

    async def node(state: GlobalSessionState, *, runtime: Runtime[TurnContext]) -> Command[str]:
        context, phase, begun_with, update = runtime.context, begun, state, dict[str, Any]()
        while True:
            worked = await WORK[phase](state, context)
            done = _worth_writing(_with_next_phase(phase, state, context, worked))
            update = together(begun_with, update, done)
            if phase == "completed":
                return Command(update=update)
            next_phase: Phase = done["current_phase"]
            if not _joins(next_phase, context):
                return Command(update=update, goto=next_node(_seen(state, done)))
            context.writes.joined(NODES[phase], NODES[next_phase], next_phase, sorted(done))
            state, phase = cast("GlobalSessionState", after(state, done)), next_phase

    return node


def _with_next_phase(
    phase: Phase, state: GlobalSessionState, context: TurnContext, update: dict[str, Any]
) -> dict[str, Any]:
    """The update of one phase, with the phase that follows from it."""
    if phase == "completed":
        return {**update, "current_phase": "completed"}
    made, limits = _seen(state, update), context.phase_limits
    bound = bound_reached(made, limits)
    if bound:
        warning = context.bound_warning(bound.removeprefix("max_"))
        update["warnings"] = [*update.get("warnings", ()), warning]
    update["current_phase"] = determine_next_phase(made, limits)
    return update


def _joins(phase: Phase, context: TurnContext) -> bool:
    """Say whether the next phase belongs to this superstep. What is told of it waits for the checkpoint then."""
    if phase not in JOINING or (phase != "completed" and context.journal.published):
        return False
    if phase != "completed":
        context.journal.hold()
    return True


def waiting(work: Work) -> Node:
    """Work that leaves the phase as it is."""

    async def node(state: GlobalSessionState, *, runtime: Runtime[TurnContext]) -> Command[str]:
        update = await work(state, runtime.context)
        return Command(update=update, goto=next_node(_seen(state, update)))

    return node


def _worth_writing(update: dict[str, Any]) -> dict[str, Any]:
    """Drop the empty lists that would merge to nothing: each costs two sealed rows."""
    return {key: value for key, value in update.items() if value or key not in REDUCERS}


def _seen(state: GlobalSessionState, update: dict[str, Any]) -> GlobalSessionState:
    """The state as far as the way on depends on it: on no field that merges."""
    return cast("GlobalSessionState", {**state, **update})


def next_node(state: GlobalSessionState) -> str:
    phase = state.get("current_phase", "completed")
    return APPROVAL if phase == "executing" and awaits_approval(state) else NODES[phase]
