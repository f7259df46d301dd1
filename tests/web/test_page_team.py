"""Two people and a reviewer in browsers of their own: one asks, another decides with an edit, the first sees it happen."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.browser import Page, browser_or_skip, browsing
from tests.support.page_world import team


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, Page]]:
    browser_or_skip()
    asks = {"approval": {"mode": "always"}}
    with ExitStack() as stack:
        address = stack.enter_context(team(tmp_path_factory.mktemp("team") / "data", **asks))
        yield {name: stack.enter_context(browsing(address)).log_in(name) for name in ("kim", "lee", "park")}


def test_approver_edits_a_plan_and_the_asker_sees_it(world: dict[str, Page]):
    kim, lee = world["kim"], world["lee"]
    kim.open("/").ask("Write a report on October 2026 sales by region")
    kim.reads("This plan waits for approval").reads("Write the document")
    lee.open("/approvals").reads("kim asked on")
    lee.press("Drop step s2").reads("Will be approved as: drop s2")
    lee.write("Reason (on record)", "figures only").press("Approve with changes")
    lee.reads("Nothing waits for you.")
    kim.find(".data tbody tr")
    kim.reads("Sales by region, October 2026")
    assert "PDF" not in [each.text for each in kim.all(".card-head a")]


def test_rejected_plan_runs_nothing_and_says_why(world: dict[str, Page]):
    kim, lee = world["kim"], world["lee"]
    kim.open("/").ask("Sales in September 2026").reads("This plan waits for approval")
    lee.open("/approvals").reads("Sales in September 2026")
    lee.write("Reason (on record)", "not this month").press("Reject").reads("Nothing waits for you.")
    kim.reads("not this month")
    assert not kim.all(".data")


def test_edit_in_words_that_does_not_fit_changes_nothing(world: dict[str, Page]):
    kim = world["kim"]
    kim.open("/").ask("Sales in August 2026").reads("This plan waits for approval")
    kim.press("Change in words").write("Change in words", "drop s9").press("Approve")
    kim.reads("s9").reads("This plan waits for approval")
    kim.press("Approve")
    kim.find(".actions")


def test_reviewer_follows_the_answer_and_verifies_the_trail(world: dict[str, Page]):
    park = world["park"]
    park.open("/review").reads("plan.approved").press("Verify the trail")
    park.reads("Verified").reads("each hash was computed again").reads("Signed notes of this installation")
    row = park.until(
        lambda: next((each for each in park.all("tbody tr") if "plan.approved" in each.text), None), "no approval"
    )
    row.find_element("css selector", "a").click()
    park.reads("What happened, in order").reads("plan version").reads("asked:")


def test_trail_is_filtered_by_event_and_agent(world: dict[str, Page]):
    park = world["park"]
    park.open("/review").reads("question.asked").write("Agent", "data_analysis").press("Show")
    park.until(
        lambda: (found := park.all("tbody tr")) and all("data_analysis" in each.text for each in found), "other agents"
    )


def test_employee_is_told_what_review_needs(world: dict[str, Page]):
    world["kim"].open("/review").reads("audit.read")
    assert not world["kim"].all("tbody tr")


def test_conversation_of_another_is_unknown(world: dict[str, Page]):
    kim, lee = world["kim"], world["lee"]
    kim.open("/").ask("Sales in July 2026").reads("This plan waits for approval")
    path = kim.run("return location.pathname")
    lee.open(path).find(".notice")
    assert "Sales in July 2026" not in lee.text


def test_deleted_conversation_comes_back_until_it_is_carried_out(world: dict[str, Page]):
    lee = world["lee"]
    lee.open("/").ask("Sales in June 2026").reads("This plan waits for approval")
    lee.open("/sessions").reads("Sales in June 2026").press("Delete: Sales in June 2026")
    lee.reads("will be deleted in").press("Undo").reads_not("will be deleted in")
    lee.find("a[href^='/s/'].row-link")
    assert "Sales in June 2026" in lee.find(".page").text


def test_memory_is_added_and_forgotten(world: dict[str, Page]):
    kim = world["kim"]
    kim.open("/memory").write("Tell it something to remember", "My region is Busan").press("Remember")
    kim.reads("Remembered.").reads("My region is Busan").press("Forget: My region is Busan")
    kim.until(lambda: "My region is Busan" not in kim.find(".page ul, .page .empty").text, "still remembered")


def test_session_ended_elsewhere_leads_to_the_log_in(world: dict[str, Page], tmp_path: Path):
    park = world["park"]
    park.open("/memory").press("Log out").reads("Password")
    park.open("/review").reads("Password")
