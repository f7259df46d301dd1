"""Answers, tables and steps as the browser's components take them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from metaagent.documents.format import format_value, full_number, unit_label
from metaagent.level2.data_analysis.view import readable
from metaagent.ports import Json
from metaagent.web.page.plain import plain
from metaagent.web.page.words import Words

OF_OPERATION = frozenset({"loop_blocked", "step_abandoned"})
"""Warnings about how an agent is run."""
SHORTEST = 0.1
"""Seconds below which a time is not told apart."""
FIRST_ROWS, FEW_ROWS = 10, 3
MOST_ROWS = 500
"""Rows that go to the browser; the file has all of them."""

_INLINE = re.compile(r"\*\*(?P<strong>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`|\[(?P<cite>\d{1,3})\]")
_ITEM = re.compile(r"^(?:[-*•]|(?P<number>\d{1,3})[.)])\s+(?P<rest>.+)$")
_HEADING = re.compile(r"^#{1,4}\s+(?P<rest>.+)$")
_CELLS = " | "
_ENDING = re.compile(r"[.!?:;,…。]\s*$")
LONGEST_HEADING = 80
_SOURCE_LINE = re.compile(r"^\[(\d{1,3})\] ")


def blocks_of(answer: str, citations: Sequence[Json], words: Words) -> list[Json]:
    """Paragraphs and lists of an answer. The lines at its end that only name the sources are left out: the page shows them
    beside it."""
    cited = {int(each["n"]): str(each.get("title") or "") for each in citations if "n" in each}
    blocks: list[Json] = []
    for line in answer.splitlines():
        source = _SOURCE_LINE.match(line)
        if not line.strip() or (source and int(source[1]) in cited):
            continue
        item = _ITEM.match(line.strip())
        if item is None:
            heading = _HEADING.match(line)
            tag, rest = ("h3", heading["rest"]) if heading else ("p", line)
            blocks.append({"tag": tag, "parts": _parts(rest, cited, words)})
            continue
        tag = "ol" if item["number"] else "ul"
        if not blocks or blocks[-1]["tag"] != tag:
            blocks.append({"tag": tag, "items": []})
        blocks[-1]["items"].append(_parts(item["rest"], cited, words))
    return blocks


def _parts(line: str, cited: Mapping[int, str], words: Words) -> list[Json]:
    parts: list[Json] = []
    end = 0
    for found in _INLINE.finditer(line):
        number = int(found["cite"] or 0)
        if found["cite"] and number not in cited:
            continue
        if found.start() > end:
            parts.append({"text": line[end : found.start()]})
        if found["cite"]:
            parts.append({"cite": number, "label": words("citation", n=number, title=cited[number])})
        else:
            parts.append(
                {
                    "text": found["strong"] or found["code"],
                    "strong": bool(found["strong"]),
                    "code": bool(found["code"]),
                }
            )
        end = found.end()
    return [*parts, {"text": line[end:]}] if end < len(line) else parts


def passage_of(text: str, start: int = 0, end: int = 0, *, label: str = "") -> list[Json]:
    """A text of a document as blocks: headings, paragraphs and tables, with what lies between these places marked. A line that
    stands alone, is short and ends as no sentence does is a heading of what follows it."""
    blocks: list[Json] = []
    for lines in _grouped(text):
        width = len(lines[0][1].split(_CELLS))
        if width > 1 and len(lines) > 1:
            rows = [
                [_marked(cell, place, start, end) for place, cell in _cells(*line, at=_CELLS)]
                for line in lines
            ]
            blocks.append({"rows": rows, "label": label})
            continue
        whole = "\n".join(line for _, line in lines)
        alone = len(lines) == 1 and len(whole) <= LONGEST_HEADING and not _ENDING.search(whole)
        blocks.append({"tag": "h4" if alone else "p", "parts": _marked(whole, lines[0][0], start, end)})
    if blocks and blocks[-1].get("tag") == "h4":
        blocks[-1]["tag"] = "p"
    return blocks


def _grouped(text: str) -> list[list[tuple[int, str]]]:
    """Lines that belong together, with their places: those of a paragraph, or those of as many cells."""
    groups: list[list[tuple[int, str]]] = []
    before, place = 0, 0
    for line in text.split("\n"):
        cells = len(line.split(_CELLS)) if line.strip() else 0
        if cells and cells == before:
            groups[-1].append((place, line))
        elif cells:
            groups.append([(place, line)])
        before, place = cells, place + len(line) + 1
    return groups


def _cells(place: int, line: str, *, at: str) -> Iterable[tuple[int, str]]:
    for cell in line.split(at):
        yield place, cell
        place += len(cell) + len(at)


def _marked(text: str, place: int, start: int, end: int) -> list[Json]:
    """The parts of a text that begins at this place: before the mark, in it, and after."""
    first, last = (min(max(each - place, 0), len(text)) for each in (start, end))
    parts = ((text[:first], False), (text[first:last], True), (text[max(first, last) :], False))
    return [{"text": said, "mark": mark} for said, mark in parts if said]


def table_of(dataset: Mapping[str, Any], title: str, words: Words) -> Json:
    """A dataset as the table component takes it: cells to compare and cells to read."""
    language: Literal["ko", "en"] = "ko" if words.language == "ko" else "en"
    shown = [place for place, column in enumerate(dataset["columns"]) if not column.get("hidden")]
    made = readable(
        [dataset["columns"][place] for place in shown],
        [[row[place] for place in shown] for row in dataset["rows"][:MOST_ROWS]],
    )
    columns: list[Json] = []
    for column in made["columns"]:
        unit = unit_label(column.get("unit"), language)
        name = str(column["label"])
        label = f"{name} ({unit})" if unit and column.get("unit") != "ratio" else name
        columns.append({"label": label[:1].upper() + label[1:], "number": column["type"] == "number"})
    units = [column.get("unit") for column in made["columns"]]
    return {
        "columns": columns,
        "rows": made["rows"],
        "shown": [
            [_cell(cell, unit, language) for cell, unit in zip(row, units, strict=True)]
            for row in made["rows"]
        ],
        "first": rows_at_first(len(made["rows"])),
        "texts": {
            "label": words("table_label", title=title),
            "copied": words("copied"),
            "sort": words("sort"),
            "more": words("rows_all", count=len(made["rows"])),
            "fewer": words("rows_fewer"),
        },
    }


def rows_at_first(count: int) -> int:
    """Rows that are shown before somebody asks for all; all, where a few more are no longer than the line that offers them."""
    return count if count <= FIRST_ROWS + FEW_ROWS else FIRST_ROWS


def _cell(cell: Any, unit: str | None, language: Literal["ko", "en"]) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return str(cell)
    return format_value(cell, "ratio", language) if unit == "ratio" else full_number(cell)


def steps_of(steps: Iterable[Json], plan: Iterable[Json], tries: Mapping[str, int]) -> list[Json]:
    """The to-do list with what each step waits for, as the plan's picture takes it."""
    after = {step["step_id"]: list(step.get("dependencies") or ()) for step in plan}
    made: list[Json] = []
    for step in steps:
        name = step["step_id"]
        made.append(
            {
                "id": name,
                "title": step.get("description") or step.get("task") or name,
                "status": step.get("status") or "pending",
                "progress": step.get("progress_percentage") or 0,
                "started": step.get("started_at"),
                "ended": step.get("completed_at"),
                "note": (plain(step.get("error") or "") or step.get("result") or "").partition("\n")[0],
                "after": after.get(name, []),
                "tries": tries.get(name) or step.get("attempts") or 1,
            }
        )
    return made


