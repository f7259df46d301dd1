"""The mapping of given columns onto those of a table: by name, words, sources and values, with a confidence each.

A match below CERTAIN, or one with a rival within MARGIN, is doubtful and is asked about. Figures that a query computed are never
taken for the values of a table by themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal

from rapidfuzz import fuzz

from metaagent.level2.storage import transform
from metaagent.level2.storage.transform import Doubtful, Header, Order

CERTAIN = 0.8
MARGIN = 0.1
FITS = 0.5
"""The least share of the given columns that a table must take for it to be the target."""
SAMPLE = 200
Rule = Literal["copy", "date", "number", "boolean", "code", "lookup", "split", "join"]
COMPUTED = frozenset({"metric", "previous", "change", "count", "derived"})
DELIMITER = re.compile(r"\s*[/|·,]\s*")


@dataclass(frozen=True)
class Given:
    """One given column: its heading, what it is of, and its values."""

    name: str
    values: tuple[Any, ...]
    label: str = ""
    source: str = ""
    kind: str = ""

    @property
    def header(self) -> Header:
        return transform.header(self.label or self.name)


@dataclass(frozen=True)
class Match:
    """Given columns that fill one column of the table, by a rule."""

    given: tuple[str, ...]
    column: str
    confidence: float
    rule: Rule
    note: str = ""
    part: int = 0
    """The part of the value, for `split`."""


@dataclass(frozen=True)
class TableMapping:
    """The table, certain matches, and what has to be asked: candidates for each doubtful column, none for an unmatched one."""

    table: str
    matches: tuple[Match, ...]
    doubtful: dict[str, tuple[Match, ...]] = field(default_factory=dict[str, tuple[Match, ...]])
    missing: tuple[str, ...] = ()
    score: float = 0.0


def rank_tables(
    given: Sequence[Given], tables: Sequence[Mapping[str, Any]], hint: str = ""
) -> list[TableMapping]:
    """Every table with its mapping, the best first."""
    made = [map_table(given, table, hint) for table in tables]
    return sorted(made, key=lambda one: (-one.score, one.table))


def choose_table(ranked: Sequence[TableMapping]) -> tuple[TableMapping | None, tuple[TableMapping, ...]]:
    """The table that fits, and its rivals where it cannot be told which is meant."""
    fitting = [one for one in ranked if one.score >= FITS]
    if not fitting:
        return None, ()
    best = fitting[0]
    rivals = tuple(one for one in fitting[1:] if one.score > best.score - MARGIN)
    return best, rivals


def map_table(given: Sequence[Given], table: Mapping[str, Any], hint: str = "") -> TableMapping:
    columns: list[Mapping[str, Any]] = list(table["columns"])
    candidates = {one.name: _candidates(one, columns) for one in given}
    matches = _joined(given, columns, candidates)
    taken = {name for match in matches for name in match.given}
    matches += _split(given, columns, candidates, taken)
    taken |= {name for match in matches for name in match.given}
    filled = {match.column for match in matches}
    plain, doubtful = _assigned({n: c for n, c in candidates.items() if n not in taken}, filled)
    matches += plain
    unsure = [match for match in matches if match.confidence < CERTAIN]
    matches = [match for match in matches if match.confidence >= CERTAIN]
    for match in unsure:
        doubtful |= dict.fromkeys(match.given, (match,))
    filled = {match.column for match in matches}
    missing = tuple(c["name"] for c in columns if c.get("required") and c["name"] not in filled)
    return TableMapping(
        table["name"],
        tuple(matches),
        doubtful,
        missing,
        _score(given, matches, doubtful, missing, table, hint),
    )


def _score(
    given: Sequence[Given],
    matches: Sequence[Match],
    doubtful: Mapping[str, Sequence[Match]],
    missing: Sequence[str],
    table: Mapping[str, Any],
    hint: str,
) -> float:
    """The share of given columns that are taken, less for required columns that stay empty, more for a table that is named."""
    sure = sum(match.confidence * len(match.given) for match in matches)
    maybe = sum(max((m.confidence for m in each), default=0.0) for each in doubtful.values()) * 0.5
    share = (sure + maybe) / max(1, len(given))
    required = sum(1 for column in table["columns"] if column.get("required")) or 1
    named = any(_same(word) and _same(word) in _same(hint) for word in table["words"])
    return round(share - 0.25 * len(missing) / required + (0.15 if named else 0.0), 4)


def _candidates(one: Given, columns: Sequence[Mapping[str, Any]]) -> list[Match]:
    """Columns that it may be, the likeliest first."""
    found = [match for column in columns if (match := _match(one, column)) is not None]
    return sorted(found, key=lambda match: (-match.confidence, match.column))


def _match(one: Given, column: Mapping[str, Any]) -> Match | None:
    if one.kind in COMPUTED:
        named = _name_score(one, column)
        return Match((one.name,), column["name"], min(named, 0.5), "number") if named >= 0.9 else None
    referred = _referred_score(one, column)
    named = _name_score(one, column)
    if referred > named:
        return Match((one.name,), column["name"], referred, "lookup") if _texts(one.values) else None
    if named < 0.5:
        return None
    rule = rule_of(column)
    share = fitting_share(one, column)
    return Match((one.name,), column["name"], round(named * share, 3), rule) if share > 0 else None


def rule_of(column: Mapping[str, Any]) -> Rule:
    if column.get("codes"):
        return "code"
    rules: dict[str, Rule] = {
        "date": "date", "datetime": "date", "integer": "number", "number": "number", "boolean": "boolean"
    }  # fmt: skip
    return rules.get(column["type"], "copy")


def fitting_share(one: Given, column: Mapping[str, Any]) -> float:
    """The share of its values that the column can take. An empty column fits any, and in which order days and months are
    written is asked later."""
    values = [value for value in one.values[:SAMPLE] if not transform.blank(value)]
    if not values:
        return 1.0
    order = transform.date_order(one.values) or "dmy"
    good = 0
    for value in values:
        try:
            convert(value, column, one.header, order)
            good += 1
        except Doubtful:
            continue
    return good / len(values)


def convert(value: Any, column: Mapping[str, Any], head: Header, order: Order | None) -> Any:
    """One value as the column takes it. Raises Doubtful."""
    if transform.blank(value):
        return None
    if column.get("codes"):
        return transform.to_code(value, column["codes"])
    match column["type"]:
        case "date":
            return transform.to_date(value, order)
        case "datetime":
            return transform.to_datetime(value, order)
        case "boolean":
            return transform.to_boolean(value)
        case "integer" | "number":
            units: list[str] = list(column.get("units") or ())
            times = _times(head, column)
            made = transform.to_number(value, times, "원" if "원" in units else "")
            if column["type"] == "integer" and made != int(made):
                raise Doubtful(str(value))
            return made
        case _:
            return transform.to_text(value)


def _times(head: Header, column: Mapping[str, Any]) -> Decimal:
    """Hours are taken as minutes only by a column of minutes."""
    if head.unit in transform.TIME_UNITS:
        minutes = any(
            word in ("min", "minutes", "분") for word in (*column.get("units", ()), *_tokens(column["name"]))
        )
        if not minutes:
            return Decimal(1)
    return head.times


def _name_score(one: Given, column: Mapping[str, Any]) -> float:
    names = {_same(one.name), _same(one.header.name)} - {""}
    if _same(column["name"]) in names:
        return 1.0
    if one.source and one.source in column.get("sources", ()) and one.kind not in COMPUTED:
        return 0.98
    words = {_same(word) for word in column.get("words", ())}
    if names & words:
        return 0.95
    tokens = [set(_tokens(name)) for name in (one.name, one.header.name)]
    known = [set(_tokens(word)) for word in (column["name"], *column.get("words", ()))]
    if any(mine and mine == theirs for mine in tokens for theirs in known):
        return 0.9
    near = max((fuzz.ratio(name, word) for name in names for word in words if len(word) > 3), default=0.0)
    if near >= 90:
        return 0.75
    overlap = max(
        (len(mine & theirs) / len(mine | theirs) for mine in tokens for theirs in known if mine and theirs),
        default=0.0,
    )
    return 0.6 if overlap >= 0.5 or near >= 80 else 0.0


def _referred_score(one: Given, column: Mapping[str, Any]) -> float:
    """Tells whether it names the things that the column refers to by key."""
    if not column.get("refers"):
        return 0.0
    if one.source and one.source in column.get("refers_sources", ()):
        return 0.97
    names = {_same(one.name), _same(one.header.name)}
    words = {_same(word) for word in column.get("refers_words", ())}
    return 0.93 if names & words else 0.0


def _texts(values: Sequence[Any]) -> bool:
    given = [value for value in values[:SAMPLE] if not transform.blank(value)]
    return bool(given) and all(isinstance(value, str) and not value.strip().isdigit() for value in given)


def _assigned(
    candidates: Mapping[str, Sequence[Match]], filled: set[str]
) -> tuple[list[Match], dict[str, tuple[Match, ...]]]:
    """Each column once, the surest first; rivals that are nearly as sure are doubtful."""
    sure: list[Match] = []
    doubtful: dict[str, tuple[Match, ...]] = {}
    every = sorted((m for each in candidates.values() for m in each), key=lambda m: (-m.confidence, m.column))
    taken = set(filled)
    done: set[str] = set()
    for match in every:
        name = match.given[0]
        if name in done or match.column in taken:
            continue
        done.add(name)
        others = [m for m in candidates[name] if m.column != match.column and m.column not in taken]
        rivals = [m for m in others if m.confidence > match.confidence - MARGIN / 2]
        claims = [
            m for m in every
            if m.column == match.column and m.given != match.given and m.given[0] not in done
            and m.confidence > match.confidence - MARGIN / 2
        ]  # fmt: skip
        if match.confidence < CERTAIN or rivals or claims:
            doubtful[name] = (match, *others)
            for claim in claims:  # nobody knows which of them it is
                done.add(claim.given[0])
                doubtful[claim.given[0]] = tuple(
                    m for m in candidates[claim.given[0]] if m.column not in taken
                )
            taken.add(match.column)
        else:
            sure.append(match)
            taken.add(match.column)
    for name in candidates.keys() - done:
        doubtful[name] = tuple(m for m in candidates[name] if m.column not in {s.column for s in sure})
    return sure, doubtful


_JOINS: tuple[tuple[tuple[frozenset[str], ...], str, frozenset[str]], ...] = (
    (
        (
            frozenset({"firstname", "givenname", "이름"}),
            frozenset({"lastname", "surname", "familyname", "성"}),
        ),
        "string",
        frozenset({"fullname", "name", "성명", "이름"}),
    ),
    ((frozenset({"date", "날짜", "일자"}), frozenset({"time", "시각", "시간"})), "datetime", frozenset()),
    (
        (frozenset({"year", "연도", "년", "연"}), frozenset({"month", "월"}), frozenset({"day", "일"})),
        "date",
        frozenset(),
    ),
)


def _joined(
    given: Sequence[Given], columns: Sequence[Mapping[str, Any]], candidates: Mapping[str, Sequence[Match]]
) -> list[Match]:
    """Several given columns that are one of the table: first and last name, date and time, year, month and day."""
    found: list[Match] = []
    by_name = {_same(one.header.name): one for one in given}
    for words, kind, called in _JOINS:
        parts = [next((by_name[w] for w in sorted(each) if w in by_name), None) for each in words]
        names = tuple(part.name for part in parts if part is not None)
        others = [one.name for one in given if one.name not in names]
        filled = {m.column for name in others for m in candidates[name] if m.confidence >= CERTAIN}
        fits = {
            column["name"]
            for column in columns
            if column["type"] == kind
            and column["name"] not in filled
            and (not called or called & {_same(word) for word in column["words"]})
        }
        apart = any(m.confidence >= 0.9 and m.column not in fits for name in names for m in candidates[name])
        if len(names) == len(words) and fits and not apart:
            found.append(Match(names, min(fits), 0.85 if len(fits) == 1 else 0.6, "join"))
    return found


def _split(
    given: Sequence[Given],
    columns: Sequence[Mapping[str, Any]],
    candidates: Mapping[str, Sequence[Match]],
    taken: set[str],
) -> list[Match]:
    """One given column that holds several of the table, as its heading says: 병원/제품."""
    found: list[Match] = []
    for one in given:
        names = DELIMITER.split(one.header.name)
        sure = any(m.confidence >= CERTAIN for m in candidates[one.name])
        if len(names) < 2 or one.name in taken or sure:
            continue
        values = [DELIMITER.split(str(v).strip()) for v in one.values if not transform.blank(v)]
        if not values or any(len(parts) != len(names) for parts in values):
            continue
        made: list[Match] = []
        for number, name in enumerate(names):
            part = Given(name, tuple(parts[number] for parts in values))
            best = next(iter(_candidates(part, columns)), None)
            if best is not None and best.confidence >= CERTAIN:
                rule: Rule = "split"
                made.append(replace(best, given=(one.name,), rule=rule, note=best.rule, part=number))
        if len(made) == len(names) == len({m.column for m in made}):
            found += made
    return found


def _same(text: str) -> str:
    return re.sub(r"[\s_\-./]+", "", unicodedata.normalize("NFKC", text)).casefold()


def _tokens(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFKC", text))
    return [part for part in re.split(r"[\W_]+", spaced.casefold()) if part]
