"""Words round a number, which decide what it is: labels, bank names, counters."""

from __future__ import annotations

import re

from metaagent.language.patterns import regex

BEFORE, AFTER = 36, 18
BEGINS_DATA = r"(?:0[0-9]{1,2}[-. )]?[0-9]{3}|\+ ?82|[A-Za-z0-9._%+-]{1,40}@[A-Za-z0-9]|[0-9]{6}-[1-8])"
"""A pattern for how a telephone number, a mail address or a resident number begins, beside which a name stands."""


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Labels that say "another kind of number", if a word for number or code follows: 주문번호, order no.
_NUMBERED = words(
    "주문 발주 송장 운송장 접수 견적 견적서 계약 품의 결재 문서 관리 전표 거래 승인 예매 티켓 사건 청구 "
    "인보이스 과제 자산 도면 제품 상품 부품 모델 "
    "시리얼 일련 품목 로트 배치 바코드 군번 차트 처방 의뢰 허가 인증 특허 출원 등기 법인 법인등록 공고 "
    "입찰 세금계산서 영수증 교환 환불 반품 추적 쿠폰 "
    "이벤트 프로젝트 작업 요청 게시글 페이지 레코드 로그 트랜잭션 제조 "
    "order invoice ticket case ref reference tracking shipment item model product purchase quote batch "
    "asset employee member request "
    "transaction document contract patent project confirmation"
)
# Labels that say so by themselves.
_CODES = words(
    "품번 바코드 시리얼 조회수 로트 부품 모델 모델명 제품코드 사번 학번 sku isbn issn oid uuid guid ean "
    "upc gtin lot s/n sn serial barcode doi part "
    "p/n hs commit hash build"
)
# Labels that speak against the weaker types only.
_SOFT = words(
    "고객번호 고객코드 회원번호 회원코드 환자번호 예약번호 배송번호 신청번호 택배번호 주문 발주 발주서 "
    "송장 운송장 접수 견적 과제 품목 자산 도면 제품 상품 전표 합계 총 "
    "범위 구간 range 총액 총계 금액 수량 매출 매출액 누적 건수 order invoice ticket tracking shipment item model product "
    "quote batch total sum amount qty "
    "count po ref reference timestamp ts epoch"
)
_EDGES = " \t\r\n\"'([<「:=#-."
_PARTICLES = ("은", "는", "이", "가", "의", "을", "를", " is", " was")
_NUMBER_WORDS = ("번호", "코드", "넘버", "number", "num", "no", "nr", "id", "code")
_COUNTED = regex(
    r"\s?(?:원|건|개|명|회|달러|엔|위안|유로|톤|kg|km|mb|gb|kb|bytes?|ms|번째|주|대|권|장|매|병|정|포|박스|"
    r"세트|만|억|조|천|백|%|"
    r"usd|krw|won|views?|rows?|records?|units?|pcs)(?![a-z])",
    re.IGNORECASE,
)


def before(text: str, start: int, width: int = BEFORE) -> str:
    return text[max(0, start - width) : start]


def after(text: str, end: int, width: int = AFTER) -> str:
    return text[end : end + width]


def near(pattern: re.Pattern[str], text: str, start: int, end: int) -> bool:
    return pattern.search(before(text, start)) is not None or pattern.search(after(text, end)) is not None


def _label(text: str, start: int) -> tuple[str, str]:
    """The words right before the number: as written, and without their own word for "number"."""
    head = text[max(0, start - 28) : start].lower().rstrip(_EDGES)
    if head.endswith(_PARTICLES):
        head = head[:-1].rstrip(_EDGES) if head[-1] > "z" else head.rpartition(" ")[0]
    for word in _NUMBER_WORDS:
        if head.endswith(word):
            return head, head[: -len(word)].rstrip(" _-.")
    return head, ""


def _ends_with(head: str, words: tuple[str, ...]) -> bool:
    if not head.endswith(words):
        return False
    if not head[-1].isascii():
        return True
    # `escort` does not end with the label `sort`.
    return any(
        head.endswith(word) and not head[: -len(word)][-1:].isalpha() for word in words if word.isascii()
    )


def is_code(text: str, start: int) -> bool:
    """An explicit label right before says that this is another kind of number: 주문번호, SKU, serial no."""
    head, stem = _label(text, start)
    return _ends_with(head, _CODES) or bool(
        stem and (_ends_with(stem, _NUMBERED) or _ends_with(stem, _CODES))
    )


def is_labelled_otherwise(text: str, start: int) -> bool:
    return is_code(text, start) or _ends_with(_label(text, start)[0], _SOFT)


def is_numbered(text: str, start: int) -> bool:
    """Labelled as the number or code of anything at all."""
    return bool(_label(text, start)[1]) or is_labelled_otherwise(text, start)


def is_counted(text: str, end: int) -> bool:
    """A unit or counter follows: an amount."""
    return _COUNTED.match(text, end) is not None
