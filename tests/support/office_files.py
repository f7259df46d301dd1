"""Files of every format that is read, made by the tests themselves: good ones, and the tables of `evals/tables.yaml`."""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pylopdf_fonts_ko
import typst
import xlsxwriter
import yaml

from tests.support.paths import ROOT

_PDF = """
#set page(width: 210mm, height: 297mm, header: [대외비 자료 #h(1fr) 영업본부],
  footer: context align(center)[#counter(page).display() / #counter(page).final().first()])
#set text(font: "Noto Sans KR", size: 10pt, lang: "ko")
"""


def pdf(source: str, **inputs: Any) -> bytes:
    """A PDF of Typst source on A4 pages with a running header and footer; inputs are `data` in the source."""
    data = "#let data = json(bytes(sys.inputs.data))\n"
    made = typst.compile(
        (_PDF + data + source).encode(),
        font_paths=typst.Fonts(
            include_system_fonts=False, font_paths=[Path(pylopdf_fonts_ko.__file__).parent]
        ),
        sys_inputs={"data": json.dumps(inputs)},
    )
    assert isinstance(made, bytes)
    return made


def zipped(parts: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def repacked(content: bytes, parts: Mapping[str, bytes | str]) -> bytes:
    """An archive with some parts added or replaced."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        kept: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    return zipped(kept | dict(parts))


def docx_file(build: Callable[[Any], object]) -> bytes:
    """A DOCX file; `build` gets the document."""
    document = docx.Document()
    build(document)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def xlsx_file(sheets: Mapping[str, Sequence[Sequence[Any]]], **options: Any) -> bytes:
    out = BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, **options}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return out.getvalue()


def hwpx_file(build: Callable[[Any], object]) -> bytes:
    """An HWPX file; `build` gets the document."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from hwpx import HwpxDocument

        document = HwpxDocument.new()
        build(document)
        out = BytesIO()
        document.save_to_stream(out)
    return out.getvalue()


def hwpx_table(document: Any, rows: Sequence[Sequence[str]]) -> None:
    table = document.add_table(len(rows), len(rows[0]))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.set_cell_text(number, column, text)


@cache
def table_questions() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "evals" / "tables.yaml").read_text(encoding="utf-8"))


def table_rows(table: Mapping[str, Any]) -> list[list[str]]:
    """The rows of a table, with the last one repeated as often as the table says."""
    rows: list[list[str]] = table["rows"]
    if "count" not in table:
        return rows
    series = [[cell.replace("{n}", str(n)) for cell in rows[-1]] for n in range(1, table["count"] + 1)]
    return [*rows[:-1], *series]


@cache
def table_file(name: str) -> bytes:
    """One of the files of `evals/tables.yaml`."""
    document = next(one for one in table_questions()["documents"] if one["name"] == name)
    tables = [(table["caption"], table_rows(table)) for table in document["tables"]]
    make = {"pdf": _tables_pdf, "docx": _tables_docx, "xlsx": _tables_xlsx, "hwpx": _tables_hwpx}
    return make[name.rsplit(".", 1)[1]](document["title"], tables)


Tables = Sequence[tuple[str, list[list[str]]]]


def _tables_pdf(title: str, tables: Tables) -> bytes:
    source = """
= #data.title
#for (caption, rows) in data.tables [
  == #caption
  #table(columns: rows.first().len(), ..rows.flatten().map(cell => [#cell]))
]"""
    return pdf(source, title=title, tables=tables)


def _tables_docx(title: str, tables: Tables) -> bytes:
    def build(document: Any) -> None:
        document.add_heading(title, 0)
        for caption, rows in tables:
            document.add_heading(caption, 1)
            table = document.add_table(len(rows), len(rows[0]))
            for number, row in enumerate(rows):
                for column, text in enumerate(row):
                    table.cell(number, column).text = text

    return docx_file(build)


def _tables_xlsx(title: str, tables: Tables) -> bytes:
    return xlsx_file(dict(tables))


def _tables_hwpx(title: str, tables: Tables) -> bytes:
    def build(document: Any) -> None:
        document.add_paragraph(title)
        for caption, rows in tables:
            document.add_paragraph(caption)
            hwpx_table(document, rows)

    return hwpx_file(build)
