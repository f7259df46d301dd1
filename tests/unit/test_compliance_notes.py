"""Notes of strangers: what is told apart, what is asked for, and that no clean note hides a violation."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml

from metaagent.evaluation.compliance import cases_of, scored
from metaagent.level2.compliance.text.assertions import tells_a_deed
from metaagent.level2.compliance.text.own_circle import names_them
from metaagent.level2.compliance.text.wording import Sentences
from tests.support.compliance import found, rule_book, text, verdict
from tests.support.paths import ROOT


def _read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


NOTES = _read("evals/compliance_notes.yaml")
SENTENCES = _read("evals/compliance/sentences.yaml")
BEFORE = {"ko": "11/3 한빛의원 원장님을 뵈었다.", "en": "Met Dr. Park at Hanbit Clinic on 3 Nov."}


def _after(sentence: str) -> str:
    return f"{BEFORE['ko' if re.search('[가-힣]', sentence) else 'en']} {sentence}"


@pytest.mark.thorough
def test_notes_are_told_apart():
    scores, misses = scored(rule_book(), cases_of(NOTES), NOTES["today"])
    assert scores["stopped"] == 1.0, misses
    assert scores["let_through"] >= NOTES["thresholds"]["let_through"], misses
    assert scores["told_apart"] >= NOTES["thresholds"]["told_apart"], misses


@pytest.mark.thorough
def test_no_clean_note_hides_a_violation():
    """A violating note or sentence stands at a random place of a clean note; two records of one thing are no case, nor is
    a deed for nobody in particular in a note about our own people, nor what somebody does in an exercise."""
    draw = random.Random("notes")
    clean = [case["text"] for case in NOTES["judgements"] if case["must"] == "clear"]
    broken = [case["text"] for case in NOTES["judgements"] if case["must"] == "violated"]
    insertions = _read("evals/compliance/insertions.yaml")["benefits"]
    broken += [said for known in insertions.values() for said in known if "법인카드로 긁" not in said]
    passed: list[str] = []
    for said in broken:
        note = draw.choice(clean)
        parts = re.split(r"(?<=[.\n])(?<!Dr\.)(?=\s)", note)
        at = draw.randint(0, len(parts))
        ended = at == 0 or parts[at - 1].rstrip(" ").endswith((".", "\n", "?", "!"))
        parts.insert(at, f"{'' if ended else chr(10)} {said}{'' if said.endswith(('.', '?')) else '.'} ")
        around = Sentences(note).all
        of_ours = not names_them(said) and any(one.alone for one in around)
        supposed = not tells_a_deed(said) and any(one.exercise for one in around)
        if not of_ours and not supposed and not verdict(text("".join(parts)))["blocks"]:
            passed.append(said)
    assert passed == []


def test_ordinary_sentences_pass_and_broken_rules_do_not():
    stopped = [said for said in SENTENCES["harmless"] if verdict(text(_after(said)))["blocks"]]
    assert len(stopped) <= 0.04 * len(SENTENCES["harmless"]), stopped
    passed = [said for said in SENTENCES["broken"] if not verdict(text(_after(said)))["blocks"]]
    assert len(passed) <= 0.03 * len(SENTENCES["broken"]), passed


def test_deeds_and_their_harmless_twins_are_told_apart():
    twins = _read("evals/compliance/twins.yaml")
    assert [said for said in twins["stopped"] if not verdict(text(said))["blocks"]] == []
    assert [said for said in twins["passed"] if verdict(text(said))["blocks"]] == []


@pytest.mark.parametrize("fee", [150_000, 400_000])
@pytest.mark.parametrize("earlier", [500_000, 2_600_000, 2_850_000])
@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ("올해 이미 지급된 강연료가 {won}원임.", False),
        ("이번 건 제외하고 올해 누계 {won}원.", False),
        ("Fees already paid to him this year: {won} won.", False),
        ("이번 건 포함 올해 누계 {won}원.", True),
        ("His total this year, this one included, is {won} won.", True),
    ],
)
def test_fees_paid_before_count_in_the_year(fee: int, earlier: int, told: str, counted: bool):
    said = f"박 과장님 강연 60분, 강연료 {fee:,}원, 계약서 체결. {told.format(won=f'{earlier:,}')}"
    above = earlier + (0 if counted else fee) > 3_000_000
    assert ("lecture_fee_year" in found(text(said))) is above


@pytest.mark.parametrize(
    ("said", "outcome", "asked"),
    [
        (
            "11/12 늘푸른의원 원장님 외 여러 분과 저녁 식사, 총 420,000원.",
            "needs_information",
            "how many people",
        ),
        (
            "11/4 한빛의원 김서진 원장님께 강연료 80만원을 지급했다.",
            "needs_information",
            "how long the lecture",
        ),
        ("원장님 차에 기름을 가득 넣어 드렸다.", "needs_information", "whether anybody was given anything"),
        ("11/12 늘푸른의원 의사 2명 저녁 식사, 총 420,000원(부가세 별도).", "violated", ""),
        ("11/12 늘푸른의원 의사 2명 도시락, 총 40,000원.", "passed", ""),
    ],
)
def test_missing_facts_are_asked_for_and_still_block(said: str, outcome: str, asked: str):
    made = verdict(text(said))
    assert made.get("outcome") == outcome
    assert made["blocks"] is (outcome != "passed")
    questions = made.get("questions", [])
    assert any(asked in question for question in questions) if asked else questions == []


TABLE = "일자 | 거래처 | 내용 | 인원 | 금액\n2026-10-05 | 한결의원 | 설명회 도시락 | 4 | 72,000\n"


def test_a_table_in_a_text_is_read_by_its_rows():
    assert not verdict(text(TABLE))["blocks"]
    dinner = f"{TABLE}10/12 | 다솜의원 | 설명회 석식 | 3 | 510,000"
    assert found(text(dinner)) == {"presentation_meal_amount": "violated"}
    assert (
        found(text(f"{TABLE}10/12 | 다솜의원 | 설명회 상품권 | 3 | 30,000")).get("cash_wording") == "violated"
    )


@pytest.mark.parametrize(
    ("days", "blocks"),
    [
        ("10/2, 10/6, 10/13, 10/20에", False),
        ("10/2, 10/6, 10/13, 10/20, 10/27에", True),
        ("10월 2, 6, 13, 20, 27일에", True),
        ("9/30, 10/6, 10/13, 10/20, 10/27에", False),
    ],
)
def test_a_list_of_days_counts_the_times_in_a_month(days: str, blocks: bool):
    said = f"한결의원 김서진 원장님과 {days} 점심. 매번 1인당 2만원."
    assert verdict(text(said))["blocks"] is blocks


def test_days_without_a_year_count_in_their_month():
    line = "{day} 한결의원 김서진 원장님 점심 1인당 2만원."
    five = "\n".join(line.format(day=day) for day in ("10/2", "10/6", "10/13", "10/20", "10/27"))
    assert found(text(five)) == {"presentation_meals_month": "violated"}
    assert found(text(five.replace("10/27", "11/3"))) == {}


@pytest.mark.parametrize(
    ("said", "blocks"),
    [
        ("환자 이름이 적힌 예약 리스트를 실장님이 보내 주셔서 저장했다.", True),
        ("환자 이름이 적힌 예약 리스트는 받지 않았다.", False),
        ("약국에서 정가 이하로 팔지 못하게 하겠다고 통보했다.", True),
        ("약국에서 정가 이하로 팔아도 된다고 안내했다.", False),
    ],
)
def test_the_parts_of_a_statement_may_stand_in_any_order(said: str, blocks: bool):
    assert verdict(text(said))["blocks"] is blocks


def test_people_of_another_event_share_no_bill():
    said = "설명회 식대 48만원을 썼다. 팀 회식은 8명, 31만원이었다. 원장님을 뵈었다."
    assert verdict(text(said))["blocks"]


def test_support_of_a_congress_goes_through_the_association():
    assert found(text("교수님 학회 숙박비 44만원을 회사 카드로 결제해 드렸다.")) == {
        "direct_support": "violated"
    }
    assert found(text("부산 출장 숙박비 88,000원, KTX 59,800원.")) == {}


@pytest.mark.parametrize(
    ("said", "blocks"),
    [
        ("골프는 저희가 모실 수도 없고 함께 나가기도 어렵다고 말씀드리고 거절했습니다.", False),
        ("선물은 드릴 수도 없고 받을 수도 없다고 말씀드렸습니다.", False),
        ("상품권은 드릴 수 없다고 말씀드렸지만 결국 10만원권을 드렸습니다.", True),
        ("We told him that we neither take nor give presents.", False),
        ("We took no presents, but we gave him two boxes of wine.", True),
    ],
)
def test_denials_of_two_clauses_do_not_cancel_out(said: str, blocks: bool):
    assert verdict(text(_after(said)))["blocks"] is blocks


@pytest.mark.parametrize(
    ("said", "blocks"),
    [
        ("개별 지원은 안 되고 협회를 통해서만 지원한다고 안내드림.", False),
        ("식사 지원은 불가하고 협회만 후원한다고 설명드렸다.", False),
        ("개별 지원은 안 되지만 원장님께는 저희가 비용을 지원한다고 안내드림.", True),
        ("등록비 지원은 안 된다고 안내드렸는데 나중에 저희가 등록비를 지원했다.", True),
        ("교육에서 식대를 나눠 결제해도 되느냐는 질문이 나왔다.", False),
        ("식대를 나눠 결제했고 괜찮으냐는 질문이 나왔다.", True),
    ],
)
def test_what_somebody_is_told_is_not_done_is_no_deed(said: str, blocks: bool):
    assert verdict(text(_after(said)))["blocks"] is blocks


@pytest.mark.parametrize("each", [7, 9.8, 10, 10.1, 11.5, 23])
@pytest.mark.parametrize("people", ["의사 2명", "Dr 3人"])
def test_a_sum_for_each_at_a_presentation_is_its_food(each: float, people: str):
    said = f"11/4 한결의원 PT(원내) {people} 인당 {each}만 vat별 법카. 이달 1회차."
    assert found(text(said)) == ({"presentation_meal_amount": "violated"} if each > 10 else {})
    assert verdict(text(f"설명회에서 한결의원 {people}에게 1인 {each}만원씩 지급했다."))["blocks"]


@pytest.mark.parametrize(
    "said",
    [
        "오OO님 차트번호 30417, 혈당이 내려감.",
        "pt 박OO F/47 010-1234-5678, 우리 약 먹고 좋아짐.",
        "이OO님(1958년생) 당화혈색소 9.1에서 6.8로 내려감.",
        "Patient no. 48213: HbA1c fell from 9 to 7.",
    ],
)
def test_who_a_patient_is_belongs_into_no_note(said: str):
    assert "patient_data" in found(text(_after(said)))
    assert not verdict(text(_after("담당 김 대리 연락처 010-1234-5678입니다.")))["blocks"]
