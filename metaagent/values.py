"""Plain values: readers for data of any shape, which give their type back and never raise, and times as the state keeps them
(ISO-8601 in UTC with milliseconds)."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from math import isfinite
from typing import Any, cast
from zoneinfo import ZoneInfo

_SEQUENCES = (list, tuple)
_NUMBERS = (int, float)
MAX_DEPTH = 64
"""The depth to which a state may nest. Deeper values are invalid, and are not looked at."""


def mapping(value: object) -> Mapping[str, Any]:
    # Nearly all are dicts, and the check against the abstract class takes five times as long.
    found = type(value) is dict or isinstance(value, Mapping)
    return cast("Mapping[str, Any]", value) if found else {}


def sequence(value: object) -> list[Any]:
    found = type(value) is list or isinstance(value, _SEQUENCES)
    return list(cast("list[Any]", value)) if found else []


def copied(value: Any) -> Any:
    """Copy as copy.deepcopy does, many times as fast on the plain data that states are made of."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - written in the same line
    except ValueError:  # something in it is of another type
        return deepcopy(value)


def rows(value: object) -> list[dict[str, Any]]:
    """The mappings in a list; anything else in it is no record and is left out."""
    return [
        dict(cast("Mapping[str, Any]", item))
        for item in sequence(value)
        if type(item) is dict or isinstance(item, Mapping)
    ]


def text(value: object) -> str:
    return value if type(value) is str or isinstance(value, str) else ""


def number(value: object) -> float:
    """A finite number, or 0. A bool is not a number, and an int beyond the floats is not one either."""
    if type(value) is bool or not isinstance(value, _NUMBERS):
        return 0
    try:
        return value if isfinite(value) else 0
    except OverflowError:
        return 0


def content(value: object, depth: int = MAX_DEPTH) -> str:
    """A text by which two values can be told apart and ordered, whatever order their keys were written in."""
    if depth == 0:
        return type(value).__name__
    if isinstance(value, Mapping):
        items = ((content(k, depth - 1), content(v, depth - 1)) for k, v in mapping(value).items())
        return "{" + ",".join(f"{key}:{item}" for key, item in sorted(items)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(content(item, depth - 1) for item in sequence(value)) + "]"
    if isinstance(value, int):
        return hex(value)  # `repr` refuses very long ones
    return repr(value)


def deeper_than(value: object, depth: int) -> bool:
    """Say whether plain data nests deeper. It is read level by level: a deep value costs no deep recursion."""
    level: list[Any] = [value]
    for _ in range(depth):
        level = [
            item
            for each in level
            if isinstance(each, dict | list)
            for item in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def iso(moment: datetime) -> str:
    """Writes a moment as the state keeps it. A turn does so 45 times, and orjson takes a third of what `isoformat` takes."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    if not utc.microsecond:
        return utc.isoformat(timespec="milliseconds")[:-6] + "Z"
    import orjson  # not needed by most of who imports this module

    return f"{orjson.dumps(utc)[1:24].decode()}Z"


def parse_iso(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds_between(start: str, end: str) -> float:
    return round((parse_iso(end) - parse_iso(start)).total_seconds(), 3)


def local_minute(text: str, zone: ZoneInfo) -> str:
    """Write a time as a person in that zone does: 2026-11-16 13:31."""
    return parse_iso(text).astimezone(zone).strftime("%Y-%m-%d %H:%M")


def local_day(moment: datetime, zone: str) -> str:
    return moment.astimezone(ZoneInfo(zone)).date().isoformat()


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word that somebody may have meant by an unknown one, whatever its case; None if none is near."""
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), list(by_lower), n=1, cutoff=cutoff)
    return by_lower[near[0]] if near else None


def distinct(names: Iterable[str]) -> list[str]:
    """Names of columns, each once: one that comes again has a number behind it, `cost (2)`."""
    made: list[str] = []
    for name in names:
        number = 2
        found = name
        while found in made:
            found, number = f"{name} ({number})", number + 1
        made.append(found)
    return made


def clip(value: str, width: int) -> str:
    """One line of at most so many columns; a Korean letter takes two."""
    from unicodedata import east_asian_width

    line = " ".join(value.split())
    used = 0
    for place, char in enumerate(line):
        used += 2 if east_asian_width(char) in "WF" else 1
        if used > width:
            return line[: max(0, place - 1)] + "…"
    return line
