"""Scores requests for documents: the right template, the right fields, nothing invented, figures equal to their dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from metaagent.documents.diff import differences
from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, fill
from metaagent.documents.model import Document, Table
from metaagent.documents.samples import sample_materials
from metaagent.documents.templates import Loaded
from metaagent.language.particles import Language
from metaagent.level2.document.agent import DocumentParams
from metaagent.level2.document.editing import edit
from metaagent.level2.document.values import Known, collect
from metaagent.level2.document.work import chosen
from metaagent.plugin import Failed, NeedsInput
from metaagent.values import mapping, rows

Json = dict[str, Any]
_SAID = ("question", "answer")


@dataclass
class Score:
    """Counts over all requests; shares are made of them."""

    requests: int = 0
    templates: int = 0
    wanted: int = 0
    right: int = 0
    invented: int = 0
    figures: int = 0
    equal: int = 0
    edits: int = 0
    edited: int = 0
    misses: list[Json] = field(default_factory=list[Json])

    def shares(self) -> dict[str, float]:
        return {
            "template": _share(self.templates, self.requests),
            "fields": _share(self.right, self.wanted),
            "invented": float(self.invented),
            "figures": _share(self.equal, self.figures),
            "edits": _share(self.edited, self.edits),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def scored(
    requests: Sequence[Mapping[str, Any]],
    readings: Sequence[Json],
    templates: Mapping[str, Loaded],
    today: date,
) -> Score:
    """Fill what each request asks for, as the agent does, and compare it with what must come out."""
    score = Score()
    for request, reading in zip(requests, readings, strict=True):
        wanted = request["documents"]
        parts = rows(mapping(reading.get("parts")).get("document_generation"))
        asked = [part.get("document_type") for part in parts] or [None]
        for at, each in enumerate(wanted):
            made = _made(request, reading, asked[at] if at < len(asked) else None, templates, today)
            _compare(request, each, made, score)
            if isinstance(made[1], Document) and each.get("edit"):
                _compare_edit(request, each, made[1], templates, today, score)
    return score


def _made(
    request: Mapping[str, Any], reading: Json, kind: str | None, templates: Mapping[str, Loaded], today: date
) -> tuple[str, Document | str, dict[str, Value]]:
    """The id of the template, and the document, or the field that is asked for."""
    language: Language = "ko" if reading.get("language") == "ko" else "en"
    materials = sample_materials(language)[:2] if "data_analysis" in reading["required_capabilities"] else []
    try:
        loaded = chosen(DocumentParams(document_type=kind), reading, templates, language)
    except Failed:
        return "", "", {}
    known = Known(reading, request.get("answers", ()), memories=(), user=None, today=today, language=language)
    try:
        values = collect(loaded.template, known, materials)
    except NeedsInput as question:
        return loaded.template.id, question.field, {}
    document = fill(Filling(loaded, language, "doc-eval", values, materials))
    return loaded.template.id, document, values


def _compare(
    request: Mapping[str, Any],
    wanted: Mapping[str, Any],
    made: tuple[str, Document | str, dict[str, Value]],
    score: Score,
) -> None:
    template, document, values = made
    score.requests += 1
    score.templates += template == wanted["template"]
    fields: Json = wanted.get("fields", {})
    score.wanted += len(fields) + ("asks" in wanted)
    right = [name for name, value in fields.items() if name in values and values[name].value == value]
    asks = wanted.get("asks") is not None and document == wanted["asks"]
    score.right += len(right) + asks
    extra = [n for n, v in values.items() if v.source in _SAID and n not in fields]
    score.invented += len(extra)
    if isinstance(document, Document):
        _count_figures(document, score)
    missed = len(right) < len(fields) or (wanted.get("asks") is not None and not asks)
    if template != wanted["template"] or missed or extra:
        found = {name: value.value for name, value in values.items()}
        asked = document if isinstance(document, str) else ""
        score.misses.append(
            {
                "question": request["q"],
                "why": f"{template} {asked} {extra}".strip(),
                "found": str(found)[:300],
            }
        )


def _count_figures(document: Document, score: Score) -> None:
    """Every number in a table is one of the dataset's."""
    known: set[Any] = set()
    for material in sample_materials(document.language):
        if material.kind == "dataset":
            known |= {cell for row in material.data["rows"] for cell in row}
    for block in document.blocks:
        if isinstance(block, Table):
            numbers = [cell for row in block.rows for cell in row if isinstance(cell, int | float)]
            score.figures += len(numbers)
            score.equal += sum(number in known for number in numbers)


def _compare_edit(
    request: Mapping[str, Any],
    wanted: Mapping[str, Any],
    document: Document,
    templates: Mapping[str, Loaded],
    today: date,
    score: Score,
) -> None:
    """An edit changes what it names, and nothing else."""
    score.edits += 1
    try:
        later = edit(
            document, wanted["edit"], templates[document.template_id], today, document.language
        ).document
    except Failed as error:
        score.misses.append(
            {"question": f"{request['q']} / {wanted['edit']}", "why": str(error), "found": ""}
        )
        return
    changes = {change.block.partition(".")[0] for change in differences(document, later)}
    if changes == set(wanted["changes"]):
        score.edited += 1
    else:
        found = ", ".join(sorted(changes))
        score.misses.append(
            {"question": f"{request['q']} / {wanted['edit']}", "why": "changed", "found": found}
        )
