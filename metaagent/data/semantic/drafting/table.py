"""A table as a survey describes it: its columns with their types, keys and links, and what its rows tell of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from metaagent.data.semantic.drafting.caveats import Caveat
from metaagent.data.semantic.drafting.dictionary import HAPPENINGS, VERBS
from metaagent.data.semantic.drafting.words import hangul, words_of

_SAYING_LITTLE = (
    "code",
    "코드",
    "log",
    "history",
    "record",
    "entry",
    "list",
    "data",
    "ledger",
    "eom",
    "eod",
    "snap",
    "profile",
    "이력",
    "내역",
    "기록",
)
"""Words behind the name of a thing that change nothing: a rental log holds rentals."""
_EVENTS = ("order", "transaction")


@dataclass
class Table:
    name: str  # in the model; the database may call it otherwise
    physical: str
    types: dict[str, str]
    physical_columns: dict[str, str]
    key: list[str]
    links: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Column -> table and column that it refers to; at most one per table that is referred to."""
    casts: dict[str, str] = field(default_factory=dict[str, str])
    """Columns of text that hold dates or numbers."""
    personal: set[str] = field(default_factory=set[str])
    """Columns whose values are phone numbers, mail addresses and the like."""
    unreadable_dates: list[str] = field(default_factory=list[str])
    """Called like dates, but written in no way that can be read."""
    few: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Columns of text or whole numbers that hold few different values, and these."""
    empty: dict[str, float] = field(default_factory=dict[str, float])
    """Columns of dates -> the share of rows without one."""
    shares: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    """Columns of which some values say that a row may not count -> these values, each with its share of the rows."""
    unequal: list[Caveat] = field(default_factory=list[Caveat])
    """Amounts of lines that do not add up to those of their heads."""
    telling: list[str] = field(default_factory=list[str])
    """Columns of text without two like values."""
    spans: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    """Pairs of dates -> the share of rows, among those with both, in which the first is not before the second."""
    after: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Columns that the draft adds: whether the first date is after the second, which was planned."""
    below: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Columns that the draft adds: whether the first number is below the second, which is the least that is wanted."""
    given: dict[str, str] = field(default_factory=dict[str, str])
    """Columns that the draft adds: whether a row has the date on which it was paid."""
    whole: set[str] = field(default_factory=set[str])
    """Prices of lines that add up to the amounts of their heads: what the line costs, whatever its quantity is."""
    in_heads: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Amounts of lines -> the table and column of their heads that these add up to."""
    is_view: bool = False
    base: list[str] = field(default_factory=list[str])
    """The words of the table that a view shows rows of, where its own name does not say it."""
    values: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Columns of codes -> the name of each code, from a table of codes."""
    role: list[str] = field(default_factory=list[str])
    """The role of a second view of the same table: shipping, for the region that an order is shipped to."""
    referring: tuple[str, str] | None = None
    """The table and column that refer to such a view."""

    called: str = ""
    """Its name without the module that all names begin with."""

    def said(self, column: str) -> str:
        """The name of a column as people read it: in Hangul where it is Korean in Latin letters."""
        read = [column] if hangul(column) else words_of(column)
        if hangul(read[0]):
            return "".join("일" if word == "date" else word for word in read)
        return column if column.endswith("_ilja") else self.physical_columns[column]

    @property
    def said_name(self) -> str:
        return self.called or self.physical

    @property
    def words(self) -> list[str]:
        named = self.said_name.lower()  # rent_hdr holds rentals; 선박 in Latin letters no shipments
        own = [HAPPENINGS[w] if w in HAPPENINGS and w in named else w for w in words_of(self.said_name)]
        own = [*own[:-1], "booking"] if len(own) > 1 and own[-1] == "book" else own
        told = len(own) > 1 and (own[-1] in _SAYING_LITTLE or self._is_order(own))
        return [*self.role, *(own[:-1] if told else own), *self.base]

    @staticmethod
    def _is_order(own: list[str]) -> bool:
        return len(own) > 1 and own[-1] in _EVENTS and own[-2] in VERBS and own[-2] != "sale"

    @property
    def in_full(self) -> list[str]:
        """The words of a repair order, which is called a repair as well; none for others."""
        own = words_of(self.said_name)
        return own if self._is_order(own) and not self.role else []

    @property
    def slug(self) -> str:
        return "_".join(self.words)


def identifier(name: str) -> str:
    """'Order Details' -> 'Order_Details'."""
    made = re.sub(r"\W+", "_", name).strip("_").replace("__", "_")
    return made if made and not made[0].isdigit() else f"t_{made}"
