"""Answers that leave a question open: 나중에, 미정, not decided yet. Pure."""

from __future__ import annotations

import re

from metaagent.language.patterns import regex

_LATER = regex(
    r"나중에|모름|모르겠|건너|비워|미정|미확정|정해지지|못\s?정|안\s?정|추후|아직|이따|다음에\s?(?:알|말|정)|(?:알려|말해|말씀|정해)\s?(?:드릴|줄|볼)게"
    r"|\b(?:skip|later|don'?t know|do not know|leave it|tbd|tba|not (?:yet|decided|known|fixed|sure)|undecided|open for now)\b",
    re.IGNORECASE,
)
_DIGIT = regex(r"\d")


def leaves_open(answer: str) -> bool:
    """Say whether an answer gives no value on purpose; one with a number gives it."""
    return _LATER.search(answer) is not None and _DIGIT.search(answer) is None
