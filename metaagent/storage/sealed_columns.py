"""Columns of the database that are sealed, and what each value is bound to. Names alone: who checks them needs no engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sealed(NamedTuple):
    """A column's values are bound to a name and to the row's columns of these names."""

    name: str
    bound_to: tuple[str, ...]


SEALED_COLUMNS: Mapping[str, tuple[str, Mapping[str, Sealed]]] = {
    "sessions": ("sessions", {"body": Sealed("sessions", ("session_id",))}),
    "shares": ("session_shares", {"body": Sealed("session_shares", ("session_id", "reader"))}),
    "turns": ("turns", {"body": Sealed("turns", ("turn_id",))}),
    "events": ("events", {"body": Sealed("events", ("turn_id", "seq"))}),
    "artifacts": (
        "artifacts",
        {
            "ref": Sealed("artifact_refs", ("session_id", "artifact_id")),
            "body": Sealed("artifacts", ("session_id", "artifact_id")),
        },
    ),
    "messages": ("messages", {"body": Sealed("messages", ("session_id", "turn_id", "key"))}),
    "effects": ("effects", {"body": Sealed("effects", ("session_id", "key"))}),
    "memories": ("memories", {"body": Sealed("memories", ("memory_id",))}),
    "written documents": (
        "document_versions",
        {"body": Sealed("document_versions", ("company_id", "document_id", "key"))},
    ),
    "document notes": ("document_notes", {"body": Sealed("document_notes", ("note_id",))}),
    "accounts": ("accounts", {"body": Sealed("accounts", ("account_id",))}),
    "programs": ("api_keys", {"body": Sealed("api_keys", ("key_id",))}),
    "log-ins": ("logins", {"body": Sealed("logins", ("login_id",))}),
    "replies": ("replies", {"body": Sealed("replies", ("reply_id",))}),
}
