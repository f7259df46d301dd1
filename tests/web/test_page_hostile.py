"""Hostile text in the page: no script of a question, a title, a memory, a document or a dataset cell runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.naughty_strings import naughty_strings
from tests.web.conftest import Team, Window

RUN = "window.__ran = (window.__ran || 0) + 1"
SCRIPTS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'></svg>",
    f"</script><script>{RUN}</script>",
    f"`${{{RUN}}}`",
    f"{{{{{RUN}}}}}",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"javascript:{RUN}",
    f'<iframe srcdoc="<script>parent.{RUN.replace("window", "parent")}</script>"></iframe>',
    f"<a href='javascript:{RUN}' id=bait>x</a>",
    f"<details open ontoggle='{RUN}'>",
    f"';{RUN};//",
    f"\"><body onload='{RUN}'>",
    f"[1](javascript:{RUN})",
)
NAUGHTY = [each for each in naughty_strings() if each.strip() and "\x00" not in each]
DROP = """
const given = new DataTransfer();
for (const name of arguments[0]) given.items.add(new File(['# A note'], name, {type: 'text/markdown'}));
document.querySelector('.thread').dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}));
"""
RENAME = """
const [path, titles, done] = arguments;
(async () => {
  const said = [];
  for (const title of titles) {
    const given = {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({title})};
    said.push((await fetch(path, given)).status);
  }
  done(said);
})();
"""
NOT_RUN = "return window.__ran === undefined && !document.querySelector('#bait, .thread script, .thread iframe, .side script')"


@pytest.fixture
def page(window: Window) -> Page:
    return window("kim")


def poison(database: Path) -> None:
    """Hospitals by the names of scripts and of strings that break software, where everybody's sales are."""
    with closing(sqlite3.connect(database)) as connection, connection:
        found = connection.execute("select hospital_id from sales where company_id = 'hanbit' group by 1")
        for (hospital,), name in zip(found.fetchall(), (*SCRIPTS, *NAUGHTY), strict=False):
            connection.execute("update hospitals set name = ? where hospital_id = ?", (name, hospital))


def test_scripts_as_questions_stay_text(page: Page):
    for said in SCRIPTS:
        page.open("/").ask(said).find(".turn .question")
        page.reads(said)
        assert page.run(NOT_RUN), said
    page.open("/sessions").reads(SCRIPTS[0])
    assert page.run(NOT_RUN)


def test_scripts_in_cells_and_labels_stay_text(served_team: Team, page: Page):
    poison(served_team.database)
    page.open("/").ask("Sales by hospital in 2026").find(".data tbody tr")
    page.find(".chart-place svg")
    page.run("document.querySelector('.table-place + div button')?.click()")
    page.reads("onerror")
    assert page.run(NOT_RUN)


def test_hostile_names_of_files_stay_text(page: Page):
    page.open("/").find(".example")
    names = [each.replace("/", "∕") + ".md" for each in SCRIPTS[:6]]
    page.run(DROP, names)
    page.until(lambda: len(page.all(".composer .chip")) == len(names), "not all files are there")
    page.until(lambda: all("uploading" not in each.text for each in page.all(".composer .chip")), "uploading")
    assert [each.text for each in page.all(".composer .chip .clip")] == names
    assert page.run(NOT_RUN)


def test_any_name_of_a_file_stays_text(page: Page):
    page.open("/").find(".example")
    page.run("window.fetch = async () => new Response(JSON.stringify({id: 'f1'}), {status: 201})")
    names = [each.replace("/", "∕") for each in (*SCRIPTS, *NAUGHTY)]
    page.run(DROP, names)
    page.until(lambda: len(page.all(".composer .chip")) == len(names), "not all files are there")
    shown = page.run(
        "return [...document.querySelectorAll('.composer .chip .clip')].map((e) => e.textContent)"
    )
    assert shown == [page.run("return new File([], arguments[0]).name", each) for each in names]
    assert page.run(NOT_RUN)


def test_hostile_titles_are_shown_or_refused(page: Page):
    page.open("/").ask("Sales in October 2026").find(".actions")
    session = str(page.run("return location.pathname")).removeprefix("/s/")
    said = page.driver.execute_async_script(RENAME, f"/api/v1/sessions/{session}", [*NAUGHTY, *SCRIPTS])
    assert {*said} <= {200, 422}
    assert said.count(200) > len(said) // 2
    page.open("/sessions").reads(SCRIPTS[-1])
    assert page.run(NOT_RUN)


def test_hostile_passages_stay_text(page: Page, tmp_path: Path):
    file = tmp_path / "hostile.txt"
    file.write_text("\n\n".join((*SCRIPTS, *NAUGHTY)), encoding="utf-8")
    page.open("/knowledge").press("Add a document").find("#upload-file").send_keys(str(file))
    page.run("document.querySelector('#upload-mine').value = 'true'")
    page.press("Add a document", ".sheet").until(
        lambda: any("hostile" in each.text for each in page.all(".row-link")), "it was not added"
    )
    page.until(
        lambda: next(each for each in page.all(".row-link") if "hostile" in each.text).click() is None,
        "no link",
    )
    page.reads(SCRIPTS[1])
    assert page.run(NOT_RUN)


def test_scripts_in_memory_stay_text(page: Page):
    page.open("/memory")
    for said in SCRIPTS[:4]:
        page.write("Tell it something to remember", f"my note is {said}").press("Remember").reads(said)
    assert page.run(NOT_RUN)


def test_strings_that_break_software_are_shown_or_refused(page: Page):
    page.open("/memory").find("h1")
    for said in [each for each in NAUGHTY if each.isprintable()][:40]:
        page.run("window.dispatchEvent(new CustomEvent('metaagent:toast', {detail: arguments[0]}))", said)
        assert page.run("return document.querySelector('.toast').textContent") == said
    assert page.run(NOT_RUN)


def test_page_loads_nothing_from_elsewhere(page: Page):
    page.open("/").ask("Sales by region in October 2026").find(".chart-place svg")
    loaded = page.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert len(loaded) > 5
    assert [each for each in loaded if not each.startswith((page.address, "data:", "blob:"))] == []


def test_page_runs_no_script_without_its_nonce(page: Page):
    page.open("/").find(".composer")
    page.run("document.body.insertAdjacentHTML('beforeend', `<img src=x onerror='window.__inline = 1'>`)")
    page.run(
        "const s = document.createElement('script'); s.textContent = 'window.__inline = 1'; document.body.append(s)"
    )
    page.until(
        lambda: any("Content Security Policy" in each for each in page.problems()), "nothing was refused"
    )
    assert page.run("return window.__inline === undefined")
