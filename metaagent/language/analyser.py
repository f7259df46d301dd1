"""Python-mecab-ko without its objects for each morpheme, which cost more than the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast

from mecab import MeCab, MeCabError
from mecab.utils import create_lattice


class Node(Protocol):
    """A morpheme as it stands in a lattice: tag, six other facts and the expression are its feature, divided by commas."""

    surface: str
    feature: str


class Lattice(Protocol):
    """An analysed text: its morphemes with their spans, or all of them as one string, one in each line."""

    def __iter__(self) -> Iterator[tuple[tuple[int, int], Node]]: ...

    def to_string(self) -> str: ...


class Analyser(MeCab):
    """The analyser that gives what it found as it is."""

    def lattice(self, text: str) -> Lattice:
        found = create_lattice(text)
        if not self._tagger.parse(found):
            raise MeCabError(self._tagger.what())
        return cast("Lattice", found)
