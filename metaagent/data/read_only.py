"""Reads from a database that enforces the policy itself, whatever the SQL says.

| | the database's own enforcement |
|---|---|
| SQLite | `mode=ro`; tenant views; an authorizer allow-list for tables, columns and functions |
| PostgreSQL | the role of `postgres_roles`: views of one tenant, no dangerous function; read-only |
| DuckDB | read-only, no file or network access, locked; tenant views; its own parse tree is checked |

Past the guard, a tenant also sees its own tenant key and the columns that row filters read.

`params` are in the driver's own style (`?` or `:name` for SQLite, `%(name)s` for PostgreSQL, `?` or `$name`
for DuckDB); with `params=None` the text is sent as it is, so that a `%` in it means itself.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Protocol

from metaagent.data.job import Fetched, Job, QueryResult
from metaagent.errors import ConfigInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import URL

    from metaagent.data.policy import Policy

__all__ = ["QueryResult", "ReadOnlyDatabase"]

_REPEAT_STOP_SECONDS = 0.1
_UNKNOWN = Text(
    "No read-only enforcement is known for {name!r}: use a sqlite, postgresql or duckdb address.",
    "{name!r}에는 읽기 전용 보호가 없습니다. sqlite, postgresql, duckdb 주소를 쓰십시오.",
)


class Engine(Protocol):
    dialect: str

    def execute(self, job: Job) -> Fetched:
        """Blocking; runs in a thread. Raises SqlRefused or DataUnavailable."""
        ...


class ReadOnlyDatabase:
    """One connection per query: nothing that a query does can outlive it."""

    def __init__(
        self,
        url: str,
        policy: Policy,
        *,
        max_rows: int = 10_000,
        timeout: float = 30.0,
        max_cost: float = 10_000_000.0,
    ) -> None:
        self._engine = _engine(url, policy, max_cost)
        self._max_rows = max_rows
        self._timeout = timeout
        self.queries_executed = 0

    @property
    def dialect(self) -> str:
        """The guard's name for this database's SQL."""
        return self._engine.dialect

    async def run(
        self,
        sql: str,
        params: Sequence[Any] | Mapping[str, Any] | None = None,
        *,
        max_rows: int | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the database is told to stop, not only the waiting
    ) -> QueryResult:
        started = time.perf_counter()
        rows = min(max_rows, self._max_rows) if max_rows is not None else self._max_rows
        seconds = min(timeout, self._timeout) if timeout is not None else self._timeout
        got = await self._submit(Job(sql, params, rows, seconds))
        elapsed = time.perf_counter() - started
        return QueryResult(
            got.columns,
            got.rows,
            row_count=len(got.rows),
            truncated=got.truncated,
            elapsed=elapsed,
            plan=got.plan,
        )

    async def _submit(self, job: Job) -> Fetched:
        self.queries_executed += 1
        work = asyncio.ensure_future(asyncio.to_thread(self._engine.execute, job))
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            done, _ = await asyncio.wait([work], timeout=job.timeout)
            if not done:
                job.expired = True
                await _ended(work, job)
            return work.result()
        except asyncio.CancelledError:
            await _ended(work, job)
            raise


async def _ended(work: asyncio.Future[Fetched], job: Job) -> None:
    """Stop the query. An interrupt that comes between two statements is lost: it is repeated until the thread ends."""
    while not work.done():
        job.stop()
        await asyncio.wait([work], timeout=_REPEAT_STOP_SECONDS)


def _engine(url: str, policy: Policy, max_cost: float) -> Engine:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed: URL = make_url(url)
    except ArgumentError:
        raise ConfigInvalid(_UNKNOWN, name="(unreadable address)") from None
    name = parsed.get_backend_name()
    if name == "sqlite":
        from metaagent.data.sqlite import SqliteEngine

        return SqliteEngine(parsed.database or "", policy)
    if name == "postgresql":
        from metaagent.data.postgres import PostgresEngine

        return PostgresEngine(parsed, max_cost)
    if name == "duckdb":
        from metaagent.data.duckdb import DuckDbEngine

        return DuckDbEngine(parsed.database or "", policy)
    raise ConfigInvalid(_UNKNOWN, name=name)
