"""One fork server for every test that kills a process: a child starts with everything loaded.

A fork server loads one list of modules, the last that was set before it started; hence the list is here alone.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

SECONDS = 240
"""The longest life of such a process, however busy the machine is."""

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(
    [
        "chromadb",
        "tests.attacks.costs",
        "tests.attacks.dying",
        "tests.support.killing",
        "tests.support.elsewhere",
        "tests.support.library_world",
        "tests.support.rekeying",
        "tests.support.store_kills",
        "tests.durability.test_fork_restore",
        "tests.durability.test_migrations",
        "tests.turns.test_config_record",
        "tests.turns.test_events",
    ]
)


def exit_code(target: Callable[..., Any], *args: Any) -> int | None:
    """Run the function in a process of its own; None if the process had to be ended because it hung."""
    process = processes.Process(target=target, args=args)
    process.start()
    process.join(SECONDS)
    hung = process.is_alive()
    if hung:
        process.kill()
        process.join()
    return None if hung else process.exitcode
