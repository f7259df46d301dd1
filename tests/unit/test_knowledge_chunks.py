"""Chunks: exact offsets, never across a heading or an article, tables with their heads."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from metaagent.knowledge import articles
from metaagent.knowledge.chunks import LONGEST, LONGEST_ROW, Chunk, chunked, place
from metaagent.knowledge.extracted import BlockWriter, Extracted
from metaagent.knowledge.parsing import markdown
from metaagent.knowledge.reading import extract
from tests.support.paths import ROOT

WORDS = st.text(alphabet="가나다 라.①1제조(\n|x*#-", min_size=1, max_size=400)
LINES = st.one_of(
    WORDS.map(lambda text: ("paragraph", text)),
    WORDS.map(lambda text: ("heading", text)),
    WORDS.map(lambda text: ("list", text)),
    st.integers(1, 60).map(lambda number: ("heading", f"제{number}조 (제목 {number})")),
    st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=30).map(
        lambda rows: ("table", rows)
    ),
    st.integers(500, 6_000).map(lambda length: ("paragraph", "긴글" * length)),
)


def made(pieces: list[tuple[Any, Any]]) -> Extracted:
    writer = BlockWriter()
    for number, (kind, content) in enumerate(pieces):
        if kind == "table":
            writer.add_table(content, head=1, page=number // 3)
        else:
            writer.add(kind, content, level=1 + number % 4, page=number // 3)
    return writer.extracted(title="시험", media_type="text/plain")


@given(st.lists(LINES, max_size=12))
def test_chunk_says_what_stands_at_its_offsets(pieces: list[tuple[Any, Any]]):
    extracted = made(pieces)
    chunks = chunked(extracted, title="시험")
    for chunk in chunks:
        assert extracted.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert chunk.sha256 == sha256(chunk.text.encode()).hexdigest()
        assert len(chunk.text) <= max(LONGEST, LONGEST_ROW if chunk.row else 0)
        assert all(chunk.start <= start < chunk.end for start in chunk.row_starts)
        assert Chunk.from_json(chunk.as_json()) == chunk
    for block in extracted.blocks:
        assert extracted.text[block.start : block.end] == block.text
    assert Extracted.from_json(extracted.as_json()) == extracted


@given(st.lists(LINES, max_size=12))
def test_chunks_leave_out_no_text_and_do_not_overlap(pieces: list[tuple[Any, Any]]):
    extracted = made(pieces)
    chunks = chunked(extracted, title="시험")
    assert [chunk.number for chunk in chunks] == list(range(1, len(chunks) + 1))
    at = 0
    for chunk in chunks:
        assert chunk.start >= at
        assert not extracted.text[at : chunk.start].strip()
        at = chunk.end
    assert not extracted.text[at:].strip()


@given(st.text(max_size=600))
def test_any_markdown_keeps_its_offsets(text: str):
    writer = BlockWriter()
    markdown.parse(("# 제목\n" + text.replace("\0", "")).encode("utf-8", "replace"), "a.md", writer)
    extracted = writer.extracted(title="제목", media_type="text/markdown")
    for chunk in chunked(extracted, title="제목"):
        assert extracted.text[chunk.start : chunk.end] == chunk.text


def of(source: str, title: str = "규정") -> list[Chunk]:
    return chunked(extract("a.md", source.encode()), title=title)


def test_each_article_is_a_chunk_with_its_path():
    chunks = of(
        "# 영업 규정\n\n## 제1장 총칙\n\n### 제1조(목적)\n\n목적이다.\n\n### 제2조(한도)\n\n한도는 10만원이다.",
        "영업 규정",
    )
    assert [(chunk.article, chunk.heading) for chunk in chunks] == [
        ("제1조", ("제1장 총칙", "제1조(목적)")),
        ("제2조", ("제1장 총칙", "제2조(한도)")),
    ]
    assert "영업 규정 제2조" in chunks[1].aliases


def test_sections_below_an_article_belong_to_it():
    chunks = of(
        "# 약사법 제47조의2 (지출보고서)\n\n## 요지\n\n작성한다.\n\n## 보관\n\n5년이다.\n\n# 다른 글\n\n끝."
    )
    assert [chunk.article for chunk in chunks] == ["제47조의2", "제47조의2", None]
    assert "약사법 제47조의2" in chunks[1].aliases


def test_long_table_repeats_its_head_in_every_chunk():
    rows = "\n".join(f"| 거래처 {number} | {number}만원 |" for number in range(300))
    chunks = of(f"# 표\n\n| 이름 | 금액 |\n|---|---|\n{rows}\n")
    assert len(chunks) > 3
    assert all("이름 | 금액" in chunk.searched for chunk in chunks)
    assert [chunk.row for chunk in chunks] == sorted(
        {chunk.row for chunk in chunks}, key=lambda row: row or 0
    )


def test_place_of_an_offset_is_its_row():
    chunk = of("# 표\n\n| 이름 | 금액 |\n|---|---|\n| 가 | 1 |\n| 나 | 2 |\n")[0]
    assert place(chunk, chunk.start + chunk.text.index("나 | 2"))["row"] == 3


def test_place_of_an_offset_is_its_paragraph_and_item():
    chunk = of("## 제7조의2 (금지)\n\n① 다음을 금지한다.\n\n1. 현금\n2. 상품권\n3. 여행\n\n② 예외가 있다.")[0]
    assert place(chunk, chunk.start + chunk.text.index("여행"))["article"] == "제7조의2제1항제3호"
    assert place(chunk, chunk.start + chunk.text.index("예외"))["article"] == "제7조의2제2항"
    assert place(chunk)["article"] == "제7조의2제1항"


def test_footnote_stands_with_the_text_that_refers_to_it():
    chunks = of("## 가\n\n한도가 있다.[^1]\n\n## 나\n\n다른 절.\n\n[^1]: 부가세는 빼고 센다.")
    assert "부가세는" in chunks[0].text
    assert "부가세는" not in chunks[1].text


def test_heading_in_two_languages_gives_both_names():
    chunk = of("# 제품\n\n## 가람정 (Garam Tablet)\n\n혈압약이다.")[-1]
    assert {"가람정", "Garam Tablet"} <= set(chunk.aliases)


def test_headings_without_text_go_with_what_follows():
    chunks = of("# 규정\n\n## 제1장\n\n### 제1절\n\n본문\n\n## 제2장\n\n본문")
    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["규정", "제2장"]


def test_statement_of_validity_is_read():
    assert (
        extract("a.md", "---\n시행일자: 2026-01-01\nvalid_to: 2026-12-31\n---\n# 가\n글".encode()).valid_to
        == "2026-12-31"
    )
    assert extract("a.txt", "이 규정은 2026년 3월 1일부터 시행한다.".encode()).valid_from == "2026-03-01"
    period = extract("a.txt", "유효기간: 2026.1.1. ~ 2026.12.31.\n\n글".encode())
    assert (period.valid_from, period.valid_to) == ("2026-01-01", "2026-12-31")
    assert extract("a.txt", "2026년 3월 1일에 회의를 했다.".encode()).valid_from is None


@pytest.mark.public_data("laws_kr")
@pytest.mark.parametrize("name", ["약사법", "의료법"])
def test_branch_articles_of_a_real_law_are_told_apart(public: Path, name: str):
    extracted = extract(f"{name}.md", (public / f"{name}.md").read_bytes())
    chunks = chunked(extracted, title=extracted.title)
    known = yaml.safe_load((ROOT / "configs/domains/pharma/rules/statutes.yaml").read_text(encoding="utf-8"))
    statute = next(one for one in known["statutes"] if one["name"] == name)
    found = {articles.parse(chunk.article) for chunk in chunks if chunk.article}
    numbers = {(one.number, one.branch) for one in found if one and not one.supplement}
    for number, branches in statute["branches"].items():
        assert {(number, branch) for branch in range(2, branches + 2)} <= numbers
    assert all(extracted.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(chunk.article != "제47조의2" or "판매 질서" not in chunk.heading[-1] for chunk in chunks)
