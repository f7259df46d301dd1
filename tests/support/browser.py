"""A real browser and a real server for tests of the page: headless Chromium from the system, driven over loopback.

Where there is no browser, `browser_or_skip` says so by name.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from websockets.sync.client import ClientConnection, connect

SECONDS = 60
"""The longest wait for anything on the page, however busy the machine is."""
DESKTOP, PHONE = (1280, 900), (390, 844)
PASSWORD = "correct horse battery staple"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip

COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""Rules of axe-core that another theme can break: the rest looks at what is there, and where."""

NOT_YET = (
    StaleElementReferenceException,
    NoSuchElementException,
    ElementClickInterceptedException,
    ElementNotInteractableException,
)

T = TypeVar("T")


class Page:
    """The page as one person sees and uses it in a browser."""

    def __init__(self, chromium: Chromium, address: str, cookies: Mapping[str, str]) -> None:
        self._chromium = chromium
        self._window = chromium.new_window(address, cookies)
        self.address = address

    @property
    def driver(self) -> webdriver.Chrome:
        """The browser, looking at this person's window."""
        return self._chromium.at(self._window)

    # --- going and looking --------------------------------------------------------------------------------

    def open(self, path: str) -> Page:
        self.driver.get(self.address + path)
        return self

    def log_in(self, name: str) -> Page:
        self.open("/login")
        self.find("input[name=name]").send_keys(name)
        self.find("input[type=password]").send_keys(PASSWORD, Keys.ENTER)
        self.find(".side-foot")
        return self

    def until(self, tried: Callable[[], T | bool | None], what: str) -> T:
        """The first thing that is something, within the time."""

        def look(_driver: object) -> Any:
            try:
                return tried()
            except NOT_YET:
                return None

        def failed() -> str:
            return f"{what}; the page says: {self.text[-1500:]!r}; the browser: {self.problems()}"

        try:
            return WebDriverWait(self.driver, SECONDS, 0.1).until(look)
        except Exception as error:
            raise AssertionError(failed()) from error

    def find(self, selector: str) -> WebElement:
        return self.until(lambda: next(iter(self.all(selector)), None), f"no {selector}")

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self) -> str:
        return self.driver.find_element(By.TAG_NAME, "body").text

    def reads(self, said: str) -> Page:
        """Wait until a person can read this."""
        self.until(lambda: said in self.text, f"nobody can read {said!r}")
        return self

    def reads_not(self, said: str) -> Page:
        self.until(lambda: said not in self.text, f"{said!r} is still there")
        return self

    def press(self, said: str, within: str = "body") -> Page:
        """Press the button or link with these words or this label."""

        def named(element: WebElement) -> bool:
            return element.is_displayed() and said in (
                element.text.strip(),
                element.get_attribute("aria-label"),
            )

        def found() -> WebElement | None:
            scope = self.driver.find_element(By.CSS_SELECTOR, within)
            return next(
                (each for each in scope.find_elements(By.CSS_SELECTOR, "button, a, summary") if named(each)),
                None,
            )

        def pressed() -> bool:
            element = found()
            if element is None:
                return False
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self.until(pressed, f"no button {said!r} to press")
        return self

    def write(self, label: str, said: str, within: str = "body") -> Page:
        """Write into the field with this label."""

        def named() -> str | None:
            labels = self.all(f"{within} label")
            return next(
                (each.get_attribute("for") for each in labels if each.get_property("textContent") == label),
                None,
            )

        name = self.until(named, f"no field {label!r}")
        self.until(lambda: self.find(f"#{name}").send_keys(said) is None, f"cannot write into {label!r}")
        return self

    def choose(self, label: str, said: str, within: str = "body") -> Page:
        """Choose what reads so in the list with this label."""
        listed = self.until(
            lambda: next(
                each.find_element(By.XPATH, "..").find_element(By.TAG_NAME, "select")
                for each in self.all(f"{within} .field label")
                if each.get_property("textContent") == label
            ),
            f"no list {label!r}",
        )
        Select(listed).select_by_visible_text(said)
        return self

    def leave(self) -> None:
        """Close the window, and forget everything that it was told."""
        self._chromium.close(self._window)

    def downloaded(self, before: Sequence[str], ending: str) -> bytes:
        """The file that came since, whole."""

        def come() -> bytes | None:
            new = [each for each in self.downloads() if each not in before and each.endswith(ending)]
            return (self._chromium.downloads / new[0]).read_bytes() if new else None

        return self.until(come, f"no file {ending} was downloaded")

    def downloads(self) -> list[str]:
        folder = self._chromium.downloads
        return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []

    def ask(self, question: str) -> Page:
        self.find(".composer textarea").send_keys(question, Keys.ENTER)
        return self

    # --- how it is shown ----------------------------------------------------------------------------------

    def sized(self, width: int, height: int) -> Page:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        return self

    def themed(self, theme: str) -> Page:
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        return self

    def problems(self) -> list[str]:
        """Complaints of the browser since it was asked last, but for those about other servers: windows share one log."""
        said = [each["message"] for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]
        return [each for each in said if self.address in each or "http://127.0.0.1" not in each]

    def run(self, script: str, *given: Any) -> Any:
        return self.driver.execute_script(script, *given)

    def violations(self, *, of_colours: bool = False) -> list[str]:
        """Findings of axe-core against WCAG 2.2 A and AA, one line each; all of them, or those that colours alone change."""
        if not self.run("return !!window.axe"):
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": _axe()})
        rules = {"type": "rule", "values": COLOUR_RULES}
        tags = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
        found = self.driver.execute_async_script(
            "const [only, done] = arguments;"
            "axe.run(document, {runOnly: only, resultTypes: ['violations']}).then((r) => done(r.violations))",
            rules if of_colours else tags,
        )
        return [
            f"{each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes'][:3]]}"
            for each in found
        ]


