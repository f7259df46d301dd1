"""Types that are not runs of digits: e-mail, IP addresses, passports, IBAN, keys, tokens and passwords."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _checks as checks
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_AT = regex(r"(?: @ |@)(?=[A-Za-z0-9À-ɏ가-힣])")
_LOCAL_BACKWARDS = regex(r"[A-Za-z0-9À-ɏ_%+\-](?:[A-Za-z0-9À-ɏ._%+'!#$&*/=?^`{|}~\-]{0,62}[A-Za-z0-9À-ɏ_])?")
_KOREAN_LOCAL_BACKWARDS = regex(r"[0-9._-]{0,12}[가-힣][가-힣A-Za-z0-9._-]{0,30}")
_DOMAIN = regex(
    r"(?:[A-Za-z0-9À-ɏ](?:[A-Za-z0-9À-ɏ-]{0,61}[A-Za-z0-9À-ɏ])?\.|"
    r"[가-힣]{1,20}\.){1,6}(?:[A-Za-z]{2,18}(?![A-Za-z0-9])|한국|닷컴)"
)
_FILES = frozenset(
    words("png jpg jpeg gif svg webp ico bmp pdf js ts css html json yaml yml py md txt csv xlsx docx log")
)
_SPOKEN_AT = regex(r"[\[(] ?(?:at|골뱅이) ?[\])]")
_SPOKEN_LOCAL_BACKWARDS = regex(r" ?[A-Za-z0-9_%+\-][A-Za-z0-9._%+\-]{0,63}")
_SPOKEN_DOMAIN = regex(
    r" ?[A-Za-z0-9-]{1,63}(?: ?[\[(] ?dot ?[\])] ?[A-Za-z0-9-]{1,63}|\.[A-Za-z0-9-]{1,63}){1,4}"
)

_IPV4 = regex(
    r"[0-9](?<![0-9A-Za-z.][0-9])(?<![0-9]-[0-9])[0-9]{0,2}(?:(?:\.|\[\.\]|\(\.\))[0-9]{1,3}){3}(?![0-9A-Za-z_])(?!\.[0-9])(?!-[0-9])"
)
_BRACKETS = str.maketrans("", "", "[]()")
_VERSION = regex(
    r"(?:버전|버젼|version|ver|release|릴리스|릴리즈|빌드|build|섹션|section|chapter|조항|절|항목|목차|oid|"
    r"rev|revision|펌웨어|firmware|"
    r"패치|patch|드라이버|driver|sdk|chrome|표|그림|table|figure|fig)\.?\s*(?:은|는|:|=|번호)?\s*[vV]?\s*$",
    re.IGNORECASE,
)
_OF_A_TEXT = regex(
    r" ?(?:절|항|조|장)(?:[은는이가을를의에과와]|에서|부터|까지)?(?![가-힣])| ?(?:버전|버젼|빌드|릴리[스즈]|"
    r"(?i:builds?|version|release|patch|firmware)\b)"
)
_NETWORK = regex(
    r"(?<![a-z])ip(?![a-z])|ipv4|서버|server|host|접속|dns|ping|gateway|게이트웨이|로그인|port|포트|client|"
    r"remote|from|주소|addr",
    re.IGNORECASE,
)
_COLONS = regex(r"::|:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:")
_IPV6 = regex(r"[0-9A-Fa-f:]{3,39}(?:(?<=:)[0-9]{1,3}(?:\.[0-9]{1,3}){3})?(?:%[A-Za-z0-9]{1,15})?")

_PASSPORT_WORDS = ("여권", "assport", "ASSPORT", "ppt no", "ppt=", "PPT No", "PP No", "PP no")
_PASSPORT = regex(
    r"(?<![A-Za-z0-9-])(?:[A-Z](?:[ _/-]{0,2}|\r?\n)[0-9](?:(?:[ -]|\r?\n)?[0-9]){7}|"
    r"[A-Z](?:[ _/-]{0,2}|\r?\n)[0-9](?:[ -]?[0-9]){2}[ -]?[A-Z](?:[ -]?[0-9]){4}|"
    r"[A-Z]{1,2} ?[0-9]{6,8}[A-Z]?|(?=[A-Z0-9]{0,7}[0-9][A-Z0-9]{0,7}[0-9])[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}|[0-9]{3} "
    r"?[0-9]{3} ?[0-9]{3}|[0-9]{2} ?[0-9]{7})(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
# Where people travel: only what is made as the numbers of a few countries are.
_TRAVEL_WORD = regex(
    r"(?:(?i:\bppt?\b|travel doc|boarding|travell?er|passenger|pax|esta\b|k-eta|\bvisa\b|check-?in|flight|itinerary|immigration)"
    r"|항공권|탑승|출국|입국|비자|발권|여행자|여행증명)"
)
_TRAVELLER = r"(?:[MSRGDO][0-9]{8}|[MSRGDO][0-9]{3}[A-Z][0-9]{4}|[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{7}[0-9])"
_TRAVELLERS = regex(
    rf"(?<![A-Za-z0-9-])(?=[A-Z0-9]{{0,8}}[0-9][A-Z0-9]{{0,4}}[0-9]){_TRAVELLER}(?![A-Za-z0-9-])"
)
_MACHINE_READ = (
    r"P[<A-Z][A-Z]{3}[A-Z]+<<[A-Z<]{2,38}|[A-Z0-9<]{9}[0-9][A-Z]{3}[0-9]{7}[MF<][0-9]{0,7}[A-Z0-9<]{0,20}"
)
_MACHINE_LINES = regex(rf"(?<![A-Za-z0-9<])(?:{_MACHINE_READ})(?![A-Za-z0-9<])")
_INSURANCE_WORDS = ("NI number", "NI no", "ational insurance", "ational Insurance", "NINO")
_INSURANCE = regex(r"(?<![A-Za-z0-9])[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![A-Za-z0-9])")
_LICENCE_WORDS = ("면허", "종보통", "종 보통", "DL#", "DL no", "DL No", "icense", "icence", "ICENSE")
_LICENCE = regex(
    r"(?<![A-Za-z0-9-])"
    r"(?:[A-Z9]{5} ?[0-9]{6} ?[A-Z0-9]{3,5}|[A-Z]{1,2}[0-9]{5,12}|[A-Z][0-9]{3,4}(?:-[0-9]{3,6}){2})(?![A-Za-z0-9-])"
)
_OLD_LICENCE = regex(
    r"(?:서울|부산|경기|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전|울산)[ "
    r"-]?[0-9]{2}-[0-9]{6}-[0-9]{2}(?![0-9])"
)
_LONGEST_ID = 18
_REACH = 64
_IBAN_BEGINS = r"[ ._-]?[0-9]{2}(?:(?:[ ._-]|\r?\n)?[A-Za-z0-9]){11}"
_IBAN = regex(rf"[A-Za-z](?=[A-Za-z][ ._-]?[0-9])(?<![A-Za-z0-9].)[A-Za-z]{_IBAN_BEGINS}")
_GROUP_SIGNS = frozenset(" ._-\r\n")

# Each token has a fixed beginning, looked for before what stands in front of it: that is how such a search is fast.
_NO_WORD = "(?<![A-Za-z0-9_]"
_TOKENS: tuple[re.Pattern[str], ...] = (
    regex(rf"sk-{_NO_WORD}...)[A-Za-z0-9_-]{{16,}}+"),
    regex(rf"[srp]k_{_NO_WORD}...)(?:live|test)_[A-Za-z0-9]{{10,}}+"),
    regex(r"(?:live|test|prod)_(?:sk|pk|key|secret)_[A-Za-z0-9]{10,}+"),
    regex(r"AKIA(?<![A-Za-z0-9]....)[0-9A-Z]{16}(?![A-Za-z0-9])"),
    regex(r"ASIA(?<![A-Za-z0-9]....)[0-9A-Z]{16}(?![A-Za-z0-9])"),
    regex(rf"gh[pousr]_{_NO_WORD}....)[A-Za-z0-9]{{20,}}+"),
    regex(rf"github_pat_{_NO_WORD}.{{11}})[A-Za-z0-9_]{{20,}}+"),
    regex(rf"glpat-{_NO_WORD}.{{6}})[A-Za-z0-9_-]{{16,}}+"),
    regex(rf"xox[abeoprs]-{_NO_WORD}.{{5}})[A-Za-z0-9-]{{10,}}+"),
    regex(r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}+"),
    regex(rf"AIza{_NO_WORD}....)[0-9A-Za-z_-]{{30,}}+"),
    regex(rf"ya29\.{_NO_WORD}.{{5}})[0-9A-Za-z_-]{{20,}}+"),
    regex(rf"hf_{_NO_WORD}...)[A-Za-z0-9]{{20,}}+"),
    regex(rf"npm_{_NO_WORD}....)[A-Za-z0-9]{{30,}}+"),
    regex(rf"pypi-{_NO_WORD}.{{5}})[A-Za-z0-9_-]{{16,}}+"),
    regex(rf"dop_v1_{_NO_WORD}.{{7}})[0-9a-f]{{32,}}+"),
    regex(rf"shpat_{_NO_WORD}.{{6}})[0-9a-f]{{24,}}+"),
    regex(rf"lin_api_{_NO_WORD}.{{8}})[A-Za-z0-9]{{24,}}+"),
    regex(rf"gsk_{_NO_WORD}.{{4}})[A-Za-z0-9]{{24,}}+"),
    regex(rf"tvly-{_NO_WORD}.{{5}})[A-Za-z0-9-]{{20,}}+"),
    regex(rf"xapp-{_NO_WORD}.{{5}})[A-Za-z0-9-]{{20,}}+"),
    regex(rf"whsec_{_NO_WORD}.{{6}})[A-Za-z0-9+/=]{{20,}}+"),
    regex(rf"SG\.{_NO_WORD}...)[A-Za-z0-9_-]{{16,}}+\.[A-Za-z0-9_-]{{16,}}+"),
    regex(rf"eyJ{_NO_WORD}...)[A-Za-z0-9_-]{{8,}}+\.[A-Za-z0-9_-]{{8,}}+(?:\.[A-Za-z0-9_-]*+)?"),
)  # fmt: skip
_BEARER = tuple(regex(rf"{word}[ :]+([A-Za-z0-9._~+/=-]{{8,}}+)") for word in ("earer", "EARER"))
_BASIC = regex(r"uthorization[\"']? ?[:=] ?[\"']?(?:[Bb]asic|[Tt]oken|[Dd]igest) +([A-Za-z0-9._~+/=-]{6,}+)")
_PEM = "-----BEGIN "
_URL_LOGIN = regex(r"://[^\s/:@]{0,64}:([^\s/@]{1,128})@")
_ASSIGN = regex(
    r"(?:=>|[=:])(?!=|//) ?(?:\"([^\"\r\n]{3,256})\"|'([^'\r\n]{3,256})'|(?![&,;)}\]])([!-~]{3,256}))"
)
_EQUALS = regex(r"[=:]")
_SECRET_NAMES = words(
    "password passwd passphrase passcode pwd secret apikey accesskey accountkey privatekey secretkey authkey "
    "credential accesstoken authtoken "
    "refreshtoken idtoken sessiontoken bearertoken apitoken bottoken csrftoken secrettoken personaltoken "
    "deploytoken githubtoken "
    "gitlabtoken slacktoken hftoken securitytoken 비밀번호 비번 암호 패스워드 인증키 인증토큰 보안키 "
    "비밀키 접속키 api키"
)
_SHORT_NAMES = ("token", "pass", "pw")
# What redaction itself put there.
_STAND_IN = regex(r"\[[A-Z]{2,10}(?:_[0-9]+|#[a-p]{12})?\]?")
# What names a value that is kept elsewhere: ${DB_PASSWORD}, {{ secret }}, %TOKEN%, <your key>.
_VARIABLE = regex(r"\$\{|\{\{|\$[A-Z_]{3,}$|%[A-Z_]{3,}%?$|<[a-z _-]{3,}>?$")
_LAST_LETTERS = frozenset("destynwl호번드키큰는은가")
_JOINTS = str.maketrans("", "", "_- ")
_DULL_VALUES = frozenset(
    words(
        "none null true false nil undefined required optional string str int bool bytes any object empty "
        "redacted hidden masked changeme "
        "secretstr self self. os.environ env typing.any yes no the is must expired invalid missing reset "
        "wrong incorrect"
    )
)
# A word may stand between: 비번이 아직 …, if what follows it has a letter, a digit and a sign.
_KOREAN_SECRET = regex(
    r"(?:비밀번호|비번|패스워드|암호|접속\s?키|인증\s?키|(?:PW|pw)(?<![A-Za-z]..)(?=[가-힣 ]))(?:는|은|가|이|:| )\s?"
    r"(?:[가-힣]{1,4} (?=[!-~]{0,63}[A-Za-z])(?=[!-~]{0,63}[0-9])(?=[!-~]{0,63}[!@#$%^&*?~+=])(?![a-z]{2,5}:))?([!-~]{4,64})"
)
# Something random right beside a word for a key: what stands for itself is a number or a word.
_KEY_VALUE = (
    r"[\"']? ?(?:값|value)?(?:\([^)\n]{1,10}\))?\s?(?:은\(는\)|은|는|이|가|is|as|:|=|-)?\s?[(\[\"'`]{0,2}"
)
_BESIDE_KEY = regex(rf"(?:토큰|키|token|key|secret){_KEY_VALUE}([A-Za-z0-9_./+=-]{{20,256}})", re.IGNORECASE)
_WORDY = regex(r"[a-z]{6,}[_.-][a-z]{4,}|\.[a-z]{2,4}$")
_UUID = regex(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_EN_SECRET = regex(
    r"(?:[Pp]ass(?:word|code|phrase)|PASS(?:WORD|CODE)|[Aa][Pp][Ii] [Kk][Ee][Yy]|[Ss]ecret [Kk]ey|SECRET KEY|[Aa]ccess [Tt]oken|"
    r"[Pp](?:[Ww]|[Ww][Dd]|ass)(?<![A-Za-z]..)(?<![A-Za-z]...)(?<![A-Za-z]....)(?= is\b|:))"
    r"(?: for (?:the |our |my )?[a-z]{2,12}(?: [a-z]{2,12})?)?(?: is| was|:)? +[\"'`]?([!-~]{6,64})"
)


def _emails(text: str) -> Iterator[Hit]:
    done = 0
    for at in _AT.finditer(text):
        before = text[max(done, at.start() - 64) : at.start()][::-1]
        local = _local(before)
        if local is None:
            continue
        domain = _DOMAIN.match(text, at.end(), at.end() + 255)
        if (
            domain is None
            or not _is_mail_domain(domain[0])
            or (local[0] == "tig" and text.startswith(":", domain.end()))
        ):
            continue
        done = domain.end()
        # A sign that may stand in a name may also be what the name hangs on: mailto=, {kim@…}, 'kim@….
        start = at.start() - len(local[0].rstrip("'=?/{|*!#$&^`.~%"))
        yield Hit("EMAIL", start, done, 80)


def _local(backwards: str) -> re.Match[str] | None:
    """The local part of an address: letters begin a name, as in 메일kim@…; digits and signs go on with it: 홍길동07@…"""
    plain = _LOCAL_BACKWARDS.match(backwards)
    if plain is None or not plain[0][-1].isalpha():
        return _KOREAN_LOCAL_BACKWARDS.match(backwards) or plain
    return plain


def _spoken_emails(text: str) -> Iterator[Hit]:
    done = 0
    for mark in _SPOKEN_AT.finditer(text):
        local = _SPOKEN_LOCAL_BACKWARDS.match(text[max(done, mark.start() - 65) : mark.start()][::-1])
        domain = _SPOKEN_DOMAIN.match(text, mark.end())
        if local and domain:
            done = domain.end()
            yield Hit("EMAIL", mark.start() - len(local[0]), done, 60)


def _is_mail_domain(domain: str) -> bool:
    *names, top = domain.split(".")
    return top.lower() not in _FILES and not (len(names) > 1 and all(name.isdigit() for name in names))


def _ipv4(text: str) -> Iterator[Hit]:
    for found in _IPV4.finditer(text):
        start, end = found.span()
        parts = found[0].translate(_BRACKETS).split(".")
        # 127.0.0.1 is every machine's own name of itself; 255 begins a mask.
        if parts[0] in ("0", "127") or any(
            int(part) > 255 or (len(part) > 1 and part[0] == "0") for part in parts
        ):
            continue
        head = context.before(text, start, 16)
        if parts[0] == "255" or _VERSION.search(head) or _OF_A_TEXT.match(text, end):
            continue
        if all(len(part) == 1 for part in parts) and not context.near(_NETWORK, text, start, end):
            continue
        yield Hit("IP", start, end, 70)


def _is_ipv6(address: str) -> bool:
    address = address.partition("%")[0]
    groups = address.split(":")
    if "." in groups[-1]:
        groups[-1:] = ["0", "0"]
    if address.count("::") > 1 or ":::" in address or any(len(group) > 4 for group in groups):
        return False
    if "::" not in address:
        return len(groups) == 8 and all(groups)
    named = [group for group in groups if group]
    # `std::a1` in code is no address: one needs a digit and a group of some length.
    return 2 <= len(named) <= 7 and any(char.isdigit() for char in address) and max(map(len, named)) >= 3


def _ipv6(text: str) -> Iterator[Hit]:
    done = 0
    for mark in _COLONS.finditer(text):
        start = mark.start()
        if start < done:
            continue
        floor = max(done, start - 39)
        while start > floor and text[start - 1] in "0123456789abcdefABCDEF:":
            start -= 1
        found = _IPV6.match(text, start)
        if found is None:
            continue
        done = found.end()
        address = found[0].rstrip(":") if not found[0].endswith("::") else found[0]
        around = text[max(0, start - 1) : start] + text[found.end() : found.end() + 1]
        if any(char.isascii() and (char.isalnum() or char == "_") for char in around):
            continue
        if _is_ipv6(address):
            yield Hit("IP", start, start + len(address), 72)


def _by_word(text: str, words: tuple[str, ...], shape: re.Pattern[str], kind: str) -> Iterator[Hit]:
    for word in words:
        at, done = text.find(word), 0
        while at >= 0:
            # What an earlier mention has reached is not searched again.
            for found in shape.finditer(text, max(done, at - 24), at + _REACH):
                done = found.end()
                if not context.is_code(text, found.start()):
                    yield Hit(kind, found.start(), found.end(), 72)
            done = max(done, at + _REACH - _LONGEST_ID)
            at = text.find(word, at + len(word))


def _ibans(text: str) -> Iterator[Hit]:
    """Letters and digits, as many as the country's numbers have, however they are grouped: the check digits decide."""
    for found in _IBAN.finditer(text):
        length = checks.iban_length(found[0][:2].upper())
        end = _end_of_groups(text, found.start(), length) if length else 0
        if end and checks.iban("".join(filter(str.isalnum, text[found.start() : end])).upper()):
            yield Hit("IBAN", found.start(), end, 85)


