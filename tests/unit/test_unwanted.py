"""A task that is declined, or done already, is not heard as asked for."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.ambiguity import chosen
from tests.support.understanding import ask

MENU = [("데이터 분석", "analysis"), ("문서 작성", "document"), ("저장", "store")]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            "방문보고서를 작성하고 규정 위반을 확인해줘. 저장은 하지 마.",
            {"document_generation", "compliance_validation"},
        ),
        ("방문보고서를 작성해줘. 저장할 필요는 없어.", {"document_generation"}),
        ("저장된 양식대로 방문보고서를 작성해줘.", {"document_generation"}),
        ("방문보고서를 작성해서 저장해줘.", {"document_generation", "storage_decision"}),
        ("Write a visit report, but don't save it.", {"document_generation"}),
        (
            "Write a visit report and save it, no need to check it.",
            {"document_generation", "storage_decision"},
        ),
        ("방문보고서 써줘. 저장은 아직 ㄴㄴ", {"document_generation"}),
        ("방문보고서 써줘. 저장 X", {"document_generation"}),
        ("Write a visit report. Leave storing to me.", {"document_generation"}),
        ("Write a visit report, saving it is on me", {"document_generation"}),
        ("방문보고서 써서 저장해줘, 아니다 저장 말고 작성만 해줘", {"document_generation"}),
        ("Write a visit report, pdf only, nothing saved anywhere", {"document_generation"}),
        ("Write a visit report without saving it", {"document_generation"}),
        ("The compliance check is done, now write the visit report.", {"document_generation"}),
    ],
)
def test_declined_and_finished_tasks_are_not_asked_for(said: str, wanted: set[str]):
    assert set(ask(said)["required_capabilities"]) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "지난달 서울 매출 알려줘. 저장은 하지 마",
        "지난달 서울 매출 알려줘, 그럼 저장은 빼고",
        "지난달 서울 매출 알려줘. 저장할 필요는 없어.",
        "Show sales in Seoul last month, but do not save it",
        "지난달 서울 매출 알려줘, 보고서는 필요 없어",
        "Show sales in Seoul last month, no report needed",
    ],
)
def test_a_declined_task_is_no_word_that_was_not_understood(said: str):
    reading = ask(said)
    assert reading["required_capabilities"] == ["data_analysis"]
    assert reading["unread"] == []
    assert reading["doubts"] == []


@pytest.mark.parametrize("answer", ["그럼 저장은 빼고", "저장은 하지 마", "저장 말고"])
def test_a_declined_option_of_a_menu_is_not_taken(answer: str):
    assert chosen("저장", MENU) == 2
    assert chosen(answer, MENU) is None
    assert chosen("저장 말고 데이터 분석", MENU) == 0


def test_a_menu_asks_again_after_a_declined_option():
    reading = ask("음 저기", answers=[{"field": "intent", "answer": "그럼 저장은 빼고"}])
    assert "storage_decision" not in reading["required_capabilities"]
    assert reading["clarification_needed"]


MAKING = {
    "ko": ("지난달 서울 매출 보고서 만들어줘", "방문보고서 작성해줘"),
    "en": ("Write a report on sales in Seoul last month", "Draft a visit report"),
}
DECLINING = {
    "ko": """저장하지 마|저장은 하지 말아줘|저장 안 해도 돼|저장은 나중에 할게|저장은 필요 없어|저장은 됐고|아직 저장하지는 마
        저장은 빼줘|저장하면 안 돼|보관은 하지 마세요|저장 금지|저장은 절대 하지 마|저장 없이|따로 저장하진 말고|저장은 제가 할게요
        저장은 생략해줘|저장 안 함""",
    "en": """don't save it|do not store anything|but nothing should be stored|no saving please|without storing it
        saving is not needed|it must not be archived|never store it|skip the saving|no need to archive|not to be saved
        I'll save it myself|save nothing|storing is not necessary|hold off on saving""",
}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_is_declined_in_any_words_is_not_stored(language: str):
    phrases = [each.strip() for line in DECLINING[language].splitlines() for each in line.split("|")]
    for phrase in phrases:
        for making in MAKING[language]:
            for said in (f"{making}. {phrase}", f"{making}, {phrase}", f"{phrase}, {making}"):
                assert "storage_decision" not in ask(said)["required_capabilities"], said


