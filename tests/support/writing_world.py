"""An agent that writes and rewrites documents, for the tests of plans, versions and review."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from metaagent.documents.model import Document, Heading, Paragraph, Span
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Group, NeedsInput, Result, Task, agent

TITLES = {
    "visit_report": "방문 보고서",
    "seminar_request": "세미나 신청서",
    "analysis_report": "분석 보고서",
    "expense_report": "지출 보고서",
}


@dataclass
class Written:
    """A record of the documents that were asked for: type, kinds and ids of the inputs."""

    tasks: list[Task] = field(default_factory=list[Task])

    def inputs(self, place: int = -1) -> list[tuple[str, str]]:
        return [(ref.kind, ref.group.format if ref.group else "") for ref in self.tasks[place].inputs]


def asked_as(spec: AgentSpec) -> AgentSpec:
    """The agent, asked for by the capability of its name."""
    return replace(spec, capabilities=(replace(spec.capabilities[0], name=spec.name),))


def document(document_id: str, title: str, *texts: str) -> Document:
    """A document with one heading and a paragraph for each text."""
    paragraphs = [Paragraph(f"p{number}", (Span(text),)) for number, text in enumerate(texts, 1)]
    return Document(document_id, title, "ko", "plain", "1", blocks=(Heading("h1", title), *paragraphs))


def writing(
    seen: Written, *, asks: tuple[str, ...] = (), texts: tuple[str, ...] = ("하나", "둘"), **options: Any
) -> AgentSpec:
    """Writes what it is asked for; given a document, it makes its next version. Asks for each field of `asks`."""

    @agent(
        name="document_generation",
        capabilities=[Capability("document_generation", ko=("문서 작성",), en=("document",))],
        produces=["document"],
        consumes=["dataset?", "chart?", "passages?", "verdict?", "document?", "file?"],
        also_called={"document": ("문서",)},
        needs=["artifacts"],
        **options,
    )
    async def write(task: Task, ctx: Context) -> Result:
        for place, name in enumerate(asks):
            if len(task.answers) <= place:
                raise NeedsInput(f"{name}?", field=name)
        seen.tasks.append(task)
        wanted = str(task.request.get("resolved", {}).get("document_type") or "visit_report")
        before = next((ref for ref in task.inputs if ref.group and ref.group.format == "json"), None)
        if before is not None and before.group is not None:
            old = Document.from_json(await ctx.artifacts.read(before))
            group, title = before.group, old.title
            changed = old.with_block(Paragraph("p2", (Span(await _change(task, ctx)),)))
            made, number = changed, group.version + 1
        else:
            name = hashlib.sha256(f"{ctx.turn_id}{wanted}".encode()).hexdigest()[:12]
            title, number = TITLES[wanted], 1
            made = document(f"d{name}", title, *texts)
        return Result(f"{title} v{number}", 1.0, forms(made, number), [{"title": title}])

    return write


async def _change(task: Task, ctx: Context) -> str:
    verdict = task.input("verdict")
    if verdict is None:
        return f"changed: {task.request['raw_query']}"
    said = await ctx.artifacts.read(verdict)
    return str(said["required_modifications"][0]["replacement"])


def forms(made: Document, number: int) -> list[Artifact]:
    """The model and two files of one version."""
    plain = made.as_json()

    def file(form: str) -> Artifact:
        content = f"{form} {plain}".encode()
        name = f"{made.document_id}-{number}.{form}"
        return Artifact(
            "document", content, made.title, name, "application/pdf", Group(made.document_id, number, form)
        )

    model = Artifact("document", plain, made.title, group=Group(made.document_id, number, "json"))
    return [model, file("pdf"), file("docx")]
