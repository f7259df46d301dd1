"""Owners of numbers: the name right beside what is proven to be a person's number, by that alone.

A passport, an account or a date of birth has an owner, and people write the name before it, or after it in brackets:
`최강산, 820817-2431152`, `M582K9317 (SEO RAON)`. No title is needed there, and no list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _western_words as western
from metaagent.protection.redaction._name_judgement import is_given, is_likely
from metaagent.protection.redaction._name_words import ALL_SURNAMES, COMPOUND, GIVEN, NOUNS, ORDINARY, TITLES
from metaagent.protection.redaction.finding import Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OWNED = frozenset(
    (
        "RRN",
        "FRN",
        "PHONE",
        "CARD",
        "ACCOUNT",
        "PASSPORT",
        "DRIVER",
        "SSN",
        "IBAN",
        "BIRTH",
        "EMAIL",
        "VEHICLE",
    )
)
_OF_ONE_PERSON = _OWNED - {"PHONE", "ACCOUNT", "EMAIL"}
"""Numbers that no company has: two words in capitals before one are a person's name."""
_KOREAN = rf"(?:(?:{'|'.join(COMPOUND)})[{GIVEN}]{{1,2}}|[{ALL_SURNAMES}][{GIVEN}]{{1,2}})"
_WORD = r"[A-ZÀ-ÞĀ-Ɏ][A-Za-zà-ɏ]+(?:[’'-][A-Za-zà-ɏ]{2,})*"
_LATIN = rf"{_WORD}(?: [A-Z]\.)?(?: {_WORD}){{1,2}}"
_LABELLED = regex(
    r"(?:여권|면허|차량|주민|계좌|카드|생년월일|전화|연락처|휴대폰|(?i:passport|plate|car|licen[cs]e|card|account|iban|swift|ssn|rrn|dob|born))"
    r"(?: ?(?:번호|number|no\.?))?:? ?\(?$"
)
_SIGNS = frozenset(",(/|<:;")
_SIGN = regex(r"[,(/|<:;]")
_ENDS_LABELS = frozenset("권허량민좌드일화처폰호.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_KOREAN_BEFORE = regex(rf"(?<![가-힣])({_KOREAN})(?: ?(?:님|씨))? ?$")
_KOREAN_AFTER = regex(
    rf"(?:일?생)?\)?(?: ?[(,/|<;] ?|으?로 )({_KOREAN})(?: ?(?:님|씨))?(?: ?(?:[),/|>;.\n]|$)| ?(?:에게|한테|께|앞)(?![가-힣]))"
)
_LATIN_BEFORE = regex(rf"(?:^|[\n:;|(/] ?|[a-z,] )({_LATIN}) ?$")
_LATIN_AFTER = regex(
    rf"(?: ?[(/|<;] ?({_LATIN})(?= ?(?:[)/|>;\n]|$))"
    rf"| (?:for|of|belongs to|(?:was |is )?(?:issued|assigned|registered) to) ({_LATIN})(?![A-Za-z]| [A-Z]))"
)
_BEFORE_ITS_DATA, _BEFORE_AN_OWNER = frozenset(" /,(|;\n"), frozenset(" /,(|<;)일생으로")
_MONTH_AND_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
# 한지우/910206/혈청, 장우석 M48271936: six digits of a day before 2011, or the shape of a passport.
_OF_NAMED = regex(
    rf"(?: ?[/,(|;\n] ?| )(?:((?:[3-9][0-9]|0[0-9]|10){_MONTH_AND_DAY}|(?:19[3-9][0-9]|200[0-9]){_MONTH_AND_DAY}"
    r"|(?:19[3-9][0-9]|200[0-9])[-./] ?[01]?[0-9][-./] ?[0-3]?[0-9]|(?:19[3-9][0-9]|200[0-9])년 ?[01]?[0-9]월 ?[0-3]?[0-9]일)"
    r"|([MSRGD][0-9]{8}|[MSRGD][0-9]{3}[A-Z][0-9]{4}))(?![0-9A-Za-z]|[-.,:][0-9])(?! ?[원건개명])"
)
_WIDTH, _LONGEST_LABEL, _LONGEST_KOREAN = 48, 20, 8


def names_beside(text: str, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Find the names that stand right before and right after what has an owner, and what stands right after a name."""
    for hit in hits:
        after = text[hit.end : hit.end + 1]
        if hit.type == "NAME":
            if after in _BEFORE_ITS_DATA and (found := _OF_NAMED.match(text, hit.end, hit.end + _WIDTH)):
                yield Hit("BIRTH" if found[1] else "PASSPORT", *found.span(found.lastindex or 0), 40)
            continue
        if hit.type not in _OWNED:
            continue
        yield from _before(text, hit)
        if not after or after not in _BEFORE_AN_OWNER:
            continue
        if found := _KOREAN_AFTER.match(text, hit.end, hit.end + _WIDTH):
            if _is_somebody(found[1]):
                yield Hit("NAME", *found.span(1), 40)
        elif found := _LATIN_AFTER.match(text, hit.end, hit.end + _WIDTH):
            yield from _latin(found[found.lastindex or 0], found.start(found.lastindex or 0))


def _before(text: str, hit: Hit) -> Iterator[Hit]:
    if not _SIGN.search(text, max(0, hit.start - _LONGEST_LABEL - 2), hit.start):
        return
    head = text[max(0, hit.start - 3) : hit.start].rstrip(" (:")
    labelled = not head or head[-1] in _ENDS_LABELS
    label = _LABELLED.search(text, max(0, hit.start - _LONGEST_LABEL), hit.start) if labelled else None
    end = label.start() if label else hit.start
    sign = text[max(0, end - 2) : end].rstrip(" ")
    if sign[-1:] not in _SIGNS:
        return
    end -= len(text[max(0, end - 2) : end]) - len(sign) + 1
    if found := _KOREAN_BEFORE.search(text, max(0, end - _LONGEST_KOREAN), end):
        # What a colon follows is mostly the head of a line: 정기권: 67소3914.
        if _is_somebody(found[1]) and (sign[-1] != ":" or is_likely(found[1])):
            yield Hit("NAME", *found.span(1), 40)
    elif hit.type in _OF_ONE_PERSON and (found := _LATIN_BEFORE.search(text, max(0, end - _WIDTH), end)):
        yield from _latin(found[1], found.start(1))


def _is_somebody(name: str) -> bool:
    if name in ORDINARY or name in NOUNS or name in TITLES:
        return False
    return is_likely(name) or (len(name) > 2 and is_given(name[1:]))


def _latin(name: str, start: int) -> Iterator[Hit]:
    if western.OF_COMPANIES.search(name):
        return
    if not any(part.capitalize() in western.NOT_NAMES or part in western.NOT_NAMES for part in name.split()):
        yield Hit("NAME", start, start + len(name), 40)
