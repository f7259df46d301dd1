"""Personal data in disguise."""

from __future__ import annotations

import pytest

from metaagent.protection.redaction import Redactor, find
from tests.attacks.generators import disguised
from tests.attacks.texts import detected

CASES = {f"{name} {seed}": (text, tell) for seed in range(3) for name, text, tell in disguised(seed)}


@pytest.mark.parametrize("name", CASES)
def test_personal_data_in_disguise_is_found(name: str):
    text, tell = CASES[name]
    assert tell not in Redactor().redact_text(text)


ORDINARY = (
    "2024/01/05 매출 1/2, 3/4 분기",
    "파일 report_2024_01_05.csv 와 v1_2_3",
    "1234\n5678\n9012\n3456",
    "매출\n123456\n234567\n345678",
    "비율 10/20, 구간 100/200/300",
    "@회의 참석자: 영업팀",
    "가격 12,000\n-3,000",
    "Это обычный текст",
    "127.0.0.1 에서 실행",
    "10.5.3.2 절 참조",
    '{"name": "방문수", "label": "전월비"}',
    '{"name": "조영제"}',
    "담당자 이하는 생략",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("대표이사 이하은", "이하은"),
        ('{"name": "오상철", "qty": 3}', "오상철"),
        ("{'customer_name': '조미경'}", "조미경"),
        ('{"성명":"김민준"}', "김민준"),
    ],
)
def test_names_in_keys_and_before_particles_are_found(text: str, name: str):
    assert [text[each.start : each.end] for each in find(text)] == [name]


def test_made_texts_keep_recall_and_precision():
    score = detected(seed=41, count=20)
    assert score.recall >= 0.97, score.missed
    assert score.precision >= 0.98, score.wrong


