"""Exported files, read back: values and types are kept, and no cell is a formula."""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from metaagent.documents import export
from metaagent.errors import InputRefused

if TYPE_CHECKING:
    from metaagent.documents.table import Table

DATA: Table = {
    "columns": [
        {"name": "d", "label": "날짜", "type": "date"},
        {"name": "r", "label": "지역", "type": "text"},
        {"name": "v", "label": "매출", "type": "number", "unit": "won"},
        {"name": "p", "label": "비중", "type": "number", "unit": "ratio"},
    ],
    "rows": [
        ["2024-12-01", "서울", 123456789, 0.25],
        ["2024-12-02", '=HYPERLINK("http://x","y")', -5, None],
        [None, "-2+3", math.nan, math.inf],
    ],
}
ATTACKS = [
    "=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "|calc", "%0A=1",
    "\ufeff=1", "\u200b@x",
    "=cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0",
]  # fmt: skip


def read_csv(data: bytes) -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def sheets(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        return {name: book.read(name).decode("utf-8") for name in book.namelist()}


def test_csv_opens_in_excel_with_korean_text_and_real_numbers():
    rows = read_csv(export.to_csv(DATA))
    assert rows[0] == ["날짜", "지역", "매출 (원)", "비중 (%)"]
    assert rows[1] == ["2024-12-01", "서울", "123456789", "0.25"]
    assert rows[2] == ["2024-12-02", '\'=HYPERLINK("http://x","y")', "-5", ""]
    assert rows[3] == ["", "'-2+3", "", ""]


def text_table(text: str) -> Table:
    return {"columns": [{"name": "c", "label": text, "type": "text"}], "rows": [[text]]}


@pytest.mark.parametrize("text", ATTACKS)
def test_formulas_are_defused_in_cells_and_headings(text: str):
    for row in read_csv(export.to_csv(text_table(text))):
        assert row[0].startswith("'")
    pages = sheets(export.to_xlsx(text_table(text)))
    assert "<f>" not in pages["xl/worksheets/sheet1.xml"]
    assert 'quotePrefix="1"' in pages["xl/styles.xml"]


@settings(deadline=None)
@given(some.text())
def test_no_text_ever_starts_a_formula(text: str):
    cell = read_csv(export.to_csv(text_table(text)))[-1:] or [[""]]
    assert not cell[0] or cell[0][0][:1] not in tuple("=+-@\t\r\n")
    page = sheets(export.to_xlsx(text_table(text), notes={"sql": text, "remarks": [text]}))
    assert all("<f>" not in content for name, content in page.items() if "worksheets" in name)


def test_ordinary_text_is_left_as_it_is():
    for text in ("서울", "a=b", "1-2", "3 + 4", "kim@example.org", "50%"):
        assert export.harmless(text) == text


def cell(page: str, at: str) -> Any:
    found = re.search(rf'<c r="{at}"([^>]*?)(?:/>|>(.*?)</c>)', page)
    return found and (found[1], found[2])


def test_a_workbook_keeps_types_formats_and_widths():
    pages = sheets(export.to_xlsx(DATA))
    page, styles, strings = (
        pages["xl/worksheets/sheet1.xml"],
        pages["xl/styles.xml"],
        pages["xl/sharedStrings.xml"],
    )
    assert cell(page, "C2")[1] == "<v>123456789</v>"
    assert cell(page, "A2")[1] == "<v>45627</v>"
    assert 't="s"' in cell(page, "B3")[0]
    assert cell(page, "C4") is None
    assert "#,##0" in styles
    assert "0.0%" in styles
    assert "yyyy-mm-dd" in styles
    assert "매출 (원)" in strings
    assert 'state="frozen"' in page
    assert "<autoFilter" in page
    assert "customWidth" in page


def test_the_notes_say_where_the_figures_come_from():
    notes: export.Notes = {
        "title": "매출",
        "period": "2024-12",
        "sql": "SELECT 1",
        "remarks": ["10,000행까지"],
    }
    pages = sheets(export.to_xlsx(DATA, notes=notes))
    assert "참고" in pages["xl/workbook.xml"]
    for text in ("원본 SQL", "SELECT 1", "2024-12", "10,000행까지"):
        assert text in pages["xl/sharedStrings.xml"]
    assert "Source SQL" in sheets(export.to_xlsx(DATA, notes=notes, language="en"))["xl/sharedStrings.xml"]


def test_the_same_table_gives_the_same_bytes():
    assert export.to_xlsx(DATA) == export.to_xlsx(DATA)


def test_values_that_excel_would_change_are_text():
    long_id = 12345678901234567
    data: Table = {
        "columns": [
            {"name": "n", "label": "n", "type": "number"},
            {"name": "d", "label": "d", "type": "date"},
            {"name": "t", "label": "t", "type": "text"},
        ],
        "rows": [
            [long_id, "1899-12-31", "x" * 40_000],
            [1, "2024-13-45", "\ud800"],
            [True, "2024-01", "00123"],
        ],
    }
    pages = sheets(export.to_xlsx(data))
    strings = pages["xl/sharedStrings.xml"]
    for text in (str(long_id), "1899-12-31", "2024-13-45", "2024-01", "00123", "…", "\ufffd"):
        assert text in strings
    assert "x" * 32_767 not in strings
    assert export.to_csv(data).decode("utf-8-sig").count("\ufffd") == 1


def test_the_columns_own_number_format_is_kept_when_it_is_one():
    assert (
        export.number_format({"name": "v", "label": "v", "type": "number", "format": "#,##0.00"})
        == "#,##0.00"
    )
    assert export.number_format({"name": "v", "label": "v", "type": "number", "format": ",.1f"}) == "General"
    assert export.number_format({"name": "v", "label": "v", "type": "number", "unit": "percent"}) == "#,##0.0"


def test_empty_tables_are_files_and_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch):
    nothing: Table = {"columns": [], "rows": []}
    assert zipfile.is_zipfile(io.BytesIO(export.to_xlsx(nothing)))
    assert export.to_csv(nothing) == b"\xef\xbb\xbf\r\n"
    monkeypatch.setattr(export, "MOST_ROWS", 2)
    with pytest.raises(InputRefused, match="CSV"):
        export.to_xlsx(DATA)
