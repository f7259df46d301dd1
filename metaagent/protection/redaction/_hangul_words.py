"""The Hangul words of a text, read once for all detectors that begin with one.

Few words may be somebody's name, and a word says so by itself, wherever it stands. Each is judged once; in a text only the
words that are left are looked for, and what stands beside them is looked at there alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _bare_korean_names, _forms_of_address, _names, _table_names
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BY_WORDS = (
    *_names.BY_WORDS,
    *_table_names.BY_WORDS,
    *_forms_of_address.BY_WORDS,
    *_bare_korean_names.BY_WORDS,
)
_WORD = regex(r"[가-힣]{2,}")
_MOST_DULL = 65_536
_dull: set[str] = set()
"""Words at which no detector can find anything: most of them, so that they are taken out before anything is looked at."""


def _at_words(text: str) -> Iterator[Hit]:
    words = _WORD.findall(text)
    wanted = _wanted(words)
    if not wanted:
        return
    places: dict[int, list[tuple[int, int]]] = {}
    end = 0
    for word in filter(wanted.__contains__, words):
        start = text.index(word, end)
        end = start + len(word)
        # It may also be a part of another word before.
        while "가" <= text[end : end + 1] <= "힣" or (start and "가" <= text[start - 1] <= "힣"):
            start = text.index(word, start + 1)
            end = start + len(word)
        for detector in wanted[word]:
            places.setdefault(detector, []).append((start, end))
    for detector in sorted(places):
        yield from BY_WORDS[detector].hits(text, places[detector])


def _wanted(words: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Find the words at which something may be found, and the detectors that look for it."""
    wanted: dict[str, tuple[int, ...]] = {}
    for word in set(words).difference(_dull):
        if detectors := _detectors(word):
            wanted[word] = detectors
        else:
            if len(_dull) >= _MOST_DULL:
                _dull.clear()
            _dull.add(word)
    return wanted


@lru_cache(maxsize=16384)
def _detectors(word: str) -> tuple[int, ...]:
    return tuple(at for at, detector in enumerate(BY_WORDS) if detector.may_begin(word))


DETECTORS = (Detector(r"[가-힣]{2}", _at_words),)
