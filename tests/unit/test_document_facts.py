"""Facts of forms: read by clauses, so that a value ends where the next begins and what was denied is no value."""

from __future__ import annotations

from datetime import date

import pytest

from metaagent.documents.templates import load_templates, read_files
from metaagent.language.days import days_in
from metaagent.level2.document.clauses import clauses_of
from metaagent.level2.document.facts import facts_of
from metaagent.level2.document.people import names_with_titles
from metaagent.level2.document.said import Said
from tests.support.paths import ROOT

TEMPLATES = load_templates(read_files(ROOT / "configs" / "domains" / "pharma" / "templates"))
TODAY = date(2026, 11, 16)


def facts(template: str, text: str) -> dict[str, str]:
    found = facts_of(TEMPLATES[template].template, Said(text, today=TODAY))
    return {name: fact.text for name, fact in found.items()}


def test_one_sentence_fills_the_visit() -> None:
    found = facts(
        "visit_report",
        "어제 가온병원 김민수 교수님 만나서 신제품 카르비온정 설명했고 샘플은 안 드렸어. 다음 방문은 금요일 오후 3시.",
    )
    assert found == {
        "hospital": "가온병원",
        "visited_on": "2026-11-15",
        "contact": "김민수 교수",
        "discussion": "신제품 카르비온정 설명",
        "next_visit": "2026-11-20 오후 3시",
    }


def test_lines_of_a_list_are_whole_values() -> None:
    found = facts(
        "visit_report",
        "- 방문처: 미소의원\n- 날짜: 11/13\n- 내용: 임상 결과, 용법 공유\n- 다음 방문: 11/27 오전 10시",
    )
    assert found["discussion"] == "임상 결과, 용법 공유"
    assert (found["hospital"], found["visited_on"]) == ("미소의원", "2026-11-13")
    assert found["next_visit"] == "2026-11-27 오전 10시"


def test_a_value_ends_where_the_next_label_begins() -> None:
    text = "방문 보고서 보라매병원 11월 4일 정해인 과장 임상자료 설명 자료 전달 리플렛 3부 다음방문 11월 18일 오전10시"
    found = facts("visit_report", text)
    assert (found["material"], found["discussion"]) == ("리플렛 3부", "임상자료 설명")
    assert (found["visited_on"], found["next_visit"]) == ("2026-11-04", "2026-11-18 오전10시")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("샘플은 안 드렸어", "material"),
        ("최은영 원장님이 부재중이라 못 만났고", "contact"),
        ("Dr. Kim was away", "contact"),
        ("부작용 문의 없었음", "questions"),
        ("신제품 락토원시럽을 소개해 드렸습니다", "material"),
    ],
)
def test_what_was_denied_or_done_otherwise_is_no_value(text: str, field: str) -> None:
    assert field not in facts("visit_report", text)


def test_a_word_that_begins_like_a_denial_is_none() -> None:
    assert facts("visit_report", "서현진 원장님이랑 안구건조증 점안액 얘기했고")["contact"] == "서현진 원장"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("급여 기준 자료를 메일로 송부할 예정입니다", "급여 기준 자료를 메일로 송부"),
        ("I promised to send the brochure by Thursday", "send the brochure by Thursday"),
    ],
)
def test_promises_are_next_steps(text: str, steps: str) -> None:
    assert facts("visit_report", text)["next_steps"] == steps


def test_a_deadline_and_a_plan_are_no_day_of_the_visit() -> None:
    found = facts("visit_report", "Visited Saebom Hospital this morning. I will send it by Thursday.")
    assert (found["hospital"], found["visited_on"]) == ("Saebom Hospital", "2026-11-16")


def test_a_day_with_a_verb_of_return_is_the_next_visit() -> None:
    found = facts("visit_report", "11월 9일 한빛의원 방문. 2주 뒤에 다시 가기로 했고")
    assert (found["visited_on"], found["next_visit"]) == ("2026-11-09", "2026-11-30")


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("택시비 23,500원이랑 주차비 8,000원 썼어", "택시비 23,500원, 주차비 8,000원"),
        ("I paid 88,000 won for parking and tolls on 9 November", "parking and tolls"),
        ("다과 구입 68,000원", "다과 구입"),
    ],
)
def test_an_expense_says_what_was_paid(text: str, purpose: str) -> None:
    assert facts("expense_report", text)["purpose"] == purpose


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("오후 6시 30분에 부산 벡스코 컨벤션홀에서 열려고 해", "부산 벡스코 컨벤션홀"),
        ("18:00, Grand Hall of Lotte Hotel Busan, 60 people", "Grand Hall of Lotte Hotel Busan"),
        ("at the Daejeon convention centre", "Daejeon convention centre"),
    ],
)
def test_a_place_is_whole(text: str, place: str) -> None:
    assert facts("seminar_request", text)["place"] == place


