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
    lee.press("Leave out the step “Write the document”", plan)
    lee.reads("Will be approved as: Leave out the step “Write the document”")
    lee.write("Reason (on record)", "figures only", plan).press("Approve with changes", plan)
    lee.until(lambda: not lee.all(plan), "it still waits")
    choi.find(".data tbody tr")
    choi.reads("Sales by region, October 2026")
    assert "PDF" not in [each.text for each in choi.all(".card-head a")]


def test_cards_are_moved_and_changed_before_they_run(choi: Page, lee: Page):
    choi.open("/").ask("Write a report on October 2026 sales by region").reads("This plan waits for approval")
    plan = waiting_plan(choi, lee)
    lee.press("Move the step “Write the document” up", plan)
    lee.reads("Will be approved as: In this order: Write the document → Analyse the data")
    lee.press("Move the step “Write the document” down", plan).reads_not("Will be approved as: In this")
    lee.press("Settings left open", plan).write("File formats", '["pdf"]', plan)
    lee.press("Approve", plan).until(lambda: not lee.all(plan), "it still waits")
    choi.find(".pages img")
    assert [each.text for each in choi.all(".card-head a[download]") if each.text in {"PDF", "DOCX"}] == [
        "PDF"
    ]


def test_decider_looks_at_what_would_be_stored(choi: Page, lee: Page):
    choi.open("/").ask("Sales by region in October 2026").press("Approve").find(".actions")
    choi.ask("Save that").reads("Store it where it belongs").reads("Changes something outside")
    plan = waiting_plan(choi, lee)
    lee.press("As it will be: Sales by region, October 2026", plan)
    assert "Seoul" in lee.until(lambda: lee.find(".sheet .data tbody").text, "no table")
    choi.press("As it will be: Sales by region, October 2026")
    assert "Seoul" in choi.until(lambda: choi.find(".sheet .data tbody").text, "no table")
    lee.press("Close", ".sheet").press("How it would be stored", plan).reads("As the file Sales_by_region")


def test_decider_sees_what_was_made_before_it_is_stored(choi: Page, lee: Page):
    choi.open("/").ask("Analyze sales by region in October 2026 and save it")
    choi.reads("This plan waits for approval")
    plan = waiting_plan(choi, lee)
    lee.press("Approve, show me before it acts", plan).reads("Nothing has happened yet")
    lee.press("As it will be: Sales by region, October 2026", plan)
    assert "Seoul" in lee.until(lambda: lee.find(".sheet .data tbody").text, "no table")
    lee.press("Close", ".sheet").press("Go ahead", plan)
    lee.until(lambda: not lee.all(plan), "it still waits")
    choi.reads("Stored: ")


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


def test_reason_stays_while_other_plans_come_and_go(choi: Page, lee: Page):
    choi.open("/").ask("Sales in April 2026").reads("This plan waits for approval")
    plan = waiting_plan(choi, lee)
    lee.write("Reason (on record)", "half of a", plan)
    choi.open("/").ask("Sales in March 2026").reads("This plan waits for approval")
    another = f"#waiting-{str(choi.run('return location.pathname')).removeprefix('/s/')}"
    lee.find(another)
    choi.press("Approve").find(".actions")
    lee.until(lambda: not lee.all(another), "what was decided still waits")
    lee.write("Reason (on record)", " reason", plan).press("Reject", plan)
    lee.until(lambda: not lee.all(plan), "it still waits")
    choi.open("/sessions").press("Sales in April 2026", ".page")
    choi.reads("half of a reason")


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
    before = park.downloads()
    park.press("Export (verifiable)")
    assert b"plan.approved" in park.downloaded(before, ".jsonl")
    row = park.until(
        lambda: next((each for each in park.all("tbody tr") if "Plan approved" in each.text), None),
        "no approval",
    )
    row.find_element("css selector", "a").click()
    park.reads("What happened, in order").reads("A question that is sealed").reads("Plan version")
    park.reads("Fingerprint of the query").press("Show personal parts (on record)").reads(
        "“Sales in May 2026”"
    )
    park.reads("choi asked on")
    decided = park.until(
        lambda: next(each for each in park.all(".account li") if "Plan approved" in each.text), "no approval"
    )
    assert "By\nchoi" in decided.text


def shown_rows(page: Page, holds: str) -> list[str]:
    """Press Show, and wait until every row holds this; the rows."""
    page.press("Show")

    def all_hold() -> list[str] | None:
        rows = [each.text for each in page.all("tbody tr")]
        return rows if rows and all(holds in row for row in rows) else None

    return page.until(all_hold, f"rows without {holds!r}")


