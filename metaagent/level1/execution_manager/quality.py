"""The quality of a step's output: a documented formula over facts, not an opinion.

    quality = 0.4 · completeness + 0.3 · confidence + 0.2 · validity + 0.1 · sourcing

completeness: share of the declared artifact kinds that were delivered with content
confidence:   what the agent computed for itself, clamped to 0..1
validity:     share of the artifacts that fit their declared type
sourcing:     1 if the result names its sources or derives from input artifacts, else 0
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pydantic

from metaagent.global_state import Chart, Citation, Dataset
from metaagent.input_checks import file_problem
from metaagent.journal import not_plain
from metaagent.language.number_check import CITED
from metaagent.level1.planning.params import adapter_of
from metaagent.plugin import AgentSpec, Artifact, Result

MOST_ARTIFACTS = 100
"""The bound for one step: each is listed in the state and told of by an event."""

FORMS: Mapping[str, Any] = {"dataset": Dataset, "chart": Chart}

LONGEST_SUMMARY = 20_000
"""Characters: a summary is read by a person, and stays in the state of the session."""

_CITATIONS = pydantic.TypeAdapter(list[Citation], config=pydantic.ConfigDict(extra="forbid", strict=True))

WEIGHTS = {"completeness": 0.4, "confidence": 0.3, "validity": 0.2, "sourcing": 0.1}


def form_problems(result: Result) -> list[str]:
    """Authors without a type checker may put anything into a Result."""
    said: list[object] = [result.summary, result.confidence]
    summary, confidence = said
    artifacts: list[object] = list(result.artifacts)
    if len(artifacts) > MOST_ARTIFACTS:
        return [f"{len(artifacts)} artifacts, at most {MOST_ARTIFACTS}: put what belongs together into one"]
    if not isinstance(summary, str):
        return [f"the summary is {type(summary).__name__}, not text"]
    if len(summary) > LONGEST_SUMMARY:
        return [
            f"the summary has {len(summary):,} characters, at most {LONGEST_SUMMARY:,}: put long text into an artifact"
        ]
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return [f"the confidence is {type(confidence).__name__}, not a number"]
    wrong = [problem for artifact in artifacts if (problem := _form_problem(artifact))]
    return wrong or citation_problems(summary, result.citations)


def citation_problems(summary: str, citations: Sequence[object]) -> list[str]:
    """Name the citations that are not of the one form, and marks of the summary that cite nothing."""
    if not citations:
        return []
    try:
        given = _CITATIONS.validate_python(list(citations))
    except pydantic.ValidationError as error:
        first = error.errors(include_input=False)[0]
        return [f"citations.{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"]
    if [each["n"] for each in given] != list(range(1, len(given) + 1)):
        return ["citations are not numbered 1, 2, 3 in their order"]
    problems = [
        f"citation {each['n']}: the quote is not {each['end'] - each['start']} characters with its sha256"
        for each in given
        if each["start"] < 0
        or each["end"] - each["start"] != len(each["quote"])
        or not each["quote"]
        or hashlib.sha256(each["quote"].encode(errors="replace")).hexdigest() != each["sha256"]
    ]
    marks = {int(number) for number in CITED.findall(summary)}
    return problems + [f"[{n}] in the summary cites nothing" for n in sorted(marks) if n > len(given)]


def _form_problem(artifact: object) -> str:
    if not isinstance(artifact, Artifact):
        return f"{type(artifact).__name__} instead of Artifact"
    summary: Any = artifact.summary
    if not isinstance(summary, str) or len(summary) > LONGEST_SUMMARY:
        return f"artifact {artifact.kind} has a summary that is not text of at most {LONGEST_SUMMARY:,} characters"
    problem = file_problem(artifact.name, artifact.media_type, artifact.group)
    return f"artifact {artifact.kind} has {problem}" if problem else ""


def type_problems(spec: AgentSpec, result: Result) -> list[str]:
    """Name what about the artifacts does not fit the agent's declaration."""
    unknown = sorted(set(result.state) - set(getattr(spec.state, "__annotations__", ())))
    return [
        *(f"{each!r} is no field of {spec.state.__name__}, the state that it declares" for each in unknown),
        *(problem for artifact in result.artifacts if (problem := _type_problem(spec, artifact))),
    ]


def _type_problem(spec: AgentSpec, artifact: Artifact) -> str:
    if artifact.kind not in spec.produces:
        return f"kind {artifact.kind!r} is not among the declared {sorted(spec.produces)}"
    return misfit(artifact.kind, artifact.data, spec.produces[artifact.kind])


def misfit(kind: str, data: object, expected: Any) -> str:
    """Say what about the data does not fit the type."""
    if expected is None:
        return ""
    try:
        adapter_of(expected).validate_python(data)
    except pydantic.ValidationError as error:
        first = error.errors(include_input=False)[0]
        return f"{kind}.{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return ""


def form_misfit(kind: str, data: Any) -> str:
    """Say why a dataset or a chart is not of the form that other agents and the screen read."""
    wrong = misfit(kind, data, FORMS.get(kind))
    if wrong or kind != "dataset":
        return wrong
    width = len(data["columns"])
    ragged = next((n for n, row in enumerate(data["rows"]) if len(row) != width), None)
    return "" if ragged is None else f"dataset.rows.{ragged}: not one cell for each of the {width} columns"


def plain_problems(result: Result) -> list[str]:
    """Artifacts and state leave the process: they must be plain data."""
    named = [
        *((f"artifact {a.kind}", a.data) for a in result.artifacts),
        *(("a summary", text) for text in (result.summary, *(a.summary for a in result.artifacts))),
        ("sources", [dict(source) for source in result.sources]),
        ("state", dict(result.state)),
        ("citations", [dict(each) for each in result.citations]),
    ]
    if not not_plain([data for _, data in named if not isinstance(data, bytes | bytearray)]):
        return []
    return [f"{name} is not plain data ({problem})" for name, data in named if (problem := not_plain(data))]


def quality_score(spec: AgentSpec, result: Result, problems: Collection[str], *, had_inputs: bool) -> float:
    delivered = {
        artifact.kind for artifact in result.artifacts if artifact.data not in (None, "", [], {}, b"")
    }
    count = len(result.artifacts)
    parts = {
        "completeness": len(delivered & set(spec.produces)) / len(spec.produces),
        "confidence": min(1.0, max(0.0, result.confidence)),
        "validity": (count - len(problems)) / count if count else 0.0,
        "sourcing": 1.0 if result.sources or had_inputs else 0.0,
    }
    return round(sum(WEIGHTS[name] * value for name, value in parts.items()), 3)
