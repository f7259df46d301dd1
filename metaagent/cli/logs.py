"""Where the command line's log goes: sealed into the data directory, never in clear to a file."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

from metaagent.config import Settings
from metaagent.protection.keys import KeyRing
from metaagent.storage.logs import sealed_log


@contextmanager
def log_to(settings: Settings, ring: KeyRing) -> Generator[None]:
    """The `metaagent` loggers write there, and nowhere else, while the program is open."""
    logger = logging.getLogger("metaagent")
    handler = sealed_log(settings.data_dir, ring)
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(settings.logs.level.upper())
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.level, logger.propagate = before
        handler.close()
