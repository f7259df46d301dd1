"""A question while it is being read: what each step knows and the next one adds to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from metaagent.errors import Text
from metaagent.level1.query_analyzer import request
from metaagent.level1.query_analyzer.context import AnalysisContext
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.grammar.meaning import Restriction
from metaagent.level1.query_analyzer.intents import FoundIntent
from metaagent.level1.query_analyzer.requests.acts import Act
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook
from metaagent.level1.query_analyzer.words.source import Source

Plain = dict[str, Any]
DATA_INTENTS = frozenset({"lookup", "analysis", "compare", "trend", "rank", "explain"})


@dataclass(frozen=True)
class Reading:
    """One question being read; each step returns a fuller one."""

    context: AnalysisContext
    source: Source
    language: str
    book: Phrasebook
    entities: tuple[Entity, ...] = ()
    intents: tuple[FoundIntent, ...] = ()
    request: Plain | None = None
    follows: bool = False
    loosened: bool = False
    """A limit or a split of the turn before was taken away, by words that are read no more."""
    inherited: tuple[str, ...] = ()
    replaced: tuple[Plain, ...] = ()
    """Filters of the turns before in whose place others stand now."""
    earlier: tuple[Plain, ...] = ()
    """Requests of the turns before, oldest first, that a question may go back to."""
    pointed: tuple[Restriction, ...] = ()
    """The things that references of the question mean."""
    taken: tuple[str, ...] = ()
    """The same in words."""
    assumptions: tuple[str, ...] = ()
    caveats: int = 0
    """The number of assumptions that are said as not certain."""
    ambiguities: tuple[Plain, ...] = ()
    slots: Mapping[str, Plain] | None = None
    unread: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    """Words of the turns before that nobody understood, in a question that goes on with them."""
    semantic: Plain | None = None
    """The request of the grammar; None: the form's."""
    doubts: tuple[str, ...] = ()
    """Said before the answer."""
    unknown: tuple[str, ...] = ()
    """Words in the place of a figure that the data does not have."""
    open_reading: Plain | None = None
    """Two readings that are as likely, as a question."""
    revises: str = ""
    """The id of the artifact that is to be changed."""
    acts: tuple[Act, ...] = ()
    """Acts on what was made, ordered by clauses of their own."""
    declined: frozenset[str] = frozenset()
    """Acts that a clause declines; beside them, nothing of an earlier request that has an effect is done again."""
    change: str = ""
    """The request in its own words, without the clauses of these acts; empty where there are none."""
    small_talk: str | None = None
    """greeting, thanks or help: nothing is analysed."""
    disputed: tuple[str, ...] = ()
    """Words that a chat model reads otherwise than the rules."""
    slips: tuple[tuple[str, str], ...] = ()
    """Mistyped words of the language: as typed and as read."""
    confidence: float | None = None
    features: Mapping[str, float] | None = None

    @property
    def only_writes(self) -> bool:
        """A document is asked for and nothing of the data: what the request states are facts of the document."""
        names = {intent.name for intent in self.intents}
        return "document" in names and not names & DATA_INTENTS

    @property
    def resolved(self) -> Plain:
        return self.request if self.request is not None else request.empty()

    def surface(self, entity: Entity) -> str:
        return self.source.surface(entity.start, entity.end)

    def assume(self, said: Text, **params: object) -> Reading:
        return replace(self, assumptions=(*self.assumptions, said.say(self.language, **params)))
