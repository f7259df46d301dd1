"""The one question that the rest of the package asks: what in this text is personal or secret?"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaagent.protection.redaction.finding import Finding
    from metaagent.protection.redaction.known import KnownNames

CODE = regex(r"[a-z_]{1,40}|s[0-9]{1,3}|[0-9a-f]{64}")
"""Names of things and digests, as most entries of the trail hold them: nothing personal is written so."""


def find(text: str, names: KnownNames | None = None) -> list[Finding]:
    """Find what is sensitive, in the order of the text, none overlapping: what overlaps is one finding of its best proven type."""
    if names is None and CODE.fullmatch(text):
        return []
    return _search()(text, names)


@cache
def _search() -> Callable[[str, KnownNames | None], list[Finding]]:
    # Many patterns take a while to compile, and most commands look through no text.
    from metaagent.protection.redaction._search import search

    return search
