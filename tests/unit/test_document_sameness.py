"""An edit leaves everything else as it was, particles follow every new value, and no file holds a clock."""

from __future__ import annotations

import io
import re
import zipfile

import orjson
import pytest

from metaagent.documents import export
from metaagent.documents.diff import differences
from metaagent.documents.fields import Value
from metaagent.documents.files import render
from metaagent.documents.filling import Filling, fill
from metaagent.documents.model import Document, Heading, Item, List, Note, Paragraph, Span, lines
from metaagent.documents.table import Table
from metaagent.documents.templates import Loaded, load_templates
from metaagent.language.particles import filled
from metaagent.level2.document.editing import edit
from metaagent.plugin import Failed

TEMPLATE = """\
id: letter
document_type: letter
version: "1"
languages: [ko]
name: {ko: 공문}
title: {ko: 공문}
fields:
  to: {label: {ko: 수신}}
sections:
  - id: body
    heading: {ko: 내용}
    blocks:
      - text: {ko: "{to}은(는) 하나"}
      - text: {ko: "{to}이(가) 둘"}
      - text: {ko: "{to}을(를) 셋"}
      - text: {ko: "{to}과(와) 넷"}
      - text: {ko: "{to}(으)로 다섯"}
"""
CLOSED = ["하늘병원은 하나", "하늘병원이 둘", "하늘병원을 셋", "하늘병원과 넷", "하늘병원으로 다섯"]
OPENED = ["바다의료는 하나", "바다의료가 둘", "바다의료를 셋", "바다의료와 넷", "바다의료로 다섯"]


def loaded() -> Loaded:
    return load_templates({"letter/template.yaml": TEMPLATE.encode()})["letter"]


def letter(to: str) -> Document:
    return fill(Filling(loaded(), "ko", "doc-1", {"to": Value(to, "question")}))


@pytest.mark.parametrize(("to", "expected"), [("하늘병원", CLOSED), ("바다의료", OPENED)])
def test_every_particle_of_a_template_fits(to: str, expected: list[str]) -> None:
    assert [each for each in lines(letter(to)) if to in each] == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"), [("하늘병원", "바다의료", OPENED), ("바다의료", "하늘병원", CLOSED)]
)
def test_every_particle_follows_a_new_value(before: str, after: str, expected: list[str]) -> None:
    made = edit(letter(before), f"수신을 {after}로 바꿔줘", loaded(), None, "ko").document
    assert [each for each in lines(made) if after in each] == expected


@pytest.mark.parametrize(
    ("pair", "closed", "opened"),
    [
        ("은(는)", "은", "는"), ("는(은)", "은", "는"), ("이(가)", "이", "가"), ("가(이)", "이", "가"),
        ("을(를)", "을", "를"), ("를(을)", "을", "를"), ("과(와)", "과", "와"), ("와(과)", "과", "와"),
        ("(으)로", "으로", "로"), ("으로(로)", "으로", "로"), ("(이)나", "이나", "나"), ("(이)라", "이라", "라"),
        ("(이)며", "이며", "며"), ("(이)고", "이고", "고"), ("아(야)", "아", "야"),
    ],
)  # fmt: skip
def test_an_open_particle_is_closed_by_the_sound(pair: str, closed: str, opened: str) -> None:
    assert filled(f"{{name}}{pair}", {"name": "부산"}) == f"부산{closed}"
    assert filled(f"{{name}}{pair}", {"name": "제주"}) == f"제주{opened}"


def report() -> Document:
    return Document(
        "doc-1",
        "방문 보고서",
        "ko",
        "letter",
        "1",
        {"작성일": "2026년 11월 16일"},
        (
            Heading("a", "1. 개요"),
            Paragraph("a.0", (Span("하나. 둘. 셋. 넷."),)),
            Heading("b", "2. 실적 분석"),
            Paragraph("b.0", (Span("하나. 둘. 셋. 넷.", note=1),)),
            List("b.1", (Item((Span("첫째"),)), Item((Span("둘째"),)))),
            Paragraph("b.2", (Span("다섯. 여섯. 일곱.", note=2),)),
            Heading("c", "3. 그림"),
        ),
        (Note(1, "자료 1"), Note(2, "자료 2")),
    )


@pytest.mark.parametrize("question", ["2번 항목을 더 짧게", "실적 분석을 줄여줘", "make section 2 shorter"])
def test_a_shorter_part_differs_in_one_paragraph(question: str) -> None:
    before = report()
    after = edit(before, question, loaded(), None, "ko").document
    (change,) = differences(before, after)
    assert (change.kind, change.block, change.before) == ("removed", "b.2", "다섯. 여섯. 일곱.")
    plain, old = (orjson.loads(orjson.dumps(each.as_json()))["blocks"] for each in (after, before))
    assert plain == [block for block in old if block["id"] != "b.2"]
    assert (after.meta, after.title) == (before.meta, before.title)


def test_a_second_paragraph_is_cut_only_if_needed() -> None:
    before = report().with_block(Paragraph("b.2", (Span("다섯.", note=2),)))
    after = edit(before, "2번 항목을 더 짧게", loaded(), None, "ko").document
    (change,) = differences(before, after)
    assert (change.block, change.before) == ("b.2", "다섯.")
    long = before.with_block(Paragraph("b.0", (Span("가. 나. 다. 라. 마. 바. 사.", note=1),)))
    changes = differences(long, edit(long, "2번 항목을 더 짧게", loaded(), None, "ko").document)
    assert [each.block for each in changes] == ["b.2", "b.0"]
    assert changes[1].after == "가. 나. 다. 라."


def test_a_part_without_sentences_cannot_be_shorter() -> None:
    with pytest.raises(Failed, match=r"3\. 그림에는 줄일 문장이 없습니다"):
        edit(report(), "3번 항목을 더 짧게", loaded(), None, "ko")


def test_a_note_that_is_deleted_alone_is_a_difference() -> None:
    before = report()
    after = before.with_block(Paragraph("b.2", (Span("다섯. 여섯. 일곱."),)))
    after = Document.from_json({**after.as_json(), "notes": [before.as_json()["notes"][0]]})
    assert [(each.kind, each.block, each.place) for each in differences(before, after)] == [
        ("removed", "notes", "2")
    ]


TABLE: Table = {"columns": [{"name": "n", "label": "n", "type": "number"}], "rows": [[1]]}


@pytest.mark.parametrize("content", [render(report(), "xlsx"), export.to_xlsx(TABLE)])
def test_a_workbook_has_no_clock(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        core = file.read("docProps/core.xml").decode()
        days = {each.date_time for each in file.infolist()}
    assert set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]+Z", core)) == {"2000-01-01T00:00:00Z"}
    assert days == {(1980, 1, 1, 0, 0, 0)}
