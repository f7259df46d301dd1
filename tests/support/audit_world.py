"""A small deployment with an audit trail, and an attacker who owns its database but not its keys."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from hypothesis import HealthCheck, settings

from metaagent.audit.trail import GENESIS, AuditEvent, entry_hash
from metaagent.protection.keys.providers import LocalKek
from metaagent.protection.keys.ring import KeyRing
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.audit_notes import NoteFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# A property is about values, not about how busy the machine is.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)


def make_ring(folder: Path, secret: bytes = b"k" * 32, **options: Any) -> KeyRing:
    return KeyRing(folder / "keys" / "keys.json", LocalKek(secret), **options)


@dataclass
class World:
    folder: Path
    ring: KeyRing

    @property
    def database(self) -> Path:
        return self.folder / "audit.db"

    @property
    def notes(self) -> NoteFiles:
        return NoteFiles(self.folder / "notes")

    def open(self, **options: Any) -> SqlAuditLog:
        return SqlAuditLog(f"sqlite:///{self.database}", self.ring, self.notes, **options)

    def fill(self, count: int, tenant: str = "acme") -> None:
        with self.open() as log:
            for future in [log.append(an_event(i, tenant)) for i in range(count)]:
                future.result()

    def attack(self, *statements: str) -> None:
        """Acts as someone who may do anything to the database, its triggers included."""
        with sqlite3.connect(self.database) as connection:
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def rewrite(
        self, change: Callable[[list[dict[str, Any]]], None], tenant: str = "acme", *, insider: bool = False
    ) -> None:
        """The full re-hash: change what you like, then number, link and hash the whole chain anew. An insider has the
        keys, too."""
        self.attack()
        mac = self.ring.entry_mac(tenant)
        with sqlite3.connect(self.database) as connection:
            query = "SELECT body FROM audit_entries WHERE tenant = ? ORDER BY seq"
            entries = [orjson.loads(body) for (body,) in connection.execute(query, (tenant,))]
            change(entries)
            connection.execute("DELETE FROM audit_entries WHERE tenant = ?", (tenant,))
            prev = GENESIS
            for seq, entry in enumerate(entries, 1):
                entry |= {"seq": seq, "prev": prev}
                body = orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)
                prev = entry_hash(body).hex()
                columns = [entry[name] for name in ("ts", "actor", "event", "session", "turn")]
                connection.execute(
                    "INSERT INTO audit_entries (tenant, seq, body, hash, ts, actor, event, session, turn, mac)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        tenant,
                        seq,
                        body,
                        entry_hash(body),
                        *columns,
                        mac(entry_hash(body)) if insider else None,
                    ),
                )
        connection.close()


def an_event(number: int, tenant: str = "acme", **fields: Any) -> AuditEvent:
    given: dict[str, Any] = {
        "tenant": tenant,
        "event": "step.done",
        "actor": "u-1",
        "session": f"s{number % 3}",
        "turn": f"t{number}",
        "agent": "retrieval",
        "outcome": "ok",
        "data": {"number": number},
        "key": f"{tenant}:{number}",
    }
    return AuditEvent(**(given | fields))
