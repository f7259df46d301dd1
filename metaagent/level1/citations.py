"""Citations of an answer: numbered once, whichever steps bring them, and listed with their places. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.language.number_check import CITED

Json = dict[str, Any]
_PAGE = Text(en="p. {number}", ko="{number}쪽")
_SHEET = Text(en="sheet {name}", ko="{name} 시트")
_ROW = Text(en="row {number}", ko="{number}행")


def numbered(results: Sequence[Mapping[str, Any]]) -> tuple[list[Json], list[Json]]:
    """Number the citations of all steps from 1. A quote that several steps cite has one number; each summary gets the marks
    of the whole answer."""
    cited: list[Json] = []
    numbers: dict[tuple[Any, ...], int] = {}
    renumbered: list[Json] = []
    for result in results:
        own: dict[str, int] = {}
        for each in result.get("citations") or () if result["status"] == "completed" else ():
            key = (each["document_id"], each["start"], each["end"], each["sha256"])
            if key not in numbers:
                numbers[key] = len(cited) + 1
                cited.append({**each, "n": numbers[key]})
            own[str(each["n"])] = numbers[key]
        summary = _with_numbers(str(result["summary"]), own) if own else result["summary"]
        renumbered.append({**result, "summary": summary})
    return renumbered, cited


def _with_numbers(summary: str, own: Mapping[str, int]) -> str:
    return CITED.sub(lambda mark: f"[{own[mark[1]]}]" if mark[1] in own else mark[0], summary)


def references(citations: Sequence[Mapping[str, Any]], text: str, language: str) -> list[str]:
    """List the citations that a text refers to, each with its document and place; those of one place share a line."""
    used = set(CITED.findall(text))
    places: dict[str, list[str]] = {}
    for each in citations:
        if str(each["n"]) in used:
            places.setdefault(_place(each, language), []).append(f"[{each['n']}]")
    return [f"{' '.join(marks)} {place}" for place, marks in places.items()]


def _place(cited: Mapping[str, Any], language: str) -> str:
    place = cited["place"]
    heading = [part for part in str(place.get("heading") or "").split(" > ") if part]
    article = str(place.get("article") or "")
    names = [
        str(cited["title"]),
        *heading,
        *([article] if article and article not in " ".join(heading) else []),
    ]
    found = [
        text.say(language, **{name: place[key]})
        for key, name, text in (("page", "number", _PAGE), ("sheet", "name", _SHEET), ("row", "number", _ROW))
        if place.get(key) is not None
    ]
    path = " › ".join(" ".join(name.split()) for name in dict.fromkeys(names))
    return f"{path} ({', '.join(found)})" if found else path
