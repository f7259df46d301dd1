"""Documents for one person: every call of DocumentService, made by this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.ports import Json, User

if TYPE_CHECKING:
    from metaagent.documents.diff import Change
    from metaagent.sessions.documents import DocumentService
    from metaagent.sessions.downloads import Download


class ActingDocuments:
    def __init__(self, documents: DocumentService, user: User) -> None:
        self._documents = documents
        self.user = user

    async def listed(self) -> list[Json]:
        """The newest version of each document, the oldest first: one's own, or (`document.read:any`) the company's."""
        return await self._documents.listed(user=self.user)

    async def shown(self, document_id: str, version: int | None = None) -> Json:
        """A version (the newest if none is named) with its content, the facts of all versions, and what was said on them."""
        return await self._documents.shown(document_id, version, user=self.user)

    async def diff(self, document_id: str, before: int, after: int) -> list[Change]:
        return await self._documents.diff(document_id, before, after, user=self.user)

    async def export(self, document_id: str, form: str, version: int | None = None) -> bytes:
        """A version as a file, rendered from its model."""
        return await self._documents.export(document_id, form, version, user=self.user)

    async def file(self, document_id: str, form: str, version: int | None = None) -> Download:
        """A version as a file to download, rendered from its model: it lies in memory until it is read, which bounds its
        size to what a renderer may return."""
        return await self._documents.file(document_id, form, version, user=self.user)

    async def comment(self, document_id: str, text: str, version: int | None = None, block: str = "") -> Json:
        """Say something on a version or on one part of it. A draft is in review from then on."""
        return await self._documents.comment(document_id, text, version, block, user=self.user)

    async def restore(self, document_id: str, version: int) -> Json:
        """Make an old version the newest: a new one with its content. Nothing is overwritten."""
        return await self._documents.restore(document_id, version, user=self.user)

    async def import_edited(self, document_id: str, content: bytes, base: int | None = None) -> Json:
        """An edited DOCX as a new version, with its differences to the version that it was exported from. Where others have
        made a version since, it becomes one of its own, and that is said."""
        return await self._documents.import_edited(document_id, content, base, user=self.user)

    async def approve(self, document_id: str, version: int | None = None) -> Json:
        return await self._documents.approve(document_id, version, user=self.user)

    async def release(
        self, document_id: str, version: int | None = None, *, reason: str = "", language: str = "ko"
    ) -> Json:
        """Release a version that the rules let through. What speaks against it is noted where it stands, and `blocked` says
        so; somebody else with the right to override can release it with a reason. Where nobody can judge it, another person
        must have approved it."""
        return await self._documents.release(
            document_id, version, reason=reason, language=language, user=self.user
        )

    async def withdraw(self, document_id: str, version: int | None = None, *, reason: str) -> Json:
        return await self._documents.withdraw(document_id, version, reason=reason, user=self.user)
