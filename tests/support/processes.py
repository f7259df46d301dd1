"""One fork server for every test that kills a process: a child starts with everything loaded.

A fork server loads one list of modules, the last that was set before it started; hence the list is here alone.
"""

from __future__ import annotations

import multiprocessing

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(
    [
        "chromadb",
        "tests.support.killing",
        "tests.support.rekeying",
        "tests.durability.test_fork_restore",
        "tests.durability.test_migrations",
        "tests.turns.test_config_record",
        "tests.turns.test_events",
    ]
)
