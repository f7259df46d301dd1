"""Names that say something else than they are written as: the module that tables are called after, the short form of their
table that columns repeat, and Korean in Latin letters."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from metaagent.data.semantic.drafting.romanised import compound, from_latin, syllables
from metaagent.data.semantic.drafting.words import cut_from, hangul, is_known, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaagent.data.semantic.drafting.table import Table

_MODULE = re.compile(r"([A-Za-z]{2,3})_(?=\w{2,})")
_FEWEST_TABLES = 4
_BEGUN = re.compile(r"([A-Za-z]{2,6})_(?=[A-Za-z]\w)")
_FEWEST_COLUMNS = 3
_MOST_OTHERS = 0.34
"""The share of columns that may begin otherwise: keys of other tables."""
_MOST_OTHERS_NAMED = 0.5
"""The same, where the table's own name begins so."""
_KEYS = frozenset({"id", "key", "code", "number", "sequence"})
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{3,}(?![A-Za-z])")
_BEGINNING = 3
_UNITS = frozenset({"hour", "minute", "second", "day", "month", "meter", "pound", "quantity", "number"})
_PART = re.compile(r"[A-Za-z]{4,}")
_SHORT_PART = re.compile(r"(?<![A-Za-z])[A-Za-z]{3,}(?![a-z])")
_TAILS = {"il": "ilja", "aek": "geumaek", "geum": "geumaek"}
_TAIL = re.compile(rf"(^|_)({'|'.join(_TAILS)})$", re.IGNORECASE)
"""One syllable that a name ends with, where Korean writes it as one word: ip_aek, gyeyak_il."""
_TENSE = re.compile(r"^(?:tt|kk|pp|jj|ss).*(?:eo|eu)", re.IGNORECASE)
"""Letters that only Korean begins with: tteok."""
_FEWEST_KOREAN, _LEAST_KOREAN = 3, 0.25
"""The number and the share of names that are Korean in a database whose other names may be so too."""


def without_modules(tables: Mapping[str, Table]) -> None:
    """PR_ORD, PR_RSLT and QC_DFCT: short forms of modules, where all names begin with one and some share it, are no words."""
    own = [table for table in tables.values() if not table.is_view]
    begun = [_MODULE.match(table.physical) for table in own]
    modules = [match[1].lower() for match in begun if match]
    if len(own) < _FEWEST_TABLES or len(modules) < len(own) or len({*modules}) == len(modules):
        return
    names = [table.physical[match.end() :] for table, match in zip(own, begun, strict=True) if match]
    if len({name.lower() for name in names}) == len(names):
        for table, name in zip(own, names, strict=True):
            table.called = name


def without_prefixes(tables: Mapping[str, Table]) -> None:
    """inst_price and inst_cost of installations are their price and cost: a short form before most columns of one table, and
    before those of no other, is no word."""
    own = [table for table in tables.values() if not table.is_view]
    begun = {table.name: _shared(table) for table in own}
    for table in own:
        prefix = begun[table.name]
        if prefix and list(begun.values()).count(prefix) == 1 and not _says_it_all(table, prefix):
            _rename(table, {column: _bare(table, column, prefix) for column in table.types})


def _shared(table: Table) -> str | None:
    """The beginning that most columns have in common."""
    begun = Counter(match[1].lower() for column in table.types if (match := _BEGUN.match(column)))
    prefix, often = begun.most_common(1)[0] if begun else ("", 0)
    named = any(word.startswith(prefix) for word in re.split(r"[\W_]+", table.said_name.lower()))
    fewest = _FEWEST_COLUMNS if not named else _FEWEST_COLUMNS - 1
    others = _MOST_OTHERS if not named else _MOST_OTHERS_NAMED
    return prefix if often >= fewest and often >= len(table.types) * (1 - others) else None


def _says_it_all(table: Table, prefix: str) -> bool:
    """Tell whether a beginning is the name of the table itself, as which it is read anyway."""
    return words_of(prefix) == table.words


