"""Korean names by what is said of them: 강결 생일, 금정은 해설사가, 막내 이해인.

A word is graded by its form (how much it looks like a name, and how little like a noun and its particle), its place by what
stands beside it (how surely only people stand there). Both together must reach what a name takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import any_of, regex
from metaagent.protection.redaction._bare_name_judgement import (
    ENDS_WORDS,
    is_first_name,
    is_plausible,
    is_quality,
    may_follow,
)
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction._name_judgement import (
    ONLY_IN_NAMES,
    PERSON,
    dictionary_says,
    has_bearers,
    is_likely,
    is_measure,
    is_noun,
    is_particle,
    parse,
)
from metaagent.protection.redaction._name_words import (
    COMPOUND,
    GIVEN,
    NEVER_LAST,
    OF_THINGS,
    SINGLE,
    SURNAMES,
    TITLES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENOUGH, SURELY = 3, 2
_LONGEST = 9
_SHORT = SINGLE + "산결온담하선원용영호경정순미은연"
_MANY = 5
# What only people have, and what only they do or undergo.
_HAS = any_of(
    words(
        "생일 결혼 결혼식 청첩장 돌잔치 장례 장례식 빈소 부고 모친상 부친상 조모상 조부상 장인상 장모상 상가 문상 병가 연차 반차 "
        "월차 휴가 휴직 복직 육아휴직 퇴사 퇴직 입사 이직 사직 사직서 출근 퇴근 지각 조퇴 결근 외근 야근 재택 승진 진급 전보 발령 "
        "보임 송별회 환영회 환갑 칠순 축의금 조의금 어머니 아버지 부모님 모친 부친 어머님 아버님 아내 남편 부인 와이프 아들 딸 "
        "누나 오빠 언니 동생 형 친구 이력서 자기소개서 여권 서명 자필 사인 도장 명함 책상 자리 휴대폰 핸드폰 면접 면담 "
        "인사기록 급여 월급 연봉 퇴직금 건강검진 진단서 비자 항공권 사원증 출입증 사물함 근태 출장 당직 교대 대타 덕분"
    )
)
_DOES = any_of(
    words(
        "퇴근 출근 지각 결근 조퇴 외근 입사 퇴사 사직 은퇴 야근 결혼 출산 임신 말했 말하 말씀 말한 전화 통화 물었 물어 묻 답했 "
        "대답 부탁 약속 사과 항의 울었 웃 불평 칭찬 걱정 쉬 아프 아파 다쳤 다쳐 다친 만나 만났 만난 남아 자리를 모른 안다 알고 싶 "
        "운전 몰고 몰았 탔 타고 앉 다녀 돌아왔 돌아오 도와 도왔 귀띔 털어놓 이야기 얘기 전해 전했 인사 살고 산다 태어 입원 "
        "휴가 병가 연차 반차 휴직 외출 자리 귀국 출국 입국 졸업 전공 생일 면접 자원 지원했 맡 뽑 참석 불참 동행 서명 입회 진술 "
        "증언 주장"
    )
)
_AFTER = regex(
    rf"(?:의)? (?:{_HAS})(?![가-힣]{{3}})"
    rf"|(?:이|가|은|는|께서는?|도) (?:[가-힣0-9A-Za-z,]{{1,8}} ){{0,3}}(?:{_DOES})"
    r"|(?:을|를) (?:[가-힣]{1,6} ){0,1}(?:만나|만났|모셔|모시|뽑|불러|불렀|추천|채용|해고|초대|위로|칭찬|도와|도왔|"
    r"소개|면접|찾아가|보내 )"
    r"|(?:과|와|이랑|랑|하고) (?:[가-힣]{1,6} ){0,2}(?:얘기|이야기|통화|만나|만났|상의|의논|약속|점심|저녁|식사|면담|친하|"
    r"싸|결혼|회의|미팅|협의|논의|화상)"
    r"| (?:전화|연락|문자|메일|답장|회신|카톡)(?:이|가|를|을)? ?(?:왔|옴|옵|오|받|드리|드렸|했|부탁|안 )"
    r"| ?(?:\([가-힣A-Za-z0-9 ]{1,10}\))?[ ,/|:(]{1,3}"
    r"(?:0[0-9]{1,2}[-. )]{1,2}[0-9]{3,4}[-. ][0-9]{4}|[A-Za-z0-9._%+-]{1,40}@[A-Za-z0-9])"
    r"|(?:에게서?|한테서?|께)(?:는|도)?(?![가-힣])"
    r"| (?:아세요|알아요|아시나요|맞나요|맞죠|맞습니까|어때요|어땠|계세요|계신가|계십|왔|오셨|봤|만나|만났)"
    r"|(?:이|가)? (?:쪽|측|편)(?:으로|에) "
)
_BEFORE = regex(
    r"(?:(?<![가-힣])(?:막내|신입|사수|부사수|동기|후배|선배|친구|짝꿍|지인|삼촌|이모|고모|사촌|조카|사위|며느리|동창|룸메이트|이웃|동료|"
    r"상사|부하|파트너|신랑|신부|고인|망인|(?:우리|저희) [가-힣]{1,6}) "
    r"|(?:받는|보낸|보내는|받을|부른|찾는|만난|오신|온|오는|계신|맡은|하신|작성한|요청한|신청한|접수한|담당한|입사한|퇴사한|"
    r"면접 본|지원한|주문한) "
    r"(?:이|분|사람|직원|친구)?(?:은|는|이)? ?[:：]? ?"
    r"|(?:사람|분|사원|직원|주인공|당첨자|수상자|당번|막내|팀원|사수|짝|후임|전임|작성|담당|책임|대표)(?:은|는|이|가) "
    r"|(?:어제|오늘|방금|아까|좀 전에|오전에|오후에|점심에|지난주에?|내일|이따|금방) )$"
)
_IS_ONE = regex(r"(?:입니다|이에요|예요|이고요|인데요)(?![가-힣])")
_SIGNS = regex(
    r" (?:드림|올림|배상|拜上)(?![가-힣])|(?:이?라는|이?란) (?:분|사람|직원|친구|학생|환자)|이?라고 (?:합니다|해요|소개)"
)
_NAMED = regex(
    r"(?:(?:받는|보낸|보내는|받을|찾는|맡은|맡긴|쓴) ?(?:이|분|사람) ?[:：]? ?|(?:성함|성명|본명)(?:은|는|이)? ?[:：]? ?"
    r"|(?:이름|[가-힣](?:자|인)명?)(?:은|는)? ?[:：] ?)$"
)
_FIELD = regex(r"[가-힣A-Za-z)\]] ?[:：] ?$|(?:^|\s)[0-9]{1,2}[.)] ?$|[-–>] $|^\[[가-힣]{2,6}\] $")
_ENDS_FIELD = regex(r" ?(?:$|[,/|·;\n(]|[0-9]{1,2}[.)]| - )")
_OWN_LINE = regex(r" ?(?:\n|$)")
# A mail address, a telephone number or a day of birth in one of the three lines below.
_DATA_BELOW = regex(
    r"(?:[^\n]{0,40}\n){1,3}?[^\n]{0,20}(?:0[0-9]{1,2}[-. )]?[0-9]{3,4}[-. ]?[0-9]{4}|[A-Za-z0-9._%+-]{1,40}@[A-Za-z0-9]|"
    r"(?:19[3-9]|200)[0-9](?:[-./]|년))"
)
# 해설사, 경비원, 조리장: who does something for a living, whatever it is.
_CALLING = regex(
    r" (?!회사|지사|본사|공장|시장|현장|매장|개인|법인|병원|의원|직원|지원|원장|사장)[가-힣]{1,6}"
    r"(?:사|원|장|관|자|가|수|역|생|인|님)(님|님께서?|님이|님은)?(?:이|가|은|는|을|를|의|께서?|에게|한테|도|와|과|로)?(?![가-힣])"
)


def names_spoken_of(text: str, word: str, start: int) -> Iterator[tuple[int, int]]:
    """Find the name that this word is, or begins with, if what stands beside it says so."""
    for length, form in graded(word):
        end = start + length
        if form + place(text, start, end) >= _ENOUGH:
            yield start, end
            return


def place(text: str, start: int, end: int) -> int:
    """Grade the place: how surely does somebody stand here?"""
    field = _ENDS_FIELD.match(text, end, end + 6) is not None
    if _SIGNS.match(text, end, end + 16) or (field and _NAMED.search(text, max(0, start - 12), start)):
        return _ENOUGH
    if _AFTER.match(text, end, end + 40) or _BEFORE.search(text, max(0, start - 16), start):
        return SURELY
    calling = _CALLING.match(text, end, end + 16)
    if calling:
        return SURELY if calling[1] else 1
    if _OWN_LINE.match(text, end) and (not start or text[start - 1] == "\n"):
        return _ENOUGH if _DATA_BELOW.match(text, end) else 1
    return int(
        (field and _FIELD.search(text, max(0, start - 10), start) is not None)
        or _IS_ONE.match(text, end) is not None
    )


@lru_cache(maxsize=32768)
def graded(word: str) -> tuple[tuple[int, int], ...]:
    """List how many syllables of this word may be a name, each with a grade of its form: 0 is hardly one, 2 is likely."""
    if len(word) > _LONGEST or word in OF_THINGS:
        return ()
    lengths = (4, 3) if word[:2] in COMPOUND else (3, 2)
    forms = (
        (length, _form(word[:length], word[length:]))
        for length in lengths
        if length <= len(word) and may_follow(word, length)
    )
    return tuple((length, form) for length, form in forms if form >= 0)


def _form(name: str, rest: str) -> int:
    if name in OF_THINGS or name[1:] in TITLES:
        return -1
    if len(name) == 4:
        return 2 if is_likely(name) else -1
    if len(name) == 2:
        return _form_of_two(name, rest)
    made_of_syllables = (
        name[0] in SURNAMES and name[1] in GIVEN and name[2] in GIVEN and name[2] not in "장분"
    )
    if not made_of_syllables or (name[2] in "한할함" and is_quality(name[:2])):
        return -1
    return _form_of_three(name)


def _form_of_three(name: str) -> int:
    said, noun = dictionary_says(name), is_noun(name[:2])
    if noun and name[2] not in ONLY_IN_NAMES and is_measure(name):
        return -1
    if said == "word" and not noun:
        return int(has_bearers(name[1:], _MANY))
    known = said == "name" or is_first_name(name[1:]) or has_bearers(name[1:], _MANY)
    ends = name[2] in ENDS_WORDS or is_particle(name[1], name[2])
    if noun:
        if name[2] in ONLY_IN_NAMES:
            return 1 + int(known)
        return 2 - int(ends) if known else -1
    if name[2] in NEVER_LAST or name[1:] in OF_THINGS or is_measure(name) or _is_inflected(name):
        return int(known)
    strong = known or is_likely(name) or is_plausible(name)
    if said == "phrase" or _is_one_noun(name[:2]):
        return int(strong or has_bearers(name[1:])) + int(known and not ends)
    return 1 + int(strong)


def _form_of_two(name: str, rest: str) -> int:
    if name[0] not in SURNAMES or name[1] not in _SHORT or _is_verbal(name + rest):
        return int(dictionary_says(name) == "name" and is_first_name(name)) or -1
    said = dictionary_says(name)
    if said in ("word", "phrase"):
        return 0
    return 2 if said == "name" or parse(name)[0].meaning == PERSON else 1


def _is_verbal(word: str) -> bool:
    return any(morpheme.pos[:1] == "V" or morpheme.pos[:2] == "XS" for morpheme in parse(word))


@lru_cache(maxsize=8192)
def _is_inflected(name: str) -> bool:
    """Tell whether a word that is no name's has an ending or a particle here: 남기고, 편리한."""
    tags = [morpheme.pos for morpheme in parse(name)]
    return tags[0] != "NNP" and (tags[-1][0] in "JE" or "+" in tags[-1])


def _is_one_noun(word: str) -> bool:
    first, *more = parse(word)
    return not more and first.pos == "NNG"
