"""Reading a file: its content says what it is, its name only helps, and a bad one ends in one clear error.

`extract` runs the parsers in this process. Files that come from outside go through `extract_in_child`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any

import orjson

from metaagent.child import Limits, call
from metaagent.errors import MetaAgentError, Text
from metaagent.knowledge import loaders
from metaagent.knowledge.bilingual_names import both_languages
from metaagent.knowledge.dates import validity
from metaagent.knowledge.extracted import BlockWriter, Extracted, Parsed, clean, one_line, refused, shown_name
from metaagent.knowledge.parsing.archive import BROKEN
from metaagent.knowledge.sniffing import EXTENSIONS, MEDIA_TYPES, extension, kind_of
from metaagent.values import sequence

MAX_BYTES = 50_000_000
LIMITS = Limits(seconds=120, memory_mb=1_024, result_mb=128)
"""Limits of the process that reads one file."""

PARSERS = {
    "markdown": ("markdown", "parse"),
    "text": ("plain_text", "parse"),
    "html": ("html", "parse"),
    "csv": ("sheets", "parse_csv"),
    "mail": ("mail", "parse"),
    "pdf": ("pdf", "parse"),
    "docx": ("docx", "parse"),
    "xlsx": ("xlsx", "parse"),
    "hwpx": ("hwpx", "parse"),
}
_EMPTY = Text(en="{name}: the file is empty (0 bytes).", ko="{name}: 빈 파일입니다(0바이트).")
_NO_TEXT = Text(en="{name}: no text was found in it.", ko="{name}: 읽을 글이 없습니다.")
_TOO_LARGE = Text(
    en="{name}: {size} MB, more than the {limit} MB that are read. Split it.",
    ko="{name}: 크기가 {size}MB로 한도 {limit}MB를 넘습니다. 나누어 올려 주세요.",
)
_OTHER_KIND = Text(
    en="The name says .{promised}, the content is {kind}: it was read as {kind}.",
    ko="이름은 .{promised}이지만 내용은 {kind}이어서 {kind}(으)로 읽었습니다.",
)


def extract(name: str, content: bytes, loader: str = "") -> Extracted:
    """The text of a file with its structure, by the LangChain loader `module:Class` where one is named. Raises FileRefused with
    a message for a person."""
    if not content:
        raise refused(name, _EMPTY)
    if len(content) > MAX_BYTES:
        raise refused(name, _TOO_LARGE, size=len(content) // 1_000_000, limit=MAX_BYTES // 1_000_000)
    writer = BlockWriter()
    if loader:
        parsed = _parsed(name, lambda: loaders.parse(content, name, writer, loader))
        return _finished(name, writer, parsed, "text")
    kind = kind_of(name, content)
    promised = EXTENSIONS.get(extension(name))
    if promised not in (None, kind):
        writer.warn(_OTHER_KIND, promised=extension(name), kind=kind.upper())
    module, function = PARSERS[kind]
    parser = getattr(import_module(f"metaagent.knowledge.parsing.{module}"), function)
    return _finished(name, writer, _parsed(name, lambda: parser(content, name, writer)), kind)


def _parsed(name: str, parse: Callable[[], Parsed]) -> Parsed:
    try:
        return parse()
    except (MetaAgentError, MemoryError):
        raise
    except Exception as error:  # parsers of foreign packages raise almost anything on broken files
        raise refused(name, BROKEN, why=type(error).__name__) from error


class FileReader:
    """Reads files in children; those with an extension of `by_loader` by the LangChain loader that it names."""

    def __init__(self, by_loader: Mapping[str, str]) -> None:
        """Take loaders as `module:Class` by extension: {".ipynb": "..."}."""
        self._loaders = by_loader

    async def __call__(self, name: str, content: bytes) -> Extracted:
        return await extract_in_child(name, content, loader=self._loaders.get(f".{extension(name)}", ""))


async def extract_in_child(
    name: str, content: bytes, limits: Limits = LIMITS, *, loader: str = ""
) -> Extracted:
    """The same in a process of its own with limits. Raises FileRefused, or ChildFailed where a limit was reached."""
    given = orjson.dumps([name.encode("utf-8", "replace").decode(), loader])
    payload = len(given).to_bytes(4, "big") + given + content
    made = await call(extract_payload, payload, limits=limits, what=shown_name(name))
    return Extracted.from_json(orjson.loads(made))


def extract_payload(payload: bytes) -> bytes:
    """The function that the child runs: name and loader with their length and a content in, the extracted text as JSON out."""
    start = 4 + int.from_bytes(payload[:4], "big")
    name, loader = orjson.loads(payload[4:start])
    return orjson.dumps(extract(name, payload[start:], loader).as_json())


def _finished(name: str, writer: BlockWriter, parsed: Parsed, kind: str) -> Extracted:
    if not writer.blocks:
        raise refused(name, _NO_TEXT)
    title = (
        _text_of(parsed.front, "title", "제목")
        or parsed.title
        or one_line(clean(PurePosixPath(name).stem))
        or "?"
    )
    top = "\n".join(block.text for block in writer.blocks[:40])
    end = "\n".join(block.text for block in writer.blocks[40:][-10:])
    listed = [*sequence(parsed.front.get("aliases")), *sequence(parsed.front.get("별칭"))]
    names = [one_line(str(name))[:200] for name in listed if isinstance(name, str | int)][:50]
    return writer.extracted(
        title=title[:300],
        media_type=MEDIA_TYPES[kind],
        valid=validity(parsed.front, top, end),
        aliases=[*names, *both_languages(title)],
    )


def _text_of(front: Mapping[str, Any], *names: str) -> str:
    return next((str(front[name]) for name in names if isinstance(front.get(name), str | int)), "")
