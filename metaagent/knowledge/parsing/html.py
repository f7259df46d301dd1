"""HTML: the text that a reader sees, with headings, lists and tables. Scripts, styles and hidden parts are left out."""

from __future__ import annotations

import re
from typing import Any

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line
from metaagent.knowledge.parsing.grid import Cell, grid
from metaagent.knowledge.parsing.plain_text import decoded

_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?([A-Za-z0-9_-]{2,30})|encoding=["']([A-Za-z0-9_-]{2,30})""",
    re.IGNORECASE,
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE
)
_LEFT_OUT = frozenset(
    {
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "nav",
        "svg",
        "math",
        "iframe",
        "object",
        "embed",
        "canvas",
    }
    | {"audio", "video", "select", "button", "form", "dialog"}
)
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "blockquote", "address", "figure"}
    | {"figcaption", "dl", "dt", "dd", "td", "th", "tr", "body", "html", "hr", "center"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DEEPEST = 250
_DEEP = Text(
    en="Its elements are nested too deeply; the innermost were not read.",
    ko="요소가 너무 깊이 겹쳐 있어 가장 안쪽은 읽지 않았습니다.",
)


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read an HTML file."""
    declared = _DECLARED.search(content[:4_096])
    encoding = (declared[1] or declared[2]).decode("ascii") if declared else None
    title = add_html(decoded(content, name=name, declared=encoding), writer)
    return Parsed(title)


def add_html(text: str, writer: BlockWriter) -> str:
    """Add the blocks of an HTML text. Gives back its title."""
    import lxml.html

    parser = lxml.html.HTMLParser(
        encoding="utf-8",
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        recover=True,
        huge_tree=False,
    )
    content = writer.within_limit(text).encode("utf-8", "replace")
    if not content.strip():
        return ""
    root: Any = lxml.html.document_fromstring(content, parser=parser, ensure_head_body=True)
    walker = _Walker(writer)
    walker.walk(root, 0)
    walker.close()
    if walker.too_deep or any("depth" in entry.message for entry in parser.error_log):
        writer.warn(_DEEP)
    title = root.findtext(".//title")
    headings = (block.text for block in writer.blocks if block.kind == "heading")
    return one_line(clean(title or "")) or next(headings, "")


class _Walker:
    """Collects running text until an element begins or ends a block."""

    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer
        self._text: list[str] = []
        self.too_deep = False

    def close(self) -> None:
        """End the open paragraph."""
        text, self._text = "".join(self._text), []
        lines = (one_line(line) for line in clean(text).split("\n"))
        self._writer.add("paragraph", "\n".join(line for line in lines if line))

    def walk(self, element: Any, depth: int) -> None:
        self.too_deep = self.too_deep or depth > _DEEPEST
        if not isinstance(element.tag, str) or self._writer.full or depth > _DEEPEST:
            return
        tag = element.tag.lower()
        if tag in _LEFT_OUT or _is_hidden(element):
            return
        if tag in _HEADINGS:
            self._block("heading", one_line(_shown_text(element)), _HEADINGS[tag])
        elif tag == "table" and _is_data(element):
            self.close()
            rows, head = _rows(element)
            caption = element.find("caption")
            self._writer.add("paragraph", one_line(_shown_text(caption)) if caption is not None else "")
            self._writer.add_table(rows, head=head)
        elif tag in ("ul", "ol"):
            self._block("list", "\n".join(_items(element, 0)))
        elif tag in ("pre", "textarea"):
            self._block("code", clean(element.text_content()))
        else:
            self._inline(element, tag, depth)

    def _block(self, kind: Any, text: str, level: int = 0) -> None:
        self.close()
        self._writer.add(kind, text, level=level)

    def _inline(self, element: Any, tag: str, depth: int) -> None:
        if tag in _BLOCKS:
            self.close()
        if tag == "br":
            self._text.append("\n")
        if tag == "img" and (said := element.get("alt")):
            self._block("picture", one_line(clean(said))[:500])
        self._text.append(_flat(element.text))
        for child in element:
            self.walk(child, depth + 1)
            self._text.append(_flat(child.tail))
        if tag in _BLOCKS:
            self.close()


def _flat(text: str | None) -> str:
    """Line ends in the source are spaces to a reader."""
    return re.sub(r"\s+", " ", text) if text else ""


def _is_hidden(element: Any) -> bool:
    style = element.get("style")
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or bool(style and _HIDDEN_STYLE.search(style))
    )


def _shown_text(element: Any) -> str:
    """The text of an element without its hidden parts."""
    parts: list[str] = []
    stack: list[Any] = [element]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            parts.append(one)
            continue
        if not isinstance(one.tag, str) or one.tag.lower() in _LEFT_OUT or _is_hidden(one):
            continue
        inner: list[Any] = [_flat(one.text)]
        for child in one:
            inner += [" " if child.tag in ("br", "p", "li", "div") else "", child, _flat(child.tail)]
        stack.extend(reversed(inner))
    return clean("".join(parts))


def _is_data(table: Any) -> bool:
    """Tables that only lay out a page hold other tables, or one column."""
    if table.find(".//table") is not None:
        return False
    return any(len([cell for cell in row if cell.tag in ("td", "th")]) > 1 for row in table.iter("tr"))


def _rows(table: Any) -> tuple[list[list[str]], int]:
    rows: list[list[Cell]] = []
    head = 0
    for row in table.iter("tr"):
        if _is_hidden(row):
            continue
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        named = row.getparent().tag == "thead" or (bool(cells) and all(cell.tag == "th" for cell in cells))
        head += 1 if named and head == len(rows) else 0
        rows.append(
            [Cell(_shown_text(cell), _span(cell, "colspan"), _span(cell, "rowspan")) for cell in cells]
        )
    return grid(rows, head or 1), head or 1


def _span(cell: Any, name: str) -> int:
    value = cell.get(name) or "1"
    return min(max(int(value), 1), 1_000) if value.isdecimal() and len(value) < 6 else 1


def _items(element: Any, depth: int) -> list[str]:
    """One line an item; numbers of ordered lists are written out."""
    lines: list[str] = []
    number = 0
    for item in element:
        if item.tag != "li" or _is_hidden(item):
            continue
        number += 1
        mark = f"{number}." if element.tag == "ol" else "-"
        inner = [child for child in item if child.tag in ("ul", "ol")]
        own = [_flat(item.text)]
        for child in item:
            own += ["" if child in inner else _shown_text(child), _flat(child.tail)]
        lines.append("  " * depth + f"{mark} {one_line(clean(''.join(own)))}")
        for child in inner if depth < 20 else []:
            lines += _items(child, depth + 1)
    return lines
