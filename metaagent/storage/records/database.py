"""The database that rows are stored in: one connection and one transaction at a time, and its errors in plain words."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchTableError

from metaagent.errors import ConfigInvalid, StoreRefused, Text

WAIT_SECONDS = 5
_CONNECT_SECONDS = 5

_BAD_URL = Text(
    en="data.write_url names {name!r}: rows can be stored in a sqlite or postgresql database.",
    ko="data.write_url의 {name!r}에는 행을 저장할 수 없습니다. sqlite 또는 postgresql 주소를 쓰십시오.",
)
CONSTRAINT = Text(
    en="Nothing was stored: the database refuses it by its own rule ({reason}). Correct the data and try again.",
    ko="아무것도 저장하지 않았습니다. 데이터베이스 규칙에 어긋납니다({reason}). 데이터를 고친 뒤 다시 시도하십시오.",
)
MISSING = Text(
    en="Nothing was stored: the database has no such table or column ({reason}). Compare data.writable and the semantic "
    "model with the database.",
    ko="아무것도 저장하지 않았습니다. 데이터베이스에 그런 표나 열이 없습니다({reason}). data.writable과 시맨틱 모델을 "
    "데이터베이스와 비교하십시오.",
)
READ_ONLY = Text(
    en="Nothing was stored: the role of data.write_url may not write there ({reason}). Its administrator can allow it.",
    ko="아무것도 저장하지 않았습니다. data.write_url의 역할에 쓰기 권한이 없습니다({reason}). 관리자에게 요청하십시오.",
)
OVERFLOW = Text(
    en="Nothing was stored: a value does not fit its column ({reason}).",
    ko="아무것도 저장하지 않았습니다. 값이 열에 맞지 않습니다({reason}).",
)
FULL = Text(
    en="Nothing was stored: the disk is full ({reason}). Free some space and try again.",
    ko="아무것도 저장하지 않았습니다. 디스크가 가득 찼습니다({reason}). 공간을 확보한 뒤 다시 시도하십시오.",
)
BUSY = Text(
    en="Nothing was stored: another program is writing to the database.",
    ko="아무것도 저장하지 않았습니다. 다른 프로그램이 데이터베이스에 쓰고 있습니다.",
)
LOST = Text(
    en="The database cannot be reached ({reason}). What is not confirmed is looked up before it is stored again.",
    ko="데이터베이스에 연결할 수 없습니다({reason}). 확인되지 않은 것은 다시 저장하기 전에 먼저 찾아봅니다.",
)
_BY_STATE = {
    "23": CONSTRAINT,
    "42501": READ_ONLY,
    "25006": READ_ONLY,
    "22": OVERFLOW,
    "42P01": MISSING,
    "42703": MISSING,
    "3F": MISSING,
    "53100": FULL,
}
_BUSY_STATES = ("40", "55P03")
_BY_SQLITE = {
    "SQLITE_CONSTRAINT": CONSTRAINT,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": READ_ONLY,
    "SQLITE_FULL": FULL,
    "SQLITE_TOOBIG": OVERFLOW,
    "SQLITE_MISMATCH": OVERFLOW,
}


class Passing(StoreRefused):
    """It may work the next time."""

    code = "store_passing"


class Unconfirmed(Passing):
    """The connection was lost: whether the transaction was committed is not known here."""

    code = "store_unconfirmed"


class WritableDatabase:
    """One address that may be written to."""

    def __init__(self, url: str) -> None:
        try:
            self.url = sa.make_url(url)
        except ArgumentError:
            raise ConfigInvalid(_BAD_URL, name="(unreadable address)") from None
        self.dialect = self.url.get_backend_name()
        if self.dialect not in ("sqlite", "postgresql"):
            raise ConfigInvalid(_BAD_URL, name=self.dialect)
        self.engine: sa.Engine | None = None

    @contextmanager
    def transaction(self) -> Generator[sa.Connection]:
        """Everything inside commits together. Raises StoreRefused; Passing where it may work the next time."""
        self.engine = self.engine or _engine(self.url, self.dialect)
        try:
            with self.engine.connect() as connection, connection.begin():
                yield connection
        except NoSuchTableError as error:
            raise StoreRefused(MISSING, reason=str(error)) from error
        except DBAPIError as error:
            raise explained(error) from error
        except OverflowError as error:
            raise StoreRefused(OVERFLOW, reason=str(error)) from error

    def close(self) -> None:
        if self.engine is not None:
            self.engine.dispose()
            self.engine = None


def _engine(url: sa.URL, dialect: str) -> sa.Engine:
    if dialect == "postgresql":
        given = url.set(drivername="postgresql+psycopg")
        return sa.create_engine(
            given, poolclass=sa.NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS}
        )
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": WAIT_SECONDS})

    def connected(raw: Any, _record: object) -> None:
        raw.isolation_level = None
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("PRAGMA synchronous = FULL")

    def begun(connection: sa.Connection) -> None:
        """Take the write lock at once: what is read before writing cannot change in between."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def explained(error: DBAPIError) -> StoreRefused:
    """The error as a person reads it: names of constraints, tables and columns, never a value."""
    original: Any = error.orig
    shown = original or error
    reason = (str(shown).splitlines() or [type(shown).__name__])[0][:200]
    state = str(getattr(original, "sqlstate", None) or "")
    if state.startswith(_BUSY_STATES):
        return Passing(BUSY)
    for begins, text in _BY_STATE.items():
        if state.startswith(begins):
            return StoreRefused(text, reason=reason)
    name = str(getattr(original, "sqlite_errorname", None) or "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Passing(BUSY)
    for begins, text in _BY_SQLITE.items():
        if name.startswith(begins):
            return StoreRefused(text, reason=reason)
    if re.match(r"no such (table|column)|table .* has no column", reason):
        return StoreRefused(MISSING, reason=reason)
    return Unconfirmed(LOST, reason=reason)
