"""Reads a text for benefits: who gave, offered or promised whom what, when, for how much, with the place where it says so.

Whatever is said to be given becomes an expense, with the amount unknown where the text does not tell it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import Around
from metaagent.level2.compliance.text.amounts import ENTRY, Sum
from metaagent.level2.compliance.text.circumstances import PRESENTATION, Circumstances
from metaagent.level2.compliance.text.events import (
    ANOTHER,
    CALLED_OFF,
    GAVE_IN,
    PAID_ITSELF,
    PROPOSED,
    REFUSED,
    UNCLEAR,
    WE_GIVE,
    Event,
    Given,
    called_off,
    done_but_planned,
    may_stand_for,
    not_paid_by_us,
    other_company,
    other_people,
    other_sort,
    other_time,
    same_thing,
)
from metaagent.level2.compliance.text.harmless import OTHER_SIDE
from metaagent.level2.compliance.text.mentions import Mention, Said, mentions_in
from metaagent.level2.compliance.text.prices import (
    EACH_AFTER,
    IMPLIED,
    THING,
    SentenceSums,
    is_a_summary,
    is_for_each,
    prices_in,
    sum_of_year,
    with_this_one,
)
from metaagent.level2.compliance.text.totals import MONTH_MEALS, adds_up, own_meals_of_a_month
from metaagent.level2.compliance.text.vocabulary import FAVOURS, GENERIC, GIVES_EN, GIVES_KO, PERSON
from metaagent.level2.compliance.text.wording import Sentence, Sentences

_OWN_MEAL = re.compile(
    r"(?:팀원|사원|부서원|동료|영업팀|영업부|당사\s?직원|우리\s?팀)(?:들)?\s?(?:\d{1,3}\s?명)?(?:이|가|은|끼리)\s[^.\n]{0,60}"
    r"(?:먹[었고음]|마[셨시]|식사했|식사를\s?했|회식)"
)
_BARE_TOTAL = re.compile(
    r"(?<=[.\n] )(?:총|합계|식대는|비용은|금액은)\s?(?P<sum>[\d,만천]{1,12}\s?원)(?:입니다|이었습니다|이다|임)(?=\.|$)"
)
_OUTSIDE = re.compile(
    rf"{PERSON.pattern}|{OTHER_SIDE.pattern}|설명회|강연|외부\s?(?:인사|손님|분)|[가-힣]과장|부장님",
    re.IGNORECASE,
)
"""Anybody beside the company's own people."""
_EACH_BEFORE = re.compile(r"(?:인당|1인(?:당)?)\s?$|\b(?:each|per (?:head|person)):?\s$")
_A_PERSON = re.compile(
    r"(?:인당|1인|(?:사람|한\s?분)(?:당|에)?|each|per (?:head|person))\S{0,2}\s?(?:약|평균|대략|about|around)?\s?(?:KRW |₩)?$",
    re.IGNORECASE,
)
_A_PERSON_AFTER = re.compile(r"\s?(?:씩|꼴|per (?:person|head)|a (?:head|person)|each)", re.IGNORECASE)
"""Words beside a sum that each of some people has."""
_LECTURED = re.compile(
    r"\b(?:gave|gives?|held|delivered|spoke|talks?|lectured?)\b[^.]{0,60}\b(?:minutes|hours?)\b|(?:강연|강의)\S{0,2}\s?(?:\S+\s)?\d+\s?(?:시간|분)",
    re.IGNORECASE,
)
_FOR_EACH_TALK = re.compile(
    r"\s?(?:for|per) (?:each|every|a|the) (?:of (?:them|the)|lecture|talk|hour)", re.IGNORECASE
)
"""Somebody lectured for a time that is told, and what each lecture was paid with."""
_BILL = re.compile(r"\b(?:bill|check|tab|catering)\b[^.;\d]{0,14}$", re.IGNORECASE)
MOST_EXPENSES = 2_000
"""Expenses that are read from one text; with more it is too long to be judged at once."""
_OF_A_SPEAKER = re.compile(
    r"(?:연자|강사|좌장)\S{0,2}\s\d{2,3}\s?분|\bspeaker\b[^.]{0,30}\bminutes\b", re.IGNORECASE
)
"""The fee of a speaker, which is no price of a meal that was named before."""
_TOO = re.compile(r"도(?![가-힣])| too\b| as well\b")
_RECEIVED = re.compile(r"모시고|모셨|\b(?:hosted|treated)\b", re.IGNORECASE)
_LESS_TAX = re.compile(
    r"\s*(?:\()?(?:부가세|VAT|세금)\S{0,2}\s?(?:빼|제외하|제하|뺀|뺐|제외한|제한|공제)|"
    r"\s*\(?(?:without|excluding|net of|before|less) (?:the )?(?:VAT|tax)\b",
    re.IGNORECASE,
)
"""A sentence that begins with what is left without tax."""
_TITLE = re.compile(
    r"^\W*(?:\S+\s){0,5}?\S{0,8}(?:기록|내역|목록|대장|현황|명세|정산|보고|요청|일지|log|record|list|sheet|report)[.:：\s]*$",
    re.IGNORECASE,
)
"""A title over entries, which says what they are of: 판촉물 배포 기록."""
ROUNDED = 0.02
"""The part of a share of a price by which a text may round it."""
NEAR = 3
"""Sentences after which a price no longer belongs to what was given before."""