@cache
def _axe() -> str:
    import axe_core_python

    return (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


def browser_or_skip() -> tuple[str, str]:
    found = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not all(found):
        pytest.skip("no Chromium with its driver is installed: the page was not tried in a browser")
    return str(found[0]), str(found[1])


class Chromium:
    """One browser for many people: each has a window that shares nothing with the others' (cookies, storage)."""

    def __init__(self, driver: webdriver.Chrome, browser: ClientConnection, downloads: Path) -> None:
        self._driver = driver
        self._browser = browser
        self._number = 0
        self.downloads = downloads
        self._first = self._current = driver.current_window_handle
        self._contexts: dict[str, str] = {}

    def new_window(self, address: str, cookies: Mapping[str, str]) -> str:
        context = self.tell("Target.createBrowserContext")["browserContextId"]
        keeps = {"behavior": "allow", "downloadPath": str(self.downloads)}
        self.tell("Browser.setDownloadBehavior", browserContextId=context, **keeps)
        given = [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
        self.tell("Storage.setCookies", browserContextId=context, cookies=given)
        wanted = {"url": "about:blank", "browserContextId": context, "newWindow": True}
        window = self.tell("Target.createTarget", **wanted)["targetId"]
        self._contexts[window] = context
        return window

    def close(self, window: str) -> None:
        self.at(self._first)
        self.tell("Target.disposeBrowserContext", browserContextId=self._contexts.pop(window))

    def tell(self, method: str, **params: object) -> dict[str, Any]:
        """The answer of the browser itself: its windows may not ask it this."""
        self._number += 1
        self._browser.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (said := json.loads(self._browser.recv(SECONDS))).get("id") != self._number:
            continue
        return said["result"]

    def heard(self, method: str, *, until: str) -> list[dict[str, Any]]:
        """Values that the browser tells of under this name, until it says that there are no more."""
        found = list[dict[str, Any]]()
        while (said := json.loads(self._browser.recv(SECONDS))).get("method") != until:
            if said.get("method") == method:
                found += said["params"]["value"]
        return found

    def at(self, window: str) -> webdriver.Chrome:
        if window != self._current:
            self._driver.switch_to.window(window)
            self._current = window
        return self._driver

    def page(self, address: str, cookies: Mapping[str, str] | None = None) -> Page:
        """A new window, of somebody whom the site knows by these cookies alone."""
        page = Page(self, address, cookies or {}).sized(*DESKTOP).themed("light")
        page.problems()  # those of windows before it
        return page


def cookies_of(address: str, name: str) -> dict[str, str]:
    """Log somebody in, as a browser does; what it keeps."""
    given = {"name": name, "password": PASSWORD}
    with httpx.Client(base_url=address, headers={"Origin": address}, timeout=SECONDS) as client:
        answer = client.post("/login", data=given)
        assert answer.status_code == 303, answer.text
        return dict(client.cookies)


@contextmanager
def chromium(language: str = "en-US") -> Generator[Chromium]:
    binary, driver = browser_or_skip()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (*FLAGS, f"--user-data-dir={folder}", f"--lang={language}"):
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        made = webdriver.Chrome(options=options, service=Service(driver))
        try:
            made.set_script_timeout(SECONDS)
            about = made.capabilities["goog:chromeOptions"]["debuggerAddress"]
            address = httpx.get(f"http://{about}/json/version").json()["webSocketDebuggerUrl"]
            with connect(address, proxy=None, max_size=None) as browser:
                yield Chromium(made, browser, Path(folder) / "downloads")
        finally:
            made.quit()
