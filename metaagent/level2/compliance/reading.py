"""Reads a text for expenses: who gave whom what, when, for how much, with the place where it says so."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from metaagent.level2.compliance.amounts import Sum, people, sums
from metaagent.level2.compliance.facts import CATEGORY_WORDS, Expense
from metaagent.level2.compliance.wording import (
    LONGEST_SENTENCE,
    Sentence,
    Sentences,
    polarity,
    quotes_a_rule,
)

_WORDS = [
    (re.compile("|".join(re.escape(word) for word in words), re.IGNORECASE), name)
    for name, words in CATEGORY_WORDS.items()
]
_OTHER_MONEY = re.compile(
    r"매출|단가|판매가|가격|약가|예산|목표|실적|주문|수주|연봉|급여|과태료|과징금|벌금|\b(?:sales|revenue|price|budget|target|order|salary|fine)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:의사|의료인|의료진|원장|교수|과장|선생|약사|doctor|physician|HCP)\S{0,4}.{0,30}(?:제공|지급|전달|건넸|송금|입금|드렸|paid|gave|given|transferred)"
    r"|(?:paid|gave|given|transferred).{0,40}(?:doctor|physician|Dr\b|HCP)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"제한|한도|상한|가능|할\s?수\s?있|해야|하여야|허용|규정|기준|원칙|이어야|되어야|must|\bmay\b|shall|should|\blimit|allowed|permitted|cap\b|ceiling",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"^\s?(?:\(.{0,12}\)\s?)?(?:이하|이내|한도|까지|미만|기준|상한|or less|limit|\s?cap\b)", re.IGNORECASE
)
_PASSED = re.compile(r"^\s?(?:을|를)?\s?(?:초과|넘)", re.IGNORECASE)
_BOUND_BEFORE = re.compile(
    r"(?:한도|상한|기준(?:\s?금액)?|(?:is|are|be) (?:limited|restricted) to|"
    r"limit(?: of| is)?|maximum(?: of)?|cap of|at most|up to|exceed(?:ing|s|ed)?|more than|over)"
    r"(?:[은는인이가]|\s?금액)?\s?:?\s?$",
    re.IGNORECASE,
)
_EACH_BEFORE = re.compile(
    r"(?:인당|명당|각각|(?<![가-힣])각|per person|per head|each)[^.\d]{0,14}$", re.IGNORECASE
)
_EACH_AFTER = re.compile(
    r"^(?:\s?\([^)]*\))?\s?(?:씩|/\s?인|/\s?명|per person|per head|each|a head|a person|apiece)",
    re.IGNORECASE,
)
_WITH_TAX = re.compile(
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:를|을)?\s?포함|VAT[ -]?inclu\w+|inclu\w+\s(?:of\s)?VAT|incl\.?\sVAT",
    re.IGNORECASE,
)
_WITHOUT_TAX = re.compile(
    r"(?:부가세|부가가치세|세금|VAT)\s?(?:를|을|는)?\s?(?:별도|제외|미포함|불포함)|VAT[ -]?exclu\w+|"
    r"exclu\w+\s(?:of\s)?VAT|excl\.?\sVAT|plus VAT|before VAT",
    re.IGNORECASE,
)
_SEMINAR = re.compile(r"세미나|심포지엄|학술대회|컨퍼런스|seminar|symposi|conference", re.IGNORECASE)
_HOURS = re.compile(
    r"(\d{1,2})\s?시간|(\d{2,3})\s?분(?=[\s,()간동])|(\d{1,2})[ -]?hours?\b|(\d{2,3})[ -]?minutes?\b",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"(\d{4})\s?[년.\-/]\s?(\d{1,2})\s?[월.\-/]\s?(\d{1,2})|(\d{4})년\s?(\d{1,2})월|"
    r"\b(\d{1,2})\s([A-Z][a-z]{2,8})\s(\d{4})|\b([A-Z][a-z]{2,8})\s(\d{1,2}),?\s(\d{4})"
)
_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_PLACE = re.compile(
    r"[가-힣A-Za-z0-9]{1,20}(?:병원|의원|의료원|보건소|클리닉|약국)|"
    r"(?:[A-Z][\w-]{1,20}\s){1,4}(?:Hospital|Clinic|Medical Center|Health Center)"
)
_PUBLIC = re.compile(
    r"국립|시립|도립|군립|구립|보건소|보건의료원|의료원|대학교|대학병원|대병원|교수|공무원|"
    r"\bpublic\b|national|municipal|city hospital|"
    r"university|health center|professor|government",
    re.IGNORECASE,
)
_TITLE = r"(?:원장|교수|과장|부장|선생|전문의|의사)"
_NAMED = re.compile(
    rf"((?:[가-힣]{{2,4}}\s?[,·、]\s?){{0,20}})([가-힣]{{2,4}})\s{_TITLE}(?:님)?|\bDr\.?\s([A-Z][\w-]{{1,20}}(?:\s[A-Z][\w-]{{1,20}})?)"
)
_NO_NAME = re.compile(
    r"병원|의원|담당|해당|참석|소속|각|전체|모든|다른|일부|내과|외과|임상|주치|대표|신임|여러|명의|부원"
)
_SUMMARY = re.compile(
    r"(?:총액|합계|누계|총\s?[\d억만]|전체|월간|분기|연간|합산|total|overall)", re.IGNORECASE
)
_STRETCH = re.compile(
    r"지난\s?달|지난달|전월|이번\s?달|당월|\d{1,2}월\s?(?:한\s?달|전체|중|의|\s식|\s비|비용|지출)|"
    r"분기|상반기|하반기|연간|한\s?해|기간|last month|quarter|"
    r"this year|annual|monthly",
    re.IGNORECASE,
)

WINDOW = 40
"""Characters around a sum in which its own words stand: per person, with tax, at most."""
MOST_EXPENSES = 2_000
"""Expenses that are read from one text; with more it is too long to be judged at once."""


@dataclass(frozen=True)
class _Around:
    """The facts that a stretch of text names: nearest to a sum for a sentence, only one of a kind for a block."""

    dates: Sequence[date]
    places: Sequence[str]
    heads: Sequence[tuple[int, int]]
    doctors: tuple[str, ...]
    public: bool


def expenses_in(sentences: Sentences) -> list[Expense]:
    """Every expense that the text states. Denied ones, questions, rules and sums of whole periods are none."""
    found: list[Expense] = []
    blocks = _Blocks(sentences.text)
    whole: _Around | None = None
    for sentence in sentences.all:
        amounts = sums(sentence.text)
        if not amounts:
            continue
        here, words = _around(sentence.text), _Words(sentence)
        if _summary(sentence, here):
            continue
        for one in amounts:
            category = words.category(one)
            if len(found) > MOST_EXPENSES:
                return found
            if category is not None:
                whole = whole or _around(sentences.text)
                around = (here, blocks.around(sentence.start), whole)
                found.append(_expense(sentence, one, category, around, len(found)))
    return found


class _Blocks:
    """Paragraphs, divided by empty lines; what each names is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(m.end() for m in re.finditer(r"\n[ \t]*\n+", text))]
        self._read: dict[int, _Around] = {}

    def around(self, position: int) -> _Around:
        at = bisect_right(self._starts, position) - 1
        if at not in self._read:
            end = self._starts[at + 1] if at + 1 < len(self._starts) else len(self._text)
            self._read[at] = _around(self._text[self._starts[at] : end])
        return self._read[at]


