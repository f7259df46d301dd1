"""The acts of a sentence that nothing accounts for: by which something may be given to somebody of the other side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from metaagent.level2.compliance.text.acts import Act, Word
from metaagent.level2.compliance.text.english_acts import english_acts, only_samples_before
from metaagent.level2.compliance.text.events import CALLED_OFF, not_paid_by_us
from metaagent.level2.compliance.text.harmless import (
    ACCEPTS_KO,
    ACTS_KO,
    AS_A_SPEAKER,
    ASKS_IN_KO,
    BOOKS_KO,
    BY_TRANSFER,
    COULD_KO,
    FOR_USE_KO,
    FOUND_SO_KO,
    GETS_BACK_KO,
    GIVES_BACK_KO,
    HANDS_OVER_KO,
    LEISURE_KO,
    MATTERS_KO,
    MEDICINE_KO,
    MONEY_KO,
    MOVES_KO,
    PACKED_KO,
    PAYS_EN,
    PAYS_KO,
    POLITE_KO,
    RESEARCH_KO,
    SAMPLE_EN,
    SAMPLE_KO,
    SPEAKS_KO,
    TAKES_KO,
    TELLS_OF_KO,
    THINGS_KO,
    WEAK_KO,
    WITHIN_US,
)
from metaagent.level2.compliance.text.mentioned_benefits import INTENDED_KO
from metaagent.level2.compliance.text.mentions import said_of_verb
from metaagent.level2.compliance.text.parties import (
    INSIDERS,
    INSURED_KO,
    OUTSIDE,
    OWED,
    THEM,
    TO_THEIR_PLACE,
    TO_THEM,
    research_contract,
    their_leisure,
)
from metaagent.level2.compliance.text.prices import prices_in
from metaagent.level2.compliance.text.sentence_facts import (
    ADVERT,
    LONGEST_TITLE,
    PAPER_OF_A_PAYMENT,
    THEIR_ADVERT,
    SentenceFacts,
    Span,
)
from metaagent.level2.compliance.text.vocabulary import (
    AMONG_US,
    BENEFIT,
    COLLEAGUES,
    OURSELVES,
    OWN_POCKET,
    PERSON,
    THEIR_TREAT,
)

_TO_A_SOCIETY = re.compile(r"(?:학회|협회|사무국|주최\s?측)(?:\s?(?:계좌|측))?(?:에|으로|로)(?=\s)")
_TO_A_SOCIETY_EN = re.compile(
    r"\bto the (?:\w+ )?(?:society|association|organi[sz]ers?|congress|foundation)\b", re.IGNORECASE
)
_UNDER_RULES_EN = re.compile(r"\b(?:association|code|approv\w+|contract|declared)\b", re.IGNORECASE)
_UNDER_RULES = re.compile(r"협회|공정경쟁규약|승인|심사|심의|계약")
"""A society is paid, in a paragraph that tells of an approval or a contract."""
_OUR_HOME = re.compile(r"(?<![가-힣])(?:우리|저희|제)\s?집(?=[\s에의])")
_PIECES_KO = re.compile(r"(?:하나|(?<![가-힣])한\s?[가-힣]{1,3}|1\s?[가-힣]{1,3})씩")
"""A thing that was just priced, counted in pieces: 선생님들께 한 자루씩."""
_TO_OWN_ACCOUNT = re.compile(
    r"(?:paid|transferr?ed|wired|sent|settled)(?: \w+){0,2} (?:in)?to (?:his|her|their|the speaker's|"
    r"the lecturer's) own (?:bank )?account",
    re.IGNORECASE,
)
"""The way in which a fee is paid that the sentence or the one before it tells."""
_BY_CARD_EN = re.compile(
    r"(?:paid|settled|charged)(?: for)? (?:it )?(?:(?:with|by|on|to) (?:my|our|the|a) (?:\w+ )?card\b|"
    r"(?:in (?:dollars|euros|won|yen|USD|EUR)|by (?:card|transfer|bank transfer)|at once|in full)(?=[.,;]|$))",
    re.IGNORECASE,
)
"""The way in which something was paid that the sentence before it told."""
_NOT_TAKEN = re.compile(r"받지\s?(?:않|못)|받을\s?수\s?(?:는\s)?없|사양|거절|고사")
"""Something that the other side offered was not taken: it is given back."""
_TAX_OF_A_FEE_KO = re.compile(r"세금|원천(?:\s?(?:징수|세)(?:액)?)?|소득세|지급\s?조서|신고")
_TAX_OF_A_FEE_EN = re.compile(
    r"\b(?:withholding |income )?tax(?:es)?(?: \w+)? (?:was |were |is |are |has been |have been )?$",
    re.IGNORECASE,
)
"""The tax that is held back of a fee and paid to the authorities, which gives nobody anything beside the fee."""
_WHOSE = re.compile(
    rf"(?:{PERSON.pattern})\S{{0,3}}\s(?:댁\s)?$|(?:\b(?:his|her|their)|'s) (?:\w+ )?$", re.IGNORECASE
)
_FILLS_KO = re.compile(
    r"(?:\d+\s?(?:번|회|건|차례|곳)|횟수|목표|할당|실적|건수|정원)\S{0,2}\s?(?:다|모두|전부|이미)?\s?채[우웠워움]"
)
"""A number that is made full: nobody is given anything."""
_HAD_A_MEAL = re.compile(r"(?:had|have|ate)\b", re.IGNORECASE)
_WITHOUT_KO = re.compile(r"\s?(?:한\s?\S{1,2}\s|하나\s|전혀\s|일절\s|따로\s)?없이(?![가-힣])")
"""A thing that something was done without."""


class Acts(SentenceFacts):
    """The acts of one sentence by which somebody of the other side may have something."""

    @cached_property
    def _each_paid(self) -> bool:
        return not_paid_by_us(f"{self._sentence.text} {self._sentence.following}")

    def _harmless(self, act: Act) -> bool:
        """Ordinary work, or something that the other side does and has nothing from: what it could do is not done."""
        if act.theirs:
            after = self._sentence.text[act.end :]
            return (
                act.stem not in TAKES_KO
                or COULD_KO.match(after) is not None
                or TELLS_OF_KO.match(after) is not None
            )
        if act.favours:
            return act.stem in SPEAKS_KO
        if self._moves_to_them(act):
            return False
        return act.stem in ACTS_KO and act.stem not in HANDS_OVER_KO

    def _moves_to_them(self, act: Act) -> bool:
        """Say whether a thing is said to go to somebody of the other side: 화분은 원장님께 갔다."""
        moves = act.stem in MOVES_KO and bool(act.things) and not act.inherited
        text = self._sentence.text
        return moves and any(to.search(text, act.start, act.end) for to in (TO_THEM, TO_THEIR_PLACE))

    def unread_korean(self) -> Iterator[Span]:
        if not self._may_reach_them():
            return
        for act in self._acts:
            if (
                self._harmless(act)
                or self._dismissed(act)
                or self._speaks_of_a_fact(act)
                or self._leisure(act)
                or self._advertises(act)
            ):
                continue
            ours = OURSELVES.search(self._sentence.text, act.start, act.end) is not None
            strange = [
                one
                for one in act.things
                if not self._known(one)
                and not _WITHOUT_KO.match(self._sentence.text, one.end)
                and (ours or not self._only_mentioned(one))
            ]
            if not self._reaches_them(act):
                continue
            if strange or not (act.things or self._weak(act)):
                yield min([act.first, *(one.start for one in strange)]), act.end

    def _leisure(self, act: Act) -> bool:
        return act.theirs and act.stem in LEISURE_KO and their_leisure(self._sentence.text)

    def _advertises(self, act: Act) -> bool:
        """Say whether an act places our own advertisement, for nobody of the other side."""
        adverts = bool(act.things) and all(ADVERT.search(one.noun) for one in act.things)
        return adverts and not act.favours and not THEIR_ADVERT.search(self._sentence.text)

    def _weak(self, act: Act) -> bool:
        """Say whether a predicate that names no thing is done for nobody either."""
        return act.stem in WEAK_KO and not act.favours and not THEM.search(self._sentence.text)

    def _may_reach_them(self) -> bool:
        """Say whether any act of the sentence may: without a word of the other side or of politeness none does, and no act has to
        be found."""
        text = self._sentence.text
        if OUTSIDE.search(text) or POLITE_KO.search(text) or THEM.search(self._sentence.before):
            return True
        return bool(self._mentions)

    def _reaches_them(self, act: Act) -> bool:
        """Say whether somebody of the other side may have something from an act: it is done for them, by them or to them, or it
        hands over and its sentence names them. Other acts give nobody anything, whatever their verb."""
        text = self._sentence.text
        if act.favours or act.theirs or self._moves_to_them(act):
            return True
        if TO_THEM.search(text, act.start, act.end) and act.stem not in ACTS_KO:
            return True
        if act.stem not in HANDS_OVER_KO:
            return False
        if act.stem in PAYS_KO and not act.things:
            return bool(self._mentions or OUTSIDE.search(text))
        pays = act.stem in PAYS_KO and bool(self._mentions)
        return pays or bool(OUTSIDE.search(text) or THEM.search(self._sentence.before))

    def _speaks_of_a_fact(self, act: Act) -> bool:
        """Say whether an act without an object of its own is done with what was judged; payments name theirs before."""
        pays = act.stem in PAYS_KO
        if not (act.inherited or not act.things or pays):
            return False
        own = [one for one in act.things if not act.inherited and not self._known(one)]
        text = self._sentence.text
        own_sum = any(not self._covered(one.start, one.end) for one in prices_in(text))
        told = self._covered(act.start, act.end) or (pays and self._near and not own_sum)
        told = told or (
            self._near and "gift" in self._kinds and bool(_PIECES_KO.search(text, act.start, act.end))
        )
        return told and all(MONEY_KO.search(one.noun) for one in own)

    def _dismissed(self, act: Act) -> bool:
        text = self._sentence.text
        if self._settles or self._came_to_nothing(act) or self._owed_for_goods(act):
            return True
        own = COLLEAGUES.search(text[: act.first]) and not PERSON.search(text)
        if own or AMONG_US.search(text) or OWN_POCKET.search(text, act.start, act.end):
            return True
        if self._ours or (self._business and not act.favours) or self._within_us(act):
            return True
        if self._sentence.alone and (act.stem in PAYS_KO or act.stem in TAKES_KO) and not act.favours:
            return True
        if act.stem in TAKES_KO and THEIR_TREAT.search(text, 0, act.first):
            return True
        if any(m.start() < act.end and act.first < m.end() for m in THEIR_TREAT.finditer(text)):
            return True
        if act.stem in ASKS_IN_KO and AS_A_SPEAKER.search(text, act.start, act.first):
            return True
        if act.stem == "돌리" and act.favours and self._came_from_them:
            return True
        if (
            act.stem in GIVES_BACK_KO
            or act.stem in GETS_BACK_KO
            or (act.theirs and act.favours and act.stem not in ACCEPTS_KO)
        ):
            return True
        return said_of_verb(self._sentence, act.first, act.named) in ("denied", "open")

    @cached_property
    def _came_from_them(self) -> bool:
        """The sentence or the one before tells of something that the other side gave us, or that we did not take."""
        told = f"{self._sentence.before} {self._sentence.text}"
        return _NOT_TAKEN.search(told) is not None or THEIR_TREAT.search(self._sentence.before) is not None

    def _came_to_nothing(self, act: Act) -> bool:
        """Say whether an act is only proposed, was called off, or nobody of ours did it: somebody came upon what was done."""
        text = self._sentence.text
        if text[: act.end].endswith("자고") or (act.stem in BOOKS_KO and CALLED_OFF.search(text, act.end)):
            return True
        if INTENDED_KO.match(text, act.named) or INTENDED_KO.search(text, act.first, act.end + LONGEST_TITLE):
            return True
        if not act.favours and (_FILLS_KO.search(text, act.start, act.end) or not_paid_by_us(text)):
            return True
        return FOUND_SO_KO.search(text, act.first, act.end) is not None and not OURSELVES.search(text)

    def _owed_for_goods(self, act: Act) -> bool:
        """Say whether a payment is an insurer's, a customer's for what it bought, or one of a study under contract."""
        text = self._sentence.text
        if INSURED_KO.search(text, act.start, act.end):
            return True
        if _TO_A_SOCIETY.search(text, act.start, act.first) and _UNDER_RULES.search(self._block):
            return not act.favours and not PERSON.search(text, act.start, act.end)
        customers = OWED.search(text) is not None and not PERSON.search(text)
        return act.stem in PAYS_KO and (customers or research_contract(self._block))

    def _within_us(self, act: Act) -> bool:
        """Say whether somebody of the company, an authority or a wholesaler is the one who gets it, and nobody else is named."""
        text = self._sentence.text
        if _OUR_HOME.search(text) and not THEM.search(text):
            return True
        if not act.favours and WITHIN_US.search(text, act.start, act.first):
            return True
        return bool(INSIDERS.search(text, act.start, act.first)) and not OUTSIDE.search(
            text, act.start, act.end
        )

    def _known(self, word: Word) -> bool:
        if word.noun in SPEAKS_KO or FOR_USE_KO.search(self._sentence.text, 0, word.start + 1):
            return True
        if any(
            one.kind == "sample" and one.start < word.end and word.start < one.end for one in self._mentions
        ):
            return True
        medicine = MEDICINE_KO.search(word.noun) is not None and BENEFIT.search(word.noun) is None
        if (word.noun in PACKED_KO or medicine) and SAMPLE_KO.search(self._block):
            return True
        if MATTERS_KO.match(self._sentence.text, word.end) and word.noun in ACTS_KO:
            return True
        if word.noun in RESEARCH_KO and research_contract(self._block):
            return True
        if self._owed and PAPER_OF_A_PAYMENT.fullmatch(word.noun):
            return True
        if _TAX_OF_A_FEE_KO.fullmatch(word.noun) and self._of_a_fee(word.start):
            return True
        return THINGS_KO.search(word.noun) is not None or self._covered(word.start, word.end)

    def _of_a_fee(self, at: int) -> bool:
        """Say whether a tax is that of a fee which was told: one that is named as somebody's own is a favour."""
        fees = "lecture_fee" in self._kinds or any(one.kind == "lecture_fee" for one in self._mentions)
        return fees and not _WHOSE.search(self._sentence.text, 0, at)

    def _only_mentioned(self, word: Word) -> bool:
        """Say whether a noun is a benefit that the sentence denies or only speaks of."""
        return any(
            one.start < word.end and word.start < one.end and one.said in ("open", "denied")
            for one in self._mentions
        )

    def _gets(self, start: int) -> bool:
        return self._sentence.text[start:].lower().startswith("receiv")

    def _pays_what_was_told(self, start: int, end: int) -> bool:
        """Say whether an act pays for goods, or says how something was paid that the text judges elsewhere."""
        text = self._sentence.text
        if self._owed and (PAYS_EN.match(text, start) or self._gets(start)):
            return True
        if self._each_paid and _HAD_A_MEAL.match(text, start) and self._covered(start, end):
            return True
        if self._near and BY_TRANSFER.search(text, 0, start):
            return True
        tax = _TAX_OF_A_FEE_EN.search(text, 0, start)
        if tax is not None and self._of_a_fee(tax.start()):
            return True
        if _TO_A_SOCIETY_EN.search(text, start, end) and _UNDER_RULES_EN.search(self._block):
            return not PERSON.search(text, start, end)
        if (self._near or self._kinds) and _BY_CARD_EN.match(text, start):
            return True
        return bool(self._near or self._facts) and _TO_OWN_ACCOUNT.match(text, start) is not None

    def unread_english(self) -> Iterator[Span]:
        if self._ours or (self._business and not THEM.search(self._sentence.text)):
            return
        for start, named, end in english_acts(self._sentence.text, self._facts):
            if self._pays_what_was_told(start, end):
                continue
            others = any(one.kind != "sample" for one in self._mentions)
            if not others and only_samples_before(self._sentence.text, start):
                continue
            told = f"{self._sentence.before} {self._sentence.text}"
            if self._gets(start) and SAMPLE_EN.search(told) and not others:
                continue
            if said_of_verb(self._sentence, start, named) not in ("denied", "open"):
                yield start, end
