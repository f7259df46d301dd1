"""Pictures are made in a child process, once for each content, and only of charts that hold their own data."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from metaagent.documents import chart_images, pictures
from metaagent.errors import InputRefused

SPEC: dict[str, Any] = {
    "data": {"values": [{"n": 1, "지역": "서울"}, {"n": 2, "지역": "부산"}]},
    "mark": "bar",
    "encoding": {"x": {"field": "n", "type": "quantitative"}, "y": {"field": "지역", "type": "nominal"}},
}


def _forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*args: Any, **more: Any) -> Any:
        raise AssertionError("a child was started")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", fail)


async def test_a_picture_is_made_once_and_then_held(monkeypatch: pytest.MonkeyPatch):
    made = await pictures.picture(SPEC, "png")
    assert made.startswith(b"\x89PNG")
    _forbid(monkeypatch)
    assert await pictures.picture(dict(SPEC), "png") == made
    with pytest.raises(AssertionError):
        await pictures.picture({**SPEC, "mark": "line"}, "png")


async def test_a_chart_that_refers_outside_starts_no_child(monkeypatch: pytest.MonkeyPatch):
    _forbid(monkeypatch)
    with pytest.raises(InputRefused, match=r"data\.values"):
        await pictures.picture({**SPEC, "data": {"url": "https://example.org/x.csv"}}, "svg")


async def test_a_spec_that_cannot_be_drawn_is_said():
    with pytest.raises(InputRefused, match="could not be made"):
        await pictures.picture({"mark": {"type": 5}, "data": {"values": []}, "encoding": "x"}, "png")


async def test_the_interpreter_itself_renders_nothing(monkeypatch: pytest.MonkeyPatch):
    def fail() -> Any:
        raise AssertionError("rendered in the process of the agent")

    monkeypatch.setattr(chart_images, "_converter", fail)
    assert (await pictures.picture(SPEC, "pdf")).startswith(b"%PDF")


def test_held_pictures_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "HELD_BYTES", 10)
    for key in "abc":
        pictures._hold(key, b"123456")  # pyright: ignore[reportPrivateUsage]
    assert list(pictures._held)[-1] == "c"  # pyright: ignore[reportPrivateUsage]
    assert sum(map(len, pictures._held.values())) <= 10  # pyright: ignore[reportPrivateUsage]
