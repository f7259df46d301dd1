"""Stores, shows and undoes: the commit in the ledger's transaction, files before it and searchable texts after it."""

from __future__ import annotations

import asyncio
import errno
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from metaagent.audit import AuditEvent, Receipt
from metaagent.config import Data
from metaagent.data.semantic.model import Model
from metaagent.errors import Failed, StoreRefused, Text
from metaagent.ports import Clock, Json, User
from metaagent.storage.holds import HoldCheck
from metaagent.storage.records.blobs import PREFIX, address
from metaagent.storage.records.database import FULL, Unconfirmed
from metaagent.storage.records.ledger import UNFINISHED, Entry, Ledger, stored
from metaagent.storage.records.receipts import LINK, Found, Places, content_hash, facts, receipt_of, row_count
from metaagent.storage.records.rows import CHANGED, Change, RowWriter
from metaagent.storage.records.writable import Writable
from metaagent.storage.vault import Vault
from metaagent.values import iso

SHOWN_ROWS = 20
_NO_ROWS = Text(
    en="No rows can be stored: data.write_url names no database.",
    ko="행을 저장할 수 없습니다. data.write_url에 데이터베이스가 없습니다.",
)
_EMPTY = Text(en="There is nothing to store.", ko="저장할 것이 없습니다.")
_OTHER_CONTENT = Text(
    en="Nothing was stored: this step stored something else before (receipt {receipt}). Ask for it in a new question.",
    ko="아무것도 저장하지 않았습니다. 이 단계는 이미 다른 내용을 저장했습니다(영수증 {receipt}). 새 질문으로 요청하십시오.",
)
_UNKNOWN = Text(en="There is no receipt {receipt!r}.", ko="영수증 {receipt!r}이(가) 없습니다.")
_UNDONE = Text(
    en="Receipt {receipt} was undone on {at}: there is nothing left to undo.",
    ko="영수증 {receipt}은(는) {at}에 이미 되돌렸습니다. 더 되돌릴 것이 없습니다.",
)
_ERASED = Text(
    en="Receipt {receipt} belongs to a person who was erased: what was there before is no longer known.",
    ko="영수증 {receipt}의 사람은 파기되었습니다. 이전 내용을 더 알 수 없습니다.",
)
_KEEP = Text(
    en="It is not undone: the domain's rules keep it until {until}.",
    ko="되돌리지 않았습니다. 도메인 규칙에 따라 {until}까지 보존해야 합니다.",
)
ORPHAN = timedelta(days=1)
"""A file that no receipt names is removed when it is older: a younger one may be about to be committed."""


