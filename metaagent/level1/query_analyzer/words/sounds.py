"""Foreign names in Hangul: 재즈 and Jazz, 런던 and London sound alike.

Both are brought to classes of consonants that Korean spelling tells apart, and to rough vowels. How far two names are
from each other is what it takes to turn one into the other; letters that Korean leaves out (r in York, h in John) cost
little. It is a guess, and the person is told what was understood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from metaagent.language.patterns import regex

NEAR_OF_FEW = {2: 0.13, 3: 0.25}
"""Few consonants are in many words: 무료 is no meal, 쿠엔다 no Canada."""
NEAR_PER_CONSONANT = 0.12
_INITIALS = ("K", "K", "N", "T", "T", "R", "M", "P", "P", "S", "S", "", "C", "C", "C", "K", "T", "P", "H")
_VOWELS = (
    "a",
    "e",
    "a",
    "e",
    "o",
    "e",
    "o",
    "e",
    "o",
    "a",
    "e",
    "e",
    "o",
    "u",
    "o",
    "e",
    "i",
    "u",
    "",
    "i",
    "i",
)
_FINALS = (
    "", "K", "K", "K", "N", "N", "N", "T", "R", "K", "M", "P", "R", "R", "P", "R", "M", "P", "P", "T", "T", "N", "C",
    "C", "K", "T", "P", "H",
)  # fmt: skip
_LATIN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (regex(pattern), to)
    for pattern, to in (
        (r"[^a-z]+", ""), (r"tch|ch", "C"), (r"sch|sh", "S"), (r"ph", "P"), (r"^th", "T"), (r"th", "S"), (r"ck|qu|q", "K"),
        (r"x", "KS"), (r"gh", ""), (r"^kn", "N"), (r"^wr", "R"), (r"ng", "N"), (r"c(?=[eiy])", "S"), (r"c", "K"),
        (r"g(?=[ei])(?<!gg)|j|z", "C"), (r"g", "K"), (r"[td]", "T"), (r"[rl]", "R"), (r"[pbfv]", "P"), (r"s", "S"),
        (r"k", "K"), (r"n", "N"), (r"m", "M"), (r"h", "H"), (r"w", ""), (r"ee|ea|ie|y", "i"), (r"oo|ou", "u"),
        (r"ae|ai|ay", "e"), (r"au|aw", "o"),
    )
)  # fmt: skip
_WEAK = {"R": 0.2, "H": 0.2}
_CLOSE = {frozenset("SC"): 0.15, frozenset("ST"): 0.3, frozenset("CT"): 0.4}
_VOWEL_COST = 0.12


@lru_cache(maxsize=20_000)
def sound(name: str) -> str:
    """Upper case for classes of consonants, lower case for vowels; '' where nothing can be said."""
    if any("가" <= char <= "힣" for char in name):
        return _hangul(name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    for pattern, to in _LATIN:
        plain = pattern.sub(to, plain)
    return re.sub(r"(.)\1+", r"\1", plain)


def _hangul(name: str) -> str:
    out: list[str] = []
    for char in name:
        code = ord(char) - 0xAC00
        if not 0 <= code < 11172:
            continue
        initial, vowel, final = _INITIALS[code // 588], _VOWELS[code % 588 // 28], _FINALS[code % 28]
        if not (out and initial and out[-1] == initial):  # 블루: one l, written in two syllables
            out.append(initial)
        out += [vowel, final]
    return "".join(out)


def distance(one: str, other: str) -> float:
    row = [0.0]
    for letter in other:
        row.append(row[-1] + _cost(letter))
    for letter in one:
        above, row = row, [row[0] + _cost(letter)]
        for at, facing in enumerate(other):
            row.append(
                min(
                    above[at] + _change(letter, facing),
                    above[at + 1] + _cost(letter),
                    row[-1] + _cost(facing),
                )
            )
    return row[-1]


def _cost(letter: str) -> float:
    return _VOWEL_COST if letter.islower() else _WEAK.get(letter, 1.0)


def _change(one: str, other: str) -> float:
    if one == other:
        return 0.0
    if one.islower() and other.islower():
        return _VOWEL_COST
    if one.islower() or other.islower():
        return 2.0
    return _CLOSE.get(frozenset((one, other)), 1.0)


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one name that sounds like the word; None if none does, or two do."""
    heard = sound(word)
    consonants = sum(letter.isupper() for letter in heard)
    if consonants < 2:
        return None
    limit = NEAR_OF_FEW.get(consonants, NEAR_PER_CONSONANT * consonants)
    found = sorted(
        (distance(heard, sound(name)), name) for name in set(names) if sound(name)[:1] == heard[:1]
    )
    near = [(far, name) for far, name in found if far <= limit]
    if not near or (len(near) > 1 and near[1][0] - near[0][0] < _VOWEL_COST / 2):
        return None
    return near[0][1]
