"""Assumptions about the figures that nobody has confirmed: the caveats of a drafted model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metaagent.level1.query_analyzer.grammar.reading import Composed
from metaagent.level1.query_analyzer.grammar.terms import TIMES
from metaagent.level1.query_analyzer.reading import Reading
from metaagent.level1.query_analyzer.wording import ASSUMED

PLAIN = frozenset({"rows"})
"""Caveats that tell which rows are in a figure: of 26 answers to new questions that had no other, all were right."""


def said(reading: Reading, found: Composed) -> Reading:
    """The reading with its caveats as assumptions, as far as they matter for the question."""
    query, vocabulary = reading.semantic or {}, reading.context.vocabulary
    parts = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    named = [*(query.get("metrics") or ()), *(part.get("metric") for part in parts)]
    terms = [term for name in named if name and (term := vocabulary.find("metric", str(name)))]
    sides = [side for term in terms for name in term.sides if (side := vocabulary.find("metric", name))]
    limited = {f["dimension"] for one in (query, *parts) for f in one.get("filters") or ()}
    limited |= set(query.get("dimensions") or ())
    matters = {
        "time": _timed(query, limited) and not _names_date(query, found),
        "count": any(node.cat == "TOTAL" for p in found.path for node in p.nodes),
    }
    told = {
        _told(one, reading.language): one["about"] not in PLAIN
        for term in (*terms, *sides)
        for one in term.caveats
        if not limited & set(one["unless"]) and matters.get(one["about"], True)
    }
    return replace(reading, assumptions=(*reading.assumptions, *told), caveats=sum(told.values()))


def _timed(query: Mapping[str, Any], limited: set[str]) -> bool:
    whole = (query.get("period") or {"whole": True}).get("whole")
    return bool(limited & TIMES or query.get("comparison")) or not whole


def _names_date(query: Mapping[str, Any], found: Composed) -> bool:
    """Tell whether the question says which date is meant, be it the usual one: jobs ordered in May."""
    return bool(query.get("dated_by")) or any(p.event and not p.event.startswith("-") for p in found.path)


def _told(caveat: Mapping[str, Any], language: str) -> str:
    text = str(caveat["text"][language])
    return text if caveat["about"] in PLAIN else ASSUMED["unconfirmed"].say(language, what=text)
