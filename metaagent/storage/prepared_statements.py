"""Statements that every turn runs: compiled once, because building and looking them up costs more than SQLite does."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler


class Prepared:
    """Values go to the driver as they are: for plain types only, text, numbers and bytes."""

    def __init__(self, statement: sa.Executable, dialect: sa.Dialect) -> None:
        compiled = cast("SQLCompiler", cast("sa.ClauseElement", statement).compile(dialect=dialect))
        self._sql = str(compiled)
        self._names = compiled.positiontup
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}

    def run(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row of values."""
        with _cursor(connection) as cursor:
            cursor.executemany(self._sql, [self._given(row) for row in rows])

    def rows(self, connection: sa.Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with _cursor(connection) as cursor:
            cursor.execute(self._sql, self._given({**self._fixed, **values}))
            return cursor.fetchall()

    def _given(self, row: Mapping[str, Any]) -> Any:
        return dict(row) if self._names is None else tuple(map(row.__getitem__, self._names))


@contextmanager
def _cursor(connection: sa.Connection) -> Generator[Any]:
    """The driver's own: SQLAlchemy's work on each statement would take longer than SQLite's. It raises the same."""
    driver: Any = connection.dialect.loaded_dbapi
    cursor = connection.connection.cursor()
    try:
        yield cursor
    except driver.Error as error:
        raise DBAPIError("", (), error, hide_parameters=True) from error
    finally:
        cursor.close()
