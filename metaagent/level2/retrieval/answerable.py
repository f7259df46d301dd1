"""Says whether a passage answers: it is about the thing that is asked about, and states the measure that is asked for. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from metaagent.knowledge.ranking import ENOUGH, share, word_weights
from metaagent.level2.retrieval.fact_kinds import states
from metaagent.level2.retrieval.queries import Asking

if TYPE_CHECKING:
    from metaagent.level2.retrieval.passages import Passage

MOST_RIVALS = 8
"""Passages that are looked at for an answer, the best first."""
MORE = 0.6
"""The relevance below which a passage is no answer in a language whose verbs and nouns are not told apart, where no passage
has one of the words."""
MOST_OF = 0.6
"""The part of the best sentence's share of the question from which another sentence speaks of the same."""
HAD = 0.5
"""The part of a word from which a passage has it."""


def answers_first(passages: Sequence[Passage], asking: Asking) -> list[Passage]:
    """Put the best passage that is an answer first; nothing where none is. An answer is about the most specific thing that is
    asked about, and states a measure where one is asked for: what has only the words round it answers another question."""
    weights = word_weights([passage.had for passage in passages], words=asking.words)
    most = max(_things(asking), key=lambda at: weights[at], default=None)
    needed = {*asking.heads, *(() if most is None else (most,))}
    least = MORE if asking.language != "ko" and _lacks_a_word(passages, asking) else ENOUGH
    for passage in passages[:MOST_RIVALS]:
        about = all(passage.had[at] >= HAD for at in needed)
        if passage.relevance >= least and about and _states(passage, asking, weights):
            return [passage, *(each for each in passages if each is not passage)]
    return []


def _lacks_a_word(passages: Sequence[Passage], asking: Asking) -> bool:
    """Say whether no passage has anything of a word that may name the thing: how many days may I work from home?"""
    columns = zip(*(passage.had for passage in passages), strict=True)
    return any(not any(column) and not word.asks for word, column in zip(asking.words, columns, strict=False))


def _things(asking: Asking) -> list[int]:
    """List the places of the words that name a thing. No English verb is told from a noun, and a Korean noun of one syllable
    is mostly a piece of another word."""
    if asking.language != "ko":
        return []
    words = enumerate(asking.words)
    return [
        at
        for at, word in words
        if not word.acts and not word.asks and len(word.terms[-1]) > 1 and " " not in word.terms[-1]
    ]


def _states(passage: Passage, asking: Asking, weights: Sequence[float]) -> bool:
    """Say whether a sentence that has most of what the passage has of the question states the measure that is asked for."""
    shares = [share(weights, each.had) for each in passage.sentences]
    least = MOST_OF * max(shares, default=0.0)
    told = zip(passage.sentences, shares, strict=True)
    return any(share >= least and states(each.sentence.shown, asking.text) for each, share in told)
