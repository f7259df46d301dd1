"""Tables of what people said and of what is remembered about them. Texts are in sealed `body` columns only."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

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
