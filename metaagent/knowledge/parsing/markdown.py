"""Markdown: front matter, headings, lists, tables, code, footnotes. Marks of emphasis and links are taken off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import yaml

from metaagent.knowledge.extracted import BlockWriter, Kind, Parsed, clean
from metaagent.knowledge.parsing.plain_text import decoded
from metaagent.values import mapping

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})\s*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$")
_ITEM = re.compile(r"\s*(?:[-*+]\s|\d{1,4}\\?[.)]\s|[가-하]\\?[.)]\s|\(\d{1,3}\)\s)")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]\s]{1,60})\]:\s*(.*)$")
_REFERENCE = re.compile(r"\[\^([^\]\s]{1,60})\]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PICTURE = re.compile(r"!\[([^\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,500}\")?\)")
_LINK = re.compile(r"\[([^\]\[\n]{1,500})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,500}\")?\)")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
_CODE = re.compile(r"(`{1,3})([^`\n]{1,1000})\1")
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]{1,300}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,1000})(?<=\S)\*(?![\w*])")
_TAG = re.compile(r"</?(?:b|i|u|em|strong|br|sub|sup|span|small|mark|kbd|p|div|center)(?:\s[^<>]{0,300})?/?>")
_MARKED = re.compile(r"[*_~`\[<\\]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read Markdown. Its title is its first heading."""
    front, body = front_matter(clean(writer.within_limit(decoded(content, name=name))))
    lines = _COMMENT.sub("", body).split("\n")
    _Parser(writer, _footnotes(lines)).run(lines)
    headings = (block.text for block in writer.blocks if block.kind == "heading")
    return Parsed(next(headings, ""), front)


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The YAML between `---` lines at the top, and the rest. Anything that is no mapping is no front matter."""
    if not text.startswith("---\n"):
        return {}, text
    end = text.find("\n---", 3)
    if not 0 <= end <= 20_000 or text[end + 4 : end + 5] not in ("", "\n"):
        return {}, text
    head = text[4:end]
    if ("&" in head and "*" in head) or head.count("[") + head.count("{") > 200:
        # An alias of YAML can multiply what it names, and deep nesting takes long to fail.
        return {}, text[end + 4 :]
    try:
        front = cast("object", yaml.safe_load(head))
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, text
    return (dict(mapping(front)), text[end + 4 :]) if isinstance(front, dict) else ({}, text)


def plain(text: str) -> str:
    """Inline Markdown as a reader sees it."""
    if not _MARKED.search(text):
        return text
    text = _PICTURE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _CODE.sub(r"\2", text)
    text = _STRONG.sub(r"\2", text)
    text = _EMPHASIS.sub(r"\1", text)
    text = _TAG.sub("", text)
    return _ESCAPED.sub(r"\1", text)


def _footnotes(lines: list[str]) -> dict[str, str]:
    """Definitions of footnotes, taken out of the lines: each is written after the block that refers to it."""
    found: dict[str, str] = {}
    current = ""
    for number, line in enumerate(lines):
        if match := _FOOTNOTE.match(line):
            current = str(match[1])
            found[current] = match[2]
            lines[number] = ""
        elif current and line.startswith("    ") and line.strip():
            found[current] += " " + line.strip()
            lines[number] = ""
        else:
            current = ""
    return found


class _Parser:
    """Goes through the lines once. An open block ends with the line that begins another."""

    def __init__(self, writer: BlockWriter, notes: dict[str, str]) -> None:
        self._writer = writer
        self._notes = notes
        self._open: list[str] = []

    def run(self, lines: list[str]) -> None:
        number = 0
        while number < len(lines) and not self._writer.full:
            number = self._step(lines, number)
        self._close()
        for name in list(self._notes):
            self._note(name)

    def _step(self, lines: list[str], number: int) -> int:
        line = lines[number]
        if not line.strip():
            self._close()
        elif fence := _FENCE.match(line):
            return self._code(lines, number, fence[1])
        elif heading := _HEADING.match(line):
            self._close()
            self._heading(heading[2] or "", len(heading[1]))
        elif self._open and (under := _UNDERLINE.match(line)) and len(self._open) == 1:
            title = self._open.pop()
            self._heading(title, 1 if under[1].startswith("=") else 2)
        elif "|" in line and number + 1 < len(lines) and _is_table_rule(lines[number + 1], line):
            self._close()
            return self._table(lines, number)
        elif _RULE.match(line):
            self._close()
        else:
            self._open.append(line)
        return number + 1

    def _heading(self, text: str, level: int) -> None:
        self._write("heading", plain(text), level)

    def _code(self, lines: list[str], number: int, fence: str) -> int:
        self._close()
        body: list[str] = []
        number += 1
        while number < len(lines) and not lines[number].strip().startswith(fence):
            body.append(lines[number])
            number += 1
        self._writer.add("code", "\n".join(body))
        return number + 1

    def _table(self, lines: list[str], number: int) -> int:
        first = number
        rows = [_cells(_REFERENCE.sub(r"[\1]", lines[number]))]
        number += 2
        while number < len(lines) and "|" in lines[number]:
            rows.append(_cells(_REFERENCE.sub(r"[\1]", lines[number])))
            number += 1
        self._writer.add_table([row[: len(rows[0])] for row in rows], head=1)
        for line in lines[first:number]:
            self._notes_of(line)
        return number

    def _close(self) -> None:
        lines, self._open = self._open, []
        if not lines:
            return
        if all(line.lstrip().startswith(">") for line in lines):
            lines = [line.lstrip().lstrip(">").strip() for line in lines]
        if _PICTURE.fullmatch(lines[0].strip()) and len(lines) == 1:
            self._write("picture", plain(lines[0]))
            return
        if any(_ITEM.match(line) for line in lines):
            self._write_items(lines)
        else:
            self._write("paragraph", "\n".join(plain(line.strip()) for line in lines))

    def _write_items(self, lines: list[str]) -> None:
        """Write a list: one line an item, its continuation joined, its indentation kept as two spaces a level."""
        items = list(_items(lines))
        before = "\n".join(text for _, text, marked in items if not marked)
        if before:
            self._write("paragraph", before)
        self._write("list", "\n".join("  " * depth + text for depth, text, marked in items if marked))

    def _write(self, kind: Kind, text: str, level: int = 0) -> None:
        self._writer.add(kind, _REFERENCE.sub(r"[\1]", text), level=level)
        self._notes_of(text)

    def _notes_of(self, text: str) -> None:
        for name in _REFERENCE.findall(text):
            self._note(name)

    def _note(self, name: str) -> None:
        if name in self._notes:
            self._writer.add("footnote", f"[{name}] {plain(self._notes.pop(name))}")


def _items(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """(depth, text, whether it is an item) of each item, and of the lines before the first."""
    held: list[str] = []
    depth = 0
    marked = False
    margins: list[int] = []
    for line in lines:
        if _ITEM.match(line) or not held:
            if held:
                yield depth, " ".join(held), marked
            marked = bool(_ITEM.match(line))
            margin = len(line) - len(line.lstrip())
            while margins and margins[-1] > margin:
                margins.pop()
            if marked and (not margins or margins[-1] < margin):
                margins.append(margin)
            depth = max(len(margins) - 1, 0)
            held = [plain(line.strip())]
        else:
            held.append(plain(line.strip()))
    if held:
        yield depth, " ".join(held), marked


def _is_table_rule(line: str, head: str) -> bool:
    if "-" not in line or len(line) > 5_000 or not _TABLE_RULE.match(line):
        return False
    return len(_cells(line)) == len(_cells(head))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner.removesuffix("|") if not inner.endswith("\\|") else inner
    return [plain(cell.strip()) for cell in _CELL_BORDER.split(inner)]
