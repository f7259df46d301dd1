"""Whole classes of names and telephone numbers, generated: every grade with every profession, every cut, every spelling."""

from __future__ import annotations

import random

import pytest

from metaagent.protection.redaction import conditions, find
from metaagent.protection.redaction._plain import plain

GRADES = ("책임", "수석", "선임", "전임", "객원", "초빙", "프리랜서 ", "시니어", "임상", "")
PROFESSIONS = (
    "연구원",
    "매니저",
    "엔지니어",
    "디자이너",
    "기획자",
    "개발자",
    "교수",
    "간호사",
    "약사",
    "강사",
    "컨설턴트",
)
OFFICES = (
    "실장",
    "팀장",
    "파트장",
    "그룹장",
    "본부장",
    "센터장",
    "지점장",
    "이사",
    "감사,",
    "고문님",
    "프리랜서",
    "사외이사",
)
DEPARTMENTS = ("영업", "마케팅", "인사", "전략기획", "경영지원", "품질", "진료")
PEOPLE = (
    "최은지",
    "조현기",
    "구본석",
    "김갑수",
    "이응준",
    "박생규",
    "정누리",
    "목영준",
    "부현석",
    "팽현숙",
    "남궁민수",
    "온지훈",
)
ENGLISH = (
    "Lead Designer",
    "Software Developer",
    "Senior Attorney",
    "Clinical Researcher",
    "CISO",
    "SVP",
    "Freelancer",
)
TITLED = (
    *(f"{grade}{profession}" for grade in GRADES for profession in PROFESSIONS),
    *OFFICES,
    *(f"{department}{joint}팀장" for department in DEPARTMENTS for joint in ("", " ")),
)
# A word and its ending, a place, or a thing, which begin like a surname and could be given names.
WORDS = (
    *(
        "제품은",
        "기록이",
        "방문일정",
        "지표가",
        "문서나",
        "마치고",
        "나누고",
        "오늘은",
        "원본은",
        "백업은",
        "반응이",
        "기억한",
    ),
    *(
        "부평구",
        "동대문",
        "사상구",
        "사우디",
        "가능한",
        "동일한",
        "단순한",
        "상세한",
        "계산서",
        "온라인",
        "화장품",
        "가입자",
    ),
)
NOUNS = (
    "직원",
    "관리자",
    "선수",
    "작가",
    "개발자",
    "비서",
    "수석연구원",
    "영업팀장",
    "기획 팀장",
    "프리랜서",
    "감사 보고서",
)


def names(text: str) -> list[str]:
    return [found.value for found in find(text) if found.type == "NAME"]


@pytest.mark.parametrize("name", PEOPLE)
def test_a_name_is_found_beside_every_title(name: str):
    assert [title for title in TITLED if names(f"참석: {name} {title} 외 2명") != [name]] == []


@pytest.mark.parametrize("role", ["디자이너", "프리랜서", "수석연구원", "퇴사자", "입금자", "의뢰인"])
def test_a_name_is_found_after_every_role(role: str):
    assert [name for name in PEOPLE if names(f"{role}: {name}, 확인") != [name]] == []


@pytest.mark.parametrize("title", ENGLISH)
def test_an_english_name_is_found_before_its_title(title: str):
    assert names(f"Emma Novak, {title}, left") == ["Emma Novak"]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_beside_a_title_or_role_is_no_name(word: str):
    texts = [f"{word} {noun}" for noun in NOUNS] + [f"{role} {word} 확인" for role in ("디자이너", "퇴사자")]
    assert [text for text in texts if find(text)] == []


CUTS = ("\n", "\r\n", " \n", "\n  ")
BEGINNINGS = (("010",), ("+82", "10"), ("+82", "2"), ("(+82)", "10"), ("+82", "010"))


def cut_phones(seed: int) -> list[str]:
    """Make numbers with each sign between their groups, and a line end in each of these places."""
    pick = random.Random(seed)
    made: list[str] = []
    for beginning in BEGINNINGS:
        groups = [*beginning, str(pick.randint(2000, 9999)), str(pick.randint(1000, 9999))]
        for sign in "- .":
            for at in range(1, len(groups)):
                cut = pick.choice(CUTS)
                made.append(sign.join(groups[:at]) + cut + sign.join(groups[at:]))
    return made


SPELLED = ("공일이삼사오육칠팔구", "영일이삼사오륙칠팔구")


def spelled_phones(seed: int) -> list[str]:
    """Make numbers whose first group, whole length, or middle is spelled in Hangul."""
    pick = random.Random(seed)
    made: list[str] = []
    for start in ("010", "011", "070", "031"):
        groups = [start, str(pick.randint(2000, 9999)), str(pick.randint(1000, 9999))]
        for digits in SPELLED:
            spoken = ["".join(digits[int(digit)] for digit in group) for group in groups]
            for joint in ("-", " ", ".", " 다시 ", ""):
                made += [joint.join([spoken[0], *groups[1:]]), joint.join(spoken)]
            made.append("-".join([groups[0], spoken[1], groups[2]]))
    return made


@pytest.mark.parametrize("seed", [1, 20261117])
def test_a_cut_or_spelled_phone_is_found_whole(seed: int):
    phones = [*cut_phones(seed), *spelled_phones(seed)]
    shapes = ("{}", "번호가 {}이라고", "the PDF:\n{}\nplease fix")
    texts = [(shape.format(phone), phone) for phone in phones for shape in shapes]
    assert [text for text, phone in texts if [found.value for found in find(text)] != [phone]] == []


@pytest.mark.parametrize("seed", [1, 20261117])
def test_classes_are_found_by_their_own_condition(seed: int):
    titled = [f"{name} {title}" for name in PEOPLE for title in TITLED]
    for text in [plain(each).text for each in (*cut_phones(seed), *spelled_phones(seed), *titled)]:
        needed = conditions.needs(text)
        found = {place for place, each in enumerate(conditions.DETECTORS) if list(each.hits(text))}
        assert found <= set(needed), text


@pytest.mark.parametrize(
    "text",
    [
        "010\n1234 5678 9012",
        "합계 010\n5591 3380원",
        "010\n020\n030",
        "코드 010\n1234\n5678",
        "주문번호 010\n5591 3380",
        "v1.010\n5591 3380",
        "2024-010\n5591 3380",
        "010-12\n34-5678-9",
        "매출 +82\n105 1234 5678 910",
        "+82\n합계 10",
        "공일공 훈련",
        "일이삼사오육칠팔구",
        "공사일이 삼사일",
        "공이 3382 7194",
        "이일 삼일 사일 오일",
        "공구 이삼사 오육칠팔",
    ],
)
def test_numbers_and_words_like_a_phone_stay(text: str):
    assert find(text) == []
