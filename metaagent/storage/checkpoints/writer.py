"""One thread that owns one SQLite connection, and commits in groups.

Everything that waits when the thread becomes free goes into one transaction: with synchronous=FULL a commit
is an fsync, and LangGraph hands over the writes of parallel tasks and the next checkpoint almost together.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from metaagent.errors import StorageError, Text
from metaagent.storage.rekey_triggers import REASON

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

_FULL = Text(
    en="No room left to write {path} ({reason}). Free space on that file system or raise its quota, then ask "
    "again: everything acknowledged so far is safe and readable.",
    ko="{path}에 쓸 공간이 없습니다({reason}). 파일 시스템의 공간을 비우거나 할당량을 늘린 뒤 다시 하세요. "
    "지금까지 저장이 확인된 것은 안전하며 읽을 수 있습니다.",
)
_BUSY = Text(
    en="Another process holds {path} ({reason}). Close it, or wait and ask again.",
    ko="다른 프로세스가 {path}을(를) 사용 중입니다({reason}). 종료하거나 잠시 후 다시 시도하세요.",
)
_BROKEN = Text(
    en="The database {path} cannot be used: {reason}. Keep a copy of the file and restore it from a backup.",
    ko="데이터베이스 {path}을(를) 사용할 수 없습니다: {reason}. 파일 사본을 보관하고 백업에서 복원하세요.",
)
_RETIRED = Text(
    en="A value for {path} was sealed with a key that has just been retired, and was not stored. Resume the turn or ask "
    "again: it is sealed with the new key then.",
    ko="{path}에 쓸 값이 방금 폐기된 키로 봉인되어 저장하지 않았습니다. 턴을 이어서 실행하거나 다시 물어보세요. "
    "그때는 새 키로 봉인됩니다.",
)
_CLOSED = Text(en="The database {path} is closed.", ko="데이터베이스 {path}이(가) 닫혔습니다.")
_NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_TRUNCATE")


def storage_error(error: sqlite3.Error, path: object) -> StorageError:
    name = str(getattr(error, "sqlite_errorname", "") or type(error).__name__)
    reason = f"{name}: {error}"
    if name in _NO_ROOM or "disk I/O error" in str(error):
        return StorageError(_FULL, path=str(path), reason=reason)
    if REASON in str(error):
        return StorageError(_RETIRED, path=str(path), reason=reason)
    text = _BUSY if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) else _BROKEN
    return StorageError(text, path=str(path), reason=reason)


@dataclass(slots=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    future: Future[Any] | asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop | None = None
    result: Any = None
    error: BaseException | None = field(default=None)


class SqliteWriter:
    """`connect` is called in the thread. Work given as a write runs in a transaction that is durable before
    its caller hears of it; work given as a read sees only what is committed."""

    def __init__(self, path: Path | str, connect: Callable[[], sqlite3.Connection]) -> None:
        self.path = path
        self.commits = 0
        self._connect = connect
        self._jobs: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        self._riding: list[_Job] = []
        self._lock = threading.Lock()
        self._closed = False
        opened: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(opened,), name="metaagent-sqlite", daemon=True
        )
        self._thread.start()
        opened.result()

    def call(self, work: Callable[[sqlite3.Connection], T], *, writes: bool) -> T:
        """Runs it from any thread, blocking."""
        future: Future[Any] = Future()
        self._put([_Job(work, writes, future)])
        return cast("T", future.result())

    async def acall(self, work: Callable[[sqlite3.Connection], T], *, writes: bool) -> T:
        loop = asyncio.get_running_loop()
        job = _Job(work, writes, loop.create_future(), loop)
        gathered = self._gathered.get(loop)
        if gathered is None:
            # Handed over after this round of the loop: what the same round still adds shares the commit.
            self._gathered[loop] = [job]
            loop.call_soon(self._hand_over, loop)
        else:
            gathered.append(job)
        # Cancelling the caller cancels this future only: a write on its way is still made.
        return cast("T", await cast("asyncio.Future[Any]", job.future))

    def ride(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """A write that goes along with the next work of any kind, before it: without a commit of its own. Nobody is
        told of its end; the next work finds it done, or failed and undone."""
        self._riding.append(_Job(work, True, Future()))

    async def landed(self) -> None:
        """Return when what rides by now has been written, or could not be."""
        if self._riding:
            await self.acall(lambda _connection: None, writes=False)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._jobs.put(self._with_riding([]))
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs = self._gathered.pop(loop, [])
        try:
            self._put(jobs)
        except StorageError as error:
            for job in jobs:
                job.error = error
            _settle(jobs)

    def _put(self, jobs: list[_Job]) -> None:
        with self._lock:
            if self._closed:
                raise StorageError(_CLOSED, path=str(self.path))
            self._jobs.put(self._with_riding(jobs))

    def _with_riding(self, jobs: list[_Job]) -> list[_Job]:
        riding, self._riding = self._riding, []
        return [*riding, *jobs]

    def _run(self, opened: Future[None]) -> None:
        try:
            connection = self._connect()
        except BaseException as error:  # noqa: BLE001  handed to the thread that opens
            opened.set_exception(
                storage_error(error, self.path) if isinstance(error, sqlite3.Error) else error
            )
            return
        opened.set_result(None)
        with contextlib.closing(connection):
            while self._work(connection):
                pass

    def _work(self, connection: sqlite3.Connection) -> bool:
        """Do what waits; False if nothing comes any more. Nothing of it is held while the thread has nothing to do."""
        jobs = self._jobs.get()
        if jobs is None:
            return False
        last = self._drain(jobs)
        self._write(connection, [job for job in jobs if job.writes])
        for job in jobs:
            if not job.writes:
                _attempt(job, connection, self.path)
        _announce(jobs)
        return not last

    def _drain(self, jobs: list[_Job]) -> bool:
        with contextlib.suppress(queue.Empty):
            while True:
                more = self._jobs.get_nowait()
                if more is None:
                    return True
                jobs.extend(more)
        return False

    def _write(self, connection: sqlite3.Connection, jobs: list[_Job]) -> None:
        """Commit all in one transaction; where one of them fails, each in one of its own."""
        if jobs and not self._commit(connection, jobs) and len(jobs) > 1:
            for job in jobs:
                job.error = None
                self._commit(connection, [job])

    def _commit(self, connection: sqlite3.Connection, jobs: list[_Job]) -> bool:
        """False, with nothing written, if one of them failed. What concerns all of them is the error of each."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                _attempt(job, connection, self.path)
                if job.error is not None:
                    # A full disk may have ended the whole transaction: then this raises, and all fail.
                    connection.execute("ROLLBACK")
                    return False
            connection.execute("COMMIT")
            self.commits += 1
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for job in jobs:
                job.error = job.error or storage_error(error, self.path)
        return True


def _attempt(job: _Job, connection: sqlite3.Connection, path: object) -> None:
    try:
        job.result = job.work(connection)
    except sqlite3.Error as error:
        job.error = storage_error(error, path)
        job.error.__cause__ = error
    except BaseException as error:  # noqa: BLE001  handed to the caller
        job.error = error


def _announce(jobs: list[_Job]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if job.loop is None:
            _settle([job])
        else:
            loops.setdefault(job.loop, []).append(job)
    for loop, done in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, done)


def _settle(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
