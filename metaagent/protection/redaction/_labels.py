"""Values that only the word before them tells apart: 건강보험증번호 70482915533, 잠금번호 480215, 카톡 아이디 …, "
"licence plate 7KDR482."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _checks as checks
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_IS = r"(?: ?[(\[][^)\]\n]{1,12}[)\]])?(?:은|는|이|가)? ?(?:is|was|:|=|#|-)?(?: |\r?\n)?[\"'(\[]?"
_NUMBER = r"(?:번호|No\.?|no\.?|number|코드|ID)"
# Numbers that an office gives to one person: insurance, customs, a profession, a pension.
_OFFICES = (
    r"(?:건강 ?보험증?|의료 ?보험증?|보험증|개인 ?통관(?: ?고유)? ?부호|통관 ?부호|국민연금|연금증서|장애인 ?등록|보훈|군번|학생증|"
    r"(?:의사|약사|간호사|한의사|치과의사|수의사|변호사|세무사|노무사|회계사|전문의)? ?(?:면허|자격)증?|"
    r"(?i:health insurance|medicare|nhs|customs clearance|medical licen[cs]e|tax id|national id))"
)
_GIVEN_BY_OFFICE = regex(
    rf"{_OFFICES} ?{_NUMBER}?{_IS}((?=[A-Z0-9 -]{{0,16}}[0-9]{{3}})[A-Z]{{0,2}}[0-9](?:[0-9 "
    rf"-]{{2,14}})[0-9])(?![0-9A-Za-z]|[-.,][0-9]|[년월일호원건명개%])"
)
_PIN = regex(
    r"(?:잠금|핀|도어록|도어락|현관|출입|공동현관|보안|인증|카드 ?비밀|"
    r"(?i:pin|cvc|cvv|passcode|door|lock|access|security|one-time|otp|verification))"
    rf" ?(?:비번|비밀번호|번호|코드|(?i:code|pin))?(?: for (?:the |our |my )?[a-z]{{2,12}})?{_IS}"
    r"([*#]?[0-9]{3,8}[*#]?)(?![0-9A-Za-z]|[-.,:][0-9]|[자개월분초년일호층%])"
)
_PIN_WORD = regex(r"(?i:pin|cvc|cvv|passcode|code)|번호|비번|코드|핀")
_HANDLE = regex(
    r"(?:카톡|카카오톡|라인|텔레그램|인스타(?:그램)?|위챗|스카이프|페이스북|트위터|디스코드|(?i:kakao(?:talk)?|telegram|instagram|line|wechat|"
    rf"skype|discord|twitter|slack)) ?(?:아이디|계정|핸들|(?i:id|handle|account|"
    rf"user(?:name)?)){_IS}@?((?=[A-Za-z0-9._-]{{0,30}}[a-z])[A-Za-z0-9._-]{{4,30}})"
)
_PLATE = regex(
    r"(?i:plate|vehicle reg(?:istration)?)(?: (?:no\.?|number))?"
    rf"{_IS}((?=[A-Z0-9 -]{{0,8}}[0-9])(?=[A-Z0-9 -]{{0,8}}[A-Z])[A-Z0-9]{{1,4}}[ -]?[A-Z0-9]{{2,5}})(?![A-Za-z0-9])"
)
_LOGIN = regex(
    r"(?:(?i:admin|root|administrator|user|login|id)|관리자|계정|아이디)[^\n/]{0,12} ?/ ?"
    r"((?=[!-~]{0,31}[A-Za-z])(?=[!-~]{0,31}[0-9])(?=[!-~]{0,31}[!@#$%^&*?~+])[!-.0-~]{6,32})(?![!-~])"
)
# Groups of any length with any signs between them, after a word that says what the number is: 계좌 282~875190~73626.
_OF_PERSONS = r"주민 ?(?:등록)?|외국인 ?등록|민증|(?i:resident(?: registration)?|rrn|national id)"
_OF_CARDS = r"카드|(?i:card)"
_OF_ACCOUNTS = r"계좌|통장|은행|뱅크|농협|수협|신협|우체국|(?i:account|acct|a/c)"
_OF_LICENCES = r"면허증?|(?i:licen[cs]e)"
_OF_PHONES = (
    r"전화|연락처|휴대폰|휴대전화|핸드폰|폰|번호|문의|문자|팩스|(?i:phone|mobile|cell|tel|fax|number|call|hp)"
)
_BETWEEN = r"(?: ?[^0-9A-Za-z가-힣\s]{1,3} ?|[ ]{0,2}|\r?\n| ?(?:다시|에|대시|하이픈|(?i:dash|hyphen)) ?)"
_ANY_GROUPS = regex(
    rf"(?:(?P<RRN>{_OF_PERSONS})|(?P<CARD>{_OF_CARDS})|(?P<ACCOUNT>{_OF_ACCOUNTS})|(?P<DRIVER>{_OF_LICENCES})|(?P<PHONE>{_OF_PHONES}))"
    rf" ?{_NUMBER}?{_IS}(?P<digits>[0-9](?:{_BETWEEN}[0-9]){{8,15}}+)(?![0-9A-Za-z]|[-.,][0-9])"
)
# What makes a grouping odd: all others are read by shape.
_ODDLY = r"(?:[^0-9A-Za-z가-힣\s.()-]|[^0-9A-Za-z가-힣\s]{2}| [-.] |\n|다시|에|대시|하이픈|(?i:dash|hyphen))"
_IS_ODD = regex(_ODDLY)
_THOUSANDS = regex(r"[0-9]{1,3}(?:,[0-9]{3})+")
_NO_DIGIT = regex(r"[^0-9]")


def _in_any_groups(text: str) -> Iterator[Hit]:
    for found in _ANY_GROUPS.finditer(text):
        start, end = found.span("digits")
        if not _IS_ODD.search(text, start, end):
            continue
        digits = _NO_DIGIT.sub("", found["digits"])
        kind = next(kind for kind in ("RRN", "CARD", "ACCOUNT", "DRIVER", "PHONE") if found[kind])
        amount = context.is_counted(text, end) or _THOUSANDS.fullmatch(found["digits"])
        if _has_length(kind, digits) and not amount and not context.is_labelled_otherwise(text, start):
            yield Hit(kind, start, end, 46)


def _has_length(kind: str, digits: str) -> bool:
    """Tell whether a number of this kind has so many digits, and begins so."""
    length = len(digits)
    match kind:
        case "RRN":
            return length == 13 and checks.birth_date(digits, latest=99)
        case "CARD":
            return 14 <= length <= 16 and checks.card_issuer(digits)
        case "ACCOUNT":
            return 10 <= length <= 16 and not checks.starts_like_a_date(digits)
        case "DRIVER":
            return length == 12 and "11" <= digits[:2] <= "28"
        case _:
            return 9 <= length <= 11 and digits[0] == "0" and digits[1] != "0"


def _given_by_offices(text: str) -> Iterator[Hit]:
    for found in _GIVEN_BY_OFFICE.finditer(text):
        yield Hit("ID", *found.span(1), 45)


def _pins(text: str) -> Iterator[Hit]:
    """Codes that open something: a word for a number or a code must say so (출입 120명 is a count)."""
    for found in _PIN.finditer(text):
        if _PIN_WORD.search(text, found.start(), found.start(1)):
            yield Hit("SECRET", *found.span(1), 56)


def _handles(text: str) -> Iterator[Hit]:
    for found in _HANDLE.finditer(text):
        yield Hit("ID", *found.span(1), 45)


def _plates(text: str) -> Iterator[Hit]:
    for found in _PLATE.finditer(text):
        yield Hit("VEHICLE", *found.span(1), 45)


def _logins(text: str) -> Iterator[Hit]:
    for found in _LOGIN.finditer(text):
        yield Hit("SECRET", *found.span(1), 56)


DETECTORS = (
    Detector(
        rf"(?:{_OF_PERSONS}|{_OF_CARDS}|{_OF_ACCOUNTS}|{_OF_LICENCES}|{_OF_PHONES}) ?{_NUMBER}?"
        rf"{_IS}[0-9][0-9 .()\r-]*{_ODDLY} ?[0-9]",
        _in_any_groups,
        local=True,
    ),
    Detector(
        r"(?:보험|통관|연금|장애인|보훈|군번|학생증|면허|자격|(?i:insurance|medicare|nhs|customs|licen[cs]e|tax id|national id))"
        r"(?:[^0-9\s]*\s?){0,11}[0-9][0-9 -]{2}",
        _given_by_offices,
        local=True,
    ),
    Detector(
        r"(?:잠금|핀|도어록|도어락|현관|출입|보안|인증|비밀) ?(?:비번|비밀|번호|코드)|(?i:\bpin|cvc|cvv|passcode|(?:door|"
        r"lock|access|security|one-time|otp|verification) (?:code|pin))",
        _pins,
        local=True,
    ),
    Detector(
        r"(?:톡|라인|그램|위챗|스카이프|북|트위터|디스코드|(?i:kakao|talk|telegram|instagram|line|wechat|skype|discord|"
        r"twitter|slack)) ?"
        r"(?:아이디|계정|핸들|(?i:id|handle|account|user))",
        _handles,
        local=True,
    ),
    Detector(r"(?i:\bplate|vehicle reg)", _plates, local=True),
    Detector(
        r"(?:(?i:admin|root|user|login|\bid)|관리자|계정|아이디)[^\n/]* ?/ ?[!-~]{6}", _logins, local=True
    ),
)
