"""Names of people that an installation's own data holds: found wherever they stand, without a title beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction.finding import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 50_000
_LONGEST_KOREAN = 5
_MOST_WORDS = 4
_WORD = regex(r"[가-힣]{2,}|[^\W\d_가-힣][^\W\d_가-힣'’.-]*(?:['’.-][^\W\d_가-힣]+)*")
_NOTHING = regex(r"(?!)")


class KnownNames:
    """The names of one company's people: from its data when it is read, from its accounts when they ask; beyond `most`, no
    more are learned."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._korean: set[str] = set()
        self._western: set[str] = set()
        self._first_words: set[str] = set()
        self._first_syllables: set[str] = set()
        self._korean_words = _NOTHING

    def __len__(self) -> int:
        return len(self._korean) + len(self._western)

    def learn(self, names: Iterable[str]) -> None:
        """A Korean name takes three syllables, any other two words: less is mostly a word like any other."""
        for name in names:
            if len(self) >= self._most:
                return
            folded = " ".join(name.split()).casefold()
            bare = folded.replace(" ", "")
            if re.fullmatch(r"[가-힣]+", bare):
                if 3 <= len(bare) <= _LONGEST_KOREAN:
                    self._learn_korean(bare)
            elif 2 <= len(folded.split(" ")) <= _MOST_WORDS and (first := _WORD.match(folded)):
                self._western.add(folded)
                self._first_words.add(first[0])

    def _learn_korean(self, name: str) -> None:
        self._korean.add(name)
        if name[0] not in self._first_syllables:
            self._first_syllables.add(name[0])
            firsts = "".join(sorted(self._first_syllables))
            self._korean_words = regex(rf"[{firsts}](?<![가-힣].)[가-힣]{{2,{_LONGEST_KOREAN - 1}}}")

    def learn_account(self, account: str) -> None:
        """The id of someone who uses the program is a name too, if it is written like one: 김민수, Jane Miller, jane.miller@…"""
        local, at, _ = account.partition("@")
        self.learn([local.replace(".", " ").replace("_", " ") if at else account])

    def hits(self, text: str) -> Iterator[Hit]:
        """Each word is looked up a bounded number of times, however many names there are."""
        for word in self._korean_words.finditer(text):
            start = word.start()
            for length in range(len(word[0]), 2, -1):
                if word[0][:length] in self._korean:
                    yield Hit("NAME", start, start + length, 42)
                    break
        if self._begins_a_name(text):
            yield from self._western_hits(text)

    def _begins_a_name(self, text: str) -> bool:
        """Tell whether some word of the text is the first of a name: cheaper than looking at each word."""
        if not self._western:
            return False
        folded = text.casefold()
        return len(folded) != len(text) or not self._first_words.isdisjoint(_WORD.findall(folded))

    def _western_hits(self, text: str) -> Iterator[Hit]:
        words = list(_WORD.finditer(text))
        for at, word in enumerate(words):
            for count in range(_MOST_WORDS, 1, -1):
                run = words[at : at + count]
                if len(run) == count and text[word.start() : run[-1].end()].casefold() in self._western:
                    yield Hit("NAME", word.start(), run[-1].end(), 42)
                    break
