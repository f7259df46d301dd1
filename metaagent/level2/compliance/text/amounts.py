"""Reads sums of money and counts of people in Korean and English text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from metaagent.level2.compliance.text.quick import Quick

_NUMBER = r"(?<![\d,.])(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,15}(?:\.\d{1,4})?)(?![\d])"
_KOREAN = re.compile(
    rf"(?:(?P<eok>{_NUMBER})\s?억\s?)?(?:(?P<man>(?:{_NUMBER})(?:\s?천)?|[일이삼사오육칠팔구십백천]+)\s?만\s?)?"
    rf"(?:(?P<cheon>[1-9])\s?천\s?)?(?:(?P<baek>[1-9])\s?백\s?)?(?P<rest>{_NUMBER})?\s?원(?!장|칙|인(?!데|지|\s)|본|활|내|격|천|래|외)"
)
_WON = re.compile(r"[\d억만천백]\s{0,2}원")
"""The end of every sum in Korean; far from every 원 ends one, and looking for the whole of a sum is dear."""
_SIGN = re.compile(rf"(?:₩|\\|KRW\s?)(?P<n>{_NUMBER})", re.IGNORECASE)
_ENGLISH = re.compile(rf"(?P<n>{_NUMBER})\s?(?P<k>thousand|million|k)?\s?(?:won|KRW)\b", re.IGNORECASE)
_NAMED_BARE = Quick(
    r"(?<![\d.,])(?P<n>\d{1,3}(?:,\d{3})+|\d{2,3}(?=k\b))(?P<k>k?)"
    r"(?=\s(?:net\b|gross\b|each\b|apiece\b|a head\b|(?:per|a) (?:head|person)\b|in total\b|in all\b|altogether\b|"
    r"(?:without|excluding|excl\.?|including|incl\.?|before|plus|with) (?:the )?(?:VAT|tax)\b))",
    re.IGNORECASE,
)
"""A number without its currency, which the words after it tell to be one of money: 600,000 net, 62,000 per person."""
_SHORT = Quick(
    r"(?:인당|1인|단가|개당|한\s?개|총|합계|비용|금액|식대|식사|점심|저녁|혼밥|밥값|주차|택시)\s?[:：]?\s?(?P<man>\d{1,4}(?:\.\d{1,2})?)만"
    r"(?=[\s,.()/×x*]|씩|$)(?!\s?(?:명|개|건|정|부|매|통|병|박스|캡슐|회|여|T\b))"
)
"""A sum as a note has it, without its currency: 인당 11.5만."""
_SPELLED = re.compile(
    r"\b(?P<n>(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|a|hundred|thousand|million|and|half)[\s-]){1,12})(?:won|KRW)\b",
    re.IGNORECASE,
)
ENTRY = re.compile(
    r"\s*(?:[-*•·]\s*)?(?:\d{4}\s?[-./년]\s?)?\d{1,2}\s?[-./월]\s?\d{1,2}(?!\d)|[^\n]*(?:\||\t)"
)
"""A line of a list of expenses: it begins with a day, or is divided into columns."""
_BARE = re.compile(
    r"(?<![\d,.~-])\d{1,3}(?:,\d{3}){1,3}(?![\d,.]*\d)(?!\s?(?:원|won|KRW|명|인|개|건|정|부|매|회|주|통|병|박스|캡슐|m[gl]|%|쪽))",
    re.IGNORECASE,
)
"""A number in groups of three, which in such a line is one of money."""
_CURRENCIES = ("₩", "\\", "won", "Won", "WON", "KRW", "krw", "Krw")
_SCALE = {"thousand": 1_000, "k": 1_000, "million": 1_000_000}
_DIGITS = {c: i for i, c in enumerate("일이삼사오육칠팔구", 1)}
_UNITS = {"십": 10, "백": 100, "천": 1_000}


@dataclass(frozen=True)
class Sum:
    won: int
    start: int
    end: int


def sums(text: str) -> list[Sum]:
    """Every sum of money, in order; each place is read once."""
    found = sorted([*_korean(text), *_other(text), *_of_entries(text)], key=lambda one: (one.start, -one.end))
    kept: list[Sum] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _korean(text: str) -> Iterator[Sum]:
    for m in _KOREAN.finditer(text) if _WON.search(text) else ():
        parts = m.groupdict()
        if not any(parts.values()):
            continue
        won = (
            _value(parts["eok"]) * 100_000_000
            + _man(parts["man"]) * 10_000
            + _value(parts["cheon"]) * 1_000
            + _value(parts["baek"]) * 100
            + _value(parts["rest"])
        )
        start = m.start() + len(m.group()) - len(m.group().lstrip())
        yield Sum(round(won), start, m.end())


def _of_entries(text: str) -> Iterator[Sum]:
    for m in _BARE.finditer(text) if ENTRY.match(text) else ():
        yield Sum(int(m.group().replace(",", "")), *m.span())


def _other(text: str) -> Iterator[Sum]:
    for m in _SHORT.finditer(text):
        yield Sum(round(_value(m["man"]) * 10_000), m.start("man"), m.end())
    for m in _NAMED_BARE.finditer(text):
        yield Sum(round(_value(m["n"]) * (1_000 if m["k"] else 1)), m.start(), m.end())
    if not any(sign in text for sign in _CURRENCIES):
        return
    for m in _SIGN.finditer(text):
        yield Sum(round(_value(m["n"])), m.start(), m.end())
    for m in _ENGLISH.finditer(text):
        scale = _SCALE.get((m["k"] or "").lower(), 1)
        yield Sum(round(_value(m["n"]) * scale), m.start(), m.end())
    for m in _SPELLED.finditer(text):
        yield Sum(_spelled(m["n"]), m.start(), m.end())


def _spelled(words: str) -> int:
    """A number in English words: one million five hundred thousand."""
    total, part = 0, 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in ("hundred", "thousand", "million"):
            scale = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}[word]
            part = (part or 1) * scale
            total, part = (total, part) if scale == 100 else (total + part, 0)
        else:
            part += _WORDS.get(word, 1 if word == "a" else 0)
    return total + part


def _value(number: str | None) -> float:
    return float(number.replace(",", "")) if number else 0.0


def _man(number: str | None) -> float:
    """천 before 만 multiplies (2천만), and the number may be in Korean words (십만)."""
    if not number:
        return 0.0
    if number[0].isdigit():
        plain = number.rstrip(" 천")
        return _value(plain) * (1_000 if number.endswith("천") else 1)
    total, digit = 0, 0
    for letter in number:
        if letter in _DIGITS:
            digit = _DIGITS[letter]
        else:
            total, digit = total + (digit or 1) * _UNITS[letter], 0
    return float(total + digit)


_NATIVE = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12,
    "열세": 13, "열네": 14, "열다섯": 15, "스무": 20, "서른": 30,
}  # fmt: skip
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ALONE = {"둘": 2, "셋": 3, "넷": 4}
_LONGEST_FIRST = "|".join(sorted(_NATIVE, key=len, reverse=True))
COUNT = rf"(?:\d{{1,4}}|{_LONGEST_FIRST})"
_WHO = (
    r"people|persons?|doctors?|physicians?|attendees?|guests?|participants?|HCPs?|nurses?|officials?|staff|professors?|"
    r"pharmacists?|clinicians?|members"
)
_PEOPLE = Quick(
    r"(?:원장|의사|간호사|간호조무사|물리치료사|약사|교수|전공의|전문의|과장|의료진|직원|당사)\s?(?P<role>\d{1,2})(?=\s?(?:[,·/)\n]|$))|"
    rf"(?P<n>\d{{1,4}})\s?(?:명|人|인(?:(?![가-힣])|(?=[과와은을께도만]\s|이\s))|분(?!\s?[간동당]|기))(?!당)|"
    rf"(?<![가-힣])(?P<native>{_LONGEST_FIRST})\s?(?:명|분(?=[이과의께을를은만도,.\s]))|"
    rf"(?<![가-힣])(?P<few>둘|셋|넷|다섯|여섯|일곱|여덟)(?:이서|이(?=\s)|서)|"
    rf"\b(?=[\da-z])(?P<us>\d{{1,3}}|{'|'.join(_WORDS)})\s+of us\b|\b(?=[\da-z])(?P<them>\d{{1,3}}|{'|'.join(_WORDS)})\s+of them\b"
    rf"|\b[Ww]e were (?P<we>\d{{1,3}}|{'|'.join(_WORDS)})\b|"
    rf"(?<![\d,.])\b(?=[\da-z])(?P<e>\d{{1,4}}|{'|'.join(_WORDS)})\s+(?!won\b|KRW\b|per\b)(?:[\w-]+\s){{0,2}}?(?:{_WHO})\b",
    re.IGNORECASE,
)
_ALL_TOGETHER = re.compile(
    r"(?:모두|총|합쳐|도합|전부|합계|총원)\s?(?:인원[은는]?\s?)?$|(?:in all|altogether|total of|total:?)\s?$|"
    r"(?:저|나|본인|담당자|필자|직원)(?:를|을|도|와|과)?\s?(?:까지|포함|합[해하쳐]|더[해하])(?:해서|하여|해|서|여)?\s?(?:모두|총)?\s?$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"(?:과|와|및|,|·|\s|그리고|and|\+)*(?:[가-힣]{1,8}\s?|(?:[a-z]+\s){0,3})?", re.IGNORECASE
)
_OWN_STAFF = re.compile(
    r"(?:당사|우리|자사|저희|영업|사내)\s?\S{0,6}\s?$|(?:영업\s?사원|임직원)\s?$|(?:our|of our|own)\s(?:\w+\s)?$",
    re.IGNORECASE,
)


_BESIDE = re.compile(r"[^.\n;]{0,25}")
_PLUS = re.compile(r"(?:plus|and|with|\+|,)\s?$", re.IGNORECASE)
_WITH_US = re.compile(
    r"\s?(?:\(|,)?\s?including (?:me|myself|us|the (?:rep|presenter|speaker))\b", re.IGNORECASE
)
_MINUTES_AFTER = re.compile(
    r"^만\s(?!원)|^\s?(?:정도|가량|쯤|남짓|내외|여|씩|을|를|이|만|은|의)?\s?(?:간|동안|짜리|후(?!원)|뒤|전|만에|늦|일찍|대기|기다|"
    r"지각|소요|걸[려렸]|"
    r"(?:[가-힣]+[을를로]\s)?(?:설명|강연|강의|발표|진행|토의|토론|교육|면담|상담|대화|이야기|통화|상영|시연|했|하였))"
)
_PERSON_BEFORE = re.compile(
    r"(?:님|의사|의료진|선생|원장|교수|과장|간호사|약사|참석자?|직원|고객|연자|전문의|전공의|인원)들?[은는이가도:]?\s?$"
)
_PERSON_AFTER = re.compile(r"^(?:께|이(?=\s)|과\s|와\s|의\s|에게|모두|\s?(?:모두|전원|참석|참여|오셨|계셨))")
_BEFORE = 60
"""Characters before a count in which its words stand: what says whose people they are ends right before it."""


_ASKED_OR_ILL = re.compile(
    r"(?:응답|설문|조사|환자|대상자|피험자)\S{0,4}\s?(?:의사|의료진|중)?\s?$|\b(?:surveyed|responding)\s$"
)
_AMONG = re.compile(r"\s?(?:중(?![가-힣])|가운데\s\d|\s?who (?:answered|responded|took part in the survey))")
"""People of a survey or a study, and the whole of which only some are meant: none of them was given anything."""


def whole_number(word: str) -> int | None:
    """A count in digits or words of either language."""
    return int(word) if word.isdigit() else _NATIVE.get(word) or _ALONE.get(word) or _WORDS.get(word.lower())


def _are_minutes(count: str, before: str, after: str) -> bool:
    """Say whether 분 after a number counts minutes: it counts people only where a word beside it says so."""
    if not count.endswith("분"):
        return False
    said = _PERSON_BEFORE.search(before) or _PERSON_AFTER.match(after)
    return said is None or _MINUTES_AFTER.match(after) is not None


_PAID_BETWEEN = re.compile(r"[\d만천백]\s?원(?![가-힣])|\bwon\b|\bKRW\b|₩", re.IGNORECASE)
"""A bill between two counts of people: the total after it is not that of those before it."""


def people(text: str) -> list[tuple[int, int]]:
    """Counts of people with their positions. Groups in one list are added up; where the text gives the total, it counts alone.

    The own staff of the company counts where it is listed with guests, with whom it shares a bill; by itself it is left out.
    """
    found: list[tuple[int, int, int]] = []
    for m in _PEOPLE.finditer(text):
        count = whole_number(
            m["us"] or m["we"] or m["few"] or m["them"] or m["role"] or m["n"] or m["native"] or m["e"]
        )
        before = text[max(0, m.start() - _BEFORE) : m.start()]
        own = _OWN_STAFF.search(before) or _OWN_STAFF.search(m.group()[:-1])
        joins = (
            bool(found)
            and _BESIDE.fullmatch(text, found[-1][2], m.start()) is not None
            and bool(own or (m["us"] and _PLUS.search(before)))
        )
        whole = (m["us"] and not joins) or m["we"] or m["few"]
        if (
            not count
            or _ASKED_OR_ILL.search(before)
            or _AMONG.match(text, m.end())
            or (own and not joins)
            or (m["n"] and _are_minutes(m.group(), before, text[m.end() : m.end() + _BEFORE]))
            or (
                m["n"] == "1"
                and (m.group().endswith("인") or text[m.end() : m.end() + _BEFORE].lstrip().startswith("당"))
            )
        ):
            continue
        if whole or _ALL_TOGETHER.search(before) or _WITH_US.match(text, m.end()):
            found = [one for one in found if _PAID_BETWEEN.search(text, one[2], m.start())]
            found.append((count, m.start(), m.end()))
        elif found and (joins or _JOINED.fullmatch(text[found[-1][2] : m.start()])):
            found[-1] = (found[-1][0] + count, found[-1][1], m.end())
        else:
            found.append((count, m.start(), m.end()))
    return [(count, start) for count, start, _ in found]
