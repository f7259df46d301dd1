"""Documents on record: versions, differences, files, comments, and the way to their release."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import File, Form, Header, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from metaagent.web.api.base import Caller, Cursor, Id, Language, Limit, Loose, Page, page_of_all, router
from metaagent.web.api.files import FILE, download

routes = router("documents")

Number = Annotated[int | None, Query(ge=1, le=1_000_000, description="Which version; the newest if empty.")]
FileForm = Literal["pdf", "docx", "hwpx", "xlsx", "md", "html", "json"]


class Version(Loose):
    document_id: str
    version: int
    status: str = Field(examples=["draft"])
    title: str


class Change(Loose):
    kind: str
    block: str


class Note(Loose):
    version: int


class Comment(BaseModel):
    text: str = Field(min_length=1, max_length=10_000)
    version: int | None = Field(None, ge=1, le=1_000_000)
    block: str = Field("", max_length=200, description="The part that it is about.")


class Which(BaseModel):
    version: int | None = Field(None, ge=1, le=1_000_000, description="The newest if empty.")


class WhichAndWhy(Which):
    reason: str = Field("", max_length=10_000, description="It is on record.")


class Back(BaseModel):
    version: int = Field(ge=1, le=1_000_000)


@routes.get("/documents")
async def list_documents(who: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[Version]:
    """The newest version of each document that you may see, the oldest document first."""
    return page_of_all([Version.model_validate(each) for each in await who.documents.listed()], limit, cursor)


@routes.get("/documents/{document_id}")
async def show_document(document_id: Id, who: Caller, version: Number = None) -> Version:
    """A version with its content, the facts of all versions, and what was said on them."""
    return Version.model_validate(await who.documents.shown(document_id, version))


@routes.get("/documents/{document_id}/diff")
async def compare_versions(
    document_id: Id,
    who: Caller,
    before: Annotated[int, Query(ge=1, le=1_000_000)],
    after: Annotated[int, Query(ge=1, le=1_000_000)],
) -> list[Change]:
    found = await who.documents.diff(document_id, before, after)
    return [Change.model_validate(each.as_json()) for each in found]


@routes.get("/documents/{document_id}/file", **FILE)
async def download_document(
    document_id: Id,
    who: Caller,
    form: FileForm = "pdf",
    version: Number = None,
    byte_range: Annotated[str | None, Header(alias="Range", max_length=200)] = None,
) -> Response:
    """A version as a file."""
    return download(await who.documents.file(document_id, form, version), byte_range)


@routes.post("/documents/{document_id}/versions", status_code=201)
async def upload_version(
    document_id: Id,
    who: Caller,
    file: Annotated[UploadFile, File(description="The edited DOCX.")],
    base: Annotated[int | None, Form(ge=1, le=1_000_000)] = None,
) -> Version:
    """Bring an edited file back as a new version, with what was changed."""
    return Version.model_validate(await who.documents.import_edited(document_id, await file.read(), base))


@routes.post("/documents/{document_id}/comments", status_code=201)
async def comment(document_id: Id, said: Comment, who: Caller) -> Note:
    return Note.model_validate(await who.documents.comment(document_id, said.text, said.version, said.block))


@routes.post("/documents/{document_id}/restore", status_code=201)
async def restore_version(document_id: Id, back: Back, who: Caller) -> Version:
    """Make an old version the newest; nothing is overwritten."""
    return Version.model_validate(await who.documents.restore(document_id, back.version))


@routes.post("/documents/{document_id}/approve")
async def approve_version(document_id: Id, which: Which, who: Caller) -> Version:
    return Version.model_validate(await who.documents.approve(document_id, which.version))


@routes.post("/documents/{document_id}/release")
async def release_version(document_id: Id, which: WhichAndWhy, who: Caller, language: Language) -> Version:
    """Release a version that the rules let through; `blocked` says what speaks against it."""
    done: dict[str, Any] = await who.documents.release(
        document_id, which.version, reason=which.reason, language=language
    )
    return Version.model_validate(done)


@routes.post("/documents/{document_id}/withdraw")
async def withdraw_version(document_id: Id, which: WhichAndWhy, who: Caller) -> Version:
    return Version.model_validate(
        await who.documents.withdraw(document_id, which.version, reason=which.reason)
    )
