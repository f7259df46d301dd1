"""`metaagent ingest`, `knowledge`, `index` and `ask --attach` on the command line."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from metaagent.cli import knowledge
from metaagent.cli.knowledge import is_at
from metaagent.storage.library.engine import Engine
from metaagent.storage.library.ingestion import Known, Plan, planned, read_whole, scan, source_of
from tests.support.command_line import Cli
from tests.support.library_world import text_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "meals.md").write_text(text_of("식음료 규정", "## 제7조 한도", "식음료 한도는 10만 원입니다."))
    (made / "travel.md").write_text(text_of("여비 규정", "교통비는 실비입니다."))
    return made


def rows(cli: Cli, *words: str) -> list[Any]:
    found: Any = cli.json(*words, "--json")
    return found


def test_ingestion_takes_in_only_what_changed(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch):
    first = cli.json("ingest", str(folder), "--json")
    assert (len(first["added"]), first["errors"], first["chunks"]) == (2, [], 2)
    made: list[str] = []
    put = Engine.put

    async def watched(self: Engine, collection: Any, prepared: Any) -> Any:
        made.append(Path(prepared.document.source).name)
        return await put(self, collection, prepared)

    monkeypatch.setattr(Engine, "put", watched)
    assert cli.json("ingest", str(folder), "--json")["unchanged"] == 2
    (folder / "travel.md").rename(folder / "trips.md")
    moved = cli.json("ingest", str(folder), "--json")
    assert (len(moved["moved"]), moved["added"], moved["removed"], made) == (1, [], [], [])
    (folder / "meals.md").write_text(text_of("식음료 규정", "식음료 한도는 20만 원입니다."))
    (folder / "trips.md").unlink()
    (folder / "new.txt").write_text("새 글입니다.")
    plan = cli.json("ingest", str(folder), "--dry-run", "--json")
    assert [len(plan[name]) for name in ("added", "changed", "removed")] == [1, 1, 1]
    done = cli.json("ingest", str(folder), "--json")
    assert [len(done[name]) for name in ("added", "changed", "removed")] == [1, 1, 1]
    assert made == ["new.txt", "meals.md"]
    assert [each["title"] for each in rows(cli, "knowledge", "list")] == ["new", "식음료 규정"]
    assert "본문" in cli("index", "verify").output or "belong together" in cli("index", "verify").output


def test_bad_files_are_told_while_the_rest_is_ingested(cli: Cli, folder: Path, tmp_path: Path):
    outside = tmp_path / "secret.md"
    outside.write_text("# 밖의 글")
    (folder / "link.md").symlink_to(outside)
    (folder / "inside.md").symlink_to(folder / "meals.md")
    (folder / "elsewhere").symlink_to(tmp_path)
    (folder / "empty.md").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (folder / "a\nb.md").write_text("# 줄이 바뀌는 이름")
    (folder / ".hidden.md").write_text("# 숨은 글")
    (folder / "text.pdf").write_text("# 이름이 틀린 글")
    os.mkfifo(folder / "pipe.md")
    result = cli("ingest", str(folder))
    done = cli.json("ingest", str(folder), "--json")
    assert result.exit_code == 1
    for name in ("text.pdf", "broken.pdf", "empty.md", "link.md"):
        assert f"! {name}: " in result.output
    names = sorted(Path(each["source"]).name for each in done["errors"])
    assert names == ["broken.pdf", "elsewhere", "empty.md", "link.md", "pipe.md"]
    listed = rows(cli, "knowledge", "list")
    assert {each["title"] for each in listed} == {"식음료 규정", "여비 규정", "줄이 바뀌는 이름", "text"}
    assert "밖의 글" not in str(listed)


def test_a_path_that_is_not_there_is_an_error(cli: Cli, tmp_path: Path):
    done = cli.json("ingest", str(tmp_path / "nothing"), "--json")
    assert [Path(each["source"]).name for each in done["errors"]] == ["nothing"]


def test_a_citation_can_be_opened_at_its_place(cli: Cli, folder: Path):
    cli("ingest", str(folder))
    (meals,) = [each for each in rows(cli, "knowledge", "list") if each["title"] == "식음료 규정"]
    shown = cli.json("knowledge", "show", meals["id"], "--json")
    start = shown["text"].index("식음료 한도는")
    at = cli.json("knowledge", "show", meals["id"], "--at", f"{start}-{start + 7}", "--json")
    assert [each["text"] for each in at["passages"]] == ["식음료 한도는"]
    assert "10만 원" in cli("knowledge", "show", meals["id"], "--at", "제7조").output
    assert cli("knowledge", "show", meals["id"], "--at", "제8조").exit_code == 2
    assert cli("knowledge", "show", "dnone").exit_code == 2
    assert cli("knowledge", "remove", meals["id"]).exit_code == 1
    assert cli("knowledge", "remove", meals["id"], "--yes").exit_code == 0
    assert cli("knowledge", "show", meals["id"]).exit_code == 2
    assert cli("index", "rebuild").exit_code == 0
    (status,) = rows(cli, "index", "status")
    assert (status["documents"], [each["state"] for each in status["indexes"]]) == (1, ["serving"])


@pytest.mark.parametrize(
    ("place", "at", "found"),
    [
        ({"heading": "제2장 > 제47조의2", "article": "제47조의2제1항"}, "제47조의2", True),
        ({"heading": "제2장 > 제47조의2", "article": "제47조의2제1항"}, "제47조", False),
        ({"heading": "", "article": "제4조"}, "제47조", False),
        ({"heading": "", "page": 3}, "p3", True),
        ({"heading": "", "page": 3}, "3쪽", True),
        ({"heading": "", "page": 30}, "page 3", False),
        ({"heading": "Limits > Meals", "row": 5}, "row 5", True),
        ({"heading": "Limits > Meals"}, "meals", True),
    ],
)
def test_a_place_is_found_as_a_person_writes_it(place: dict[str, Any], at: str, found: bool):
    assert is_at(place, at) is found


def test_a_watched_folder_is_taken_in_when_it_changes(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """The third look ends it, as Ctrl-C would."""
    looks, sleep, between = 0, asyncio.sleep, 123.0

    async def pause(seconds: float) -> None:
        nonlocal looks
        if seconds != between:
            await sleep(seconds)
            return
        looks += 1
        if looks == 1:
            (folder / "late.md").write_text("# 늦은 글")
        if looks == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "sleep", pause)
    monkeypatch.setattr(knowledge, "WATCH_SECONDS", between)
    cli("ingest", str(folder), "--watch")
    monkeypatch.undo()
    assert "늦은 글" in {each["title"] for each in rows(cli, "knowledge", "list")}


def test_a_plan_compares_by_content_and_finds_renames():
    known = {"a": Known("d1", "x"), "b": Known("d2", "y"), "c": Known("d3", "z"), "d": Known("d4", "z")}
    found = {"a": "x", "b": "new", "e": "z", "f": "fresh"}
    assert planned(found, known) == Plan(
        added=("f",), changed=("b",), removed={"d": "d4"}, moved={"e": "d3"}, unchanged=("a",)
    )
    assert planned({}, {}) == Plan()


def test_a_file_that_changes_while_it_is_read_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch):
    stat, calls = os.fstat, [0]

    def later(handle: int) -> os.stat_result:
        calls[0] += 1
        if calls[0] == 2:
            (folder / "meals.md").write_text("something else")
        return stat(handle)

    monkeypatch.setattr("metaagent.storage.library.ingestion.os.fstat", later)
    with pytest.raises(Exception, match="changed while it was read"):
        read_whole(folder / "meals.md")


def test_decomposed_names_are_one_source(folder: Path):
    decomposed = folder / "\u1112\u1161\u11ab.md"  # 한, as three letters
    decomposed.write_text("# 글")
    seen = scan([folder])
    assert source_of(folder / "한.md") in seen.files


def test_a_file_can_be_attached_to_a_question(cli: Cli, folder: Path, tmp_path: Path):
    answer = cli.json("ask", "figures", "--attach", str(folder / "meals.md"), "--json")
    assert answer["status"] == "completed"
    both = cli("ask", "-", "--attach", str(folder / "meals.md"), "--json", given="figures\nfigures\n")
    assert [json.loads(line)["status"] for line in both.stdout.splitlines()] == ["completed"] * 2
    assert cli("ask", "figures", "--attach", str(tmp_path / "nothing.md")).exit_code == 2
    (tmp_path / "empty.pdf").write_bytes(b"")
    assert cli("ask", "figures", "--attach", str(tmp_path / "empty.pdf")).exit_code != 0
