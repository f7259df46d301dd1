"""Names of people that an installation's own data holds: found wherever they stand, without a title beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.protection.redaction.finding import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 50_000
_LONGEST_KOREAN = 5
_MOST_WORDS = 4
_WORD = re.compile(r"[가-힣]{2,}|[^\W\d_가-힣][^\W\d_가-힣'’.-]*(?:['’.-][^\W\d_가-힣]+)*")


class KnownNames:
    """The names of one company's people. They are learned when its data is read; beyond `most`, no more are."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._korean: set[str] = set()
        self._western: set[str] = set()

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
                    self._korean.add(bare)
            elif 2 <= len(folded.split(" ")) <= _MOST_WORDS:
                self._western.add(folded)

    def hits(self, text: str) -> Iterator[Hit]:
        """Each word is looked up a bounded number of times, however many names there are."""
        if not len(self):
            return
        yield from self._korean_hits(text)
        words = list(_WORD.finditer(text)) if self._western else []
        for at, word in enumerate(words):
            for count in range(_MOST_WORDS, 1, -1):
                run = words[at : at + count]
                if len(run) == count and text[word.start() : run[-1].end()].casefold() in self._western:
                    yield Hit("NAME", word.start(), run[-1].end(), 42)
                    break

    def _korean_hits(self, text: str) -> Iterator[Hit]:
        for word in _WORD.finditer(text) if self._korean else ():
            start = word.start()
            for length in range(min(_LONGEST_KOREAN, len(word[0])), 2, -1):
                if word[0][:length] in self._korean:
                    yield Hit("NAME", start, start + length, 42)
                    break
