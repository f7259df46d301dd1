"""The page in a browser beside a bare NiceGUI page: `python -m benchmarks.page`.

First paint and the time until one can type, cold (nothing cached) and warm, from the browser's own clock; the weight of what is
loaded; and the longest task of the browser while 200 rows and a chart appear, in CPU of the thread that draws: a busy machine
does not change it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tests.support.browser import Chromium, Page, chromium
from tests.support.page_world import team

ROUNDS = 5
BARE = """
import sys
from nicegui import app, ui

@ui.page("/")
def page():
    ui.textarea("question")

app.on_startup(lambda: print("ready", flush=True))
ui.run(host="127.0.0.1", port=int(sys.argv[1]), reload=False, show=False, show_welcome_message=False)
"""
TIMES = """
const paint = performance.getEntriesByName('first-contentful-paint')[0];
const loaded = [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')];
const sum = (name) => loaded.reduce((all, each) => all + (each[name] || 0), 0);
return [paint ? paint.startTime : 0, performance.now(), sum('transferSize'), sum('decodedBodySize'), loaded.length];
"""
ROWS_AND_CHART = "Monthly sales by region in 2026"
LEAST_ROWS = 100
COUNT = "return [...document.querySelectorAll('.data')].at(-1).querySelectorAll('tbody tr').length"
TASKS = "disabled-by-default-devtools.timeline,devtools.timeline,toplevel"


@contextmanager
def bare() -> Generator[str]:
    """A NiceGUI page with one box to write in, and nothing else."""
    port = 18_431
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "bare.py"
        program.write_text(BARE)
        with subprocess.Popen(
            [sys.executable, str(program), str(port)], stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                process.stdout.readline()
                yield f"http://127.0.0.1:{port}"
            finally:
                process.kill()


def opened(page: Page) -> list[float]:
    """Milliseconds to the first paint and until one can type; bytes on the way and unpacked; number of files."""
    page.open("/")
    page.until(lambda: page.run("return !!document.querySelector('textarea')"), "nothing to type in")
    return [float(each) for each in page.run(TIMES)]


def times(name: str, page: Page) -> None:
    for temperature in ("cold", "warm"):
        found = list[list[float]]()
        for _ in range(ROUNDS):
            if temperature == "cold":
                page.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            found.append(opened(page))
        paint, typing, sent, whole, files = (median(each) for each in zip(*found, strict=True))
        print(
            f"{name:10} {temperature}: first paint {paint:6.0f} ms, can type {typing:6.0f} ms, "
            f"{sent / 1e3:7.0f} kB sent, {whole / 1e3:7.0f} kB unpacked, {files:.0f} files"
        )


@contextmanager
def traced(browser: Chromium) -> Generator[list[dict[str, Any]]]:
    """Everything that the browser did meanwhile; there when it is over."""
    events = list[dict[str, Any]]()
    browser.tell("Tracing.start", traceConfig={"includedCategories": TASKS.split(",")})
    yield events
    browser.tell("Tracing.end")
    events += browser.heard("Tracing.dataCollected", until="Tracing.tracingComplete")


def longest_task(browser: Chromium, page: Page) -> None:
    """The first time, the browser reads the chart library; the second, it is there."""
    page.open("/").find(".example")
    for time in ("first", "second"):
        with traced(browser) as events:
            page.ask(ROWS_AND_CHART)
            page.until(lambda seen=time: len(page.all(".chart-place svg")) > (seen == "second"), "no chart")
            page.run("[...document.querySelectorAll('.table-place + div button')].at(-1)?.click()")
            page.until(lambda: page.run(COUNT) > LEAST_ROWS, "not all rows")
        rows, (cpu, wall, inner) = page.run(COUNT), longest(events)
        print(
            f"longest task while {rows} rows and a chart appear, {time} time: {cpu:.0f} ms CPU, {wall:.0f} ms wall ({inner})"
        )


def longest(events: Sequence[dict[str, Any]]) -> tuple[float, float, str]:
    """Milliseconds of CPU and of wall of the longest task of a page's main thread, and what it did longest."""
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"].get("name") == "CrRendererMain"
    }
    mine = [each for each in events if (each["pid"], each["tid"]) in threads and "tdur" in each]
    tasks = [each for each in mine if each["name"].endswith("RunTask")]
    top = max(tasks, key=lambda each: each["tdur"])
    within = [
        each
        for each in mine
        if each not in tasks
        and (each["pid"], each["tid"]) == (top["pid"], top["tid"])
        and top["ts"] <= each["ts"] <= top["ts"] + top["dur"]
    ]
    inner = sorted(within, key=lambda each: -each["tdur"])[:4]
    return (
        top["tdur"] / 1e3,
        top["dur"] / 1e3,
        ", ".join(f"{each['name']} {each['tdur'] / 1e3:.0f}" for each in inner),
    )


def main() -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        _measured(browser, Path(folder))


def _measured(browser: Chromium, folder: Path) -> None:
    with bare() as address:
        times("NiceGUI", browser.page(address))
    with team(folder / "data") as address:
        page = browser.page(address).log_in("kim")
        times("metaagent", page)
        longest_task(browser, page)


if __name__ == "__main__":
    main()
