"""Types made of digits: found by shape inside runs of digits, kept by check digit, calendar and context."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _checks as checks
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Seven digits are the least that any of these types has. Possessive: a run is walked once.
_RUN = regex(r"[0-9](?:[-.() _]{0,3}+[0-9]){6,}+")
_NO_SIGNS = str.maketrans("", "", "+-.() _\r\n")
_DULL = regex(r"(?:19|20)[0-9]{2}([-. ]{1,2})[0-9]{1,2}\1[0-9]{1,2}|[0-9]{7}")
# A letter or digit before, or one with a joining sign: then this is the middle of something longer.
_L = r"(?<![0-9A-Za-z])(?<![0-9A-Za-z]-)(?<![0-9]\.)"
_R = r"(?![0-9])(?![-.][0-9])"
# A comma and three digits go on with an amount; any other comma starts the next number of a list.
_BARE_R = r"(?![0-9A-Za-z])(?![-.][0-9])(?!,[0-9]{3}(?![0-9.\- ]))"
_D = r"[0-9]"

_RRN = regex(_L + rf"{_D}{{2}}[- .]?{_D}{{2}}[- .]?{_D}{{2}} ?[-. ]? ?[1-8][- ]?{_D}{{6}}" + _BARE_R)
_BRN = regex(_L + rf"(?:{_D}{{3}}( ?[-. ] ?|){_D}{{2}}\1{_D}{{5}}|{_D}{{3}}-{_D}{{7}})" + _BARE_R)
_CARD = regex(
    _L + rf"(?:{_D}{{4}}( ?[-. ] ?){_D}{{4}}\1{_D}{{4}}\1{_D}{{4}}(?:\1{_D}{{3}})?"
    rf"|{_D}{{4}}( ?[-. ] ?){_D}{{4}} ?[-. ] ?{_D}{{4}} ?[-. ] ?{_D}{{4}}|{_D}{{8}}([-. ]){_D}{{8}}"
    rf"|{_D}{{4}}([-. ]){_D}{{6}}\4{_D}{{4,5}}"
    rf"|{_D}{{13,16}}|{_D}{{19}})" + _BARE_R
)
_DRIVER = regex(_L + rf"(?:1[1-9]|2[0-8])( ?[-. ] ?|){_D}{{2}}\1{_D}{{6}}\1{_D}{{2}}" + _BARE_R)
_SSN = regex(_L + rf"{_D}{{3}}([- ]?){_D}{{2}}\1{_D}{{4}}" + _BARE_R)
_GROUPED = regex(_L + rf"{_D}{{2,8}}(?: ?- ?{_D}{{1,8}}){{1,4}}" + _R)
_SPACED = regex(_L + rf"{_D}{{3,6}}(?:[ .]{_D}{{2,7}}){{1,3}}" + _BARE_R)
_SOLID = regex(_L + rf"{_D}{{8,17}}" + _BARE_R)

_S = r"(?: ?[-.)_] ?| |)"
_PHONE_L = r"(?<![0-9])(?<![0-9][-.])(?<![0-9]\))"
AREA = r"(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|60|50[2-8]?|30[1-5]?)"
_MOBILE = regex(_PHONE_L + rf"(?:\(01[016-9]\)|01[016-9]){_S}{_D}{{3,4}}{_S}{_D}{{4}}" + _R)
_ABROAD_KR = regex(
    rf"(?<![0-9A-Za-z])(?<![0-9][-.,])(?:\+ ?|00[0-9]{{0,3}}[- ]?|\(\+?)?82\)?[-. )]{{0,2}}(?:\(0\) ?|0)?"
    rf"(?:1[016-9]|\(?{AREA}\)?){_S}{_D}{{3,4}}{_S}{_D}{{4}}" + _R
)
_MOBILE_ABROAD = regex(rf"82[-. ]?0?10[-. ]{_D}{{4}}[-. ]{_D}{{4}}")
_LANDLINE = regex(_PHONE_L + rf"(\(0{AREA}\)|\(0\){AREA}|0{AREA})({_S}){_D}{{3,4}}({_S}){_D}{{4}}" + _R)
_NANP = regex(
    rf"(?<![0-9A-Za-z])(?<![0-9A-Za-z][-.,])(?:(?:\+ ?)?1[-. ]?)?(\([2-9]{_D}{{2}}\)|[2-9]{_D}{{2}})([-. "
    rf"]?) ?[2-9]{_D}{{2}}([-. ]?)"
    rf"{_D}{{4}}" + _BARE_R
)
_NATIONAL = regex(_PHONE_L + rf"0[1-9]{_D}{{1,3}}(?:[- ]{_D}{{3,6}}){{1,2}}" + _R)
_BRITISH_MOBILE = regex(r"07[0-9]{3} (?:[0-9]{6}|[0-9]{3} [0-9]{3})")
_CALLED_BY = regex(
    r"(?:전화|연락처|휴대폰|핸드폰|(?<![a-z])(?:tel|phone|mobile|cell|fax|call|dial|text|whatsapp|ring))[^0-9\n]{0,12}$",
    re.IGNORECASE,
)
_DIALLED = regex(
    rf"(?<![0-9A-Za-z])(?<![0-9][-.,])00[0-9]{{0,3}}[- ][1-9]{_D}{{0,2}}(?:[-. ]{_D}{{2,8}}){{1,5}}+" + _R
)
_E164 = regex(rf"(?<![0-9A-Za-z+])\+ ?[1-9]{_D}{{0,2}}(?:[-. ]{{0,1}}+\(?{_D}{{1,5}}\)?){{2,6}}+" + _R)

_PERSON = regex(
    r"주민|rrn|resident|신분|본인|등록번호|외국인|alien|foreigner|(?<![a-z])arc(?![a-z])|생년|national id|"
    r"identity|거소|"
    r"registration n|personal id|민증|배우자|피부양|부양가족|가족관계|등본|세대[주원]|피보험|수급자",
    re.IGNORECASE,
)
_BUSINESS = regex(r"사업자|business[ _](?:reg|no|num)|brn|등록번호|공급자|tax id|사업장", re.IGNORECASE)
_CALL = regex(
    r"전화|연락|휴대|핸드폰|폰|모바일|사무실|대표|고객센터|콜센터|상담|문의|직통|팩스|통화|문자|수신|발신|"
    r"자택|집|번호|"
    r"(?<![a-z])(?:tel|phone|mobile|cell|fax|call|contact|dial|text|sms|hp|h\.p|office|reach|hotline|"
    r"whatsapp)",
    re.IGNORECASE,
)
_TEL_WORD = regex(r"(?<![a-z])(?:tel|phone|mobile|cell|fax|hp|h\.p|t|m|f|p|c)[-.: ]{0,2}$", re.IGNORECASE)
_CARD_WORD = regex(
    r"카드|card|(?<![a-z])cc ?(?:num|no|#|:)|visa|master|amex|결제|credit|debit|jcb|체크", re.IGNORECASE
)
_CARD_RIGHT_BEFORE = regex(
    r"(?:(?:법인|신용|체크|개인)?카드|법카|신카|(?<![a-z])(?:credit |debit |corporate )?card|visa|amex|mastercard)"
    r"(?: ?(?:번호|number|no\.?))?(?:는|은|가|is)?[ :=(#-]{0,3}$",
    re.IGNORECASE,
)
_CARD_LENGTH = 16
_PAID = regex(r" ?(?:으?로)? ?(?:결제|긁|승인|청구)")
_WHOLE = regex(r"(?:whole|full|entire|complete|the|this|전체|전부) ?(?:number|번호)[: ]{0,2}$", re.IGNORECASE)
_LICENCE = regex(r"면허|[12]종 ?(?:보통|대형)|licen[cs]e|driver['’]?s? (?:no|num|id|card)", re.IGNORECASE)
_SOCIAL = regex(r"ssn|social sec|itin|tax ?payer", re.IGNORECASE)
_BANKS = (
    r"(?:국민|kb|신한|우리|하나|농협|nh|기업|ibk|sc제일|제일|외환|씨티|한국씨티|산업|kdb|수협|신협|우체국|"
    r"새마을금고|새마을|케이|케뱅|카뱅|토뱅|토스|카카오|im|아이엠|저축|산림조합|k|hsbc|미래에셋|삼성|한국투자|nh투자|키움|woori|shinhan|"
    r"kookmin|hana|nonghyup|kakao|toss|citi)"
)
_BANK = regex(
    r"계좌|통장|예금주|입금|송금|이체|은행|뱅크|농협|수협|신협|새마을금고|우체국|(?<![a-z])(?:bank|account|"
    r"acct|a/c|deposit to|wire)",
    re.IGNORECASE,
)
# What may stand between a word for a number and the number: 계좌번호(필수), 계좌(국민은행) -, 계좌번호은(는).
_MARKS = (
    r"\s?(?:\([^)\d\n]{1,12}\)){0,2}[\s\"']?(?:은\(는\)|은|는|로|:|이|가|as|is)?\s*[-:;=(\[>→|]?[\s\"']*$"
)
# A name of a region is a bank's only where it says so: 부산 heads a row of figures, too.
_BANK_ADJACENT = regex(
    rf"(?:(?:계좌|통장|가상계좌|입금처|계좌번호)|(?:부산|대구|광주|전북|경남|제주)\s?(?:은행|bank)|{_BANKS}\s?"
    r"(?:은행|뱅크|증권|중앙회|bank)?)"
    rf"\s?(?:계좌|통장)?\s?(?:번호|no\.?)?{_MARKS}",
    re.IGNORECASE,
)
_YEAR = regex(r"(?:19|20)[0-9]{2} ?-")
_BANK_FOLLOWS = regex(
    rf"\s?[,(\[]?\s?(?:{_BANKS}|부산|대구|광주|전북|경남|제주)\s?(?:은행|뱅크|증권|bank|[)\]])",
    re.IGNORECASE,
)
_ACCOUNT_EN = regex(
    r"(?:(?<![a-z])(?:bank\s+account|checking|savings)(?:\s+account)?|(?<![a-z])(?:account|acct|"
    r"a/c)[._]?\s*(?:number|num|no\.?|#)"
    r"|(?<![a-z])(?:account|acct|a/c)|routing(?:\s+number)?|sort code|iban)\s*(?:number|num|no\.?|"
    r"#)?[\s\"']*(?:is|as|[-:;=(\[>→|])?[\s\"']*$",
    re.IGNORECASE,
)
_PASSPORT_WORD = regex(
    r"(?:passport|여권)\s*(?:number|num|no\.?|번호|#)?\s*(?:은|는|is|:|=)?\s*$", re.IGNORECASE
)


def _digits(text: str) -> str:
    return text.translate(_NO_SIGNS)


def _is_solid(found: re.Match[str]) -> bool:
    return found[0].isdigit()


def _rrn(text: str, found: re.Match[str]) -> Hit | None:
    digits = _digits(found[0])
    start, end = found.span()
    said = context.near(_PERSON, text, start, end)
    if not checks.birth_date(digits, latest=99) or (
        _is_solid(found) and not said and context.is_counted(text, end)
    ):
        return None
    # Numbers given out since October 2020 have no check digit.
    new = found[0][6] == "-" and checks.is_newly_issued(digits)
    proven = checks.birth_date(digits) and (checks.rrn(digits) or new)
    if not found[0][:6].isdigit() or found[0][-7] == " ":  # groups as no resident number has them
        proven = False
    if (not proven and not said) or context.is_labelled_otherwise(text, start):
        return None
    return Hit("FRN" if digits[6] in "5678" else "RRN", start, end, 90)


def _brn(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if not checks.brn(_digits(found[0])) or context.is_labelled_otherwise(text, start):
        return None
    plain = (found[1] or "").strip() != "-"
    if (plain or context.is_numbered(text, start)) and not context.near(_BUSINESS, text, start, end):
        return None
    return Hit("BRN", start, end, 80)


def _card(text: str, found: re.Match[str]) -> Hit | None:
    digits = _digits(found[0])
    start, end = found.span()
    if len(digits) not in (13, 14, 15, 16, 19) or not checks.card_issuer(digits):
        return None
    if not checks.luhn(digits):
        # A digit that was mistyped or misread: four groups of four after a word for a card are one all the same.
        told = (found[1] or len(found[0]) == _CARD_LENGTH) and (
            _CARD_RIGHT_BEFORE.search(context.before(text, start, 20))
            or _PAID.match(context.after(text, end))
        )
        return Hit("CARD", start, end, 60) if told else None
    if context.near(_CARD_WORD, text, start, end):
        return Hit("CARD", start, end, 85)
    if found[2] or found[3]:  # signs of several kinds, or one: groups that stand beside each other by chance
        return None
    numbered = context.is_numbered(text, start) and not _WHOLE.search(context.before(text, start, 20))
    solid = numbered or context.is_counted(text, end)
    other = solid if _is_solid(found) else context.is_code(text, start)
    return None if other else Hit("CARD", start, end, 85)


def _driver(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if context.near(_LICENCE, text, start, end):
        return Hit("DRIVER", start, end, 70)
    if found[1].strip() != "-" or context.is_numbered(text, start) or context.near(_BANK, text, start, end):
        return None
    return Hit("DRIVER", start, end, 70)


def _ssn(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    known = context.near(_SOCIAL, text, start, end)
    if not checks.ssn(_digits(found[0])) and not (known and found[0][0] == "9"):
        return None
    if not known and (found[1] != "-" or context.is_numbered(text, start)):
        return None
    return Hit("SSN", start, end, 75)


def _phone_starts_well(text: str, start: int) -> bool:
    """A letter right before is fine in `Tel.02-…` and `HP010…`, not in a product code."""
    head = context.before(text, start, 8)
    joined = head[-2:].strip("(")
    if not joined or not (joined[-1].isascii() and (joined[-1].isalpha() or joined[-1] in "-.")):
        return True
    if joined[-1] in "-." and not (len(joined) > 1 and joined[0].isascii() and joined[0].isalnum()):
        return True
    return _TEL_WORD.search(head) is not None


def _mobile(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if not _phone_starts_well(text, start) or context.is_code(text, start):
        return None
    if _is_solid(found):
        follows = text[end : end + 2].lstrip("-_")[:1]
        if context.is_counted(text, end) or (follows.isascii() and follows.isalpha()):
            return None
        # Ten digits after 010 are one too few: only someone who says "phone" means them so.
        if len(found[0]) == 10 and found[0][:3] == "010" and not context.near(_CALL, text, start, end):
            return None
    return Hit("PHONE", start, end, 80)


def _landline(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if not _phone_starts_well(text, start) or context.is_labelled_otherwise(text, start):
        return None
    # Groups after an area code, kept apart by one sign: figures have no zero before them.
    marked = (bool(found[2]) and bool(found[3])) or found[1][0] == "("
    said = _TEL_WORD.search(context.before(text, start, 8)) or context.near(_CALL, text, start, end)
    return Hit("PHONE", start, end, 75) if marked or said else None


def _nanp(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if context.is_labelled_otherwise(text, start):
        return None
    marked = found[1][0] == "(" or found[0][0] == "+" or (found[2] == found[3] and found[2] in ("-", "."))
    if not marked and (context.is_counted(text, end) or not context.near(_CALL, text, start, end)):
        return None
    return Hit("PHONE", start, end, 60)


def _national(text: str, found: re.Match[str]) -> Hit | None:
    """A number as another country writes it within its borders, where a word says that it is one: mobile 07700 900316."""
    start, end = found.span()
    if not 10 <= len(_digits(found[0])) <= 11 or context.is_labelled_otherwise(text, start):
        return None
    told = _CALLED_BY.search(context.before(text, start, 24)) or _BRITISH_MOBILE.fullmatch(found[0])
    return Hit("PHONE", start, end, 60) if told else None


def _abroad(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    if context.is_counted(text, end) and " " not in found[0] and "-" not in found[0]:
        return None
    if not 8 <= len(_digits(found[0])) <= 16 or context.is_code(text, start):
        return None
    mobile = _MOBILE_ABROAD.fullmatch(found[0])
    if found[0][0] not in "+0(" and not mobile and not context.near(_CALL, text, start, end):
        return None
    return Hit("PHONE", start, end, 82)


def _e164(text: str, found: re.Match[str]) -> Hit | None:
    digits = _digits(found[0])
    solid = found[0][1:].isdigit()
    if not 9 <= len(digits) <= 15 or (solid and (len(digits) < 10 or context.is_counted(text, found.end()))):
        return None
    return Hit("PHONE", found.start(), found.end(), 62)


def _dialled(text: str, found: re.Match[str]) -> Hit | None:
    """A number with the prefix of a carrier before the country: 001-1-212-…"""
    return Hit("PHONE", *found.span(), 62) if context.near(_CALL, text, *found.span()) else None


def _grouped_account(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    digits = _digits(found[0])
    dated = len(found[0].partition("-")[0].strip()) >= 4  # 2026-1117-…, never 202-61-117…
    if not 10 <= len(digits) <= 16 or (dated and checks.starts_like_a_date(digits)):
        return None
    if context.is_labelled_otherwise(text, start):
        return None
    head, tail = context.before(text, start), context.after(text, end)
    # 우리, 기업, 하나 are also common words: beside a year they name no bank.
    if _YEAR.match(found[0]) and not (_BANK.search(head) or _BANK.search(tail)):
        return None
    if not (
        _BANK.search(head) or _BANK_ADJACENT.search(head) or _BANK.search(tail) or _BANK_FOLLOWS.match(tail)
    ):
        return None
    return Hit("ACCOUNT", start, end, 50)


def _spaced_account(text: str, found: re.Match[str]) -> Hit | None:
    return _solid_account(text, found) if 10 <= len(_digits(found[0])) <= 16 else None


def _solid_account(text: str, found: re.Match[str]) -> Hit | None:
    start, end = found.span()
    length = len(_digits(found[0]))
    head = context.before(text, start)
    if _THOUSANDS.fullmatch(found[0]) and context.is_counted(text, end):
        return None
    if length == 9 and _PASSPORT_WORD.search(head):
        return Hit("PASSPORT", start, end, 70)
    korean = 10 <= length <= 16 and (
        _BANK_ADJACENT.search(head) or _BANK_FOLLOWS.match(context.after(text, end))
    )
    if korean or _ACCOUNT_EN.search(head):
        return Hit("ACCOUNT", start, end, 50)
    return None


# What an amount looks like; other groups are none, and 만 after them is a particle.
_THOUSANDS = regex(r"[0-9]{1,3}(?:[ .][0-9]{3})*|[0-9]+(?:[ .][0-9]+)?")
_CARD_HALVES = regex(
    r"(?<![0-9A-Za-z])(?<![0-9][\n .,-])[0-9]{4} ?[0-9]{4} ?\r?\n ?[0-9]{4} ?[0-9]{4}(?![0-9A-Za-z]| ?[-.,\n] ?[0-9]|\r?\n[0-9])"
)
_LINE_END = regex(r"(?<=[0-9]) ?\r?\n(?=[0-9]{3})")
# Types with a check digit or a fixed beginning: a column of amounts is none of them.
_SAID_OF = {"CARD": _CARD_WORD, "PHONE": _CALL, "DRIVER": _LICENCE}

_BEGINS = frozenset("+(")
"""Signs that a number may begin with: what is found without one before it may be a part."""
_LONGEST_MOBILE = 13
_LONGEST = 48
"""Characters that an account number with its signs has at most."""


class _Number(NamedTuple):
    """`least` digits and the string `needs` are there wherever the shape fits: cheaper to look for than the shape."""

    least: int
    needs: str
    shape: re.Pattern[str]
    judge: Callable[[str, re.Match[str]], Hit | None]
    by_words: bool = False
    """It takes a word beside the number: inside a long run of digits there is none, so only its ends are looked at."""


# Strongest first: an account is only looked for where nothing with better evidence stands.
_NUMBERS = (
    _Number(13, "", _RRN, _rrn),
    _Number(13, "", _CARD, _card),
    _Number(10, "", _BRN, _brn),
    _Number(9, "82", _ABROAD_KR, _abroad),
    _Number(10, "01", _MOBILE, _mobile),
    _Number(9, "0", _LANDLINE, _landline),
    _Number(9, "", _SSN, _ssn),
    _Number(12, "", _DRIVER, _driver),
    _Number(9, "+", _E164, _e164),
    _Number(11, "00", _DIALLED, _dialled),
    _Number(10, "", _NANP, _nanp),
    _Number(10, "0", _NATIONAL, _national),
    _Number(10, "-", _GROUPED, _grouped_account, by_words=True),
    _Number(10, "", _SPACED, _spaced_account, by_words=True),
    _Number(8, "", _SOLID, _solid_account, by_words=True),
)


def _is_plain_mobile(text: str, start: int, end: int) -> Hit | None:
    """Judge the commonest of all numbers first: nothing stronger has so few digits and begins so."""
    if not text.startswith("01", start) or end - start > _LONGEST_MOBILE:
        return None
    before = text[start - 1 : start]
    if before and before in "+(-.0123456789":
        return None
    found = _MOBILE.match(text, start, min(len(text), end + 3))
    return _mobile(text, found) if found and found.end() == end else None


def _in_run(text: str, start: int, end: int) -> Iterator[Hit]:
    if hit := _is_plain_mobile(text, start, end):
        yield hit
        return
    # A sign before the first digit belongs to it: +82, (02), (+82).
    head = max(0, start - 3)
    run = text[head:end]
    # Look-aheads must see what follows the run.
    limit = min(len(text), end + 3)
    taken = [False] * (end - head)
    digits = len(text[start:end].translate(_NO_SIGNS))
    for least, needs, shape, judge, by_words in _NUMBERS:
        if digits < least or needs not in run:
            continue
        at = head
        inside = (start + context.BEFORE, end - context.AFTER - _LONGEST) if by_words else (end, end)
        while at < end and (found := shape.search(text, at, limit)):
            at = found.start() + 1
            if inside[0] < at < inside[1]:
                at = inside[1]
                continue
            if found.start() < end and not taken[found.start() - head] and (hit := judge(text, found)):
                taken[hit.start - head : hit.end - head] = [True] * (hit.end - hit.start)
                at = hit.end
                yield hit
                if hit.start <= start and at >= end and not _BEGINS.intersection(text[head : hit.start]):
                    return


def _halves(text: str) -> Iterator[Hit]:
    """A card of which one half stands in the next line, and no other figures round it."""
    for found in _CARD_HALVES.finditer(text):
        digits = _digits(found[0])
        proven = checks.card_issuer(digits) and checks.luhn(digits)
        if proven and not context.is_labelled_otherwise(text, found.start()):
            yield Hit("CARD", *found.span(), 60)


def _over_lines(text: str) -> Iterator[Hit]:
    """A number whose groups stand in lines one below the other: kept only where a word says what it is.

    A line end becomes a space, so that all places stay the same.
    """
    joined = _LINE_END.sub(lambda found: " " * len(found[0]), text)
    for run in _RUN.finditer(joined):
        if "\n" not in text[run.start() : run.end()]:
            continue
        for hit in _in_run(joined, run.start(), run.end()):
            said = _SAID_OF.get(hit.type)
            if said and "\n" in text[hit.start : hit.end] and said.search(context.before(joined, hit.start)):
                yield hit


def _runs(text: str) -> Iterator[Hit]:
    for run in _RUN.finditer(text):
        if not _DULL.fullmatch(text, run.start(), run.end()):
            yield from _in_run(text, run.start(), run.end())


DETECTORS = (
    Detector(r"[0-9](?:[-.() _]{0,3}[0-9]){6}", _runs),
    Detector(r"[0-9] ?\r?\n[0-9]{3}", _over_lines),
    Detector(r"[0-9]{4} ?\r?\n ?[0-9]{4} ?[0-9]{4}", _halves),
)
