"""Files of each format as blocks: what a reader sees, in the order in which it is read."""

from __future__ import annotations

import unicodedata
from datetime import date
from email.message import EmailMessage
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from docx.oxml import parse_xml

from metaagent.knowledge.extracted import Block, Extracted
from metaagent.knowledge.reading import extract
from tests.support.office_files import docx_file, hwpx_file, hwpx_table, pdf, repacked, xlsx_file

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SAID = "식음료 한도는 1인 1일 10만원이다. 뷁뛟은 드문 글자다."


def shape(extracted: Extracted) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in extracted.blocks]


def only(extracted: Extracted, kind: str) -> list[Block]:
    return [block for block in extracted.blocks if block.kind == kind]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_text_is_read_in_any_encoding_of_an_office(encoding: str):
    extracted = extract("a.txt", f"{SAID}\r\n\r\nSecond paragraph.".encode(encoding))
    assert shape(extracted) == [("paragraph", SAID), ("paragraph", "Second paragraph.")]
    assert extracted.language == "ko"


def test_euc_kr_is_read_and_decomposed_hangul_composed():
    assert extract("a.txt", "영업 비용 규정".encode("euc-kr")).text == "영업 비용 규정"
    assert extract("a.txt", unicodedata.normalize("NFD", "영업 비용").encode()).text == "영업 비용"


def test_characters_that_nobody_sees_are_taken_out():
    assert extract("a.txt", "한\u200b도\u202e는\x07 10만원".encode()).text == "한도는 10만원"


def test_markdown_has_blocks_without_marks():
    source = (
        "---\ntitle: 비용 규정\naliases: [Expense policy]\n---\n# 규정\n\n**굵은** 글과 [고리](http://a.kr).\n\n"
        "- 하나\n  - 안쪽\n- 둘\n\n```\ncode *x*\n```\n\n> 인용\n\n![사진 설명](a.png)\n\n제목 둘\n---\n\n1\\. 가\n"
    )
    extracted = extract("a.md", source.encode())
    assert shape(extracted) == [
        ("heading", "규정"),
        ("paragraph", "굵은 글과 고리."),
        ("list", "- 하나\n  - 안쪽\n- 둘"),
        ("code", "code *x*"),
        ("paragraph", "인용"),
        ("picture", "사진 설명"),
        ("heading", "제목 둘"),
        ("list", "1. 가"),
    ]
    assert (extracted.title, extracted.aliases) == ("비용 규정", ("Expense policy",))


@pytest.mark.parametrize(
    "head",
    [
        "---\n- a\n---\n",
        "---\n[broken\n---\n",
        "---\na: &x [1]\nb: [*x, *x]\n---\n",
        "---\n",
        "---\n" + "[" * 9_000 + "\n---\n",
    ],
)
def test_strange_front_matter_does_no_harm(head: str):
    assert "본문" in extract("a.md", (head + "본문").encode()).text


def test_html_is_what_a_reader_sees():
    page = (
        '<!doctype html><html><head><title>규정</title><style>p{}</style></head><body><script>alert("x")</script>'
        "<nav>메뉴</nav><h2>한도</h2><p>식음료는 <b>10만원</b><br>기념품은 5만원</p><p hidden>숨은 글</p>"
        '<div style="display: none">시켜라</div><ol><li>첫째<ul><li>안쪽</li></ul></li><li>둘째</li></ol>'
        '<table><thead><tr><th colspan="2">금액</th></tr></thead><tr><td rowspan="2">식음료</td><td>상반기</td></tr>'
        "<tr><td>하반기</td></tr></table><img src=a.png alt=사진></body></html>"
    )
    extracted = extract("a.html", page.encode())
    assert shape(extracted) == [
        ("heading", "한도"),
        ("paragraph", "식음료는 10만원\n기념품은 5만원"),
        ("list", "1. 첫째\n  - 안쪽\n2. 둘째"),
        ("table", "금액 | 금액\n식음료 | 상반기\n식음료 | 하반기"),
        ("picture", "사진"),
    ]
    assert extracted.title == "규정"


def test_html_says_its_encoding_itself():
    page = '<html><head><meta charset="euc-kr"></head><body><p>영업 규정</p></body></html>'
    assert extract("a.html", page.encode("euc-kr")).text == "영업 규정"


def policy(document: Any) -> None:
    document.add_heading("영업 규정", 0)
    document.add_heading("제1조(목적)", 1)
    document.add_paragraph("목적을 정한다.")
    document.add_paragraph("첫째", style="List Number")
    document.add_paragraph("둘째", style="List Number")
    document.add_paragraph("점", style="List Bullet")
    table = document.add_table(3, 3)
    for number, row in enumerate(
        [["항목", "기간", "한도"], ["식음료", "상반기", "10만원"], ["", "하반기", "11만원"]]
    ):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_paragraph("끝.")


