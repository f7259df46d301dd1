"""Korean words that were written together, as on a phone: 지난달서울매출보여줘 is read as 지난달 서울 매출 보여줘.

A run of letters is cut only if all of it can be: into words of the model and data, periods, numbers, words of the grammar,
each with its endings. The spaces say nothing by themselves, so what the question means is decided by the same rules as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from metaagent.language.patterns import regex
from metaagent.language.period_words import atoms
from metaagent.level1.query_analyzer.grammar import lexicon_ko
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.grammar.verbs import operators, verb_table
from metaagent.level1.query_analyzer.words.lexicon import Phrasebook
from metaagent.level1.query_analyzer.words.source import Source

_RUN = regex(r"[0-9가-힣]*[가-힣]{2}[0-9가-힣]*")
_SHORTEST = 4
_LONGEST = 60
"""Letters of a run that is looked at."""
_NUMBER = regex(
    r"\d[\d,.]*\s?[천백만억]*\s?(?:원|건|개월|개|명|곳|회|번|프로|퍼센트|위|시간|분기|분|장|대|권|호|년|월|일|주)?(?:대)?"
)
_BEFORE = regex(r"(?:직|전)?전(?:월|분기|년|주|달)(?:동기|동월)?")
"""Periods that are read only where they begin a word."""
_WORD, _ENDING, _SYLLABLE = 1.0, 0.6, 1.6
_JOINER = regex(r"별로?|당|마다|대비")
_JOINED = frozenset({"BY", "PER", "VS", "AND", "WITH", "OR", "ALSO", "UPTO", "IS", "OFWHOLE", "BASIS"})
"""Operators that are written together with the word before them."""
_PARTICLES = "에이도가을를의으"
"""Letters with which an operator begins that holds the particle before it: 에 못 미친."""


@dataclass(frozen=True)
class _Cut:
    cost: float
    begins: tuple[int, ...]
    """The places at which a word begins."""
    words: int
    named: int = 0
    """Letters of names, figures, kinds of things and periods."""


def spaced(source: Source, book: Phrasebook, terms: Terms, today: date) -> Source:
    """The question with spaces between such words."""
    text = source.text
    runs = [m.span() for m in _RUN.finditer(text) if _SHORTEST <= m.end() - m.start() <= _LONGEST]
    runs = [(start, end) for start, end in runs if not _is_word(text[start:end], book)]
    if not runs:
        return source
    reader = _Reader(text, book, terms, today)
    places = [at for run in runs for at in reader.cuts(*run)]
    for at in sorted(places, reverse=True):
        source = _with_space(source, at)
    return source


def _is_word(word: str, book: Phrasebook) -> bool:
    """Tell whether the word is one that is known, with or without an ending."""
    if any(
        word[:size] in book.exact and (size == len(word) or lexicon_ko.ENDING.fullmatch(word, size))
        for size in range(len(word), 1, -1)
    ):
        return True
    return lexicon_ko.LIGHT.fullmatch(word) is not None


class _Reader:
    """The words that may begin at each place."""

    def __init__(self, text: str, book: Phrasebook, terms: Terms, today: date) -> None:
        self.text, self.book, self.verbs = text, book, verb_table(terms)
        self.periods = [(atom.start, atom.end) for atom in atoms(text, today)]

    def cuts(self, start: int, end: int) -> list[int]:
        """The places for a space within the run; none where a part of it is not known."""
        begun = self._begun(start, end)
        best: dict[int, _Cut] = {begun: _Cut(0.0, (), int(begun > start), begun - start)}
        for place in range(begun, end):
            here = best.get(place)
            if here is None:
                continue
            for stop, cost, begins, named in self._pieces(place, start, end):
                words = (*here.begins, place) if begins and place > start else here.begins
                count = here.words + (begins or place == start)
                found = _Cut(here.cost + cost, words, count, here.named + (stop - place) * named)
                if stop not in best or found.cost < best[stop].cost:
                    best[stop] = found
        made = best.get(end)
        return list(made.begins) if made is not None and made.words > 1 and made.named > 1 else []

    def _begun(self, start: int, end: int) -> int:
        """The end of a word that began before the run: 2026년 2분기매출, 메가 17호랑."""
        before = self.text[:start].split()[-1:]
        named = [
            at
            for at in range(end, start, -1)
            if before and before[0] + self.text[start:at] in self.book.exact
        ]
        return next((e for s, e in self.periods if s < start < e <= end), named[0] if named else start)

    def _goes_on(self, place: int, end: int) -> bool:
        """Tell whether a word that begins here goes on behind the run: 4분기영업 비용."""
        after = self.text[end:].split()[:1]
        sizes = range(len(after[0]), 0, -1) if after else ()
        return any(self.text[place:end] + after[0][:size] in self.book.exact for size in sizes)

    def _pieces(self, place: int, start: int, end: int) -> Iterator[tuple[int, float, bool, bool]]:
        """(end, cost, whether a word begins there, whether it names something)."""
        text = self.text
        yield from ((stop, 0.8, True, True) for at, stop in self.periods if at == place and stop <= end)
        for stop in range(place + 1, end + 1):
            if text[place:stop] in self.book.exact:
                yield stop, _WORD if stop - place > 1 else _SYLLABLE, True, stop - place > 1
            if place > start and lexicon_ko.ENDING.fullmatch(text, place, stop):
                yield stop, _ENDING, False, False
        if end - place > 1 and self._goes_on(place, end):
            yield end, _WORD, True, True
        for stop, cost, begins in self._said(place, start, end):
            yield stop, cost, begins, False

    def _said(self, place: int, start: int, end: int) -> Iterator[tuple[int, float, bool]]:
        text = self.text
        if before := _BEFORE.match(text, place, end):
            yield before.end(), _WORD, True
        if (number := _NUMBER.match(text, place, end)) and not text[place - 1 : place].isdigit():
            yield number.end(), _WORD, True
        if (light := lexicon_ko.LIGHT.match(text, place, end)) and (
            light.end() - place > 1 or light[0] == "좀"
        ):
            yield light.end(), _WORD, True
        if place > start and (joiner := _JOINER.match(text, place, end)):
            yield joiner.end(), _WORD, False
        for pattern, node in operators().get(text[place], ()):
            found = re.compile(pattern).match(text, place, end)
            if found and found.end() > place:
                short = found.end() - place == 1
                joined = short or node.cat in _JOINED or (place > start and text[place] in _PARTICLES)
                yield found.end(), _SYLLABLE if short else _WORD, not joined
        for verb in self.verbs.get(text[place], ()):
            stop = verb.end(text, place)
            if stop is not None and place < stop <= end:
                yield stop, _SYLLABLE if stop - place == 1 else _WORD, True


def _with_space(source: Source, at: int) -> Source:
    where = source.starts[at]
    return replace(
        source,
        text=f"{source.text[:at]} {source.text[at:]}",
        starts=(*source.starts[:at], where, *source.starts[at:]),
        ends=(*source.ends[:at], where, *source.ends[at:]),
    )
