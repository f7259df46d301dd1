"""Citations: one form, numbered once for the whole answer, and marks that are no figures."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from metaagent.language.number_check import Findings
from metaagent.level1.answer_layout import in_form
from metaagent.level1.citations import numbered, references
from metaagent.level1.execution_manager.quality import form_problems
from metaagent.plugin import Result


def cite(n: int, quote: str = "한도는 10만 원이다.", **other: Any) -> dict[str, Any]:
    return {
        "n": n,
        "document_id": "d1",
        "title": "지침",
        "place": {"heading": "제3장 > 제7조 식음료", "page": 3},
        "start": 10,
        "end": 10 + len(quote),
        "quote": quote,
        "sha256": hashlib.sha256(quote.encode()).hexdigest(),
        **other,
    }


def result(*citations: Any, summary: str = "한도는 10만 원이다. [1]") -> Result:
    return Result(summary, 0.9, citations=citations)


def test_citations_of_the_one_form_pass():
    assert form_problems(result(cite(1), cite(2, "다만"))) == []


@pytest.mark.parametrize(
    "bad",
    [
        {**cite(1), "more": 1},
        {key: value for key, value in cite(1).items() if key != "quote"},
        {**cite(1), "start": "10"},
        {**cite(1), "place": {"page": 3}},
        {**cite(1), "end": 99},
        {**cite(1), "sha256": "0" * 64},
        {**cite(1), "n": 2},
        {**cite(1, ""), "quote": ""},
        {**cite(1), "start": -19, "end": -5},
        "not a citation",
    ],
)
def test_citations_of_another_form_are_refused(bad: Any):
    assert form_problems(result(bad))


def test_marks_that_cite_nothing_are_refused():
    assert form_problems(result(cite(1), summary="한도 [2]")) == ["[2] in the summary cites nothing"]


def steps(*pairs: tuple[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [{"status": "completed", "summary": text, "citations": cited} for text, cited in pairs]


def test_citations_are_numbered_once_for_all_steps():
    other = cite(1, "선물은 5만 원이다.", document_id="d2")
    results, cited = numbered(steps(("가 [1]", [cite(1)]), ("나 [1] 다 [2]", [other, cite(2)])))
    assert [each["summary"] for each in results] == ["가 [1]", "나 [2] 다 [1]"]
    assert [(each["n"], each["document_id"]) for each in cited] == [(1, "d1"), (2, "d2")]


def test_steps_without_citations_keep_their_brackets():
    results, cited = numbered(steps(("표 [7]", [])))
    assert results[0]["summary"] == "표 [7]"
    assert cited == []


def test_failed_steps_cite_nothing():
    (failed,), cited = numbered([{"status": "failed", "summary": "", "citations": [cite(1)]}])
    assert failed["summary"] == ""
    assert cited == []


def test_references_name_document_place_and_page():
    assert references([cite(1)], "한도 [1]", "ko") == ["[1] 지침 › 제3장 › 제7조 식음료 (3쪽)"]
    assert references([cite(1)], "limit [1]", "en") == ["[1] 지침 › 제3장 › 제7조 식음료 (p. 3)"]
    row = cite(1, place={"heading": "", "article": "제7조", "sheet": "한도", "row": 4})
    assert references([row], "[1]", "ko") == ["[1] 지침 › 제7조 (한도 시트, 4행)"]


def test_citations_of_one_place_share_a_line():
    both = [cite(1), cite(2, "다만")]
    assert references(both, "가 [1] 나 [2]", "ko") == ["[1] [2] 지침 › 제3장 › 제7조 식음료 (3쪽)"]


def test_only_citations_that_are_used_are_listed():
    assert references([cite(1), cite(2, "다만")], "한도 [2]", "ko") == [
        "[2] 지침 › 제3장 › 제7조 식음료 (3쪽)"
    ]


def test_a_brief_answer_keeps_its_mark():
    done = [{"agent": "a", "summary": "한도는 10만 원이다. [1] 다만 세금은 뺀다. [2]"}]
    assert in_form(done, "brief", "ko") == ["한도는 10만 원이다. [1]"]


FINDINGS = Findings.of(["식음료 한도는 10만 원이다. [1]\n선물 한도는 5만 원이다. [2]"])


def test_a_citation_mark_is_no_figure():
    assert set(FINDINGS.figures.values()) == {"10만", "5만"}
    assert FINDINGS.strangers("한도는 10만 원입니다. [1]") == []


def test_a_mark_that_cites_nothing_is_a_stranger():
    assert FINDINGS.strangers("한도는 10만 원입니다. [3]")


def test_a_mark_may_not_be_moved_to_another_figure():
    assert FINDINGS.strangers("한도는 5만 원입니다. [1]")
    assert FINDINGS.strangers("한도는 {{n2}} 원입니다. [1]")
    assert FINDINGS.strangers("선물은 5만 원, 식음료는 10만 원입니다. [1][2]") == []
