"""YAML that came along is read once and kept; that of a company is read each time, and kept nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaagent import yaml_lines
from metaagent.language.cache_file import KeptFile
from metaagent.level1.query_analyzer.grammar import lexicon_en, lexicon_ko
from metaagent.level1.query_analyzer.grammar.first_letters import kept_openings, openings
from metaagent.yaml_lines import NotYaml, parse

TEXT = "name: 매출\nwords: [a, b]\nname: 또\nmost: 3\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptFile:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    file = KeptFile(tmp_path / "kept")
    monkeypatch.setattr(yaml_lines, "_KEPT", file)
    monkeypatch.setattr(yaml_lines, "_CAME_ALONG", (tmp_path / "configs",))
    return file


def test_document_that_came_along_is_read_once(
    kept: KeptFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "configs" / "domain.yaml"
    first = parse(TEXT, file)
    kept.keep()
    monkeypatch.setattr(yaml_lines, "_KEPT", KeptFile(tmp_path / "kept"))
    with monkeypatch.context() as refusing:
        refusing.setattr(yaml_lines, "_parse", None)
        again, other = parse(TEXT, file), parse(TEXT, file)
    assert again.data == first.data == {"name": "또", "words": ["a", "b"], "most": 3}
    assert again.repeated == first.repeated == (("name",),)
    assert again.line(("words", 1, "x")) == first.line(("words", 1, "x")) == 2
    again.data["words"].append("c")
    assert other.data["words"] == ["a", "b"]


def test_document_of_a_company_is_kept_nowhere(kept: KeptFile, tmp_path: Path):
    for file in (tmp_path / "data" / "domain.yaml", tmp_path / "configs" / ".." / "own.yaml", None):
        assert parse(TEXT, file).data["most"] == 3
    kept.keep()
    assert not (tmp_path / "kept").exists()


def test_date_in_a_document_is_read_each_time(kept: KeptFile, tmp_path: Path):
    for _ in range(2):
        assert parse("as_of: 2024-01-31", tmp_path / "configs" / "a.yaml").data["as_of"].year == 2024
    kept.keep()
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(("text", "line"), [("a: 1\n\tb: 2", 2), ("a: \x01", 0)])
def test_what_is_no_yaml_says_where(text: str, line: int):
    with pytest.raises(NotYaml) as refused:
        parse(text)
    assert refused.value.line == line
    assert refused.value.problem


def test_kept_openings_are_those_of_the_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = "metaagent.level1.query_analyzer.grammar.first_letters._KEPT"
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    file = KeptFile(tmp_path / "kept")
    monkeypatch.setattr(place, file)
    patterns = [pattern for pattern, *_ in (*lexicon_ko.OPERATORS, *lexicon_en.OPERATORS)]
    first = [kept_openings(pattern) for pattern in patterns]
    file.keep()
    monkeypatch.setattr(place, KeptFile(tmp_path / "kept"))
    assert [kept_openings(pattern) for pattern in patterns] == first == [openings(p) for p in patterns]