@pytest.mark.parametrize(
    "text",
    [
        "IBAN ES91-2100-0418-4502-0005-1332",
        "IBAN BE68\n5390\n0754\n7034",
        "passport number M384B 9210",
        "카드번호\n4902 9912\n7337 3655",
        "account no. 209-10-517168",
    ],
)
def test_numbers_in_odd_groups_are_found_whole(text: str):
    found = find(text)
    assert [text[each.start : each.end] for each in found] == [text[found[0].start :]]
    assert len(found[0].value) >= 10


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("메일은 홍길동07@company.kr 로", "홍길동07@company.kr"),
        ("이메일: 홍길동_01@회사.한국", "홍길동_01@회사.한국"),
        ("contact 고객293 @ outlook.com now", "고객293 @ outlook.com"),
        ("mailto:josé.garcía@bücher.de", "josé.garcía@bücher.de"),
        ("법인카드: 6011-6787\n7045-6280", "6011-6787\n7045-6280"),
        ("카드 4902 9912-7337 3655", "4902 9912-7337 3655"),
        ('"card_number": "49029912 73373655"', "49029912 73373655"),
        ("카드 4902~9912~7337~3655", "4902~9912~7337~3655"),
        ("driver's license 부산 81-210307-55", "부산 81-210307-55"),
        ("면허번호 21.20.723517.55", "21.20.723517.55"),
        ("신한은행 733 524 269199만 남겨주세요", "733 524 269199"),
        ('"account_number": "138554 46 023324"', "138554 46 023324"),
        ("wire to acct 1945.760.092002", "1945.760.092002"),
        ('"business_number":"214.86.88915"', "214.86.88915"),
        ("연락처 010 / 3797 / 6289", "010 / 3797 / 6289"),
        ("T. 010~4569~1181", "010~4569~1181"),
        ("M. 0412397471", "0412397471"),
        ("WhatsApp 001-1-305-234-0044", "001-1-305-234-0044"),
        ("주민번호 900101 / 1234568", "900101 / 1234568"),
        ("주민번호 900101~1234568", "900101~1234568"),
        ("주민번호 90 01 01 1234568", "90 01 01 1234568"),
        ("주민번호 900101-1 234568", "900101-1 234568"),
        ("「주민등록번호」은 9001011234568만", "9001011234568"),
        ("여권번호 K_99783471", "K_99783471"),
        ("Passport #M/799K0175", "M/799K0175"),
        ("여권번호\nM  38326331", "M  38326331"),
        ("iban NL72_RABO_3926_1521_35", "NL72_RABO_3926_1521_35"),
        ("IBAN DE89.3704.0044.0532.0130.00", "DE89.3704.0044.0532.0130.00"),
        ("이 토큰(q7Zk20aPx81LmW5rTe94Yb3N)을 폐기해줘", "q7Zk20aPx81LmW5rTe94Yb3N"),
        ("key: dop_v1_" + "0a1b2c3d" * 8, "dop_v1_" + "0a1b2c3d" * 8),
        ("<address>서울특별시 동작구 상도로 925</address>", "서울특별시 동작구 상도로 925"),
        ("거주지→경기도 안양시 동안구 길주로 11", "경기도 안양시 동안구 길주로 11"),
        ("배송지 대구광역시 수성구 동대구로 123", "대구광역시 수성구 동대구로 123"),
        ("예약자명: 김민준", "김민준"),
        ("계좌번호(필수) 8499540567121", "8499540567121"),
        ("환불 계좌(우리은행)\n  978 827 474990", "978 827 474990"),
        ("기업은행 계좌번호은(는) 944155784708입니다", "944155784708"),
        ("We have your bank account as 8623616104592;", "8623616104592"),
        ("API 키(필수) TMwZ6P3GVZ15bTwIFtuZcBq9rd0fdjsj", "TMwZ6P3GVZ15bTwIFtuZcBq9rd0fdjsj"),
        ("Patient: Sarah Miller See section 4.3.2", "Sarah Miller"),
        ("대표이사 유서혁", "유서혁"),
        ('"customer_name": "Lucas Williams"', "Lucas Williams"),
        ("OCR: 9 0 0 1 0 1 - 1 2 3 4 5 6 8", "9 0 0 1 0 1 - 1 2 3 4 5 6 8"),
        ("주민번호\n900101\n- 1234568", "900101\n- 1234568"),
        ("주민번호 앞자리 900101", "900101"),
        ("주민번호 뒷자리는 일이삼사오육칠", "일이삼사오육칠"),
        (
            "call zero one zero, double four two one, seven seven three oh",
            "zero one zero, double four two one, seven seven three oh",
        ),
        ("내 번호 O1O-4482-9O37", "O1O-4482-9O37"),
        ("handphone: 010 , 6127 , 3390", "010 , 6127 , 3390"),
        ("앞 8자리 45391488\n03436467 다음 줄", "45391488\n03436467"),
        ("법카 5409 2600 1234 5674", "5409 2600 1234 5674"),
        ("mjkwon 골뱅이 hanmail 점 net", "mjkwon 골뱅이 hanmail 점 net"),
        ("it's lucy dot fern at gmail dot com", "lucy dot fern at gmail dot com"),
        ("메일 yerin.shim@\ngmail.com", "yerin.shim@\ngmail.com"),
        ("메일 yerin.shim\n@gmail.com", "yerin.shim\n@gmail.com"),
        ('<"ji won"@fastmail.com>', '"ji won"@fastmail.com'),
        ("메일 kang.dh @ kaist . ac . kr", "kang.dh @ kaist . ac . kr"),
        ("ppt=M88204716; nat=KOR", "M88204716"),
        ("passport\nM30\n994512", "M30\n994512"),
        ("M706890980KOR8001012F310101", "M706890980KOR8001012F310101"),
        ("면허번호\n13-920447-21", "13-920447-21"),
        ("주소 인천 연수구 송도과학로 28번길\n50, 2208호", "인천 연수구 송도과학로 28번길\n50, 2208호"),
        ("Flat 2/1, 64 Byres Road,\nGlasgow G12 8TB", "Flat 2/1, 64 Byres Road,\nGlasgow G12 8TB"),
        ("백 도 현 교수님", "백 도 현"),
        ("Ms. 심 Yerin will translate", "심 Yerin"),
        ("my colleague Tomasz Wiśniewski will join", "Tomasz Wiśniewski"),
    ],
)
def test_other_spellings_and_containers_are_found_whole(text: str, value: str):
    assert [each.value for each in find(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "범위 671022~1612399",
        "재고 1234 / 5678 / 9012 남음",
        "국민은행 예금 잔액 12 345 678원",
        "api_key: ${API_KEY}",
        "password: {{ db_password }}",
        "cache key user_sessions_2026_by_region_total",
        "primary key 123e4567-e89b-12d3-a456-426614174000",
        '"customer_name": "Total Revenue"',
        "docs @ version 1.2",
        "25 12 31 1234567",
        "여권 신청 1234건",
        "서울 강남구로 12곳 배정",
        "구분\t1월\t2월\n부산\t50711\t197090\n제주\t473957\t656404",
        "Thanks for your message of 3 November. Dr. on duty",
        "Client: Blue Care Center",
        "Johnson Controls serviced the unit",
        "12 Angry Men is on tonight",
        "bill of lading 01055172094-KR",
        "upgrade to 10.15.7.2 build",
        "look at example dot com",
        "one two three four five six seven eight nine",
        "앞자리 900101 재고",
        "toner M12345678",
        "이 도 시 계획",
    ],
)
def test_what_looks_like_other_spellings_is_left_alone(text: str):
    assert find(text) == []
