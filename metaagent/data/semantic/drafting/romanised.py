# ruff: noqa: E501 - a table of words is read by its columns
"""Korean words in Latin letters, as names of tables and columns are often written: `sisul_naeyeok` is 시술 내역."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from metaagent.data.semantic.drafting.dictionary import KOREAN
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_VOWELS = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i",
)  # fmt: skip
_LAST: dict[int, tuple[str, ...]] = {
    0: ("",), 1: ("k", "g"), 2: ("k",), 4: ("n",), 7: ("t", "d"), 8: ("l", "r"), 16: ("m",), 17: ("p", "b"), 19: ("t", "s"),
    20: ("t", "ss"), 21: ("ng",), 22: ("t", "j"), 23: ("t", "ch"), 25: ("t",), 26: ("p",),
}  # fmt: skip
"""The place of a final sound in its list -> how it is written."""
_MET = {
    "nr": ("ll", "nn"),
    "ngr": ("ngn",),
    "mr": ("mn",),
    "lr": ("ll",),
    "kr": ("ngn",),
    "pr": ("mn",),
    "kn": ("ngn",),
    "pm": ("mm",),
}
"""Sounds that change where they meet: 진료 is written jinryo or jillyo, 등록 deungrok or deungnok."""
_MOST_SPELLINGS = 64
_SHORTEST = 4

_MORE = """
가공 가맹 가입 감가 감독 감면 강사 강의 개봉 개설 개통 객실 거래 거리 건물 검사 검수 검진 견적 결과 결산 결석 결재 경기 경력 경로 경매 경비 계근 계량 계정 계좌 계획
고용 고장 곡물 공급 공급사 공방 공사 공연 공임 공장 공정 과세 과정 과태료 관객 관람 관리 관리비 광고 교사 교실 교육 교체 구매 구역 구장 구입 국가 귀속 규격 근무 근태
급여 급식 급수 기간 기관 기관사 기사 기업 기준 기한 기록 기타 낙찰 난이도 납기 납부 납입 납품 낭비 내역 냉동 냉장 노선 농가 농장 누수 단가 단속 단위 담당 담보
답변 당일 대금 대기 대리점 대상 대여 대장 대출 도매 도서 도시 도착 도축 동물 등급 등록 마감 마일리지 만기 만족도 매매 매물 매수 매입 매장 매출 매표 면적 면접 명단 모델
모집 목적 목표 무게 무료 문의 문제 물류 물품 미납 미수 미수금 반납 반려 반입 반출 반품 발권 발급 발송 발주 발행 방문 방법 배당 배상 배송 배정 배차 버스 번호 벌점 범위 법인
변경 병동 병실 병상 보관 보관료 보증금 보험 보험료 복구 본사 부가세 부품 부서 부피 분기 분납 분류 분할 불량 불합격 비고 비용 비율 빈도 사고 사료 사무소 사업 사용 사용료 사유
사육 사은품 산지 상담 상담사 상태 상품 상환 생산 생산자 생일 서비스 선박 선사 선생 선수 설비 설치 성명 성별 성적 세금 세대 세액 세차 세탁 소계 소속 소요 소재지 속도 손님
손해 송금 송장 수강 수강료 수거 수금 수납 수량 수령 수리 수매 수선 수술 수신 수업 수입 수수료 수율 수정 수집 수출 수확 숙박 숙소 순위 승인 승객 시간 시공 시도 시설 시술 시험
식당 식비 식사 신고 신청 실적 심사 쓰레기 아동 악기 안전 야간 약국 약품 양식 업무 업종 업체 연도 연락처 연령 연료 연체 연체료 영수증 영업 영화 예산 예약 예정 오류 온도 외상
요금 요일 용도 용량 용기 우편 운송 운송료 운임 운전 운행 원가 원료 원산지 원생 원아 월세 위반 위치 유종 유통 유형 유효 은행 음식 응시 의료 의뢰 의사 이름 이력 이용 이용료 이율 이자
이체 인건비 인상 인원 인증 일반 일시 일자 일정 임금 임대 임대료 임차 임차인 입고 입금 입금액 입사 입실 입원 입장 입장료 입주 입찰 입학 자격 자동차 자산 자재 작물 작성 작업 잔금 잔량 잔액
장르 장비 장소 재고 재료 재배 재질 저장 적립 적재 전공 전시 전화 절단 점검 점수 점포 접수 정가 정비 정산 정원 제목 제조 제조사 제품 조합 조합원 종료 종류 종목 좌석 주간 주문 주소
주차 주차료 주차장 주행 주행거리 중량 증상 증빙 지각 지급 지불 지사 지역 지점 지출 직급 직무 직업 직원 직위 직종 직책 진단 진료 진료비 진행 차감 차량 차종 착수 참가 참가비 참가자 참석 참여 채널
채무 채용 채취 처리 처방 철거 청구 청소 체납 체류 체육 체중 체험 촬영 총액 최종 추가 추천 축사 축산 출고 출금 출발 출석 출연 출장 출하 취급 취소 층수 치료 친환경 침대 캠핑 캠핑장 코스
코드 크기 타입 택배 퇴사 퇴실 퇴원 투숙 투입 특기 파손 판매 판매가 판매처 팀장 평가 평균 평점 폐기 폐기물 포장 포인트 품명 품목 품종 품질 하역 하자 학과 학교 학급 학년 학생 학원
할부 할인 합격 합계 항공 항목 해약 해지 행사 현장 현황 협력 협력사 형태 호선 호실 화물 화주 확인 환급 환불 환자 회비 회사 회원 회차 횟수 효능 후원 후원금 후원자 훈련 휴가 휴무 휴업 휴일
"""
"""Nouns that names are made of, beside those of the dictionary."""


def spelled(word: str) -> Iterator[str]:
    """Write a Korean word in Latin letters, in the ways that people do."""
    sounds: list[tuple[str, ...]] = []
    for char in word:
        place = ord(char) - 0xAC00
        last = place % 28
        if not 0 <= place < 11172 or last not in _LAST:
            return
        head = _FIRST[place // 588] + _VOWELS[place // 28 % 21]
        sounds.append(tuple(head + end for end in _LAST[last]))
    for made in list(product(*sounds))[:_MOST_SPELLINGS]:
        whole = "".join(made)
        yield whole
        yield whole.replace("si", "shi")
        for pair, others in _MET.items():
            yield from (whole.replace(pair, other) for other in others if pair in whole)


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    """Each spelling of a Korean word that is known; words that the dictionary names first come before others."""
    own = [said for said_so in KOREAN.values() for said in said_so]
    made: dict[str, str] = {}
    for word in (*own, *_MORE.split()):
        if len(word) > 1 and " " not in word:
            for spelling in spelled(word):
                made.setdefault(spelling, word)
    return made


_ENDINGS = {
    "il": "일", "aek": "액", "geum": "금", "ryo": "료", "bi": "비", "su": "수", "myeong": "명", "ja": "자", "bun": "분", "ga": "가", "ryang": "량",
}  # fmt: skip
"""Syllables that other words end with."""


@lru_cache(maxsize=4096)
def compound(part: str) -> str | None:
    """The known Korean words that are written here one behind the other: jakeopsigan is 작업시간."""
    known = _spellings()
    if part in known:
        return known[part]
    for at in range(len(part) - 2, _SHORTEST - 1, -1):
        rest = _ENDINGS.get(part[at:]) or compound(part[at:]) if part[:at] in known else None
        if rest:
            return known[part[:at]] + rest
    return None


_VOWEL = "yeo|yae|wae|eo|eu|ae|ya|ye|wa|oe|yo|wo|we|wi|yu|ui|a|e|o|u|i"
_SYLLABLE = regex(
    rf"(kk|tt|pp|ss|jj|ch|[gndrmbsjktph])?({_VOWEL})([knlmptgbsN]|ng)??"
    rf"(?=(?:kk|tt|pp|ss|jj|ch|[gndrmbsjktph])?(?:{_VOWEL})|$)"
)
_TELLING = regex("eo|eu|yae|wae")
"""Vowels that no other language writes so."""
_ENDS = {"": 0, "k": 1, "g": 1, "n": 4, "l": 8, "m": 16, "p": 17, "b": 17, "t": 19, "s": 19, "ng": 21}


_OPEN = regex(r"ng(?=(?:eop|il|im|won|in|yong|yak|yeok|yeon|yeong|yuk|yul|eum|ui|ak|an)(?:[^aeiou]|$))")
"""The sound ng before a syllable of its own, as in 영업 and 공임; else a syllable begins with g, as in 단골."""


def syllables(part: str) -> str | None:
    """The word syllable by syllable; each begins with a consonant where it can."""
    made, at = "", 0
    part = _OPEN.sub("N", part)
    while at < len(part):
        found = _SYLLABLE.match(part, at)
        if found is None:
            return None
        first, vowel, last = found[1] or "", found[2], (found[3] or "").replace("N", "ng")
        made += chr(0xAC00 + _FIRST.index(first) * 588 + _VOWELS.index(vowel) * 28 + _ENDS[last])
        at = found.end()
    return made


@lru_cache(maxsize=4096)
def from_latin(part: str) -> str | None:
    """The Korean word that is written here in Latin letters; None where it may be a word of another language."""
    if len(part) < _SHORTEST or not part.isascii():
        return None
    part = part.replace("team", "tim")  # 팀 keeps its English spelling
    known = _spellings().get(part)
    if known is not None or not _TELLING.search(part):
        return known
    made = syllables(part)
    return made if made is not None and len(made) > 1 and len(part) > _SHORTEST else None
