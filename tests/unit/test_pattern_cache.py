"""Compiled patterns are kept for the next process: the same patterns, of the source alone, and never a failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metaagent.language import cache_file, patterns
from metaagent.language.cache_file import KeptFile
from metaagent.language.pattern_cache import KeptPatterns

TEXT = r"(?P<who>[가-힣]{2,4})\s?(?:님|씨)(?![가-힣])|(?P<n>\d+)건"


@pytest.fixture(autouse=True)
def _written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)


def compiler(kept: KeptPatterns) -> Callable[[], Callable[[str, int], re.Pattern[str]]]:
    """A compiler that hands what it made to `kept`, and says so."""

    def compile_by(text: str, flags: int) -> re.Pattern[str]:
        made = re.compile(text, flags)
        from re import _compiler, _parser  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

        parsed = _parser.parse(text, flags)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        names = [None, *made.groupindex]
        code = _compiler._code(parsed, flags)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return kept.compile(text, made.flags, code, made.groups, dict(made.groupindex), tuple(names))

    return lambda: compile_by


def refused() -> Callable[[str, int], re.Pattern[str]]:
    raise AssertionError("compiled again")


def test_kept_pattern_is_not_compiled_again(tmp_path: Path):
    file = KeptFile(tmp_path / "kept")
    first = KeptPatterns(file)
    made = first.pattern(TEXT, re.IGNORECASE, compiler(first))
    file.keep()
    again = KeptPatterns(KeptFile(tmp_path / "kept")).pattern(TEXT, re.IGNORECASE, refused)
    assert (again.pattern, again.flags, again.groupindex) == (made.pattern, made.flags, made.groupindex)
    for said in ("김철수 님", "오늘 12건", "아무것도"):
        found, wanted = again.search(said), re.search(TEXT, said, re.IGNORECASE)
        assert (found and found.groupdict()) == (wanted and wanted.groupdict())


@pytest.mark.parametrize("content", [b"", b"nothing of ours", b"\xff" * 100, b"i\x01\x00\x00\x00"])
def test_file_that_cannot_be_read_is_made_anew(content: bytes, tmp_path: Path):
    (tmp_path / "kept").write_bytes(content)
    file = KeptFile(tmp_path / "kept")
    kept = KeptPatterns(file)
    assert kept.pattern(TEXT, 0, compiler(kept)).search("3건")
    file.keep()
    assert KeptPatterns(KeptFile(tmp_path / "kept")).pattern(TEXT, 0, refused).search("3건")


def test_what_another_python_kept_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = KeptFile(tmp_path / "kept", "engine 1")
    file.put(TEXT, "made")
    file.keep()
    assert KeptFile(tmp_path / "kept", "engine 1").get(TEXT) == "made"
    assert KeptFile(tmp_path / "kept", "engine 2").get(TEXT) is None
    monkeypatch.setattr("sys.version", "another")
    assert KeptFile(tmp_path / "kept", "engine 1").get(TEXT) is None


def test_what_nobody_uses_any_more_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    older = KeptFile(tmp_path / "kept")
    older.put("left", "x" * 900)
    older.keep()
    newer = KeptFile(tmp_path / "kept")
    newer.put("used", "y" * 900)
    monkeypatch.setattr(cache_file, "LARGEST", 1_000)
    newer.keep()
    found = KeptFile(tmp_path / "kept")
    assert (found.get("left"), found.get("used")) == (None, "y" * 900)


def test_place_that_cannot_be_written_is_left(tmp_path: Path):
    (tmp_path / "file").write_text("")
    file = KeptFile(tmp_path / "file" / "kept")
    file.put(TEXT, "made")
    file.keep()
    assert file.get(TEXT) == "made"


def test_only_patterns_of_the_source_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = KeptFile(tmp_path / "kept")
    kept = KeptPatterns(file)
    monkeypatch.setattr(patterns, "_KEPT", kept)
    monkeypatch.setattr(patterns, "_compiler", compiler(kept))
    assert patterns.regex("홍길동").search("홍길동")
    assert patterns.compiled("홍길순").search("홍길순")
    module: dict[str, Any] = {"regex": patterns.regex}
    exec("declared = [regex(each) for each in ('kept (.)',)]", module)
    assert module["declared"][0].search("kept 7")
    file.keep()
    written = (tmp_path / "kept").read_bytes()
    assert b"kept (" in written
    assert "홍길".encode() not in written


def test_patterns_are_the_same_in_every_process():
    """A pattern made of a set in its own order would be compiled anew by each process, and kept each time."""
    code = (
        "import gc, hashlib, metaagent.level1.query_analyzer.analyzer, metaagent.level2.retrieval.work\n"
        "from metaagent.language.patterns import _Waiting\n"
        "from metaagent.language.period_words import RULES\n"
        "texts = [each.pattern for each in gc.get_objects() if type(each) is _Waiting] + [rule[0] for rule in RULES]\n"
        "print(len(texts), hashlib.sha256('\\0'.join(sorted(texts)).encode('utf-8', 'surrogatepass')).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert int(told.pop().split()[0]) > 300
