"""A question of two halves, one for the documents and one for the figures: both are read, each by itself. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from metaagent.language.patterns import regex

Plain = dict[str, Any]
MOST_SPLITS = 4
SEARCH, DATA = "information_retrieval", "data_analysis"
_JOIN = regex(
    r"(?<=[가-힣])(?:와|과|하고|이랑|랑)\s|\s(?:및|그리고)\s|,\s|\s(?:and|as well as)\s",
)


def both_halves(question: str, whole: Plain, read: Callable[[str], Plain]) -> Plain:
    """The reading of the whole; where it is for documents or figures alone and the halves are for one each, that of both."""
    types = {entity["type"] for entity in whole["extracted_entities"]}
    if whole["required_capabilities"] not in ([SEARCH], [DATA]) or not {"metric", "period"} <= types:
        return whole
    for one, other in _halves(question):
        readings = [read(one), read(other)]
        # A search that no word asks for is only one where the whole was.
        sure = whole["required_capabilities"] == [SEARCH]
        search = next((r for r in readings if _is_for(SEARCH, r) and (sure or _is_worded(r))), None)
        data = next((r for r in readings if _is_for(DATA, r) and _names_figure(r)), None)
        if search is not None and data is not None:
            asked = one if search is readings[0] else other
            return _joined(question, " ".join(asked.split()), search, data)
    return whole


def _halves(question: str) -> Iterator[tuple[str, str]]:
    """Both halves at each place where two are joined, with blanks for the other, so that every word stays where it is."""
    for _, found in zip(range(MOST_SPLITS), _JOIN.finditer(question), strict=False):
        start, end = found.span()
        yield question[:start] + " " * (len(question) - start), " " * end + question[end:]


def _is_for(capability: str, reading: Mapping[str, Any]) -> bool:
    """Tell whether a half asks for this and nothing else, and can be answered."""
    clear = reading["required_capabilities"] == [capability] and not reading["clarification_needed"]
    return clear and not reading["doubts"] and not reading["follow_up"]


def _names_figure(reading: Mapping[str, Any]) -> bool:
    return any(entity["type"] == "metric" for entity in reading["extracted_entities"])


def _is_worded(reading: Mapping[str, Any]) -> bool:
    return any(intent.get("rule") != "implied" for intent in reading["parsed_intents"])


def _joined(question: str, searched: str, search: Plain, data: Plain) -> Plain:
    return {
        **data,
        "raw_query": question,
        "parsed_intents": [*search["parsed_intents"], *data["parsed_intents"]],
        "required_capabilities": [SEARCH, DATA],
        "suggested_agents": list(dict.fromkeys([*search["suggested_agents"], *data["suggested_agents"]])),
        "explanations": [*search["explanations"], *data["explanations"]],
        "search": {**search["search"], "text": searched},
    }
