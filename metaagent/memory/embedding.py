"""Vectors without a model: hashed character n-grams, for any language. Pure."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from hashlib import blake2b

DIMENSIONS = 512
GRAMS = (2, 3)


def embed(text: str, key: bytes) -> list[float]:
    """A unit vector to be stored; texts that share pieces of words are near each other. Which place a piece has depends on
    the key: without it, nobody can read the pieces back from a vector."""

    vector = [0.0] * DIMENSIONS
    for place, value in _features(text, partial(_keyed, key)).items():
        vector[place] = value
    return vector


@lru_cache(maxsize=1 << 16)
def _keyed(key: bytes, gram: str) -> int:
    """Texts of one language share most of their pieces: hashing them costs more than all the rest."""
    return int.from_bytes(blake2b(gram.encode("utf-8", "replace"), digest_size=4, key=key).digest())


@lru_cache(maxsize=512)
def pieces(text: str) -> Mapping[int, float]:
    """An embedding without its zeros, for comparing here and now: it is never stored. Kept for the texts compared last: a
    person's memories are, at each question."""
    return _features(text, lambda gram: zlib.crc32(gram.encode("utf-8", "replace")))


def _features(text: str, placed: Callable[[str], int]) -> dict[int, float]:
    folded = f" {' '.join(text.casefold().split())} "
    grams = Counter(folded[i : i + n] for n in GRAMS for i in range(len(folded) - n + 1))
    vector: dict[int, float] = {}
    for gram, count in grams.items():
        code = placed(gram)
        place = (code >> 1) % DIMENSIONS
        vector[place] = vector.get(place, 0.0) + (1.0 if code & 1 else -1.0) * math.sqrt(count)
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {place: value / length for place, value in vector.items()} if length else {}


def nearness(left: Mapping[int, float], right: Mapping[int, float]) -> float:
    return sum(value * right.get(place, 0.0) for place, value in left.items())