def _around(text: str) -> _Around:
    doctors: list[str] = []
    for m in _NAMED.finditer(text):
        names = [m[3]] if m[3] else [*re.findall(r"[가-힣]{2,4}", m[1]), m[2]]
        doctors += [name for name in names if not _NO_NAME.search(name)]
    return _Around(
        [day for day in map(_date, _DATES.finditer(text)) if day is not None],
        list(dict.fromkeys(m.group().strip() for m in _PLACE.finditer(text))),
        people(text),
        tuple(dict.fromkeys(doctors)),
        _PUBLIC.search(text) is not None,
    )


def _date(m: re.Match[str]) -> date | None:
    try:
        if m[1]:
            return date(int(m[1]), int(m[2]), int(m[3]))
        if m[4]:
            return date(int(m[4]), int(m[5]), 1)
        month, day, year = (m[7], m[6], m[8]) if m[7] else (m[9], m[10], m[11])
        return date(int(year), _MONTHS[month[:3].lower()], int(day))
    except (ValueError, KeyError):
        return None


class _Words:
    """The words of a sentence that say what its sums are for, found once."""

    def __init__(self, sentence: Sentence) -> None:
        text = sentence.text
        self._sentence = sentence
        self._kinds = [(m.start(), m.end(), name) for words, name in _WORDS for m in words.finditer(text)]
        self._other = [m.span() for m in _OTHER_MONEY.finditer(text)]
        self._given = not self._kinds and _GIVEN.search(text) is not None

    def category(self, one: Sum) -> str | None:
        """The kind of expense that a sum is for; None where it is none."""
        if not self._kinds and not self._given:
            return None
        near = ((_distance(start, end, one), start, end, name) for start, end, name in self._kinds)
        distance, start, end, name = min(near, default=(0, one.start, one.end, "cash"))
        other = min((_distance(first, last, one) for first, last in self._other), default=LONGEST_SENTENCE)
        sentence = self._sentence
        if other < distance or quotes_a_rule(sentence, one.start, one.end) or _is_a_limit(sentence.text, one):
            return None
        first, last = min(start, one.start), max(end, one.end)
        return name if polarity(sentence, first, last) == "affirmed" else None