def test_trail_is_filtered_by_agent_event_outcome_and_time(kim: Page, park: Page):
    kim.open("/").ask("Sales in May 2026").find(".actions")
    park.open("/review").reads("Question asked").choose("Agent", "Analyse the data")
    shown_rows(park, "Analyse the data")
    park.choose("Agent", "any").choose("Event", "Plan made")
    shown_rows(park, "Plan made")
    park.choose("Event", "any").choose("Outcome", "valid")
    shown_rows(park, "valid")
    park.run(
        "const [box] = document.querySelectorAll('.filters input[type=date]'); box.value = '2100-01-01';"
        "box.dispatchEvent(new Event('input'))"
    )
    park.press("Show").reads("No entries match.")


def test_trail_is_filtered_by_the_name_of_a_person(kim: Page, choi: Page, park: Page):
    kim.open("/").ask("Sales in May 2026").find(".actions")
    choi.open("/").ask("Sales in May 2026").reads("This plan waits for approval")
    park.open("/review").reads("Question asked").write("Person", "choi")
    shown_rows(park, "person ")
    aliases = {each.text for each in park.all("tbody td:nth-child(6)")}
    assert len(aliases) == 1
    park.open("/review").reads("Question asked").write("Person", "kim")
    shown_rows(park, "person ")
    assert {each.text for each in park.all("tbody td:nth-child(6)")}.isdisjoint(aliases)


def test_trail_is_filtered_by_the_rule_that_found_something(kim: Page, park: Page):
    kim.open("/").ask("의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘").find(".actions")
    park.open("/review").find("tbody tr")
    park.write("Rule that found something", "medical_law/entertainment")
    rows = shown_rows(park, "Rules applied")
    assert any("blocked" in row for row in rows)
    park.write("Rule that found something", "_of_nobody").press("Show").reads("No entries match.")


def test_entry_is_read_in_words_before_it_is_read_bare(kim: Page, park: Page):
    kim.open("/").ask("Sales in May 2026").find(".actions")
    park.open("/review").find("tbody tr")
    park.choose("Event", "Agent ran")
    shown_rows(park, "Agent ran")
    park.find("tbody tr button").click()
    assert "Analyse the data" in park.until(lambda: park.find(".sheet .facts").text, "no words")
    assert not [each for each in park.all(".sheet pre") if each.is_displayed()]
    park.press("The entry as it is stored").reads('"prev"')


def test_employee_is_told_what_review_needs(choi: Page):
    choi.open("/review").reads("You do not have the right to read the audit trail.")
    assert "audit.read" not in choi.text, "names of rights are for administrators"
    assert not choi.all("tbody tr")
    assert "Verify the trail" not in choi.text


def test_menu_leads_to_no_refusal(kim: Page, park: Page):
    for person in (kim, park):
        person.open("/").find(".nav a")
        paths = [each.get_attribute("href") for each in person.all(".nav a")]
        for path in paths:
            person.open(str(path).removeprefix(person.address)).find(".page h1")
            person.until(lambda who=person: "Loading" not in who.text, "still loading")
            assert "may not do this" not in person.text, path
    assert not [each for each in park.all("a") if "New question" in each.text]


def test_address_of_nothing_says_so_in_words_of_the_page(kim: Page):
    for path in ("/documents/d1", "/knowledge/k1"):
        kim.open(path).reads("There is no such document.")
        assert "metaagent " not in kim.text, "commands are for the terminal"
    kim.open("/knowledge").write("Filter by title", "zzz").reads("No title contains “zzz”.")


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


def test_memory_is_corrected(choi: Page):
    old, new = (f"My desk is {secrets.randbelow(10**6)}" for _ in range(2))
    choi.open("/memory").write("Tell it something to remember", old).press("Remember").reads(old)
    choi.press(f"Correct: {old}")
    field = choi.find(".sheet input")
    field.clear()
    field.send_keys(new)
    choi.press("Save", ".sheet").reads("Corrected.").reads(new).reads_not(old)
    choi.open("/memory").reads(new)
    assert old not in choi.text


def test_session_ended_elsewhere_leads_to_the_log_in(served_team: Team, browser: Chromium):
    page = browser.page(served_team.address).log_in("park")
    page.open("/memory").press("Log out").reads("Password")
    page.open("/review").reads("Password")
    page.leave()
