"""Two people and a reviewer in windows of their own: one asks, another decides with an edit, the first sees it happen."""

from __future__ import annotations

import secrets

from tests.support.browser import Chromium, Page
from tests.web.conftest import Team


def waiting_plan(asker: Page, approver: Page) -> str:
    """Find the plan of what was asked among those that wait; what selects it."""
    session = str(asker.run("return location.pathname")).removeprefix("/s/")
    plan = f"#waiting-{session}"
    approver.open("/approvals").find(plan)
    return plan


def test_approver_edits_a_plan_and_the_asker_sees_it(choi: Page, lee: Page):
    choi.open("/").ask("Write a report on October 2026 sales by region")
    choi.reads("This plan waits for approval").reads("Write the document")
    plan = waiting_plan(choi, lee)
    lee.press("Drop step s2", plan).reads("Will be approved as: drop s2")
    lee.write("Reason (on record)", "figures only", plan).press("Approve with changes", plan)
    lee.until(lambda: not lee.all(plan), "it still waits")
    choi.find(".data tbody tr")
    choi.reads("Sales by region, October 2026")
    assert "PDF" not in [each.text for each in choi.all(".card-head a")]


def test_page_that_was_cut_off_misses_nothing(choi: Page, lee: Page):
    choi.open("/").ask("Sales in May 2026").reads("This plan waits for approval")
    choi.find(".composer textarea").send_keys("half a question")
    choi.run("window.socket.disconnect()")
    plan = waiting_plan(choi, lee)
    lee.press("Approve", plan).until(lambda: not lee.all(plan), "it still waits")
    assert "This plan waits for approval" in choi.text
    choi.run("window.socket.connect()")
    choi.find(".actions")
    assert len(choi.all(".turn")) == 1
    choi.until(
        lambda: choi.find(".composer textarea").get_attribute("value") == "half a question",
        "the draft is gone",
    )


def test_rejected_plan_runs_nothing_and_says_why(choi: Page, lee: Page):
    choi.open("/").ask("Sales in September 2026").reads("This plan waits for approval")
    plan = waiting_plan(choi, lee)
    lee.write("Reason (on record)", "not this month", plan).press("Reject", plan)
    lee.until(lambda: not lee.all(plan), "it still waits")
    choi.reads("not this month")
    assert not choi.all(".data")


def test_edit_in_words_that_does_not_fit_changes_nothing(choi: Page):
    choi.open("/").ask("Sales in August 2026").reads("This plan waits for approval")
    choi.press("Change in words").write("Change in words", "drop s9").press("Approve")
    choi.reads("s9").reads("This plan waits for approval")
    choi.press("Approve")
    choi.find(".actions")


def test_reviewer_follows_the_answer_and_verifies_the_trail(choi: Page, park: Page):
    choi.open("/").ask("Sales in May 2026").press("Approve").find(".actions")
    park.open("/review").reads("Plan approved").press("Verify the trail")
    park.reads("Verified").reads("each hash was computed again").reads("Signed notes of this installation")
    row = park.until(
        lambda: next((each for each in park.all("tbody tr") if "Plan approved" in each.text), None),
        "no approval",
    )
    row.find_element("css selector", "a").click()
    park.reads("What happened, in order").reads("plan version").reads("asked:")


def test_trail_is_filtered_by_event_and_agent(kim: Page, park: Page):
    kim.open("/").ask("Sales in May 2026").find(".actions")
    park.open("/review").reads("Question asked").write("Agent", "data_analysis").press("Show")
    park.until(
        lambda: (found := park.all("tbody tr")) and all("data_analysis" in each.text for each in found),
        "other agents",
    )


def test_employee_is_told_what_review_needs(choi: Page):
    choi.open("/review").reads("read the audit trail (audit.read)")
    assert not choi.all("tbody tr")
    assert "Verify the trail" not in choi.text


def test_conversation_of_another_is_unknown(choi: Page, lee: Page):
    choi.open("/").ask("Sales in July 2026").reads("This plan waits for approval")
    path = choi.run("return location.pathname")
    lee.open(path).reads("There is no such conversation.").press("Your conversations").find(".page h1")
    assert "Sales in July 2026" not in lee.text


def test_deleted_conversation_comes_back_until_it_is_carried_out(lee: Page):
    lee.open("/").ask("Sales in June 2026").find(".actions")
    lee.open("/sessions").reads("Sales in June 2026").press("Delete: Sales in June 2026")
    lee.reads("will be deleted in").press("Undo").reads_not("will be deleted in")
    lee.find("a[href^='/s/'].row-link")
    assert "Sales in June 2026" in lee.find(".page").text


def test_memory_is_added_and_forgotten(choi: Page):
    told = f"My desk is {secrets.randbelow(10**6)}"
    choi.open("/memory").write("Tell it something to remember", told).press("Remember")
    choi.reads("Remembered.").reads(told).press(f"Forget: {told}")
    choi.until(lambda: told not in choi.find(".page ul, .page .empty").text, "still remembered")


def test_session_ended_elsewhere_leads_to_the_log_in(served_team: Team, browser: Chromium):
    page = browser.page(served_team.address).log_in("park")
    page.open("/memory").press("Log out").reads("Password")
    page.open("/review").reads("Password")
    page.leave()
