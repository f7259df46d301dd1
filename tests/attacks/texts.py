"""Texts with and without personal data, made from classes, carriers and distractors: what detection is scored on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from metaagent.protection.redaction import Finding, find
from tests.attacks.generators import luhn, rrn, word

LOWER, UPPER, DIGITS = "abcdefghkmnpqrstuvwxyz", "ABCDEFGHJKLMNPRSTUVWXYZ", "0123456789"
SURNAMES = [
    "김",
    "이",
    "박",
    "최",
    "정",
    "강",
    "조",
    "윤",
    "장",
    "임",
    "한",
    "오",
    "서",
    "신",
    "권",
    "황",
    "안",
    "송",
    "류",
    "홍",
    "남궁",
    "제갈",
]
FIRST = [
    "민",
    "서",
    "지",
    "수",
    "현",
    "예",
    "도",
    "하",
    "주",
    "은",
    "태",
    "승",
    "재",
    "영",
    "성",
    "준",
    "유",
    "동",
    "상",
    "경",
]
SECOND = [
    "준",
    "호",
    "진",
    "우",
    "연",
    "윤",
    "희",
    "아",
    "영",
    "훈",
    "민",
    "빈",
    "석",
    "국",
    "철",
    "미",
    "란",
    "숙",
    "원",
    "규",
]
WESTERN_FIRST = ["Oliver", "Emma", "Hannah", "Lucas", "Sofia", "Daniel", "Grace", "Henry", "Chloe", "Martin"]
WESTERN_LAST = [
    "Bennett",
    "Schmidt",
    "O'Neill",
    "Fischer",
    "Novak",
    "Laurent",
    "Whitfield",
    "Castillo",
    "Andersen",
    "Moreau",
]
ROMAN_LAST = ["Kim", "Lee", "Park", "Choi", "Jung", "Kang", "Yoon", "Seo"]
ROMAN_FIRST = ["Ji-hoon", "Min-seo", "Hye-jin", "Do-yun", "Su-bin", "Jae-won"]
IBANS = (("DE", 18), ("FR", 23), ("ES", 20), ("NL", 14), ("BE", 12), ("GB", 18), ("CH", 17), ("AT", 16))


def group(text: str, sizes: Iterable[int], sign: str) -> str:
    parts: list[str] = []
    for size in sizes:
        parts, text = [*parts, text[:size]], text[size:]
    return sign.join([*parts, text] if text else parts)


def fours(text: str, sign: str) -> str:
    return group(text, [4] * (len(text) // 4), sign)


def phone(r: random.Random) -> str:
    sign = r.choice(["-", " ", ".", "", "/", "-\n", "–"])
    area = r.choice(["010", "010", "010", "02", "031", "070"])
    sign = sign if area == "010" else r.choice(["-", "."])
    return f"{area}{sign}{r.randrange(2000, 9999)}{sign}{r.randrange(1000, 9999)}"


def resident(r: random.Random) -> str:
    return rrn(r).replace("-", r.choice(["-", "-", "-\n", "/", " - "]))


def card(r: random.Random) -> str:
    number = luhn(f"{r.choice(['4', '51', '55', '9'])}{r.randrange(10**14):014d}"[:15])
    return fours(number, r.choice(["-", " ", "", ".", "\n"]))


def iban(r: random.Random) -> str:
    country, length = r.choice(IBANS)
    bban = (word(r, UPPER, 4) if country == "GB" else "") + word(r, DIGITS, length)
    bban = bban[:length]
    check = 98 - int("".join(str(int(char, 36)) for char in f"{bban}{country}00")) % 97
    value = fours(f"{country}{check:02d}{bban}", r.choice([" ", "", "-", "\n"]))
    return r.choice([value, value, value.lower()])


def passport(r: random.Random) -> str:
    digits = word(r, DIGITS, 8)
    new = f"M{digits[:3]}{r.choice(UPPER)}{digits[3:7]}"
    return r.choice([f"M{digits}", f"M {digits}", f"M{digits[:4]} {digits[4:]}", new, f"{new[:5]} {new[5:]}"])


def licence(r: random.Random) -> str:
    region, year = r.randrange(11, 27), r.randrange(10, 24)
    return f"{region}-{year}-{r.randrange(10**5, 10**6)}-{r.randrange(10, 99)}"


def licence_abroad(r: random.Random) -> str:
    sizes = r.choice([(4, 5, 5), (3, 4, 4)])
    return r.choice(UPPER) + "-".join(word(r, DIGITS, size) for size in sizes)


def dialled(r: random.Random) -> str:
    sign = r.choice([" ", "-"])
    return sign.join(
        [f"00{r.choice(['49', '33', '44', '81'])}", str(r.randrange(20, 99)), str(r.randrange(10**5, 10**8))]
    )


def account(r: random.Random) -> str:
    middle = f"{r.randrange(100, 999)}-{r.randrange(100, 999)}"
    return f"{middle}-{r.randrange(10**5, 10**6)}"


def mail(r: random.Random) -> str:
    local = r.choice(
        [word(r, LOWER, 6), f"{word(r, LOWER, 4)}.{word(r, LOWER, 3)}{r.randrange(99)}", "홍길순"]
    )
    return f"{local}@{r.choice(['corp.kr', 'mail.example.com', 'hospital.or.kr', 'pharm-group.co.kr'])}"


def key(r: random.Random) -> str:
    mixed = LOWER + UPPER + DIGITS
    start = r.choice(["sk-proj-", "ghp_", "xoxb-", "glpat-", "AKIA"])
    return start + (word(r, UPPER + "234567", 16) if start == "AKIA" else word(r, mixed, 36))


def address(r: random.Random) -> str:
    road = r.choice(["월드컵북로", "테헤란로", "중앙대로", "세종대로", "강남대로", "올림픽로"])
    town = r.choice(
        ["서울특별시 마포구", "서울시 강남구", "부산광역시 해운대구", "대전 유성구", "경기도 성남시 분당구"]
    )
    return f"{town} {road} {r.randrange(2, 400)}"


def korean(r: random.Random) -> str:
    return f"{r.choice(SURNAMES)}{r.choice(FIRST)}{r.choice(SECOND)}"


def ends_open(r: random.Random) -> str:
    """A name that ends in a vowel, so that what is said on follows without 이."""
    return f"{r.choice(SURNAMES)}{r.choice(FIRST)}{r.choice('수우하지희호')}"


def apart(r: random.Random) -> str:
    return f"{r.choice(SURNAMES)} {r.choice('준철훈웅혁민')}"


def western(r: random.Random) -> str:
    full = f"{r.choice(ROMAN_LAST)} {r.choice(ROMAN_FIRST)}"
    turned = f"{r.choice(ROMAN_FIRST)} {r.choice(ROMAN_LAST)}"
    return r.choice([f"{r.choice(WESTERN_FIRST)} {r.choice(WESTERN_LAST)}", full, turned])


@dataclass(frozen=True)
class Kind:
    """A class of personal data: how it is made, and the sentences that carry it."""

    make: Callable[[random.Random], str]
    carriers: tuple[str, ...]


KINDS = {
    "phone": Kind(phone, ("연락처 {} 로 회신 주세요", "문의 전화: {}", "Call me at phone {} after lunch", "휴대폰 {}입니다")),
    "resident": Kind(resident, ("주민등록번호 {} 확인", "신청인 주민번호는 {}입니다", "resident number {} on file")),
    "card": Kind(card, ("법인카드 {} 사용 내역", "결제 카드번호는 {} 입니다", "card {} was declined")),
    "iban": Kind(iban, ("송금처 IBAN {} 확인", "Please wire to {} today", "수취 계좌는 {} 입니다")),
    "passport": Kind(passport, ("여권번호 {} 로 예약", "passport no. {} expires soon", "참석자 여권 {} 사본")),
    "licence": Kind(licence, ("운전면허 {} 갱신", "면허번호는 {} 입니다", "driver's license {} copied")),
    "licence abroad": Kind(licence_abroad, ("driver's license {} copied", "면허번호는 {} 입니다")),
    "dialled": Kind(dialled, ("tel. {} after lunch", "전화 {} 로 회신 주세요")),
    "name that ends open": Kind(ends_open, ("제 이름은 {}고요", "성함은 {}라고 합니다")),
    "name apart": Kind(apart, ("대표이사 {} 귀하", "수신: {} 님")),
    "account": Kind(account, ("신한은행 {} 로 입금", "환급 계좌번호는 {}입니다", "국민은행 계좌 {} 예금주 확인")),
    "mail": Kind(mail, ("메일은 {} 로 보내줘", "회신: {}", "Please cc {} on this", "({})에게 공유")),
    "key": Kind(key, ("토큰 {} 이 노출됨", "Use {} for the gateway", "API 키: {}")),
    "address": Kind(address, ("배송지는 {} 입니다", "{} 로 우편물을 보내주세요", "자택 주소 {}")),
    "korean name": Kind(
        korean,
        (
            "환자 {} 씨의 이상사례 보고",
            "{} 과장에게 전달해줘",
            "{} 약사님이 문의했습니다",
            "담당자: {}",
            "예금주 {} 확인 바랍니다",
            "{} 교수가 발표했다",
            "보호자 {}님과 통화",
            "어제 {} 팀장이 승인했어",
            "작성자 {}, 검토 완료",
        ),
    ),
    "western name": Kind(
        western,
        (
            "{}, Chief Pharmacist, asked for the leaflet.",
            "Dr. {} will attend the seminar.",
            "The patient {} reported nausea.",
            "Prepared by {} on Monday",
            "Contact: {}",
            "{}, Sales Director, approved it.",
            "Our regional manager {} replied.",
            "I met {}, MD, in Seoul.",
        ),
    ),
}  # fmt: skip

DISTRACTORS: tuple[str, ...] = (
    "주문번호 {d8} 출고 완료",
    "{y}년 {m}월 매출 {money}원",
    "조영제 담당 MR 명단",
    "강남구 팀장 회의",
    "신제품 담당 이사 보고",
    "연구소 소장 회의 일정",
    "진통제 담당자 교육",
    "송장 {d4}-{d4}-{d4} 조회",
    "문서번호 QA-{d4} 개정",
    "lot {U}{d6} 시험 성적",
    "{y}-{m2}-{d2} 14:30 회의",
    "version 2.{d2}.{d2}.1 배포",
    "재고 {d4}개, 반품 {d2}개",
    "버전 10.{d2}.3.1 설치",
    "Ticket #{d6} was closed",
    "order {d8} shipped",
    "Revenue grew {d2}.{d1}% in Q{q}",
    "The chief pharmacist asked for it.",
    "Customer Service, Senior Manager level",
    "코드 {U}{U}-{d4}-{d2}",
    "합계 {money}원 (부가세 별도)",
    "{d4}\n{d4}\n{d4}\n{d4}",
    "매출\n{d6}\n{d6}\n{d6}",
    "조사관 파견 요청",
    "안산시 지점장 회의",
    "송파구 담당자 배정",
    "유산균 담당 부서",
    "정기 점검 담당자 지정",
    "주사제 약사 심의",
    "고객사 담당 교체",
    "이사 비용 정산",
    "과장 광고 심의",
    "대표 제품 목록",
    "Dr. Martens boots",
    "hash {hex}",
    "비율 {d2}/{d2}, 구간 {d2}~{d2}",
    "바코드 880{d8}{d2}",
    "우편번호 0{d4}",
    "체크리스트 {d1}-{d2} 항목",
    "사번 {d6} 교육 이수",
    "영양제 담당 영업사원 목록",
    "소화제 팀장 회의",
    "전산실 실장 회의",
    "국내 임상 담당자 교육",
    "서비스 팀장 회의",
    "여의도 지점장 회의",
)


def _filled(r: random.Random, pattern: str) -> str:
    return pattern.format(
        d1=r.randrange(10), d2=r.randrange(10, 99), d4=r.randrange(1000, 9999), d6=r.randrange(10**5, 10**6),
        d8=r.randrange(10**7, 10**8), y=r.randrange(2015, 2026), m=r.randrange(1, 13), m2=f"{r.randrange(1, 13):02d}",
        q=r.randrange(1, 5), money=f"{r.randrange(10**6, 10**9):,}", U=r.choice(UPPER), hex=word(r, "0123456789abcdef", 32),
    )  # fmt: skip


@dataclass(frozen=True)
class Case:
    kind: str
    text: str
    start: int = 0
    end: int = 0


def cases(seed: int, count: int) -> Iterator[Case]:
    """As many texts of each class as asked for, every other with a distractor around, and all distractors alone."""
    r = random.Random(seed)
    for kind, made in KINDS.items():
        for at in range(count):
            value, carrier = made.make(r), r.choice(made.carriers)
            head = f"{_filled(r, r.choice(DISTRACTORS))}. " if at % 2 else ""
            tail = f". {_filled(r, r.choice(DISTRACTORS))}" if at % 3 == 1 else ""
            start = len(head) + carrier.index("{}")
            yield Case(kind, f"{head}{carrier.format(value)}{tail}", start, start + len(value))
    for pattern in DISTRACTORS:
        yield Case("", _filled(r, pattern))


@dataclass
class Detection:
    """Found and missed spans, and what was found beside them."""

    found: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    wrong: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    @property
    def recall(self) -> float:
        return self.found / (self.found + len(self.missed))

    @property
    def precision(self) -> float:
        return self.found / (self.found + len(self.wrong))


def detected(seed: int, count: int) -> Detection:
    score = Detection()
    for case in cases(seed, count):
        findings = find(case.text)
        inside = [each for each in findings if each.start < case.end and each.end > case.start]
        if case.kind and _covers(inside, case):
            score.found += 1
        elif case.kind:
            score.missed.append((case.kind, case.text))
        score.wrong += [(each.type, each.value, case.text) for each in findings if each not in inside]
    return score


def _covers(inside: list[Finding], case: Case) -> bool:
    """Whether the value is taken out whole: what is left of it would still name somebody."""
    return (
        sum(min(each.end, case.end) - max(each.start, case.start) for each in inside) == case.end - case.start
    )