@dataclass(frozen=True)
class Reading:
    """The benefits that a text states, and the spans of it that they were read from."""

    expenses: list[Expense]
    spans: list[tuple[int, int]]
    mentions: Mapping[int, Sequence[Mention]] = field(default_factory=dict[int, Sequence[Mention]])
    """The mentions of the sentence that begins at each place, so that they are found once."""

    def within(self, sentence: Sentence) -> list[tuple[int, int]]:
        first, last = sentence.start, sentence.start + len(sentence.text)
        at, until = bisect_left(self.spans, (first, 0)), bisect_left(self.spans, (last, 0))
        return self.spans[at:until]


def read(sentences: Sentences) -> Reading:
    """Every benefit that the text states. Denied ones, questions, rules and sums of whole periods are none."""
    reader = _Reader(sentences)
    expenses = reader.read()
    if _OWN_MEAL.search(sentences.text) and not _OUTSIDE.search(sentences.text):
        expenses = [one for one in expenses if one.category != "meal"]
        reader.spans |= {m.span("sum") for m in _BARE_TOTAL.finditer(sentences.text)}
    return Reading(expenses, sorted(reader.spans), reader.mentions)


def _kind_of_bare(text: str, one: Sum) -> str:
    """A sum for each person at a presentation, in a note that hands nothing over, is that of its food and drink."""
    for_each = _EACH_BEFORE.search(text, 0, one.start) or EACH_AFTER.match(text[one.end :])
    for_each = for_each or _BILL.search(text, 0, one.start)
    handed = GIVES_KO.search(text) or GIVES_EN.search(text)
    if _LECTURED.search(text) and (
        _A_PERSON_AFTER.match(text, one.end) or _FOR_EACH_TALK.match(text, one.end)
    ):
        return "lecture_fee"
    return "meal" if for_each and PRESENTATION.search(text, 0, one.start) and not handed else UNCLEAR


def _other_place(here: Around, expense: Expense) -> bool:
    return bool(here.places) and expense.institution is not None and expense.institution not in here.places


