"""Tables in PDF, DOCX, XLSX and HWPX files: the chunk that answers has the row, its head and the right place."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from metaagent.knowledge.chunks import LONGEST, Chunk, chunked, place
from metaagent.knowledge.extracted import CELL_GAP, Extracted
from metaagent.knowledge.reading import extract
from tests.support.office_files import table_file, table_questions

QUESTIONS: list[dict[str, Any]] = table_questions()["questions"]


@cache
def read(name: str) -> tuple[Extracted, list[Chunk]]:
    extracted = extract(name, table_file(name))
    return extracted, chunked(extracted, title=extracted.title)


def test_there_are_thirty_questions_over_four_formats():
    assert len(QUESTIONS) == 30
    assert {question["in"].rsplit(".", 1)[1] for question in QUESTIONS} == {"pdf", "docx", "xlsx", "hwpx"}


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["ask"] for question in QUESTIONS])
def test_chunk_has_row_head_and_place(question: dict[str, Any]):
    extracted, chunks = read(question["in"])
    found = [
        (chunk, line)
        for chunk in chunks
        for line in chunk.text.split("\n")
        if line.split(CELL_GAP)[0] == question["row"]
    ]
    assert len(found) == 1
    chunk, line = found[0]
    head = next(row for row in chunk.searched.split("\n") if question["column"] in row.split(CELL_GAP))
    column = head.split(CELL_GAP).index(question["column"])
    assert line.split(CELL_GAP)[column] == question["answer"]
    at = chunk.start + chunk.text.index(line)
    assert extracted.text[at : at + len(line)] == line
    assert question.get("place", {}).items() <= place(chunk, at).items()
    assert len(chunk.searched) <= 2 * LONGEST


def test_page_of_a_table_that_goes_on_is_where_its_row_stands():
    _, chunks = read("비용한도.pdf")
    pages = [chunk.page for chunk in chunks if "지점 83 |" in chunk.text]
    assert pages == [3]
    assert all("월 예산" in chunk.searched for chunk in chunks if "지점 " in chunk.text)