def _end_of_groups(text: str, start: int, length: int) -> int:
    """Find where so many letters and digits end, with one sign at most between two of them; 0 if they do not."""
    at, apart = start, False
    while length and at < len(text):
        char = text[at]
        if char.isascii() and char.isalnum():
            length, apart = length - 1, False
        elif apart or char not in _GROUP_SIGNS:
            return 0
        else:
            apart = char != "\r"
        at += 1
    after = text[at : at + 1]
    return 0 if length or (after.isascii() and after.isalnum()) else at


def _pem(text: str) -> Iterator[Hit]:
    start = text.find(_PEM)
    while start >= 0:
        line = text.find("-----", start + len(_PEM), start + 80)
        if line < 0 or "KEY" not in text[start:line]:
            start = text.find(_PEM, start + len(_PEM))
            continue
        end = text.find("-----END ", start)
        if end < 0:
            # A block that was cut off is still a key.
            yield Hit("SECRET", start, len(text), 95)
            return
        close = text.find("-----", end + 9, end + 80)
        stop = close + 5 if close >= 0 else min(len(text), end + 9)
        yield Hit("SECRET", start, stop, 95)
        start = text.find(_PEM, stop)


def _tokens(text: str) -> Iterator[Hit]:
    for shape in _TOKENS:
        for found in shape.finditer(text):
            yield Hit("SECRET", found.start(), found.end(), 92)
    for shape in (*_BEARER, _BASIC, _URL_LOGIN):
        for found in shape.finditer(text):
            start, end = found.span(1)
            value = text[start:end]
            if not _STAND_IN.fullmatch(value) and (shape not in _BEARER or _looks_random(value)):
                yield Hit("SECRET", start, end, 93)


