"""Documents on record: versions that nothing overwrites, with their status, and notes on them. A turn's version is written in
the transaction that stores its artifacts: whole, or not at all."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import orjson
import sqlalchemy as sa

from metaagent.errors import DocumentRefused, Text
from metaagent.ports import ArtifactRef, Clock, Group, Json, NewVersion, Turn, User
from metaagent.storage.document_rows import add_version
from metaagent.storage.session_store import SqlStore
from metaagent.storage.tables import document_notes, document_versions
from metaagent.storage.turn_records import Row
from metaagent.values import iso

Status = Literal["draft", "in_review", "approved", "released", "withdrawn"]
NoteKind = Literal["comment", "finding", "status"]
STATUSES: tuple[Status, ...] = get_args(Status)
KEPT: tuple[Status, ...] = ("approved", "released", "withdrawn")
"""The status from which on a document outlives the session that it was written in."""

_CHANGED = Text(
    en="Version {version} of {document} is {found} by now, not {expected}: look at it again.",
    ko="{document} {version}판은 이제 {found} 상태입니다({expected} 아님). 다시 확인하세요.",
)


@dataclass(frozen=True)
class Version:
    """One version as it is read: facts in clear, content opened."""

    document_id: str
    version: int
    status: Status
    created_at: str
    owner: str
    session_id: str
    body: Json = field(repr=False)

    @property
    def author(self) -> str:
        return str(self.body["author"])

    @property
    def document(self) -> Any:
        return self.body["document"]

    def facts(self) -> Json:
        """Everything about it but its content."""
        told = {key: value for key, value in self.body.items() if key not in {"document", "place"}}
        return {
            "document_id": self.document_id,
            "version": self.version,
            "status": self.status,
            "created_at": self.created_at,
            "session_id": self.session_id,
            **told,
        }


class DocumentStore:
    """Everything is asked within one company; who may see what is decided by the caller."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        store.delete_too("written_documents", _remove_drafts)

    async def listed(self, user: User) -> list[Version]:
        """The newest version of each document, the oldest document first."""
        columns = document_versions.c
        newest = (
            sa.select(columns.document_id, sa.func.max(columns.version).label("version"))
            .where(columns.company_id == user.company_id)
            .group_by(columns.document_id)
            .subquery()
        )
        here = (columns.document_id == newest.c.document_id) & (columns.version == newest.c.version)
        query = (
            sa.select(document_versions)
            .join(newest, here)
            .where(columns.company_id == user.company_id)
            .order_by(columns.created_at, columns.document_id)
        )
        return await self._read(query)

    async def versions(self, user: User, document_id: str) -> list[Version]:
        """All versions, the oldest first."""
        mine = document_versions.c.company_id == user.company_id
        query = (
            sa.select(document_versions)
            .where(mine & (document_versions.c.document_id == document_id))
            .order_by(document_versions.c.version)
        )
        return await self._read(query)

    async def owner(self, user: User, document_id: str) -> str | None:
        """The alias of who made the first version that is left."""
        columns = document_versions.c
        query = (
            sa.select(columns.owner)
            .where((columns.company_id == user.company_id) & (columns.document_id == document_id))
            .order_by(columns.version)
            .limit(1)
        )
        rows = await self._store.transaction(lambda connection: connection.execute(query).all())
        return rows[0].owner if rows else None

    async def add(self, user: User, made: NewVersion, session_id: str, turn_id: str) -> int:
        """Add a version after the newest, also among the artifacts of its session, where it is still there; its number."""
        at = iso(self._clock.now())
        row = self._store.version_row(made, user, session_id, turn_id, at)
        turn = await self._store.last_turn(session_id) if session_id else None

        def write(connection: sa.Connection) -> int:
            number = add_version(connection, row.values)
            if turn is not None:
                model = self._model(made, number, replace(turn, user=user), at)
                self._store.insert(connection, [model])
            return number

        return await self._store.transaction(write)

    def _model(self, made: NewVersion, number: int, turn: Turn, at: str) -> Row:
        content = orjson.dumps(made.document, option=orjson.OPT_SORT_KEYS)
        digest = hashlib.sha256(content).hexdigest()
        place = f"{turn.session_id}/{made.document_id}/{number}/{digest}".encode()
        ref = ArtifactRef(
            id=f"a{self._store.keyed_hash(turn.user.company_id, place)[:31]}",
            kind="document",
            summary=made.title,
            size=len(content),
            hash=digest,
            made_by=f"{turn.turn_id}/documents",
            name=f"{made.document_id}-{number}.json",
            media_type="application/json",
            group=Group(made.document_id, number, "json"),
        )
        return self._store.artifact_row(ref, content, turn, at)

    async def note(
        self, user: User, document_id: str, version: int, kind: NoteKind, body: Mapping[str, Any]
    ) -> Json:
        values = self._note_values(user, document_id, version, kind, body)
        await self._store.transaction(lambda connection: connection.execute(document_notes.insert(), values))
        return {"note_id": values["note_id"], "kind": kind, **body}

    async def notes(self, user: User, document_id: str) -> list[Json]:
        columns = document_notes.c
        query = (
            sa.select(document_notes)
            .where((columns.company_id == user.company_id) & (columns.document_id == document_id))
            .order_by(columns.created_at, columns.note_id)
        )
        rows = await self._store.transaction(lambda connection: connection.execute(query).all())
        return [
            {
                "note_id": row.note_id,
                "version": row.version,
                "kind": row.kind,
                "created_at": row.created_at,
                **self._store.unseal(row.body, row.company_id, "document_notes", row.note_id),
            }
            for row in rows
        ]

    async def change_status(
        self, user: User, found: Version, status: Status, body: Mapping[str, Any]
    ) -> None:
        """Change it if it still is as it was found; the note says who did it and why."""
        told = {**body, "from": found.status, "to": status}
        values = self._note_values(user, found.document_id, found.version, "status", told)
        columns = document_versions.c
        here = (
            (columns.company_id == user.company_id)
            & (columns.document_id == found.document_id)
            & (columns.version == found.version)
        )

        def write(connection: sa.Connection) -> str | None:
            same = document_versions.update().where(here & (columns.status == found.status))
            if connection.execute(same.values(status=status)).rowcount == 1:
                connection.execute(document_notes.insert(), values)
                return None
            return connection.execute(sa.select(columns.status).where(here)).scalar() or "-"

        now = await self._store.transaction(write)
        if now is not None:
            names = {"document": found.document_id, "version": found.version}
            raise DocumentRefused(_CHANGED, **names, found=now, expected=found.status)

    async def erase(self, user: User, alias: str) -> int:
        """Remove what this person wrote, and whatever was said on documents of which nothing is left."""
        versions, notes = document_versions.c, document_notes.c

        def write(connection: sa.Connection) -> int:
            mine = (versions.company_id == user.company_id) & (versions.owner == alias)
            gone = connection.execute(document_versions.delete().where(mine)).rowcount
            left = sa.select(versions.document_id).where(versions.company_id == user.company_id)
            theirs = (notes.owner == alias) | notes.document_id.not_in(left)
            here = notes.company_id == user.company_id
            return gone + connection.execute(document_notes.delete().where(here & theirs)).rowcount

        return await self._store.transaction(write)

    async def _read(self, query: sa.Select[Any]) -> list[Version]:
        rows = await self._store.transaction(lambda connection: connection.execute(query).all())
        return [self._version(row) for row in rows]

    def _version(self, row: sa.Row[Any]) -> Version:
        place = ("document_versions", row.company_id, row.document_id, row.key)
        body = self._store.unseal(row.body, row.company_id, *place)
        status: Status = row.status if row.status in STATUSES else "draft"
        return Version(
            row.document_id,
            row.version,
            status=status,
            created_at=row.created_at,
            owner=row.owner,
            session_id=row.session_id,
            body=body,
        )

    def _note_values(
        self, user: User, document_id: str, version: int, kind: NoteKind, body: Mapping[str, Any]
    ) -> Json:
        note_id = f"n{secrets.token_hex(8)}"
        return {
            "note_id": note_id,
            "company_id": user.company_id,
            "document_id": document_id,
            "version": version,
            "owner": self._store.alias(user),
            "kind": kind,
            "created_at": iso(self._clock.now()),
            "body": self._store.seal(dict(body), user, "document_notes", note_id),
        }


def _remove_drafts(connection: sa.Connection, session_id: str) -> int:
    """Remove documents with the session that they were written in, unless somebody has approved a version."""
    columns, notes = document_versions.c, document_notes.c
    other = document_versions.alias()
    kept = sa.exists().where(
        (other.c.company_id == columns.company_id)
        & (other.c.document_id == columns.document_id)
        & other.c.status.in_(KEPT)
    )
    drafts = (columns.session_id == session_id) & ~kept
    names = connection.execute(sa.select(columns.company_id, columns.document_id).where(drafts)).all()
    removed = connection.execute(document_versions.delete().where(drafts)).rowcount
    for company_id, document_id in set(map(tuple, names)):
        mine = (columns.company_id == company_id) & (columns.document_id == document_id)
        if connection.execute(sa.select(sa.func.count()).select_from(document_versions).where(mine)).scalar():
            continue
        about = (notes.company_id == company_id) & (notes.document_id == document_id)
        connection.execute(document_notes.delete().where(about))
    return removed
