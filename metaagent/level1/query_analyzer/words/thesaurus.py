"""Words that mean the same in any trade: a model that calls its customers 고객 is asked about 손님, clients or shoppers.

Only a word that the model does not know is read so, only where it can mean one thing there, and what was read is said.
Words that may mean something else in a business (income, profit, margin) stand in no group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from metaagent.data.semantic.drafting.dictionary_nouns import WRITTEN
from metaagent.data.semantic.drafting.words import cut_from, is_known, plural
from metaagent.language.patterns import regex

_GROUPS = """
고객 손님 소비자 구매자
매장 가게 점포 상점 샵
직원 사원 스태프 종업원 점원
제품 상품 품목 아이템 물품
매출 매출액 판매액 매출고 매상 판매금액
건수 횟수 수 개수 회수
배송 배달
수리 정비 보수
상담 면담
등록 신청
신고 접수
비용 경비 지출
금액 액수
무게 중량
강사 선생님 교사 쌤 튜터
학생 수강생 원생 학원생
강좌 수업 과목 강의 클래스
지점 영업소 사업소 지사
기사 운전기사 드라이버 기사님
차량 자동차 트럭 화물차
거래처 고객사 화주 화주사
지역 구역 동네 권역
고장 장애 결함
fault breakdown failure malfunction defect
국가 나라
회원 멤버
주문 오더
결제 지불
급여 월급 임금
참석자 참가자
세미나 심포지엄 심포지움 컨퍼런스 웨비나 학술행사
seminar symposium conference webinar
가수 아티스트 뮤지션 음악가
곡 노래 음원 트랙
캠퍼스 분원 학원
환자 내원객
호텔 숙소
객실 방
도서 책
수강료 수업료 학원비
운임 배송비 운송료 운송비
의사 선생님
인원 관객 관람객 입장객 방문객 이용객 하객 탑승객
매점 스낵바
극장 영화관
예매 예약 부킹
담당자 담당 책임자
클레임 민원 불만 컴플레인
설치 시공
평점 별점 만족도
고객사 업체 거래처
발전량 생산량 출력
유형 종류 구분 분류 타입 형태
방법 수단
사유 이유 원인
건물 빌딩
창고 물류센터
보호자 주인 견주 집사 소유자
화물 짐
선박 배
customer client buyer shopper patron consumer purchaser
client shipper consignor
medicine medication drug
store shop outlet
employee staff clerk worker associate
product item article merchandise
revenue sales turnover takings proceeds
count number
delivery shipment parcel consignment
repair maintenance
consultation counselling counseling advising advisory
enrolment enrollment registration sign-up signup
fee charge
cost expense outlay bill
weight tonnage
teacher instructor tutor trainer
student pupil learner
course class program programme
branch office location site
driver courier deliveryman
vehicle truck van car
region area district territory neighbourhood neighborhood
city town
country nation
artist performer musician singer
track song tune
refund reimbursement
quantity units volume pieces copies
rep salesperson representative
doctor physician
hotel inn
book title
freight shipping
compensation payout damages
claim complaint
session meeting
category type kind
reason cause
owner assignee
artwork work piece
guest visitor attendee
movie film
theater theatre cinema
showing screening
quote estimate
ship vessel
pet animal
"""
_DOING: dict[str, tuple[str, ...]] = {
    "환불": ("돌려준", "되돌려준"),
    "배상": ("물어준", "물어낸"),
    "보상": ("물어준", "물어낸"),
    "매출": ("번", "벌어들인"),
    "판매": ("번", "벌어들인"),
    "수리": ("고치는 데 든", "고치는 데 쓴"),
    "정비": ("고치는 데 든", "고치는 데 쓴"),
    "지출": ("쓴", "나간"),
    "비용": ("쓴", "나간"),
    "수업": ("가르친",),
    "강의": ("가르친",),
    "refund": ("refunded", "given back"),
    "revenue": ("earned", "made", "from sales"),
    "sales": ("earned", "made", "from sales"),
    "expense": ("spent", "paid out"),
    "repair": ("spent on repairs",),
    "compensation": ("paid in damages",),
}
"""The nouns of figures and the verbs by which people say the same: 환불액 is 돌려준 돈, refunds are money refunded."""
_MONEY = regex(r"(?P<of>[가-힣]{2,})\s?(?:금액|액|금|비용?|료)|(?P<en>[a-z]+?)s?(?: (?:amount|cost|value))?")
_TIME = regex(r"(?P<of>[가-힣]{2,})\s?시간|(?P<en>[a-z]+?)s? (?:minutes|hours|time)")
_PEOPLE = regex(r"(?P<of>[가-힣]{2,})\s?(?:참석|참가)\s?(?:자|인원)(?:\s?수)?")
MOST_TOKENS = 4
MOST_CUT = 8
_LONGEST_CUT = 5
MOST_LABELS = 6000


@lru_cache(maxsize=1)
def _alike() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _GROUPS.strip().splitlines():
        words = line.split()
        for word in words:
            found.setdefault(word, set()).update(words)
    return {word: frozenset(others - {word}) for word, others in found.items()}


def _forms(token: str) -> Iterator[str]:
    """Other words for one; an English plural stays one."""
    alike = _alike()
    if token in alike:
        yield from alike[token]
    yield from _written_out(token)
    single = token[:-1] if token.isascii() and token.endswith("s") and not token.endswith("ss") else ""
    if single in alike:
        yield from (f"{word}s" if not word.endswith(("s", "y")) else word for word in alike[single])


@lru_cache(maxsize=4096)
def _written_out(token: str) -> tuple[str, ...]:
    """The words that a short form of a name may be cut off from: escaped and escalated, for esc."""
    if not (token.isascii() and token.isalpha() and 3 <= len(token) <= _LONGEST_CUT) or is_known(token):
        return ()
    begun = [word for word in sorted(WRITTEN) if word.startswith(token) and len(word) > len(token) + 1]
    single = [*cut_from(token), *begun[:MOST_CUT]]
    return tuple(form for word in single for form in (word, plural(word)))


def variants(labels: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each (other wording, label): one or two words of the label said otherwise."""
    for label in list(labels)[:MOST_LABELS]:
        tokens = label.lower().split()
        if not 0 < len(tokens) <= MOST_TOKENS:
            continue
        once = [
            [*tokens[:at], other, *tokens[at + 1 :]]
            for at, token in enumerate(tokens)
            for other in _forms(token)
        ]
        yield from ((" ".join(made), label) for made in once)
        yield from ((said, label) for said in _clauses(" ".join(tokens)))
        if len(tokens) == 2:  # 상담 건수: 면담 횟수
            yield from ((f"{a} {b}", label) for a in _forms(tokens[0]) for b in _forms(tokens[1]))


def _clauses(label: str) -> Iterator[str]:
    """Says a figure by what was done: 상담 시간 is 면담에 쓴 시간, visit minutes are time spent on visits."""
    if money := _MONEY.fullmatch(label):
        nouns = ("돈", "금액") if money["of"] else ("money", "amount")
        done = _DOING.get(money["of"] or money["en"], ())
        yield from (f"{verb} {noun}" if money["of"] else f"{noun} {verb}" for verb in done for noun in nouns)
    if time := _TIME.fullmatch(label):
        for event in (time["of"] or time["en"], *_forms(time["of"] or time["en"])):
            if time["of"]:
                yield from (f"{event}에 {verb} 시간" for verb in ("쓴", "들인", "걸린", "보낸"))
                yield from (f"{verb} 시간" for verb in _DOING.get(event, ()))
            else:
                yield from (f"{what} spent on {event}s" for what in ("time", "minutes", "hours"))
    if people := _PEOPLE.fullmatch(label):
        came = ("온 사람", "참석한 사람", "참가한 사람", "온 인원")
        yield from (f"{people['of']}에 {who}{number}" for who in came for number in ("", " 수"))
