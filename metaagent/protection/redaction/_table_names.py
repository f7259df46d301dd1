"""Names in the cells of a table, and names from abroad in Hangul: 윤가람,영업2팀,대리; 이름 and its column; 토마스 베커 이사."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import any_of, regex
from metaagent.protection.redaction import _western_words as western
from metaagent.protection.redaction._bare_name_judgement import is_plausible, name_length
from metaagent.protection.redaction._context import BEGINS_DATA, words
from metaagent.protection.redaction._name_judgement import PERSON, dictionary_says, is_given, is_likely, parse
from metaagent.protection.redaction._name_words import (
    ALL_SURNAMES,
    COMPOUND,
    GIVEN,
    OF_THINGS,
    ORDINARY,
    ROLES,
    SURNAMES,
    TITLES,
)
from metaagent.protection.redaction._people import SURELY, place
from metaagent.protection.redaction._personal import DAY
from metaagent.protection.redaction.finding import Detector, Hit, WordDetector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAME = rf"(?:(?:{'|'.join(COMPOUND)})[{GIVEN}]{{1,2}}|[{SURNAMES}][{GIVEN}]{{1,2}})"
_TITLE = any_of(TITLES)
_SEPARATOR = regex(r"[,|;\t/]")
_CELL = regex(r"[^,|;\t/]+")
_HEADS_OF_PEOPLE = frozenset(
    words(
        "성명 성함 환자명 고객명 직원명 사원명 담당자 담당자명 작성자 예금주 수취인 참석자 신청인 보호자 회원명 원장명 "
        "신청자 대표자"
    )
)
_HEADS_OF_ANYTHING = frozenset(
    words("이름 name 이름(한글) 명단 contact owner patient customer employee manager")
)
_BESIDE_PEOPLE = frozenset(
    words(
        "부서 소속 직급 직책 직위 연락처 전화 전화번호 휴대폰 휴대전화 핸드폰 이메일 메일 생년월일 주민등록번호 주민번호 "
        "주소 사번 입사일 성별 "
        "나이 role title phone mobile email e-mail mail dob birthday birthdate department dept position address birth "
        "team extension ext 내선"
    )
)
_ALL_HEADS = _HEADS_OF_PEOPLE | _HEADS_OF_ANYTHING
_HEADS_OF_BIRTHS = frozenset(
    ("생년월일", "생일", "dob", "birth", "birthday", "birthdate", "birth_date", "date of birth")
)
_KOREAN_NAME = regex(_NAME)
_UNDER_HEAD = regex(rf"(?:{'|'.join(COMPOUND)}|[{ALL_SURNAMES}])[{GIVEN}]{{1,2}}")
_LATIN_NAME = regex(r"[A-ZÀ-ÞĀ-Ɏ][A-Za-zà-ɏ'’-]+(?: [A-Z]\.)?(?: [A-ZÀ-ÞĀ-Ɏ][A-Za-zà-ɏ'’-]+){1,2}")
_NEAR, _FEWEST_CELLS = 12, 3
_WIDEST = 16
"""Characters that two words of a name from abroad have at most."""
_DATA_CELL = regex(BEGINS_DATA)
_TITLE_CELL = regex(rf"(?:[가-힣]{{0,6}})?(?:{_TITLE})")
# Syllables of names from abroad that few Korean words have.
_ABROAD = (
    "스르드즈츠브므느흐크트프엘웨윌응옌옹쩐뷔뮐슈쉬셰슨슐잭젤켈켄콜콘쿠퀸클킨카칼캐커케코키탄탐터테토톰튼틴팔패퍼페폴푸랜런렌렉롤롱뢰뤼릭릴맥뮌벤벨샤"
    "셀숀앤앨왈웡챈첸쥔쑨궈쯔쉐펑밍팡니야"
)
_TITLED = regex(
    rf"[가-힣]{{1,9}}(?: [가-힣]{{1,6}}){{0,2}}?(?= (?:{_TITLE})님?(?:[은는이가을를의과와도로]|으로|에게|께서?|"
    rf"한테|입니다)?(?![가-힣]))"
)
_ROLE_BEFORE = regex(rf"({any_of(ROLES)})(?: ?[:=] ?| )(?:[가-힣]{{2,7}} (?:[가-힣]{{1,6}} )?)?$")
_WIDEST_TITLED, _WIDEST_LED = 40, 26
"""Characters after a word that its name, a title and a particle have at most, and before it a role and two words."""
_SELDOM_KOREAN = regex(rf"[{_ABROAD}]")
_SYLLABLES = regex(r"[가-힣]++")
_PARTICLE = regex(
    r"(?:께서는?|에게서?는?|한테서?는?|께|이랑|랑|하고|입니다|이라고|라고|이라는|라는|이에요|예요|으로|[은는이가을를의과와도로])$"
)
_LED = regex(r"(?: ?[:=] ?| )([가-힣]{2,7}(?: [가-힣]{1,6}){0,2})(?![가-힣])")
_CALLED = regex(rf"[{GIVEN}](?<![가-힣].)[{GIVEN}](?=님 ?(?:[:,.!?\n]|$|[이께은도과]|에게|하고))")
_ADDRESSED = regex(rf"[{GIVEN}]{{2}}님")
_WORD_BEFORE = regex(r"(?<![가-힣])[가-힣]{2,7} $")
_GIVEN_ABROAD = frozenset(
    words(
        "데이비드 마이클 알리 하인리히 한스 프란츠 티 란 리 안나 사라 리사 미아 에바 니나 소피 릴리 레오 루카 노아 이안 "
        "제인 톰 닉 벤 댄 앤디 피터 수잔 낸시 메리 헬렌 마크 폴 "
        "켄 케이트 "
        "로라 줄리아 엠마 올가 이반 유리 사토 다나카 스즈키 이토 사사키 야마모토 기무라 하야시 모리 다로 유키 겐지 하루토 "
        "린다 응우옌 쩐 팜 레티"
    )
)
_CHINESE = frozenset("첸쥔쉐쯔웨쑨궈쩡쩐펑뤄샹옌꾸팡밍샤쉬레핑하딩룽셰쑹둥징쥐안옌팅페이즈쩌")
_NEVER_KOREAN = frozenset("첸쥔쉐쯔웨쑨궈쩡쩐펑뤄샹옌팡밍쉬샤쩌쑹쥐")


# Cheaper to look for: without one of these a line has no name, and no head of a column.
_WORTH = regex(
    rf"(?:^|[,|;\t/]) {{0,2}}[\"']?(?:{_NAME}|(?i:{any_of(sorted(_ALL_HEADS))}))[\"' ]{{0,2}}(?=[,|;\t/\n]|$)",
    re.MULTILINE,
)


_OPENS_CELL = regex(r"(?:^|[,|;\t/\n]) {0,2}[\"']?$")
_ENDS_CELL = regex(r"[\"' ]{0,2}(?:[,|;\t/\n]|$)")


def cells(text: str) -> Iterator[Hit]:
    """Names in tables: the cells below the head of a column of people, and a cell beside one with a title or a number."""
    columns: frozenset[int] = frozenset()
    births: frozenset[int] = frozenset()
    width = 0
    at_line = 0
    while at_line <= len(text):
        if not columns:
            worth = _WORTH.search(text, at_line)
            if worth is None:
                return
            at_line = text.rfind("\n", 0, worth.end()) + 1
        line_end = text.find("\n", at_line)
        line = (at_line, line_end if line_end >= 0 else len(text))
        at_line = line[1] + 1
        # A line without cells ends a table.
        if not _SEPARATOR.search(text, *line):
            columns = frozenset()
            continue
        spans = [_bare(text, *cell.span()) for cell in _CELL.finditer(text, *line)]
        cells = [text[start:end] for start, end in spans]
        found = _columns_of_people(cells)
        if found:
            columns, width = found, len(cells)
            births = frozenset(at for at, cell in enumerate(cells) if cell.lower() in _HEADS_OF_BIRTHS)
        else:
            yield from _in_line(cells, spans, columns, births, width)


def _in_line(
    cells: list[str],
    spans: list[tuple[int, int]],
    columns: frozenset[int],
    births: frozenset[int],
    width: int,
) -> Iterator[Hit]:
    if not columns and len(cells) < _FEWEST_CELLS:
        return
    for at, (start, end) in enumerate(spans):
        below = at in columns and abs(len(cells) - width) <= 1
        if at in births and len(cells) == width and DAY.fullmatch(cells[at]):
            yield Hit("BIRTH", start, end, 50)
        elif (below and _is_cell_of_people(cells[at])) or (
            len(cells) >= _FEWEST_CELLS and _is_beside(cells, at)
        ):
            yield Hit("NAME", start, end, 40)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \"'":
        start += 1
    while start < end and text[end - 1] in " \"'":
        end -= 1
    return start, end


def _columns_of_people(cells: list[str]) -> frozenset[int]:
    if _ALL_HEADS.isdisjoint(cells) and _ALL_HEADS.isdisjoint(map(str.lower, cells)):
        return frozenset()
    of_people = any(cell in _BESIDE_PEOPLE or cell.lower() in _BESIDE_PEOPLE for cell in cells)
    heads = _HEADS_OF_PEOPLE | _HEADS_OF_ANYTHING if of_people else _HEADS_OF_PEOPLE
    return (
        frozenset(at for at, cell in enumerate(cells) if cell in heads or cell.lower() in heads)
        if len(cells) > 1
        else frozenset()
    )


def _is_cell_of_people(cell: str) -> bool:
    if _UNDER_HEAD.fullmatch(cell):
        return cell not in ORDINARY and dictionary_says(cell) != "word"
    if _LATIN_NAME.fullmatch(cell):
        return not any(
            part in western.NOT_NAMES and part not in western.KOREAN_SURNAMES for part in cell.split()
        )
    return bool(cell) and is_foreign(cell)


def _is_beside(cells: list[str], at: int) -> bool:
    if (
        not 1 < len(cells[at]) < 5
        or not _KOREAN_NAME.fullmatch(cells[at])
        or not (is_likely(cells[at]) or is_plausible(cells[at]))
    ):
        return False
    # Near cells alone: a line may have any number of them.
    others = cells[max(0, at - _NEAR) : at] + cells[at + 1 : at + 1 + _NEAR]
    return any(_TITLE_CELL.fullmatch(cell) or _DATA_CELL.match(cell) for cell in others)


def _may_be_from_abroad(word: str) -> bool:
    return _SELDOM_KOREAN.search(word) is not None and (_is_foreigners(word) or not _is_word(word))


def _from_abroad(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    """Names from abroad before a title or after a role: 토마스 베커 이사, 담당자 응우옌 반 안."""
    for start, end in places:
        titled = _TITLED.match(text, start, end + _WIDEST_TITLED)
        if titled:
            before = _WORD_BEFORE.search(text, max(0, start - 8), start)
            yield from _first_foreign(text, before.start() if before else start, titled.end())
        role = _ROLE_BEFORE.search(text, max(0, start - _WIDEST_LED), start)
        if role and (led := _LED.match(text, role.end(1))):
            yield from _first_foreign(text, *led.span(1))


def names_from_abroad(text: str, floor: int, start: int, end: int) -> Iterator[Hit]:
    """Find names of two words or three round this one, each somebody's from abroad (소피아 로렌과), or it alone where somebody
    stands: 리웨이의 여권."""
    first = max(floor, start - _WIDEST)
    while first > floor and "가" <= text[first - 1] <= "힣":
        first -= 1
    near = list(_SYLLABLES.finditer(text, first, min(len(text), end + _WIDEST)))
    done = first
    for at, found in enumerate(near):
        if found.start() < done or found.start() > start or found[0] in OF_THINGS:
            continue
        if not (is_of_abroad(found[0]) or is_somebodys(found[0])):
            continue
        done = _end_abroad(text, near[at : at + 3]) or _end_of_single(text, found)
        if done:
            yield Hit("NAME", found.start(), done, 40)


def _end_abroad(text: str, found: list[re.Match[str]]) -> int:
    """Find where the name ends whose first word this is; 0 if that is all. A particle ends it."""
    parts, end, told = [found[0][0]], found[0].end(), False
    for word in found[1:]:
        bare = _bare_word(word[0])
        if word.start() != end + 1 or text[end] != " " or not bare or bare in OF_THINGS:
            break
        if not is_somebodys(bare):
            # 에이미 장, 아스트리드 한센: what no dictionary has is a surname after a given name where somebody stands.
            known = 0 if len(bare) > 1 and _is_word(bare) else 1
            told = (
                not _KOREAN_NAME.fullmatch(parts[0])
                and parts[-1] == _bare_word(parts[-1])
                and (is_somebodys(parts[-1]) or is_of_abroad(parts[-1]))
                and not bare.endswith("님")
                and (len(bare) > 1 or bare in ALL_SURNAMES)
                and known + place(text, found[0].start(), end + 1 + len(bare)) >= SURELY
            )
            if not told:
                break
        parts.append(bare)
        end += 1 + len(bare)
        if bare != word[0]:
            break
    sure = told or any(map(is_of_abroad, parts)) or place(text, found[0].start(), end) > 0
    return end if len(parts) > 1 and sure else 0


def _end_of_single(text: str, found: re.Match[str]) -> int:
    bare = _bare_word(found[0])
    end = found.start() + len(bare)
    if bare in OF_THINGS or not _is_single(bare):
        return 0
    least = 1 if _is_chinese(bare) else SURELY
    return end if place(text, found.start(), end) >= least else 0


@lru_cache(maxsize=8192)
def _bare_word(word: str) -> str:
    """The word without its particle, if it has one: 뮐러를."""
    if is_somebodys(word):
        return word
    return _PARTICLE.sub("", word)


@lru_cache(maxsize=8192)
def _is_word(word: str) -> bool:
    """Tell whether this is a word of Korean, alone or made of such: never 한센, 장."""
    if len(word) == 1:
        return word not in ALL_SURNAMES
    return any(
        morpheme.pos[:1] in "VXE" or (morpheme.pos == "NNG" and len(morpheme.surface) > 1)
        for morpheme in parse(word)
    )


@lru_cache(maxsize=32768)
def is_of_abroad(word: str) -> bool:
    """Tell whether this is somebody's name, and has a syllable that few Korean words have."""
    if len(word) > 9 or not any(char in _ABROAD for char in word):
        return word in _GIVEN_ABROAD
    bare = _bare_word(word)
    return bool(bare) and (is_somebodys(bare) or _is_chinese(bare))


