"""The things that a result shows, by key and in order: what a later question can mean by "the second one" or "those"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST = 50
"""Things of one kind that are kept; of a longer list only the beginning can be pointed at."""


def things_shown(
    columns: Sequence[Mapping[str, Any]], rows: Sequence[Sequence[Any]], keys: Mapping[str, Sequence[Any]]
) -> list[dict[str, Any]]:
    """The values of each grouping column in the order of the rows, each once, with their keys where they have some."""
    made: list[dict[str, Any]] = []
    for place, column in enumerate(columns):
        if column["kind"] not in ("dimension", "time"):
            continue
        own = keys.get(column["name"])
        found = {
            str(own[at] if own else row[place]): str(row[place])
            for at, row in reversed([*enumerate(rows)])
            if (own[at] if own else row[place]) is not None
        }
        listed = list(reversed(found.items()))
        made.append(
            {
                "dimension": str(column["name"]),
                "by_key": own is not None,
                "keys": [key for key, _ in listed[:MOST]],
                "labels": [label for _, label in listed[:MOST]],
                "whole": len(listed) <= MOST,
            }
        )
    return made