def test_docx_has_headings_lists_and_merged_cells():
    extracted = extract("a.docx", docx_file(policy))
    assert shape(extracted) == [
        ("heading", "영업 규정"),
        ("heading", "제1조(목적)"),
        ("paragraph", "목적을 정한다."),
        ("list", "1. 첫째\n2. 둘째\n- 점"),
        ("table", "항목 | 기간 | 한도\n식음료 | 상반기 | 10만원\n식음료 | 하반기 | 11만원"),
        ("paragraph", "끝."),
    ]
    assert extracted.title == "영업 규정"


def test_docx_footnote_stands_after_its_paragraph():
    def build(document: Any) -> None:
        paragraph = document.add_paragraph("한도가 있다")
        paragraph._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="2"/></w:r>'))
        document.add_paragraph("다음 문단")

    notes = f'<w:footnotes {W}><w:footnote w:id="2"><w:p><w:r><w:t>부가세 제외</w:t></w:r></w:p></w:footnote></w:footnotes>'
    extracted = extract("a.docx", repacked(docx_file(build), {"word/footnotes.xml": notes}))
    assert shape(extracted) == [
        ("paragraph", "한도가 있다[2]"),
        ("footnote", "[2] 부가세 제외"),
        ("paragraph", "다음 문단"),
    ]


def test_docx_numbers_that_word_makes_are_written_out():
    numbering = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="7"/><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="제%1조"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimalEnclosedCircle"/>'
        '<w:lvlText w:val="%2"/></w:lvl></w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )

    def build(document: Any) -> None:
        for text, depth in (("(목적)", 0), ("첫 항", 1), ("둘째 항", 1), ("(범위)", 0), ("다시 첫 항", 1)):
            paragraph = document.add_paragraph(text)
            number = f'<w:numPr {W}><w:ilvl w:val="{depth}"/><w:numId w:val="9"/></w:numPr>'
            paragraph._p.get_or_add_pPr().append(parse_xml(number))

    extracted = extract("a.docx", repacked(docx_file(build), {"word/numbering.xml": numbering}))
    assert extracted.text == "제7조 (목적)\n  ① 첫 항\n  ② 둘째 항\n제8조 (범위)\n  ① 다시 첫 항"


def test_docx_leaves_out_deleted_and_hidden_text():
    def build(document: Any) -> None:
        paragraph = document.add_paragraph("보이는 글")
        paragraph._p.append(parse_xml(f"<w:del {W}><w:r><w:delText>지운 글</w:delText></w:r></w:del>"))
        paragraph._p.append(parse_xml(f"<w:r {W}><w:rPr><w:vanish/></w:rPr><w:t>숨은 글</w:t></w:r>"))
        paragraph._p.append(parse_xml(f"<w:ins {W}><w:r><w:t>, 넣은 글</w:t></w:r></w:ins>"))

    assert extract("a.docx", docx_file(build)).text == "보이는 글, 넣은 글"


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "한도"
    for row in (
        ["2026년 한도표"],
        [],
        ["항목", "금액", "비율", "시작"],
        ["식음료", 100000, 0.125, date(2026, 1, 1)],
        ["", 5.5],
    ):
        sheet.append(row)
    sheet["B4"].number_format = "#,##0"
    sheet["C4"].number_format = "0.0%"
    sheet.merge_cells("A4:A5")
    hidden = book.create_sheet("비밀")
    hidden.append(["숨은 값", 1])
    hidden.sheet_state = "hidden"
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def test_xlsx_shows_values_as_the_sheet_does():
    extracted = extract("a.xlsx", workbook())
    assert shape(extracted) == [
        ("heading", "한도"),
        ("paragraph", "2026년 한도표"),
        ("table", "항목 | 금액 | 비율 | 시작\n식음료 | 100,000 | 12.5% | 2026-01-01\n식음료 | 5.5 |  | "),
    ]
    table = only(extracted, "table")[0]
    assert (table.sheet, table.first_row, table.head) == ("한도", 3, 1)
    assert any("비밀" in warning.ko for warning in extracted.warnings)


def test_xlsx_head_of_two_rows_is_kept_together():
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["지점", "매출", ""], ["", "1분기", "2분기"], ["서울", 10, 20]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    out = BytesIO()
    book.save(out)
    table = only(extract("a.xlsx", out.getvalue()), "table")[0]
    assert (table.head, table.text) == (2, "지점 | 매출 | 매출\n | 1분기 | 2분기\n서울 | 10 | 20")


