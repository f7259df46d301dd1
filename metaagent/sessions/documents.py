"""Documents on record: who may read, change, approve and release them, and the entry of each in the trail."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import denied
from metaagent.config import Documents as Settings
from metaagent.documents.diff import Change, differences
from metaagent.documents.docx_import import import_docx
from metaagent.documents.files import FORMATS, MEDIA_TYPES, render_files
from metaagent.documents.model import Document
from metaagent.documents.required_changes import place_of
from metaagent.errors import DocumentRefused, InputRefused, Text, UnknownDocument
from metaagent.global_state import Verdict
from metaagent.input_checks import ID, admit_answer, admit_user
from metaagent.ports import Json, NewVersion, User
from metaagent.sessions.downloads import JSON, Download, download_of
from metaagent.storage.documents import DocumentStore, Status, Version
from metaagent.storage.vault import Vault

READ, WRITE, APPROVE, RELEASE = (f"document.{name}" for name in ("read", "write", "approve", "release"))
CALLS = {
    "listed": READ,
    "shown": READ,
    "diff": READ,
    "export": READ,
    "file": READ,
    "comment": READ,
    "restore": WRITE,
    "import_edited": WRITE,
    "approve": APPROVE,
    "release": RELEASE,
    "withdraw": RELEASE,
}
"""The operation that each call needs. There is no call without one."""

OVERRIDE = "compliance.override"
LONGEST_COMMENT = 10_000
LARGEST_FILE = 50_000_000

_UNKNOWN = Text(
    en="There is no document {document!r}; `metaagent documents list` shows those that you may see.",
    ko="문서 {document!r}이(가) 없습니다. `metaagent documents list`로 볼 수 있는 문서를 확인하세요.",
)
_NO_VERSION = Text(
    en="{document} has no version {version}: it has {known}.",
    ko="{document}에 {version}판이 없습니다. 있는 판: {known}.",
)
_NO_BLOCK = Text(
    en="{document} has no part {block!r}: `documents show` lists them.",
    ko="{document}에 {block!r} 부분이 없습니다. `documents show`로 확인하세요.",
)
_OWN = Text(
    en="{author} wrote version {version}: somebody else must approve it (documents.approve_own).",
    ko="{version}판은 {author} 님이 작성했습니다. 다른 사람이 승인해야 합니다(documents.approve_own).",
)
_WRONG_STATUS = Text(
    en="Version {version} of {document} is {status}: {what} is possible for {allowed}.",
    ko="{document} {version}판은 {status} 상태입니다. {what}은(는) {allowed} 상태에서만 할 수 있습니다.",
)
_NEEDS_APPROVAL = Text(
    en="Version {version} of {document} is released only when somebody else has approved it: nobody can check it against the "
    "rules here.",
    ko="{document} {version}판은 다른 사람이 승인해야 배포할 수 있습니다. 여기에는 규정을 확인할 에이전트가 없습니다.",
)
_EMPTY = Text(en="The text is empty or too long.", ko="내용이 비었거나 너무 깁니다.")
_NO_REASON = Text(en="Say why (--reason).", ko="이유를 적으세요(--reason).")
_TOO_LARGE = Text(en="The file has more than {most:,} bytes.", ko="파일이 {most:,}바이트를 넘습니다.")
_IMPORTED = Text(en="edited file of version {version}", ko="{version}판의 편집본")
_RESTORED = Text(en="version {version} restored", ko="{version}판 복원")

Check = Callable[[Json, str, User, str], Awaitable[Verdict | None]]
"""Judges a document for a person; None where nobody can."""


@dataclass(frozen=True)
class DocumentService:
    store: DocumentStore
    gatekeeper: Gatekeeper
    vault: Vault
    settings: Settings
    check: Check

    async def listed(self, *, user: User | None = None) -> list[Json]:
        """The newest version of each document, the oldest first: one's own, or (`document.read:any`) the company's."""
        who = admit_user(user or User())
        rights = await self.gatekeeper.require(who, CALLS["listed"])
        everyone, alias = rights.may(CALLS["listed"], own=False), self.vault.alias(who)
        found = [each for each in await self.store.listed(who) if everyone or each.owner == alias]
        return [each.facts() for each in found]

    async def shown(self, document_id: str, version: int | None = None, *, user: User | None = None) -> Json:
        """A version (the newest if none is named) with its content, the facts of all versions, and what was said on them."""
        who, versions = await self._found(document_id, user, CALLS["shown"])
        found = _one(versions, version)
        notes = await self.store.notes(who, document_id)
        history = [each.facts() for each in versions]
        return {**found.facts(), "document": found.document, "versions": history, "notes": notes}

    async def diff(
        self, document_id: str, before: int, after: int, *, user: User | None = None
    ) -> list[Change]:
        _, versions = await self._found(document_id, user, CALLS["diff"])
        first, second = _one(versions, before), _one(versions, after)
        return differences(Document.from_json(first.document), Document.from_json(second.document))

    async def export(
        self, document_id: str, form: str, version: int | None = None, *, user: User | None = None
    ) -> bytes:
        """A version as a file, rendered from its model."""
        who, versions = await self._found(document_id, user, CALLS["export"])
        found = _one(versions, version)
        if form == "json":
            content = orjson.dumps(found.document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
        else:
            made = await render_files(Document.from_json(found.document), [form])
            content = made[form]
        await self._note(who, "document.exported", found, format=form if form in FORMATS else "json")
        return content

    async def file(
        self, document_id: str, form: str, version: int | None = None, *, user: User | None = None
    ) -> Download:
        """A version as a file to download, rendered from its model: it lies in memory until it is read, which bounds its
        size to what a renderer may return."""
        content = await self.export(document_id, form, version, user=user)
        return download_of(f"{document_id}.{form}", MEDIA_TYPES.get(form, JSON), content)

    async def comment(
        self,
        document_id: str,
        text: str,
        version: int | None = None,
        block: str = "",
        *,
        user: User | None = None,
    ) -> Json:
        """Say something on a version or on one part of it. A draft is in review from then on."""
        who, versions = await self._found(document_id, user, CALLS["comment"])
        found = _one(versions, version)
        admit_answer(text, limit=LONGEST_COMMENT, depth=2)
        if not text.strip():
            raise InputRefused(_EMPTY)
        if block and Document.from_json(found.document).block(block) is None:
            raise DocumentRefused(_NO_BLOCK, document=document_id, block=block)
        body = {"author": who.user_id, "text": text.strip(), "block": block}
        made = await self.store.note(who, document_id, found.version, "comment", body)
        if found.status == "draft":
            await self.store.change_status(who, found, "in_review", {"author": who.user_id, "text": ""})
        await self._note(who, "document.commented", found)
        return {**made, "version": found.version}

    async def restore(self, document_id: str, version: int, *, user: User | None = None) -> Json:
        """Make an old version the newest: a new one with its content. Nothing is overwritten."""
        who, versions = await self._found(document_id, user, CALLS["restore"])
        found = _one(versions, version)
        return await self._added(who, versions, found, found.document, _RESTORED, "document.restored")

    async def import_edited(
        self, document_id: str, content: bytes, base: int | None = None, *, user: User | None = None
    ) -> Json:
        """An edited DOCX as a new version, with its differences to the version that it was exported from. Where others have
        made a version since, it becomes one of its own, and that is said."""
        who, versions = await self._found(document_id, user, CALLS["import_edited"])
        if len(content) > LARGEST_FILE:
            raise InputRefused(_TOO_LARGE, most=LARGEST_FILE)
        found = _one(versions, base)
        before = Document.from_json(found.document)
        after = await import_docx(content, before)
        changed = differences(before, after)
        if not changed:
            return {**found.facts(), "changes": [], "meanwhile": []}
        made = await self._added(who, versions, found, after.as_json(), _IMPORTED, "document.imported")
        return {**made, "changes": [change.as_json() for change in changed]}

    async def approve(
        self, document_id: str, version: int | None = None, *, user: User | None = None
    ) -> Json:
        who, versions = await self._found(document_id, user, CALLS["approve"])
        found = _one(versions, version)
        _require(found, ("draft", "in_review"), "approve")
        if found.author == who.user_id and not self.settings.approve_own:
            await self.gatekeeper.refused(who, CALLS["approve"], reason="own", what=document_id)
            raise DocumentRefused(_OWN, author=found.author, version=found.version)
        await self.store.change_status(who, found, "approved", {"author": who.user_id, "text": ""})
        await self._note(who, "document.approved", found)
        return {**found.facts(), "status": "approved"}

    async def release(
        self,
        document_id: str,
        version: int | None = None,
        *,
        reason: str = "",
        language: str = "ko",
        user: User | None = None,
    ) -> Json:
        """Release a version that the rules let through. What speaks against it is noted where it stands, and `blocked` says
        so; somebody else with the right to override can release it with a reason. Where nobody can judge it, another person
        must have approved it."""
        who, versions = await self._found(document_id, user, CALLS["release"])
        found = _one(versions, version)
        _require(found, ("draft", "in_review", "approved"), "release")
        verdict = await self.check(found.document, str(found.body["hash"]), who, language)
        if verdict is None:
            await self._approved_by_another(who, found)
        elif self.settings.approve_first:
            _require(found, ("approved",), "release")
        overridden = False
        if verdict is not None and verdict["blocks"]:
            # Somebody else than who wrote it may let it through all the same, with a reason.
            rights = self.gatekeeper.rights(who)
            overridden = bool(reason.strip()) and rights.may(OVERRIDE, own=found.author == who.user_id)
            if not overridden:
                findings = await self._note_findings(who, found, verdict)
                await self._note(who, "document.blocked", found, verdict=verdict["hash"])
                return {**found.facts(), "blocked": findings}
        said = {"author": who.user_id, "text": reason, "override": overridden}
        await self.store.change_status(who, found, "released", said)
        hashed = {"verdict": verdict["hash"], "overridden": overridden} if verdict is not None else {}
        await self._note(who, "document.released", found, **hashed)
        return {**found.facts(), "status": "released", "blocked": []}

    async def withdraw(
        self, document_id: str, version: int | None = None, *, reason: str, user: User | None = None
    ) -> Json:
        who, versions = await self._found(document_id, user, CALLS["withdraw"])
        released = [each.version for each in versions if each.status == "released"]
        found = _one(versions, version or next(reversed(released), None))
        _require(found, ("released",), "withdraw")
        if not reason.strip():
            raise InputRefused(_NO_REASON)
        await self.store.change_status(who, found, "withdrawn", {"author": who.user_id, "text": reason})
        await self._note(who, "document.withdrawn", found)
        return {**found.facts(), "status": "withdrawn"}

    # --- inside -----------------------------------------------------------------------------------------

    async def _found(self, document_id: str, user: User | None, operation: str) -> tuple[User, list[Version]]:
        """The person and all versions. Another person's document looks exactly like one that does not exist."""
        who = admit_user(user or User())
        rights = self.gatekeeper.rights(who)
        if not rights.may(operation) and not rights.may(operation, own=False):
            await self.gatekeeper.require(who, operation, what="document")
        if not ID.fullmatch(document_id):
            raise UnknownDocument(_UNKNOWN, document=document_id[:80])
        owner = await self.store.owner(who, document_id)
        if owner is None or not self.gatekeeper.rights(who).may(READ, own=owner == self.vault.alias(who)):
            if owner is not None:
                await self.gatekeeper.refused(who, operation, reason="unknown", what=document_id)
            raise UnknownDocument(_UNKNOWN, document=document_id)
        if not rights.may(operation, own=owner == self.vault.alias(who)):
            await self.gatekeeper.refused(who, operation, reason="not_granted", what=document_id)
            raise denied(operation, who.roles)
        return who, await self.store.versions(who, document_id)

    async def _added(
        self,
        who: User,
        versions: Sequence[Version],
        base: Version,
        document: Json,
        note: Text,
        event: str,
    ) -> Json:
        newest = versions[-1]
        digest = hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()
        made = NewVersion(
            document_id=base.document_id,
            version=newest.version + 1,
            based_on=base.version,
            key=f"{event}/{who.user_id}/{newest.version}/{digest}",
            document=document,
            hash=digest,
            title=str(document.get("title") or base.body["title"]),
            note=note.say("ko", version=base.version),
        )
        number = await self.store.add(who, made, base.session_id, "")
        now = await self.store.versions(who, base.document_id)
        meanwhile = [each.facts() for each in now if base.version < each.version < number]
        await self._note(who, event, replace(base, version=number), based_on=base.version)
        return {**_one(now, number).facts(), "meanwhile": meanwhile}

    async def _approved_by_another(self, who: User, found: Version) -> None:
        notes = await self.store.notes(who, found.document_id)
        by = [
            each["author"]
            for each in notes
            if each["kind"] == "status" and each["version"] == found.version and each.get("to") == "approved"
        ]
        if found.status != "approved" or found.author in by[-1:]:
            raise DocumentRefused(_NEEDS_APPROVAL, document=found.document_id, version=found.version)

    async def _note_findings(self, who: User, found: Version, verdict: Verdict) -> list[Json]:
        """Put what speaks against it where it stands, once for each verdict."""
        document = Document.from_json(found.document)
        known = {
            (each.get("verdict"), each.get("rule"), each.get("block"))
            for each in await self.store.notes(who, found.document_id)
            if each["kind"] == "finding"
        }
        made: list[Json] = []
        for finding in verdict["findings"]:
            if finding["status"] not in ("violated", "unknown"):
                continue
            spans = [each.get("span") or () for each in finding["evidence"]] or [()]
            place = place_of(document, spans[0])
            body = {
                "author": "compliance_validation",
                "text": finding["message"],
                "block": place.block if place is not None else "",
                "rule": f"{finding['pack']}/{finding['rule']}",
                "severity": finding["severity"],
                "verdict": verdict["hash"],
            }
            made.append(body)
            if (body["verdict"], body["rule"], body["block"]) not in known:
                await self.store.note(who, found.document_id, found.version, "finding", body)
        return made

    async def _note(self, who: User, event: str, found: Version, **more: Any) -> None:
        told = {"document": found.document_id, "version": found.version, **more}
        await self.gatekeeper.note(who, event, told, session=found.session_id or None)


def _one(versions: Sequence[Version], number: int | None) -> Version:
    if number is None:
        return versions[-1]
    found = next((each for each in versions if each.version == number), None)
    if found is None:
        known = ", ".join(str(each.version) for each in versions)
        raise UnknownDocument(_NO_VERSION, document=versions[-1].document_id, version=number, known=known)
    return found


def _require(found: Version, allowed: Sequence[Status], what: str) -> None:
    if found.status not in allowed:
        names = {"document": found.document_id, "version": found.version, "status": found.status}
        raise DocumentRefused(_WRONG_STATUS, **names, what=what, allowed=", ".join(allowed))
