"""The things that can be asked about the connected data: its figures, what they split by, how far it goes, and questions
that were tried: each was read, compiled and run, and gave a figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from metaagent.data.semantic.drafting.words import plural
from metaagent.errors import MetaAgentError, Text

if TYPE_CHECKING:
    from metaagent.data.tenant_data import TenantData
    from metaagent.level1.query_analyzer.domain import Intent
    from metaagent.level1.reasoner import RuleReasoner
    from metaagent.ports import AnalysisInput, Json, Knowledge

_MOST_TRIES = 60
_FIRST_METRICS, _FIRST_DIMENSIONS = 4, 6
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_SHAPES: dict[str, tuple[str, Text]] = {
    "total": ("month", Text(en="{metric} in {month_name} {year}", ko="{year}년 {month}월 {metric}")),
    "group": ("dimension", Text(en="{metric} by {dimension} in {year}", ko="{year}년 {dimension}별 {metric}")),
    "rank": ("dimension", Text(en="Top 3 {dimension} by {metric} in {year}", ko="{year}년 {metric} 상위 3개 {dimension}")),
    "trend": ("month", Text(en="Monthly {metric} in {year}", ko="{year}년 월별 {metric} 추이")),
    "value": ("value", Text(en="{metric} of {value} in {year}", ko="{year}년 {value} {metric}")),
    "compare": (
        "month",
        Text(en="Compare {metric} in {month_name} {year} with the month before", ko="{year}년 {month}월 {metric} 전월 대비"),
    ),
    "plain_group": ("dimension", Text(en="{metric} by {dimension}", ko="{dimension}별 {metric}")),
    "plain_total": ("plain", Text(en="{metric}", ko="{metric} 알려줘")),
}  # fmt: skip


@dataclass(frozen=True)
class Topics:
    domain: str
    metrics: tuple[str, ...]
    dimensions: tuple[str, ...]
    start: str | None
    end: str | None
    questions: tuple[str, ...]

    def as_json(self) -> Json:
        return asdict(self)


@dataclass(frozen=True)
class _Candidate:
    shape: str
    question: str
    metric: str
    dimension: str | None
    value: str | None


async def topics_of(
    name: str,
    reader: RuleReasoner,
    knowledge: Knowledge,
    db: TenantData | None,
    given: AnalysisInput,
    *,
    most: int = 5,
    examples: Mapping[str, Intent] = MappingProxyType({}),
) -> Topics:
    """The topics, with at most `most` questions: figures first, then those of the examples that are read as their
    intents and need nothing that is missing here."""
    language = given.language or "en"
    words = knowledge.vocabulary
    metrics = [one for one in words if one["kind"] == "metric"]
    dimensions = _dimensions(knowledge)
    spans = [span for span in (knowledge.coverage or {}).values() if span]
    questions: list[str] = []
    if db is not None and knowledge.reachable:
        others = [said for said, intent in examples.items() if await serves(said, intent, reader, given)]
        others = others[: most // 2]
        ordered = _main_first(metrics, knowledge)
        found: dict[str, str] = {}
        for candidate in _candidates(ordered, dimensions, knowledge, language):
            if len(found) == most - len(others):
                break
            if candidate.shape not in found and await _works(candidate, reader, db, given):
                found[candidate.shape] = candidate.question
        questions = [*found.values(), *others]
    return Topics(
        name,
        tuple(str(one["label"][language]) for one in sorted(metrics, key=_place)),
        dimensions=tuple(str(one["label"][language]) for one in dimensions),
        start=min((span["start"] for span in spans), default=None),
        end=max((span["end"] for span in spans), default=None),
        questions=tuple(questions),
    )


def _place(metric: Json) -> int:
    """Sums, then counts, then what follows from them."""
    return {"sum": 0, "count": 1}.get(str(metric["aggregate"]), 2)


def _main_first(metrics: Sequence[Json], knowledge: Knowledge) -> list[Json]:
    """Sums before counts, dated before undated; the model's order else."""
    dated = knowledge.coverage or {}
    plain = [one for one in metrics if one["aggregate"] in {"sum", "count"} and not one["filtered"]]
    return sorted(plain, key=lambda one: (not dated.get(one["name"]), one["aggregate"] != "sum"))[
        :_FIRST_METRICS
    ]


def _candidates(
    metrics: Sequence[Json], dimensions: Sequence[Json], knowledge: Knowledge, language: str
) -> Iterator[_Candidate]:
    """Each shape with the most likely words first; at most `_MOST_TRIES` in all."""
    values = _values(knowledge)
    shown = shown_in_english(knowledge) if language == "en" else {}
    things = _things(dimensions, values)
    count = 0
    for shape, (kind, text) in _SHAPES.items():
        tries = product(metrics, things[:_FIRST_DIMENSIONS] if kind in {"dimension", "value"} else [None])
        for metric, thing in tries:
            made = _worded(shape, text, metric, thing, values, shown, knowledge.coverage or {}, language)
            if made is not None and count < _MOST_TRIES:
                count += 1
                yield made


