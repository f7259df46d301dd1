"""Templates: what is wrong with one is said with file, line and remedy; values are read, computed and written in one style."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import docx
import pytest

from metaagent import installed
from metaagent.documents.fields import Unfit, Value, in_words, read_amount, read_date, read_value, show_period
from metaagent.documents.files import FORMATS, render
from metaagent.documents.filling import Filling, Material, fill, missing, review_notes, with_computed
from metaagent.documents.model import Chart, Document, Paragraph, Table, in_order, lines, spans
from metaagent.documents.samples import sample_document
from metaagent.documents.templates import (
    FieldSpec,
    TemplatesInvalid,
    installed_files,
    load_templates,
    read_files,
)
from tests.support.document_lines import chunks
from tests.support.naughty_strings import naughty_strings
from tests.support.paths import ROOT
from tests.support.written_documents import ODD, READERS, chart, squeezed

PHARMA = ROOT / "configs" / "domains" / "pharma" / "templates"
LOADED = load_templates(read_files(PHARMA))
DAY = date(2025, 1, 10)
GOOD = """\
id: letter
document_type: letter
version: "1"
name: {ko: 공문, en: Letter}
title: {ko: 공문, en: Letter}
fields:
  to: {label: {ko: 수신, en: To}}
  amount: {label: {ko: 금액, en: Amount}, type: money}
  words: {label: {ko: 한글 금액, en: In words}, source: computed, from: words(amount)}
meta: [to]
sections:
  - id: body
    heading: {ko: 내용, en: Body}
    blocks:
      - text: {ko: "{to}께 {amount}을(를) 청구합니다.", en: "We claim {amount} from {to}."}
