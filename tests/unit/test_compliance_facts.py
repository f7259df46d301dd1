"""Facts of prose that decide a verdict: days without their month, an open sector, whose sum it is, what was turned down."""

from __future__ import annotations

from datetime import date

import pytest

from metaagent.global_state import Verdict
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.text.amount_context import days_in, sector_is_open
from metaagent.level2.compliance.text.reading import read
from metaagent.level2.compliance.text.wording import Sentences
from tests.support.compliance import data, text, verdict

FIVE_DAYS = (
    "2일 점심 28,000원, 8일 점심 31,000원, 15일 점심 26,000원, 22일 저녁 45,000원, 29일 점심 30,000원."
)
UNDATED = "원장님 점심 28,000원. 저녁 31,000원. 오찬 26,000원. 만찬 45,000원. 석식 30,000원."


def expenses(note: str) -> list[Expense]:
    return read(Sentences(note)).expenses


def found(note: str, status: str = "violated") -> set[str]:
    judged: Verdict = verdict(text(note))
    return {each["rule"] for each in judged["findings"] if each["status"] == status}


def open_or_broken(note: str) -> set[str]:
    return found(note) | found(note, "unknown")


def test_a_day_belongs_to_the_month_named_before_it():
    assert [day for _, day in days_in("10월 식대: 2일 점심, 8일 저녁")] == ["10-02", "10-08"]
    assert [day for _, day in days_in("In October: lunch on the 2nd and dinner on the 8th")] == [
        "10-02",
        "10-08",
    ]
    assert [day for _, day in days_in("2일 동안 자리를 비움")] == []


def test_the_fifth_of_listed_days_is_counted():
    note = (
        f"오세라 원장님(오세라내과의원) 10월 설명회 식음료: {FIVE_DAYS} 모두 1인 금액이고 부가세 제외입니다."
    )
    assert found(note) == {"presentation_meals_month"}
    four = note.replace(", 29일 점심 30,000원", "")
    assert open_or_broken(four) == set()


def test_meals_without_days_may_be_of_one_month():
    note = f"오세라 원장님(오세라내과의원) 설명회 식음료, 1인 금액, 부가세 제외: {FIVE_DAYS}"
    assert "presentation_meals_month" in found(note, "unknown")


@pytest.mark.parametrize(
    "note",
    [
        "도원병원이 국공립인지는 아직 확인하지 못했습니다.",
        "It is not known yet whether the hospital is public.",
        "공직자 여부는 모릅니다.",
    ],
)
def test_a_sector_that_nobody_knows_is_open(note: str):
    assert sector_is_open(note)
    assert not sector_is_open("도원병원이 국공립인지 문의했고, 확인 결과 사립입니다.")


def test_an_open_sector_is_asked_about():
    meal = "11월 3일 도원병원 과장님 두 분께 설명회를 하고 석식을 제공했습니다. 1인 72,000원(부가세 별도)."
    assert "public_meal_amount" in found(f"{meal} 도원병원이 국공립인지는 확인하지 못했습니다.", "unknown")


def test_nobody_of_the_public_sector_is_no_sector():
    (meal,) = expenses(
        "11월 12일 복수기관 설명회 식음료 1인 62,000원, 의사 11명. 국공립 소속 참석자는 없었습니다."
    )
    assert meal.public is False


def test_the_sum_of_a_year_is_no_fee_of_its_own():
    fee = "11월 9일 강연 1시간, 연자 개인의원 조은결 원장님. 강연료 500,000원은 본인 계좌로 송금했습니다."
    assert open_or_broken(f"{fee} 올해 누적 150만원입니다.") == set()
    assert found(f"{fee} 올해 누적 350만원입니다.") == {"lecture_fee_year"}


def test_a_lecture_of_minutes_is_no_hour():
    note = "조 원장님이 25분만 말씀하시고 끝났습니다. 강연료 30만원은 예정대로 이체했습니다."
    (fee,) = expenses(note)
    assert (fee.hours, fee.heads) == (0, None)
    assert "lecture_fee_hour" in found(note)


