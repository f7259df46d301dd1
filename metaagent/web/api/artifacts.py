"""Artifacts of answers: what they are, and their content as a file."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import Header, Query
from pydantic import Field
from starlette.responses import Response

from metaagent.errors import InputRefused, Text
from metaagent.sessions.artifact_forms import as_file, own_form
from metaagent.sessions.downloads import Download, download_of
from metaagent.web.api.base import Caller, Id, Loose, router
from metaagent.web.api.files import FILE, download

routes = router("artifacts")

_WRONG = Text(
    en="Artifact {id} cannot be written as {format}: a table can be csv, xlsx or json, a chart png, svg, pdf or json, a document "
    "what was made of it.",
    ko="산출물 {id}은(는) {format}(으)로 쓸 수 없습니다. 표는 csv, xlsx, json, 차트는 png, svg, pdf, json, 문서는 만들어진 "
    "형식으로 쓸 수 있습니다.",
)
FORMS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "hwpx": "application/hwp+zip",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
Form = Literal["csv", "xlsx", "json", "png", "svg", "pdf", "docx", "hwpx", "md", "html"]


class Artifact(Loose):
    id: str = Field(examples=["a0123456789abcdef"])
    kind: str = Field(examples=["dataset"])
    summary: str
    size: int
    hash: str


@routes.get("/sessions/{session_id}/artifacts/{artifact_id}")
async def show_artifact(session_id: Id, artifact_id: Id, who: Caller) -> Artifact:
    """The kind, name, media type and hash of an artifact."""
    return Artifact.model_validate((await who.artifact_ref(session_id, artifact_id)).as_json())


@routes.get("/sessions/{session_id}/artifacts/{artifact_id}/content", **FILE)
async def download_artifact(
    session_id: Id,
    artifact_id: Id,
    who: Caller,
    form: Annotated[Form | None, Query(description="As this kind of file; as it is if empty.")] = None,
    byte_range: Annotated[str | None, Header(alias="Range", max_length=200)] = None,
) -> Response:
    """The content of an artifact as a file, whole or the range that is asked for."""
    ref = await who.artifact_ref(session_id, artifact_id, form=form)
    file = await who.artifact_file(session_id, ref.id)
    own = own_form(ref) if ref.media_type or ref.name else "json"
    if form is not None and form != own:
        file = await _made_as(form, await who.artifact(session_id, ref.id), ref.id)
    if byte_range is None:  # a part of a file proves nothing about where it came from
        await who.record_export(session_id, ref.id, form or own, await _digest(file))
    return download(file, byte_range)


async def _made_as(form: Form, data: Any, artifact_id: str) -> Download:
    content = await as_file(data, form)
    if content is None:
        raise InputRefused(_WRONG, id=artifact_id, format=form)
    return download_of(f"{artifact_id}.{form}", FORMS[form], content)


async def _digest(file: Download) -> str:
    found = sha256()
    async for piece in file.read():
        found.update(piece)
    return found.hexdigest()
