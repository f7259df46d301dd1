"""Numbers and mail addresses that are spelled out: zero one zero, four four …; kim 골뱅이 naver 점 com; O1O-4482-9O37."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _checks as checks
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_VALUES = {word: str(value) for value, word in enumerate(_WORDS)} | dict.fromkeys(
    ("oh", "o", "nought", "naught"), "0"
)
_VALUES["ten"] = "10"
_ONE = r"(?:ten|zero|one|two|three|four|five|six|seven|eight|nine|oh|o|nought|naught)"
_SPOKEN_DIGIT = rf"(?:(?:double|triple)[ -])?(?:{_ONE}|[0-9]{{1,4}})"
_BETWEEN = r"(?:[ ,.;-]{1,3}|[ ,]{0,2}\r?\n| (?:dash|hyphen|then|and then|space|dot|point) )"
_ENGLISH = regex(
    rf"(?<![A-Za-z0-9]){_SPOKEN_DIGIT}(?:{_BETWEEN}{_SPOKEN_DIGIT}){{4,24}}(?![A-Za-z0-9])", re.IGNORECASE
)
_DIGIT_WORD = regex(rf"(?:(double|triple)[ -])?({_ONE}|[0-9]+)(?![a-z0-9])", re.IGNORECASE)
_FEWEST_WORDS, _FEWEST, _FEWEST_TOLD, _FEWEST_MIXED = 5, 9, 7, 3
_CALLED = regex(
    r"(?:number|phone|mobile|cell|tel|call|ring|text|dial|reach|card|account|acct|pin|passport|id)\b",
    re.IGNORECASE,
)
_COUNTING = "01234567890123456789"

_HANGUL = "공영일이삼사오육륙칠팔구"
_HANGUL_DIGITS = str.maketrans(_HANGUL, "001234566789")
_HANGUL_RUN = regex(
    rf"(?<![가-힣0-9])[{_HANGUL}](?:(?: ?(?:다시|에|[-.,]) ?| )?[{_HANGUL}0-9]){{5,24}}(?![0-9])"
)
_HANGUL_ENDS = regex(r"[가-힣]")
_NUMBER_WORD = regex(r"번호|주민|카드|계좌|비번|비밀|뒷자리|앞자리|여권|면허|통장|외국인|전화|폰|팩스")
_RRN_LENGTH, _LONG = 13, 13

# The last digits of a telephone number, hidden: 0103345****.
_HIDDEN = r"01[016-9][-. ]?(?:[0-9]{3,4}[-. ]?[*xX●○]{4}|[*xX●○]{3,4}[-. ]?[0-9]{4})"
_HIDDEN_PHONE = regex(rf"(?<![0-9A-Za-z]){_HIDDEN}(?![0-9A-Za-z])")
# Groups of any length after 010: 010 2299 04 71.
_LOOSE = r"010(?:[-. ]{1,2}[0-9]{1,4}){3,6}"
_LOOSE_PHONE = regex(rf"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-.,]){_LOOSE}(?![0-9A-Za-z])(?![-.,: ][0-9])")
_DIGITS_OF_MOBILE = 11
# Letters that look like digits, and any signs between the groups: O1O-4482-9O37, 010 , 6127 , 3390, 010…4412…9087.
_LIKE = "[0-9OoIl]"
_APART = r"(?: ?[^0-9A-Za-z가-힣\s]{1,3} ?| ?(?:다시|에|대시|하이픈|dash|hyphen) ?| )"
_ODD = rf"[0Oo][1Il][016-9Oo]{_APART}{_LIKE}{{3,4}}{_APART}{_LIKE}{{4}}"
_ODD_SOLID = rf"[0Oo][1Il][0Oo]{_LIKE}{{8}}"
# What makes it odd: a sign that no ordinary number has, or a letter in a digit's place.
_ODD_SIGN = r"[-.)_ ]{0,3}(?:[^0-9A-Za-z가-힣\s).\-_]|[-._]{2}|다시|에|대시|하이픈|dash|hyphen)"
_IS_ODD = (
    rf"01[016-9]{_ODD_SIGN}|01[016-9][-.)_ ]{{0,3}}[0-9]{{3,4}}{_ODD_SIGN}"
    r"|(?:[Oo][1Il][016-9Oo]|0[Il][016-9Oo]|01[Oo])[^A-Za-z가-힣\n]{0,4}[0-9OoIl]{3}"
    r"|01[016-9][^A-Za-z가-힣\n]{1,14}[OoIl]"
)
_ORDINARY = frozenset("0123456789-.)_ ")
_ODD_PHONE = regex(
    rf"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-.,])(?:{_ODD}|{_ODD_SOLID})(?![0-9A-Za-z])(?![-.,][0-9A-Za-z])"
)

_PART = r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,40}"
_DOT = (
    r"(?: ?(?:\.|[\[({<] ?(?:dot|점|닷) ?[\])}>]) ?| (?:dot|DOT|Dot|점|닷|쩜) | ?[닷쩜] ?|"
    r"(?<=[A-Za-z0-9])점(?=[A-Za-z])|(?<=[일버음트])점?(?=[컴넷]))"
)
_JOIN = (
    r"(?: ?[\[({<] ?(?:dot|점|닷) ?[\])}>] ?"
    r"| (?:dot|DOT|Dot|underscore|dash|hyphen|minus|점|닷|쩜|언더바|언더스코어|밑줄|대시|하이픈) )"
)
_HOSTS = (
    r"(?:gmail|naver|hanmail|daum|nate|kakao|outlook|hotmail|yahoo|icloud|proton(?:mail)?|fastmail|live|gmx|aol|me|"
    r"지메일|네이버|다음|한메일|네이트|카카오|아웃룩|핫메일|야후)"
)
_TOP = r"(?:[A-Za-z]{2,4}|컴|넷|오알지|케이알)"
_DOMAIN = regex(
    rf"(?:{_HOSTS}|[A-Za-z0-9][A-Za-z0-9-]{{0,40}})(?:{_DOT}[A-Za-z0-9][A-Za-z0-9-]{{0,20}}){{0,2}}?"
    rf"(?:{_DOT}{_TOP}){{1,2}}(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_AT_SIGN = regex(
    r"\"@| @ ?|@@|@ (?=[A-Za-z0-9-]{2,40}\.)|@(?=[A-Za-z0-9-]{1,40} \.)|@(?=[A-Za-z0-9-]{1,40} ?[\[({<] ?(?:dot|점|닷))"
    r"| ?[\[({<] ?(?:at|골뱅이|앳|엣) ?[\])}>] ?| (?:at|AT|At) | ?(?:골뱅이|앳|엣) ?"
    r"| ?(?=(?:지메일|네이버|다음|한메일|네이트)(?:점|닷|쩜)(?:컴|넷))"
)
_LOCAL = regex(rf"(?<![A-Za-z0-9._%+-]){_PART}(?:{_JOIN}{_PART}){{0,4}}$")
_QUOTED = regex(r"\"[^\"\n]{1,40}$")
_KNOWN_HOST = regex(rf"{_HOSTS}(?![A-Za-z])", re.IGNORECASE)
_MAIL_WORD = regex(r"메일|회신|mail|write|contact|send|reach|reply|address", re.IGNORECASE)
_MARKED = regex(
    r"[0-9._+-]|(?<= )(?:dot|underscore|dash|hyphen|점|닷|언더바|언더스코어|밑줄)(?= )", re.IGNORECASE
)
_SPELLED_DOT = frozenset(words("dot 점 닷 쩜"))


def english_digits(spoken: str) -> str:
    """Write what is said as digits: double four two is 442."""
    return "".join(
        _VALUES.get(found[2].lower(), found[2]) * {"": 1, "double": 2, "triple": 3}[(found[1] or "").lower()]
        for found in _DIGIT_WORD.finditer(spoken)
    )


def _english(text: str) -> Iterator[Hit]:
    for found in _ENGLISH.finditer(text):
        digits = english_digits(found[0])
        said = sum(word[2].isalpha() for word in _DIGIT_WORD.finditer(found[0]))
        told = context.near(_CALLED, text, *found.span())
        if digits.startswith("01") and len(digits) == _DIGITS_OF_MOBILE and said >= _FEWEST_MIXED:
            yield Hit("PHONE", *found.span(), 80)
            continue
        if said < _FEWEST_WORDS or len(digits) < (_FEWEST_TOLD if told else _FEWEST) or digits in _COUNTING:
            continue
        yield Hit("PHONE" if len(digits) < _LONG else "CARD", *found.span(), 80)


def _hangul(text: str) -> Iterator[Hit]:
    """Digits in Hangul beside a word for a number. What goes on in Hangul after them may be their particle."""
    for found in _HANGUL_RUN.finditer(text):
        spelled = _without_particle(found[0].rstrip(" ,.-"), text[found.end() : found.end() + 1])
        digits = "".join(filter(str.isdigit, spelled.translate(_HANGUL_DIGITS)))
        whole = len(digits) == _RRN_LENGTH and checks.birth_date(digits, latest=99)
        if whole or context.near(_NUMBER_WORD, text, found.start(), found.start() + len(spelled)):
            yield Hit("RRN" if whole else "ID", found.start(), found.start() + len(spelled), 70)


def _without_particle(spelled: str, following: str) -> str:
    """The run without 이 of 이라고 or 일 of 일까: behind a digit, or one more than a telephone number has."""
    many = sum(map(str.isdigit, spelled.translate(_HANGUL_DIGITS)))
    ends = _HANGUL_ENDS.match(following) and spelled[-1] in _HANGUL
    return spelled[:-1] if ends and (spelled[-2].isdigit() or many == _DIGITS_OF_MOBILE + 1) else spelled


def _odd(text: str) -> Iterator[Hit]:
    for found in _ODD_PHONE.finditer(text):
        start, end = found.span()
        letters = sum(char in "OoIl" for char in found[0])
        digits = sum(map(str.isdigit, found[0]))
        if not letters and (digits < _DIGITS_OF_MOBILE or _ORDINARY.issuperset(found[0])):
            continue
        if (
            digits > letters
            and not context.is_labelled_otherwise(text, start)
            and not context.is_counted(text, end)
        ):
            yield Hit("PHONE", start, end, 78)


def _hidden(text: str) -> Iterator[Hit]:
    for found in _HIDDEN_PHONE.finditer(text):
        yield Hit("PHONE", *found.span(), 60)


def _loose(text: str) -> Iterator[Hit]:
    for found in _LOOSE_PHONE.finditer(text):
        whole = sum(map(str.isdigit, found[0])) == _DIGITS_OF_MOBILE
        if whole and not context.is_labelled_otherwise(text, found.start()):
            yield Hit("PHONE", *found.span(), 60)


def _mails(text: str) -> Iterator[Hit]:
    done = 0
    for sign in _AT_SIGN.finditer(text):
        domain = _DOMAIN.match(text, sign.end(), sign.end() + 80)
        if domain is None or sign.start() < done:
            continue
        before = _QUOTED if sign[0] == '"@' else _LOCAL
        local = before.search(text, max(done, sign.start() - 90), sign.start())
        if local and (sign[0].strip() != "at" or _is_told(text, local, domain)):
            done = domain.end()
            yield Hit("EMAIL", local.start(), done, 75)


def _is_told(text: str, local: re.Match[str], domain: re.Match[str]) -> bool:
    """The word `at` stands in many sentences: something else must say that this is an address."""
    if _KNOWN_HOST.match(domain[0]) and (_MARKED.search(local[0]) or "." not in domain[0]):
        return True
    if not _SPELLED_DOT.intersection(domain[0].lower().split()):
        return False
    if _MARKED.search(local[0]):
        return True
    return _MAIL_WORD.search(context.before(text, local.start(), 24)) is not None


DETECTORS = (
    Detector(
        rf"(?i)(?:\b{_ONE}\b[^a-z0-9]{{1,4}}(?:(?:double|triple|dash|then|hyphen)[ -])*){{3}}",
        _english,
        local=True,
    ),
    Detector(rf"[{_HANGUL}](?:[{_HANGUL}0-9 .,-]|다시|에){{5}}", _hangul, local=True),
    Detector(_IS_ODD, _odd, local=True),
    Detector(_LOOSE, _loose, local=True),
    Detector(_HIDDEN, _hidden, local=True),
    Detector(
        r"\"@|@@|@ [A-Za-z0-9-]+\.|[A-Za-z0-9] @ ?[A-Za-z0-9가-힣]|@[A-Za-z0-9-]+(?: \.| ?[\[({<])|골뱅이|[앳엣]|"
        r"[\[({<] ?(?i:at) ?[\])}>]|(?:메일|네이버|다음|네이트)[점닷쩜]|"
        r"(?i:at) [A-Za-z0-9-]+(?:[ .][A-Za-z0-9-]+)*? "
        rf"(?i:dot) |(?i: at {_HOSTS})|(?i: at )[^\n]*[점닷쩜]",
        _mails,
        local=True,
    ),
)