def _distance(start: int, end: int, one: Sum) -> int:
    return one.start - end if end <= one.start else max(0, start - one.end) + 1


def _is_a_limit(text: str, one: Sum) -> bool:
    """Say whether the sum is a limit that the text speaks of, not one that was spent."""
    before, after = text[max(0, one.start - WINDOW) : one.start], text[one.end :]
    if _PASSED.match(after) or _BOUND_BEFORE.search(before):
        return True
    bound = _BOUND.match(after)
    return bound is not None and (
        bound.group().strip() in {"한도", "기준", "상한", "limit", "cap"} or _RULE.search(after) is not None
    )


def _summary(sentence: Sentence, here: _Around) -> bool:
    """A total over a stretch of time is no single expense; its rows are judged in the book."""
    text = sentence.text
    single = here.heads or here.doctors or _EACH_BEFORE.search(text) or re.search(r"인당|per person|씩", text)
    day = any(m[3] or m[6] or m[10] for m in _DATES.finditer(text))
    return bool(_SUMMARY.search(text) and _STRETCH.search(text)) and not single and not day


def _expense(
    sentence: Sentence, one: Sum, category: str, around: tuple[_Around, _Around, _Around], number: int
) -> Expense:
    here, block, whole = around
    text = sentence.text
    heads = _heads(here, block, one)
    each = bool(
        _EACH_BEFORE.search(text[max(0, one.start - WINDOW) : one.start])
        or _EACH_AFTER.match(text[one.end :])
    )
    amount = one.won * (heads or 1) if each else one.won
    doctors = here.doctors or block.doctors or whole.doctors
    place = _only(here.places) or _only(block.places) or _only(whole.places)
    nearby = text[max(0, one.start - WINDOW) : one.end + WINDOW]
    with_tax, without = _WITH_TAX.search(nearby), _WITHOUT_TAX.search(nearby)
    public = here.public or (bool(block.public) if block.places or block.doctors else False)
    return Expense(
        ids=(f"text {number + 1}",),
        date=_only_day(here) or _only_day(block) or _only_day(whole),
        category=category,
        amount=amount,
        vat=amount - round(amount / 1.1) if with_tax else None,
        tax_free=amount // 10 if without else None,
        heads=heads or (1 if each else None) or (len(here.doctors) if category != "meal" else None) or None,
        doctors=doctors,
        institution=place,
        public=True if public or (place and _PUBLIC.search(place)) else (False if place else None),
        event=f"text {number + 1}",
        occasion="seminar" if _SEMINAR.search(text) else "visit",
        hours=_hours(text),
        note=text.strip(),
        span=(sentence.start + one.start, sentence.start + one.end),
    )


def _heads(here: _Around, block: _Around, one: Sum) -> int | None:
    if here.heads:
        return min(here.heads, key=lambda pair: abs(pair[1] - one.start))[0]
    counts = {count for count, _ in block.heads}
    return counts.pop() if len(counts) == 1 else None


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(set(values)) == 1 else None


def _only_day(around: _Around) -> date | None:
    days = set(around.dates)
    return days.pop() if len(days) == 1 else None


def _hours(text: str) -> int | None:
    found = _HOURS.search(text)
    if not found:
        return None
    hours, minutes = found[1] or found[3], found[2] or found[4]
    # A lecture counts in started hours of at least forty minutes.
    return max(1, (int(hours) * 60 + 20 if hours else int(minutes) + 20) // 60)