class _Reader:
    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._told = Circumstances(sentences)
        self._blocks = self._told.blocks
        self._events: list[Event] = []
        self._people = PERSON.search(sentences.text) is not None
        self._off = CALLED_OFF.search(sentences.text) is not None and any(
            called_off(one.text) for one in sentences.all
        )
        self._pending: list[Given] = []
        self._denied: dict[str, Said] = {}
        self.spans: set[tuple[int, int]] = set()
        self.mentions: dict[int, Sequence[Mention]] = {}

    def read(self) -> list[Expense]:
        for number, sentence in enumerate(self._sentences.all):
            self._sentence(number, sentence)
            if len(self._events) > MOST_EXPENSES:
                break
        found = [event.expense for event in self._events]
        found.extend(
            self._told.expense(one.sentence, None, one.mention, one)
            for one in self._pending
            if not (self._priced(one) or self._hosted(one) or self._refused(one) or self._called_off(one))
        )
        return found

    def _sentence(self, number: int, sentence: Sentence) -> None:
        amounts = prices_in(sentence.text)
        mentions = self.mentions[sentence.start] = self._known_before(mentions_in(sentence))
        if sentence.alone:
            self._of_the_month(sentence, amounts)
            return
        thing = sentence.korean and THING.search(sentence.text)
        silent = not thing and not FAVOURS.search(sentence.text)
        if not amounts and not mentions and silent:
            return
        words = SentenceSums(sentence, mentions)
        if self._of_a_period(sentence, amounts):
            return
        used: set[int] = set()
        before = self._recent(number, sentence) if amounts else None
        for one in amounts:
            if self._year_with_this(sentence, one):
                continue
            used |= self._sum(sentence, one, words, mentions, before)
        silent = not mentions and not used and not sentence.ours and self._about_people(sentence)
        favour = (words.thing() or words.favour()) if silent else None
        if favour is not None:
            self._read(sentence, favour)
            self._pending.append(Given(favour, sentence, number, self._told.around(sentence)))
        self._without_price(number, sentence, mentions, used)

    def _sum(
        self,
        sentence: Sentence,
        one: Sum,
        words: SentenceSums,
        mentions: Sequence[Mention],
        before: Given | None,
    ) -> set[int]:
        """Note what a sum is for; give the places of what it prices."""
        mention = None if before is not None and not mentions else words.benefit(one)
        if mention is None and before is not None and words.is_a_price(one):
            self._add(sentence, one, before.mention, before)
            self._pending = [
                one for one in self._pending if one is not before or _TITLE.search(one.sentence.text)
            ]
        elif mention is not None:
            self._add(sentence, one, mention, None)
            return {mention.start}
        elif not mentions and self._share_of_the_last(sentence.text, one):
            self._read(sentence, one)
        elif not mentions and words.is_unexplained(one):
            self._add_unclear(sentence, one)
            return {one.start}
        return set()

    def _of_a_period(self, sentence: Sentence, amounts: Sequence[Sum]) -> bool:
        """Say whether the sums of a sentence are totals of a month, a year or another stretch of time."""
        parts = self._of_the_month(sentence, amounts)
        return parts or bool(amounts and is_a_summary(sentence)) or self._of_the_year(sentence, amounts)

    def _share_of_the_last(self, text: str, one: Sum) -> bool:
        """Say whether a sum is what each has of the price before it, by the people of that: it tells nothing new."""
        known = self._events[-1].expense if self._events else None
        for_each = _A_PERSON.search(text, 0, one.start) or _A_PERSON_AFTER.match(text, one.end)
        if known is None or not known.heads or known.amount is None or not for_each:
            return False
        net = known.amount - (known.vat if known.vat is not None else known.amount / 11)
        shares = [whole / known.heads for whole in (known.amount, net, known.amount * 1.1)]
        return any(abs(share - one.won) <= share * ROUNDED for share in shares)

    def _of_the_month(self, sentence: Sentence, amounts: Sequence[Sum]) -> bool:
        """Note what the writer spent on meals in a month; say whether all sums of the sentence are parts of it."""
        total = own_meals_of_a_month(sentence.text, sentence.before, amounts)
        if total is None:
            return False
        mention = Mention(MONTH_MEALS, total.start, total.end, "", "stated")
        made = self._told.expense(sentence, None, mention, None)
        self._events.append(Event(replace(made, amount=total.won), "", total.won, each=False))
        parts = adds_up(total, amounts)
        for one in amounts if parts else [total]:
            self._read(sentence, one)
        return parts

    def _of_the_year(self, sentence: Sentence, amounts: Sequence[Sum]) -> bool:
        """Note the sum of a year that is told after a fee: it is no fee of its own."""
        told = sum_of_year(sentence.text, amounts[0]) if len(amounts) == 1 and self._events else None
        last = self._events[-1] if self._events else None
        if told is None or last is None or last.expense.category != "lecture_fee":
            return False
        if told == "before this":
            made = replace(last.expense, before=amounts[0].won)
        elif amounts[0].won < (last.expense.amount or 0):
            return False
        else:
            made = replace(last.expense, so_far=amounts[0].won)
        self._events[-1] = replace(last, expense=made)
        self._read(sentence, amounts[0])
        return True

    def _year_with_this(self, sentence: Sentence, one: Sum) -> bool:
        """Note a sum of the year that is told beside a fee of the same sentence: 700,000 in total with this one."""
        last = self._events[-1] if self._events else None
        told = with_this_one(sentence.text, one)
        if (
            not told
            or last is None
            or last.expense.category != "lecture_fee"
            or one.won < (last.expense.amount or 0)
        ):
            return False
        self._events[-1] = replace(last, expense=replace(last.expense, so_far=one.won))
        self._read(sentence, one)
        return True

    def _known_before(self, mentions: Sequence[Mention]) -> list[Mention]:
        """A bare noun speaks of the thing that an earlier sentence named: what was denied of that, is denied of it."""
        made: list[Mention] = []
        for one in mentions:
            earlier = self._denied.get(one.noun)
            made.append(replace(one, said=earlier) if one.said == "bare" and earlier is not None else one)
            if one.said in ("denied", "open") and not GENERIC.match(one.noun):
                self._denied[one.noun] = one.said
            elif one.said == "stated":
                self._denied.pop(one.noun, None)
        return made

    def _without_price(
        self, number: int, sentence: Sentence, mentions: Sequence[Mention], used: set[int]
    ) -> None:
        """Keep the benefits that no sum of their sentence is for, and mark every mention that a fact covers."""
        kinds = {mention.kind for mention in mentions if mention.start in used}
        if not used and self._each_paid(number):
            for mention in (one for one in mentions if one.kind == "meal"):
                self._read(sentence, mention)
            mentions = [one for one in mentions if one.kind != "meal"]
        for mention in mentions:
            same = mention.kind in kinds or any(
                p.number == number
                and p.mention.kind == mention.kind
                and not other_sort(p.mention.noun, mention.noun)
                for p in self._pending
            )
            taken = mention.said == "stated" or self._implied(mention, sentence)
            if taken and same:
                self._name_better(number, mention)
            if taken and not same:
                self._pending.append(Given(mention, sentence, number, self._told.around(sentence)))
            if (taken and not same) or mention.start in used:
                self._read(sentence, mention)
        kinds |= {p.mention.kind for p in self._pending if p.number == number}
        for mention in mentions:
            off = mention.said == "bare" and self._was_off(number, sentence, mention.kind)
            if off or (mention.kind in kinds and may_stand_for(mention, mentions)):
                self._read(sentence, mention)

    def _each_paid(self, number: int) -> bool:
        """Say whether a sentence or one of the next two says of its meal that everybody paid for themselves."""
        return any(not_paid_by_us(one.text) for one in self._sentences.all[number : number + 3])

    def _name_better(self, number: int, mention: Mention) -> None:
        """A noun that says what it was takes the place of a general one of the same sentence: 음식은 호텔 뷔페였다."""
        for at, one in enumerate(self._pending):
            general = (
                one.number == number and one.mention.kind == mention.kind and GENERIC.match(one.mention.noun)
            )
            if general and not GENERIC.match(mention.noun):
                self._pending[at] = replace(one, mention=mention)

    def _implied(self, mention: Mention, sentence: Sentence) -> bool:
        """Food, fees and money in a note about medical staff are taken as given, where nothing says otherwise."""
        return mention.said == "bare" and mention.kind in IMPLIED and self._about_people(sentence)

    def _about_people(self, sentence: Sentence) -> bool:
        return PERSON.search(sentence.text) is not None or self._people

    def _recent(self, number: int, sentence: Sentence) -> Given | None:
        """The last benefit without a price that a sentence with a bare price can speak of."""
        titled = bool(self._pending) and _TITLE.search(self._pending[-1].sentence.text) is not None
        if ENTRY.match(sentence.text) and not sentence.text.lstrip().startswith("|") and not titled:
            return None
        block = self._blocks.number(sentence.start)
        near = (
            one
            for one in reversed(self._pending)
            if number - one.number <= NEAR and self._blocks.number(one.sentence.start) == block
        )
        last = next((one for one in near if self._unpriced(one, sentence)), None)
        if last is None and not self._events:
            # In another paragraph a price is that of the only thing that has none.
            unpriced = [one for one in self._pending if self._unpriced(one, sentence)]
            last = unpriced[0] if len(unpriced) == 1 else None
        meal = last is not None and last.mention.kind == "meal"
        return None if meal and _OF_A_SPEAKER.search(sentence.text) else last

    def _unpriced(self, one: Given, sentence: Sentence) -> bool:
        """Say whether a benefit has no price yet, and the text has not gone on to another institution before a sentence."""
        another = one.mention.kind == "sample" or self._told.of_another(one.sentence.start, sentence.start)
        return not another and not self._priced(one)

    def _priced(self, one: Given) -> bool:
        """Say whether the text tells the price of the same benefit elsewhere."""
        return any(
            event.expense.category == one.mention.kind and self._same_occasion(one, event)
            for event in self._events
        )

    def _same_occasion(self, one: Given, event: Event) -> bool:
        expense = event.expense
        apart = self._blocks.number(expense.span[0] if expense.span else 0) != self._blocks.number(
            one.sentence.start
        )
        if self._elsewhere(one.sentence.start, expense) or self._another_item(one, event):
            return False
        if done_but_planned(one.sentence.text, expense.note):
            return False
        if apart and (_TOO.match(one.sentence.text, one.mention.end) or _other_place(one.here, expense)):
            return False
        another = (
            ANOTHER.search(one.sentence.text)
            or not same_thing(event.noun, one.mention.noun)
            or other_company(one.sentence.text, expense.note)
            or other_time(one.mention.noun, expense.note)
            or PAID_ITSELF.search(one.sentence.text)
            or (one.here.dates and expense.date is not None and expense.date not in one.here.dates)
        )
        return not another and not other_people(one.here, expense)

    def _another_item(self, one: Given, event: Event) -> bool:
        """Say whether a benefit and a price stand in two numbered points of a list, which name two things."""
        if event.expense.span is None or event.noun == one.mention.noun:
            return False
        mine = self._blocks.item_at(one.sentence.start + one.mention.start)
        theirs = self._blocks.item_at(event.expense.span[0])
        return mine is not None and theirs is not None and mine != theirs

    def _elsewhere(self, position: int, expense: Expense) -> bool:
        """Say whether the text has gone on to another institution since it told of an expense, and not on the same day."""
        return expense.span is not None and self._told.of_another(position, expense.span[0])

    def _hosted(self, one: Given) -> bool:
        """Say whether people are only said to be received, and a sentence near it says with what."""
        if one.mention.kind != UNCLEAR or not _RECEIVED.match(one.sentence.text, one.mention.start):
            return False
        around = self._sentences.all[max(0, one.number - 1) : one.number + NEAR]
        starts = {sentence.start for sentence in around}
        spans = [event.expense.span for event in self._events if event.expense.category == "meal"]
        return any(span and self._sentences.at(span[0]).start in starts for span in spans)

    def _called_off(self, one: Given) -> bool:
        """Say whether it is only named, as in a title or a plan, and the text says that it did not take place."""
        return one.mention.said == "bare" and self._was_off(one.number, one.sentence, one.mention.kind)

    def _was_off(self, number: int, sentence: Sentence, kind: str) -> bool:
        """Say whether an occasion near by was called off that a benefit belongs to; gifts and trips only to their own."""
        if not self._off:
            return False
        near = self._sentences.all[max(0, number - NEAR) : number + NEAR + 1]
        if kind not in ("meal", "venue", "lecture_fee"):
            near = [sentence]
        return any(called_off(one.text) for one in near)

    def _refused(self, one: Given) -> bool:
        """Say whether the other side proposed it, and the rest of the sentence or one of the next turns it down, without giving in
        later."""
        text = one.sentence.text
        proposed = PROPOSED.search(text, one.mention.end) or PROPOSED.search(text)
        if proposed is None or WE_GIVE.search(REFUSED.sub("", text)):
            return False
        later = self._sentences.all[one.number + 1 :]
        turned_down = REFUSED.search(text, proposed.end()) is not None
        turned_down |= any(REFUSED.search(sentence.text) for sentence in later[:2])
        return turned_down and not any(GAVE_IN.search(sentence.text) for sentence in (one.sentence, *later))

    def _add(self, sentence: Sentence, one: Sum, mention: Mention, given: Given | None) -> None:
        made = self._told.expense(sentence, one, mention, given)
        told = sentence.text if given is None else f"{given.sentence.text} {sentence.text}"
        noun = mention.noun if given is not None else self._noun_of(sentence, mention)
        self._settle(Event(made, noun, one.won, is_for_each(made, told, sentence.text, one)))
        self._read(sentence, one)
        self._read(given.sentence if given is not None else sentence, mention)

    def _noun_of(self, sentence: Sentence, mention: Mention) -> str:
        """The noun that says what a general one of the same sentence stands for: 기념품으로 수건."""
        if not GENERIC.match(mention.noun):
            return mention.noun
        known = self.mentions.get(sentence.start, ())
        own = [m.noun for m in known if m.kind == mention.kind and not GENERIC.match(m.noun)]
        return own[0] if len(own) == 1 else mention.noun

    def _add_unclear(self, sentence: Sentence, one: Sum) -> None:
        """A sum that nothing in its sentence explains: the price of an event told again, or a benefit of an unknown kind."""
        if not self._events and not self._about_people(sentence):
            return
        mention = Mention(_kind_of_bare(sentence.text, one), one.start, one.end, "", "stated")
        if self._without_tax_again(sentence, one):
            self._read(sentence, one)
            return
        made = self._told.expense(sentence, one, mention, None)
        event = Event(made, "", one.won, is_for_each(made, sentence.text, sentence.text, one))
        if self._merged(event):
            self._read(sentence, one)
        elif self._about_people(sentence):
            self._events.append(event)
            self._read(sentence, one)

    def _without_tax_again(self, sentence: Sentence, one: Sum) -> bool:
        """Say whether a sum tells the price before it once more, less its tax: it hides nothing that was not told."""
        known = self._events[-1].expense if self._events else None
        if known is None or known.amount is None or _LESS_TAX.match(sentence.text) is None:
            return False
        return one.won < known.amount and not self._told.of_another(
            sentence.start, known.span[0] if known.span else 0
        )

    def _settle(self, event: Event) -> None:
        """Keep an event, or make one of it and the one whose price it tells again."""
        if not self._merged(event):
            self._events.append(event)

    def _merged(self, event: Event) -> bool:
        for at, known in enumerate(self._events):
            merged = known.told_again(event)
            if merged is not None and not self._goes_on_between(known.expense, event.expense):
                self._events[at] = merged
                return True
        return False

    def _goes_on_between(self, one: Expense, other: Expense) -> bool:
        """Say whether the text names another day and another institution between two sums: they are of two occasions."""
        if one.span is None or other.span is None:
            return False
        return self._blocks.goes_on_between(one.span[1], other.span[0])

    def _read(self, sentence: Sentence, place: Sum | Mention) -> None:
        self.spans.add((sentence.start + place.start, sentence.start + place.end))
