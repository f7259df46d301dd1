"""Conversations and documents in the page: renamed, pinned, shared, dropped, uploaded, downloaded, by mouse and by keys."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from docx import Document
from selenium.webdriver.common.keys import Keys

from tests.support.browser import PHONE, Page

REPORT = "Write a report on October 2026 sales by region"
DROP = """
const given = new DataTransfer();
given.items.add(new File([arguments[1]], arguments[0], {type: 'text/markdown'}));
for (const type of ['dragover', 'drop'])
  document.querySelector('.thread').dispatchEvent(new DragEvent(type, {dataTransfer: given, bubbles: true, cancelable: true}));
"""


def focused(page: Page) -> str:
    """The name of what the keys go to, as a screen reader says it."""
    said = "const e = document.activeElement; return e.getAttribute('aria-label') || e.textContent.trim() || e.tagName"
    return str(page.run(said))


def tabbed_to(page: Page, name: str) -> None:
    for _ in range(80):
        if focused(page) == name:
            return
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
    raise AssertionError(f"the keys do not lead to {name!r}; they are at {focused(page)!r}")


def test_conversation_is_renamed_and_pinned(kim: Page):
    kim.open("/").ask("Sales in April 2026").find(".actions")
    kim.press("Rename: Sales in April 2026")
    field = kim.find(".sheet input")
    field.clear()
    field.send_keys("Spring figures", Keys.ENTER)
    kim.reads("Renamed.").until(lambda: kim.find(".thread-head h1").text == "Spring figures", "the old title")
    kim.press("Pin: Spring figures").find("button[aria-label='Unpin: Spring figures']")
    kim.open("/sessions").find(".lines .line")
    assert "Spring figures" in kim.find(".lines .line").text
    headings = [each.text for each in kim.all(".side h2")]
    assert headings[0] == "Pinned"
    kim.press("Unpin: Spring figures").find("button[aria-label='Pin: Spring figures']")


def test_conversation_is_found_and_exported(kim: Page):
    kim.open("/").ask("Sales in February 2026").find(".actions")
    kim.open("/sessions").find(".lines .line")
    kim.write("Search conversations", "february").until(
        lambda: {each.text for each in kim.all(".lines .row-link")} == {"Sales in February 2026"},
        "others too",
    )
    before = kim.downloads()
    kim.press("Export without personal data: Sales in February 2026")
    assert kim.downloaded(before, "")
    kim.write("Search conversations", " of nobody").reads("No conversation contains")


def test_lost_connection_is_said_and_the_question_stays(kim: Page):
    kim.open("/").find(".example")
    kim.run("window.socket.disconnect()")
    kim.until(lambda: kim.run("return document.body.dataset.gone"), "still connected")
    kim.ask("Sales in January 2026").reads("Not connected to the server")
    assert kim.find(".composer textarea").get_attribute("value") == "Sales in January 2026"


def test_shared_conversation_is_read_by_a_colleague(kim: Page, lee: Page):
    kim.open("/").ask("Sales in March 2026").find(".actions")
    path = str(kim.run("return location.pathname"))
    lee.open(path).reads("There is no such conversation.")
    assert "Sales in March 2026" not in lee.text
    kim.press("Share: Sales in March 2026").reads("Nobody else can read it.")
    kim.write("Name of a colleague", "leo").press("Share", ".sheet").reads("Nobody called leo")
    kim.find(".sheet input").clear()
    kim.write("Name of a colleague", "lee").press("Share", ".sheet").reads("May be read by")
    lee.open("/sessions").reads("Shared with you").reads("by kim").press("Sales in March 2026")
    lee.reads("kim shares this conversation with you").find(".actions")
    assert not lee.all(".composer")
    assert not [each for each in lee.all("button") if each.text in {"Branch off here", "Rename"}]
    kim.open(path).press("Share: Sales in March 2026").press("Stop sharing: lee").reads(
        "Nobody else can read it."
    ).press("Close")
    lee.open(path).reads_not("kim shares")
    assert "Sales in March 2026" not in lee.text


def test_document_is_added_and_questions_are_answered_from_it(lee: Page, kim: Page, tmp_path: Path):
    handbook = tmp_path / "garage.md"
    handbook.write_text(
        "# Garage handbook\n\nElectric cars of visitors charge on level 9 of the south garage.\n"
    )
    lee.open("/knowledge").press("Add a document").find("#upload-file").send_keys(str(handbook))
    lee.press("Add a document", ".sheet").reads("Garage handbook")
    kim.open("/knowledge").reads("Garage handbook")
    kim.open("/").ask("Where do electric cars of visitors charge?").reads("level 9")
    kim.open("/knowledge").press("Add a document").find("#upload-file").send_keys(str(handbook))
    kim.press("Add a document", ".sheet").reads("knowledge.publish")


def test_document_is_removed_by_its_keepers_alone(lee: Page, kim: Page, tmp_path: Path):
    notice = tmp_path / "fridge.md"
    notice.write_text("# Fridge notice\n\nThe fridge of floor 4 is cleaned on Fridays.\n")
    lee.open("/knowledge").press("Add a document").find("#upload-file").send_keys(str(notice))
    lee.press("Add a document", ".sheet").reads("Fridge notice")
    kim.open("/knowledge").press("Fridge notice").reads("floor 4")
    assert not [each for each in kim.all("button") if "Delete" in each.text]
    lee.press("Fridge notice").press("Remove Fridge notice").reads("removed for good").press(
        "Delete", ".sheet"
    )
    lee.reads("Add a document").reads_not("Fridge notice")


def test_dropped_file_is_asked_about(kim: Page):
    kim.open("/").find(".example")
    kim.run(DROP, "badges.md", "# Badges\n\nLost badges are reported to desk 12.\n")
    kim.until(lambda: "uploading" not in kim.find(".composer .chip").text, "still uploading")
    kim.ask("Where are lost badges reported?").reads("desk 12")


def test_table_chart_and_document_are_downloaded(kim: Page):
    kim.open("/").ask("Sales by region in October 2026").find(".chart-place svg")
    for form, holds in (("CSV", b"Seoul"), ("XLSX", b"PK"), ("PNG", b"PNG"), ("SVG", b"<svg")):
        before = kim.downloads()
        kim.press(f"Download {form}")
        content = kim.downloaded(before, f".{form.lower()}")
        assert holds in content, form
        if form == "CSV":
            assert len(list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))) > 5
    kim.open("/").ask(REPORT).find(".pages img")
    for form, holds in (("PDF", b"%PDF-"), ("DOCX", b"PK")):
        before = kim.downloads()
        kim.press(f"Download {form}")
        assert kim.downloaded(before, f".{form.lower()}").startswith(holds)


def test_edited_word_file_becomes_a_new_version(kim: Page, tmp_path: Path):
    kim.open("/").ask(REPORT).find(".pages img")
    before = kim.downloads()
    kim.press("Download DOCX")
    edited = Document(io.BytesIO(kim.downloaded(before, ".docx")))
    words = next(each for each in edited.paragraphs if len(each.text) > 30)
    words.text = "The south was stronger than expected."
    file = tmp_path / "edited.docx"
    edited.save(str(file))
    kim.open("/documents").find(".row-link").click()
    kim.find("input[type=file]").send_keys(str(file))
    kim.reads("Version 2").find(".pages img")
    assert kim.find(".changes ins").text == "The south was stronger than expected."
    assert "summary." not in kim.find(".changes").text, "ids of blocks are for programs"
    assert not [each for each in kim.all("button") if each.text in {"Approve", "Release"}], "others decide"
    broken = tmp_path / "broken.docx"
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("word/document.xml", "<x")
    kim.find("input[type=file]").send_keys(str(broken))
    kim.find(".toast")
    kim.reads_not("Version 3")


def test_question_is_asked_and_followed_by_keys_alone(kim: Page):
    kim.open("/").find(".example")
    kim.run("document.querySelector('.skip').focus()")
    tabbed_to(kim, "Conversations")
    kim.run("document.querySelector('.skip').focus()")
    kim.driver.switch_to.active_element.send_keys("/")
    kim.driver.switch_to.active_element.send_keys("Sales by region in October 2026", Keys.ENTER)
    kim.find(".actions")
    kim.run("document.querySelector('.thread-head h1').focus()")
    tabbed_to(kim, "Why?")
    kim.driver.switch_to.active_element.send_keys(Keys.ENTER)
    kim.reads("What was understood")
    kim.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    kim.reads_not("What was understood")
    kim.until(lambda: focused(kim) == "Why?", "the keys are somewhere else after closing")


@pytest.mark.parametrize("path", ["/", "/sessions", "/documents", "/knowledge", "/memory", "/agents"])
def test_everything_that_can_be_used_has_a_name(kim: Page, path: str):
    kim.open(path).find("h1")
    kim.until(lambda: "Loading" not in kim.text, "still loading")
    tree = kim.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    used = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "img", "table"}
    nameless = [
        each
        for each in tree
        if not each.get("ignored")
        and each.get("role", {}).get("value") in used
        and not str(each.get("name", {}).get("value", "")).strip()
    ]
    assert nameless == []


BROKEN = "return [...document.querySelectorAll('.unbroken')].filter((each) => each.getClientRects().length > 1).length"


def test_dates_stay_on_one_line_of_a_phone(choi: Page):
    choi.open("/").ask(REPORT).reads("This plan waits for approval")
    choi.sized(*PHONE).find(".plan-step .unbroken")
    for width in range(320, 420, 9):
        choi.sized(width, 844)
        assert choi.run(BROKEN) == 0


def test_page_of_a_document_that_does_not_come_says_so(kim: Page):
    kim.open("/").ask(REPORT).find(".pages img")
    kim.run("document.querySelector('.pages img').src = '/page/nowhere.png'")
    said = "Page 1 could not be shown. The download has it."
    kim.until(lambda: kim.find(".pages img").get_attribute("alt") == said, "nothing is said")
