"""The reference side of the benchmarks: one turn as a LangGraph user would write it, with nothing of ours in it.

A turn goes through `understand`, `decide`, one `work` per specialist (a fan-out with Send) and `conclude`. The nodes
do no work of their own, so that what remains is the price of the framework and of its checkpointer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

SPECIALISTS = ("data", "retrieve", "document")


def merged(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """A reducer: the results of parallel specialists by name."""
    return {**(old or {}), **(new or {})}


class TurnState(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    query: str
    analysis: dict[str, Any]
    plan: list[dict[str, Any]]
    agent_states: Annotated[dict[str, Any], merged]
    turn: int


def question(turn: int = 0, characters: int = 0) -> dict[str, Any]:
    """The input of a turn: a short question, or one of so many characters."""
    text = _filled("질문 question ", characters) or "hi"
    return {"messages": [HumanMessage(text)], "query": text, "turn": turn}


def turn_graph(
    checkpointer: BaseCheckpointSaver[Any],
    *,
    state: type[Any] = TurnState,
    answer_characters: int = 0,
    result_bytes: int = 0,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The compiled graph. With `result_bytes`, the first specialist of each turn makes a result of that size, and the
    state holds those of all turns; without, each turn overwrites the small results of the one before."""
    answer = _filled("답변 answer ", answer_characters) or "ok"
    large = _filled("가나다라마abcdefghij", result_bytes).encode()[:result_bytes].decode(errors="ignore")

    async def understand(_: Any) -> dict[str, Any]:
        return {"analysis": {"intent": "report", "language": "ko"}}

    async def decide(_: Any) -> dict[str, Any]:
        return {"plan": [{"id": place, "agent": name} for place, name in enumerate(SPECIALISTS)]}

    def fan_out(seen: Any) -> list[Send]:
        return [Send("work", {"step": step, "turn": seen.get("turn", 0)}) for step in seen["plan"]]

    async def work(seen: Any) -> dict[str, Any]:
        step = seen["step"]
        name = f"{step['agent']}:{seen['turn']}" if large else step["agent"]
        return {"agent_states": {name: {"status": "ok", "data": "r" if step["id"] or not large else large}}}

    async def conclude(_: Any) -> dict[str, Any]:
        return {"messages": [AIMessage(answer)]}

    graph: Any = StateGraph(state)
    for node in (understand, decide, work, conclude):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "understand")
    graph.add_edge("understand", "decide")
    graph.add_conditional_edges("decide", fan_out, ["work"])
    graph.add_edge("work", "conclude")
    graph.add_edge("conclude", END)
    return graph.compile(checkpointer=checkpointer)


def _filled(words: str, size: int) -> str:
    return (words * (size // len(words) + 1))[:size]
