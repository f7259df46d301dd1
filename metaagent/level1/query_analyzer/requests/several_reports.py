"""Several documents with other data each: 서울 매출 보고서랑 부산 매출 보고서. Each is read by itself. Pure.

A half of the question has the words of one document and those that belong to all: the verb, and a period that only one names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from metaagent.language.patterns import regex

Plain = dict[str, Any]
Span = tuple[int, int]
MOST = 4
"""Documents that one question may ask for."""
WRITE, DATA = "document_generation", "data_analysis"
_JOIN = regex(
    r"(?:하나|한\s?부|한\s?건)?(?:이랑|랑|와|과|하고|도)\s|\s(?:및|그리고)\s|,\s?(?:and\s)?|\s(?:and|plus|as well as)\s"
)
_ANOTHER = regex(
    r"\s(?:and|plus|,)\s(?:then\s)?(?:an?other(?:\sone|\sreport)?|a\ssecond(?:\sone)?|one)(?=\s(?:on|for|about|of|with)\s)"
)
_EACH = regex(
    r"각각|따로|하나씩|한\s?부씩|별도로"
    r"|(?<![a-z])(?:one\seach|one\sof\seach|each|separately|separate|respectively|one for each)(?![a-z])"
)
_SOURCE = regex(r"비교|바탕|참고|토대|대조|(?<![a-z])(?:compar|based on|from)")
"""Between two documents of which the first is a source of the second."""
_SENTENCE = regex(r"[.!?]\s|\n")
_APART = regex(r"[,;.\n]\s*|\s?그리고\s|(?:했고|이랑|하고|랑|와|과)\s|\s(?:and|then)\s")
_MORE_LINK = regex(r"\s?(?:이랑|랑|와|과|하고|,|및|그리고)\s?|\s(?:and|&)\s")
_HEAD = regex(
    r"\s*(?:please\s|can you\s|could you\s)?(?:write|make|create|draft|prepare|give|send|i need|i want)(?:\sme)?(?:\sboth)?\s",
    re.IGNORECASE,
)
_SPLIT = frozenset({"location", "product", "organisation", "person"})


def with_own_data(question: str, whole: Plain, read: Callable[[str], Plain]) -> Plain:
    """The reading of the whole; where it asks for several documents of other figures, each with a step of its own for them."""
    if WRITE not in whole["required_capabilities"] or whole["revises"]:
        return whole
    if DATA not in whole["required_capabilities"]:
        return _one_for_each(question, whole)
    halves = _halves(question, whole["extracted_entities"])
    if not 1 < len(halves) <= MOST:
        return whole
    readings = [read(half) for half, _ in halves]
    asked = [each["semantic_request"] for each in readings if DATA in each["required_capabilities"]]
    clear = all(
        WRITE in each["required_capabilities"] and not each["clarification_needed"] for each in readings
    )
    if not clear or not asked or (len(asked) == len(readings) and all(one == asked[0] for one in asked)):
        return whole
    return _joined(question, readings, [span for _, span in halves])


def _one_for_each(question: str, whole: Plain) -> Plain:
    """A form for each of several houses, with the words about it: 11/9 정다운의원 …, 11/10 바른의원 … 각각 방문 보고서."""
    entities = whole["extracted_entities"]
    named = [tuple(e["span"]) for e in entities if e["type"] == "document_type" and e.get("span")]
    houses = sorted(tuple(e["span"]) for e in entities if e["type"] == "organisation" and e.get("span"))
    if len(named) != 1 or not 1 < len(houses) <= MOST or not _EACH.search(question):
        return whole
    cuts = [0]
    for one, other in pairwise(houses):
        found = [match.end() for match in _APART.finditer(question, one[1], other[0])]
        if not found:
            return whole
        cuts.append(found[-1])
    ends = [*cuts[1:], len(question)]
    kind = whole["resolved"].get("document_type")
    parts = [
        {"number": number, "document_type": kind, "span": [start, end]}
        for number, (start, end) in enumerate(zip(cuts, ends, strict=True), 1)
    ]
    return {**whole, "parts": {**whole["parts"], WRITE: parts}}


def _joined(question: str, readings: Sequence[Plain], spans: Sequence[Span]) -> Plain:
    """One reading with a part for each document, and one for the figures of each that has some."""
    first = next(each for each in readings if DATA in each["required_capabilities"])
    documents = [
        {"number": n, "document_type": each["resolved"].get("document_type"), "span": list(span)}
        for n, (each, span) in enumerate(zip(readings, spans, strict=True), 1)
    ]
    figures = [
        {"number": n, "request": {key: each[key] for key in ("semantic_request", "data_title", "resolved")}}
        for n, each in enumerate(readings, 1)
        if DATA in each["required_capabilities"]
    ]
    return {
        **first,
        "raw_query": question,
        "required_capabilities": _each_once(readings, "required_capabilities"),
        "suggested_agents": _each_once(readings, "suggested_agents"),
        "extracted_entities": [entity for each in readings for entity in each["extracted_entities"]],
        "explanations": [text for each in readings for text in each["explanations"]],
        "assumptions": _each_once(readings, "assumptions"),
        "doubts": _each_once(readings, "doubts"),
        "slots": {name: slot for each in readings for name, slot in each["slots"].items()},
        "parts": {WRITE: documents, DATA: figures},
    }


def _each_once(readings: Sequence[Plain], key: str) -> list[Any]:
    return list(dict.fromkeys(item for each in readings for item in each[key]))


def _halves(question: str, entities: Sequence[Mapping[str, Any]]) -> list[tuple[str, Span]]:
    """The words of each document, with blanks for those of the others, and where its own stand."""
    named = sorted(tuple(e["span"]) for e in entities if e["type"] == "document_type" and e.get("span"))
    own = _own_stretches(question, named) if named else []
    if len(own) < 2:
        own = []
        if len(named) <= 1 and _EACH.search(question):
            return _by_value(question, entities)
    periods = [tuple(e["span"]) for e in entities if e["type"] == "period" and e.get("span")]
    common = list(_common(question, named)) if own else []
    made: list[tuple[str, Span]] = []
    for stretches in own:
        kept = [*stretches, *common]
        if not any(_inside(period, kept) for period in periods):
            kept += periods
        made.append((_only(question, kept), stretches[-1]))
    return made


def _own_stretches(question: str, named: Sequence[Span]) -> list[list[Span]]:
    """The stretches of each document: split where one name is joined to the next, or at another one."""
    cuts: list[Span] = []
    for one, other in pairwise(named):
        found = [m.span() for m in _JOIN.finditer(question, one[1], other[0])]
        at = question[one[1] :][:1]
        if not found or _SOURCE.search(question, one[1], other[0]):
            return []
        korean = re.match(r"[가-힣]", at) is not None or _korean(question[slice(*one)])
        cuts.append(found[0] if korean else found[-1])
    another = _ANOTHER.search(question.lower(), named[0][1]) if len(named) == 1 else None
    if another is not None:
        return [[(0, another.start())], [(0, named[0][1]), (another.end(), len(question))]]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(question)]
    return [[(start, end)] for start, end in zip(starts, ends, strict=True)]


def _common(question: str, named: Sequence[Span]) -> Iterator[Span]:
    """The words that are said for all: a Korean verb behind the last name, an English one before the first."""
    if _korean(question[slice(*named[-1])]):
        found = _SENTENCE.search(question, named[-1][1])
        yield named[-1][1], found.start() if found else len(question)
    elif (head := _HEAD.match(question)) is not None:
        yield head.span()


def _by_value(question: str, entities: Sequence[Mapping[str, Any]]) -> list[tuple[str, Span]]:
    """One document for each of several values: 서울이랑 부산 매출 보고서 각각."""
    for kind in sorted(_SPLIT):
        values = sorted(tuple(e["span"]) for e in entities if e["type"] == kind and e.get("span"))
        joined = all(_MORE_LINK.fullmatch(question[one[1] : other[0]]) for one, other in pairwise(values))
        if len(values) > 1 and joined:
            rest = [(0, values[0][0]), (values[-1][1], len(question))]
            said = _only(question, rest)
            return [(said[: one[0]] + question[slice(*one)] + said[one[1] :], one) for one in values]
    return []


def _inside(span: Span, stretches: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in stretches)


def _only(question: str, kept: Sequence[Span]) -> str:
    """The question with blanks outside of these stretches, so that every word stays where it is."""
    each = [match.span() for match in _EACH.finditer(question)]
    return "".join(
        char if _holds(kept, at) and not _holds(each, at) else " " for at, char in enumerate(question)
    )


def _holds(stretches: Sequence[Span], place: int) -> bool:
    return any(start <= place < end for start, end in stretches)


def _korean(text: str) -> bool:
    return re.search(r"[가-힣]", text) is not None