def _looks_random(value: str) -> bool:
    return any(char.isdigit() for char in value) or not value.isalpha() or len(value) >= 24


def _is_secret(value: str, numbers: bool) -> bool:
    bare = value.strip("\"'`.,;:!?)}]([{<>*").lower()
    if len(bare) < 3 or bare in _DULL_VALUES or _STAND_IN.fullmatch(value) or _VARIABLE.match(value):
        return False
    return numbers or not bare.replace(".", "").isdigit()


def _trimmed(text: str, start: int, end: int, *, told: bool = False) -> int:
    """Closing punctuation is not part of an unquoted value; in a sentence an ampersand ends none."""
    for stop in (*(() if told else ("&",)), ",", ";", '"', "'", ")", "}", "]", "<", "\\n"):
        cut = text.find(stop, start + 1, end)
        if cut > start:
            end = cut
    return end - 1 if text[end - 1] in ".:" and end - start > 3 else end


def _names_a_secret(name: str) -> bool:
    if name[-1:] not in _LAST_LETTERS:
        return False
    single = name[:-1] if name[-1] in "는은가s" else name
    if single.translate(_JOINTS).endswith(_SECRET_NAMES):
        return True
    return any(name.endswith(short) and not _is_name_part(name[: -len(short)][-1:]) for short in _SHORT_NAMES)


