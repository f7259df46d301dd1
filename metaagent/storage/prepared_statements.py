"""Statements that every turn or request runs: compiled once, at first use; building and finding them costs more than SQLite."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler


class Prepared:
    """Values go to the driver as they are, for plain types only: text, numbers and bytes. Its cursor is used directly, because
    SQLAlchemy's work on each statement would take longer than SQLite's; it raises what SQLAlchemy would raise."""

    def __init__(self, statement: sa.Executable, dialect: sa.Dialect) -> None:
        driver: Any = dialect.loaded_dbapi
        self._failure: type[Exception] = driver.Error
        self._statement = statement
        self._dialect = dialect

    @cached_property
    def _compiled(self) -> SQLCompiler:
        """Compiled when it is used first: a command that only looks runs few of them."""
        return cast("SQLCompiler", cast("sa.ClauseElement", self._statement).compile(dialect=self._dialect))

    @cached_property
    def _sql(self) -> str:
        return str(self._compiled)

    @cached_property
    def _given(self) -> Callable[[Mapping[str, Any]], Any]:
        return _by_place(self._compiled.positiontup)

    @cached_property
    def _fixed(self) -> dict[str, Any]:
        return {name: value for name, value in self._compiled.params.items() if value is not None}

    @cached_property
    def _row(self) -> Any:
        statement = self._statement
        columns: list[str] = statement.selected_columns.keys() if isinstance(statement, sa.Select) else []
        return namedtuple("Row", columns) if columns else tuple  # pyright: ignore[reportUntypedNamedTuple]

    def run(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row of values."""
        cursor = connection.connection.cursor()
        try:
            cursor.executemany(self._sql, [self._given(row) for row in rows])
        except self._failure as error:
            raise DBAPIError("", (), error, hide_parameters=True) from error
        finally:
            cursor.close()

    def found(self, connection: sa.Connection, values: Mapping[str, Any]) -> list[Any]:
        """Rows whose columns have their names."""
        return [self._row(*each) for each in self.rows(connection, values)]

    def rows(self, connection: sa.Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        cursor = connection.connection.cursor()
        try:
            cursor.execute(self._sql, self._given({**self._fixed, **values}))
            return cast("list[tuple[Any, ...]]", cursor.fetchall())
        except self._failure as error:
            raise DBAPIError("", (), error, hide_parameters=True) from error
        finally:
            cursor.close()


def _by_place(names: Sequence[str] | None) -> Callable[[Mapping[str, Any]], Any]:
    """Put a row's values as the driver wants them: by name, or in the order in which the statement names them."""
    if names is None:
        return dict
    return itemgetter(*names) if len(names) > 1 else lambda row: tuple(row[name] for name in names)
