"""Names that no title says: in cells of a table, beside a telephone number or mail address, and where somebody speaks of people.

윤가람,영업2팀,대리,010-…; 이름 and its column; 권도경입니다; 변호진에게; 윤서아 드림; 토마스 베커 이사.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _western_words as western
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction._given import dictionary, dictionary_says, is_likely
from metaagent.protection.redaction._name_words import COMPOUND, GIVEN, ORDINARY, ROLES, SURNAMES, TITLES
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = rf"(?:(?:{'|'.join(COMPOUND)})[{GIVEN}]{{1,2}}|[{SURNAMES}][{GIVEN}]{{1,2}})"
_TITLE = "|".join(sorted(TITLES, key=len, reverse=True))
_DATA = r"(?:0[0-9]{1,2}[-. )]?[0-9]{3}|\+ ?82|[A-Za-z0-9._%+-]{1,40}@[A-Za-z0-9]|[0-9]{6}-[1-8])"
_BEFORE_DATA = regex(rf"(?<![가-힣])({_NAME})(?:님|씨)?[ ,(/<:|\"\t\[]{{1,4}}(?={_DATA})")
_AFTER_DATA = regex(
    rf"(?:[0-9]{{3,4}}[-. ][0-9]{{4}}|@[A-Za-z0-9.-]{{3,40}}|[0-9]{{6}}-[1-8][0-9]{{6}})\)?(?: ?[(,/|<] ?| )({_NAME})(?![가-힣])"
)
_SPOKEN_OF = regex(
    rf"(?<![가-힣])({_NAME})(?:(?:에게|한테|께)(?:서|는|도)?|입니다|이라고 합니다|라고 합니다|(?:님|씨)(?:은|는|이|가|을|를|께|의|도)?| "
    r"?(?:드림|올림|배상|拜上))(?![가-힣])"
)
_TEAM = regex(
    rf"[가-힣0-9](?:팀|본부|사업부|지점|지사|센터|병원|의원|약국|대학교|연구소|제약|약품|파트)[ ,/]({_NAME})(?=[ ]?(?:[,.)/(\n|]|$)|[이가은는의]? )"
)
_LINE = regex(r"[^\n]*[,|;\t/][^\n]*")
_CELL = regex(r"[^,|;\t/]+")
_HEADS_OF_PEOPLE = frozenset(
    words("성명 성함 환자명 고객명 직원명 사원명 담당자 담당자명 작성자 예금주 수취인 참석자 신청인 보호자 회원명 원장명 신청자 대표자")
)
_HEADS_OF_ANYTHING = frozenset(words("이름 name Name NAME 이름(한글) 명단"))
_BESIDE_PEOPLE = frozenset(
    words(
        "부서 소속 직급 직책 직위 연락처 전화 전화번호 휴대폰 휴대전화 핸드폰 이메일 메일 생년월일 주민등록번호 주민번호 주소 사번 입사일 성별 "
        "나이 role title phone mobile email e-mail mail department dept position address birth team"
    )
)
_KOREAN_NAME = regex(_NAME)
_LATIN_NAME = regex(r"[A-Z][A-Za-zà-ÿ'’-]+(?: [A-Z]\.)?(?: [A-Z][A-Za-zà-ÿ'’-]+){1,2}")
_DATA_CELL = regex(_DATA)
_TITLE_CELL = regex(rf"(?:[가-힣]{{0,6}})?(?:{_TITLE})")
_TITLES_AND_ROLES = rf"(?:{_TITLE})"
_FOREIGN = regex(
    rf"(?<![가-힣])((?:[가-힣]{{2,7}} (?:[가-힣]{{1,3}} )?[가-힣]{{1,6}}|[가-힣]{{2,7}})) (?:{_TITLE})(?:님)?(?![가-힣]{{3}})"
)
_FOREIGN_AFTER = regex(rf"(?:{'|'.join(ROLES)})(?: ?[:=] ?| )([가-힣]{{2,7}} (?:[가-힣]{{1,3}} )?[가-힣]{{1,6}})(?![가-힣])")
_LOANS = frozenset(
    words(
        "아시아 클라우드 글로벌 디지털 코리아 파트너스 바이오 헬스케어 파마 메디컬 로컬 오메가 알파 베타 감마 델타 시그마 제타 플러스 골드 "
        "오라클 애플 아마존 테슬라 삼성 노벨 마스터 그린 블루 레드 화이트 블랙 킹 퀸 스타 로열 프라임 센트럴 아틀라스 가이아 나이키 하이브"
    )
)
_CHINESE = frozenset("첸쥔쉐쯔웨쑨궈쩡쩐펑뤄샹옌꾸팡밍샤쉬레핑하딩룽")
_NEVER_KOREAN = frozenset("첸쥔쉐쯔웨쑨궈쩡쩐펑뤄샹옌팡밍쉬")


def _by_shape(text: str) -> Iterator[Hit]:
    for shape in (_BEFORE_DATA, _AFTER_DATA, _SPOKEN_OF):
        for found in shape.finditer(text):
            if is_likely(found[1]):
                yield Hit("NAME", *found.span(1), 40)
    for found in _TEAM.finditer(text):
        if len(found[1]) > 2 and dictionary_says(found[1]) == "name" and is_likely(found[1]):
            yield Hit("NAME", *found.span(1), 40)


def _cells(text: str) -> Iterator[Hit]:
    """Names in tables: the cells below the head of a column of people, and a cell beside one with a title or a number."""
    columns: frozenset[int] = frozenset()
    width = 0
    for line in _LINE.finditer(text):
        spans = [_bare(text, *cell.span()) for cell in _CELL.finditer(text, *line.span())]
        cells = [text[start:end] for start, end in spans]
        found = _columns_of_people(cells)
        if found:
            columns, width = found, len(cells)
            continue
        for at, (start, end) in enumerate(spans):
            below = at in columns and abs(len(cells) - width) <= 1
            if (below and _is_cell_of_people(cells[at])) or (len(cells) > 2 and _is_beside(cells, at)):
                yield Hit("NAME", start, end, 40)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \"'":
        start += 1
    while start < end and text[end - 1] in " \"'":
        end -= 1
    return start, end


def _columns_of_people(cells: list[str]) -> frozenset[int]:
    of_people = any(cell in _BESIDE_PEOPLE or cell.lower() in _BESIDE_PEOPLE for cell in cells)
    heads = _HEADS_OF_PEOPLE | _HEADS_OF_ANYTHING if of_people else _HEADS_OF_PEOPLE
    return frozenset(at for at, cell in enumerate(cells) if cell in heads) if len(cells) > 1 else frozenset()


def _is_cell_of_people(cell: str) -> bool:
    if _KOREAN_NAME.fullmatch(cell):
        return cell not in ORDINARY and dictionary_says(cell) != "word"
    if _LATIN_NAME.fullmatch(cell):
        return not any(part in western.NOT_NAMES and part not in western.KOREAN_SURNAMES for part in cell.split())
    return bool(cell) and _is_foreign(cell)


def _is_beside(cells: list[str], at: int) -> bool:
    if not _KOREAN_NAME.fullmatch(cells[at]) or not is_likely(cells[at]):
        return False
    others = cells[:at] + cells[at + 1 :]
    return any(_TITLE_CELL.fullmatch(cell) or _DATA_CELL.match(cell) for cell in others)


def _foreign(text: str) -> Iterator[Hit]:
    for shape in (_FOREIGN, _FOREIGN_AFTER):
        for found in shape.finditer(text):
            start, end = found.span(1)
            for word in _starts(found[1]):
                if _is_foreign(found[1][word:]):
                    yield Hit("NAME", start + word, end, 40)
                    break


def _starts(phrase: str) -> Iterator[int]:
    """List where the words of the phrase begin: what stands before a name may be any word."""
    yield 0
    for at, char in enumerate(phrase):
        if char == " ":
            yield at + 1


@lru_cache(maxsize=1024)
def _is_foreign(name: str) -> bool:
    """Tell whether this is a foreign name in Hangul: one word of it is somebody's in the dictionary, and none is of things."""
    parts = name.split(" ")
    if any(part in _LOANS or part in ORDINARY or part in TITLES for part in parts):
        return False
    if len(parts) == 1:
        return _is_single(name)
    known = [_is_somebodys(part) for part in parts]
    first_or_last = known[0] or (known[-1] and len(parts[-1]) > 2)
    return first_or_last and not any(_ends_a_phrase(part) for part, is_known in zip(parts, known, strict=True) if not is_known)


