"""Which facts of a text belong together, and that the quick pass over it misses nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from metaagent.level2.compliance.text.quick import Quick
from metaagent.level2.compliance.text.reading import read
from metaagent.level2.compliance.text.regex_prefilter import alternatives, grams_of
from metaagent.level2.compliance.text.wording import Sentences
from tests.support.compliance import found, text, verdict
from tests.support.paths import ROOT

NOTES: Any = yaml.safe_load((ROOT / "evals/compliance_notes.yaml").read_text(encoding="utf-8"))
ODD = [
    "Dr. 김 took us out for dinner",
    "٣만원 상품권",
    "원장님께\u2009커피",
    "총\u00a03명",
    "한빛의원 1층 카페",
]


def test_the_quick_pass_finds_what_the_whole_finds():
    texts = [case["text"] for case in NOTES["judgements"]][::9] + ODD
    for one in Quick.all:
        whole = re.compile(one.pattern, one.flags)
        for said in texts:
            spans = [m.span() for m in whole.finditer(said)]
            assert [m.span() for m in one.finditer(said)] == spans, (one.pattern[:60], said)
            first = one.search(said, 3)
            expected = whole.search(said, 3)
            assert (first and first.span()) == (expected and expected.span()), (one.pattern[:60], said)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("a|b", ["a", "b"]),
        (r"[|)(\]]|\(x\||(?:c|d)e", [r"[|)(\]]", r"\(x\|", "(?:c|d)e"]),
        (r"\b(?:aa|b(?:c|d))\b|가", [r"\b(?:aa)\b", r"\b(?:b(?:c|d))\b", "가"]),
        (r"\b(?:a)b|\b(?:c)d(?:e)", [r"\b(?:a)b", r"\b(?:c)d(?:e)"]),
        ("(?P<x>a|b)|(?P<y>c)", ["(?P<x>a)", "(?P<x>b)", "(?P<y>c)"]),
        ("(a)|(b)", ["(a)|(b)"]),
        ("a|b*", ["a|b*"]),
    ],
)
def test_an_expression_is_divided_at_its_alternatives(pattern: str, parts: list[str]):
    assert alternatives(pattern) == parts


@pytest.mark.parametrize(
    ("pattern", "grams"),
    [
        (r"(?<![가-힣])밥(?=을)", {"밥"}),
        (r"\bcash\b(?! flow| (?:register|box))", {"cas"}),
        (r"드[리렸]|법인\s?카드", {"드리", "드렸", "법인"}),
        (r"(?:선물)?을|[^가]+(?:골프|golf)", {"을", "골프", "gol"}),
        (r"\d{1,2}월|(?:A4)+", {"월", "a4"}),
        (r"\d+|선물", None),
        (r"(?:선물)*", None),
    ],
)
def test_an_expression_tells_the_letters_it_needs(pattern: str, grams: set[str] | None):
    assert grams_of(pattern) == (None if grams is None else frozenset(grams))


def test_words_that_run_on_take_none_of_the_next_sentence():
    threat = "대리점장에게 온라인몰에서 정가보다 싸게 팔면 다음 달 물량을 절반으로 줄이겠다고 했습니다."
    assert found(text(f"수건을 제작했습니다(장당 4,500원). {threat}")).get("resale_price") == "violated"


def test_every_fact_of_a_text_has_its_own_number():
    said = (
        "바른길의원 설명회, 의사 5명과 저까지 6명, 도시락(개당 17,500원). 합계 105,000원입니다.\n"
        "Dinner with Dr. Han and Dr. Seo on 5 Nov, 340,000 won for the two of them, VAT excluded."
    )
    ids = [one.ids for one in read(Sentences(said)).expenses]
    assert len(ids) == len(set(ids)) > 1
    assert verdict(text(said)).get("outcome") == "violated"


@pytest.mark.parametrize(
    ("said", "blocks"),
    [
        ("의사 네 분과 점심 자리를 가졌습니다.", True),
        ("원장님은 점심 약속이 있으셔서 일찍 나가셨다.", False),
        (
            "설명회 참석 의사 4명. 음식은 호텔 뷔페였다. Plan for 27 Nov: lunch boxes at KRW 38,000 each.",
            True,
        ),
        ("두 시간 강연이 있었다. 이어 조 원장님이 25분만 강연했다. 강연료 30만원은 이체했다.", True),
        (
            "부산 복수기관 설명회 준비. 10월 2, 7, 12, 19, 26일에 문소영 원장님(문소영의원)과 점심, 1인 2만원.",
            True,
        ),
        ("일자: 11.12, 참석: 원장 1명. 식음료 총 270,000원. 다른 날 참석 총 3명, 도시락 54,000원.", True),
        ("금일 팀 회식, 6명, 276,000원. 고급 한우를 대접하고 왔다. 외부인 없음.", True),
    ],
)
def test_a_fact_of_one_occasion_settles_no_other(said: str, blocks: bool):
    assert verdict(text(said))["blocks"] is blocks


@pytest.mark.parametrize(
    ("said", "blocks"),
    [
        ("The paper says a device maker was fined for handing vouchers to surgeons.", False),
        ("We were fined for handing vouchers to surgeons.", True),
        ("I left the clinic at noon, ate a sandwich in the car and drove on.", False),
        ("I had a sandwich with Dr. Kim in the clinic.", True),
        ("병동에서 환자 명부를 보여 주려 하셨으나 볼 수 없다고 말씀드리고 나왔습니다.", False),
        ("병동에서 환자 명부를 보여 주셔서 사진으로 찍어 왔습니다.", True),
        ("A water dispenser for her clinic was delivered with our compliments.", True),
        ("설명회 일지를 나중에 새로 써서 끼워 넣었습니다.", True),
    ],
)
def test_deeds_of_others_and_offers_are_told_from_ours(said: str, blocks: bool):
    assert verdict(text(said))["blocks"] is blocks


@pytest.mark.parametrize(
    "said",
    [
        "저희 신약 사진을 지역 오픈채팅방에 올렸습니다.",
        "We uploaded a clip about our new inhaler to an online community.",
        "일요일마다 교수님 댁 정원을 손봐 주고 있습니다. 과장님 댁 세차도 했습니다.",
        "I pick up the professor's children on Fridays.",
        "샘플 12병은 옆 약국에 병당 5천원에 처분했습니다.",
        "카트비와 캐디피는 회사에서 처리했고 원장님 두 분이 함께하셨습니다.",
        "The clinic gets 5% of everything they prescribe.",
        "회식은 취소됐습니다. 어제 보건소 주무관 두 분이랑 저녁 했습니다.",
        "Nothing was served except a lunch for Dr. Seo. No other condition was attached.",
        "의사 3명과 점심(1인당 2만원). 동호회 조끼 10벌 90만원인데 원장님들 몫까지 저희가 내기로 했습니다.",
        "교육 메모: 한도는 10만원입니다. 멘트는 '이 약은 부작용이 전혀 없습니다'로 하세요.",
        "Dr. Moon gave a talk of thirty minutes. The fee is KRW 900,000.",
        "Dinner with three doctors of Hanbit Clinic, 480,000 net for the three of them.",
    ],
)
def test_what_reaches_their_private_life_or_the_public_stops(said: str):
    assert verdict(text(said))["blocks"], said


@pytest.mark.parametrize(
    "said",
    [
        "신고 드립니다. 경쟁사 직원이 어제 병원 로비에서 원장님께 봉투를 건네는 것을 보았습니다.",
        "병원 회의실 예약은 위약금 없이 정리되었습니다.",
        "볼펜(개당 2,000원) 세 자루를 하늘의원 원장님께 드렸습니다. 11월에는 이것뿐입니다.",
        "The attendance list of the clinic goes to finance by Friday.",
        "Met the director of Onnuri Clinic in the cafeteria. We each paid for our own coffee, mine was 4,500 won.",
        "A reminder for the clinic's invoice went out on Monday.",
        "I fixed the date in the draft for Hanbit Clinic.",
        "He drives his daughter to school on Mondays, so we meet at ten.",
        "영업팀 단톡방에 신제품 교육 자료를 올렸습니다.",
    ],
)
def test_what_gives_nobody_anything_passes(said: str):
    assert not verdict(text(said))["blocks"], (said, found(text(said)))


def test_a_sector_that_nobody_knows_is_asked_about():
    said = "11/5 설명회 저녁 선생님 두 분, 1인 8만원(부가세 별도). 시립 기관 소속인지 개인 병원인지 아직 모릅니다."
    assert verdict(text(said)).get("outcome") == "needs_information"
