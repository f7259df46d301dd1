"""Readable stand-ins that stay the same within a session, and the way back."""

from __future__ import annotations

import re
import threading
import unicodedata
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

# A model may drop the brackets, add spaces or change the case; a longer number or word is another token.
_TOKEN = regex(
    r"\[ ?([A-Za-z]{2,12})[_ ]([0-9]{1,6}) ?\]|(?<![A-Za-z0-9_])([A-Z]{2,12})_([0-9]{1,6})(?![A-Za-z0-9_])"
)
_SIGNS = regex(r"[\s\-.()/]+")


class Pseudonyms:
    """One session's stand-ins. It holds personal data: store it sealed, and never log it."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, str] = {}
        self._tokens: dict[tuple[str, str], str] = {}
        self._last: dict[str, int] = {}
        for token, value in (values or {}).items():
            kind, _, number = token.strip("[]").rpartition("_")
            self._values[token] = value
            self._tokens[kind, _same(value)] = token
            self._last[kind] = max(self._last.get(kind, 0), int(number))

    def __repr__(self) -> str:
        return f"Pseudonyms({len(self._values)} values)"

    def token(self, kind: str, value: str) -> str:
        """Two spellings of one number get one token."""
        name = (kind, _same(value))
        with self._lock:
            token = self._tokens.get(name)
            if token is None:
                self._last[kind] = number = self._last.get(kind, 0) + 1
                token = self._tokens[name] = f"[{kind}_{number}]"
                self._values[token] = value
            return token

    def restore(self, text: str) -> str:
        """Put the values back into a text that was written with tokens. Unknown tokens stay as they are."""
        return _TOKEN.sub(self._value, text)

    def values(self) -> dict[str, str]:
        """Plain data to store, sealed; give it to a new `Pseudonyms` to go on."""
        with self._lock:
            return dict(self._values)

    def _value(self, found: re.Match[str]) -> str:
        kind, number = (found[1] or found[3]).upper(), found[2] or found[4]
        return self._values.get(f"[{kind}_{number}]", found[0])


def _same(value: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFKC", value)).casefold()
