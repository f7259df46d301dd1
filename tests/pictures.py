"""Pictures of the page in its states, to be looked at: `python -m tests.pictures FOLDER [--only WORD]`.

Each state in both languages and themes, on a desk and on a phone; and a sheet for each state with all of them beside each other.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest.mock import patch

import sqlalchemy as sa
from PIL import Image
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from metaagent.acting.person import Acting
from metaagent.errors import Text
from metaagent.plugin import AgentSpec
from metaagent.ports import Json, User
from metaagent.registry import LoadProblem
from metaagent.runtime import MetaAgent
from metaagent.storage.tables import turns
from metaagent.testing.scripted_model import ScriptedChatModel
from metaagent.web import server
from metaagent.web.page import answer, documents
from metaagent.web.page.words import Words
from metaagent.web.problems import LANGUAGE_COOKIE
from tests.support.agents import Runs, drawing, failing, figures, gate, opened, worker
from tests.support.browser import DESKTOP, PASSWORD, PHONE, Chromium, Page, chromium, cookies_of
from tests.support.data_world import make_company
from tests.support.gate_world import World, checking, storing, writing
from tests.support.page_world import SETTINGS
from tests.support.web import POLICIES, listening

T = TypeVar("T")
TALLEST = 2600
LEFT = (
    "return Math.max(0, ...[...document.querySelectorAll('.scroll, .sheet-body, .side')]"
    ".map((each) => each.scrollHeight - each.clientHeight))"
)
PEOPLE = {
    "kim": ("employee", "analyst"),
    "choi": ("employee", "analyst", "trainee"),
    "lee": ("employee", "analyst", "approver", "librarian"),
    "park": ("reviewer",),
    "han": ("compliance_officer", "approver"),
    "oh": ("security_officer",),
}
STAFF = {name: (*roles, "staff") if "analyst" in roles else roles for name, roles in PEOPLE.items()}


def tell(said: str) -> None:
    sys.stderr.write(f"{said}\n")


async def done(work: Callable[[], T]) -> T:
    return await asyncio.to_thread(work)


@dataclass
class Studio:
    """A server, the windows of people, and where the pictures go."""

    app: MetaAgent
    address: str
    browser: Chromium
    language: str
    into: Path
    only: str
    pages: dict[str, Page] = field(default_factory=dict[str, Page])
    taken: int = 0

    @property
    def say(self) -> Words:
        return Words(self.language)

    def q(self, en: str, ko: str) -> str:
        return ko if self.language == "ko" else en

    def page(self, name: str) -> Page:
        """The window of somebody who is logged in, in the language of these pictures."""
        if name not in self.pages:
            kept = {**cookies_of(self.address, name), LANGUAGE_COOKIE: self.language}
            self.pages[name] = self.browser.page(self.address, kept)
        return self.pages[name]

    def stranger(self, address: str = "") -> Page:
        """The window of somebody who is not logged in."""
        at = address or self.address
        if f"stranger {at}" not in self.pages:
            self.pages[f"stranger {at}"] = self.browser.page(at, {LANGUAGE_COOKIE: self.language})
        return self.pages[f"stranger {at}"]

    def take(self, page: Page, name: str, *, whole: bool = True) -> None:
        """Take the four pictures of this state in this language; `whole` is as tall as what it holds."""
        if self.only not in name:
            return
        for size in (DESKTOP, PHONE):
            for theme in ("light", "dark"):
                page.sized(*size).themed(theme)
                if page.all(".frame"):
                    page.find(f"body.body--{theme}")
                time.sleep(0.45)
                height = size[1] + int(page.run(LEFT)) if whole else size[1]
                if height > size[1]:
                    page.sized(size[0], min(height, TALLEST))
                    time.sleep(0.3)
                shot = page.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
                file = self.into / f"{name}.{self.language}.{theme}.{size[0]}.png"
                file.write_bytes(base64.b64decode(shot["data"]))
                self.taken += 1
        page.sized(*DESKTOP).themed("light")


@asynccontextmanager
async def studio(
    meta: Any, people: dict[str, tuple[str, ...]], browser: Chromium, language: str, into: Path, only: str
) -> AsyncGenerator[Studio]:
    async with AsyncExitStack() as stack:
        app: MetaAgent = await stack.enter_async_context(meta)
        for name, roles in people.items():
            await app.accounts.add(name, User(name, "local", roles), PASSWORD, user=User())
        address = await stack.enter_async_context(listening(server.create_app(app, app.settings)))
        made = Studio(app, address, browser, language, into, only)
        yield made
        for page in made.pages.values():
            await done(page.leave)


# --- the demonstration company ----------------------------------------------------------------------------


async def company(shots: Studio) -> None:
    await shots.app.ingest_domain()
    for scene in (start, answers, plans, papers, checks, lists, marking, attaching, keeping, review, waits):
        try:
            await done(lambda each=scene: each(shots))
        except AssertionError as error:
            tell(f"{scene.__name__} ({shots.language}): {str(error)[:120]} … {str(error)[-600:]}")


def start(shots: Studio) -> None:
    kim = shots.page("kim")
    kim.open("/").find(".example")
    shots.take(kim, "start")
    kim.sized(*PHONE).press(shots.say("menu")).find("body.nav-open .side a")
    shots.take(kim, "menu", whole=False)
    for path in ("sessions", "documents", "approvals", "memory"):
        kim.open(f"/{path}").find("h1")
        time.sleep(0.4)
        shots.take(kim, f"{path}-empty")
    park = shots.page("park")
    park.open("/").find("h1")
    shots.take(park, "start-reviewer")
    kim.open("/nowhere").find("h1")
    shots.take(kim, "not-found")


def answers(shots: Studio) -> None:
    kim, say = shots.page("kim"), shots.say
    kim.open("/").ask(shots.q("Sales by region in October 2026", "2026년 10월 지역별 매출"))
    kim.find(".actions")
    kim.find(".chart-place svg")
    kim.find(".suggestion")
    shots.take(kim, "answer")
    kim.press(say("why")).press(say("why_sql"))
    shots.take(kim, "why")
    kim.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/vega.js*"]})
    kim.driver.execute_cdp_cmd("Network.enable", {})
    kim.open(str(kim.run("return location.pathname"))).reads(say("chart_failed"))
    shots.take(kim, "chart-failed")
    kim.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    kim.open("/").ask(shots.q("Why did sales fall in October 2026?", "2026년 10월 매출이 왜 줄었어?"))
    kim.find(".actions")
    shots.take(kim, "explained")
    kim.open("/").ask(shots.q("Show me recent performance", "최근 실적 보여줘")).find(".card.asks")
    shots.take(kim, "question-back")
    kim.open("/").ask(
        shots.q("What is the meal limit at a product briefing?", "제품설명회 식사 한도가 얼마야?")
    )
    kim.find(".cite").click()
    kim.find(".sheet mark")
    shots.take(kim, "citation")
    kim.open("/").ask("asdf qwer zxcv").find(".actions, .card.asks")
    shots.take(kim, "not-understood")


def plans(shots: Studio) -> None:
    choi, lee, say = shots.page("choi"), shots.page("lee"), shots.say
    report = shots.q(
        "Write a report on October 2026 sales by region", "2026년 10월 지역별 매출 보고서를 작성해줘"
    )
    choi.open("/").ask(report).reads(say("plan_waits"))
    shots.take(choi, "plan-waits")
    lee.open("/approvals").find(".plan-step")
    shots.take(lee, "approvals")
    lee.find(".plan-step:nth-child(2) button:last-of-type").click()
    lee.press(say("edit_words"))
    shots.take(lee, "approvals-edited")
    lee.write(say("reason"), shots.q("not this month", "이번 달은 보류")).press(say("reject"))
    lee.find(".toast-note, .empty")
    shots.take(lee, "toast-rejected", whole=False)
    choi.find(".actions")
    shots.take(choi, "plan-rejected")
    asked = shots.q(
        "Analyze sales by region in October 2026 and save it", "2026년 10월 지역별 매출을 분석하고 저장해줘"
    )
    choi.open("/").ask(asked).reads(say("plan_waits"))
    lee.open("/approvals").find(".plan-step")
    lee.press(say("approve_show")).reads(say("effect_waits"))
    shots.take(lee, "effect-waits")
    lee.press(say("would_store")).find(".sheet")
    shots.take(lee, "effect-preview")
    lee.press(say("close")).press(say("let_happen"))
    choi.find(".actions")
    shots.take(choi, "stored")


def papers(shots: Studio) -> None:
    kim, say = shots.page("kim"), shots.say
    kim.open("/").ask(
        shots.q("Write a report on October 2026 sales by region", "2026년 10월 지역별 매출 보고서를 작성해줘")
    )
    kim.find(".pages img")
    time.sleep(1)
    shots.take(kim, "answer-document")
    kim.ask(shots.q("Change the title to October figures", "제목을 10월 실적으로 바꿔줘"))
    kim.until(lambda: len(kim.all(".actions")) == 2, "no second answer")
    kim.open("/documents").find(".row-link")
    shots.take(kim, "documents")
    kim.find(".row-link").click()
    kim.find(".pages img")
    time.sleep(1)
    shots.take(kim, "document")
    kim.open("/knowledge").find(".row-link")
    shots.take(kim, "knowledge")
    kim.find(".row-link").click()
    kim.find(".passage")
    shots.take(kim, "knowledge-one", whole=False)
    lee = shots.page("lee")
    lee.open("/knowledge").press(say("knowledge_add")).find(".sheet")
    shots.take(lee, "knowledge-add")


def checks(shots: Studio) -> None:
    kim, say = shots.page("kim"), shots.say
    for name, said in {
        "verdict": "의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘",
        "verdict-clear": shots.q(
            "Check: a product briefing with a lunch of 30,000 won for a doctor",
            "제품설명회에서 의사에게 3만원 점심을 제공한 것이 규정 위반인지 검토해줘",
        ),
    }.items():
        kim.open("/").ask(said).find(".actions, .card.asks")
        shots.take(kim, name)
    kim.open("/").ask("의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘").press(say("why")).reads(
        say("why_rules")
    )
    shots.take(kim, "verdict-why")


def lists(shots: Studio) -> None:
    kim, lee, oh, say = shots.page("kim"), shots.page("lee"), shots.page("oh"), shots.say
    kim.open("/sessions").find(".row-link")
    kim.find(".line button").click()  # pins the first
    kim.find(".toast-note")
    shots.take(kim, "toast-pinned", whole=False)
    shots.take(kim, "sessions")
    kim.open("/sessions").find(".row-link")
    kim.write(say("search_sessions"), "zzz").find(".empty")
    shots.take(kim, "sessions-none")
    kim.open("/sessions").find(".line button.danger").click()
    shots.take(kim, "sessions-deleting", whole=False)
    kim.press(say("undo"))
    lee.open("/memory").write(say("memory_add"), say("memory_hint")).press(say("remember"))
    lee.find(".page li")
    shots.take(lee, "memory")
    problem = Text(en="Install it again.", ko="다시 설치하세요.")
    object.__setattr__(shots.app.registry, "problems", (LoadProblem("mailing", "mail-kit", problem),))
    kim.open("/agents").find(".cards .card")
    shots.take(kim, "agents")
    oh.open("/agents").find(".cards .card")
    oh.find(".card button.danger").click()
    oh.find(".chip.warn")
    shots.take(oh, "agents-switched")
    oh.find(".card .row-line button:not(.danger)").click()


def labelled(page: Page, label: str, within: str = ".line") -> WebElement:
    """The first button whose label begins so."""
    return page.find(f"{within} [aria-label^='{label}']")


def marking(shots: Studio) -> None:
    """Rename, share and branch off; and what colleagues see of it."""
    kim, lee, say = shots.page("kim"), shots.page("lee"), shots.say
    kim.open("/sessions").find(".row-link")
    labelled(kim, say("rename")).click()
    kim.find(".sheet input")
    shots.take(kim, "session-rename", whole=False)
    kim.press(say("close"), ".sheet").reads_not(say("save"))
    labelled(kim, say("share")).click()
    kim.find(".sheet .empty")
    shots.take(kim, "session-shared-with-nobody", whole=False)
    kim.write(say("share_person"), "somebody", ".sheet").press(say("share"), ".sheet").find(".toast-note")
    shots.take(kim, "toast-share-refused", whole=False)
    kim.find(".sheet input").send_keys(Keys.CONTROL, "a")
    kim.write(say("share_person"), "lee", ".sheet").press(say("share"), ".sheet").find(".sheet .line")
    kim.press(say("share_all"), ".sheet").reads(say("everybody"))
    shots.take(kim, "session-shared", whole=False)
    kim.press(say("close"), ".sheet").reads(say("shared_mark"))
    shots.take(kim, "sessions-shared")
    lee.open("/sessions").reads(say("shared_to_me"))
    shots.take(lee, "sessions-of-others")
    lee.open(str(kim.find(".line .row-link").get_attribute("href")).removeprefix(shots.address))
    lee.reads(say("shared_by", name="kim"))
    shots.take(lee, "session-of-another")
    labelled(kim, say("fork")).click()
    kim.find(".composer")
    shots.take(kim, "session-branched", whole=False)
    kim.open("/s/nothing-here").reads(say("no_conversation"))
    shots.take(kim, "session-not-there")


def attaching(shots: Studio) -> None:
    kim, say = shots.page("kim"), shots.say
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, shots.q("badges of visitors.md", "방문자 출입증 안내.md"))
        notes.write_text(
            shots.q(
                "# Badges\n\nLost badges go to desk 12.\n",
                "# 출입증\n\n분실한 출입증은 12번 창구에 신고합니다.\n",
            )
        )
        program = Path(folder, "program.exe")
        program.write_bytes(b"MZ\0" * 40)
        kim.open("/").find(".composer input[type=file]").send_keys(str(program))
        kim.find(".composer [role=alert]")
        shots.take(kim, "attachment-refused", whole=False)
        kim.open("/").find(".composer input[type=file]").send_keys(str(notes))
        kim.until(lambda: say("uploading") not in kim.find(".composer .chip").text, "still uploading")
        shots.take(kim, "attached", whole=False)
        kim.run(
            "const given = new DataTransfer(); given.items.add(new File(['x'], 'x.md'));"
            "document.querySelector('.thread').dispatchEvent(new DragEvent('dragover', {dataTransfer: given, bubbles: true}))"
        )
        kim.find(".composer.dropping")
        shots.take(kim, "dropping", whole=False)
        kim.ask(shots.q("Where do lost badges go?", "분실한 출입증은 어디에 신고해?")).find(
            ".actions, .card.asks"
        )
        shots.take(kim, "answer-attached")


def keeping(shots: Studio) -> None:
    """Memory corrected, knowledge looked for and removed, and documents that are not there."""
    kim, lee, say = shots.page("kim"), shots.page("lee"), shots.say
    lee.open("/memory").find(".page li")
    labelled(lee, say("correct_one", text="")).click()
    lee.find(".sheet input")
    shots.take(lee, "memory-correct", whole=False)
    lee.press(say("cancel"), ".sheet")
    labelled(lee, say("forget_one", text="")).click()
    lee.find(".toast-note")
    shots.take(lee, "memory-forgotten", whole=False)
    lee.open("/knowledge").write(say("knowledge_find"), "zzz").find(".empty")
    shots.take(lee, "knowledge-none")
    lee.open("/knowledge").find(".row-link").click()
    lee.find(".passage")
    lee.find("button.danger").click()
    lee.find(".sheet button.danger")
    shots.take(lee, "knowledge-remove", whole=False)
    kim.open("/documents/nothing-here").reads(say("no_document"))
    shots.take(kim, "document-not-there")


def review(shots: Studio) -> None:
    park, say = shots.page("park"), shots.say
    park.open("/review").find("tbody tr")
    shots.take(park, "review", whole=False)
    park.press(say("verify")).find(".notice.ok")
    shots.take(park, "review-verified", whole=False)
    park.choose(say("review_outcome"), say("outcome_blocked")).press(say("review_apply"))
    time.sleep(1)
    shots.take(park, "review-blocked")
    park.find("td a").click()
    park.find(".account")
    shots.take(park, "account")
    park.press(say("reveal"))
    time.sleep(1)
    shots.take(park, "account-revealed")
    park.find(".account li button").click()
    park.find(".sheet .facts")
    shots.take(park, "entry")
    park.open("/review").find("tbody tr")
    park.write(say("review_text"), "zzzz").press(say("review_apply")).find(".empty")
    shots.take(park, "review-none")
    kim = shots.page("kim")
    kim.open("/review").find(".notice")
    shots.take(kim, "review-refused")


def waits(shots: Studio) -> None:
    """Show what somebody sees while a preview is made, while lists are read, and without a connection."""
    kim = shots.page("kim")
    kept = answer.preview

    async def never(_content: bytes) -> Any:
        await asyncio.sleep(25)
        return await kept(_content)

    answer.preview = documents.preview = never
    try:
        kim.open("/documents").find(".row-link").click()
        kim.find(".working")
        shots.take(kim, "document-preview-loading")
        kim.open("/").ask(shots.q("Write a report on May 2026 sales", "2026년 5월 매출 보고서를 작성해줘"))
        kim.find("section .working")
        shots.take(kim, "answer-preview-loading")
    finally:
        answer.preview = documents.preview = kept
    kim.open("/documents").find(".row-link").click()
    kim.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/pages/*.png"]})
    kim.driver.execute_cdp_cmd("Network.enable", {})
    kim.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    kim.open("/documents").find(".row-link").click()
    kim.find(".pages img")
    shots.take(kim, "pages-not-there")
    kim.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})


# --- turns at work ----------------------------------------------------------------------------------------


class Writing(ScriptedChatModel):
    """Writes half of its answer and waits."""

    async def _astream(self, *args: Any, **options: Any) -> AsyncGenerator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        count = 0
        async for piece in super()._astream(*args, **options):
            yield piece
            count += 1
            if count == 6:
                await asyncio.sleep(20)


LONG = {
    "en": "The figures are done, and nothing is missing. They were read once and checked twice, and every one of them rests on "
    "rows that can be opened. The rest of this answer is still being written by a model that takes its time with it.",
    "ko": "수치 집계를 마쳤고 빠진 것은 없습니다. 한 번 읽고 두 번 확인했으며 모든 수치는 열어 볼 수 있는 행에 근거합니다. "
    "나머지 답은 모델이 아직 쓰고 있습니다. 잠시만 기다려 주세요. 이어지는 문장도 같은 방식으로 나타납니다.",
}


async def at_work(shots: Studio, held: Any) -> None:
    kim, say = await done(lambda: shots.page("kim")), shots.say
    await done(lambda: kim.open("/").ask("drawing").find(".plan"))
    await held.arrived.wait()
    await done(lambda: shots.take(kim, "working"))
    await done(lambda: shots.page("lee").open("/").ask("drawing").find(".working"))
    await done(lambda: shots.page("lee").reads(say("queued_at", place=1)))
    await done(lambda: shots.take(shots.page("lee"), "queued"))
    await done(lambda: kim.press(say("pause")).reads(say("go_on")))
    await done(lambda: shots.take(kim, "paused"))
    await done(lambda: kim.press(say("cancel_turn")).find(".actions"))
    held.opened.set()
    await done(lambda: shots.take(kim, "cancelled"))
    await done(lambda: shots.page("lee").find(".actions"))
    await done(lambda: kim.open("/").ask("failing").find(".actions"))
    await done(lambda: kim.find("details summary").click())
    await done(lambda: shots.take(kim, "failed"))
    await done(lambda: kim.open("/").ask("secret").find(".actions"))
    await done(lambda: shots.take(kim, "not-granted"))
    await spoiled(shots, kim)


async def spoiled(shots: Studio, kim: Page) -> None:
    """A turn whose row was changed by somebody outside."""
    await done(lambda: kim.open("/").ask("figures").find(".actions"))
    inside: Any = shots.app

    def spoil(connection: sa.Connection) -> None:
        connection.execute(turns.update().values(body=sa.text("zeroblob(80)")))

    await inside._store.transaction(spoil)
    await done(lambda: kim.open(str(kim.run("return location.pathname"))).find("h1"))
    await done(lambda: time.sleep(1))
    await done(lambda: shots.take(kim, "unreadable"))
    await done(lambda: kim.open("/sessions").find("h1"))
    await done(lambda: shots.take(kim, "sessions-unreadable"))


async def closed_gate(shots: Studio) -> None:
    kim, han, say = await done(lambda: shots.page("kim")), await done(lambda: shots.page("han")), shots.say
    await done(lambda: kim.open("/").ask("write a report, check it and store it").reads(say("gate_title")))
    await done(lambda: shots.take(kim, "gate"))
    await done(lambda: han.open("/approvals").reads(say("let_through")))
    await done(lambda: shots.take(han, "gate-officer"))
    await done(lambda: han.press(say("let_through")).reads(say("reason_needed")))
    await done(lambda: shots.take(han, "toast-reason", whole=False))
    reason = shots.q("agreed with the hospital", "병원과 합의됨")
    await done(lambda: han.write(say("reason"), reason).press(say("let_through")))
    await done(lambda: kim.find(".actions"))
    await done(lambda: shots.take(kim, "let-through"))


async def written(shots: Studio) -> None:
    kim = await done(lambda: shots.page("kim"))
    await done(lambda: kim.open("/").ask("figures"))
    await done(lambda: kim.find(".answer .rich"))
    await done(lambda: shots.take(kim, "streaming"))


async def large(shots: Studio) -> None:
    """A very long answer with 500 rows, and the same page without a connection."""
    kim = await done(lambda: shots.page("kim"))
    await done(lambda: kim.open("/").ask("everything").find(".actions"))
    await done(lambda: shots.take(kim, "long-answer"))
    await done(lambda: kim.run("window.socket.disconnect()"))
    await done(lambda: kim.until(lambda: kim.run("return document.body.dataset.gone"), "still connected"))
    await done(lambda: kim.ask("x").find(".composer [role=alert]"))
    await done(lambda: shots.take(kim, "offline", whole=False))


async def replanned(shots: Studio, held: Any) -> None:
    kim = await done(lambda: shots.page("kim"))
    await done(lambda: kim.open("/").ask("report").find(".plan"))
    await held.arrived.wait()
    await done(lambda: time.sleep(0.5))
    await done(lambda: shots.take(kim, "replanned"))
    held.opened.set()


async def retried(shots: Studio, held: Any) -> None:
    """A step at its second attempt, and the answer with what it took."""
    kim = await done(lambda: shots.page("kim"))
    await done(lambda: kim.open("/").ask("flaky").find(".plan"))
    await held.arrived.wait()
    await done(lambda: kim.reads(shots.say("tries").replace("#", "2")))
    await done(lambda: shots.take(kim, "retried"))
    held.opened.set()
    await done(lambda: kim.find(".actions"))
    await done(lambda: kim.find("details summary").click())
    await done(lambda: shots.take(kim, "retried-done"))


async def cut_off(shots: Studio) -> None:
    """A turn whose process was killed, as it is found afterwards."""
    kim, say = await done(lambda: shots.page("kim")), shots.say
    await done(lambda: kim.open("/sessions").reads(say("status_interrupted")))
    await done(lambda: shots.take(kim, "sessions-cut-off"))
    await done(lambda: kim.find(".lines .row-link").click())
    await done(lambda: kim.reads(say("interrupted")))
    await done(lambda: shots.take(kim, "cut-off"))


def die_at_work(data: Path, runs: Path) -> None:
    """Be killed in the middle of a turn; for a process of its own."""

    async def die(_task: Any, _ctx: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def work() -> None:
        agents = (figures(Runs(runs)), drawing(Runs(runs), before=die))
        async with opened(data, *agents, access=POLICIES) as app:
            await app.ask("drawing", user=User("kim", "local", STAFF["kim"]))

    asyncio.run(work())


async def bare(shots: Studio) -> None:
    """An installation with nothing in it yet, and one whose trail somebody changed."""
    kim, park, say = await done(lambda: shots.page("kim")), await done(lambda: shots.page("park")), shots.say
    held = asyncio.Event()
    loads = Acting.topics

    async def slowly(*args: Any, **options: Any) -> Any:
        await held.wait()
        return await loads(*args, **options)

    with patch.object(Acting, "topics", slowly):
        await done(lambda: kim.open("/").find(".working"))
        await done(lambda: shots.take(kim, "start-loading", whole=False))
        held.set()
    await done(lambda: kim.open("/").find("h1"))
    await done(lambda: time.sleep(0.5))
    await done(lambda: shots.take(kim, "start-bare"))
    for path in ("knowledge", "agents"):
        await done(lambda path=path: kim.open(f"/{path}").find("h1"))
        await done(lambda: time.sleep(0.4))
        await done(lambda path=path: shots.take(kim, f"{path}-bare"))
    inside: Any = shots.app

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.text("DROP TRIGGER audit_no_update"))
        said = "UPDATE audit_entries SET body = replace(body, 'login', 'logon') WHERE seq > 1"
        connection.execute(sa.text(said))

    await inside._store.transaction(change)
    await done(lambda: park.open("/review").press(say("verify")).find(".notice.bad"))
    await done(lambda: shots.take(park, "review-not-verified", whole=False))


async def coming_in(shots: Studio) -> None:
    """The log-in, wrong and too often; then pages whose connection is gone."""
    kim = await done(shots.stranger)
    await done(lambda: kim.open("/sessions").find("input[name=name]"))
    await done(lambda: shots.take(kim, "login"))
    for state in ("login-wrong", "login-wrong", "login-locked"):
        await done(lambda: kim.find("input[name=name]").clear())
        await done(lambda: kim.find("input[name=name]").send_keys("kim"))
        await done(lambda: kim.find("input[type=password]").send_keys("wrong", Keys.ENTER))
        await done(lambda: kim.find("[role=alert]"))
        await done(lambda state=state: shots.take(kim, state))
    lee = await done(lambda: shots.page("lee"))
    for path in ("/", "/sessions"):
        await done(lambda path=path: lee.open(path).find("h1"))
        await done(lambda: lee.until(lambda: lee.run("return !!window.socket"), "not connected"))
        await done(lambda: time.sleep(0.5))
        await done(lambda: lee.run("window.socket.disconnect()"))
        await done(lambda: lee.until(lambda: lee.run("return document.body.dataset.gone"), "still connected"))
        name = "gone-start" if path == "/" else "gone-sessions"
        await done(lambda name=name: shots.take(lee, name, whole=False))


async def other_ways(shots: Studio) -> None:
    """The log-in without passwords, and with an address that was used."""
    somebody = await done(shots.stranger)
    await done(lambda: somebody.open("/login").find("main"))
    await done(lambda: shots.take(somebody, "login-ways"))
    await done(lambda: somebody.open("/login?token=old").find("[role=alert]"))
    await done(lambda: shots.take(somebody, "login-old-address"))


async def held_back(shots: Studio) -> None:
    """A document that the rules hold back when somebody wants to release it."""
    han, say = await done(lambda: shots.page("lee")), shots.say
    await done(lambda: han.open("/").ask("방문 보고서 작성해줘").find(".actions"))
    await done(lambda: han.open("/documents").find(".row-link").click())
    await done(lambda: han.press(say("release")).reads(say("blocked_release")))
    await done(lambda: shots.take(han, "release-held-back"))


Scene = Callable[[Studio], Awaitable[None]]


def worlds(folder: Path, language: str) -> Sequence[tuple[str, Any, dict[str, tuple[str, ...]], Scene]]:
    """Each installation with its people and what is photographed there."""
    from metaagent.level2.compliance.agent import compliance_validation
    from metaagent.plugin import Artifact, Capability, Context, Result, Task, TryAgain, agent
    from tests.support.writing_world import Written
    from tests.support.writing_world import writing as wording

    @agent(
        name="secret",
        capabilities=[Capability("secret", ko=("secret",), en=("secret",))],
        produces=["report"],
        permissions=["data:salaries"],
    )
    async def secret(_task: Task, _ctx: Context) -> Result:
        return Result("never", 1.0)

    @agent(
        name="everything",
        capabilities=[Capability("everything", ko=("everything",), en=("everything",))],
        produces={"dataset": dict[str, Any]},
    )
    async def everything(_task: Task, _ctx: Context) -> Result:
        columns = [
            {"name": "h", "label": "hospital", "type": "text"},
            {"name": "s", "label": "sales", "type": "number", "unit": "KRW"},
        ]
        rows = [[f"Hospital number {n}", n * 12_345.0] for n in range(500)]
        table = {"columns": columns, "rows": rows, "row_count": 500}
        return Result(
            "\n\n".join([LONG[language]] * 12), 1.0, [Artifact("dataset", table, summary="500 hospitals")]
        )

    runs, held, late = Runs(folder / "runs"), gate(), gate()
    make_company_in = folder / "company"
    make_company_in.mkdir(parents=True)
    make_company(make_company_in)
    limited = {
        "policies": {"staff": {**POLICIES["policies"]["staff"], "data": ["sales"]}},
    }
    common: Json = {"web": {"auth": ["accounts"]}, "approval": {"mode": "never"}}

    def small(name: str, *agents: AgentSpec, **more: Any) -> Any:
        return opened(folder / name, *agents, **cast("Any", {**common, "access": POLICIES, **more}))

    first = failing(runs, "first", can="report", makes="report", cost=1)
    other = worker(runs, "other", can="report", makes="report", takes=("dataset",), cost=2, before=late)
    gated = (writing(), checking(world := World(), blocks=True), storing(world))
    ways: Json = {"auth": ["one_time", "oidc", "proxy"], "proxies": ["127.0.0.1/32"]}
    ways["oidc"] = {"issuer": "http://127.0.0.1:9", "companies": {"acme": "local"}}
    second = gate()

    async def stumble(task: Task, ctx: Context) -> None:
        if runs.of("flaky") == 1:
            raise TryAgain("busy", after=0)
        await second(task, ctx)

    stumbling = worker(runs, "flaky", before=stumble)
    model = Writing(replies=[{"intents": [], "entities": []}, LONG[language]])
    golf = wording(Written(), texts=("하나", "지난주 골프 접대를 제공했다."))
    return (
        ("company", MetaAgent.open({"data_dir": str(make_company_in), **SETTINGS}), PEOPLE, company),
        (
            "at_work",
            small(
                "work", figures(runs), drawing(runs, before=held), failing(runs), secret,
                access=limited, limits={"running_turns": 1},
            ),
            STAFF,
            lambda shots: at_work(shots, held),
        ),
        ("large", small("large", everything), STAFF, large),
        ("gate", small("gate", *gated), STAFF, closed_gate),
        ("stream", small("stream", figures(runs), chat_model=model), STAFF, written),
        ("retry", small("retry", stumbling), STAFF, lambda shots: retried(shots, second)),
        ("cut", small("cut", figures(runs), drawing(runs)), STAFF, cut_off),
        ("bare", small("bare", figures(runs)), STAFF, bare),
        ("login", small("login", figures(runs), web={"auth": ["accounts"], "login_tries": 2}), STAFF, coming_in),
        ("ways", small("ways", figures(runs), web=ways), {}, other_ways),
        ("replan", small("replan", first, other, figures(runs)), STAFF, lambda shots: replanned(shots, late)),
        ("release", small("release", golf, compliance_validation), STAFF, held_back),
    )  # fmt: skip


def sheets(into: Path) -> int:
    """Put the eight pictures of each state beside each other."""
    states = sorted({file.name.split(".")[0] for file in into.glob("*.*.*.*.png")})
    (into / "sheets").mkdir(exist_ok=True)
    for state in states:
        order = [
            into / f"{state}.{language}.{theme}.{width}.png"
            for width in (DESKTOP[0], PHONE[0])
            for language, theme in (("en", "light"), ("ko", "dark"), ("en", "dark"), ("ko", "light"))
        ]
        found = [Image.open(file) for file in order if file.exists()]
        wide = [each for each in found if each.width > 600]
        narrow = [each for each in found if each.width <= 600]
        rows = [wide[:2], wide[2:], narrow]
        width = max(sum(each.width for each in row) for row in rows)
        heights = [max((each.height for each in row), default=0) for row in rows]
        sheet = Image.new("RGB", (width, sum(heights)), "#888")
        top = 0
        for row, height in zip(rows, heights, strict=True):
            left = 0
            for each in row:
                sheet.paste(each, (left, top))
                left += each.width
            top += height
        sheet.save(into / "sheets" / f"{state}.png")
    return len(states)


async def photograph(into: Path, world: str, only: str) -> None:
    with chromium() as browser:
        for language in ("en", "ko"):
            with tempfile.TemporaryDirectory() as folder:
                for name, meta, people, scene in worlds(Path(folder), language):
                    if world not in name:
                        continue
                    if name == "cut":
                        killed = get_context("spawn").Process(
                            target=die_at_work, args=(Path(folder, "cut"), Path(folder, "runs"))
                        )
                        killed.start()
                        await done(killed.join)
                    try:
                        async with studio(meta, people, browser, language, into, only) as shots:
                            await scene(shots)
                            tell(f"{language} {name}: {shots.taken} pictures")
                    except (AssertionError, TimeoutError) as error:
                        tell(f"{language} {name}: {str(error)[:600]}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--world", default="", help="only installations whose name has this")
    parser.add_argument("--only", default="", help="only states whose name has this")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(photograph(given.folder, given.world, given.only))
    tell(f"{sheets(given.folder)} states in {given.folder / 'sheets'}")


if __name__ == "__main__":
    main()
