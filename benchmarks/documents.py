"""One page and forty pages in each format beside the bare library, and what the child costs: `python -m benchmarks.documents`."""

from __future__ import annotations

import asyncio
import io
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from metaagent.documents.chart_images import drawn_svg, render_svg
from metaagent.documents.files import FORMATS, render, render_files
from metaagent.documents.model import Chart, Column, Document, Heading, Note, Paragraph, Span, Table
from metaagent.documents.samples import sample_materials

LIMITS = {"pdf": 200.0, "docx": 80.0}
LONG_SECONDS = 2.0
AT_ONCE = 100
TEXT = "서울 지역의 영업 활동을 정리하면 방문 횟수는 늘었으나 병원당 평균 체류 시간은 줄었습니다. "


_numbers = count(1)


def chart() -> dict[str, Any]:
    """A chart that was never drawn before: libraries remember what they have seen."""
    spec: dict[str, Any] = sample_materials("ko")[1].data["spec"]
    return {**spec, "data": {"values": [{"x": name, "y": next(_numbers)} for name in "가나다"]}}


def page(rows: int = 8, sections: int = 1) -> Document:
    """A document of one page with a chart and a table, or of many; never the same twice."""
    spec, text = chart(), f"{next(_numbers)}: {TEXT}"
    columns = (Column("병원"), *(Column(f"지표 {at}", "right", "#,##0") for at in range(1, 5)))
    cells = tuple(
        (f"병원 {row}", *(row * 1_000 + at + len(text) for at in range(1, 5))) for row in range(rows)
    )
    blocks: list[Any] = [Chart("c", spec, "그림 1. 매출"), Table("t", columns, cells, "표 1. 병원")]
    for at in range(sections):
        blocks.append(Heading(f"h{at}", f"{at + 1}. 절"))
        blocks += [
            Paragraph(f"p{at}.{n}", (Span(text * 4, note=1),)) for n in range(4 if sections > 1 else 2)
        ]
    return Document(
        "doc-1", "방문 보고서", "ko", "t", "1", {"작성일": "오늘"}, tuple(blocks), (Note(1, "자료"),)
    )


def without_chart() -> Document:
    """The same page with the table alone: what is left is the start of the child, its libraries and the page."""
    made = page()
    return replace(made, blocks=tuple(block for block in made.blocks if not isinstance(block, Chart)))


def cpu(work: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of processor time, the least of some runs after one that warms up."""
    work()
    found: list[float] = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found) * 1e3


def used() -> float:
    """Seconds of processor time of this process and of its children that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in map(resource.getrusage, kinds))


def cpu_with_child(make: Callable[[], Document], forms: list[str], times: int = 3) -> float:
    """Milliseconds of processor time with the child that renders, its start included; the least of some runs."""
    found: list[float] = []
    for _ in range(times):
        made, start = make(), used()
        asyncio.run(render_files(made, forms))
        found.append(used() - start)
    return min(found) * 1e3


def bare(form: str) -> Callable[[], object]:
    """The least that the library itself takes for a page of the same kind."""
    spec: dict[str, Any] = sample_materials("ko")[1].data["spec"]
    if form == "pdf":
        import typst

        from metaagent.documents.render.pdf import font_files

        svg = render_svg(spec)
        source = (
            '#set text(font: "Noto Sans KR")\n#image(bytes(sys.inputs.svg), format: "svg")\n'
            f"#table(columns: 5, ..range(45).map(str))\n{TEXT * 8}"
        )
        return lambda: typst.compile(
            f"{source} {next(_numbers)}".encode(),
            font_paths=font_files(),
            ignore_system_fonts=True,
            sys_inputs={"svg": svg},
        )
    if form == "docx":
        return _bare_docx
    if form == "xlsx":
        return _bare_xlsx
    return _bare_hwpx


def _bare_docx() -> None:
    import docx

    file = docx.Document()
    table = file.add_table(rows=9, cols=5)
    for row in table.rows:
        for cell in row.cells:
            cell.text = "1,234"
    for _ in range(4):
        file.add_paragraph(TEXT * 4)
    file.save(io.BytesIO())


def _bare_xlsx() -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(io.BytesIO(), {"in_memory": True})
    sheet = book.add_worksheet()
    for row in range(9):
        for column in range(5):
            sheet.write_number(row, column, 1234)
    book.close()


def _bare_hwpx() -> None:
    from hwpx import HwpxDocument

    file = HwpxDocument.new()
    for _ in range(4):
        file.add_paragraph(TEXT * 4)
    file.to_bytes()


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def crowd() -> tuple[float, float, float]:
    """Seconds for many documents at once, two at a time, and the memory after the first ten and at the end."""
    turn = asyncio.Semaphore(2)

    async def one() -> None:
        async with turn:
            assert await render_files(page(), ["pdf", "docx"])

    start = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(10)))
    after_ten = memory_mb()
    await asyncio.gather(*(one() for _ in range(AT_ONCE - 10)))
    return time.perf_counter() - start, after_ten, memory_mb()


def main() -> None:
    print(f"one chart, drawn once for all formats: {cpu(lambda: drawn_svg(chart())):.0f} ms CPU")
    for form in FORMATS:
        took = cpu(lambda form=form: render(page(), form))
        beside = f", bare library {cpu(bare(form)):.0f}" if form in ("pdf", "docx", "xlsx", "hwpx") else ""
        limit = f" (at most {LIMITS[form]:.0f})" if form in LIMITS else ""
        print(f"{form:<5} one page with chart and table: {took:.0f} ms CPU{limit}{beside}")
    for form in ("pdf", "docx", "hwpx", "xlsx"):
        took = cpu(lambda form=form: render(page(500, 40), form), 3) / 1e3
        verdict = "within" if took <= LONG_SECONDS else "ABOVE"
        print(f"{form:<5} 500 rows and 40 sections: {took:.2f} s CPU, {verdict} {LONG_SECONDS:.0f} s")
    empty = cpu_with_child(page, ["md"])
    print(f"a child that renders next to nothing: {empty:.0f} ms CPU")
    for form in ("pdf", "docx"):
        one, long = cpu_with_child(page, [form]), cpu_with_child(lambda: page(500, 40), [form])
        plain = cpu_with_child(without_chart, [form])
        print(
            f"{form:<5} in a child, its start included: one page {one:.0f} ms CPU ({one - plain:.0f} of these for its first "
            f"chart, {plain:.0f} without one), 40 sections {long / 1e3:.2f} s"
        )
    seconds, ten, end = asyncio.run(crowd())
    print(
        f"{AT_ONCE} documents at once: {seconds:.0f} s, memory {end / ten:.2f} x that after ten (at most 1.1)"
    )


if __name__ == "__main__":
    main()
