"""Everything that was stored for good: who may list, open and undo it, and the entry of each in the trail."""

from __future__ import annotations

from collections.abc import Sequence

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import denied
from metaagent.data.semantic.model import Model
from metaagent.errors import AccessDenied, Failed, NeedsInput, StoreRefused, Text, UnknownReceipt
from metaagent.input_checks import admit_user
from metaagent.level2.storage.agent import StorageParams
from metaagent.level2.storage.dialog import Dialog
from metaagent.level2.storage.material import Material
from metaagent.level2.storage.work import prepare, preview_lines
from metaagent.ports import Json, Records, User
from metaagent.storage.records.receipts import LINK, Found, receipt_of
from metaagent.storage.records.record_store import RecordStore

_UNKNOWN = Text(
    en="There is no receipt {receipt!r}; `metaagent stored list` shows yours.",
    ko="영수증 {receipt!r}이(가) 없습니다. `metaagent stored list`로 확인하십시오.",
)
_NO_FILE = Text(
    en="Receipt {receipt} has no file {file!r}: it has {known}.",
    ko="영수증 {receipt}에 파일 {file!r}이(가) 없습니다. 있는 파일: {known}.",
)
_GONE = Text(
    en="The file {file!r} of receipt {receipt} is not there any more ({status}): `metaagent stored show {receipt}` says what is.",
    ko="영수증 {receipt}의 파일 {file!r}은(는) 이제 없습니다({status}). `metaagent stored show {receipt}`로 확인하십시오.",
)
_REFUSED = Text(en="{why}", ko="{why}")
_NO_REASON = Text(en="Say why it is undone (--reason).", ko="되돌리는 이유를 적으십시오(--reason).")


class StoredThings:
    def __init__(self, records: RecordStore, model: Model | None, gatekeeper: Gatekeeper) -> None:
        self._records = records
        self._model = model
        self._gatekeeper = gatekeeper

    async def listed(self, user: User, operation: str) -> list[Json]:
        rights = await self._gatekeeper.require(admit_user(user), operation)
        return await self._records.listed(user, everyone=rights.may(operation, own=False))

    async def shown(self, receipt: str, user: User, operation: str) -> Json:
        return await self._records.shown(user, self._model, await self._found(receipt, user, operation))

    async def file(self, receipt: str, name: str | None, user: User, operation: str) -> tuple[str, bytes]:
        """The content of one of its files; the first where none is named."""
        found = await self._found(receipt, user, operation)
        files: list[Json] = found.body.get("files") or []
        wanted = next((each for each in files if name is None or each["name"] == name), None)
        if wanted is None:
            known = ", ".join(each["name"] for each in files) or "-"
            raise StoreRefused(_NO_FILE, receipt=found.entry.receipt, file=name or "", known=known)
        try:
            return wanted["name"], await self._records.content(found, wanted["id"])
        except Failed as error:
            told = {"receipt": found.entry.receipt, "file": wanted["name"], "status": found.entry.status}
            raise UnknownReceipt(_GONE, **told) from error

    async def undo(self, receipt: str, reason: str, user: User, operation: str, *, dry: bool = False) -> Json:
        if not reason.strip():
            raise StoreRefused(_NO_REASON)
        found = await self._found(receipt, user, operation)
        if dry:
            return receipt_of(found)
        try:
            return await self._records.undo(user, self._model, found, reason)
        except (StoreRefused, AccessDenied) as error:
            await self._gatekeeper.refused(user, operation, reason=error.code, what=found.entry.receipt)
            raise

    async def preview(
        self,
        thing: Material,
        table: str | None,
        answers: Sequence[str],
        user: User,
        operation: str,
        port: Records,
        language: str,
    ) -> Json:
        """Preview storing this, with the first question that it would ask. Nothing is written."""
        params = StorageParams(table=table)
        return await self.would_be([thing], params, user, operation, port, Dialog(answers, language))

    async def would_be(
        self,
        things: Sequence[Material],
        params: StorageParams,
        user: User,
        operation: str,
        port: Records,
        dialog: Dialog,
    ) -> Json:
        """Say where these things would be stored and why: files, passages, rows as they would be and those that they replace."""
        rights = await self._gatekeeper.require(admit_user(user), operation)
        if not rights.port("records"):
            await self._gatekeeper.refused(user, operation, reason="not_granted", what="port:records")
            raise denied("port:records", user.roles)
        try:
            placed, batch, _ = await prepare(port, things, params, dialog, "")
        except NeedsInput as asked:
            return {"asks": asked.question, "options": asked.options}
        except Failed as failed:
            raise StoreRefused(_REFUSED, why=str(failed)) from failed
        seen = await port.preview(batch)
        return {
            "decision": batch["decision"],
            "why": batch["why"],
            "mapping": batch["mapping"],
            "files": [each["name"] for each in batch["files"]],
            "texts": len(batch["texts"]),
            "preview": seen,
            "lines": preview_lines(seen) if any(each.filled for each in placed) else [],
        }

    async def _found(self, receipt: str, user: User, operation: str) -> Found:
        """Another person's receipt looks exactly like one that does not exist."""
        name = receipt.removeprefix(LINK)
        who = admit_user(user)
        rights = self._gatekeeper.rights(who)
        if not rights.may(operation) and not rights.may(operation, own=False):
            await self._gatekeeper.require(who, operation, what=name)
        try:
            found = await self._records.found(who, name)
        except StoreRefused as error:
            raise UnknownReceipt(_UNKNOWN, receipt=name) from error
        if not rights.may(operation, own=self._records.owns(who, found)):
            await self._gatekeeper.refused(who, operation, reason="unknown", what=name)
            raise UnknownReceipt(_UNKNOWN, receipt=name)
        return found
