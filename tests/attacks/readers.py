"""What reads texts and files of people: each reader's cost for a byte, on shapes that a careless pattern is slow on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from metaagent.config import load_settings
from metaagent.errors import MetaAgentError
from metaagent.knowledge.chunks import chunked
from metaagent.knowledge.reading import PARSERS, extract
from metaagent.knowledge.terms import terms
from metaagent.level2.compliance.judging import judge
from metaagent.level2.compliance.packs import load_rules, read_files
from metaagent.level2.compliance.subjects import subject_of_file
from metaagent.ports import AnalysisInput, User
from metaagent.sessions.domain import OpenDomain
from tests.attacks.generators import PLAIN_PIECE
from tests.support.paths import ROOT

Read = Callable[[str], object]
TODAY = date(2026, 11, 16)
TEXTS = {"markdown": "a.md", "text": "a.txt", "html": "a.html", "csv": "a.csv", "mail": "a.eml"}
"""Parsers that read text as it is, by the name of a file; the others unpack archives, which have a class of their own."""
OF_ARCHIVES = {"pdf", "docx", "xlsx", "hwpx"}


@cache
def _rules() -> Any:
    return load_rules(read_files(ROOT / "configs" / "domains" / "pharma" / "rules"))


@cache
def _reasoner() -> Any:
    folder = mkdtemp()
    settings = load_settings(env={}, overrides={"data_dir": Path(folder), "agents": {"allow": []}})
    return OpenDomain(settings).reasoner()


def judged(text: str) -> None:
    """Judge a text as a check of a document does."""
    judge(_rules(), subject_of_file("a.txt", text.encode()), TODAY)


def ingested(name: str, text: str) -> None:
    """Read a file as it is added to what is searched or attached, up to what is written."""
    with suppress(MetaAgentError):  # a shape that is refused costs too
        made = chunked(extract(name, text.encode()), title="a")
        for chunk in made:
            terms(chunk.text)


def understood(text: str) -> None:
    """Read a question with the words of a domain."""
    offered = (
        {"name": "data_analysis", "agent": "data_analysis", "words": {"ko": [], "en": []}, "permissions": []},
    )
    given = AnalysisInput(datetime(2026, 11, 16, 3, tzinfo=UTC), "Asia/Seoul", None, User(), offered)
    with suppress(MetaAgentError), ThreadPoolExecutor(1) as apart:  # a loop of its own
        apart.submit(asyncio.run, _reasoner().analyze(text, given)).result()


def readers() -> Iterator[tuple[str, Read]]:
    assert {*TEXTS, *OF_ARCHIVES} == {*PARSERS}, (
        "a new kind of file: say in tests/attacks/readers.py how it is tried"
    )
    yield "a check by rules", judged
    yield "a question", understood
    for kind, name in TEXTS.items():
        yield f"a file of {kind}", partial(ingested, name)


def warmed(read: Read) -> Read:
    """The reader, after it has loaded what it takes."""
    read(PLAIN_PIECE)
    return read
