"""Everybody can use the page: axe-core finds nothing against WCAG 2.2 A and AA, in both themes, on phones and desks."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.browser import DESKTOP, PHONE, Page
from tests.web.conftest import Window

PATHS = ("/", "/sessions", "/approvals", "/documents", "/knowledge", "/memory", "/agents", "/review")


@pytest.fixture
def page(window: Window) -> Page:
    return window("kim")


BESIDE = "document.elementFromPoint(innerWidth - 10, innerHeight / 2).click()"
"""A tap beside the menu that is open."""


def checked(page: Page, where: str) -> list[str]:
    """Violations of what is shown now, in every size and theme."""
    found: list[str] = []
    for size in (DESKTOP, PHONE):
        for theme in ("light", "dark"):
            page.sized(*size).themed(theme)
            page.find(f"body.body--{theme}")
            seen = page.violations(of_colours=theme == "dark")
            found += [f"{where} {size[0]} {theme} {each}" for each in seen]
    page.sized(*DESKTOP).themed("light")
    return found


@pytest.mark.parametrize("path", PATHS)
def test_page_has_no_violation(page: Page, path: str):
    page.open(path).find("h1")
    page.until(lambda: "Loading" not in page.text, "still loading")
    assert checked(page, path) == []


def test_answer_and_its_reasons_have_no_violation(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".actions")
    page.find(".chart-place svg")
    assert checked(page, "answer") == []
    page.press("Why?").reads("What was understood")
    page.press("The query, as it ran")
    assert checked(page, "why") == []


def test_question_back_and_citation_have_no_violation(page: Page):
    page.open("/").ask("Show me recent performance").find(".card.asks")
    assert checked(page, "question back") == []
    page.open("/").ask("What is the meal limit at a product briefing?").find(".cite").click()
    page.find(".sheet mark")
    assert checked(page, "citation") == []


def test_plan_that_waits_has_no_violation(choi: Page):
    choi.open("/").ask("Sales in October 2026").reads("This plan waits for approval")
    assert checked(choi, "plan") == []


def test_fields_of_a_plan_stay_in_their_card(choi: Page):
    choi.sized(*PHONE).open("/").ask("Write a report on October 2026 sales by region").find(".card.asks")
    choi.press("Settings left open").press("Change in words")
    out = (
        "return [...document.querySelectorAll('.card .input')].filter((each) =>"
        " each.getBoundingClientRect().right > each.closest('.plan-step, .card').getBoundingClientRect().right).length"
    )
    assert len(choi.all(".card .input")) > 3
    assert choi.run(out) == 0


def test_note_has_the_colours_of_the_theme(page: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    page.themed("dark").find("body.body--dark")
    page.press("Pin: Sales in October 2026").find(".toast-note")
    shown = "return getComputedStyle(document.querySelector('.toast-note .q-notification__message')).color"
    assert page.run(shown) == page.run("return getComputedStyle(document.body).backgroundColor")
    page.press("Unpin: Sales in October 2026")


def test_sheets_that_change_something_have_no_violation(page: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    for name in ("Rename", "Share"):
        page.press(f"{name}: Sales in October 2026").find(".sheet")
        assert checked(page, name) == []
        page.press("Close").until(lambda: not page.all(".sheet"), "it stays")
    page.open("/knowledge").press("Add a document").find(".sheet")
    assert checked(page, "add a document") == []


def test_single_things_have_no_violation(page: Page):
    page.open("/").ask("Write a report on October 2026 sales by region").find(".pages img")
    assert checked(page, "answer with a document") == []
    for path, ready in (("/knowledge", ".passage"), ("/documents", ".pages img")):
        page.open(path).find(".row-link").click()
        page.find(ready)
        assert checked(page, f"one of {path}") == []


def test_trail_of_a_reviewer_has_no_violation(page: Page, park: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    park.open("/review").press("Verify the trail").find(".notice.ok")
    assert checked(park, "review") == []
    park.find("td a").click()
    park.find(".account")
    assert checked(park, "account") == []
    park.press("Show personal parts (on record)").reads("“Sales in October 2026”")
    assert checked(park, "account with personal parts") == []
    park.find(".account li button").click()
    park.find(".sheet .facts")
    assert checked(park, "entry") == []


def test_check_and_its_rules_have_no_violation(page: Page):
    page.open("/").ask("의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘").press("Why?")
    page.reads("Which rules were applied")
    assert checked(page, "rules") == []


def test_korean_page_has_no_violation(page: Page):
    page.open("/").press("한국어로 보기").find(".example")
    assert checked(page, "Korean") == []


def test_everything_is_reached_by_keyboard(page: Page):
    page.open("/").find(".example")
    assert page.run("return document.querySelector('a[href], button, input, textarea').className") == "skip"
    page.run("document.querySelector('.skip').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER, "/")
    page.until(lambda: page.run("return document.activeElement.tagName") == "TEXTAREA", "not in the composer")
    page.driver.switch_to.active_element.send_keys("Sales in October 2026", Keys.ENTER)
    page.find(".actions")


def test_phone_has_no_sideways_scroll(page: Page):
    page.sized(*PHONE)
    for path in PATHS:
        page.open(path).find("h1")
        assert page.run("return document.documentElement.scrollWidth <= window.innerWidth"), path
    page.press("Menu").find("body.nav-open .side a")
    page.until(lambda: page.run(BESIDE) is None, "the menu stays")
    assert not page.all("body.nav-open")
