"""Korean names, where a title or a role stands beside them: 김민수 과장, 담당자 박지훈.

A name alone is a word like any other; the word beside it is the evidence. Surname and title alone (김 과장) name nobody.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import any_of, regex
from metaagent.protection.redaction._bare_name_judgement import is_plausible, name_length
from metaagent.protection.redaction._context import BEGINS_DATA
from metaagent.protection.redaction._lists import listed, listed_before
from metaagent.protection.redaction._name_judgement import (
    ENDINGS,
    ONLY_IN_NAMES,
    dictionary_says,
    ends_a_phrase,
    is_given,
    is_likely,
    is_measure,
    is_noun,
    is_noun_and_particle,
)
from metaagent.protection.redaction._name_words import (
    COMPOUND,
    DEPARTMENTS,
    FIRST,
    GIVEN,
    GRADES,
    LABELS,
    NEVER_LAST,
    OF_THINGS,
    ORDINARY,
    RARE,
    REST,
    ROLES,
    SINGLE,
    SURNAMES,
    TITLES,
)
from metaagent.protection.redaction.finding import Detector, Hit, WordDetector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TITLE = any_of(TITLES)
_HEADS = "팀장|실장|본부장|부문장|그룹장|파트장|센터장|국장|부장|차장|과장|대리|주임|사원|이사|상무|전무|매니저|리더"
_BEFORE_TITLE = any_of(sorted({*GRADES, *DEPARTMENTS}))
_PARTICLES = (
    r"은|는|이|가|을|를|의|에게서?는?|께서?는?|한테서?|와|과|도|만|로|으로|이랑|랑|하고|이나|나|에|에서|부터|까지|보다|처럼|"
    r"입니다|입니까|이다|이고|이며|이라고?|라고|인데?|이었.*|였.*|예요|이에요|이신|으로부터|로부터|이세요|세요|이죠|만의|에게도"
)
_TITLED = regex(
    rf" ?(?!(?:감사|고문)[을를은는이가의도]?[ .])"
    rf"(?:(?:(?:{_BEFORE_TITLE}){{0,2}}(?:{_TITLE})|(?:{_BEFORE_TITLE}){{1,2}} (?:{_HEADS}))"
    rf"(?:님|들)?(?:{_PARTICLES})?(?![가-힣A-Za-z])|님(?:{_PARTICLES})?(?![가-힣]))"
)
# `과장 광고`, `이사 갑니다`, `대표 제품`: the word after says that the title is none.
_OTHER_SENSE = regex(
    r" ?(?:광고|표현|보도|갑|갔|가[는려야]|간[다 ]|갈 |했|합니|하[는였려기]|해[요서야]|왔|온 |오[는면]|"
    r"비용|센터|짐|업체|점|운전|인[ 을은의])"
)
# `대표 제품`, `담당 메일`: the title says whose thing it is.
_OF_THE_HOUSE = regex(
    r" ?(?:대표|담당|고객|회원|책임) ?(?:제품|상품|전화|번호|메일|이메일|주소|품목|브랜드|메뉴|홈페이지|계좌)"
)
# Said of things, too: 조영제 담당, 신규 고객.
_WEAK_TITLE = regex(
    r" ?(?:담당|고객|회원|환자|직원|관리자|운영자|총괄|책임|선임|수석|전임|감독|프로|파트너|의원)(?:은|는|이|가|을|를|"
    r"의)?(?![가-힣])"
)
# A rare word before such a title is somebody: 봉선화 간호사님.
_HONOURED = regex(rf" (?:{_TITLE})님")
_OF_PLACES = "소과실팀부국원점사청처관품제기비서표구시군동장"
# Said of nobody but a person.
_PERSON_AFTER = regex(r" ?씨(?![가-힣])| ?씨(?:는|가|를|의|와|도|에게|께서|한테)(?![가-힣])")
_ENDS = regex(rf"(?:님|씨)?(?:{_PARTICLES})?(?![가-힣])")
_LATIN_ROLES = "MR|CRA|CRC|PM|PL|PI|PD|MSL|CEO|CTO|CFO|COO"
_LATIN_ROLE = regex(rf"(?<![A-Za-z])(?:{_LATIN_ROLES})$")
_COUNTED = regex(r" [0-9]{1,3}번$")
_CLOSING = frozenset(("", ",", "/", ")", "\n", "."))
_SIGNS = frozenset(":：=-/(")
# 접수자, 보내는 분, 총괄 책임: who does something. Of what stands after it, only a likely name is one.
_DOERS = "자인원장사관수님분명주임당표괄람"
_SHORT = SINGLE + "결하담온율"
_RANK = regex(
    r" (?:사원|주임|대리|과장|차장|부장|팀장|약사|간호사|교수|박사|위원|원장|선생님|이사|상무|전무|매니저|연구원|변호사|"
    r"기자|의원|씨|님)(?:님|[은는이가을를의과와도]|에게|께)?(?![가-힣])"
)
_ENDS_ITS_PLACE = regex(r" ?(?:$|[,/|)\](;\n]|  )")
_NO_GIVEN = ORDINARY | {*TITLES}
_ROLE_SET = frozenset(ROLES)
# A name as the value of a key: of people alone, for things have names too.
_KEY = regex(
    r"[\"'](?:(?:full|patient|customer|client|user|employee|rep|doctor|contact|owner|author|account|person)[_ -]?|)"
    r"name[\"'] ?: ?[\"']$|[\"'](?:성명|이름|성함|환자명|고객명|담당자|담당자명|작성자|예금주)[\"'] ?: ?[\"']$",
    re.IGNORECASE,
)
_LONGEST_ROLE, _BEFORE_ROLE = max(map(len, ROLES)), 4
_LAST_OF_ROLES = "".join(
    sorted({role[-1] for role in ROLES} | set(_DOERS + "RACMLIDO팀부점터국교소약품트번"))
)
# What is said of people: 변호진에게, 권도경입니다, 윤서아 드림.
_SPOKEN_OF = (
    r"(?:(?:에게|한테|께)(?:서|는|도)?|입니다|이고요|인데요|이요|"
    r"이?라고 (?:합니다|해요|소개|밝|말|했|하[는신])|이?라는 (?:분|사람|직원|환자|고객|학생)|"
    r"(?:님|씨)(?:은|는|이|가|을|를|께|의|도)?| ?(?:드림|올림|배상|拜上))"
)
_BEFORE_DATA = (
    rf"(?: ?\((?:19|20)?[0-9]{{2}}(?:[-./][0-9]{{1,2}}[-./][0-9]|년 ?(?:[0-9]{{1,2}}월 ?[0-9]{{1,2}}일)?생)|"
    rf"(?:님|씨)?[ ,(/<:|\"\[]{{1,4}}{BEGINS_DATA})"
)
_AFTER_NAME = any_of(
    sorted(
        {
            *TITLES,
            *GRADES,
            *DEPARTMENTS,
            "에게",
            "한테",
            "께",
            "입니다",
            "이라고",
            "라고",
            "이라는",
            "라는",
            "이요",
            "이고요",
            "인데요",
            "드림",
            "올림",
            "배상",
            "拜",
        }
    )
)
# A space after these mostly ends a word: 이 지역, 전 대표.
_NO_SPACE = "이전현한신구모주고차지안여우원금정민은동온호단당상시부가사인기반도소나하국제어용예경두감음연위"
_SPACED = "".join(sorted({*SURNAMES} - {*_NO_SPACE}))
_SURNAME_APART = regex(rf"[{_SPACED}](?<![가-힣].)(?= [{GIVEN}]{{2}})")
_HEAD = regex(rf"[{FIRST}][{REST}]{{1,3}}")
# The cheapest evidence first, at the first syllable: a role, a team or a number stands before, or a title stands after.
_KOREAN = regex(
    rf"[{FIRST}](?:(?<=[{_LAST_OF_ROLES}:：=/(-][ :=/(-].)|(?<=[자인름함명의][은는이가] .)|(?<=[:=/(-].)|"
    rf"(?<=:[\"'].)|(?<=: [\"'].)|(?<=[0-9a-z)][ (,/|<].)|(?<=[,.] .)|"
    rf"(?= ?[{REST}]{{1,3}} ?(?:{_AFTER_NAME}))|(?=[{REST}]{{1,3}}{_BEFORE_DATA}))"
    rf"(?:[{REST}]{{1,3}}|(?<=[{_SPACED}])(?= [{GIVEN}]{{2}}))"
)
_WEAK_AFTER = regex(rf"(?:{_SPOKEN_OF}(?![가-힣])|{_BEFORE_DATA})")
_WEAK_BEFORE = regex(
    r"(?:[0-9]{3,4}[-. ][0-9]{4}|@[A-Za-z0-9.-]{3,40}|[0-9]{6}-[1-8][0-9]{6}|[0-9]{2,6}-[0-9]{5,7})\)?(?: ?[(,/|<] ?| )$"
)
_BEGINS_WEAK = frozenset(' ,(/<:|"[에한께입이라님씨드올배')
_LAST_OF_TEAMS = frozenset("팀부점사터원국교소약품트")
_GOES_ON = frozenset(
    "은는이가을를의에께한와과도만로으랑하나부까보처입인라였예세님씨드올배"
    + "".join({word[0] for word in (*TITLES, *GRADES, *DEPARTMENTS)})
)
_NO_MORE = regex(r"(?![가-힣])")
_TEAM = regex(
    r"[가-힣0-9](?:팀|본부|사업부|지점|지사|센터|병원|의원|약국|대학교|연구소|제약|약품|파트)[ ,/]$"
)
_ENDS_A_LINE = regex(r" ?(?:\n|$)")
_AFTER_SENTENCE = regex(r"[가-힣0-9][,.] $")
_AFTER_TEAM = regex(r" ?(?:[,.)/(\n|]|$)|[이가은는의]? ")


def _may_be_named(word: str) -> bool:
    """Tell whether a name may begin this word, if something beside it says so. What stands alone is found without evidence."""
    head = _HEAD.match(word)
    if head is None or _is_hopeless(head[0]) or (len(word) > 2 and name_length(word) > 2):
        return False
    return any(_may_be(word[:length], word[length:]) for length in _lengths(head[0]))


def _may_be(name: str, rest: str) -> bool:
    """Tell whether this may be a name before the rest of its word, whatever stands beside it. In Hangul only a particle, a title or
    what is said of people goes on after a name."""
    if rest and rest[0] not in _GOES_ON:
        return False
    if name[:2] in COMPOUND and len(name) > 2:
        return True
    whole = len(name) == 3
    if is_likely(name) or (whole and is_plausible(name)) or _is_no_word(name, whole=whole):
        return True
    if whole:
        unlikely = name[-1] in NEVER_LAST and dictionary_says(name) in ("word", "phrase")
        return rest[:1] in ("", "씨") and not unlikely
    return not rest and name[-1] in _SHORT and name not in OF_THINGS


def _named(text: str, places: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    done = 0
    for start, _ in places:
        if start >= done:
            for hit in _begun(text, start):
                yield hit
                done = hit.end


def _apart(text: str) -> Iterator[Hit]:
    """A surname that a space keeps apart from the given name: 김 민수 과장."""
    for found in _SURNAME_APART.finditer(text):
        yield from _begun(text, found.start())


def _begun(text: str, start: int) -> Iterator[Hit]:
    """Find the name that begins here, and those that are listed with it."""
    found = _KOREAN.match(text, start)
    end = _end_of_name(text, start, found[0]) if found else 0
    if end:
        yield from listed_before(text, start)
        yield Hit("NAME", start, end, 40)
        yield from listed(text, end)


@lru_cache(maxsize=8192)
def _is_hopeless(found: str) -> bool:
    """Tell whether these syllables are words of things, whatever stands beside them: 제품, 진행하, 인력이."""
    if len(found) == 1 or found[:2] in COMPOUND:
        return False
    return found[:2] in OF_THINGS and all(
        len(part) == 2 or ((ends_a_phrase(part) or is_measure(part)) and dictionary_says(part) != "name")
        for part in (found[:length] for length in _lengths(found))
    )


def _end_of_name(text: str, start: int, name: str) -> int:
    """Find where the name ends that may begin here; 0 if it is none."""
    if len(name) == 1:
        end = start + 4
        given = text[start + 2 : end]
        return end if given not in _NO_GIVEN and _evidence(text, start, end, name + given) else 0
    for length in _lengths(name):
        end = start + length
        if "가" <= text[end : end + 1] <= "힣" and text[end] not in _GOES_ON:
            continue
        part = name[:length]
        if _evidence(text, start, end, part) or _weak_evidence(text, start, end, part):
            return end
    return 0


def _lengths(name: str) -> tuple[int, ...]:
    """List how long a name may be that begins here, the longest first."""
    if name[:2] in COMPOUND:
        return tuple(range(len(name), 1, -1))
    short = name[1] in _SHORT
    if len(name) > 2:
        return (3, 2) if short else (3,)
    return (2,) if short else ()


def _weak_evidence(text: str, start: int, end: int, name: str) -> bool:
    """Tell whether this is likely a name and stands where people are spoken of, or beside a number, an address or a team."""
    if text[end : end + 1] in _BEGINS_WEAK and _WEAK_AFTER.match(text, end, end + 64):
        return is_likely(name) and not (text.startswith(" ", end) and is_noun_and_particle(name))
    before = text[max(0, start - 2) : start]
    if (
        before[:1].isascii()
        and _NO_MORE.match(text, end)
        and _WEAK_BEFORE.search(text, max(0, start - 48), start)
    ):
        return is_likely(name)
    if len(name) < 3:
        return False
    if (
        before in (", ", ". ")
        and _ENDS_A_LINE.match(text, end)
        and _AFTER_SENTENCE.search(text, max(0, start - 3), start)
    ):
        return is_likely(name) and (dictionary_says(name) == "name" or is_given(name[1:]))
    of_team = (
        before[:1] in _LAST_OF_TEAMS
        and _AFTER_TEAM.match(text, end)
        and _TEAM.search(text, max(0, start - 8), start)
    )
    return bool(of_team) and (name[:2] in COMPOUND or dictionary_says(name) == "name") and is_likely(name)


def _evidence(text: str, start: int, end: int, name: str) -> bool:
    """Tell whether this is shaped like a name, no ordinary word, and has a title or a role beside it."""
    if name[:2] in COMPOUND and len(name) > 2:
        return _TITLED.match(text, end, end + 24) is not None or _follows_role(text, start, end)
    whole = len(name) == 3
    if not whole and _RANK.match(text, end, end + 16) and name[-1] in _SHORT and name not in OF_THINGS:
        return True
    if (
        whole
        and is_plausible(name)
        and (_RANK.match(text, end, end + 16) or _stands_by_role(text, start, end))
    ):
        return True
    if name in ORDINARY or name[1:] in TITLES or len(name) > 3 or (not whole and name[1] not in SINGLE):
        return False
    if whole and name[:2] in ORDINARY and ends_a_phrase(name):
        return False
    role = _follows_role(text, start, end)
    if whole and _PERSON_AFTER.match(text, end) and (role or name[-1] not in NEVER_LAST):
        return True
    titled = _is_titled(text, end, name)
    if not titled and (not role or (whole and is_noun(name[:2]) and not _is_kept(name))):
        return False
    if (
        titled
        and whole
        and _HONOURED.match(text, end, end + 16)
        and is_given(name[1:])
        and name[-1] not in _OF_PLACES
    ):
        return True
    return _is_no_word(name, whole=whole) and (name[0] not in RARE or (whole and is_given(name[1:])))


def _stands_by_role(text: str, start: int, end: int) -> bool:
    """Tell whether a role stands before this and nothing but a sign after it: 반납자 함초롱 /."""
    if not _ENDS_ITS_PLACE.match(text, end):
        return False
    word, _ = _said_before(text, start)
    return bool(word) and not word.isascii() and (_is_role(word) or word[-1] in "자인")


def _is_kept(name: str) -> bool:
    """Tell whether a noun and a syllable are somebody after all: 반기태, never 반기의."""
    if ends_a_phrase(name):
        return dictionary_says(name) == "name" and name[:2] not in ORDINARY
    return dictionary_says(name) == "name" or is_given(name[1:])


def _is_titled(text: str, end: int, name: str) -> bool:
    """Tell whether a title follows. What may also be said of things takes a name that the dictionary has."""
    title = _TITLED.match(text, end, end + 24)
    if title is None:
        return False
    of_things = _WEAK_TITLE.match(text, end) or _OF_THE_HOUSE.match(text, end)
    unsure = text[end] != " " or of_things or _OTHER_SENSE.match(text, title.end())
    return not unsure or dictionary_says(name) == "name" or is_given(name[1:]) or name[-1] in ONLY_IN_NAMES


def _is_no_word(name: str, *, whole: bool) -> bool:
    reading = dictionary_says(name)
    if reading in ("name", "word"):
        return reading == "name"
    if reading == "phrase" and name[-1] in ONLY_IN_NAMES:
        return True
    if is_measure(name) or (name[:2] in ORDINARY and ends_a_phrase(name)):
        return False
    if reading == "phrase" and (not is_given(name[1:]) or (name[0] in RARE and name[-1] in ENDINGS)):
        return False
    return name[-1] not in NEVER_LAST or (whole and name[-1] == "국" and name[:2] not in ORDINARY)


def _follows_role(text: str, start: int, end: int) -> bool:
    if text[start - 1] in "\"'" if start else False:
        keyed = end - start > 2 and _KEY.search(text, max(0, start - 24), start) is not None
        return keyed and is_given(text[start + 1 : end]) and not is_measure(text[start:end])
    word, sign = _said_before(text, start)
    if not word or _ENDS.match(text, end, end + 12) is None:
        return False
    name = text[start:end].replace(" ", "")
    if word.isascii() or _is_role(word):
        # 담당자가 정하는: after a subject mostly something else is said than who it is.
        return word[-1] not in "이가" or (is_likely(name) and is_given(name[1:]))
    if word in LABELS:
        return sign in (":", "：") and is_likely(name)
    told = text[end : end + 1] in _CLOSING and (is_given(name[1:]) or name[-1] in ONLY_IN_NAMES)
    sure = sign != "" or told or dictionary_says(name) == "name"
    of_noun = is_noun(name[:2]) and not _is_kept(name)
    return word[-1] in _DOERS and len(name) > 2 and sure and not of_noun and is_likely(name)


def _said_before(text: str, start: int) -> tuple[str, str]:
    """Find the word that leads to what begins here, and the sign between them: (담당자, :)."""
    head = text[max(0, start - 22) : start]
    bare = head.rstrip(" ")
    sign = bare[-1:] if bare[-1:] in _SIGNS else ""
    bare = bare[: len(bare) - len(sign)].rstrip(" ")
    if not sign and head == bare:
        return "", ""
    if bare[-1:] == "번" and (counted := _COUNTED.search(bare)):
        bare = bare[: counted.start()]
    at = len(bare)
    while at and "가" <= bare[at - 1] <= "힣":
        at -= 1
    if at == len(bare):
        latin = _LATIN_ROLE.search(bare)
        return (latin[0], sign) if latin else ("", "")
    return bare[at:], sign


def _is_role(word: str) -> bool:
    """담당자, and what is made of it: 영업담당자, 담당자는, 담당자명."""
    bare = word[:-1] if word[-1] in "은는이가명" else word
    return any(
        whole[at:] in _ROLE_SET
        for whole in {word, bare}
        for at in range(max(0, len(whole) - _LONGEST_ROLE), min(_BEFORE_ROLE, len(whole) - 2) + 1)
    )


DETECTORS = (Detector(rf"(?:^|[^가-힣])[{_SPACED}] [{GIVEN}]{{2}}", _apart, local=True),)
BY_WORDS = (WordDetector(_may_be_named, _named),)
