"""Bad files: each ends in one clear error in both languages, or in a clean result that says what was left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from io import BytesIO
from typing import Any

import openpyxl
import pypdf
import pytest
from pypdf.actions import JavaScript

from metaagent.child import ChildFailed, Limits
from metaagent.errors import FileRefused
from metaagent.knowledge import extracted as extracting
from metaagent.knowledge.chunks import chunked
from metaagent.knowledge.extracted import Extracted
from metaagent.knowledge.parsing import archive as archives
from metaagent.knowledge.parsing import sheets
from metaagent.knowledge.reading import MAX_BYTES, extract, extract_in_child
from tests.support.office_files import docx_file, hwpx_file, pdf, repacked, xlsx_file, zipped


def one_paragraph(document: Any) -> None:
    document.add_paragraph("회의록 본문")


OFFICE: dict[str, Callable[[], bytes]] = {
    "docx": lambda: docx_file(one_paragraph),
    "xlsx": lambda: xlsx_file({"시트": [["항목", "값"], ["가", 1]]}),
    "hwpx": lambda: hwpx_file(one_paragraph),
}
TEXT_PART = {"docx": "word/document.xml", "xlsx": "xl/worksheets/sheet1.xml", "hwpx": "Contents/section0.xml"}
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "lol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]><lolz>&a9;</lolz>"
)


def refusal(name: str, content: bytes) -> str:
    with pytest.raises(FileRefused) as caught:
        extract(name, content)
    assert caught.value.say("ko") != caught.value.say("en")
    assert "\n" not in caught.value.say("ko")
    return caught.value.say("en")


def read_or_refused(name: str, content: bytes) -> str:
    """The text, or the message for a person. Anything else that is raised is a defect."""
    try:
        return extract(name, content).text
    except FileRefused as error:
        return error.say("ko")


def warned(extracted: Extracted) -> str:
    assert all(warning.say("ko") != warning.say("en") for warning in extracted.warnings)
    return " ".join(warning.say("en") for warning in extracted.warnings)


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.txt", "a.md", "a.eml", "a.xlsx", "a.hwpx", "a"])
def test_empty_file_is_said_to_be_empty(name: str):
    assert "empty" in refusal(name, b"")


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv"])
def test_file_of_blanks_has_no_text(name: str):
    assert "no text" in refusal(name, b" \n\t\n  ")


def test_large_file_is_refused_before_it_is_parsed():
    assert "Split it" in refusal("a.txt", b"a" * (MAX_BYTES + 1))


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html", "a.csv"])
def test_text_beyond_the_limit_is_cut_and_said(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(extracting, "MAX_CHARACTERS", 1_000)
    extracted = extract(name, "\n".join(f"줄 {number}, 값" for number in range(500)).encode())
    assert 800 < len(extracted.text) <= 1_000
    assert "1,000 characters" in warned(extracted)
    assert all(block.text == extracted.text[block.start : block.end] for block in extracted.blocks)


@pytest.mark.parametrize("kind", OFFICE)
def test_zip_bomb_is_not_unpacked(kind: str, monkeypatch: pytest.MonkeyPatch):
    bomb = repacked(OFFICE[kind](), {TEXT_PART[kind]: b"<a>" + b" " * 40_000_000 + b"</a>"})
    assert len(bomb) < 200_000

    def unpacked(*_: object) -> None:
        pytest.fail("it was unpacked")

    monkeypatch.setattr(archives.Archive, "opened", unpacked)
    assert "fill memory" in refusal(f"a.{kind}", bomb)


def test_archive_that_lies_about_its_sizes_is_refused():
    honest = repacked(OFFICE["docx"](), {"word/document.xml": b"<a>" + b" " * 5_000_000 + b"</a>"})
    small, large = (4).to_bytes(4, "little"), (5_000_007).to_bytes(4, "little")
    assert large in honest
    assert "broken" in refusal("a.docx", honest.replace(large, small))


def test_archive_of_too_many_parts_is_refused():
    parts = {f"word/p{number}.xml": b"<a/>" for number in range(archives.MAX_ENTRIES)}
    assert "parts" in refusal("a.docx", repacked(OFFICE["docx"](), parts))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("kind", OFFICE)
def test_xml_that_declares_entities_is_refused(kind: str, encoding: str):
    laughs = LAUGHS.replace('version="1.0"', f'version="1.0" encoding="{encoding}"').encode(encoding)
    assert "entities" in refusal(f"a.{kind}", repacked(OFFICE[kind](), {TEXT_PART[kind]: laughs}))


def test_document_type_behind_a_comment_is_refused():
    hidden = LAUGHS.replace("<!DOCTYPE", "<!-- <a> --><!DOCTYPE").encode()
    assert "entities" in refusal("a.docx", repacked(OFFICE["docx"](), {"word/styles.xml": hidden}))


@pytest.mark.parametrize("part", ["xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"])
def test_any_part_of_a_workbook_may_not_declare_entities(part: str):
    assert "entities" in refusal("a.xlsx", repacked(OFFICE["xlsx"](), {part: LAUGHS}))


@pytest.mark.parametrize("kind", OFFICE)
def test_office_file_cut_in_half_is_broken(kind: str):
    whole = OFFICE[kind]()
    assert "broken" in refusal(f"a.{kind}", whole[: len(whole) // 2])


@pytest.mark.parametrize("kind", OFFICE)
def test_office_file_with_garbage_as_xml_is_broken(kind: str):
    assert "broken" in refusal(f"a.{kind}", repacked(OFFICE[kind](), {TEXT_PART[kind]: b"<a><b></a>"}))


@pytest.mark.parametrize("kind", OFFICE)
def test_damaged_byte_in_an_archive_is_broken_or_harmless(kind: str):
    whole = bytearray(OFFICE[kind]())
    for place in range(60, len(whole), len(whole) // 40):
        damaged = bytes(whole[:place]) + bytes([whole[place] ^ 0xFF]) + bytes(whole[place + 1 :])
        assert read_or_refused(f"a.{kind}", damaged)


@pytest.mark.parametrize("content", [b"%PDF-1.7\ngarbage", b"%PDF-", b"%PDF-1.4\n%%EOF"])
def test_broken_pdf_is_said_to_be_broken(content: bytes):
    assert "broken" in refusal("a.pdf", content)


def encrypted_pdf() -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf("비밀 문서")))
    writer.encrypt("secret", algorithm="AES-256")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def encrypted_zip() -> bytes:
    content = bytearray(OFFICE["docx"]())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(signature)
        content[at + flags] |= 1
    return bytes(content)


def encrypted_hwpx() -> bytes:
    manifest = (
        '<manifest><file-entry full-path="Contents/section0.xml"><encryption-data/></file-entry></manifest>'
    )
    return repacked(OFFICE["hwpx"](), {"META-INF/manifest.xml": manifest})


ENCRYPTED_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", encrypted_pdf),
        ("a.docx", encrypted_zip),
        ("a.hwpx", encrypted_hwpx),
        ("a.xlsx", lambda: ENCRYPTED_OFFICE),
    ],
)
def test_encrypted_file_asks_for_the_password_to_be_removed(name: str, content: Any):
    assert "password" in refusal(name, content())


@pytest.mark.parametrize(
    ("marker", "named"), [(b"HWP Document File", "HWP"), ("Workbook".encode("utf-16-le"), "XLS")]
)
def test_old_binary_format_is_named(marker: bytes, named: str):
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100 + marker
    assert f"old binary {named}" in refusal("a.hwp", content)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.html", "a.eml", "a"])
def test_binary_named_as_text_is_refused(name: str):
    assert "not text" in refusal(name, bytes(range(256)) * 50)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "picture"),
        (b"\x7fELF" + b"\0" * 100, "not read"),
        (zipped({"a.txt": "글"}), "not read"),
    ],
)
def test_files_of_other_kinds_are_named(content: bytes, said: str):
    assert said in refusal("a.pdf", content)


def test_wrong_extension_is_read_by_content_and_said():
    for name, content in [
        ("a.txt", OFFICE["docx"]()),
        ("a.pdf", OFFICE["hwpx"]()),
        ("a.docx", "그냥 글".encode()),
    ]:
        extracted = extract(name, content)
        assert "The name says" in warned(extracted)
        assert extracted.text


@pytest.mark.parametrize(
    "name", ["첫 줄\n둘째 줄.md", "../../etc/passwd.md", "a\x1b[31m.md", "x" * 5_000 + ".md"]
)
def test_name_with_anything_in_it_stays_one_short_line(name: str):
    assert "\x1b" not in refusal(name, b"")
    extracted = extract(name, "본문입니다".encode())
    assert "\n" not in extracted.title
    assert len(extracted.title) <= 300


def test_decomposed_name_and_text_are_composed():
    name = unicodedata.normalize("NFD", "영업규정.md")
    extracted = extract(name, unicodedata.normalize("NFD", "식음료 한도는 10만원이다.").encode())
    assert extracted.title == "영업규정"
    assert "식음료 한도" in extracted.text


def test_two_thousand_pages_are_read_with_their_numbers():
    one = pypdf.PdfReader(BytesIO(pdf("= 규정\n식음료 한도는 10만원이다.")))
    writer = pypdf.PdfWriter()
    for _ in range(2_000):
        writer.add_page(one.pages[0])
    out = BytesIO()
    writer.write(out)
    extracted = extract("a.pdf", out.getvalue())
    assert extracted.blocks[-1].page == 2_000
    assert not extracted.warnings


@pytest.mark.thorough
def test_million_rows_are_read_up_to_the_limit_and_said():
    rows = "".join(f"<row><c><v>{number}</v></c><c><v>7</v></c></row>" for number in range(1, 1_000_001))
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    sheet = f'<?xml version="1.0"?><worksheet {main}><sheetData>{rows}</sheetData></worksheet>'
    extracted = extract("a.xlsx", repacked(OFFICE["xlsx"](), {"xl/worksheets/sheet1.xml": sheet}))
    assert f"the first {sheets.MAX_ROWS:,} rows" in warned(extracted)
    assert extracted.text.endswith(f"{sheets.MAX_ROWS} | 7")
    assert len(chunked(extracted, title="거래처")) > 400


def test_lone_cell_far_away_does_not_make_a_huge_table():
    book = openpyxl.Workbook()
    book.active["A1"] = "시작"  # type: ignore[index]
    book.active["XFD1048576"] = "끝"  # type: ignore[index]
    out = BytesIO()
    book.save(out)
    extracted = extract("a.xlsx", out.getvalue())
    assert "시작" in extracted.text
    assert len(extracted.text) < 1_000
    assert extracted.warnings


def test_long_csv_is_read_up_to_the_limit_and_said():
    lines = "이름,금액\n" + "".join(f"가{number},{number}\n" for number in range(sheets.MAX_ROWS + 10))
    assert "the rest was not" in warned(extract("a.csv", lines.encode()))


def test_macros_and_embedded_files_are_said_and_not_opened():
    parts = {"word/vbaProject.bin": b"MZ", "word/embeddings/oleObject1.bin": b"MZ"}
    extracted = extract("a.docm", repacked(OFFICE["docx"](), parts))
    assert "not run" in warned(extracted)
    assert "oleObject1.bin" in warned(extracted)


def test_scripts_and_files_in_a_pdf_are_said():
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf("본문입니다")))
    writer.add_open_action(JavaScript("app.alert('x')"))
    writer.add_attachment("a.exe", b"MZ")
    out = BytesIO()
    writer.write(out)
    said = warned(extract("a.pdf", out.getvalue()))
    assert "scripts" in said
    assert "embedded" in said


def test_attachments_of_a_mail_are_named_and_not_opened():
    mail = (
        b"Subject: hello\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        b'body\n--b\nContent-Type: application/zip; name="x.zip"\n\nPK\n--b--\n'
    )
    extracted = extract("a.eml", mail)
    assert "x.zip" in warned(extracted)
    assert "body" in extracted.text


def test_deeply_nested_mail_ends_in_an_error_or_text():
    mail = b"Subject: deep\n"
    for depth in range(3_000):
        mail += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (depth, depth)
    assert read_or_refused("a.eml", mail)


def test_deeply_nested_html_says_what_was_not_read():
    deep = b"<div>" * 50_000 + "깊은 글".encode() + b"</div>" * 50_000
    extracted = extract("a.html", b"<html><p>" + "위의 글".encode() + b"</p>" + deep)
    assert extracted.text == "위의 글"
    assert "nested too deeply" in warned(extracted)


def test_page_that_is_only_a_picture_is_said():
    png = (
        "#let dot = bytes((137,80,78,71,13,10,26,10,0,0,0,13,73,72,68,82,0,0,0,1,0,0,0,1,8,2,0,0,0,144,119,83,222,0,0,0,12,"
        "73,68,65,84,120,156,99,248,207,192,0,0,3,1,1,0,201,254,146,239,0,0,0,0,73,69,78,68,174,66,96,130))\n"
    )
    picture = "#set page(header: none, footer: none)\n#image(dot, width: 100%)"
    mixed = pdf(png + "첫 쪽에는 글이 있다.\n#pagebreak()\n" + picture)
    assert "Page(s) 2" in warned(extract("a.pdf", mixed))
    assert "scan" in refusal("a.pdf", pdf(png + picture))


async def test_file_is_read_in_a_child_as_it_is_here():
    content = OFFICE["docx"]()
    assert await extract_in_child("회의록.docx", content) == extract("회의록.docx", content)


async def test_error_of_the_child_is_the_parsers_own():
    with pytest.raises(FileRefused) as caught:
        await extract_in_child("빈\n파일.txt", b"")
    assert caught.value.say("ko") == "빈 파일.txt: 빈 파일입니다(0바이트)."


async def test_child_that_needs_too_much_memory_is_stopped():
    rows = [[f"칸 {row}-{column}" for column in range(50)] for row in range(10_000)]
    content = "\n".join(",".join(row) for row in rows).encode()
    with pytest.raises(ChildFailed):
        await extract_in_child("a.csv", content, Limits(seconds=60, memory_mb=64))
