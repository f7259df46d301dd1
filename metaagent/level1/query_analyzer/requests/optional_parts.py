"""Finds the parts of a question that are asked for only if they are possible: 가능하면 차트도, and a chart if you can.

A part reaches from the words that say so to the end of its clause, or back to the clause's beginning where they stand
at its end. What lies in no such part is wanted in any case. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from metaagent.language.patterns import regex

Span = tuple[int, int]
MOST = 20
"""Such words beyond the first few are no question any more."""

_MANNER = r"(?!\s*(?:빨리|빠르|신속|자세|상세|정확|간단|간략|짧|쉽|최신|한눈에))"
"""가능하면 빨리 says how, not whether."""

_BEFORE = regex(
    r"(?P<topic>(?:은|는|도)\s)?(?<![이가]\s)(?:가능하(?:시)?(?:다)?면|가능한\s?경우(?:에는|에|엔)?|가능할\s?경우"
    r"|(?:될|할)\s?수\s?(?:있으면|있다면)|되도록이면|혹시\s?(?:되면|된다면)"
    r"|(?:시간|여유|여력)(?:이|가)?\s?(?:되면|되시면|된다면|있으면|있다면|허락하면|나면))" + _MANNER
)
"""Said before what is optional, or between it and what to do with it (차트는 가능하면 그려줘). 조회가 가능하면 is a condition."""

_AFTER = regex(
    r"면\s?좋고|안\s?되면\s?(?:말고|안\s?해도|넘어가)|(?:없으면|어려우면|힘들면)\s?(?:말고|빼)"
    r"|(?:없어도|안\s?[돼되]도|(?:안|못)\s?해도)\s?(?:괜찮|돼|되|된|좋|상관)|선택\s?사항|선택(?=이야|이에요|입니다)|\((?:선택|옵션)\)"
)
"""Said at the end of what is optional."""

_EITHER = regex(
    r"\b(?:(?:if|where|when|whenever)\s+(?:(?:it|that)(?:\s+is|['’]s)\s+|at\s+all\s+)?(?:possible|feasible)(?!\s+to\b)"
    r"|if\s+(?:it|that)(?:\s+is|['’]s)\s+not\s+too\s+much\s+(?:trouble|work|to\s+ask)"
    r"|if\s+(?:you|we)\s+(?:can|could|are\s+able\s+to)|if\s+(?:time\s+(?:permits|allows)|there(?:\s+is|['’]s)\s+time))\b"
)
_ABILITY = regex(r"if\s+(?:you|we)\b")
"""Words that in the middle of a clause begin a condition: mail it if you can find it."""

_ADVERB = regex(r"\b(?:ideally|optional(?:ly)?|preferably|nice\s+to\s+have)\b")

_ENDS = regex(
    r"[.?!;。！？](?:\s|$)|,\s*(?:and|but|then)\b"
    r"|(?:하|주|리|내|되|좋|말|들|쓰|시|뽑|찾|놓|두)고(?=[\s,])|(?:지만|면서|하며|으며|는데)(?=[\s,])|(?:줘|세요|어요|해요)(?=[\s,])"
)
"""The end of a clause that began with such words."""

_BEGINS = regex(
    rf"{_ENDS.pattern}|[,:(]|\b(?:and|but|then|plus|also|with|or)\b|그리고|(?<=\S)(?:하고|이랑|랑)(?=\s)"
)
"""The place where a clause that ends with such words may have begun."""

_JOINED = regex(r"(?:^|[,.;:(!?–—-]|\b(?:and|but|also|then|plus|or|maybe|perhaps))\s*$")
"""Signs before words that speak of what follows them."""

_NOTHING_MORE = regex(r"\s*(?:[.?!;,)]\s*)?$|\s*(?:[.?!;)]|,\s*(?:and|but|then)\b|(?:and|but|then)\b)")


class Part(NamedTuple):
    """A stretch of the text that is optional, and the words that say so."""

    start: int
    end: int
    said: Span


def parts(text: str) -> list[Part]:
    """`text` as the rules read it: normalised, lower case."""
    found = [_around(text, match) for match in _said(_BEFORE, text)]
    found += [_backward(text, match) for match in _said(_AFTER, text)]
    for match in _said(_EITHER, text):
        last = _NOTHING_MORE.match(text, match.end())
        if not last and _JOINED.search(text[: match.start()]):
            found.append(_forward(text, match))
        elif last or not _ABILITY.match(match[0]):
            found.append(_backward(text, match))
    for match in _said(_ADVERB, text):
        last = _NOTHING_MORE.match(text, match.end())
        found.append(_backward(text, match) if last else _forward(text, match))
    return sorted(found)


def _said(words: re.Pattern[str], text: str) -> Iterable[re.Match[str]]:
    return islice(words.finditer(text), MOST)


def _around(text: str, said: re.Match[str]) -> Part:
    ahead = _forward(text, said)
    return ahead._replace(start=_backward(text, said).start) if said["topic"] else ahead


def _forward(text: str, said: re.Match[str]) -> Part:
    begin = said.end() + (1 if text[said.end() : said.end() + 1] == "," else 0)
    over = _ENDS.search(text, begin)
    return Part(said.start(), over.end() if over else len(text), said.span())


def _backward(text: str, said: re.Match[str]) -> Part:
    begins = [match.end() for match in _BEGINS.finditer(text, 0, said.start())]
    # Words between the last break and these: and a chart, if possible.
    start = next((at for at in reversed(begins) if text[at : said.start()].strip()), 0)
    return Part(start, said.end(), said.span())


def optional_names(text: str, places: Mapping[str, Sequence[Span]]) -> frozenset[str]:
    """Capabilities that are asked for in optional parts alone. None if all are: 가능하면 매출 알려줘 is merely polite."""
    stretches = parts(text)
    found = {
        name
        for name, spans in places.items()
        if spans and all(any(p.start <= at and end <= p.end for p in stretches) for at, end in spans)
    }
    return frozenset(found) if len(found) < len(places) else frozenset()
