"""Makes the subject of a judgement of what somebody hands over: an artifact, a file, a question."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, cast

import orjson

from metaagent.child import ChildFailed
from metaagent.documents.model import Document, lines
from metaagent.errors import FileRefused, InputRefused
from metaagent.knowledge.reading import extract_in_child
from metaagent.knowledge.sniffing import kind_of
from metaagent.level2.compliance.facts import Expense
from metaagent.level2.compliance.judging import Subject
from metaagent.level2.compliance.rows import BadRow, are_expenses, expense_of, fact_of
from metaagent.values import distinct

_TEXTS = {".txt", ".md", ".html", ".htm", ".yaml", ".yml", ""}
_OFFICE = frozenset({"pdf", "docx", "xlsx", "hwpx", "mail"})
_DEEPEST = 20


def subject_of_artifact(kind: str, data: Any) -> Subject:
    """A dataset is judged by its rows where they are expenses, and by its words; anything else by its words. Files are for
    `read_subject`."""
    if kind == "dataset" and isinstance(data, Mapping):
        return _dataset(cast("Mapping[str, Any]", data))
    text = _text(data)
    return Subject("document", text=text, unreadable="" if text.strip() else "no text")


def _text(data: Any) -> str:
    """The text of a document as it is rendered; of any other plain data, every text in it."""
    if isinstance(data, Mapping) and "blocks" in data and "document_id" in data:
        try:
            return "\n".join(lines(Document.from_json(data)))
        except InputRefused:
            pass  # some other plain data that looks like one
    return "\n".join(_strings(data, 0))


def subject_of_file(name: str, content: bytes) -> Subject:
    """Read a file by its ending: text, or rows of expenses in CSV or JSON. What cannot be read is unknown, never in order."""
    ending = PurePath(name).suffix.lower()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Subject("document", unreadable=f"{name or 'content'}: not a text in UTF-8")
    if "\0" in text:
        return Subject("document", unreadable=f"{name or 'content'}: not a text")
    if ending == ".csv":
        try:
            read = _csv(text)
        except csv.Error as error:
            return Subject("data", unreadable=f"{name}: {error}")
        return _rows(read, name)
    if ending == ".json":
        return _json(text, name)
    if ending not in _TEXTS:
        return Subject("document", unreadable=f"{name}: files ending in {ending} cannot be read here")
    return Subject("document", text=text)


async def read_subject(name: str, content: bytes) -> Subject:
    """Read any file that the library can read: texts and rows here, PDF and office files in a process of their own. A part
    that was not read leaves the whole unknown."""
    try:
        kind = kind_of(name, content)
    except FileRefused:
        return subject_of_file(name, content)
    if kind not in _OFFICE and (kind == "csv" or _is_utf8(content)):
        return subject_of_file(name, content)
    try:
        extracted = await extract_in_child(name or f"content.{kind}", content)
    except (FileRefused, ChildFailed) as error:
        return Subject("document", unreadable=str(error))
    unread = "; ".join(warning.en for warning in extracted.warnings)
    rows = extracted.only_table()
    if rows and are_expenses(list(rows[0])):
        return _rows(rows, name)
    return Subject("document", text=extracted.text, unreadable=unread)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _json(text: str, name: str) -> Subject:
    try:
        data: object = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return Subject("data", unreadable=f"{name}: {error}")
    if isinstance(data, Mapping):
        data = _only_list(cast("Mapping[str, Any]", data))
    if isinstance(data, list) and all(isinstance(row, Mapping) for row in cast("list[Any]", data)):
        return _rows(cast("list[Mapping[str, Any]]", data), name)
    return subject_of_artifact("document", data)


def _csv(text: str) -> list[dict[str, Any]]:
    lines, delimiter = io.StringIO(text, newline=""), _delimiter(text)
    columns = distinct(next(csv.reader(lines, delimiter=delimiter), []))
    return list(csv.DictReader(lines, columns, delimiter=delimiter))


def _delimiter(text: str) -> str:
    first = text.split("\n", 1)[0]
    return max(",;\t", key=first.count)


def _only_list(data: Mapping[str, Any]) -> Any:
    """The list of rows in an object that holds one and nothing else that is a list; else the object."""
    lists = [value for value in data.values() if isinstance(value, list)]
    return data.get("expenses") or (cast("list[Any]", lists[0]) if len(lists) == 1 else data)


def _rows(rows: Sequence[Mapping[str, Any]], name: str) -> Subject:
    if not rows or not are_expenses([str(key) for row in rows for key in row]):
        return Subject("data", unreadable=f"{name}: no rows with an amount and a kind of expense")
    found: list[Expense] = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(expense_of(row, number))
        except BadRow as error:
            return Subject("data", expenses=found, unreadable=f"{name}: row {number} has {error}")
    return Subject("data", expenses=found)


def _dataset(data: Mapping[str, Any]) -> Subject:
    columns = [
        str(column.get("name", "")) if isinstance(column, Mapping) else str(column)
        for column in cast("list[Any]", data.get("columns") or [])
    ]
    rows = cast("list[Any]", data.get("rows") or [])
    facts = {fact_of(column) for column in columns}
    if facts & {"id", "date"} and {"amount", "category"} <= facts:
        names = distinct(columns)
        made = _rows([dict(zip(names, row, strict=False)) for row in rows], "dataset")
        cut = "dataset: only part of the rows is there" if data.get("truncated") else ""
        return Subject("data", expenses=made.expenses, unreadable=made.unreadable or cut)
    words = [str(data.get("title", "")), *(str(note) for note in data.get("notes") or ())]
    cells = [str(cell) for row in rows for cell in row if isinstance(cell, str)]
    return Subject("document", text="\n".join(dict.fromkeys([*words, *cells])) or str(data.get("title", "-")))


def _strings(data: Any, depth: int) -> Iterator[str]:
    """Every text in plain data, in its order."""
    if depth > _DEEPEST:
        return
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in cast("Mapping[str, Any]", data).values():
            yield from _strings(value, depth + 1)
    elif isinstance(data, list | tuple):
        for value in cast("Sequence[Any]", data):
            yield from _strings(value, depth + 1)
