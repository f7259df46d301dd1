"""Requests for several agents, put together of parts as people say them: what is ordered runs, and nothing else."""

from __future__ import annotations

import pytest

from evals.compound_generated import judged, requests
from metaagent.level1.query_analyzer.requests.acts import acts
from tests.support.composed import ask

CAPABILITIES = [
    {"name": "document_generation", "revises": ["document"]},
    {"name": "data_analysis"},
    {"name": "storage_decision", "side_effects": True},
    {"name": "compliance_validation"},
    {"name": "information_retrieval"},
]
ALL, LEAST_RIGHT = 123, 0.95


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("held_out", [False, True])
def test_generated_requests_need_what_they_order(language: str, held_out: bool):
    found = list(judged(requests(7, ALL, language, held_out=held_out), ask, CAPABILITIES))
    verdicts = [verdict for _, verdict, _ in found]
    told = [f"{request.said} | {why}" for request, verdict, why in found if verdict != "right"]
    assert "unwanted" not in verdicts, told
    assert verdicts.count("right") >= LEAST_RIGHT * ALL, told


def ordered(said: str) -> set[str]:
    return {act.intent for act in acts(said.lower()).ordered}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("keep it on record", {"store"}),
        ("keep it short", set()),
        ("store it unless it breaks a rule", {"store", "compliance"}),
        ("store it if it breaks a rule", set()),
        ("store it if sales fell", set()),
        ("check it against september", set()),
        ("we explained how to dose and store it", set()),
        ("check it and don't save it", {"compliance"}),
        ("don't forget to save it", {"store"}),
        ("should we save it?", set()),
        ("could you save it?", {"store"}),
        ("check it before you save it", {"store", "compliance"}),
        ("check it before i save it", set()),
        ("문제 없으면 저장해줘", {"store", "compliance"}),
        ("위반이 있으면 저장해줘", set()),
        ("매출이 줄었으면 저장해줘", set()),
        ("저장은 하지 말고 규정에 걸리는 거 있는지만 봐줘", {"compliance"}),
        ("저장은 제가 따로 연락드릴 때까지 하지 마세요", set()),
        ("store it only if it's clean. if anything's off just tell me what", {"store", "compliance"}),
        ("only when there is no problem you store it", {"store", "compliance"}),
        ("file it, but not if it breaks any of our rules", {"store", "compliance"}),
        ("don't store it unless it passes the check", {"store", "compliance"}),
        ("don't store it if there's a problem", {"compliance"}),
        ("save it once legal has had a look", set()),
        ("no storing yet, the boss wants to read it first", set()),
        ("규정에 걸리는 거 없으면 저장까지 부탁드려요. 걸리면 저장하지 마시구요", {"store", "compliance"}),
        ("위반 있으면 알려주고 없으면 저장해줘", {"store", "compliance"}),
        ("통과하지 않으면 저장하지 마", {"compliance"}),
        ("규정 점검이랑 저장은 제가 나중에 할게요", set()),
    ],
)
def test_a_clause_orders_only_what_all_its_words_say(said: str, wanted: set[str]):
    assert ordered(said) == wanted


def test_an_order_that_is_declined_behind_it_is_none():
    assert ordered("save it. no, don't save it") == set()


@pytest.mark.parametrize("said", ["Don't save it.", "저장은 필요 없습니다"])
def test_a_refusal_alone_is_answered_and_repeats_nothing(said: str):
    before = ask("지난달 서울 매출 보고서 써줘", capabilities=CAPABILITIES)
    reading = ask(said, previous=before, capabilities=CAPABILITIES)
    assert reading["small_talk"] == "declined"
    assert reading["required_capabilities"] == []


@pytest.mark.parametrize(
    "said",
    [
        "지난달 부산 매출이 2억 넘었으면 보고서 써 주고, 안 넘었으면 금액만 알려 줘",
        "If Busan sold more than 200 million won last month, write a report; otherwise the figure will do.",
    ],
)
def test_a_limit_in_a_condition_is_no_part_of_its_figure(said: str):
    reading = ask(said, capabilities=CAPABILITIES)
    assert set(reading["required_capabilities"]) == {"data_analysis", "document_generation"}
    assert not reading["semantic_request"].get("rows")
    assert not reading["ambiguities"]


@pytest.mark.parametrize("said", ["Make it sing and dance, then store it", "뿅뿅해서 저장해줘"])
def test_what_was_not_changed_is_not_stored_unasked(said: str):
    made = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]
    before = ask("지난달 서울 매출 보고서 써줘", capabilities=CAPABILITIES)
    assert ask(said, previous=before, artifacts=made, capabilities=CAPABILITIES)["clarification_needed"]


def test_a_rule_is_looked_up_beside_a_report():
    reading = ask(
        "Find the rule on gifts, and write a report on sales in Busan last month", capabilities=CAPABILITIES
    )
    assert reading["required_capabilities"] == [
        "information_retrieval",
        "document_generation",
        "data_analysis",
    ]
    assert reading["search"]["text"] == "Find the rule on gifts"