"""


def files(text: str, **more: bytes) -> dict[str, bytes]:
    return {
        "letter/template.yaml": text.encode(),
        **{f"letter/{k.replace('_', '.')}": v for k, v in more.items()},
    }


def problems(text: str, **more: bytes) -> list[tuple[int, str]]:
    with pytest.raises(TemplatesInvalid) as caught:
        load_templates(files(text, **more))
    assert caught.value.say("ko") != caught.value.say("en")
    return [(problem.line, problem.say("en")) for problem in caught.value.problems]


def test_every_type_of_the_domain_has_a_template() -> None:
    from metaagent.yaml_lines import parse

    types = parse((PHARMA.parent / "domain.yaml").read_text()).data["document_types"]
    assert {each.template.document_type for each in LOADED.values()} == set(types)
    assert all(each.template.languages == ("ko", "en") for each in LOADED.values())


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("to: {label", "to: {lable"), 7, "lable"),
        (("words(amount)", "words(amont)"), 9, "amount?"),
        (("words(amount)", "exec(amount)"), 9, "no computation"),
        (("words(amount)", "words(words)"), 9, "circle"),
        (("meta: [to]", "meta: [too]"), 10, "to?"),
        (("{to}께", "{sender}께"), 15, "sender"),
        (("en: Letter}\nfields", "en: ''}\nfields"), 5, "missing in 'en'"),
        (("    blocks:\n", "    when: dataste\n    blocks:\n"), 14, "dataste"),
        (("id: letter\n", "id: letter\nid: letter\n"), 2, "stands twice"),
        (("id: letter\n", "id: &a letter\n"), 1, "anchor"),
        (('version: "1"', 'version: "1'), 0, "not YAML"),
        (("sections:", "layout: layout.docx\nsections:"), 11, "is not there"),
        (("type: money}", "type: money, required: true}"), 8, "question"),
        (("type: money}", "type: choice}"), 8, "options"),
        (("type: money}", "source: artifact, from: dataset.secret}"), 8, "dataset.secret"),
        (("- text:", "- chart: chart\n        text:"), 15, "exactly one"),
    ],
)
def test_problems_name_line_and_remedy(change: tuple[str, str], line: int, said: str) -> None:
    assert change[0] in GOOD
    found = problems(GOOD.replace(*change, 1))
    assert any(said in text for _, text in found), found
    assert line == 0 or any(at == line for at, _ in found), found


def test_computed_fields_in_a_circle_are_named() -> None:
    two = GOOD.replace("words(amount)", "'sum(other, amount)'").replace(
        "meta:",
        "  other: {label: {ko: 다른, en: Other}, source: computed, from: 'sum(words, amount)'}\nmeta:",
    )
    assert any("words → other → words" in text for _, text in problems(two))


def test_two_templates_of_one_id_are_refused() -> None:
    with pytest.raises(TemplatesInvalid, match="taken by"):
        load_templates({"a/template.yaml": GOOD.encode(), "b/template.yaml": GOOD.encode()})


def test_templates_behind_links_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "template.yaml").write_text(GOOD)
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "linked").symlink_to(tmp_path / "real")
    assert read_files(folder) == {}


def letter(**values: Any) -> Document:
    loaded = load_templates(files(GOOD))["letter"]
    given = {name: Value(value, "question") for name, value in values.items()}
    return fill(Filling(loaded, "ko", "doc-1", with_computed(loaded.template, given, DAY, "ko")))


def test_particles_fit_and_amounts_agree() -> None:
    made = letter(to="서울병원", amount=3_000_000)
    assert "서울병원께 3,000,000원을 청구합니다." in list(lines(made))
    assert made.fields["words"]["value"] == "금 삼백만원정"


def test_a_field_without_a_source_stays_open() -> None:
    made = letter(to="서울병원")
    assert [each.name for each in made.open_fields] == ["amount"]
    assert "작성 필요" in "".join(lines(made))
    assert "words" not in made.fields


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text", [*ODD, "\u202e뒤집힌", "a\x00b\x07c", "{amount}", "{{sections}}", "%s %n", "\ud800"]
)
def test_values_stay_literal_text(text: str) -> None:
    made = letter(to=text, amount=1)
    assert any(span.field == "to" and span.text == made.meta["수신"] for span in spans(made))
    for form in FORMATS:
        READERS[form](render(made, form))


def test_naughty_strings_leave_whole_files() -> None:
    loaded = load_templates(files(GOOD))["letter"]
    blocks: list[Any] = []
    for at, text in enumerate(naughty_strings()):
        made = fill(
            Filling(loaded, "ko", "doc-1", {"to": Value(text, "question"), "amount": Value(1, "question")})
        )
        blocks += [Paragraph(f"p{at}", block.spans) for block in made.blocks if isinstance(block, Paragraph)]
    whole = Document("doc-1", "x", "ko", "t", "1", blocks=tuple(blocks))
    for form in FORMATS:
        assert READERS[form](render(whole, form))


LITERAL = ("docx", "hwpx")
"""Formats whose readers give every sign back as it stands there."""


def _filled_with(loaded: Any, language: Any, texts: Sequence[str]) -> Document:
    """Every field that holds text, and every title, cell and sentence of the artifacts, is one of these texts."""
    fields = [name for name, spec in loaded.template.fields.items() if spec.source != ("computed",)]
    given = {name: Value(texts[at % len(texts)], "question") for at, name in enumerate(fields)}
    for name, spec in loaded.template.fields.items():
        if spec.type in ("integer", "number", "money") and name in given:
            given[name] = Value(1, "question")
        elif spec.type == "list" and name in given:
            given[name] = Value(list(texts), "question")
    dataset = {"title": texts[0], "columns": [{"name": "a", "label": texts[-1]}], "rows": [[t] for t in texts],
               "row_count": len(texts), "sentences": list(texts)}  # fmt: skip
    passages = {"passages": [{"text": text, "title": text, "page": 1} for text in texts]}
    materials = [
        Material("a1", "dataset", texts[0], dataset),
        Material("a2", "passages", texts[-1], passages),
    ]
    return fill(Filling(loaded, language, "doc-1", given, materials))


def _whole_in_every_format(texts: Sequence[str]) -> None:
    for loaded in LOADED.values():
        made = _filled_with(loaded, "ko", texts)
        for form in FORMATS:
            said = squeezed(READERS[form](render(made, form)))
            assert said, (loaded.template.id, form)
            if form in LITERAL:
                missing = [each for each in chunks(in_order(made), feet=True) if squeezed(each) not in said]
                assert not missing, (loaded.template.id, form, missing[:3])


def test_naughty_strings_in_every_template_leave_whole_files() -> None:
    _whole_in_every_format(naughty_strings()[::50])


@pytest.mark.soak
def test_all_naughty_strings_in_every_field_and_format() -> None:
    strings = naughty_strings()
    for start in range(0, len(strings), 12):
        _whole_in_every_format(strings[start : start + 12])


@pytest.mark.soak
@pytest.mark.public_data("blns.json")
def test_public_naughty_strings_in_every_field_and_format(public: Path) -> None:
    strings: list[str] = json.loads(public.read_text(encoding="utf-8"))
    for start in range(0, len(strings), 24):
        _whole_in_every_format(strings[start : start + 24])


def test_figures_tables_and_charts_name_their_artifact() -> None:
    dataset = {
        "title": "서울 매출",
        "columns": [{"name": "a", "label": "구", "type": "text"}, {"name": "k", "hidden": True}, "b"],
        "rows": [["강남", 1, 2], ["서초", 3, None]],
        "sentences": ["매출은 3원입니다.", "- 강남 2원", "설명입니다."],
    }
    materials = [
        Material("a77", "dataset", "서울 매출", dataset),
        Material("a78", "chart", "구별", {"spec": chart()}),
    ]
    made = fill(Filling(LOADED["analysis_report"], "ko", "doc-1", {}, materials))
    tables = [block for block in made.blocks if isinstance(block, Table)]
    assert tables[0].rows == (("강남", 2), ("서초", None))
    assert "a77" in tables[0].note
    assert ["a78" in block.note for block in made.blocks if isinstance(block, Chart)] == [True]
    noted = [span for span in spans(made) if any(sign.isdigit() for sign in span.text)]
    assert noted
    assert all(span.note is not None for span in noted)
    assert "a77" in made.notes[0].text
    assert [each["artifact_id"] for each in made.sources] == ["a77", "a78"]


@pytest.mark.parametrize(
    "dataset",
    [
        {"columns": [], "rows": []},
        {"columns": [{"name": ""}], "rows": []},
        {"columns": [{"label": "x"}], "rows": [[None]] * 5},
        {"columns": ["a", "b"], "rows": [["only one"], [1, 2, 3]]},
        {"columns": [f"c{n}" for n in range(60)], "rows": [list(range(60))] * 3},
        {"rows": "no rows"},
        None,
        [1, 2],
    ],
)
def test_strange_datasets_leave_whole_documents(dataset: Any) -> None:
    materials = [Material("a1", "dataset", "자료", dataset), Material("a2", "chart", "그림", {"spec": None})]
    made = fill(Filling(LOADED["analysis_report"], "ko", "doc-1", {}, materials))
    assert render(made, "pdf").startswith(b"%PDF-")


def test_too_many_rows_are_said_to_be_left_out() -> None:
    dataset = {"columns": ["a"], "rows": [[n] for n in range(10_000)], "row_count": 10_000}
    made = fill(
        Filling(LOADED["visit_report"], "ko", "doc-1", {}, [Material("a1", "dataset", "자료", dataset)])
    )
    (table,) = [block for block in made.blocks if isinstance(block, Table)]
    assert len(table.rows) == 500
    assert "10000행" in table.note.replace(",", "")


def test_passages_have_a_note_with_their_place() -> None:
    passages = {"passages": [{"text": "가" * 200_000, "title": "약사법", "article": "제47조", "page": 3}]}
    material = Material("a1", "passages", "검색", passages)
    made = fill(Filling(LOADED["analysis_report"], "ko", "doc-1", {}, [material]))
    assert made.notes[0].text == "약사법, 제47조, p. 3"
    assert max(len(span.text) for span in spans(made)) < 2_000


def test_a_report_on_rules_quotes_whole_passages() -> None:
    text = "제3조 (견본품)\n\n① 하나만 준다.\n\n품목 | 한도\n식사 | 50,000원\n판촉물 | 10,000원"
    data = {
        "passages": [
            {
                "title": "지침",
                "heading": ["제3조 (견본품)"],
                "text": text,
                "sentences": [{"text": "하나만 준다.", "n": 1}],
            }
        ],
        "citations": [{"n": 1, "title": "지침", "place": {"heading": "제3조 (견본품)", "page": 4}}],
    }
    made = fill(
        Filling(LOADED["analysis_report"], "ko", "doc-1", {}, [Material("a1", "passages", "검색", data)])
    )
    assert made.notes[0].text == "지침, 제3조 (견본품), p. 4"
    assert "① 하나만 준다." in list(lines(made))
    (table,) = [block for block in made.blocks if isinstance(block, Table)]
    assert [column.label for column in table.columns] == ["품목", "한도"]
    assert table.rows == (("식사", "50,000원"), ("판촉물", "10,000원"))


def test_cited_sentences_keep_the_place_of_their_citation() -> None:
    data = {
        "passages": [
            {"title": "약사법", "text": "전체", "sentences": [{"text": "제공해서는 아니 된다.", "n": 2}]}
        ],
        "citations": [
            {"n": 2, "title": "약사법", "place": {"heading": "제4장", "article": "제47조", "page": 9}}
        ],
    }
    made = fill(
        Filling(LOADED["visit_report"], "ko", "doc-1", {}, [Material("a1", "passages", "검색", data)])
    )
    assert made.notes[0].text == "약사법, 제4장, 제47조, p. 9"
    assert "“제공해서는 아니 된다.”" in list(lines(made))


def test_review_rules_name_what_is_not_met() -> None:
    template = LOADED["seminar_request"].template
    values = {"budget_each": Value(200_000, "computed"), "place": Value("서울", "form")}
    found = {each["rule"]: each["fields"] for each in review_notes(template, values, "ko")}
    assert found == {"place_topic_speaker": ["topic", "speaker"], "per_person": ["budget_each"]}
    assert missing(template, {}) == ["held_on", "attendees", "budget"]


@pytest.mark.parametrize("name", list(LOADED))
@pytest.mark.parametrize("language", ["ko", "en"])
def test_samples_of_all_templates_fill_every_field(name: str, language: Any) -> None:
    made = sample_document(LOADED[name], language)
    assert made.open_fields == ()
    assert made == sample_document(LOADED[name], language)


@pytest.mark.parametrize(
    ("amount", "ko", "en"),
    [
        (0, "금 영원정", "zero won only"),
        (3_000_000, "금 삼백만원정", "three million won only"),
        (
            120_034_500,
            "금 일억이천삼만사천오백원정",
            "one hundred twenty million thirty-four thousand five hundred won only",
        ),
        (1_000_000_000_000, "금 일조원정", "one trillion won only"),
        (10_010, "금 일만일십원정", "ten thousand ten won only"),
    ],
)
def test_amounts_in_words_agree_with_digits(amount: int, ko: str, en: str) -> None:
    assert in_words(amount, "ko") == ko
    assert in_words(amount, "en") == en


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("300만원", 3_000_000), ("1억 2천만 원", 120_000_000), ("3,000,000", 3_000_000), ("1.2 million", 1_200_000),
        ("약 50만 원 정도", 500_000), ("없음", None), ("", None), ("30명, 5회", 30),
    ],
)  # fmt: skip
def test_amounts_are_read(text: str, value: Any) -> None:
    assert read_amount(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2025-03-05", "2025-03-05"), ("2025년 3월 5일", "2025-03-05"), ("3월 5일요", "2025-03-05"), ("1월 2일", "2026-01-02"),
        ("5 March 2025", "2025-03-05"), ("March 5th", "2025-03-05"), ("2025-02-30", None), ("언젠가", None), ("2월 30일", None),
    ],
)  # fmt: skip
def test_dates_are_read(text: str, value: Any) -> None:
    assert read_date(text, DAY) == value


def test_values_outside_their_range_are_refused() -> None:
    spec = LOADED["seminar_request"].template.fields["attendees"]
    refused = read_value(spec, "5,000명", DAY, "ko")
    assert isinstance(refused, Unfit)
    assert refused.reason == "5,000명은 허용 범위 1명~300명을 벗어납니다."
    assert read_value(spec, "삼십", DAY, "ko") != 30
    assert read_value(spec, 30, DAY, "ko") == 30
    choice = FieldSpec.model_validate(
        {"label": {}, "type": "choice", "options": {"a": {"ko": "가", "en": "A one"}}}
    )
    assert read_value(choice, "a one please", DAY, "en") == "a"


def test_periods_are_written_in_one_style() -> None:
    assert show_period("2024-12-01", "2024-12-31", "ko") == "2024년 12월"
    assert show_period("2024-01-01", "2024-12-31", "en") == "2024"
    assert show_period("2024-12-03", "2024-12-05", "en") == "3 December 2024 ~ 5 December 2024"
    assert show_period("x", "y", "ko") == "x ~ y"


def layout(text: str) -> bytes:
    file = docx.Document()
    file.add_paragraph(text)
    table = file.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "수신"
    table.cell(0, 1).text = "{{ to }}"
    file.add_paragraph("{{sections}}")
    file.add_paragraph("끝")
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def test_a_company_word_file_is_a_layout() -> None:
    text = GOOD.replace("sections:", "layout: layout.docx\nsections:")
    loaded = load_templates(files(text, layout_docx=layout("우리 회사 공문: {{title}}")))["letter"]
    made = fill(
        Filling(
            loaded, "ko", "doc-1", {"to": Value("{{amount}} <b>", "question"), "amount": Value(5, "question")}
        )
    )
    said = READERS["docx"](render(made, "docx", layout=loaded.layout)).splitlines()
    assert said == [
        "우리 회사 공문: 공문",
        "수신",
        "{{amount}} <b>",
        "1. 내용",
        "{{amount}} <b>께 5원을 청구합니다.",
        "끝",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"no zip", "no DOCX"), (layout("{{unknown}}"), "unknown")],
)
def test_a_layout_that_cannot_be_used_is_refused(content: bytes, said: str) -> None:
    text = GOOD.replace("sections:", "layout: layout.docx\nsections:")
    assert any(said in each for _, each in problems(text, layout_docx=content))


def test_allowed_packages_bring_templates_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "invoice").mkdir()
    own = (PHARMA / "proposal" / "template.yaml").read_text(encoding="utf-8")
    (tmp_path / "invoice" / "template.yaml").write_text(
        own.replace("id: proposal\n", "id: invoice\n"), "utf-8"
    )

    class Package:
        name = "acme-forms"

    class Point:
        name, dist = "acme", Package()

        def load(self) -> Path:
            return tmp_path

    def points(group: str, _places: object) -> list[Point]:
        return [Point()] if group == "metaagent.templates" else []

    monkeypatch.setattr(installed, "entry_points", points)
    assert "invoice" in load_templates(installed_files(["acme-forms"]))
    assert installed_files([]) == {}
