"""Folders that installed packages bring along: each entry point of a group names one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib import metadata
from pathlib import Path


def installed_folders(group: str, allow: Collection[str]) -> Iterator[tuple[str, Path]]:
    """Name and folder of each entry point of the group whose package, or the one entry point of it, is allowed."""
    for point in sorted(metadata.entry_points(group=group), key=lambda point: point.name):
        package = point.dist.name if point.dist else "unknown"
        if not {"*", package, f"{package}:{point.name}"} & {*allow}:
            continue
        loaded: object = point.load()
        yield point.name, Path(str(loaded() if callable(loaded) else loaded))
