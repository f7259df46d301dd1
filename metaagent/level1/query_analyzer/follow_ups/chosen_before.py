"""Things that the turn before chose stay spoken of: a figure that names no things of its own is one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metaagent.level1.query_analyzer.follow_ups.inheriting import THE_SAME_BY
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed, chosen_by, chosen_thing
from metaagent.level1.query_analyzer.follow_ups.references import Things, known_choice, spoken_of
from metaagent.level1.query_analyzer.follow_ups.request_changes import WHOLE
from metaagent.level1.query_analyzer.grammar import ellipsis
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.request import as_filter
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading

_OWN = ("filters", "top", "having", "count_groups", "existence", "among", "rows", "share")
"""Parts by which a question says itself of which things it asks."""


def kept_choice(reading: Reading, found: Composed, made: Completed) -> tuple[Completed, Things | None]:
    """방문은 몇 번 했어?, after the hospitals without sales: of each of these, not of all. With the things, if they are known
    by key."""
    before: Mapping[str, Any] = reading.context.previous or {}
    previous: Plain = before.get("semantic_request") or {}
    kind = chosen_thing(previous) if previous else None
    text = reading.source.text
    again = WHOLE.search(text) or THE_SAME_BY.search(text)
    named = made[0].get("metrics") or made[0].get("derived")
    if kind is None or again or not named or not _asks_figure_alone(found):
        return made, None
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    query = _of_its_own(made[0], previous)
    if not _can_be_of(query, previous, kind, terms) or not (reading.follows or not _dated(found)):
        return made, None
    things = next((one for one in spoken_of(before) if one.dimension == kind and one.listed), None)
    things = things if things and things.whole else None
    limited = _limited(query, previous, things)
    groups = [name for name in query.get("dimensions") or () if name != kind]
    summed = any(node.cat == "TOTAL" for p in found.path for node in p.nodes)
    single = things is not None and len(things.keys) == 1
    dims = groups if single or summed else [kind, *groups]
    taken = [*made[2], "filters" if things else "among"]
    return ({**limited, "dimensions": dims}, made[1], taken), things


def known_best(reading: Reading, query: Plain) -> tuple[Reading, Plain]:
    """The request limited to the things themselves, where the turn before showed which of them are the best."""
    if not query.get("among") or query.get("among_others"):
        return reading, query
    things = known_choice(query["among"], reading.context.previous or {})
    if things is None:
        return reading, query
    limits = things.node().filters
    kept = {key: value for key, value in query.items() if key != "among"}
    query = {**kept, "filters": [*(query.get("filters") or ()), *(as_filter(f) for f in limits)]}
    return replace(reading, pointed=(*reading.pointed, *limits)), query


def _of_its_own(query: Plain, previous: Plain) -> Plain:
    """The request without the limits that it only has from the turn before."""
    held = previous.get("filters") or ()
    return {**query, "filters": [f for f in query.get("filters") or () if f not in held]}


def _limited(query: Plain, previous: Plain, things: Things | None) -> Plain:
    """The request limited to the things by key; those that were only counted, or are too many, by what chose them."""
    if things is None:
        return {**query, "filters": [], "among": chosen_by(previous)}
    return {**query, "filters": [as_filter(f) for f in things.node().filters]}


def _asks_figure_alone(found: Composed) -> bool:
    """Tell whether a figure is named, and no thing, value, ranking or limit beside it."""
    said = [node for p in found.path for node in p.nodes[:1]]
    plain = all(
        not (node.dim or node.filters or node.groups or node.rank or node.having or node.existing)
        and not str(node.per).startswith("dim:")
        for node in said
    )
    return plain and ellipsis.names_figure(found.path) and not found.unread


def _dated(found: Composed) -> bool:
    return any(node.cat == "P" and node.period for p in found.path for node in p.nodes)


def _can_be_of(query: Plain, previous: Plain, kind: str, terms: Terms) -> bool:
    """Tell whether the figure is another one, can be split by the things, and says of no others that it is theirs."""
    sides = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    figures = [str(m) for m in (*(query.get("metrics") or ()), *(s.get("metric") for s in sides)) if m]
    groups = {*(query.get("dimensions") or ())} - {kind} - TIMES
    other = figures != [str(m) for m in previous.get("metrics") or ()] or bool(query.get("comparison"))
    own = groups or any(query.get(key) for key in _OWN) or any(side.get("filters") for side in sides)
    known = bool(figures) and all(name in terms.metrics for name in figures)
    known = known and terms.counted_by(kind) not in figures  # each of them is one
    return other and known and not own and all(terms.splits(name, kind) for name in figures)
