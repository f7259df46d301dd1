"""The audit trail's table, and what the database itself refuses: UPDATE, DELETE, REPLACE, TRUNCATE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Engine,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

from metaagent.storage.prepared_statements import Prepared

if TYPE_CHECKING:
    from sqlalchemy import Connection

WRITES = "metaagent_audit_writes"

metadata = MetaData()

entries = Table(
    "audit_entries",
    metadata,
    Column("tenant", String(64), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    Column("ts", String(24), nullable=False),
    Column("actor", String, nullable=False),
    Column("event", String, nullable=False),
    Column("session", String),
    Column("turn", String),
    Column("key", String),
    Column("mac", LargeBinary(32)),
    UniqueConstraint("tenant", "key"),
    Index("audit_by_session", "tenant", "session", "turn"),
    Index("audit_by_event", "tenant", "event"),
)

# Rows up to `upto` may be deleted: written by retention, after its signed note.
dropped = Table(
    "audit_dropped",
    metadata,
    Column("tenant", String(64), primary_key=True),
    Column("upto", BigInteger, primary_key=True, autoincrement=False),
)

_SQLITE = (
    """CREATE TRIGGER IF NOT EXISTS audit_no_update BEFORE UPDATE ON audit_entries
       BEGIN SELECT RAISE(ABORT, 'audit entries cannot be changed'); END""",
    """CREATE TRIGGER IF NOT EXISTS audit_no_delete BEFORE DELETE ON audit_entries
       WHEN OLD.seq > COALESCE((SELECT MAX(upto) FROM audit_dropped WHERE tenant = OLD.tenant), 0)
       BEGIN SELECT RAISE(ABORT, 'audit entries cannot be deleted'); END""",
    # REPLACE deletes without firing the trigger above
    """CREATE TRIGGER IF NOT EXISTS audit_no_replace BEFORE INSERT ON audit_entries
       WHEN EXISTS (SELECT 1 FROM audit_entries
                    WHERE tenant = NEW.tenant AND (seq = NEW.seq OR key = NEW.key))
       BEGIN SELECT RAISE(ABORT, 'audit entries cannot be replaced'); END""",
)

_POSTGRES = (
    """CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF TG_OP = 'DELETE' AND OLD.seq <= COALESCE(
             (SELECT MAX(upto) FROM audit_dropped WHERE tenant = OLD.tenant), 0) THEN RETURN OLD; END IF;
         RAISE EXCEPTION 'audit entries cannot be changed or deleted';
       END $$""",
    """CREATE OR REPLACE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit_entries
       FOR EACH ROW EXECUTE FUNCTION audit_refuse()""",
    """CREATE OR REPLACE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_entries
       FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()""",
)


def create_tables(connection: Connection) -> None:
    metadata.create_all(connection)
    if "mac" not in {column["name"] for column in inspect(connection).get_columns("audit_entries")}:
        kind = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
        connection.execute(text(f"ALTER TABLE audit_entries ADD COLUMN mac {kind}"))
    _add_triggers(connection)


def write_macs(connection: Connection, tenant: str, macs: Mapping[int, bytes]) -> None:
    """Seal entries that an earlier version wrote: the one change of an entry that there is."""
    name = "audit_no_update" if connection.dialect.name == "sqlite" else "audit_no_change ON audit_entries"
    connection.execute(text(f"DROP TRIGGER {name}"))
    place = (entries.c.tenant == tenant) & (entries.c.seq == bindparam("of"))
    rows = [{"of": seq, "mac": mac} for seq, mac in macs.items()]
    if rows:
        connection.execute(update(entries).where(place).values(mac=bindparam("mac")), rows)
    _add_triggers(connection)


def _add_triggers(connection: Connection) -> None:
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES:
        connection.execute(text(statement))


def open_engine(url: str) -> Engine:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def lock_tenant(connection: Connection, tenant: str) -> None:
    """Until the transaction ends, nobody else appends to this tenant's chain."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": f"audit:{tenant}"}
        )


@dataclass(frozen=True)
class Statements:
    """Statements for appending, compiled for the database."""

    insert: Prepared
    head: Prepared
    known: Callable[[int], Prepared]
    """The statement for so many keys."""


@lru_cache(8)
def statements(dialect: Dialect) -> Statements:
    mine = entries.c.tenant == bindparam("tenant")
    newest = select(func.max(entries.c.seq)).where(mine).scalar_subquery()

    @lru_cache(1024)
    def known(count: int) -> Prepared:
        keys = [bindparam(f"key{i}", type_=String()) for i in range(count)]
        found = select(entries.c.key, entries.c.seq, entries.c.hash).where(mine, entries.c.key.in_(keys))
        return Prepared(found, dialect)

    head = select(entries.c.seq, entries.c.hash).where(mine, entries.c.seq == newest)
    return Statements(Prepared(insert(entries), dialect), Prepared(head, dialect), known)


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver's own BEGIN is replaced by _begin_sqlite
    cursor = connection.cursor()
    for pragma in ("busy_timeout = 30000", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock before it reads the head of the chain."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
