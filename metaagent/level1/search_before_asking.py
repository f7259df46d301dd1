"""A last look into the documents before a question that nobody understood is asked back, or figures are made up for one that
names none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metaagent.errors import AgentSignal, MetaAgentError
from metaagent.knowledge.chunks import searched_text
from metaagent.knowledge.ranking import relevances
from metaagent.knowledge.terms import analyser_of, terms
from metaagent.level1.turn_context import TurnContext
from metaagent.level2.retrieval.queries import asking_of
from metaagent.ports import AnalysisInput, Library

SURE, LIKELY = 0.8, 0.65
"""The relevance from which a passage is taken for what a question means: of one that nobody understood, by its own words, or
by other words for several of them; of one that the data cannot answer, by other words too."""
FEWEST_WORDS, SEVERAL = 2, 3
LOOKED_AT = 20
GUESS = 0.3
"""The confidence of a reading below which it is a guess where so many words are unknown."""
MOST_UNREAD = 3
_GUESSED = frozenset({"name_typo", "name_sound"})
LONGEST = 400
"""Characters of a question that is looked for; longer ones have words for everything."""
_SEARCH = "information_retrieval"
_MEANT = {"field": "intent", "answer": "search"}
_DATA = frozenset({"lookup", "rank", "trend", "compare", "explain", "analysis"})
_FIGURES = frozenset({"metric", "ambiguous_metric", "period"})


def is_unclear(analysis: Mapping[str, Any]) -> bool:
    """Say whether nothing was made of the question but to ask what to do."""
    asked = [each.get("field") for each in analysis.get("ambiguities") or ()]
    return not analysis.get("parsed_intents") and asked[:1] == ["intent"]


def is_doubtful(analysis: Mapping[str, Any]) -> bool:
    """Say whether a question was read as one for figures that names none, with words that the data does not have."""
    intents = {str(each["intent"]) for each in analysis.get("parsed_intents") or ()}
    entities = [
        each for each in analysis.get("extracted_entities") or () if each.get("method") not in _GUESSED
    ]
    if not intents or not intents <= _DATA:
        return False
    if any(each.get("type") in _FIGURES for each in entities):
        return is_guess(analysis)
    missing = (analysis.get("feasibility_check") or {}).get("data_available") is False
    return _unread(analysis) >= (1 if missing else FEWEST_WORDS)


def is_guess(analysis: Mapping[str, Any]) -> bool:
    """Say whether hardly anything of a question for figures was read: most words are unknown and no period is named."""
    entities = analysis.get("extracted_entities") or ()
    timed = any(each.get("type") == "period" for each in entities)
    sure = float((analysis.get("reading") or {}).get("confidence") or 0.0)
    return not timed and sure < GUESS and _unread(analysis) >= MOST_UNREAD


def _unread(analysis: Mapping[str, Any]) -> int:
    """Count the words of this question that were not read; those of the one that it goes on with are said, and no more."""
    question = str(analysis.get("raw_query"))
    return sum(str(word) in question for word in analysis.get("unread") or ())


async def read_again(
    question: str, read: Mapping[str, Any], given: AnalysisInput, context: TurnContext
) -> Mapping[str, Any]:
    """Read the question as a search where documents have it and nothing else was made of it; else leave it as it is."""
    unclear = is_unclear(read)
    if given.answers or len(question) > LONGEST or not (unclear or is_doubtful(read)):
        return read
    library = _library(context)
    if library is None:
        return read
    meant = await context.reasoner.analyze(question, replace(given, answers=(_MEANT,)))
    language = str(meant.get("language"))
    try:
        if unclear and await _relevance(question, {}, language, library) >= SURE:
            return meant
        found = await _relevance(question, meant, language, library, SEVERAL if unclear else FEWEST_WORDS)
    except (MetaAgentError, AgentSignal):
        return read  # it is asked back, or answered from the data
    if found >= (SURE if unclear else LIKELY):
        return meant
    # Figures for a question of which hardly a word was read are made up; the search says that nothing answers it.
    missing = (read.get("feasibility_check") or {}).get("data_available") is False
    return meant if not unclear and (missing or is_guess(read)) else read


def _library(context: TurnContext) -> Library | None:
    specs = (spec for spec in context.registry.enabled() if _SEARCH in {c.name for c in spec.capabilities})
    spec = next(specs, None)
    if spec is None:
        return None
    ports = context.ports_for(replace(spec, needs=frozenset({"library"})), "analysis", ()).ports
    return ports.get("library")


async def _relevance(
    question: str, analysis: Mapping[str, Any], language: str, library: Library, fewest: int = FEWEST_WORDS
) -> float:
    """The relevance of the passage that has most of the question; 0 for a question of fewer words."""
    largest = max(await library.collections(), key=lambda each: int(each["chunks"]), default={})
    analyser = analyser_of(str(largest.get("tokenizer", "")))
    asking = asking_of(question, {"search": analysis.get("search") or {}}, language, analyser)
    if len(asking.words) < fewest:
        return 0.0
    matches = await library.lexical(asking.expanded, limit=LOOKED_AT)
    chunks = await library.chunks([match.id for match in matches])
    bags = [frozenset(terms(searched_text(chunk), analyser)) for chunk in chunks]
    return max(relevances(asking.words, bags), default=0.0)
