"""Judging: amounts, tax, people, negation, quotation, dates, aggregates; what cannot be known is never a pass."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from metaagent.demo.rows import PROFILES, company
from metaagent.evaluation.compliance import cases_of, keyword_check, scored
from metaagent.global_state import Finding
from metaagent.level2.compliance.judging import MOST_TEXT, Subject, judge
from metaagent.level2.compliance.subjects import subject_of_artifact, subject_of_file
from metaagent.level2.compliance.text.amounts import people, sums
from metaagent.level2.compliance.text.wording import Sentences, cleaned, polarity
from metaagent.level2.compliance.verdict import UNDERSTOOD, confidence, risk_level, verdict_hash, verdict_of
from metaagent.level2.compliance.work import of_question
from tests.support.compliance import TODAY, data, expenses_of, found, rule_book, text, verdict
from tests.support.paths import ROOT

MEAL: dict[str, Any] = {
    "date": "2025-03-04",
    "category": "meal",
    "amount": 30_000,
    "vat": 0,
    "heads": 1,
    "public": False,
    "doctors": "김서진",
    "institution": "A",
    "rep": 1,
}


@pytest.mark.parametrize(
    ("said", "won"),
    [
        ("9만9천원", 99_000),
        ("99,000원", 99_000),
        ("10만 5천 원", 105_000),
        ("1억2천만원", 120_000_000),
        ("십이만원", 120_000),
        ("3만 5백원", 30_500),
        ("₩99,000", 99_000),
        ("99,000 won", 99_000),
        ("KRW 1,200,000", 1_200_000),
        ("100 thousand won", 100_000),
        ("2.5만원", 25_000),
    ],
)
def test_sums_are_read_in_korean_and_english(said: str, won: int):
    assert [one.won for one in sums(f"식사 {said} 지급")] == [won]


@pytest.mark.parametrize("said", ["원장", "30 minutes", "제3원칙", "2025년", "병원 내"])
def test_other_words_are_no_sums(said: str):
    assert sums(said) == []


@pytest.mark.parametrize(
    ("said", "count"), [("의사 3명", 3), ("ten doctors", 10), ("열 명", 10), ("12인", 12)]
)
def test_people_are_counted(said: str, count: int):
    assert [number for number, _ in people(said)] == [count]


@pytest.mark.parametrize(
    ("sentence", "word", "expected"),
    [
        ("규정 위반이 아니라고 할 수 없다.", "위반", "affirmed"),
        ("규정 위반이 아니다.", "위반", "negated"),
        ("규정을 준수하지 않음", "준수", "negated"),
        ("리베이트는 제공하지 않았고 현금을 지급했다.", "현금을 지급", "affirmed"),
        ("리베이트는 제공하지 않았고 현금을 지급했다.", "제공", "negated"),
        ("제공하지 않을 수 없었다.", "제공", "affirmed"),
        ("위반 여부를 확인했다.", "위반", "none"),
        ("위반했습니까?", "위반", "none"),
        ("규정을 준수하지 않으면 징계한다.", "준수", "none"),
        ("There was no violation.", "violation", "negated"),
        ("It cannot be said that there was no violation.", "violation", "affirmed"),
        ("There was no delay, but a violation occurred.", "violation", "affirmed"),
    ],
)
def test_negation_is_counted_in_its_clause(sentence: str, word: str, expected: str):
    (one,) = Sentences(sentence).all
    start = one.text.index(word)
    assert polarity(one, start, start + len(word)) == expected


def test_invisible_letters_hide_nothing():
    assert "rebate_statement" in found(text("리\u200b베이\u00ad트를 제공했다."))
    assert "presentation_meal_amount" in found(
        text("２０２５-03-04 한결의원 의사 1명 식사비 ３００,０００원")
    )


def test_the_fourth_meal_passes_and_the_fifth_does_not():
    meals = [{**MEAL, "id": at, "date": date(2025, 3, at)} for at in range(3, 8)]
    assert found(data(meals[3], history=meals[:3])) == {}
    assert found(data(meals[4], history=meals[:4])) == {"presentation_meals_month": "violated"}
    (finding,) = [
        f for f in verdict(data(meals[4], history=meals[:4]))["findings"] if f["status"] == "violated"
    ]
    assert finding["evidence"][0].get("rows") == ["3", "4", "5", "6", "7"]


def test_a_new_month_begins_to_count_anew():
    meals = [{**MEAL, "id": at, "date": date(2025, 3, 25) + timedelta(days=at)} for at in range(9)]
    assert found(data(*meals[2:])) == {"presentation_meals_month": "violated"}
    assert found(data(*meals[3:])) == {}


def test_a_split_bill_is_joined():
    half = {**MEAL, "amount": 90_000, "event": "v1"}
    assert found(data(half)) == {}
    both = data({**half, "id": 1}, {**half, "id": 2})
    assert found(both)["presentation_meal_amount"] == "violated"
    assert judge(rule_book(), both, TODAY).outcomes[0].evidence[0].get("rows") == ["1", "2"]


def test_history_that_cannot_be_read_blocks():
    said = verdict(data(MEAL, history=None))
    assert said["blocks"]
    unknown = {f["rule"] for f in said["findings"] if f["status"] == "unknown"}
    assert {"presentation_meals_month", "presentation_meal_day"} <= unknown


def test_tax_decides_and_unknown_tax_blocks():
    assert found(data({**MEAL, "amount": 110_000, "vat": 10_000})) == {}
    assert found(data({**MEAL, "amount": 110_001, "vat": 10_000}))["presentation_meal_amount"] == "violated"
    assert found(data({**MEAL, "amount": 105_000, "vat": None}))["presentation_meal_amount"] == "unknown"
    assert found(data({**MEAL, "amount": 150_000, "vat": None}))["presentation_meal_amount"] == "violated"
    assert found(data({**MEAL, "amount": 90_000, "vat": None})) == {}


def test_unknown_people_block_only_where_they_matter():
    assert "presentation_meal_amount" not in found(data({**MEAL, "heads": None}))
    assert found(data({**MEAL, "heads": None, "amount": 300_000}))["presentation_meal_amount"] == "unknown"


def test_each_day_is_judged_by_its_own_limits():
    public = {**MEAL, "public": True, "amount": 45_000}
    assert found(data({**public, "date": "2024-08-26"})) == {"public_meal_amount": "violated"}
    assert found(data({**public, "date": "2024-08-27"})) == {}
    assert found(data({**public, "date": "2015-08-27"})) == {}


def test_ten_doctors_on_one_bill_are_counted_each():
    names = ",".join(f"의사{at}" for at in range(10))
    bill = {**MEAL, "amount": 900_000, "heads": 10, "doctors": names}
    assert found(data(bill)) == {}
    again = {**MEAL, "amount": 90_000, "doctors": "의사3", "rep": 2}
    assert found(data(bill, again)) == {"presentation_meal_day": "violated"}


def test_findings_of_a_text_have_spans_that_quote_it():
    content = "방문함.\n2025년 3월 4일 한결의원 의사 2명에게 1인당 15만원의 식사를 제공했다."
    (finding,) = [f for f in verdict(text(content))["findings"] if f["status"] == "violated"]
    start, end = finding["evidence"][0].get("span") or (0, 0)
    assert cleaned(content)[start:end] == "15만원"
    assert finding["evidence"][0].get("threshold") == 100_000
    assert (finding["pack"], finding["law"]) == ("rebate_law", "약사법 제47조제2항")
    assert len(finding["pack_hash"]) == 64


@pytest.mark.parametrize(
    ("subject", "value", "threshold"),
    [
        (data({**MEAL, "amount": 150_000, "vat": None}), 136_364, 100_000),  # the least that it can have been
        (text("We keep spending reports for 4 years."), 4, 5),
    ],
)
def test_evidence_has_the_value_and_the_limit(subject: Subject, value: int, threshold: int):
    finding = next(f for f in verdict(subject)["findings"] if f["status"] == "violated")
    assert (finding["evidence"][0].get("value"), finding["evidence"][0].get("threshold")) == (
        value,
        threshold,
    )


def test_rules_in_order_are_listed():
    said = verdict(data(MEAL))
    assert not said["blocks"]
    passed = {f["rule"] for f in said["findings"] if f["status"] == "passed"}
    assert passed == set(said["checked"])
    assert {"presentation_meal_amount", "public_meal_amount", "presentation_meals_month"} <= passed


@pytest.mark.parametrize(
    "subject",
    [
        text(""),
        text("   \n"),
        text("가" * (MOST_TEXT + 1)),
        subject_of_file("scan.png", b"\x89PNG\r\n\x1a\n\x00\xff"),
        subject_of_file("report.docx", b"PK\x03\x04" + bytes(range(256))),
        subject_of_file("book.csv", "날짜,금액\n2025-01-01,1000\n".encode()),
        subject_of_file("book.csv", "항목,금액\n식사,많이\n".encode()),
        subject_of_file("book.json", b"{"),
        subject_of_artifact("document", {"pages": []}),
    ],
)
def test_what_cannot_be_read_blocks(subject: Subject):
    said = verdict(subject)
    assert said["blocks"]
    assert said["risk_level"] == "medium"
    assert [f["rule"] for f in said["findings"] if f["status"] == "unknown"] == ["target_readable"]


@pytest.mark.thorough
def test_too_many_sums_in_one_text_block():
    said = verdict(text("한결의원 의사 1명 점심 식사 1,000원.\n" * 2_100))
    assert said["blocks"]


def test_rows_of_a_file_are_judged():
    rows = "번호,일자,항목,금액,부가세,인원,의사,병원\nA-1,2025-03-04,식사,300000,0,2,김서진,한결의원\n"
    said = verdict(subject_of_file("book.csv", rows.encode()))
    (finding,) = [f for f in said["findings"] if f["rule"] == "presentation_meal_amount"]
    assert finding["evidence"][0].get("rows") == ["A-1"]


@pytest.mark.parametrize(("second", "unread"), [("900000", "two values under '금액'"), ("9000", "")])
def test_columns_of_one_name_must_say_the_same(second: str, unread: str):
    rows = f"일자,항목,금액,금액,부가세,인원\n2025-03-04,gift,9000,{second},0,1\n"
    subject = subject_of_file("book.csv", rows.encode())
    assert subject.unreadable.partition("row 1 has ")[2] == unread


def test_rows_of_a_dataset_are_judged():
    columns = [{"name": name} for name in ("id", "date", "category", "amount", "heads")]
    one = {"title": "비용", "columns": columns, "rows": [["7", "2025-03-04", "gift", 50_000, 1]]}
    assert found(subject_of_artifact("dataset", one))["promotional_item_amount"] == "violated"
    cut = verdict(subject_of_artifact("dataset", {**one, "truncated": True, "rows": []}))
    assert cut["blocks"]


def test_a_waiver_holds_for_its_rule_content_and_time():
    spent = data({**MEAL, "amount": 150_000})
    only = {"rule": "presentation_meal_amount", "scope": "h1", "until": "2026-11-16"}
    day = {**only, "rule": "presentation_meal_day", "scope": "*"}
    waived = verdict(spent, waivers=[only, day])
    assert not waived["blocks"]
    assert {f["rule"] for f in waived["findings"] if f["status"] == "waived"} == {only["rule"], day["rule"]}
    for wrong in ({"until": "2026-11-15"}, {"scope": "h2"}, {"rule": "other"}):
        assert verdict(spent, waivers=[{**only, **wrong}, day])["blocks"]


def test_the_hash_covers_everything_in_a_verdict():
    said = verdict(data({**MEAL, "amount": 150_000}))
    assert verdict_hash(said) == said["hash"]
    for change in ({"blocks": False}, {"risk_level": "low"}, {"findings": []}, {"confidence": 0.1}):
        assert verdict_hash({**said, **change}) != said["hash"]


def test_risk_follows_its_formula():
    def of(*pairs: tuple[str, str]) -> str:
        made: Any = [{"severity": severity, "status": status} for severity, status in pairs]
        findings: list[Finding] = made
        return risk_level(findings)

    assert of() == "low"
    assert of(("high", "passed"), ("critical", "waived")) == "low"
    assert of(("low", "unknown")) == "medium"
    assert of(("high", "violated"), ("low", "violated")) == "high"
    assert of(*[("high", "violated")] * 3) == "critical"


def test_confidence_follows_its_formula():
    def of(*statuses: str, from_text: bool = False) -> float:
        made: Any = [{"status": status} for status in statuses]
        return confidence(made, from_text=from_text)

    assert of() == of("passed", "violated") == 1.0
    assert of("unknown", "passed", "passed", "passed") == 0.875
    assert of("unknown", "unknown") == 0.5
    assert of("passed", from_text=True) == verdict(text("원장님께 논문을 전달했다."))["confidence"] == 0.9


def test_changes_that_a_program_can_apply_are_given():
    said = verdict(data({**MEAL, "id": 5, "amount": 150_000}))
    wanted = {"rule": "presentation_meal_amount", "action": "set_to_limit", "field": "net_per_head"}
    assert {**wanted, "to": 100_000, "rows": ["5"]} in said["required_modifications"]
    assert any("100,000" in line for line in said["recommendations"])


def test_messages_are_korean_for_korean():
    said = verdict(data({**MEAL, "amount": 150_000}), language="ko")
    assert any("한도 100,000원" in finding["message"] for finding in said["findings"])
    assert all(max(line) >= "가" for line in said["recommendations"])


@pytest.mark.thorough
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("now", [date(2026, 11, 16), date(2025, 1, 10), date(2024, 2, 29)])
def test_exactly_the_planted_expenses_are_found(profile: Any, now: date):
    made = company(profile.scaled(0.3), seed=7, now=now)
    outcomes = judge(rule_book(), Subject("data", expenses=expenses_of(made)), now).outcomes
    got = {
        (o.rule.rule.id, tuple(sorted(int(row) for row in o.evidence[0].get("rows", [])))) for o in outcomes
    }
    assert got == {(rule, one.expense_ids) for one in made.planted for rule in one.rules}
    assert len(made.planted) > 3


def test_most_gifts_keep_the_limit():
    rows = company(PROFILES[0], seed=7, now=TODAY).tables["expenses"]
    gifts = [row["amount"] for row in rows if row["category"] == "gift"]
    assert sum(amount > 10_000 for amount in gifts) < 0.05 * len(gifts)


def test_the_cases_of_the_evaluation_come_out_right():
    given_cases = yaml.safe_load((ROOT / "evals/compliance.yaml").read_text(encoding="utf-8"))
    cases = cases_of(given_cases)
    scores, misses = scored(rule_book(), cases, given_cases["today"])
    assert len(cases) >= 60
    assert scores["stopped"] == 1.0, misses
    assert scores["let_through"] >= 0.97, misses
    assert scores["stopped_by_words"] < 0.5


def test_a_check_for_words_passes_what_is_not_kept():
    assert not keyword_check("규정을 준수하지 않음")


@given(st.integers(1, 400_000), st.integers(1, 20), st.sampled_from([0, None]))
def test_no_meal_above_the_limit_passes(amount: int, heads: int, vat: int | None):
    said = found(data({**MEAL, "amount": amount, "heads": heads, "vat": vat}))
    if amount > 110_000 * heads:
        assert said["presentation_meal_amount"] == "violated"
    elif amount <= 90_000 * heads:
        assert "presentation_meal_amount" not in said


@given(st.text(max_size=300))
def test_any_text_is_judged_without_a_fault(content: str):
    said = verdict(text(content))
    assert said["blocks"] or said["risk_level"] == "low"


def test_what_was_not_understood_is_an_ordinary_rule():
    content = "원장님 아드님 과외를 맡기로 했다."
    found = next(f for f in verdict(text(content))["findings"] if f["rule"] == UNDERSTOOD)
    rule = next(one for one in rule_book().rules if one.rule.id == UNDERSTOOD)
    assert (found["pack"], found["law"]) == (rule.pack.pack, rule.rule.law.reference)
    said = verdict(text("원장님께 논문을 전달했다."))
    assert [f["status"] for f in said["findings"] if f["rule"] == UNDERSTOOD] == ["passed"]


@pytest.mark.parametrize(
    ("scope", "packs", "blocks"),
    [("h1", None, False), ("*", None, True), ("h2", None, True), ("h1", ["rebate_law"], False)],
)
def test_an_officer_opens_what_was_not_understood(scope: str, packs: list[str] | None, blocks: bool):
    """Only for the content that the officer has read; the packs in use need not have the rule."""
    waiver = {"rule": UNDERSTOOD, "scope": scope, "until": "2026-12-31"}
    book = rule_book() if packs is None else rule_book().only(packs)
    said = verdict(text("원장님 논문 교정을 맡기로 했다."), book, waivers=[waiver])
    assert said["blocks"] is blocks


def test_a_missing_amount_is_told_in_words():
    said = verdict(text("한빛의원 의사 2명에게 도시락을 제공했다."))
    assert not any("Activation" in f["message"] for f in said["findings"])


def test_nothing_is_cut_at_a_place_of_the_question():
    told = judge(rule_book(), text("원장님께 백화점 상품권을 드렸다.", history=[]), TODAY)
    target: Any = {"kind": "document", "artifact_ids": [], "hashes": ["h1"]}
    said = [
        verdict_of(rule_book(), one, target, today=TODAY, language="ko") for one in (told, of_question(told))
    ]
    assert [one["blocks"] for one in said] == [True, True]
    assert [bool(one["required_modifications"]) for one in said] == [True, False]