def _is_name_part(char: str) -> bool:
    return char.isalnum() or char == "_"


def _assigned(text: str) -> Iterator[Hit]:
    done = 0
    for sign in _EQUALS.finditer(text):
        at = sign.start()
        if at < done:
            continue
        name = text[max(0, at - 24) : at].rstrip(" \"'").lower()
        found = _ASSIGN.match(text, at) if _names_a_secret(name) else None
        if found is None:
            continue
        start, end = found.span(found.lastindex or 0)
        if found.lastindex == 3:
            end = _trimmed(text, start, end)
        done = end
        if _is_secret(text[start:end], numbers="oken" not in name):
            yield Hit("SECRET", start, end, 96)


def _told(text: str) -> Iterator[Hit]:
    """A password said in a sentence: it needs a digit or a sign to be more than the next word."""
    for shape, hints in (
        (_KOREAN_SECRET, ("번호", "비번", "패스워드", "암호", "키", "PW", "pw")),
        (_EN_SECRET, ("pass", "Pass", "key", "oken", "pw")),
    ):
        if not any(hint in text for hint in hints):
            continue
        for found in shape.finditer(text):
            start = found.start(1)
            end = _trimmed(text, start, found.end(1), told=True)
            value = text[start:end]
            if (
                len(value) >= 4
                and any(not char.isalpha() for char in value.rstrip(".,!?"))
                and _is_secret(value, numbers=True)
            ):
                yield Hit("SECRET", start, end, 55)


