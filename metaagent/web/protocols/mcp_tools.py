"""MCP: what its tools take and give back. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ResourceLink,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, ConfigDict, Field

from metaagent.ports import Json
from metaagent.web.protocols.exchange import Reply

ARTIFACT = "metaagent://sessions/{session_id}/artifacts/{artifact_id}"
DOCUMENT = "metaagent://documents/{document_id}"
MOST_LINKS = 20

Session = Annotated[str, Field(description="The session, as `ask` gave it back.", max_length=64)]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Ask(_Arguments):
    question: Annotated[str, Field(description="A question or request, in Korean or English.")]
    session_id: Annotated[str, Field(max_length=64)] | None = Field(
        default=None, description="The session to go on with; a new one if empty."
    )


class Answer(_Arguments):
    session_id: Session
    answer: Annotated[
        str, Field(description="The answer of the person to the question that the session waits with.")
    ]
    question_id: str | None = Field(default=None, description="Which question, where several wait.")


class Approve(_Arguments):
    session_id: Session
    plan_hash: Annotated[
        str, Field(description="The hash of the plan that was shown: what runs is that plan or none.")
    ]
    decision: Literal["approve", "reject"] = "approve"
    reason: str = Field(default="", description="Why; it is on record.", max_length=2000)


class SearchHistory(_Arguments):
    text: Annotated[str, Field(description="Words to look for in earlier conversations.", max_length=1000)]
    session_id: Annotated[str, Field(max_length=64)] | None = Field(
        default=None, description="Only in this session."
    )
    limit: Annotated[int, Field(ge=1, le=50)] = 20


@dataclass(frozen=True)
class _Offer:
    arguments: type[_Arguments]
    description: str
    reads: bool = False


OFFERS = {
    "ask": _Offer(
        Ask,
        "Ask about the company's data, rules and documents, or request an analysis or a document. The answer may be a question "
        "back (`status: waiting`): let the person answer it, then call `answer`. A plan that changes something waits for a "
        "person's approval.",
    ),
    "answer": _Offer(Answer, "Answer a question that a session waits with. It approves nothing."),
    "approve": _Offer(
        Approve,
        "Decide on a plan that waits. The person at this client is shown the plan and confirms it; where the client cannot ask "
        "them, nothing is approved.",
    ),
    "search_history": _Offer(
        SearchHistory, "Find what was asked and answered before, in the person's own sessions.", reads=True
    ),
}


def offered() -> list[Tool]:
    return [
        Tool(
            name=name,
            description=offer.description,
            input_schema=offer.arguments.model_json_schema(),
            annotations=ToolAnnotations(
                read_only_hint=offer.reads,
                destructive_hint=name == "approve",
                idempotent_hint=offer.reads,
                open_world_hint=False,
            ),
        )
        for name, offer in OFFERS.items()
    ]


def result_of(reply: Reply) -> CallToolResult:
    """A reply with links to what was made."""
    question = reply.question or {}
    structured: Json = {
        "session_id": reply.session_id,
        "turn_id": reply.turn_id,
        "status": reply.status,
        "answer": reply.text,
        "waiting_for": question.get("kind"),
        "question_id": question.get("id"),
        "options": question.get("options") or [],
        "plan_hash": question.get("plan_hash"),
        "confidence": reply.content.get("confidence"),
        "citations": reply.content.get("citations") or [],
        "warnings": [each.get("text", "") for each in reply.content.get("warnings") or ()],
    }
    links = [_link(reply.session_id, each) for each in (reply.content.get("artifacts") or ())[:MOST_LINKS]]
    text = TextContent(type="text", text=reply.text)
    return CallToolResult(
        content=[text, *links], structured_content=structured, is_error=reply.status == "failed"
    )


def _link(session_id: str, artifact: Json) -> ResourceLink:
    return ResourceLink(
        type="resource_link",
        uri=ARTIFACT.format(session_id=session_id, artifact_id=artifact["id"]),
        name=artifact.get("name") or f"{artifact['kind']} {artifact['id']}",
        description=artifact.get("summary") or None,
        mime_type=artifact.get("media_type") or "application/json",
        size=artifact.get("size"),
    )


def plain_result(content: Any) -> CallToolResult:
    text = orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=content)


def refusal(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def asking(message: str) -> ElicitRequest:
    """A form with one field, for the answer to a clarification."""
    answer = {"type": "string", "title": "Answer", "minLength": 1}
    return _form(message, {"answer": answer}, ["answer"])


def confirming(message: str) -> ElicitRequest:
    """A form on which the person decides about a plan. Nothing is preset."""
    decision = {"type": "string", "title": "Decision", "enum": ["approve", "reject"]}
    reason = {"type": "string", "title": "Reason"}
    return _form(message, {"decision": decision, "reason": reason}, ["decision"])


def _form(message: str, properties: Json, required: list[str]) -> ElicitRequest:
    schema = {"type": "object", "properties": properties, "required": required}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))
