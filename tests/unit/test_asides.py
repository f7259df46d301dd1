"""Words round a request that speak of the speaker: they change nothing, and nothing of the request goes with them."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.requests.asides import without_asides
from metaagent.level1.query_analyzer.words.lexicon import phrasebook
from tests.support.composed import context

OPENINGS = [
    "Swamped today, sorry. ",
    "Only ten minutes left - ",
    "Before my 3 o'clock: ",
    "My manager is waiting, ",
    "오늘 정신이 없네요.. ",
    "회의 10분 전입니다 ",
    "팀장님이 기다리고 계세요! ",
    "줄었네요. ",
]
REQUESTS = [
    "write a report on sales in Busan last month, but don't store it",
    "If sales fell, write a report",
    "지난달 부산 매출 보고서 써줘. 저장은 하지 마",
    "문제 없으면 저장해줘",
]


def left(said: str) -> str:
    known = context()
    return without_asides(said, phrasebook(known.domain, known.vocabulary, known.lexicon)).strip()


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("request_", REQUESTS)
def test_an_opening_about_the_speaker_is_set_apart(opening: str, request_: str):
    assert left(opening + request_) == request_


@pytest.mark.parametrize(
    "said",
    [
        "지난달 바빴는데 매출은?",
        "신규 고객만 보려고요. 지난달 매출",
        "I only care about hospitals. Sales last month",
        "If my boss agrees, store it",
        "store it, but let my boss read it first",
        "팀장님이 승인하시면, 저장해줘",
        "Book me a meeting room and show sales in Seoul last month",
        "Swamped today, sorry.",
        "명단이 든 노트북을 지하철에 놓고 내렸어. 어떻게 해야 해?",
        "환자가 약을 먹고 두통이 있대요. 보고해야 하나요?",
        "The patient has a headache after the tablet. Do I have to report it?",
    ],
)
def test_words_that_a_request_may_depend_on_stay(said: str):
    assert left(said) == said
