"""Everything that the analyzer is given beside the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from metaagent.errors import Text
from metaagent.level1.query_analyzer.domain import Domain, Lexicon, SemanticVocabulary
from metaagent.level1.query_analyzer.feasibility import Coverage
from metaagent.values import iso

Plain = dict[str, Any]


@dataclass(frozen=True)
class AnalysisContext:
    now: datetime
    domain: Domain
    timezone: str = "Asia/Seoul"
    user: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lexicon: Lexicon = field(default_factory=Lexicon)
    vocabulary: SemanticVocabulary = field(default_factory=SemanticVocabulary)
    capabilities: Sequence[Mapping[str, Any]] = ()
    """The offers of installed agents: name, agent, words {ko, en}, intents, requires, typical_seconds."""
    out_of_reach: frozenset[str] = frozenset()
    """Capabilities that are installed, but whose data is not there: asked for by name, they say so; they are not offered."""
    previous: Mapping[str, Any] | None = None
    answers: Sequence[Mapping[str, Any]] = ()
    artifacts: Sequence[Mapping[str, Any]] = ()
    parts: frozenset[str] = frozenset()
    """Names of the parts that things have which can be changed: the fields of forms."""
    coverage: Coverage = None
    hidden: Sequence[str] = ()
    """Names of columns that are shown to nobody."""
    absent: Text | None = None
    """The reason why there is no data at all."""
    memories: Sequence[Any] = ()
    language: str | None = None
    """The language of the turn; None: that of the question."""
    proposed: Mapping[str, Any] | None = None
    """The suggestion of a chat model; used as far as it holds."""

    @property
    def today(self) -> date:
        """The asker's day: the clock in the asker's time zone; UTC where that zone is unknown."""
        try:
            zone = ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return self.now.astimezone(UTC).date()
        return self.now.astimezone(zone).date()

    @property
    def timestamp(self) -> str:
        return iso(self.now)

    @property
    def answered(self) -> dict[str, str]:
        """The newest answer for each field that was asked about."""
        return {str(item.get("field")): str(item.get("answer", "")) for item in self.answers}
