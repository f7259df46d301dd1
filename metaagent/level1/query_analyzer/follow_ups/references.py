"""References: words that stand for things which earlier turns showed or named, resolved to exactly these things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from metaagent.language.calendar import relative_range
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer import request as requests
from metaagent.level1.query_analyzer.follow_ups.reference_words import (
    ANY,
    FORMS,
    LOW,
    NUMBERS,
    PEOPLE,
    PLACES,
    UNITS,
    pattern,
)
from metaagent.level1.query_analyzer.grammar.combined_follow_ups import MOST
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction, Span
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]


@dataclass(frozen=True)
class Reference:
    """Words that point, and how: at the one, at several, at a place of the list, at the others, or at whatever it was."""

    start: int
    end: int
    form: str
    """one, several, of, place, rest, it or time."""
    first: int = 0
    """place: counted from the front; below zero from the end."""
    size: int = 0
    """The number of things that is said; 0: none is."""
    kinds: frozenset[str] = frozenset()
    """The kinds of things that the words can mean; empty: any."""
    by_figure: bool = False
    """place: that of the largest or the smallest figure, wherever it stands in the list."""


@dataclass(frozen=True)
class Things:
    """Some things of one kind, in the order in which they were shown or named."""

    dimension: str
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    by_key: bool
    listed: bool
    """Shown as rows, rather than named as a limit."""
    whole: bool = True
    rising: bool | None = None
    """Listed from the smallest figure to the largest, or the other way round; None: in no order of figures."""

    def some(self, keys: slice) -> Things:
        return Things(self.dimension, self.keys[keys], self.labels[keys], self.by_key, self.listed)

    def node(self, *, negated: bool = False) -> Node:
        limit = Restriction(self.dimension, self.keys, self.by_key, negated, labels=self.labels)
        return Node("F", filters=(limit,))


@dataclass(frozen=True)
class Bound:
    """A reference with the things that it means; None: it could not be told which."""

    reference: Reference
    things: Things | None
    span: Span | None = None
    """The unit of time that was found, for words such as that month."""


_IDLE = regex(
    r"(?<![a-z])(?:(?:is|was) it (?:possible|ok|okay|true|right|correct|fair|that)|it (?:is|was|seems|looks|comes|would be)"
    r"|(?:make|do|get|keep|see|show|call|take|put|let|break|split|sort) it"
    r"|(?:those|these|them) (?:who|that|which|with|of))(?![a-z])"
)
"""Words of the language that look like references."""


_VISITED = regex(r"(?<![a-z])(?:visit(?:s|ed|ing)?|call(?:s|ed)? on|s[ae]en?) \Z")
"""Customers are visited, whatever else was listed."""


def found(text: str, terms: Terms) -> list[Reference]:
    """The references of a question, in their order."""
    idle = [m.span() for m in _IDLE.finditer(text)]
    read = [
        _read(match, terms)
        for match in pattern(terms).finditer(text)
        if not any(a <= match.start() and match.end() <= b for a, b in idle)
    ]
    return _with_their_list(read, text)


def _with_their_list(read: list[Reference], text: str) -> list[Reference]:
    """The references, each place with the words right before it that name its list: 그중 1등, of those, the second one."""
    made: list[Reference] = []
    for one in read:
        before = made[-1] if made else None
        of_them = before is not None and before.form in ("of", "several") and one.form == "place"
        if before and of_them and not text[before.end : one.start].strip(" ,"):
            made[-1] = replace(one, start=before.start, kinds=one.kinds or before.kinds)
        else:
            made.append(one)
    return made


def _read(match: re.Match[str], terms: Terms) -> Reference:
    said = {name.rstrip("0123456789"): text for name, text in match.groupdict().items() if text}
    form = next(form for form in FORMS if f"{form}_ko" in said or f"{form}_en" in said)
    if form == "time":
        unit = said.get("unit_en") or UNITS.get(said.get("unit_ko", ""))
        return Reference(
            match.start(), match.end(), form, kinds=frozenset({unit} if unit else UNITS.values())
        )
    noun = next((said[name] for name in said if "kind_" in name), "")
    kinds = _kinds(noun, terms) if noun else frozenset[str]()
    if any(name in said for name in ("who_ko", "who_en")):
        kinds = _people(terms)
    if "there_ko" in said or "there_en" in said:
        kinds = frozenset(name for name in _kinds("곳", terms) if not terms.is_sold(name))
    if not kinds and form in ("several", "it") and _VISITED.search(match.string, 0, match.start()):
        kinds = frozenset({str(terms.domain.entity_dimensions.get("organisation"))} & {*terms.dimensions})
    size = next((_number(said[name]) for name in said if "_n_" in name or name == "size_en"), 0)
    if form == "several" and match[0].startswith("both"):
        size = 2
    first = _place(said) if form == "place" else 0
    by_figure = bool(said.get("nth_en") in _BY_FIGURE or {"low_ko", "least_ko", "most_ko"} & {*said})
    return Reference(match.start(), match.end(), form, first, size or int(form == "place"), kinds, by_figure)


_BY_FIGURE = frozenset({"best", "biggest", "largest", "highest", "worst", "smallest", "lowest"})


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def _place(said: Mapping[str, str]) -> int:
    for name in ("nth_ko", "word_ko", "rank_ko", "number_en"):
        if name in said:
            return _number(said[name])
    if said.get("nth_en") in LOW or {"low_ko", "last_ko", "least_ko"} & {*said}:
        return -1
    if "edge_ko" in said:
        return 1 if said["edge_ko"] in ("위", "앞", "처음") else -1
    return NUMBERS.get(said.get("nth_en", ""), 1)


def _people(terms: Terms) -> frozenset[str]:
    return frozenset({terms.person} if terms.person else ())


def _kinds(noun: str, terms: Terms) -> frozenset[str]:
    """The kinds of things that a noun names: a label of the model, people, or whatever is no person; none: any."""
    if noun in PLACES:
        return frozenset(name for name in terms.dimensions if name not in (*TIMES, terms.person))
    if noun in ANY:
        return frozenset()
    own = frozenset(
        name
        for name, term in terms.dimensions.items()
        if name not in TIMES
        and any(noun in (label.lower(), label.lower().removesuffix("s")) for label in term.labels)
    )
    return own or (_people(terms) if noun in PEOPLE else frozenset())


def spoken_of(turn: Mapping[str, Any]) -> Iterator[Things]:
    """The things of a turn: those that it listed, those that it was limited to, and these with the ones before them."""
    request: Mapping[str, Any] = turn.get("semantic_request") or {}
    rising = _is_rising(request)
    for one in turn.get("shown") or ():
        if one["dimension"] not in TIMES and one["keys"]:
            keys, names = tuple(map(str, one["keys"])), _names(turn)
            labels = tuple(names.get(key, str(label)) for key, label in zip(keys, one["labels"], strict=True))
            yield Things(
                one["dimension"], keys, labels, bool(one["by_key"]), True, bool(one["whole"]), rising
            )
            if _set_against(request, one):  # which one was higher?: that one is spoken of
                yield Things(one["dimension"], keys[:1], labels[:1], bool(one["by_key"]), True)
    sides = [one["numerator"] for one in request.get("derived") or ()]
    held = [f for part in (request, *sides) for f in part.get("filters") or () if f.get("op") == "in"]
    changed = {str(f.get("dimension")) for f in turn.get("replaced") or ()}
    limits = sorted(
        (_limit(f, turn) for f in held if "dimension" in f), key=lambda one: one.dimension not in changed
    )  # of several limits the one that the talk went through
    yield from limits
    for one in limits:
        before = [_limit(f, turn) for f in turn.get("replaced") or () if f.get("dimension") == one.dimension]
        every = {
            key: label for each in (*before, one) for key, label in zip(each.keys, each.labels, strict=True)
        }
        if len(every) > len(one.keys):
            yield Things(one.dimension, tuple(every), tuple(every.values()), one.by_key, False)


def _set_against(request: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Tell whether a few things were set against each other by a figure, the one that was asked for first."""
    order = request.get("order") or ()
    by_figure = len(order) == 1 and order[0]["column"] in (request.get("metrics") or ())
    return by_figure and 1 < len(shown["keys"]) <= MOST + 1 and not request.get("top")


