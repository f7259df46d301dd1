"""Small steps from each version to the next: of session states, of the tables, of the checkpoint file.

A version is raised by adding a migration, never by editing one. States are migrated in memory whenever one is read,
and stored with the next checkpoint; tables and the file are migrated when they are opened, each in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from metaagent.errors import NewerSchema, StorageError, Text

if TYPE_CHECKING:
    import sqlite3

    import sqlalchemy as sa

Json = dict[str, Any]
T = TypeVar("T")

NEWER_STATE = Text(
    en="This state was written by a newer metaagent (schema {found}; this one knows {known}). Update metaagent.",
    ko="더 새로운 metaagent가 쓴 상태입니다(스키마 {found}, 이 버전은 {known}까지 압니다). metaagent를 업데이트하세요.",
)
_BAD_STATE = Text(
    en="A state says that its schema version is {found!r}: it was not written by metaagent, or it is damaged.",
    ko="상태의 스키마 버전이 {found!r}입니다. metaagent가 쓴 것이 아니거나 손상되었습니다.",
)


@dataclass(frozen=True)
class Migration(Generic[T]):
    """One step to the next version. `apply` changes what it is given (a connection) or returns the new one (a state)."""

    note: Text
    apply: Callable[[T], Any]


@dataclass
class Migrations(Generic[T]):
    """Versions from 1 on; the migration at index i leads from version i + 1 to i + 2."""

    steps: list[Migration[T]] = field(default_factory=list[Migration[T]])

    @property
    def newest(self) -> int:
        return len(self.steps) + 1

    def after(self, version: int) -> list[Migration[T]]:
        return self.steps[version - 1 :]

    def apply(self, thing: T, version: int) -> None:
        for migration in self.after(version):
            migration.apply(thing)


def _unindex(connection: sa.Connection) -> None:
    import sqlalchemy as sa

    if sa.inspect(connection).has_table("memories"):
        connection.execute(sa.text("UPDATE memories SET indexed = false"))


STATES: Migrations[Json] = Migrations()
TABLES: Migrations[sa.Connection] = Migrations(
    [
        Migration(
            Text(
                en="Vectors of memories are made with a key: they are made anew when they are next needed.",
                ko="기억의 벡터를 키로 만듭니다. 다음에 필요할 때 다시 만듭니다.",
            ),
            _unindex,
        )
    ]
)
FILE: Migrations[sqlite3.Connection] = Migrations(
    [
        Migration(
            Text(
                en="What a task wrote may lie in one row; small values lie in the checkpoint itself.",
                ko="작업이 쓴 것을 한 행에 둘 수 있고, 작은 값은 체크포인트 안에 둡니다.",
            ),
            lambda _: None,  # rows of version 1 are read as they are; its program could not read these
        )
    ]
)

LIBRARY: Migrations[sqlite3.Connection] = Migrations(
    [
        Migration(
            Text(
                en="A document says how many of its chunks lie in one row: fewer than before, for a faster search.",
                ko="문서마다 한 행에 든 조각 수를 적습니다. 더 빨리 찾도록 전보다 적게 둡니다.",
            ),
            lambda file: file.execute(
                "ALTER TABLE documents ADD COLUMN page_size INTEGER NOT NULL DEFAULT 16"
            ),
        )
    ]
)
"""Formats of the library's file; its indexes are rebuilt rather than migrated."""


def migrated(state: Mapping[str, Any], migrations: Migrations[Json] | None = None) -> Json | None:
    """The state as this version writes it; None if it is that already. The one given is left as it is."""
    known = STATES if migrations is None else migrations
    version = state.get("schema_version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise StorageError(_BAD_STATE, found=version)
    if version > known.newest:
        raise NewerSchema(NEWER_STATE, found=version, known=known.newest)
    if version == known.newest:
        return None
    changed = dict(state)
    for migration in known.after(version):
        version += 1
        changed = {**migration.apply(changed), "schema_version": version}
    return changed
