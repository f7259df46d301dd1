"""The part of a Korean table's name that says what its rows are: 접수 of 정비접수, 동물 of 보호동물, 후원 of 후원금."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.data.semantic.drafting.naming import KOREAN_PARTS
from metaagent.data.semantic.drafting.words import parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAPERS = re.compile(
    r"(?<=[가-힣]{2})(?:전표|장부|대장|명부|원장|일지|기록부?|이력|신청서|의뢰서|관리|헤더)$"
)
_FILED = re.compile(r"(?<=[가-힣]{2})(?:접수|신고|실적|현황|신청|등록|처리)$")
_PAID_FOR = re.compile(r"(?<=[가-힣]{2})(?:금|비|료)$")
_HAPPENING = re.compile(
    "참석|참여|등록|신청|결제|주문|예약|방문|구매|판매|대여|반납|납부|출하|입고|출고|수강|접수|상담|진료|처방|배송|이용|가입|청구|정산"
    "|점검|수리|검사|투표|근무|출석|지급|환불|조제|생산|발주|기부|대출|응시|배정"
    "|의뢰|고장|요청|수거|발생|검수|경매|제작|가공|세탁|촬영|시술|수술|면담|교체|설치|철거|운행|훈련|봉사|견학|임대|대관|반출|반입|적립"
    "|사용|충전|주유|세차|발급|이체|송금|입금|출금|이송|접종|치료|입원|투약|출장|휴가|회의|공연|체험|시험|평가|신고|민원|단속|사고|정비|보수|청소|방역|소독"
)
"""Korean nouns of what happens, which names of tables end in."""


def endings(name: str, key: str, others: Sequence[str]) -> list[str]:
    """`key`: what the key of the table is called; `others`: the last words of the other tables.

    That part is the last one, which the key begins with, which happens (참석 of 교육참석) or which is a noun of its own, what
    stands before a word for papers (출하전표), or what money is for."""
    head = KOREAN_PARTS.sub("", _PAPERS.sub("", name))
    last = [head[-size:] for size in (3, 2) if len(head) >= size + 2]
    own = [
        e
        for e in last
        if key.startswith(e) or (_HAPPENING.fullmatch(e) and not any(one.endswith(e) for one in others))
    ]
    filed = _FILED.sub("", head)
    own += [filed] if filed != head and _HAPPENING.fullmatch(filed) else []  # 고장, of 고장접수
    own += [head] if head != name else []
    bare = _PAID_FOR.sub("", head)
    own += [bare] if bare != head and parts_of(bare) else []
    return own + [e for e in parts_of(head)[1:][-1:] if e in last]
