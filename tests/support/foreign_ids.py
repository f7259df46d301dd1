"""A line for every route of the API: whose ids it takes, and what a stranger gets with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from metaagent.web.api import PARTS

NOTHING_OF_OTHERS = "answers about the caller alone"
"""Routes that name nothing that could be somebody else's."""


@dataclass(frozen=True)
class Line:
    """A request with ids of another person. `status`: what strangers get; those of the same company and of another alike."""

    path: str
    body: dict[str, Any] | None = None
    file: bool = False
    status: int = 404
    params: dict[str, Any] | None = None


_DECISION = {"decision": "approve", "reason": "because"}


FOREIGN: dict[str, Line | str] = {
    "POST /questions": Line("/questions", {"text": "figures", "session_id": "{session}"}),
    "POST /attachments": NOTHING_OF_OTHERS,
    "GET /turns/{turn_id}": Line("/turns/{turn}"),
    "GET /turns/{turn_id}/events": Line("/turns/{turn}/events"),
    "GET /sessions/{session_id}/events": Line("/sessions/{session}/events"),
    "POST /sessions/{session_id}/answers": Line("/sessions/{waiting}/answers", {"answer": "left"}),
    "POST /sessions/{session_id}/resume": Line("/sessions/{session}/resume"),
    "GET /approvals": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}/approval/{step_id}": Line("/sessions/{waiting}/approval/s1"),
    "GET /sessions/{session_id}/approval/inputs/{artifact_id}": Line(
        "/sessions/{session}/approval/inputs/{artifact}"
    ),
    "POST /sessions/{session_id}/approval": Line("/sessions/{session}/approval", _DECISION),
    "POST /sessions/{session_id}/override": Line("/sessions/{session}/override", _DECISION, status=403),
    "GET /sessions": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}": Line("/sessions/{session}"),
    "DELETE /sessions/{session_id}": Line("/sessions/{session}"),
    "PATCH /sessions/{session_id}": Line("/sessions/{session}", {"title": "mine now"}),
    "POST /sessions/{session_id}/pin": Line("/sessions/{session}/pin", {}),
    "GET /sessions/{session_id}/shares": Line("/sessions/{session}/shares"),
    "POST /sessions/{session_id}/shares": Line("/sessions/{session}/shares", {}),
    "DELETE /sessions/{session_id}/shares": Line("/sessions/{session}/shares"),
    "GET /sessions/{session_id}/turns": Line("/sessions/{session}/turns"),
    "GET /sessions/{session_id}/messages": Line("/sessions/{session}/messages"),
    "GET /sessions/{session_id}/state": Line("/sessions/{session}/state"),
    "GET /sessions/{session_id}/checkpoints": Line("/sessions/{session}/checkpoints"),
    "POST /sessions/{session_id}/fork": Line("/sessions/{session}/fork", {}),
    "POST /sessions/{session_id}/restore": Line("/sessions/{session}/restore", {"turn": 1}),
    "POST /sessions/{session_id}/cancel": Line("/sessions/{waiting}/cancel"),
    "POST /sessions/{session_id}/pause": Line("/sessions/{session}/pause"),
    "POST /sessions/{session_id}/unpause": Line("/sessions/{session}/unpause"),
    "GET /sessions/{session_id}/export": Line("/sessions/{session}/export"),
    "POST /sessions/{session_id}/export": Line("/sessions/{session}/export", {"passphrase": "long enough"}),
    "POST /sessions/import": NOTHING_OF_OTHERS,
    "GET /topics": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}/artifacts/{artifact_id}": Line("/sessions/{session}/artifacts/{artifact}"),
    "GET /sessions/{session_id}/artifacts/{artifact_id}/content": Line(
        "/sessions/{session}/artifacts/{artifact}/content"
    ),
    "GET /documents": NOTHING_OF_OTHERS,
    "GET /documents/{document_id}": Line("/documents/{document}"),
    "GET /documents/{document_id}/diff": Line("/documents/{document}/diff", params={"before": 1, "after": 1}),
    "GET /documents/{document_id}/file": Line("/documents/{document}/file"),
    "POST /documents/{document_id}/versions": Line("/documents/{document}/versions", file=True),
    "POST /documents/{document_id}/comments": Line("/documents/{document}/comments", {"text": "hm"}),
    "POST /documents/{document_id}/restore": Line("/documents/{document}/restore", {"version": 1}),
    "POST /documents/{document_id}/approve": Line("/documents/{document}/approve", {}),
    "POST /documents/{document_id}/release": Line("/documents/{document}/release", {}),
    "POST /documents/{document_id}/withdraw": Line("/documents/{document}/withdraw", {"reason": "r"}),
    "GET /memories": NOTHING_OF_OTHERS,
    "POST /memories": NOTHING_OF_OTHERS,
    "DELETE /memories/{memory_id}": Line("/memories/{memory}", status=200),
    "DELETE /memories": NOTHING_OF_OTHERS,
    "GET /knowledge": NOTHING_OF_OTHERS,
    "POST /knowledge": NOTHING_OF_OTHERS,
    "GET /knowledge/indexes": NOTHING_OF_OTHERS,
    "POST /knowledge/indexes/verify": Line(
        "/knowledge/indexes/verify", params={"collection": "mine"}, status=404
    ),
    "POST /knowledge/indexes/rebuild": Line("/knowledge/indexes/rebuild", params={"collection": "mine"}),
    "GET /knowledge/{document_id}": Line("/knowledge/{known}"),
    "GET /knowledge/{document_id}/places": Line("/knowledge/{known}/places"),
    "DELETE /knowledge/{document_id}": Line("/knowledge/{known}"),
    "GET /stored": NOTHING_OF_OTHERS,
    "GET /stored/{receipt}": Line("/stored/r-0123456789abcdef"),
    "GET /stored/{receipt}/file": Line("/stored/r-0123456789abcdef/file"),
    "POST /stored/{receipt}/undo": Line("/stored/r-0123456789abcdef/undo", {"reason": "r"}),
    "GET /agents": NOTHING_OF_OTHERS,
    "POST /agents/{name}/disable": NOTHING_OF_OTHERS,
    "POST /agents/{name}/enable": NOTHING_OF_OTHERS,
    "GET /audit": NOTHING_OF_OTHERS,
    "GET /audit/{seq}": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}/report": NOTHING_OF_OTHERS,
    "POST /audit/verify": NOTHING_OF_OTHERS,
    "POST /audit/export": NOTHING_OF_OTHERS,
    "GET /holds": NOTHING_OF_OTHERS,
    "POST /holds": NOTHING_OF_OTHERS,
    "POST /holds/{hold_id}/release": NOTHING_OF_OTHERS,
    "POST /erasures": NOTHING_OF_OTHERS,
    "POST /readmissions": NOTHING_OF_OTHERS,
    "GET /me": NOTHING_OF_OTHERS,
    "GET /me/logins": NOTHING_OF_OTHERS,
    "DELETE /me/logins/{login_id}": Line("/me/logins/{login}"),
    "GET /api-keys": NOTHING_OF_OTHERS,
    "POST /api-keys": NOTHING_OF_OTHERS,
    "DELETE /api-keys/{key_id}": NOTHING_OF_OTHERS,
}
"""Each route with the line that tries it. What officers may do within their company is tried with another company below."""


OF_A_COMPANY: dict[str, Line] = {
    "GET /sessions/{session_id}/report": Line("/sessions/{session}/report", status=200),
    "GET /audit/{seq}": Line("/audit/3", status=200),
    "POST /holds/{hold_id}/release": Line("/holds/case-1/release", {"reason": "r"}),
    "POST /erasures": Line("/erasures", {"person": "kim"}, status=422),  # nobody of that name is theirs
    "DELETE /api-keys/{key_id}": Line("/api-keys/{key}"),
    "POST /agents/{name}/disable": Line("/agents/figures/disable", status=200),
}
"""Calls of officers with names of another company: they reach their own company, whatever they name."""


def routes() -> Iterator[str]:
    for part in PARTS:
        for route in part.routes.routes:
            for method in getattr(route, "methods", ()):
                yield f"{method} {route.path.removeprefix('/api/v1')}"  # pyright: ignore[reportAttributeAccessIssue]
