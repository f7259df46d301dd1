"""Sets the values, periods or things that the talk has named against each other: which one is more?"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from metaagent.language import calendar
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import NAMED
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed
from metaagent.level1.query_analyzer.grammar import combined_follow_ups
from metaagent.level1.query_analyzer.grammar.combined_follow_ups import MOST, PERIOD, larger
from metaagent.level1.query_analyzer.grammar.meaning import Node, Rank
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.terms import TIMES
from metaagent.level1.query_analyzer.reading import Plain, Reading

FEW = 3
"""So many listed things are set against each other; of more, the best one is asked for in other words."""
_UP_KO = r"(?:많|높|크|큰|컸|컷|커|나은|나아|나았|낫|잘\s?(?:나|팔|했|하|됐|되))"
_DOWN_KO = r"(?:적|낮|작|못\s?(?:나|팔|했|하|됐|되)|안\s?(?:좋|나)|나쁘|나빴|나빠)"
_WHICH_KO = r"(?:어디|누구?|뭐|무엇|무슨|어느|어떤|언제)"
ASKED = regex(
    rf"(?<![가-힣]){_WHICH_KO}(?:\s?[가-힣]+)?\s(?:훨씬\s)?(?:더|덜|가장|제일)\s?(?:많이\s)?[가-힣]+"
    rf"|(?<![가-힣])더\s(?:{_UP_KO}|{_DOWN_KO})[가-힣]*\s(?:쪽|곳|데|사람|팀|지역|병원|제품|달|분기|해|건|것)[가-힣]*\s?(?:{_WHICH_KO}[가-힣]*|\W*\Z)"
    r"|(?<![a-z])(?:which|what|who)(?![a-z])[^.?!]*(?<![a-z])"
    r"(?:more|higher|larger|greater|bigger|better|fewer|less|lower|smaller|worse"
    r"|(?:the )?(?:most|highest|largest|greatest|biggest|best|fewest|least|lowest|smallest|worst))(?: ones?| one)?"
    r"(?: visits| sales| of (?:them|those|these|the two|both))?(?= ?(?:[.?!]|\Z))"
)
"""Asks which of some is more, or less."""
_LESS = regex(
    rf"{_DOWN_KO}|(?<![가-힣])덜(?![가-힣])"
    r"|(?<![a-z])(?:fewe(?:r|st)|less|least|lowe(?:r|st)|smalle(?:r|st)|worse|worst)(?![a-z])"
)
_BEST = regex(r"가장|제일|(?<![a-z])(?:most|[a-z]+est|best|least|worst)(?![a-z])")
"""Asks which of all of them it is, and not which of two."""
_IDLE = frozenset(
    {"COMPARATIVE", "MORE", "SUP", "SUPQ", "ADJ", "R", "T", "LIGHT", "AND", "ALSO", "V", "M", "COUNT", "MUCH", "AMONG"}
)  # fmt: skip
_SPANS = {"month": 31, "quarter": 92, "year": 366, "week": 7, "day": 1}


def more_of_those(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """Ask for each of the two, the one that is wanted first: which one was higher?, 어느 달이 더 적어?"""
    text, said = reading.source.text, [node for p in found.path for node in p.nodes]
    named = [e for e in reading.entities if e.type in (*NAMED, "period", "number", "money", "percent")]
    if not ASKED.search(text) or named or any(node.cat not in _IDLE for node in said):
        return None
    figures = _figures(said, previous, reading)
    if figures is None:
        return None
    kinds = {str(node.dim) for node in said if node.cat == "T" and node.dim}
    made = _of_the_talk(reading.context.previous or {}, kinds, figures, every=bool(_BEST.search(text)))
    if made is None:
        return None
    if made.get("comparison"):
        return {**made, "language": reading.language}, Node("COMPARATIVE"), ["metrics", "period", "filters"]
    descending = not _LESS.search(text)
    order = [{"column": figures[0], "descending": descending}]
    node = Node("COMPARATIVE", rank=Rank(descending=descending, n=0))
    return {**made, "order": order, "language": reading.language}, node, ["metrics", "period", "filters"]


def _figures(said: list[Node], previous: Plain, reading: Reading) -> list[str] | None:
    """The one figure that is spoken of; None where there are several, or another way to tell them apart."""
    terms = terms_of(reading.context.domain, reading.context.vocabulary)
    own = {m for node in said if node.cat in ("M", "V") and "usual" not in node.flags for m in node.metrics}
    before = [str(m) for m in combined_follow_ups.parts_of(previous).get("metrics") or ()]
    figures = [*own] if own else before
    fixed = any(
        previous.get(key) for key in ("derived", "having", "count_groups", "existence", "among", "share")
    )
    if fixed and not combined_follow_ups.parts_of(previous).get("metrics"):
        return None
    known = len(figures) == 1 and figures[0] in terms.metrics
    return figures if known else None


def _of_the_talk(
    turn: Mapping[str, Any], kinds: set[str], figures: list[str], *, every: bool
) -> Plain | None:
    """The request before for each of the alternatives: those of its list, two periods or two values that were asked for one
    after the other."""
    previous: Plain = turn["semantic_request"]
    earlier = turn.get("replaced") or ()
    asked = {kind for kind in kinds if kind in TIMES}
    things, groups = kinds - asked, [str(name) for name in previous.get("dimensions") or ()]
    held = {f["dimension"]: f for f in previous.get("filters") or () if f.get("op") == "in"}
    kept = {k: v for k, v in previous.items() if k not in ("order", "top", "limit", "comparison", "derived")}
    if len(groups) == 1 and kinds <= {*groups} and not every:
        listed = next((one for one in turn.get("shown") or () if one["dimension"] == groups[0]), None)
        few = listed is not None and 1 < len(listed["keys"]) <= FEW
        return {**kept, "metrics": figures} if few else None
    last = earlier[-1] if earlier else None
    if groups or last is None:
        return None
    if last["dimension"] == PERIOD:
        if years := _year_apart(kept, last) if not kinds and not every else None:
            return years
        whole = _both_periods(kept, last) if not things and not every else None
        unit = {str(name) for name in (whole or {}).get("dimensions") or ()}
        return {**whole, "metrics": figures} if whole and (not asked or asked == unit) else None
    own = held.get(last["dimension"])
    if asked or own is None or not things <= {str(last["dimension"])}:
        return None
    before = [one for one in earlier if one["dimension"] == last["dimension"]] if every else [last]
    values = list(dict.fromkeys([*(v for one in before for v in one["values"]), *own["values"]]))
    if not 1 < len(values) <= MOST + 1 or every != (len(values) > 2):
        return None
    both = {**own, "values": values}
    pair = {**kept, "filters": [both if f is own else f for f in previous["filters"]]}
    return larger(pair, figures, descending=True)


def _year_apart(previous: Plain, other: Plain) -> Plain | None:
    """The later of two periods against the same one a year earlier."""
    own = previous.get("period") or {}
    if not own.get("start"):
        return None
    spans = sorted([(str(own["start"]), str(own["end"])), (str(other["values"][0]), str(other["values"][1]))])
    (then, until), (first, last) = (tuple(map(date.fromisoformat, span)) for span in spans)
    if calendar.shift(calendar.Range(first, last), "year") != calendar.Range(then, until):
        return None
    later = {"start": spans[1][0], "end": spans[1][1]}
    return {**previous, "period": later, "comparison": "same_period_last_year"}


def _both_periods(previous: Plain, other: Plain) -> Plain | None:
    """Two units of time that touch, each by itself."""
    own = previous.get("period") or {}
    if not own.get("start"):
        return None
    spans = sorted([(str(own["start"]), str(own["end"])), (str(other["values"][0]), str(other["values"][1]))])
    (first, last), (then, until) = (tuple(map(date.fromisoformat, span)) for span in spans)
    unit = next(
        (name for name in ("day", "week", "month", "quarter", "year") if _is_unit(first, last, name)), None
    )
    if unit is None or not _is_unit(then, date.fromisoformat(spans[1][1]), unit) or (then - last).days != 1:
        return None
    assert until >= then
    return {**previous, "period": {"start": spans[0][0], "end": spans[1][1]}, "dimensions": [unit]}


def _is_unit(first: date, last: date, unit: str) -> bool:
    """Tell whether some days are one unit of time, or its days so far."""
    days = (last - first).days + 1
    if unit == "day":
        return days == 1
    if unit == "week":
        return first.weekday() == 0 and days <= 7
    start = {"month": first.day == 1, "quarter": first.day == 1 and first.month % 3 == 1}
    begins = start.get(unit, first.day == 1 and first.month == 1)
    least = {"month": 1, "quarter": 32, "year": 93}[unit]
    return begins and least <= days <= _SPANS[unit]
