"""Claims, unapproved uses and disparagement: whose words they are, what is sober, and what is asked about."""

from __future__ import annotations

import pytest

from metaagent.level2.compliance.packs import RulesInvalid, load_rules
from metaagent.level2.compliance.text.reported_speech import of_others
from tests.support.compliance import PACK, files, found, text, verdict

SPEECH = """    text:
      ours: true
      statements: [[thing, praise]]
      suspected: [[thing, tells, "!sober"]]
      question: {ko: 누가 한 말인지, en: who said so}
"""
WORDS = """words:
  thing: ["약", "drug"]
  praise: ["최고", "best"]
  tells: ["말씀드렸|설명했", "told"]
  sober: ["허가", "label"]
"""


def _pack(words: str = WORDS) -> str:
    start = PACK.index("    condition:")
    changed = PACK[:start] + SPEECH + PACK[PACK.index("    message:") :]
    changed = changed.replace("targets: [data]", "targets: [document]").replace("{value}", "{quote}")
    examples = changed.index("      pass:")
    changed = (
        changed[:examples] + "      pass: [{text: 좋은 날이다.}]\n      fail: [{text: 이 약이 최고다.}]\n"
    )
    return changed.replace("rules:\n", f"{words}rules:\n", 1)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("이 약이 최고다.", "violated"),
        ("이 약이 최고라고 원장님이 하셨다.", None),
        ("이 약은 괜찮다고 말씀드렸다.", "unknown"),
        ("이 약은 괜찮다고 말씀드리지 않았다.", None),
        ("이 약은 허가 사항대로라고 말씀드렸다.", None),
        ("We told them the drug is never late.", "unknown"),
        ("We never told them about the drug.", None),
        ("He told us about the drug.", None),
    ],
)
def test_words_of_several_classes_make_a_statement(said: str, status: str | None):
    assert found(text(said), load_rules(files(_pack()))) == ({"cheap": status} if status else {})


@pytest.mark.parametrize("elsewhere", ["허가 사항은 따로 봤다.", "비가 왔다."])
def test_words_that_stand_nowhere_are_sought_in_all_of_it(elsewhere: str):
    said = text(f"이 약은 괜찮다고 말씀드렸다. 비가 왔다. 눈도 왔다. {elsewhere}")
    assert found(said, load_rules(files(_pack()))) == {"cheap": "unknown"}
    nowhere = load_rules(files(_pack().replace('"!sober"', '"!!sober"')))
    assert found(said, nowhere) == ({} if "허가" in elsewhere else {"cheap": "unknown"})


def test_a_suspicion_asks_the_question_of_its_rule():
    made = verdict(text("We told them the drug is never late."), load_rules(files(_pack())))
    assert made.get("outcome") == "needs_information"
    assert made.get("questions") == ["“We told them the drug is never late.”: say who said so."]


def test_words_that_the_pack_lacks_are_refused():
    with pytest.raises(RulesInvalid, match="no words !sober"):
        load_rules(files(_pack(WORDS.replace("sober", "sane"))))
    with pytest.raises(RulesInvalid, match="suspected and question"):
        load_rules(files(_pack().replace("      question: {ko: 누가 한 말인지, en: who said so}\n", "")))


@pytest.mark.parametrize(
    ("said", "words", "others"),
    [
        ("원장님이 그 약은 위험하다고 하셨다.", "위험하다", True),
        ("원장님께 그 약은 위험하다고 말씀드렸다.", "위험하다", False),
        ("원장님이 물으셔서 그 약은 위험하다고 답했다.", "위험하다", False),
        ("위험하다는 표현은 쓰지 않도록 고쳤다.", "위험하다", True),
        ("경쟁사 직원이 위험하다고 말하고 다닌다.", "위험하다", True),
        ("Dr. Han said it is dangerous.", "dangerous", True),
        ("Dr. Han said no, but I told him it is dangerous.", "dangerous", False),
        ("Delete the word dangerous from the leaflet.", "dangerous", True),
    ],
)
def test_words_of_others_are_not_ours(said: str, words: str, others: bool):
    start = said.index(words)
    assert of_others(said, start, start + len(words), korean=said[0] > "z") is others


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("저희 약은 드시고 탈 난 분이 한 명도 없으니 걱정 마시라고 말씀드렸다.", "exaggerated_claim"),
        ("안내문 초안: 단 2주면 아토피가 깨끗하게 사라집니다.", "exaggerated_claim"),
        ("I assured Dr. Lee that nothing can go wrong with this injection.", "exaggerated_claim"),
        ("The label says adults, but I told Dr. Kim she could give it to toddlers too.", "off_label"),
        ("경쟁사는 공장이 더럽기로 유명하다고 간호사분들께 얘기했다.", "competitor_disparaged"),
        ("I told Dr. Han that the other company's tablet is basically chalk.", "competitor_disparaged"),
        ("Told the pharmacies that nobody sells it below 9,000 won.", "resale_price"),
        ("점심을 드셨는데 몇 분이었는지 기억이 안 난다.", "facts_known"),
    ],
)
def test_other_words_for_the_same_thing_do_not_pass(said: str, rule: str):
    assert rule in found(text(said))


@pytest.mark.parametrize(
    "said",
    [
        "원장님께 흔한 부작용과 금기 환자를 허가사항대로 설명드렸습니다.",
        "경쟁사 영업사원이 우리 약은 위험하다고 말하고 다닌다는 얘기를 듣고 준법팀에 알렸습니다.",
        "Dr. Kim asked whether it is safe in pregnancy. I showed her section 4.6 of the label.",
        "자율준수 교육 회의록\n금지 사항\n1. 골프·여행·유흥 접대\n2. 처방 대가로 금품을 약속하는 것",
        "저 다음 주 화·수 연차입니다. 가족들이랑 제주도 여행 다녀올게요. 급한 건은 민재 씨에게 부탁드려요.",
        "제품군별로 보면 내분비 매출이 늘었다. 양산새솔의원 원장님께 자료를 설명했다.",
    ],
)
def test_sober_words_rules_and_private_matters_pass(said: str):
    assert found(text(said)) == {}


def test_a_forbidden_thing_that_was_done_is_no_rule():
    said = "금지 사항\n1. 골프 접대\n2. 원장님께 상품권 10만원을 드렸습니다."
    assert "cash_wording" in found(text(said))


def test_a_caption_tells_what_the_rows_are_for():
    table = "설명회 식음료(부가세 별도)\n| 일자 | 기관 | 인원 | 금액 |\n|---|---|---|---|\n| 11/9 | 다솜의원 | 4명 | {won}원 |"
    assert found(text(table.format(won="392,000"))) == {}
    assert found(text(table.format(won="492,000"))) == {"presentation_meal_amount": "violated"}
