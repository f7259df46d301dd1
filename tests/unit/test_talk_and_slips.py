"""Talk around a question, short slips of the keyboard, and what they must not swallow."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.words.lexicon import phrasebook
from metaagent.level1.query_analyzer.words.source import read
from metaagent.level1.query_analyzer.words.speaker_clauses import without_talk
from tests.support.composed import OCTOBER, SEOUL, ask, context, request, talk


def rest(text: str) -> str:
    book = phrasebook(context().domain, context().vocabulary, context().lexicon)
    return " ".join(without_talk(read(text), book).text.split())


@pytest.mark.parametrize(
    "question",
    [
        "바쁘신데 죄송하지만 지난달 서울 매출 좀 알려주실 수 있나요?",
        "본부장님께서 오후 회의 전에 보고 싶어 하셔서요, 지난달 서울 매출이 얼마였는지 확인해 주실 수 있을까요?",
        "내일 임원 회의가 있어서 그러는데 지난달 서울 매출 얼마야?",
        "급하게 필요해서 그러는데요 지난달 서울 매출 좀요",
        "내일 임원 회의 자료를 준비하고 있는데요, 지난달 서울 매출이 얼마였는지 알려주실 수 있을까요?",
        "내일 발표 준비 중인데요, 지난달 서울 매출 알려주세요",
        "지난달 서울 매출 알려줘, 사장님이 찾으셔",
        "my boss wants to know: what were sales in Seoul last month?",
        "I'm preparing a deck, so could you tell me last month's sales in Seoul?",
        "Sorry to bother you, but for tomorrow's board meeting I need sales in Seoul last month.",
    ],
)
def test_talk_about_the_speaker_changes_nothing(question: str):
    found = request(question)
    assert (found["metrics"], found["filters"], found["period"]) == (["sales_amount"], [SEOUL], OCTOBER)


@pytest.mark.parametrize(
    "text",
    [
        "서울 빼고, 지난달 매출",
        "방문보고서를 작성해서 저장해줘.",
        "내일 의사 두 분과 골프를 치려고 하는데요, 괜찮나요?",
        "회의 자료로 만들어줘, 지난달 서울 매출",
        "10만 원 넘는 건만, 지난달 지출",
        "회의비랑, 지난달 매출",
        "회의 건수가 궁금합니다, 지난달 매출도요",
        "지난달 매출, 방문 수를 보고 싶습니다",
        "board meetings, and sales last month",
        "draft a visit report, verify that it follows the rules and archive it",
    ],
)
def test_clauses_that_ask_or_limit_are_kept(text: str):
    assert rest(text) == text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whta were totl sales in Seoul lst month", "what were total sales in Seoul last month"),
        ("hw much did we sel in Seoul lst month", "how much did we sell in Seoul last month"),
        ("sales in Seoul in Octobr", "sales in Seoul in October"),
    ],
)
def test_a_letter_left_out_is_read_and_said(typed: str, meant: str):
    reading, plain = ask(typed), ask(meant)
    assert reading["semantic_request"] == plain["semantic_request"]
    assert len(reading["assumptions"]) > len(plain["assumptions"])


@pytest.mark.parametrize("question", ["visits in May", "sales of men in Seoul", "which team lost most"])
def test_short_words_of_their_own_stay(question: str):
    assert not [text for text in ask(question)["assumptions"] if text.startswith("I read")]


def test_a_question_given_up_leaves_nothing_behind():
    found = talk("류나윤 3분기 방문 수", "아니 됐고 지난달 지역별 방문 상위 3개 지역")["semantic_request"]
    assert (found["filters"], found["dimensions"], found["period"]) == ([], ["region"], OCTOBER)


MADE = [{"id": "d-1", "kind": "document"}, {"id": "r-1", "kind": "stored"}]


@pytest.mark.parametrize(
    "text",
    [
        "방금 저장한 거 취소해줘", "저장 취소할래", "취소해줘", "그 보고서 삭제해 주세요", "아니 그거 지워줘",
        "아까 등록한 내용 되돌려줘",
        "undo that", "please delete the report", "Can you revert what you just saved?", "cancel", "take it back",
    ],
)  # fmt: skip
def test_a_call_to_undo_repeats_nothing(text: str):
    before = ask("지난달 매출 보고서 만들고 저장해줘")
    reading = ask(text, previous=before, artifacts=MADE)
    assert reading["small_talk"] == "undo"
    assert reading["required_capabilities"] == []


@pytest.mark.parametrize(
    "text",
    [
        "지난달 취소 건수",
        "취소된 방문 보여줘",
        "remove Seoul",
        "그 보고서 2번 항목 삭제해줘",
        "내 담당 지역 지워줘",
    ],
)
def test_words_like_cancel_inside_a_question_are_read(text: str):
    assert ask(text, artifacts=MADE)["small_talk"] is None


def test_nothing_done_is_nothing_to_undo():
    assert ask("취소해줘", artifacts=[{"id": "d", "kind": "dataset"}])["small_talk"] is None


@pytest.mark.parametrize(
    "text",
    [
        "지난달 매출 보고서 만들고 저장해줘",
        "지난달 매출 보고서 만들고 규정 검토한 다음에 저장해줘",
        "지난달 서울 매출 보고서를 작성하고 규정 위반이 없는지 봐줘",
        "write a report on last month's sales, check it against the rules and save it",
    ],
)
def test_a_checked_and_stored_report_has_its_figures(text: str):
    reading = ask(text)
    assert "data_analysis" in reading["required_capabilities"]
    assert reading["unread"] == []


STORES = {"name": "storage_decision", "agent": "storage_decision", "side_effects": True}
ABLE = [
    STORES,
    *({"name": name} for name in ("data_analysis", "document_generation", "compliance_validation")),
]


@pytest.mark.parametrize("text", ["아니 9월로", "대구는?", "아까 그 보고서 영어로도 하나 줘", "and Busan?"])
def test_a_follow_up_never_repeats_storing(text: str):
    before = ask("지난달 서울 매출 보고서 만들고 저장해줘", capabilities=ABLE)
    assert "storage_decision" in before["required_capabilities"]
    after = ask(text, previous=before, artifacts=MADE, capabilities=ABLE)
    assert "storage_decision" not in after["required_capabilities"]


def test_a_corrected_report_has_the_figures_of_its_period():
    after = talk("지난달 부산 매출 보고서 만들어줘", "아니 9월로")
    assert after["required_capabilities"] == ["document_generation", "data_analysis"]
    assert after["semantic_request"]["period"]["start"].endswith("-09-01")


@pytest.mark.parametrize(
    "text",
    [
        "10월 비용 전체 점검해보고 문제 하나도 없을 때만 저장해주세요",
        "지난달 매출 보고서 쓰고 규정에 걸리는 거 없나 봐줘. 없으면 저장",
        "write a report on last month's sales and store it if it's clean",
        "이상 없으면 저장해줘",
    ],
)
def test_storing_on_a_condition_asks_for_the_check(text: str):
    needed = ask(text)["required_capabilities"]
    assert {"compliance_validation", "storage_decision"} <= set(needed)
    assert "existence" not in (ask(text)["semantic_request"] or {})


@pytest.mark.parametrize(
    "text",
    [
        "방문 보고서 언제까지 써야 하는지 알려주고 지난달 방문 건수도 같이 알려줘",
        "세미나 신청 며칠 전까지 해야 돼? 그리고 지난달에 세미나 몇 번 했어?",
        "how long do we have to keep spending reports, and how many visits did we make last month?",
    ],
)
def test_a_rule_and_a_figure_are_both_asked_for(text: str):
    assert sorted(ask(text)["required_capabilities"]) == ["data_analysis", "information_retrieval"]


@pytest.mark.parametrize(
    "text",
    [
        "카르비온정 보관 어떻게 해야 하는지랑 지난달에 몇 개 팔렸는지 알려주세요",
        "이 약은 어디에 보관해야 하나요?",
        "방문 보고서는 며칠 보관해?",
        "How should the syrup be stored and how much revenue did we make this year?",
        "how do we store samples?",
    ],
)
def test_asking_how_something_is_kept_stores_nothing(text: str):
    assert "storage_decision" not in ask(text)["required_capabilities"]


@pytest.mark.parametrize(
    "question",
    [
        "지난달 서울 매출 보고서 저장해줘",
        "Save last month's sales report for Seoul",
        "10월 부산 매출 보고서를 보관해 주세요",
    ],
)
def test_a_report_to_be_stored_is_made_first(question: str):
    needed = ask(question)["required_capabilities"]
    assert {"document_generation", "storage_decision"} <= set(needed), needed


def test_a_report_that_is_there_is_stored_as_it_is():
    before = ask("지난달 서울 매출 보고서 만들어줘")
    made = ({"id": "a-1", "kind": "document", "made_by": "t1/s2", "summary": "보고서"},)
    again = ask("지난달 서울 매출 보고서 저장해줘", previous=before, artifacts=made)
    assert again["required_capabilities"] == ["storage_decision"]


@pytest.mark.parametrize(
    "text",
    [
        "Great, that is all I needed today, thank you!",
        "no thanks, I'm good for now",
        "I think we're done here",
        "Thanks, that answers my question",
        "have a nice weekend!",
        "아 됐어요 오늘은 여기까지 할게요",
        "더 물어볼 거 없어요",
        "필요한 건 다 봤어요. 감사합니다",
        "다음에 또 물어볼게요",
    ],
)
def test_a_parting_is_answered_not_analysed(text: str):
    assert ask(text)["small_talk"] == "parting"


@pytest.mark.parametrize(
    "text",
    ["that's all sales in Seoul last month", "여기까지 지난달 서울 매출", "is that everything Seoul sold?"],
)
def test_a_parting_word_inside_a_question_ends_nothing(text: str):
    assert ask(text)["small_talk"] is None
