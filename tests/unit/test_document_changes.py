"""Changes that a verdict requires: passages go where they stand, everything else waits for a person."""

from __future__ import annotations

from dataclasses import replace

from metaagent.documents.model import (
    Column,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Paragraph,
    Span,
    Table,
    lines,
)
from metaagent.documents.required_changes import modified, place_of

BAD = "골프 접대를 했다."


def report() -> Document:
    return Document(
        "d1",
        "방문 보고서",
        "ko",
        "visit_report",
        "1",
        meta={"작성자": "김"},
        blocks=(
            Heading("h", "내용"),
            Paragraph("p", (Span("원장을 만났다. ", bold=True), Span(f"{BAD} 자료를 전달했다."))),
            List("l", (Item((Span("하나"),)), Item((Span(BAD),)))),
            Form("f", (Entry("비고", (Span(f"없음. {BAD}"),)),)),
            Table("t", (Column("비고"), Column("금액")), (("정상", 1), (BAD, 30000)), caption="지출"),
        ),
    )


def cut(document: Document, passage: str, nth: int = 0, action: str = "remove_text") -> dict[str, object]:
    whole = "\n".join(lines(document))
    start = -1
    for _ in range(nth + 1):
        start = whole.index(passage, start + 1)
    return {"rule": "r", "action": action, "span": [start, start + len(passage)]}


def test_the_sentence_goes_and_the_rest_stays_as_it_was():
    document = report()
    made = modified(document, [cut(document, "골프", nth) for nth in range(4)])
    assert "골프" not in "\n".join(lines(made.document))
    paragraph = made.document.block("p")
    assert isinstance(paragraph, Paragraph)
    assert paragraph.text == "원장을 만났다. 자료를 전달했다."
    assert paragraph.spans[0].bold
    assert made.document.block("t") == replace(report().blocks[4], rows=(("정상", 1), ("", 30000)))
    assert [each["block"] for each in made.applied] == ["p", "l", "f", "t"]
    assert made.rest == ()


def test_sums_titles_and_strange_places_wait_for_a_person():
    document = report()
    wanted = [
        cut(document, "30000", action="set_to_limit"),
        cut(document, "방문 보고서"),
        {"rule": "r", "action": "fill_in", "field": "heads"},
        {"rule": "r", "action": "remove_text", "span": [0, 10_000]},
        {"rule": "r", "action": "remove_text", "span": ["x", None]},
    ]
    made = modified(document, wanted)
    assert made.document == document
    assert made.applied == ()
    assert len(made.rest) == 5
    assert made.rest[0]["block"] == "t"


def test_offsets_in_text_with_hidden_characters_are_not_trusted():
    document = replace(report(), title="방\u200b문")
    assert place_of(document, [20, 22]) is None
    assert modified(document, [cut(document, "골프")]).applied == ()


def test_hostile_modifications_change_nothing():
    document = report()
    for hostile in (None, "x", [None, 1, {"action": []}], [{"action": "remove_text", "span": [5, 2]}]):
        assert modified(document, hostile).document == document


def test_a_sentence_with_a_sum_to_lower_waits_for_a_person():
    document = report()
    made = modified(document, [cut(document, BAD, action="set_to_limit")])
    assert (made.document, made.applied) == (document, ())
    assert [each["block"] for each in made.rest] == ["p"]
