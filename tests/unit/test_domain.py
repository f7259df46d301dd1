from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from metaagent.errors import ConfigInvalid
from metaagent.level1.query_analyzer import load_domain
from tests.support.paths import ROOT
from tests.support.understanding import ask, intents

PHARMA = ROOT / "configs" / "domains" / "pharma"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PHARMA, tmp_path / "pharma"))


def _edit(file: Path, old: str, new: str) -> int:
    """Replaces a text once and returns the line it stands on."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1 + old.count("\n")


def _message(folder: Path) -> str:
    with pytest.raises(ConfigInvalid) as caught:
        load_domain(folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("domain.yaml", "  recent_days: 30", "  recent_dayz: 30", "Did you mean 'recent_days'?"),
        ("domain.yaml", "  recent_days: 30", "  recent_days: thirty", "type int"),
        ("domain.yaml", "    type: money", "    type: mony", "Did you mean 'money'?"),
        ("domain.yaml", "    range: [1, 300]", "    range: [300, 1]", "[lowest, highest]"),
        (
            "domain.yaml",
            "slots: [held_on, attendees, budget]",
            "slots: [held_on, atendees, budget]",
            "'attendees'",
        ),
        ("intents.yaml", "    over: [compare]", "    over: [compair]", "Did you mean 'compare'?"),
        ("intents.yaml", "  - name: compare", "  - name: analysis", "declared twice"),
        (
            "intents.yaml",
            "    capabilities: [storage_decision]",
            "    capabilities: [storage]",
            "'storage_decision'",
        ),
        (
            "regions.yaml",
            "members: [서울, 인천, 경기]",
            "members: [서울, 인천, 경귀]",
            "unknown region '경귀'",
        ),
    ],
)
def test_a_mistake_is_named_with_file_line_and_remedy(
    folder: Path, file: str, old: str, new: str, says: str
) -> None:
    line = _edit(folder / file, old, new)
    message = _message(folder)
    assert f"{file}, line {line}:" in message
    assert says in message


def test_broken_yaml_names_the_line(folder: Path) -> None:
    (folder / "domain.yaml").write_text("name: pharma\ndefaults: {recent_days: 30\n", encoding="utf-8")
    assert "domain.yaml, line 3: not valid YAML" in _message(folder)


def test_a_missing_file_and_a_missing_key_are_named(folder: Path) -> None:
    (folder / "intents.yaml").unlink()
    assert "intents.yaml, line 1: cannot be read" in _message(folder)
    (folder / "domain.yaml").write_text("title: {ko: a, en: b}\n", encoding="utf-8")
    shutil.copy(PHARMA / "intents.yaml", folder / "intents.yaml")
    assert "lacks 'name'" in _message(folder)


def test_an_intent_an_alias_and_a_slot_are_added_in_yaml_alone(folder: Path) -> None:
    _edit(
        folder / "intents.yaml",
        "intents:\n",
        "intents:\n  - {name: greet, words: {ko: [안녕], en: [hello]}, slots: [mood]}\n",
    )
    _edit(
        folder / "domain.yaml",
        "slots:\n  held_on:",
        "slots:\n  mood: {type: text, question: {ko: 기분은?, en: Mood?}}\n  held_on:",
    )
    _edit(folder / "regions.yaml", "[부산, 부산시, 부산광역시]", "[부산, 부산시, 부산광역시, 갈매기도시]")
    domain = load_domain(folder)
    reading = ask("안녕하세요", domain=domain)
    assert intents(reading) == {"greet"}
    assert reading["ambiguities"][0]["question"] == "기분은?"
    assert ask("갈매기도시 매출", domain=domain)["extracted_entities"][0]["normalized"] == "26"


def test_confidence_comes_from_what_was_measured() -> None:
    domain = load_domain(PHARMA)
    assert domain.calibration
    for item in ask("방문 보고서 작성해줘", domain=domain)["parsed_intents"]:
        right, seen = domain.calibration[f"intent_{item['rule']}"]
        assert item["confidence"] == round((right + 1) / (seen + 2), 3)
