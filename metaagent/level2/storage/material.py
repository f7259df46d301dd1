"""The things that are to be stored, as plain data: what they are, their columns, their text and the file that they would be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import orjson

from metaagent.documents.model import Document, lines
from metaagent.errors import FileRefused, InputRefused
from metaagent.level2.storage.decision import Shape
from metaagent.level2.storage.mapping import Given
from metaagent.ports import ArtifactRef
from metaagent.values import distinct

MAX_COLUMNS, MAX_CELLS = 256, 1_000_000
"""The most that JSON records become as a table."""
PASSAGE = 1_000
"""The most characters of one searchable passage."""
_MEDIA = {
    "md": "text/markdown", "html": "text/html", "txt": "text/plain", "csv": "text/csv", "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "pdf": "application/pdf",
    "hwpx": "application/hwp+zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "bin": "application/octet-stream",
}  # fmt: skip


@dataclass(frozen=True)
class Material:
    kind: str
    title: str
    shape: Shape
    content: bytes
    """The material as a file."""
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


async def of_artifact(ref: ArtifactRef, data: object) -> Material:
    """An artifact to be stored. A file keeps its name, and what a person gave is read; the model of a document is stored with
    its text, which can be searched."""
    if ref.kind == "file" and isinstance(data, bytes) and ref.name:
        return await of_file(ref.name, data)
    made = material(ref.kind, data, ref.summary)
    stem, _, suffix = ref.name.rpartition(".")
    if isinstance(data, bytes) and stem and suffix in _MEDIA:
        return replace(made, title=stem, shape="document", suffix=suffix)
    if ref.group is not None and isinstance(data, Mapping):
        try:
            document = Document.from_json(data)
        except InputRefused:
            return made  # a document of another shape
        return replace(made, title=document.title, shape="document", text="\n\n".join(lines(document)))
    return made


def material(kind: str, data: object, title: str) -> Material:
    """The content of an artifact. Anything that is not known is nested data, and kept as such."""
    if isinstance(data, bytes):
        return Material(kind, title, "binary", data, "bin")
    if isinstance(data, str):
        shape: Shape = "document" if kind == "document" else "text"
        return Material(kind, title, shape=shape, content=data.encode(), suffix="txt", text=data)
    if isinstance(data, Mapping):
        return _of_mapping(kind, cast("Mapping[str, Any]", data), title)
    return Material(kind, title, "nested", _json(data), "json")


async def of_file(name: str, content: bytes) -> Material:
    """A file as a person gives it: one table or JSON records are rows, what can be read is a document with its text, anything
    else binary. It is read in a process of its own."""
    from metaagent.child import ChildFailed
    from metaagent.knowledge.reading import extract_in_child

    stem, _, ending = name.rpartition(".")
    suffix = ending.lower() if ending.lower() in _MEDIA else "bin"
    if suffix == "json":
        return _of_json(stem, content)
    try:
        extracted = await extract_in_child(name, content)
    except (FileRefused, ChildFailed):
        return Material("file", stem or name, "binary", content, suffix)
    if rows := extracted.only_table():
        table = {"title": stem, "columns": list(rows[0]), "rows": [list(row.values()) for row in rows]}
        return replace(_of_mapping("file", table, stem), content=content, suffix=suffix)
    return Material(
        "file", stem or name, shape="document", content=content, suffix=suffix, text=extracted.text
    )


def _of_json(stem: str, content: bytes) -> Material:
    try:
        data: Any = orjson.loads(content)
    except orjson.JSONDecodeError:
        return Material("file", stem, "binary", content, "json")
    if isinstance(data, list) and data and all(isinstance(each, dict) for each in data):
        names = list(dict.fromkeys(key for each in data for key in each))
        # Records that share no names are no table: written as one, they would be as many cells as their square.
        if len(names) > MAX_COLUMNS or len(names) * len(data) > MAX_CELLS:
            return Material("file", stem, "nested", content, "json")
        data = {"title": stem, "columns": names, "rows": [[each.get(k) for k in names] for each in data]}
    try:
        made = material("file", data, stem)
    except orjson.JSONEncodeError:  # nested deeper than is written
        return Material("file", stem, "nested", content, "json")
    return replace(made, content=content, suffix="json")


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
        return Material(kind, title, shape="document", content=content.encode(), suffix=suffix, text=content)
    if isinstance(content, bytes):
        text = data.get("text")
        return Material(
            kind,
            title,
            shape="document",
            content=content,
            suffix=suffix,
            text=text if isinstance(text, str) else "",
        )
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
    given: list[Mapping[str, Any]] = [
        column if isinstance(column, Mapping) else {"name": str(column)} for column in data["columns"]
    ]
    names = distinct(str(known.get("name") or at) for at, known in enumerate(given))
    for at, known in enumerate(given):
        if known.get("hidden"):
            continue
        made.append(
            Given(
                names[at],
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
