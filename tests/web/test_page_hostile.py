"""Hostile text in the page: no script of a question, a title, a memory, a document or a dataset cell runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.browser import Page, browsing
from tests.support.naughty_strings import naughty_strings
from tests.web.conftest import Team

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
NOT_RUN = "return window.__ran === undefined && !document.querySelector('#bait, .thread script, .thread iframe, .side script')"


@pytest.fixture(scope="module")
def page(served_team: Team) -> Generator[Page]:
    with browsing(served_team.address) as page:
        _poison(served_team.database)
        yield page.log_in("kim")


def _poison(database: Path) -> None:
    """Hospitals by the names of scripts, where everybody's sales are."""
    with closing(sqlite3.connect(database)) as connection, connection:
        found = connection.execute(
            "select distinct hospital_id from sales where company_id = 'hanbit' limit ?", (len(SCRIPTS),)
        )
        for (hospital,), name in zip(found.fetchall(), SCRIPTS, strict=False):
            connection.execute("update hospitals set name = ? where hospital_id = ?", (name, hospital))


def test_scripts_as_questions_stay_text(page: Page):
    for said in SCRIPTS:
        page.open("/").ask(said).find(".turn .question")
        page.reads(said)
        assert page.run(NOT_RUN), said
    page.open("/sessions").reads(SCRIPTS[0])
    assert page.run(NOT_RUN)


def test_scripts_in_cells_and_labels_stay_text(page: Page):
    page.open("/").ask("Sales by hospital in 2026").find(".data tbody tr")
    page.find(".chart-place svg")
    page.run("document.querySelector('.table-place + div button')?.click()")
    page.reads("onerror")
    assert page.run(NOT_RUN)


def test_scripts_in_memory_stay_text(page: Page):
    page.open("/memory")
    for said in SCRIPTS[:4]:
        page.write("Tell it something to remember", f"my note is {said}").press("Remember").reads(said)
    assert page.run(NOT_RUN)


def test_strings_that_break_software_are_shown_or_refused(page: Page):
    page.open("/memory").find("h1")
    shown = [each for each in naughty_strings() if each.strip() and each.isprintable()][:40]
    for said in shown:
        page.run("window.dispatchEvent(new CustomEvent('metaagent:toast', {detail: arguments[0]}))", said)
        assert page.run("return document.querySelector('.toast').textContent") == said
    assert page.run(NOT_RUN)


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
