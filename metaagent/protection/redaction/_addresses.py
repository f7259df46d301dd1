"""Street addresses: Korean road-name and lot addresses, flats, and English ones.

Each candidate starts from a cheap anchor (`로 12`, `동 3`, `12 Main`) and is read outwards, a bounded way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANCHOR = regex(r"[로길동리가] ?(?:산 ?|지하 ?|[B산])?[0-9]")
_PROVINCE = regex(
    r"(?:서울|부산|대구|인천|광주|대전|울산|세종)(?:특별자치시|특별시|광역시|시)?|경기도?|"
    r"강원(?:특별자치도|도)?|"
    r"충청[남북]도|충[남북]|전라[남북]도|전북특별자치도|전[남북]|경상[남북]도|경[남북]|제주(?:특별자치도|도)?"
)
_DISTRICT = regex(r"[가-힣]{1,5}(?:시|군|구)")
_TOWN = regex(r"[가-힣]{1,5}[0-9]{0,2}(?:읍|면|동|리)")
_NOT_PLACES = frozenset(
    words(
        "다시 역시 혹시 즉시 잠시 일시 당시 동시 표시 제시 지시 게시 공시 예시 개시 실시 감시 무시 택시 "
        "접시 반드시 몇시 필요시 발생시 "
        "요구 연구 친구 청구 도구 기구 입구 출구 누구 축구 야구 농구 영구 가구 지구 탐구 촉구 복구 항구 "
        "인구 전구 장군 대군 직군 제품군 환자군"
    )
)
_ROAD = regex(r"[가-힣A-Za-z0-9]{1,12}(?:대로|로|길)")
_LOT = regex(r"[가-힣]{1,6}[0-9]{0,2}(?:동|리|가)")
_NUMBER = regex(
    r" ?(?:산 ?|지하 ?)?(?:[0-9]{1,4}(?:번길|번가길|가길|길)\s?(?:지하 "
    r"?)?)?[0-9]{1,5}(?:-[0-9]{1,4})?(?![0-9])(?P<lot> ?번지)?"
)
_LANE = regex(r"[0-9]{1,4}(?:번길|번가길|가길|길)\s?[0-9]")
# A counter after the number means a quantity; a particle does not.
_QUANTITY = regex(
    r"[,.][0-9]|[-~] ?[0-9]| ?(?:만|억|천|백|조)?(?:원|명|개|건|%|퍼센트|배|회|위|차|년|월|일|시간|시|분|"
    r"초|주|대|권|장|병|정|박|킬로|미터|km|kg|"
    r"cm|m|달러|곳|종|가지|사람|단계|팀|번(?!지)|등|점|급|분기|세대|가구|평|매장|지점)"
)
_NAMES = (
    r"(?:빌딩|타워|아파트|오피스텔|빌라|센터|프라자|플라자|상가|하우스|맨션|타운|파크|스퀘어|자이|래미안|"
    r"푸르지오|힐스테이트|아이파크|캐슬|"
    r"편한세상|더샵|주공|단지|빌|연립|주택|병원|학교|회관)"
)
_DETAIL = regex(
    r"(?:,? ?\((?:[가-힣A-Za-z0-9·.,\- ]{2,30})\))?"
    rf"(?: ?,?\s?[가-힣A-Za-z0-9]{{0,14}}?{_NAMES}(?![가-힣]))?"
    r"(?: ?,?\s?(?:제 ?)?[0-9A-Za-z가-힣]{1,4}동(?= ?(?:제 ?)?[0-9]{1,5}호| ?[0-9]{1,3}층))?(?:,? ?(?:지하|"
    r"지상|B)? ?[0-9]{1,3}층)?"
    r"(?: ?,?\s?(?:제 ?)?[0-9A-Z]{1,5}(?:-[0-9]{1,3})?호)?(?:,? ?(?:지하|B)?[0-9]{1,3}층)?"
    r"(?: ?\((?:[가-힣A-Za-z0-9·.,\- ]{2,30})\))?"
)
_SAID = regex(
    r"주소|배송지|보낼 ?곳|등기|거주|자택|본가|집[은이:]|사는|소재지|우편물|배달|방문지|본적|수령지|택배|사업장|위치|"
    r"address|deliver|ship to",
    re.IGNORECASE,
)
_FLAT = regex(r"[0-9]{1,4}동 ?(?:제 ?)?[0-9]{1,5}호(?!기)")
_BIG_FLAT = regex(r"[1-9][0-9]{2,3}동 ?[0-9]{3,4}호")
_HOUSE = regex(r"(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{2,12} $")
_FLAT_NAME = regex(
    rf"[가-힣A-Za-z0-9]{{1,14}}{_NAMES[:-1]}|마을|단지|아파트)(?:[0-9]차)? ?(?:[0-9]+단지 ?)?$"
)

_STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|Sq|Terrace|"
    r"Parkway|Pkwy|Highway|Hwy|"
    r"Circle|Way|Crescent|Close|Trail|Broadway|Gardens|Grove|Mews|Quay|Walk|Rise|Row|Alley)"
)
# Said of other things, too: a town must follow.
_STREET_IN_TOWN = r"(?:Gate|Loop|Hill|Park|Green|Yard|Wharf|View|Point|Path|Run|Pike|Plaza|Crossing|Heights|Gait|Parade|Hollow)"
_UNIT = r"(?:(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Bldg|Building)\.? ?#?[0-9A-Za-z/-]{1,6}|#[0-9A-Za-z-]{1,6})"
_BRITISH = r"[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}"
_CITY = r"[A-Z][A-Za-zà-ÿ.-]{1,15}(?: [A-Z][A-Za-zà-ÿ]{1,15}(?![A-Za-z0-9])){0,2}"
_CANADIAN, _IRISH = r"[A-Z][0-9][A-Z] [0-9][A-Z][0-9]", r"[A-Z][0-9][0-9W] ?[A-Z0-9]{4}"
_ZIP = rf"(?:[A-Z]{{2}} )?[0-9]{{5}}(?:-[0-9]{{4}})?|[A-Z]{{2,3}} [0-9]{{4}}|{_BRITISH}|{_CANADIAN}|{_IRISH}"
_TAIL = (
    rf"(?:,?\s{_UNIT}){{0,2}}"
    rf"(?:\n{_CITY}(?=,? (?:{_ZIP}))|(?:,\s?(?!{_BRITISH}){_CITY}){{0,2}})(?:,?\s?(?:{_ZIP})(?![0-9A-Za-z]))?"
)
_UNIT_BEFORE = regex(rf"{_UNIT}, $")
_EN_ANCHOR = regex(r"[0-9][A-Za-z]?,? (?=[A-Z0-9])")
_EN = regex(
    r"[0-9]{1,5}(?:-[0-9]{1,4})?[A-Za-z]? (?:(?:[NSEW]|[NS][EW])\.? )?(?!The |An? |Of |"
    r"(?:Minutes?|Hours?|Days?|Weeks?|Months?|Years?|Stars?|Steps?|Points?) |"
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)[ .])"
    r"(?:[A-Z][A-Za-z'.-]{1,18} |[0-9]{1,3}(?:st|nd|rd|th) ){1,3}"
     rf"(?:{_STREET}|{_STREET_IN_TOWN}(?=,\s?[A-Z]))" + r"(?![A-Za-z])\.?" + _TAIL
)  # fmt: skip
_EN_LOWER = regex(
    r"[0-9]{1,5} (?:[a-z]{2,15} |[0-9]{1,3}(?:st|nd|rd|th) ){1,2}(?:street|avenue|road|boulevard|drive|"
    r"lane|st|ave|rd|blvd)(?![a-z])"
)
_ROMAN_ANCHOR = regex(r"-(?:daero|ro|gil)(?![a-z])")
_ROMAN_BEFORE = regex(
    rf"(?:(?:{_UNIT}|[0-9]{{1,4}}(?:-[0-9]{{1,4}}|-ho|-dong|F)?),? (?:[0-9]{{1,4}}(?:-ho|-dong|F),? )?)$"
)
_ROMAN = regex(
    r"(?:[0-9]{1,5}(?:-[0-9]{1,4})?,? )?[A-Z][A-Za-z0-9]{1,20}(?:-[a-z0-9]{1,12}){0,3}-(?:daero|ro|"
    r"gil)(?:[ ]?[0-9]{1,3}(?:beon|[a-z]{2})?-?gil)?"
    rf"(?: [0-9]{{1,5}}(?:-[0-9]{{1,4}})?)?(?:,? {_UNIT})?(?:, ?(?!{_UNIT})[A-Z][A-Za-z]{{1,15}}(?:-(?:gu|si|gun|dong|eup|myeon|ri|"
    r"do))?){0,4}(?:,? [0-9]{5}(?![0-9]))?(?:, (?:Republic of Korea|South Korea|Korea))?"
    rf"(?:,? {_UNIT})?"
)
# The street before its number or after it, and the town with its code: Rue des Tanneurs, Lindenstraße 4, Via Garibaldi 12.
_ABROAD_TOWN = (
    r",? (?:[A-Z]{1,2}-)?(?:[0-9]{4,5}(?: [A-Z]{2})?|[0-9]{2}-[0-9]{3}|[0-9]{3} [0-9]{2}) [A-Z][A-Za-zà-ÿ-]{2,20}"
    r"(?: [A-Z][A-Za-zà-ÿ-]{2,20})?(?:,? [A-Z][a-z]{3,15})?"
)
_ABROAD_STREETS = (
    r"(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Bb]d|[Pp]lace|[Qq]uai|[Cc]hemin|"
    r"Via|Viale|Piazza|Corso|Calle|Avenida|Plaza|Paseo|Rua|Praça|Ulica|ul\.)"
)
_ABROAD = regex(
    rf"(?:[0-9]{{1,4}}(?: ?bis)?,? {_ABROAD_STREETS}(?: [A-Za-zà-ÿÀ-Þ'’-]{{2,18}}){{1,5}}"
    rf"|(?:{_ABROAD_STREETS}(?: [A-Za-zà-ÿÀ-Þ'’-]{{2,18}}){{1,4}}|[A-ZÀ-Þ][A-Za-zà-ÿß-]{{2,24}}(?:stra(?:ße|sse|at)|str\.|"
    rf"gasse|weg|allee|platz|plein|laan|gracht)"
    rf"|[A-ZÀ-Þ][a-zà-ÿß-]{{2,18}} (?:Stra(?:ße|sse)|Str\.|Allee|Platz|Weg|Gasse)),? [0-9]{{1,4}} ?[a-d]?)(?:{_ABROAD_TOWN})"
)
_TOWN_ABROAD = regex(_ABROAD_TOWN)
_STREET_BEFORE = regex(
    r"(?<![A-Za-zà-ÿÀ-Þ-])[A-ZÀ-Þ][a-zà-ÿß-]{2,18}(?: [A-ZÀ-Þ][a-zà-ÿß-]{2,18})? [0-9]{1,4}(?:[/-][0-9]{1,4}| ?[a-d])?$"
)
_BOX = regex(
    rf"(?i:P\.? ?O\.? ?Box) [0-9]{{1,6}}(?:,\s?{_CITY}(?:,? (?:{_ZIP}|[0-9]{{4}})(?![0-9A-Za-z]))?)?"
)


def _reach_back(text: str, start: int) -> tuple[int, int]:
    """Walk from a road or lot name back over towns, districts and the province: (start, how sure)."""
    sure = 0
    for _ in range(5):
        end = start - 1 if start and text[start - 1] in " ," else start
        if end == start or end <= 0:
            break
        if text[end - 1] == ",":
            end -= 1
        at = _word_before(text, end)
        word = text[at:end]
        if _PROVINCE.fullmatch(word):
            return at, sure + 2
        if _DISTRICT.fullmatch(word) is not None and word not in _NOT_PLACES:
            sure += 2
        elif not (_TOWN.fullmatch(word) and sure == 0):
            break
        start = at
    return start, sure


def _word_before(text: str, end: int) -> int:
    start = end
    floor = max(0, end - 14)
    while start > floor and (text[start - 1].isalnum()):
        start -= 1
    return start


def _at(text: str, anchor: re.Match[str]) -> Hit | None:
    name_end = anchor.start() + 1
    name_start = _word_before(text, name_end)
    name = text[name_start:name_end]
    number = _NUMBER.match(text, name_end)
    if number is None:
        return None
    is_road = _ROAD.fullmatch(name) is not None
    if not (is_road or _LOT.fullmatch(name)):
        return None
    lane = is_road and _LANE.match(text, name_end) is not None
    if not number["lot"] and _QUANTITY.match(text, number.end()):
        return None
    start, sure = _reach_back(text, name_start)
    # 강남구로 is a district and its particle; where province and district stand before it, it is a road: 동대구로.
    if is_road and name[-2:] in ("구로", "시로", "군로") and len(name) > 3 and sure < 4:
        return None
    if not _is_sure(text, start, sure, name, bool(number["lot"]), lane, "-" in number[0], is_road):
        return None
    detail = _DETAIL.match(text, number.end())
    return Hit("ADDRESS", start, detail.end() if detail else number.end(), 40)


def _is_sure(
    text: str, start: int, sure: int, name: str, lot: bool, lane: bool, dashed: bool, is_road: bool
) -> bool:
    if sure >= 2:
        # A district and a dong with a plain number may be a count; a road with a number is an address.
        return (
            is_road or lot or dashed or sure >= 4 or _SAID.search(context.before(text, start, 20)) is not None
        )
    if len(name) < 3:
        return False
    if lane or (lot and not is_road):
        return True
    return (is_road or dashed) and _SAID.search(context.before(text, start, 20)) is not None


def _flats(text: str) -> Iterator[Hit]:
    for found in _FLAT.finditer(text):
        head = context.before(text, found.start(), 24)
        named = _FLAT_NAME.search(head)
        if named:
            yield Hit("ADDRESS", found.start() - len(head) + named.start(), found.end(), 35)
        elif _SAID.search(head) or _BIG_FLAT.fullmatch(found[0]):
            # The word before it names the house, unless it says that this is an address: 집은 한신더휴 204동 1103호.
            house = _HOUSE.search(head)
            named_house = house is not None and not _SAID.search(house[0])
            yield Hit(
                "ADDRESS", found.start() - (len(house[0]) if house and named_house else 0), found.end(), 35
            )


def _english(text: str) -> Iterator[Hit]:
    done = 0
    for anchor in _EN_ANCHOR.finditer(text):
        start = anchor.start()
        floor = max(done, start - 10)
        while start > floor and (text[start - 1].isdigit() or text[start - 1] == "-"):
            start -= 1
        found = _EN.match(text, start, start + 160)
        if found:
            before = _UNIT_BEFORE.search(text, max(done, start - 16), start)
            done = found.end()
            yield Hit("ADDRESS", before.start() if before else start, found.end(), 40)


def _lower(text: str) -> Iterator[Hit]:
    for word in ("address", "Address", "live at", "lives at", "deliver", "ship to"):
        at = text.find(word)
        while at >= 0:
            found = _EN_LOWER.search(text, at, at + 60)
            if found:
                yield Hit("ADDRESS", found.start(), found.end(), 38)
            at = text.find(word, at + len(word))


def _roman(text: str) -> Iterator[Hit]:
    done = 0
    for anchor in _ROMAN_ANCHOR.finditer(text):
        if anchor.start() < done:
            continue
        found = _ROMAN.search(text, max(done, anchor.start() - 40), anchor.end() + 90)
        if found and found.end() > anchor.start() and any(char.isdigit() for char in found[0]):
            before = _ROMAN_BEFORE.search(text, max(done, found.start() - 24), found.start())
            done = found.end()
            yield Hit("ADDRESS", before.start() if before else found.start(), found.end(), 40)


def _abroad(text: str) -> Iterator[Hit]:
    for found in _ABROAD.finditer(text):
        yield Hit("ADDRESS", *found.span(), 40)
    for town in _TOWN_ABROAD.finditer(text):
        street = _STREET_BEFORE.search(text, max(0, town.start() - 48), town.start())
        if street:
            yield Hit("ADDRESS", street.start(), town.end(), 40)


def _korean(text: str) -> Iterator[Hit]:
    done = 0
    for anchor in _ANCHOR.finditer(text):
        if anchor.start() < done:
            continue
        hit = _at(text, anchor)
        if hit is not None:
            done = hit.end
            yield hit


def _boxes(text: str) -> Iterator[Hit]:
    for found in _BOX.finditer(text):
        yield Hit("ADDRESS", found.start(), found.end(), 40)


DETECTORS = (
    Detector(r"[로길동리가] ?(?:산 ?|지하 ?|[B산])?[0-9]", _korean),
    Detector(r"[0-9]동 ?(?:제 ?)?[0-9]+호", _flats, local=True),
    Detector(
        rf"[0-9][A-Za-z]? (?:[A-Z0-9][A-Za-z0-9'.-]* )+(?:{_STREET}|{_STREET_IN_TOWN},)", _english, local=True
    ),
    Detector(r"(?:[Aa]ddress|lives? at|deliver|ship to)(?s:.)*[0-9] [a-z0-9]", _lower),
    Detector(r"-(?:daero|ro|gil)", _roman, local=True),
    Detector(r"(?i)P\.? ?O\.? ?Box [0-9]", _boxes, local=True),
    Detector(
        r"[0-9][a-z ]*,? (?:[A-Z]{1,2}-)?(?:[0-9]{4,5}(?: [A-Z]{2})?|[0-9]{2}-[0-9]{3}|[0-9]{3} [0-9]{2}) [A-Z]"
        r"|[A-Za-zà-ÿ],? [0-9]{4,5} [A-Z][a-zà-ÿ]",
        _abroad,
        local=True,
    ),
)