def _first_foreign(text: str, start: int, end: int) -> Iterator[Hit]:
    """Find the name that ends here, or ends a word before: what stands round it may be any word."""
    if not any(map(_is_foreigners, text[start:end].split(" "))):
        return
    bounds = [start, *(at + 1 for at in range(start, end) if text[at] == " ")]
    for last in (end, *(at - 1 for at in reversed(bounds[1:]))):
        for first in bounds:
            if first < last and is_foreign(text[first:last]):
                yield Hit("NAME", first, last, 40)
                return


@lru_cache(maxsize=8192)
def _is_foreigners(word: str) -> bool:
    """Tell whether this may be a word of a foreign name: one of its words must be."""
    return is_somebodys(word) or _is_chinese(word)


@lru_cache(maxsize=1024)
def is_foreign(name: str) -> bool:
    """Tell whether this is a foreign name in Hangul: one word of it is somebody's in the dictionary, and none is of things."""
    parts = name.split(" ")
    if any(part in OF_THINGS for part in parts):
        return False
    if len(parts) == 1:
        return _is_single(name)
    known = [is_somebodys(part) for part in parts]
    if known[0] and known[-1] and len(parts) == 2:
        return True
    if _KOREAN_NAME.fullmatch(parts[0]) and is_likely(parts[0]):
        return False
    first_or_last = known[0] or (known[-1] and len(parts[-1]) > 2)
    return first_or_last and not any(
        _ends_a_phrase(part) for part, is_known in zip(parts, known, strict=True) if not is_known
    )


