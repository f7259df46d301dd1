"""The words about one document, and the facts that are found in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from metaagent.documents.templates import FieldSpec
from metaagent.level2.document.clauses import Clause, Range, clauses_of
from metaagent.level2.document.labels import Labels


@dataclass(frozen=True)
class Fact:
    """A value in the words of the request and where it stands there."""

    text: str
    at: Range
    spans: tuple[Range, ...] = ()
    """All stretches of a value that was told in several."""
    shared: bool = False
    """The words may be a part of other values, too: a product within what was said of it."""


@dataclass(frozen=True)
class Said:
    """The words about one document: where its name stands, and what is known to be a name, a day or an amount."""

    text: str
    name_at: int = -1
    known: tuple[Range, ...] = ()
    today: date = date(2000, 1, 1)
    labels: Labels = field(default_factory=lambda: Labels(()))
    thing: tuple[str, ...] = ()
    """The thing that the document is for, as its name says: a seminar."""
    products: tuple[Range, ...] = ()
    """Names of products among what is known: they may be a part of other values."""
    field_words: frozenset[str] = frozenset()
    """Words of the names of the template's fields."""
    counts: tuple[Range, ...] = ()
    """Counts among what is known."""

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(clauses_of(self.text, self.labels.starts))


Taken = Sequence[Range]
Read = Callable[[FieldSpec, Said, Taken], Fact | None]


def overlaps(at: Range, taken: Sequence[Range]) -> bool:
    return any(at[0] < end and start < at[1] for start, end in taken)


def is_korean(text: str) -> bool:
    return re.search(r"[가-힣]", text) is not None
