"""`metaagent rules` and `metaagent comply`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from metaagent.demo import create_demo
from tests.support.command_line import Cli
from tests.support.compliance import PACK, files


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def folder_of(place: Path, **content: str) -> Path:
    for name, text in files(**content).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_rules_are_listed_and_shown_with_their_place(cli: Cli):
    listed = cli("rules", "list")
    assert "rebate_law 2024.9" in listed.stdout
    assert "Counsel must confirm" in listed.stdout
    shown = cli("rules", "show", "public_meal_amount").stdout
    assert "30,000 (2016-09-28 – 2024-08-26); 50,000 (2024-08-27 – )" in shown
    assert "rebate_law/2024.yaml:" in shown
    assert cli("rules", "show", "nothing").exit_code == 2


def test_examples_are_run_and_a_wrong_one_fails(cli: Cli, tmp_path: Path):
    assert cli("rules", "test").exit_code == 0
    wrong = folder_of(tmp_path / "rules", text=PACK.replace("amount: 101", "amount: 99"))
    result = cli("rules", "test", "--rules", str(wrong))
    assert result.exit_code == 1
    assert "small/1.yaml:10 cheap: violated ≠ passed" in result.stdout


def test_a_broken_folder_names_its_problems(cli: Cli, tmp_path: Path):
    broken = folder_of(tmp_path / "rules", text=PACK.replace("제47조의2제1항", "제99조"))
    result = cli("rules", "list", "--rules", str(broken))
    assert result.exit_code == 1
    assert "small/1.yaml:12: " in result.stderr
    assert cli("rules", "list", "--rules", str(tmp_path / "none")).exit_code == 2


def test_a_difference_names_the_changed_limit(cli: Cli, tmp_path: Path):
    one = folder_of(tmp_path / "one")
    two = folder_of(tmp_path / "two", text=PACK.replace("value: 100", "value: 50"))
    changed = cli("rules", "diff", str(two), "--rules", str(one)).stdout
    assert "~ threshold small.most: 100 (2020-01-01 – ) → 50 (2020-01-01 – )" in changed
    assert "the same" in cli("rules", "diff", str(one), "--rules", str(one)).stdout


@pytest.mark.parametrize(("text", "code"), [("규정을 준수하지 않음", 5), ("모든 규정을 준수함", 0), ("", 5)])
def test_a_document_is_judged_by_its_words(cli: Cli, tmp_path: Path, text: str, code: int):
    file = tmp_path / "report.txt"
    file.write_text(text, encoding="utf-8")
    assert cli("comply", str(file)).exit_code == code


def test_only_the_named_pack_judges(cli: Cli, tmp_path: Path):
    file = tmp_path / "report.txt"
    file.write_text("규정을 준수하지 않음", encoding="utf-8")
    assert cli("comply", str(file), "--pack", "fair_trade").exit_code == 0
    assert cli("comply", str(file), "--pack", "nothing").exit_code == 2


def test_the_book_is_judged_and_a_report_written(cli: Cli, tmp_path: Path):
    cli.data.mkdir()
    create_demo(f"sqlite:///{cli.data / 'pharma.db'}", now=date(2026, 11, 16), scale=0.1)
    report = tmp_path / "report.md"
    assert cli("comply", "--expenses", "2024-01-01..2026-12-31", "-o", str(report)).exit_code == 5
    written = report.read_text(encoding="utf-8")
    assert "`presentation_meal_amount` (rebate_law 2024.9" in written
    assert "약사법 제47조제2항" in written
    assert "## Checked and in order" in written
    said = cli.json("comply", "--expenses", "2026")
    assert said["blocks"] is True
    assert len(said["hash"]) == 64


@pytest.mark.parametrize(
    "words",
    [[], ["a.txt", "--expenses", "2026"], ["--expenses", "soon"], ["--expenses", "2026-02-30"], ["none.txt"]],
)
def test_wrong_usage_is_said(cli: Cli, words: list[str]):
    assert cli("comply", *words).exit_code == 2


def test_a_waiver_is_granted_listed_and_ended(cli: Cli, tmp_path: Path):
    file = tmp_path / "report.txt"
    file.write_text("규정을 준수하지 않음", encoding="utf-8")
    assert cli("rules", "waive", "nothing", "--until", "2099-01-01", "--reason", "x").exit_code == 2
    assert cli("rules", "waive", "not_complied", "--until", "1999-01-01", "--reason", "x").exit_code == 2
    now = ["--now", "2026-11-16"]
    made = cli.json("rules", "waive", "not_complied", "--until", "2026-12-01", "--reason", "known", *now)
    assert cli("comply", str(file), *now).exit_code == 0
    assert made["id"] in cli("rules", "waivers", *now).stdout
    assert cli("rules", "waivers", "--end", made["id"], "--reason", "over", *now).exit_code == 0
    assert cli("comply", str(file), *now).exit_code == 5


def test_a_waiver_is_granted_listed_and_runs_out(cli: Cli, tmp_path: Path):
    file = tmp_path / "visit.txt"
    file.write_text("규정을 준수하지 않음", encoding="utf-8")
    officer = ("--as", "olga", "--role", "compliance_officer", "--now", "2026-11-16")
    granted = ("rules", "waive", "not_complied", "--until", "2026-12-31", "--reason", "an old case")
    assert cli("comply", str(file), "--now", "2026-11-16").exit_code == 5
    assert cli(*granted, "--as", "bob", "--role", "employee", "--now", "2026-11-16").exit_code != 0
    assert cli(*granted, *officer).exit_code == 0
    assert "not_complied" in cli("rules", "waivers", "--now", "2026-11-16").stdout
    assert cli("comply", str(file), "--now", "2026-11-16").exit_code == 0
    assert cli("comply", str(file), "--now", "2027-01-01").exit_code == 5
    assert "not_complied" not in cli("rules", "waivers", "--now", "2027-01-01").stdout
