"""PDF by typst: one fixed layout, the document as JSON in `sys_inputs`, fonts from their package."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

import orjson

from metaagent.documents.chart_images import drawn_svg
from metaagent.documents.model import Chart, Document, Form, Heading, List, PageBreak, Paragraph, Span, Table
from metaagent.documents.render.shared_layout import (
    CONTENTS,
    CONTENTS_FROM,
    NO_ROWS,
    NOTES,
    TEXT_WIDTH,
    chart_size,
    estimated_pages,
    fitted,
    mark,
    rows_of,
    turned,
    with_marks,
)

Json = dict[str, Any]
Standard: TypeAlias = Literal["", "a-2b", "a-2a", "ua-1"]
"""A PDF standard: archival (a-2b), archival and tagged (a-2a), accessible (ua-1)."""

MOST_BOXES = 300
"""Words or amounts of one paragraph that are kept in one piece: each is a box, and the compiler gives up at some 400 of them."""
_AMOUNT = re.compile(r"₩\d|\d[\d,.]{0,19}[천만억조]{0,2} (?:원|pp)")
_WORD = re.compile(
    r"₩\d|[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3\d(“‘][\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3\d,.%·)’”]{1,13}"
)
SMALL_TABLE = 12
"""Rows up to which a table is not divided between two pages."""
SHORT_LIST = 6
"""Items up to which a list is not divided between two pages."""
_IGNORED = frozenset({0x00AD, 0x034F, 0x061C, *range(0x200B, 0x2010), 0x2060, *range(0xFE00, 0xFE10)})


def render_pdf(document: Document, standard: Standard = "") -> bytes:
    import typst

    inputs = {"document": ""}
    data = _data(document, inputs) | {"dated": bool(standard)}
    headings = sum(isinstance(block, Heading) for block in document.blocks)
    # A fresh folder is all that the compiler can see.
    with TemporaryDirectory(prefix="metaagent-") as folder:
        main = Path(folder) / "document.typ"
        main.write_bytes(resources.files("metaagent.documents.render").joinpath("document.typ").read_bytes())
        inputs["document"] = orjson.dumps(data).decode()
        compiler = typst.Compiler(
            main, root=folder, font_paths=font_files(), ignore_system_fonts=True, sys_inputs=inputs
        )
        data["contents"] = headings > 1 and (_is_long(document) or _pages(compiler) >= CONTENTS_FROM)
        inputs["document"] = orjson.dumps(data).decode()
        made = compiler.compile(
            format="pdf", sys_inputs=inputs, pdf_standards=[standard] if standard else [], timestamp=0
        )
    assert isinstance(made, bytes)
    return made


def _is_long(document: Document) -> bool:
    """Say whether a document surely has contents: laying it out twice to count its pages would take as long as it."""
    return estimated_pages(document) >= 3 * CONTENTS_FROM


def _pages(compiler: Any) -> int:
    return orjson.loads(compiler.query("<pages>", field="value", one=True))


@cache
def font_files() -> Any:
    import typst
    from pylopdf_fonts_ko import sans_path

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(sans_path().parent)]
    )


@cache
def _known() -> frozenset[int]:
    from fontTools.ttLib import TTFont
    from pylopdf_fonts_ko import sans_path

    with TTFont(sans_path(), lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


def drawable(text: str) -> str:
    """The text with every sign that the font lacks written as its code, instead of an empty box."""
    known = _known()
    if all(ord(sign) in known for sign in text):
        return text
    return "".join(_drawn(ord(sign), known) for sign in text)


def _drawn(code: int, known: frozenset[int]) -> str:
    if code in known:
        return chr(code)
    return "" if code in _IGNORED else f"[U+{code:04X}]"


def _data(document: Document, inputs: dict[str, str]) -> Json:
    language = document.language
    feet = {note.number: drawable(note.text) for note in document.notes}
    return {
        "title": drawable(document.title),
        "running": drawable(document.title),
        "language": language,
        "meta": [[drawable(label), drawable(value)] for label, value in document.meta.items()],
        "blocks": _blocks(document, inputs, feet),
        "notes": [{"mark": mark(number), "text": text} for number, text in feet.items()],
        "notes_title": NOTES.say(language),
        "contents": False,
        "contents_title": CONTENTS.say(language),
    }


def _blocks(document: Document, inputs: dict[str, str], feet: dict[int, str]) -> list[Json]:
    """The blocks; those of a turned page as one. A note goes to the foot of the page where it is first named, and out of `feet`."""
    made: list[Json] = []
    for wide, block in turned(document):
        one = _block(block, inputs, document.language, feet)
        if not wide:
            made.append(one)
        elif made and made[-1]["type"] == "turned" and made[-1]["blocks"][-1]["type"] == "heading":
            made[-1]["blocks"].append(one)
        else:
            made.append({"type": "turned", "blocks": [one]})
    return made


def _block(block: Any, inputs: dict[str, str], language: str, feet: dict[int, str]) -> Json:
    match block:
        case Heading():
            return {"type": "heading", "level": block.level, "text": drawable(block.text)}
        case Paragraph():
            return {
                "type": "paragraph",
                "spans": _spans(block.spans, feet),
                "kept": _kept(block.text),
            }
        case List():
            items = [{"spans": _spans(item.spans, feet), "kept": _kept(item.text)} for item in block.items]
            whole = len(items) <= SHORT_LIST and sum(len(item.text) for item in block.items) <= 1_000
            return {"type": "list", "ordered": block.ordered, "items": items, "whole": whole}
        case Form():
            entries = [
                {
                    "label": drawable(e.label),
                    "spans": _spans(e.spans, feet),
                    "kept": _kept(e.text),
                }
                for e in block.entries
            ]
            return {"type": "form", "entries": entries}
        case Table():
            return _table(block, language)
        case Chart():
            return _chart(block, inputs)
        case _:
            assert isinstance(block, PageBreak)
            return {"type": "page_break"}


def _kept(text: str) -> str:
    """Say what never breaks inside this text: short words and amounts, amounts alone, or nothing, by how many there are."""
    shown = drawable(text)
    if len(_WORD.findall(shown)) <= MOST_BOXES:
        return "words"
    return "amounts" if len(_AMOUNT.findall(shown)) <= MOST_BOXES else ""


def _spans(spans: tuple[Span, ...], feet: dict[int, str]) -> list[Json]:
    made: list[Json] = []
    for span, sign in with_marks(spans):
        one: Json = {"text": drawable(span.text), "bold": span.bold, "open": span.open}
        foot = feet.pop(span.note, None) if sign and span.note is not None else None
        made.append(one | ({"mark": sign} if sign else {}) | ({"foot": foot} if foot is not None else {}))
    return made


def _table(table: Table, language: str) -> Json:
    cells = [[drawable(cell) for cell in row] for row in rows_of(table)]
    size, _, widths = fitted(table, cells)
    return {
        "type": "table",
        "caption": drawable(table.caption),
        "columns": [{"label": drawable(each.label), "align": each.align} for each in table.columns],
        "rows": cells,
        "note": drawable(table.note),
        "empty": NO_ROWS.say(language),
        "size": size,
        "amounts": all(
            len(_AMOUNT.findall(cell)) <= MOST_BOXES
            for row in cells
            for cell in row
            if len(cell) > MOST_BOXES
        ),
        "pad": 5.0 if size > 8 else 3.5,
        "whole": len(cells) <= SMALL_TABLE and sum(len(cell) for row in cells for cell in row) <= 2_000,
        "widths": widths,
    }


def _chart(chart: Chart, inputs: dict[str, str]) -> Json:
    name = f"chart-{len(inputs)}"
    svg = drawn_svg(chart.spec)
    inputs[name] = svg
    caption = drawable(chart.caption)
    return {
        "type": "chart",
        "caption": caption,
        "note": drawable(chart.note),
        "image": name,
        "width": round(100 * chart_size(svg)[0] / TEXT_WIDTH, 1),
        "alt": caption or drawable(str(chart.spec.get("title", ""))[:200]) or "chart",
    }