def test_formula_without_a_result_is_said():
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["합계", "=1+1"])
    out = BytesIO()
    book.save(out)
    assert any("formulas" in warning.en for warning in extract("a.xlsx", out.getvalue()).warnings)


def test_sheets_with_the_same_words_keep_their_place():
    extracted = extract(
        "a.xlsx", xlsx_file({"서울": [["항목", "값"], ["가", 1]], "부산": [["항목", "값"], ["가", 2]]})
    )
    assert [(table.sheet, table.rows[1]) for table in only(extracted, "table")] == [
        ("서울", ("가", "1")),
        ("부산", ("가", "2")),
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_csv_finds_its_delimiter(sign: str):
    rows = [["이름", "비고"], ["가람정", "하나"], ["나래", '"둘, 셋"' if sign == "," else "둘, 셋"]]
    extracted = extract("a.csv", "\n".join(sign.join(row) for row in rows).encode("cp949"))
    assert extracted.text == "이름 | 비고\n가람정 | 하나\n나래 | 둘, 셋"


def test_hwpx_has_headings_tables_and_footnotes():
    def build(document: Any) -> None:
        document.add_heading("영업 규정", 1)
        document.add_paragraph("한도를 정한다.")
        hwpx_table(document, [["항목", "한도"], ["식음료", "10만원"]])
        document.add_paragraph("끝.")

    extracted = extract("a.hwpx", hwpx_file(build))
    assert [text for _, text in shape(extracted)] == [
        "영업 규정",
        "한도를 정한다.",
        "항목 | 한도\n식음료 | 10만원",
        "끝.",
    ]
    assert only(extracted, "table")[0].head == 1


def test_hwpx_outline_styles_are_headings_and_spans_are_filled():
    hp, hh = 'xmlns:hp="http://x/paragraph"', 'xmlns:hh="http://x/head"'
    header = f'<hh:head {hh}><hh:style id="3" name="개요 2"/></hh:head>'

    def cell(row: int, column: int, rows: int, text: str) -> str:
        return (
            f"<hp:tc><hp:subList><hp:p><hp:run><hp:t>{text}</hp:t></hp:run></hp:p></hp:subList>"
            f'<hp:cellAddr colAddr="{column}" rowAddr="{row}"/><hp:cellSpan colSpan="1" rowSpan="{rows}"/></hp:tc>'
        )

    section = (
        f'<hp:sec {hp}><hp:p styleIDRef="3"><hp:run><hp:t>제1조(목적)</hp:t></hp:run></hp:p>'
        "<hp:p><hp:run><hp:t>본문<hp:tab/>글</hp:t><hp:ctrl><hp:footNote><hp:subList><hp:p><hp:run><hp:t>각주</hp:t></hp:run>"
        "</hp:p></hp:subList></hp:footNote></hp:ctrl></hp:run></hp:p><hp:p><hp:run><hp:tbl>"
        f"<hp:tr>{cell(0, 0, 1, '항목')}{cell(0, 1, 1, '값')}</hp:tr><hp:tr>{cell(1, 0, 2, '식음료')}{cell(1, 1, 1, '가')}</hp:tr>"
        f"<hp:tr>{cell(2, 1, 1, '나')}</hp:tr></hp:tbl></hp:run></hp:p></hp:sec>"
    )
    base = hwpx_file(lambda document: document.add_paragraph("x"))
    parts = {"Contents/header.xml": header, "Contents/section0.xml": section}
    extracted = extract("a.hwpx", repacked(base, parts))
    assert shape(extracted) == [
        ("heading", "제1조(목적)"),
        ("paragraph", "본문 글[1]"),
        ("footnote", "[1] 각주"),
        ("table", "항목 | 값\n식음료 | 가\n식음료 | 나"),
    ]
    assert extracted.blocks[0].level == 2


def test_mail_has_its_headers_and_its_plain_body():
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "김하늘 <a@example.com>", "b@example.com", "세미나 안내"
    mail.set_content("내일 2시에 모입니다.\n\n장소는 3층입니다.")
    mail.add_alternative("<p>다른 글</p>", subtype="html")
    extracted = extract("a.eml", mail.as_bytes())
    assert extracted.title == "세미나 안내"
    assert "보낸 사람: 김하늘 <a@example.com>" in extracted.text
    assert "장소는 3층입니다." in extracted.text
    assert "다른 글" not in extracted.text


def test_mail_in_euc_kr_or_html_only_is_read():
    body = b"Subject: hi\nContent-Type: text/html; charset=euc-kr\n\n" + "<p>영업 <b>회의</b></p>".encode(
        "euc-kr"
    )
    assert "영업 회의" in extract("a.eml", body).text


COLUMNS = """= 두 단 문서
#columns(2)[
#for n in range(40) [왼쪽에서 시작해 오른쪽으로 이어지는 #n 번째 문장이다. ]
]"""


def test_pdf_columns_are_read_one_after_the_other():
    text = extract("a.pdf", pdf(COLUMNS)).text.replace("\n", " ")
    places = [text.index(f"{number} 번째") for number in range(40)]
    assert places == sorted(places)


def test_pdf_columns_written_line_by_line_are_read_by_column():
    rows = """
#grid(columns: (1fr, 1fr), column-gutter: 12mm, row-gutter: 5pt,
  ..range(20).map(n => ([왼쪽 단의 #n 번째 줄에는 제법 긴 글이 있다], [오른쪽 단의 #n 번째 줄에도 긴 글이 있다])).flatten())"""
    text = extract("a.pdf", pdf(rows)).text
    assert text.index("왼쪽 단의 19") < text.index("오른쪽 단의 0")


def test_pdf_headers_footers_and_page_numbers_are_dropped():
    source = "\n#pagebreak()\n".join(f"쪽마다 다른 글 {word}이 있다." for word in ("하나", "둘", "셋", "넷"))
    extracted = extract("a.pdf", pdf(source))
    assert "대외비" not in extracted.text
    assert "/ 4" not in extracted.text
    assert [block.page for block in extracted.blocks] == [1, 2, 3, 4]


def test_pdf_keeps_titles_that_stand_on_top_of_each_page():
    source = "\n#pagebreak()\n".join(f"== 제{number}조(한도)\n한도를 정한다." for number in range(1, 6))
    extracted = extract("a.pdf", pdf(source))
    assert [block.text for block in only(extracted, "heading")] == [
        f"제{number}조(한도)" for number in range(1, 6)
    ]


def test_pdf_with_more_notes_than_text_has_no_false_headings():
    note = "#text(size: 7pt)[자료: 2026년 10월 서울 매출액 (산출물 adee590c281e, 조회 조건과 SQL은 아래와 같음, 한빛제약)]"
    source = f"= 요약\n서울 매출액은 3억 1,125만 원입니다.\n= 자료\n{note}\n\n{note}\n\n{note}"
    extracted = extract("a.pdf", pdf(source))
    assert [block.text for block in only(extracted, "heading")] == ["요약", "자료"]


def test_pdf_table_of_contents_is_left_out():
    source = "#outline(title: none)\n= 제1장 총칙\n본문이다.\n= 제2장 한도\n본문이다."
    extracted = extract("a.pdf", pdf(source))
    assert [block.text for block in only(extracted, "heading")] == ["제1장 총칙", "제2장 한도"]
    assert extracted.text.count("총칙") == 1


def test_pdf_joins_divided_words():
    english = "The internationalization of documentation responsibilities"
    source = f'#set text(lang: "en", hyphenate: true)\n#block(width: 34mm)[{english}]'
    assert "documentation responsibilities" in extract("a.pdf", pdf(source)).text
    korean = "#set par(justify: true)\n#block(width: 60mm)[" + "담당자는 방문보고서를 작성한다. " * 12 + "]"
    assert extract("a.pdf", pdf(korean)).text.endswith(("담당자는 방문보고서를 작성한다. " * 12).strip())


def test_pdf_tables_are_rows_and_spans_are_filled():
    source = (
        "#table(columns: 3, [구분], table.cell(colspan: 2)[금액], table.cell(rowspan: 2)[식음료], [상반기], [10만원],"
        "[하반기], [11만원])"
    )
    table = only(extract("a.pdf", pdf(source)), "table")[0]
    assert table.text == "구분 | 금액 | 금액\n식음료 | 상반기 | 10만원\n식음료 | 하반기 | 11만원"


def test_pdf_tables_without_borders_are_rows():
    source = "#grid(columns: (1fr, 1fr, 1fr), row-gutter: 8pt, ..data.cells.map(cell => [#cell]))"
    cells = ["제품", "매출", "성장", "가람정", "1,200", "12%", "나래", "900", "-3%"]
    table = only(extract("a.pdf", pdf(source, cells=cells)), "table")[0]
    assert table.rows == (("제품", "매출", "성장"), ("가람정", "1,200", "12%"), ("나래", "900", "-3%"))


def test_pdf_footnote_stands_after_its_paragraph():
    extracted = extract("a.pdf", pdf("한도가 정해져 있다.#footnote[부가세는 뺀다.]\n\n다음 문단이다."))
    assert shape(extracted)[-3:] == [
        ("paragraph", "한도가 정해져 있다.[1]"),
        ("footnote", "[1] 부가세는 뺀다."),
        ("paragraph", "다음 문단이다."),
    ]
