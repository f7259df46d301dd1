"""A sentence of a text with what was judged of it: what the accounting for its nouns, sums and acts begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cached_property

from metaagent.level2.compliance.text.acts import Act, acts_of
from metaagent.level2.compliance.text.harmless import HANDS_OVER_KO, SETTLES_KO
from metaagent.level2.compliance.text.mentions import Mention, mentions_in
from metaagent.level2.compliance.text.parties import OWED
from metaagent.level2.compliance.text.prices import prices_in
from metaagent.level2.compliance.text.vocabulary import PERSON
from metaagent.level2.compliance.text.wording import Sentence

Span = tuple[int, int]
PAPER_OF_A_PAYMENT = re.compile(r"영수증|입금표|입금증|수령증|확인증|거래\s?명세")
"""Papers that a customer gets for what it paid."""
THEIR_ADVERT = re.compile(r"(?:병원|의원|원장|교수|과장|선생|약국|개원)\S{0,4}\s(?:\S+\s)?(?:\S*광고)")
ADVERT = re.compile(r"(?:광고|광고[비료]|부스[비료]?|전시[비료])$")
LONGEST_TITLE = 40


class SentenceFacts:
    """One sentence, with the spans of it that facts cover."""

    def __init__(
        self,
        sentence: Sentence,
        facts: Sequence[Span],
        block: str,
        *,
        mentions: Sequence[Mention] | None,
        near: bool,
        kinds: Set[str],
    ) -> None:
        self._sentence = sentence
        self._block = block
        self._near = near
        self._mentions = mentions_in(sentence) if mentions is None else mentions
        self._kinds = kinds
        self._facts = facts
        self._ours = sentence.ours
        self._owed = OWED.search(sentence.text) is not None and not PERSON.search(sentence.text)
        self._business = sentence.ours or sentence.business

    @cached_property
    def _acts(self) -> Sequence[Act]:
        return acts_of(self._sentence.text) if self._sentence.korean else []

    @cached_property
    def _settles(self) -> bool:
        """The sentence tells that expenses are settled, and names nobody, no benefit and no sum."""
        text = self._sentence.text
        settles = SETTLES_KO.search(text) is not None and not self._mentions
        return settles and not PERSON.search(text) and not prices_in(text)

    def _harmful(self, act: Act) -> bool:
        return act.favours or act.stem in HANDS_OVER_KO

    def _covered(self, start: int, end: int) -> bool:
        return any(a < end and start < b for a, b in self._facts)
