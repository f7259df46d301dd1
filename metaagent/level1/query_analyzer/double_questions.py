"""A question of two halves, one for the documents and one for the figures: both are read, each by itself. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.knowledge_questions import asks_for_rule

Plain = dict[str, Any]
MOST_SPLITS = 6
SEARCH, DATA, WRITE = "information_retrieval", "data_analysis", "document_generation"
_JOIN = regex(
    r"(?<=[가-힣])(?:와|과|하고|이랑|랑)\s|(?<=[가-힣]고)\s|\s(?:및|그리고)\s|[,?.]\s|,?\s(?:and|as well as)\s",
)
_NAMED = frozenset({"product", "organisation", "person", "location"})


def both_halves(question: str, whole: Plain, read: Callable[[str], Plain], usual: str | None = None) -> Plain:
    """The reading of the whole; where the halves are one for documents and one for figures, that of both."""
    if not _may_be_two(whole):
        return whole
    # A search that no word asks for is only one where the whole was, or where a half asks for a rule.
    sure = whole["required_capabilities"] == [SEARCH] or WRITE in whole["required_capabilities"]
    named = [entity["span"] for entity in whole["extracted_entities"] if entity["type"] in _NAMED]
    for one, other in _halves(question):
        readings = [read(one), read(other)]
        pairs = zip((one, other), readings, strict=True)
        search = next(
            (
                r
                for half, r in pairs
                if _is_for(SEARCH, r) and (sure or _is_worded(r) or asks_for_rule(half.strip()))
            ),
            None,
        )
        if search is None or (whole["required_capabilities"] == [DATA] and _is_dated(search)):
            continue
        asked, rest = (one, other) if search is readings[0] else (other, one)
        kept = _with_names(question, rest, named)
        data = readings[1 if search is readings[0] else 0] if kept == rest else read(kept)
        if _is_for(DATA, data) and _names_figure(data, usual):
            return _joined(question, " ".join(asked.split()), search, data)
    return whole


def _may_be_two(whole: Plain) -> bool:
    """Say whether a reading leaves room for a second question: a search with a period, figures with words that nobody used,
    a document that a question for a rule may have been taken for, a search for the words of both."""
    needed = whole["required_capabilities"]
    if needed == [SEARCH]:
        return any(entity["type"] == "period" for entity in whole["extracted_entities"])
    if needed == [DATA]:
        return bool(whole["unread"] or whole["doubts"])
    return sorted(needed) in ([DATA, WRITE], [DATA, SEARCH])


def _with_names(question: str, half: str, spans: Sequence[Sequence[int]]) -> str:
    """A half with the names of the other: 인슐비아주 보관 온도가 몇 도고 지난달에 얼마나 팔렸어?"""
    for start, end in spans:
        half = half[:start] + question[start:end] + half[end:]
    return half


def _halves(question: str) -> Iterator[tuple[str, str]]:
    """Both halves at each place where two are joined, with blanks for the other, so that every word stays where it is."""
    for _, found in zip(range(MOST_SPLITS), _JOIN.finditer(question), strict=False):
        start, end = found.span()
        yield question[:start] + " " * (len(question) - start), " " * end + question[end:]


def _is_for(capability: str, reading: Mapping[str, Any]) -> bool:
    """Tell whether a half asks for this and nothing else, and can be answered."""
    clear = reading["required_capabilities"] == [capability] and not reading["clarification_needed"]
    return clear and not reading["doubts"] and not reading["follow_up"]


def _names_figure(reading: Mapping[str, Any], usual: str | None) -> bool:
    """Say whether a half names its figure: the usual one, which is taken where none is named, may not be meant."""
    named = any(entity["type"] == "metric" for entity in reading["extracted_entities"])
    metrics = (reading["semantic_request"] or {}).get("metrics") or []
    return named or bool(metrics and (metrics != [usual] or not reading["assumptions"]))


def _is_dated(reading: Mapping[str, Any]) -> bool:
    """Tell whether a half names a time, which figures have and rules do not: June, | July and August."""
    return any(entity["type"] == "period" for entity in reading["extracted_entities"])


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
