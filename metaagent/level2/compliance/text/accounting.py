"""Accounts for what a text says of giving: a pass has to be earned.

Every act by which something may be given, every noun of a benefit, every sum of money in a text about medical staff has to be
covered: by a fact that was judged, by a denial, rule, question or deed of others that was read with its scope, or by words
that are known to give nobody anything. Anything else was not understood, and the text is unknown, not in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from metaagent.level2.compliance.text.accounting_acts import Acts
from metaagent.level2.compliance.text.acts import Act
from metaagent.level2.compliance.text.amount_context import Blocks
from metaagent.level2.compliance.text.amounts import sums
from metaagent.level2.compliance.text.english_acts import act_is_harmless
from metaagent.level2.compliance.text.harmless import (
    ACCEPTS_KO,
    BORNE_EN,
    BORNE_KO,
    COSTS_KO,
    GETS_BACK_KO,
    NO_COSTS_KO,
    OTHER_SIDE,
    PACKED_EN,
    PAYS_WITH,
    REPORTS_KO,
    RESEARCH_KO,
    SIGNS_EN,
    SIGNS_KO,
    TAKES_KO,
    TALKS_KO,
    THINGS_KO,
)
from metaagent.level2.compliance.text.mentions import OURSELVES_GIVE, WE_DID, Mention, said_of
from metaagent.level2.compliance.text.parties import OUTSIDE, among_ourselves, research_contract
from metaagent.level2.compliance.text.prices import (
    explained,
    is_a_summary,
    nobody_treated,
    prices_in,
    under_every_limit,
)
from metaagent.level2.compliance.text.reading import Reading
from metaagent.level2.compliance.text.sentence_facts import (
    ADVERT,
    LONGEST_TITLE,
    PAPER_OF_A_PAYMENT,
    THEIR_ADVERT,
    Span,
)
from metaagent.level2.compliance.text.vocabulary import (
    ASKED,
    BENEFIT,
    GENERIC,
    OWN_POCKET,
    PERSON,
    THEIR_TREAT,
)
from metaagent.level2.compliance.text.wording import Sentences

_PART = re.compile(r"[,;·/]\s?|\sand\s|[과와고며]\s|\s및\s|[이]?랑\s|\splus\s")
_NO_RECEIPT = re.compile(r"no receipt", re.IGNORECASE)
"""Words that hide a payment, where there is one."""
_FOR_NOTHING = re.compile(r"free of charge|for free|at no (?:cost|charge)", re.IGNORECASE)
"""The way in which goods are replaced that were not in order."""
_CONTRACT = re.compile(r"계약|협약|\b(?:contract|agreement)s?$", re.IGNORECASE)
"""The paper of a fee, which is told with its sum elsewhere."""
_OCCASION = re.compile(r"birthday|anniversary|christmas", re.IGNORECASE)
_GAVE_NOTHING = re.compile(
    r"\b(?:gave|brought|sent|took|offered|left|handed) (?:\w+ )?nothing\b|\bnothing was (?:given|sent|brought|offered|paid)\b|"
    r"\b(?:no|without a|without any) (?:gifts?|presents?|flowers)\b",
    re.IGNORECASE,
)
"""A day on which presents are given, and words by which none was."""
_FIRST = re.compile(
    r"(?:이번|올해|금년|해당|당해|당)\s?(?:분기|달|월|해|년|반기)?\S{0,2}\s?(?:들어\s?)?(?:의\s?)?(?:처음|첫|최초|유일|"
    r"한\s?(?:번|차례|건)|1회)|"
    r"^\W*(?:처음|최초로)\s|(?:이것|이게|이거|그것|이|위의?\s?것|여기까지)(?:뿐|가?\s?전부|이\s?전부|\s?외에는?\s?없)|"
    r"\b(?:first|only) (?:\w+ ){0,2}(?:this|of the) (?:month|quarter|year)\b|\b(?:that|this) (?:is|was) (?:all|everything)\b",
    re.IGNORECASE,
)
_OWN_SHARE = re.compile(
    r"(?:제|내|저는|나는|본인)\s?(?:몫|것|거|밥값|식대|점심값|커피값)?(?:[은는이도])?\s?$|"
    r"\b(?:mine|my (?:own|share|part|half|lunch|dinner|meal|coffee))\b[^.;,]{0,12}$",
    re.IGNORECASE,
)
"""The words before a sum that is the writer's own, where each paid for himself."""
NEAR = 3
"""Sentences after a fact in which a payment without an object pays for it."""
MOST_UNREAD = 20
"""Places that are named; a text with more is not read any better."""


