"""The pharma knowledge base: every document is read, dated, and agrees with the rules and the demonstration company."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from metaagent.demo.names import PRODUCTS
from metaagent.knowledge import articles
from metaagent.knowledge.chunks import Chunk, chunked
from metaagent.knowledge.extracted import Extracted
from metaagent.knowledge.reading import extract
from tests.support.paths import ROOT

PHARMA = ROOT / "configs" / "domains" / "pharma"
FILES = sorted((PHARMA / "knowledge").rglob("*.md"))
SHORT_NAMES = {
    "청탁금지법": "부정청탁 및 금품등 수수의 금지에 관한 법률",
    "공정거래법": "독점규제 및 공정거래에 관한 법률",
}


@cache
def read(file: Path) -> tuple[Extracted, list[Chunk]]:
    extracted = extract(file.name, file.read_bytes())
    return extracted, chunked(extracted, title=extracted.title)


def of(name: str) -> str:
    return read(PHARMA / "knowledge" / name)[0].text


@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
def test_document_is_read_dated_and_has_other_names(file: Path):
    extracted, chunks = read(file)
    assert not extracted.warnings
    assert extracted.valid_from
    assert extracted.aliases
    assert extracted.language == ("en" if file.parent.name == "en" else "ko")
    assert all(chunk.text == extracted.text[chunk.start : chunk.end] for chunk in chunks)


def test_there_are_enough_documents_and_sections():
    assert 20 <= len(FILES) <= 30
    assert len({read(file)[0].title for file in FILES}) == len(FILES)
    assert sum(len(read(file)[1]) for file in FILES) >= 100


@pytest.mark.parametrize(("name", "category", "price"), [product[:3] for product in PRODUCTS])
def test_every_product_has_its_section_and_price(name: str, category: str, price: int):
    sections = [
        (read(file)[0].title, chunk)
        for file in (PHARMA / "knowledge" / "products").glob("*.md")
        for chunk in read(file)[1]
        if chunk.heading[-1].startswith(f"{name} (")
    ]
    assert [title for title, _ in sections] == [f"{category} 제품 안내"]
    assert f"{price:,}원" in sections[0][1].text


@cache
def thresholds() -> dict[str, int]:
    found: dict[str, int] = {}
    for file in (PHARMA / "rules").rglob("*.yaml"):
        pack: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
        for name, threshold in pack.get("thresholds", {}).items():
            found[name] = threshold["values"][-1]["value"]
    return found


@pytest.mark.parametrize(
    ("threshold", "row"),
    [
        ("presentation_meal", "제품설명회 식음료"),
        ("presentation_meals_month", "같은 의사에 대한 식음료"),
        ("public_meal", "공직자등의 식사"),
        ("promotional_item", "판촉물"),
        ("seminar_souvenir", "복수기관 설명회 기념품"),
        ("lecture_hour", "강연료"),
        ("lecture_day", "강연료 하루 합계"),
        ("lecture_year", "강연료 연간 합계"),
        ("rep_month_meals", "담당자 월 식사비"),
    ],
)
def test_limits_are_those_of_the_rules(threshold: str, row: str):
    said = next(line for line in of("policies/spending.md").split("\n") if line.startswith(f"{row} | "))
    figure = re.search(r"\d[\d,]*", said.split(" | ")[1])
    assert figure
    assert int(figure[0].replace(",", "")) == thresholds()[threshold]


def test_retention_and_meals_per_day_are_those_of_the_rules():
    assert f"지출보고서 | {thresholds()['report_years']}년" in of("policies/retention.md")
    assert f"{thresholds()['institution_day_meals']}건을 넘으면" in of("policies/compliance_code.md")


def test_every_article_that_is_summarised_exists():
    statutes = yaml.safe_load((PHARMA / "rules" / "statutes.yaml").read_text(encoding="utf-8"))["statutes"]
    known = {statute["name"]: statute for statute in statutes}
    checked = 0
    for file in (PHARMA / "knowledge" / "laws").glob("*.md"):
        for chunk in read(file)[1]:
            for found in articles.find(chunk.heading[-1]):
                statute = known.get(SHORT_NAMES.get(found.article.law, found.article.law))
                if statute is None:
                    continue
                checked += 1
                assert found.article.number <= statute["articles"]
                assert found.article.branch <= statute["branches"].get(found.article.number, 0) + 1
    assert checked >= 20


def test_internal_code_has_the_articles_that_rules_name():
    titles = {
        chunk.article and chunk.article.split("조")[0]
        for chunk in read(PHARMA / "knowledge/policies/compliance_code.md")[1]
    }
    assert {f"제{number}" for number in range(1, 13)} <= titles
