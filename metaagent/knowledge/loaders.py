"""Files that a LangChain document loader reads, by configuration. Runs in the child that reads files.

A loader gets the path of a file that only it sees; each document that it gives becomes paragraphs, under its page or its own
title where it tells one.
"""

from __future__ import annotations

import re
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, refused

_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_NOT_THERE = Text(
    en="{name}: the loader {loader} is not installed ({why}). Install it, or change `retrieval.loaders`.",
    ko="{name}: 로더 {loader}이(가) 설치되어 있지 않습니다({why}). 설치하거나 `retrieval.loaders`를 바꾸세요.",
)


def parse(content: bytes, name: str, writer: BlockWriter, loader: str) -> Parsed:
    """Read a file by the loader `module:Class`. Raises FileRefused where it is not installed."""
    module, _, kind = loader.partition(":")
    try:
        made: Any = getattr(import_module(module), kind)
    except (ImportError, AttributeError) as error:
        raise refused(name, _NOT_THERE, loader=loader, why=str(error)[:200]) from error
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"file{Path(name).suffix.lower()}"
        file.write_bytes(content)
        documents = made(str(file)).load()
    title = ""
    for document in documents:
        told: Any = document.metadata.get("title")
        title = title or (clean(told) if isinstance(told, str) else "")
        page: Any = document.metadata.get("page")
        for part in _BLANK_LINES.split(clean(str(document.page_content))):
            writer.add("paragraph", part, page=page + 1 if isinstance(page, int) and page >= 0 else None)
    return Parsed(title=title)
