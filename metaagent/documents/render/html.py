"""HTML: one page without scripts or addresses; text is escaped, charts are drawn into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from metaagent.documents.chart_images import drawn_svg
from metaagent.documents.model import Chart, Document, Form, Heading, List, PageBreak, Paragraph, Span, Table
from metaagent.documents.render.shared_layout import NO_ROWS, NOTES, mark, rows_of, visible, with_marks

_CLIP = re.compile(r"\bclip\d+\b")
_STYLE = (
    "body{font:15px/1.65 'Noto Sans KR','Malgun Gothic',sans-serif;color:#1b1f24;"
    "max-width:52rem;margin:2.5rem auto;padding:0 1.5rem}"
    "h1{font-size:1.7rem;color:#1f3864;border-bottom:2px solid #1f3864;padding-bottom:.4rem}"
    "h2,h3,h4{color:#1f3864;margin-top:1.8rem}table{border-collapse:collapse;width:100%;font-size:.9rem}"
    "td,th{border-bottom:1px solid #c5cdd8;padding:.35rem .6rem;text-align:left}"
    ".data thead th{background:#1f3864;color:#fff}.right{text-align:right;font-variant-numeric:tabular-nums}"
    ".center{text-align:center}.form th{background:#eef2f7;color:#1f3864;font-weight:normal;width:9rem}"
    "dl{display:grid;grid-template-columns:auto 1fr auto 1fr;gap:.2rem 1rem;font-size:.9rem}"
    "dt,.caption,.source,.notes{color:#5f6b7a}dd{margin:0}.caption{margin:1.2rem 0 .4rem}"
    ".source{font-size:.85rem;margin:.4rem 0 1.2rem}"
    ".notes{font-size:.85rem;border-top:1px solid #c5cdd8;margin-top:2rem}.open{color:#b42318;background:#fdecea}"
    "svg{max-width:100%;height:auto}@media print{.break{break-after:page}tr{break-inside:avoid}}"
)


def render_html(document: Document) -> bytes:
    meta = "".join(
        f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in document.meta.items()
    )
    body = "".join(part for block in visible(document) for part in _block(block, document.language))
    notes = "".join(f"<p>{mark(note.number)} {escape(note.text)}</p>" for note in document.notes)
    head = f"<p>{escape(NOTES.say(document.language))}</p>"
    page = (
        f'<!doctype html><html lang="{document.language}"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(document.title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(document.title)}</h1>{f'<dl>{meta}</dl>' if meta else ''}{body}"
        f"{f'<div class=notes>{head}{notes}</div>' if notes else ''}</body></html>"
    )
    return page.encode()


def _run(spans: tuple[Span, ...]) -> str:
    made = ""
    for span, sign in with_marks(spans):
        text = escape(span.text)
        text = f'<span class="open">{text}</span>' if span.open else f"<b>{text}</b>" if span.bold else text
        made += text + (f"<sup>{sign}</sup>" if sign else "")
    return made


def _block(block: Any, language: str) -> Iterator[str]:
    match block:
        case Heading():
            yield f"<h{block.level + 1}>{escape(block.text)}</h{block.level + 1}>"
        case Paragraph():
            yield f"<p>{_run(block.spans)}</p>"
        case List():
            tag = "ol" if block.ordered else "ul"
            yield f"<{tag}>{''.join(f'<li>{_run(item.spans)}</li>' for item in block.items)}</{tag}>"
        case Form():
            rows = "".join(
                f"<tr><th>{escape(e.label)}</th><td>{_run(e.spans)}</td></tr>" for e in block.entries
            )
            yield f'<table class="form">{rows}</table>'
        case Table():
            yield from _table(block, language)
        case Chart():
            yield from _captioned(block.caption, "caption")
            yield f'<div role="img" aria-label="{escape(block.caption)}">{_drawn(block)}</div>'
            yield from _captioned(block.note, "source")
        case _:
            assert isinstance(block, PageBreak)
            yield '<div class="break"></div>'


def _drawn(chart: Chart) -> str:
    """The picture with ids of its own: the renderer numbers them through the life of its process."""
    known: dict[str, str] = {}
    return _CLIP.sub(
        lambda found: known.setdefault(found[0], f"{chart.id}-clip{len(known) + 1}"), drawn_svg(chart.spec)
    )


def _captioned(text: str, name: str) -> Iterator[str]:
    if text:
        yield f'<p class="{name}">{escape(text)}</p>'


def _table(table: Table, language: str) -> Iterator[str]:
    yield from _captioned(table.caption, "caption")
    head = "".join(f'<th class="{c.align}">{escape(c.label)}</th>' for c in table.columns)
    yield f'<table class="data"><thead><tr>{head}</tr></thead><tbody>'
    for row in rows_of(table):
        cells = (
            f'<td class="{c.align}">{escape(text)}</td>' for text, c in zip(row, table.columns, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    if not table.rows:
        yield f'<tr><td class="center" colspan="{len(table.columns)}">{escape(NO_ROWS.say(language))}</td></tr>'
    yield "</tbody></table>"
    yield from _captioned(table.note, "source")
