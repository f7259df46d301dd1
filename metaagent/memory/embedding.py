"""Vectors without a model: hashed character n-grams, for any language. Pure."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

DIMENSIONS = 512
GRAMS = (2, 3)


def embed(text: str) -> list[float]:
    """A unit vector; texts that share pieces of words are near each other."""
    vector = [0.0] * DIMENSIONS
    for place, value in pieces(text).items():
        vector[place] = value
    return vector


@lru_cache(maxsize=512)
def pieces(text: str) -> Mapping[int, float]:
    """The embedding without its zeros. Kept for the texts compared last: a person's memories are, at each question."""
    folded = f" {' '.join(text.casefold().split())} "
    grams = Counter(folded[i : i + n] for n in GRAMS for i in range(len(folded) - n + 1))
    vector: dict[int, float] = {}
    for gram, count in grams.items():
        code = zlib.crc32(gram.encode())
        place = (code >> 1) % DIMENSIONS
        vector[place] = vector.get(place, 0.0) + (1.0 if code & 1 else -1.0) * math.sqrt(count)
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {place: value / length for place, value in vector.items()} if length else {}


def nearness(left: Mapping[int, float], right: Mapping[int, float]) -> float:
    return sum(value * right.get(place, 0.0) for place, value in left.items())