class RecordStore:
    """Everything that is stored for good, for all tenants and people."""

    def __init__(
        self,
        settings: Data,
        places: Places,
        vault: Vault,
        clock: Clock,
        holds: HoldCheck | None,
        record: Callable[[AuditEvent], Awaitable[Receipt]] | None,
    ) -> None:
        self.settings = settings
        self.places = places
        self._vault = vault
        self._clock = clock
        self._holds = holds
        self._record = record

    def close(self) -> None:
        for ledger in self.places.ledgers:
            ledger.database.close()

    # --- storing ----------------------------------------------------------------------------------------

    async def preview(self, user: User, model: Model | None, batch: Mapping[str, Any]) -> Json:
        rows = batch.get("rows")
        if not rows:
            return {"fingerprint": "", "new": 0, "replaced": 0, "unchanged": 0}
        return await asyncio.to_thread(self._preview, Writable(self.settings, model, user), rows)

    def _preview(self, writable: Writable, rows: Mapping[str, Any]) -> Json:
        target = writable.target(rows["table"])
        writable.check(target, rows["columns"])
        with self.rows_ledger().transaction() as connection:
            writer = RowWriter(connection, target)
            change = writer.change(rows["columns"], rows["rows"])
            return {
                "table": change.table,
                "columns": change.columns,
                "rows": change.new[:SHOWN_ROWS],
                "replaces": change.replaced[:SHOWN_ROWS],
                "new": len(change.new),
                "replaced": len(change.replaced),
                "unchanged": change.unchanged,
                "fingerprint": writer.fingerprint(change),
            }

    async def store(
        self,
        user: User,
        model: Model | None,
        key: str,
        batch: Mapping[str, Any],
        fingerprint: str | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Json:
        """Store the batch once. Raises StoreRefused; then nothing of it is there."""
        if not any(batch.get(part) for part in ("rows", "files", "texts")):
            raise StoreRefused(_EMPTY)
        await self.settle()
        content = content_hash(batch)
        before = await asyncio.to_thread(self._before, user, key, content, rows=bool(batch.get("rows")))
        if before is not None:
            return receipt_of(before)
        owner = self._vault.alias(user)
        files = await self._written(user, owner, batch.get("files") or ())
        entry = self._entry(user, owner, key, content, batch, files)
        body = {**facts(batch), "files": files, "user": user.user_id, "company": user.company_id}
        body |= {"source": dict(source or {})}
        try:
            made = await asyncio.to_thread(self._commit, user, model, entry, body, batch, fingerprint)
        except Unconfirmed:
            found = await asyncio.to_thread(self._before, user, key, content, rows=True)
            if found is None:
                raise
            made = replace(found, already=False)
        except StoreRefused:
            await self._remove_unused(user, entry.files)
            raise
        if not made.already:
            await self._tell("records.stored", made, user, key=f"stored:{entry.receipt}")
        return receipt_of(await self._finish(made))

    def _before(self, user: User, key: str, content: str, *, rows: bool) -> Found | None:
        """Finds what was stored with this key or, where no rows are in it, with the same content by the same person."""
        for ledger in self.places.ledgers:
            with ledger.transaction() as connection:
                found = ledger.find(connection, stored.c.tenant == user.tenant, stored.c.key == key)
                if found and found[0].content != content:
                    raise StoreRefused(_OTHER_CONTENT, receipt=found[0].receipt)
                same = found or ([] if rows else self._same(ledger, connection, user, content))
                if same:
                    return Found(ledger, same[0], ledger.open(same[0]), already=True)
        return None

    def _same(self, ledger: Ledger, connection: sa.Connection, user: User, content: str) -> list[Entry]:
        return ledger.find(
            connection,
            stored.c.tenant == user.tenant,
            stored.c.owner == self._vault.alias(user),
            stored.c.content == content,
            stored.c.status.in_(("committed", "stored")),
        )

    async def _written(self, user: User, owner: str, files: Sequence[Mapping[str, Any]]) -> list[Json]:
        blobs = self.places.files(user)
        made: list[Json] = []
        for each in files:
            content = bytes(each["content"])
            file_id = address(user.tenant, owner, content)
            try:
                await blobs.write(file_id, content)
            except OSError as error:
                await self._remove_unused(user, [one["id"] for one in made])
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise StoreRefused(FULL, reason=str(error.strerror)) from error
                raise
            made.append(
                {
                    "id": file_id,
                    "name": each.get("name") or file_id,
                    "media_type": each.get("media_type") or "application/octet-stream",
                    "size": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
            )
        return made

    def _entry(
        self,
        user: User,
        owner: str,
        key: str,
        content: str,
        batch: Mapping[str, Any],
        files: Sequence[Mapping[str, Any]],
    ) -> Entry:
        now = self._clock.now()
        days = batch.get("retention_days")
        digest = hashlib.sha256(f"{user.tenant}\0{key}".encode()).hexdigest()
        return Entry(
            tenant=user.tenant,
            key=key,
            receipt=f"r{digest[:24]}",
            owner=owner,
            content=content,
            status="committed" if batch.get("texts") else "stored",
            stored_at=iso(now),
            keep_until=iso(now + timedelta(days=int(days))) if days else None,
            files=tuple(each["id"] for each in files),
            body=b"",
        )

    def _commit(
        self,
        user: User,
        model: Model | None,
        entry: Entry,
        body: Json,
        batch: Mapping[str, Any],
        fingerprint: str | None,
    ) -> Found:
        rows = batch.get("rows")
        ledger = self.rows_ledger() if rows else self.places.first
        with ledger.transaction() as connection:
            if again := ledger.find(connection, stored.c.receipt == entry.receipt):
                return Found(ledger, again[0], ledger.open(again[0]), already=True)
            if rows:
                writable = Writable(self.settings, model, user)
                target = writable.target(rows["table"])
                writable.check(target, rows["columns"])
                writer = RowWriter(connection, target)
                for same in self._same(ledger, connection, user, entry.content):
                    known = ledger.open(same)
                    if writer.standing(Change(**known["rows"])):
                        return Found(ledger, same, known, already=True)
                change = writer.change(rows["columns"], rows["rows"])
                if fingerprint is not None and fingerprint != writer.fingerprint(change):
                    raise StoreRefused(CHANGED, table=target.name)
                body = {**body, "rows": writer.write(change).as_json()}
            made = replace(entry, body=ledger.seal(user, entry.receipt, body))
            ledger.add(connection, made)
        return Found(ledger, made, body)

    def rows_ledger(self) -> Ledger:
        if self.places.rows is None:
            raise StoreRefused(_NO_ROWS)
        return self.places.rows

    # --- finishing what was committed -------------------------------------------------------------------

    async def settle(self) -> int:
        """Finish what was committed or undone and not finished, by whomever; how much that was."""
        waiting = await asyncio.to_thread(self._unfinished)
        for found in waiting:
            await self._finish(found)
        return len(waiting)

    def _unfinished(self) -> list[Found]:
        found: list[Found] = []
        for ledger in self.places.ledgers:
            with ledger.transaction() as connection:
                waiting = ledger.find(connection, stored.c.status.in_(UNFINISHED))
            found += [Found(ledger, entry, ledger.readable(entry)) for entry in waiting]
        return [each for each in found if each.body]

    async def _finish(self, found: Found) -> Found:
        """Index the texts, or remove them and the files; repeatable, so a crash in between costs nothing."""
        entry, body = found.entry, found.body
        if entry.status not in UNFINISHED:
            return found
        user = User(body["user"], body["company"])
        texts: list[Json] = body.get("texts") or []
        names = {each["id"]: f"{entry.receipt}-{each['id']}" for each in texts}
        if entry.status == "committed":
            if texts:
                named = {name: {"receipt": entry.receipt} for name in names.values()}
                by_name = {names[each["id"]]: each["text"] for each in texts}
                more = {names[each["id"]]: each.get("metadata") or {} for each in texts}
                await self.places.index(user).add(
                    by_name, {key: {**more[key], **named[key]} for key in named}
                )
            done = await asyncio.to_thread(self._mark, found, "stored")
            if texts and done.entry.status != "stored":  # undone by somebody while they were indexed
                await self.places.index(user).remove(list(names.values()))
            return done
        if texts:
            await self.places.index(user).remove(list(names.values()))
        await self._remove_unused(user, entry.files)
        return await asyncio.to_thread(self._mark, found, "undone")

    def _mark(self, found: Found, status: Any) -> Found:
        """The receipt with its new status, or as somebody else has left it meanwhile."""
        with found.ledger.transaction() as connection:
            if found.ledger.change(connection, found.entry, status):
                return replace(found, entry=replace(found.entry, status=status))
            now = found.ledger.find(connection, stored.c.receipt == found.entry.receipt)
        return replace(found, entry=now[0] if now else replace(found.entry, status="undone"))

    async def _remove_unused(self, user: User, files: Sequence[str]) -> None:
        """Remove the files that no receipt names any more, but for those that are being undone."""
        used = await asyncio.to_thread(self._used, user.tenant) if files else set[str]()
        blobs = self.places.files(user)
        for file_id in files:
            if file_id not in used:
                await blobs.remove(file_id)

    def _used(self, tenant: str) -> set[str]:
        used: set[str] = set()
        for ledger in self.places.ledgers:
            with ledger.transaction() as connection:
                standing = stored.c.status.in_(("committed", "stored"))
                entries = ledger.find(connection, stored.c.tenant == tenant, standing)
                used |= {file for entry in entries for file in entry.files}
        return used

    # --- receipts ---------------------------------------------------------------------------------------

    async def by_key(self, user: User, key: str) -> Json | None:
        await self.settle()
        found = await asyncio.to_thread(self._all, stored.c.tenant == user.tenant, stored.c.key == key)
        return receipt_of(found[0]) if found else None

    async def listed(self, user: User, *, everyone: bool = False, session: str = "") -> list[Json]:
        """The receipts of a person, or of everyone in the company; with a session, `here` says which it stored."""
        await self.settle()
        where = [stored.c.tenant == user.tenant]
        if not everyone:
            where.append(stored.c.owner == self._vault.alias(user))
        found = await asyncio.to_thread(self._all, *where)
        if not session:
            return [receipt_of(each) for each in found]
        here = [(each.body.get("source") or {}).get("session") == session for each in found]
        return [{**receipt_of(each), "here": own} for each, own in zip(found, here, strict=True)]

    def _all(self, *where: Any) -> list[Found]:
        found: list[Found] = []
        for ledger in self.places.ledgers:
            with ledger.transaction() as connection:
                entries = ledger.find(connection, *where)
            found += [Found(ledger, entry, ledger.readable(entry)) for entry in entries]
        return found

    async def found(self, user: User, receipt: str) -> Found:
        """The receipt by its id or link. Raises StoreRefused where the company has none such."""
        await self.settle()
        name = receipt.removeprefix(LINK)
        where = (stored.c.tenant == user.tenant, stored.c.receipt == name)
        found = await asyncio.to_thread(self._all, *where)
        if not found:
            raise StoreRefused(_UNKNOWN, receipt=name)
        return found[0]

    def owns(self, user: User, found: Found) -> bool:
        return found.entry.owner == self._vault.alias(user)

    async def shown(self, user: User, model: Model | None, found: Found) -> Json:
        """The receipt, whether it still holds, and what was stored."""
        body = found.body
        verified = found.entry.content == body.get("content_hash", found.entry.content)
        owner = User(body.get("user", ""), user.company_id)
        files = [await self._checked(owner, each) for each in body.get("files") or ()]
        rows = await asyncio.to_thread(self._standing, user, model, found) if body.get("rows") else None
        holds = verified and rows is not False and all(each["intact"] for each in files)
        return {**receipt_of(found), "holds": holds, "rows_unchanged": rows, "files": files}

    async def _checked(self, owner: User, file: Mapping[str, Any]) -> Json:
        try:
            content = await self.places.files(owner).read(file["id"])
        except Failed:
            return {**file, "intact": False}
        return {**file, "intact": hashlib.sha256(content).hexdigest() == file["sha256"]}

    def _standing(self, user: User, model: Model | None, found: Found) -> bool:
        change = Change(**found.body["rows"])
        target = Writable(self.settings, model, user, by_role=False).target(change.table)
        with found.ledger.transaction() as connection:
            return RowWriter(connection, target).standing(change)

    async def content(self, found: Found, file_id: str) -> bytes:
        return await self.places.files(User(found.body["user"], found.body["company"])).read(file_id)

    # --- undoing and removing ---------------------------------------------------------------------------

    async def undo(self, user: User, model: Model | None, found: Found, reason: str) -> Json:
        """Restore what was there before. Raises StoreRefused, or AccessDenied under a legal hold."""
        entry = found.entry
        if entry.status in ("undoing", "undone"):
            raise StoreRefused(_UNDONE, receipt=entry.receipt, at=found.body.get("undone_at", "-"))
        if not found.body:
            raise StoreRefused(_ERASED, receipt=entry.receipt)
        if found.body.get("must_keep") and entry.keep_until and entry.keep_until > iso(self._clock.now()):
            raise StoreRefused(_KEEP, until=entry.keep_until[:10])
        if self._holds is not None:
            await self._holds.refuse_owner(user.company_id, entry.owner)
        body = {**found.body, "undone_at": iso(self._clock.now()), "undone_why": reason}
        try:
            done = await asyncio.to_thread(self._undo, user, model, replace(found, body=body))
        except Unconfirmed:
            again = await self.found(user, entry.receipt)
            if again.entry.status not in ("undoing", "undone"):
                raise
            done = again
        await self._tell("records.undone", done, user, key=f"undone:{entry.receipt}", reason=reason)
        return receipt_of(await self._finish(done))

    def _undo(self, user: User, model: Model | None, found: Found) -> Found:
        ledger, body = found.ledger, found.body
        owner = User(body["user"], body["company"])
        parts = bool(body.get("files") or body.get("texts"))
        with ledger.transaction() as connection:
            (entry,) = ledger.find(connection, stored.c.receipt == found.entry.receipt, held=True)
            if entry.status in ("undoing", "undone"):
                raise StoreRefused(_UNDONE, receipt=entry.receipt, at="-")
            if body.get("rows"):
                change = Change(**body["rows"])
                target = Writable(self.settings, model, user, by_role=False).target(change.table)
                RowWriter(connection, target).undo(change)
            status: Any = "undoing" if parts else "undone"
            sealed = ledger.seal(owner, entry.receipt, body)
            ledger.change(connection, entry, status, sealed)
        return Found(ledger, replace(entry, status=status, body=sealed), body)

    async def erase(self, user: User, alias: str) -> dict[str, int]:
        """Remove the receipts of this person with their files and texts; rows stay, as records of the company, and are
        counted."""
        where = (stored.c.tenant == user.tenant, stored.c.owner == alias)
        theirs = await asyncio.to_thread(self._all, *where)
        rows = 0
        for found in theirs:
            texts = [f"{found.entry.receipt}-{each['id']}" for each in found.body.get("texts") or ()]
            if texts:
                await self.places.index(user).remove(texts)
            if found.entry.status != "undone":
                rows += row_count(found.body)
            for file_id in found.entry.files:
                await self.places.files(user).remove(file_id)
            await asyncio.to_thread(self._drop, found)
        return {"stored": len(theirs), "stored_rows_kept": rows}

    def _drop(self, found: Found) -> None:
        with found.ledger.transaction() as connection:
            found.ledger.drop(connection, [found.entry.receipt])

    async def expire(self, user: User, before: datetime) -> int:
        """Remove the files and texts of the company whose time has passed, what was undone, and files that were never
        committed; nothing that is held."""
        where = (stored.c.tenant == user.tenant, stored.c.keep_until < iso(before))
        gone = 0
        for found in await asyncio.to_thread(self._all, *where):
            if not found.body or await self._held(found):
                continue
            owner = User(found.body["user"], found.body["company"])
            texts = [f"{found.entry.receipt}-{each['id']}" for each in found.body.get("texts") or ()]
            if texts:
                await self.places.index(owner).remove(texts)
            await asyncio.to_thread(self._drop, found)
            await self._remove_unused(owner, found.entry.files)
            gone += 1
        return gone + await self._sweep(user, before - ORPHAN)

    async def _sweep(self, user: User, before: datetime) -> int:
        """Remove the company's files that a process wrote and never committed. A younger one may be on its way."""
        used = await asyncio.to_thread(self._used, user.tenant)
        return await self.places.files(user).sweep(PREFIX, used, before)

    async def _held(self, found: Found) -> bool:
        if self._holds is None:
            return False
        return await self._holds.is_held(User(found.body["user"], found.body["company"]))

    async def _tell(self, event: str, found: Found, user: User, *, key: str, reason: str = "") -> None:
        if self._record is None:
            return
        body = found.body
        data = {
            "receipt": found.entry.receipt,
            "content": found.entry.content,
            "table": (body.get("rows") or {}).get("table"),
            "rows": row_count(body),
            "files": len(body.get("files") or ()),
            "texts": len(body.get("texts") or ()),
        }
        private = {"reason": reason} if reason else {}
        await self._record(
            AuditEvent(
                tenant=user.tenant,
                event=event,
                person=user.user_id,
                outcome="done",
                data=data,
                private=private,
                key=key,
            )
        )