def _is_single(name: str) -> bool:
    if 2 <= len(name) <= 4 and any(char in _NEVER_KOREAN for char in name):
        return all(char in _CHINESE or char in GIVEN or char in SURNAMES or char in "웨이리우첸쟝왕" for char in name)
    return len(name) > 2 and _is_somebodys(name) and not _KOREAN_NAME.fullmatch(name)


def _is_somebodys(word: str) -> bool:
    first, *more = dictionary().parse(word)
    return not more and first.feature.semantic == "인명" and len(word) > 1


def _ends_a_phrase(word: str) -> bool:
    """Tell whether this is a plain word of Korean, or one with a particle or an ending."""
    tags = [morpheme.pos for morpheme in dictionary().parse(word)]
    return len(word) > 1 and (tags[-1][0] in "JEX" or (len(tags) == 1 and tags[0] == "NNG" and len(word) > 2))


DETECTORS = (
    Detector(
        rf"{_NAME}(?:(?:님|씨)?[ ,(/<:|\"\t\[]{{1,4}}{_DATA}|(?:에게|한테|께|입니다|이라고 합니다|라고 합니다|님|씨| ?(?:드림|올림|배상|拜上)))"
        rf"|(?:[0-9]{{4}}|@[A-Za-z0-9.-]+|[0-9]{{6}}-[1-8][0-9]{{6}})\)?(?: ?[(,/|<] ?| ){_NAME}"
        rf"|(?:팀|본부|사업부|지점|지사|센터|병원|의원|약국|대학교|연구소|제약|약품|파트)[ ,/]{_NAME}",
        _by_shape,
    ),
    Detector(rf"[,|;\t/] ?[\"']?{_NAME}[\"']? ?[,|;\t/\n]|(?:^|\n)[\"']?{_NAME}[\"']? ?[,|;\t/]|(?:성명|성함|이름|[Nn]ame|NAME|[자명인])[\"']? ?[,|;\t]", _cells),
    Detector(rf"[가-힣]{{2}} (?:{_TITLE})|(?:{'|'.join(ROLES)})(?: ?[:=] ?| )[가-힣]{{2,7}} [가-힣]", _foreign),
)
