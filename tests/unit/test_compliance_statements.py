"""Statements of notes in many wordings: what breaks a rule is stopped, and its harmless twin is not."""

from __future__ import annotations

import pytest

from tests.support.compliance import found, text, verdict

Twins = tuple[str, list[str], list[str]]
"""The rule that finds it, notes that break it, and notes that do not."""

COLLUSION: Twins = (
    "collusion",
    [
        "We and our rival promised each other not to undercut on the hospital tender.",
        "Shook hands with the competitor's manager on not going below each other's price.",
        "Our competitor and we will not poach each other's hospitals next year, as agreed at lunch.",
        "Reached an understanding with the competing company to leave each other's clinics alone.",
        "타사 영업부장과 서로 거래처는 건드리지 않기로 약속함.",
        "경쟁 업체와 서로 단가를 내리지 말자고 합의했다.",
    ],
    [
        "The competitor offered not to undercut each other; we refused and told compliance.",
        "Our competitor cut its prices on antibiotics again; we keep ours.",
        "경쟁사에서 서로 가격을 내리지 말자고 했으나 거절하고 준법팀에 알림.",
        "경쟁사 가격에 대해서는 이야기하지 않기로 사내에서 정했다.",
    ],
)
SHARES: Twins = (
    "rebate_statement",
    [
        "For each 50 boxes prescribed the doctor receives 3% of the sales back from us.",
        "The clinic owner gets ten percent of every prescription of our statin returned.",
        "Per 100 prescriptions the director gets 200,000 won back from us.",
        "A tenth of the prescription amount goes back to Dr. Lee.",
        "원장님은 글루메릭정 처방 금액의 10퍼센트를 저희한테서 돌려받으십니다.",
        "처방전 50장당 원장에게 20만원씩 돌아갑니다.",
    ],
    [
        "For every 100 prescriptions of 글루메릭정 about 5% are for patients over 80.",
        "Prescriptions of our statin rose by 5%, the clinic owner told us.",
        "처방 100건 중 5건은 소아 환자라고 원장님이 말씀하셨습니다.",
        "원장님 말씀으로는 처방의 10%가 재진 환자라고 합니다.",
    ],
)
AGAINST_ADVICE: Twins = (
    "approval_missing",
    [
        "Compliance said no to the trip, but we booked it.",
        "The compliance team rejected the plan; we carried it out all the same.",
        "Compliance told us not to do it and we still did it.",
        "Our lawyers advised against it. We went ahead.",
        "준법팀은 여행이 안 된다고 했지만 예약했습니다.",
        "법무팀이 불가하다고 했으나 예정대로 집행함.",
        "준법감시인이 반려했음에도 그대로 지급했음.",
    ],
    [
        "Compliance said no to the trip, so we cancelled it.",
        "Compliance said no at first, but approved it after the change, and then we booked it.",
        "Compliance turned the dinner down; it did not take place.",
        "준법팀이 안 된다고 해서 예약하지 않았습니다.",
        "준법팀이 처음에는 반대했으나 수정 후 승인해서 진행했습니다.",
    ],
)
ADVERTS: Twins = (
    "advertised_to_public",
    [
        "TV spot for our prescription painkiller starts on Monday.",
        "The subway posters for our prescription antibiotic go up next week.",
        "Billboard of our prescription diabetes tablets stands at the station.",
        "처방약 수면제 라디오 광고 나갑니다.",
        "지하철역에 우리 전문약 포스터가 걸립니다.",
        "버스 광고에 처방 혈압약 실었음.",
    ],
    [
        "TV spot for our over-the-counter painkiller starts on Monday.",
        "We may not run TV spots for prescription medicines.",
        "TV spot for our prescription painkiller was cancelled.",
        "일반의약품 진통제 TV 광고가 다음 주에 시작됩니다.",
        "전문의약품 TV 광고는 금지되어 있다고 안내했습니다.",
    ],
)
PROMOTION: Twins = (
    "promotional_item_amount",
    [
        "심포지엄 참석 의사들에게 판촉물로 개당 3만8천원짜리 무선충전기를 배부함.",
        "학술대회 부스에서 홍보용 우산(개당 2만5천원)을 의사들에게 나눠 드렸습니다.",
        "Gave seminar attendees promotional tumblers at 45,000 won apiece.",
    ],
    [
        "심포지엄 참석자 20명에게 1인당 3만원의 기념품을 제공했다.",
        "세미나 참석자에게 판촉물로 1개당 4천5백원짜리 볼펜을 나눠드림.",
        "Gave seminar attendees promotional pens at 4,500 won apiece.",
    ],
)
GOES_TO_THEM: Twins = (
    "benefits_understood",
    [
        "Piano lessons went to the surgeon.",
        "The espresso machine ended up at Dr. Park's house.",
        "Swimming lessons were for the professor's son.",
        "The bicycle is now with the chief physician.",
        "A crate of apples reached the ward nurses.",
        "새 소파가 원장님 댁으로 들어갔습니다.",
        "에어컨은 교수님 방으로 갔습니다.",
        "자전거 한 대가 원장님 아드님 손에 들어갔습니다.",
    ],
    [
        "The surgeon went to piano lessons.",
        "My question went to the professor.",
        "The new study data went to the clinic director.",
        "Our thanks went to the head nurse.",
        "I reached Dr. Kim by phone.",
        "저는 교수님 방으로 갔습니다.",
        "팀장님과 함께 원장님 진료실로 들어갔습니다.",
        "질의 답변서는 교수님 방으로 갔습니다.",
    ],
)
ALL = (COLLUSION, SHARES, AGAINST_ADVICE, ADVERTS, PROMOTION, GOES_TO_THEM)


@pytest.mark.parametrize(("rule", "said"), [(rule, said) for rule, broken, _ in ALL for said in broken])
def test_a_note_that_breaks_a_rule_is_stopped_by_it(rule: str, said: str):
    assert verdict(text(said))["blocks"]
    assert rule in found(text(said))


@pytest.mark.parametrize("said", [said for _, _, harmless in ALL for said in harmless])
def test_the_harmless_twin_of_a_statement_passes(said: str):
    assert found(text(said)) == {}


@pytest.mark.parametrize(
    "said",
    [
        "강연료: 최 교수 {hours}시간 강연에 총 {won}만원 지급, 원천징수와 계약서 처리 완료.",
        "강의료: 정 원장 {hours}시간 강의 총 {won}만원 지급, 계약서 작성 및 세금 신고 완료.",
        "Lecture fee: Prof. Park, {hours}-hour lecture, {won}0000 won in total paid, contract and tax handled.",
    ],
)
def test_papers_and_taxes_of_a_fee_leave_its_price_known(said: str):
    assert found(text(said.format(hours=2, won=40))) == {}
    assert found(text(said.format(hours=1, won=140))).get("lecture_fee_hour") == "violated"


@pytest.mark.parametrize(
    "said",
    [
        "강연료: 김 교수 1시간 강연 30만원 송금, 김 교수님 소득세 처리 완료.",
        "Lecture fee for Prof. Park: 300,000 won, one hour; we also paid his income tax.",
        "원장님 세금을 저희가 처리해 드렸습니다.",
    ],
)
def test_a_tax_that_is_paid_for_somebody_is_a_favour(said: str):
    assert verdict(text(said))["blocks"]
