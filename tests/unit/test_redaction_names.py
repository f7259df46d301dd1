"""Names of people: found by the title or role beside them, or because the installation knows them."""

from __future__ import annotations

import random

import pytest

from metaagent.protection.redaction import KnownNames, Pseudonyms, Redactor, find
from metaagent.protection.redaction._name_words import COMPOUND, GIVEN, ORDINARY, ROLES, SURNAMES, TITLES
from tests.support.names import LIKE, look_alikes, named
from tests.support.office_prose import Office


def covered(text: str, value: str) -> bool:
    start = text.index(value)
    return any(found.start <= start and start + len(value) <= found.end for found in find(text))


@pytest.mark.parametrize("seed", [1, 20261116])
def test_names_beside_a_title_or_role_are_found(seed: int):
    positive, negative = list(named(seed, 300)), list(look_alikes(seed, 300))
    missed = [case.text for case in positive if not covered(case.text, case.value)]
    alarms = [case.text for case in negative if find(case.text)]
    assert len(missed) <= 0.03 * len(positive), missed
    assert len(alarms) <= 0.02 * (len(positive) - len(missed)), alarms


@pytest.mark.parametrize("text", LIKE)
def test_a_word_like_a_name_stays(text: str):
    assert find(text) == []


def test_only_the_name_is_replaced_and_the_title_stays():
    assert Redactor().redact_text("김민수 과장님께 전달") == "[NAME] 과장님께 전달"
    assert Redactor().redact_text("Dr. Jane Miller agreed") == "Dr. [NAME] agreed"


def test_a_name_that_the_installation_knows_is_found_alone():
    names = KnownNames()
    redactor = Redactor(names=names)
    assert redactor.redact_text("계피강 실적") == "계피강 실적"
    names.learn(["계피강", "Quilla Zondervan", "Kim", "이수"])
    assert (
        redactor.redact_text("계피강은 Quilla Zondervan와 quilla zondervan를 만났다")
        == "[NAME]은 [NAME]와 [NAME]를 만났다"
    )
    assert redactor.redact_text("Kim and Ada, 이수 과목") == "Kim and Ada, 이수 과목"


@pytest.mark.parametrize("account", ["계피강", "Quilla Zondervan", "quilla.zondervan@corp.kr"])
def test_names_of_accounts_are_found_alone(account: str):
    names = KnownNames()
    names.learn_account(account)
    text = "계피강과 Quilla Zondervan의 실적"
    assert Redactor(names=names).redact_text(text).count("[NAME]") == 1


def test_an_account_without_a_name_teaches_nothing():
    names = KnownNames()
    for account in ("kim", "owner", "sales.manager", "batch-7"):
        names.learn_account(account)
    assert len(names) == 0


def test_the_number_of_known_names_is_bounded():
    names = KnownNames(most=10)
    names.learn(f"Ada Number{chr(97 + at)}" for at in range(20))
    assert len(names) == 10


def test_a_model_sees_no_name_that_the_data_knows():
    names = KnownNames()
    names.learn(["계피강"])
    stand_ins = Pseudonyms()
    sent = Redactor(mode="pseudonym", pseudonyms=stand_ins, names=names).redact_text("계피강 매출")
    assert sent == "[NAME_1] 매출"
    assert stand_ins.restore(sent) == "계피강 매출"


@pytest.mark.parametrize(
    "text",
    [
        "환자 서민국 씨의 이상사례",
        "담당자: 황수국",
        "Park Ji-hoon, Chief Pharmacist, asked.",
        "Emma Novak (Sales Director) left",
    ],
)
def test_a_name_between_role_and_title_is_found(text: str):
    assert [found.type for found in find(text)] == ["NAME"]


@pytest.mark.parametrize(
    "text",
    [
        "조영제 담당 MR",
        "강남구 팀장 회의",
        "신제품 담당 이사",
        "연구소 소장 회의",
        "주유소 담당자",
        "Customer Care, Senior Manager",
    ],
)
def test_a_noun_or_a_place_beside_a_title_is_no_name(text: str):
    assert find(text) == []


@pytest.mark.parametrize("seed", [3, 20261117])
def test_office_prose_is_found_and_its_words_stay(seed: int):
    found = missed = alarms = 0
    for prose in Office(seed).texts(1200):
        hits = find(prose.text)
        for _, start, end in prose.values:
            whole = any(hit.start <= start and end <= hit.end for hit in hits)
            found, missed = found + whole, missed + (not whole)
        spans = [(start, end) for _, start, end in prose.values]
        alarms += sum(not any(hit.start < end and start < hit.end for start, end in spans) for hit in hits)
    assert found >= 0.96 * (found + missed)
    assert alarms <= 0.01 * found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("안녕하세요, 세림제약 영업본부 권도경입니다.", "권도경"),
        ("담당 MR 변호진에게 전달 완료.", "변호진"),
        ("이름,직급\n윤가람,대리", "윤가람"),
        ("회의 참석: 추민경, 길태웅", "길태웅"),
        ("명재현·은가비 부부가 개원", "명재현"),
        ("수취인 토마스 베커 이사", "토마스 베커"),
        ("Best regards,\nHannah Weber\nSales", "Hannah Weber"),
        ("minutes by Seo Minji, secretary", "Seo Minji"),
        ("Dr. Moon, Ga-young is on leave", "Moon, Ga-young"),
        ("Rosalind Achterberg moved to the Ghent site.", "Rosalind Achterberg"),
    ],
)
def test_a_name_without_a_title_is_found_among_people(text: str, name: str):
    assert covered(text, name)


@pytest.mark.parametrize(
    "text",
    [
        "전임상 팀장 회의 안건",
        "위원이 위원장의 직무를 대행한다",
        "제품명,규격\n노바신,500mg",
        "We met with Morgan Stanley and Samsung Biologics.",
        "Best regards,\nCustomer Support Team",
        "Charles River Laboratories moved to Boston.",
        "Container MSKU4471290 arrives",
        "부서 이름은 영업팀이고요 인원은 5명",
        "두 분 님 좌석",
    ],
)
def test_companies_and_nouns_are_no_people(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    "text", ["로그인 계정이 sj@corp.kr 입니다", "새 설정은 sj@corp.kr 로", "Reach Tom by tom@corp.kr"]
)
def test_a_thing_or_verb_before_an_address_is_no_name(text: str):
    assert "NAME" not in [found.type for found in find(text)]


def test_any_run_of_names_roles_and_signs_is_read():
    pick = random.Random(7)
    pieces = [
        *TITLES,
        *ROLES,
        *sorted(ORDINARY),
        *COMPOUND,
        *SURNAMES,
        *GIVEN,
        *" :,(/|\n\"'·→",
        "010-1234-5678",
        "님",
        "씨",
    ]
    for _ in range(3000):
        text = "".join(pick.choice(pieces) for _ in range(pick.randint(1, 20)))
        assert all(0 <= found.start < found.end <= len(text) for found in find(text))
