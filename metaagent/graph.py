"""The one picture of the system: nodes and edges, no logic. `docs/flow.md` is drawn from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from metaagent.global_state import REDUCED, GlobalSessionState, Phase
from metaagent.level1.execution_manager.manage import execute
from metaagent.level1.nodes.analyze import analyze, clarify
from metaagent.level1.nodes.approve import approve
from metaagent.level1.nodes.plan import plan
from metaagent.level1.nodes.respond import respond
from metaagent.level1.planning.turn_plan import awaits_approval
from metaagent.level1.turn_context import TurnContext
from metaagent.level1.turn_warnings import with_turn_warnings
from metaagent.state.transitions import POSSIBLE, bound_reached, determine_next_phase

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
}


def build_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[GlobalSessionState, TurnContext, GlobalSessionState, GlobalSessionState]:
    graph = StateGraph(GlobalSessionState, context_schema=TurnContext)
    for phase, work in WORK.items():
        graph.add_node(NODES[phase], in_phase(work), destinations=LEADS_TO[NODES[phase]])
    graph.add_node(APPROVAL, waiting(approve), destinations=LEADS_TO[APPROVAL])
    graph.add_node(NODES["completed"], last(with_turn_warnings(respond)))
    graph.add_edge(START, NODES["analyzing"])
    graph.add_edge(NODES["completed"], END)
    return graph.compile(checkpointer=checkpointer)


def in_phase(work: Work) -> Node:
    """Do the phase's work, then let `determine_next_phase` say where to go."""

    async def node(state: GlobalSessionState, *, runtime: Runtime[TurnContext]) -> Command[str]:
        context = runtime.context
        update = await work(state, context)
        after = _after(state, update)
        limits = context.phase_limits
        bound = bound_reached(after, limits)
        if bound:
            warning = context.bound_warning(bound.removeprefix("max_"))
            update["warnings"] = [*update.get("warnings", ()), warning]
        update["current_phase"] = determine_next_phase(after, limits)
        return Command(update=_worth_writing(update), goto=next_node(_after(state, update)))

    return node


def waiting(work: Work) -> Node:
    """Work that leaves the phase as it is."""

    async def node(state: GlobalSessionState, *, runtime: Runtime[TurnContext]) -> Command[str]:
        update = await work(state, runtime.context)
        return Command(update=update, goto=next_node(_after(state, update)))

    return node


def last(work: Work) -> Node:
    async def node(state: GlobalSessionState, *, runtime: Runtime[TurnContext]) -> Command[str]:
        update = {**await work(state, runtime.context), "current_phase": "completed"}
        return Command(update=_worth_writing(update))

    return node


def _worth_writing(update: dict[str, Any]) -> dict[str, Any]:
    """Drop the empty lists that would merge to nothing: each costs two sealed rows."""
    return {key: value for key, value in update.items() if value or key not in REDUCED}


def _after(state: GlobalSessionState, update: dict[str, Any]) -> GlobalSessionState:
    return {**state, **update}  # pyright: ignore[reportReturnType] - a partial state


def next_node(state: GlobalSessionState) -> str:
    phase = state.get("current_phase", "completed")
    return APPROVAL if phase == "executing" and awaits_approval(state) else NODES[phase]
