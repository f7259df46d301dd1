"""A Vega-Lite spec as PNG, SVG and PDF, on this machine alone: no browser, no network, with a Korean font.

In the SVG all text is drawn as outlines of that font, so that it looks the same in a page, in a PDF and in an
office program; what it says stays readable for machines as `aria-label`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import orjson

from metaagent.errors import InputRefused, Text
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FONT = "Noto Sans KR"
VEGA_LITE = "6.4"
LARGEST_SPEC = 20_000

OUTSIDE_DATA = Text(
    en="The chart refers to '{url}': charts hold their own data. Put the rows into data.values.",
    ko="차트가 '{url}'을(를) 가리킵니다. 차트는 자기 데이터만 씁니다. 행을 data.values에 넣으세요.",
)
TOO_MANY_MARKS = Text(
    en="The chart has {rows} rows, more than {limit}: aggregate or take the top ones first.",
    ko="차트의 행이 {rows}개로 {limit}개를 넘습니다. 먼저 집계하거나 상위 항목만 고르세요.",
)


def render_png(spec: Mapping[str, Any], *, scale: float = 2.0) -> bytes:
    return _converter().vegalite_to_png(
        own_data_only(spec), vl_version=VEGA_LITE, scale=scale, allowed_base_urls=[]
    )


def render_svg(spec: Mapping[str, Any]) -> str:
    svg = _converter().vegalite_to_svg(own_data_only(spec), vl_version=VEGA_LITE, allowed_base_urls=[])
    ElementTree.register_namespace("", _SVG)
    # The text comes from our own renderer, not from outside, and holds no document type.
    root = ElementTree.fromstring(svg)  # noqa: S314
    for text in list(root.iter(f"{{{_SVG}}}text")):
        _outline(text)
    return ElementTree.tostring(root, encoding="unicode")


def drawn_svg(spec: Mapping[str, Any]) -> str:
    """Like `render_svg`, drawn once however many formats of a document show it."""
    return _drawn(orjson.dumps(spec))


def drawn_png(spec: Mapping[str, Any], scale: float = 2.5) -> bytes:
    """A picture of the same drawing, for formats that hold no vectors."""
    return _converter().svg_to_png(drawn_svg(spec), scale=scale)


@lru_cache(maxsize=32)
def _drawn(spec: bytes) -> str:
    return render_svg(orjson.loads(spec))


def render_pdf(spec: Mapping[str, Any]) -> bytes:
    return _converter().vegalite_to_pdf(own_data_only(spec), vl_version=VEGA_LITE, allowed_base_urls=[])


@cache
def _converter() -> Any:
    import vl_convert
    from pylopdf_fonts_ko import sans_path

    vl_convert.register_font_directory(str(sans_path().parent))
    return vl_convert


def own_data_only(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec, if all of its data is inside it; otherwise InputRefused."""
    for key, value in _walk(spec):
        # `url` loads data, images or map shapes; `href` would make a picture into a link out of the house.
        if key in ("url", "href") and value is not None:
            raise InputRefused(OUTSIDE_DATA, url=str(value)[:200])
        if key == "values" and isinstance(value, list) and len(value) > LARGEST_SPEC:
            raise InputRefused(TOO_MANY_MARKS, rows=len(value), limit=LARGEST_SPEC)
    return dict(spec)


def _walk(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value
            # The rows are data: a column may be called "url".
            if key != "values":
                yield from _walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value)


_SVG = "http://www.w3.org/2000/svg"
_SIZE = regex(r"([\d.]+)px")
_SHIFT = {"start": 0.0, "middle": -0.5, "end": -1.0}


@cache
def _font() -> tuple[Any, dict[int, str], int]:
    from fontTools.ttLib import TTFont
    from pylopdf_fonts_ko import sans_path

    # From memory: glyphs are read for as long as the process lives, and no file stays open for them.
    font = TTFont(BytesIO(sans_path().read_bytes()), lazy=True)
    head: Any = font["head"]
    return font.getGlyphSet(), font.getBestCmap() or {}, head.unitsPerEm


@cache
def _glyph(code: int) -> tuple[str, float] | None:
    """(outline, width) of one character, None where the font has no such sign."""
    from fontTools.pens.svgPathPen import SVGPathPen

    glyphs, names, _ = _font()
    if code not in names:
        return None
    pen = SVGPathPen(glyphs, ntos=lambda value: f"{value:.0f}")
    glyphs[names[code]].draw(pen)
    return pen.getCommands(), glyphs[names[code]].width


def _outline(text: ElementTree.Element) -> None:
    """Turns one <text> into a group of glyph outlines; signs that the font lacks leave it as it is."""
    lines = [(text.text or "", 0.0)] if not len(text) else _lines(text)
    size = _SIZE.search(text.get("font-size", ""))
    if size is None or any(_glyph(ord(sign)) is None for words, _ in lines for sign in words):
        return
    scale, anchor = float(size[1]) / _font()[2], _SHIFT.get(text.get("text-anchor", "start"), 0.0)
    for child in list(text):
        text.remove(child)
    text.tag = f"{{{_SVG}}}g"
    text.text = None
    for name in ("text-anchor", "font-family", "font-size", "font-weight", "font-style"):
        text.attrib.pop(name, None)
    text.set("role", "img")
    text.set("aria-label", " ".join(words for words, _ in lines))
    for words, down in lines:
        _draw(text, words, scale, anchor, down)


def _lines(text: ElementTree.Element) -> list[tuple[str, float]]:
    """The lines of a <text> of several, each with its distance from the first."""
    down, lines = 0.0, list[tuple[str, float]]()
    for span in text:
        down += float(span.get("dy", "0"))
        lines.append((span.text or "", down))
    return lines


def _draw(group: ElementTree.Element, words: str, scale: float, anchor: float, down: float) -> None:
    found = [glyph for glyph in (_glyph(ord(sign)) for sign in words) if glyph is not None]
    x = anchor * sum(width for _, width in found)
    for outline, width in found:
        if outline:
            move = f"translate(0,{down:g}) scale({scale:.5g},{-scale:.5g}) translate({x:.0f},0)"
            ElementTree.SubElement(group, f"{{{_SVG}}}path", {"d": outline, "transform": move})
        x += width


def render(asked: bytes) -> bytes:
    """One picture: the form, a zero byte, and the spec. This is what `pictures` has a child process do."""
    form, _, spec = asked.partition(b"\0")
    made = {b"png": render_png, b"svg": render_svg, b"pdf": render_pdf}[form](orjson.loads(spec))
    return made.encode() if isinstance(made, str) else made
