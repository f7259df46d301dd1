"""The report of a turn: complete, self-contained, escaped and without personal data."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from metaagent.cli.main import app as commands
from metaagent.inspection.inspector import TurnPicture, picture_of
from metaagent.inspection.labels import LABELS
from metaagent.inspection.report import layers, plan_layout, render_report
from metaagent.monitor import StateMonitor
from metaagent.ports import Turn, User
from metaagent.values import clip
from tests.support.watched_world import World

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&<!--"
PERSONAL = ("kim99@naver.com", "010-1234-5678", "900101-1234568")
SECTIONS = ["conversation", "phases", "plan", "steps", "state", "artifacts", "events"]
STARTED = "2025-01-10T03:00:00.000Z"
VOID = {"meta"}


class Page(HTMLParser):
    """What a browser would make of it: elements, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def sections(self) -> list[str | None]:
        return [value for name, value in self.attributes if name == "id" and value != "head"]


async def pictured(tmp_path: Path, question: str, world: World | None = None) -> TurnPicture:
    async with (world or World()).open(tmp_path) as app:
        answer = await app.ask(question)
        return await (await app.inspect(answer.session_id)).picture()


async def test_a_report_has_every_section_and_figure(tmp_path: Path):
    picture = await pictured(tmp_path, "a drawing please")
    page = Page(render_report(picture, version="9.9.9"))
    assert page.sections() == SECTIONS
    for word in ("1.50 s", "3 / 3", "figures", "execution_manager", "artifact_ready", "dataset", "9.9.9"):
        assert word in page.text
    assert page.tags.count("circle") == len(picture.steps)
    assert page.attributes.count(("class", "edge")) == 1
    rows = sum(map(len, (picture.steps, picture.nodes, picture.artifacts, picture.events)))
    assert page.tags.count("tr") == rows + 4, "a row for each, and four heads"


async def test_a_report_needs_nothing_from_outside(tmp_path: Path):
    page = render_report(await pictured(tmp_path, "drawing"))
    found = Page(page)
    assert "script" not in found.tags
    assert not {"link", "img", "iframe", "object", "form", "a", "base"} & set(found.tags)
    assert not {"src", "href", "action", "data"} & {name for name, _ in found.attributes}
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert re.findall(r"url\((?!#head\))|@import|https?:|//[a-z]", page) == []
    assert "default-src 'none'" in page
    assert "prefers-color-scheme:dark" in page


@pytest.mark.parametrize(("question", "language"), [("drawing", "en"), ("그림 부탁해요", "ko")])
async def test_a_report_speaks_the_language_of_its_turn(tmp_path: Path, question: str, language: str):
    page = render_report(await pictured(tmp_path, question))
    assert f'<html lang="{language}">' in page
    for name in ("phases", "plan", "artifacts", "events"):
        assert LABELS[name].say(language) in Page(page).text
    other = Page(render_report(await pictured(tmp_path, question), language="en"))
    assert "Phases" in other.text


async def test_markup_in_questions_results_and_artifacts_stays_text(tmp_path: Path):
    world = World()
    world.summary = f"rose {CANARY}"
    world.data = {"total": CANARY}
    page = render_report(await pictured(tmp_path, f"drawing {CANARY}", world))
    assert CANARY not in page
    found = Page(page)
    assert not {"script", "img"} & set(found.tags)
    assert found.text.count(CANARY) >= 4, "question, answer, step and artifact show it as it was written"


async def test_markup_in_errors_stays_text(tmp_path: Path):
    picture = await pictured(tmp_path, "drawing")
    step: dict[str, Any] = {"step_id": CANARY, "agent_name": CANARY, "status": CANARY, "error": CANARY}
    broken = replace(
        picture,
        steps=[step],
        errors=[{"code": CANARY, "message": CANARY, "agent": CANARY}],
        warnings=[{"code": CANARY, "text": CANARY}],
        artifacts=[{"id": CANARY, "kind": CANARY, "summary": CANARY, "made_by": CANARY}],
        events=[{"type": CANARY, "seq": CANARY, "timestamp": STARTED}],
        phases=[replace(picture.phases[0], phase=CANARY)],
        nodes=[replace(picture.nodes[0], node=CANARY)],
        turn=replace(picture.turn, session_id=CANARY, turn_id=CANARY),
    )
    page = render_report(broken)
    assert CANARY not in page
    assert not {"script", "img"} & set(Page(page).tags)


