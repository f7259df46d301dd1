"""Reading: documents made from facts, texts of strangers, rows under other names; whatever is given is a fact."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson
import pytest
import yaml

from evals.compliance import spread
from evals.compliance.cases import Half, cases
from metaagent.evaluation.compliance import cases_of, scored
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.rows import BadRow, expense_of, fact_of
from metaagent.level2.compliance.subjects import subject_of_file
from metaagent.level2.compliance.text.mentions import mentions_in
from metaagent.level2.compliance.text.reading import read
from metaagent.level2.compliance.text.wording import Sentences
from metaagent.level2.compliance.verdict import blocks
from tests.support.compliance import found, rule_book, text, verdict
from tests.support.paths import ROOT


def outcome(content: str) -> str:
    said = verdict(text(content))
    if any(f["status"] == "violated" and blocks(f) for f in said["findings"]):
        return "violated"
    return "unknown" if said["blocks"] else "pass"


def given(content: str) -> list[Expense]:
    return read(Sentences(content)).expenses


@pytest.mark.thorough
@pytest.mark.parametrize("half", ["seen", "held_out"])
def test_made_documents_come_out_as_their_facts_decide(half: Half):
    wrong: list[tuple[str, str, str]] = []
    counted: Counter[str] = Counter()
    for case in cases(half, 240, seed=3):
        counted[case.expected] += 1
        got = outcome(case.text)
        if (got == "pass") != (case.expected == "pass"):
            wrong.append((case.expected, got, case.text))
    assert min(counted.values()) > 30
    assert [case for case in wrong if case[0] != "pass"] == []
    assert len(wrong) <= 0.03 * counted["pass"], wrong


def test_facts_that_stand_apart_are_put_together():
    """Each document has its facts in a header and several paragraphs, and a twin that must be stopped."""
    made = list(spread.documents("seen", 90, seed=5))
    stopped = [(one.violating, verdict(text(one.text, history=[]))["blocks"], one.text) for one in made]
    assert [said for violating, blocked, said in stopped if violating and not blocked] == []
    alarms = [said for violating, blocked, said in stopped if blocked and not violating]
    assert len(alarms) <= 0.03 * len(made) / 2, alarms


def test_fresh_texts_come_out_right():
    given_cases = yaml.safe_load((ROOT / "evals/compliance_fresh.yaml").read_text(encoding="utf-8"))
    scores, misses = scored(rule_book(), cases_of(given_cases), given_cases["today"])
    assert scores["stopped"] >= 0.98, misses
    assert scores["let_through"] >= 0.97, misses


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("도시락을 제공했다.", "stated"),
        ("도시락을 제공하기로 약속했다.", "stated"),
        ("도시락을 제공하지 않았다.", "denied"),
        ("도시락을 제공하지 않았다고 할 수 없다.", "stated"),
        ("도시락을 요청하셨으나 불가하다고 설명하고 거절했다.", "denied"),
        ("도시락을 요청하셔서 제공했다.", "stated"),
        ("도시락을 제공하는 행위는 금지된다.", "open"),
        ("도시락을 제공할 경우 금액을 적는다.", "open"),
        ("경쟁사가 도시락을 제공했다고 한다.", "open"),
        ("경쟁사와 달리 우리는 도시락을 제공했다.", "stated"),
        ("도시락은 각자 계산했다.", "denied"),
        ("도시락 제공 기준을 안내했다.", "open"),
        ("약은 도시락과 함께 복용한다.", "open"),
        ("원장님이 도시락을 사 주셨다.", "denied"),
        ("Lunch was served.", "stated"),
        ("No lunch was served.", "denied"),
        ("A competitor served lunch.", "open"),
        ("The doctor asked for lunch and I refused.", "denied"),
        ("Lunch was served, VAT not included.", "stated"),
    ],
)
def test_the_verb_decides_what_is_said_of_a_benefit(said: str, expected: str):
    (sentence,) = Sentences(said).all
    assert {one.said for one in mentions_in(sentence)} == {expected}


def test_the_nouns_of_a_list_share_their_verb():
    (sentence,) = Sentences("현금, 상품권, 식사 등은 일절 제공한 사실이 없다.").all
    assert [one.said for one in mentions_in(sentence)] == ["denied"] * 3


def test_a_price_in_a_later_sentence_belongs_to_the_gift():
    (one,) = given("새봄의원 의사 2명에게 텀블러를 하나씩 드렸다. 개당 가격은 3만5천원이다.")
    assert (one.category, one.amount, one.heads) == ("gift", 70_000, 2)


def test_lunch_with_a_price_does_not_cover_dinner():
    told = given("새봄의원 의사 2명에게 점심을 제공했다. 1인당 2만원이었다. 저녁 식사도 대접했다.")
    assert [one.amount for one in told] == [40_000, None]


def test_people_who_share_a_bill_are_added_up():
    said = "새봄의원 원장 1명과 간호사 2명, 당사 직원 1명 점심 총 9만원."
    assert [one.heads for one in given(said)] == [4]
    assert [one.heads for one in given("원장 1명과 간호사 2명, 모두 3명 점심 총 9만원.")] == [3]


def test_repeated_meals_are_counted():
    assert found(
        text("11월 한 달간 새봄의원 원장 한 분께 식사를 다섯 번 제공했다. 매회 1인당 2만원이었다.")
    ) == {"presentation_meals_month": "violated"}
    assert (
        found(text("11월 한 달간 새봄의원 원장 한 분께 식사를 네 번 제공했다. 매회 1인당 2만원이었다.")) == {}
    )


@pytest.mark.parametrize(
    ("place", "public"),
    [
        ("국립중앙의료원", True),
        ("강남구 보건소", True),
        ("시청 보건정책과", True),
        ("한국대학교병원", True),
        ("새봄의원", False),
        ("사립 한결병원", False),
        ("Suwon Municipal Hospital", True),
        ("Mirae private clinic", False),
    ],
)
def test_the_sector_shows_in_the_name(place: str, public: bool):
    row = expense_of({"date": "2025-03-04", "category": "meal", "amount": 1, "institution": place}, 1)
    assert row.public is public


def test_a_promise_for_prescriptions_is_a_violation():
    assert "benefit_for_prescriptions" in found(text("처방을 늘려 주시면 호텔 숙박을 지원하기로 했다."))
    assert outcome("처방을 늘려 주시면 감사하겠다고 말씀드렸다.") == "pass"


def test_a_sum_near_medical_staff_that_is_for_nothing_blocks():
    assert found(text("원장님을 뵈었다. 30만원을 썼다.")) == {"benefit_kind_known": "unknown"}
    assert outcome("원장님을 뵈었다. 지역 매출은 3억원이다.") == "pass"


ROW: dict[str, Any] = {
    "지출일자": "2025년 3월 4일",
    "지출항목": "식음료",
    "결제금액": "18만원",
    "참석인원": "2명",
    "기관명": "맑은내과의원",
    "참석자": "김도현, 이수빈",
    "부가세여부": "별도",
}


def test_rows_are_read_under_other_names():
    row = expense_of(ROW, 1)
    assert (row.category, row.amount, row.heads, row.public) == ("meal", 180_000, 2, False)
    assert row.doctors == ("김도현", "이수빈")
    assert row.tax_free == 18_000
    assert fact_of("Head Count") == fact_of("headcount") == fact_of("참석 인원") == "heads"
    assert expense_of({"금액(천원)": "40", "구분": "판촉물"}, 1).amount == 40_000
    assert expense_of({"per_person": 20_000, "pax": 3, "type": "lunch"}, 1).amount == 60_000


def test_no_number_of_people_is_made_up_from_names():
    row = expense_of({**ROW, "참석인원": None}, 1)
    assert row.heads is None
    assert expense_of({**ROW, "참석인원": None, "참석자": "김도현 외 2명"}, 1).heads == 3


@pytest.mark.parametrize("cell", [{"결제금액": "많음"}, {"지출일자": "어제"}, {"부가세여부": "글쎄"}])
def test_a_cell_that_cannot_be_read_is_refused(cell: dict[str, str]):
    with pytest.raises(BadRow):
        expense_of({**ROW, **cell}, 1)


def test_a_list_without_a_rep_is_the_list_of_one():
    good = {
        "date": "2025-03-04",
        "category": "meal",
        "amount": 180_000,
        "headcount": 2,
        "recipients": ["가", "나"],
    }
    row = {**good, "institution": "맑은내과의원"}
    assert not verdict(subject_of_file("a.json", orjson.dumps([row])))["blocks"]
    assert not verdict(subject_of_file("a.json", orjson.dumps({"items": [row]})))["blocks"]
    missing = verdict(subject_of_file("a.json", orjson.dumps([row, {**row, "amount": None}])))
    assert missing["blocks"]


def test_columns_are_divided_by_semicolons_too():
    content = "date;category;amount;headcount;institution;doctors\n2025-03-04;meal;40000;1;새봄의원;김서진\n"
    assert not verdict(subject_of_file("a.csv", content.encode()))["blocks"]


@pytest.mark.parametrize(
    ("said", "given"),
    [
        (
            "원장님이 골프 한번 같이 치자고 하셨으나, 회사 규정상 어렵다고 정중히 말씀드리고 사양하였다.",
            False,
        ),
        ("The director asked for golf but I declined.", False),
        ("원장님이 골프 치자고 하셔서 규정상 어렵다고 말씀드렸지만 결국 같이 쳤다.", True),
        ("원장님이 상품권을 달라고 하셨으나 어렵다고 말씀드리고 대신 골프를 접대해 드렸다.", True),
        ("The director asked for golf and we paid the green fee.", True),
    ],
)
def test_request_may_be_refused_in_its_own_sentence(said: str, given: bool):
    assert bool(read(Sentences(said)).expenses) is given
