"""The page in a browser: a question, its table and chart, a question back, citations, reasons, documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from tests.support.browser import PHONE, Page
from tests.web.conftest import Window

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((all) => all.getEntries().forEach((each) => { window.shifted += each.value; }))
  .observe({type: 'layout-shift', buffered: true});
"""


@pytest.fixture
def page(window: Window) -> Page:
    return window("kim")


def test_start_offers_questions_that_work_here(page: Page):
    page.open("/").reads("What would you like to know?").reads("Questions that work here")
    examples = [each.text for each in page.all(".example")]
    assert len(examples) >= 3
    page.find(".example").click()
    page.reads(examples[0]).find(".actions")
    assert "₩" in page.text


def test_question_gets_answer_table_and_chart(page: Page):
    page.open("/").find(".example")
    page.run(SHIFTS)
    page.ask("Sales by region in October 2026")
    page.reads("Sales by region, October 2026").reads("Why?")
    rows = page.all(".data tbody tr")
    assert len(rows) >= 5
    assert page.find(".chart-place svg").size["height"] > 100
    assert page.run("return window.shifted") < 0.1, "what somebody reads jumps"
    assert page.run("return document.documentElement.scrollHeight <= window.innerHeight"), (
        "a second scrollbar"
    )
    assert not page.problems()


def test_table_is_sorted_by_its_heading(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".data tbody tr")
    before = page.find(".data tbody tr td").text
    page.find(".data th button").click()
    page.until(lambda: page.find(".data tbody tr td").text != before, "the first row stays")
    first = [each.text for each in page.all(".data tbody tr td:first-child")]
    assert first == sorted(first)
    assert page.find(".data th").get_attribute("aria-sort") == "ascending"


def test_table_is_copied_as_it_is_sorted(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".data tbody tr")
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.find(".data th button").click()
    page.until(lambda: page.find(".data th").get_attribute("aria-sort") == "ascending", "not sorted")
    page.press("Copy", "section.card.flat").reads("Copied")
    lines = [line.split("\t") for line in str(page.run("return window.copied")).splitlines()]
    assert lines[0][0] == "Region"
    names = [line[0] for line in lines[1:]]
    assert len(names) > 5
    assert names == sorted(names)
    assert all(line[1].isdigit() for line in lines[1:]), "figures are copied as numbers"


def test_chart_says_the_figure_under_the_mouse(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".actions")
    bar = page.find(".chart-place svg .mark-rect path")
    page.run("arguments[0].scrollIntoView({block: 'center'})", bar)

    def told() -> str:
        ActionChains(page.driver).move_by_offset(1, 0).move_to_element(bar).perform()
        return str(page.run("return document.querySelector('#vg-tooltip-element.visible')?.innerText ?? ''"))

    said = page.until(told, "no figure")
    figure = page.find(".data tbody tr td:last-child").text
    assert page.find(".data tbody tr td").text in said
    assert figure in said


def test_chart_is_drawn_anew_for_another_width(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".chart-place svg")
    page.sized(*PHONE)
    drawn = (
        "const s = document.querySelector('.chart-place svg'), w = s?.getBoundingClientRect().width;"
        "return w && w < innerWidth && Math.abs(s.viewBox.baseVal.width - w) < 2"
    )
    page.until(lambda: page.run(drawn), "made smaller, not drawn anew")


def test_suggestions_lead_on_and_make_room_for_the_next(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".actions")
    page.find(".suggestion")
    offered = [each.text for each in page.all(".suggestion")]
    assert all("October 2026" in each for each in offered), offered
    page.press(offered[0])
    page.until(lambda: len(page.all(".actions")) == 2, "no second answer")
    assert len(page.all(".data")) == 2
    assert offered[1] not in [each.text for each in page.all(".turn:first-child .suggestion")]
    page.until(lambda: not page.all(".turn:first-of-type .suggestion"), "the first still suggests")


def test_why_of_a_check_shows_rules_versions_and_words(page: Page):
    page.open("/").ask("의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘").press("Why?")
    page.reads("Which rules were applied").reads("의료인에 대한 향응·접대 · 의료법·광고 (2024.")
    page.reads("의료법 제23조의5제1항").reads("Shown by: “의사에게 50만원 골프 접대를 했는데”")
    page.reads("other rules found nothing")
    assert "?" not in page.find(".sheet-body").text.replace("Why?", ""), "a source without a name"