def _rename(table: Table, names: Mapping[str, str]) -> None:
    if len({*names.values()}) < len(names):
        return
    for known in (table.types, table.physical_columns, table.casts, table.few):
        _turn(known, names)
    table.key = [names[column] for column in table.key]
    table.personal = {names[column] for column in table.personal}
    table.unreadable_dates = [names[column] for column in table.unreadable_dates]


def _turn(known: dict[str, Any], names: Mapping[str, str]) -> None:
    turned = {names[column]: value for column, value in known.items()}
    known.clear()
    known.update(turned)


def _bare(table: Table, column: str, prefix: str) -> str:
    """The name without its beginning; keys keep theirs, by which they are found in other tables."""
    if column in table.key or words_of(column)[-1] in _KEYS or not column.lower().startswith(f"{prefix}_"):
        return column
    return column[len(prefix) + 1 :]


def in_hangul(tables: Mapping[str, Table]) -> None:
    """Write names in Hangul that are no words of English but syllables of Korean, where many others are Korean: wipan, mohang."""
    own = [table for table in tables.values() if not table.is_view]
    names = [name for table in own for name in (table.said_name, *table.types)]
    korean = [name for name in names if hangul(name) or any(map(from_latin, _PART.findall(name.lower())))]
    if len(korean) < max(_FEWEST_KOREAN, _LEAST_KOREAN * len(names)):
        return
    for table in own:
        if (said := _SHORT_PART.sub(_syllables, table.said_name)) != table.said_name:
            table.called = said
        _rename(
            table,
            {column: _SHORT_PART.sub(_syllables, _TAIL.sub(_whole_tail, column)) for column in table.types},
        )


def by_neighbours(tables: Mapping[str, Table]) -> None:
    """Write a short form out that may be several words, as the one that another name begins like: dnr, a donor beside donations."""
    own = [table for table in tables.values() if not table.is_view]
    said = {word for table in own for name in (table.said_name, *table.types) for word in words_of(name)}

    things = {
        table.said_name.lower()
        for table in own
        if f"{table.said_name}_nm".lower() in {c.lower() for c in table.types}
    }

    def full(part: re.Match[str]) -> str:
        if part[0].lower() in things and words_of(part[0])[-1] in _UNITS:  # hrs with names are horses
            return next(iter(cut_from(part[0].lower())), part[0])
        likely = [
            word for word in cut_from(part[0].lower())
            if any(one != word and one[:_BEGINNING] == word[:_BEGINNING] for one in said)
        ]  # fmt: skip
        return likely[0] if len(likely) == 1 and not is_known(part[0].lower()) else part[0]

    for table in own:
        if re.search(r"(?:^|_)ctr$", table.said_name, re.IGNORECASE) and _is_agreed(table):
            table.called = f"{table.said_name[:-3]}contract"
        if (name := _WORD.sub(full, table.said_name)) != table.said_name:
            table.called = name
        _rename(table, {column: _WORD.sub(full, column) for column in table.types})


_BEGINS, _ENDS = (
    frozenset({"start", "begin", "signed", "from"}),
    frozenset({"end", "expiry", "until", "finish"}),
)


def _is_agreed(table: Table) -> bool:
    """Tell whether rows begin, end and cost something, as contracts do and centers do not."""
    said = {word for column in table.types for word in words_of(column)}
    return (
        bool(said & _BEGINS)
        and bool(said & _ENDS)
        and bool(said & {"fee", "amount", "price", "value", "total"})
    )


def _whole_tail(tail: re.Match[str]) -> str:
    return tail[1] + _TAILS[tail[2].lower()]


def _syllables(part: re.Match[str]) -> str:
    said = part[0].lower()
    made, known = compound(said), is_known(said)
    if known and from_latin(said) in (None, made):  # read so anyway, or English
        return part[0]
    if made is None and not known and len(said) > _BEGINNING:
        made = syllables(said)
    return made if made and (len(made) > 1 or _TENSE.search(part[0])) else part[0]
