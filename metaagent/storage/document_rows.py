"""Rows of document versions: numbered when they are written, never overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from metaagent.ports import Json, NewVersion, User
from metaagent.storage.tables import document_versions
from metaagent.values import mapping, text


def version_body(made: NewVersion, user: User) -> Json:
    template = mapping(made.document)
    return {
        "title": made.title,
        "author": user.user_id,
        "based_on": made.based_on,
        "note": made.note,
        "artifacts_used": list(made.artifacts_used),
        "forms": dict(made.forms),
        "plan_version": made.plan_version,
        "template_id": text(template.get("template_id")),
        "template_version": text(template.get("template_version")),
        "hash": made.hash,
        "document": made.document,
    }


def add_version(connection: sa.Connection, values: Mapping[str, Any]) -> int:
    """Add a version after the newest one, whatever number it was made for: nothing is overwritten, and one that is there
    already stays as it is."""
    columns = document_versions.c
    _hold(connection, values["document_id"])
    mine = (columns.company_id == values["company_id"]) & (columns.document_id == values["document_id"])
    there = connection.execute(sa.select(columns.version).where(mine & (columns.key == values["key"])))
    known = there.scalar()
    if known is not None:
        return known
    newest = connection.execute(sa.select(sa.func.max(columns.version)).where(mine)).scalar() or 0
    number = max(values["version"], newest + 1)
    connection.execute(document_versions.insert(), {**values, "version": number})
    return number


class AddVersions:
    """Adds versions among the rows of a turn."""

    def run(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        for values in rows:
            add_version(connection, values)


def _hold(connection: sa.Connection, document_id: str) -> None:
    """Let one writer at a time number the versions of a document."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(document_id))))
        return
    raw: Any = connection.connection.driver_connection
    if not raw.in_transaction:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
