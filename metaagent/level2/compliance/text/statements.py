"""Finds what a text states: phrases of a rule, and statements that are made of words of several classes, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from metaagent.level2.compliance.model import TextRule
from metaagent.level2.compliance.text.reported_speech import of_others
from metaagent.level2.compliance.text.wording import Sentence, Sentences, denials_en, only_spoken_of, polarity

LONGEST_PHRASE = 300
NEAR = 12
"""Characters before an English verb in which a denial denies the verb itself."""
Span = tuple[int, int]


class BadPhrase(Exception):
    """A phrase or a class of words of a text rule that cannot be used; says why."""


class Match(NamedTuple):
    """A place in the text, the number that the phrase picked out there, and whether it is only suspected."""

    start: int
    end: int
    number: int | None = None
    suspected: bool = False


@dataclass(frozen=True, eq=False)
class Words:
    """A class of words, compiled. The places of each class in a text are looked up once, whatever the number of rules."""

    name: str
    find: Any

    def places(self, sentences: Sentences) -> Mapping[int, list[Span]]:
        """Its places by the start of their sentence."""
        if self not in sentences.found:
            found: dict[int, list[Span]] = {}
            for span, _ in _found(self.find, sentences):
                found.setdefault(sentences.at(span[0]).start, []).append(span)
            sentences.found[self] = found
        return sentences.found[self]

    def stands_in(self, sentences: Sentences, start: int) -> bool:
        """Say whether a word of it begins in the sentence that begins at a place; it may run on into the next one."""
        encoded = sentences.encoded
        at = sentences.number(start)
        found = self.find.search(encoded.text, encoded.starts[at], encoded.start(at + 2))
        return found is not None and found.start() < encoded.start(at + 1)


def _found(find: Any, sentences: Sentences) -> Iterator[tuple[Span, Any]]:
    """The matches in a text with their places, each within its sentence: one that runs on into the next must not take the words of
    that away. RE2 reads bytes, so the text is encoded once, and only places that are found are counted in letters."""
    seen: set[Span] = set()
    encoded = sentences.encoded
    for match in find.finditer(encoded.text):
        start, end = match.span()
        first, last = encoded.number(start), encoded.number(end - 1)
        own = [(match, start, end, first)]
        if last > first:
            numbers = range(first, last + 1)
            ends = ((at, encoded.starts[at], encoded.start(at + 1)) for at in numbers)
            own = [
                (each, *each.span(), at) for at, a, b in ends for each in find.finditer(encoded.text, a, b)
            ] or own
        for each, a, b, at in own:
            if (a, b) not in seen:
                seen.add((a, b))
                yield (encoded.letter(a, at), encoded.letter(b, at)), each


@dataclass(frozen=True)
class Statement:
    """Classes of words of which one sentence has all, and none of the others; the last is the act that may be denied."""

    parts: Sequence[Words]
    none_of: Sequence[Words]
    suspected: bool = False
    topic: Words | None = None
    """A class of which a word may as well stand in the sentence before."""
    nowhere: Sequence[Words] = ()
    """Classes of which no sentence of the whole text has a word."""

    def places(self, sentences: Sentences) -> Iterator[tuple[Sentence, int, int]]:
        """Each act, with its sentence. A denial that is part of the statement denies nothing: it is blank in the sentence."""
        found: list[Mapping[int, list[Span]]] = []
        starts: Set[int] = set()
        for words in self.parts:
            found.append(words.places(sentences))
            starts = found[-1].keys() & starts if len(found) > 1 else found[-1].keys()
            if not starts:
                return
        if any(words.find.search(sentences.encoded.text) for words in self.nowhere):
            return
        for start in sorted(starts):
            against = any(words.stands_in(sentences, start) for words in self.none_of)
            if against or not self._spoken_of(sentences, start):
                continue
            acts = found[-1][start]
            for first, last in acts:
                parts = [_nearest(places[start], (first, last)) for places in found[:-1]]
                if not parts or any(_nearest(acts, part) == (first, last) for part in parts):
                    yield _blanked(sentences.at(start), parts, first, last), first, last

    def _spoken_of(self, sentences: Sentences, start: int) -> bool:
        if self.topic is None:
            return True
        before = sentences.at(max(0, start - 1)).start
        return any(self.topic.stands_in(sentences, at) for at in (start, before))


def _nearest(places: Sequence[Span], to: Span) -> Span:
    """The place next to another: one that stands apart from it rather than one that overlaps it."""
    return min(places, key=lambda place: (place[0] < to[1] and place[1] > to[0], _gap(place, to)))


def _gap(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1])


def _blanked(sentence: Sentence, parts: Sequence[Span], first: int, last: int) -> Sentence:
    text = sentence.text
    for a, b in parts:
        if a < last and b > first:
            continue
        text = f"{text[: a - sentence.start]}{'x' * (b - a)}{text[b - sentence.start :]}"
    return replace(sentence, text=text)


@dataclass(frozen=True)
class Phrases:
    """The compiled phrases and statements of a text rule."""

    rule: TextRule
    find: Any | None
    unless: Any | None
    statements: Sequence[Statement] = field(default_factory=tuple)

    def matches(self, sentences: Sentences) -> Iterator[Match]:
        """Places where the text makes the statement; one of each kind in a sentence, and no suspicion where one is sure."""
        told: set[int] = set()
        for (start, end), found in _found(self.find, sentences) if self.find else ():
            sentence = sentences.at(start)
            if self._counts(sentence, start, end) and self._states(sentence, start, end):
                told.add(sentence.start)
                yield Match(start, end, next((int(group) for group in found.groups() if group), None))
        for statement in self.statements:
            for told_in, start, end in statement.places(sentences):
                if told_in.start in told or not self._counts(sentences.at(start), start, end):
                    continue
                if statement.suspected or self._states(told_in, start, end):
                    if statement.suspected and _denied(sentences.at(start), start, end, by_us=self.rule.ours):
                        continue
                    told.add(told_in.start)
                    yield Match(start, end, suspected=statement.suspected)

    def _counts(self, sentence: Sentence, start: int, end: int) -> bool:
        """Say whether the words are asserted, and by our side where the rule is about what we say."""
        a, b = start - sentence.start, end - sentence.start
        if self.unless is not None and self.unless.search(sentence.text):
            return False
        if self.rule.outside and sentence.ours:
            return False
        if not self.rule.quotes_count and only_spoken_of(sentence, a, b):
            return False
        return not (self.rule.ours and of_others(sentence.text, a, b, korean=sentence.korean))

    def _states(self, sentence: Sentence, start: int, end: int) -> bool:
        a, b = start - sentence.start, end - sentence.start
        return (
            self.rule.polarity == "any"
            or polarity(sentence, a, b, by_us=self.rule.ours) == self.rule.polarity
        )


def _denied(sentence: Sentence, start: int, end: int, *, by_us: bool) -> bool:
    """Say whether the act itself is denied or only asked about; a denial in what was said denies nothing."""
    a, b = start - sentence.start, end - sentence.start
    said = polarity(sentence, a, b, by_us=by_us)
    if said != "negated" or sentence.korean:
        return said != "affirmed"
    return denials_en(sentence.text[max(0, a - NEAR) : a]) > 0


def words_of(classes: Mapping[str, Sequence[str]]) -> dict[str, Words]:
    """Raises BadPhrase, naming the class."""
    made: dict[str, Words] = {}
    for name, phrases in classes.items():
        try:
            made[name] = Words(name, _expression(phrases, groups=False))
        except BadPhrase as error:
            raise BadPhrase(f"{name}: {error}") from error
    return made


def phrases_of(rule: TextRule, words: Mapping[str, Words]) -> Phrases:
    """Raises BadPhrase, naming the phrase."""
    told = [_statement(names, words, suspected=False) for names in rule.statements]
    told += [_statement(names, words, suspected=True) for names in rule.suspected]
    find = _expression(rule.phrases) if rule.phrases else None
    return Phrases(rule, find, _expression(rule.unless) if rule.unless else None, told)


def _statement(names: Sequence[str], words: Mapping[str, Words], *, suspected: bool) -> Statement:
    unknown = [name for name in names if name.lstrip("!<") not in words]
    parts = [words[name] for name in names if name in words]
    if unknown or not parts:
        known = ", ".join(sorted(words)) or "–"
        raise BadPhrase(f"there are no words {', '.join(unknown) or names} in this pack; known: {known}")
    none_of = [words[name[1:]] for name in names if name.startswith("!") and name[1:] in words]
    nowhere = [words[name[2:]] for name in names if name.startswith("!!")]
    topic = next((words[name[1:]] for name in names if name.startswith("<")), None)
    return Statement(parts, none_of, suspected, topic, nowhere)


def _expression(phrases: Sequence[str], *, groups: bool = True) -> Any:
    import re2

    options = re2.Options()
    options.never_capture = not groups  # RE2 is several times as fast where nobody asks for groups

    for phrase in phrases:
        if len(phrase) > LONGEST_PHRASE:
            raise BadPhrase(f"{phrase[:40]!r}… is longer than {LONGEST_PHRASE} characters")
        try:
            empty = re2.compile(phrase).match("")
        except re2.error as error:
            raise BadPhrase(f"{phrase!r}: {error}") from error
        if empty:
            raise BadPhrase(f"{phrase!r} matches nothing at all, and so everything")
    return re2.compile("(?i)" + "|".join(f"(?:{phrase})" for phrase in phrases), options)