@dataclass(frozen=True)
class Unread:
    """Words that may speak of a benefit and were not understood, with their place in the text."""

    start: int
    end: int
    words: str


def unread(sentences: Sentences, reading: Reading) -> list[Unread]:
    """The places that nothing accounts for, in their order."""
    blocks = Blocks(sentences.text)
    found: list[Unread] = []
    kinds = {one.category for one in reading.expenses if one.category is not None and one.amount is not None}
    told = -1
    for number, sentence in enumerate(sentences.all if _concerns(sentences.text) else ()):
        facts = [(a - sentence.start, b - sentence.start) for a, b in reading.within(sentence)]
        told = sentence.start if facts else told
        before = sentences.all[max(0, number - NEAR)]
        near = told >= before.start and blocks.number(told) == blocks.number(sentence.start)
        here = _Here(
            sentence,
            facts,
            blocks.text_at(sentence.start),
            mentions=reading.mentions.get(sentence.start),
            near=near,
            kinds=kinds,
        )
        for start, end in here.unread():
            at = sentence.start
            found.append(Unread(at + start, at + end, sentence.text[start:end].strip()))
        if len(found) >= MOST_UNREAD:
            break
    return found


def _concerns(text: str) -> bool:
    """Say whether the text speaks of people or institutions that may not be favoured, or of a benefit without its name."""
    return any(
        words.search(text) for words in (PERSON, OTHER_SIDE, SIGNS_KO, SIGNS_EN, BORNE_EN, BENEFIT, PAYS_WITH)
    )


