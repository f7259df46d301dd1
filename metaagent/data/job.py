"""One query on its way through a database: what is asked, how it is stopped, what comes back."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from metaagent.errors import QueryTooSlow, SqlRefused, Text

if TYPE_CHECKING:
    from collections.abc import Callable

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]
Plan = list[dict[str, Any]]

TOO_SLOW = Text(
    "The database did not answer within {seconds:g} seconds, so the query was stopped: ask for a shorter period or "
    "fewer groups, or try again later.",
    "데이터베이스가 {seconds:g}초 안에 답하지 않아 조회를 멈췄습니다. 기간이나 묶음을 줄이거나 나중에 다시 물어보십시오.",
)
TOO_COSTLY = Text(
    "The database estimates a cost of {cost:.0f}; the limit is {limit:.0f}, so the query was not run: "
    "narrow it by period or region, or join fewer tables.",
    "예상 비용이 {cost:.0f}(으)로 한도 {limit:.0f}을(를) 넘어 실행하지 않았습니다. 기간이나 "
    "지역으로 좁히거나 결합하는 표를 줄이십시오.",
)
NOT_ALLOWED = Text(
    "The database refused the query: {reason}. Use only the tables, columns and functions given.",
    "데이터베이스가 조회를 거부했습니다: {reason}. 허용된 표, 열, 함수만 읽으십시오.",
)
BAD_QUERY = Text(
    "The database could not run the query: {reason}. Correct the SQL.",
    "데이터베이스가 조회를 실행하지 못했습니다: {reason}. SQL을 고치십시오.",
)
UNREACHABLE = Text(
    "The database {url} cannot be used: {reason}. Check its address, permissions and that it runs.",
    "데이터베이스 {url}을(를) 쓸 수 없습니다: {reason}. 주소, 실행 여부, 권한을 확인하십시오.",
)
BUSY = Text(
    "The database {url} is locked by another program: ask again when that has finished.",
    "다른 프로그램이 데이터베이스 {url}을(를) 잠그고 있습니다. 그 작업이 끝난 뒤 다시 물어보십시오.",
)
NO_FILE = Text(
    "There is no database file {path}: check data.url, or make the demonstration company with `metaagent demo`.",
    "데이터베이스 파일 {path}이(가) 없습니다. data.url을 확인하거나 `metaagent demo`로 데모 회사를 만드십시오.",
)
TOO_LARGE = Text(
    "The result has more than {limit} characters: ask for fewer rows or columns.",
    "결과가 {limit}자보다 깁니다. 행이나 열을 줄여 조회하십시오.",
)
TOO_MUCH_MEMORY = Text(
    "The query needed more than {limit_mb} MB of the database's memory and was stopped: ask for a shorter period, fewer "
    "groups or fewer columns.",
    "조회에 데이터베이스 메모리가 {limit_mb}MB 넘게 필요해서 멈췄습니다. 기간, 묶음이나 열을 줄여 조회하십시오.",
)
_LOCK_SECONDS = 2.0
MEMORY_MB = 1_000
"""Memory that queries on a database inside this process may take, all together."""
LARGEST_RESULT = 50_000_000
"""Characters of one result."""
FETCHED = 500
"""Rows that are fetched at once, after a small beginning: the first ones tell how large they are."""

_INT64 = 2**63


@dataclass(frozen=True)
class QueryResult:
    """`truncated` says that the database had more rows than `max_rows`; `row_count` counts the rows that are
    here.
    """

    columns: list[str]
    rows: list[list[Plain]]
    row_count: int
    truncated: bool
    elapsed: float
    plan: Plan


@dataclass
class Job:
    """Shared by the event loop, which may stop it, and the thread that runs it."""

    sql: str
    params: Any
    max_rows: int
    timeout: float
    started: float = field(default_factory=time.monotonic)
    expired: bool = False
    stopped: bool = False
    _interrupt: Callable[[], object] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def on_stop(self, interrupt: Callable[[], object] | None) -> None:
        """Set when a statement can be interrupted, cleared before its connection closes."""
        with self._lock:
            self._interrupt = interrupt
            if interrupt is not None and self.stopped:
                interrupt()

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            if self._interrupt is not None:
                self._interrupt()

    @property
    def over(self) -> bool:
        if time.monotonic() - self.started > self.timeout:
            self.expired = True
        return self.stopped or self.expired

    @property
    def lock_seconds(self) -> float:
        """Seconds that one attempt waits for a lock: fewer than for an answer, so that the two can be told apart."""
        return min(_LOCK_SECONDS, self.timeout / 2)

    def too_slow(self) -> QueryTooSlow:
        return QueryTooSlow(TOO_SLOW, rule="time", seconds=self.timeout)


@dataclass(frozen=True)
class Fetched:
    columns: list[str]
    rows: list[list[Plain]]
    truncated: bool
    plan: Plan


def take(cursor: Any, job: Job, *, size: int = 16) -> tuple[list[list[Plain]], bool]:
    """Rows in portions, one more than asked for at most, so that a cut is known to be one."""
    rows: list[list[Plain]] = []
    room = LARGEST_RESULT
    while len(rows) <= job.max_rows:
        if job.over:
            raise job.too_slow()
        part = cursor.fetchmany(min(size, job.max_rows + 1 - len(rows)))
        if not part:
            return rows, False
        for row in part:
            rows.append([plain(value) for value in row])
            room -= sum(len(value) if isinstance(value, str) else 8 for value in rows[-1])
            if room < 0:
                raise SqlRefused(TOO_LARGE, rule="size", limit=LARGEST_RESULT)
        size = min(size * 2, FETCHED)
    return rows[: job.max_rows], True


def plain(value: Any) -> Plain:
    """str, int, float, bool and None stay. Decimal: int when its scale is 0, else float (15 digits). Dates
    and times: ISO 8601, with a zone in UTC with milliseconds. Intervals: seconds. Bytes: hexadecimal. NaN and
    infinities: None. Integers beyond 64 bits: float. Lists and maps keep their shape."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return value if -_INT64 <= value < _INT64 else float(value)
    if isinstance(value, float | Decimal):
        return _number(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return _moment(value)


def _number(value: float | Decimal) -> Plain:
    if not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return plain(int(value)) if value.as_tuple().exponent == 0 else float(value)
    return value


def _moment(value: Any) -> Plain:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            return value.isoformat()
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date | clock_time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return str(value) if isinstance(value, UUID) else repr(value)
