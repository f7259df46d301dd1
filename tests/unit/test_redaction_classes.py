"""Whole classes of names and telephone numbers, generated: every grade with every profession, every cut, every spelling."""

from __future__ import annotations

import random

import pytest

from metaagent.protection.redaction import conditions, find
from metaagent.protection.redaction._normalised import plain

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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("환급 대상 최강산, 820817-2431152", "최강산"),
        ("여권 M582K9317 (SEO RAON) 예약", "SEO RAON"),
        ("부산은행 112-2047-3381-09 (왕수아)", "왕수아"),
        ("Invitation: Farida Usmonova, passport FA 6620418", "Farida Usmonova"),
        ("추가을, 95.10.08생, 인턴 지원", "추가을"),
    ],
)
def test_whose_number_stands_beside_it_is_a_name(text: str, name: str):
    assert ("NAME", name) in [(found.type, found.value) for found in find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("호랑 씨 계정이 잠겼어요", ["호랑"]),
        ("환자 진달래 님 동의서", ["진달래"]),
        ("통역은 아사노 미호 님께 부탁", ["아사노 미호"]),
        ("명단: 갈현서 마윤제 복다솜 이상 3명", ["갈현서", "마윤제", "복다솜"]),
        ("[단톡] 초롱: 저 연차요 / 해솔: 확인했습니다", ["초롱", "해솔"]),
        ("착신 돌려놨음 - 예준", ["예준"]),
        ("기안 남보배 → 검토 홍다인", ["남보배", "홍다인"]),
        ("환자 황금빛(45세, 남) 재측정", ["황금빛"]),
        ("사번\t성명\t내선\n20311\t흥보람\t4471", ["흥보람"]),
        ("Signed off by Beatrix Lohmann (QA)", ["Beatrix Lohmann"]),
        ("Attendees: Hollis Barrow, P. Sandoval", ["Hollis Barrow", "P. Sandoval"]),
        ("Per Oh Ji-sub, it was a false alarm.", ["Oh Ji-sub"]),
        ("Just ask for Gemma.", ["Gemma"]),
    ],
)
def test_people_are_found_by_how_they_are_called(text: str, names: list[str]):
    assert [found.value for found in find(text)] == names


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("PASSPORT", "Passport no. P4471928K was scanned", "P4471928K"),
        ("VEHICLE", "정기권 09버 1182 등록", "09버 1182"),
        ("PHONE", "Her UK mobile: 07700 900316", "07700 900316"),
        ("BIRTH", "the alternate (b. 22 Jan 1988)", "22 Jan 1988"),
        ("RRN", "Newborn's number 250902-3602023 was added", "250902-3602023"),
        ("SECRET", "관리자 PW가 아직 qlalfqjsgh1! 이라고요?", "qlalfqjsgh1!"),
        ("ADDRESS", "Ship to: 48 Juniper Close, Leeds LS6 2QT", "48 Juniper Close, Leeds LS6 2QT"),
    ],
)
def test_numbers_in_other_spellings_are_found(kind: str, text: str, value: str):
    assert [(found.type, found.value) for found in find(text)] == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "수박 씨 제거기 10대",
        "고객 님께 보내는 안내문",
        "간호사, 약사 4명 모집",
        "정기권: 등록 안내",
        "기안 완료 → 승인 대기",
        "소아(12세, 이하) 용량",
        "고객명: 필수 입력",
        "항목: 매출 / 기준: 월별",
        "재고 현황 - 정상",
        "서브넷 마스크 255.255.255.0",
        "PW 변경 주기 90일",
        "보고서 작성자 미정 / 2009-01-02 개정",
        "Letter from Swiss Medic arrived.",
        "Remind Operations about the drill.",
    ],
)
def test_things_said_like_people_stay(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("어제 저녁에 김성호 만나서 계약을 다시 이야기했다", ["김성호"]),
        ("이번 일은 송혜진과 노준혁이 맡는다", ["송혜진", "노준혁"]),
        ("@박준서 이거 좀 봐주세요", ["박준서"]),
        ("방 배정: 301호 최율·한서윤, 302호 황동훈", ["최율", "한서윤", "황동훈"]),
        ("강사는 소피아 로렌과 마리아 곤잘레스를 모셨다", ["소피아 로렌", "마리아 곤잘레스"]),
        ("명단\n1. 서지후 (영업)\n2. 장소율 (재무)", ["서지후", "장소율"]),
        ("우리 아들 도윤 유치원 시간 변경", ["도윤"]),
        ("광수씨 어제 파일 보냈어요", ["광수"]),
        ("I ran into Hamish Dubois at the station", ["Hamish Dubois"]),
        ("Action: Saoirse Obuya to circulate the draft", ["Saoirse Obuya"]),
        ("Has anyone seen Ananya today?", ["Ananya"]),
        ("She replaces Piet Hoekstra as site monitor", ["Piet Hoekstra"]),
    ],
)
def test_a_name_is_found_without_a_title(text: str, names: list[str]):
    assert [found.value for found in find(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "노란 배경은 제거하고 문구는 굵게",
        "조용한 자리로 부탁드립니다",
        "법에서 인정하는 사유로 차지하는 비율",
        "이슬이 맺힌 용기는 쓰지 마세요",
        "서준비 체크리스트를 정리했다",
        "백만원 이상의 이유로 정해진 절차",
        "양천구와 강동구 지점, 경상남도",
        "Austin will host the next meeting",
        "Dawn shift starts at 05:30",
        "We met with Acme Robotics in Santa Monica",
        "Green Valley Farm delivers on Tuesdays",
        "Turn left at the Lincoln Center",
    ],
)
def test_words_that_begin_like_a_name_stay(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("ID", "건강보험증번호 70482915533 로 조회", "70482915533"),
        ("ID", "개인통관고유부호 P240183756921 로 신고", "P240183756921"),
        ("ID", "의사면허번호 104872 로 등록", "104872"),
        ("ID", "카톡 아이디 kkomaengi_77 추가", "kkomaengi_77"),
        ("SECRET", "공용 아이패드 잠금번호 480215 입니다", "480215"),
        ("SECRET", "유효기간 08/29 CVC 417", "417"),
        ("SECRET", "계정 admin / Qwer!0915zx 그대로네요", "Qwer!0915zx"),
        ("SECRET", "Temp password for the portal is Maple-Otter-39!", "Maple-Otter-39!"),
        ("VEHICLE", "the permit for licence plate 7KDR482 expires", "7KDR482"),
        ("SSN", "NI number QQ 12 34 56 C", "QQ 12 34 56 C"),
        ("DRIVER", "driving licence KULIK905124B99", "KULIK905124B99"),
        ("PASSPORT", "한지우 M48271936, 회신 부탁", "M48271936"),
        ("BIRTH", "검체 라벨 - 한지우/910206/혈청", "910206"),
        ("ADDRESS", "Courier label: Lipowa 14/3, 30-702 Krakow", "Lipowa 14/3, 30-702 Krakow"),
    ],
)
def test_a_label_or_a_name_says_what_a_value_is(kind: str, text: str, value: str):
    assert (kind, value) in [(found.type, found.value) for found in find(text)]