def test_an_english_sum_is_for_its_own_act():
    note = "We handed Dr. Lee gift cards worth 300,000 won and paid 200,000 won for dinner."
    assert {one.category: one.amount for one in expenses(note)} == {"cash": 300_000, "meal": 200_000}


def test_cash_as_a_way_to_pay_is_no_benefit():
    assert [one.category for one in expenses("I paid the dinner of 200,000 won in cash.")] == ["meal"]
    given = expenses("Paid for dinner and gave Dr. Kim 300,000 won in cash.")
    assert ("cash", 300_000) in {(one.category, one.amount) for one in given}


def test_a_month_of_may_makes_no_rule():
    note = "On 14 May 2024 we had lunch with two doctors of a municipal hospital, KRW 42,000 per person."
    assert "public_meal_amount" in found(note)


def test_net_and_tax_tell_the_price_once_more():
    note = "11/3 늘찬의원 원장님 외 2명 설명회 저녁. 총 3명, 결제액 330,000원이며 공급가액 300,000원 + 부가세 30,000원입니다."
    (meal,) = expenses(note)
    assert (meal.amount, meal.vat) == (330_000, 30_000)


def test_a_caption_tells_the_tax_of_its_table():
    rows = "| 날짜 | 기관 | 내용 | 인원 | 금액 |\n|---|---|---|---|---|\n| 11/5 | 늘솔의원 | 설명회 저녁 | 3명 | 300,000원 |"
    assert open_or_broken(f"11월 식음료 내역 (부가세 제외)\n{rows}") == set()


def test_an_offer_that_was_turned_down_is_none():
    offered = "수간호사님이 당뇨 환자 명단을 보여 주시겠다고 했지만"
    assert open_or_broken(f"{offered} 받으면 안 되는 자료라고 사양했습니다.") == set()
    assert "patient_data" in open_or_broken(f"{offered} 처음에는 사양하다가 결국 받아 왔습니다.")


def test_ice_cream_is_no_medicine_beside_a_sample():
    note = "약국 직원들한테 아이스크림 쐈음. 견본품은 최소 포장 1통만 드리고 대장에 서명받았습니다."
    assert "benefits_understood" in open_or_broken(note)


def test_a_prize_among_ourselves_is_no_benefit():
    note = "사내 볼링 대회 1등 재무팀 오 사원(상품권 5만원). 외부인 없이 직원 14명만 참가했습니다."
    assert open_or_broken(note) == set()


@pytest.mark.parametrize(
    ("rule", "note"),
    [
        (
            "collusion",
            "지역 입찰 건입니다. M제약 담당자랑 만나 둘 다 8,200원 밑으로는 써내지 않기로 얘기 끝냈습니다.",
        ),
        (
            "resale_price",
            "Spoke to the wholesaler. It must not be resold below 1,150 won, otherwise we stop deliveries.",
        ),
        ("benefit_for_prescriptions", "처방을 늘려 주시기로 해서 월 30만원씩 자문료로 드리기로 했어요."),
        ("split_bill", "회의비 42만원은 3명이 나눠 먹은 건데 명부에는 6명으로 올려 두었습니다."),
        ("contacts_passed_on", "원장님 자택 주소와 자녀 생일을 엑셀에 정리했다."),
        ("fee_to_others", "강연은 취소됐지만 강연료 50만원은 그대로 보내 드렸습니다."),
        ("presentation_meals_month", "이정우 원장님(바른의원)과 매번 설명회 점심, 1인 2만5천원입니다."),
    ],
)
def test_a_breach_in_other_words_does_not_pass(rule: str, note: str):
    assert rule in open_or_broken(note)


def test_a_month_of_a_year_dates_the_day_after_it():
    note = "Check of {}: on the 18th we served lunch at 38,000 won a person to six physicians of the municipal hospital at a talk."
    (old,) = expenses(note.format("July 2024"))
    assert old.date == date(2024, 7, 18)
    assert "public_meal_amount" in found(note.format("July 2024"))
    assert open_or_broken(note.format("July 2025")) == set()


