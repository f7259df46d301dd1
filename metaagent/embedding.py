"""Vectors without a model: hashed character n-grams, for any language. Pure."""

from __future__ import annotations

import math
import zlib
from collections import Counter

DIMENSIONS = 512
GRAMS = (2, 3)


def embed(text: str) -> list[float]:
    """A unit vector; texts that share pieces of words are near each other."""
    folded = f" {' '.join(text.casefold().split())} "
    grams = Counter(folded[i : i + n] for n in GRAMS for i in range(len(folded) - n + 1))
    vector = [0.0] * DIMENSIONS
    for gram, count in grams.items():
        code = zlib.crc32(gram.encode())
        sign = 1.0 if code & 1 else -1.0
        vector[(code >> 1) % DIMENSIONS] += sign * math.sqrt(count)
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else vector
