"""The mood of a clause about checking and storing, and its intents. Pure."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

Span = tuple[int, int]
CHECK, STORE, DOCUMENT = "compliance", "store", "document"


class Mood(Enum):
    ORDERED = "ordered"
    DECLINED = "declined"
    """Refused, put off, promised by somebody, left open or done already."""
    CLEAN = "clean"
    """A condition that holds where a check finds nothing wrong."""
    TROUBLE = "trouble"
    """A condition that holds where a check finds something wrong."""
    UNCLEAR = "unclear"
    """Words about storing that neither order nor refuse it for certain: nothing is done, and that is said."""
    NEUTRAL = "neutral"
    """No more than an order in time: once that is done."""


class Clause(NamedTuple):
    """The mood of a clause, the intents that it is about, and its words for things, which are read with the rest."""

    mood: Mood
    intents: frozenset[str]
    things: tuple[Span, ...]
