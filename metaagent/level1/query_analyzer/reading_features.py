"""The features of a reading from which the confidence in it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.level1.query_analyzer.asked_form import list_for_number, number_for_list
from metaagent.level1.query_analyzer.grammar.reading import Composed
from metaagent.level1.query_analyzer.reading import Reading

_OPERATORS = ("rows", "among", "having", "existence", "derived", "comparison")


def features(reading: Reading, found: Composed, formed: Reading) -> dict[str, float]:
    """Features of a reading of the grammar; `formed`: what the form makes of the same question."""
    said = [p for p in found.path if p.nodes]
    best, query = found.best, reading.semantic or {}
    text = reading.source.text
    return {
        **_of_both(reading, len(found.unread)),
        "carried": float(bool(reading.carried)),
        "guessed": float(len(found.guesses) + len(reading.slips)),
        "inherited": float(bool(reading.inherited)),
        "unconfirmed": float(reading.caveats),
        "differs": float(_differs(reading, formed)),
        "several": float(len(found.requests) > 1),
        "close": float(bool(found.close)),
        "cost": max(0.0, (best.cost % 100 if best else 2.0) - len(said)),
        "nested": _nested(query),
        "compared": float(bool(query.get("comparison"))),
        "number_for_list": float(number_for_list(text, query)),
        "list_for_number": float(list_for_number(text, query)),
    }


def of_the_form(formed: Reading, unread: int) -> dict[str, float]:
    """Features of a question that only the form reads."""
    return {**_of_both(formed, unread), "form_only": 1.0}


def _of_both(reading: Reading, unread: int) -> dict[str, float]:
    drafted = any(term.caveats for term in reading.context.vocabulary.terms)
    return {"unread": float(unread), "disputed": float(len(reading.disputed)), "drafted": float(drafted)}


def _nested(query: Mapping[str, Any]) -> float:
    """The operators of a request beyond the first: conditions, derived figures, comparisons, a ranking within groups, and
    several groups."""
    within = bool((query.get("top") or {}).get("within"))
    several = len(query.get("dimensions") or ()) > 1
    return float(max(0, sum(bool(query.get(name)) for name in _OPERATORS) + within + several - 1))


def _differs(reading: Reading, formed: Reading) -> bool:
    own, other = reading.resolved, formed.resolved
    same = set(own["metrics"]) == set(other["metrics"]) and set(own["dimensions"]) == set(other["dimensions"])
    mine = {(f["field"], f["op"], str(f.get("values"))) for f in own["filters"] if "values" in f}
    theirs = {(f["field"], f["op"], str(f.get("values"))) for f in other["filters"] if "values" in f}
    return not same or len(mine) != len(theirs)
