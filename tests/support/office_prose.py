"""Office prose with the places of its personal data: letters, notes, tables and signatures, made from a seed.

Korean names are put together from syllables at random; English given names and surnames are on no list of the rules. Prose
without personal data uses the words that stand beside names: titles, roles, departments, places and products.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.personal_data import Numbers


@dataclass(frozen=True)
class Prose:
    """A text and the personal values in it, each with the kind of filler that made it."""

    text: str
    values: tuple[tuple[str, int, int], ...] = ()


def listed(text: str, sign: str | None = None) -> list[str]:
    return text.split(sign)


SURNAMES = listed(
    "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 홍 전 고 문 손 배 백 허 유 남 심 노 하 곽 성 차 주 우 구 "
    "나 민 진 지 엄 채 원 천 방 공 현 함 변 염 여 추 도 소 석 선 설 마 길 연 위 표 명 기 반 왕 금 옥 육 인 맹 제 모 탁 "
    "국 어 은 편 용 예 경 봉 빈"
)
COMPOUND = listed("남궁 황보 제갈 사공 선우 독고")
FIRSTS = listed(
    "가 경 규 나 다 도 동 라 리 민 보 상 서 선 성 세 소 수 승 시 아 연 영 예 용 우 원 유 윤 은 이 인 재 정 종 주 준 지 "
    "진 찬 채 태 하 해 현 혜 호 효 희"
)
SECONDS = listed(
    "결 경 규 균 나 늘 라 람 란 려 린 림 미 민 범 별 비 빈 석 선 섭 성 솔 수 숙 순 슬 식 아 연 열 영 완 욱 우 운 웅 원 "
    "윤 율 은 인 정 주 준 진 찬 철 태 하 학 헌 혁 현 형 호 화 환 후 훈 희"
)
SINGLES = listed("준 현 민 훈 진 석 건 혁 율 빈 솔 별 찬 윤 린")
TITLES = listed(
    "사원 주임 대리 과장 차장 부장 팀장 실장 본부장 이사 상무 전무 대표 원장 교수 약사 간호사 연구원 매니저 선생님 "
    "박사 변호사 책임 수석 파트장 지점장 주무관 보호자 환자"
)
ROLES = listed(
    "담당자 작성자 보고자 접수자 신청인 수신인 예금주 발표자 승인자 검토자 참석자 피험자 환자 보호자 고객 연자 "
    "대표이사 강사 점검자 인계자 조사자"
)
DEPARTMENTS = listed(
    "영업1팀 영업2팀 마케팅팀 품질보증팀 인사팀 약물감시팀 임상개발본부 생산본부 구매팀 법무팀 학술팀 부산지점 "
    "경영지원실"
)
EN_GIVEN = listed(
    "Thandiwe Caoimhe Radomir Ilinca Bjarke Nkechi Torvald Marisol Quirin Eluned Sanjana Vytautas Ximena Hedda Lazaro "
    "Oriane Tendai Yaroslav Halvard Keziah Rasmus Zebedee Anahit Blessing Cosmin Dagny Emlyn Farida Gulnara Hamza"
)
EN_SURNAMES = listed(
    "Lindqvist Ferreira Castellano Whitfield Okafor Menon Haddad Delgado Ashworth Iyer Vandenberg Sorensen Pemberton Mbeki Stanton "
    "Achterberg Kelleher Whitcombe Dragomir Oyelaran Szymanski Tremblay Uusitalo Valverde Wainwright Yilmaz Zapata Brankovic "
    "Chaudhry Duvall"
)
ROMAN_SURNAMES = listed(
    "Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong Noh Moon Bae Baek"
)
ROMAN_GIVEN = listed(
    "Minji Yujin Ga-young Jihoon Seung-woo Hyerin Doyoon Eun-ji Taehyun Soo-bin Jae-won Nayeon Kyung-mi Sangho "
    "Hee-jung Yeji Dong-hyun Bora"
)
HANGUL_FOREIGN = listed(
    "토마스 베커;마이클 존슨;사라 윌리엄스;응우옌 티 란;다니엘 슈미트;엘레나 페트로바;야마다 다로;제임스 밀러;안나 뮐러;"
    "로버트 브라운;왕리;첸웨이;사토 유키;피에르 뒤퐁",
    ";",
)
EN_POSITIONS = listed(
    "Regional Sales Manager;Medical Advisor;Study Coordinator;Warehouse Supervisor;Chief Pharmacist;QA Lead",
    ";",
)

WITH_DATA = (
    "회의 참석: <name> <title>, <name> <title>, <name> <title>",
    "문의하신 <name> <title> 메일은 <mail>이고 휴대폰은 <phone>예요.",
    "수신: <dept> <name> <title>\n제목: 일탈 보고 DEV-24-031",
    "<dept> <name> <title>이 어제 보고서를 제출했습니다.",
    "<name> <title> 요청으로 재고를 옮겼습니다.",
    "안녕하세요, 세림제약 <dept> <name>입니다.\nM. <phone>\nE. <mail>",
    "<role>: <name>\n접수일: 2026-10-02",
    "<role> <name> (<phone>)에게 확인 전화 바랍니다.",
    "이번 건은 <name> <title>에게 인계했고 <name> <title>이 검토합니다.",
    "담당 MR <name>에게 전달 완료.",
    "\"성명\",\"부서\",\"이메일\"\n\"<name>\",\"PV팀\",\"<mail>\"\n\"<name>\",\"RA팀\",\"<mail>\"",
    "이름,직급,연락처\n<name>,대리,<phone>\n<name>,과장,<phone>",
    "3,<name>,영업2팀,대리,<phone>,<mail>",
    "| 이름 | 부서 | 전화 |\n|---|---|---|\n| <name> | 학술팀 | <phone> |",
    "감사합니다.\n<name> 드림",
    "<name> 올림\n<dept> / <phone>",
    "<name>(<mail>) 님이 파일을 공유했습니다.",
    "비상연락망 <name> <phone>, <name> <phone>",
    "<role> <name>의 동의서를 스캔해 두었습니다.",
    "어제 <name>씨와 통화했는데 다음 주에 온답니다.",
    "법정대리인 서명란: <name> 보호자, 주민등록번호 <rrn>",
    "출생신고한 자녀 등록: <newborn> (의료비 공제 대상)",
    "수취인 <foreign> 이사, 송금 예정",
    "계약직 <foreign> 연구원 체류 연장 서류",
    "본사에서 <foreign> 부사장이 방문합니다.",
    "회신처 <phone82>로 부탁드립니다.",
    "배송메모: 부재 시 경비실 / <landline>",
    "Best regards,\n<en>\n<position>\n<mail>",
    "The minutes were taken by <roman>, secretary; corrections to <mail> please.",
    "name,role,phone\n<roman>,CRA,<phone>",
    "I met with <en> from the Berlin office yesterday.",
    "cc: <en>, <en>",
    "From: <en> <<mail>>\nSubject: Q3 forecast",
    "Please forward the signed protocol to <roman> by Friday.",
    "<en> asked whether the samples can ship on Monday.",
    "Our PI Dr. <comma> is on leave; her fellow Dr. <en> will sign.",
    "According to <en>, the audit is done.",
    "Ship to: <en> (<position>), <street>",
    "My home address for the sample kit is <romanstreet>.",
    "Deliver to <romanstreet>, contact <phone>",
    "Billing address <eurostreet>.",
    "<en> and <roman> will join the call.",
    "Patient's daughter left a voicemail from <phone82> about the rash.",
    "Approved: <roman> (<dept_en>)",
    "Hi <en>,\nthanks for the call.",
    "Attendees: <roman>, <en>, <roman>",
)  # fmt: skip
WITHOUT = (
    "<word> <title> 회의 안건 취합 중",
    "<word> <title> 교육은 다음 주입니다.",
    "<dept> 주간 회의록을 공유합니다.",
    "<role> 변경 시 시스템에 먼저 등록해 주세요.",
    "<role> 지정은 내일까지 완료합니다.",
    "이번 분기 <word> 목표는 12% 상향합니다.",
    "<word>에게 유리한 조건을 확인했습니다.",
    "<place> 지점 매출은 1,204만 원입니다.",
    "<place> 방문 3건, <word> 상담 2건",
    "제품명,규격,수량\n<product>,500mg,120\n<product>,250mg,80",
    "지역,담당부서,실적\n<place>,<dept>,412300",
    "<product> 담당 조직을 개편합니다.",
    "대표 전화와 대표 메일은 홈페이지를 참고하세요.",
    "<word>입니다. 확인 바랍니다.",
    "<dept> <word> 계획을 첨부합니다.",
    "품목코드 880-4412-3390 단종, 로트 250630-1204431 회수",
    "법인등록번호 110111-1482917 등기부등본 발급",
    "2024 531 8820 순으로 코드를 입력합니다.",
    "<orgen> signed the agreement with <orgen>.",
    "Our team in <placeen> met with <orgen> on Monday.",
    "The <thingen> was approved by the <bodyen>.",
    "cc: <bodyen>, <bodyen>",
    "Best regards,\nCustomer Support Team\n<orgen>",
    "From: <bodyen>\nSubject: <thingen>",
    "Patients with Parkinson's or Crohn's disease were excluded in <placeen>.",
    "name,role,phone\nServer,backup,internal",
    "<thingen> and <thingen> are due on Friday.",
    "According to <orgen>, supply is stable.",
    "Attendees: <bodyen>, <bodyen>",
    "Version 2.3 of the <thingen> ships to <placeen> in March.",
)  # fmt: skip
FILLERS = {
    "word": listed(
        "전임상 신제품 안전성 임상시험 신규 정기 주간 고객 유통 제조 공정 지역 이번 신사업 구매 조영제 주사제 예방접종 "
        "정상화 이상반응 고지혈증 신약 장기 표준 인력 현지 부서 전략 연구비 소모품 주문서 이월분 유효기간 정량 배송비 "
        "여유분"
    ),
    "place": listed("강남구 성남시 서초 전주 여수 광주 부산 제주 연수구 구로 안산 양평 하남"),
    "product": listed("마그네정 유로신 이소맥 정우펜 하이드린 한미큐 오메가민 노바신 도란정 서스틴"),
    "orgen": listed(
        "Samsung Biologics;Johnson & Johnson;Charles River Laboratories;Thermo Fisher;Morgan Stanley;Eli Lilly;"
        "Merck Serono;Boston Scientific;Parke Davis;Hanmi Pharm;Green Cross;Baker Hughes;Celltrion Healthcare;"
        "Ernst & Young", ";"
    ),
    "placeen": listed(
        "New York;San Diego;Seoul Station;Hong Kong;Los Angeles;Cape Town;South Korea;Kuala Lumpur;Salt Lake City;"
        "Santa Barbara", ";"
    ),
    "thingen": listed(
        "Clinical Study Report;Annual Budget;Risk Management Plan;Marketing Calendar;Data Transfer Agreement;"
        "Site Visit Log;Safety Update;Expense Policy;Change Request", ";"
    ),
    "bodyen": listed(
        "Ethics Committee;Regional Office;Medical Affairs;Supply Chain;Quality Unit;Finance Team;Steering Committee;"
        "Legal Department;Help Desk", ";"
    ),
    "dept_en": listed("Medical Affairs;Quality;Supply Chain", ";"),
    "dept": DEPARTMENTS,
    "title": TITLES,
    "role": ROLES,
    "position": EN_POSITIONS,
}  # fmt: skip
PERSONAL = frozenset(
    listed(
        "name foreign en roman comma mail phone phone82 landline rrn newborn street romanstreet eurostreet"
    )
)
_MARK = re.compile("<([a-z_0-9]+)>")


class Office:
    """Fills templates: each filler of a kind in `PERSONAL` is a value to be found."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers = Numbers(seed)

    def texts(self, count: int) -> Iterator[Prose]:
        """Half of the texts hold personal data, half only speak of people, places and things."""
        for at in range(count):
            yield self._filled(self._random.choice(WITH_DATA if at % 2 else WITHOUT))

    def _filled(self, template: str) -> Prose:
        pieces: list[str] = []
        values: list[tuple[str, int, int]] = []
        at = length = 0
        for mark in _MARK.finditer(template):
            kind = mark[1]
            value = self._made(kind)
            pieces += [template[at : mark.start()], value]
            start = length + mark.start() - at
            at, length = mark.end(), start + len(value)
            if kind in PERSONAL:
                values.append((kind, start, length))
        return Prose("".join([*pieces, template[at:]]), tuple(values))

    def _made(self, kind: str) -> str:
        return self._pick(FILLERS[kind]) if kind in FILLERS else getattr(self, f"_{kind}")()

    def _pick(self, of: list[str]) -> str:
        return self._random.choice(of)

    def _name(self) -> str:
        if self._random.random() < 0.06:
            return self._pick(COMPOUND) + self._pick(FIRSTS) + self._pick(SECONDS)
        if self._random.random() < 0.06:
            return self._pick(SURNAMES[:40]) + self._pick(SINGLES)
        common = self._random.random() < 0.75
        return self._pick(SURNAMES[:40] if common else SURNAMES) + self._pick(FIRSTS) + self._pick(SECONDS)

    def _foreign(self) -> str:
        return self._pick(HANGUL_FOREIGN)

    def _en(self) -> str:
        return f"{self._pick(EN_GIVEN)} {self._pick(EN_SURNAMES)}"

    def _roman(self) -> str:
        names = [self._pick(ROMAN_SURNAMES), self._pick(ROMAN_GIVEN)]
        return " ".join(names if self._random.random() < 0.6 else reversed(names))

    def _comma(self) -> str:
        return f"{self._pick(ROMAN_SURNAMES)}, {self._pick(ROMAN_GIVEN)}"

    def _mail(self) -> str:
        domain = self._pick(["seorimbio.com", "naver.com", "navyrnd.org"])
        return f"{self._pick(EN_SURNAMES).lower()}{self._numbers.digits(2)}@{domain}"

    def _phone(self) -> str:
        sign = self._pick(["-", "-", " ", "", "."])
        return sign.join(["010", "7" + self._numbers.digits(3), self._numbers.digits(4)])

    def _phone82(self) -> str:
        tail = f"6{self._numbers.digits(3)}-{self._numbers.digits(4)}"
        return self._pick([f"82-10-{tail}", f"8210-{tail}", f"+82 10-{tail}"])

    def _landline(self) -> str:
        return (
            f"{self._pick(['062', '053', '031', '02'])} 5{self._numbers.digits(2)} {self._numbers.digits(4)}"
        )

    def _rrn(self) -> str:
        return self._numbers.resident()

    def _newborn(self) -> str:
        """A number of this decade: its last digits are drawn by lot."""
        day = (
            f"{self._random.randint(21, 25)}{self._random.randint(1, 12):02}{self._random.randint(1, 28):02}"
        )
        return f"{day}-{self._pick(['3', '4'])}{self._numbers.digits(6)}"

    def _street(self) -> str:
        road = f"{self._pick(['Millbrook', 'Harrow', 'Elm', 'Foxglove'])} {self._pick(['Lane', 'Road', 'Street', 'Close'])}"
        town = self._pick(["Slough SL1 4QT", "Leeds LS2 9JT", "Austin, TX 78701"])
        return f"{self._random.randint(2, 190)} {road}, Unit {self._random.randint(2, 40)}, {town}"

    def _romanstreet(self) -> str:
        road = self._pick(["Gangnam-daero 62-gil", "Yeonsei-ro 5na-gil", "Dongtan-daero 3-gil", "Teheran-ro"])
        place = self._pick(
            ["Gangnam-gu, Seoul 06259", "Hwaseong-si, Gyeonggi-do 18478", "Seodaemun-gu, Seoul"]
        )
        flat = self._pick(["", "Apt 1203, ", "302-1501, ", "#504, "])
        return f"{flat}{self._random.randint(3, 210)} {road}, {place}"

    def _eurostreet(self) -> str:
        number = self._random.randint(2, 90)
        return self._pick(
            [
                f"{number} Rue des Tanneurs, 67000 Strasbourg",
                f"Lindenstraße {number}, 10969 Berlin",
                f"Via Garibaldi {number}, 20121 Milano",
                f"Calle Mayor {number}, 28013 Madrid",
            ]
        )
