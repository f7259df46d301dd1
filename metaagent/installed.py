"""Entry points of installed packages, and the folders that some of them name."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path

Places = tuple[tuple[str, int], ...]
"""Folders in which packages are looked for, each with the time of its last change: a package that comes or goes changes it."""


def places() -> Places:
    return tuple((place, _changed(place)) for place in map(os.path.abspath, sys.path))


def _changed(place: str) -> int:
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=16)
def entry_points(group: str, _places: Places) -> tuple[metadata.EntryPoint, ...]:
    """Entry points of the group by name. Looking for them reads a file of every package: done once while none comes or goes."""
    return tuple(sorted(metadata.entry_points(group=group), key=lambda point: point.name))


def installed_folders(group: str, allow: Collection[str]) -> Iterator[tuple[str, Path]]:
    """Name and folder of each entry point of the group whose package, or the one entry point of it, is allowed."""
    for point in entry_points(group, places()):
        package = point.dist.name if point.dist else "unknown"
        if not {"*", package, f"{package}:{point.name}"} & {*allow}:
            continue
        loaded: object = point.load()
        yield point.name, Path(str(loaded() if callable(loaded) else loaded))
