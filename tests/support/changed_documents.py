"""Documents of the templates, filled in, and changed by what people say."""

from __future__ import annotations

from datetime import date
from typing import Any

from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, Material, fill, with_computed
from metaagent.documents.model import Document
from metaagent.documents.templates import load_templates, read_files
from metaagent.language.particles import Language
from metaagent.level2.document.editing import Edited, edit
from tests.support.paths import ROOT

TEMPLATES = load_templates(read_files(ROOT / "configs" / "domains" / "pharma" / "templates"))
TODAY = date(2026, 11, 16)
VISIT = {
    "hospital": "해오름의원",
    "visited_on": "2026-11-11",
    "contact": "박시온 원장",
    "next_visit": "2026-11-30",
}
SEMINAR = {"held_on": "2026-12-09", "attendees": 20, "budget": 2_000_000}


def document(
    template: str, values: dict[str, Any], materials: list[Material] | None = None, language: Language = "ko"
) -> Document:
    loaded = TEMPLATES[template]
    given = {name: Value(value, "question") for name, value in values.items()}
    whole = with_computed(loaded.template, given, TODAY, language)
    return fill(Filling(loaded, language, "doc-1", whole, materials or []))


def after(made: Document, question: str, materials: list[Material] | None = None) -> Edited:
    return edit(made, question, TEMPLATES[made.template_id], TODAY, made.language, materials or [])