def test_people_come_in_one_style() -> None:
    found = names_with_titles("서지우원장님과 한소라 과장님 면담", ("원장", "과장"))
    assert found is not None
    assert found.text == "서지우 원장, 한소라 과장"


def test_clauses_end_with_the_past_of_a_verb() -> None:
    texts = [each.text for each in clauses_of("보고서 설명했고 자료 드렸는데 재고 확인, 3명하고 식사")]
    assert texts == ["보고서 설명했고", "자료 드렸는데", "재고 확인", "3명하고 식사"]


@pytest.mark.parametrize(
    ("template", "text", "field", "value"),
    [
        (
            "seminar_request",
            "이상지질혈증 최신 지침이 주제고 서른 명쯤 올 거야",
            "topic",
            "이상지질혈증 최신 지침",
        ),
        ("proposal", "약제팀 부담이 줄어드는 게 장점이야", "benefits", "약제팀 부담이 줄어드는 게"),
        ("proposal", "첫 주문은 5% 할인해 드린다는 조건", "offer", "첫 주문은 5% 할인해 드린다"),
    ],
)
def test_a_value_can_stand_before_its_name(template: str, text: str, field: str, value: str) -> None:
    assert facts(template, text)[field].startswith(value[:8])


def test_a_list_behind_a_colon_keeps_its_items() -> None:
    found = facts("visit_report", "I met Dr. Oh. To do: register her for the webinar; send the SmPC. Thanks.")
    assert found["next_steps"] == "register her for the webinar; send the SmPC"


def test_a_sentence_behind_a_colon_is_one_value() -> None:
    found = facts("proposal", "Terms: free delivery and 60-day payment. Benefits: less waste.")
    assert (found["offer"], found["benefits"]) == ("free delivery and 60-day payment", "less waste")


def test_what_a_doctor_says_is_not_their_name() -> None:
    found = facts("visit_report", "배정민 원장 뵀고요, 원장님은 신장애 환자 용량이 걱정이래요.")
    assert found["contact"] == "배정민 원장"


def test_a_clause_ends_before_the_word_that_links_it() -> None:
    assert facts("visit_report", "I explained the dosing of Alenavin and left two packs.")["discussion"] == (
        "explained dosing of Alenavin"
    )


@pytest.mark.parametrize(
    ("text", "contact"),
    [
        ("하늘의원 원장님(금보라) 만나서 설명했어요", "금보라 원장"),
        ("성모사랑의원(원장 제갈민) 방문했어요", "제갈민 원장"),
        ("서림요양병원 곽도현 진료부장 면담", "곽도현 진료부장"),
        ("빈지후 부원장님 만났어요", "빈지후 부원장"),
        ("못 뵙고 간호사에게 명함을 맡겼어요", None),
    ],
)
def test_a_person_is_known_by_any_form_of_title(text: str, contact: str | None) -> None:
    assert facts("visit_report", text).get("contact") == contact


def test_lines_may_end_with_a_name_before_a_label() -> None:
    found = facts(
        "visit_report",
        "Hospital: Northgate Medical Center\nMet: Dr. Priya Raman\nDiscussed: low blood sugar\nDate: November 10",
    )
    assert (found["discussion"], found["visited_on"]) == ("low blood sugar", "2026-11-10")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("I'll bring them next Monday at 10.", "2026-11-23 10:00"),
        ("Next visit is 2 December at 10:30 am.", "2026-12-02 10:30 am"),
        ("Going back next Tuesday at 11am.", "2026-11-17 11am"),
        ("- 다음: 11/27 15시", "2026-11-27 15시"),
        ("다음 방문일 11월 20일", "2026-11-20"),
        ("I'm going back on Sun, Nov 29 at 2:00 pm.", "2026-11-29 2:00 pm"),
    ],
)
def test_the_next_visit_keeps_its_hour(text: str, moment: str) -> None:
    assert facts("visit_report", text)["next_visit"] == moment


def test_a_day_of_something_else_is_not_the_visit() -> None:
    text = "Yesterday's call got moved, so I saw Dr. Kyle Brandt at Hillcrest Orthopaedics today."
    found = facts("visit_report", text)
    assert (found["visited_on"], found["hospital"]) == ("2026-11-16", "Hillcrest Orthopaedics")


def test_an_hour_behind_a_date_is_no_day() -> None:
    assert facts("seminar_request", "26 November 11:00 at Grand Plaza Hotel")["held_at"].strip() == "11:00"
    assert days_in("26 November 11:00", TODAY, ahead=True)[0].day == date(2026, 11, 26)


def test_a_thing_that_will_be_sent_is_no_material() -> None:
    found = facts("visit_report", "자료는 내일까지 메일로 보내기로. 비교 자료는 메일로 송부할 예정입니다.")
    assert "material" not in found
    assert "메일" in found["next_steps"]