class _Here(Acts):
    """The places of one sentence that nothing accounts for: nouns of benefits, sums, acts."""

    @cached_property
    def _received(self) -> bool:
        """The sentence tells what the other side gave us, and nothing that our side gave."""
        text = self._sentence.text
        return THEIR_TREAT.search(text) is not None and OURSELVES_GIVE.search(text) is None

    @cached_property
    def _recaps(self) -> bool:
        """The sentence says of what was just judged that it was the first or the only one, and names nobody and no sum."""
        text = self._sentence.text
        again = self._near and len(text) <= LONGEST_TITLE and _FIRST.search(text) is not None
        return again and not PERSON.search(text) and not prices_in(text)

    def unread(self) -> list[Span]:
        if self._sentence.asks or self._ours or self._recaps:
            return []
        found = [*self._signs(), *self._sums()]
        if self._sentence.korean:
            found += self.unread_korean()
        if self._sentence.english:
            found += self.unread_english()
        return _apart(found)

    def _signs(self) -> Iterator[Span]:
        text = self._sentence.text
        if self._ours or is_a_summary(self._sentence):
            return
        for mention in self._mentions:
            if not self._settled(mention):
                yield from self._noun(mention.start, mention.end)
        if self._business or self._received:
            return
        signs = SIGNS_KO if self._sentence.korean else SIGNS_EN
        for m in signs.finditer(text):
            if not self._idle(m.group()):
                yield from self._noun(m.start(), m.end())
        paid = [] if self._near or OWN_POCKET.search(text) else list(PAYS_WITH.finditer(text))
        heading = paid and self._sentence.korean and not prices_in(text) and not self._acts
        for m in () if heading else paid:
            if not (self._owed and PAPER_OF_A_PAYMENT.fullmatch(m.group())):
                yield from self._noun(m.start(), m.end())
        yield from self._costs(text)

    def _idle(self, sign: str) -> bool:
        """Say whether a sign of a benefit is none here: goods that are owed, a day without a present, a receipt of nothing."""
        if self._owed and _FOR_NOTHING.fullmatch(sign):
            return True
        if _OCCASION.fullmatch(sign) and _GAVE_NOTHING.search(self._block):
            return True
        return not self._kinds and _NO_RECEIPT.match(sign) is not None

    def _costs(self, text: str) -> Iterator[Span]:
        if self._settles:
            return
        for m in (BORNE_KO if self._sentence.korean else BORNE_EN).finditer(text):
            covered = self._covered(*self._part(*m.span()))
            if not covered and said_of(self._sentence, m.start(), m.end()) not in ("denied", "open"):
                yield m.span()
        for m in COSTS_KO.finditer(text) if self._sentence.korean else ():
            research = m["noun"] in RESEARCH_KO and research_contract(self._block)
            own = OWN_POCKET.search(text) and _OWN_SHARE.search(text, 0, m.start("noun"))
            advert = ADVERT.search(m["noun"]) and not THEIR_ADVERT.search(text)
            if own or research or advert or NO_COSTS_KO.search(m["noun"]) or self._reported(m.start("noun")):
                continue
            yield from self._noun(*m.span("noun"))

    def _settled(self, mention: Mention) -> bool:
        """Say whether a benefit is a sample, our own people's, or a title over what was judged: "Promotional items."."""
        if mention.kind == "sample" or (mention.kind == "entertainment" and mention.said == "open"):
            return True
        if mention.kind == "gift" and self._all_cheap:
            return True
        if (
            mention.said in ("denied", "open")
            and said_of(self._sentence, mention.start, mention.end) == "bare"
        ):
            return True
        ours = self._business or (mention.kind == "meal" and self._sentence.alone)
        if ours and mention.said == "denied":
            return True
        paper = mention.kind == "lecture_fee" and _CONTRACT.search(mention.noun)
        title = (
            mention.said == "bare"
            and (paper or GENERIC.match(mention.noun))
            and len(self._sentence.text) <= LONGEST_TITLE
        )
        return (
            bool(title) and mention.kind in self._kinds and not any(self._harmful(act) for act in self._acts)
        )

    @cached_property
    def _all_cheap(self) -> bool:
        """The sums of the sentence are all for one piece, and below every limit."""
        told = sums(self._sentence.text)
        return bool(told) and all(under_every_limit(self._sentence.text, one) for one in told)

    def _noun(self, start: int, end: int) -> Iterator[Span]:
        if self._covered(*self._part(start, end)) or said_of(self._sentence, start, end) in (
            "denied",
            "open",
        ):
            return
        act = self._act_at(start)
        if act is not None and self._only_spoken_of(act):
            return
        if (
            act is None
            and not self._sentence.korean
            and not (ASKED.search(self._sentence.text[:start]) and WE_DID.search(self._sentence.text, end))
            and (
                act_is_harmless(self._sentence.text, start, end, self._facts)
                or (self._owed and PACKED_EN.fullmatch(self._sentence.text, start, end))
            )
        ):
            return
        yield start, end

    def _reported(self, start: int) -> bool:
        """Say whether a cost is only told of: it rose, was planned, approved or compared, and nothing in the sentence is done."""
        act = self._act_at(start)
        if act is not None and act.stem in GETS_BACK_KO:
            return True
        return (
            act is not None and act.stem in REPORTS_KO and not any(self._harmful(one) for one in self._acts)
        )

    def _part(self, start: int, end: int) -> Span:
        """The part of a list that a noun stands in."""
        marks = list(_PART.finditer(self._sentence.text))
        first = max((m.end() for m in marks if m.end() <= start), default=0)
        return first, min((m.start() for m in marks if m.start() >= end), default=len(self._sentence.text))

    def _only_spoken_of(self, act: Act) -> bool:
        if act.theirs:
            return act.stem not in TAKES_KO or (act.favours and act.stem not in ACCEPTS_KO)
        heard = act.stem != "들" or any(THINGS_KO.search(one.noun) for one in act.things)
        return act.stem in TALKS_KO and heard

    def _sums(self) -> Iterator[Span]:
        for one in (
            ()
            if self._business or self._sentence.alone or self._bill_of_ours()
            else prices_in(self._sentence.text)
        ):
            own = OWN_POCKET.search(self._sentence.text) and _OWN_SHARE.search(
                self._sentence.text, 0, one.start
            )
            if own or nobody_treated(self._sentence.text) or self._covered(one.start, one.end):
                continue
            if not explained(self._sentence, one, self._block):
                act = self._act_at(one.start)
                if act is None or act.stem == "하" or not self._only_spoken_of(act):
                    yield one.start, one.end

    def _bill_of_ours(self) -> bool:
        """Say whether a bare sum stands after a sentence about our own people."""
        text = self._sentence.text
        bare = len(text) <= LONGEST_TITLE and not OUTSIDE.search(text) and not self._mentions
        return bare and among_ourselves(self._sentence.before, f"{text}{self._sentence.following}")

    def _act_at(self, position: int) -> Act | None:
        return next((act for act in self._acts if act.start <= position < act.end), None)


def _apart(found: Sequence[Span]) -> list[Span]:
    """Spans that overlap are one."""
    made: list[Span] = []
    for start, end in sorted(found):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made
