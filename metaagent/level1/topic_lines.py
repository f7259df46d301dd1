"""The topics of the connected data as lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.errors import Text

_MOST = 12
_DATA = Text(en="Data: {name}, {start} to {end}", ko="데이터: {name}, {start}~{end}")
_UNDATED = Text(en="Data: {name}", ko="데이터: {name}")
_METRICS = Text(en="Figures: {names}", ko="지표: {names}")
_DIMENSIONS = Text(en="By: {names}", ko="나눠 볼 기준: {names}")
_MORE = Text(en="{names} and {count} more", ko="{names} 외 {count}개")
_QUESTIONS = Text(en="For example:", ko="예를 들면:")


def topic_lines(topics: Mapping[str, Any], language: str) -> list[str]:
    dated = topics["start"] is not None
    lines = [
        (_DATA if dated else _UNDATED).say(
            language, name=topics["domain"], start=topics["start"], end=topics["end"]
        )
    ]
    lines.append(_METRICS.say(language, names=_some(topics["metrics"], language)))
    lines.append(_DIMENSIONS.say(language, names=_some(topics["dimensions"], language)))
    if topics["questions"]:
        lines += [_QUESTIONS.say(language), *(f"  {question}" for question in topics["questions"])]
    return lines


def _some(names: Sequence[str], language: str) -> str:
    shown = ", ".join(names[:_MOST])
    return shown if len(names) <= _MOST else _MORE.say(language, names=shown, count=len(names) - _MOST)