@pytest.mark.parametrize(
    "said",
    [
        "보고서 저장하고 서울은 빼고 다시 보여줘",
        "방문보고서 작성하고 위반이 없으면 저장해줘",
        "저장해줘, 부산은 제외하고",
        "방문보고서 작성해서 잊지 말고 저장해줘",
        "Write a visit report and store it, no chart needed",
        "Draft a visit report and don't forget to save it",
        "Can you save a report on sales in Seoul last month?",
        "Write a visit report and save it, not as pdf",
    ],
)
def test_a_word_of_refusal_beside_it_declines_nothing(said: str):
    assert "storage_decision" in ask(said)["required_capabilities"]


ABOUT_KEEPING = """저장했어?|저장됐나요?|아까 그 보고서 저장된 거 맞아?|저장된 보고서 보여줘|지금까지 저장한 것 목록 보여줘
    저장은 어디에 돼?|저장하면 누가 볼 수 있어?|저장하려면 어떻게 해?|혹시 저장 안 됐지?|왜 저장했어?
    저장한 문서 몇 개야?|저장 위치 알려줘|저장이 뭐야?|저장 권한이 누구한테 있어?|저장은 이미 했어
    저장 결과 알려줘|Did you save it?|Is it saved?|has it been stored?|Where is it stored?
    What have you stored so far?|show me the saved reports|why did you store that?|was that archived?
    I already saved it|list everything archived last month"""


def test_a_question_about_what_was_stored_stores_nothing():
    made = ({"id": "a-1", "kind": "document", "title": "방문 보고서", "turn": 1},)
    for said in (each.strip() for line in ABOUT_KEEPING.splitlines() for each in line.split("|")):
        assert "storage_decision" not in ask(said, artifacts=made)["required_capabilities"], said
    assert ask("저장한 다음에 보여줘", artifacts=made)["required_capabilities"] == ["storage_decision"]


KEPT = """뭐가 저장됐어?|저장했어?|아까 그 보고서 저장된 거 맞아?|저장된 보고서 보여줘|지금까지 저장한 것 목록 보여줘
    저장한 문서 몇 개야?|저장 위치 알려줘|어제 쓴 방문 보고서 어디에 저장했어?|Did you save it?|Is it saved?|has it been stored?
    Where is it stored?|What have you stored so far?|show me the saved reports|list everything archived last month
    where is the report from yesterday stored?"""
NOT_KEPT = """저장하려면 어떻게 해?|왜 저장했어?|저장하면 누가 볼 수 있어?|저장된 매출 분석해줘|보고서 작성해서 저장해줘
    저장했어? 지난달 매출 알려줘|how long are receipts stored?|why did you store that?|save it|write a report and store it
    who can see what is stored?"""


def test_a_question_about_what_is_kept_is_told_from_others():
    def each(lists: str) -> list[str]:
        return [said.strip() for line in lists.splitlines() for said in line.split("|")]

    assert [said for said in each(KEPT) if ask(said).get("small_talk") != "kept"] == []
    assert [said for said in each(NOT_KEPT) if ask(said).get("small_talk") == "kept"] == []


@pytest.mark.parametrize(
    "said",
    [
        "오늘 한빛의원에서 카르비온정 보관법 말씀드렸어. 방문 보고서 써줘",
        "어제 새봄병원 김 교수님이 보관 온도를 물어보셨습니다. 방문 보고서 부탁드려요",
        "원장님께 냉장 보관 기간을 안내해 드렸고 브로슈어 두고 왔어. 방문 보고서 작성해줘",
    ],
)
def test_keeping_that_was_spoken_of_stores_nothing(said: str) -> None:
    assert set(ask(said)["required_capabilities"]) == {"document_generation"}
