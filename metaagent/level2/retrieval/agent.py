"""The declaration of the retrieval agent. Its work is imported when it is first asked for."""

from __future__ import annotations

from metaagent.global_state import InformationRetrievalAgentState, Passages
from metaagent.plugin import Capability, Context, Result, Task, Text, agent


@agent(
    name="information_retrieval",
    description=Text(en="Search documents", ko="자료 검색"),
    capabilities=[
        Capability(
            "information_retrieval",
            ko=("자료 검색", "문서 검색", "규정 검색", "문서 찾기", "조항 찾기"),
            en=("search documents", "information retrieval", "document search", "find in documents"),
        )
    ],
    produces={"passages": Passages},
    needs=["library", "db", "web", "llm", "progress"],
    state=InformationRetrievalAgentState,
    timeout=60.0,
    seconds=0.5,
)
async def information_retrieval(task: Task, ctx: Context) -> Result:
    from metaagent.level2.retrieval.work import retrieve

    return await retrieve(task, ctx)
