"""Texts that a question quotes: they are what is judged, stored or written down, and ask for nothing themselves. Pure."""

from __future__ import annotations

from metaagent.language.patterns import regex

Span = tuple[int, int]
_MARKED = regex(
    r"[\"“”«](?P<double>[^\"“”«»]{12,4000})[\"“”»]|(?<!\w)['‘](?P<single>(?:[^'‘’]|(?<=\w)['’](?=\w)){12,4000})['’](?!\w)"
    r"|[「『](?P<corner>[^「」『』]{12,4000})[」』]"
)
_BEHIND_COLON = regex(
    r"(?:(?:다음|아래|이|the following|following|this|below)(?=\s)|메모|노트|\b(?:a|my) (?:\w+ )?(?:note|memo|text))"
    r"[^:\n\"“”«»]{0,60}:(?!\s?(?:\d|다음|이번|오는|내일|모레))\s*([^\"“”«»]{12,4000})\Z"
)
"""A text behind the words that announce it; a day behind them is that of the next visit."""
_LEAST_WORDS = 3
"""A name in quotation marks has fewer words than a text."""


def quotations(text: str) -> list[Span]:
    """The places of texts in quotation marks, and of one behind "아래 메모: …" or "the following note: …"."""
    found = [match.span(match.lastgroup or 0) for match in _MARKED.finditer(text)] or [
        match.span(1) for match in _BEHIND_COLON.finditer(text)
    ]
    return [span for span in found if len(text[slice(*span)].split()) >= _LEAST_WORDS]


def inside(spans: list[Span], start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in spans)
