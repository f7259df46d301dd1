"""Every table beside the audit trail's. What people said and what agents found is in sealed `body` columns only."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

meta = sa.Table(
    "meta", metadata, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String)
)
sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("updated_at", sa.String, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("sessions_by_owner", "company_id", "owner", "updated_at"),
)
session_pins = sa.Table(
    "session_pins",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("owner", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("pinned_at", sa.String, nullable=False),
    sa.Index("session_pins_by_owner", "company_id", "owner", "pinned_at"),
)
session_shares = sa.Table(
    "session_shares",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("reader", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("session_shares_by_reader", "company_id", "reader"),
    sa.Index("session_shares_by_owner", "company_id", "owner"),
)
turns = sa.Table(
    "turns",
    metadata,
    sa.Column("turn_id", sa.String, primary_key=True),
    sa.Column("session_id", sa.String, nullable=False),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("started_at", sa.String, nullable=False),
    sa.Column("ended_at", sa.String),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("session_id", "number"),
)
events = sa.Table(
    "events",
    metadata,
    sa.Column("turn_id", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("turn_id", "key"),
)
agent_records = sa.Table(
    "agent_records",
    metadata,
    sa.Column("agent", sa.String, primary_key=True),
    sa.Column("runs", sa.Integer, nullable=False),
    sa.Column("successes", sa.Integer, nullable=False),
    sa.Column("quality_sum", sa.Float, nullable=False),
    sa.Column("seconds_sum", sa.Float, nullable=False),
    sa.Column("timed", sa.Integer, nullable=False, server_default="0"),
    sa.Column("log_sum", sa.Float, nullable=False, server_default="0"),
    sa.Column("log_squares", sa.Float, nullable=False, server_default="0"),
    sa.Column("recent", sa.Integer, nullable=False, server_default="0"),
)
artifacts = sa.Table(
    "artifacts",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("artifact_id", sa.String, primary_key=True),
    sa.Column("turn_id", sa.String, nullable=False),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("ref", sa.LargeBinary, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("artifacts_by_age", "session_id", "created_at"),
)
artifact_files = sa.Table(
    "artifact_files",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("artifact_id", sa.String, nullable=False),
)
document_versions = sa.Table(
    "document_versions",
    metadata,
    sa.Column("company_id", sa.String, primary_key=True),
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("turn_id", sa.String, nullable=False),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("company_id", "document_id", "key"),
)
document_notes = sa.Table(
    "document_notes",
    metadata,
    sa.Column("note_id", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("document_id", sa.String, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("document_notes_by_document", "company_id", "document_id", "created_at"),
)
messages = sa.Table(
    "messages",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("turn_id", sa.String, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("turn_id", "key"),
)
effects = sa.Table(
    "effects",
    metadata,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("turn_id", sa.String, nullable=False),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
step_starts = sa.Table(
    "step_starts",
    metadata,
    sa.Column("turn_id", sa.String, primary_key=True),
    sa.Column("step_id", sa.String, primary_key=True),
    sa.Column("agent", sa.String, primary_key=True),
    # No index: only turns under way have rows, and each of them is written and removed.
    sa.Column("session_id", sa.String, nullable=False),
    sa.Column("unended", sa.Integer, nullable=False),
)
model_use = sa.Table(
    "model_use",
    metadata,
    sa.Column("turn_id", sa.String, primary_key=True),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("tokens", sa.Integer, nullable=False),
    sa.Column("calls", sa.Integer, nullable=False),
)
commands = sa.Table(
    "commands",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sqlite_autoincrement=True,
)
memories = sa.Table(
    "memories",
    metadata,
    sa.Column("memory_id", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("updated_at", sa.String, nullable=False),
    sa.Column("expires_at", sa.String),
    sa.Column("indexed", sa.Boolean, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("memories_by_person", "company_id", "owner", "updated_at"),
)
accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("account_id", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
api_keys = sa.Table(
    "api_keys",
    metadata,
    sa.Column("key_id", sa.String, primary_key=True),
    sa.Column("secret", sa.String, nullable=False),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("expires_at", sa.String, nullable=False),
    sa.Column("used_at", sa.String),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
logins = sa.Table(
    "logins",
    metadata,
    sa.Column("login_id", sa.String, primary_key=True),
    sa.Column("secret", sa.String, nullable=False, unique=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False),
    sa.Column("expires_at", sa.String, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
replies = sa.Table(
    "replies",
    metadata,
    sa.Column("reply_id", sa.String, primary_key=True),
    sa.Column("company_id", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("request", sa.String, nullable=False),
    sa.Column("created_at", sa.String, nullable=False, index=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