def _is_rising(request: Mapping[str, Any]) -> bool | None:
    """Tell whether a list begins with the smallest figure; None: it is no list by figures."""
    order, groups = request.get("order") or (), request.get("dimensions") or ()
    if len(groups) != 1 or (order and order[0]["column"] in (*TIMES, *groups)):
        return None
    return not order[0]["descending"] if order else (request.get("top") or {}).get("direction") == "bottom"


def _names(turn: Mapping[str, Any]) -> dict[str, str]:
    """The names of the values that a turn was limited to, as they were said."""
    limits = (turn.get("resolved") or {}).get("filters") or ()
    return {
        str(value): str(label)
        for f in limits
        for value, label in zip(f.get("values") or (), f.get("labels") or (), strict=False)
    }


def _limit(item: Mapping[str, Any], turn: Mapping[str, Any]) -> Things:
    keys, names = tuple(map(str, item["values"])), _names(turn)
    labels = tuple(names.get(key, key) for key in keys)
    return Things(str(item["dimension"]), keys, labels, bool(item.get("by_key")), False)


def bound(text: str, previous: Mapping[str, Any] | None, terms: Terms) -> list[Bound]:
    """The references of a question with what they mean in the turns before."""
    turns = [previous, *reversed(previous.get("earlier") or ())] if previous else []
    spoken = [_centred([*spoken_of(turn)], turn, terms) for turn in turns]
    pointed = frozenset(map(str, (previous or {}).get("pointed") or ()))
    return [
        Bound(one, None, _found_then(one, turns))
        if one.form == "time"
        else Bound(one, _resolved(one, spoken, pointed))
        for one in found(text, terms)
    ]


