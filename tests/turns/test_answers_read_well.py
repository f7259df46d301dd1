"""Answers of every shape read as a person writes: fitting particles, one language, no internal names, nothing twice."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from metaagent.language.particles import particle
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Result
from metaagent.ports import Json, User
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import run_agent
from tests.support.data_world import settings

OCTOBER: Json = {"start": "2026-10-01", "end": "2026-10-31"}
YEAR: Json = {"start": "2026-01-01", "end": "2026-12-31"}
SEOUL: Json = {"dimension": "region", "values": ["서울"]}
BUSAN: Json = {"dimension": "region", "values": ["부산"]}
NO_VISIT: Json = {"dimension": "hospital", "fact_metric": "visit_count", "exists": False}


def _derived(kind: str, above: Json, below: Json | None = None, per: str | None = None) -> list[Json]:
    made: Json = {"name": "made", "kind": kind, "numerator": above}
    return [made | ({"denominator": below} if below else {}) | ({"per": per} if per else {})]


SALES: Json = {"metric": "sales_amount"}
SHAPES: dict[str, Json] = {
    "single": {"metrics": ["sales_amount"], "period": OCTOBER},
    "two figures": {"metrics": ["sales_amount", "hospital_count"], "period": OCTOBER},
    "by rep": {"metrics": ["sales_amount"], "dimensions": ["rep"], "period": OCTOBER},
    "distinct": {"metrics": ["buying_hospitals"], "dimensions": ["region"], "period": OCTOBER},
    "rate": {"metrics": ["achievement"], "dimensions": ["team"], "period": OCTOBER},
    "several": {"metrics": ["sales_amount", "visit_count", "achievement"], "dimensions": ["team"], "period": OCTOBER},
    "months": {"metrics": ["sales_amount"], "dimensions": ["month"], "period": YEAR},
    "running": {"metrics": ["sales_amount"], "dimensions": ["month"], "running_total": True, "period": YEAR},
    "days": {"metrics": ["visit_count"], "dimensions": ["day"], "period": OCTOBER},
    "weekdays": {"metrics": ["sales_amount"], "dimensions": ["weekday"], "period": OCTOBER},
    "weekend": {"metrics": ["sales_amount"], "weekdays": [6, 7], "period": OCTOBER},
    "compared": {"metrics": ["sales_amount"], "comparison": "previous", "period": OCTOBER},
    "compared parts": {"metrics": ["quantity"], "dimensions": ["region"], "comparison": "previous", "period": OCTOBER},
    "growth": {"metrics": ["sales_amount"], "dimensions": ["rep"], "comparison": "previous", "period": OCTOBER,
               "top": {"n": 5, "by": "sales_amount__change"}},
    "share": {"metrics": ["sales_amount"], "dimensions": ["category"], "share": True, "period": OCTOBER},
    "target": {"metrics": ["sales_amount"], "target": True, "period": OCTOBER},
    "best": {"metrics": ["sales_amount"], "dimensions": ["hospital"], "top": {"n": 1}, "period": OCTOBER},
    "third": {"metrics": ["sales_amount"], "dimensions": ["rep"], "top": {"nth": 3}, "period": OCTOBER},
    "tenth": {"metrics": ["sales_amount"], "dimensions": ["rep"], "top": {"percent": 10}, "period": OCTOBER},
    "counted": {"metrics": ["sales_amount"], "count_groups": "hospital", "period": OCTOBER,
                "having": [{"column": "sales_amount", "op": ">=", "values": [1_000_000]}]},
    "counted parts": {"metrics": ["sales_amount"], "dimensions": ["region"], "count_groups": "hospital",
                      "having": [{"column": "sales_amount", "op": "<", "values": [1_000_000]}], "period": OCTOBER},
    "more than": {"metrics": ["sales_amount"], "dimensions": ["region"], "period": OCTOBER,
                  "having": [{"column": "sales_amount", "op": ">", "relative": {**SALES, "filters": [BUSAN]}}]},
    "without": {"dimensions": ["hospital"], "existence": [NO_VISIT], "period": OCTOBER},
    "how many without": {"count_groups": "hospital", "existence": [NO_VISIT], "period": OCTOBER},
    "rows": {"metrics": ["expense_count"], "period": OCTOBER,
             "rows": [{"column": "expense_amount", "op": ">", "values": [100_000]}]},
    "among": {"metrics": ["visit_count"], "period": OCTOBER,
              "among": {"metrics": ["sales_amount"], "dimensions": ["hospital"], "top": {"n": 5}, "period": OCTOBER}},
    "ratio": {"derived": _derived("ratio", SALES, {"metric": "visit_count"}), "dimensions": ["team"], "period": OCTOBER},
    "part": {"derived": _derived("share", {**SALES, "filters": [SEOUL]}, {**SALES, "everything": True}),
             "period": OCTOBER},
    "per month": {"derived": _derived("per_period", SALES, per="month"), "period": OCTOBER},
    "times": {"derived": _derived("times", {**SALES, "filters": [SEOUL]}, {**SALES, "filters": [BUSAN]}),
              "period": OCTOBER},
    "followed": {"metrics": ["sales_amount"], "dimensions": ["rep", "month"], "period": YEAR},
    "nothing": {"metrics": ["sales_amount"], "dimensions": ["rep"], "period": OCTOBER,
                "having": [{"column": "sales_amount", "op": ">", "values": [1e15]}]},
}  # fmt: skip
DEEP = {"single", "two figures"}


async def answered(folder: Path, shape: str, language: str) -> Result:
    opened = OpenDomain(settings(folder)).data()
    assert opened is not None
    db = opened.open(User(), language)
    assert db is not None
    request = {
        "semantic_request": SHAPES[shape],
        "parsed_intents": [{"intent": "analysis"}] if shape in DEEP else [],
        "user_context": {"today": "2026-11-16"},
    }
    return await run_agent(data_analysis, shape, request=request, language=language, db=db)


def said(result: Result) -> list[str]:
    """Everything that a person reads: lines, titles, remarks and the labels of tables."""
    texts = result.summary.splitlines()
    for artifact in result.artifacts:
        texts.append(artifact.summary)
        if artifact.kind == "chart":
            texts += [artifact.data["title"], *artifact.data["notes"]]
        else:
            texts += [column["label"] for column in artifact.data["columns"]]
    return texts


def data_values(folder: Path) -> list[str]:
    """Names that stand in the data, longest first: they may be in any language."""
    columns = ("hospitals.name", "hospitals.region_name", "hospitals.type", "sales_reps.name", "sales_reps.team",
               "products.name", "products.category")  # fmt: skip
    connection = sqlite3.connect(folder / "pharma.db")
    found = {
        str(value)
        for place in columns
        for (value,) in connection.execute(
            f"SELECT DISTINCT {place.split('.')[1]} FROM {place.split('.')[0]}"
        )
    }
    connection.close()
    return sorted(found, key=len, reverse=True)


INTERNAL = re.compile(r"\b[a-z]+_[a-z_]+\b|\bmade\b|__|\bNone\b|\bnan\b|\{\w*\}")
FIGURE = r"\d[\d,]*(?:\.\d+)?(?:조|억|만)?(?: ?(?:원|%p|%|명|곳|건|개|회|배|위|분))?"
TWICE = re.compile(rf"(?<![\d.,])({FIGURE})(?![\d.,])[ ,:·(]+(?:약 )?\1(?![\d.,])")
PAIRS = {p: pair for pair in ("은/는", "을/를", "이/가", "과/와", "으로/로") for p in pair.split("/")}
MARKED = re.compile(rf"({FIGURE}|\))(으로|은|는|을|를|이|가|과|와|로)(?= )")


@pytest.mark.parametrize("shape", SHAPES)
async def test_no_internal_name_and_no_open_particle_is_shown(made: Path, shape: str):
    for language in ("ko", "en"):
        for text in said(await answered(made, shape, language)):
            assert not INTERNAL.search(text), text
            assert not re.search(r"은\(는\)|이\(가\)|을\(를\)|\(으\)로|와\(과\)", text), text


@pytest.mark.parametrize("shape", SHAPES)
async def test_an_answer_speaks_one_language(made: Path, shape: str):
    names = data_values(made)

    def bare(text: str) -> str:
        for name in names:
            text = text.replace(name, "")
        return text

    for text in said(await answered(made, shape, "en")):
        assert not re.search("[가-힣]", bare(text)), text
    for text in said(await answered(made, shape, "ko")):
        assert not re.search("[A-Za-z]{2,}", bare(text)), text


@pytest.mark.parametrize("shape", SHAPES)
async def test_particles_behind_figures_and_names_fit(made: Path, shape: str):
    names = data_values(made)
    for text in said(await answered(made, shape, "ko")):
        for match in MARKED.finditer(text):
            word = text[: match.end(1)]
            assert particle(word, PAIRS[match[2]]) == match[2], text
        for name in (one for one in names if one in text):
            for match in re.finditer(re.escape(name) + "(으로|은|는|을|를|이|가|과|와|로)(?= )", text):
                assert particle(name, PAIRS[match[1]]) == match[1], text


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("shape", SHAPES)
async def test_no_figure_is_said_twice_in_a_row_and_no_line_twice(made: Path, shape: str, language: str):
    lines = (await answered(made, shape, language)).summary.splitlines()
    assert len(set(lines)) == len(lines)
    for line in lines:
        assert not TWICE.search(line), line
        assert "  " not in line, line
        assert line[-1] in ".)", line


def test_the_checks_find_what_they_look_for():
    assert INTERNAL.search("'hospital_count'에는 날짜가 없어")
    assert TWICE.search("매출은 3건 3건입니다")
    found: Any = MARKED.search("매출의 54.3%을 차지합니다")
    assert particle("54.3%", PAIRS[found[2]]) != found[2]
