"""People by form and place, numbers in any grouping, and long texts that are searched in parts."""

from __future__ import annotations

import pytest

from metaagent.protection.redaction import _search, find
from tests.support.office_prose import Office


def covered(text: str, value: str) -> bool:
    start = text.index(value)
    return any(found.start <= start and start + len(value) <= found.end for found in find(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("모레 도겸 송별회가 있습니다.", "도겸"),
        ("표슬이 아침에 조퇴했어요.", "표슬"),
        ("동기 변휘솔 소개합니다", "변휘솔"),
        ("육담휘께 여쭤봤습니다", "육담휘"),
        ("탁새율 정비사님이 다녀가셨습니다", "탁새율"),
        ("맡긴 분: 장호 / 찾는 분: 배수진", "장호"),
        ("공휘하\n2001년 3월 4일\n010-2210-4471", "공휘하"),
        ("현율하라는 분이 찾아왔어요", "현율하"),
        ("그 건은 유희린과 상의하세요", "유희린"),
    ],
)
def test_a_name_is_found_where_only_people_stand(text: str, name: str):
    assert covered(text, name)


@pytest.mark.parametrize(
    "text",
    [
        "명함만 남기고 왔습니다",
        "원하는 분들께 권해 보세요",
        "지난주 방문수는 몇 건인가요",
        "가장 편리한 형식을 사용하세요",
        "레지스터 클래스와 함께 사용합니다",
        "이 값은 클로저입니다.",
        "오늘 쉬울 때가 많습니다",
        "정산 자리를 조용한 곳으로",
    ],
)
def test_words_in_the_same_places_stay(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("페드로 알베스에게서 답이 왔습니다", "페드로 알베스"),
        ("카타리나 린드퀴스트와 통화했습니다", "카타리나 린드퀴스트"),
        ("쉬웨이한테 물어보세요", "쉬웨이"),
        ("로베르토 장에게 전달", "로베르토 장"),
    ],
)
def test_a_name_from_abroad_is_found_where_people_stand(text: str, name: str):
    assert covered(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thessaly Marchbanks, whose desk is empty, resigned.", "Thessaly Marchbanks"),
        ("Thessaly Marchbanks hasn't answered.", "Thessaly Marchbanks"),
        ("Thessaly Marchbanks (Porto office) wrote", "Thessaly Marchbanks"),
        ("Thessaly Marchbanks, Ulric Dunmore and Orsino Vantongeren were late.", "Ulric Dunmore"),
        ("Done / Thessaly Marchbanks", "Thessaly Marchbanks"),
        ("The new hire is Thessaly Marchbanks.", "Thessaly Marchbanks"),
        ("Sent by Young Min Seo", "Young Min Seo"),
        ("Rowland Fennimore left early", "Rowland Fennimore"),
    ],
)
def test_an_unlisted_name_is_found_where_people_stand(text: str, name: str):
    assert covered(text, name)


@pytest.mark.parametrize(
    "text",
    [
        "Harbour Traders opened a shop in Lyon.",
        "We bought it from Meridian Supplies last week.",
        "GlobalContext Sync didn't run",
        "Drop Flags",
        "Fat LTO (QA)",
        "Constant Evaluation doesn't stop",
    ],
)
def test_words_that_end_like_things_stay(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("주민번호는 61|12|08|2930960 예요", "61|12|08|2930960"),
        ("resident no 95_03_18_2_740316", "95_03_18_2_740316"),
        ("법인카드 4232|3014|2716|2015 로 결제", "4232|3014|2716|2015"),
        ("계좌번호: 282~875190~73626", "282~875190~73626"),
        ("운전면허 12|27|584619|62", "12|27|584619|62"),
        ("문의 02--6541--3867", "02--6541--3867"),
        ("call 010 다시 8371 다시 1768", "010 다시 8371 다시 1768"),
        ("my number is zero one zero, 5 5 3 1, 8 0 2 6", "zero one zero, 5 5 3 1, 8 0 2 6"),
        ("회신처 lee-hj골뱅이gmail점io", "lee-hj골뱅이gmail점io"),
        ("write to ana dot reis at medlink dot pt", "ana dot reis at medlink dot pt"),
        ("접속 IP 172.16.2[.]232", "172.16.2[.]232"),
        ("698나8262 차 빼 주세요", "698나8262"),
        ("577 우 1542 차 키를 맡겼어요", "577 우 1542"),
        ("9 Glenroy Crescent, Cork T12 X8R4", "9 Glenroy Crescent, Cork T12 X8R4"),
        (
            "27-4, Dongil-ro 16-gil, Nowon-gu, Seoul, Unit 302",
            "27-4, Dongil-ro 16-gil, Nowon-gu, Seoul, Unit 302",
        ),
    ],
)
def test_a_told_value_is_found_in_any_grouping(text: str, value: str):
    assert covered(text, value)


@pytest.mark.parametrize("sign", "/_~")
def test_a_proven_number_needs_no_word_beside_it(sign: str):
    resident = f"680412{sign}2033157"
    assert covered(f"아까 {resident} 였어요", resident)


@pytest.mark.parametrize("sign", "/_")
def test_a_proven_card_needs_no_word_beside_it(sign: str):
    card = sign.join(("4111", "1111", "1111", "1111"))
    assert covered(f"아까 {card} 였어요", card)


@pytest.mark.parametrize(
    "text",
    ["계좌 잔액 3,000,000,000원", "번호 1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "문의 2026/11/18 10:20:30 접수"],
)
def test_counts_and_times_after_such_words_stay(text: str):
    assert find(text) == []


@pytest.mark.parametrize("seed", range(3))
def test_parts_of_a_long_text_have_what_the_whole_has(seed: int, monkeypatch: pytest.MonkeyPatch):
    text = "\n".join(prose.text for prose in Office(seed).texts(300))
    in_parts = find(text)
    monkeypatch.setattr(_search, "_LONG", len(text) + 1)
    assert in_parts == find(text)
    assert in_parts
