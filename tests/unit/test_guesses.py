"""Guessing less: no real name becomes another, and the words of agents and names are whole words."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from metaagent.level1.query_analyzer import Lexicon
from metaagent.level1.reasoner import by_words
from metaagent.ports import AnalysisInput, User
from tests.support.composed import ask

PROVINCES = re.findall(
    r"\w+", "서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주"
)
DISTRICTS = re.findall(
    r"\w+",
    "강남구 강동구 강북구 강서구 관악구 광진구 구로구 금천구 노원구 도봉구 동대문구 동작구 마포구 서대문구 서초구 성동구 "
    "성북구 송파구 양천구 영등포구 용산구 은평구 종로구 중구 중랑구",
)
CITIES = re.findall(
    r"\w+", "강남 하남 공주 경주 대천 전주 원주 제천 안산 오산 아산 경산 하남시 공주시 경주시"
)


def filters(reading: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(f["dimension"], f["values"]) for f in reading["semantic_request"].get("filters") or ()]


@pytest.mark.parametrize("place", PROVINCES)
def test_every_province_is_itself(place: str):
    reading = ask(f"지난달 {place} 매출 알려줘")
    assert filters(reading) == [("region", [place])]
    assert not reading["assumptions"]


@pytest.mark.parametrize("ending", ["", "의"])
@pytest.mark.parametrize("place", [*DISTRICTS, *CITIES])
def test_a_place_that_the_data_lacks_becomes_no_other(place: str, ending: str):
    reading = ask(f"지난달 {place}{ending} 매출 알려줘")
    assert filters(reading) == []
    assert place in reading["doubts"][0]


def generated(count: int) -> list[str]:
    made = random.Random(11)
    syllables = (
        "가나다라마바사자카타파하노로모보소조코토포누루무부수주쿠투니리미비시지키티네레메베세제케테르스트"
    )
    ends = ("정", "캡슐", "주", "시럽")
    names = {
        "".join(made.choices(syllables, k=made.choice((2, 3, 4)))) + made.choice(ends) for _ in range(count)
    }
    return made.sample(sorted(names), len(names))


def test_no_product_becomes_another_in_silence():
    names = generated(240)
    known, strange = names[: len(names) // 2], names[len(names) // 2 :]
    rows = [
        {"dimension": "product", "value": name, "key": str(at), "kind": "product"}
        for at, name in enumerate(known)
    ]
    lexicon = Lexicon.of(rows)
    sure = 0.0
    for at, name in enumerate(known):
        reading = ask(f"지난달 {name} 매출 알려줘", lexicon=lexicon)
        assert filters(reading) == [("product", [str(at)])], name
        sure = reading["reading"]["confidence"]
    for name in strange:
        reading = ask(f"지난달 {name} 매출 알려줘", lexicon=lexicon)
        told = " ".join(
            [*reading["doubts"], *reading["assumptions"], *(a["question"] for a in reading["ambiguities"])]
        )
        assert name in told, name
        assert reading["ambiguities"] or reading["reading"]["confidence"] < sure, name


def capability(name: str, *words: str) -> dict[str, Any]:
    return {"name": name, "agent": name, "words": {"ko": list(words), "en": [name]}, "produces": []}


DATA = {**capability("data_analysis"), "words": {"ko": [], "en": []}}
AGENTS = (DATA, capability("memo", "메모"), capability("weather", "날씨"), capability("clinic", "의원"))


def needed(question: str) -> list[str]:
    return ask(question, capabilities=AGENTS)["required_capabilities"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("메모리 알려줘", []),
        ("memory usage", []),
        ("메모리 매출 알려줘", ["data_analysis"]),
        ("메모 남겨줘", ["memo"]),
        ("메모해줘", ["memo"]),
        ("지난달 부산의 원 단위 매출 알려줘", ["data_analysis"]),
        ("서울 날씨 알려줘", ["weather"]),
        ("이번 주 서울날씨 어때?", ["weather"]),
        ("show me the weather in Seoul", ["weather"]),
        ("지난달 서울 매출이랑 날씨 알려줘", ["data_analysis", "weather"]),
    ],
)
def test_agents_are_called_by_whole_words_of_their_own(question: str, expected: list[str]):
    assert needed(question) == expected


def test_a_unit_of_money_is_no_kind_of_hospital():
    reading = ask("지난달 부산의 원 단위 매출 알려줘")
    assert filters(reading) == [("region", ["부산"])]
    assert not reading["doubts"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [("메모리 정리", []), ("메모로 정리", ["memo"]), ("memory", []), ("two memos", ["memo"])],
)
def test_whole_words_count_without_a_domain_too(question: str, expected: list[str]):
    given = AnalysisInput(datetime(2026, 11, 16, tzinfo=UTC), "Asia/Seoul", None, User(), AGENTS)
    assert by_words(question, given)["required_capabilities"] == expected


def test_a_product_may_be_written_in_latin_letters():
    rows = [{"type": "product", "id": name, "name": name} for name in ("글루메릭정", "에어로빈흡입제")]
    names = Lexicon.of(rows)
    for said, product in (("Glumeric", "글루메릭정"), ("Aerobin", "에어로빈흡입제")):
        reading = ask(f"{said} sales last month", lexicon=names)
        assert filters(reading) == [("product", [product])]
        assert reading["assumptions"]
    assert not filters(ask("Glorious sales last month", lexicon=names))