def _dimensions(knowledge: Knowledge) -> list[Json]:
    """The dimensions that people name: neither times nor numbers."""
    return [
        one
        for one in knowledge.vocabulary
        if one["kind"] == "dimension" and not one["time"] and one["type"] != "number"
    ]


def _values(knowledge: Knowledge) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for one in knowledge.names:
        values.setdefault(str(one["dimension"]), []).append(str(one["value"]))
    return values


def _things(dimensions: Sequence[Json], values: Mapping[str, Sequence[str]]) -> list[Json]:
    """The dimensions with several values, things before kinds of things."""
    things = [one for one in dimensions if len(values.get(one["name"], ())) > 1]
    return sorted(things, key=lambda one: (one.get("counted_by") or {"kinds": True}).get("kinds", False))


def splits(knowledge: Knowledge, metric: str) -> list[Json]:
    """The dimensions that a figure can be split by, most likely first."""
    reaches = next((one["reaches"] for one in knowledge.vocabulary if one["name"] == metric), ())
    return [one for one in _things(_dimensions(knowledge), _values(knowledge)) if one["table"] in reaches]


def spoken_label(metric: Json, language: str) -> str:
    """The name of a figure within a sentence."""
    label = str(metric["label"][language])
    return label if language == "ko" else label[:1].lower() + label[1:]


def _worded(
    shape: str, text: Text, metric: Json, thing: Json | None, values: Mapping[str, Sequence[str]], shown: Mapping[str, str],
    coverage: Mapping[str, Any], language: str,
) -> _Candidate | None:  # fmt: skip
    if thing is not None and thing["table"] not in metric["reaches"]:
        return None
    span = coverage.get(metric["name"])
    month = None if span is None else _whole_month(span)
    if month is None and not shape.startswith("plain"):
        return None
    named = spoken_label(metric, language)
    dimension = str(thing["label"][language]) if thing else ""
    value = values[thing["name"]][0] if thing is not None and shape == "value" else None
    said = text.say(
        language,
        metric=named,
        dimension=plural(dimension) if shape == "rank" and language == "en" else dimension,
        value=shown.get(value or "", value or ""),
        year=month.year if month else "",
        month=month.month if month else "",
        month_name=MONTHS[month.month - 1] if month else "",
    )
    question = said[:1].upper() + said[1:]
    return _Candidate(shape, question, metric["name"], thing["name"] if thing else None, value)


def shown_in_english(knowledge: Knowledge) -> dict[str, str]:
    """The values that the model names in other words, each with the first of them that English can spell."""
    named = {str(one["name"]): one for one in knowledge.vocabulary if one["kind"] == "value"}
    spelt = {
        value: next((label for label in one["labels"] if label.isascii()), None)
        for value, one in named.items()
    }
    return {value: label for value, label in spelt.items() if label is not None}


def _whole_month(span: Mapping[str, str]) -> date | None:
    """The last month that the data covers to its end, or the only one there is."""
    start, end = date.fromisoformat(span["start"]), date.fromisoformat(span["end"])
    first = end.replace(day=1)
    if (end + timedelta(days=1)).day != 1 and first - timedelta(days=1) >= start:
        first = (first - timedelta(days=1)).replace(day=1)
    return first


async def _works(candidate: _Candidate, reader: RuleReasoner, db: TenantData, given: AnalysisInput) -> bool:
    """Tell whether the question is read as it was meant and the data has an answer to it."""
    try:
        reading = await reader.analyze(candidate.question, given)
        request = reading.get("semantic_request") or {}
        if not _meant(candidate, reading, request):
            return False
        result = await db.ask(request)
    except MetaAgentError:
        return False
    return any(isinstance(cell, int | float) for row in result.rows for cell in row)


async def serves(question: str, intent: Intent, reader: RuleReasoner, given: AnalysisInput) -> bool:
    """Tell whether an example is read as its intent, and can be done here."""
    try:
        reading = await reader.analyze(question, given)
    except MetaAgentError:
        return False
    return is_feasible(reading) and set(intent.capabilities) <= set(reading["required_capabilities"])


def is_feasible(reading: Json) -> bool:
    """Tell whether a reading leaves nothing to ask back and needs nothing that is missing here."""
    if reading["clarification_needed"] or reading.get("infeasible_capabilities"):
        return False
    return bool(reading["feasibility_check"]["feasible"])


def _meant(candidate: _Candidate, reading: Json, request: Mapping[str, Any]) -> bool:
    if (
        not is_feasible(reading)
        or reading.get("unread")
        or list(request.get("metrics") or ()) != [candidate.metric]
    ):
        return False
    if candidate.value is not None:
        return any(
            candidate.value in map(str, one.get("values") or ()) for one in request.get("filters") or ()
        )
    return candidate.dimension is None or candidate.dimension in (request.get("dimensions") or ())
