"""The declaration of the document agent. Its work is imported when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass

from metaagent.global_state import DocumentGenerationAgentState
from metaagent.plugin import Capability, Context, Result, Task, Text, agent


@dataclass(frozen=True)
class DocumentParams:
    """Everything that a plan may say about a document. What it leaves open is read from the request."""

    document_type: str | None = None
    template: str | None = None
    formats: list[str] | None = None
    standard: str = ""


@agent(
    name="document_generation",
    description=Text(en="Write the document", ko="문서 작성"),
    capabilities=[
        Capability(
            "document_generation",
            ko=("문서 작성", "보고서 작성", "신청서 작성", "문서 수정"),
            en=("write a document", "write a report", "draft", "change the document"),
        )
    ],
    produces={"document": None},
    consumes=["dataset?", "chart?", "passages?", "verdict?", "document?", "file?"],
    needs=["artifacts", "templates", "memory", "user", "llm", "progress"],
    params=DocumentParams,
    state=DocumentGenerationAgentState,
    timeout=180.0,
    seconds=2.0,
    memory_gb=0.5,
    also_called={"document": ("문서", "pdf", "docx", "word file", "워드 파일", "한글 파일", "hwpx")},
)
async def document_generation(task: Task, ctx: Context) -> Result:
    from metaagent.level2.document.work import make

    return await make(task, ctx)