def _beside_keys(text: str) -> Iterator[Hit]:
    for found in _BESIDE_KEY.finditer(text):
        value = found[1].rstrip("./=+-") or found[1]
        mixed = any(map(str.isalpha, value)) and sum(map(str.isdigit, value)) >= 3
        if mixed and "/" not in value[:1] and not _UUID.fullmatch(value) and not _WORDY.search(value):
            yield Hit("SECRET", found.start(1), found.end(1), 54)


def _passports(text: str) -> Iterator[Hit]:
    yield from _by_word(text, _PASSPORT_WORDS, _PASSPORT, "PASSPORT")


def _travellers(text: str) -> Iterator[Hit]:
    for found in _TRAVELLERS.finditer(text):
        start, end = found.span()
        if context.near(_TRAVEL_WORD, text, start, end) and not context.is_code(text, start):
            yield Hit("PASSPORT", start, end, 60)


def _machine_lines(text: str) -> Iterator[Hit]:
    """The lines at the foot of a passport: name, number, birth."""
    for found in _MACHINE_LINES.finditer(text):
        yield Hit("PASSPORT", *found.span(), 85)


def _insurances(text: str) -> Iterator[Hit]:
    yield from _by_word(text, _INSURANCE_WORDS, _INSURANCE, "SSN")


