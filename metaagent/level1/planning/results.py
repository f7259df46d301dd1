"""Marks failed results that a later plan replaced. They stay on record, but the answer is not told
that something is missing which somebody else has done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

Result = Mapping[str, Any]


def is_good(result: Result) -> bool:
    """Done, and not left behind as poor."""
    return result["status"] == "completed" and not result.get("poor")


def with_replacements(
    results: Mapping[str, Result],
    fresh: Collection[str],
    required: Collection[str],
    serves: Callable[[Result], Collection[str]],
) -> dict[str, Result]:
    """All results; one that came to nothing is `superseded_by` that of the `fresh` ones which serves what it was for,
    and this one is there `instead_of` it. What was only needed on the way is forgiven once all that is required is
    served."""
    after = dict(results)
    good = [step for step in fresh if is_good(after[step])]
    lost = [step for step, result in after.items() if step not in fresh and _counts_as_lost(result)]
    for old in lost:
        new = next((step for step in good if after[old]["capability"] in serves(after[step])), None)
        if new is not None:
            _replace(after, old, new)
    served = {name for result in after.values() if is_good(result) for name in serves(result)}
    if good and served.issuperset(required):
        for old in lost:
            if _counts_as_lost(after[old]) and after[old]["capability"] not in required:
                _replace(after, old, good[-1])
    return after


def _counts_as_lost(result: Result) -> bool:
    return not is_good(result) and not result.get("optional") and "superseded_by" not in result


def _replace(results: dict[str, Result], old: str, new: str) -> None:
    lost = results[old]
    results[old] = {**lost, "superseded_by": new}
    if lost["agent"] and "instead_of" not in results[new]:
        why = {key: lost[key] for key in ("agent", "error", "error_type")}
        results[new] = {**results[new], "instead_of": why}