def _centred(spoken: list[Things], turn: Mapping[str, Any], terms: Terms) -> list[Things]:
    """Put what each of the things has one of behind the things: they, after the teams that those reps are in, are still
    the reps."""
    pointed = {str(name) for name in turn.get("pointed") or ()}
    held = {one.dimension for one in spoken if one.listed} & pointed

    def is_property(one: Things) -> bool:
        return one.dimension not in held and any(terms.belongs(one.dimension, kind) for kind in held)

    return sorted(spoken, key=is_property)


def _found_then(reference: Reference, turns: Sequence[Mapping[str, Any]]) -> Span | None:
    """The one unit of time that a turn found, as far as it lies in the period of that turn."""
    for turn in turns:
        shown = [one for one in turn.get("shown") or () if one["dimension"] in reference.kinds]
        request: Mapping[str, Any] = turn.get("semantic_request") or {}
        if len(shown) == 1 and (len(shown[0]["keys"]) == 1 or _set_against(request, shown[0])):
            unit = relative_range(str(shown[0]["dimension"]), 0, _first_day(str(shown[0]["keys"][0])))
            held = requests.range_of((turn.get("semantic_request") or {}).get("period")) or unit
            return Span(max(unit.first, held.first), min(unit.last, held.last), shown[0]["keys"][0])
    return None


def _first_day(unit: str) -> date:
    """The first day of 2026, 2026-Q3, 2026-10 or of the week or day that a date names."""
    year, _, rest = unit.partition("-")
    if rest.startswith("Q"):
        return date(int(year), int(rest[1:]) * 3 - 2, 1)
    parts = [int(part) for part in rest.split("-") if part]
    return date(int(year), *(*parts, 1, 1)[:2])


