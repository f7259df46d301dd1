"""Sample data for previews: every field filled with a value of its type, and one small artifact of each kind."""

from __future__ import annotations

from datetime import date
from typing import Any

from metaagent.documents.fields import Value
from metaagent.documents.filling import Filling, Material, fill, from_artifacts, with_computed
from metaagent.documents.model import Document
from metaagent.documents.templates import FieldSpec, Loaded
from metaagent.language.particles import Language

DAY = date(2025, 1, 10)
_ROWS = [["A", 412_000_000, 0.083], ["B", 312_500_000, -0.021], ["C", 150_500_000, 0.146]]


def sample_document(loaded: Loaded, language: Language) -> Document:
    """The template filled with sample data; the same each time."""
    template = loaded.template
    materials = sample_materials(language)
    values = from_artifacts(template, materials, language)
    for name, spec in template.fields.items():
        if name not in values and spec.source != ("computed",):
            values[name] = Value(_sample(spec, language), "sample")
    values = with_computed(template, values, DAY, language)
    return fill(Filling(loaded, language, f"preview-{template.id}"[:64], values, materials))


def _sample(spec: FieldSpec, language: Language) -> Any:
    if spec.type == "date":
        return DAY.isoformat()
    if spec.type == "moment":
        return f"{DAY.isoformat()}T14:00"
    if spec.type == "time":
        return "14:00"
    if spec.type in ("integer", "number", "money"):
        low, high = spec.range or (1, 1_000_000)
        return int(low + (high - low) / 4)
    if spec.type == "choice":
        return next(iter(spec.options))
    label = spec.label.say(language)
    return [f"{label} 1", f"{label} 2"] if spec.type == "list" else f"({label})"


def sample_materials(language: Language) -> list[Material]:
    ko = language == "ko"
    title = "2024년 12월 서울 매출액" if ko else "Sales in Seoul, December 2024"
    columns = [
        {"name": "district", "label": "지역" if ko else "District", "type": "text"},
        {"name": "sales", "label": "매출액" if ko else "Sales", "type": "number", "unit": "won"},
        {"name": "growth", "label": "증감률" if ko else "Growth", "type": "number", "unit": "ratio"},
    ]
    sentences = (
        [
            "2024년 12월 서울 매출액은 875,000,000원입니다.",
            "- A 지역: 412,000,000원",
            "- B 지역: 312,500,000원",
        ]
        if ko
        else ["Sales in Seoul were 875,000,000 won in December 2024.", "- District A: 412,000,000 won"]
    )
    dataset = {
        "title": title,
        "columns": columns,
        "rows": _ROWS,
        "row_count": len(_ROWS),
        "sentences": sentences,
        "query": {"period": {"start": "2024-12-01", "end": "2024-12-31"}},
    }
    passage = {
        "text": "의약품공급자는 경제적 이익등을 제공해서는 아니 된다."
        if ko
        else "No economic benefit may be given.",
        "title": "약사법" if ko else "Pharmaceutical Affairs Act",
        "article": "제47조" if ko else "Article 47",
        "page": 3,
    }
    finding = {
        "rule": "meal_amount",
        "status": "passed",
        "severity": "low",
        "message": "한도 이내" if ko else "within the limit",
        "law": "약사법 제47조" if ko else "Pharmaceutical Affairs Act, Article 47",
    }
    return [
        Material("sample-1", "dataset", title, dataset),
        Material("sample-2", "chart", title, {"title": title, "spec": _chart(ko)}),
        Material("sample-3", "passages", "passages", {"passages": [passage]}),
        Material("sample-4", "verdict", "verdict", {"risk_level": "low", "findings": [finding]}),
    ]


def _chart(ko: bool) -> dict[str, Any]:
    values = [{"x": row[0], "y": row[1]} for row in _ROWS]
    return {
        "data": {"values": values},
        "mark": {"type": "bar", "color": "#0072B2"},
        "width": 420,
        "height": {"step": 28},
        "encoding": {
            "y": {"field": "x", "type": "nominal", "title": None},
            "x": {"field": "y", "type": "quantitative", "title": "원" if ko else "KRW"},
        },
        "config": {"font": "Noto Sans KR"},
    }