def _is_single(name: str) -> bool:
    return _is_chinese(name) or (len(name) > 2 and is_somebodys(name) and not _KOREAN_NAME.fullmatch(name))


def _is_chinese(name: str) -> bool:
    return (
        2 <= len(name) <= 4
        and any(char in _NEVER_KOREAN for char in name)
        and all(
            char in _CHINESE or char in GIVEN or char in SURNAMES or char in "웨이리우첸쟝왕저"
            for char in name
        )
        and parse(name)[-1].pos[:1] not in "EJ"
        and "+" not in parse(name)[-1].pos
    )


@lru_cache(maxsize=8192)
def is_somebodys(word: str) -> bool:
    if word in _GIVEN_ABROAD:
        return True
    first, *more = parse(word)
    return not more and first.meaning == PERSON


def _ends_a_phrase(word: str) -> bool:
    """Tell whether this is a plain word of Korean, or one with a particle or an ending."""
    tags = [morpheme.pos for morpheme in parse(word)]
    return len(word) > 1 and (tags[-1][0] in "JEX" or (len(tags) == 1 and tags[0] == "NNG" and len(word) > 2))


def _may_be_addressed(word: str) -> bool:
    return _ADDRESSED.match(word) is not None


def _addressed(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    """Given names that people call each other by: 보겸님: 넵."""
    for start, _ in places:
        found = _CALLED.match(text, start)
        if found and _is_given_name(found[0]):
            yield Hit("NAME", *found.span(), 40)


def _is_given_name(name: str) -> bool:
    return name not in OF_THINGS and is_given(name) and dictionary_says(name) in ("", "name")


def _may_be_a_cell(word: str) -> bool:
    """Tell whether this is the head of a column, or a name that is found in no other place."""
    if word in _ALL_HEADS:
        return True
    likely = _KOREAN_NAME.fullmatch(word) is not None and (is_likely(word) or is_plausible(word))
    return likely and not (len(word) > 2 and name_length(word) > 0)


def _in_cells(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    """Read the tables of a text in which a name or the head of a column has a cell for itself."""
    if any(
        _ENDS_CELL.match(text, end) is not None
        and _OPENS_CELL.search(text, max(0, start - 4), start) is not None
        for start, end in places
    ) and not _LATIN_HEAD.search(text):
        yield from cells(text)


_HEADED = rf"(?i:{any_of(sorted(head for head in _ALL_HEADS if head.isascii()))})[\"']? ?[,|;\t]"
_LATIN_HEAD = regex(_HEADED)
BY_WORDS = (
    WordDetector(_may_be_from_abroad, _from_abroad),
    WordDetector(_may_be_addressed, _addressed),
    WordDetector(_may_be_a_cell, _in_cells),
)
DETECTORS = (Detector(_HEADED, cells),)