def worded_reasons(analysis: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Explanations that words of the question stand behind. Where a kind of question follows from what else is named, the
    analysis has kinds of things by their ids instead: the line above says what was understood."""
    followed = {
        f"intent={each['intent']}"
        for each in analysis.get("parsed_intents") or ()
        if each.get("rule") in ("implied", "entity")
    }
    found: Sequence[Mapping[str, Any]] = analysis.get("explanations") or ()
    return [each for each in found if each.get("evidence") and each["conclusion"] not in followed]


def warnings_of(outcome: Json, *, operates: bool) -> list[str]:
    """Warnings about an answer; those about how its agents were run are for people who `operate` them."""
    told = (*(outcome.get("warnings") or ()), *(outcome.get("errors") or ()))
    said = [
        str(each.get("message") or each.get("text") or "")
        for each in told
        if operates or each.get("code") not in OF_OPERATION
    ]
    return [plain(each) for each in said if each]


def seconds_said(seconds: float | None) -> str:
    """The time that something took: never nothing at all."""
    if seconds is None:
        return "?"
    return f"{seconds:.1f}" if seconds >= SHORTEST else f"< {SHORTEST}"


def titled_rule(finding: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """A rule that is known by its names alone, with the titles that it and its pack have now."""
    pack = str(finding.get("pack") or "")
    now = {"title": titles.get(f"{pack}/{finding.get('rule')}"), "pack_title": titles.get(pack)}
    return rule_said({**finding, **{name: said for name, said in now.items() if said}})


def rule_said(finding: Mapping[str, Any]) -> str:
    """A rule by its title, the title of its pack and the version; by their names where what judged gives no titles."""
    title = finding.get("title") or str(finding.get("rule") or "").replace("_", " ")
    pack = finding.get("pack_title") or str(finding.get("pack") or "").replace("_", " ")
    version = finding.get("pack_version")
    return f"{title} · {pack} ({version})" if version else f"{title} · {pack}"


def held(steps: Iterable[Json]) -> list[Json]:
    """Steps of a turn that waits for a person: none of them runs."""
    return [{**step, "status": "asks"} if step.get("status") == "in_progress" else step for step in steps]


def planned_steps(plan: Iterable[Json]) -> list[Json]:
    """Steps of a plan that has not begun, as a to-do list."""
    return [
        {"step_id": step["step_id"], "description": step.get("task"), "status": "pending"} for step in plan
    ]


def step_texts(words: Words, count: int) -> dict[str, str]:
    states = ("pending", "in_progress", "asks", "completed", "failed", "skipped")
    return {
        **{state: words(f"step_{state}") for state in states},
        "seconds": words("seconds"),
        "tries": words("tries"),
        "label": words("plan_label", count=count),
    }
