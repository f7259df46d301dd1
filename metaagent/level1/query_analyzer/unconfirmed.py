"""Assumptions about the figures that nobody has confirmed: the caveats of a drafted model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Term
from metaagent.level1.query_analyzer.grammar.reading import Composed
from metaagent.level1.query_analyzer.grammar.terms import TIMES
from metaagent.level1.query_analyzer.reading import Reading
from metaagent.level1.query_analyzer.wording import ASSUMED

_BESIDE = regex(r"[;(]")
_TOTAL = regex(r"총|총합|합계|합산|the|total|sum|of")
PLAIN = frozenset({"rows"})
"""Caveats that tell which rows are in a figure: all 26 answers to new questions were right that caveats
alone put in doubt, these among them."""


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
    open_still = {
        str(one["text"][reading.language]): one["about"] not in PLAIN
        and not _calls_it_so(one, term, reading, found)
        for term in (*terms, *sides)
        for one in term.caveats
        if not limited & set(one["unless"]) and matters.get(one["about"], True)
    }
    told = [
        ASSUMED["unconfirmed"].say(reading.language, what=text) if doubted else text
        for text, doubted in open_still.items()
    ]
    return replace(reading, assumptions=(*reading.assumptions, *told), caveats=sum(open_still.values()))


def _timed(query: Mapping[str, Any], limited: set[str]) -> bool:
    whole = (query.get("period") or {"whole": True}).get("whole")
    return bool(limited & TIMES or query.get("comparison")) or not whole


def _names_date(query: Mapping[str, Any], found: Composed) -> bool:
    """Tell whether the question says which date is meant, be it the usual one: jobs ordered in May."""
    return bool(query.get("dated_by")) or any(p.event and not p.event.startswith("-") for p in found.path)


def _calls_it_so(caveat: Mapping[str, Any], term: Term, reading: Reading, found: Composed) -> bool:
    """Tell whether the question names the amount that was taken, as the caveat does, and not what it stands for: 계약금액, not
    매출. What a caveat names beside it, behind a semicolon or in brackets, was not taken."""
    if caveat["about"] != "amount":
        return False
    taken = _BESIDE.split(str(caveat["text"][reading.language]))[0].lower().replace(" ", "")
    text = reading.source.text.lower()
    called = [text[p.start : p.end] for p in found.path if any(term.name in node.metrics for node in p.nodes)]
    words = [[word for word in surface.split() if not _TOTAL.fullmatch(word)] for surface in called]
    return any(one and "".join(one) in taken for one in words)
