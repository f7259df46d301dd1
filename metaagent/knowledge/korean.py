"""Korean morphemes: the one adapter for the analysers, python-mecab-ko by default and kiwipiepy by setting.

Words are analysed one by one: a word then has the same morphemes in a question and in a document, and those of a word seen
before cost nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from metaagent.errors import ConfigInvalid, Text

Analyser = Literal["mecab", "kiwi"]
LONGEST_WORD = 100
"""Syllables; a longer run is cut, so that no text makes an analysis long."""

_NOT_INSTALLED = Text(
    en="The morpheme analyser {name!r} is not installed: `pip install metaagent[kiwi]`, or set it to mecab.",
    ko="형태소 분석기 {name!r}이(가) 설치되어 있지 않습니다. `pip install metaagent[kiwi]`로 설치하거나 mecab으로 설정하세요.",
)


class Morpheme(NamedTuple):
    """One morpheme: its dictionary form, its tag (NNG noun, VV verb, JKS particle, ...), and its parts if it is a compound."""

    form: str
    tag: str
    parts: tuple[str, ...] = ()


@lru_cache(100_000)
def morphemes(word: str, analyser: Analyser = "mecab") -> tuple[Morpheme, ...]:
    """Analyse one Korean word (a run of Hangul syllables in NFC). The analyser is loaded at first use."""
    pieces = [word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD)]
    analyse = _analysers(analyser)
    with _LOCK:
        return tuple(morpheme for piece in pieces for morpheme in analyse(piece))


def placed_morphemes(text: str) -> list[tuple[int, Morpheme]]:
    """Analyse running text: each morpheme with the place where its word part begins. Neighbours settle what a word may be."""
    blank = len(text) - len(text.lstrip())  # the analyser counts from the first letter on
    with _LOCK:
        found = _sentence_tagger()(text[blank:])
    return [(start + blank, one) for start, one in found]


def is_noun(word: str) -> bool:
    """Tell whether a Korean word is a noun of the dictionary: 예상 is one, and so no slip of 예산."""
    read = morphemes(word) if word and all("가" <= char <= "힣" for char in word) else ()
    return len(read) == 1 and read[0].tag == "NNG"


def without_particle(word: str) -> str:
    """The noun of a Korean word: 접대비가 → 접대비."""
    if len(word) < _SHORTEST or not all("가" <= char <= "힣" for char in word):
        return word
    kept = list(morphemes(word))
    if "".join(one.form for one in kept) != word:
        return word
    while len(kept) > 1 and kept[-1].tag.startswith("J"):
        kept.pop()
    return "".join(one.form for one in kept) if kept[-1].tag.startswith(("N", "X")) else word


_SHORTEST = 3
"""Syllables of a word that may hold a particle: a shorter one is cut too easily."""
_FOLLOWING = "있다"
"""Stands after the word: at the end of a text the analyser takes particles for nouns (의약품의 → 의약 + 품의)."""
_LOCK = threading.Lock()
"""Neither analyser promises to be safe in several threads."""


@lru_cache(2)
def _analysers(analyser: Analyser) -> Callable[[str], list[Morpheme]]:
    try:
        return _mecab() if analyser == "mecab" else _kiwi()
    except ImportError as error:
        raise ConfigInvalid(_NOT_INSTALLED, name=analyser) from error


def _mecab() -> Callable[[str], list[Morpheme]]:
    tag = _sentence_tagger()

    def analyse(word: str) -> list[Morpheme]:
        return [one for start, one in tag(f"{word} {_FOLLOWING}") if start < len(word)]

    return analyse


@lru_cache(1)
def _sentence_tagger() -> Callable[[str], list[tuple[int, Morpheme]]]:
    from metaagent.language import analyser

    tagger = analyser.Analyser()

    def tag_all(text: str) -> list[tuple[int, Morpheme]]:
        return [
            (span[0], one)
            for span, node in tagger.lattice(text)
            for one in _of_node(node.surface, node.feature)
        ]

    return tag_all


@lru_cache(50_000)
def _of_node(surface: str, feature: str) -> tuple[Morpheme, ...]:
    """The morphemes of a node: tag, six other facts and the expression, divided by commas, * for none."""
    tag, *_, expression = feature.split(",")
    split = [part.split("/") for part in expression.split("+")] if expression not in ("", "*") else []
    if "+" in tag:  # an inflected form: its dictionary forms, one by one
        return tuple(Morpheme(part[0], part[1]) for part in split if len(part) > 1)
    return (Morpheme(surface, tag, tuple(part[0] for part in split)),)


def _kiwi() -> Callable[[str], list[Morpheme]]:
    from kiwipiepy import Kiwi

    kiwi = Kiwi()

    def analyse(word: str) -> list[Morpheme]:
        tokens = cast("list[Any]", kiwi.tokenize(word))
        return [Morpheme(str(token.form), str(token.tag).split("-")[0]) for token in tokens]

    return analyse