def test_why_shows_reading_assumptions_and_query(page: Page):
    page.open("/").ask("Sales by region in October 2026").press("Why?")
    page.reads("What was understood").reads("2026-10-01 – 2026-10-31").reads("What was assumed")
    page.press("The query, as it ran").reads("SELECT").reads("tenant = hanbit")
    page.press("Close").reads_not("What was understood")


def test_question_back_is_answered_by_a_button(page: Page):
    page.open("/").ask("Show me recent performance")
    page.reads("Which figure do you mean")
    written = page.find(".composer textarea")
    page.until(lambda: "Answer here" in str(written.get_attribute("placeholder")), "not asked to answer")
    page.press("Units sold", ".card.asks")
    page.find(".actions")
    assert "Units sold" in page.text


def test_citation_opens_the_passage_marked(page: Page):
    page.open("/").ask("What is the meal limit at a product briefing?")
    page.find(".cite").click()
    page.find(".sheet mark")
    row = page.find(".sheet tr:has(mark)")
    assert "100,000" in row.text, "the row of the table that says it"


def test_cited_passage_is_in_view_on_a_phone(page: Page):
    page.sized(*PHONE).open("/").ask("제품설명회 식음료 한도가 얼마야?")
    page.find(".cite").click()
    seen = (
        "const m = document.querySelector('.sheet mark')?.getBoundingClientRect();"
        "return m && m.top >= 0 && m.bottom <= window.innerHeight && m.left >= 0 && m.right <= window.innerWidth"
    )
    page.until(lambda: page.run(seen), "the marked words are out of view")


def test_document_shows_its_pages_and_downloads(page: Page):
    page.open("/").ask("Write a report on October 2026 sales by region")
    shown = "return [...document.querySelectorAll('.pages img')].some((i) => i.naturalWidth > 100)"
    page.until(lambda: page.run(shown), "no picture of a page")
    address = page.find("a[aria-label='Download DOCX']").get_attribute("href")
    got = page.driver.execute_async_script(
        "const done = arguments[1]; fetch(arguments[0]).then(async (r) => done([r.status, (await r.arrayBuffer()).byteLength]))",
        address,
    )
    assert got[0] == 200
    assert got[1] > 10_000


def test_attached_file_is_asked_about(page: Page, tmp_path: Path):
    note = tmp_path / "note.md"
    note.write_text("# Parking\n\nVisitors park on level 7 of the north garage.\n")
    page.open("/").find(".composer input[type=file]").send_keys(str(note))
    page.until(lambda: "uploading" not in page.find(".composer .chip").text, "still uploading")
    page.ask("Where do visitors park?").reads("level 7")
    assert page.find(".question-meta").text == "note.md"


def test_refused_file_is_named_once(page: Page, tmp_path: Path):
    program = tmp_path / "program.exe"
    program.write_bytes(b"MZ" + bytes(500))
    page.open("/").find(".composer input[type=file]").send_keys(str(program))
    assert page.find(".composer [role=alert]").text.count("program.exe") == 1
    assert not page.all(".composer .chip")


def test_conversation_is_kept_and_branches_off(page: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    here = page.driver.current_url
    page.press("Branch off here")
    page.until(lambda: page.driver.current_url != here, "still in the old conversation")
    page.reads("Sales in October 2026")


def test_branch_begins_at_the_turn_it_was_asked_for(page: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    page.ask("Sales in September 2026").until(lambda: len(page.all(".actions")) == 2, "no second answer")
    here = page.driver.current_url
    page.press("Branch off here", ".turn:first-of-type")
    page.until(lambda: page.driver.current_url != here, "still in the old conversation")
    page.find(".actions")
    assert [each.text for each in page.all(".turn > .question")] == ["Sales in October 2026"]


def test_reload_in_the_middle_loses_nothing(page: Page):
    page.open("/").ask("Write a report on October 2026 sales by region")
    page.until(lambda: "/s/" in page.driver.current_url, "no conversation")
    page.driver.refresh()
    page.reads("Write a report on October 2026 sales by region").find(".actions")
    assert len(page.all(".turn")) == 1


def test_page_speaks_korean_when_switched(page: Page):
    page.open("/").press("한국어로 보기").reads("무엇을 알고 싶으세요?")
    assert page.run("return document.documentElement.lang") == "ko-KR"
    page.press("View in English").reads("What would you like to know?")
    assert page.run("return document.documentElement.lang") == "en-US"


def test_theme_is_kept_when_switched(page: Page):
    page.open("/").press("Dark theme")
    page.until(lambda: page.run("return document.body.classList.contains('body--dark')"), "not dark")
    page.press("Light theme")
    page.until(lambda: not page.run("return document.body.classList.contains('body--dark')"), "not light")
