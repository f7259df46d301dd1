"""Other words for those of a question: what a search of documents may look for as well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from metaagent.knowledge.terms import is_whole, phrase_keys, word_terms
from metaagent.knowledge.terms import key_of as term_of
from metaagent.level1.query_analyzer.domain import Domain, SemanticVocabulary
from metaagent.level1.query_analyzer.words.source import Source, key_of

MOST_GROUPS = 40
LARGEST_GROUP = 40
LONGEST = 4_000
"""Characters of a question whose morphemes are looked at."""


def synonyms(source: Source, domain: Domain, vocabulary: SemanticVocabulary) -> list[list[str]]:
    """List the groups of words with one meaning of which the question has one: the domain's own, its regulations and
    documents, and the labels of the semantic model."""
    compact, _ = source.compact
    found: list[list[str]] = []
    for group in _groups(domain, vocabulary):
        if any(_stands(word, source.text, compact) for word in group) and len(found) < MOST_GROUPS:
            found.append(list(dict.fromkeys(group))[:LARGEST_GROUP])
    return found


def everyday(source: Source, domain: Domain) -> list[list[str]]:
    """List, for each everyday wording in the question, the words of it that stand there and those that documents have."""
    asked, (compact, _) = _asked(source), source.compact
    found: list[list[str]] = []
    for each in domain.everyday:
        said = [
            phrase
            for phrase in each.say
            if (
                _has(asked, _known(phrase))
                if is_whole(phrase, _known(phrase))
                else _stands(phrase, source.text, compact)
            )
        ]
        if said and len(found) < MOST_GROUPS:
            found.append([*said, *each.mean][:LARGEST_GROUP])
    return found


def scene(source: Source, domain: Domain) -> list[str]:
    """List the words of the question that only set its scene."""
    asked = _asked(source)
    return [word for word in domain.scene if _has(asked, _known(word))]


def _asked(source: Source) -> tuple[str, ...]:
    """The words of the question, each as one term: 놓고 내렸어 and 놓고 내리다 are the same."""
    return tuple(term_of(word) for word in word_terms(source.text[:LONGEST]))


@lru_cache(10_000)
def _known(phrase: str) -> tuple[str, ...]:
    """The same for a phrase of the domain, which is asked for again and again."""
    return phrase_keys(phrase)


def _has(words: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return size > 0 and any(words[at : at + size] == phrase for at in range(len(words) - size + 1))


def _groups(domain: Domain, vocabulary: SemanticVocabulary) -> Iterator[tuple[str, ...]]:
    yield from domain.synonyms
    for values in domain.terms.values():
        yield from values.values()
    for kind in domain.document_types.values():
        yield kind.words
    for term in vocabulary.terms:
        if len(term.labels) > 1:
            yield term.labels


def _stands(word: str, text: str, compact: str) -> bool:
    if word.isascii():
        if word.lower() not in text:
            return False
        return re.search(rf"(?<![a-z]){re.escape(word.lower())}(?:s|es|ed|ing)?(?![a-z])", text) is not None
    if len(word) == 1 and word not in text:
        return False
    if len(word) == 1:  # a syllable stands in many words: it must be one, but for its particles
        return (
            re.search(rf"(?<![가-힣]){word}(?![가-힣]{{3}})(?=[은는이가을를도만의로에]|[^가-힣]|$)", text)
            is not None
        )
    return key_of(word) in compact
