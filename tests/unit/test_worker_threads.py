"""Threads that do blocking work for an event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

from metaagent.storage.worker_threads import WorkerThreads


async def test_work_is_done_in_order_by_one_thread() -> None:
    threads = WorkerThreads(1, "store")
    try:
        names = await asyncio.gather(
            *(threads.run(lambda n=n: (n, threading.current_thread().name)) for n in range(5))
        )
    finally:
        threads.shutdown()
    assert names == [(number, "store_0") for number in range(5)]


async def test_what_the_work_raises_reaches_who_awaits_it() -> None:
    threads = WorkerThreads(1, "store")
    known: dict[str, int] = {}
    try:
        with pytest.raises(KeyError):
            await threads.run(lambda: known["nothing"])
        assert await threads.run(lambda: 1) == 1
    finally:
        threads.shutdown()


async def test_work_that_nobody_waits_for_is_left_out() -> None:
    threads = WorkerThreads(1, "store")
    may_end, done = threading.Event(), list[str]()
    under_way = asyncio.ensure_future(threads.run(may_end.wait))
    given_up = asyncio.ensure_future(threads.run(lambda: done.append("given up")))
    await asyncio.sleep(0)
    given_up.cancel()
    may_end.set()
    await under_way
    await threads.run(lambda: done.append("last"))
    threads.shutdown()
    assert done == ["last"]


async def test_a_shutdown_waits_for_the_work_that_was_given() -> None:
    threads = WorkerThreads(2, "store")
    may_end, done = threading.Event(), list[str]()
    futures = [
        asyncio.ensure_future(threads.run(lambda: may_end.wait() and done.append("done"))) for _ in range(4)
    ]
    await asyncio.sleep(0)
    may_end.set()
    threads.shutdown()
    assert done == ["done"] * 4
    await asyncio.gather(*futures)