@pytest.mark.parametrize(
    "days",
    [
        "on 1, 8, 15, 22 and 29 October",
        "on October 1, 8, 15, 22 and 29",
        "in October: the 1st, 8th, 15th, 22nd and 29th",
    ],
)
def test_english_lists_of_days_are_counted(days: str):
    note = f"Dr. Jang of Ieum Clinic (private) had a lunch box (KRW 22,000 net of VAT) at my talks {days}."
    assert found(note) == {"presentation_meals_month"}
    off = f"{note} The talk on the 15th was called off."
    assert "presentation_meals_month" not in found(off)


@pytest.mark.parametrize(
    "note",
    [
        "제 10월 식사비는 합계 587만원입니다.",
        "My meals in October came to KRW 5,300,000 in total.",
    ],
)
def test_meals_of_a_month_are_held_against_the_limit(note: str):
    assert found(note) == {"rep_month_meals_told"}
    assert open_or_broken(note.replace("587", "487").replace("5,300", "4,300")) == set()


def test_an_exercise_covers_no_deed_that_was_done():
    quiz = "CP quiz, week 46. Suppose a rep hands a doctor a voucher of KRW 30,000. Which article would that break?"
    assert open_or_broken(quiz) == set()
    assert "cash_benefit" in found(f"{quiz} 원장님께 상품권 20만원을 드렸습니다.")
    play = "[신입 롤플레이 대본] 만약 원장님이 필드에 나가자고 하시면 뭐라고 답할까요?"
    assert open_or_broken(play) == set()
    assert open_or_broken(f"{play}\n식대 총 680,000원 (부가세 별도), 원장 1명, 튼튼의원")


def test_a_thousand_of_a_sum_is_no_part_of_a_list():
    note = "On 4 March 2025 we gave lunch for 36,000 won a person to three doctors of the national hospital at a presentation."
    assert open_or_broken(note) == set()


@pytest.mark.parametrize(
    "note",
    [
        "의원 짐 나르는 걸 도와달라 하셨으나 곤란하다고 말씀드렸습니다.",
        "소담약국에서 외상대금 1,840,000원을 현금으로 내셔서 영수증 써 드리고 입금했습니다.",
        "원장님 질문: 프레가론캡슐 드시는 분이 회식에서 술을 마셔도 되는지.",
        "Out of office Saturday: I am taking my parents to a musical, no doctors involved.",
        "The 2020 files have passed their five years. They stay with the doctors' papers.",
    ],
)
def test_what_gives_nobody_anything_passes(note: str):
    assert open_or_broken(note) == set()


@pytest.mark.parametrize(
    "note",
    [
        "원장님이 이사를 도와달라 하셔서 토요일에 도와드렸습니다.",
        "약국 외상대금 중 50만원을 현금으로 돌려드렸습니다.",
        "원장님 문의: 지난주에 드린 상품권 20만원을 판촉물로 처리해도 되는지.",
        "Out of office Friday: I am taking Dr. Kim's parents to a musical.",
        "For the graduation of the director's daughter we sent a laptop. No customers were present.",
    ],
)
def test_the_same_words_about_something_given_do_not(note: str):
    assert open_or_broken(note)


def test_the_same_finding_is_listed_once_with_all_its_evidence():
    made = verdict(text("본 제품은 부작용 없이 100% 안전합니다."))
    claims = [one for one in made["findings"] if one["rule"] == "exaggerated_claim"]
    assert [one.get("value") for each in claims for one in each["evidence"]] == ["부작용 없", "100% 안전"]
    assert len(claims) == 1
    row = {"date": "2026-03-04", "category": "meal", "doctors": ["김", "이", "박"], "institution": "한결의원"}
    listed = [one["rule"] for one in verdict(data(row))["findings"] if one["status"] == "unknown"]
    assert len(listed) == len(set(listed))
