"""Words about the time of things: the newest, the last visit, launched more than ten years ago."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from metaagent.language.numerals import count_word
from metaagent.language.patterns import regex
from metaagent.language.periods import Period
from metaagent.level1.query_analyzer.grammar.meaning import Node, Rank, Span
from metaagent.level1.query_analyzer.grammar.tokens import Piece

_ASKS_WHEN = regex(
    r"(?:\A|[.?!,;]\s*|\b(?:and|so|but) )when (?:did|was|were|is|are|do|does|have|has|will)\b"
    r"|\band when\W*\Z|\b(?:what|which) (?:date|day)\b|(?<![가-힣])언제(?!든|나|라도)"
)
_DATED = regex(
    r"\bwhen\b|\bdates?\b|\bdays?\b|언제|날짜|일자|날(?=[이은을\s?]|\Z)|일(?=[은는이가을를도]?(?:[\s?.]|\Z))"
)
_AGED = (
    (regex(r"(?<![a-z])(?:the )?(?:newest|latest|most recent(?:ly)?|youngest)(?![a-z])"
           r"|(?:가장|제일|맨)\s?(?:최근(?:에|의)?|나중에|늦게|새로운|새로|최신)|최신(?=\s)"), True),
    (regex(r"(?<![a-z])(?:the )?(?:oldest|earliest|longest[- ]standing)(?![a-z])"
           r"|(?:가장|제일|맨)\s?(?:오래된|오래전에|먼저|일찍|처음(?:에|으로)?|예전에)"), False),
)  # fmt: skip
_EDGES = (
    (regex(r"(?<![a-z])(?:the |our |their )?(?:very )?(?:last|latest|most recent(?:ly)?)(?: time)?(?![a-z])"
           r"|(?:맨\s?|가장\s?|제일\s?)?마지막(?:으로|에)?|최종|(?:가장\s?|제일\s?)?최근(?:에|의)?"), True),
    (regex(r"(?<![a-z])(?:the |our |their )?(?:very )?(?:first|earliest)(?: time)?(?![a-z])"
           r"|(?:맨\s?|가장\s?|제일\s?)?처음(?:으로|에)?|최초(?:로|의)?|첫(?!\s?번)"), False),
)  # fmt: skip
_DAY_OF = regex(r"(?<=[가-힣])일자?(?=[은는이가을를도]?(?:[\s?.]|\Z))")
_YEARS_AGO = regex(
    r"(?:지\s?)?(?P<ko>\d{1,2})\s?년\s?(?:이|도)?\s?(?:넘은|넘게\s?된|이상\s?된|지난)"
    r"|(?<![a-z])(?:more than|over|at least) (?P<en>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twenty) years ago"
)


def asks_when(text: str) -> bool:
    """Tell whether a time is asked for, so that a figure alone is no answer."""
    return _ASKS_WHEN.search(text) is not None


def pieces(text: str, today: date) -> Iterator[Piece]:
    for pattern, newest in _AGED:
        for found in pattern.finditer(text):
            yield Piece(*found.span(), (Node("AGED", rank=Rank(descending=newest)),), 1.0, "said")
    if _DATED.search(text):  # otherwise the last month, the first five
        for pattern, newest in _EDGES:
            for found in pattern.finditer(text):
                yield Piece(*found.span(), (Node("EDGE", rank=Rank(descending=newest)),), 1.0, "said")
        for found in _DAY_OF.finditer(text):
            yield Piece(*found.span(), (Node("DAYOF"),), 0.4, "said")
    for found in _YEARS_AGO.finditer(text):
        years = found["ko"] or found["en"]
        last = _years_before(today, int(years) if years.isdigit() else count_word(years) or 1)
        span = Span(last, last, found[0].strip(), open="until")
        yield Piece(*found.span(), (Node("P", period=span),), 0.3, "said")


_NEAR = 8
"""Letters between a verb and its date: launched back in 2022."""


def beside(period: Period, start: int, end: int) -> bool:
    """Tell whether a period stands right before or behind a verb."""
    return 0 <= start - period.end <= _NEAR or 0 <= period.start - end <= _NEAR


_BETWEEN = regex(r"\s*(?:,|·|/|및|와|과|이?랑|하고|and|&|, and)?\s*")
_SUMMED = regex(
    r"합쳐|합산|합계|합한|합하|통틀어|더하|더한|다\s?해서|combined|together|in total|altogether|in all\b"
)


def sums_up(text: str) -> bool:
    """Tell whether the question asks for one figure of all that it lists."""
    return _SUMMED.search(text) is not None


def runs(text: str, found: Sequence[Period]) -> Iterator[Sequence[Period]]:
    """Three or more periods of one unit that stand side by side and follow each other."""
    ordered = sorted(found, key=lambda p: p.start)
    begin = 0
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and _follows(text, ordered[at - 1], ordered[at]):
            continue
        if at - begin >= 3:
            yield ordered[begin:at]
        begin = at


def _follows(text: str, one: Period, other: Period) -> bool:
    if one.rule != other.rule or one.rule not in ("day", "week", "month", "quarter", "year"):
        return False
    if one.range is None or other.range is None or not _BETWEEN.fullmatch(text, one.end, other.start):
        return False
    return other.range.first == one.range.last + timedelta(days=1)


def _years_before(today: date, years: int) -> date:
    """The day before which something happened more than so many years ago."""
    leap = today.month == 2 and today.day == 29
    day = date(today.year - years, today.month, 28 if leap else today.day)
    return day - timedelta(days=1)
