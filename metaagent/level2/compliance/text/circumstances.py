"""Makes an expense of a benefit with the people, days, places and occasion that the text tells around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import Around, Blocks, around, day_before, sector_is_open
from metaagent.level2.compliance.text.amounts import Sum
from metaagent.level2.compliance.text.events import (
    ONE_PERSON,
    PROMOTIONAL,
    SEMINAR,
    SEVERAL_INSTITUTIONS,
    Given,
    first_of,
    heads_near,
    only,
    only_day,
    repeated,
)
from metaagent.level2.compliance.text.mentions import Mention
from metaagent.level2.compliance.text.prices import prices_in, with_amount
from metaagent.level2.compliance.text.returns import in_return
from metaagent.level2.compliance.text.wording import Sentence, Sentences

PRESENTATION = re.compile(
    r"설명회|\bPT\b|\b(?:product|lunch|dinner) (?:briefing|session)\b|\bpresentations?\b", re.IGNORECASE
)

Named = tuple[str | None, str | None]
"""The institution and the day that a text named last before a place."""


class Circumstances:
    """A text, asked for the people, days and places of what its sentences tell."""

    def __init__(self, sentences: Sentences) -> None:
        self.blocks = Blocks(sentences.text)
        self._sentences = sentences
        self._whole: Around | None = None
        self._near: dict[int, Around] = {}
        self._made = 0
        self._without_price_at: dict[int, bool] = {}

    def expense(self, sentence: Sentence, one: Sum | None, mention: Mention, given: Given | None) -> Expense:
        self._made += 1
        self._whole = self._whole or self.blocks.whole()
        here, block, whole = self.around(sentence), self.blocks.around(sentence.start), self._whole
        text = sentence.text
        told = (
            f"{given.sentence.text} {text}" if given is not None and given.sentence is not sentence else text
        )
        at = one.start if one is not None else mention.start
        one_person = mention.kind != "meal" and ONE_PERSON.search(told) is not None
        counted = here.heads or (given is not None and given.here.heads)
        heads = 1 if one_person and not counted else self._people_of(sentence, given, at)
        place = only(here.places) or only(block.places) or only(whole.places)
        times, monthly = repeated(told, here, given, block)
        near = [here, given.here] if given is not None else [here]
        hours = first_of(scope.hours for scope in near)
        promotional = mention.kind == "gift" and PROMOTIONAL.search(told) is not None
        made = Expense(
            ids=(f"text {self._made}",),
            date=only_day(here)
            or (only_day(given.here) if given else None)
            or only_day(block)
            or only_day(whole),
            category=mention.kind,
            heads=heads,
            doctors=here.doctors or block.doctors or whole.doctors,
            said_day=(self._day_of(sentence, at) if len(here.days) > 1 else None)
            or only(here.days)
            or (only(given.here.days) if given else None)
            or only(block.days)
            or only(whole.days)
            or "",
            institution=place,
            public=self._sector(sentence, (*near, block, whole)),
            event=f"text {self._made}",
            occasion="seminar" if not promotional and self._at_a_seminar(sentence, told, given) else "visit",
            hours=block.least_hours if hours is None else hours,
            note=text.strip(),
            span=(sentence.start + at, sentence.start + (one.end if one is not None else mention.end)),
            times=times,
            in_a_month=monthly,
            in_return=in_return(sentence) or (given is not None and in_return(given.sentence)),
        )
        made = _on_its_day(made)
        return made if one is None else with_amount(made, told, text, one, here)

    def around(self, sentence: Sentence) -> Around:
        if sentence.start not in self._near:
            month = self.blocks.month_before(sentence.start)
            self._near[sentence.start] = around(sentence.text, month)
        return self._near[sentence.start]

    def of_another(self, position: int, other: int) -> bool:
        """Say whether the text has gone on to another institution between two places, and not on the same day."""
        return _apart(self.blocks.last_named(position), self.blocks.last_named(other))

    def _at_a_seminar(self, sentence: Sentence, told: str, given: Given | None) -> bool:
        """Say whether something was given to several institutions: where its paragraph tells of such an occasion, unless its own
        sentence names a doctor or an institution and days of its own, or counts people of one institution."""
        if SEMINAR.search(told) is not None:
            return True
        scopes = [self.around(sentence), *([given.here] if given else ())]
        own = any(
            ((one.places or one.doctors) and (one.days or one.dates or one.times))
            or (len(one.places) == 1 and one.heads)
            for one in scopes
        )
        again = (self.blocks.around(sentence.start).times or 1) > 1
        return not own and not again and self.blocks.mentions(sentence.start, SEVERAL_INSTITUTIONS)

    def _people_of(self, sentence: Sentence, given: Given | None, at: int) -> int | None:
        """The number of people: nearest to a sum; of a paragraph or the whole text only one that is told alone, in a sentence
        without a price, which would count its own, and of the same institution."""
        near = heads_near(self.around(sentence), given.here if given else None, at)
        if near is not None or self._whole is None:
            return near
        first, here = self.blocks.start(sentence.start), self.blocks.last_named(sentence.start)
        own = [(count, first + place) for count, place in self.blocks.around(sentence.start).heads]
        for told in (self._alone(own), self._told_alone):
            counts = {count for count, named in told if not _apart(named, here)}
            if counts:
                return counts.pop() if len(counts) == 1 else None
        return None

    @cached_property
    def _told_alone(self) -> Sequence[tuple[int, Named]]:
        """The counts of people of the whole text that stand in sentences without a price."""
        return self._alone(self.blocks.whole().heads if self._whole is None else self._whole.heads)

    def _alone(self, counts: Sequence[tuple[int, int]]) -> Sequence[tuple[int, Named]]:
        """The counts of people in sentences without a price, with what the text named last before each."""
        return [(count, self.blocks.last_named(place)) for count, place in counts if self._only_counts(place)]

    def _only_counts(self, position: int) -> bool:
        sentence = self._sentences.at(position)
        if sentence.start not in self._without_price_at:
            self._without_price_at[sentence.start] = not prices_in(sentence.text)
        return self._without_price_at[sentence.start]

    def _sector(self, sentence: Sentence, scopes: Sequence[Around]) -> bool | None:
        """Tell whether they work for the public: a presentation has the limits of the trade where no word says so."""
        if self._open_sector:
            return None
        told = first_of(scope.public for scope in scopes)
        trade = self.blocks.mentions(sentence.start, PRESENTATION)
        mixed = self.blocks.mentions(sentence.start, SEVERAL_INSTITUTIONS)
        return False if told is None and trade and not mixed else told

    @cached_property
    def _open_sector(self) -> bool:
        return sector_is_open(self._sentences.text)

    def _day_of(self, sentence: Sentence, at: int) -> str | None:
        return day_before(sentence.text, at, self.blocks.month_before(sentence.start))


def _apart(one: Named, other: Named) -> bool:
    """Say whether two institutions are named, and not on the same day."""
    (place, day), (other_place, other_day) = one, other
    if place is None or other_place is None or place == other_place:
        return False
    return day is None or other_day is None or day != other_day


def _on_its_day(expense: Expense) -> Expense:
    """An expense of a month of a year, on the day of that month that the text tells apart: July 2024: on the 18th."""
    if expense.date is None or expense.date.day != 1 or expense.said_day[:2] != f"{expense.date.month:02}":
        return expense
    try:
        return replace(expense, date=expense.date.replace(day=int(expense.said_day[3:])))
    except ValueError:
        return expense
