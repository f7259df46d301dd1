"""The lines of a document that every format must hold."""

from __future__ import annotations

from collections.abc import Iterator

from metaagent.documents.model import Document, Form, List, Paragraph, Table
from metaagent.documents.render.shared_layout import (
    NO_ROWS,
    NOTES,
    block_lines,
    mark,
    marked,
    rows_of,
    visible,
)


def chunks(document: Document, *, feet: bool = False) -> Iterator[str]:
    """Every line of the document with note marks, in the order of every format. With `feet` the notes have no title: they stand
    at the foot of their page."""
    yield document.title
    for label, value in document.meta.items():
        yield from (label, value)
    for block in visible(document):
        match block:
            case Paragraph():
                yield marked(block.spans)
            case List():
                yield from (marked(item.spans) for item in block.items)
            case Form():
                yield from (text for each in block.entries for text in (each.label, marked(each.spans)))
            case Table():
                yield from _table_lines(block, document.language)
            case _:
                yield from block_lines(block)
    if document.notes and not feet:
        yield NOTES.say(document.language)
    for note in document.notes:
        yield from (mark(note.number), note.text)


def _table_lines(table: Table, language: str) -> Iterator[str]:
    yield from (table.caption,) if table.caption else ()
    yield from (column.label for column in table.columns)
    for row in rows_of(table):
        yield from row
    yield from () if table.rows else (NO_ROWS.say(language),)
    yield from (table.note,) if table.note else ()
