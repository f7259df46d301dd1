"""Audit appends in group commit beside bare SQLite, and entries verified each second."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from pathlib import Path

from metaagent.audit.review import verify_trail
from metaagent.audit.trail import AuditEvent
from metaagent.protection.keys.providers import LocalKek
from metaagent.protection.keys.ring import KeyRing
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.audit_notes import NoteFiles

COUNT = 20_000
BATCH = 512
TARGETS = {"appends/s": 5_000, "verified entries/s": 50_000}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ring = KeyRing(folder / "keys.json", LocalKek(os.urandom(32)))
        bare = _bare_sqlite(folder / "bare.db")
        with SqlAuditLog(f"sqlite:///{folder / 'audit.db'}", ring, NoteFiles(folder / "notes")) as log:
            one = _one_by_one(log)
            used = time.process_time()
            many = _group_commit(log)
            used = (time.process_time() - used) / COUNT * 1e6
            log.checkpoint("acme")
            start = time.perf_counter()
            result = verify_trail(log, "acme")
            verified = result.entries / (time.perf_counter() - start)
        assert result.ok
    print(f"bare SQLite, FULL, batches of {BATCH}: {bare:,.0f} rows/s")
    print(f"one by one, each awaited:           {one:,.0f} appends/s")
    print(f"CPU of an append, its commit and its signature: {used:.0f} µs")
    for label, rate in (("appends/s", many), ("verified entries/s", verified)):
        print(f"{label:<36}{rate:,.0f} (wanted: {TARGETS[label]:,})")


def _event(number: int) -> AuditEvent:
    data = {"sql": "SELECT region, SUM(sales_amount) FROM sales GROUP BY region", "rows": number}
    session, turn = f"s{number % 50}", f"t{number % 500}"
    return AuditEvent(
        tenant="acme", event="step.done", actor="u-1", session=session, turn=turn, agent="analysis", data=data
    )


def _group_commit(log: SqlAuditLog) -> float:
    start = time.perf_counter()
    for future in [log.append(_event(number)) for number in range(COUNT)]:
        future.result()
    return COUNT / (time.perf_counter() - start)


def _one_by_one(log: SqlAuditLog, count: int = 300) -> float:
    start = time.perf_counter()
    for number in range(count):
        log.append(_event(number)).result()
    return count / (time.perf_counter() - start)


def _bare_sqlite(path: Path) -> float:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE rows (tenant TEXT, seq INTEGER, body BLOB, PRIMARY KEY (tenant, seq))")
    start = time.perf_counter()
    for first in range(0, COUNT, BATCH):
        rows = [("acme", seq, b"x" * 400) for seq in range(first, first + BATCH)]
        with connection:
            connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows)
    elapsed = time.perf_counter() - start
    connection.close()
    return COUNT / elapsed


if __name__ == "__main__":
    main()
