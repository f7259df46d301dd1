"""The things that are to be stored, as plain data: what they are, their columns, their text and the file that they would be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import orjson

from metaagent.level2.storage.decision import Shape
from metaagent.level2.storage.mapping import Given

PASSAGE = 1_000
"""The most characters of one searchable passage."""
_MEDIA = {
    "md": "text/markdown", "html": "text/html", "txt": "text/plain", "csv": "text/csv", "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "bin": "application/octet-stream",
}  # fmt: skip


@dataclass(frozen=True)
class Material:
    kind: str
    title: str
    shape: Shape
    content: bytes
    """As a file."""
    suffix: str
    text: str = ""
    given: tuple[Given, ...] = ()
    rows: int = 0

    @property
    def file(self) -> dict[str, Any]:
        name = re.sub(r"[^\w가-힣.-]+", "_", self.title).strip("._")[:80] or self.kind
        return {"name": f"{name}.{self.suffix}", "media_type": _MEDIA[self.suffix], "content": self.content}

    @property
    def passages(self) -> list[dict[str, Any]]:
        return [
            {"id": f"{number}", "text": passage, "metadata": {"title": self.title}}
            for number, passage in enumerate(passages(self.text), 1)
        ]


def material(kind: str, data: object, title: str) -> Material:
    """What an artifact holds. Anything that is not known is nested data, and kept as such."""
    if isinstance(data, bytes):
        return Material(kind, title, "binary", data, "bin")
    if isinstance(data, str):
        shape: Shape = "document" if kind == "document" else "text"
        return Material(kind, title, shape, data.encode(), "txt", data)
    if isinstance(data, Mapping):
        return _of_mapping(kind, cast("Mapping[str, Any]", data), title)
    return Material(kind, title, "nested", _json(data), "json")


def record(fields: Mapping[str, Any], title: str) -> Material:
    """One record: names and values."""
    given = tuple(Given(str(name), (value,)) for name, value in fields.items())
    return Material("record", title, "record", _json(dict(fields)), "json", given=given, rows=1)


def _of_mapping(kind: str, data: Mapping[str, Any], title: str) -> Material:
    title = str(data.get("title") or title)
    if _tabular(data):
        shown = {
            "title": title,
            "columns": data["columns"],
            "rows": data["rows"],
            "notes": data.get("notes") or [],
        }
        return Material(
            kind, title, "table", _json(shown), "json", given=_columns(data), rows=len(data["rows"])
        )
    content = data.get("content")
    form = str(data.get("format") or "txt").lower()
    suffix = form if form in _MEDIA else "txt" if isinstance(content, str) else "bin"
    if isinstance(content, str):
        return Material(kind, title, "document", content.encode(), suffix, content)
    if isinstance(content, bytes):
        text = data.get("text")
        return Material(kind, title, "document", content, suffix, text if isinstance(text, str) else "")
    return Material(kind, title, "nested", _json(dict(data)), "json")


def _tabular(data: Mapping[str, Any]) -> bool:
    columns, rows = data.get("columns"), data.get("rows")
    return (
        isinstance(columns, list)
        and isinstance(rows, list)
        and bool(columns)
        and all(isinstance(row, list) and len(row) == len(columns) for row in rows)
        and all(not isinstance(cell, dict | list | bytes) for row in rows for cell in row)
    )


def _columns(data: Mapping[str, Any]) -> tuple[Given, ...]:
    made: list[Given] = []
    for at, column in enumerate(data["columns"]):
        known: Mapping[str, Any] = column if isinstance(column, Mapping) else {"name": str(column)}
        if known.get("hidden"):
            continue
        made.append(
            Given(
                str(known.get("name") or at),
                tuple(row[at] for row in data["rows"]),
                str(known.get("label") or ""),
                str(known.get("source") or ""),
                str(known.get("kind") or ""),
            )
        )
    return tuple(made)


def passages(text: str) -> list[str]:
    """The text in passages of at most PASSAGE characters, broken between paragraphs where that is possible."""
    made: list[str] = []
    for paragraph in filter(None, (part.strip() for part in re.split(r"\n\s*\n", text))):
        if made and len(made[-1]) + len(paragraph) + 2 <= PASSAGE:
            made[-1] += f"\n\n{paragraph}"
        else:
            made += [paragraph[at : at + PASSAGE] for at in range(0, len(paragraph), PASSAGE)]
    return made


def _json(data: object) -> bytes:
    return orjson.dumps(data, default=str, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)
