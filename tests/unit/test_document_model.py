"""The document model: JSON both ways, literal text, and refusals that name the place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import orjson
import pytest

from metaagent.documents.model import (
    Chart,
    Column,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Note,
    OpenField,
    PageBreak,
    Paragraph,
    Span,
    Table,
    clean,
    lines,
    shown,
)
from metaagent.errors import InputRefused


def _document() -> Document:
    return Document(
        "doc-1",
        "방문 보고서",
        "ko",
        "visit_report_ko",
        "1",
        {"작성일": "2025-01-10"},
        (
            Heading("h1", "개요", 1),
            Paragraph("p1", (Span("매출은 "), Span("12억 원", bold=True, note=1), Span("입니다."))),
            List("l1", (Item((Span("하나"),)), Item((Span("둘"),))), ordered=True),
            Form("f1", (Entry("병원", (Span("작성 필요", field="hospital", open=True),)),)),
            Table(
                "t1",
                (Column("지역"), Column("매출", "right", "#,##0")),
                (("서울", 1234567), ("부산", None)),
                "표",
            ),
            Chart("c1", {"data": {"values": []}}, "차트"),
            PageBreak("b1"),
        ),
        (Note(1, "자료: 서울 매출"),),
        (OpenField("hospital", "병원"),),
        ({"artifact_id": "a1", "kind": "dataset", "title": "서울 매출"},),
    )


def test_json_goes_both_ways() -> None:
    document = _document()
    assert Document.from_json(orjson.loads(orjson.dumps(document.as_json()))) == document


def test_lines_are_the_text_in_its_order() -> None:
    assert list(lines(_document())) == [
        "방문 보고서", "작성일", "2025-01-10", "개요", "매출은 12억 원입니다.", "하나", "둘", "병원", "작성 필요",
        "표", "지역", "매출", "서울", "1,234,567", "부산", "–", "차트", "자료: 서울 매출",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("language",), "fr"),
        (("title",), 3),
        (("blocks",), None),
        (("blocks", 0, "type"), "script"),
        (("blocks", 0, "id"), "../h1"),
        (("blocks", 0, "level"), 9),
        (("blocks", 1, "spans", 1, "note"), 7),
        (("blocks", 4, "rows", 0), ["서울"]),
        (("blocks", 4, "rows", 0, 0), {"a": 1}),
        (("blocks", 4, "columns", 0, "align"), "diagonal"),
        (("blocks", 6, "id"), "h1"),
    ],
)
def test_wrong_json_is_refused_by_place(path: tuple[Any, ...], value: Any) -> None:
    data: Any = deepcopy(_document().as_json())
    target = data
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    with pytest.raises(InputRefused):
        Document.from_json(data)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\x00b\x1b[31m", "ab[31m"),
        ("eins\r\nzwei\u2028drei", "eins zwei drei"),
        ("\u202egnp.exe", "gnp.exe"),
        ("half \ud83d", "half \ufffd"),
        ("𠮷 漢字 ᄒᆞᆫ글 👩‍🔬", "𠮷 漢字 ᄒᆞᆫ글 👩‍🔬"),
        ("#let x = {{ 7*7 }} <b>&amp;", "#let x = {{ 7*7 }} <b>&amp;"),
    ],
)
def test_text_is_literal_and_one_line(given: str, kept: str) -> None:
    assert clean(given) == kept
    assert Span(given).text == kept


@pytest.mark.parametrize(
    ("cell", "form", "text"),
    [
        (1234567, "#,##0", "1,234,567"),
        (0.1234, "0.0%", "12.3%"),
        (12.345, "#,##0.0", "12.3"),
        (-0.2, "#,##0", "0"),
        (None, "#,##0", "–"),
        (float("nan"), "", "–"),
        ("=1+1", "#,##0", "=1+1"),
    ],
)
def test_cells_are_shown_as_the_column_says(cell: Any, form: str, text: str) -> None:
    assert shown(cell, Column("x", "right", form)) == text
