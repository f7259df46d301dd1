"""Kinds of facts that questions ask for and sentences state: an amount, a time, a person, a permission. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from metaagent.language.patterns import regex


class Kind(NamedTuple):
    """A kind of fact: words of questions that ask for it, and words of sentences that state it."""

    name: str
    asked: re.Pattern[str]
    stated: re.Pattern[str]


def _kind(name: str, asked: str, stated: str) -> Kind:
    return Kind(name, regex(asked, re.IGNORECASE), regex(stated, re.IGNORECASE))


KINDS = (
    _kind(
        "amount",
        r"얼마|한도|상한|하한|몇|금액|비율|퍼센트|최대|최소|단가|가격"
        r"|\b(?:how (?:much|many|often|expensive)|limit|maximum|minimum|cap|ceiling|amount|fee|price)\b"
        r"|\b(?:share|percentage|proportion)\b",
        r"(?<![\d제])(?<!월)(?<!월\s)(?!(?:19|20)\d\d\s?[년.-]|\d{1,2}\s?월)\d",  # no date, no number of an article
    ),
    _kind(
        "time",
        r"언제|며칠|몇\s?(?:일|시간|시|분|개월|달|년|주|영업일)|얼마나\s?(?:빨리|오래|자주)|기한|기간|마감|까지"
        r"|\b(?:when|how (?:long|soon|quickly|fast|early|often)|deadline|period|within|until)\b",
        r"\d+\s?(?:일|시간|시|분|개월|년|주|영업일|회)|매년|매월|매주|해마다|분기|바로|즉시|안에|까지"
        r"|\b(?:days?|hours?|minutes?|weeks?|months?|years?|within|until|immediately)\b",
    ),
    _kind(
        "person",
        r"누가|누구|누구한테|어느\s?(?:부서|팀)|무슨\s?부서|담당\s?부서|어디(?:에|로|다)\s?(?:알|말|보고|신고|연락|전화)"
        r"|\b(?:who|whom|whose|which (?:team|department))\b",
        r"[가-힣](?:팀|팀장|부서장|본부장|지점장|기관장|장관|위원회|담당자)(?:이|가|은|는|의|에|과|와|을|를|$)|담당자"
        r"|\b(?:compliance|team leader|division head|minister|representative|manager)\b",
    ),
    _kind(
        "permission",
        r"[가-힣]도\s?(?:되|돼|될|됩|괜찮)|수\s?있(?:나|어|는|을까|습|지)|안\s?(?:되|돼)|괜찮|가능|허용"
        r"|\b(?:may|can (?:i|we|you|one)|okay|ok|allowed|permitted|should (?:i|we))\b",
        r"수\s?(?:없|있)|않는다|않으며|안\s?된다|금지|허용|인정하지|[가-힣]만\s|못한다|때만"
        r"|\b(?:never|not|only|may|must|unless|nobody|no)\b",
    ),
)


class Measure(NamedTuple):
    """A measure that a question asks for by its unit, and what a sentence has that states one."""

    asked: re.Pattern[str]
    stated: re.Pattern[str]


def _measure(asked: str, stated: str) -> Measure:
    return Measure(regex(asked, re.IGNORECASE), regex(stated, re.IGNORECASE))


_COUNT = (
    r"(?:\d|[한두세네]\s?(?:번|명|개|장|곳|시간|달|해)|하루|이틀|사흘|일주일|보름|절반|무료"
    r"|\b(?:one|two|three|four|five|six|seven|ten|twelve|thirty|half|once|twice|free)\b)"
)
_SPAN = (
    r"\d+\s?(?:년|개월|달|주|일(?!\s?\d+\s?회)|시간|분|영업일)|[한두세]\s?(?:달|해|시간|주)|하루|이틀|사흘|일주일|보름|"
    r"매[년월주일]|해마다"
    r"|\b(?:days?|hours?|minutes?|weeks?|months?|years?|immediately)\b"
)
MEASURES = (
    _measure(
        r"몇\s?(?:퍼센트|프로|%)|비율|\bwhat (?:percentage|share|proportion)\b",
        r"\d\s?(?:%|퍼센트|프로|per\s?cent)|절반|\bhalf\b",
    ),
    _measure(
        r"몇\s?(?:개월|달|년|해)(?!\s?전)|\bhow many (?:\w+ )?(?:months|years)\b",
        r"\d+\s?(?:년|개월|달)|[한두세]\s?(?:달|해)|\b(?:months?|years?)\b",
    ),
    _measure(
        r"며칠|몇\s?(?:일|시간|분|주|영업일)|얼마나\s?(?:오래|빨리)"
        r"|\bhow (?:long|soon|quickly)\b|\bhow many (?:\w+ )?(?:days|hours|minutes|weeks)\b",
        _SPAN,
    ),
    _measure(
        r"얼마(?!나)|몇\s?(?:명|번|회|개|장|곳|차례|원|건|살|세|도)|\bhow (?:much|many|often)\b", _COUNT
    ),
)


def states(sentence: str, question: str) -> bool:
    """Say whether a sentence has the measures that the question asks for by their units: a span of time for 몇 년."""
    asked = [measure for measure in MEASURES if measure.asked.search(question)]
    return all(measure.stated.search(sentence) for measure in asked)


def wanted(question: str) -> tuple[Kind, ...]:
    """Name the kinds of facts that a question asks for."""
    return tuple(kind for kind in KINDS if kind.asked.search(question))


def fit(sentence: str, kinds: tuple[Kind, ...]) -> float:
    """The share of the wanted kinds that a sentence states; nothing is wanted: 0."""
    return sum(bool(kind.stated.search(sentence)) for kind in kinds) / len(kinds) if kinds else 0.0
