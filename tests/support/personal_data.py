"""120 texts in Korean and English: 60 hold personal data, 60 hold something that only looks like it.

Numbers are made here from a fixed seed, with the check digits that real ones have; nobody owns them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Case:
    """A text, and the personal value in it ("" for a look-alike)."""

    kind: str
    text: str
    value: str = ""


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


class Numbers:
    """Makes numbers whose check digits are right."""

    def __init__(self, seed: int = 20261116) -> None:
        self._random = random.Random(seed)

    def digits(self, count: int) -> str:
        return "".join(str(self._random.randrange(10)) for _ in range(count))

    def _birthday(self, first: int, last: int) -> str:
        year = self._random.randint(first, last)
        return f"{year % 100:02}{self._random.randint(1, 12):02}{self._random.randint(1, 28):02}"

    def resident(self, separator: str = "-", *, foreign: bool = False) -> str:
        """A registration number of a person born in the last century, with its check digit."""
        sexes = "56" if foreign else "12"
        body = self._birthday(1950, 1999) + self._random.choice(sexes) + self.digits(5)
        total = _weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5))
        check = ((13 if foreign else 11) - total % 11) % 10
        return f"{body[:6]}{separator}{body[6:]}{check}"

    def business(self, separator: str = "-") -> str:
        body = str(self._random.randint(101, 899)) + self._random.choice(["81", "86", "04"]) + self.digits(4)
        total = _weighted(body, (1, 3, 7, 1, 3, 7, 1, 3, 5)) + int(body[8]) * 5 // 10
        return separator.join([body[:3], body[3:5], body[5:] + str((10 - total % 10) % 10)])

    def card(self, separator: str = "-") -> str:
        body = self._random.choice(["4", "51", "55"]).ljust(15, "x")
        body = "".join(digit if digit != "x" else self.digits(1) for digit in body)
        doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(body))
        check = (10 - sum(value - 9 if value > 9 else value for value in doubled) % 10) % 10
        number = body + str(check)
        return separator.join(number[place : place + 4] for place in range(0, 16, 4))

    def mobile(self, separator: str = "-") -> str:
        return separator.join(["010", str(self._random.randint(2000, 9999)), self.digits(4)])

    def landline(self) -> str:
        area = self._random.choice(["02", "031", "042", "051", "064"])
        return f"{area}-{self._random.randint(200, 999)}-{self.digits(4)}"

    def driver(self) -> str:
        year = self._random.randint(0, 24)
        return f"{self._random.randint(11, 26)}-{year:02}-{self.digits(6)}-{self._random.randint(10, 90)}"

    def book(self) -> str:
        """An ISBN, which is no personal number."""
        body = "97911" + self.digits(7)
        total = sum(int(digit) * (1 + 2 * (place % 2)) for place, digit in enumerate(body))
        return body + str((10 - total % 10) % 10)


def _said(kind: str, texts: Sequence[str], values: Sequence[str]) -> list[Case]:
    return [Case(kind, text.format(value), value) for text, value in zip(texts, values, strict=True)]


def _positive(make: Numbers) -> list[Case]:
    return [
        *_said(
            "RRN",
            (
                "신청인 주민등록번호는 {}입니다.",
                "주민번호 {} 로 조회해 주세요",
                "환자 정보: 박서연 / {} / 여",
                "보호자 {}(부) 동의서 첨부",
                "The patient's resident registration number is {}.",
                "가족관계: 본인 {}, 배우자 별도",
                "주민등록번호={}",
                "please look up {} in the HR file",
            ),
            [make.resident() for _ in range(6)] + [make.resident("")] + [make.resident()],
        ),
        *_said(
            "FRN",
            (
                "외국인등록번호 {} 확인 바랍니다",
                "체류 자격 변경: {}",
                "alien registration number {}",
                "외국인 직원 등록번호는 {}예요",
            ),
            [make.resident(foreign=True) for _ in range(4)],
        ),
        *_said(
            "BRN",
            (
                "사업자등록번호 {} 세금계산서 요청",
                "공급자: 한빛약국 ({})",
                "business registration no. {}",
                "사업자번호는 {}이고 대표는 김하늘",
                "거래처 등록: 새봄의원 {}",
            ),
            [make.business() for _ in range(5)],
        ),
        *_said(
            "PHONE",
            (
                "제 번호는 {}이에요",
                "급하면 {} 로 전화 주세요",
                "연락처: {}",
                "call me at {} after six",
                "문자 보낼 곳 {}",
                "휴대폰 {} (업무용)",
                "사무실 {} 내선 12",
                "대표전화 {} 로 문의",
            ),
            [
                *(make.mobile(separator) for separator in "-. -"),
                make.mobile(""),
                make.mobile(),
                make.landline(),
                make.landline(),
            ],
        ),
        *_said(
            "CARD",
            (
                "법인카드 {} 로 결제했습니다",
                "카드번호: {}",
                "charge it to {} please",
                "분실 신고 카드 {}",
                "expense card {} expired",
                "결제수단 {} 등록",
            ),
            [make.card(), make.card(" "), make.card(), make.card(""), make.card(" "), make.card()],
        ),
        *_said(
            "ACCOUNT",
            (
                "환급은 국민은행 {} 으로 부탁드립니다",
                "신한은행 {} 예금주 이도윤",
                "계좌번호 {} 확인",
                "카카오뱅크 {} 로 보내 주세요",
                "bank account number {}",
            ),
            [
                f"{make.digits(6)}-04-{make.digits(6)}",
                f"110-{make.digits(3)}-{make.digits(6)}",
                f"352-{make.digits(4)}-{make.digits(4)}-13",
                f"3333-{make.digits(2)}-{make.digits(7)}",
                f"1{make.digits(11)}",
            ],
        ),
        *_said(
            "EMAIL",
            (
                "자료는 {} 로 보내 주세요",
                "문의: {}",
                "write to {} by Friday",
                "담당자 메일은 {}입니다",
                "cc {}, thanks",
                "회신 주소 <{}>",
            ),
            [
                "seoyeon.park@hanbit.co.kr",
                "help-desk@saebom.kr",
                "j.miller@example.com",
                "ha_neul99@naver.com",
                "ops+night@clinic.example.org",
                "doyun@example.ac.kr",
            ],
        ),
        *_said(
            "PASSPORT",
            ("여권번호 {} 유효기간 확인", "출장자 여권: {}", "passport no. {}", "여권 {} 사본을 첨부합니다"),
            [
                "M" + make.digits(8),
                "M" + make.digits(8),
                "S" + make.digits(8),
                "M" + make.digits(3) + "B" + make.digits(4),
            ],
        ),
        *_said(
            "DRIVER",
            (
                "운전면허번호 {}",
                "면허증 {} 갱신 대상",
                "렌터카 예약, 운전면허 {}",
                "driver's licence {} (Korea)",
            ),
            [make.driver() for _ in range(4)],
        ),
        *_said(
            "IP",
            (
                "{} 에서 접속한 기록",
                "the request came from {}",
                "서버 IP는 {}입니다",
                "blocked {} at the firewall",
            ),
            ["203.0.113.77", "198.51.100.24", "10.20.30.41", "2001:db8:4a::17"],
        ),
        *_said(
            "ADDRESS",
            (
                "배송지는 {}입니다",
                "{}에 거주",
                "주소: {}",
                "방문 장소 {} 앞",
                "he moved to {} last year",
                "ship the samples to {}",
            ),
            [
                "서울특별시 마포구 월드컵북로 400",
                "경기도 용인시 수지구 포은대로 499",
                "대전 유성구 대학로 99",
                "부산 동래구 충렬대로 237",
                "48 Maple Street",
                "910 Lake Avenue, Suite 12",
            ],
        ),
    ]


def _look_alikes(make: Numbers) -> list[Case]:
    texts = {
        "order": (
            f"주문번호 {make.digits(6)}-{make.digits(7)} 배송 조회",
            f"송장번호 {make.digits(12)} 추적",
            f"접수번호 2026-{make.digits(6)} 처리 완료",
            f"order #{make.digits(10)} has shipped",
            f"견적서 Q{make.digits(8)} 재발행",
            f"ticket {make.digits(7)} is closed",
            f"계약번호 C-2025-{make.digits(4)} 갱신",
            f"invoice INV-{make.digits(6)} is overdue",
        ),
        "date": (
            "2026-11-16부터 2026-12-31까지",
            "20261116 기준 재고",
            "2026.03.01 ~ 2026.06.30 매출",
            "회의는 11월 16일 14:30입니다",
            "from 2025/01/01 to 2025/12/31",
            "2026년 1분기와 2분기 비교",
            "deadline: 16 Nov 2026, 09:00",
            "학회 2026-05-12~14 참가",
        ),
        "number": (
            "매출 1,234,567,890원",
            "전년 대비 12.345% 증가",
            "총 98765432개를 생산",
            "목표 10억 2천만 원",
            "the total is 4,512,345,678 won",
            "원주율은 3.14159265358979",
            "표본 1024명 중 512명",
            "ratio 0.123456789012",
            "8000000 곱하기 3",
            "평균 37.5, 표준편차 1.25",
        ),
        "product": (
            "모델명 SM-G998N 재고",
            "로트번호 LOT240315A",
            "타이레놀정 500mg 30정",
            "아모잘탄정 5/50mg 처방",
            "부품 번호 AB-1234-5678-X",
            f"ISBN {make.book()}",
            "part no. 7700-2231-B in stock",
            "보험코드 642100240 약가",
            "규격 120x80x45 mm",
            "SKU 0042-RED-XL",
        ),
        "tech": (
            "버전 2.14.3으로 올렸습니다",
            "python 3.11.9 and sqlite 3.45.1",
            "오류 코드 0x80070005",
            "commit 9f8e7d6c5b4a3210",
            "포트 8080과 5432를 열어 주세요",
            "id 550e8400-e29b-41d4-a716-446655440000",
            "HTTP 404가 12번, 500이 3번",
            "rgb(120, 81, 234)",
            "해상도 1920x1080, 60Hz",
            "timeout=30000 retries=3",
            "위도 37.5665 경도 126.9780",
            "md5 d41d8cd98f00b204e9800998ecf8427e",
        ),
        "text": (
            "서울 지역 매출을 보여줘",
            "강남구 담당자별 실적",
            "김하늘 팀장의 3월 방문 계획",
            "메일로 보내 주세요",
            "비밀번호를 잊었어요",
            "the password policy changed",
            "여권을 갱신해야 하나요?",
            "계좌 개설 절차를 알려줘",
            "주소를 바꾸려면 어떻게 하나요",
            "card payments rose in the second quarter",
            "전화 상담 건수 추이",
            "Main Street stores sold more than malls",
        ),
    }
    return [Case(kind, text) for kind, group in texts.items() for text in group]


@cache
def cases() -> tuple[Case, ...]:
    make = Numbers()
    return (*_positive(make), *_look_alikes(make))


def personal() -> list[Case]:
    return [case for case in cases() if case.value]