async def test_personal_data_is_gone_wherever_it_stood(tmp_path: Path):
    world = World()
    world.summary = "연락처 " + ", ".join(PERSONAL)
    picture = await pictured(tmp_path, f"drawing for {' '.join(PERSONAL)}", world)
    picture = replace(picture, warnings=[{"code": "w", "text": f"mail to {PERSONAL[0]}"}])
    page = render_report(picture)
    assert [value for value in PERSONAL if value in page] == []
    assert "[EMAIL]" in page
    assert any(PERSONAL[0] in json.dumps(event) for event in picture.events), "the turn itself is left alone"


async def test_report_does_not_name_the_user(tmp_path: Path):
    async with World().open(tmp_path) as app:
        user = User("hong.gildong", "acme")
        answer = await app.ask("drawing", user=user)
        picture = await (await app.inspect(answer.session_id, user=user)).picture()
    assert "hong.gildong" not in render_report(picture)


def test_a_turn_without_anything_has_a_report():
    turn = Turn("t1", "s1", 1, "running", "q", "ko", User(), STARTED)
    page = Page(render_report(picture_of(turn, [], [], StateMonitor())))
    assert page.sections() == SECTIONS
    assert "보관되지 않습니다" in page.text


async def test_a_very_long_turn_has_a_whole_report(tmp_path: Path):
    picture = await pictured(tmp_path, "drawing")
    steps = [{**picture.steps[0], "step_id": f"s{place}"} for place in range(30)]
    update = {"type": "todo_updated", "timestamp": STARTED, "steps": steps}
    events = [*picture.events, *({**update, "seq": seq} for seq in range(100, 2100))]
    page = Page(render_report(replace(picture, events=events, steps=steps)))
    assert page.sections() == SECTIONS
    assert str(len(events)) in page.text
    assert page.tags.count("circle") == 30


async def test_problems_come_first(tmp_path: Path):
    world = World()
    world.failing = True
    page = Page(render_report(await pictured(tmp_path, "drawing", world)))
    assert page.sections() == ["problems", *SECTIONS]
    assert "no figures today" in page.text


@given(st.lists(st.lists(st.integers(0, 11), max_size=4), max_size=12))
def test_every_step_of_any_plan_is_drawn_right_of_what_it_needs(needs: list[list[int]]):
    names = [f"s{place}" for place in range(len(needs))]
    dependencies = {f"s{place}": [f"s{other}" for other in before] for place, before in enumerate(needs)}
    depth = layers(dependencies, names)
    assert set(depth) == set(names)
    acyclic = all(other < place for place, before in enumerate(needs) for other in before)
    if acyclic:
        assert all(depth[before] < depth[name] for name in names for before in dependencies[name])
    drawn = plan_layout([{"step_id": name, "status": "completed"} for name in names], dependencies)
    assert len({(box.x, box.y) for box in drawn.boxes}) == len(names), "no two boxes on one place"
    assert all(box.x < drawn.width and box.y < drawn.height for box in drawn.boxes)


@given(st.text(), st.integers(1, 40))
def test_clipped_text_is_never_wider_than_asked(value: str, width: int):
    assert len(clip(value, width)) <= width + 1
    assert len(clip("가" * 100, width)) <= width // 2 + 1


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_writes_the_report_and_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data"

    async def ask() -> str:
        async with World().open(data) as app:
            first = await app.ask("first drawing")
            return (await app.ask("second drawing", session_id=first.session_id)).session_id

    session = asyncio.run(ask())
    runner = CliRunner()
    said = runner.invoke(commands, ["sessions", "report", session, "--data-dir", str(data)])
    assert said.exit_code == 0, said.output
    assert "second drawing" in (tmp_path / f"metaagent-{session}-2.html").read_text(encoding="utf-8")
    chosen = tmp_path / "r.html"
    said = runner.invoke(
        commands,
        ["sessions", "report", session, "--turn", "1", "-o", str(chosen), "--json", "--data-dir", str(data)],
    )
    assert json.loads(said.output)["path"] == str(chosen)
    assert json.loads(said.output)["bytes"] == chosen.stat().st_size
    assert "first drawing" in chosen.read_text(encoding="utf-8")
    refused = runner.invoke(
        commands,
        ["sessions", "report", session, "-o", str(tmp_path / "no" / "r.html"), "--data-dir", str(data)],
    )
    assert refused.exit_code == 1
    assert "-o" in refused.output