def _licences(text: str) -> Iterator[Hit]:
    yield from _by_word(text, _LICENCE_WORDS, _LICENCE, "DRIVER")
    yield from _by_word(text, _LICENCE_WORDS, _OLD_LICENCE, "DRIVER")


def _spelled(names: Iterable[str]) -> str:
    """Alternatives for names whose letters may be joined by signs: api_key, API-KEY, access token."""
    return "|".join("[_ -]*".join(name) for name in names)


DETECTORS = (
    Detector(r"(?:@| @ )[A-Za-z0-9À-ɏ가-힣]", _emails),
    Detector(r"[\[(] ?(?:at|골뱅이) ?[\])]", _spoken_emails, local=True),
    Detector(
        r"[0-9](?:\.|[\[(]\.[\])])[0-9]{1,3}(?:\.|[\[(]\.[\])])[0-9]{1,3}(?:\.|[\[(]\.[\])])[0-9]",
        _ipv4,
        local=True,
    ),
    Detector(r"::|:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:[0-9A-Fa-f]{1,4}:", _ipv6, local=True),
    Detector("|".join(_PASSPORT_WORDS), _passports, local=True),
    Detector(_TRAVELLER, _travellers, local=True),
    Detector(_MACHINE_READ, _machine_lines, local=True),
    Detector("|".join(_LICENCE_WORDS), _licences, local=True),
    Detector("|".join(_INSURANCE_WORDS), _insurances, local=True),
    Detector(rf"(?i:{'|'.join(checks.IBAN_COUNTRIES)}){_IBAN_BEGINS}", _ibans, local=True),
    Detector(_PEM, _pem),
    Detector(
        r"sk-|[srp]k_(?:live|test)_|(?:live|test|prod)_(?:sk|pk|key|secret)_|A[KS]IA[0-9A-Z]|gh[pousr]_|github_pat_|glpat-|"
        r"xox[abeoprs]-|hooks\.slack\.com|AIza|"
        r"ya29\.|hf_|npm_|pypi-|dop_v1_|shpat_|lin_api_|gsk_|tvly-|xapp-|whsec_|SG\.[A-Za-z0-9_-]|eyJ|"
        r"earer[ :]|EARER[ :]|uthorization[\"']? ?[:=]|://[^\s/:@]*:[^\s/@]+@",
        _tokens,
    ),
    Detector(
        rf"(?i)(?:(?:{_spelled(_SECRET_NAMES)})[_ -]*[s는은가]?|{'|'.join(_SHORT_NAMES)})[ \"']*[=:]",
        _assigned,
    ),
    Detector(
        r"비밀번호|비번|패스워드|암호|(?:접속|인증)(?s:.)?키|(?:PW|pw)[가-힣 ]|"
        r"(?i)password|passcode|passphrase|\bp(?:w|wd|ass)(?: is\b|:)|api key|secret key|access token",
        _told,
        local=True,
    ),
    Detector(
        rf"(?i)(?:토큰|키|token|key|secret){_KEY_VALUE}[A-Za-z0-9_./+=-]{{20}}", _beside_keys, local=True
    ),
)
