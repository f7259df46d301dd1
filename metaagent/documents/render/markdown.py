"""Markdown: the same text, tables and order; every sign that Markdown would read as its own is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from metaagent.documents.model import Chart, Document, Form, Heading, List, PageBreak, Paragraph, Span, Table
from metaagent.documents.render.shared_layout import NO_ROWS, NOTES, rows_of, visible, with_marks

_SPECIAL = re.compile(r"([\\`*_\[\]<>#!|~$&^])")
_STARTS = re.compile(r"^(\s*)(?:(\d+)([.)])|([-+=]))")
_ALIGN = {"left": ":---", "right": "---:", "center": ":---:"}


def render_markdown(document: Document) -> bytes:
    parts = [f"# {escaped(document.title)}"]
    parts += (
        ["  \n".join(f"{escaped(k)}: {escaped(v)}" for k, v in document.meta.items())]
        if document.meta
        else []
    )
    parts += [part for block in visible(document) for part in _block(block, document.language)]
    if document.notes:
        parts.append(escaped(NOTES.say(document.language)))
        parts += [f"[^{note.number}]: {escaped(note.text)}" for note in document.notes]
    return ("\n\n".join(parts) + "\n").encode()


def escaped(text: str) -> str:
    """Literal text; at the start of a line a number or dash is no list either."""
    return _STARTS.sub(_start, _SPECIAL.sub(r"\\\1", text))


def _start(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}\\{found[3]}" if found[2] else f"{found[1]}\\{found[4]}"


def _run(spans: tuple[Span, ...]) -> str:
    made = ""
    for span, sign in with_marks(spans):
        text = escaped(span.text)
        strong = (span.bold or span.open) and span.text == span.text.strip() and span.text
        made += f"**{text}**" if strong else text
        made += f"[^{span.note}]" if sign else ""
    return made


def _block(block: Any, language: str) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * (block.level + 1)} {escaped(block.text)}"
        case Paragraph():
            yield _run(block.spans)
        case List():
            marks = (f"{at}." if block.ordered else "-" for at in range(1, len(block.items) + 1))
            yield "\n".join(
                f"{sign} {_run(item.spans)}" for sign, item in zip(marks, block.items, strict=True)
            )
        case Form():
            yield _grid(
                ["", ""], ["left", "left"], [[escaped(e.label), _run(e.spans)] for e in block.entries]
            )
        case Table():
            yield from (escaped(block.caption),) if block.caption else ()
            cells = [[escaped(cell) for cell in row] for row in rows_of(block)]
            yield _grid([escaped(c.label) for c in block.columns], [c.align for c in block.columns], cells)
            yield from () if block.rows else (escaped(NO_ROWS.say(language)),)
            yield from (escaped(block.note),) if block.note else ()
        case Chart():
            yield from (escaped(each) for each in (block.caption, block.note) if each)
        case _:
            assert isinstance(block, PageBreak)
            yield "---"


def _grid(head: list[str], sides: list[str], rows: list[list[str]]) -> str:
    lines = [head, [_ALIGN[side] for side in sides], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