def _resolved(
    reference: Reference, turns: Sequence[Sequence[Things]], pointed: frozenset[str]
) -> Things | None:
    """Look for what is named by its kind, and for a place of a list, further back too; a pronoun means the turn before.
    After one place of a list, another is one of the same list: `pointed`."""
    kinds = reference.kinds
    if reference.form == "place" and not kinds and turns and not any(_is_list(one) for one in turns[0]):
        kinds = pointed
    one = reference.kinds and reference.form == "several" and not reference.size  # 그 병원들: rather several
    several = any(len(t.keys) > 1 and t.dimension in kinds for turn in turns for t in turn)
    for number, turn in enumerate(turns):
        fitting = [things for things in turn if not kinds or things.dimension in kinds]
        if one and several:
            fitting = [things for things in fitting if len(things.keys) > 1]
        if reference.form == "rest" and fitting and not fitting[0].listed:  # tier A?, B?, the rest?: neither
            kind = fitting[0].dimension
            fitting.sort(key=lambda things, kind=kind: (things.dimension != kind, -len(things.keys)))
        if made := next((made for things in fitting if (made := _meant(reference, things))), None):
            return made
        if number == 0 and not kinds and reference.form != "place":
            return None
        if reference.form == "place" and any(things.listed for things in fitting):
            return None
    return None


def known_choice(chosen: Mapping[str, Any], turn: Mapping[str, Any]) -> Things | None:
    """The things that a ranking chooses, where the turn before listed all of them by the same figure."""
    held: Mapping[str, Any] = turn.get("semantic_request") or {}
    own, top = [*(chosen.get("dimensions") or ())], chosen.get("top") or {}
    same = all(
        (chosen.get(key) or None) == (held.get(key) or None)
        for key in ("metrics", "dimensions", "filters", "period", "derived", "rows", "existence", "weekdays", "comparison")
    )  # fmt: skip
    if not same or held.get("having") or held.get("among") or chosen.get("having") or not top:
        return None
    rising = top.get("direction") == "bottom"
    before = held.get("top") or {}
    if before and (before.get("direction") == "bottom") != rising:
        return None
    size = int(top.get("n") or 1)
    listed = next((one for one in spoken_of(turn) if one.listed and [one.dimension] == own), None)
    if listed is None or listed.rising is None or len(listed.keys) < max(size, int(top.get("nth") or 1)):
        return None
    if size > 1 and not listed.whole:
        return None
    first = int(top.get("nth") or 1) - 1
    if listed.rising != rising:
        return None if not listed.whole or top.get("nth") else listed.some(slice(-size, None))
    return listed.some(slice(first, first + size))


def _is_list(things: Things) -> bool:
    return things.listed and len(things.keys) > 1


def _meant(reference: Reference, things: Things) -> Things | None:
    count = len(things.keys)
    if reference.form in ("one", "it"):  # it, where nothing was listed, is the figure
        return things if count == 1 and things.whole and (things.listed or reference.form == "one") else None
    if reference.form == "place":
        return _in_place(reference, things)
    if not things.whole:
        return None
    if reference.size and reference.size != count:
        return things.some(slice(reference.size)) if things.listed and count > reference.size else None
    several = count > 1 or things.listed or reference.form == "rest"
    return things if several or reference.kinds else None


def _in_place(reference: Reference, things: Things) -> Things | None:
    count = len(things.keys)
    if not things.listed or (count == 1 and reference.first != 1):  # the last, after the best one: of all
        return None
    if reference.by_figure and things.rising is None:
        return None
    if reference.by_figure and things.rising and abs(reference.first) == 1:
        reference = replace(reference, first=-1 if reference.first > 0 else 1)
    if reference.first < 0:
        return things.some(slice(-reference.size, None)) if things.whole and count >= reference.size else None
    last = reference.first - 1 + reference.size
    return things.some(slice(reference.first - 1, last)) if last <= count else None
