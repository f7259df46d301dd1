"""All detectors, and the one reading of a text that says which of them are worth running.

Their many patterns take a while to compile: whoever looks through no text does not import this.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from metaagent.protection.redaction import (
    _addresses,
    _bare_korean_names,
    _forms_of_address,
    _hangul_words,
    _labels,
    _names,
    _normalised,
    _numbers,
    _personal,
    _phones,
    _spelled,
    _table_names,
    _texts,
    _western,
    _western_pairs,
)
from metaagent.protection.redaction.finding import Detector

if TYPE_CHECKING:
    from collections.abc import Callable

DETECTORS: tuple[Detector, ...] = (
    *_numbers.DETECTORS,
    *_phones.DETECTORS,
    *_spelled.DETECTORS,
    *_personal.DETECTORS,
    *_addresses.DETECTORS,
    *_texts.DETECTORS,
    *_labels.DETECTORS,
    *_table_names.DETECTORS,
    *_forms_of_address.DETECTORS,
    *_bare_korean_names.DETECTORS,
    *_names.DETECTORS,
    *_hangul_words.DETECTORS,
    *_western.DETECTORS,
    *_western_pairs.DETECTORS,
)
SPELLING = len(DETECTORS)
"""The place after all detectors: the text has a spelling that must be undone before it is searched."""
SPREAD = SPELLING + 1
"""The next: characters are kept apart by spaces."""
_READ = SPREAD + 1
"""The last place: fits every text. Without it the reading failed, and says nothing."""
_ALL = list(range(_READ + 1))
_MEMORY = 64_000_000
_MARGIN = 200
"""Characters before and after a place that its detector may look at: more than any of them does."""


def needs(text: str) -> list[int]:
    """List the places of the detectors that can find something in the text, by reading it once.

    The last of them is always there, and is no detector.
    """
    found: list[int] | None = _conditions()(text.encode("utf-8", "replace"))
    if not found or _READ not in found:
        return _ALL
    if len(found) > 1:
        found.sort()
    return found


def windows(place: int, data: bytes, text: str) -> list[tuple[int, int]]:
    """List the parts of the text in which the detector at this place can find something: whole lines, with some round them."""
    parts: list[tuple[int, int]] = []
    at = done = 0
    for found in _condition(place).finditer(data):
        start = found.start()
        at += len(data[done:start].decode("utf-8", "replace"))
        done = start
        if parts and at < parts[-1][1] - _MARGIN:
            continue
        first = text.rfind("\n", 0, max(0, at - _MARGIN)) + 1
        last = text.find("\n", at + len(found[0].decode("utf-8", "replace")) + _MARGIN)
        end = last + 1 if last >= 0 else len(text)
        if parts and first <= parts[-1][1]:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((first, end))
    return parts


@cache
def _condition(place: int) -> Any:
    import re2

    return re2.compile(DETECTORS[place].needs.encode())


@cache
def _conditions() -> Callable[[bytes], list[int] | None]:
    import re2

    options: Any = re2.Options()
    options.max_mem = _MEMORY
    together: Any = re2.Set.SearchSet(options)
    for pattern in (
        *(detector.needs for detector in DETECTORS),
        _normalised.NEEDS,
        _normalised.SPREAD_NEEDS,
        "",
    ):
        together.Add(pattern)
    together.Compile()
    return together.Match
