"""A pass is earned: a sentence about a benefit that was not read makes any document unknown, with the words named."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evals.compliance.prose import documents, violations
from metaagent.level2.compliance.packs import load_rules
from metaagent.level2.compliance.text.acts import acts_of
from metaagent.level2.compliance.text.amounts import people
from metaagent.level2.compliance.verdict import UNDERSTOOD
from tests.support.compliance import PACK, files, text, verdict
from tests.support.paths import ROOT

INSERTIONS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (ROOT / "evals/compliance/insertions.yaml").read_text(encoding="utf-8")
)
PASSING = {
    "ko": [
        "2025년 3월 4일 한빛내과의원 원장님을 방문하여 신제품 임상자료를 설명드렸다.",
        "제품설명회 결과 보고. 푸른내과의원, 참석 의사 2명. 도시락을 제공했고 1인당 2만5천원(부가세 별도)이었다.",
        "방문 보고서\n기관: 강남한결내과의원\n내용: 임상 자료를 설명하고 질의에 답했다.",
        "식사나 물품은 제공하지 않았다. 안내서만 전달하였다.",
    ],
    "en": [
        "On 4 March 2025 I visited Dr. Park at Saebom Clinic and presented the trial data.",
        "Lunch for 6 physicians at Garam Clinic on 3 June 2025, KRW 96,000 all in, VAT included.",
        "No cash, vouchers or gifts were offered. I only left the approved leaflet with the doctor.",
    ],
}


def put(document: str, sentence: str, *, first: bool) -> str:
    return f"{sentence}\n{document}" if first else f"{document}\n{sentence}"


@pytest.mark.parametrize("language", ["ko", "en"])
@given(data=st.data())
def test_an_unread_benefit_never_passes(language: str, data: st.DataObject):
    document = data.draw(st.sampled_from(PASSING[language]))
    benefit = data.draw(st.sampled_from(INSERTIONS["benefits"][language]))
    assert not verdict(text(document))["blocks"]
    whole = put(document, benefit, first=data.draw(st.booleans()))
    assert verdict(text(whole))["blocks"], whole


@pytest.mark.parametrize("language", ["ko", "en"])
def test_harmless_sentences_still_pass(language: str):
    """At most three in a hundred may be asked about."""
    sentences = INSERTIONS["harmless"][language]
    stopped = [
        one for one in sentences if verdict(text(put(PASSING[language][0], one, first=False)))["blocks"]
    ]
    assert len(stopped) <= 0.03 * len(sentences), stopped


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("원장님 아드님 과외를 맡기로 했다.", "과외를 맡기로 했다"),
        ("I picked up the tab for Dr. Park.", "tab"),
    ],
)
def test_the_finding_names_the_words_with_their_place(content: str, words: str):
    found = next(f for f in verdict(text(content))["findings"] if f["rule"] == UNDERSTOOD)
    assert found["status"] == "unknown"
    assert words in found["message"]
    for one in found["evidence"]:
        start, end = one.get("span", [0, 0])
        assert content[start:end].strip() == one.get("quote")


def test_words_that_were_not_understood_are_told_in_korean():
    said = verdict(text("원장님 아드님 과외를 맡기로 했다."), language="ko")
    assert "이해하지 못한" in next(f["message"] for f in said["findings"] if f["rule"] == UNDERSTOOD)


def test_rules_that_judge_no_benefits_ask_about_none():
    only_text = PACK.replace(
        "    condition: {require: amount <= limit.most, field: amount, threshold: most}\n",
        '    text: {phrases: ["forbidden"]}\n',
    ).replace("targets: [data]", "targets: [document]")
    examples: Any = (
        "{expenses: [{date: 2025-01-01, amount: 100}]}",
        "{expenses: [{date: 2025-01-01, amount: 101}]}",
    )
    only_text = only_text.replace(examples[0], "{text: fine}").replace(examples[1], "{text: forbidden}")
    said = verdict(text("원장님 아드님 과외를 맡기로 했다."), load_rules(files(only_text)))
    assert not said["blocks"]


@pytest.mark.parametrize(
    ("sentence", "stem", "things", "theirs"),
    [
        ("원장님께 와인을 드렸다.", "드리", ["와인"], False),
        ("선물을 했다.", "선물", ["선물"], False),
        ("원장님이 자료를 요청하셨다.", "요청", ["자료"], True),
        ("버스를 대절해 주기로 했다.", "대절", ["버스"], False),
        ("논문과 와인을 보내 드렸습니다.", "보내", ["논문", "와인"], False),
    ],
)
def test_acts_are_read_with_their_things(sentence: str, stem: str, things: list[str], theirs: bool):
    act = acts_of(sentence)[-1]
    assert (act.stem, [one.noun for one in act.things], act.theirs) == (stem, things, theirs)


@given(st.text(max_size=200))
def test_acts_of_any_text_are_found_without_a_fault(content: str):
    for act in acts_of(content):
        assert 0 <= act.start <= act.first <= act.end <= len(content)


@pytest.mark.parametrize(
    "content",
    [
        "원장님이 커피를 사 주셨고 저희는 상품권을 드렸다.",
        "한빛의원 설명회에 선생님들이 참석해 주셨고 식대는 총 52만원(부가세 별도)이다.",
        "Dr. Kim bought us coffee and we gave him vouchers.",
    ],
)
def test_a_kindness_of_the_other_side_excuses_nothing_else(content: str):
    assert verdict(text(content))["blocks"]


@pytest.mark.parametrize(
    "talk", ["50분 설명했습니다.", "설명은 40분 했습니다.", "발표와 토의 100분.", "15분 정도 설명드렸습니다."]
)
def test_minutes_of_a_talk_are_no_people(talk: str):
    assert verdict(text(f"한빛의원 선생님 제품설명회. 식대는 총 520,000원(부가세 별도)입니다. {talk}"))[
        "blocks"
    ]


def test_counts_of_people_in_the_polite_form_are_read():
    assert people("원장님 2분과 식사") == [(2, 4)]
    assert people("의사 3분이 참석, 40분 동안 설명") == [(3, 3)]


@pytest.mark.parametrize(
    "content",
    [
        "5월 8일 한빛의원 원장님과 점심 식사 58,000원, 저녁에 같은 원장님과 식사 67,000원을 썼다. 부가세 별도.",
        "5월 8일 한빛의원 의사 3명과 점심 1인당 6만원(부가세 별도), 저녁 식사 1인당 7만원(부가세 별도)을 썼다.",
    ],
)
def test_meals_of_one_day_without_a_year_add_up(content: str):
    found = {f["rule"]: f["status"] for f in verdict(text(content))["findings"]}
    assert found["presentation_meal_day"] in ("unknown", "violated")


def test_a_total_told_again_for_each_counts_once():
    content = "5월 8일 한빛의원 설명회 의사 4명, 식대 총 24만원(부가세 별도), 1인당 6만원이다."
    assert not verdict(text(content))["blocks"]


def test_no_fee_is_paid_for_a_lecture_below_forty_minutes():
    said = "심포지엄에서 김서진 원장님이 {} 강연했고 강연료 30만원을 이체했다."
    found = {f["rule"]: f["status"] for f in verdict(text(said.format("25분")))["findings"]}
    assert found["lecture_fee_hour"] == "violated"
    found = {f["rule"]: f["status"] for f in verdict(text(said.format("45분")))["findings"]}
    assert found["lecture_fee_hour"] == "passed"


PROPOSAL = "송정의원 원장님이 다음 달에 골프나 같이 나가자고 하셨습니다."


@pytest.mark.parametrize(
    ("answer", "blocks"),
    [
        ("규정상 안 된다고 말씀드리고 거절했습니다.", False),
        ("", True),
        ("토요일에 나가기로 했습니다.", True),
        ("거절했지만 결국 나갔습니다.", True),
    ],
)
def test_a_proposal_passes_only_where_it_was_refused(answer: str, blocks: bool):
    assert verdict(text(f"{PROPOSAL} {answer}"))["blocks"] is blocks


@pytest.mark.parametrize(
    ("more", "blocks"),
    [
        ("외부 참석자는 없었습니다.", False),
        ("김 원장님도 함께하셨습니다.", True),
        ("한빛의원에서 모였습니다.", True),
    ],
)
def test_a_meal_of_own_staff_has_no_guest(more: str, blocks: bool):
    said = f"영업3팀 회의 후 팀원 6명이 회사 근처 국밥집에서 점심을 먹었습니다. 총 66,000원입니다. {more}"
    assert verdict(text(said))["blocks"] is blocks


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("I left one brochure and no other items with Dr. Seo.", False),
        ("I left one brochure and no other items but a watch with Dr. Seo.", True),
        ("The manager at Pureun Clinic hinted that a few vouchers would help us.", False),
        ("The manager at Pureun Clinic hinted at vouchers and we sent them on Friday.", True),
        ("원장님께 논문 요약지와 소책자를 전달했다.", False),
        ("원장님께 논문 요약지와 홍삼을 전달했다.", True),
        ("원장님께 허가사항의 주의 문구를 보여 드렸다.", False),
        ("한빛의원 원장님께 문구를 드렸다.", True),
        ("선생님 식사는 1인당 5만원까지, 판촉물은 1만원까지입니다.", False),
        ("한빛의원 선생님 식사는 1인당 20만원까지 제공했습니다.", True),
        ("여러분께 다시 안내드립니다. 원장님께 자료를 설명했다.", False),
    ],
)
def test_papers_limits_and_requests_are_told_from_giving(content: str, blocks: bool):
    assert verdict(text(content))["blocks"] is blocks


PROSE = list(documents(200, seed=11))
BROKEN = list(violations(200, seed=11))


def test_harmless_business_prose_passes():
    """At most three in a hundred may be asked about."""
    stopped = [one.text for one in PROSE if verdict(text(one.text))["blocks"]]
    assert len(stopped) <= 0.03 * len(PROSE), stopped


def test_one_violation_in_business_prose_never_passes():
    passed = [one.violation for one in BROKEN if not verdict(text(one.text))["blocks"]]
    assert passed == []


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("영업2팀 6명이 사내 식당에서 점심을 먹었다. 54,000원.", False),
        ("영업2팀 6명이 식당에서 점심을 먹었다. 54,000원. 한빛의원 원장님도 함께하셨다.", True),
        ("Team lunch of six colleagues, 54,000 won.", False),
        ("Team lunch of six colleagues, 54,000 won. Dr. Park joined us.", True),
        ("원장님이 보내 주신 과일 상자는 돌려보냈습니다.", False),
        ("원장님께 과일 상자를 보냈습니다.", True),
        ("보호자가 음료수를 건네셨으나 사양했다. 원장님께 자료를 설명했다.", False),
        ("원장님이 초콜릿을 건네셨으나 사양하고 저희가 와인을 드렸다.", True),
        ("강연료는 협회가 부담하고 당사는 비용을 내지 않습니다. 연자는 박 교수님이다.", False),
        ("강연료는 협회가 아니라 우리가 부담합니다. 연자는 박 교수님이다.", True),
        ("We had been invited by the hospital. I met Dr. Park.", False),
        ("We invited Dr. Park to Jeju.", True),
        ("거래처 미수금 2,300만원 중 1,500만원이 입금되었다. 원장님을 뵈었다.", False),
        ("원장님 통장에 1,500만원이 입금되었다.", True),
    ],
)
def test_who_has_a_thing_decides_whether_it_is_a_benefit(content: str, blocks: bool):
    assert verdict(text(content))["blocks"] is blocks


@pytest.mark.parametrize(
    "price",
    [
        "벨로핀정 단가는 560원으로 변동이 없습니다.",
        "면접비는 1인 3만원을 지급한다.",
        "원료 단가는 kg당 3만원이다.",
    ],
)
def test_a_price_of_something_else_settles_no_benefit(price: str):
    assert verdict(text(f"원장님께 골프채를 드렸다. {price}"))["blocks"]


def test_sentences_that_stand_close_are_told_apart():
    assert verdict(text("원장님께 상품권을 드렸다.식사는 제공하지 않았다."))["blocks"]
    assert verdict(text("We paid for his flight.No meals were served."))["blocks"]


def test_a_name_that_looks_like_a_verb_is_no_act():
    assert not verdict(text("원장님이 심포르탄캡슐 복용 환자의 경과를 말씀하셨다."))["blocks"]


def test_every_sentence_of_a_text_has_its_acts():
    (first,), (second,) = acts_of("원장님께 와인을 드렸다."), acts_of(" 원장님께 와인을 드렸다.")
    assert (first.stem, first.end) == (second.stem, second.end - 1)
